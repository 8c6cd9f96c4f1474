//! Streams. Files are kept in memory: a name that was not written before does not exist, and nothing outside the run is touched.
//! The standard input is read as far as the program needs it, so that a program that asks and answers does both in turn. What a program
//! sees never depends on the pieces in which it comes: a replay has all of it at once.

use std::borrow::Cow;
use std::collections::BTreeMap;

use model::{CheckKind, Span};

use super::{Invocation, spend_output, write};
use crate::fault::{Budget, Step};
use crate::machine::Machine;
use crate::memory::{ObjectKind, Pointer, split};

/// The size of glibc's `FILE`.
const FILE_SIZE: u64 = 216;

/// All streams and files of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Streams {
    /// Open streams by the number of their object.
    open: BTreeMap<u32, Stream>,
    /// The three that are open from the start; 0 before their first use.
    standard: [Pointer; 3],
    files: Vec<Vec<u8>>,
    names: BTreeMap<Vec<u8>, usize>,
}

impl Streams {
    /// A number that changes when something is read or written.
    pub(super) fn progress(&self) -> u64 {
        self.open.values().map(|stream| stream.position as u64).sum()
    }
}

/// Where a stream leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// Standard input.
    Input,
    /// Standard output, or standard error.
    Console(bool),
    /// A file.
    File(usize),
}

/// A stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    end: End,
    position: usize,
    readable: bool,
    writable: bool,
    append: bool,
    /// What `ungetc` put before the position, the first to be read last.
    pushed: Vec<u8>,
    /// The end was met.
    pub eof: bool,
    /// Something failed.
    pub error: bool,
}

const NAMES: [&str; 3] = ["stdin", "stdout", "stderr"];

/// A standard stream by name.
pub fn standard(machine: &mut Machine<'_, '_>, name: &str) -> Step<Pointer> {
    let index = NAMES.iter().position(|known| *known == name).unwrap_or(0);
    if machine.library.streams.standard[index] == 0 {
        let end = if index == 0 { End::Input } else { End::Console(index == 2) };
        let pointer = add(machine, end, index == 0, index != 0, false)?;
        machine.library.streams.standard[index] = pointer;
    }
    Ok(machine.library.streams.standard[index])
}

/// The number of a standard stream.
pub fn descriptor(machine: &Machine<'_, '_>, pointer: Pointer) -> Option<usize> {
    machine.library.streams.standard.iter().position(|known| *known == pointer)
}

fn add(machine: &mut Machine<'_, '_>, end: End, readable: bool, writable: bool, append: bool) -> Step<Pointer> {
    let pointer = machine.allocate(ObjectKind::Environment, FILE_SIZE, true, Span::NONE)?;
    let stream = Stream { end, position: 0, readable, writable, append, pushed: Vec::new(), eof: false, error: false };
    machine.library.streams.open.insert(split(pointer).0, stream);
    Ok(pointer)
}

/// Opens a file; `None` if it is to be read and does not exist, or if the mode is none.
pub fn open(machine: &mut Machine<'_, '_>, name: Option<&[u8]>, mode: &[u8]) -> Step<Option<Pointer>> {
    let both = mode.contains(&b'+');
    let streams = &mut machine.library.streams;
    let existing = name.and_then(|name| streams.names.get(name)).copied();
    let file = match (mode.first(), existing) {
        (Some(b'r'), Some(file)) | (Some(b'a'), Some(file)) => file,
        (Some(b'w'), Some(file)) => {
            streams.files[file].clear();
            file
        }
        (Some(b'w' | b'a'), None) => {
            streams.files.push(Vec::new());
            let file = streams.files.len() - 1;
            if let Some(name) = name {
                streams.names.insert(name.to_vec(), file);
            }
            file
        }
        _ => return Ok(None),
    };
    let reads = mode.first() == Some(&b'r');
    add(machine, End::File(file), reads || both, !reads || both, mode.first() == Some(&b'a')).map(Some)
}

/// At the end, every stream that was opened is closed: it holds memory like any heap object.
pub fn check_closed(machine: &mut Machine<'_, '_>) -> Step<()> {
    let opened = machine.library.streams.open.values().filter(|stream| matches!(stream.end, End::File(_))).count();
    (0..opened).try_for_each(|_| machine.fault(CheckKind::Leak, Span::NONE, "a stream that was opened is not closed at the end"))
}

/// Forgets a name; false if there is no such file.
pub fn remove(machine: &mut Machine<'_, '_>, name: &[u8]) -> bool {
    machine.library.streams.names.remove(name).is_some()
}

/// Gives a file another name; false if there is no such file.
pub fn rename(machine: &mut Machine<'_, '_>, from: &[u8], to: &[u8]) -> bool {
    let names = &mut machine.library.streams.names;
    names.remove(from).map(|file| names.insert(to.to_vec(), file)).is_some()
}

/// The open stream that an argument leads to.
pub fn of<'m>(machine: &'m mut Machine<'_, '_>, call: &Invocation<'_>, index: usize) -> Step<&'m mut Stream> {
    let pointer = call.pointer(machine, index);
    at(machine, pointer, call.span)
}

/// The open stream that a pointer leads to.
pub fn at<'m>(machine: &'m mut Machine<'_, '_>, pointer: Pointer, span: Span) -> Step<&'m mut Stream> {
    let number = split(pointer).0;
    if !machine.library.streams.open.contains_key(&number) {
        return Err(match machine.memory.locate(pointer, 1) {
            Err(error) => machine.access_fault(error, pointer, 1, "use of a stream", span),
            Ok(_) => machine.fatal(CheckKind::Bounds, span, "this is no open stream"),
        });
    }
    match machine.library.streams.open.get_mut(&number) {
        Some(stream) => Ok(stream),
        None => Err(Box::new(crate::End::Interrupted)),
    }
}

/// Closes a stream.
pub fn close(machine: &mut Machine<'_, '_>, call: &Invocation<'_>, index: usize) -> Step<()> {
    of(machine, call, index)?;
    let number = split(call.pointer(machine, index)).0;
    machine.library.streams.open.remove(&number);
    machine.memory.end(number);
    Ok(())
}

/// Writes to a stream; false if it cannot be written to.
pub fn put(machine: &mut Machine<'_, '_>, pointer: Pointer, bytes: &[u8], span: Span) -> Step<bool> {
    let stream = at(machine, pointer, span)?;
    if !stream.writable {
        stream.error = true;
        return Ok(false);
    }
    let end = stream.end;
    let file = match end {
        End::Console(to_error) => {
            write(machine, bytes, to_error)?;
            return Ok(true);
        }
        End::File(file) => file,
        End::Input => return Ok(false),
    };
    let start = if stream.append { machine.library.streams.files[file].len() } else { stream.position };
    let grown = (start + bytes.len()).saturating_sub(machine.library.streams.files[file].len());
    spend_output(machine, grown as u64)?;
    let content = &mut machine.library.streams.files[file];
    if content.len() < start + bytes.len() {
        content.resize(start + bytes.len(), 0);
    }
    content[start..start + bytes.len()].copy_from_slice(bytes);
    at(machine, pointer, span)?.position = start + bytes.len();
    Ok(true)
}

/// Whether a stream can be read from; it has an error if not.
pub fn readable(machine: &mut Machine<'_, '_>, pointer: Pointer, span: Span) -> Step<bool> {
    let stream = at(machine, pointer, span)?;
    stream.error |= !stream.readable;
    Ok(stream.readable)
}

/// Makes more of what a stream leads to known; false at its end.
fn extend(machine: &mut Machine<'_, '_>, end: End, span: Span) -> Step<bool> {
    if end != End::Input {
        return Ok(false);
    }
    let more = machine.inputs.read_stdin().map_err(|what| Box::new(crate::End::NoInput(what, span)))?;
    if machine.inputs.stdin.len() as u64 > machine.limits.memory {
        return Err(Box::new(crate::End::Budget(Budget::Memory, span)));
    }
    Ok(more)
}

/// What is known of what a stream leads to.
fn content<'m>(machine: &'m Machine<'_, '_>, end: End) -> &'m [u8] {
    match end {
        End::Input => &machine.inputs.stdin,
        End::Console(_) => &[],
        End::File(file) => &machine.library.streams.files[file],
    }
}

/// The byte that comes after so many others; `None` if the stream ends before it.
pub fn peek(machine: &mut Machine<'_, '_>, pointer: Pointer, ahead: usize, span: Span) -> Step<Option<u8>> {
    let stream = at(machine, pointer, span)?;
    let Some(behind) = ahead.checked_sub(stream.pushed.len()) else { return Ok(stream.pushed.iter().rev().nth(ahead).copied()) };
    let (end, index) = (stream.end, stream.position.saturating_add(behind));
    loop {
        if let Some(byte) = content(machine, end).get(index) {
            return Ok(Some(*byte));
        }
        if !extend(machine, end, span)? {
            return Ok(None);
        }
    }
}

/// Takes away so many bytes, which are there; `ended` says that more were wanted.
pub fn advance(machine: &mut Machine<'_, '_>, pointer: Pointer, count: usize, ended: bool, span: Span) -> Step<()> {
    let stream = at(machine, pointer, span)?;
    let pushed = stream.pushed.len().min(count);
    stream.pushed.truncate(stream.pushed.len() - pushed);
    stream.position += count - pushed;
    stream.eof |= ended;
    Ok(())
}

/// The next bytes: as many as `wanted` says of those that are known, more if it says nothing, all at the end.
pub fn take(machine: &mut Machine<'_, '_>, pointer: Pointer, span: Span, wanted: impl Fn(&[u8]) -> Option<usize>) -> Step<Vec<u8>> {
    if !readable(machine, pointer, span)? {
        return Ok(Vec::new());
    }
    let stream = at(machine, pointer, span)?;
    let (end, position) = (stream.end, stream.position);
    let pushed: Vec<u8> = stream.pushed.iter().rev().copied().collect();
    let mut ended = false;
    loop {
        let rest = content(machine, end).get(position..).unwrap_or_default();
        let rest = if pushed.is_empty() { Cow::Borrowed(rest) } else { Cow::Owned([&pushed, rest].concat()) };
        if let Some(count) = if ended { Some(rest.len()) } else { wanted(&rest) } {
            let taken = rest[..count].to_vec();
            advance(machine, pointer, count, ended, span)?;
            return Ok(taken);
        }
        ended = !extend(machine, end, span)?;
    }
}

/// The next byte; `None` at the end.
pub fn byte(machine: &mut Machine<'_, '_>, pointer: Pointer, span: Span) -> Step<Option<u8>> {
    if !readable(machine, pointer, span)? {
        return Ok(None);
    }
    let next = peek(machine, pointer, 0, span)?;
    advance(machine, pointer, usize::from(next.is_some()), next.is_none(), span)?;
    Ok(next)
}

impl Stream {
    /// Puts a byte back.
    pub fn unread(&mut self, byte: u8) -> bool {
        self.eof = false;
        if self.readable {
            self.pushed.push(byte);
        }
        self.readable
    }

    /// Where it is.
    pub fn tell(&self) -> i128 {
        self.position as i128 - self.pushed.len() as i128
    }
}

/// Moves a stream: from the start (0), from where it is (1) or from the end (2); false if that is no place.
pub fn seek(machine: &mut Machine<'_, '_>, pointer: Pointer, offset: i128, whence: i128, span: Span) -> Step<bool> {
    let stream = at(machine, pointer, span)?;
    let (end, here) = (stream.end, stream.tell());
    let start = match (end, whence) {
        (End::Console(_), _) => return Ok(false),
        (_, 0) => 0,
        (_, 1) => here,
        (_, 2) => {
            while extend(machine, end, span)? {}
            content(machine, end).len() as i128
        }
        _ => return Ok(false),
    };
    let target = offset.saturating_add(start);
    let Ok(position) = usize::try_from(target) else { return Ok(false) };
    let stream = at(machine, pointer, span)?;
    stream.position = position;
    stream.pushed.clear();
    stream.eof = false;
    Ok(true)
}

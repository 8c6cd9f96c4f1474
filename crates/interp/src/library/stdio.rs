//! <stdio.h>.

use model::Span;

use super::arguments::Arguments;
use super::scan::{Text, scan};
use super::stream;
use super::{Header, Invocation, duplicate, errors, format, load_int, load_pointer, store_int, store_pointer, string, word, write_string};
use crate::fault::Step;
use crate::machine::Machine;
use crate::memory::{ObjectKind, Pointer, split};

type M<'a, 'p, 'i> = &'a mut Machine<'p, 'i>;

/// -1, as a result of any width.
const EOF: u128 = u128::MAX;

pub(super) const FUNCTIONS: Header = &[
    ("printf", |m, c| print(m, c, To::Output, 0, false)),
    ("vprintf", |m, c| print(m, c, To::Output, 0, true)),
    ("fprintf", |m, c| print(m, c, To::Stream, 1, false)),
    ("vfprintf", |m, c| print(m, c, To::Stream, 1, true)),
    ("dprintf", |m, c| print(m, c, To::Descriptor, 1, false)),
    ("vdprintf", |m, c| print(m, c, To::Descriptor, 1, true)),
    ("sprintf", |m, c| print(m, c, To::Buffer, 1, false)),
    ("vsprintf", |m, c| print(m, c, To::Buffer, 1, true)),
    ("snprintf", |m, c| print(m, c, To::Bounded, 2, false)),
    ("vsnprintf", |m, c| print(m, c, To::Bounded, 2, true)),
    ("asprintf", |m, c| print(m, c, To::Allocated, 1, false)),
    ("vasprintf", |m, c| print(m, c, To::Allocated, 1, true)),
    ("scanf", |m, c| scan_stream(m, c, 0, false)),
    ("vscanf", |m, c| scan_stream(m, c, 0, true)),
    ("fscanf", |m, c| scan_stream(m, c, 1, false)),
    ("vfscanf", |m, c| scan_stream(m, c, 1, true)),
    ("sscanf", |m, c| scan_string(m, c, false)),
    ("vsscanf", |m, c| scan_string(m, c, true)),
    ("puts", puts),
    ("fputs", fputs),
    ("putchar", |m, c| put_byte(m, c, None)),
    ("putc", |m, c| put_byte(m, c, Some(1))),
    ("fputc", |m, c| put_byte(m, c, Some(1))),
    ("fwrite", fwrite),
    ("perror", perror),
    ("write", write_descriptor),
    ("read", read_descriptor),
    ("getchar", |m, c| get_byte(m, c, None)),
    ("getc", |m, c| get_byte(m, c, Some(0))),
    ("fgetc", |m, c| get_byte(m, c, Some(0))),
    ("ungetc", ungetc),
    ("gets", gets),
    ("fgets", fgets),
    ("getline", |m, c| get_line(m, c, b'\n', 2)),
    ("getdelim", |m, c| get_line(m, c, c.scalar(2) as u8, 3)),
    ("fread", fread),
    ("feof", |m, c| Ok(u128::from(stream::of(m, c, 0)?.eof))),
    ("ferror", |m, c| Ok(u128::from(stream::of(m, c, 0)?.error))),
    ("clearerr", clearerr),
    ("fflush", |_, _| Ok(0)),
    ("setvbuf", |_, _| Ok(0)),
    ("setbuf", |_, _| Ok(0)),
    ("setlinebuf", |_, _| Ok(0)),
    ("fopen", fopen),
    ("tmpfile", tmpfile),
    ("fclose", |m, c| stream::close(m, c, 0).map(|()| 0)),
    ("fseek", fseek),
    ("fseeko", fseek),
    ("ftell", |m, c| Ok(stream::of(m, c, 0)?.tell() as u128)),
    ("ftello", |m, c| Ok(stream::of(m, c, 0)?.tell() as u128)),
    ("rewind", rewind),
    ("remove", remove),
    ("unlink", remove),
    ("rename", rename),
    ("fileno", fileno),
    ("isatty", |_, _| Ok(0)),
    ("flockfile", |_, _| Ok(0)),
    ("funlockfile", |_, _| Ok(0)),
];

/// The stream of an argument, or a standard one.
fn chosen(m: M<'_, '_, '_>, c: &Invocation<'_>, index: Option<usize>, standard: &str) -> Step<Pointer> {
    match index {
        Some(index) => Ok(c.pointer(m, index)),
        None => stream::standard(m, standard),
    }
}

// ---- output ----------------------------------------------------------------------------------------------------------------------

/// Where formatted text goes; what is not the output itself is the first argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    Output,
    Stream,
    Descriptor,
    Buffer,
    Bounded,
    Allocated,
}

/// Formatted output; the format is this argument, what it prints follows.
fn print(m: M<'_, '_, '_>, c: &Invocation<'_>, to: To, index: usize, list: bool) -> Step<u128> {
    let template = c.string(m, index)?;
    let mut arguments = if list { Arguments::list(m, c, index + 1)? } else { Arguments::rest(c, index + 1) };
    let printed = format::print(m, &template, &mut arguments)?;
    arguments.finish(m);
    let Some(printed) = printed else { return Ok(EOF) };
    let first = c.pointer(m, 0);
    let done = match to {
        To::Output => {
            let output = stream::standard(m, "stdout")?;
            stream::put(m, output, &printed, c.span)?
        }
        To::Stream => stream::put(m, first, &printed, c.span)?,
        To::Descriptor => put_descriptor(m, c, &printed)?,
        To::Buffer => write_string(m, first, &printed).map(|()| true)?,
        To::Bounded => {
            if let Some(room) = c.size(1).checked_sub(1) {
                let shown = printed.len().min(usize::try_from(room).unwrap_or(usize::MAX));
                write_string(m, first, &printed[..shown])?;
            }
            true
        }
        To::Allocated => {
            let copy = duplicate(m, &printed, c.span)?;
            store_pointer(m, first, copy)?;
            true
        }
    };
    Ok(if done { printed.len() as u128 } else { EOF })
}

fn puts(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let mut line = c.string(m, 0)?;
    line.push(b'\n');
    let output = stream::standard(m, "stdout")?;
    Ok(if stream::put(m, output, &line, c.span)? { line.len() as u128 } else { EOF })
}

fn fputs(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (line, to) = (c.string(m, 0)?, c.pointer(m, 1));
    Ok(if stream::put(m, to, &line, c.span)? { 1 } else { EOF })
}

fn put_byte(m: M<'_, '_, '_>, c: &Invocation<'_>, index: Option<usize>) -> Step<u128> {
    let to = chosen(m, c, index, "stdout")?;
    let byte = c.scalar(0) as u8;
    Ok(if stream::put(m, to, &[byte], c.span)? { u128::from(byte) } else { EOF })
}

fn fwrite(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (from, size, count, to) = (c.pointer(m, 0), c.size(1), c.size(2), c.pointer(m, 3));
    let bytes = m.read_bytes(from, size.saturating_mul(count))?;
    let done = stream::put(m, to, &bytes, c.span)?;
    Ok(if done && size > 0 { u128::from(count) } else { 0 })
}

fn perror(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let pointer = c.pointer(m, 0);
    let mut line = if pointer == 0 { Vec::new() } else { string(m, pointer)? };
    if !line.is_empty() {
        line.extend_from_slice(b": ");
    }
    line.extend_from_slice(errors::message(errors::get(m)?).as_bytes());
    line.push(b'\n');
    super::write(m, &line, true)?;
    Ok(0)
}

/// Writes to descriptor 1 or 2, the first argument; false if it is another one.
fn put_descriptor(m: M<'_, '_, '_>, c: &Invocation<'_>, bytes: &[u8]) -> Step<bool> {
    match c.integer(0) {
        number @ (1 | 2) => super::write(m, bytes, number == 2).map(|()| true),
        _ => errors::set(m, errors::EBADF).map(|()| false),
    }
}

fn write_descriptor(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let from = c.pointer(m, 1);
    let bytes = m.read_bytes(from, c.size(2))?;
    Ok(if put_descriptor(m, c, &bytes)? { bytes.len() as u128 } else { EOF })
}

// ---- input -----------------------------------------------------------------------------------------------------------------------

fn get_byte(m: M<'_, '_, '_>, c: &Invocation<'_>, index: Option<usize>) -> Step<u128> {
    let from = chosen(m, c, index, "stdin")?;
    Ok(stream::byte(m, from, c.span)?.map_or(EOF, u128::from))
}

fn ungetc(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let stream = stream::of(m, c, 1)?;
    let byte = c.scalar(0) as u8;
    Ok(if c.integer(0) != -1 && stream.unread(byte) { u128::from(byte) } else { EOF })
}

/// Bytes up to a separator, with it, at most so many; empty at the end.
fn line(m: M<'_, '_, '_>, from: Pointer, separator: u8, limit: usize, span: Span) -> Step<Vec<u8>> {
    let wanted = |rest: &[u8]| {
        let rest = &rest[..rest.len().min(limit)];
        rest.iter().position(|byte| *byte == separator).map(|at| at + 1).or((rest.len() == limit).then_some(limit))
    };
    stream::take(m, from, span, wanted)
}

fn gets(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (buffer, from) = (c.pointer(m, 0), stream::standard(m, "stdin")?);
    let mut bytes = line(m, from, b'\n', usize::MAX, c.span)?;
    if bytes.is_empty() {
        return Ok(0);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    write_string(m, buffer, &bytes)?;
    Ok(u128::from(buffer))
}

fn fgets(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (buffer, from) = (c.pointer(m, 0), c.pointer(m, 2));
    let Ok(limit) = usize::try_from(c.integer(1) - 1) else { return Ok(0) };
    let bytes = line(m, from, b'\n', limit, c.span)?;
    if bytes.is_empty() && limit > 0 {
        return Ok(0);
    }
    write_string(m, buffer, &bytes)?;
    Ok(u128::from(buffer))
}

fn get_line(m: M<'_, '_, '_>, c: &Invocation<'_>, separator: u8, index: usize) -> Step<u128> {
    let (place, size, from) = (c.pointer(m, 0), c.pointer(m, 1), c.pointer(m, index));
    let bytes = line(m, from, separator, usize::MAX, c.span)?;
    if bytes.is_empty() {
        return Ok(EOF);
    }
    let (old, needed) = (load_pointer(m, place)?, bytes.len() as u64 + 1);
    let room = if old == 0 { 0 } else { load_int(m, size, word(m))? as u64 };
    if room < needed {
        let new_room = needed.max(120).max(room.saturating_mul(2));
        let new = m.allocate(ObjectKind::Heap, new_room, false, c.span)?;
        if old != 0 {
            m.memory.end(split(old).0);
        }
        store_pointer(m, place, new)?;
        store_int(m, size, i128::from(new_room), word(m))?;
    }
    let buffer = load_pointer(m, place)?;
    write_string(m, buffer, &bytes)?;
    Ok(bytes.len() as u128)
}

/// At most so many bytes.
fn bytes(m: M<'_, '_, '_>, from: Pointer, limit: u64, span: Span) -> Step<Vec<u8>> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    stream::take(m, from, span, |rest| (rest.len() >= limit).then_some(limit))
}

fn fread(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (to, size, count, from) = (c.pointer(m, 0), c.size(1), c.size(2), c.pointer(m, 3));
    let taken = bytes(m, from, size.saturating_mul(count), c.span)?;
    m.write_bytes(to, &taken)?;
    Ok((taken.len() as u64).checked_div(size).unwrap_or(0).into())
}

fn read_descriptor(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    if c.integer(0) != 0 {
        errors::set(m, errors::EBADF)?;
        return Ok(EOF);
    }
    // Always as much as is wanted, because how much there is now would depend on the pieces in which the input comes.
    let (to, from) = (c.pointer(m, 1), stream::standard(m, "stdin")?);
    let taken = bytes(m, from, c.size(2), c.span)?;
    m.write_bytes(to, &taken)?;
    Ok(taken.len() as u128)
}

/// Formatted input from a stream: the standard one if the format is the first argument.
fn scan_stream(m: M<'_, '_, '_>, c: &Invocation<'_>, index: usize, list: bool) -> Step<u128> {
    let template = c.string(m, index)?;
    let from = chosen(m, c, index.checked_sub(1), "stdin")?;
    if !stream::readable(m, from, c.span)? {
        return Ok(EOF);
    }
    let mut arguments = if list { Arguments::list(m, c, index + 1)? } else { Arguments::rest(c, index + 1) };
    let scanned = scan(m, Text::Stream(from), &template, &mut arguments, c.span)?;
    arguments.finish(m);
    stream::advance(m, from, scanned.taken, scanned.ended, c.span)?;
    Ok(scanned.result as i128 as u128)
}

fn scan_string(m: M<'_, '_, '_>, c: &Invocation<'_>, list: bool) -> Step<u128> {
    let (input, template) = (c.string(m, 0)?, c.string(m, 1)?);
    let mut arguments = if list { Arguments::list(m, c, 2)? } else { Arguments::rest(c, 2) };
    let scanned = scan(m, Text::Bytes(&input), &template, &mut arguments, c.span)?;
    arguments.finish(m);
    Ok(scanned.result as i128 as u128)
}

// ---- files -----------------------------------------------------------------------------------------------------------------------

fn clearerr(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let stream = stream::of(m, c, 0)?;
    (stream.eof, stream.error) = (false, false);
    Ok(0)
}

fn fopen(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (name, mode) = (c.string(m, 0)?, c.string(m, 1)?);
    match stream::open(m, Some(&name), &mode)? {
        Some(stream) => Ok(u128::from(stream)),
        None => errors::set(m, errors::ENOENT).map(|()| 0),
    }
}

fn tmpfile(m: M<'_, '_, '_>, _: &Invocation<'_>) -> Step<u128> {
    Ok(stream::open(m, None, b"w+")?.map_or(0, u128::from))
}

fn fseek(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let stream = c.pointer(m, 0);
    if stream::seek(m, stream, c.integer(1), c.integer(2), c.span)? {
        return Ok(0);
    }
    errors::set(m, errors::EINVAL)?;
    Ok(EOF)
}

fn rewind(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let stream = c.pointer(m, 0);
    stream::seek(m, stream, 0, 0, c.span)?;
    stream::of(m, c, 0)?.error = false;
    Ok(0)
}

fn remove(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let name = c.string(m, 0)?;
    if stream::remove(m, &name) { Ok(0) } else { errors::set(m, errors::ENOENT).map(|()| EOF) }
}

fn rename(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let (from, to) = (c.string(m, 0)?, c.string(m, 1)?);
    if stream::rename(m, &from, &to) { Ok(0) } else { errors::set(m, errors::ENOENT).map(|()| EOF) }
}

fn fileno(m: M<'_, '_, '_>, c: &Invocation<'_>) -> Step<u128> {
    let stream = c.pointer(m, 0);
    match stream::descriptor(m, stream) {
        Some(number) => Ok(number as u128),
        None => Err(c.unsupported("of a file")),
    }
}

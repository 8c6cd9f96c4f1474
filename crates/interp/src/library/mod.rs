//! Functions of the C library and of verification tasks that have no body in the program.
//!
//! A function is one entry in the table of its header's file: its name and what it does to the machine. What the program passes is not
//! trusted: memory is only touched through the machine, which checks every access.

mod allocation;
mod arguments;
mod complex;
mod ctype;
mod decimal;
mod errors;
mod format;
mod math;
mod number;
mod primitive;
mod process;
mod random;
mod scan;
mod settled;
mod sort;
mod stdio;
mod stdlib;
mod stream;
mod string;
mod transcendental;
mod verifier;
mod wide;

use std::collections::BTreeMap;
use std::sync::OnceLock;

use model::{CheckKind, FloatFormat, FunctionId, Span, Type};
use rustc_hash::FxHashMap;

use crate::code::Shape;
use crate::fault::{End, Step};
use crate::machine::{Argument, Location, Machine, Target};
use crate::memory::{ObjectKind, Pointer};
use crate::object::Blob;

/// What the library remembers.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// Handlers of `atexit`, the last one first to run.
    pub at_exit: Vec<Pointer>,
    /// Whether destructors have run.
    pub destructors_ran: bool,
    /// How deep the interpreter's own calls are nested.
    pub nesting: usize,
    /// Streams and files.
    streams: stream::Streams,
    /// The object behind `errno`; 0 before its first use.
    errno: Pointer,
    /// Where `strtok` goes on.
    strtok: Pointer,
    /// The state of `rand` and the like.
    random: random::Random,
    /// The tables of <ctype.h>, by function.
    ctype: BTreeMap<&'static str, Pointer>,
    /// Constant strings that were handed out, by content.
    texts: BTreeMap<Vec<u8>, Pointer>,
}

impl State {
    /// A number that changes when something is read or drawn; it tells most states apart.
    pub(crate) fn progress(&self) -> u64 {
        self.streams.progress() ^ self.random.progress() << 32
    }
}

/// A call of a library function.
pub struct Invocation<'c> {
    /// Its name.
    pub name: &'c str,
    /// Its arguments.
    pub arguments: &'c [Argument],
    /// What its result is.
    pub result: Shape,
    /// Where its result goes, if anybody wants it.
    pub target: Option<Target>,
    /// Where it is called.
    pub span: Span,
}

impl Invocation<'_> {
    /// A scalar argument; 0 if it is missing, which a prototype rules out.
    pub fn scalar(&self, index: usize) -> u128 {
        match self.arguments.get(index) {
            Some(Argument::Scalar(value, _)) => *value,
            _ => 0,
        }
    }
    /// An argument that counts something.
    pub fn size(&self, index: usize) -> u64 {
        self.scalar(index) as u64
    }
    /// A pointer argument. An integer passed for it is an address.
    pub fn pointer(&self, machine: &Machine<'_, '_>, index: usize) -> Pointer {
        self.arguments.get(index).map_or(0, |argument| pointer_of(machine, argument))
    }
    /// An integer argument, sign-extended as its type says.
    pub fn integer(&self, index: usize) -> i128 {
        match self.arguments.get(index) {
            Some(Argument::Scalar(value, shape)) => shape.value(*value),
            _ => 0,
        }
    }
    /// A floating argument and its format.
    pub fn float(&self, index: usize) -> Step<(FloatFormat, u128)> {
        match self.arguments.get(index) {
            Some(Argument::Scalar(value, Shape::Float(format))) => Ok((*format, *value)),
            _ => Err(self.unsupported("with an argument that is no floating-point number")),
        }
    }
    /// The bytes of an argument that is a structure.
    pub fn record(&self, index: usize) -> &[u8] {
        match self.arguments.get(index) {
            Some(Argument::Aggregate(blob)) => &blob.bytes,
            _ => &[],
        }
    }
    /// A string argument.
    pub fn string(&self, machine: &mut Machine<'_, '_>, index: usize) -> Step<Vec<u8>> {
        let pointer = self.pointer(machine, index);
        string(machine, pointer)
    }
    /// Gives a structure as the result.
    pub fn give(&self, machine: &mut Machine<'_, '_>, bytes: Vec<u8>) -> Step<u128> {
        if let Some(Target { location: Location::Memory(pointer), shape: Shape::Aggregate, size }) = self.target
            && bytes.len() as u64 <= size
        {
            machine.put(pointer, &Blob { bytes, ..Blob::default() }, self.span)?;
        }
        Ok(0)
    }
    /// The end of a run that came to something that is not modelled.
    pub fn unsupported(&self, what: &str) -> Box<End> {
        let space = if what.is_empty() { "" } else { " " };
        Box::new(End::Unsupported(format!("`{}`{space}{what} is not modelled", self.name), self.span))
    }
}

/// What a library function does; its result as a bit pattern of its result type. A structure is given by [`Invocation::give`].
pub type Native = fn(&mut Machine<'_, '_>, &Invocation<'_>) -> Step<u128>;

/// A header: its functions by name.
type Header = &'static [(&'static str, Native)];

const HEADERS: &[Header] = &[
    allocation::FUNCTIONS,
    complex::FUNCTIONS,
    ctype::FUNCTIONS,
    errors::FUNCTIONS,
    primitive::FUNCTIONS,
    process::FUNCTIONS,
    random::FUNCTIONS,
    sort::FUNCTIONS,
    stdio::FUNCTIONS,
    stdlib::FUNCTIONS,
    string::FUNCTIONS,
    verifier::FUNCTIONS,
    wide::FUNCTIONS,
];

/// The implementation of a function.
pub fn find(name: &str) -> Option<Native> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    exact(plain).or_else(|| verifier::find(plain)).or_else(|| primitive::find(plain)).or_else(|| {
        let stem = plain.strip_prefix("__")?;
        if let Some(stem) = stem.strip_suffix("_chk") {
            return exact(stem).map(|_| fortified as Native);
        }
        let stem = stem.strip_prefix("isoc99_").or_else(|| stem.strip_prefix("isoc23_")).unwrap_or(stem);
        exact(stem)
    })
}

/// A function by its usual name, possibly without locking.
fn exact(name: &str) -> Option<Native> {
    static TABLE: OnceLock<FxHashMap<&'static str, Native>> = OnceLock::new();
    let table = TABLE.get_or_init(|| HEADERS.iter().flat_map(|header| header.iter().copied()).collect());
    table.get(name.strip_suffix("_unlocked").unwrap_or(name)).copied().or_else(|| math::find(name)).or_else(|| process::refused(name))
}

/// `__memcpy_chk` and the like: arguments that only say how much room there is are dropped, the machine knows better.
fn fortified(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let name = call.name.trim_start_matches("__builtin_").trim_start_matches('_').trim_end_matches("_chk");
    let count = call.arguments.len();
    let dropped = match name {
        "printf" | "vprintf" => 0..1,
        "fprintf" | "vfprintf" | "dprintf" | "vdprintf" | "asprintf" | "vasprintf" => 1..2,
        "sprintf" | "vsprintf" => 1..3,
        "snprintf" | "vsnprintf" => 2..4,
        "fgets" | "fread" | "read" => 1..2,
        _ => count.saturating_sub(1)..count,
    };
    let mut arguments = call.arguments.to_vec();
    if dropped.end <= count {
        arguments.drain(dropped);
    }
    match exact(name) {
        Some(native) => native(machine, &Invocation { name, arguments: &arguments, ..*call }),
        None => Err(call.unsupported("")),
    }
}

/// Calls a function that has no body.
pub fn call(machine: &mut Machine<'_, '_>, function: FunctionId, arguments: &[Argument], result: Option<Target>, span: Span) -> Step<()> {
    let program = machine.program;
    let name = &program.functions[function].name;
    let shape = match program.types.get(program.functions[function].ty) {
        Type::Function { ret, .. } => Shape::of(&program.types, *ret),
        _ => Shape::Aggregate,
    };
    if let Some(native) = machine.native(function) {
        let call = Invocation { name, arguments, result: shape, target: result, span };
        if machine.policy.is_exact() && !settled::is_settled(&call) {
            return Err(machine.left_open(&format!("what `{name}` does")));
        }
        let value = native(machine, &call)?;
        if machine.policy.is_exact() && !settled::settles_result(&call, value) {
            return Err(machine.left_open(&format!("what `{name}` gives")));
        }
        return match result {
            Some(target) if target.shape != Shape::Aggregate => machine.store(target, target.shape.cut(value), span),
            _ => Ok(()),
        };
    }
    if !machine.unknown_functions.contains(&function) {
        machine.unknown_functions.push(function);
    }
    match result {
        Some(target) if target.shape == Shape::Aggregate => machine.havoc(target, span),
        Some(target) => {
            let bits = target.shape.bits(program.types.target().pointer_bits());
            let value = machine.input(format!("result of {name}"), bits, span)?;
            let value = if target.shape == Shape::Pointer { u128::from(machine.memory.pointer(value as u64)) } else { value };
            machine.store(target, value, span)
        }
        None => Ok(()),
    }
}

/// Variables of the C library whose values are known.
const VARIABLES: [&str; 9] = ["stdin", "stdout", "stderr", "environ", "__environ", "optarg", "optind", "opterr", "optopt"];

/// Whether it is known what an object holds when the program starts: it is defined by the program or by the library.
pub fn defines(global: &model::Global) -> bool {
    global.init.is_some() || global.alias.is_some() || VARIABLES.contains(&global.name.as_str())
}

/// The value of a pointer variable that the library defines and the program only declares.
pub fn external_global(machine: &mut Machine<'_, '_>, name: &str) -> Step<Option<Pointer>> {
    Ok(Some(match name {
        "stdin" | "stdout" | "stderr" => stream::standard(machine, name)?,
        "environ" | "__environ" => machine.allocate(ObjectKind::Environment, 8, true, Span::NONE)?,
        "program_invocation_name" | "program_invocation_short_name" => {
            let name = process::program_name(machine)?;
            text(machine, &name)?
        }
        _ => return Ok(None),
    }))
}

/// At the end: heap objects that are not freed and files that are not closed.
pub fn check_leaks(machine: &mut Machine<'_, '_>) -> Step<()> {
    if machine.policy.of(CheckKind::Leak) == crate::Reaction::Ignore {
        return Ok(());
    }
    allocation::check_leaks(machine)?;
    stream::check_closed(machine)
}

/// Writes to standard output or standard error, within the budget.
pub fn write(machine: &mut Machine<'_, '_>, bytes: &[u8], to_error: bool) -> Step<()> {
    spend_output(machine, bytes.len() as u64)?;
    (machine.output)(bytes, to_error);
    Ok(())
}

/// Counts bytes that are written somewhere.
fn spend_output(machine: &mut Machine<'_, '_>, bytes: u64) -> Step<()> {
    machine.written = machine.written.saturating_add(bytes);
    if machine.written > machine.limits.output {
        let span = machine.span();
        return Err(Box::new(End::Budget(crate::Budget::Output, span)));
    }
    Ok(())
}

/// The target of a scalar in memory.
pub fn scalar_at(pointer: Pointer, shape: Shape, size: u64) -> Target {
    Target { location: Location::Memory(pointer), shape, size }
}

/// An argument as a pointer; an integer is an address.
fn pointer_of(machine: &Machine<'_, '_>, argument: &Argument) -> Pointer {
    match argument {
        Argument::Scalar(value, Shape::Pointer) => *value as u64,
        Argument::Scalar(value, _) => machine.memory.pointer(*value as u64),
        Argument::Aggregate(_) => 0,
    }
}

/// Stores an integer of this many bytes where a pointer leads.
fn store_int(machine: &mut Machine<'_, '_>, pointer: Pointer, value: i128, bytes: u64) -> Step<()> {
    let shape = Shape::Int(8 * bytes as u8, true);
    let span = machine.span();
    machine.store(scalar_at(pointer, shape, bytes), shape.cut(value as u128), span)
}

/// Loads an integer of this many bytes from where a pointer leads.
fn load_int(machine: &mut Machine<'_, '_>, pointer: Pointer, bytes: u64) -> Step<i128> {
    let shape = Shape::Int(8 * bytes as u8, true);
    let span = machine.span();
    Ok(shape.value(machine.load(scalar_at(pointer, shape, bytes), span)?))
}

/// The size of a pointer and of `long`.
fn word(machine: &Machine<'_, '_>) -> u64 {
    machine.program.types.target().pointer_bytes()
}

/// Stores a pointer where another leads.
fn store_pointer(machine: &mut Machine<'_, '_>, at: Pointer, value: Pointer) -> Step<()> {
    let (size, span) = (word(machine), machine.span());
    machine.store(scalar_at(at, Shape::Pointer, size), u128::from(value), span)
}

/// Loads a pointer from where another leads.
fn load_pointer(machine: &mut Machine<'_, '_>, at: Pointer) -> Step<Pointer> {
    let (size, span) = (word(machine), machine.span());
    Ok(machine.load(scalar_at(at, Shape::Pointer, size), span)? as u64)
}

/// A string up to its zero byte, which is not part of the result.
fn string(machine: &mut Machine<'_, '_>, pointer: Pointer) -> Step<Vec<u8>> {
    string_up_to(machine, pointer, u64::MAX)
}

/// A string up to its zero byte or to so many bytes. Bytes behind are not touched.
fn string_up_to(machine: &mut Machine<'_, '_>, pointer: Pointer, limit: u64) -> Step<Vec<u8>> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < limit {
        let at = pointer.wrapping_add(bytes.len() as u64);
        let run = known_run(machine, at, limit - bytes.len() as u64);
        match run.iter().position(|byte| *byte == 0) {
            Some(end) => {
                bytes.extend_from_slice(&run[..end]);
                return Ok(bytes);
            }
            None if run.is_empty() => match machine.read_byte(at)? {
                0 => return Ok(bytes),
                byte => bytes.push(byte),
            },
            None => bytes.extend_from_slice(run),
        }
    }
    Ok(bytes)
}

/// The bytes with values from here on, at most so many; empty if there is none, and reading it says why.
fn known_run<'m>(machine: &'m Machine<'_, '_>, pointer: Pointer, limit: u64) -> &'m [u8] {
    let Ok((object, offset)) = machine.memory.locate(pointer, 1) else { return &[] };
    // Then each is looked at on its own.
    if machine.policy.is_exact() && !object.pointers.is_empty() {
        return &[];
    }
    let end = object.bytes.len().min(offset.saturating_add(usize::try_from(limit).unwrap_or(usize::MAX)));
    let known = match object.known.get(offset..end) {
        Some(known) => known.iter().take_while(|mask| **mask == 0xff).count(),
        None => end - offset,
    };
    &object.bytes[offset..offset + known]
}

/// Copies a string with its zero byte to memory.
fn write_string(machine: &mut Machine<'_, '_>, pointer: Pointer, text: &[u8]) -> Step<()> {
    machine.write_bytes(pointer, &[text, b"\0"].concat())
}

/// A constant string of the library; the same object for the same text.
fn text(machine: &mut Machine<'_, '_>, content: &[u8]) -> Step<Pointer> {
    if let Some(pointer) = machine.library.texts.get(content) {
        return Ok(*pointer);
    }
    let pointer = machine.allocate(ObjectKind::Environment, content.len() as u64 + 1, true, Span::NONE)?;
    machine.write_bytes(pointer, content)?;
    machine.library.texts.insert(content.to_vec(), pointer);
    Ok(pointer)
}

/// A new heap object with a copy of a string.
fn duplicate(machine: &mut Machine<'_, '_>, content: &[u8], span: Span) -> Step<Pointer> {
    let pointer = machine.allocate(ObjectKind::Heap, content.len() as u64 + 1, true, span)?;
    machine.write_bytes(pointer, content)?;
    Ok(pointer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_defined_twice() {
        let mut names: Vec<&str> = HEADERS.iter().flat_map(|header| header.iter().map(|(name, _)| *name)).collect();
        names.sort_unstable();
        let twice: Vec<&[&str]> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn names_are_found_in_all_their_forms() {
        for name in ["printf", "__builtin_printf", "__printf_chk", "__isoc99_sscanf", "__isoc23_strtol", "getc_unlocked", "sqrtf", "floorl"]
        {
            assert!(find(name).is_some(), "{name}");
        }
        for name in ["__isnan", "__signbitf", "__fpclassifyl", "modf", "modff", "__VERIFIER_nondet_int"] {
            assert!(find(name).is_some(), "{name}");
        }
        assert!(find("no_such_function").is_none());
    }
}

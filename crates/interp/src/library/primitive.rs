//! The primitives from which library functions written in C are built. Their preconditions are asserted by those functions; here they are
//! still not trusted: memory is only touched through the machine, which checks every access.

use model::{CheckKind, Query, Span};

use super::{Header, Invocation, Native, allocation, known_run, stream, string, verifier};
use crate::fault::{Fault, Step};
use crate::machine::Machine;
use crate::memory::ObjectKind;

type M<'a, 'p, 'i> = &'a mut Machine<'p, 'i>;

pub(super) const FUNCTIONS: Header = &[
    ("__loopfrog_allocate", allocate),
    ("__loopfrog_free", allocation::free),
    ("__loopfrog_copy", |m, c| string::relocate(m, c, 0, 1)),
    ("__loopfrog_fill", |m, c| string::fill(m, c, c.scalar(1) as u8, c.size(2))),
    ("__loopfrog_clear", |m, c| string::fill(m, c, 0, c.size(1))),
    ("__loopfrog_find", find_byte),
    ("__loopfrog_havoc", verifier::nondet_memory),
    ("__loopfrog_stdin", next_input),
    ("__loopfrog_assert", assert),
    ("__loopfrog_size", |m, c| query(m, c, Query::ObjectSize)),
    ("__loopfrog_offset", |m, c| query(m, c, Query::Offset)),
    ("__loopfrog_is_null", |m, c| query(m, c, Query::IsNull)),
    ("__loopfrog_alive", |m, c| query(m, c, Query::Alive)),
    ("__loopfrog_heap", |m, c| query(m, c, Query::Heap)),
    ("__loopfrog_writable", |m, c| query(m, c, Query::Writable)),
    ("__loopfrog_same_object", same_object),
];

/// `__loopfrog_nondet_T` for every T: a choice of the library, but one that a replay has to repeat like any input.
pub(super) fn find(name: &str) -> Option<Native> {
    name.starts_with("__loopfrog_nondet_").then_some(verifier::nondet as Native)
}

/// Where the function that contains a call was called, or the call itself if that is the first function; and how many calls are inside.
/// Models of the library that call each other are not charged: whoever called the first of them is.
fn charged(machine: &Machine<'_, '_>, call: &Invocation<'_>) -> (Span, usize) {
    match machine.frames.last() {
        Some(frame) if !frame.call.is_none() => machine.outside_library(frame.call, 1),
        _ => (call.span, 0),
    }
}

/// The next byte of the standard input, or -1 at its end.
fn next_input(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let input = stream::standard(machine, "stdin")?;
    Ok(stream::byte(machine, input, call.span)?.map_or(u128::MAX, u128::from))
}

/// A new object, without values, that was made where the library was called.
fn allocate(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (span, _) = charged(machine, call);
    machine.allocate(ObjectKind::Heap, call.size(0), false, span).map(u128::from)
}

/// The index of the first byte of a value, or the limit.
fn find_byte(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (start, wanted, limit) = (call.pointer(machine, 0), call.scalar(1) as u8, call.size(2));
    let mut index = 0;
    while index < limit {
        let at = start.wrapping_add(index);
        let run = known_run(machine, at, limit - index);
        match run.iter().position(|byte| *byte == wanted) {
            Some(offset) => return Ok((index + offset as u64).into()),
            None if !run.is_empty() => index += run.len() as u64,
            None if machine.read_byte(at)? == wanted => return Ok(index.into()),
            None => index += 1,
        }
    }
    Ok(limit.into())
}

/// A condition that the caller of the library has to see to; the text is `kind: message`.
fn assert(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    if call.scalar(0) != 0 {
        return Ok(0);
    }
    let text = call.string(machine, 1)?;
    let text = String::from_utf8_lossy(&text);
    let (name, message) = text.split_once(':').unwrap_or((&text, ""));
    let Some(kind) = CheckKind::ALL.into_iter().find(|kind| kind.name() == name.trim()) else {
        return Err(call.unsupported("of a kind that there is not"));
    };
    let (span, inside) = charged(machine, call);
    let stack = machine.stack().into_iter().skip(inside).collect();
    let fault = Fault { kind, message: message.trim().to_string(), span, stack };
    machine.raise(machine.policy.of_assertion(kind), fault).map(|()| 0)
}

fn query(machine: M<'_, '_, '_>, call: &Invocation<'_>, query: Query) -> Step<u128> {
    let pointer = call.pointer(machine, 0);
    Ok(machine.memory.answer(query, pointer))
}

fn same_object(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (a, b) = (call.pointer(machine, 0), call.pointer(machine, 1));
    Ok(u128::from(machine.memory.owner(a) == machine.memory.owner(b)))
}

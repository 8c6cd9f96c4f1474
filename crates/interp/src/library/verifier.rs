//! The functions of verification tasks: inputs, assumptions, errors.

use model::CheckKind;

use super::{Header, Invocation, Native, process, string, write};
use crate::code::Shape;
use crate::fault::{End, Step};
use crate::machine::Machine;

pub(super) const FUNCTIONS: Header = &[
    ("__VERIFIER_assume", assume),
    ("__CPROVER_assume", assume),
    // Called without `<assert.h>`: what is meant is clear.
    ("assert", assert),
    ("__VERIFIER_assert", assert),
    ("__CPROVER_assert", assert),
    ("__CPROVER_precondition", assert),
    ("__CPROVER_postcondition", assert),
    ("__VERIFIER_error", error),
    ("reach_error", error),
    ("__assert_fail", assert_fail),
    ("__assert", assert_fail),
    ("__assert_perror_fail", process::refuse),
    ("__VERIFIER_nondet_memory", nondet_memory),
    ("__VERIFIER_atomic_begin", nothing),
    ("__VERIFIER_atomic_end", nothing),
    ("__CPROVER_atomic_begin", nothing),
    ("__CPROVER_atomic_end", nothing),
    ("__CPROVER_input", nothing),
    ("__CPROVER_output", nothing),
    ("__CPROVER_cover", nothing),
];

/// `__VERIFIER_nondet_T` for every T.
pub(super) fn find(name: &str) -> Option<Native> {
    (name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_")).then_some(nondet as Native)
}

pub(super) fn nondet(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let bits = call.result.bits(machine.program.types.target().pointer_bits());
    let value = machine.input(call.name, bits, call.span)?;
    Ok(if call.result == Shape::Pointer { u128::from(machine.memory.pointer(value as u64)) } else { value })
}

pub(super) fn nondet_memory(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (pointer, size) = (call.pointer(machine, 0), call.scalar(1) as u64);
    for offset in 0..size {
        let byte = machine.input(call.name, 8, call.span)?;
        machine.write_bytes(pointer.wrapping_add(offset), &[byte as u8])?;
    }
    Ok(0)
}

fn assume(_: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    if call.scalar(0) == 0 { Err(Box::new(End::Assumption(call.span))) } else { Ok(0) }
}

fn assert(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    if call.scalar(0) == 0 {
        machine.fault(CheckKind::Assertion, call.span, "the assertion does not hold")?;
    }
    Ok(0)
}

/// A place that must not be reached.
fn error(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    machine.fault(CheckKind::Assertion, call.span, format!("`{}` is called", call.name))?;
    Err(Box::new(End::Abort))
}

/// Nothing: what these mark matters only to threads or to other tools.
fn nothing(_: &mut Machine<'_, '_>, _: &Invocation<'_>) -> Step<u128> {
    Ok(0)
}

/// What `assert` of <assert.h> calls when its condition is false.
fn assert_fail(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (condition, file) = (call.string(machine, 0)?, call.string(machine, 1)?);
    let function = call.pointer(machine, 3);
    let mut line = process::program_name(machine)?;
    line.extend_from_slice(b": ");
    line.extend_from_slice(&file);
    line.extend_from_slice(format!(":{}: ", call.scalar(2) as u32).as_bytes());
    if function != 0 {
        line.extend(string(machine, function)?);
        line.extend_from_slice(b": ");
    }
    line.extend_from_slice(&[b"Assertion `", condition.as_slice(), b"' failed.\n"].concat());
    write(machine, &line, true)?;
    machine.fault(CheckKind::Assertion, call.span, format!("the assertion `{}` does not hold", String::from_utf8_lossy(&condition)))?;
    Err(Box::new(End::Abort))
}

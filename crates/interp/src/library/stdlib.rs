//! <stdlib.h> without allocation, sorting, random numbers and the end of the program: numbers from text, division.

use model::{CheckKind, FloatFormat};

use super::{Header, Invocation, errors, number, store_pointer, word};
use crate::code::Shape;
use crate::fault::Step;
use crate::machine::Machine;

pub(super) const FUNCTIONS: Header = &[
    ("atoi", |m, c| Ok(number::integer(&c.string(m, 0)?, 10).fit(64, true).0 as i32 as i128 as u128)),
    ("atol", |m, c| from_text(m, c, 10, true)),
    ("atoll", |m, c| from_text(m, c, 10, true)),
    ("strtol", |m, c| integer(m, c, true)),
    ("strtoll", |m, c| integer(m, c, true)),
    ("strtoq", |m, c| integer(m, c, true)),
    ("strtoimax", |m, c| integer(m, c, true)),
    ("strtoul", |m, c| integer(m, c, false)),
    ("strtoull", |m, c| integer(m, c, false)),
    ("strtouq", |m, c| integer(m, c, false)),
    ("strtoumax", |m, c| integer(m, c, false)),
    ("atof", |m, c| Ok(number::float(&c.string(m, 0)?, FloatFormat::F64).pattern)),
    ("strtod", |m, c| float(m, c, FloatFormat::F64)),
    ("strtof", |m, c| float(m, c, FloatFormat::F32)),
    ("strtold", |m, c| float(m, c, FloatFormat::X87)),
    ("abs", absolute),
    ("labs", absolute),
    ("llabs", absolute),
    ("imaxabs", absolute),
    ("div", divide),
    ("ldiv", divide),
    ("lldiv", divide),
    ("imaxdiv", divide),
];

/// The result's width, for functions whose name does not fix it.
fn bits(machine: &Machine<'_, '_>, call: &Invocation<'_>) -> u32 {
    match call.result {
        Shape::Int(bits, _) => u32::from(bits),
        _ => 8 * word(machine) as u32,
    }
}

fn from_text(machine: &mut Machine<'_, '_>, call: &Invocation<'_>, base: u32, signed: bool) -> Step<u128> {
    let text = call.string(machine, 0)?;
    Ok(number::integer(&text, base).fit(bits(machine, call), signed).0 as u128)
}

fn integer(machine: &mut Machine<'_, '_>, call: &Invocation<'_>, signed: bool) -> Step<u128> {
    let base = call.integer(2);
    if base != 0 && !(2..=36).contains(&base) {
        errors::set(machine, errors::EINVAL)?;
        return Ok(0);
    }
    let text = call.string(machine, 0)?;
    let found = number::integer(&text, base as u32);
    end(machine, call, found.end)?;
    let (value, too_large) = found.fit(bits(machine, call), signed);
    if too_large {
        errors::set(machine, errors::ERANGE)?;
    }
    Ok(value as u128)
}

fn float(machine: &mut Machine<'_, '_>, call: &Invocation<'_>, format: FloatFormat) -> Step<u128> {
    let text = call.string(machine, 0)?;
    let found = number::float(&text, format);
    end(machine, call, found.end)?;
    if found.out_of_range {
        errors::set(machine, errors::ERANGE)?;
    }
    Ok(found.pattern)
}

/// Says where the number ended, if the program wants to know.
fn end(machine: &mut Machine<'_, '_>, call: &Invocation<'_>, length: usize) -> Step<()> {
    let (start, place) = (call.pointer(machine, 0), call.pointer(machine, 1));
    if place == 0 { Ok(()) } else { store_pointer(machine, place, start.wrapping_add(length as u64)) }
}

fn absolute(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let value = call.integer(0);
    let bits = bits(machine, call);
    if value == -(1i128 << (bits - 1)) {
        machine.fault(CheckKind::SignedOverflow, call.span, format!("-({value}) does not fit in {bits} bits"))?;
    }
    Ok(value.wrapping_abs() as u128)
}

/// Quotient and remainder in one structure.
fn divide(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (a, b) = (call.integer(0), call.integer(1));
    let size = call.target.map_or(2 * word(machine), |target| target.size) as usize / 2;
    let (Some(quotient), Some(remainder)) = (a.checked_div(b), a.checked_rem(b)) else {
        return Err(machine.fatal(CheckKind::Division, call.span, format!("{a} / {b}")));
    };
    if quotient >> (8 * size.clamp(1, 8) - 1) > 0 {
        machine.fault(CheckKind::SignedOverflow, call.span, format!("{a} / {b} does not fit in {} bits", 8 * size))?;
    }
    let mut bytes = quotient.to_le_bytes()[..size.min(16)].to_vec();
    bytes.extend_from_slice(&remainder.to_le_bytes()[..size.min(16)]);
    call.give(machine, bytes)
}

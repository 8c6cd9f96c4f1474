//! `malloc` and its family.

use std::collections::BTreeSet;

use model::{CheckKind, Span};

use super::{Header, Invocation, errors, store_pointer};
use crate::fault::Step;
use crate::machine::Machine;
use crate::memory::{AccessError, ObjectKind, Pointer, split};

pub(super) const FUNCTIONS: Header = &[
    ("malloc", |m, c| allocate(m, c, Some(c.size(0)), false)),
    ("valloc", |m, c| allocate(m, c, Some(c.size(0)), false)),
    ("calloc", |m, c| allocate(m, c, c.size(0).checked_mul(c.size(1)), true)),
    ("aligned_alloc", |m, c| allocate(m, c, Some(c.size(1)), false)),
    ("memalign", |m, c| allocate(m, c, Some(c.size(1)), false)),
    ("posix_memalign", posix_memalign),
    ("realloc", |m, c| reallocate(m, c, Some(c.size(1)))),
    ("reallocarray", |m, c| reallocate(m, c, c.size(1).checked_mul(c.size(2)))),
    ("free", free),
    ("cfree", free),
    ("malloc_usable_size", usable_size),
];

/// The bytes of the largest object that there is memory for, where pointers have more than 32 bits: what the encoding of pointers has room for.
const LARGEST: u64 = (1 << 39) - 1;

/// A new object. It fails only for sizes that no memory holds; the budget ends the run before a real memory would be full.
fn allocate(machine: &mut Machine<'_, '_>, call: &Invocation<'_>, size: Option<u64>, known: bool) -> Step<u128> {
    let largest = LARGEST.min(i64::MAX as u64 >> (64 - machine.program.types.target().pointer_bits()));
    match size.filter(|size| *size <= largest) {
        Some(size) => Ok(u128::from(machine.allocate(ObjectKind::Heap, size, known, call.span)?)),
        None => errors::set(machine, errors::ENOMEM).map(|()| 0),
    }
}

fn posix_memalign(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (place, pointer) = (call.pointer(machine, 0), allocate(machine, call, Some(call.size(2)), false)?);
    if pointer == 0 {
        return Ok(errors::ENOMEM as u128);
    }
    store_pointer(machine, place, pointer as u64)?;
    Ok(0)
}

fn reallocate(machine: &mut Machine<'_, '_>, call: &Invocation<'_>, size: Option<u64>) -> Step<u128> {
    let old = call.pointer(machine, 0);
    if old != 0 && size == Some(0) {
        return free(machine, call);
    }
    let before = if old == 0 { 0 } else { heap_object(machine, old, call)? };
    let new = allocate(machine, call, size, false)?;
    if old != 0 && new != 0 {
        let content = machine.get(old, before.min(size.unwrap_or(0)), call.span)?;
        machine.put(new as u64, &content, call.span)?;
        machine.memory.end(split(old).0);
    }
    Ok(new)
}

fn usable_size(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    match call.pointer(machine, 0) {
        0 => Ok(0),
        pointer => heap_object(machine, pointer, call).map(u128::from),
    }
}

pub(super) fn free(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let pointer = call.pointer(machine, 0);
    if pointer != 0 {
        heap_object(machine, pointer, call)?;
        machine.memory.end(split(pointer).0);
    }
    Ok(0)
}

/// The size of the heap object whose start this is; anything else may not be freed.
fn heap_object(machine: &mut Machine<'_, '_>, pointer: Pointer, call: &Invocation<'_>) -> Step<u64> {
    let message = match machine.memory.locate(pointer, 0) {
        Ok((object, 0)) if object.kind == ObjectKind::Heap => return Ok(object.bytes.len() as u64),
        Ok((object, _)) if object.kind == ObjectKind::Heap => "a pointer into the middle of an object is freed",
        Err(AccessError::Dead(Some(ObjectKind::Heap) | None)) => "memory is freed twice",
        _ => "something that did not come from malloc is freed",
    };
    Err(machine.fatal(CheckKind::Free, call.span, message))
}

/// Every heap object that is still alive leaks: first those that nothing leads to any more. The place is where the program ends, because
/// that is the first one where it is too late.
pub(super) fn check_leaks(machine: &mut Machine<'_, '_>) -> Step<()> {
    let lost = lost_objects(machine);
    let heap = machine.memory.objects().filter(|(_, object)| object.kind == ObjectKind::Heap);
    let (lost, kept): (Vec<_>, Vec<_>) = heap.map(|(number, object)| (number, object.span)).partition(|(number, _)| lost.contains(number));
    for (objects, rest) in [(lost, "nothing leads to it any more"), (kept, "something still leads to it")] {
        for (_, allocated) in objects {
            let file = machine.program.files.get(allocated.file).map_or("?", String::as_str);
            let message = format!("memory from {file}:{}:{} is not freed at the end; {rest}", allocated.line, allocated.column);
            machine.fault(CheckKind::Leak, Span::NONE, message)?;
        }
    }
    Ok(())
}

/// Heap objects that no pointer in memory leads to, directly or through others.
fn lost_objects(machine: &Machine<'_, '_>) -> BTreeSet<u32> {
    let mut reached: BTreeSet<u32> = BTreeSet::new();
    let mut pending: Vec<u32> = Vec::new();
    for (number, object) in machine.memory.objects() {
        if object.kind != ObjectKind::Heap {
            reached.insert(number);
            pending.push(number);
        }
    }
    while let Some(number) = pending.pop() {
        let Some(object) = machine.memory.object(number) else { continue };
        let word = machine.program.types.target().pointer_bytes() as usize;
        for offset in (0..object.bytes.len().saturating_sub(word - 1)).step_by(word) {
            let (value, _) = object.read(offset, word);
            let noted = object.pointers.get(&(offset as u32)).copied();
            let target = split(noted.unwrap_or_else(|| machine.memory.pointer(value as u64))).0;
            if machine.memory.object(target).is_some() && reached.insert(target) {
                pending.push(target);
            }
        }
    }
    machine
        .memory
        .objects()
        .filter(|(number, object)| object.kind == ObjectKind::Heap && !reached.contains(number))
        .map(|(number, _)| number)
        .collect()
}

//! `malloc` and its family.

use model::CheckKind;

use super::{Header, Invocation};
use crate::fault::{End, Step};
use crate::machine::Machine;
use crate::memory::{AccessError, ObjectKind, Pointer, split};

pub(super) const FUNCTIONS: Header = &[
    ("malloc", malloc),
    ("calloc", calloc),
    ("realloc", realloc),
    ("free", free),
    ("exit", exit),
    ("_exit", quick_exit),
    ("_Exit", quick_exit),
    ("quick_exit", quick_exit),
    ("abort", abort),
    ("atexit", at_exit),
];

fn malloc(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let pointer = machine.allocate(ObjectKind::Heap, call.scalar(0) as u64, false, call.span)?;
    Ok(u128::from(pointer))
}

fn calloc(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let Some(size) = (call.scalar(0) as u64).checked_mul(call.scalar(1) as u64) else { return Ok(0) };
    Ok(u128::from(machine.allocate(ObjectKind::Heap, size, true, call.span)?))
}

fn realloc(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (old, size) = (call.pointer(machine, 0), call.scalar(1) as u64);
    let new = machine.allocate(ObjectKind::Heap, size, false, call.span)?;
    if old != 0 {
        let length = heap_object(machine, old, call)?.min(size);
        let content = machine.get(old, length, call.span)?;
        machine.put(new, &content, call.span)?;
        machine.memory.end(split(old).0);
    }
    Ok(u128::from(new))
}

fn free(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
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

fn exit(_: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    Err(Box::new(End::Exit(call.scalar(0) as i32)))
}

/// Ends the program without running handlers.
fn quick_exit(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    machine.library.at_exit.clear();
    machine.library.destructors_ran = true;
    Err(Box::new(End::Exit(call.scalar(0) as i32)))
}

fn abort(_: &mut Machine<'_, '_>, _: &Invocation<'_>) -> Step<u128> {
    Err(Box::new(End::Abort))
}

fn at_exit(machine: &mut Machine<'_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let handler = call.pointer(machine, 0);
    machine.library.at_exit.push(handler);
    Ok(0)
}

/// Heap objects that no pointer in memory leads to, directly or through others, are lost.
pub(super) fn check_leaks(machine: &mut Machine<'_, '_>) -> Step<()> {
    let lost = lost_objects(machine);
    for number in lost {
        if let Some(span) = machine.memory.object(number).map(|object| object.span) {
            machine.fault(CheckKind::Leak, span, "memory from here is never freed and nothing leads to it any more")?;
        }
    }
    Ok(())
}

fn lost_objects(machine: &Machine<'_, '_>) -> Vec<u32> {
    let mut reached: std::collections::BTreeSet<u32> = std::collections::BTreeSet::new();
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
    machine.memory.objects().filter(|(number, object)| object.kind == ObjectKind::Heap && !reached.contains(number)).map(|(number, _)| number).collect()
}

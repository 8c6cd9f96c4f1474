//! Rules of objects with static storage and of their contents.

use super::types::is_object;
use super::{Check, Labels, check_span, check_type, ensure};
use crate::graph::BlockId;
use crate::program::{Address, Chunk, FunctionId, Global, Init, Program, Relocation};

pub(super) fn check_global(program: &Program, labels: &Labels, global: &Global) -> Result<(), String> {
    check_span(program, global.span)?;
    check_type(&program.types, global.ty)?;
    if let Some(init) = &global.init {
        ensure(is_object(&program.types, global.ty), "a defined object has no size")?;
        let size = init.size.or_else(|| program.types.size_of(global.ty));
        check_init(program, labels, init, size.unwrap_or(u64::MAX))?;
    }
    Ok(())
}

/// Chunks and relocations, merged by offset, must neither overlap nor reach beyond the end.
fn check_init(program: &Program, labels: &Labels, init: &Init, size: u64) -> Check {
    let mut chunks = init.chunks.iter().peekable();
    let mut relocations = init.relocations.iter().peekable();
    let mut end = 0;
    loop {
        let comes_first = |chunk: &&Chunk, other: Option<&&Relocation>| other.is_none_or(|other| chunk.offset <= other.offset);
        let (offset, length) = if let Some(chunk) = chunks.next_if(|chunk| comes_first(chunk, relocations.peek())) {
            ensure(!chunk.bytes.is_empty(), "a stretch of its content is empty")?;
            (chunk.offset, chunk.bytes.len() as u64)
        } else if let Some(relocation) = relocations.next() {
            check_relocation(program, labels, relocation)?;
            (relocation.offset, u64::from(relocation.bytes))
        } else {
            return Ok(());
        };
        ensure(offset >= end, "its content overlaps or is out of order")?;
        end = offset.checked_add(length).filter(|end| *end <= size).ok_or("its content reaches beyond its end")?;
    }
}

fn check_relocation(program: &Program, labels: &Labels, relocation: &Relocation) -> Check {
    ensure(matches!(relocation.bytes, 4 | 8), "an address in it has neither 4 nor 8 bytes")?;
    match relocation.target {
        Address::Global(global) => ensure(program.globals.get(global).is_some(), "it holds the address of an object that does not exist"),
        Address::Function(function) => {
            ensure(program.functions.get(function).is_some(), "it holds the address of a function that does not exist")
        }
        Address::Label(function, label) => check_label(labels, function, label),
        Address::LabelDifference(function, first, second) => {
            check_label(labels, function, first)?;
            check_label(labels, function, second)
        }
    }
}

fn check_label(labels: &Labels, function: FunctionId, label: BlockId) -> Check {
    ensure(labels.contains(&(function, label)), "it holds the address of a label that its function does not list as taken")
}

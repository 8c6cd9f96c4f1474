//! A model of its own for each call.

use model::{Callee, CommandKind, FunctionId, Linkage, Program};

/// At most so many copies are made; calls beyond them share.
const MOST_COPIES: usize = 4000;

/// Gives each call of a library model a copy of the model, and so on inside it.
///
/// Contract: a run of the result does what a run of the program did. Analyses that do not tell the callers of a function apart no longer mix what
/// different calls of `strcpy` or `memset` are given, so that memory which has nothing to do with each other stays apart.
pub fn separate(program: &mut Program) {
    let mut copies = 0;
    let mut next = 0;
    // Copies come behind the functions that there are and are visited too. Models do not call themselves, so this ends; the limit makes sure.
    while next < program.functions.len() {
        let function = FunctionId::new(next as u32);
        next += 1;
        for (block, command, callee) in library_calls(program, function) {
            if copies >= MOST_COPIES {
                return;
            }
            let mut copy = program.functions[callee].clone();
            copy.linkage = Linkage::Internal;
            let copy = program.functions.push(copy);
            copies += 1;
            if let Some(body) = &mut program.functions[function].body
                && let CommandKind::Call { callee, .. } = &mut body.blocks[block].commands[command].kind
            {
                *callee = Callee::Direct(copy);
            }
        }
    }
}

/// The calls of library models in a function. Models that nobody calls any more are left as they are.
fn library_calls(program: &Program, function: FunctionId) -> Vec<(model::BlockId, usize, FunctionId)> {
    let Some(body) = &program.functions[function].body else { return Vec::new() };
    let mut calls = Vec::new();
    for (block, data) in body.blocks.enumerate() {
        for (position, command) in data.commands.iter().enumerate() {
            if let CommandKind::Call { callee: Callee::Direct(callee), .. } = command.kind
                && callee != function
                && is_model(program, callee)
            {
                calls.push((block, position, callee));
            }
        }
    }
    calls
}

fn is_model(program: &Program, function: FunctionId) -> bool {
    program.functions[function].body.as_ref().is_some_and(|body| program.is_library(body.end))
}

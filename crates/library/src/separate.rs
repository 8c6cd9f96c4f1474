//! A model of its own for each call.

use model::{Body, Callee, CommandKind, ExprKind, FunctionId, Linkage, LocalId, PlaceKind, Program, TypeId};

/// At most so many copies are made; calls beyond them share.
const MOST_COPIES: usize = 4000;

/// Gives each call of a library model a copy of the model, and so on inside it.
///
/// Contract: a run of the result does what a run of the program did. Analyses that do not tell the callers of a function apart no longer mix what
/// different calls of `strcpy` or `memset` are given, so that memory which has nothing to do with each other stays apart. Numbers that stand in a call
/// stand in its copy, too.
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
            let numbers = numbers(program, function, (block, command));
            let mut copy = program.functions[callee].clone();
            copy.linkage = Linkage::Internal;
            if let Some(body) = &mut copy.body {
                numbers.into_iter().for_each(|(parameter, number, ty)| fix(body, parameter, number, ty));
            }
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

/// The arguments of a call that are constants, with their types.
fn numbers(program: &Program, function: FunctionId, (block, command): (model::BlockId, usize)) -> Vec<(LocalId, u128, TypeId)> {
    let Some(body) = &program.functions[function].body else { return Vec::new() };
    let CommandKind::Call { args, .. } = &body.blocks[block].commands[command].kind else { return Vec::new() };
    let number = |(position, arg): (usize, &model::ExprId)| match body.exprs[*arg].kind {
        ExprKind::Int(number) => Some((LocalId::new(position as u32), number, body.exprs[*arg].ty)),
        _ => None,
    };
    args.iter().enumerate().filter_map(number).collect()
}

/// A parameter that a body only reads is a number.
fn fix(body: &mut Body, parameter: LocalId, number: u128, ty: TypeId) {
    let is_parameter = |place: model::PlaceId| body.places[place].kind == PlaceKind::Local(parameter);
    if parameter.raw() >= body.params || body.locals[parameter].ty != ty {
        return;
    }
    let is_read = |kind: &ExprKind| matches!(*kind, ExprKind::Load(place) if is_parameter(place));
    let otherwise = |kind: &ExprKind| kind.place().is_some_and(is_parameter) && !is_read(kind);
    let mut commands = body.blocks.iter().flat_map(|block| &block.commands);
    let is_part = body.places.iter().any(|place| place.kind.base().is_some_and(is_parameter));
    if is_part
        || commands.any(|command| command.kind.place().is_some_and(is_parameter))
        || body.exprs.iter().any(|expr| otherwise(&expr.kind))
    {
        return;
    }
    let reads: Vec<model::ExprId> = body.exprs.enumerate().filter(|(_, expr)| is_read(&expr.kind)).map(|(id, _)| id).collect();
    for read in reads {
        body.exprs[read].kind = ExprKind::Int(number);
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

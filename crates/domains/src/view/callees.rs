//! What the functions that a loop calls do to global variables.

use encode::Head;
use model::{BlockId, Body, CommandKind, FunctionId, PlaceKind};
use pointers::Site;

use super::Origin;
use super::comparison::compare;
use super::mine::Miner;
use super::reader::Reader;

/// So many expressions of called functions are looked at.
const EXPRESSIONS: usize = 20_000;

/// Adds the updates of globals in called functions, and the constants that globals are compared with there.
pub fn mine(miner: &mut Miner<'_, '_>) {
    let head = miner.head;
    let globals = head.written.iter().any(|cell| matches!(cell.object, pointers::Object::Global(_)));
    if !globals {
        return;
    }
    for function in called(head) {
        let Some(body) = head.program.functions[function].body.as_ref() else { continue };
        let blocks: Vec<BlockId> = body.blocks.ids().collect();
        let reader = Reader::of_blocks(head.program, body, &blocks, None);
        updates(miner, &reader);
        for expr in body.exprs.ids() {
            if let Some((sum, _)) = compare(&reader, expr) {
                miner.compared(&sum, Origin::Loop);
            }
        }
    }
}

fn updates(miner: &mut Miner<'_, '_>, reader: &Reader<'_>) {
    for command in reader.body.blocks.iter().flat_map(|block| &block.commands) {
        let Some(place) = command.kind.place() else { continue };
        let PlaceKind::Global(global) = reader.body.places[place].kind else { continue };
        let Some(source) = reader.global(global) else { continue };
        let Some(position) = miner.add(source, true) else { continue };
        let value = match command.kind {
            CommandKind::Assign { src, .. } => reader.linear(src),
            _ => None,
        };
        miner.update(position, value.as_ref());
        miner.note_called(position);
    }
}

/// The functions that run in a loop, as far as they are not too many.
fn called(head: &Head<'_, '_>) -> Vec<FunctionId> {
    let mut found: Vec<FunctionId> = Vec::new();
    let mut size = 0;
    let own = callees(head, head.function, head.body, &head.region.blocks);
    let mut work: Vec<FunctionId> = own.into_iter().rev().collect();
    while let Some(function) = work.pop() {
        let Some(body) = head.program.functions.get(function).and_then(|function| function.body.as_ref()) else { continue };
        size += body.exprs.len();
        if size > EXPRESSIONS || found.contains(&function) {
            continue;
        }
        found.push(function);
        let blocks: Vec<BlockId> = body.blocks.ids().collect();
        work.extend(callees(head, function, body, &blocks).into_iter().rev());
    }
    found
}

fn callees(head: &Head<'_, '_>, function: FunctionId, body: &Body, blocks: &[BlockId]) -> Vec<FunctionId> {
    let mut found = Vec::new();
    for &block in blocks {
        for (command, step) in body.blocks[block].commands.iter().enumerate() {
            if matches!(step.kind, CommandKind::Call { .. }) {
                found.extend(head.analysis.callees(Site { function, block, command }));
            }
        }
    }
    found
}

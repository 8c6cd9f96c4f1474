//! What lies behind a place of the program: wherever control may come from there.

use model::{BlockId, Body, Callee, CommandKind, FlowGraph, FunctionId, Program, Terminator};
use pointers::Analysis;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::property::callees;

/// The blocks that control may come to after another, calls and returns included. A return may lead to any caller: an over-approximation, so that what
/// does not lie behind a place certainly does not.
pub(crate) struct Behind<'a> {
    program: &'a Program,
    flows: FxHashMap<FunctionId, FlowGraph>,
    calls: FxHashMap<(FunctionId, BlockId), Vec<FunctionId>>,
    callers: FxHashMap<FunctionId, Vec<(FunctionId, BlockId)>>,
    /// What runs when the program ends: destructors, and what `atexit` was given.
    last: Vec<FunctionId>,
}

impl<'a> Behind<'a> {
    pub(crate) fn new(program: &'a Program, analysis: &'a Analysis<'_>) -> Self {
        let mut behind =
            Behind { program, flows: FxHashMap::default(), calls: FxHashMap::default(), callers: FxHashMap::default(), last: Vec::new() };
        for (function, data) in program.functions.enumerate() {
            let Some(body) = &data.body else { continue };
            behind.flows.insert(function, FlowGraph::new(body));
            if data.attributes.destructor.is_some() {
                behind.last.push(function);
            }
            behind.last.extend(registered(program, analysis, function));
            for (block, callee) in callees(program, analysis, function) {
                behind.calls.entry((function, block)).or_default().push(callee);
                behind.callers.entry(callee).or_default().push((function, block));
            }
        }
        behind
    }

    /// All blocks that may be entered, or entered again, after control was in this one; itself included, since its rest comes after.
    pub(crate) fn of(&self, function: FunctionId, block: BlockId) -> FxHashSet<(FunctionId, BlockId)> {
        let mut seen = FxHashSet::default();
        let mut open = vec![(function, block)];
        while let Some((function, block)) = open.pop() {
            if !seen.insert((function, block)) {
                continue;
            }
            if let Some(flow) = self.flows.get(&function) {
                open.extend(flow.successors(block).iter().map(|&next| (function, next)));
            }
            open.extend(self.calls.get(&(function, block)).into_iter().flatten().map(|&callee| (callee, Body::ENTRY)));
            let data = &self.program.functions[function];
            let returns = data.body.as_ref().is_some_and(|body| matches!(body.blocks[block].terminator, Terminator::Return(_)));
            if returns {
                open.extend(self.callers.get(&function).into_iter().flatten());
            }
            // The program may end anywhere by `exit`.
            open.extend(self.last.iter().map(|&last| (last, Body::ENTRY)));
            // Behind a constructor lies everything.
            if returns && data.attributes.constructor.is_some() {
                open.extend(self.flows.keys().map(|&other| (other, Body::ENTRY)));
            }
        }
        seen
    }
}

/// The functions that a function may give to `atexit`.
fn registered(program: &Program, analysis: &Analysis<'_>, function: FunctionId) -> Vec<FunctionId> {
    let mut found = Vec::new();
    let Some(body) = program.functions[function].body.as_ref() else { return found };
    for command in body.blocks.iter().flat_map(|block| &block.commands) {
        if let CommandKind::Call { callee: Callee::Direct(callee), args, .. } = &command.kind
            && program.functions[*callee].name == "atexit"
        {
            found.extend(args.iter().flat_map(|arg| analysis.functions(function, *arg)));
        }
    }
    found
}

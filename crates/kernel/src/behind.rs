//! What lies behind a place of the program: wherever control may come from there.

use model::{BlockId, Body, FlowGraph, FunctionId, Program, Terminator};
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
}

impl<'a> Behind<'a> {
    pub(crate) fn new(program: &'a Program, analysis: &'a Analysis<'_>) -> Self {
        let mut behind = Behind { program, flows: FxHashMap::default(), calls: FxHashMap::default(), callers: FxHashMap::default() };
        for (function, data) in program.functions.enumerate() {
            let Some(body) = &data.body else { continue };
            behind.flows.insert(function, FlowGraph::new(body));
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
            let returns = self.program.functions[function].body.as_ref().is_some_and(|body| matches!(body.blocks[block].terminator, Terminator::Return(_)));
            if returns {
                open.extend(self.callers.get(&function).into_iter().flatten());
            }
        }
        seen
    }
}

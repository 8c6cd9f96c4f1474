//! What lies behind a place of the program: wherever control may come from there.

use interp::Jump;
use model::{BlockId, Body, Callee, CommandKind, FlowGraph, FunctionId, Program, Span, Terminator};
use pointers::Analysis;
use rustc_hash::FxHashMap;

use crate::property::{Property, calls};

/// The places that control may come to after another, calls and returns included: an over-approximation, so that what does not lie behind a place certainly
/// does not.
///
/// From a place, control first returns from functions that were called before, to any of their callers. A function that is called from then on returns
/// to where it was called, and what comes there is found without going through it.
pub(crate) struct Behind<'a> {
    program: &'a Program,
    flows: FxHashMap<FunctionId, FlowGraph>,
    /// The calls of each block, with their commands' numbers.
    calls: FxHashMap<(FunctionId, BlockId), Vec<(usize, FunctionId)>>,
    callers: FxHashMap<FunctionId, Vec<(FunctionId, BlockId, usize)>>,
    /// What runs when the program ends: destructors, and what `atexit` was given.
    last: Vec<FunctionId>,
    /// Where `longjmp` may lead to, from anywhere.
    marked: Vec<(FunctionId, BlockId, usize)>,
}

/// When the function was called that control is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Called {
    /// Before control was at the place in question.
    Before,
    /// Since then.
    Since,
}

/// What lies behind a place: of each block, the commands from this number on.
pub(crate) struct After<'a> {
    program: &'a Program,
    blocks: FxHashMap<(FunctionId, BlockId), usize>,
}

impl<'a> Behind<'a> {
    pub(crate) fn new(program: &'a Program, analysis: &'a Analysis<'_>) -> Self {
        let (flows, last, marked) = (FxHashMap::default(), Vec::new(), Vec::new());
        let mut behind = Behind { program, flows, calls: FxHashMap::default(), callers: FxHashMap::default(), last, marked };
        for (function, data) in program.functions.enumerate() {
            let Some(body) = &data.body else { continue };
            behind.flows.insert(function, FlowGraph::new(body));
            if data.attributes.destructor.is_some() {
                behind.last.push(function);
            }
            behind.last.extend(registered(program, analysis, function));
            for (site, _, callee) in calls(program, analysis, function) {
                behind.calls.entry((function, site.block)).or_default().push((site.command, callee));
                behind.callers.entry(callee).or_default().push((function, site.block, site.command + 1));
                if Jump::named(&program.functions[callee].name) == Some(Jump::Set) {
                    behind.marked.push((function, site.block, site.command + 1));
                }
            }
        }
        behind
    }

    /// All that may be executed, perhaps once more, after control was in this block, at its first command that stands at this place if that is known.
    pub(crate) fn of(&self, function: FunctionId, block: BlockId, span: Option<Span>) -> After<'a> {
        let first = span.and_then(|span| commands_at(self.program, function, block, span).min()).unwrap_or(0);
        let mut seen: [FxHashMap<(FunctionId, BlockId), usize>; 2] = Default::default();
        let mut open = vec![(Called::Before, function, block, first)];
        open.extend(self.marked.iter().map(|&(function, block, first)| (Called::Before, function, block, first)));
        while let Some((called, function, block, first)) = open.pop() {
            let known = seen[called as usize].entry((function, block)).or_insert(usize::MAX);
            if *known <= first {
                continue;
            }
            *known = first;
            if let Some(flow) = self.flows.get(&function) {
                open.extend(flow.successors(block).iter().map(|&next| (called, function, next, 0)));
            }
            let callees = self.calls.get(&(function, block)).into_iter().flatten().filter(|(command, _)| *command >= first);
            open.extend(callees.map(|&(_, callee)| (Called::Since, callee, Body::ENTRY, 0)));
            let data = &self.program.functions[function];
            let returns = data.body.as_ref().is_some_and(|body| matches!(body.blocks[block].terminator, Terminator::Return(_)));
            if returns && called == Called::Before {
                let callers = self.callers.get(&function).into_iter().flatten();
                open.extend(callers.map(|&(caller, block, next)| (Called::Before, caller, block, next)));
            }
            // The program may end anywhere by `exit`.
            open.extend(self.last.iter().map(|&last| (Called::Since, last, Body::ENTRY, 0)));
            // Behind a constructor lies everything.
            if returns && data.attributes.constructor.is_some() {
                open.extend(self.flows.keys().map(|&other| (Called::Before, other, Body::ENTRY, 0)));
            }
        }
        let [mut blocks, since] = seen;
        for (block, first) in since {
            let known = blocks.entry(block).or_insert(first);
            *known = first.min(*known);
        }
        After { program: self.program, blocks }
    }
}

impl After<'_> {
    /// Whether a property may be checked there.
    pub(crate) fn contains(&self, property: &Property) -> bool {
        property.blocks.iter().any(|&block| {
            let Some(&first) = self.blocks.get(&(property.function, block)) else { return false };
            let last = commands_at(self.program, property.function, block, property.check.span).max();
            last.is_none_or(|last| last >= first)
        })
    }
}

/// The numbers of the commands of a block that stand, or check something that stands, at a place of the source.
fn commands_at(program: &Program, function: FunctionId, block: BlockId, span: Span) -> impl Iterator<Item = usize> {
    let commands = program.functions[function].body.as_ref().map_or(&[][..], |body| &body.blocks[block].commands);
    let stands = move |command: &model::Command| match &command.kind {
        CommandKind::Assert(_, check) => check.span == span || command.span == span,
        _ => command.span == span,
    };
    commands.iter().enumerate().filter(move |(_, command)| stands(command)).map(|(number, _)| number)
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

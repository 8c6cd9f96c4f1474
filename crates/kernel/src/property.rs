//! Properties and what can be said of them.

use model::{BlockId, Callee, Check, CheckKind, CommandKind, ExprKind, FunctionId, Program, Span};
use pointers::{Analysis, Site};
use rustc_hash::FxHashSet;

use crate::aftermath::{self, Aftermath};
use crate::leaping::Leapt;
use crate::replay::Violation;

/// Something that must hold wherever control comes to a certain place of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// What must hold.
    pub check: Check,
    /// In which function.
    pub function: FunctionId,
    /// In which blocks it is checked.
    pub blocks: Vec<BlockId>,
    /// What becomes of runs that violate it.
    pub aftermath: Aftermath,
}

impl Property {
    /// Checks of one kind at one place are one property, however often the unwound program makes them.
    pub fn key(&self) -> (Span, CheckKind, FunctionId) {
        (self.check.span, self.check.kind, self.function)
    }

    /// Whether runs that violate it go on, with memory that is not what it should be.
    pub fn is_survived(&self) -> bool {
        self.check.kind.guards_memory() && self.aftermath != Aftermath::Ends
    }

    /// It is checked in this block, too.
    pub(crate) fn is_in(&mut self, block: BlockId) {
        if !self.blocks.contains(&block) {
            self.blocks.push(block);
        }
    }
}

/// What is said of a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds in all runs.
    Proved,
    /// A run violates it.
    Violated(Box<Violation>),
    /// The summaries of the loops allow a violation, which was not confirmed by a run: a counterexample that leaps over these loops.
    Possible(Vec<Leapt>),
    /// It is never the first thing that goes wrong: it holds in all runs whose accesses before it are valid, and not all of those are proved to be so.
    Conditional {
        /// One of those that are not.
        on: Span,
    },
    /// Neither is known.
    Unknown {
        /// Why.
        reason: String,
        /// Where the reason lies, if not at the property itself.
        span: Span,
    },
}

/// The properties of an instrumented program in the functions that a run from `entry` may call, in the order of the source. What library models demand
/// is charged to the calls that lead to them.
pub fn properties(program: &Program, analysis: &Analysis<'_>, entry: FunctionId) -> Vec<Property> {
    let mut found: Vec<Property> = Vec::new();
    for function in reachable(program, analysis, entry) {
        let Some(body) = &program.functions[function].body else { continue };
        for (block, data) in body.blocks.enumerate() {
            for command in &data.commands {
                if let CommandKind::Assert(_, check) = &command.kind
                    && !program.is_library(check.span)
                {
                    add(&mut found, *check, function, block, aftermath::of_assertion(program, body, check));
                }
            }
        }
    }
    for (block, site, span, callee) in library_calls(program, analysis, entry) {
        for check in demands(program, analysis, callee) {
            let aftermath = aftermath::of_demand(&program.functions[callee].name, check.kind);
            add(&mut found, Check { span, ..check }, site, block, aftermath);
        }
    }
    found.sort_by_key(|property| (property.check.span, property.check.kind, property.function));
    found
}

/// The calls of library models in functions of the program that a run from `entry` may enter.
fn library_calls(program: &Program, analysis: &Analysis<'_>, entry: FunctionId) -> Vec<(BlockId, FunctionId, Span, FunctionId)> {
    let is_library =
        |function: FunctionId| program.functions[function].body.is_some() && program.is_library(program.functions[function].span);
    let mut found = Vec::new();
    for function in reachable(program, analysis, entry).into_iter().filter(|function| !is_library(*function)) {
        let calls = calls(program, analysis, function).filter(|(.., callee)| is_library(*callee));
        found.extend(calls.map(|(at, span, callee)| (at.block, function, span, callee)));
    }
    found
}

/// What a library model and those that it calls assert.
fn demands(program: &Program, analysis: &Analysis<'_>, model: FunctionId) -> Vec<Check> {
    let mut open = vec![model];
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(function) = open.pop() {
        let data = &program.functions[function];
        let Some(body) = data.body.as_ref().filter(|_| program.is_library(data.span) && seen.insert(function)) else { continue };
        for command in body.blocks.iter().flat_map(|block| &block.commands) {
            if let CommandKind::Assert(_, check) = command.kind {
                found.push(check);
            }
        }
        open.extend(callees(program, analysis, function).map(|(_, callee)| callee));
    }
    found
}

/// Adds a check to the properties.
fn add(properties: &mut Vec<Property>, check: Check, function: FunctionId, block: BlockId, aftermath: Aftermath) {
    let new = Property { check, function, blocks: vec![block], aftermath };
    match find(properties, new.key()) {
        Some(known) => {
            known.aftermath = known.aftermath.min(aftermath);
            known.is_in(block);
        }
        None => properties.push(new),
    }
}

/// The property with this key, likely one of the last.
pub(crate) fn find(properties: &mut [Property], key: (Span, CheckKind, FunctionId)) -> Option<&mut Property> {
    properties.iter_mut().rev().find(|property| property.key() == key)
}

/// The functions that a run may enter.
pub fn reachable(program: &Program, analysis: &Analysis<'_>, entry: FunctionId) -> Vec<FunctionId> {
    let hooks = program
        .functions
        .enumerate()
        .filter(|(_, function)| function.attributes.constructor.is_some() || function.attributes.destructor.is_some());
    let mut open: Vec<FunctionId> = hooks.map(|(id, _)| id).chain([entry]).collect();
    let mut seen = FxHashSet::default();
    while let Some(function) = open.pop() {
        if !seen.insert(function) {
            continue;
        }
        open.extend(callees(program, analysis, function).map(|(_, callee)| callee));
    }
    let mut functions: Vec<FunctionId> = seen.into_iter().collect();
    functions.sort_unstable();
    functions
}

/// The calls of a function: the block, and a function that may be called there.
pub(crate) fn callees<'a>(
    program: &'a Program,
    analysis: &'a Analysis<'_>,
    function: FunctionId,
) -> impl Iterator<Item = (BlockId, FunctionId)> + 'a {
    calls(program, analysis, function).map(|(site, _, callee)| (site.block, callee))
}

/// The same with the command, and where it stands.
pub(crate) fn calls<'a>(
    program: &'a Program,
    analysis: &'a Analysis<'_>,
    function: FunctionId,
) -> impl Iterator<Item = (Site, Span, FunctionId)> + 'a {
    let body = program.functions[function].body.as_ref();
    body.into_iter().flat_map(move |body| {
        body.blocks.enumerate().flat_map(move |(block, data)| {
            data.commands.iter().enumerate().flat_map(move |(command, data)| {
                let direct = match &data.kind {
                    CommandKind::Call { callee: Callee::Direct(callee), .. } => Some(*callee),
                    // A call through a constant pointer.
                    CommandKind::Call { callee: Callee::Indirect(pointer), .. } => match body.exprs[*pointer].kind {
                        ExprKind::Function(callee) => Some(callee),
                        _ => None,
                    },
                    _ => None,
                };
                let site = Site { function, block, command };
                let others = analysis.callees(site).iter().copied();
                let called = direct.into_iter().chain(others);
                called
                    .flat_map(move |callee| [callee].into_iter().chain(analysis.called_back(site, callee)))
                    .map(move |callee| (site, data.span, callee))
            })
        })
    })
}

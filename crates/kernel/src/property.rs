//! Properties and what can be said of them.

use model::{BlockId, Callee, Check, CommandKind, ExprKind, FunctionId, Program, Span};
use pointers::{Analysis, Site};
use rustc_hash::FxHashSet;

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
}

impl Property {
    /// Checks of one kind at one place are one property, however often the unwound program makes them.
    pub fn key(&self) -> (Span, model::CheckKind, FunctionId) {
        (self.check.span, self.check.kind, self.function)
    }
}

/// What is said of a property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds in all runs.
    Proved,
    /// A run violates it.
    Violated(Box<Violation>),
    /// Neither is known.
    Unknown {
        /// Why.
        reason: String,
        /// Where the reason lies, if not at the property itself.
        span: Span,
    },
}

/// The properties of an instrumented program in the functions that a run from `entry` may call, in the order of the source. What library models demand
/// is charged to their callers where it is met, so it is not among them.
pub fn properties(program: &Program, analysis: &Analysis<'_>, entry: FunctionId) -> Vec<Property> {
    let mut found: Vec<Property> = Vec::new();
    for function in reachable(program, analysis, entry) {
        let Some(body) = &program.functions[function].body else { continue };
        for (block, data) in body.blocks.enumerate() {
            for command in &data.commands {
                if let CommandKind::Assert(_, check) = &command.kind
                    && !program.is_library(check.span)
                {
                    add(&mut found, *check, function, block);
                }
            }
        }
    }
    found.sort_by_key(|property| (property.check.span, property.check.kind, property.function));
    found
}

/// Adds a check to the properties.
pub(crate) fn add(properties: &mut Vec<Property>, check: Check, function: FunctionId, block: BlockId) {
    let new = Property { check, function, blocks: vec![block] };
    match properties.iter_mut().rev().find(|property| property.key() == new.key()) {
        Some(known) => {
            if !known.blocks.contains(&block) {
                known.blocks.push(block);
            }
        }
        None => properties.push(new),
    }
}

/// The functions that a run may enter.
fn reachable(program: &Program, analysis: &Analysis<'_>, entry: FunctionId) -> Vec<FunctionId> {
    let hooks = program.functions.enumerate().filter(|(_, function)| function.attributes.constructor.is_some() || function.attributes.destructor.is_some());
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
pub(crate) fn callees<'a>(program: &'a Program, analysis: &'a Analysis<'_>, function: FunctionId) -> impl Iterator<Item = (BlockId, FunctionId)> + 'a {
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
                let others = analysis.callees(Site { function, block, command }).iter().copied();
                direct.into_iter().chain(others).map(move |callee| (block, callee))
            })
        })
    })
}

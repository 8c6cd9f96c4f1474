//! Whether the functions that `qsort` and `bsearch` may call change anything.
//!
//! If they do not, one call of them stands for all. If they may, how often they are called matters, and a model with a loop is needed.

use model::{Address, Body, Callee, CommandKind, ExprKind, FunctionId, PlaceId, PlaceKind, Program, Type};
use rustc_hash::FxHashSet;

/// Library functions that only look at memory.
const READERS: &[&str] =
    &["abs", "fabs", "labs", "memcmp", "strcasecmp", "strcmp", "strcoll", "strlen", "strncasecmp", "strncmp", "tolower", "toupper"];

/// The name of the model of a function: another one if it calls functions that may change something.
pub(crate) fn model_for<'n>(program: &Program, name: &'n str) -> &'n str {
    match name {
        "qsort" if !comparisons_only_look(program) => "__loopfrog_qsort",
        "bsearch" if !comparisons_only_look(program) => "__loopfrog_bsearch",
        _ => name,
    }
}

/// Whether no function that may be a comparison function changes more than its own variables.
fn comparisons_only_look(program: &Program) -> bool {
    let mut seen: FxHashSet<FunctionId> = pointed(program).filter(|id| may_compare(program, *id)).collect();
    let mut pending: Vec<FunctionId> = seen.iter().copied().collect();
    while let Some(id) = pending.pop() {
        let function = &program.functions[id];
        match function.body.as_ref().map(callees) {
            None if READERS.contains(&function.name.as_str()) => {}
            Some(Some(callees)) => pending.extend(callees.into_iter().filter(|callee| seen.insert(*callee))),
            None | Some(None) => return false,
        }
    }
    true
}

/// The functions whose address is taken.
fn pointed(program: &Program) -> impl Iterator<Item = FunctionId> + '_ {
    let exprs = program.functions.iter().flat_map(|function| &function.body).flat_map(|body| body.exprs.iter());
    let in_code = exprs.filter_map(|expr| match expr.kind {
        ExprKind::Function(function) => Some(function),
        _ => None,
    });
    let relocations = program.globals.iter().flat_map(|global| &global.init).flat_map(|init| &init.relocations);
    in_code.chain(relocations.filter_map(|relocation| match relocation.target {
        Address::Function(function) => Some(function),
        _ => None,
    }))
}

/// Whether a function can be called with two pointers.
fn may_compare(program: &Program, id: FunctionId) -> bool {
    let Type::Function { params, variadic, .. } = program.types.get(program.functions[id].ty) else { return true };
    params.is_empty() && *variadic || params.len() == 2 && params.iter().all(|ty| matches!(program.types.get(*ty), Type::Pointer(_)))
}

/// What a function calls; `None` if it may change more than its own variables or calls what is not known.
fn callees(body: &Body) -> Option<Vec<FunctionId>> {
    let mut callees = Vec::new();
    for command in body.blocks.iter().flat_map(|block| &block.commands) {
        if command.kind.place().is_some_and(|place| !is_local(body, place)) {
            return None;
        }
        match &command.kind {
            CommandKind::Call { callee: Callee::Direct(callee), .. } => callees.push(*callee),
            CommandKind::Assign { .. }
            | CommandKind::Havoc(_)
            | CommandKind::Live(_)
            | CommandKind::LiveArray(..)
            | CommandKind::Dead(_)
            | CommandKind::Assume(_)
            | CommandKind::Assert(..) => {}
            _ => return None,
        }
    }
    Some(callees)
}

/// Whether a place belongs to a variable of the function.
fn is_local(body: &Body, mut place: PlaceId) -> bool {
    loop {
        place = match body.places[place].kind {
            PlaceKind::Local(_) => return true,
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => base,
            PlaceKind::Global(_) | PlaceKind::Deref(_) => return false,
        };
    }
}

//! What functions are known to do by their names, and other facts about the whole program.

use model::{Address, Body, Callee, CommandKind, ExprId, ExprKind, Function, FunctionId, Program, Terminator, Type};
use rustc_hash::FxHashSet;

use super::site::Site;

/// What a function does that a check must know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Ends the life of a heap object, its first argument.
    Free,
    /// Says whether its first argument holds.
    Assert,
    /// Says that something is wrong, and ends the program.
    Error,
    /// The same, but with a body of the program's own.
    Marker,
    /// Asserts for a library function.
    Precondition,
    /// Ends the program.
    Exit,
}

impl Role {
    fn of(function: &Function) -> Option<Role> {
        let has_body = function.body.is_some();
        Some(match function.name.as_str() {
            _ if function.marks_error() && has_body => Role::Marker,
            _ if function.marks_error() => Role::Error,
            _ if has_body => return None,
            "free" | "cfree" | "realloc" | "reallocarray" | "malloc_usable_size" => Role::Free,
            "assert" | "__VERIFIER_assert" | "__CPROVER_assert" | "__CPROVER_precondition" | "__CPROVER_postcondition" => Role::Assert,
            "__assert_fail" | "__assert" => Role::Error,
            "__loopfrog_assert" => Role::Precondition,
            "abort" => Role::Exit,
            _ if function.exits() => Role::Exit,
            _ => return None,
        })
    }
}

/// The function that a call names, perhaps as one of another type.
pub(super) fn named(body: &Body, callee: Callee) -> Option<FunctionId> {
    let mut pointer = match callee {
        Callee::Direct(function) => return Some(function),
        Callee::Indirect(pointer) => pointer,
    };
    while let ExprKind::Cast(value) = body.exprs[pointer].kind {
        pointer = value;
    }
    match body.exprs[pointer].kind {
        ExprKind::Function(function) => Some(function),
        _ => None,
    }
}

/// How a function with a role is called.
#[derive(Clone, Copy)]
pub(super) enum Called {
    Directly,
    /// Perhaps: if this pointer leads to it.
    Through(ExprId, FunctionId),
}

impl Called {
    /// What must hold so that this holds if the function is called.
    pub fn implies(self, site: &mut Site<'_>, condition: ExprId) -> ExprId {
        let Called::Through(pointer, function) = self else { return condition };
        let function = site.expr(ExprKind::Function(function), site.body.exprs[pointer].ty);
        let other = site.compare(model::BinaryOp::Ne, pointer, function);
        site.or(other, condition)
    }
}

/// Facts about the functions of a program, taken before any of them changes.
pub(super) struct Roles {
    roles: Vec<Option<Role>>,
    defined: Vec<bool>,
    /// How many parameters each defined function has.
    parameters: Vec<usize>,
    /// Which functions may return without the value that they promise.
    valueless: Vec<bool>,
    /// Functions with a role that a pointer may lead to.
    pointed: Vec<(FunctionId, Role)>,
    last: FxHashSet<FunctionId>,
}

impl Roles {
    pub fn of(program: &Program) -> Self {
        let functions = program.functions.iter();
        // Where there are destructors, `exit` does not end the program.
        let goes_on = functions.clone().any(|function| function.attributes.destructor.is_some());
        let role = |function: &Function| Role::of(function).filter(|_| !(goes_on && function.name == "exit"));
        let roles: Vec<Option<Role>> = functions.clone().map(role).collect();
        let taken = addresses_taken(program);
        let pointed = program.functions.ids().filter(|id| taken.contains(id)).filter_map(|id| Some((id, roles[id.index()]?))).collect();
        Roles {
            defined: functions.clone().map(|function| function.body.is_some()).collect(),
            parameters: functions.clone().map(|function| function.body.as_ref().map_or(0, |body| body.params as usize)).collect(),
            valueless: functions.map(|function| function.body.as_ref().is_some_and(returns_nothing)).collect(),
            last: last_functions(program, &taken),
            pointed,
            roles,
        }
    }

    pub fn role(&self, function: FunctionId) -> Option<Role> {
        self.roles[function.index()]
    }
    pub fn has_body(&self, function: FunctionId) -> bool {
        self.defined[function.index()]
    }
    pub fn parameters(&self, function: FunctionId) -> usize {
        self.parameters[function.index()]
    }
    /// Whether the function may return without a value.
    pub fn is_valueless(&self, function: FunctionId) -> bool {
        self.valueless[function.index()]
    }
    /// The functions with a role that a pointer may lead to.
    pub fn pointed(&self) -> &[(FunctionId, Role)] {
        &self.pointed
    }
    /// Whether the program may end when this function returns.
    pub fn is_last(&self, function: FunctionId) -> bool {
        self.last.contains(&function)
    }
}

fn returns_nothing(body: &Body) -> bool {
    body.blocks.iter().any(|block| block.terminator == Terminator::Return(None))
}

fn addresses_taken(program: &Program) -> FxHashSet<FunctionId> {
    let exprs = program.functions.iter().flat_map(|function| &function.body).flat_map(|body| body.exprs.iter());
    let in_code = exprs.filter_map(|expr| match expr.kind {
        ExprKind::Function(function) => Some(function),
        _ => None,
    });
    let relocations = program.globals.iter().flat_map(|global| &global.init).flat_map(|init| &init.relocations);
    let in_data = relocations.filter_map(|relocation| match relocation.target {
        Address::Function(function) => Some(function),
        _ => None,
    });
    in_code.chain(in_data).collect()
}

/// The functions after whose return the program may end: `main`, or the destructor that runs last, and all that handlers of `atexit` may be.
fn last_functions(program: &Program, taken: &FxHashSet<FunctionId>) -> FxHashSet<FunctionId> {
    let defined = || program.functions.enumerate().filter(|(_, function)| function.body.is_some());
    let destructor = defined().filter_map(|(id, function)| Some((function.attributes.destructor?, id))).min();
    let mut last: FxHashSet<FunctionId> = match destructor {
        Some((_, id)) => [id].into_iter().collect(),
        None => defined().filter(|(_, function)| function.name == "main").map(|(id, _)| id).collect(),
    };
    if destructor.is_none() && calls(program, "atexit") {
        let is_handler = |ty| matches!(program.types.get(ty), Type::Function { params, .. } if params.is_empty());
        last.extend(defined().filter(|(id, function)| taken.contains(id) && is_handler(function.ty)).map(|(id, _)| id));
    }
    last
}

/// Whether a function of this name is called or pointed to.
fn calls(program: &Program, name: &str) -> bool {
    let Some((id, _)) = program.functions.enumerate().find(|(_, function)| function.name == name) else { return false };
    program.functions.iter().flat_map(|function| &function.body).any(|body| {
        let called = |kind: &CommandKind| matches!(kind, CommandKind::Call { callee: Callee::Direct(callee), .. } if *callee == id);
        body.blocks.iter().flat_map(|block| &block.commands).any(|command| called(&command.kind))
            || body.exprs.iter().any(|expr| expr.kind == ExprKind::Function(id))
    })
}

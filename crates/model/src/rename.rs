//! Gives the ids inside commands, terminators, expressions and places new numbers, for whoever moves elements of a body.

use crate::{BlockId, Callee, CommandKind, ExprId, ExprKind, LocalId, PlaceId, PlaceKind, Terminator};

/// Renames the ids in an expression, block labels excepted.
pub fn expr(kind: &mut ExprKind, e: &impl Fn(ExprId) -> ExprId, p: &impl Fn(PlaceId) -> PlaceId) {
    match kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero | ExprKind::Function(_) | ExprKind::Label(_) | ExprKind::HeapEmpty => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Initialised(place) => *place = p(*place),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Query(_, a) => *a = e(*a),
        ExprKind::Binary(_, a, b)
        | ExprKind::PointerAdd(a, b)
        | ExprKind::PointerDiff(a, b)
        | ExprKind::Overflows(_, a, b, _)
        | ExprKind::SameObject(a, b) => {
            *a = e(*a);
            *b = e(*b);
        }
        ExprKind::Select(a, b, c) => {
            *a = e(*a);
            *b = e(*b);
            *c = e(*c);
        }
    }
}

/// Renames the ids in a place.
pub fn place(kind: &mut PlaceKind, e: &impl Fn(ExprId) -> ExprId, p: &impl Fn(PlaceId) -> PlaceId, l: &impl Fn(LocalId) -> LocalId) {
    match kind {
        PlaceKind::Local(local) => *local = l(*local),
        PlaceKind::Global(_) => {}
        PlaceKind::Deref(a) => *a = e(*a),
        PlaceKind::Field(base, _) => *base = p(*base),
        PlaceKind::Index(base, a) => {
            *base = p(*base);
            *a = e(*a);
        }
    }
}

/// Renames the ids in a command.
pub fn command(kind: &mut CommandKind, e: &impl Fn(ExprId) -> ExprId, p: &impl Fn(PlaceId) -> PlaceId, l: &impl Fn(LocalId) -> LocalId) {
    match kind {
        CommandKind::Assign { dst, src } => {
            *dst = p(*dst);
            *src = e(*src);
        }
        CommandKind::Call { dst, callee, args } => {
            if let Some(dst) = dst {
                *dst = p(*dst);
            }
            if let Callee::Indirect(f) = callee {
                *f = e(*f);
            }
            args.iter_mut().for_each(|arg| *arg = e(*arg));
        }
        CommandKind::Live(local) | CommandKind::Dead(local) => *local = l(*local),
        CommandKind::LiveArray(local, size) => {
            *local = l(*local);
            *size = e(*size);
        }
        CommandKind::Assume(a) | CommandKind::Assert(a, _) | CommandKind::VaStart(a) | CommandKind::VaEnd(a) => *a = e(*a),
        CommandKind::Havoc(place) => *place = p(*place),
        CommandKind::VaArg(place, a) | CommandKind::Alloca(place, a) => {
            *place = p(*place);
            *a = e(*a);
        }
        CommandKind::VaCopy(a, b) => {
            *a = e(*a);
            *b = e(*b);
        }
        CommandKind::Unsupported(_) => {}
    }
}

/// Renames the ids in a terminator.
pub fn terminator(kind: &mut Terminator, e: &impl Fn(ExprId) -> ExprId, b: &impl Fn(BlockId) -> BlockId) {
    match kind {
        Terminator::Goto(to) => *to = b(*to),
        Terminator::Branch(condition, yes, no) => {
            *condition = e(*condition);
            *yes = b(*yes);
            *no = b(*no);
        }
        Terminator::Switch { value, cases, default } => {
            *value = e(*value);
            cases.iter_mut().for_each(|case| case.target = b(case.target));
            *default = b(*default);
        }
        Terminator::Computed(target) => *target = e(*target),
        Terminator::Return(Some(value)) => *value = e(*value),
        Terminator::Return(None) | Terminator::Unreachable => {}
    }
}

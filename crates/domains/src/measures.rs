//! Sums that may tell how far a loop has come, for termination arguments.

use encode::{Aspect, Head, Linear, Moment, Quantity, Source};
use model::{Body, CommandKind, ExprId, ExprKind, LocalId, PlaceId, PlaceKind, Type};

use crate::view::{Origin, Variable, View, commands};

/// No more sums than this are worth looking at.
const LIMIT: usize = 40;

/// Variables, what remains of the objects that pointers walk through, and what the conditions of the loop compare, each with the numbers that it
/// is compared with. The most telling ones come first.
pub fn measures<'a>(head: &'a Head<'a, 'a>) -> Vec<(Linear, Vec<i128>)> {
    let view = View::new(head);
    let mut found: Vec<(Linear, Vec<i128>)> = Vec::new();
    let mut add = |sum: Linear, constants: &[i128]| {
        let place = found.iter().position(|(known, _)| *known == sum).or_else(|| {
            let room = !sum.parts.is_empty() && found.len() < LIMIT;
            room.then(|| found.push((sum, Vec::new())))?;
            Some(found.len() - 1)
        });
        let Some((_, known)) = place.and_then(|place| found.get_mut(place)) else { return };
        for constant in constants {
            if !known.contains(constant) && known.len() < LIMIT {
                known.push(*constant);
            }
        }
    };
    for variable in view.variables.iter().filter(|variable| variable.changed) {
        add(variable.now(), &variable.constants);
        add(variable.now(), &reached(variable));
        if variable.is_pointer() {
            add(variable.size().minus(&variable.now()), &[]);
        }
    }
    for float in floats(head) {
        add(Linear::of(Quantity::value(float)), &[]);
    }
    let telling = |origin| matches!(origin, Origin::Exit | Origin::Loop | Origin::Assertion);
    for condition in view.conditions.iter().filter(|condition| telling(condition.origin)) {
        if let Some((sum, _)) = &condition.comparison
            && view.varies(sum)
        {
            add(Linear { constant: 0, ..sum.clone() }, &[-sum.constant]);
        }
    }
    let text = commands(head.body, &head.region.blocks, |_| true, true);
    for load in loads(head, &text.exprs) {
        add(Linear::of(Quantity::value(Source::Expr(load))), &[]);
    }
    for element in elements(head, &text.exprs) {
        add(Linear::of(Quantity::Of(Source::Expr(element), Aspect::Total, Moment::Now)), &[]);
    }
    for string in strings(head) {
        add(Linear::of(Quantity::Of(Source::Expr(string), Aspect::Length, Moment::Now)), &[]);
    }
    for (local, constant) in fixed(head, &text.exprs) {
        add(Linear::of(Quantity::value(Source::Local(local))), &[constant.saturating_sub(1), constant, constant.saturating_add(1)]);
    }
    let unchanged = |compared: bool| {
        view.variables.iter().filter(move |variable| !variable.changed && (variable.exit || variable.compared) == compared)
    };
    for variable in unchanged(true).chain(unchanged(false)) {
        add(variable.now(), &variable.constants);
    }
    found
}

/// How far a variable comes beyond the numbers that it is compared with: where it may turn.
fn reached(variable: &Variable) -> Vec<i128> {
    let steps = variable.steps().unwrap_or_default();
    let (up, down) = (steps.iter().max().filter(|step| **step > 1), steps.iter().min().filter(|step| **step < -1));
    let above = up.zip(variable.constants.iter().max());
    let below = down.zip(variable.constants.iter().min());
    above.into_iter().chain(below).map(|(step, constant)| constant.saturating_add(*step)).collect()
}

/// Floats that the loop changes.
pub(crate) fn floats(head: &Head<'_, '_>) -> impl Iterator<Item = Source> {
    let is_float = |local: &&LocalId| matches!(head.program.types.get(head.body.locals[**local].ty), Type::Float(_));
    head.changed.iter().filter(is_float).map(|local| Source::Local(*local))
}

/// Variables that the loop does not change, with numbers that it compares them with: they decide which way it goes in all rounds.
fn fixed(head: &Head<'_, '_>, exprs: &[ExprId]) -> Vec<(LocalId, i128)> {
    let body = head.body;
    let local = |id: ExprId| match body.exprs[id].kind {
        ExprKind::Load(place) => match body.places[place].kind {
            PlaceKind::Local(local) if !head.changed.contains(&local) && !body.locals[local].temporary => Some(local),
            _ => None,
        },
        _ => None,
    };
    let constant = |id: ExprId| match body.exprs[id].kind {
        ExprKind::Int(pattern) => Some(head.program.types.value(body.exprs[id].ty, pattern)),
        _ => None,
    };
    let compared = |id: &ExprId| match body.exprs[*id].kind {
        ExprKind::Binary(op, a, b) if op.is_comparison() => local(a).zip(constant(b)).or_else(|| local(b).zip(constant(a))),
        _ => None,
    };
    exprs.iter().filter_map(compared).take(LOADS).collect()
}

/// Numbers in memory that the loop reads. They can be asked for at the head as any expression can; what comes out may be of no use.
fn loads(head: &Head<'_, '_>, exprs: &[ExprId]) -> Vec<ExprId> {
    let body = head.body;
    let is_number = |id: &ExprId| matches!(head.program.types.get(body.exprs[*id].ty), Type::Int { .. });
    let in_memory = |id: &ExprId| match body.exprs[*id].kind {
        ExprKind::Load(place) => !matches!(body.places[place].kind, PlaceKind::Local(_) | PlaceKind::Global(_)),
        _ => false,
    };
    exprs.iter().copied().filter(is_number).filter(in_memory).take(LOADS).collect()
}

/// Elements of arrays that the loop reads and writes at places that it computes, one for each array.
fn elements(head: &Head<'_, '_>, exprs: &[ExprId]) -> Vec<ExprId> {
    let body = head.body;
    let array = |place: PlaceId| match body.places[place].kind {
        PlaceKind::Index(base, _) => Some(body.places[base].kind.clone()),
        _ => None,
    };
    let commands = head.region.blocks.iter().flat_map(|block| &body.blocks[*block].commands);
    let written: Vec<PlaceKind> = commands.filter_map(|command| array(command.kind.place()?)).collect();
    let mut found: Vec<(ExprId, PlaceKind)> = Vec::new();
    for &expr in exprs {
        if let ExprKind::Load(place) = body.exprs[expr].kind
            && let Some(array) = array(place).filter(|array| (1..=WRITES).contains(&written.iter().filter(|other| *other == array).count()))
            && !found.iter().any(|(_, known)| *known == array)
            && found.len() < ARRAYS
        {
            found.push((expr, array));
        }
    }
    found.into_iter().map(|(expr, _)| expr).collect()
}

/// Strings that the loop hands to functions or begins to walk through, if it also ends some string earlier than before.
fn strings(head: &Head<'_, '_>) -> Vec<ExprId> {
    let (body, types) = (head.body, &head.program.types);
    let is_character = |ty| matches!(types.get(ty), Type::Int { bits: 8, .. });
    let commands = || head.region.blocks.iter().flat_map(|block| &body.blocks[*block].commands).map(|command| &command.kind);
    let is_in_memory = |place: PlaceId| !matches!(body.places[place].kind, PlaceKind::Local(_) | PlaceKind::Global(_));
    let ends = |kind: &CommandKind| match *kind {
        CommandKind::Assign { dst, src } => {
            is_character(body.places[dst].ty) && is_in_memory(dst) && matches!(body.exprs[src].kind, ExprKind::Int(0))
        }
        _ => false,
    };
    if !commands().any(ends) {
        return Vec::new();
    }
    let stays = |expr: ExprId| match body.exprs[expr].kind {
        ExprKind::Load(place) => !matches!(body.places[place].kind, PlaceKind::Local(local) if head.changed.contains(&local)),
        ExprKind::AddressOf(_) => true,
        _ => false,
    };
    let is_string = |expr: &ExprId| matches!(types.get(body.exprs[*expr].ty), Type::Pointer(to) if is_character(*to));
    let mentioned =
        commands().filter(|kind| matches!(kind, CommandKind::Call { .. } | CommandKind::Assign { .. })).flat_map(CommandKind::exprs);
    let mut found: Vec<ExprId> = Vec::new();
    for mut expr in mentioned.filter(is_string) {
        while let ExprKind::Cast(inner) = body.exprs[expr].kind
            && is_string(&inner)
        {
            expr = inner;
        }
        let is_known = |known: &ExprId| body.exprs[*known].kind == body.exprs[expr].kind;
        if stays(expr) && found.len() < STRINGS && !found.iter().any(is_known) {
            found.push(expr);
        }
    }
    found
}

/// The lengths of more strings are not looked at.
const STRINGS: usize = 3;

/// The elements of more arrays are not added up, nor are those of arrays with more writes: each may be to any of them.
const ARRAYS: usize = 2;
const WRITES: usize = 3;

/// Pointers that the loop changes, with pointers that it reads from the objects behind them.
pub fn walks(head: &Head<'_, '_>) -> Vec<(Source, ExprId)> {
    let body = head.body;
    let text = commands(body, &head.region.blocks, |_| true, true);
    let mut found: Vec<(Source, ExprId)> = Vec::new();
    for expr in text.exprs {
        if let Some(local) = walked(head, expr)
            && head.changed.contains(&local)
            && !found.iter().any(|&(known, link)| known == Source::Local(local) && same_field(body, link, expr))
            && found.len() < LOADS
        {
            found.push((Source::Local(local), expr));
        }
    }
    found
}

/// The variable through which an expression reads a pointer from a field.
fn walked(head: &Head<'_, '_>, expr: ExprId) -> Option<LocalId> {
    let body = head.body;
    let ExprKind::Load(mut place) = body.exprs[expr].kind else { return None };
    if !matches!(head.program.types.get(body.exprs[expr].ty), Type::Pointer(_)) {
        return None;
    }
    while let PlaceKind::Field(base, _) = body.places[place].kind {
        place = base;
    }
    let PlaceKind::Deref(pointer) = body.places[place].kind else { return None };
    let ExprKind::Load(place) = body.exprs[pointer].kind else { return None };
    match body.places[place].kind {
        PlaceKind::Local(local) => Some(local),
        _ => None,
    }
}

/// Whether two expressions read the same field, whatever they read it through.
fn same_field(body: &Body, one: ExprId, other: ExprId) -> bool {
    let path = |expr: ExprId| {
        let mut path = Vec::new();
        if let ExprKind::Load(mut place) = body.exprs[expr].kind {
            while let PlaceKind::Field(base, field) = body.places[place].kind {
                path.push((body.places[base].ty, field));
                place = base;
            }
        }
        path
    };
    path(one) == path(other)
}

/// More loads, and more comparisons, are not looked at.
const LOADS: usize = 24;

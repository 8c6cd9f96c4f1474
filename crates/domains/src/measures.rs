//! Sums that may tell how far a loop has come, for termination arguments.

use encode::{Head, Linear, Quantity, Source};
use model::{ExprId, ExprKind, LocalId, PlaceKind, Type};

use crate::view::{Origin, View, commands};

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

/// More loads, and more comparisons, are not looked at.
const LOADS: usize = 24;

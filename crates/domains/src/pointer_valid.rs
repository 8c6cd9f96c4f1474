//! Validity of pointers (constraint 8 of Table 1).

use encode::{Formula, Head, Moment, Source};
use model::{Body, CommandKind, ExprId, ExprKind, LocalId, PlaceKind, Type};

use crate::view::{Buffer, Update};
use crate::{Domain, View};

/// Pointers point to objects that exist.
pub struct PointerValid;

impl Domain for PointerValid {
    fn name(&self) -> &'static str {
        "pointer-valid"
    }
    fn about(&self) -> &'static str {
        "a pointer's object exists, is still the same, or the pointer is null"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for pointer in view.pointers() {
            let source = pointer.source;
            let alive = Formula::Alive(source);
            let accessed = view.accesses.iter().any(|access| access.buffer == Buffer::Pointer(source));
            if pointer.changed || accessed {
                out.push(alive.clone());
            }
            if !pointer.changed {
                continue;
            }
            out.push(Formula::SameObject((source, Moment::Now), (source, Moment::Entry)));
            out.push(Formula::Null(source).negation());
            if pointer.updates.is_empty() || pointer.updates.contains(&Update::Other) {
                out.push(Formula::Any(vec![Formula::Null(source), alive]));
            }
        }
        for (first, second, _) in view.changed_pairs().filter(|(first, second, _)| first.is_pointer() && second.is_pointer()) {
            out.push(Formula::SameObject((first.source, Moment::Now), (second.source, Moment::Now)));
        }
        for (first, second) in compared_parameters(view.head) {
            out.push(Formula::SameObject((Source::Local(first), Moment::Now), (Source::Local(second), Moment::Now)));
        }
    }
}

/// More assignments in a row than this are not followed.
const STEPS: usize = 8;

/// Of a function's calls: parameters from which pointers are made that the function compares with each other, or subtracts.
fn compared_parameters(head: &Head<'_, '_>) -> Vec<(LocalId, LocalId)> {
    let body = head.body;
    let mut found = Vec::new();
    if head.region.header != Body::ENTRY || head.region.blocks.len() < body.blocks.len() {
        return found;
    }
    for expr in body.exprs.iter() {
        let (ExprKind::Binary(_, a, b) | ExprKind::PointerDiff(a, b)) = expr.kind else { continue };
        if ![a, b].iter().all(|side| matches!(head.program.types.get(body.exprs[*side].ty), Type::Pointer(_))) {
            continue;
        }
        let (first, second) = (parameters_behind(body, a), parameters_behind(body, b));
        let pairs = first.iter().flat_map(|one| second.iter().map(|other| (*one.min(other), *one.max(other))));
        found.extend(pairs.filter(|(one, other)| one != other));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The parameters that a pointer may be made from, by moving it.
fn parameters_behind(body: &Body, pointer: ExprId) -> Vec<LocalId> {
    let mut locals: Vec<LocalId> = root(body, pointer).into_iter().collect();
    let mut next = 0;
    while let Some(&local) = locals.get(next).filter(|_| next < STEPS) {
        next += 1;
        for command in body.blocks.iter().flat_map(|block| &block.commands) {
            if let CommandKind::Assign { dst, src } = command.kind
                && body.places[dst].kind == PlaceKind::Local(local)
                && let Some(root) = root(body, src)
                && !locals.contains(&root)
            {
                locals.push(root);
            }
        }
    }
    locals.retain(|local| local.index() < body.params as usize);
    locals
}

/// The variable that a pointer is, but for what is added to it.
fn root(body: &Body, mut pointer: ExprId) -> Option<LocalId> {
    loop {
        pointer = match body.exprs[pointer].kind {
            ExprKind::PointerAdd(base, _) => base,
            ExprKind::Cast(inner) => inner,
            ExprKind::Load(place) => match body.places[place].kind {
                PlaceKind::Local(local) => return Some(local),
                _ => return None,
            },
            _ => return None,
        };
    }
}

//! Rules for truth values and choices.

use smallvec::SmallVec;

use super::{binary, ite_parts, unary};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::{Term, Terms};

pub(super) fn not(terms: &mut Terms, a: Term) -> Option<Term> {
    unary(terms, Op::Not, a)
}

/// Whether one is the negation of the other.
fn opposite(terms: &Terms, a: Term, b: Term) -> bool {
    unary(terms, Op::Not, a) == Some(b) || unary(terms, Op::Not, b) == Some(a)
}

pub(super) fn and(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    match (terms.as_bool(a), terms.as_bool(b)) {
        (Some(true), _) => return Some(b),
        (_, Some(true)) => return Some(a),
        (Some(false), _) | (_, Some(false)) => return Some(terms.bool(false)),
        _ => {}
    }
    if a == b {
        return Some(a);
    }
    if opposite(terms, a, b) {
        return Some(terms.bool(false));
    }
    for (a, b) in [(a, b), (b, a)] {
        // a & (a & c), a & (a | c), a & !(a & c), a & !(a | c)
        if let Some((x, y)) = binary(terms, Op::And, b) {
            if x == a || y == a {
                return Some(b);
            }
            if opposite(terms, a, x) || opposite(terms, a, y) {
                return Some(terms.bool(false));
            }
        }
        if let Some((x, y)) = binary(terms, Op::Or, b) {
            if x == a || y == a {
                return Some(a);
            }
            if opposite(terms, a, x) {
                return Some(terms.and(a, y));
            }
            if opposite(terms, a, y) {
                return Some(terms.and(a, x));
            }
        }
        if let Some(inner) = unary(terms, Op::Not, b) {
            if let Some((x, y)) = binary(terms, Op::And, inner) {
                if x == a || y == a {
                    let rest = terms.not(if x == a { y } else { x });
                    return Some(terms.and(a, rest));
                }
                if opposite(terms, a, x) || opposite(terms, a, y) {
                    return Some(a);
                }
            }
            if let Some((x, y)) = binary(terms, Op::Or, inner)
                && (x == a || y == a)
            {
                return Some(terms.bool(false));
            }
        }
    }
    None
}

/// By De Morgan: whatever simplifies the conjunction of the negations simplifies the disjunction.
pub(super) fn or(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    match (terms.as_bool(a), terms.as_bool(b)) {
        (Some(false), _) => return Some(b),
        (_, Some(false)) => return Some(a),
        (Some(true), _) | (_, Some(true)) => return Some(terms.bool(true)),
        _ => {}
    }
    if a == b {
        return Some(a);
    }
    if opposite(terms, a, b) {
        return Some(terms.bool(true));
    }
    for (a, b) in [(a, b), (b, a)] {
        if let Some((x, y)) = binary(terms, Op::Or, b) {
            if x == a || y == a {
                return Some(b);
            }
            if opposite(terms, a, x) || opposite(terms, a, y) {
                return Some(terms.bool(true));
            }
        }
        if let Some((x, y)) = binary(terms, Op::And, b) {
            if x == a || y == a {
                return Some(a);
            }
            if opposite(terms, a, x) {
                return Some(terms.or(a, y));
            }
            if opposite(terms, a, y) {
                return Some(terms.or(a, x));
            }
        }
    }
    // (c & d) | (c & !d) = c: what the join of two branches gives.
    if let (Some((c, d)), Some((e, f))) = (binary(terms, Op::And, a), binary(terms, Op::And, b)) {
        for (common, x, others) in [(c, d, (e, f)), (d, c, (e, f))] {
            let y = if others.0 == common {
                others.1
            } else if others.1 == common {
                others.0
            } else {
                continue;
            };
            if opposite(terms, x, y) {
                return Some(common);
            }
        }
    }
    None
}

pub(super) fn xor(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(terms.bool(false));
    }
    if opposite(terms, a, b) {
        return Some(terms.bool(true));
    }
    for (a, b) in [(a, b), (b, a)] {
        match terms.as_bool(a) {
            Some(false) => return Some(b),
            Some(true) => return Some(terms.not(b)),
            None => {}
        }
        if let Some(inner) = unary(terms, Op::Not, a) {
            let xor = terms.xor(inner, b);
            return Some(terms.not(xor));
        }
    }
    None
}

pub(super) fn ite(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    match terms.as_bool(condition) {
        Some(true) => return Some(yes),
        Some(false) => return Some(no),
        None => {}
    }
    if yes == no {
        return Some(yes);
    }
    if let Some(inner) = unary(terms, Op::Not, condition) {
        return Some(terms.ite(inner, no, yes));
    }
    if terms.sort(yes) == Sort::Bool
        && let Some(simpler) = bool_ite(terms, condition, yes, no)
    {
        return Some(simpler);
    }
    // A choice that was made already.
    if let Some((inner, x, y)) = ite_parts(terms, yes) {
        if let Some(holds) = Facts::of(terms, condition, true).decide(terms, inner) {
            return Some(terms.ite(condition, if holds { x } else { y }, no));
        }
        if y == no {
            let both = terms.and(condition, inner);
            return Some(terms.ite(both, x, no));
        }
    }
    if let Some((inner, x, y)) = ite_parts(terms, no) {
        if let Some(holds) = Facts::of(terms, condition, false).decide(terms, inner) {
            return Some(terms.ite(condition, yes, if holds { x } else { y }));
        }
        if x == yes {
            let either = terms.or(condition, inner);
            return Some(terms.ite(either, yes, y));
        }
    }
    None
}

fn bool_ite(terms: &mut Terms, condition: Term, yes: Term, no: Term) -> Option<Term> {
    match (terms.as_bool(yes), terms.as_bool(no)) {
        (Some(true), _) => Some(terms.or(condition, no)),
        (Some(false), _) => {
            let not = terms.not(condition);
            Some(terms.and(not, no))
        }
        (_, Some(true)) => {
            let not = terms.not(condition);
            Some(terms.or(not, yes))
        }
        (_, Some(false)) => Some(terms.and(condition, yes)),
        _ if opposite(terms, yes, no) => {
            let xor = terms.xor(condition, yes);
            Some(terms.not(xor))
        }
        _ if yes == condition => Some(terms.or(condition, no)),
        _ if no == condition => Some(terms.and(condition, yes)),
        _ => None,
    }
}

/// What a truth value says about others when it is known: the parts of a conjunction that holds, or of a disjunction that does not.
struct Facts {
    known: SmallVec<[(Term, bool); 8]>,
}

/// So many facts are looked at, and so many levels of what is to be decided.
const FACTS: usize = 16;
const LEVELS: u32 = 4;

impl Facts {
    fn of(terms: &Terms, term: Term, value: bool) -> Self {
        let mut known: SmallVec<[(Term, bool); 8]> = SmallVec::new();
        let mut open: SmallVec<[(Term, bool); 8]> = SmallVec::from_elem((term, value), 1);
        while let Some((term, value)) = open.pop() {
            if known.len() >= FACTS {
                break;
            }
            known.push((term, value));
            match (terms.op(term), terms.args(term)) {
                (Op::Not, &[inner]) => open.push((inner, !value)),
                (Op::And, &[a, b]) if value => open.extend([(a, true), (b, true)]),
                (Op::Or, &[a, b]) if !value => open.extend([(a, false), (b, false)]),
                _ => {}
            }
        }
        Facts { known }
    }

    /// The value of another truth value, if the facts tell.
    fn decide(&self, terms: &Terms, term: Term) -> Option<bool> {
        self.decide_at(terms, term, LEVELS)
    }

    fn decide_at(&self, terms: &Terms, term: Term, levels: u32) -> Option<bool> {
        if let Some((_, value)) = self.known.iter().find(|(known, _)| *known == term) {
            return Some(*value);
        }
        let levels = levels.checked_sub(1)?;
        match (terms.op(term), terms.args(term)) {
            (Op::Not, &[inner]) => self.decide_at(terms, inner, levels).map(|value| !value),
            (Op::And, &[a, b]) => match (self.decide_at(terms, a, levels), self.decide_at(terms, b, levels)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            (Op::Or, &[a, b]) => match (self.decide_at(terms, a, levels), self.decide_at(terms, b, levels)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A term as it is where a condition holds: choices that the condition decides are made.
pub(crate) fn under(terms: &Terms, condition: Term, term: Term) -> Term {
    let mut term = term;
    if ite_parts(terms, term).is_none() {
        return term;
    }
    let facts = Facts::of(terms, condition, true);
    while let Some((choice, yes, no)) = ite_parts(terms, term) {
        match facts.decide(terms, choice) {
            Some(true) => term = yes,
            Some(false) => term = no,
            None => break,
        }
    }
    term
}

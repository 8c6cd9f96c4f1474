//! Rules for facts about segments of arrays.

use crate::op::Op;
use crate::segment::{contains, is_between};
use crate::term::{Term, Terms};

/// How many writes a fact looks through.
const DEPTH: usize = 256;

/// The array without the last writes, as far as they are certainly outside of a segment.
fn inside(terms: &mut Terms, array: Term, from: Term, count: Term, step: u64) -> Term {
    let mut array = array;
    for _ in 0..DEPTH {
        let (Op::Store, &[inner, index, _]) = (terms.op(array), terms.args(array)) else { break };
        let hit = contains(terms, from, count, step, index);
        if terms.as_bool(hit) != Some(false) {
            break;
        }
        array = inner;
    }
    array
}

/// Whether a segment has no index (`Some(false)`) or just one (`Some(true)`), if its size tells.
fn single(terms: &Terms, count: Term, step: u64) -> Option<bool> {
    let count = terms.as_bits(count)?;
    if count.is_zero() {
        return Some(false);
    }
    count.to_u64().is_some_and(|count| count <= step).then_some(true)
}

pub(super) fn within(terms: &mut Terms, array: Term, from: Term, count: Term, step: u64, low: Term, high: Term) -> Option<Term> {
    let range = terms.sub(high, low);
    if single(terms, count, step) == Some(false) || terms.as_bits(range).is_some_and(|range| range.is_ones()) {
        return Some(terms.bool(true));
    }
    if single(terms, count, step) == Some(true) {
        let element = terms.select(array, from);
        return Some(is_between(terms, element, low, high));
    }
    if let (Op::ConstantArray, &[value]) = (terms.op(array), terms.args(array)) {
        let (fits, some) = (is_between(terms, value, low, high), terms.nonzero(count));
        return Some(terms.implies(some, fits));
    }
    let inner = inside(terms, array, from, count, step);
    (inner != array).then(|| terms.within(inner, from, count, step, low, high))
}

pub(super) fn agree(terms: &mut Terms, a: (Term, Term), b: (Term, Term), count: Term, step: u64) -> Option<Term> {
    if a == b || single(terms, count, step) == Some(false) {
        return Some(terms.bool(true));
    }
    if single(terms, count, step) == Some(true) {
        let (x, y) = (terms.select(a.0, a.1), terms.select(b.0, b.1));
        return Some(terms.equal(x, y));
    }
    // The order of the two does not matter: there is one for both.
    if b < a {
        return Some(terms.agree(b.0, b.1, a.0, a.1, count, step));
    }
    let (x, y) = (inside(terms, a.0, a.1, count, step), inside(terms, b.0, b.1, count, step));
    (x != a.0 || y != b.0).then(|| terms.agree(x, a.1, y, b.1, count, step))
}

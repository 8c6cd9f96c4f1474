//! Rules for facts about segments of arrays.

use super::ite_parts;
use crate::op::Op;
use crate::segment::{self, contains, is_between, parts, whole};
use crate::term::{Term, Terms};

/// How many writes a fact looks through.
const DEPTH: usize = 256;

/// The array without the last writes, as far as they are certainly elsewhere.
fn before_writes(terms: &mut Terms, array: Term, hits: impl Fn(&mut Terms, Term) -> Term) -> Term {
    let mut array = array;
    for _ in 0..DEPTH {
        let (Op::Store, &[inner, index, _]) = (terms.op(array), terms.args(array)) else { break };
        let hit = hits(terms, index);
        if terms.as_bool(hit) != Some(false) {
            break;
        }
        array = inner;
    }
    array
}

/// Among how many segments a fact about one that is chosen is told apart.
const CASES: usize = 16;

/// What of a segment can be told from its ends alone.
enum Extent {
    /// It has no index.
    Empty,
    /// It has no index but its first, and that one under this condition.
    First(Term),
    /// Nothing.
    Any,
}

fn extent(terms: &mut Terms, from: Term, end: Term, step: u64) -> Extent {
    let (_, start) = parts(terms, from, terms.width(end));
    let (some, size) = (terms.ult(start, end), terms.sub(end, start));
    match terms.as_bits(size) {
        _ if terms.as_bool(some) == Some(false) => Extent::Empty,
        Some(size) if size.to_u64().is_some_and(|size| size <= step) => Extent::First(some),
        _ => Extent::Any,
    }
}

pub(super) fn within(terms: &mut Terms, array: Term, (from, end): (Term, Term), step: u64, low: Term, high: Term) -> Option<Term> {
    let range = terms.sub(high, low);
    if terms.as_bits(range).is_some_and(|range| range.is_ones()) {
        return Some(terms.bool(true));
    }
    match extent(terms, from, end, step) {
        Extent::Empty => return Some(terms.bool(true)),
        Extent::First(some) => {
            let element = terms.select(array, from);
            let fits = is_between(terms, element, low, high);
            return Some(terms.implies(some, fits));
        }
        Extent::Any => {}
    }
    if let (Op::ConstantArray, &[value]) = (terms.op(array), terms.args(array)) {
        let fits = is_between(terms, value, low, high);
        let (_, start) = parts(terms, from, terms.width(end));
        let some = terms.ult(start, end);
        return Some(terms.implies(some, fits));
    }
    if let Some((condition, yes, no)) = segments(terms, from, end) {
        let yes = terms.within(array, yes.0, yes.1, step, low, high);
        let no = terms.within(array, no.0, no.1, step, low, high);
        return Some(terms.ite(condition, yes, no));
    }
    let inner = before_writes(terms, array, |terms, index| contains(terms, from, end, step, index));
    (inner != array).then(|| terms.within(inner, from, end, step, low, high))
}

/// The first index of a segment, and its end.
type Ends = (Term, Term);

/// Both ends in each case, where one condition chooses between two segments.
///
/// A solver has to find out bit by bit that comparisons with a choice are comparisons with what was chosen. Told apart, what is known of one of the cases
/// is the same term: after an iteration, a pointer is mostly what it was before, or a new one.
fn segments(terms: &mut Terms, from: Term, end: Term) -> Option<(Term, Ends, Ends)> {
    // A pointer is a choice, or its two parts are.
    let (high, low) = if ite_parts(terms, from).is_some() { (None, from) } else { parts(terms, from, terms.width(end)) };
    let all = [high.unwrap_or(low), low, end];
    let (condition, _, _) = all.iter().find_map(|&part| ite_parts(terms, part))?;
    let mut both = (all, all);
    for (place, part) in all.into_iter().enumerate() {
        let Some((other, yes, no)) = ite_parts(terms, part) else { continue };
        if other != condition || choices(terms, part, CASES) > CASES {
            return None;
        }
        (both.0[place], both.1[place]) = (yes, no);
    }
    let mut ends = |[first, low, end]: [Term; 3]| (whole(terms, (high.map(|_| first), low)), end);
    let (yes, no) = (ends(both.0), ends(both.1));
    Some((condition, yes, no))
}

/// Among how many values a term chooses, counted up to one more than a limit.
fn choices(terms: &Terms, term: Term, limit: usize) -> usize {
    match ite_parts(terms, term) {
        Some((_, yes, no)) if limit > 0 => {
            let first = choices(terms, yes, limit);
            if first > limit { first } else { first + choices(terms, no, limit - first) }
        }
        _ => 1,
    }
}

pub(super) fn agree(terms: &mut Terms, a: (Term, Term), b: (Term, Term), end: Term, step: u64) -> Option<Term> {
    if a == b {
        return Some(terms.bool(true));
    }
    match extent(terms, a.1, end, step) {
        Extent::Empty => return Some(terms.bool(true)),
        Extent::First(some) => {
            let (x, y) = (terms.select(a.0, a.1), terms.select(b.0, b.1));
            let same = terms.equal(x, y);
            return Some(terms.implies(some, same));
        }
        Extent::Any => {}
    }
    // The order of the two does not matter if they are about the same indices: there is one for both.
    if a.1 == b.1 && b.0 < a.0 {
        return Some(terms.agree(b.0, b.1, a.0, a.1, end, step));
    }
    let x = before_writes(terms, a.0, |terms, index| contains(terms, a.1, end, step, index));
    let y = before_writes(terms, b.0, |terms, index| segment::contains_moved(terms, (b.1, a.1), end, step, index));
    (x != a.0 || y != b.0).then(|| terms.agree(x, a.1, y, b.1, end, step))
}

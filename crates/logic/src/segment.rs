//! Segments of arrays, and facts about all elements of an array or of a segment.

use crate::bits::Bits;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// The indices `from + d` for the distances `d < count` that are multiples of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) from: Bits,
    pub(crate) count: Bits,
    pub(crate) step: u64,
}

impl Segment {
    /// Its first index from `first` to `last`, which is not below `first`.
    pub(crate) fn first_between(&self, first: &Bits, last: &Bits) -> Option<Bits> {
        let (near, far) = (first.sub(&self.from), last.sub(&self.from));
        // Only where the segment begins do distances fall while indices rise.
        let distance = if far.ult(&near) { Bits::zero(near.width()) } else { multiple(&near, self.step)? };
        (distance.ule(&far) && distance.ult(&self.count)).then(|| self.from.add(&distance))
    }
    /// Whether this is one of its indices.
    pub(crate) fn contains(&self, index: &Bits) -> bool {
        self.first_between(index, index).is_some()
    }
}

/// The least multiple of a number that is not below a distance, if it has this width.
fn multiple(distance: &Bits, step: u64) -> Option<Bits> {
    let Some(step) = fitting(step, distance.width()) else { return distance.is_zero().then(|| distance.clone()) };
    let over = distance.urem(&step);
    if over.is_zero() {
        return Some(distance.clone());
    }
    let next = distance.sub(&over).add(&step);
    (!next.ult(distance)).then_some(next)
}

/// A step in this width; no distance of the width but 0 is a multiple of one that does not fit.
fn fitting(step: u64, width: u32) -> Option<Bits> {
    (width >= 64 || step >> width == 0).then(|| Bits::new(width, u128::from(step)))
}

/// Whether a value is between two bounds, see [`Op::Within`].
pub(crate) fn between(value: &Bits, low: &Bits, high: &Bits) -> bool {
    value.sub(low).ule(&high.sub(low))
}

/// A fact about all elements of arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// Two arrays are equal.
    Equal { a: Term, b: Term },
    /// See [`Op::Within`].
    Within { array: Term, from: Term, count: Term, step: u64, low: Term, high: Term },
    /// See [`Op::Agree`].
    Agree { a: Term, from_a: Term, b: Term, from_b: Term, count: Term, step: u64 },
}

impl Fact {
    /// What a term says, if it is such a fact.
    pub(crate) fn of(terms: &Terms, term: Term) -> Option<Fact> {
        match (terms.op(term), terms.args(term)) {
            (Op::Equal, &[a, b]) if matches!(terms.sort(a), Sort::Array { .. }) => Some(Fact::Equal { a, b }),
            (Op::Within { step }, &[array, from, count, low, high]) => Some(Fact::Within { array, from, count, step, low, high }),
            (Op::Agree { step }, &[a, from_a, b, from_b, count]) => Some(Fact::Agree { a, from_a, b, from_b, count, step }),
            _ => None,
        }
    }
    /// The arrays that it is about.
    pub(crate) fn arrays(self) -> (Term, Option<Term>) {
        match self {
            Fact::Equal { a, b } | Fact::Agree { a, b, .. } => (a, Some(b)),
            Fact::Within { array, .. } => (array, None),
        }
    }
    /// What it says about one index (of the first array).
    pub(crate) fn instance(self, terms: &mut Terms, index: Term) -> Term {
        match self {
            Fact::Equal { a, b } => {
                let (x, y) = (terms.select(a, index), terms.select(b, index));
                terms.equal(x, y)
            }
            Fact::Within { array, from, count, step, low, high } => {
                let inside = contains(terms, from, count, step, index);
                let element = terms.select(array, index);
                let fits = is_between(terms, element, low, high);
                terms.implies(inside, fits)
            }
            Fact::Agree { a, from_a, b, from_b, count, step } => {
                let inside = contains(terms, from_a, count, step, index);
                let other = moved(terms, index, from_a, from_b);
                let (x, y) = (terms.select(a, index), terms.select(b, other));
                let same = terms.equal(x, y);
                terms.implies(inside, same)
            }
        }
    }
}

/// The index as far from one place as another is from another place.
pub(crate) fn moved(terms: &mut Terms, index: Term, from: Term, to: Term) -> Term {
    let distance = terms.sub(index, from);
    terms.add(to, distance)
}

/// Whether an index is one of a segment.
pub(crate) fn contains(terms: &mut Terms, from: Term, count: Term, step: u64, index: Term) -> Term {
    let distance = terms.sub(index, from);
    let (near, regular) = (is_less(terms, distance, count), is_multiple(terms, distance, step));
    terms.and(near, regular)
}

/// `x < y`. What is less than `y + 1` is not more than `y`: so a segment that is one longer than another is compared with it without the sum.
fn is_less(terms: &mut Terms, x: Term, y: Term) -> Term {
    if let (Op::Add, &[a, b]) = (terms.op(y), terms.args(y)) {
        for (one, rest) in [(a, b), (b, a)] {
            if terms.as_bits(one).is_some_and(Bits::is_one) {
                let ones = terms.ones(terms.width(rest));
                let (fits, less) = (terms.differ(rest, ones), terms.ule(x, rest));
                return terms.and(fits, less);
            }
        }
    }
    terms.ult(x, y)
}

/// Whether a distance is a multiple of a step: its lowest bits are 0, and the others are a multiple of the odd part.
fn is_multiple(terms: &mut Terms, distance: Term, step: u64) -> Term {
    let (width, shift) = (terms.width(distance), step.trailing_zeros());
    if shift >= width || fitting(step, width).is_none() {
        let zero = terms.zero(width);
        return terms.equal(distance, zero);
    }
    let mut result = terms.bool(true);
    if shift > 0 {
        let (low, zero) = (terms.extract(distance, shift - 1, 0), terms.zero(shift));
        result = terms.equal(low, zero);
    }
    if step >> shift > 1 {
        let high = terms.extract(distance, width - 1, shift);
        let (odd, zero) = (terms.number(width - shift, u128::from(step >> shift)), terms.zero(width - shift));
        let rest = terms.urem(high, odd);
        let divides = terms.equal(rest, zero);
        result = terms.and(result, divides);
    }
    result
}

/// Whether a value is between two bounds.
pub(crate) fn is_between(terms: &mut Terms, value: Term, low: Term, high: Term) -> Term {
    if low == high {
        return terms.equal(value, low);
    }
    let (distance, range) = (terms.sub(value, low), terms.sub(high, low));
    terms.ule(distance, range)
}

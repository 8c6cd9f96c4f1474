//! Segments of arrays, and facts about all elements of an array or of a segment.

use crate::bits::Bits;
use crate::op::Op;
use crate::runs::{self, Run};
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
    /// The segment between a beginning and an end, see [`Op::Within`]. It does not wrap around.
    pub(crate) fn between(from: Bits, end: &Bits, step: u64) -> Self {
        let low = from.extract(end.width() - 1, 0);
        let count = if low.ult(end) { end.sub(&low) } else { Bits::zero(end.width()) };
        Segment { count: count.zero_extend(from.width()), from, step }
    }
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
    /// The first index, in the order of its two parts, whose element is not the one as far behind another index, by so many low bits.
    pub(crate) fn differs(&self, a: &[Run], b: &[Run], other: &Bits, low: u32) -> Option<Bits> {
        // Behind this distance the low bits of the other index wrap around: its high bits stay as they are.
        let width = other.width();
        let room = other.extract(low - 1, 0).neg().zero_extend(width);
        let room = if room.is_zero() { self.count.clone() } else { room };
        let back = Bits::one(width + 1).shl(&Bits::new(width + 1, low.into())).extract(width - 1, 0);
        let ways = [self.from.sub(other), self.from.sub(other).add(&back)];
        let found = self.divided(&room).into_iter().zip(&ways);
        found.into_iter().find_map(|(part, move_by)| runs::difference(a, b, move_by, Some(&part)))
    }
    /// The part up to a distance, and the part from there on.
    fn divided(&self, distance: &Bits) -> [Segment; 2] {
        let first = if distance.ult(&self.count) { distance } else { &self.count };
        let near = Segment { count: first.clone(), ..self.clone() };
        let start = multiple(distance, self.step).filter(|start| start.ult(&self.count));
        let far = start.map(|start| Segment { from: self.from.add(&start), count: self.count.sub(&start), step: self.step });
        [near, far.unwrap_or_else(|| Segment { count: Bits::zero(self.count.width()), ..self.clone() })]
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
    Within { array: Term, from: Term, end: Term, step: u64, low: Term, high: Term },
    /// See [`Op::Agree`].
    Agree { a: Term, from_a: Term, b: Term, from_b: Term, end: Term, step: u64 },
}

impl Fact {
    /// What a term says, if it is such a fact.
    pub(crate) fn of(terms: &Terms, term: Term) -> Option<Fact> {
        match (terms.op(term), terms.args(term)) {
            (Op::Equal, &[a, b]) if matches!(terms.sort(a), Sort::Array { .. }) => Some(Fact::Equal { a, b }),
            (Op::Within { step }, &[array, from, end, low, high]) => Some(Fact::Within { array, from, end, step, low, high }),
            (Op::Agree { step }, &[a, from_a, b, from_b, end]) => Some(Fact::Agree { a, from_a, b, from_b, end, step }),
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
    /// The beginning and the end of its segment, in its first array, and the step.
    pub(crate) fn segment(self) -> Option<(Term, Term, u64)> {
        match self {
            Fact::Equal { .. } => None,
            Fact::Within { from, end, step, .. } | Fact::Agree { from_a: from, end, step, .. } => Some((from, end, step)),
        }
    }
    /// What it says about one index (of the first array).
    pub(crate) fn instance(self, terms: &mut Terms, index: Term) -> Term {
        match self {
            Fact::Equal { a, b } => {
                let (x, y) = (terms.select(a, index), terms.select(b, index));
                terms.equal(x, y)
            }
            Fact::Within { array, from, end, step, low, high } => {
                let inside = contains(terms, from, end, step, index);
                let element = terms.select(array, index);
                let fits = is_between(terms, element, low, high);
                terms.implies(inside, fits)
            }
            Fact::Agree { a, from_a, b, from_b, end, step } => {
                let inside = contains(terms, from_a, end, step, index);
                let other = moved(terms, index, from_a, from_b, terms.width(end));
                let (x, y) = (terms.select(a, index), terms.select(b, other));
                let same = terms.equal(x, y);
                terms.implies(inside, same)
            }
        }
    }
}

/// The high bits of an index, if there are any, and so many low ones.
pub(crate) fn parts(terms: &mut Terms, index: Term, low: u32) -> (Option<Term>, Term) {
    let width = terms.width(index);
    if low >= width {
        return (None, index);
    }
    (Some(terms.extract(index, width - 1, low)), terms.extract(index, low - 1, 0))
}

/// The index of these parts.
pub(crate) fn whole(terms: &mut Terms, (high, low): (Option<Term>, Term)) -> Term {
    high.map_or(low, |high| terms.concat(high, low))
}

/// The index as far behind one place as another is behind another place, by so many low bits: of an index with the same high bits as the first place.
pub(crate) fn moved(terms: &mut Terms, index: Term, from: Term, to: Term, low: u32) -> Term {
    if from == to {
        return index;
    }
    let ((_, from), (_, index), (high, to)) = (parts(terms, from, low), parts(terms, index, low), parts(terms, to, low));
    let distance = terms.sub(index, from);
    let there = terms.add(to, distance);
    whole(terms, (high, there))
}

/// The same for an index of a model.
pub(crate) fn moved_bits(index: &Bits, from: &Bits, to: &Bits, low: u32) -> Bits {
    let part = |bits: &Bits| bits.extract(low - 1, 0);
    let there = part(to).add(&part(index).sub(&part(from)));
    if low >= to.width() { there } else { to.extract(to.width() - 1, low).concat(&there) }
}

/// Whether two indices have the same bits above the low ones.
pub(crate) fn share_high(terms: &mut Terms, one: Term, other: Term, low: u32) -> Term {
    let (one, other) = (parts(terms, one, low).0, parts(terms, other, low).0);
    match one.zip(other) {
        Some((one, other)) => terms.equal(one, other),
        None => terms.bool(true),
    }
}

/// Whether an index is one of a segment, see [`Op::Within`]. Ends are compared with, not sizes with distances: the comparison with an end is the same
/// for all segments that begin or end there.
pub(crate) fn contains(terms: &mut Terms, from: Term, end: Term, step: u64, index: Term) -> Term {
    let low = terms.width(end);
    let same = share_high(terms, from, index, low);
    let ((_, start), (_, place)) = (parts(terms, from, low), parts(terms, index, low));
    let (behind, before) = (terms.ule(start, place), is_less(terms, place, end));
    let distance = terms.sub(place, start);
    let regular = is_multiple(terms, distance, step);
    terms.all([same, behind, before, regular])
}

/// Whether an index is as far behind a place as an index of a segment is behind its beginning.
pub(crate) fn contains_moved(terms: &mut Terms, (place, from): (Term, Term), end: Term, step: u64, index: Term) -> Term {
    let low = terms.width(end);
    let back = moved(terms, index, place, from, low);
    let (same, inside) = (share_high(terms, index, place, low), contains(terms, from, end, step, back));
    terms.and(same, inside)
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

/// Whether an index is one of the `count` from another one on, which may wrap around.
pub(crate) fn is_copied(terms: &mut Terms, to: Term, count: Term, index: Term) -> Term {
    let distance = terms.sub(index, to);
    terms.ult(distance, count)
}

/// The index as far from one place as another is from another place.
pub(crate) fn shifted(terms: &mut Terms, index: Term, from: Term, to: Term) -> Term {
    let distance = terms.sub(index, from);
    terms.add(to, distance)
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

//! Measures: numbers of states at the head of a loop, computed so wide that nothing wraps.

use std::rc::Rc;

use encode::Round;
use logic::{Bits, Term, Terms};

/// A number of a state at the head of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Factors, and positions of what the rounds measure.
    pub parts: Vec<(i64, usize)>,
    /// What is made of the sum.
    pub shape: Shape,
    /// A decrease counts only where the measure is at least this much before it.
    pub bound: Option<i128>,
    /// It is 0 where this does not hold.
    pub when: Option<When>,
}

/// What something that rounds measure is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct When {
    /// The position of what is measured.
    pub part: usize,
    /// With what.
    pub limit: i128,
    /// Whether it must be at least that much, or less.
    pub at_least: bool,
}

/// What is made of a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Itself.
    Exact,
    /// Its remainder modulo 2 to this power, not negative.
    Modulo(u32),
    /// The sum or this number, whichever is greater.
    AtLeast(i128),
    /// The sum or this number, whichever is less.
    AtMost(i128),
    /// 1 if it is this number, else 0.
    Is(i128),
    /// 1 if it is not this number, else 0.
    IsNot(i128),
    /// How many of so many low bits are 1.
    Ones(u32),
    /// How many of so many low bits are 0.
    Zeros(u32),
    /// How many of so many low bits are below the lowest 1; all, if there is none.
    TrailingZeros(u32),
    /// … and how many are not.
    WithoutTrailing(u32),
    /// How many of so many low bits are above the highest 1; all, if there is none.
    LeadingZeros(u32),
    /// … and how many are not.
    WithoutLeading(u32),
    /// No sum, but the greatest of its parts.
    Greatest,
    /// No sum, but the least of its parts.
    Least,
    /// No sum, but the rank of the first row that its parts match; 0 if there is none.
    Rank(Rc<[Row]>),
}

/// Values with a rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// A value for each part; none where any will do.
    pub values: Vec<Option<i128>>,
    /// The rank.
    pub rank: u32,
}

impl Row {
    /// Whether values are those of the row.
    pub fn matches(&self, values: &[i128]) -> bool {
        self.values.len() == values.len()
            && self.values.iter().zip(values).all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
    }

    fn term(&self, terms: &mut Terms, parts: &[Term]) -> Term {
        if parts.len() != self.values.len() {
            return terms.bool(false);
        }
        let mut same = Vec::new();
        for (&part, value) in parts.iter().zip(&self.values) {
            if let Some(value) = value {
                let width = terms.width(part).max(width_of(*value));
                let (part, value) = (terms.sign_extend(part, width), terms.bits(Bits::signed(width, *value)));
                same.push(terms.equal(part, value));
            }
        }
        terms.all(same)
    }
}

/// The rank of values, as a signed number.
fn rank(terms: &mut Terms, rows: &[Row], parts: &[Term]) -> Term {
    let mut rank = terms.zero(u32::BITS + 1);
    for row in rows.iter().rev() {
        let (matches, own) = (row.term(terms, parts), terms.number(u32::BITS + 1, row.rank.into()));
        rank = terms.ite(matches, own, rank);
    }
    rank
}

impl Measure {
    /// The measure at the head, and when control comes there again: signed numbers of one width.
    pub fn terms(&self, terms: &mut Terms, round: &Round) -> Option<(Term, Term)> {
        let (head, again) = match &self.shape {
            Shape::Rank(rows) => self.ranks(terms, round, rows)?,
            _ => self.sums(terms, round)?,
        };
        let Some(when) = self.when else { return Some((head, again)) };
        let measured = round.measured.get(when.part)?;
        let zero = terms.zero(terms.width(head));
        let [here, there] = [measured.head, measured.again].map(|term| when.term(terms, term));
        Some((terms.ite(here, head, zero), terms.ite(there, again, zero)))
    }

    fn ranks(&self, terms: &mut Terms, round: &Round, rows: &[Row]) -> Option<(Term, Term)> {
        let measured: Option<Vec<_>> = self.parts.iter().map(|&(_, part)| round.measured.get(part)).collect();
        let (head, again): (Vec<Term>, Vec<Term>) = measured?.iter().map(|measured| (measured.head, measured.again)).unzip();
        Some((rank(terms, rows, &head), rank(terms, rows, &again)))
    }

    fn sums(&self, terms: &mut Terms, round: &Round) -> Option<(Term, Term)> {
        let mut widest = self.shape.width().max(self.bound.map_or(1, width_of));
        let mut factors: u64 = 1;
        for &(factor, part) in &self.parts {
            let measured = round.measured.get(part)?;
            widest = widest.max(terms.width(measured.head)).max(terms.width(measured.again));
            factors = factors.checked_add(factor.unsigned_abs())?;
        }
        // So wide, no sum of multiples wraps.
        let width = widest + u64::BITS - factors.leading_zeros() + 1;
        let mut ends: [Option<Term>; 2] = [None; 2];
        for &(factor, part) in &self.parts {
            let measured = round.measured.get(part)?;
            for (end, term) in ends.iter_mut().zip([measured.head, measured.again]) {
                let wide = terms.sign_extend(term, width);
                let factor = terms.bits(Bits::signed(width, i128::from(factor)));
                let product = terms.mul(wide, factor);
                *end = Some(end.map_or(product, |end| self.shape.join(terms, end, product)));
            }
        }
        let [head, again] = ends.map(|end| {
            let end = end.unwrap_or_else(|| terms.zero(width));
            self.shape.term(terms, end)
        });
        Some((head, again))
    }
}

impl When {
    /// That it holds at the head of a round.
    pub fn holds(self, terms: &mut Terms, round: &Round) -> Option<Term> {
        Some(self.term(terms, round.measured.get(self.part)?.head))
    }

    fn term(self, terms: &mut Terms, part: Term) -> Term {
        let width = terms.width(part).max(width_of(self.limit)) + 1;
        let (part, limit) = (terms.sign_extend(part, width), terms.bits(Bits::signed(width, self.limit)));
        if self.at_least { terms.sle(limit, part) } else { terms.slt(part, limit) }
    }
}

impl Shape {
    /// How wide the numbers in it are.
    fn width(&self) -> u32 {
        match *self {
            Shape::AtLeast(number) | Shape::AtMost(number) | Shape::Is(number) | Shape::IsNot(number) => width_of(number),
            Shape::Modulo(bits)
            | Shape::Ones(bits)
            | Shape::Zeros(bits)
            | Shape::TrailingZeros(bits)
            | Shape::WithoutTrailing(bits)
            | Shape::LeadingZeros(bits)
            | Shape::WithoutLeading(bits) => bits,
            Shape::Exact | Shape::Greatest | Shape::Least | Shape::Rank(_) => 1,
        }
    }

    /// What two parts make.
    fn join(&self, terms: &mut Terms, a: Term, b: Term) -> Term {
        match self {
            Shape::Greatest | Shape::Least => {
                let less = terms.slt(a, b);
                let (low, high) = if *self == Shape::Greatest { (b, a) } else { (a, b) };
                terms.ite(less, low, high)
            }
            _ => terms.add(a, b),
        }
    }

    fn term(&self, terms: &mut Terms, sum: Term) -> Term {
        let width = terms.width(sum);
        let constant = |terms: &mut Terms, value: i128| terms.bits(Bits::signed(width, value));
        match *self {
            Shape::Exact | Shape::Greatest | Shape::Least | Shape::Rank(_) => sum,
            Shape::Modulo(power) => {
                let low = terms.extract(sum, power.clamp(1, width - 1) - 1, 0);
                terms.zero_extend(low, width)
            }
            Shape::AtLeast(least) => {
                let least = constant(terms, least);
                let below = terms.slt(sum, least);
                terms.ite(below, least, sum)
            }
            Shape::AtMost(most) => {
                let most = constant(terms, most);
                let above = terms.slt(most, sum);
                terms.ite(above, most, sum)
            }
            Shape::Is(value) | Shape::IsNot(value) => {
                let value = constant(terms, value);
                let is = terms.equal(sum, value);
                let is = if matches!(self, Shape::Is(_)) { is } else { terms.not(is) };
                let bit = terms.bit(is);
                terms.zero_extend(bit, 2)
            }
            Shape::Ones(bits) | Shape::Zeros(bits) => {
                let ones: Vec<Term> = (0..bits.min(width)).map(|bit| terms.extract(sum, bit, bit)).collect();
                count(terms, &ones, matches!(self, Shape::Ones(_)))
            }
            Shape::TrailingZeros(bits) | Shape::WithoutTrailing(bits) => {
                let seen = seen(terms, sum, 0..bits.min(width));
                count(terms, &seen, matches!(self, Shape::WithoutTrailing(_)))
            }
            Shape::LeadingZeros(bits) | Shape::WithoutLeading(bits) => {
                let seen = seen(terms, sum, (0..bits.min(width)).rev());
                count(terms, &seen, matches!(self, Shape::WithoutLeading(_)))
            }
        }
    }
}

/// For each bit in an order, whether there was a 1 up to it.
fn seen(terms: &mut Terms, number: Term, bits: impl Iterator<Item = u32>) -> Vec<Term> {
    let mut any = terms.zero(1);
    let mut seen = Vec::new();
    for bit in bits {
        let one = terms.extract(number, bit, bit);
        any = terms.bit_or(any, one);
        seen.push(any);
    }
    seen
}

/// How many bits are 1, or are not.
fn count(terms: &mut Terms, bits: &[Term], ones: bool) -> Term {
    let digits = usize::BITS - bits.len().leading_zeros() + 2;
    let mut count = terms.zero(digits);
    for &bit in bits {
        let counted = if ones { bit } else { terms.bit_not(bit) };
        let wide = terms.zero_extend(counted, digits);
        count = terms.add(count, wide);
    }
    count
}

/// A bound below this is one of a type's range rather than of a loop: nothing relies on it.
pub const LEAST: i128 = -(1 << 30);

/// How many bits a signed number needs.
pub(crate) fn width_of(number: i128) -> u32 {
    i128::BITS + 1 - number.unsigned_abs().leading_zeros()
}

impl Measure {
    /// Whether it cannot decrease for ever, even if signed numbers may leave their range.
    pub fn is_bounded(&self, round: &Round) -> bool {
        let wraps = || self.parts.iter().all(|&(_, part)| round.measured.get(part).is_some_and(|measured| measured.wraps));
        match self.shape {
            Shape::AtLeast(least) => least >= LEAST || wraps(),
            Shape::Is(_) | Shape::IsNot(_) | Shape::Rank(_) => true,
            Shape::Exact | Shape::Greatest | Shape::Least | Shape::AtMost(_) => wraps(),
            // Bits of what has no meaning count for nothing.
            Shape::Modulo(_)
            | Shape::Ones(_)
            | Shape::Zeros(_)
            | Shape::TrailingZeros(_)
            | Shape::WithoutTrailing(_)
            | Shape::LeadingZeros(_)
            | Shape::WithoutLeading(_) => wraps(),
        }
    }

    /// That a round increases it.
    pub fn increases(&self, terms: &mut Terms, round: &Round) -> Option<Term> {
        match self.change(terms, round)? {
            Some(lost) => {
                let zero = terms.zero(terms.width(lost));
                Some(terms.slt(lost, zero))
            }
            None => {
                let (head, again) = self.terms(terms, round)?;
                Some(terms.slt(head, again))
            }
        }
    }

    /// By how much a round decreases a sum of several parts, or of the elements of an array, from how much it decreases each of them: most rounds change them by constants, which a
    /// solver sees more easily than that one sum is less than another. Nothing for what is no such sum.
    #[allow(clippy::option_option, reason = "not there, another way, a change")]
    fn change(&self, terms: &mut Terms, round: &Round) -> Option<Option<Term>> {
        let is_sum = self.parts.iter().any(|&(_, part)| round.measured.get(part).is_some_and(|measured| measured.lost.is_some()));
        if self.parts.len() < 2 && !is_sum || self.shape != Shape::Exact || self.when.is_some() {
            return Some(None);
        }
        let (head, _) = self.terms(terms, round)?;
        // The sums do not wrap in this width, so their difference does not in one more bit.
        let width = terms.width(head) + 1;
        let mut change = terms.zero(width);
        for &(factor, part) in &self.parts {
            let measured = round.measured.get(part)?;
            let lost = match measured.lost {
                Some(lost) => terms.resize(lost, width, true),
                None => {
                    let [head, again] = [measured.head, measured.again].map(|end| terms.sign_extend(end, width));
                    terms.sub(head, again)
                }
            };
            let factor = terms.bits(Bits::signed(width, i128::from(factor)));
            let product = terms.mul(lost, factor);
            change = terms.add(change, product);
        }
        Some(Some(change))
    }

    /// By how much a round decreases it: a signed number.
    pub(crate) fn loss(&self, terms: &mut Terms, round: &Round) -> Option<Term> {
        if let Some(lost) = self.change(terms, round)? {
            return Some(lost);
        }
        let (head, again) = self.terms(terms, round)?;
        let width = terms.width(head).max(terms.width(again)) + 1;
        let [head, again] = [head, again].map(|end| terms.sign_extend(end, width));
        Some(terms.sub(head, again))
    }

    /// That a round decreases it, where that cannot happen for ever.
    pub fn decreases(&self, terms: &mut Terms, round: &Round) -> Option<Term> {
        let (head, again) = self.terms(terms, round)?;
        let less = match self.change(terms, round)? {
            Some(lost) => {
                let zero = terms.zero(terms.width(lost));
                terms.slt(zero, lost)
            }
            None => terms.slt(again, head),
        };
        match self.bound {
            Some(bound) if bound < LEAST => None,
            Some(bound) => {
                let bound = terms.bits(Bits::signed(terms.width(head), bound));
                let above = terms.sle(bound, head);
                Some(terms.and(less, above))
            }
            None => Some(less),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    /// A round from some numbers to 0.
    fn round(terms: &mut Terms, numbers: &[i128]) -> Round {
        let (yes, zero) = (terms.bool(true), terms.zero(70));
        let ends = numbers.iter().map(|number| example::measured(terms.bits(Bits::signed(70, *number)), zero, true)).collect();
        example::round(terms, yes, ends)
    }

    fn value(numbers: &[i128], shape: Shape) -> i128 {
        let mut terms = Terms::new();
        let round = round(&mut terms, numbers);
        let parts = (0..numbers.len()).map(|part| (1, part)).collect();
        let (head, _) = Measure { parts, shape, bound: None, when: None }.terms(&mut terms, &round).unwrap();
        terms.as_bits(head).unwrap().to_i128().unwrap()
    }

    #[test]
    fn bits_are_counted() {
        for number in [0_u64, 1, 2, 12, 1 << 40, u64::MAX, u64::MAX << 7] {
            let (signed, zeros) = (i128::from(number), |count: u32| i128::from(count));
            assert_eq!(value(&[signed], Shape::Ones(64)), zeros(number.count_ones()));
            assert_eq!(value(&[signed], Shape::Zeros(64)), zeros(number.count_zeros()));
            assert_eq!(value(&[signed], Shape::TrailingZeros(64)), zeros(number.trailing_zeros()));
            assert_eq!(value(&[signed], Shape::WithoutTrailing(64)), 64 - zeros(number.trailing_zeros()));
            assert_eq!(value(&[signed], Shape::LeadingZeros(64)), zeros(number.leading_zeros()));
            assert_eq!(value(&[signed], Shape::WithoutLeading(64)), 64 - zeros(number.leading_zeros()));
        }
    }

    #[test]
    fn the_first_row_counts() {
        let row = |values: &[Option<i128>], rank| Row { values: values.to_vec(), rank };
        let rows: Rc<[Row]> = [row(&[Some(3), Some(-4)], 7), row(&[Some(3), None], 5), row(&[None, Some(0)], 2)].into();
        for (numbers, rank) in [([3, -4], 7), ([3, 0], 5), ([1, 0], 2), ([1, 1], 0)] {
            assert_eq!(value(&numbers, Shape::Rank(rows.clone())), rank, "{numbers:?}");
        }
    }

    #[test]
    fn a_sum_changes_as_its_parts_do() {
        let numbers = [-(1 << 69), -5, 0, 3, (1 << 69) - 1];
        for (first, second) in numbers.into_iter().flat_map(|first| numbers.map(|second| (first, second))) {
            for factors in [[1, 1], [i64::MAX, -3], [i64::MIN, 7]] {
                let mut terms = Terms::new();
                let round = round(&mut terms, &[first, second]);
                let parts = vec![(factors[0], 0), (factors[1], 1)];
                let measure = Measure { parts, shape: Shape::Exact, bound: None, when: None };
                let (head, again) = measure.terms(&mut terms, &round).unwrap();
                let [less, more] = [terms.slt(again, head), terms.slt(head, again)].map(|term| terms.as_bool(term));
                let (decreases, increases) =
                    (measure.decreases(&mut terms, &round).unwrap(), measure.increases(&mut terms, &round).unwrap());
                assert_eq!([terms.as_bool(decreases), terms.as_bool(increases)], [less, more]);
            }
        }
    }
}

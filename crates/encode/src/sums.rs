//! Exact sums of numbers of different widths, and how they compare with 0.
//!
//! That `(p + n) + (room - n)` is at most what `p + room` was is hard to see bit by bit and easy to see symbol by symbol. A number that is computed as a sum
//! modulo a power of two is that sum exactly if the sum is in the number's range. So a comparison of exact sums is the comparison of what is left when
//! summands are taken apart and cancelled, where all these sums are in range, and the plain one elsewhere: both say the same.

use logic::{Bits, Op, Term, Terms};

use crate::formula::Relation;

/// So many cases are told apart where the numbers depend on the way that control took.
const CASES: u32 = 24;
/// So many operators of a number are taken apart.
const ROOM: u32 = 24;

/// A multiple of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Summand {
    pub(crate) factor: i64,
    pub(crate) term: Term,
    pub(crate) signed: bool,
}

/// A sum of integers, not of their remainders.
#[derive(Clone, Default)]
pub(crate) struct Sum {
    pub(crate) parts: Vec<Summand>,
    pub(crate) constant: i128,
}

impl Sum {
    /// Its value: wide enough that nothing wraps.
    pub(crate) fn exact(&self, terms: &mut Terms) -> Option<Term> {
        let width = |part: &Summand| terms.width(part.term) + 1 + (u64::BITS - part.factor.unsigned_abs().leading_zeros());
        let constant = i128::BITS + 1 - self.constant.unsigned_abs().leading_zeros();
        let most = self.parts.iter().map(width).max().unwrap_or(0).max(constant);
        let width = most + usize::BITS - (self.parts.len() + 1).leading_zeros();
        if self.constant.unsigned_abs() >= 1 << 100 {
            return None;
        }
        let mut total = terms.bits(Bits::signed(width, self.constant));
        for part in &self.parts {
            let term = terms.resize(part.term, width, part.signed);
            let size = terms.number(width, u128::from(part.factor.unsigned_abs()));
            let product = terms.mul(term, size);
            total = if part.factor < 0 { terms.sub(total, product) } else { terms.add(total, product) };
        }
        Some(total)
    }

    /// How it compares with 0: what is added on one side, what is subtracted on the other. So `a - b <= 0` and `a - b > 0` become the same
    /// comparison of `a` and `b`, and no question is about the arithmetic that would tell this.
    pub(crate) fn compared(&self, terms: &mut Terms, relation: Relation) -> Option<Term> {
        let strict = relation == Relation::AtMost && self.constant > 0;
        let constant = if strict { self.constant - 1 } else { self.constant };
        let side = |sign: i64| {
            let parts = self.parts.iter().filter(|part| part.factor.signum() == sign);
            let parts = parts.map(|part| Some(Summand { factor: part.factor.checked_abs()?, ..*part })).collect::<Option<_>>()?;
            Some(Sum { parts, constant: constant.checked_mul(i128::from(sign))?.max(0) })
        };
        let (left, right) = (side(1)?.exact(terms)?, side(-1)?.exact(terms)?);
        let width = terms.width(left).max(terms.width(right));
        let (left, right) = (terms.sign_extend(left, width), terms.sign_extend(right, width));
        Some(match relation {
            Relation::Equal => terms.equal(left, right),
            Relation::Different => terms.differ(left, right),
            Relation::AtMost if strict => terms.slt(left, right),
            Relation::AtMost => terms.sle(left, right),
        })
    }

    /// The same, without what is common to numbers of the sum that were computed from others.
    pub(crate) fn settled(&self, terms: &mut Terms, relation: Relation) -> Option<Term> {
        let is_computed = |part: &&Summand| matches!(terms.op(part.term), Op::Add | Op::Sub | Op::Ite);
        if self.parts.iter().filter(is_computed).count() > 1 {
            let (mut cases, mut useful) = (CASES, false);
            if let Some(term) = self.by_cases(terms, relation, (&mut cases, &mut useful)).filter(|_| useful) {
                return Some(term);
            }
        }
        self.compared(terms, relation)
    }

    /// The same for each way that control may have taken; nothing if there are too many.
    fn by_cases(&self, terms: &mut Terms, relation: Relation, (cases, useful): (&mut u32, &mut bool)) -> Option<Term> {
        if let Some(condition) = self.parts.iter().find_map(|part| choice(terms, part.term, ROOM)) {
            *cases = cases.checked_sub(1)?;
            let [holds, fails] = [true, false].map(|value| {
                let chosen = |part: &Summand| Summand { term: with(terms, part.term, condition, value, ROOM), ..*part };
                Sum { parts: self.parts.iter().map(chosen).collect(), constant: self.constant }
            });
            let holds = holds.by_cases(terms, relation, (cases, useful))?;
            let fails = fails.by_cases(terms, relation, (cases, useful))?;
            return Some(terms.ite(condition, holds, fails));
        }
        let plain = self.compared(terms, relation)?;
        let Some((cancelled, in_range)) = self.cancelled(terms) else { return Some(plain) };
        *useful = true;
        let cancelled = cancelled.compared(terms, relation)?;
        Some(terms.ite(in_range, cancelled, plain))
    }

    /// The sum with its numbers taken apart, and when it is the same; nothing if nothing is cancelled.
    fn cancelled(&self, terms: &mut Terms) -> Option<(Sum, Term)> {
        let mut whole = Sum::default();
        for part in &self.parts {
            whole.add_value(terms, *part, (&[], &mut Vec::new()), ROOM)?;
        }
        let mut total = Sum { parts: Vec::new(), constant: self.constant };
        let mut in_range = Vec::new();
        let mut summands = 0;
        for part in &self.parts {
            let mut own = Sum::default();
            own.add_value(terms, Summand { factor: 1, ..*part }, (&whole.parts, &mut in_range), ROOM)?;
            summands += own.parts.len();
            total.add_multiple(part.factor, &own)?;
        }
        let fewer = total.parts.len() < summands && total.constant.unsigned_abs() < 1 << 100;
        fewer.then(|| (total, terms.all(in_range)))
    }

    /// Adds a multiple of a number: of the sum that it is computed from, if that is in its range.
    fn add_value(&mut self, terms: &mut Terms, of: Summand, (wanted, in_range): (&[Summand], &mut Vec<Term>), room: u32) -> Option<()> {
        let mut own = Sum::default();
        own.take_apart(terms, Summand { factor: 1, ..of }, (wanted, in_range), room)?;
        if own.parts != [Summand { factor: 1, ..of }] || own.constant != 0 {
            in_range.push(own.is_in_range(terms, terms.width(of.term), of.signed)?);
        }
        self.add_multiple(of.factor, &own)
    }

    /// Adds a multiple of what is congruent to a number modulo 2 to the power of the number's width: the sums and differences that it is computed from
    /// without their wrapping around, extensions as what they extend, and of cut-off numbers the whole if that is wanted.
    fn take_apart(&mut self, terms: &mut Terms, of: Summand, (wanted, in_range): (&[Summand], &mut Vec<Term>), room: u32) -> Option<()> {
        let node = terms.node(of.term).clone();
        let minus = of.factor.checked_neg()?;
        match (node.op, node.args.as_slice(), room.checked_sub(1)) {
            (Op::Add | Op::Sub, &[a, b], Some(room)) => {
                self.take_apart(terms, Summand { term: a, ..of }, (wanted, &mut *in_range), room)?;
                let factor = if node.op == Op::Sub { minus } else { of.factor };
                self.take_apart(terms, Summand { factor, term: b, ..of }, (wanted, in_range), room)
            }
            (Op::Neg | Op::BitNot, &[a], Some(room)) => {
                // All bits turned are one less than the negative number.
                let less = if node.op == Op::BitNot { of.factor } else { 0 };
                self.constant = self.constant.checked_sub(i128::from(less))?;
                self.take_apart(terms, Summand { factor: minus, term: a, ..of }, (wanted, in_range), room)
            }
            (Op::SignExtend | Op::ZeroExtend, &[inner], Some(room)) => {
                let signed = node.op == Op::SignExtend;
                self.add_value(terms, Summand { term: inner, signed, ..of }, (wanted, in_range), room)
            }
            (op, args, _) => {
                if let Some(bits) = terms.as_bits(of.term) {
                    let value = signed_value(bits.low_u128(), bits.width())?;
                    self.constant = self.constant.checked_add(value.checked_mul(i128::from(of.factor))?)?;
                    return Some(());
                }
                let whole = |summand: &&Summand| op == Op::Extract(0) && args == [summand.term];
                let whole = wanted.iter().find(whole).map_or(of, |summand| Summand { factor: of.factor, ..*summand });
                // With and without a sign it is congruent to the same: one of them is enough.
                let unsigned = wanted.iter().any(|summand| summand.term == whole.term && !summand.signed);
                self.add(Summand { signed: whole.signed && !unsigned, ..whole })
            }
        }
    }

    /// Adds a multiple of another sum.
    fn add_multiple(&mut self, factor: i64, other: &Sum) -> Option<()> {
        for part in &other.parts {
            self.add(Summand { factor: part.factor.checked_mul(factor)?, ..*part })?;
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(i128::from(factor))?)?;
        Some(())
    }

    /// Adds a multiple of a number.
    fn add(&mut self, new: Summand) -> Option<()> {
        match self.parts.iter().position(|part| part.term == new.term && part.signed == new.signed) {
            Some(place) => {
                self.parts[place].factor = self.parts[place].factor.checked_add(new.factor)?;
                if self.parts[place].factor == 0 {
                    self.parts.remove(place);
                }
            }
            None => self.parts.push(new),
        }
        Some(())
    }

    /// That it can be the value of a number of this width.
    fn is_in_range(&self, terms: &mut Terms, width: u32, signed: bool) -> Option<Term> {
        if width >= 100 {
            return None;
        }
        let (low, high) = if signed { (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1) } else { (0, (1i128 << width) - 1) };
        let value = self.exact(terms)?;
        let wide = terms.width(value).max(width + 2);
        let value = terms.sign_extend(value, wide);
        let (low, high) = (terms.bits(Bits::signed(wide, low)), terms.bits(Bits::signed(wide, high)));
        let (above, below) = (terms.sle(low, value), terms.sle(value, high));
        Some(terms.and(above, below))
    }
}

/// The number with a sign that a pattern of this width stands for.
fn signed_value(pattern: u128, width: u32) -> Option<i128> {
    let shift = u128::BITS.checked_sub(width).filter(|shift| *shift < u128::BITS)?;
    Some(((pattern << shift) as i128) >> shift)
}

/// The first condition on which depends what a number is computed from.
fn choice(terms: &Terms, term: Term, room: u32) -> Option<Term> {
    let room = room.checked_sub(1)?;
    let node = terms.node(term);
    match (node.op, node.args.as_slice()) {
        (Op::Ite, &[condition, _, _]) => Some(condition),
        (Op::Add | Op::Sub, args) => args.iter().find_map(|arg| choice(terms, *arg, room)),
        _ => None,
    }
}

/// The number if a condition has this value.
fn with(terms: &mut Terms, term: Term, condition: Term, value: bool, room: u32) -> Term {
    let Some(room) = room.checked_sub(1) else { return term };
    let node = terms.node(term).clone();
    match (node.op, node.args.as_slice()) {
        (Op::Ite, &[own, a, b]) if own == condition => with(terms, if value { a } else { b }, condition, value, room),
        (Op::Add | Op::Sub, &[a, b]) => {
            let (a, b) = (with(terms, a, condition, value, room), with(terms, b, condition, value, room));
            if node.op == Op::Add { terms.add(a, b) } else { terms.sub(a, b) }
        }
        _ => term,
    }
}

#[cfg(test)]
mod tests;

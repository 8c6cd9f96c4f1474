//! Rules for comparisons.

use std::cmp::Ordering;

use super::zeros::leading_zeros;
use super::{binary, constant_first, ite_parts, unary};
use crate::bits::Bits;
use crate::op::Op;
use crate::term::{Term, Terms};

pub(super) fn ult(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(terms.bool(false));
    }
    let width = terms.width(a);
    if let Some(value) = terms.as_bits(b).cloned() {
        if value.is_zero() {
            return Some(terms.bool(false));
        }
        if value.is_one() {
            let zero = terms.zero(width);
            return Some(terms.equal(a, zero));
        }
        if value.is_ones() {
            return Some(terms.differ(a, b));
        }
        if let Some(x) = unary(terms, Op::ZeroExtend, a) {
            let narrow = terms.width(x);
            return Some(match value.leading_zeros() >= width - narrow {
                true => {
                    let value = terms.bits(value.extract(narrow - 1, 0));
                    terms.ult(x, value)
                }
                false => terms.bool(true),
            });
        }
        if let Some(simpler) = below(terms, a, &value) {
            return Some(simpler);
        }
        return cases(terms, a, |terms, a| terms.ult(a, b));
    }
    if let Some(value) = terms.as_bits(a).cloned() {
        if value.is_zero() {
            return Some(terms.nonzero(b));
        }
        if value.is_ones() {
            return Some(terms.bool(false));
        }
        if value.add(&Bits::one(width)).is_ones() {
            let ones = terms.ones(width);
            return Some(terms.equal(b, ones));
        }
        if let Some(y) = unary(terms, Op::ZeroExtend, b) {
            let narrow = terms.width(y);
            return Some(match value.leading_zeros() >= width - narrow {
                true => {
                    let value = terms.bits(value.extract(narrow - 1, 0));
                    terms.ult(value, y)
                }
                false => terms.bool(false),
            });
        }
        if let Some(simpler) = above(terms, b, &value) {
            return Some(simpler);
        }
        return cases(terms, b, |terms, b| terms.ult(a, b));
    }
    if let (Some(x), Some(y)) = (unary(terms, Op::ZeroExtend, a), unary(terms, Op::ZeroExtend, b)) {
        let wide = terms.width(x).max(terms.width(y));
        let (x, y) = (terms.zero_extend(x, wide), terms.zero_extend(y, wide));
        // Of two extensions to the wider of both, one is none: this ends.
        return Some(terms.ult(x, y));
    }
    if let (Some(x), Some(y)) = (unary(terms, Op::SignExtend, a), unary(terms, Op::SignExtend, b))
        && terms.width(x) == terms.width(y)
    {
        return Some(terms.ult(x, y));
    }
    if let (Some(x), Some(y)) = (unary(terms, Op::BitNot, a), unary(terms, Op::BitNot, b)) {
        return Some(terms.ult(y, x));
    }
    None
}

/// `a < limit`, neither of which is simple by itself: the limit moves inwards.
fn below(terms: &mut Terms, a: Term, limit: &Bits) -> Option<Term> {
    match inwards(terms, a, limit)? {
        Inwards::Other(Ordering::Less) => Some(terms.bool(true)),
        Inwards::Other(_) => Some(terms.bool(false)),
        // What is cut off of the limit is more than the nothing that is cut off of the number.
        Inwards::Part(part, limit, exact) if exact => {
            let limit = terms.bits(limit);
            Some(terms.ult(part, limit))
        }
        Inwards::Part(part, limit, _) => {
            let limit = terms.bits(limit);
            Some(terms.ule(part, limit))
        }
    }
}

/// `limit < b`.
fn above(terms: &mut Terms, b: Term, limit: &Bits) -> Option<Term> {
    match inwards(terms, b, limit)? {
        Inwards::Other(Ordering::Greater) => Some(terms.bool(true)),
        Inwards::Other(_) => Some(terms.bool(false)),
        Inwards::Part(part, limit, _) => {
            let limit = terms.bits(limit);
            Some(terms.ult(limit, part))
        }
    }
}

/// What a comparison of a number and a constant comes to.
enum Inwards {
    /// How the number compares, whatever it is.
    Other(Ordering),
    /// The number compares as this part of it does, with that constant. Whether the constant is exact: else it is rounded down, and the number is not equal to
    /// what it was.
    Part(Term, Bits, bool),
}

fn inwards(terms: &mut Terms, number: Term, limit: &Bits) -> Option<Inwards> {
    let width = limit.width();
    if let Some((high, low)) = binary(terms, Op::Concat, number) {
        let rest = terms.width(low);
        let (top, bottom) = (limit.extract(width - 1, rest), limit.extract(rest - 1, 0));
        if let Some(high) = terms.as_bits(high) {
            return Some(match high.cmp(&top) {
                Ordering::Equal => Inwards::Part(low, bottom, true),
                other => Inwards::Other(other),
            });
        }
        return terms.as_bits(low).is_some_and(Bits::is_zero).then(|| Inwards::Part(high, top, bottom.is_zero()));
    }
    let (constant, rest) = binary(terms, Op::Add, number).and_then(|(x, y)| constant_first(terms, x, y))?;
    let constant = terms.as_bits(constant)?.clone();
    // Where the sum does not wrap around, the constant may be taken from both sides.
    let free = constant.leading_zeros().min(leading_zeros(terms, rest));
    (free >= 1).then(|| match limit.ult(&constant) {
        true => Inwards::Other(Ordering::Greater),
        false => Inwards::Part(rest, limit.sub(&constant), true),
    })
}

/// A comparison with a constant of a choice that has one.
fn cases(terms: &mut Terms, a: Term, compare: impl Fn(&mut Terms, Term) -> Term) -> Option<Term> {
    let (condition, yes, no) = ite_parts(terms, a)?;
    if !terms.is_constant(yes) && !terms.is_constant(no) {
        return None;
    }
    let (yes, no) = (compare(terms, yes), compare(terms, no));
    Some(terms.ite(condition, yes, no))
}

pub(super) fn slt(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(terms.bool(false));
    }
    let width = terms.width(a);
    if let Some(value) = terms.as_bits(b).cloned() {
        if value == Bits::min_signed(width) {
            return Some(terms.bool(false));
        }
        if value == Bits::max_signed(width) {
            return Some(terms.differ(a, b));
        }
        if value == Bits::min_signed(width).add(&Bits::one(width)) {
            let least = terms.bits(Bits::min_signed(width));
            return Some(terms.equal(a, least));
        }
        if unary(terms, Op::ZeroExtend, a).is_some() {
            return Some(if value.sign() { terms.bool(false) } else { terms.ult(a, b) });
        }
        if let Some(x) = unary(terms, Op::SignExtend, a) {
            let narrow = value.extract(terms.width(x) - 1, 0);
            if narrow.sign_extend(width) == value {
                let narrow = terms.bits(narrow);
                return Some(terms.slt(x, narrow));
            }
            return Some(terms.bool(!value.sign()));
        }
        return cases(terms, a, |terms, a| terms.slt(a, b));
    }
    if let Some(value) = terms.as_bits(a).cloned() {
        if value == Bits::max_signed(width) {
            return Some(terms.bool(false));
        }
        if value == Bits::min_signed(width) {
            return Some(terms.differ(a, b));
        }
        if unary(terms, Op::ZeroExtend, b).is_some() {
            return Some(if value.sign() { terms.bool(true) } else { terms.ult(a, b) });
        }
        if let Some(y) = unary(terms, Op::SignExtend, b) {
            let narrow = value.extract(terms.width(y) - 1, 0);
            if narrow.sign_extend(width) == value {
                let narrow = terms.bits(narrow);
                return Some(terms.slt(narrow, y));
            }
            return Some(terms.bool(value.sign()));
        }
        return cases(terms, b, |terms, b| terms.slt(a, b));
    }
    if unary(terms, Op::ZeroExtend, a).is_some() && unary(terms, Op::ZeroExtend, b).is_some() {
        return Some(terms.ult(a, b));
    }
    if let (Some(x), Some(y)) = (unary(terms, Op::SignExtend, a), unary(terms, Op::SignExtend, b)) {
        let wide = terms.width(x).max(terms.width(y));
        let (x, y) = (terms.sign_extend(x, wide), terms.sign_extend(y, wide));
        return Some(terms.slt(x, y));
    }
    None
}

pub(super) fn umul_overflows(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (constant, other) = constant_first(terms, a, b)?;
    let value = terms.as_bits(constant)?.clone();
    if value.is_zero() || value.is_one() {
        return Some(terms.bool(false));
    }
    // x * c fits exactly if x is at most the largest number divided by c.
    let most = terms.bits(Bits::ones(value.width()).udiv(&value));
    Some(terms.ult(most, other))
}

pub(super) fn smul_overflows(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (constant, other) = constant_first(terms, a, b)?;
    let value = terms.as_bits(constant)?.clone();
    let width = value.width();
    if value.is_zero() {
        return Some(terms.bool(false));
    }
    if width == 1 {
        // -1 * -1 does not fit; 0 is the only other value.
        let ones = terms.ones(1);
        return Some(terms.equal(other, ones));
    }
    if value.is_ones() {
        let least = terms.bits(Bits::min_signed(width));
        return Some(terms.equal(other, least));
    }
    // x * c fits exactly if x lies between the quotients of the bounds (towards zero) by c.
    let (least, most) = (Bits::min_signed(width).sdiv(&value), Bits::max_signed(width).sdiv(&value));
    let (least, most) = if value.sign() { (most, least) } else { (least, most) };
    let (least, most) = (terms.bits(least), terms.bits(most));
    let (below, above) = (terms.slt(other, least), terms.slt(most, other));
    Some(terms.or(below, above))
}

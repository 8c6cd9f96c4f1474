//! Rules for bitwise and arithmetic operators. Shifts, products and quotients by powers of two become rearrangements of bits, which more rules
//! see through and which cost no gates.

use super::{binary, constant_first, ite_parts, unary};
use crate::bits::Bits;
use crate::op::Op;
use crate::term::{Term, Terms};

pub(super) fn bit_not(terms: &mut Terms, a: Term) -> Option<Term> {
    if let Some(inner) = unary(terms, Op::BitNot, a) {
        return Some(inner);
    }
    into_cases(terms, a, Terms::bit_not)
}

/// An operator on a choice between two constants is a choice between two constants.
fn into_cases(terms: &mut Terms, a: Term, apply: impl Fn(&mut Terms, Term) -> Term) -> Option<Term> {
    let (condition, yes, no) = ite_parts(terms, a)?;
    if !terms.is_constant(yes) || !terms.is_constant(no) {
        return None;
    }
    let (yes, no) = (apply(terms, yes), apply(terms, no));
    Some(terms.ite(condition, yes, no))
}

/// The same for two operands, one of them a constant.
fn into_cases_with(terms: &mut Terms, constant: Term, a: Term, apply: impl Fn(&mut Terms, Term, Term) -> Term) -> Option<Term> {
    into_cases(terms, a, |terms, a| apply(terms, constant, a))
}

/// Whether one is the complement of the other.
fn complement(terms: &Terms, a: Term, b: Term) -> bool {
    unary(terms, Op::BitNot, a) == Some(b) || unary(terms, Op::BitNot, b) == Some(a)
}

/// `c op (d op x)` with constants c and d is `(c op d) op x`.
fn gather(terms: &mut Terms, op: Op, constant: Term, other: Term) -> Option<Term> {
    let (x, y) = binary(terms, op, other)?;
    let (inner, rest) = constant_first(terms, x, y)?;
    let constant = terms.apply(op, &[constant, inner], None);
    Some(terms.apply(op, &[constant, rest], None))
}

pub(super) fn bit_and(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(a);
    }
    let width = terms.width(a);
    if complement(terms, a, b) {
        return Some(terms.zero(width));
    }
    let (constant, other) = constant_first(terms, a, b)?;
    let mask = terms.as_bits(constant)?.clone();
    if mask.is_zero() {
        return Some(constant);
    }
    if mask.is_ones() {
        return Some(other);
    }
    // A mask of low bits keeps them; one of high bits clears the low ones.
    let low = mask.not().trailing_zeros();
    if low > 0 && mask.lshr(&Bits::new(width, u128::from(low))).is_zero() {
        let kept = terms.extract(other, low - 1, 0);
        return Some(terms.zero_extend(kept, width));
    }
    let cleared = mask.trailing_zeros();
    if mask.lshr(&Bits::new(width, u128::from(cleared))) == Bits::ones(width - cleared).zero_extend(width) {
        let (kept, zeros) = (terms.extract(other, width - 1, cleared), terms.zero(cleared));
        return Some(terms.concat(kept, zeros));
    }
    gather(terms, Op::BitAnd, constant, other).or_else(|| into_cases_with(terms, constant, other, Terms::bit_and))
}

pub(super) fn bit_or(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(a);
    }
    if complement(terms, a, b) {
        return Some(terms.ones(terms.width(a)));
    }
    let (constant, other) = constant_first(terms, a, b)?;
    let value = terms.as_bits(constant)?;
    if value.is_zero() {
        return Some(other);
    }
    if value.is_ones() {
        return Some(constant);
    }
    gather(terms, Op::BitOr, constant, other).or_else(|| into_cases_with(terms, constant, other, Terms::bit_or))
}

pub(super) fn bit_xor(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    if a == b {
        return Some(terms.zero(width));
    }
    if complement(terms, a, b) {
        return Some(terms.ones(width));
    }
    let (constant, other) = constant_first(terms, a, b)?;
    let value = terms.as_bits(constant)?;
    if value.is_zero() {
        return Some(other);
    }
    if value.is_ones() {
        return Some(terms.bit_not(other));
    }
    gather(terms, Op::BitXor, constant, other).or_else(|| into_cases_with(terms, constant, other, Terms::bit_xor))
}

pub(super) fn neg(terms: &mut Terms, a: Term) -> Option<Term> {
    if let Some(inner) = unary(terms, Op::Neg, a) {
        return Some(inner);
    }
    if let Some((x, y)) = binary(terms, Op::Sub, a) {
        return Some(terms.sub(y, x));
    }
    into_cases(terms, a, Terms::neg)
}

/// The operators that divide and that give the rest.
const DIVISIONS: [(Op, Op); 2] = [(Op::Udiv, Op::Urem), (Op::Sdiv, Op::Srem)];

/// The operands of a quotient that is multiplied by its divisor.
fn multiple(terms: &Terms, quotient: Op, term: Term) -> Option<(Term, Term)> {
    let (a, b) = binary(terms, Op::Mul, term)?;
    [(a, b), (b, a)].into_iter().find_map(|(division, factor)| binary(terms, quotient, division).filter(|&(_, divisor)| divisor == factor))
}

pub(super) fn add(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    for (a, b) in [(a, b), (b, a)] {
        if let Some(inner) = unary(terms, Op::Neg, b) {
            return Some(terms.sub(a, inner));
        }
        // (x - y) + y
        if let Some((x, y)) = binary(terms, Op::Sub, a)
            && y == b
        {
            return Some(x);
        }
        if unary(terms, Op::BitNot, a) == Some(b) {
            return Some(terms.ones(width));
        }
        // x / y * y + x % y = x, whatever y is: also 0 and, signed, -1.
        for (quotient, remainder) in DIVISIONS {
            if let Some((x, y)) = binary(terms, remainder, b)
                && multiple(terms, quotient, a) == Some((x, y))
            {
                return Some(x);
            }
        }
    }
    if let Some((constant, other)) = constant_first(terms, a, b) {
        if terms.as_bits(constant)?.is_zero() {
            return Some(other);
        }
        return gather(terms, Op::Add, constant, other).or_else(|| into_cases_with(terms, constant, other, Terms::add));
    }
    // Constants move outwards, where they meet: (c + x) + y = c + (x + y).
    for (a, b) in [(a, b), (b, a)] {
        if let Some((constant, rest)) = binary(terms, Op::Add, a).and_then(|(x, y)| constant_first(terms, x, y)) {
            let sum = terms.add(rest, b);
            return Some(terms.add(constant, sum));
        }
    }
    None
}

pub(super) fn sub(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    if a == b {
        return Some(terms.zero(width));
    }
    if let Some(value) = terms.as_bits(b) {
        let negated = value.neg();
        let negated = terms.bits(negated);
        return Some(terms.add(a, negated));
    }
    if terms.as_bits(a).is_some_and(Bits::is_zero) {
        return Some(terms.neg(b));
    }
    if let Some(inner) = unary(terms, Op::Neg, b) {
        return Some(terms.add(a, inner));
    }
    // x - x / y * y = x % y
    for (quotient, remainder) in DIVISIONS {
        if let Some((x, y)) = multiple(terms, quotient, b)
            && x == a
        {
            return Some(terms.apply(remainder, &[x, y], None));
        }
    }
    // (x + y) - x, and differences of sums that share a summand.
    if let Some((x, y)) = binary(terms, Op::Add, a) {
        if x == b {
            return Some(y);
        }
        if y == b {
            return Some(x);
        }
        if let Some((u, v)) = binary(terms, Op::Add, b) {
            for (x, y, u, v) in [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)] {
                if x == u {
                    return Some(terms.sub(y, v));
                }
            }
        }
        if let Some((constant, rest)) = constant_first(terms, x, y) {
            let difference = terms.sub(rest, b);
            return Some(terms.add(constant, difference));
        }
    }
    if let Some((x, y)) = binary(terms, Op::Add, b) {
        if x == a || y == a {
            return Some(terms.neg(if x == a { y } else { x }));
        }
        if let Some((constant, rest)) = constant_first(terms, x, y)
            && !terms.is_constant(a)
        {
            let difference = terms.sub(a, rest);
            return Some(terms.sub(difference, constant));
        }
    }
    None
}

pub(super) fn mul(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (constant, other) = constant_first(terms, a, b)?;
    let value = terms.as_bits(constant)?.clone();
    if value.is_zero() {
        return Some(constant);
    }
    if value.is_one() {
        return Some(other);
    }
    if value.is_ones() {
        return Some(terms.neg(other));
    }
    if let Some(exponent) = value.power_of_two() {
        let distance = terms.number(value.width(), u128::from(exponent));
        return Some(terms.shl(other, distance));
    }
    gather(terms, Op::Mul, constant, other).or_else(|| into_cases_with(terms, constant, other, Terms::mul))
}

pub(super) fn udiv(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let value = terms.as_bits(b)?;
    let width = value.width();
    if value.is_zero() {
        return Some(terms.ones(width));
    }
    let exponent = value.power_of_two()?;
    let distance = terms.number(width, u128::from(exponent));
    Some(terms.lshr(a, distance))
}

pub(super) fn urem(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let value = terms.as_bits(b)?;
    if value.is_zero() {
        return Some(a);
    }
    match value.power_of_two()? {
        0 => Some(terms.zero(width)),
        exponent => {
            let kept = terms.extract(a, exponent - 1, 0);
            Some(terms.zero_extend(kept, width))
        }
    }
}

pub(super) fn sdiv(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let value = terms.as_bits(b)?;
    if value.is_one() {
        return Some(a);
    }
    value.is_ones().then(|| terms.neg(a))
}

pub(super) fn srem(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let value = terms.as_bits(b)?;
    if value.is_zero() {
        return Some(a);
    }
    (value.is_one() || value.is_ones()).then(|| terms.zero(terms.width(a)))
}

/// The constant distance of a shift, at most the width.
fn distance(terms: &Terms, b: Term) -> Option<u32> {
    let value = terms.as_bits(b)?;
    Some(value.to_u64().map_or(value.width(), |distance| u32::try_from(distance).unwrap_or(u32::MAX).min(value.width())))
}

pub(super) fn shl(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if terms.as_bits(a).is_some_and(Bits::is_zero) {
        return Some(a);
    }
    let width = terms.width(a);
    match distance(terms, b)? {
        0 => Some(a),
        far if far == width => Some(terms.zero(width)),
        distance => {
            let (kept, zeros) = (terms.extract(a, width - 1 - distance, 0), terms.zero(distance));
            Some(terms.concat(kept, zeros))
        }
    }
}

pub(super) fn lshr(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if terms.as_bits(a).is_some_and(Bits::is_zero) {
        return Some(a);
    }
    let width = terms.width(a);
    match distance(terms, b)? {
        0 => Some(a),
        far if far == width => Some(terms.zero(width)),
        distance => {
            let kept = terms.extract(a, width - 1, distance);
            Some(terms.zero_extend(kept, width))
        }
    }
}

pub(super) fn ashr(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    match distance(terms, b)? {
        0 => Some(a),
        distance => {
            let kept = terms.extract(a, width - 1, distance.min(width - 1));
            Some(terms.sign_extend(kept, width))
        }
    }
}

//! Rules for equality.

use super::{binary, constant_first, ite_parts, unary};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::{Term, Terms};

pub(super) fn equal(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(terms.bool(true));
    }
    if terms.is_constant(a) && terms.is_constant(b) {
        return Some(terms.bool(false));
    }
    match terms.sort(a) {
        Sort::Bool => {
            let xor = terms.xor(a, b);
            Some(terms.not(xor))
        }
        Sort::Bits(_) => bits(terms, a, b),
        Sort::Float(_) | Sort::Array { .. } => None,
    }
}

fn bits(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    if let Some((constant, other)) = constant_first(terms, a, b)
        && let Some(simpler) = with_constant(terms, constant, other)
    {
        return Some(simpler);
    }
    if distinct(terms, a, b) {
        return Some(terms.bool(false));
    }
    for op in [Op::Add, Op::BitXor] {
        if let Some((x, y)) = without_common(terms, op, a, b) {
            return Some(terms.equal(x, y));
        }
    }
    for (a, b) in [(a, b), (b, a)] {
        // x + y == x
        for op in [Op::Add, Op::BitXor] {
            if let Some((x, y)) = binary(terms, op, a)
                && (x == b || y == b)
            {
                let zero = terms.zero(terms.width(a));
                return Some(terms.equal(if x == b { y } else { x }, zero));
            }
        }
    }
    for op in [Op::BitNot, Op::Neg, Op::ZeroExtend, Op::SignExtend] {
        if let (Some(x), Some(y)) = (unary(terms, op, a), unary(terms, op, b))
            && terms.width(x) == terms.width(y)
        {
            return Some(terms.equal(x, y));
        }
    }
    if let (Some((h, l)), Some((g, k))) = (binary(terms, Op::Concat, a), binary(terms, Op::Concat, b))
        && terms.width(l) == terms.width(k)
    {
        let (high, low) = (terms.equal(h, g), terms.equal(l, k));
        return Some(terms.and(high, low));
    }
    None
}

/// Equality with a constant: the constant moves inwards.
fn with_constant(terms: &mut Terms, constant: Term, other: Term) -> Option<Term> {
    let value = terms.as_bits(constant)?.clone();
    let width = value.width();
    if let Some((condition, yes, no)) = ite_parts(terms, other)
        && (terms.is_constant(yes) || terms.is_constant(no))
    {
        let (yes, no) = (terms.equal(yes, constant), terms.equal(no, constant));
        return Some(terms.ite(condition, yes, no));
    }
    match (terms.op(other), terms.args(other)) {
        (Op::BitNot, &[x]) => {
            let value = terms.bits(value.not());
            Some(terms.equal(x, value))
        }
        (Op::Neg, &[x]) => {
            let value = terms.bits(value.neg());
            Some(terms.equal(x, value))
        }
        (Op::Add | Op::BitXor, &[x, y]) => {
            let (inner, rest) = constant_first(terms, x, y)?;
            let inner = terms.as_bits(inner)?;
            let value = if terms.op(other) == Op::Add { value.sub(inner) } else { value.xor(inner) };
            let value = terms.bits(value);
            Some(terms.equal(rest, value))
        }
        (Op::Sub, &[x, y]) if value.is_zero() => Some(terms.equal(x, y)),
        (Op::BitAnd, &[x, y]) => {
            let (mask, rest) = constant_first(terms, x, y)?;
            let mask = terms.as_bits(mask)?;
            let bit = mask.power_of_two()?;
            if !value.is_zero() && value != *mask {
                return Some(terms.bool(false));
            }
            let (is_set, wanted) = (terms.test_bit(rest, bit), terms.bool(!value.is_zero()));
            Some(terms.equal(is_set, wanted))
        }
        (Op::Concat, &[high, low]) => {
            let split = terms.width(low);
            let (top, bottom) = (terms.bits(value.extract(width - 1, split)), terms.bits(value.extract(split - 1, 0)));
            let (high, low) = (terms.equal(high, top), terms.equal(low, bottom));
            Some(terms.and(high, low))
        }
        (Op::ZeroExtend | Op::SignExtend, &[x]) => {
            let narrow = value.extract(terms.width(x) - 1, 0);
            let back = if terms.op(other) == Op::ZeroExtend { narrow.zero_extend(width) } else { narrow.sign_extend(width) };
            if back != value {
                return Some(terms.bool(false));
            }
            let narrow = terms.bits(narrow);
            Some(terms.equal(x, narrow))
        }
        _ => None,
    }
}

/// The rest of both sides if they share a summand.
fn without_common(terms: &Terms, op: Op, a: Term, b: Term) -> Option<(Term, Term)> {
    let (x, y) = binary(terms, op, a)?;
    let (u, v) = binary(terms, op, b)?;
    match () {
        () if x == u => Some((y, v)),
        () if x == v => Some((y, u)),
        () if y == u => Some((x, v)),
        () if y == v => Some((x, u)),
        () => None,
    }
}

/// Whether two bit-vectors can never be equal, as far as a quick look tells.
pub(super) fn distinct(terms: &Terms, a: Term, b: Term) -> bool {
    if a == b {
        return false;
    }
    if let (Some(x), Some(y)) = (terms.as_bits(a), terms.as_bits(b)) {
        return x != y;
    }
    if let (Some((h, l)), Some((g, k))) = (binary(terms, Op::Concat, a), binary(terms, Op::Concat, b))
        && terms.width(l) == terms.width(k)
    {
        return distinct_offsets(terms, h, g) || distinct_offsets(terms, l, k);
    }
    distinct_offsets(terms, a, b)
}

/// Different constants on top of the same base.
fn distinct_offsets(terms: &Terms, a: Term, b: Term) -> bool {
    let ((base, x), (other, y)) = (offset(terms, a), offset(terms, b));
    base == other
        && match (x, y) {
            (Some(x), Some(y)) => x != y,
            (Some(x), None) | (None, Some(x)) => terms.as_bits(x).is_some_and(|x| !x.is_zero()),
            (None, None) => false,
        }
}

/// A term as base and constant; a constant has no base.
fn offset(terms: &Terms, term: Term) -> (Option<Term>, Option<Term>) {
    if terms.as_bits(term).is_some() {
        return (None, Some(term));
    }
    match binary(terms, Op::Add, term).and_then(|(x, y)| constant_first(terms, x, y)) {
        Some((constant, base)) => (Some(base), Some(constant)),
        None => (Some(term), None),
    }
}

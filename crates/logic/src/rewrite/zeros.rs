//! How many bits of a term are certainly 0, at the bottom and at the top.

use crate::op::Op;
use crate::term::{Term, Terms};

/// How deep a term is looked into.
const DEPTH: u32 = 6;

/// From the lowest bit on; less than the width.
pub(crate) fn trailing_zeros(terms: &Terms, term: Term) -> u32 {
    trailing(terms, term, DEPTH).min(terms.width(term) - 1)
}

fn trailing(terms: &Terms, term: Term, depth: u32) -> u32 {
    if let Some(value) = terms.as_bits(term) {
        return if value.is_zero() { value.width() } else { value.trailing_zeros() };
    }
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    match (terms.op(term), terms.args(term)) {
        (Op::Concat, &[high, low]) => match trailing(terms, low, depth) {
            all if all == terms.width(low) => all + trailing(terms, high, depth),
            some => some,
        },
        (Op::Add | Op::Sub, &[a, b]) => trailing(terms, a, depth).min(trailing(terms, b, depth)),
        (Op::Mul, &[a, b]) => (trailing(terms, a, depth) + trailing(terms, b, depth)).min(terms.width(term)),
        (Op::ZeroExtend | Op::SignExtend, &[inner]) => trailing(terms, inner, depth),
        _ => 0,
    }
}

/// From the highest bit on.
pub(super) fn leading_zeros(terms: &Terms, term: Term) -> u32 {
    leading(terms, term, DEPTH)
}

fn leading(terms: &Terms, term: Term, depth: u32) -> u32 {
    if let Some(value) = terms.as_bits(term) {
        return if value.is_zero() { value.width() } else { value.leading_zeros() };
    }
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    match (terms.op(term), terms.args(term)) {
        (Op::Concat, &[high, low]) => match leading(terms, high, depth) {
            all if all == terms.width(high) => all + leading(terms, low, depth),
            some => some,
        },
        (Op::Add, &[a, b]) => leading(terms, a, depth).min(leading(terms, b, depth)).saturating_sub(1),
        (Op::BitAnd, &[a, b]) => leading(terms, a, depth).max(leading(terms, b, depth)),
        (Op::Ite, &[_, yes, no]) => leading(terms, yes, depth).min(leading(terms, no, depth)),
        (Op::ZeroExtend, &[inner]) => terms.width(term) - terms.width(inner) + leading(terms, inner, depth),
        _ => 0,
    }
}

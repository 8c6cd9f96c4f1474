//! Comparisons.

use super::circuit::Circuit;
use super::unpack::{Layout, Number};
use crate::term::Term;

/// What a comparison asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Less,
    LessOrEqual,
}

pub(super) fn compare(c: &Circuit, layout: Layout, comparison: Comparison, a: Term, b: Term) -> Term {
    let (x, y) = (Number::unpack(c, layout, a), Number::unpack(c, layout, b));
    let ordered = c.not(c.or(x.nan, y.nan));
    let equal = c.or(c.equal(a, b), c.and(x.zero, y.zero));
    // As signed integers the patterns are in order, but two negative numbers in the opposite one.
    let less = c.xor(c.slt(a, b), c.and(x.sign, y.sign));
    let holds = match comparison {
        Comparison::Equal => equal,
        Comparison::Less => c.and(less, c.not(equal)),
        Comparison::LessOrEqual => c.or(less, equal),
    };
    c.and(ordered, holds)
}

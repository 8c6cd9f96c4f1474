//! Sums.

use super::circuit::Circuit;
use super::round::Unrounded;
use super::unpack::{Layout, Number, magnitude, nan};
use crate::term::Term;

pub(super) fn sum(c: &Circuit, layout: Layout, a: Term, b: Term) -> Term {
    // The larger absolute value first: then the difference is never negative, and it is the smaller one that loses bits.
    let swap = c.ult(magnitude(c, layout, a), magnitude(c, layout, b));
    let (large_pattern, small_pattern) = (c.ite(swap, b, a), c.ite(swap, a, b));
    let large = Number::unpack(c, layout, large_pattern);
    let small = Number::unpack(c, layout, small_pattern);
    let subtract = c.xor(large.sign, small.sign);

    // Below the significands a guard, a round and a sticky bit; above, room for the carry. If the exponents differ by two or more, a
    // difference loses at most one leading bit, so that the rounding is decided above the sticky bit; otherwise no bit gets lost.
    let width = layout.precision() + 4;
    let distance = c.sub(large.exponent, small.exponent);
    let aligned = c.shift_right_jam(c.pad(small.significand, 3), distance);
    let total = c.add_or_subtract(c.zero_extend(c.pad(large.significand, 3), width), c.zero_extend(aligned, width), subtract);
    let exponent = c.add(c.zero_extend(large.exponent, layout.exponent + 1), c.number(layout.exponent + 1, 1));
    let (significand, exponent) = c.normalise_within(total, exponent);
    // Opposite numbers give the positive zero, negative zeros the negative one.
    let sign = c.ite(c.is_zero(total), c.and(large.sign, small.sign), large.sign);
    let exponent = c.zero_extend(exponent, layout.exponent + 2);
    let finite = Unrounded { sign, exponent, significand, underflows: false, overflows: true }.rounded(c, layout);

    // NaN is larger than infinity, infinity than the others: the larger one is the result, but for the difference of infinities.
    let special = c.or(large.nan, large.infinite);
    let undefined = c.and(small.infinite, subtract);
    c.ite(special, c.ite(undefined, nan(c, layout), large_pattern), finite)
}

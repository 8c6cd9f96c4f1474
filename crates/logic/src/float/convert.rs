//! Conversions between formats, and from and to integers.

use super::circuit::Circuit;
use super::round::Unrounded;
use super::unpack::{Layout, Number, infinity, nan};
use crate::term::Term;

pub(super) fn convert(c: &Circuit, from: Layout, to: Layout, a: Term) -> Term {
    let x = Number::unpack(c, from, a);
    // In a larger range subnormals get normal. In a smaller one they vanish, whether normalised or not. In the same one they stay.
    let width = from.exponent.max(to.exponent) + 2;
    let (significand, exponent) =
        if to.exponent > from.exponent { x.normalised(c, width) } else { (x.significand, c.zero_extend(x.exponent, width)) };
    let exponent = c.add(exponent, c.integer(width, to.bias() - from.bias()));
    let narrower = to.exponent < from.exponent;
    let finite = Unrounded { sign: x.sign, exponent, significand, underflows: narrower, overflows: narrower }.rounded(c, to);
    c.ite(x.nan, nan(c, to), c.ite(x.infinite, infinity(c, to, x.sign), finite))
}

pub(super) fn from_int(c: &Circuit, to: Layout, signed: bool, a: Term) -> Term {
    let width = c.width(a);
    let sign = if signed { c.top(a) } else { c.bool(false) };
    let (significand, distance) = c.normalise(c.negated_if(sign, a), width - 1);
    // The top bit of the integer is worth 2^(width - 1). There are no more than 128.
    let exponent_width = to.exponent.max(7) + 2;
    let top = to.bias() + i64::from(width) - 1;
    let exponent = c.sub(c.integer(exponent_width, top), c.zero_extend(distance, exponent_width));
    Unrounded { sign, exponent, significand, underflows: false, overflows: top >= to.top_exponent() }.rounded(c, to)
}

/// The integer, towards zero; 0 if it does not fit.
pub(super) fn to_int(c: &Circuit, from: Layout, signed: bool, width: u32, a: Term) -> Term {
    let x = Number::unpack(c, from, a);
    // The significand at the top of as many bits as it or the integer needs; the top bit is worth 2^(wide - 1) before the shift.
    let wide = width.max(from.precision());
    let distance_width = from.exponent.max(8) + 1;
    let top = c.integer(distance_width, from.bias() + i64::from(wide) - 1);
    let distance = c.sub(top, c.zero_extend(x.exponent, distance_width));
    let significand = c.pad(x.significand, wide - from.precision());
    let shifted = c.tail(c.lshr(significand, c.zero_extend(distance, wide)), width);
    let integer = if signed { c.negated_if(x.sign, shifted) } else { shifted };
    // The distance is not negative where the integer fits. Zeros and numbers below 1 are shifted out.
    c.masked(fits(c, from, signed, width, &x), integer)
}

pub(super) fn fits_int(c: &Circuit, from: Layout, signed: bool, width: u32, a: Term) -> Term {
    fits(c, from, signed, width, &Number::unpack(c, from, a))
}

fn fits(c: &Circuit, from: Layout, signed: bool, width: u32, x: &Number) -> Term {
    // Whether the absolute value is less than 2^power. Infinity and NaN have the top exponent, which is never below the limit.
    let below = |power: u32| {
        let limit = from.bias() + i64::from(power);
        c.ult(x.exponent, c.integer(from.exponent, limit.min(from.top_exponent())))
    };
    if !signed {
        return c.or(below(0), c.and(c.not(x.sign), below(width)));
    }
    let fits = below(width - 1);
    if from.bias() + i64::from(width) > from.top_exponent() {
        return fits;
    }
    // The smallest integer: a power of two, below which nothing but a fraction is left.
    let field = c.integer(from.exponent, from.bias() + i64::from(width) - 1);
    let precision = from.precision();
    let integer_bits = width.min(precision);
    let exact = if integer_bits == 1 { c.bool(true) } else { c.is_zero(c.tail(c.head(x.significand, integer_bits), integer_bits - 1)) };
    let smallest = c.and(c.and(x.sign, c.equal(x.exponent, field)), exact);
    c.or(fits, smallest)
}

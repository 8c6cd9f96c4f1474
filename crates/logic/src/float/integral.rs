//! Rounding to an integral value.

use super::circuit::Circuit;
use super::unpack::{Layout, Number, magnitude, pack};
use crate::op::Rounding;
use crate::term::Term;

pub(super) fn integral(c: &Circuit, layout: Layout, rounding: Rounding, a: Term) -> Term {
    let x = Number::unpack(c, layout, a);
    let magnitude = magnitude(c, layout, a);
    // The field of 1 and more: 1 has `fraction` bits after the point, each step of the exponent has one less.
    let bias = c.integer(layout.exponent, layout.bias());
    let below_one = c.ult(x.exponent, bias);
    let small = pack(c, layout, x.sign, small(c, layout, rounding, &x, magnitude));
    let large = pack(c, layout, x.sign, large(c, layout, rounding, &x, magnitude, c.sub(x.exponent, bias)));
    c.ite(below_one, small, large)
}

/// The magnitude of the result for numbers below 1: 0 or 1.
fn small(c: &Circuit, layout: Layout, rounding: Rounding, x: &Number, magnitude: Term) -> Term {
    let bias = layout.bias();
    let width = c.width(magnitude);
    let half = c.pad(c.integer(layout.exponent, bias - 1), layout.fraction);
    let away = match rounding {
        Rounding::NearestEven => c.ult(half, magnitude),
        Rounding::NearestAway => c.not(c.ult(magnitude, half)),
        Rounding::TowardZero => c.bool(false),
        Rounding::Up => c.and(c.not(x.zero), c.not(x.sign)),
        Rounding::Down => c.and(c.not(x.zero), x.sign),
    };
    let one = c.pad(c.integer(layout.exponent, bias), layout.fraction);
    c.ite(away, one, c.zero(width))
}

/// The magnitude of the result for numbers of at least 1; infinity and NaN stay. A carry goes from the fraction into the exponent.
fn large(c: &Circuit, layout: Layout, rounding: Rounding, x: &Number, magnitude: Term, places: Term) -> Term {
    let width = c.width(magnitude);
    // Ones where the bits after the point are; none from 2^fraction on.
    let mask = c.lshr(c.ones(layout.fraction), c.zero_extend(places, layout.fraction));
    let mask = c.zero_extend(mask, width);
    let halved = c.lshr(mask, c.number(width, 1));
    let half = c.bit_xor(mask, halved);
    let added = match rounding {
        Rounding::NearestEven => {
            // Up from half on if the last bit before the point is set, else only above. That bit is the one above the mask; if there is no
            // mask, nothing is to be rounded.
            let unit = c.bit_and(c.bit_not(mask), c.concat(c.tail(mask, width - 1), c.ones(1)));
            let odd = c.and(c.test_bit(mask, 0), c.nonzero(c.bit_and(magnitude, unit)));
            c.ite(odd, half, halved)
        }
        Rounding::NearestAway => half,
        Rounding::TowardZero => c.zero(width),
        Rounding::Up => c.masked(c.not(x.sign), mask),
        Rounding::Down => c.masked(x.sign, mask),
    };
    c.bit_and(c.add(magnitude, added), c.bit_not(mask))
}

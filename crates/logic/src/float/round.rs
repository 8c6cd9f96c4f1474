//! The last stage of most operations: an exact or sticky result rounded to nearest even and packed.

use super::circuit::Circuit;
use super::unpack::{Layout, infinite_magnitude, pack};
use crate::term::Term;

/// A result before rounding. The top bit of its significand is set, unless it is zero, or its exponent is 1 at most.
pub(super) struct Unrounded {
    pub(super) sign: Term,
    /// The exponent field that belongs to the top bit of the significand, as a signed number wider than the field.
    pub(super) exponent: Term,
    /// Of any width; if bits have been lost, the lowest one is sticky.
    pub(super) significand: Term,
    /// Whether the exponent can be 0 or less.
    pub(super) underflows: bool,
    /// Whether the exponent can be that of infinity or more.
    pub(super) overflows: bool,
}

impl Unrounded {
    /// The pattern of the nearest number.
    pub(super) fn rounded(self, c: &Circuit, layout: Layout) -> Term {
        let precision = layout.precision();
        let exponent_width = c.width(self.exponent);
        // The bits of the result, the guard bit that is worth half of the last of them, and the sticky bit.
        let mut significand = c.jam(self.significand, precision + 2);
        if self.underflows {
            let one = c.number(exponent_width, 1);
            let small = c.slt(self.exponent, one);
            let distance = c.masked(small, c.sub(one, self.exponent));
            significand = c.shift_right_jam(significand, distance);
        }
        let normal = c.top(significand);
        let field = c.masked(normal, c.tail(self.exponent, layout.exponent));
        let kept = c.concat(field, c.extract(significand, precision, 2));
        let (last, guard, sticky) = (c.test_bit(significand, 2), c.test_bit(significand, 1), c.test_bit(significand, 0));
        let up = c.and(guard, c.or(sticky, last));
        // A carry out of the fraction goes into the exponent, where it belongs: to the next power of two, the first normal number, infinity.
        let mut magnitude = c.add(kept, c.zero_extend(c.bit(up), c.width(kept)));
        if self.overflows {
            let large = c.not(c.slt(self.exponent, c.integer(exponent_width, layout.top_exponent())));
            magnitude = c.ite(c.and(normal, large), infinite_magnitude(c, layout), magnitude);
        }
        pack(c, layout, self.sign, magnitude)
    }
}

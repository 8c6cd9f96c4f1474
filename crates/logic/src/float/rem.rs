//! Remainders: `fmod` and IEEE's.
//!
//! The dividend is `m * 2^d` units of the divisor `n`, where `d` can be as large as the range of the exponents. The remainder
//! `m * 2^d mod n` is found by long division if `d` is small; otherwise the power of two is computed modulo `n` by squaring.

use super::circuit::Circuit;
use super::round::Unrounded;
use super::unpack::{Layout, Number, nan};
use crate::term::Term;

/// C's `fmod`.
pub(super) fn modulo(c: &Circuit, layout: Layout, a: Term, b: Term) -> Term {
    let operands = Operands::new(c, layout, a, b);
    let Operands { x, dividend, divisor, exponent, distance, .. } = &operands;
    let rest = scaled_rest(c, layout, *dividend, *distance, *divisor);
    // With a negative distance the dividend is smaller than the divisor, which may be infinite.
    let result = c.ite(c.top(*distance), a, exact(c, layout, x.sign, *exponent, rest));
    c.ite(operands.undefined(c), nan(c, layout), result)
}

/// IEEE's remainder, of the quotient to nearest even.
pub(super) fn remainder(c: &Circuit, layout: Layout, a: Term, b: Term) -> Term {
    let operands = Operands::new(c, layout, a, b);
    let Operands { x, y, dividend, divisor, exponent, distance } = &operands;
    // In halves of the divisor's unit, as a dividend with half the unit can still be more than half of the divisor. The rest of the division
    // by twice the divisor tells whether the quotient is odd.
    let distance = c.add(*distance, c.number(c.width(*distance), 1));
    let rest = scaled_rest(c, layout, *dividend, distance, c.pad(*divisor, 2));
    let width = c.width(rest);
    let whole = c.zero_extend(c.pad(*divisor, 1), width);
    let odd = c.not(c.ult(rest, whole));
    let rest = c.ite(odd, c.sub(rest, whole), rest);
    let half = c.zero_extend(*divisor, width);
    let up = c.or(c.ult(half, rest), c.and(odd, c.equal(half, rest)));
    let nearest = c.ite(up, c.sub(whole, rest), rest);
    let sign = c.xor(x.sign, up);
    // The rest has two bits more than the divisor, one for the halves and one above.
    let exponent = c.add(*exponent, c.number(c.width(*exponent), 1));
    let result = c.ite(c.or(c.top(distance), y.infinite), a, exact(c, layout, sign, exponent, nearest));
    c.ite(operands.undefined(c), nan(c, layout), result)
}

/// Two numbers to be divided.
struct Operands {
    x: Number,
    y: Number,
    /// The significand of the first, as it is.
    dividend: Term,
    /// The significand of the second, normalised.
    divisor: Term,
    /// The exponent field of the divisor, signed.
    exponent: Term,
    /// How many powers of two the dividend's unit is above the divisor's, signed.
    distance: Term,
}

impl Operands {
    fn new(c: &Circuit, layout: Layout, a: Term, b: Term) -> Self {
        let (x, y) = (Number::unpack(c, layout, a), Number::unpack(c, layout, b));
        let width = layout.exponent + 2;
        let (divisor, exponent) = y.normalised(c, width);
        let distance = c.sub(c.zero_extend(x.exponent, width), exponent);
        Operands { dividend: x.significand, x, y, divisor, exponent, distance }
    }
    /// Whether the remainder is no number.
    fn undefined(&self, c: &Circuit) -> Term {
        c.or(c.or(self.x.nan, self.y.nan), c.or(self.x.infinite, self.y.zero))
    }
}

/// The pattern of a number that has one, that is, no bits below the smallest subnormal number. The exponent belongs to the top bit.
fn exact(c: &Circuit, layout: Layout, sign: Term, exponent: Term, significand: Term) -> Term {
    let (significand, distance) = c.normalise(significand, c.width(significand) - 1);
    let width = c.width(exponent);
    let exponent = c.sub(exponent, c.zero_extend(distance, width));
    Unrounded { sign, exponent, significand, underflows: true, overflows: false }.rounded(c, layout)
}

/// `dividend * 2^distance mod divisor`, if the distance is not negative. The top bit of the divisor is set.
fn scaled_rest(c: &Circuit, layout: Layout, dividend: Term, distance: Term, divisor: Term) -> Term {
    let width = c.width(divisor);
    // The distance between the largest and the smallest exponent, with the leading zeros of subnormal divisors.
    let most = (1u32 << layout.exponent) + layout.precision();
    let squarings = squarings(most, width);
    let start_most = most >> squarings;
    let start_bits = u32::BITS - start_most.leading_zeros();
    let start = c.extract(distance, squarings + start_bits - 1, squarings);
    if squarings == 0 {
        return rest(c, shifted(c, dividend, start, start_most), divisor);
    }
    let mut power = rest(c, shifted(c, c.number(1, 1), start, start_most), divisor);
    for bit in (0..squarings).rev() {
        let wide = c.zero_extend(power, 2 * width);
        let square = c.mul(wide, wide);
        let twice = c.ite(c.test_bit(distance, bit), c.pad(square, 1), c.zero_extend(square, 2 * width + 1));
        power = rest(c, twice, divisor);
    }
    let wide = width + c.width(dividend);
    rest(c, c.mul(c.zero_extend(power, wide), c.zero_extend(dividend, wide)), divisor)
}

/// How often to square for the smallest circuit. Its size is that of so many steps of long division: as many as the first power has digits,
/// and for each product its width, and as many again for its remainder. Without squaring there are no products.
fn squarings(most: u32, width: u32) -> u32 {
    let steps = |squarings: &u32| if *squarings == 0 { most } else { (most >> squarings) + (squarings + 1) * 2 * width };
    (0..16).min_by_key(steps).unwrap_or(0)
}

/// A number shifted left by a distance of at most `most`, without loss.
fn shifted(c: &Circuit, a: Term, distance: Term, most: u32) -> Term {
    let width = c.width(a) + most;
    let mut result = c.zero_extend(a, width);
    for index in 0..c.width(distance) {
        result = c.ite(c.test_bit(distance, index), c.shifted_left(result, 1 << index), result);
    }
    result
}

/// The remainder of a division of integers, by long division. The top bit of the divisor is set.
fn rest(c: &Circuit, dividend: Term, divisor: Term) -> Term {
    let (width, total) = (c.width(divisor), c.width(dividend));
    if total < width {
        return c.zero_extend(dividend, width);
    }
    // The first bits, one less than the divisor has, are less than it.
    let mut rest = c.head(dividend, width - 1);
    rest = c.zero_extend(rest, width);
    let divisor = c.zero_extend(divisor, width + 1);
    for position in (0..=total - width).rev() {
        let next = c.concat(rest, c.extract(dividend, position, position));
        // Below twice the divisor, so the top bit is the sign of the difference.
        let difference = c.sub(next, divisor);
        rest = c.tail(c.ite(c.top(difference), next, difference), width);
    }
    rest
}

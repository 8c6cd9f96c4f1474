//! Products, and products with a sum, rounded once.

use super::circuit::Circuit;
use super::round::Unrounded;
use super::unpack::{Layout, Number, infinity, nan, zero};
use crate::term::Term;

/// The exact product of two significands.
struct Product {
    sign: Term,
    /// The exponent field that belongs to the top bit, signed.
    exponent: Term,
    /// Normalised, unless a factor is zero or both are subnormal: then the product is less than half of the smallest number.
    significand: Term,
}

impl Product {
    /// The exponent has this many bits.
    fn of(c: &Circuit, layout: Layout, a: &Number, b: &Number, exponent_width: u32) -> Self {
        let precision = layout.precision();
        let wide = |significand| c.zero_extend(significand, 2 * precision);
        // If at most one factor is subnormal, the product has at most as many leading zeros.
        let (significand, distance) = c.normalise(c.mul(wide(a.significand), wide(b.significand)), precision);
        let extend = |exponent| c.zero_extend(exponent, exponent_width);
        // The product of two numbers from 1 up to 2 is below 4, which is what the top bit is for.
        let offset = c.integer(exponent_width, 1 - layout.bias());
        let exponent = c.sub(c.add(c.add(extend(a.exponent), extend(b.exponent)), offset), extend(distance));
        Product { sign: c.xor(a.sign, b.sign), exponent, significand }
    }
}

pub(super) fn product(c: &Circuit, layout: Layout, a: Term, b: Term) -> Term {
    let (a, b) = (Number::unpack(c, layout, a), Number::unpack(c, layout, b));
    let Product { sign, exponent, significand } = Product::of(c, layout, &a, &b, layout.exponent + 2);
    let finite = Unrounded { sign, exponent, significand, underflows: true, overflows: true }.rounded(c, layout);
    let infinite = c.or(a.infinite, b.infinite);
    let undefined = c.or(c.or(a.nan, b.nan), c.and(infinite, c.or(a.zero, b.zero)));
    c.ite(undefined, nan(c, layout), c.ite(infinite, infinity(c, layout, sign), finite))
}

/// The product of the first two plus the third.
pub(super) fn fused(c: &Circuit, layout: Layout, a: Term, b: Term, addend: Term) -> Term {
    let (a, b, z) = (Number::unpack(c, layout, a), Number::unpack(c, layout, b), Number::unpack(c, layout, addend));
    let exponent_width = layout.exponent + 3;
    let product = Product::of(c, layout, &a, &b, exponent_width);
    let vanishes = c.or(a.zero, b.zero);
    let finite = fused_finite(c, layout, &product, vanishes, &z);

    let infinite = c.or(a.infinite, b.infinite);
    let opposite = c.xor(product.sign, z.sign);
    let nans = c.or(c.or(a.nan, b.nan), z.nan);
    let undefined = c.or(c.and(infinite, vanishes), c.and(c.and(infinite, z.infinite), opposite));
    let result = c.ite(z.infinite, addend, finite);
    let result = c.ite(infinite, infinity(c, layout, product.sign), result);
    c.ite(c.or(nans, undefined), nan(c, layout), result)
}

fn fused_finite(c: &Circuit, layout: Layout, product: &Product, vanishes: Term, z: &Number) -> Term {
    let exponent_width = c.width(product.exponent);
    let z_exponent = c.zero_extend(z.exponent, exponent_width);
    let z_significand = c.pad(z.significand, layout.precision());

    // The one with the larger exponent stays, the other one is shifted; a product of 0 is never what stays, as its exponent says nothing.
    let swap = c.or(vanishes, c.slt(product.exponent, z_exponent));
    let choose = |x, y| (c.ite(swap, y, x), c.ite(swap, x, y));
    let (large_exponent, small_exponent) = choose(product.exponent, z_exponent);
    let (large, small) = choose(product.significand, z_significand);

    // As in a sum: three more bits below, one above, and one for the sign. That the addend may be subnormal does no harm: if it stays, no
    // bit of the result is below its last one, which is far above the sticky bit. Neither does a product of two subnormal factors.
    let width = 2 * layout.precision() + 5;
    let extend = |significand| c.zero_extend(c.pad(significand, 3), width);
    let distance = c.sub(large_exponent, small_exponent);
    let aligned = c.shift_right_jam(c.pad(small, 3), distance);
    let subtract = c.xor(product.sign, z.sign);
    let total = c.add_or_subtract(extend(large), c.zero_extend(aligned, width), subtract);
    let negative = c.top(total);
    let total = c.tail(c.negated_if(negative, total), width - 1);

    let none = c.is_zero(total);
    let (significand, distance) = c.normalise(total, width - 2);
    let exponent = c.add(large_exponent, c.number(exponent_width, 1));
    let exponent = c.sub(exponent, c.zero_extend(distance, exponent_width));
    let large_sign = c.ite(swap, z.sign, product.sign);
    let sign = c.xor(large_sign, negative);
    let rounded = Unrounded { sign, exponent, significand, underflows: true, overflows: true }.rounded(c, layout);
    c.ite(none, zero(c, layout, c.and(product.sign, z.sign)), rounded)
}

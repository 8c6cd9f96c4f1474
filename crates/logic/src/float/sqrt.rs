//! Square roots, digit by digit.

use super::circuit::Circuit;
use super::round::Unrounded;
use super::unpack::{Layout, Number, nan};
use crate::term::Term;

pub(super) fn square_root(c: &Circuit, layout: Layout, a: Term) -> Term {
    let x = Number::unpack(c, layout, a);
    let exponent_width = layout.exponent + 2;
    let (significand, exponent) = x.normalised(c, exponent_width);
    // Twice the exponent field of the root: half the exponent, to which the bias is added.
    let double = c.add(exponent, c.integer(exponent_width, layout.bias()));
    let odd = c.test_bit(double, 0);
    let exponent = c.sign_extend(c.head(double, exponent_width - 1), exponent_width);

    // From 1 up to 4, with two bits before the point. One digit of the root more than the precision is the guard bit.
    let precision = layout.precision();
    let square = c.ite(odd, c.pad(significand, 1), c.zero_extend(significand, precision + 1));
    let (root, rest) = digits(c, c.pad(square, precision + 1));
    let significand = c.concat(root, c.bit(c.nonzero(rest)));
    let finite = Unrounded { sign: c.bool(false), exponent, significand, underflows: false, overflows: false }.rounded(c, layout);

    let undefined = c.or(x.nan, c.and(x.sign, c.not(x.zero)));
    c.ite(undefined, nan(c, layout), c.ite(c.or(x.zero, x.infinite), a, finite))
}

/// The integer square root of a number of even width, and what is left. One of the two top bits is set, so the first digit is 1.
fn digits(c: &Circuit, square: Term) -> (Term, Term) {
    let count = c.width(square) / 2;
    let mut root = c.number(1, 1);
    let mut rest = c.sub(c.head(square, 2), c.number(2, 1));
    for position in (0..count - 1).rev() {
        let rest_width = c.width(rest);
        // Bring down two bits, try the digit 1: subtract 4 * root + 1. The rest is at most twice the root, so the top bit is the sign.
        let pair = c.extract(square, 2 * position + 1, 2 * position);
        rest = c.concat(rest, pair);
        let trial = c.zero_extend(c.concat(root, c.number(2, 1)), rest_width + 2);
        let difference = c.sub(rest, trial);
        let fits = c.not(c.top(difference));
        root = c.concat(root, c.bit(fits));
        rest = c.tail(c.ite(fits, difference, rest), rest_width + 1);
    }
    (root, rest)
}

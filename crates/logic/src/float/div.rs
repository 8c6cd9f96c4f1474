//! Quotients, digit by digit.

use super::circuit::Circuit;
use super::round::Unrounded;
use super::unpack::{Layout, Number, infinity, nan, zero};
use crate::term::Term;

pub(super) fn quotient(c: &Circuit, layout: Layout, a: Term, b: Term) -> Term {
    let (a, b) = (Number::unpack(c, layout, a), Number::unpack(c, layout, b));
    let exponent_width = layout.exponent + 3;
    let (dividend, dividend_exponent) = a.normalised(c, exponent_width);
    let (divisor, divisor_exponent) = b.normalised(c, exponent_width);

    let (digits, rest) = divide(c, dividend, divisor, layout.precision() + 2);
    // The quotient of numbers from 1 up to 2 is above 1/2: it has at most one leading zero.
    let significand = c.concat(digits, c.bit(c.nonzero(rest)));
    let (significand, distance) = c.normalise(significand, 1);
    let difference = c.sub(dividend_exponent, divisor_exponent);
    let exponent = c.add(difference, c.integer(exponent_width, layout.bias()));
    let exponent = c.sub(exponent, c.zero_extend(distance, exponent_width));
    let sign = c.xor(a.sign, b.sign);
    let finite = Unrounded { sign, exponent, significand, underflows: true, overflows: true }.rounded(c, layout);

    let undefined = c.or(c.and(a.zero, b.zero), c.and(a.infinite, b.infinite));
    let undefined = c.or(undefined, c.or(a.nan, b.nan));
    let result = c.ite(c.or(a.zero, b.infinite), zero(c, layout, sign), finite);
    let result = c.ite(c.or(a.infinite, b.zero), infinity(c, layout, sign), result);
    c.ite(undefined, nan(c, layout), result)
}

/// This many binary digits of a quotient below 2, the first before the point, and what is left. Both numbers have the same width, the top
/// bit of the divisor is set.
fn divide(c: &Circuit, dividend: Term, divisor: Term, count: u32) -> (Term, Term) {
    let width = c.width(divisor);
    let divisor = c.zero_extend(divisor, width + 1);
    let mut rest = c.zero_extend(dividend, width + 1);
    let mut digits = None;
    for _ in 0..count {
        // What is left is below twice the divisor, so the top bit is the sign of the difference.
        let difference = c.sub(rest, divisor);
        let fits = c.not(c.top(difference));
        let digit = c.bit(fits);
        digits = Some(digits.map_or(digit, |digits| c.concat(digits, digit)));
        rest = c.pad(c.tail(c.ite(fits, difference, rest), width), 1);
    }
    (digits.unwrap_or_else(|| c.zero(1)), rest)
}

//! Float operators as circuits: terms of bit-vectors that compute the patterns of the results.

use model::FloatFormat;

use super::circuit::Circuit;
use super::compare::{Comparison, compare};
use super::unpack::{Layout, Number, absolute, canonical, negated};
use super::{add, convert, div, integral, mul, rem, sqrt};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// The term that computes a float operator, with bit patterns in the place of floats. Patterns of arguments are canonical, and so is that of
/// the result. `None` if the operator is no float operator, or its integers are wider than 128 bits.
pub(crate) fn lower(terms: &mut Terms, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
    let c = &Circuit::new(terms);
    let result = match (op, args) {
        (Op::FloatFromBits(format), &[a]) => canonical(c, Layout::of(format), a),
        (Op::FloatFromInt { format, signed }, &[a]) if c.width(a) <= 128 => convert::from_int(c, Layout::of(format), signed, a),
        (Op::FloatFromInt { .. }, _) => return None,
        _ => on_floats(c, op, Layout::of(format_of_width(c.width(*args.first()?))?), args)?,
    };
    (c.width(result) == sort.width()).then_some(result)
}

/// The format whose patterns have this width.
fn format_of_width(width: u32) -> Option<FloatFormat> {
    use FloatFormat::{F16, F32, F64, F128, X87};
    [F16, F32, F64, X87, F128].into_iter().find(|format| u32::from(format.bits()) == width)
}

/// An operator whose arguments are all floats of one format.
fn on_floats(c: &Circuit, op: Op, layout: Layout, args: &[Term]) -> Option<Term> {
    Some(match (op, args) {
        (Op::FloatToBits, &[a]) => a,
        (Op::FloatAdd, &[a, b]) => add::sum(c, layout, a, b),
        (Op::FloatSub, &[a, b]) => add::sum(c, layout, a, negated(c, layout, b)),
        (Op::FloatMul, &[a, b]) => mul::product(c, layout, a, b),
        (Op::FloatDiv, &[a, b]) => div::quotient(c, layout, a, b),
        (Op::FloatSqrt, &[a]) => sqrt::square_root(c, layout, a),
        (Op::FloatFma, &[a, b, addend]) => mul::fused(c, layout, a, b, addend),
        (Op::FloatMod, &[a, b]) => rem::modulo(c, layout, a, b),
        (Op::FloatRem, &[a, b]) => rem::remainder(c, layout, a, b),
        (Op::FloatRound(rounding), &[a]) => integral::integral(c, layout, rounding, a),
        (Op::FloatNeg, &[a]) => negated(c, layout, a),
        (Op::FloatAbs, &[a]) => absolute(c, layout, a),
        (Op::FloatEq, &[a, b]) => compare(c, layout, Comparison::Equal, a, b),
        (Op::FloatLt, &[a, b]) => compare(c, layout, Comparison::Less, a, b),
        (Op::FloatLe, &[a, b]) => compare(c, layout, Comparison::LessOrEqual, a, b),
        (Op::FloatIsNan, &[a]) => Number::unpack(c, layout, a).nan,
        (Op::FloatIsInfinite, &[a]) => Number::unpack(c, layout, a).infinite,
        (Op::FloatConvert(to), &[a]) => convert::convert(c, layout, Layout::of(to), a),
        (Op::FloatToInt { signed, width: width @ 1..=128 }, &[a]) => convert::to_int(c, layout, signed, width, a),
        (Op::FloatFitsInt { signed, width: width @ 1..=128 }, &[a]) => convert::fits_int(c, layout, signed, width, a),
        _ => return None,
    })
}

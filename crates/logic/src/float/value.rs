//! The value of a float operator on constants.

use model::{FloatFormat, float, in_format};
use rustc_apfloat::{Float, Round};

use crate::bits::Bits;
use crate::op::{Op, Rounding};
use crate::sort::Sort;

/// The value of a float operator. Floats are given and returned as bit patterns, truth values as one bit. `None` if the operator is no float
/// operator, or its integers are wider than 128 bits.
pub(crate) fn evaluate(op: Op, sort: Sort, args: &[(Sort, &Bits)]) -> Option<Bits> {
    let first = args.first()?.0;
    let mut patterns = [0; 3];
    for (pattern, (_, bits)) in patterns.iter_mut().zip(args) {
        *pattern = bits.to_u128()?;
    }
    let result = match (op, first) {
        (Op::FloatFromBits(format), _) => canonical(format, patterns[0]),
        (Op::FloatFromInt { format, signed }, Sort::Bits(width @ 1..=128)) => float::from_int(format, patterns[0], width as u16, signed),
        (_, Sort::Float(format)) => on_floats(op, format, patterns)?,
        _ => return None,
    };
    Some(Bits::new(sort.width(), result))
}

/// The value of an operator whose arguments are all floats of one format.
fn on_floats(op: Op, format: FloatFormat, [x, y, z]: [u128; 3]) -> Option<u128> {
    Some(match op {
        Op::FloatToBits => x,
        Op::FloatConvert(to) => canonical(to, float::convert(format, to, x)),
        Op::FloatToInt { signed, width } if width <= 128 => to_int(format, x, width, signed).unwrap_or(0),
        Op::FloatFitsInt { signed, width } if width <= 128 => to_int(format, x, width, signed).is_some().into(),
        _ => in_format!(format, F => {
            let (x, y, z) = (F::from_bits(x), F::from_bits(y), F::from_bits(z));
            match predicate(op, x, y) {
                Some(holds) => holds.into(),
                None => pattern(number(op, x, y, z)?),
            }
        }),
    })
}

fn predicate<F: Float>(op: Op, x: F, y: F) -> Option<bool> {
    Some(match op {
        Op::FloatEq => x == y,
        Op::FloatLt => x < y,
        Op::FloatLe => x <= y,
        Op::FloatIsNan => x.is_nan(),
        Op::FloatIsInfinite => x.is_infinite(),
        _ => return None,
    })
}

fn number<F: Float>(op: Op, x: F, y: F, z: F) -> Option<F> {
    Some(match op {
        Op::FloatAdd => (x + y).value,
        Op::FloatSub => (x - y).value,
        Op::FloatMul => (x * y).value,
        Op::FloatDiv => (x / y).value,
        Op::FloatSqrt => square_root(x),
        Op::FloatFma => x.mul_add(y, z).value,
        Op::FloatMod => x.c_fmod(y).value,
        Op::FloatRem => x.ieee_rem(y).value,
        Op::FloatRound(rounding) => x.round_to_integral(direction(rounding)).value,
        Op::FloatNeg => -x,
        Op::FloatAbs => x.abs(),
        _ => return None,
    })
}

fn direction(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
        Rounding::TowardZero => Round::TowardZero,
        Rounding::Up => Round::TowardPositive,
        Rounding::Down => Round::TowardNegative,
    }
}

/// The bit pattern; all NaNs have the same.
fn pattern<F: Float>(x: F) -> u128 {
    if x.is_nan() { F::NAN.to_bits() } else { x.to_bits() }
}

/// The pattern that stands for the same value as this one.
fn canonical(format: FloatFormat, bits: u128) -> u128 {
    in_format!(format, F => pattern(F::from_bits(bits)))
}

/// A float as an integer of 1 to 128 bits, towards zero; `None` if it does not fit.
fn to_int(format: FloatFormat, pattern: u128, width: u32, signed: bool) -> Option<u128> {
    match (width, signed) {
        (0, _) => None,
        // The only values are 0 and -1; a sign alone leaves the arithmetic below no bit for the value.
        (1, true) => float::to_int(format, pattern, 2, true).filter(|value| matches!(value, 0b00 | 0b11)).map(|value| value & 1),
        _ => float::to_int(format, pattern, width as u16, signed),
    }
}

/// The square root, rounded once: an integer root with two bits more than the precision, and one that says whether anything is left.
fn square_root<F: Float>(x: F) -> F {
    if x.is_nan() || x.is_zero() || x == F::INFINITY {
        return x;
    }
    if x.is_negative() {
        return F::NAN;
    }
    let digits = F::PRECISION as i32;
    let exponent = x.ilogb() - (digits - 1);
    let significand = x.scalbn(-exponent).to_u128(128).value;
    // x = square * 4^half, and the root of square * 4^extra has digits + 2 bits or more.
    let (square, half) = (significand << (exponent & 1), exponent >> 1);
    let extra = (digits + 5) / 2;
    let (root, exact) = integer_root(square, extra as u32);
    let rounded = F::from_u128(root << 1 | u128::from(!exact)).value;
    rounded.scalbn(half - extra - 1)
}

/// The integer square root of `square * 4^extra`, and whether it is exact, digit by digit.
fn integer_root(square: u128, extra: u32) -> (u128, bool) {
    let (mut root, mut rest) = (0u128, 0u128);
    let pairs = (0..64).rev().map(|pair| square >> (2 * pair) & 3);
    for pair in pairs.chain((0..extra).map(|_| 0)) {
        rest = rest << 2 | pair;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    (root, rest == 0)
}

//! Floating-point arithmetic in software: the same bits on every host, in every format.

use crate::{BinaryOp as Op, FloatFormat};
pub use rustc_apfloat::ieee;
use rustc_apfloat::{Float, FloatConvert, Round, StatusAnd};

/// Runs a computation with a type's name standing for the format's own type: `in_format!(format, F => F::from_bits(x).to_bits())`.
#[macro_export]
macro_rules! in_format {
    ($format:expr, $ty:ident => $body:expr) => {
        match $format {
            $crate::FloatFormat::F16 => {
                type $ty = $crate::float::ieee::Half;
                $body
            }
            $crate::FloatFormat::F32 => {
                type $ty = $crate::float::ieee::Single;
                $body
            }
            $crate::FloatFormat::F64 => {
                type $ty = $crate::float::ieee::Double;
                $body
            }
            $crate::FloatFormat::X87 => {
                type $ty = $crate::float::ieee::X87DoubleExtended;
                $body
            }
            $crate::FloatFormat::F128 => {
                type $ty = $crate::float::ieee::Quad;
                $body
            }
        }
    };
}

/// The bits of a constant as written: decimal, or hexadecimal with a binary exponent. Rounded to nearest even; too large gives infinity.
pub fn parse(format: FloatFormat, digits: &str) -> Option<u128> {
    in_format!(format, F => F::from_str_r(digits, Round::NearestTiesToEven).ok().map(|parsed| parsed.value.to_bits()))
}

/// A float in another format, rounded to nearest even.
pub fn convert(from: FloatFormat, to: FloatFormat, bits: u128) -> u128 {
    fn into<A, B: Float>(bits: u128) -> u128
    where
        A: Float + FloatConvert<B>,
    {
        let mut loses = false;
        let StatusAnd { value, .. } = A::from_bits(bits).convert(&mut loses);
        value.to_bits()
    }
    if from == to {
        return bits;
    }
    in_format!(from, A => in_format!(to, B => into::<A, B>(bits)))
}

/// An integer of this width and sign as a float.
pub fn from_int(format: FloatFormat, pattern: u128, bits: u16, signed: bool) -> u128 {
    let shift = 128 - u32::from(bits.clamp(1, 128));
    if signed {
        let value = ((pattern << shift) as i128) >> shift;
        in_format!(format, F => F::from_i128(value).value.to_bits())
    } else {
        in_format!(format, F => F::from_u128(pattern).value.to_bits())
    }
}

/// A float as an integer, towards zero; `None` if it does not fit.
pub fn to_int(format: FloatFormat, pattern: u128, bits: u16, signed: bool) -> Option<u128> {
    let mask = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
    let mut exact = false;
    let invalid = rustc_apfloat::Status::INVALID_OP;
    if signed {
        let result = in_format!(format, F => F::from_bits(pattern).to_i128_r(usize::from(bits), Round::TowardZero, &mut exact));
        (!result.status.contains(invalid)).then_some(result.value as u128 & mask)
    } else {
        let result = in_format!(format, F => F::from_bits(pattern).to_u128_r(usize::from(bits), Round::TowardZero, &mut exact));
        (!result.status.contains(invalid)).then_some(result.value & mask)
    }
}

/// Sum, difference, product or quotient, rounded to nearest even.
pub fn arithmetic(format: FloatFormat, op: Op, x: u128, y: u128) -> Option<u128> {
    in_format!(format, F => {
        let (a, b) = (F::from_bits(x), F::from_bits(y));
        let result = match op {
            Op::Add => a + b,
            Op::Sub => a - b,
            Op::Mul => a * b,
            Op::Div => a / b,
            _ => return None,
        };
        Some(result.value.to_bits())
    })
}

/// A comparison; `None` if the operator is none.
pub fn compare(format: FloatFormat, op: Op, x: u128, y: u128) -> Option<bool> {
    in_format!(format, F => {
        let (a, b) = (F::from_bits(x), F::from_bits(y));
        Some(match op {
            Op::Eq => a == b,
            Op::Ne => a != b,
            Op::Lt => a < b,
            Op::Le => a <= b,
            Op::Gt => a > b,
            Op::Ge => a >= b,
            _ => return None,
        })
    })
}

/// Positive infinity.
pub fn infinity(format: FloatFormat) -> u128 {
    in_format!(format, F => F::INFINITY.to_bits())
}

/// The largest finite number.
pub fn largest(format: FloatFormat) -> u128 {
    in_format!(format, F => F::largest().to_bits())
}

/// The smallest positive normal number.
pub fn smallest_normal(format: FloatFormat) -> u128 {
    in_format!(format, F => F::smallest_normalized().to_bits())
}

/// A quiet (or signalling) NaN with this payload.
pub fn nan(format: FloatFormat, payload: u128, signalling: bool) -> u128 {
    in_format!(format, F => {
        let payload = Some(payload).filter(|payload| *payload != 0 || signalling);
        if signalling { F::snan(payload).to_bits() } else { F::qnan(payload).to_bits() }
    })
}

//! Floats: binary32 and binary64 by the host, the other formats in software.

use std::ops::{Add, Div, Mul, Sub};

use model::{BinaryOp, FloatFormat, float};

/// Sum, difference, product or quotient.
pub fn arithmetic(format: FloatFormat, op: BinaryOp, x: u128, y: u128) -> u128 {
    match format {
        FloatFormat::F64 => u128::from(compute(op, f64::from_bits(x as u64), f64::from_bits(y as u64)).to_bits()),
        FloatFormat::F32 => u128::from(compute(op, f32::from_bits(x as u32), f32::from_bits(y as u32)).to_bits()),
        _ => float::arithmetic(format, op, x, y).unwrap_or(0),
    }
}

fn compute<T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>>(op: BinaryOp, a: T, b: T) -> T {
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        _ => a / b,
    }
}

/// A comparison; with NaN only `!=` holds.
pub fn compare(format: FloatFormat, op: BinaryOp, x: u128, y: u128) -> bool {
    let ordering = match format {
        FloatFormat::F64 => f64::from_bits(x as u64).partial_cmp(&f64::from_bits(y as u64)),
        FloatFormat::F32 => f32::from_bits(x as u32).partial_cmp(&f32::from_bits(y as u32)),
        _ => return float::compare(format, op, x, y).unwrap_or(false),
    };
    ordering.map_or(op == BinaryOp::Ne, |ordering| op.holds(ordering))
}

/// An integer as a float.
pub fn from_int(format: FloatFormat, pattern: u128, bits: u8, signed: bool) -> u128 {
    float::from_int(format, pattern, u16::from(bits), signed)
}

/// A float as an integer, towards zero; `None` if it does not fit.
pub fn to_int(format: FloatFormat, pattern: u128, bits: u8, signed: bool) -> Option<u128> {
    float::to_int(format, pattern, u16::from(bits), signed)
}

/// A float in another format.
pub fn convert(from: FloatFormat, to: FloatFormat, pattern: u128) -> u128 {
    match (from, to) {
        (FloatFormat::F32, FloatFormat::F64) => u128::from(f64::from(f32::from_bits(pattern as u32)).to_bits()),
        (FloatFormat::F64, FloatFormat::F32) => u128::from((f64::from_bits(pattern as u64) as f32).to_bits()),
        _ => float::convert(from, to, pattern),
    }
}

/// Whether a float is neither infinite nor NaN.
pub fn is_finite(format: FloatFormat, pattern: u128) -> bool {
    let magnitude = pattern & !(1 << (format.bits() - 1));
    compare(format, BinaryOp::Le, magnitude, float::largest(format))
}

/// A float for messages.
pub fn display(format: FloatFormat, pattern: u128) -> String {
    f64::from_bits(convert(format, FloatFormat::F64, pattern) as u64).to_string()
}

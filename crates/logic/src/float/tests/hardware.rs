//! Values are those that the processor computes.

use super::numbers::{Random, try_numbers};
use super::*;

const COUNT: usize = 100_000;

/// The tests of one format that the processor has.
macro_rules! hardware {
    ($name:ident, $format:expr, $float:ty, $bits:ty) => {
        mod $name {
            use super::*;

            fn float(bits: u128) -> $float {
                <$float>::from_bits(bits as $bits)
            }
            fn pattern(x: $float) -> u128 {
                // The canonical NaN is the one of the standard library.
                if x.is_nan() { <$float>::NAN.to_bits().into() } else { x.to_bits().into() }
            }
            fn check<const N: usize>(op: Op, expected: impl Fn([$float; N]) -> u128) {
                let sorts = [Sort::Float($format); N];
                try_numbers::<N>($format, COUNT, |args| {
                    let expected = expected(args.map(float));
                    assert_eq!(value(op, &sorts, &args), expected, "{op:?} {args:x?}, not {expected:x}");
                });
            }

            #[test]
            fn arithmetic() {
                check(Op::FloatAdd, |[x, y]| pattern(x + y));
                check(Op::FloatSub, |[x, y]| pattern(x - y));
                check(Op::FloatMul, |[x, y]| pattern(x * y));
                check(Op::FloatDiv, |[x, y]| pattern(x / y));
                check(Op::FloatSqrt, |[x]| pattern(x.sqrt()));
                check(Op::FloatFma, |[x, y, z]| pattern(x.mul_add(y, z)));
            }
            #[test]
            fn comparisons() {
                check(Op::FloatEq, |[x, y]| (x == y).into());
                check(Op::FloatLt, |[x, y]| (x < y).into());
                check(Op::FloatLe, |[x, y]| (x <= y).into());
                check(Op::FloatIsNan, |[x]| x.is_nan().into());
                check(Op::FloatIsInfinite, |[x]| x.is_infinite().into());
            }
            #[test]
            fn integral_values() {
                check(Op::FloatRound(Rounding::NearestEven), |[x]| pattern(x.round_ties_even()));
                check(Op::FloatRound(Rounding::NearestAway), |[x]| pattern(x.round()));
                check(Op::FloatRound(Rounding::TowardZero), |[x]| pattern(x.trunc()));
                check(Op::FloatRound(Rounding::Up), |[x]| pattern(x.ceil()));
                check(Op::FloatRound(Rounding::Down), |[x]| pattern(x.floor()));
                check(Op::FloatNeg, |[x]| pattern(-x));
                check(Op::FloatAbs, |[x]| pattern(x.abs()));
            }
            #[test]
            fn to_integers() {
                for width in [1, 8, 31, 32, 64, 100, 128] {
                    let mask = u128::MAX >> (128 - width);
                    let power = |exponent: u32| (2 as $float).powi(exponent as i32);
                    let fits_signed = |x: $float| x.trunc() >= -power(width - 1) && x.trunc() < power(width - 1);
                    let fits_unsigned = |x: $float| x > -1.0 && x.trunc() < power(width);
                    check(Op::FloatFitsInt { signed: true, width }, |[x]| fits_signed(x).into());
                    check(Op::FloatFitsInt { signed: false, width }, |[x]| fits_unsigned(x).into());
                    check(Op::FloatToInt { signed: true, width }, |[x]| if fits_signed(x) { x as i128 as u128 & mask } else { 0 });
                    check(Op::FloatToInt { signed: false, width }, |[x]| if fits_unsigned(x) { x as u128 } else { 0 });
                }
            }
            #[test]
            fn from_integers() {
                let mut random = Random::new(1);
                for _ in 0..COUNT {
                    let width = 1 + random.below(128) as u32;
                    let bits = random.sparse(width);
                    let number = (bits << (128 - width)) as i128 >> (128 - width);
                    let convert = |signed| value(Op::FloatFromInt { format: $format, signed }, &[Sort::Bits(width)], &[bits]);
                    assert_eq!(convert(true), pattern(number as $float), "{number}");
                    assert_eq!(convert(false), pattern(bits as $float), "{bits}");
                }
            }
            #[test]
            fn conversions() {
                check(Op::FloatConvert(F32), |[x]| {
                    let x = x as f32;
                    if x.is_nan() { f32::NAN.to_bits().into() } else { x.to_bits().into() }
                });
                check(Op::FloatConvert(F64), |[x]| {
                    let x = x as f64;
                    if x.is_nan() { f64::NAN.to_bits().into() } else { x.to_bits().into() }
                });
            }
        }
    };
}

hardware!(single, F32, f32, u32);
hardware!(double, F64, f64, u64);

#[test]
fn remainders_of_single() {
    try_numbers(F32, COUNT, |args: [u128; 2]| {
        let [x, y] = args.map(|arg| f32::from_bits(arg as u32));
        let rest = x % y;
        let expected = if rest.is_nan() { f32::NAN } else { rest }.to_bits();
        assert_eq!(value(Op::FloatMod, &[Sort::Float(F32); 2], &args), expected.into(), "{x} {y}");
    });
}

#[test]
fn remainders_of_double() {
    try_numbers(F64, COUNT, |args: [u128; 2]| {
        let [x, y] = args.map(|arg| f64::from_bits(arg as u64));
        let rest = x % y;
        let expected = if rest.is_nan() { f64::NAN } else { rest }.to_bits();
        assert_eq!(value(Op::FloatMod, &[Sort::Float(F64); 2], &args), expected.into(), "{x} {y}");
    });
}

/// In the smallest format the processor can compute the exact sum in double precision, which is then rounded once. The products are below the
/// smallest normal number and the addends subnormal, so that all of their bits matter.
#[test]
fn small_fused_products() {
    let double = |bits| f64::from_bits(value(Op::FloatConvert(F64), &[Sort::Float(F16)], &[bits]) as u64);
    let mut random = Random::new(3);
    for _ in 0..200_000 {
        let exponent = 1 + random.below(15) as u128;
        let other = 16 - exponent;
        let exponent = exponent.saturating_sub(random.below(11) as u128);
        let args = [exponent << 10 | random.bits(10), other << 10 | random.bits(10), random.bits(1) << 15 | random.bits(10)];
        let [x, y, z] = args.map(double);
        let exact = u128::from((x * y + z).to_bits());
        let expected = value(Op::FloatConvert(F16), &[Sort::Float(F64)], &[exact]);
        assert_eq!(value(Op::FloatFma, &[Sort::Float(F16); 3], &args), expected, "{args:x?}");
    }
}

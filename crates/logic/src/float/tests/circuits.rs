//! Circuits compute the values.

use expect_test::expect;

use super::numbers::{Random, canonical, try_numbers};
use super::*;

const TO_INT_WIDTHS: [u32; 9] = [1, 2, 8, 11, 16, 32, 64, 80, 128];

fn unary(format: FloatFormat) -> Vec<Op> {
    let mut ops = vec![Op::FloatToBits, Op::FloatSqrt, Op::FloatNeg, Op::FloatAbs, Op::FloatIsNan, Op::FloatIsInfinite];
    ops.extend(ROUNDINGS.map(Op::FloatRound));
    ops.extend(FORMATS.into_iter().filter(|to| *to != format).map(Op::FloatConvert));
    for width in TO_INT_WIDTHS {
        for signed in [false, true] {
            ops.extend([Op::FloatToInt { signed, width }, Op::FloatFitsInt { signed, width }]);
        }
    }
    ops
}

const ARITHMETIC: [Op; 4] = [Op::FloatAdd, Op::FloatSub, Op::FloatMul, Op::FloatDiv];
const COMPARISONS: [Op; 3] = [Op::FloatEq, Op::FloatLt, Op::FloatLe];
const REMAINDERS: [Op; 2] = [Op::FloatMod, Op::FloatRem];

/// Compares circuit and value on special and `count` random numbers, and some of them with a circuit of constants.
fn agree<const N: usize>(format: FloatFormat, op: Op, count: usize) {
    let sorts = [Sort::Float(format); N];
    let circuit = Lowered::new(op, &sorts);
    let mut tried = 0;
    try_numbers::<N>(format, count, |args| {
        let expected = value(op, &sorts, &args);
        assert_eq!(circuit.value(&args), expected, "{op:?} {format:?} {args:x?}, not {expected:x}");
        if tried % 32 == 0 {
            assert_eq!(folded(op, &sorts, &args), expected, "folded {op:?} {format:?} {args:x?}");
        }
        tried += 1;
    });
}

#[test]
fn unary_operators_agree() {
    for format in FORMATS {
        for op in unary(format) {
            agree::<1>(format, op, 300);
        }
    }
}

#[test]
fn unary_operators_agree_all_over_the_smallest_format() {
    let format = F16;
    let others = [Op::FloatSqrt, Op::FloatConvert(F32), Op::FloatToInt { signed: true, width: 8 }];
    for op in ROUNDINGS.map(Op::FloatRound).into_iter().chain(others) {
        let circuit = Lowered::new(op, &[Sort::Float(format)]);
        // A stride that meets every exponent and, odd as it is, all ends of fractions.
        for bits in (0..1 << 16).step_by(7) {
            let arg = canonical(format, bits);
            assert_eq!(circuit.value(&[arg]), value(op, &[Sort::Float(format)], &[arg]), "{op:?} {arg:x}");
        }
    }
}

#[test]
fn arithmetic_agrees() {
    for (format, count) in [(F16, 1500), (F32, 800), (F64, 400), (X87, 300), (F128, 200)] {
        for op in ARITHMETIC.into_iter().chain(COMPARISONS) {
            agree::<2>(format, op, count);
        }
        agree::<3>(format, Op::FloatFma, count);
    }
}

#[test]
fn remainders_agree() {
    for (format, count) in [(F16, 800), (F32, 250), (F64, 80), (X87, 20), (F128, 10)] {
        for op in REMAINDERS {
            agree::<2>(format, op, count);
        }
    }
}

#[test]
fn all_patterns_have_a_meaning() {
    for format in FORMATS {
        let width = u32::from(format.bits());
        let op = Op::FloatFromBits(format);
        let circuit = Lowered::new(op, &[Sort::Bits(width)]);
        let mut random = Random::new(width.into());
        for _ in 0..2000 {
            // Exponents of all kinds: none, all bits, any.
            let mut bits = random.sparse(width);
            let exponent = 0x7fff << (width - 16);
            match random.below(3) {
                0 => bits &= !exponent,
                1 => bits |= exponent,
                _ => {}
            }
            assert_eq!(circuit.value(&[bits]), value(op, &[Sort::Bits(width)], &[bits]), "{format:?} {bits:x}");
        }
    }
}

#[test]
fn x87_has_more_patterns_than_numbers() {
    let meaning = |bits| format!("{:020x}", canonical(X87, bits));
    // Pseudo-denormal, unnormal, pseudo-infinity, pseudo-NaN, infinity, a NaN with sign and payload.
    expect!["00018000000000000001"].assert_eq(&meaning(0x0000_8000_0000_0000_0001));
    expect!["7fffc000000000000000"].assert_eq(&meaning(0x4000_4000_0000_0000_0000));
    expect!["7fffc000000000000000"].assert_eq(&meaning(0x7fff_0000_0000_0000_0000));
    expect!["7fffc000000000000000"].assert_eq(&meaning(0x7fff_0000_0000_0000_0001));
    expect!["7fff8000000000000000"].assert_eq(&meaning(0x7fff_8000_0000_0000_0000));
    expect!["7fffc000000000000000"].assert_eq(&meaning(0xffff_8000_0000_0000_0001));
}

#[test]
fn integers_agree() {
    for format in FORMATS {
        for width in [1, 2, 7, 12, 16, 25, 32, 64, 65, 128] {
            for signed in [false, true] {
                let (op, sorts) = (Op::FloatFromInt { format, signed }, [Sort::Bits(width)]);
                let circuit = Lowered::new(op, &sorts);
                let mut random = Random::new(u64::from(width));
                for index in 0..150 {
                    let arg = [0, 1, u128::MAX, u128::MAX >> 1]
                        .get(index)
                        .map_or_else(|| random.sparse(width), |arg| arg & (!0 >> (128 - width)));
                    assert_eq!(circuit.value(&[arg]), value(op, &sorts, &[arg]), "{op:?} {width} {arg:x}");
                }
            }
        }
    }
}

#[test]
fn sizes_of_circuits() {
    let mut table = String::new();
    for format in FORMATS {
        let size = |op: Op, count| {
            let circuit = Lowered::new(op, &vec![Sort::Float(format); count]);
            circuit.terms.size(&[circuit.result]).to_string()
        };
        let binary = [Op::FloatAdd, Op::FloatMul, Op::FloatDiv, Op::FloatMod, Op::FloatRem].map(|op| size(op, 2));
        let others = [size(Op::FloatSqrt, 1), size(Op::FloatFma, 3)];
        table += &format!("{}: {} {}\n", format.name(), binary.join(" "), others.join(" "));
    }
    // Sum, product, quotient, fmod, remainder, square root, fused product and sum: in terms.
    expect![[r#"
        f16: 197 195 356 543 554 214 345
        f32: 226 215 502 1163 1200 373 383
        f64: 254 236 789 2817 2882 714 419
        x87: 291 259 904 5432 5546 847 456
        f128: 282 255 1356 7845 7952 1412 455
    "#]]
    .assert_eq(&table);
}

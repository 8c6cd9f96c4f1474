//! <math.h>: what is exact, in every format by the same code. The format is that of the first argument.

use model::float::ieee::X87DoubleExtended;
use model::{FloatFormat, in_format};
use rustc_apfloat::{Category, Float, IEK_INF, IEK_NAN, IEK_ZERO, Round, Status, StatusAnd};

use super::{Header, Invocation, Native, errors, scalar_at, store_int, transcendental};
use crate::code::Shape;
use crate::fault::Step;
use crate::machine::Machine;

type M<'a, 'p, 'i> = &'a mut Machine<'p, 'i>;

/// The functions by the name of their `double` version.
const FUNCTIONS: Header = &[
    ("fabs", |_, c| Ok(magnitude(c.float(0)?))),
    ("copysign", copysign),
    ("floor", |_, c| integral(c, Round::TowardNegative)),
    ("ceil", |_, c| integral(c, Round::TowardPositive)),
    ("trunc", |_, c| integral(c, Round::TowardZero)),
    ("round", |_, c| integral(c, Round::NearestTiesToAway)),
    ("roundeven", |_, c| integral(c, Round::NearestTiesToEven)),
    ("rint", |_, c| integral(c, Round::NearestTiesToEven)),
    ("nearbyint", |_, c| integral(c, Round::NearestTiesToEven)),
    ("lround", |m, c| integer(m, c, Round::NearestTiesToAway)),
    ("llround", |m, c| integer(m, c, Round::NearestTiesToAway)),
    ("lrint", |m, c| integer(m, c, Round::NearestTiesToEven)),
    ("llrint", |m, c| integer(m, c, Round::NearestTiesToEven)),
    ("sqrt", sqrt),
    ("fmod", fmod),
    ("remainder", remainder),
    ("drem", remainder),
    ("fma", fma),
    ("frexp", frexp),
    ("ldexp", scale),
    ("scalbn", scale),
    ("scalbln", scale),
    ("modf", modf),
    ("logb", logb),
    ("ilogb", |_, c| exponent(c).map(|exponent| exponent as i128 as u128)),
    ("nextafter", nextafter),
    ("nexttoward", nextafter),
    ("fmin", |_, c| extreme(c, true)),
    ("fmax", |_, c| extreme(c, false)),
    ("fdim", fdim),
    ("nan", nan),
    ("isnan", |_, c| classified(c, |class| i128::from(class == FP_NAN))),
    ("isinf", isinf),
    ("finite", |_, c| classified(c, |class| i128::from(class > FP_INFINITE))),
    ("isfinite", |_, c| classified(c, |class| i128::from(class > FP_INFINITE))),
    ("isnormal", |_, c| classified(c, |class| i128::from(class == FP_NORMAL))),
    ("fpclassify", |_, c| classified(c, |class| class)),
    ("signbit", |_, c| c.float(0).map(|(format, pattern)| pattern >> (format.bits() - 1) & 1)),
];

/// A function by its name: `floor`, `floorf`, `floorl`.
pub(super) fn find(name: &str) -> Option<Native> {
    let exact = |name: &str| {
        let all = FUNCTIONS.iter().chain(transcendental::FUNCTIONS);
        all.clone().find(|(known, _)| *known == name).map(|(_, native)| *native)
    };
    let suffixes = ["f", "l", "f32", "f64", "f32x", "f64x", "f128"];
    exact(name).or_else(|| suffixes.into_iter().find_map(|suffix| exact(name.strip_suffix(suffix)?)))
}

const FP_NAN: i128 = 0;
const FP_INFINITE: i128 = 1;
const FP_ZERO: i128 = 2;
const FP_SUBNORMAL: i128 = 3;
const FP_NORMAL: i128 = 4;

fn sign_bit(format: FloatFormat) -> u128 {
    1 << (format.bits() - 1)
}

fn magnitude((format, pattern): (FloatFormat, u128)) -> u128 {
    pattern & !sign_bit(format)
}

/// The bits of a result. An invalid operation gives the NaN that x86 processors make, which has its sign bit set.
fn bits<F: Float>(format: FloatFormat, result: StatusAnd<F>) -> u128 {
    let sign = if result.status.contains(Status::INVALID_OP) && result.value.is_nan() { sign_bit(format) } else { 0 };
    result.value.to_bits() | sign
}

fn copysign(_: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let ((format, x), (other, y)) = (call.float(0)?, call.float(1)?);
    Ok(magnitude((format, x)) | if y & sign_bit(other) != 0 { sign_bit(format) } else { 0 })
}

fn integral(call: &Invocation<'_>, mode: Round) -> Step<u128> {
    let (format, x) = call.float(0)?;
    Ok(in_format!(format, F => F::from_bits(x).round_to_integral(mode).value.to_bits()))
}

/// A number rounded to an integer type; what does not fit becomes what x86 gives.
fn integer(machine: M<'_, '_, '_>, call: &Invocation<'_>, mode: Round) -> Step<u128> {
    let (format, x) = call.float(0)?;
    let width = usize::from(call.result.bits(machine.program.types.target().pointer_bits()).clamp(1, 64));
    let mut exact = false;
    let result = in_format!(format, F => F::from_bits(x).to_i128_r(width, mode, &mut exact));
    Ok(if result.status.contains(Status::INVALID_OP) { 1 << (width - 1) } else { result.value as u128 })
}

fn sqrt(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (format, x) = call.float(0)?;
    if x & sign_bit(format) != 0 && magnitude((format, x)) != 0 && class_of(format, x) != FP_NAN {
        errors::set(machine, errors::EDOM)?;
    }
    Ok(match format {
        FloatFormat::F32 => f32::from_bits(x as u32).sqrt().to_bits().into(),
        FloatFormat::F64 => f64::from_bits(x as u64).sqrt().to_bits().into(),
        FloatFormat::X87 => extended_sqrt(x),
        _ => return Err(call.unsupported("in this format")),
    })
}

/// The square root of an 80-bit number: the integer root of its mantissa, shifted so that the root has 64 bits.
fn extended_sqrt(x: u128) -> u128 {
    let number = X87DoubleExtended::from_bits(x);
    if number.is_nan() || number.is_zero() || number.is_infinite() && !number.is_negative() {
        return x;
    }
    if number.is_negative() {
        return X87DoubleExtended::NAN.to_bits() | sign_bit(FloatFormat::X87);
    }
    let exponent = number.ilogb();
    let one = number.scalbn(-exponent);
    let mantissa = one.to_bits() & u128::from(u64::MAX);
    let square = mantissa << if exponent % 2 == 0 { 63 } else { 64 };
    let root = square.isqrt();
    let root = if square - root * root > root { root + 1 } else { root };
    X87DoubleExtended::from_u128(root).value.scalbn(exponent.div_euclid(2) - 63).to_bits()
}

fn fmod(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    binary(machine, call, |format, x, y| in_format!(format, F => bits(format, F::from_bits(x).c_fmod(F::from_bits(y)))))
}

fn remainder(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    binary(machine, call, |format, x, y| in_format!(format, F => bits(format, F::from_bits(x).ieee_rem(F::from_bits(y)))))
}

/// A function of two numbers that is undefined where its result is no number though its arguments are.
fn binary(machine: M<'_, '_, '_>, call: &Invocation<'_>, function: impl Fn(FloatFormat, u128, u128) -> u128) -> Step<u128> {
    let ((format, x), (_, y)) = (call.float(0)?, call.float(1)?);
    let result = function(format, x, y);
    if class_of(format, result) == FP_NAN && class_of(format, x) != FP_NAN && class_of(format, y) != FP_NAN {
        errors::set(machine, errors::EDOM)?;
    }
    Ok(result)
}

fn fma(_: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let ((format, x), (_, y), (_, z)) = (call.float(0)?, call.float(1)?, call.float(2)?);
    Ok(in_format!(format, F => bits(format, F::from_bits(x).mul_add(F::from_bits(y), F::from_bits(z)))))
}

fn frexp(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let ((format, x), place) = (call.float(0)?, call.pointer(machine, 1));
    let mut exponent = 0;
    let mantissa = in_format!(format, F => F::from_bits(x).frexp(&mut exponent).to_bits());
    let exponent = if matches!(class_of(format, x), FP_ZERO | FP_INFINITE | FP_NAN) { 0 } else { exponent };
    store_int(machine, place, exponent.into(), 4)?;
    Ok(mantissa)
}

fn scale(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let ((format, x), by) = (call.float(0)?, call.integer(1).clamp(-100_000, 100_000) as i32);
    let result = in_format!(format, F => F::from_bits(x).scalbn(by).to_bits());
    let (before, after) = (class_of(format, x), class_of(format, result));
    if before >= FP_SUBNORMAL && after <= FP_ZERO {
        errors::set(machine, errors::ERANGE)?;
    }
    Ok(result)
}

fn modf(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let ((format, x), place) = (call.float(0)?, call.pointer(machine, 1));
    let (whole, fraction) = in_format!(format, F => {
        let number = F::from_bits(x);
        let whole = number.round_to_integral(Round::TowardZero).value;
        let fraction = if number.is_infinite() { F::ZERO } else { (number - whole).value };
        (whole.to_bits(), fraction.copy_sign(number).to_bits())
    });
    let size = match (format, machine.program.types.target()) {
        (FloatFormat::X87, model::Target::Ilp32) => 12,
        _ => u64::from(format.bits().next_power_of_two()) / 8,
    };
    machine.store(scalar_at(place, Shape::Float(format), size), whole, call.span)?;
    Ok(fraction)
}

/// `ilogb`: the exponent, or the numbers that stand for that of zero, infinity and NaN.
fn exponent(call: &Invocation<'_>) -> Step<i32> {
    let (format, x) = call.float(0)?;
    Ok(match in_format!(format, F => F::from_bits(x).ilogb()) {
        IEK_ZERO | IEK_NAN => i32::MIN,
        IEK_INF => i32::MAX,
        exponent => exponent,
    })
}

fn logb(_: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (format, x) = call.float(0)?;
    let exponent = exponent(call)?;
    Ok(in_format!(format, F => match F::from_bits(x).category() {
        Category::NaN => x,
        Category::Infinity => F::INFINITY.to_bits(),
        Category::Zero => (-F::INFINITY).to_bits(),
        Category::Normal => F::from_i128(exponent.into()).value.to_bits(),
    }))
}

fn nextafter(_: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let ((format, x), (other, y)) = (call.float(0)?, call.float(1)?);
    // `nexttoward` compares with a `long double`.
    let wide = if format == other { format } else { FloatFormat::X87 };
    let (from, to) = (model::float::convert(format, wide, x), model::float::convert(other, wide, y));
    let order = in_format!(wide, F => F::from_bits(from).partial_cmp(&F::from_bits(to)));
    Ok(in_format!(format, F => match order {
        None if F::from_bits(x).is_nan() => x,
        None => F::NAN.to_bits(),
        Some(std::cmp::Ordering::Equal) => model::float::convert(other, format, y),
        Some(std::cmp::Ordering::Less) => F::from_bits(x).next_up().value.to_bits(),
        Some(std::cmp::Ordering::Greater) => F::from_bits(x).next_down().value.to_bits(),
    }))
}

fn extreme(call: &Invocation<'_>, smallest: bool) -> Step<u128> {
    let ((format, x), (_, y)) = (call.float(0)?, call.float(1)?);
    Ok(match (class_of(format, x), class_of(format, y)) {
        (FP_NAN, FP_NAN) => x,
        (FP_NAN, _) => y,
        (_, FP_NAN) => x,
        _ => {
            let less = in_format!(format, F => F::from_bits(x) < F::from_bits(y));
            let more = in_format!(format, F => F::from_bits(x) > F::from_bits(y));
            if smallest && less || !smallest && more { x } else { y }
        }
    })
}

fn fdim(_: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let ((format, x), (_, y)) = (call.float(0)?, call.float(1)?);
    Ok(in_format!(format, F => {
        let (a, b) = (F::from_bits(x), F::from_bits(y));
        if a <= b { 0 } else { (a - b).value.to_bits() }
    }))
}

fn nan(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let Shape::Float(format) = call.result else { return Ok(0) };
    let tag = call.string(machine, 0)?;
    let text = [b"nan(", tag.as_slice(), b")"].concat();
    Ok(super::number::float(&text, format).pattern)
}

fn class_of(format: FloatFormat, pattern: u128) -> i128 {
    in_format!(format, F => {
        let number = F::from_bits(pattern);
        match number.category() {
            Category::NaN => FP_NAN,
            Category::Infinity => FP_INFINITE,
            Category::Zero => FP_ZERO,
            Category::Normal if number.is_denormal() => FP_SUBNORMAL,
            Category::Normal => FP_NORMAL,
        }
    })
}

fn classified(call: &Invocation<'_>, answer: fn(i128) -> i128) -> Step<u128> {
    let (format, x) = call.float(0)?;
    Ok(answer(class_of(format, x)) as u128)
}

fn isinf(_: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let (format, x) = call.float(0)?;
    let sign = if x & sign_bit(format) != 0 { -1i128 } else { 1 };
    Ok(if class_of(format, x) == FP_INFINITE { sign as u128 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roots of all sizes against the definition: the nearest number whose square is the argument's.
    #[test]
    fn extended_roots_are_correctly_rounded() {
        let number = |value: u128| X87DoubleExtended::from_u128(value).value;
        for value in [1u128, 2, 3, 4, 5, 10, 99, 144, 1 << 63, (1 << 64) - 1, 12_345_678_987_654_321] {
            for scale in [-100, -7, 0, 1, 30] {
                let square = number(value).scalbn(scale);
                let root = X87DoubleExtended::from_bits(extended_sqrt(square.to_bits()));
                let squared = |x: X87DoubleExtended| (x * x).value;
                let close = squared(root.next_down().value) <= square && squared(root.next_up().value) >= square;
                assert!(close, "{value} {scale}");
            }
        }
        assert_eq!(extended_sqrt(number(144).to_bits()), number(12).to_bits());
    }
}

//! The functions of <math.h> that are not exact: `float` and `double` by the host's library, so that results are those of a program on this
//! machine. `long double` versions and those that the host does not offer are refused.

use model::FloatFormat;

use super::process::refuse;
use super::{Header, Invocation, errors, scalar_at};
use crate::code::Shape;
use crate::fault::Step;
use crate::machine::Machine;

type M<'a, 'p, 'i> = &'a mut Machine<'p, 'i>;

/// The functions by the name of their `double` version.
pub(super) const FUNCTIONS: Header = &[
    ("sin", |m, c| unary(m, c, f64::sin, f32::sin)),
    ("cos", |m, c| unary(m, c, f64::cos, f32::cos)),
    ("tan", |m, c| unary(m, c, f64::tan, f32::tan)),
    ("asin", |m, c| unary(m, c, f64::asin, f32::asin)),
    ("acos", |m, c| unary(m, c, f64::acos, f32::acos)),
    ("atan", |m, c| unary(m, c, f64::atan, f32::atan)),
    ("sinh", |m, c| unary(m, c, f64::sinh, f32::sinh)),
    ("cosh", |m, c| unary(m, c, f64::cosh, f32::cosh)),
    ("tanh", |m, c| unary(m, c, f64::tanh, f32::tanh)),
    ("asinh", |m, c| unary(m, c, double::asinh, single::asinh)),
    ("acosh", |m, c| unary(m, c, double::acosh, single::acosh)),
    ("atanh", |m, c| unary(m, c, double::atanh, single::atanh)),
    ("exp", |m, c| unary(m, c, f64::exp, f32::exp)),
    ("exp2", |m, c| unary(m, c, f64::exp2, f32::exp2)),
    ("expm1", |m, c| unary(m, c, f64::exp_m1, f32::exp_m1)),
    ("log", |m, c| unary(m, c, f64::ln, f32::ln)),
    ("log2", |m, c| unary(m, c, f64::log2, f32::log2)),
    ("log10", |m, c| unary(m, c, f64::log10, f32::log10)),
    ("log1p", |m, c| unary(m, c, f64::ln_1p, f32::ln_1p)),
    // Rust brings its own, which differs from glibc's in the last bit.
    ("cbrt", refuse),
    ("pow", |m, c| binary(m, c, f64::powf, f32::powf)),
    ("atan2", |m, c| binary(m, c, f64::atan2, f32::atan2)),
    ("hypot", |m, c| binary(m, c, f64::hypot, f32::hypot)),
    ("sincos", sincos),
    ("erf", refuse),
    ("erfc", refuse),
    ("lgamma", refuse),
    ("tgamma", refuse),
    ("gamma", refuse),
    ("exp10", refuse),
    ("pow10", refuse),
    ("remquo", refuse),
    ("significand", refuse),
    ("j0", refuse),
    ("j1", refuse),
    ("y0", refuse),
    ("y1", refuse),
];

/// The formulas of the inverse hyperbolic functions, which the host's library does not offer here, in terms of functions that it does.
macro_rules! inverse_hyperbolic {
    ($module:ident, $float:ident, $tiny:expr, $large:expr) => {
        mod $module {
            const LN2: $float = std::$float::consts::LN_2;

            pub fn asinh(x: $float) -> $float {
                let a = x.abs();
                if a < $tiny || !a.is_finite() {
                    return x;
                }
                let result = if a > $large {
                    a.ln() + LN2
                } else if a > 2.0 {
                    (2.0 * a + 1.0 / ((a * a + 1.0).sqrt() + a)).ln()
                } else {
                    let square = a * a;
                    (a + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
                };
                result.copysign(x)
            }

            pub fn acosh(x: $float) -> $float {
                if x < 1.0 {
                    (x - x) / (x - x)
                } else if x == 1.0 {
                    0.0
                } else if x <= 2.0 {
                    let t = x - 1.0;
                    (t + (2.0 * t + t * t).sqrt()).ln_1p()
                } else if x < 268_435_456.0 {
                    (2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt())).ln()
                } else if x.is_finite() {
                    x.ln() + LN2
                } else {
                    x + x
                }
            }

            pub fn atanh(x: $float) -> $float {
                let a = x.abs();
                let result = if a < 0.5 {
                    if a < 1.0 / 268_435_456.0 {
                        return x;
                    }
                    let t = a + a;
                    0.5 * (t + t * a / (1.0 - a)).ln_1p()
                } else if a < 1.0 {
                    0.5 * ((a + a) / (1.0 - a)).ln_1p()
                } else if a == 1.0 {
                    return x / 0.0;
                } else {
                    return (x - x) / (x - x);
                };
                result.copysign(x)
            }
        }
    };
}

inverse_hyperbolic!(double, f64, 1.0 / 268_435_456.0, 268_435_456.0);
inverse_hyperbolic!(single, f32, 1.0 / 16_384.0, 16_384.0);

fn unary(machine: M<'_, '_, '_>, call: &Invocation<'_>, double: fn(f64) -> f64, single: fn(f32) -> f32) -> Step<u128> {
    let (format, x) = call.float(0)?;
    match format {
        FloatFormat::F64 => {
            let x = f64::from_bits(x as u64);
            let result = double(x);
            note(machine, x.is_nan(), x.is_finite(), result, call)?;
            Ok(result.to_bits().into())
        }
        FloatFormat::F32 => {
            let x = f32::from_bits(x as u32);
            let result = single(x);
            note(machine, x.is_nan(), x.is_finite(), result.into(), call)?;
            Ok(result.to_bits().into())
        }
        _ => refuse(machine, call),
    }
}

fn binary(machine: M<'_, '_, '_>, call: &Invocation<'_>, double: fn(f64, f64) -> f64, single: fn(f32, f32) -> f32) -> Step<u128> {
    let ((format, x), (_, y)) = (call.float(0)?, call.float(1)?);
    match format {
        FloatFormat::F64 => {
            let (x, y) = (f64::from_bits(x as u64), f64::from_bits(y as u64));
            let result = double(x, y);
            note(machine, x.is_nan() || y.is_nan(), x.is_finite() && y.is_finite(), result, call)?;
            Ok(result.to_bits().into())
        }
        FloatFormat::F32 => {
            let (x, y) = (f32::from_bits(x as u32), f32::from_bits(y as u32));
            let result = single(x, y);
            note(machine, x.is_nan() || y.is_nan(), x.is_finite() && y.is_finite(), result.into(), call)?;
            Ok(result.to_bits().into())
        }
        _ => refuse(machine, call),
    }
}

/// Sets `errno` where a result is undefined, too large, or too small.
fn note(machine: M<'_, '_, '_>, nan: bool, finite: bool, result: f64, call: &Invocation<'_>) -> Step<()> {
    let vanishes = result == 0.0 && ["exp", "pow"].iter().any(|name| call.name.starts_with(name)) && call.name != "expm1";
    let (format, x) = call.float(0)?;
    let nonzero_base = !call.name.starts_with("pow") || x & !(1 << (format.bits() - 1)) != 0;
    if result.is_nan() && !nan {
        errors::set(machine, errors::EDOM)
    } else if finite && (result.is_infinite() || vanishes && nonzero_base) {
        errors::set(machine, errors::ERANGE)
    } else {
        Ok(())
    }
}

fn sincos(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let ((format, x), sine, cosine) = (call.float(0)?, call.pointer(machine, 1), call.pointer(machine, 2));
    let (a, b, size) = match format {
        FloatFormat::F64 => {
            let (a, b) = f64::from_bits(x as u64).sin_cos();
            (a.to_bits().into(), b.to_bits().into(), 8)
        }
        FloatFormat::F32 => {
            let (a, b) = f32::from_bits(x as u32).sin_cos();
            (u128::from(a.to_bits()), u128::from(b.to_bits()), 4)
        }
        _ => return refuse(machine, call),
    };
    machine.store(scalar_at(sine, Shape::Float(format), size), a, call.span)?;
    machine.store(scalar_at(cosine, Shape::Float(format), size), b, call.span)?;
    Ok(0)
}

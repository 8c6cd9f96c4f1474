//! Complex numbers: the products and quotients of the compiler's support library, and the simple functions of <complex.h>.

use model::{BinaryOp, FloatFormat, float};

use super::process::refuse;
use super::{Header, Invocation};
use crate::fault::Step;
use crate::float as host;
use crate::machine::Machine;

type M<'a, 'p, 'i> = &'a mut Machine<'p, 'i>;

pub(super) const FUNCTIONS: Header = &[
    ("__mulsc3", multiply),
    ("__muldc3", multiply),
    ("__mulxc3", multiply),
    ("__divsc3", divide),
    ("__divdc3", divide),
    ("__divxc3", divide),
    ("creal", |_, c| Ok(parts(c, FloatFormat::F64)?.0.bits)),
    ("crealf", |_, c| Ok(parts(c, FloatFormat::F32)?.0.bits)),
    ("creall", |_, c| Ok(parts(c, FloatFormat::X87)?.0.bits)),
    ("cimag", |_, c| Ok(parts(c, FloatFormat::F64)?.1.bits)),
    ("cimagf", |_, c| Ok(parts(c, FloatFormat::F32)?.1.bits)),
    ("cimagl", |_, c| Ok(parts(c, FloatFormat::X87)?.1.bits)),
    ("conj", |m, c| conjugate(m, c, FloatFormat::F64)),
    ("conjf", |m, c| conjugate(m, c, FloatFormat::F32)),
    ("conjl", |m, c| conjugate(m, c, FloatFormat::X87)),
    ("cabs", |_, c| double(c, f64::hypot)),
    ("cabsf", |_, c| single(c, f32::hypot)),
    ("carg", |_, c| double(c, |re, im| im.atan2(re))),
    ("cargf", |_, c| single(c, |re, im| im.atan2(re))),
    ("cabsl", refuse),
    ("cargl", refuse),
    ("csqrt", refuse),
    ("cexp", refuse),
    ("clog", refuse),
    ("cpow", refuse),
    ("csin", refuse),
    ("ccos", refuse),
    ("ctan", refuse),
];

/// A number of some format.
#[derive(Clone, Copy)]
struct Number {
    format: FloatFormat,
    bits: u128,
}

impl Number {
    fn new(format: FloatFormat, bits: u128) -> Self {
        Number { format, bits }
    }
    fn with(self, value: i128) -> Self {
        Number::new(self.format, float::from_int(self.format, value as u128, 128, true))
    }
    fn op(self, op: BinaryOp, other: Self) -> Self {
        Number::new(self.format, host::arithmetic(self.format, op, self.bits, other.bits))
    }
    fn negated(self) -> Self {
        Number::new(self.format, self.bits ^ self.sign_mask())
    }
    fn sign_mask(self) -> u128 {
        1 << (self.format.bits() - 1)
    }
    fn abs(self) -> Self {
        Number::new(self.format, self.bits & !self.sign_mask())
    }
    fn copy_sign(self, sign: Self) -> Self {
        Number::new(self.format, self.abs().bits | sign.bits & self.sign_mask())
    }
    fn less(self, other: Self) -> bool {
        host::compare(self.format, BinaryOp::Lt, self.bits, other.bits)
    }
    fn is_nan(self) -> bool {
        host::compare(self.format, BinaryOp::Ne, self.bits, self.bits)
    }
    fn is_infinite(self) -> bool {
        self.abs().bits == float::infinity(self.format)
    }
    fn is_finite(self) -> bool {
        !self.is_nan() && !self.is_infinite()
    }
    fn is_zero(self) -> bool {
        self.abs().bits == 0
    }
    /// 1 if infinite, else 0, with the sign.
    fn box_infinity(self) -> Self {
        self.with(i128::from(self.is_infinite())).copy_sign(self)
    }
    fn or_zero(self) -> Self {
        if self.is_nan() { self.with(0).copy_sign(self) } else { self }
    }
    fn convert(self, to: FloatFormat) -> Self {
        Number::new(to, host::convert(self.format, to, self.bits))
    }
}

impl std::ops::Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        self.op(BinaryOp::Add, other)
    }
}

impl std::ops::Sub for Number {
    type Output = Number;
    fn sub(self, other: Number) -> Number {
        self.op(BinaryOp::Sub, other)
    }
}

impl std::ops::Mul for Number {
    type Output = Number;
    fn mul(self, other: Number) -> Number {
        self.op(BinaryOp::Mul, other)
    }
}

impl std::ops::Div for Number {
    type Output = Number;
    fn div(self, other: Number) -> Number {
        self.op(BinaryOp::Div, other)
    }
}

fn operands(call: &Invocation<'_>) -> Step<[Number; 4]> {
    let number = |index| call.float(index).map(|(format, bits)| Number::new(format, bits));
    Ok([number(0)?, number(1)?, number(2)?, number(3)?])
}

/// How many bytes of a complex number its real part takes.
fn part_size(whole: usize) -> usize {
    whole / 2
}

fn give(machine: M<'_, '_, '_>, call: &Invocation<'_>, re: Number, im: Number) -> Step<u128> {
    let size = part_size(call.target.map_or(0, |target| target.size as usize)).min(16);
    let mut bytes = re.bits.to_le_bytes()[..size].to_vec();
    bytes.extend_from_slice(&im.bits.to_le_bytes()[..size]);
    call.give(machine, bytes)
}

fn parts(call: &Invocation<'_>, format: FloatFormat) -> Step<(Number, Number)> {
    let bytes = call.record(0);
    let size = part_size(bytes.len());
    if size < usize::from(format.bits() / 8) || size > 16 {
        return Err(call.unsupported("with an argument that is no complex number"));
    }
    let number = |bytes: &[u8]| {
        let mut word = [0; 16];
        word[..size].copy_from_slice(bytes);
        let mask = if format.bits() == 128 { u128::MAX } else { (1 << format.bits()) - 1 };
        Number::new(format, u128::from_le_bytes(word) & mask)
    };
    Ok((number(&bytes[..size]), number(&bytes[size..2 * size])))
}

fn conjugate(machine: M<'_, '_, '_>, call: &Invocation<'_>, format: FloatFormat) -> Step<u128> {
    let (re, im) = parts(call, format)?;
    give(machine, call, re, im.negated())
}

fn double(call: &Invocation<'_>, function: fn(f64, f64) -> f64) -> Step<u128> {
    let (re, im) = parts(call, FloatFormat::F64)?;
    Ok(function(f64::from_bits(re.bits as u64), f64::from_bits(im.bits as u64)).to_bits().into())
}

fn single(call: &Invocation<'_>, function: fn(f32, f32) -> f32) -> Step<u128> {
    let (re, im) = parts(call, FloatFormat::F32)?;
    Ok(function(f32::from_bits(re.bits as u32), f32::from_bits(im.bits as u32)).to_bits().into())
}

/// The product; infinities that came out as NaN are recovered (C11 annex G.5.1).
fn multiply(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let [mut a, mut b, mut c, mut d] = operands(call)?;
    let (ac, bd, ad, bc) = (a * c, b * d, a * d, b * c);
    let (mut re, mut im) = (ac - bd, ad + bc);
    if re.is_nan() && im.is_nan() {
        let mut recover = false;
        if a.is_infinite() || b.is_infinite() {
            (a, b, c, d) = (a.box_infinity(), b.box_infinity(), c.or_zero(), d.or_zero());
            recover = true;
        }
        if c.is_infinite() || d.is_infinite() {
            (c, d, a, b) = (c.box_infinity(), d.box_infinity(), a.or_zero(), b.or_zero());
            recover = true;
        }
        if !recover && [ac, bd, ad, bc].iter().any(|product| product.is_infinite()) {
            (a, b, c, d) = (a.or_zero(), b.or_zero(), c.or_zero(), d.or_zero());
            recover = true;
        }
        if recover {
            let infinity = Number::new(a.format, float::infinity(a.format));
            (re, im) = (infinity * (a * c - b * d), infinity * (a * d + b * c));
        }
    }
    give(machine, call, re, im)
}

fn divide(machine: M<'_, '_, '_>, call: &Invocation<'_>) -> Step<u128> {
    let [a, b, c, d] = operands(call)?;
    let (mut re, mut im) = if a.format == FloatFormat::F32 { quotient_in_double([a, b, c, d]) } else { quotient([a, b, c, d]) };
    if re.is_nan() && im.is_nan() {
        let infinity = Number::new(a.format, float::infinity(a.format));
        let zero = a.with(0);
        if c.is_zero() && d.is_zero() && (!a.is_nan() || !b.is_nan()) {
            (re, im) = (infinity.copy_sign(c) * a, infinity.copy_sign(c) * b);
        } else if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
            let (a, b) = (a.box_infinity(), b.box_infinity());
            (re, im) = (infinity * (a * c + b * d), infinity * (b * c - a * d));
        } else if (c.is_infinite() || d.is_infinite()) && a.is_finite() && b.is_finite() {
            let (c, d) = (c.box_infinity(), d.box_infinity());
            (re, im) = (zero * (a * c + b * d), zero * (b * c - a * d));
        }
    }
    // Where finite numbers overflow, results depend on how exactly the support library scales them.
    let ordinary = [a, b, c, d].iter().all(|number| number.is_finite()) && !(c.is_zero() && d.is_zero());
    if ordinary && (re.is_nan() || im.is_nan()) {
        return Err(call.unsupported("with a quotient outside of the format"));
    }
    give(machine, call, re, im)
}

/// The textbook formula; a `double` has room for everything that happens to a `float`.
fn quotient_in_double(operands: [Number; 4]) -> (Number, Number) {
    let format = operands[0].format;
    let [a, b, c, d] = operands.map(|number| number.convert(FloatFormat::F64));
    let denominator = c * c + d * d;
    (((a * c + b * d) / denominator).convert(format), ((b * c - a * d) / denominator).convert(format))
}

/// Smith's formula with Baudin's care for ratios that vanish; operands close to the limits of the format are scaled first.
fn quotient([mut a, mut b, mut c, mut d]: [Number; 4]) -> (Number, Number) {
    let format = a.format;
    let swapped = c.abs().less(d.abs());
    // With the larger part of the divisor in `c`, one formula serves both cases.
    if swapped {
        (c, d) = (d, c);
    }
    let two = a.with(2);
    let large = Number::new(format, float::largest(format)) / two;
    let small = Number::new(format, float::smallest_normal(format));
    let digits = match format {
        FloatFormat::X87 => 63,
        _ => 52,
    };
    let scale = a.with(1 << digits);
    let epsilon = a.with(1) / scale;
    let safe = large * epsilon;
    let all = |factor: Number, numbers: [Number; 4]| numbers.map(|number| number * factor);
    if !c.abs().less(large) {
        [a, b, c, d] = all(a.with(1) / two, [a, b, c, d]);
    }
    let fits = |x: Number, y: Number, c: Number| x.abs().less(small) && y.abs().less(safe) && c.abs().less(safe);
    if c.abs().less(epsilon) || fits(a, b, c) || fits(b, a, c) {
        [a, b, c, d] = all(scale, [a, b, c, d]);
    }
    let ratio = d / c;
    let denominator = d * ratio + c;
    let normal = small.less(ratio.abs());
    let times = |x: Number| if normal { x * ratio } else { d * (x / c) };
    if swapped {
        ((times(a) + b) / denominator, (times(b) - a) / denominator)
    } else {
        ((times(b) + a) / denominator, (b - times(a)) / denominator)
    }
}

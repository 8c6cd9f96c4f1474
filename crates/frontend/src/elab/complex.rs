//! Complex numbers: structures of a real and an imaginary part, computed part by part as GCC does.

use model::{BinaryOp as Op, Callee, ExprKind as Model, FloatFormat, PlaceKind, UnaryOp};

use super::constant::Constant;
use super::ctype::{CType, Signature, Ty};
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator, float};
use crate::ast::{BinaryOp, ExprId, Range};

impl Elaborator<'_> {
    /// The type of the parts of a complex type.
    fn part_type(&self, ty: Ty) -> Option<Ty> {
        match self.unit.types.get(ty) {
            CType::Complex(part) => Some(*part),
            _ => None,
        }
    }

    fn zero(&mut self, ty: Ty, range: Range) -> Rvalue {
        match self.unit.types.is_float(ty) {
            true => self.float_constant(0, ty, range),
            false => self.int_constant(0, ty, range),
        }
    }

    /// Real and imaginary part of a value; a real number has no imaginary part.
    fn parts(&mut self, value: Rvalue) -> Elaborated<(Rvalue, Option<Rvalue>)> {
        let Some(ty) = self.part_type(value.ty) else { return Ok((value, None)) };
        if let Model::Load(place) = self.unit.builder.body.exprs[value.expr].kind
            && let PlaceKind::Local(local) = self.unit.builder.body.places[place].kind
            && let Some(&(re, im)) = self.unit.builder.complex_constants.get(&local)
        {
            return Ok((Rvalue { expr: re, ty, range: value.range }, Some(Rvalue { expr: im, ty, range: value.range })));
        }
        let place = match self.unit.builder.body.exprs[value.expr].kind {
            Model::Load(place) => place,
            _ => match self.spill(value.into())?.kind {
                ValueKind::Place(place) => place,
                _ => return self.error(value.range, "a complex number is needed here", ""),
            },
        };
        let re = self.part_of_place(place, 0, ty, value.range);
        let im = self.part_of_place(place, 1, ty, value.range);
        Ok((self.rvalue(re)?, Some(self.rvalue(im)?)))
    }

    fn part_of_place(&mut self, place: model::PlaceId, index: u32, ty: Ty, range: Range) -> Value {
        let (span, lowered) = (self.span(range), self.lower(ty));
        let place = self.unit.builder.place(PlaceKind::Field(place, index), lowered, false, span);
        Value { kind: ValueKind::Place(place), ty: ty.into(), range }
    }

    /// A complex number from its parts.
    fn build_complex(&mut self, re: Rvalue, im: Rvalue, part: Ty, range: Range) -> Elaborated<Rvalue> {
        let (re, im) = (self.convert(re, part), self.convert(im, part));
        let ty = self.unit.types.complex(part);
        let (span, lowered) = (self.span(range), self.lower(ty));
        let local = self.unit.builder.local(String::new(), lowered, false, span);
        if self.constant(re.expr).is_some() && self.constant(im.expr).is_some() {
            self.unit.builder.complex_constants.insert(local, (re.expr, im.expr));
        }
        for (index, value) in [(0, re), (1, im)] {
            let place = self.local_place(local, span);
            let target = self.part_of_place(place, index, part, range);
            self.store(target, value, span)?;
        }
        Ok(Rvalue { expr: self.load_local(local, span), ty, range })
    }

    pub fn build_complex_from(&mut self, re: ExprId, im: ExprId, range: Range) -> Elaborated<Value> {
        let mut re = self.expr_value(re)?;
        if self.has_effects(im) {
            re = self.fix(re);
        }
        let im = self.expr_value(im)?;
        let ty = self.common_type(re.ty, im.ty);
        if !self.unit.types.is_float(ty) {
            return self.error(range, "a complex number has floating-point parts", "");
        }
        Ok(self.build_complex(re, im, ty, range)?.into())
    }

    /// The bits of both parts, if they are constants.
    pub fn constant_complex(&mut self, value: Rvalue) -> Option<(u128, u128)> {
        let (re, im) = self.parts(value).ok()?;
        match (self.constant(re.expr)?, self.constant(im?.expr)?) {
            (Constant::Float(re) | Constant::Int(re), Constant::Float(im) | Constant::Int(im)) => Some((re, im)),
            _ => None,
        }
    }

    /// A number times the imaginary unit.
    pub fn imaginary(&mut self, im: Rvalue, range: Range) -> Elaborated<Value> {
        let zero = self.zero(im.ty, range);
        Ok(self.build_complex(zero, im, im.ty, range)?.into())
    }

    /// Conversion between complex types, and between complex and real ones.
    pub fn convert_complex(&mut self, value: Rvalue, to: Ty) -> Rvalue {
        let Ok((re, im)) = self.parts(value) else { return value };
        let Some(part) = self.part_type(to) else {
            if to == Ty::BOOL
                && let Ok(condition) = self.complex_truth(value)
            {
                return Rvalue { expr: condition, ty: to, range: value.range };
            }
            return self.convert(re, to);
        };
        let im = im.unwrap_or_else(|| self.zero(part, value.range));
        self.build_complex(re, im, part, value.range).unwrap_or(value)
    }

    pub fn complex_truth(&mut self, value: Rvalue) -> Elaborated<model::ExprId> {
        let span = self.span(value.range);
        let (re, im) = self.parts(value)?;
        let re = self.nonzero(re.expr, span);
        let Some(im) = im else { return Ok(re) };
        let im = self.nonzero(im.expr, span);
        let bool_ty = self.unit.program.types.bool();
        Ok(self.make(Model::Binary(model::BinaryOp::Or, re, im), bool_ty, span))
    }

    /// The complex type of an operation on two numbers of which at least one is complex.
    pub fn complex_common(&mut self, a: Ty, b: Ty) -> Ty {
        // A real operand is promoted, parts are not.
        let part = |this: &Self, ty: Ty| this.part_type(ty).unwrap_or_else(|| this.promoted_type(ty));
        let (a, b) = (part(self, a), part(self, b));
        let part = match (self.unit.types.int_shape(a), self.unit.types.int_shape(b)) {
            _ if a == b => a,
            (Some((bits_a, signed_a)), Some((bits_b, signed_b))) if bits_a < 32 && bits_b < 32 => {
                if (bits_a, !signed_a) >= (bits_b, !signed_b) { a } else { b }
            }
            _ => self.common_type(a, b),
        };
        self.unit.types.complex(part)
    }

    pub fn complex_unary(&mut self, op: UnaryOp, value: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let Some(part) = self.part_type(value.ty) else { return Ok(value) };
        let (re, im) = self.parts(value)?;
        let Some(im) = im else { return Ok(re) };
        // `~z` is GNU's conjugate.
        let re = if op == UnaryOp::Neg { self.unary(op, re, range)? } else { re };
        let im = self.unary(UnaryOp::Neg, im, range)?;
        self.build_complex(re, im, part, range)
    }

    pub fn complex_binary(&mut self, op: BinaryOp, a: Rvalue, b: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let ty = self.complex_common(a.ty, b.ty);
        let Some(part) = self.part_type(ty) else { return Ok(a) };
        let ((a, ai), (b, bi)) = (self.parts(a)?, self.parts(b)?);
        let (a, b) = (self.convert(a, part), self.convert(b, part));
        let (ai, bi) = (ai.map(|x| self.convert(x, part)), bi.map(|x| self.convert(x, part)));
        let zero = self.zero(part, range);
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let re = self.binary(op, a, b, range)?;
                let im = match (ai, bi) {
                    (Some(x), Some(y)) => self.binary(op, x, y, range)?,
                    (Some(x), None) => x,
                    (None, Some(y)) if op == BinaryOp::Sub => self.unary(UnaryOp::Neg, y, range)?,
                    (None, Some(y)) => y,
                    (None, None) => zero,
                };
                self.build_complex(re, im, part, range)
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let re = self.binary(op, a, b, range)?;
                let im = self.binary(op, ai.unwrap_or(zero), bi.unwrap_or(zero), range)?;
                let join = if op == BinaryOp::Eq { BinaryOp::And } else { BinaryOp::Or };
                self.binary(join, re, im, range)
            }
            BinaryOp::Mul | BinaryOp::Div => match (ai, bi) {
                // With one real operand each part is computed alone.
                (Some(ai), None) => {
                    let (re, im) = (self.binary(op, a, b, range)?, self.binary(op, ai, b, range)?);
                    self.build_complex(re, im, part, range)
                }
                (None, Some(bi)) if op == BinaryOp::Mul => {
                    let (re, im) = (self.binary(op, a, b, range)?, self.binary(op, a, bi, range)?);
                    self.build_complex(re, im, part, range)
                }
                (ai, bi) => {
                    let parts = [a, ai.unwrap_or(zero), b, bi.unwrap_or(zero)];
                    let CType::Float(format) = *self.unit.types.get(part) else {
                        return self.complex_integers(op, parts, part, range);
                    };
                    match self.constant_complex_product(op, parts, format) {
                        Some((re, im)) => {
                            let (re, im) = (self.float_constant(re, part, range), self.float_constant(im, part, range));
                            self.build_complex(re, im, part, range)
                        }
                        None => self.complex_library(op, parts, part, range),
                    }
                }
            },
            _ => self.error(range, "complex numbers have no such operator", ""),
        }
    }

    /// The product or quotient of constants, for initialisers of static objects: computed with more precision and rounded at the end.
    fn constant_complex_product(&self, op: BinaryOp, parts: [Rvalue; 4], format: FloatFormat) -> Option<(u128, u128)> {
        const WIDE: FloatFormat = FloatFormat::F128;
        let mut wide = [0; 4];
        for (part, bits) in parts.iter().zip(&mut wide) {
            let Constant::Float(pattern) = self.constant(part.expr)? else { return None };
            *bits = float::convert(format, WIDE, pattern);
        }
        let compute = |op, x, y| float::arithmetic(WIDE, op, x, y);
        let products = |op, [w, x, y, z]: [u128; 4]| compute(op, compute(Op::Mul, w, x)?, compute(Op::Mul, y, z)?);
        let [a, ai, b, bi] = wide;
        let (re, im) = if op == BinaryOp::Mul {
            (products(Op::Sub, [a, b, ai, bi])?, products(Op::Add, [a, bi, ai, b])?)
        } else {
            let norm = products(Op::Add, [b, b, bi, bi])?;
            (compute(Op::Div, products(Op::Add, [a, b, ai, bi])?, norm)?, compute(Op::Div, products(Op::Sub, [ai, b, a, bi])?, norm)?)
        };
        // Where infinities meet, the support library knows more than this formula.
        let is_number = |bits| float::compare(WIDE, Op::Eq, bits, bits) == Some(true);
        (is_number(re) && is_number(im)).then(|| (float::convert(WIDE, format, re), float::convert(WIDE, format, im)))
    }

    /// The product or quotient of complex integers. The quotient is the one that GCC computes: by the larger part of the divisor.
    fn complex_integers(&mut self, op: BinaryOp, parts: [Rvalue; 4], part: Ty, range: Range) -> Elaborated<Rvalue> {
        let [a, ai, b, bi] = parts;
        if op == BinaryOp::Mul {
            let (re, im) = (self.binary(op, a, b, range)?, self.binary(op, a, bi, range)?);
            let (re_less, im_more) = (self.binary(op, ai, bi, range)?, self.binary(op, ai, b, range)?);
            let re = self.binary(BinaryOp::Sub, re, re_less, range)?;
            let im = self.binary(BinaryOp::Add, im, im_more, range)?;
            return self.build_complex(re, im, part, range);
        }
        let span = self.span(range);
        let (size, other_size) = (self.magnitude(b, range)?, self.magnitude(bi, range)?);
        let is_smaller = self.binary(BinaryOp::Lt, size, other_size, range)?;
        let swap = self.nonzero(is_smaller.expr, span);
        let mut pick = |yes: Rvalue, no: Rvalue| self.select(swap, yes, no, range);
        let (large, small, x, y) = (pick(bi, b), pick(b, bi), pick(ai, a), pick(a, ai));
        let ratio = self.binary(BinaryOp::Div, small, large, range)?;
        let multiple = |this: &mut Self, value: Rvalue| this.binary(BinaryOp::Mul, value, ratio, range);
        let (small, y_part, x_part) = (multiple(self, small)?, multiple(self, y)?, multiple(self, x)?);
        let divisor = self.binary(BinaryOp::Add, small, large, range)?;
        let re = self.binary(BinaryOp::Add, y_part, x, range)?;
        let (y, x_part) = (self.convert(y, re.ty), self.convert(x_part, re.ty));
        let (from, less) = (self.select(swap, x_part, y, range), self.select(swap, y, x_part, range));
        let im = self.binary(BinaryOp::Sub, from, less, range)?;
        let (re, im) = (self.binary(BinaryOp::Div, re, divisor, range)?, self.binary(BinaryOp::Div, im, divisor, range)?);
        self.build_complex(re, im, part, range)
    }

    /// The absolute value of an integer.
    fn magnitude(&mut self, value: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let value = self.promote(value);
        let zero = self.zero(value.ty, range);
        let is_negative = self.binary(BinaryOp::Lt, value, zero, range)?;
        let (span, negated) = (self.span(range), self.unary(UnaryOp::Neg, value, range)?);
        let is_negative = self.nonzero(is_negative.expr, span);
        Ok(self.select(is_negative, negated, value, range))
    }

    /// One of two values of the same type, both of which have been computed.
    fn select(&mut self, condition: model::ExprId, yes: Rvalue, no: Rvalue, range: Range) -> Rvalue {
        let (span, lowered) = (self.span(range), self.lower(no.ty));
        Rvalue { expr: self.make(Model::Select(condition, yes.expr, no.expr), lowered, span), ty: no.ty, range }
    }

    /// Products and quotients with all care for infinities are done by the compiler's support library.
    fn complex_library(&mut self, op: BinaryOp, args: [Rvalue; 4], part: Ty, range: Range) -> Elaborated<Rvalue> {
        let mode = match part {
            Ty::FLOAT => "sc",
            Ty::DOUBLE => "dc",
            Ty::LDOUBLE => "xc",
            _ => return self.unsupported(range, "complex arithmetic in this format is"),
        };
        let name = format!("__{}{mode}3", if op == BinaryOp::Mul { "mul" } else { "div" });
        let symbol = self.session.names.intern(&name);
        let ret = self.unit.types.complex(part);
        let signature = Signature { ret: ret.into(), params: vec![part.into(); 4], variadic: false, prototype: true };
        let ty = self.unit.types.intern(CType::Function(signature));
        let function = self.file_scope_function(symbol, ty.into(), range);
        let ValueKind::Function(function) = function.kind else { return self.error(range, "complex arithmetic is not available", "") };
        let args = args.into_iter().map(|arg| arg.expr).collect();
        let result = self.emit_call(Callee::Direct(function), ret.into(), args, range, true)?;
        self.rvalue(result)
    }

    /// `__real__ z` and `__imag__ z`: parts of an object, or of a value.
    pub fn complex_part(&mut self, operand: ExprId, imaginary: bool, range: Range) -> Elaborated<Value> {
        let value = self.expr(operand)?;
        let Some(ty) = self.part_type(value.ty.ty) else {
            let real = self.rvalue(value)?;
            return Ok(if imaginary { self.zero(real.ty, range) } else { real }.into());
        };
        if let ValueKind::Place(place) = value.kind {
            return Ok(self.part_of_place(place, u32::from(imaginary), ty, range));
        }
        let value = self.rvalue(value)?;
        let (re, im) = self.parts(value)?;
        Ok(if imaginary { im.unwrap_or(re) } else { re }.into())
    }
}

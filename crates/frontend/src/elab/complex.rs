//! Complex numbers: structures of a real and an imaginary part, computed part by part as GCC does.

use model::{BinaryOp as Op, Callee, ExprKind as Model, FloatFormat, PlaceKind, UnaryOp};

use super::constant::Constant;
use super::ctype::{CType, Signature, Ty};
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator, float};
use crate::ast::{BinaryOp, ExprId, IntLiteral, Range};

impl Elaborator<'_> {
    fn complex_format(&self, ty: Ty) -> Option<FloatFormat> {
        match self.unit.types.get(ty) {
            CType::Complex(format) => Some(*format),
            _ => None,
        }
    }

    fn part_type(&mut self, format: FloatFormat) -> Ty {
        self.unit.types.intern(CType::Float(format))
    }

    /// Real and imaginary part of a value; a real number has no imaginary part.
    fn parts(&mut self, value: Rvalue) -> Elaborated<(Rvalue, Option<Rvalue>)> {
        let Some(format) = self.complex_format(value.ty) else { return Ok((value, None)) };
        let ty = self.part_type(format);
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
    fn build_complex(&mut self, re: Rvalue, im: Rvalue, format: FloatFormat, range: Range) -> Elaborated<Rvalue> {
        let part = self.part_type(format);
        let (re, im) = (self.convert(re, part), self.convert(im, part));
        let ty = self.unit.types.intern(CType::Complex(format));
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
        let CType::Float(format) = *self.unit.types.get(ty) else {
            return self.error(range, "a complex number has floating-point parts", "");
        };
        Ok(self.build_complex(re, im, format, range)?.into())
    }

    /// The bits of both parts, if they are constants.
    pub fn constant_complex(&mut self, value: Rvalue) -> Option<(u128, u128)> {
        let (re, im) = self.parts(value).ok()?;
        match (self.constant(re.expr)?, self.constant(im?.expr)?) {
            (Constant::Float(re), Constant::Float(im)) => Some((re, im)),
            _ => None,
        }
    }

    pub fn imaginary(&mut self, bits: u128, format: FloatFormat, range: Range) -> Elaborated<Value> {
        let ty = self.part_type(format);
        let (zero, im) = (self.float_constant(0, ty, range), self.float_constant(bits, ty, range));
        Ok(self.build_complex(zero, im, format, range)?.into())
    }

    pub fn imaginary_int(&mut self, _literal: IntLiteral, range: Range) -> Elaborated<Value> {
        self.unsupported(range, "complex integers are")
    }

    /// Conversion between complex types, and between complex and real ones.
    pub fn convert_complex(&mut self, value: Rvalue, to: Ty) -> Rvalue {
        let Ok((re, im)) = self.parts(value) else { return value };
        let Some(format) = self.complex_format(to) else {
            if to == Ty::BOOL
                && let Ok(condition) = self.complex_truth(value)
            {
                return Rvalue { expr: condition, ty: to, range: value.range };
            }
            return self.convert(re, to);
        };
        let part = self.part_type(format);
        let im = im.unwrap_or_else(|| self.float_constant(0, part, value.range));
        self.build_complex(re, im, format, value.range).unwrap_or(value)
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
    pub fn complex_common(&mut self, a: Ty, b: Ty, range: Range) -> Elaborated<Ty> {
        let part = |this: &mut Self, ty: Ty| match this.complex_format(ty) {
            Some(format) => this.part_type(format),
            None => ty,
        };
        let (a, b) = (part(self, a), part(self, b));
        let ty = self.common_type(a, b);
        match self.unit.types.get(ty) {
            CType::Float(format) => {
                let format = *format;
                Ok(self.unit.types.intern(CType::Complex(format)))
            }
            _ => self.error(range, "these types do not fit together", ""),
        }
    }

    pub fn complex_unary(&mut self, op: UnaryOp, value: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let Some(format) = self.complex_format(value.ty) else { return Ok(value) };
        let (re, im) = self.parts(value)?;
        let Some(im) = im else { return Ok(re) };
        // `~z` is GNU's conjugate.
        let re = if op == UnaryOp::Neg { self.unary(op, re, range)? } else { re };
        let im = self.unary(UnaryOp::Neg, im, range)?;
        self.build_complex(re, im, format, range)
    }

    pub fn complex_binary(&mut self, op: BinaryOp, a: Rvalue, b: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let ty = self.complex_common(a.ty, b.ty, range)?;
        let Some(format) = self.complex_format(ty) else { return Ok(a) };
        let part = self.part_type(format);
        let ((a, ai), (b, bi)) = (self.parts(a)?, self.parts(b)?);
        let (a, b) = (self.convert(a, part), self.convert(b, part));
        let (ai, bi) = (ai.map(|x| self.convert(x, part)), bi.map(|x| self.convert(x, part)));
        let zero = self.float_constant(0, part, range);
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
                self.build_complex(re, im, format, range)
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
                    self.build_complex(re, im, format, range)
                }
                (None, Some(bi)) if op == BinaryOp::Mul => {
                    let (re, im) = (self.binary(op, a, b, range)?, self.binary(op, a, bi, range)?);
                    self.build_complex(re, im, format, range)
                }
                (ai, bi) => {
                    let parts = [a, ai.unwrap_or(zero), b, bi.unwrap_or(zero)];
                    match self.constant_complex_product(op, parts, format) {
                        Some((re, im)) => {
                            let (re, im) = (self.float_constant(re, part, range), self.float_constant(im, part, range));
                            self.build_complex(re, im, format, range)
                        }
                        None => self.complex_library(op, parts, format, range),
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

    /// Products and quotients with all care for infinities are done by the compiler's support library.
    fn complex_library(&mut self, op: BinaryOp, args: [Rvalue; 4], format: FloatFormat, range: Range) -> Elaborated<Rvalue> {
        let mode = match format {
            FloatFormat::F32 => "sc",
            FloatFormat::F64 => "dc",
            FloatFormat::X87 => "xc",
            _ => return self.unsupported(range, "complex arithmetic in this format is"),
        };
        let name = format!("__{}{mode}3", if op == BinaryOp::Mul { "mul" } else { "div" });
        let symbol = self.session.names.intern(&name);
        let part = self.part_type(format);
        let ret = self.unit.types.intern(CType::Complex(format));
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
        let Some(format) = self.complex_format(value.ty.ty) else {
            let real = self.rvalue(value)?;
            if !imaginary {
                return Ok(real.into());
            }
            return Ok(match self.unit.types.is_float(real.ty) {
                true => self.float_constant(0, real.ty, range),
                false => self.int_constant(0, real.ty, range),
            }
            .into());
        };
        let ty = self.part_type(format);
        if let ValueKind::Place(place) = value.kind {
            return Ok(self.part_of_place(place, u32::from(imaginary), ty, range));
        }
        let value = self.rvalue(value)?;
        let (re, im) = self.parts(value)?;
        Ok(if imaginary { im.unwrap_or(re) } else { re }.into())
    }
}

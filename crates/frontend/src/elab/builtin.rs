//! GCC's builtin functions.

use model::{BinaryOp as Op, CommandKind, ExprKind as Model, FloatFormat, Linkage, Terminator, UnaryOp};

use super::constant::Constant;
use super::ctype::{CType, Ty};
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator, float};
use crate::ast::{BinaryOp, ExprId, ExprKind, Range};
use crate::intern::Symbol;

/// Whether a call of this name only computes a value from its arguments.
pub fn only_computes(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "constant_p",
        "expect",
        "strlen",
        "classify_type",
        "object_size",
        "isgreater",
        "isgreaterequal",
        "isless",
        "islessequal",
        "islessgreater",
        "isunordered",
        "isfinite",
        "isinf_sign",
        "isnormal",
        "complex",
    ];
    const FAMILIES: &[&str] = &["bswap", "clz", "ctz", "popcount", "parity", "ffs", "clrsb"];
    let Some(stem) = name.strip_prefix("__builtin_") else { return false };
    NAMES.contains(&stem) || FAMILIES.iter().any(|family| stem.starts_with(family)) || FLOAT_BASES.contains(&split_suffix(stem).0)
}

impl Elaborator<'_> {
    /// The result of calling a builtin; `None` if the name is not one.
    pub fn builtin_call(&mut self, name: Symbol, args: &[ExprId], range: Range) -> Elaborated<Option<Value>> {
        let text = self.name(name);
        if text == "alloca" && args.len() == 1 {
            return self.alloca(args, range).map(Some);
        }
        if !text.starts_with("__builtin_") && !text.starts_with("__sync_") && !text.starts_with("__atomic_") {
            return Ok(None);
        }
        if self.unit.names.get(name).is_some() {
            return Ok(None);
        }
        let text = text.to_string();
        let Some(stem) = text.strip_prefix("__builtin_") else { return self.atomic_builtin(&text, args, range).map(Some) };
        if let Some(value) = self.overflow_builtin(&text, args, range)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.bit_builtin(&text, args, range)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.float_builtin(stem, args, range)? {
            return Ok(Some(value));
        }
        self.general_builtin(stem, args, range)
    }

    fn general_builtin(&mut self, stem: &str, args: &[ExprId], range: Range) -> Elaborated<Option<Value>> {
        let span = self.span(range);
        let void = Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range };
        Ok(Some(match (stem, args) {
            ("expect" | "expect_with_probability", [value, rest @ ..]) => {
                let value = self.expr_value(*value)?;
                for other in rest.iter().filter(|other| self.has_effects(**other)).copied().collect::<Vec<_>>() {
                    self.discard(other)?;
                }
                self.convert(value, Ty::LONG).into()
            }
            ("constant_p", [value]) => {
                let known = self.is_constant_operand(*value);
                self.int_constant(i128::from(known), Ty::INT, range).into()
            }
            ("unreachable", []) => {
                let next = self.block();
                self.unit.builder.terminate(Terminator::Unreachable, span, next);
                void
            }
            ("trap", []) => match self.library_function("abort", range) {
                Some(abort) => self.call_value(abort, &[], range, false)?,
                None => void,
            },
            ("va_start", [list, rest @ ..]) => {
                let _ = rest;
                if !self.unit.builder.variadic {
                    return self.error(range, "`va_start` in a function without `...`", "");
                }
                let list = self.va_list_pointer(*list)?;
                self.emit(CommandKind::VaStart(list), span);
                void
            }
            ("va_end", [list]) => {
                let list = self.va_list_pointer(*list)?;
                self.emit(CommandKind::VaEnd(list), span);
                void
            }
            ("va_copy", [to, from]) => {
                let (to, from) = (self.va_list_pointer(*to)?, self.va_list_pointer(*from)?);
                self.emit(CommandKind::VaCopy(to, from), span);
                void
            }
            ("alloca" | "alloca_with_align" | "alloca_with_align_and_max", _) => self.alloca(args, range)?,
            ("object_size" | "dynamic_object_size", [_, kind]) => {
                // What the compiler knows without optimising: nothing.
                let (kind, _) = self.integer_constant(*kind, "the kind of object size")?;
                let ty = self.unit.types.size_type();
                self.int_constant(if kind & 2 == 0 { -1 } else { 0 }, ty, range).into()
            }
            ("prefetch", _) => {
                for arg in args {
                    self.discard(*arg)?;
                }
                void
            }
            ("assume_aligned", [pointer, ..]) => {
                let value = self.expr_value(*pointer)?;
                let ty = self.unit.types.pointer(Ty::VOID);
                self.convert(value, ty).into()
            }
            ("speculation_safe_value", [value, rest @ ..]) => {
                let value = self.expr_value(*value)?;
                let value = self.fix(value);
                for other in rest {
                    self.discard(*other)?;
                }
                value.into()
            }
            ("return_address" | "frame_address" | "extract_return_addr" | "thread_pointer" | "dwarf_cfa", _) => {
                // Any address would do for a proof, but none is the one that the compiled program has.
                self.emit(CommandKind::Unsupported(format!("`__builtin_{stem}` is not modelled")), span);
                let ty = self.unit.types.pointer(Ty::VOID);
                self.arbitrary(ty, range)
            }
            ("cpu_supports" | "cpu_is", _) => self.arbitrary(Ty::INT, range),
            ("cpu_init", _) => void,
            ("classify_type", [value]) => {
                let ty = self.constant_rvalue(*value)?.ty;
                let class = self.type_class(ty);
                self.int_constant(class, Ty::INT, range).into()
            }
            ("LINE", []) => self.int_constant(i128::from(span.line), Ty::INT, range).into(),
            ("strlen", [text]) if matches!(&self.ast.exprs[*text].kind, ExprKind::String(..)) => {
                let ExprKind::String(bytes, _) = &self.ast.exprs[*text].kind else { return Ok(None) };
                let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
                let ty = self.unit.types.size_type();
                self.int_constant(length as i128, ty, range).into()
            }
            ("conj" | "conjf" | "conjl", [value]) => {
                let value = self.expr_value(*value)?;
                self.unary(UnaryOp::BitNot, value, range)?.into()
            }
            ("creal" | "crealf" | "creall", [value]) => self.complex_part(*value, false, range)?,
            ("cimag" | "cimagf" | "cimagl", [value]) => self.complex_part(*value, true, range)?,
            ("shuffle", _) => self.shuffle(args, range)?,
            ("complex", [re, im]) => self.build_complex_from(*re, *im, range)?,
            _ => return self.library_builtin(stem, args, range).map(Some),
        }))
    }

    /// `__builtin_memcpy` is `memcpy`, `__builtin___memcpy_chk` too: its last argument only makes it stop where `memcpy` is undefined.
    fn library_builtin(&mut self, stem: &str, args: &[ExprId], range: Range) -> Elaborated<Value> {
        let mut args = args.to_vec();
        let mut name = stem;
        if let Some(plain) = stem.strip_prefix("__").and_then(|stem| stem.strip_suffix("_chk")) {
            name = plain;
            let dropped = match plain {
                "sprintf" | "vsprintf" => 1..3,
                "snprintf" | "vsnprintf" => 2..4,
                "printf" | "vprintf" => 0..1,
                "fprintf" | "vfprintf" => 1..2,
                _ => args.len().saturating_sub(1)..args.len(),
            };
            if dropped.end <= args.len() {
                args.drain(dropped);
            }
        }
        if self.unit.builder.name == name && self.is_inline_body() {
            return self.unsupported(range, format!("`__builtin_{stem}`, which means the `{name}` of the library and not this one, is"));
        }
        match self.library_function(name, range) {
            Some(function) => self.call_value(function, &args, range, true),
            None => self.unsupported(range, format!("`__builtin_{stem}` is")),
        }
    }

    /// Whether the function that is being defined is an inline definition.
    fn is_inline_body(&self) -> bool {
        self.unit.builder.function.is_some_and(|function| self.unit.program.functions[function].linkage == Linkage::Inline)
    }

    fn is_constant_operand(&mut self, id: ExprId) -> bool {
        if self.has_effects(id) {
            return false;
        }
        let Ok(value) = self.constant_rvalue(id) else { return false };
        match self.constant(value.expr) {
            Some(Constant::Int(_) | Constant::Float(_)) => true,
            Some(Constant::Address(model::Address::Global(global), 0)) => self.unit.program.globals[global].name.starts_with(".string"),
            _ => false,
        }
    }

    pub fn alloca(&mut self, args: &[ExprId], range: Range) -> Elaborated<Value> {
        let [size, ..] = args else { return self.error(range, "`alloca` takes a size", "") };
        let size = self.expr(*size)?;
        let size_type = self.unit.types.size_type();
        let size = self.convert_for_assignment(size, size_type)?;
        let span = self.span(range);
        let ty = self.unit.types.pointer(Ty::VOID);
        let lowered = self.lower(ty);
        let local = self.temporary(lowered, span);
        let place = self.local_place(local, span);
        self.emit(CommandKind::Alloca(place, size.expr), span);
        Ok(Rvalue { expr: self.load_local(local, span), ty, range }.into())
    }

    /// A value of which nothing is known.
    fn arbitrary(&mut self, ty: Ty, range: Range) -> Value {
        let span = self.span(range);
        let lowered = self.lower(ty);
        let local = self.temporary(lowered, span);
        let place = self.local_place(local, span);
        self.emit(CommandKind::Havoc(place), span);
        Rvalue { expr: self.load_local(local, span), ty, range }.into()
    }

    /// GCC's type classes, as in its `typeclass.h`.
    fn type_class(&self, ty: Ty) -> i128 {
        match self.unit.types.get(ty) {
            CType::Void => 0,
            CType::Int(_) | CType::Bits { .. } | CType::Bool | CType::Enum(_) => 1,
            CType::Pointer(_) => 5,
            CType::Float(_) => 8,
            CType::Complex(_) => 9,
            CType::Function(_) => 10,
            CType::Record(record) if self.unit.types.record(*record).is_union => 13,
            CType::Record(_) => 12,
            CType::Array { .. } => 14,
            CType::Vector { .. } => 19,
        }
    }

    /// Constants and predicates on floats.
    fn float_builtin(&mut self, stem: &str, args: &[ExprId], range: Range) -> Elaborated<Option<Value>> {
        let (base, ty) = split_suffix(stem);
        let format = match self.unit.types.get(ty) {
            CType::Float(format) => *format,
            _ => FloatFormat::F64,
        };
        match (base, args) {
            ("inf" | "huge_val", []) => Ok(Some(self.float_constant(float::infinity(format), ty, range).into())),
            ("nan" | "nans", [payload]) => {
                let ExprKind::String(bytes, _) = &self.ast.exprs[*payload].kind else {
                    return self.unsupported(range, "a NaN with this payload is");
                };
                let payload = parse_payload(&String::from_utf8_lossy(bytes));
                Ok(Some(self.float_constant(float::nan(format, payload, base == "nans"), ty, range).into()))
            }
            ("fabs", [value]) => {
                let value = self.expr(*value)?;
                let value = self.convert_for_assignment(value, ty)?;
                let (span, lowered) = (self.span(range), self.lower(ty));
                Ok(Some(Rvalue { expr: self.make(Model::Unary(UnaryOp::FloatAbs, value.expr), lowered, span), ty, range }.into()))
            }
            ("isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered", [a, b]) => {
                self.float_comparison(base, *a, *b, range).map(Some)
            }
            ("isnan" | "isinf" | "isinf_sign" | "isfinite" | "finite" | "isnormal" | "signbit", [value]) => {
                let value = self.expr_value(*value)?;
                let value = if self.unit.types.is_integer(value.ty) { self.convert(value, Ty::DOUBLE) } else { value };
                let value = self.fix(value);
                self.float_class(base, value, range).map(Some)
            }
            ("fpclassify", [nan, inf, normal, subnormal, zero, value]) => {
                self.classify([*nan, *inf, *normal, *subnormal, *zero], *value, range).map(Some)
            }
            _ => Ok(None),
        }
    }

    pub fn float_constant(&mut self, bits: u128, ty: Ty, range: Range) -> Rvalue {
        let (span, lowered) = (self.span(range), self.lower(ty));
        Rvalue { expr: self.make(Model::Float(bits), lowered, span), ty, range }
    }

    fn compare(&mut self, op: Op, a: Rvalue, b: Rvalue, range: Range) -> model::ExprId {
        let span = self.span(range);
        let bool_ty = self.unit.program.types.bool();
        self.make(Model::Binary(op, a.expr, b.expr), bool_ty, span)
    }

    fn either(&mut self, op: Op, a: model::ExprId, b: model::ExprId, range: Range) -> model::ExprId {
        let span = self.span(range);
        let bool_ty = self.unit.program.types.bool();
        self.make(Model::Binary(op, a, b), bool_ty, span)
    }

    fn float_comparison(&mut self, name: &str, a: ExprId, b: ExprId, range: Range) -> Elaborated<Value> {
        let mut a = self.expr_value(a)?;
        if self.has_effects(b) {
            a = self.fix(a);
        }
        let b = self.expr_value(b)?;
        let ty = self.common_type(a.ty, b.ty);
        if !self.unit.types.is_float(ty) {
            return self.error(range, "this builtin compares floating-point numbers", "");
        }
        let (a, b) = (self.convert(a, ty), self.convert(b, ty));
        let (a, b) = (self.fix(a), self.fix(b));
        let condition = match name {
            "isgreater" => self.compare(Op::Gt, a, b, range),
            "isgreaterequal" => self.compare(Op::Ge, a, b, range),
            "isless" => self.compare(Op::Lt, a, b, range),
            "islessequal" => self.compare(Op::Le, a, b, range),
            "islessgreater" => {
                let (less, greater) = (self.compare(Op::Lt, a, b, range), self.compare(Op::Gt, a, b, range));
                self.either(Op::Or, less, greater, range)
            }
            _ => {
                let (first, second) = (self.compare(Op::Ne, a, a, range), self.compare(Op::Ne, b, b, range));
                self.either(Op::Or, first, second, range)
            }
        };
        Ok(self.truth_value(condition, range).into())
    }

    /// Predicates on the kind of a float, by comparisons that are exact for NaN and infinities.
    fn float_class(&mut self, name: &str, value: Rvalue, range: Range) -> Elaborated<Value> {
        let CType::Float(format) = *self.unit.types.get(value.ty) else {
            return self.error(range, "this builtin takes a floating-point number", "");
        };
        let span = self.span(range);
        let lowered = self.lower(value.ty);
        let magnitude = Rvalue { expr: self.make(Model::Unary(UnaryOp::FloatAbs, value.expr), lowered, span), ..value };
        let condition = match name {
            "isnan" => self.compare(Op::Ne, value, value, range),
            "isinf" => {
                let infinity = self.float_constant(float::infinity(format), value.ty, range);
                self.compare(Op::Eq, magnitude, infinity, range)
            }
            "isinf_sign" => {
                let infinity = self.float_constant(float::infinity(format), value.ty, range);
                let negative = self.unary(UnaryOp::Neg, infinity, range)?;
                let (positive, negative) = (self.compare(Op::Eq, value, infinity, range), self.compare(Op::Eq, value, negative, range));
                let (a, b) = (self.truth_value(positive, range), self.truth_value(negative, range));
                return Ok(self.binary(BinaryOp::Sub, a, b, range)?.into());
            }
            "isfinite" | "finite" => {
                let largest = self.float_constant(float::largest(format), value.ty, range);
                self.compare(Op::Le, magnitude, largest, range)
            }
            "isnormal" => {
                let largest = self.float_constant(float::largest(format), value.ty, range);
                let smallest = self.float_constant(float::smallest_normal(format), value.ty, range);
                let (low, high) = (self.compare(Op::Ge, magnitude, smallest, range), self.compare(Op::Le, magnitude, largest, range));
                self.either(Op::And, low, high, range)
            }
            _ => {
                let bool_ty = self.unit.program.types.bool();
                self.make(Model::Unary(UnaryOp::SignBit, value.expr), bool_ty, span)
            }
        };
        Ok(self.truth_value(condition, range).into())
    }

    /// `__builtin_fpclassify(nan, inf, normal, subnormal, zero, x)`.
    fn classify(&mut self, kinds: [ExprId; 5], value: ExprId, range: Range) -> Elaborated<Value> {
        let mut constants = Vec::new();
        for kind in kinds {
            let kind = self.expr_value(kind)?;
            constants.push(self.convert(kind, Ty::INT));
        }
        let value = self.expr_value(value)?;
        let value = self.fix(value);
        let CType::Float(format) = *self.unit.types.get(value.ty) else {
            return self.error(range, "this builtin takes a floating-point number", "");
        };
        let (span, lowered, int) = (self.span(range), self.lower(value.ty), self.lower(Ty::INT));
        let magnitude = Rvalue { expr: self.make(Model::Unary(UnaryOp::FloatAbs, value.expr), lowered, span), ..value };
        let zero = self.float_constant(0, value.ty, range);
        let infinity = self.float_constant(float::infinity(format), value.ty, range);
        let smallest = self.float_constant(float::smallest_normal(format), value.ty, range);
        let tests = [
            (self.compare(Op::Ne, value, value, range), constants[0]),
            (self.compare(Op::Eq, magnitude, infinity, range), constants[1]),
            (self.compare(Op::Eq, magnitude, zero, range), constants[4]),
            (self.compare(Op::Lt, magnitude, smallest, range), constants[3]),
        ];
        let mut result = constants[2].expr;
        for (condition, kind) in tests.into_iter().rev() {
            result = self.make(Model::Select(condition, kind.expr, result), int, span);
        }
        Ok(Rvalue { expr: result, ty: Ty::INT, range }.into())
    }
}

/// Builtins on floats that exist for each type.
const FLOAT_BASES: &[&str] = &["inf", "huge_val", "nan", "nans", "fabs", "isnan", "isinf", "finite", "signbit"];

/// The name without the suffix for its type, and that type.
fn split_suffix(stem: &str) -> (&str, Ty) {
    let suffixes = [
        ("f128", Ty::FLOAT128),
        ("q", Ty::FLOAT128),
        ("f64x", Ty::LDOUBLE),
        ("f32x", Ty::DOUBLE),
        ("f64", Ty::DOUBLE),
        ("f32", Ty::FLOAT),
        ("f16", Ty::FLOAT16),
        ("f", Ty::FLOAT),
        ("l", Ty::LDOUBLE),
    ];
    for (suffix, ty) in suffixes {
        if let Some(base) = stem.strip_suffix(suffix).filter(|base| FLOAT_BASES.contains(base)) {
            return (base, ty);
        }
    }
    (stem, Ty::DOUBLE)
}

/// The payload of `nan("…")`: a number as `strtoull` reads it.
fn parse_payload(text: &str) -> u128 {
    let parsed = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(hex) => u128::from_str_radix(hex, 16),
        None if text.starts_with('0') => u128::from_str_radix(text, 8),
        None => text.parse(),
    };
    parsed.unwrap_or(0)
}

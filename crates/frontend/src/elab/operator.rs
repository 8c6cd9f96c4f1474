//! Arithmetic, comparison and pointer operators on values.

use model::{BinaryOp as Op, ExprId, ExprKind, Type, UnaryOp};

use super::ctype::{CType, Len, Qual, Ty};
use super::value::Rvalue;
use super::{Elaborated, Elaborator};
use crate::ast::{BinaryOp, Range};

impl Elaborator<'_> {
    /// `a op b` on values.
    pub fn binary(&mut self, op: BinaryOp, a: Rvalue, b: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let types = &self.unit.types;
        if types.is_vector(a.ty) || types.is_vector(b.ty) {
            return self.vector_binary(op, a, b, range);
        }
        let (pointer_a, pointer_b) = (types.is_pointer(a.ty), types.is_pointer(b.ty));
        if pointer_a || pointer_b {
            return match op {
                BinaryOp::Add if pointer_a && types.is_integer(b.ty) => self.pointer_add(a, b, false, range),
                BinaryOp::Add if pointer_b && types.is_integer(a.ty) => self.pointer_add(b, a, false, range),
                BinaryOp::Sub if pointer_a && types.is_integer(b.ty) => self.pointer_add(a, b, true, range),
                BinaryOp::Sub if pointer_a && pointer_b => self.pointer_difference(a, b, range),
                BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
                    self.compare_pointers(op, a, b, range)
                }
                _ => self.bad_operands(op, a, b, range),
            };
        }
        if !types.is_arithmetic(a.ty) || !types.is_arithmetic(b.ty) {
            return self.bad_operands(op, a, b, range);
        }
        if types.is_complex(a.ty) || types.is_complex(b.ty) {
            return self.complex_binary(op, a, b, range);
        }
        match op {
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, a, b, range),
            BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor if types.is_float(a.ty) || types.is_float(b.ty) => {
                self.bad_operands(op, a, b, range)
            }
            _ => {
                let ty = self.common_type(a.ty, b.ty);
                let (a, b) = (self.convert(a, ty), self.convert(b, ty));
                Ok(self.arithmetic(op, a, b, range))
            }
        }
    }

    /// An operator on two values of the same arithmetic type.
    fn arithmetic(&mut self, op: BinaryOp, a: Rvalue, b: Rvalue, range: Range) -> Rvalue {
        let op = model_op(op);
        let span = self.span(range);
        if op.is_comparison() {
            let bool_ty = self.unit.program.types.bool();
            let condition = self.fold(op, a.expr, b.expr, bool_ty, span);
            return self.truth_value(condition, range);
        }
        let lowered = self.lower(a.ty);
        Rvalue { expr: self.fold(op, a.expr, b.expr, lowered, span), ty: a.ty, range }
    }

    fn shift(&mut self, op: BinaryOp, a: Rvalue, b: Rvalue, range: Range) -> Elaborated<Rvalue> {
        if !self.unit.types.is_integer(a.ty) || !self.unit.types.is_integer(b.ty) {
            return self.bad_operands(op, a, b, range);
        }
        let (a, b) = (self.promote(a), self.promote(b));
        let span = self.span(range);
        let lowered = self.lower(a.ty);
        Ok(Rvalue { expr: self.fold(model_op(op), a.expr, b.expr, lowered, span), ty: a.ty, range })
    }

    /// `op` on integers, computed at once if both are constants and C defines the result; what is undefined stays visible.
    pub fn fold(&mut self, op: Op, a: ExprId, b: ExprId, ty: model::TypeId, span: model::Span) -> ExprId {
        if let (Some(x), Some(y)) = (self.known_int(a), self.known_int(b)) {
            let operand = self.unit.builder.body.exprs[a].ty;
            let distance = self.unit.builder.body.exprs[b].ty;
            if let Some(value) = super::constant::fold_int(&self.unit.program.types, op, (x, operand), (y, distance), false) {
                return self.make(ExprKind::Int(value), ty, span);
            }
        }
        self.make(ExprKind::Binary(op, a, b), ty, span)
    }

    fn bad_operands<T>(&mut self, op: BinaryOp, a: Rvalue, b: Rvalue, range: Range) -> Elaborated<T> {
        let (left, right) = (self.type_name(a.ty), self.type_name(b.ty));
        let symbol = model_op(op).symbol();
        self.error(range, format!("`{symbol}` cannot take a `{left}` and a `{right}`"), "invalid operands")
    }

    /// `p + i` or `p - i`.
    pub fn pointer_add(&mut self, pointer: Rvalue, index: Rvalue, negative: bool, range: Range) -> Elaborated<Rvalue> {
        let span = self.span(range);
        let Some(to) = self.unit.types.pointee(pointer.ty) else { return self.incomplete(range, pointer.ty) };
        let lowered = self.lower(pointer.ty);
        if self.unit.types.is_variable(to.ty) {
            return self.stride_add(pointer, index, to.ty, negative, range);
        }
        if to.ty != Ty::VOID && !self.unit.types.is_function(to.ty) && self.unit.types.size(to.ty).is_none() {
            return self.incomplete(range, to.ty);
        }
        // `p - i`: -i in a type that holds it. Unsigned indices count as what they are, so they are widened first where they can be.
        let mut index = self.promote(index);
        if negative {
            let wide = self.unit.types.difference_type();
            index = self.convert(index, wide);
            index = self.negate(index);
        }
        Ok(Rvalue { expr: self.make(ExprKind::PointerAdd(pointer.expr, index.expr), lowered, span), ty: pointer.ty, range })
    }

    fn negate(&mut self, value: Rvalue) -> Rvalue {
        let span = self.span(value.range);
        let lowered = self.lower(value.ty);
        if let Some(pattern) = self.known_int(value.expr) {
            let pattern = self.unit.program.types.truncate(lowered, pattern.wrapping_neg());
            return Rvalue { expr: self.make(ExprKind::Int(pattern), lowered, span), ..value };
        }
        Rvalue { expr: self.make(ExprKind::Unary(UnaryOp::Neg, value.expr), lowered, span), ..value }
    }

    /// Moves a pointer to a variable-length array by rows: the stride is a computed number of bytes.
    fn stride_add(&mut self, pointer: Rvalue, index: Rvalue, row: Ty, negative: bool, range: Range) -> Elaborated<Rvalue> {
        let span = self.span(range);
        let wide = self.unit.types.difference_type();
        let size = self.size_value(row, range)?;
        let size = self.convert(size, wide);
        let index = self.convert(index, wide);
        let lowered_wide = self.lower(wide);
        let bytes = self.fold(Op::Mul, index.expr, size.expr, lowered_wide, span);
        let mut bytes = Rvalue { expr: bytes, ty: wide, range };
        if negative {
            bytes = self.negate(bytes);
        }
        let byte_pointer = self.unit.types.pointer(Ty::CHAR);
        let base = self.convert(pointer, byte_pointer);
        let lowered = self.lower(byte_pointer);
        let moved = self.make(ExprKind::PointerAdd(base.expr, bytes.expr), lowered, span);
        Ok(self.convert(Rvalue { expr: moved, ty: byte_pointer, range }, pointer.ty))
    }

    fn pointer_difference(&mut self, a: Rvalue, b: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let span = self.span(range);
        let ty = self.unit.types.difference_type();
        let lowered = self.lower(ty);
        let to = self.unit.types.pointee(a.ty).unwrap_or(Ty::VOID.into());
        if self.unit.types.is_variable(to.ty) {
            let byte_pointer = self.unit.types.pointer(Ty::CHAR);
            let (a, b) = (self.convert(a, byte_pointer), self.convert(b, byte_pointer));
            let bytes = self.make(ExprKind::PointerDiff(a.expr, b.expr), lowered, span);
            let size = self.size_value(to.ty, range)?;
            let size = self.convert(size, ty);
            return Ok(Rvalue { expr: self.fold(Op::Div, bytes, size.expr, lowered, span), ty, range });
        }
        if to.ty != Ty::VOID && !self.unit.types.is_function(to.ty) && self.unit.types.size(to.ty).is_none() {
            return self.incomplete(range, to.ty);
        }
        let b = self.convert(b, a.ty);
        Ok(Rvalue { expr: self.make(ExprKind::PointerDiff(a.expr, b.expr), lowered, span), ty, range })
    }

    /// Comparison with a pointer on at least one side. Integers and other pointers are taken as GCC takes them, with a conversion.
    fn compare_pointers(&mut self, op: BinaryOp, a: Rvalue, b: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let types = &self.unit.types;
        if !types.is_scalar(a.ty) || !types.is_scalar(b.ty) || types.is_float(a.ty) || types.is_float(b.ty) {
            return self.bad_operands(op, a, b, range);
        }
        let ty = if types.is_pointer(a.ty) { a.ty } else { b.ty };
        let (a, b) = (self.convert(a, ty), self.convert(b, ty));
        Ok(self.arithmetic(op, a, b, range))
    }

    /// `+a`, `-a`, `~a`.
    pub fn unary(&mut self, op: UnaryOp, value: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let types = &self.unit.types;
        if types.is_complex(value.ty) {
            return self.complex_unary(op, value, range);
        }
        if types.is_vector(value.ty) {
            return self.vector_unary(op, value, range);
        }
        if !types.is_real(value.ty) || (op == UnaryOp::BitNot && !types.is_integer(value.ty)) {
            let name = self.type_name(value.ty);
            return self.error(range, "this operator needs a number", format!("has type `{name}`"));
        }
        let value = self.promote(value);
        let span = self.span(range);
        let lowered = self.lower(value.ty);
        let kind = &self.unit.builder.body.exprs[value.expr].kind;
        let folded = match (op, kind, self.unit.program.types.get(lowered)) {
            (UnaryOp::BitNot, ExprKind::Int(pattern), _) => Some(ExprKind::Int(self.unit.program.types.truncate(lowered, !pattern))),
            // The most negative number has no negative; that stays visible.
            (UnaryOp::Neg, ExprKind::Int(pattern), Type::Int { bits, signed }) if !(*signed && *pattern == 1 << (bits - 1)) => {
                Some(ExprKind::Int(self.unit.program.types.truncate(lowered, pattern.wrapping_neg())))
            }
            (UnaryOp::Neg, ExprKind::Float(pattern), Type::Float(format)) => Some(ExprKind::Float(pattern ^ (1 << (format.bits() - 1)))),
            _ => None,
        };
        let expr = match folded {
            Some(kind) => self.make(kind, lowered, span),
            None => self.make(ExprKind::Unary(op, value.expr), lowered, span),
        };
        Ok(Rvalue { expr, ty: value.ty, range })
    }

    /// The size of a type in bytes as a `size_t`; computed from the lengths for variable-length arrays.
    pub fn size_value(&mut self, ty: Ty, range: Range) -> Elaborated<Rvalue> {
        let size_type = self.unit.types.size_type();
        if let Some(size) = self.unit.types.size(ty) {
            return Ok(self.int_constant(i128::from(size), size_type, range));
        }
        // GNU: `void` and functions have size 1.
        if ty == Ty::VOID || self.unit.types.is_function(ty) {
            return Ok(self.int_constant(1, size_type, range));
        }
        let mut counts = Vec::new();
        let mut inner = ty;
        while let CType::Array { elem, len } = self.unit.types.get(inner) {
            counts.push(*len);
            inner = elem.ty;
        }
        let span = self.span(range);
        let lowered = self.lower(size_type);
        let mut product = match (self.unit.types.size(inner), self.unit.types.variable_size(inner)) {
            (Some(size), _) if self.unit.types.is_variable(ty) => self.int_constant(i128::from(size), size_type, range).expr,
            (None, Some(number)) => self.kept_length(number, range)?,
            _ => return self.incomplete(range, ty),
        };
        for len in counts.into_iter().rev() {
            let count = match len {
                Len::Fixed(count) => self.int_constant(i128::from(count), size_type, range).expr,
                Len::Variable(index) => match self.variable_length(index, span) {
                    Some(count) => count,
                    None => return self.error(range, "the length of this array is not known here", ""),
                },
                Len::Star | Len::Incomplete => return self.error(range, "the length of this array is not known here", ""),
            };
            product = self.fold(Op::Mul, product, count, lowered, span);
        }
        Ok(Rvalue { expr: product, ty: size_type, range })
    }

    /// The type of `c ? a : b` for two values that are not both arithmetic (C17 6.5.15).
    pub fn conditional_pointer_type(&mut self, a: &Rvalue, b: &Rvalue) -> Ty {
        if self.is_null_constant(a) && self.unit.types.is_pointer(b.ty) {
            return b.ty;
        }
        if self.is_null_constant(b) && self.unit.types.is_pointer(a.ty) {
            return a.ty;
        }
        match (self.unit.types.pointee(a.ty), self.unit.types.pointee(b.ty)) {
            (Some(x), Some(y)) => {
                let q = super::ctype::union(x.q, y.q);
                let ty = if x.ty == Ty::VOID || y.ty == Ty::VOID {
                    Ty::VOID
                } else if self.unit.types.compatible(x.ty, y.ty) {
                    self.unit.types.composite(x.ty, y.ty)
                } else {
                    // GCC warns and takes `void *`.
                    Ty::VOID
                };
                self.unit.types.pointer(Qual::new(ty, q))
            }
            (Some(_), None) => a.ty,
            _ => b.ty,
        }
    }
}

/// The model's operator.
pub fn model_op(op: BinaryOp) -> Op {
    match op {
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Div => Op::Div,
        BinaryOp::Rem => Op::Rem,
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Shl => Op::Shl,
        BinaryOp::Shr => Op::Shr,
        BinaryOp::Lt => Op::Lt,
        BinaryOp::Gt => Op::Gt,
        BinaryOp::Le => Op::Le,
        BinaryOp::Ge => Op::Ge,
        BinaryOp::Eq => Op::Eq,
        BinaryOp::Ne => Op::Ne,
        BinaryOp::And => Op::And,
        BinaryOp::Xor => Op::Xor,
        BinaryOp::Or => Op::Or,
    }
}

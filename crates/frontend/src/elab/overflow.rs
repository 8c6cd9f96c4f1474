//! Builtins on integers: overflow, bit counting, byte order.

use model::{CommandKind, ExprKind as Model, OverflowOp, UnaryOp};

use super::ctype::{CType, Ty};
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::{BinaryOp, ExprId, Range};

impl Elaborator<'_> {
    /// `__builtin_add_overflow(a, b, &r)` and its many relatives; `None` if the name is none of them.
    pub fn overflow_builtin(&mut self, name: &str, args: &[ExprId], range: Range) -> Elaborated<Option<Value>> {
        let Some(stem) = name.strip_prefix("__builtin_") else { return Ok(None) };
        let (stem, predicate) = match stem.strip_suffix("_overflow_p") {
            Some(stem) => (stem, true),
            None => match stem.strip_suffix("_overflow") {
                Some(stem) => (stem, false),
                None => return Ok(None),
            },
        };
        let (op, fixed) = match stem {
            "add" => (OverflowOp::Add, None),
            "sub" => (OverflowOp::Sub, None),
            "mul" => (OverflowOp::Mul, None),
            _ => match typed_overflow(stem) {
                Some((op, ty)) => (op, Some(ty)),
                None => return Ok(None),
            },
        };
        let [a, b, target] = args else { return self.error(range, "this builtin takes three arguments", "") };
        let mut a = self.expr_value(*a)?;
        if self.has_effects(*b) {
            a = self.fix(a);
        }
        let mut b = self.expr_value(*b)?;
        if self.has_effects(*target) {
            (a, b) = (self.fix(a), self.fix(b));
        }
        if let Some(ty) = fixed {
            (a, b) = (self.convert(a, ty), self.convert(b, ty));
        }
        if !self.unit.types.is_integer(a.ty) || !self.unit.types.is_integer(b.ty) {
            return self.error(range, "this builtin needs integers", "");
        }
        let target = self.expr(*target)?;
        // A bit-field stands for exactly its width.
        let narrow = match target.kind {
            ValueKind::BitField(_, width) => {
                let signed = self.unit.types.int_shape(target.ty.ty).is_some_and(|(_, signed)| signed);
                Some(self.unit.types.intern(CType::Bits { bits: width, signed }))
            }
            _ => None,
        };
        let target = self.rvalue(target)?;
        let (ty, pointer) = if predicate {
            (narrow.unwrap_or(target.ty), None)
        } else {
            match self.unit.types.pointee(target.ty) {
                Some(to) if self.unit.types.is_integer(to.ty) => (to.ty, Some(target)),
                _ => return self.error(target.range, "this builtin needs a pointer to an integer", ""),
            }
        };
        let (a, b) = (self.fix(a), self.fix(b));
        let span = self.span(range);
        let bool_ty = self.unit.program.types.bool();
        let lowered = self.lower(ty);
        let overflows = self.make(Model::Overflows(op, a.expr, b.expr, lowered), bool_ty, span);
        let overflows = self.fix_expr(overflows);
        if let Some(pointer) = pointer {
            let result = self.wrapped(op, a, b, ty, range)?;
            let place = self.dereference(pointer.into(), range)?;
            self.store(place, result, span)?;
        }
        Ok(Some(Rvalue { expr: overflows, ty: Ty::BOOL, range }.into()))
    }

    /// The result modulo the width of its type: computed without sign, where nothing is undefined.
    fn wrapped(&mut self, op: OverflowOp, a: Rvalue, b: Rvalue, ty: Ty, range: Range) -> Elaborated<Rvalue> {
        let (bits, _) = self.unit.types.int_shape(ty).unwrap_or((32, true));
        let unsigned = self.unit.types.intern(CType::Bits { bits: bits.max(8), signed: false });
        let (a, b) = (self.convert(a, unsigned), self.convert(b, unsigned));
        let op = match op {
            OverflowOp::Add => BinaryOp::Add,
            OverflowOp::Sub => BinaryOp::Sub,
            OverflowOp::Mul => BinaryOp::Mul,
        };
        let result = self.binary(op, a, b, range)?;
        Ok(self.convert(result, ty))
    }

    /// `__builtin_clz` and relatives: an operation of the model on an unsigned operand of the right width.
    pub fn bit_builtin(&mut self, name: &str, args: &[ExprId], range: Range) -> Elaborated<Option<Value>> {
        let Some(stem) = name.strip_prefix("__builtin_") else { return Ok(None) };
        let swap = match stem {
            "bswap16" => Some(Ty::USHORT),
            "bswap32" => Some(Ty::UINT),
            "bswap64" => Some(if self.unit.types.target == model::Target::Lp64 { Ty::ULONG } else { Ty::ULONGLONG }),
            "bswap128" => Some(Ty::UINT128),
            _ => None,
        };
        if let Some(ty) = swap {
            let value = self.operand_as(args, ty, range)?;
            return Ok(Some(self.bit_operation(UnaryOp::ByteSwap, value, ty, range).into()));
        }
        let (stem, ty) = match stem {
            _ if stem.ends_with("ll") => (stem.trim_end_matches('l'), Ty::ULONGLONG),
            _ if stem.ends_with('l') => (stem.trim_end_matches('l'), Ty::ULONG),
            _ => (stem, Ty::UINT),
        };
        let op = match stem {
            "clz" => UnaryOp::LeadingZeros,
            "ctz" => UnaryOp::TrailingZeros,
            "popcount" | "parity" => UnaryOp::PopCount,
            "ffs" => return self.find_first_set(args, ty, range).map(Some),
            "clrsb" => return self.redundant_sign_bits(args, ty, range).map(Some),
            _ => return Ok(None),
        };
        let value = self.operand_as(args, ty, range)?;
        let result = self.bit_operation(op, value, Ty::INT, range);
        if stem == "parity" {
            let one = self.int_constant(1, Ty::INT, range);
            return Ok(Some(self.binary(BinaryOp::And, result, one, range)?.into()));
        }
        Ok(Some(result.into()))
    }

    fn operand_as(&mut self, args: &[ExprId], ty: Ty, range: Range) -> Elaborated<Rvalue> {
        let [arg] = args else { return self.error(range, "this builtin takes one argument", "") };
        let value = self.expr(*arg)?;
        self.convert_for_assignment(value, ty)
    }

    fn bit_operation(&mut self, op: UnaryOp, value: Rvalue, ty: Ty, range: Range) -> Rvalue {
        let span = self.span(range);
        let lowered = self.lower(ty);
        Rvalue { expr: self.make(Model::Unary(op, value.expr), lowered, span), ty, range }
    }

    /// `ffs(x)` is 0 for 0, else 1 + the number of trailing zeros; control decides, for trailing zeros of 0 are undefined.
    fn find_first_set(&mut self, args: &[ExprId], ty: Ty, range: Range) -> Elaborated<Value> {
        let value = self.operand_as(args, ty, range)?;
        let value = self.fix(value);
        let zeros = |this: &mut Self| {
            let zeros = this.bit_operation(UnaryOp::TrailingZeros, value, Ty::INT, range);
            let one = this.int_constant(1, Ty::INT, range);
            this.binary(BinaryOp::Add, zeros, one, range)
        };
        self.unless_zero(value, zeros, 0, range)
    }

    /// `clrsb(x)`: how many bits behind the sign bit are equal to it.
    fn redundant_sign_bits(&mut self, args: &[ExprId], ty: Ty, range: Range) -> Elaborated<Value> {
        let value = self.operand_as(args, ty, range)?;
        let value = self.fix(value);
        let bits = i128::from(self.unit.types.int_shape(ty).map_or(32, |(bits, _)| bits));
        // x ^ (x >> (bits - 1)) with an arithmetic shift has exactly the leading zeros that count, one too many.
        let signed = match ty {
            Ty::UINT => Ty::INT,
            Ty::ULONG => Ty::LONG,
            _ => Ty::LONGLONG,
        };
        let as_signed = self.convert(value, signed);
        let distance = self.int_constant(bits - 1, Ty::INT, range);
        let mask = self.binary(BinaryOp::Shr, as_signed, distance, range)?;
        let folded = self.binary(BinaryOp::Xor, as_signed, mask, range)?;
        let folded = self.convert(folded, ty);
        let folded = self.fix(folded);
        let zeros = |this: &mut Self| {
            let zeros = this.bit_operation(UnaryOp::LeadingZeros, folded, Ty::INT, range);
            let one = this.int_constant(1, Ty::INT, range);
            this.binary(BinaryOp::Sub, zeros, one, range)
        };
        self.unless_zero(folded, zeros, bits - 1, range)
    }

    /// A computation that is undefined for 0, with the value for that case.
    fn unless_zero(
        &mut self,
        value: Rvalue,
        compute: impl FnOnce(&mut Self) -> Elaborated<Rvalue>,
        otherwise: i128,
        range: Range,
    ) -> Elaborated<Value> {
        let span = self.span(range);
        let condition = self.nonzero(value.expr, span);
        let lowered = self.lower(Ty::INT);
        let local = self.temporary(lowered, span);
        let (yes, no, after) = (self.block(), self.block(), self.block());
        self.unit.builder.terminate(model::Terminator::Branch(condition, yes, no), span, yes);
        let computed = compute(self)?;
        let dst = self.local_place(local, span);
        self.emit(CommandKind::Assign { dst, src: computed.expr }, span);
        self.unit.builder.goto(after, span, no);
        let constant = self.int_constant(otherwise, Ty::INT, range);
        let dst = self.local_place(local, span);
        self.emit(CommandKind::Assign { dst, src: constant.expr }, span);
        self.unit.builder.goto(after, span, after);
        let place = self.local_place(local, span);
        Ok(Value { kind: ValueKind::Expr(self.make(Model::Load(place), lowered, span)), ty: Ty::INT.into(), range })
    }
}

/// `saddl`, `umulll` and so on.
fn typed_overflow(stem: &str) -> Option<(OverflowOp, Ty)> {
    let (signed, rest) = match stem.strip_prefix('s') {
        Some(rest) => (true, rest),
        None => (false, stem.strip_prefix('u')?),
    };
    let op = match rest.get(..3)? {
        "add" => OverflowOp::Add,
        "sub" => OverflowOp::Sub,
        "mul" => OverflowOp::Mul,
        _ => return None,
    };
    let ty = match (&rest[3..], signed) {
        ("", true) => Ty::INT,
        ("", false) => Ty::UINT,
        ("l", true) => Ty::LONG,
        ("l", false) => Ty::ULONG,
        ("ll", true) => Ty::LONGLONG,
        ("ll", false) => Ty::ULONGLONG,
        _ => return None,
    };
    Some((op, ty))
}

//! `__sync_*` and `__atomic_*`: with their sequential meaning, as one thread sees them.

use model::{BinaryOp as Op, ExprKind as Model};

use super::ctype::Ty;
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::{BinaryOp, ExprId, Range};

/// What is done to the old value.
#[derive(Clone, Copy, PartialEq)]
enum Update {
    Binary(BinaryOp),
    Nand,
}

impl Elaborator<'_> {
    pub fn atomic_builtin(&mut self, name: &str, args: &[ExprId], range: Range) -> Elaborated<Value> {
        let void = Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range };
        // A size behind the name changes nothing: the pointer tells it.
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        if let Some((update, old)) = read_modify_write(stem) {
            let [pointer, value, ..] = args else { return self.error(range, "this builtin takes a pointer and a value", "") };
            return self.update(update, *pointer, *value, old, range);
        }
        match (stem, args) {
            ("__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence", _) => Ok(void),
            ("__atomic_always_lock_free" | "__atomic_is_lock_free", [size, ..]) => {
                let size = self.constant_rvalue(*size).ok().and_then(|size| self.known_int(size.expr));
                Ok(self.int_constant(i128::from(size.is_some_and(|size| size <= 8)), Ty::BOOL, range).into())
            }
            ("__atomic_load_n", [pointer, _]) => {
                let object = self.pointed(*pointer, range)?;
                let value = self.rvalue(object)?;
                Ok(self.fix(value).into())
            }
            ("__atomic_load", [pointer, result, _]) => self.copy(*pointer, *result, range).map(|()| void),
            ("__atomic_store", [pointer, value, _]) => self.copy(*value, *pointer, range).map(|()| void),
            ("__atomic_store_n", [pointer, value, _]) => {
                self.set(*pointer, *value, range)?;
                Ok(void)
            }
            ("__sync_lock_release" | "__atomic_clear", [pointer, ..]) => {
                let object = if stem == "__atomic_clear" { self.flag(*pointer, range)? } else { self.pointed(*pointer, range)? };
                let zero = self.int_constant(0, Ty::INT, range);
                let zero = self.convert_for_assignment(zero.into(), object.ty.ty)?;
                let span = self.span(range);
                self.store(object, zero, span)?;
                Ok(void)
            }
            ("__sync_lock_test_and_set" | "__atomic_exchange_n", [pointer, value, ..]) => self.set(*pointer, *value, range),
            ("__atomic_exchange", [pointer, value, result, _]) => {
                let object = self.pointed(*pointer, range)?;
                let object = self.fix_place(object);
                let new = self.pointed(*value, range)?;
                let old = self.rvalue(object)?;
                let new = self.convert_for_assignment(new, object.ty.ty)?;
                let (old, new) = (self.fix(old), self.fix(new));
                let target = self.pointed(*result, range)?;
                let old = self.convert_for_assignment(old.into(), target.ty.ty)?;
                let span = self.span(range);
                self.store(object, new, span)?;
                self.store(target, old, span)?;
                Ok(void)
            }
            ("__atomic_test_and_set", [pointer, ..]) => self.test_and_set(*pointer, range),
            ("__sync_bool_compare_and_swap", [pointer, old, new, ..]) => self.compare_and_swap(*pointer, *old, *new, true, range),
            ("__sync_val_compare_and_swap", [pointer, old, new, ..]) => self.compare_and_swap(*pointer, *old, *new, false, range),
            ("__atomic_compare_exchange_n", [pointer, expected, new, ..]) => self.compare_exchange(*pointer, *expected, *new, false, range),
            ("__atomic_compare_exchange", [pointer, expected, new, ..]) => self.compare_exchange(*pointer, *expected, *new, true, range),
            _ => self.unsupported(range, format!("`{name}` is")),
        }
    }

    /// The object that a pointer argument leads to.
    fn pointed(&mut self, pointer: ExprId, range: Range) -> Elaborated<Value> {
        let pointer = self.expr(pointer)?;
        let pointer = self.fixed(pointer)?;
        self.dereference(pointer, range)
    }

    fn copy(&mut self, from: ExprId, to: ExprId, range: Range) -> Elaborated<()> {
        let from = self.pointed(from, range)?;
        let to = self.pointed(to, range)?;
        let value = self.convert_for_assignment(from, to.ty.ty)?;
        let span = self.span(range);
        self.store(to, value, span)
    }

    /// Stores a value and gives the old one.
    fn set(&mut self, pointer: ExprId, value: ExprId, range: Range) -> Elaborated<Value> {
        let object = self.pointed(pointer, range)?;
        let value = self.expr(value)?;
        let value = self.convert_for_assignment(value, object.ty.ty)?;
        let value = self.fix(value);
        let old = self.rvalue(object)?;
        let old = self.fix(old);
        let span = self.span(range);
        self.store(object, value, span)?;
        Ok(old.into())
    }

    fn update(&mut self, update: Update, pointer: ExprId, value: ExprId, give_old: bool, range: Range) -> Elaborated<Value> {
        let object = self.pointed(pointer, range)?;
        let ty = object.ty.ty;
        let value = self.expr_value(value)?;
        let value = self.fix(value);
        let old = self.rvalue(object)?;
        let old = self.fix(old);
        // Pointers are moved by bytes, integers wrap.
        let new = if self.unit.types.is_pointer(ty) {
            self.update_pointer(update, old, value, range)?
        } else {
            self.update_int(update, old, value, range)?
        };
        let new = self.fix(new);
        let span = self.span(range);
        self.store(object, new, span)?;
        Ok(if give_old { old } else { new }.into())
    }

    fn update_pointer(&mut self, update: Update, old: Rvalue, by: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let Update::Binary(op @ (BinaryOp::Add | BinaryOp::Sub)) = update else {
            return self.unsupported(range, "this atomic operation on pointers is");
        };
        let bytes = self.unit.types.pointer(Ty::CHAR);
        let base = self.convert(old, bytes);
        let by = self.convert(by, self.unit.types.difference_type());
        let moved = self.binary(op, base, by, range)?;
        Ok(self.convert(moved, old.ty))
    }

    fn update_int(&mut self, update: Update, old: Rvalue, by: Rvalue, range: Range) -> Elaborated<Rvalue> {
        let Some((bits, _)) = self.unit.types.int_shape(old.ty) else { return self.error(range, "this builtin needs an integer", "") };
        let unsigned = self.unit.types.intern(super::ctype::CType::Bits { bits, signed: false });
        let (a, b) = (self.convert(old, unsigned), self.convert(by, unsigned));
        let result = match update {
            Update::Binary(op) => self.binary(op, a, b, range)?,
            Update::Nand => {
                let and = self.binary(BinaryOp::And, a, b, range)?;
                self.unary(model::UnaryOp::BitNot, and, range)?
            }
        };
        Ok(self.convert(result, old.ty))
    }

    /// The byte of an atomic flag, whatever its type.
    fn flag(&mut self, pointer: ExprId, range: Range) -> Elaborated<Value> {
        let pointer = self.expr_value(pointer)?;
        let byte = self.unit.types.pointer(Ty::UCHAR);
        let pointer = self.convert(pointer, byte);
        let pointer = self.fix(pointer);
        self.dereference(pointer.into(), range)
    }

    fn test_and_set(&mut self, pointer: ExprId, range: Range) -> Elaborated<Value> {
        let object = self.flag(pointer, range)?;
        let old = self.rvalue(object)?;
        let old = self.convert(old, Ty::BOOL);
        let old = self.fix(old);
        let one = self.int_constant(1, Ty::UCHAR, range);
        let span = self.span(range);
        self.store(object, one, span)?;
        Ok(old.into())
    }

    fn compare_and_swap(&mut self, pointer: ExprId, expected: ExprId, new: ExprId, give_bool: bool, range: Range) -> Elaborated<Value> {
        let object = self.pointed(pointer, range)?;
        let expected = self.expr(expected)?;
        let expected = self.convert_for_assignment(expected, object.ty.ty)?;
        let expected = self.fix(expected);
        let new = self.expr(new)?;
        let new = self.convert_for_assignment(new, object.ty.ty)?;
        let new = self.fix(new);
        let old = self.rvalue(object)?;
        let old = self.fix(old);
        let equal = self.swap_if_equal(object, old, expected, new, None, range)?;
        Ok(if give_bool { Rvalue { expr: equal, ty: Ty::BOOL, range } } else { old }.into())
    }

    fn compare_exchange(
        &mut self,
        pointer: ExprId,
        expected: ExprId,
        new: ExprId,
        new_is_pointer: bool,
        range: Range,
    ) -> Elaborated<Value> {
        let object = self.pointed(pointer, range)?;
        let expected = self.pointed(expected, range)?;
        let new = if new_is_pointer { self.pointed(new, range)? } else { self.expr(new)? };
        let new = self.convert_for_assignment(new, object.ty.ty)?;
        let new = self.fix(new);
        let old = self.rvalue(object)?;
        let old = self.fix(old);
        let wanted = self.convert_for_assignment(expected, object.ty.ty)?;
        let wanted = self.fix(wanted);
        let equal = self.swap_if_equal(object, old, wanted, new, Some(expected), range)?;
        Ok(Rvalue { expr: equal, ty: Ty::BOOL, range }.into())
    }

    /// Stores the new value if the old one is as expected, otherwise tells the old one.
    fn swap_if_equal(
        &mut self,
        object: Value,
        old: Rvalue,
        wanted: Rvalue,
        new: Rvalue,
        otherwise: Option<Value>,
        range: Range,
    ) -> Elaborated<model::ExprId> {
        if !self.unit.types.is_scalar(old.ty) {
            return self.unsupported(range, "an atomic comparison of structures is");
        }
        let span = self.span(range);
        let bool_ty = self.unit.program.types.bool();
        let equal = self.make(Model::Binary(Op::Eq, old.expr, wanted.expr), bool_ty, span);
        let equal = self.fix_expr(equal);
        let (yes, no, after) = (self.block(), self.block(), self.block());
        self.unit.builder.terminate(model::Terminator::Branch(equal, yes, no), span, yes);
        self.store(object, new, span)?;
        self.unit.builder.goto(after, span, no);
        if let Some(expected) = otherwise {
            let old = self.convert(old, expected.ty.ty);
            self.store(expected, old, span)?;
        }
        self.unit.builder.goto(after, span, after);
        Ok(equal)
    }
}

/// `__sync_fetch_and_add`, `__atomic_add_fetch` and so on: what is done, and whether the old value is the result.
fn read_modify_write(stem: &str) -> Option<(Update, bool)> {
    let (op, old) = if let Some(rest) = stem.strip_prefix("__sync_") {
        match rest.strip_prefix("fetch_and_") {
            Some(op) => (op, true),
            None => (rest.strip_suffix("_and_fetch")?, false),
        }
    } else {
        let rest = stem.strip_prefix("__atomic_")?;
        match rest.strip_prefix("fetch_") {
            Some(op) => (op, true),
            None => (rest.strip_suffix("_fetch")?, false),
        }
    };
    let update = match op {
        "add" => Update::Binary(BinaryOp::Add),
        "sub" => Update::Binary(BinaryOp::Sub),
        "and" => Update::Binary(BinaryOp::And),
        "or" => Update::Binary(BinaryOp::Or),
        "xor" => Update::Binary(BinaryOp::Xor),
        "nand" => Update::Nand,
        _ => return None,
    };
    Some((update, old))
}

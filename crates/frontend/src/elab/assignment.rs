//! Assignments and increments.

use model::{ExprKind as Model, UnaryOp as ModelUnary};

use super::ctype::{CType, Ty};
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::{BinaryOp, ExprId, Range};

impl Elaborator<'_> {
    /// `a = b`. Its value, where one is wanted, is what was stored.
    pub fn assignment(&mut self, target: ExprId, value: ExprId, range: Range, wanted: bool) -> Elaborated<Value> {
        let mut place = self.assignable(target)?;
        if self.has_effects(value) {
            place = self.fix_place(place);
        }
        let value = self.expr(value)?;
        if self.unit.types.variable_size(place.ty.ty).is_some() {
            return self.copy_variable_record(place, value, range);
        }
        let value = self.convert_for_assignment(value, place.ty.ty)?;
        self.store_and_yield(place, value, range, wanted)
    }

    /// `a op= b`: `a` is found once.
    pub fn compound_assignment(&mut self, op: BinaryOp, target: ExprId, value: ExprId, range: Range, wanted: bool) -> Elaborated<Value> {
        let mut place = self.assignable(target)?;
        if self.has_effects(value) {
            place = self.fix_place(place);
        }
        let value = self.expr_value(value)?;
        let old = self.rvalue(place)?;
        let result = self.binary(op, old, value, range)?;
        if !self.unit.types.is_scalar(result.ty) && !self.unit.types.is_complex(result.ty) && !self.unit.types.is_vector(result.ty) {
            return self.error(range, "this value cannot be assigned back", "");
        }
        let result = self.convert(result, place.ty.ty);
        self.store_and_yield(place, result, range, wanted)
    }

    /// `++a`, `a++` and their opposites.
    pub fn increment(&mut self, target: ExprId, by: i128, prefix: bool, range: Range, wanted: bool) -> Elaborated<Value> {
        let place = self.assignable(target)?;
        let mut old = self.rvalue(place)?;
        if wanted && !prefix {
            old = self.fix(old);
        }
        if !self.unit.types.is_scalar(place.ty.ty) && !self.unit.types.is_arithmetic(place.ty.ty) && !self.unit.types.is_vector(place.ty.ty)
        {
            let name = self.type_name(place.ty.ty);
            return self.error(range, "only numbers and pointers can be counted up and down", format!("has type `{name}`"));
        }
        let one = self.int_constant(by.abs(), Ty::INT, range);
        let op = if by > 0 { BinaryOp::Add } else { BinaryOp::Sub };
        let result = if self.unit.types.get(place.ty.ty) == &CType::Bool {
            self.increment_bool(old, by, range)
        } else {
            self.binary(op, old, one, range)?
        };
        let result = self.convert(result, place.ty.ty);
        let stored = self.store_and_yield(place, result, range, wanted && prefix)?;
        if prefix { Ok(stored) } else { Ok(Rvalue { range, ..old }.into()) }
    }

    /// `++` makes a `_Bool` true, `--` turns it around (6.5.3.1: as by adding or subtracting 1).
    fn increment_bool(&mut self, old: Rvalue, by: i128, range: Range) -> Rvalue {
        let span = self.span(range);
        let bool_ty = self.unit.program.types.bool();
        let expr = if by > 0 {
            self.make(Model::Int(1), bool_ty, span)
        } else {
            self.make(Model::Unary(ModelUnary::Not, old.expr), bool_ty, span)
        };
        Rvalue { expr, ty: Ty::BOOL, range }
    }

    fn assignable(&mut self, target: ExprId) -> Elaborated<Value> {
        let place = self.expr(target)?;
        let is_object = matches!(place.kind, ValueKind::Place(_) | ValueKind::BitField(..));
        if !is_object || self.unit.types.is_array(place.ty.ty) {
            let name = self.type_name(place.ty.ty);
            return self.error(place.range, "this cannot be assigned to", format!("not an object, but a value of type `{name}`"));
        }
        if place.ty.q.is_const {
            return self.error(place.range, "this object is `const`", "cannot be assigned to");
        }
        Ok(place)
    }

    fn store_and_yield(&mut self, place: Value, value: Rvalue, range: Range, wanted: bool) -> Elaborated<Value> {
        let span = self.span(range);
        if !wanted {
            self.store(place, value, span)?;
            return Ok(Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range });
        }
        if self.unit.types.is_scalar(value.ty) {
            let value = match place.kind {
                // The value is the field's, not the operand's: what did not fit is gone.
                ValueKind::BitField(field, _) => {
                    let narrow = self.unit.builder.body.places[field].ty;
                    let cut = self.cast_model(value.expr, narrow, span);
                    let cut = self.fix_expr(cut);
                    let lowered = self.lower(value.ty);
                    Rvalue { expr: self.cast_model(cut, lowered, span), ..value }
                }
                _ => self.fix(value),
            };
            self.store(place, value, span)?;
            return Ok(Rvalue { range, ..value }.into());
        }
        let value = self.fix(value);
        self.store(place, value, span)?;
        Ok(Rvalue { range, ..value }.into())
    }
}

//! `c ? a : b`.

use model::{BlockId, CommandKind, ExprKind as Model};

use super::ctype::Ty;
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::{ExprId, Range};

impl Elaborator<'_> {
    /// `c ? a : b`, and GNU's `c ?: b`.
    pub fn conditional(&mut self, condition: ExprId, yes: Option<ExprId>, no: ExprId, range: Range) -> Elaborated<Value> {
        let Some(yes) = yes else { return self.elvis(condition, no, range) };
        if !self.has_effects(condition)
            && let Some(known) = self.constant_truth(condition)?
        {
            return self.decided(known, yes, no, range);
        }
        let (then, otherwise) = (self.block(), self.block());
        self.branch(condition, then, otherwise)?;
        self.unit.builder.current = then;
        let a = self.arm(yes)?;
        let end_of_then = std::mem::replace(&mut self.unit.builder.current, otherwise);
        let b = self.arm(no)?;
        let end_of_otherwise = self.unit.builder.current;
        self.join_arms((end_of_then, a), (end_of_otherwise, b), range)
    }

    /// A constant condition: the other arm only takes part in the type.
    fn decided(&mut self, known: bool, yes: ExprId, no: ExprId, range: Range) -> Elaborated<Value> {
        let (chosen, other) = if known { (yes, no) } else { (no, yes) };
        let other = self.unevaluated(|this| this.arm(other))?;
        let chosen = self.arm(chosen)?;
        let (Some(chosen), Some(other)) = (chosen, other) else {
            return Ok(Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range });
        };
        let ty = self.arms_type(&chosen, &other, range)?;
        Ok(Rvalue { range, ..self.convert(chosen, ty) }.into())
    }

    /// `c ?: b`: c is evaluated once.
    fn elvis(&mut self, condition: ExprId, no: ExprId, range: Range) -> Elaborated<Value> {
        let value = self.expr_value(condition)?;
        let value = self.fix(value);
        let truth = self.truth(value.into())?;
        let span = self.span(range);
        if let Some(known) = self.known_int(truth) {
            let other = if known != 0 { self.unevaluated(|this| this.arm(no))? } else { self.arm(no)? };
            let Some(other) = other else { return self.error(range, "this arm has no value", "") };
            let ty = self.arms_type(&value, &other, range)?;
            let chosen = if known != 0 { value } else { other };
            return Ok(self.convert(chosen, ty).into());
        }
        let (then, otherwise) = (self.block(), self.block());
        self.unit.builder.terminate(model::Terminator::Branch(truth, then, otherwise), span, otherwise);
        let b = self.arm(no)?;
        let end = self.unit.builder.current;
        self.join_arms((then, Some(value)), (end, b), range)
    }

    /// The value of an arm; `None` if it is void.
    fn arm(&mut self, id: ExprId) -> Elaborated<Option<Rvalue>> {
        let value = self.expr(id)?;
        if matches!(value.kind, ValueKind::Void) || value.ty.ty == Ty::VOID {
            return Ok(None);
        }
        self.rvalue(value).map(Some)
    }

    fn arms_type(&mut self, a: &Rvalue, b: &Rvalue, range: Range) -> Elaborated<Ty> {
        let types = &self.unit.types;
        if a.ty == b.ty && !types.is_integer(a.ty) {
            return Ok(a.ty);
        }
        if types.is_complex(a.ty) || types.is_complex(b.ty) {
            return Ok(self.complex_common(a.ty, b.ty));
        }
        if types.is_real(a.ty) && types.is_real(b.ty) {
            return Ok(self.common_type(a.ty, b.ty));
        }
        if types.is_scalar(a.ty) && types.is_scalar(b.ty) && (types.is_pointer(a.ty) || types.is_pointer(b.ty)) {
            return Ok(self.conditional_pointer_type(a, b));
        }
        if types.is_vector(a.ty) || types.is_vector(b.ty) {
            return self.unsupported(range, "vector arithmetic is");
        }
        let (a, b) = (self.type_name(a.ty), self.type_name(b.ty));
        self.error(range, format!("the arms of `?:` have types `{a}` and `{b}` that do not fit together"), "")
    }

    fn join_arms(&mut self, yes: (BlockId, Option<Rvalue>), no: (BlockId, Option<Rvalue>), range: Range) -> Elaborated<Value> {
        let span = self.span(range);
        let after = self.block();
        let (Some(a), Some(b)) = (yes.1, no.1) else {
            for (block, _) in [yes, no] {
                self.unit.builder.current = block;
                self.unit.builder.goto(after, span, after);
            }
            return Ok(Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range });
        };
        let ty = self.arms_type(&a, &b, range)?;
        let lowered = self.lower(ty);
        let local = self.temporary(lowered, span);
        for (block, value) in [(yes.0, a), (no.0, b)] {
            self.unit.builder.current = block;
            let value = self.convert(value, ty);
            let dst = self.local_place(local, span);
            self.emit(CommandKind::Assign { dst, src: value.expr }, span);
            self.unit.builder.goto(after, span, after);
        }
        let place = self.local_place(local, span);
        Ok(Rvalue { expr: self.make(Model::Load(place), lowered, span), ty, range }.into())
    }
}

//! Conditions: `&&`, `||` and `!` decide where control goes.

use model::{CommandKind, ExprKind as Model, Terminator};

use super::builtin::only_computes;
use super::ctype::Ty;
use super::scope::Entity;
use super::value::Rvalue;
use super::{Elaborated, Elaborator};
use crate::ast::{ExprId, ExprKind, Range, UnaryOp};

impl Elaborator<'_> {
    /// `a && b` and `a || b` as a value: control decides, because the second operand may not be evaluated.
    pub fn logical_value(&mut self, id: ExprId, range: Range) -> Elaborated<Rvalue> {
        let span = self.span(range);
        if let Some(known) = self.constant_condition(id)? {
            return Ok(self.int_constant(i128::from(known), Ty::INT, range));
        }
        let bool_ty = self.unit.program.types.bool();
        let local = self.temporary(bool_ty, span);
        let (yes, no, after) = (self.block(), self.block(), self.block());
        self.branch(id, yes, no)?;
        for (block, value) in [(yes, 1), (no, 0)] {
            self.unit.builder.current = block;
            let dst = self.local_place(local, span);
            let src = self.make(Model::Int(value), bool_ty, span);
            self.emit(CommandKind::Assign { dst, src }, span);
            self.unit.builder.goto(after, span, after);
        }
        let result = self.load_local(local, span);
        Ok(self.truth_value(result, range))
    }

    /// The value of `&&` and `||` where constants decide it, so that they can stand in constant expressions.
    fn constant_condition(&mut self, id: ExprId) -> Elaborated<Option<bool>> {
        let (a, b, is_and) = match &self.ast.exprs[id].kind {
            ExprKind::LogicalAnd(a, b) => (*a, *b, true),
            ExprKind::LogicalOr(a, b) => (*a, *b, false),
            _ => return self.constant_truth(id),
        };
        if self.has_effects(a) {
            return Ok(None);
        }
        match self.constant_condition(a)? {
            Some(known) if known != is_and => {
                // The other operand is not evaluated, but it must still be C.
                self.unevaluated(|this| this.expr(b))?;
                Ok(Some(known))
            }
            Some(_) if !self.has_effects(b) => self.constant_condition(b),
            _ => Ok(None),
        }
    }

    /// The truth of an expression, if it is a constant. Remembered, so that nested conditions are not elaborated again and again.
    pub fn constant_truth(&mut self, id: ExprId) -> Elaborated<Option<bool>> {
        if !self.maybe_constant(id) {
            return Ok(None);
        }
        if let Some(&known) = self.unit.known_truths.get(&id) {
            return Ok(known);
        }
        let condition = self.unevaluated(|this| {
            let value = this.expr(id)?;
            this.truth(value)
        })?;
        let known = match self.constant(condition) {
            Some(super::constant::Constant::Int(value)) => Some(value != 0),
            _ => None,
        };
        self.unit.known_truths.insert(id, known);
        Ok(known)
    }

    /// Whether an expression could be a constant by its form; a quick look that keeps elaboration from being done twice.
    fn maybe_constant(&self, id: ExprId) -> bool {
        use ExprKind::*;
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let possible = match &self.ast.exprs[id].kind {
                Ident(name) => matches!(self.unit.names.get(*name), Some(Entity::Constant(..))),
                Int(_) | Float(_) | Char(..) | String(..) | Bool(_) | Nullptr => true,
                SizeofExpr(_) | SizeofType(_) | AlignofType(..) | AlignofExpr(_) | Offsetof(..) | TypesCompatible(..) => true,
                Unary(UnaryOp::AddressOf, a) => self.is_null_based(*a),
                Unary(UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Not | UnaryOp::BitNot, a) | Cast(_, a) => {
                    pending.push(*a);
                    true
                }
                Binary(_, a, b) | LogicalAnd(a, b) | LogicalOr(a, b) => {
                    pending.extend([*a, *b]);
                    true
                }
                Conditional(a, ..) | Choose(a, ..) => {
                    pending.push(*a);
                    true
                }
                Index(a, b) if matches!(self.ast.exprs[*a].kind, String(..)) => {
                    pending.push(*b);
                    true
                }
                Call(callee, args) => match &self.ast.exprs[*callee].kind {
                    Ident(name) if self.name(*name) == "__builtin_constant_p" => true,
                    Ident(name) if only_computes(self.name(*name)) => {
                        pending.extend(args);
                        true
                    }
                    _ => false,
                },
                _ => false,
            };
            if !possible {
                return false;
            }
        }
        true
    }

    /// Whether an object is a member of one at a constant address: the classical `offsetof`.
    fn is_null_based(&self, id: ExprId) -> bool {
        let mut id = id;
        loop {
            match &self.ast.exprs[id].kind {
                ExprKind::Member(base, ..) | ExprKind::Index(base, _) | ExprKind::Unary(UnaryOp::Deref, base) | ExprKind::Cast(_, base) => {
                    id = *base
                }
                ExprKind::Int(_) => return true,
                _ => return false,
            }
        }
    }

    /// Sends control to one of two blocks by the truth of an expression.
    pub fn branch(&mut self, id: ExprId, yes: model::BlockId, no: model::BlockId) -> Elaborated<()> {
        // The left operands of a chain come first; each decides or passes on.
        let mut pending = vec![(id, yes, no, None)];
        while let Some((id, yes, no, start)) = pending.pop() {
            if let Some(block) = start {
                self.unit.builder.current = block;
            }
            let range = self.ast.exprs[id].range;
            match &self.ast.exprs[id].kind {
                ExprKind::LogicalAnd(a, b) => {
                    let next = self.block();
                    pending.push((*b, yes, no, Some(next)));
                    pending.push((*a, next, no, None));
                }
                ExprKind::LogicalOr(a, b) => {
                    let next = self.block();
                    pending.push((*b, yes, no, Some(next)));
                    pending.push((*a, yes, next, None));
                }
                ExprKind::Unary(UnaryOp::Not, a) => pending.push((*a, no, yes, None)),
                _ => {
                    let value = self.expr(id)?;
                    let condition = self.truth(value)?;
                    let span = self.span(range);
                    let terminator = match self.known_int(condition) {
                        Some(0) => Terminator::Goto(no),
                        Some(_) => Terminator::Goto(yes),
                        None => Terminator::Branch(condition, yes, no),
                    };
                    let aside = self.block();
                    self.unit.builder.terminate(terminator, span, aside);
                }
            }
        }
        Ok(())
    }
}

//! Jumps from an inner function to labels of the functions around it (GNU's `__label__`).
//!
//! The jump leaves the number of the label in the frame of the label's function and returns. Each direct call of a function that may
//! do so is followed by a look at it: the label's function goes on there, those between return as well. If the caller is unknown, because
//! the call goes through a pointer, the jump is a gap.

use model::{BinaryOp, Case, CommandKind, ExprId, ExprKind, FunctionId, Span, Terminator};

use super::builder::JumpTarget;
use super::ctype::Ty;
use super::frame::Capture;
use super::value::{Rvalue, Value};
use super::{Elaborated, Elaborator};
use crate::ast::Range;
use crate::intern::Symbol;

/// A label of an enclosing function, by its number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Outward {
    level: u32,
    label: u32,
}

impl Elaborator<'_> {
    /// All labels of enclosing functions that a function declared here can name.
    pub fn visible_labels(&mut self) -> Vec<Outward> {
        let mut visible = Vec::new();
        for level in 1..=self.level() {
            // The first are those without `__label__`: only their own function knows them.
            let scopes = self.builder_at(level).label_scopes.iter().skip(1);
            visible.extend(scopes.flat_map(|scope| scope.values()).map(|&label| Outward { level, label }));
        }
        visible.sort_unstable();
        visible
    }

    /// The label of an enclosing function that a name means here, if it means one.
    pub fn outward_label(&mut self, name: Symbol) -> Option<Outward> {
        if self.unit.builder.label_scopes.iter().any(|scope| scope.contains_key(&name)) {
            return None;
        }
        (1..self.level()).rev().find_map(|level| {
            let scopes = self.builder_at(level).label_scopes.iter().skip(1);
            scopes.rev().find_map(|scope| scope.get(&name)).map(|&label| Outward { level, label })
        })
    }

    /// `&&label` for a label of an enclosing function.
    pub fn outward_label_address(&mut self, to: Outward, range: Range) -> Elaborated<Value> {
        self.builder_at(to.level).labels[to.label as usize].address_taken = true;
        let ty = self.unit.types.pointer(Ty::VOID);
        let span = self.span(range);
        Ok(Rvalue { expr: self.captured(to.level, Capture::Label(to.label), span), ty, range }.into())
    }

    /// `goto label;` for a label of an enclosing function.
    pub fn jump_outward(&mut self, to: Outward, range: Range) -> Elaborated<()> {
        let nested = self.unit.builder.function.and_then(|function| self.unit.nested.get_mut(&function));
        let Some(nested) = nested.filter(|nested| nested.sees(to)) else {
            return self.unsupported(range, "a jump to a label that was declared later than this function is");
        };
        nested.add_jump(to);
        let span = self.span(range);
        self.set_target(to.level, u128::from(to.label) + 1, span);
        self.return_outward(span);
        Ok(())
    }

    fn set_target(&mut self, level: u32, target: u128, span: Span) {
        let dst = self.captured_field(level, Capture::Target, span);
        let ty = self.unit.builder.body.places[dst].ty;
        let src = self.make(ExprKind::Int(target), ty, span);
        self.emit(CommandKind::Assign { dst, src }, span);
    }

    /// Returns on the way to a label of an enclosing function: nobody takes the result.
    fn return_outward(&mut self, span: Span) {
        self.refuse_cleanups(span);
        let ret = self.unit.builder.ret.ty;
        let lowered = self.lower(ret);
        let value = (ret != Ty::VOID).then(|| self.make(ExprKind::Zero, lowered, span));
        let next = self.block();
        self.unit.builder.terminate(Terminator::Return(value), span, next);
    }

    fn refuse_cleanups(&mut self, span: Span) {
        if !self.unit.builder.cleanups.is_empty() {
            self.emit(CommandKind::Unsupported("a jump out of a function past cleanups is not supported".into()), span);
        }
    }

    /// Behind a direct call: goes where the function wanted to go.
    pub fn follow_jumps(&mut self, function: FunctionId, range: Range) {
        let span = self.span(range);
        let here = self.level();
        let exits = self.exits(function);
        let (own, outer): (Vec<Outward>, Vec<Outward>) = exits.into_iter().partition(|exit| exit.level == here);
        for level in levels(&outer) {
            let is_jump = self.is_jump(level, span);
            let (out, next) = (self.block(), self.block());
            self.unit.builder.terminate(Terminator::Branch(is_jump, out, next), span, out);
            self.return_outward(span);
            self.unit.builder.current = next;
        }
        if let Some(nested) = self.unit.builder.function.and_then(|function| self.unit.nested.get_mut(&function)) {
            outer.into_iter().for_each(|exit| nested.add_jump(exit));
        }
        if own.is_empty() {
            return;
        }
        let value = self.captured(here, Capture::Target, span);
        let next = self.block();
        let mut cases = Vec::new();
        for exit in &own {
            let number = u128::from(exit.label) + 1;
            cases.push(Case { low: number, high: number, target: self.block() });
        }
        let targets: Vec<model::BlockId> = cases.iter().map(|case| case.target).collect();
        self.unit.builder.terminate(Terminator::Switch { value, cases, default: next }, span, next);
        for (exit, target) in own.into_iter().zip(targets) {
            self.unit.builder.current = target;
            self.refuse_cleanups(span);
            self.set_target(here, 0, span);
            self.jump(JumpTarget::Label(exit.label), range);
        }
        self.unit.builder.current = next;
    }

    /// Behind a call whose caller does not follow jumps.
    pub fn refuse_jumps(&mut self, function: FunctionId, span: Span) {
        let exits = self.exits(function);
        for level in levels(&exits) {
            let is_jump = self.is_jump(level, span);
            let goes_on = self.not(is_jump, span);
            self.refuse_unless(goes_on, "a jump out of a function that was called through a pointer is not supported".into(), span);
        }
    }

    fn exits(&self, function: FunctionId) -> Vec<Outward> {
        self.unit.nested.get(&function).map(|nested| nested.exits().to_vec()).unwrap_or_default()
    }

    /// Whether control is on its way to a label of a function.
    fn is_jump(&mut self, level: u32, span: Span) -> ExprId {
        let target = self.captured(level, Capture::Target, span);
        let ty = self.unit.builder.body.exprs[target].ty;
        let zero = self.make(ExprKind::Int(0), ty, span);
        let bool_ty = self.unit.program.types.bool();
        self.make(ExprKind::Binary(BinaryOp::Ne, target, zero), bool_ty, span)
    }
}

/// The levels of labels, each once, in order.
fn levels(exits: &[Outward]) -> Vec<u32> {
    let mut levels: Vec<u32> = exits.iter().map(|exit| exit.level).collect();
    levels.sort_unstable();
    levels.dedup();
    levels
}

//! Labels and jumps, and what happens to lifetimes on the way.

use model::{Callee, CommandKind, ExprKind as Model, Span, Terminator};

use super::builder::{Cleanup, JumpTarget, Label, PendingJump, ScopeIdx};
use super::{Elaborated, Elaborator};
use crate::ast::Range;
use crate::intern::Symbol;

impl Elaborator<'_> {
    pub fn enter_block(&mut self) {
        self.unit.names.enter();
        self.unit.tags.enter();
        self.unit.builder.enter_scope();
    }

    /// Control falls out of a block: cleanups run, lifetimes end.
    pub fn leave_block(&mut self, span: Span) {
        let scope = self.unit.builder.scope;
        while let Some(cleanup) = self.unit.builder.cleanups.last().copied().filter(|cleanup| cleanup.scope == scope) {
            self.run_cleanup(cleanup);
            self.unit.builder.cleanups.pop();
        }
        self.unit.builder.leave_scope(span);
        self.unit.tags.leave();
        self.unit.names.leave();
    }

    /// The label of this name that is visible here; made if it was not met yet.
    pub fn label(&mut self, name: Symbol, range: Range) -> u32 {
        if let Some(&label) = self.unit.builder.label_scopes.iter().rev().find_map(|scope| scope.get(&name)) {
            return label;
        }
        let label = self.new_label(name, range);
        if let Some(outermost) = self.unit.builder.label_scopes.first_mut() {
            outermost.insert(name, label);
        }
        label
    }

    pub fn new_label(&mut self, name: Symbol, range: Range) -> u32 {
        let block = self.block();
        self.unit.builder.labels.push(Label { name, block, scope: None, first_use: range, address_taken: false });
        self.unit.builder.labels.len() as u32 - 1
    }

    /// `name:` — control falls into the label's block.
    pub fn place_label(&mut self, name: Symbol, range: Range) {
        let label = self.label(name, range);
        let span = self.span(range);
        let block = self.unit.builder.labels[label as usize].block;
        if self.unit.builder.labels[label as usize].scope.is_some() {
            let text = self.name(name).to_string();
            let _ = self.error::<()>(range, format!("the label `{text}` is defined twice"), "");
            return;
        }
        self.unit.builder.labels[label as usize].scope = Some(self.unit.builder.scope);
        self.unit.builder.goto(block, span, block);
    }

    /// Ends the current block with a jump that leaves and enters scopes.
    pub fn jump(&mut self, to: JumpTarget, range: Range) {
        let span = self.span(range);
        let (block, next) = (self.block(), self.block());
        self.unit.builder.goto(block, span, next);
        let (from, cleanups) = (self.unit.builder.scope, self.unit.builder.cleanups.clone());
        self.unit.builder.jumps.push(PendingJump { block, from, to, cleanups, span, range });
    }

    /// A block that control passes on its way from a scope into the current one, as to a `case` inside inner blocks.
    pub fn entry_edge(&mut self, from: ScopeIdx, to: model::BlockId, range: Range) -> model::BlockId {
        if from == self.unit.builder.scope {
            return to;
        }
        let block = self.block();
        let span = self.span(range);
        let to = JumpTarget::Block(to, self.unit.builder.scope);
        self.unit.builder.jumps.push(PendingJump { block, from, to, cleanups: Vec::new(), span, range });
        block
    }

    /// All scopes are known now: fills in what each jump ends and begins.
    pub fn resolve_jumps(&mut self) -> Elaborated<()> {
        let mut result = Ok(());
        for jump in std::mem::take(&mut self.unit.builder.jumps) {
            let (target, scope) = match jump.to {
                JumpTarget::Block(block, scope) => (block, scope),
                JumpTarget::Label(label) => {
                    let label = &self.unit.builder.labels[label as usize];
                    // An undefined label is reported below.
                    let Some(scope) = label.scope else { continue };
                    (label.block, scope)
                }
            };
            let (left, entered) = self.unit.builder.way(jump.from, scope);
            self.unit.builder.current = jump.block;
            for cleanup in jump.cleanups.iter().rev().filter(|cleanup| left.contains(&cleanup.scope)) {
                self.run_cleanup(*cleanup);
            }
            for index in left {
                let node = &self.unit.builder.scopes[index.0 as usize];
                let dead: Vec<model::LocalId> = node.arrays.iter().rev().chain(node.locals.iter().rev()).copied().collect();
                dead.into_iter().for_each(|local| self.emit(CommandKind::Dead(local), jump.span));
            }
            for index in entered {
                let node = &self.unit.builder.scopes[index.0 as usize];
                if !node.arrays.is_empty() {
                    result = self.error(jump.range, "this jumps into the scope of a variable-length array", "");
                }
                let live = self.unit.builder.scopes[index.0 as usize].locals.clone();
                live.into_iter().for_each(|local| self.emit(CommandKind::Live(local), jump.span));
            }
            let next = self.unit.builder.current;
            self.unit.builder.goto(target, jump.span, next);
        }
        for index in 0..self.unit.builder.labels.len() {
            let label = &self.unit.builder.labels[index];
            if label.scope.is_none() {
                let (name, range) = (self.name(label.name).to_string(), label.first_use);
                result = self.error(range, format!("there is no label `{name}` in this function"), "");
            } else if label.address_taken {
                let block = label.block;
                self.unit.builder.body.address_taken.push(block);
            }
        }
        result
    }

    /// Runs the cleanups of all scopes up to and without the given one; all for `None`. They stay registered.
    pub fn run_cleanups_to(&mut self, scope: Option<ScopeIdx>) {
        let left = match scope {
            Some(scope) => self.unit.builder.way(self.unit.builder.scope, scope).0,
            None => Vec::new(),
        };
        let cleanups = self.unit.builder.cleanups.clone();
        for cleanup in cleanups.iter().rev().filter(|cleanup| scope.is_none() || left.contains(&cleanup.scope)) {
            self.run_cleanup(*cleanup);
        }
    }

    fn run_cleanup(&mut self, cleanup: Cleanup) {
        let span = self.span(cleanup.range);
        let place = self.local_place(cleanup.variable, span);
        let ty = self.unit.builder.body.locals[cleanup.variable].ty;
        let pointer = self.unit.program.types.pointer(ty);
        let address = self.make(Model::AddressOf(place), pointer, span);
        let mut args: Vec<model::ExprId> = self.hidden_argument(cleanup.function, span).into_iter().collect();
        let function_ty = self.unit.program.functions[cleanup.function].ty;
        let parameter = match self.unit.program.types.get(function_ty) {
            model::Type::Function { params, .. } => params.get(args.len()).copied(),
            _ => None,
        };
        args.push(match parameter {
            Some(parameter) => self.cast_model(address, parameter, span),
            None => address,
        });
        self.emit(CommandKind::Call { dst: None, callee: Callee::Direct(cleanup.function), args }, span);
        self.refuse_jumps(cleanup.function, span);
    }

    /// `return`, after the value has been computed.
    pub fn return_value(&mut self, value: Option<model::ExprId>, range: Range) {
        let span = self.span(range);
        let value = match value {
            Some(value) if !self.unit.builder.cleanups.is_empty() => Some(self.fix_expr(value)),
            value => value,
        };
        self.run_cleanups_to(None);
        let next = self.block();
        self.unit.builder.terminate(Terminator::Return(value), span, next);
    }
}

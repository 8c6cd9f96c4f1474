//! Statements.

use model::{Case, CommandKind, LoopKind, Terminator};

use super::builder::{Enclosing, JumpTarget, Switch};
use super::ctype::Ty;
use super::value::ValueKind;
use super::{Elaborated, Elaborator};
use crate::ast::{AsmStatement, ExprId, Range, StmtId, StmtKind};

impl Elaborator<'_> {
    /// A statement; what is wrong in it has been reported and does not keep the next from being looked at.
    pub fn statement(&mut self, id: StmtId) {
        // A selection or loop is a scope of its own, its head included (C17 6.8.4p3, 6.8.5p5).
        let scoped = self.session.options.standard >= 1999 && self.is_selection_or_loop(id);
        if scoped {
            self.unit.names.enter();
            self.unit.tags.enter();
        }
        let _ = self.try_statement(id);
        if scoped {
            self.unit.tags.leave();
            self.unit.names.leave();
        }
    }

    fn is_selection_or_loop(&self, id: StmtId) -> bool {
        let mut id = id;
        while let StmtKind::Label(_, inner) | StmtKind::Case(_, _, inner) | StmtKind::Default(inner) = &self.ast.stmts[id].kind {
            id = *inner;
        }
        matches!(self.ast.stmts[id].kind, StmtKind::If(..) | StmtKind::While(..) | StmtKind::Do(..) | StmtKind::Switch(..))
    }

    fn try_statement(&mut self, id: StmtId) -> Elaborated<()> {
        // Labels, cases and `else if`s in a row are followed in a loop, however many there are.
        let mut id = id;
        let mut joins = Vec::new();
        loop {
            let stmt = &self.ast.stmts[id];
            let range = stmt.range;
            match &stmt.kind {
                StmtKind::Label(name, inner) => {
                    self.place_label(*name, range);
                    id = *inner;
                }
                StmtKind::Case(low, high, inner) => {
                    // What is wrong with a label has been reported; its statement is looked at all the same.
                    let _ = self.case(*low, *high, range);
                    id = *inner;
                }
                StmtKind::Default(inner) => {
                    let _ = self.default_case(range);
                    id = *inner;
                }
                StmtKind::If(condition, then, otherwise) => {
                    let span = self.span(range);
                    let (yes, no) = (self.block(), self.block());
                    self.branch(*condition, yes, no).inspect_err(|_| self.unit.builder.current = yes)?;
                    self.unit.builder.current = yes;
                    self.substatement(*then);
                    match otherwise {
                        None => {
                            self.unit.builder.goto(no, span, no);
                            break;
                        }
                        Some(otherwise) => {
                            let after = self.block();
                            self.unit.builder.goto(after, span, no);
                            joins.push((after, span));
                            if !matches!(self.ast.stmts[*otherwise].kind, StmtKind::If(..)) {
                                self.substatement(*otherwise);
                                break;
                            }
                            id = *otherwise;
                        }
                    }
                }
                _ => {
                    let result = self.simple_statement(id);
                    self.join(joins);
                    return result;
                }
            }
        }
        self.join(joins);
        Ok(())
    }

    /// A substatement of a selection or loop is a block of its own (C17 6.8.4p3, 6.8.5p5): unnamed objects in it end with it.
    fn substatement(&mut self, id: StmtId) {
        if self.session.options.standard < 1999 || matches!(self.ast.stmts[id].kind, StmtKind::Compound(..)) {
            return self.statement(id);
        }
        self.enter_block();
        self.statement(id);
        let span = self.span(self.ast.stmts[id].range);
        self.leave_block(span);
    }

    fn join(&mut self, joins: Vec<(model::BlockId, model::Span)>) {
        for (after, span) in joins.into_iter().rev() {
            self.unit.builder.goto(after, span, after);
        }
    }

    fn simple_statement(&mut self, id: StmtId) -> Elaborated<()> {
        let stmt = &self.ast.stmts[id];
        let range = stmt.range;
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Label(..) | StmtKind::Case(..) | StmtKind::Default(_) | StmtKind::If(..) => Ok(()),
            StmtKind::Expr(expr) => self.discard(*expr),
            StmtKind::Compound(items, close) => {
                self.enter_block();
                let labels = self.unit.builder.label_scopes.len();
                for item in items {
                    self.statement(*item);
                }
                self.unit.builder.label_scopes.truncate(labels);
                let span = self.span(*close);
                self.leave_block(span);
                Ok(())
            }
            StmtKind::Declaration(declaration) => self.declaration(&self.ast.decls[*declaration]),
            StmtKind::StaticAssert(assert) => self.static_assert(assert),
            StmtKind::LocalLabels(names) => {
                let scope = names.iter().map(|name| (*name, self.new_label(*name, range))).collect();
                self.unit.builder.label_scopes.push(scope);
                Ok(())
            }
            StmtKind::While(condition, body) => self.while_loop(*condition, *body, range),
            StmtKind::Do(body, condition) => self.do_loop(*body, *condition, range),
            StmtKind::For { init, condition, step, body } => self.for_loop(*init, *condition, *step, *body, range),
            StmtKind::Switch(value, body) => self.switch(*value, *body, range),
            StmtKind::Goto(name) => {
                if let Some(label) = self.outward_label(*name) {
                    return self.jump_outward(label, range);
                }
                let label = self.label(*name, range);
                self.jump(JumpTarget::Label(label), range);
                Ok(())
            }
            StmtKind::ComputedGoto(target) => self.computed_goto(*target, range),
            StmtKind::Break => match self.unit.builder.enclosing.last().copied() {
                Some(enclosing) => {
                    self.jump(JumpTarget::Block(enclosing.break_to, enclosing.scope), range);
                    Ok(())
                }
                None => self.error(range, "`break` outside of a loop or switch", ""),
            },
            StmtKind::Continue => {
                let target = self.unit.builder.enclosing.iter().rev().find_map(|e| e.continue_to.map(|to| (to, e.scope)));
                match target {
                    Some((to, scope)) => {
                        self.jump(JumpTarget::Block(to, scope), range);
                        Ok(())
                    }
                    None => self.error(range, "`continue` outside of a loop", ""),
                }
            }
            StmtKind::Return(value) => self.return_statement(*value, range),
            StmtKind::Asm(asm) => self.asm(asm, range),
            StmtKind::NestedFunction(definition) => self.nested_definition(definition),
        }
    }

    fn in_loop(&mut self, break_to: model::BlockId, continue_to: model::BlockId, body: StmtId) {
        let scope = self.unit.builder.scope;
        self.unit.builder.enclosing.push(Enclosing { break_to, continue_to: Some(continue_to), scope });
        self.substatement(body);
        self.unit.builder.enclosing.pop();
    }

    fn while_loop(&mut self, condition: ExprId, body: StmtId, range: Range) -> Elaborated<()> {
        let span = self.span(range);
        let (head, inside, after) = (self.block(), self.block(), self.block());
        self.unit.builder.add_loop(LoopKind::While, head, span);
        self.unit.builder.goto(head, span, head);
        let condition = self.branch(condition, inside, after);
        self.unit.builder.current = inside;
        self.in_loop(after, head, body);
        self.unit.builder.goto(head, span, after);
        condition
    }

    fn do_loop(&mut self, body: StmtId, condition: ExprId, range: Range) -> Elaborated<()> {
        let span = self.span(range);
        let (head, test, after) = (self.block(), self.block(), self.block());
        self.unit.builder.add_loop(LoopKind::Do, head, span);
        self.unit.builder.goto(head, span, head);
        self.in_loop(after, test, body);
        self.unit.builder.goto(test, span, test);
        let condition = self.branch(condition, head, after);
        self.unit.builder.current = after;
        condition
    }

    fn for_loop(&mut self, init: StmtId, condition: Option<ExprId>, step: Option<ExprId>, body: StmtId, range: Range) -> Elaborated<()> {
        let span = self.span(range);
        self.enter_block();
        self.statement(init);
        let (head, inside, next, after) = (self.block(), self.block(), self.block(), self.block());
        self.unit.builder.add_loop(LoopKind::For, head, span);
        self.unit.builder.goto(head, span, head);
        let condition = match condition {
            Some(condition) => self.branch(condition, inside, after),
            None => {
                self.unit.builder.goto(inside, span, inside);
                Ok(())
            }
        };
        self.unit.builder.current = inside;
        self.in_loop(after, next, body);
        self.unit.builder.goto(next, span, next);
        let step = step.map_or(Ok(()), |step| self.discard(step));
        self.unit.builder.goto(head, span, after);
        self.leave_block(span);
        condition.and(step)
    }

    fn switch(&mut self, value: ExprId, body: StmtId, range: Range) -> Elaborated<()> {
        let span = self.span(range);
        let value = self.expr_value(value)?;
        if !self.unit.types.is_integer(value.ty) {
            let name = self.type_name(value.ty);
            return self.error(value.range, "`switch` needs an integer", format!("has type `{name}`"));
        }
        let value = self.promote(value);
        let model_ty = self.lower(value.ty);
        let scope = self.unit.builder.scope;
        let (inside, after) = (self.block(), self.block());
        let head = std::mem::replace(&mut self.unit.builder.current, inside);
        self.unit.builder.switches.push(Switch { ty: value.ty, model_ty, cases: Vec::new(), default: None, scope });
        self.unit.builder.enclosing.push(Enclosing { break_to: after, continue_to: None, scope });
        self.statement(body);
        self.unit.builder.enclosing.pop();
        self.unit.builder.goto(after, span, head);
        let Some(switch) = self.unit.builder.switches.pop() else { return Ok(()) };
        let checked = self.check_cases(&switch);
        let default = switch.default.map_or(after, |(block, _)| block);
        let cases = switch.cases.into_iter().map(|(case, _)| case).collect();
        self.unit.builder.terminate(Terminator::Switch { value: value.expr, cases, default }, span, after);
        checked
    }

    fn check_cases(&mut self, switch: &Switch) -> Elaborated<()> {
        let types = &self.unit.program.types;
        let mut order: Vec<(i128, i128, Range)> = switch
            .cases
            .iter()
            .map(|(case, range)| (types.value(switch.model_ty, case.low), types.value(switch.model_ty, case.high), *range))
            .collect();
        if !types.is_signed(switch.model_ty) {
            // Unsigned patterns of 128 bits come out negative; the order of the patterns is the right one.
            order.sort_by_key(|(low, ..)| *low as u128);
        } else {
            order.sort_by_key(|(low, ..)| *low);
        }
        if let Some(pair) = order.windows(2).find(|pair| pair[1].0 == pair[0].0 || (pair[0].1 >= pair[1].0 && pair[0].1 >= pair[0].0)) {
            let (first, second) = (pair[0].2, pair[1].2);
            let result = self.error(second, "this value has two cases", "second case");
            self.relate(first, "first case");
            return result;
        }
        Ok(())
    }

    fn case(&mut self, low: ExprId, high: Option<ExprId>, range: Range) -> Elaborated<()> {
        let Some(switch) = self.unit.builder.switches.last() else { return self.error(range, "`case` outside of a switch", "") };
        let (ty, scope) = (switch.ty, switch.scope);
        let bounds = self.case_value(low, ty).and_then(|low| match high {
            Some(high) => Ok((low, self.case_value(high, ty)?)),
            None => Ok((low, low)),
        });
        let span = self.span(range);
        let block = self.block();
        self.unit.builder.goto(block, span, block);
        let (low, high) = bounds?;
        let model_ty = self.lower(ty);
        let signed = self.unit.program.types.is_signed(model_ty);
        let (a, b) = (self.unit.program.types.value(model_ty, low), self.unit.program.types.value(model_ty, high));
        if if signed { a > b } else { low > high } {
            self.warning(range, "this range of cases is empty");
            return Ok(());
        }
        let target = self.entry_edge(scope, block, range);
        if let Some(switch) = self.unit.builder.switches.last_mut() {
            switch.cases.push((Case { low, high, target }, range));
        }
        Ok(())
    }

    fn case_value(&mut self, id: ExprId, ty: Ty) -> Elaborated<u128> {
        let (value, _) = self.integer_constant(id, "a case")?;
        let lowered = self.lower(ty);
        Ok(self.unit.program.types.truncate(lowered, value as u128))
    }

    fn default_case(&mut self, range: Range) -> Elaborated<()> {
        let Some(switch) = self.unit.builder.switches.last() else { return self.error(range, "`default` outside of a switch", "") };
        let (scope, first) = (switch.scope, switch.default);
        let span = self.span(range);
        let block = self.block();
        self.unit.builder.goto(block, span, block);
        if let Some((_, first)) = first {
            let result = self.error(range, "this switch has two defaults", "second default");
            self.relate(first, "first default");
            return result;
        }
        let target = self.entry_edge(scope, block, range);
        if let Some(switch) = self.unit.builder.switches.last_mut() {
            switch.default = Some((target, range));
        }
        Ok(())
    }

    /// `goto *p;`. Which scopes it leaves depends on p: blocks with variables of their own would need their ends on the way.
    fn computed_goto(&mut self, target: ExprId, range: Range) -> Elaborated<()> {
        let target = self.expr_value(target)?;
        if !self.unit.types.is_pointer(target.ty) {
            return self.error(range, "`goto *` needs a pointer", "");
        }
        let span = self.span(range);
        let next = self.block();
        self.unit.builder.terminate(Terminator::Computed(target.expr), span, next);
        Ok(())
    }

    fn return_statement(&mut self, value: Option<ExprId>, range: Range) -> Elaborated<()> {
        let ret = self.unit.builder.ret.ty;
        let Some(value) = value else {
            self.return_value(None, range);
            return Ok(());
        };
        let value = self.expr(value)?;
        if ret == Ty::VOID {
            // `return f();` in a void function.
            if !matches!(value.kind, ValueKind::Void) {
                self.warning(value.range, "a function without result returns a value");
            }
            self.return_value(None, range);
            return Ok(());
        }
        if matches!(value.kind, ValueKind::Void) {
            self.warning(value.range, "this returns nothing, but the function has a result");
            self.return_value(None, range);
            return Ok(());
        }
        let value = self.convert_for_assignment(value, ret)?;
        self.return_value(Some(value.expr), range);
        Ok(())
    }

    /// Assembly without instructions only keeps a compiler from optimising: an output is the input that shares its register, or any value.
    /// Other assembly is not modelled and says so where it stands.
    fn asm(&mut self, asm: &AsmStatement, range: Range) -> Elaborated<()> {
        let span = self.span(range);
        if !asm.template.iter().all(u8::is_ascii_whitespace) || !asm.labels.is_empty() {
            let text = String::from_utf8_lossy(&asm.template);
            let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect();
            self.emit(CommandKind::Unsupported(format!("assembly `{text}` is not modelled")), span);
            for label in &asm.labels {
                self.label(*label, range);
            }
            return Ok(());
        }
        let mut outputs = Vec::new();
        for (constraint, output) in &asm.outputs {
            let place = self.expr(*output)?;
            outputs.push((constraint, self.fix_place(place)));
        }
        let mut inputs = Vec::new();
        for (constraint, input) in &asm.inputs {
            let value = self.expr(*input)?;
            // A memory operand may be anything that has an address.
            if let ValueKind::Void = value.kind {
                return self.error(value.range, "this operand has no value", "");
            }
            // An operand in memory is only pointed at.
            if !is_memory(constraint) {
                inputs.push((constraint, self.fixed(value)?));
            }
        }
        for (index, (constraint, place)) in outputs.into_iter().enumerate() {
            // What is read and written, or stays in memory, keeps its value: nothing is executed.
            if constraint.starts_with(b"+") || is_memory(constraint) {
                continue;
            }
            let tied = inputs.iter().find(|(constraint, _)| constraint.as_ref() == index.to_string().as_bytes());
            match (tied, place.kind) {
                (Some((_, value)), _) => {
                    let value = self.convert_for_assignment(*value, place.ty.ty)?;
                    self.store(place, value, span)?;
                }
                (None, ValueKind::Place(place) | ValueKind::BitField(place, _)) => self.emit(CommandKind::Havoc(place), span),
                _ => return self.error(place.range, "an output must be an object", ""),
            }
        }
        Ok(())
    }
}

/// Whether an operand of assembly can only be in memory.
fn is_memory(constraint: &[u8]) -> bool {
    constraint.iter().all(|letter| matches!(letter, b'=' | b'&' | b'm' | b'o' | b'V'))
}

//! Expressions with rules of their own: `sizeof`, `_Generic`, `offsetof`, `va_arg`, statement expressions, label addresses.

use model::{BinaryOp as Op, CommandKind, ExprKind as Model, PlaceKind};

use super::ctype::Ty;
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::{Designator, ExprId, ExprKind, Range, StmtId, StmtKind, TypeNameId};
use crate::intern::Symbol;

impl Elaborator<'_> {
    /// `sizeof e`: the operand is evaluated only if its size depends on it.
    pub fn sizeof_expr(&mut self, operand: ExprId, range: Range) -> Elaborated<Value> {
        let value = self.evaluated_if_variable(|this| this.expr(operand), |value| value.ty.ty)?;
        if let ValueKind::BitField(..) = value.kind {
            return self.error(range, "a bit-field has no size in bytes", "");
        }
        // `sizeof` of a function designator is 1 (GNU); a dereferenced function pointer is one too.
        let ty = match self.unit.types.pointee(value.ty.ty) {
            Some(to)
                if self.unit.types.is_function(to.ty)
                    && matches!(self.ast.exprs[operand].kind, ExprKind::Unary(crate::ast::UnaryOp::Deref, _)) =>
            {
                to.ty
            }
            _ => value.ty.ty,
        };
        Ok(self.size_value(ty, range)?.into())
    }

    /// `_Generic` (C17 6.5.1.1): the type of the control decides, after it lost its qualifiers and decayed.
    pub fn generic(&mut self, control: ExprId, arms: &[(Option<TypeNameId>, ExprId)], range: Range) -> Elaborated<Value> {
        let control = self.unevaluated(|this| {
            let value = this.expr(control)?;
            // A bit-field or void control keeps its type.
            match value.kind {
                ValueKind::BitField(..) | ValueKind::Void => Ok(value.ty.ty),
                _ => this.rvalue(value).map(|value| value.ty),
            }
        })?;
        let mut default = None;
        let mut chosen = None;
        for (ty, arm) in arms {
            match ty {
                None => default = Some(*arm),
                Some(ty) => {
                    let ty = self.type_of_name(*ty)?;
                    let plain = ty.q == Default::default() || ty.q.is_restrict;
                    if chosen.is_none() && plain && self.unit.types.compatible(ty.ty, control) {
                        chosen = Some(*arm);
                    }
                }
            }
        }
        match chosen.or(default) {
            Some(arm) => self.expr(arm),
            None => {
                let name = self.type_name(control);
                self.error(range, format!("no association of `_Generic` fits `{name}`"), "")
            }
        }
    }

    /// `__builtin_offsetof(type, a.b[i])`.
    pub fn offsetof(&mut self, ty: TypeNameId, path: &[Designator], range: Range) -> Elaborated<Value> {
        let mut ty = self.type_of_name(ty)?.ty;
        let size_type = self.unit.types.size_type();
        let lowered = self.lower(size_type);
        let span = self.span(range);
        let mut offset = self.int_constant(0, size_type, range);
        for step in path {
            match step {
                Designator::Field(name, range) => {
                    let Some(record) = self.unit.types.as_record(ty) else {
                        return self.error(*range, "this has no members", "");
                    };
                    let Some(fields) = self.find_member(record, *name) else {
                        let (ty, name) = (self.type_name(ty), self.name(*name).to_string());
                        return self.error(*range, format!("`{ty}` has no member `{name}`"), "unknown member");
                    };
                    for index in fields {
                        let Some(record) = self.unit.types.as_record(ty) else { break };
                        let Some(field) = self.unit.types.record(record).fields.as_ref().and_then(|f| f.get(index)).cloned() else { break };
                        let step = self.member_offset(&field, *range)?;
                        let sum = self.fold(Op::Add, offset.expr, step, lowered, span);
                        offset = Rvalue { expr: sum, ..offset };
                        ty = field.ty.ty;
                    }
                }
                Designator::Index(index) | Designator::Span(index, _) => {
                    let Some((elem, _)) = self.unit.types.element(ty) else {
                        return self.error(range, "this has no elements", "");
                    };
                    let index = self.expr_value(*index)?;
                    let index = self.convert(index, size_type);
                    let size = self.size_value(elem.ty, range)?;
                    let bytes = self.fold(Op::Mul, index.expr, size.expr, lowered, span);
                    offset = Rvalue { expr: self.fold(Op::Add, offset.expr, bytes, lowered, span), ..offset };
                    ty = elem.ty;
                }
            }
        }
        Ok(offset.into())
    }

    /// LP64's `va_list` is an array of one structure; i386's is a pointer. The model's commands take a pointer to either.
    pub fn va_list_pointer(&mut self, list: ExprId) -> Elaborated<model::ExprId> {
        let value = self.expr(list)?;
        let span = self.span(value.range);
        let by_reference = matches!(self.unit.types.target, model::Target::Ilp32);
        if by_reference && let ValueKind::Place(place) = value.kind {
            let ty = self.unit.builder.body.places[place].ty;
            let pointer = self.unit.program.types.pointer(ty);
            return Ok(self.make(Model::AddressOf(place), pointer, span));
        }
        let value = self.rvalue(value)?;
        if !self.unit.types.is_pointer(value.ty) {
            return self.error(value.range, "this is not a `va_list`", "");
        }
        Ok(value.expr)
    }

    pub fn va_arg(&mut self, list: ExprId, ty: TypeNameId, range: Range) -> Elaborated<Value> {
        let ty = self.type_of_name(ty)?;
        let list = self.va_list_pointer(list)?;
        if self.unit.types.size(ty.ty).is_none() {
            return self.incomplete(range, ty.ty);
        }
        let span = self.span(range);
        let lowered = self.lower(ty.ty);
        let is_scalar = self.unit.types.is_scalar(ty.ty);
        let local = self.unit.builder.local(String::new(), lowered, is_scalar, span);
        let place = self.local_place(local, span);
        self.emit(CommandKind::VaArg(place, list), span);
        let place = self.local_place(local, span);
        if is_scalar {
            return Ok(Rvalue { expr: self.make(Model::Load(place), lowered, span), ty: ty.ty, range }.into());
        }
        Ok(Value { kind: ValueKind::Place(place), ty: ty.ty.into(), range })
    }

    pub fn label_address(&mut self, name: Symbol, range: Range) -> Elaborated<Value> {
        if self.unit.builder.function.is_none() {
            return self.error(range, "labels exist only inside functions", "");
        }
        if let Some(label) = self.outward_label(name) {
            return self.outward_label_address(label, range);
        }
        let label = self.label(name, range);
        self.unit.builder.labels[label as usize].address_taken = true;
        let block = self.unit.builder.labels[label as usize].block;
        let ty = self.unit.types.pointer(Ty::VOID);
        let lowered = self.lower(ty);
        let span = self.span(range);
        Ok(Rvalue { expr: self.make(Model::Label(block), lowered, span), ty, range }.into())
    }

    /// `({ … })`: the value of its last expression statement.
    pub fn statement_expr(&mut self, body: StmtId, range: Range) -> Elaborated<Value> {
        if self.unit.builder.function.is_none() {
            return self.error(range, "a statement expression can stand only inside a function", "");
        }
        let StmtKind::Compound(items, close) = &self.ast.stmts[body].kind else {
            return self.error(range, "a statement expression needs a block", "");
        };
        self.enter_block();
        let labels = self.unit.builder.label_scopes.len();
        let mut result = Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range };
        let last = items.iter().rposition(|item| !matches!(self.ast.stmts[*item].kind, StmtKind::Empty));
        for (position, item) in items.iter().enumerate() {
            if Some(position) == last
                && let Some(value) = self.last_of_statement_expr(*item)?
            {
                result = Value { range, ..value };
                continue;
            }
            self.statement(*item);
        }
        self.unit.builder.label_scopes.truncate(labels);
        let span = self.span(*close);
        self.leave_block(span);
        Ok(result)
    }

    /// The value of the last statement of a statement expression, through labels before it; kept in a temporary because the block's
    /// variables end with it.
    fn last_of_statement_expr(&mut self, item: StmtId) -> Elaborated<Option<Value>> {
        let mut item = item;
        while let StmtKind::Label(name, inner) = &self.ast.stmts[item].kind {
            self.place_label(*name, self.ast.stmts[item].range);
            item = *inner;
        }
        let StmtKind::Expr(expr) = &self.ast.stmts[item].kind else {
            self.statement(item);
            return Ok(Some(Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range: self.ast.stmts[item].range }));
        };
        // `({ f(); })` in a statement: no temporary for a result that nobody takes is worth a second way here.
        let value = self.expr(*expr)?;
        if matches!(value.kind, ValueKind::Void) || value.ty.ty == Ty::VOID {
            return Ok(Some(Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range: value.range }));
        }
        if self.unit.types.variable_size(value.ty.ty).is_some() {
            return self.keep_variable_record(value).map(Some);
        }
        let value = self.rvalue(value)?;
        if self.unit.types.as_record(value.ty).is_some() {
            return self.spill(value.into()).map(Some);
        }
        Ok(Some(self.fix(value).into()))
    }

    /// `(type) { … }`: an unnamed object of the block, or of the program at file scope.
    pub fn compound_literal(&mut self, ty: TypeNameId, init: crate::ast::InitId, range: Range) -> Elaborated<Value> {
        let ty = self.type_of_name(ty)?;
        let span = self.span(range);
        if self.unit.types.is_variable(ty.ty) {
            return self.error(range, "a compound literal cannot have a variable length", "");
        }
        if self.unit.builder.function.is_none() || self.unit.builder.in_static_initializer {
            let (global, ty) = self.static_object(".literal", ty, Some(init), range)?;
            let lowered = self.lower(ty.ty);
            let place = self.unit.builder.place(PlaceKind::Global(global), lowered, ty.q.is_volatile, span);
            return Ok(Value { kind: ValueKind::Place(place), ty, range });
        }
        let (ty, leaves) = self.collect_initializer(ty, init, false)?;
        if self.unit.types.size(ty.ty).is_none() {
            return self.incomplete(range, ty.ty);
        }
        let lowered = self.lower(ty.ty);
        let local = self.unit.builder.local(String::new(), lowered, false, span);
        self.add_to_scope(local);
        let place = self.unit.builder.place(PlaceKind::Local(local), lowered, ty.q.is_volatile, span);
        let object = Value { kind: ValueKind::Place(place), ty, range };
        self.store_leaves(object, leaves, range)?;
        Ok(object)
    }

    /// Elaborates aside; the commands count only if the type found depends on a run-time length (`sizeof` and `typeof`, C17 6.5.3.4p2).
    pub fn evaluated_if_variable<T>(&mut self, run: impl FnOnce(&mut Self) -> Elaborated<T>, ty: impl FnOnce(&T) -> Ty) -> Elaborated<T> {
        let start = self.block();
        let current = std::mem::replace(&mut self.unit.builder.current, start);
        let result = run(self);
        let end = std::mem::replace(&mut self.unit.builder.current, current);
        let result = result?;
        if self.unit.types.is_variably_modified(ty(&result)) {
            self.unit.builder.goto(start, model::Span::NONE, end);
        }
        Ok(result)
    }
}

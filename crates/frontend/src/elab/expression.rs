//! Expressions of the source.

use model::{CommandKind, ExprKind as Model, PlaceKind, UnaryOp as ModelUnary};
use rustc_hash::FxHashSet;

use super::ctype::{CType, Len, Qual, Ty};
use super::scope::{Entity, Entry};
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator, float};
use crate::ast::{self, BinaryOp, CharKind, ExprId, ExprKind, IntLiteral, Qualifiers, Range, UnaryOp};
use crate::intern::Symbol;

/// Operators may be nested this deep, operands in a row not counted.
const DEPTH_LIMIT: u32 = 4000;

impl Elaborator<'_> {
    /// What an expression denotes; its side effects are emitted.
    pub fn expr(&mut self, id: ExprId) -> Elaborated<Value> {
        if self.unit.depth >= DEPTH_LIMIT {
            let range = self.ast.exprs[id].range;
            return self.error(range, format!("expression nested deeper than {DEPTH_LIMIT} levels"), "");
        }
        self.unit.depth += 1;
        let value = self.expr_inner(id);
        self.unit.depth -= 1;
        value
    }

    /// The value of an expression.
    pub fn expr_value(&mut self, id: ExprId) -> Elaborated<Rvalue> {
        let value = self.expr(id)?;
        self.rvalue(value)
    }

    fn expr_inner(&mut self, id: ExprId) -> Elaborated<Value> {
        let expr = &self.ast.exprs[id];
        let range = expr.range;
        match &expr.kind {
            ExprKind::Ident(name) => self.identifier(*name, range),
            ExprKind::Int(literal) => self.int_literal(*literal, range),
            ExprKind::Float(literal) => self.float_literal(*literal, range),
            ExprKind::Char(value, kind) => {
                let ty = match kind {
                    CharKind::Plain => Ty::INT,
                    CharKind::Utf8 => Ty::UCHAR,
                    _ => self.char_type(*kind),
                };
                Ok(self.int_constant(i128::from(*value), ty, range).into())
            }
            ExprKind::String(bytes, kind) => Ok(self.string(bytes, *kind, range)),
            ExprKind::FunctionName => Ok(self.function_name(range)),
            ExprKind::Bool(value) => Ok(self.int_constant(i128::from(*value), Ty::BOOL, range).into()),
            ExprKind::Nullptr => {
                let ty = self.unit.types.pointer(Ty::VOID);
                Ok(self.int_constant(0, ty, range).into())
            }
            ExprKind::Unary(op, operand) => self.unary_expr(*op, *operand, range),
            ExprKind::Binary(..) => Ok(self.binary_chain(id)?.into()),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => Ok(self.logical_value(id, range)?.into()),
            ExprKind::Assign(None, target, value) => self.assignment(*target, *value, range, true),
            ExprKind::Assign(Some(op), target, value) => self.compound_assignment(*op, *target, *value, range, true),
            ExprKind::Conditional(condition, yes, no) => self.conditional(*condition, *yes, *no, range),
            ExprKind::Comma(..) => self.comma_chain(id),
            ExprKind::Call(callee, args) => self.call(*callee, args, range, true),
            ExprKind::Member(base, name, arrow) => self.member_expr(*base, *name, *arrow, range),
            ExprKind::Index(base, index) => self.index_expr(*base, *index, range),
            ExprKind::Cast(ty, operand) => {
                let ty = self.type_of_name(*ty)?;
                if ty.ty == Ty::VOID {
                    self.discard(*operand)?;
                    return Ok(Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range });
                }
                let value = self.expr(*operand)?;
                self.cast(Value { range, ..value }, ty)
            }
            ExprKind::CompoundLiteral(ty, init) => self.compound_literal(*ty, *init, range),
            ExprKind::SizeofExpr(operand) => self.sizeof_expr(*operand, range),
            ExprKind::SizeofType(ty) => {
                let ty = self.type_of_name(*ty)?;
                Ok(self.size_value(ty.ty, range)?.into())
            }
            ExprKind::AlignofType(ty, gnu) => {
                let ty = self.type_of_name(*ty)?;
                let align = if *gnu { self.unit.types.preferred_align(ty) } else { self.unit.types.align_qualified(ty) };
                let size_type = self.unit.types.size_type();
                Ok(self.int_constant(i128::from(align), size_type, range).into())
            }
            ExprKind::AlignofExpr(operand) => {
                let value = self.unevaluated(|this| this.expr(*operand))?;
                let declared = match &self.ast.exprs[*operand].kind {
                    ExprKind::Ident(name) => self.unit.names.get(*name).and_then(|entity| self.unit.aligned.get(&entity.key()).copied()),
                    _ => None,
                };
                let align = declared.unwrap_or_else(|| self.unit.types.preferred_align(value.ty));
                let size_type = self.unit.types.size_type();
                Ok(self.int_constant(i128::from(align), size_type, range).into())
            }
            ExprKind::Statement(body) => self.statement_expr(*body, range),
            ExprKind::LabelAddress(name) => self.label_address(*name, range),
            ExprKind::Generic(control, arms) => self.generic(*control, arms, range),
            ExprKind::VaArg(list, ty) => self.va_arg(*list, *ty, range),
            ExprKind::Offsetof(ty, path) => self.offsetof(*ty, path, range),
            ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_of_name(*a)?, self.type_of_name(*b)?);
                let same = self.unit.types.compatible(a.ty, b.ty) && self.unit.types.get(a.ty) != &CType::Void
                    || a.ty == Ty::VOID && b.ty == Ty::VOID;
                // GCC tells an enumeration from its integer type here.
                let enums = matches!(self.unit.types.get(a.ty), CType::Enum(_)) || matches!(self.unit.types.get(b.ty), CType::Enum(_));
                Ok(self.int_constant(i128::from(same && (!enums || a.ty == b.ty)), Ty::INT, range).into())
            }
            ExprKind::Refused(name) => {
                let name = self.name(*name).to_string();
                self.unsupported(range, format!("`{name}` is"))
            }
            ExprKind::Choose(condition, yes, no) => {
                let (condition, _) = self.integer_constant(*condition, "the condition of __builtin_choose_expr")?;
                self.expr(if condition != 0 { *yes } else { *no })
            }
        }
    }

    /// Evaluates an expression for its side effects only.
    pub fn discard(&mut self, id: ExprId) -> Elaborated<()> {
        let expr = &self.ast.exprs[id];
        let range = expr.range;
        match &expr.kind {
            ExprKind::Assign(None, target, value) => self.assignment(*target, *value, range, false).map(drop),
            ExprKind::Assign(Some(op), target, value) => self.compound_assignment(*op, *target, *value, range, false).map(drop),
            ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PostIncrement, target) => {
                self.increment(*target, 1, true, range, false).map(drop)
            }
            ExprKind::Unary(UnaryOp::PreDecrement | UnaryOp::PostDecrement, target) => {
                self.increment(*target, -1, true, range, false).map(drop)
            }
            ExprKind::Call(callee, args) => {
                let value = self.call(*callee, args, range, false)?;
                self.discard_value(value)
            }
            ExprKind::Comma(a, b) => {
                self.discard(*a)?;
                self.discard(*b)
            }
            ExprKind::Conditional(condition, Some(yes), no) if self.has_effects(*yes) || self.has_effects(*no) => {
                self.conditional_statement(*condition, *yes, *no, range)
            }
            _ => {
                let value = self.expr(id)?;
                self.discard_value(value)
            }
        }
    }

    /// Reads what a value that nobody takes would read: that is something to do for a volatile object, and can be undefined behind a pointer
    /// or an index. Other variables are only named to silence warnings, and computing other values is nothing.
    fn discard_value(&mut self, value: Value) -> Elaborated<()> {
        let exprs = match value.kind {
            ValueKind::Expr(expr) => vec![expr],
            ValueKind::Place(_) | ValueKind::BitField(..) if self.is_readable(value.ty.ty) => vec![self.rvalue(value)?.expr],
            ValueKind::Place(place) => self.path_operands(place),
            ValueKind::BitField(..) | ValueKind::Void | ValueKind::Function(_) => return Ok(()),
        };
        for expr in exprs {
            if self.has_access(expr) {
                self.fix_expr(expr);
            }
        }
        Ok(())
    }

    /// Whether objects of a type can be read as a whole. Arrays become pointers instead.
    fn is_readable(&self, ty: Ty) -> bool {
        ty != Ty::VOID && !self.unit.types.is_array(ty) && self.unit.types.size(ty).is_some()
    }

    /// Whether an expression reads a volatile object, or something behind a pointer or an index.
    fn has_access(&self, expr: model::ExprId) -> bool {
        let body = &self.unit.builder.body;
        let (mut pending, mut seen) = (vec![expr], FxHashSet::default());
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            let kind = &body.exprs[id].kind;
            pending.extend(kind.operands());
            let Some(place) = kind.place() else { continue };
            let operands = self.path_operands(place);
            if matches!(kind, Model::Load(_)) && (body.places[place].volatile || !operands.is_empty()) {
                return true;
            }
            pending.extend(operands);
        }
        false
    }

    /// The pointer and the indices on the way to an object, from the object inwards.
    fn path_operands(&self, place: model::PlaceId) -> Vec<model::ExprId> {
        let places = &self.unit.builder.body.places;
        std::iter::successors(Some(place), |&place| places[place].kind.base()).filter_map(|place| places[place].kind.operand()).collect()
    }

    fn conditional_statement(&mut self, condition: ExprId, yes: ExprId, no: ExprId, range: Range) -> Elaborated<()> {
        let span = self.span(range);
        let (then, otherwise, after) = (self.block(), self.block(), self.block());
        self.branch(condition, then, otherwise)?;
        self.unit.builder.current = then;
        self.discard(yes)?;
        self.unit.builder.goto(after, span, otherwise);
        self.discard(no)?;
        self.unit.builder.goto(after, span, after);
        Ok(())
    }

    fn identifier(&mut self, name: Symbol, range: Range) -> Elaborated<Value> {
        let span = self.span(range);
        let place = |kind| Ok(kind);
        let Some(entity) = self.unit.names.get(name) else { return self.undeclared(name, range) };
        let (kind, ty): (ValueKind, Qual) = match entity {
            Entity::Typedef(_) => {
                let name = self.name(name).to_string();
                return self.error(range, format!("`{name}` is a type, not a value"), "unexpected type name");
            }
            Entity::Constant(pattern, ty) => {
                let lowered = self.lower(ty);
                (ValueKind::Expr(self.make(Model::Int(pattern), lowered, span)), ty.into())
            }
            Entity::Local(variable, ty) => (ValueKind::Place(self.variable_place(variable, ty.q.is_volatile, span)), ty),
            Entity::Static(global, ty) => (self.global_place(global, ty, span), ty),
            Entity::Linked(index) => {
                let ty = self.unit.linked[index as usize].ty;
                match self.linked_entry(index) {
                    Entry::Function(function) => (ValueKind::Function(function), ty),
                    Entry::Global(global) => (self.global_place(global, ty, span), ty),
                }
            }
            Entity::Nested(function) => (ValueKind::Function(function), self.nested_type(function)),
        };
        place(Value { kind, ty, range })
    }

    fn global_place(&mut self, global: model::GlobalId, ty: Qual, span: model::Span) -> ValueKind {
        let lowered = self.lower(ty.ty);
        ValueKind::Place(self.unit.builder.place(PlaceKind::Global(global), lowered, ty.q.is_volatile, span))
    }

    fn undeclared(&mut self, name: Symbol, range: Range) -> Elaborated<Value> {
        let text = self.name(name).to_string();
        if let Some(function) = text.strip_prefix("__builtin_").and_then(|stem| self.library_function(stem, range)) {
            return Ok(function);
        }
        // A function that was called before is known.
        if let Some(&index) = self.unit.linked_by_name.get(&name)
            && let ty = self.unit.linked[index as usize].ty
            && self.unit.types.is_function(ty.ty)
        {
            return Ok(self.file_scope_function(name, ty, range));
        }
        self.error(range, format!("`{text}` is not declared"), "unknown name")
    }

    /// The type of an integer constant is the first of its list that holds it (C17 6.4.4.1p5).
    fn int_literal(&mut self, literal: IntLiteral, range: Range) -> Elaborated<Value> {
        let candidates: &[Ty] = match (literal.longs, literal.unsigned) {
            (0, false) => &[Ty::INT, Ty::UINT, Ty::LONG, Ty::ULONG, Ty::LONGLONG, Ty::ULONGLONG],
            (0, true) => &[Ty::UINT, Ty::ULONG, Ty::ULONGLONG],
            (1, false) => &[Ty::LONG, Ty::ULONG, Ty::LONGLONG, Ty::ULONGLONG],
            (1, true) => &[Ty::ULONG, Ty::ULONGLONG],
            (_, false) => &[Ty::LONGLONG, Ty::ULONGLONG],
            (_, true) => &[Ty::ULONGLONG],
        };
        let wide = [Ty::INT128, Ty::UINT128];
        // C89 lets a decimal constant that no `long` holds be `unsigned long`.
        let c89 = self.session.options.standard < 1999;
        let ty = candidates.iter().chain(&wide).copied().find(|&ty| {
            let (bits, signed) = self.unit.types.int_shape(ty).unwrap_or((32, true));
            let allowed = literal.unsigned || signed || !literal.decimal || (c89 && ty == Ty::ULONG);
            allowed && (literal.value.checked_shr(u32::from(bits) - u32::from(signed)).unwrap_or(0) == 0)
        });
        match ty {
            Some(ty) => {
                let value = self.int_constant(literal.value as i128, ty, range);
                if literal.imaginary { self.imaginary(value, range) } else { Ok(value.into()) }
            }
            None => self.error(range, "this integer does not fit any type", ""),
        }
    }

    fn float_literal(&mut self, literal: ast::FloatLiteral, range: Range) -> Elaborated<Value> {
        let ty = self.basic_type(literal.ty, range)?;
        let CType::Float(format) = *self.unit.types.get(ty) else { return self.unsupported(range, "constants of this type are") };
        let digits = self.name(literal.digits).to_string();
        let Some(bits) = float::parse(format, &digits) else {
            return self.error(range, format!("`{digits}` is not a number"), "");
        };
        let value = self.float_constant(bits, ty, range);
        if literal.imaginary { self.imaginary(value, range) } else { Ok(value.into()) }
    }

    pub fn char_type(&self, kind: CharKind) -> Ty {
        match kind {
            CharKind::Plain | CharKind::Utf8 => Ty::CHAR,
            CharKind::Utf16 => Ty::USHORT,
            CharKind::Utf32 => Ty::UINT,
            CharKind::Wide => self.unit.types.wide_type(),
        }
    }

    /// A string literal: an object of its own, shared by equal literals of the unit, as GCC does.
    fn string(&mut self, bytes: &[u8], kind: CharKind, range: Range) -> Value {
        let elem = self.char_type(kind);
        let len = (bytes.len() / kind.unit()) as u64 + 1;
        let ty = self.unit.types.array(elem, Len::Fixed(len));
        let global = self.string_object(bytes, ty, range);
        let span = self.span(range);
        Value { kind: self.global_place(global, ty.into(), span), ty: ty.into(), range }
    }

    /// `__func__`: an object of its own in each function (C17 6.4.2.2).
    fn function_name(&mut self, range: Range) -> Value {
        let name = self.unit.builder.name.clone();
        let ty = self.unit.types.array(Ty::CHAR, Len::Fixed(name.len() as u64 + 1));
        let global = match self.unit.builder.function_name {
            Some(global) => global,
            None => self.bytes_object(".func", name.as_bytes(), ty, range),
        };
        self.unit.builder.function_name = Some(global);
        let constant = Qualifiers { is_const: true, ..Qualifiers::default() };
        let elem = Qual::new(Ty::CHAR, constant);
        let ty = self.unit.types.array(elem, Len::Fixed(name.len() as u64 + 1));
        let span = self.span(range);
        Value { kind: self.global_place(global, ty.into(), span), ty: ty.into(), range }
    }

    fn unary_expr(&mut self, op: UnaryOp, operand: ExprId, range: Range) -> Elaborated<Value> {
        match op {
            UnaryOp::PreIncrement => self.increment(operand, 1, true, range, true),
            UnaryOp::PreDecrement => self.increment(operand, -1, true, range, true),
            UnaryOp::PostIncrement => self.increment(operand, 1, false, range, true),
            UnaryOp::PostDecrement => self.increment(operand, -1, false, range, true),
            UnaryOp::AddressOf => self.address_of(operand, range),
            UnaryOp::Deref => {
                let pointer = self.expr(operand)?;
                self.dereference(pointer, range)
            }
            UnaryOp::Not => {
                let value = self.expr(operand)?;
                let condition = self.truth(value)?;
                let span = self.span(range);
                let negated = self.not(condition, span);
                Ok(self.truth_value(negated, range).into())
            }
            UnaryOp::Plus => {
                let value = self.expr_value(operand)?;
                if !self.unit.types.is_arithmetic(value.ty) {
                    return self.error(range, "unary `+` needs a number", "");
                }
                Ok(Rvalue { range, ..self.promote(value) }.into())
            }
            UnaryOp::Minus | UnaryOp::BitNot => {
                let op = if op == UnaryOp::Minus { ModelUnary::Neg } else { ModelUnary::BitNot };
                let value = self.expr_value(operand)?;
                Ok(self.unary(op, value, range)?.into())
            }
            UnaryOp::Real | UnaryOp::Imag => self.complex_part(operand, op == UnaryOp::Imag, range),
        }
    }

    fn address_of(&mut self, operand: ExprId, range: Range) -> Elaborated<Value> {
        let value = self.expr(operand)?;
        let span = self.span(range);
        let ty = self.unit.types.pointer(value.ty);
        let lowered = self.lower(ty);
        let expr = match value.kind {
            ValueKind::Function(function) => self.function_pointer(function, value.ty, range)?.expr,
            // `&*p` is p, also where `*p` would be undefined (C17 6.5.3.2p3).
            ValueKind::Place(place) => match self.unit.builder.body.places[place].kind {
                PlaceKind::Deref(pointer) => self.cast_model(pointer, lowered, span),
                _ => {
                    let exact = self.unit.builder.body.places[place].ty;
                    let exact = self.unit.program.types.pointer(exact);
                    let address = self.make(Model::AddressOf(place), exact, span);
                    // An array that its own initialiser will complete: its place changes its type then, this pointer does not.
                    let is_open = matches!(self.unit.types.element(value.ty.ty), Some((_, Len::Incomplete)));
                    if is_open { self.make(Model::Cast(address), lowered, span) } else { self.cast_model(address, lowered, span) }
                }
            },
            ValueKind::BitField(..) => return self.error(range, "a bit-field has no address", "bit-field"),
            _ => return self.error(range, "only objects and functions have an address", "this is a value"),
        };
        Ok(Rvalue { expr, ty, range }.into())
    }

    pub fn dereference(&mut self, pointer: Value, range: Range) -> Elaborated<Value> {
        if let ValueKind::Function(_) = pointer.kind {
            return Ok(Value { range, ..pointer });
        }
        let pointer = self.rvalue(pointer)?;
        let Some(to) = self.unit.types.pointee(pointer.ty) else {
            let name = self.type_name(pointer.ty);
            return self.error(range, "only a pointer can be dereferenced", format!("has type `{name}`"));
        };
        if self.unit.types.is_function(to.ty) {
            // A function designator; calls go through the pointer itself.
            return Ok(Value { kind: ValueKind::Expr(pointer.expr), ty: pointer.ty.into(), range });
        }
        let span = self.span(range);
        let lowered = self.lower(to.ty);
        let place = self.unit.builder.place(PlaceKind::Deref(pointer.expr), lowered, to.q.is_volatile, span);
        Ok(Value { kind: ValueKind::Place(place), ty: to, range })
    }

    fn member_expr(&mut self, base: ExprId, name: Symbol, arrow: bool, range: Range) -> Elaborated<Value> {
        let mut base = self.expr(base)?;
        if arrow {
            base = self.dereference(base, base.range)?;
        }
        self.member(base, name, range)
    }

    /// A member of a record by name, through anonymous members.
    pub fn member(&mut self, base: Value, name: Symbol, range: Range) -> Elaborated<Value> {
        let base = match base.kind {
            ValueKind::Expr(_) if self.unit.types.as_record(base.ty.ty).is_some() => self.spill(base)?,
            _ => base,
        };
        let Some(record) = self.unit.types.as_record(base.ty.ty) else {
            let ty = self.type_name(base.ty.ty);
            let text = self.name(name).to_string();
            return self.error(range, format!("`{text}` is asked of something that has no members"), format!("has type `{ty}`"));
        };
        if self.unit.types.record(record).fields.is_none() {
            return self.incomplete(range, base.ty.ty);
        }
        let Some(path) = self.find_member(record, name) else {
            let (ty, text) = (self.type_name(base.ty.ty), self.name(name).to_string());
            return self.error(range, format!("`{ty}` has no member `{text}`"), "unknown member");
        };
        let mut value = base;
        for index in path {
            value = self.field(value, index, range)?;
        }
        Ok(value)
    }

    /// A member of a record by position.
    pub fn field(&mut self, base: Value, index: usize, range: Range) -> Elaborated<Value> {
        let (ValueKind::Place(place), Some(record)) = (base.kind, self.unit.types.as_record(base.ty.ty)) else {
            return self.error(range, "this has no members", "");
        };
        let Some(field) = self.unit.types.record(record).fields.as_ref().and_then(|fields| fields.get(index)).cloned() else {
            return self.incomplete(range, base.ty.ty);
        };
        if self.unit.types.is_variable(base.ty.ty) {
            return self.variable_member(base, &field, range);
        }
        let ty = field.ty.with(base.ty.q);
        let span = self.span(range);
        let lowered = match field.bits {
            Some((_, width)) => self.bit_field_type(field.ty.ty, width),
            None => self.lower(field.ty.ty),
        };
        let place = self.unit.builder.place(PlaceKind::Field(place, index as u32), lowered, ty.q.is_volatile, span);
        let kind = match field.bits {
            Some((_, width)) => ValueKind::BitField(place, width),
            None => ValueKind::Place(place),
        };
        Ok(Value { kind, ty, range })
    }

    /// Gives a value a place, so that parts of it can be named.
    pub fn spill(&mut self, value: Value) -> Elaborated<Value> {
        let rvalue = self.rvalue(value)?;
        let span = self.span(value.range);
        let lowered = self.lower(rvalue.ty);
        let local = self.unit.builder.local(String::new(), lowered, false, span);
        let dst = self.local_place(local, span);
        self.emit(CommandKind::Assign { dst, src: rvalue.expr }, span);
        Ok(Value { kind: ValueKind::Place(self.local_place(local, span)), ty: rvalue.ty.into(), range: value.range })
    }

    fn index_expr(&mut self, base: ExprId, index: ExprId, range: Range) -> Elaborated<Value> {
        let mut a = self.expr(base)?;
        if self.has_effects(index) {
            a = if self.unit.types.is_array(a.ty.ty) { self.fix_place(a) } else { self.fixed(a)? };
        }
        let b = self.expr(index)?;
        let (array, index) = match self.unit.types.is_integer(a.ty.ty) {
            true => (b, a),
            false => (a, b),
        };
        let index = self.rvalue(index)?;
        let index = self.promote(index);
        if !self.unit.types.is_integer(index.ty) {
            let name = self.type_name(index.ty);
            return self.error(index.range, "a subscript must be an integer", format!("has type `{name}`"));
        }
        if let (ValueKind::Place(place), Some((elem, _))) = (array.kind, self.unit.types.element(array.ty.ty))
            && !self.unit.types.is_variable(array.ty.ty)
        {
            let span = self.span(range);
            let lowered = self.lower(elem.ty);
            let ty = elem.with(array.ty.q);
            let place = self.unit.builder.place(PlaceKind::Index(place, index.expr), lowered, ty.q.is_volatile, span);
            return Ok(Value { kind: ValueKind::Place(place), ty, range });
        }
        if self.unit.types.is_vector(array.ty.ty) {
            return self.vector_element(array, index, range);
        }
        let pointer = self.rvalue(array)?;
        if !self.unit.types.is_pointer(pointer.ty) {
            let name = self.type_name(pointer.ty);
            return self.error(range, "only arrays and pointers have elements", format!("has type `{name}`"));
        }
        let moved = self.pointer_add(pointer, index, false, range)?;
        self.dereference(moved.into(), range)
    }

    fn vector_element(&mut self, vector: Value, index: Rvalue, range: Range) -> Elaborated<Value> {
        let vector = if let ValueKind::Place(_) = vector.kind { vector } else { self.spill(vector)? };
        let (ValueKind::Place(place), CType::Vector { elem, .. }) = (vector.kind, self.unit.types.get(vector.ty.ty).clone()) else {
            return self.unsupported(range, "vector arithmetic is");
        };
        let span = self.span(range);
        let elements = self.vector_elements(place, span);
        let lowered = self.lower(elem);
        let place = self.unit.builder.place(PlaceKind::Index(elements, index.expr), lowered, vector.ty.q.is_volatile, span);
        Ok(Value { kind: ValueKind::Place(place), ty: Qual::new(elem, vector.ty.q), range })
    }

    /// The array inside the structure that a vector is.
    pub fn vector_elements(&mut self, vector: model::PlaceId, span: model::Span) -> model::PlaceId {
        let place = &self.unit.builder.body.places[vector];
        let (ty, volatile) = (place.ty, place.volatile);
        let array = match self.unit.program.types.get(ty) {
            model::Type::Record(record) => self.unit.program.types.record(*record).layout.as_ref().and_then(|layout| layout.fields.first()),
            _ => None,
        };
        let array = array.map_or(ty, |field| field.ty);
        self.unit.builder.place(PlaceKind::Field(vector, 0), array, volatile, span)
    }

    /// A value computed now.
    pub fn fixed(&mut self, value: Value) -> Elaborated<Value> {
        let value = self.rvalue(value)?;
        Ok(self.fix(value).into())
    }

    /// `a op b op c …`: operands in a row are taken in a loop, however many there are.
    fn binary_chain(&mut self, id: ExprId) -> Elaborated<Rvalue> {
        let mut spine = Vec::new();
        let mut left = id;
        while let ExprKind::Binary(op, a, b) = &self.ast.exprs[left].kind {
            spine.push((*op, *b, self.ast.exprs[left].range));
            left = *a;
        }
        let mut value = self.expr_value(left)?;
        for (op, right, range) in spine.into_iter().rev() {
            value = self.binary_step(op, value, right, range)?;
        }
        Ok(value)
    }

    fn binary_step(&mut self, op: BinaryOp, left: Rvalue, right: ExprId, range: Range) -> Elaborated<Rvalue> {
        let left = if self.has_effects(right) { self.fix(left) } else { left };
        let right = self.expr_value(right)?;
        self.binary(op, left, right, range)
    }

    fn comma_chain(&mut self, id: ExprId) -> Elaborated<Value> {
        let mut spine = Vec::new();
        let mut left = id;
        while let ExprKind::Comma(a, b) = &self.ast.exprs[left].kind {
            spine.push(*b);
            left = *a;
        }
        self.discard(left)?;
        let last = spine.first().copied().unwrap_or(left);
        for middle in spine.into_iter().skip(1).rev() {
            self.discard(middle)?;
        }
        let value = self.expr(last)?;
        if matches!(value.kind, ValueKind::Void) { Ok(value) } else { Ok(self.rvalue(value)?.into()) }
    }
}

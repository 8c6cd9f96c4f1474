//! Rules of function bodies.

use super::types::is_object;
use super::{Check, Labels, check_span, check_type, ensure};
use crate::arena::Id;
use crate::expr::{BinaryOp, Expr, ExprId, ExprKind, Place, PlaceId, PlaceKind, UnaryOp};
use crate::graph::{Block, BlockId, Body, Callee, Case, Command, CommandKind, Local, LocalId, Terminator};
use crate::program::{FunctionId, Program};
use crate::span::Span;
use crate::types::{Type, TypeId, Types};

pub(super) fn check_body(program: &Program, labels: &Labels, id: FunctionId, body: &Body) -> Result<(), String> {
    let checker = Checker { program, types: &program.types, labels, id, body };
    checker.declarations()?;
    for (id, place) in body.places.enumerate() {
        checker.header(place.ty, place.span).map_err(|what| format!("place {}: {what}", id.raw()))?;
    }
    for (id, expr) in body.exprs.enumerate() {
        checker.header(expr.ty, expr.span).map_err(|what| format!("expression {}: {what}", id.raw()))?;
    }
    // From here on the types of operands are known to exist.
    let created = checker.creation_order()?;
    for (id, place) in body.places.enumerate() {
        checker.place_rule(place).map_err(|what| format!("place {}: {what}", id.raw()))?;
    }
    for (id, expr) in body.exprs.enumerate() {
        let before = Before { expr: id, created: &created };
        checker.expr(expr, before).map_err(|what| format!("expression {}: {what}", id.raw()))?;
    }
    for (id, block) in body.blocks.enumerate() {
        for (i, command) in block.commands.iter().enumerate() {
            checker.command(command).map_err(|what| format!("block {}, command {i}: {what}", id.raw()))?;
        }
        checker.terminator(block).map_err(|what| format!("block {}, terminator: {what}", id.raw()))?;
    }
    Ok(())
}

struct Checker<'a> {
    program: &'a Program,
    types: &'a Types,
    labels: &'a Labels,
    id: FunctionId,
    body: &'a Body,
}

/// What an expression may refer to.
#[derive(Clone, Copy)]
struct Before<'a> {
    expr: ExprId,
    /// For each place, the first expression that may use it.
    created: &'a [u32],
}

const NO_BLOCK: &str = "there is no such block";
const NO_EXPR: &str = "there is no such expression";
const NO_PLACE: &str = "there is no such place";
const NO_LOCAL: &str = "there is no such local";

impl<'a> Checker<'a> {
    fn declarations(&self) -> Result<(), String> {
        let body = self.body;
        check_span(self.program, body.end)?;
        for local in body.locals.iter() {
            self.local(local).map_err(|what| format!("local `{}`: {what}", local.name))?;
        }
        self.params()?;
        ensure(!body.blocks.is_empty(), "it has no block")?;
        for source in &body.loops {
            check_span(self.program, source.span)?;
            self.block(source.head)?;
        }
        Ok(body.address_taken.iter().try_for_each(|label| self.block(*label))?)
    }

    fn local(&self, local: &Local) -> Check {
        check_type(self.types, local.ty)?;
        check_span(self.program, local.span)?;
        ensure(is_object(self.types, local.ty), "it is void or a function")
    }

    /// The first locals are the parameters of the function's type. A definition without prototype has a type without parameters.
    fn params(&self) -> Check {
        let Type::Function { params, variadic, .. } = self.function_type() else { return Err("its type is not that of a function") };
        let locals = self.body.locals.as_slice().get(..self.body.params as usize).ok_or("it has more parameters than locals")?;
        if *variadic && params.is_empty() {
            return Ok(());
        }
        let same = locals.len() == params.len() && locals.iter().zip(params).all(|(local, ty)| local.ty == *ty);
        ensure(same, "its parameters are not those of its type")
    }

    fn function_type(&self) -> &'a Type {
        self.types.get(self.program.functions[self.id].ty)
    }

    fn header(&self, ty: TypeId, span: Span) -> Check {
        check_type(self.types, ty)?;
        check_span(self.program, span)
    }

    /// There is one order in which all expressions and places were made, in which each refers only to earlier ones. Places refer to
    /// earlier places; this gives for each place the number of expressions that must be there before it, and so before all later places.
    fn creation_order(&self) -> Result<Vec<u32>, String> {
        let mut created = Vec::with_capacity(self.body.places.len());
        let mut floor = 0;
        for (id, place) in self.body.places.enumerate() {
            if place.kind.base().is_some_and(|base| base >= id) {
                return Err(format!("place {}: it refers to a place that does not come before it", id.raw()));
            }
            if let Some(expr) = place.kind.operand() {
                floor = floor.max(expr.raw().saturating_add(1));
                self.body.exprs.get(expr).ok_or_else(|| format!("place {}: {NO_EXPR}", id.raw()))?;
            }
            created.push(floor);
        }
        Ok(created)
    }

    fn place_rule(&self, place: &Place) -> Check {
        match place.kind {
            PlaceKind::Local(local) => {
                let local = self.body.locals.get(local).ok_or(NO_LOCAL)?;
                ensure(place.ty == local.ty, "its type is not that of the local")
            }
            // A linked program may know more of an object than the file that uses it: an array's length, a record's fields.
            PlaceKind::Global(global) => ensure(self.program.globals.get(global).is_some(), "there is no such global"),
            PlaceKind::Deref(pointer) => ensure(self.is_pointer(self.expr_type(pointer)?), "what it dereferences is no pointer"),
            PlaceKind::Field(base, index) => {
                let Type::Record(record) = self.types.get(self.place_type(base)?) else { return Err("a field of what is no record") };
                let layout = self.types.record(*record).layout.as_ref().ok_or("a field of an incomplete record")?;
                let field = layout.fields.get(index as usize).ok_or("there is no such field")?;
                ensure(place.ty == field.ty, "its type is not that of the field")
            }
            PlaceKind::Index(base, index) => {
                let Type::Array { elem, .. } = self.types.get(self.place_type(base)?) else { return Err("an element of what is no array") };
                ensure(place.ty == *elem, "its type is not that of the elements")?;
                ensure(self.is_int(self.expr_type(index)?), "the index is no integer")
            }
        }
    }

    fn expr(&self, expr: &Expr, before: Before) -> Check {
        let ty = expr.ty;
        ensure(is_object(self.types, ty), "it has no value")?;
        let operand = |id: ExprId| {
            ensure(id < before.expr, "it refers to an expression that does not come before it")?;
            self.expr_type(id)
        };
        let place = |id: PlaceId| {
            let first_user = before.created.get(id.index()).ok_or(NO_PLACE)?;
            ensure(*first_user <= before.expr.raw(), "it refers to a place that does not come before it")?;
            self.place_type(id)
        };
        match expr.kind {
            ExprKind::Int(value) => self.int_constant(ty, value),
            ExprKind::Float(value) => {
                ensure(matches!(self.types.get(ty), Type::Float(_)), "a float constant has another type")?;
                ensure(self.types.truncate(ty, value) == value, "the constant is wider than its type")
            }
            ExprKind::Zero => Ok(()),
            ExprKind::Load(id) => ensure(place(id)? == ty, "its type is not that of the place"),
            ExprKind::AddressOf(id) => {
                ensure(self.pointee(ty) == Some(place(id)?), "its type is not a pointer to that of the place")?;
                ensure(!self.is_bit_field(id), "the address of a bit-field")
            }
            ExprKind::Function(function) => {
                ensure(self.program.functions.get(function).is_some(), "there is no such function")?;
                ensure(self.pointee_is(ty, |ty| matches!(ty, Type::Function { .. })), "its type is not a pointer to a function")
            }
            ExprKind::Label(label) => {
                self.block(label)?;
                ensure(self.labels.contains(&(self.id, label)), "the label is not among those whose address is taken")?;
                ensure(self.pointee_is(ty, |ty| *ty == Type::Void), "the address of a label is a pointer to void")
            }
            ExprKind::Unary(op, value) => self.unary(op, ty, operand(value)?),
            ExprKind::Binary(op, left, right) => self.binary(op, ty, operand(left)?, operand(right)?),
            ExprKind::Cast(value) => self.cast(ty, operand(value)?),
            ExprKind::PointerAdd(pointer, index) => {
                ensure(operand(pointer)? == ty && self.is_pointer(ty), "it moves what is no pointer of its type")?;
                ensure(self.is_int(operand(index)?), "the index is no integer")
            }
            ExprKind::PointerDiff(left, right) => {
                let (left, right) = (operand(left)?, operand(right)?);
                ensure(left == right && self.is_pointer(left), "the operands are not pointers of one type")?;
                let distance = Type::Int { bits: self.types.target().pointer_bits(), signed: true };
                ensure(*self.types.get(ty) == distance, "the distance of pointers is a signed integer of pointer width")
            }
            ExprKind::Select(condition, yes, no) => {
                ensure(self.is_bool(operand(condition)?), "the condition is no Bool")?;
                ensure(operand(yes)? == ty && operand(no)? == ty, "the cases have another type")
            }
            ExprKind::Overflows(_, left, right, fits) => {
                check_type(self.types, fits)?;
                let integers = self.is_int(operand(left)?) && self.is_int(operand(right)?) && self.is_int(fits);
                ensure(integers, "only integer operations overflow")?;
                self.truth(ty)
            }
            ExprKind::Query(query, pointer) => {
                ensure(self.is_pointer(operand(pointer)?), "it asks about what is no pointer")?;
                ensure(*self.types.get(ty) == query.ty(self.types.target()), "the answer has another type")
            }
            ExprKind::SameObject(left, right) => {
                ensure(self.is_pointer(operand(left)?) && self.is_pointer(operand(right)?), "it asks about what is no pointer")?;
                self.truth(ty)
            }
            ExprKind::Initialised(id) => {
                ensure(self.types.is_scalar(place(id)?), "it asks about what is no scalar")?;
                self.truth(ty)
            }
            ExprKind::HeapEmpty => self.truth(ty),
        }
    }

    fn truth(&self, ty: TypeId) -> Check {
        ensure(self.is_bool(ty), "its type is not Bool")
    }

    fn int_constant(&self, ty: TypeId, value: u128) -> Check {
        let holds = matches!(self.types.get(ty), Type::Bool | Type::Int { .. } | Type::Pointer(_));
        ensure(holds, "an integer constant has another type")?;
        ensure(self.types.truncate(ty, value) == value, "the constant is wider than its type")
    }

    fn unary(&self, op: UnaryOp, ty: TypeId, value: TypeId) -> Check {
        let (operand_fits, result_fits) = match op {
            UnaryOp::Neg => (self.is_int(value) || self.is_float(value), ty == value),
            UnaryOp::BitNot | UnaryOp::ByteSwap => (self.is_int(value), ty == value),
            UnaryOp::Not => (self.is_bool(value), ty == value),
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros | UnaryOp::PopCount => {
                (self.is_int(value), *self.types.get(ty) == Type::Int { bits: 32, signed: true })
            }
            UnaryOp::FloatAbs => (self.is_float(value), ty == value),
            UnaryOp::SignBit | UnaryOp::IsNan | UnaryOp::IsInfinite => (self.is_float(value), self.is_bool(ty)),
        };
        ensure(operand_fits, "the operand has a wrong type")?;
        ensure(result_fits, "the result has a wrong type")
    }

    fn binary(&self, op: BinaryOp, ty: TypeId, left: TypeId, right: TypeId) -> Check {
        use BinaryOp::*;
        let is_shift = matches!(op, Shl | Shr);
        ensure(left == right || is_shift && self.is_int(right), "the operands have different types")?;
        let operands_fit = match op {
            Add | Sub | Mul | Div => self.is_int(left) || self.is_float(left),
            Rem | Shl | Shr => self.is_int(left),
            And | Or | Xor => self.is_int(left) || self.is_bool(left),
            Eq | Ne | Lt | Le | Gt | Ge => self.types.is_scalar(left),
        };
        ensure(operands_fit, "the operands have a wrong type")?;
        ensure(if op.is_comparison() { self.is_bool(ty) } else { ty == left }, "the result has a wrong type")
    }

    fn cast(&self, ty: TypeId, value: TypeId) -> Check {
        ensure(!self.is_bool(ty), "a cast to Bool")?;
        ensure(self.types.is_scalar(ty) && self.types.is_scalar(value), "a cast of or to what is no scalar")?;
        let mixed = self.is_pointer(ty) && self.is_float(value) || self.is_float(ty) && self.is_pointer(value);
        ensure(!mixed, "a cast between pointer and float")
    }

    fn command(&self, command: &Command) -> Check {
        check_span(self.program, command.span)?;
        match &command.kind {
            CommandKind::Assign { dst, src } => {
                ensure(self.place_type(*dst)? == self.expr_type(*src)?, "the value has another type than the place")
            }
            CommandKind::Call { dst, callee, args } => self.call(*dst, *callee, args),
            CommandKind::Live(local) => self.scoped_local(*local),
            CommandKind::LiveArray(local, size) => {
                self.scoped_local(*local)?;
                ensure(self.is_int(self.expr_type(*size)?), "the size is no integer")
            }
            CommandKind::Dead(local) => self.scoped_local(*local),
            CommandKind::Assume(condition) => self.condition(*condition),
            CommandKind::Assert(condition, check) => {
                check_span(self.program, check.span)?;
                self.condition(*condition)
            }
            CommandKind::Havoc(place) => self.place_type(*place).map(|_| ()),
            CommandKind::VaStart(list) | CommandKind::VaEnd(list) => self.pointer(*list),
            CommandKind::VaArg(place, list) => {
                self.place_type(*place)?;
                self.pointer(*list)
            }
            CommandKind::VaCopy(to, from) => {
                self.pointer(*to)?;
                self.pointer(*from)
            }
            CommandKind::Alloca(place, size) => {
                ensure(self.is_pointer(self.place_type(*place)?), "the address goes to what is no pointer")?;
                ensure(self.is_int(self.expr_type(*size)?), "the size is no integer")
            }
            CommandKind::Unsupported(_) => Ok(()),
        }
    }

    fn call(&self, dst: Option<PlaceId>, callee: Callee, args: &[ExprId]) -> Check {
        let ty = match callee {
            Callee::Direct(function) => self.program.functions.get(function).ok_or("there is no such function")?.ty,
            Callee::Indirect(pointer) => self.pointee(self.expr_type(pointer)?).ok_or("the callee is no pointer")?,
        };
        let Type::Function { ret, params, variadic } = check_type(self.types, ty)? else { return Err("the callee is no function") };
        if let Some(dst) = dst {
            ensure(self.place_type(dst)? == *ret, "the result has another type than its place")?;
        }
        let count_fits = args.len() == params.len() || args.len() > params.len() && *variadic;
        ensure(count_fits, "the number of arguments is wrong")?;
        for (i, arg) in args.iter().enumerate() {
            let ty = self.expr_type(*arg)?;
            ensure(params.get(i).is_none_or(|param| *param == ty), "an argument has another type than its parameter")?;
        }
        Ok(())
    }

    /// Parameters and temporaries have no lifetime of their own.
    fn scoped_local(&self, id: LocalId) -> Check {
        let local = self.body.locals.get(id).ok_or(NO_LOCAL)?;
        ensure(id.raw() >= self.body.params && !local.temporary, "a parameter or temporary has no lifetime of its own")
    }

    fn terminator(&self, block: &Block) -> Check {
        check_span(self.program, block.span)?;
        match &block.terminator {
            Terminator::Goto(to) => self.block(*to),
            Terminator::Branch(condition, yes, no) => {
                self.block(*yes)?;
                self.block(*no)?;
                self.condition(*condition)
            }
            Terminator::Switch { value, cases, default } => {
                self.block(*default)?;
                self.switch(self.expr_type(*value)?, cases)
            }
            Terminator::Computed(target) => self.pointer(*target),
            Terminator::Return(None) | Terminator::Unreachable => Ok(()),
            Terminator::Return(Some(value)) => {
                let Type::Function { ret, .. } = self.function_type() else { return Err("its type is not that of a function") };
                ensure(self.expr_type(*value)? == *ret, "the value has another type than the function returns")
            }
        }
    }

    fn switch(&self, ty: TypeId, cases: &[Case]) -> Check {
        ensure(self.is_int(ty), "a switch on what is no integer")?;
        for case in cases {
            self.block(case.target)?;
            self.int_constant(ty, case.low)?;
            self.int_constant(ty, case.high)?;
        }
        // With the sign bit flipped, the order of signed values is that of their bit patterns.
        let sign = if self.types.is_signed(ty) { 1 << (self.types.bits(ty).unwrap_or(1) - 1) } else { 0 };
        let mut ranges: Vec<(u128, u128)> = cases.iter().map(|case| (case.low ^ sign, case.high ^ sign)).collect();
        ranges.sort_unstable();
        ensure(ranges.iter().all(|(low, high)| low <= high), "a case is an empty range")?;
        ensure(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0), "two cases overlap")
    }

    fn block(&self, id: BlockId) -> Check {
        ensure(self.body.blocks.get(id).is_some(), NO_BLOCK)
    }
    fn expr_type(&self, id: ExprId) -> Check<TypeId> {
        self.body.exprs.get(id).map(|expr| expr.ty).ok_or(NO_EXPR)
    }
    fn place_type(&self, id: PlaceId) -> Check<TypeId> {
        self.body.places.get(id).map(|place| place.ty).ok_or(NO_PLACE)
    }
    fn condition(&self, id: ExprId) -> Check {
        ensure(self.is_bool(self.expr_type(id)?), "the condition is no Bool")
    }
    fn pointer(&self, id: ExprId) -> Check {
        ensure(self.is_pointer(self.expr_type(id)?), "the operand is no pointer")
    }

    fn is_bool(&self, ty: TypeId) -> bool {
        *self.types.get(ty) == Type::Bool
    }
    fn is_int(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Int { .. })
    }
    fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Float(_))
    }
    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Pointer(_))
    }
    fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.types.get(ty) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }
    fn pointee_is(&self, ty: TypeId, holds: impl FnOnce(&Type) -> bool) -> bool {
        self.pointee(ty).is_some_and(|to| holds(self.types.get(to)))
    }
    /// Whether a place, all of whose parts were checked before, is a bit-field.
    fn is_bit_field(&self, id: Id<Place>) -> bool {
        let PlaceKind::Field(base, index) = self.body.places[id].kind else { return false };
        let Type::Record(record) = self.types.get(self.body.places[base].ty) else { return false };
        let layout = self.types.record(*record).layout.as_ref();
        layout.and_then(|layout| layout.fields.get(index as usize)).is_some_and(|field| field.bit.is_some())
    }
}

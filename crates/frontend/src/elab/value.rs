//! What an expression of the source denotes, and how it becomes an expression of the model.

use model::{BinaryOp, CommandKind, ExprId, ExprKind, FunctionId, LocalId, PlaceId, PlaceKind, Span, Type, TypeId};

use super::ctype::{CType, Qual, Ty};
use super::scope::{Entity, Variable};
use super::{Elaborated, Elaborator};
use crate::ast::Range;
use crate::intern::Symbol;

/// What an expression denotes.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    pub kind: ValueKind,
    pub ty: Qual,
    pub range: Range,
}

#[derive(Clone, Copy, Debug)]
pub enum ValueKind {
    /// Nothing: a call of a void function.
    Void,
    /// A value.
    Expr(ExprId),
    /// An object, or a structure that a function returned.
    Place(PlaceId),
    /// A bit-field of the given width.
    BitField(PlaceId, u16),
    /// A function designator.
    Function(FunctionId),
}

/// A value of the model with its C type; arrays and functions have become pointers.
#[derive(Clone, Copy, Debug)]
pub struct Rvalue {
    pub expr: ExprId,
    pub ty: Ty,
    pub range: Range,
}

impl From<Rvalue> for Value {
    fn from(rvalue: Rvalue) -> Self {
        Value { kind: ValueKind::Expr(rvalue.expr), ty: rvalue.ty.into(), range: rvalue.range }
    }
}

impl Elaborator<'_> {
    /// The value of an expression: objects are read, arrays and functions become pointers (C17 6.3.2).
    pub fn rvalue(&mut self, value: Value) -> Elaborated<Rvalue> {
        let span = self.span(value.range);
        let range = value.range;
        match value.kind {
            ValueKind::Expr(expr) => Ok(Rvalue { expr, ty: value.ty.ty, range }),
            ValueKind::Void => self.error(range, "a value is needed here, but this expression has none", "has type `void`"),
            ValueKind::Function(function) => self.function_pointer(function, value.ty, range),
            ValueKind::Place(place) => {
                if let Some((elem, _)) = self.unit.types.element(value.ty.ty) {
                    let ty = self.unit.types.pointer(elem.with(value.ty.q));
                    let expr = self.first_element(place, elem.ty, ty, span);
                    return Ok(Rvalue { expr, ty, range });
                }
                if self.unit.types.get(value.ty.ty) == &CType::Void {
                    return self.error(range, "this expression has type `void` and no value", "");
                }
                let lowered = self.unit.builder.body.places[place].ty;
                if self.unit.types.size(value.ty.ty).is_none() {
                    return self.incomplete(range, value.ty.ty);
                }
                let expr = self.make(ExprKind::Load(place), lowered, span);
                Ok(Rvalue { expr, ty: value.ty.ty, range })
            }
            ValueKind::BitField(place, width) => Ok(self.load_bit_field(place, width, value.ty.ty, range)),
        }
    }

    /// A pointer to the first element of an array. In a variable-length row of rows, that row begins where its first element does.
    fn first_element(&mut self, array: PlaceId, elem: Ty, ty: Ty, span: Span) -> ExprId {
        let lowered = self.lower(ty);
        if self.unit.types.is_variable(elem) {
            let array_ty = self.unit.builder.body.places[array].ty;
            let pointer = self.unit.program.types.pointer(array_ty);
            let address = self.make(ExprKind::AddressOf(array), pointer, span);
            return self.cast_model(address, lowered, span);
        }
        let zero = self.size_constant(0, span);
        let elem = self.lower(elem);
        let volatile = self.unit.builder.body.places[array].volatile;
        let first = self.unit.builder.place(PlaceKind::Index(array, zero), elem, volatile, span);
        self.make(ExprKind::AddressOf(first), lowered, span)
    }

    /// Reads a bit-field and promotes it (C17 6.3.1.1). GCC gives fields wider than `int` a type of exactly their width.
    fn load_bit_field(&mut self, place: PlaceId, width: u16, declared: Ty, range: Range) -> Rvalue {
        let span = self.span(range);
        let narrow = self.unit.builder.body.places[place].ty;
        let expr = self.make(ExprKind::Load(place), narrow, span);
        let ty = self.bit_field_value_type(width, declared);
        let lowered = self.lower(ty);
        let expr = self.cast_model(expr, lowered, span);
        Rvalue { expr, ty, range }
    }

    fn bit_field_value_type(&mut self, width: u16, declared: Ty) -> Ty {
        let (bits, signed) = self.unit.types.int_shape(declared).unwrap_or((32, true));
        match width {
            _ if bits == 1 => Ty::BOOL,
            0..32 => Ty::INT,
            32 => [Ty::UINT, Ty::INT][usize::from(signed)],
            _ if width == bits => declared,
            _ => self.unit.types.intern(CType::Bits { bits: width, signed }),
        }
    }

    /// Writes a value of the object's type into an object or bit-field and gives what was written, as its type has it.
    pub fn store(&mut self, target: Value, value: Rvalue, span: Span) -> Elaborated<()> {
        match target.kind {
            ValueKind::Place(dst) => {
                self.emit(CommandKind::Assign { dst, src: value.expr }, span);
                Ok(())
            }
            ValueKind::BitField(dst, _) => {
                let narrow = self.unit.builder.body.places[dst].ty;
                let src = self.cast_model(value.expr, narrow, span);
                self.emit(CommandKind::Assign { dst, src }, span);
                Ok(())
            }
            _ => self.error(target.range, "this cannot be assigned to", "not an object"),
        }
    }

    pub fn incomplete<T>(&mut self, range: Range, ty: Ty) -> Elaborated<T> {
        if self.unit.types.variable_size(ty).is_some() {
            return self.unsupported(range, "passing a structure with a variable-length member is");
        }
        let name = self.type_name(ty);
        self.error(range, format!("the type `{name}` is incomplete here"), "needs a complete type")
    }

    /// A conversion between scalar types of the model; constants are converted at once.
    pub fn cast_model(&mut self, expr: ExprId, to: TypeId, span: Span) -> ExprId {
        let from = self.unit.builder.body.exprs[expr].ty;
        if from == to {
            return expr;
        }
        if let ExprKind::Int(value) = self.unit.builder.body.exprs[expr].kind
            && let (Some(_), Type::Int { .. } | Type::Pointer(_)) = (self.unit.program.types.bits(from), self.unit.program.types.get(to))
        {
            // Pointers extend like unsigned integers, `Bool` likewise.
            let value = self.unit.program.types.value(from, value) as u128;
            let value = self.unit.program.types.truncate(to, value);
            return self.make(ExprKind::Int(value), to, span);
        }
        if matches!(self.unit.program.types.get(to), Type::Bool) {
            return self.nonzero(expr, span);
        }
        // A truth value is 0 or 1 in every integer type that has room for both.
        if let ExprKind::Cast(inner) = self.unit.builder.body.exprs[expr].kind
            && matches!(self.unit.program.types.get(self.unit.builder.body.exprs[inner].ty), Type::Bool)
            && matches!(self.unit.program.types.get(to), Type::Int { bits: 2.., .. })
        {
            return self.make(ExprKind::Cast(inner), to, span);
        }
        self.make(ExprKind::Cast(expr), to, span)
    }

    /// Whether a scalar of the model is not zero, as a `Bool`.
    pub fn nonzero(&mut self, expr: ExprId, span: Span) -> ExprId {
        let bool_ty = self.unit.program.types.bool();
        let (kind, ty) = {
            let expr = &self.unit.builder.body.exprs[expr];
            (expr.kind.clone(), expr.ty)
        };
        if ty == bool_ty {
            return expr;
        }
        match kind {
            ExprKind::Int(value) => return self.make(ExprKind::Int(u128::from(value != 0)), bool_ty, span),
            // `(int)(a < b) != 0` is `a < b`.
            ExprKind::Cast(inner) if self.unit.builder.body.exprs[inner].ty == bool_ty => return inner,
            // Objects and functions have addresses that are not null, unless they are weak.
            _ => {}
        }
        let zero_kind = if matches!(self.unit.program.types.get(ty), Type::Float(_)) { ExprKind::Float(0) } else { ExprKind::Int(0) };
        let zero = self.make(zero_kind, ty, span);
        self.make(ExprKind::Binary(BinaryOp::Ne, expr, zero), bool_ty, span)
    }

    pub fn not(&mut self, condition: ExprId, span: Span) -> ExprId {
        let ty = self.unit.program.types.bool();
        match self.unit.builder.body.exprs[condition].kind.clone() {
            ExprKind::Int(value) => self.make(ExprKind::Int(value ^ 1), ty, span),
            ExprKind::Unary(model::UnaryOp::Not, inner) => inner,
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b) => {
                let op = if op == BinaryOp::Eq { BinaryOp::Ne } else { BinaryOp::Eq };
                self.make(ExprKind::Binary(op, a, b), ty, span)
            }
            _ => self.make(ExprKind::Unary(model::UnaryOp::Not, condition), ty, span),
        }
    }

    /// An integer constant of a C type.
    pub fn int_constant(&mut self, value: i128, ty: Ty, range: Range) -> Rvalue {
        let span = self.span(range);
        let lowered = self.lower(ty);
        let pattern = self.unit.program.types.truncate(lowered, value as u128);
        Rvalue { expr: self.make(ExprKind::Int(pattern), lowered, span), ty, range }
    }

    /// A `size_t` constant.
    pub fn size_constant(&mut self, value: u64, span: Span) -> ExprId {
        let ty = self.unit.types.size_type();
        let lowered = self.lower(ty);
        self.make(ExprKind::Int(u128::from(value)), lowered, span)
    }

    /// The bit pattern of an expression that is an integer constant already.
    pub fn known_int(&self, expr: ExprId) -> Option<u128> {
        match self.unit.builder.body.exprs[expr].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// From here on, a name means a variable of the current function.
    pub fn bind_local(&mut self, name: Symbol, local: LocalId, ty: Qual, range: Range) {
        let level = self.level();
        self.unit.names.bind(name, Entity::Local(Variable { level, local }, ty), range);
    }

    /// The type of a variable has been completed.
    pub fn rebind_local(&mut self, name: Symbol, local: LocalId, ty: Qual) {
        let level = self.level();
        self.unit.names.rebind(name, Entity::Local(Variable { level, local }, ty));
    }

    pub fn temporary(&mut self, ty: TypeId, span: Span) -> LocalId {
        self.unit.builder.local(String::new(), ty, true, span)
    }

    pub fn local_place(&mut self, local: LocalId, span: Span) -> PlaceId {
        let ty = self.unit.builder.body.locals[local].ty;
        self.unit.builder.place(PlaceKind::Local(local), ty, false, span)
    }

    pub fn load_local(&mut self, local: LocalId, span: Span) -> ExprId {
        let place = self.local_place(local, span);
        let ty = self.unit.builder.body.locals[local].ty;
        self.make(ExprKind::Load(place), ty, span)
    }

    /// Computes a value now, so that later commands cannot change it.
    pub fn fix(&mut self, value: Rvalue) -> Rvalue {
        Rvalue { expr: self.fix_expr(value.expr), ..value }
    }

    pub fn fix_expr(&mut self, expr: ExprId) -> ExprId {
        let (ty, span) = {
            let e = &self.unit.builder.body.exprs[expr];
            match e.kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero | ExprKind::Function(_) | ExprKind::Label(_) => return expr,
                ExprKind::Load(place) => {
                    // A temporary is not written again before it is used.
                    if let PlaceKind::Local(local) = self.unit.builder.body.places[place].kind
                        && self.unit.builder.body.locals[local].temporary
                    {
                        return expr;
                    }
                }
                _ => {}
            }
            (e.ty, e.span)
        };
        let local = self.temporary(ty, span);
        let dst = self.local_place(local, span);
        self.emit(CommandKind::Assign { dst, src: expr }, span);
        self.load_local(local, span)
    }

    /// Computes the pointers and indices on the way to an object now, so that later commands cannot lead it elsewhere.
    pub fn fix_place(&mut self, value: Value) -> Value {
        match value.kind {
            ValueKind::Place(place) => Value { kind: ValueKind::Place(self.fix_path(place)), ..value },
            ValueKind::BitField(place, width) => Value { kind: ValueKind::BitField(self.fix_path(place), width), ..value },
            _ => value,
        }
    }

    fn fix_path(&mut self, place: PlaceId) -> PlaceId {
        // From the object outwards, so that effects keep their order; a path is as long as the source has members and subscripts in a row.
        let mut path = vec![place];
        while let PlaceKind::Field(base, _) | PlaceKind::Index(base, _) = self.unit.builder.body.places[*path.last().unwrap_or(&place)].kind
        {
            path.push(base);
        }
        let mut fixed = place;
        for id in path.into_iter().rev() {
            let mut step = self.unit.builder.body.places[id].clone();
            step.kind = match step.kind {
                PlaceKind::Deref(pointer) => PlaceKind::Deref(self.fix_expr(pointer)),
                PlaceKind::Index(_, index) => PlaceKind::Index(fixed, self.fix_expr(index)),
                PlaceKind::Field(_, field) => PlaceKind::Field(fixed, field),
                root => root,
            };
            fixed = self.unit.builder.body.places.push(step);
        }
        fixed
    }
}

//! Printing of expressions and places.

use std::fmt::Write;

use super::data::write_float;
use super::print_body::BodyPrinter;
use super::words::write_name;
use crate::expr::{BinaryOp, ExprId, ExprKind, OverflowOp, PlaceId, PlaceKind, UnaryOp};
use crate::types::{FloatFormat, Type, TypeId, Types};

/// How strongly operators bind; more binds stronger. Those of C in between are [`binary_strength`]s.
pub(super) mod strength {
    pub(in super::super) const ANY: u8 = 0;
    pub(in super::super) const SELECT: u8 = 1;
    pub(in super::super) const BINARY: u8 = 2;
    pub(in super::super) const UNARY: u8 = 14;
    pub(in super::super) const POSTFIX: u8 = 15;
}

/// How strongly a binary operator binds.
pub(super) fn binary_strength(symbol: &str) -> Option<u8> {
    Some(match symbol {
        "||" => 3,
        "&&" => 4,
        "|" => 5,
        "^" => 6,
        "&" => 7,
        "==" | "!=" => 8,
        "<" | "<=" | ">" | ">=" => 9,
        "<<" | ">>" => 10,
        "+" | "-" => 11,
        "*" | "/" | "%" => 12,
        _ => return None,
    })
}

/// The type of an integer constant that does not say its type, where one of the type `expected` could stand.
pub(super) fn default_int(types: &Types, expected: Option<TypeId>) -> Type {
    match expected.map(|ty| types.get(ty)) {
        Some(Type::Int { bits, signed }) => Type::Int { bits: *bits, signed: *signed },
        _ => Type::Int { bits: 32, signed: true },
    }
}

/// The same for a float constant.
pub(super) fn default_float(types: &Types, expected: Option<TypeId>) -> FloatFormat {
    match expected.map(|ty| types.get(ty)) {
        Some(Type::Float(format)) => *format,
        _ => FloatFormat::F64,
    }
}

/// The name of an operation that is written like a call.
pub(super) fn unary_word(op: UnaryOp) -> Option<&'static str> {
    Some(match op {
        UnaryOp::LeadingZeros => "leading_zeros",
        UnaryOp::TrailingZeros => "trailing_zeros",
        UnaryOp::PopCount => "count_ones",
        UnaryOp::ByteSwap => "swap_bytes",
        UnaryOp::FloatAbs => "float_abs",
        UnaryOp::SignBit => "sign_bit",
        UnaryOp::IsNan => "is_nan",
        UnaryOp::IsInfinite => "is_infinite",
        UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::Not => return None,
    })
}

impl BodyPrinter<'_> {
    /// Writes an expression where one that binds at least as strongly as `min` can stand, and where one of type `expected` is looked for.
    pub(super) fn write_expr(&self, out: &mut String, id: ExprId, min: u8, expected: Option<TypeId>) {
        match self.exprs[id.index()] {
            Some(number) => out.push_str(&format!("$e{number}")),
            None => self.write_expr_parts(out, id, min, expected),
        }
    }

    pub(super) fn write_expr_parts(&self, out: &mut String, id: ExprId, min: u8, expected: Option<TypeId>) {
        let expr = &self.body.exprs[id];
        match expr.kind {
            ExprKind::Int(value) => self.write_int_constant(out, expr.ty, value, expected),
            ExprKind::Float(value) => self.write_float_constant(out, expr.ty, value, expected),
            ExprKind::Zero => {
                out.push_str("zero");
                if expected != Some(expr.ty) {
                    self.write_in_parentheses(out, expr.ty);
                }
            }
            ExprKind::Load(place) => self.write_place(out, place, min),
            ExprKind::AddressOf(place) => parenthesised(out, min > strength::UNARY, |out| {
                out.push('&');
                self.write_place(out, place, strength::UNARY);
            }),
            ExprKind::Function(function) => {
                let other = pointee(self.types(), expr.ty) != Some(self.printer.program.functions[function].ty);
                parenthesised(out, other || min > strength::UNARY, |out| {
                    out.push('&');
                    self.printer.write_function_name(out, function);
                    if other {
                        out.push_str(" as ");
                        self.printer.write_type(out, expr.ty);
                    }
                });
            }
            ExprKind::Label(label) => out.push_str(&format!("&&b{}", label.raw())),
            ExprKind::Unary(op, value) => self.write_unary(out, op, value, min, expected),
            ExprKind::Binary(op, left, right) => {
                let right_type = match op {
                    BinaryOp::Shl | BinaryOp::Shr => None,
                    _ => Some(self.body.exprs[left].ty),
                };
                self.write_binary(out, self.symbol(op, left), (left, right), right_type, min, expected);
            }
            ExprKind::PointerAdd(pointer, index) => self.write_binary(out, "+", (pointer, index), None, min, expected),
            ExprKind::PointerDiff(left, right) => {
                self.write_binary(out, "-", (left, right), Some(self.body.exprs[left].ty), min, expected);
            }
            ExprKind::Cast(value) => parenthesised(out, min > strength::UNARY, |out| {
                self.write_in_parentheses(out, expr.ty);
                self.write_expr(out, value, strength::UNARY, None);
            }),
            ExprKind::Select(condition, yes, no) => parenthesised(out, min > strength::SELECT, |out| {
                self.write_expr(out, condition, strength::BINARY, expected);
                out.push_str(" ? ");
                self.write_expr(out, yes, strength::BINARY, expected);
                out.push_str(" : ");
                self.write_expr(out, no, strength::BINARY, Some(self.body.exprs[yes].ty));
            }),
            ExprKind::Overflows(op, left, right, ty) => {
                out.push_str("overflows(");
                self.printer.write_type(out, ty);
                out.push_str(", ");
                self.write_expr(out, left, strength::UNARY, None);
                out.push_str(match op {
                    OverflowOp::Add => " + ",
                    OverflowOp::Sub => " - ",
                    OverflowOp::Mul => " * ",
                });
                self.write_expr(out, right, strength::UNARY, None);
                out.push(')');
            }
            ExprKind::Query(query, pointer) => self.write_operation(out, query.name(), &[pointer]),
            ExprKind::SameObject(left, right) => self.write_operation(out, "same_object", &[left, right]),
            ExprKind::Initialised(place) => {
                out.push_str("is_initialised(");
                self.write_place(out, place, strength::ANY);
                out.push(')');
            }
            ExprKind::HeapEmpty => out.push_str("heap_is_empty"),
        }
    }

    fn write_in_parentheses(&self, out: &mut String, ty: TypeId) {
        out.push('(');
        self.printer.write_type(out, ty);
        out.push(')');
    }

    fn write_int_constant(&self, out: &mut String, ty: TypeId, value: u128, expected: Option<TypeId>) {
        match self.types().get(ty) {
            Type::Bool => out.push_str(if value == 0 { "false" } else { "true" }),
            Type::Pointer(_) if value == 0 => {
                out.push_str("null");
                if expected != Some(ty) {
                    self.write_in_parentheses(out, ty);
                }
            }
            Type::Pointer(_) => {
                out.push_str("null(");
                self.printer.write_type(out, ty);
                let _ = write!(out, ", {value})");
            }
            int => {
                write_int(out, self.types(), ty, value);
                if *int != default_int(self.types(), expected) {
                    self.printer.write_type(out, ty);
                }
            }
        }
    }

    fn write_float_constant(&self, out: &mut String, ty: TypeId, value: u128, expected: Option<TypeId>) {
        let Type::Float(format) = *self.types().get(ty) else { return };
        let mut number = String::new();
        write_float(&mut number, format, value);
        if number.starts_with("0x") {
            let _ = write!(out, "{}({number})", format.name());
        } else {
            out.push_str(&number);
            if format != default_float(self.types(), expected) {
                out.push_str(format.name());
            }
        }
    }

    fn write_unary(&self, out: &mut String, op: UnaryOp, value: ExprId, min: u8, expected: Option<TypeId>) {
        if let Some(word) = unary_word(op) {
            return self.write_operation(out, word, &[value]);
        }
        parenthesised(out, min > strength::UNARY, |out| {
            out.push(match op {
                UnaryOp::Not => '!',
                UnaryOp::BitNot => '~',
                _ => '-',
            });
            // `-5` is a constant, `-(5)` its negation; `--x` is hard to read.
            let signed = matches!(self.body.exprs[value].kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Unary(UnaryOp::Neg, _));
            let apart = op == UnaryOp::Neg && signed && self.exprs[value.index()].is_none();
            parenthesised(out, apart, |out| self.write_expr(out, value, strength::UNARY, expected));
        });
    }

    /// The operator as it is written: on truth values, those that C uses for them.
    fn symbol(&self, op: BinaryOp, left: ExprId) -> &'static str {
        match (op, self.types().get(self.body.exprs[left].ty)) {
            (BinaryOp::And, Type::Bool) => "&&",
            (BinaryOp::Or, Type::Bool) => "||",
            _ => op.symbol(),
        }
    }

    fn write_binary(
        &self,
        out: &mut String,
        symbol: &'static str,
        (left, right): (ExprId, ExprId),
        right_type: Option<TypeId>,
        min: u8,
        expected: Option<TypeId>,
    ) {
        let own = binary_strength(symbol).unwrap_or(strength::BINARY);
        parenthesised(out, min > own, |out| {
            self.write_expr(out, left, self.needed(left, symbol, own), expected);
            let _ = write!(out, " {symbol} ");
            self.write_expr(out, right, self.needed(right, symbol, own + 1), right_type);
        });
    }

    /// How strongly an operand must bind to go without parentheses. Few people know how strongly C's bit operators bind, so what stands
    /// inside them has parentheses, and so has `&&` in `||`.
    fn needed(&self, operand: ExprId, outer: &str, least: u8) -> u8 {
        let inner = match self.body.exprs[operand].kind {
            ExprKind::Binary(op, left, _) => self.symbol(op, left),
            ExprKind::PointerDiff(..) => "-",
            _ => return least,
        };
        let doubtful = matches!(outer, "|" | "^" | "&" | "<<" | ">>") || (outer, inner) == ("||", "&&");
        if doubtful && inner != outer { strength::UNARY } else { least }
    }

    pub(super) fn write_place(&self, out: &mut String, id: PlaceId, min: u8) {
        match self.places[id.index()] {
            Some(number) => out.push_str(&format!("$p{number}")),
            None => self.write_place_parts(out, id, min),
        }
    }

    pub(super) fn write_place_parts(&self, out: &mut String, id: PlaceId, min: u8) {
        let place = &self.body.places[id];
        if place.volatile == self.inherits_volatile(&place.kind) {
            return self.write_seen_place(out, id, min);
        }
        out.push_str(if place.volatile { "volatile(" } else { "nonvolatile(" });
        self.write_seen_place(out, id, strength::ANY);
        out.push(')');
    }

    /// A part of a volatile place is volatile unless it says otherwise.
    fn inherits_volatile(&self, kind: &PlaceKind) -> bool {
        kind.base().is_some_and(|base| self.body.places[base].volatile)
    }

    /// Whether the place has the type that it has by itself.
    fn has_own_type(&self, id: PlaceId) -> bool {
        let place = &self.body.places[id];
        match place.kind {
            PlaceKind::Global(global) => self.printer.program.globals[global].ty == place.ty,
            PlaceKind::Deref(pointer) => pointee(self.types(), self.body.exprs[pointer].ty) == Some(place.ty),
            PlaceKind::Local(_) | PlaceKind::Field(..) | PlaceKind::Index(..) => true,
        }
    }

    fn write_seen_place(&self, out: &mut String, id: PlaceId, min: u8) {
        if self.has_own_type(id) {
            return self.write_place_kind(out, id, min);
        }
        out.push('(');
        self.write_place_kind(out, id, strength::ANY);
        out.push_str(" as ");
        self.printer.write_type(out, self.body.places[id].ty);
        out.push(')');
    }

    fn write_place_kind(&self, out: &mut String, id: PlaceId, min: u8) {
        match self.body.places[id].kind {
            PlaceKind::Local(local) => self.write_local(out, local),
            PlaceKind::Global(global) => self.printer.write_global_name(out, global),
            PlaceKind::Deref(pointer) => match self.element(pointer) {
                Some((array, index)) => {
                    self.write_expr(out, array, strength::POSTFIX, None);
                    self.write_index(out, index);
                }
                None => parenthesised(out, min > strength::UNARY, |out| {
                    out.push('*');
                    self.write_expr(out, pointer, strength::UNARY, None);
                }),
            },
            PlaceKind::Field(base, index) => {
                match self.arrow(base) {
                    Some(pointer) => {
                        self.write_expr(out, pointer, strength::POSTFIX, None);
                        out.push_str("->");
                    }
                    None => {
                        self.write_place(out, base, strength::POSTFIX);
                        out.push('.');
                    }
                }
                self.write_field_name(out, base, index);
            }
            PlaceKind::Index(base, index) => {
                self.write_place(out, base, strength::POSTFIX);
                self.write_index(out, index);
            }
        }
    }

    fn write_index(&self, out: &mut String, index: ExprId) {
        out.push('[');
        self.write_expr(out, index, strength::ANY, None);
        out.push(']');
    }

    fn write_field_name(&self, out: &mut String, base: PlaceId, index: u32) {
        let Type::Record(record) = self.types().get(self.body.places[base].ty) else { return };
        let Some(layout) = &self.types().record(*record).layout else { return };
        let number = self.printer.types.fields[record.index()][index as usize];
        write_name(out, &layout.fields[index as usize].name, number);
    }

    /// The pointer and index of `p + i` behind `*`, which is written `p[i]`.
    fn element(&self, pointer: ExprId) -> Option<(ExprId, ExprId)> {
        match self.body.exprs[pointer].kind {
            ExprKind::PointerAdd(array, index) if self.exprs[pointer.index()].is_none() => Some((array, index)),
            _ => None,
        }
    }

    /// The pointer `p` of a plain `*p`, a field of which is written `p->field`.
    fn arrow(&self, base: PlaceId) -> Option<ExprId> {
        let place = &self.body.places[base];
        let plain = self.places[base.index()].is_none() && !place.volatile && self.has_own_type(base);
        match place.kind {
            PlaceKind::Deref(pointer) if plain && self.element(pointer).is_none() => Some(pointer),
            _ => None,
        }
    }
}

pub(super) fn pointee(types: &Types, ty: TypeId) -> Option<TypeId> {
    match types.get(ty) {
        Type::Pointer(to) => Some(*to),
        _ => None,
    }
}

/// Writes an integer constant as its mathematical value.
pub(super) fn write_int(out: &mut String, types: &Types, ty: TypeId, pattern: u128) {
    let _ = if types.is_signed(ty) { write!(out, "{}", types.value(ty, pattern)) } else { write!(out, "{pattern}") };
}

fn parenthesised(out: &mut String, needed: bool, write: impl FnOnce(&mut String)) {
    if needed {
        out.push('(');
    }
    write(out);
    if needed {
        out.push(')');
    }
}

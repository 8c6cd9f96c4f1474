//! Constant expressions: the values of model expressions that are known before the program runs.

use model::{Address, BinaryOp as Op, ExprId, ExprKind, FloatFormat, GlobalId, Init, PlaceId, PlaceKind, Type, TypeId, Types, UnaryOp};

use super::ctype::Ty;
use super::float;
use super::value::Rvalue;
use super::{Elaborated, Elaborator};
use crate::ast;

/// A value that is known before the program runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// The bit pattern of a `Bool`, integer or pointer.
    Int(u128),
    /// The bit pattern of a float.
    Float(u128),
    /// The address of something plus an offset in bytes.
    Address(Address, i64),
    /// An aggregate of zeros.
    Zero,
    /// The content of another object, from an offset on.
    Content(GlobalId, u64),
}

/// `op` on two integer patterns; `None` where C leaves the result undefined, unless it may wrap. The second type is that of a shift's distance.
pub fn fold_int(types: &Types, op: Op, (x, ty): (u128, TypeId), (y, distance): (u128, TypeId), wrap: bool) -> Option<u128> {
    let bits = u32::from(types.bits(ty)?);
    let signed = types.is_signed(ty);
    let (a, b) = (types.value(ty, x), types.value(ty, y));
    let compare = |on_signed: bool, on_unsigned: bool| Some(u128::from(if signed { on_signed } else { on_unsigned }));
    let exact = |value: Option<i128>, wrapped: u128| -> Option<u128> {
        let pattern = types.truncate(ty, wrapped);
        // An unsigned result is always defined; a signed one if truncation did not change it.
        let defined = !signed || value.is_some_and(|value| types.value(ty, pattern) == value);
        (defined || wrap).then_some(pattern)
    };
    match op {
        Op::Add => exact(a.checked_add(b), x.wrapping_add(y)),
        Op::Sub => exact(a.checked_sub(b), x.wrapping_sub(y)),
        Op::Mul => exact(a.checked_mul(b), x.wrapping_mul(y)),
        Op::Div | Op::Rem if y == 0 => None,
        Op::Div if signed => exact(a.checked_div(b), a.wrapping_div(b) as u128),
        Op::Rem if signed => {
            a.checked_div(b).filter(|q| wrap || types.value(ty, types.truncate(ty, *q as u128)) == *q)?;
            Some(types.truncate(ty, a.wrapping_rem(b) as u128))
        }
        Op::Div => Some(x / y),
        Op::Rem => Some(x % y),
        Op::Shl | Op::Shr => {
            let distance = u32::try_from(types.value(distance, y)).ok().filter(|distance| *distance < bits)?;
            match op {
                // C leaves shifts of negative numbers undefined, too (C17 6.5.7p4).
                Op::Shl => exact(a.checked_mul(1i128.checked_shl(distance)?).filter(|product| *product >= 0), x << distance),
                _ if signed => Some(types.truncate(ty, (a >> distance) as u128)),
                _ => Some(x >> distance),
            }
        }
        Op::And => Some(x & y),
        Op::Or => Some(x | y),
        Op::Xor => Some(x ^ y),
        Op::Eq => Some(u128::from(x == y)),
        Op::Ne => Some(u128::from(x != y)),
        Op::Lt => compare(a < b, x < y),
        Op::Le => compare(a <= b, x <= y),
        Op::Gt => compare(a > b, x > y),
        Op::Ge => compare(a >= b, x >= y),
    }
}

impl Elaborator<'_> {
    /// An integer constant expression (C17 6.6): its value.
    pub fn integer_constant(&mut self, id: ast::ExprId, what: &str) -> Elaborated<(i128, Ty)> {
        let value = self.constant_rvalue(id)?;
        let lowered = self.lower(value.ty);
        match self.constant(value.expr) {
            Some(Constant::Int(pattern)) if self.unit.types.is_integer(value.ty) => {
                Ok((self.unit.program.types.value(lowered, pattern), value.ty))
            }
            _ => self.error(value.range, format!("{what} must be an integer constant"), "not a constant"),
        }
    }

    /// Elaborates an expression that is not executed.
    pub fn constant_rvalue(&mut self, id: ast::ExprId) -> Elaborated<Rvalue> {
        self.unevaluated(|this| {
            let value = this.expr(id)?;
            this.rvalue(value)
        })
    }

    fn operand(&self, id: ExprId) -> (&ExprKind, TypeId) {
        let expr = &self.unit.builder.body.exprs[id];
        (&expr.kind, expr.ty)
    }

    /// The value of an expression, if it is a constant. Arithmetic that overflows wraps here, as GCC's does.
    pub fn constant(&self, id: ExprId) -> Option<Constant> {
        let types = &self.unit.program.types;
        let (kind, ty) = self.operand(id);
        Some(match *kind {
            ExprKind::Int(pattern) => Constant::Int(pattern),
            ExprKind::Float(pattern) => Constant::Float(pattern),
            ExprKind::Zero => Constant::Zero,
            ExprKind::Function(function) => Constant::Address(Address::Function(function), 0),
            ExprKind::Label(block) => Constant::Address(Address::Label(self.unit.builder.function?, block), 0),
            ExprKind::AddressOf(place) => self.place_address(place)?,
            ExprKind::Load(place) => self.constant_content(place)?,
            ExprKind::Cast(operand) => self.constant_cast(operand, ty)?,
            ExprKind::Unary(op, operand) => self.constant_unary(op, operand, ty)?,
            ExprKind::Binary(op, a, b) => self.constant_binary(op, a, b)?,
            ExprKind::PointerAdd(pointer, index) => {
                let Type::Pointer(to) = types.get(ty) else { return None };
                let stride = types.size_of(*to).unwrap_or(1);
                let index_ty = self.operand(index).1;
                let Constant::Int(index) = self.constant(index)? else { return None };
                let bytes = types.value(index_ty, index).wrapping_mul(i128::from(stride));
                moved(types, ty, self.constant(pointer)?, bytes)?
            }
            ExprKind::PointerDiff(a, b) => {
                let Type::Pointer(to) = types.get(self.operand(a).1) else { return None };
                let stride = i128::from(types.size_of(*to).unwrap_or(1));
                if let (Constant::Address(p @ Address::Label(..), x), Constant::Address(q, y)) = (self.constant(a)?, self.constant(b)?)
                    && p != q
                {
                    return label_difference(p, q, x.wrapping_sub(y));
                }
                let bytes = self.constant_distance(a, b)?;
                Constant::Int(types.truncate(ty, bytes.checked_div(stride)? as u128))
            }
            ExprKind::Select(condition, a, b) => match self.constant(condition)? {
                Constant::Int(0) => self.constant(b)?,
                Constant::Int(_) => self.constant(a)?,
                _ => return None,
            },
            ExprKind::Overflows(..) | ExprKind::Query(..) | ExprKind::SameObject(..) | ExprKind::Initialised(_) | ExprKind::HeapEmpty => {
                return None;
            }
        })
    }

    fn constant_distance(&self, a: ExprId, b: ExprId) -> Option<i128> {
        match (self.constant(a)?, self.constant(b)?) {
            (Constant::Int(x), Constant::Int(y)) => Some((x as i128).wrapping_sub(y as i128)),
            (Constant::Address(p, x), Constant::Address(q, y)) if p == q => Some(i128::from(x) - i128::from(y)),
            _ => None,
        }
    }

    fn constant_cast(&self, operand: ExprId, to: TypeId) -> Option<Constant> {
        let types = &self.unit.program.types;
        let from = self.operand(operand).1;
        let value = self.constant(operand)?;
        Some(match (value, types.get(from), types.get(to)) {
            (Constant::Int(pattern), Type::Int { .. } | Type::Bool | Type::Pointer(_), Type::Int { .. } | Type::Pointer(_)) => {
                Constant::Int(types.truncate(to, types.value(from, pattern) as u128))
            }
            (Constant::Int(pattern), _, Type::Float(format)) => {
                Constant::Float(float::from_int(*format, pattern, types.bits(from)?, types.is_signed(from)))
            }
            (Constant::Float(pattern), Type::Float(from), Type::Float(to)) => Constant::Float(float::convert(*from, *to, pattern)),
            (Constant::Float(pattern), Type::Float(from), Type::Int { bits, signed }) => {
                Constant::Int(float::to_int(*from, pattern, *bits, *signed).unwrap_or_else(|| saturated(*from, pattern, *bits, *signed)))
            }
            // An address survives as long as none of its bits are lost; where GCC takes fewer, the linker would complain.
            (Constant::Address(..), _, Type::Pointer(_)) => value,
            (Constant::Address(..), _, Type::Int { bits, .. }) if *bits >= types.target().pointer_bits() => value,
            (Constant::Address(Address::LabelDifference(..), _), _, Type::Int { .. }) => value,
            _ => return None,
        })
    }

    fn constant_unary(&self, op: UnaryOp, operand: ExprId, ty: TypeId) -> Option<Constant> {
        let types = &self.unit.program.types;
        let from = self.operand(operand).1;
        Some(match (op, self.constant(operand)?) {
            (UnaryOp::Neg, Constant::Int(pattern)) => Constant::Int(types.truncate(ty, pattern.wrapping_neg())),
            (UnaryOp::BitNot, Constant::Int(pattern)) => Constant::Int(types.truncate(ty, !pattern)),
            (UnaryOp::Not, Constant::Int(pattern)) => Constant::Int(pattern ^ 1),
            (UnaryOp::PopCount, Constant::Int(pattern)) => Constant::Int(u128::from(pattern.count_ones())),
            (UnaryOp::TrailingZeros, Constant::Int(pattern)) if pattern != 0 => Constant::Int(u128::from(pattern.trailing_zeros())),
            (UnaryOp::LeadingZeros, Constant::Int(pattern)) if pattern != 0 => {
                Constant::Int(u128::from(pattern.leading_zeros()) + u128::from(types.bits(from)?) - 128)
            }
            (UnaryOp::ByteSwap, Constant::Int(pattern)) => Constant::Int(pattern.swap_bytes() >> (128 - types.bits(from)?)),
            (UnaryOp::Neg, Constant::Float(pattern)) => Constant::Float(pattern ^ (1 << (types.bits(ty)? - 1))),
            (UnaryOp::FloatAbs, Constant::Float(pattern)) => Constant::Float(pattern & !(1 << (types.bits(ty)? - 1))),
            (UnaryOp::SignBit, Constant::Float(pattern)) => Constant::Int(pattern >> (types.bits(from)? - 1) & 1),
            _ => return None,
        })
    }

    fn constant_binary(&self, op: Op, a: ExprId, b: ExprId) -> Option<Constant> {
        let types = &self.unit.program.types;
        let (ty, distance) = (self.operand(a).1, self.operand(b).1);
        match (self.constant(a)?, self.constant(b)?) {
            (Constant::Int(x), Constant::Int(y)) => fold_int(types, op, (x, ty), (y, distance), true).map(Constant::Int),
            (Constant::Float(x), Constant::Float(y)) => {
                let Type::Float(format) = types.get(ty) else { return None };
                float_binary(*format, op, x, y)
            }
            (Constant::Address(..), Constant::Int(0)) if op.is_comparison() => match op {
                Op::Eq => Some(Constant::Int(0)),
                Op::Ne | Op::Gt => Some(Constant::Int(1)),
                _ => None,
            },
            (Constant::Address(p, 0), Constant::Address(q, 0))
                if p != q && matches!(op, Op::Eq | Op::Ne) && is_symbol(p) && is_symbol(q) =>
            {
                Some(Constant::Int(u128::from(op == Op::Ne)))
            }
            (Constant::Address(p, x), Constant::Address(q, y)) => match op {
                Op::Eq if p == q => Some(Constant::Int(u128::from(x == y))),
                Op::Ne if p == q => Some(Constant::Int(u128::from(x != y))),
                Op::Lt if p == q => Some(Constant::Int(u128::from(x < y))),
                Op::Le if p == q => Some(Constant::Int(u128::from(x <= y))),
                Op::Gt if p == q => Some(Constant::Int(u128::from(x > y))),
                Op::Ge if p == q => Some(Constant::Int(u128::from(x >= y))),
                Op::Sub if p == q => Some(Constant::Int(types.truncate(ty, (x as u128).wrapping_sub(y as u128)))),
                Op::Sub => label_difference(p, q, x.wrapping_sub(y)),
                _ => None,
            },
            (address @ Constant::Address(..), Constant::Int(y)) => match op {
                Op::Add => moved(types, ty, address, types.value(ty, y)),
                Op::Sub => moved(types, ty, address, types.value(ty, y).wrapping_neg()),
                _ => None,
            },
            (Constant::Int(x), address @ Constant::Address(..)) if op == Op::Add => moved(types, ty, address, types.value(ty, x)),
            _ => None,
        }
    }

    /// The address of a place, where it is known: an object and an offset, or a number as in the classical `offsetof`.
    fn place_address(&self, place: PlaceId) -> Option<Constant> {
        let types = &self.unit.program.types;
        let place = &self.unit.builder.body.places[place];
        match place.kind {
            PlaceKind::Local(_) => None,
            PlaceKind::Global(global) => Some(Constant::Address(Address::Global(global), 0)),
            PlaceKind::Deref(pointer) => match self.constant(pointer)? {
                known @ (Constant::Int(_) | Constant::Address(..)) => Some(known),
                _ => None,
            },
            PlaceKind::Field(base, field) => {
                let Type::Record(record) = types.get(self.unit.builder.body.places[base].ty) else { return None };
                let field = types.record(*record).layout.as_ref()?.fields.get(field as usize)?;
                moved_address(self.place_address(base)?, i128::from(field.offset))
            }
            PlaceKind::Index(base, index) => {
                let index_ty = self.operand(index).1;
                let Constant::Int(pattern) = self.constant(index)? else { return None };
                let bytes = types.value(index_ty, pattern).checked_mul(i128::from(types.size_of(place.ty)?))?;
                moved_address(self.place_address(base)?, bytes)
            }
        }
    }

    /// What a constant object holds, as GCC folds it in initialisers.
    fn constant_content(&self, place: PlaceId) -> Option<Constant> {
        let ty = self.unit.builder.body.places[place].ty;
        let Constant::Address(Address::Global(global), offset) = self.place_address(place)? else { return None };
        let offset = u64::try_from(offset).ok()?;
        let object = &self.unit.program.globals[global];
        // A compound literal at file scope can be named only once, where it stands: nothing has changed it yet.
        let init = object.init.as_ref().filter(|_| object.constant || object.name.starts_with(".literal"))?;
        let types = &self.unit.program.types;
        match types.get(ty) {
            Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Pointer(_) => {
                if matches!(self.unit.builder.body.places[place].kind, PlaceKind::Field(..)) && self.is_bit_field(place) {
                    return None;
                }
                let pattern = types.truncate(ty, read(init, offset, types.size_of(ty)?)?);
                Some(if matches!(types.get(ty), Type::Float(_)) { Constant::Float(pattern) } else { Constant::Int(pattern) })
            }
            Type::Record(_) | Type::Array { .. } => Some(Constant::Content(global, offset)),
            _ => None,
        }
    }

    fn is_bit_field(&self, place: PlaceId) -> bool {
        let PlaceKind::Field(base, index) = self.unit.builder.body.places[place].kind else { return false };
        let Type::Record(record) = self.unit.program.types.get(self.unit.builder.body.places[base].ty) else { return false };
        let layout = self.unit.program.types.record(*record).layout.as_ref();
        layout.and_then(|layout| layout.fields.get(index as usize)).is_some_and(|field| field.bit.is_some())
    }
}

/// The bytes of an initial content as a little-endian number; `None` if an address stands there.
fn read(init: &Init, offset: u64, size: u64) -> Option<u128> {
    let overlaps = |start: u64, len: u64| start < offset + size && offset < start + len;
    if init.relocations.iter().any(|relocation| overlaps(relocation.offset, u64::from(relocation.bytes))) {
        return None;
    }
    let mut value = 0;
    for chunk in init.chunks.iter().filter(|chunk| overlaps(chunk.offset, chunk.bytes.len() as u64)) {
        for position in 0..size.min(16) {
            let byte = (offset + position).checked_sub(chunk.offset).and_then(|i| chunk.bytes.get(i as usize));
            value |= u128::from(byte.copied().unwrap_or(0)) << (8 * position);
        }
    }
    Some(value)
}

fn moved(types: &Types, ty: TypeId, address: Constant, bytes: i128) -> Option<Constant> {
    match address {
        Constant::Int(pattern) => Some(Constant::Int(types.truncate(ty, pattern.wrapping_add(bytes as u128)))),
        other => moved_address(other, bytes),
    }
}

fn moved_address(address: Constant, bytes: i128) -> Option<Constant> {
    match address {
        Constant::Int(pattern) => Some(Constant::Int(pattern.wrapping_add(bytes as u128))),
        Constant::Address(base, offset) => Some(Constant::Address(base, offset.checked_add(i64::try_from(bytes).ok()?)?)),
        _ => None,
    }
}

/// GCC's value for a floating constant that an integer type does not hold: the nearest one that it does, 0 for NaN.
fn saturated(format: FloatFormat, pattern: u128, bits: u16, signed: bool) -> u128 {
    let all = u128::MAX >> (128 - bits.clamp(1, 128));
    let lowest = if signed { all / 2 + 1 } else { 0 };
    let is = |op| float::compare(format, op, pattern, 0) == Some(true);
    match (is(Op::Lt), is(Op::Gt)) {
        (true, _) => lowest,
        (_, true) => all - lowest,
        _ => 0,
    }
}

fn is_symbol(address: Address) -> bool {
    matches!(address, Address::Global(_) | Address::Function(_))
}

fn label_difference(p: Address, q: Address, offset: i64) -> Option<Constant> {
    match (p, q) {
        (Address::Label(f, a), Address::Label(g, b)) if f == g => Some(Constant::Address(Address::LabelDifference(f, a, b), offset)),
        _ => None,
    }
}

fn float_binary(format: FloatFormat, op: Op, x: u128, y: u128) -> Option<Constant> {
    if op.is_comparison() {
        return Some(Constant::Int(u128::from(float::compare(format, op, x, y)?)));
    }
    float::arithmetic(format, op, x, y).map(Constant::Float)
}

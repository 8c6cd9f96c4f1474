//! Sets of element values.

use encode::{Formula, Linear};
use model::{BinaryOp, ExprId, ExprKind, Type, TypeId};

use super::{Row, Segment};
use crate::view::reader::Reader;

/// An interval of bit patterns; if `low` is above `high`, one that wraps around.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Values {
    pub(crate) low: u128,
    pub(crate) high: u128,
}

impl Values {
    /// All but 0.
    pub(crate) fn nonzero(row: &Row) -> Self {
        Values { low: 1, high: mask(row.bits) }
    }
    /// All values that are not in it; nothing if there are none.
    pub(crate) fn complement(self, bits: u16) -> Option<Self> {
        let all = mask(bits);
        let values = Values { low: self.high.wrapping_add(1) & all, high: self.low.wrapping_sub(1) & all };
        (values.low != self.low).then_some(values)
    }
    /// The values of an integer type for which a comparison with a number holds.
    pub(crate) fn compared(reader: &Reader<'_>, ty: TypeId, op: BinaryOp, number: i128) -> Option<Self> {
        let (least, greatest) = limits(reader, ty)?;
        let bits = reader.program.types.bits(ty)?;
        let (low, high) = match op {
            BinaryOp::Eq => (number, number),
            BinaryOp::Ne => return Values::compared(reader, ty, BinaryOp::Eq, number)?.complement(bits),
            BinaryOp::Lt => (least, number.checked_sub(1)?),
            BinaryOp::Le => (least, number),
            BinaryOp::Gt => (number.checked_add(1)?, greatest),
            BinaryOp::Ge => (number, greatest),
            _ => return None,
        };
        let fits = least <= low && low <= high && high <= greatest && (low, high) != (least, greatest);
        fits.then(|| Values { low: low as u128 & mask(bits), high: high as u128 & mask(bits) })
    }
    /// What an expression of an element's type can be, as far as its form tells.
    pub(crate) fn of(reader: &Reader<'_>, ty: TypeId, expr: ExprId) -> Option<Self> {
        let (low, high) = range(reader, expr)?;
        let (least, greatest) = limits(reader, ty)?;
        let bits = reader.program.types.bits(ty)?;
        let fits = least <= low && low <= high && high <= greatest && (low, high) != (least, greatest);
        fits.then(|| Values { low: low as u128 & mask(bits), high: high as u128 & mask(bits) })
    }
    /// The least interval that holds all of some values.
    pub(crate) fn hull(reader: &Reader<'_>, ty: TypeId, values: &[Values]) -> Option<Self> {
        let number = |pattern: u128| reader.program.types.value(ty, pattern);
        let low = values.iter().map(|values| values.low).min_by_key(|low| number(*low))?;
        let high = values.iter().map(|values| values.high).max_by_key(|high| number(*high))?;
        Some(Values { low, high })
    }
    /// That all elements of a segment are in it.
    pub(crate) fn within(self, segment: &Segment) -> Formula {
        let Segment { elements, first, count } = segment.clone();
        Formula::Range { elements, first, count, low: self.low, high: self.high }
    }
}

fn mask(bits: u16) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

fn limits(reader: &Reader<'_>, ty: TypeId) -> Option<(i128, i128)> {
    match *reader.program.types.get(ty) {
        Type::Bool => Some((0, 1)),
        Type::Int { bits, signed: true } if bits < 127 => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        Type::Int { bits, signed: false } if bits < 127 => Some((0, (1 << bits) - 1)),
        _ => None,
    }
}

/// The least and the greatest number that an expression can be, if its form tells more than its type.
fn range(reader: &Reader<'_>, expr: ExprId) -> Option<(i128, i128)> {
    let mut expr = expr;
    let constant = |id: ExprId| reader.linear(id).filter(|sum| sum.parts.is_empty()).map(|Linear { constant, .. }| constant);
    if let Some(value) = constant(expr) {
        return Some((value, value));
    }
    loop {
        let ty = reader.body.exprs[expr].ty;
        return match reader.body.exprs[expr].kind {
            ExprKind::Cast(inner) => {
                if let Some((least, greatest)) = limits(reader, reader.body.exprs[inner].ty)
                    && let Some((low, high)) = limits(reader, ty)
                    && low <= least
                    && greatest <= high
                    && (low, high) != (least, greatest)
                    && !matches!(reader.body.exprs[inner].kind, ExprKind::Cast(_) | ExprKind::Binary(..))
                {
                    return Some((least, greatest));
                }
                expr = inner;
                continue;
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let most = constant(a).or_else(|| constant(b)).filter(|number| *number >= 0)?;
                Some((0, most))
            }
            ExprKind::Binary(BinaryOp::Rem, _, b) => {
                let most = constant(b)?.checked_abs()?.checked_sub(1)?;
                Some((if reader.program.types.is_signed(ty) { -most } else { 0 }, most))
            }
            _ => None,
        };
    }
}

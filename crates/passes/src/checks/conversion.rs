//! Conversion: a floating-point number that becomes an integer fits its type after its fraction is cut off (CWE-681). Conversions between
//! integers are defined in every implementation that the model follows.

use model::{BinaryOp, CheckKind, ExprId, ExprKind, FloatFormat, Type, float};

use super::site::Site;

pub(super) fn operation(site: &mut Site<'_>, id: ExprId) {
    let ExprKind::Cast(value) = site.body.exprs[id].kind else { return };
    let (Type::Float(format), Some((bits, signed))) = (site.type_of(value).clone(), site.int_type(id)) else { return };
    if let ExprKind::Float(pattern) = site.body.exprs[value].kind
        && float::to_int(format, pattern, bits, signed).is_some()
    {
        return;
    }
    // NaN is on no side of a number.
    let magnitude = if signed { bits.saturating_sub(1) } else { bits };
    let (op, below) = lower_limit(format, magnitude, signed);
    let low = limit(site, value, op, below);
    let high = limit(site, value, BinaryOp::Lt, power(format, magnitude));
    let condition = site.and(low, high);
    site.require(CheckKind::Conversion, condition);
}

fn limit(site: &mut Site<'_>, value: ExprId, op: BinaryOp, pattern: u128) -> ExprId {
    let limit = site.expr(ExprKind::Float(pattern), site.body.exprs[value].ty);
    site.compare(op, value, limit)
}

/// The comparison that the numbers satisfy whose integral part is not below −2^magnitude (or 0, without sign): they are above the integer
/// that comes before. Where the format lacks that integer, it has no number between the two either.
fn lower_limit(format: FloatFormat, magnitude: u16, signed: bool) -> (BinaryOp, u128) {
    let sign = 1 << (format.bits() - 1);
    let before = if signed { (1u128 << magnitude) + 1 } else { 1 };
    let pattern = float::from_int(format, before, 128, false);
    if float::to_int(format, pattern, 128, false) == Some(before) {
        (BinaryOp::Gt, pattern | sign)
    } else if power(format, magnitude) == float::infinity(format) {
        (BinaryOp::Gt, float::infinity(format) | sign)
    } else {
        (BinaryOp::Ge, power(format, magnitude) | sign)
    }
}

/// 2^exponent, or infinity if the format has no such number.
fn power(format: FloatFormat, exponent: u16) -> u128 {
    float::parse(format, &format!("0x1p{exponent}")).unwrap_or_else(|| float::infinity(format))
}

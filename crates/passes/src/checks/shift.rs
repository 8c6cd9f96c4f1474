//! Shift: the distance is below the width of what is shifted (CWE-1335). The zeros at either end of 0 are not counted, which is as undefined.

use model::{BinaryOp, CheckKind, ExprId, ExprKind, UnaryOp};

use super::site::Site;

pub(super) fn operation(site: &mut Site<'_>, id: ExprId) {
    match site.body.exprs[id].kind {
        ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, value, distance) => shift(site, value, distance),
        ExprKind::Unary(UnaryOp::LeadingZeros | UnaryOp::TrailingZeros, value) if site.constant(value).is_none_or(|value| value == 0) => {
            let condition = site.nonzero(value);
            site.require(CheckKind::Shift, condition);
        }
        _ => {}
    }
}

fn shift(site: &mut Site<'_>, value: ExprId, distance: ExprId) {
    let Some((width, _)) = site.int_type(value) else { return };
    if let Some(condition) = is_below(site, distance, width) {
        site.require(CheckKind::Shift, condition);
    }
}

/// Whether the distance is below a limit of up to 128; none if it always is.
pub(super) fn is_below(site: &mut Site<'_>, distance: ExprId, limit: u16) -> Option<ExprId> {
    let (bits, _) = site.int_type(distance)?;
    if site.upper_bound(distance).is_some_and(|bound| bound < u128::from(limit)) {
        return None;
    }
    // A negative distance becomes a large one; eight bits hold every width.
    let distance = site.cast(distance, bits.max(8), false);
    Some(site.compare_to(BinaryOp::Lt, distance, i128::from(limit)))
}

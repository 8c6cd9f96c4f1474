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
    let (Some((width, _)), Some((bits, _))) = (site.int_type(value), site.int_type(distance)) else { return };
    if site.upper_bound(distance).is_some_and(|bound| bound < u128::from(width)) {
        return;
    }
    // A negative distance becomes a large one; eight bits hold every width.
    let distance = site.cast(distance, bits.max(8), false);
    let condition = site.compare_to(BinaryOp::Lt, distance, i128::from(width));
    site.require(CheckKind::Shift, condition);
}

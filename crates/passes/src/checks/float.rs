//! Float: floating-point arithmetic gives numbers, neither infinity nor NaN. Both are defined, but seldom wanted (CWE-1339).

use model::{BinaryOp, CheckKind, ExprId, ExprKind, Type, UnaryOp};

use super::site::Site;

pub(super) fn operation(site: &mut Site<'_>, id: ExprId) {
    let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, ..) = site.body.exprs[id].kind else { return };
    if matches!(site.type_of(id), Type::Float(_)) {
        let nan = site.float_is(UnaryOp::IsNan, id);
        let infinite = site.float_is(UnaryOp::IsInfinite, id);
        let either = site.or(nan, infinite);
        let condition = site.not(either);
        site.require(CheckKind::Float, condition);
    }
}

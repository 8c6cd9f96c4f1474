//! Division: integers are not divided by zero (CWE-369).

use model::{BinaryOp, CheckKind, ExprId, ExprKind, Type};

use super::site::Site;

pub(super) fn operation(site: &mut Site<'_>, id: ExprId) {
    let ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) = site.body.exprs[id].kind else { return };
    if matches!(site.type_of(divisor), Type::Int { .. }) && site.constant(divisor).is_none_or(|divisor| divisor == 0) {
        let condition = site.nonzero(divisor);
        site.require(CheckKind::Division, condition);
    }
}

//! Unsigned overflow: defined in C, but seldom wanted. The results of unsigned sums, differences and products fit their type
//! (CWE-190, downwards CWE-191).

use model::{CheckKind, ExprId, ExprKind};

use super::overflow;
use super::site::Site;

pub(super) fn operation(site: &mut Site<'_>, id: ExprId) {
    if let (ExprKind::Binary(op, left, right), Some((_, false))) = (&site.body.exprs[id].kind, site.int_type(id)) {
        overflow::exact(site, CheckKind::UnsignedOverflow, id, *op, *left, *right);
    }
}

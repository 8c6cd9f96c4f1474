//! Null: nothing is accessed or called through the null pointer or one close to it (CWE-476). An integer made pointer that leads nowhere else
//! is out of bounds.

use model::{BinaryOp, CheckKind, ExprId, Query};

use super::access::Access;
use super::site::Site;

/// Addresses below this are null moved by some bytes: the first page, which no system gives to a program.
const PAGE: i128 = 0x1000;

pub(super) fn access(site: &mut Site<'_>, access: &Access) {
    if !access.indirect {
        return;
    }
    let is_null = site.query(Query::IsNull, access.pointer);
    let some = site.not(is_null);
    let address = super::bounds::start(site, access);
    let far = site.compare_to(BinaryOp::Ge, address, PAGE);
    let condition = site.or(some, far);
    site.require(CheckKind::Null, condition);
}

/// A pointer is called.
pub(super) fn call(site: &mut Site<'_>, callee: ExprId) {
    let condition = site.nonzero(callee);
    site.require(CheckKind::Null, condition);
}

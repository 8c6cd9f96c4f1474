//! Dangling pointers: an object that is accessed exists (CWE-416).

use model::{CheckKind, Query};

use super::access::Access;
use super::site::Site;

pub(super) fn access(site: &mut Site<'_>, access: &Access) {
    if !access.indirect {
        return;
    }
    let none = site.query(Query::IsNull, access.pointer);
    let alive = site.query(Query::Alive, access.pointer);
    let condition = site.or(none, alive);
    site.require(CheckKind::Dangling, condition);
}

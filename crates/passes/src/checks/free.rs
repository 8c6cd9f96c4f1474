//! Free: what is given to `free` and its like is null or the start of a heap object that is alive. Three assertions, because they are three
//! weaknesses: not from the heap (CWE-590), freed twice (CWE-415), not the start (CWE-761).

use model::{BinaryOp, CheckKind, ExprId, Query, Type};

use super::role::Called;
use super::site::Site;

const TWICE: u16 = 415;
const MIDDLE: u16 = 761;

pub(super) fn call(site: &mut Site<'_>, called: Called, args: &[ExprId]) {
    let Some(&pointer) = args.first() else { return };
    if !matches!(site.type_of(pointer), Type::Pointer(_)) || site.pattern(pointer) == Some(0) {
        return;
    }
    let pointer = site.uncast(pointer);
    let null = site.compare_to(BinaryOp::Eq, pointer, 0);
    let heap = site.query(Query::Heap, pointer);
    let alive = site.query(Query::Alive, pointer);
    let offset = site.query(Query::Offset, pointer);
    let start = site.compare_to(BinaryOp::Eq, offset, 0);
    for (cwe, condition) in [(CheckKind::Free.cwe(), heap), (TWICE, alive), (MIDDLE, start)] {
        let condition = site.or(null, condition);
        let condition = called.implies(site, condition);
        site.require_or(CheckKind::Free, cwe, condition);
    }
}

//! Bounds: indices are within their arrays, accesses within their objects, writes not in constants; pointers whose distance is taken
//! belong together; jumps and calls lead to code.
//!
//! Moving a pointer out of its object is not reported, accessing something there is. But offsets are numbers of pointer width, and a pointer that
//! moves by more would come back into its object from the other side, so this is asserted not to happen where one step could do it. Small
//! steps could do it only in numbers that no run takes (2^32 at least).

use model::{BinaryOp, CheckKind, ExprId, ExprKind, OBJECT_BITS, OverflowOp, PlaceId, PlaceKind, Query, Type};

use super::access::{Access, Use};
use super::site::Site;

const READ: u16 = 125;
const WRITE: u16 = 787;
const STACK: u16 = 121;

/// An element of an array: where it is accessed, its index must be below the number of elements, if that is known.
pub(super) fn element(site: &mut Site<'_>, place: PlaceId, usage: Option<Use>) {
    let PlaceKind::Index(array, index) = site.body.places[place].kind else { return };
    let limit = site.body.element_limit(site.types, array);
    match (usage, limit) {
        (Some(usage), Some(limit)) => within(site, array, index, limit, usage),
        _ => {
            let size = site.types.size_of(site.body.places[place].ty).unwrap_or(0);
            if needs_room(site, index, size) {
                let start = site.address(array);
                movable(site, start, index, size);
            }
        }
    }
}

fn within(site: &mut Site<'_>, array: PlaceId, index: ExprId, limit: u64, usage: Use) {
    let Some((bits, _)) = site.int_type(index) else { return };
    let condition = if site.upper_bound(index).is_some_and(|bound| bound < u128::from(limit)) {
        if is_implied(site, index) {
            return;
        }
        // People count on every access that they wrote being listed, this one too.
        site.boolean(true)
    } else {
        // A negative index becomes a number beyond every array.
        let index = site.cast(index, bits.max(site.pointer_bits()), false);
        site.compare_to(BinaryOp::Lt, index, i128::from(limit))
    };
    let cwe = match (usage, &site.body.places[array].kind) {
        (Use::Read, _) => READ,
        (Use::Write, PlaceKind::Local(_)) => STACK,
        (Use::Write, _) => WRITE,
    };
    site.require_or(CheckKind::Bounds, cwe, condition);
}

/// Whether nobody wrote an index: the elements of an initialiser stand where their values stand.
fn is_implied(site: &Site<'_>, index: ExprId) -> bool {
    site.body.exprs[index].span == site.span()
}

/// The offset at which an access begins, as an unsigned number: what lies before its object is beyond its end.
pub(super) fn start(site: &mut Site<'_>, access: &Access) -> ExprId {
    let offset = site.query(Query::Offset, access.pointer);
    let offset = site.cast(offset, site.pointer_bits(), false);
    if access.distance == 0 {
        return offset;
    }
    let distance = site.like(offset, i128::from(access.distance));
    site.arithmetic(BinaryOp::Add, offset, distance)
}

pub(super) fn access(site: &mut Site<'_>, access: &Access) {
    let start = start(site, access);
    let size = site.query(Query::ObjectSize, access.pointer);
    let condition = if access.size == 1 {
        site.compare(BinaryOp::Lt, start, size)
    } else {
        // No object takes half of all addresses, so an offset before the object does not pass for one inside.
        let bytes = site.like(size, i128::from(access.size));
        let large = site.compare(BinaryOp::Ge, size, bytes);
        let last = site.arithmetic(BinaryOp::Sub, size, bytes);
        let inside = site.compare(BinaryOp::Le, start, last);
        site.and(large, inside)
    };
    site.require_or(CheckKind::Bounds, if access.usage == Use::Read { READ } else { WRITE }, condition);
    if access.usage == Use::Write {
        let writable = site.query(Query::Writable, access.pointer);
        site.require_or(CheckKind::Bounds, WRITE, writable);
    }
}

pub(super) fn operation(site: &mut Site<'_>, id: ExprId) {
    match site.body.exprs[id].kind {
        ExprKind::PointerAdd(pointer, index) => {
            let Type::Pointer(to) = *site.type_of(pointer) else { return };
            let size = site.types.size_of(to).unwrap_or(1);
            if needs_room(site, index, size) {
                movable(site, pointer, index, size);
            }
        }
        ExprKind::PointerDiff(left, right) if left != right => {
            let condition = site.same_object(left, right);
            site.require(CheckKind::Bounds, condition);
        }
        _ => {}
    }
}

/// Whether one step by this index could lead around all addresses.
fn needs_room(site: &Site<'_>, index: ExprId, size: u64) -> bool {
    let width = u32::from(site.pointer_bits());
    match site.constant(index) {
        Some(index) => index.unsigned_abs().checked_mul(u128::from(size)).is_none_or(|bytes| bytes >> (width - 2) != 0),
        None => site.int_type(index).is_some_and(|(bits, _)| u32::from(bits) + size.checked_ilog2().unwrap_or(0) + 1 >= width),
    }
}

/// The offset after a move fits its type. Numbers that are no pointers move freely.
fn movable(site: &mut Site<'_>, pointer: ExprId, index: ExprId, size: u64) {
    let width = site.pointer_bits();
    let signed = site.types.int(width, true);
    let none = site.query(Query::IsNull, pointer);
    let offset = site.query(Query::Offset, pointer);
    let lost = if size == 1 {
        site.overflows(OverflowOp::Add, offset, index, signed)
    } else {
        let bytes = site.types.truncate(signed, u128::from(size));
        let size = site.expr(ExprKind::Int(bytes), signed);
        let far = site.overflows(OverflowOp::Mul, index, size, signed);
        let index = site.cast(index, width, true);
        let distance = site.arithmetic(BinaryOp::Mul, index, size);
        let beyond = site.overflows(OverflowOp::Add, offset, distance, signed);
        site.or(far, beyond)
    };
    let kept = site.not(lost);
    let condition = site.or(none, kept);
    site.require(CheckKind::Bounds, condition);
}

/// A called pointer leads to a function.
pub(super) fn call(site: &mut Site<'_>, callee: ExprId) {
    let condition = site.query(Query::Function, callee);
    site.require(CheckKind::Bounds, condition);
}

/// A computed jump leads to one of the labels whose address is taken.
pub(super) fn jump(site: &mut Site<'_>, target: ExprId) {
    let ty = site.body.exprs[target].ty;
    let mut condition = None;
    for block in site.body.address_taken.clone() {
        let mut label = site.label(block);
        if site.body.exprs[label].ty != ty {
            label = site.expr(ExprKind::Cast(label), ty);
        }
        let here = site.compare(BinaryOp::Eq, target, label);
        condition = Some(match condition {
            Some(others) => site.or(others, here),
            None => here,
        });
    }
    let condition = condition.unwrap_or_else(|| site.boolean(false));
    site.require(CheckKind::Bounds, condition);
}

/// A variable-length array has elements, and not more than there can be.
pub(super) fn array(site: &mut Site<'_>, size: ExprId) {
    let Some((bits, _)) = site.int_type(size) else { return };
    if site.constant(size).is_some_and(|size| size > 0) {
        return;
    }
    let size = site.cast(size, bits, false);
    let some = site.nonzero(size);
    let condition = match reach(site, size) {
        Some(small) => site.and(some, small),
        None => some,
    };
    site.require(CheckKind::Bounds, condition);
}

/// What `alloca` is asked for is not more than there can be: nobody is told when the stack has no room, and what is written there lands elsewhere.
pub(super) fn stack(site: &mut Site<'_>, size: ExprId) {
    if let Some(small) = reach(site, size) {
        site.require(CheckKind::Bounds, small);
    }
}

/// That a number of bytes is one that an object can have, unless that is certain.
fn reach(site: &mut Site<'_>, size: ExprId) -> Option<ExprId> {
    let (bits, _) = site.int_type(size)?;
    let largest = (1 << OBJECT_BITS) - 1;
    if u32::from(bits) <= OBJECT_BITS || site.upper_bound(size).is_some_and(|bound| bound <= largest) {
        return None;
    }
    let size = site.cast(size, bits, false);
    Some(site.compare_to(BinaryOp::Le, size, largest as i128))
}

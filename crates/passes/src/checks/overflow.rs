//! Signed overflow: the results of signed arithmetic fit their type (CWE-190, downwards CWE-191).

use model::{BinaryOp, CheckKind, ExprId, ExprKind, OverflowOp, UnaryOp};

use super::shift;
use super::site::Site;

const UNDERFLOW: u16 = 191;

pub(super) fn operation(site: &mut Site<'_>, id: ExprId) {
    let Some((bits, true)) = site.int_type(id) else { return };
    let lowest = i128::MIN >> (128 - u32::from(bits.clamp(1, 128)));
    match site.body.exprs[id].kind {
        ExprKind::Unary(UnaryOp::Neg, value) if site.constant(value).is_none_or(|value| value == lowest) => {
            let condition = site.compare_to(BinaryOp::Ne, value, lowest);
            site.require(CheckKind::SignedOverflow, condition);
        }
        // The exact quotient is too large for one pair only. The remainder of that pair is undefined as well.
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, dividend, divisor) => {
            if site.constant(divisor).is_some_and(|divisor| divisor != -1)
                || site.constant(dividend).is_some_and(|dividend| dividend != lowest)
            {
                return;
            }
            let mut condition = site.compare_to(BinaryOp::Ne, dividend, lowest);
            if site.constant(divisor).is_none() {
                let fits = site.compare_to(BinaryOp::Ne, divisor, -1);
                condition = site.or(condition, fits);
            }
            site.require(CheckKind::SignedOverflow, condition);
        }
        ExprKind::Binary(BinaryOp::Shl, value, distance) if site.left_shifts => left_shift(site, value, distance, bits),
        ExprKind::Binary(BinaryOp::Shl, ..) => {}
        ExprKind::Binary(op, left, right) => exact(site, CheckKind::SignedOverflow, id, op, left, right),
        _ => {}
    }
}

/// What is shifted is not negative, and its product with the power of two fits (C17 6.5.7p4). Only 0 stands a distance beyond the width.
fn left_shift(site: &mut Site<'_>, value: ExprId, distance: ExprId, bits: u16) {
    let largest = i128::MAX >> (128 - u32::from(bits.clamp(1, 128)));
    let shifted = |distance: u128| u32::try_from(distance).ok().and_then(|distance| largest.checked_shr(distance));
    let bound = site.upper_bound(distance).and_then(shifted);
    match (site.constant(value), bound) {
        (Some(0), _) => {}
        (Some(number @ 1..), _) => {
            let room = number.leading_zeros() as u16 + bits - 128;
            if let Some(condition) = shift::is_below(site, distance, room) {
                site.require(CheckKind::SignedOverflow, condition);
            }
        }
        (_, Some(bound)) if site.upper_bound(value).is_some_and(|value| value <= bound as u128) => {}
        _ => {
            let condition = has_room_for(site, value, distance, bits, largest);
            site.require(CheckKind::SignedOverflow, condition);
        }
    }
}

/// Whether a number of a signed type is between 0 and the largest one shifted back.
fn has_room_for(site: &mut Site<'_>, value: ExprId, distance: ExprId, bits: u16, largest: i128) -> ExprId {
    // A negative number becomes a large one.
    let number = site.cast(value, bits, false);
    let known = site.constant(distance).and_then(|distance| u32::try_from(distance).ok());
    if let Some(known) = known {
        return site.compare_to(BinaryOp::Le, number, largest.checked_shr(known).unwrap_or(0));
    }
    let largest = site.like(number, largest);
    let bound = site.arithmetic(BinaryOp::Shr, largest, distance);
    let fits = site.compare(BinaryOp::Le, number, bound);
    // Nobody else looks at the distance.
    match shift::is_below(site, distance, bits) {
        Some(valid) if !site.wants(CheckKind::Shift) => {
            let zero = site.compare_to(BinaryOp::Eq, value, 0);
            let valid = site.or(zero, valid);
            site.and(fits, valid)
        }
        _ => fits,
    }
}

/// The exact sum, difference or product fits the type.
pub(super) fn exact(site: &mut Site<'_>, kind: CheckKind, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) {
    let exact = match op {
        BinaryOp::Add => OverflowOp::Add,
        BinaryOp::Sub => OverflowOp::Sub,
        BinaryOp::Mul => OverflowOp::Mul,
        _ => return,
    };
    if is_neutral(site, op, left, right) || kind == CheckKind::SignedOverflow && has_room(site, id, op, left, right) {
        return;
    }
    let overflows = site.overflows(exact, left, right, site.body.exprs[id].ty);
    let condition = site.not(overflows);
    site.require_or(kind, if op == BinaryOp::Sub { UNDERFLOW } else { kind.cwe() }, condition);
}

/// Whether the operands come from types so narrow that the result fits.
fn has_room(site: &Site<'_>, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> bool {
    let (left, right) = (site.signed_width(left), site.signed_width(right));
    let needed = if op == BinaryOp::Mul { left + right } else { left.max(right) + 1 };
    site.int_type(id).is_some_and(|(bits, _)| needed <= bits)
}

/// Whether one operand cannot change the other, or makes it zero.
fn is_neutral(site: &Site<'_>, op: BinaryOp, left: ExprId, right: ExprId) -> bool {
    let (left, right) = (site.constant(left), site.constant(right));
    match op {
        BinaryOp::Mul => [left, right].into_iter().flatten().any(|factor| (0..2).contains(&factor)),
        BinaryOp::Add => left == Some(0) || right == Some(0),
        _ => right == Some(0),
    }
}

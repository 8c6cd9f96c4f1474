//! Uninitialised: scalars that are read hold values (CWE-457). A function that returns without the value that it promises leaves the
//! caller's variable without one; so the use of a missing result is found here, too.
//!
//! Aggregates are copied whatever they hold. Too few arguments are found where the called function is known.

use model::{CheckKind, ExprId, FunctionId, PlaceId, PlaceKind};

use super::assigned::Assigned;
use super::site::Site;

/// A scalar is read from a place.
pub(super) fn read(site: &mut Site<'_>, place: PlaceId, assigned: &Assigned) {
    let known = matches!(site.body.places[place].kind, PlaceKind::Local(local) if assigned.holds(local));
    if !known && site.types.is_scalar(site.body.places[place].ty) {
        let condition = site.initialised(place);
        site.require(CheckKind::Uninitialised, condition);
    }
}

/// A function is called by name.
pub(super) fn call(site: &mut Site<'_>, function: FunctionId, args: &[ExprId]) {
    if args.len() < site.roles.parameters(function) {
        let never = site.boolean(false);
        site.require(CheckKind::Uninitialised, never);
    }
}

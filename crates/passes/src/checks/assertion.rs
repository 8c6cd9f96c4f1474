//! Assertions of the program: `assert`, `__VERIFIER_assert`, `__CPROVER_assert` hold, `reach_error` and `__VERIFIER_error` are not called
//! (CWE-617); and what library functions written in C assert of their arguments (`__loopfrog_assert`).
//!
//! A call of a function without body that only asserts becomes an assertion; where the function would end the program, the assumption
//! `false` follows. A function that is named `reach_error` marks an error even if it has a body; then the call stays.

use model::{CheckKind, Command, CommandKind, ExprId, ExprKind, PlaceId, PlaceKind, Span};

use super::role::Called;
use super::site::Site;

/// A call that tells whether what it is given holds.
pub(super) fn condition(site: &mut Site<'_>, called: Called, args: &[ExprId]) {
    let Some(&value) = args.first() else { return };
    let holds = site.nonzero(value);
    let holds = called.implies(site, holds);
    site.require(CheckKind::Assertion, holds);
}

/// A call that must not happen.
pub(super) fn error(site: &mut Site<'_>, called: Called) {
    let never = site.boolean(false);
    let never = called.implies(site, never);
    site.require(CheckKind::Assertion, never);
}

/// What follows a call that does not return.
pub(super) fn end(site: &mut Site<'_>, span: Span) {
    let never = site.boolean(false);
    site.commands.push(Command { kind: CommandKind::Assume(never), span });
}

/// An assertion of a library function. Its text begins with the name of a kind; if that is not wanted, there is nothing to do. False if the kind
/// is not known.
pub(super) fn precondition(site: &mut Site<'_>, args: &[ExprId]) -> bool {
    let [value, text] = *args else { return false };
    let Some(kind) = named_kind(site, text) else { return false };
    if site.wants(kind) {
        let holds = site.nonzero(value);
        site.require(kind, holds);
    }
    true
}

fn named_kind(site: &Site<'_>, text: ExprId) -> Option<CheckKind> {
    let bytes = literal(site, text)?;
    let word = bytes.split(|byte| *byte == b':').next()?.trim_ascii();
    CheckKind::ALL.into_iter().find(|kind| kind.name().as_bytes() == word)
}

/// The bytes of the string literal that an expression points to.
fn literal<'a>(site: &Site<'a>, mut expr: ExprId) -> Option<&'a [u8]> {
    while let ExprKind::Cast(value) = site.body.exprs[expr].kind {
        expr = value;
    }
    let ExprKind::AddressOf(place) = site.body.exprs[expr].kind else { return None };
    let PlaceKind::Global(global) = site.body.places[first_of(site, place)?].kind else { return None };
    let global = site.globals.get(global).filter(|global| global.constant)?;
    global.init.as_ref()?.chunks.first().filter(|chunk| chunk.offset == 0).map(|chunk| chunk.bytes.as_slice())
}

/// The variable that a place is the beginning of.
fn first_of(site: &Site<'_>, mut place: PlaceId) -> Option<PlaceId> {
    while let PlaceKind::Index(base, index) = site.body.places[place].kind {
        if site.constant(index) != Some(0) {
            return None;
        }
        place = base;
    }
    Some(place)
}

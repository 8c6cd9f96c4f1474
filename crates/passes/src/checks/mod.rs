//! Property instrumentation: what must not go wrong becomes `Assert` commands.
//!
//! Contract. Given a program that satisfies the model's invariants and holds no instrumentation yet:
//! - the result satisfies them too, and does what the program did: only assertions are added, except that a call of a function without body
//!   whose only purpose is to assert becomes its assertion (module `assertion`);
//! - a run of the program does something undefined of a chosen kind exactly where the first assertion fails in a run of the result. What is
//!   undefined is what the interpreter says; the exceptions are listed below;
//! - asserts stand in the order of evaluation: those of operands before those of the operation that uses them, those of one access in the
//!   order null, dangling, bounds, writable, initialised. So a condition can be evaluated when all assertions before it hold, and the
//!   first one that fails explains what is wrong. The condition of an assert may rely on the asserts before it: with fewer kinds chosen,
//!   a kind may be blamed for what an earlier one would have found (an access through null is also out of bounds);
//! - what a check's span shows is the construct that must be right: the access, the operator, the call;
//! - what holds trivially is not asserted: an access to a whole variable, a constant index, a division by a constant, and the like.
//!
//! Where it differs from the interpreter:
//! - both cases of a `Select` are checked, whichever is chosen: the model has none in which one of them can be undefined;
//! - a pointer may move as long as its offset fits the width of a pointer; the interpreter gives up at 2 GiB (module `bounds`);
//! - of calls through a pointer to a function of another type, and of `va_list`s, only the access is checked, not whether the arguments
//!   are those that the callee takes;
//! - a structure that a function returns and nobody takes is checked like one that somebody takes;
//! - what functions without body do inside is not seen: the library's functions assert their preconditions in bodies of their own;
//! - an object that is declared without its size, and defined elsewhere, has no bytes here; the interpreter ends there without a verdict;
//! - leaks are looked for wherever the program may end (module `leak`), the interpreter looks where it does end, but not where the program gives up.

mod access;
mod assertion;
mod assigned;
mod bounds;
mod conversion;
mod dangling;
mod division;
mod float;
mod free;
mod leak;
mod null;
mod overflow;
mod role;
mod shift;
mod site;
mod uninitialised;
mod unreachable;
mod unsigned_overflow;
mod walk;

#[cfg(test)]
mod tests;

use model::{CheckKind, Program};

use role::Roles;
use site::Site;

/// The kinds that are checked unless somebody chooses: memory safety, division, shift, signed overflow, assertions and places that are
/// said not to be reached.
pub const DEFAULT: [CheckKind; 9] = [
    CheckKind::Assertion,
    CheckKind::Bounds,
    CheckKind::Null,
    CheckKind::Dangling,
    CheckKind::Free,
    CheckKind::SignedOverflow,
    CheckKind::Division,
    CheckKind::Shift,
    CheckKind::Unreachable,
];

/// Adds assertions of these kinds.
pub fn instrument(program: &mut Program, kinds: &[CheckKind]) {
    add(program, kinds, true);
}

/// The same, but a signed left shift that loses bits is none of them: C leaves it undefined, compilers do not.
pub fn instrument_but_left_shifts(program: &mut Program, kinds: &[CheckKind]) {
    add(program, kinds, false);
}

fn add(program: &mut Program, kinds: &[CheckKind], left_shifts: bool) {
    let roles = Roles::of(program);
    for id in program.functions.ids() {
        let Some(mut body) = program.functions[id].body.take() else { continue };
        let Program { types, globals, functions, .. } = program;
        let mut site = Site::new(types, globals, functions, &roles, kinds, &mut body);
        site.left_shifts = left_shifts;
        walk::body(&mut site, id);
        program.functions[id].body = Some(body);
    }
}

//! Leak: when the program ends, every heap object has been freed (CWE-401), what SV-COMP calls `valid-memcleanup`.
//!
//! The program ends when `main` returns, when `exit`, `abort` and the like are called, when it says itself that something is wrong, or, if there are
//! destructors, when the last of them returns. Where assertions are checked too, a run ends with the one that fails, and it is that which is reported.
//! Handlers of `atexit` run after that: where the program registers any, each function that could be one is taken for the last. That may
//! assert too much, never too little: the interpreter, which looks once when everything has run, says what is a leak.

use model::{CheckKind, FunctionId};

use super::role::Called;
use super::site::Site;

/// A call that ends the program.
pub(super) fn call(site: &mut Site<'_>, called: Called) {
    let empty = site.heap_empty();
    let empty = called.implies(site, empty);
    site.require(CheckKind::Leak, empty);
}

/// A return from a function.
pub(super) fn end(site: &mut Site<'_>, function: FunctionId) {
    if site.roles.is_last(function) {
        let empty = site.heap_empty();
        site.require(CheckKind::Leak, empty);
    }
}

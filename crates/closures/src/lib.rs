//! Loop leaping with closures: disjunctive invariants of loops over a finite set of predicates, without fixpoint iteration over the program.
//!
//! From Biallas, Brauer, King and Kowalewski, *Loop Leaping with Closures* (2012). One iteration of a loop maps each predicate to a monotonic formula
//! over the predicates; the relaxation of this map to a closure operator (monotone, extensive, idempotent) describes any number of iterations, for
//! every formula with which the loop may be entered ([`Operator`]). Nothing here has to be right: what a closure says of a loop is offered to the
//! kernel as candidates, and tested like all others.

mod candidates;
mod closure;
mod enumerate;
mod exit;
mod lattice;
mod normal;
mod operator;
mod order;
mod predicates;
mod small;

pub use closure::{Closure, Limits};
pub use exit::exit;
pub use lattice::{Cube, Monotone, Universe};
pub use normal::{clauses, cubes};
pub use operator::Operator;
pub use order::lemmas;
pub use predicates::{Sigma, at_entry, disjunction, groups};

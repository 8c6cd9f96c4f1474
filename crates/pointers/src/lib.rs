//! Where pointers point.
//!
//! [`analyse`] finds, for the whole program at once, what each pointer may point to: an inclusion-based analysis (Andersen 1994) that tells apart the
//! fields of objects, but neither the order of commands nor, except for the callers of functions that allocate, the callers of a function.
//! [`Regions`] divides memory into parts that no access crosses.
//!
//! What is found holds for every run, as long as nothing undefined happened that checks would report first, and as long as
//!
//! - pointer arithmetic stays in its object: `p + i` is an address in the object that `p` points to, however far it goes. An access outside is
//!   reported by the bounds check before it happens. Addresses outside of the object are kept: `a - 1 + 1` is `a`.
//! - an array that is indexed in place is indexed inside of it, as the bounds check demands, unless it is the last member behind a pointer;
//! - a constant made pointer points to no object of the program. Integers that were computed from addresses, in whole or in pieces, do: they
//!   carry along where the addresses point. Not so the difference of two pointers, unless one of them is a constant, nor an integer that depends on
//!   an address only by the way that control took;
//! - functions that have no body and are not known by name see their arguments, the objects with external linkage, and what can be reached from
//!   there; they write what they like to it, hand out whole addresses only, and call only those functions of the program whose address they got;
//! - the environment calls `main`, or, if there is none, any function that other files can see; and constructors and destructors.

mod analyser;
mod analysis;
mod body;
mod calls;
mod fresh;
mod graph;
mod library;
mod object;
mod offsets;
pub mod print;
mod regions;
mod set;
mod solve;
mod writes;

pub use analysis::{Analysis, analyse, analyse_from};
pub use object::{Allocation, AllocationId, Cell, Object, Site, Target};
pub use offsets::{Offsets, Overlap};
pub use regions::{Leaf, Region, RegionId, RegionKind, Regions};
pub use writes::Writes;

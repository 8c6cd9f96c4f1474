//! Runs a model: the referee that tells what a program really does.
//!
//! [`Machine::run_main`] executes a program from its first function to its end and says how it ended. Undefined behaviour of every kind is noticed on
//! the way ([`Policy`]), inputs come from where the caller wants them ([`Inputs`]) and are recorded, budgets end what would go on for ever.

mod call;
mod code;
mod eval;
mod fault;
mod fingerprint;
mod float;
pub mod input;
mod jump;
mod library;
mod machine;
mod memory;
mod object;
mod observe;
mod snapshot;
mod step;

pub use fault::{Budget, Call, End, Fault, Policy, Reaction};
pub use input::{ArgumentLimits, Inputs, Request, Rest, UNINITIALISED_VARIABLE, Used, Values};
pub use jump::Jump;
pub use library::defines;
pub use machine::{Limits, Machine, Output, Setup};
pub use memory::ObjectKind;
pub use object::{READ_BY_LIBRARY, STRAYED};
pub use observe::{Marks, Observer, Pointee, Position, Stopper};
pub use snapshot::{Extent, Relevance, Snapshot, Weight};

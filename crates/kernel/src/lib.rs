//! What every verdict has to pass (design §2): *proved* means that the obligations of an over-approximation are unsatisfiable; *violated*
//! means that the interpreter ran the unmodified program into it; *possible* that there is a leaping counterexample. Everything else is *unknown*,
//! with a reason. Invariants of loops are tested here too ([`Induction`]).

mod behind;
mod completeness;
mod decide;
mod induction;
mod leaping;
mod property;
pub mod ranking;
mod replay;
mod slices;

pub use completeness::unfollowed;
pub use decide::{Decision, Limits, Wanted, decide};
pub use induction::Induction;
pub use leaping::Leapt;
pub use property::{Property, Verdict, properties, reachable};
pub use replay::{Replay, Step, Violation};

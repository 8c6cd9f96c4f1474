//! What every verdict has to pass (design §2): *proved* means that the obligations of an over-approximation are unsatisfiable; *violated*
//! means that the interpreter ran the unmodified program into it. Everything else is *unknown*, with a reason.

mod behind;
mod decide;
mod property;
mod replay;

pub use decide::{Decision, Limits, decide};
pub use property::{Property, Verdict, properties};
pub use replay::{Replay, Step, Violation};

//! Loop summaries and what they are good for: `SUMMARIZE` of *Loop Summarization using State and Transition Invariants* (§3, §4), leaping
//! counterexamples, and the attempts to make them real.

mod check;
mod closing;
pub mod guess;
mod loops;
mod refutation;
mod runs;
mod summaries;

pub use check::{Findings, Plan, Subject, check};
pub use closing::{Closing, Coarse, When};
pub use loops::{Loops, Repeated, Stage, Statistics};
pub use summaries::{Summaries, summaries};

//! Whether programs end.
//!
//! Two sides work on the same program at the same time. *Ranking* proves that no loop and no function goes on for ever: something decreases in every
//! round that cannot decrease for ever (*Loop Summarization using State and Transition Invariants*, §5). *Recurrence* looks for a run
//! that never ends (*Non-Termination Proofs from Templates*). The first verdict that the kernel accepts counts.

pub mod engines;
mod findings;
mod program;
pub mod ranking;
pub mod recurrence;

pub use findings::{Argument, Findings, LoopFinding, LoopVerdict, Verdict};
pub use program::{Plan, terminate};

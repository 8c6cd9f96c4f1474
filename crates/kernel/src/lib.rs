//! What every verdict has to pass (design §2): *proved* means that the obligations of an over-approximation are unsatisfiable; *violated*
//! means that the interpreter ran the unmodified program into it; *possible* that there is a leaping counterexample. Everything else is *unknown*,
//! with a reason. Invariants of loops are tested here too ([`test_candidates`]).

mod aftermath;
mod arrival;
mod behind;
mod closed;
mod completeness;
mod decide;
mod divergence;
mod exact;
#[cfg(test)]
mod example;
mod excerpt;
mod generalise;
mod induction;
mod leaping;
mod links;
mod measure;
pub mod nested;
mod parallel;
mod property;
pub mod ranking;
mod relevance;
mod replay;
mod slices;

pub use aftermath::Aftermath;
pub use arrival::{Choice, EntrySet, Strategy, Variable, Variables};
pub use closed::{Atom, ClosedSet, Comparison, Given, Onward, Sum, facts, given};
pub use completeness::{CONTRADICTION, stays_in_range, unfollowed};
pub use decide::{Decision, Limits, Wanted, decide};
pub use divergence::{Ended, Lasso, Repetition, Runs, UNVALUED};
pub use exact::{OnlyRun, only_run};
pub use excerpt::excerpt;
pub use generalise::generalised;
pub use induction::{Care, Tests, test_candidates};
pub use leaping::Leapt;
pub use links::{Order, accepts_walk};
pub use property::{Property, Verdict, properties, reachable};
pub use relevance::dead_variables;
pub use replay::{Candidate, Replay, Run, Step, Violation};
pub use slices::is_impossible;

//! Loops that make few rounds in every run, whatever the reason: all runs are followed to their end.

use encode::{Faults, Options};
use summarize::Subject;

use crate::program::Plan;

/// Its name among the engines.
pub const NAME: &str = "unwinding";
/// What it does.
pub const ABOUT: &str = "every run makes few rounds, and was followed to its end";

/// How far is followed, and at what cost.
struct Reach {
    bounds: &'static [u32],
    /// How many terms may be made.
    terms: usize,
    /// What a question may cost.
    conflicts: u64,
    /// How much may be propagated to find out which paths are feasible.
    effort: u64,
    /// How many array axioms, and propagations, a question may need.
    patience: (usize, u64),
}

const NEAR: Reach = Reach { bounds: &[3, 7], terms: 60_000, conflicts: 2_000, effort: 2_000_000, patience: (500, 5_000_000) };
const FAR: Reach = Reach { bounds: &[12, 24, 48], terms: 400_000, conflicts: 100_000, effort: 100_000_000, patience: (20_000, u64::MAX) };

/// Whether every run ends soon: cheap enough to be tried before there are invariants.
pub(super) fn ends_soon(subject: &Subject<'_>, plan: &Plan<'_>, size: usize) -> bool {
    ends_within(subject, plan, &NEAR, size)
}

/// Whether every run ends within a bound on the rounds of each loop and on the depth of calls.
pub(super) fn ends(subject: &Subject<'_>, plan: &Plan<'_>, size: usize) -> bool {
    ends_within(subject, plan, &FAR, size)
}

/// The size is that of the program with each loop once, in terms: it does not become smaller.
fn ends_within(subject: &Subject<'_>, plan: &Plan<'_>, reach: &Reach, size: usize) -> bool {
    let means = plan.means;
    let terms = means.terms.min(reach.terms);
    if !plan.uses(NAME) || size >= terms {
        return false;
    }
    for &unwind in reach.bounds {
        if means.budget.exhausted().is_some() {
            return false;
        }
        (means.progress)(&format!("following {unwind} rounds"));
        let options =
            Options { unwind, uninitialised: false, terms, budget: means.budget.clone(), effort: reach.effort, faults: Faults::All };
        let mut encoding = subject.encode(options, None);
        encoding.context.be_hasty(true);
        encoding.context.limit_haste(reach.patience.0, reach.patience.1);
        let budget = means.budget.clone().with_conflicts(reach.conflicts);
        if kernel::unfollowed(&mut encoding, &budget).is_none() {
            return kernel::stays_in_range(&mut encoding, &budget);
        }
        // What is too large already does not become smaller.
        if encoding.terms.len() >= terms {
            return false;
        }
    }
    false
}

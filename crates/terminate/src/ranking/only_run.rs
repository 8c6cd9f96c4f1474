//! Programs that read nothing: the only run is followed to its end.

use kernel::OnlyRun;
use summarize::Subject;

use crate::findings::{Argument, LoopFinding};
use crate::program::Plan;

/// Its name among the engines.
pub const NAME: &str = "run";
/// What it does.
pub const ABOUT: &str = "the program reads nothing, so that it has one run, which was followed to its end";

/// So many steps take less time than the search for invariants.
const FEW: u64 = 2_000_000;
/// If there is no time limit, it should come to an end soon all the same.
const MANY: u64 = 50_000_000;

/// The only run, if there is only one and it ends soon.
pub(super) fn ends_soon(subject: &Subject<'_>, plan: &Plan<'_>) -> Option<OnlyRun> {
    follow(subject, plan, FEW)
}

/// The only run, if there is only one and it ends within the time that there is.
pub(super) fn ends(subject: &Subject<'_>, plan: &Plan<'_>) -> Option<OnlyRun> {
    follow(subject, plan, if plan.means.patient { u64::MAX } else { MANY })
}

fn follow(subject: &Subject<'_>, plan: &Plan<'_>, steps: u64) -> Option<OnlyRun> {
    if !plan.uses(NAME) || plan.means.budget.exhausted().is_some() {
        return None;
    }
    (plan.means.progress)("following the only run");
    kernel::only_run(subject.replay, steps, &plan.means.budget)
}

/// What the run says of a loop. Rounds of library functions and calls inside each other are not counted.
pub(super) fn argument(run: &OnlyRun, finding: &LoopFinding) -> Argument {
    Argument::Run { rounds: run.rounds.get(&finding.span).copied().filter(|_| !finding.recursion) }
}

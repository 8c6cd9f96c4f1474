//! Conditional termination: where no argument covers all rounds, one that covers them under a condition that no round changes.

use encode::{Encoding, Round};
use kernel::Candidate;
use kernel::ranking::{RankingArgument, When};
use logic::{Answer, Term};
use summarize::Subject;

use super::problem::Problem;
use super::{lexicographic, pool};
use crate::program::Plan;

/// More conditions are not tried.
const CONDITIONS: usize = 24;

/// A condition, and the argument that holds under it.
pub(super) struct Conditional {
    pub(super) when: When,
    pub(super) argument: RankingArgument,
    /// The rounds that happen under the condition.
    pub(super) rounds: Vec<Round>,
}

/// Looks for a condition under which the rounds end. It holds in all rounds or in none, so whoever enters the loop with it leaves it.
pub(super) fn find(problem: &mut Problem<'_>) -> Option<Conditional> {
    let all = problem.rounds.clone();
    for when in pool::fixed(&all).into_iter().take(CONDITIONS) {
        if !problem.has_time() {
            return None;
        }
        let conditions: Vec<Term> = all.iter().filter_map(|round| when.holds(problem.terms, round)).collect();
        if conditions.len() < all.len() {
            continue;
        }
        let mut inside = problem.restricted(&conditions);
        // A condition under which nothing happens tells nothing.
        if inside.is_impossible() {
            continue;
        }
        let found = lexicographic::single(&mut inside).or_else(|| lexicographic::several(&mut inside));
        if let Some(argument) = found {
            return Some(Conditional { when, argument, rounds: inside.into_rounds() });
        }
    }
    None
}

/// What a question may cost.
const CONFLICTS: u64 = 20_000;

/// Inputs that lead to a round outside of the condition, for those who look for runs that never end.
pub(super) fn outside(subject: &Subject<'_>, plan: &Plan<'_>, encoding: &mut Encoding, round: &Round, when: When) -> Option<Candidate> {
    let budget = plan.means.budget.clone().with_conflicts(CONFLICTS);
    let condition = when.holds(&mut encoding.terms, round)?;
    let fails = encoding.terms.not(condition);
    let asked = [round.entered, round.head_valid, round.again, fails];
    let found = encoding.context.solve(&mut encoding.terms, &asked, &budget) == Answer::Sat;
    found.then(|| subject.replay.candidate(encoding))
}

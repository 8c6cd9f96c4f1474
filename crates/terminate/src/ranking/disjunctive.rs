//! Disjunctive arguments: between any two visits of the head, one of several measures has decreased. That relation is checked to be closed under
//! further rounds, so that it covers their transitive closure.

use kernel::ranking::{Measure, RankingArgument};
use logic::Answer;

use super::pool;
use super::problem::Problem;

/// More alternatives are not tried.
const ALTERNATIVES: usize = 4;

/// Rounds that no measure covers so far get a measure of their own, as in the TERMINATOR algorithm.
pub(super) fn find(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let in_range = problem.stays_in_range();
    let pool = pool::simple(&problem.rounds, in_range);
    let mut chosen: Vec<Measure> = Vec::new();
    while chosen.len() < ALTERNATIVES && problem.has_time() {
        let Some(uncovered) = uncovered(problem, &chosen)? else {
            let alternatives = (0..chosen.len()).map(|measure| vec![(measure, true)]).collect();
            return Some(RankingArgument::Disjunctive { measures: chosen, alternatives });
        };
        let sample = problem.samples.get(uncovered)?.clone();
        let fits = |measure: &&Measure| sample.decreases(measure);
        // The one that decreases most often.
        let often = |measure: &&Measure| problem.samples.iter().filter(|sample| sample.decreases(measure)).count();
        let place = |measure: &Measure| pool.iter().position(|other| other == measure);
        let best = pool.iter().filter(fits).max_by_key(|measure| (often(measure), std::cmp::Reverse(place(measure))))?;
        chosen.push(best.clone());
    }
    None
}

/// The position of a sample in which none of the measures decreases.
#[allow(clippy::option_option, reason = "not known, none, one")]
fn uncovered(problem: &mut Problem<'_>, chosen: &[Measure]) -> Option<Option<usize>> {
    for round in 0..problem.rounds.len() {
        let mut conditions = Vec::new();
        for measure in chosen {
            let decreases = measure.decreases(problem.terms, &problem.rounds[round])?;
            conditions.push(problem.terms.not(decreases));
        }
        match problem.witness(round, &conditions) {
            Answer::Unsat => {}
            Answer::Sat => {
                let open = |sample: &super::problem::Sample| !chosen.iter().any(|measure| sample.decreases(measure));
                return problem.samples.iter().rposition(open).map(Some);
            }
            Answer::Unknown(_) => return None,
        }
    }
    Some(None)
}

//! The TERMINATOR algorithm (Cook, Podelski and Rybalchenko; *Loop Summarization* §5.2): visits of the head that the relation does not cover are
//! looked for, ranked, and become a further part of it, until it covers all pairs of visits. That it does is shown by induction over rounds.

use kernel::ranking::RankingArgument;
use logic::Term;

use super::problem::Problem;
use super::relation::{Relation, Visits, templates};

/// So often the relation is extended for what several rounds do.
const EXTENSIONS: usize = 6;

pub(super) fn find(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let (pool, single) = (templates(problem), Visits::single(problem));
    let mut relation = Relation::default();
    for _ in 0..EXTENSIONS {
        relation.cover(problem, &single, &pool)?;
        relation.strengthen(problem, &single)?;
        let Some(uncovered) = behind(problem, &relation)? else { return Some(relation.argument()) };
        relation.extend(problem, uncovered, &pool)?;
    }
    None
}

/// Visits that are not covered: a round behind two visits that are.
#[allow(clippy::option_option, reason = "not known, none, one")]
fn behind(problem: &mut Problem<'_>, relation: &Relation) -> Option<Option<super::problem::Sample>> {
    for round in 0..problem.rounds.len() {
        let (mut before, mut after) = (problem.rounds[round].clone(), problem.rounds[round].clone());
        for (before, after) in before.measured.iter_mut().zip(&mut after.measured) {
            let earlier: Term = problem.terms.fresh("earlier visit", problem.terms.sort(before.head));
            before.again = std::mem::replace(&mut before.head, earlier);
            after.head = earlier;
        }
        let covered = relation.contains(problem, &before)?;
        let condition = problem.terms.and(problem.happens(round), covered);
        let visits = Visits::new(problem, condition, after);
        if let Some(sample) = relation.uncovered(problem, &visits)? {
            return Some(Some(sample));
        }
    }
    Some(None)
}

//! Compositional termination analysis (*Loop Summarization* §5.3): a relation that covers one round and is transitive covers all of them. One, two, …
//! rounds are unwound, what is not covered is ranked, and the relation is tested for being transitive.

use encode::Round;
use kernel::ranking::RankingArgument;
use logic::{Op, Term};
use rustc_hash::FxHashMap;

use super::problem::Problem;
use super::relation::{Relation, Visits, templates};

/// More rounds are not unwound.
const ROUNDS: usize = 3;

pub(super) fn find(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let (pool, mut visits) = (templates(problem), Visits::single(problem));
    let mut relation = Relation::default();
    for unwound in 1..=ROUNDS {
        relation.cover(problem, &visits, &pool)?;
        relation.strengthen(problem, &visits)?;
        if is_transitive(problem, &relation)? {
            return Some(relation.argument());
        }
        if unwound < ROUNDS {
            let longer = unwind(problem, &visits);
            visits.extend(longer);
        }
    }
    None
}

/// Whether a visit that is related to one that is related to a third is always related to that: whatever the measured numbers are.
fn is_transitive(problem: &mut Problem<'_>, relation: &Relation) -> Option<bool> {
    let mut ends = [problem.rounds.first()?.clone(), problem.rounds.first()?.clone(), problem.rounds.first()?.clone()];
    for part in 0..ends[0].measured.len() {
        let sort = problem.terms.sort(ends[0].measured[part].head);
        let [first, second, third] = [(); 3].map(|()| problem.terms.fresh("visit", sort));
        for (round, (from, to)) in ends.iter_mut().zip([(first, second), (second, third), (first, third)]) {
            (round.measured[part].head, round.measured[part].again) = (from, to);
        }
    }
    let [before, behind, both] = [&ends[0], &ends[1], &ends[2]].map(|ends| relation.contains(problem, ends));
    let outside = problem.terms.not(both?);
    problem.visits(&[before?, behind?, outside], &[]).ok().map(|found| found.is_none())
}

/// Visits with one more round between them: a round of its own, renamed, that begins with the numbers with which the others end. All else that the
/// rounds have in common is lost, which covers more than there is.
fn unwind(problem: &mut Problem<'_>, visits: &[Visits]) -> Vec<Visits> {
    let mut longer = Vec::new();
    for place in 0..problem.rounds.len() {
        for shorter in visits {
            let (condition, last) = renamed(problem, place);
            let mut conditions = vec![shorter.condition, condition];
            let mut ends = shorter.ends.clone();
            for (end, last) in ends.measured.iter_mut().zip(&last.measured) {
                conditions.push(problem.terms.equal(end.again, last.head));
                end.again = last.again;
            }
            let condition = problem.terms.all(conditions);
            longer.push((condition, ends));
        }
    }
    longer.into_iter().map(|(condition, ends)| Visits::new(problem, condition, ends)).collect()
}

/// A round, and that it happens and that what is known of it holds, with variables of its own.
fn renamed(problem: &mut Problem<'_>, place: usize) -> (Term, Round) {
    let (facts, mut round) = (problem.facts().to_vec(), problem.rounds[place].clone());
    let mut roots: Vec<Term> = round.measured.iter().flat_map(|measured| [measured.head, measured.again]).collect();
    roots.push(problem.happens(place));
    roots.extend(&facts);
    let terms = &mut *problem.terms;
    let mut table = FxHashMap::default();
    for term in terms.cone(&roots) {
        if let Op::Variable(_) = terms.op(term) {
            let sort = terms.sort(term);
            table.insert(term, terms.fresh("earlier round", sort));
        }
    }
    let happens = problem.happens(place);
    let terms = &mut *problem.terms;
    for measured in &mut round.measured {
        measured.head = terms.substitute_with(measured.head, &mut table);
        measured.again = terms.substitute_with(measured.again, &mut table);
    }
    let mut conditions = vec![terms.substitute_with(happens, &mut table)];
    for fact in facts {
        conditions.push(terms.substitute_with(fact, &mut table));
    }
    (terms.all(conditions), round)
}

//! Lexicographic ranking functions, one component after the other.
//!
//! A component must not increase in any round that is left, and must decrease in some; the rounds in which it decreases are done with. Whatever
//! component is taken, an argument that existed before still exists: so the search never has to go back.

use kernel::ranking::{Measure, RankingArgument};
use logic::{Answer, Term};

use super::problem::{Problem, Sample};
use super::{linear, pool, states};

/// More components are not tried.
const COMPONENTS: usize = 8;
/// So often an argument may be wrong about its bounds.
const TRIES: usize = 4;

/// One measure that decreases in every round.
pub(super) fn single(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let pool = pool::simple(&problem.rounds, false);
    search(problem, &pool, 1, |_, _| None)
}

/// Several measures.
pub(super) fn several(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let in_range = problem.stays_in_range();
    let pool = pool::all(&problem.rounds, in_range);
    search(problem, &pool, COMPONENTS, synthesised)
}

/// Several measures, of which some rank the values of a few numbers.
pub(super) fn states(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let in_range = problem.stays_in_range();
    let pool = pool::simple(&problem.rounds, in_range);
    search(problem, &pool, COMPONENTS, states::component)
}

/// Several measures, each for one case.
pub(super) fn cases(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let in_range = problem.stays_in_range();
    let mut pool = pool::simple(&problem.rounds, in_range);
    pool.extend(pool::cases(&problem.rounds, in_range));
    search(problem, &pool, COMPONENTS, |_, _| None)
}

/// What is left to do: for each round, the conditions under which no component has decreased.
pub(super) struct Rest {
    conditions: Vec<Vec<Term>>,
    /// The samples that are left, by position.
    samples: Vec<usize>,
}

/// Makes a component for what is left.
type Maker = fn(&mut Problem<'_>, &mut Rest) -> Option<Measure>;

/// An argument with at most so many components from a pool, or made where the pool has none. Where something is undefined though no component is above its
/// bound, it is none; then it is tried again without these components.
fn search(problem: &mut Problem<'_>, pool: &[Measure], components: usize, make: Maker) -> Option<RankingArgument> {
    let mut pool = pool.to_vec();
    for _ in 0..TRIES {
        let found = search_among(problem, &pool, components, make)?;
        if problem.stays_above(&found) {
            return Some(RankingArgument::Lexicographic(found));
        }
        pool.retain(|measure| measure.bound.is_none() || !found.contains(measure));
    }
    None
}

/// Components of which one decreases in every round, and none of those before it increases.
fn search_among(problem: &mut Problem<'_>, pool: &[Measure], components: usize, make: Maker) -> Option<Vec<Measure>> {
    let mut rest = Rest { conditions: vec![Vec::new(); problem.rounds.len()], samples: (0..problem.samples.len()).collect() };
    let mut found: Vec<Measure> = Vec::new();
    while found.len() < components && problem.has_time() {
        let strict = found.len() + 1 == components;
        let next = match component(problem, &mut rest, pool, strict) {
            Some(measure) => measure,
            None => make(problem, &mut rest)?,
        };
        if !take(problem, &mut rest, &next)? {
            found.push(next);
            return Some(found);
        }
        found.push(next);
    }
    None
}

/// Takes a component; whether any round is left.
fn take(problem: &mut Problem<'_>, rest: &mut Rest, measure: &Measure) -> Option<bool> {
    for round in 0..problem.rounds.len() {
        let (_, stays) = problem.changes(round, measure)?;
        rest.conditions[round].push(stays);
    }
    rest.samples.retain(|&sample| !problem.samples[sample].decreases(measure));
    let mut left = false;
    for round in 0..problem.rounds.len() {
        let known = problem.samples.len();
        match problem.witness(round, &rest.conditions[round].clone()) {
            Answer::Unsat => {}
            Answer::Sat => {
                left = true;
                rest.samples.extend(known..problem.samples.len());
            }
            Answer::Unknown(_) => return None,
        }
    }
    Some(left)
}

/// A measure of the pool that never increases in what is left, and decreases in some of it; in all of it, if it must be the last.
fn component(problem: &mut Problem<'_>, rest: &mut Rest, pool: &[Measure], last: bool) -> Option<Measure> {
    let mut candidates: Vec<&Measure> = pool.iter().collect();
    loop {
        if !problem.has_time() {
            return None;
        }
        candidates.retain(|measure| rest.fits(problem, measure, last));
        // The measure that is done with most samples, and the first of those: there are not many.
        let best =
            candidates.iter().enumerate().max_by_key(|(place, measure)| (rest.decreased(problem, measure), std::cmp::Reverse(*place)))?.0;
        let measure = candidates.remove(best);
        if never_increases(problem, rest, measure)? {
            return Some(measure.clone());
        }
    }
}

/// A sum of multiples that fits, made for the samples.
fn synthesised(problem: &mut Problem<'_>, rest: &mut Rest) -> Option<Measure> {
    for _ in 0..24 {
        if !problem.has_time() {
            return None;
        }
        let in_range = problem.stays_in_range();
        let samples: Vec<_> = rest.samples.iter().map(|&sample| &problem.samples[sample]).collect();
        let known = problem.samples.len();
        let measure = linear::fit(&samples, &problem.rounds, in_range, problem.thorough.then_some(&problem.budget))?;
        if never_increases(problem, rest, &measure)? {
            return Some(measure);
        }
        // Without a further sample, it would be the same again.
        if problem.samples.len() == known {
            return None;
        }
    }
    None
}

/// Whether a measure increases in no round that is left; if it does, there is a further sample. Nothing if that cannot be told.
fn never_increases(problem: &mut Problem<'_>, rest: &mut Rest, measure: &Measure) -> Option<bool> {
    for round in 0..problem.rounds.len() {
        let Some((increases, _)) = problem.changes(round, measure) else { return Some(false) };
        let mut conditions = rest.conditions[round].clone();
        conditions.push(increases);
        let known = problem.samples.len();
        match problem.witness(round, &conditions) {
            Answer::Unsat => {}
            Answer::Sat => {
                rest.samples.extend(known..problem.samples.len());
                return Some(false);
            }
            // Others may be easier.
            Answer::Unknown(_) => return Some(false),
        }
    }
    Some(true)
}

impl Rest {
    /// The conditions under which no component has decreased in a round.
    pub(super) fn conditions(&self, round: usize) -> &[Term] {
        &self.conditions[round]
    }

    /// The samples that are left.
    pub(super) fn samples<'p>(&self, problem: &'p Problem<'_>) -> impl Iterator<Item = &'p Sample> {
        self.samples.iter().map(|&sample| &problem.samples[sample])
    }

    /// Whether no sample speaks against a measure.
    fn fits(&self, problem: &Problem<'_>, measure: &Measure, last: bool) -> bool {
        let mut some = false;
        for sample in self.samples.iter().map(|&sample| &problem.samples[sample]) {
            let decreases = sample.decreases(measure);
            if last && !decreases || sample.measure(measure).is_none_or(|(head, again)| again > head) {
                return false;
            }
            some |= decreases;
        }
        some
    }
    /// In how many samples a measure decreases.
    fn decreased(&self, problem: &Problem<'_>, measure: &Measure) -> usize {
        self.samples.iter().filter(|&&sample| problem.samples[sample].decreases(measure)).count()
    }
}

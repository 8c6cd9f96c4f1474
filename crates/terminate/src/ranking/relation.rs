//! Unions of well-founded relations that grow: whatever they do not cover gets a measure of its own.

use encode::Round;
use kernel::ranking::{Measure, RankingArgument, related};
use logic::Term;

use super::problem::{Problem, Sample};
use super::{linear, pool};

/// More alternatives are not tried.
const ALTERNATIVES: usize = 6;

/// Two visits of the head, of which the second comes later.
pub(super) struct Visits {
    /// When there are two such visits.
    pub(super) condition: Term,
    /// What is measured at the first and at the second.
    pub(super) ends: Round,
    watched: Vec<[Term; 2]>,
}

impl Visits {
    pub(super) fn new(problem: &mut Problem<'_>, condition: Term, ends: Round) -> Self {
        let watched = ends.measured.iter().map(|measured| [problem.watch(measured.head), problem.watch(measured.again)]).collect();
        Visits { condition, ends, watched }
    }

    /// Both ends of each single round.
    pub(super) fn single(problem: &mut Problem<'_>) -> Vec<Self> {
        (0..problem.rounds.len()).map(|round| Visits::new(problem, problem.happens(round), problem.rounds[round].clone())).collect()
    }
}

/// Finitely many relations, each with a measure that decreases and measures that do not increase.
#[derive(Default)]
pub(super) struct Relation {
    measures: Vec<Measure>,
    alternatives: Vec<Vec<(usize, bool)>>,
}

impl Relation {
    /// Extends the relation until it covers these visits. Where something has no measure, or there is no time, there is no such relation.
    pub(super) fn cover(&mut self, problem: &mut Problem<'_>, visits: &[Visits], pool: &[Measure]) -> Option<()> {
        for visits in visits {
            while let Some(uncovered) = self.uncovered(problem, visits)? {
                self.extend(problem, uncovered, pool)?;
            }
        }
        Some(())
    }

    /// Values at visits that are not in the relation.
    #[allow(clippy::option_option, reason = "not known, none, one")]
    pub(super) fn uncovered(&self, problem: &mut Problem<'_>, visits: &Visits) -> Option<Option<Sample>> {
        let inside = self.contains(problem, &visits.ends)?;
        let outside = problem.terms.not(inside);
        problem.visits(&[visits.condition, outside], &visits.watched).ok()
    }

    /// That two visits are in the relation.
    pub(super) fn contains(&self, problem: &mut Problem<'_>, ends: &Round) -> Option<Term> {
        let terms = &mut *problem.terms;
        let ends = self.measures.iter().map(|measure| measure.terms(terms, ends)).collect::<Option<Vec<_>>>()?;
        related(terms, &self.measures, &self.alternatives, &ends)
    }

    /// Takes the measure that decreases there, and at the most of the rounds that were seen.
    pub(super) fn extend(&mut self, problem: &mut Problem<'_>, sample: Sample, pool: &[Measure]) -> Option<()> {
        if self.measures.len() >= ALTERNATIVES || !problem.has_time() {
            return None;
        }
        let in_range = problem.stays_in_range();
        let often = |measure: &Measure| problem.samples.iter().filter(|known| known.decreases(measure)).count();
        let fits = pool.iter().enumerate().filter(|(_, measure)| sample.decreases(measure) && !self.measures.contains(measure));
        let best = fits.max_by_key(|(place, measure)| (often(measure), std::cmp::Reverse(*place))).map(|(_, measure)| measure.clone());
        let measure = best.or_else(|| linear::fit(&[&sample], &problem.rounds, in_range, Some(&problem.budget)))?;
        if self.measures.contains(&measure) {
            return None;
        }
        problem.samples.push(sample);
        self.alternatives.push(vec![(self.measures.len(), true)]);
        self.measures.push(measure);
        Some(())
    }

    /// Adds to each alternative the measures that never increase at visits where it holds.
    pub(super) fn strengthen(&mut self, problem: &mut Problem<'_>, visits: &[Visits]) -> Option<()> {
        for place in 0..self.alternatives.len() {
            let strict = self.measures[place].clone();
            self.alternatives[place] = vec![(place, true)];
            for other in (0..self.measures.len()).filter(|&other| other != place) {
                let mut never = true;
                for visits in visits {
                    let decreases = strict.decreases(problem.terms, &visits.ends)?;
                    let (from, to) = self.measures[other].terms(problem.terms, &visits.ends)?;
                    let increases = problem.terms.slt(from, to);
                    let found = problem.visits(&[visits.condition, decreases, increases], &visits.watched);
                    never &= matches!(found, Ok(None));
                }
                if never {
                    self.alternatives[place].push((other, false));
                }
            }
        }
        Some(())
    }

    pub(super) fn argument(self) -> RankingArgument {
        RankingArgument::Disjunctive { measures: self.measures, alternatives: self.alternatives }
    }
}

/// What single visits may be ranked by.
pub(super) fn templates(problem: &mut Problem<'_>) -> Vec<Measure> {
    let in_range = problem.stays_in_range();
    pool::simple(&problem.rounds, in_range)
}

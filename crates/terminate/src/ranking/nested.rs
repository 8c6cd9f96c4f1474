//! Nested ranking functions: sums of few multiples are tried one after the other, as far as they fit the rounds that were seen; each that does not hold
//! gives another round (as in chapter 3 of *Non-Termination Proofs from Templates*, with the nested template of Leike and Heizmann). Once the
//! sums are chosen, the rounds tell the least constants that there may be. Large coefficients would be of no use: solvers do not see why they fit.

use encode::Round;
use kernel::nested::failures;
use kernel::ranking::{LEAST, Measure, RankingArgument, Shape};
use logic::Answer;

use super::problem::{Problem, Sample};

/// How many functions there may be. One is what others look for.
const DEPTHS: std::ops::RangeInclusive<usize> = 2..=4;
/// More numbers are not combined.
const PARTS: usize = 6;
/// How large coefficients are, of one number and of two.
const ALONE: i64 = 4;
const BESIDE: i64 = 2;
/// Constants are at most so large.
const CONSTANT: i128 = 1 << 20;
/// So many questions may be asked, and so many functions be compared with the rounds that were seen.
const QUESTIONS: usize = 60;
const COMPARISONS: usize = 200_000;

/// A nested ranking function, the shortest first.
pub(super) fn find(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let functions = functions(problem.rounds.first()?, &problem.samples);
    let mut search = Search { problem, functions, questions: 0, comparisons: 0 };
    DEPTHS.into_iter().find_map(|depth| search.extended(&mut Vec::new(), depth)).map(RankingArgument::Nested)
}

/// A sum of multiples of what is measured.
type Function = Vec<(i64, usize)>;

/// What is tried, the simplest first. Conditions of the loop are sums already; of single numbers, those that the rounds change come first.
fn functions(round: &Round, samples: &[Sample]) -> Vec<Function> {
    let is_single = |part: &usize| round.measured.get(*part).is_some_and(|measured| measured.sum.parts.len() == 1);
    let moves = |part: &usize| samples.iter().any(|sample| sample.values.get(*part).is_some_and(|(head, again)| head != again));
    let (single, sums): (Vec<usize>, Vec<usize>) = (0..round.measured.len()).partition(is_single);
    let (moving, fixed): (Vec<usize>, Vec<usize>) = single.into_iter().partition(moves);
    let single: Vec<usize> = moving.into_iter().chain(fixed).take(PARTS).collect();
    let factors = |most: i64| (1..=most).flat_map(|factor| [factor, -factor]);
    let mut found: Vec<Function> = Vec::new();
    for &part in single.iter().chain(sums.iter().take(PARTS)) {
        found.extend([1, -1].map(|factor| vec![(factor, part)]));
    }
    for &part in &single {
        found.extend(factors(ALONE).filter(|factor| factor.abs() > 1).map(|factor| vec![(factor, part)]));
    }
    for (place, &one) in single.iter().enumerate() {
        for &other in &single[place + 1..] {
            found.extend(factors(BESIDE).flat_map(|first| factors(BESIDE).map(move |second| vec![(first, one), (second, other)])));
        }
    }
    found
}

struct Search<'p, 't> {
    problem: &'p mut Problem<'t>,
    functions: Vec<Function>,
    questions: usize,
    comparisons: usize,
}

impl Search<'_, '_> {
    /// Completes a choice of functions to so many; the depth is small.
    fn extended(&mut self, chosen: &mut Vec<usize>, depth: usize) -> Option<Vec<Measure>> {
        if chosen.len() == depth {
            return self.tested(chosen);
        }
        for function in 0..self.functions.len() {
            if self.questions > QUESTIONS || self.comparisons > COMPARISONS || !self.problem.has_time() {
                return None;
            }
            if chosen.contains(&function) {
                continue;
            }
            chosen.push(function);
            if self.fitted(chosen, chosen.len() == depth).is_some()
                && let Some(found) = self.extended(chosen, depth)
            {
                return Some(found);
            }
            chosen.pop();
        }
        None
    }

    /// A choice as measures, if they are a nested ranking function with some constants.
    fn tested(&mut self, chosen: &[usize]) -> Option<Vec<Measure>> {
        while let Some(measures) = self.fitted(chosen, true) {
            self.questions += 1;
            let known = self.problem.samples.len();
            let last = measures.last().map_or(&[][..], std::slice::from_ref);
            if self.holds(&measures)? {
                return self.problem.stays_above(last).then_some(measures);
            }
            if self.questions > QUESTIONS || self.problem.samples.len() == known {
                return None;
            }
        }
        None
    }

    /// Whether measures are a nested ranking function; if they are not, there is a further sample. Nothing if that cannot be told.
    fn holds(&mut self, measures: &[Measure]) -> Option<bool> {
        for round in 0..self.problem.rounds.len() {
            for failure in failures(self.problem.terms, &self.problem.rounds[round], measures)? {
                match self.problem.witness(round, &failure) {
                    Answer::Unsat => {}
                    Answer::Sat => return Some(false),
                    Answer::Unknown(_) => return None,
                }
            }
        }
        Some(true)
    }

    /// Functions as measures with the least constants that the rounds allow, or nothing if they do not fit the rounds.
    fn fitted(&mut self, chosen: &[usize], complete: bool) -> Option<Vec<Measure>> {
        self.comparisons += 1;
        let functions: Vec<&Function> = chosen.iter().filter_map(|function| self.functions.get(*function)).collect();
        // How far each function is above 0, so that the next one decreases.
        let mut constants = vec![-CONSTANT; functions.len()];
        for sample in &self.problem.samples {
            let mut before = 0;
            for (place, function) in functions.iter().enumerate() {
                let (head, again) = values(sample, function)?;
                let lacking = 1 - head.checked_sub(again)?.checked_add(before)?;
                match place.checked_sub(1).and_then(|before| constants.get_mut(before)) {
                    Some(constant) => *constant = (*constant).max(lacking),
                    None if lacking > 0 => return None,
                    None => {}
                }
                before = head;
            }
            if complete && before < LEAST {
                return None;
            }
        }
        if constants.iter().any(|constant| *constant > CONSTANT) {
            return None;
        }
        let bounds = constants.iter().take(functions.len().saturating_sub(1)).map(|constant| -constant).chain([LEAST]);
        let measure = |(function, bound): (&&Function, i128)| Measure {
            parts: (*function).clone(),
            shape: Shape::Exact,
            bound: Some(bound),
            when: None,
        };
        Some(functions.iter().zip(bounds).map(measure).collect())
    }
}

/// A function at both ends of a round.
fn values(sample: &Sample, function: &Function) -> Option<(i128, i128)> {
    function.iter().try_fold((0_i128, 0_i128), |(head, again), &(factor, part)| {
        let (from, to) = *sample.values.get(part)?;
        let times = |value: i128| value.checked_mul(factor.into());
        Some((head.checked_add(times(from)?)?, again.checked_add(times(to)?)?))
    })
}

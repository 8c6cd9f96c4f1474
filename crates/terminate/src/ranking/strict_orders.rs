//! The five domains of Table 5 of *Loop Summarization using State and Transition Invariants*: relations between the beginning and the end of one
//! round that are well-founded and transitive by construction (Corollary 2 there), so that one round is all that has to be looked at.
//!
//! The paper lets the range of a type bound a strict order. Here a signed number is bounded so only where nothing leaves its range (see the kernel).

use encode::{Aspect, Measured, Quantity};
use kernel::ranking::{Measure, RankingArgument, Shape};
use logic::Answer;

use super::pool;
use super::problem::Problem;

/// More variables are not combined.
const VARIABLES: usize = 12;

/// Domain 1: a numeric variable is strictly decreasing or increasing.
pub(super) fn numeric(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let variables = variables(problem, is_numeric);
    single(problem, both_ways(&variables.iter().map(|&part| vec![part]).collect::<Vec<_>>(), &[Shape::Exact]))
}

/// Domain 2: any variable is, pointers included.
pub(super) fn any(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let variables = variables(problem, is_variable);
    single(problem, both_ways(&variables.iter().map(|&part| vec![part]).collect::<Vec<_>>(), &[Shape::Exact]))
}

/// Domain 3: the sum of all numeric variables is.
pub(super) fn sum(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let variables = variables(problem, is_numeric);
    single(problem, both_ways(&[variables], &[Shape::Exact]))
}

/// Domain 4: the greatest or the least of all numeric variables is.
pub(super) fn extremes(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let variables = variables(problem, is_numeric);
    single(problem, both_ways(&[variables], &[Shape::Greatest, Shape::Least]))
}

/// Domain 5: one variable is, while the others keep their values. Over several rounds this holds only of what the variables do in none of them; so a
/// variable that no round increases only must not increase here. Whether the relation covers all rounds is for the kernel to decide.
pub(super) fn combination(problem: &mut Problem<'_>) -> Option<RankingArgument> {
    let mut variables = variables(problem, is_variable);
    variables.truncate(VARIABLES);
    let both = both_ways(&variables.iter().map(|&part| vec![part]).collect::<Vec<_>>(), &[Shape::Exact]);
    let mut measures: Vec<Measure> = Vec::new();
    for measure in both {
        let in_range = problem.stays_in_range();
        let measure = pool::bounded(problem.rounds.first()?, measure, in_range);
        if problem.has_time() && decreases_somewhere(problem, &measure)? {
            measures.push(measure);
        }
    }
    let others = |place: usize| (0..measures.len()).filter(move |other| *other != place).map(|other| (other, false));
    let opposed = |a: usize, b: usize| measures[a].parts[0].1 == measures[b].parts[0].1;
    let alternative =
        |place: usize| std::iter::once((place, true)).chain(others(place).filter(|(other, _)| !opposed(place, *other))).collect::<Vec<_>>();
    let alternatives = (0..measures.len()).map(alternative).collect();
    (!measures.is_empty()).then_some(RankingArgument::Disjunctive { measures, alternatives })
}

/// Whether a measure decreases in some round.
fn decreases_somewhere(problem: &mut Problem<'_>, measure: &Measure) -> Option<bool> {
    if problem.samples.iter().any(|sample| sample.decreases(measure)) {
        return Some(true);
    }
    for round in 0..problem.rounds.len() {
        let (_, stays) = problem.changes(round, measure)?;
        let decreases = problem.terms.not(stays);
        if problem.witness(round, &[decreases]) != Answer::Unsat {
            return Some(true);
        }
    }
    Some(false)
}

/// The first of several measures that decreases in every round.
fn single(problem: &mut Problem<'_>, measures: Vec<Measure>) -> Option<RankingArgument> {
    let in_range = problem.stays_in_range();
    for measure in measures {
        let measure = pool::bounded(problem.rounds.first()?, measure, in_range);
        if problem.has_time() && decreases_always(problem, &measure) {
            return Some(RankingArgument::Lexicographic(vec![measure]));
        }
    }
    None
}

fn decreases_always(problem: &mut Problem<'_>, measure: &Measure) -> bool {
    let refuted = problem.samples.iter().any(|sample| !sample.decreases(measure));
    !refuted
        && (0..problem.rounds.len()).all(|round| {
            let Some((_, stays)) = problem.changes(round, measure) else { return false };
            problem.witness(round, &[stays]) == Answer::Unsat
        })
}

/// Measures that decrease where these parts, combined, decrease or increase.
fn both_ways(parts: &[Vec<usize>], shapes: &[Shape]) -> Vec<Measure> {
    let mut measures = Vec::new();
    for parts in parts.iter().filter(|parts| !parts.is_empty()) {
        for shape in shapes {
            for factor in [1, -1] {
                measures.push(Measure {
                    parts: parts.iter().map(|&part| (factor, part)).collect(),
                    shape: shape.clone(),
                    bound: None,
                    when: None,
                });
            }
        }
    }
    measures
}

/// What a round may change and what is of the wanted sort, as positions in what is measured.
fn variables(problem: &Problem<'_>, wanted: fn(&Measured) -> bool) -> Vec<usize> {
    let Some(first) = problem.rounds.first() else { return Vec::new() };
    let changes = |part: &usize| problem.rounds.iter().any(|round| round.measured[*part].head != round.measured[*part].again);
    (0..first.measured.len()).filter(|&part| wanted(&first.measured[part])).filter(changes).collect()
}

fn is_numeric(measured: &Measured) -> bool {
    matches!(measured.sum.parts[..], [(1, Quantity::Of(_, Aspect::Value, _))])
}

fn is_variable(measured: &Measured) -> bool {
    matches!(measured.sum.parts[..], [(1, Quantity::Of(_, Aspect::Value | Aspect::Offset, _))])
}

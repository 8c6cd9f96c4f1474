//! Loops with few states: state machines, phases, flags.
//!
//! One or two numbers that the loop compares with constants are its *control*. A solver tells all ways on which rounds lead from values of these
//! numbers to values. Values that are on no circle get ranks; the rounds that stay on a circle are left to other measures.

use std::rc::Rc;

use kernel::ranking::{Measure, Row, Shape};
use logic::Term;

use super::lexicographic::Rest;
use super::problem::{Problem, Sample};

/// A number with fewer constants is not looked at by itself.
const CONSTANTS: usize = 3;
/// More numbers are not looked at, alone or beside another one.
const ALONE: usize = 2;
const BESIDE: usize = 3;
/// So many ways from values to values are looked at in all.
const WAYS: usize = 100;

/// Values of the control; none for those that are no constant of it.
type Values = Vec<Option<i128>>;

/// A rank that decreases in some of the rounds that are left and increases in none of them.
pub(super) fn component(problem: &mut Problem<'_>, rest: &mut Rest) -> Option<Measure> {
    let mut control = controls(problem);
    let others: Vec<usize> = control.clone();
    control.retain(|&part| problem.rounds[0].measured[part].constants.len() >= CONSTANTS);
    control.truncate(ALONE);
    let mut patience = WAYS;
    if let Some(found) = control.iter().find_map(|&part| ranked(problem, rest, &[part], &mut patience)) {
        return Some(found);
    }
    let first = *control.first()?;
    let mut beside: Vec<usize> = others.into_iter().filter(|part| *part != first).collect();
    // What is copied into the control says most about where it goes.
    beside.sort_by_key(|&part| {
        std::cmp::Reverse(rest.samples(problem).filter(|sample| sample.values[part].0 == sample.values[first].1).count())
    });
    beside.into_iter().take(BESIDE).find_map(|part| ranked(problem, rest, &[first, part], &mut patience))
}

/// Numbers that rounds change, those with most constants first.
fn controls(problem: &Problem<'_>) -> Vec<usize> {
    let Some(first) = problem.rounds.first() else { return Vec::new() };
    let changes = |part: &usize| problem.rounds.iter().any(|round| round.measured[*part].head != round.measured[*part].again);
    let single = |part: &usize| first.measured[*part].sum.parts.len() == 1;
    let mut parts: Vec<usize> = (0..first.measured.len()).filter(single).filter(changes).collect();
    parts.sort_by_key(|&part| std::cmp::Reverse(first.measured[part].constants.len()));
    parts
}

/// A rank of some numbers, if it is of use.
fn ranked(problem: &mut Problem<'_>, rest: &Rest, parts: &[usize], patience: &mut usize) -> Option<Measure> {
    let ways = ways(problem, rest, parts, patience)?;
    let mut nodes: Vec<&Values> = ways.iter().flat_map(|(from, to)| [from, to]).collect();
    // The values that say most come first: a row counts only where none before it does.
    nodes.sort_by_key(|values| (values.iter().filter(|value| value.is_none()).count(), (*values).clone()));
    nodes.dedup();
    let place = |values: &Values| nodes.iter().position(|node| *node == values);
    let edges: Vec<(usize, usize)> = ways.iter().filter_map(|(from, to)| Some((place(from)?, place(to)?))).collect();
    let ranks = ranks(nodes.len(), &edges);
    if edges.iter().all(|&(from, to)| ranks[from] == ranks[to]) {
        return None;
    }
    let rows = nodes.into_iter().zip(ranks).map(|(values, rank)| Row { values: values.clone(), rank }).collect::<Rc<[Row]>>();
    Some(Measure { parts: parts.iter().map(|&part| (1, part)).collect(), shape: Shape::Rank(rows), bound: None, when: None })
}

/// For each node a rank that no edge increases, and that all edges decrease that are on no circle: the number of edges of that kind on the longest
/// way from it.
fn ranks(count: usize, edges: &[(usize, usize)]) -> Vec<u32> {
    let mut reaches = vec![vec![false; count]; count];
    for &(from, to) in edges {
        reaches[from][to] = true;
    }
    for middle in 0..count {
        for from in 0..count {
            if reaches[from][middle] {
                let further = reaches[middle].clone();
                reaches[from].iter_mut().zip(further).for_each(|(reaches, further)| *reaches |= further);
            }
        }
    }
    let mut ranks = vec![0; count];
    // No way without circles is longer.
    for _ in 0..count {
        for &(from, to) in edges {
            ranks[from] = ranks[from].max(ranks[to] + u32::from(!reaches[to][from]));
        }
    }
    ranks
}

/// All ways on which the rounds that are left lead from values to values; nothing if there are too many, or if that cannot be told.
fn ways(problem: &mut Problem<'_>, rest: &Rest, parts: &[usize], patience: &mut usize) -> Option<Vec<(Values, Values)>> {
    let mut constants: Vec<i128> = Vec::new();
    for &part in parts {
        constants.extend(&problem.rounds.first()?.measured[part].constants);
    }
    constants.sort_unstable();
    constants.dedup();
    let value = |value: i128| constants.binary_search(&value).is_ok().then_some(value);
    let way = |sample: &Sample| -> (Values, Values) {
        parts.iter().map(|&part| (value(sample.values[part].0), value(sample.values[part].1))).unzip()
    };
    let mut ways: Vec<(Values, Values)> = Vec::new();
    for round in 0..problem.rounds.len() {
        let mut conditions = rest.conditions(round).to_vec();
        let mut known = 0;
        loop {
            for (from, to) in &ways[known..] {
                let [from, to] = [(from, false), (to, true)].map(|(values, again)| at(problem, (round, again), parts, values, &constants));
                let both = problem.terms.and(from, to);
                conditions.push(problem.terms.not(both));
            }
            known = ways.len();
            let Some(sample) = problem.example(round, &conditions).ok()? else { break };
            ways.push(way(&sample));
            *patience = patience.checked_sub(1)?;
        }
    }
    Some(ways)
}

/// That numbers have values at the head of a round, or when control comes there again.
fn at(problem: &mut Problem<'_>, (round, again): (usize, bool), parts: &[usize], values: &Values, constants: &[i128]) -> Term {
    let mut all = problem.terms.bool(true);
    for (&part, value) in parts.iter().zip(values) {
        let measured = &problem.rounds[round].measured[part];
        let number = if again { measured.again } else { measured.head };
        let condition = match value {
            Some(value) => problem.is(number, *value),
            None => {
                let any: Vec<Term> = constants.iter().map(|&constant| problem.is(number, constant)).collect();
                let any = problem.terms.any(any);
                problem.terms.not(any)
            }
        };
        all = problem.terms.and(all, condition);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_decrease_outside_of_circles() {
        // 0 → 1 → 2 → 1, 2 → 3.
        assert_eq!(ranks(4, &[(0, 1), (1, 2), (2, 1), (2, 3)]), [2, 1, 1, 0]);
        assert_eq!(ranks(2, &[(0, 0), (0, 1)]), [1, 0]);
        assert_eq!(ranks(3, &[(2, 1), (1, 0)]), [0, 1, 2]);
    }
}

//! Measures that are worth trying.

use encode::Round;
use kernel::ranking::{LEAST, Measure, Shape, When};

/// Constants near those of the program that matter.
fn constants(round: &Round, part: usize) -> Vec<i128> {
    let mut found = vec![0, 1, -1];
    for &constant in &round.measured[part].constants {
        found.extend([constant, constant.saturating_add(1), constant.saturating_sub(1)]);
    }
    let mut seen = Vec::new();
    found.retain(|constant| constant.unsigned_abs() < 1 << 66 && !seen.contains(constant) && (seen.push(*constant), true).1);
    found.truncate(12);
    found
}

/// A measure with a bound, where it needs one.
pub(super) fn bounded(round: &Round, measure: Measure, in_range: bool) -> Measure {
    let bound = if in_range || measure.is_bounded(round) { None } else { Some(LEAST) };
    Measure { bound, ..measure }
}

/// Single sums that decrease or increase: the orders of Table 5 of *Loop Summarization*, and what the conditions of the loop compare.
pub(super) fn simple(rounds: &[Round], in_range: bool) -> Vec<Measure> {
    let Some(first) = rounds.first() else { return Vec::new() };
    let mut shapes = Vec::new();
    for part in 0..first.measured.len() {
        shapes.extend([(1, part, Shape::Exact), (-1, part, Shape::Exact)]);
    }
    for part in (0..first.measured.len()).filter(|&part| in_range || first.measured[part].wraps) {
        shapes.extend([32, 64].into_iter().flat_map(|bits| [(1, part, Shape::Modulo(bits)), (-1, part, Shape::Modulo(bits))]));
    }
    measures(first, shapes, in_range)
}

fn measures(round: &Round, shapes: Vec<(i64, usize, Shape)>, in_range: bool) -> Vec<Measure> {
    let measure = |(factor, part, shape)| bounded(round, Measure { parts: vec![(factor, part)], shape, bound: None, when: None }, in_range);
    shapes.into_iter().map(measure).collect()
}

/// All that is known: sums, sums that stop at a constant (for the phases of a loop), cases, and bits.
pub(super) fn all(rounds: &[Round], in_range: bool) -> Vec<Measure> {
    let mut pool = simple(rounds, in_range);
    let Some(first) = rounds.first() else { return pool };
    let count = first.measured.len();
    let mut shapes = Vec::new();
    for part in 0..count {
        shapes.extend(
            constants(first, part)
                .into_iter()
                .flat_map(|constant| [Shape::Is(constant), Shape::IsNot(constant)])
                .map(|shape| (1, part, shape)),
        );
    }
    for part in 0..count {
        for constant in constants(first, part) {
            shapes.extend([(1, part, Shape::AtLeast(constant)), (-1, part, Shape::AtLeast(-constant))]);
            shapes.extend([(1, part, Shape::AtMost(constant)), (-1, part, Shape::AtMost(-constant))]);
        }
    }
    for part in (0..count).filter(|&part| in_range || first.measured[part].wraps) {
        let bits = [Shape::Ones, Shape::Zeros, Shape::TrailingZeros, Shape::WithoutTrailing, Shape::LeadingZeros, Shape::WithoutLeading];
        shapes.extend(bits.map(|shape| (1, part, shape(64))));
        shapes.extend(REMAINDERS.into_iter().flat_map(|bits| [(1, part, Shape::Modulo(bits)), (-1, part, Shape::Modulo(bits))]));
    }
    pool.extend(measures(first, shapes, in_range));
    pool.extend(extremes(rounds, in_range));
    pool
}

/// Loops go to the next multiple of 2 to these powers.
const REMAINDERS: [u32; 6] = [2, 3, 4, 5, 6, 8];

/// The greater and the smaller one of two changing numbers.
fn extremes(rounds: &[Round], in_range: bool) -> Vec<Measure> {
    let Some(first) = rounds.first() else { return Vec::new() };
    let changes = |part: &usize| first.measured[*part].sum.parts.len() == 1 && first.measured[*part].head != first.measured[*part].again;
    let changing: Vec<usize> = (0..first.measured.len()).filter(changes).take(EXTREMES).collect();
    let mut pool = Vec::new();
    for (place, &one) in changing.iter().enumerate() {
        for &other in &changing[place + 1..] {
            for factor in [1, -1] {
                let parts = vec![(factor, one), (factor, other)];
                pool.extend([Shape::Greatest, Shape::Least].map(|shape| {
                    let measure = Measure { parts: parts.clone(), shape, bound: None, when: None };
                    bounded(first, measure, in_range)
                }));
            }
        }
    }
    pool
}

/// Of more numbers, the greatest is not looked at.
const EXTREMES: usize = 5;

/// Simple measures that count only in one case, and which case it is. Cases that no round changes come first.
pub(super) fn cases(rounds: &[Round], in_range: bool) -> Vec<Measure> {
    let Some(first) = rounds.first() else { return Vec::new() };
    let changing = (0..first.measured.len()).filter(|part| !stays(rounds, *part));
    let guards = fixed(rounds).into_iter().chain(changing.flat_map(|part| sides(first, part)));
    let simple = simple(rounds, in_range);
    let moving: Vec<&Measure> = simple.iter().filter(|measure| measure.parts.iter().any(|(_, part)| !stays(rounds, *part))).collect();
    let mut pool = Vec::new();
    for when in guards {
        pool.push(Measure { parts: Vec::new(), shape: Shape::Is(0), bound: None, when: Some(when) });
        pool.extend(moving.iter().map(|measure| Measure { when: Some(when), ..(*measure).clone() }));
        if pool.len() > CASES {
            break;
        }
    }
    pool
}

/// Whether no round changes a number.
fn stays(rounds: &[Round], part: usize) -> bool {
    rounds.iter().all(|round| round.measured.get(part).is_some_and(|measured| measured.head == measured.again))
}

/// The sides of constants on which a number may be.
fn sides(round: &Round, part: usize) -> Vec<When> {
    let limits = constants(round, part).into_iter().take(LIMITS);
    limits.flat_map(|limit| [true, false].map(|at_least| When { part, limit, at_least })).collect()
}

/// Conditions that no round changes.
pub(super) fn fixed(rounds: &[Round]) -> Vec<When> {
    let Some(first) = rounds.first() else { return Vec::new() };
    (0..first.measured.len()).filter(|part| stays(rounds, *part)).flat_map(|part| sides(first, part)).collect()
}

/// More constants for a case are not tried.
const LIMITS: usize = 5;
/// More measures for cases are not tried.
const CASES: usize = 4_000;

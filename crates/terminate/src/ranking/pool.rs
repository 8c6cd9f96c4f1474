//! Measures that are worth trying.

use encode::Round;
use kernel::ranking::{Measure, Shape};

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

fn exact(parts: &[(i64, usize)]) -> Measure {
    Measure { parts: parts.to_vec(), shape: Shape::Exact }
}

/// Single sums that decrease or increase: the orders of Table 5 of *Loop Summarization*, and what the conditions of the loop compare.
pub(super) fn simple(rounds: &[Round]) -> Vec<Measure> {
    let Some(first) = rounds.first() else { return Vec::new() };
    let mut pool: Vec<Measure> = (0..first.measured.len()).flat_map(|part| [exact(&[(1, part)]), exact(&[(-1, part)])]).collect();
    for part in 0..first.measured.len() {
        for factor in [1, -1] {
            pool.extend([32, 64].map(|bits| Measure { parts: vec![(factor, part)], shape: Shape::Modulo(bits) }));
        }
    }
    pool
}

/// All that is known: sums, sums that stop at a constant (for the phases of a loop), cases, and bits.
pub(super) fn all(rounds: &[Round]) -> Vec<Measure> {
    let mut pool = simple(rounds);
    let Some(first) = rounds.first() else { return pool };
    let count = first.measured.len();
    for part in 0..count {
        for constant in constants(first, part) {
            pool.extend([Shape::Is(constant), Shape::IsNot(constant)].map(|shape| Measure { parts: vec![(1, part)], shape }));
        }
    }
    for part in 0..count {
        for constant in constants(first, part) {
            pool.push(Measure { parts: vec![(1, part)], shape: Shape::AtLeast(constant) });
            pool.push(Measure { parts: vec![(-1, part)], shape: Shape::AtLeast(-constant) });
            pool.push(Measure { parts: vec![(1, part)], shape: Shape::AtMost(constant) });
            pool.push(Measure { parts: vec![(-1, part)], shape: Shape::AtMost(-constant) });
        }
    }
    for part in 0..count {
        pool.extend([Shape::Ones(64), Shape::Zeros(64)].map(|shape| Measure { parts: vec![(1, part)], shape }));
    }
    pool
}

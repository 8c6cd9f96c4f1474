//! Sums of multiples that decrease in given rounds. Small coefficients are tried one by one; larger ones are found by a solver, as in chapter 3 of
//! *Non-Termination Proofs from Templates*.

use encode::Round;
use kernel::ranking::{Measure, Shape};
use logic::sat::Budget;
use logic::{Answer, Bits, Context, Sort, Terms};

use super::pool;
use super::problem::Sample;

/// More terms are not combined.
const PARTS: usize = 10;
/// How many terms have coefficients other than 0, and how large those are.
const SHAPES: [(usize, i64); 4] = [(2, 1), (3, 1), (2, 4), (4, 1)];
/// The width of coefficients that a solver looks for, and what that may cost.
const WIDTH: u32 = 6;
const CONFLICTS: u64 = 200;
/// Changes are at most so wide.
const CHANGE: u32 = 100;

/// A sum of multiples that increases in none of the samples and decreases in the last of them. A solver is asked if there is a budget for it.
pub(super) fn fit(samples: &[&Sample], rounds: &[Round], in_range: bool, solver: Option<&Budget>) -> Option<Measure> {
    let first = rounds.first()?;
    let last = samples.last()?;
    // Sums of others give nothing new, nor does what never changes.
    let single = |part: &usize| first.measured.get(*part).is_some_and(|measured| measured.sum.parts.len() == 1);
    let moves = |part: &usize| samples.iter().any(|sample| sample.values[*part].0 != sample.values[*part].1);
    let parts: Vec<usize> = (0..last.values.len()).filter(single).filter(moves).take(PARTS).collect();
    let change = |sample: &&Sample, part: &usize| {
        sample.values[*part].0.checked_sub(sample.values[*part].1).filter(|by| by.unsigned_abs() < 1 << (CHANGE - 2))
    };
    let changes: Option<Vec<Vec<i128>>> = samples.iter().map(|sample| parts.iter().map(|part| change(sample, part)).collect()).collect();
    let changes = changes?;
    let factors =
        SHAPES.iter().find_map(|&(count, size)| small(&changes, parts.len(), count, size)).or_else(|| solved(&changes, solver?))?;
    let parts = factors.into_iter().zip(parts).filter(|(factor, _)| *factor != 0).collect();
    Some(pool::bounded(first, Measure { parts, shape: Shape::Exact, bound: None, when: None }, in_range))
}

/// Whether factors increase nothing and decrease the last.
fn fits(changes: &[Vec<i128>], factors: &[(i64, usize)]) -> bool {
    let decrease = |change: &Vec<i128>| factors.iter().map(|&(factor, part)| i128::from(factor) * change[part]).sum::<i128>();
    changes.last().is_some_and(|last| decrease(last) > 0) && changes.iter().all(|change| decrease(change) >= 0)
}

/// Coefficients for exactly so many terms, none larger than `size`.
fn small(changes: &[Vec<i128>], parts: usize, count: usize, size: i64) -> Option<Vec<i64>> {
    let mut chosen: Vec<(i64, usize)> = Vec::new();
    choose(&mut chosen, 0, (parts, count, size), &|factors| fits(changes, factors)).then(|| {
        let mut factors = vec![0; parts];
        for (factor, part) in chosen {
            factors[part] = factor;
        }
        factors
    })
}

/// Whether factors of parts will do.
type Test<'a> = dyn Fn(&[(i64, usize)]) -> bool + 'a;

/// Completes a choice; the depth is the number of terms, which is small.
fn choose(chosen: &mut Vec<(i64, usize)>, from: usize, (parts, count, size): (usize, usize, i64), fits: &Test<'_>) -> bool {
    if chosen.len() == count {
        return fits(chosen);
    }
    for part in from..parts {
        for factor in (1..=size).flat_map(|size| [size, -size]) {
            chosen.push((factor, part));
            if choose(chosen, part + 1, (parts, count, size), fits) {
                return true;
            }
            chosen.pop();
        }
    }
    false
}

/// Coefficients that a solver finds.
fn solved(changes: &[Vec<i128>], budget: &Budget) -> Option<Vec<i64>> {
    let mut terms = Terms::new();
    let mut context = Context::new();
    let wide = CHANGE + WIDTH + 4;
    let factors: Vec<_> = changes.last()?.iter().map(|_| terms.fresh("factor", Sort::Bits(WIDTH))).collect();
    let zero = terms.zero(wide);
    for (number, change) in changes.iter().enumerate() {
        let mut decrease = zero;
        for (&by, &factor) in change.iter().zip(&factors) {
            let by = terms.bits(Bits::signed(wide, by));
            let factor = terms.sign_extend(factor, wide);
            let product = terms.mul(factor, by);
            decrease = terms.add(decrease, product);
        }
        let fits = if number + 1 == changes.len() { terms.slt(zero, decrease) } else { terms.sle(zero, decrease) };
        context.assert(&mut terms, fits);
    }
    if context.solve(&mut terms, &[], &budget.clone().with_conflicts(CONFLICTS)) != Answer::Sat {
        return None;
    }
    let mut value =
        |factor| context.bits_of(&terms, factor).and_then(|bits| bits.to_i128()).and_then(|value| i64::try_from(value).ok()).unwrap_or(0);
    Some(factors.into_iter().map(&mut value).collect())
}

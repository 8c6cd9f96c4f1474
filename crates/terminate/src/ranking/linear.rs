//! Sums of multiples that decrease in given rounds: the coefficients are found by a solver, as in chapter 3 of *Non-Termination Proofs from
//! Templates*.

use encode::Round;
use kernel::ranking::{Measure, Shape};
use logic::sat::Budget;
use logic::{Answer, Bits, Context, Sort, Terms};

use super::pool;
use super::problem::Sample;

/// The widths of coefficients that are tried, one after the other: small ones are read more easily, and more often right.
const WIDTHS: [u32; 3] = [2, 4, 8];
/// More terms are not combined.
const PARTS: usize = 12;
/// What finding coefficients may cost.
const CONFLICTS: u64 = 3_000;
/// Changes are at most so wide.
const CHANGE: u32 = 100;

/// A sum of multiples that increases in none of the samples and decreases in the last of them.
pub(super) fn fit(samples: &[&Sample], rounds: &[Round], in_range: bool, budget: &Budget) -> Option<Measure> {
    let last = samples.last()?;
    // Sums of others give nothing new.
    let single =
        |part: &usize| rounds.first().is_some_and(|round| round.measured.get(*part).is_some_and(|measured| measured.sum.parts.len() == 1));
    let parts: Vec<usize> = (0..last.values.len()).filter(single).take(PARTS).collect();
    let change = |sample: &Sample, part: usize| {
        sample.values[part].0.checked_sub(sample.values[part].1).filter(|by| by.unsigned_abs() < 1 << (CHANGE - 2))
    };
    for width in WIDTHS {
        let mut terms = Terms::new();
        let mut context = Context::new();
        let wide = CHANGE + width + 4;
        let factors: Vec<_> = parts.iter().map(|_| terms.fresh("factor", Sort::Bits(width))).collect();
        let zero = terms.zero(wide);
        for (number, sample) in samples.iter().enumerate() {
            let mut decrease = zero;
            for (&part, &factor) in parts.iter().zip(&factors) {
                let by = terms.bits(Bits::signed(wide, change(sample, part)?));
                let factor = terms.sign_extend(factor, wide);
                let product = terms.mul(factor, by);
                decrease = terms.add(decrease, product);
            }
            let fits = if number + 1 == samples.len() { terms.slt(zero, decrease) } else { terms.sle(zero, decrease) };
            context.assert(&mut terms, fits);
        }
        if context.solve(&mut terms, &[], &budget.clone().with_conflicts(CONFLICTS)) != Answer::Sat {
            continue;
        }
        let mut chosen = Vec::new();
        for (&part, &factor) in parts.iter().zip(&factors) {
            let value = context.bits_of(&terms, factor).and_then(|bits| bits.to_i128()).unwrap_or(0);
            if let Some(value) = i64::try_from(value).ok().filter(|value| *value != 0) {
                chosen.push((value, part));
            }
        }
        if !chosen.is_empty() {
            let measure = Measure { parts: chosen, shape: Shape::Exact, bound: None, when: None };
            return rounds.first().map(|round| pool::bounded(round, measure, in_range));
        }
    }
    None
}

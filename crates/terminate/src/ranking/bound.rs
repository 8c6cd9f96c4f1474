//! How many rounds an argument allows. A number that decreases in every round, and that is between two limits at the head, allows as many rounds as
//! there are numbers between them.

use kernel::ranking::{Measure, RankingArgument};
use logic::Bits;

use super::problem::Problem;

/// A bound on the number of rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    /// This number.
    Number(u128),
    /// The measure when the loop is entered, and this number.
    Measure(i128),
    /// 2 to this power.
    Power(u32),
}

/// The limits that are tried first, as powers of 2.
const POWERS: [u32; 8] = [0, 6, 12, 18, 31, 32, 63, 64];
/// Limits are found exactly up to this power of 2.
const EXACT: u32 = 18;
/// Wide enough for all limits.
const WIDE: u32 = 80;

/// A bound on the number of rounds that share their head, if the argument is a single measure. No more than this many rounds come to the head again.
pub(super) fn rounds(problem: &mut Problem<'_>, argument: &RankingArgument) -> Option<Bound> {
    let [measure] = argument.measures() else { return None };
    let most = limit(problem, measure, false);
    let least = limit(problem, measure, true).map(|least| Limit { value: -least.value, ..least });
    let count = |most: Limit, least: Limit| most.value.checked_sub(least.value)?.checked_add(1)?.max(0).try_into().ok();
    match (most, least) {
        (Some(most), Some(least)) if most.exact && least.exact => count(most, least).map(Bound::Number),
        (_, Some(least)) if least.exact => Some(Bound::Measure(1 - least.value)),
        (Some(most), Some(least)) => {
            count(most, least).map(|count: u128| Bound::Power(u128::BITS - count.saturating_sub(1).leading_zeros()))
        }
        _ => None,
    }
}

/// A number that a measure does not exceed at the head.
#[derive(Clone, Copy)]
struct Limit {
    value: i128,
    /// Whether it is small, and no smaller one is a limit.
    exact: bool,
}

/// The greatest value of a measure, or of its negative, at the head where a round happens.
fn limit(problem: &mut Problem<'_>, measure: &Measure, negative: bool) -> Option<Limit> {
    let power = POWERS.into_iter().find(|power| never_exceeds(problem, measure, negative, 1 << power))?;
    if power > EXACT {
        return Some(Limit { value: 1 << power, exact: false });
    }
    // Above `low`, at most `high`.
    let (mut low, mut high) = (-(1_i128 << EXACT), 1 << power);
    if never_exceeds(problem, measure, negative, low) {
        return Some(Limit { value: low, exact: false });
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if never_exceeds(problem, measure, negative, middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(Limit { value: high, exact: true })
}

fn never_exceeds(problem: &mut Problem<'_>, measure: &Measure, negative: bool, limit: i128) -> bool {
    problem.has_time()
        && (0..problem.rounds.len()).all(|round| {
            let Some((head, _)) = measure.terms(problem.terms, &problem.rounds[round]) else { return false };
            let width = problem.terms.width(head).max(WIDE);
            let head = problem.terms.sign_extend(head, width);
            let head = if negative { problem.terms.neg(head) } else { head };
            let limit = problem.terms.bits(Bits::signed(width, limit));
            let exceeds = problem.terms.slt(limit, head);
            let happens = problem.happens(round);
            matches!(problem.visits(&[happens, exceeds], &[]), Ok(None))
        })
}

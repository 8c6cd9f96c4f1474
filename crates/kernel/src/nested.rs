//! Nested ranking functions (Leike and Heizmann, *Ranking Templates for Linear Loops*, the nested template).
//!
//! Each measure is taken above its bound. In every round the first one decreases, each of the others grows by less than the one before it is, and the
//! last one is not negative. Were there infinitely many rounds, the first one would become negative and stay so; from then on the second one would
//! decrease, and become negative; and so on up to the last one, which is never negative. So what a loop adds may itself grow for a while:
//! `while (x > 0) { x += y; y += z; z--; }`. Measures are mathematical integers, so a decrease is one by at least 1.

use encode::Round;
use logic::{Bits, Term, Terms};

use crate::measure::{LEAST, Measure, width_of};

/// What no round may do: conjunctions. Nothing if this is no argument.
pub fn failures(terms: &mut Terms, round: &Round, measures: &[Measure]) -> Option<Vec<Vec<Term>>> {
    let mut failures = Vec::new();
    let mut before: Option<Term> = None;
    for measure in measures {
        let bound = measure.bound.filter(|bound| *bound >= LEAST)?;
        let (head, _) = measure.terms(terms, round)?;
        let lost = measure.loss(terms, round)?;
        // Two more bits than what is added up has, so nothing wraps.
        let widths = [head, lost].into_iter().chain(before).map(|term| terms.width(term));
        let width = widths.max()?.max(width_of(bound)) + 2;
        let lost = terms.sign_extend(lost, width);
        let enough = match before {
            Some(before) => {
                let before = terms.sign_extend(before, width);
                terms.add(lost, before)
            }
            None => lost,
        };
        let zero = terms.zero(width);
        failures.push(vec![terms.sle(enough, zero)]);
        let (head, bound) = (terms.sign_extend(head, width), terms.bits(Bits::signed(width, bound)));
        before = Some(terms.sub(head, bound));
    }
    let last = before?;
    let zero = terms.zero(terms.width(last));
    failures.push(vec![terms.slt(last, zero)]);
    Some(failures)
}

#[cfg(test)]
mod tests {
    use logic::Sort;
    use logic::sat::Budget;

    use super::*;
    use crate::example;
    use crate::measure::Shape;
    use crate::ranking::{RankingArgument, accepts};

    /// `while (x > 0) { x += y; y += z; z += step; }` with numbers of `int`, which may leave their range or not.
    fn round(terms: &mut Terms, step: u128, wraps: bool) -> Round {
        let variables = ["x", "y", "z"].map(|name| terms.variable(name, Sort::Bits(32)));
        let [x, y, z] = variables;
        let step = terms.number(32, step);
        let zero = terms.zero(32);
        let again = terms.slt(zero, x);
        let later = [terms.add(x, y), terms.add(y, z), terms.add(z, step)];
        let mut fits = terms.bool(true);
        for (a, b) in [(x, y), (y, z), (z, step)] {
            let [wide_a, wide_b] = [a, b].map(|term| terms.sign_extend(term, 33));
            let (sum, narrow) = (terms.add(wide_a, wide_b), terms.add(a, b));
            let same = terms.sign_extend(narrow, 33);
            let fit = terms.equal(sum, same);
            fits = terms.and(fits, fit);
        }
        let measured = variables.iter().zip(later).map(|(&head, again)| {
            let [head, again] = [head, again].map(|end| terms.sign_extend(end, 34));
            example::measured(head, again, false)
        });
        let measured = measured.collect();
        let mut round = example::round(terms, again, measured);
        if !wraps {
            round.again_valid = fits;
            round.overflow = terms.not(fits);
            // Only what is above the bound of the last measure counts as a round at all.
            round.overflow = terms.and(round.overflow, again);
        }
        round
    }

    fn accepted(step: u128, wraps: bool, order: &[usize]) -> bool {
        let mut terms = Terms::new();
        let round = round(&mut terms, step, wraps);
        let measure = |&part: &usize| Measure { parts: vec![(1, part)], shape: Shape::Exact, bound: Some(-1), when: None };
        let argument = RankingArgument::Nested(order.iter().map(measure).collect());
        accepts(&mut terms, &[], &[&round], &argument, &Budget::unlimited())
    }

    const MINUS_ONE: u128 = 0xffff_ffff;

    #[test]
    fn what_is_added_may_grow_for_a_while() {
        assert!(accepted(MINUS_ONE, false, &[2, 1, 0]));
    }

    #[test]
    fn each_must_decrease_when_the_one_before_is_negative() {
        assert!(!accepted(MINUS_ONE, false, &[1, 0]));
        assert!(!accepted(MINUS_ONE, false, &[2, 0]));
        assert!(!accepted(MINUS_ONE, false, &[0]));
        assert!(!accepted(0, false, &[2, 1, 0]));
        assert!(!accepted(1, false, &[2, 1, 0]));
    }

    #[test]
    fn the_last_one_must_have_a_bound() {
        assert!(!accepted(MINUS_ONE, false, &[2, 1]));
        assert!(!accepted(MINUS_ONE, false, &[]));
    }

    #[test]
    fn numbers_that_wrap_are_no_argument() {
        assert!(!accepted(MINUS_ONE, true, &[2, 1, 0]));
    }
}

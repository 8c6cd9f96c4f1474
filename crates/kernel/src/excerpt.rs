//! Rounds of large loops, with only what their measures have to do with.
//!
//! Most of what a large body does says nothing about the few numbers that tell how far the loop has come. An argument that holds in a slice
//! ([`encode::Slice`]), where conditions about other things may be true or false as they like, holds for the loop.

use encode::{Extent, FactIndex, Round, Slice};
use logic::{Op, Term, Terms};
use rustc_hash::FxHashSet;

/// How much a slice takes in.
const EXTENT: Extent = Extent { rounds: 2, facts: 80, condition: 100 };
/// Smaller rounds are taken as a whole.
const LARGE: usize = 1_000;
/// What is measured in more terms than this is left out.
const MEASURE: usize = 1_000;

/// Facts and rounds that share their head, as far as they have to do with what is measured: if an argument holds for these, it holds for those that were
/// given. Nothing if they are small. What is read from memory is measured only if it is wanted.
///
/// All terms go through one slice, so the same term becomes the same variable everywhere, and a question about the result is a generalisation of the
/// same question about what was given. Premises stay what they are of facts: those that are not understood become variables in both.
pub fn excerpt(terms: &mut Terms, index: &FactIndex<'_>, rounds: &[&Round], memory: bool) -> Option<(Vec<Term>, Vec<Round>)> {
    let first = rounds.first()?;
    let measured = rounds.iter().flat_map(|round| &round.measured).flat_map(|measured| [measured.head, measured.again]);
    let conditions = rounds.iter().flat_map(|round| [round.again, round.again_valid, round.overflow]);
    let all: Vec<Term> = measured.chain(conditions).collect();
    if !terms.are_more_than(&all, LARGE) {
        return None;
    }
    let mut rounds: Vec<Round> = rounds.iter().map(|round| (*round).clone()).collect();
    let mut roots = Vec::new();
    for round in &mut rounds {
        round.measured.retain(|measured| {
            let sources = sources(terms, vec![measured.head, measured.again]);
            let kept = memory || sources.iter().all(|source| matches!(terms.op(*source), Op::Variable(_)));
            roots.extend(sources.into_iter().filter(|_| kept));
            kept
        });
    }
    let mut slice = Slice::new(first.since..usize::MAX, EXTENT);
    slice.include(terms, &roots);
    let facts = slice.facts(terms, index);
    let facts = facts.into_iter().map(|fact| slice.condition(terms, fact)).collect();
    for round in &mut rounds {
        cut(terms, &mut slice, round);
    }
    Some((facts, rounds))
}

/// A round becomes what it is in a slice.
fn cut(terms: &mut Terms, slice: &mut Slice, round: &mut Round) {
    let conditions = [&mut round.entered, &mut round.head_valid, &mut round.again, &mut round.again_valid, &mut round.overflow];
    for term in conditions.into_iter().chain([&mut round.failure]) {
        *term = slice.condition(terms, *term);
    }
    // Where pointers go has to do with all of memory.
    round.walks.clear();
    for measured in &mut round.measured {
        measured.lost = None;
        for term in [&mut measured.head, &mut measured.again] {
            for condition in choices(terms, *term) {
                slice.condition(terms, condition);
            }
            *term = slice.term(terms, *term);
        }
    }
    round.measured.retain(|measured| [measured.head, measured.again].iter().all(|end| terms.size_within(*end, MEASURE).is_some()));
}

/// The variables and reads of memory that numbers are made of, without those that only decide between them.
fn sources(terms: &Terms, mut open: Vec<Term>) -> Vec<Term> {
    let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
    while let Some(term) = open.pop() {
        match (terms.op(term), terms.args(term)) {
            _ if !seen.insert(term) => {}
            (Op::Variable(_) | Op::Select, _) => found.push(term),
            (Op::Ite, &[_, yes, no]) => open.extend([yes, no]),
            (_, args) => open.extend(args),
        }
    }
    found
}

/// The conditions that decide between numbers.
fn choices(terms: &Terms, root: Term) -> Vec<Term> {
    let (mut open, mut seen, mut found) = (vec![root], FxHashSet::default(), Vec::new());
    while let Some(term) = open.pop() {
        match (terms.op(term), terms.args(term)) {
            _ if !seen.insert(term) => {}
            (Op::Ite, &[condition, yes, no]) => {
                found.push(condition);
                open.extend([yes, no]);
            }
            (_, args) => open.extend(args),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use logic::Sort;
    use logic::sat::Budget;

    use super::*;
    use crate::example;
    use crate::ranking::{Measure, RankingArgument, Shape, accepts};

    /// A condition about other things, in many terms.
    fn long(terms: &mut Terms) -> Term {
        let mut product = terms.variable("y", Sort::Bits(32));
        for number in 1..2_000 {
            let number = terms.number(32, 2 * number + 1);
            product = terms.mul(product, number);
            product = terms.bit_xor(product, number);
        }
        terms.nonzero(product)
    }

    /// A round that takes 1 from a positive number, or as much as it wants where a long condition does not hold.
    fn round(terms: &mut Terms, otherwise: u128) -> Round {
        let (x, long, zero) = (terms.variable("x", Sort::Bits(32)), long(terms), terms.zero(32));
        let positive = terms.slt(zero, x);
        let [one, other] = [1, otherwise].map(|number| {
            let number = terms.number(32, number);
            terms.sub(x, number)
        });
        let next = terms.ite(long, one, other);
        let [head, again] = [x, next].map(|term| terms.sign_extend(term, 34));
        example::round(terms, positive, vec![example::measured(head, again, false)])
    }

    fn holds(terms: &mut Terms, round: &Round) -> bool {
        let measure = Measure { parts: vec![(1, 0)], shape: Shape::Exact, bound: Some(0), when: None };
        let budget = Budget::unlimited().with_conflicts(20_000);
        accepts(terms, &[], &[round], &RankingArgument::Lexicographic(vec![measure]), &budget)
    }

    #[test]
    fn what_decides_between_changes_may_be_forgotten() {
        let mut terms = Terms::new();
        let whole = round(&mut terms, 2);
        let (_, rounds) = excerpt(&mut terms, &FactIndex::new(&[], &[]), &[&whole], false).unwrap();
        assert!(terms.size_within(rounds[0].measured[0].again, 20).is_some());
        assert!(holds(&mut terms, &rounds[0]));
    }

    #[test]
    fn what_may_happen_still_may() {
        let mut terms = Terms::new();
        let whole = round(&mut terms, 0);
        let (_, rounds) = excerpt(&mut terms, &FactIndex::new(&[], &[]), &[&whole], false).unwrap();
        assert!(!holds(&mut terms, &rounds[0]));
    }

    #[test]
    fn small_rounds_stay_whole() {
        let mut terms = Terms::new();
        let (yes, x) = (terms.bool(true), terms.variable("x", Sort::Bits(32)));
        let whole = example::round(&mut terms, yes, vec![example::measured(x, x, false)]);
        assert!(excerpt(&mut terms, &FactIndex::new(&[], &[]), &[&whole], false).is_none());
    }
}

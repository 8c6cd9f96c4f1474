//! Rounds in general: what happened before a loop is forgotten, as far as it is large.
//!
//! An argument that holds whatever the values were that large expressions had before the loop holds for the values that they had. Most arguments need
//! nothing else, and the solver does not have to look at the way that led to the loop.

use encode::Round;
use logic::{Op, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is smaller is kept.
const LARGE: usize = 16;
/// A question with fewer terms is not worth it.
const QUESTION: usize = 500;

/// Facts and rounds that share their head, in general: if an argument holds for these, it holds for those that were given. Nothing if they are small.
///
/// Terms that were made before the loop become variables, the same term the same variable everywhere, so a question about the result is a generalisation of
/// the same question about what was given. That control comes to the loop and all was well until then is a premise of every round; so it may
/// be taken for true in all other terms, and be dropped.
pub fn generalised(terms: &mut Terms, facts: &[Term], rounds: &[&Round]) -> Option<(Vec<Term>, Vec<Round>)> {
    let (first, others) = rounds.split_first()?;
    let roots: Vec<Term> = rounds.iter().flat_map(|round| ends(round)).chain([first.entered, first.head_valid]).collect();
    let all: Vec<Term> = roots.iter().chain(facts).copied().collect();
    if !terms.are_more_than(&all, QUESTION) {
        return None;
    }
    let facts = facts.get(first.facts.clone())?;
    let mut table = FxHashMap::default();
    let (yes, no) = (terms.bool(true), terms.bool(false));
    for premise in premises(terms, first) {
        if others.iter().all(|other| premises(terms, other).contains(&premise)) {
            table.insert(premise, yes);
            table.insert(terms.not(premise), no);
        }
    }
    let mut open: Vec<Term> = rounds.iter().flat_map(|round| ends(round)).chain(facts.iter().copied()).collect();
    let mut seen = FxHashSet::default();
    while let Some(term) = open.pop() {
        if table.contains_key(&term) || !seen.insert(term) {
            continue;
        }
        if term.index() < first.since && !is_about_objects(terms, term) && terms.size_within(term, LARGE).is_none() {
            let sort = terms.sort(term);
            table.insert(term, terms.fresh("before", sort));
        } else {
            open.extend(terms.args(term));
        }
    }
    let facts = facts.iter().map(|&fact| terms.substitute_with(fact, &mut table)).collect();
    let rounds = rounds.iter().map(|round| in_general(terms, round, &mut table)).collect();
    Some((facts, rounds))
}

/// Whether a term tells something of all objects, such as how large they are: that matters often, and is simple.
fn is_about_objects(terms: &Terms, term: Term) -> bool {
    matches!(terms.sort(term), Sort::Array { index, .. } if index <= encode::OBJECT)
}

/// What a round is made of, beside its premises.
fn ends(round: &Round) -> Vec<Term> {
    let measured = round.measured.iter().flat_map(|measured| [measured.head, measured.again].into_iter().chain(measured.lost));
    let walks = round.walks.iter().flat_map(|walk| [walk.null, walk.held, walk.moved]);
    [round.again, round.again_valid, round.overflow, round.failure].into_iter().chain(measured).chain(walks).collect()
}

/// What holds wherever a round begins.
fn premises(terms: &Terms, round: &Round) -> Vec<Term> {
    let mut open = vec![round.entered, round.head_valid];
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        found.push(term);
        if let Op::And = terms.op(term) {
            open.extend(terms.args(term));
        }
    }
    found
}

fn in_general(terms: &mut Terms, round: &Round, table: &mut FxHashMap<Term, Term>) -> Round {
    let mut round = round.clone();
    for term in [&mut round.entered, &mut round.head_valid] {
        *term = terms.bool(true);
    }
    for term in [&mut round.again, &mut round.again_valid, &mut round.overflow, &mut round.failure] {
        *term = terms.substitute_with(*term, table);
    }
    for walk in &mut round.walks {
        for term in [&mut walk.null, &mut walk.held, &mut walk.moved] {
            *term = terms.substitute_with(*term, table);
        }
    }
    for measured in &mut round.measured {
        measured.head = terms.substitute_with(measured.head, table);
        measured.again = terms.substitute_with(measured.again, table);
        measured.lost = measured.lost.map(|lost| terms.substitute_with(lost, table));
    }
    round
}

#[cfg(test)]
mod tests {
    use logic::sat::Budget;

    use super::*;
    use crate::example;
    use crate::ranking::{Measure, RankingArgument, Shape, accepts};

    /// A long computation.
    fn long(terms: &mut Terms, name: &str) -> Term {
        let mut sum = terms.variable(name, Sort::Bits(32));
        for number in 1..1_000 {
            let number = terms.number(32, 2 * number + 1);
            sum = terms.mul(sum, number);
            sum = terms.bit_xor(sum, number);
        }
        sum
    }

    /// A loop that takes `y` from `x` as long as `x` is greater than something that was computed before; a fact says that `y` is positive if the loop is
    /// entered, which depends on something else that was computed before.
    fn subtraction(terms: &mut Terms) -> (Vec<Term>, Round) {
        let (least, other) = (long(terms, "a"), long(terms, "b"));
        let zero = terms.zero(32);
        let (entered, since) = (terms.equal(other, zero), terms.len());
        let (x, y) = (terms.fresh("x", Sort::Bits(32)), terms.fresh("y", Sort::Bits(32)));
        let positive = terms.slt(zero, y);
        let fact = terms.implies(entered, positive);
        let [wide, by] = [x, y].map(|term| terms.sign_extend(term, 34));
        let (condition, above, later) = (terms.slt(least, x), terms.slt(zero, x), terms.sub(wide, by));
        let again = terms.and(condition, above);
        let round = example::round(terms, again, vec![example::measured(wide, later, false)]);
        let round = Round { entered, since, facts: 0..1, ..round };
        (vec![fact], round)
    }

    fn decreases() -> RankingArgument {
        RankingArgument::Lexicographic(vec![Measure { parts: vec![(1, 0)], shape: Shape::Exact, bound: Some(0), when: None }])
    }

    #[test]
    fn what_happened_before_is_forgotten() {
        let mut terms = Terms::new();
        let (facts, round) = subtraction(&mut terms);
        let (facts, rounds) = generalised(&mut terms, &facts, &[&round]).unwrap();
        let all: Vec<Term> = facts.iter().copied().chain(ends(&rounds[0])).collect();
        assert!(!terms.are_more_than(&all, 30));
        // The fact speaks of all runs that enter the loop, so its premise is dropped.
        assert!(accepts(&mut terms, &facts, &[&rounds[0]], &decreases(), &Budget::unlimited().with_conflicts(20_000)));
        assert!(!accepts(&mut terms, &[], &[&rounds[0]], &decreases(), &Budget::unlimited().with_conflicts(20_000)));
    }

    #[test]
    fn small_questions_stay() {
        let mut terms = Terms::new();
        let (_, mut round) = subtraction(&mut terms);
        (round.entered, round.again) = (terms.bool(true), terms.bool(true));
        assert!(generalised(&mut terms, &[], &[&round]).is_none());
    }
}

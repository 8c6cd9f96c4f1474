//! Candidates of a counter, and what premises they need.

use super::*;
use encode::Tested;
use logic::Sort;

/// A loop `while (x < 10) x = x + 1` from some `x`, with candidates `x <= limit`.
struct Counter {
    terms: Terms,
    first: Term,
    x: Term,
    again: Term,
}

impl Counter {
    fn new(start: Option<u128>) -> Self {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::Bits(8));
        let first = match start {
            Some(start) => terms.number(8, start),
            None => terms.variable("first", Sort::Bits(8)),
        };
        let ten = terms.number(8, 10);
        let again = terms.ult(x, ten);
        Counter { terms, first, x, again }
    }
    fn candidate(&mut self, limit: u128) -> Tested {
        let terms = &mut self.terms;
        let (limit, one) = (terms.number(8, limit), terms.one(8));
        let next = terms.add(self.x, one);
        let (entry, head, again) = (terms.ule(self.first, limit), terms.ule(self.x, limit), terms.ule(next, limit));
        Tested { literal: terms.fresh("candidate", Sort::Bool), entry, head, again, elements: false }
    }
    fn test(&mut self, limits: &[u128], entered: Option<Term>) -> (Vec<Tested>, Vec<Option<Alternatives>>) {
        let candidates: Vec<Tested> = limits.iter().map(|&limit| self.candidate(limit)).collect();
        let truth = self.terms.bool(true);
        let entered = entered.unwrap_or(truth);
        let again = self.terms.and(entered, self.again);
        let step = Step {
            candidates: &candidates,
            entered,
            entered_valid: truth,
            head_valid: truth,
            again,
            again_valid: truth,
            facts: &[],
            outer: &[],
            bold: &[],
            leant_on: true,
        };
        let tests = test_candidates(&mut self.terms, &[step], &Budget::unlimited(), Care::Usual).remove(0);
        (candidates, tests.findings.into_iter().map(Finding::premise).collect())
    }
}

#[test]
fn what_an_iteration_keeps_is_kept() {
    let mut counter = Counter::new(Some(0));
    let (_, conditions) = counter.test(&[5, 9, 10, 200], None);
    assert_eq!(conditions, [None, None, Some(vec![Vec::new()]), Some(vec![Vec::new()])]);
}

#[test]
fn loops_together_are_as_each_by_itself() {
    let mut counter = Counter::new(None);
    let all: Vec<Vec<Tested>> = (0..20).map(|limit| vec![counter.candidate(limit), counter.candidate(2 * limit)]).collect();
    let truth = counter.terms.bool(true);
    let step = |candidates| Step {
        candidates,
        entered: truth,
        entered_valid: truth,
        head_valid: truth,
        again: counter.again,
        again_valid: truth,
        facts: &[],
        outer: &[],
        bold: &[],
        leant_on: true,
    };
    let steps: Vec<Step<'_>> = all.iter().map(|candidates| step(candidates)).collect();
    let before = counter.terms.len();
    let together = test_candidates(&mut counter.terms, &steps, &Budget::unlimited(), Care::Usual);
    let alone = steps.chunks(1).flat_map(|step| test_candidates(&mut counter.terms, step, &Budget::unlimited(), Care::Usual));
    assert_eq!(together, alone.collect::<Vec<_>>());
    let all_hold = |tests: &Tests| tests.findings.iter().all(|finding| matches!(finding, Finding::Holds(_)));
    // `x <= 8` follows as long as `x <= 4` is assumed.
    assert_eq!(together[4].findings, [Finding::Fails, Finding::Falls]);
    assert!(all_hold(&together[10]));
    assert_eq!(counter.terms.len(), before);
}

#[test]
fn what_may_not_hold_before_is_kept_if_it_does() {
    let mut counter = Counter::new(None);
    let (candidates, conditions) = counter.test(&[5, 10, 200], None);
    let valid = counter.terms.bool(true);
    assert_eq!(conditions, [None, Some(vec![vec![valid, candidates[1].entry]]), Some(vec![vec![valid, candidates[2].entry]])]);
}

#[test]
fn nothing_follows_from_a_loop_that_is_never_entered() {
    let mut counter = Counter::new(Some(0));
    let unknown = counter.terms.variable("unknown", Sort::Bits(8));
    let (zero, one) = (counter.terms.zero(8), counter.terms.one(8));
    let (is_zero, is_one) = (counter.terms.equal(unknown, zero), counter.terms.equal(unknown, one));
    let never = counter.terms.and(is_zero, is_one);
    let (candidates, conditions) = counter.test(&[5], Some(never));
    // It holds of all runs that come there: there are none.
    let premises = &conditions[0].as_deref().expect("kept")[0];
    let step = Step {
        candidates: &candidates,
        entered: never,
        entered_valid: never,
        head_valid: never,
        again: never,
        again_valid: never,
        facts: &[],
        outer: &[],
        bold: &[],
        leant_on: true,
    };
    let facts = Induction::new(Budget::unlimited(), EFFORT).facts_of(&mut counter.terms, &step, 0, premises);
    let broken = counter.terms.not(candidates[0].head);
    let mut context = context(&mut counter.terms, &facts, true);
    assert_eq!(context.solve(&mut counter.terms, &[broken], &Budget::unlimited()), Answer::Sat);
}

#[test]
fn one_model_refutes_all_that_can_fail_together() {
    let mut counter = Counter::new(None);
    let candidates: Vec<Tested> = (20..60).map(|limit| counter.candidate(limit)).collect();
    let truth = counter.terms.bool(true);
    let hundred = counter.terms.number(8, 100);
    let entered = counter.terms.ule(hundred, counter.first);
    let step = Step {
        candidates: &candidates,
        entered,
        entered_valid: truth,
        head_valid: truth,
        again: counter.again,
        again_valid: truth,
        facts: &[],
        outer: &[],
        bold: &[],
        leant_on: true,
    };
    let mut induction = Induction::new(Budget::unlimited(), EFFORT);
    induction.contexts = [context(&mut counter.terms, &[], true), context(&mut counter.terms, &[], true)];
    let mut pool: Vec<usize> = (0..candidates.len()).collect();
    let proofs = induction.largest(&mut counter.terms, &step, &[entered], &mut pool, |candidate| candidate.entry, false);
    assert_eq!((proofs, pool, induction.questions), (Vec::new(), Vec::new(), 1));
}

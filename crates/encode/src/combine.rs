//! Combinations of predicates as candidates: they are found when the body of a loop is known, and tested when other invariants are.

use logic::{Sort, Term, Terms};

use crate::encoder::{Encoder, Info};
use crate::evaluate::Moments;
use crate::formula::Formula;
use crate::leap::Next;
use crate::state::State;
use crate::summary::{Behind, Candidate, Scope, Tested};

/// A loop whose body was walked.
pub(crate) struct Walked<'a, 'p> {
    pub(crate) info: &'a Info<'p>,
    /// How many terms there were when it began.
    pub(crate) start: usize,
    /// When it is entered, at its head, and at its head again.
    pub(crate) moments: [Moments<'a>; 3],
}

/// What is known at the head of a loop: candidates, where they hold. Nothing is known of elements of arrays, which costs more than it helps.
fn known(terms: &mut Terms, guard: Term, tested: &[Tested], kept: &[Option<Term>]) -> Vec<Term> {
    let mut known = Vec::new();
    for (tested, condition) in tested.iter().zip(kept) {
        if let (Some(condition), false) = (condition, tested.elements) {
            let there = terms.and(guard, *condition);
            known.push(terms.implies(there, tested.head));
        }
    }
    known
}

impl<'p> Encoder<'p> {
    /// Candidates that the summarizer makes of predicates, with the conditions under which they hold at the head; some candidates are tested already.
    pub(crate) fn combined(
        &mut self,
        walked: &Walked<'_, 'p>,
        predicates: &[Formula],
        tested: &[Tested],
        kept: &[Option<Term>],
    ) -> Vec<(Candidate, Tested, Option<Term>)> {
        if predicates.is_empty() {
            return Vec::new();
        }
        let [entry, head, again] = walked.moments.each_ref().map(|moments| moments.now);
        let known = known(&mut self.terms, head.guard, tested, kept);
        for scope in [Scope::Small, Scope::Whole] {
            let Some(candidates) = self.combine(walked, predicates, &known, scope) else { continue };
            let tests: Vec<Tested> = candidates.iter().map(|(_, test)| *test).collect();
            let conditions = self.test(&tests, &known, walked.start, [entry, head, again]);
            // What small numbers taught may be wrong for others.
            if scope == Scope::Whole || conditions.iter().all(Option::is_some) {
                return candidates.into_iter().zip(conditions).map(|((candidate, test), condition)| (candidate, test, condition)).collect();
            }
        }
        Vec::new()
    }

    fn combine(
        &mut self,
        walked: &Walked<'_, 'p>,
        predicates: &[Formula],
        known: &[Term],
        scope: Scope,
    ) -> Option<Vec<(Candidate, Tested)>> {
        let (mut formulas, mut tested) = (Vec::new(), Vec::new());
        for predicate in predicates {
            if let Some(test) = self.tested(walked, predicate) {
                formulas.push(predicate.clone());
                tested.push(test);
            }
        }
        let states = walked.moments.each_ref().map(|moments| moments.now);
        let iteration = self.iteration_on_trial(&tested, known, walked.start, states);
        let candidates = self.summarizer.as_mut()?.combine(&mut self.terms, &iteration.step(), &formulas, scope);
        let worthwhile =
            |encoder: &Self, test: &Tested| encoder.terms.as_bool(test.entry) != Some(false) && encoder.terms.as_bool(test.head).is_none();
        let mut found = Vec::new();
        for candidate in candidates? {
            if let Some(test) = self.tested(walked, &candidate.formula).filter(|test| worthwhile(self, test)) {
                found.push((candidate, test));
            }
        }
        Some(found)
    }

    fn tested(&mut self, walked: &Walked<'_, 'p>, formula: &Formula) -> Option<Tested> {
        let [entered, at_head, after] = &walked.moments;
        let entry = self.formula(walked.info, entered, formula)?;
        let head = self.formula(walked.info, at_head, formula)?;
        let again = self.formula(walked.info, after, formula)?;
        let literal = self.terms.fresh("candidate", Sort::Bool);
        Some(Tested { literal, entry, head, again, elements: formula.has_elements() })
    }

    /// Predicates where control leaves a loop, without those that cannot be said there.
    pub(crate) fn behind(&mut self, info: &Info<'p>, [entry, head]: [&State; 2], left: &Next, predicates: Vec<Formula>) -> Vec<Behind> {
        // Predicates do not speak of iterations.
        let iterations = self.terms.zero(64);
        let mut found = Vec::new();
        for formula in predicates {
            let mut at = |now| self.formula(info, &Moments { entry, now, iterations, result: None }, &formula);
            let ways: Option<Vec<(Term, Term)>> = left.iter().map(|(_, state)| Some((state.guard, at(state)?))).collect();
            let (Some(head), Some(ways)) = (at(head), ways) else { continue };
            let ways: Vec<Term> = ways.into_iter().map(|(guard, holds)| self.terms.and(guard, holds)).collect();
            found.push(Behind { formula, head, left: self.terms.any(ways) });
        }
        found
    }
}

//! Candidates on trial: at once, or later, together with those of other loops.
//!
//! The trial of a loop that is in no other one knows what holds from the start and what was noted inside, nothing of other loops: so such loops do not depend
//! on each other. Unless the walk itself depends on the outcome, it goes on, and the trials are held together, by several threads. What is kept
//! is noted where it would have been noted at once.

use logic::Term;
use pointers::Object;

use crate::encoder::{Encoder, Encoding};
use crate::formula::Formula;
use crate::leap::Mark;
use crate::slice::{Extent, FactIndex, Meaning, Slice, Topic, variables_since};
use crate::state::State;
use crate::summary::{Candidate, Finding, Kept, Step, Tested};

/// A trial with more terms than this is held on a slice …
const LARGE: usize = 5_000;
/// … of this size.
const EXTENT: Extent = Extent { rounds: 3, facts: 200, condition: 200 };

/// A candidate with its literal, and what it says when the loop is entered and at its head.
pub(crate) struct Trial {
    pub(crate) candidate: Candidate,
    pub(crate) literal: Term,
    pub(crate) entry: Term,
    pub(crate) head: Term,
}

/// One iteration of a loop, as a trial of its candidates knows it.
pub(crate) struct Iteration {
    candidates: Vec<Tested>,
    entered: Term,
    entered_valid: Term,
    head_valid: Term,
    again: Term,
    again_valid: Term,
    facts: Vec<Term>,
    outer: Vec<Term>,
    bold: Vec<Term>,
    leant_on: bool,
    meaning: Meaning,
}

impl Iteration {
    /// As it is shown to the summarizer.
    pub(crate) fn step(&self) -> Step<'_> {
        Step {
            candidates: &self.candidates,
            entered: self.entered,
            entered_valid: self.entered_valid,
            head_valid: self.head_valid,
            again: self.again,
            again_valid: self.again_valid,
            facts: &self.facts,
            outer: &self.outer,
            bold: &self.bold,
            leant_on: self.leant_on,
        }
    }
}

/// The candidates of a loop, to be noted as far as they are kept.
pub(crate) struct Record {
    pub(crate) trials: Vec<Trial>,
    /// That control comes to the loop.
    pub(crate) guard: Term,
    /// How many terms there were when it began.
    pub(crate) start: usize,
    /// The position of its leap.
    pub(crate) leap: usize,
}

/// A trial that is held later.
pub(crate) struct Deferred {
    iteration: Iteration,
    record: Record,
    /// Where the facts begin that take the places of its facts, two for each candidate.
    facts: usize,
}

/// The outcome of a trial.
pub(crate) enum Outcome {
    /// For each candidate, the condition under which it holds at the head.
    Known(Vec<Option<Term>>),
    /// It is not needed yet.
    Later(Iteration),
}

impl Encoder<'_> {
    /// Which candidates hold at a head; some facts are known of it beyond those of the walk.
    pub(crate) fn test(&mut self, tested: &[Tested], known: &[Term], start: usize, states: [&State; 3]) -> Vec<Option<Term>> {
        self.findings(tested, known, start, states).into_iter().map(Finding::premise).collect()
    }

    /// The same with what is to be said of the others.
    pub(crate) fn findings(&mut self, tested: &[Tested], known: &[Term], start: usize, states: [&State; 3]) -> Vec<Finding<Term>> {
        if tested.is_empty() {
            return Vec::new();
        }
        let mut iteration = self.iteration_on_trial(tested, known, start, states);
        self.hold(std::slice::from_mut(&mut iteration)).pop().unwrap_or_else(|| vec![Finding::Fails; tested.len()])
    }

    /// Which candidates an iteration certainly does not keep.
    pub(crate) fn refuted(&mut self, tested: &[Tested], start: usize, states: [&State; 3]) -> Vec<bool> {
        let iteration = self.iteration_on_trial(tested, &[], start, states);
        match self.summarizer.as_mut() {
            Some(summarizer) => summarizer.refute(&mut self.terms, &iteration.step()),
            None => vec![false; tested.len()],
        }
    }

    /// For each iteration, and for each of its candidates, the condition under which it holds at the head.
    fn hold(&mut self, iterations: &mut [Iteration]) -> Vec<Vec<Finding<Term>>> {
        let Some(summarizer) = self.summarizer.as_mut() else { return Vec::new() };
        let steps: Vec<Step<'_>> = iterations.iter().map(Iteration::step).collect();
        let found = summarizer.test(&mut self.terms, &steps);
        let mut findings = Vec::with_capacity(found.len());
        for (found, Iteration { meaning, .. }) in found.into_iter().zip(iterations) {
            let mut condition = |finding: Finding| match finding {
                Finding::Holds(alternatives) => {
                    let mut recalled = |premise: Term| meaning.recalled(&mut self.terms, premise);
                    let alternatives: Vec<Vec<Term>> =
                        alternatives.into_iter().map(|premises| premises.into_iter().map(&mut recalled).collect()).collect();
                    let premises: Vec<Term> = alternatives.into_iter().map(|premises| self.terms.all(premises)).collect();
                    Finding::Holds(self.terms.any(premises))
                }
                Finding::Fails => Finding::Fails,
                Finding::Falls => Finding::Falls,
            };
            findings.push(found.into_iter().map(&mut condition).collect());
        }
        findings
    }

    /// One iteration of a loop, which began at so many terms: from the state in which it is entered, that at its head, and that after the iteration.
    pub(crate) fn iteration_on_trial(
        &mut self,
        tested: &[Tested],
        known: &[Term],
        start: usize,
        [entry, head, again]: [&State; 3],
    ) -> Iteration {
        // What holds from the start, and what was noted since the nest began.
        let (start_facts, nest) = (..self.standing_facts.min(self.nest_facts), self.nest_facts..);
        let mut facts = [&self.facts[start_facts], &self.facts[nest.clone()]].concat();
        facts.extend(self.untested_facts.iter().map(|(fact, _)| *fact));
        let roots: Vec<Term> = tested.iter().flat_map(|tested| [tested.entry, tested.head, tested.again]).collect();
        let mut said = self.topics[nest.clone()].iter().flat_map(|topic| &topic.said);
        let leant_on = said.any(|term| tested.iter().any(|tested| tested.literal == *term));
        let conditions = [entry.valid, head.valid, again.guard, again.valid];
        let all: Vec<Term> = facts.iter().chain(&roots).chain(&conditions).copied().collect();
        let large = self.terms.are_more_than(&all, LARGE);
        let since = if large { self.recent(start) } else { self.nest_past };
        let mut slice = Slice::new(since..usize::MAX, EXTENT);
        if large {
            let mut topics = [&self.topics[start_facts], &self.topics[nest]].concat();
            topics.extend(self.untested_facts.iter().map(|(_, topic)| topic.clone()));
            slice.include(&self.terms, &roots);
            facts = slice.facts(&self.terms, &FactIndex::new(&facts, &topics));
        }
        facts.extend(known);
        // The conditions of the path are few already.
        slice.keep(head.guard);
        let terms = &mut self.terms;
        let candidates: Vec<Tested> = tested
            .iter()
            .map(|candidate| Tested {
                entry: slice.term(terms, candidate.entry),
                head: slice.term(terms, candidate.head),
                again: slice.term(terms, candidate.again),
                ..*candidate
            })
            .collect();
        let mut sliced = |term: Term| if large { slice.condition(terms, term) } else { slice.term(terms, term) };
        let facts: Vec<Term> = facts.into_iter().map(&mut sliced).collect();
        let [entered_valid, head_valid, again_guard, again_valid] = conditions.map(sliced);
        Iteration {
            candidates,
            entered: head.guard,
            entered_valid,
            head_valid,
            again: again_guard,
            again_valid,
            facts,
            bold: self.untested.iter().filter(|literal| self.bold.contains(literal)).copied().collect(),
            outer: self.untested.clone(),
            leant_on,
            meaning: slice.meaning(),
        }
    }

    /// Notes the candidates of a loop that are kept, now or later.
    pub(crate) fn note_outcome(&mut self, record: Record, outcome: Outcome) {
        match outcome {
            Outcome::Known(conditions) => {
                let each = self.kept_each(&record, &conditions);
                for (fact, topic) in self.kept_facts(record, conditions) {
                    self.note_fact(fact, topic);
                }
                for (origin, condition, holds) in each {
                    self.note_each(origin, condition, holds);
                }
            }
            Outcome::Later(iteration) => {
                let (facts, truth) = (self.facts.len(), self.terms.bool(true));
                for _ in 0..2 * record.trials.len() {
                    self.note_fact(truth, Topic::vacant());
                }
                self.deferred.push(Deferred { iteration, record, facts });
            }
        }
    }

    /// Holds the trials that were put off.
    pub(crate) fn settle_deferred(&mut self) {
        let (mut iterations, mut records) = (Vec::new(), Vec::new());
        for Deferred { iteration, record, facts } in std::mem::take(&mut self.deferred) {
            iterations.push(iteration);
            records.push((record, facts));
        }
        if iterations.is_empty() {
            return;
        }
        let findings = self.hold(&mut iterations);
        for ((record, first), findings) in records.into_iter().zip(findings) {
            let conditions = findings.into_iter().map(Finding::premise).collect();
            for (place, (fact, topic)) in self.kept_facts(record, conditions).into_iter().enumerate() {
                self.facts[first + place] = fact;
                self.topics[first + place] = topic;
            }
        }
    }

    /// What the candidates that are kept say: two facts for each, when it holds and what holds then.
    fn kept_facts(&mut self, record: Record, conditions: Vec<Option<Term>>) -> Vec<(Term, Topic)> {
        let Record { trials, guard, start, leap } = record;
        let mut facts = Vec::new();
        for (Trial { candidate, literal, head, .. }, condition) in trials.into_iter().zip(conditions) {
            let Some(condition) = condition else { continue };
            facts.push(self.decided_fact(literal, condition));
            let holds = self.terms.and(guard, literal);
            let about = variables_since(&self.terms, head, start);
            facts.push((self.terms.implies(holds, head), Topic::new(about, vec![head, literal])));
            let always = self.terms.as_bool(condition) == Some(true);
            if let Some(leap) = self.leaps.get_mut(leap) {
                leap.kept.push(Kept { candidate, always, literal, head });
            }
        }
        facts
    }

    /// What is kept that is said of each object of an origin, with the condition under which.
    fn kept_each(&mut self, record: &Record, conditions: &[Option<Term>]) -> Vec<(Object, Term, Term)> {
        let mut kept = Vec::new();
        for (trial, condition) in record.trials.iter().zip(conditions) {
            if let (Formula::Each(each), Some(condition)) = (&trial.candidate.formula, *condition) {
                kept.push((each.object, self.terms.and(record.guard, condition), trial.head));
            }
        }
        kept
    }

    /// Forgets the trials of loops that were noted since.
    pub(crate) fn forget_deferred(&mut self, mark: &Mark) {
        self.deferred.retain(|deferred| deferred.record.leap < mark.leaps);
    }
}

impl Encoding {
    /// Leaves out the places of facts that did not turn out to hold.
    pub(crate) fn without_vacant_facts(mut self) -> Self {
        // For each position, how many facts stand before it.
        let mut before = vec![0];
        for topic in &self.topics {
            before.push(before[before.len() - 1] + usize::from(!topic.is_vacant()));
        }
        let mut topics = self.topics.iter();
        self.facts.retain(|_| topics.next().is_some_and(|topic| !topic.is_vacant()));
        self.topics.retain(|topic| !topic.is_vacant());
        for round in &mut self.rounds {
            let at = |position: usize| before.get(position).copied().unwrap_or(self.facts.len());
            round.facts = at(round.facts.start)..at(round.facts.end);
        }
        self
    }
}

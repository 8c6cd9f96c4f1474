//! Whether a model of the SAT solver is one of the arrays, and the axioms that it violates.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::relevance::Relevance;
use super::{ArrayTheory, Lemma, Refinement};
use crate::bits::Bits;
use crate::blast::{Blaster, Unsupported};
use crate::op::Op;
use crate::rewrite::trailing_zeros;
use crate::runs::{Content, Model, Run};
use crate::sat::{Budget, SatSolver};
use crate::segment::{self, Fact, moved_bits};
use crate::term::{Term, Terms};

/// A read that was followed to an array.
#[derive(Clone)]
pub(super) struct Read {
    /// The `Select` of the question that everything follows from; made only where it is needed for others.
    term: Option<Term>,
    array: Term,
    /// The index as a term and in the model.
    pub(super) index: Term,
    at: Bits,
    /// What the read must give there.
    value: Bits,
    /// The read that it follows from, and the axiom by which it does.
    parent: Option<(usize, Step)>,
}

/// How a read goes from one array term to the next.
#[derive(Clone, Copy)]
enum Step {
    /// By the definition of this array term, which one of the two is made with.
    Definition(Term),
    /// By a fact.
    Fact(Passage),
}

/// So many reads pass from array to array by facts in one look: an array that agrees with itself a little further on would take many steps.
const MOST_PASSED: usize = 1 << 9;

/// So many reads are followed before the clock is looked at again.
const BETWEEN_LOOKS: usize = 16;

/// How reads of an array pass to another one by a fact that holds.
#[derive(Clone, Copy)]
pub(super) struct Passage {
    fact: Term,
    pub(super) to: Term,
    /// Of a segment: where it begins here and there, and which of the two its end is one of.
    segment: Option<Way>,
}

/// How indices of two segments that agree are moved to each other.
#[derive(Clone, Copy)]
struct Way {
    here: Term,
    there: Term,
    /// The end of the segment in the first array of the fact.
    end: Term,
    step: u64,
    /// Whether it leads from the second array to the first.
    back: bool,
}

/// One look at a model.
pub(super) struct Check<'a, S> {
    pub(super) terms: &'a mut Terms,
    blaster: &'a mut Blaster<S>,
    values: FxHashMap<Term, Bits>,
    pub(super) reads: Vec<Read>,
    /// The read that first came to an array at an index.
    pub(super) places: FxHashMap<(Term, Bits), usize>,
    pub(super) lemmas: Vec<Lemma>,
    /// How reads pass between arrays that are equal or agree in the model.
    pub(super) passages: FxHashMap<Term, Vec<Passage>>,
    passed: usize,
    /// What is read of array variables; complete once all reads are followed.
    pub(super) content: FxHashMap<Term, BTreeMap<Bits, Bits>>,
    /// Arrays that were looked at as a whole.
    pub(super) runs: FxHashMap<Term, Option<Rc<[Run]>>>,
}

impl ArrayTheory {
    /// Compares the solver's model with the axioms and adds those that it violates.
    pub fn refine<S: SatSolver>(
        &mut self,
        terms: &mut Terms,
        blaster: &mut Blaster<S>,
        complete: bool,
        budget: &Budget,
    ) -> Result<Refinement, Unsupported> {
        let relevance = self.relevance(terms, blaster);
        let facts = &relevance.facts;
        let mut check = Check {
            terms,
            blaster,
            values: FxHashMap::default(),
            reads: Vec::new(),
            places: FxHashMap::default(),
            lemmas: Vec::new(),
            passages: FxHashMap::default(),
            passed: 0,
            content: FxHashMap::default(),
            runs: FxHashMap::default(),
        };
        check.note_passages(facts);
        for &read in &relevance.reads {
            check.start(read);
        }
        if !check.follow_all(&self.parents, &relevance, budget) {
            return Ok(Refinement::Stuck);
        }
        check.note_content();
        for &fact in facts {
            check.bounds(fact);
        }
        let unseen: Vec<Term> = facts.iter().copied().filter(|fact| !self.witnesses.contains_key(fact) && !check.holds(*fact)).collect();
        if check.lemmas.is_empty() && unseen.is_empty() {
            let unread: &[Term] = if complete { facts } else { &[] };
            (self.content, self.defaults) = check.completed(&self.prepared, unread);
            return Ok(Refinement::Consistent);
        }
        for &fact in facts {
            if let Some(&(witness, _)) = self.witnesses.get(&fact) {
                check.anticipate(fact, witness, facts);
            }
        }
        let lemmas = std::mem::take(&mut check.lemmas);
        for &fact in &unseen {
            self.add_witness(terms, blaster, fact)?;
        }
        match self.add_all(terms, blaster, lemmas)? {
            Refinement::Stuck if !unseen.is_empty() => Ok(Refinement::Added),
            other => Ok(other),
        }
    }
}

impl<S: SatSolver> Check<'_, S> {
    /// The value of a blasted term in the model.
    pub(super) fn value(&mut self, term: Term) -> Bits {
        if let Some(value) = self.values.get(&term) {
            return value.clone();
        }
        let value = self.blaster.value(term).unwrap_or_else(|| Bits::zero(self.terms.width(term)));
        self.values.insert(term, value.clone());
        value
    }
    pub(super) fn holds(&mut self, term: Term) -> bool {
        !self.value(term).is_zero()
    }

    /// Notes where reads pass from an array to another.
    fn note_passages(&mut self, facts: &[Term]) {
        for &term in facts {
            let Some(fact) = Fact::of(self.terms, term).filter(|_| self.holds(term)) else { continue };
            let (a, b, there, back) = match fact {
                Fact::Equal { a, b } => (a, b, None, None),
                Fact::Agree { a, from_a, b, from_b, end, step } => {
                    let way = Way { here: from_a, there: from_b, end, step, back: false };
                    (a, b, Some(way), Some(Way { here: from_b, there: from_a, back: true, ..way }))
                }
                Fact::Within { .. } => continue,
            };
            self.passages.entry(a).or_default().push(Passage { fact: term, to: b, segment: there });
            self.passages.entry(b).or_default().push(Passage { fact: term, to: a, segment: back });
        }
    }

    /// A read of the question.
    fn start(&mut self, read: Term) {
        // What the circuits do not need has no value.
        if let (&[array, index], Some(_)) = (self.terms.args(read), self.blaster.known(read)) {
            let (at, value) = (self.value(index), self.value(read));
            self.reads.push(Read { term: Some(read), array, index, at, value, parent: None });
        }
    }

    /// Follows all reads; false if there is no time for it.
    fn follow_all(&mut self, parents: &FxHashMap<Term, Vec<Term>>, relevance: &Relevance, budget: &Budget) -> bool {
        let mut next = 0;
        while next < self.reads.len() {
            if next % BETWEEN_LOOKS == 0 && budget.exhausted().is_some() {
                return false;
            }
            self.follow(next, parents, relevance);
            next += 1;
        }
        true
    }

    /// Follows a read one step.
    fn follow(&mut self, number: usize, parents: &FxHashMap<Term, Vec<Term>>, relevance: &Relevance) {
        let read = self.reads[number].clone();
        match self.places.entry((read.array, read.at.clone())) {
            Entry::Occupied(first) => {
                let first = *first.get();
                if self.reads[first].value != read.value {
                    self.conflict_of_reads(first, number);
                }
                return;
            }
            Entry::Vacant(place) => {
                place.insert(number);
            }
        }
        self.follow_down(number, &read);
        for passage in self.passages.get(&read.array).cloned().unwrap_or_default() {
            self.follow_passage(number, &read, passage);
        }
        for &parent in parents.get(&read.array).into_iter().flatten().filter(|&&parent| relevance.includes(parent)) {
            self.follow_up(number, &read, parent);
        }
    }

    /// Into an array that has the same element by a fact.
    fn follow_passage(&mut self, number: usize, read: &Read, passage: Passage) {
        self.passed += 1;
        if self.passed > MOST_PASSED {
            return;
        }
        if let Some(moved) = self.through(passage, read.index, &read.at) {
            self.pass_on(number, passage.to, Step::Fact(passage), Some(moved));
        }
    }

    /// The index in another array whose element is the same by a fact, as a term and in the model.
    pub(super) fn through(&mut self, passage: Passage, index: Term, at: &Bits) -> Option<(Term, Bits)> {
        let Some(Way { here, there, end, step, back }) = passage.segment else { return Some((index, at.clone())) };
        let (low, start) = (self.terms.width(end), self.value(here));
        let place = moved_bits(at, &start, &self.value(there), low);
        // An index that is moved back lies where it began only if its high bits are right.
        let inside = if back {
            self.segment(there, end, step).contains(&place) && moved_bits(&place, &self.value(there), &start, low) == *at
        } else {
            self.segment(here, end, step).contains(at)
        };
        inside.then(|| (segment::moved(self.terms, index, here, there, low), place))
    }
    /// When an element is the same by a fact.
    pub(super) fn condition_of(&mut self, passage: Passage, index: Term) -> Term {
        let Some(Way { here, there, end, step, back }) = passage.segment else { return passage.fact };
        let inside = if back {
            segment::contains_moved(self.terms, (here, there), end, step, index)
        } else {
            segment::contains(self.terms, here, end, step, index)
        };
        self.terms.and(passage.fact, inside)
    }

    /// Into what the array is made of.
    fn follow_down(&mut self, number: usize, read: &Read) {
        let step = Step::Definition(read.array);
        match (self.terms.op(read.array), self.terms.node(read.array).args.clone().as_slice()) {
            (Op::Store, &[inner, index, value]) => {
                if self.value(index) != read.at {
                    self.pass_on(number, inner, step, None);
                } else if self.value(value) != read.value {
                    let (same, read_value) = (self.terms.equal(read.index, index), self.read_term(read));
                    let written = self.terms.equal(read_value, value);
                    self.conflict(number, same, written);
                }
            }
            (Op::Ite, &[condition, yes, no]) => {
                let inner = if self.holds(condition) { yes } else { no };
                self.pass_on(number, inner, step, None);
            }
            (Op::ConstantArray, &[value]) if self.value(value) != read.value => {
                let (always, read_value) = (self.terms.bool(true), self.read_term(read));
                let everywhere = self.terms.equal(read_value, value);
                self.conflict(number, always, everywhere);
            }
            (Op::Table(table), _) => {
                let content = self.terms.table_value(table);
                let value = content.get(&read.at).clone();
                if value != read.value {
                    let (first, last) = content.plateau(&read.at, trailing_zeros(self.terms, read.index));
                    self.conflict_with_table(number, first, last, value);
                }
            }
            (Op::Copy, &[inner, at, source, from, count]) => {
                let distance = read.at.sub(&self.value(at));
                if distance.ult(&self.value(count)) {
                    let place = self.value(from).add(&distance);
                    let index = segment::shifted(self.terms, read.index, at, from);
                    self.pass_on(number, source, step, Some((index, place)));
                } else {
                    self.pass_on(number, inner, step, None);
                }
            }
            _ => {}
        }
    }

    /// What a read gives, as a term.
    fn read_term(&mut self, read: &Read) -> Term {
        read.term.unwrap_or_else(|| self.terms.select(read.array, read.index))
    }

    /// Into an array that is made of this one, where that has the same element.
    fn follow_up(&mut self, number: usize, read: &Read, parent: Term) {
        let step = Step::Definition(parent);
        match (self.terms.op(parent), self.terms.node(parent).args.clone().as_slice()) {
            (Op::Store, &[_, index, _]) if self.value(index) != read.at => self.pass_on(number, parent, step, None),
            (Op::Ite, &[condition, yes, no]) => {
                let chosen = if self.holds(condition) { yes } else { no };
                if chosen == read.array {
                    self.pass_on(number, parent, step, None);
                }
            }
            (Op::Copy, &[inner, at, source, from, count]) => {
                let outside = !read.at.sub(&self.value(at)).ult(&self.value(count));
                if inner == read.array && outside {
                    self.pass_on(number, parent, step, None);
                }
                let distance = read.at.sub(&self.value(from));
                if source == read.array && distance.ult(&self.value(count)) {
                    let place = self.value(at).add(&distance);
                    let index = segment::shifted(self.terms, read.index, from, at);
                    self.pass_on(number, parent, step, Some((index, place)));
                }
            }
            _ => {}
        }
    }

    fn pass_on(&mut self, number: usize, array: Term, step: Step, moved: Option<(Term, Bits)>) {
        let from = &self.reads[number];
        let (index, at) = moved.unwrap_or_else(|| (from.index, from.at.clone()));
        let value = from.value.clone();
        self.reads.push(Read { term: None, array, index, at, value, parent: Some((number, step)) });
    }

    /// A read between two indices of a table that have the same value as all indices between them.
    fn conflict_with_table(&mut self, number: usize, first: Bits, last: Bits, value: Bits) {
        let read = self.reads[number].clone();
        let length = self.terms.bits(last.sub(&first));
        let (first, value) = (self.terms.bits(first), self.terms.bits(value));
        let distance = self.terms.sub(read.index, first);
        let inside = self.terms.ule(distance, length);
        let read_value = self.read_term(&read);
        let entry = self.terms.equal(read_value, value);
        self.conflict(number, inside, entry);
    }

    /// Two reads of one place with different values.
    fn conflict_of_reads(&mut self, first: usize, second: usize) {
        let (a, b) = (self.reads[first].clone(), self.reads[second].clone());
        let same = self.terms.equal(a.index, b.index);
        let (x, y) = (self.read_term(&a), self.read_term(&b));
        let agree = self.terms.equal(x, y);
        self.explain(first);
        self.conflict(second, same, agree);
    }

    /// A read that contradicts `condition ⇒ conclusion`.
    fn conflict(&mut self, number: usize, condition: Term, conclusion: Term) {
        let lemma = self.terms.implies(condition, conclusion);
        self.lemmas.push(Lemma { term: lemma, instance: None });
        self.explain(number);
    }

    /// The axioms that lead from a term's read to here.
    pub(super) fn explain(&mut self, number: usize) {
        let mut number = number;
        while let Some((previous, step)) = self.reads[number].parent {
            let from = self.before_writes(number);
            let (first, condition) =
                if from == number { (previous, self.condition(previous, number, step)) } else { (from, self.elsewhere(from, number)) };
            let (outer, inner) = (self.reads[first].clone(), self.reads[number].clone());
            let (x, y) = (self.read_term(&outer), self.read_term(&inner));
            self.push_agreement(condition, x, y);
            number = first;
        }
    }

    /// When a read is the one that follows from it by a step.
    fn condition(&mut self, outer: usize, inner: usize, step: Step) -> Term {
        let (outer, inner) = (self.reads[outer].clone(), self.reads[inner].clone());
        match step {
            Step::Fact(passage) => self.condition_of(passage, outer.index),
            Step::Definition(array) => {
                // The axiom speaks of the index at which the array term itself is read.
                let whole = if array == outer.array { &outer } else { &inner };
                self.reason(whole)
            }
        }
    }

    /// Where a read was before it passed by writes to other places, one after the other.
    fn before_writes(&self, number: usize) -> usize {
        let mut first = number;
        while let Some((previous, Step::Definition(array))) = self.reads[first].parent
            && array == self.reads[previous].array
            && self.terms.op(array) == Op::Store
        {
            first = previous;
        }
        first
    }

    /// That a read passes by all the writes between two points: one axiom for all of them, since nobody wants to know what is read in between.
    fn elsewhere(&mut self, first: usize, last: usize) -> Term {
        let mut passed = Vec::new();
        let mut number = last;
        while number != first
            && let Some((previous, _)) = self.reads[number].parent
        {
            passed.push(previous);
            number = previous;
        }
        // From the outermost on, so that reads that stop at different writes share what they have in common.
        let mut condition = self.terms.bool(true);
        for &number in passed.iter().rev() {
            let read = self.reads[number].clone();
            let here = self.reason(&read);
            condition = self.terms.and(condition, here);
        }
        condition
    }

    pub(super) fn push_agreement(&mut self, condition: Term, x: Term, y: Term) {
        let agree = self.terms.equal(x, y);
        let lemma = self.terms.implies(condition, agree);
        self.lemmas.push(Lemma { term: lemma, instance: None });
    }

    /// The condition, true in the model, under which a read of an array term is a read of the part that it was followed to.
    fn reason(&mut self, read: &Read) -> Term {
        match (self.terms.op(read.array), self.terms.node(read.array).args.clone().as_slice()) {
            (Op::Store, &[_, place, _]) => self.terms.differ(place, read.index),
            (Op::Ite, &[condition, ..]) => {
                let holds = self.holds(condition);
                if holds { condition } else { self.terms.not(condition) }
            }
            (Op::Copy, &[_, at, _, _, count]) => {
                let inside = segment::is_copied(self.terms, at, count, read.index);
                let holds = read.at.sub(&self.value(at)).ult(&self.value(count));
                if holds { inside } else { self.terms.not(inside) }
            }
            _ => self.terms.bool(true),
        }
    }

    /// Notes what was read of array variables.
    fn note_content(&mut self) {
        for ((array, at), &read) in &self.places {
            if matches!(self.terms.op(*array), Op::Variable(_)) {
                self.content.entry(*array).or_default().insert(at.clone(), self.reads[read].value.clone());
            }
        }
    }
}

impl<S: SatSolver> Model for Check<'_, S> {
    fn terms(&self) -> &Terms {
        self.terms
    }
    fn vector(&mut self, term: Term) -> Option<Bits> {
        Some(self.value(term))
    }
    fn condition(&mut self, term: Term) -> Option<bool> {
        Some(self.holds(term))
    }
    fn content(&self, variable: Term) -> Content<'_> {
        Content { entries: self.content.get(&variable), default: None }
    }
}

//! Facts that hold in a model, against the elements that the model tells; and what a fact that fails will need.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::check::{Check, Passage};
use super::{Lemma, index_from};
use crate::bits::Bits;
use crate::op::Op;
use crate::runs::{self, Run};
use crate::sat::SatSolver;
use crate::segment::{self, Fact, Segment, between, moved_bits};
use crate::term::Term;

/// So many elements that are out of bounds are looked at in one model for one fact.
const MOST_OUTLIERS: usize = 16;
/// So many bounds of other segments are taken along for one witness.
const MOST_OTHERS: usize = 4;
/// So many array terms are written out for one index.
const MOST_DEFINITIONS: usize = 24;

/// An element of an array, its index as a term and in the model.
#[derive(Clone)]
struct Place {
    array: Term,
    index: Term,
    at: Bits,
}

impl<S: SatSolver> Check<'_, S> {
    /// An array as a whole, where the model tells what it is.
    pub(super) fn runs_of(&mut self, array: Term) -> Option<Rc<[Run]>> {
        if let Some(known) = self.runs.get(&array) {
            return known.clone();
        }
        let runs: Option<Rc<[Run]>> = runs::runs(self, array).map(Into::into);
        self.runs.insert(array, runs.clone());
        runs
    }

    pub(super) fn segment(&mut self, from: Term, end: Term, step: u64) -> Segment {
        Segment::between(self.value(from), &self.value(end), step)
    }

    /// Bounds that hold in the model, against all elements that it tells.
    pub(super) fn bounds(&mut self, term: Term) {
        let Some(fact @ Fact::Within { array, from, end, step, low, high }) = Fact::of(self.terms, term) else { return };
        if !self.holds(term) {
            return;
        }
        let bounds = (low, high);
        let (segment, low, high) = (self.segment(from, end, step), self.value(low), self.value(high));
        let Some(runs) = self.runs_of(array) else { return };
        let outliers = runs.iter().filter(|run| run.value.as_ref().is_some_and(|value| !between(value, &low, &high)));
        let hits = outliers.filter_map(|run| Some((run, segment.first_between(&run.first, &run.last)?)));
        for (run, at) in hits.take(MOST_OUTLIERS) {
            let index = self.told_index(array, run, &at).unwrap_or_else(|| index_from(self.terms, &at, Some((from, &segment.from, end))));
            self.instance(term, fact, index);
            self.define(vec![Place { array, index, at }], Some(bounds));
        }
    }

    /// The index at which the question mentions an element, as a term; with the axioms by which it does.
    fn told_index(&mut self, array: Term, run: &Run, at: &Bits) -> Option<Term> {
        let source = (run.first == run.last && run.shift.is_zero()).then_some(run.source);
        if let Some((Op::Store, &[_, index, _])) = source.map(|source| (self.terms.op(source), self.terms.args(source))) {
            return Some(index);
        }
        let read = [Some(array), source].into_iter().flatten().find_map(|array| self.places.get(&(array, at.clone())).copied())?;
        self.explain(read);
        Some(self.reads[read].index)
    }

    fn instance(&mut self, term: Term, fact: Fact, index: Term) {
        let there = fact.instance(self.terms, index);
        let lemma = self.terms.implies(term, there);
        self.lemmas.push(Lemma { term: lemma, instance: Some((term, index)) });
    }

    /// A fact that does not hold fails at its witness, which may be anywhere: without more, the solver would try one place after the other. So
    /// what the array is made of is written out for the witness, with all that holds there.
    pub(super) fn anticipate(&mut self, term: Term, witness: Term, facts: &[Term]) {
        let Some(fact) = Fact::of(self.terms, term) else { return };
        if self.holds(term) {
            return;
        }
        let at = self.value(witness);
        let places = match fact {
            Fact::Within { array, .. } => vec![Place { array, index: witness, at }],
            Fact::Equal { a, b } => [a, b].map(|array| Place { array, index: witness, at: at.clone() }).to_vec(),
            Fact::Agree { a, from_a, b, from_b, end, .. } => {
                let low = self.terms.width(end);
                let there = moved_bits(&at, &self.value(from_a), &self.value(from_b), low);
                let index = segment::moved(self.terms, witness, from_a, from_b, low);
                vec![Place { array: a, index: witness, at }, Place { array: b, index, at: there }]
            }
        };
        let bounds = match fact {
            Fact::Within { low, high, .. } => Some((low, high)),
            Fact::Equal { .. } | Fact::Agree { .. } => None,
        };
        let places = self.define(places, bounds);
        let mut others = 0;
        for &term in facts {
            let Some(known @ Fact::Within { array, from, end, step, .. }) = Fact::of(self.terms, term) else { continue };
            if !self.holds(term) {
                continue;
            }
            // The distance of the witness from the same start is at hand; other segments are compared if it lies there in the model.
            let (same, segment) = (fact.segment().is_some_and(|(start, ..)| start == from), self.segment(from, end, step));
            for place in places.iter().filter(|place| place.array == array && (same || segment.contains(&place.at))) {
                others += usize::from(!same);
                if same || others <= MOST_OTHERS {
                    self.instance(term, known, place.index);
                }
            }
        }
    }

    /// Adds the axioms by which these places have what they have, whatever the model says of them; and for bounds, that an element keeps them if what
    /// it comes from does, so that the solver need not compare the elements themselves. All places that they lead to come back.
    fn define(&mut self, places: Vec<Place>, bounds: Option<(Term, Term)>) -> Vec<Place> {
        let mut places = places;
        let mut seen = FxHashSet::default();
        let mut next = 0;
        while let Some(place) = places.get(next).cloned() {
            next += 1;
            if seen.len() >= MOST_DEFINITIONS {
                break;
            }
            if seen.insert((place.array, place.at.clone())) {
                self.define_parts(&place, bounds, &mut places);
                for passage in self.passages.get(&place.array).cloned().unwrap_or_default() {
                    self.define_passage(&place, passage, bounds, &mut places);
                }
            }
        }
        places
    }

    /// An element by the parts of its array.
    fn define_parts(&mut self, place: &Place, bounds: Option<(Term, Term)>, places: &mut Vec<Place>) {
        let (array, index) = (place.array, place.index);
        let part = |array| Place { array, ..place.clone() };
        let (condition, yes, no) = match (self.terms.op(array), self.terms.node(array).args.clone().as_slice()) {
            (Op::Store, &[inner, written, value]) => {
                places.push(part(inner));
                let rest = self.terms.select(inner, index);
                (self.terms.equal(written, index), value, rest)
            }
            (Op::Ite, &[condition, yes, no]) => {
                places.extend([part(yes), part(no)]);
                (condition, self.terms.select(yes, index), self.terms.select(no, index))
            }
            (Op::Copy, &[inner, to, source, from, count]) => {
                let at = place.at.sub(&self.value(to)).add(&self.value(from));
                let moved = segment::shifted(self.terms, index, to, from);
                places.extend([Place { array: source, index: moved, at }, part(inner)]);
                let inside = segment::is_copied(self.terms, to, count, index);
                (inside, self.terms.select(source, moved), self.terms.select(inner, index))
            }
            _ => return,
        };
        let element = self.terms.select(array, index);
        self.push_choice(element, condition, yes, no);
        if let Some((low, high)) = bounds {
            let [element, yes, no] = [element, yes, no].map(|element| segment::is_between(self.terms, element, low, high));
            self.push_choice(element, condition, yes, no);
        }
    }

    fn push_choice(&mut self, result: Term, condition: Term, yes: Term, no: Term) {
        let choice = self.terms.ite(condition, yes, no);
        let lemma = self.terms.equal(result, choice);
        self.lemmas.push(Lemma { term: lemma, instance: None });
    }

    /// An element by a fact that another one is the same.
    fn define_passage(&mut self, place: &Place, passage: Passage, bounds: Option<(Term, Term)>, places: &mut Vec<Place>) {
        let Some(moved) = self.through(passage, place.index, &place.at) else { return };
        let condition = self.condition_of(passage, place.index);
        let (mut x, mut y) = (self.terms.select(place.array, place.index), self.terms.select(passage.to, moved.0));
        self.push_agreement(condition, x, y);
        if let Some((low, high)) = bounds {
            [x, y] = [x, y].map(|element| segment::is_between(self.terms, element, low, high));
            self.push_agreement(condition, x, y);
        }
        places.push(Place { array: passage.to, index: moved.0, at: moved.1 });
    }
}

//! Whether a model of the SAT solver is one of the arrays, and the axioms that it violates.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::{ArrayTheory, Refinement};
use crate::bits::Bits;
use crate::blast::{Blaster, Unsupported};
use crate::op::Op;
use crate::sat::SatSolver;
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// So many elements of a range are looked at one by one.
const SCANNED: u64 = 4096;

/// A read that was followed to an array.
#[derive(Clone)]
struct Read {
    /// The `Select` of the question that everything follows from; made only where it is needed for others.
    term: Option<Term>,
    array: Term,
    /// The index as a term and in the model.
    index: Term,
    at: Bits,
    /// What the read must give there.
    value: Bits,
    /// The read that it follows from, and the axiom by which it does.
    parent: Option<(usize, Step)>,
}

/// How a read goes from one array term to the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// By the definition of this array term, which one of the two is made with.
    Definition(Term),
    /// By this equality.
    Equality(Term),
}

/// One look at a model.
pub(super) struct Check<'a, S> {
    pub(super) terms: &'a mut Terms,
    blaster: &'a mut Blaster<S>,
    values: FxHashMap<Term, Bits>,
    reads: Vec<Read>,
    /// The read that first came to an array at an index.
    places: FxHashMap<(Term, Bits), usize>,
    lemmas: Vec<Term>,
    /// Equalities that hold in the model, from both sides.
    equal: FxHashMap<Term, Vec<(Term, Term)>>,
}

impl ArrayTheory {
    /// Compares the solver's model with the axioms and adds those that it violates.
    pub fn refine<S: SatSolver>(&mut self, terms: &mut Terms, blaster: &mut Blaster<S>) -> Result<Refinement, Unsupported> {
        if self.reads.is_empty() && !self.is_extended() {
            return Ok(Refinement::Consistent);
        }
        let mut check = Check {
            terms,
            blaster,
            values: FxHashMap::default(),
            reads: Vec::new(),
            places: FxHashMap::default(),
            lemmas: Vec::new(),
            equal: FxHashMap::default(),
        };
        check.note_equalities(&self.equalities);
        for &read in &self.reads {
            let (array, index) = (check.terms.args(read)[0], check.terms.args(read)[1]);
            let (at, value) = (check.value(index), check.value(read));
            check.reads.push(Read { term: Some(read), array, index, at, value, parent: None });
        }
        check.follow_all(&self.parents);
        if check.lemmas.is_empty() {
            for &absence in &self.absences {
                check.absence(absence);
            }
        }
        let lemmas = std::mem::take(&mut check.lemmas);
        if lemmas.is_empty() {
            self.content = check.content();
            self.defaults = if self.equalities.is_empty() && self.absences.is_empty() {
                FxHashMap::default()
            } else {
                check.defaults(&self.prepared, &self.equalities, &self.absences)
            };
            return Ok(Refinement::Consistent);
        }
        self.add_all(terms, blaster, lemmas)
    }
}

impl<S: SatSolver> Check<'_, S> {
    /// The value of a blasted term in the model.
    pub(super) fn value(&mut self, term: Term) -> Bits {
        if let Some(value) = self.values.get(&term) {
            return value.clone();
        }
        let width = self.terms.width(term);
        let lits = self.blaster.known(term).map(<[_]>::to_vec).unwrap_or_default();
        let solver = &mut self.blaster.gates.solver;
        let value = Bits::from_fn(width, |bit| lits.get(bit as usize).is_some_and(|&lit| solver.value(lit)));
        self.values.insert(term, value.clone());
        value
    }
    pub(super) fn holds(&mut self, term: Term) -> bool {
        !self.value(term).is_zero()
    }

    fn note_equalities(&mut self, equalities: &[Term]) {
        for &equality in equalities {
            if self.holds(equality) {
                let (a, b) = (self.terms.args(equality)[0], self.terms.args(equality)[1]);
                self.equal.entry(a).or_default().push((b, equality));
                self.equal.entry(b).or_default().push((a, equality));
            }
        }
    }

    fn follow_all(&mut self, parents: &FxHashMap<Term, Vec<Term>>) {
        let mut next = 0;
        while next < self.reads.len() {
            self.follow(next, parents);
            next += 1;
        }
    }

    /// Follows a read one step.
    fn follow(&mut self, number: usize, parents: &FxHashMap<Term, Vec<Term>>) {
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
        for (other, equality) in self.equal.get(&read.array).cloned().unwrap_or_default() {
            self.pass_on(number, other, Step::Equality(equality), None);
        }
        for &parent in parents.get(&read.array).into_iter().flatten() {
            self.follow_up(number, &read, parent);
        }
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
                    let (first, last) = content.plateau(&read.at);
                    self.conflict_with_table(number, first, last, value);
                }
            }
            (Op::Copy, &[inner, at, source, from, count]) => {
                let distance = read.at.sub(&self.value(at));
                if distance.ult(&self.value(count)) {
                    let place = self.value(from).add(&distance);
                    let index = self.source_index(read.index, at, from);
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

    fn source_index(&mut self, index: Term, at: Term, from: Term) -> Term {
        let distance = self.terms.sub(index, at);
        self.terms.add(from, distance)
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
                    let index = self.source_index(read.index, from, at);
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
        self.lemmas.push(lemma);
        self.explain(number);
    }

    /// The axioms that lead from a term's read to here.
    fn explain(&mut self, number: usize) {
        let mut number = number;
        while let Some((previous, step)) = self.reads[number].parent {
            let (outer, inner) = (self.reads[previous].clone(), self.reads[number].clone());
            let condition = match step {
                Step::Equality(equality) => equality,
                Step::Definition(array) => {
                    // The axiom speaks of the index at which the array term itself is read.
                    let whole = if array == outer.array { &outer } else { &inner };
                    self.reason(whole)
                }
            };
            let (x, y) = (self.read_term(&outer), self.read_term(&inner));
            let agree = self.terms.equal(x, y);
            let lemma = self.terms.implies(condition, agree);
            self.lemmas.push(lemma);
            number = previous;
        }
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
                let distance = self.terms.sub(read.index, at);
                let inside = self.terms.ult(distance, count);
                let holds = read.at.sub(&self.value(at)).ult(&self.value(count));
                if holds { inside } else { self.terms.not(inside) }
            }
            _ => self.terms.bool(true),
        }
    }

    /// An absence that holds in the model, against all indices that anybody mentions.
    fn absence(&mut self, absence: Term) {
        if !self.holds(absence) {
            return;
        }
        let args = self.terms.node(absence).args.clone();
        let (array, from, count, value) = (args[0], args[1], args[2], args[3]);
        let (start, length, forbidden) = (self.value(from), self.value(count), self.value(value));
        let mut indices: Vec<(Term, Bits)> = vec![(from, start.clone())];
        let cone: Vec<Term> =
            self.terms.cone(&[array]).into_iter().filter(|&term| matches!(self.terms.sort(term), Sort::Array { .. })).collect();
        for &part in &cone {
            if let (Op::Store, &[_, index, _]) = (self.terms.op(part), self.terms.args(part)) {
                let at = self.value(index);
                indices.push((index, at));
            }
        }
        indices.extend(self.reads.iter().filter(|read| cone.binary_search(&read.array).is_ok()).map(|read| (read.index, read.at.clone())));
        // Elements that nobody mentions have values too, where the array is written out or copied: the beginning of the range is looked at one by one.
        for distance in 0..length.to_u64().unwrap_or(SCANNED).min(SCANNED) {
            let distance = Bits::new(start.width(), u128::from(distance));
            let at = start.add(&distance);
            if self.resolve(array, at.clone()) == Some(forbidden.clone()) {
                let distance = self.terms.bits(distance);
                indices.insert(0, (self.terms.add(from, distance), at));
                break;
            }
        }
        for (index, at) in indices {
            if at.sub(&start).ult(&length) && self.resolve(array, at) == Some(forbidden.clone()) {
                let distance = self.terms.sub(index, from);
                let inside = self.terms.ult(distance, count);
                let condition = self.terms.and(absence, inside);
                let element = self.terms.select(array, index);
                let differs = self.terms.differ(element, value);
                let lemma = self.terms.implies(condition, differs);
                self.lemmas.push(lemma);
                return;
            }
        }
    }

    /// What an array holds at an index in the model; `None` where nobody has read a variable.
    fn resolve(&mut self, array: Term, at: Bits) -> Option<Bits> {
        let (mut array, mut at) = (array, at);
        loop {
            if let Some(&read) = self.places.get(&(array, at.clone())) {
                return Some(self.reads[read].value.clone());
            }
            array = match (self.terms.op(array), self.terms.node(array).args.clone().as_slice()) {
                (Op::Store, &[inner, index, value]) => {
                    if self.value(index) == at {
                        return Some(self.value(value));
                    }
                    inner
                }
                (Op::Ite, &[condition, yes, no]) => {
                    if self.holds(condition) {
                        yes
                    } else {
                        no
                    }
                }
                (Op::ConstantArray, &[value]) => return Some(self.value(value)),
                (Op::Table(table), _) => return Some(self.terms.table_value(table).get(&at).clone()),
                (Op::Copy, &[inner, start, source, from, count]) => {
                    let distance = at.sub(&self.value(start));
                    if distance.ult(&self.value(count)) {
                        at = self.value(from).add(&distance);
                        source
                    } else {
                        inner
                    }
                }
                _ => return None,
            };
        }
    }

    /// What was read of each array variable.
    fn content(&self) -> FxHashMap<Term, Vec<(Bits, Bits)>> {
        let mut content: FxHashMap<Term, Vec<(Bits, Bits)>> = FxHashMap::default();
        for ((array, at), &read) in &self.places {
            if matches!(self.terms.op(*array), Op::Variable(_)) {
                content.entry(*array).or_default().push((at.clone(), self.reads[read].value.clone()));
            }
        }
        content
    }
}

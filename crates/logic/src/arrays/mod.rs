//! Arrays by lazily instantiated axioms (lemmas on demand).
//!
//! The SAT solver knows reads only as free bits. When it has a model, every read is followed down through the writes, choices and copies
//! that its array is made of, with the indices and conditions of the model, without making any term. If it arrives where it must have another
//! value than it has (a written value, or another read of the same place), the axioms on the way are added for these indices, and the solver
//! goes on. If no read does, the model is one of the arrays too. There are finitely many pairs of array and index, so this ends.
//!
//! Facts are about many elements at once: arrays are equal, or agree in segments, or elements of a segment are within bounds. A fact that does not
//! hold has a witness, an index at which it fails. Where arrays are equal or agree, reads pass from one side to the other, and upwards through
//! the terms that they are part of. Bounds are compared with all elements that the model tells. What is left are the elements that nobody
//! mentions: they get values that suit ([`defaults`]), the whole model is evaluated, and where a fact fails nevertheless, its axiom is
//! added for that index.

mod check;
mod defaults;
mod relevance;
mod scope;
mod within;

use std::collections::BTreeMap;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::blast::{Blaster, Unsupported};
use crate::eval::{ArrayValue, Assignment, Evaluator};
use crate::op::Op;
use crate::sat::SatSolver;
use crate::segment::{self, Fact, Segment};
use crate::sort::Sort;
use crate::term::{Term, Terms, VariableId};
use relevance::Relevance;
use scope::Scope;

/// What came of a look at a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// It violates no axiom.
    Consistent,
    /// It violates axioms, which the solver knows now.
    Added,
    /// It violates axioms that the solver was told before. That is not possible for lemmas that rule out the model that they were made for;
    /// nothing follows from such a model. Or there is no time to look at it.
    Stuck,
}

/// So many parts of a term are looked at for facts that are wrong.
const MOST_EXPECTED: usize = 64;

/// What is known about the arrays of one solver.
#[derive(Default)]
pub struct ArrayTheory {
    /// How many of the blaster's array terms have been looked at.
    seen: usize,
    /// What belongs to all questions, and to this one.
    standing: Scope,
    question: Scope,
    /// The index at which each fact fails if it does, and the lemma that says so.
    witnesses: FxHashMap<Term, (Term, Term)>,
    /// The indices of a fact for which something was added, and what.
    instances: FxHashMap<Term, IndexSet<(Term, Term), FxBuildHasher>>,
    /// Arrays whose parts have literals.
    prepared: FxHashSet<Term>,
    /// Terms that are made of an array directly, for reads that go upwards; only filled where arrays are compared or copied.
    parents: FxHashMap<Term, Vec<Term>>,
    /// Arrays that are noted at their parts as parents.
    linked: FxHashSet<Term>,
    /// Lemmas already added.
    lemmas: FxHashSet<Term>,
    /// What the last consistent model holds in each array variable.
    content: FxHashMap<Term, BTreeMap<Bits, Bits>>,
    /// What the unread elements of array variables should be; 0 where nothing is said.
    defaults: FxHashMap<Term, Bits>,
}

/// A lemma, and the fact and index that it is about, if it is an instance of one.
struct Lemma {
    term: Term,
    instance: Option<(Term, Term)>,
}

impl ArrayTheory {
    /// This is part of all questions from now on.
    pub fn keep<S: SatSolver>(&mut self, terms: &mut Terms, blaster: &mut Blaster<S>, term: Term) -> Result<(), Unsupported> {
        self.standing.add(terms, blaster, term, None);
        self.expect(terms, blaster, term)
    }
    /// Begins a question under these assumptions.
    pub fn begin<S: SatSolver>(&mut self, terms: &mut Terms, blaster: &mut Blaster<S>, assumptions: &[Term]) -> Result<(), Unsupported> {
        self.question = Scope::default();
        for &term in assumptions {
            self.question.add(terms, blaster, term, Some(&self.standing));
            self.expect(terms, blaster, term)?;
        }
        Ok(())
    }
    /// Whether the question is about anything beyond reads and writes: then a model is checked once more by evaluation.
    pub fn is_extended(&self) -> bool {
        !self.standing.facts.is_empty() || !self.question.facts.is_empty()
    }
    /// How many lemmas were needed so far.
    pub fn lemmas(&self) -> usize {
        self.lemmas.len()
    }
    /// The facts of the question, in the order in which they were met.
    fn facts(&self) -> Vec<Term> {
        self.standing.facts.iter().chain(&self.question.facts).copied().collect()
    }

    /// The sizes of segments that the question is about, as far as they are large numbers and not fixed; of empty segments any number.
    pub fn sizes(&self, terms: &mut Terms) -> Vec<Term> {
        let mut sizes: Vec<Term> = Vec::new();
        for fact in self.facts() {
            let Some((from, end, _)) = Fact::of(terms, fact).and_then(Fact::segment) else { continue };
            let (_, start) = segment::parts(terms, from, terms.width(end));
            let size = terms.sub(end, start);
            if terms.as_bits(size).is_none() && terms.width(size) >= 16 && !sizes.contains(&size) {
                sizes.push(size);
            }
        }
        sizes
    }

    /// Takes note of the array terms that were blasted since the last time, and gives literals to what they are made of. Afterwards every index,
    /// value and condition in them has a value in a model.
    pub fn prepare<S: SatSolver>(&mut self, terms: &mut Terms, blaster: &mut Blaster<S>) -> Result<(), Unsupported> {
        while let Some(&term) = blaster.array_terms.get(self.seen) {
            self.seen += 1;
            if let Some((first, second)) = Fact::of(terms, term).map(Fact::arrays) {
                // Bounds of a copy are about elements of its source: reads of those must come to the copy by terms, or it would be instantiated
                // for one number after the other.
                let upwards = second.is_some() || has_copies(terms, first);
                for array in [Some(first), second].into_iter().flatten() {
                    self.prepare_array(terms, blaster, array, upwards)?;
                }
            } else if let (Op::Select, &[array, _]) = (terms.op(term), terms.args(term)) {
                self.prepare_array(terms, blaster, array, false)?;
            }
        }
        Ok(())
    }

    /// Gives witnesses to facts that a term says to be wrong, as far as a quick look tells. Most facts are never wrong and need none.
    fn expect<S: SatSolver>(&mut self, terms: &mut Terms, blaster: &mut Blaster<S>, term: Term) -> Result<(), Unsupported> {
        let mut open = vec![(term, true)];
        for _ in 0..MOST_EXPECTED {
            match open.pop().map(|(term, holds)| (term, holds, terms.op(term), terms.args(term))) {
                Some((_, holds, Op::Not, &[a])) => open.push((a, !holds)),
                Some((_, holds, Op::And | Op::Or, &[a, b])) => open.extend([(b, holds), (a, holds)]),
                Some((term, false, ..)) => self.add_witness(terms, blaster, term)?,
                Some(_) => {}
                None => break,
            }
        }
        self.prepare(terms, blaster)
    }

    /// Gives a fact an index at which it fails if it does.
    fn add_witness<S: SatSolver>(&mut self, terms: &mut Terms, blaster: &mut Blaster<S>, term: Term) -> Result<(), Unsupported> {
        let Some(fact) = Fact::of(terms, term).filter(|_| !self.witnesses.contains_key(&term)) else { return Ok(()) };
        let Sort::Array { index, .. } = terms.sort(fact.arrays().0) else { return Ok(()) };
        // All indices of a segment have the high bits of its first.
        let witness = match fact.segment() {
            None => terms.fresh("witness", Sort::Bits(index)),
            Some((from, end, _)) => {
                let (high, low) = (segment::parts(terms, from, terms.width(end)).0, terms.fresh("witness", terms.sort(end)));
                segment::whole(terms, (high, low))
            }
        };
        let there = fact.instance(terms, witness);
        // Equal arrays agree at the witness too, so that each has a read.
        let lemma = match fact {
            Fact::Equal { .. } => terms.equal(term, there),
            Fact::Within { .. } | Fact::Agree { .. } => terms.implies(there, term),
        };
        self.witnesses.insert(term, (witness, lemma));
        self.add(terms, blaster, lemma)?;
        Ok(())
    }

    /// Gives literals to the scalar parts of an array term and of those that it is made of.
    fn prepare_array<S: SatSolver>(
        &mut self,
        terms: &mut Terms,
        blaster: &mut Blaster<S>,
        array: Term,
        upwards: bool,
    ) -> Result<(), Unsupported> {
        let mut open = vec![array];
        while let Some(array) = open.pop() {
            // A comparison wants parents even of arrays that were prepared without.
            let (new, link) = (self.prepared.insert(array), upwards && self.linked.insert(array));
            if !new && !link {
                continue;
            }
            for arg in terms.node(array).args.clone() {
                if matches!(terms.sort(arg), Sort::Array { .. }) {
                    if link {
                        self.parents.entry(arg).or_default().push(array);
                    }
                    open.push(arg);
                } else {
                    blaster.blast(terms, arg)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a lemma; false if it was there already.
    fn add<S: SatSolver>(&mut self, terms: &mut Terms, blaster: &mut Blaster<S>, lemma: Term) -> Result<bool, Unsupported> {
        if terms.as_bool(lemma) == Some(true) || self.lemmas.contains(&lemma) {
            return Ok(false);
        }
        let literal = blaster.literal(terms, lemma)?;
        blaster.gates.solver.add_clause(&[literal]);
        self.lemmas.insert(lemma);
        Ok(true)
    }

    fn add_all<S: SatSolver>(
        &mut self,
        terms: &mut Terms,
        blaster: &mut Blaster<S>,
        lemmas: Vec<Lemma>,
    ) -> Result<Refinement, Unsupported> {
        let mut added = false;
        for Lemma { term, instance } in lemmas {
            added |= self.add(terms, blaster, term)?;
            // The lemma may be known from a read that passed there; that it is an instance makes its own reads matter.
            if let Some((fact, index)) = instance {
                added |= self.instances.entry(fact).or_default().insert((index, term));
            }
        }
        self.prepare(terms, blaster)?;
        Ok(if added { Refinement::Added } else { Refinement::Stuck })
    }

    /// What matters in the model: of the question, and of what was added about the facts in it. Of those that do not hold that is the witness, of the
    /// others what they say about indices that are in their segments in the model. What is read elsewhere only for them may be anything.
    fn relevance<S: SatSolver>(&self, terms: &Terms, blaster: &mut Blaster<S>) -> Relevance {
        let mut relevance = Relevance::default();
        for &root in self.standing.roots.iter().chain(&self.question.roots) {
            relevance.add(terms, blaster, root);
        }
        let mut next = 0;
        while let Some(&fact) = relevance.facts.get(next) {
            next += 1;
            let witness = self.witnesses.get(&fact).map(|&(_, lemma)| lemma);
            if matches!(terms.op(fact), Op::Equal) || !blaster.holds(fact) {
                witness.into_iter().for_each(|lemma| relevance.add(terms, blaster, lemma));
            }
            for &(index, lemma) in self.instances.get(&fact).into_iter().flatten() {
                if is_inside(terms, blaster, fact, index) {
                    relevance.add(terms, blaster, lemma);
                }
            }
        }
        relevance
    }

    /// Adds the axioms of the facts that the solver takes for true, but that are not when its model is evaluated: each for one index where it fails.
    pub fn instantiate<S: SatSolver>(
        &mut self,
        terms: &mut Terms,
        blaster: &mut Blaster<S>,
        model: &Assignment,
    ) -> Result<Refinement, Unsupported> {
        let mut failing = Vec::new();
        let mut evaluator = Evaluator::new(terms, model);
        for term in self.facts() {
            if blaster.holds(term)
                && let Some(fact) = Fact::of(terms, term)
                // The value of the fact is not wanted, but those of its parts.
                && evaluator.holds(term) == Some(false)
                && let Some(Some(index)) = evaluator.failure(fact)
            {
                let start = fact.segment().and_then(|(start, end, _)| Some((start, evaluator.value(start)?.as_bits()?.clone(), end)));
                failing.push((term, fact, index, start));
            }
        }
        let mut lemmas = Vec::new();
        for (term, fact, index, start) in failing {
            let index = index_from(terms, &index, start.as_ref().map(|(start, at, end)| (*start, at, *end)));
            let there = fact.instance(terms, index);
            lemmas.push(Lemma { term: terms.implies(term, there), instance: Some((term, index)) });
        }
        self.add_all(terms, blaster, lemmas)
    }

    /// What an array variable holds in the last consistent model.
    pub fn value(&self, terms: &Terms, variable: VariableId, term: Term) -> ArrayValue {
        let (_, sort) = terms.variable_info(variable);
        let element = match sort {
            Sort::Array { element, .. } => element,
            _ => 1,
        };
        let mut array = ArrayValue::constant(self.defaults.get(&term).cloned().unwrap_or_else(|| Bits::zero(element)));
        for (index, value) in self.content.get(&term).into_iter().flatten() {
            array.set(index.clone(), value.clone());
        }
        array
    }
}

/// Whether a fact holds and is about an index in the model, as far as that has values for both.
fn is_inside<S: SatSolver>(terms: &Terms, blaster: &mut Blaster<S>, term: Term, index: Term) -> bool {
    let Some((from, end, step)) = Fact::of(terms, term).and_then(Fact::segment) else { return true };
    let (from, end, index) = (blaster.value(from), blaster.value(end), blaster.value(index));
    let Some(((from, end), index)) = from.zip(end).zip(index) else { return true };
    blaster.holds(term) && Segment::between(from, &end, step).contains(&index)
}

/// Whether an array is made with copies.
fn has_copies(terms: &Terms, array: Term) -> bool {
    let (mut open, mut seen) = (vec![array], FxHashSet::default());
    while let Some(array) = open.pop() {
        if terms.op(array) == Op::Copy {
            return true;
        }
        if seen.insert(array) {
            open.extend(terms.args(array).iter().copied().filter(|&arg| matches!(terms.sort(arg), Sort::Array { .. })));
        }
    }
    false
}

/// An index of a model as a term: by its distance from where a segment begins, since what is wrong there is so wherever that is. With the segment, as
/// terms and where it begins in the model.
fn index_from(terms: &mut Terms, index: &Bits, segment: Option<(Term, &Bits, Term)>) -> Term {
    let Some((start, at, end)) = segment else { return terms.bits(index.clone()) };
    let low = terms.width(end);
    let distance = terms.bits(index.sub(at).extract(low - 1, 0));
    let (high, begin) = segment::parts(terms, start, low);
    let place = terms.add(begin, distance);
    segment::whole(terms, (high, place))
}

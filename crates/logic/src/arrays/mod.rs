//! Arrays by lazily instantiated axioms (lemmas on demand).
//!
//! The SAT solver knows reads only as free bits. When it has a model, every read is followed down through the writes, choices and copies
//! that its array is made of, with the indices and conditions of the model, without making any term. If it arrives where it must have another
//! value than it has (a written value, or another read of the same place), the axioms on the way are added for these indices, and the solver
//! goes on. If no read does, the model is one of the arrays too. There are finitely many pairs of array and index, so this ends.
//!
//! Equalities between arrays pass reads from one side to the other, and upwards through the terms that they are part of; an equality that
//! does not hold has a witness. `Absent` is checked at all indices that anybody mentions, and has a witness where it does not hold. What is left
//! are the elements that nobody mentions: they get values that suit ([`defaults`]), the whole model is evaluated, and where an equality or an
//! absence fails nevertheless, its axiom is added for that index.

mod check;
mod defaults;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::blast::{Blaster, Unsupported};
use crate::eval::{ArrayValue, Assignment, Evaluator, Value};
use crate::op::Op;
use crate::sat::SatSolver;
use crate::sort::Sort;
use crate::term::{Term, Terms, VariableId};

/// What came of a look at a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// It violates no axiom.
    Consistent,
    /// It violates axioms, which the solver knows now.
    Added,
    /// It violates axioms that the solver was told before. That is not possible for lemmas that rule out the model that they were made for;
    /// nothing follows from such a model.
    Stuck,
}

/// What is known about the arrays of one solver.
#[derive(Default)]
pub struct ArrayTheory {
    /// How many of the blaster's array terms have been looked at.
    seen: usize,
    /// All reads: `Select` terms.
    reads: Vec<Term>,
    equalities: Vec<Term>,
    absences: Vec<Term>,
    /// Arrays whose parts have literals.
    prepared: FxHashSet<Term>,
    /// Terms that are made of an array directly, for reads that go upwards; only filled where there are equalities.
    parents: FxHashMap<Term, Vec<Term>>,
    /// Arrays that are noted at their parts as parents.
    linked: FxHashSet<Term>,
    /// Lemmas already added.
    lemmas: FxHashSet<Term>,
    /// What the last consistent model holds in each array variable.
    content: FxHashMap<Term, Vec<(Bits, Bits)>>,
    /// What the unread elements of array variables should be; 0 where nothing is said.
    defaults: FxHashMap<Term, Bits>,
}

impl ArrayTheory {
    /// Whether there is anything beyond reads and writes: then a model is checked once more by evaluation.
    pub fn is_extended(&self) -> bool {
        !self.equalities.is_empty() || !self.absences.is_empty()
    }
    /// How many lemmas were needed so far.
    pub fn lemmas(&self) -> usize {
        self.lemmas.len()
    }

    /// Takes note of the array terms that were blasted since the last time, and gives literals to what they are made of. Afterwards every index,
    /// value and condition in them has a value in a model.
    pub fn prepare<S: SatSolver>(&mut self, terms: &mut Terms, blaster: &mut Blaster<S>) -> Result<(), Unsupported> {
        while let Some(&term) = blaster.array_terms.get(self.seen) {
            self.seen += 1;
            let args = terms.node(term).args.clone();
            match terms.op(term) {
                Op::Select => {
                    self.reads.push(term);
                    self.prepare_array(terms, blaster, args[0], false)?;
                }
                Op::Equal => {
                    self.equalities.push(term);
                    self.prepare_array(terms, blaster, args[0], true)?;
                    self.prepare_array(terms, blaster, args[1], true)?;
                    let Sort::Array { index, .. } = terms.sort(args[0]) else { continue };
                    let witness = terms.fresh("differ", Sort::Bits(index));
                    let (x, y) = (terms.select(args[0], witness), terms.select(args[1], witness));
                    let same = terms.equal(x, y);
                    // Different arrays differ at the witness; equal ones agree there too, so that each has a read.
                    let lemma = terms.equal(term, same);
                    self.add(terms, blaster, lemma)?;
                }
                Op::Absent => {
                    self.absences.push(term);
                    self.prepare_array(terms, blaster, args[0], false)?;
                    let (from, count, value) = (args[1], args[2], args[3]);
                    let witness = terms.fresh("present", Sort::Bits(terms.width(from)));
                    let distance = terms.sub(witness, from);
                    let inside = terms.ult(distance, count);
                    let element = terms.select(args[0], witness);
                    let found = terms.equal(element, value);
                    let present = terms.and(inside, found);
                    let lemma = terms.or(term, present);
                    self.add(terms, blaster, lemma)?;
                }
                _ => {}
            }
        }
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
            // An equality wants parents even of arrays that were prepared without.
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

    fn add_all<S: SatSolver>(&mut self, terms: &mut Terms, blaster: &mut Blaster<S>, lemmas: Vec<Term>) -> Result<Refinement, Unsupported> {
        let mut added = false;
        for lemma in lemmas {
            added |= self.add(terms, blaster, lemma)?;
        }
        self.prepare(terms, blaster)?;
        Ok(if added { Refinement::Added } else { Refinement::Stuck })
    }

    /// Adds the axioms of the equalities and absences that the solver takes for true, but that are not when its model is evaluated: each for one
    /// index where it fails.
    pub fn instantiate<S: SatSolver>(
        &mut self,
        terms: &mut Terms,
        blaster: &mut Blaster<S>,
        model: &Assignment,
    ) -> Result<Refinement, Unsupported> {
        let mut failing = Vec::new();
        let mut evaluator = Evaluator::new(terms, model);
        for &term in self.equalities.iter().chain(&self.absences) {
            let literal = blaster.known(term).and_then(|literals| literals.first().copied());
            if literal.is_some_and(|literal| blaster.gates.solver.value(literal)) {
                failing.extend(failure(terms, &mut evaluator, term).map(|index| (term, index)));
            }
        }
        let mut lemmas = Vec::new();
        for (term, index) in failing {
            let args = terms.node(term).args.clone();
            let index = terms.bits(index);
            let conclusion = if let &[array, from, count, value] = args.as_slice() {
                let distance = terms.sub(index, from);
                let inside = terms.ult(distance, count);
                let element = terms.select(array, index);
                let differs = terms.differ(element, value);
                terms.implies(inside, differs)
            } else {
                let (x, y) = (terms.select(args[0], index), terms.select(args[1], index));
                terms.equal(x, y)
            };
            lemmas.push(terms.implies(term, conclusion));
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

/// An index at which an equality or absence is wrong.
fn failure(terms: &Terms, evaluator: &mut Evaluator, term: Term) -> Option<Bits> {
    let mut values = Vec::new();
    for &arg in terms.args(term) {
        values.push(evaluator.value(arg)?.clone());
    }
    match values.as_slice() {
        [Value::Array(a), Value::Array(b)] => {
            let Sort::Array { index, .. } = terms.sort(terms.args(term)[0]) else { return None };
            a.difference(b, index)
        }
        [Value::Array(array), Value::Bits(from), Value::Bits(count), Value::Bits(value)] => array.occurrence(from, count, value),
        _ => None,
    }
}

//! What of a question matters in a model.
//!
//! The solver gives values to everything that it ever saw, also to what is behind conditions that do not hold. A disjunction holds by one of its parts, a
//! choice is what it chooses: the reads and facts in the other parts may be anything, so no axiom is spent on them. Answers stay what they are: axioms
//! hold always, and a model in which all that matters makes sense makes everything true that is asserted and assumed.

use rustc_hash::FxHashSet;

use crate::blast::Blaster;
use crate::op::Op;
use crate::sat::SatSolver;
use crate::segment::Fact;
use crate::term::{Term, Terms};

/// The reads and facts that matter.
#[derive(Default)]
pub(super) struct Relevance {
    seen: FxHashSet<Term>,
    pub(super) reads: Vec<Term>,
    pub(super) facts: Vec<Term>,
}

impl Relevance {
    /// Takes in what the value of a term in the model depends on.
    pub(super) fn add<S: SatSolver>(&mut self, terms: &Terms, blaster: &mut Blaster<S>, root: Term) {
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            if terms.op(term) == Op::Select {
                self.reads.push(term);
            } else if Fact::of(terms, term).is_some() {
                self.facts.push(term);
            }
            self.push_needed(terms, blaster, term, &mut open);
        }
    }

    /// Whether a term matters.
    pub(super) fn includes(&self, term: Term) -> bool {
        self.seen.contains(&term)
    }

    /// The arguments that decide what a term is.
    fn push_needed<S: SatSolver>(&self, terms: &Terms, blaster: &mut Blaster<S>, term: Term, open: &mut Vec<Term>) {
        match (terms.op(term), terms.args(term)) {
            (op @ (Op::And | Op::Or), &[a, b]) => {
                // One part is enough that is as the whole is: for a conjunction one that fails, for a disjunction one that holds.
                let decides = op == Op::Or;
                let [first, second] = [a, b].map(|part| blaster.truth(part) == Some(decides));
                match (first, second) {
                    (true, true) if self.includes(a) || self.includes(b) => {}
                    // What was made first is likely to be the simpler one: conditions come before what happens under them.
                    (true, true) => open.push(a.min(b)),
                    (true, false) => open.push(a),
                    (false, true) => open.push(b),
                    (false, false) => open.extend([b, a]),
                }
            }
            (Op::Ite, &[condition, yes, no]) => match blaster.truth(condition) {
                Some(holds) => open.extend([if holds { yes } else { no }, condition]),
                None => open.extend([no, yes, condition]),
            },
            (_, args) => open.extend(args.iter().rev().copied().chain(blaster.lowered(term))),
        }
    }
}

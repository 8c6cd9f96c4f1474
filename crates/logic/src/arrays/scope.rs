//! What a question is about.

use rustc_hash::FxHashSet;

use crate::blast::Blaster;
use crate::op::Op;
use crate::sat::SatSolver;
use crate::segment::Fact;
use crate::term::{Term, Terms};

/// The reads and facts in some terms. The solver gives values to all terms that it ever saw, but only those of the question must make sense.
#[derive(Default)]
pub(super) struct Scope {
    seen: FxHashSet<Term>,
    pub(super) roots: Vec<Term>,
    pub(super) reads: Vec<Term>,
    pub(super) facts: Vec<Term>,
}

impl Scope {
    /// Takes in a term and all that it is made of, but for what is in another scope.
    pub(super) fn add<S: SatSolver>(&mut self, terms: &Terms, blaster: &Blaster<S>, root: Term, other: Option<&Scope>) {
        self.roots.push(root);
        // A question without reads and facts need not be searched for them.
        let mut open = if blaster.array_terms.is_empty() { Vec::new() } else { vec![root] };
        while let Some(term) = open.pop() {
            if other.is_some_and(|other| other.seen.contains(&term)) || !self.seen.insert(term) {
                continue;
            }
            if terms.op(term) == Op::Select {
                self.reads.push(term);
            } else if Fact::of(terms, term).is_some() {
                self.facts.push(term);
            }
            open.extend(terms.args(term).iter().copied().chain(blaster.lowered(term)));
        }
    }
}

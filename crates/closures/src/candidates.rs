//! What a closure says of a loop, as candidates for the kernel.

use encode::Formula;

use crate::closure::Closure;
use crate::lattice::{Cube, Monotone};
use crate::normal::clauses;
use crate::predicates::{at_entry, disjunction};

impl Closure {
    /// The predicates that it is about.
    fn chosen(&self, predicates: &[Formula]) -> Vec<Formula> {
        self.predicates.iter().filter_map(|&place| predicates.get(place).cloned()).collect()
    }

    /// A formula as clauses, each a formula about the state at the head.
    pub fn conjunction(&self, predicates: &[Formula], formula: &Monotone) -> Vec<Formula> {
        let chosen = self.chosen(predicates);
        clauses(&self.universe, formula).into_iter().map(|clause| disjunction(&chosen, clause)).collect()
    }

    /// What may hold at the head: what is reached from the states in which the loop is entered; and for each predicate that may be true or false there
    /// `predicate when entered => image under the closure` (the conditional assumptions of Figure 2). Clause by clause: together they are inductive, so the
    /// kernel keeps them together, and each can be read and used by itself. At most so many, and whether there were more.
    pub fn candidates(&self, predicates: &[Formula], limit: usize) -> (Vec<Formula>, bool) {
        let chosen = self.chosen(predicates);
        let mut found = self.conjunction(predicates, &self.reached);
        for (number, predicate) in chosen.iter().enumerate() {
            let holds = self.universe.conjunction(Cube::of(number));
            let decided = self.entered.entails(&holds) || self.entered.meet(&holds).is_false();
            let (Some(premise), Some(image)) = (at_entry(predicate), self.closed.image(number)) else { continue };
            if decided {
                continue;
            }
            // What holds in any case need not be said again.
            let image = image.meet(&self.reached);
            for clause in self.conjunction(predicates, &image) {
                if !found.contains(&clause) {
                    found.push(Formula::implies(premise.clone(), clause));
                }
            }
        }
        let more = found.len() > limit;
        found.truncate(limit);
        (found, more)
    }
}

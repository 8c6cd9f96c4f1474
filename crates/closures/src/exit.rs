//! What holds where a loop is left (*Loop Leaping with Closures* §2.2: the closure, intersected with the negation of the loop's condition).

use encode::{Behind, Formula};
use logic::{Term, Terms};

use crate::closure::Limits;
use crate::enumerate::Enumerator;
use crate::lattice::{Cube, Universe};
use crate::normal::clauses;
use crate::predicates::{disjunction, groups, tidy};

/// The strongest formula over the predicates that holds where control leaves a loop, as clauses: of what summaries say of this loop and of those before
/// and inside, and of the conditions on the way. None if that is too much to find out; without the last predicates if only these are too many.
pub fn exit(terms: &mut Terms, facts: &[Term], left: &[Term], predicates: &[Behind], limits: &Limits) -> Option<Vec<Formula>> {
    let formulas: Vec<Formula> = predicates.iter().map(|predicate| predicate.formula.clone()).collect();
    let groups = groups(&formulas);
    let mut chosen: Vec<usize> = (0..predicates.len().min(Cube::PREDICATES)).collect();
    loop {
        if chosen.is_empty() {
            return None;
        }
        if let Some(found) = attempt(terms, facts, left, predicates, &chosen, limits) {
            return Some(found);
        }
        let fewer = chosen.len() / 2;
        crate::closure::cut(&mut chosen, &groups, fewer);
    }
}

fn attempt(
    terms: &mut Terms,
    facts: &[Term],
    left: &[Term],
    predicates: &[Behind],
    chosen: &[usize],
    limits: &Limits,
) -> Option<Vec<Formula>> {
    let chosen: Vec<&Behind> = chosen.iter().filter_map(|&place| predicates.get(place)).collect();
    let head: Vec<Term> = chosen.iter().map(|predicate| predicate.head).collect();
    let behind: Vec<Term> = chosen.iter().map(|predicate| predicate.left).collect();
    // Any state at the head: what all of them satisfy need not be said.
    let possible = Enumerator::new(terms, &[], &[&head], &limits.budget, limits.models).valuations(terms, &[], &head, limits.valuations)?;
    let mut enumerator = Enumerator::new(terms, facts, &[&behind], &limits.budget, limits.models);
    let found = enumerator.valuations(terms, left, &behind, limits.valuations)?;
    let universe = Universe::new(chosen.len(), possible.into_iter().chain(found.iter().copied()));
    let formula = universe.abstraction(&found);
    let formulas: Vec<Formula> = chosen.iter().map(|predicate| predicate.formula.clone()).collect();
    Some(tidy(clauses(&universe, &formula).into_iter().map(|clause| disjunction(&formulas, clause)).collect()))
}

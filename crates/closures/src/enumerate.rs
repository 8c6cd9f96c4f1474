//! Valuations of predicates by model enumeration (*Loop Leaping with Closures* §2.1): a model is generalised to the predicates that it makes
//! true, those are blocked, and the solver is asked again until there is no model any more.

use logic::sat::{Batsat, Budget};
use logic::{Answer, Context, Op, Sort, Term, Terms};

use crate::lattice::Cube;
use crate::order;

/// How much a solver may propagate, and how large it may be: beyond that, loops are too hard for their predicates to be enumerated.
const EFFORT: u64 = 8_000_000;
const VARIABLES: u64 = 300_000;

/// A solver that is asked for models.
pub(crate) struct Enumerator {
    context: Context<Batsat>,
    budget: Budget,
    /// How many models may still be asked for.
    pub(crate) models: usize,
}

impl Enumerator {
    /// Knows some facts, and tells the values of some predicates in each model.
    pub(crate) fn new(terms: &mut Terms, facts: &[Term], shown: &[&[Term]], budget: &Budget, models: usize) -> Self {
        let compared: Vec<Term> = shown.iter().copied().flatten().chain(facts).copied().collect();
        let lemmas = order::lemmas(terms, &compared);
        let mut context = Context::with_solver(Batsat::new());
        // A model too many makes a formula weaker, not wrong.
        context.be_hasty(true);
        for &fact in facts.iter().chain(&lemmas) {
            context.assert(terms, fact);
        }
        for &term in shown.iter().copied().flatten() {
            context.prepare(terms, term);
        }
        Enumerator { context, budget: budget.clone(), models }
    }

    /// Whether there is a model; `None` if that is not found out.
    fn ask(&mut self, terms: &mut Terms, assumptions: &[Term]) -> Option<bool> {
        self.models = self.models.checked_sub(1)?;
        let statistics = self.context.statistics().solver;
        if statistics.propagations > EFFORT || statistics.variables > VARIABLES {
            return None;
        }
        match self.context.solve(terms, assumptions, &self.budget) {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// The predicates that the last model makes true.
    fn valuation(&mut self, terms: &Terms, predicates: &[Term]) -> Option<Cube> {
        let mut cube = Cube::default();
        for (number, &predicate) in predicates.iter().enumerate() {
            let holds = match terms.as_bool(predicate) {
                Some(holds) => holds,
                None => !self.context.bits_of(terms, predicate)?.is_zero(),
            };
            if holds {
                cube = cube.union(Cube::of(number));
            }
        }
        Some(cube)
    }

    /// No model makes all of these true where `active` is assumed.
    fn block(&mut self, terms: &mut Terms, active: Term, literals: impl IntoIterator<Item = Term>) {
        let mut clause = vec![terms.not(active)];
        for literal in literals {
            clause.push(terms.not(literal));
        }
        let clause = terms.any(clause);
        self.context.assert(terms, clause);
    }

    /// All valuations that predicates have under assumptions; `None` if they are more than the limit, or too hard to find.
    pub(crate) fn valuations(&mut self, terms: &mut Terms, assumed: &[Term], predicates: &[Term], limit: usize) -> Option<Vec<Cube>> {
        let active = terms.fresh("block", Sort::Bool);
        let assumptions: Vec<Term> = assumed.iter().copied().chain([active]).collect();
        let mut found = Vec::new();
        while self.ask(terms, &assumptions)? {
            let valuation = self.valuation(terms, predicates)?;
            if found.len() == limit {
                return None;
            }
            found.push(valuation);
            let mut literals = Vec::new();
            for (number, &predicate) in predicates.iter().enumerate() {
                literals.push(if valuation.contains(number) { predicate } else { terms.not(predicate) });
            }
            self.block(terms, active, literals);
        }
        Some(found)
    }

    /// For each predicate, the valuations in which an iteration ends that begins with the predicate true; `None` where they are too many or too
    /// hard to find. Of valuations that make more true than others only the others are told: these are the prime implicants of the image as a
    /// monotonic formula, and blocking one blocks all valuations above it. A model of one image is one of the image of every predicate that is true where it
    /// begins.
    pub(crate) fn images(&mut self, terms: &mut Terms, body: &Body<'_>) -> Vec<Option<Vec<Cube>>> {
        let mut images: Vec<Option<Vec<Cube>>> = vec![Some(Vec::new()); body.head.len()];
        for path in body.paths {
            let actives: Vec<Term> = body.head.iter().map(|_| terms.fresh("block", Sort::Bool)).collect();
            let mut begun = Vec::new();
            for (&head, &active) in body.head.iter().zip(&actives) {
                begun.push(terms.and(head, active));
            }
            // All predicates at once: that nothing is missing is then proved once. If that is too hard, one by one.
            let any = terms.any(begun.iter().copied());
            if self.image(terms, body, path, any, &actives, &mut images).is_some() {
                continue;
            }
            for (predicate, &begin) in begun.iter().enumerate() {
                if images[predicate].is_some() && self.image(terms, body, path, begin, &actives, &mut images).is_none() {
                    images[predicate] = None;
                }
            }
        }
        images
    }

    /// Adds to the images what iterations along a path lead to that begin in some way.
    fn image(
        &mut self,
        terms: &mut Terms,
        body: &Body<'_>,
        path: &[Term],
        begin: Term,
        actives: &[Term],
        images: &mut [Option<Vec<Cube>>],
    ) -> Option<()> {
        let mut assumptions = body.assumed.to_vec();
        assumptions.extend(path);
        assumptions.push(begin);
        while self.ask(terms, &assumptions)? {
            let (from, to) = self.prime(terms, body, &assumptions)?;
            for predicate in from.iter() {
                let (Some(image), Some(&active)) = (images.get_mut(predicate), actives.get(predicate)) else { continue };
                if let Some(image) = image {
                    image.push(to);
                }
                self.block(terms, active, to.iter().filter_map(|number| body.again.get(number).copied()));
            }
        }
        Some(())
    }

    /// The last model as valuations before and after the iteration, or another one that makes fewer predicates true after it.
    fn prime(&mut self, terms: &mut Terms, body: &Body<'_>, assumptions: &[Term]) -> Option<(Cube, Cube)> {
        loop {
            let (from, to) = (self.valuation(terms, body.head)?, self.valuation(terms, body.again)?);
            if body.exclusive {
                return Some((from, to));
            }
            let mut smaller = assumptions.to_vec();
            let mut dropped = Vec::new();
            for (number, &predicate) in body.again.iter().enumerate() {
                let fails = terms.not(predicate);
                if to.contains(number) { dropped.push(fails) } else { smaller.push(fails) }
            }
            smaller.push(terms.any(dropped));
            if !self.ask(terms, &smaller)? {
                return Some((from, to));
            }
        }
    }

    /// The valuations that are reached from some by iterations, each from all states with it: what is best for the domain, and no closure can be
    /// stronger (⟦·⟧A of Definition 3.3).
    pub(crate) fn reached(&mut self, terms: &mut Terms, body: &Body<'_>, entered: &[Cube], limit: usize) -> Option<Vec<Cube>> {
        let active = terms.fresh("block", Sort::Bool);
        let mut found: Vec<Cube> = Vec::new();
        let positive =
            |predicates: &[Term], cube: Cube| cube.iter().filter_map(|number| predicates.get(number).copied()).collect::<Vec<_>>();
        for &cube in entered {
            found.push(cube);
            self.block(terms, active, positive(body.again, cube));
        }
        let mut next = 0;
        while let Some(&from) = found.get(next) {
            next += 1;
            let mut assumptions = body.assumed.to_vec();
            assumptions.extend(positive(body.head, from));
            assumptions.push(active);
            while self.ask(terms, &assumptions)? {
                if found.len() == limit {
                    return None;
                }
                let to = self.valuation(terms, body.again)?;
                found.push(to);
                self.block(terms, active, positive(body.again, to));
            }
        }
        Some(found)
    }

    /// The paths through an iteration, each as what is true on it: combinations of the conditions on which the predicates behind it depend.
    pub(crate) fn paths(&mut self, terms: &mut Terms, assumed: &[Term], again: &[Term], limit: usize) -> Option<Vec<Vec<Term>>> {
        let roots: Vec<Term> = assumed.iter().chain(again).copied().collect();
        let mut conditions: Vec<Term> = Vec::new();
        for term in terms.cone(&roots) {
            if let (Op::Ite, Some(&condition)) = (terms.op(term), terms.args(term).first())
                && !conditions.contains(&condition)
                && terms.as_bool(condition).is_none()
            {
                conditions.push(condition);
            }
        }
        conditions.truncate(Cube::PREDICATES);
        let found = self.valuations(terms, assumed, &conditions, limit)?;
        let literals = |terms: &mut Terms, path: Cube| {
            let condition = |(number, &condition): (usize, &Term)| if path.contains(number) { condition } else { terms.not(condition) };
            conditions.iter().enumerate().map(condition).collect()
        };
        Some(found.into_iter().map(|path| literals(terms, path)).collect())
    }
}

/// What an iteration does to predicates.
pub(crate) struct Body<'a> {
    /// That there is an iteration.
    pub(crate) assumed: &'a [Term],
    /// The predicates before it.
    pub(crate) head: &'a [Term],
    /// The predicates after it.
    pub(crate) again: &'a [Term],
    /// Its paths, as what is true on each; one without conditions for all of them together.
    pub(crate) paths: &'a [Vec<Term>],
    /// Whether no valuation makes more true than another.
    pub(crate) exclusive: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consistent_valuations_of_signs() {
        let mut terms = Terms::new();
        let (x, n) = (terms.variable("x", Sort::Bits(8)), terms.variable("n", Sort::Bits(8)));
        let zero = terms.zero(8);
        let mut predicates = Vec::new();
        for (a, b) in [(x, zero), (n, zero), (x, n)] {
            predicates.extend([terms.slt(a, b), terms.equal(a, b), terms.slt(b, a)]);
        }
        let mut enumerator = Enumerator::new(&mut terms, &[], &[&predicates], &Budget::unlimited(), 100);
        let found = enumerator.valuations(&mut terms, &[], &predicates, 50);
        assert_eq!(found.map(|found| found.len()), Some(13));
        assert_eq!(enumerator.models, 100 - 14);
    }
}

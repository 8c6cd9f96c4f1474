//! The closure of a loop: from one iteration, as terms, to formulas that hold at its head.

use encode::{Scope, Step};
use logic::sat::Budget;
use logic::{Term, Terms};

use crate::enumerate::{Body, Enumerator};
use crate::lattice::{Cube, Monotone, Universe};
use crate::operator::Operator;
use crate::small;

/// How much may be spent on a loop.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Predicates; the last ones are left out.
    pub predicates: usize,
    /// Valuations that states may have; predicates are left out until there are fewer.
    pub valuations: usize,
    /// Models that the solver is asked for; what is not known then is taken to lead anywhere.
    pub models: usize,
    /// What each question may cost.
    pub budget: Budget,
    /// Whether each path through an iteration is looked at by itself, as in the paper, instead of all at once.
    pub path_wise: bool,
    /// Which states are looked at for what an iteration does.
    pub scope: Scope,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            predicates: 40,
            valuations: 320,
            models: 2_000,
            budget: Budget::unlimited().with_conflicts(1_000),
            path_wise: false,
            scope: Scope::Whole,
        }
    }
}

/// The closure of a loop, applied to the states in which it is entered.
#[derive(Clone, Debug)]
pub struct Closure {
    /// Which of the predicates it is about, by their positions: the numbers of all that follows.
    pub predicates: Vec<usize>,
    /// The valuations that states have.
    pub universe: Universe,
    /// f: what one iteration makes of each predicate, or none.
    pub images: Operator,
    /// ↑f: what any number of iterations makes of it.
    pub closed: Operator,
    /// The formula of the states in which the loop is entered.
    pub entered: Monotone,
    /// The closure applied to it.
    pub applied: Monotone,
    /// What is reached from it step by step, with the same predicates: the best that they can say.
    pub reached: Monotone,
    /// Why it is coarser than it could be.
    pub coarse: Vec<String>,
}

/// More paths are looked at together.
const PATHS: usize = 64;

impl Closure {
    /// The closure of a loop whose candidates are the predicates; related ones have neighbouring positions, and `groups` tells which belong together. None
    /// if the loop changes none of them, or if there is no difference between small numbers and others.
    pub fn new(terms: &mut Terms, step: &Step<'_>, groups: &[usize], limits: &Limits) -> Option<Closure> {
        let mut coarse = Vec::new();
        let mut predicates = relevant(terms, step);
        let all = predicates.len();
        cut(&mut predicates, groups, limits.predicates.min(Cube::PREDICATES));
        let inside = [step.entered, step.head_valid];
        let valuations = loop {
            let head: Vec<Term> = predicates.iter().map(|&place| step.candidates[place].head).collect();
            let mut enumerator = Enumerator::new(terms, step.facts, &[&head], &limits.budget, limits.models);
            if let Some(valuations) = enumerator.valuations(terms, &inside, &head, limits.valuations) {
                break valuations;
            }
            let fewer = predicates.len() / 2;
            cut(&mut predicates, groups, fewer);
            if predicates.is_empty() {
                return None;
            }
        };
        if predicates.is_empty() {
            return None;
        }
        if predicates.len() < all {
            coarse.push(format!("only {} of {all} predicates were used", predicates.len()));
        }
        Iteration::new(step, predicates).closure(terms, step, valuations, limits, coarse)
    }
}

/// The predicates about what the loop may change; of the others the closure has nothing to say that is not known anyway.
fn relevant(terms: &Terms, step: &Step<'_>) -> Vec<usize> {
    let changes = |place: &usize| {
        let predicate = &step.candidates[*place];
        terms.as_bool(predicate.head).is_none() && predicate.entry != predicate.head
    };
    let mut found: Vec<usize> = (0..step.candidates.len()).filter(changes).collect();
    // The same predicate twice is once too often.
    let mut seen: Vec<Term> = Vec::new();
    found.retain(|&place| {
        let head = step.candidates[place].head;
        let new = !seen.contains(&head);
        seen.push(head);
        new
    });
    found
}

/// Leaves out the last predicates, and those that belong to them.
pub(crate) fn cut(predicates: &mut Vec<usize>, groups: &[usize], limit: usize) {
    if let Some(&first) = predicates.get(limit) {
        predicates.truncate(limit);
        while predicates.last().is_some_and(|&last| groups.get(last) == groups.get(first)) {
            predicates.pop();
        }
    }
}

/// One iteration, as far as some predicates tell.
struct Iteration {
    predicates: Vec<usize>,
    entry: Vec<Term>,
    head: Vec<Term>,
    again: Vec<Term>,
}

impl Iteration {
    fn new(step: &Step<'_>, predicates: Vec<usize>) -> Self {
        let tested = || predicates.iter().map(|&place| &step.candidates[place]);
        let (entry, head) = (tested().map(|one| one.entry).collect(), tested().map(|one| one.head).collect());
        let again = tested().map(|one| one.again).collect();
        Iteration { entry, head, again, predicates }
    }

    fn closure(
        self,
        terms: &mut Terms,
        step: &Step<'_>,
        mut valuations: Vec<Cube>,
        limits: &Limits,
        mut coarse: Vec<String>,
    ) -> Option<Closure> {
        let count = self.predicates.len();
        let mut facts = step.facts.to_vec();
        if limits.scope == Scope::Small {
            let small = small::numbers(terms, &[&self.entry, &self.head, &self.again])?;
            facts.extend(small);
        }
        let mut at_entry = Enumerator::new(terms, &facts, &[&self.entry], &limits.budget, limits.models);
        let entered = at_entry.valuations(terms, &[step.entered, step.entered_valid], &self.entry, limits.valuations);
        let assumed = [step.again, step.head_valid, step.again_valid];
        let mut in_body = Enumerator::new(terms, &facts, &[&self.head, &self.again], &limits.budget, limits.models);
        let mut paths = vec![Vec::new()];
        if limits.path_wise {
            match in_body.paths(terms, &assumed, &self.again, PATHS) {
                Some(found) => paths = found,
                None => coarse.push(format!("there are more than {PATHS} paths")),
            }
        }
        let exclusive = !valuations.iter().any(|a| valuations.iter().any(|b| a != b && a.is_subset(*b)));
        let body = Body { assumed: &assumed, head: &self.head, again: &self.again, paths: &paths, exclusive };
        let images = in_body.images(terms, &body);
        let unknown = images.iter().filter(|image| image.is_none()).count();
        if unknown > 0 {
            coarse.push(format!("the images of {unknown} of {count} predicates have too many cubes"));
        }
        if entered.is_none() {
            coarse.push("the states in which it is entered have too many cubes".into());
        }
        let reached = entered.as_ref().and_then(|entered| in_body.reached(terms, &body, entered, limits.valuations));
        valuations.extend(images.iter().flatten().flatten());
        valuations.extend(entered.iter().chain(&reached).flatten());
        let universe = Universe::new(count, valuations);
        let abstraction =
            |states: &Option<Vec<Cube>>| states.as_ref().map_or_else(|| universe.top(), |states| universe.abstraction(states));
        let images = Operator::extensive(&universe, &images.iter().map(abstraction).collect::<Vec<_>>());
        let entry = abstraction(&entered);
        let closed = images.clone().relaxed(&universe);
        let applied = closed.apply(&universe, &entry);
        let reached = if reached.is_some() { abstraction(&reached) } else { applied.clone() };
        Some(Closure { predicates: self.predicates, universe, images, closed, entered: entry, applied, reached, coarse })
    }
}

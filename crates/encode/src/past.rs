//! Forgetting the past: what was computed long before a loop is arbitrary where the loop's candidates are tested.
//!
//! The state in which a loop is entered is a term over everything that the program did before. A test that knows all of it costs more with every
//! loop, and hardly ever needs it. So terms that are older than a point of the walk, and large, are replaced by fresh variables. What is proved
//! for all values of a variable holds for the term that it stands for: a proof stays one, and all that can be lost is a candidate.

use logic::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Old terms that are no larger than this are kept.
const SMALL: usize = 60;

/// The terms of a test, without what is long past.
pub(crate) struct Past {
    /// Terms that were made earlier are old.
    since: usize,
    /// What stands for terms.
    replaced: FxHashMap<Term, Term>,
    /// What fresh variables stand for.
    meaning: FxHashMap<Term, Term>,
    seen: FxHashSet<Term>,
}

impl Past {
    /// Forgets large terms that were made before so many others; what is to be kept stays as it is.
    pub(crate) fn new(since: usize, kept: Term) -> Self {
        Past { since, replaced: [(kept, kept)].into_iter().collect(), meaning: FxHashMap::default(), seen: FxHashSet::default() }
    }

    /// A term without the past.
    pub(crate) fn forgotten(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut open = vec![term];
        while let Some(part) = open.pop() {
            if self.replaced.contains_key(&part) || !self.seen.insert(part) {
                continue;
            }
            if part.index() >= self.since {
                open.extend(terms.args(part));
            } else if terms.size_within(part, SMALL).is_none() {
                let variable = terms.fresh("past", terms.sort(part));
                self.replaced.insert(part, variable);
                self.meaning.insert(variable, part);
            } else {
                self.replaced.insert(part, part);
            }
        }
        terms.substitute_with(term, &mut self.replaced)
    }

    /// A term with the past again.
    pub(crate) fn recalled(&mut self, terms: &mut Terms, term: Term) -> Term {
        terms.substitute_with(term, &mut self.meaning)
    }
}

#[cfg(test)]
mod tests {
    use logic::Sort;

    use super::*;

    /// A sum of so many variables.
    fn sum(terms: &mut Terms, count: usize) -> Term {
        let mut sum = terms.variable("x", Sort::Bits(32));
        for _ in 0..count {
            let next = terms.fresh("x", Sort::Bits(32));
            let product = terms.mul(sum, next);
            sum = terms.add(product, next);
        }
        sum
    }

    #[test]
    fn large_old_terms_become_variables_and_are_recalled() {
        let mut terms = Terms::new();
        let (large, small) = (sum(&mut terms, SMALL), sum(&mut terms, 1));
        let since = terms.len();
        let new = terms.add(large, small);
        let below = terms.ult(new, small);
        let mut past = Past::new(since, small);
        let forgotten = past.forgotten(&mut terms, below);
        assert!(terms.size_within(forgotten, 10).is_some());
        assert_eq!(past.forgotten(&mut terms, below), forgotten);
        assert_eq!(past.recalled(&mut terms, forgotten), below);
    }

    #[test]
    fn what_is_new_small_or_kept_stays() {
        let mut terms = Terms::new();
        let (old, small) = (sum(&mut terms, SMALL), sum(&mut terms, 1));
        let since = terms.len();
        let new = sum(&mut terms, SMALL);
        let mut past = Past::new(since, old);
        for term in [old, small, new] {
            assert_eq!(past.forgotten(&mut terms, term), term);
        }
    }
}

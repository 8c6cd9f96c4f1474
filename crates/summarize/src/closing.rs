//! Closures over predicates, as the encoder asks for them.

use closures::{Closure, Limits, Sigma};
use domains::View;
use encode::{Candidate, Formula, Head, Scope, Step};
use logic::Terms;
use model::{BlockId, FunctionId};

/// Where closures over predicates are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum When {
    /// Nowhere.
    Never,
    /// For loops whose invariants were too weak, when nothing else helped.
    #[default]
    Refining,
    /// For all loops.
    Always,
}

/// How closures over predicates are made.
#[derive(Clone, Copy, Default)]
pub struct Closing<'a> {
    /// For which loops.
    pub when: When,
    /// Of which predicates.
    pub sigma: Sigma<'a>,
    /// Whether the paths through a loop are looked at one by one.
    pub path_wise: bool,
}

/// A loop whose closure is coarser than it could be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coarse {
    /// The function that it is in.
    pub function: FunctionId,
    /// Its header.
    pub header: BlockId,
    /// Why.
    pub reason: String,
}

/// Makes closures of loops.
pub(crate) struct Closer<'a> {
    closing: Closing<'a>,
    /// The functions with these loops, because what one loop says is about what those around and before it do; if there is no list, all of them.
    only: Option<&'a [(FunctionId, BlockId)]>,
    /// The loop whose predicates were asked for last.
    current: Option<(FunctionId, BlockId)>,
    /// Loops with closures that are coarser than they could be.
    pub(crate) coarse: Vec<Coarse>,
    /// How many closures were made, and how many of them are as strong as anything that their predicates can say.
    pub(crate) made: (u64, u64),
    /// Both as they were before the loop.
    before: (usize, (u64, u64)),
}

/// What a question may cost.
const CONFLICTS: u64 = 4_000;

impl<'a> Closer<'a> {
    pub(crate) fn new(closing: Closing<'a>, only: Option<&'a [(FunctionId, BlockId)]>) -> Self {
        Closer { closing, only, current: None, coarse: Vec::new(), made: (0, 0), before: (0, (0, 0)) }
    }

    /// The predicates for a loop.
    pub(crate) fn predicates(&mut self, head: &Head<'_, '_>) -> Vec<Formula> {
        self.current = Some((head.function, head.region.header));
        if self.only.is_none_or(|loops| loops.iter().any(|(function, _)| *function == head.function)) {
            self.closing.sigma.predicates(&View::new(head))
        } else {
            Vec::new()
        }
    }

    /// What the closure of the loop says, as candidates; not more than so many.
    pub(crate) fn combine(
        &mut self,
        terms: &mut Terms,
        step: &Step<'_>,
        predicates: &[Formula],
        limit: usize,
        limits: Limits,
    ) -> Option<Vec<Candidate>> {
        let budget = limits.budget.with_conflicts(CONFLICTS);
        let limits = Limits { budget, path_wise: self.closing.path_wise, ..limits };
        match limits.scope {
            Scope::Small => self.before = (self.coarse.len(), self.made),
            // The first attempt was in vain.
            Scope::Whole => {
                self.coarse.truncate(self.before.0);
                self.made = self.before.1;
            }
        }
        let closure = Closure::new(terms, step, &closures::groups(predicates), &limits)?;
        let (found, more) = closure.candidates(predicates, limit);
        self.made.0 += 1;
        self.made.1 += u64::from(closure.applied == closure.reached);
        let reasons = closure.coarse.into_iter().chain(more.then(|| format!("it says more than {limit} formulas")));
        if let Some((function, header)) = self.current {
            self.coarse.extend(reasons.map(|reason| Coarse { function, header, reason }));
        }
        Some(found.into_iter().map(|formula| Candidate { formula, domain: "closures" }).collect())
    }
}

//! Summarising loops: domains propose candidates, the kernel tests them, the encoder puts what is kept in the place of the loop.

use std::time::{Duration, Instant};

use closures::Limits;
use domains::Domain;
use encode::{Candidate, Finding, Formula, Head, Linear, Scope, Source, Step, Summarizer};
use kernel::Care;
use logic::Terms;
use logic::sat::Budget;
use model::{BlockId, ExprId, FunctionId};
use rustc_hash::FxHashSet;

use crate::closing::{Closer, Closing};
use crate::refutation::refuted;

/// A program's candidates get more than usual until solvers have propagated so much for them, …
const FEW: u64 = 40_000_000;
/// … and little from there on.
const MANY: u64 = 80_000_000;

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Loops at points of the program at which they were summarised.
    pub loops: u64,
    /// Candidates that were tested.
    pub candidates: u64,
    /// Candidates that were confirmed.
    pub confirmed: u64,
    /// Questions to the solver.
    pub questions: u64,
    /// Closures over predicates that were made.
    pub closures: u64,
    /// … and those that were as strong as anything that their predicates can say.
    pub optimal: u64,
    /// The time that testing took.
    pub time: Duration,
}

/// What does not hold of all calls of functions that are encoded once.
pub(crate) type Dismissed = FxHashSet<(FunctionId, Formula)>;

/// The loops whose bodies are walked again if loops inside lean on candidates that do not hold: that takes twice as long, and is seldom needed.
#[derive(Clone, Copy, Default)]
pub enum Repeated<'a> {
    /// None.
    #[default]
    Never,
    /// These, by function and header.
    Only(&'a [(FunctionId, BlockId)]),
    /// All.
    Always,
}

impl Repeated<'_> {
    fn includes(self, function: FunctionId, header: BlockId) -> bool {
        match self {
            Repeated::Never => false,
            Repeated::Only(loops) => loops.contains(&(function, header)),
            Repeated::Always => true,
        }
    }
}

/// Summarises loops with some domains.
pub struct Loops<'a> {
    domains: Vec<&'a dyn Domain>,
    limit: usize,
    budget: Budget,
    /// What was done so far.
    pub statistics: Statistics,
    /// How much solvers propagated to test candidates.
    propagations: u64,
    /// Told what is done next.
    pub progress: Option<Progress<'a>>,
    /// The loops for which more is tried, by function and header.
    refined: &'a [(FunctionId, BlockId)],
    /// Whose bodies are walked again if loops inside lean on candidates that do not hold.
    pub repeated: Repeated<'a>,
    /// Whether rounds are measured, for termination arguments.
    pub measures: bool,
    /// Whether loops are followed to their end where that is cheap.
    pub follows: bool,
    /// How many commands the copies of a function may have before it is encoded once for all its calls.
    pub room: usize,
    /// What is known not to hold of all calls of functions.
    pub(crate) dismissed: Dismissed,
    /// Makes closures over predicates, if that is wanted.
    pub(crate) closer: Option<Closer<'a>>,
}

/// What is done next.
pub enum Stage<'a> {
    /// A loop is summarised.
    Loop(&'a Head<'a, 'a>),
    /// The candidates of so many loops are tested.
    Tests(usize),
}

/// Told what is done next, and what was done so far.
type Progress<'a> = Box<dyn FnMut(Stage<'_>, &Statistics) + 'a>;

impl<'a> Loops<'a> {
    /// With these domains, at most so many candidates for a loop, this budget for each question, and more effort for some loops.
    pub fn new(domains: Vec<&'a dyn Domain>, limit: usize, budget: Budget, refined: &'a [(FunctionId, BlockId)]) -> Self {
        Loops {
            domains,
            limit,
            budget,
            statistics: Statistics::default(),
            propagations: 0,
            progress: None,
            refined,
            repeated: Repeated::Never,
            measures: false,
            follows: true,
            room: usize::MAX,
            dismissed: Dismissed::default(),
            closer: None,
        }
    }

    /// Tries closures over predicates, for all loops or for the functions that have some.
    pub fn close(&mut self, closing: Closing<'a>, only: Option<&'a [(FunctionId, BlockId)]>) {
        self.closer = Some(Closer::new(closing, only));
    }
}

impl Summarizer for Loops<'_> {
    fn propose(&mut self, head: &Head<'_, '_>) -> Vec<Candidate> {
        if let Some(progress) = &mut self.progress {
            progress(Stage::Loop(head), &self.statistics);
        }
        self.statistics.loops += 1;
        let round = u32::from(self.refined.contains(&(head.function, head.region.header)));
        domains::propose(&self.domains, &Head { round, ..*head }, self.limit)
    }

    fn peels(&self, function: FunctionId, header: BlockId) -> bool {
        self.refined.contains(&(function, header))
    }

    fn repeats(&self, function: FunctionId, header: BlockId) -> bool {
        self.measures || self.repeated.includes(function, header)
    }

    fn follows(&self) -> bool {
        self.follows
    }

    fn room_for_copies(&self) -> usize {
        self.room
    }

    fn shares_recursion(&self) -> bool {
        !self.measures
    }

    fn dismiss(&mut self, function: FunctionId, formula: &Formula) {
        self.dismissed.insert((function, formula.clone()));
    }

    fn is_dismissed(&self, function: FunctionId, formula: &Formula) -> bool {
        self.dismissed.contains(&(function, formula.clone()))
    }

    fn propose_result(&mut self, head: &Head<'_, '_>) -> Vec<Candidate> {
        // Without domains, nothing is to be guessed.
        if self.domains.is_empty() { Vec::new() } else { domains::results(head) }
    }

    fn walks(&mut self, head: &Head<'_, '_>) -> Vec<(Source, ExprId)> {
        if self.measures { domains::walks(head) } else { Vec::new() }
    }

    fn measures(&mut self, head: &Head<'_, '_>) -> Vec<(Linear, Vec<i128>)> {
        if self.measures { domains::measures(head) } else { Vec::new() }
    }

    fn test(&mut self, terms: &mut Terms, steps: &[Step<'_>]) -> Vec<Vec<Finding>> {
        let started = Instant::now();
        if let (Some(progress), true) = (&mut self.progress, steps.len() > 1) {
            progress(Stage::Tests(steps.len()), &self.statistics);
        }
        let care = match matches!(self.repeated, Repeated::Only(_)) || !self.refined.is_empty() {
            true => Care::More,
            false if self.propagations < FEW => Care::Generous,
            false if self.propagations < MANY => Care::Usual,
            false => Care::Little,
        };
        let found = kernel::test_candidates(terms, steps, &self.budget, care);
        for tests in &found {
            self.statistics.questions += tests.questions;
            self.propagations += tests.propagations;
            self.statistics.candidates += tests.findings.len() as u64;
            self.statistics.confirmed += tests.findings.iter().filter(|finding| matches!(finding, Finding::Holds(_))).count() as u64;
        }
        self.statistics.time += started.elapsed();
        found.into_iter().map(|tests| tests.findings).collect()
    }

    fn glimpses(&self) -> bool {
        true
    }

    fn refute(&mut self, terms: &mut Terms, step: &Step<'_>) -> Vec<bool> {
        let started = Instant::now();
        let (refuted, questions) = refuted(terms, step, &self.budget);
        self.statistics.questions += questions;
        self.statistics.time += started.elapsed();
        refuted
    }

    fn predicates(&mut self, head: &Head<'_, '_>) -> Vec<Formula> {
        self.closer.as_mut().map_or_else(Vec::new, |closer| closer.predicates(head))
    }

    fn combine(&mut self, terms: &mut Terms, step: &Step<'_>, predicates: &[Formula], scope: Scope) -> Option<Vec<Candidate>> {
        let closer = self.closer.as_mut()?;
        let started = Instant::now();
        let limits = Limits { budget: self.budget.clone(), scope, ..Limits::default() };
        let found = closer.combine(terms, step, predicates, self.limit, limits);
        (self.statistics.closures, self.statistics.optimal) = closer.made;
        self.statistics.time += started.elapsed();
        found
    }
}

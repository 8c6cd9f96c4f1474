//! Asking questions about terms.

use rustc_hash::FxHashSet;

use crate::arrays::{ArrayTheory, Refinement};
use crate::bits::Bits;
use crate::blast::{Blaster, Unsupported};
use crate::dump::Dump;
use crate::eval::{Assignment, Evaluator, Value};
use crate::op::Op;
use crate::sat::{Budget, Cadical, Lit, Reason, SatAnswer, SatSolver, Statistics};
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There are values for the variables; [`Context::model`] has them.
    Sat,
    /// There are none; [`Context::core`] tells which assumptions mattered.
    Unsat,
    /// The question was not decided.
    Unknown(Unknown),
}

/// Why a question was not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// The budget was used up, the search was interrupted, or memory ended.
    Solver(Reason),
    /// A term has no circuit.
    Unsupported(String),
    /// A term was put together wrongly.
    IllSorted(String),
    /// The solver's model does not hold when it is evaluated: the array axioms that it violates are not among those that are tried.
    Incomplete,
}

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unknown::Solver(Reason::Conflicts) => f.write_str("the solver's conflicts were used up"),
            Unknown::Solver(Reason::Time) => f.write_str("the solver's time was used up"),
            Unknown::Solver(Reason::Interrupted) => f.write_str("the solver was interrupted"),
            Unknown::Solver(Reason::Memory) => f.write_str("the formula is too large for the solver"),
            Unknown::Unsupported(what) => write!(f, "the decision procedure has no circuit for {what}"),
            Unknown::IllSorted(message) => write!(f, "ill-sorted term: {message}"),
            Unknown::Incomplete => f.write_str("the decision procedure is incomplete for this array formula"),
        }
    }
}

/// Who is in a hurry does not wait for more array axioms than this.
const HASTY_LEMMAS: usize = 1500;

/// How many models of one question may fail for elements that nobody reads before it is given up.
const FAILURES: u32 = 64;
/// The size of a short segment.
const SHORT: u128 = 1 << 10;

/// Asserted terms and a solver that knows them. It grows only: what should hold for one question is an assumption of that question.
pub struct Context<S = Cadical> {
    blaster: Blaster<S>,
    arrays: ArrayTheory,
    asserted: Vec<Term>,
    assumed: Vec<(Term, Lit)>,
    broken: Option<Unknown>,
    /// Whether models are not evaluated as a whole.
    hasty: bool,
    /// How often a model may turn out to be none.
    failures: u32,
    /// How many array axioms, and propagations, a hasty question may need.
    patience: (usize, u64),
    dump: Option<Dump>,
}

impl Context<Cadical> {
    /// An empty context with the default solver.
    pub fn new() -> Self {
        Context::with_solver(Cadical::default())
    }
}

impl Default for Context<Cadical> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: SatSolver> Context<S> {
    /// An empty context with this solver.
    pub fn with_solver(solver: S) -> Self {
        Context {
            blaster: Blaster::new(solver),
            arrays: ArrayTheory::default(),
            asserted: Vec::new(),
            assumed: Vec::new(),
            broken: None,
            hasty: false,
            failures: FAILURES,
            patience: (HASTY_LEMMAS, u64::MAX),
            dump: None,
        }
    }
    /// Writes each question to a file from now on.
    pub fn dump_to(&mut self, dump: Dump) {
        self.dump = Some(dump);
    }

    /// This holds in all questions from now on.
    pub fn assert(&mut self, terms: &mut Terms, term: Term) {
        self.asserted.push(term);
        self.define_variables(terms, term);
        match self.kept_literal(terms, term) {
            Ok(literal) => self.blaster.gates.solver.add_clause(&[literal]),
            // Without it no answer is right, so there is none from now on.
            Err(unknown) => self.broken = Some(unknown),
        }
    }

    /// Where an asserted conjunction says that a variable which nobody has used yet equals a term, the variable gets the literals of that term.
    /// Since it holds in all questions, no model is lost, and all that is said about one is said about the other without any search.
    fn define_variables(&mut self, terms: &mut Terms, term: Term) {
        if terms.error().is_some() {
            return;
        }
        let (mut open, mut seen) = (vec![term], FxHashSet::default());
        while let Some(part) = open.pop() {
            match (terms.op(part), terms.node(part).args.clone().as_slice()) {
                (Op::And, &[a, b]) if seen.insert(part) => open.extend([b, a]),
                (Op::Equal, &[a, b]) => {
                    // What has no circuit is reported when the assertion itself is encoded.
                    let _ = self.blaster.define(terms, b, a).and_then(|()| self.blaster.define(terms, a, b));
                }
                _ => {}
            }
        }
    }

    /// From now on, a model counts (or not) that violates no axiom at the indices that anybody mentions, whatever becomes of the others. `Sat`
    /// is then no more than an attempt that did not fail; `Unsat` means what it always means.
    pub fn be_hasty(&mut self, hasty: bool) {
        self.hasty = hasty;
    }

    /// Gives up when so many models of arrays as a whole have turned out to be none.
    pub fn limit_failures(&mut self, failures: u32) {
        self.failures = failures;
    }

    /// A question in a hurry is given up when it needs more array axioms than this, or after so many propagations between one model and the next.
    pub fn limit_haste(&mut self, lemmas: usize, propagations: u64) {
        self.patience = (lemmas, propagations);
    }

    /// Encodes a term without asserting it, so that assuming it later costs nothing and each model has its value.
    pub fn prepare(&mut self, terms: &mut Terms, term: Term) {
        // What has no literal now has none later either; `solve` reports it.
        let _ = self.kept_literal(terms, term);
    }

    /// Whether all that was asserted can hold together with these assumptions.
    pub fn solve(&mut self, terms: &mut Terms, assumptions: &[Term], budget: &Budget) -> Answer {
        if let Some(dump) = &mut self.dump {
            dump.write(terms, &self.asserted, assumptions);
        }
        match self.decide(terms, assumptions, budget) {
            Ok(answer) => answer,
            Err(unknown) => Answer::Unknown(unknown),
        }
    }

    fn literal(&mut self, terms: &mut Terms, term: Term) -> Result<Lit, Unknown> {
        if let Some(error) = terms.error() {
            return Err(Unknown::IllSorted(error.message.clone()));
        }
        if terms.sort(term) != Sort::Bool {
            return Err(Unknown::IllSorted(format!("a term of sort {} is no truth value", terms.sort(term))));
        }
        let literal = self.blaster.literal(terms, term).map_err(|error| Unknown::Unsupported(error.0));
        // Also if there is no literal: what was met on the way is part of all questions from now on.
        self.arrays.prepare(terms, &mut self.blaster).map_err(|error| self.break_down(error))?;
        literal
    }

    /// The literal of a term that all questions are about from now on.
    fn kept_literal(&mut self, terms: &mut Terms, term: Term) -> Result<Lit, Unknown> {
        let literal = self.literal(terms, term)?;
        self.arrays.keep(terms, &mut self.blaster, term).map_err(|error| self.break_down(error))?;
        Ok(literal)
    }

    fn decide(&mut self, terms: &mut Terms, assumptions: &[Term], budget: &Budget) -> Result<Answer, Unknown> {
        self.assumed.clear();
        // Making circuits takes time, too.
        if let Some(reason) = budget.exhausted() {
            return Err(Unknown::Solver(reason));
        }
        for &term in assumptions {
            let literal = self.literal(terms, term)?;
            self.assumed.push((term, literal));
        }
        if let Some(broken) = &self.broken {
            return Err(broken.clone());
        }
        self.arrays.begin(terms, &mut self.blaster, assumptions).map_err(|error| self.break_down(error))?;
        let literals: Vec<Lit> = self.assumed.iter().map(|&(_, literal)| literal).collect();
        let mut wishes: Vec<Lit> = Vec::new();
        let before = self.blaster.gates.solver.statistics().conflicts;
        let mut failures = 0;
        let (lemmas, propagations) = (self.arrays.lemmas(), self.blaster.gates.solver.statistics().propagations);
        loop {
            let propagated = self.blaster.gates.solver.statistics().propagations - propagations;
            if self.hasty && (self.arrays.lemmas() - lemmas > self.patience.0 || propagated > self.patience.1) {
                return Err(Unknown::Incomplete);
            }
            // The conflicts are those of the question, however many searches it takes.
            let spent = self.blaster.gates.solver.statistics().conflicts - before;
            let rest =
                budget.conflicts().map_or_else(|| budget.clone(), |limit| budget.clone().with_conflicts(limit.saturating_sub(spent)));
            let all: Vec<Lit> = literals.iter().chain(&wishes).copied().collect();
            match self.blaster.gates.solver.solve(&all, &rest) {
                SatAnswer::Unsat if wishes.is_empty() => return Ok(Answer::Unsat),
                SatAnswer::Unsat => {
                    let solver = &mut self.blaster.gates.solver;
                    let before = wishes.len();
                    wishes.retain(|&wish| !solver.failed(wish));
                    if wishes.len() == before {
                        wishes.clear();
                    }
                    continue;
                }
                SatAnswer::Unknown(reason) => return Err(Unknown::Solver(reason)),
                SatAnswer::Sat => {}
            }
            let refinement = match self.arrays.refine(terms, &mut self.blaster, !self.hasty, budget) {
                Ok(Refinement::Consistent) if self.hasty || !self.arrays.is_extended() || self.model_holds(terms, assumptions) => {
                    return Ok(Answer::Sat);
                }
                Ok(Refinement::Consistent) if failures < self.failures => {
                    failures += 1;
                    let model = self.model(terms);
                    let refinement = self.arrays.instantiate(terms, &mut self.blaster, &model);
                    if failures == 1 {
                        wishes = self.short_segments(terms)?;
                    }
                    refinement
                }
                Ok(Refinement::Consistent) => Ok(Refinement::Stuck),
                other => other,
            };
            if refinement.map_err(|error| self.break_down(error))? == Refinement::Stuck {
                return Err(Unknown::Incomplete);
            }
            if let Some(error) = terms.error() {
                return Err(Unknown::IllSorted(error.message.clone()));
            }
            if let Some(reason) = budget.exhausted() {
                return Err(Unknown::Solver(reason));
            }
        }
    }

    /// What one may wish for if a model has no good values for elements that nobody reads: that segments are so short that their elements can be
    /// written down one by one.
    fn short_segments(&mut self, terms: &mut Terms) -> Result<Vec<Lit>, Unknown> {
        let mut wishes = Vec::new();
        for count in self.arrays.sizes(terms) {
            let most = terms.number(terms.width(count), SHORT);
            let short = terms.ule(count, most);
            wishes.push(self.literal(terms, short)?);
        }
        Ok(wishes)
    }

    /// Axioms are missing from now on, so there is no answer any more.
    fn break_down(&mut self, error: Unsupported) -> Unknown {
        let unknown = Unknown::Unsupported(error.0);
        self.broken = Some(unknown.clone());
        unknown
    }

    /// Whether the model makes all that is asserted and assumed true.
    fn model_holds(&mut self, terms: &Terms, assumptions: &[Term]) -> bool {
        let model = self.model(terms);
        let mut evaluator = Evaluator::new(terms, &model);
        self.asserted.iter().chain(assumptions).all(|&term| evaluator.holds(term) == Some(true))
    }

    /// Values of the variables that make everything true, after [`Answer::Sat`] and before anything else is done with the context.
    pub fn model(&mut self, terms: &Terms) -> Assignment {
        let mut model = Assignment::new();
        for (variable, term) in terms.variable_terms() {
            if let Sort::Array { .. } = terms.sort(term) {
                model.set(variable, Value::Array(self.arrays.value(terms, variable, term)));
            } else if let Some(bits) = self.bits_of(terms, term) {
                let value = if terms.sort(term) == Sort::Bool { Value::Bool(!bits.is_zero()) } else { Value::Bits(bits) };
                model.set(variable, value);
            }
        }
        model
    }

    /// The value of a term in the last model, if it is part of the question, asserted or prepared. Much quicker than evaluating it. (Of
    /// another term that was encoded once it is anything.)
    pub fn bits_of(&mut self, terms: &Terms, term: Term) -> Option<Bits> {
        self.blaster.value(term).filter(|value| value.width() == terms.width(term))
    }

    /// The assumptions of the last question that contradict what is asserted, after [`Answer::Unsat`].
    pub fn core(&mut self) -> Vec<Term> {
        let solver = &mut self.blaster.gates.solver;
        self.assumed.iter().filter(|&&(_, literal)| solver.failed(literal)).map(|&(term, _)| term).collect()
    }

    /// Counters.
    pub fn statistics(&self) -> ContextStatistics {
        ContextStatistics { solver: self.blaster.gates.solver.statistics(), lemmas: self.arrays.lemmas() as u64 }
    }
}

/// Counters of a context over its whole life.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContextStatistics {
    /// The SAT solver's.
    pub solver: Statistics,
    /// Array axioms that were instantiated.
    pub lemmas: u64,
}

//! The propositional layer: clauses go in, an answer, a model or a core comes out.
//!
//! [`SatSolver`] is what the rest of the crate uses; [`Cadical`] is the solver of choice, [`Batsat`] an independent second one
//! in pure Rust. The conformance suite runs for both, so that either can be trusted to keep the contract written here.

mod batsat;
mod cadical;
#[cfg(test)]
mod conformance;

use std::fmt;
use std::ops::Not;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use smallvec::SmallVec;

pub use self::batsat::Batsat;
pub use self::cadical::Cadical;

/// A propositional variable of one solver, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);

impl Var {
    /// No solver gives more variables than this, so that a literal fits into 32 bits, with or without sign.
    const LIMIT: u32 = 1 << 29;

    /// The variable with that number (or the last one possible).
    pub fn new(index: u32) -> Var {
        Var(index.min(Var::LIMIT))
    }

    /// Its number.
    pub fn index(self) -> u32 {
        self.0
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// A variable or its negation: twice the variable's number, plus one if negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The literal that is true if `var` is `value`.
    pub fn new(var: Var, value: bool) -> Lit {
        Lit(2 * var.0 + u32::from(!value))
    }

    /// The variable itself.
    pub fn positive(var: Var) -> Lit {
        Lit::new(var, true)
    }

    /// The variable's negation.
    pub fn negative(var: Var) -> Lit {
        Lit::new(var, false)
    }

    /// The variable.
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether it is a negation.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// A dense number, for tables: the two literals of a variable are neighbours.
    pub fn index(self) -> u32 {
        self.0
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?}", if self.is_negative() { "!" } else { "" }, self.var())
    }
}

/// An incremental SAT solver.
///
/// Clauses are only ever added. A query is a call of [`SatSolver::solve`] with literals that hold for this query alone. A clause or an
/// assumption may only use variables that this solver's `new_var` gave.
///
/// A solver belongs to one thread (CaDiCaL's binding does not let it move); another thread ends a query by an [`Interrupt`]. To
/// work in parallel, each thread makes its own solver.
pub trait SatSolver {
    /// A fresh variable.
    fn new_var(&mut self) -> Var;

    /// Adds a clause: at least one of the literals holds. The empty clause makes the formula unsatisfiable for good.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Looks for a model of all clauses in which all `assumptions` are true. After [`SatAnswer::Unknown`] the solver can be used as
    /// before; what it learnt is kept.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer;

    /// The literal's value in the model that the last `solve` found. `false` if there is no model (no `solve` yet, a clause added since,
    /// another answer). A variable that occurs in no clause and no assumption is false, hence its negation true.
    fn value(&mut self, lit: Lit) -> bool;

    /// Whether this assumption was used to show unsatisfiability: the clauses contradict the failed assumptions, even without the
    /// others. `false` for literals that were not assumed, and if the last answer was not [`SatAnswer::Unsat`].
    fn failed(&mut self, lit: Lit) -> bool;

    /// How much work was done so far.
    fn statistics(&self) -> Statistics;
}

/// One that is chosen while the program runs: [`Batsat`] begins and answers easy questions sooner, [`Cadical`] is quicker where there is more to know.
impl SatSolver for Box<dyn SatSolver> {
    fn new_var(&mut self) -> Var {
        (**self).new_var()
    }
    fn add_clause(&mut self, clause: &[Lit]) {
        (**self).add_clause(clause);
    }
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        (**self).solve(assumptions, budget)
    }
    fn value(&mut self, lit: Lit) -> bool {
        (**self).value(lit)
    }
    fn failed(&mut self, lit: Lit) -> bool {
        (**self).failed(lit)
    }
    fn statistics(&self) -> Statistics {
        (**self).statistics()
    }
}

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatAnswer {
    /// There is a model; ask [`SatSolver::value`].
    Sat,
    /// There is none; ask [`SatSolver::failed`].
    Unsat,
    /// The search was given up.
    Unknown(Reason),
}

/// Why a search was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The conflicts were used up.
    Conflicts,
    /// The deadline has passed.
    Time,
    /// Somebody asked for it.
    Interrupted,
    /// The formula is larger than the solver can hold. Such a solver answers nothing else from then on.
    Memory,
}

/// A handle by which another thread ends queries. Clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// A switch that is off.
    pub fn new() -> Interrupt {
        Interrupt::default()
    }

    /// Ends the queries that have this switch in their budget, now and until [`Interrupt::clear`].
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Turns the switch off.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it is on.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// How much a query may cost.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    conflicts: Option<u64>,
    deadline: Option<Instant>,
    /// Whoever may want it to end.
    interrupts: SmallVec<[Interrupt; 2]>,
}

impl Budget {
    /// No limit.
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// Each query ends at this many conflicts; with 0, it may only propagate. This is the limit to prefer, as it does not depend on the
    /// machine.
    pub fn with_conflicts(mut self, conflicts: u64) -> Budget {
        self.conflicts = Some(conflicts);
        self
    }

    /// Not longer than until then.
    pub fn with_deadline(mut self, deadline: Instant) -> Budget {
        self.deadline = Some(deadline);
        self
    }

    /// Until the switch is raised, or another one that it has already.
    pub fn with_interrupt(mut self, interrupt: Interrupt) -> Budget {
        self.interrupts.push(interrupt);
        self
    }

    /// The limit on conflicts.
    pub fn conflicts(&self) -> Option<u64> {
        self.conflicts
    }

    /// Why the query has to end now, whatever its progress is.
    pub fn exhausted(&self) -> Option<Reason> {
        if self.interrupts.iter().any(Interrupt::is_raised) {
            Some(Reason::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Reason::Time)
        } else {
            None
        }
    }
}

/// Counters of a solver over its whole life.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Variables made.
    pub variables: u64,
    /// Clauses added.
    pub clauses: u64,
    /// Queries.
    pub solves: u64,
    /// Conflicts met.
    pub conflicts: u64,
    /// Decisions taken.
    pub decisions: u64,
    /// Literals propagated.
    pub propagations: u64,
}

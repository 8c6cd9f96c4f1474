//! BatSat, a descendant of MiniSat in pure Rust, behind [`SatSolver`].

use super::{Budget, Lit, Reason, SatAnswer, SatSolver, Statistics, Var};
use ::batsat::{Callbacks, ClauseKind, Solver, SolverInterface, SolverOpts, lbool};
use std::cell::Cell;

/// Clauses may take this many words. BatSat addresses them by 32-bit numbers and panics when they run out; this leaves plenty for
/// the clauses that it learns.
const WORDS: u64 = 1 << 30;

/// The second solver: simple, small, and independent of [`super::Cadical`].
pub struct Batsat {
    solver: Solver<Watch>,
    /// The answer that still stands: none before the first query and after a new clause.
    answer: Option<SatAnswer>,
    clauses: u64,
    words: u64,
    solves: u64,
    full: bool,
}

impl Batsat {
    /// A solver without clauses.
    pub fn new() -> Batsat {
        let solver = Solver::new(SolverOpts::default(), Watch::default());
        Batsat { solver, answer: None, clauses: 0, words: 0, solves: 0, full: false }
    }

    fn literals(&mut self, lits: &[Lit]) -> Vec<::batsat::Lit> {
        lits.iter().map(|&lit| self.literal(lit)).collect()
    }

    fn literal(&mut self, lit: Lit) -> ::batsat::Lit {
        ::batsat::Lit::new(self.solver.var_of_int(lit.var().index()), !lit.is_negative())
    }
}

impl Default for Batsat {
    fn default() -> Batsat {
        Batsat::new()
    }
}

impl SatSolver for Batsat {
    fn new_var(&mut self) -> Var {
        let next = self.solver.num_vars();
        if next >= Var::LIMIT {
            self.full = true;
            return Var::new(0);
        }
        Var::new(self.solver.var_of_int(next).idx())
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.answer = None;
        self.clauses += 1;
        self.words += clause.len() as u64 + 1;
        self.full |= self.words > WORDS;
        if !self.full {
            let mut clause = self.literals(clause);
            self.solver.add_clause_reuse(&mut clause);
        }
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.solves += 1;
        let given_up = if self.full { Some(Reason::Memory) } else { budget.exhausted() };
        let answer = match given_up {
            Some(reason) => SatAnswer::Unknown(reason),
            None => {
                let assumptions = self.literals(assumptions);
                *self.solver.cb_mut() = Watch { budget: budget.clone(), ..Watch::default() };
                let found = self.solver.solve_limited(&assumptions);
                if found == lbool::TRUE {
                    SatAnswer::Sat
                } else if found == lbool::FALSE {
                    SatAnswer::Unsat
                } else {
                    SatAnswer::Unknown(self.solver.cb().reason.get().unwrap_or(Reason::Conflicts))
                }
            }
        };
        self.answer = Some(answer);
        answer
    }

    fn value(&mut self, lit: Lit) -> bool {
        // Variables made after the query have no value: they are false.
        self.answer == Some(SatAnswer::Sat) && {
            let lit = self.literal(lit);
            let value = self.solver.value_var(lit.var()) == lbool::TRUE;
            value == lit.sign()
        }
    }

    fn failed(&mut self, lit: Lit) -> bool {
        // BatSat gives the core as a clause that follows: the failed assumptions, negated.
        self.answer == Some(SatAnswer::Unsat) && {
            let negated = self.literal(!lit);
            self.solver.unsat_core_contains_lit(negated)
        }
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            variables: u64::from(self.solver.num_vars()),
            clauses: self.clauses,
            solves: self.solves,
            conflicts: self.solver.num_conflicts(),
            decisions: self.solver.num_decisions(),
            propagations: self.solver.num_propagations(),
        }
    }
}

/// Watches over the budget of a query; BatSat asks at every decision.
#[derive(Default)]
struct Watch {
    budget: Budget,
    conflicts: u64,
    questions: Cell<u32>,
    reason: Cell<Option<Reason>>,
}

impl Watch {
    /// The clock is slow compared with a decision, so most questions do without it.
    const PERIOD: u32 = 64;
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[::batsat::Lit], kind: ClauseKind) {
        // One clause is learnt from each conflict. (The limit that BatSat has itself cannot be set.)
        if matches!(kind, ClauseKind::Learnt) {
            self.conflicts += 1;
        }
    }

    fn stop(&self) -> bool {
        if self.reason.get().is_some() {
            return true;
        }
        let questions = self.questions.get();
        self.questions.set(questions.wrapping_add(1));
        if self.budget.conflicts().is_some_and(|limit| self.conflicts >= limit) {
            self.reason.set(Some(Reason::Conflicts));
        } else if questions.is_multiple_of(Watch::PERIOD) {
            self.reason.set(self.budget.exhausted());
        }
        self.reason.get().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_clauses_are_no_answer() {
        let mut solver = Batsat::new();
        let lit = Lit::positive(solver.new_var());
        solver.words = WORDS - 2;
        solver.add_clause(&[lit]);
        assert_eq!(solver.solve(&[], &Budget::unlimited()), SatAnswer::Sat);
        solver.add_clause(&[!lit]);
        assert_eq!(solver.solve(&[], &Budget::unlimited()), SatAnswer::Unknown(Reason::Memory));
    }
}

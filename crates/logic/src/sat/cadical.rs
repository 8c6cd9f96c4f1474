//! CaDiCaL behind [`SatSolver`].

use super::{Budget, Lit, Reason, SatAnswer, SatSolver, Statistics, Var};
use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::Cell;
use std::rc::Rc;

/// CaDiCaL's options that are set. Its defaults are made for few hard queries, but they are as good for many easy ones under
/// assumptions: without `inprobing`, `elim` or `lucky` such a load takes up to 80 % longer, with `ilb` or `phase=0` it is not quicker.
const OPTIONS: [(&str, i32); 2] = [
    // With `factor`, CaDiCaL makes variables of its own, and ours would have to be declared: see `new_var`.
    ("factor", 0),
    // The guesses of `lucky` are tried before and after preprocessing. Once is enough: a few per cent.
    ("luckyearly", 0),
];

/// The solver of choice.
pub struct Cadical {
    solver: CaDiCal,
    /// The answer that still stands: none before the first query and after a new clause.
    answer: Option<SatAnswer>,
    variables: u32,
    clauses: u64,
    solves: u64,
    full: bool,
}

impl Cadical {
    /// A solver without clauses.
    pub fn new() -> Cadical {
        let mut solver = CaDiCal::new();
        for (name, value) in OPTIONS {
            solver.set(name, value);
        }
        Cadical { solver, answer: None, variables: 0, clauses: 0, solves: 0, full: false }
    }

    /// The search, with a watch over what CaDiCaL cannot count itself.
    fn search(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        let reason = Rc::new(Cell::new(None));
        self.solver.connect_terminator(Watch { budget: budget.clone(), reason: Rc::clone(&reason) });
        if let Some(conflicts) = budget.conflicts() {
            self.solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
        }
        for &lit in assumptions {
            self.solver.assume(literal(lit));
        }
        match self.solver.solve() {
            Status::SATISFIABLE => SatAnswer::Sat,
            Status::UNSATISFIABLE => SatAnswer::Unsat,
            Status::UNKNOWN => SatAnswer::Unknown(reason.get().unwrap_or(Reason::Conflicts)),
        }
    }
}

/// A literal as CaDiCaL writes it: the variable's number from 1, negative if negated. [`Var::LIMIT`] keeps it in range.
fn literal(lit: Lit) -> i32 {
    let variable = lit.var().index() as i32 + 1;
    if lit.is_negative() { -variable } else { variable }
}

impl Default for Cadical {
    fn default() -> Cadical {
        Cadical::new()
    }
}

impl SatSolver for Cadical {
    fn new_var(&mut self) -> Var {
        if self.variables >= Var::LIMIT {
            self.full = true;
            return Var::new(0);
        }
        // Nothing to tell CaDiCaL: without `factor`, it may meet a variable when it is first used.
        self.variables += 1;
        Var::new(self.variables - 1)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.answer = None;
        self.clauses += 1;
        if !self.full {
            for &lit in clause {
                self.solver.add(literal(lit));
            }
            self.solver.add(0);
        }
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> SatAnswer {
        self.solves += 1;
        let given_up = if self.full { Some(Reason::Memory) } else { budget.exhausted() };
        let answer = match given_up {
            Some(reason) => SatAnswer::Unknown(reason),
            None => self.search(assumptions, budget),
        };
        self.answer = Some(answer);
        answer
    }

    fn value(&mut self, lit: Lit) -> bool {
        let lit = literal(lit);
        self.answer == Some(SatAnswer::Sat) && self.solver.val(lit) == lit
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.answer == Some(SatAnswer::Unsat) && self.solver.failed(literal(lit))
    }

    fn statistics(&self) -> Statistics {
        let count = |name| u64::try_from(self.solver.get_statistic_value(name)).unwrap_or(0);
        Statistics {
            variables: u64::from(self.variables),
            clauses: self.clauses,
            solves: self.solves,
            conflicts: count("conflicts"),
            decisions: count("decisions"),
            propagations: count("propagations"),
        }
    }
}

/// Ends a search when its budget says so; CaDiCaL asks now and then.
struct Watch {
    budget: Budget,
    reason: Rc<Cell<Option<Reason>>>,
}

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.reason.set(self.budget.exhausted());
        self.reason.get().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_variables_are_no_answer() {
        let mut solver = Cadical::new();
        solver.variables = Var::LIMIT - 1;
        let last = Lit::negative(solver.new_var());
        assert_eq!(literal(last), -(1 << 29));
        assert_eq!(solver.solve(&[], &Budget::unlimited()), SatAnswer::Sat);
        solver.new_var();
        assert_eq!(solver.solve(&[], &Budget::unlimited()), SatAnswer::Unknown(Reason::Memory));
    }

    #[test]
    fn options_are_known() {
        for (name, _) in OPTIONS {
            assert!(CaDiCal::is_valid_option(name), "{name}");
        }
    }
}

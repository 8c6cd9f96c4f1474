//! The contract of [`SatSolver`], tested for every backend alike.

use super::{Batsat, Budget, Cadical, Interrupt, Lit, Reason, SatAnswer, SatSolver, Var};
use std::time::Instant;

/// Instantiates the suite: each function below that takes a solver's constructor becomes a test of each backend.
macro_rules! conformance {
    ($($test:ident)*) => {
        mod cadical {
            $(#[test] fn $test() { super::$test(super::Cadical::new) })*
        }
        mod batsat {
            $(#[test] fn $test() { super::$test(super::Batsat::new) })*
        }
    };
}

conformance! {
    empty_formula
    unit_clauses
    contradiction
    empty_clause
    duplicate_and_tautological_clauses
    unconstrained_variables_are_false
    no_model_no_core
    cores
    contradictory_assumptions
    assumptions_last_one_query
    clauses_after_answers
    unsat_stays_unsat
    conflict_budget
    no_conflicts_at_all
    past_deadline
    raised_interrupt
    interrupt_from_another_thread
    random_formulas_against_enumeration
    random_cores
    same_run_twice
    statistics
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % u64::from(bound)) as u32
    }

    fn literal(&mut self, variables: u32) -> Lit {
        Lit::new(Var::new(self.below(variables)), self.below(2) == 0)
    }

    fn literals(&mut self, variables: u32, count: usize) -> Vec<Lit> {
        (0..count).map(|_| self.literal(variables)).collect()
    }

    /// 3-SAT; repeated and complementary literals in a clause occur.
    fn clauses(&mut self, variables: u32, count: u32) -> Vec<Vec<Lit>> {
        (0..count).map(|_| self.literals(variables, 3)).collect()
    }
}

fn literals<S: SatSolver>(solver: &mut S, count: usize) -> Vec<Lit> {
    (0..count).map(|_| Lit::positive(solver.new_var())).collect()
}

/// A solver with that many variables and these clauses.
fn loaded<S: SatSolver>(new: fn() -> S, variables: u32, clauses: &[Vec<Lit>]) -> S {
    let mut solver = new();
    literals(&mut solver, variables as usize);
    for clause in clauses {
        solver.add_clause(clause);
    }
    solver
}

fn solve<S: SatSolver>(solver: &mut S, assumptions: &[Lit]) -> SatAnswer {
    solver.solve(assumptions, &Budget::unlimited())
}

/// One pigeon more than holes: unsatisfiable, and each hole more makes it much harder.
fn pigeons(holes: u32) -> (u32, Vec<Vec<Lit>>) {
    let sits = |pigeon: u32, hole: u32| Lit::positive(Var::new(pigeon * holes + hole));
    let mut clauses: Vec<Vec<Lit>> = (0..=holes).map(|pigeon| (0..holes).map(|hole| sits(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for one in 0..=holes {
            for other in 0..one {
                clauses.push(vec![!sits(one, hole), !sits(other, hole)]);
            }
        }
    }
    ((holes + 1) * holes, clauses)
}

fn model<S: SatSolver>(solver: &mut S, variables: u32) -> Vec<bool> {
    (0..variables).map(|index| solver.value(Lit::positive(Var::new(index)))).collect()
}

fn holds(model: &[bool], lit: Lit) -> bool {
    model[lit.var().index() as usize] != lit.is_negative()
}

/// Checks that the solver's model is one, and that it is consistent about both literals of a variable.
fn check_model<S: SatSolver>(solver: &mut S, variables: u32, clauses: &[Vec<Lit>], assumptions: &[Lit]) {
    let model = model(solver, variables);
    for (index, &value) in model.iter().enumerate() {
        assert_eq!(solver.value(Lit::negative(Var::new(index as u32))), !value);
    }
    assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| holds(&model, lit))));
    assert!(assumptions.iter().all(|&lit| holds(&model, lit)));
}

/// Checks that the failed assumptions alone contradict the clauses, for this solver and for a fresh one.
fn check_core<S: SatSolver>(new: fn() -> S, solver: &mut S, variables: u32, clauses: &[Vec<Lit>], assumptions: &[Lit]) {
    let core: Vec<Lit> = assumptions.iter().copied().filter(|&lit| solver.failed(lit)).collect();
    for index in 0..variables {
        for lit in [Lit::positive(Var::new(index)), Lit::negative(Var::new(index))] {
            assert!(!solver.failed(lit) || assumptions.contains(&lit));
        }
    }
    assert_eq!(solve(&mut loaded(new, variables, clauses), &core), SatAnswer::Unsat);
    assert_eq!(solve(solver, &core), SatAnswer::Unsat);
}

fn empty_formula<S: SatSolver>(new: fn() -> S) {
    assert_eq!(solve(&mut new(), &[]), SatAnswer::Sat);
}

fn unit_clauses<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 2);
    solver.add_clause(&[lits[0]]);
    solver.add_clause(&[!lits[1]]);
    assert_eq!(solve(&mut solver, &[]), SatAnswer::Sat);
    assert_eq!(model(&mut solver, 2), [true, false]);
}

fn contradiction<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 1);
    solver.add_clause(&[lits[0]]);
    solver.add_clause(&[!lits[0]]);
    assert_eq!(solve(&mut solver, &[]), SatAnswer::Unsat);
    assert_eq!(solve(&mut solver, &[lits[0]]), SatAnswer::Unsat);
}

fn empty_clause<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 1);
    solver.add_clause(&[]);
    assert_eq!(solve(&mut solver, &[]), SatAnswer::Unsat);
    assert_eq!(solve(&mut solver, &lits), SatAnswer::Unsat);
}

fn duplicate_and_tautological_clauses<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 2);
    solver.add_clause(&[lits[0], !lits[0]]);
    solver.add_clause(&[lits[1], lits[0], !lits[1], lits[0]]);
    assert_eq!(solve(&mut solver, &[!lits[0], !lits[1]]), SatAnswer::Sat);
    for _ in 0..2 {
        solver.add_clause(&[lits[0], lits[0], lits[1], lits[0]]);
    }
    assert_eq!(solve(&mut solver, &[!lits[0], !lits[1]]), SatAnswer::Unsat);
    solver.add_clause(&[!lits[1], !lits[1]]);
    assert_eq!(solve(&mut solver, &[]), SatAnswer::Sat);
    assert_eq!(model(&mut solver, 2), [true, false]);
}

fn unconstrained_variables_are_false<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 5);
    solver.add_clause(&[lits[1], lits[3]]);
    assert_eq!(solve(&mut solver, &[lits[3]]), SatAnswer::Sat);
    let late = Lit::positive(solver.new_var());
    for lit in [lits[0], lits[2], lits[4], late] {
        assert!(!solver.value(lit));
        assert!(solver.value(!lit));
    }
}

fn no_model_no_core<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 2);
    let nothing = |solver: &mut S| lits.iter().all(|&lit| !solver.value(lit) && !solver.value(!lit) && !solver.failed(lit));
    assert!(nothing(&mut solver));
    solver.add_clause(&[lits[0]]);
    assert_eq!(solve(&mut solver, &[]), SatAnswer::Sat);
    assert!(!solver.failed(lits[0]));
    solver.add_clause(&[lits[1]]);
    assert!(nothing(&mut solver));
    assert_eq!(solve(&mut solver, &[!lits[1]]), SatAnswer::Unsat);
    assert!(solver.failed(!lits[1]));
    solver.add_clause(&[lits[0], lits[1]]);
    assert!(!solver.failed(!lits[1]));
}

fn cores<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 5);
    solver.add_clause(&[!lits[0], lits[1]]);
    solver.add_clause(&[!lits[1], !lits[2]]);
    assert_eq!(solve(&mut solver, &[lits[4], lits[0], lits[3], lits[2]]), SatAnswer::Unsat);
    let failed: Vec<bool> = lits.iter().map(|&lit| solver.failed(lit)).collect();
    assert_eq!(failed, [true, false, true, false, false]);
    assert!(!solver.failed(!lits[0]));
}

fn contradictory_assumptions<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 3);
    solver.add_clause(&[lits[0], lits[1]]);
    assert_eq!(solve(&mut solver, &[lits[2], lits[0], !lits[0]]), SatAnswer::Unsat);
    assert!(solver.failed(lits[0]) && solver.failed(!lits[0]) && !solver.failed(lits[2]));
    assert_eq!(solve(&mut solver, &[lits[0], lits[0]]), SatAnswer::Sat);
}

fn assumptions_last_one_query<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 2);
    solver.add_clause(&[lits[0], lits[1]]);
    for round in 0..20 {
        let (yes, no) = (lits[round % 2], lits[(round + 1) % 2]);
        assert_eq!(solve(&mut solver, &[!yes, !no]), SatAnswer::Unsat);
        assert_eq!(solve(&mut solver, &[!no]), SatAnswer::Sat);
        assert!(solver.value(yes) && !solver.value(no));
    }
}

fn clauses_after_answers<S: SatSolver>(new: fn() -> S) {
    // A counter: the models of n bits are excluded one by one, with new variables that copy the bits in between.
    let mut solver = new();
    let bits = literals(&mut solver, 4);
    for found in 0..16 {
        assert_eq!(solve(&mut solver, &[]), SatAnswer::Sat, "{found} models were excluded");
        let clause: Vec<Lit> = bits.iter().map(|&bit| if solver.value(bit) { !bit } else { bit }).collect();
        let copy = Lit::positive(solver.new_var());
        solver.add_clause(&[!copy, bits[0]]);
        solver.add_clause(&[copy, !bits[0]]);
        let assumptions: Vec<Lit> = clause.iter().map(|&lit| !lit).collect();
        solver.add_clause(&clause);
        assert_eq!(solve(&mut solver, &assumptions), SatAnswer::Unsat);
    }
    assert_eq!(solve(&mut solver, &[]), SatAnswer::Unsat);
}

fn unsat_stays_unsat<S: SatSolver>(new: fn() -> S) {
    let (variables, clauses) = pigeons(4);
    let mut solver = loaded(new, variables, &clauses);
    for _ in 0..3 {
        assert_eq!(solve(&mut solver, &[]), SatAnswer::Unsat);
        let fresh = Lit::positive(solver.new_var());
        solver.add_clause(&[fresh]);
        assert_eq!(solve(&mut solver, &[fresh]), SatAnswer::Unsat);
        assert!(!solver.failed(fresh));
    }
}

fn conflict_budget<S: SatSolver>(new: fn() -> S) {
    let (variables, clauses) = pigeons(7);
    let mut solver = loaded(new, variables, &clauses);
    let first = Lit::positive(Var::new(0));
    assert_eq!(solver.solve(&[first], &Budget::unlimited().with_conflicts(20)), SatAnswer::Unknown(Reason::Conflicts));
    let conflicts = solver.statistics().conflicts;
    assert!((1..=21).contains(&conflicts), "{conflicts} conflicts");
    assert!(!solver.value(first) && !solver.failed(first));
    // The assumption is forgotten, the limit as well, and clauses can be added.
    let fresh = Lit::positive(solver.new_var());
    solver.add_clause(&[fresh, first]);
    assert_eq!(solve(&mut solver, &[]), SatAnswer::Unsat);
}

fn no_conflicts_at_all<S: SatSolver>(new: fn() -> S) {
    let (variables, clauses) = pigeons(3);
    let mut solver = loaded(new, variables, &clauses);
    let nothing = Budget::unlimited().with_conflicts(0);
    assert_eq!(solver.solve(&[], &nothing), SatAnswer::Unknown(Reason::Conflicts));
    assert_eq!(solver.solve(&[], &Budget::unlimited().with_conflicts(u64::MAX)), SatAnswer::Unsat);
    assert_eq!(solver.solve(&[], &nothing), SatAnswer::Unsat);
}

fn past_deadline<S: SatSolver>(new: fn() -> S) {
    let mut solver = new();
    let lits = literals(&mut solver, 1);
    solver.add_clause(&lits);
    let budget = Budget::unlimited().with_deadline(Instant::now());
    assert_eq!(solver.solve(&lits, &budget), SatAnswer::Unknown(Reason::Time));
    assert!(!solver.value(lits[0]));
    assert_eq!(solve(&mut solver, &[]), SatAnswer::Sat);
}

fn raised_interrupt<S: SatSolver>(new: fn() -> S) {
    let interrupt = Interrupt::new();
    let budget = Budget::unlimited().with_interrupt(interrupt.clone());
    let mut solver = new();
    interrupt.raise();
    assert_eq!(solver.solve(&[], &budget), SatAnswer::Unknown(Reason::Interrupted));
    interrupt.clear();
    assert_eq!(solver.solve(&[], &budget), SatAnswer::Sat);
}

fn interrupt_from_another_thread<S: SatSolver>(new: fn() -> S) {
    let (variables, clauses) = pigeons(40);
    let mut solver = loaded(new, variables, &clauses);
    let interrupt = Interrupt::new();
    let budget = Budget::unlimited().with_interrupt(interrupt.clone());
    // The solver may or may not have begun when the switch is raised: both ways lead to the same answer.
    let other = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        interrupt.raise();
    });
    assert_eq!(solver.solve(&[], &budget), SatAnswer::Unknown(Reason::Interrupted));
    assert!(other.join().is_ok());
    let deadline = Instant::now() + std::time::Duration::from_millis(50);
    assert_eq!(solver.solve(&[], &Budget::unlimited().with_deadline(deadline)), SatAnswer::Unknown(Reason::Time));
}

fn random_formulas_against_enumeration<S: SatSolver>(new: fn() -> S) {
    let mut random = Random(1);
    let mut satisfiable = 0;
    for _ in 0..300 {
        let variables = 5 + random.below(10);
        // Around 4.3 clauses for each variable, half of the formulas are satisfiable.
        let count = variables * 43 / 10 + random.below(5);
        let clauses = random.clauses(variables, count);
        let expected = (0..1_u32 << variables).any(|bits| {
            let model: Vec<bool> = (0..variables).map(|index| bits >> index & 1 == 1).collect();
            clauses.iter().all(|clause| clause.iter().any(|&lit| holds(&model, lit)))
        });
        let mut solver = loaded(new, variables, &clauses);
        if expected {
            satisfiable += 1;
            assert_eq!(solve(&mut solver, &[]), SatAnswer::Sat);
            check_model(&mut solver, variables, &clauses, &[]);
        } else {
            assert_eq!(solve(&mut solver, &[]), SatAnswer::Unsat);
        }
    }
    assert!((50..250).contains(&satisfiable), "{satisfiable} of 300");
}

fn random_cores<S: SatSolver>(new: fn() -> S) {
    let mut random = Random(2);
    let mut unsatisfiable = 0;
    for _ in 0..40 {
        let variables = 40;
        let clauses = random.clauses(variables, 140);
        let mut solver = loaded(new, variables, &clauses);
        for _ in 0..10 {
            let assumptions = random.literals(variables, 6);
            match solve(&mut solver, &assumptions) {
                SatAnswer::Sat => check_model(&mut solver, variables, &clauses, &assumptions),
                SatAnswer::Unsat => {
                    unsatisfiable += 1;
                    check_core(new, &mut solver, variables, &clauses, &assumptions);
                }
                SatAnswer::Unknown(reason) => panic!("gave up: {reason:?}"),
            }
        }
    }
    assert!((40..360).contains(&unsatisfiable), "{unsatisfiable} of 400");
}

fn same_run_twice<S: SatSolver>(new: fn() -> S) {
    let run = || {
        let mut random = Random(3);
        let variables = 150;
        let mut solver = loaded(new, variables, &random.clauses(variables, 560));
        let mut trace = Vec::new();
        for _ in 0..30 {
            let answer = solver.solve(&random.literals(variables, 4), &Budget::unlimited().with_conflicts(50));
            trace.push((answer, model(&mut solver, variables), solver.statistics()));
            solver.add_clause(&random.literals(variables, 3));
        }
        trace
    };
    assert_eq!(run(), run());
}

fn statistics<S: SatSolver>(new: fn() -> S) {
    let (variables, clauses) = pigeons(5);
    let mut solver = loaded(new, variables, &clauses);
    let before = solver.statistics();
    assert_eq!((before.variables, before.clauses, before.solves), (30, clauses.len() as u64, 0));
    solve(&mut solver, &[]);
    let after = solver.statistics();
    assert_eq!((after.variables, after.clauses, after.solves), (30, clauses.len() as u64, 1));
    assert!(after.conflicts > 0 && after.decisions > 0 && after.propagations > 0);
}

#[test]
fn backends_agree() {
    let mut random = Random(4);
    let variables = 120;
    let mut answers = [0, 0];
    for round in 0..12 {
        let clauses = random.clauses(variables, 440 + 8 * round);
        let mut one = loaded(Cadical::new, variables, &clauses);
        let mut other = loaded(Batsat::new, variables, &clauses);
        let mut clauses = clauses;
        for _ in 0..15 {
            let count = random.below(7) as usize;
            let assumptions = random.literals(variables, count);
            let answer = solve(&mut one, &assumptions);
            assert_eq!(answer, solve(&mut other, &assumptions));
            if answer == SatAnswer::Sat {
                check_model(&mut one, variables, &clauses, &assumptions);
                check_model(&mut other, variables, &clauses, &assumptions);
            }
            answers[usize::from(answer == SatAnswer::Sat)] += 1;
            let clause = random.literals(variables, 3);
            one.add_clause(&clause);
            other.add_clause(&clause);
            clauses.push(clause);
        }
    }
    assert!(answers.iter().all(|&count| count > 20), "{answers:?}");
}

#[test]
fn literals_are_numbers() {
    let var = Var::new(7);
    let (positive, negative) = (Lit::positive(var), Lit::negative(var));
    assert_eq!((!positive, !negative, positive.var(), negative.var()), (negative, positive, var, var));
    assert_eq!((positive.index(), negative.index(), positive.is_negative(), negative.is_negative()), (14, 15, false, true));
    assert_eq!(format!("{positive:?} {negative:?}"), "v7 !v7");
}

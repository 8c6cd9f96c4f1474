//! Which candidates of a loop are not worth a proof, because an iteration refutes them.
//!
//! Nothing rests on this: a candidate that is left out is not known, and one that is not refuted is tested by the kernel.

use encode::Step;
use logic::sat::{Batsat, Budget};
use logic::{Answer, Context, Term, Terms};

/// What a question may cost, and all of them.
const CONFLICTS: u64 = 1_000;
const QUESTIONS: u64 = 60;
const PROPAGATIONS: u64 = 2_000_000;
/// … in axioms of arrays and propagations for each.
const HASTE: (usize, u64) = (200, 300_000);

/// For each candidate, whether an iteration leads from a state in which all that are left hold to one in which it does not; and how often a solver was asked.
/// What may not hold at the entry does not help, and is not refuted.
pub(crate) fn refuted(terms: &mut Terms, step: &Step<'_>, budget: &Budget) -> (Vec<bool>, u64) {
    let mark = terms.mark();
    let mut court = Court { step, budget: budget.clone().with_conflicts(CONFLICTS), questions: 0 };
    let all: Vec<usize> = (0..step.candidates.len()).collect();
    let entries: Vec<Term> = step.candidates.iter().map(|candidate| candidate.entry).collect();
    let entered = [step.entered, step.entered_valid];
    let certain = court.largest(terms, &entries, all, &entered, false);
    // What is said of elements helps, but models of it are dear.
    let (elements, plain): (Vec<usize>, Vec<usize>) = certain.into_iter().partition(|&place| step.candidates[place].elements);
    let again: Vec<Term> = step.candidates.iter().map(|candidate| candidate.again).collect();
    let literals = elements.iter().map(|&place| step.candidates[place].literal);
    let assumed: Vec<Term> = [step.again, step.again_valid].into_iter().chain(literals).collect();
    let left = court.largest(terms, &again, plain.clone(), &assumed, true);
    terms.forget(mark);
    let refuted = (0..step.candidates.len()).map(|place| plain.contains(&place) && !left.contains(&place)).collect();
    (refuted, court.questions)
}

struct Court<'a> {
    step: &'a Step<'a>,
    budget: Budget,
    questions: u64,
}

impl Court<'_> {
    /// Drops candidates whose conclusions models refute, as long as that is easy; those that are left help each other, if they may.
    fn largest(&mut self, terms: &mut Terms, conclusions: &[Term], mut pool: Vec<usize>, assumed: &[Term], help: bool) -> Vec<usize> {
        let step = self.step;
        let mut context = Context::with_solver(Batsat::new());
        context.be_hasty(true);
        context.limit_haste(HASTE.0, HASTE.1);
        for &fact in step.facts {
            context.assert(terms, fact);
        }
        for candidate in step.candidates.iter().filter(|_| help) {
            let there = terms.and(step.entered, candidate.literal);
            let known = terms.implies(there, candidate.head);
            context.assert(terms, known);
        }
        for &place in &pool {
            context.prepare(terms, conclusions[place]);
        }
        // All at once as long as that is easy, then one by one.
        let (mut together, mut next) = (true, 0);
        while self.questions < QUESTIONS && context.statistics().solver.propagations < PROPAGATIONS {
            let asked = if together { &pool[..] } else { pool.get(next..=next).unwrap_or_default() };
            if asked.is_empty() {
                break;
            }
            let mut failures = Vec::new();
            for &place in asked {
                failures.push(terms.not(conclusions[place]));
            }
            let mut assumptions = vec![terms.any(failures)];
            assumptions.extend(pool.iter().filter(|_| help).map(|&place| step.candidates[place].literal));
            assumptions.extend(assumed.iter().chain(step.outer));
            self.questions += 1;
            match context.solve(terms, &assumptions, &self.budget) {
                Answer::Unsat if together => break,
                Answer::Unknown(_) if together => together = false,
                Answer::Unsat | Answer::Unknown(_) => next += 1,
                Answer::Sat => {
                    let before = pool.len();
                    pool.retain(|&place| match terms.as_bool(conclusions[place]) {
                        Some(holds) => holds,
                        None => context.bits_of(terms, conclusions[place]).is_none_or(|bits| !bits.is_zero()),
                    });
                    if pool.len() == before {
                        break;
                    }
                }
            }
        }
        pool
    }
}

//! Inputs from the solver: the program is unwound, and the solver is asked for a run in which the state at a loop head comes back (*Non-Termination Proofs
//! from Templates*, chapter 5), or which comes to the loop head at all. The run is then made for real, so what the question leaves out
//! (temporaries, lives of objects) does no harm.

use encode::{CutKind, Encoding, Faults, InputKind, Options, Visit};
use kernel::{Candidate, Repetition};
use logic::sat::Budget;
use logic::{Answer, Term};
use model::LocalId;
use summarize::Subject;

use super::lasso::Lassos;
use super::{DEEPEST_WITHOUT_LIMIT, LONGER};
use crate::program::Plan;

/// What encoding may cost.
const TERMS: usize = 300_000;
const EFFORT: u64 = 20_000_000;
/// What a question may cost; more if there is a time limit.
const CONFLICTS: [u64; 2] = [20_000, 200_000];
/// That no state comes back may be hard to see if the program is unwound further than this.
const EASY: u32 = 1;
/// So many loops, entered at so many points, are asked about.
const INSTANCES: usize = 24;
/// So many inputs that lead to a loop are tried.
const REACHING: usize = 24;
/// Steps and guesses for a run that begins with the solver's inputs.
const STEPS: u64 = 20_000;
const GUESSES: u64 = 6;

/// What is asked of an unwound program.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Questions {
    /// For ways to loops, and where that is easy, for states that come back.
    Easy,
    /// For states that come back, where that is hard.
    Hard,
}

/// Unwinds the program deeper and deeper.
pub(super) fn search(
    subject: &Subject<'_>,
    plan: &Plan<'_>,
    lassos: &mut Lassos<'_, '_>,
    bounds: &[u32],
    questions: Questions,
) -> Option<Box<Repetition>> {
    let budget = &plan.means.budget;
    // Of a program that reads nothing, there is only the run that was made already.
    if lassos.is_deterministic() && !lassos.unfinished.is_empty() {
        return lassos.longer(LONGER);
    }
    for &unwind in bounds.iter().filter(|bound| plan.means.patient || **bound <= DEEPEST_WITHOUT_LIMIT) {
        let (terms, effort) = (TERMS.min(plan.means.terms), EFFORT);
        let options = Options { unwind, uninitialised: false, terms, budget: budget.clone(), effort, faults: Faults::All };
        let encoding = subject.encode(options, None);
        let whole = encoding.cuts.is_empty();
        let mut unwinding =
            Unwinding { subject, encoding, budget: budget.clone().with_conflicts(CONFLICTS[usize::from(plan.means.patient)]) };
        unwinding.fix(lassos.unvalued());
        let hard = unwind > EASY;
        let found = if hard == (questions == Questions::Hard) { unwinding.repeated(lassos) } else { None };
        let found = if questions == Questions::Hard { found } else { found.or_else(|| unwinding.reached(lassos)) };
        // What takes many steps need not be deep.
        if let Some(found) = found.or_else(|| lassos.longer(LONGER)) {
            return Some(found);
        }
        if whole || budget.exhausted().is_some() {
            return None;
        }
    }
    None
}

struct Unwinding<'s, 'a> {
    subject: &'s Subject<'a>,
    encoding: Encoding,
    budget: Budget,
}

impl Unwinding<'_, '_> {
    /// Gives variables without value what they are taken to hold.
    fn fix(&mut self, unvalued: Option<u128>) {
        let Encoding { context, terms, inputs, .. } = &mut self.encoding;
        let Some(pattern) = unvalued else { return };
        for input in inputs.iter().filter(|input| matches!(input.kind, InputKind::Variable(_))) {
            if let Some(same) = kernel::given(terms, input.value, pattern) {
                context.assert(terms, same);
            }
        }
    }

    /// A run in which a state comes back.
    fn repeated(&mut self, lassos: &mut Lassos<'_, '_>) -> Option<Box<Repetition>> {
        let visits = std::mem::take(&mut self.encoding.visits);
        for group in visits.chunk_by(|a, b| a.instance == b.instance).take(INSTANCES) {
            let comes_back = self.comes_back(group);
            if let Some(candidate) = self.ask(comes_back)
                && let Some(found) = lassos.continued(&candidate, STEPS, 0)
            {
                return Some(found);
            }
        }
        self.encoding.visits = visits;
        None
    }

    /// That the state of some visit is that of an earlier one.
    fn comes_back(&mut self, visits: &[Visit]) -> Term {
        let terms = &mut self.encoding.terms;
        let Some(head) = visits.first() else { return terms.bool(false) };
        let dead = kernel::dead_variables(self.subject.program, head.function, head.header);
        let matters = |local: Option<LocalId>| local.is_none_or(|local| dead.get(local.index()) != Some(&true));
        let mut pairs = Vec::new();
        for (index, second) in visits.iter().enumerate() {
            for first in visits[..index].iter().filter(|first| first.state.len() == second.state.len()) {
                let mut same = vec![second.guard];
                for (&(local, a), &(_, b)) in first.state.iter().zip(&second.state) {
                    if matters(local) && terms.sort(a) == terms.sort(b) {
                        same.push(terms.equal(a, b));
                    }
                }
                pairs.push(terms.all(same));
            }
        }
        terms.any(pairs)
    }

    /// Runs that come to loops, continued by guesses.
    fn reached(&mut self, lassos: &mut Lassos<'_, '_>) -> Option<Box<Repetition>> {
        let mut wanted: Vec<Term> = self
            .encoding
            .cuts
            .iter()
            .filter(|cut| cut.kind == CutKind::Loop || cut.kind == CutKind::Recursion)
            .map(|cut| cut.guard)
            .collect();
        wanted.extend(self.encoding.visits.chunk_by(|a, b| a.instance == b.instance).filter_map(|group| Some(group.last()?.guard)));
        wanted.dedup();
        for guard in wanted.into_iter().take(REACHING) {
            if let Some(candidate) = self.ask(guard)
                && let Some(found) = lassos.continued(&candidate, STEPS, GUESSES)
            {
                return Some(found);
            }
            if self.budget.exhausted().is_some() {
                return None;
            }
        }
        None
    }

    /// The inputs of a run of which this holds.
    fn ask(&mut self, wanted: Term) -> Option<Candidate> {
        let Encoding { context, terms, .. } = &mut self.encoding;
        match context.solve(terms, &[wanted], &self.budget) {
            Answer::Sat => Some(self.subject.replay.candidate(&mut self.encoding)),
            _ => None,
        }
    }
}

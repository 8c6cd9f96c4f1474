//! Runs that never end.

mod choice;
mod closed;
mod lasso;
mod nested;
mod template;
mod track;
mod unwinding;

use std::collections::VecDeque;

use interp::UNINITIALISED_VARIABLE;
use kernel::{Candidate, Repetition, Runs, UNVALUED, Variable};
use model::{LoopForest, Span};
use summarize::Subject;

use self::closed::Closed;
use self::lasso::Lassos;
use self::unwinding::Questions;
use crate::program::Plan;

/// The engines: their names, and what they do.
pub const ENGINES: &[(&str, &str)] = &[
    ("lasso", "runs with inputs that are worth trying, until a state comes back"),
    ("singleton", "the loops are unwound, and a solver gives inputs with which a state comes back, or which lead to a loop"),
    ("closed", "a set of states that a loop never leaves: bounds, residues and relations of its variables"),
];

/// A run that never ends.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The run as the kernel has confirmed it; its place is that of the loop in the source.
    pub run: Repetition,
    /// The set of states that is never left, in terms of the source.
    pub set: Vec<String>,
    /// The inputs that are chosen in each round.
    pub choices: Vec<ChosenInput>,
    /// How it was found.
    pub engine: &'static str,
}

/// An input that is chosen in each round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenInput {
    /// The function that gives it.
    pub what: String,
    /// Where it is called.
    pub span: Span,
    /// What it gives, in terms of the source, where the round begins.
    pub value: String,
}

/// Rounds of the search for concrete lassos: steps of a run, and how many guesses. First those that cost little, then the others.
const QUICK: [(u64, u64); 2] = [(2_000, 40), (20_000, 60)];
const LONG: [(u64, u64); 5] = [(100_000, 100), (200_000, 100), (1_000_000, 50), (5_000_000, 50), (20_000_000, 100)];

/// How far loops are unwound: first, and when other ways were tried. Without a time limit, it should come to an end soon.
const SHALLOW: [u32; 3] = [0, 1, 2];
const DEEP: [u32; 3] = [4, 8, 16];
const HARD: [u32; 4] = [2, 4, 8, 16];
const DEEPEST_WITHOUT_LIMIT: u32 = 4;

/// Runs that were not over are given so many steps.
const LONGER: u64 = 500_000;

/// So many guesses continue inputs that come from elsewhere.
const FROM_GUESSES: u64 = 20;

/// What came of the search for runs that never end.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Such a run.
    pub divergence: Option<Divergence>,
    /// Why there is none, though it seems so.
    pub undefined: Option<Undefined>,
}

/// Something undefined: but for it, some run would never end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// The kind of property that fails there.
    pub kind: &'static str,
    /// Where.
    pub span: Span,
}

impl From<Divergence> for Outcome {
    fn from(found: Divergence) -> Self {
        Outcome { divergence: Some(found), undefined: None }
    }
}

/// Looks for a run that never ends.
pub fn search(subject: &Subject<'_>, plan: &Plan<'_>) -> Outcome {
    let runs = Runs::new(subject.replay, plan.means.budget.clone());
    let mut lassos = Lassos::new(&runs, plan.means.budget.clone(), None);
    let repeating = |(found, engine)| Divergence::repeating(&runs, found, engine);
    if let Some(found) = repeated(subject, plan, &mut lassos, &SHALLOW) {
        return repeating(found).into();
    }
    if plan.uses("lasso") && lassos.exhausted() {
        return Outcome::default();
    }
    if lassos.read_unvalued
        && let Some(found) = whatever_unvalued(subject, plan, &runs)
    {
        return repeating(found).into();
    }
    // Around a run that does not end, there may well be a closed set; else one has to be made.
    let mut closed = Closed::new(subject, plan);
    let found = closed.around(&lassos);
    let found = found.or_else(|| unwound(subject, plan, &mut lassos, &DEEP, Questions::Easy).map(repeating));
    let found = found.or_else(|| closed.chosen(&lassos));
    if let Some(found) = found.or_else(|| unwound(subject, plan, &mut lassos, &HARD, Questions::Hard).map(repeating)) {
        return found.into();
    }
    // Long runs may take all the time that there is.
    let undefined = closed.undefined(&lassos);
    // Without a time limit, it should come to an end soon.
    let long = if plan.means.patient { &LONG[..] } else { &LONG[..1] };
    match rounds(plan, &mut lassos, long) {
        Some(found) => repeating((found, "lasso")).into(),
        None => Outcome { divergence: None, undefined },
    }
}

/// Looks for a run that never ends among those that begin with some inputs.
pub fn from(subject: &Subject<'_>, plan: &Plan<'_>, beginnings: &[Candidate]) -> Option<Divergence> {
    if beginnings.is_empty() || !plan.uses("lasso") {
        return None;
    }
    let runs = Runs::new(subject.replay, plan.means.budget.clone());
    let mut lassos = Lassos::new(&runs, plan.means.budget.clone(), None);
    let found = beginnings.iter().find_map(|first| lassos.continued(first, LONGER, FROM_GUESSES));
    found.map(|found| Divergence::repeating(&runs, *found, "lasso"))
}

/// A run that never ends though it reads variables that have no value, because there are such runs whatever they hold.
fn whatever_unvalued(subject: &Subject<'_>, plan: &Plan<'_>, runs: &Runs<'_>) -> Option<(Repetition, &'static str)> {
    let (mut all, mut name): (Vec<Repetition>, _) = (Vec::new(), "lasso");
    for pattern in UNVALUED {
        let mut lassos = Lassos::new(runs, plan.means.budget.clone(), Some(pattern));
        // The inputs that were good for one will often do for the others.
        let known = all.last().and_then(|found| lassos.continued(&inputs_of(found), QUICK[1].0, 0));
        let (found, engine) = match known {
            Some(found) => (*found, name),
            None => repeated(subject, plan, &mut lassos, &[&SHALLOW[..], &DEEP].concat())?,
        };
        all.push(found);
        name = engine;
    }
    Repetition::standing(all).map(|found| (found, name))
}

/// So many inputs are given at most that come again and again.
const AGAIN: usize = 1000;

/// The inputs of a run, for another one.
fn inputs_of(run: &Repetition) -> Candidate {
    let again = run.round.iter().cycle().take(if run.round.is_empty() { 0 } else { AGAIN });
    let calls = run.stem.iter().chain(again).map(|used| (used.request.what.clone(), used.value));
    let calls = calls.filter(|(what, _)| what != UNINITIALISED_VARIABLE).collect();
    Candidate { calls, variables: VecDeque::new(), stdin: run.stdin.clone(), arguments: run.arguments.clone() }
}

/// A run in which a state comes back, and the engine that found it; loops are unwound so far.
fn repeated(subject: &Subject<'_>, plan: &Plan<'_>, lassos: &mut Lassos<'_, '_>, bounds: &[u32]) -> Option<(Repetition, &'static str)> {
    if let Some(found) = rounds(plan, lassos, &QUICK) {
        return Some((found, "lasso"));
    }
    if plan.uses("lasso") && lassos.exhausted() { None } else { unwound(subject, plan, lassos, bounds, Questions::Easy) }
}

fn unwound(
    subject: &Subject<'_>,
    plan: &Plan<'_>,
    lassos: &mut Lassos<'_, '_>,
    bounds: &[u32],
    questions: Questions,
) -> Option<(Repetition, &'static str)> {
    let found = if plan.uses("singleton") { unwinding::search(subject, plan, lassos, bounds, questions) } else { None };
    found.map(|found| (*found, "singleton"))
}

fn rounds(plan: &Plan<'_>, lassos: &mut Lassos<'_, '_>, list: &[(u64, u64)]) -> Option<Repetition> {
    let mut rounds = list.iter().take_while(|_| plan.uses("lasso") && plan.means.budget.exhausted().is_none());
    rounds.find_map(|(steps, guesses)| lassos.round(*steps, *guesses)).map(|found| *found)
}

impl Divergence {
    fn repeating(runs: &Runs<'_>, found: Repetition, engine: &'static str) -> Divergence {
        let span = loop_span(runs, &found).unwrap_or(found.span);
        let equation = |&(variable, pattern): &(Variable, u128)| {
            let Variable::Local(local) = variable else { return None };
            let name = &runs.program.functions.get(found.function)?.body.as_ref()?.locals.get(local)?.name;
            // Where objects lie says nothing.
            Some(format!("{name} == {}", runs.number(found.function, variable, pattern)?))
        };
        let set = found.state.iter().filter_map(equation).collect();
        Divergence { run: Repetition { span, ..found }, set, choices: Vec::new(), engine }
    }
}

/// Where the source has the loop.
fn loop_span(runs: &Runs<'_>, found: &Repetition) -> Option<Span> {
    let body = runs.program.functions.get(found.function)?.body.as_ref()?;
    let forest = LoopForest::new(body);
    let region = forest.loops.iter().find(|region| region.header == found.header && !found.recursion)?;
    body.loops.get(region.source?).map(|source| source.span)
}

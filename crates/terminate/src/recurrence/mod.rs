//! Runs that never end.

mod closed;
mod guess;
mod lasso;
mod unwinding;

use kernel::{Repetition, Runs};
use model::{LoopForest, Span, Type};
use summarize::Subject;

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
    /// How it was found.
    pub engine: &'static str,
}

/// Rounds of the search for concrete lassos: steps of a run, and how many guesses. First those that cost little, then the others.
const QUICK: [(u64, u64); 2] = [(2_000, 40), (20_000, 60)];
const LONG: [(u64, u64); 5] = [(100_000, 100), (200_000, 100), (1_000_000, 50), (5_000_000, 50), (20_000_000, 100)];

/// Looks for a run that never ends.
pub fn search(subject: &Subject<'_>, plan: &Plan<'_>) -> Option<Divergence> {
    let runs = Runs::new(subject.replay, plan.means.budget.clone());
    let mut lassos = lasso::Lassos::new(&runs, plan.means.budget.clone());
    let rounds = |lassos: &mut lasso::Lassos<'_, '_>, list: &[(u64, u64)]| {
        let mut rounds = list.iter().take_while(|_| plan.uses("lasso") && plan.means.budget.exhausted().is_none());
        let found = rounds.find_map(|(steps, guesses)| lassos.round(*steps, *guesses));
        found.map(|found| Divergence::repeating(&runs, *found, "lasso"))
    };
    if let Some(found) = rounds(&mut lassos, &QUICK) {
        return Some(found);
    }
    if plan.uses("lasso") && lassos.exhausted() {
        return None;
    }
    if plan.uses("singleton")
        && let Some(found) = unwinding::search(subject, plan, &mut lassos)
    {
        return Some(Divergence::repeating(&runs, *found, "singleton"));
    }
    if plan.uses("closed")
        && let Some(found) = closed::search(subject, plan, &mut lassos)
    {
        return Some(found);
    }
    // Without a time limit, it should come to an end soon.
    rounds(&mut lassos, if plan.means.patient { &LONG } else { &LONG[..1] })
}

impl Divergence {
    fn repeating(runs: &Runs<'_>, found: Repetition, engine: &'static str) -> Divergence {
        let span = loop_span(runs, &found).unwrap_or(found.span);
        let types = &runs.program.types;
        let equation = |&(local, pattern): &(model::LocalId, u128)| {
            let local = runs.program.functions.get(found.function)?.body.as_ref()?.locals.get(local)?;
            // Where objects lie says nothing.
            let number = matches!(types.get(local.ty), Type::Int { .. });
            number.then(|| format!("{} == {}", local.name, types.value(local.ty, pattern)))
        };
        let set = found.state.iter().filter_map(equation).collect();
        Divergence { run: Repetition { span, ..found }, set, engine }
    }
}

/// Where the source has the loop.
fn loop_span(runs: &Runs<'_>, found: &Repetition) -> Option<Span> {
    let body = runs.program.functions.get(found.function)?.body.as_ref()?;
    let forest = LoopForest::new(body);
    let region = forest.loops.iter().find(|region| region.header == found.header && !found.recursion)?;
    body.loops.get(region.source?).map(|source| source.span)
}

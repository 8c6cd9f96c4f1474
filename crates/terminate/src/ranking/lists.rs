//! Loops that go along a list.

use encode::{Encoding, Round, Source};
use kernel::Order;
use logic::Term;
use model::{Body, ExprKind, PlaceKind, Program, Type};
use summarize::Subject;

use super::KERNEL_CONFLICTS;
use crate::findings::Argument;
use crate::program::Plan;

/// Its name among the engines.
pub const NAME: &str = "lists";
/// What it does.
pub const ABOUT: &str = "a pointer goes along a field that always leads to older objects, or always to newer ones";

/// An argument for rounds that share their head: each takes a pointer to an older object.
pub(super) fn argument(
    subject: &Subject<'_>,
    plan: &Plan<'_>,
    encoding: &mut Encoding,
    facts: &[Term],
    rounds: &[&Round],
) -> Option<Argument> {
    if !plan.uses(NAME) || plan.means.budget.exhausted().is_some() {
        return None;
    }
    let first = rounds.first()?;
    let budget = plan.means.budget.clone().with_conflicts(KERNEL_CONFLICTS);
    let program = (subject.program, subject.analysis, subject.entry);
    let accepted = |walk: usize| Some((walk, kernel::accepts_walk(program, &mut encoding.terms, facts, (rounds, walk), &budget)?));
    let (walk, order) = (0..first.walks.len()).find_map(accepted)?;
    let [pointer, field] = words(subject.program, first, walk)?;
    let (made, measure) = match order {
        Order::Older => ("earlier", format!("age({pointer})")),
        Order::Newer => ("later, and none are made", format!("objects newer than {pointer}")),
    };
    let text = format!("{pointer} goes along {field}, which always leads to an object that was made {made}");
    Some(Argument::Ranked { text, measures: vec![measure], engine: NAME, bound: None, invariants: Vec::new() })
}

/// The pointer and the field of a walk, in terms of the source.
fn words(program: &Program, round: &Round, walk: usize) -> Option<[String; 2]> {
    let body = program.functions.get(round.function)?.body.as_ref()?;
    let walk = round.walks.get(walk)?;
    let Source::Local(local) = walk.pointer else { return None };
    Some([body.locals.get(local)?.name.clone(), field(program, body, walk.link)?])
}

fn field(program: &Program, body: &Body, link: model::ExprId) -> Option<String> {
    let ExprKind::Load(place) = body.exprs.get(link)?.kind else { return None };
    let PlaceKind::Field(base, field) = body.places.get(place)?.kind else { return Some("its first field".into()) };
    let Type::Record(record) = program.types.get(body.places.get(base)?.ty) else { return None };
    Some(program.types.records().get(*record)?.layout.as_ref()?.fields.get(field as usize)?.name.clone())
}

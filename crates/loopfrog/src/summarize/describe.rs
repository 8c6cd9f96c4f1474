//! Summaries of loops as text, each loop once.

use std::collections::{BTreeMap, BTreeSet};

use encode::{Formula, Kept, Leap, Style, formula_text};
use model::{BlockId, Body, FunctionId, Loop, LoopForest, LoopKind, Program, Span, Terminator};
use summarize::Coarse;

use super::places::{Effects, effects, locals};

/// Something that a loop keeps.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Invariant {
    /// What.
    pub(crate) text: String,
    /// Whether it holds whenever control is at the head; if not, it stays so once it holds.
    pub(crate) always: bool,
    /// Who proposed it.
    pub(crate) domain: &'static str,
}

/// What is known of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Description {
    pub(crate) function: FunctionId,
    pub(crate) span: Span,
    /// How it is written; none for one that is made of gotos.
    pub(crate) kind: Option<LoopKind>,
    pub(crate) effects: Effects,
    /// What it keeps wherever it is reached.
    pub(crate) keeps: Vec<Invariant>,
    /// What it keeps beyond that when it is reached through certain calls, the outermost first.
    pub(crate) further: Vec<(Vec<Span>, Vec<Invariant>)>,
    /// What holds where it is left.
    pub(crate) after: Option<String>,
    /// At how many points of the program it was summarised.
    pub(crate) points: usize,
    /// How many candidates were tested.
    pub(crate) tried: usize,
    /// What closures over predicates say of states that leave it, wherever it is reached.
    pub(crate) exit: Option<String>,
    /// Why its closure is coarser than it could be.
    pub(crate) coarse: Vec<String>,
}

/// Where a loop's closure is coarser than it could be, or what holds behind it, for those who asked for closures.
#[derive(Clone, Copy, Default)]
pub(crate) struct Closures<'a> {
    /// For each summary.
    pub(crate) exits: &'a [Option<Vec<Formula>>],
    pub(crate) coarse: &'a [Coarse],
}

/// An invariant of a loop as text, if it can be said.
pub(crate) fn invariant(program: &Program, leap: &Leap, kept: &Kept, style: Style) -> Option<Invariant> {
    let body = program.functions.get(leap.function)?.body.as_ref()?;
    let text = formula_text(program, body, &kept.candidate.formula, style)?;
    Some(Invariant { text, always: kept.always, domain: kept.candidate.domain })
}

/// The loops of the program itself, in the order of the source.
pub(crate) fn descriptions(program: &Program, leaps: &[Leap], closures: Closures<'_>, style: Style) -> Vec<Description> {
    let mut loops: BTreeMap<(Span, FunctionId, BlockId), Vec<usize>> = BTreeMap::new();
    for (place, leap) in leaps.iter().enumerate().filter(|(_, leap)| !program.is_library(leap.span)) {
        loops.entry((leap.span, leap.function, leap.header)).or_default().push(place);
    }
    let mut forests: BTreeMap<FunctionId, LoopForest> = BTreeMap::new();
    let mut found = Vec::new();
    for ((span, function, header), places) in loops {
        let leaps: Vec<&Leap> = places.iter().map(|&place| &leaps[place]).collect();
        let Some(body) = program.functions.get(function).and_then(|function| function.body.as_ref()) else { continue };
        let forest = forests.entry(function).or_insert_with(|| LoopForest::new(body));
        let Some(region) = forest.loops.iter().find(|region| region.header == header) else { continue };
        let (keeps, further) = shared(program, &leaps, style);
        found.push(Description {
            function,
            span,
            kind: region.source.and_then(|source| body.loops.get(source)).map(|source| source.kind),
            effects: effects(program, body, region),
            keeps,
            further,
            after: after(program, body, region, style),
            points: leaps.len(),
            tried: leaps.iter().map(|leap| leap.tried).sum(),
            exit: exit(program, body, &places, closures.exits, style),
            coarse: coarse(closures.coarse, function, header),
        });
    }
    found
}

/// What holds behind a loop, if it is the same wherever the loop is reached.
fn exit(program: &Program, body: &Body, places: &[usize], exits: &[Option<Vec<Formula>>], style: Style) -> Option<String> {
    let mut different: Vec<&Vec<Formula>> = Vec::new();
    for &place in places {
        let clauses = exits.get(place)?.as_ref()?;
        if !different.contains(&clauses) {
            different.push(clauses);
        }
    }
    let [clauses] = different[..] else { return None };
    formula_text(program, body, &Formula::All(clauses.clone()), style)
}

fn coarse(list: &[Coarse], function: FunctionId, header: BlockId) -> Vec<String> {
    let here = list.iter().filter(|coarse| (coarse.function, coarse.header) == (function, header));
    let reasons: BTreeSet<&String> = here.map(|coarse| &coarse.reason).collect();
    reasons.into_iter().cloned().collect()
}

/// Invariants where certain calls lead to a loop.
type PerCalls = (Vec<Span>, Vec<Invariant>);

/// What the summaries of a loop have in common, and what each has beyond that.
fn shared(program: &Program, leaps: &[&Leap], style: Style) -> (Vec<Invariant>, Vec<PerCalls>) {
    let mut lists: Vec<PerCalls> = Vec::new();
    for leap in leaps {
        let mut seen = BTreeSet::new();
        let all = leap.kept.iter().filter_map(|kept| invariant(program, leap, kept, style));
        let once: Vec<Invariant> = all.filter(|invariant| seen.insert(invariant.text.clone())).collect();
        lists.push((leap.calls.clone(), once));
    }
    let everywhere = |wanted: &Invariant| lists.iter().all(|(_, list)| list.iter().any(|known| known.text == wanted.text));
    let mut keeps: Vec<Invariant> =
        lists.first().map_or(&[] as &[_], |(_, list)| list).iter().filter(|one| everywhere(one)).cloned().collect();
    for invariant in &mut keeps {
        invariant.always &= lists.iter().all(|(_, list)| list.iter().any(|known| known.text == invariant.text && known.always));
    }
    let mut further: Vec<PerCalls> = Vec::new();
    for (calls, list) in lists {
        let more: Vec<Invariant> = list.into_iter().filter(|one| !keeps.iter().any(|known| known.text == one.text)).collect();
        if !more.is_empty() && !further.iter().any(|(known, invariants)| (known, invariants) == (&calls, &more)) {
            further.push((calls, more));
        }
    }
    (keeps, further)
}

/// What holds behind a loop because its conditions do not, if it is left nowhere else.
fn after(program: &Program, body: &Body, region: &Loop, style: Style) -> Option<String> {
    let &(_, to) = region.exits.iter().find(|(from, to)| is_condition(body, region, *from, *to))?;
    let end = behind(body, to);
    let mut texts: Vec<String> = Vec::new();
    for &(from, to) in &region.exits {
        if behind(body, to) != end {
            return None;
        }
        let text = leaves(program, body, from, to, style)?;
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    (texts.len() <= 3).then(|| texts.join(" or "))
}

/// Whether an edge is that of the loop's own condition, or of a `break` without anything done on the way.
fn is_condition(body: &Body, region: &Loop, from: BlockId, to: BlockId) -> bool {
    from == region.header || region.back_edges.iter().any(|(latch, _)| *latch == from) || behind(body, to) != to
}

/// Where control does something again.
fn behind(body: &Body, block: BlockId) -> BlockId {
    let mut at = block;
    for _ in 0..8 {
        match body.blocks.get(at) {
            Some(data) if data.commands.is_empty() => match data.terminator {
                Terminator::Goto(next) => at = next,
                _ => return at,
            },
            _ => return at,
        }
    }
    at
}

/// The condition under which control goes from a block to another.
fn leaves(program: &Program, body: &Body, from: BlockId, to: BlockId, style: Style) -> Option<String> {
    let Terminator::Branch(condition, yes, no) = body.blocks.get(from)?.terminator else { return None };
    // Temporaries mean nothing to people.
    if yes == no || locals(body, condition).iter().any(|&local| body.locals[local].temporary) {
        return None;
    }
    let formula = Formula::Holds(condition);
    formula_text(program, body, &if yes == to { formula } else { formula.negation() }, style)
}

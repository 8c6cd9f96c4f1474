//! Which loops a leaping counterexample owes its existence to, and what their summaries know.

use std::collections::BTreeSet;

use encode::{Formula, Kept, Leap, Linear, Quantity, Source, Style};
use kernel::{Leapt, Property};
use model::{Body, CommandKind, Program, Span};

use super::Findings;
use crate::describe;
use crate::summarize::describe::invariant;
use crate::summarize::places::{variables, variables_of_place};

/// More loops are not blamed.
const LOOPS: usize = 3;
/// More invariants are not cited.
const INVARIANTS: usize = 3;
/// More variables are not shown.
const VARIABLES: usize = 4;

/// A loop that a counterexample leaps over, for people.
pub(super) struct Blamed {
    /// The loop.
    pub(super) place: String,
    span: Span,
    /// What it changes that matters: names with values before and behind it.
    pub(super) values: Vec<(String, String, String)>,
    /// What the summary knows about these variables.
    pub(super) knows: Vec<String>,
    /// Whether the failure is inside of the loop.
    pub(super) inside: bool,
}

/// The loops to blame for a possible violation: those that change what the property speaks of; if there are none, the last one.
pub(super) fn blamed(findings: &Findings, property: &Property, leapt: &[Leapt]) -> Vec<Blamed> {
    let program = &findings.program;
    let subjects = subjects(program, property);
    let with_leap = || leapt.iter().filter_map(|one| Some((one, findings.found.leaps.get(one.leap)?)));
    let mut chosen: Vec<Blamed> = Vec::new();
    for (one, leap) in with_leap().filter(|(one, leap)| matters(leap, one, property, &subjects)) {
        add(&mut chosen, blame(program, one, leap, property, &subjects));
    }
    if chosen.is_empty() {
        chosen.extend(with_leap().next_back().map(|(one, leap)| blame(program, one, leap, property, &subjects)));
    }
    let unneeded = chosen.len().saturating_sub(LOOPS);
    chosen.drain(..unneeded);
    // Outer loops first, as people read.
    chosen.sort_by_key(|blamed| blamed.span);
    chosen
}

fn add(list: &mut Vec<Blamed>, blamed: Blamed) {
    if !list.iter().any(|known| known.place == blamed.place) {
        list.push(blamed);
    }
}

fn matters(leap: &Leap, leapt: &Leapt, property: &Property, subjects: &BTreeSet<Source>) -> bool {
    leap.function == property.function
        && (!leapt.left || leap.variables.iter().any(|(local, ..)| subjects.contains(&Source::Local(*local))))
}

/// The variables that a property speaks of.
fn subjects(program: &Program, property: &Property) -> BTreeSet<Source> {
    let Some(body) = program.functions.get(property.function).and_then(|function| function.body.as_ref()) else { return BTreeSet::new() };
    let mut found = BTreeSet::new();
    for command in property.blocks.iter().filter_map(|&block| body.blocks.get(block)).flat_map(|block| &block.commands) {
        match &command.kind {
            CommandKind::Assert(condition, check) if check.span == property.check.span && check.kind == property.check.kind => {
                found.extend(variables(body, *condition));
            }
            // What a library model demands is charged to its call.
            CommandKind::Call { args, .. } if command.span == property.check.span => {
                found.extend(args.iter().flat_map(|&argument| variables(body, argument)));
            }
            _ => {}
        }
    }
    found
}

fn blame(program: &Program, leapt: &Leapt, leap: &Leap, property: &Property, subjects: &BTreeSet<Source>) -> Blamed {
    let body = program.functions.get(leap.function).and_then(|function| function.body.as_ref());
    let here = leap.function == property.function;
    let is_relevant = |source: Source| subjects.contains(&source) || !here && matches!(source, Source::Local(_));
    let mut values: Vec<(String, String, String)> = Vec::new();
    for &(local, before, after) in leapt.values.iter().filter(|(local, ..)| is_relevant(Source::Local(*local))).take(VARIABLES) {
        let Some(data) = body.and_then(|body| body.locals.get(local)) else { continue };
        let value = |pattern| describe::value(program, data.ty, pattern);
        values.push((data.name.clone(), value(before), value(after)));
    }
    let speaks = |kept: &&Kept| body.is_some_and(|body| mentioned(body, &kept.candidate.formula).into_iter().any(is_relevant));
    let mut knows: Vec<String> = Vec::new();
    let known = leapt.known.iter().filter_map(|&place| leap.kept.get(place));
    for text in known.filter(speaks).filter_map(|kept| invariant(program, leap, kept, Style::Source)).map(|one| one.text) {
        if !knows.contains(&text) {
            knows.push(text);
        }
    }
    // Short ones first: people start with those.
    knows.sort_by_key(String::len);
    knows.truncate(INVARIANTS);
    Blamed { place: place(program, leap), span: leap.span, values, knows, inside: !leapt.left }
}

/// Where a loop stands; one in a library model stands where the model is called.
fn place(program: &Program, leap: &Leap) -> String {
    let line = |span: Span| program.files.get(span.file).map_or_else(|| "-".to_owned(), |file| format!("{file}:{}", span.line));
    if !program.is_library(leap.span) {
        return format!("the loop at {}", line(leap.span));
    }
    let name = program.functions.get(leap.function).map_or("", |function| function.name.as_str());
    match leap.calls.iter().rev().find(|span| !program.is_library(**span)) {
        Some(call) => format!("the loop of `{name}`, called at {}", line(*call)),
        None => format!("the loop of `{name}`"),
    }
}

/// The variables that a formula speaks of.
fn mentioned(body: &Body, formula: &Formula) -> BTreeSet<Source> {
    let mut sources: Vec<Source> = Vec::new();
    let mut open = vec![formula];
    let sum = |sources: &mut Vec<Source>, sum: &Linear| {
        sources.extend(sum.parts.iter().filter_map(|(_, quantity)| match quantity {
            Quantity::Of(source, ..) => Some(*source),
            Quantity::Iterations | Quantity::Result => None,
        }));
    };
    let mut found = BTreeSet::new();
    while let Some(formula) = open.pop() {
        match formula {
            Formula::Compare(linear, _) | Formula::Modular(linear, _) | Formula::Multiple(linear, _) => sum(&mut sources, linear),
            Formula::Holds(expr) => sources.push(Source::Expr(*expr)),
            Formula::Null(source) | Formula::Alive(source) => sources.push(*source),
            Formula::SameObject((a, _), (b, _)) | Formula::SamePointer((a, _), (b, _)) => sources.extend([*a, *b]),
            Formula::Range { elements, first, count, .. } | Formula::Initialised { elements, first, count } => {
                [first, count].into_iter().for_each(|linear| sum(&mut sources, linear));
                sources.extend(elements.pointer);
                found.extend(elements.place.into_iter().flat_map(|place| variables_of_place(body, place)));
            }
            Formula::Linked(_) | Formula::Each(_) => {}
            Formula::Terminated(elements) => {
                sources.extend(elements.pointer);
                found.extend(elements.place.into_iter().flat_map(|place| variables_of_place(body, place)));
            }
            Formula::Agree { elements, first, others, other_first, count } => {
                [first, other_first, count].into_iter().for_each(|linear| sum(&mut sources, linear));
                sources.extend(elements.pointer.into_iter().chain(others.pointer));
                found.extend(elements.place.into_iter().flat_map(|place| variables_of_place(body, place)));
                found.extend(others.place.into_iter().flat_map(|place| variables_of_place(body, place)));
            }
            Formula::Not(inner) => open.push(inner),
            Formula::All(parts) | Formula::Any(parts) => open.extend(parts),
        }
    }
    for source in sources {
        match source {
            Source::Expr(expr) => found.extend(variables(body, expr)),
            variable => found.extend([variable]),
        }
    }
    found
}

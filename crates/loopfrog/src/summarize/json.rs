//! Summaries as JSON.

use model::{LoopKind, Program, Span};
use serde_json::{Value, json};

use super::describe::{Description, Invariant};
use crate::describe::place;

/// A loop.
pub(crate) fn description(program: &Program, one: &Description) -> Value {
    let kind = match one.kind {
        Some(LoopKind::While) => "while",
        Some(LoopKind::Do) => "do",
        Some(LoopKind::For) => "for",
        None => "goto",
    };
    let calls = |calls: &[Span]| calls.iter().map(|&call| place(program, call)).collect::<Vec<_>>();
    let further: Vec<Value> =
        one.further.iter().map(|(spans, list)| json!({ "calls": calls(spans), "invariants": invariants(list) })).collect();
    json!({
        "file": program.files.get(one.span.file).map_or("", String::as_str),
        "line": one.span.line,
        "column": one.span.column,
        "function": program.functions.get(one.function).map_or("", |function| function.name.as_str()),
        "kind": kind,
        "modifies": one.effects.places,
        "calls": one.effects.calls,
        "invariants": invariants(&one.keeps),
        "further": further,
        "after": one.after,
        "exit": one.exit,
        "coarse": one.coarse,
        "summarised": one.points,
        "candidates": one.tried,
    })
}

fn invariants(list: &[Invariant]) -> Vec<Value> {
    list.iter().map(|one| json!({ "text": one.text, "always": one.always, "domain": one.domain })).collect()
}

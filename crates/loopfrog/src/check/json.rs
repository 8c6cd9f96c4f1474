//! Findings as JSON.

use encode::Style;
use kernel::{Decision, Leapt, Verdict};
use model::Program;
use serde_json::{Value, json};

use super::Findings;
use super::messages::{RELIANCE, place};
use super::table::{self, Totals};
use crate::describe;
use crate::summarize::describe::{Closures, descriptions, invariant};
use crate::summarize::json::description;

/// More inputs of a run are not listed; `--inputs` writes all of them.
const INPUTS: usize = 1_000;

/// Everything that was found.
pub(super) fn json(program: &Program, findings: &Findings, written: &[Option<String>]) -> Value {
    let decisions: Vec<Value> = findings
        .found
        .decisions
        .iter()
        .zip(written)
        .map(|(decision, file)| decision_json(program, findings, decision, file.as_deref()))
        .collect();
    let unknown: Vec<Value> = findings
        .found
        .unknown
        .iter()
        .map(|(name, calls, span)| json!({ "function": name, "calls": calls, "first": place(&findings.program, *span) }))
        .collect();
    json!({
        "entry": findings.program.functions[findings.entry].name,
        "properties": decisions,
        "assumed": unknown,
        "loops": descriptions(&findings.program, &findings.found.leaps, Closures::default(), Style::Source)
            .iter()
            .map(|one| description(&findings.program, one))
            .collect::<Vec<_>>(),
        "summary": summary(findings),
        "seconds": findings.time.as_secs_f64(),
    })
}

/// Totals and statistics.
fn summary(findings: &Findings) -> Value {
    let Totals { proved, violated, possible, conditional, unknown } = Totals::of(&findings.found.decisions);
    let statistics = &findings.found.statistics;
    let (summarising, deciding) = findings.found.times;
    json!({
        "properties": findings.found.decisions.len(),
        "proved": proved,
        "violated": violated,
        "possible": possible,
        "conditional": conditional,
        "unknown": unknown,
        "files": table::files(findings),
        "loops": table::loops(findings),
        "loops_cut": findings.found.loops_cut,
        "summarised": statistics.loops,
        "candidates": statistics.candidates,
        "confirmed": statistics.confirmed,
        "questions": statistics.questions,
        "seconds_summarising": summarising.as_secs_f64(),
        "seconds_deciding": deciding.as_secs_f64(),
    })
}

/// A loop that a counterexample leaps over.
fn leap_json(program: &Program, findings: &Findings, leapt: &Leapt) -> Value {
    let Some(leap) = findings.found.leaps.get(leapt.leap) else { return Value::Null };
    let body = program.functions.get(leap.function).and_then(|function| function.body.as_ref());
    let values: Vec<Value> = leapt
        .values
        .iter()
        .filter_map(|&(local, before, after)| {
            let data = body?.locals.get(local)?;
            let value = |pattern| describe::value(program, data.ty, pattern);
            Some(json!({ "variable": data.name, "before": value(before), "after": value(after) }))
        })
        .collect();
    let known = leapt.known.iter().filter_map(|&place| leap.kept.get(place));
    let invariants = known.filter_map(|kept| invariant(program, leap, kept, Style::Source));
    json!({
        "loop": place(program, leap.span),
        "function": program.functions.get(leap.function).map_or("", |function| function.name.as_str()),
        "calls": leap.calls.iter().map(|&call| place(program, call)).collect::<Vec<_>>(),
        "left": leapt.left,
        "values": values,
        "invariants": invariants.map(|one| one.text).collect::<Vec<_>>(),
    })
}

fn decision_json(program: &Program, findings: &Findings, decision: &Decision, file: Option<&str>) -> Value {
    let (check, checked) = (&decision.property.check, &findings.program);
    let mut value = json!({
        "file": checked.files.get(check.span.file).map_or("", String::as_str),
        "line": check.span.line,
        "column": check.span.column,
        "function": checked.functions.get(decision.property.function).map_or("", |function| function.name.as_str()),
        "kind": check.kind.name(),
        "cwe": check.cwe,
    });
    let details = match &decision.verdict {
        Verdict::Proved => json!({ "status": "proved" }),
        Verdict::Possible(leapt) => json!({
            "status": "possible",
            "leaps": leapt.iter().map(|one| leap_json(checked, findings, one)).collect::<Vec<_>>(),
        }),
        Verdict::Conditional { on } => json!({ "status": "conditional", "reason": RELIANCE, "because": place(checked, *on) }),
        Verdict::Unknown { reason, span } => {
            json!({ "status": "unknown", "reason": reason, "because": (!span.is_none()).then(|| place(checked, *span)) })
        }
        Verdict::Violated(violation) => json!({
            "status": "violated",
            "message": violation.fault.message,
            "arguments": violation.arguments.iter().map(|argument| String::from_utf8_lossy(argument).into_owned()).collect::<Vec<_>>(),
            "stdin": String::from_utf8_lossy(&violation.stdin),
            "inputs": violation.inputs.iter().take(INPUTS).map(|used| json!({
                "for": used.request.what, "bits": used.request.bits, "at": place(program, used.request.span), "value": used.value.to_string(),
            })).collect::<Vec<_>>(),
            "inputs_left_out": violation.inputs.len().saturating_sub(INPUTS),
        }),
    };
    if let (Some(value), Value::Object(details)) = (value.as_object_mut(), details) {
        value.extend(details);
        value.extend(file.map(|file| ("rerun".to_string(), json!(file))));
    }
    value
}

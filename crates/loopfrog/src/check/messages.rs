//! Messages about properties that are not proved.

use kernel::{Decision, Leapt, Violation};
use model::{CheckKind, Program, Span};
use report::diagnostic::{Label, Message, Severity};

use super::Findings;
use super::blame::blamed;
use crate::describe;

/// What a property demands, for a message about its violation.
fn demand(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Assertion => "an assertion does not hold",
        CheckKind::Bounds => "an access outside of its object",
        CheckKind::Null => "an access through a null pointer",
        CheckKind::Dangling => "an access to an object that does not exist any more",
        CheckKind::Free => "an invalid call of free",
        CheckKind::Leak => "memory that is not freed at the end",
        CheckKind::SignedOverflow => "signed overflow",
        CheckKind::UnsignedOverflow => "unsigned overflow",
        CheckKind::Division => "a division by zero",
        CheckKind::Shift => "a shift by too much",
        CheckKind::Conversion => "a conversion that changes the value",
        CheckKind::Float => "a result that is no finite number",
        CheckKind::Uninitialised => "a read of something uninitialised",
        CheckKind::Unreachable => "control comes to a place that is said to be unreachable",
    }
}

pub(super) fn violated(program: &Program, checked: &Program, decision: &Decision, violation: &Violation, file: Option<&str>) -> Message {
    let mut notes = vec![format!("violated: {}", inputs(program, violation))];
    notes.extend(trace(program, violation));
    if let Some(earlier) = violation.before.first() {
        notes.push(format!("before that, the same run has {} at {}", demand(earlier.kind), place(program, earlier.span)));
    }
    let rerun = file.map(|file| format!(" · rerun: loopfrog run --inputs {file}")).unwrap_or_default();
    notes.push(format!("CWE-{}{rerun}", decision.property.check.cwe));
    let function = checked.functions.get(decision.property.function).map_or("", |function| function.name.as_str());
    Message {
        severity: Severity::Error,
        code: Some(decision.property.check.kind.name().to_string()),
        message: violation.fault.message.clone(),
        primary: Label::new(decision.property.check.span, format!("in `{function}`")),
        secondary: Vec::new(),
        notes,
    }
}

/// A violation that could not be replayed: the loops to blame, and what their summaries know.
pub(super) fn possible(findings: &Findings, decision: &Decision, leapt: &[Leapt]) -> Message {
    let mut notes = Vec::new();
    for (number, loops) in blamed(findings, &decision.property, leapt).iter().enumerate() {
        let start = if number == 0 { "possible: could not be replayed; " } else { "" };
        let verb = if loops.inside { "leaps into" } else { "leaps" };
        let changes: Vec<String> = loops.values.iter().map(|(name, before, after)| format!("{name}: {before} → {after}")).collect();
        let changes = if changes.is_empty() { String::new() } else { format!(" ({})", changes.join(", ")) };
        let known = match loops.knows.is_empty() {
            true => "the summary knows nothing of it".to_owned(),
            false => format!("the summary knows: {}", loops.knows.join(", ")),
        };
        notes.push(format!("{start}{verb} {}{changes}", loops.place));
        notes.push(known);
    }
    notes.push(format!("CWE-{}", decision.property.check.cwe));
    let function = findings.program.functions.get(decision.property.function).map_or("", |function| function.name.as_str());
    Message {
        severity: Severity::Warning,
        code: Some(decision.property.check.kind.name().to_string()),
        message: format!("not excluded: {}", demand(decision.property.check.kind)),
        primary: Label::new(decision.property.check.span, format!("in `{function}`")),
        secondary: Vec::new(),
        notes,
    }
}

/// Why what is conditional is not proved.
pub(super) const RELIANCE: &str = "it holds unless an access before it is invalid, and not all of those are proved to be valid";

/// Something that is never the first thing that goes wrong.
pub(super) fn conditional(decision: &Decision, on: Span) -> Message {
    Message {
        severity: Severity::Note,
        code: Some(decision.property.check.kind.name().to_string()),
        message: format!("excluded unless an access before it is invalid: {}", demand(decision.property.check.kind)),
        primary: Label::new(decision.property.check.span, ""),
        secondary: vec![Label::new(on, "not proved")],
        notes: vec![format!("conditional: {RELIANCE}")],
    }
}

pub(super) fn unknown(decision: &Decision, reason: &str, span: Span) -> Message {
    let secondary = if span.is_none() { Vec::new() } else { vec![Label::new(span, "here")] };
    Message {
        severity: Severity::Warning,
        code: Some(decision.property.check.kind.name().to_string()),
        message: format!("not decided: {}", demand(decision.property.check.kind)),
        primary: Label::new(decision.property.check.span, ""),
        secondary,
        notes: vec![format!("unknown: {reason}")],
    }
}

/// The inputs of a run, on a line.
fn inputs(program: &Program, violation: &Violation) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (number, argument) in violation.arguments.iter().enumerate().skip(1).take(8) {
        parts.push(format!("argv[{number}] = {:?}", String::from_utf8_lossy(argument)));
    }
    if violation.arguments.len() > 9 {
        parts.push(format!("{} more arguments", violation.arguments.len() - 9));
    }
    if !violation.stdin.is_empty() {
        parts.push(format!("standard input {:?}", String::from_utf8_lossy(&violation.stdin)));
    }
    for used in violation.inputs.iter().take(16) {
        let value = as_signed(used.value, used.request.bits);
        parts.push(format!("{} at {} = {value}", used.request.what, place(program, used.request.span)));
    }
    if violation.inputs.len() > 16 {
        parts.push(format!("{} more", violation.inputs.len() - 16));
    }
    if parts.is_empty() { "replayed; the program needs no input for it".into() } else { format!("replayed with {}", parts.join(", ")) }
}

fn as_signed(value: u128, bits: u16) -> String {
    if bits == 0 || bits >= 128 {
        return value.to_string();
    }
    let shift = 128 - u32::from(bits);
    (((value << shift) as i128) >> shift).to_string()
}

/// The last steps before the violation.
fn trace(program: &Program, violation: &Violation) -> Vec<String> {
    let steps = &violation.trace[violation.trace.len().saturating_sub(12)..];
    let mut lines = Vec::new();
    for step in steps {
        let function = &program.functions[step.function];
        let Some(local) = function.body.as_ref().and_then(|body| body.locals.get(step.variable)) else { continue };
        lines.push(format!("  {}: {} = {}", place(program, step.span), local.name, describe::value(program, local.ty, step.value)));
    }
    if !lines.is_empty() {
        lines.insert(0, if violation.trace.len() > steps.len() { "last steps:".into() } else { "steps:".into() });
    }
    lines
}

/// A place; what no line of the program does happens at the start.
pub(super) fn place(program: &Program, span: Span) -> String {
    if span.is_none() { "the start".into() } else { describe::place(program, span) }
}

//! What a check has found, for people and for machines.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use kernel::{Decision, Verdict, Violation};
use model::{CheckKind, Program, Span};
use report::diagnostic::{Label, Message, Severity, Sources, render};
use serde_json::{Value, json};

use super::{CheckOptions, Findings};
use crate::console::{Console, Volume, say};
use crate::describe::{self, counted};

/// Prints findings: messages to standard error, the summary (or JSON) to standard output.
pub(super) fn print(program: &Program, findings: &Findings, options: &CheckOptions, console: &Console) {
    let written = write_inputs(program, findings, options, console);
    if options.json {
        let text = serde_json::to_string_pretty(&json(program, findings, &written)).unwrap_or_default();
        return tell(&text);
    }
    let checked = &findings.program;
    let sources = Sources::new(&checked.files, Path::new(""));
    let mut messages = Vec::new();
    for (decision, file) in findings.decisions.iter().zip(&written) {
        match &decision.verdict {
            Verdict::Violated(violation) => messages.push(violated(program, checked, decision, violation, file.as_deref())),
            Verdict::Unknown { reason, span } if console.volume >= Volume::Normal => messages.push(unknown(decision, reason, *span)),
            _ => {}
        }
    }
    say(&render(&messages, 0, &sources, console.color));
    tell(&summary(findings));
    for (name, calls, span) in &findings.unknown {
        let calls = format!("{}, first at {}", counted(*calls as usize, "call"), place(checked, *span));
        tell(&format!("assumed: `{name}` has no body ({calls}); it returns any value and may write to all memory that it can reach"));
    }
}

/// Prints a line of the result. A reader that has seen enough is no failure.
fn tell(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

fn summary(findings: &Findings) -> String {
    let count = |select: fn(&Verdict) -> bool| findings.decisions.iter().filter(|decision| select(&decision.verdict)).count();
    let proved = count(|verdict| matches!(verdict, Verdict::Proved));
    let violated = count(|verdict| matches!(verdict, Verdict::Violated(_)));
    let unknown = count(|verdict| matches!(verdict, Verdict::Unknown { .. }));
    let mut text = format!("checked {}: {proved} proved, {violated} violated, {unknown} unknown", properties(findings.decisions.len()));
    if findings.loops_cut > 0 {
        let _ = write!(text, "; {} not unwound to the end", counted(findings.loops_cut, "loop"));
    }
    let _ = write!(text, "   ({:.2} s)", findings.time.as_secs_f64());
    text
}

fn properties(count: usize) -> String {
    if count == 1 { "1 property".into() } else { format!("{count} properties") }
}

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

fn violated(program: &Program, checked: &Program, decision: &Decision, violation: &Violation, file: Option<&str>) -> Message {
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

fn unknown(decision: &Decision, reason: &str, span: Span) -> Message {
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
fn place(program: &Program, span: Span) -> String {
    if span.is_none() { "the start".into() } else { describe::place(program, span) }
}

/// Writes the inputs of each violation to a file, if that is wanted; the names of the files, by decision.
fn write_inputs(program: &Program, findings: &Findings, options: &CheckOptions, console: &Console) -> Vec<Option<String>> {
    let Some(folder) = &options.inputs else { return vec![None; findings.decisions.len()] };
    let mut number = 0;
    let mut write = |decision: &Decision| {
        let Verdict::Violated(violation) = &decision.verdict else { return None };
        number += 1;
        let path = folder.join(format!("{}.{number}.inputs", decision.property.check.kind.name()));
        let text = interp::input::write_file(&violation.arguments, &violation.stdin, &violation.inputs, |span| place(program, span));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
        // The findings are worth more than the files.
        written.inspect_err(|error| console.warning(&format!("cannot write {}: {error}", path.display()))).ok()?;
        Some(path.display().to_string())
    };
    findings.decisions.iter().map(&mut write).collect()
}

fn json(program: &Program, findings: &Findings, written: &[Option<String>]) -> Value {
    let decisions: Vec<Value> = findings
        .decisions
        .iter()
        .zip(written)
        .map(|(decision, file)| decision_json(program, &findings.program, decision, file.as_deref()))
        .collect();
    let unknown: Vec<Value> = findings
        .unknown
        .iter()
        .map(|(name, calls, span)| json!({ "function": name, "calls": calls, "first": place(&findings.program, *span) }))
        .collect();
    json!({
        "entry": findings.program.functions[findings.entry].name,
        "properties": decisions,
        "assumed": unknown,
        "seconds": findings.time.as_secs_f64(),
    })
}

fn decision_json(program: &Program, checked: &Program, decision: &Decision, file: Option<&str>) -> Value {
    let check = &decision.property.check;
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
        Verdict::Unknown { reason, span } => {
            json!({ "status": "unknown", "reason": reason, "because": (!span.is_none()).then(|| place(checked, *span)) })
        }
        Verdict::Violated(violation) => json!({
            "status": "violated",
            "message": violation.fault.message,
            "arguments": violation.arguments.iter().map(|argument| String::from_utf8_lossy(argument).into_owned()).collect::<Vec<_>>(),
            "stdin": String::from_utf8_lossy(&violation.stdin),
            "inputs": violation.inputs.iter().map(|used| json!({
                "for": used.request.what, "bits": used.request.bits, "at": place(program, used.request.span), "value": used.value.to_string(),
            })).collect::<Vec<_>>(),
        }),
    };
    if let (Some(value), Value::Object(details)) = (value.as_object_mut(), details) {
        value.extend(details);
        value.extend(file.map(|file| ("rerun".to_string(), json!(file))));
    }
    value
}

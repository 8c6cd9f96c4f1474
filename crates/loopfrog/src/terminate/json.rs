//! What was found out, for machines.

use model::Program;
use serde_json::{Value, json};
use terminate::{Argument, LoopFinding, LoopVerdict, Verdict};

use super::{Told, divergence};
use crate::describe::place;

/// Everything that was found.
pub(super) fn json(told: &Told<'_>) -> Value {
    let program = told.program;
    let (verdict, reason, because) = match &told.findings.verdict {
        Verdict::Terminates => ("terminates", None, None),
        Verdict::Diverges(_) => ("diverges", None, None),
        Verdict::Unknown { reason, span } => ("unknown", Some(reason), (!span.is_none()).then(|| place(program, *span))),
    };
    let run = match &told.findings.verdict {
        Verdict::Diverges(run) => Some(divergence::json(told.original, run)),
        _ => None,
    };
    let undefined =
        told.findings.undefined.as_ref().map(|undefined| json!({ "kind": undefined.kind, "at": place(program, undefined.span) }));
    let assumed = told.findings.unknown.iter();
    let assumed = assumed.map(|(name, calls, span)| json!({ "function": name, "calls": calls, "first": place(program, *span) }));
    json!({
        "entry": told.entry,
        "verdict": verdict,
        "reason": reason,
        "because": because,
        "run": run,
        "undefined": undefined,
        "loops": told.own_loops().map(|finding| of_loop(program, finding)).collect::<Vec<_>>(),
        "assumed": assumed.collect::<Vec<_>>(),
        "seconds": told.time.as_secs_f64(),
    })
}

/// What is said of a loop.
fn of_loop(program: &Program, finding: &LoopFinding) -> Value {
    let mut value = json!({
        "file": program.files.get(finding.span.file).map_or("", String::as_str),
        "line": finding.span.line,
        "column": finding.span.column,
        "function": program.functions[finding.function].name,
        "recursion": finding.recursion,
    });
    let details = match &finding.verdict {
        LoopVerdict::Terminates(Argument::Unwound) => json!({ "verdict": "terminates", "argument": "followed" }),
        LoopVerdict::Terminates(Argument::Run { rounds }) => {
            let (engine, bound) = (terminate::ranking::only_run::NAME, rounds.map(|rounds| rounds.to_string()));
            json!({ "verdict": "terminates", "argument": "only run", "engine": engine, "bound": bound })
        }
        LoopVerdict::Terminates(Argument::Ranked { text, measures, engine, bound, invariants }) => {
            json!({ "verdict": "terminates", "argument": text, "measures": measures, "engine": engine, "bound": bound, "invariants": invariants })
        }
        LoopVerdict::Diverges => json!({ "verdict": "diverges" }),
        LoopVerdict::Unknown(reason) => json!({ "verdict": "unknown", "reason": reason }),
    };
    if let (Some(value), Value::Object(details)) = (value.as_object_mut(), details) {
        value.extend(details);
    }
    value
}

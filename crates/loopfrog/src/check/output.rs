//! What a check has found, for people and for machines.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;

use kernel::{Decision, Verdict};
use model::{Program, Span};
use report::diagnostic::{Message, Severity, Sources, render};

use super::messages::{conditional, place, possible, unknown, violated};
use super::{CheckOptions, Findings, json, table};
use crate::console::{Console, Volume, say};
use crate::describe::counted;

/// Prints findings: messages to standard error, the summary (or JSON) to standard output.
pub(super) fn print(program: &Program, findings: &Findings, options: &CheckOptions, console: &Console) {
    let written = write_inputs(program, findings, options, console);
    if options.layout.json {
        let text = serde_json::to_string_pretty(&json::json(program, findings, &written)).unwrap_or_default();
        return tell(&text);
    }
    let checked = &findings.program;
    let sources = Sources::new(&checked.files, Path::new(""));
    let mut messages = Vec::new();
    let speaks = console.volume >= Volume::Normal;
    for (decision, file) in findings.found.decisions.iter().zip(&written) {
        match &decision.verdict {
            Verdict::Violated(violation) => messages.push(violated(program, checked, decision, violation, file.as_deref())),
            Verdict::Possible(leapt) if speaks => messages.push(possible(findings, decision, leapt)),
            Verdict::Conditional { on } if console.volume >= Volume::Verbose => messages.push(conditional(decision, *on)),
            Verdict::Unknown { reason, span } if speaks => messages.push(unknown(decision, reason, *span)),
            _ => {}
        }
    }
    note_dependents(&mut messages, &findings.found.decisions);
    say(&render(&messages, 0, &sources, console.color));
    if options.layout.table {
        tell(&table::table(findings));
    }
    tell(&table::summary(findings));
    for (name, calls, span) in &findings.found.unknown {
        let calls = format!("{}, first at {}", counted(*calls as usize, "call"), place(checked, *span));
        tell(&format!("assumed: `{name}` has no body ({calls}); it returns any value and may write to all memory that it can reach"));
    }
    if options.layout.stats {
        tell(table::statistics(findings).trim_end());
    }
}

/// Tells with each finding what hangs on it: a property that is never the first to fail is no finding of its own.
fn note_dependents(messages: &mut [Message], decisions: &[Decision]) {
    let mut dependents: BTreeMap<Span, usize> = BTreeMap::new();
    for decision in decisions {
        if let Verdict::Conditional { on } = decision.verdict {
            *dependents.entry(on).or_default() += 1;
        }
    }
    for message in messages.iter_mut().filter(|message| message.severity != Severity::Note) {
        if let Some(count) = dependents.remove(&message.primary.span) {
            let (others, they) = if count == 1 { ("property", "holds") } else { ("properties", "hold") };
            message.notes.push(format!("{count} {others} behind it {they} unless this goes wrong"));
        }
    }
}

/// Prints a line of the result. A reader that has seen enough is no failure.
fn tell(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

/// Writes the inputs of each violation to a file, if that is wanted; the names of the files, by decision.
fn write_inputs(program: &Program, findings: &Findings, options: &CheckOptions, console: &Console) -> Vec<Option<String>> {
    let Some(folder) = &options.inputs else { return vec![None; findings.found.decisions.len()] };
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
    findings.found.decisions.iter().map(&mut write).collect()
}

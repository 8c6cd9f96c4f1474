//! What was found out, for people.

use model::{LoopForest, LoopKind, Program};
use terminate::{Argument, LoopFinding, LoopVerdict, Verdict};

use super::Told;
use crate::describe::{counted, place};

/// The most characters that the columns before the verdict take where they can.
const COLUMN: usize = 48;

/// A line for each loop, one for the program, and what is assumed.
pub(super) fn text(told: &Told<'_>, engines: bool, color: bool) -> String {
    let mut text = loops(told, engines, color);
    text.push_str(&summary(told, color));
    text.push_str(&assumptions(told));
    text
}

/// A line for each loop.
pub(super) fn loops(told: &Told<'_>, engines: bool, color: bool) -> String {
    let rows: Vec<[String; 3]> = told
        .own_loops()
        .map(|finding| [place(told.program, finding.span), what(told.program, finding), verdict(finding, engines, color)])
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).min(COLUMN);
    let (places, names) = (width(0), width(1));
    rows.iter().map(|[place, what, verdict]| format!("{place:<places$}  {what:<names$}  {verdict}\n")).collect()
}

/// How a loop is written, and where.
fn what(program: &Program, finding: &LoopFinding) -> String {
    let function = &program.functions[finding.function];
    if finding.recursion {
        return format!("calls of {} in {0}", function.name);
    }
    let source = function.body.as_ref().and_then(|body| {
        let region = LoopForest::new(body).loops.into_iter().find(|region| region.header == finding.header)?;
        body.loops.get(region.source?).map(|source| source.kind)
    });
    let kind = match source {
        Some(LoopKind::While) => "while",
        Some(LoopKind::Do) => "do",
        Some(LoopKind::For) => "for",
        None => "goto",
    };
    format!("{kind} in {}", function.name)
}

fn verdict(finding: &LoopFinding, engines: bool, color: bool) -> String {
    let terminates = paint("terminates", GREEN, color);
    match &finding.verdict {
        LoopVerdict::Terminates(Argument::Unwound) => format!("{terminates}: all of its rounds were followed"),
        LoopVerdict::Terminates(Argument::Run { rounds: count }) => {
            let count = count.map(|count| format!(", at most {}", rounds(&count.to_string(), finding.recursion))).unwrap_or_default();
            let engine = if engines { format!(" [{}]", terminate::ranking::only_run::NAME) } else { String::new() };
            format!("{terminates}: the program has only one run, which was followed to its end{count}{engine}")
        }
        LoopVerdict::Terminates(Argument::Ranked { text, engine, bound, invariants, .. }) => {
            let bound = bound.as_ref().map(|bound| format!(", at most {}", rounds(bound, finding.recursion))).unwrap_or_default();
            let engine = if engines { format!(" [{engine}]") } else { String::new() };
            let given = if invariants.is_empty() { String::new() } else { format!("; it keeps {}", invariants.join(", ")) };
            format!("{terminates}: {text}{bound}{given}{engine}")
        }
        LoopVerdict::Diverges => paint("does not terminate", RED, color),
        LoopVerdict::Unknown(reason) => format!("{}: {reason}", paint("unknown", YELLOW, color)),
    }
}

/// A bound in words. What is no number is looked at when the loop is entered, or at the outermost call.
fn rounds(bound: &str, recursion: bool) -> String {
    let rounds = match (recursion, bound) {
        (true, _) => format!("{bound} calls inside each other"),
        (_, "1") => "1 round".into(),
        _ => format!("{bound} rounds"),
    };
    if bound.chars().all(|c| c.is_ascii_digit()) || bound.starts_with("2^") { rounds } else { format!("{rounds}, counted at the entry") }
}

const RED: &str = "\x1b[1;31m";
const GREEN: &str = "\x1b[1;32m";
const YELLOW: &str = "\x1b[1;33m";

fn paint(text: &str, style: &str, color: bool) -> String {
    if color { format!("{style}{text}\x1b[0m") } else { text.to_owned() }
}

/// The verdict on the program.
fn summary(told: &Told<'_>, color: bool) -> String {
    let (mut ended, mut endless, mut open) = (0, 0, 0);
    for finding in told.own_loops() {
        match finding.verdict {
            LoopVerdict::Terminates(_) => ended += 1,
            LoopVerdict::Diverges => endless += 1,
            LoopVerdict::Unknown(_) => open += 1,
        }
    }
    let counts = [(ended, "terminating"), (endless, "not terminating"), (open, "unknown")];
    let counts: Vec<String> = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let loops = match ended + endless + open {
        0 => "no loops".into(),
        all => format!("{}: {}", counted(all, "loop"), counts.join(", ")),
    };
    let seconds = format!("{:.2} s", told.time.as_secs_f64());
    let verdict = match &told.findings.verdict {
        Verdict::Terminates => format!("the program {}", paint("terminates", GREEN, color)),
        Verdict::Diverges(found) => {
            format!("the program {}: {}", paint("does not terminate", RED, color), place(told.original, found.run.span))
        }
        Verdict::Unknown { reason, span } if span.is_none() => {
            format!("{} whether the program terminates: {reason}", paint("unknown", YELLOW, color))
        }
        Verdict::Unknown { reason, span } => {
            format!("{} whether the program terminates: {reason} ({})", paint("unknown", YELLOW, color), place(told.program, *span))
        }
    };
    format!("{loops}; {verdict}   ({seconds})\n")
}

/// What the verdict relies on.
pub(super) fn assumptions(told: &Told<'_>) -> String {
    let mut text = String::new();
    for (name, calls, span) in &told.findings.unknown {
        let calls = format!("{}, first at {}", counted(*calls as usize, "call"), place(told.program, *span));
        text.push_str(&format!(
            "assumed: `{name}` has no body ({calls}); it returns, with any value, and may write to all memory that it can reach\n"
        ));
    }
    if let (Verdict::Unknown { .. }, Some(undefined)) = (&told.findings.verdict, &told.findings.undefined) {
        let place = place(told.program, undefined.span);
        text.push_str(&format!("note: some run would never end, but for something undefined: `{}` at {place}\n", undefined.kind));
    }
    if matches!(told.findings.verdict, Verdict::Terminates) && told.own_loops().next().is_some() {
        text.push_str("assumed: nothing undefined happens (`loopfrog check` tells); a run that leaves an object, say, is one that ends\n");
    }
    text
}

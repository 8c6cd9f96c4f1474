//! What was found out, for people.

use std::io::{self, Write as _};
use std::time::Duration;

use model::Program;
use terminate::{Argument, Findings, LoopFinding, LoopVerdict, Verdict};

use super::TerminateOptions;
use crate::describe::place;

/// Prints a line for each loop, and one for the program.
pub(super) fn print(program: &Program, findings: &Findings, time: Duration, options: &TerminateOptions) {
    let mut out = io::stdout().lock();
    // A reader that has seen enough is no failure.
    for finding in &findings.loops {
        let _ = writeln!(out, "{}", line(program, finding));
    }
    let verdict = match (&findings.verdict, &options.svcomp) {
        (Verdict::Terminates, Some(_)) => "TRUE".into(),
        (Verdict::Diverges(_), Some(_)) => "FALSE(termination)".into(),
        (Verdict::Unknown { .. }, Some(_)) => "UNKNOWN".into(),
        (Verdict::Terminates, None) => format!("the program terminates ({:.2} s)", time.as_secs_f64()),
        (Verdict::Diverges(run), None) => {
            format!("the program does not terminate: {} ({:.2} s)", place(program, run.span), time.as_secs_f64())
        }
        (Verdict::Unknown { reason, span }, None) => {
            format!("unknown whether the program terminates: {reason} ({}; {:.2} s)", place(program, *span), time.as_secs_f64())
        }
    };
    let _ = writeln!(out, "{verdict}");
}

fn line(program: &Program, finding: &LoopFinding) -> String {
    let what = if finding.recursion { "recursion" } else { "loop" };
    let name = &program.functions[finding.function].name;
    let verdict = match &finding.verdict {
        LoopVerdict::Terminates(Argument::Unreachable) => "terminates: no run comes there".into(),
        LoopVerdict::Terminates(Argument::Unwound) => "terminates: all of its rounds were followed".into(),
        LoopVerdict::Terminates(Argument::Ranked { measures, engine, bound }) => {
            let bound = bound.as_ref().map(|bound| format!(", at most {bound} rounds")).unwrap_or_default();
            format!("terminates: {} decreases{bound} [{engine}]", measures.join(", then "))
        }
        LoopVerdict::Diverges => "does not terminate".into(),
        LoopVerdict::Unknown(reason) => format!("unknown: {reason}"),
    };
    format!("{}: {what} in {name} {verdict}", place(program, finding.span))
}

//! `loopfrog terminate`: whether loops and programs end.

mod text;

use std::path::PathBuf;
use std::time::Instant;

use model::Program;
use terminate::{Findings, Plan, Verdict};

use crate::check::Means;
use crate::check::means::Task;
use crate::console::Console;
use crate::exit::Exit;

/// What the user wants to know.
#[derive(Clone, PartialEq, Debug)]
pub struct TerminateOptions {
    /// With what.
    pub means: Means,
    /// The engines, by name; none for the usual ones.
    pub engine: Option<String>,
    /// Where to write the inputs of a run that does not end.
    pub inputs: Option<PathBuf>,
    /// Whether to print JSON.
    pub json: bool,
    /// The property file of an SV-COMP task, if the answer is to be as SV-COMP wants it.
    pub svcomp: Option<PathBuf>,
}

/// All engines, a line for each.
pub fn engines() -> String {
    terminate::engines::list()
}

/// Finds out whether a program ends; the status with which the process should end.
pub fn terminate(program: &Program, options: &TerminateOptions, console: &Console) -> Result<u8, Exit> {
    let started = Instant::now();
    let usage = |message: String| {
        console.error(&message);
        Exit::Usage
    };
    let kinds = &passes::checks::DEFAULT;
    let engines = options.engine.as_deref().map(terminate::engines::parse).transpose().map_err(usage)?;
    let task = Task { program, kinds, unwind: None, means: &options.means, started };
    let work = |subject: &summarize::Subject<'_>, plan: &summarize::Plan<'_>, interrupt: &logic::sat::Interrupt| {
        terminate::terminate(subject, &Plan { means: plan, interrupt: interrupt.clone(), engines })
    };
    let analysed = task.analyse_stoppable(console, work).map_err(usage)?;
    text::print(&analysed.program, &analysed.result, started.elapsed(), options);
    Ok(status(&analysed.result))
}

fn status(findings: &Findings) -> u8 {
    match findings.verdict {
        Verdict::Terminates => Exit::Success.number(),
        Verdict::Diverges(_) => Exit::Violated.number(),
        Verdict::Unknown { .. } => Exit::Inconclusive.number(),
    }
}

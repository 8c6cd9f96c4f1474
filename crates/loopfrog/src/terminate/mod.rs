//! `loopfrog terminate`: whether loops and programs end.

mod divergence;
mod json;
mod property;
mod text;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use kernel::Repetition;
use model::Program;
use terminate::{Findings, LoopFinding, Plan, Verdict};

use crate::check::Means;
use crate::check::means::Task;
use crate::console::{Console, Volume};
use crate::exit::Exit;

/// What is used at most if the user sets no limit, in MiB: with what is allocated until everybody has stopped, less than 2 GB.
const MEMORY: u64 = 1700;

/// What the user wants to know.
#[derive(Clone, PartialEq, Debug)]
pub struct TerminateOptions {
    /// With what.
    pub means: Means,
    /// The engines, by name; none for the usual ones.
    pub engine: Option<String>,
    /// Where to write the inputs of a run that does not end.
    pub inputs: Option<PathBuf>,
    /// Whether loops that are written to go on for ever may do so.
    pub endless_ok: bool,
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
    if let Some(file) = &options.svcomp {
        property::read(file).map_err(usage)?;
    }
    let kinds = &passes::checks::DEFAULT;
    let engines = options.engine.as_deref().map(terminate::engines::parse).transpose().map_err(usage)?;
    // Nobody's loop ends because a bit was shifted out.
    let means = Means { memory: options.means.memory.or(Some(MEMORY)), ..options.means.clone() };
    let task = Task { program, kinds, unwind: None, left_shifts: false, means: &means, started };
    let bounds = options.svcomp.is_none();
    let work = |subject: &summarize::Subject<'_>, plan: &summarize::Plan<'_>, interrupt: &logic::sat::Interrupt| {
        terminate::terminate(subject, &Plan { means: plan, interrupt: interrupt.clone(), engines, bounds })
    };
    let analysed = task.analyse_stoppable(console, work).map_err(usage)?;
    let entry = &analysed.program.functions[analysed.entry].name;
    let told = Told { program: &analysed.program, original: program, entry, findings: &analysed.result, time: started.elapsed() };
    if let (Verdict::Diverges(found), Some(path)) = (&analysed.result.verdict, &options.inputs) {
        divergence::write_inputs(program, &found.run, path).map_err(usage)?;
    }
    // A reader that has seen enough is no failure.
    let _ = io::stdout().lock().write_all(told.text(options, console).as_bytes());
    let meant = options.endless_ok && told.meant().is_some();
    Ok(if meant { Exit::Success.number() } else { status(&analysed.result) })
}

/// What there is to tell.
struct Told<'a> {
    /// The program that the findings speak of: the user's with library models.
    program: &'a Program,
    /// The user's program, which runs are runs of.
    original: &'a Program,
    /// The function with which it starts.
    entry: &'a str,
    findings: &'a Findings,
    time: Duration,
}

impl<'a> Told<'a> {
    /// The loops of the program itself.
    fn own_loops(&self) -> impl Iterator<Item = &'a LoopFinding> {
        let program = self.program;
        self.findings.loops.iter().filter(move |finding| !program.is_library(finding.span))
    }

    /// The run that does not end, if it goes on in a loop that is written to do so.
    fn meant(&self) -> Option<&'a Repetition> {
        match &self.findings.verdict {
            Verdict::Diverges(found) if divergence::is_meant(self.original, &found.run) => Some(&found.run),
            _ => None,
        }
    }

    fn text(&self, options: &TerminateOptions, console: &Console) -> String {
        let color = console.color && io::stdout().is_terminal();
        let engines = options.engine.is_some() || console.volume == Volume::Verbose;
        match (options.json, &options.svcomp) {
            (true, _) => serde_json::to_string_pretty(&json::json(self)).unwrap_or_default() + "\n",
            // The verdict is the last line.
            (_, Some(_)) => format!("{}{}{}\n", text::loops(self, engines, color), text::assumptions(self), self.answer()),
            _ => match (self.meant(), &self.findings.verdict) {
                (Some(run), _) if options.endless_ok => text::loops(self, engines, color) + &divergence::meant(self.original, run),
                (_, Verdict::Diverges(found)) => divergence::text(self.original, found, engines) + &text::text(self, engines, color),
                _ => text::text(self, engines, color),
            },
        }
    }

    /// The verdict as SV-COMP wants it.
    fn answer(&self) -> &'static str {
        match self.findings.verdict {
            Verdict::Terminates => "TRUE",
            Verdict::Diverges(_) => "FALSE(termination)",
            Verdict::Unknown { .. } => "UNKNOWN",
        }
    }
}

fn status(findings: &Findings) -> u8 {
    match findings.verdict {
        Verdict::Terminates => Exit::Success.number(),
        Verdict::Diverges(_) => Exit::Violated.number(),
        Verdict::Unknown { .. } => Exit::Inconclusive.number(),
    }
}

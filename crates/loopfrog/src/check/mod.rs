//! `loopfrog check`: whether a program does anything that it must not.

mod blame;
mod json;
pub(crate) mod means;
mod messages;
mod output;
mod table;
mod watch;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use kernel::{Decision, Verdict};
use model::{FunctionId, Program};

pub use means::Means;
use means::Task;

use crate::checks;
use crate::console::Console;
use crate::exit::Exit;

/// What the user wants to have checked.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckOptions {
    /// How many iterations of each loop are followed; none to replace loops by summaries.
    pub unwind: Option<u32>,
    /// The properties, by name; none for the usual ones.
    pub properties: Option<String>,
    /// With what.
    pub means: Means,
    /// Where to write the inputs of violations.
    pub inputs: Option<PathBuf>,
    /// How the findings are printed.
    pub layout: Layout,
}

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::Args)]
pub struct Layout {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print a table with a line for each function, too
    #[arg(long, conflicts_with = "json")]
    pub table: bool,
    /// Print what it took, too: loops, candidates, questions to the solver, time
    #[arg(long, conflicts_with = "json")]
    pub stats: bool,
}

/// What was found out about a program.
pub(crate) struct Findings {
    /// The program that the findings speak of: the user's with library models.
    pub(crate) program: Program,
    pub(crate) found: summarize::Findings,
    pub(crate) time: Duration,
    pub(crate) entry: FunctionId,
}

/// Checks a program; the status with which the process should end.
pub fn check(program: &Program, options: &CheckOptions, console: &Console) -> Result<u8, Exit> {
    let started = Instant::now();
    let usage = |message: String| {
        console.error(&message);
        Exit::Usage
    };
    let kinds = match &options.properties {
        Some(list) => checks::parse(list).map_err(usage)?,
        None => passes::checks::DEFAULT.to_vec(),
    };
    if kinds.is_empty() {
        return Err(usage("there is no property to check".into()));
    }
    let task = Task { program, kinds: &kinds, unwind: options.unwind, left_shifts: true, means: &options.means, started };
    let analysed = task.analyse(console, summarize::check).map_err(usage)?;
    let findings = Findings { program: analysed.program, found: analysed.result, time: started.elapsed(), entry: analysed.entry };
    output::print(program, &findings, options, console);
    Ok(status(&findings.found.decisions))
}

/// 10 if anything is violated, 0 if everything is proved, 5 otherwise.
fn status(decisions: &[Decision]) -> u8 {
    let violated = decisions.iter().any(|decision| matches!(decision.verdict, Verdict::Violated(_)));
    let open = decisions.iter().any(|decision| !matches!(decision.verdict, Verdict::Proved | Verdict::Violated(_)));
    match (violated, open) {
        (true, _) => Exit::Violated.number(),
        (false, true) => Exit::Inconclusive.number(),
        (false, false) => Exit::Success.number(),
    }
}

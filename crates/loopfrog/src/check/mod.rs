//! `loopfrog check`: whether a program does anything that it must not.

mod output;
mod watch;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use encode::{CutKind, Encoding, Gap};
use kernel::{Decision, Replay, Verdict};
use logic::Dump;
use logic::sat::{Budget, Interrupt};
use model::{CheckKind, FunctionId, Program, Span};
use pointers::Regions;

use crate::checks;
use crate::console::Console;
use crate::exit::Exit;

/// What the user wants to have checked.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckOptions {
    /// How many iterations of each loop are followed.
    pub unwind: u32,
    /// The properties, by name; none for the usual ones.
    pub properties: Option<String>,
    /// The function to start with instead of `main`.
    pub function: Option<String>,
    /// How many seconds it may take.
    pub timeout: Option<f64>,
    /// How many MiB it may use.
    pub memory: Option<u64>,
    /// Where to write the solver's questions.
    pub dump_queries: Option<PathBuf>,
    /// Where to write the inputs of violations.
    pub inputs: Option<PathBuf>,
    /// Whether to print JSON.
    pub json: bool,
}

/// What was found out about a program.
pub(crate) struct Findings {
    /// The program that the findings speak of: the user's with library models.
    pub(crate) program: Program,
    pub(crate) decisions: Vec<Decision>,
    /// Functions without body or model, how often they are called, where first.
    pub(crate) unknown: Vec<(String, u32, Span)>,
    pub(crate) loops_cut: usize,
    pub(crate) time: Duration,
    pub(crate) entry: FunctionId,
}

/// Terms per MiB of memory, counted generously: each costs some hundred bytes here and about as much again in the solver.
const TERMS_PER_MIB: usize = 1000;

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
    let entry = entry(program, options.function.as_deref()).map_err(usage)?;
    let interrupt = Interrupt::new();
    let _watch = watch::start(options, started, interrupt.clone());
    let budget = Budget::unlimited().with_interrupt(interrupt);
    let findings = analyse(program, &kinds, entry, options, budget, console, started);
    output::print(program, &findings, options, console);
    Ok(status(&findings.decisions))
}

fn entry(program: &Program, name: Option<&str>) -> Result<FunctionId, String> {
    let wanted = name.unwrap_or("main");
    let found = program.functions.enumerate().find(|(_, function)| function.name == wanted && function.body.is_some());
    found.map(|(id, _)| id).ok_or_else(|| match name {
        Some(name) => format!("there is no function `{name}` with a body"),
        None => "the program has no function `main`; name one with --function".into(),
    })
}

/// 10 if anything is violated, 0 if everything is proved, 5 otherwise.
fn status(decisions: &[Decision]) -> u8 {
    let violated = decisions.iter().any(|decision| matches!(decision.verdict, Verdict::Violated(_)));
    let unknown = decisions.iter().any(|decision| matches!(decision.verdict, Verdict::Unknown { .. }));
    match (violated, unknown) {
        (true, _) => Exit::Violated.number(),
        (false, true) => Exit::Inconclusive.number(),
        (false, false) => Exit::Success.number(),
    }
}

fn analyse(
    program: &Program,
    kinds: &[CheckKind],
    original: FunctionId,
    options: &CheckOptions,
    budget: Budget,
    console: &Console,
    started: Instant,
) -> Findings {
    console.progress("library models and checks");
    let mut checked = match library::link(program.clone()) {
        Ok(linked) => linked.program,
        Err(message) => {
            console.warning(&format!("library functions have no models here: {message}"));
            program.clone()
        }
    };
    let name = &program.functions[original].name;
    // Linking puts functions in another order.
    let entry = checked
        .functions
        .enumerate()
        .find(|(_, function)| function.name == *name && function.body.is_some())
        .map_or(original, |(id, _)| id);
    library::separate(&mut checked);
    passes::checks::instrument(&mut checked, kinds);
    passes::reducible::make_reducible(&mut checked);
    console.progress("pointer analysis");
    let analysis = pointers::analyse_from(&checked, &[entry]);
    let regions = Regions::new(&analysis);
    console.progress("encoding");
    let terms = options.memory.map_or(usize::MAX, |mib| mib as usize * TERMS_PER_MIB).min(20_000_000);
    let encode_options =
        encode::Options { unwind: options.unwind, uninitialised: kinds.contains(&CheckKind::Uninitialised), terms, budget: budget.clone() };
    let mut encoding = encode::encode(&checked, &analysis, &regions, entry, encode_options);
    note_assembly(program, &mut encoding, entry);
    if let Some(folder) = &options.dump_queries {
        // The answers are worth more than the files.
        if let Err(error) = std::fs::create_dir_all(folder) {
            console.warning(&format!("cannot write to {}: {error}", folder.display()));
        }
        encoding.context.dump_to(Dump::new(folder, "query"));
    }
    let loops_cut = encoding.cuts.iter().filter(|cut| cut.kind == CutKind::Loop).count();
    let unknown = std::mem::take(&mut encoding.unknown).into_iter().map(|(name, (calls, span))| (name, calls, span)).collect();
    console.progress("deciding");
    let properties = kernel::properties(&checked, &analysis, entry);
    let replay = Replay {
        program,
        function: options.function.as_ref().map(|_| original),
        analysed: &checked,
        limits: interp::Limits { steps: 3_000_000, memory: 512 << 20, depth: 20_000, output: 1 << 20 },
    };
    let limits = kernel::Limits { budget, replays: 4 };
    let decisions = kernel::decide(&checked, &analysis, encoding, properties, &replay, &limits);
    drop(regions);
    drop(analysis);
    Findings { decisions, unknown, loops_cut, time: started.elapsed(), entry, program: checked }
}

/// Assembly outside of functions may do anything: no verdict may rest on a program that has it.
fn note_assembly(program: &Program, encoding: &mut Encoding, entry: FunctionId) {
    if let Some(&span) = program.assembly.first() {
        let guard = encoding.terms.bool(true);
        let block = model::Body::ENTRY;
        encoding.gaps.push(Gap { guard, function: entry, block, reason: "assembly outside of functions".into(), span });
    }
}

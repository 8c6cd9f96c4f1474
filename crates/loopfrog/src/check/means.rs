//! What `check` and `summarize` share: the program as it is analysed, and the means.

use std::path::{Path, PathBuf};
use std::time::Instant;

use closures::Sigma;
use domains::{Domain, TemplateError, Templates};
use kernel::Replay;
use logic::Dump;
use logic::sat::{Budget, Interrupt};
use model::{CheckKind, FunctionId, Program};
use pointers::Regions;
use summarize::{Closing, Plan, Subject, When};

use super::watch;
use crate::console::Console;
use crate::domains as choice;

/// With what a program is analysed.
#[derive(Clone, PartialEq, Debug, Default, clap::Args)]
pub struct Means {
    /// Start with this function, with arbitrary arguments, instead of main
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Which domains propose invariants: names with commas between them; +NAME and -NAME change what is usual
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub domains: Option<String>,
    /// A candidate for an invariant, tested like all others: `p - buf == n`, `forall index i: i <= 8`; may be repeated
    #[arg(long = "candidate", value_name = "FORMULA", allow_hyphen_values = true)]
    pub candidates: Vec<String>,
    /// A file with candidates, one per line; may be repeated
    #[arg(long = "candidates", value_name = "FILE")]
    pub candidate_files: Vec<PathBuf>,
    /// What loops are replaced by: invariants, closures over predicates; without it invariants, and closures where those are too weak
    #[arg(long, value_enum, value_name = "KIND", hide_possible_values = true)]
    pub summaries: Option<Kind>,
    /// A file with predicates for closures, one per line, instead of the program's own; may be repeated
    #[arg(long = "predicates", value_name = "FILE")]
    pub predicate_files: Vec<PathBuf>,
    /// For closures, look at the paths through a loop one by one
    #[arg(long)]
    pub path_wise: bool,
    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
    /// Give up when more memory is used
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u64>,
    /// Write each question to the solver into this folder, as SMT-LIB 2
    #[arg(long, value_name = "FOLDER")]
    pub dump_queries: Option<PathBuf>,
}

/// What loops are replaced by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Kind {
    /// Invariants that domains propose.
    Invariants,
    /// Closures over predicates.
    Closures,
}

/// Terms per MiB of memory, counted generously: each costs some hundred bytes here and about as much again in the solver.
const TERMS_PER_MIB: usize = 1000;
/// More candidates are not tested for a loop.
const CANDIDATES: usize = 400;

/// A program that was analysed, with what came of it.
pub(crate) struct Analysed<R> {
    /// The program that the result speaks of: the user's with library models.
    pub(crate) program: Program,
    pub(crate) entry: FunctionId,
    pub(crate) result: R,
}

/// What is to be looked at.
pub(crate) struct Task<'a> {
    pub(crate) program: &'a Program,
    pub(crate) kinds: &'a [CheckKind],
    /// Unwind loops so often instead of summarising them.
    pub(crate) unwind: Option<u32>,
    /// Whether a signed left shift that loses bits is an overflow.
    pub(crate) left_shifts: bool,
    pub(crate) means: &'a Means,
    pub(crate) started: Instant,
}

impl Task<'_> {
    /// Makes the program ready and works on it. Where the user wants something impossible, the error says what.
    pub(crate) fn analyse<R>(&self, console: &Console, work: impl FnOnce(&Subject<'_>, &Plan<'_>) -> R) -> Result<Analysed<R>, String> {
        self.analyse_stoppable(console, |subject, plan, _| work(subject, plan))
    }

    /// The same, for work that stops a part of itself.
    pub(crate) fn analyse_stoppable<R>(
        &self,
        console: &Console,
        work: impl FnOnce(&Subject<'_>, &Plan<'_>, &Interrupt) -> R,
    ) -> Result<Analysed<R>, String> {
        let function = self.means.function.as_deref();
        let original = entry(self.program, function)?;
        let interrupt = Interrupt::new();
        let templates = self.means.templates()?;
        let predicates = self.means.predicates()?;
        let mut plan = self.plan(Budget::unlimited().with_interrupt(interrupt.clone()), console)?;
        plan.closing.sigma = Sigma { user: &predicates };
        // What the user says comes first: there are not too many of those.
        plan.domains.splice(0..0, templates.iter().map(|templates| templates as &dyn Domain));
        let _watch = watch::start(self.means, self.started, interrupt.clone());
        let (checked, entry) = self.instrumented(original, console);
        console.progress("pointer analysis");
        let analysis = pointers::analyse_from(&checked, &[entry]);
        let regions = Regions::new(&analysis);
        let replay = Replay {
            program: self.program,
            function: function.map(|_| original),
            analysed: &checked,
            limits: interp::Limits { steps: 3_000_000, memory: 512 << 20, depth: 20_000, output: 1 << 20 },
        };
        let subject = Subject { program: &checked, analysis: &analysis, regions: &regions, entry, replay: &replay };
        let result = work(&subject, &plan, &interrupt);
        drop(regions);
        drop(analysis);
        Ok(Analysed { result, entry, program: checked })
    }

    /// The program with library models and assertions, and where it starts.
    fn instrumented(&self, original: FunctionId, console: &Console) -> (Program, FunctionId) {
        console.progress("library models and checks");
        let mut checked = match library::link(self.program.clone()) {
            Ok(linked) => linked.program,
            Err(message) => {
                console.warning(&format!("library functions have no models here: {message}"));
                self.program.clone()
            }
        };
        let name = &self.program.functions[original].name;
        // Linking puts functions in another order.
        let entry = checked
            .functions
            .enumerate()
            .find(|(_, function)| function.name == *name && function.body.is_some())
            .map_or(original, |(id, _)| id);
        library::separate(&mut checked);
        match self.left_shifts {
            true => passes::checks::instrument(&mut checked, self.kinds),
            false => passes::checks::instrument_but_left_shifts(&mut checked, self.kinds),
        }
        passes::endless::end_calls(&mut checked);
        passes::reducible::make_reducible(&mut checked);
        (checked, entry)
    }

    /// How the user wants it to be done.
    fn plan<'a>(&'a self, budget: Budget, console: &'a Console) -> Result<Plan<'a>, String> {
        let means = self.means;
        let dump = means.dump_queries.as_ref().map(|folder| {
            // The answers are worth more than the files.
            if let Err(error) = std::fs::create_dir_all(folder) {
                console.warning(&format!("cannot write to {}: {error}", folder.display()));
            }
            Box::new(move || Dump::new(folder, "query")) as Box<dyn Fn() -> Dump + Sync>
        });
        // Closures alone, unless domains are asked for.
        let usual = if means.summaries == Some(Kind::Closures) { "none" } else { "" };
        let when = match means.summaries {
            None => When::Refining,
            Some(Kind::Invariants) => When::Never,
            Some(Kind::Closures) => When::Always,
        };
        Ok(Plan {
            domains: choice::parse(means.domains.as_deref().unwrap_or(usual))?,
            closing: Closing { when, path_wise: means.path_wise, ..Closing::default() },
            unwind: self.unwind,
            candidates: CANDIDATES,
            patient: means.timeout.is_some(),
            uninitialised: self.kinds.contains(&CheckKind::Uninitialised),
            terms: means.memory.map_or(usize::MAX, |mib| mib as usize * TERMS_PER_MIB).min(20_000_000),
            budget,
            dump,
            progress: Box::new(|line| console.progress(line)),
        })
    }
}

impl Means {
    /// The candidates that the user wrote down.
    fn templates(&self) -> Result<Vec<Templates>, String> {
        let mut found = Vec::new();
        for formula in &self.candidates {
            let wrong = |error: &TemplateError| format!("--candidate '{formula}': {} (at character {})", error.message, error.column);
            found.push(Templates::parse(formula).map_err(|errors| errors.iter().map(wrong).collect::<Vec<_>>().join("\n"))?);
        }
        for file in &self.candidate_files {
            found.push(read(file)?);
        }
        Ok(found)
    }

    /// The predicates that the user wrote down.
    fn predicates(&self) -> Result<Vec<Templates>, String> {
        self.predicate_files.iter().map(|file| read(file)).collect()
    }
}

/// A file with formulas.
fn read(file: &Path) -> Result<Templates, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let wrong = |error: &TemplateError| format!("{}:{error}", file.display());
    Templates::parse(&text).map_err(|errors| errors.iter().map(wrong).collect::<Vec<_>>().join("\n"))
}

fn entry(program: &Program, name: Option<&str>) -> Result<FunctionId, String> {
    let wanted = name.unwrap_or("main");
    let found = program.functions.enumerate().find(|(_, function)| function.name == wanted && function.body.is_some());
    found.map(|(id, _)| id).ok_or_else(|| match name {
        Some(name) => format!("there is no function `{name}` with a body"),
        None => "the program has no function `main`; name one with --function".into(),
    })
}

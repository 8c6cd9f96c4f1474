//! What `loopfrog check` does with a program, without the command line.

use interp::{End, Fault, Inputs, Machine, Policy, Setup, Values};
use kernel::{Decision, Limits, Replay, Verdict};
use logic::sat::Budget;
use model::{CheckKind, FunctionId, Program, Target};
use pointers::Regions;

/// The model of a program.
#[track_caller]
pub fn translate(source: &str, target: Target) -> Program {
    let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options { target, ..Default::default() });
    translation.program.unwrap_or_else(|| panic!("{:?}\n{source}", translation.diagnostics.list()))
}

/// All verdicts on a program.
pub fn check(program: &Program, kinds: &[CheckKind], unwind: u32) -> Vec<Decision> {
    let mut checked = library::link(program.clone()).unwrap_or_else(|error| panic!("{error}")).program;
    passes::reducible::make_reducible(&mut checked);
    passes::checks::instrument(&mut checked, kinds);
    let entry = checked.functions.enumerate().find(|(_, function)| function.name == "main").map_or(FunctionId::new(0), |(id, _)| id);
    let analysis = pointers::analyse_from(&checked, &[entry]);
    let regions = Regions::new(&analysis);
    let budget = Budget::unlimited().with_conflicts(200_000);
    let options = encode::Options {
        unwind,
        uninitialised: kinds.contains(&CheckKind::Uninitialised),
        terms: 10_000_000,
        budget: budget.clone(),
        effort: u64::MAX,
        faults: encode::Faults::Memory,
    };
    let encoding = encode::encode(&checked, &analysis, &regions, entry, options, None);
    let properties = kernel::properties(&checked, &analysis, entry);
    let limits = interp::Limits { steps: 1_000_000, memory: 64 << 20, depth: 1000, output: 1 << 16 };
    let replay = Replay { program, analysed: &checked, function: None, limits };
    kernel::decide(
        &checked,
        &analysis,
        encoding,
        kernel::Wanted::All(properties),
        &replay,
        &Limits { budget, replays: 4, effort: None, deep: false },
    )
}

/// A verdict in a word, for comparisons and messages.
pub fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Proved => "proved".into(),
        Verdict::Violated(_) => "violated".into(),
        Verdict::Possible(_) => "possible".into(),
        Verdict::Conditional { on } => format!("conditional (line {})", on.line),
        Verdict::Unknown { reason, span } => format!("unknown: {reason} (line {})", span.line),
    }
}

/// How a program ends with these inputs, what it prints, and what it did wrong.
pub fn run(program: &Program, policy: Policy, inputs: Vec<u128>) -> (End, String, Vec<Fault>) {
    let mut printed = Vec::new();
    let (end, faults) = {
        let inputs = Inputs { values: Values::List(inputs.into_iter()), ..Inputs::default() };
        let setup = Setup { policy, inputs, output: Box::new(|bytes, _| printed.extend_from_slice(bytes)), ..Setup::default() };
        let mut machine = Machine::new(program, setup).expect("the globals fit");
        let end = machine.run_main();
        (end, std::mem::take(&mut machine.faults))
    };
    (end, String::from_utf8_lossy(&printed).into_owned(), faults)
}

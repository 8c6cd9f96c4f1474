//! What budgets cut off is not proved.

use kernel::{Limits, Replay, Verdict, decide, properties};
use logic::sat::{Budget, Interrupt};
use model::Target;
use pointers::Regions;

use crate::pipeline::translate;

const PROGRAM: &str =
    "int other(int x) { return x; }\nint main(int argc, char **argv) { int a[3]; a[argc] = 1; return 10 / (argc - 1); }\n";

/// The verdicts with so many terms and this budget.
fn verdicts(terms: usize, budget: Budget) -> Vec<Verdict> {
    let original = translate(PROGRAM, Target::Lp64);
    let mut program = original.clone();
    passes::checks::instrument(&mut program, &passes::checks::DEFAULT);
    let (entry, _) = program.functions.enumerate().find(|(_, function)| function.name == "main").expect("there is a main function");
    let analysis = pointers::analyse_from(&program, &[entry]);
    let regions = Regions::new(&analysis);
    let options = encode::Options {
        unwind: 1,
        uninitialised: false,
        terms,
        budget: budget.clone(),
        effort: u64::MAX,
        faults: encode::Faults::Memory,
    };
    let encoding = encode::encode(&program, &analysis, &regions, entry, options, None);
    let replay = Replay { program: &original, function: None, limits: interp::Limits::default(), analysed: &program };
    let wanted = properties(&program, &analysis, entry);
    assert!(wanted.len() >= 3);
    decide(&program, &analysis, encoding, kernel::Wanted::All(wanted), &replay, &Limits { budget, replays: 1, effort: None, deep: false })
        .into_iter()
        .map(|decision| decision.verdict)
        .collect()
}

#[test]
fn nothing_is_proved_of_a_function_that_was_not_entered() {
    let interrupt = Interrupt::new();
    interrupt.raise();
    for (terms, budget) in [(usize::MAX, Budget::unlimited().with_interrupt(interrupt)), (1, Budget::unlimited())] {
        let verdicts = verdicts(terms, budget);
        assert!(verdicts.iter().all(|verdict| matches!(verdict, Verdict::Unknown { .. })), "{verdicts:?}");
    }
}

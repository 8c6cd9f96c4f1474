//! Encoder against interpreter: with inputs fixed, a program has one result, and that is proved.

use interp::{End, Policy};
use kernel::Verdict;
use model::{CheckKind, Target};

use crate::generator::Draft;
use crate::pipeline::{check, run, translate, word};

/// More seeds than the usual ones, for long runs: `LOOPFROG_SEEDS=1000-2000`.
pub fn seeds(usual: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let given = std::env::var("LOOPFROG_SEEDS").ok();
    let range = given.as_deref().and_then(|text| text.split_once('-')).and_then(|(low, high)| Some(low.parse().ok()?..high.parse().ok()?));
    range.unwrap_or(usual)
}

/// What is wrong with the answers about one program.
fn findings(seed: u64, target: Target) -> Vec<String> {
    let draft = Draft::new(seed, 1 + seed as usize % 2, 3);
    let printing = translate(&draft.fixed("printf(\"%lu\", r);"), target);
    let (end, printed, _) = run(&printing, Policy::default(), draft.values());
    if end != End::Exit(0) {
        return vec![format!("the program ends with {end:?}")];
    }
    let mut found = Vec::new();
    for (operator, expected) in [("!=", "proved"), ("==", "violated")] {
        let program = translate(&draft.fixed(&format!("if (r {operator} {printed}ul) reach_error();")), target);
        let mut kinds = passes::checks::DEFAULT.to_vec();
        if seed.is_multiple_of(3) {
            kinds.push(CheckKind::Uninitialised);
        }
        for decision in check(&program, &kinds, 8) {
            let check = decision.property.check;
            let expected = if check.kind == CheckKind::Assertion { expected } else { "proved" };
            let verdict = word(&decision.verdict);
            if verdict != expected {
                let wrong = if matches!(decision.verdict, Verdict::Unknown { .. }) { "" } else { "WRONG " };
                found.push(format!("{wrong}r {operator} {printed}: {} at line {}: {verdict}", check.kind.name(), check.span.line));
            }
        }
    }
    found
}

#[test]
fn results_are_those_of_the_interpreter() {
    let mut all = Vec::new();
    for seed in seeds(1..27) {
        for target in [Target::Lp64, Target::Ilp32] {
            all.extend(findings(seed, target).into_iter().map(|finding| format!("seed {seed}, {}: {finding}", target.name())));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// Prints the program of a seed: `LOOPFROG_SEEDS=7-8 cargo test -p loopfrog-kernel -- --ignored --nocapture program_of_a_seed`.
#[test]
#[ignore = "for people: it prints, and asserts nothing"]
fn program_of_a_seed() {
    for seed in seeds(0..0) {
        let draft = Draft::new(seed, 1 + seed as usize % 2, 3);
        println!("{}", draft.fixed("printf(\"%lu\", r); if (r != 0) reach_error();"));
    }
}

//! Programs with a few small inputs: all of their runs tell whether an assertion holds, and that is what is said of it.

use interp::{End, Policy};
use kernel::Verdict;
use model::{CheckKind, Target};

use crate::differential::seeds;
use crate::generator::Draft;
use crate::pipeline::{check, run, translate, word};
use crate::random::Random;

/// The inputs go from the first of these to the second.
const RANGE: (i64, i64) = (3, 10);

/// The results of all runs, in order of the inputs; `None` if one of them does something undefined.
fn results(draft: &Draft, inputs: usize, target: Target) -> Option<Vec<u64>> {
    let printing = translate(&draft.bounded(RANGE.0, RANGE.1, "printf(\"%lu\", r);"), target);
    let width = (RANGE.1 - RANGE.0 + 1) as usize;
    let mut results = Vec::new();
    for number in 0..width.pow(inputs as u32) {
        let values = (0..inputs as u32).map(|input| (number / width.pow(input) % width) as u128 + RANGE.0 as u128);
        let (end, printed, _) = run(&printing, Policy::default(), values.collect());
        if end != End::Exit(0) {
            return None;
        }
        results.push(printed.parse().ok()?);
    }
    Some(results)
}

fn finding(seed: u64, target: Target) -> Option<String> {
    let inputs = 1 + seed as usize % 2;
    let draft = Draft::new(seed.wrapping_mul(0x1234_5678_9abc_def1), 1, inputs);
    let Some(results) = results(&draft, inputs, target) else { return Some("a run does something undefined".into()) };
    let mut random = Random(seed);
    // A few bits of the result are, or are not, those of some run.
    let mask = 1u64 << random.below(8) | 1 << random.below(8) | 1 << random.below(32);
    let value = if random.coin() { results[random.below(results.len())] & mask } else { random.next() & mask };
    let program = translate(&draft.bounded(RANGE.0, RANGE.1, &format!("if ((r & {mask}ul) == {value}ul) reach_error();")), target);
    let expected = if results.iter().any(|result| result & mask == value) { "violated" } else { "proved" };
    let decisions = check(&program, &passes::checks::DEFAULT, 8);
    let decision = decisions.iter().find(|decision| decision.property.check.kind == CheckKind::Assertion)?;
    let verdict = word(&decision.verdict);
    let wrong = if matches!(decision.verdict, Verdict::Unknown { .. }) { "" } else { "WRONG " };
    (verdict != expected).then(|| format!("{wrong}(r & {mask}) == {value}: {verdict}, but {expected}"))
}

#[test]
fn assertions_hold_if_no_run_violates_them() {
    let mut all = Vec::new();
    for seed in seeds(1..13) {
        for target in [Target::Lp64, Target::Ilp32] {
            all.extend(finding(seed, target).map(|finding| format!("seed {seed}, {}: {finding}", target.name())));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

//! Programs that do something undefined: where a run does, it is never said that none does.

use interp::{End, Fault, Policy, Reaction};
use kernel::Verdict;
use model::{CheckKind, Program, Target};

use crate::differential::seeds;
use crate::generator::Draft;
use crate::pipeline::{check, run, translate, word};

#[path = "../../../interp/tests/planted/mod.rs"]
#[allow(dead_code, reason = "only its programs are used")]
mod planted;
#[path = "../../../interp/tests/samples/mod.rs"]
#[allow(dead_code, reason = "only its programs are used")]
mod samples;

/// Loops of the programs have fewer iterations.
const UNWIND: u32 = 24;

/// What C leaves undefined, and what is only unwanted. Of leaks, interpreter and check think differently.
fn kinds() -> Vec<CheckKind> {
    CheckKind::ALL.into_iter().filter(|kind| !matches!(kind, CheckKind::Leak | CheckKind::UnsignedOverflow | CheckKind::Float)).collect()
}

fn first_fault(program: &Program, inputs: Vec<u128>) -> Option<Fault> {
    let mut policy = Policy::all(Reaction::Ignore);
    kinds().into_iter().for_each(|kind| policy.set(kind, Reaction::Stop));
    match run(program, policy, inputs).0 {
        End::Fault(fault) => Some(*fault),
        _ => None,
    }
}

/// What is wrong with the verdict at the place of a fault: WRONG if it is proved, or not even a property.
fn finding(program: &Program, fault: &Fault) -> Option<String> {
    let decisions = check(program, &kinds(), UNWIND);
    let here: Vec<_> = decisions
        .iter()
        .filter(|decision| {
            let check = decision.property.check;
            let overlap = fault.span.column < check.span.column + check.span.length.max(1)
                && check.span.column < fault.span.column + fault.span.length.max(1);
            check.kind == fault.kind && check.span.line == fault.span.line && overlap
        })
        .collect();
    let place = format!("{} at {}:{}: {}", fault.kind.name(), fault.span.line, fault.span.column, fault.message);
    if here.is_empty() {
        return Some(format!("WRONG {place}: nothing is checked here"));
    }
    if here.iter().all(|decision| matches!(decision.verdict, Verdict::Proved)) {
        return Some(format!("WRONG {place}: proved"));
    }
    let found = here.iter().any(|decision| matches!(decision.verdict, Verdict::Violated(_)));
    // Left shifts that lose bits are defined by gcc: that they are not proved is enough.
    let found = found || fault.message.contains("<<");
    (!found).then(|| format!("{place}: {}", word(&here[0].verdict)))
}

/// Each takes away a guard of the generator.
const DAMAGES: [(&str, &str); 9] = [
    ("& 7]", "& 15]"),
    ("% 3u]", "% 5u]"),
    ("| 1u))", "& 2u))"),
    ("& 15 | 1))", "& 15))"),
    ("& 31))", "& 63))"),
    ("& 3]", "& 7]"),
    ("(short)(", "(int)("),
    (" = { 0 }", ""),
    ("(P)(i + x", "(P)(i * x"),
];

#[test]
fn damaged_programs_are_not_proved() {
    let (mut all, mut faults) = (Vec::new(), 0);
    for seed in seeds(1..7) {
        let draft = Draft::new(seed, 2, 3);
        let source = draft.fixed("if (r == 1) reach_error();");
        for target in [Target::Lp64, Target::Ilp32] {
            for (from, to) in DAMAGES {
                let program = translate(&source.replace(from, to), target);
                let Some(fault) = first_fault(&program, draft.values()) else { continue };
                faults += 1;
                all.extend(finding(&program, &fault).map(|finding| format!("seed {seed}, {}, {from}: {finding}", target.name())));
            }
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
    assert!(faults > 20, "{faults}");
}

#[test]
fn planted_faults_are_found_and_their_twins_are_proved() {
    let mut all = Vec::new();
    for seed in seeds(1..2) {
        let planted = planted::program(seed);
        let (functions, _) = planted.source.split_once("int main(").expect("there is a main function");
        for case in &planted.cases {
            let program =
                |number: usize| translate(&format!("{functions}int main(void) {{ return case{number}() == 12345; }}\n"), Target::Lp64);
            let faulty = program(case.number);
            let fault = first_fault(&faulty, Vec::new()).expect("the fault is planted");
            all.extend(finding(&faulty, &fault).map(|finding| format!("seed {seed}, {}: {finding}", case.name)));
            for decision in check(&program(case.number + 1), &kinds(), UNWIND) {
                if !matches!(decision.verdict, Verdict::Proved) {
                    let (check, word) = (decision.property.check, word(&decision.verdict));
                    all.push(format!("seed {seed}, twin of {}: {} at {}: {word}", case.name, check.kind.name(), check.span.line));
                }
            }
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn samples_are_not_proved() {
    let mut all = Vec::new();
    // Pointers may move farther than the interpreter follows them.
    for sample in samples::samples().into_iter().filter(|sample| sample.group != "pointers do not stray into other objects") {
        let program = translate(&sample.source, Target::Lp64);
        if let Some(fault) = first_fault(&program, Vec::new()) {
            all.extend(finding(&program, &fault).map(|finding| format!("{}: {finding}", sample.group)));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

//! Pairs of programs for each check: one that is right and its twin that is not.
//!
//! Each folder has the name of a check, each pair is `NAME-safe.c` and `NAME-unsafe.c`. Comments at the ends of lines say what is expected:
//!
//! | comment | the checks of this kind on the line |
//! |---|---|
//! | `// PROVED(kind)` | are all proved, or need no check |
//! | `// VIOLATED(kind)` | are violated |
//! | `// MAY(kind)` | are not all proved |
//! | `// TODO-PROVED(kind)`, `// TODO-VIOLATED(kind)` | the same, but Loopfrog does not see it yet; the test tells when it does |
//!
//! Nothing else may be violated. A first line `// flags: …` has options for `loopfrog check`; unless they choose properties, those are the
//! usual ones and that of the folder. Every violation is run again with the inputs that it reports, by `loopfrog run`, and where gcc has
//! sanitizers, for the kinds that they know, by the compiled program.

mod program;
mod sanitizer;
mod tool;

use std::fs;
use std::path::{Path, PathBuf};

use model::CheckKind;
use program::{Expected, Program};
use tool::{Finding, Status};

/// What is wrong with the answers about a program.
#[derive(Default)]
struct Failures {
    /// Wrong answers.
    soundness: Vec<String>,
    /// Missing answers, and answers that were missing before.
    precision: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checks")
}

/// The programs of a folder, in order.
fn programs(kind: CheckKind) -> Vec<Program> {
    let folder = root().join(kind.name());
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    files.sort();
    files.iter().map(|file| Program::read(file)).collect()
}

/// The worst status of the findings of a kind on a line; what needs no check is proved.
fn status(findings: &[Finding], line: u32, kind: &str) -> Status {
    findings
        .iter()
        .filter(|finding| finding.line == line && finding.kind == kind)
        .map(|finding| finding.status)
        .max()
        .unwrap_or(Status::Proved)
}

fn compare(program: &Program, findings: &[Finding], failures: &mut Failures) {
    let name = program.name();
    for expectation in &program.expectations {
        let found = status(findings, expectation.line, &expectation.kind);
        let text = format!("{name}:{}: {} is {found:?}, expected {:?}", expectation.line, expectation.kind, expectation.expected);
        match (expectation.expected, found) {
            (Expected::Proved, Status::Proved) | (Expected::Violated, Status::Violated) => {}
            (Expected::May, Status::Unknown | Status::Violated) | (Expected::TodoProved | Expected::TodoViolated, Status::Unknown) => {}
            (Expected::Proved | Expected::TodoProved, Status::Violated)
            | (Expected::Violated | Expected::TodoViolated | Expected::May, Status::Proved) => failures.soundness.push(text),
            (Expected::Proved | Expected::Violated, Status::Unknown) => failures.precision.push(text),
            (Expected::TodoProved, Status::Proved) | (Expected::TodoViolated, Status::Violated) => {
                failures.precision.push(format!("{text}: it works now, take the TODO away"));
            }
        }
    }
    for finding in findings.iter().filter(|finding| finding.status == Status::Violated) {
        if !program.expectations.iter().any(|expectation| expectation.line == finding.line && expectation.kind == finding.kind) {
            failures
                .soundness
                .push(format!("{name}:{}: {} is violated, which is not expected: {}", finding.line, finding.kind, finding.message));
        }
    }
}

/// Checks all programs of a folder.
fn folder(kind: CheckKind) {
    let mut failures = Failures::default();
    let sanitizers = sanitizer::are_there();
    for program in programs(kind) {
        let inputs = tempfile::tempdir().unwrap();
        let findings = match tool::check(&program, kind, inputs.path()) {
            Ok(findings) => findings,
            Err(message) => {
                failures.precision.push(format!("{}: {message}", program.name()));
                continue;
            }
        };
        compare(&program, &findings, &mut failures);
        for finding in findings.iter().filter(|finding| finding.status == Status::Violated) {
            failures.soundness.extend(tool::replay(&program, finding).err());
            if sanitizers {
                failures.soundness.extend(sanitizer::replay(&program, finding).err());
            }
        }
        if program.is_safe() {
            failures.soundness.extend(tool::run_with_seeds(&program, kind).err());
        }
    }
    assert!(
        failures.soundness.is_empty() && failures.precision.is_empty(),
        "wrong answers:\n  {}\nmissing answers:\n  {}",
        failures.soundness.join("\n  "),
        failures.precision.join("\n  ")
    );
}

#[test]
fn every_check_has_pairs() {
    for kind in CheckKind::ALL {
        let names: Vec<String> = programs(kind).iter().map(Program::name).collect();
        let safe: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix("-safe.c")).collect();
        let unsafe_twins: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix("-unsafe.c")).collect();
        assert_eq!(safe, unsafe_twins, "{}", kind.name());
        assert!(safe.len() >= 3 && names.len() == 2 * safe.len(), "{}: {names:?}", kind.name());
        for program in programs(kind) {
            let wrong = |expected| matches!(expected, Expected::Violated | Expected::TodoViolated | Expected::May);
            let has_wrong = program.expectations.iter().any(|expectation| wrong(expectation.expected) && expectation.kind == kind.name());
            assert_eq!(has_wrong, !program.is_safe(), "{}", program.name());
        }
    }
}

#[test]
fn assertions() {
    folder(CheckKind::Assertion);
}

#[test]
fn bounds() {
    folder(CheckKind::Bounds);
}

#[test]
fn null() {
    folder(CheckKind::Null);
}

#[test]
fn dangling() {
    folder(CheckKind::Dangling);
}

#[test]
fn free() {
    folder(CheckKind::Free);
}

#[test]
fn leak() {
    folder(CheckKind::Leak);
}

#[test]
fn overflow() {
    folder(CheckKind::SignedOverflow);
}

#[test]
fn unsigned_overflow() {
    folder(CheckKind::UnsignedOverflow);
}

#[test]
fn division() {
    folder(CheckKind::Division);
}

#[test]
fn shift() {
    folder(CheckKind::Shift);
}

#[test]
fn conversion() {
    folder(CheckKind::Conversion);
}

#[test]
fn float() {
    folder(CheckKind::Float);
}

#[test]
fn uninitialised() {
    folder(CheckKind::Uninitialised);
}

#[test]
fn unreachable() {
    folder(CheckKind::Unreachable);
}

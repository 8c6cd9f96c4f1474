//! Programs and whether they end.
//!
//! Comments say what is expected: of the program, in a line `// program: …`, and of a loop, at the end of the line where it begins.
//!
//! | comment | |
//! |---|---|
//! | `TERMINATES` | it terminates, and Loopfrog says so |
//! | `DIVERGES` | it does not terminate, and Loopfrog says so |
//! | `NOT(terminates)`, `NOT(diverges)` | Loopfrog must not say that: it is wrong, or there is no reason to believe it |
//! | `TODO-TERMINATES`, `TODO-DIVERGES` | it is so, but Loopfrog does not see it yet; the test tells when it does |
//!
//! The first two ask for precision, all of them for soundness. A line `// flags: …` has options for `loopfrog terminate`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    /// This verdict.
    Is(&'static str),
    /// Any but this.
    Not(&'static str),
    /// This verdict, some day.
    Todo(&'static str),
}

/// What is wrong with the answers about programs.
#[derive(Default)]
struct Failures {
    soundness: Vec<String>,
    precision: Vec<String>,
}

/// A program with what is expected of it.
struct Program {
    path: PathBuf,
    flags: Vec<String>,
    program: Vec<Expected>,
    /// By line.
    loops: Vec<(u64, Expected)>,
}

impl Program {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let mut program = Program { path, flags: Vec::new(), program: Vec::new(), loops: Vec::new() };
        for (line, text) in (1..).zip(text.lines()) {
            if let Some(flags) = text.strip_prefix("// flags: ") {
                program.flags = flags.split_whitespace().map(str::to_string).collect();
            } else if let Some(words) = text.strip_prefix("// program: ") {
                program.program =
                    words.split_whitespace().map(|word| expected(word).unwrap_or_else(|| panic!("what is `{word}`?"))).collect();
            } else if let Some((_, comment)) = text.split_once(" // ") {
                program.loops.extend(comment.split_whitespace().filter_map(expected).map(|expected| (line, expected)));
            }
        }
        assert!(!program.program.is_empty(), "{}: nothing is expected", program.path.display());
        program
    }

    /// What Loopfrog says. Where nothing has to be found, it does not have to look for long.
    fn answer(&self) -> Value {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopfrog"));
        command.args(["terminate", "--json"]).args(&self.flags).arg(&self.path);
        let seeks = |expected: &Expected| matches!(expected, Expected::Is(_));
        if !self.program.iter().chain(self.loops.iter().map(|(_, expected)| expected)).any(seeks) {
            command.args(["--timeout", "2"]);
        }
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let said = format!("{}: {}{text}{}", self.path.display(), output.status, String::from_utf8_lossy(&output.stderr));
        let answer: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{said}"));
        let code = [("terminates", 0), ("diverges", 10), ("unknown", 5)].into_iter().find(|(verdict, _)| answer["verdict"] == **verdict);
        assert!(code.is_some() && code.map(|(_, code)| code) == output.status.code(), "{said}");
        answer
    }
}

fn expected(word: &str) -> Option<Expected> {
    Some(match word {
        "TERMINATES" => Expected::Is("terminates"),
        "DIVERGES" => Expected::Is("diverges"),
        "NOT(terminates)" => Expected::Not("terminates"),
        "NOT(diverges)" => Expected::Not("diverges"),
        "TODO-TERMINATES" => Expected::Todo("terminates"),
        "TODO-DIVERGES" => Expected::Todo("diverges"),
        _ => return None,
    })
}

impl Failures {
    fn compare(&mut self, what: &str, expected: Expected, found: &str) {
        let text = format!("{what}: {found}, expected {expected:?}");
        match expected {
            Expected::Is(verdict) | Expected::Todo(verdict) if found != verdict && found != "unknown" => self.soundness.push(text),
            Expected::Not(verdict) if found == verdict => self.soundness.push(text),
            Expected::Is(verdict) if found != verdict => self.precision.push(text),
            Expected::Todo(verdict) if found == verdict => self.precision.push(format!("{text}: it works now, take the TODO away")),
            _ => {}
        }
    }
}

/// Examines all programs of a folder.
fn folder(name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminate").join(name);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let mut failures = Failures::default();
    for program in files.into_iter().map(Program::read) {
        let (answer, name) = (program.answer(), program.path.file_name().unwrap().to_string_lossy().into_owned());
        for &expected in &program.program {
            failures.compare(&name, expected, answer["verdict"].as_str().unwrap_or_default());
        }
        for &(line, expected) in &program.loops {
            let found = answer["loops"].as_array().into_iter().flatten().find(|one| one["line"].as_u64() == Some(line));
            let verdict = found.and_then(|one| one["verdict"].as_str()).unwrap_or("unknown");
            failures.compare(&format!("{name}:{line}"), expected, verdict);
        }
    }
    let Failures { soundness, precision } = failures;
    assert!(
        soundness.is_empty() && precision.is_empty(),
        "wrong answers:\n  {}\nmissing answers:\n  {}",
        soundness.join("\n  "),
        precision.join("\n  ")
    );
}

/// Examples of the papers.
#[test]
fn papers() {
    folder("papers");
}

/// What other tools were caught with.
#[test]
fn traps() {
    folder("traps");
}

/// What counts as the end of a program.
#[test]
fn ending() {
    folder("ending");
}

/// What may decrease.
#[test]
fn measures() {
    folder("measures");
}

/// Functions that call themselves.
#[test]
fn recursion() {
    folder("recursion");
}

/// Runs that never end, and some that only seem to.
#[test]
fn endless() {
    folder("endless");
}

/// Programs with one run, and some that only seem to have one.
#[test]
fn only_run() {
    folder("run");
}

/// Loops along lists.
#[test]
fn lists() {
    folder("lists");
}

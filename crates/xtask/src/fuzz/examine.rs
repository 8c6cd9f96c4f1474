//! One program: the tool's answer, many runs, and what does not fit together.

use std::fs;
use std::path::Path;

use interp::input;
use loopfrog::{checks, exit};
use model::CheckKind;

use super::oracle::{self, Claim, Finding, Status, Wrong};
use super::random::Random;
use super::runs::{self, Rules};
use super::termination;
use super::tree::Program;
use crate::corpus::execution::{End, Tool};

/// How programs are examined.
pub struct Laboratory {
    pub tool: Tool,
    /// How many runs a program gets.
    pub runs: usize,
    /// What the tool checks.
    pub properties: Option<String>,
    /// Whether it is asked whether programs end, instead.
    pub termination: bool,
}

/// What an examination found.
#[derive(Default)]
pub struct Report {
    pub findings: Vec<Finding>,
    pub runs: usize,
    pub proved: usize,
    /// How many of them are on lines that some run executed.
    pub exercised: usize,
    pub violated: usize,
    pub open: usize,
    /// Whether the tool did not keep its limit of time.
    pub late: bool,
    /// What is no proof that something is wrong.
    pub suspicious: Option<String>,
}

impl Report {
    pub fn of(finding: Finding) -> Self {
        Report { findings: vec![finding], ..Report::default() }
    }
}

/// What the tool is asked for, by chance: everything, or what users want.
const PROPERTIES: [&str; 3] = ["default,leak", "default,leak", "all"];

impl Laboratory {
    /// Examines a program. The seed decides about inputs.
    pub fn examine(&self, program: &Program, seed: u64) -> Result<Report, String> {
        if self.termination {
            return termination::examine(&self.tool, self.runs, program, seed);
        }
        let text = program.text();
        let translated = match exit::catch_panics(|| runs::translate(&text, program.ilp32)) {
            Ok(Ok(translated)) => translated,
            Ok(Err(reason)) => return Ok(Report::of(Finding::general(Wrong::Refusal, reason))),
            Err(panic) => return Ok(Report::of(Finding::general(Wrong::Crash, format!("front end: {panic}")))),
        };
        let mut random = Random::new(seed, 2);
        let chosen = random.word(&PROPERTIES);
        let properties = self.properties.as_deref().unwrap_or(chosen);
        let kinds = checks::parse(properties)?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let file = folder.path().join("program.i");
        fs::write(&file, &text).map_err(|error| error.to_string())?;
        let end = self.ask(program, properties, &file)?;
        let claims = match listed(&end, &file) {
            Ok(Some(claims)) => claims,
            Ok(None) => return Ok(Report { late: true, ..Report::default() }),
            Err(finding) => return Ok(Report::of(finding)),
        };
        let explored = exit::catch_panics(|| runs::explore(&translated, &kinds, &program.constants(), &mut random, self.runs));
        let experience = match explored {
            Ok(experience) => experience,
            Err(panic) => return Ok(Report::of(Finding::general(Wrong::Crash, format!("interpreter: {panic}")))),
        };
        let mut findings: Vec<Finding> = experience
            .faults
            .iter()
            .filter(|fault| kinds.contains(&fault.kind))
            .filter_map(|fault| oracle::judge(fault, &claims))
            .collect();
        findings.extend(claims.iter().filter_map(|claim| replay(&translated, claim)));
        let expected = oracle::expected_code(&claims);
        if end.code != Some(expected) {
            findings.push(Finding::general(Wrong::ExitCode, format!("{:?} instead of {expected}", end.code)));
        }
        let count = |status: Status| claims.iter().filter(|claim| claim.status == status).count();
        let exercised = claims.iter().filter(|claim| claim.status == Status::Proved && experience.lines.contains(&claim.line)).count();
        Ok(Report {
            findings,
            runs: experience.runs,
            proved: count(Status::Proved),
            exercised,
            violated: count(Status::Violated),
            open: count(Status::Open),
            late: false,
            suspicious: None,
        })
    }

    fn ask(&self, program: &Program, properties: &str, file: &Path) -> Result<End, String> {
        let mut words = vec![self.tool.path.display().to_string(), "check".into(), "--json".into()];
        words.extend(["--property".into(), properties.into(), "--timeout".into(), self.tool.timeout.to_string()]);
        words.extend(["--inputs".into(), file.with_extension("inputs").display().to_string()]);
        words.extend(program.ilp32.then(|| "--32".into()));
        words.extend(self.tool.options.iter().cloned());
        words.push(file.display().to_string());
        self.tool.run(&words)
    }
}

/// The claims of an answer; none if there was no time for one.
fn listed(end: &End, file: &Path) -> Result<Option<Vec<Claim>>, Finding> {
    if end.late {
        return Ok(None);
    }
    let said = || end.errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing").to_string();
    if end.errors.contains("internal error") || end.code.is_none() {
        let line = end.errors.lines().find(|line| line.contains("internal error"));
        return Err(Finding::general(Wrong::Crash, line.map_or_else(said, str::to_string)));
    }
    match end.code {
        Some(0 | 5 | 10) => oracle::claims(&end.output, file).map(Some).map_err(|error| Finding::general(Wrong::Crash, error)),
        Some(1 | 2 | 6 | 8) => Err(Finding::general(Wrong::Refusal, said())),
        _ => Err(Finding::general(Wrong::Crash, format!("exit code {:?}: {}", end.code, said()))),
    }
}

/// A violation whose inputs do not show it.
fn replay(program: &model::Program, claim: &Claim) -> Option<Finding> {
    if claim.status != Status::Violated {
        return None;
    }
    // Other faults are of no interest, and there may be very many.
    let kinds: Vec<CheckKind> = CheckKind::ALL.into_iter().filter(|kind| kind.name() == claim.kind).collect();
    let finding = |message: String| Finding { wrong: Wrong::Violation, kind: claim.kind.clone(), line: claim.line, message };
    let Some(path) = &claim.inputs else { return Some(finding("there are no inputs".into())) };
    let inputs = fs::read_to_string(path).map_err(|error| error.to_string()).and_then(|text| input::read_file(&text));
    match inputs {
        Ok(inputs) => {
            let (faults, end) = runs::run(program, &kinds, Rules::REPLAY, inputs, None);
            (!faults.iter().any(|fault| oracle::is_about(claim, fault))).then(|| finding(format!("the run ends with {end:?}")))
        }
        Err(error) => Some(finding(error)),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::tree::{Node, Style};
    use super::*;

    fn program(lines: &[&str]) -> Program {
        let inside = lines.iter().map(|line| Node::Line(line.to_string())).collect();
        let main = Node::Block { open: "int main(void) {".into(), inside, close: "}".into() };
        Program { nodes: vec![main], style: Style::Verifier, ilp32: false }
    }

    /// A tool that says the same whatever it is asked.
    fn findings(program: &Program, answer: &str, code: i32) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool");
        fs::write(&path, format!("#!/bin/sh\ncat <<'END'\n{answer}\nEND\nexit {code}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let laboratory =
            Laboratory { tool: Tool::new(path, 60, Vec::new()), runs: 50, properties: Some("default,leak".into()), termination: false };
        laboratory.examine(program, 1).unwrap().findings.iter().map(Finding::text).collect()
    }

    fn answer(program: &Program, part: &str, kind: &str, status: &str) -> String {
        let text = program.text();
        let (line, content) = text.lines().enumerate().find(|(_, line)| line.contains(part)).unwrap();
        let column = content.find(part).unwrap() + 1;
        serde_json::json!({"properties": [{"file": "program.i", "kind": kind, "status": status, "line": line + 1, "column": column}]})
            .to_string()
    }

    #[test]
    fn a_planted_wrong_proof_is_found() {
        let program = program(&["int a[3];", "int n = __VERIFIER_nondet_int();", "if (n < 0 || n > 3) return 0;", "a[n] = 1;"]);
        let found = findings(&program, &answer(&program, "a[n]", "bounds", "proved"), 0);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("proved, but a run refutes it: bounds in line"), "{found:?}");
        assert!(findings(&program, &answer(&program, "a[n]", "bounds", "unknown"), 5).is_empty());
        assert!(findings(&program, &answer(&program, "a[n]", "bounds", "possible"), 5).is_empty());
    }

    #[test]
    fn contradictions_are_found() {
        let program = program(&["int x = 1;", "__VERIFIER_assert(x);"]);
        let found = findings(&program, &answer(&program, "__VERIFIER_assert(x)", "assert", "violated"), 0);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("said to be violated"), "{found:?}");
        assert!(found[1].starts_with("exit code"), "{found:?}");
        assert!(findings(&program, "no JSON", 0)[0].starts_with("crash"));
        assert!(findings(&program, "", 101)[0].starts_with("crash"));
        assert!(findings(&program, "", 6)[0].starts_with("refused"));
    }
}

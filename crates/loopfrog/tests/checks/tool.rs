//! The built `loopfrog`: its findings, and its runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use model::CheckKind;
use serde_json::Value;

use crate::program::Program;

/// What is said of a property; the worse, the larger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Status {
    Proved,
    Unknown,
    Violated,
}

/// A property in the output of `loopfrog check --json`.
#[derive(Debug)]
pub struct Finding {
    pub line: u32,
    pub kind: String,
    pub status: Status,
    /// What the violation is, or why nothing is known.
    pub message: String,
    /// The file with the inputs of a violation.
    pub inputs: PathBuf,
}

/// `loopfrog` in the folder of a program.
fn loopfrog(program: &Program, words: &[&str]) -> Output {
    let folder = program.path.parent().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopfrog"));
    command.current_dir(folder).args(words).arg(program.name()).stdin(Stdio::null());
    command.output().unwrap()
}

/// Checks a program; the inputs of violations go to a folder.
pub fn check(program: &Program, kind: CheckKind, inputs: &Path) -> Result<Vec<Finding>, String> {
    let property = format!("default,{}", kind.name());
    let folder = inputs.to_string_lossy();
    let mut words = vec!["check", "--json", "--inputs", &folder];
    words.extend(program.flags.iter().map(String::as_str));
    if !words.contains(&"--property") {
        words.extend(["--property", &property]);
    }
    let output = loopfrog(program, &words);
    let text = String::from_utf8_lossy(&output.stdout);
    let broken = || format!("{}: {text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_str(&text).map_err(|_| broken())?;
    let properties = json["properties"].as_array().ok_or_else(broken)?;
    let findings: Vec<Finding> = properties.iter().map(finding).collect::<Option<_>>().ok_or_else(broken)?;
    let worst = findings.iter().map(|finding| finding.status).max().unwrap_or(Status::Proved);
    let code = [(Status::Proved, 0), (Status::Unknown, 5), (Status::Violated, 10)].into_iter().find(|(status, _)| *status == worst);
    if output.status.code() == code.map(|(_, code)| code) { Ok(findings) } else { Err(broken()) }
}

fn finding(property: &Value) -> Option<Finding> {
    let status = match property["status"].as_str()? {
        "proved" => Status::Proved,
        "possible" | "conditional" | "unknown" => Status::Unknown,
        "violated" => Status::Violated,
        _ => return None,
    };
    Some(Finding {
        line: property["line"].as_u64()? as u32,
        kind: property["kind"].as_str()?.to_string(),
        status,
        message: property["message"].as_str().or(property["reason"].as_str()).unwrap_or_default().to_string(),
        inputs: property["rerun"].as_str().unwrap_or_default().into(),
    })
}

/// The options that matter for a run, too.
fn run_words<'a>(program: &Program, checks: &'a str) -> Vec<&'a str> {
    let mut words = vec!["run", "--check", checks];
    words.extend(program.is_32_bit().then_some("--32"));
    words
}

/// Runs the program with the inputs of a violation: it must end there.
pub fn replay(program: &Program, finding: &Finding) -> Result<(), String> {
    let inputs = finding.inputs.to_string_lossy();
    let mut words = run_words(program, &finding.kind);
    words.extend(["--inputs", &inputs]);
    let output = loopfrog(program, &words);
    let message = String::from_utf8_lossy(&output.stderr);
    let place = format!("{}:{}:", program.name(), finding.line);
    if output.status.code() == Some(10) && message.contains(&format!("error[{}]", finding.kind)) && message.contains(&place) {
        return Ok(());
    }
    Err(format!("{place} the violation of {} does not show in a run: {} {message}", finding.kind, output.status))
}

/// Runs a program that is right with some inputs.
pub fn run_with_seeds(program: &Program, kind: CheckKind) -> Result<(), String> {
    let checks = format!("default,{}", kind.name());
    for seed in ["1", "2", "3"] {
        let mut words = run_words(program, &checks);
        words.extend(["--seed", seed, "--draw-arguments", "--draw-stdin", "--steps", "1000000"]);
        let output = loopfrog(program, &words);
        if output.status.code() == Some(10) {
            return Err(format!("{} goes wrong with seed {seed}: {}", program.name(), String::from_utf8_lossy(&output.stderr)));
        }
    }
    Ok(())
}

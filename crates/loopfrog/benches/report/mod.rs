//! What the tool reports of a program, and what that costs.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::measure::processor_time;

/// Runs the tool on a program with a limit; its report, and the processor time in seconds. Nothing if it takes longer.
pub fn report(file: &Path, program: &str, words: &[&str], limit: Duration) -> Option<(Value, f64)> {
    fs::write(file, program).expect("a generated file");
    let (start, wall) = (processor_time(), Instant::now());
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopfrog"));
    command.args(words).args(["--json", "--timeout", &limit.as_secs().to_string()]).arg(file);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().expect("a program that can be run");
    let (seconds, is_late) = (processor_time() - start, wall.elapsed() >= limit);
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    (!is_late).then_some((report, seconds))
}

//! The corpus runner with a script in place of the tool.

use std::path::PathBuf;
use std::process::{Command, Output};

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Runs `cargo xtask corpus` in the folder of the fixtures.
fn corpus(arguments: &str, mood: &str) -> Output {
    xtask("corpus", arguments, mood)
}

fn xtask(name: &str, arguments: &str, mood: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg(name).arg("--tool").arg(fixtures().join("tool")).args(arguments.split_whitespace());
    command.current_dir(fixtures()).env("MOOD", mood).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The line of the table with the sums, without times and reasons.
fn total(output: &Output) -> Vec<String> {
    let text = text(&output.stdout);
    let line = text.lines().find(|line| line.starts_with("total")).unwrap_or_default();
    line.split_whitespace().skip(1).take(7).map(str::to_string).collect()
}

#[test]
fn right_answers_are_counted_apart() {
    let output = corpus("corpus tasks", "good");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(total(&output), ["5", "3/3", "2/2", "0", "0", "0", "0"]);
    let text = text(&output.stdout);
    assert!(text.contains("SKIPPED the property `no-data-race` is not known"), "{text}");
}

#[test]
fn wrong_answers_are_listed_with_their_command_and_fail() {
    let output = corpus("corpus --unwind 3 --timeout 7", "rash");
    assert!(!output.status.success());
    assert_eq!(total(&output), ["4", "2/2", "0/2", "2", "0", "0", "0"]);
    let text = text(&output.stdout);
    assert!(text.contains("WRONG corpus/broken.c: no-overflow: proved"), "{text}");
    assert!(text.contains("tool check --property overflow --json --timeout 7 --unwind 3 --32 corpus/broken.c\n"), "{text}");
    assert!(text.contains("WRONG corpus/marked.c: memsafety: the marked access is proved"), "{text}");
}

#[test]
fn crashes_fail_and_what_is_unknown_does_not() {
    let output = corpus("corpus --property unreach-call", "broken");
    assert!(!output.status.success());
    assert!(text(&output.stdout).contains("CRASHED corpus/safe.c: unreach-call: internal error: nobody knows"));
    let output = corpus("corpus --list-unknown", "lazy");
    assert!(output.status.success());
    assert_eq!(total(&output), ["4", "0/2", "1/2", "0", "3", "0", "0"]);
    assert!(text(&output.stdout).contains("UNKNOWN corpus/safe.c: unreach-call: a loop"));
}

#[test]
fn nothing_to_do_is_no_success() {
    let output = corpus("corpus --family nonsense", "good");
    assert!(!output.status.success());
    assert_eq!(text(&output.stderr), "there are no such tasks\n");
}

#[test]
fn samples_and_json() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let output = corpus(&format!("corpus --sample 2 --seed 5 --jobs 2 --json {}", file.path().display()), "good");
    assert!(output.status.success());
    let json: serde_json::Value = serde_json::from_reader(file.reopen().unwrap()).unwrap();
    assert_eq!(json["statistics"]["total"]["tasks"], 2);
    assert_eq!(json["tasks"].as_array().map(Vec::len), Some(2));
}

#[test]
fn marked_accesses_give_rates() {
    let output = xtask("marked", "corpus --sizes 2,10 --define X", "good");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(total(&output).first().map(String::as_str), Some("1/1"));
    assert!(text(&output.stdout).contains("BASE_SZ=10\n"));
    let output = xtask("marked", "corpus -- --unwind 3", "rash");
    assert_eq!(text(&output.stderr), "1 faulty programs are called safe, 0 crashes\n");
    assert!(text(&output.stdout).contains("tool check --property memory,assert --json --timeout 30 --unwind 3 corpus/marked.c\n"));
    let output = xtask("marked", "tasks", "good");
    assert_eq!(text(&output.stderr), "there are no such programs\n");
}

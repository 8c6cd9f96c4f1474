//! The examples that the documents show, run again.
//!
//! A block marked `console` is an example: lines that begin with `$ ` are commands for the shell, `> ` continues them, and the lines below are
//! what they print on standard output and standard error. `…` stands for anything. The blocks of a document run one after the other in one directory, which
//! has a copy of `examples`. Blocks marked otherwise are not run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of a document, and what it should print.
struct Step {
    line: usize,
    command: String,
    expected: String,
}

#[test]
fn readme() {
    check("README.md");
}

#[test]
fn manual() {
    check("docs/manual.md");
}

#[test]
fn model() {
    check("docs/model.md");
}

#[test]
fn build_capture() {
    check("docs/build-capture.md");
}

#[test]
fn the_test_command_of_the_readme_is_the_one_that_counts() {
    for file in ["README.md", ".ci/run"] {
        assert!(read(file).contains("cargo test --workspace"), "{file}");
    }
}

#[test]
fn anything_stands_for_anything() {
    assert!(matches("a…c\n…\nz\n", "abc\n1\n2\nz\n"));
    assert!(matches("…", "") && matches("ab", "ab"));
    assert!(!matches("ab", "abc") && !matches("…b", "abc") && !matches("a…a", "a") && !matches("b…", "ab"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

/// Runs the examples of a document.
fn check(document: &str) {
    let steps = steps(&read(document));
    assert!(!steps.is_empty(), "{document} shows no example");
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("examples")).unwrap();
    for entry in fs::read_dir(root().join("examples")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, directory.path().join("examples").join(path.file_name().unwrap())).unwrap();
    }
    for Step { line, command, expected } in steps {
        let printed = run(directory.path(), &command);
        assert!(matches(&expected, &printed), "{document}:{line}: $ {command}\nshown:\n{expected}\nprinted:\n{printed}");
    }
}

/// What a command prints here, with the built programs in the path.
fn run(directory: &Path, command: &str) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_loopfrog")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([programs.to_path_buf()].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(directory).env("PATH", path);
    for variable in ["LOOPFROG_REAL_CC", "LOOPFROG_CC_VERBOSE", "LOOPFROG_CC_STRICT", "MAKEFLAGS", "CARGO_MAKEFLAGS"] {
        shell.env_remove(variable);
    }
    String::from_utf8_lossy(&shell.output().unwrap().stdout).into_owned()
}

/// The commands in the examples of a document.
fn steps(document: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut in_example = false;
    for (number, line) in document.lines().enumerate() {
        if line.starts_with("```") {
            in_example = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| in_example) {
            steps.push(Step { line: number + 1, command: command.to_string(), expected: String::new() });
        } else if let Some(step) = steps.last_mut().filter(|_| in_example) {
            let (text, line) = match line.strip_prefix("> ") {
                Some(more) if step.expected.is_empty() => (&mut step.command, format!("\n{more}")),
                _ => (&mut step.expected, format!("{line}\n")),
            };
            text.push_str(&line);
        }
    }
    steps
}

/// Whether a text is what the pattern shows, in which `…` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('…');
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

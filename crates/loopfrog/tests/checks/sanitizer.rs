//! Violations once more, in programs that gcc compiled with its sanitizers.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use interp::Values;

use crate::program::Program;
use crate::tool::Finding;

const OPTIONS: &str =
    "-std=gnu11 -g -w -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fsanitize-address-use-after-scope";

/// The kinds that sanitizers, and `assert`, notice in small programs.
const KINDS: &[&str] = &["bounds", "null", "dangling", "free", "overflow", "division", "shift", "conversion", "unreachable", "assert"];

/// gcc does not look whether a function returns that should not, and nothing is poisoned between the arguments of the program.
const UNSEEN: &[&str] = &["noreturn-unsafe.c", "string-from-inside-unsafe.c"];

/// Inputs in the order of the environment variable `VALUES`.
const INPUTS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static unsigned long long next(void)
{
    static char *rest;
    if (!rest)
        rest = getenv("VALUES");
    return strtoull(rest, &rest, 10);
}
#define INPUT(name, type) \
    type __VERIFIER_nondet_##name(void) \
    { \
        unsigned long long value = next(); \
        type result; \
        memcpy(&result, &value, sizeof result); \
        return result; \
    }
INPUT(_Bool, _Bool) INPUT(bool, _Bool) INPUT(char, char) INPUT(schar, signed char) INPUT(uchar, unsigned char) INPUT(short, short)
INPUT(ushort, unsigned short) INPUT(int, int) INPUT(uint, unsigned) INPUT(long, long) INPUT(ulong, unsigned long) INPUT(float, float)
INPUT(double, double)
void reach_error(void) { abort(); }
"#;

/// Whether gcc has sanitizers; says so if not, because that part of the tests is then skipped.
pub fn are_there() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let (source, program) = (folder.path().join("empty.c"), folder.path().join("empty"));
        fs::write(&source, "int main(void) { return 0; }").unwrap();
        let compiled = Command::new("gcc").args(OPTIONS.split(' ')).arg(&source).arg("-o").arg(&program).output();
        let there = compiled.is_ok_and(|output| output.status.success())
            && Command::new(&program).env("ASAN_OPTIONS", "detect_leaks=0").status().is_ok_and(|status| status.success());
        if !there {
            eprintln!("skipped: gcc with sanitizers");
        }
        there
    })
}

/// Runs the compiled program with the inputs of a violation: a sanitizer must name its line.
pub fn replay(program: &Program, finding: &Finding) -> Result<(), String> {
    if !KINDS.contains(&finding.kind.as_str()) || program.is_32_bit() || UNSEEN.contains(&program.name().as_str()) {
        return Ok(());
    }
    let text = fs::read_to_string(&finding.inputs).map_err(|error| format!("{}: {error}", finding.inputs.display()))?;
    // What memory holds that nobody wrote to cannot be chosen here.
    if text.contains("uninitialised") {
        return Ok(());
    }
    let inputs = interp::input::read_file(&text)?;
    let values: Vec<String> = match inputs.values {
        Values::List(values) => values.map(|value| value.to_string()).collect(),
        _ => Vec::new(),
    };
    let folder = tempfile::tempdir().unwrap();
    let (support, executable) = (folder.path().join("inputs.c"), folder.path().join("program"));
    fs::write(&support, INPUTS).unwrap();
    let compiled =
        Command::new("gcc").args(OPTIONS.split(' ')).args([&program.path, &support]).arg("-o").arg(&executable).output().unwrap();
    if !compiled.status.success() {
        return Err(format!("{}: {}", program.name(), String::from_utf8_lossy(&compiled.stderr)));
    }
    let mut command = Command::new(&executable);
    command.current_dir(folder.path()).args(inputs.arguments.iter().skip(1).map(|argument| OsStr::from_bytes(argument)));
    if let Some(name) = inputs.arguments.first() {
        command.arg0(OsStr::from_bytes(name));
    }
    command.env("VALUES", values.join(" ")).env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that goes wrong early does not read all of it.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(&inputs.stdin));
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    let named = message.contains(&format!("{}:{}", program.name(), finding.line));
    let aborted = finding.kind == "assert" && output.status.code().is_none();
    // The sanitizer does not see who called null.
    let called_null = finding.kind == "null" && message.contains("pc points to the zero page");
    if !output.status.success() && (named || aborted || called_null) {
        return Ok(());
    }
    Err(format!(
        "{}:{}: sanitizers do not see the violation of {}: {} {message}",
        program.name(),
        finding.line,
        finding.kind,
        output.status
    ))
}

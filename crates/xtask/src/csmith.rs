//! Random programs: what gcc's program prints, ours must print.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use frontend::preprocess::Preprocessor;
use interp::{End, Inputs, Limits, Machine, Policy, Reaction, Setup};
use loopfrog::command_line::Source;
use loopfrog::translation::translate;
use loopfrog::workers;

/// What became of a seed.
enum Outcome {
    Equal,
    /// gcc's program takes too long, or csmith gave none.
    Skipped,
    Different(String),
}

/// `cargo xtask csmith [--count N] [--first SEED] [--32]`
pub fn run(arguments: &[String]) -> Result<(), String> {
    let value =
        |name: &str| arguments.iter().position(|argument| argument == name).and_then(|at| arguments.get(at + 1)?.parse::<u64>().ok());
    let count = value("--count").unwrap_or(1000);
    let first = value("--first").unwrap_or(1);
    let work = std::env::temp_dir().join(format!("loopfrog-csmith-{}", std::process::id()));
    fs::create_dir_all(&work).map_err(|error| error.to_string())?;
    let headers = headers().ok_or("csmith is not installed (Debian: csmith, libcsmith-dev); skipped")?;
    let seeds: Vec<u64> = (first..first + count).collect();
    let outcomes = workers::map(&seeds, |seed| examine(*seed, &work, &headers));
    let mut equal = 0;
    let mut skipped = 0;
    let mut different = Vec::new();
    for (seed, outcome) in seeds.iter().zip(outcomes) {
        match outcome {
            Outcome::Equal => equal += 1,
            Outcome::Skipped => skipped += 1,
            Outcome::Different(why) => different.push(format!("seed {seed}: {why}")),
        }
    }
    different.iter().for_each(|line| println!("DIFFERENT {line}"));
    println!("{count} programs: {equal} equal, {skipped} skipped, {} different", different.len());
    if different.is_empty() {
        let _ = fs::remove_dir_all(&work);
        Ok(())
    } else {
        Err(format!("the programs are in {}", work.display()))
    }
}

/// The folder with csmith's header.
fn headers() -> Option<String> {
    // It writes a file where it runs, whatever it is asked.
    Command::new("csmith").current_dir(std::env::temp_dir()).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    let output = Command::new("find").args(["/usr/include", "/usr/local/include", "-name", "csmith.h"]).output().ok()?;
    let path = String::from_utf8_lossy(&output.stdout).lines().next()?.to_string();
    Some(Path::new(&path).parent()?.display().to_string())
}

fn examine(seed: u64, work: &Path, headers: &str) -> Outcome {
    let source = work.join(format!("{seed}.c"));
    let binary = work.join(format!("{seed}.out"));
    let made =
        Command::new("csmith").current_dir(work).args(["--seed", &seed.to_string(), "-o"]).arg(&source).stdout(Stdio::null()).status();
    if !made.is_ok_and(|status| status.success()) {
        return Outcome::Skipped;
    }
    let include = format!("-I{headers}");
    let compiled = Command::new("gcc").args(["-w", "-O0", &include, "-o"]).arg(&binary).arg(&source).status();
    if !compiled.is_ok_and(|status| status.success()) {
        return Outcome::Skipped;
    }
    let Ok(output) = Command::new("timeout").arg("5").arg(&binary).output() else { return Outcome::Skipped };
    let _ = fs::remove_file(&binary);
    if output.status.code() != Some(0) {
        return Outcome::Skipped;
    }
    let outcome = match interpret(&source, &[include.into()]) {
        Ok(text) if text == output.stdout => Outcome::Equal,
        Ok(text) => Outcome::Different(format!(
            "printed {:?} instead of {:?}",
            String::from_utf8_lossy(&text),
            String::from_utf8_lossy(&output.stdout)
        )),
        Err(why) => Outcome::Different(why),
    };
    if matches!(outcome, Outcome::Equal) {
        let _ = fs::remove_file(&source);
    }
    outcome
}

/// What the interpreter prints for a program. csmith keeps its programs free of undefined behaviour but for unused uninitialised copies.
fn interpret(source: &Path, flags: &[OsString]) -> Result<Vec<u8>, String> {
    let source = Source { path: source.to_path_buf(), language: None };
    let translated = translate(&Preprocessor::new(flags.to_vec()), &source, None).map_err(|error| error.to_string())?;
    let program = translated.translation.program.as_ref().ok_or_else(|| translated.reason())?;
    let mut printed = Vec::new();
    let end = {
        let output = Box::new(|bytes: &[u8], to_error: bool| {
            if !to_error {
                printed.extend_from_slice(bytes);
            }
        });
        let limits = Limits { steps: 2_000_000_000, ..Limits::default() };
        let mut policy = Policy::default();
        policy.set(model::CheckKind::Shift, Reaction::Stop);
        let setup = Setup { policy, limits, inputs: Inputs::default(), output };
        match Machine::new(program, setup) {
            Ok(mut machine) => machine.run_main(),
            Err(end) => end,
        }
    };
    match end {
        End::Exit(0) => Ok(printed),
        End::Fault(fault) => Err(format!("{} at line {}: {}", fault.kind.name(), fault.span.line, fault.message)),
        other => Err(format!("{other:?}")),
    }
}

//! Undefined behaviour planted into random programs: gcc's sanitizers and the interpreter find it on the same line, and both let the
//! repaired twins run.

mod harness;
mod planted;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

use interp::{End, Inputs, Machine, Policy, Reaction, Setup};
use model::{CheckKind, Program};
use planted::Case;

const SEEDS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9];
const FLAGS: [&str; 4] = ["-g", "-w", "-fsanitize=address,undefined,float-cast-overflow,bounds", "-fno-sanitize-recover=all"];

#[test]
fn sanitizers_and_the_interpreter_agree() {
    let folder = std::env::temp_dir().join(format!("loopfrog-sanitizers-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    if have_sanitizers(&folder) {
        thread::scope(|scope| {
            for seed in SEEDS {
                let folder = &folder;
                scope.spawn(move || compare(seed, folder));
            }
        });
    } else {
        eprintln!("skipped: there is no gcc with the address and undefined behaviour sanitizers");
    }
    fs::remove_dir_all(&folder).unwrap();
}

fn have_sanitizers(folder: &Path) -> bool {
    let source = folder.join("probe.c");
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    compile(&source).is_some_and(|binary| run_natively(&binary, 0).status.success())
}

/// Runs every case of a program both ways.
fn compare(seed: u64, folder: &Path) {
    let planted = planted::program(seed);
    let file = folder.join(format!("{seed:x}.c"));
    fs::write(&file, &planted.source).unwrap();
    let binary = compile(&file).unwrap_or_else(|| panic!("gcc does not take\n{}", planted.source));
    let program = harness::translate(&planted.source);
    for case in &planted.cases {
        let text = || excerpt(&planted.source, case);
        let native = run_natively(&binary, case.number);
        let report = String::from_utf8_lossy(&native.stderr).into_owned();
        assert_eq!(reported_line(&report, &file), Some(case.line), "gcc, {}: {report}\n{}", case.name, text());
        let (end, _) = interpret(&program, case.number);
        let End::Fault(fault) = end else { panic!("{}: {end:?}\n{}", case.name, text()) };
        assert_eq!((fault.kind, fault.span.line), (case.kind, case.line), "{}: {}\n{}", case.name, fault.message, text());

        let native = run_natively(&binary, case.number + 1);
        let (end, printed) = interpret(&program, case.number + 1);
        assert_eq!(native.status.code(), Some(0), "twin of {}: {}\n{}", case.name, String::from_utf8_lossy(&native.stderr), text());
        assert_eq!(end, End::Exit(0), "twin of {}\n{}", case.name, text());
        assert_eq!(printed, native.stdout, "twin of {}\n{}", case.name, text());
    }
}

/// The lines of a case and its twin.
fn excerpt(source: &str, case: &Case) -> String {
    let next = format!("unsigned case{}(void)", case.number + 2);
    let lines = source.lines().enumerate().map(|(index, line)| (index + 1, line));
    let lines = lines.skip_while(|(number, _)| number + 15 < case.line as usize).take_while(|(_, line)| !line.starts_with(&next));
    lines.take(60).map(|(number, line)| format!("{number:4}  {line}\n")).collect()
}

fn compile(source: &Path) -> Option<PathBuf> {
    let binary = source.with_extension("out");
    let compiled = Command::new("gcc").args(FLAGS).arg("-o").arg(&binary).arg(source).output().ok()?;
    compiled.status.success().then_some(binary)
}

fn run_natively(binary: &Path, number: usize) -> Output {
    let mut command = Command::new(binary);
    // The search for leaks needs rights that not every place gives.
    command.arg(number.to_string()).env("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1").env_remove("UBSAN_OPTIONS");
    command.output().unwrap()
}

/// The first line of the program that a report names: that of the error itself, or of the innermost call in the program that led to it.
fn reported_line(report: &str, file: &Path) -> Option<u32> {
    let (_, rest) = report.split_once(&format!("{}:", file.display()))?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn interpret(program: &Program, number: usize) -> (End, Vec<u8>) {
    let mut printed = Vec::new();
    let arguments = vec![b"program".to_vec(), number.to_string().into_bytes()];
    let inputs = Inputs { arguments, ..Inputs::default() };
    // As the sanitizers do, but GCC itself does not.
    let mut policy = Policy::default();
    policy.set(CheckKind::SignedOverflow, Reaction::Stop);
    let setup = Setup { policy, inputs, output: Box::new(|bytes, _| printed.extend_from_slice(bytes)), ..Setup::default() };
    let end = Machine::new(program, setup).expect("the globals fit").run_main();
    (end, printed)
}

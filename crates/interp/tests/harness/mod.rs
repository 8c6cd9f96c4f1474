//! Translates and runs C text that needs no preprocessing.

use interp::{End, Fault, Machine, Policy, Setup};
use model::Program;

/// The model of a program.
#[track_caller]
pub fn translate(source: &str) -> Program {
    let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options::default());
    let program = translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()));
    model::verify(&program).unwrap_or_else(|flaws| panic!("{}", flaws[0]));
    program
}

/// How a program ends, and what it prints.
#[track_caller]
#[allow(dead_code, reason = "each test binary uses a part of the harness")]
pub fn run(source: &str) -> (End, String) {
    let program = translate(source);
    let mut printed = Vec::new();
    let setup = Setup { output: Box::new(|bytes, _| printed.extend_from_slice(bytes)), ..Setup::default() };
    let end = Machine::new(&program, setup).expect("the globals fit").run_main();
    (end, String::from_utf8_lossy(&printed).into_owned())
}

/// How a program ends under a policy, and what it did on the way.
#[track_caller]
#[allow(dead_code, reason = "each test binary uses a part of the harness")]
pub fn run_with(source: &str, policy: Policy) -> (End, Vec<Fault>) {
    let program = translate(source);
    let mut machine = Machine::new(&program, Setup { policy, ..Setup::default() }).expect("the globals fit");
    let end = machine.run_main();
    (end, std::mem::take(&mut machine.faults))
}

//! From C text to a program.

use model::Program;

/// The model of a text that needs no preprocessing.
#[track_caller]
pub fn program(source: &str) -> Program {
    let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options::default());
    let program = translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()));
    model::verify(&program).unwrap_or_else(|flaws| panic!("{}", flaws[0]));
    program
}

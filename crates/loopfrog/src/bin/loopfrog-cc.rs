//! The compiler wrapper `loopfrog-cc`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(loopfrog::wrapper::run(std::env::args_os().collect()))
}

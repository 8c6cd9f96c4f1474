//! The command `loopfrog`.

use std::process::ExitCode;

fn main() -> ExitCode {
    loopfrog::exit::report_panics();
    loopfrog::cli::run(std::env::args_os().collect()).into()
}

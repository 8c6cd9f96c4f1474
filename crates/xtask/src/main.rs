//! Developer commands: `cargo xtask <command>`.

mod built;
mod corpus;
mod csmith;
mod packages;
mod translate;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask translate [--check-text] PATH…
                                          translate every C program below PATH that gcc accepts; table per folder, failures listed
cargo xtask corpus PATH… [--sample N] [--seed S] [--timeout S] [--jobs J] [--unwind N] [--family NAME] [--property NAME]
                   [--json FILE] [--tool PATH] [--list-unknown]
                                          run the tool on the tasks that index.tsv and .yml files below PATH name; table per family,
                                          wrong answers and crashes listed
cargo xtask packages [NAME…] [--keep DIR] [--cflags FLAGS]
                                          build Debian source packages with loopfrog-cc and check the models in their programs
cargo xtask csmith [--count N] [--first SEED]   random programs: what gcc's program prints, the interpreter must print
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let done = match command.as_str() {
        "corpus" => corpus::run(&rest),
        "csmith" => csmith::run(&rest),
        "packages" => packages::run(&rest),
        "translate" => translate::run(&rest),
        _ => Err(HELP.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

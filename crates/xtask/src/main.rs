//! Developer commands: `cargo xtask <command>`.

mod built;
mod corpus;
mod csmith;
mod fuzz;
mod packages;
mod tables;
mod translate;
mod verisec;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask translate [--check-text] PATH…
                                          translate every C program below PATH that gcc accepts; table per folder, failures listed
cargo xtask corpus PATH… [--sample N] [--seed S] [--timeout S] [--jobs J] [--unwind N] [--family NAME] [--property NAME]
                   [--json FILE] [--tool PATH] [--list-unknown]
                                          run the tool on the tasks that index.tsv and .yml files below PATH name; table per family,
                                          wrong answers and crashes listed
cargo xtask marked PATH… [--sizes N,…] [--define NAME=VALUE] [--family NAME] [--timeout S] [--jobs J] [--tool PATH] [--list] [-- OPTION…]
                                          run the tool on faulty and repaired programs with marked accesses: detection and discrimination
                                          rates per family; the values of --sizes become those of BASE_SZ; OPTIONs go to the tool
cargo xtask packages [NAME…] [--keep DIR] [--cflags FLAGS]
                                          build Debian source packages with loopfrog-cc and check the models in their programs
cargo xtask tables checking [--programs DIR] [--property LIST] [--timeout S] [--tool PATH] [-- OPTION…]
                                          run the tool on programs that `packages` has built; figures beside those of the paper
cargo xtask tables termination PATH… [--timeout S] [--tool PATH]
                                          loops that end, by the methods of the paper and by default, for programs of Powerstone, SNU and
                                          Verisec below PATH and for jhead and bchunk where `packages` has built them; the paper's beside
cargo xtask tables closures PATH [--timeout S] [--tool PATH]
                                          what closures over predicates say behind the loops of the paper's programs below PATH
cargo xtask fuzz [--seed S] [--count N] [--minutes M] [--jobs J] [--runs N] [--timeout S] [--property LIST] [--tool PATH] [--keep DIR]
                 [--termination] [--print] [-- OPTION…]
                                          random programs with loops: what the tool proves, no run may refute; findings are made small and
                                          kept in DIR; --termination asks whether programs end; --print shows the program of the seed;
                                          OPTIONs go to the tool
cargo xtask csmith [--count N] [--first SEED]   random programs: what gcc's program prints, the interpreter must print
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let done = match command.as_str() {
        "corpus" => corpus::run(&rest),
        "csmith" => csmith::run(&rest),
        "fuzz" => fuzz::run(&rest),
        "marked" => verisec::run(&rest),
        "packages" => packages::run(&rest),
        "tables" => tables::run(&rest),
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

//! The command line of `loopfrog`.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::check::{self, CheckOptions, Layout, Means};
use crate::command_line::takes_next_word;
use crate::console::{Color, Console, Volume};
use crate::domains;
use crate::exit::Exit;
use crate::explain;
use crate::input::{self, Input, Request};
use crate::run::{self, RunOptions};
use crate::show::{self, Format, ShowOptions, View};
use crate::summarize::{self, Annotation, SummarizeOptions};
use crate::terminate::{self, TerminateOptions};
use crate::workers;

const COMPILER_OPTIONS: &str = "\
FILES are C (.c, .i, - for standard input), models (.lfm), and objects, archives
and executables built by loopfrog-cc; several are linked. Compiler options (-I -D
-std= -m32 -x c ...) go to the preprocessor, which is $LOOPFROG_REAL_CC, cc or gcc.
Exit codes: 0 success, 1 usage, 2 broken input, 6 unsupported, 8 preprocessor failed.";

/// The same in short, for the page that has to fit one screen.
const FILES: &str = "\
FILES are C, models, and what loopfrog-cc built. `loopfrog help COMMAND` says more.";

const RUN_STATUS: &str = "\
A run that comes to its end gives the exit status of the program; otherwise 10
something undefined happened, 5 a budget is used up or an assumption does not hold,
1 the inputs end too early, 134 the program called abort.";

const CHECK_STATUS: &str = "\
Exit codes of a check: 0 all properties are proved, 10 one is violated, 5 some are
not decided.";

const TERMINATE_STATUS: &str = "\
Exit codes: 0 the program terminates, 10 it does not, 5 it is not known.";

/// Analyses C programs by leaping over their loops.
#[derive(Parser, Debug)]
#[command(name = "loopfrog", version, after_help = FILES, subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Action,
    #[command(flatten)]
    console: ConsoleArgs,
}

// Under a heading of their own, because global options would else stand between those of the subcommand.
#[derive(Args, Debug)]
#[command(next_help_heading = "Messages")]
struct ConsoleArgs {
    /// Use colour: auto, always or never
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    color: Color,
    /// Print errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print what is being done
    #[arg(short, long, global = true)]
    verbose: bool,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Print a view of a program: its model, flow of control, loops, symbols or pointers
    #[command(after_help = COMPILER_OPTIONS)]
    Show {
        /// What to print
        #[arg(value_enum)]
        view: View,
        #[command(flatten)]
        input: InputArgs,
        /// Only the function of this name
        #[arg(long, value_name = "NAME")]
        function: Option<String>,
        #[command(flatten)]
        format: FormatArgs,
        /// Which places `show model` prints
        #[arg(long, value_enum, value_name = "WHICH", default_value = "none")]
        spans: show::Spans,
        /// Add the assertions of these checks first: names with commas between them, `default`, `memory` or `all`
        #[arg(long, value_name = "LIST")]
        check: Option<String>,
        /// Write to this file
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Execute a program and stop at what C leaves undefined; its arguments come behind --
    #[command(after_help = format!("{COMPILER_OPTIONS}\n{RUN_STATUS}"))]
    Run {
        #[command(flatten)]
        input: InputArgs,
        /// Take the standard input from this file
        #[arg(long, value_name = "FILE")]
        stdin: Option<PathBuf>,
        /// Take all inputs from this file, which --record wrote
        #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "stdin", "draw_arguments", "draw_stdin"])]
        inputs: Option<PathBuf>,
        /// Draw values that the program does not compute from a generator (otherwise they are 0)
        #[arg(long, value_name = "NUMBER")]
        seed: Option<u64>,
        /// Draw further arguments of the program from that generator
        #[arg(long, requires = "seed")]
        draw_arguments: bool,
        /// Draw the standard input from that generator
        #[arg(long, requires = "seed", conflicts_with = "stdin")]
        draw_stdin: bool,
        /// Write the inputs that were used to this file
        #[arg(long, value_name = "FILE")]
        record: Option<PathBuf>,
        /// Print each executed line and the variables that changed
        #[arg(long)]
        trace: bool,
        /// What stops the run: names of checks with commas between them, `all` or `none`
        #[arg(long, value_name = "LIST")]
        check: Option<String>,
        /// Start with this function instead of main
        #[arg(long, value_name = "NAME")]
        function: Option<String>,
        /// Stop after this many steps
        #[arg(long, value_name = "NUMBER")]
        steps: Option<u64>,
        /// Stop when more than this is allocated
        #[arg(long, value_name = "MIB")]
        memory: Option<u64>,
        /// Arguments of the program
        #[arg(last = true, value_name = "ARGS")]
        arguments: Vec<String>,
    },
    /// Tell for each access, operation and assertion whether it can go wrong
    #[command(after_help = format!("{COMPILER_OPTIONS}\n{CHECK_STATUS}"))]
    Check {
        #[command(flatten)]
        input: InputArgs,
        /// Only follow this many iterations of each loop, and calls of a function inside itself
        #[arg(long, value_name = "NUMBER")]
        unwind: Option<u32>,
        /// What to check: names with commas between them, `default`, `memory` or `all`
        #[arg(long, value_name = "LIST")]
        property: Option<String>,
        #[command(flatten)]
        means: Means,
        /// Write the inputs of each violation into this folder, for `loopfrog run --inputs`
        #[arg(long, value_name = "FOLDER")]
        inputs: Option<PathBuf>,
        #[command(flatten)]
        layout: Layout,
    },
    /// Tell for each loop and for the program whether it ends
    #[command(
        after_help = format!("{COMPILER_OPTIONS}\n{TERMINATE_STATUS}"),
        mut_arg("files", |files| files.required_unless_present_any(["compile_commands", "engine"]))
    )]
    Terminate {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        means: Means,
        /// Which engines to use: names with commas between them; `loopfrog terminate --engine list` tells them
        #[arg(long, value_name = "LIST")]
        engine: Option<String>,
        /// Write the inputs of a run that does not end to this file, for `loopfrog run --inputs`
        #[arg(long, value_name = "FILE")]
        inputs: Option<PathBuf>,
        /// A loop that is written to go on for ever, as that of a server, may do so: `while (1)`
        #[arg(long)]
        endless_ok: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Answer as SV-COMP wants it; FILE is the property file
        #[arg(long, value_name = "FILE", conflicts_with = "json")]
        svcomp: Option<PathBuf>,
    },
    /// Print what is known of the loops, or write it into the source
    #[command(after_help = COMPILER_OPTIONS)]
    Summarize {
        #[command(flatten)]
        input: InputArgs,
        #[command(flatten)]
        means: Means,
        /// Only speak of runs in which nothing undefined happens, such as signed overflow
        #[arg(long)]
        defined: bool,
        /// Print JSON
        #[arg(long, conflicts_with = "annotate")]
        json: bool,
        /// Print the first of FILES with the invariants: acsl (for Frama-C) or cprover (for CBMC)
        #[arg(long, value_enum, value_name = "STYLE", hide_possible_values = true)]
        annotate: Option<Annotation>,
        /// Write to this file
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// List the domains, which propose invariants
    Domains,
    // Not listed: what it prints says that it is there.
    /// Print the help of all commands, or of one
    #[command(hide = true)]
    Help {
        /// The command
        command: Option<String>,
    },
    /// Tell what a check is about
    Explain {
        /// The name of the check; all of them in short if there is none
        #[arg(value_name = "CHECK")]
        check: Option<String>,
    },
    /// Write the model of a program to a file of its own
    #[command(after_help = COMPILER_OPTIONS)]
    Compile {
        #[command(flatten)]
        input: InputArgs,
        /// Write to this file
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
}

#[derive(Args, Debug)]
struct InputArgs {
    /// C files, models, objects, archives, executables
    #[arg(value_name = "FILES", required_unless_present = "compile_commands")]
    files: Vec<PathBuf>,
    /// 32-bit data model (ILP32), the same as -m32
    #[arg(long = "32")]
    ilp32: bool,
    /// Take C files and their options from a compilation database; FILES choose among them
    #[arg(long, value_name = "JSON")]
    compile_commands: Option<PathBuf>,
}

#[derive(Args, Debug)]
#[group(multiple = false)]
struct FormatArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print a graph for Graphviz (`show cfg`)
    #[arg(long)]
    dot: bool,
    /// Print a drawing (`show cfg`)
    #[arg(long)]
    svg: bool,
}

/// Runs a command line, the program's name first.
pub fn run(arguments: Vec<OsString>) -> u8 {
    let (flags, arguments) = split_compiler_options(arguments);
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // There is nothing to be done where even this cannot be printed.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Success }.number();
        }
    };
    let volume = match (cli.console.quiet, cli.console.verbose) {
        (true, _) => Volume::Quiet,
        (_, true) => Volume::Verbose,
        _ => Volume::Normal,
    };
    let console = Console::new(cli.console.color, volume);
    let result = match cli.command {
        Action::Show { view, input, function, format, spans, check, output } => {
            let options = ShowOptions { view, function, format: format.format(), spans, checks: check };
            load(input, flags, &console)
                .and_then(|input| show::show(input.program, &options).map_err(|message| usage(&console, &message)))
                .and_then(|text| emit(text.as_bytes(), output.as_deref(), &console))
        }
        Action::Run {
            input,
            stdin,
            inputs,
            seed,
            draw_arguments,
            draw_stdin,
            record,
            trace,
            check,
            function,
            steps,
            memory,
            arguments,
        } => {
            let name = input.files.first().map(|file| file.display().to_string()).unwrap_or_default();
            let options = RunOptions {
                arguments,
                stdin,
                inputs,
                seed,
                draw_arguments,
                draw_stdin,
                record,
                trace,
                checks: check,
                function,
                steps,
                memory,
            };
            let input = match load(input, flags, &console) {
                Ok(input) => input,
                Err(exit) => return exit.number(),
            };
            let status = workers::on_big_stack(|| run::run(&input.program, &name, &options, &console));
            return status.unwrap_or_else(Exit::number);
        }
        Action::Check { input, unwind, property, means, inputs, layout } => {
            let options = CheckOptions { unwind, properties: property, means, inputs, layout };
            let input = match load(input, flags, &console) {
                Ok(input) => input,
                Err(exit) => return exit.number(),
            };
            let status = workers::on_big_stack(|| check::check(&input.program, &options, &console));
            return status.unwrap_or_else(Exit::number);
        }
        Action::Terminate { engine: Some(list), .. } if list == "list" => emit(terminate::engines().as_bytes(), None, &console),
        Action::Terminate { input, .. } if input.files.is_empty() && input.compile_commands.is_none() => {
            Err(usage(&console, "which files?"))
        }
        Action::Terminate { input, means, engine, inputs, endless_ok, json, svcomp } => {
            let options = TerminateOptions { means, engine, inputs, endless_ok, json, svcomp };
            let input = match load(input, flags, &console) {
                Ok(input) => input,
                Err(exit) => return exit.number(),
            };
            let status = workers::on_big_stack(|| terminate::terminate(&input.program, &options, &console));
            return status.unwrap_or_else(Exit::number);
        }
        Action::Summarize { input, means, defined, json, annotate, output } => {
            let source = input.files.first().map(|file| file.display().to_string());
            let options = SummarizeOptions { means, defined, json, annotate, source };
            load(input, flags, &console)
                .and_then(|input| workers::on_big_stack(|| summarize::summarize(&input.program, &options, &console)))
                .and_then(|text| emit(text.as_bytes(), output.as_deref(), &console))
        }
        Action::Help { command } => {
            help(command.as_deref()).map_err(|message| usage(&console, &message)).and_then(|text| emit(text.as_bytes(), None, &console))
        }
        Action::Domains => emit(domains::list().as_bytes(), None, &console),
        Action::Explain { check } => explain::explain(check.as_deref())
            .map_err(|message| usage(&console, &message))
            .and_then(|text| emit(text.as_bytes(), None, &console)),
        Action::Compile { input, output } => {
            load(input, flags, &console).and_then(|input| emit(&model::binary::to_bytes(&input.program), Some(&output), &console))
        }
    };
    result.err().unwrap_or(Exit::Success).number()
}

fn usage(console: &Console, message: &str) -> Exit {
    console.error(message);
    Exit::Usage
}

fn load(input: InputArgs, mut flags: Vec<OsString>, console: &Console) -> Result<Input, Exit> {
    if input.ilp32 {
        flags.push("-m32".into());
    }
    input::load(&Request { files: input.files, flags, compile_commands: input.compile_commands }, console)
}

impl FormatArgs {
    fn format(&self) -> Format {
        match self {
            FormatArgs { json: true, .. } => Format::Json,
            FormatArgs { dot: true, .. } => Format::Dot,
            FormatArgs { svg: true, .. } => Format::Svg,
            _ => Format::Text,
        }
    }
}

/// Writes a result to a file, or to standard output. A reader that has seen enough is no failure.
fn emit(content: &[u8], file: Option<&Path>, console: &Console) -> Result<(), Exit> {
    let (written, name) = match file {
        Some(path) => (fs::write(path, content), path.display().to_string()),
        None => {
            let mut stdout = io::stdout().lock();
            (stdout.write_all(content).and_then(|()| stdout.flush()), "standard output".to_string())
        }
    };
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(usage(console, &format!("cannot write {name}: {error}"))),
        _ => Ok(()),
    }
}

/// How compiler options begin that are no options of Loopfrog.
const COMPILER_PREFIXES: &str = "\
    -I -D -U -i -std= -ansi -m -f -O -W -w -g -nostdinc -pthread -pedantic -undef -x -trigraphs -Xpreprocessor";

/// Takes the compiler options out of a command line: they do not follow the rules that others do.
fn split_compiler_options(arguments: Vec<OsString>) -> (Vec<OsString>, Vec<OsString>) {
    let mut flags = Vec::new();
    let mut rest = Vec::new();
    let mut words = arguments.into_iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if text == "--" {
            rest.push(word);
            rest.extend(words.by_ref());
        } else if COMPILER_PREFIXES.split_whitespace().any(|prefix| text.starts_with(prefix)) {
            let argument = takes_next_word(&text).then(|| words.next()).flatten();
            flags.push(word);
            flags.extend(argument);
        } else {
            rest.push(word);
        }
    }
    (flags, rest)
}

/// The help of all commands, or of one.
fn help(command: Option<&str>) -> Result<String, String> {
    let mut all = Cli::command();
    all.build();
    match command {
        None => Ok(all.render_help().to_string()),
        Some(name) => match all.find_subcommand_mut(name) {
            Some(found) => Ok(found.render_help().to_string()),
            None => Err(format!("there is no command `{name}`")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_fits_one_screen() {
        let help = Cli::command().render_help().to_string();
        assert!(help.lines().count() <= 24, "{help}");
        let mut command = Cli::command();
        let show = command.find_subcommand_mut("show").unwrap().render_help().to_string();
        assert!(show.lines().count() <= 40, "{show}");
    }

    #[test]
    fn compiler_options_are_told_from_others() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let (flags, rest) = split_compiler_options(words("show model -I inc -DX --32 -x c -include a.h - -o out -std=c99 -q -- -Dfile"));
        assert_eq!(flags, words("-I inc -DX -x c -include a.h -std=c99"));
        assert_eq!(rest, words("show model --32 - -o out -q -- -Dfile"));
    }
}

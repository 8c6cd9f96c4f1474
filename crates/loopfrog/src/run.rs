//! `loopfrog run`: executes a program and tells what it does that C leaves undefined.

use std::cell::RefCell;
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Read, Stdout, Write};
use std::path::{Path, PathBuf};

use interp::{ArgumentLimits, End, Fault, Inputs, Limits, Machine, Policy, Position, Reaction, Rest, Setup, Values, input};
use model::{LocalId, Program, Span};
use report::diagnostic::{Label, Message, Severity, Sources, render};

use crate::checks;
use crate::console::{Console, say};
use crate::describe;
use crate::exit::Exit;

/// What the user wants to have run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunOptions {
    /// The arguments of the program, without its name.
    pub arguments: Vec<String>,
    /// A file for its standard input.
    pub stdin: Option<PathBuf>,
    /// A file with all inputs of an earlier run.
    pub inputs: Option<PathBuf>,
    /// The seed of a generator for values that the program does not compute.
    pub seed: Option<u64>,
    /// Whether that generator gives further arguments.
    pub draw_arguments: bool,
    /// Whether that generator gives the standard input.
    pub draw_stdin: bool,
    /// Where to write the inputs that were used.
    pub record: Option<PathBuf>,
    /// Whether to print each line that is executed.
    pub trace: bool,
    /// Which checks stop the run, by name; none for the usual ones.
    pub checks: Option<String>,
    /// The function to start with instead of `main`.
    pub function: Option<String>,
    /// How many steps it may take.
    pub steps: Option<u64>,
    /// How many MiB it may allocate.
    pub memory: Option<u64>,
}

/// Runs a program; the status with which the process should end.
pub fn run(program: &Program, name: &str, options: &RunOptions, console: &Console) -> Result<u8, Exit> {
    let usage = |message: String| {
        console.error(&message);
        Exit::Usage
    };
    let printer = RefCell::new(Printer::new());
    let inputs = inputs(name, options, &printer).map_err(usage)?;
    let policy = policy(options.checks.as_deref()).map_err(usage)?;
    let mut limits = Limits::default();
    limits.steps = options.steps.unwrap_or(limits.steps);
    limits.memory = options.memory.map_or(limits.memory, |mib| mib.saturating_mul(1 << 20));
    let setup = Setup { policy, limits, inputs, output: Box::new(|bytes, to_error| printer.borrow_mut().print(bytes, to_error)) };
    let function = match &options.function {
        None => None,
        Some(wanted) => match program.functions.enumerate().find(|(_, f)| f.name == *wanted && f.body.is_some()) {
            Some((id, _)) => Some(id),
            None => return Err(usage(format!("there is no function `{wanted}` with a body"))),
        },
    };
    let tracer = RefCell::new(Tracer::default());
    let sources = Sources::new(&program.files, Path::new(""));
    let mut machine = match Machine::new(program, setup) {
        Ok(machine) => machine,
        Err(end) => return Ok(report_end(&end, &sources, console)),
    };
    if options.trace {
        machine.observe(Box::new(|machine, position| tracer.borrow_mut().step(machine, position)));
    }
    let end = match function {
        Some(function) => machine.run_function(function),
        None => machine.run_main(),
    };
    printer.borrow_mut().flush();
    if let Some(path) = &options.record {
        let text =
            input::write_file(&machine.inputs.arguments, &machine.inputs.stdin, &machine.used, |span| describe::place(program, span));
        fs::write(path, text).map_err(|error| usage(format!("cannot write {}: {error}", path.display())))?;
    }
    let recorded: Vec<Message> = machine.faults.iter().map(|fault| message(fault, Severity::Warning)).collect();
    say(&render(&recorded, 0, &sources, console.color));
    if !machine.unknown_functions.is_empty() {
        let names: Vec<&str> = machine.unknown_functions.iter().map(|id| program.functions[*id].name.as_str()).collect();
        console.note(&format!("without body, assumed to write nothing and to return any value: {}", names.join(", ")));
    }
    Ok(report_end(&end, &sources, console))
}

/// Tells how the run ended if it did not end by itself; the exit status.
fn report_end(end: &End, sources: &Sources, console: &Console) -> u8 {
    match end {
        End::Exit(status) => *status as u8,
        End::Returned(value) => {
            console.note(&match value {
                Some(value) => format!("the function returned {value}"),
                None => "the function returned".to_string(),
            });
            0
        }
        End::Abort => {
            console.error("the program called abort");
            134
        }
        End::Fault(fault) => {
            say(&render(&[message(fault, Severity::Error)], 0, sources, console.color));
            10
        }
        other => {
            let span = match other {
                End::Assumption(span) | End::Unsupported(_, span) | End::Budget(_, span) | End::NoInput(_, span) => *span,
                _ => Span::NONE,
            };
            let primary = Label::new(span, "");
            let message = Message {
                severity: Severity::Error,
                code: None,
                message: early_end(other),
                primary,
                secondary: Vec::new(),
                notes: Vec::new(),
            };
            say(&render(&[message], 0, sources, console.color));
            match other {
                End::Unsupported(..) => Exit::Unsupported.number(),
                End::NoInput(..) => Exit::Usage.number(),
                _ => 5,
            }
        }
    }
}

fn early_end(end: &End) -> String {
    match end {
        End::Assumption(_) => "the run ends here: an assumption does not hold".into(),
        End::Unsupported(what, _) => format!("the run cannot go on: {what}"),
        End::Budget(budget, _) => format!("the run was stopped: its budget of {} is used up", budget.name()),
        End::NoInput(what, _) => format!("the inputs end too early: a value is needed for {what}"),
        End::Interrupted => "the run was stopped".into(),
        other => format!("the run ended: {other:?}"),
    }
}

fn message(fault: &Fault, severity: Severity) -> Message {
    let calls = fault.stack.windows(2).map(|pair| (&pair[1].function, pair[0].span));
    let secondary = calls.take(5).map(|(caller, span)| Label::new(span, format!("called from `{caller}`"))).collect();
    let function = fault.stack.first().map(|call| format!("in `{}`", call.function)).unwrap_or_default();
    Message {
        severity,
        code: Some(fault.kind.name().to_string()),
        message: fault.message.clone(),
        primary: Label::new(fault.span, function),
        secondary,
        notes: Vec::new(),
    }
}

/// Passes on what the program prints: to a terminal at once, so that prompts are seen, to others in large pieces.
struct Printer {
    stdout: BufWriter<Stdout>,
    at_once: bool,
}

impl Printer {
    fn new() -> Self {
        Printer { stdout: BufWriter::new(io::stdout()), at_once: io::stdout().is_terminal() }
    }
    // A reader that has seen enough does not concern the program: failures are ignored.
    fn print(&mut self, bytes: &[u8], to_error: bool) {
        let _ = if to_error { io::stderr().write_all(bytes) } else { self.stdout.write_all(bytes) };
        if self.at_once {
            self.flush();
        }
    }
    fn flush(&mut self) {
        let _ = self.stdout.flush();
    }
}

/// At most this many bytes of standard input are drawn.
const DRAWN_STDIN: u32 = 64;

fn inputs<'a>(name: &str, options: &RunOptions, printer: &'a RefCell<Printer>) -> Result<Inputs<'a>, String> {
    let read = |path: &PathBuf| fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()));
    let mut inputs = match &options.inputs {
        Some(path) => {
            let text = String::from_utf8_lossy(&read(path)?).into_owned();
            input::read_file(&text).map_err(|error| format!("{}: {error}", path.display()))?
        }
        None => {
            let mut arguments = vec![name.as_bytes().to_vec()];
            arguments.extend(options.arguments.iter().map(|argument| argument.as_bytes().to_vec()));
            let rest = if options.draw_stdin { Rest::Drawn(DRAWN_STDIN) } else { Rest::Reader(Box::new(|| read_stdin(printer))) };
            Inputs {
                arguments,
                drawn_arguments: options.draw_arguments.then(ArgumentLimits::default),
                rest,
                values: options.seed.map_or(Values::Zero, Values::Seeded),
                ..Inputs::default()
            }
        }
    };
    if let Some(path) = &options.stdin {
        inputs.stdin = read(path)?;
        inputs.rest = Rest::End;
    }
    Ok(inputs)
}

/// The next piece of the standard input. Whoever is to answer sees the question first.
fn read_stdin(printer: &RefCell<Printer>) -> Vec<u8> {
    printer.borrow_mut().flush();
    let mut buffer = vec![0; 4096];
    let count = io::stdin().read(&mut buffer).unwrap_or(0);
    buffer.truncate(count);
    buffer
}

/// The checks of a list stop the run; others are ignored.
fn policy(list: Option<&str>) -> Result<Policy, String> {
    let Some(list) = list else { return Ok(Policy::default()) };
    let mut policy = Policy::all(Reaction::Ignore);
    checks::parse(list)?.into_iter().for_each(|kind| policy.set(kind, Reaction::Stop));
    Ok(policy)
}

/// Prints each line that is executed, with the variables that changed since the last one of the same call.
#[derive(Default)]
struct Tracer {
    last: Option<(Span, usize)>,
    /// The variables of each call that has not returned, outermost first.
    values: Vec<Variables>,
}

type Variables = Vec<(LocalId, Option<u128>)>;

impl Tracer {
    fn step(&mut self, machine: &Machine<'_, '_>, position: Position) -> bool {
        let line = |span: Span| (span.file, span.line);
        if position.span.is_none() || self.last.is_some_and(|(span, depth)| line(span) == line(position.span) && depth == position.depth) {
            return true;
        }
        let values = machine.variables();
        let function = &machine.program.functions[position.function];
        self.values.resize(position.depth, Variables::new());
        let before = self.values.pop().unwrap_or_default();
        let mut text = format!("{}  {}", describe::place(machine.program, position.span), function.name);
        let mut separator = "  ";
        for (local, value) in values.iter().filter(|variable| !before.contains(variable)) {
            if let (Some(body), Some(value)) = (&function.body, value) {
                let local = &body.locals[*local];
                text.push_str(&format!("{separator}{} = {}", local.name, describe::value(machine.program, local.ty, *value)));
                separator = ", ";
            }
        }
        say(&format!("{text}\n"));
        self.values.push(values);
        self.last = Some((position.span, position.depth));
        true
    }
}

//! A run that never ends: its inputs, one round of it, the states in which it stays.

use std::fs;
use std::path::Path;

use interp::{Used, input};
use kernel::Repetition;
use model::{LoopForest, Program, Terminator};
use serde_json::{Value, json};
use terminate::recurrence::{ChosenInput, Divergence};

use crate::describe::{counted, place, value};

/// More lines of a list are not printed.
const LINES: usize = 24;
/// Of inputs that are others in each round, so many are told after the first round; all are in the file that users may ask for.
const FURTHER: usize = 400;

/// The run for people. The program is the user's: it was run as it is.
pub(super) fn text(program: &Program, divergence: &Divergence, engine: bool) -> String {
    let Divergence { run, set, choices, engine: found_by } = divergence;
    let name = program.functions.get(run.function).map_or("", |function| function.name.as_str());
    let what = if run.recursion { format!("calls of {name} go on") } else { format!("the loop in {name} goes on") };
    let engine = if engine { format!(" [{found_by}]") } else { String::new() };
    let mut text = format!("{}: {what} for ever{engine}\n", place(program, run.span));
    if let [_, arguments @ ..] = &run.arguments[..]
        && !arguments.is_empty()
    {
        let quoted: Vec<String> = arguments.iter().map(|argument| quoted(argument)).collect();
        text.push_str(&format!("  with the arguments {}\n", quoted.join(" ")));
    }
    if !run.stdin.is_empty() {
        text.push_str(&format!("  with the standard input {}\n", quoted(&run.stdin)));
    }
    if !run.stem.is_empty() {
        text.push_str("  with these inputs:\n");
        text.push_str(&list(run.stem.iter().map(|used| used_line(program, used))));
    }
    if !choices.is_empty() && !run.more.is_empty() {
        let then = if run.stem.is_empty() { "with these inputs" } else { "and then these" };
        text.push_str(&format!("  {then} in each round, computed where it begins:\n"));
        let line = |choice: &ChosenInput| format!("{} = {}  ({})", choice.what, choice.value, place(program, choice.span));
        text.push_str(&list(choices.iter().map(line)));
    } else if !run.round.is_empty() {
        let again = if run.stem.is_empty() { "with these inputs in each round:\n" } else { "and then these in each round:\n" };
        text.push_str(&format!("  {again}"));
        text.push_str(&list(run.round.iter().map(|used| used_line(program, used))));
    }
    if run.unvalued.is_some() {
        text.push_str("  variables are read that nobody gave a value; there are such runs whatever they hold, as far as was tried\n");
    }
    let steps: Vec<String> = run.steps.iter().filter_map(|step| step_line(program, step)).collect();
    if !steps.is_empty() {
        text.push_str("  one round:\n");
        text.push_str(&list(steps.into_iter()));
    }
    if !set.is_empty() {
        text.push_str(&format!("  each round begins with {}\n", set.join(", ")));
    }
    text
}

fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

fn list(lines: impl ExactSizeIterator<Item = String>) -> String {
    let more = lines.len().saturating_sub(LINES);
    let mut text: String = lines.take(LINES).map(|line| format!("    {line}\n")).collect();
    if more > 0 {
        text.push_str(&format!("    … and {more} more\n"));
    }
    text
}

fn used_line(program: &Program, used: &Used) -> String {
    format!("{} = {}  ({})", used.request.what, number(used), place(program, used.request.span))
}

/// An input is a bit pattern; if its first bit is set, it may be a negative number.
fn number(used: &Used) -> String {
    match used.request.bits {
        bits @ 8..128 if used.value >> (bits - 1) == 1 => format!("{} ({})", used.value, used.value as i128 - (1 << bits)),
        _ => used.value.to_string(),
    }
}

fn step_line(program: &Program, step: &kernel::Step) -> Option<String> {
    let local = program.functions.get(step.function)?.body.as_ref()?.locals.get(step.variable)?;
    let line = format!("{} = {}", local.name, value(program, local.ty, step.value));
    Some(if step.span.is_none() { line } else { format!("{}  {line}", place(program, step.span)) })
}

/// The run for machines.
pub(super) fn json(program: &Program, divergence: &Divergence) -> Value {
    let Divergence { run, set, choices, engine } = divergence;
    let inputs = |used: &[Used]| -> Vec<Value> {
        let one = |used: &Used| json!({ "what": used.request.what, "bits": used.request.bits, "value": used.value.to_string(), "at": place(program, used.request.span) });
        used.iter().map(one).collect()
    };
    let choice = |choice: &ChosenInput| json!({ "what": choice.what, "at": place(program, choice.span), "value": choice.value });
    let step = |step: &kernel::Step| {
        let local = program.functions.get(step.function)?.body.as_ref()?.locals.get(step.variable)?;
        Some(json!({ "at": place(program, step.span), "variable": local.name, "value": value(program, local.ty, step.value) }))
    };
    json!({
        "file": program.files.get(run.span.file).map_or("", String::as_str),
        "line": run.span.line,
        "column": run.span.column,
        "function": program.functions.get(run.function).map_or("", |function| function.name.as_str()),
        "recursion": run.recursion,
        "engine": engine,
        "arguments": run.arguments.iter().map(|argument| String::from_utf8_lossy(argument)).collect::<Vec<_>>(),
        "stdin": String::from_utf8_lossy(&run.stdin),
        "stem": inputs(&run.stem),
        "round": inputs(&run.round),
        "choices": choices.iter().map(choice).collect::<Vec<_>>(),
        "further": run.more.iter().take(FURTHER).map(u128::to_string).collect::<Vec<_>>(),
        "steps": run.steps.iter().filter_map(step).collect::<Vec<_>>(),
        "set": set,
        "unvalued": run.unvalued.is_some(),
        "meant": is_meant(program, run),
    })
}

/// Writes the inputs for `loopfrog run --inputs`: those of a round are repeated; if they are others in each round, there are those of a million
/// steps. The error says what went wrong.
pub(super) fn write_inputs(program: &Program, run: &Repetition, path: &Path) -> Result<(), String> {
    let place = |span| place(program, span);
    let text = if run.more.is_empty() {
        input::write_endless_file(&run.arguments, &run.stdin, &run.stem, &run.round, place)
    } else {
        input::write_long_file(&run.arguments, &run.stdin, &[&run.stem[..], &run.round].concat(), &run.more, place)
    };
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Whether the loop is written as one that does not end: `while (1)`, `for (;;)`. Nothing at its head decides whether to go on.
pub(super) fn is_meant(program: &Program, run: &Repetition) -> bool {
    let Some(body) = program.functions.get(run.function).and_then(|function| function.body.as_ref()) else { return false };
    let forest = LoopForest::new(body);
    let Some(region) = forest.loops.iter().find(|region| region.header == run.header && !run.recursion) else { return false };
    let Some(block) = body.blocks.get(region.header) else { return false };
    let decides = match block.terminator {
        Terminator::Branch(_, yes, no) => block.commands.is_empty() && !(region.contains(yes) && region.contains(no)),
        _ => false,
    };
    region.source.is_some() && !decides
}

/// What is said of a loop that is meant not to end.
pub(super) fn meant(program: &Program, run: &Repetition) -> String {
    let inputs = counted(run.stem.len() + run.round.len(), "input");
    format!("{}: this loop is written to go on for ever, and it does ({inputs})\n", place(program, run.span))
}

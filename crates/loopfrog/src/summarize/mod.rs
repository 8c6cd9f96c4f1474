//! `loopfrog summarize`: what is known of the loops of a program.

mod annotate;
pub(crate) mod describe;
pub(crate) mod json;
pub(crate) mod places;

use std::collections::BTreeSet;
use std::time::Instant;

use encode::Style;
use model::{LoopForest, Program, Span};
use serde_json::json;
use summarize::Summaries;

use crate::check::Means;
use crate::check::means::Task;
use crate::console::{Console, Volume};
use crate::describe::{counted, place};
use crate::exit::Exit;
use describe::{Closures, Description, Invariant, descriptions, invariant};

/// In which language invariants are written into the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Annotation {
    /// ACSL, for Frama-C.
    Acsl,
    /// `__CPROVER_loop_invariant`, for CBMC.
    Cprover,
}

/// What the user wants to see.
#[derive(Clone, PartialEq, Debug)]
pub struct SummarizeOptions {
    /// With what.
    pub means: Means,
    /// Whether only runs count in which nothing that is checked fails.
    pub defined: bool,
    /// Whether to print JSON.
    pub json: bool,
    /// Write the invariants into the source, in this language.
    pub annotate: Option<Annotation>,
    /// The source to annotate; none if it is the only one that has loops.
    pub source: Option<String>,
}

/// Summarises the loops of a program; what is to be printed.
pub fn summarize(program: &Program, options: &SummarizeOptions, console: &Console) -> Result<String, Exit> {
    let usage = |message: String| {
        console.error(&message);
        Exit::Usage
    };
    let started = Instant::now();
    let style = match options.annotate {
        None => Style::Source,
        Some(Annotation::Acsl) => Style::Acsl,
        Some(Annotation::Cprover) => Style::Cprover,
    };
    let task = Task { program, kinds: &passes::checks::DEFAULT, unwind: None, left_shifts: true, means: &options.means, started };
    let summarised = task.analyse(console, |subject, plan| {
        summarize::summaries(subject, plan, options.defined, &|leap, kept| invariant(subject.program, leap, kept, style).is_some())
    });
    let analysed = summarised.map_err(usage)?;
    let closures = Closures { exits: &analysed.result.exits, coarse: &analysed.result.coarse };
    let loops = descriptions(&analysed.program, &analysed.result.leaps, closures, style);
    if options.annotate.is_some() {
        return annotated(&analysed.program, &loops, style, options.source.as_deref(), console).map_err(usage);
    }
    let seconds = started.elapsed().as_secs_f64();
    if options.json {
        let list: Vec<_> = loops.iter().map(|one| json::description(&analysed.program, one)).collect();
        let text = serde_json::to_string_pretty(&json!({ "loops": list, "seconds": seconds })).unwrap_or_default();
        return Ok(text + "\n");
    }
    Ok(text(&analysed.program, &loops, &analysed.result, seconds, console.volume >= Volume::Verbose))
}

/// The source with invariants.
fn annotated(program: &Program, loops: &[Description], style: Style, source: Option<&str>, console: &Console) -> Result<String, String> {
    let file = |one: &Description| program.files.get(one.span.file).map_or("", String::as_str);
    let files: BTreeSet<&str> = loops.iter().map(file).collect();
    let wanted = match (source, files.iter().next()) {
        (Some(source), _) => source,
        (None, Some(only)) if files.len() == 1 => only,
        _ => return Err("name the source to annotate as the first of FILES".into()),
    };
    let content = std::fs::read_to_string(wanted).map_err(|error| format!("cannot read {wanted}: {error}"))?;
    for other in loops.iter().filter(|one| file(one) != wanted) {
        console.note(&format!("the loop at {} is in another file", place(program, other.span)));
    }
    let here: Vec<&Description> = loops.iter().filter(|one| file(one) == wanted).collect();
    let (text, left_out) = annotate::annotate(&content, &here, style);
    for (span, reason) in left_out {
        console.warning(&format!("the loop at {} is not annotated: {reason}", place(program, span)));
    }
    Ok(text)
}

fn text(program: &Program, loops: &[Description], result: &Summaries, seconds: f64, verbose: bool) -> String {
    let mut text = String::new();
    for one in loops {
        paragraph(program, one, verbose, &mut text);
    }
    for (span, function) in without_summary(program, result) {
        text.push_str(&format!("loop {} in {function}\n", place(program, span)));
        text.push_str("  no summary: its iterations were followed one by one, or control does not come to it\n");
    }
    let all = loops.iter().flat_map(|one| one.keeps.iter().chain(one.further.iter().flat_map(|(_, list)| list)));
    let invariants = all.filter(|invariant| invariant.always || verbose).count();
    let candidates = counted(loops.iter().map(|one| one.tried).sum(), "candidate");
    text + &format!("{}, {} of {candidates}   ({seconds:.2} s)\n", counted(loops.len(), "loop"), counted(invariants, "invariant"))
}

/// A loop. What is kept only once it holds is for those who want to know everything.
fn paragraph(program: &Program, one: &Description, verbose: bool, text: &mut String) {
    let function = program.functions.get(one.function).map_or("", |function| function.name.as_str());
    text.push_str(&format!("loop {} in {function}", place(program, one.span)));
    for (what, list) in [("modifies", &one.effects.places), ("calls", &one.effects.calls)] {
        if !list.is_empty() {
            text.push_str(&format!("  {what} {}", list.join(", ")));
        }
    }
    text.push('\n');
    let shown = |invariant: &&Invariant| invariant.always || verbose;
    for invariant in one.keeps.iter().filter(shown) {
        keep(text, "  keeps     ", invariant);
    }
    for (calls, list) in one.further.iter().filter(|(_, list)| list.iter().any(|invariant| shown(&invariant))) {
        let calls: Vec<String> = calls.iter().map(|&call| place(program, call)).collect();
        text.push_str(&format!("  called at {}\n", calls.join(", ")));
        for invariant in list.iter().filter(shown) {
            keep(text, "    keeps   ", invariant);
        }
    }
    if let Some(after) = &one.after {
        text.push_str(&format!("  after     {after}\n"));
    }
    if let Some(exit) = &one.exit {
        text.push_str(&format!("  exit      {exit}\n"));
    }
    for reason in &one.coarse {
        text.push_str(&format!("  coarse    {reason}\n"));
    }
}

fn keep(text: &mut String, start: &str, invariant: &Invariant) {
    let when = if invariant.always { "" } else { "   once it holds" };
    text.push_str(&format!("{start}{}{when}\n", invariant.text));
}

/// The loops of the program itself that have no summary, with the names of their functions.
fn without_summary<'a>(program: &'a Program, result: &Summaries) -> Vec<(Span, &'a str)> {
    let mut found = Vec::new();
    for (id, function) in program.functions.enumerate().filter(|(_, function)| !program.is_library(function.span)) {
        let Some(body) = &function.body else { continue };
        for region in &LoopForest::new(body).loops {
            let known = result.leaps.iter().any(|leap| (leap.function, leap.header) == (id, region.header));
            let source = region.source.and_then(|source| body.loops.get(source));
            let span = source.map_or(body.blocks[region.header].span, |source| source.span);
            if !known && !span.is_none() {
                found.push((span, function.name.as_str()));
            }
        }
    }
    found.sort_unstable();
    found
}

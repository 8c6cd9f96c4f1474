//! The loops of a program, as an indented tree for each function.

use std::fmt::Write;

use model::{BlockId, Body, Function, Loop, LoopForest, LoopKind, Program, Span};

use crate::describe::{counted, place};

/// The loops of these functions, outer ones before inner ones, and how many there are.
pub fn text<'a>(program: &Program, functions: impl Iterator<Item = &'a Function>) -> String {
    let mut out = String::new();
    let (mut all, mut with_loops, mut loops, mut irreducible) = (0, 0, 0, 0);
    for (function, body) in functions.filter_map(|function| Some((function, function.body.as_ref()?))) {
        let forest = LoopForest::new(body);
        all += 1;
        if forest.loops.is_empty() {
            continue;
        }
        with_loops += 1;
        loops += forest.loops.len();
        irreducible += forest.loops.iter().filter(|region| region.is_irreducible()).count();
        let _ = writeln!(out, "{}  {}", function.name, place(program, function.span));
        for region in &forest.loops {
            let _ = writeln!(out, "{}", line(program, body, region));
        }
    }
    let _ = write!(out, "{} in {with_loops} of {}", counted(loops, "loop"), counted(all, "function"));
    if irreducible > 0 {
        let _ = write!(out, ", {irreducible} irreducible");
    }
    out.push('\n');
    out
}

/// A loop in one line: how it is written, where, its size and its exits.
fn line(program: &Program, body: &Body, region: &Loop) -> String {
    let source = region.source.and_then(|source| body.loops.get(source));
    let kind = match source.map(|source| source.kind) {
        Some(LoopKind::While) => "while",
        Some(LoopKind::Do) => "do",
        Some(LoopKind::For) => "for",
        None => "goto",
    };
    let span = source.map_or_else(|| first_span(body, region.header), |source| source.span);
    let indent = "  ".repeat(region.depth + 1);
    let size = counted(region.blocks.len(), "block");
    let mut line = format!("{indent}{kind:<5} {}  {size}, {}", place(program, span), exits(body, region));
    if region.is_irreducible() {
        let entries: Vec<String> = region.entries.iter().map(|&entry| place(program, first_span(body, entry))).collect();
        let _ = write!(line, ", irreducible: entered at {}", entries.join(" and "));
    }
    line
}

/// How often a loop can be left, and in which lines.
fn exits(body: &Body, region: &Loop) -> String {
    if region.exits.is_empty() {
        return "no exit".to_string();
    }
    let mut lines: Vec<u32> = region.exits.iter().filter_map(|(from, _)| Some(body.blocks.get(*from)?.span.line)).collect();
    lines.retain(|&line| line != 0);
    lines.sort_unstable();
    lines.dedup();
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    let exits = counted(region.exits.len(), "exit");
    match numbers.len() {
        0 => exits,
        1 => format!("{exits} (line {})", numbers.join(", ")),
        _ => format!("{exits} (lines {})", numbers.join(", ")),
    }
}

/// The place of the first thing that a block does.
fn first_span(body: &Body, block: BlockId) -> Span {
    let Some(block) = body.blocks.get(block) else { return Span::NONE };
    block.commands.iter().map(|command| command.span).find(|span| !span.is_none()).unwrap_or(block.span)
}

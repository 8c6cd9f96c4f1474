//! Arguments as people read them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use encode::{Encoding, InputKind, Linear, Round, Style, sum_text};
use kernel::ranking::{Measure, RankingArgument, Row, Shape, When};
use model::{Callee, CommandKind, LoopForest, Program};

use super::Found;
use super::bound::Bound;
use super::conditional::Conditional;
use crate::findings::{Argument, LoopVerdict};

/// An argument in terms of the source.
pub(super) fn argument(program: &Program, found: &Found) -> Argument {
    let measures = found.argument.measures();
    let texts: Vec<String> = measures.iter().map(|one| measure(program, found, one)).collect();
    let text = match (measures, &texts[..], &found.argument) {
        ([], ..) => return Argument::Unwound,
        ([measure], [text], _) => single(program, found, measure, text),
        (.., RankingArgument::Lexicographic(_)) => format!("({}) decreases lexicographically", texts.join(", ")),
        (.., RankingArgument::Disjunctive { .. }) => format!("since each earlier round, {} has decreased", alternatives(&texts)),
        (.., RankingArgument::Nested(_)) => format!("({}) is a nested ranking function", nested(measures, texts.clone()).join(", ")),
    };
    let bound = found.bound.map(|bound| match bound {
        Bound::Number(number) => number.to_string(),
        Bound::Power(power) => format!("2^{power}"),
        Bound::Measure(0) => texts.join(""),
        Bound::Measure(more) if more > 0 && texts.join("").starts_with('-') => format!("{more} - {}", &texts.join("")[1..]),
        Bound::Measure(more) if more < 0 => format!("{} - {}", texts.join(""), more.unsigned_abs()),
        Bound::Measure(more) => format!("{} + {more}", texts.join("")),
    });
    Argument::Ranked { text, measures: texts, engine: found.engine, bound, invariants: found.invariants.clone() }
}

/// Measures of a nested ranking function with their bounds taken away; that of the last one does not matter.
fn nested(measures: &[Measure], mut texts: Vec<String>) -> Vec<String> {
    let last = texts.len().saturating_sub(1);
    for (text, bound) in texts.iter_mut().zip(measures).take(last).filter_map(|(text, measure)| Some((text, measure.bound?))) {
        match bound {
            0 => {}
            1.. => text.push_str(&format!(" - {bound}")),
            _ => text.push_str(&format!(" + {}", bound.unsigned_abs())),
        }
    }
    texts
}

/// What is said of a loop that is come to on several ways: what was said last, with a bound that holds for all.
pub(super) fn both(known: &LoopVerdict, verdict: LoopVerdict) -> LoopVerdict {
    match (known, verdict) {
        (LoopVerdict::Terminates(Argument::Ranked { .. }), LoopVerdict::Terminates(Argument::Unwound)) => known.clone(),
        (
            LoopVerdict::Terminates(Argument::Ranked { bound: known, invariants: others, .. }),
            LoopVerdict::Terminates(Argument::Ranked { text, measures, engine, bound, mut invariants }),
        ) => {
            let bound = bound.filter(|bound| known.as_ref() == Some(bound));
            let more: Vec<String> = others.iter().filter(|other| !invariants.contains(other)).cloned().collect();
            invariants.extend(more);
            LoopVerdict::Terminates(Argument::Ranked { text, measures, engine, bound, invariants })
        }
        (_, verdict) => verdict,
    }
}

/// One or the other.
fn alternatives(texts: &[String]) -> String {
    match texts {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => texts.join(""),
    }
}

/// What a single measure does. Nobody says that a negative number decreases.
fn single(program: &Program, found: &Found, measure: &Measure, text: &str) -> String {
    match (&measure.shape, found.rounds.first()) {
        (Shape::Is(_) | Shape::IsNot(_), _) => format!("{} stops to hold", text.trim_start_matches("whether ")),
        (Shape::Exact, Some(round)) if text.starts_with('-') && measure.when.is_none() => {
            let parts: Vec<(i64, usize)> = measure.parts.iter().map(|&(factor, part)| (factor.saturating_neg(), part)).collect();
            format!("{} increases", sum_of(program, round, &parts))
        }
        _ => format!("{text} decreases"),
    }
}

/// A measure.
fn measure(program: &Program, found: &Found, measure: &Measure) -> String {
    let Some(round) = found.rounds.first() else { return String::new() };
    let text = |parts: &[(i64, usize)]| sum_of(program, round, parts);
    let parts = || measure.parts.iter().map(|part| text(&[*part])).collect::<Vec<_>>().join(", ");
    let sum = text(&measure.parts);
    let shaped = match &measure.shape {
        Shape::Exact => sum,
        Shape::Greatest | Shape::Least if measure.parts.len() == 1 => sum,
        Shape::Modulo(power) => format!("({sum}) mod 2^{power}"),
        Shape::AtLeast(least) => format!("max({sum}, {least})"),
        Shape::AtMost(most) => format!("min({sum}, {most})"),
        Shape::Is(value) => format!("whether {sum} == {value}"),
        Shape::IsNot(value) => format!("whether {sum} != {value}"),
        Shape::Ones(_) => format!("the number of 1 bits of {sum}"),
        Shape::Zeros(_) => format!("the number of 0 bits of {sum}"),
        Shape::TrailingZeros(_) => format!("the number of 0 bits below the lowest 1 of {sum}"),
        Shape::WithoutTrailing(_) => format!("the number of bits from the lowest 1 of {sum} on"),
        Shape::LeadingZeros(_) => format!("the number of 0 bits above the highest 1 of {sum}"),
        Shape::WithoutLeading(_) => format!("the number of bits up to the highest 1 of {sum}"),
        Shape::Rank(rows) => {
            format!("the rank of {} in {}", tuple(&measure.parts.iter().map(|part| text(&[*part])).collect::<Vec<_>>()), ranks(rows))
        }
        Shape::Greatest => format!("max({})", parts()),
        Shape::Least => format!("min({})", parts()),
    };
    let Some(when) = measure.when else { return shaped };
    let condition = condition_of(program, round, when);
    if measure.parts.is_empty() { format!("whether {condition}") } else { format!("({condition} ? {shaped} : 0)") }
}

/// Values in the order of their ranks, the highest first.
fn ranks(rows: &[Row]) -> String {
    let mut ranks: BTreeMap<Reverse<u32>, Vec<String>> = BTreeMap::new();
    for row in rows {
        let values: Vec<String> = row.values.iter().map(|value| value.map_or_else(|| "_".into(), |value| value.to_string())).collect();
        ranks.entry(Reverse(row.rank)).or_default().push(tuple(&values));
    }
    let texts: Vec<String> = ranks.values().map(|values| values.join(", ")).collect();
    let rest = if texts.len() > RANKS { " > …" } else { "" };
    texts[..texts.len().min(RANKS)].join(" > ") + rest
}

/// More ranks are not shown.
const RANKS: usize = 8;

fn tuple(texts: &[String]) -> String {
    if let [text] = texts { text.clone() } else { format!("({})", texts.join(", ")) }
}

/// Functions that read from files, among them the standard input.
const READERS: [&str; 16] = [
    "getchar",
    "getc",
    "fgetc",
    "fgets",
    "gets",
    "getline",
    "getdelim",
    "fread",
    "read",
    "recv",
    "scanf",
    "fscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__loopfrog_scan_input",
    "__loopfrog_scan_stream",
];

/// Why nothing is known of a loop. Where it reads input, users would like to know that the end of a file is no argument.
pub(super) fn nothing_found(program: &Program, encoding: &Encoding, rounds: &[&Round]) -> String {
    let standard = |round: &Round| {
        let inputs = encoding.inputs.get(round.inputs.clone()).unwrap_or_default();
        inputs.iter().any(|input| input.kind == InputKind::Standard)
    };
    let reads = rounds.iter().any(|round| standard(round) || calls_reader(program, round) == Some(true));
    format!("no ranking function was found{}", if reads { "; it reads input, which may have no end" } else { "" })
}

/// Whether a function that reads is called in a loop.
fn calls_reader(program: &Program, round: &Round) -> Option<bool> {
    let body = program.functions.get(round.function)?.body.as_ref()?;
    let forest = LoopForest::new(body);
    let region = forest.loops.iter().find(|region| region.header == round.header && !round.recursive)?;
    let mut commands = region.blocks.iter().filter_map(|block| body.blocks.get(*block)).flat_map(|block| &block.commands);
    Some(commands.any(|command| match command.kind {
        CommandKind::Call { callee: Callee::Direct(callee), .. } => {
            program.functions.get(callee).is_some_and(|callee| READERS.contains(&callee.name.as_str()))
        }
        _ => false,
    }))
}

/// Why it is not known whether a loop ends that ends under a condition.
pub(super) fn condition(program: &Program, found: &Conditional) -> String {
    let Some(round) = found.rounds.first() else { return String::new() };
    format!("it terminates if {}; for other states no ranking function was found", condition_of(program, round, found.when))
}

fn condition_of(program: &Program, round: &Round, when: When) -> String {
    format!("{} {} {}", sum_of(program, round, &[(1, when.part)]), if when.at_least { ">=" } else { "<" }, when.limit)
}

/// A sum of multiples in terms of the source.
fn sum_of(program: &Program, round: &Round, parts: &[(i64, usize)]) -> String {
    let sum = parts.iter().fold(Linear::default(), |sum, &(factor, part)| match round.measured.get(part) {
        Some(measured) => sum.plus(factor, &measured.sum),
        None => sum,
    });
    let body = program.functions[round.function].body.as_ref();
    let text = body.and_then(|body| sum_text(program, body, &sum, Style::Source)).unwrap_or_else(|| "a value in memory".into());
    text.strip_prefix("0 - ").map_or_else(|| text.clone(), |rest| format!("-{rest}"))
}

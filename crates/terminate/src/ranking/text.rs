//! Arguments as people read them.

use encode::{Linear, Round, Style, sum_text};
use kernel::ranking::{Measure, RankingArgument, Shape};
use model::Program;

use super::Found;
use crate::findings::Argument;

/// An argument in terms of the source.
pub(super) fn argument(program: &Program, found: &Found) -> Argument {
    let measures = match &found.argument {
        RankingArgument::Lexicographic(measures) => measures,
        RankingArgument::Disjunctive { measures, .. } => measures,
    };
    if measures.is_empty() {
        return Argument::Unwound;
    }
    let texts = measures.iter().map(|one| measure(program, found, one)).collect();
    Argument::Ranked { measures: texts, engine: found.engine, bound: None }
}

/// A measure.
fn measure(program: &Program, found: &Found, measure: &Measure) -> String {
    let Some(round) = found.rounds.first() else { return String::new() };
    let text = |parts: &[(i64, usize)]| sum_of(program, round, parts);
    let parts = || measure.parts.iter().map(|part| text(&[*part])).collect::<Vec<_>>().join(", ");
    let sum = text(&measure.parts);
    let shaped = match measure.shape {
        Shape::Exact => sum,
        Shape::Greatest | Shape::Least if measure.parts.len() == 1 => sum,
        Shape::Modulo(power) => format!("({sum}) mod 2^{power}"),
        Shape::AtLeast(least) => format!("max({sum}, {least})"),
        Shape::AtMost(most) => format!("min({sum}, {most})"),
        Shape::Is(value) => format!("whether {sum} == {value}"),
        Shape::IsNot(value) => format!("whether {sum} != {value}"),
        Shape::Ones(_) => format!("the number of 1 bits of {sum}"),
        Shape::Zeros(_) => format!("the number of 0 bits of {sum}"),
        Shape::Greatest => format!("max({})", parts()),
        Shape::Least => format!("min({})", parts()),
    };
    let Some(when) = measure.when else { return shaped };
    let condition = format!("{} {} {}", text(&[(1, when.part)]), if when.at_least { ">=" } else { "<" }, when.limit);
    if measure.parts.is_empty() { format!("whether {condition}") } else { format!("({condition} ? {shaped} : 0)") }
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

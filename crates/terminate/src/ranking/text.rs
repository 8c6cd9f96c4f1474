//! Arguments as people read them.

use encode::{Linear, Style, sum_text};
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

fn measure(program: &Program, found: &Found, measure: &Measure) -> String {
    let Some(round) = found.rounds.first() else { return String::new() };
    let sum = measure.parts.iter().fold(Linear::default(), |sum, &(factor, part)| match round.measured.get(part) {
        Some(measured) => sum.plus(factor, &measured.sum),
        None => sum,
    });
    let body = program.functions[round.function].body.as_ref();
    let text = body.and_then(|body| sum_text(program, body, &sum, Style::Source)).unwrap_or_else(|| "a value in memory".into());
    match measure.shape {
        Shape::Exact => text,
        Shape::Modulo(power) => format!("({text}) mod 2^{power}"),
        Shape::AtLeast(least) => format!("max({text}, {least})"),
        Shape::AtMost(most) => format!("min({text}, {most})"),
        Shape::Is(value) => format!("[{text} == {value}]"),
        Shape::IsNot(value) => format!("[{text} != {value}]"),
        Shape::Ones(_) => format!("popcount({text})"),
        Shape::Zeros(_) => format!("zero bits of {text}"),
    }
}

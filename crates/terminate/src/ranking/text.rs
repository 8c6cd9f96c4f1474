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
    let body = program.functions[round.function].body.as_ref();
    let text = |parts: &[(i64, usize)]| {
        let sum = parts.iter().fold(Linear::default(), |sum, &(factor, part)| match round.measured.get(part) {
            Some(measured) => sum.plus(factor, &measured.sum),
            None => sum,
        });
        body.and_then(|body| sum_text(program, body, &sum, Style::Source)).unwrap_or_else(|| "a value in memory".into())
    };
    let sum = text(&measure.parts);
    let shaped = match measure.shape {
        Shape::Exact => sum,
        Shape::Modulo(power) => format!("({sum}) mod 2^{power}"),
        Shape::AtLeast(least) => format!("max({sum}, {least})"),
        Shape::AtMost(most) => format!("min({sum}, {most})"),
        Shape::Is(value) => format!("[{sum} == {value}]"),
        Shape::IsNot(value) => format!("[{sum} != {value}]"),
        Shape::Ones(_) => format!("popcount({sum})"),
        Shape::Zeros(_) => format!("zero bits of {sum}"),
    };
    match measure.when {
        Some(when) if measure.parts.is_empty() => {
            format!("[{} {} {}]", text(&[(1, when.part)]), if when.at_least { ">=" } else { "<" }, when.limit)
        }
        Some(when) => format!("({} {} {} ? {shaped} : 0)", text(&[(1, when.part)]), if when.at_least { ">=" } else { "<" }, when.limit),
        None => shaped,
    }
}

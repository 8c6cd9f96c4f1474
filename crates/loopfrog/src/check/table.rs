//! Totals, and the tables that are printed on request.

use std::collections::BTreeSet;

use kernel::{Decision, Verdict};
use model::FunctionId;

use super::Findings;
use crate::describe::counted;

/// How many properties have which verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Totals {
    pub(super) proved: usize,
    pub(super) violated: usize,
    pub(super) possible: usize,
    pub(super) conditional: usize,
    pub(super) unknown: usize,
}

impl Totals {
    pub(super) fn of<'a>(decisions: impl IntoIterator<Item = &'a Decision>) -> Self {
        let mut totals = Totals::default();
        for decision in decisions {
            match decision.verdict {
                Verdict::Proved => totals.proved += 1,
                Verdict::Violated(_) => totals.violated += 1,
                Verdict::Possible(_) => totals.possible += 1,
                Verdict::Conditional { .. } => totals.conditional += 1,
                Verdict::Unknown { .. } => totals.unknown += 1,
            }
        }
        totals
    }

    pub(super) fn all(&self) -> usize {
        self.proved + self.violated + self.possible + self.conditional + self.unknown
    }
}

/// How many files have properties.
pub(super) fn files(findings: &Findings) -> usize {
    findings.found.decisions.iter().map(|decision| decision.property.check.span.file).collect::<BTreeSet<_>>().len()
}

/// How many loops of the program were leapt over, however often; those of library models do not count.
pub(super) fn loops(findings: &Findings) -> usize {
    let own = findings.found.leaps.iter().filter(|leap| !findings.program.is_library(leap.span));
    own.map(|leap| (leap.function, leap.header)).collect::<BTreeSet<_>>().len()
}

/// The last line.
pub(super) fn summary(findings: &Findings) -> String {
    let totals = Totals::of(&findings.found.decisions);
    let mut text = format!("checked {}", properties(totals.all()));
    if totals.all() > 0 {
        text.push_str(&format!(" in {}", counted(files(findings), "file")));
    }
    let loops = loops(findings);
    if loops > 0 {
        text.push_str(&format!(", {}", counted(loops, "loop")));
    }
    let Totals { proved, violated, possible, conditional, unknown } = totals;
    text.push_str(&format!(": {proved} proved, {violated} violated, {possible} possible"));
    if conditional > 0 {
        text.push_str(&format!(", {conditional} conditional"));
    }
    if unknown > 0 {
        text.push_str(&format!(", {unknown} unknown"));
    }
    if findings.found.loops_cut > 0 {
        text.push_str(&format!("; {} not unwound to the end", counted(findings.found.loops_cut, "loop")));
    }
    text + &format!("   ({:.2} s)", findings.time.as_secs_f64())
}

fn properties(count: usize) -> String {
    if count == 1 { "1 property".into() } else { format!("{count} properties") }
}

/// A line for each function that has properties, in the order of the source.
pub(super) fn table(findings: &Findings) -> String {
    let mut functions: Vec<FunctionId> = Vec::new();
    for decision in &findings.found.decisions {
        if !functions.contains(&decision.property.function) {
            functions.push(decision.property.function);
        }
    }
    let name = |function: FunctionId| findings.program.functions.get(function).map_or("", |function| function.name.as_str());
    let width = functions.iter().map(|&function| name(function).len()).max().unwrap_or(0).max("function".len());
    let mut text = format!("{:<width$}  properties  proved  violated  possible  conditional  unknown\n", "function");
    let of = |function: FunctionId| findings.found.decisions.iter().filter(move |decision| decision.property.function == function);
    let rows = functions.iter().map(|&function| (name(function), Totals::of(of(function))));
    for (name, totals) in rows.chain([("total", Totals::of(&findings.found.decisions))]) {
        let Totals { proved, violated, possible, conditional, unknown } = totals;
        let counts = format!("{proved:>6}  {violated:>8}  {possible:>8}  {conditional:>11}  {unknown:>7}");
        text.push_str(&format!("{name:<width$}  {:>10}  {counts}\n", totals.all()));
    }
    text
}

/// What it took, as the papers' tables say it.
pub(super) fn statistics(findings: &Findings) -> String {
    let statistics = &findings.found.statistics;
    let (summarising, deciding) = findings.found.times;
    let share = (100 * statistics.confirmed).checked_div(statistics.candidates).unwrap_or(0);
    format!(
        "loops        {} summarised, at {} of the program\n\
         candidates   {} tried, {} confirmed ({share} %)\n\
         questions    {} about candidates\n\
         time         {:.2} s for summarising ({:.2} s of it for candidates), {:.2} s for deciding\n",
        loops(findings),
        counted(statistics.loops as usize, "point"),
        statistics.candidates,
        statistics.confirmed,
        statistics.questions,
        summarising.as_secs_f64(),
        statistics.time.as_secs_f64(),
        deciding.as_secs_f64(),
    )
}

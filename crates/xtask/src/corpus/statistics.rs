//! Tables of what became of the tasks.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::task::{Expected, Task};
use super::verdict::Outcome;

/// A task with what became of it.
pub struct Record {
    pub task: Task,
    /// The command line of the tool.
    pub command: String,
    pub outcome: Outcome,
    pub seconds: f64,
}

/// The figures of the tasks of one family with one property.
#[derive(Debug, Default)]
struct Row {
    /// Tasks whose property holds: how many there are, and how many were answered so.
    holding: (usize, usize),
    /// The same where the property does not hold.
    broken: (usize, usize),
    wrong: usize,
    unknown: usize,
    refused: usize,
    crashed: usize,
    seconds: Vec<f64>,
    reasons: BTreeMap<String, usize>,
}

impl Row {
    fn add(&mut self, record: &Record) {
        let side = if record.task.expected == Expected::True { &mut self.holding } else { &mut self.broken };
        side.0 += 1;
        match &record.outcome {
            Outcome::Correct => side.1 += 1,
            Outcome::Wrong(_) => self.wrong += 1,
            Outcome::Refused(_) => self.refused += 1,
            Outcome::Crashed(_) => self.crashed += 1,
            Outcome::Unknown(reason) => {
                self.unknown += 1;
                *self.reasons.entry(reason.clone()).or_default() += 1;
            }
        }
        self.seconds.push(record.seconds);
    }

    fn tasks(&self) -> usize {
        self.holding.0 + self.broken.0
    }

    fn total_seconds(&self) -> f64 {
        self.seconds.iter().fold(0.0, |sum, seconds| sum + seconds)
    }

    /// The most frequent reason why tasks are unknown, and how often it is.
    fn main_reason(&self) -> Option<(&str, usize)> {
        by_frequency(&self.reasons).first().copied()
    }

    fn line(&self) -> String {
        let part = |(all, correct): (usize, usize)| format!("{correct}/{all}");
        let reason = self.main_reason().map_or(String::new(), |(reason, count)| format!("  {count}× {reason}"));
        let line = format!(
            "{:>6} {:>9} {:>9} {:>6} {:>8} {:>8} {:>8} {:>9.1} {:>7.2}{reason}",
            self.tasks(),
            part(self.holding),
            part(self.broken),
            self.wrong,
            self.unknown,
            self.refused,
            self.crashed,
            self.total_seconds(),
            median(&self.seconds),
        );
        line.trim_end().to_string()
    }

    fn json(&self, family: &str, property: &str) -> Value {
        json!({
            "family": family, "property": property, "tasks": self.tasks(),
            "true": self.holding.0, "correct_true": self.holding.1, "false": self.broken.0, "correct_false": self.broken.1,
            "wrong": self.wrong, "unknown": self.unknown, "refused": self.refused, "crashed": self.crashed,
            "seconds": self.total_seconds(), "median_seconds": median(&self.seconds), "reasons": self.reasons,
        })
    }
}

/// The figures of all tasks.
#[derive(Default)]
pub struct Statistics {
    rows: BTreeMap<(String, &'static str), Row>,
    total: Row,
    /// For each reason why tasks are unknown the first such task.
    examples: BTreeMap<String, String>,
}

impl Statistics {
    /// Counts all tasks.
    pub fn new(records: &[Record]) -> Self {
        let mut statistics = Statistics::default();
        for record in records {
            statistics.rows.entry((record.task.family.clone(), record.task.property.name)).or_default().add(record);
            statistics.total.add(record);
            if let Outcome::Unknown(reason) = &record.outcome {
                let example = || record.task.path().display().to_string();
                statistics.examples.entry(reason.clone()).or_insert_with(example);
            }
        }
        statistics
    }

    /// The table, and below it why tasks are unknown.
    pub fn table(&self) -> String {
        let width = self.rows.keys().map(|(family, _)| family.len()).max().unwrap_or(0).max(6);
        let mut lines = vec![format!(
            "{:<width$} {:<16} {:>6} {:>9} {:>9} {:>6} {:>8} {:>8} {:>8} {:>9} {:>7}  most often unknown because",
            "family", "property", "tasks", "true", "false", "wrong", "unknown", "refused", "crashed", "seconds", "median"
        )];
        lines.extend(self.rows.iter().map(|((family, property), row)| format!("{family:<width$} {property:<16} {}", row.line())));
        let total = self.total.line();
        lines.push(format!("{:<width$} {:<16} {total}", "total", ""));
        for (reason, count) in by_frequency(&self.total.reasons) {
            let example = self.examples.get(reason).map_or("", String::as_str);
            lines.push(format!("unknown {count:>5}× {reason}, as in {example}"));
        }
        lines.join("\n") + "\n"
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let rows: Vec<Value> = self.rows.iter().map(|((family, property), row)| row.json(family, property)).collect();
        json!({"rows": rows, "total": self.total.json("total", "")})
    }

    /// Why the run is no success, if it is none.
    pub fn failure(&self) -> Option<String> {
        let Row { wrong, crashed, .. } = self.total;
        (wrong + crashed > 0).then(|| format!("{wrong} wrong answers and {crashed} crashes"))
    }
}

impl Record {
    /// The line of a list that says what became of the task.
    pub fn line(&self) -> String {
        let (word, text) = self.words();
        format!("{word} {}: {}: {text}\n    {}", self.task.path().display(), self.task.property.name, self.command)
    }

    /// The record as JSON.
    pub fn json(&self) -> Value {
        let (word, text) = self.words();
        let (expected, part) = match &self.task.expected {
            Expected::True => (true, None),
            Expected::False { part } => (false, part.as_deref()),
        };
        json!({
            "path": self.task.path().display().to_string(), "family": self.task.family, "property": self.task.property.name,
            "expected": expected, "part": part, "outcome": word.to_lowercase(), "text": text, "seconds": self.seconds, "command": self.command,
        })
    }

    fn words(&self) -> (&'static str, &str) {
        match &self.outcome {
            Outcome::Correct => ("CORRECT", ""),
            Outcome::Wrong(text) => ("WRONG", text),
            Outcome::Unknown(text) => ("UNKNOWN", text),
            Outcome::Refused(text) => ("REFUSED", text),
            Outcome::Crashed(text) => ("CRASHED", text),
        }
    }
}

fn by_frequency(reasons: &BTreeMap<String, usize>) -> Vec<(&str, usize)> {
    let mut sorted: Vec<(&str, usize)> = reasons.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    sorted
}

/// The median; zero of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = |at: usize| sorted.get(at).copied().unwrap_or(0.0);
    f64::midpoint(middle(sorted.len().saturating_sub(1) / 2), middle(sorted.len() / 2))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::property;
    use super::*;

    fn record(family: &str, expected: Expected, outcome: Outcome, seconds: f64) -> Record {
        let property = property::find("no-overflow").unwrap();
        let task = Task { family: family.into(), files: vec![format!("{family}/{seconds}.c").into()], property, expected, ilp32: false };
        Record { task, command: "loopfrog check".into(), outcome, seconds }
    }

    fn records() -> Vec<Record> {
        let broken = || Expected::False { part: None };
        vec![
            record("loops", Expected::True, Outcome::Correct, 1.0),
            record("loops", Expected::True, Outcome::Unknown("rare".into()), 2.0),
            record("loops", broken(), Outcome::Unknown("often".into()), 3.0),
            record("loops", broken(), Outcome::Unknown("often".into()), 40.0),
            record("heap", broken(), Outcome::Correct, 0.5),
            record("heap", Expected::True, Outcome::Wrong("violated".into()), 0.25),
            record("heap", Expected::True, Outcome::Refused("what?".into()), 0.25),
        ]
    }

    #[test]
    fn the_table_has_a_line_for_each_family_and_property() {
        expect![[r#"
            family property          tasks      true     false  wrong  unknown  refused  crashed   seconds  median  most often unknown because
            heap   no-overflow           3       0/2       1/1      1        0        1        0       1.0    0.25
            loops  no-overflow           4       1/2       0/2      0        3        0        0      46.0    2.50  2× often
            total                        7       1/4       1/3      1        3        1        0      47.0    1.00  2× often
            unknown     2× often, as in loops/3.c
            unknown     1× rare, as in loops/2.c
        "#]]
        .assert_eq(&Statistics::new(&records()).table());
    }

    #[test]
    fn wrong_answers_and_crashes_are_failures() {
        assert_eq!(Statistics::new(&records()).failure().as_deref(), Some("1 wrong answers and 0 crashes"));
        assert_eq!(Statistics::new(&records()[..5]).failure(), None);
        let crash = [record("heap", Expected::True, Outcome::Crashed("signal".into()), 1.0)];
        assert_eq!(Statistics::new(&crash).failure().as_deref(), Some("0 wrong answers and 1 crashes"));
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), 0.0);
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn json_has_the_same_figures() {
        let json = Statistics::new(&records()).json();
        assert_eq!(json["rows"][1]["correct_true"], 1);
        assert_eq!(json["rows"][1]["reasons"]["often"], 2);
        assert_eq!(json["total"]["tasks"], 7);
        assert_eq!(records()[5].json()["outcome"], "wrong");
    }
}

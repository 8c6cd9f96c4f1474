//! Rates and times by family.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::program::{Answer, Program};
use crate::corpus::statistics::median;

/// The figures of some programs.
#[derive(Default)]
struct Row {
    faulty: usize,
    detected: usize,
    /// Of these, the ones with a marked access that was seen to fail.
    violated: usize,
    missed: usize,
    repaired: usize,
    recognised: usize,
    /// Faulty programs of which there is a repaired one.
    pairs: usize,
    /// Pairs of which the fault is detected and the repair recognised.
    discriminated: usize,
    /// Marked accesses about which nothing is said.
    unlisted: usize,
    silent: usize,
    crashed: usize,
    seconds: Vec<f64>,
}

impl Row {
    fn new(programs: &[&Program]) -> Self {
        let mut row = Row::default();
        let mut repaired: BTreeMap<PathBuf, Answer> = BTreeMap::new();
        for program in programs.iter().filter(|program| !program.is_faulty()) {
            repaired.insert(program.origin(), program.answer());
        }
        for program in programs {
            row.add(program, repaired.get(&program.origin()).copied());
        }
        row
    }

    fn add(&mut self, program: &Program, repaired: Option<Answer>) {
        let answer = program.answer();
        let is_detected = matches!(answer, Answer::Detected { .. });
        if program.is_faulty() {
            self.faulty += 1;
            self.pairs += usize::from(repaired.is_some());
            self.discriminated += usize::from(is_detected && repaired == Some(Answer::Recognised));
        } else {
            self.repaired += 1;
        }
        match answer {
            Answer::Detected { violated } => {
                self.detected += 1;
                self.violated += usize::from(violated);
            }
            Answer::Missed => self.missed += 1,
            Answer::Recognised => self.recognised += 1,
            Answer::Unproved => {}
            Answer::Silent => self.silent += 1,
        }
        self.crashed += usize::from(program.crashed);
        self.unlisted += program.unlisted();
        self.seconds.push(program.seconds);
    }

    fn total_seconds(&self) -> f64 {
        self.seconds.iter().fold(0.0, |sum, seconds| sum + seconds)
    }

    fn text(&self) -> String {
        format!(
            "{:>9} {:>5} {:>9} {:>6} {:>9} {:>9} {:>5} {:>9} {:>7} {:>9.1} {:>7.2}",
            format!("{}/{}", self.detected, self.faulty),
            rate(self.detected, self.faulty),
            self.violated,
            self.missed,
            format!("{}/{}", self.recognised, self.repaired),
            format!("{}/{}", self.discriminated, self.pairs),
            rate(self.discriminated, self.pairs),
            self.unlisted,
            self.silent,
            self.total_seconds(),
            median(&self.seconds),
        )
    }
}

/// A share with two digits. It is never rounded up to one, which is claimed only if nothing is missing.
fn rate(part: usize, whole: usize) -> String {
    match (part, whole) {
        (_, 0) => "-".into(),
        _ => format!("{:.2}", (part * 100 / whole) as f64 / 100.0),
    }
}

/// The figures of all programs.
pub struct Table {
    rows: BTreeMap<String, Row>,
    total: Row,
}

impl Table {
    /// Counts all programs.
    pub fn new(programs: &[Program]) -> Self {
        let mut families: BTreeMap<String, Vec<&Program>> = BTreeMap::new();
        for program in programs {
            families.entry(program.family().to_string()).or_default().push(program);
        }
        let rows = families.into_iter().map(|(family, programs)| (family, Row::new(&programs))).collect();
        Table { rows, total: Row::new(&programs.iter().collect::<Vec<_>>()) }
    }

    fn width(&self) -> usize {
        self.rows.keys().map(String::len).max().unwrap_or(0).max(6)
    }

    /// A line for each family, and one for all.
    pub fn text(&self) -> String {
        let width = self.width();
        let mut lines = vec![format!(
            "{:<width$} {:>9} {:>5} {:>9} {:>6} {:>9} {:>9} {:>5} {:>9} {:>7} {:>9} {:>7}",
            "family", "detected", "rate", "violated", "missed", "repaired", "discrim.", "rate", "unlisted", "silent", "seconds", "median"
        )];
        lines.extend(self.rows.iter().map(|(family, row)| format!("{family:<width$} {}", row.text())));
        lines.push(format!("{:<width$} {}", "total", self.total.text()));
        lines.join("\n")
    }

    /// Why the run is no success, if it is none.
    pub fn failure(&self) -> Option<String> {
        let Row { missed, crashed, .. } = self.total;
        (missed + crashed > 0).then(|| format!("{missed} faulty programs are called safe, {crashed} crashes"))
    }
}

/// The seconds of each family by size, and what the largest costs in terms of the smallest.
pub fn times(tables: &[(Option<u64>, Table)]) -> String {
    let width = tables.first().map_or(0, |(_, table)| table.width()).max(7);
    let line = |name: &str, fields: Vec<String>| {
        let fields: String = fields.iter().map(|field| format!(" {field:>9}")).collect();
        format!("{name:<width$}{fields}")
    };
    let times = |row: &dyn Fn(&Table) -> f64| {
        let seconds: Vec<f64> = tables.iter().map(|(_, table)| row(table)).collect();
        let ratio = seconds.last().zip(seconds.first()).map_or(1.0, |(last, first)| last / first);
        seconds.iter().map(|seconds| format!("{seconds:.1}")).chain([format!("{ratio:.2}")]).collect()
    };
    let sizes = tables.iter().map(|(size, _)| size.map_or(String::new(), |size| size.to_string()));
    let mut lines = vec![line("seconds", sizes.chain(["ratio".into()]).collect())];
    for family in tables.first().into_iter().flat_map(|(_, table)| table.rows.keys()) {
        lines.push(line(family, times(&|table| table.rows.get(family).map_or(0.0, Row::total_seconds))));
    }
    lines.push(line("total", times(&|table| table.total.total_seconds())));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::program::tests::program;
    use super::*;

    fn programs() -> Vec<Program> {
        vec![
            program("a_bad.c", "x[i] = 0;", &["unknown"]),
            program("a_ok.c", "x[i] = 0;", &["proved", "proved"]),
            program("b_bad.c", "x[i] = 0;", &["violated"]),
            program("b_ok.c", "x[i] = 0;", &["proved", "unknown"]),
            program("c_bad.c", "x[i] = 0;", &["proved"]),
            program("c_ok.c", "x[2] = 0;", &[]),
            program("d_bad.c", "x[i] = 0;", &["unknown"]),
            program("e_ok.c", "copy(x);", &[]),
        ]
    }

    #[test]
    fn rates() {
        let table = Table::new(&programs());
        expect![[r#"
            family  detected  rate  violated missed  repaired  discrim.  rate  unlisted  silent   seconds  median
            suite        3/4  0.75         1      1       2/4       1/3  0.33         2       0       4.0    0.50
            total        3/4  0.75         1      1       2/4       1/3  0.33         2       0       4.0    0.50"#]]
        .assert_eq(&table.text());
        assert_eq!(table.failure().as_deref(), Some("1 faulty programs are called safe, 0 crashes"));
    }

    #[test]
    fn a_rate_of_one_means_all() {
        assert_eq!([rate(0, 0), rate(199, 200), rate(2, 3), rate(3, 3)], ["-", "0.99", "0.66", "1.00"]);
    }

    #[test]
    fn times_by_size() {
        let tables = [(Some(2), Table::new(&programs())), (Some(100), Table::new(&programs()[..4]))];
        expect![[r#"
            seconds         2       100     ratio
            suite         4.0       2.0      0.50
            total         4.0       2.0      0.50"#]]
        .assert_eq(&times(&tables));
    }
}

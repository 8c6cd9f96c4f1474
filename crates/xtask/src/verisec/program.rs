//! What the tool says about the marked accesses of a program.

use std::path::{Path, PathBuf};

use crate::corpus::marks::{Access, Marks};
use crate::corpus::task::{Expected, Task};
use crate::corpus::verdict::{Finding, Outcome, Status};

/// A program that the tool was run on.
pub struct Program {
    task: Task,
    command: String,
    /// How long the tool took.
    pub seconds: f64,
    /// `Err` says why nothing is known.
    said: Result<Vec<Marked>, String>,
    /// Whether the tool broke.
    pub crashed: bool,
}

/// A marked access with what is said about it.
struct Marked {
    access: Access,
    findings: Vec<Finding>,
}

/// What became of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// Faulty, and a marked access is not proved; perhaps it was even seen to fail.
    Detected { violated: bool },
    /// Faulty, and called safe.
    Missed,
    /// Repaired, and all marked accesses are proved.
    Recognised,
    /// Repaired, and a marked access is not proved.
    Unproved,
    /// The tool gave no answer.
    Silent,
}

impl Program {
    /// Takes from what the tool says what is about marked accesses.
    pub fn new(task: Task, command: String, marks: &Marks, findings: Result<Vec<Finding>, Outcome>, seconds: f64) -> Self {
        let crashed = matches!(findings, Err(Outcome::Crashed(_)));
        let said = findings.map_err(|outcome| reason(&outcome)).and_then(|findings| {
            let at = |access: &Access| findings.iter().filter(|finding| access.contains(&finding.file, finding.line)).cloned().collect();
            let marked = marks.accesses().iter().map(|access| Marked { access: access.clone(), findings: at(access) });
            if marks.is_empty() { Err("no access is marked".into()) } else { Ok(marked.collect()) }
        });
        Program { task, command, seconds, said, crashed }
    }

    /// The family of programs that it belongs to.
    pub fn family(&self) -> &str {
        &self.task.family
    }

    /// Whether it has a fault.
    pub fn is_faulty(&self) -> bool {
        self.task.expected != Expected::True
    }

    /// What a faulty program and the repaired one have in common: the name without `bad` or `ok` or, where names do not have that, the folder.
    pub fn origin(&self) -> PathBuf {
        let path = self.task.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = ["_bad", "-bad", "_ok", "-ok"].iter().find_map(|end| stem.strip_suffix(end));
        name.map_or(folder.to_path_buf(), |name| folder.join(name))
    }

    /// What became of it. A fault is not detected by saying nothing, and a repair is not recognised by that.
    pub fn answer(&self) -> Answer {
        let Ok(marked) = &self.said else { return Answer::Silent };
        let has = |status: Status| marked.iter().flat_map(|marked| &marked.findings).any(|finding| finding.status == status);
        let (violated, is_open) = (has(Status::Violated), has(Status::Violated) || has(Status::Unknown));
        match self.is_faulty() {
            true if is_open => Answer::Detected { violated },
            true => Answer::Missed,
            false if is_open || marked.iter().any(Marked::is_ignored) => Answer::Unproved,
            false => Answer::Recognised,
        }
    }

    /// How many marked accesses nothing is said about.
    pub fn unlisted(&self) -> usize {
        self.said.iter().flatten().filter(|marked| marked.findings.is_empty()).count()
    }

    /// Lines about a program that is not as it should be; `all` says whether a list of all is wanted, or only of what is wrong.
    pub fn report(&self, all: bool) -> Option<String> {
        let (word, wanted) = match self.answer() {
            Answer::Missed => ("MISSED", true),
            Answer::Silent => ("SILENT", true),
            Answer::Unproved => ("UNPROVED", all),
            Answer::Detected { .. } => ("DETECTED", all && self.unlisted() > 0),
            Answer::Recognised => ("RECOGNISED", all && self.unlisted() > 0),
        };
        let mut lines = vec![format!("{word} {} ({:.2} s)", self.task.path().display(), self.seconds)];
        lines.push(format!("    {}", self.command));
        match &self.said {
            Err(reason) => lines.push(format!("    {reason}")),
            Ok(marked) => lines.extend(marked.iter().flat_map(|marked| marked.lines(self.is_faulty()))),
        }
        wanted.then(|| lines.join("\n"))
    }
}

impl Marked {
    /// Whether nothing is said although there may be something to say. The tool does not list accesses that cannot fail, as `a[2]` of an
    /// array, but a call should lead to a place with a check.
    fn is_ignored(&self) -> bool {
        self.findings.is_empty() && self.access.has_call
    }

    /// What is to be looked at: nothing is said of it or, in a repaired program, it is not proved.
    fn lines(&self, is_faulty: bool) -> Vec<String> {
        let line = *self.access.statement.lines.start();
        if self.findings.is_empty() {
            return vec![format!("    line {line}: unlisted")];
        }
        let open = self.findings.iter().filter(|finding| finding.status != Status::Proved && !is_faulty);
        open.map(|finding| format!("    line {line}: {}", described(finding))).collect()
    }
}

fn described(finding: &Finding) -> String {
    let status = if finding.status == Status::Violated { "violated" } else { "unknown" };
    let because = finding.because.as_ref().map_or(String::new(), |place| format!(" ({place})"));
    format!("{} {status} at {}:{}: {}{because}", finding.kind, finding.file, finding.line, finding.text)
}

fn reason(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Refused(text) => format!("refused: {text}"),
        Outcome::Crashed(text) => format!("crashed: {text}"),
        Outcome::Unknown(text) | Outcome::Wrong(text) => text.clone(),
        Outcome::Correct => String::new(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;
    use crate::corpus::execution::End;
    use crate::corpus::task::Tasks;
    use crate::corpus::verdict;

    /// A program with one marked statement, about which a tool says this. Names with `bad` are faulty.
    pub fn program(name: &str, statement: &str, said: &[&str]) -> Program {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, format!("/* BAD */\n{statement}\n")).unwrap();
        let expected = !name.contains("bad");
        let index = format!("path\tproperty\texpected\tmodel\n{name}\tmemsafety\t{expected}\t64\n");
        std::fs::write(folder.path().join("index.tsv"), index).unwrap();
        let mut tasks = Tasks::default();
        tasks.read(folder.path()).unwrap();
        let finding = |status: &&str| json!({"status": status, "kind": "bounds", "line": 2, "file": file.to_str(), "reason": "a loop"});
        let properties: Vec<serde_json::Value> = said.iter().map(finding).collect();
        let code = if said.contains(&"violated") {
            10
        } else if said.contains(&"unknown") {
            5
        } else {
            0
        };
        let output = json!({ "properties": properties }).to_string();
        let end = End { code: Some(code), late: false, output, errors: String::new(), seconds: 0.5, megabytes: 1.0 };
        let task = tasks.tasks.remove(0);
        let marks = Marks::read(&task.files);
        let mut program = Program::new(task, "tool".into(), &marks, verdict::findings(&end), end.seconds);
        // Programs of one table are in one folder.
        program.task.files = vec![PathBuf::from("suite").join(name)];
        program.task.family = "suite".into();
        program
    }

    #[test]
    fn a_fault_is_detected_if_something_is_not_proved() {
        assert_eq!(program("a_bad.c", "x[i] = 0;", &["proved", "unknown"]).answer(), Answer::Detected { violated: false });
        assert_eq!(program("a_bad.c", "x[i] = 0;", &["proved", "violated"]).answer(), Answer::Detected { violated: true });
        assert_eq!(program("a_bad.c", "x[i] = 0;", &["proved"]).answer(), Answer::Missed);
        assert_eq!(program("a_bad.c", "x[2] = 0;", &[]).answer(), Answer::Missed);
    }

    #[test]
    fn a_repair_is_recognised_if_all_is_proved() {
        assert_eq!(program("a_ok.c", "x[i] = 0;", &["proved", "proved"]).answer(), Answer::Recognised);
        assert_eq!(program("a_ok.c", "x[i] = 0;", &["proved", "unknown"]).answer(), Answer::Unproved);
        assert_eq!(program("a_ok.c", "x[2] = 0;", &[]).answer(), Answer::Recognised);
        assert_eq!(program("a_ok.c", "strcpy(x, y);", &[]).answer(), Answer::Unproved);
    }

    #[test]
    fn without_an_answer_nothing_counts() {
        let silent = program("a_ok.c", "x[i] = 0;", &["nonsense"]);
        assert_eq!((silent.answer(), silent.crashed), (Answer::Silent, true));
        assert!(silent.report(false).is_some_and(|text| text.contains("crashed: what it prints is not the expected JSON")));
    }

    #[test]
    fn what_is_not_proved_is_listed() {
        let open = program("a_ok.c", "x[i] = 0;", &["unknown"]);
        assert_eq!(open.report(false), None);
        assert!(open.report(true).is_some_and(|text| text.starts_with("UNPROVED suite/a_ok.c") && text.ends_with(":2: a loop")));
        assert_eq!(program("a_bad.c", "x[i] = 0;", &["unknown"]).report(true), None);
    }

    #[test]
    fn pairs_have_one_origin() {
        let origin = |name: &str| program(name, "x[i] = 0;", &[]).origin();
        assert_eq!(origin("a_bad.c"), origin("a_ok.c"));
        assert_eq!(origin("a-bad.c"), PathBuf::from("suite/a"));
        assert_eq!(origin("id1.c"), PathBuf::from("suite"));
    }
}

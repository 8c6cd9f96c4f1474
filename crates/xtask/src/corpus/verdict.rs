//! What the tool said, and whether it is right.

use serde_json::Value;

use super::execution::End;
use super::marks::Marks;
use super::property;
use super::task::Expected;

/// What became of a task. Texts explain it.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Correct,
    Wrong(String),
    /// The tool did not decide.
    Unknown(String),
    /// The tool does not accept the program.
    Refused(String),
    /// The tool broke.
    Crashed(String),
}

/// What the tool says of a heap object at the end that some variable still leads to.
const REACHABLE: &str = "something still leads to it";

/// What the tool says about one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub status: Status,
    pub kind: String,
    pub file: String,
    pub line: u64,
    /// Why it is unknown, or how it is violated.
    pub text: String,
    /// The place that keeps it from being decided, if there is one.
    pub because: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    Proved,
    Violated,
    Unknown,
}

/// Compares what the tool printed with the known answer.
pub fn judge(end: &End, expected: &Expected, marks: Option<&Marks>) -> Outcome {
    judge_as(end, expected, marks, false)
}

/// The same for a property to which memory that is still reachable at the end is no leak (valid-memtrack): the tool does not decide it there.
pub fn judge_tracking(end: &End, expected: &Expected) -> Outcome {
    judge_as(end, expected, None, true)
}

fn judge_as(end: &End, expected: &Expected, marks: Option<&Marks>, tracking: bool) -> Outcome {
    let mut findings = match findings(end) {
        Ok(findings) => findings,
        Err(outcome) => return outcome,
    };
    for finding in findings.iter_mut().filter(|finding| tracking && finding.kind == "leak" && finding.text.contains(REACHABLE)) {
        finding.status = Status::Unknown;
    }
    match marks.filter(|marks| !marks.is_empty()) {
        Some(marks) => judge_marked(findings, expected, marks),
        None => judge_all(&findings, expected),
    }
}

/// What the tool says about each place; `Err` if it says nothing that can be believed.
pub fn findings(end: &End) -> Result<Vec<Finding>, Outcome> {
    let Some(code) = end.code else {
        return Err(match end.late {
            true => Outcome::Unknown("stopped by the runner: it did not keep its limit of time".into()),
            false => Outcome::Crashed(last_line(&end.errors, "ended by a signal")),
        });
    };
    if end.errors.contains("internal error") {
        let line = end.errors.lines().find(|line| line.contains("internal error"));
        return Err(Outcome::Crashed(line.unwrap_or_default().to_string()));
    }
    let said = match code {
        0 => Status::Proved,
        5 => Status::Unknown,
        10 => Status::Violated,
        1 | 2 | 6 | 8 => return Err(Outcome::Refused(first_error(&end.errors, code))),
        _ => return Err(Outcome::Crashed(last_line(&end.errors, &format!("exit code {code}")))),
    };
    let listed = listed(&end.output).ok_or_else(|| Outcome::Crashed("what it prints is not the expected JSON".into()))?;
    if overall(&listed) == said { Ok(listed) } else { Err(Outcome::Crashed(format!("exit code {code} does not fit what it lists"))) }
}

/// All findings count.
fn judge_all(findings: &[Finding], expected: &Expected) -> Outcome {
    match (overall(findings), expected) {
        (Status::Unknown, _) => Outcome::Unknown(reason(findings)),
        (Status::Proved, Expected::True) => Outcome::Correct,
        (Status::Proved, Expected::False { .. }) => Outcome::Wrong(format!("proved, with {} properties", findings.len())),
        (Status::Violated, Expected::True) => Outcome::Wrong(violations(findings)),
        (Status::Violated, Expected::False { part }) => {
            let kinds = part.as_deref().map_or(&[] as &[&str], property::kinds_of_part);
            let fits = |finding: &Finding| finding.status == Status::Violated && kinds.contains(&finding.kind.as_str());
            match kinds.is_empty() || findings.iter().any(fits) {
                true => Outcome::Correct,
                false => Outcome::Wrong(violations(findings)),
            }
        }
    }
}

/// Only marked accesses count: a faulty one must not be proved, all others must be. An access that is not mentioned is claimed to be safe.
fn judge_marked(mut findings: Vec<Finding>, expected: &Expected, marks: &Marks) -> Outcome {
    findings.retain(|finding| marks.contain(&finding.file, finding.line));
    match (expected, overall(&findings)) {
        (Expected::True, _) => judge_all(&findings, expected),
        (Expected::False { .. }, Status::Violated | Status::Unknown) => Outcome::Correct,
        (Expected::False { .. }, Status::Proved) if findings.is_empty() => Outcome::Wrong("nothing is said about the marked access".into()),
        (Expected::False { .. }, Status::Proved) => Outcome::Wrong("the marked access is proved".into()),
    }
}

/// One violation decides; else each must be proved.
fn overall(findings: &[Finding]) -> Status {
    let has = |status: Status| findings.iter().any(|finding| finding.status == status);
    match (has(Status::Violated), has(Status::Unknown)) {
        (true, _) => Status::Violated,
        (false, true) => Status::Unknown,
        (false, false) => Status::Proved,
    }
}

fn listed(output: &str) -> Option<Vec<Finding>> {
    let report: Value = serde_json::from_str(output).ok()?;
    if let Some(verdict) = report.get("verdict") {
        return termination(&report, verdict.as_str()?).map(|finding| vec![finding]);
    }
    report.get("properties")?.as_array()?.iter().map(finding).collect()
}

/// What is said about the end of a program.
fn termination(report: &Value, verdict: &str) -> Option<Finding> {
    let status = match verdict {
        "terminates" => Status::Proved,
        "diverges" => Status::Violated,
        "unknown" => Status::Unknown,
        _ => return None,
    };
    let text = |key: &str| report.get(key).and_then(Value::as_str).map(str::to_string);
    let (kind, because) = ("termination".into(), text("because"));
    Some(Finding { status, kind, file: String::new(), line: 0, text: text("reason").unwrap_or_default(), because })
}

fn finding(value: &Value) -> Option<Finding> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_string();
    let (status, explanation) = match value.get("status")?.as_str()? {
        "proved" => (Status::Proved, String::new()),
        "violated" => (Status::Violated, text("message")),
        // A possible violation is none that has been seen.
        "unknown" | "possible" | "conditional" => (Status::Unknown, text("reason")),
        _ => return None,
    };
    let line = value.get("line").and_then(Value::as_u64).unwrap_or_default();
    Some(Finding {
        status,
        kind: text("kind"),
        file: text("file"),
        line,
        text: explanation,
        because: Some(text("because")).filter(|place| !place.is_empty()),
    })
}

/// The most frequent reason; the first of those that are equally frequent.
fn reason(findings: &[Finding]) -> String {
    let undecided: Vec<&str> =
        findings.iter().filter(|finding| finding.status == Status::Unknown).map(|finding| finding.text.as_str()).collect();
    let count = |reason: &str| undecided.iter().filter(|other| **other == reason).count();
    let best = undecided.iter().map(|reason| count(reason)).max();
    let first = undecided.iter().find(|reason| Some(count(reason)) == best);
    first.copied().unwrap_or("no reason is given").to_string()
}

fn violations(findings: &[Finding]) -> String {
    let violated = findings.iter().filter(|finding| finding.status == Status::Violated);
    let texts: Vec<String> = violated.map(|finding| format!("{} in line {}: {}", finding.kind, finding.line, finding.text)).collect();
    format!("violated: {}", texts.join("; "))
}

fn first_error(errors: &str, code: i32) -> String {
    let line = errors.lines().find_map(|line| line.strip_prefix("error"));
    line.map_or(format!("exit code {code}"), |line| line.trim_start_matches(':').trim().to_string())
}

fn last_line(errors: &str, otherwise: &str) -> String {
    errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or(otherwise).to_string()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn finding(status: &str, kind: &str, line: u64) -> Value {
        serde_json::json!({"status": status, "kind": kind, "line": line, "file": "a.c", "reason": "loops", "message": "boom"})
    }

    fn end(code: i32, findings: &[Value]) -> End {
        let output = serde_json::json!({"entry": "main", "properties": findings, "assumed": [], "seconds": 0.1}).to_string();
        End { code: Some(code), late: false, output, errors: String::new(), seconds: 0.1, megabytes: 1.0 }
    }

    fn broken(part: Option<&str>) -> Expected {
        Expected::False { part: part.map(str::to_string) }
    }

    #[test]
    fn one_violation_decides_and_one_unknown_prevents_a_proof() {
        let (good, bad, open) = (finding("proved", "bounds", 1), finding("violated", "bounds", 2), finding("unknown", "null", 3));
        let wrong = Outcome::Wrong("violated: bounds in line 2: boom".into());
        let all = end(10, &[good.clone(), bad.clone(), open.clone()]);
        assert_eq!(judge(&all, &broken(None), None), Outcome::Correct);
        assert_eq!(judge(&all, &Expected::True, None), wrong);
        assert_eq!(judge(&end(5, &[good.clone(), open]), &Expected::True, None), Outcome::Unknown("loops".into()));
        assert_eq!(judge(&end(0, std::slice::from_ref(&good)), &Expected::True, None), Outcome::Correct);
        assert_eq!(judge(&end(0, &[good]), &broken(None), None), Outcome::Wrong("proved, with 1 properties".into()));
        assert_eq!(judge(&end(0, &[]), &Expected::True, None), Outcome::Correct);
    }

    #[test]
    fn the_broken_part_must_be_the_one_that_is_known() {
        let bad = end(10, &[finding("violated", "bounds", 2)]);
        assert_eq!(judge(&bad, &broken(Some("valid-deref")), None), Outcome::Correct);
        assert!(matches!(judge(&bad, &broken(Some("valid-memtrack")), None), Outcome::Wrong(_)));
    }

    #[test]
    fn what_breaks_is_told_from_what_is_refused() {
        let said = |code: Option<i32>, late: bool, errors: &str| {
            let end = End { code, late, output: String::new(), errors: errors.into(), seconds: 1.0, megabytes: 1.0 };
            judge(&end, &Expected::True, None)
        };
        assert_eq!(said(Some(2), false, "warning: a\nerror: expected `;`\n"), Outcome::Refused("expected `;`".into()));
        assert_eq!(said(Some(6), false, "internal error: index\n"), Outcome::Crashed("internal error: index".into()));
        assert_eq!(said(Some(101), false, ""), Outcome::Crashed("exit code 101".into()));
        assert_eq!(said(None, false, ""), Outcome::Crashed("ended by a signal".into()));
        assert!(matches!(said(None, true, ""), Outcome::Unknown(_)));
        assert!(matches!(said(Some(0), false, ""), Outcome::Crashed(_)));
        let contradiction = end(0, &[finding("unknown", "null", 1)]);
        assert!(matches!(judge(&contradiction, &Expected::True, None), Outcome::Crashed(_)));
    }

    #[test]
    fn with_marks_only_marked_accesses_count() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        std::fs::write(&file, "/* BAD */\na[i] = 0;\nb[i] = 0;\n").unwrap();
        let marks = Marks::read(&[PathBuf::from(&file)]);
        let at = |status: &str, line: u64| {
            let mut finding = finding(status, "bounds", line);
            finding["file"] = file.to_str().unwrap().into();
            finding
        };
        let judged = |code: i32, findings: &[Value], expected: Expected| judge(&end(code, findings), &expected, Some(&marks));
        assert_eq!(judged(10, &[at("proved", 2), at("violated", 3)], Expected::True), Outcome::Correct);
        assert_eq!(judged(5, &[at("unknown", 2)], broken(None)), Outcome::Correct);
        assert_eq!(judged(5, &[at("unknown", 2)], Expected::True), Outcome::Unknown("loops".into()));
        assert!(matches!(judged(10, &[at("proved", 2), at("violated", 3)], broken(None)), Outcome::Wrong(_)));
        assert!(matches!(judged(5, &[at("unknown", 3)], broken(None)), Outcome::Wrong(_)));
        assert_eq!(judged(0, &[at("proved", 3)], Expected::True), Outcome::Correct);
    }
}

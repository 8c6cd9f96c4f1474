//! What the tool claims, against what runs show.

use std::path::Path;

use interp::Fault;
use serde_json::Value;

/// What the tool says of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Proved,
    Violated,
    /// Possible, conditional or unknown.
    Open,
}

/// What the tool says about one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    pub status: Status,
    pub kind: String,
    pub line: u32,
    pub column: u32,
    /// The file with inputs for a run that violates it.
    pub inputs: Option<String>,
}

/// Something that cannot be right.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub wrong: Wrong,
    /// The kind of the property, if it is about one.
    pub kind: String,
    pub line: u32,
    pub message: String,
}

/// What is wrong. While a program is made smaller, this stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A run refutes a proof.
    Proof,
    /// A run has a fault at a place that the tool does not mention.
    Silence,
    /// The inputs of a violation do not violate anything.
    Violation,
    /// Something is said to end that does not.
    End,
    /// A loop makes more rounds than it is said to.
    Bound,
    /// A run ends that is said never to.
    Endless,
    /// The exit code says something else than the list.
    ExitCode,
    /// The tool breaks, or prints something strange.
    Crash,
    /// The program is not accepted.
    Refusal,
}

impl Finding {
    /// A finding that is about no property.
    pub fn general(wrong: Wrong, message: impl Into<String>) -> Self {
        Finding { wrong, kind: String::new(), line: 0, message: message.into() }
    }

    /// One line about it.
    pub fn text(&self) -> String {
        let about = if self.kind.is_empty() { String::new() } else { format!(" {} in line {}", self.kind, self.line) };
        let what = match self.wrong {
            Wrong::Proof => "proved, but a run refutes it:",
            Wrong::Silence => "not mentioned, but a run has it:",
            Wrong::Violation => "said to be violated, but the inputs do not show it:",
            Wrong::End => "the state at the head comes again:",
            Wrong::Bound => "too many rounds:",
            Wrong::Endless => "said never to end, but the run ends:",
            Wrong::ExitCode => "exit code:",
            Wrong::Crash => "crash:",
            Wrong::Refusal => "refused:",
        };
        format!("{what}{about} {}", self.message)
    }
}

/// The claims in what the tool printed about a file; the error says what is strange about it.
pub fn claims(output: &str, file: &Path) -> Result<Vec<Claim>, String> {
    let report: Value = serde_json::from_str(output).map_err(|error| format!("the output is no JSON: {error}"))?;
    let properties = report.get("properties").and_then(Value::as_array).ok_or("there is no list of properties")?;
    let mut claims = Vec::new();
    for property in properties {
        let text = |key: &str| property.get(key).and_then(Value::as_str);
        let number = |key: &str| property.get(key).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
        let status = match text("status") {
            Some("proved") => Status::Proved,
            Some("violated") => Status::Violated,
            Some("unknown" | "possible" | "conditional") => Status::Open,
            other => return Err(format!("the status {other:?} is not known")),
        };
        // The place of a property that is about no file is unknown, too.
        let here = text("file").is_some_and(|name| Path::new(name).file_name() == file.file_name());
        let (line, column) = if here { (number("line"), number("column")) } else { (None, None) };
        let kind = text("kind").ok_or("a property has no kind")?.to_string();
        let inputs = text("rerun").map(str::to_string);
        claims.push(Claim { status, kind, line: line.unwrap_or(0), column: column.unwrap_or(0), inputs });
    }
    Ok(claims)
}

/// What the exit code has to be.
pub fn expected_code(claims: &[Claim]) -> i32 {
    let has = |status: Status| claims.iter().any(|claim| claim.status == status);
    match (has(Status::Violated), has(Status::Open)) {
        (true, _) => 10,
        (false, true) => 5,
        (false, false) => 0,
    }
}

/// What a fault of a run says against the claims. Where several properties of its kind begin at its place, or it begins elsewhere in the
/// line, it may belong to any of them, so all have to be proved.
pub fn judge(fault: &Fault, claims: &[Claim]) -> Option<Finding> {
    let (kind, span) = (fault.kind.name(), fault.span);
    let on_line: Vec<&Claim> = claims.iter().filter(|claim| claim.kind == kind && claim.line == span.line).collect();
    let here: Vec<&&Claim> = on_line.iter().filter(|claim| claim.column == span.column).collect();
    let all_proved = match here.is_empty() {
        true => on_line.iter().all(|claim| claim.status == Status::Proved),
        false => here.iter().all(|claim| claim.status == Status::Proved),
    };
    // A pointer may move as far as its width allows, and the interpreter loses it sooner: such a run refutes nothing (`passes::checks` lists this difference).
    if fault.message == interp::STRAYED {
        return None;
    }
    // What the library reads is no property.
    if on_line.is_empty() && fault.message == interp::READ_BY_LIBRARY {
        return None;
    }
    let wrong = if on_line.is_empty() { Wrong::Silence } else { Wrong::Proof };
    all_proved.then(|| Finding { wrong, kind: kind.into(), line: span.line, message: fault.message.clone() })
}

/// Whether a claim of a violation is about a fault.
pub fn is_about(claim: &Claim, fault: &Fault) -> bool {
    claim.kind == fault.kind.name() && claim.line == fault.span.line
}

#[cfg(test)]
mod tests {
    use model::{CheckKind, Span};

    use super::*;

    fn report(properties: &[(&str, &str, u32, u32)]) -> Vec<Claim> {
        let property = |&(kind, status, line, column): &(&str, &str, u32, u32)| serde_json::json!({"file": "/tmp/program.i", "kind": kind, "status": status, "line": line, "column": column});
        let properties: Vec<Value> = properties.iter().map(property).collect();
        let output = serde_json::json!({"entry": "main", "properties": properties}).to_string();
        claims(&output, Path::new("program.i")).unwrap()
    }

    fn fault(kind: CheckKind, line: u32, column: u32) -> Fault {
        let span = Span { line, column, ..Span::NONE };
        Fault { kind, message: "boom".into(), span, stack: Vec::new() }
    }

    #[test]
    fn a_refuted_proof_is_found() {
        let claims = report(&[("bounds", "proved", 3, 5), ("bounds", "unknown", 3, 9), ("overflow", "violated", 3, 5)]);
        let finding = judge(&fault(CheckKind::Bounds, 3, 5), &claims).unwrap();
        assert_eq!(finding.text(), "proved, but a run refutes it: bounds in line 3 boom");
        assert_eq!(judge(&fault(CheckKind::Bounds, 3, 9), &claims), None);
        assert_eq!(judge(&fault(CheckKind::Bounds, 3, 7), &claims), None);
        assert_eq!(judge(&fault(CheckKind::SignedOverflow, 3, 5), &claims), None);
    }

    #[test]
    fn what_the_library_reads_is_no_property() {
        let read = Fault { message: interp::READ_BY_LIBRARY.into(), ..fault(CheckKind::Uninitialised, 3, 5) };
        assert_eq!(judge(&read, &report(&[("bounds", "proved", 3, 5)])), None);
        let finding = judge(&read, &report(&[("uninit", "proved", 3, 5)]));
        assert_eq!(finding.map(|finding| finding.wrong), Some(Wrong::Proof));
    }

    #[test]
    fn a_pointer_that_the_interpreter_loses_refutes_nothing() {
        let lost = Fault { message: interp::STRAYED.into(), ..fault(CheckKind::Bounds, 3, 5) };
        assert_eq!(judge(&lost, &report(&[("bounds", "proved", 3, 5)])), None);
        assert_eq!(judge(&lost, &report(&[])), None);
        let found = judge(&fault(CheckKind::Bounds, 3, 5), &report(&[("bounds", "proved", 3, 5)]));
        assert_eq!(found.map(|finding| finding.wrong), Some(Wrong::Proof));
    }

    #[test]
    fn a_fault_that_is_not_mentioned_is_found() {
        let claims = report(&[("bounds", "proved", 3, 5)]);
        assert_eq!(judge(&fault(CheckKind::Null, 3, 5), &claims).map(|finding| finding.wrong), Some(Wrong::Silence));
        assert_eq!(judge(&fault(CheckKind::Bounds, 4, 5), &claims).map(|finding| finding.wrong), Some(Wrong::Silence));
    }

    #[test]
    fn exit_codes_follow_from_the_list() {
        assert_eq!(expected_code(&report(&[])), 0);
        assert_eq!(expected_code(&report(&[("null", "proved", 1, 1), ("null", "possible", 2, 1)])), 5);
        assert_eq!(expected_code(&report(&[("null", "violated", 1, 1), ("null", "unknown", 2, 1)])), 10);
    }

    #[test]
    fn strange_output_is_an_error() {
        let file = Path::new("program.i");
        assert!(claims("", file).is_err());
        assert!(claims("{}", file).is_err());
        assert!(claims(r#"{"properties": [{"kind": "null", "status": "fine"}]}"#, file).is_err());
    }
}

//! Task files of the software verification competition (`.yml`), as far as the competition uses YAML: keys with scalars, and lists of
//! scalars or of keys with scalars.

use super::index::answer;
use super::task::{Draft, Expected};

/// A property of a task file, as far as it has been read.
#[derive(Default)]
struct Question {
    property: String,
    verdict: Option<String>,
    part: Option<String>,
}

/// The tasks of a task file in a folder: one for each property whose answer is known.
pub fn parse(text: &str, family: &str) -> Result<Vec<Draft>, String> {
    let mut files = Vec::new();
    let mut questions: Vec<Question> = Vec::new();
    let mut ilp32 = None;
    let mut section = String::new();
    for (number, line) in text.lines().enumerate() {
        let content = without_comment(line);
        let mut rest = content.trim();
        if rest.is_empty() || rest == "---" {
            continue;
        }
        let starts_item = rest == "-" || rest.starts_with("- ");
        if starts_item {
            rest = rest[1..].trim_start();
        } else if !content.starts_with(' ') {
            section = key_and_value(rest).ok_or(format!("line {}: a key is expected", number + 1))?.0.to_string();
        }
        if starts_item && section == "properties" {
            questions.push(Question::default());
        }
        match (section.as_str(), key_and_value(rest)) {
            ("input_files", Some(("input_files", value))) => files.extend(scalars(value)),
            ("input_files", None) => files.extend(scalars(rest)),
            ("properties", Some((key, value))) => set(questions.last_mut(), key, scalar(value)),
            ("options", Some(("data_model", value))) => ilp32 = Some(scalar(value) == "ILP32"),
            _ => {}
        }
    }
    if files.is_empty() {
        return Err("there are no input files".into());
    }
    let ilp32 = ilp32.ok_or("there is no data model")?;
    let answered = questions.into_iter().filter_map(|question| question.answered());
    Ok(answered.map(|(property, expected)| Draft { family: family.to_string(), files: files.clone(), property, expected, ilp32 }).collect())
}

impl Question {
    /// The name of the property and the answer, if that is known.
    fn answered(self) -> Option<(String, Expected)> {
        let file = self.property.rsplit('/').next()?;
        let name = file.strip_suffix(".prp").unwrap_or(file).to_string();
        Some((name, answer(&self.verdict?, self.part)?))
    }
}

fn set(question: Option<&mut Question>, key: &str, value: String) {
    let Some(question) = question else { return };
    match key {
        "property_file" => question.property = value,
        "expected_verdict" => question.verdict = Some(value),
        "subproperty" => question.part = Some(value),
        _ => {}
    }
}

/// A comment starts the line or follows a space.
fn without_comment(line: &str) -> &str {
    if line.starts_with('#') { "" } else { line.split(" #").next().unwrap_or(line) }
}

fn key_and_value(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(':')?;
    let is_key = key.chars().all(|character| character.is_alphanumeric() || character == '_');
    (is_key && (value.is_empty() || value.starts_with(' '))).then(|| (key, value.trim()))
}

/// The scalars of a value that is one, a list in brackets, or empty.
fn scalars(value: &str) -> Vec<String> {
    let inside = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(value);
    inside.split(',').map(scalar).filter(|scalar| !scalar.is_empty()).collect()
}

fn scalar(value: &str) -> String {
    let value = value.trim();
    let quoted = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
    quoted.unwrap_or(value).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_property_with_an_answer_is_a_task() {
        let text = "\
format_version: '2.0'

# a comment
input_files: 'list.i'  # preprocessed

properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-memtrack
  - property_file: ../properties/coverage-branches.prp

options:
  language: C
  data_model: ILP32
";
        let draft = |property: &str, expected| Draft {
            family: "lists".into(),
            files: vec!["list.i".into()],
            property: property.into(),
            expected,
            ilp32: true,
        };
        let leak = Expected::False { part: Some("valid-memtrack".into()) };
        assert_eq!(parse(text, "lists").unwrap(), [draft("unreach-call", Expected::True), draft("valid-memsafety", leak)]);
    }

    #[test]
    fn lists_come_in_three_forms() {
        let rest = "properties:\n- property_file: no-overflow.prp\n  expected_verdict: false\noptions:\n  data_model: LP64\n";
        for list in ["input_files: ['a.c', \"b.c\"]\n", "input_files:\n  - 'a.c'\n  - b.c\n", "input_files:\n- a.c\n- \"b.c\"\n"] {
            let drafts = parse(&format!("{list}{rest}"), "family").unwrap();
            assert_eq!(drafts.len(), 1);
            assert_eq!(drafts[0].files, ["a.c", "b.c"]);
            assert_eq!((drafts[0].property.as_str(), drafts[0].ilp32), ("no-overflow", false));
            assert_eq!(drafts[0].expected, Expected::False { part: None });
        }
    }

    #[test]
    fn what_is_needed_must_be_there() {
        assert_eq!(parse("options:\n  data_model: LP64\n", "family").unwrap_err(), "there are no input files");
        assert_eq!(parse("input_files: a.c\n", "family").unwrap_err(), "there is no data model");
        assert_eq!(parse("input_files: a.c\nnonsense\n", "family").unwrap_err(), "line 2: a key is expected");
    }
}

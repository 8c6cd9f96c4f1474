//! Index files: a line per task with path, property, expected answer, data model and the files to link, tabs between them.

use std::collections::BTreeMap;

use super::task::{Draft, Expected};

/// With fewer programs in each, the folders of a corpus are no families but parts of one.
const SMALL_FAMILY: usize = 10;

/// The tasks of an index of a corpus.
pub fn parse(text: &str, corpus: &str) -> Result<Vec<Draft>, String> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, heading) = lines.next().ok_or("the index is empty")?;
    let columns: Vec<&str> = heading.split('\t').collect();
    let column = |name: &str| columns.iter().position(|column| *column == name).ok_or(format!("the index has no column `{name}`"));
    let (path, property, expected, model) = (column("path")?, column("property")?, column("expected")?, column("model")?);
    let link = column("link").ok();
    let mut drafts = Vec::new();
    for (number, line) in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |at: usize| fields.get(at).copied().ok_or(format!("line {}: a field is missing", number + 1));
        let linked = link.and_then(|at| fields.get(at)).copied().unwrap_or_default();
        let (property, part) = split_part(field(property)?);
        drafts.push(Draft {
            family: String::new(),
            files: std::iter::once(field(path)?).chain(linked.split_whitespace()).map(str::to_string).collect(),
            property: property.to_string(),
            expected: answer(field(expected)?, part).ok_or(format!("line {}: expected is neither true nor false", number + 1))?,
            ilp32: match field(model)? {
                "32" | "ILP32" => true,
                "64" | "LP64" => false,
                other => return Err(format!("line {}: there is no data model `{other}`", number + 1)),
            },
        });
    }
    name_families(&mut drafts, corpus);
    Ok(drafts)
}

/// A known answer from its word.
pub fn answer(word: &str, part: Option<String>) -> Option<Expected> {
    match word {
        "true" => Some(Expected::True),
        "false" => Some(Expected::False { part }),
        _ => None,
    }
}

/// `valid-memsafety(valid-deref)` is a property and the part of it that is broken.
fn split_part(property: &str) -> (&str, Option<String>) {
    match property.strip_suffix(')').and_then(|rest| rest.split_once('(')) {
        Some((whole, part)) => (whole, Some(part.to_string())),
        None => (property, None),
    }
}

/// Families are the folders in which the paths of the index differ first.
fn name_families(drafts: &mut [Draft], corpus: &str) {
    let folders: Vec<Vec<String>> = drafts.iter().map(folders).collect();
    let is_common = |depth: usize| {
        let mut names = folders.iter().map(|path| path.get(depth));
        let first = names.next().flatten();
        first.is_some() && names.all(|name| name == first)
    };
    let depth = (0..).find(|&depth| !is_common(depth)).unwrap_or(0);
    let mut sizes: BTreeMap<Option<&String>, usize> = BTreeMap::new();
    for path in &folders {
        *sizes.entry(path.get(depth)).or_default() += 1;
    }
    let is_divided = drafts.len() >= SMALL_FAMILY * sizes.len();
    for (draft, path) in drafts.iter_mut().zip(&folders) {
        draft.family = match path.get(depth).filter(|_| is_divided) {
            Some(folder) => format!("{corpus}/{folder}"),
            None => corpus.to_string(),
        };
    }
}

fn folders(draft: &Draft) -> Vec<String> {
    let mut parts: Vec<String> = draft.files.first().into_iter().flat_map(|path| path.split('/')).map(str::to_string).collect();
    parts.pop();
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADING: &str = "path\tproperty\texpected\tmodel\tlink\n";

    #[test]
    fn lines_become_tasks() {
        let text = format!("{HEADING}p/a.c\tvalid-memsafety(valid-free)\tfalse\t32\t\np/b.c\tmemsafety\ttrue\t64\tlib/x.c lib/y.c\n");
        let drafts = parse(&text, "suite").unwrap();
        let first = Draft {
            family: "suite".into(),
            files: vec!["p/a.c".into()],
            property: "valid-memsafety".into(),
            expected: Expected::False { part: Some("valid-free".into()) },
            ilp32: true,
        };
        let second = Draft {
            family: "suite".into(),
            files: vec!["p/b.c".into(), "lib/x.c".into(), "lib/y.c".into()],
            property: "memsafety".into(),
            expected: Expected::True,
            ilp32: false,
        };
        assert_eq!(drafts, [first, second]);
    }

    #[test]
    fn flaws_name_their_line() {
        let flaw = |line: &str| parse(&format!("{HEADING}\n{line}\n"), "suite").unwrap_err();
        assert_eq!(flaw("a.c\tmemsafety\tmaybe\t64\t"), "line 3: expected is neither true nor false");
        assert_eq!(flaw("a.c\tmemsafety\ttrue\t16\t"), "line 3: there is no data model `16`");
        assert_eq!(flaw("a.c\tmemsafety"), "line 3: a field is missing");
        assert_eq!(parse("path\tproperty\n", "suite").unwrap_err(), "the index has no column `expected`");
        assert_eq!(parse("", "suite").unwrap_err(), "the index is empty");
    }

    #[test]
    fn families_are_the_folders_that_differ_if_they_are_big() {
        let line = |folder: &str, number: usize| format!("c/{folder}/{number}.c\tunreach-call\ttrue\t64\n");
        let lines: String = (0..12).flat_map(|number| [line("loops", number), line("heap", number)]).collect();
        let families: Vec<String> = parse(&format!("{HEADING}{lines}"), "suite").unwrap().into_iter().map(|draft| draft.family).collect();
        assert_eq!(families.iter().filter(|family| *family == "suite/loops").count(), 12);
        assert_eq!(families.iter().filter(|family| *family == "suite/heap").count(), 12);
        let lines: String = (0..3).flat_map(|number| [line("loops", number), line("heap", number)]).collect();
        assert!(parse(&format!("{HEADING}{lines}"), "suite").unwrap().iter().all(|draft| draft.family == "suite"));
    }
}

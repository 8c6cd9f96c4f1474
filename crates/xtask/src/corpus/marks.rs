//! Comments that mark the accesses that matter, as in Verisec: `/* BAD */` or `/* OK */` before the statement, and, where that calls the
//! model of a library function, `/* NAME RELEVANT */` before a statement in the function `NAME`.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The marked statements of a program.
#[derive(Debug, Default, PartialEq)]
pub struct Marks {
    statements: Vec<(PathBuf, RangeInclusive<u64>)>,
}

/// A marked statement of one file.
#[derive(Debug, PartialEq)]
struct Mark {
    /// The function that is relevant; none behind `BAD` and `OK`.
    function: Option<String>,
    lines: RangeInclusive<u64>,
    text: String,
}

impl Marks {
    /// Reads the marks in all files of a program.
    pub fn read(files: &[PathBuf]) -> Self {
        let mut marks = Vec::new();
        for file in files {
            let text = fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
            marks.extend(scan(&text).into_iter().map(|mark| (file.clone(), mark)));
        }
        Marks::select(marks)
    }

    fn select(marks: Vec<(PathBuf, Mark)>) -> Self {
        let main: Vec<&(PathBuf, Mark)> = marks.iter().filter(|(_, mark)| mark.function.is_none()).collect();
        let relevant: Vec<&(PathBuf, Mark)> = marks.iter().filter(|(_, mark)| mark.function.is_some()).collect();
        let mut statements = Vec::new();
        for found in main {
            let called = relevant.iter().filter(|(_, mark)| mark.function.as_ref().is_some_and(|name| calls(&found.1.text, name)));
            let called: Vec<_> = called.collect();
            match called.is_empty() {
                true => statements.push((found.0.clone(), found.1.lines.clone())),
                false => statements.extend(called.iter().map(|(file, mark)| (file.clone(), mark.lines.clone()))),
            }
        }
        Marks { statements }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// Whether a place is in a marked statement.
    pub fn contain(&self, file: &str, line: u64) -> bool {
        self.statements.iter().any(|(marked, lines)| marked == Path::new(file) && lines.contains(&line))
    }
}

/// The marks of a file.
fn scan(text: &str) -> Vec<Mark> {
    let lines: Vec<&str> = text.lines().collect();
    let markers = lines.iter().enumerate().filter_map(|(at, line)| Some((at, marker(line)?)));
    markers.filter_map(|(at, function)| statement(&lines, at + 1, function)).collect()
}

/// What a line marks, if it is nothing but a marking comment.
fn marker(line: &str) -> Option<Option<String>> {
    let comment = line.trim().strip_prefix("/*")?.strip_suffix("*/")?.trim();
    match comment.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["BAD" | "OK"] => Some(None),
        [name, "RELEVANT"] => Some(Some(name.to_string())),
        _ => None,
    }
}

/// The statement that starts at a line or, behind empty lines and comments, later.
fn statement(lines: &[&str], from: usize, function: Option<String>) -> Option<Mark> {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("/*") && !line.trim().starts_with("//");
    let start = from + lines.get(from..)?.iter().position(is_code)?;
    let rest = lines.get(start..)?;
    let length = rest.iter().position(|line| line.contains([';', '{', '}'])).map_or(rest.len(), |last| last + 1);
    let text = rest.get(..length)?.join("\n");
    Some(Mark { function, lines: start as u64 + 1..=(start + length) as u64, text })
}

/// Whether the text of a statement has a call of a function.
fn calls(text: &str, name: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(is_word) && text[at + name.len()..].trim_start().starts_with('(')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(files: &[(&str, &str)]) -> Marks {
        let marks = files.iter().flat_map(|(file, text)| scan(text).into_iter().map(move |mark| (PathBuf::from(file), mark)));
        Marks::select(marks.collect())
    }

    #[test]
    fn the_statement_behind_the_comment_is_marked() {
        let marks = select(&[("a.c", "f();\n  /* BAD */\n\n  /* really */\n  a[i] =\n    b;\n  c[i] = 0;\n")]);
        let marked: Vec<u64> = (1..=7).filter(|line| marks.contain("a.c", *line)).collect();
        assert_eq!(marked, [5, 6]);
        assert!(!marks.contain("b.c", 5));
    }

    #[test]
    fn a_call_stands_for_what_is_relevant_in_the_function() {
        let library = "/* r_copy RELEVANT */\nd[i] = s[i];\n/* r_cat RELEVANT */\nd[i] = 0;\n";
        let marks = select(&[("a.c", "/*OK*/\nr_copy (a, b);\n/* OK */\nmy_r_cat(a);\n"), ("lib.c", library)]);
        assert!(marks.contain("lib.c", 2) && !marks.contain("lib.c", 4));
        assert!(marks.contain("a.c", 4) && !marks.contain("a.c", 2));
    }

    #[test]
    fn other_comments_mark_nothing() {
        assert!(select(&[("a.c", "/* OK for now */\na[i] = 0; /* BAD */\nb();\n/* BAD */")]).is_empty());
    }
}

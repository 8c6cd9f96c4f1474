//! Comments that mark the accesses that matter, as in Verisec: `/* BAD */` or `/* OK */` before the statement, and, where that calls the
//! model of a library function, `/* NAME RELEVANT */` before a statement in the function `NAME`.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Words that start a statement with a body.
const HEADS: &[&str] = &["if", "while", "for", "switch"];

/// The marked accesses of a program.
#[derive(Debug, Default, PartialEq)]
pub struct Marks {
    accesses: Vec<Access>,
}

/// A marked access.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The marked statement.
    pub statement: Place,
    /// Where what counts is: the statement itself or, if that is a call, what is relevant in the function. Of several places in a function
    /// the preprocessor may have left only one.
    pub places: Vec<Place>,
    /// Whether a function is called, which may have something to check.
    pub has_call: bool,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub file: PathBuf,
    pub lines: RangeInclusive<u64>,
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
        let place = |(file, mark): &(PathBuf, Mark)| Place { file: file.clone(), lines: mark.lines.clone() };
        let relevant_in = |text: &str| -> Vec<Place> {
            let is_called = |mark: &Mark| mark.function.as_ref().is_some_and(|name| calls(text, name));
            marks.iter().filter(|(_, mark)| is_called(mark)).map(place).collect()
        };
        let mut accesses = Vec::new();
        for found in marks.iter().filter(|(_, mark)| mark.function.is_none()) {
            let (statement, relevant) = (place(found), relevant_in(&found.1.text));
            let places = if relevant.is_empty() { vec![statement.clone()] } else { relevant };
            accesses.push(Access { statement, places, has_call: has_call(&found.1.text) });
        }
        accesses.dedup();
        Marks { accesses }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.accesses.is_empty()
    }

    /// All, file by file, from the first line to the last.
    pub fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    /// Whether a place is in a marked access.
    pub fn contain(&self, file: &str, line: u64) -> bool {
        self.accesses.iter().any(|access| access.contains(file, line))
    }
}

impl Access {
    /// Whether a place is what counts.
    pub fn contains(&self, file: &str, line: u64) -> bool {
        self.places.iter().any(|place| place.file == Path::new(file) && place.lines.contains(&line))
    }
}

/// The marks of a file.
fn scan(text: &str) -> Vec<Mark> {
    let code = without_comments(text);
    let code: Vec<&str> = code.lines().collect();
    let markers = text.lines().enumerate().filter_map(|(at, line)| Some((at, marker(line)?)));
    markers.filter_map(|(at, function)| statement(&code, at + 1, function)).collect()
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

/// The text with a space in place of each comment, on the same lines. Quotes hide what looks like a comment.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => quoted_length(rest, first),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        if token.starts_with("/*") || token.starts_with("//") {
            code.push(' ');
            code.extend(token.chars().filter(|&character| character == '\n'));
        } else {
            code.push_str(token);
        }
        rest = behind;
    }
    code
}

/// The length of a literal with its quotes. One that is not closed ends with its line.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '\n' if !is_escaped => return at,
            _ if character == quote && !is_escaped => return at + 1,
            _ => is_escaped = character == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// The statement that starts at a line or, behind empty ones, later. Of one with a body (`if`, `while`) only the head is meant.
fn statement(code: &[&str], from: usize, function: Option<String>) -> Option<Mark> {
    let start = from + code.get(from..)?.iter().position(|line| !line.trim().is_empty())?;
    let rest = code.get(start..)?;
    let has_body = HEADS.iter().any(|word| calls(rest.first().unwrap_or(&""), word));
    let mut depth = 0;
    let ends = |line: &&str| {
        depth += line.matches('(').count() as i64 - line.matches(')').count() as i64;
        if has_body { depth <= 0 } else { line.contains([';', '{', '}']) }
    };
    let length = rest.iter().position(ends).map_or(rest.len(), |last| last + 1);
    Some(Mark { function, lines: start as u64 + 1..=(start + length) as u64, text: rest.get(..length)?.join("\n") })
}

/// Whether the text of a statement has a call of a function.
fn calls(text: &str, name: &str) -> bool {
    words_before_parentheses(text).any(|word| word == name)
}

/// Whether the text of a statement has a call of any function.
fn has_call(text: &str) -> bool {
    words_before_parentheses(text).any(|word| !HEADS.contains(&word) && !["return", "sizeof"].contains(&word))
}

/// The names and keywords that a parenthesis follows.
fn words_before_parentheses(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let before = text.match_indices('(').filter_map(|(at, _)| text.get(..at)).map(str::trim_end);
    before.map(move |before| before.get(before.trim_end_matches(is_word).len()..).unwrap_or_default()).filter(|word| !word.is_empty())
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
    fn only_the_head_of_a_statement_with_a_body_is_marked() {
        let marks = select(&[("a.c", "/* BAD */\nif (*p++ ==\n    'x')\n  q++;\n/* OK */\n/* a\n * b */\nif (n > 0) d[n-1]; // c\n")]);
        let marked: Vec<u64> = (1..=9).filter(|line| marks.contain("a.c", *line)).collect();
        assert_eq!(marked, [2, 3, 8]);
    }

    #[test]
    fn marks_in_a_row_mark_one_access() {
        let marks = select(&[("a.c", "/* BAD */\n/* OK */\na[i] = '\"'; /* b */\n/* BAD */\ns = \"/*\";\n")]);
        let statements: Vec<&RangeInclusive<u64>> = marks.accesses().iter().map(|access| &access.statement.lines).collect();
        assert_eq!(statements, [&(3..=3), &(5..=5)]);
    }

    #[test]
    fn calls_are_told_from_heads_of_statements() {
        assert!(has_call("(void) strcpy (a, b);") && has_call("if (f(x))") && has_call("assert(n < (m));"));
        assert!(!has_call("if (n > (2)) a[sizeof (b) - 1] = (char) (c);") && !has_call("return (x);"));
    }

    #[test]
    fn other_comments_mark_nothing() {
        assert!(select(&[("a.c", "/* OK for now */\na[i] = 0; /* BAD */\nb();\n/* BAD */")]).is_empty());
    }
}

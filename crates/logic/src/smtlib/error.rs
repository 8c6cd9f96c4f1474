//! What is wrong with a script, and where.

use std::fmt;

/// A script that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1 on.
    pub line: usize,
    /// The character of the line, from 1 on.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.reason)
    }
}

impl std::error::Error for ParseError {}

/// The same with the place as an offset into the text.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) offset: usize,
    pub(super) reason: String,
}

impl Fault {
    pub(super) fn at(offset: usize, reason: impl Into<String>) -> Fault {
        Fault { offset, reason: reason.into() }
    }
    pub(super) fn in_text(self, text: &str) -> ParseError {
        let before = text.get(..self.offset).unwrap_or(text);
        let line = before.rsplit('\n').next().unwrap_or(before);
        ParseError { line: before.matches('\n').count() + 1, column: line.chars().count() + 1, reason: self.reason }
    }
}

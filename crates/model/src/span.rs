//! Where in the user's source something stands.

use serde::{Deserialize, Serialize};

use crate::arena::Id;

/// The name of a source file as the compiler saw it.
pub type FileId = Id<String>;

/// A stretch of one source line, after line markers were resolved: always a place in the user's files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Span {
    /// The file, an index into the program's table of file names.
    pub file: FileId,
    /// Line, from 1; 0 where there is no place to point at.
    pub line: u32,
    /// Column in bytes, from 1; a tab counts 1.
    pub column: u32,
    /// How many bytes of that line are meant; at least 1 for a real place.
    pub length: u32,
}

impl Span {
    /// No place at all, for things that nobody wrote.
    pub const NONE: Span = Span { file: Id::new(0), line: 0, column: 0, length: 0 };

    /// Whether this is [`Span::NONE`].
    pub fn is_none(&self) -> bool {
        self.line == 0
    }

    /// From the start of `self` to the end of `end`, or to the end of `self` where `end` is on another line.
    pub fn to(self, end: Span) -> Span {
        if self.file == end.file && self.line == end.line && end.column >= self.column {
            Span { length: (end.column + end.length - self.column).max(self.length), ..self }
        } else {
            self
        }
    }
}

impl Default for Span {
    fn default() -> Self {
        Span::NONE
    }
}

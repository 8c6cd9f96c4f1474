//! The user's files, read when a message needs a line of them.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use model::{Arena, Span};

use super::Label;
use super::excerpt::Marked;

/// The lines of the files of a program, read on demand and at most once.
#[derive(Debug)]
pub struct Sources<'a> {
    files: &'a Arena<String>,
    /// What relative names are relative to.
    directory: PathBuf,
    contents: Vec<OnceCell<Option<Lines>>>,
}

#[derive(Debug)]
struct Lines {
    text: Vec<u8>,
    starts: Vec<usize>,
}

impl Lines {
    /// `None` if there is no such regular file.
    fn read(path: &Path) -> Option<Self> {
        if !path.metadata().ok()?.is_file() {
            return None;
        }
        let text = std::fs::read(path).ok()?;
        let starts = std::iter::once(0).chain(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1)).collect();
        Some(Lines { text, starts })
    }

    fn line(&self, number: u32) -> Option<&[u8]> {
        let index = (number as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        let line = self.text.get(start..end)?;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

impl<'a> Sources<'a> {
    /// The files of a table of names; relative names are looked for in the directory.
    pub fn new(files: &'a Arena<String>, directory: impl Into<PathBuf>) -> Self {
        Sources { files, directory: directory.into(), contents: files.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The name of the file of a place.
    pub fn name(&self, span: Span) -> Option<&'a str> {
        if span.is_none() { None } else { self.files.get(span.file).map(String::as_str) }
    }

    /// The user's line at a place, if it can be read.
    fn line(&self, span: Span) -> Option<&[u8]> {
        let name = self.name(span)?;
        let lines = self.contents.get(span.file.index())?.get_or_init(|| Lines::read(&self.directory.join(name)));
        lines.as_ref()?.line(span.line)
    }

    /// The line to show for a label with what to mark in it: the user's line if there is one, else the compiler's. The flag says
    /// whether the marked text is the text that the label is about.
    pub(super) fn marked(&self, label: &Label) -> Option<(Marked, bool)> {
        let column = label.span.column.saturating_sub(1) as usize;
        let Some(line) = self.line(label.span) else {
            return label.preprocessed.clone().map(|marked| (marked, true));
        };
        let exact = match &label.preprocessed {
            Some(preprocessed) => preprocessed.find_in(line, column),
            None => Some(column..column + label.span.length as usize).filter(|mark| mark.end <= line.len()),
        };
        match exact {
            Some(mark) => Marked::around(line, 0, mark).map(|marked| (marked, true)),
            None => {
                let indent = line.len() - line.trim_ascii_start().len();
                let marked = Marked::around(line, 0, indent..line.trim_ascii_end().len().max(indent + 1))?;
                Some((marked, false))
            }
        }
    }

    /// The column of a label in the user's line, from 1. Macros and white space move things, so it may differ from the span's.
    pub(super) fn column(&self, label: &Label) -> u32 {
        match self.marked(label) {
            Some((marked, _)) => marked.column(),
            None => label.span.column,
        }
    }
}

//! From positions in the preprocessed text to places in the user's files.

use model::arena::Arena;
use model::{FileId, Span};
use rustc_hash::FxHashMap;

use crate::ast::Range;

/// Where the lines of the preprocessed text come from. Filled by the lexer as it reads line ends and line markers.
#[derive(Debug)]
pub struct SourceMap {
    /// The names of the files that line markers name, in order of appearance; the first is the main file.
    pub files: Arena<String>,
    known: FxHashMap<String, FileId>,
    lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    start: u32,
    number: u32,
    file: FileId,
}

impl SourceMap {
    /// The map of a text that begins with line 1 of the main file.
    pub fn new(main_file: &str) -> Self {
        let mut files = Arena::new();
        let file = files.push(main_file.to_string());
        let known = [(main_file.to_string(), file)].into_iter().collect();
        SourceMap { files, known, lines: vec![Line { start: 0, number: 1, file }] }
    }

    /// The id of a file name.
    pub fn file(&mut self, name: &str) -> FileId {
        if let Some(&file) = self.known.get(name) {
            return file;
        }
        let file = self.files.push(name.to_string());
        self.known.insert(name.to_string(), file);
        file
    }

    /// Says that the line that begins at this offset is that line of that file. Offsets must not descend.
    pub fn add_line(&mut self, start: u32, number: u32, file: FileId) {
        if let Some(last) = self.lines.last_mut()
            && last.start == start
        {
            *last = Line { start, number, file };
        } else {
            self.lines.push(Line { start, number, file });
        }
    }

    /// The line number and file of the last known line.
    pub fn last_line(&self) -> (u32, FileId) {
        let last = self.lines.last().expect("a source map has a first line");
        (last.number, last.file)
    }

    /// The place of a range in the user's files. A range over several lines is cut at the end of its first.
    pub fn span(&self, range: Range) -> Span {
        let index = self.lines.partition_point(|line| line.start <= range.start).saturating_sub(1);
        let line = self.lines[index];
        let mut end = range.end.max(range.start + 1);
        if let Some(next) = self.lines.get(index + 1) {
            end = end.min(next.start.saturating_sub(1)).max(range.start + 1);
        }
        Span { file: line.file, line: line.number, column: range.start - line.start + 1, length: end - range.start }
    }

    /// The offset in the preprocessed text of the first byte of the line that holds this offset.
    pub fn line_start(&self, offset: u32) -> u32 {
        let index = self.lines.partition_point(|line| line.start <= offset).saturating_sub(1);
        self.lines[index].start
    }
}

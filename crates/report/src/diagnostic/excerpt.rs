//! A line of source with a stretch of it to be marked, cut to what fits on a screen.

use std::ops::Range;

/// How many bytes of a line are shown.
const WIDTH: usize = 160;
/// How many of them before the marked stretch, if the line is longer.
const BEFORE: usize = 60;
/// How far from the expected column the marked text is looked for.
const REACH: usize = 2000;
/// A tab leads to the next multiple of this.
const TAB: usize = 4;

/// A part of a line around a marked stretch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Marked {
    bytes: Vec<u8>,
    /// The stretch, in bytes of the part.
    mark: Range<usize>,
    /// Where the part begins in its line.
    skipped: usize,
    /// Whether the line goes on after the part.
    goes_on: bool,
}

/// A part of a line as it is printed: one column per character.
pub(super) struct Excerpt {
    pub text: String,
    /// The first marked column, from 0.
    pub start: usize,
    /// How many columns are marked, at least 1.
    pub width: usize,
}

impl Marked {
    /// The part of the line from `line_start` on that surrounds a stretch of a text; `None` if the stretch is not in the text.
    pub fn around(text: &[u8], line_start: usize, mark: Range<usize>) -> Option<Self> {
        let long = text.get(line_start..)?.iter().take(WIDTH).all(|byte| *byte != b'\n');
        let wanted = if long { line_start.max(mark.start.saturating_sub(BEFORE)) } else { line_start };
        let mut start = wanted.min(mark.start);
        // Not in the middle of a character.
        while start < mark.start && text.get(start).is_some_and(|byte| byte & 0xc0 == 0x80) {
            start += 1;
        }
        let rest = text.get(start..)?;
        let end_of_line = rest.iter().take(WIDTH).position(|byte| *byte == b'\n');
        let mut length = end_of_line.unwrap_or(rest.len().min(WIDTH));
        let goes_on = end_of_line.is_none() && rest.len() > length && rest.get(length) != Some(&b'\n');
        while goes_on && length > 0 && rest.get(length).is_some_and(|byte| byte & 0xc0 == 0x80) {
            length -= 1;
        }
        let bytes = rest.get(..length)?.to_vec();
        let mark = (mark.start - start).min(length)..(mark.end.saturating_sub(start)).min(length);
        Some(Marked { bytes, mark, skipped: start - line_start, goes_on })
    }

    /// The column of the marked stretch in its line, from 1.
    pub fn column(&self) -> u32 {
        u32::try_from(self.skipped + self.mark.start + 1).unwrap_or(u32::MAX)
    }

    /// The stretch of another line that has the marked text, apart from white space, nearest to a column.
    pub fn find_in(&self, line: &[u8], column: usize) -> Option<Range<usize>> {
        let wanted = self.bytes.get(self.mark.clone())?;
        let first = *wanted.iter().find(|byte| !byte.is_ascii_whitespace())?;
        let (low, high) = (column.saturating_sub(REACH), line.len().min(column.saturating_add(REACH)));
        let starts = (low..high).filter(|&at| line[at] == first && !splits_word(line, at));
        let found = starts.filter_map(|at| match_length(&line[at..], wanted).map(|length| at..at + length));
        found.filter(|found| !splits_word(line, found.end)).min_by_key(|found| found.start.abs_diff(column))
    }

    /// The part with control characters replaced and tabs expanded.
    pub fn excerpt(&self) -> Excerpt {
        let mut out = Printed::default();
        if self.skipped > 0 {
            out.push('…');
        }
        let (before, rest) = self.bytes.split_at(self.mark.start);
        let (marked, after) = rest.split_at(self.mark.end.saturating_sub(self.mark.start).min(rest.len()));
        out.extend(before);
        let start = out.columns;
        out.extend(marked);
        let width = (out.columns - start).max(1);
        out.extend(after);
        if self.goes_on {
            out.push('…');
        }
        Excerpt { text: out.text.trim_end().to_string(), start, width }
    }
}

/// Text with the number of its columns.
#[derive(Default)]
struct Printed {
    text: String,
    columns: usize,
}

impl Printed {
    fn push(&mut self, c: char) {
        self.text.push(c);
        self.columns += 1;
    }

    fn extend(&mut self, bytes: &[u8]) {
        for c in String::from_utf8_lossy(bytes).chars() {
            match c {
                '\t' => {
                    for _ in 0..TAB - self.columns % TAB {
                        self.push(' ');
                    }
                }
                _ if is_treacherous(c) => self.push('\u{fffd}'),
                _ => self.push(c),
            }
        }
    }
}

/// Whether a character acts on the terminal or on the order of the text instead of being printed.
fn is_treacherous(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// How many bytes at the beginning of `line` are the wanted ones, apart from white space.
fn match_length(line: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut wanted = wanted.iter().filter(|byte| !byte.is_ascii_whitespace());
    let mut next = wanted.next();
    for (at, byte) in line.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace()) {
        if Some(byte) != next {
            return None;
        }
        next = wanted.next();
        if next.is_none() {
            return Some(at + 1);
        }
    }
    None
}

/// Whether a cut before this byte would divide an identifier or number.
fn splits_word(line: &[u8], at: usize) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii());
    at > 0 && is_word(line.get(at - 1)) && is_word(line.get(at))
}

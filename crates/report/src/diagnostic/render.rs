//! Messages as text.

use std::fmt::Write;

use super::excerpt::Excerpt;
use super::{Label, Message, Severity, Sources};

/// The messages as text, each with the lines it is about, then how many `suppressed` ones there are. `color` is for terminals.
pub fn render(messages: &[Message], suppressed: usize, sources: &Sources, color: bool) -> String {
    let mut out = Output { text: String::new(), color };
    for message in messages {
        out.message(message, sources);
    }
    if suppressed > 0 {
        let _ = writeln!(out.text, "{suppressed} more error{}", if suppressed == 1 { "" } else { "s" });
    }
    out.text
}

/// The colours by what is printed in them.
#[derive(Clone, Copy)]
enum Ink {
    Error,
    Warning,
    Note,
    Heading,
    Frame,
    Secondary,
}

impl Ink {
    fn code(self) -> &'static str {
        match self {
            Ink::Error => "1;31",
            Ink::Warning => "1;33",
            Ink::Note => "1;36",
            Ink::Heading => "1",
            Ink::Frame | Ink::Secondary => "34",
        }
    }
}

/// A label's line, ready to print.
struct Shown<'a> {
    label: &'a Label,
    file: &'a str,
    /// The place that is printed above: the primary one's for all labels of its file.
    heading: String,
    excerpt: Option<Excerpt>,
    primary: bool,
}

struct Output {
    text: String,
    color: bool,
}

impl Output {
    fn paint(&mut self, ink: Ink, text: &str) {
        let _ = if self.color { write!(self.text, "\x1b[{}m{text}\x1b[0m", ink.code()) } else { write!(self.text, "{text}") };
    }

    fn message(&mut self, message: &Message, sources: &Sources) {
        let (name, ink) = match message.severity {
            Severity::Error | Severity::Unsupported => ("error", Ink::Error),
            Severity::Warning => ("warning", Ink::Warning),
            Severity::Note => ("note", Ink::Note),
        };
        match &message.code {
            Some(code) => self.paint(ink, &format!("{name}[{code}]")),
            None => self.paint(ink, name),
        }
        self.paint(Ink::Heading, &format!(": {}", message.message));
        self.text.push('\n');

        let shown = shown(message, sources);
        let gutter = shown.iter().map(|shown| shown.label.span.line.to_string().len()).max().unwrap_or(0).max(2);
        let mut previous: Option<&Shown> = None;
        for next in &shown {
            self.label(next, previous, gutter, ink);
            previous = Some(next);
        }
        for note in expansion(message, sources).iter().chain(&message.notes) {
            self.paint(Ink::Frame, &format!("{:gutter$}= ", ""));
            let _ = writeln!(self.text, "{note}");
        }
    }

    fn label(&mut self, shown: &Shown, previous: Option<&Shown>, gutter: usize, ink: Ink) {
        let line = shown.label.span.line;
        let same_file = previous.is_some_and(|previous| previous.file == shown.file && previous.excerpt.is_some());
        let same_line = same_file && previous.is_some_and(|previous| previous.label.span.line == line);
        let Some(excerpt) = &shown.excerpt else {
            self.paint(Ink::Frame, &format!("{:gutter$}┌─ ", ""));
            let _ = write!(self.text, "{}", shown.heading);
            let separator = if shown.label.text.is_empty() { "" } else { ": " };
            let _ = writeln!(self.text, "{separator}{}", shown.label.text);
            return;
        };
        if !same_file {
            self.paint(Ink::Frame, &format!("{:gutter$}┌─ ", ""));
            let _ = writeln!(self.text, "{}", shown.heading);
        } else if !same_line && previous.is_some_and(|previous| previous.label.span.line + 1 < line) {
            self.paint(Ink::Frame, &format!("{:gutter$}·", ""));
            self.text.push('\n');
        }
        if !same_line {
            self.paint(Ink::Frame, &format!("{line:>gutter$}│"));
            let _ = writeln!(self.text, " {}", excerpt.text);
        }
        self.paint(Ink::Frame, &format!("{:gutter$}│", ""));
        let _ = write!(self.text, " {:1$}", "", excerpt.start);
        let mark = if shown.primary { "^" } else { "-" }.repeat(excerpt.width);
        let ink = if shown.primary { ink } else { Ink::Secondary };
        let separator = if shown.label.text.is_empty() { "" } else { " " };
        self.paint(ink, &format!("{mark}{separator}{}", shown.label.text));
        self.text.push('\n');
    }
}

/// The labels in the order in which they are printed: the primary one's file first, each file's by line.
fn shown<'a>(message: &'a Message, sources: &'a Sources) -> Vec<Shown<'a>> {
    let labels = std::iter::once((&message.primary, true)).chain(message.secondary.iter().map(|label| (label, false)));
    let mut shown: Vec<Shown> = labels
        .filter_map(|(label, primary)| {
            let file = sources.name(label.span)?;
            let excerpt = sources.marked(label).map(|(marked, _)| marked.excerpt());
            let place = if label.span.file == message.primary.span.file && excerpt.is_some() { &message.primary } else { label };
            let heading = format!("{file}:{}:{}", place.span.line, sources.column(place));
            Some(Shown { label, file, heading, excerpt, primary })
        })
        .collect();
    let first = message.primary.span.file;
    shown.sort_by_key(|shown| (shown.label.span.file != first, shown.label.span.file, shown.label.span.line, !shown.primary));
    shown
}

/// What the compiler saw, where the marked line does not have the text that the message is about.
fn expansion(message: &Message, sources: &Sources) -> Option<String> {
    let preprocessed = message.primary.preprocessed.as_ref()?;
    match sources.marked(&message.primary) {
        Some((_, false)) => Some(format!("expands to: {}", preprocessed.excerpt().text.trim())),
        _ => None,
    }
}

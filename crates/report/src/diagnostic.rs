//! Messages about places in the user's source, as text with excerpts and as JSON.
//!
//! The renderer is our own because what it shows comes from two texts: places are those of the preprocessed text, excerpts are lines of
//! the user's files, and the two differ wherever a macro, a comment or white space was. It also never looks at more of a line than it
//! prints, however long the line is.

mod excerpt;
mod render;
mod sources;

#[cfg(test)]
mod tests;

use frontend::ast::Range;
use frontend::diagnostic::{Diagnostic, Diagnostics, Severity as FrontendSeverity};
use frontend::source::SourceMap;
use model::Span;
use serde_json::{Value, json};

use excerpt::Marked;
pub use render::render;
pub use sources::Sources;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Severity {
    /// Something is wrong.
    Error,
    /// Loopfrog has no model for this; printed as an error.
    Unsupported,
    /// Something may be wrong.
    Warning,
    /// Something to know.
    Note,
}

impl Severity {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Unsupported => "unsupported",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// Something to say about the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// How bad it is.
    pub severity: Severity,
    /// The kind of finding, printed in brackets.
    pub code: Option<String>,
    /// What it is, in one line.
    pub message: String,
    /// Where it is; [`Span::NONE`] if nowhere.
    pub primary: Label,
    /// Other places that matter.
    pub secondary: Vec<Label>,
    /// What else to say, a line each.
    pub notes: Vec<String>,
}

/// A place with what to say of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What to say of it; may be empty.
    pub text: String,
    /// The line as the compiler saw it, where that is at hand.
    preprocessed: Option<Marked>,
}

impl Label {
    /// A label at a place.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Label { span, text: text.into(), preprocessed: None }
    }

    /// A label at a range of preprocessed text.
    pub fn preprocessed(range: Range, label: impl Into<String>, text: &[u8], map: &SourceMap) -> Self {
        let span = map.span(range);
        let start = map.line_start(range.start) as usize;
        let mark = range.start as usize..range.start as usize + span.length as usize;
        Label { span, text: label.into(), preprocessed: Marked::around(text, start, mark) }
    }
}

impl Message {
    /// What the front end has to say; `text` is what it was given.
    pub fn from_frontend(diagnostic: &Diagnostic, text: &[u8], map: &SourceMap) -> Self {
        let label = |range: Range, label: &str| Label::preprocessed(range, label, text, map);
        Message {
            severity: match diagnostic.severity {
                FrontendSeverity::Error => Severity::Error,
                FrontendSeverity::Unsupported => Severity::Unsupported,
                FrontendSeverity::Warning => Severity::Warning,
            },
            code: None,
            message: diagnostic.message.clone(),
            primary: label(diagnostic.range, &diagnostic.label),
            secondary: diagnostic.related.iter().map(|(range, text)| label(*range, text)).collect(),
            notes: Vec::new(),
        }
    }

    /// The same facts as [`render`] prints.
    pub fn to_json(&self, sources: &Sources) -> Value {
        let mut value = place_json(&self.primary, sources);
        value["severity"] = json!(self.severity.name());
        value["message"] = json!(self.message);
        if let Some(code) = &self.code {
            value["code"] = json!(code);
        }
        value["related"] = self.secondary.iter().map(|label| place_json(label, sources)).collect();
        if !self.notes.is_empty() {
            value["notes"] = json!(self.notes);
        }
        value
    }
}

fn place_json(label: &Label, sources: &Sources) -> Value {
    let mut value = json!({});
    if let Some(file) = sources.name(label.span) {
        value["file"] = json!(file);
        value["line"] = json!(label.span.line);
        value["column"] = json!(sources.column(label));
        value["length"] = json!(label.span.length);
    }
    if !label.text.is_empty() {
        value["label"] = json!(label.text);
    }
    value
}

/// All that the front end has to say about a text, as messages and the number of messages that it has only counted.
pub fn messages(diagnostics: &Diagnostics, text: &[u8], map: &SourceMap) -> (Vec<Message>, usize) {
    let messages = diagnostics.list().iter().map(|diagnostic| Message::from_frontend(diagnostic, text, map)).collect();
    (messages, diagnostics.suppressed())
}

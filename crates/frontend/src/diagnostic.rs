//! What the front end has to say about a program.

use crate::ast::Range;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; the program is fine.
    Warning,
    /// The program is C, but Loopfrog has no model for this construct.
    Unsupported,
    /// The program is not C.
    Error,
}

/// One message about one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// Where, in the preprocessed text.
    pub range: Range,
    /// What to print at that place; often what was expected.
    pub label: String,
    /// Other places that matter, with what to say of them.
    pub related: Vec<(Range, String)>,
}

/// The messages about one translation unit, in order.
#[derive(Default, Debug)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    suppressed: usize,
    warnings: usize,
    errors: usize,
    syntax_errors: usize,
}

impl Diagnostics {
    /// Beyond this number errors are only counted, for they are consequences of earlier ones; so are warnings.
    pub const LIMIT: usize = 50;

    /// An error: the program is not C.
    pub fn error(&mut self, range: Range, message: impl Into<String>, label: impl Into<String>) {
        self.push(Severity::Error, range, message.into(), label.into());
    }
    /// C that Loopfrog does not model.
    pub fn unsupported(&mut self, range: Range, message: impl Into<String>, label: impl Into<String>) {
        self.push(Severity::Unsupported, range, message.into(), label.into());
    }
    /// Something odd.
    pub fn warning(&mut self, range: Range, message: impl Into<String>, label: impl Into<String>) {
        self.push(Severity::Warning, range, message.into(), label.into());
    }
    /// Adds another place to the last message.
    pub fn relate(&mut self, range: Range, label: impl Into<String>) {
        if self.suppressed == 0
            && let Some(last) = self.list.last_mut()
        {
            last.related.push((range, label.into()));
        }
    }

    fn push(&mut self, severity: Severity, range: Range, message: String, label: String) {
        let count = if severity == Severity::Warning { &mut self.warnings } else { &mut self.errors };
        *count += 1;
        self.syntax_errors += usize::from(severity == Severity::Error);
        if *count > Self::LIMIT {
            self.suppressed += usize::from(severity != Severity::Warning);
        } else {
            self.list.push(Diagnostic { severity, message, range, label, related: Vec::new() });
        }
    }

    /// The messages that were kept.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }
    /// How many more errors there were.
    pub fn suppressed(&self) -> usize {
        self.suppressed
    }
    /// How many were errors or unsupported constructs: if any, there is no model.
    pub fn errors(&self) -> usize {
        self.errors
    }
    /// Whether any message says that the program is not C.
    pub fn has_syntax_errors(&self) -> bool {
        self.syntax_errors > 0
    }
}

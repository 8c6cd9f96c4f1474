//! One C source to its translation.

use std::path::PathBuf;

use frontend::Translation;
use frontend::diagnostic::Severity;
use frontend::preprocess::{PreprocessError, Preprocessor, language_options};

use crate::command_line::Source;
use crate::exit::Exit;

/// A preprocessed text and what the front end made of it.
#[derive(Debug)]
pub struct Translated {
    /// The name of the source, as messages print it.
    pub name: String,
    /// What the names of its files are relative to.
    pub directory: PathBuf,
    /// The preprocessed text.
    pub text: Vec<u8>,
    /// The model, or why there is none.
    pub translation: Translation,
    /// A rule that the model broke, which is then thrown away: a defect of the front end.
    pub flaw: Option<String>,
}

/// Preprocesses and translates a source, on a thread with a big stack (see [`workers`](crate::workers)). `stdin` is the standard input,
/// for the source `-`.
pub fn translate(preprocessor: &Preprocessor, source: &Source, stdin: Option<&[u8]>) -> Result<Translated, PreprocessError> {
    let text = preprocessor.run(&source.path, source.language.as_deref(), stdin)?;
    let name = if source.is_stdin() { "<stdin>".to_string() } else { source.path.display().to_string() };
    let options = language_options(&preprocessor.flags);
    let mut translation = frontend::translate(&name, &text, &options);
    let flaw = translation.program.as_ref().and_then(|program| model::verify(program).err());
    let flaw = flaw.map(|flaws| flaws.first().map(ToString::to_string).unwrap_or_default());
    if flaw.is_some() {
        translation.program = None;
    }
    let directory = preprocessor.directory.clone().unwrap_or_default();
    Ok(Translated { name, directory, text, translation, flaw })
}

impl Translated {
    /// How a run ends that needed this translation and did not get a model.
    pub fn exit(&self) -> Exit {
        // Behind something unsupported, other errors are its consequences.
        let first = self.translation.diagnostics.list().iter().find(|diagnostic| diagnostic.severity != Severity::Warning);
        if first.is_some_and(|diagnostic| diagnostic.severity == Severity::Error) { Exit::Parse } else { Exit::Unsupported }
    }

    /// The first reason why there is no model, in one line with its place.
    pub fn reason(&self) -> String {
        let map = &self.translation.map;
        match self.translation.diagnostics.list().iter().find(|diagnostic| diagnostic.severity != Severity::Warning) {
            Some(first) => {
                let span = map.span(first.range);
                let file = map.files.get(span.file).map_or("", String::as_str);
                format!("{file}:{}:{}: {}", span.line, span.column, first.message)
            }
            None => format!("internal error: the model breaks a rule: {}", self.flaw.as_deref().unwrap_or("it is missing")),
        }
    }
}

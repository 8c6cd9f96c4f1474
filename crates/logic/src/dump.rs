//! Questions written to files, so that anyone can repeat them elsewhere.

use std::path::PathBuf;

use crate::smtlib;
use crate::term::{Term, Terms};

/// A folder that takes one SMT-LIB file per question.
#[derive(Clone, Debug)]
pub struct Dump {
    folder: PathBuf,
    prefix: String,
    count: u32,
    /// The first error; afterwards nothing is written any more.
    error: Option<String>,
}

impl Dump {
    /// Writes `prefix-0001.smt2` and so on into a folder, which must exist.
    pub fn new(folder: impl Into<PathBuf>, prefix: &str) -> Self {
        Dump { folder: folder.into(), prefix: prefix.to_owned(), count: 0, error: None }
    }
    /// What went wrong with writing, if anything did.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    pub(crate) fn write(&mut self, terms: &mut Terms, asserted: &[Term], assumptions: &[Term]) {
        if self.error.is_some() {
            return;
        }
        self.count += 1;
        let path = self.folder.join(format!("{}-{:04}.smt2", self.prefix, self.count));
        if let Err(error) = std::fs::write(&path, smtlib::script(terms, asserted, assumptions)) {
            self.error = Some(format!("{}: {error}", path.display()));
        }
    }
}

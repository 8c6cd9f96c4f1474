//! A task: a program, a question, and the answer that is known.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::property::{self, Property};
use super::{index, yml};

/// The answer that is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// The property holds.
    True,
    /// It does not; of some properties it is known which part of it.
    False { part: Option<String> },
}

/// A program with a question.
#[derive(Clone, Debug)]
pub struct Task {
    pub family: String,
    /// The program, and what is analysed together with it.
    pub files: Vec<PathBuf>,
    pub property: &'static Property,
    pub expected: Expected,
    pub ilp32: bool,
}

impl Task {
    /// The file that names the task.
    pub fn path(&self) -> &Path {
        self.files.first().map_or(Path::new(""), PathBuf::as_path)
    }

    /// Whether it is of this family, which may be named without its corpus.
    pub fn is_of_family(&self, name: &str) -> bool {
        self.family == name || self.family.rsplit('/').next() == Some(name)
    }
}

/// What index and task files hold.
#[derive(Default)]
pub struct Tasks {
    pub tasks: Vec<Task>,
    /// Names of properties that were met and are not known.
    pub unknown_properties: BTreeSet<String>,
}

impl Tasks {
    /// All tasks of some paths.
    pub fn of(paths: &[PathBuf]) -> Result<Tasks, String> {
        let mut found = Tasks::default();
        paths.iter().try_for_each(|path| found.read(path))?;
        Ok(found)
    }

    /// All tasks of the index and task files below a path, or of the one at the path. An index speaks for its folder: what is below
    /// is not read.
    pub fn read(&mut self, path: &Path) -> Result<(), String> {
        let mut todo = vec![path.to_path_buf()];
        while let Some(path) = todo.pop() {
            let index = path.join("index.tsv");
            if path.is_file() {
                self.read_file(&path)?;
            } else if index.is_file() {
                self.read_file(&index)?;
            } else {
                let entries = fs::read_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                let below = entries.flatten().map(|entry| entry.path());
                todo.extend(below.filter(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "yml")));
            }
        }
        Ok(())
    }

    fn read_file(&mut self, path: &Path) -> Result<(), String> {
        let failure = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| failure(&error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let drafts = if path.extension().is_some_and(|extension| extension == "tsv") {
            index::parse(&text, &name(folder))
        } else {
            yml::parse(&text, &name(folder))
        };
        for draft in drafts.map_err(|error| failure(&error))? {
            match property::find(&draft.property) {
                Some(property) => self.tasks.push(draft.task(folder, property)),
                None => _ = self.unknown_properties.insert(draft.property),
            }
        }
        Ok(())
    }
}

/// The last part of a path, also of `.`.
fn name(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or(folder.to_path_buf());
    whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A task as it is written: with paths relative to its folder and the name of the property.
#[derive(Debug, PartialEq)]
pub struct Draft {
    pub family: String,
    pub files: Vec<String>,
    pub property: String,
    pub expected: Expected,
    pub ilp32: bool,
}

impl Draft {
    fn task(self, folder: &Path, property: &'static Property) -> Task {
        let files = self.files.iter().map(|file| folder.join(file)).collect();
        Task { family: self.family, files, property, expected: self.expected, ilp32: self.ilp32 }
    }
}

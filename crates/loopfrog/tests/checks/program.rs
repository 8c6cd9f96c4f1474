//! A program and what its comments expect.

use std::fs;
use std::path::{Path, PathBuf};

use model::CheckKind;

/// What is expected of the checks of a kind on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    Proved,
    Violated,
    May,
    TodoProved,
    TodoViolated,
}

/// A comment at the end of a line.
#[derive(Debug)]
pub struct Expectation {
    pub line: u32,
    pub kind: String,
    pub expected: Expected,
}

/// A program of a pair.
#[derive(Debug)]
pub struct Program {
    pub path: PathBuf,
    /// The options in its first line.
    pub flags: Vec<String>,
    pub expectations: Vec<Expectation>,
}

impl Program {
    pub fn read(path: &Path) -> Program {
        let text = fs::read_to_string(path).unwrap();
        let flags = text.lines().next().and_then(|line| line.strip_prefix("// flags: ")).unwrap_or_default();
        let mut expectations = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let words = text.split_once("// ").map_or("", |(_, comment)| comment).split_whitespace();
            expectations.extend(words.filter_map(|word| expectation(word, line, path)));
        }
        Program { path: path.to_owned(), flags: flags.split_whitespace().map(str::to_string).collect(), expectations }
    }

    /// The name of its file.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap().to_string_lossy().into_owned()
    }

    pub fn is_safe(&self) -> bool {
        self.name().ends_with("-safe.c")
    }

    pub fn is_32_bit(&self) -> bool {
        self.flags.iter().any(|flag| flag == "--32")
    }
}

fn expectation(word: &str, line: u32, path: &Path) -> Option<Expectation> {
    let (expected, kind) = word.strip_suffix(')')?.split_once('(')?;
    let expected = match expected {
        "PROVED" => Expected::Proved,
        "VIOLATED" => Expected::Violated,
        "MAY" => Expected::May,
        "TODO-PROVED" => Expected::TodoProved,
        "TODO-VIOLATED" => Expected::TodoViolated,
        _ => panic!("{}:{line}: what is `{word}`?", path.display()),
    };
    assert!(CheckKind::ALL.iter().any(|known| known.name() == kind), "{}:{line}: there is no check `{kind}`", path.display());
    Some(Expectation { line, kind: kind.to_string(), expected })
}

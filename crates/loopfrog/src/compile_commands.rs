//! Compilation databases: `compile_commands.json`.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::command_line::{CommandLine, Source, expand};
use crate::words::{self, Quoting};

/// A C source with the options it is compiled with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Compilation {
    /// Where the compiler runs; other paths are relative to it.
    pub directory: PathBuf,
    /// The source.
    pub source: Source,
    /// The options for the preprocessor.
    pub flags: Vec<OsString>,
}

/// An entry as it is written.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Reads a database. A command that names several C sources gives several compilations; commands without C sources give none. Of several
/// compilations of one file the first is taken.
pub fn read(path: &Path) -> Result<Vec<Compilation>, String> {
    let text = fs::read(path).map_err(|error| error.to_string())?;
    let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|error| format!("this is not a compilation database: {error}"))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let mut compilations = Vec::new();
    let mut known = BTreeSet::new();
    for entry in entries {
        let directory = base.join(&entry.directory);
        let words = match (entry.arguments, entry.command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => words::split(&command, Quoting::Shell),
            (None, None) => return Err(format!("the entry of {} has neither `command` nor `arguments`", entry.file.display())),
        };
        let words: Vec<OsString> = words.into_iter().skip(1).map(OsString::from).collect();
        let line = CommandLine::parse(&expand(&words, &directory));
        for source in line.sources.into_iter().filter(|source| !source.is_stdin()) {
            let compilation = Compilation { directory: directory.clone(), source, flags: line.flags.clone() };
            if known.insert(compilation.path()) {
                compilations.push(compilation);
            }
        }
    }
    Ok(compilations)
}

impl Compilation {
    /// Where the source is.
    pub fn path(&self) -> PathBuf {
        self.directory.join(&self.source.path)
    }

    /// Whether this file is meant by a name that the user gives: its path, or the end of it.
    pub fn is_named(&self, name: &Path) -> bool {
        let path = self.path();
        path.ends_with(name) || matches!((path.canonicalize(), name.canonicalize()), (Ok(this), Ok(that)) if this == that)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Vec<Compilation>, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("compile_commands.json");
        fs::write(&path, text).unwrap();
        read(&path)
    }

    #[test]
    fn commands_and_arguments() {
        let compilations = read_text(
            r#"[{"directory": "/src", "file": "a.c", "command": "ccache gcc -DS=\\\"x\\\" -c a.c b.c -o out"},
                {"directory": "/src", "file": "c.c", "arguments": ["cc", "-I", "inc", "-c", "sub/c.c"], "output": "c.o"},
                {"directory": "/src", "file": "a.c", "command": "cc -fPIC -c a.c"},
                {"directory": "/src", "file": "d.cpp", "command": "c++ -c d.cpp"}]"#,
        )
        .unwrap();
        let listed: Vec<_> = compilations.iter().map(|c| (c.path(), c.flags.clone())).collect();
        let define = vec![OsString::from("-DS=\"x\"")];
        assert_eq!(
            listed,
            [("/src/a.c".into(), define.clone()), ("/src/b.c".into(), define), ("/src/sub/c.c".into(), vec!["-I".into(), "inc".into()])]
        );
        assert!(compilations[2].is_named(Path::new("c.c")) && compilations[2].is_named(Path::new("sub/c.c")));
        assert!(!compilations[2].is_named(Path::new("a.c")));
    }

    #[test]
    fn broken_databases() {
        assert!(read_text("[{}]").unwrap_err().contains("not a compilation database"));
        assert!(read_text("nonsense").unwrap_err().contains("not a compilation database"));
        assert!(read_text(r#"[{"directory": "/", "file": "a.c"}]"#).unwrap_err().contains("neither"));
    }
}

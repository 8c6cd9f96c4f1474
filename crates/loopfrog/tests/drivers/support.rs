//! A directory to run the built programs in.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A directory that goes away with the test.
pub struct Sandbox {
    directory: tempfile::TempDir,
}

/// What a program printed and how it ended.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The standard output of a run that must have gone well.
    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self.stdout
    }
    /// The standard error of a run that must have ended with this code.
    #[track_caller]
    pub fn fails(self, code: i32) -> String {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        assert!(!self.stderr.contains("defect of Loopfrog"), "{}", self.stderr);
        self.stderr
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Run { code: output.status.code().unwrap_or(-1), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Sandbox {
    pub fn new() -> Self {
        Sandbox { directory: tempfile::tempdir().unwrap() }
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self
    }
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }
    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// A command to be run here, with nothing of Loopfrog in its environment.
    pub fn command(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command.current_dir(self.directory.path()).stdin(Stdio::null());
        for variable in ["LOOPFROG_REAL_CC", "LOOPFROG_CC_VERBOSE", "LOOPFROG_CC_STRICT"] {
            command.env_remove(variable);
        }
        command
    }
    /// Runs `loopfrog` with these words.
    pub fn loopfrog(&self, words: &str) -> Run {
        self.command(env!("CARGO_BIN_EXE_loopfrog")).args(words.split_whitespace()).output().unwrap().into()
    }
    /// Runs `loopfrog-cc` with these words.
    pub fn cc(&self, words: &str) -> Run {
        self.command(env!("CARGO_BIN_EXE_loopfrog-cc")).args(words.split_whitespace()).output().unwrap().into()
    }
    /// Runs a program with these words.
    pub fn run(&self, program: &str, words: &str) -> Run {
        self.command(program).args(words.split_whitespace()).output().unwrap().into()
    }
    /// Runs a program with this standard input.
    pub fn run_with_input(&self, program: &str, words: &str, input: &str) -> Run {
        self.write("standard input", input);
        let input = std::fs::File::open(self.path("standard input")).unwrap();
        self.command(program).args(words.split_whitespace()).stdin(input).output().unwrap().into()
    }
    /// The names of the functions that `show symbols` finds defined in a file.
    pub fn defined_functions(&self, file: &str) -> Vec<String> {
        let symbols = self.loopfrog(&format!("show symbols --json {file}")).ok();
        let symbols: serde_json::Value = serde_json::from_str(&symbols).unwrap();
        let defined = symbols.as_array().unwrap().iter().filter(|symbol| symbol["kind"] == "function" && symbol["defined"] == true);
        let mut names: Vec<String> = defined.map(|symbol| symbol["name"].as_str().unwrap().to_string()).collect();
        names.sort();
        names
    }
}

/// Whether these programs are there; says so if not, because the test is then skipped.
pub fn have(programs: &[&str]) -> bool {
    let missing = programs.iter().find(|program| Command::new(program).arg("--version").output().is_err());
    if let Some(program) = missing {
        eprintln!("skipped: no {program}");
    }
    missing.is_none()
}

//! From the files that the user names to one program.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use frontend::preprocess::{PreprocessError, Preprocessor};
use model::Program;
use model::binary::{ReadError, from_bytes};
use model::text::ParseError;
use passes::link::{LinkError, Unit, link};

use crate::command_line::{CommandLine, Source};
use crate::compile_commands;
use crate::console::Console;
use crate::describe::counted;
use crate::embed::Entry;
use crate::exit::Exit;
use crate::object_file;
use crate::translation::{Translated, translate};
use crate::workers;

/// What the user wants to have analysed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Request {
    /// C sources, models, objects, archives, executables; `-` is C on standard input. With a compilation database: which of its sources.
    pub files: Vec<PathBuf>,
    /// Compiler options, for the C sources.
    pub flags: Vec<OsString>,
    /// The compilation database to take sources and options from.
    pub compile_commands: Option<PathBuf>,
}

/// The program that the user's files make together.
#[derive(Debug)]
pub struct Input {
    /// The program.
    pub program: Program,
    /// Sources that are part of the program but have no model.
    pub missing: Vec<Missing>,
}

/// A part of the program that has no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missing {
    /// The object or executable that has its code.
    pub file: PathBuf,
    /// Its source.
    pub source: String,
    /// Why it has no model.
    pub reason: String,
}

/// Reads, translates and links. What is wrong is printed; the error is how the run ends.
pub fn load(request: &Request, console: &Console) -> Result<Input, Exit> {
    let mut loader = Loader { console, units: Vec::new(), missing: Vec::new(), failure: None };
    match &request.compile_commands {
        Some(database) => loader.database(database, request)?,
        None => loader.files(request),
    }
    loader.link(request.compile_commands.is_some())
}

/// A C source to be translated.
struct Job {
    preprocessor: Preprocessor,
    source: Source,
}

/// What was loaded so far.
struct Loader<'a> {
    console: &'a Console,
    units: Vec<Unit>,
    missing: Vec<Missing>,
    /// The first thing that went wrong.
    failure: Option<Exit>,
}

impl Loader<'_> {
    fn fail(&mut self, exit: Exit, message: &str) {
        self.console.error(message);
        self.failure.get_or_insert(exit);
    }

    /// The files of a command line: first the C sources, then the models.
    fn files(&mut self, request: &Request) {
        let mut arguments = request.flags.clone();
        if request.flags.iter().all(|flag| !flag.to_string_lossy().starts_with("-x")) {
            // Standard input has no name that tells its language.
            let (stdin, named): (Vec<_>, Vec<_>) = request.files.iter().partition(|file| *file == Path::new("-"));
            arguments.extend(named.into_iter().map(OsString::from));
            if !stdin.is_empty() {
                arguments.extend(["-x", "c", "-"].map(OsString::from));
            }
        } else {
            arguments.extend(request.files.iter().map(OsString::from));
        }
        let line = CommandLine::parse(&arguments);
        let preprocessor = Preprocessor::new(line.flags);
        let jobs = line.sources.into_iter().map(|source| Job { preprocessor: preprocessor.clone(), source }).collect();
        self.translate(jobs);
        for path in line.others {
            self.model_file(&path);
        }
    }

    /// The compilations of a database, or those of them that are named.
    fn database(&mut self, database: &Path, request: &Request) -> Result<(), Exit> {
        let compilations = compile_commands::read(database).map_err(|error| {
            self.console.error(&format!("{}: {error}", database.display()));
            Exit::Usage
        })?;
        for name in &request.files {
            if !compilations.iter().any(|compilation| compilation.is_named(name)) {
                self.fail(Exit::Usage, &format!("{} compiles no {}", database.display(), name.display()));
            }
        }
        let chosen = compilations
            .into_iter()
            .filter(|compilation| request.files.is_empty() || request.files.iter().any(|name| compilation.is_named(name)));
        let jobs = chosen.map(|compilation| {
            let flags = compilation.flags.into_iter().chain(request.flags.iter().cloned()).collect();
            let preprocessor = Preprocessor { directory: Some(compilation.directory), ..Preprocessor::new(flags) };
            Job { preprocessor, source: compilation.source }
        });
        self.translate(jobs.collect());
        Ok(())
    }

    /// Translates C sources, several at once.
    fn translate(&mut self, jobs: Vec<Job>) {
        let mut stdin = None;
        if jobs.iter().any(|job| job.source.is_stdin()) {
            let mut text = Vec::new();
            if let Err(error) = io::stdin().lock().read_to_end(&mut text) {
                self.fail(Exit::Usage, &format!("cannot read standard input: {error}"));
            }
            stdin = Some(text);
        }
        for result in workers::map(&jobs, |job| translate(&job.preprocessor, &job.source, stdin.as_deref())) {
            match result {
                Ok(translated) => self.translated(translated),
                Err(error) => {
                    let exit = if matches!(error, PreprocessError::Unreadable(..)) { Exit::Usage } else { Exit::Preprocessor };
                    self.fail(exit, &error.to_string());
                }
            }
        }
    }

    fn translated(&mut self, translated: Translated) {
        self.console.diagnostics(&translated);
        match translated.translation.program {
            Some(program) => self.add(translated.name, program),
            None if translated.flaw.is_some() => {
                let reason = translated.reason();
                self.fail(Exit::Unsupported, &format!("{}: {reason}; please report it with this source", translated.name));
            }
            None => {
                self.failure.get_or_insert(translated.exit());
            }
        }
    }

    /// A file with models.
    fn model_file(&mut self, path: &Path) {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return self.fail(Exit::Usage, &format!("cannot read {}: {error}", path.display())),
        };
        if object_file::is_object_or_archive(&bytes) {
            return self.object(path, &bytes);
        }
        let name = path.display().to_string();
        match from_bytes(&bytes) {
            Ok(program) => self.add(name, program),
            Err(ReadError::NotAModel) => self.text_model(name, &bytes),
            Err(error) => self.fail(Exit::Parse, &format!("{name}: {error}")),
        }
    }

    /// A model as text.
    fn text_model(&mut self, name: String, bytes: &[u8]) {
        let Some(text) = std::str::from_utf8(bytes).ok().filter(|text| is_text_model(text)) else {
            let known = "C (.c, .i), a model, or an object, archive or executable built by loopfrog-cc";
            return self.fail(Exit::Usage, &format!("{name}: this is not {known} (use -x c to take it as C)"));
        };
        match model::text::parse(text) {
            Ok(program) => self.add(name, program),
            Err(error @ ParseError::Syntax { .. }) => self.fail(Exit::Parse, &format!("{name}:{error}")),
            Err(error @ ParseError::Flawed(_)) => self.fail(Exit::Parse, &format!("{name}: {error}")),
        }
    }

    /// The models in an object, archive or executable.
    fn object(&mut self, path: &Path, bytes: &[u8]) {
        let name = path.display();
        let entries = match object_file::entries(path, bytes) {
            Ok(entries) => entries,
            Err(error) => return self.fail(Exit::Parse, &format!("{name}: {error}")),
        };
        if entries.is_empty() {
            return self.fail(Exit::Usage, &format!("{name}: there is no model in it; build it with CC=loopfrog-cc"));
        }
        for Entry { source, model } in entries {
            match model.map(|bytes| from_bytes(&bytes)) {
                Ok(Ok(program)) => self.add(source, program),
                Ok(Err(error)) => self.fail(Exit::Parse, &format!("{name}: the model of {source} cannot be used: {error}")),
                Err(reason) => {
                    self.console.warning(&format!("{name} contains code of {source} for which there is no model: {reason}"));
                    self.missing.push(Missing { file: path.to_path_buf(), source, reason });
                }
            }
        }
    }

    fn add(&mut self, name: String, program: Program) {
        let functions = program.functions.iter().filter(|function| function.body.is_some()).count();
        self.console.progress(&format!("{name}: {}", counted(functions, "function")));
        self.units.push(Unit { name, program });
    }

    /// The program of all units.
    fn link(self, from_database: bool) -> Result<Input, Exit> {
        if let Some(exit) = self.failure {
            return Err(exit);
        }
        match link(self.units) {
            Ok(linked) => {
                for warning in &linked.warnings {
                    self.console.warning(&warning.to_string());
                }
                Ok(Input { program: linked.program, missing: self.missing })
            }
            Err(errors) => {
                for error in &errors {
                    self.console.error(&error.to_string());
                }
                let multiple = errors.iter().any(|error| matches!(error, LinkError::MultipleDefinition { .. }));
                if from_database && multiple {
                    self.console.note("a compilation database does not tell which sources make a program: name those of one program");
                }
                Err(Exit::Parse)
            }
        }
    }
}

/// Whether a text begins like a model: its first line that is not a comment names the data model.
fn is_text_model(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.next().is_some_and(|line| line.starts_with("model "))
}

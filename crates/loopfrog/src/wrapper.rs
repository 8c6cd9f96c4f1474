//! `loopfrog-cc`: a compiler that is the real one, and keeps the model of each C source inside the object it makes.
//!
//! The real compiler runs first, with the command line unchanged, so that its output, messages, side effects and exit code are exactly what
//! they are without Loopfrog. Where it has made object code, each C source on the command line is then preprocessed by the same compiler with
//! the same options, translated, and put into the section `.loopfrog` of the output. After `-c` the output is the object; after compiling and
//! linking in one go it is the linked file, whose section then has the models of the linked objects already and is extended. Linking alone
//! needs nothing: linkers concatenate the section (see [`embed`](crate::embed)). Only objects with link-time optimisation are replaced
//! by the linker; the models of those that the command line names are carried over.
//!
//! A source that the real compiler takes and Loopfrog does not never breaks the build, and nothing is printed, because configure scripts
//! look at messages; the object then holds the reason instead of the model. `LOOPFROG_CC_VERBOSE=1` prints it, `LOOPFROG_CC_STRICT=1` makes it
//! an error.
//!
//! The real compiler is `--loopfrog-real-cc=COMMAND`, else `LOOPFROG_REAL_CC`, else the next program in `PATH` that has the name by which the
//! wrapper was called (without `loopfrog-`), so that it can also be installed under the name `gcc` or `cc`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use frontend::preprocess::{COMPILER_VARIABLE, Preprocessor, command_words, language_options};

use crate::command_line::{CommandLine, Source, Step, expand};
use crate::console::say;
use crate::embed::Entry;
use crate::exit::{Exit, catch_panics};
use crate::object_file;
use crate::translation::translate;
use crate::workers;

/// Prints why a source has no model.
const VERBOSE_VARIABLE: &str = "LOOPFROG_CC_VERBOSE";
/// Makes a source without model an error.
const STRICT_VARIABLE: &str = "LOOPFROG_CC_STRICT";
/// The option that names the real compiler.
const COMPILER_OPTION: &str = "--loopfrog-real-cc=";

/// Acts as the compiler with this command line, the program's own name first. Gives the exit code.
pub fn run(arguments: Vec<OsString>) -> u8 {
    // A defect of Loopfrog is one more reason why there is no model.
    std::panic::set_hook(Box::new(|panic| complain(&format!("internal error: {panic}"))));
    let (own_name, arguments) = arguments.split_first().map_or((OsStr::new(""), &[][..]), |(name, rest)| (name.as_os_str(), rest));
    let (compiler, arguments) = match real_compiler(own_name, arguments) {
        Ok(found) => found,
        Err(message) => {
            say(&format!("loopfrog-cc: {message}\n"));
            return Exit::Usage.number();
        }
    };
    let line = CommandLine::parse(&expand(&arguments, Path::new("")));
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]).args(&arguments);
    if !makes_models(&line) {
        let error = command.exec();
        return cannot_run(&compiler, &error);
    }
    let stdin = line.sources.iter().any(Source::is_stdin).then(read_stdin);
    match run_with_input(&mut command, stdin.as_deref()) {
        Ok(status) if status.success() => {
            let complete = catch_panics(|| Build { compiler, line, stdin }.add_models()).unwrap_or(false);
            if complete || !is_set(STRICT_VARIABLE) { Exit::Success.number() } else { Exit::Unsupported.number() }
        }
        Ok(status) => exit_code(status),
        Err(error) => cannot_run(&compiler, &error),
    }
}

/// Whether there is anything to do but to be the real compiler.
fn makes_models(line: &CommandLine) -> bool {
    match line.step {
        Step::Compile => !line.sources.is_empty(),
        Step::Link => !line.sources.is_empty() || line.others.iter().any(|path| object_file::is_link_time_optimised(path)),
        Step::Other => false,
    }
}

fn cannot_run(compiler: &[OsString], error: &io::Error) -> u8 {
    let program = compiler.first().map_or(OsStr::new(""), OsString::as_os_str);
    say(&format!("loopfrog-cc: cannot run the C compiler `{}`: {error}\n", program.display()));
    Exit::Usage.number()
}

fn read_stdin() -> Vec<u8> {
    let mut text = Vec::new();
    // What could be read is what the compiler gets; it will complain if that is not enough.
    let _ = io::stdin().lock().read_to_end(&mut text);
    text
}

/// Runs the real compiler; it shares our standard input unless that was read already.
fn run_with_input(command: &mut Command, stdin: Option<&[u8]>) -> io::Result<ExitStatus> {
    let Some(text) = stdin else { return command.status() };
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // A compiler that does not read all of it has its reasons, and its exit code.
        let _ = pipe.write_all(text);
    }
    child.wait()
}

/// The exit code of a child, in the shell's way for one that was killed.
fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    u8::try_from(code).unwrap_or(1)
}

/// A successful run of the real compiler.
struct Build {
    compiler: Vec<OsString>,
    line: CommandLine,
    stdin: Option<Vec<u8>>,
}

impl Build {
    /// Adds the models of the sources to what was built. Gives whether every source has one.
    fn add_models(&self) -> bool {
        let line = &self.line;
        let one_by_one = || line.sources.iter().map(|source| (default_object(&source.path), std::slice::from_ref(source))).collect();
        let outputs: Vec<(PathBuf, &[Source])> = match (line.step, &line.output) {
            (_, Some(output)) => vec![(output.clone(), &line.sources)],
            (Step::Compile, None) => one_by_one(),
            (_, None) => vec![("a.out".into(), &line.sources)],
        };
        let mut complete = true;
        for (output, sources) in outputs {
            complete &= self.add_to(&output, sources);
        }
        complete
    }

    /// Adds models to an object or a linked file. Gives whether every source has one.
    fn add_to(&self, output: &Path, sources: &[Source]) -> bool {
        // Configure scripts compile to /dev/null.
        let is_file = fs::metadata(output).is_ok_and(|metadata| metadata.is_file());
        let Some(bytes) = is_file.then(|| fs::read(output).ok()).flatten() else { return true };
        let target = object_file::target(&bytes);
        let mut entries = Vec::new();
        if self.line.step == Step::Link {
            entries = object_file::entries(output, &bytes).unwrap_or_default();
            for entry in self.entries_that_the_linker_drops() {
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
        }
        let kept = entries.len();
        entries.extend(workers::map(sources, |source| {
            let model = target.clone().and_then(|target| catch_panics(|| self.model(source, target)).unwrap_or_else(Err));
            Entry { source: source.path.display().to_string(), model }
        }));
        let mut complete = true;
        for Entry { source, model } in &entries[kept..] {
            if let Err(reason) = model {
                complain(&format!("no model of {source}: {reason}"));
                complete = false;
            }
        }
        if let Err(error) = object_file::set_entries(output, &entries, &self.compiler) {
            complain(&format!("cannot put the model into {}: {error}", output.display()));
            complete = false;
        }
        complete
    }

    /// The models in objects that the linker compiles again.
    fn entries_that_the_linker_drops(&self) -> impl Iterator<Item = Entry> {
        let objects = self.line.others.iter().filter(|path| object_file::is_link_time_optimised(path));
        objects.flat_map(|path| fs::read(path).ok().and_then(|bytes| object_file::entries(path, &bytes).ok()).unwrap_or_default())
    }

    /// The model of a source in binary form, or why there is none.
    fn model(&self, source: &Source, target: model::Target) -> Result<Vec<u8>, String> {
        if language_options(&self.line.flags).target != target {
            return Err("the compiler's options and its object code disagree about the machine".to_string());
        }
        let preprocessor = Preprocessor { compiler: self.compiler.clone(), flags: self.line.flags.clone(), directory: None };
        let translated = translate(&preprocessor, source, self.stdin.as_deref()).map_err(|error| error.to_string())?;
        match &translated.translation.program {
            Some(program) => Ok(model::binary::to_bytes(program)),
            None => Err(translated.reason()),
        }
    }
}

/// The object that `-c` makes of a source where `-o` does not say.
fn default_object(source: &Path) -> PathBuf {
    Path::new(source.file_name().unwrap_or_default()).with_extension("o")
}

fn is_set(variable: &str) -> bool {
    env::var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
}

/// Prints a message if the user asked for such.
fn complain(message: &str) {
    if is_set(VERBOSE_VARIABLE) || is_set(STRICT_VARIABLE) {
        say(&format!("loopfrog-cc: {message}\n"));
    }
}

/// The command of the real compiler, and the arguments for it.
fn real_compiler(own_name: &OsStr, arguments: &[OsString]) -> Result<(Vec<OsString>, Vec<OsString>), String> {
    let option_value = |argument: &OsString| argument.to_str().and_then(|text| text.strip_prefix(COMPILER_OPTION)).map(OsString::from);
    let option = arguments.iter().rev().find_map(option_value);
    let arguments = arguments.iter().filter(|argument| option_value(argument).is_none()).cloned().collect();
    let named = option.or_else(|| env::var_os(COMPILER_VARIABLE)).filter(|name| !name.is_empty());
    let command: Vec<OsString> = match &named {
        Some(name) => command_words(name),
        None => vec![personality(own_name)],
    };
    let (program, first) = command.split_first().ok_or("the name of the real compiler is empty")?;
    let path = find_program(program).or_else(|| named.is_none().then(|| find_program(OsStr::new("gcc")))?).ok_or_else(|| {
        format!("cannot find the C compiler `{}`; name one in ${COMPILER_VARIABLE} or with {COMPILER_OPTION}COMMAND", program.display())
    })?;
    Ok(([path.into_os_string()].into_iter().chain(first.iter().cloned()).collect(), arguments))
}

/// The compiler that the wrapper stands for when it is called by this name.
fn personality(own_name: &OsStr) -> OsString {
    let name = Path::new(own_name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    match name.strip_prefix("loopfrog-").unwrap_or(&name) {
        "" => "cc".into(),
        name => name.into(),
    }
}

/// The program of this name that is not the wrapper itself, under whatever name.
fn find_program(name: &OsStr) -> Option<PathBuf> {
    let own = env::current_exe().and_then(fs::canonicalize).ok();
    let is_real = |path: &PathBuf| path.is_file() && fs::canonicalize(path).ok() != own;
    if Path::new(name).components().count() > 1 {
        return Some(PathBuf::from(name)).filter(is_real);
    }
    env::split_paths(&env::var_os("PATH")?).map(|directory| directory.join(name)).find(is_real)
}

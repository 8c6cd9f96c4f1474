//! Preprocessing by the system's compiler, and what its options say about the language.
//!
//! The compiler is the one that the environment variable `LOOPFROG_REAL_CC` names (a command with arguments is fine), else `cc`, else
//! `gcc`.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};

use model::Target;

use crate::Options;

/// The environment variable that names the compiler.
pub const COMPILER_VARIABLE: &str = "LOOPFROG_REAL_CC";

/// A compiler command and the options to preprocess with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preprocessor {
    /// The program and the arguments that always come first. Empty: `cc` or `gcc`, whichever is there.
    pub compiler: Vec<OsString>,
    /// The user's options, such as `-I`, `-D` and `-std=`.
    pub flags: Vec<OsString>,
    /// Where to run it, if not here.
    pub directory: Option<PathBuf>,
}

/// Why there is no preprocessed text.
#[derive(Debug)]
pub enum PreprocessError {
    /// The source file cannot be read.
    Unreadable(PathBuf, io::Error),
    /// The compiler cannot be started.
    NoCompiler(OsString, io::Error),
    /// The compiler refused; this is what it printed.
    Refused(ExitStatus, String),
}

impl fmt::Display for PreprocessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PreprocessError::Unreadable(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            PreprocessError::NoCompiler(name, error) => write!(
                f,
                "cannot run the C compiler `{}`, which preprocesses C files: {error} (install gcc, or name a compiler in ${COMPILER_VARIABLE})",
                name.display()
            ),
            PreprocessError::Refused(status, text) if text.is_empty() => write!(f, "the preprocessor failed ({status})"),
            PreprocessError::Refused(_, text) => write!(f, "the preprocessor failed:\n{}", text.trim_end()),
        }
    }
}

impl std::error::Error for PreprocessError {}

impl Preprocessor {
    /// The compiler that the environment names, with these options.
    pub fn new(flags: Vec<OsString>) -> Self {
        let named = std::env::var_os(COMPILER_VARIABLE).unwrap_or_default();
        Preprocessor { compiler: command_words(&named), flags, directory: None }
    }

    /// The preprocessed text of a file. A file that is preprocessed already, by its name or by the language, is read as it is.
    /// `language` is what `-x` says of it. The file `-` is `stdin`, which is then all of the standard input.
    pub fn run(&self, file: &Path, language: Option<&str>, stdin: Option<&[u8]>) -> Result<Vec<u8>, PreprocessError> {
        let from_stdin = file == Path::new("-");
        let path = self.directory.as_deref().unwrap_or(Path::new("")).join(file);
        let unreadable = |error| PreprocessError::Unreadable(path.clone(), error);
        if is_preprocessed(file, language) {
            return if from_stdin { Ok(stdin.unwrap_or_default().to_vec()) } else { fs::read(&path).map_err(unreadable) };
        }
        if !from_stdin {
            fs::File::open(&path).map_err(unreadable)?;
        }
        let mut arguments: Vec<OsString> = vec!["-E".into()];
        if let Some(language) = language {
            arguments.extend(["-x".into(), language.into()]);
        }
        arguments.push(file.into());
        let mut output = self.compile(&[], &arguments, stdin)?;
        if !output.status.success() && language_options(&self.flags).target == Target::Ilp32 {
            // The headers' machine-dependent parts may be installed for the 64-bit machine only; they serve both.
            let fallback = self.fallback_headers().map_err(unreadable)?;
            output = self.compile(&fallback.flags, &arguments, stdin)?;
        }
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(PreprocessError::Refused(output.status, String::from_utf8_lossy(&output.stderr).into_owned()))
        }
    }

    /// Runs the compiler with the user's options, then these.
    fn compile(&self, more_flags: &[OsString], arguments: &[OsString], stdin: Option<&[u8]>) -> Result<Output, PreprocessError> {
        let mut attempts: Vec<(&OsStr, &[OsString])> = vec![(OsStr::new("cc"), &[]), (OsStr::new("gcc"), &[])];
        if let [program, first @ ..] = self.compiler.as_slice() {
            attempts = vec![(program, first)];
        }
        let mut failure = None;
        for (program, first) in attempts {
            let mut command = Command::new(program);
            command.args(first).args(&self.flags).args(more_flags).args(arguments);
            // The compiler itself has written the dependencies that a build may ask for in these.
            command.env_remove("DEPENDENCIES_OUTPUT").env_remove("SUNPRO_DEPENDENCIES");
            if let Some(directory) = &self.directory {
                command.current_dir(directory);
            }
            match output_of(&mut command, stdin.unwrap_or_default()) {
                Ok(output) => return Ok(output),
                // Of two that are missing, the first is the one to talk about.
                Err(error) => failure.get_or_insert(PreprocessError::NoCompiler(program.into(), error)),
            };
        }
        Err(failure.unwrap_or_else(|| PreprocessError::NoCompiler("cc".into(), io::ErrorKind::NotFound.into())))
    }

    /// Options that let a compiler for 64 bits find headers for 32: the directories of its own headers, after all others, and the one
    /// header that is only there for 32 bits.
    fn fallback_headers(&self) -> io::Result<FallbackHeaders> {
        let stubs = tempfile::tempdir()?;
        fs::create_dir(stubs.path().join("gnu"))?;
        fs::write(stubs.path().join("gnu/stubs-32.h"), "")?;
        let native = Preprocessor { flags: Vec::new(), ..self.clone() };
        let arguments = ["-E", "-v", "-x", "c", "/dev/null"].map(OsString::from);
        let listing = native.compile(&[], &arguments, None).map(|output| String::from_utf8_lossy(&output.stderr).into_owned());
        // The only lines of `-v` that begin with a space and a slash are the directories to search.
        let directories = listing.unwrap_or_default();
        let directories = directories.lines().filter_map(|line| line.strip_prefix(' ')).filter(|line| line.starts_with('/'));
        let directories = directories.map(OsString::from).chain([stubs.path().into()]);
        Ok(FallbackHeaders { flags: directories.flat_map(|directory| ["-idirafter".into(), directory]).collect(), _stubs: stubs })
    }
}

/// The words of a command that is kept as one text, such as `ccache gcc`.
pub fn command_words(command: &OsStr) -> Vec<OsString> {
    match command.to_str() {
        Some(text) => text.split_whitespace().map(OsString::from).collect(),
        None => vec![command.into()],
    }
}

/// Options for the compiler, and the directory that they need.
struct FallbackHeaders {
    flags: Vec<OsString>,
    _stubs: tempfile::TempDir,
}

/// Whether a file needs no preprocessing. What `-x` says counts more than the name.
fn is_preprocessed(file: &Path, language: Option<&str>) -> bool {
    match language {
        Some(language) => language == "cpp-output",
        None => file.extension() == Some(OsStr::new("i")),
    }
}

/// Runs a command with this standard input and gathers what it prints.
fn output_of(command: &mut Command, stdin: &[u8]) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let pipe = child.stdin.take();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A child that does not read its input is no failure.
            pipe.map(|mut pipe| pipe.write_all(stdin))
        });
        child.wait_with_output()
    })
}

/// What a compiler's options say about the language. Of options that contradict each other the last counts, as for the compiler.
pub fn language_options<S: AsRef<OsStr>>(flags: &[S]) -> Options {
    let mut options = Options::default();
    let mut gnu_inline = None;
    for flag in flags.iter().filter_map(|flag| flag.as_ref().to_str()) {
        match flag {
            "-m32" | "--32" => options.target = Target::Ilp32,
            "-m64" => options.target = Target::Lp64,
            "-ansi" => set_standard(&mut options, "c89"),
            "-funsigned-char" | "-fno-signed-char" => options.unsigned_char = true,
            "-fsigned-char" | "-fno-unsigned-char" => options.unsigned_char = false,
            "-fcommon" => options.common = true,
            "-fno-common" => options.common = false,
            "-fshort-enums" => options.short_enums = true,
            "-fno-short-enums" => options.short_enums = false,
            "-fgnu89-inline" => gnu_inline = Some(true),
            "-fno-gnu89-inline" => gnu_inline = Some(false),
            _ => {
                if let Some(name) = flag.strip_prefix("-std=").or_else(|| flag.strip_prefix("--std=")) {
                    set_standard(&mut options, name);
                }
            }
        }
    }
    options.gnu_inline = gnu_inline.unwrap_or(options.standard < 1999);
    options
}

/// Takes over what `-std=` names; an unknown name is the compiler's to refuse.
fn set_standard(options: &mut Options, name: &str) {
    let (gnu, version) = match (name.strip_prefix("gnu"), name.strip_prefix("iso9899:")) {
        (Some(version), _) => (true, version),
        (None, Some(version)) => (false, version),
        (None, None) => (false, name.strip_prefix('c').unwrap_or(name)),
    };
    let standard = match version {
        "89" | "90" | "1990" | "199409" => 1989,
        "99" | "9x" | "1999" | "199x" => 1999,
        "11" | "1x" | "2011" => 2011,
        "17" | "18" | "2017" | "2018" => 2017,
        "23" | "2x" | "2024" | "2y" => 2023,
        _ => return,
    };
    options.gnu = gnu;
    options.standard = standard;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_language_is_gnu17() {
        assert_eq!(language_options::<&str>(&[]), Options::default());
    }

    #[test]
    fn standards_by_all_their_names() {
        let standard = |name: &str| {
            let options = language_options(&[format!("-std={name}")]);
            (options.standard, options.gnu, options.gnu_inline)
        };
        assert_eq!(standard("c89"), (1989, false, true));
        assert_eq!(standard("gnu90"), (1989, true, true));
        assert_eq!(standard("iso9899:199409"), (1989, false, true));
        assert_eq!(standard("c99"), (1999, false, false));
        assert_eq!(standard("gnu1x"), (2011, true, false));
        assert_eq!(standard("iso9899:2018"), (2017, false, false));
        assert_eq!(standard("gnu2x"), (2023, true, false));
        assert_eq!(standard("what"), (2017, true, false));
    }

    #[test]
    fn the_last_option_counts() {
        let options = language_options(&["-m32", "-std=c99", "-fcommon", "-ansi", "-m64", "-fno-common", "-funsigned-char"]);
        let expected = Options { standard: 1989, gnu: false, gnu_inline: true, unsigned_char: true, ..Options::default() };
        assert_eq!(options, expected);
        let options = language_options(&["-fgnu89-inline", "-m32", "-std=gnu11", "-fshort-enums"]);
        let expected = Options { target: Target::Ilp32, standard: 2011, gnu_inline: true, short_enums: true, ..Options::default() };
        assert_eq!(options, expected);
    }

    #[test]
    fn a_preprocessed_file_is_taken_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("a.i"), b"#define A\n\xff").unwrap();
        let mut preprocessor = Preprocessor { compiler: vec!["/nonexistent/cc".into()], flags: Vec::new(), directory: None };
        preprocessor.directory = Some(directory.path().into());
        assert_eq!(preprocessor.run(Path::new("a.i"), None, None).unwrap(), b"#define A\n\xff");
        assert_eq!(preprocessor.run(Path::new("-"), Some("cpp-output"), Some(b"int x;")).unwrap(), b"int x;");
    }

    #[test]
    fn failures_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.c");
        let preprocessor = Preprocessor { compiler: vec!["/nonexistent/cc".into()], flags: Vec::new(), directory: None };
        assert!(matches!(preprocessor.run(&file, None, None), Err(PreprocessError::Unreadable(..))));
        fs::write(&file, "int x;").unwrap();
        let error = preprocessor.run(&file, None, None).unwrap_err();
        assert!(matches!(error, PreprocessError::NoCompiler(..)));
        assert!(error.to_string().contains("/nonexistent/cc"), "{error}");
    }
}

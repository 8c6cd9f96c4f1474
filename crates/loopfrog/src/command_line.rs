//! What a compiler's command line asks for.
//!
//! Both the compiler wrapper and the compilation database need to know which C sources a command compiles and with which options the
//! preprocessor has to run. Everything else stays between the user and the real compiler.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::words::{self, Quoting};

/// A compiler's command line, as far as it matters here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandLine {
    /// How far the compiler is to go.
    pub step: Step,
    /// What `-o` names.
    pub output: Option<PathBuf>,
    /// The C sources, in order.
    pub sources: Vec<Source>,
    /// All other inputs: objects, archives, sources in other languages.
    pub others: Vec<PathBuf>,
    /// The options to preprocess with.
    pub flags: Vec<OsString>,
}

/// How far the compiler goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// To object files, one for each source.
    Compile,
    /// To one linked file.
    Link,
    /// Somewhere where there is no object code: preprocessed text, assembly, dependencies, messages.
    Other,
}

/// A C source on a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// Its name; `-` is the standard input.
    pub path: PathBuf,
    /// What `-x` says of it.
    pub language: Option<String>,
}

impl Source {
    /// Whether the text comes from the standard input.
    pub fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }
}

/// Options whose argument may be the next word.
const WITH_ARGUMENT: &str = "\
    -o -x -D -U -I -A -L -l -B -F -T -u -z -e -h -R -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix \
    -iwithprefixbefore -isysroot -imultilib -imultiarch -MF -MT -MQ -Xlinker -Xpreprocessor -Xassembler -Xclang -arch -target \
    -framework -mllvm -aux-info -dumpbase -dumpbase-ext -dumpdir -wrapper -Tbss -Tdata -Ttext -specs --param --output --include \
    --sysroot --language --define-macro --undefine-macro --include-directory --entry";

/// Options after which there is no object code.
const NO_OBJECT: &str = "\
    -E -S -M -MM -fsyntax-only -### --preprocess --assemble --dependencies --user-dependencies --help --version -emit-llvm \
    -dumpversion -dumpmachine -dumpspecs";

/// Options that are of no use to a preprocessor that only gives its text, or that would make it write files or other text.
const NOT_FOR_PREPROCESSOR: &str = "\
    -c --compile -v -P -C -CC -fdirectives-only -time -wrapper -aux-info -dumpbase -dumpbase-ext -dumpdir -pass-exit-codes";

fn lists(options: &str, option: &str) -> bool {
    options.split_whitespace().any(|listed| listed == option)
}

/// Whether the option's argument is the next word. Many options also take it joined (`-Idir`), then it is not.
pub fn takes_next_word(option: &str) -> bool {
    lists(WITH_ARGUMENT, option)
}

impl CommandLine {
    /// Reads the arguments of a compiler, without its own name, with `@file` already [expanded](expand).
    pub fn parse(arguments: &[OsString]) -> Self {
        let mut parser = Parser::default();
        let mut words = arguments.iter();
        let mut only_inputs = false;
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            if only_inputs || text == "-" || !text.starts_with('-') {
                parser.input(word.into());
            } else if text == "--" {
                only_inputs = true;
            } else if takes_next_word(&text) {
                parser.option(&text, word, words.next());
            } else {
                parser.option(&text, word, None);
            }
        }
        parser.line
    }
}

#[derive(Default)]
struct Parser {
    line: CommandLine,
    language: Option<String>,
}

impl Default for CommandLine {
    fn default() -> Self {
        CommandLine { step: Step::Link, output: None, sources: Vec::new(), others: Vec::new(), flags: Vec::new() }
    }
}

impl Parser {
    fn input(&mut self, path: PathBuf) {
        let is_c = match self.language.as_deref() {
            Some(language) => matches!(language, "c" | "cpp-output"),
            None => path.extension().is_some_and(|extension| extension == "c" || extension == "i"),
        };
        if is_c {
            self.line.sources.push(Source { path, language: self.language.clone() });
        } else {
            self.line.others.push(path);
        }
    }

    fn option(&mut self, text: &str, word: &OsString, argument: Option<&OsString>) {
        let line = &mut self.line;
        if lists(NO_OBJECT, text) || text.starts_with("--help") || text.starts_with("-print-") {
            line.step = Step::Other;
        } else if matches!(text, "-c" | "--compile") && line.step == Step::Link {
            line.step = Step::Compile;
        } else if let Some(output) = value(text, &["-o", "--output=", "--output"], argument) {
            line.output = Some(output.into());
        } else if let Some(language) = value(text, &["-x", "--language=", "--language"], argument) {
            self.language = (language != "none").then(|| language.to_string_lossy().into_owned());
        } else if !lists(NOT_FOR_PREPROCESSOR, text) && is_for_preprocessor(text) {
            line.flags.push(word.clone());
            line.flags.extend(argument.cloned());
        }
    }
}

/// The argument of an option of these names, the next word or joined to the name.
fn value(text: &str, names: &[&str], argument: Option<&OsString>) -> Option<OsString> {
    let joined = names.iter().find_map(|name| text.strip_prefix(name))?;
    if joined.is_empty() { argument.cloned() } else { Some(joined.into()) }
}

/// Whether an option may matter to the preprocessor and keeps it from writing anything but its text.
fn is_for_preprocessor(text: &str) -> bool {
    let writes_dependencies = text.starts_with("-M") || text.starts_with("-Wp,") && text.contains(",-M");
    // `-g3` and `-dD` add macro definitions to the text.
    let dumps = text.starts_with("-g") || text.starts_with("-d") || text.contains("save-temps");
    let links = ["-l", "-L", "-Wl,", "-Wa,"].iter().any(|prefix| text.starts_with(prefix)) || matches!(text, "-Xlinker" | "-Xassembler");
    !writes_dependencies && !dumps && !links
}

/// The arguments with each `@file` replaced by the words in that file, as gcc does when it runs in that directory; a file that is not
/// there stays as it is.
pub fn expand(arguments: &[OsString], directory: &Path) -> Vec<OsString> {
    /// Files may name files; a circle must end.
    const DEPTH: usize = 16;
    fn visit(arguments: &[OsString], directory: &Path, depth: usize, result: &mut Vec<OsString>) {
        for argument in arguments {
            let file = argument.to_str().and_then(|text| text.strip_prefix('@'));
            match file.map(|file| fs::read(directory.join(file))) {
                Some(Ok(text)) if depth > 0 => {
                    let words = words::split(&String::from_utf8_lossy(&text), Quoting::ResponseFile);
                    let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
                    visit(&words, directory, depth - 1, result);
                }
                _ => result.push(argument.clone()),
            }
        }
    }
    let mut result = Vec::new();
    visit(arguments, directory, DEPTH, &mut result);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> CommandLine {
        let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        CommandLine::parse(&words)
    }
    fn names(sources: &[Source]) -> Vec<&str> {
        sources.iter().filter_map(|source| source.path.to_str()).collect()
    }

    #[test]
    fn a_compilation() {
        let line =
            parse("-g3 -O2 -Iinc -I more -DX=1 -D Y -MD -MF a.d -MT a.o -Wp,-MMD,b.d -Wp,-DZ -std=c99 -c -o out/a.o a.c -save-temps");
        assert_eq!(line.step, Step::Compile);
        assert_eq!(line.output.as_deref(), Some(Path::new("out/a.o")));
        assert_eq!(names(&line.sources), ["a.c"]);
        assert_eq!(line.flags, ["-O2", "-Iinc", "-I", "more", "-DX=1", "-D", "Y", "-Wp,-DZ", "-std=c99"]);
    }

    #[test]
    fn a_link_with_sources_and_objects() {
        let line = parse("a.c b.o -lm -L lib lib.a c.i -oprog -Xlinker d.c -Wl,-z,now x.cpp y.S");
        assert_eq!(line.step, Step::Link);
        assert_eq!(names(&line.sources), ["a.c", "c.i"]);
        assert_eq!(line.others, ["b.o", "lib.a", "x.cpp", "y.S"].map(PathBuf::from));
        assert_eq!(line.output.as_deref(), Some(Path::new("prog")));
        assert!(line.flags.is_empty());
    }

    #[test]
    fn languages_switch() {
        let line = parse("-x c - foo.txt -xc++ a.c -x none b.c -x cpp-output d");
        assert_eq!(names(&line.sources), ["-", "foo.txt", "b.c", "d"]);
        assert_eq!(line.sources[1].language.as_deref(), Some("c"));
        assert_eq!(line.sources[2].language, None);
        assert!(line.sources[0].is_stdin());
    }

    #[test]
    fn no_object_code() {
        for option in ["-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "--help=warnings", "-print-prog-name=ld"] {
            assert_eq!(parse(&format!("-c {option} a.c")).step, Step::Other, "{option}");
            assert_eq!(parse(&format!("{option} -c a.c")).step, Step::Other, "{option}");
        }
    }

    #[test]
    fn response_files_nest_and_may_be_circular() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name).display().to_string();
        fs::write(path("a"), format!("-DA='x y' @{}", path("b"))).unwrap();
        fs::write(path("b"), "b.c\n-c").unwrap();
        fs::write(path("loop"), format!("@{}", path("loop"))).unwrap();
        let arguments = [format!("@{}", path("a")), "@missing".into()].map(OsString::from);
        assert_eq!(expand(&arguments, Path::new("")), ["-DA=x y", "b.c", "-c", "@missing"]);
        assert_eq!(expand(&[OsString::from(format!("@{}", path("loop")))], Path::new("")).len(), 1);
    }
}

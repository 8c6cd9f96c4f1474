//! Debian source packages built with `loopfrog-cc`: do their programs work as with gcc, and do they hold a model of each function?

mod apt;
mod recipes;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use loopfrog::console::{Color, Console, Volume};
use loopfrog::input::{self, Request};
use loopfrog::object_file;
use object::{Object, ObjectSymbol, SymbolKind};

use self::apt::{Apt, run as run_command};
use self::recipes::{RECIPES, Recipe};
use crate::built;

/// The options of both builds. Without optimisation each function that the sources define is in the object code.
const CFLAGS: &str = "-O0 -g";

/// Functions in linked files that come from the compiler's start files and libraries.
const NOT_FROM_SOURCES: &str = "\
    _start _init _fini _dl_relocate_static_pie deregister_tm_clones register_tm_clones __do_global_dtors_aux frame_dummy atexit \
    __x86.get_pc_thunk.ax __x86.get_pc_thunk.bx";

/// What the command line says.
struct Settings {
    folder: PathBuf,
    flags: String,
    recipes: Vec<&'static Recipe>,
}

/// What was found out about a package.
struct Findings {
    units: usize,
    functions: usize,
    /// Functions in the object code that the model does not define.
    missing: Vec<String>,
    /// Whether the programs did the same as those that gcc built.
    works: bool,
    /// The processor time of the build, and of that with gcc.
    seconds: (f64, f64),
}

/// Builds packages and prints a table; fails if a program does not work or lacks the model of a function.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let settings = Settings::parse(arguments)?;
    fs::create_dir_all(&settings.folder).map_err(|error| format!("{}: {error}", settings.folder.display()))?;
    let apt = match Apt::new(&settings.folder) {
        Ok(apt) => apt,
        Err(reason) => {
            println!("SKIPPED: no source packages here: {reason}");
            return Ok(());
        }
    };
    let wrapper = built::program("loopfrog-cc")?;
    println!("CFLAGS={}", settings.flags);
    println!("{:<10} {:>6} {:>10} {:>8} {:>6} {:>10} {:>6}", "package", "units", "functions", "missing", "works", "seconds", "ratio");
    let mut failures = 0;
    for recipe in &settings.recipes {
        match examine(recipe, &apt, &wrapper, &settings.flags) {
            Ok(findings) => {
                findings.print(recipe.name);
                failures += usize::from(!findings.missing.is_empty() || !findings.works);
            }
            Err(reason) => {
                println!("{:<10} FAILED {reason}", recipe.name);
                failures += 1;
            }
        }
    }
    if failures == 0 { Ok(()) } else { Err(format!("{failures} packages are not as they should be")) }
}

impl Settings {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut settings = Settings { folder: built::target_folder().join("packages"), flags: CFLAGS.into(), recipes: Vec::new() };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--keep" => settings.folder = value()?.into(),
                "--cflags" => settings.flags = value()?.clone(),
                name => {
                    let recipe = RECIPES.iter().find(|recipe| recipe.name == name);
                    settings.recipes.push(recipe.ok_or_else(|| format!("there is no recipe for `{name}`"))?);
                }
            }
        }
        if settings.recipes.is_empty() {
            settings.recipes = RECIPES.iter().collect();
        }
        Ok(settings)
    }
}

/// Builds a package with both compilers and compares.
fn examine(recipe: &Recipe, apt: &Apt, wrapper: &Path, flags: &str) -> Result<Findings, String> {
    let source = apt.source(recipe.name)?;
    let theirs = Build::new(recipe, &source, "gcc", Path::new("gcc"), flags)?;
    let ours = Build::new(recipe, &source, "loopfrog-cc", wrapper, flags)?;
    let works = ours.trial(recipe)? == theirs.trial(recipe)?;
    let mut findings = Findings { units: 0, functions: 0, missing: Vec::new(), works, seconds: (ours.seconds, theirs.seconds) };
    for product in recipe.products {
        findings.compare(&ours.tree.join(product), &theirs.tree.join(product))?;
    }
    Ok(findings)
}

/// A package built with one compiler.
struct Build {
    tree: PathBuf,
    seconds: f64,
}

impl Build {
    /// Builds in a fresh copy of the source.
    fn new(recipe: &Recipe, source: &Path, name: &str, compiler: &Path, flags: &str) -> Result<Self, String> {
        let tree = source.with_file_name(name);
        if tree.exists() {
            fs::remove_dir_all(&tree).map_err(|error| format!("{}: {error}", tree.display()))?;
        }
        run_command(Command::new("cp").arg("-a").arg(source).arg(&tree))?;
        let script = format!("{}\ntimes", recipe.build);
        let printed = run_command(shell(&script, &tree).env("CC", compiler).env("CFLAGS", flags))?;
        Ok(Build { tree, seconds: printed.lines().last().map_or(0.0, processor_time) })
    }

    /// What the trial prints, and how it ends.
    fn trial(&self, recipe: &Recipe) -> Result<(String, bool), String> {
        let script = format!("exec 2>&1\n{}", recipe.trial);
        let output = shell(&script, &self.tree).stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        fs::write(self.tree.with_extension("trial"), &output.stdout).map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() { Ok((text, true)) } else { Err(format!("the trial in {} failed:\n{text}", self.tree.display())) }
    }
}

fn shell(script: &str, folder: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-e", "-c", script]).current_dir(folder).env("LC_ALL", "C");
    command
}

/// The sum of the times that the shell's `times` prints in one line: `0m1.23s 0m0.45s`.
fn processor_time(line: &str) -> f64 {
    let seconds = |time: &str| {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    line.split_whitespace().filter_map(seconds).sum()
}

impl Findings {
    /// Compares the model in a linked file with the functions in that which gcc made.
    fn compare(&mut self, ours: &Path, theirs: &Path) -> Result<(), String> {
        let unreadable = |error: std::io::Error| format!("{}: {error}", ours.display());
        let bytes = fs::read(ours).map_err(unreadable)?;
        self.units += object_file::entries(ours, &bytes)?.len();
        let mut modelled = modelled_functions(ours)?;
        for (name, count) in functions_in_code(theirs)? {
            self.functions += count;
            let found = modelled.remove(&name).unwrap_or(0);
            if found < count {
                self.missing.push(format!("{name} in {}", ours.display()));
            }
        }
        Ok(())
    }

    fn print(&self, name: &str) {
        let (ours, theirs) = self.seconds;
        let (works, missing) = (if self.works { "yes" } else { "NO" }, self.missing.len());
        println!("{name:<10} {:>6} {:>10} {missing:>8} {works:>6} {ours:>10.1} {:>6.2}", self.units, self.functions, ours / theirs);
        for function in &self.missing {
            println!("    no model of {function}");
        }
    }
}

/// How often each function is defined in the model of a file: static ones may share a name.
fn modelled_functions(file: &Path) -> Result<BTreeMap<String, usize>, String> {
    let console = Console::new(Color::Never, Volume::Quiet);
    let request = Request { files: vec![file.into()], flags: Vec::<OsString>::new(), compile_commands: None };
    let input = input::load(&request, &console).map_err(|_| format!("{} has no model", file.display()))?;
    let mut names = BTreeMap::new();
    for function in input.program.functions.iter().filter(|function| function.body.is_some()) {
        let name = function.link_name.as_ref().unwrap_or(&function.name);
        *names.entry(name.clone()).or_default() += 1;
    }
    Ok(names)
}

/// How often each function of the sources is defined in a linked file.
fn functions_in_code(file: &Path) -> Result<BTreeMap<String, usize>, String> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let object = object::File::parse(bytes.as_slice()).map_err(|error| format!("{}: {error}", file.display()))?;
    let defined = object.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut parts = Vec::new();
    for name in defined.filter_map(|symbol| symbol.name().ok()).filter(|name| !is_from_elsewhere(name)) {
        match name.split_once('.') {
            Some((whole, _)) => parts.push(whole),
            None => *names.entry(name.to_string()).or_default() += 1,
        }
    }
    // Of some functions an optimiser keeps only parts and copies.
    for whole in parts {
        names.entry(whole.to_string()).or_insert(1);
    }
    Ok(names)
}

fn is_from_elsewhere(name: &str) -> bool {
    NOT_FROM_SOURCES.split_whitespace().any(|other| other == name)
}

//! The translation of folders: does every program that gcc accepts become a model, and does that model survive being written and read?

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use frontend::preprocess::Preprocessor;
use loopfrog::command_line::Source;
use loopfrog::translation::translate;
use loopfrog::workers;
use model::{binary, text, verify};

/// A program.
struct Task {
    family: String,
    path: PathBuf,
    flags: Vec<OsString>,
}

/// What became of a program.
enum Outcome {
    Model { functions: usize, gaps: usize, seconds: f64 },
    Refused,
    Failed(String),
}

#[derive(Default)]
struct Row {
    accepted: usize,
    refused: usize,
    models: usize,
    functions: usize,
    gaps: usize,
    seconds: f64,
}

/// Runs over all programs below the given paths and prints a table; fails if a program that gcc accepts has no model.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let check_text = arguments.iter().any(|argument| argument == "--check-text");
    let roots: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    if roots.is_empty() {
        return Err("which folder?  cargo xtask translate PATH…".into());
    }
    let mut tasks = Vec::new();
    for root in roots {
        collect(Path::new(root), &mut tasks)?;
    }
    let start = Instant::now();
    let outcomes = workers::map(&tasks, |task| examine(task, check_text));
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut failures = Vec::new();
    for (task, outcome) in tasks.iter().zip(outcomes) {
        let row = rows.entry(&task.family).or_default();
        match outcome {
            Outcome::Refused => row.refused += 1,
            Outcome::Model { functions, gaps, seconds } => {
                row.accepted += 1;
                row.models += 1;
                row.functions += functions;
                row.gaps += gaps;
                row.seconds += seconds;
            }
            Outcome::Failed(reason) => {
                row.accepted += 1;
                failures.push(format!("{}: {reason}", task.path.display()));
            }
        }
    }
    failures.iter().for_each(|failure| println!("FAILED {failure}"));
    println!(
        "{:<16} {:>12} {:>8} {:>10} {:>14} {:>10} {:>10}",
        "family", "gcc accepts", "models", "functions", "not modelled", "gcc: no", "seconds"
    );
    for (family, row) in &rows {
        println!(
            "{family:<16} {:>12} {:>8} {:>10} {:>14} {:>10} {:>10.2}",
            row.accepted, row.models, row.functions, row.gaps, row.refused, row.seconds
        );
    }
    println!("{} programs in {:.1} s", tasks.len(), start.elapsed().as_secs_f64());
    if failures.is_empty() { Ok(()) } else { Err(format!("{} programs without model", failures.len())) }
}

/// All C sources below a folder, with the data model that an `index.tsv` above them names.
fn collect(root: &Path, tasks: &mut Vec<Task>) -> Result<(), String> {
    let mut families: Vec<(String, PathBuf)> = Vec::new();
    let entries = fs::read_dir(root).map_err(|error| format!("{}: {error}", root.display()))?;
    for entry in entries.flatten().filter(|entry| entry.path().is_dir()) {
        families.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    if root.join("index.tsv").exists() || families.is_empty() {
        families = vec![(root.file_name().unwrap_or_default().to_string_lossy().into_owned(), root.to_path_buf())];
    }
    families.sort();
    for (family, folder) in families {
        let models = data_models(&folder);
        let mut files = Vec::new();
        walk(&folder, &mut files);
        files.sort();
        for path in files {
            let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
            let mut flags: Vec<OsString> = vec!["-w".into()];
            if models.get(&name).is_some_and(|model| model == "32") {
                flags.push("-m32".into());
            }
            tasks.push(Task { family: family.clone(), path, flags });
        }
    }
    Ok(())
}

fn data_models(folder: &Path) -> BTreeMap<String, String> {
    let index = fs::read_to_string(folder.join("index.tsv")).unwrap_or_default();
    let fields = index.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    fields.filter(|fields| fields.len() > 3).map(|fields| (fields[0].to_string(), fields[3].to_string())).collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "c" || extension == "i") {
            files.push(path);
        }
    }
}

fn examine(task: &Task, check_text: bool) -> Outcome {
    let source = Source { path: task.path.clone(), language: None };
    let preprocessor = Preprocessor::new(task.flags.clone());
    let start = Instant::now();
    let failure = match translate(&preprocessor, &source, None) {
        Err(error) => error.to_string(),
        Ok(translated) => match &translated.translation.program {
            None => translated.reason(),
            Some(program) => match check(program, check_text) {
                Err(flaw) => return Outcome::Failed(flaw),
                Ok(gaps) => {
                    let functions = program.functions.iter().filter(|function| function.body.is_some()).count();
                    return Outcome::Model { functions, gaps, seconds: start.elapsed().as_secs_f64() };
                }
            },
        },
    };
    if gcc_accepts(task) { Outcome::Failed(failure) } else { Outcome::Refused }
}

/// Whether a model is well-formed and the same after being written and read; the number of places that it does not model.
fn check(program: &model::Program, check_text: bool) -> Result<usize, String> {
    verify(program).map_err(|flaws| flaws.iter().take(3).map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let back = binary::from_bytes(&binary::to_bytes(program)).map_err(|error| error.to_string())?;
    if back != *program {
        return Err("the binary form is not the same program".into());
    }
    if check_text {
        let printed = text::program(program, text::Spans::Full);
        let back = text::parse(&printed).map_err(|error| format!("text: {error}"))?;
        if back != *program {
            return Err("the text form is not the same program".into());
        }
    }
    let commands = program
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref())
        .flat_map(|body| body.blocks.iter())
        .flat_map(|block| &block.commands);
    Ok(commands.filter(|command| matches!(command.kind, model::CommandKind::Unsupported(_))).count())
}

fn gcc_accepts(task: &Task) -> bool {
    let mut command = Command::new("gcc");
    command.args(&task.flags).arg("-fsyntax-only").arg(&task.path).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

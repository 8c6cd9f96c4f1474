//! Programs in pairs, one faulty and one repaired, with the accesses that matter marked, as in Verisec and in Kratkiewicz' suite: which faults
//! does the tool detect, and which repairs does it recognise? The rates are those of Zitser, Lippmann and Leek (FSE 2004).

mod program;
mod table;

use std::path::PathBuf;

use self::program::Program;
use self::table::Table;
use crate::built;
use crate::corpus::execution::{self, Tool};
use crate::corpus::marks::Marks;
use crate::corpus::number;
use crate::corpus::task::{Task, Tasks};
use crate::corpus::verdict;

/// What the command line says.
struct Settings {
    paths: Vec<PathBuf>,
    tool: Option<PathBuf>,
    timeout: u64,
    jobs: usize,
    family: Option<String>,
    defines: Vec<String>,
    /// Values of `BASE_SZ`, with which Verisec scales its buffers.
    sizes: Vec<u64>,
    list: bool,
    /// What is handed to the tool.
    options: Vec<String>,
}

/// Runs the tool on all programs and prints a table; fails if it calls a faulty one safe, or breaks.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let settings = Settings::parse(arguments)?;
    let tasks = settings.tasks()?;
    let path = settings.tool.clone().map_or_else(|| built::program("loopfrog"), Ok)?;
    let sizes: Vec<Option<u64>> = if settings.sizes.is_empty() { vec![None] } else { settings.sizes.iter().copied().map(Some).collect() };
    let mut tables = Vec::new();
    for size in sizes {
        let tool = Tool::new(path.clone(), settings.timeout, settings.tool_options(size));
        let programs = examine_all(&tool, &tasks, settings.jobs)?;
        if let Some(size) = size {
            println!("BASE_SZ={size}");
        }
        for line in programs.iter().filter_map(|program| program.report(settings.list)) {
            println!("{line}");
        }
        let table = Table::new(&programs);
        println!("{}", table.text());
        tables.push((size, table));
    }
    if !settings.sizes.is_empty() {
        println!("{}", table::times(&tables));
    }
    tables.iter().find_map(|(_, table)| table.failure()).map_or(Ok(()), Err)
}

fn examine_all(tool: &Tool, tasks: &[Task], jobs: usize) -> Result<Vec<Program>, String> {
    let results = execution::map(tasks, jobs, |index, task| {
        let words = tool.command(task);
        let end = tool.run(&words)?;
        if (index + 1).is_multiple_of(50) {
            eprintln!("{} of {}", index + 1, tasks.len());
        }
        Ok(Program::new(task.clone(), words.join(" "), &Marks::read(&task.files), verdict::findings(&end), end.seconds))
    });
    results.into_iter().collect()
}

impl Settings {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut settings = Settings {
            paths: Vec::new(),
            tool: None,
            timeout: 30,
            jobs: 1,
            family: None,
            defines: Vec::new(),
            sizes: Vec::new(),
            list: false,
            options: Vec::new(),
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--tool" => settings.tool = Some(value()?.into()),
                "--timeout" => settings.timeout = number(word, value()?)?,
                "--jobs" => settings.jobs = number(word, value()?)?,
                "--family" => settings.family = Some(value()?.clone()),
                "--define" => settings.defines.push(value()?.clone()),
                "--sizes" => settings.sizes = value()?.split(',').map(|size| number(word, size)).collect::<Result<_, _>>()?,
                "--list" => settings.list = true,
                "--" => settings.options = words.by_ref().cloned().collect(),
                option if option.starts_with("--") => return Err(format!("there is no option `{option}`")),
                path => settings.paths.push(path.into()),
            }
        }
        if settings.paths.is_empty() { Err("which corpus?  cargo xtask marked CORPUS_DIR…".into()) } else { Ok(settings) }
    }

    /// The tasks with marked accesses.
    fn tasks(&self) -> Result<Vec<Task>, String> {
        let found = Tasks::of(&self.paths)?;
        let mut tasks = found.tasks;
        tasks.retain(|task| task.property.marked && self.family.as_ref().is_none_or(|name| task.is_of_family(name)));
        tasks.sort_by(|a, b| (&a.family, a.path()).cmp(&(&b.family, b.path())));
        if tasks.is_empty() { Err("there are no such programs".into()) } else { Ok(tasks) }
    }

    fn tool_options(&self, size: Option<u64>) -> Vec<String> {
        let defines = self.defines.iter().map(|define| format!("-D{define}"));
        self.options.iter().cloned().chain(defines).chain(size.map(|size| format!("-DBASE_SZ={size}"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Settings, String> {
        Settings::parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_understood() {
        let settings = parse("a --define X=1 --sizes 2,10 --list --family f -- --unwind 3").unwrap();
        assert_eq!((settings.paths.len(), settings.list, settings.family.as_deref()), (1, true, Some("f")));
        assert_eq!(settings.sizes, [2, 10]);
        assert_eq!(settings.tool_options(Some(2)), ["--unwind", "3", "-DX=1", "-DBASE_SZ=2"]);
    }

    #[test]
    fn nonsense_is_refused() {
        let flaw = |line: &str| parse(line).err().unwrap_or_default();
        assert_eq!(flaw("a --sizes 2,big"), "--sizes needs a number, not `big`");
        assert_eq!(flaw("a --nonsense"), "there is no option `--nonsense`");
        assert!(flaw("--list").starts_with("which corpus?"));
    }
}

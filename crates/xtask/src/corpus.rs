//! The corpus runner: what does the tool say about programs whose properties are known?

pub mod execution;
mod index;
pub mod marks;
mod property;
mod sample;
pub mod statistics;
pub mod task;
pub mod verdict;
mod yml;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use self::execution::Tool;
use self::marks::Marks;
use self::statistics::{Record, Statistics};
use self::task::{Task, Tasks};
use self::verdict::Outcome;
use crate::built;

/// What the command line says.
struct Settings {
    paths: Vec<PathBuf>,
    sample: Option<usize>,
    seed: u64,
    timeout: u64,
    jobs: usize,
    unwind: Option<u64>,
    family: Option<String>,
    property: Option<String>,
    json: Option<PathBuf>,
    tool: Option<PathBuf>,
    list_unknown: bool,
}

/// Runs the tool on the tasks below the given paths and prints a table; fails if it is wrong about one, or breaks.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let settings = Settings::parse(arguments)?;
    let tasks = settings.tasks()?;
    let path = settings.tool.clone().map_or_else(|| built::program("loopfrog"), Ok)?;
    let unwind = settings.unwind.into_iter().flat_map(|unwind| ["--unwind".into(), unwind.to_string()]);
    let tool = Tool::new(path, settings.timeout, unwind.collect());
    let start = Instant::now();
    let results = execution::map(&tasks, settings.jobs, |index, task| {
        let record = examine(&tool, task);
        if let Ok(record) = &record {
            announce(index, tasks.len(), record);
        }
        record
    });
    let records = results.into_iter().collect::<Result<Vec<Record>, String>>()?;
    let statistics = Statistics::new(&records);
    for record in records.iter().filter(|record| settings.lists(&record.outcome)) {
        println!("{}", record.line());
    }
    print!("{}", statistics.table());
    println!("{} tasks in {:.1} s", records.len(), start.elapsed().as_secs_f64());
    if let Some(file) = &settings.json {
        write_json(file, &statistics, &records)?;
    }
    statistics.failure().map_or(Ok(()), Err)
}

fn examine(tool: &Tool, task: &Task) -> Result<Record, String> {
    let words = tool.command(task);
    let end = tool.run(&words)?;
    let marks = task.property.marked.then(|| Marks::read(&task.files));
    let outcome = match task.property.name {
        "valid-memsafety" if marks.is_none() => verdict::judge_tracking(&end, &task.expected),
        _ => verdict::judge(&end, &task.expected, marks.as_ref()),
    };
    Ok(Record { task: task.clone(), command: words.join(" "), outcome, seconds: end.seconds })
}

/// Long runs are watched: what matters is said at once, and a sign of life from time to time.
fn announce(index: usize, count: usize, record: &Record) {
    if matches!(record.outcome, Outcome::Wrong(_) | Outcome::Crashed(_)) {
        eprintln!("{}", record.line());
    } else if (index + 1).is_multiple_of(50) {
        eprintln!("{} of {count}", index + 1);
    }
}

fn write_json(file: &Path, statistics: &Statistics, records: &[Record]) -> Result<(), String> {
    let tasks: Vec<Value> = records.iter().map(Record::json).collect();
    let whole = json!({"statistics": statistics.json(), "tasks": tasks});
    fs::write(file, format!("{whole:#}\n")).map_err(|error| format!("{}: {error}", file.display()))
}

impl Settings {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut settings = Settings {
            paths: Vec::new(),
            sample: None,
            seed: 1,
            timeout: 30,
            jobs: 1,
            unwind: None,
            family: None,
            property: None,
            json: None,
            tool: None,
            list_unknown: false,
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--sample" => settings.sample = Some(number(word, value()?)?),
                "--seed" => settings.seed = number(word, value()?)?,
                "--timeout" => settings.timeout = number(word, value()?)?,
                "--jobs" => settings.jobs = number(word, value()?)?,
                "--unwind" => settings.unwind = Some(number(word, value()?)?),
                "--family" => settings.family = Some(value()?.clone()),
                "--property" => settings.property = Some(value()?.clone()),
                "--json" => settings.json = Some(value()?.into()),
                "--tool" => settings.tool = Some(value()?.into()),
                "--list-unknown" => settings.list_unknown = true,
                option if option.starts_with("--") => return Err(format!("there is no option `{option}`")),
                path => settings.paths.push(path.into()),
            }
        }
        if settings.paths.is_empty() { Err("which folder?  cargo xtask corpus PATH…".into()) } else { Ok(settings) }
    }

    /// The tasks to run. Says which are left out because the tool has no answer.
    fn tasks(&self) -> Result<Vec<Task>, String> {
        let found = Tasks::of(&self.paths)?;
        for name in &found.unknown_properties {
            println!("SKIPPED the property `{name}` is not known");
        }
        let mut tasks = found.tasks;
        tasks.sort_by(|a, b| (&a.family, a.path(), a.property.name).cmp(&(&b.family, b.path(), b.property.name)));
        tasks.retain(|task| self.selects(task));
        if tasks.is_empty() {
            return Err("there are no such tasks".into());
        }
        Ok(match self.sample {
            Some(count) => sample::choose(tasks, count, self.seed),
            None => tasks,
        })
    }

    /// Whether the task is of the family and property that are asked for, if any.
    fn selects(&self, task: &Task) -> bool {
        self.family.as_ref().is_none_or(|name| task.is_of_family(name))
            && self.property.as_ref().is_none_or(|name| task.property.name == name)
    }

    fn lists(&self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Correct => false,
            Outcome::Unknown(_) => self.list_unknown,
            Outcome::Wrong(_) | Outcome::Refused(_) | Outcome::Crashed(_) => true,
        }
    }
}

/// The number that an option has as its value.
pub fn number<N: std::str::FromStr>(option: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{option} needs a number, not `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Settings, String> {
        Settings::parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_understood() {
        let settings = parse("a --sample 5 --unwind 3 b --list-unknown --property no-overflow").unwrap();
        assert_eq!(settings.paths, [PathBuf::from("a"), PathBuf::from("b")]);
        assert_eq!((settings.sample, settings.unwind, settings.list_unknown), (Some(5), Some(3), true));
        assert_eq!(settings.property.as_deref(), Some("no-overflow"));
    }

    #[test]
    fn nonsense_is_refused() {
        let flaw = |line: &str| parse(line).err().unwrap_or_default();
        assert_eq!(flaw("a --jobs many"), "--jobs needs a number, not `many`");
        assert_eq!(flaw("a --seed"), "--seed needs a value");
        assert_eq!(flaw("a --nonsense"), "there is no option `--nonsense`");
        assert!(flaw("--jobs 2").starts_with("which folder?"));
    }
}

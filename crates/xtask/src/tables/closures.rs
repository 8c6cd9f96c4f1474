//! Table 1 of *Loop Leaping with Closures*: what closures over predicates say where the programs' loops are left, with the predicates that each program lists
//! in a comment.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::built;
use crate::corpus::execution::Tool;
use crate::corpus::number;

/// A program of the table.
struct Benchmark {
    file: &'static str,
    function: &'static str,
    /// Which of its loops is left last, in the order of the source.
    last: usize,
    /// More options: in the paper, numbers do not overflow.
    options: &'static [&'static str],
    /// What the paper has: predicates, seconds, the result.
    predicates: usize,
    seconds: f64,
    result: &'static str,
}

#[rustfmt::skip]
const BENCHMARKS: &[Benchmark] = &[
    Benchmark { file: "counter.c", function: "counter", last: 0, options: &[], predicates: 12, seconds: 0.1, result: "n >= 0 && x == n" },
    Benchmark { file: "ex1a.c", function: "ex1a", last: 0, options: &["--defined"], predicates: 12, seconds: 0.1, result: "x >= 0 && x <= 2 (where y == 0)" },
    Benchmark { file: "ex1b.c", function: "ex1b", last: 0, options: &[], predicates: 20, seconds: 0.1, result: "m >= 0 && n > m && x == n && x > 0" },
    Benchmark { file: "ex3.c", function: "ex3", last: 0, options: &[], predicates: 25, seconds: 0.6, result: "x <= m && x == n && x == y && y >= m" },
    Benchmark { file: "lockstep.c", function: "lockstep", last: 0, options: &[], predicates: 12, seconds: 0.1, result: "x == y && x == n" },
    Benchmark { file: "nested.c", function: "nested", last: 0, options: &[], predicates: 15, seconds: 1.0, result: "t > 0 && t == y && y == m && y > 0" },
    Benchmark { file: "two-loop.c", function: "twoloop", last: 1, options: &[], predicates: 20, seconds: 0.2, result: "x == n && y == n" },
];

/// Runs the tool on the programs of the table below a folder, and prints what it says beside what the paper says.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut folder, mut tool, mut timeout): (Option<PathBuf>, Option<PathBuf>, u64) = (None, None, 60);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--tool" => tool = Some(value()?.into()),
            "--timeout" => timeout = number(word, value()?)?,
            option if option.starts_with("--") => return Err(format!("there is no option `{option}`")),
            path => folder = Some(path.into()),
        }
    }
    let folder = folder.ok_or("which folder?  cargo xtask tables closures PATH")?;
    let tool = Tool::new(tool.map_or_else(|| built::program("loopfrog"), Ok)?, timeout, Vec::new());
    println!("{:<12} {:>12} {:>16}  result", "program", "predicates", "seconds");
    for benchmark in BENCHMARKS {
        let found = benchmark.measured(&tool, &folder.join(benchmark.file))?;
        println!("{:<12} {:>12} {:>16.2}  {}", benchmark.file, found.predicates, found.seconds, found.result);
        println!("{:<12} {:>12} {:>16.1}  {}", "  paper", benchmark.predicates, benchmark.seconds, benchmark.result);
    }
    Ok(())
}

/// What the tool says.
struct Measured {
    predicates: usize,
    seconds: f64,
    result: String,
}

impl Benchmark {
    fn measured(&self, tool: &Tool, file: &Path) -> Result<Measured, String> {
        let unreadable = |error: std::io::Error| format!("{}: {error}", file.display());
        let listed = predicates(&std::fs::read_to_string(file).map_err(unreadable)?);
        let mut list = tempfile::NamedTempFile::new().map_err(unreadable)?;
        list.write_all(listed.join("\n").as_bytes()).map_err(unreadable)?;
        let name = list.path().display().to_string();
        let mut command = vec!["summarize", "--summaries", "closures", "--function", self.function, "--predicates", &name];
        command.extend(self.options);
        let end = tool.run(&tool.command_line(&command, false, &[file.to_path_buf()]))?;
        let answer: Value = serde_json::from_str(&end.output).map_err(|_| format!("{}: {}", file.display(), end.errors.trim()))?;
        let exit = answer["loops"][self.last]["exit"].as_str().unwrap_or("nothing");
        Ok(Measured { predicates: listed.len(), seconds: answer["seconds"].as_f64().unwrap_or(0.0), result: exit.to_owned() })
    }
}

/// The predicates in the comment that begins with `Predicate set`, with commas between them.
fn predicates(source: &str) -> Vec<String> {
    let lower = source.to_lowercase();
    let Some(rest) = lower.find("predicate set").and_then(|start| source.get(start..)) else { return Vec::new() };
    let list = rest.split_once(':').map_or("", |(_, list)| list);
    let list = list.split("*/").next().unwrap_or_default().replace('*', " ");
    list.split(',').map(|one| one.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|one| !one.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_read_from_the_comment() {
        let source = "void f(void) {}\n/*\n * Predicate Set S:\n *  x <= 0, x > 0,\n *  x - y\n *   <= 2,\n */\n";
        assert_eq!(predicates(source), ["x <= 0", "x > 0", "x - y <= 2"]);
        assert!(predicates("/* nothing, here */").is_empty());
    }
}

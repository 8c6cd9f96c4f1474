//! Soundness fuzzing: random programs with loops, analysed and run. A run that refutes what is proved is a finding; so are violations that cannot be
//! repeated, contradictions and crashes.

mod examine;
mod facts;
mod generate;
mod oracle;
mod random;
mod runs;
mod shrink;
mod termination;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use self::examine::{Laboratory, Report};
use self::random::Random;
use self::tree::Program;
use crate::built;
use crate::corpus::execution::{self, Tool};

/// How many times a smaller program is tried for a finding, and for how long.
const ATTEMPTS: usize = 400;
const PATIENCE: Duration = Duration::from_secs(120);

/// So many programs are examined before the clock is looked at.
const BATCH: u64 = 20;

/// What the command line says.
struct Settings {
    seed: u64,
    count: Option<u64>,
    minutes: Option<u64>,
    jobs: usize,
    timeout: u64,
    runs: usize,
    properties: Option<String>,
    tool: Option<PathBuf>,
    keep: Option<PathBuf>,
    print: bool,
    /// Whether the question is whether programs end.
    termination: bool,
    /// What follows `--` goes to the tool.
    options: Vec<String>,
}

/// Examines the programs of some seeds; fails if there is a finding.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let settings = Settings::parse(arguments)?;
    if settings.print {
        print!("{}", program(settings.seed, settings.termination).text());
        return Ok(());
    }
    let path = settings.tool.clone().map_or_else(|| built::program("loopfrog"), Ok)?;
    let tool = Tool::new(path, settings.timeout, settings.options.clone());
    let laboratory = Laboratory { tool, runs: settings.runs, properties: settings.properties.clone(), termination: settings.termination };
    if let Some(folder) = &settings.keep {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let start = Instant::now();
    let mut total = Total::default();
    let mut next = settings.seed;
    while !settings.is_over(next, start) {
        let last = settings.count.map_or(u64::MAX, |count| settings.seed.saturating_add(count)).min(next.saturating_add(BATCH));
        let seeds: Vec<u64> = (next..last).collect();
        let reports = execution::map(&seeds, settings.jobs, |_, seed| examine(&laboratory, *seed, settings.keep.as_deref()));
        for report in reports {
            total.add(&report?);
        }
        next = last;
        eprintln!("{}", total.line());
    }
    println!("{} in {:.0} s", total.line(), start.elapsed().as_secs_f64());
    if total.findings == 0 { Ok(()) } else { Err(format!("{} findings", total.findings)) }
}

/// The program of a seed, with its facts.
fn program(seed: u64, termination: bool) -> Program {
    if termination {
        return termination::program(seed);
    }
    let mut program = generate::program(seed);
    facts::settle(&mut program, &mut Random::new(seed, 4));
    program
}

/// Examines a program; what is found in it is made small, printed and kept.
fn examine(laboratory: &Laboratory, seed: u64, keep: Option<&Path>) -> Result<Report, String> {
    let whole = program(seed, laboratory.termination);
    let report = laboratory.examine(&whole, seed)?;
    if let Some(text) = &report.suspicious {
        println!("SUSPICIOUS seed {seed}: {text}");
    }
    let mut known = Vec::new();
    for (number, finding) in report.findings.iter().enumerate() {
        let same = |other: &oracle::Finding| other.wrong == finding.wrong && other.kind == finding.kind;
        // Others of its sort are usually the same defect.
        if known.iter().any(same) {
            continue;
        }
        known.push(finding.clone());
        let deadline = Instant::now() + PATIENCE;
        let persists = |smaller: &Program| {
            Instant::now() < deadline && laboratory.examine(smaller, seed).is_ok_and(|report| report.findings.iter().any(&same))
        };
        let small = shrink::shrink(whole.clone(), ATTEMPTS, persists);
        let text = laboratory.examine(&small, seed)?.findings.iter().find(|other| same(other)).unwrap_or(finding).text();
        println!("FINDING seed {seed}: {text}");
        // At the end, so that lines keep their numbers.
        let source = format!("{}// seed {seed}: {text}\n", small.text());
        match keep {
            Some(folder) => {
                let path = folder.join(format!("{seed}-{number}.c"));
                fs::write(&path, source).map_err(|error| format!("{}: {error}", path.display()))?;
            }
            None => print!("{source}"),
        }
    }
    Ok(report)
}

/// Sums over all programs.
#[derive(Default)]
struct Total {
    programs: usize,
    late: usize,
    runs: usize,
    proved: usize,
    exercised: usize,
    violated: usize,
    open: usize,
    findings: usize,
}

impl Total {
    fn add(&mut self, report: &Report) {
        self.programs += 1;
        self.late += usize::from(report.late);
        self.runs += report.runs;
        self.proved += report.proved;
        self.exercised += report.exercised;
        self.violated += report.violated;
        self.open += report.open;
        self.findings += report.findings.len();
    }

    fn line(&self) -> String {
        format!(
            "{} programs ({} out of time), {} runs; {} properties proved, {} of them on executed lines, {} violated, {} open; {} findings",
            self.programs, self.late, self.runs, self.proved, self.exercised, self.violated, self.open, self.findings
        )
    }
}

impl Settings {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut settings = Settings {
            seed: 1,
            count: None,
            minutes: None,
            jobs: 1,
            timeout: 10,
            runs: 60,
            properties: None,
            tool: None,
            keep: None,
            print: false,
            termination: false,
            options: Vec::new(),
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--seed" => settings.seed = number(word, value()?)?,
                "--count" => settings.count = Some(number(word, value()?)?),
                "--minutes" => settings.minutes = Some(number(word, value()?)?),
                "--jobs" => settings.jobs = number(word, value()?)?,
                "--timeout" => settings.timeout = number(word, value()?)?,
                "--runs" => settings.runs = number(word, value()?)?,
                "--property" => settings.properties = Some(value()?.clone()),
                "--tool" => settings.tool = Some(value()?.into()),
                "--keep" => settings.keep = Some(value()?.into()),
                "--print" => settings.print = true,
                "--termination" => settings.termination = true,
                "--" => settings.options = words.by_ref().cloned().collect(),
                other => return Err(format!("there is no option `{other}`")),
            }
        }
        if settings.count.is_none() && settings.minutes.is_none() {
            settings.count = Some(200);
        }
        Ok(settings)
    }

    /// Whether the seed is behind the last one, or the time is over.
    fn is_over(&self, seed: u64, start: Instant) -> bool {
        self.count.is_some_and(|count| seed >= self.seed.saturating_add(count))
            || self.minutes.is_some_and(|minutes| start.elapsed() >= Duration::from_secs(60 * minutes))
    }
}

fn number<N: std::str::FromStr>(option: &str, text: &str) -> Result<N, String> {
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
        let settings = parse("--seed 7 --count 3 --jobs 2 -- --unwind 4").unwrap();
        assert_eq!((settings.seed, settings.count, settings.jobs), (7, Some(3), 2));
        assert_eq!(settings.options, ["--unwind", "4"]);
        assert_eq!(parse("").unwrap().count, Some(200));
        assert_eq!(parse("--minutes 2").unwrap().count, None);
        assert_eq!(parse("--count x").err().as_deref(), Some("--count needs a number, not `x`"));
        assert!(parse("--what").is_err());
    }

    #[test]
    fn a_seed_gives_one_program_with_its_facts() {
        for seed in 0..20 {
            assert_eq!(program(seed, false).text(), program(seed, false).text());
            assert!(program(seed, false).probes().is_empty());
        }
    }

    #[test]
    fn the_front_end_accepts_the_programs() {
        for seed in 0..100 {
            let program = program(seed, false);
            let refused = runs::translate(&program.text(), program.ilp32).err();
            assert_eq!(refused, None, "seed {seed}\n{}", program.text());
        }
    }
}

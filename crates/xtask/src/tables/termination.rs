//! Tables 6 to 10: loops that are shown to end, by the methods that the paper compares as they are implemented here, and by what the tool does on
//! its own.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::built;
use crate::corpus::execution::{End, Tool};
use crate::corpus::number;
use crate::corpus::task::Tasks;

/// The methods of the paper, and the engines that stand for them.
const METHODS: [(&str, &str); 4] =
    [("LOOPFROG 1", "order-sum"), ("LOOPFROG 2", "order-numeric"), ("CTA", "compositional"), ("TERMINATOR", "terminator")];

/// Loops that end, that may not end, and that took too long, and the seconds for the first two.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Figures {
    ending: usize,
    open: usize,
    late: usize,
    seconds: f64,
}

const fn figures(ending: usize, open: usize, late: usize, seconds: f64) -> Figures {
    Figures { ending, open, late, seconds }
}

/// A program of the paper.
struct Benchmark {
    suite: &'static str,
    name: &'static str,
    /// What the paper has for each method.
    paper: [Figures; 4],
}

const fn benchmark(suite: &'static str, name: &'static str, paper: [Figures; 4]) -> Benchmark {
    Benchmark { suite, name, paper }
}

/// The programs of Tables 6, 7, 8 and 10.
#[rustfmt::skip]
const BENCHMARKS: &[Benchmark] = &[
    benchmark("powerstone", "adpcm", [figures(8, 3, 0, 59.66), figures(10, 1, 0, 162.75), figures(8, 3, 0, 101.30), figures(6, 2, 3, 94.45)]),
    benchmark("powerstone", "bcnt", [figures(0, 2, 0, 2.63), figures(0, 2, 0, 2.82), figures(0, 2, 0, 0.79), figures(0, 2, 0, 0.30)]),
    benchmark("powerstone", "blit", [figures(0, 4, 0, 0.16), figures(3, 1, 0, 0.05), figures(3, 1, 0, 5.95), figures(3, 1, 0, 3.67)]),
    benchmark("powerstone", "compress", [figures(5, 13, 0, 3.13), figures(6, 12, 0, 33.92), figures(5, 12, 1, 699.0), figures(7, 10, 1, 474.36)]),
    benchmark("powerstone", "crc", [figures(1, 2, 0, 0.15), figures(2, 1, 0, 0.21), figures(1, 1, 1, 0.33), figures(2, 1, 0, 14.58)]),
    benchmark("powerstone", "engine", [figures(0, 6, 0, 2.40), figures(2, 4, 0, 9.88), figures(2, 4, 0, 16.20), figures(2, 4, 0, 4.88)]),
    benchmark("powerstone", "fir", [figures(2, 7, 0, 5.99), figures(6, 3, 0, 21.59), figures(6, 3, 0, 2957.06), figures(6, 2, 1, 193.91)]),
    benchmark("powerstone", "g3fax", [figures(1, 6, 0, 1.57), figures(1, 6, 0, 6.05), figures(1, 5, 1, 256.90), figures(1, 5, 1, 206.85)]),
    benchmark("powerstone", "huff", [figures(3, 8, 0, 24.37), figures(8, 3, 0, 94.61), figures(7, 3, 1, 16.35), figures(7, 4, 0, 52.32)]),
    benchmark("powerstone", "jpeg", [figures(2, 21, 0, 8.37), figures(16, 7, 0, 32.90), figures(15, 8, 0, 2279.13), figures(15, 8, 0, 2121.36)]),
    benchmark("powerstone", "pocsag", [figures(3, 9, 0, 2.07), figures(9, 3, 0, 6.91), figures(9, 3, 0, 10.39), figures(7, 3, 2, 1557.57)]),
    benchmark("powerstone", "qurt", [figures(0, 2, 0, 3.56), figures(1, 1, 0, 11.67), figures(1, 1, 0, 30.77), figures(0, 0, 2, 0.0)]),
    benchmark("powerstone", "ucbqsort", [figures(1, 14, 0, 0.79), figures(2, 13, 0, 2.06), figures(2, 12, 1, 71.73), figures(9, 5, 1, 51.08)]),
    benchmark("powerstone", "v42", [figures(0, 12, 0, 82.84), figures(0, 12, 0, 2587.22), figures(0, 12, 0, 73.57), figures(1, 11, 0, 335.69)]),
    benchmark("snu", "adpcm-test", [figures(13, 5, 0, 470.05), figures(17, 1, 0, 644.09), figures(13, 3, 2, 260.98), figures(12, 2, 4, 165.67)]),
    benchmark("snu", "bs", [figures(0, 1, 0, 0.05), figures(0, 1, 0, 0.12), figures(0, 1, 0, 12.22), figures(0, 1, 0, 18.47)]),
    benchmark("snu", "crc", [figures(1, 2, 0, 0.17), figures(2, 1, 0, 0.26), figures(1, 1, 1, 0.21), figures(2, 1, 0, 13.88)]),
    benchmark("snu", "fft1k", [figures(2, 5, 0, 0.36), figures(5, 2, 0, 0.67), figures(5, 2, 0, 141.18), figures(5, 2, 0, 116.81)]),
    benchmark("snu", "fft1", [figures(3, 8, 0, 3.68), figures(7, 4, 0, 4.98), figures(7, 4, 0, 441.94), figures(7, 4, 0, 427.36)]),
    benchmark("snu", "fir", [figures(2, 6, 0, 2.90), figures(6, 2, 0, 8.48), figures(6, 2, 0, 2817.08), figures(6, 1, 1, 236.70)]),
    benchmark("snu", "insertsort", [figures(0, 2, 0, 0.05), figures(1, 1, 0, 0.06), figures(1, 1, 0, 226.45), figures(1, 1, 0, 209.12)]),
    benchmark("snu", "jfdctint", [figures(0, 3, 0, 5.61), figures(3, 0, 0, 0.05), figures(3, 0, 0, 1.24), figures(3, 0, 0, 0.98)]),
    benchmark("snu", "lms", [figures(3, 7, 0, 2.86), figures(6, 4, 0, 10.49), figures(6, 4, 0, 2923.12), figures(6, 3, 1, 251.03)]),
    benchmark("snu", "ludcmp", [figures(0, 11, 0, 96.73), figures(5, 6, 0, 112.81), figures(3, 5, 3, 3.26), figures(3, 8, 0, 94.66)]),
    benchmark("snu", "matmul", [figures(0, 5, 0, 0.15), figures(5, 0, 0, 0.09), figures(3, 2, 0, 1.97), figures(3, 2, 0, 2.15)]),
    benchmark("snu", "minver", [figures(1, 16, 0, 2.57), figures(16, 1, 0, 7.66), figures(14, 1, 2, 105.26), figures(14, 1, 2, 87.09)]),
    benchmark("snu", "qsort-exam", [figures(0, 6, 0, 0.67), figures(0, 6, 0, 3.96), figures(0, 5, 1, 45.92), figures(0, 5, 1, 2530.58)]),
    benchmark("snu", "qurt", [figures(0, 1, 0, 8.02), figures(1, 0, 0, 13.82), figures(1, 0, 0, 55.65), figures(0, 0, 1, 0.0)]),
    benchmark("snu", "select", [figures(0, 4, 0, 0.55), figures(0, 4, 0, 3.56), figures(0, 3, 1, 32.60), figures(0, 3, 1, 28.12)]),
    benchmark("snu", "sqrt", [figures(0, 1, 0, 0.60), figures(1, 0, 0, 5.10), figures(1, 0, 0, 15.28), figures(0, 0, 1, 0.0)]),
    benchmark("debian", "jhead", [figures(1, 7, 0, 23.78), figures(4, 4, 0, 78.93), figures(3, 5, 0, 42.38), figures(2, 4, 2, 208.78)]),
    benchmark("debian", "bchunk", [figures(3, 6, 0, 1.67), figures(3, 6, 0, 31.16), figures(3, 6, 0, 53.03), figures(4, 5, 0, 91.13)]),
];

/// Table 9, which has the sums over 160 programs.
const VERISEC: Benchmark = benchmark(
    "verisec",
    "all",
    [figures(33, 211, 0, 11.38), figures(44, 200, 0, 22.49), figures(34, 208, 2, 1207.62), figures(40, 204, 0, 4040.53)],
);

/// What the command line says.
struct Settings {
    /// Where programs are.
    paths: Vec<PathBuf>,
    tool: Option<PathBuf>,
    timeout: u64,
}

/// Programs without `main`, and where they start.
const STARTS: [(&str, &str); 1] = [("sqrt", "sqrtfcn")];

/// A program: the files that are analysed together, and whether for ILP32.
type Program = (Vec<PathBuf>, bool);

/// Runs the tool with each method on the programs that are there, and prints its figures beside those of the paper; fails if it breaks.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let settings = Settings::parse(arguments)?;
    let path = settings.tool.clone().map_or_else(|| built::program("loopfrog"), Ok)?;
    println!("{}", heading());
    let mut missing = Vec::new();
    for benchmark in BENCHMARKS {
        match benchmark.find(&settings.paths) {
            Some(file) => print(&path, &settings, benchmark, &[(vec![file], false)])?,
            None => missing.push(format!("{} {}", benchmark.suite, benchmark.name)),
        }
    }
    let indexed: Vec<PathBuf> = settings.paths.iter().filter(|path| path.join("index.tsv").is_file()).cloned().collect();
    let tasks = Tasks::of(&indexed)?.tasks;
    let marked: Vec<Program> = tasks.into_iter().filter(|task| task.property.marked).map(|task| (task.files, task.ilp32)).collect();
    if marked.is_empty() {
        missing.push("verisec".into());
    } else {
        print(&path, &settings, &VERISEC, &marked)?;
    }
    if !missing.is_empty() {
        println!("SKIPPED, because they are not there: {}", missing.join(", "));
    }
    Ok(())
}

/// Prints the lines of a benchmark.
fn print(tool: &Path, settings: &Settings, benchmark: &Benchmark, programs: &[Program]) -> Result<(), String> {
    let methods = METHODS.iter().zip(benchmark.paper).map(|((method, engine), paper)| (*method, Some(*engine), Some(paper)));
    let start = STARTS.iter().find(|(name, _)| *name == benchmark.name).map(|(_, function)| ["--function", *function]);
    for (method, engine, paper) in methods.chain([("default", None, None)]) {
        let options = engine.map(|engine| ["--engine", engine]).into_iter().chain(start).flatten().map(str::to_string).collect();
        let tool = Tool::new(tool.to_path_buf(), settings.timeout, options);
        let mut sum = Figures::default();
        for (files, ilp32) in programs {
            let end = tool.run(&tool.command_line(&["terminate"], *ilp32, files))?;
            // Others are of interest all the same.
            if let Err(error) = sum.add(&end, settings.timeout) {
                println!("REFUSED {}: {error}", files.first().map_or(Path::new(""), PathBuf::as_path).display());
            }
        }
        println!("{}", line(benchmark, method, paper, sum));
    }
    Ok(())
}

impl Settings {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut settings = Settings { paths: Vec::new(), tool: None, timeout: 60 };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--tool" => settings.tool = Some(value()?.into()),
                "--timeout" => settings.timeout = number(word, value()?)?,
                option if option.starts_with("--") => return Err(format!("there is no option `{option}`")),
                path => settings.paths.push(path.into()),
            }
        }
        if settings.paths.is_empty() { Err("where are the programs?  cargo xtask tables termination PATH…".into()) } else { Ok(settings) }
    }
}

impl Benchmark {
    /// The program: a source in a folder named like the suite, or where `cargo xtask packages` leaves what it builds. A suite whose name is not in the
    /// path is that of SNU, which shares names with others.
    fn find(&self, paths: &[PathBuf]) -> Option<PathBuf> {
        let source = format!("{}.c", self.name);
        let candidates = paths.iter().flat_map(|path| {
            let plain = (self.suite == "snu").then(|| path.join(&source));
            let built = (self.suite == "debian").then(|| path.join(self.name).join("loopfrog-cc").join(self.name));
            [Some(path.join(self.suite).join(&source)), plain, built].into_iter().flatten()
        });
        candidates.into_iter().find(|file| file.is_file())
    }
}

impl Figures {
    /// Adds what the tool says of the loops of a program.
    fn add(&mut self, end: &End, timeout: u64) -> Result<(), String> {
        let report: Option<Value> = serde_json::from_str(&end.output).ok();
        let Some(loops) = report.as_ref().and_then(|report| report.get("loops")).and_then(Value::as_array) else {
            // Nobody knows how many there are.
            self.late += usize::from(end.late);
            return if end.late { Ok(()) } else { Err(end.errors.lines().next().unwrap_or("the tool says nothing").to_string()) };
        };
        let late = end.seconds >= timeout as f64;
        for one in loops {
            match one.get("verdict").and_then(Value::as_str) {
                Some("terminates") => self.ending += 1,
                Some("unknown") if late => self.late += 1,
                _ => self.open += 1,
            }
        }
        self.seconds += end.seconds;
        Ok(())
    }

    fn text(self) -> String {
        format!("{:>4} {:>4} {:>3} {:>8.2}", self.ending, self.open, self.late, self.seconds)
    }
}

fn heading() -> String {
    let columns = format!("{:>4} {:>4} {:>3} {:>8}", "T", "NT", "TO", "seconds");
    format!("{:<11} {:<11} {:<11} {columns}   paper: {columns}", "suite", "program", "method")
}

/// A line of the table.
fn line(benchmark: &Benchmark, method: &str, paper: Option<Figures>, here: Figures) -> String {
    let paper = paper.map(|paper| format!("          {}", paper.text())).unwrap_or_default();
    format!("{:<11} {:<11} {method:<11} {}{paper}", benchmark.suite, benchmark.name, here.text())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn end(output: &str, seconds: f64) -> End {
        End { code: Some(5), late: false, output: output.into(), errors: "what?".into(), seconds, megabytes: 1.0 }
    }

    #[test]
    fn loops_are_counted() {
        let report = r#"{ "loops": [{ "verdict": "terminates" }, { "verdict": "unknown" }, { "verdict": "diverges" }] }"#;
        let mut sum = Figures::default();
        sum.add(&end(report, 1.5), 60).unwrap();
        assert_eq!(sum, figures(1, 2, 0, 1.5));
        sum.add(&end(report, 60.5), 60).unwrap();
        assert_eq!(sum, figures(2, 3, 1, 62.0));
        assert_eq!(sum.add(&end("", 1.0), 60), Err("what?".into()));
    }

    #[test]
    fn lines_show_the_paper_beside() {
        let lines = [
            heading(),
            line(&VERISEC, "CTA", Some(VERISEC.paper[2]), figures(1, 2, 0, 1.5)),
            line(&VERISEC, "default", None, figures(3, 0, 0, 0.1)),
        ];
        expect![[r#"
            suite       program     method         T   NT  TO  seconds   paper:    T   NT  TO  seconds
            verisec     all         CTA            1    2   0     1.50            34  208   2  1207.62
            verisec     all         default        3    0   0     0.10
        "#]]
        .assert_eq(&(lines.join("\n") + "\n"));
    }

    #[test]
    fn programs_are_found_by_suite() {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().to_path_buf()];
        let crc = |suite: &str| BENCHMARKS.iter().find(|one| one.suite == suite && one.name == "crc").unwrap();
        std::fs::write(folder.path().join("crc.c"), "").unwrap();
        assert_eq!(crc("snu").find(&paths), Some(folder.path().join("crc.c")));
        assert_eq!(crc("powerstone").find(&paths), None);
    }

    #[test]
    fn options_are_understood() {
        let parse = |line: &str| Settings::parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>());
        assert_eq!(parse("a b --timeout 5").map(|settings| (settings.paths.len(), settings.timeout)), Ok((2, 5)));
        assert!(parse("--timeout 5").err().unwrap_or_default().starts_with("where are the programs?"));
        assert_eq!(parse("a --what").err().unwrap_or_default(), "there is no option `--what`");
    }
}

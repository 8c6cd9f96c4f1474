//! The tables of the evaluation in "Loop summarization using state and transition invariants" (FMSD 2013), with this tool's figures beside those
//! of the paper. The programs are those that `cargo xtask packages` builds, in the versions of today.

mod closures;
mod termination;

use std::path::{Path, PathBuf};

use crate::built;
use crate::corpus::execution::Tool;
use crate::corpus::number;
use crate::corpus::verdict::{self, Finding, Outcome, Status};

/// How many properties of a program there are, and how many of them are not proved.
#[derive(Clone, Copy)]
struct Share {
    total: usize,
    failed: usize,
}

/// A program of Tables 3 and 4.
struct Program {
    package: &'static str,
    /// Where it is in the tree of the package.
    path: &'static str,
    /// With all domains of the paper (Table 3).
    all: Option<Share>,
    /// With its domains 4 and 5, and with intervals (Table 4).
    bounds: Option<Share>,
    intervals: Option<Share>,
}

const fn share(failed: usize, total: usize) -> Option<Share> {
    Some(Share { total, failed })
}

const fn program(
    package: &'static str,
    path: &'static str,
    all: Option<Share>,
    bounds: Option<Share>,
    intervals: Option<Share>,
) -> Program {
    Program { package, path, all, bounds, intervals }
}

/// Of programs that the paper has in two versions, the later one. The paper has jhead only in its tables about termination.
const CHECKING: &[Program] = &[
    program("bchunk", "bchunk", None, share(8, 96), share(34, 96)),
    program("ncompress", "compress", share(94, 306), share(38, 204), share(167, 204)),
    program("jhead", "jhead", None, None, None),
    program("freecell-solver", "make-aisleriot-freecell-board", share(193, 358), None, None),
    program("freecell-solver", "make-gnome-freecell", share(33, 49), share(40, 145), share(140, 145)),
    program("freecell-solver", "make-microsoft-freecell", share(26, 45), share(30, 61), share(58, 61)),
    program("freecell-solver", "pi-make-microsoft-freecell", share(26, 53), share(30, 65), share(58, 65)),
    program("gnupg", "make-dns-cert", share(7, 12), share(5, 19), share(19, 19)),
    program("gnupg", "mk-tdata", share(1, 8), share(0, 6), share(6, 6)),
    program("inn", "encode", share(22, 88), share(11, 42), share(38, 42)),
    program("inn", "ninpaths", share(49, 96), share(19, 56), share(42, 56)),
    program("texinfo", "install-info/ginstall-info", share(78, 304), None, None),
    program("texinfo", "info/makedoc", share(22, 55), share(46, 83), share(83, 83)),
    program("texinfo", "texindex", share(108, 604), None, None),
    program("wu-ftpd", "ckconfig", share(43, 53), share(1, 1), share(1, 1)),
    program("wu-ftpd", "ftpcount", share(76, 118), share(7, 61), share(47, 61)),
    program("wu-ftpd", "ftprestart", share(111, 142), None, None),
    program("wu-ftpd", "ftpshut", share(22, 232), share(13, 63), share(63, 63)),
    program("wu-ftpd", "ftpwho", share(76, 118), share(7, 61), share(47, 61)),
    program("wu-ftpd", "privatepw", share(29, 80), None, None),
];

/// What the command line says.
struct Settings {
    programs: PathBuf,
    tool: Option<PathBuf>,
    timeout: u64,
    property: String,
    /// What is handed to the tool.
    options: Vec<String>,
}

/// Prints a table.
pub fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        Some((table, rest)) if table == "checking" => checking(rest),
        Some((table, rest)) if table == "termination" => termination::run(rest),
        Some((table, rest)) if table == "closures" => closures::run(rest),
        _ => Err("which table?  cargo xtask tables checking, termination or closures".into()),
    }
}

/// Runs the tool on the programs of a table that are there, and prints its figures beside those of the paper; fails if it breaks.
fn checking(arguments: &[String]) -> Result<(), String> {
    let settings = Settings::parse(arguments)?;
    let path = settings.tool.clone().map_or_else(|| built::program("loopfrog"), Ok)?;
    let tool = Tool::new(path, settings.timeout, settings.options.clone());
    println!("{}", heading());
    let mut broken = 0;
    for program in CHECKING {
        let figures = match program.find(&settings.programs) {
            Some(file) => {
                let end = tool.run(&tool.command_line(&["check", "--property", &settings.property], false, &[file]))?;
                let findings = verdict::findings(&end);
                broken += usize::from(matches!(findings, Err(Outcome::Crashed(_))));
                figures(findings, end.seconds, end.megabytes)
            }
            None => "SKIPPED: no such program".into(),
        };
        println!("{}", program.line(&figures));
    }
    if broken == 0 { Ok(()) } else { Err(format!("the tool broke {broken} times")) }
}

impl Settings {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut settings = Settings {
            programs: built::target_folder().join("packages"),
            tool: None,
            timeout: 120,
            property: "memory".into(),
            options: Vec::new(),
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--programs" => settings.programs = value()?.into(),
                "--tool" => settings.tool = Some(value()?.into()),
                "--timeout" => settings.timeout = number(word, value()?)?,
                "--property" => settings.property = value()?.clone(),
                "--" => settings.options = words.by_ref().cloned().collect(),
                option => return Err(format!("there is no option `{option}`")),
            }
        }
        Ok(settings)
    }
}

impl Program {
    /// The program itself in the folder, or where `cargo xtask packages` leaves it below that.
    fn find(&self, folder: &Path) -> Option<PathBuf> {
        let built = folder.join(self.package).join("loopfrog-cc").join(self.path);
        let name = Path::new(self.path).file_name().unwrap_or_default();
        [folder.join(name), built].into_iter().find(|file| file.is_file())
    }

    /// A line of the table.
    fn line(&self, figures: &str) -> String {
        let [all, bounds, intervals] = [self.all, self.bounds, self.intervals].map(|share| share.map_or("-".into(), |share| share.ratio()));
        let (package, path) = (self.package, self.path);
        format!("{package:<16} {path:<30} {all:>6} {bounds:>8} {intervals:>10}  {figures}")
    }
}

impl Share {
    fn ratio(self) -> String {
        if self.total == 0 { "-".into() } else { format!("{:.2}", self.failed as f64 / self.total as f64) }
    }
}

fn heading() -> String {
    let columns = format!("{:>7} {:>7} {:>9} {:>6} {:>8} {:>6}", "total", "failed", "violated", "ratio", "seconds", "MB");
    format!("{:<16} {:<30} {:>6} {:>8} {:>10}  {columns}", "package", "program", "paper", "4 and 5", "intervals")
}

/// What the tool found out about a program.
fn figures(findings: Result<Vec<Finding>, Outcome>, seconds: f64, megabytes: f64) -> String {
    let findings = match findings {
        Ok(findings) => findings,
        Err(Outcome::Refused(text)) => return format!("REFUSED: {text}"),
        Err(Outcome::Crashed(text)) => return format!("CRASHED: {text}"),
        Err(Outcome::Unknown(text) | Outcome::Wrong(text)) => return format!("UNKNOWN: {text}"),
        Err(Outcome::Correct) => Vec::new(),
    };
    let failed = findings.iter().filter(|finding| finding.status != Status::Proved).count();
    let violated = findings.iter().filter(|finding| finding.status == Status::Violated).count();
    let share = Share { total: findings.len(), failed };
    format!("{:>7} {failed:>7} {violated:>9} {:>6} {seconds:>8.1} {megabytes:>6.0}", share.total, share.ratio())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn finding(status: Status) -> Finding {
        Finding { status, kind: "bounds".into(), file: "a.c".into(), line: 1, text: String::new(), because: None }
    }

    #[test]
    fn figures_stand_beside_those_of_the_paper() {
        let findings = vec![finding(Status::Proved), finding(Status::Violated), finding(Status::Unknown), finding(Status::Proved)];
        let ncompress = &CHECKING[1];
        let lines = [
            heading(),
            ncompress.line(&figures(Ok(findings), 1.5, 100.0)),
            ncompress.line(&figures(Err(Outcome::Refused("what?".into())), 1.5, 100.0)),
        ];
        expect![[r#"
            package          program                         paper  4 and 5  intervals    total  failed  violated  ratio  seconds     MB
            ncompress        compress                         0.31     0.19       0.82        4       2         1   0.50      1.5    100
            ncompress        compress                         0.31     0.19       0.82  REFUSED: what?
        "#]]
        .assert_eq(&(lines.join("\n") + "\n"));
    }

    #[test]
    fn programs_are_found_where_packages_are_built() {
        let folder = tempfile::tempdir().unwrap();
        let tree = folder.path().join("bchunk/loopfrog-cc");
        std::fs::create_dir_all(&tree).unwrap();
        assert_eq!(CHECKING[0].find(folder.path()), None);
        std::fs::write(tree.join("bchunk"), "").unwrap();
        assert_eq!(CHECKING[0].find(folder.path()), Some(tree.join("bchunk")));
        assert_eq!(CHECKING[0].find(&tree), Some(tree.join("bchunk")));
    }

    #[test]
    fn options_are_understood() {
        let parse = |line: &str| Settings::parse(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>());
        let settings = parse("--programs a --timeout 5 -- --unwind 3").unwrap();
        assert_eq!((settings.programs, settings.timeout), (PathBuf::from("a"), 5));
        assert_eq!(settings.options, ["--unwind", "3"]);
        assert!(run(&["nonsense".into()]).err().unwrap_or_default().starts_with("which table?"));
        assert_eq!(parse("a").err().unwrap_or_default(), "there is no option `a`");
    }
}

//! Programs of former mistakes. Comments say what must be said of the properties of a line: `// VIOLATED` and `// MAY` must never be proved,
//! `// PROVED` is how much is known, `// TODO-PROVED` what should be known and is not yet, `// OPEN` what must be neither proved nor violated. A first
//! line `// kinds: …`, `// 32`, `// unwind: N` says how to check; lines without comment must not be violated.

use std::fs;
use std::path::Path;

use model::{CheckKind, Target};

use crate::pipeline::{check, translate, word};

/// What is said about each line, worst first.
fn verdicts(source: &str) -> Vec<(u32, CheckKind, String)> {
    let head = source.lines().take_while(|line| line.starts_with("//")).collect::<Vec<_>>();
    let setting = |name: &str| head.iter().find_map(|line| line.strip_prefix("// ")?.strip_prefix(name)?.strip_prefix(": "));
    let target = if head.contains(&"// 32") { Target::Ilp32 } else { Target::Lp64 };
    let kinds: Vec<CheckKind> = match setting("kinds") {
        Some(names) => names.split(", ").filter_map(|name| CheckKind::ALL.into_iter().find(|kind| kind.name() == name)).collect(),
        None => passes::checks::DEFAULT.to_vec(),
    };
    let unwind = setting("unwind").and_then(|number| number.parse().ok()).unwrap_or(8);
    let decisions = check(&translate(source, target), &kinds, unwind);
    decisions.iter().map(|decision| (decision.property.check.span.line, decision.property.check.kind, word(&decision.verdict))).collect()
}

fn examine(source: &str) -> Vec<String> {
    let verdicts = verdicts(source);
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        let of_line: Vec<_> = verdicts.iter().filter(|(at, ..)| *at == number).collect();
        let (proved, violated) = (of_line.iter().all(|(.., word)| word == "proved"), of_line.iter().any(|(.., word)| word == "violated"));
        let complaint = match line.rsplit_once("// ").map(|(_, text)| text.trim()) {
            Some("VIOLATED") if proved => "unsound: it fails in a run",
            Some("VIOLATED") if !violated => "not found any more",
            Some("MAY") if proved => "unsound: it may fail",
            Some("OPEN") if proved || violated => "compilers and C disagree on it",
            Some("PROVED") if of_line.is_empty() => "nothing is checked here",
            Some("PROVED") if !proved => "not proved any more",
            Some("TODO-PROVED") if proved => "proved at last: say PROVED",
            Some("PROVED" | "TODO-PROVED") | None if violated => "unsound: this does not fail",
            _ => continue,
        };
        wrong.push(format!("line {number}: {complaint}: {of_line:?}"));
    }
    wrong
}

#[test]
fn former_mistakes_are_not_made_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let source = fs::read_to_string(file).unwrap();
        wrong.extend(examine(&source).into_iter().map(|complaint| format!("{}: {complaint}", file.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Prints what is said of the program in the file that `LOOPFROG_PROGRAM` names.
#[test]
#[ignore = "for people: it prints, and asserts nothing"]
fn verdicts_on_a_program() {
    let Ok(file) = std::env::var("LOOPFROG_PROGRAM") else { return };
    for (line, kind, word) in verdicts(&fs::read_to_string(file).unwrap()) {
        println!("{line}: {}: {word}", kind.name());
    }
}

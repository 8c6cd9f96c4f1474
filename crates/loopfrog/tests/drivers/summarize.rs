//! What is said of loops: `loopfrog summarize`, `loopfrog domains`, and leaping counterexamples.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::support::{Run, Sandbox};

/// Strings, pointers, two calls of one function, nested loops, and a loop of gotos.
const LOOPS: &str = "\
int __VERIFIER_nondet_int(void);
static int fill(char *p, int n, char c)
{
    int done = 0;
    while (done < n) {
        *p++ = c;
        done++;
    }
    return done;
}
int main(void)
{
    char a[40], b[64];
    int total = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 40) return 1;
    fill(a, n, 'x');
    fill(b, 64, 'y');
    for (int i = 0; i < n; i++) {
        if (a[i] == 'z') break;
        for (int j = 0; j < i; j++)
            b[j] = a[i];
    }
    do { total ^= n; } while (total > 5);
again:
    if (n > 3) { n--; goto again; }
    return total;
}
";

/// A loop that no domain knows enough about, and an access that needs to know it.
const MIXED: &str = "\
int __VERIFIER_nondet_int(void);
int main(void)
{
    int a[100] = {0}, i = 0, x = 1;
    while (i < 90 && x != 0) {
        i++;
        x = (x * 75 + 74) % 65537;
    }
    a[5] = 3;
    return a[x % 200];
}
";

fn run(source: &str, words: &str) -> Run {
    let sandbox = Sandbox::new();
    sandbox.write("a.i", source);
    sandbox.loopfrog(words)
}

/// The output without the time that it took.
fn timeless(text: &str) -> String {
    let line = |line: &str| line.split_once("   (").map_or(line, |(start, _)| start).to_owned();
    text.lines().filter(|line| !line.contains("\"seconds")).map(|text| line(text) + "\n").collect()
}

#[track_caller]
fn prints(source: &str, words: &str, expected: &Expect) {
    expected.assert_eq(&timeless(&run(source, words).ok()));
}

#[test]
fn summaries_for_people() {
    prints(LOOPS, "summarize a.i", &expect![[""]]);
}

#[test]
fn summaries_of_a_function() {
    prints(LOOPS, "summarize --function fill --domains index-nonnegative,guards a.i", &expect![[""]]);
}

#[test]
fn annotations_for_frama_c() {
    prints(LOOPS, "summarize -q --annotate acsl a.i", &expect![[""]]);
}

#[test]
fn annotations_for_cbmc() {
    prints(LOOPS, "summarize -q --annotate cprover a.i", &expect![[""]]);
}

#[test]
fn loops_that_cannot_be_annotated() {
    let said = run(LOOPS, "summarize --annotate cprover a.i").stderr;
    expect![[""]].assert_eq(&said);
}

#[test]
fn annotations_go_to_a_file() {
    let sandbox = Sandbox::new();
    sandbox.write("a.i", LOOPS);
    assert_eq!(sandbox.loopfrog("summarize -q --annotate acsl a.i -o annotated.c").ok(), "");
    let annotated = String::from_utf8(sandbox.read("annotated.c")).unwrap();
    let without: Vec<&str> = annotated.lines().filter(|line| !line.contains("loop ") && line.trim() != "*/").collect();
    assert_eq!(without, LOOPS.lines().collect::<Vec<_>>());
}

#[test]
fn annotated_programs_are_the_same_programs() {
    let sandbox = Sandbox::new();
    sandbox.write("a.i", LOOPS);
    let annotated = sandbox.loopfrog("summarize -q --annotate acsl a.i").ok();
    // Comments do not survive in what is preprocessed already.
    sandbox.write("b.c", annotated);
    let loops = |file: &str| sandbox.loopfrog(&format!("show loops {file}")).ok().lines().count();
    assert_eq!(loops("a.i"), loops("b.c"));
}

#[test]
fn summaries_as_json() {
    let json: Value = serde_json::from_str(&run(LOOPS, "summarize --json a.i").ok()).unwrap();
    let loops = json["loops"].as_array().unwrap();
    let lines: Vec<(u64, &str)> = loops.iter().map(|one| (one["line"].as_u64().unwrap(), one["kind"].as_str().unwrap())).collect();
    assert_eq!(lines, [(5, "while"), (18, "for"), (20, "for"), (23, "do"), (25, "goto")]);
    assert_eq!(loops[0]["function"], "fill");
    assert_eq!(loops[0]["summarised"], 2);
    assert_eq!(loops[0]["after"], "done >= n");
    let invariants = loops[0]["invariants"].as_array().unwrap();
    assert!(invariants.iter().any(|invariant| invariant["text"] == "0 <= done" && invariant["domain"] == "index-nonnegative"), "{invariants:?}");
}

#[test]
fn wrong_command_lines() {
    for words in ["summarize", "summarize --annotate latex a.i", "summarize --json --annotate acsl a.i", "summarize --unwind 3 a.i", "domains x"] {
        run(LOOPS, words).fails(1);
    }
    assert!(run("int f(void) { return 1; }", "summarize a.i").fails(1).contains("no function `main`"));
    assert!(run(LOOPS, "summarize --domains frogs a.i").fails(1).contains("there is no domain `frogs`"));
}

#[test]
fn domains_are_listed() {
    let text = Sandbox::new().loopfrog("domains").ok();
    assert!(text.lines().any(|line| line.starts_with("index-nonnegative  ") && line.contains("0 <= i")), "{text}");
}

#[test]
fn what_is_possible_names_its_loops() {
    let run = run(MIXED, "check --property bounds --stats --table a.i");
    expect![[""]].assert_eq(&run.stderr);
    assert_eq!(run.code, 5);
    let table: Vec<&str> = run.stdout.lines().take(3).collect();
    expect![[""]].assert_eq(&table.join("\n"));
    for word in ["checked 3 properties in 1 file, 1 loop: 2 proved, 0 violated, 1 possible", "candidates ", "questions ", "time "] {
        assert!(run.stdout.contains(word), "{}", run.stdout);
    }
}

#[test]
fn json_has_leaps_loops_and_totals() {
    let json: Value = serde_json::from_str(&run(MIXED, "check --property bounds --json a.i").stdout).unwrap();
    let properties = json["properties"].as_array().unwrap();
    // The access with a constant index is listed, too.
    let found: Vec<_> = properties.iter().map(|one| (one["line"].as_u64().unwrap(), one["status"].as_str().unwrap())).collect();
    assert!(found.contains(&(9, "proved")) && found.contains(&(10, "possible")), "{found:?}");
    let possible = properties.iter().find(|one| one["status"] == "possible").unwrap();
    let leap = &possible["leaps"][0];
    assert_eq!((&leap["loop"], &leap["left"]), (&"a.i:5:5".into(), &true.into()));
    assert!(leap["values"].as_array().unwrap().iter().any(|value| value["variable"] == "x" && value["before"] == "1"), "{leap}");
    assert!(leap["invariants"].as_array().is_some_and(|list| !list.is_empty()), "{leap}");
    assert_eq!((&json["summary"]["possible"], &json["summary"]["loops"]), (&1.into(), &1.into()));
    assert!(json["summary"]["confirmed"].as_u64() > Some(0));
    assert_eq!(json["loops"][0]["line"], 5);
}

#[test]
fn candidates_of_the_user() {
    let source = "int __VERIFIER_nondet_int(void); void __VERIFIER_assert(int);
        int main(void) { int n = __VERIFIER_nondet_int(), x = 0, y = 0; if (n < 0) return 0;
        for (int i = 0; i < n; i++) { x++; y = x; }
        __VERIFIER_assert(x == y); return 0; }";
    let sandbox = Sandbox::new();
    sandbox.write("a.i", source).write("mine.txt", "# equal counters\nforall integer a, integer b: a == b\n");
    let check = |words: &str| sandbox.loopfrog(&format!("check --property assert {words} a.i"));
    assert_ne!(check("--domains none").code, 0);
    check("--domains none --candidate x==y").ok();
    check("--domains none --candidates mine.txt").ok();
    assert!(check("--candidate x==").fails(1).contains("--candidate 'x=='"));
    sandbox.write("broken.txt", "x == y\nforall frog f: f == 1\n");
    assert!(check("--candidates broken.txt").fails(1).contains("broken.txt:2:8: "));
}

#[test]
fn progress_is_told() {
    let said = run(LOOPS, "check -v a.i").stderr;
    assert!(said.contains("loops 1 · a.i:5 · "), "{said}");
}

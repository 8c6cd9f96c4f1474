//! `loopfrog check` as users call it.

use expect_test::expect;
use serde_json::Value;

use crate::support::{Run, Sandbox, have};

const LOOPFROG: &str = env!("CARGO_BIN_EXE_loopfrog");

/// A division that goes wrong, one that does not, and a loop.
const SHARE: &str = "\
int __VERIFIER_nondet_int(void);
int main(void)
{
    int people = __VERIFIER_nondet_int();
    int half = people / 2;
    for (int i = 0; i < 3; i++)
        half = half / (people - 7);
    return half;
}
";

const SAFE: &str = "int main(int argc, char **argv) { int a[3] = {0}; return argc > 0 && argc < 3 ? a[argc] : 0; }";

fn with(name: &str, source: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(name, source);
    sandbox
}

/// Checks a program with these options.
#[track_caller]
pub fn check(source: &str, options: &str) -> Run {
    with("a.i", source).loopfrog(&format!("check {options} a.i"))
}

/// The properties of a check with JSON output, as `line kind status`.
pub fn statuses(run: &Run) -> Vec<String> {
    let json: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr));
    let text =
        |property: &Value| format!("{} {} {}", property["line"], property["kind"].as_str().unwrap(), property["status"].as_str().unwrap());
    json["properties"].as_array().unwrap().iter().map(text).collect()
}

#[test]
fn the_exit_code_tells_the_worst() {
    let proved = check(SAFE, "").ok();
    assert!(proved.starts_with("checked 1 property in 1 file: 1 proved, 0 violated, 0 possible   ("), "{proved}");
    let violated = check(SHARE, "--property division");
    assert!(violated.stdout.contains(" 1 violated, 0 possible   ("), "{}", violated.stdout);
    let message = violated.fails(10);
    assert!(message.contains("error[division]") && message.contains("a.i:7:") && message.contains("CWE-369"), "{message}");
    assert!(message.contains("__VERIFIER_nondet_int at a.i:4:18 = 7"), "{message}");
    let undecided = check(&SHARE.replace("- 7", "* 0 + 1 + i").replace("i < 3", "i < people"), "--unwind 3 --property division");
    assert!(undecided.stdout.contains("1 loop not unwound to the end"), "{}", undecided.stdout);
    assert!(undecided.fails(5).contains("more iterations"));
    assert!(check("int main(void) { return 0; }", "").ok().starts_with("checked 0 properties"));
}

#[test]
fn wrong_command_lines() {
    for options in
        ["--unwind", "--unwind -1", "--unwind many", "--timeout soon", "--memory 1.5", "--property", "--frobnicate", "-q -v", "--dot"]
    {
        check(SAFE, options).fails(1);
    }
    for (options, message) in [
        ("--property frogs", "there is no check `frogs`"),
        ("--property none", "no property"),
        ("--property ,", "no property"),
        ("--domains frogs", "there is no domain `frogs`; there are linked-memory, index-nonnegative"),
        ("--candidates missing.txt", "cannot read missing.txt"),
        ("--function frog", "no function `frog` with a body"),
        ("missing.c", "missing.c"),
    ] {
        let said = check(SAFE, options).fails(1);
        assert!(said.contains(message), "{options}: {said}");
    }
    Sandbox::new().loopfrog("check").fails(1);
    assert!(check("int f(void) { return 1; }", "").fails(1).contains("no function `main`; name one with --function"));
    assert!(check("int g(void); int main(void) { return g(); }", "--function g").fails(1).contains("no function `g` with a body"));
}

#[test]
fn what_is_no_program() {
    assert!(check("int main(void) { return 1 +; }", "").fails(2).contains("a.i:1:28"));
    check("int main(void) { return 1; } int main(void) { return 2; }", "").fails(2);
    let sandbox = with("a.i", "int main(void) { return 0; }");
    assert!(sandbox.loopfrog("check a.i a.i").fails(2).contains("multiple definition of `main`"));
}

#[test]
fn used_up_budgets_leave_partial_results() {
    // A product that no solver factors at once.
    let source = "unsigned long long __VERIFIER_nondet_ulonglong(void);
        int main(void) { unsigned a[1] = {0}; unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();
        if (x < 2 || y < 2 || x >> 31 || y >> 31) return 0;
        return a[x * y == 4611685975477714963ull]
        / 1; }";
    for options in ["--timeout 0", "--timeout 0.000001", "--memory 1", "--memory 0"] {
        let run = check(source, &format!("--json {options}"));
        let found = statuses(&run);
        assert!(!found.is_empty() && found.iter().all(|finding| finding.ends_with("unknown")), "{options}: {found:?}");
        assert_eq!(run.code, 5, "{options}");
        let json: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(json["properties"].as_array().unwrap().iter().all(|property| !property["reason"].as_str().unwrap().is_empty()));
    }
    // No time at all is enough to see that nothing can go wrong.
    check("int main(void) { return 0; }", "--timeout 0").ok();
}

#[test]
fn what_holds_conditionally_is_no_finding_of_its_own() {
    let source = "int __VERIFIER_nondet_int(void);
static int table[8], copy[16];
int main(void) {
    int i = __VERIFIER_nondet_int();
    table[i] = 1;
    copy[i] = 2;
    copy[i + 1] = 3;
    return 0;
}
";
    assert_eq!(statuses(&check(source, "--json --property memory")), ["5 bounds violated", "6 bounds conditional", "7 bounds conditional"]);
    let run = check(source, "--property memory");
    assert!(run.stdout.contains("0 proved, 1 violated, 0 possible, 2 conditional"), "{}", run.stdout);
    assert!(run.stderr.contains("2 properties behind it hold unless this goes wrong"), "{}", run.stderr);
    assert!(!run.stderr.contains("a.i:6"), "{}", run.stderr);
    assert!(check(source, "--property memory --verbose").stderr.contains("conditional: it holds unless"));
}

#[test]
fn properties_are_chosen() {
    let source = "int main(int argc, char **argv) { unsigned u = argc; u = u * 3; return argc + (int)u / argc; }";
    let kinds = |options: &str| -> Vec<String> {
        let found = statuses(&check(source, &format!("--json {options}")));
        found.iter().map(|finding| finding.split(' ').nth(1).unwrap().to_string()).collect()
    };
    assert_eq!(kinds("--property division"), ["division"]);
    assert_eq!(kinds("--property unsigned-overflow,division"), ["unsigned-overflow", "division"]);
    assert!(!kinds("").contains(&"unsigned-overflow".to_string()));
    assert!(kinds("--property default,unsigned-overflow").contains(&"unsigned-overflow".to_string()));
    assert!(kinds("--property memory").is_empty());
}

#[test]
fn questions_are_written_for_other_solvers() {
    let sandbox = with("a.i", SHARE);
    sandbox.loopfrog("check --dump-queries queries/here a.i").fails(10);
    sandbox.write("file", "");
    assert!(sandbox.loopfrog("check --dump-queries file/below a.i").fails(10).contains("cannot write to file/below"));
    let mut files: Vec<_> = std::fs::read_dir(sandbox.path("queries/here")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 2 && files.iter().all(|file| file.extension().is_some_and(|end| end == "smt2")), "{files:?}");
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with(';')).unwrap();
        assert!(first.starts_with("(set-logic "), "{text}");
        assert!(text.contains("(check-sat"), "{text}");
    }
    if have(&["z3"]) {
        for file in &files {
            let text = std::fs::read_to_string(file).unwrap();
            let answer = sandbox.run("z3", &file.display().to_string());
            let (said, status) = (answer.stdout.lines().next().unwrap_or_default(), text.lines().find(|line| line.contains(":status")));
            assert!(["sat", "unsat"].contains(&said), "{}{}", answer.stdout, answer.stderr);
            assert!(status.is_none_or(|status| status.contains(&format!(":status {said})"))), "{said} is not {status:?}");
        }
    }
}

/// The JSON of a check without the time that it took.
fn timeless(text: &str) -> String {
    text.lines().filter(|line| !line.contains("\"seconds")).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_shape_of_json() {
    let source = "int __VERIFIER_nondet_int(void); int ask(int);\nint main(void)\n{\n    int x = __VERIFIER_nondet_int();\n    int y = 6 / x;\n    return ask(y) / 2;\n}\n";
    let run = check(source, "--json --property division");
    expect![[r#"
        {
          "assumed": [
            {
              "calls": 1,
              "first": "a.i:6:12",
              "function": "ask"
            }
          ],
          "entry": "main",
          "loops": [],
          "properties": [
            {
              "arguments": [
                "x"
              ],
              "column": 13,
              "cwe": 369,
              "file": "a.i",
              "function": "main",
              "inputs": [
                {
                  "at": "a.i:4:13",
                  "bits": 32,
                  "for": "__VERIFIER_nondet_int",
                  "value": "0"
                }
              ],
              "inputs_left_out": 0,
              "kind": "division",
              "line": 5,
              "message": "6 / 0",
              "status": "violated",
              "stdin": ""
            }
          ],
          "summary": {
            "candidates": 0,
            "conditional": 0,
            "confirmed": 0,
            "files": 1,
            "loops": 0,
            "loops_cut": 0,
            "possible": 0,
            "properties": 1,
            "proved": 0,
            "questions": 0,
            "summarised": 0,
            "unknown": 0,
            "violated": 1
          }
        }"#]]
    .assert_eq(&timeless(&run.stdout));
    assert_eq!((run.code, run.stderr.as_str()), (10, ""));
}

#[test]
fn the_same_program_gives_the_same_answers() {
    let source = "#include <string.h>\nint __VERIFIER_nondet_int(void);
        int main(int argc, char **argv) { char b[4]; int x = __VERIFIER_nondet_int(); if (argc > 1) strcpy(b, argv[1]);
        for (int i = 0; i < x; i++) b[i] = x / (i - 3); return b[x & 7] + x; }";
    if !have(&["cc"]) {
        return;
    }
    let sandbox = with("a.c", source);
    let runs: Vec<Run> = (0..2).map(|_| sandbox.loopfrog("check --json --property all a.c")).collect();
    assert_eq!(timeless(&runs[0].stdout), timeless(&runs[1].stdout));
    let without_time = |run: Run| run.stdout.lines().map(|line| line.split("   (").next().unwrap_or(line).to_string()).collect::<Vec<_>>();
    let texts: Vec<Run> = (0..2).map(|_| sandbox.loopfrog("check a.c")).collect();
    assert_eq!(texts[0].stderr, texts[1].stderr);
    let [first, second] = texts.try_into().map(|texts: [Run; 2]| texts.map(without_time)).unwrap();
    assert_eq!(first, second);
}

#[test]
fn functions_with_arbitrary_arguments() {
    let source = "int divide(int a, int b) {\n return a / b;\n}\nint nth(const int *p, unsigned n) {\n return n < 3 ? p[n] : 0;\n}
        int main(void) { return divide(6, 2); }";
    check(source, "").ok();
    let message = check(source, "--function divide --property division").fails(10);
    assert!(message.contains("a.i:2:9") && message.contains("error[division]"), "{message}");
    // A pointer from nowhere may lead nowhere.
    assert_ne!(check(source, "--function nth --property memory").code, 0);
}

#[test]
fn several_files() {
    let sandbox = Sandbox::new();
    sandbox.write("main.i", "int f(int); int main(int argc, char **argv) { return f(argc - 1); }");
    sandbox.write("f.i", "int f(int n) { return 10 / n; }");
    let message = sandbox.loopfrog("check main.i f.i").fails(10);
    assert!(message.contains("f.i:1:23"), "{message}");
    let alone = sandbox.loopfrog("check main.i").ok();
    assert!(alone.contains("assumed: `f` has no body (1 call, first at main.i:1:"), "{alone}");
    sandbox.loopfrog("compile f.i -o f.lfm").ok();
    assert!(sandbox.loopfrog("check main.i f.lfm").fails(10).contains("f.i:1:23"));
}

#[test]
fn objects_of_a_build() {
    if !have(&["cc"]) {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("main.c", "int f(int); int main(int argc, char **argv) { return f(argc - 1); }");
    sandbox.write("f.c", "int f(int n) { return 10 / n; }");
    sandbox.cc("-c main.c -o main.o").ok();
    sandbox.cc("-c f.c -o f.o").ok();
    assert!(sandbox.loopfrog("check main.o f.o").fails(10).contains("f.c:1:23"));
    sandbox.cc("main.o f.o -o program").ok();
    assert!(sandbox.loopfrog("check program").fails(10).contains("f.c:1:23"));
}

#[test]
fn violations_can_be_run_again() {
    let sandbox = with("a.i", SHARE);
    let message = sandbox.loopfrog("check --inputs found/here a.i").fails(10);
    assert!(message.contains("rerun: loopfrog run --inputs found/here/division.1.inputs"), "{message}");
    assert!(sandbox.loopfrog("run --inputs found/here/division.1.inputs a.i").fails(10).contains("a.i:7:"));
    sandbox.write("file", "");
    let message = sandbox.loopfrog("check --inputs file/below a.i").fails(10);
    assert!(message.contains("cannot write file/below"), "{message}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    use std::process::Stdio;
    let source: String =
        (0..2000).map(|i| format!("int x{i} = {i};\n")).collect::<String>() + "int main(int n, char **v) { int *p = 0; return ";
    let sandbox = with("a.i", &(source + &(1..400).map(|i| format!("n / (n - {i}) + ")).collect::<String>() + "*p; }"));
    let mut command = sandbox.command(LOOPFROG);
    let mut child =
        command.args(["check", "--json", "--timeout", "0", "a.i"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()), (Some(5), String::new()));
}

#[test]
fn checks_are_explained() {
    let sandbox = Sandbox::new();
    let all = sandbox.loopfrog("explain").ok();
    assert!(all.contains("* bounds") && all.contains("  leak"), "{all}");
    let leak = sandbox.loopfrog("explain leak").ok();
    assert!(leak.starts_with("leak: ") && leak.contains("CWE-401") && leak.contains("--property leak"), "{leak}");
    assert!(sandbox.loopfrog("explain frogs").fails(1).contains("there is no check `frogs`; there are assert, bounds"));
}

/// Machines differ in what they make of a shift by the width of a number: it is not 0.
#[test]
fn an_undefined_shift_gives_anything() {
    let behind = |by: &str| {
        let lines = ["static int g = 6;", "int main(void) {", "int a[2] = {0}, by = 0;", "while (by < 32) by++;"];
        let rest = ["if (g & 2) return 0;", "a[2] = g;", "return 0; }"];
        let source = format!("{}\ng -= 1 << {by};\n{}\n", lines.join("\n"), rest.join("\n"));
        statuses(&check(&source, "--property shift,bounds --json"))
    };
    assert!(behind("(by - 30)").contains(&"7 bounds proved".into()));
    let undefined = behind("by");
    assert!(undefined.contains(&"5 shift violated".into()) && !undefined.contains(&"7 bounds proved".into()), "{undefined:?}");
}

/// … nor is what comes of a floating-point number that is too large for an integer.
#[test]
fn an_undefined_conversion_gives_anything() {
    let with = |number: &str| {
        let source = format!("void __VERIFIER_assert(int);\nint main(void) {{ double x = {number};\n__VERIFIER_assert((int)x == 0); }}\n");
        statuses(&check(&source, "--property assert --json"))
    };
    assert_eq!(with("0.5"), ["3 assert proved"]);
    assert_ne!(with("1e20"), ["3 assert proved"]);
}

/// What runs at the end would have to know in which of all calls of a function that calls itself the program ended.
#[test]
fn exit_in_recursion() {
    let source = "\
extern int __VERIFIER_nondet_int(void);
extern int atexit(void (*)(void));
extern void exit(int);
void __VERIFIER_assert(int);
static int g = 1;
static void end(void) { __VERIFIER_assert(g == 1); }
static int f(int n) { if (n == 0) { g = 2; exit(0); } return f(n - 1); }
int main(void) { atexit(end); int n = __VERIFIER_nondet_int(); if (n < 0) return 0; return f(n); }
";
    let run = check(source, "--property assert,overflow --json");
    assert!(!statuses(&run).iter().any(|status| status == "6 assert proved"), "{}", run.stdout);
}

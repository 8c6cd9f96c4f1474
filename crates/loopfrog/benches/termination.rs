//! What showing that loops end costs: by what the argument is, and by the number of loops.
//!
//! `cargo bench --bench termination` prints tables; nothing is asserted, because times depend on the machine. Time per loop should stay what it is as
//! loops get more. Times are processor time, so that other load matters little.

mod measure;
mod report;

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use self::report::report;

/// What takes longer is given up, and with it the rest of its series.
const LIMIT: Duration = Duration::from_secs(60);
/// So often a small program is run.
const RUNS: usize = 5;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n";

/// What was said, and what it cost.
struct Answer {
    ending: usize,
    all: usize,
    argument: String,
    seconds: f64,
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder for generated files");
    let file = folder.path().join("loops.c");
    println!("{:<28} {:>9}  argument", "one loop", "seconds");
    for (name, body) in KINDS {
        kind(&file, name, body);
    }
    println!("\n{:<28} {:>6} {:>7} {:>9}", "loops", "count", "ending", "seconds");
    series(&file, "in one function", &[10, 30, 100, 300], |count| sequence(count, count));
    series(&file, "ten in each function", &[10, 30, 100, 300], |count| sequence(count, 10));
}

/// A program with one loop.
fn kind(file: &Path, name: &str, body: &str) {
    let program = format!("{HEAD}{FUNCTIONS}int main(void)\n{{\n{body}\n  return 0;\n}}\n");
    let answers: Option<Vec<Answer>> = (0..RUNS).map(|_| terminate(file, &program)).collect();
    match answers.as_deref() {
        Some([first, ..]) => {
            let mean = answers.iter().flatten().map(|answer| answer.seconds).sum::<f64>() / RUNS as f64;
            println!("{name:<28} {mean:>9.3}  {}", first.argument);
        }
        _ => println!("{name:<28} not within {LIMIT:?}"),
    }
}

/// Programs with more and more loops.
fn series(file: &Path, name: &str, counts: &[usize], program: impl Fn(usize) -> String) {
    for &count in counts {
        let Some(Answer { ending, all, seconds, .. }) = terminate(file, &program(count)) else {
            println!("{name:<28} {count:>6} not within {LIMIT:?}");
            return;
        };
        let each = 1000.0 * seconds / count as f64;
        println!("{name:<28} {all:>6} {ending:>7} {seconds:>9.2} {each:>8.1} ms per loop");
    }
}

/// Asks about a program; none if that takes too long.
fn terminate(file: &Path, program: &str) -> Option<Answer> {
    let (report, seconds) = report(file, program, &["terminate"], LIMIT)?;
    let loops = report["loops"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    let ending = loops.iter().filter(|one| one["verdict"] == "terminates").count();
    let argument = loops.iter().find_map(|one| one["argument"].as_str()).unwrap_or("none").to_owned();
    Some(Answer { ending, all: loops.len(), argument, seconds })
}

/// Loops one after the other, so many in each function.
fn sequence(count: usize, per_function: usize) -> String {
    let mut text = String::from(HEAD);
    let functions = count / per_function;
    for function in 0..functions {
        let _ = writeln!(text, "int f{function}(int n)\n{{\n  char a[32], *p;\n  int x, y, s = 0;\n  if (n < 1 || n > 30) return 0;");
        (0..per_function).for_each(|number| one_loop(&mut text, function + number));
        text.push_str("  return s;\n}\n");
    }
    text.push_str("int main(void)\n{\n");
    (0..functions).for_each(|function| {
        let _ = writeln!(text, "  f{function}(__VERIFIER_nondet_int());");
    });
    text + "  return 0;\n}\n"
}

/// Loops as people write them.
fn one_loop(text: &mut String, number: usize) {
    let _ = match number % 4 {
        0 => writeln!(text, "  for (x = 0; x < n; x++) a[x] = {};", number % 100),
        1 => writeln!(text, "  for (p = a; p < a + n; p++) s ^= *p;"),
        2 => writeln!(text, "  for (x = n; x > 0; x /= 2) s ^= x;"),
        _ => writeln!(text, "  x = n, y = n;\n  while (x > 0 && y > 0) if (__VERIFIER_nondet_int()) {{ x--; y = n; }} else y--;"),
    };
}

/// What bodies call.
const FUNCTIONS: &str = "static unsigned half(unsigned n) { return n < 2 ? n : half(n / 2); }\n";

/// Loops by what makes them end.
const KINDS: &[(&str, &str)] = &[
    ("counter", "  for (int i = 0, n = __VERIFIER_nondet_int(); i < n; i++);"),
    (
        "two counters",
        "  int x = __VERIFIER_nondet_int(), y = 9;\n  while (x > 0 && y > 0) if (y == 5) { x--; y = __VERIFIER_nondet_int(); } else y--;",
    ),
    ("pointer", "  char a[100] = \"\", *p = a;\n  while (*p != 'x') p++;"),
    ("lowest bit", "  unsigned x = __VERIFIER_nondet_uint();\n  while (x) x &= x - 1;"),
    ("shift", "  unsigned long long x = __VERIFIER_nondet_uint();\n  while (x) x <<= 1;"),
    (
        "remainder",
        "  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();\n  while (b) { unsigned r = a % b; a = b; b = r; }",
    ),
    ("invariant", "  int x = __VERIFIER_nondet_int(), y = 1;\n  while (x > 0) { x -= y; if (__VERIFIER_nondet_int() && y < 9) y++; }"),
    (
        "states",
        "  int s = 40, n = __VERIFIER_nondet_uint() % 1000;\n  while (s != 7)\n    switch (s) {\n    case 40: s = n > 5 ? 12 : 99; break;\n    \
         case 12: if (n-- < 3) s = 63; break;\n    case 99: s = 63; break;\n    default: s = 7;\n    }",
    ),
    ("recursion", "  half(__VERIFIER_nondet_uint());"),
    ("certain rounds", "  int s = 0;\n  for (int i = 0; i < 20; i++) s += i % 3;"),
];

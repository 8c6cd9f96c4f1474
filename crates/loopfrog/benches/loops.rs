//! What checking programs with loops costs: by the number of loops, by the depth of nests, and by the size of buffers.
//!
//! `cargo bench --bench loops` prints tables; nothing is asserted, because times depend on the machine. Time per loop should stay what it is as
//! loops get more, and buffers of any size should cost the same. Times are processor time, so that other load matters little.

mod measure;
mod report;

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use self::report::report;

/// A check that takes longer is given up, and with it the rest of its series.
const LIMIT: Duration = Duration::from_secs(120);
/// Nests of each depth have so many loops in all.
const LOOPS_IN_NESTS: usize = 60;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern char __VERIFIER_nondet_char(void);\n";

/// What a check said, and what it cost.
struct Check {
    properties: usize,
    proved: usize,
    seconds: f64,
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder for generated files");
    let file = folder.path().join("loops.c");
    println!("{:<44} {:>6} {:>11} {:>10} {:>12}", "loops", "count", "properties", "proved", "seconds");
    series(&file, "one after the other, in one function", &[10, 30, 100, 300, 1000], |count| sequence(count, count));
    series(&file, "one after the other, ten in each function", &[10, 30, 100, 300, 1000], |count| sequence(count, 10));
    for depth in 1..=5 {
        let name = format!("nests of depth {depth}");
        series(&file, &name, &[LOOPS_IN_NESTS], |count| nests(count / depth, depth));
    }
    sizes(&file);
}

/// Programs with more and more loops.
fn series(file: &Path, name: &str, counts: &[usize], program: impl Fn(usize) -> String) {
    for &count in counts {
        let Some(Check { properties, proved, seconds }) = check(file, &program(count)) else {
            println!("{name:<44} {count:>6} not within {LIMIT:?}");
            return;
        };
        let each = 1000.0 * seconds / count as f64;
        println!("{name:<44} {count:>6} {properties:>11} {proved:>10} {seconds:>12.2} {each:>8.1} ms per loop");
    }
}

/// The same programs with small and with big buffers.
fn sizes(file: &Path) {
    println!("\n{:<44} {:>10} {:>10} {:>7} {:>12}", "buffers", "8 bytes", "80000", "ratio", "proved");
    for (name, body) in BUFFERS {
        let program = |size: usize| format!("{HEAD}#define SIZE {size}\nint main(void) {{\n{body}\n  return 0;\n}}\n");
        match (check(file, &program(8)), check(file, &program(80_000))) {
            (Some(small), Some(big)) => {
                let (ratio, proved) = (big.seconds / small.seconds, format!("{}, {}", small.proved, big.proved));
                println!("{name:<44} {:>8.2} s {:>8.2} s {ratio:>7.2} {proved:>12} of {}", small.seconds, big.seconds, big.properties);
            }
            (small, _) => println!("{name:<44} {} bytes: not within {LIMIT:?}", if small.is_none() { 8 } else { 80_000 }),
        }
    }
}

/// Checks a program; none if that takes too long.
fn check(file: &Path, program: &str) -> Option<Check> {
    let (report, seconds) = report(file, program, &["check", "--property", "memory"], LIMIT)?;
    let properties = report["properties"].as_array().map_or(&[] as &[Value], Vec::as_slice);
    let proved = properties.iter().filter(|property| property["status"] == "proved").count();
    Some(Check { properties: properties.len(), proved, seconds })
}

/// Loops as people write them over buffers: they fill, copy, look for the end, and walk with a pointer. Each is right.
fn one_loop(text: &mut String, number: usize) {
    let _ = match number % 4 {
        0 => writeln!(text, "  for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_char();"),
        1 => writeln!(text, "  for (i = 0; i < n && a[i]; i++) b[i] = a[i];\n  b[i] = 0;"),
        2 => writeln!(text, "  i = 0;\n  while (b[i] != 0 && i < {}) i++;\n  a[i] = 'x';", number % 20 + 10),
        _ => writeln!(text, "  for (p = a; p < a + n; p++) *p = {};", number % 100),
    };
}

/// Loops one after the other, so many in each function.
fn sequence(count: usize, per_function: usize) -> String {
    let mut text = String::from(HEAD);
    let functions = count / per_function;
    for function in 0..functions {
        let _ = writeln!(text, "void f{function}(int n)\n{{\n  char a[32], b[32], *p;\n  int i;\n  if (n < 1 || n > 30) return;");
        text.push_str("  a[31] = b[31] = 0;\n");
        (0..per_function).for_each(|number| one_loop(&mut text, function + number));
        text.push_str("}\n");
    }
    text.push_str("int main(void)\n{\n");
    (0..functions).for_each(|function| {
        let _ = writeln!(text, "  f{function}(__VERIFIER_nondet_int());");
    });
    text + "  return 0;\n}\n"
}

/// Loops inside each other, and nests one after the other.
fn nests(count: usize, depth: usize) -> String {
    let mut text = format!("{HEAD}char a[256];\n");
    for nest in 0..count {
        let _ = writeln!(text, "void f{nest}(int n)\n{{\n  if (n < 0 || n > 50) return;");
        for level in 0..depth {
            let _ = writeln!(text, "  for (int i{level} = 0; i{level} < n; i{level}++)");
        }
        let index: Vec<String> = (0..depth).map(|level| format!("i{level}")).collect();
        let _ = writeln!(text, "    a[{}] = {};\n}}", index.join(" + "), nest % 100);
    }
    text.push_str("int main(void)\n{\n");
    (0..count).for_each(|nest| {
        let _ = writeln!(text, "  f{nest}(__VERIFIER_nondet_int());");
    });
    text + "  return 0;\n}\n"
}

/// Loops over buffers of a size.
const BUFFERS: &[(&str, &str)] = &[
    ("fill", "  char a[SIZE];\n  int n = __VERIFIER_nondet_int();\n  for (int i = 0; i < n && i < SIZE; i++) a[i] = 'x';"),
    (
        "copy of a string",
        "  char a[SIZE], b[SIZE];\n  int i;\n  for (i = 0; i < SIZE - 1; i++) a[i] = __VERIFIER_nondet_char();\n  a[SIZE - 1] = 0;\n  \
         for (i = 0; a[i]; i++) b[i] = a[i];\n  b[i] = 0;",
    ),
    ("a pointer to the end", "  char a[SIZE], *p = a;\n  while (p < a + SIZE - 1 && __VERIFIER_nondet_int()) *p++ = 'x';\n  *p = 0;"),
    (
        "two buffers, two indices",
        "  char a[SIZE], b[2 * SIZE];\n  int i = 0, j = 0;\n  for (i = 0; i < SIZE; i++) a[i] = __VERIFIER_nondet_char();\n  \
         for (i = 0; i < SIZE; i++) {\n    if (a[i] == '\\n') b[j++] = '\\r';\n    b[j++] = a[i];\n  }",
    ),
];

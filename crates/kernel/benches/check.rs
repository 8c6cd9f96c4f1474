//! How long encoding and checking take: doubling series, symbolic pointers, whole checks of generated programs.
//! `cargo bench -p loopfrog-kernel --bench check`

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use interp::Limits as RunLimits;
use kernel::{Replay, Verdict, decide, properties};
use logic::sat::Budget;
use model::{FunctionId, Program};
use pointers::Regions;

fn main() {
    straight_line();
    symbolic_pointers();
    unwound();
}

/// A program without preprocessing.
fn translate(text: &str) -> Program {
    frontend::translate("bench.c", text.as_bytes(), &frontend::Options::default())
        .program
        .unwrap_or_else(|| Program::new(model::Target::Lp64))
}

/// What came of a check.
struct Result {
    terms: usize,
    clauses: u64,
    proved: usize,
    others: usize,
    encoding: Duration,
    deciding: Duration,
}

fn check(text: &str, unwind: u32) -> Result {
    let original = translate(text);
    let mut program = original.clone();
    passes::checks::instrument(&mut program, &passes::checks::DEFAULT);
    let entry = main_of(&program);
    let started = Instant::now();
    let analysis = pointers::analyse_from(&program, &[entry]);
    let regions = Regions::new(&analysis);
    let options = encode::Options {
        unwind,
        uninitialised: false,
        terms: usize::MAX,
        budget: Budget::unlimited(),
        effort: u64::MAX,
        faults: encode::Faults::Memory,
    };
    let encoding = encode::encode(&program, &analysis, &regions, entry, options, None);
    let encoded = started.elapsed();
    let (terms, clauses) = (encoding.terms.len(), encoding.context.statistics().solver.clauses);
    let replay =
        Replay { program: &original, function: None, limits: RunLimits { steps: 1_000_000, ..RunLimits::default() }, analysed: &program };
    let wanted = properties(&program, &analysis, entry);
    let decisions = decide(
        &program,
        &analysis,
        encoding,
        kernel::Wanted::All(wanted),
        &replay,
        &kernel::Limits { budget: Budget::unlimited(), replays: 1, effort: None, deep: false },
    );
    let proved = decisions.iter().filter(|decision| matches!(decision.verdict, Verdict::Proved)).count();
    Result { terms, clauses, proved, others: decisions.len() - proved, encoding: encoded, deciding: started.elapsed() - encoded }
}

fn main_of(program: &Program) -> FunctionId {
    program.functions.enumerate().find(|(_, function)| function.name == "main").map_or(FunctionId::new(0), |(id, _)| id)
}

fn report(name: &str, result: &Result) {
    println!(
        "{name:<44} {:>8} terms {:>9} clauses {:>5} proved {:>4} others {:>9.3} s encoding {:>9.3} s deciding",
        result.terms,
        result.clauses,
        result.proved,
        result.others,
        result.encoding.as_secs_f64(),
        result.deciding.as_secs_f64()
    );
}

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void __VERIFIER_assert(int);\n";

/// Statements with branches, structures and memory, doubled: time and size should double.
fn straight_line() {
    println!("statements, doubled");
    for exponent in 0..6 {
        let count = 250 << exponent;
        let mut text = String::from(HEAD);
        text.push_str("struct pair { int a; int b; }; int table[16]; struct pair pairs[4];\nint main(void) {\n  int x = __VERIFIER_nondet_int() & 255, y = __VERIFIER_nondet_int() & 255, *p = &x;\n");
        for i in 0..count / 4 {
            let _ = writeln!(text, "  if (x > y) x = (x - y) & 255; else y = (y + {i}) & 255;");
            let _ = writeln!(text, "  table[x & 15] = y; pairs[{}].a = x + {i};", i % 4);
            let _ = writeln!(text, "  *p = table[y & 15] & 255; y = (y ^ pairs[{}].a) & 255;", (i + 1) % 4);
        }
        text.push_str("  __VERIFIER_assert(x <= 255);\n  return 0;\n}\n");
        report(&format!("{count} statements"), &check(&text, 1));
    }
}

/// A write and a read through a pointer to one of some objects.
fn symbolic_pointers() {
    println!("one of several objects");
    for objects in [4, 16, 64] {
        let mut text = String::from(HEAD);
        for object in 0..objects {
            let _ = writeln!(text, "int o{object};");
        }
        text.push_str("int main(void) {\n  int which = __VERIFIER_nondet_int(), *p = &o0;\n");
        for object in 1..objects {
            let _ = writeln!(text, "  if (which == {object}) p = &o{object};");
        }
        let last = objects - 1;
        let _ = writeln!(
            text,
            "  *p = 7;\n  __VERIFIER_assert(*p == 7);\n  __VERIFIER_assert(which != {last} || o{last} == 7);\n  return 0;\n}}"
        );
        report(&format!("{objects} objects"), &check(&text, 1));
    }
}

/// Loops over arrays, unwound twenty times.
fn unwound() {
    println!("--unwind 20");
    let programs = [
        (
            "sum of an array",
            "int a[20]; int main(void) { int n = __VERIFIER_nondet_int(), s = 0; if (n < 0 || n > 20) return 0; for (int i = 0; i < n; i++) a[i] = i; for (int i = 0; i < n; i++) s += a[i]; __VERIFIER_assert(s >= 0); return s; }",
        ),
        (
            "search",
            "int a[20]; int main(void) { int key = __VERIFIER_nondet_int(), i; for (i = 0; i < 20; i++) a[i] = __VERIFIER_nondet_int(); for (i = 0; i < 20; i++) if (a[i] == key) break; if (i < 20) __VERIFIER_assert(a[i] == key); return 0; }",
        ),
        (
            "reversal",
            "int a[16], b[16]; int main(void) { for (int i = 0; i < 16; i++) a[i] = __VERIFIER_nondet_int(); for (int i = 0; i < 16; i++) b[15 - i] = a[i]; int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k >= 0 && k < 16); __VERIFIER_assert(b[15 - k] == a[k]); return 0; }",
        ),
        (
            "largest",
            "int a[12]; int main(void) { int m = -2147483647 - 1; for (int i = 0; i < 12; i++) { a[i] = __VERIFIER_nondet_int(); if (a[i] > m) m = a[i]; } for (int i = 0; i < 12; i++) __VERIFIER_assert(a[i] <= m); return 0; }",
        ),
        (
            "state machine",
            "int main(void) { int s = 0, c = 0; for (int i = 0; i < 20; i++) { int e = __VERIFIER_nondet_int(); switch (s) { case 0: if (e > 0) s = 1; break; case 1: if (e < 0) s = 2; c++; break; default: s = e & 1; break; } } __VERIFIER_assert(c <= 20 && s >= 0 && s <= 2); return 0; }",
        ),
    ];
    for (name, text) in programs {
        report(name, &check(&format!("{HEAD}{text}"), 20));
    }
}

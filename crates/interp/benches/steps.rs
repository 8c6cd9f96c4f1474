//! How fast models run: steps a second on tight loops, and how long a run takes to begin.

use std::time::Instant;

use interp::{Machine, Setup};
use model::Program;

const LOOPS: &[(&str, &str)] = &[
    ("arithmetic", "int main(void) { unsigned s = 0; for (unsigned i = 0; i < 5000000u; i++) s = s * 31u + i; return s & 1; }"),
    (
        "array",
        "int a[1000]; int main(void) { int r, i; for (r = 0; r < 2000; r++) for (i = 0; i < 1000; i++) a[i] = a[i] + i; return a[3] & 1; }",
    ),
    ("calls", "int f(int x) { return x & 7; } int main(void) { int s = 0, i; for (i = 0; i < 1000000; i++) s += f(i); return s & 1; }"),
    ("floats", "int main(void) { double s = 0; int i; for (i = 1; i < 2000000; i++) s += 1.0 / i; return s > 14; }"),
    (
        "list",
        "struct n { struct n *next; int v; } n[100]; int main(void) { int i, r, s = 0; struct n *p;
         for (i = 0; i < 99; i++) { n[i].next = &n[i + 1]; n[i].v = i; }
         for (r = 0; r < 10000; r++) for (p = n; p; p = p->next) s = (s + p->v) & 65535; return s & 1; }",
    ),
];

fn main() {
    println!("{:<12} {:>14} {:>10} {:>16}", "loop", "steps", "seconds", "million steps/s");
    for (name, source) in LOOPS {
        let program = translate(source);
        let mut best = f64::MAX;
        let mut steps = 0;
        for _ in 0..3 {
            let mut machine = Machine::new(&program, Setup::default()).expect("the globals fit");
            let start = Instant::now();
            let end = machine.run_main();
            best = best.min(start.elapsed().as_secs_f64());
            steps = machine.steps;
            assert!(matches!(end, interp::End::Exit(_)), "{end:?}");
        }
        println!("{name:<12} {steps:>14} {best:>10.3} {:>16.1}", steps as f64 / best / 1e6);
    }
    let program = translate("int table[100000] = {1}; int main(void) { return 0; }");
    let start = Instant::now();
    for _ in 0..100 {
        Machine::new(&program, Setup::default()).expect("the globals fit").run_main();
    }
    println!("a run begins and ends in {:.3} ms", start.elapsed().as_secs_f64() * 10.0);
}

fn translate(source: &str) -> Program {
    frontend::translate("bench.c", source.as_bytes(), &frontend::Options::default()).program.expect("the benchmark is C")
}

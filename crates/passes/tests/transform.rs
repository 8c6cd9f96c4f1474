//! Transformed programs against the interpreter: they do what they did before.

#[path = "../../interp/tests/generator/mod.rs"]
mod generator;
#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../../interp/tests/planted/mod.rs"]
mod planted;
#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../../interp/tests/samples/mod.rs"]
mod samples;

use interp::{End, Inputs, Machine, Policy, Reaction, Setup};
use loopfrog_passes::{checks::instrument, inline::inline, reducible::make_reducible};
use model::{CheckKind, LoopForest, Program, Span, Target};

#[track_caller]
fn translate(source: &str, target: Target) -> Program {
    let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options { target, ..Default::default() });
    translation.program.unwrap_or_else(|| panic!("{:?}\n{source}", translation.diagnostics.list()))
}

/// How a run ended: with a fault there, or in another way.
#[derive(PartialEq, Debug)]
enum Outcome {
    Fault(CheckKind, Span, String),
    Other(End),
}

/// What a run shows: how it ends, and what it prints.
fn run(program: &Program, policy: &Policy, arguments: &[&str]) -> (Outcome, String) {
    let arguments = ["program"].iter().chain(arguments).map(|text| text.as_bytes().to_vec()).collect();
    let mut printed = Vec::new();
    let inputs = Inputs { arguments, ..Inputs::default() };
    let output = Box::new(|bytes: &[u8], _| printed.extend_from_slice(bytes));
    let setup = Setup { policy: policy.clone(), inputs, output, ..Setup::default() };
    let outcome = match Machine::new(program, setup).expect("the globals fit").run_main() {
        End::Fault(fault) => Outcome::Fault(fault.kind, fault.span, fault.message.clone()),
        end => Outcome::Other(end),
    };
    (outcome, String::from_utf8_lossy(&printed).into_owned())
}

/// Runs a program as it is, and after each of the passes and both. Then the same with its checks written down.
#[track_caller]
fn compare(source: &str, arguments: &[&str]) -> Outcome {
    let program = translate(source, Target::Lp64);
    let kinds: Vec<CheckKind> =
        CheckKind::ALL.into_iter().filter(|kind| !matches!(kind, CheckKind::UnsignedOverflow | CheckKind::Leak)).collect();
    let mut policy = Policy::all(Reaction::Ignore);
    kinds.iter().for_each(|kind| policy.set(*kind, Reaction::Stop));
    let mut checked = program.clone();
    instrument(&mut checked, &kinds);
    compare_with(source, &checked, &Policy::assertions(), arguments);
    compare_with(source, &program, &policy, arguments)
}

#[track_caller]
fn compare_with(source: &str, program: &Program, policy: &Policy, arguments: &[&str]) -> Outcome {
    let expected = run(program, policy, arguments);
    let choices: [&[fn(&mut Program)]; 3] = [&[reducible], &[large], &[small, reducible]];
    for passes in choices {
        let mut changed = program.clone();
        passes.iter().for_each(|pass| pass(&mut changed));
        if let Err(flaws) = model::verify(&changed) {
            panic!("{}\n{source}", flaws[0]);
        }
        let found = run(&changed, policy, arguments);
        assert_eq!(found, expected, "{source}\n{}", model::text::program(&changed, model::text::Spans::None));
    }
    expected.0
}

fn reducible(program: &mut Program) {
    make_reducible(program);
    for body in program.functions.iter().filter_map(|function| function.body.as_ref()) {
        assert!(LoopForest::new(body).loops.iter().all(|region| !region.is_irreducible()));
    }
}

fn large(program: &mut Program) {
    inline(program, 1000);
}

fn small(program: &mut Program) {
    inline(program, 12);
}

#[track_caller]
fn exits(source: &str, status: i32) {
    assert_eq!(compare(source, &[]), Outcome::Other(End::Exit(status)), "{source}");
}

#[test]
fn jumps_into_loops() {
    exits("int main(void) { int n = 9, s = 0; goto in; while (n > 0) { s += n; in: n--; } return s; }", 36);
    // Duff's device.
    exits(
        "int main(void) { char to[20] = {0}, from[20]; for (int i = 0; i < 20; i++) from[i] = i;
           char *p = to, *q = from; int count = 19, n = (count + 7) / 8;
           switch (count % 8) { case 0: do { *p++ = *q++; case 7: *p++ = *q++; case 6: *p++ = *q++; case 5: *p++ = *q++;
           case 4: *p++ = *q++; case 3: *p++ = *q++; case 2: *p++ = *q++; case 1: *p++ = *q++; } while (--n > 0); }
           int s = 0; for (int i = 0; i < 20; i++) s += to[i]; return s; }",
        171,
    );
    // Variables of the loop's block live from a jump into it, too.
    exits(
        "int main(void) { int n = 3, s = 0, *p; goto in; while (n > 0) { int x; x = 2; in: x = n; p = &x; s += *p; n--; } return s; }",
        6,
    );
    exits(
        "int main(void) { int n = 100, c = 0; if (n & 4) goto a; else goto b;
           a: n--; c++; if (n & 2) goto x; else goto y; x: n -= 2; if (n & 4) goto y; goto b; y: n -= 3; c += 2; if (n & 8) goto x;
           b: n -= 4; if (n > 0) goto a; return c; }",
        28,
    );
    // A dead variable of a loop is noticed as before.
    let dangling =
        "int main(void) { int n = 3, *p = 0; goto in; while (n > 0) { int x; if (p) *p = 1; in: x = n; p = &x; n--; } return 0; }";
    assert!(matches!(compare(dangling, &[]), Outcome::Fault(CheckKind::Dangling, ..)));
}

#[test]
fn computed_gotos() {
    exits(
        "int run(const unsigned char *p) { static void *const t[] = { &&add, &&twice, &&end, &&back }; int s = 0, k = 3;
           goto *t[*p]; add: s++; goto *t[*++p]; twice: s *= 2; goto *t[*++p]; back: if (--k) p -= 2; goto *t[*++p]; end: return s; }
         int main(void) { return run((const unsigned char *)\"\\0\\1\\0\\3\\1\\2\"); }",
        10,
    );
    exits(
        "int f(int n) { void *t[] = { &&a, &&b, &&c }; int s = 0; if (n > 5) goto b; goto *t[n & 1];
           a: s += 3; n--; goto *t[n > 0 ? n & 1 : 2]; b: s += 5; n -= 2; goto *t[n > 0 ? n % 3 != 0 : 2]; c: return s; }
         int main(void) { return f(21) + f(4); }",
        71,
    );
    let nowhere = "int main(void) { void *p = &&a; int n = 3; if (n) goto b; a: n--; b: n--; if (n > 0) goto a; goto *(p + 999); }";
    assert!(matches!(compare(nowhere, &[]), Outcome::Fault(CheckKind::Bounds, ..)));
}

/// A function of labels that go anywhere, for a number of steps.
fn jumps(seed: u64) -> String {
    let mut state = seed;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) % limit
    };
    let count = 3 + below(9);
    let labels: Vec<String> = (0..count).map(|i| format!("&&l{i}")).collect();
    let computed = below(3) == 0;
    let table = if computed { format!("static void *t[] = {{ {} }};", labels.join(", ")) } else { String::new() };
    let mut text = format!("int printf(const char *, ...);\nint main(void) {{ {table} unsigned n = {seed}u, s = 0;\n");
    for i in 0..count {
        text += &format!("l{i}: printf(\"{i} \"); n = n * 1103515245u + 12345u; if (++s > 60) return n >> 25;\n");
        text += &match below(if computed { 6 } else { 4 }) {
            0 => String::new(),
            1 => format!("if (n >> 16 & 1) goto l{};\n", below(count)),
            2 => format!("if (n >> 17 & 1) goto l{}; else goto l{};\n", below(count), below(count)),
            3 => format!("switch (n >> 18 & 3) {{ case 0: goto l{}; case 1: goto l{}; }}\n", below(count), below(count)),
            _ => format!("goto *t[(n >> 16) % {count}];\n"),
        };
    }
    text + "goto l0; }\n"
}

#[test]
fn random_jumps() {
    let irreducible = |source: &str| {
        let program = translate(source, Target::Lp64);
        let body = program.functions.iter().find_map(|function| function.body.as_ref()).map(LoopForest::new);
        body.map_or(0, |forest| forest.loops.iter().filter(|region| region.is_irreducible()).count())
    };
    let mut regions = 0;
    for seed in 1..=150 {
        let source = jumps(seed);
        assert!(matches!(compare(&source, &[]), Outcome::Other(End::Exit(_))), "{source}");
        regions += irreducible(&source);
    }
    assert!(regions > 100, "{regions}");
}

#[test]
fn calls() {
    exits(
        "int f(int n) { if (n < 2) return 1; return n * f(n - 1); } int g(int n) { return f(n) + f(n - 1); } int main(void) { return g(4); }",
        30,
    );
    exits(
        "int h(int); int g(int n) { return n ? h(n - 1) + 1 : 0; } int h(int n) { return n ? g(n - 1) + 2 : 0; }
         int main(void) { return g(7) * 10 + h(3); }",
        105,
    );
    exits(
        "int f(int n) { if (n > 3) return 7; while (n) { if (n == 2) return 5; n--; } return 1; } int main(void) { return f(9) * 10 + f(3) * 2 + f(1); }",
        81,
    );
    exits(
        "int f(int *p) { int x = *p, *q = &x; *q += 1; return x; }
         int main(void) { int s = 0; for (int i = 0; i < 5; i++) { s += f(&i); s += f(&s); } return s; }",
        145,
    );
    exits(
        "struct s { int a[3]; long b; }; struct s f(int n, struct s x) { x.a[n] = n; x.b += n; return x; }
         int main(void) { struct s y = { { 1, 2, 3 }, 4 }; y = f(1, f(2, y)); return f(0, y).b * 10 + y.a[0] + y.a[1] + y.a[2]; }",
        74,
    );
    // An argument that is undefined where the parameter is not used; a result that nobody takes.
    let division = "int f(int n) { return 5; } int main(void) { int z = 0; return f(1 / z); }";
    assert!(matches!(compare(division, &[]), Outcome::Fault(CheckKind::Division, ..)));
    let unused = "int f(int n) { return 1 / n; } int main(void) { f(0); return 0; }";
    assert!(matches!(compare(unused, &[]), Outcome::Fault(CheckKind::Division, ..)));
    exits("struct s { int a; }; struct s f(void) { struct s x; return x; } int main(void) { f(); return 3; }", 3);
    exits(
        "_Noreturn void exit(int); static void f(int n) { if (n) exit(n); } int main(void) { for (int i = 0;; i++) f(i - 4 > 0 ? i : 0); }",
        5,
    );
}

/// Each call has its own variables, which die with it and hold nothing at first.
#[test]
fn lifetimes() {
    for (kind, source) in [
        (CheckKind::Dangling, "int *f(void) { int x = 1; return &x; } int main(void) { return *f(); }"),
        (
            CheckKind::Dangling,
            "int *f(int x) { return &x; } int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { if (p) return *p; p = f(i); } return 0; }",
        ),
        (
            CheckKind::Dangling,
            "int *f(int n) { if (n) { int x = n; return &x; } return 0; } int main(void) { int *p = f(3); f(0); return *p; }",
        ),
        (
            CheckKind::Dangling,
            "struct s { int a[2]; }; struct s g(void) { struct s x = { { 1, 2 } }; return x; } int *f(void) { return g().a; } int main(void) { return *f(); }",
        ),
        (CheckKind::Uninitialised, "int f(int n) { int x; if (n) x = n; return x; } int main(void) { return f(3) + f(0); }"),
        (
            CheckKind::Uninitialised,
            "int f(int n) { int x, *p = &x; if (n) *p = n; return x; } int main(void) { int s = 0; for (int i = 2; i >= 0; i--) s += f(i); return s; }",
        ),
        (
            CheckKind::Uninitialised,
            "int f(int n) { { int x; if (n) { x = n; return x; } goto a; } { int x; a: return x; } } int main(void) { return f(3) + f(0); }",
        ),
    ] {
        assert!(matches!(compare(source, &[]), Outcome::Fault(found, ..) if found == kind), "{source}");
    }
    exits(
        "int setjmp(long *); _Noreturn void longjmp(long *, int); long b[40]; void g(int n) { if (n == 3) longjmp(b, n); }
         void f(int n) { g(n); g(n + 1); } int main(void) { int k = setjmp(b); if (k) return k; f(0); f(2); return 9; }",
        3,
    );
}

#[test]
fn samples_end_as_before() {
    for sample in samples::samples() {
        compare(&sample.source, &[]);
    }
}

#[test]
fn planted_faults_stay_where_they_are() {
    let planted = planted::program(7);
    for case in &planted.cases {
        compare(&planted.source, &[&case.number.to_string()]);
        compare(&planted.source, &[&(case.number + 1).to_string()]);
    }
}

#[test]
fn random_programs_print_what_they_printed() {
    for seed in 1..=25 {
        let source = generator::program(seed);
        compare(&source, &[]);
        for (from, to) in [("% 8u]", "% 11u]"), ("% 5ul]", "- 3ul]"), ("| 1u))", "| 0u))"), ("& 31))", "& 63))")] {
            compare(&source.replace(from, to), &[]);
        }
    }
}

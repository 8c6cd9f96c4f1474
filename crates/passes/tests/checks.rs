//! Instrumented programs against the interpreter: where it notices that something undefined happens, the first assertion fails, and nowhere
//! else.

#[path = "../../interp/tests/generator/mod.rs"]
mod generator;
#[path = "../../interp/tests/planted/mod.rs"]
mod planted;
#[path = "../../interp/tests/samples/mod.rs"]
mod samples;

use interp::{End, Inputs, Machine, Policy, Reaction, Setup};
use loopfrog_passes::checks::instrument;
use model::{CheckKind, Program, Span, Target};

#[track_caller]
fn translate(source: &str, target: Target) -> Program {
    let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options { target, ..Default::default() });
    translation.program.unwrap_or_else(|| panic!("{:?}\n{source}", translation.diagnostics.list()))
}

/// How a run ended: with a fault there, or in another way.
#[derive(PartialEq, Debug)]
enum Outcome {
    Fault(CheckKind, Span),
    Other(End),
}

fn run(program: &Program, policy: Policy, arguments: &[&str]) -> (Outcome, bool) {
    let arguments = ["program"].iter().chain(arguments).map(|text| text.as_bytes().to_vec()).collect();
    let inputs = Inputs { arguments, ..Inputs::default() };
    match Machine::new(program, Setup { policy, inputs, ..Setup::default() }).expect("the globals fit").run_main() {
        End::Fault(fault) => (Outcome::Fault(fault.kind, fault.span), fault.message == "the assertion does not hold"),
        end => (Outcome::Other(end), false),
    }
}

/// Runs a program as it is, and with the checks written down; on both data models, of which the larger one counts.
#[track_caller]
fn compare(source: &str, kinds: &[CheckKind], arguments: &[&str]) -> Outcome {
    compare_on(Target::Ilp32, source, kinds, arguments);
    compare_on(Target::Lp64, source, kinds, arguments)
}

#[track_caller]
fn compare_on(target: Target, source: &str, kinds: &[CheckKind], arguments: &[&str]) -> Outcome {
    let program = translate(source, target);
    let mut instrumented = program.clone();
    instrument(&mut instrumented, kinds);
    if let Err(flaws) = model::verify(&instrumented) {
        panic!("{}\n{source}", flaws[0]);
    }
    let mut policy = Policy::all(Reaction::Ignore);
    kinds.iter().for_each(|kind| policy.set(*kind, Reaction::Stop));
    let (expected, _) = run(&program, policy, arguments);
    let (found, asserted) = run(&instrumented, Policy::assertions(), arguments);
    let text = || model::text::program(&instrumented, model::text::Spans::Commands);
    assert_eq!(found, expected, "{source}\n{}", text());
    assert_eq!(
        asserted,
        matches!(found, Outcome::Fault(..)),
        "noticed by the interpreter, not by an assertion: {found:?}\n{source}\n{}",
        text()
    );
    found
}

/// All kinds but leaks: nobody promised that the samples free what they allocate.
fn kinds() -> Vec<CheckKind> {
    CheckKind::ALL.into_iter().filter(|kind| *kind != CheckKind::Leak).collect()
}

/// What C leaves undefined, without what is only unwanted.
fn undefined() -> Vec<CheckKind> {
    kinds().into_iter().filter(|kind| !matches!(kind, CheckKind::UnsignedOverflow | CheckKind::Float)).collect()
}

#[test]
fn samples_fail_where_the_interpreter_says() {
    // The first moves pointers farther than the interpreter follows them, the second calls library functions.
    let others = ["pointers do not stray into other objects", "sizes beyond everything"];
    for sample in samples::samples().into_iter().filter(|sample| !others.contains(&sample.group)) {
        match (compare(&sample.source, &undefined(), &[]), sample.fault) {
            (Outcome::Fault(kind, span), Some(expected)) => assert_eq!((kind, Some(span.line)), (expected, sample.line())),
            (outcome, fault) => assert_eq!((outcome, fault), (Outcome::Other(End::Exit(0)), None), "{}", sample.source),
        }
    }
}

#[test]
fn planted_faults_fail_and_their_twins_do_not() {
    for seed in [1, 0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9] {
        let planted = planted::program(seed);
        for case in planted.cases.iter().filter(|case| !case.name.starts_with("mem")) {
            let outcome = compare(&planted.source, &undefined(), &[&case.number.to_string()]);
            assert!(
                matches!(outcome, Outcome::Fault(kind, span) if (kind, span.line) == (case.kind, case.line)),
                "{}: {outcome:?}",
                case.name
            );
            let outcome = compare(&planted.source, &undefined(), &[&(case.number + 1).to_string()]);
            assert_eq!(outcome, Outcome::Other(End::Exit(0)), "twin of {}", case.name);
        }
    }
}

#[test]
fn random_programs_fail_where_the_interpreter_says() {
    let damages =
        [("% 8u]", "% 11u]"), ("% 5ul]", "- 3ul]"), ("% 3].", "]."), ("| 1u))", "| 0u))"), ("& 15 | 1))", "& 15))"), ("& 31))", "& 63))")];
    let mut faults = 0;
    for seed in 1..=25 {
        let source = generator::program(seed);
        compare_on(Target::Lp64, &source, &undefined(), &[]);
        compare_on(Target::Lp64, &source, &kinds(), &[]);
        for (from, to) in damages {
            faults += u32::from(matches!(compare_on(Target::Lp64, &source.replace(from, to), &undefined(), &[]), Outcome::Fault(..)));
        }
    }
    assert!(faults > 40, "{faults}");
}

/// Programs beyond the samples: the line with `// HERE` is wrong.
const FAULTY: &[(CheckKind, &str)] = &[
    (CheckKind::Assertion, "void reach_error(void) {}\nint main(void) {\n reach_error(); // HERE\n return 0; }"),
    (CheckKind::Assertion, "void reach_error(void);\nint main(void) { void (*f)(void) = reach_error;\n f(); // HERE\n return 0; }"),
    (
        CheckKind::Assertion,
        "void __VERIFIER_assert(int);\nint main(void) { int x = 3; __VERIFIER_assert(x);\n __VERIFIER_assert(x - 3); // HERE\n }",
    ),
    (
        CheckKind::Assertion,
        "void __assert_fail(const char *, const char *, unsigned, const char *);\nint main(void) {\n __assert_fail(\"x\", \"y\", 1, \"main\"); // HERE\n }",
    ),
    (CheckKind::Bounds, "int main(void) { int (*f)(void) = (int (*)(void))(main + 1);\n return f(); // HERE\n }"),
    (CheckKind::Bounds, "int main(void) { void *p = &&a; p = (char *)p + 100;\n goto *p; // HERE\na: return 0; }"),
    (CheckKind::Bounds, "int main(void) { int n = 0;\n char v[n]; // HERE\n return sizeof v; }"),
    (CheckKind::Bounds, "int main(void) { int x, y;\n return &x - &y; // HERE\n }"),
    (CheckKind::Bounds, "int main(void) { int *p = (int *)0x7000;\n return *p; // HERE\n }"),
    (CheckKind::Bounds, "int main(void) { int x = 0; long i = 1l << 62; int *p = &x;\n return p[i]; // HERE\n }"),
    (
        CheckKind::Bounds,
        "struct s { int a; int b : 20; } *p;\nvoid *malloc(unsigned long);\nint main(void) { p = malloc(6);\n p->b = 1; // HERE\n }",
    ),
    (CheckKind::Bounds, "struct s { char a[9]; } x, *p;\nint main(void) { p = (struct s *)((char *)&x + 1);\n x = *p; // HERE\n }"),
    (CheckKind::Bounds, "unsigned char c = 200; int a[200];\nint main(void) {\n return a[c]; // HERE\n }"),
    (CheckKind::Bounds, "signed char c = -1; int a[200];\nint main(void) {\n return a[c]; // HERE\n }"),
    (CheckKind::Bounds, "__int128 c = (__int128)1 << 64; int a[200];\nint main(void) {\n return a[c]; // HERE\n }"),
    (
        CheckKind::Bounds,
        "const struct s { int a[3]; } c;\nint main(void) { int i = 1; struct s *p = (struct s *)&c;\n p->a[i] = 1; // HERE\n }",
    ),
    (CheckKind::Null, "struct s { int a[3]; } x;\nint main(void) { struct s *p = 0;\n x = *p; // HERE\n }"),
    (CheckKind::Null, "int main(void) { int *p = 0, i = 5;\n p[i] = 1; // HERE\n }"),
    (CheckKind::Null, "int f(int **p) {\n return **p; // HERE\n }\nint main(void) { int *p = 0; return f(&p); }"),
    (CheckKind::Null, "struct s { int a; };\nstruct s f(struct s *p) {\n return *p; // HERE\n }\nint main(void) { return f(0).a; }"),
    (CheckKind::Free, "void free(void *); int x;\nint main(void) { void (*f)(void *) = free; f(0);\n f(&x); // HERE\n }"),
    (CheckKind::Free, "void *realloc(void *, unsigned long); int x;\nint main(void) {\n realloc(&x, 5); // HERE\n }"),
    (CheckKind::SignedOverflow, "int main(void) { long long x = 1ll << 62; int y = 2;\n return x * y; // HERE\n }"),
    (CheckKind::SignedOverflow, "int main(void) { int x = -2147483647 - 1, y = -1;\n return x % y; // HERE\n }"),
    (CheckKind::SignedOverflow, "int main(void) { __int128 x = (__int128)1 << 126; int y = 2;\n return (int)(x * y); // HERE\n }"),
    (CheckKind::UnsignedOverflow, "int main(void) { unsigned x = 0;\n return x - 1; // HERE\n }"),
    (CheckKind::UnsignedOverflow, "int main(void) { unsigned long x = 1ul << 63;\n return x * 2; // HERE\n }"),
    (CheckKind::Float, "int main(void) { double x = 0;\n return 1 / x > 1; // HERE\n }"),
    (CheckKind::Float, "int main(void) { long double x = 0;\n return x / x > 1; // HERE\n }"),
    (CheckKind::Float, "int main(void) { float x = 3e38f;\n return x * x > 1; // HERE\n }"),
    (CheckKind::Shift, "int main(void) { unsigned x = 0;\n return __builtin_ctz(x); // HERE\n }"),
    (CheckKind::Uninitialised, "int f(void) { }\nint main(void) { int (*p)(void) = f;\n return p(); // HERE\n }"),
    (CheckKind::Uninitialised, "int f();\nint main(void) {\n return f(1); // HERE\n }\nint f(a, b) int a, b; { return a + b; }"),
    (CheckKind::Uninitialised, "struct s { char c; long x; } g;\nint main(void) { struct s l; l.c = 1; g = l;\n return g.x; // HERE\n }"),
    (CheckKind::Uninitialised, "int main(void) { for (int i = 0; i < 2; i++) { int x; if (i)\n  return x; // HERE\n  x = 1; } return 0; }"),
    (CheckKind::Unreachable, "_Noreturn void f(void) { return; }\nint main(void) {\n f(); // HERE\n }"),
];

#[test]
fn more_programs_fail_where_the_interpreter_says() {
    for (kind, source) in FAULTY {
        let line = source.lines().position(|line| line.contains("// HERE")).map(|line| line as u32 + 1);
        let outcome = compare(source, &kinds(), &[]);
        assert!(matches!(outcome, Outcome::Fault(found, span) if (found, Some(span.line)) == (*kind, line)), "{outcome:?}\n{source}");
    }
}

/// Instrumented models have all their forms.
#[test]
fn instrumented_models_come_back() {
    for (_, source) in FAULTY {
        let mut program = translate(source, Target::Lp64);
        instrument(&mut program, &CheckKind::ALL);
        let text = model::text::program(&program, model::text::Spans::Full);
        assert_eq!(model::text::parse(&text).as_ref(), Ok(&program), "{text}");
        assert_eq!(model::binary::from_bytes(&model::binary::to_bytes(&program)).as_ref(), Ok(&program), "{text}");
    }
}

/// What is right runs through.
#[test]
fn right_programs_do_not_fail() {
    for source in [
        "struct s { int n; char t[]; };\nvoid *malloc(unsigned long);\nint main(void) { int i = 9; struct s *p = malloc(20); p->t[i] = 0; return p->t[i]; }",
        "typedef __builtin_va_list L; int g(L l) { return __builtin_va_arg(l, int); }\nint f(int n, ...) { L l, m; __builtin_va_start(l, n); \
         __builtin_va_copy(m, l); int r = g(l); __builtin_va_end(l); __builtin_va_end(m); return r; }\nint main(void) { return f(1, 0); }",
        "int main(void) { void *p = &&b; goto *p; a: return 1; b: return 0; }",
        "int main(void) { char *p = (char *)0; p += 5; return p == (char *)5 ? 0 : 1; }",
        "union { int i; char c[4]; } u; int main(void) { int i = 3; u.i = 0; return u.c[i]; }",
        "struct s { unsigned a : 7, b : 30; _Bool c : 1; } s; int main(void) { struct s t = { 1, 2, 1 }; s = t; s.b = 0; return s.b; }",
        "int main(void) { long double x = 1; x = x + 1; return (int)x - 2; }",
        "int f(int n) { int v[n]; v[n - 1] = 0; return v[n - 1]; } int main(void) { return f(3); }",
        "void f(int n) { if (n) return; } int main(void) { f(0); return 0; }",
        "const char *s = \"abc\"; int main(void) { return *(s + 3); }",
    ] {
        assert_eq!(compare(source, &kinds(), &[]), Outcome::Other(End::Exit(0)), "{source}");
    }
}

/// Numbers around the limits of every integer type.
#[test]
fn conversions_fail_exactly_outside_of_the_type() {
    let mut wrong = 0;
    for float in ["_Float16", "float", "double", "long double", "_Float128"] {
        for (int, bits) in [
            ("signed char", 7),
            ("unsigned char", 8),
            ("int", 31),
            ("unsigned", 32),
            ("long", 63),
            ("unsigned long", 64),
            ("__int128", 127),
        ] {
            for value in [format!("0x1p{bits}L"), "1.0L".into(), "0.5L".into(), "0x1p15L".into()] {
                for change in ["", "- 1", "+ 1", "* 0.999L", "* 1.001L", "- 0.5L"] {
                    for sign in ["", "-"] {
                        let source = format!("int main(void) {{ {float} d = {sign}({value} {change}); return ({int})d == 77; }}");
                        wrong += u32::from(matches!(compare(&source, &[CheckKind::Conversion], &[]), Outcome::Fault(..)));
                    }
                }
            }
        }
    }
    assert!(wrong > 200, "{wrong}");
}

/// Numbers and distances around the limits, with and without the check of the distance.
#[test]
fn left_shifts_fail_exactly_where_the_number_does_not_fit() {
    let mut wrong = 0;
    for (ty, bits) in [("int", 32), ("long long", 64), ("__int128", 128)] {
        for distance in [-1, 0, 1, 3, bits - 2, bits - 1, bits, 200] {
            for number in ["0", "1", "-1", "5", "(x >> 1) - 1", "x >> 3", "(x >> 3) + 1", "x - 1", "x"] {
                let declare = format!("{ty} x = ({ty})1 << {}, y = {number}; int d = {distance};", bits - 2);
                for shift in ["y << d".to_string(), format!("y << {distance}"), format!("({ty})1 << d")] {
                    let source = format!("int main(void) {{ {declare} return ({shift}) == 77; }}");
                    for kinds in [&[CheckKind::SignedOverflow][..], &[CheckKind::SignedOverflow, CheckKind::Shift]] {
                        wrong += u32::from(matches!(compare(&source, kinds, &[]), Outcome::Fault(CheckKind::SignedOverflow, _)));
                    }
                }
            }
        }
    }
    assert!(wrong > 200, "{wrong}");
}

/// Everything must be freed, on every way out.
#[test]
fn leaks() {
    let declare = "void *malloc(unsigned long); void free(void *); _Noreturn void exit(int); int atexit(void (*)(void)); void *p;\n";
    let line = |source: &str| match compare(&format!("{declare}{source}"), &[CheckKind::Leak], &[]) {
        Outcome::Fault(CheckKind::Leak, span) => Some(span.line),
        outcome => {
            assert_eq!(outcome, Outcome::Other(End::Exit(0)), "{source}");
            None
        }
    };
    assert_eq!(line("int main(void) { p = malloc(1);\n return 0; }"), Some(3));
    assert_eq!(line("int main(void) { p = malloc(1); free(p);\n return 0; }"), None);
    assert_eq!(line("int main(void) { p = malloc(1);\n exit(0); }"), Some(3));
    assert_eq!(line("int main(void) { free(malloc(1)); exit(0); }"), None);
    assert_eq!(line("__attribute__((destructor)) void end(void) { free(p);\n } int main(void) { p = malloc(1); exit(0); }"), None);
    assert_eq!(line("__attribute__((destructor)) void end(void) { p = malloc(1);\n } int main(void) { return 0; }"), Some(3));
    assert_eq!(line("void end(void) { p = malloc(1);\n } int main(void) { atexit(end); return 0; }"), Some(3));
}

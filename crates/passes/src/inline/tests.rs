//! C in, models without small calls out.

use expect_test::{Expect, expect};
use model::Program;

use super::inline;

fn inlined(source: &str, limit: usize) -> Program {
    let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options::default());
    let mut program = translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()));
    inline(&mut program, limit);
    model::verify(&program).unwrap_or_else(|flaws| panic!("{}", flaws[0]));
    program
}

/// The last function after inlining.
#[track_caller]
fn check(source: &str, expected: Expect) {
    let text = model::text::program(&inlined(source, 100), model::text::Spans::None);
    let start = text.rfind("\nfunction f(").expect("there is a function f");
    let end = text[start..].find("\n}").expect("it has a body");
    expected.assert_eq(&text[start + 1..start + end + 3]);
}

/// How many calls are left in the function `f`.
#[track_caller]
fn calls_left(source: &str, limit: usize) -> usize {
    let program = inlined(source, limit);
    let f = program.functions.iter().find(|function| function.name == "f").and_then(|function| function.body.as_ref());
    super::calls::direct(f.expect("f has a body")).count()
}

#[test]
fn parameters_and_results() {
    check(
        "int twice(int x) { return x + x; } int f(int n) { int y = twice(n + 1); twice(7); return y * twice(y); }",
        expect![[r#"
            function f(n: i32) -> i32 {
                local y: i32
                temp #1: i32
                temp #2: i32
                temp #3: i32
                local x: i32
                local x#1: i32
                temp #4: i32
                local x#2: i32
            b0:
                x = n + 1
                goto b2
            b1:  // from b2
                y = #1
                x#1 = 7
                goto b4
            b2:  // from b0
                #1 = x + x
                goto b1
            b3:  // from b4
                #2 = y
                x#2 = y
                goto b6
            b4:  // from b1
                #4 = x#1 + x#1
                goto b3
            b5:  // from b6
                return #2 * #3
            b6:  // from b3
                #3 = x#2 + x#2
                goto b5
            }
        "#]],
    );
}

#[test]
fn variables_of_inner_blocks_die_too() {
    check(
        "int g(int n) { int s = 0, *p = &s; for (int i = 0; i < n; i++) { int t = i; p = &t; if (*p > 5) return t; } return s; }
         int f(int n) { while (g(n) > 0) n--; return n; }",
        expect![[r#"
            function f(n: i32) -> i32 {
                temp #1: i32
                local n#1: i32
                local s: i32
                local p: *i32
                local i: i32
                local t: i32
                while b1
                for b6
            b0:
                goto b1
            b1:  // from b0, b2
                live s
                live p
                n#1 = n
                goto b5
            b2:  // from b4
                n = n - 1
                goto b1
            b3:  // from b4
                return n
            b4:  // from b8, b10
                dead s
                dead p
                dead i
                dead t
                if #1 > 0 goto b2 else b3
            b5:  // from b1
                s = 0
                p = &s
                live i
                i = 0
                goto b6
            b6:  // from b5, b9
                if i < n#1 goto b7 else b10
            b7:  // from b6
                live t
                t = i
                p = &t
                if *p > 5 goto b8 else b9
            b8:  // from b7
                #1 = t
                goto b4
            b9:  // from b7
                dead t
                i = i + 1
                goto b6
            b10:  // from b6
                dead i
                #1 = s
                goto b4
            }
        "#]],
    );
}

#[test]
fn records() {
    check(
        "struct s { int a, b; }; struct s g(struct s x) { x.a++; return x; } int f(struct s y) { g(y); return g(y).a; }",
        expect![[r#"
            function f(y: struct s) -> i32 {
                local #1: struct s
                local x: struct s
                local x#1: struct s
            b0:
                x = y
                goto b2
            b1:  // from b2
                x#1 = y
                goto b4
            b2:  // from b0
                x.a = x.a + 1
                goto b1
            b3:  // from b4
                return #1.a
            b4:  // from b1
                x#1.a = x#1.a + 1
                #1 = x#1
                goto b3
            }
        "#]],
    );
}

#[test]
fn bottom_up() {
    check(
        "void a(int *p) { *p = 1; } void b(int *p) { a(p); } void f(void) { int x; b(&x); }",
        expect![[r#"
            function f() {
                local x: i32
                local p: *i32
                local p#1: *i32
            b0:
                live p#1
                p = &x
                goto b2
            b1:  // from b3
                dead p#1
                return
            b2:  // from b0
                p#1 = p
                goto b4
            b3:  // from b4
                goto b1
            b4:  // from b2
                *p#1 = 1
                goto b3
            }
        "#]],
    );
}

/// Parameters need a life of their own only if something points to them.
#[test]
fn lives() {
    check(
        "struct s { int a[2]; }; int g(struct s x, int n, int m) { int *p = &x.a[n], y; return *p + *&m; } int f(struct s y) { return g(y, 1, 2); }",
        expect![[r#"
            function f(y: struct s) -> i32 {
                temp #1: i32
                local x: struct s
                local n: i32
                local m: i32
                local p: *i32
                local y#1: i32
            b0:
                live x
                live m
                live p
                live y#1
                x = y
                n = 1
                m = 2
                goto b2
            b1:  // from b2
                dead x
                dead m
                dead p
                dead y#1
                return #1
            b2:  // from b0
                p = &x.a[n]
                #1 = *p + *&m
                goto b1
            }
        "#]],
    );
}

#[test]
fn the_limit_counts_commands_and_branches() {
    let source = "int g(int x) { x++; x++; return x; } int f(void) { return g(1); }";
    assert_eq!((calls_left(source, 3), calls_left(source, 4)), (1, 0));
}

#[test]
fn calls_that_stay() {
    for (why, source) in [
        ("recursive", "int g(int n) { return n ? g(n - 1) : 0; } int f(void) { return g(3); }"),
        ("in a circle", "int h(int); int g(int n) { return n ? h(n - 1) : 0; } int h(int n) { return g(n); } int f(void) { return g(3); }"),
        ("variadic", "int g(int n, ...) { return n; } int f(void) { return g(3, 4); }"),
        ("without prototype", "int g(a) int a; { return a; } int f(void) { return g(3); }"),
        ("a mark", "void reach_error(void) {} void f(void) { reach_error(); }"),
        ("computed goto", "int g(void) { void *p = &&a; goto *p; a: return 1; } int f(void) { return g(); }"),
        ("alloca", "int g(int n) { char *p = __builtin_alloca(n); *p = 1; return *p; } int f(void) { return g(3); }"),
        ("a long array", "int g(int n) { char v[n]; v[0] = 1; return v[0]; } int f(void) { return g(3); }"),
        ("result missing", "int g(int n) { if (n) return 1; } int f(void) { return g(3); }"),
        ("a gap", "int g(void) { int x; asm(\"nop\" : \"=r\"(x)); return x; } int f(void) { return g(); }"),
    ] {
        assert_eq!(calls_left(source, 100), 1, "{why}");
    }
    let marks = "int setjmp(void *); void g(void) {} int f(void *p) { g(); return setjmp(p); }";
    assert_eq!(calls_left(marks, 100), 2, "the caller marks its frame");
    assert_eq!(calls_left("int g(int n) { if (n) return 1; } void f(void) { g(3); }", 100), 0, "nobody wants the result");
}

#[test]
fn calls_inside_of_recursive_functions_are_replaced() {
    assert_eq!(calls_left("int g(int n) { return n - 1; } int f(int n) { return n ? f(g(n)) : 0; }", 100), 1);
}

/// Each function calls the one before it twice: sizes would double without the limit.
#[test]
fn growth_is_bounded() {
    let chain: String = (1..60).map(|i| format!("int f{i}(int x) {{ return f{}(x) + f{}(x); }}\n", i - 1, i - 1)).collect();
    let program = inlined(&format!("int f0(int x) {{ return x + 1; }}\n{chain}"), 50);
    let sizes = program.functions.iter().filter_map(|function| function.body.as_ref()).map(super::size);
    assert!(sizes.max().is_some_and(|largest| largest < 150));
}

#[test]
fn deep_chains_need_no_stack() {
    let chain: String = (1..3000).map(|i| format!("int f{i}(int x) {{ return f{}(x); }}\n", i - 1)).collect();
    let program = inlined(&format!("int f0(int x) {{ int y = x; return y; }}\n{chain}"), 500);
    let sizes: Vec<usize> = program.functions.iter().filter_map(|function| function.body.as_ref()).map(super::size).collect();
    assert!(sizes.iter().all(|size| *size < 1000));
}

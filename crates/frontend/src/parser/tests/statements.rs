use expect_test::expect;

use super::{check, check_statements};

#[test]
fn control_flow() {
    check_statements(
        "if (a) b; else if (c) d; else e; if (a) if (b) c; else d; while (x) y; do z; while (1); for (;;) break; for (int i = 0, j; i < n; i++, j--) continue; for (i = 0; ;) ;",
        expect![[r#"
            (if a b (if c d e))
            (if a (if b c d))
            (while x y)
            (do-while z 1)
            (for (empty) _ _ (break))
            (for (declare Int i=0 j) (Lt i n) (, (PostIncrement i) (PostDecrement j)) (continue))
            (for (= i 0) _ _ (empty))
        "#]],
    );
    check_statements(
        "switch (x) { case 1: case 2 ... 3: a; break; default: b; } return; return x + 1; ; { }",
        expect![[r#"
            (switch x {(case 1 (cases 2 3 a)) (break) (default b)})
            (return)
            (return (Add x 1))
            (empty)
            {}
        "#]],
    );
}

#[test]
fn labels_and_jumps() {
    check_statements(
        "a: b: x; goto a; goto *p; { __label__ c, d; c: ; } T: y; e:",
        expect![[r#"
            (label a (label b x))
            (goto a)
            (goto* p)
            {(labels c d) (label c (empty))}
            (label T y)
            (label e (empty))
        "#]],
    );
    check_statements(
        "lab: int x = 1; case 1: T y; attr: __attribute__((unused)); [[fallthrough]]; __attribute__((fallthrough)); [[a]] m: ;",
        expect![[r#"
            (label lab (declare Int x=1))
            (case 1 (declare T y))
            (label attr (empty))
            (empty)
            (empty)
            (label m (empty))
        "#]],
    );
}

#[test]
fn declarations_in_blocks() {
    check_statements(
        "int a = 1, *b; extern int c(int); T d; _Static_assert(1, \"m\"); struct s { int x; } e; typedef char *S; S g; __extension__ long long h; __attribute__((unused)) int i;",
        expect![[r#"
            (declare Int a=1 (b *))
            (declare extern Int (c (function (declare Int))))
            (declare T d)
            (static-assert 1 "m")
            (declare (struct s ((declare Int x))) e)
            (declare typedef Char (S *))
            (declare S g)
            (declare LongLong h)
            (declare Int @unused i)
        "#]],
    );
}

#[test]
fn nested_functions() {
    check(
        "int f(int n) { auto int g(int); int g(int x) { return x + n; } int h(a) int a; { return a; } return g(1); }",
        expect![[r#"
            (define Int (f (function (declare Int n))) {(declare auto Int (g (function (declare Int)))) (define Int (g (function (declare Int x))) {(return (Add x n))}) (define Int (h (names a)) (declare Int a) {(return a)}) (return (call g 1))})
        "#]],
    );
}

#[test]
fn assembly() {
    check_statements(
        "asm(\"nop\"); __asm__ volatile (\"x\" \"y\" : [o] \"=r\"(a), \"+m\"(*b) : \"0\"(c) : \"memory\", \"cc\"); asm goto (\"j\" :::: l, m); asm volatile(\"\" ::: \"memory\");",
        expect![[r#"
            (asm "nop" () () ())
            (asm "xy" (=r:a +m:(Deref b)) (0:c) ())
            (asm "j" () () (l m))
            (asm "" () () ())
        "#]],
    );
}

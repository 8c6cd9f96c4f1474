//! Functions inside functions.

use expect_test::expect;

use super::{check, check_errors};

#[test]
fn variables_of_enclosing_functions() {
    check(
        r#"
        int f(int n) {
            int total = 0;
            { int k = n; int add(int x) { total += x * k; return total; } add(1); }
            return total;
        }
        "#,
        expect![[r#"
            struct `f frame` size 16 align 8 {
                total: *i32 at 0
                k: *i32 at 8
            }

            function f(n: i32) -> i32 {
                local total: i32
                local k: i32
                local #1: struct `f frame`
            b0:
                #1.total = &total
                total = 0
                live k
                #1.k = &k
                k = n
                `f.add`(&#1, 1)
                dead k
                return total
            }

            static function `f.add`(#1: *struct `f frame`, x: i32) -> i32 {
            b0:
                *#1->total = *#1->total + x * *#1->k
                return *#1->total
            }
        "#]],
    );
}

#[test]
fn deeper_functions_go_through_frames() {
    check(
        "int f(int a) { int g(int b) { int h(void) { a++; return a + b; } return h(); } return g(2); }",
        expect![[r#"
            struct `f frame` size 8 align 8 {
                a: *i32 at 0
            }

            struct `f.g frame` size 16 align 8 {
                #1: **struct `f frame` at 0
                b: *i32 at 8
            }

            function f(a: i32) -> i32 {
                local #1: struct `f frame`
                temp #2: i32
            b0:
                #1.a = &a
                #2 = `f.g`(&#1, 2)
                return #2
            }

            static function `f.g`(#1: *struct `f frame`, b: i32) -> i32 {
                local #2: struct `f.g frame`
                temp #3: i32
            b0:
                #2.#1 = &#1
                #2.b = &b
                #3 = `f.g.h`(&#2)
                return #3
            }

            static function `f.g.h`(#1: *struct `f.g frame`) -> i32 {
            b0:
                *(*#1->#1)->a = *(*#1->#1)->a + 1
                return *(*#1->#1)->a + *#1->b
            }
        "#]],
    );
}

#[test]
fn variable_arrays_and_forward_declarations() {
    check(
        r#"
        int f(int n) {
            auto int size(void);
            int a[n];
            int last(void) { return a[n - 1] + size(); }
            int size(void) { return sizeof a; }
            return last();
        }
        "#,
        expect![[r#"
            struct `f frame` size 24 align 8 {
                a: *[]i32 at 0
                n: *i32 at 8
                #1: *u64 at 16
            }

            function f(n: i32) -> i32 {
                local #1: struct `f frame`
                local #2: u64
                local a: []i32
                temp #3: i32
            b0:
                #1.n = &n
                #1.#1 = &#2
                #2 = (u64)n
                live a size 4u64 * #2
                #1.a = &a
                #3 = `f.last`(&#1)
                return #3
            }

            static function `f.size`(#1: *struct `f frame`) -> i32 {
            b0:
                return (i32)(4u64 * *#1->#1)
            }

            static function `f.last`(#1: *struct `f frame`) -> i32 {
                temp #2: i32
                temp #3: i32
            b0:
                #2 = (&(*#1->a)[0u64])[*#1->n - 1]
                #3 = `f.size`(#1)
                return #2 + #3
            }
        "#]],
    );
}

#[test]
fn pointers_to_inner_functions() {
    check(
        r#"
        int call(int (*f)(int));
        int f(int n) { int g(int x) { return x + n; } int h(int x) { return x; } return call(g) + call(&h); }
        "#,
        expect![[r#"
            struct `f frame` size 8 align 8 {
                n: *i32 at 0
            }

            static global `f.g.frame`: *struct `f frame` = zero

            function f(n: i32) -> i32 {
                local #1: struct `f frame`
                temp #2: i32
                temp #3: i32
            b0:
                #1.n = &n
                if `f.g.frame` == null || `f.g.frame` == &#1 goto b2 else b1
            b1:  // from b0
                unsupported "a pointer to `f.g` while one of another activation is in use is not supported"
                goto b2
            b2:  // from b0, b1
                `f.g.frame` = &#1
                #2 = call(&`f.g.closure`)
                #3 = call(&`f.h.closure`)
                `f.g.frame` = `f.g.frame` == &#1 ? null : `f.g.frame`
                return #2 + #3
            }

            static function `f.g`(#1: *struct `f frame`, x: i32) -> i32 {
            b0:
                return x + *#1->n
            }

            static function `f.h`(#1: *struct `f frame`, x: i32) -> i32 {
            b0:
                return x
            }

            function call(*fn(i32) -> i32) -> i32

            static function `f.g.closure`(#1: i32) -> i32 {
                temp #2: *struct `f frame`
                local #3: i32
            b0:
                #2 = `f.g.frame`
                if #2 != null goto b2 else b1
            b1:  // from b0
                unsupported "a call of `f.g` after its function has returned is not supported"
                goto b2
            b2:  // from b0, b1
                #3 = `f.g`(#2, #1)
                return #3
            }

            static function `f.h.closure`(#1: i32) -> i32 {
                temp #2: *struct `f frame`
                local #3: i32
            b0:
                #2 = null
                #3 = `f.h`(#2, #1)
                return #3
            }
        "#]],
    );
}

#[test]
fn jumps_to_labels_of_enclosing_functions() {
    check(
        r#"
        int f(int n) {
            __label__ out;
            int g(int x) { if (x) goto out; return x; }
            int h(int x) { return g(x) + 1; }
            { int k = n; h(k); }
            return 0;
        out:
            return 1;
        }
        "#,
        expect![[r#"
            struct `f frame` size 8 align 8 {
                #1: u64 at 0
            }

            function f(n: i32) -> i32 {
                local #1: struct `f frame`
                local k: i32
            b0:
                #1.#1 = 0
                live k
                k = n
                `f.h`(&#1, k)
                switch #1.#1 {
                    case 1: b2
                    default: b1
                }
            b1:  // from b0
                dead k
                return 0
            b2:  // from b0
                #1.#1 = 0
                dead k
                return 1
            }

            static function `f.g`(#1: *struct `f frame`, x: i32) -> i32 {
            b0:
                if x != 0 goto b1 else b2
            b1:  // from b0
                #1->#1 = 1
                return zero
            b2:  // from b0
                return x
            }

            static function `f.h`(#1: *struct `f frame`, x: i32) -> i32 {
                temp #2: i32
            b0:
                #2 = `f.g`(#1, x)
                if #1->#1 != 0 goto b1 else b2
            b1:  // from b0
                return zero
            b2:  // from b0
                return #2 + 1
            }
        "#]],
    );
    check(
        "int f(int n) { __label__ a; void *g(void) { return &&a; } goto *g(); return 0; a: return 1; }",
        expect![[r#"
            struct `f frame` size 8 align 8 {
                a: *void at 0
            }

            function f(n: i32) -> i32 {
                local #1: struct `f frame`
                temp #2: *void
                labels b1
            b0:
                #1.a = &&b1
                #2 = `f.g`(&#1)
                goto *#2
            b1:  // from b0
                return 1
            }

            static function `f.g`(#1: *struct `f frame`) -> *void {
            b0:
                return #1->a
            }
        "#]],
    );
}

#[test]
fn errors_around_inner_functions() {
    check_errors(
        r#"
        int f(void) { auto int g(int); return g(1); }
        int h(void) { int g(void) { return 1; } int g(void) { return 2; } static int (*p)(void) = g; return g() + p(); }
        int i(void) { int g(int a) { return a + unknown; } return g(1, 2); }
        int j(int g) { return g; int k(void) { goto l; } l: return k(); }
        "#,
        expect![[r#"
            2:32 Error: this function is declared `auto`, but not defined
            3:53 Error: `g` is defined twice (second definition)
              3:27: first definition
            3:99 Error: the address of a nested function is not a constant
            4:49 Error: `unknown` is not declared (unknown name)
            4:67 Error: this function takes 1 argument, but 2 are given
            5:48 Error: there is no label `l` in this function
        "#]],
    );
}

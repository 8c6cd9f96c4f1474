//! Pointers, arrays and variable-length arrays.

use expect_test::expect;

use super::check;

#[test]
fn pointer_arithmetic_comparison_and_difference() {
    check(
        r#"
        struct s { int a[3]; };
        long f(struct s *p, struct s *q, unsigned i, char *c, void *v) {
          p += i; p = p - 1; v = v + 2; c = &2[c];
          return (p - q) + (p < q) + (p == 0) + (c == v) + !p;
        }
        "#,
        expect![[r#"
            struct s size 12 align 4 {
                a: [3]i32 at 0
            }

            function f(p: *struct s, q: *struct s, i: u32, c: *i8, v: *void) -> i64 {
            b0:
                p = p + i
                p = p + -1i64
                v = v + 2
                c = c + 2
                return p - q + (i64)(p < q) + (i64)(p == null) + (i64)(c == (*i8)v) + (i64)(p == null)
            }
        "#]],
    );
}

#[test]
fn arrays_and_their_addresses() {
    check(
        r#"
        int a[2][3];
        int f(int i, int j) { int (*row)[3] = &a[i]; int *p = a[1]; return (*row)[j] + *(*(a + i) + j) + p[j] + (&a[1][2] - *a); }
        "#,
        expect![[r#"
            global a: [2][3]i32 = zero

            function f(i: i32, j: i32) -> i32 {
                local row: *[3]i32
                local p: *i32
            b0:
                row = &a[i]
                p = &a[1][0u64]
                return (i32)((i64)((*row)[j] + (&(&a[0u64])[i][0u64])[j] + p[j]) + (&a[1][2] - &(*&a[0u64])[0u64]))
            }
        "#]],
    );
}

#[test]
fn variable_length_arrays() {
    check(
        r#"
        long f(int n, int m) {
          int a[n];
          char b[n + 1][m];
          a[n - 1] = 3;
          b[1][2] = 4;
          return sizeof a + sizeof b[0] + (&b[1] - b);
        }
        "#,
        expect![[r#"
            function f(n: i32, m: i32) -> i64 {
                temp #1: u64
                local a: []i32
                temp #2: u64
                temp #3: u64
                local b: []i8
            b0:
                #1 = (u64)n
                live a size 4u64 * #1
                #2 = (u64)m
                #3 = (u64)(n + 1)
                live b size 1u64 * #2 * #3
                (&a[0u64])[n - 1] = 3
                (&(*(*[]i8)((*i8)&b + 1i64 * (i64)(1u64 * #2)))[0u64])[2] = 4
                return (i64)(4u64 * #1 + 1 * #2 + (u64)(((*i8)(*[]i8)((*i8)&b + 1i64 * (i64)(1u64 * #2)) - (*i8)&b) / (i64)(1u64 * #2)))
            }
        "#]],
    );
}

#[test]
fn parameters_that_are_variable_length_arrays() {
    check(
        r#"
        int f(int n, int m, int a[n][m], int (*b)[n]) { a++; return a[1][2] + b[1][0] + sizeof *b; }
        "#,
        expect![[r#"
            function f(n: i32, m: i32, a: *[]i32, b: *[]i32) -> i32 {
                temp #1: u64
                temp #2: u64
                temp #3: u64
            b0:
                #1 = (u64)m
                #2 = (u64)n
                #3 = (u64)n
                a = (*[]i32)((*i8)a + 1i64 * (i64)(4u64 * #1))
                return (i32)((u64)((&(*(*[]i32)((*i8)a + 1i64 * (i64)(4u64 * #1)))[0u64])[2] + (&(*(*[]i32)((*i8)b + 1i64 * (i64)(4u64 * #3)))[0u64])[0]) + 4 * #3)
            }
        "#]],
    );
}

#[test]
fn typedefs_of_variable_length_arrays() {
    check(
        r#"
        int f(int n) { typedef int row[n]; n = 7; row a; row *p = &a; return sizeof(row) + (*p)[1] + sizeof(int[n]); }
        "#,
        expect![[r#"
            function f(n: i32) -> i32 {
                temp #1: u64
                local a: []i32
                local p: *[]i32
                temp #2: u64
            b0:
                #1 = (u64)n
                n = 7
                live a size 4u64 * #1
                p = &a
                #2 = (u64)n
                return (i32)(4u64 * #1 + (u64)(&(*p)[0u64])[1] + 4 * #2)
            }
        "#]],
    );
}

#[test]
fn forward_parameters() {
    check(
        r#"
        int f(int n; int a[n][n], int n) { return a[1][1]; }
        "#,
        expect![[r#"
            function f(a: *[]i32, n: i32) -> i32 {
                temp #1: u64
                temp #2: u64
            b0:
                #1 = (u64)n
                #2 = (u64)n
                return (&(*(*[]i32)((*i8)a + 1i64 * (i64)(4u64 * #1)))[0u64])[1]
            }
        "#]],
    );
}

#[test]
fn address_of_dereference_and_null_based_offsets() {
    check(
        r#"
        struct s { int a; struct { int b[4]; } c; };
        unsigned long f(int *p) { int *q = &*p; q = &p[2]; return (unsigned long)&((struct s *)0)->c.b[2] + __builtin_offsetof(struct s, c.b[1]) + *q; }
        "#,
        expect![[r#"
            struct s size 20 align 4 {
                a: i32 at 0
                c: struct #1 at 4
            }

            struct #1 size 16 align 4 {
                b: [4]i32 at 0
            }

            function f(p: *i32) -> u64 {
                local q: *i32
            b0:
                q = p
                q = p + 2
                return (u64)(i64)&null(*struct s)->c.b[2] + 8 + (u64)*q
            }
        "#]],
    );
}

#[test]
fn conversions_between_pointers_and_integers() {
    check(
        r#"
        long f(int i, unsigned u, char *p) { int *q = (int *)i; q = (int *)u; return (long)p + (int)(long)q + ((void *)0 == p); }
        "#,
        expect![[r#"
            function f(i: i32, u: u32, p: *i8) -> i64 {
                local q: *i32
            b0:
                q = (*i32)(i64)i
                q = (*i32)(u64)u
                return (i64)p + (i64)(i32)(i64)q + (i64)(null(*void) == (*void)p)
            }
        "#]],
    );
}

#[test]
fn lengths_with_effects_are_evaluated() {
    check(
        r#"
        int i;
        void f(int a[i = 3], int n) { int b[(n++, 4)]; }
        "#,
        expect![[r#"
            global i: i32 = zero

            function f(a: *i32, n: i32) {
                local b: []i32
            b0:
                i = 3
                n = n + 1
                live b size 16u64
                return
            }
        "#]],
    );
}

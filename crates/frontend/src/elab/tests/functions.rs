//! Functions, calls and linkage.

use expect_test::expect;

use super::{check, check_32};

#[test]
fn old_style_definitions() {
    check(
        r#"
        int f(c, x, a) char c; float x; int a[]; { return c + x + a[0]; }
        int g() { return f(1, 2.0f, 0); }
        "#,
        expect![[r#"
            function f(c: i32, x: f64, a: *i32, ...) -> i32 {
                local c#1: i8
                local x#1: f32
            b0:
                c#1 = (i8)c
                x#1 = (f32)x
                return (i32)((f32)c#1 + x#1 + (f32)a[0])
            }

            function g(...) -> i32 {
                temp #1: i32
            b0:
                #1 = ((*fn(i32, f64, i32) -> i32)&f)(1, 2.0, 0)
                return #1
            }
        "#]],
    );
}

#[test]
fn prototype_before_an_old_style_definition() {
    check(
        r#"
        int f(float);
        int f(x) float x; { return x; }
        "#,
        expect![[r#"
            function f(x: f32) -> i32 {
            b0:
                return (i32)x
            }
        "#]],
    );
}

#[test]
fn calls_before_the_declaration() {
    check(
        r#"
        int f(void) { return g(1, 2.5f); }
        double g(int a, double b) { return a + b; }
        "#,
        expect![[r#"
            function f() -> i32 {
                temp #1: i32
            b0:
                #1 = ((*fn(i32, f64) -> i32)&g)(1, 2.5)
                return #1
            }

            function g(a: i32, b: f64) -> f64 {
            b0:
                return (f64)a + b
            }
        "#]],
    );
}

#[test]
fn variable_arguments() {
    check(
        r#"
        int f(int n, ...) { __builtin_va_list l, m; __builtin_va_start(l, n); __builtin_va_copy(m, l); int r = __builtin_va_arg(l, int); r += __builtin_va_arg(m, double); __builtin_va_end(m); __builtin_va_end(l); return r; }
        void g(char c, float x) { f(2, c, x); }
        "#,
        expect![[r#"
            struct __va_list_tag size 24 align 8 {
                gp_offset: u32 at 0
                fp_offset: u32 at 4
                overflow_arg_area: *void at 8
                reg_save_area: *void at 16
            }

            function f(n: i32, ...) -> i32 {
                local l: [1]struct __va_list_tag
                local m: [1]struct __va_list_tag
                local r: i32
                temp #1: i32
                temp #2: f64
            b0:
                va_start(&l[0u64])
                va_copy(&m[0u64], &l[0u64])
                #1 = va_arg(&l[0u64])
                r = #1
                #2 = va_arg(&m[0u64])
                r = (i32)((f64)r + #2)
                va_end(&m[0u64])
                va_end(&l[0u64])
                return r
            }

            function g(c: i8, x: f32) {
            b0:
                f(2, (i32)c, (f64)x)
                return
            }
        "#]],
    );
}

#[test]
fn variable_arguments_on_32_bits() {
    check_32(
        r#"
        int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return __builtin_va_arg(l, int); }
        "#,
        expect![[r#"
            function f(n: i32, ...) -> i32 {
                local l: *i8
                temp #1: i32
            b0:
                va_start(&l)
                #1 = va_arg(&l)
                return #1
            }
        "#]],
    );
}

#[test]
fn function_pointers_and_casts() {
    check(
        r#"
        int g(int);
        int f(long (*p)(char), int i) { int (*q)(int) = g; q = &g; q = *g; return (*q)(i) + ((int (*)(char))p)('a') + (**q)(i) + q(1); }
        "#,
        expect![[r#"
            function f(p: *fn(i8) -> i64, i: i32) -> i32 {
                local q: *fn(i32) -> i32
                temp #1: i32
                temp #2: i32
                temp #3: i32
                temp #4: i32
                temp #5: i32
                temp #6: i32
            b0:
                q = &g
                q = &g
                q = &g
                #1 = q(i)
                #2 = ((*fn(i8) -> i32)p)(97)
                #3 = #1 + #2
                #4 = q(i)
                #5 = #3 + #4
                #6 = q(1)
                return #5 + #6
            }

            function g(i32) -> i32
        "#]],
    );
}

#[test]
fn inline_variants() {
    check(
        r#"
        inline int a(void) { return 1; }
        extern inline int b(void) { return 2; }
        static inline int c(void) { return 3; }
        __attribute__((gnu_inline)) extern inline int d(void) { return 4; }
        int e(void) { return a() + b() + c() + d(); }
        "#,
        expect![[r#"
            inline function a() -> i32 {
            b0:
                return 1
            }

            function b() -> i32 {
            b0:
                return 2
            }

            static function c() -> i32 {
            b0:
                return 3
            }

            inline function d() -> i32 {
            b0:
                return 4
            }

            function e() -> i32 {
                temp #1: i32
                temp #2: i32
                temp #3: i32
                temp #4: i32
                temp #5: i32
                temp #6: i32
            b0:
                #1 = a()
                #2 = b()
                #3 = #1 + #2
                #4 = c()
                #5 = #3 + #4
                #6 = d()
                return #5 + #6
            }
        "#]],
    );
}

#[test]
fn weak_alias_and_constructors() {
    check(
        r#"
        int f(void) { return 1; }
        int g(void) __attribute__((alias("f")));
        __attribute__((weak)) int h(void) { return 2; }
        #pragma weak k
        int k(void) { return 3; }
        __attribute__((constructor(200))) static void init(void) {}
        extern int x __asm__("y");
        int *p = &x;
        "#,
        expect![[r#"
            global x: i32 asm "y"
            global p: *i32 = &x

            function f() -> i32 {
            b0:
                return 1
            }

            function g() -> i32 alias "f"

            weak function h() -> i32 {
            b0:
                return 2
            }

            weak function k() -> i32 {
            b0:
                return 3
            }

            static function init() constructor 200 {
            b0:
                return
            }
        "#]],
    );
}

#[test]
fn static_locals() {
    check(
        r#"
        int f(void) { static int n = 3; static const char s[] = "ab"; { static int n; n++; } return n++ + s[0]; }
        "#,
        expect![[r#"
            static global `f.n`: i32 = i32 3
            static const global `f.s`: [3]i8 = "ab"
            static global `f.n`#1: i32 = zero

            function f() -> i32 {
                temp #1: i32
            b0:
                `f.n`#1 = `f.n`#1 + 1
                #1 = `f.n`
                `f.n` = #1 + 1
                return #1 + (i32)`f.s`[0]
            }
        "#]],
    );
}

#[test]
fn main_returns_zero() {
    check(
        r#"
        int main(void) {}
        "#,
        expect![[r#"
            function main() -> i32 {
            b0:
                return 0
            }
        "#]],
    );
}

#[test]
fn missing_results() {
    check(
        r#"
        int f(int n) { if (n) return 1; }
        void g(void) { return (void)f(1); }
        "#,
        expect![[r#"
            function f(n: i32) -> i32 {
            b0:
                if n != 0 goto b1 else b2
            b1:  // from b0
                return 1
            b2:  // from b0
                return
            }

            function g() {
            b0:
                f(1)
                return
            }
        "#]],
    );
}

#[test]
fn builtins() {
    check(
        r#"
        int f(unsigned x, double d, void *p) { return __builtin_clz(x) + __builtin_popcount(x) + __builtin_ffs(x) + __builtin_isnan(d) + __builtin_constant_p(x) + (int)__builtin_expect(x, 1) + __builtin_strlen("abc"); }
        void *g(unsigned long n) { return __builtin_memcpy(__builtin_alloca(n), "x", 1); }
        "#,
        expect![[r#"
            static const global `.string.1`: [2]i8 = i8 120

            function f(x: u32, d: f64, p: *void) -> i32 {
                temp #1: u32
                temp #2: i32
                temp #3: f64
            b0:
                #1 = x
                if #1 != 0 goto b1 else b2
            b1:  // from b0
                #2 = trailing_zeros(#1) + 1
                goto b3
            b2:  // from b0
                #2 = 0
                goto b3
            b3:  // from b1, b2
                #3 = d
                return (i32)((u64)(leading_zeros(x) + count_ones(x) + #2 + (i32)(#3 != #3) + 0 + (i32)(i64)x) + 3)
            }

            function g(n: u64) -> *void {
                temp #1: *void
                temp #2: *void
            b0:
                #1 = alloca(n)
                #2 = memcpy(#1, (*void)&`.string.1`[0u64], 1)
                return #2
            }

            function memcpy(*void, *void, u64) -> *void
        "#]],
    );
}

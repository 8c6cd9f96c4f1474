//! C in, the instrumented commands out.

use expect_test::{Expect, expect};
use model::{CheckKind, Program};

use super::{instrument, instrument_but_left_shifts};

fn translate(source: &str) -> Program {
    let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options::default());
    translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()))
}

/// The assertions of these kinds in the functions of a program, each with what it guards.
#[track_caller]
fn check(kinds: &[CheckKind], source: &str, expected: Expect) {
    let mut program = translate(source);
    instrument(&mut program, kinds);
    model::verify(&program).unwrap_or_else(|flaws| panic!("{}", flaws[0]));
    let text = model::text::program(&program, model::text::Spans::None);
    let lines = text.lines().skip_while(|line| !line.starts_with("function")).filter(|line| !line.starts_with("    local"));
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn bounds() {
    check(
        &[CheckKind::Bounds],
        "int a[8]; struct s { int n; char t[1]; }; int f(int i, unsigned char c, struct s *p, char *q, long k) {\n\
         a[i] = a[3]; p->t[i] = 1; p->n = q[k]; return &q[5] - q + a[c]; }",
        expect![[r#"
            function f(i: i32, c: u8, p: *struct s, q: *i8, k: i64) -> i32 {
            b0:
                assert bounds(787): (u64)i < 8
                assert bounds(125): true
                a[i] = a[3]
                assert bounds(787): (u64)pointer_offset(&p->t[i]) < object_size(&p->t[i])
                assert bounds(787): is_writable(&p->t[i])
                p->t[i] = 1
                assert bounds: is_null(q) || !overflows(i64, pointer_offset(q) + k)
                assert bounds(125): (u64)pointer_offset(q + k) < object_size(q + k)
                assert bounds(787): object_size(p) >= 4 && (u64)pointer_offset(p) <= object_size(p) - 4
                assert bounds(787): is_writable(p)
                p->n = (i32)q[k]
                assert bounds: same_object(q + 5, q)
                assert bounds(125): (u64)(i32)c < 8
                return (i32)(q + 5 - q + (i64)a[(i32)c])
            }
        "#]],
    );
}

#[test]
fn memory() {
    check(
        &[CheckKind::Bounds, CheckKind::Null, CheckKind::Dangling],
        "struct s { int a; int b : 3; } x; void g(struct s *p, int n) { p->b = n; x = *p; x.a = n; int y = n, *z = &y; *z = 1; }",
        expect![[r#"
            function g(p: *struct s, n: i32) {
            b0:
                assert null: !is_null(p) || (u64)pointer_offset(p) + 4 >= 4096
                assert dangling: is_null(p) || is_alive(p)
                assert bounds(787): (u64)pointer_offset(p) + 4 < object_size(p)
                assert bounds(787): is_writable(p)
                p->b = (i3)n
                assert null: !is_null(p) || (u64)pointer_offset(p) >= 4096
                assert dangling: is_null(p) || is_alive(p)
                assert bounds(125): object_size(p) >= 8 && (u64)pointer_offset(p) <= object_size(p) - 8
                x = *p
                x.a = n
                y = n
                z = &y
                assert null: !is_null(z) || (u64)pointer_offset(z) >= 4096
                assert dangling: is_null(z) || is_alive(z)
                assert bounds(787): object_size(z) >= 4 && (u64)pointer_offset(z) <= object_size(z) - 4
                assert bounds(787): is_writable(z)
                *z = 1
                return
            }
        "#]],
    );
}

#[test]
fn calls_and_jumps() {
    check(
        &[CheckKind::Bounds, CheckKind::Null],
        "void g(void); void f(void (*p)(void), int n) { p(); g(); void *l = &&a; goto *l; a: ; char v[n]; v[0] = 1; }",
        expect![[r#"
            function f(p: *fn(), n: i32) {
                temp #1: u64
                labels b1
            b0:
                assert null: p != null
                assert bounds: is_function(p)
                p()
                g()
                l = &&b1
                assert bounds: l == &&b1
                goto *l
            b1:  // from b0
                #1 = (u64)n
                assert bounds: 1u64 * #1 != 0 && 1u64 * #1 <= 549755813887
                live v size 1u64 * #1
                assert bounds(787): (u64)pointer_offset(&v[0u64] + 0) < object_size(&v[0u64] + 0)
                assert bounds(787): is_writable(&v[0u64] + 0)
                (&v[0u64])[0] = 1
                return
            }

            function g()
        "#]],
    );
}

#[test]
fn free() {
    check(
        &[CheckKind::Free],
        "void free(void *); void f(int *p, void (*end)(void *)) { free(p); free(0); end = free; end(p); }",
        expect![[r#"
            function f(p: *i32, end: *fn(*void)) {
            b0:
                assert free: p == null || is_heap(p)
                assert free(415): p == null || is_alive(p)
                assert free(761): p == null || pointer_offset(p) == 0
                free((*void)p)
                free(null)
                end = &free
                assert free: end != &free || (p == null || is_heap(p))
                assert free(415): end != &free || (p == null || is_alive(p))
                assert free(761): end != &free || (p == null || pointer_offset(p) == 0)
                end((*void)p)
                return
            }

            function free(*void)
        "#]],
    );
}

#[test]
fn leaks() {
    check(
        &[CheckKind::Leak],
        "_Noreturn void exit(int); void f(void) {} int main(int n) { if (n) exit(1); f(); return 0; }",
        expect![[r#"
            function f() {
            b0:
                return
            }

            function main(n: i32) -> i32 {
            b0:
                if n != 0 goto b1 else b2
            b1:  // from b0
                assert leak: heap_is_empty
                exit(1)
                unreachable
            b2:  // from b0
                f()
                assert leak: heap_is_empty
                return 0
            }

            function exit(i32) noreturn
        "#]],
    );
}

#[test]
fn left_shift() {
    let source = "int f(int x, unsigned char c, int d, unsigned u, long l) {\n\
         x = c << 23; x = c << 24; x = 1 << d; x = 1 << (d & 15); x = x << 3; x = x << d; x = (x & 7) << (d & 15); u = u << d; l = l << u;\n\
         return -1 << 1; }";
    check(
        &[CheckKind::SignedOverflow],
        source,
        expect![[r#"
            function f(x: i32, c: u8, d: i32, u: u32, l: i64) -> i32 {
            b0:
                x = (i32)c << 23
                assert overflow: (u32)(i32)c <= 127
                x = (i32)c << 24
                assert overflow: (u32)d < 31
                x = 1 << d
                x = 1 << (d & 15)
                assert overflow: (u32)x <= 268435455
                x = x << 3
                assert overflow: (u32)x <= 2147483647 >> d && (x == 0 || (u32)d < 32)
                x = x << d
                x = (x & 7) << (d & 15)
                u = u << d
                assert overflow: (u64)l <= 9223372036854775807 >> u && (l == 0 || u < 64)
                l = l << u
                assert overflow: (u32)-1 <= 1073741823
                return -1 << 1
            }
        "#]],
    );
    check(
        &[CheckKind::SignedOverflow, CheckKind::Shift],
        source,
        expect![[r#"
            function f(x: i32, c: u8, d: i32, u: u32, l: i64) -> i32 {
            b0:
                x = (i32)c << 23
                assert overflow: (u32)(i32)c <= 127
                x = (i32)c << 24
                assert shift: (u32)d < 32
                assert overflow: (u32)d < 31
                x = 1 << d
                x = 1 << (d & 15)
                assert overflow: (u32)x <= 268435455
                x = x << 3
                assert shift: (u32)d < 32
                assert overflow: (u32)x <= 2147483647 >> d
                x = x << d
                x = (x & 7) << (d & 15)
                assert shift: (u32)d < 32
                u = u << d
                assert shift: u < 64
                assert overflow: (u64)l <= 9223372036854775807 >> u
                l = l << u
                assert overflow: (u32)-1 <= 1073741823
                return -1 << 1
            }
        "#]],
    );
}

#[test]
fn overflow() {
    check(
        &[CheckKind::SignedOverflow],
        "int f(int x, int y, unsigned u, long l) { x = x + 1; x = x * 1 - y; x = -x; x = x / y; x = x % -1; x = x / 3; u = u + 1; l += x; return x++; }",
        expect![[r#"
            function f(x: i32, y: i32, u: u32, l: i64) -> i32 {
                temp #1: i32
            b0:
                assert overflow: !overflows(i32, x + 1)
                x = x + 1
                assert overflow(191): !overflows(i32, (x * 1) - y)
                x = x * 1 - y
                assert overflow: x != -2147483648
                x = -x
                assert overflow: x != -2147483648 || y != -1
                x = x / y
                assert overflow: x != -2147483648
                x = x % -1
                x = x / 3
                u = u + 1
                assert overflow: !overflows(i64, l + (i64)x)
                l = l + (i64)x
                #1 = x
                assert overflow: !overflows(i32, #1 + 1)
                x = #1 + 1
                return #1
            }
        "#]],
    );
}

#[test]
fn unsigned_overflow() {
    check(
        &[CheckKind::UnsignedOverflow],
        "unsigned f(int x, unsigned u) { x = x + 1; return u * 2 - x; }",
        expect![[r#"
        function f(x: i32, u: u32) -> u32 {
        b0:
            x = x + 1
            assert unsigned-overflow: !overflows(u32, u * 2u32)
            assert unsigned-overflow(191): !overflows(u32, (u * 2) - (u32)x)
            return u * 2 - (u32)x
        }
    "#]],
    );
}

#[test]
fn division() {
    check(
        &[CheckKind::Division],
        "int f(int x, int y, double d) { return x / y + x % 3 + (int)(1 / d) + x % (y / x); }",
        expect![[r#"
            function f(x: i32, y: i32, d: f64) -> i32 {
            b0:
                assert division: y != 0
                assert division: x != 0
                assert division: y / x != 0
                return x / y + x % 3 + (i32)(1.0 / d) + x % (y / x)
            }
        "#]],
    );
}

#[test]
fn shift() {
    check(
        &[CheckKind::Shift],
        "int f(int x, long y) { return x << y | x >> 3 | 1 << x | __builtin_clz(x); }",
        expect![[r#"
            function f(x: i32, y: i64) -> i32 {
            b0:
                assert shift: (u64)y < 32
                assert shift: (u32)x < 32
                assert shift: (u32)x != 0
                return (x << y) | (x >> 3) | (1 << x) | leading_zeros((u32)x)
            }
        "#]],
    );
}

#[test]
fn conversion() {
    check(
        &[CheckKind::Conversion],
        "long f(double d, float g, long double e) { return (int)d + (unsigned)g + (long)d + (unsigned long)e + (int)2.5 + (char)(int)e; }",
        expect![[r#"
            function f(d: f64, g: f32, e: x87) -> i64 {
            b0:
                assert conversion: d > -2147483649.0 && d < 2147483648.0
                assert conversion: g > -1.0 && g < 4294967300.0
                assert conversion: d >= -9.223372036854776e18 && d < 9.223372036854776e18
                assert conversion: e > x87(0xbfff8000000000000000) && e < x87(0x403f8000000000000000)
                assert conversion: e > x87(0xc01e8000000100000000) && e < x87(0x401e8000000000000000)
                return (i64)((u64)((i64)((u32)(i32)d + (u32)g) + (i64)d) + (u64)e + (u64)(i32)2.5 + (u64)(i8)(i32)e)
            }
        "#]],
    );
}

#[test]
fn float() {
    check(
        &[CheckKind::Float],
        "double f(double d, float g) { d = d / g; d = -d; return d < 1; }",
        expect![[r#"
        function f(d: f64, g: f32) -> f64 {
        b0:
            assert float: !(is_nan(d / (f64)g) || is_infinite(d / (f64)g))
            d = d / (f64)g
            d = -d
            return (f64)(i32)(d < 1.0)
        }
    "#]],
    );
}

#[test]
fn uninitialised() {
    check(
        &[CheckKind::Uninitialised],
        "struct s { int a; } t; int h(int n) { if (n) return 1; }\n\
         int f(int n, int *p) { int x, y = n; if (n) x = 1; struct s s; s = t; { int z; y += z; z = 1; y += z; } return x + y + *p + s.a + h(n); }",
        expect![[r#"
            function h(n: i32) -> i32 {
            b0:
                if n != 0 goto b1 else b2
            b1:  // from b0
                return 1
            b2:  // from b0
                return
            }

            function f(n: i32, p: *i32) -> i32 {
                temp #1: i32
                temp #2: i32
            b0:
                y = n
                if n != 0 goto b1 else b2
            b1:  // from b0
                x = 1
                goto b2
            b2:  // from b0, b1
                s = t
                live z
                assert uninit: is_initialised(z)
                y = y + z
                z = 1
                y = y + z
                dead z
                assert uninit: is_initialised(x)
                assert uninit: is_initialised(*p)
                assert uninit: is_initialised(s.a)
                #1 = x + y + *p + s.a
                #2 = h(n)
                assert uninit: is_initialised(#2)
                return #1 + #2
            }
        "#]],
    );
}

#[test]
fn assertions() {
    check(
        &[CheckKind::Assertion],
        "void reach_error(void) {} void __VERIFIER_assert(int); void __VERIFIER_error(void); _Noreturn void __assert_fail(const char *);\n\
         void __loopfrog_assert(_Bool, const char *);\n\
         void f(int n) { __VERIFIER_assert(n); if (n < 1) reach_error(); else if (n < 2) __VERIFIER_error(); else if (n < 3) __assert_fail(\"n\");\n\
         __loopfrog_assert(n > 3, \"assert: n\"); __loopfrog_assert(n > 3, \"bounds: n\"); }",
        expect![[r#"
            function reach_error() {
            b0:
                return
            }

            function f(n: i32) {
            b0:
                assert assert: n != 0
                if n < 1 goto b1 else b2
            b1:  // from b0
                assert assert: false
                reach_error()
                goto b8
            b2:  // from b0
                if n < 2 goto b3 else b4
            b3:  // from b2
                assert assert: false
                assume false
                goto b7
            b4:  // from b2
                if n < 3 goto b5 else b6
            b5:  // from b4
                assert assert: false
                assume false
                unreachable
            b6:  // from b4
                goto b7
            b7:  // from b3, b6
                goto b8
            b8:  // from b1, b7
                assert assert: n > 3
                return
            }

            function __VERIFIER_assert(i32)
            function __VERIFIER_error()
            function __assert_fail(*i8) noreturn
            function __loopfrog_assert(bool, *i8)
        "#]],
    );
}

#[test]
fn unreachable() {
    check(
        &[CheckKind::Unreachable],
        "_Noreturn void abort(void); _Noreturn void g(void) {} void f(int n) { if (n) __builtin_unreachable(); if (n > 1) abort(); g(); }",
        expect![[r#"
            function g() noreturn {
            b0:
                return
            }

            function f(n: i32) {
            b0:
                if n != 0 goto b1 else b2
            b1:  // from b0
                assert unreachable: false
                unreachable
            b2:  // from b0
                if n > 1 goto b3 else b4
            b3:  // from b2
                abort()
                unreachable
            b4:  // from b2
                g()
                assert unreachable: false
                unreachable
            }

            function abort() noreturn
        "#]],
    );
}

#[test]
fn left_shifts_are_none_of_them_if_so_wished() {
    let mut program = translate("int f(int x, int d) { return (x << d) + 1; }");
    instrument_but_left_shifts(&mut program, &[CheckKind::SignedOverflow, CheckKind::Shift]);
    let text = model::text::program(&program, model::text::Spans::None);
    let assertions: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with("assert")).collect();
    assert_eq!(assertions, ["assert shift: (u32)d < 32", "assert overflow: !overflows(i32, (x << d) + 1)"]);
}

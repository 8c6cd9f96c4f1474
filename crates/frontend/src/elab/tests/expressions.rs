//! Values: conversions, order of evaluation, assignments.

use expect_test::expect;

use super::{check, check_32};

#[test]
fn compound_assignment_converts_narrow_types() {
    check(
        r#"
        unsigned char c;
        short s;
        float f;
        void g(void) { c += 300; s *= c; c <<= 2; f += 1; s /= f; }
        "#,
        expect![[r#"
            global c: u8 = zero
            global s: i16 = zero
            global f: f32 = zero

            function g() {
            b0:
                c = (u8)((i32)c + 300)
                s = (i16)((i32)s * (i32)c)
                c = (u8)((i32)c << 2)
                f = f + 1.0
                s = (i16)((f32)s / f)
                return
            }
        "#]],
    );
}

#[test]
fn compound_assignment_and_increment_of_bit_fields() {
    check(
        r#"
        struct s { int a : 3; unsigned b : 5; _Bool t : 1; unsigned long long w : 40; } x;
        int f(void) { x.a += 5; x.b++; x.t = 4; x.w <<= 3; return (x.a = 9) + x.b--; }
        "#,
        expect![[r#"
            struct s size 8 align 8 {
                a: i3 at 0 bit 0
                b: u5 at 0 bit 3
                t: bool at 1 bit 0
                w: u40 at 1 bit 1
            }

            global x: struct s = zero

            function f() -> i32 {
                temp #1: i32
            b0:
                x.a = (i3)((i32)x.a + 5)
                x.b = (u5)(u32)((i32)x.b + 1)
                x.t = true
                x.w = (u40)(u64)(x.w << 3)
                x.a = 1
                #1 = (i32)x.b
                x.b = (u5)(u32)(#1 - 1)
                return 1 + #1
            }
        "#]],
    );
}

#[test]
fn operands_are_evaluated_from_left_to_right() {
    check(
        r#"
        int f(void);
        int a[10], i, x;
        void g(void) { a[i++] += f(); x = x + f(); a[i] = i++; a[f()] = a[i] - f(); }
        "#,
        expect![[r#"
            global a: [10]i32 = zero
            global i: i32 = zero
            global x: i32 = zero

            function g() {
                temp #1: i32
                temp #2: i32
                temp #3: i32
                temp #4: i32
                temp #5: i32
                temp #6: i32
                temp #7: i32
                temp #8: i32
                temp #9: i32
            b0:
                #1 = i
                i = #1 + 1
                #2 = f()
                a[#1] = a[#1] + #2
                #3 = x
                #4 = f()
                x = #3 + #4
                #5 = i
                #6 = i
                i = #6 + 1
                a[#5] = #6
                #7 = f()
                #8 = a[i]
                #9 = f()
                a[#7] = #8 - #9
                return
            }

            function f() -> i32
        "#]],
    );
}

#[test]
fn arguments_are_fixed_before_later_effects() {
    check(
        r#"
        int h(int, int, int);
        int x;
        int g(void) { return h(x, x++, x); }
        "#,
        expect![[r#"
            global x: i32 = zero

            function g() -> i32 {
                temp #1: i32
                temp #2: i32
                temp #3: i32
            b0:
                #1 = x
                #2 = x
                x = #2 + 1
                #3 = h(#1, #2, x)
                return #3
            }

            function h(i32, i32, i32) -> i32
        "#]],
    );
}

#[test]
fn comma_and_nested_conditionals() {
    check(
        r#"
        int f(int a, int b, int c) { return a ? b ? (a++, b) : c : (b = 2, b + c); }
        "#,
        expect![[r#"
            function f(a: i32, b: i32, c: i32) -> i32 {
                temp #1: i32
                temp #2: i32
            b0:
                if a != 0 goto b1 else b5
            b1:  // from b0
                if b != 0 goto b2 else b3
            b2:  // from b1
                a = a + 1
                #1 = b
                goto b4
            b3:  // from b1
                #1 = c
                goto b4
            b4:  // from b2, b3
                #2 = #1
                goto b6
            b5:  // from b0
                b = 2
                #2 = b + c
                goto b6
            b6:  // from b4, b5
                return #2
            }
        "#]],
    );
}

#[test]
fn logical_operators_with_effects_in_values() {
    check(
        r#"
        int f(int *p, int n) { int r = p && n++ > 2 || !n--; return r + (n && 1); }
        "#,
        expect![[r#"
            function f(p: *i32, n: i32) -> i32 {
                local r: i32
                temp #1: bool
                temp #2: i32
                temp #3: i32
                temp #4: i32
                temp #5: bool
            b0:
                if p != null goto b1 else b2
            b1:  // from b0
                #2 = n
                n = #2 + 1
                if #2 > 2 goto b4 else b2
            b2:  // from b0, b1
                #3 = n
                n = #3 - 1
                if #3 != 0 goto b3 else b4
            b3:  // from b2
                #1 = false
                goto b5
            b4:  // from b1, b2
                #1 = true
                goto b5
            b5:  // from b3, b4
                #4 = (i32)#1
                r = #4
                if n != 0 goto b6 else b7
            b6:  // from b5
                #5 = true
                goto b8
            b7:  // from b5
                #5 = false
                goto b8
            b8:  // from b6, b7
                return r + (i32)#5
            }
        "#]],
    );
}

#[test]
fn signed_and_unsigned_meet() {
    check(
        r#"
        int f(int i, unsigned u, long l, unsigned short s) { return (i < u) + (l < u) + (s < i) + (-1 < sizeof i) + (u >> i); }
        "#,
        expect![[r#"
            function f(i: i32, u: u32, l: i64, s: u16) -> i32 {
            b0:
                return (i32)((u32)((i32)((u32)i < u) + (i32)(l < (i64)u) + (i32)((i32)s < i) + 0) + (u >> i))
            }
        "#]],
    );
}

#[test]
fn long_is_narrow_on_32_bits() {
    check_32(
        r#"
        int f(long l, unsigned u, long long w) { return (l < u) + (w < u); }
        "#,
        expect![[r#"
            function f(l: i32, u: u32, w: i64) -> i32 {
            b0:
                return (i32)((u32)l < u) + (i32)(w < (i64)u)
            }
        "#]],
    );
}

#[test]
fn bool_conversions() {
    check(
        r#"
        _Bool f(int i, double d, void *p, _Bool b) { b = i; b += 2; b++; b = d; b--; b = (_Bool)p; return b == 2; }
        "#,
        expect![[r#"
            function f(i: i32, d: f64, p: *void, b: bool) -> bool {
            b0:
                b = i != 0
                b = (i32)b + 2 != 0
                b = true
                b = d != 0.0
                b = !b
                b = p != null
                return (i32)b == 2
            }
        "#]],
    );
}

#[test]
fn gnu_conditional_evaluates_once() {
    check(
        r#"
        int g(void);
        int f(int *p) { return g() ?: *p; }
        "#,
        expect![[r#"
            function f(p: *i32) -> i32 {
                temp #1: i32
                temp #2: i32
            b0:
                #1 = g()
                if #1 != 0 goto b1 else b2
            b1:  // from b0
                #2 = #1
                goto b3
            b2:  // from b0
                #2 = *p
                goto b3
            b3:  // from b1, b2
                return #2
            }

            function g() -> i32
        "#]],
    );
}

#[test]
fn wide_types() {
    check(
        r#"
        __int128 f(__int128 a, unsigned __int128 b) { return a * 3 + (b >> 100); }
        long double g(long double x, int i) { return x / i + 0.5L; }
        "#,
        expect![[r#"
            function f(a: i128, b: u128) -> i128 {
            b0:
                return (i128)((u128)(a * 3) + (b >> 100))
            }

            function g(x: x87, i: i32) -> x87 {
            b0:
                return x / (x87)i + x87(0x3ffe8000000000000000)
            }
        "#]],
    );
}

#[test]
fn enumerations_wider_than_int() {
    check(
        r#"
        enum big { A = 1, B = 0x123456789 };
        enum minus { M = -1, N = 0x80000000 };
        long f(enum big e, enum minus m) { return (e == B) + A + m + N; }
        "#,
        expect![[r#"
            function f(e: u64, m: i64) -> i64 {
            b0:
                return (i64)((i32)(e == 4886718345) + 1) + m + 2147483648
            }
        "#]],
    );
}

#[test]
fn generic_selection_and_types() {
    check(
        r#"
        int f(char c, const int *p) {
          __auto_type q = p;
          typeof(c + 1) w = _Generic(c + 0, char: 1, int: 2, default: 3);
          return w + _Generic(q, int *: 10, const int *: 20) + _Generic("a", char *: 100, default: 200) + *q;
        }
        "#,
        expect![[r#"
            static const global `.string.1`: [2]i8 = i8 97

            function f(c: i8, p: *i32) -> i32 {
                local q: *i32
                local w: i32
            b0:
                q = p
                w = 2
                return w + 20 + 100 + *q
            }
        "#]],
    );
}

#[test]
fn overflow_builtins() {
    check(
        r#"
        _Bool f(int a, unsigned char b, short *r) { return __builtin_mul_overflow(a, b, r) || __builtin_add_overflow_p(a, b, (char)0); }
        "#,
        expect![[r#"
            function f(a: i32, b: u8, r: *i16) -> bool {
                temp #1: bool
                temp #2: i32
                temp #3: u8
                temp #4: bool
                temp #5: i32
                temp #6: u8
                temp #7: bool
            b0:
                #2 = a
                #3 = b
                #4 = overflows(i16, #2 * #3)
                *r = (i16)((u16)#2 * (u16)#3)
                if #4 goto b2 else b1
            b1:  // from b0
                #5 = a
                #6 = b
                #7 = overflows(i8, #5 + #6)
                if #7 goto b2 else b3
            b2:  // from b0, b1
                #1 = true
                goto b4
            b3:  // from b1
                #1 = false
                goto b4
            b4:  // from b2, b3
                return #1
            }
        "#]],
    );
}

#[test]
fn atomic_increment() {
    check(
        r#"
        _Atomic int n;
        int f(void) { n++; n += 2; return __atomic_fetch_add(&n, 3, 5) + __sync_bool_compare_and_swap(&n, 1, 2); }
        "#,
        expect![[r#"
            global n: i32 = zero

            function f() -> i32 {
                temp #1: *i32
                temp #2: i32
                temp #3: i32
                temp #4: *i32
                temp #5: i32
                temp #6: bool
            b0:
                n = n + 1
                n = n + 2
                #1 = &n
                #2 = *#1
                #3 = (i32)((u32)#2 + 3)
                *#1 = #3
                #4 = &n
                #5 = *#4
                #6 = #5 == 1
                if #6 goto b1 else b2
            b1:  // from b0
                *#4 = 2
                goto b3
            b2:  // from b0
                goto b3
            b3:  // from b1, b2
                return #2 + (i32)#6
            }
        "#]],
    );
}

#[test]
fn undefined_constants_stay_visible() {
    check(
        r#"
        int f(void) { return 1 / 0 + (2147483647 + 1) + (1 << 40) + (1 << 31) + (-1 << 1) + (1 << 30) + 6 / 3; }
        "#,
        expect![[r#"
            function f() -> i32 {
            b0:
                return 1 / 0 + (2147483647 + 1) + (1 << 40) + (1 << 31) + (-1 << 1) + 1073741824 + 2
            }
        "#]],
    );
}

#[test]
fn bit_fields_have_their_own_width_for_overflow() {
    check(
        r#"
        struct s { unsigned u : 3; } x;
        _Bool f(int a) { return __builtin_add_overflow_p(a, 1, x.u); }
        "#,
        expect![[r#"
            struct s size 4 align 4 {
                u: u3 at 0 bit 0
            }

            global x: struct s = zero

            function f(a: i32) -> bool {
                temp #1: i32
                temp #2: bool
            b0:
                #1 = a
                #2 = overflows(u3, #1 + 1)
                return #2
            }
        "#]],
    );
}

#[test]
fn function_names_are_no_string_literals() {
    check(
        r#"
        int main(void) { return __func__ == "main" || __func__ == __FUNCTION__; }
        "#,
        expect![[r#"
            static const global `.func.1`: [5]i8 = "main"
            static const global `.string.2`: [5]i8 = "main"

            function main() -> i32 {
                temp #1: bool
            b0:
                if &`.func.1`[0u64] == &`.string.2`[0u64] goto b2 else b1
            b1:  // from b0
                if &`.func.1`[0u64] == &`.func.1`[0u64] goto b2 else b3
            b2:  // from b0, b1
                #1 = true
                goto b4
            b3:  // from b1
                #1 = false
                goto b4
            b4:  // from b2, b3
                return (i32)#1
            }
        "#]],
    );
}

//! Statements: branches, loops, switches and jumps.

use expect_test::expect;

use super::check;

#[test]
fn loops() {
    check(
        r#"
        int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; s += i; } do s--; while (s > 10 && n--); while (1) if (s++) break; return s; }
        "#,
        expect![[r#"
            function f(n: i32) -> i32 {
                local s: i32
                local i: i32
                temp #1: i32
                temp #2: i32
                for b1
                do b7
                while b10
            b0:
                s = 0
                live i
                i = 0
                goto b1
            b1:  // from b0, b5
                if i < n goto b2 else b6
            b2:  // from b1
                if i == 3 goto b3 else b4
            b3:  // from b2
                goto b5
            b4:  // from b2
                s = s + i
                goto b5
            b5:  // from b3, b4
                i = i + 1
                goto b1
            b6:  // from b1
                dead i
                goto b7
            b7:  // from b6, b8
                s = s - 1
                if s > 10 goto b8 else b9
            b8:  // from b7
                #1 = n
                n = #1 - 1
                if #1 != 0 goto b7 else b9
            b9:  // from b7, b8
                goto b10
            b10:  // from b9, b12
                #2 = s
                s = #2 + 1
                if #2 != 0 goto b11 else b12
            b11:  // from b10
                return s
            b12:  // from b10
                goto b10
            }
        "#]],
    );
}

#[test]
fn switch_with_fallthrough_ranges_and_declarations() {
    check(
        r#"
        int f(unsigned char c) {
          int r = 0;
          switch (c) {
            int d;
          case 1: d = 5; r = d;
          case 'a' ... 'z': r++; break;
          default: { int e = c; case 200: e = 3; r = e; }
          }
          return r;
        }
        "#,
        expect![[r#"
            function f(c: u8) -> i32 {
                local r: i32
                local d: i32
                local e: i32
            b0:
                r = 0
                switch (i32)c {
                    case 1: b2
                    case 97 ... 122: b3
                    case 200: b5
                    default: b1
                }
            b1:  // from b0
                live d
                live e
                e = (i32)c
                goto b6
            b2:  // from b0
                live d
                d = 5
                r = d
                goto b4
            b3:  // from b0
                live d
                goto b4
            b4:  // from b2, b3
                r = r + 1
                dead d
                goto b7
            b5:  // from b0
                live d
                live e
                goto b6
            b6:  // from b1, b5
                e = 3
                r = e
                dead e
                dead d
                goto b7
            b7:  // from b4, b6
                return r
            }
        "#]],
    );
}

#[test]
fn switch_without_default_and_on_wide_types() {
    check(
        r#"
        int f(long l, int i) { switch (l) { case -1L: return 1; case 0x100000000: return 2; } switch (i) { case 4294967295u: i = 9; } return i; }
        "#,
        expect![[r#"
            function f(l: i64, i: i32) -> i32 {
            b0:
                switch l {
                    case -1: b4
                    case 4294967296: b5
                    default: b1
                }
            b1:  // from b0
                switch i {
                    case -1: b2
                    default: b3
                }
            b2:  // from b1
                i = 9
                goto b3
            b3:  // from b1, b2
                return i
            b4:  // from b0
                return 1
            b5:  // from b0
                return 2
            }
        "#]],
    );
}

#[test]
fn computed_goto() {
    check(
        r#"
        int f(int i) {
          static void *table[] = { &&a, &&b };
          static const int distance[] = { &&b - &&a };
          goto *table[i];
        a: return 1;
        b: return 2 + distance[0];
        }
        "#,
        expect![[r#"
            static global `f.table`: [2]*void = {
                0: &&b1 of f
                8: &&b2 of f
            }
            static const global `f.distance`: [1]i32 = &&b2 - &&b1 of f in 4

            function f(i: i32) -> i32 {
                labels b1, b2
            b0:
                goto *`f.table`[i]
            b1:  // from b0
                return 1
            b2:  // from b0
                return 2 + `f.distance`[0]
            }
        "#]],
    );
}

#[test]
fn statement_expressions() {
    check(
        r#"
        int f(int a) { int r = ({ int t = a * 2; if (a) t++; t; }) + a; ({ a = 1; }); return r; }
        "#,
        expect![[r#"
            function f(a: i32) -> i32 {
                local r: i32
                local t: i32
                temp #1: i32
                temp #2: i32
            b0:
                live t
                t = a * 2
                if a != 0 goto b1 else b2
            b1:  // from b0
                t = t + 1
                goto b2
            b2:  // from b0, b1
                #1 = t
                dead t
                #2 = #1 + a
                r = #2
                a = 1
                return r
            }
        "#]],
    );
}

#[test]
fn noreturn_calls_and_unreachable() {
    check(
        r#"
        _Noreturn void die(void);
        int f(int a) { if (a) die(); if (a > 3) __builtin_unreachable(); return a; }
        "#,
        expect![[r#"
            function f(a: i32) -> i32 {
            b0:
                if a != 0 goto b1 else b2
            b1:  // from b0
                die()
                unreachable
            b2:  // from b0
                if a > 3 goto b3 else b4
            b3:  // from b2
                unreachable
            b4:  // from b2
                return a
            }

            function die() noreturn
        "#]],
    );
}

#[test]
fn constant_conditions_leave_no_branch() {
    check(
        r#"
        int g(void);
        int f(int a) { if (0 && g()) a = 1; if (sizeof(int) == 4) a += 2; while (0) g(); return 1 ? a : g(); }
        "#,
        expect![[r#"
            function f(a: i32) -> i32 {
                while b1
            b0:
                a = a + 2
                goto b1
            b1:  // from b0
                return a
            }

            function g() -> i32
        "#]],
    );
}

#[test]
fn assembly() {
    check(
        r#"
        int f(int x) { __asm__("" : "+r"(x)); __asm__ volatile("nop"); return x; }
        int g(int x) { __asm__ goto("jmp %l0" : : : : out); x = 1; out: return x; }
        __asm__(".globl z");
        "#,
        expect![[r#"
            assembly

            function f(x: i32) -> i32 {
            b0:
                unsupported "assembly `nop` is not modelled"
                return x
            }

            function g(x: i32) -> i32 {
            b0:
                unsupported "assembly `jmp %l0` is not modelled"
                x = 1
                return x
            }
        "#]],
    );
}

#[test]
fn what_is_not_modelled_is_a_gap() {
    check(
        r#"
        int h(int n) { struct { int a[n]; } s; return __builtin_printf("", s); }
        void i(void) { void *b[5]; if (__builtin_setjmp(b)) return; __builtin_longjmp(b, 1); }
        int j(void) { _Decimal64 d = 1.5dd; return d > 1; }
        int k(void) { return 0; }
        "#,
        expect![[r#"
            static const global `.string.1`: [1]i8 = zero

            function h(n: i32) -> i32 {
            b0:
                unsupported "passing a structure with a variable-length member is not supported"
                unreachable
            }

            function printf(*i8, ...) -> i32

            function i() {
                local b: [5]*void
                temp #1: i32
            b0:
                #1 = setjmp((*void)&b[0u64])
                if #1 != 0 goto b1 else b2
            b1:  // from b0
                return
            b2:  // from b0
                longjmp((*void)&b[0u64], 1)
                unreachable
            }

            function setjmp(*void) -> i32
            function longjmp(*void, i32) noreturn

            function j() -> i32 {
            b0:
                unsupported "decimal floating point is not supported"
                unreachable
            }

            function k() -> i32 {
            b0:
                return 0
            }
        "#]],
    );
}

#[test]
fn a_selection_is_a_scope() {
    check(
        r#"
        struct s { char c; };
        int f(void) { if (sizeof(struct s { int a[2]; }) == 8) return sizeof(struct s); return sizeof(struct s); }
        "#,
        expect![[r#"
            function f() -> i32 {
            b0:
                return 8
            }
        "#]],
    );
}

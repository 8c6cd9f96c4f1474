//! Views of loops.

use super::view;
use expect_test::{Expect, expect};

fn check(code: &str, expected: Expect) {
    expected.assert_eq(&view(code));
}

#[test]
fn counter_and_buffers() {
    check(
        "void f(char *dst, const char *src, unsigned n) {
            unsigned i;
            for (i = 0; i < n && src[i] != 0; i++) dst[i] = src[i];
        }",
        expect![[r#"
            variable i: Integer { bits: 32, signed: false } changed index compared exit; entry 0; += 1; step 1
            variable n: Integer { bits: 32, signed: false } compared exit
            variable src: Pointer { element: 1 } compared
            variable dst: Pointer { element: 1 } compared
            access src by 1*value(i) + 0 of 1 bytes
            access dst by 1*value(i) + 0 of 1 bytes
            Exit i < n: -1*value(n) + 1*value(i) + 0 < 0
            Exit (i32)src[i] != 0
            Check (u64)pointer_offset(src + i) < object_size(src + i): 1*offset(src) + -1*size(src) + 1*value(i) + 0 < 0
            Check (u64)pointer_offset(dst + i) < object_size(dst + i): 1*offset(dst) + -1*size(dst) + 1*value(i) + 0 < 0
            pair i n [0]
            pair i src []
            pair i dst []
            balance 1*i moves by 1
        "#]],
    );
}

#[test]
fn array_with_neighbours() {
    check(
        "int f(void) {
            int a[10], i, n = 9, c = 0;
            for (i = 0; i < n; i++) { int k = i + 1; if (a[k] < a[i]) c += 2; }
            return c;
        }",
        expect![[r#"
            variable i: Integer { bits: 32, signed: true } changed index compared exit; entry 0; constants [8, 9, 10, 11]; += 1; step 1
            variable c: Integer { bits: 32, signed: true } changed; entry 0; += 2
            access array of 10 by 1*value(i) + 1 of 4 bytes
            access array of 10 by 1*value(i) + 0 of 4 bytes
            Exit i < n: 1*value(i) + -9 < 0
            Check (u64)k < 10 (not at the head): 1*value(i) + -9 < 0
            Check (u64)i < 10: 1*value(i) + -10 < 0
            balance 1*i moves by 1
            drift 1*c + -2*i does not rise
        "#]],
    );
}

#[test]
fn fields_and_globals() {
    check(
        "int nondet(void);
        struct S { int len, cap; char *buf; };
        int g;
        int f(struct S *s) {
            int t = 0; char *p = s->buf;
            while (s->len < s->cap) { *p++ = 'a'; s->len++; t += 2; g++; if (nondet() == 3) break; }
            return t;
        }",
        expect![[r#"
            variable s->len: Integer { bits: 32, signed: true } changed compared exit; += 1; step 1
            variable s->cap: Integer { bits: 32, signed: true } changed compared exit
            variable p: Pointer { element: 1 } changed compared; += 1; step 1
            variable t: Integer { bits: 32, signed: true } changed; entry 0; += 2; step 2
            variable g: Integer { bits: 32, signed: true } changed; += 1; step 1
            variable s: Pointer { element: 16 } 
            access s by 0 of 16 bytes
            access p by 0 of 1 bytes
            Exit s->len < s->cap: 1*value(s->len) + -1*value(s->cap) + 0 < 0
            Check (u64)pointer_offset(#1) < object_size(#1) (not at the head): 1*offset(p) + -1*size(p) + 0 < 0
            pair s->len s->cap [0]
            balance 1*s->len moves by 1
            balance 1*p moves by 1
            balance 1*t moves by 2
            balance 1*g moves by 1
            balance 1*s->len + -1*p moves by 0
            balance 2*s->len + -1*t moves by 0
            balance 1*s->len + -1*g moves by 0
        "#]],
    );
}

#[test]
fn states() {
    check(
        "int nondet(void);
        void reach_error(void);
        int f(void) {
            int state = 0, flag = 0;
            while (1) {
                switch (state) {
                case 0: if (nondet()) { state = 1; flag = 1; } break;
                case 1: state = 2; break;
                default: if (flag == 0) reach_error(); state = 0; flag = 0;
                }
            }
        }",
        expect![[r#"
            variable state: Integer { bits: 32, signed: true } changed compared; entry 0; constants [0, 1, 2]; = 0; = 1; = 2
            variable flag: Integer { bits: 32, signed: true } changed compared; entry 0; constants [-1, 0, 1]; = 0; = 1
            Loop flag == 0: 1*value(flag) + 0 == 0
        "#]],
    );
}

#[test]
fn globals_of_called_functions() {
    check(
        "int nondet(void);
        int mode, count;
        static void step(void) { if (mode == 3) mode = 5; count = count + 1; }
        int f(void) {
            mode = 3;
            while (nondet()) step();
            return count;
        }",
        expect![[r#"
            variable mode: Integer { bits: 32, signed: true } changed compared; constants [2, 3, 4, 5]; = 5
            variable count: Integer { bits: 32, signed: true } changed; += 1
        "#]],
    );
}

#[test]
fn ways_through_the_loop() {
    check(
        "int nondet(void);
        int f(int n) {
            int x = 0, y = 0, i = 0, d = 7;
            while (i < n) { if (nondet()) x++; else { y++; d += 3; } i++; if (i % 4 == 0) d--, d++; }
            if (x + y != n) return 1;
            return 0;
        }",
        expect![[r#"
            variable i: Integer { bits: 32, signed: true } changed compared exit; entry 0; += 1; step 1
            variable x: Integer { bits: 32, signed: true } changed compared; entry 0; += 1
            variable y: Integer { bits: 32, signed: true } changed compared; entry 0; += 1
            variable d: Integer { bits: 32, signed: true } changed; entry 7; += -1; += 1; += 3
            variable n: Integer { bits: 32, signed: true } compared exit
            Exit i < n: -1*value(n) + 1*value(i) + 0 < 0
            Loop i % 4 == 0
            Behind x + y != n: -1*value(n) + 1*value(x) + 1*value(y) + 0 != 0
            pair i n [0]
            pair x n []
            pair y n []
            pair x y []
            balance 1*i moves by 1
            balance 1*x + 1*y moves by 1
            balance 3*x + 1*d moves by 3
            balance 1*i + -1*x + -1*y moves by 0
            balance 3*i + -3*x + -1*d moves by 0
            drift 1*x + -1*i does not rise
            drift 1*y + -1*i does not rise
            drift 1*y + -1*d does not rise
            drift 1*d + -3*i does not rise
            remainder i modulo 4
        "#]],
    );
}

#[test]
fn inner_loop() {
    check(
        "int f(char *p, int n) {
            int i = 0, j, k = 0;
            while (i < n) { for (j = 0; j < 5; j++) { *p++ = 0; k++; } i++; }
            return k;
        }",
        expect![[r#"
            variable i: Integer { bits: 32, signed: true } changed compared exit; entry 0; += 1; step 1
            variable p: Pointer { element: 1 } changed compared; += 1
            variable k: Integer { bits: 32, signed: true } changed; entry 0; += 1
            variable n: Integer { bits: 32, signed: true } compared exit
            access p by 0 of 1 bytes
            Exit i < n: -1*value(n) + 1*value(i) + 0 < 0
            Check (u64)pointer_offset(#1) < object_size(#1) (not at the head): 1*offset(p) + -1*size(p) + 0 < 0
            pair i n [0]
            balance 1*i moves by 1
            balance 1*p + -1*k moves by 0
            drift 1*p + -1*k does not rise
            drift -1*p + 1*k does not rise
        "#]],
    );
}

#[test]
fn filter_and_claim() {
    check(
        "void __VERIFIER_assert(int);
        int f(const char *s, char *d, int n) {
            int i = 0, j = 0, k = 0;
            while (i < n) { if (s[i] != ' ') { d[j++] = s[i]; if (s[i] == 'x') k += 2; } i++; }
            __VERIFIER_assert(j == n || k < 7);
            return k;
        }",
        expect![[r#"
            variable i: Integer { bits: 32, signed: true } changed index compared exit; entry 0; += 1; step 1
            variable j: Integer { bits: 32, signed: true } changed index compared; entry 0; += 1
            variable k: Integer { bits: 32, signed: true } changed compared; entry 0; constants [6, 7, 8]; += 2
            variable n: Integer { bits: 32, signed: true } compared exit
            variable s: Pointer { element: 1 } compared
            variable d: Pointer { element: 1 } compared
            access s by 1*value(i) + 0 of 1 bytes
            access d by 1*value(j) + 0 of 1 bytes
            Exit i < n: -1*value(n) + 1*value(i) + 0 < 0
            Loop (i32)s[i] != 32
            Loop (i32)s[i] == 120
            Behind j == n: -1*value(n) + 1*value(j) + 0 == 0
            Behind k < 7: 1*value(k) + -7 < 0
            Check (u64)pointer_offset(s + i) < object_size(s + i): 1*offset(s) + -1*size(s) + 1*value(i) + 0 < 0
            Check (u64)pointer_offset(#1 + #2) < object_size(#1 + #2) (not at the head): 1*offset(d) + -1*size(d) + 1*value(j) + 0 < 0
            pair i n [0]
            pair j n [0]
            pair i s []
            pair j d []
            balance 1*i moves by 1
            drift 1*j + -1*i does not rise
            drift 1*k + -2*i does not rise
            claim k < 7 || j == n
            claim k < 7 || j == n || i < n
        "#]],
    );
}

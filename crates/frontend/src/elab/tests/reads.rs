//! Reads whose values nobody takes.

use expect_test::expect;

use super::check;

#[test]
fn volatile_reads_are_commands() {
    check(
        r#"
        volatile int v;
        void f(void) { v; v = v + v; }
        "#,
        expect![[r#"
            global v: i32 = zero

            function f() {
                temp #1: i32
            b0:
                #1 = volatile(v)
                volatile(v) = volatile(v) + volatile(v)
                return
            }
        "#]],
    );
}

#[test]
fn values_that_nobody_takes_are_read_behind_pointers_and_indices() {
    check(
        r#"
        struct s { int x, f : 3; int t[2]; } g;
        int g2[2][2];
        void f(int *p, struct s *s, int n, int b[3], void *v, struct open *o) {
            *p; b[n]; (void)s->x; s->f; *s; b[n] + *p; n, *p, n; n ? *p : b[n]; !s->x; g2[b[n]]; __builtin_expect(*p, 1);
            n; g; g.x; g.t; (void)b; &b[n]; &s->x; s->t; *v; sizeof *p; *o; f; n + 1; g2[n];
            n = p && (*p, 1);
        }
        "#,
        expect![[r#"
            struct s size 16 align 4 {
                x: i32 at 0
                f: i3 at 4 bit 0
                t: [2]i32 at 8
            }

            struct open

            global g2: [2][2]i32 = zero
            global g: struct s = zero

            function f(p: *i32, s: *struct s, n: i32, b: *i32, v: *void, o: *struct open) {
                temp #1: i32
                temp #2: i32
                temp #3: i32
                temp #4: i32
                temp #5: struct s
                temp #6: i32
                temp #7: i32
                temp #8: i32
                temp #9: i32
                temp #10: i32
                temp #11: i64
                temp #12: bool
                temp #13: i32
            b0:
                #1 = *p
                #2 = b[n]
                #3 = s->x
                #4 = (i32)s->f
                #5 = *s
                #6 = b[n] + *p
                #7 = *p
                if n != 0 goto b1 else b2
            b1:  // from b0
                #8 = *p
                goto b3
            b2:  // from b0
                #8 = b[n]
                goto b3
            b3:  // from b1, b2
                #9 = (i32)(s->x == 0)
                #10 = b[n]
                #11 = (i64)*p
                if p != null goto b4 else b5
            b4:  // from b3
                #13 = *p
                #12 = true
                goto b6
            b5:  // from b3
                #12 = false
                goto b6
            b6:  // from b4, b5
                n = (i32)#12
                return
            }
        "#]],
    );
}

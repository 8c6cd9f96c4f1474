//! When variables begin and end to live, on every way.

use expect_test::expect;

use super::check;

#[test]
fn blocks_and_loops() {
    check(
        r#"
        int *p;
        void f(int n) { while (n) { int x = n; p = &x; if (x == 2) continue; if (x == 3) break; n--; } }
        "#,
        expect![[r#"
            global p: *i32 = zero

            function f(n: i32) {
                local x: i32
                while b1
            b0:
                goto b1
            b1:  // from b0, b3, b6
                if n != 0 goto b2 else b7
            b2:  // from b1
                live x
                x = n
                p = &x
                if x == 2 goto b3 else b4
            b3:  // from b2
                dead x
                goto b1
            b4:  // from b2
                if x == 3 goto b5 else b6
            b5:  // from b4
                dead x
                goto b7
            b6:  // from b4
                n = n - 1
                dead x
                goto b1
            b7:  // from b1, b5
                return
            }
        "#]],
    );
}

#[test]
fn goto_into_and_out_of_blocks() {
    check(
        r#"
        int f(int n) {
          if (n) goto in;
          { int a = 1; { int b; in: b = n; n = b; if (n > 5) goto out; } n += a; }
        out:
          return n;
        }
        "#,
        expect![[r#"
            function f(n: i32) -> i32 {
                local a: i32
                local b: i32
            b0:
                if n != 0 goto b1 else b2
            b1:  // from b0
                live a
                live b
                goto b3
            b2:  // from b0
                live a
                a = 1
                live b
                goto b3
            b3:  // from b1, b2
                b = n
                n = b
                if n > 5 goto b4 else b5
            b4:  // from b3
                dead b
                dead a
                goto b6
            b5:  // from b3
                dead b
                n = n + a
                dead a
                goto b6
            b6:  // from b4, b5
                return n
            }
        "#]],
    );
}

#[test]
fn return_from_inner_blocks() {
    check(
        r#"
        int f(int n) { { int a = n; { int b = a; if (b) return b; } } return 0; }
        "#,
        expect![[r#"
            function f(n: i32) -> i32 {
                local a: i32
                local b: i32
            b0:
                live a
                a = n
                live b
                b = a
                if b != 0 goto b1 else b2
            b1:  // from b0
                return b
            b2:  // from b0
                dead b
                dead a
                return 0
            }
        "#]],
    );
}

#[test]
fn variable_length_arrays_in_loops() {
    check(
        r#"
        void g(int *);
        void f(int n) { for (int i = 1; i < n; i++) { int a[i]; g(a); if (i == 3) break; } }
        "#,
        expect![[r#"
            function f(n: i32) {
                local i: i32
                temp #1: u64
                local a: []i32
                for b1
            b0:
                live i
                i = 1
                goto b1
            b1:  // from b0, b4
                if i < n goto b2 else b5
            b2:  // from b1
                #1 = (u64)i
                live a size 4u64 * #1
                g(&a[0u64])
                if i == 3 goto b3 else b4
            b3:  // from b2
                dead a
                goto b5
            b4:  // from b2
                dead a
                i = i + 1
                goto b1
            b5:  // from b1, b3
                dead i
                return
            }

            function g(*i32)
        "#]],
    );
}

#[test]
fn cleanup() {
    check(
        r#"
        void close(int *);
        int f(int n) { __attribute__((cleanup(close))) int a = n; { int b __attribute__((cleanup(close))) = 2; if (n) return a; if (n > 2) goto out; } out: return 3; }
        "#,
        expect![[r#"
            function f(n: i32) -> i32 {
                local a: i32
                local b: i32
                temp #1: i32
            b0:
                a = n
                live b
                b = 2
                if n != 0 goto b1 else b2
            b1:  // from b0
                #1 = a
                close(&b)
                close(&a)
                return #1
            b2:  // from b0
                if n > 2 goto b3 else b4
            b3:  // from b2
                close(&b)
                dead b
                goto b5
            b4:  // from b2
                close(&b)
                dead b
                goto b5
            b5:  // from b3, b4
                close(&a)
                return 3
            }

            function close(*i32)
        "#]],
    );
}

#[test]
fn switch_into_blocks() {
    check(
        r#"
        void f(int n) { switch (n) { case 0: { int a; case 1: a = 1; break; } default: { int b = 2; n = b; } } }
        "#,
        expect![[r#"
            function f(n: i32) {
                local a: i32
                local b: i32
            b0:
                switch n {
                    case 0: b2
                    case 1: b3
                    default: b1
                }
            b1:  // from b0
                live b
                b = 2
                n = b
                dead b
                goto b5
            b2:  // from b0
                live a
                goto b4
            b3:  // from b0
                live a
                goto b4
            b4:  // from b2, b3
                a = 1
                dead a
                goto b5
            b5:  // from b1, b4
                return
            }
        "#]],
    );
}

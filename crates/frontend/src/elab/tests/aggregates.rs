//! Structures, unions and initialisers.

use expect_test::expect;

use super::check;

#[test]
fn structures_are_assigned_passed_and_returned() {
    check(
        r#"
        struct s { int a; char b[3]; };
        struct s f(struct s x, struct s *p) { *p = x; x = f(*p, &x); return f(x, p).a ? x : *p; }
        "#,
        expect![[r#"
            struct s size 8 align 4 {
                a: i32 at 0
                b: [3]i8 at 4
            }

            function f(x: struct s, p: *struct s) -> struct s {
                local #1: struct s
                local #2: struct s
                temp #3: struct s
            b0:
                *p = x
                #1 = f(*p, &x)
                x = #1
                #2 = f(x, p)
                if #2.a != 0 goto b1 else b2
            b1:  // from b0
                #3 = x
                goto b3
            b2:  // from b0
                #3 = *p
                goto b3
            b3:  // from b1, b2
                return #3
            }
        "#]],
    );
}

#[test]
fn bit_fields_packed_and_aligned() {
    check(
        r#"
        struct a { char c; int i; long long l : 33; unsigned : 0; char d : 2; } x;
        struct __attribute__((packed)) b { char c; int i; short s : 9; } y;
        struct c { char c; _Alignas(16) int i; } z;
        union u { int i : 7; double d; } w;
        "#,
        expect![[r#"
            struct a size 24 align 8 {
                c: i8 at 0
                i: i32 at 4
                l: i33 at 8 bit 0
                d: i2 at 16 bit 0
            }

            struct b size 7 align 1 {
                c: i8 at 0
                i: i32 at 1
                s: i9 at 5 bit 0
            }

            struct c size 32 align 16 {
                c: i8 at 0
                i: i32 at 16
            }

            union u size 8 align 8 {
                i: i7 at 0 bit 0
                d: f64 at 0
            }

            global x: struct a = zero
            global y: struct b = zero
            global z: struct c = zero
            global w: union u = zero
        "#]],
    );
}

#[test]
fn automatic_initialisers() {
    check(
        r#"
        struct p { int x, y; };
        void f(int i) {
          struct p a[2] = { { i }, [1].y = 3 };
          int b[] = { 1, [3] = i, 5 };
          char s[] = "ab", t[5] = "xy", u[2] = "zw";
          struct { struct p p; union { int i; float f; }; } n = { 1, 2, .f = 3 };
          int c[4] = {};
        }
        "#,
        expect![[r#"
            struct p size 8 align 4 {
                x: i32 at 0
                y: i32 at 4
            }

            struct #1 size 12 align 4 {
                p: struct p at 0
                #1: union #2 at 8
            }

            union #2 size 4 align 4 {
                i: i32 at 0
                f: f32 at 0
            }

            static const global `.string.1`: [3]i8 = "ab"
            static const global `.string.2`: [5]i8 = "xy"
            static const global `.string.3`: [2]i8 = "zw"

            function f(i: i32) {
                local a: [2]struct p
                local b: [5]i32
                local s: [3]i8
                local t: [5]i8
                local u: [2]i8
                local n: struct #1
                local c: [4]i32
            b0:
                a = zero
                a[0i64].x = i
                a[1i64].y = 3
                b = zero
                b[0i64] = 1
                b[3i64] = i
                b[4i64] = 5
                s = `.string.1`
                t = `.string.2`
                u = `.string.3`
                n = zero
                n.p.x = 1
                n.p.y = 2
                n.#1.f = 3.0
                c = zero
                return
            }
        "#]],
    );
}

#[test]
fn later_initialisers_replace_earlier_ones() {
    check(
        r#"
        struct p { int x, y; };
        struct q { struct p p; int z; };
        void f(struct p v) { struct q a = { .p = v, .p.y = 1 }; struct q b = { .p = { 1, 2 }, .p = { .y = 3 } }; }
        "#,
        expect![[r#"
            struct p size 8 align 4 {
                x: i32 at 0
                y: i32 at 4
            }

            struct q size 12 align 4 {
                p: struct p at 0
                z: i32 at 8
            }

            function f(v: struct p) {
                local a: struct q
                local b: struct q
            b0:
                a = zero
                a.p = v
                a.p = zero
                a.p.y = 1
                b = zero
                b.p.x = 1
                b.p.y = 2
                b.p = zero
                b.p.y = 3
                return
            }
        "#]],
    );
}

#[test]
fn static_initialisers() {
    check(
        r#"
        int x, *p = &x + 3;
        char s[] = "a\0b", *t = "text", *e = "text" + 1;
        struct { char c; unsigned b : 3, d : 5; double f; void (*g)(void); } v = { 'c', 5, 9, 1.5, 0 };
        __typeof__(L'a') w[3] = L"\x3b1";
        static const short table[] = { [2 ... 4] = -1 };
        float _Complex z = 1.0f + 2.0if;
        long address = (long)&p;
        "#,
        expect![[r#"
            struct #1 size 24 align 8 {
                c: i8 at 0
                b: u3 at 1 bit 0
                d: u5 at 1 bit 3
                f: f64 at 8
                g: *fn() at 16
            }

            struct `complex f32` size 8 align 4 {
                real: f32 at 0
                imag: f32 at 4
            }

            global x: i32 = zero
            global p: *i32 = &x + 12
            global s: [4]i8 = "a\0b"
            static const global `.string.1`: [5]i8 = "text"
            global t: *i8 = &`.string.1`
            global e: *i8 = &`.string.1` + 1
            global v: struct #1 = i8 99, hex "4d000000000000", f64 1.5
            global w: [3]i32 = i32 945
            static const global table: [5]i16 = {
                4: i16 -1 -1 -1
            }
            global z: struct `complex f32` = {
                2: hex "803f", f32 2.0
            }
            global address: i64 = &p
        "#]],
    );
}

#[test]
fn flexible_array_members() {
    check(
        r#"
        struct s { int n; char text[]; } x = { 3, "abc" };
        char f(struct s *p) { return p->text[p->n]; }
        "#,
        expect![[r#"
            struct s size 4 align 4 {
                n: i32 at 0
                text: []i8 at 4
            }

            global x: struct s = {
                size 8
                0: i32 3, "abc\0"
            }

            function f(p: *struct s) -> i8 {
            b0:
                return p->text[p->n]
            }
        "#]],
    );
}

#[test]
fn compound_literals_in_loops() {
    check(
        r#"
        struct p { int x; };
        int g(struct p *);
        void f(int n) { while (n--) { struct p *q = &(struct p){ n }; g(q); } if (n) g(&(struct p){ 1 }); }
        int *file_scope = (int[]){ 1, 2 };
        "#,
        expect![[r#"
            struct p size 4 align 4 {
                x: i32 at 0
            }

            static global `.literal.1`: [2]i32 = i32 1 2
            global file_scope: *i32 = &`.literal.1`

            function f(n: i32) {
                temp #1: i32
                local q: *struct p
                local #2: struct p
                temp #3: *struct p
                local #4: struct p
                while b1
            b0:
                goto b1
            b1:  // from b0, b2
                #1 = n
                n = #1 - 1
                if #1 != 0 goto b2 else b3
            b2:  // from b1
                live q
                live #2
                #2 = zero
                #2.x = n
                #3 = &#2
                q = #3
                g(q)
                dead #2
                dead q
                goto b1
            b3:  // from b1
                if n != 0 goto b4 else b5
            b4:  // from b3
                live #4
                #4 = zero
                #4.x = 1
                g(&#4)
                dead #4
                goto b5
            b5:  // from b3, b4
                return
            }

            function g(*struct p) -> i32
        "#]],
    );
}

#[test]
fn transparent_unions_and_casts_to_unions() {
    check(
        r#"
        typedef union { int *i; char *c; } u __attribute__((transparent_union));
        union v { int i; float f; };
        void g(u);
        void f(char *p) { g(p); union v x = (union v)1.5f; }
        "#,
        expect![[r#"
            union #1 size 8 align 8 {
                i: *i32 at 0
                c: *i8 at 0
            }

            union v size 4 align 4 {
                i: i32 at 0
                f: f32 at 0
            }

            function f(p: *i8) {
                local #1: union #1
                local x: union v
                local #2: union v
            b0:
                #1.c = p
                g(#1)
                #2 = zero
                #2.f = 1.5
                x = #2
                return
            }

            function g(union #1)
        "#]],
    );
}

#[test]
fn large_constant_tables_are_copied() {
    check(
        r#"
        int f(int i) { int a[] = { 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32 }; return a[i]; }
        "#,
        expect![[r#"
            static const global `.image.1`: [32]i32 = i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16,
                    i32 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32

            function f(i: i32) -> i32 {
                local a: [32]i32
            b0:
                a = `.image.1`
                return a[i]
            }
        "#]],
    );
}

#[test]
fn anonymous_members() {
    check(
        r#"
        struct s { union { int a; struct { char b, c; }; }; int d; };
        int f(struct s *p) { p->c = 1; return p->a + p->d; }
        "#,
        expect![[r#"
            struct s size 8 align 4 {
                #1: union #1 at 0
                d: i32 at 4
            }

            union #1 size 4 align 4 {
                a: i32 at 0
                #1: struct #2 at 0
            }

            struct #2 size 2 align 1 {
                b: i8 at 0
                c: i8 at 1
            }

            function f(p: *struct s) -> i32 {
            b0:
                p->#1.#1.c = 1
                return p->#1.a + p->d
            }
        "#]],
    );
}

#[test]
fn declared_alignments_are_those_of_the_object_alone() {
    check(
        "int x __attribute__((aligned(1))); int y __attribute__((aligned(64)));
        void f(void) __attribute__((aligned(256)));
        int g(void) { _Alignas(32) int l = 0; return __alignof__(l); }
        int a[] = { __alignof__(x), __alignof__(y), __alignof__(f), sizeof(struct { char c; __typeof__(y) m; }) };",
        expect![[r#"
            global x: i32 = zero
            global y: i32 = zero
            global a: [4]i32 = i32 1 64 256 8

            function g() -> i32 {
                local l: i32
            b0:
                l = 0
                return 32
            }

            function f()
        "#]],
    );
}

#[test]
fn structures_with_variable_members() {
    check(
        r#"
        int f(int n) {
            struct s { char c; int a[n]; short last; } s, *p = &s;
            p->a[1] = s.last;
            return sizeof(struct s) + __builtin_offsetof(struct s, last);
        }
        "#,
        expect![[r#"
            struct s

            function f(n: i32) -> i32 {
                temp #1: u64
                temp #2: u64
                temp #3: u64
                temp #4: u64
                temp #5: u64
                local s: []u32
                local p: *struct s
            b0:
                #1 = (u64)n
                #2 = 4 + 4 * #1
                #3 = (#2 + 1) & 18446744073709551614
                #4 = #3 + 2
                #5 = (#4 + 3) & 18446744073709551612
                live s size #5
                p = (*struct s)&s
                (&(*(*[]i32)((*u8)p + 4u64))[0u64])[1] = (i32)*(*i16)((*u8)&s + #3)
                return (i32)(#5 + (0 + #3))
            }
        "#]],
    );
}

//! C in, points-to sets out.

mod harness;

use expect_test::{Expect, expect};

/// Compares variables, contents of objects and what is known outside.
fn check(text: &str, expected: Expect) {
    let program = harness::program(text);
    let analysis = pointers::analyse(&program);
    let mut out: String = program.functions.ids().map(|id| pointers::print::function(&analysis, id)).collect();
    out.push_str(&pointers::print::objects(&analysis));
    expected.assert_eq(&out);
}

#[test]
fn addresses_and_copies() {
    check(
        "int x, y; int main(void) { int *p = &x; int **q = &p; *q = &y; int *r = *q; return *r; }",
        expect![[r#"
            main
                p -> x, y
                q -> main::p
                r -> x, y
            main::p
                [0; 8] -> x, y
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn fields_are_told_apart() {
    check(
        "struct s { int *a; int n; int *b; } s; int x, y;
         int main(void) { s.a = &x; s.b = &y; struct s *p = &s; int *q = p->a; int *r = p->b; int **t = &p->b; return *q + *r; }",
        expect![[r#"
            main
                p -> s
                q -> x
                r -> y
                t -> s+16
            s
                [0; 8] -> x
                [16; 8] -> y
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn elements_are_not_but_their_fields_are() {
    check(
        "struct s { int *a; int *b; } s[10]; int x, y, z;
         int main(int n) { s[n].a = &x; s[n + 1].b = &y; s[3].a = &z; int *q = s[n].a; int *r = s[n].b; int *t = s[2].a; return *q + *r; }",
        expect![[r#"
            main
                q -> x, z
                r -> y
                t -> x
            s
                [0..144 by 16; 8] -> x
                [8..152 by 16; 8] -> y
                [48; 8] -> z
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn an_index_stays_in_its_array() {
    check(
        "struct s { char name[8]; int *p; } s[4]; int x;
         int main(int n, char **v) { s[n].p = &x; s[n].name[n] = v[1][0]; char c = s[n].name[n]; int *q = s[n].p; return c; }",
        expect![[r#"
            main
                v -> arguments
                q -> x
            s
                [8..56 by 16; 8] -> x
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn a_pointer_may_go_all_over_its_object() {
    check(
        "int a[10], b[4]; int main(int n) { int *p = a; p += n; int *q = a - 1; q++; int *e = &b[4];
           while (e != b) e--; char *c = (char *)a + n; return *p; }",
        expect![[r#"
            main
                p -> a+(0 mod 4)
                q -> a+(0 mod 4)
                e -> b+(0 mod 4)
                c -> a+*
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn a_list() {
    check(
        "void *malloc(unsigned long); struct l { int v; struct l *next; };
         int main(int n) { struct l *head = 0; while (n--) { struct l *e = malloc(sizeof *e); e->next = head; head = e; }
           int s = 0; for (struct l *i = head; i; i = i->next) s += i->v; return s; }",
        expect![[r#"
            main
                head -> heap#0
                e -> heap#0
                #4 -> heap#0
                i -> heap#0
            heap#0: main test.c:2:76
                [8; 8] -> heap#0
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn a_table_of_functions() {
    check(
        "int x, y; int *f(int *p) { return p; } int *g(int *p) { return &y; } int *h(int *p) { return p; }
         int *(*table[])(int *) = { f, g };
         int main(int n) { int *a = table[n](&x); int *b = table[0](&y); return *a; }",
        expect![[r#"
            f
                p -> y, x
            g
                p -> x
            h
            main
                a -> y, x
                #2 -> y, x
                b -> y, x
                #4 -> y, x
                call at test.c:3:37 -> f, g
                call at test.c:3:60 -> f
            table
                [0; 8] -> f
                [8; 8] -> g
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn records_are_copied() {
    check(
        "struct s { int *a; int *b; } u, v, w[3]; int x, y;
         struct s make(struct s t) { t.a = &x; return t; }
         int main(int n) { u.b = &y; v = u; w[n] = v; struct s l = w[1]; struct s m = make(l); struct s *p = &m; *p = u; return *m.a; }",
        expect![[r#"
            make
            main
                p -> main::m
            u
                [8; 8] -> y
            v
                [8; 8] -> y
            w
                [8..40 by 16; 8] -> y
            make::t
                [0; 8] -> x
                [8; 8] -> y
            main::l
                [8; 8] -> y
            main::m
                [0; 8] -> x
                [8; 8] -> y
            main::#3
                [0; 8] -> x
                [8; 8] -> y
            main::#4
                [0; 8] -> x
                [8; 8] -> y
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn memcpy_moves_pointers() {
    check(
        "void *memcpy(void *, const void *, unsigned long); struct s { int *a; int *b; } u, v; int x, y; int *t[4];
         int main(int n) { u.a = &x; u.b = &y; memcpy(&v, &u, sizeof u); memcpy(t + 1, &u.b, 8); int *p = v.a; int *q = v.b; int *r = t[1]; return *p; }",
        expect![[r#"
            main
                p -> x
                q -> y
                r -> y
            u
                [0; 8] -> x
                [8; 8] -> y
            v
                [0; 8] -> x
                [8; 8] -> y
            t
                [8; 8] -> y
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn pieces_of_pointers() {
    check(
        "int x; int main(void) { int *p = &x, *q; char *from = (char *)&p, *to = (char *)&q;
           for (int i = 0; i < 8; i++) to[i] = from[i]; return *q; }",
        expect![[r#"
            main
                p -> x
                q -> x+*
                from -> main::p
                to -> main::q
            main::p
                [0; 8] -> x
            main::q
                [*; 1] -> x+*
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn pointers_in_integers() {
    check(
        "int x, a[4]; int main(void) { unsigned long n = (unsigned long)&x; int *p = (int *)n; unsigned long m = (unsigned long)a + 8;
           int *q = (int *)m; int *r = (int *)(m & ~7ul); unsigned lo = n, hi = n >> 32; int *s = (int *)((unsigned long)hi << 32 | lo);
           int *none = (int *)4096; long d = &a[3] - &a[1]; char *o = (char *)0 + ((char *)&x - (char *)0); return *p; }",
        expect![[r#"
            main
                n -> x
                p -> x
                m -> a+8
                q -> a+8
                r -> a+*
                lo -> x
                hi -> x+*
                s -> x+*
                o -> x+*
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn unions() {
    check(
        "union u { int *p; unsigned long n; char c[8]; double d; } u; int x;
         int main(void) { u.p = &x; unsigned long n = u.n; double d = u.d; char c = u.c[3]; int *q = (int *)n; return *q; }",
        expect![[r#"
            main
                n -> x
                d -> x
                c -> x+*
                q -> x
            u
                [0; 8] -> x
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn variable_arguments() {
    check(
        "int x, y; struct s { int *p; } s;
         int *pick(int n, ...) { __builtin_va_list l, m; __builtin_va_start(l, n); __builtin_va_copy(m, l);
           int *p = __builtin_va_arg(l, int *); struct s t = __builtin_va_arg(m, struct s); __builtin_va_end(l); return n ? p : t.p; }
         int main(void) { s.p = &y; int *q = pick(2, &x, s); return *q; }",
        expect![[r#"
            pick
                p -> y+*, x
                #4 -> y+*, x
                #8 -> y+*, x+*
            main
                q -> y+*, x+*
                #1 -> y+*, x+*
            s
                [0; 8] -> y
            pick::l
                [0; 8] -> pick::...
            pick::m
                [0; 8] -> pick::...
            pick::t
                [0..7 by 1; 1] -> y+*, x+*
            pick::#6
                [0..7 by 1; 1] -> y+*, x+*
            pick::#7
                [0..7 by 1; 1] -> y+*, x+*
            arguments
                [0 mod 8; 8] -> argument strings
            pick::...
                [0; 8] -> x
                [*; 8] -> y
        "#]],
    );
}

#[test]
fn a_list_of_arguments_is_handed_on() {
    check(
        "int x; int *take(__builtin_va_list l) { return __builtin_va_arg(l, int *); }
         int *pick(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int *p = take(l); __builtin_va_end(l); return p; }
         int main(void) { int *q = pick(2, &x); return *q; }",
        expect![[r#"
            take
                l -> pick::l
                #1 -> x
            pick
                p -> x
                #3 -> x
            main
                q -> x
                #1 -> x
            pick::l
                [0; 8] -> pick::...
            arguments
                [0 mod 8; 8] -> argument strings
            pick::...
                [0; 8] -> x
        "#]],
    );
}

#[test]
fn callbacks() {
    check(
        "typedef unsigned long size; void qsort(void *, size, size, int (*)(const void *, const void *)); void *bsearch(const void *, const void *, size, size, int (*)(const void *, const void *));
         int less(const void *a, const void *b) { return *(int *)a - *(int *)b; } int t[10];
         int main(void) { int key = 3; qsort(t, 10, sizeof *t, less); int *p = bsearch(&key, t, 10, sizeof *t, less); return *p; }",
        expect![[r#"
            less
                a -> t+(0 mod 4), main::key
                b -> t+(0 mod 4)
            main
                p -> t+(0 mod 4)
                #2 -> t+(0 mod 4)
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn unknown_functions_keep_what_they_get() {
    check(
        "int *unknown(int **); int x, z; static int y, hidden; static int *p = &y; extern int *theirs;
         static void callback(int *c) { x = *c; } void reg(void (*)(int *));
         int main(void) { int *q = unknown(&p); int *h = &hidden; int *r = p; int *t = theirs; reg(callback); return *q + *h; }",
        expect![[r#"
            callback
                c -> outside
            main
                q -> outside
                #1 -> outside
                h -> hidden
                r -> y, outside
                t -> outside
            arguments
                [0 mod 8; 8] -> argument strings
            known outside: y, p, x, theirs, z, callback
        "#]],
    );
}

#[test]
fn arguments_of_main() {
    check(
        "int main(int argc, char **argv) { char *s = argv[1]; while (*s) s++; return *s; }",
        expect![[r#"
            main
                argv -> arguments
                s -> argument strings+*
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn initial_contents() {
    check(
        "int a[4]; struct s { char *name; int *p; } t[] = { { \"one\", a }, { \"two\", &a[2] } };
         int main(int n) { char *s = t[1].name; int *p = t[n].p; return *p; }",
        expect![[r#"
            main
                s -> .string.2
                p -> a, a+8
            t
                [0; 8] -> .string.1
                [8; 8] -> a
                [16; 8] -> .string.2
                [24; 8] -> a+8
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn each_call_of_an_allocator_is_another_object() {
    check(
        "void *malloc(unsigned long); void exit(int);
         void *xmalloc(unsigned long n) { void *p = malloc(n); if (!p) exit(1); return p; }
         int *number(void) { int *n = xmalloc(4); *n = 0; return n; }
         int main(void) { int *a = xmalloc(4), *b = xmalloc(8), *c = number(), *d = number(); return *a; }",
        expect![[r#"
            xmalloc
                p -> heap#0, heap#1, heap#2, heap#3, heap#4, heap#5
                #2 -> heap#0, heap#1, heap#2, heap#3, heap#4, heap#5
            number
                n -> heap#1, heap#4, heap#5
                #1 -> heap#1, heap#4, heap#5
            main
                a -> heap#2
                #1 -> heap#2
                b -> heap#3
                #3 -> heap#3
                c -> heap#4
                #5 -> heap#4
                d -> heap#5
                #7 -> heap#5
            heap#0: xmalloc test.c:2:53
            heap#1: xmalloc test.c:2:53 from number test.c:3:39
            heap#2: xmalloc test.c:2:53 from main test.c:4:36
            heap#3: xmalloc test.c:2:53 from main test.c:4:53
            heap#4: xmalloc test.c:2:53 from number test.c:3:39 from main test.c:4:70
            heap#5: xmalloc test.c:2:53 from number test.c:3:39 from main test.c:4:85
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn not_so_if_older_objects_come_back() {
    check(
        "void *malloc(unsigned long); static void *last;
         void *again(unsigned long n) { void *p = last; if (!p) p = malloc(n); last = p; return p; }
         int main(void) { int *a = again(4), *b = again(8); return *a; }",
        expect![[r#"
            again
                p -> heap#0
                #2 -> heap#0
            main
                a -> heap#0
                #1 -> heap#0
                b -> heap#0
                #3 -> heap#0
            last
                [0; 8] -> heap#0
            heap#0: again test.c:2:69
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn allocators_behind_pointers() {
    check(
        "void *malloc(unsigned long); void *realloc(void *, unsigned long); int x;
         void *own(unsigned long n) { void *p = malloc(n); return p; }
         struct m { void *(*get)(unsigned long); } methods[] = { { malloc }, { own } };
         int main(int n) { int **a = methods[n].get(8); *a = &x; int **b = own(8); int **c = realloc(a, 16); int *d = *c; return *d; }",
        expect![[r#"
            own
                p -> heap#0, heap#1
                #2 -> heap#0, heap#1
            main
                a -> heap#0, heap#3
                #2 -> heap#0, heap#3
                b -> heap#1
                #4 -> heap#1
                c -> heap#2
                #6 -> heap#2
                d -> x
                call at test.c:4:38 -> own, malloc
            methods
                [0; 8] -> malloc
                [8; 8] -> own
            heap#0: own test.c:2:49
                [0; 8] -> x
            heap#1: own test.c:2:49 from main test.c:4:76
            heap#2: main test.c:4:94
                [0; 8] -> x
            heap#3: main test.c:4:38
                [0; 8] -> x
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn nor_if_other_things_do() {
    check(
        "void *malloc(unsigned long); int spare;
         static void *get(unsigned long n) { if (!n) return &spare; void *p = malloc(n); return p; }
         static void *more(void) { void *p = get(4); return p; }
         int main(void) { int *a = more(), *b = more(); return *a; }",
        expect![[r#"
            get
                p -> heap#0
                #2 -> heap#0
            more
                p -> spare, heap#0
                #1 -> spare, heap#0
            main
                a -> spare, heap#0
                #1 -> spare, heap#0
                b -> spare, heap#0
                #3 -> spare, heap#0
            heap#0: get test.c:2:79
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

#[test]
fn calls_through_pointers_from_outside() {
    check(
        "void (*get(void))(int *); void put(void (*)(int *)); static int x, y; static int *seen; static void f(int *p) { seen = p; } static void g(int *p) {}
         int main(void) { put(f); void (*h)(int *) = get(); h(&x); void (*k)(int *) = g; k(&y); return 0; }",
        expect![[r#"
            f
                p -> x, outside
            g
                p -> y
            main
                h -> outside
                #1 -> outside
                k -> g
                call at test.c:2:61 -> f, unknown code
                call at test.c:2:90 -> g
            seen
                [0; 8] -> x, outside
            arguments
                [0 mod 8; 8] -> argument strings
            known outside: x, f
        "#]],
    );
}

#[test]
fn records_are_copied_through_pointers() {
    check(
        "struct s { int *a; int *b; } u, v; int x, y; static void move(struct s *to, struct s *from) { *to = *from; }
         int main(void) { u.a = &x; u.b = &y; move(&v, &u); int *p = v.a, *q = v.b; return *p + *q; }",
        expect![[r#"
            move
                to -> v
                from -> u
            main
                p -> x
                q -> y
            u
                [0; 8] -> x
                [8; 8] -> y
            v
                [0; 8] -> x
                [8; 8] -> y
            arguments
                [0 mod 8; 8] -> argument strings
        "#]],
    );
}

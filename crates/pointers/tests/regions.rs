//! C in, regions out.

mod harness;

use expect_test::{Expect, expect};
use pointers::{Regions, Writes, analyse, print};

fn check(text: &str, expected: Expect) {
    let program = harness::program(text);
    let analysis = analyse(&program);
    expected.assert_eq(&print::regions(&analysis, &Regions::new(&analysis)));
}

/// The cells that each function writes.
fn check_writes(text: &str, expected: Expect) {
    let program = harness::program(text);
    let analysis = analyse(&program);
    let writes = Writes::new(&analysis);
    let mut out = String::new();
    for (id, function) in program.functions.enumerate().filter(|(_, function)| function.body.is_some()) {
        let cells: Vec<String> = writes.of_function(id).iter().map(|cell| print::cell(&analysis, cell)).collect();
        out.push_str(&format!("{}: {}\n", function.name, cells.join(", ")));
    }
    expected.assert_eq(&out);
}

#[test]
fn fields_are_regions_of_their_own() {
    check(
        "struct s { int n; char name[12]; struct s *next; } a, b; int main(int n) { struct s *p = n ? &a : &b; p->n = 1; p->next = &a; p->next->name[n] = 2; b.n = 3; return 0; }",
        expect![[r#"
            region 0, cells of 4: a [0; 4], b [0; 4]
            region 1, cells of 1: a [4..15 by 1; 1]
            region 2, cells of 8: a [16; 8], b [16; 8]
        "#]],
    );
}

#[test]
fn arrays_of_records() {
    check(
        "struct s { int x, y; double d; } t[8]; int main(int n) { t[n].x = 1; t[n].y = 2; t[3].d = 3; struct s *p = &t[n]; p->d = 4; return t[0].x; }",
        expect![[r#"
            region 0, cells of 4: t [0; 4], t [0..112 by 16; 4]
            region 1, cells of 4: t [4..116 by 16; 4]
            region 2, cells of 8: t [8 mod 16; 8], t [56; 8]
        "#]],
    );
}

#[test]
fn accesses_of_several_sizes_make_bytes() {
    check(
        "union { int i; char c[4]; } u; int plain; int main(int n) { u.i = n; plain = 2; return u.c[n]; }",
        expect![[r#"
        region 0, bytes: u [0; 4], u [0..3 by 1; 1]
        region 1, cells of 4: plain [0; 4]
    "#]],
    );
}

#[test]
fn variables_without_address_are_not_in_memory() {
    check(
        "struct s { int a, b; }; int main(void) { struct s t = { 1, 2 }; int x = 3, y = 4; int *p = &y; *p = x; return t.b; }",
        expect![[r#"
            region 0, cells of 4: main::y [0; 4]
        "#]],
    );
}

#[test]
fn records_are_copied_scalar_by_scalar() {
    check(
        "struct s { int a; long b[2]; char c; } x, y, z[4]; int main(int n) { x = y; z[n] = x; return z[1].a; }",
        expect![[r#"
        region 0, cells of 4: x [0; 4]
        region 1, cells of 8: x [8..16 by 8; 8]
        region 2, cells of 1: x [24; 1]
        region 3, cells of 4: y [0; 4]
        region 4, cells of 8: y [8..16 by 8; 8]
        region 5, cells of 1: y [24; 1]
        region 6, cells of 4: z [0..96 by 32; 4], z [32; 4]
        region 7, cells of 8: z [8..16 by 8 mod 32; 8]
        region 8, cells of 1: z [24..120 by 32; 1]
    "#]],
    );
}

#[test]
fn one_access_joins_what_it_may_touch() {
    check(
        "int a, b, c; int main(int n) { int *p = n ? &a : &b; *p = 1; c = 2; return a; }",
        expect![[r#"
        region 0, cells of 4: a [0; 4], b [0; 4]
        region 1, cells of 4: c [0; 4]
    "#]],
    );
}

#[test]
fn primitives_move_bytes() {
    check(
        "void __loopfrog_copy(void *, const void *, unsigned long); void __loopfrog_fill(void *, int, unsigned long);
         struct s { int a; int *p; } x, y, z; int main(void) { x.a = 1; y.p = &x.a; z.a = 2; __loopfrog_copy(&y, &x, sizeof x); return *y.p; }",
        expect![[r#"
            region 0, bytes: x [0; 4], x [0; 16]
            region 1, bytes: y [0; 16], y [8; 8]
            region 2, cells of 4: z [0; 4]
        "#]],
    );
}

#[test]
fn zeros_leave_whole_scalars_apart() {
    check(
        "void __loopfrog_fill(void *, int, unsigned long); void __loopfrog_clear(void *, unsigned long); void *malloc(unsigned long);
         struct s { int a; int *p; } x, y, z; int main(void) {
         struct s *h = malloc(16); __loopfrog_clear(h, 16); h->a = 1; h->p = 0;
         __loopfrog_fill(&x, 0, sizeof x); __loopfrog_fill(&y, 0, 12); __loopfrog_fill(&z, 1, sizeof z);
         x.a = y.a = z.a = 1; x.p = y.p = z.p = &x.a; return *x.p; }",
        expect![[r#"
            region 0, cells of 4: x [0; 4]
            region 1, cells of 8: x [8; 8]
            region 2, bytes: y [0; 4], y [0; 12], y [8; 8]
            region 3, bytes: z [0; 4], z [0; 16], z [8; 8]
            region 4, cells of 4: heap#0 [0; 4]
            region 5, cells of 8: heap#0 [8; 8]
        "#]],
    );
}

#[test]
fn bit_fields_share_their_bytes() {
    check(
        "struct s { unsigned a : 3, b : 4, c : 9; int d; } s; int main(void) { s.a = 1; s.b = 2; s.d = 3; return s.c; }",
        expect![[r#"
        region 0, bytes: s [0; 1], s [0; 2]
        region 1, cells of 4: s [4; 4]
    "#]],
    );
}

#[test]
fn what_is_known_outside_is_one() {
    check(
        "int *unknown(int *); static int a, b; static long hidden; int main(void) { int *p = unknown(&a); *p = 1; hidden = 2; return a + b; }",
        expect![[r#"
            region 0, bytes: a [0; 4], outside [*; 4]
            region 1, cells of 8: hidden [0; 8]
            region 2, cells of 4: b [0; 4]
        "#]],
    );
}

#[test]
fn allocations() {
    check(
        "void *malloc(unsigned long); struct l { int v; struct l *next; };
         int main(int n) { struct l *h = 0; while (n--) { struct l *e = malloc(sizeof *e); e->v = n; e->next = h; h = e; }
           int *t = malloc(40); t[3] = 4; return h->v; }",
        expect![[r#"
            region 0, cells of 4: heap#0 [0; 4]
            region 1, cells of 8: heap#0 [8; 8]
            region 2, cells of 4: heap#1 [12; 4]
        "#]],
    );
}

#[test]
fn string_literals_are_not_written() {
    check_writes(
        "static const volatile char table[4] = \"abc\"; extern const char unknown[4]; static char own[4];
         int main(int n) { char *p = n ? (char *)table : own; if (n > 1) p = (char *)unknown; if (n > 2) p = \"/\"; p[n] = 0; return 0; }",
        expect![[r#"
            main: table [*; 1], own [*; 1], unknown [*; 1]
        "#]],
    );
}

#[test]
fn calls_write_what_their_callees_write() {
    check_writes(
        "int a, b, c; static void f(int *p) { *p = 1; } static void g(void) { f(&a); } void unknown(int *); static void h(void) { unknown(&c); }
         static void even(int n); static void odd(int n) { b = n; if (n) even(n - 1); } static void even(int n) { if (n) odd(n - 1); }
         int main(void) { void (*run)(void) = g; run(); even(4); h(); return 0; }",
        expect![[r#"
            f: a [0; 4]
            g: a [0; 4]
            h: outside [* to the end]
            odd: b [0; 4]
            even: b [0; 4]
            main: a [0; 4], b [0; 4], outside [* to the end]
        "#]],
    );
}

#[test]
fn cells_can_be_asked_for() {
    let program = harness::program("struct s { int a; long b; } s; int main(void) { s.a = 1; s.b = 2; return 0; }");
    let analysis = analyse(&program);
    let regions = Regions::new(&analysis);
    let object = analysis.objects().into_iter().find(|object| print::name(&analysis, *object) == "s").unwrap();
    let (a, b) = (regions.of_cell(object, 0, 4).unwrap(), regions.of_cell(object, 8, 8).unwrap());
    assert_ne!(a, b);
    assert_eq!(regions.of_cell(object, 12, 1), Some(b));
    assert_eq!(regions.of_cell(object, 4, 4), None);
    let main = program.functions.ids().next().unwrap();
    let body = program.functions[main].body.as_ref().unwrap();
    let found: Vec<_> =
        body.blocks[model::Body::ENTRY].commands.iter().filter_map(|c| regions.of(&analysis, main, c.kind.place()?)).collect();
    assert_eq!(found, [a, b]);
}

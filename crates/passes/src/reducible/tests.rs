//! C in, reducible models out.

use expect_test::{Expect, expect};
use model::{Body, LoopForest, Program};

use super::make_reducible;

fn translate(source: &str) -> Program {
    let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options::default());
    translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()))
}

fn bodies(program: &Program) -> impl Iterator<Item = &Body> {
    program.functions.iter().filter_map(|function| function.body.as_ref())
}

/// Translates, and states what holds of every result.
#[track_caller]
fn reduced(mut program: Program) -> Program {
    make_reducible(&mut program);
    model::verify(&program).unwrap_or_else(|flaws| panic!("{}", flaws[0]));
    let forests = bodies(&program).map(LoopForest::new);
    assert!(forests.flat_map(|forest| forest.loops).all(|region| !region.is_irreducible()), "{}", text(&program));
    program
}

fn text(program: &Program) -> String {
    let text = model::text::program(program, model::text::Spans::None);
    text.lines().skip_while(|line| !line.starts_with("function")).map(|line| format!("{line}\n")).collect()
}

#[track_caller]
fn check(source: &str, expected: Expect) {
    expected.assert_eq(&text(&reduced(translate(source))));
}

#[test]
fn goto_into_a_loop() {
    check(
        "int f(int n) { int s = 0; if (n > 5) goto in; while (n > 0) { s += n; in: n--; } return s; }",
        expect![[r#"
        function f(n: i32) -> i32 {
            local s: i32
            temp #1: u32
            while b7
        b0:
            s = 0
            if n > 5 goto b1 else b2
        b1:  // from b0
            goto b8
        b2:  // from b0
            goto b9
        b3:  // from b7
            if n > 0 goto b4 else b6
        b4:  // from b3
            s = s + n
            goto b10
        b5:  // from b7
            n = n - 1
            goto b11
        b6:  // from b3
            return s
        b7:  // from b8, b9, b10, b11
            switch #1 {
                case 0: b3
                default: b5
            }
        b8:  // from b1
            #1 = 1
            goto b7
        b9:  // from b2
            #1 = 0
            goto b7
        b10:  // from b4
            #1 = 1
            goto b7
        b11:  // from b5
            #1 = 0
            goto b7
        }
    "#]],
    );
}

#[test]
fn nested_regions() {
    check(
        "int f(int n) {
           if (n & 1) goto a; else goto b;
           a: n--; if (n & 2) goto c; else goto d;
           c: n -= 2; if (n & 4) goto d; goto b;
           d: n -= 3; if (n & 8) goto c;
           b: n -= 4; if (n > 0) goto a; return n; }",
        expect![[r#"
            function f(n: i32) -> i32 {
                temp #1: u32
                temp #2: u32
            b0:
                if (n & 1) != 0 goto b1 else b2
            b1:  // from b0
                goto b17
            b2:  // from b0
                goto b18
            b3:  // from b15
                n = n - 4
                if n > 0 goto b4 else b14
            b4:  // from b3
                goto b19
            b5:  // from b15
                n = n - 1
                if (n & 2) != 0 goto b6 else b7
            b6:  // from b5
                goto b20
            b7:  // from b5
                goto b21
            b8:  // from b16
                n = n - 3
                if (n & 8) != 0 goto b9 else b13
            b9:  // from b8
                goto b22
            b10:  // from b16
                n = n - 2
                if (n & 4) != 0 goto b11 else b12
            b11:  // from b10
                goto b23
            b12:  // from b10
                goto b24
            b13:  // from b8
                goto b24
            b14:  // from b3
                return n
            b15:  // from b17, b18, b19, b24
                switch #1 {
                    case 0: b3
                    default: b5
                }
            b16:  // from b20, b21, b22, b23
                switch #2 {
                    case 0: b8
                    default: b10
                }
            b17:  // from b1
                #1 = 1
                goto b15
            b18:  // from b2
                #1 = 0
                goto b15
            b19:  // from b4
                #1 = 1
                goto b15
            b20:  // from b6
                #2 = 1
                goto b16
            b21:  // from b7
                #2 = 0
                goto b16
            b22:  // from b9
                #2 = 1
                goto b16
            b23:  // from b11
                #2 = 0
                goto b16
            b24:  // from b12, b13
                #1 = 0
                goto b15
            }
        "#]],
    );
}

#[test]
fn switch_into_a_loop() {
    check(
        "int f(int n) { int s = 0; switch (n & 3) { case 0: do { s++; case 1: s += 2; case 2: s += 3; } while (--n > 0); } return s; }",
        expect![[r#"
            function f(n: i32) -> i32 {
                local s: i32
                temp #1: i32
                temp #2: u32
                do b9
            b0:
                s = 0
                switch n & 3 {
                    case 0: b1
                    case 1: b2
                    case 2: b3
                    default: b8
                }
            b1:  // from b0
                goto b10
            b2:  // from b0
                goto b11
            b3:  // from b0
                goto b12
            b4:  // from b9
                s = s + 3
                #1 = n - 1
                n = #1
                if #1 > 0 goto b13 else b7
            b5:  // from b9
                s = s + 1
                goto b14
            b6:  // from b9
                s = s + 2
                goto b15
            b7:  // from b4
                goto b8
            b8:  // from b0, b7
                return s
            b9:  // from b10, b11, b12, b13, b14, b15
                switch #2 {
                    case 0: b4
                    case 2: b6
                    default: b5
                }
            b10:  // from b1
                #2 = 1
                goto b9
            b11:  // from b2
                #2 = 2
                goto b9
            b12:  // from b3
                #2 = 0
                goto b9
            b13:  // from b4
                #2 = 1
                goto b9
            b14:  // from b5
                #2 = 2
                goto b9
            b15:  // from b6
                #2 = 0
                goto b9
            }
        "#]],
    );
}

/// Every label can be reached from every computed goto, inside and outside of the loop.
#[test]
fn computed_gotos() {
    check(
        "int f(unsigned char *p) { static void *t[] = { &&a, &&b, &&c }; int s = 0; goto *t[*p];
           a: s++; goto *t[*++p]; b: s--; goto *t[*++p]; c: return s; }",
        expect![[r#"
            function f(p: *u8) -> i32 {
                local s: i32
                temp #1: *u8
                temp #2: *u8
                temp #3: *void
                labels b2, b1, b3
            b0:
                s = 0
                #3 = `f.t`[(i32)*p]
                goto b4
            b1:  // from b4
                s = s - 1
                #2 = p + 1
                p = #2
                #3 = `f.t`[(i32)*#2]
                goto b4
            b2:  // from b4
                s = s + 1
                #1 = p + 1
                p = #1
                #3 = `f.t`[(i32)*#1]
                goto b4
            b3:  // from b4
                return s
            b4:  // from b0, b1, b2
                goto *#3
            }
        "#]],
    );
}

/// The region has an entry by a plain goto beside the one by computed gotos.
#[test]
fn computed_and_plain_gotos() {
    check(
        "int f(int n) { void *t[] = { &&a, &&b, &&c }; if (n > 5) goto b; goto *t[n & 1];
           a: n--; goto *t[n > 0 ? n & 1 : 2]; b: n -= 2; goto *t[n > 0 ? n & 1 : 2]; c: return n; }",
        expect![[r#"
            function f(n: i32) -> i32 {
                local t: [3]*void
                temp #1: i32
                temp #2: i32
                temp #3: *void
                temp #4: u32
                labels b7, b3, b11
            b0:
                t = zero
                t[0i64] = &&b7
                t[1i64] = &&b3
                t[2i64] = &&b11
                if n > 5 goto b1 else b2
            b1:  // from b0
                goto b14
            b2:  // from b0
                #3 = t[n & 1]
                goto b15
            b3:  // from b12
                #4 = 0
                goto b13
            b4:  // from b17
                #2 = n & 1
                goto b6
            b5:  // from b17
                #2 = 2
                goto b6
            b6:  // from b4, b5
                #3 = t[#2]
                goto b16
            b7:  // from b12
                n = n - 1
                if n > 0 goto b8 else b9
            b8:  // from b7
                #1 = n & 1
                goto b10
            b9:  // from b7
                #1 = 2
                goto b10
            b10:  // from b8, b9
                #3 = t[#1]
                goto b16
            b11:  // from b12
                return n
            b12:  // from b13
                goto *#3
            b13:  // from b3, b14, b15, b16
                switch #4 {
                    case 1: b12
                    default: b17
                }
            b14:  // from b1
                #4 = 0
                goto b13
            b15:  // from b2
                #4 = 1
                goto b13
            b16:  // from b6, b10
                #4 = 1
                goto b13
            b17:  // from b13
                n = n - 2
                if n > 0 goto b4 else b5
            }
        "#]],
    );
}

/// A computed goto leads into a region that has none itself.
#[test]
fn entered_by_a_computed_goto() {
    check(
        "int f(int n) { void *t[] = { &&a, &&b }; goto *t[n & 1]; a: n--; b: n -= 2; if (n > 0) goto a; return n; }",
        expect![[r#"
        function f(n: i32) -> i32 {
            local t: [2]*void
            temp #1: u32
            labels b3, b1
        b0:
            t = zero
            t[0i64] = &&b3
            t[1i64] = &&b1
            goto *t[n & 1]
        b1:  // from b0
            #1 = 0
            goto b5
        b2:  // from b8
            goto b6
        b3:  // from b0
            #1 = 1
            goto b5
        b4:  // from b8
            return n
        b5:  // from b1, b3, b6, b7
            switch #1 {
                case 0: b8
                default: b9
            }
        b6:  // from b2
            #1 = 1
            goto b5
        b7:  // from b9
            #1 = 0
            goto b5
        b8:  // from b5
            n = n - 2
            if n > 0 goto b2 else b4
        b9:  // from b5
            n = n - 1
            goto b7
        }
    "#]],
    );
}

#[test]
fn reducible_bodies_stay_as_they_are() {
    for source in [
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 7) continue; while (s & 1) s++; s += i; } return s; }",
        "int f(int n) { again: n--; if (n & 1) goto again; if (n > 3) goto again; return n; }",
        "int f(int n) { void *t[] = { &&a, &&b }; a: n--; goto *t[n & 1]; b: if (n > 0) goto a; return n; }",
    ] {
        let program = translate(source);
        assert_eq!(reduced(program.clone()), program, "{source}");
    }
}

/// Hundreds of regions inside each other.
#[test]
fn deep_nesting() {
    let mut source = String::from("int f(int n) {");
    let depth = 300;
    (0..depth).for_each(|i| source += &format!("if (n & 1) goto b{i}; a{i}: n++;"));
    (0..depth).rev().for_each(|i| source += &format!("b{i}: if (n++ & 2) goto a{i};"));
    reduced(translate(&(source + "return n; }")));
}

use expect_test::expect;

use super::{check, check_with, standard};

#[test]
fn missing_semicolons() {
    check(
        "int a\nint b;\nint c",
        expect![[r#"
        (declare Int b)
        1:6+1 Error: expected `;` after this declaration [missing here, before `int`]
        3:6+1 Error: expected `;` after this declaration [missing here, before the end of the text]
    "#]],
    );
    check(
        "void f(void) {\n  int a = 1\n  a = 2\n  return a\n}\nint g;",
        expect![[r#"
        (declare Int g)
        2:12+1 Error: expected `;` after this declaration [missing here, before `a`]
        3:8+1 Error: expected `;` after this expression [missing here, before `return`]
        4:11+1 Error: expected `;` after `return` [missing here, before `}`]
    "#]],
    );
    check(
        "struct s { int a }; struct t { int a int b; } x;",
        expect![[r#"
        (declare (struct s ((declare Int a))))
        1:18+1 Warning: no `;` at the end of this structure
        1:38+3 Error: expected `;` after this member [found `int`]
    "#]],
    );
    check(
        "struct s { int a; }\nint f(void) { return 1; }",
        expect![[r#"
        1:20+1 Error: expected `;` after the definition of this structure [missing here, before `int`]
    "#]],
    );
    check(
        "int a int b; int c;",
        expect![[r#"
        (declare Int c)
        1:7+3 Error: expected `;` after this declaration [found `int`]
    "#]],
    );
}

#[test]
fn unknown_types() {
    check(
        "foo x; foo *y; static bar z; void f(baz a, int b) { qux c; quux * d; } int g(int, zap);",
        expect![[r#"
        (declare foo (y *))
        1:1+3 Error: unknown type name `foo`
        1:23+3 Error: unknown type name `bar`
        1:37+3 Error: unknown type name `baz`
        1:53+3 Error: unknown type name `qux`
        1:83+3 Error: unknown type name `zap`
    "#]],
    );
    check(
        "typedef foo T; T x; struct s { foo2 y; foo3 *z; }; FOO int q;",
        expect![[r#"
        (declare T x)
        1:9+3 Error: unknown type name `foo`
        1:32+4 Error: unknown type name `foo2`
        1:40+4 Error: unknown type name `foo3`
        1:52+3 Error: unknown type name `FOO`
    "#]],
    );
    check(
        "int a = sizeof(struct s) + (foo) 1;",
        expect![[r#"
        1:34+1 Error: expected `;` after this declaration [found `1`]
    "#]],
    );
}

#[test]
fn unbalanced() {
    check(
        "int f(void) { if (1) { return 1; \n",
        expect![[r#"
        1:33+1 Error: expected `}` at the end of this block [missing here, before the end of the text] (1:22 to close this)
    "#]],
    );
    check(
        "int f(void) { return 1; } }\nint g;",
        expect![[r#"
        (define Int (f (function)) {(return 1)})
        (declare Int g)
        1:27+1 Error: this `}` closes nothing
    "#]],
    );
    check(
        "int f(void) { g(1, (2; h(; }\nint i;",
        expect![[r#"
        (declare Int i)
        1:22+1 Error: expected `)` after this expression [found `;`] (1:20 to close this)
        1:26+1 Error: expected an expression [found `;`]
    "#]],
    );
    check(
        "int a[3 = { 1 }; int b = { 1, 2; int c;",
        expect![[r#"
        1:11+1 Error: expected an expression [found `{`]
        1:32+1 Error: expected `,` or `}` after this initialiser [found `;`] (1:26 to close this)
    "#]],
    );
    check(
        "struct s { int a;",
        expect![[r#"
        1:18+1 Error: expected `}` at the end of this structure [missing here, before the end of the text] (1:10 to close this)
    "#]],
    );
    check(
        "enum e { A B }; int x;",
        expect![[r#"
        (declare Int x)
        1:12+1 Error: expected `,` or `}` after this constant [found `B`] (1:8 to close this)
    "#]],
    );
}

#[test]
fn statements() {
    check(
        "void f(void) { if x { y; } else z; while (1 { } for (;) ; do ; return; }",
        expect![[r#"
        1:19+1 Error: expected `(` after `if` [found `x`]
        1:45+1 Error: expected `)` after this condition [found `{`] (1:42 to close this)
        1:55+1 Error: expected an expression [found `)`]
        1:64+6 Error: expected `while` after the body of `do` [found `return`]
    "#]],
    );
    check(
        "void f(void) { else ; case 1 2; goto 3; if (1) int x; if (1) }",
        expect![[r#"
        1:16+4 Error: `else` without `if`
        1:30+1 Error: expected `:` after this label [found `2`]
        1:38+1 Error: expected a label after `goto` [found `3`]
        1:48+3 Error: a declaration cannot stand here [expected a statement]
        1:62+1 Error: expected a statement before `}` [found `}`]
    "#]],
    );
    check(
        "void f(void) { int x = ; y = 1 +; z(,); (T) ; }",
        expect![[r#"
        1:24+1 Error: expected an expression [found `;`]
        1:33+1 Error: expected an expression [found `;`]
        1:37+1 Error: expected an expression [found `,`]
    "#]],
    );
    check(
        "void f(void) { struct s x = { .a 1 }; asm(x); __builtin_va_arg(1); }",
        expect![[r#"
        1:34+1 Error: expected `=` after this designator [found `1`]
        1:43+1 Error: expected a string: the instructions [found `x`]
        1:65+1 Error: expected `,` before the next argument [found `)`]
    "#]],
    );
}

#[test]
fn specifiers() {
    check(
        "long float a; unsigned signed b; static extern c; int char d; short long e; long long long f; struct s int g;",
        expect![[r#"
        1:1+10 Error: these type specifiers cannot be combined
        1:15+15 Error: these type specifiers cannot be combined
        1:41+6 Error: more than one storage class in one declaration [this is the second]
        1:51+8 Error: these type specifiers cannot be combined
        1:63+10 Error: these type specifiers cannot be combined
        1:77+14 Error: these type specifiers cannot be combined
        1:104+3 Error: two types in one declaration [this is the second]
    "#]],
    );
    check(
        "typedef int T; T T2 T; int x = T; _BitInt(7) y; unsigned _BitInt(3) z;",
        expect![[r#"
        (declare typedef Int T)
        (declare Int y)
        (declare UnsignedInt z)
        1:21+1 Error: expected `;` after this declaration [found `T`]
        1:32+1 Error: expected an expression, not the type `T` [this is a type]
        1:35+10 Unsupported: `_BitInt` is not supported
        1:58+10 Unsupported: `_BitInt` is not supported
    "#]],
    );
}

#[test]
fn literals() {
    check(
        "int a = 08; int b = 0x; int c = 1.5.2; int d = ''; int e = 12abc; int f = '\\q'; int g = 1.0dd; char *h = L\"a\" u\"b\"; int i = u8'ab';",
        expect![[r#"
            (declare Int f='113)
            (declare Int g=1.0:Decimal)
            1:9+2 Error: invalid digit `8` in an octal constant
            1:21+2 Error: this number has no digits
            1:33+5 Error: invalid suffix `.2` on a floating constant
            1:48+2 Error: this character constant is empty
            1:60+5 Error: invalid suffix `abc` on an integer constant
            1:75+4 Warning: unknown escape sequence `\q`
            1:106+4 Error: these adjacent strings have different prefixes
            1:125+6 Error: this character constant has more than one character
        "#]],
    );
    check(
        "int a = 999999999999999999999999999999999999999999;",
        expect![[r#"
        1:9+42 Error: this integer constant is too large for any type
    "#]],
    );
    check_with(
        "int a = 1'0;",
        standard(2017, true),
        expect![[r#"
        1:10+1 Error: this character constant has no end [expected a closing `'` on this line]
    "#]],
    );
}

#[test]
fn odd_beginnings() {
    check(
        "+ 1; int a; ) int b; 5; int c; \"x\"; int d;",
        expect![[r#"
        (declare Int a)
        (declare Int c)
        (declare Int d)
        1:1+1 Error: expected a declaration [found `+`]
        1:13+1 Error: expected a declaration [found `)`]
        1:22+1 Error: expected a declaration [found `5`]
        1:32+3 Error: expected a declaration [found `"x"`]
    "#]],
    );
    check(
        "void f(void)) { int x; } int a; void g(int x { } int b;",
        expect![[r#"
        (declare Int a)
        (declare Int b)
        1:13+1 Error: expected `;` after this declaration [found `)`]
        1:46+1 Error: expected `,` or `)` after this parameter [found `{`] (1:39 to close this)
    "#]],
    );
}

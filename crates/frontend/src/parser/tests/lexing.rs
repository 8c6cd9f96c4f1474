use expect_test::expect;

use super::check;

#[test]
fn line_markers() {
    check(
        "# 1 \"a.c\"\n#pragma once\nint a\n# 40 \"dir/b\\\"c.h\" 1 3\nint;\n#line 7 \"d.c\"\n\nint b int;\n",
        expect![[r#"
        (declare Int)
        2:6+1 Error: expected `;` after this declaration [missing here, before `int`]
        8:7+3 Error: expected `;` after this declaration [found `int`]
    "#]],
    );
    let mut parser = crate::parser::Parser::new("main.i", b"# 5 \"x\\\\y\\303\\251.c\" 2\nint a;\n", crate::Options::default());
    assert!(parser.next_external().is_some());
    let span = parser.session.map.span(crate::ast::Range { start: 27, end: 28 });
    assert_eq!((parser.session.map.files[span.file].as_str(), span.line, span.column), ("x\\yé.c", 5, 5));
}

#[test]
fn comments_and_splices() {
    check(
        "int /* a \n * b */ x; // c \\\n d\nint \\\n y; int a\\\nb = 'x'; char *s = \"a\\\nb\";\n_Pragma(\"x\") int z _Pragma(\"y\");",
        expect![[r#"
        (declare Int x)
        (declare Int y)
        (declare Int ab='120)
        (declare Char (s *)="ab")
        (declare Int z)
    "#]],
    );
    check(
        "#pragma a \\\n b c\nint x;\n # ident \"x\"\n#\nint y y;",
        expect![[r#"
        (declare Int x)
        6:7+1 Error: expected `;` after this declaration [found `y`]
    "#]],
    );
}

#[test]
fn directives() {
    check(
        "int a;\n#define X 1\nint b;\n  #include <x>\nint c;",
        expect![[r#"
        (declare Int a)
        (declare Int b)
        (declare Int c)
        2:1+11 Error: preprocessing directive in preprocessed text: `#define` [run the preprocessor first]
        4:3+12 Error: preprocessing directive in preprocessed text: `#include` [run the preprocessor first]
    "#]],
    );
}

#[test]
fn digraphs_and_names() {
    check(
        "int a<:2:> = <% 1, 2 %>; int $x$, é, \\u00e9, caf\\u00e9s;",
        expect![[r#"
        (declare Int (a [2])={1 2})
        (declare Int $x$ é é cafés)
    "#]],
    );
    check(
        "\u{feff}int x;",
        expect![[r#"
        (declare Int x)
    "#]],
    );
}

#[test]
fn garbage() {
    check(
        "int a;\0\0 int @ b; int c; ` int d;",
        expect![[r#"
        (declare Int a)
        (declare Int b)
        (declare Int c)
        (declare Int d)
        1:7+2 Error: the text contains a zero byte
        1:14+1 Error: `@` has no meaning here
        1:26+1 Error: ``` has no meaning here
    "#]],
    );
    check(
        "int a = \"abc;\nint b; char c = 'x;\nint d;",
        expect![[r#"
        (declare Int b)
        (declare Int d)
        1:9+1 Error: this string has no end [expected a closing `"` on this line]
        2:17+1 Error: this character constant has no end [expected a closing `'` on this line]
    "#]],
    );
    check(
        "int a; /* never ends",
        expect![[r#"
        (declare Int a)
        1:8+2 Error: this comment has no end [expected `*/` after this]
    "#]],
    );
    check(
        "_Pragma _Pragma(\"x\") int a;",
        expect![[r#"
            1:1+15 Error: expected a string in parentheses after `_Pragma`
            1:16+1 Warning: this declaration has no type [`int` is assumed]
        "#]],
    );
}

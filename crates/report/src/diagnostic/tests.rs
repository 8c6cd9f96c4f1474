//! Messages as users see them.

use std::fs;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use frontend::ast::Range;
use frontend::diagnostic::Diagnostics;
use frontend::source::SourceMap;
use model::{Arena, Id, Span};

use super::{Label, Message, Severity, Sources, messages, render};

/// A directory of its own for each test, with the user's file in it.
fn directory(test: &str, file: Option<&[u8]>) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("loopfrog-diagnostic-{}-{test}", std::process::id()));
    fs::create_dir_all(&directory).unwrap();
    if let Some(content) = file {
        fs::write(directory.join("a.c"), content).unwrap();
    }
    directory
}

/// The map of a preprocessed text whose lines are those of a.c.
fn line_map(text: &str) -> SourceMap {
    let mut map = SourceMap::new("a.c");
    let file = map.file("a.c");
    for (number, (start, _)) in (2..).zip(text.match_indices('\n')) {
        map.add_line(start as u32 + 1, number, file);
    }
    map
}

fn range(text: &str, part: &str) -> Range {
    let start = text.find(part).unwrap();
    Range { start: start as u32, end: (start + part.len()) as u32 }
}

/// What is printed about a part of the preprocessed text.
fn shown(test: &str, original: Option<&[u8]>, text: &str, part: &str) -> String {
    let directory = directory(test, original);
    let map = line_map(text);
    let mut diagnostics = Diagnostics::default();
    diagnostics.error(range(text, part), "this is wrong", "here");
    let (messages, suppressed) = messages(&diagnostics, text.as_bytes(), &map);
    let out = render(&messages, suppressed, &Sources::new(&map.files, &directory), false);
    fs::remove_dir_all(directory).unwrap();
    out
}

fn check(test: &str, original: &str, text: &str, part: &str, expected: Expect) {
    expected.assert_eq(&shown(test, Some(original.as_bytes()), text, part));
}

#[test]
fn original_line() {
    let text = "int f(void)\n{\n  return y + 1;\n}\n";
    check(
        "line",
        text,
        text,
        "y",
        expect![[r#"
        error: this is wrong
          ┌─ a.c:3:10
         3│   return y + 1;
          │          ^ here
    "#]],
    );
}

#[test]
fn white_space_and_comments_move_columns() {
    check(
        "space",
        "int x;  /* one */  int   y = x   +  z;\n",
        "int x; int y = x + z;\n",
        "x + z",
        expect![[r#"
        error: this is wrong
          ┌─ a.c:1:30
         1│ int x;  /* one */  int   y = x   +  z;
          │                              ^^^^^^^^ here
    "#]],
    );
}

#[test]
fn tabs_and_characters() {
    let text = "\tchar *s = \"äöü\u{202e}\u{7}\"; y;\n";
    check(
        "tabs",
        text,
        text,
        "y",
        expect![[r#"
        error: this is wrong
          ┌─ a.c:1:26
         1│     char *s = "äöü��"; y;
          │                        ^ here
    "#]],
    );
}

#[test]
fn macro_line() {
    check(
        "macro",
        "int y = MAX(a, b);\n",
        "int y = ((a) > (b) ? (a) : (b));\n",
        "> (b)",
        expect![[r#"
        error: this is wrong
          ┌─ a.c:1:1
         1│ int y = MAX(a, b);
          │ ^^^^^^^^^^^^^^^^^^ here
          = expands to: int y = ((a) > (b) ? (a) : (b));
    "#]],
    );
}

#[test]
fn missing_file() {
    expect![[r#"
        error: this is wrong
          ┌─ a.c:2:9
         2│ int y = z;
          │         ^ here
    "#]]
    .assert_eq(&shown("missing", None, "int x;\nint y = z;\n", "z"));
}

#[test]
fn not_utf8() {
    let original = b"char s[] = \"\xff\xfe\"; z;\n";
    expect![[r#"
        error: this is wrong
          ┌─ a.c:1:18
         1│ char s[] = "��"; z;
          │                  ^ here
    "#]]
    .assert_eq(&shown("bytes", Some(original), "char s[] = \"??\"; z;\n", "z"));
}

#[test]
fn long_lines() {
    let text = format!("{}MARK{}\n", "abc + ".repeat(1000), " + def".repeat(1000));
    check(
        "long",
        &text,
        &text,
        "MARK",
        expect![[r#"
        error: this is wrong
          ┌─ a.c:1:6001
         1│ …abc + abc + abc + abc + abc + abc + abc + abc + abc + abc + MARK + def + def + def + def + def + def + def + def + def + def + def + def + def + def + def + def…
          │                                                              ^^^^ here
    "#]],
    );
}

#[test]
fn related_places_and_notes() {
    let text = "int x;\n\n\n\n\nlong x;\n";
    let directory = directory("related", Some(text.as_bytes()));
    let map = line_map(text);
    let label = |part, label| Label::preprocessed(range(text, part), label, text.as_bytes(), &map);
    let message = Message {
        severity: Severity::Warning,
        code: Some("types".into()),
        message: "`x` has two types".into(),
        primary: label("long x", "now a `long`"),
        secondary: vec![label("int x", "was an `int`"), label("x;\n", "")],
        notes: vec!["hint: choose one".into()],
    };
    let sources = Sources::new(&map.files, &directory);
    expect![[r#"
        warning[types]: `x` has two types
          ┌─ a.c:6:1
         1│ int x;
          │ ----- was an `int`
          │     --
          ·
         6│ long x;
          │ ^^^^^^ now a `long`
          = hint: choose one
        3 more errors
    "#]]
    .assert_eq(&render(std::slice::from_ref(&message), 3, &sources, false));
    expect![[r#"
        {
          "code": "types",
          "column": 1,
          "file": "a.c",
          "label": "now a `long`",
          "length": 6,
          "line": 6,
          "message": "`x` has two types",
          "notes": [
            "hint: choose one"
          ],
          "related": [
            {
              "column": 1,
              "file": "a.c",
              "label": "was an `int`",
              "length": 5,
              "line": 1
            },
            {
              "column": 5,
              "file": "a.c",
              "length": 2,
              "line": 1
            }
          ],
          "severity": "warning"
        }"#]]
    .assert_eq(&serde_json::to_string_pretty(&message.to_json(&sources)).unwrap());
    expect![[r#"
        ESC[1;33mwarning[types]ESC[0mESC[1m: `x` has two typesESC[0m
        ESC[34m  ┌─ ESC[0ma.c:6:1
        ESC[34m 1│ESC[0m int x;
        ESC[34m  │ESC[0m ESC[34m----- was an `int`ESC[0m
        ESC[34m  │ESC[0m     ESC[34m--ESC[0m
        ESC[34m  ·ESC[0m
        ESC[34m 6│ESC[0m long x;
        ESC[34m  │ESC[0m ESC[1;33m^^^^^^ now a `long`ESC[0m
        ESC[34m  = ESC[0mhint: choose one
        1 more error
    "#]]
    .assert_eq(&render(&[message], 1, &sources, true).replace('\x1b', "ESC"));
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn spans_without_text() {
    let directory = directory("spans", Some(b"int x;\n"));
    let files: Arena<String> = ["a.c", "<built-in>"].map(String::from).into_iter().collect();
    let sources = Sources::new(&files, &directory);
    let at = |file, line, column, length| Label::new(Span { file: Id::new(file), line, column, length }, "label");
    let message = |primary| Message {
        severity: Severity::Unsupported,
        code: None,
        message: "odd".into(),
        primary,
        secondary: Vec::new(),
        notes: Vec::new(),
    };
    let labels = [at(0, 1, 5, 1), at(0, 1, 5, 100), at(0, 7, 1, 1), at(1, 1, 1, 1), at(9, 1, 1, 1), Label::new(Span::NONE, "")];
    expect![[r#"
        error: odd
          ┌─ a.c:1:5
         1│ int x;
          │     ^ label
        error: odd
          ┌─ a.c:1:1
         1│ int x;
          │ ^^^^^^ label
        error: odd
          ┌─ a.c:7:1: label
        error: odd
          ┌─ <built-in>:1:1: label
        error: odd
        error: odd
    "#]]
    .assert_eq(&render(&labels.map(message), 0, &sources, false));
    fs::remove_dir_all(directory).unwrap();
}

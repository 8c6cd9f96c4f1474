//! The text form: what is printed comes back, and what is wrong is told.

use crate::common::{SAMPLES, check, program};
use expect_test::{Expect, expect, expect_file};
use loopfrog_model::text::{self, Spans, parse};
use loopfrog_model::{BinaryOp, CommandKind, Expr, ExprKind, FunctionId, Id, Program, Span};

#[test]
fn samples_come_back() {
    for sample in SAMPLES {
        check(&program(sample));
    }
}

#[test]
fn samples_are_as_they_are_printed() {
    for (sample, file) in SAMPLES.into_iter().zip(["samples/list.model", "samples/all.model"]) {
        expect_file![format!("{}/tests/it/{file}", env!("CARGO_MANIFEST_DIR"))]
            .assert_eq(&text::program(&program(sample), Spans::Commands));
    }
}

#[test]
fn a_function_with_all_spans() {
    let program = program(SAMPLES[0]);
    expect![[r#"
        function sum(list: *struct node) -> i32 {
            local sum: i32
            while b1
            $p0 = sum
            $p1 = list
            $p2 = sum
            $p3 = sum
            $p4 = list
            $e0 = 0
            $e1 = $p1
            $e2 = null(*struct node)
            $e3 = $e1 != $e2
            $e4 = $p3
            $e5 = $p4
            $p5 = *$e5
            $p6 = $p5.value
            $p7 = list
            $p8 = list
            $e6 = $p6
            $e7 = $e4 + $e6
            $e8 = $p8
            $p9 = *$e8
            $p10 = $p9.next
            $p11 = total
            $p12 = total
            $p13 = sum
            $p14 = sum
            $e9 = $p10
            $e10 = $p12
            $e11 = $p13
            $e12 = (i64)$e11
            $e13 = $e10 + $e12
            $e14 = $p14
        b0:
            $p0 = $e0
            goto b1
        b1:  // from b0, b2
            if $e3 goto b2 else b3
        b2:  // from b1
            $p2 = $e7
            $p7 = $e9
            goto b1
        b3:  // from b1
            $p11 = $e13
            return $e14
        }
    "#]]
    .assert_eq(&text::function(&program, FunctionId::new(1), Spans::Full));
}

#[test]
fn names_of_types() {
    let program = program(SAMPLES[1]);
    let names: Vec<String> = program.types.all().ids().map(|id| text::type_name(&program.types, id)).collect();
    assert!(names.contains(&"*struct node".to_string()));
    assert!(names.contains(&"*fn(i32, *u8) -> i32".to_string()));
    assert!(names.contains(&"[2]struct node".to_string()));
}

/// A function whose first block has these commands, then returns.
fn function(commands: &str) -> String {
    format!("model lp64\nfunction f(x: i32, p: *i32) -> i32 {{\nb0:\n{commands}\n    return x\n}}\n")
}

fn check_error(text: &str, expected: Expect) {
    let error = parse(text).expect_err("this text is wrong");
    expected.assert_eq(&error.to_string());
}

#[test]
fn errors() {
    check_error("", expect!["1:1: expected `model`, found the end of the text"]);
    check_error("model lp32\n", expect!["1:7: expected `lp64` or `ilp32`, found `lp32`"]);
    check_error("model lp64\nstruct s size 4 align 4 {\n    x: i32 at\n}\n", expect!["3:14: expected a number, found the end of the line"]);
    check_error("model lp64\nglobal x: struct s\n", expect![[r#"2:18: there is no such record as "s""#]]);
    check_error("model lp64\nglobal x: i32\nglobal x: i32\n", expect!["3:8: this name is declared twice"]);
    check_error("model lp64\nnonsense\n", expect!["2:1: expected a declaration, found `nonsense`"]);
    check_error("model lp64\nfunction f() {\nb0:\n", expect!["4:1: expected an expression, found the end of the text"]);
    check_error(&function("    x = y"), expect![[r#"4:9: there is no such thing as "y""#]]);
    check_error(&function("    x = 3000000000"), expect!["4:9: `3000000000` is no number of a type that it could have here"]);
    check_error(&function("    x = x +"), expect!["4:12: expected an expression, found the end of the line"]);
    check_error(&function("    x = (x"), expect!["4:11: expected `)`, found the end of the line"]);
    check_error(&function("    x = x && x"), expect!["4:15: `&&` takes truth values"]);
    check_error(&function("    x = f"), expect!["4:9: a function is no value; its address `&f` is one"]);
    check_error(&function("    x = *x"), expect!["4:10: this is not a pointer"]);
    check_error(&function("    x = 1.5"), expect!["function `f`: block 0, command 0: the value has another type than the place"]);
    check_error(&function("    goto b7"), expect!["5:5: expected block `b1`, found `return`"]);
    check_error(
        &function("    p = null(*i32, 99999999999999999999)"),
        expect!["function `f`: expression 0: the constant is wider than its type"],
    );
    check_error(&function("    assert bound: x == 1"), expect!["4:12: there is no check `bound`"]);
    check_error(&function("    x = 1 @1:2+3"), expect!["4:12: expected the name of a file, found `1`"]);
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("(", ")"), ("-(", ")"), ("*&", ""), ("(i32)", ""), ("!", ""), ("p[", "]"), ("(x ? x : ", ")")] {
        let deep = format!("    x = {}x{}", open.repeat(100_000), close.repeat(100_000));
        let error = parse(&function(&deep)).expect_err("this text is too deep").to_string();
        assert!(error.ends_with("this is nested too deeply"), "{open}: {error}");
    }
    let deep = format!("model lp64\nglobal x: {}i32\n", "*".repeat(100_000));
    assert!(parse(&deep).is_err());
    let long = format!("    x = {}x", "x + ".repeat(100_000));
    check(&parse(&function(&long)).expect("a long sum is not nested"));
}

/// A sum that is added to itself again and again: a tree of 2^count leaves.
fn doubled(count: u32) -> Program {
    let mut program = program(&function("    x = x + 1"));
    let body = program.functions[Id::new(0)].body.as_mut().expect("it has a body");
    let block = &mut body.blocks[Id::new(0)];
    let CommandKind::Assign { src, .. } = &mut block.commands[0].kind else { panic!("the command is an assignment") };
    let ty = body.exprs[*src].ty;
    for _ in 0..count {
        *src = body.exprs.push(Expr { kind: ExprKind::Binary(BinaryOp::Add, *src, *src), ty, span: Span::NONE });
    }
    // An expression that nothing uses survives only where all are listed.
    body.exprs.push(Expr { kind: ExprKind::Int(7), ty, span: Span::NONE });
    program
}

#[test]
fn shared_expressions_are_printed_once() {
    check(&doubled(64));
    let program = doubled(6);
    check(&program);
    expect![[r#"
        function f(x: i32, p: *i32) -> i32 {
            $e0 = x + 1 + (x + 1) + (x + 1 + (x + 1))
        b0:
            x = $e0 + $e0 + ($e0 + $e0) + ($e0 + $e0 + ($e0 + $e0)) + ($e0 + $e0 + ($e0 + $e0) + ($e0 + $e0 + ($e0 + $e0)))
            return x
        }
    "#]]
    .assert_eq(&text::function(&program, Id::new(0), Spans::Commands));
}

#[test]
fn the_example_in_the_documentation_is_right() {
    let source = include_str!("../../src/text/mod.rs");
    let lines = source.lines().skip_while(|line| *line != "//! ```text").skip(1).take_while(|line| *line != "//! ```");
    let text: Vec<&str> = lines.map(|line| line.trim_start_matches("//!").strip_prefix(' ').unwrap_or_default()).collect();
    let program = program(&text.join("\n"));
    assert_eq!(program.functions.len(), 1);
    check(&program);
}

#[test]
fn locals_hide_globals_unless_these_are_used() {
    let text = "model lp64
global a: i32
global b: i32
function f() {
    local a: i32
    local b#1: i32
b0:
    a = b + b#1
    return
}
";
    let program = program(text);
    check(&program);
    let printed = text::program(&program, Spans::None);
    assert!(printed.contains("    a = b + b#1\n"), "{printed}");
}

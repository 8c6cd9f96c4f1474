//! Hostile input ends in a message, in time and stack that are linear in its size.

use crate::Options;
use crate::parser::Parser;

/// The number of external declarations and the messages, from a thread with the stack that is promised to the parser.
fn parse(text: impl Into<Vec<u8>>) -> (usize, Vec<String>) {
    let text = text.into();
    let run = move || {
        let mut parser = Parser::new("test.c", &text, Options::default());
        let mut count = 0;
        while parser.next_external().is_some() {
            count += 1;
        }
        (count, parser.session.diagnostics.list().iter().map(|diagnostic| diagnostic.message.clone()).collect())
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread can be started");
    thread.join().expect("the parser does not panic")
}

fn too_deep(text: String) {
    assert_eq!(parse(text.clone()), (0, vec!["nesting deeper than 1000 levels".to_string()]), "{}", &text[..40]);
}

fn fine(text: String) {
    assert_eq!(parse(text), (1, vec![]));
}

#[test]
fn deep_nesting() {
    const N: usize = 100_000;
    for open in [
        "(",
        "f(",
        "a[",
        "!",
        "- ",
        "*",
        "(int)",
        "sizeof ",
        "a ? ",
        "({",
        "(int){",
        "~(",
        "a = (",
        "__extension__ -",
        "_Generic(",
        "&(int[]){",
    ] {
        too_deep(format!("int x = {}", open.repeat(N)));
    }
    for open in ["{", "if (1) ", "while (1) ", "for (;;) ", "do ", "switch (1) ", "if (1) {", "a: {", "({", "int f() {", "if (1) ; else {"]
    {
        too_deep(format!("void f() {{ {}", open.repeat(N)));
    }
    for open in ["(", "(*", "f(int (", "(*f)(int ", "f(struct { int "] {
        too_deep(format!("int {}", open.repeat(N)));
    }
    too_deep(format!("int f{}", "[sizeof(int ".repeat(N)));
    for open in ["struct {", "struct { int a : sizeof(", "enum { A = sizeof(", "typeof(", "_Atomic(", "_Alignas(", "typeof(int (*)("] {
        too_deep(open.repeat(N));
    }
    too_deep(format!("int x = {}", "{".repeat(N)));
    too_deep(format!("int x = {}", "{ [1] = ".repeat(N)));
    too_deep(format!("__attribute__((aligned({}", "sizeof(int __attribute__((aligned(".repeat(N)));
}

#[test]
fn long_chains() {
    const N: usize = 20_000;
    for link in ["+ 1", "&& 1", ", 1", "? 1 : 1", "= 1", "[1]", "(1)", ".x", "++", "- 1 * 2"] {
        fine(format!("void f() {{ a {}; }}", link.repeat(N)));
    }
    fine(format!("void f() {{ if (1) ; {} }}", "else if (1) ;".repeat(N)));
    fine(format!("void f() {{ {} ; }}", "case 1: ".repeat(N)));
    fine(format!("void f() {{ {} ; }}", "l: default: ".repeat(N)));
    fine(format!("int {} p;", "*".repeat(N)));
    fine(format!("int p{};", "[1]".repeat(N)));
    fine(format!("int x = sizeof(int{});", "[1]".repeat(N)));
    fine(format!("char *s = {};", "\"a\"".repeat(N)));
    fine(format!("int {} x;", "__attribute__((x))".repeat(N)));
}

#[test]
fn nesting_below_the_limit() {
    fine(format!("int x = {}1{};", "(".repeat(900), ")".repeat(900)));
    fine(format!("void f() {}{}", "{".repeat(900), "}".repeat(900)));
}

#[test]
fn garbage() {
    let mut state = 1u32;
    for size in [10, 1000, 300_000] {
        let bytes: Vec<u8> = (0..size)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        let (_, messages) = parse(bytes);
        assert!(!messages.is_empty());
    }
    let (_, messages) = parse(vec![0; 1_000_000]);
    assert_eq!(messages, ["the text contains a zero byte"]);
    let (_, messages) = parse("@ ".repeat(500_000));
    assert_eq!(messages.len(), 50);
    let (_, messages) = parse("} ".repeat(500_000));
    assert_eq!(messages.len(), 50);
    let (_, messages) = parse("#x\n".repeat(500_000));
    assert_eq!(messages.len(), 50);
    let (_, messages) = parse("_Pragma ".repeat(500_000));
    assert_eq!(messages.len(), 50);
}

#[test]
fn every_prefix_of_a_program() {
    let program = r#"
        # 3 "x.c" 1
        typedef struct s { int a : 3; enum { A, B = 1 } b; } S; __attribute__((aligned(8))) int v[2] = { [0] = 1, 0x2 };
        int f(a, b) int a; char *b; { static S s = { .a = 1 }; for (int i = 0; i < 3; i++) { if (a) goto l; else break; } l: return 'x'; }
        int g(S *p, ...) { asm("x" : "=r"(p) :: "cc"); switch (1) { case 1 ... 2: default: ; } do ; while (sizeof(S) ? 1 : 0); return p->a; }
        [[x::y]] int (*h)(int) = _Generic(1, int: (S) { 1 }, default: ({ __label__ q; q: "a" L"b"; })); _Static_assert(1, "m"); /* c */ // d
    "#;
    assert_eq!(parse(program), (6, vec![]));
    for end in 0..program.len() {
        parse(&program.as_bytes()[..end]);
    }
    // And with each byte replaced.
    for at in 0..program.len() {
        for byte in [b'(', b'}', b';', b'"', 0, b'*'] {
            let mut text = program.as_bytes().to_vec();
            text[at] = byte;
            parse(text);
        }
    }
}

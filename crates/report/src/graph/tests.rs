//! Drawings by example.

use expect_test::expect;
use model::{FunctionId, Program};

use super::Graphs;

const LOOPS: &str = "model lp64
file \"a.c\"
function f(n: i32) -> i32 {
    local i: i32
    while b1
b0:
    i = 0
    goto b1
b1:
    if i < n goto b2 else b5
b2:
    switch i {
        case 1: b3
        case 2 ... 4: b3
        default: b4
    }
b3:
    i = i + 1
    goto b1
b4:
    i = i + 2
    goto b1
b5:
    return i
b6:
    unreachable
}
function declared()
";

fn parsed(text: &str) -> Program {
    model::text::parse(text).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Checks that tags are balanced and that no stray special character is left.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for piece in svg.split('<').skip(1) {
        let (tag, rest) = piece.split_once('>').expect("every tag ends");
        assert!(!rest.contains('>'), "stray > in {rest}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    for entity in svg.split('&').skip(1) {
        assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|known| entity.starts_with(known)), "stray & before {entity}");
    }
}

#[test]
fn dot() {
    let program = parsed(LOOPS);
    expect![[r##"
        digraph "f" {
          node [shape=box, fontname="monospace", fontsize=10];
          edge [fontname="monospace", fontsize=9];
          b0 [label="b0 · entry\li = 0\l"];
          b1 [label="b1 · loop\l", style=filled, fillcolor="#fff0d8"];
          b5 [label="b5\lreturn i\l"];
          b2 [label="b2\lswitch i\l"];
          b3 [label="b3\li = i + 1\l"];
          b4 [label="b4\li = i + 2\l"];
          b6 [label="b6\lunreachable\l", style=dashed];
          b0 -> b1 [];
          b1 -> b2 [label="i < n"];
          b1 -> b5 [label="!(i < n)"];
          b2 -> b4 [label="default"];
          b2 -> b3 [label="1, 2 … 4"];
          b3 -> b1 [color="#b04000", constraint=false];
          b4 -> b1 [color="#b04000", constraint=false];
        }
    "##]]
    .assert_eq(&Graphs::new(&program).dot(FunctionId::new(0)));
}

#[test]
fn text() {
    let program = parsed(LOOPS);
    expect![[r#"
        f
          b0 · entry
              i = 0
            → b1
          b1 · loop
            → b2  when i < n
            → b5  when !(i < n)
          b5
              return i
          b2
              switch i
            → b4  when default
            → b3  when 1, 2 … 4
          b3
              i = i + 1
            → b1  (back)
          b4
              i = i + 2
            → b1  (back)
          b6 · unreachable
              unreachable
    "#]]
    .assert_eq(&Graphs::new(&program).text(FunctionId::new(0)));
}

#[test]
fn svg() {
    let program = parsed(LOOPS);
    let graphs = Graphs::new(&program);
    let svg = graphs.svg(FunctionId::new(0));
    assert_well_formed(&svg);
    assert_eq!(svg.matches("<rect").count(), 7);
    assert_eq!(svg.matches("class=\"box header\"").count(), 1);
    assert_eq!(svg.matches("class=\"box unreachable\"").count(), 1);
    assert_eq!(svg.matches("class=\"edge back\"").count(), 2);
    assert_eq!(svg.matches("class=\"edge\"").count(), 5);
    assert!(svg.contains(">!(i &lt; n)</text>"), "{svg}");
    assert_eq!(svg, graphs.svg(FunctionId::new(0)));
}

#[test]
fn declared_only() {
    let program = parsed(LOOPS);
    let graphs = Graphs::new(&program);
    assert_well_formed(&graphs.svg(FunctionId::new(1)));
    assert_well_formed(&graphs.svg(FunctionId::new(9)));
    assert!(graphs.dot(FunctionId::new(1)).starts_with("digraph \"declared\" {"));
}

#[test]
fn names_are_escaped_and_long_blocks_cut() {
    let mut program = parsed(LOOPS);
    let function = &mut program.functions[FunctionId::new(0)];
    function.name = "<\"a\\b\"&\u{1}>".to_string();
    let block = &mut function.body.as_mut().unwrap().blocks[model::Body::ENTRY];
    block.commands = vec![block.commands[0].clone(); 1000];
    let graphs = Graphs::new(&program);
    let (dot, svg) = (graphs.dot(FunctionId::new(0)), graphs.svg(FunctionId::new(0)));
    assert!(dot.starts_with("digraph \"<\\\"a\\\\b\\\"&\u{fffd}>\" {"), "{dot}");
    assert!(svg.contains("<title>&lt;&quot;a\\b&quot;&amp;\u{fffd}&gt;</title>"), "{svg}");
    assert!(svg.contains(">… 976 more</text>"));
    assert_well_formed(&svg);
}

//! JSON by example.

use expect_test::{Expect, expect};
use model::{FunctionId, text};
use serde_json::Value;

const TEXT: &str = "model lp64
file \"a.c\"
struct s size 8 align 4 {
    a: i32 at 0
    b: u3 at 4 bit 2
}  @\"a.c\":1:8+1
static global h: [3]*i32 = {
    0: i64 258
    8: &g + 4
}
static global g: [2]struct s = zero  @\"a.c\":2:5+1
function printf(*u8, ...) -> i32
function f(n: i32)  @\"a.c\":5:6+1 {
    while b1  @6:3+5
b0:
    goto b1
b1:
    if n != 0 goto b2 else b3  @6:10+6
b2:
    n = n - 1  @7:5+9
    goto b1
b3:
    return  @8:1+1
}
";

fn check(view: impl FnOnce(&model::Program) -> Value, expected: Expect) {
    let program = text::parse(TEXT).unwrap_or_else(|error| panic!("{error:?}"));
    expected.assert_eq(&serde_json::to_string_pretty(&view(&program)).unwrap());
}

#[test]
fn program() {
    check(
        super::program,
        expect![[r#"
            {
              "assembly": [],
              "files": [
                "a.c"
              ],
              "functions": [
                {
                  "defined": false,
                  "kind": "function",
                  "linkage": "external",
                  "name": "printf",
                  "noreturn": false,
                  "place": null,
                  "type": "fn(*u8, ...) -> i32"
                },
                {
                  "blocks": [
                    {
                      "commands": [],
                      "id": 0,
                      "terminator": {
                        "kind": "goto",
                        "place": null,
                        "targets": [
                          1
                        ],
                        "text": "goto b1"
                      }
                    },
                    {
                      "commands": [],
                      "id": 1,
                      "terminator": {
                        "kind": "branch",
                        "place": {
                          "column": 10,
                          "file": "a.c",
                          "length": 6,
                          "line": 6
                        },
                        "targets": [
                          2,
                          3
                        ],
                        "text": "if n != 0 goto b2 else b3"
                      }
                    },
                    {
                      "commands": [
                        {
                          "kind": "assign",
                          "place": {
                            "column": 5,
                            "file": "a.c",
                            "length": 9,
                            "line": 7
                          },
                          "text": "n = n - 1"
                        }
                      ],
                      "id": 2,
                      "terminator": {
                        "kind": "goto",
                        "place": null,
                        "targets": [
                          1
                        ],
                        "text": "goto b1"
                      }
                    },
                    {
                      "commands": [],
                      "id": 3,
                      "terminator": {
                        "kind": "return",
                        "place": {
                          "column": 1,
                          "file": "a.c",
                          "length": 1,
                          "line": 8
                        },
                        "targets": [],
                        "text": "return"
                      }
                    }
                  ],
                  "defined": true,
                  "kind": "function",
                  "linkage": "external",
                  "locals": [
                    {
                      "name": "n",
                      "place": null,
                      "type": "i32"
                    }
                  ],
                  "name": "f",
                  "noreturn": false,
                  "params": 1,
                  "place": {
                    "column": 6,
                    "file": "a.c",
                    "length": 1,
                    "line": 5
                  },
                  "type": "fn(i32)"
                }
              ],
              "globals": [
                {
                  "addresses": [
                    {
                      "addend": 4,
                      "global": 1,
                      "offset": 8,
                      "size": 8
                    }
                  ],
                  "chunks": [
                    {
                      "bytes": "0201000000000000",
                      "offset": 0
                    }
                  ],
                  "constant": false,
                  "defined": true,
                  "kind": "object",
                  "linkage": "internal",
                  "name": "h",
                  "place": null,
                  "size": 24,
                  "thread_local": false,
                  "type": "[3]*i32"
                },
                {
                  "addresses": [],
                  "chunks": [],
                  "constant": false,
                  "defined": true,
                  "kind": "object",
                  "linkage": "internal",
                  "name": "g",
                  "place": {
                    "column": 5,
                    "file": "a.c",
                    "length": 1,
                    "line": 2
                  },
                  "size": 16,
                  "thread_local": false,
                  "type": "[2]struct s"
                }
              ],
              "records": [
                {
                  "align": 4,
                  "fields": [
                    {
                      "name": "a",
                      "offset": 0,
                      "type": "i32"
                    },
                    {
                      "bit": 2,
                      "name": "b",
                      "offset": 4,
                      "type": "u3"
                    }
                  ],
                  "kind": "struct",
                  "name": "s",
                  "place": {
                    "column": 8,
                    "file": "a.c",
                    "length": 1,
                    "line": 1
                  },
                  "size": 8
                }
              ],
              "target": "lp64"
            }"#]],
    );
}

#[test]
fn cfg_edges() {
    check(
        |program| super::cfg(program, [FunctionId::new(1), FunctionId::new(7)])[0]["edges"].clone(),
        expect![[r#"
        [
          {
            "back": false,
            "from": 0,
            "guard": "",
            "to": 1
          },
          {
            "back": false,
            "from": 1,
            "guard": "n != 0",
            "to": 2
          },
          {
            "back": false,
            "from": 1,
            "guard": "!(n != 0)",
            "to": 3
          },
          {
            "back": true,
            "from": 2,
            "guard": "",
            "to": 1
          }
        ]"#]],
    );
}

#[test]
fn loops() {
    check(
        super::loops,
        expect![[r#"
        [
          {
            "function": "f",
            "loops": [
              {
                "blocks": [
                  1,
                  2
                ],
                "children": [],
                "depth": 0,
                "entries": [
                  1
                ],
                "exits": [
                  [
                    1,
                    3
                  ]
                ],
                "header": 1,
                "irreducible": false,
                "kind": "while",
                "place": {
                  "column": 3,
                  "file": "a.c",
                  "length": 5,
                  "line": 6
                }
              }
            ],
            "place": {
              "column": 6,
              "file": "a.c",
              "length": 1,
              "line": 5
            }
          }
        ]"#]],
    );
}

#[test]
fn symbols() {
    check(
        super::symbols,
        expect![[r#"
            [
              {
                "defined": false,
                "kind": "function",
                "linkage": "external",
                "name": "printf",
                "noreturn": false,
                "place": null,
                "type": "fn(*u8, ...) -> i32"
              },
              {
                "defined": true,
                "kind": "function",
                "linkage": "external",
                "name": "f",
                "noreturn": false,
                "place": {
                  "column": 6,
                  "file": "a.c",
                  "length": 1,
                  "line": 5
                },
                "type": "fn(i32)"
              },
              {
                "constant": false,
                "defined": true,
                "kind": "object",
                "linkage": "internal",
                "name": "h",
                "place": null,
                "size": 24,
                "thread_local": false,
                "type": "[3]*i32"
              },
              {
                "constant": false,
                "defined": true,
                "kind": "object",
                "linkage": "internal",
                "name": "g",
                "place": {
                  "column": 5,
                  "file": "a.c",
                  "length": 1,
                  "line": 2
                },
                "size": 16,
                "thread_local": false,
                "type": "[2]struct s"
              }
            ]"#]],
    );
}

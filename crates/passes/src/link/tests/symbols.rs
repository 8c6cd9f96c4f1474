//! Which symbols become one, and what becomes of their uses.

use expect_test::{Expect, expect};
use model::text::{self, Spans};

use crate::link::{Unit, link};

/// Units named a.c, b.c, … from text without its first lines.
fn units(texts: &[&str]) -> Vec<Unit> {
    let unit = |(letter, text): (char, &&str)| {
        let name = format!("{letter}.c");
        let text = format!("model lp64\nfile \"{name}\"\n{text}");
        Unit { program: text::parse(&text).unwrap_or_else(|error| panic!("{error:?}")), name }
    };
    ('a'..).zip(texts).map(unit).collect()
}

/// Links and prints the program without its file names, and the warnings.
fn linked(texts: &[&str]) -> String {
    let linked = match link(units(texts)) {
        Ok(linked) => linked,
        Err(errors) => return errors.iter().map(|error| format!("error: {error}\n")).collect(),
    };
    assert_eq!(model::verify(&linked.program), Ok(()));
    let warnings: String = linked.warnings.iter().map(|warning| format!("warning: {warning}\n")).collect();
    let text = text::program(&linked.program, Spans::None);
    let lines = text.lines().filter(|line| !line.starts_with("model ") && !line.starts_with("file "));
    warnings + lines.map(|line| format!("{line}\n")).collect::<String>().trim_start()
}

fn check(texts: &[&str], expected: Expect) {
    expected.assert_eq(&linked(texts));
}

#[test]
fn a_declaration_means_the_definition_elsewhere() {
    check(
        &[
            "global counter: i32
             function used(i32) -> i32
             function unused(i32) -> i32
             function library()
             function main() -> i32 {
             b0:
                 counter = used(counter)
                 library()
                 return counter
             }",
            "global counter: i32 = i32 5
             function used(x: i32) -> i32 {
             b0:
                 return x
             }",
        ],
        expect![[r#"
            global counter: i32 = i32 5

            function library()

            function main() -> i32 {
            b0:
                counter = used(counter)
                library()
                return counter
            }

            function used(x: i32) -> i32 {
            b0:
                return x
            }
        "#]],
    );
}

#[test]
fn all_multiple_definitions_are_told() {
    let text = "global g: i32 = i32 1  @\"a.c\":1:5+1
        function main() -> i32  @\"a.c\":3:5+4 {
        b0:
            return 0
        }";
    check(
        &[text, &text.replace("a.c", "b.c"), "function main() {\nb0:\nreturn\n}"],
        expect![[r#"
        error: multiple definition of `main`: a.c:3:5 and b.c:3:5
        error: multiple definition of `main`: a.c:3:5 and c.c
        error: multiple definition of `g`: a.c:1:5 and b.c:1:5
    "#]],
    );
}

#[test]
fn functions_are_not_objects() {
    check(
        &["global f: i32 = i32 1  @\"a.c\":1:5+1", "function f() @\"b.c\":2:5+1"],
        expect![[r#"
        error: `f` is a function at b.c:2:5, but an object at a.c:1:5
    "#]],
    );
}

#[test]
fn data_models_must_agree() {
    let mut units = units(&["", ""]);
    units[1].program = model::Program::new(model::Target::Ilp32);
    let errors = link(units).unwrap_err();
    assert_eq!(errors.iter().map(|error| error.to_string()).collect::<Vec<_>>(), ["a.c is for lp64, but b.c is for ilp32"]);
}

#[test]
fn internal_symbols_stay_apart() {
    let unit = |name: &str, value: i32| {
        format!(
            "static global state: i32 = i32 {value}
             static function get() -> i32 {{
             b0:
                 return state
             }}
             function {name}() -> i32 {{
                 local result: i32
             b0:
                 result = get()
                 return result
             }}"
        )
    };
    check(
        &[&unit("first", 1), &unit("second", 2)],
        expect![[r#"
        static global state: i32 = i32 1
        static global state#1: i32 = i32 2

        static function get() -> i32 {
        b0:
            return state
        }

        function first() -> i32 {
            local result: i32
        b0:
            result = get()
            return result
        }

        static function get#1() -> i32 {
        b0:
            return state#1
        }

        function second() -> i32 {
            local result: i32
        b0:
            result = get#1()
            return result
        }
    "#]],
    );
}

#[test]
fn weak_definitions_give_way() {
    check(
        &[
            "weak global a: i32 = i32 1\nweak global b: i32 = i32 1\nweak global c: i32 = i32 1",
            "weak global a: i32 = i32 2\nglobal b: i32 = i32 2\ncommon global c: i32 = zero",
            "weak global a: i32 = i32 3",
        ],
        expect![[r#"
            weak global a: i32 = i32 1
            global b: i32 = i32 2
            common global c: i32 = zero
        "#]],
    );
}

#[test]
fn the_largest_common_symbol_wins() {
    check(
        &[
            "common global a: i32 = zero\ncommon global b: [4]i32 = zero\ncommon global c: i32 = zero",
            "common global a: [4]i32 = zero\ncommon global b: i32 = zero\nglobal c: i32 = i32 5",
        ],
        expect![[r#"
            common global b: [4]i32 = zero
            common global a: [4]i32 = zero
            global c: i32 = i32 5
        "#]],
    );
}

#[test]
fn inline_definitions_are_a_last_resort() {
    let inline = "inline function f() -> i32 {\nb0:\nreturn 1\n}\ninline function g() -> i32 {\nb0:\nreturn 1\n}\n";
    check(
        &[inline, &inline.replace('1', "2"), "function f() -> i32 {\nb0:\nreturn 3\n}"],
        expect![[r#"
        inline function g() -> i32 {
        b0:
            return 1
        }

        function f() -> i32 {
        b0:
            return 3
        }
    "#]],
    );
}

#[test]
fn an_inline_body_belongs_to_its_source_name() {
    check(
        &["function __read_alias() -> i64 asm \"read\"
           inline function read() -> i64 {
               local result: i64
           b0:
               result = __read_alias()
               return result
           }"],
        expect![[r#"
            function __read_alias() -> i64 asm "read"

            inline function read() -> i64 {
                local result: i64
            b0:
                result = __read_alias()
                return result
            }
        "#]],
    );
}

#[test]
fn link_names_match() {
    check(
        &["function renamed() asm \"real\"\nfunction main() {\nb0:\nrenamed()\nreturn\n}", "function real() {\nb0:\nreturn\n}"],
        expect![[r#"
            function main() {
            b0:
                real()
                return
            }

            function real() {
            b0:
                return
            }
        "#]],
    );
}

#[test]
fn an_alias_means_its_target() {
    let library = "static function target() {
        b0:
            return
        }
        function strong() alias \"target\"
        weak function weak() alias \"strong\"
        function nowhere() alias \"missing\"
        global object: i32 = i32 1
        global other: i32 alias \"object\" = zero";
    let user = "function strong()\nfunction weak()\nfunction nowhere()\nglobal other: i32
        function main() -> i32 {
        b0:
            strong()
            weak()
            nowhere()
            return other
        }";
    check(
        &[library, user],
        expect![[r#"
            global object: i32 = i32 1
            global other: i32 alias "object" = zero

            static function target() {
            b0:
                return
            }

            function strong() alias "target"
            weak function weak() alias "strong"
            function nowhere()

            function main() -> i32 {
            b0:
                target()
                target()
                nowhere()
                return object
            }
        "#]],
    );
    check(
        &[library, user, "function weak() {\nb0:\nreturn\n}"],
        expect![[r#"
            global object: i32 = i32 1
            global other: i32 alias "object" = zero

            static function target() {
            b0:
                return
            }

            function strong() alias "target"
            function nowhere()

            function main() -> i32 {
            b0:
                target()
                weak()
                nowhere()
                return object
            }

            function weak() {
            b0:
                return
            }
        "#]],
    );
}

#[test]
fn old_style_calls_stay_direct_where_they_fit() {
    check(
        &[
            "function f(...) -> i32
             function main() -> i32 {
                 local x: i32
                 local p: *fn(...) -> i32
             b0:
                 x = f(1)
                 x = f()
                 p = &f
                 return x
             }",
            "function f(x: i32) -> i32 {\nb0:\nreturn x\n}",
        ],
        expect![[r#"
            function main() -> i32 {
                local x: i32
                local p: *fn(...) -> i32
            b0:
                x = f(1)
                x = ((*fn(...) -> i32)&f)()
                p = (*fn(...) -> i32)&f
                return x
            }

            function f(x: i32) -> i32 {
            b0:
                return x
            }
        "#]],
    );
}

#[test]
fn wrong_declarations_are_told_and_modelled() {
    check(
        &[
            "global g: i64  @\"a.c\":1:1+1
             function f(i64)  @\"a.c\":2:1+1
             function main() {
             b0:
                 f(5)
                 g = 1
                 return
             }",
            "global g: f64 = zero  @\"b.c\":1:1+1
             function f(x: f64)  @\"b.c\":2:1+1 {
             b0:
                 return
             }",
        ],
        expect![[r#"
            warning: the type of `f` at a.c:2:1 does not fit the one at b.c:2:1
            warning: the type of `g` at a.c:1:1 does not fit the one at b.c:1:1
            global g: f64 = zero

            function main() {
            b0:
                ((*fn(i64))&f)(5)
                *(*i64)&g = 1
                return
            }

            function f(x: f64) {
            b0:
                return
            }
        "#]],
    );
}

#[test]
fn an_array_gets_its_length() {
    check(
        &[
            "global a: []i32
             function main() -> i32 {
                 local p: *[]i32
             b0:
                 p = &a
                 return a[2]
             }",
            "global a: [3]i32 = zero",
        ],
        expect![[r#"
            global a: [3]i32 = zero

            function main() -> i32 {
                local p: *[]i32
            b0:
                p = (*[]i32)&a
                return a[2]
            }
        "#]],
    );
}

#[test]
fn a_single_unit_is_unchanged() {
    let text = "struct s size 8 align 8 {
            next: *struct s at 0
        }
        weak global head: *struct s = zero
        static global list: struct s = &list
        function step(p: *struct s) -> *struct s {
            while b1
        b0:
            goto b1
        b1:
            if p != null goto b2 else b3
        b2:
            p = p->next
            goto b1
        b3:
            return p
        }";
    let units = units(&[text]);
    let before = text::program(&units[0].program, Spans::Full);
    assert_eq!(before, text::program(&link(units).unwrap().program, Spans::Full));
}

#[test]
fn a_table_of_labels_goes_with_its_body() {
    let unit = |linkage: &str| {
        format!(
            "static global table: [1]*void = &&b1 of jump
             {linkage} function jump() {{
                 labels b1
             b0:
                 goto *table[0]
             b1:
                 return
             }}"
        )
    };
    check(
        &[&unit(""), &unit("weak")],
        expect![[r#"
        static global table: [1]*void = &&b1 of jump
        static global table#1: [1]*void = zero

        function jump() {
            labels b1
        b0:
            goto *table[0]
        b1:  // from b0
            return
        }
    "#]],
    );
}

#[test]
fn a_displaced_alias_target_is_not_guessed() {
    check(
        &[
            "weak function target() {\nb0:\nreturn\n}\nfunction other() alias \"target\"\nfunction main() {\nb0:\nother()\nreturn\n}",
            "function target() {\nb0:\nunreachable\n}",
        ],
        expect![[r#"
            function other()

            function main() {
            b0:
                other()
                return
            }

            function target() {
            b0:
                unreachable
            }
        "#]],
    );
}

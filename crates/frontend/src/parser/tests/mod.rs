mod declarations;
mod dump;
mod errors;
mod expressions;
mod lexing;
mod robustness;
mod statements;

use expect_test::Expect;

use crate::Options;
use crate::parser::Parser;

fn check(text: &str, expect: Expect) {
    check_with(text, Options::default(), expect);
}

fn check_with(text: &str, options: Options, expect: Expect) {
    expect.assert_eq(&dump::dump(Parser::new("test.c", text.as_bytes(), options)));
}

/// The options of a version of C.
fn standard(standard: u16, gnu: bool) -> Options {
    Options { standard, gnu, ..Options::default() }
}

/// Checks the statements of a function in which `T` is a type.
fn check_statements(text: &str, expect: Expect) {
    let program = format!("typedef int T; void f() {{ {text} }}");
    expect.assert_eq(&dump::dump_statements(Parser::new("test.c", program.as_bytes(), Options::default())));
}

//! C text in, model text out: these snapshots are the specification of the elaborator.

mod aggregates;
mod complex;
mod control;
mod errors;
mod expressions;
mod functions;
mod lifetimes;
mod nested;
mod pointers;
mod reads;

use expect_test::Expect;
use model::Target;

use crate::{Options, translate};

/// Checks the model of a program: it is well-formed, and its text is as expected.
#[track_caller]
fn check(source: &str, expect: Expect) {
    check_with(source, &Options::default(), expect);
}

/// The same for a machine with 32 bits.
#[track_caller]
fn check_32(source: &str, expect: Expect) {
    check_with(source, &Options { target: Target::Ilp32, ..Options::default() }, expect);
}

#[track_caller]
fn check_with(source: &str, options: &Options, expect: Expect) {
    let translation = translate("test.c", source.as_bytes(), options);
    let Some(program) = translation.program else {
        panic!("no model: {:#?}", translation.diagnostics.list());
    };
    assert_eq!(model::verify(&program), Ok(()));
    let text = model::text::program(&program, model::text::Spans::None);
    // The head is the same for all.
    let text = text.split_once("file \"test.c\"\n").map_or(text.as_str(), |(_, rest)| rest);
    expect.assert_eq(text.trim_start_matches('\n'));
}

/// Checks what is said of a program that is not accepted: place, message, label, and what is related.
#[track_caller]
fn check_errors(source: &str, expect: Expect) {
    let translation = translate("test.c", source.as_bytes(), &Options::default());
    assert!(translation.program.is_none(), "the program was accepted");
    let mut text = String::new();
    for diagnostic in translation.diagnostics.list() {
        let place = |range| {
            let span = translation.map.span(range);
            format!("{}:{}", span.line, span.column)
        };
        let label = if diagnostic.label.is_empty() { String::new() } else { format!(" ({})", diagnostic.label) };
        text += &format!("{} {:?}: {}{label}\n", place(diagnostic.range), diagnostic.severity, diagnostic.message);
        for (range, label) in &diagnostic.related {
            text += &format!("  {}: {label}\n", place(*range));
        }
    }
    expect.assert_eq(&text);
}

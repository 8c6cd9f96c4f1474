//! Sample programs and what must hold of every program.

use loopfrog_model::text::{self, Spans, parse};
use loopfrog_model::{Program, binary, verify};

/// Programs in the text form: an ordinary one, and one with everything in it.
pub const SAMPLES: [&str; 2] = [include_str!("samples/list.model"), include_str!("samples/all.model")];

/// The program that a text describes.
pub fn program(text: &str) -> Program {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Checks that a program is verified and comes back from all its forms.
pub fn check(program: &Program) {
    verify(program).expect("the program is verified");
    let full = text::program(program, Spans::Full);
    assert_eq!(parse(&full).as_ref(), Ok(program), "{full}");
    for spans in [Spans::Commands, Spans::None] {
        let text = text::program(program, spans);
        let again = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(text::program(&again, spans), text);
    }
    let bytes = binary::to_bytes(program);
    assert_eq!(binary::from_bytes(&bytes).as_ref(), Ok(program));
    assert_eq!(binary::to_bytes(program), bytes);
}

//! From C text to the model.
//!
//! [`translate`] takes preprocessed text (see [`preprocess`]) and gives a [`Program`] or the reasons why there is none. The text is read
//! once: the parser makes the syntax tree of one external declaration, the elaborator types it and builds its part of the model, and the
//! tree is thrown away.

pub mod ast;
pub mod diagnostic;
mod elab;
pub mod intern;
mod lexer;
mod literal;
pub mod parser;
pub mod preprocess;
pub mod source;
mod token;

use model::{Program, Target};

use crate::diagnostic::Diagnostics;
use crate::intern::Interner;
use crate::parser::Parser;
use crate::source::SourceMap;

/// What the command line says about the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The data model.
    pub target: Target,
    /// The version of C: 1989, 1999, 2011, 2017 or 2023.
    pub standard: u16,
    /// Whether GNU keywords (`asm`, `typeof`, and `inline` in C89) are keywords even without underscores.
    pub gnu: bool,
    /// Whether plain `char` is unsigned (`-funsigned-char`).
    pub unsigned_char: bool,
    /// Whether tentative definitions merge across translation units (`-fcommon`).
    pub common: bool,
    /// Whether `inline` has its old GNU meaning (`-fgnu89-inline`, C89).
    pub gnu_inline: bool,
    /// Whether enumerations take the smallest type that holds their values (`-fshort-enums`).
    pub short_enums: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            target: Target::Lp64,
            standard: 2017,
            gnu: true,
            unsigned_char: false,
            common: false,
            gnu_inline: false,
            short_enums: false,
        }
    }
}

/// What parser and elaborator share about one translation unit.
#[derive(Debug)]
pub struct Session {
    /// What the command line says.
    pub options: Options,
    /// The names that occur.
    pub names: Interner,
    /// Where the text comes from.
    pub map: SourceMap,
    /// What there is to say.
    pub diagnostics: Diagnostics,
    /// The symbols of `#pragma weak`, each with the one that it is another name for.
    pub weak: Vec<(intern::Symbol, Option<intern::Symbol>)>,
}

/// Translates preprocessed text. Needs a stack of 64 MiB or more for deeply nested input.
pub fn translate(file_name: &str, text: &[u8], options: &Options) -> Translation {
    let mut parser = Parser::new(file_name, text, options.clone());
    let mut unit = elab::Unit::new(options);
    while let Some(external) = parser.next_external() {
        // Behind a syntax error names are missing: only more syntax errors are worth telling.
        if !parser.had_syntax_error() {
            elab::Elaborator::new(&parser.ast, &mut parser.session, &mut unit).external(&external);
        }
    }
    let session = &mut parser.session;
    elab::Elaborator::new(&parser.ast, session, &mut unit).finish();
    let failed = session.diagnostics.errors() > 0;
    let mut program = unit.program;
    program.files = session.map.files.clone();
    model::prune(&mut program);
    Translation { program: (!failed).then_some(program), diagnostics: std::mem::take(&mut session.diagnostics), map: parser.session.map }
}

/// The result of [`translate`].
#[derive(Debug)]
pub struct Translation {
    /// The model, unless there were errors.
    pub program: Option<Program>,
    /// What there is to say.
    pub diagnostics: Diagnostics,
    /// Where the text comes from.
    pub map: SourceMap,
}

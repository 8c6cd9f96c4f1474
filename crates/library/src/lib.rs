//! Models of C and POSIX library functions, and their linking.
//!
//! A model is a C function in `models/`, one file for each header: it asserts what the caller has to see to, and does what the library's
//! function does, or something of which that is a case. It is built on the primitives that `models/prelude.h` declares. Models have no
//! loops (but for callbacks that change something), so that analyses need not unwind them; what they approximate for that reason, their
//! comments say.
//!
//! [`link()`] gives bodies to the functions that a program uses and does not define. Contract:
//! - every behaviour of the program with the real library is one of the linked program, except where a model's comment says otherwise;
//! - the program's own definitions win; a model that does not fit the program's declaration is not used;
//! - only what the program needs is added, in an order that depends on nothing but the program;
//! - spans of what is added lie in files that begin with [`Program::LIBRARY`].

mod callback;
mod edition;
mod fit;
mod format;
mod selection;
mod separate;

use std::collections::BTreeSet;

use model::{Program, Span};
use passes::link::{self, Unit};

pub use separate::separate;

/// A program with models.
#[derive(Debug)]
pub struct Linked {
    /// The program.
    pub program: Program,
    /// The functions and variables that got a model, by name, in alphabetical order.
    pub modelled: Vec<String>,
}

/// Links the models that a program needs. The error is a defect of the models or a program that uses a reserved name for something else.
pub fn link(mut program: Program) -> Result<Linked, String> {
    let printing = format::expand(&mut program);
    selection::forget_stubs(&mut program);
    let (models, served) = selection::select(&program)?;
    // Functions that only models know mean nothing to a user.
    let served = served.into_iter().filter(|name| !name.starts_with("__loopfrog_"));
    let modelled: Vec<String> = served.chain(printing).collect::<BTreeSet<_>>().into_iter().collect();
    if models.is_empty() {
        return Ok(Linked { program, modelled });
    }
    let mut units = vec![Unit { name: "program".into(), program }];
    units.extend(models);
    match link::link(units) {
        Ok(linked) => Ok(Linked { program: linked.program, modelled }),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
    }
}

/// Whether a place is in a model of the library.
pub fn is_library(program: &Program, span: Span) -> bool {
    program.is_library(span)
}

/// The functions and variables that have a model, by header file, each list in the order of the file.
pub fn contents() -> Vec<(String, Vec<String>)> {
    edition::contents()
}

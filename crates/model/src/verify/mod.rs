//! What every model satisfies, and the check of it.
//!
//! Whoever holds a verified program may index its tables with the ids it finds there, may rely on the types of operands, and may walk
//! expressions and the parts of objects without fear of circles. The check takes about linear time, never recurses and never panics:
//! it is what stands between a corrupt file and the rest of the program.

mod body;
mod data;
mod types;

use std::fmt;

use rustc_hash::FxHashSet;

use crate::graph::BlockId;
use crate::program::{Function, FunctionId, Program};
use crate::span::Span;
use crate::types::{Type, TypeId, Types};

/// Something that is wrong with a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The part of the program: a function, a global, a type.
    pub subject: String,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.what)
    }
}

/// How deep records and arrays may lie inside each other, so that walks over the parts of an object may recurse.
pub const MAX_NESTING: u32 = 250;

/// How many flaws are listed.
const MAX_FLAWS: usize = 100;

/// The labels whose address is taken.
type Labels = FxHashSet<(FunctionId, BlockId)>;

/// The outcome of one rule.
type Check<T = ()> = Result<T, &'static str>;

/// Checks everything. The first flaw of each type, record, global and function is listed.
pub fn verify(program: &Program) -> Result<(), Vec<Flaw>> {
    // Everything else looks into types, so they come first.
    let flaws = types::flaws(program);
    if !flaws.is_empty() {
        return Err(flaws);
    }
    let mut flaws = Vec::new();
    for (i, span) in program.assembly.iter().enumerate() {
        if let Err(what) = check_span(program, *span) {
            flaws.push(Flaw { subject: format!("assembly {i}"), what: what.to_string() });
        }
    }
    let labels: Labels = program.functions.enumerate().flat_map(|(id, function)| taken_labels(id, function)).collect();
    for global in program.globals.iter() {
        if let Err(what) = data::check_global(program, &labels, global) {
            flaws.push(Flaw { subject: format!("global `{}`", global.name), what });
        }
    }
    for (id, function) in program.functions.enumerate() {
        if let Err(what) = check_function(program, &labels, id) {
            flaws.push(Flaw { subject: format!("function `{}`", function.name), what });
        }
    }
    flaws.truncate(MAX_FLAWS);
    if flaws.is_empty() { Ok(()) } else { Err(flaws) }
}

fn taken_labels(id: FunctionId, function: &Function) -> impl Iterator<Item = (FunctionId, BlockId)> {
    function.body.iter().flat_map(move |body| body.address_taken.iter().map(move |label| (id, *label)))
}

fn check_function(program: &Program, labels: &Labels, id: FunctionId) -> Result<(), String> {
    let function = &program.functions[id];
    check_span(program, function.span)?;
    let Type::Function { .. } = check_type(&program.types, function.ty)? else {
        return Err("its type is not that of a function".to_string());
    };
    match &function.body {
        Some(body) => body::check_body(program, labels, id, body),
        None => Ok(()),
    }
}

/// The type behind an id, if there is one.
fn check_type(types: &Types, id: TypeId) -> Check<&Type> {
    types.all().get(id).ok_or("there is no such type")
}

/// A span names a file of the program, or is [`Span::NONE`]; its end has a column number too.
fn check_span(program: &Program, span: Span) -> Check {
    if span == Span::NONE {
        return Ok(());
    }
    ensure(!span.is_none(), "a span has a column but no line")?;
    ensure(program.files.get(span.file).is_some(), "a span is in a file that does not exist")?;
    ensure(span.column.checked_add(span.length).is_some(), "a span is longer than any line")
}

fn ensure(holds: bool, what: &'static str) -> Check {
    if holds { Ok(()) } else { Err(what) }
}

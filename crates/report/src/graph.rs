//! Drawings of a function's program graph: as text, for Graphviz, and as SVG that needs no other program.

mod dot;
mod layout;
mod svg;
mod text;
mod view;

#[cfg(test)]
mod tests;

use model::text::{Printer, Spans};
use model::{FunctionId, Program};

pub(crate) use view::View;

/// Draws functions of a verified program.
pub struct Graphs<'a> {
    program: &'a Program,
    printer: Printer<'a>,
}

impl<'a> Graphs<'a> {
    /// The graphs of a program.
    pub fn new(program: &'a Program) -> Self {
        Graphs { program, printer: Printer::new(program, Spans::None) }
    }

    /// The graph of a function as lines of text.
    pub fn text(&self, function: FunctionId) -> String {
        text::draw(&self.view(function))
    }

    /// The graph of a function in the language of Graphviz.
    pub fn dot(&self, function: FunctionId) -> String {
        dot::draw(&self.view(function))
    }

    /// The graph of a function as a self-contained SVG.
    pub fn svg(&self, function: FunctionId) -> String {
        svg::draw(&self.view(function))
    }

    fn view(&self, function: FunctionId) -> View {
        View::new(self.program, &self.printer, function)
    }
}

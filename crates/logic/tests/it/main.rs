//! The decision procedure as a whole: circuits, evaluation, rewriting, arrays and answers against each other and against references.

mod formulas;
mod garden;
mod limits;
mod operators;
mod rewriting;
mod segments;

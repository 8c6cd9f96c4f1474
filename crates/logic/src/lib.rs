//! A decision procedure for what C computes: terms over bit-vectors, floats and arrays; bit-blasting; incremental SAT.

mod arrays;
mod bits;
mod blast;
mod build;
mod context;
mod dump;
mod eval;
mod float;
mod op;
mod polynomial;
mod print;
mod rewrite;
mod runs;
mod segment;
mod sort;
mod term;

pub use bits::Bits;
pub use context::{Answer, Context, ContextStatistics, Unknown};
pub use dump::Dump;
pub use eval::{ArrayValue, Assignment, Evaluator, Value};
pub use op::{Op, Rounding};
pub use sort::Sort;
pub use term::{Args, ConstantId, Mark, Node, SortError, TableId, Term, Terms, VariableId};

pub mod sat;
pub mod smtlib;

//! The model of a C program: what the front end makes, what passes change, what engines analyse.
//!
//! No implicit rule of C survives in it: every conversion is written down, every layout is computed, every side effect is a
//! command of its own. Module [`verify`](mod@verify) states what every model must satisfy and checks it.

pub mod arena;
pub mod binary;
mod expr;
pub mod float;
mod flow;
mod graph;
mod loops;
mod program;
mod prune;
pub mod relocate;
pub mod rename;
mod span;
pub mod text;
mod types;
pub mod verify;

pub use arena::{Arena, Id};
pub use expr::*;
pub use flow::*;
pub use graph::*;
pub use loops::{Loop, LoopForest};
pub use program::*;
pub use prune::prune;
pub use span::*;
pub use types::*;
pub use verify::verify;

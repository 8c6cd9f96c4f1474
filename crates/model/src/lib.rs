//! The model of a C program: what the front end makes, what passes change, what engines analyse.
//!
//! No implicit rule of C survives in it: every conversion is written down, every layout is computed, every side effect is a
//! command of its own. Module [`verify`] states what every model must satisfy and checks it.

pub mod arena;
mod expr;
mod graph;
mod program;
mod span;
mod types;

pub use arena::{Arena, Id};
pub use expr::*;
pub use graph::*;
pub use program::*;
pub use span::*;
pub use types::*;

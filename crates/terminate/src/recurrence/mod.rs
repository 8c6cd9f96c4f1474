//! Runs that never end.

use interp::Used;
use kernel::Step;
use model::{BlockId, FunctionId, Span};
use summarize::Subject;

use crate::program::Plan;

/// The engines: their names, and what they do.
pub const ENGINES: &[(&str, &str)] = &[];

/// A run that never ends.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The function whose loop, or whose calls, go on for ever.
    pub function: FunctionId,
    /// The loop's header; the entry of the body for recursion.
    pub header: BlockId,
    /// Where that is.
    pub span: Span,
    /// The arguments of `main`.
    pub arguments: Vec<Vec<u8>>,
    /// The standard input.
    pub stdin: Vec<u8>,
    /// The values that lead to the loop.
    pub stem: Vec<Used>,
    /// The values of one round, which are given again in each further one.
    pub round: Vec<Used>,
    /// What one round does.
    pub steps: Vec<Step>,
    /// The set of states that is never left, in terms of the source.
    pub set: Vec<String>,
    /// How it was found.
    pub engine: &'static str,
}

/// Looks for a run that never ends.
pub fn search(_subject: &Subject<'_>, _plan: &Plan<'_>) -> Option<Divergence> {
    None
}

//! What whoever asks for an encoding may choose.

use std::sync::Arc;

use logic::sat::Budget;
use model::{Check, CheckKind, FunctionId, Span};
use rustc_hash::FxHashSet;

/// How far to go.
#[derive(Clone, Debug)]
pub struct Options {
    /// How many iterations of each loop, and how many calls of a function inside each other, are followed.
    pub unwind: u32,
    /// Whether uninitialised reads are checked, so that it must be known what was written.
    pub uninitialised: bool,
    /// How many terms may be made; beyond that, paths are cut.
    pub terms: usize,
    /// What the questions may cost that find out whether a path is feasible at all.
    pub budget: Budget,
    /// How much the solver may propagate for all of them together; beyond that, paths are cut.
    pub effort: u64,
    /// Which failed checks end what is followed of a run.
    pub faults: Faults,
}

/// Failed checks after which a run does not count: what follows them means nothing.
#[derive(Clone, Debug, Default)]
pub enum Faults {
    /// Those that guard memory.
    #[default]
    Memory,
    /// All.
    All,
    /// Those that guard memory, but for some, by place, kind and function: after those, runs go on.
    MemoryBut(Arc<FxHashSet<(Span, CheckKind, FunctionId)>>),
}

impl Faults {
    pub(crate) fn include(&self, check: Check, function: FunctionId) -> bool {
        match self {
            Faults::Memory => check.kind.guards_memory(),
            Faults::All => true,
            Faults::MemoryBut(others) => check.kind.guards_memory() && !others.contains(&(check.span, check.kind, function)),
        }
    }
    /// Whether only runs are followed in which everything that was checked held.
    pub(crate) fn are_all(&self) -> bool {
        matches!(self, Faults::All)
    }
}

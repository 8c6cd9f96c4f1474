//! How much is done to find invariants.

use domains::Domain;
use model::{BlockId, FunctionId};

use crate::program::Plan;

/// What an attempt may use.
#[derive(Default)]
pub(super) struct Effort<'a> {
    /// The domains that propose invariants.
    pub(super) domains: Vec<&'a dyn Domain>,
    /// The loops that get more of them.
    pub(super) refined: Vec<(FunctionId, BlockId)>,
    /// Whether all engines look for arguments.
    pub(super) thorough: bool,
}

/// How much that is; more and more is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Level {
    /// Invariants that are soon tested: how large numbers are, and that indices and pointers are inside.
    Simple,
    /// All invariants.
    All,
    /// More of them for the loops that are open.
    Refined,
}

/// The domains of invariants that are soon tested.
const SIMPLE: [&str; 6] = ["interval-analysis", "signs", "guards", "index-nonnegative", "index-below-size", "pointer-valid"];

impl<'a> Effort<'a> {
    /// The effort of a level where some loops are open; nothing if it is no other than before.
    pub(super) fn new(plan: &'a Plan<'a>, level: Level, open: Vec<(FunctionId, BlockId)>) -> Option<Self> {
        let all = &plan.means.domains;
        let simple: Vec<&dyn Domain> = all.iter().copied().filter(|domain| SIMPLE.contains(&domain.name())).collect();
        match level {
            // Where engines are compared, each attempt counts.
            Level::Simple if plan.engines.is_some() || simple.is_empty() || simple.len() == all.len() => None,
            Level::Simple => Some(Effort { domains: simple, refined: Vec::new(), thorough: false }),
            Level::All => Some(Effort { domains: all.clone(), refined: Vec::new(), thorough: true }),
            Level::Refined => Some(Effort { domains: all.clone(), refined: open, thorough: true }),
        }
    }
}

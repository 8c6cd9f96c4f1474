//! `0 <= i` (constraint 4 of Table 1).

use encode::{Formula, Linear};

use crate::view::Kind;
use crate::{Domain, View};

/// Indices and counters are not negative.
pub struct IndexNonnegative;

impl Domain for IndexNonnegative {
    fn name(&self) -> &'static str {
        "index-nonnegative"
    }
    fn about(&self) -> &'static str {
        "0 <= i for indices and counters"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let counts = view.changed_integers().filter(|variable| variable.index || variable.compared);
        for variable in counts.filter(|variable| matches!(variable.kind, Kind::Integer { signed: true, .. })) {
            if variable.entry.is_none_or(|entry| entry >= 0) {
                out.push(Formula::at_most(&Linear::default(), &variable.now()));
            }
        }
        for access in view.accesses.iter().filter(|access| access.index.parts.len() > 1 && view.varies(&access.index)) {
            out.push(Formula::at_most(&Linear::default(), &access.index));
        }
    }
}

//! `i < B` and `i <= B` (constraint 5 of Table 1): an index and the buffers that it is used with.

use encode::Formula;

use crate::view::limits;
use crate::{Domain, View};

/// Indices are within the buffers that they are used with.
pub struct IndexBelowSize;

impl Domain for IndexBelowSize {
    fn name(&self) -> &'static str {
        "index-below-size"
    }
    fn about(&self) -> &'static str {
        "i < B and i <= B for an index i and the size B of each buffer that it is used with"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for limit in limits(view) {
            out.push(Formula::below(&limit.index, &limit.room));
            out.push(Formula::at_most(&limit.index, &limit.room));
        }
    }
}

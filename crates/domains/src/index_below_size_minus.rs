//! `i < B - k` (constraint 6 of Table 1), for the small numbers k that the program suggests: the distance between the elements that it accesses,
//! and the steps of the index.

use encode::Formula;

use crate::view::limits;
use crate::{Domain, View};

/// Distances that are larger are no accident of an index.
const SMALL: i128 = 64;
/// So many numbers for one index and buffer.
const COUNT: usize = 4;

/// Indices stay some elements away from the end.
pub struct IndexBelowSizeMinus;

impl Domain for IndexBelowSizeMinus {
    fn name(&self) -> &'static str {
        "index-below-size-minus"
    }
    fn about(&self) -> &'static str {
        "i < B - k for small numbers k from the program"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for limit in limits(view) {
            let steps = limit.steps.iter().flat_map(|step| [step.saturating_abs(), step.saturating_abs() - 1]);
            let mut distances: Vec<i128> = limit.distances.iter().copied().chain(steps).chain([1]).collect();
            distances.retain(|distance| (1..=SMALL).contains(distance));
            distances.sort_unstable();
            distances.dedup();
            for distance in distances.into_iter().take(COUNT) {
                let bytes = distance.saturating_mul(limit.scale);
                out.push(Formula::below(&limit.index.clone().shifted(bytes), &limit.room));
            }
        }
    }
}

//! What a search has passed over: nothing before the current element is what would have stopped it.

use encode::Formula;

use crate::Domain;
use crate::rows::Rows;
use crate::view::View;

/// `a[0..i) != key`
pub struct NotFound;

impl Domain for NotFound {
    fn name(&self) -> &'static str {
        "not-found"
    }
    fn about(&self) -> &'static str {
        "all visited elements passed the loop's tests: a[0..i) != key, for constant keys"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let rows = Rows::new(view);
        for row in &rows.rows {
            for segment in row.indices.iter().flat_map(|index| rows.visited(row, index)) {
                for guard in &row.guards {
                    out.push(guard.within(&segment));
                    out.extend(guard.complement(row.bits).map(|values| values.within(&segment)));
                }
            }
        }
    }
}

//! What the loop has stored in the part of an array that it has visited, and what the program claims of it.

use encode::Formula;

use crate::Domain;
use crate::rows::{Row, Rows, Values};
use crate::view::View;

/// `a[0..i) == c`
pub struct ArrayContent;

impl Domain for ArrayContent {
    fn name(&self) -> &'static str {
        "array-content"
    }
    fn about(&self) -> &'static str {
        "the visited part of an array holds what was stored or is asserted: a[0..i) == c"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let rows = Rows::new(view);
        for row in &rows.rows {
            let sets = sets(&rows, row);
            for segment in row.indices.iter().flat_map(|index| rows.visited(row, index)) {
                out.extend(sets.iter().map(|values| values.within(&segment)));
            }
            // Where the loop jumps about in an array, all of it may keep a property.
            if row.written
                && let Some(whole) = rows.whole(row)
            {
                out.extend(sets.iter().map(|values| values.within(&whole)));
            }
        }
    }
}

/// What elements may be limited to: single values that are stored, all that are stored, and what the program asks for.
fn sets(rows: &Rows<'_>, row: &Row) -> Vec<Values> {
    let stored: Vec<Values> = row.stores.iter().filter_map(|(_, value)| Values::of(&rows.reader, row.ty, *value)).collect();
    let mut sets = stored.clone();
    if let Some(hull) = Values::hull(&rows.reader, row.ty, &stored).filter(|_| stored.len() == row.stores.len()) {
        sets.push(hull);
    }
    for claim in &row.claims {
        sets.push(*claim);
        sets.extend(claim.complement(row.bits));
    }
    sets.sort_unstable();
    sets.dedup();
    sets
}

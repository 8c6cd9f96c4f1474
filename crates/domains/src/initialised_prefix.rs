//! Which part of an array the loop has filled.

use encode::Formula;

use crate::Domain;
use crate::rows::{Rows, Segment};
use crate::view::View;

/// `initialised(a[0..i))`
pub struct InitialisedPrefix;

impl Domain for InitialisedPrefix {
    fn name(&self) -> &'static str {
        "initialised-prefix"
    }
    fn about(&self) -> &'static str {
        "the visited part of an array that the loop writes holds values: initialised(a[0..i))"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let rows = Rows::new(view);
        for row in rows.rows.iter().filter(|row| row.written) {
            let visited = row.indices.iter().flat_map(|index| rows.visited(row, index));
            // An array that holds values everywhere keeps them.
            out.extend(visited.chain(rows.whole(row)).map(|Segment { elements, first, count }| Formula::Initialised {
                elements,
                first,
                count,
            }));
        }
    }
}

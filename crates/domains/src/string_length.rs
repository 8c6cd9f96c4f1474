//! Indices are within strings (Table 1, domains 2 and 3).
//!
//! That an index is at most a string's length says that no character before it is 0. That the length is below the buffer's size then follows from
//! zero-termination.

use encode::Formula;

use crate::Domain;
use crate::rows::{Rows, Values};
use crate::view::View;

/// `i <= strlen(s)`
pub struct StringLength;

impl Domain for StringLength {
    fn name(&self) -> &'static str {
        "string-length"
    }
    fn about(&self) -> &'static str {
        "indices and pointers have passed no 0: i <= strlen(s)"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let rows = Rows::new(view);
        for row in rows.rows.iter().filter(|row| row.is_text()) {
            for segment in row.indices.iter().flat_map(|index| rows.visited(row, index)) {
                out.push(Values::nonzero(row).within(&segment));
            }
        }
    }
}

//! Strings stay strings (Table 1, domain 1).

use encode::{Formula, Moment};

use crate::Domain;
use crate::rows::{Rows, elements};
use crate::view::View;

/// `zero_terminated(s)`
pub struct ZeroTerminated;

impl Domain for ZeroTerminated {
    fn name(&self) -> &'static str {
        "zero-terminated"
    }
    fn about(&self) -> &'static str {
        "buffers of characters hold a 0 before their end"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for row in Rows::new(view).rows.iter().filter(|row| row.is_text()) {
            out.push(Formula::Terminated(elements(row, Moment::Now, Moment::Now)));
            if row.moves {
                out.push(Formula::Terminated(elements(row, Moment::Entry, Moment::Now)));
            }
        }
    }
}

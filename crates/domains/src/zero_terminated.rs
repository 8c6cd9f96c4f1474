//! Strings stay strings (Table 1, domain 1).

use encode::{Elements, Formula, Moment};

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
        let rows = Rows::new(view);
        let accessed = rows.rows.iter().filter(|row| row.is_text()).map(|row| (elements(row, Moment::Now, Moment::Now), row.moves));
        let now = |pointer| Elements { place: None, pointer: Some(pointer), base: Moment::Now, content: Moment::Now };
        let passed = rows.strings.iter().map(|&(pointer, moves)| (now(pointer), moves));
        for (elements, moves) in accessed.chain(passed) {
            out.push(Formula::Terminated(elements));
            if moves {
                out.push(Formula::Terminated(Elements { base: Moment::Entry, ..elements }));
            }
        }
    }
}

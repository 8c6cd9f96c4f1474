//! Strings stay strings (Table 1, domain 1).

use encode::{Elements, Formula, Moment};

use crate::Domain;
use crate::rows::{Rows, elements};
use crate::view::{Kind, Update, Variable, View};

/// `zero_terminated(s)`
pub struct ZeroTerminated;

impl Domain for ZeroTerminated {
    fn name(&self) -> &'static str {
        "zero-terminated"
    }
    fn about(&self) -> &'static str {
        "buffers of characters hold a 0 before their end, and pointers lead to strings or are null"
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
        // A string that is looked for, or asked for, may be missing.
        let is_set = |pointer: &&Variable| pointer.changed && (pointer.updates.is_empty() || pointer.updates.contains(&Update::Other));
        for pointer in view.pointers().filter(|pointer| pointer.kind == Kind::Pointer { element: 1 }).filter(is_set) {
            out.push(Formula::Any(vec![Formula::Null(pointer.source), Formula::Terminated(now(pointer.source))]));
        }
    }
}

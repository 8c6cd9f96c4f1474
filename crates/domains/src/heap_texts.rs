//! Strings that have no names: what a loop copies to the heap and keeps in lists and tables.

use encode::{Each, Formula, Holding};
use pointers::{Cell, Object};

use crate::Domain;
use crate::linked_memory::made_at;
use crate::view::View;

/// `each object of strdup is zero-terminated`
pub struct HeapTexts;

/// So many allocations are looked at for one loop.
const ALLOCATIONS: usize = 12;

impl Domain for HeapTexts {
    fn name(&self) -> &'static str {
        "heap-texts"
    }
    fn about(&self) -> &'static str {
        "all buffers of characters of one allocation hold a 0 before their end"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        // What is written as a number at one place is no text.
        let is_text = |cell: &&Cell| cell.size == 1 || cell.size == Cell::REST || cell.offsets.single().is_none();
        let bytes = view.head.written.iter().filter(is_text);
        let mut allocated: Vec<Object> = bytes.map(|cell| cell.object).filter(|object| matches!(object, Object::Heap(_))).collect();
        allocated.sort_unstable();
        allocated.dedup();
        allocated.truncate(ALLOCATIONS);
        out.extend(
            allocated.into_iter().map(|object| Formula::Each(Each { object, span: made_at(view, object), holds: Holding::Terminated })),
        );
    }
}

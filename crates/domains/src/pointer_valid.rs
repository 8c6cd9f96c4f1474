//! Validity of pointers (constraint 8 of Table 1).

use encode::{Formula, Moment};

use crate::view::{Buffer, Update};
use crate::{Domain, View};

/// Pointers point to objects that exist.
pub struct PointerValid;

impl Domain for PointerValid {
    fn name(&self) -> &'static str {
        "pointer-valid"
    }
    fn about(&self) -> &'static str {
        "a pointer's object exists, is still the same, or the pointer is null"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for pointer in view.pointers() {
            let source = pointer.source;
            let alive = Formula::Alive(source);
            let accessed = view.accesses.iter().any(|access| access.buffer == Buffer::Pointer(source));
            if pointer.changed || accessed {
                out.push(alive.clone());
            }
            if !pointer.changed {
                continue;
            }
            out.push(Formula::SameObject((source, Moment::Now), (source, Moment::Entry)));
            out.push(Formula::Null(source).negation());
            if pointer.updates.is_empty() || pointer.updates.contains(&Update::Other) {
                out.push(Formula::Any(vec![Formula::Null(source), alive]));
            }
        }
        for (first, second, _) in view.changed_pairs().filter(|(first, second, _)| first.is_pointer() && second.is_pointer()) {
            out.push(Formula::SameObject((first.source, Moment::Now), (second.source, Moment::Now)));
        }
    }
}

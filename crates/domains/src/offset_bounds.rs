//! `0 <= offset(p) <= size(p)` (constraint 7 of Table 1).

use encode::{Formula, Linear};

use crate::view::Kind;
use crate::{Domain, View};

/// Pointers stay in their objects.
pub struct OffsetBounds;

impl Domain for OffsetBounds {
    fn name(&self) -> &'static str {
        "offset-bounds"
    }
    fn about(&self) -> &'static str {
        "0 <= offset(p) <= size(p), and room for an element behind p"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for pointer in view.pointers().filter(|pointer| pointer.changed) {
            let Kind::Pointer { element } = pointer.kind else { continue };
            let offset = pointer.now();
            out.push(Formula::at_most(&Linear::default(), &offset));
            out.push(Formula::at_most(&offset, &pointer.size()));
            out.push(Formula::below(&offset, &pointer.size()));
            if element > 1 {
                out.push(Formula::at_most(&offset.clone().shifted(i128::from(element)), &pointer.size()));
                out.push(Formula::Multiple(offset, element));
            }
        }
    }
}

//! What a search for the last of something has found: nothing yet, or a place that it has passed.

use encode::{Formula, Moment};

use crate::{Domain, View};

/// `l == NULL || entry(p) <= l && l < p`
pub struct LastFound;

impl Domain for LastFound {
    fn name(&self) -> &'static str {
        "last-found"
    }
    fn about(&self) -> &'static str {
        "a pointer is null, or leads to what another one has passed: l == NULL || entry(p) <= l && l < p"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let walks = |steps: Vec<i128>| steps.into_iter().all(|step| step > 0);
        for found in view.pointers().filter(|pointer| pointer.changed && pointer.steps().is_none()) {
            for walking in view.pointers().filter(|pointer| pointer.steps().is_some_and(walks)) {
                out.push(Formula::Any(vec![
                    Formula::Null(found.source),
                    Formula::All(vec![
                        Formula::SameObject((found.source, Moment::Now), (walking.source, Moment::Now)),
                        Formula::at_most(&walking.before(), &found.now()),
                        Formula::below(&found.now(), &walking.now()),
                    ]),
                ]));
            }
        }
    }
}

//! `=`, `!=` and `<=` between variables (a baseline).

use encode::{Formula, Relation};

use crate::view::Kind;
use crate::{Domain, View};

/// How two variables compare.
pub struct Relational;

impl Domain for Relational {
    fn name(&self) -> &'static str {
        "relational"
    }
    fn about(&self) -> &'static str {
        "x == y, x != y, x <= y for variables that occur together"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for (first, second, _) in view.changed_pairs() {
            let alike = match (first.kind, second.kind) {
                (Kind::Integer { signed: a, .. }, Kind::Integer { signed: b, .. }) => a == b,
                (a, b) => a == b,
            };
            if !alike {
                continue;
            }
            let (a, b) = (first.now(), second.now());
            out.push(Formula::at_most(&a, &b));
            out.push(Formula::at_most(&b, &a));
            out.push(Formula::equal(&a, &b));
            out.push(Formula::Compare(a.minus(&b), Relation::Different));
        }
    }
}

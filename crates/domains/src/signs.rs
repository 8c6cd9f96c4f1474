//! `x < 0`, `x <= 0`, `x != 0`, `x >= 0`, `x > 0`.

use encode::{Formula, Linear, Relation};

use crate::view::Kind;
use crate::{Domain, View};

/// The signs of variables.
pub struct Signs;

impl Domain for Signs {
    fn name(&self) -> &'static str {
        "signs"
    }
    fn about(&self) -> &'static str {
        "x > 0, x >= 0, x != 0, x <= 0, x < 0 for variables that change"
    }
    fn round(&self) -> u32 {
        1
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for variable in view.changed_integers() {
            let (now, zero, one) = (variable.now(), Linear::default(), Linear::constant(1));
            out.push(Formula::at_most(&one, &now));
            out.push(Formula::Compare(now.clone(), Relation::Different));
            if matches!(variable.kind, Kind::Integer { signed: true, .. }) {
                out.extend([Formula::at_most(&zero, &now), Formula::at_most(&now, &zero), Formula::at_most(&now, &Linear::constant(-1))]);
            }
        }
    }
}

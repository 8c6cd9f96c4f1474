//! Equalities between changes: two counters, or a counter and a pointer's offset, that move in step.

use encode::Formula;

use crate::{Domain, View};

/// Variables that move in step.
pub struct CounterOffset;

impl Domain for CounterOffset {
    fn name(&self) -> &'static str {
        "counter-offset"
    }
    fn about(&self) -> &'static str {
        "b * (x - entry(x)) == a * (y - entry(y)) where the loop moves x by a and y by b; also for offsets of pointers"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for balance in view.balances.iter().filter(|balance| balance.parts.len() == 2 && balance.step == 0) {
            out.extend(balance.formulas(view));
        }
    }
}

impl crate::view::Balance {
    /// That the sum of the changes is what it should be: exactly, and modulo what the narrowest variable keeps.
    pub(crate) fn formulas(&self, view: &View<'_>) -> Vec<Formula> {
        let error = self.error(view);
        let widths = self.parts.iter().map(|(_, position)| view.variables[*position].bits());
        let width = widths.min().unwrap_or(64).min(64);
        let exact = Formula::equal(&error, &encode::Linear::default());
        vec![exact, Formula::Modular(error, width)]
    }
}

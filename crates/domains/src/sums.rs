//! Linear equalities over several variables: sums that no way through the loop alters, or that count its iterations.

use encode::Formula;

use crate::{Domain, View};

/// So many sums for one loop.
const COUNT: usize = 12;

/// Sums that the loop keeps.
pub struct Sums;

impl Domain for Sums {
    fn name(&self) -> &'static str {
        "sums"
    }
    fn about(&self) -> &'static str {
        "linear equalities over several variables that all increments of the loop keep"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let several = view.balances.iter().filter(|balance| balance.parts.len() > 2 || balance.parts.len() == 2 && balance.step != 0);
        for balance in several.take(COUNT) {
            out.extend(balance.formulas(view));
        }
    }
}

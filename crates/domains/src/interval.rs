//! Intervals (a baseline, as in §6.3.3 of the paper): every integer between two numbers that occur in the program.

use encode::Formula;

use crate::view::{at_least, at_most};
use crate::{Domain, View};

/// Integers between constants.
pub struct Interval;

impl Domain for Interval {
    fn name(&self) -> &'static str {
        "interval"
    }
    fn about(&self) -> &'static str {
        "x >= c and x <= c for the constants of the program"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for variable in view.changed_integers() {
            let thresholds = variable.thresholds();
            out.extend(thresholds.iter().filter_map(|limit| at_least(variable, *limit)));
            out.extend(thresholds.iter().filter_map(|limit| at_most(variable, *limit)));
        }
    }
}

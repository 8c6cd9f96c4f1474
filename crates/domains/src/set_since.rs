//! Pointers that are null until a certain iteration sets them, as in loops over a program's arguments.

use encode::{Formula, Linear};

use crate::view::Update;
use crate::{Domain, View};

/// So many pointers are looked at, …
const POINTERS: usize = 6;
/// … for each of the first iterations.
const ITERATIONS: i128 = 3;

/// `iterations <= k || p != NULL`, where a counter tells the iterations.
pub struct SetSince;

impl Domain for SetSince {
    fn name(&self) -> &'static str {
        "set-since"
    }
    fn about(&self) -> &'static str {
        "a pointer is not null once a counter has made so many steps"
    }
    fn round(&self) -> u32 {
        1
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let counters = view.variables.iter().filter(|variable| variable.is_integer() && variable.step == Some(1));
        let Some(counter) = counters.max_by_key(|variable| variable.exit) else { return };
        let steps = counter.now().minus(&counter.before());
        let is_set = |updates: &[Update]| updates.is_empty() || updates.contains(&Update::Other);
        for pointer in view.pointers().filter(|pointer| pointer.changed && is_set(&pointer.updates)).take(POINTERS) {
            for iteration in 0..ITERATIONS {
                let before = Formula::at_most(&steps, &Linear::constant(iteration));
                out.push(Formula::Any(vec![before, Formula::Null(pointer.source).negation()]));
            }
        }
    }
}

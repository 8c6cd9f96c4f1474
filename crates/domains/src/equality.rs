//! Equalities: between variables, and with what was at the entry.

use encode::{Formula, Moment};

use crate::view::{Update, Variable};
use crate::{Domain, View};

/// Variables that are equal.
pub struct Equality;

impl Domain for Equality {
    fn name(&self) -> &'static str {
        "equality"
    }
    fn about(&self) -> &'static str {
        "x == y for variables and pointers that occur together, and x == entry(x) for what may stay as it was"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for variable in view.variables.iter().filter(|variable| variable.changed && may_stay(variable)) {
            out.push(same(variable, Moment::Now, variable, Moment::Entry));
        }
        for (first, second, _) in view.changed_pairs().filter(|(first, second, _)| first.is_pointer() == second.is_pointer()) {
            out.push(same(first, Moment::Now, second, Moment::Now));
            if first.is_pointer() && first.changed && second.changed {
                out.push(same(first, Moment::Now, second, Moment::Entry));
                out.push(same(first, Moment::Entry, second, Moment::Now));
            }
        }
    }
}

/// Whether a variable is perhaps not changed at all, or only to what it was.
fn may_stay(variable: &Variable) -> bool {
    let keeps = |update: &Update| match update {
        Update::Step(by) => *by == 0,
        Update::Set(value) => variable.entry.is_none_or(|entry| entry == *value),
        Update::Other => true,
    };
    variable.step == Some(0) || variable.updates.iter().all(keeps)
}

fn same(a: &Variable, a_moment: Moment, b: &Variable, b_moment: Moment) -> Formula {
    if a.is_pointer() {
        return Formula::SamePointer((a.source, a_moment), (b.source, b_moment));
    }
    let at = |variable: &Variable, moment| if moment == Moment::Now { variable.now() } else { variable.before() };
    Formula::equal(&at(a, a_moment), &at(b, b_moment))
}

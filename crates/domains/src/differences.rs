//! Differences and sums of two variables (octagons with constants from the program).

use encode::{Formula, Linear, Relation};

use crate::{Domain, View};

/// So many constants for one pair.
const CONSTANTS: usize = 8;

/// Two variables at a bounded distance.
pub struct Differences;

impl Domain for Differences {
    fn name(&self) -> &'static str {
        "differences"
    }
    fn about(&self) -> &'static str {
        "x - y <= c and x + y <= c for variables that occur together; c from the program, or what it was at the entry"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for drift in &view.drifts {
            out.push(Formula::Compare(view.change(&drift.parts), Relation::AtMost));
        }
        let alike = view.changed_pairs().filter(|(first, second, _)| first.is_pointer() == second.is_pointer());
        for (first, second, pair) in alike {
            let difference = first.now().minus(&second.now());
            let mut constants = pair.constants.clone();
            constants.push(0);
            if view.head.round > 0 {
                constants.extend([-1, 1]);
                constants.extend(pair.constants.iter().flat_map(|constant| [constant.saturating_sub(1), constant.saturating_add(1)]));
            }
            constants.sort_unstable();
            constants.dedup();
            for constant in constants.into_iter().take(CONSTANTS) {
                between(&difference, &Linear::constant(constant), out);
            }
            if first.changed && second.changed {
                between(&difference, &first.before().minus(&second.before()), out);
                between(&first.now().plus(1, &second.now()), &first.before().plus(1, &second.before()), out);
            }
            if view.head.round > 0 && first.is_integer() && second.is_integer() {
                let sum = first.now().plus(1, &second.now());
                for constant in sums(&first.constants, &second.constants) {
                    between(&sum, &Linear::constant(constant), out);
                }
            }
        }
    }
}

fn between(sum: &Linear, limit: &Linear, out: &mut Vec<Formula>) {
    let over = sum.clone().minus(limit);
    out.push(Formula::Compare(Linear::default().minus(&over), Relation::AtMost));
    out.push(Formula::Compare(over, Relation::AtMost));
}

/// What the sum of two variables may be bounded by: what each of them is compared with.
fn sums(first: &[i128], second: &[i128]) -> Vec<i128> {
    let mut constants: Vec<i128> = first.iter().chain(second).copied().collect();
    constants.sort_unstable();
    constants.dedup();
    constants.truncate(CONSTANTS);
    constants
}

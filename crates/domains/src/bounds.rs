//! Bounds of variables: by the value at the entry, and by constants of the program.

use encode::{Formula, Linear};

use crate::view::{Kind, at_least, at_most};
use crate::{Domain, View};

/// Variables between bounds.
pub struct Bounds;

impl Domain for Bounds {
    fn name(&self) -> &'static str {
        "bounds"
    }
    fn about(&self) -> &'static str {
        "x >= entry(x), x <= entry(x), and bounds by constants of the program"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for variable in view.variables.iter().filter(|variable| variable.changed && variable.kind != Kind::Bool) {
            let steps = variable.steps();
            let (rises, falls) = match &steps {
                Some(steps) => (steps.iter().all(|step| *step >= 0), steps.iter().all(|step| *step <= 0)),
                None => (false, false),
            };
            let before = variable.entry.map_or_else(|| variable.before(), Linear::constant);
            if !falls {
                out.push(Formula::at_most(&before, &variable.now()));
            }
            if !rises {
                out.push(Formula::at_most(&variable.now(), &before));
            }
            if !variable.is_integer() {
                continue;
            }
            let thresholds = variable.thresholds();
            if !rises {
                out.extend(thresholds.iter().filter_map(|limit| at_least(variable, *limit)));
            } else if variable.entry.is_none() {
                out.extend(at_least(variable, 0));
            }
            if !falls {
                out.extend(thresholds.iter().filter_map(|limit| at_most(variable, *limit)));
            }
        }
    }
}

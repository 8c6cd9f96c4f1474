//! Linear recurrences: `x == entry(x) + c * iterations`.

use encode::{Formula, Linear, Quantity};

use crate::{Domain, View};

/// Variables that each iteration moves by the same number.
pub struct Recurrence;

impl Domain for Recurrence {
    fn name(&self) -> &'static str {
        "recurrence"
    }
    fn about(&self) -> &'static str {
        "x == entry(x) + c * iterations, exactly and modulo the width of x"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for variable in &view.variables {
            let Some(step) = variable.step.and_then(|step| i64::try_from(step).ok()).filter(|step| *step != 0) else { continue };
            let change = variable.now().minus(&variable.before());
            let error = change.plus(-step, &Linear::of(Quantity::Iterations));
            out.push(Formula::equal(&error, &Linear::default()));
            if !variable.is_pointer() {
                out.push(Formula::Modular(error, variable.bits().min(64)));
            }
        }
    }
}

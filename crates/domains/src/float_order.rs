//! `x <= entry(x)`, `0 <= x` for floats.

use encode::{Formula, Linear, Quantity};

use crate::measures::floats;
use crate::{Domain, View};

/// Which way floats move, and their signs.
pub struct FloatOrder;

impl Domain for FloatOrder {
    fn name(&self) -> &'static str {
        "float-order"
    }
    fn about(&self) -> &'static str {
        "x <= entry(x), x >= entry(x), 0 <= x, x <= 0 for floats"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for float in floats(view.head) {
            let quantity = Quantity::value(float);
            let (now, before, zero) = (Linear::of(quantity), Linear::of(quantity.before()), Linear::default());
            out.extend([Formula::at_most(&now, &before), Formula::at_most(&before, &now)]);
            out.extend([Formula::at_most(&zero, &now), Formula::at_most(&now, &zero)]);
        }
    }
}

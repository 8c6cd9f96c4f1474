//! Candidates that need no question: what types alone decide, and what is false when the loop is entered.

use encode::{Aspect, Formula, Linear, Moment, Quantity, Relation};

use super::View;

impl View<'_> {
    /// Whether a comparison is always true, always false, or known to be false at the entry.
    pub fn is_decided(&self, formula: &Formula) -> bool {
        let Formula::Compare(sum, relation) = formula else { return false };
        let (low, high) = self.extent(sum).unwrap_or((i128::MIN, i128::MAX));
        let (always, never) = match relation {
            Relation::Equal => (low == 0 && high == 0, low > 0 || high < 0),
            Relation::Different => (low > 0 || high < 0, low == 0 && high == 0),
            Relation::AtMost => (high <= 0, low > 0),
        };
        let fails = self.at_entry(sum).is_some_and(|value| match relation {
            Relation::Equal => value != 0,
            Relation::Different => value == 0,
            Relation::AtMost => value > 0,
        });
        always || never || fails
    }
    /// The least and the greatest value that the types of its parts allow a sum.
    fn extent(&self, sum: &Linear) -> Option<(i128, i128)> {
        sum.parts.iter().try_fold((sum.constant, sum.constant), |(low, high), (factor, quantity)| {
            let Quantity::Of(source, Aspect::Value, _) = quantity else { return None };
            let (least, greatest) = self.variable(*source)?.range();
            let ends = [least.checked_mul(i128::from(*factor))?, greatest.checked_mul(i128::from(*factor))?];
            Some((low.checked_add(ends[0].min(ends[1]))?, high.checked_add(ends[0].max(ends[1]))?))
        })
    }
    /// The value of a sum when the loop is entered, if it is known.
    fn at_entry(&self, sum: &Linear) -> Option<i128> {
        let entered = |quantity: &Quantity| match quantity {
            Quantity::Of(source, Aspect::Value, _) => match self.variable(*source).and_then(|variable| variable.entry) {
                Some(value) => Linear::constant(value),
                None => Linear::of(Quantity::Of(*source, Aspect::Value, Moment::Entry)),
            },
            Quantity::Of(..) => Linear::of(quantity.before()),
            Quantity::Iterations | Quantity::Result => Linear::default(),
        };
        let start = Linear::constant(sum.constant);
        let sum = sum.parts.iter().fold(start, |total, (factor, quantity)| total.plus(*factor, &entered(quantity)));
        sum.parts.is_empty().then_some(sum.constant)
    }
}

//! Variables with few values: flags, states, modes. What values they have, and which do not go together.

use encode::{Formula, Linear, Relation};
use model::BinaryOp;

use crate::view::{Origin, Update, Variable, comparison};
use crate::{Domain, View};

/// A variable with more values is no state.
const VALUES: usize = 12;
/// So many pairs of values are looked at, in the first round and later.
const PAIRS: [usize; 2] = [60, 200];
/// So many conditions that hold in some state.
const CONDITIONS: usize = 120;

/// States and what goes with them.
pub struct Values;

impl Domain for Values {
    fn name(&self) -> &'static str {
        "values"
    }
    fn about(&self) -> &'static str {
        "the values of flags and states, which of them exclude each other, and what holds in a state"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let states: Vec<State<'_>> = view.variables.iter().filter_map(State::of).collect();
        out.extend(states.iter().map(State::one_of));
        exclusions(view, &states, out);
        if view.head.round > 0 {
            consequences(view, &states, out);
        }
    }
}

/// A variable that the loop only sets to constants.
struct State<'a> {
    variable: &'a Variable,
    values: Vec<i128>,
}

impl<'a> State<'a> {
    fn of(variable: &'a Variable) -> Option<Self> {
        let value = |update: &Update| match update {
            Update::Set(value) => Some(*value),
            Update::Step(_) | Update::Other => None,
        };
        let set: Option<Vec<i128>> = variable.updates.iter().map(value).collect();
        let mut values = set.filter(|values| !values.is_empty() && !variable.is_pointer())?;
        values.extend(variable.entry);
        values.sort_unstable();
        values.dedup();
        (values.len() <= VALUES).then_some(State { variable, values })
    }
    fn is(&self, value: i128) -> Formula {
        Formula::equal(&self.variable.now(), &Linear::constant(value))
    }
    fn is_not(&self, value: i128) -> Formula {
        Formula::Compare(self.variable.now().shifted(value.saturating_neg()), Relation::Different)
    }
    fn one_of(&self) -> Formula {
        let stays = self.variable.entry.is_none().then(|| Formula::equal(&self.variable.now(), &self.variable.before()));
        let mut choices: Vec<Formula> = stays.into_iter().chain(self.values.iter().map(|value| self.is(*value))).collect();
        match choices.pop() {
            Some(only) if choices.is_empty() => only,
            last => {
                choices.extend(last);
                Formula::Any(choices)
            }
        }
    }
}

/// Values of two variables that never come together. All that hold make the exact set of pairs.
fn exclusions(view: &View<'_>, states: &[State<'_>], out: &mut Vec<Formula>) {
    let limit = out.len() + PAIRS[usize::from(view.head.round > 0)];
    for (place, first) in states.iter().enumerate() {
        for second in states.iter().skip(place + 1) {
            if out.len() + first.values.len() * second.values.len() > limit {
                continue;
            }
            for &a in &first.values {
                let both = (first.variable.entry, second.variable.entry);
                let later = second.values.iter().filter(|b| both != (Some(a), Some(**b)));
                out.extend(later.map(|b| Formula::Any(vec![first.is_not(a), second.is_not(*b)])));
            }
        }
    }
}

/// Conditions that hold in one state, and bounds that other variables have there.
fn consequences(view: &View<'_>, states: &[State<'_>], out: &mut Vec<Formula>) {
    let limit = out.len() + CONDITIONS;
    for condition in view.conditions.iter().filter(|condition| condition.origin != Origin::Check) {
        let (positive, negative) = match &condition.comparison {
            Some((sum, op)) => {
                let Some(pair) = comparison(sum, *op) else { continue };
                pair
            }
            None if condition.askable => (Formula::Holds(condition.expr), Formula::Holds(condition.expr).negation()),
            None => continue,
        };
        for state in states {
            if mentions(&condition.comparison, state.variable) {
                continue;
            }
            for &value in &state.values {
                if out.len() + 2 > limit {
                    return;
                }
                out.push(Formula::Any(vec![state.is_not(value), positive.clone()]));
                out.push(Formula::Any(vec![state.is_not(value), negative.clone()]));
            }
        }
    }
}

fn mentions(comparison: &Option<(Linear, BinaryOp)>, variable: &Variable) -> bool {
    comparison.as_ref().is_some_and(|(sum, _)| sum.parts.iter().any(|(_, quantity)| *quantity == variable.quantity()))
}

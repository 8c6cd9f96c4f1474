//! What is left of a buffer: what is added to one variable is taken from another one, as in `p += n; room -= n`.

use encode::{Formula, Linear, Relation};

use crate::view::{Amount, Kind};
use crate::{Domain, View};

/// So many pairs of variables are looked at.
const PAIRS: usize = 8;

/// Variables that are moved by the same amounts, which are no constants.
pub struct Room;

impl Domain for Room {
    fn name(&self) -> &'static str {
        "room"
    }
    fn about(&self) -> &'static str {
        "what is left of a buffer: variables that move by the same amounts keep their sum or difference"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for (first, second, factor) in pairs(view) {
            let parts = [(1, first), (factor, second)];
            let change = view.change(&parts);
            out.push(Formula::equal(&change, &Linear::default()));
            let (first, second) = (&view.variables[first], &view.variables[second]);
            if first.is_pointer() && second.is_integer() && factor > 0 {
                out.push(Formula::at_most(&first.now().plus(factor, &second.now()), &first.size()));
            }
            if view.head.round > 0 {
                out.push(Formula::Compare(change, Relation::AtMost));
            }
        }
    }
}

/// Positions of two variables, pointers first, and a factor: the sum of the first and so many times the second does not change where both are moved.
fn pairs(view: &View<'_>) -> Vec<(usize, usize, i64)> {
    let mut found: Vec<(usize, usize, i64)> = Vec::new();
    let mut guessed = Vec::new();
    for (number, (first, by)) in view.moves.iter().enumerate() {
        for (second, other) in &view.moves[number + 1..] {
            let pointer = |position: &usize| view.variables[*position].is_pointer();
            let ((first, by), (second, other)) =
                if pointer(second) && !pointer(first) { ((second, other), (first, by)) } else { ((first, by), (second, other)) };
            if first == second {
                continue;
            }
            if let Some(factor) = factor(by, other) {
                found.push((*first, *second, factor));
            } else if let (Kind::Pointer { element }, true) = (view.variables[*first].kind, !pointer(second)) {
                // The amounts may be the same, computed twice.
                guessed.extend(i64::try_from(element).ok().map(|element| (*first, *second, element)));
            }
        }
    }
    found.append(&mut guessed);
    let mut seen = rustc_hash::FxHashSet::default();
    found.retain(|pair| seen.insert(*pair));
    found.truncate(PAIRS);
    found
}

/// The factor by which the second amount outweighs the first one: their sum is 0 then.
fn factor(first: &Amount, second: &Amount) -> Option<i64> {
    let ratio = first.factor.checked_div(second.factor)?.checked_neg()?;
    (first.of.is_some() && first.of == second.of && first.factor.checked_add(ratio.checked_mul(second.factor)?) == Some(0)).then_some(ratio)
}

//! Loops that behave differently before and after something: what holds on one side of a condition of the loop.

use encode::{Formula, Linear};

use crate::view::{Origin, Variable, comparison};
use crate::{Domain, View};

/// So many conditions are tried, …
const CONDITIONS: usize = 4;
/// … with so many things that may hold.
const CLAIMS: usize = 40;

/// What holds in one phase of a loop.
pub struct Phases;

impl Domain for Phases {
    fn name(&self) -> &'static str {
        "phases"
    }
    fn about(&self) -> &'static str {
        "if a condition of the loop holds (or does not), then x == y, x == entry(x), x <= y, x <= c, …"
    }
    fn round(&self) -> u32 {
        1
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let claims = claims(view);
        let inside = |origin: Origin| matches!(origin, Origin::Loop | Origin::Exit);
        for condition in view.conditions.iter().filter(|condition| inside(condition.origin)).take(CONDITIONS) {
            let (holds, fails) = match &condition.comparison {
                Some((sum, op)) if condition.exact => match comparison(sum, *op) {
                    Some(pair) => pair,
                    None => continue,
                },
                _ if condition.askable => (Formula::Holds(condition.expr), Formula::Holds(condition.expr).negation()),
                _ => continue,
            };
            for claim in &claims {
                out.extend([Formula::implies(holds.clone(), claim.clone()), Formula::implies(fails.clone(), claim.clone())]);
            }
        }
    }
}

/// What may hold in a phase: relations between what the loop changes and what it knows.
fn claims(view: &View<'_>) -> Vec<Formula> {
    let mut claims = Vec::new();
    let integers: Vec<&Variable> = view.variables.iter().filter(|variable| variable.is_integer()).collect();
    for variable in integers.iter().filter(|variable| variable.changed) {
        let now = variable.now();
        claims.push(Formula::equal(&now, &variable.before()));
        for &constant in variable.constants.iter().take(3) {
            let constant = Linear::constant(constant);
            claims.extend([Formula::equal(&now, &constant), Formula::at_most(&now, &constant), Formula::at_most(&constant, &now)]);
        }
    }
    for (place, a) in integers.iter().enumerate() {
        for b in integers.iter().skip(place + 1).filter(|b| a.changed || b.changed) {
            let (x, y) = (a.now(), b.now());
            let moved = x.clone().minus(&a.before()).minus(&y).plus(1, &b.before());
            claims.extend([Formula::equal(&x, &y), Formula::at_most(&x, &y), Formula::at_most(&y, &x)]);
            claims.push(Formula::Compare(moved, encode::Relation::Equal));
        }
    }
    claims.truncate(CLAIMS);
    claims
}

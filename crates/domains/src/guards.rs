//! The program's own conditions: guards, assertions and checks, as they are, negated, and weakened by what an iteration adds.

use encode::{Formula, Linear, Relation};
use model::BinaryOp;

use crate::view::{Origin, comparison};
use crate::{Domain, View};

/// Conditions of the program.
pub struct Guards;

impl Domain for Guards {
    fn name(&self) -> &'static str {
        "guards"
    }
    fn about(&self) -> &'static str {
        "guards, assertions and checks of the program, negated and weakened"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for condition in &view.conditions {
            let expr = condition.askable.then_some(Formula::Holds(condition.expr));
            let (holds, fails) = match &condition.comparison {
                Some((sum, op)) if condition.exact => comparison(sum, *op).unzip(),
                _ => (expr.clone(), expr.map(Formula::negation)),
            };
            out.extend(holds);
            if let Some((sum, op)) = &condition.comparison {
                weakened(sum, *op, view.stride(sum), condition.origin, out);
            }
            out.extend(fails.filter(|_| condition.origin != Origin::Check));
        }
        out.extend(view.claims.iter().cloned());
    }
}

/// What a comparison of a sum with 0 may become where it stands at another place: `a < b` is `a <= b` after an increment.
fn weakened(sum: &Linear, op: BinaryOp, stride: i128, origin: Origin, out: &mut Vec<Formula>) {
    let below = |sum: &Linear, by: i128| Formula::Compare(sum.clone().shifted(by), Relation::AtMost);
    let opposite = Linear::default().minus(sum);
    match op {
        BinaryOp::Lt => out.extend([below(sum, 1), below(sum, 0), below(sum, 1 - stride)]),
        BinaryOp::Le => out.extend([below(sum, 0), below(sum, -1), below(sum, -stride)]),
        BinaryOp::Gt => out.extend([below(&opposite, 1), below(&opposite, 0), below(&opposite, 1 - stride)]),
        BinaryOp::Ge => out.extend([below(&opposite, 0), below(&opposite, -1), below(&opposite, -stride)]),
        BinaryOp::Eq | BinaryOp::Ne => {
            out.extend([below(sum, 0), below(&opposite, 0)]);
            let relation = if op == BinaryOp::Eq { Relation::Equal } else { Relation::Different };
            out.push(Formula::Compare(sum.clone(), relation));
        }
        _ => {}
    }
    // What is asked behind the loop is often what the loop keeps away from.
    if origin == Origin::Behind {
        match op {
            BinaryOp::Lt | BinaryOp::Le => out.push(below(&opposite, i128::from(op == BinaryOp::Le))),
            BinaryOp::Gt | BinaryOp::Ge => out.push(below(sum, i128::from(op == BinaryOp::Ge))),
            _ => {}
        }
    }
}

//! Linear equalities over several variables: sums that no way through the loop alters, or that count its iterations. And limits that the loop lowers and
//! raises again: what stays below them is below what they were at the entry.

use encode::{Formula, Linear, Quantity, Relation};
use model::BinaryOp;

use crate::view::Balance;
use crate::{Domain, View};

/// So many sums for one loop.
const COUNT: usize = 12;
/// So many bounds by limits that are given back.
const LIMITS: usize = 8;

/// Sums that the loop keeps.
pub struct Sums;

impl Domain for Sums {
    fn name(&self) -> &'static str {
        "sums"
    }
    fn about(&self) -> &'static str {
        "linear equalities over several variables and flags that the loop keeps, and bounds by limits that it lowers and raises again"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let several = view.balances.iter().filter(|balance| balance.parts.len() > 2 || balance.parts.len() == 2 && balance.step != 0);
        for balance in several.take(COUNT) {
            out.extend(balance.formulas(view));
        }
        out.extend(limits(view).into_iter().take(LIMITS).map(|over| Formula::Compare(over, Relation::AtMost)));
    }
}

/// What is compared with a limit that is part of a sum, and may exceed it by what an iteration adds: with the limit as it was at the entry.
fn limits(view: &View<'_>) -> Vec<Linear> {
    let ordered = |op: &BinaryOp| matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
    let comparisons = view.conditions.iter().filter_map(|condition| condition.comparison.as_ref()).filter(|(_, op)| ordered(op));
    let bounds = comparisons.flat_map(|(sum, op)| {
        let strict = i128::from(matches!(op, BinaryOp::Lt | BinaryOp::Ge));
        let stride = view.stride(sum);
        [sum.clone().shifted(strict - stride), Linear::default().minus(sum).shifted(1 - strict - stride)]
    });
    let kept: Vec<&Balance> = view.balances.iter().filter(|balance| balance.step == 0 && balance.parts.len() > 1).collect();
    let is_limit = |quantity: &Quantity| {
        let of =
            |(_, position): &(i64, usize)| view.variables[*position].quantity() == *quantity && view.variables[*position].moves_both_ways();
        kept.iter().any(|balance| balance.parts.iter().any(of))
    };
    let mut found: Vec<Linear> = Vec::new();
    for sum in bounds.filter(|sum| sum.parts.len() == 2) {
        for (factor, quantity) in sum.parts.iter().filter(|(factor, quantity)| *factor == -1 && is_limit(quantity)) {
            let given_back = sum.clone().plus(-factor, &Linear::of(*quantity)).plus(*factor, &Linear::of(quantity.before()));
            if !found.contains(&given_back) {
                found.push(given_back);
            }
        }
    }
    found
}

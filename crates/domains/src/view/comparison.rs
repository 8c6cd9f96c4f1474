//! Comparisons of sums with 0.

use encode::{Formula, Linear, Relation};
use model::{BinaryOp, ExprId, ExprKind, UnaryOp};

use super::reader::Reader;

/// A comparison of two sums as one of their difference with 0.
pub fn compare(reader: &Reader<'_>, expr: ExprId) -> Option<(Linear, BinaryOp)> {
    let mut expr = expr;
    let mut negated = false;
    while let ExprKind::Unary(UnaryOp::Not, inner) = reader.body.exprs[expr].kind {
        expr = inner;
        negated = !negated;
    }
    let ExprKind::Binary(op, a, b) = reader.body.exprs[expr].kind else { return None };
    if !op.is_comparison() {
        return None;
    }
    let sum = reader.linear(a)?.minus(&reader.linear(b)?);
    let op = if negated { opposite(op) } else { op };
    (!sum.parts.is_empty()).then_some((sum, op))
}

/// The comparison that holds where another does not.
pub(crate) fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Ge => BinaryOp::Lt,
        other => other,
    }
}

/// A comparison of a sum with 0, and its negation, as formulas.
pub fn comparison(sum: &Linear, op: BinaryOp) -> Option<(Formula, Formula)> {
    let compare = |sum: &Linear, relation| Formula::Compare(sum.clone(), relation);
    let opposite = Linear::default().minus(sum);
    let (at_most, below) = (compare(sum, Relation::AtMost), compare(&sum.clone().shifted(1), Relation::AtMost));
    let (at_least, above) = (compare(&opposite, Relation::AtMost), compare(&opposite.shifted(1), Relation::AtMost));
    let (equal, different) = (compare(sum, Relation::Equal), compare(sum, Relation::Different));
    Some(match op {
        BinaryOp::Lt => (below, at_least),
        BinaryOp::Le => (at_most, above),
        BinaryOp::Gt => (above, at_most),
        BinaryOp::Ge => (at_least, below),
        BinaryOp::Eq => (equal, different),
        BinaryOp::Ne => (different, equal),
        _ => return None,
    })
}

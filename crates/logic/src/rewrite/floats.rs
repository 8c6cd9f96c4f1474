//! Rules for floats: only what is true of NaN and signed zeros too.

use super::unary;
use crate::op::Op;
use crate::term::{Term, Terms};

pub(super) fn simplify(terms: &mut Terms, op: Op, args: &[Term]) -> Option<Term> {
    match (op, args) {
        (Op::FloatFromBits(_), &[a]) => unary(terms, Op::FloatToBits, a),
        (Op::FloatNeg, &[a]) => unary(terms, Op::FloatNeg, a),
        (Op::FloatAbs, &[a]) => match terms.op(a) {
            Op::FloatAbs => Some(a),
            Op::FloatNeg => {
                let inner = unary(terms, Op::FloatNeg, a)?;
                Some(terms.apply(Op::FloatAbs, &[inner], None))
            }
            _ => None,
        },
        (Op::FloatConvert(format), &[a]) if terms.sort(a) == crate::Sort::Float(format) => Some(a),
        (Op::FloatLt, &[a, b]) if a == b => Some(terms.bool(false)),
        (Op::FloatEq | Op::FloatLe, &[a, b]) if a == b => {
            let nan = terms.float_is_nan(a);
            Some(terms.not(nan))
        }
        (Op::FloatIsNan, &[a]) => match terms.op(a) {
            Op::FloatNeg | Op::FloatAbs => {
                let inner = *terms.args(a).first()?;
                Some(terms.float_is_nan(inner))
            }
            Op::FloatFromInt { .. } => Some(terms.bool(false)),
            _ => None,
        },
        _ => None,
    }
}

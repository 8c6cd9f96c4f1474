//! Rewriting on construction: every rule replaces a term by an equal one that is smaller, or of a shape that more rules match.
//!
//! A rule sees one operator and its (already simplified) arguments, and looks a level or two down. What it builds is smaller or has simpler
//! operators than what it was given, so rewriting ends, and [`Terms::apply`] bounds how far it goes. The tests prove each rule by the solver.

mod arrays;
mod bits;
mod boolean;
mod compare;
mod equality;
mod floats;
mod segments;
mod structure;
mod tables;
mod zeros;

pub(crate) use boolean::under;
use smallvec::SmallVec;
pub(crate) use zeros::trailing_zeros;

use crate::eval::{self, Value};
use crate::op::Op;
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// A simpler term for an operator applied to arguments, if there is one. Commutative operators have their arguments in ascending order.
pub(crate) fn simplify(terms: &mut Terms, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
    if let Some(value) = fold(terms, op, sort, args) {
        return Some(value);
    }
    match (op, args) {
        (Op::Not, &[a]) => boolean::not(terms, a),
        (Op::And, &[a, b]) => boolean::and(terms, a, b),
        (Op::Or, &[a, b]) => boolean::or(terms, a, b),
        (Op::Xor, &[a, b]) => boolean::xor(terms, a, b),
        (Op::Ite, &[condition, yes, no]) => boolean::ite(terms, condition, yes, no),
        (Op::Equal, &[a, b]) => equality::equal(terms, a, b),
        (Op::BitNot, &[a]) => bits::bit_not(terms, a),
        (Op::BitAnd, &[a, b]) => bits::bit_and(terms, a, b),
        (Op::BitOr, &[a, b]) => bits::bit_or(terms, a, b),
        (Op::BitXor, &[a, b]) => bits::bit_xor(terms, a, b),
        (Op::Neg, &[a]) => bits::neg(terms, a),
        (Op::Add, &[a, b]) => bits::add(terms, a, b),
        (Op::Sub, &[a, b]) => bits::sub(terms, a, b),
        (Op::Mul, &[a, b]) => bits::mul(terms, a, b),
        (Op::Udiv, &[a, b]) => bits::udiv(terms, a, b),
        (Op::Urem, &[a, b]) => bits::urem(terms, a, b),
        (Op::Sdiv, &[a, b]) => bits::sdiv(terms, a, b),
        (Op::Srem, &[a, b]) => bits::srem(terms, a, b),
        (Op::Shl, &[a, b]) => bits::shl(terms, a, b),
        (Op::Lshr, &[a, b]) => bits::lshr(terms, a, b),
        (Op::Ashr, &[a, b]) => bits::ashr(terms, a, b),
        (Op::Ult, &[a, b]) => compare::ult(terms, a, b),
        (Op::Slt, &[a, b]) => compare::slt(terms, a, b),
        (Op::UmulOverflows, &[a, b]) => compare::umul_overflows(terms, a, b),
        (Op::SmulOverflows, &[a, b]) => compare::smul_overflows(terms, a, b),
        (Op::Concat, &[a, b]) => structure::concat(terms, a, b),
        (Op::Extract(low), &[a]) => structure::extract(terms, a, low + sort.width() - 1, low),
        (Op::ZeroExtend, &[a]) => structure::zero_extend(terms, a, sort.width()),
        (Op::SignExtend, &[a]) => structure::sign_extend(terms, a, sort.width()),
        (Op::Select, &[array, index]) => arrays::select(terms, array, index),
        (Op::Store, &[array, index, value]) => arrays::store(terms, array, index, value),
        (Op::Copy, &[array, at, source, from, count]) => arrays::copy(terms, array, at, source, from, count),
        (Op::Within { step }, &[array, from, end, low, high]) => segments::within(terms, array, (from, end), step, low, high),
        (Op::Agree { step }, &[a, from_a, b, from_b, end]) => segments::agree(terms, (a, from_a), (b, from_b), end, step),
        _ => floats::simplify(terms, op, args),
    }
}

/// The value of an operator on constants.
pub(crate) fn fold(terms: &mut Terms, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
    if args.is_empty() || matches!(sort, Sort::Array { .. }) || !args.iter().all(|&arg| terms.is_constant(arg)) {
        return None;
    }
    if let (Op::FloatFromBits(_), [bits]) = (op, args) {
        // A float constant is written as just this; only NaNs have other spellings.
        let canonical = value_of(terms, op, sort, args)?;
        let canonical = canonical.as_bits()?.clone();
        return (terms.as_bits(*bits) != Some(&canonical)).then(|| {
            let bits = terms.bits(canonical);
            terms.apply(op, &[bits], Some(sort))
        });
    }
    let value = value_of(terms, op, sort, args)?;
    Some(match (value, sort) {
        (Value::Bool(value), _) => terms.bool(value),
        (Value::Bits(bits), Sort::Float(format)) => {
            let bits = terms.bits(bits);
            terms.float_from_bits(format, bits)
        }
        (Value::Bits(bits), _) => terms.bits(bits),
        (Value::Array(_), _) => return None,
    })
}

fn value_of(terms: &Terms, op: Op, sort: Sort, args: &[Term]) -> Option<Value> {
    let sorts: SmallVec<[Sort; 5]> = args.iter().map(|&arg| terms.sort(arg)).collect();
    let mut values = SmallVec::<[Value; 5]>::new();
    for &arg in args {
        values.push(match terms.as_bool(arg) {
            Some(value) => Value::Bool(value),
            None => Value::Bits(terms.as_bits(arg).or_else(|| terms.as_float(arg))?.clone()),
        });
    }
    let values: SmallVec<[&Value; 5]> = values.iter().collect();
    eval::apply(op, sort, &sorts, &values)
}

/// The argument of a term with this operator.
fn unary(terms: &Terms, op: Op, term: Term) -> Option<Term> {
    match *terms.args(term) {
        [a] if terms.op(term) == op => Some(a),
        _ => None,
    }
}

/// The two arguments of a term with this operator.
fn binary(terms: &Terms, op: Op, term: Term) -> Option<(Term, Term)> {
    match *terms.args(term) {
        [a, b] if terms.op(term) == op => Some((a, b)),
        _ => None,
    }
}

/// The condition and the two cases of an `Ite`.
fn ite_parts(terms: &Terms, term: Term) -> Option<(Term, Term, Term)> {
    match *terms.args(term) {
        [condition, yes, no] if terms.op(term) == Op::Ite => Some((condition, yes, no)),
        _ => None,
    }
}

/// Splits the arguments of a commutative operator into a constant and the rest.
fn constant_first(terms: &Terms, a: Term, b: Term) -> Option<(Term, Term)> {
    if terms.as_bits(a).is_some() {
        Some((a, b))
    } else if terms.as_bits(b).is_some() {
        Some((b, a))
    } else {
        None
    }
}

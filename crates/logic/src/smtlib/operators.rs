//! The operators of scripts as terms.

use model::FloatFormat;

use super::format_of_shape;
use crate::op::{Op, Rounding};
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// Bit-vectors of scripts are no wider.
pub(super) const MOST_WIDTH: u32 = 1 << 16;
/// `distinct` takes no more arguments: there is an inequality for every two.
const MOST_DISTINCT: usize = 1024;

/// What an operator is applied to.
#[derive(Clone, Copy)]
pub(super) enum Operand<'a> {
    Term(Term),
    Rounding(Rounding),
    /// A number, decimal or not, as it is written.
    Number(&'a str),
}

/// What is applied.
pub(super) enum Head<'a> {
    Operator { name: &'a str, indices: &'a [u32] },
    ConstantArray(Sort),
}

/// What an operand is, for a message.
pub(super) fn describe(terms: &Terms, operand: Operand<'_>) -> String {
    match operand {
        Operand::Term(term) => terms.sort(term).to_string(),
        Operand::Rounding(_) => "a rounding mode".to_owned(),
        Operand::Number(_) => "a number without width".to_owned(),
    }
}

/// The operands as terms of these sorts.
pub(super) fn checked(terms: &Terms, sorts: &[Sort], args: &[Operand<'_>]) -> Result<Vec<Term>, String> {
    let terms_of_args = plain(terms, args)?;
    let given: Vec<Sort> = terms_of_args.iter().map(|&arg| terms.sort(arg)).collect();
    if given == sorts {
        Ok(terms_of_args)
    } else {
        Err(format!("the parameters are {}, the arguments are {}", listed(sorts), listed(&given)))
    }
}

fn listed(sorts: &[Sort]) -> String {
    let sorts: Vec<String> = sorts.iter().map(ToString::to_string).collect();
    format!("({})", sorts.join(", "))
}

/// The operands as terms.
fn plain(terms: &Terms, args: &[Operand<'_>]) -> Result<Vec<Term>, String> {
    args.iter()
        .map(|&arg| match arg {
            Operand::Term(term) => Ok(term),
            other => Err(format!("{} cannot stand here", describe(terms, other))),
        })
        .collect()
}

/// An operator of terms applied to arguments whose sorts are checked here.
fn node(terms: &mut Terms, op: Op, args: &[Term], wanted: Option<Sort>) -> Result<Term, String> {
    let sorts: Vec<Sort> = args.iter().map(|&arg| terms.sort(arg)).collect();
    match op.result(&sorts, wanted) {
        Some(Sort::Bits(width)) if width > MOST_WIDTH => Err("the result is too wide".to_owned()),
        Some(_) => Ok(terms.apply(op, args, wanted)),
        None => Err(format!("this operator does not take {}", listed(&sorts))),
    }
}

/// How an operator of two arguments takes more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arity {
    /// Exactly as many as the operator of terms has.
    Fixed,
    /// `(a + b) + c`
    Left,
    /// `a = b and b = c`
    Chain,
}

/// An operator that is one of terms, perhaps with its arguments in the other order, perhaps negated.
struct Simple {
    op: Op,
    arity: Arity,
    reversed: bool,
    negated: bool,
}

fn simple(name: &str) -> Option<Simple> {
    use Arity::{Chain, Fixed, Left};
    let (op, arity, reversed, negated) = match name {
        "not" => (Op::Not, Fixed, false, false),
        "and" => (Op::And, Left, false, false),
        "or" => (Op::Or, Left, false, false),
        "xor" => (Op::Xor, Left, false, false),
        "=" => (Op::Equal, Chain, false, false),
        "ite" => (Op::Ite, Fixed, false, false),
        "bvnot" => (Op::BitNot, Fixed, false, false),
        "bvneg" => (Op::Neg, Fixed, false, false),
        "bvand" => (Op::BitAnd, Left, false, false),
        "bvor" => (Op::BitOr, Left, false, false),
        "bvxor" => (Op::BitXor, Left, false, false),
        "bvnand" => (Op::BitAnd, Fixed, false, true),
        "bvnor" => (Op::BitOr, Fixed, false, true),
        "bvxnor" => (Op::BitXor, Fixed, false, true),
        "bvadd" => (Op::Add, Left, false, false),
        "bvsub" => (Op::Sub, Fixed, false, false),
        "bvmul" => (Op::Mul, Left, false, false),
        "bvudiv" => (Op::Udiv, Fixed, false, false),
        "bvurem" => (Op::Urem, Fixed, false, false),
        "bvsdiv" => (Op::Sdiv, Fixed, false, false),
        "bvsrem" => (Op::Srem, Fixed, false, false),
        "bvshl" => (Op::Shl, Fixed, false, false),
        "bvlshr" => (Op::Lshr, Fixed, false, false),
        "bvashr" => (Op::Ashr, Fixed, false, false),
        "bvult" => (Op::Ult, Fixed, false, false),
        "bvugt" => (Op::Ult, Fixed, true, false),
        "bvule" => (Op::Ult, Fixed, true, true),
        "bvuge" => (Op::Ult, Fixed, false, true),
        "bvslt" => (Op::Slt, Fixed, false, false),
        "bvsgt" => (Op::Slt, Fixed, true, false),
        "bvsle" => (Op::Slt, Fixed, true, true),
        "bvsge" => (Op::Slt, Fixed, false, true),
        "bvumulo" => (Op::UmulOverflows, Fixed, false, false),
        "bvsmulo" => (Op::SmulOverflows, Fixed, false, false),
        "concat" => (Op::Concat, Left, false, false),
        "select" => (Op::Select, Fixed, false, false),
        "store" => (Op::Store, Fixed, false, false),
        "fp.rem" => (Op::FloatRem, Fixed, false, false),
        "fp.neg" => (Op::FloatNeg, Fixed, false, false),
        "fp.abs" => (Op::FloatAbs, Fixed, false, false),
        "fp.eq" => (Op::FloatEq, Chain, false, false),
        "fp.lt" => (Op::FloatLt, Chain, false, false),
        "fp.leq" => (Op::FloatLe, Chain, false, false),
        "fp.gt" => (Op::FloatLt, Chain, true, false),
        "fp.geq" => (Op::FloatLe, Chain, true, false),
        "fp.isNaN" => (Op::FloatIsNan, Fixed, false, false),
        "fp.isInfinite" => (Op::FloatIsInfinite, Fixed, false, false),
        _ => return None,
    };
    Some(Simple { op, arity, reversed, negated })
}

impl Simple {
    fn apply(&self, terms: &mut Terms, mut args: Vec<Term>) -> Result<Term, String> {
        if self.reversed {
            args.reverse();
        }
        let result = match (self.arity, args.as_slice()) {
            (Arity::Fixed, args) => node(terms, self.op, args, None)?,
            (Arity::Left, &[first, second, ref rest @ ..]) => {
                let mut result = node(terms, self.op, &[first, second], None)?;
                for &arg in rest {
                    result = node(terms, self.op, &[result, arg], None)?;
                }
                result
            }
            (Arity::Chain, &[first, second, ref rest @ ..]) => {
                let mut result = node(terms, self.op, &[first, second], None)?;
                let mut last = second;
                for &arg in rest {
                    let link = node(terms, self.op, &[last, arg], None)?;
                    result = terms.and(result, link);
                    last = arg;
                }
                result
            }
            _ => return Err("this operator takes at least two arguments".to_owned()),
        };
        Ok(match (self.negated, terms.sort(result)) {
            (true, Sort::Bool) => terms.not(result),
            (true, _) => terms.bit_not(result),
            _ => result,
        })
    }
}

/// A float operator whose first operand is a rounding mode, which must be to nearest even.
fn rounded(name: &str) -> Option<Op> {
    Some(match name {
        "fp.add" => Op::FloatAdd,
        "fp.sub" => Op::FloatSub,
        "fp.mul" => Op::FloatMul,
        "fp.div" => Op::FloatDiv,
        "fp.sqrt" => Op::FloatSqrt,
        "fp.fma" => Op::FloatFma,
        _ => return None,
    })
}

/// An operator applied to operands.
pub(super) fn apply(terms: &mut Terms, head: &Head<'_>, args: &[Operand<'_>]) -> Result<Term, String> {
    let (name, indices) = match *head {
        Head::ConstantArray(sort) => {
            let args = plain(terms, args)?;
            return node(terms, Op::ConstantArray, &args, Some(sort));
        }
        Head::Operator { name, indices } => (name, indices),
    };
    if !indices.is_empty() {
        return indexed(terms, name, indices, args);
    }
    if let Some(simple) = simple(name) {
        let args = plain(terms, args)?;
        return simple.apply(terms, args);
    }
    match (rounded(name), args) {
        (Some(op), [rounding, rest @ ..]) => {
            nearest_even(terms, *rounding)?;
            let rest = plain(terms, rest)?;
            node(terms, op, &rest, None)
        }
        (None, &[Operand::Rounding(rounding), Operand::Term(a)]) if name == "fp.roundToIntegral" => {
            node(terms, Op::FloatRound(rounding), &[a], None)
        }
        _ => {
            let args = plain(terms, args)?;
            derived(terms, name, &args)
        }
    }
}

fn nearest_even(terms: &Terms, rounding: Operand<'_>) -> Result<(), String> {
    match rounding {
        Operand::Rounding(Rounding::NearestEven) => Ok(()),
        Operand::Rounding(_) => Err("only the rounding mode RNE is supported here".to_owned()),
        other => Err(format!("{} is no rounding mode", describe(terms, other))),
    }
}

/// Operators that are combinations of those of terms.
fn derived(terms: &mut Terms, name: &str, args: &[Term]) -> Result<Term, String> {
    match (name, args) {
        ("=>", &[ref rest @ .., last]) if !rest.is_empty() => {
            let mut result = last;
            for &premise in rest.iter().rev() {
                let not = node(terms, Op::Not, &[premise], None)?;
                result = node(terms, Op::Or, &[not, result], None)?;
            }
            Ok(result)
        }
        ("distinct", args) => distinct(terms, args),
        ("bvcomp", &[a, b]) if matches!(terms.sort(a), Sort::Bits(_)) => {
            let equal = node(terms, Op::Equal, &[a, b], None)?;
            Ok(terms.bit(equal))
        }
        ("bvsmod", &[a, b]) => signed_modulo(terms, a, b),
        ("fp", &[sign, exponent, significand]) => {
            let format = match (terms.sort(sign), terms.sort(exponent), terms.sort(significand)) {
                (Sort::Bits(1), Sort::Bits(exponent), Sort::Bits(significand)) => format_of_shape(exponent, significand + 1),
                _ => None,
            };
            let format = format.ok_or("this float format is not supported")?;
            let high = terms.concat(sign, exponent);
            let bits = terms.concat(high, significand);
            Ok(terms.float_from_bits(format, bits))
        }
        (_, &[a]) if name.starts_with("fp.is") => float_class(terms, name, a),
        _ => Err(format!("the operator `{name}` is not supported, or not with these arguments")),
    }
}

fn distinct(terms: &mut Terms, args: &[Term]) -> Result<Term, String> {
    if !(2..=MOST_DISTINCT).contains(&args.len()) {
        return Err(format!("`distinct` takes from 2 to {MOST_DISTINCT} arguments"));
    }
    let mut result = terms.bool(true);
    for (position, &a) in args.iter().enumerate() {
        for &b in args.iter().skip(position + 1) {
            let equal = node(terms, Op::Equal, &[a, b], None)?;
            let differ = terms.not(equal);
            result = terms.and(result, differ);
        }
    }
    Ok(result)
}

/// The remainder with the divisor's sign: that with the dividend's, plus the divisor where the signs differ and there is a remainder.
fn signed_modulo(terms: &mut Terms, a: Term, b: Term) -> Result<Term, String> {
    let remainder = node(terms, Op::Srem, &[a, b], None)?;
    let zero = terms.zero(terms.width(b));
    let (negative, of_negative) = (terms.slt(remainder, zero), terms.slt(b, zero));
    let signs_differ = terms.xor(negative, of_negative);
    let some = terms.nonzero(remainder);
    let adjust = terms.and(some, signs_differ);
    let adjusted = terms.add(remainder, b);
    Ok(terms.ite(adjust, adjusted, remainder))
}

fn float_class(terms: &mut Terms, name: &str, a: Term) -> Result<Term, String> {
    let Sort::Float(format) = terms.sort(a) else { return Err(format!("`{name}` takes a float")) };
    let zero = terms.float(format, 0);
    let normal = terms.float(format, model::float::smallest_normal(format));
    let magnitude = terms.float_abs(a);
    let bits = terms.float_to_bits(a);
    // NaN's pattern has no sign.
    let sign = terms.test_bit(bits, terms.width(bits) - 1);
    match name {
        "fp.isZero" => Ok(terms.float_eq(a, zero)),
        "fp.isNegative" => Ok(sign),
        "fp.isPositive" => {
            let nan = terms.float_is_nan(a);
            let neither = terms.or(nan, sign);
            Ok(terms.not(neither))
        }
        "fp.isSubnormal" => {
            let (some, small) = (terms.float_lt(zero, magnitude), terms.float_lt(magnitude, normal));
            Ok(terms.and(some, small))
        }
        "fp.isNormal" => {
            let infinite = terms.float_is_infinite(a);
            let (finite, large) = (terms.not(infinite), terms.float_le(normal, magnitude));
            Ok(terms.and(finite, large))
        }
        _ => Err(format!("the operator `{name}` is not supported")),
    }
}

/// Operators with indices.
fn indexed(terms: &mut Terms, name: &str, indices: &[u32], args: &[Operand<'_>]) -> Result<Term, String> {
    match (name, indices, args) {
        ("to_fp" | "to_fp_unsigned", &[exponent, significand], args) => {
            let format = format_of_shape(exponent, significand).ok_or("this float format is not supported")?;
            to_float(terms, name == "to_fp", format, args)
        }
        ("fp.to_ubv" | "fp.to_sbv", &[width], &[Operand::Rounding(rounding), Operand::Term(a)]) => {
            to_int(terms, name == "fp.to_sbv", width, rounding, a)
        }
        (_, indices, &[Operand::Term(a)]) if matches!(terms.sort(a), Sort::Bits(_)) => of_bits(terms, name, indices, a),
        _ => Err(format!("the operator `{name}` is not supported, or not with these arguments")),
    }
}

/// Operators with indices on one bit-vector.
fn of_bits(terms: &mut Terms, name: &str, indices: &[u32], a: Term) -> Result<Term, String> {
    let width = terms.width(a);
    match (name, indices) {
        ("extract", &[high, low]) => {
            if high < low || high >= width {
                return Err(format!("there are no bits from {high} down to {low} in {width} bits"));
            }
            Ok(terms.extract(a, high, low))
        }
        ("zero_extend" | "sign_extend", &[by]) => {
            let wider = Sort::Bits(width.saturating_add(by));
            node(terms, if name == "zero_extend" { Op::ZeroExtend } else { Op::SignExtend }, &[a], Some(wider))
        }
        ("rotate_left", &[by]) => Ok(rotate_left(terms, a, by % width)),
        ("rotate_right", &[by]) => Ok(rotate_left(terms, a, (width - by % width) % width)),
        ("repeat", &[count]) if count >= 1 => {
            let mut result = a;
            for _ in 1..count {
                result = node(terms, Op::Concat, &[result, a], None)?;
            }
            Ok(result)
        }
        _ => Err(format!("the operator `{name}` is not supported, or not with these indices")),
    }
}

/// Rotated by less than the width.
fn rotate_left(terms: &mut Terms, a: Term, by: u32) -> Term {
    let width = terms.width(a);
    if by == 0 {
        return a;
    }
    let (low, high) = (terms.extract(a, width - by - 1, 0), terms.extract(a, width - 1, width - by));
    terms.concat(low, high)
}

fn to_float(terms: &mut Terms, signed: bool, format: FloatFormat, args: &[Operand<'_>]) -> Result<Term, String> {
    match *args {
        [Operand::Term(bits)] if signed => node(terms, Op::FloatFromBits(format), &[bits], None),
        [rounding, value] => {
            nearest_even(terms, rounding)?;
            match value {
                Operand::Term(a) if matches!(terms.sort(a), Sort::Float(_)) && signed => node(terms, Op::FloatConvert(format), &[a], None),
                Operand::Term(a) => node(terms, Op::FloatFromInt { format, signed }, &[a], None),
                Operand::Number(digits) => {
                    let pattern = model::float::parse(format, digits).ok_or("this number cannot be read as a float")?;
                    Ok(terms.float(format, pattern))
                }
                Operand::Rounding(_) => Err("a rounding mode cannot stand here".to_owned()),
            }
        }
        _ => Err("this conversion does not have the right number of arguments".to_owned()),
    }
}

/// The integer; of floats that do not fit, SMT-LIB says nothing, so it is a function of the float about which nothing is known.
fn to_int(terms: &mut Terms, signed: bool, width: u32, rounding: Rounding, a: Term) -> Result<Term, String> {
    if width > MOST_WIDTH {
        return Err("the result is too wide".to_owned());
    }
    let integral = node(terms, Op::FloatRound(rounding), &[a], None)?;
    let fits = node(terms, Op::FloatFitsInt { signed, width }, &[integral], None)?;
    let int = node(terms, Op::FloatToInt { signed, width }, &[integral], None)?;
    let bits = terms.float_to_bits(a);
    let letter = if signed { 's' } else { 'u' };
    let other = terms.call(&format!("fp.to_{letter}bv {width} {rounding:?} of {} that do not fit", terms.sort(a)), &[bits], width);
    Ok(terms.ite(fits, int, other))
}

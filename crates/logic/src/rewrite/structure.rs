//! Rules for concatenation, extraction and extension.

use super::zeros::leading_zeros;
use super::{binary, ite_parts, tables, unary};
use crate::bits::Bits;
use crate::op::Op;
use crate::term::{Term, Terms};

pub(super) fn concat(terms: &mut Terms, high: Term, low: Term) -> Option<Term> {
    let width = terms.width(high) + terms.width(low);
    if terms.as_bits(high).is_some_and(Bits::is_zero) {
        return Some(terms.zero_extend(low, width));
    }
    // Parts of one term that lie side by side.
    if let (Op::Extract(above), Op::Extract(below)) = (terms.op(high), terms.op(low))
        && terms.args(high) == terms.args(low)
        && above == below + terms.width(low)
    {
        let whole = *terms.args(high).first()?;
        return Some(terms.extract(whole, above + terms.width(high) - 1, below));
    }
    // To the right, so that neighbours meet: (x ++ y) ++ z = x ++ (y ++ z) if the inner one gets simpler.
    if let Some((x, y)) = binary(terms, Op::Concat, high) {
        let both_constant = terms.as_bits(y).is_some() && terms.as_bits(low).is_some();
        let neighbours = matches!((terms.op(y), terms.op(low)), (Op::Extract(above), Op::Extract(below))
            if terms.args(y) == terms.args(low) && above == below + terms.width(low));
        if both_constant || neighbours {
            let rest = terms.concat(y, low);
            return Some(terms.concat(x, rest));
        }
    }
    if let Some((y, z)) = binary(terms, Op::Concat, low) {
        let both_constant = terms.as_bits(high).is_some() && terms.as_bits(y).is_some();
        let neighbours = matches!((terms.op(high), terms.op(y)), (Op::Extract(above), Op::Extract(below))
            if terms.args(high) == terms.args(y) && above == below + terms.width(y));
        if both_constant || neighbours {
            let first = terms.concat(high, y);
            return Some(terms.concat(first, z));
        }
    }
    None
}

pub(super) fn extract(terms: &mut Terms, a: Term, high: u32, low: u32) -> Option<Term> {
    if high - low + 1 == terms.width(a) {
        return Some(a);
    }
    if let Some(&known) = terms.extracted.get(&(a, high, low)) {
        return Some(known);
    }
    let found = extract_parts(terms, a, high, low)?;
    terms.extracted.insert((a, high, low), found);
    Some(found)
}

fn extract_parts(terms: &mut Terms, a: Term, high: u32, low: u32) -> Option<Term> {
    let width = high - low + 1;
    match (terms.op(a), terms.args(a)) {
        (Op::Select, _) if high == low => tables::bit(terms, a, low),
        (Op::Extract(inner), &[x]) => Some(terms.extract(x, high + inner, low + inner)),
        (Op::Concat, &[top, bottom]) => {
            let split = terms.width(bottom);
            if low >= split {
                Some(terms.extract(top, high - split, low - split))
            } else if high < split {
                Some(terms.extract(bottom, high, low))
            } else {
                let (top, bottom) = (terms.extract(top, high - split, 0), terms.extract(bottom, split - 1, low));
                Some(terms.concat(top, bottom))
            }
        }
        (Op::ZeroExtend, &[x]) => {
            let inner = terms.width(x);
            if low >= inner {
                Some(terms.zero(width))
            } else {
                let part = terms.extract(x, high.min(inner - 1), low);
                Some(terms.zero_extend(part, width))
            }
        }
        (Op::SignExtend, &[x]) => {
            let inner = terms.width(x);
            let part = terms.extract(x, high.min(inner - 1), low.min(inner - 1));
            Some(terms.sign_extend(part, width))
        }
        (Op::BitNot | Op::BitAnd | Op::BitOr | Op::BitXor, args) => {
            let (op, args) = (terms.op(a), args.to_vec());
            let args: Vec<Term> = args.into_iter().map(|arg| terms.extract(arg, high, low)).collect();
            Some(terms.apply(op, &args, None))
        }
        // Low bits depend on low bits only.
        (Op::Add | Op::Sub | Op::Mul | Op::Neg, args) if low == 0 => {
            let (op, args) = (terms.op(a), args.to_vec());
            let args: Vec<Term> = args.into_iter().map(|arg| terms.extract(arg, high, 0)).collect();
            Some(terms.apply(op, &args, None))
        }
        (Op::Ite, &[condition, yes, no]) if terms.is_constant(yes) || terms.is_constant(no) => {
            let (yes, no) = (terms.extract(yes, high, low), terms.extract(no, high, low));
            Some(terms.ite(condition, yes, no))
        }
        _ => None,
    }
}

/// A choice between constants stays one.
fn extend_cases(terms: &mut Terms, a: Term, extend: impl Fn(&mut Terms, Term) -> Term) -> Option<Term> {
    let (condition, yes, no) = ite_parts(terms, a)?;
    if !terms.is_constant(yes) || !terms.is_constant(no) {
        return None;
    }
    let (yes, no) = (extend(terms, yes), extend(terms, no));
    Some(terms.ite(condition, yes, no))
}

pub(super) fn zero_extend(terms: &mut Terms, a: Term, width: u32) -> Option<Term> {
    if terms.width(a) == width {
        return Some(a);
    }
    if let Some(inner) = unary(terms, Op::ZeroExtend, a) {
        return Some(terms.zero_extend(inner, width));
    }
    extend_cases(terms, a, |terms, a| terms.zero_extend(a, width))
}

pub(super) fn sign_extend(terms: &mut Terms, a: Term, width: u32) -> Option<Term> {
    if terms.width(a) == width {
        return Some(a);
    }
    if let Some(inner) = unary(terms, Op::SignExtend, a) {
        return Some(terms.sign_extend(inner, width));
    }
    // Its sign is a zero.
    if leading_zeros(terms, a) > 0 {
        return Some(terms.zero_extend(a, width));
    }
    extend_cases(terms, a, |terms, a| terms.sign_extend(a, width))
}

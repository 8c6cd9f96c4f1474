//! Terms without what SMT-LIB has no operators for: the x87 format and `fmod` become circuits of bit-vectors.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::shape;
use crate::float;
use crate::op::Op;
use crate::sort::Sort;
use crate::term::{Args, Term, Terms};

/// The same truth values in operators of SMT-LIB, or the operator for which there is no circuit.
pub(super) fn lower(terms: &mut Terms, roots: &[Term]) -> Result<Vec<Term>, Op> {
    // What stands for each term: of a float in the x87 format the bit pattern, of everything else a term of the same sort.
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for term in terms.cone(roots) {
        let node = terms.node(term).clone();
        let args: Args = node.args.iter().map(|arg| done.get(arg).copied().unwrap_or(*arg)).collect();
        let sorts: SmallVec<[Sort; 5]> = node.args.iter().map(|&arg| terms.sort(arg)).collect();
        let has_pattern = is_pattern(node.sort) || sorts.iter().any(|&sort| is_pattern(sort));
        let result = match node.op {
            Op::Ite | Op::Equal if has_pattern => terms.apply(node.op, &args, None),
            _ if has_pattern || node.op == Op::FloatMod => circuit(terms, node.op, node.sort, &args).ok_or(node.op)?,
            _ if args == node.args => term,
            op => terms.apply(op, &args, Some(node.sort)),
        };
        done.insert(term, result);
    }
    Ok(roots.iter().map(|root| done.get(root).copied().unwrap_or(*root)).collect())
}

/// Whether terms of this sort are replaced by their bit patterns.
fn is_pattern(sort: Sort) -> bool {
    matches!(sort, Sort::Float(format) if shape(format).is_none())
}

fn circuit(terms: &mut Terms, op: Op, sort: Sort, args: &[Term]) -> Option<Term> {
    let mut patterns = Args::new();
    for &arg in args {
        patterns.push(if matches!(terms.sort(arg), Sort::Float(_)) { terms.float_to_bits(arg) } else { arg });
    }
    let result = float::lower(terms, op, sort, &patterns)?;
    Some(match sort {
        Sort::Float(format) if !is_pattern(sort) => terms.float_from_bits(format, result),
        _ => result,
    })
}

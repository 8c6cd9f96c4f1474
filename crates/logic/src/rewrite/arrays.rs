//! Rules for arrays: reads look through writes that are certainly elsewhere.

use crate::op::Op;
use crate::term::{Term, Terms};

/// How many writes a read looks through.
const DEPTH: usize = 256;

/// Whether two indices are equal, if a quick look tells.
fn same(terms: &mut Terms, a: Term, b: Term) -> Option<bool> {
    let equal = terms.equal(a, b);
    terms.as_bool(equal)
}

/// Whether an index lies in a range, if a quick look tells.
fn inside(terms: &mut Terms, index: Term, start: Term, count: Term) -> Option<bool> {
    let distance = terms.sub(index, start);
    let inside = terms.ult(distance, count);
    terms.as_bool(inside)
}

pub(super) fn select(terms: &mut Terms, array: Term, index: Term) -> Option<Term> {
    let (mut current, mut at) = (array, index);
    for _ in 0..DEPTH {
        match (terms.op(current), terms.args(current)) {
            (Op::ConstantArray, &[value]) => return Some(value),
            (Op::Table(table), _) => match terms.as_bits(at) {
                Some(at) => {
                    let value = terms.table_value(table).get(at).clone();
                    return Some(terms.bits(value));
                }
                None => break,
            },
            (Op::Store, &[inner, place, value]) => match same(terms, place, at) {
                Some(true) => return Some(value),
                Some(false) => current = inner,
                None => break,
            },
            (Op::Copy, &[inner, start, source, from, count]) => match inside(terms, at, start, count) {
                Some(true) => {
                    let distance = terms.sub(at, start);
                    at = terms.add(from, distance);
                    current = source;
                }
                Some(false) => current = inner,
                None => break,
            },
            _ => break,
        }
    }
    if terms.op(current) == Op::Ite
        && terms.is_constant(at)
        && let Some(value) = select_case(terms, current, at)
    {
        return Some(value);
    }
    (current != array || at != index).then(|| terms.select(current, at))
}

/// A read at a constant index of one of two arrays is one of two reads: where paths met, memory at known places is as plain as variables are. What was
/// found is kept, since arrays that meet again and again share most of their parts.
fn select_case(terms: &mut Terms, array: Term, index: Term) -> Option<Term> {
    if let Some(&known) = terms.selected.get(&(array, index)) {
        return Some(known);
    }
    let &[condition, yes, no] = terms.args(array) else { return None };
    let (yes, no) = (terms.select(yes, index), terms.select(no, index));
    let value = terms.ite(condition, yes, no);
    terms.selected.insert((array, index), value);
    Some(value)
}

pub(super) fn store(terms: &mut Terms, array: Term, index: Term, value: Term) -> Option<Term> {
    if terms.op(value) == Op::Select && *terms.args(value) == [array, index] {
        return Some(array);
    }
    match (terms.op(array), terms.args(array)) {
        (Op::Store, &[inner, place, _]) if place == index => Some(terms.store(inner, index, value)),
        (Op::ConstantArray, &[everywhere]) if everywhere == value => Some(array),
        _ => None,
    }
}

pub(super) fn copy(terms: &mut Terms, array: Term, at: Term, source: Term, from: Term, count: Term) -> Option<Term> {
    if array == source && at == from {
        return Some(array);
    }
    let count = terms.as_bits(count)?;
    if count.is_zero() {
        return Some(array);
    }
    if count.is_one() {
        let value = terms.select(source, from);
        return Some(terms.store(array, at, value));
    }
    None
}

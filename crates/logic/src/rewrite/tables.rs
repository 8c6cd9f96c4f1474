//! Rules for bits of constant tables: those of `isdigit` and its like, which programs read from a table of 16 bits for each character.

use super::binary;
use super::zeros::trailing_zeros;
use crate::bits::Bits;
use crate::op::Op;
use crate::term::{Term, Terms};

/// So many entries of a table are looked at.
const ENTRIES: usize = 1_024;
/// A bit that changes more often is read from the table.
const RUNS: usize = 4;

/// A bit of an entry, as a condition on its index: all entries have the usual bit but those in a few ranges.
pub(super) fn bit(terms: &mut Terms, read: Term, bit: u32) -> Option<Term> {
    let (array, index) = binary(terms, Op::Select, read)?;
    let Op::Table(table) = terms.op(array) else { return None };
    let (low, high) = limits(terms, index);
    let step = Bits::one(low.width()).shl(&Bits::new(low.width(), u128::from(trailing_zeros(terms, index))));
    let content = terms.table_value(table);
    let usual = content.default().bit(bit);
    let mut runs: Vec<(Bits, Bits)> = Vec::new();
    for (count, (at, value)) in content.entries_between(&low, &high).enumerate() {
        if count == ENTRIES {
            return None;
        }
        let reached = at.trailing_zeros() >= step.trailing_zeros();
        if !reached || value.bit(bit) == usual {
            continue;
        }
        if let Some((_, last)) = runs.last_mut()
            && last.add(&step) == *at
        {
            *last = at.clone();
        } else if runs.len() < RUNS {
            runs.push((at.clone(), at.clone()));
        } else {
            return None;
        }
    }
    let mut inside = terms.bool(false);
    for (first, last) in runs {
        let (first, last) = (terms.bits(first), terms.bits(last));
        let (from, to) = (terms.ule(first, index), terms.ule(index, last));
        let within = terms.and(from, to);
        inside = terms.or(inside, within);
    }
    let unusual = terms.bit(inside);
    Some(if usual { terms.bit_not(unusual) } else { unusual })
}

/// Bounds of an index, as far as its first bits tell.
fn limits(terms: &Terms, index: Term) -> (Bits, Bits) {
    let width = terms.width(index);
    match binary(terms, Op::Concat, index).map(|(high, low)| (terms.as_bits(high), terms.width(low))) {
        Some((Some(high), rest)) => (high.concat(&Bits::zero(rest)), high.concat(&Bits::ones(rest))),
        _ => (Bits::zero(width), Bits::ones(width)),
    }
}

//! Pointers in memory that lead to objects: what holds of all nodes of a list, whichever they are.
//!
//! Memory that a loop has changed may hold anything, also what is no pointer at all. The analysis of pointers tells which objects and where in them a
//! pointer may lead *if* it leads to one; that it does, or is null, is an invariant of the loops that make and change such objects.

use logic::{Bits, Op, Term};
use pointers::{Object as Abstract, RegionId};
use rustc_hash::FxHashSet;

use crate::access::Cells;
use crate::encoder::Encoder;
use crate::formula::{Links, Repeat};
use crate::object::Objects;
use crate::scalar::{OBJECT, OFFSET, POINTER, Pointer};
use crate::state::State;

/// A term that says whether an object exists is looked through as far as this.
const LOOK: usize = 64;
/// So many births and deaths are looked at to find out what was never made.
const MADE: usize = 2_000;

impl Encoder<'_> {
    /// That pointers in memory lead to objects; `None` where it cannot be said of this state.
    ///
    /// It is said of the objects that exist. An object that the body of a loop makes is one of a crowd at the head of the next iteration: what is said of
    /// the crowd there was said of the object before. That needs that a crowd has no members of which nothing was said, those that have been
    /// freed: then it is not known by one bit whether the crowd exists, and nothing is said at all.
    pub(crate) fn linked(&mut self, state: &State, links: Links) -> Option<Term> {
        let bytes = self.program.types.target().pointer_bytes();
        let (region, low, high) = self.leading(links.object, links.offset, links.null)?;
        let array = state.regions[region.index()];
        let mut parts = Vec::new();
        let numbers = self.objects.of(links.object).to_vec();
        for number in numbers {
            let object = self.terms.number(OBJECT, u128::from(number));
            let offset = self.terms.number(OFFSET, u128::from(links.offset));
            let at = Pointer { object, offset }.packed(&mut self.terms);
            let (end, step) = match (links.object, links.repeat) {
                (Abstract::Arguments, _) => (self.terms.add(offset, self.argument_end?), bytes),
                (_, None) => (self.terms.number(OFFSET, u128::from(links.offset) + 1), 1),
                (_, Some(repeat)) => (self.end_of_repetition(object, links.offset, repeat), repeat.step),
            };
            let held = self.terms.within(array, at, end, step, low, high);
            let exists = self.terms.select(state.alive, object);
            let exists = self.terms.test_bit(exists, 0);
            parts.push(self.terms.implies(exists, held));
        }
        let crowds: Vec<_> = self.objects.crowds_of(links.object).collect();
        for crowd in crowds {
            let (first, _) = crowd.numbers(&mut self.terms);
            let exists = self.terms.select(state.alive, first);
            // A segment cannot go along the objects and in each of them, too.
            if links.repeat.is_some() || !self.is_plain(exists) {
                return None;
            }
            let exists = self.terms.test_bit(exists, 0);
            let (start, size) = crowd.memory(&mut self.terms);
            let offset = self.terms.number(POINTER, u128::from(links.offset));
            let (from, end) = (self.terms.add(start, offset), self.terms.add(start, size));
            let held = self.terms.within(array, from, end, 1 << OFFSET, low, high);
            parts.push(self.terms.implies(exists, held));
        }
        Some(self.terms.all(parts))
    }

    /// Where places in an object end.
    pub(crate) fn end_of_repetition(&mut self, object: Term, offset: u64, repeat: Repeat) -> Term {
        match repeat.count.and_then(|count| count.checked_mul(repeat.step)?.checked_add(offset)) {
            Some(end) => self.terms.number(OFFSET, u128::from(end)),
            None => self.objects.size(&mut self.terms, object),
        }
    }

    /// The region of a pointer in memory, and the least and the greatest pattern of one that leads somewhere, with null if it may be that.
    pub(crate) fn leading(&mut self, object: Abstract, offset: u64, null: bool) -> Option<(RegionId, Term, Term)> {
        let bytes = self.program.types.target().pointer_bytes();
        let region = self.regions.of_cell(object, i64::try_from(offset).ok()?, bytes)?;
        let cells = self.cells(region);
        // The bit from which on a cell holds a pointer that leads somewhere: one with an object, or one that is marked.
        let bit = match cells {
            Cells::Whole { width: POINTER } => OFFSET,
            Cells::MixedWhole => POINTER,
            _ => return None,
        };
        let low = self.terms.number(cells.width(), 1 << bit);
        let high = if null { self.terms.zero(cells.width()) } else { self.terms.ones(cells.width()) };
        Some((region, low, high))
    }

    /// Takes away the objects that no path to a state has made: their bits were never set. A bit that is taken back (in a table of the objects that exist
    /// at start) leaves its write, so what is gone stays.
    pub(crate) fn keep_born(&self, state: &State, numbers: &mut Vec<u32>) {
        let mut unborn: Vec<u32> = numbers.iter().copied().filter(|number| *number != 0).collect();
        let mut open = vec![state.alive];
        let mut seen = FxHashSet::default();
        while let Some(array) = open.pop() {
            if unborn.is_empty() || seen.len() > MADE {
                return;
            }
            if !seen.insert(array) {
                continue;
            }
            match (self.terms.op(array), self.terms.args(array)) {
                (Op::Store, &[inner, index, _]) => {
                    if let Some(made) = Objects::number(&self.terms, index) {
                        unborn.retain(|number| *number != made);
                    }
                    open.push(inner);
                }
                (Op::Ite, &[_, yes, no]) => open.extend([yes, no]),
                // Only crowds are brought to life many at once.
                (Op::Copy, &[inner, ..]) => open.push(inner),
                (Op::Table(table), _) => {
                    let start = self.terms.table_value(table);
                    unborn.retain(|number| start.get(&Bits::new(OBJECT, u128::from(*number))).is_zero());
                }
                _ => return,
            }
        }
        numbers.retain(|number| !unborn.contains(number));
    }

    /// Whether a term reads from no array.
    fn is_plain(&self, term: Term) -> bool {
        let mut open = vec![term];
        for _ in 0..LOOK {
            let Some(term) = open.pop() else { return true };
            if self.terms.op(term) == Op::Select {
                return false;
            }
            open.extend(self.terms.args(term));
        }
        false
    }
}

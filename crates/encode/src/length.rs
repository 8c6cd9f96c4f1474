//! How long strings are, for those who ask whether loops end.

use logic::{Sort, Term};
use pointers::{Cell, Object as Abstract};

use crate::access::Cells;
use crate::encoder::{Encoder, Info};
use crate::formula::Source;
use crate::scalar::{OFFSET, Pointer};
use crate::state::State;

impl<'p> Encoder<'p> {
    /// How many bytes there are from a pointer on before the first 0, or before the end of its object: a variable, the same for the same string. There is
    /// exactly one such number in every state; what says so is added to the definitions, so these exclude no run.
    pub(crate) fn length(&mut self, info: &Info<'p>, state: &State, source: Source, pointer: Pointer) -> Option<Term> {
        let Source::Expr(expr) = source else { return None };
        let targets = self.analysis.targets(info.id, expr).into_iter();
        let objects = targets.filter(|target| !matches!(target.object, Abstract::Function(_)));
        let cells: Vec<Cell> = objects.map(|target| Cell { object: target.object, offsets: target.offsets, size: 1 }).collect();
        let &[region] = self.regions.touched(&cells).as_slice() else { return None };
        // A cell for each byte, one way or the other.
        if !self.cells(region).is_bytes() && self.cells(region) != (Cells::Whole { width: 8 }) {
            return None;
        }
        let (array, zero) = (state.regions[region.index()], self.terms.zero(self.cells(region).width()));
        let limit = self.rest(pointer);
        let start = pointer.packed(&mut self.terms);
        let length = self.terms.variable(&format!("length {} {}", array.index(), start.index()), Sort::Bits(OFFSET));
        let within = self.terms.ule(length, limit);
        let end = self.terms.add(pointer.offset, length);
        let before = self.terms.absent(array, start, end, zero);
        let at = Pointer { object: pointer.object, offset: end }.packed(&mut self.terms);
        let element = self.terms.select(array, at);
        let (here, nowhere) = (self.terms.equal(element, zero), self.terms.equal(length, limit));
        let stops = self.terms.or(nowhere, here);
        self.definitions.extend([within, before, stops]);
        Some(length)
    }

    /// How many bytes there are from a pointer to the end of its object.
    fn rest(&mut self, pointer: Pointer) -> Term {
        let size = self.objects.size(&mut self.terms, pointer.object);
        let size = self.terms.resize(size, OFFSET, false);
        let zero = self.terms.zero(OFFSET);
        let (behind, inside) = (self.terms.sle(zero, pointer.offset), self.terms.sle(pointer.offset, size));
        let is_inside = self.terms.and(behind, inside);
        let rest = self.terms.sub(size, pointer.offset);
        self.terms.ite(is_inside, rest, zero)
    }
}

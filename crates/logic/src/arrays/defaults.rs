//! What the elements of array variables should be that nobody reads.
//!
//! Seen from an index that nobody mentions, a write changes nothing, a choice is one of its arrays, and a copy (of a short range) is the array
//! that it was made from. So arrays fall into classes that agree there, and one constant array in a class tells the value for all.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::check::Check;
use crate::bits::Bits;
use crate::op::Op;
use crate::sat::SatSolver;
use crate::segment::{Fact, Segment, between};
use crate::sort::Sort;
use crate::term::Term;

/// Classes of arrays, each by a member that leads to the next.
#[derive(Default)]
struct Classes(FxHashMap<Term, Term>);

impl Classes {
    fn of(&mut self, array: Term) -> Term {
        let mut root = array;
        while let Some(&next) = self.0.get(&root) {
            root = next;
        }
        let mut member = array;
        while member != root {
            member = self.0.insert(member, root).unwrap_or(root);
        }
        root
    }
    fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.of(a), self.of(b));
        if a != b {
            self.0.insert(a.max(b), a.min(b));
        }
    }
}

/// Bounds that the elements of a segment of an array variable must keep.
struct Bounds {
    segment: Segment,
    /// The part of the segment between these indices.
    first: Bits,
    last: Bits,
    low: Bits,
    high: Bits,
}

impl Bounds {
    fn apply_to(&self, index: &Bits) -> bool {
        self.first <= *index && *index <= self.last && self.segment.contains(index)
    }
    fn admit(&self, value: &Bits) -> bool {
        between(value, &self.low, &self.high)
    }
}

/// So many elements are written out for bounds that the value of all others does not keep.
const MOST_WRITTEN: usize = 1 << 12;

impl<S: SatSolver> Check<'_, S> {
    /// The elements of the array variables that the model tells, and values for all others. This is a good guess: the model is evaluated
    /// afterwards.
    pub(super) fn completed(
        &mut self,
        arrays: &FxHashSet<Term>,
        facts: &[Term],
    ) -> (FxHashMap<Term, BTreeMap<Bits, Bits>>, FxHashMap<Term, Bits>) {
        let mut content = std::mem::take(&mut self.content);
        if facts.is_empty() {
            return (content, FxHashMap::default());
        }
        let mut arrays: Vec<Term> = arrays.iter().copied().collect();
        arrays.sort_unstable();
        let bounds = self.variable_bounds(facts);
        let defaults = self.defaults(&arrays, facts, &bounds);
        for (variable, bounds) in &bounds {
            if let Some(default) = defaults.get(variable) {
                write_out(content.entry(*variable).or_default(), bounds, default);
            }
        }
        (content, defaults)
    }

    /// What must hold for the elements of array variables that the model does not tell.
    fn variable_bounds(&mut self, facts: &[Term]) -> FxHashMap<Term, Vec<Bounds>> {
        let mut bounds: FxHashMap<Term, Vec<Bounds>> = FxHashMap::default();
        for &term in facts {
            let Some(Fact::Within { array, from, end, step, low, high }) = Fact::of(self.terms, term) else { continue };
            let Some(runs) = self.holds(term).then(|| self.runs_of(array)).flatten() else { continue };
            let (segment, low, high) = (self.segment(from, end, step), self.value(low), self.value(high));
            for run in runs.iter().filter(|run| run.value.is_none() && segment.first_between(&run.first, &run.last).is_some()) {
                let there = |index: &Bits| index.sub(&run.shift);
                let segment = Segment { from: there(&segment.from), ..segment.clone() };
                let (low, high) = (low.clone(), high.clone());
                let part = Bounds { segment, first: there(&run.first), last: there(&run.last), low, high };
                bounds.entry(run.source).or_default().push(part);
            }
        }
        bounds
    }

    fn defaults(&mut self, arrays: &[Term], facts: &[Term], bounds: &FxHashMap<Term, Vec<Bounds>>) -> FxHashMap<Term, Bits> {
        let mut classes = Classes::default();
        for &array in arrays {
            if let Some(base) = self.base(array) {
                classes.join(array, base);
            }
        }
        for &fact in facts {
            if let Some((a, Some(b))) = Fact::of(self.terms, fact).map(Fact::arrays)
                && self.holds(fact)
            {
                classes.join(a, b);
            }
        }
        let mut told: FxHashMap<Term, Bits> = FxHashMap::default();
        for &array in arrays {
            let value = match (self.terms.op(array), self.terms.args(array)) {
                (Op::ConstantArray, &[value]) => self.value(value),
                (Op::Table(table), _) => self.terms.table_value(table).default().clone(),
                _ => continue,
            };
            told.entry(classes.of(array)).or_insert(value);
        }
        let mut asked: FxHashMap<Term, Vec<&Bounds>> = FxHashMap::default();
        for array in arrays {
            asked.entry(classes.of(*array)).or_default().extend(bounds.get(array).into_iter().flatten());
        }
        let mut defaults = FxHashMap::default();
        for &array in arrays {
            if let (Op::Variable(_), Sort::Array { element, .. }) = (self.terms.op(array), self.terms.sort(array)) {
                let class = classes.of(array);
                let asked = asked.get(&class).map_or(&[][..], Vec::as_slice);
                let value = told.get(&class).cloned().unwrap_or_else(|| suitable(element, asked));
                defaults.insert(array, value);
            }
        }
        defaults
    }

    /// The part that an array agrees with where nobody looks.
    fn base(&mut self, array: Term) -> Option<Term> {
        match *self.terms.node(array).args.clone() {
            [inner, _, _] if self.terms.op(array) == Op::Store => Some(inner),
            [condition, yes, no] if self.terms.op(array) == Op::Ite => Some(if self.holds(condition) { yes } else { no }),
            [inner, _, source, _, count] => Some(if self.value(count).sign() { source } else { inner }),
            _ => None,
        }
    }
}

/// A value within all bounds if there is one, else within those of the longest segments: 0 if it can be had, then a letter, since bytes are
/// mostly text.
fn suitable(width: u32, bounds: &[&Bounds]) -> Bits {
    let mut bounds = bounds.to_vec();
    bounds.sort_by(|a, b| b.segment.count.cmp(&a.segment.count));
    // Where bounds overlap, one of them begins.
    let candidates =
        [Bits::zero(width), Bits::new(width, u128::from(b'A'))].into_iter().chain(bounds.iter().map(|bounds| bounds.low.clone()));
    let kept = |value: &Bits| bounds.iter().map(|bounds| bounds.admit(value)).collect::<Vec<bool>>();
    let mut best = (Vec::new(), Bits::zero(width));
    for candidate in candidates {
        let kept = kept(&candidate);
        if kept > best.0 {
            best = (kept, candidate);
        }
    }
    best.1
}

/// Gives the elements of an array variable values that keep its bounds, where the default does not.
fn write_out(content: &mut BTreeMap<Bits, Bits>, bounds: &[Bounds], default: &Bits) {
    let mut written = 0;
    for wrong in bounds.iter().filter(|bounds| !bounds.admit(default)) {
        let mut next = wrong.segment.first_between(&wrong.first, &wrong.last);
        while let Some(index) = next.filter(|_| written < MOST_WRITTEN) {
            written += 1;
            if !content.contains_key(&index) {
                let here: Vec<&Bounds> = bounds.iter().filter(|bounds| bounds.apply_to(&index)).collect();
                content.insert(index.clone(), suitable(default.width(), &here));
            }
            let after = index.add(&Bits::one(index.width()));
            next = (index < wrong.last).then(|| wrong.segment.first_between(&after, &wrong.last)).flatten();
        }
    }
}

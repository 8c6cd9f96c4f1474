//! Arrays of a model as runs of equal elements: however long ranges are, there are no more runs than what the array is made of tells apart.

use std::collections::BTreeMap;

use crate::bits::Bits;
use crate::op::Op;
use crate::segment::{Segment, between};
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// Arrays with more runs are not looked at.
const MOST_RUNS: usize = 1 << 20;

/// Equal elements from an index to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) first: Bits,
    /// Not below the first.
    pub(crate) last: Bits,
    /// `None` where the model does not tell.
    pub(crate) value: Option<Bits>,
    /// The array term that tells it, and the distance from its indices to these.
    pub(crate) source: Term,
    pub(crate) shift: Bits,
}

/// The elements of an array variable: those that are told, and what all others are.
pub(crate) struct Content<'a> {
    pub(crate) entries: Option<&'a BTreeMap<Bits, Bits>>,
    pub(crate) default: Option<Bits>,
}

/// The values of what arrays are made of.
pub(crate) trait Model {
    /// The terms.
    fn terms(&self) -> &Terms;
    /// The value of a bit-vector.
    fn vector(&mut self, term: Term) -> Option<Bits>;
    /// The value of a truth value.
    fn condition(&mut self, term: Term) -> Option<bool>;
    /// What an array variable holds.
    fn content(&self, variable: Term) -> Content<'_>;
}

/// The runs of an array in ascending order, without gaps; `None` if a value is missing or there are too many.
pub(crate) fn runs(model: &mut impl Model, array: Term) -> Option<Vec<Run>> {
    let Sort::Array { index: width, .. } = model.terms().sort(array) else { return None };
    let everything = BTreeMap::from([(Bits::zero(width), Bits::ones(width))]);
    let mut parts = vec![Part { array, shift: Bits::zero(width), open: everything }];
    let mut runs = Vec::new();
    while let Some(mut part) = parts.pop() {
        while !part.open.is_empty() {
            parts.extend(part.descend(model, &mut runs)?);
            if runs.len() + parts.len() > MOST_RUNS {
                return None;
            }
        }
    }
    runs.sort_unstable_by(|a: &Run, b: &Run| a.first.cmp(&b.first));
    Some(runs)
}

/// Elements of an array that are not known yet.
struct Part {
    array: Term,
    /// From the array's indices to those of the array whose runs are wanted.
    shift: Bits,
    /// The indices, as ranges from first to last.
    open: BTreeMap<Bits, Bits>,
}

impl Part {
    /// From an array to what it is made of. The part that a copy takes from elsewhere comes back.
    fn descend(&mut self, model: &mut impl Model, runs: &mut Vec<Run>) -> Option<Option<Part>> {
        let node = model.terms().node(self.array);
        match (node.op, node.args.clone().as_slice()) {
            (Op::Store, &[inner, index, value]) => {
                let at = model.vector(index)?;
                if !self.cut(&at, &at).is_empty() {
                    self.tell(&at, &at, Some(model.vector(value)?), runs);
                }
                self.array = inner;
            }
            (Op::Ite, &[condition, yes, no]) => self.array = if model.condition(condition)? { yes } else { no },
            (Op::ConstantArray, &[value]) => {
                let default = Some(model.vector(value)?);
                self.fill(&Content { entries: None, default }, runs);
            }
            (Op::Table(table), _) => {
                let table = model.terms().table_value(table);
                self.fill(&table.content(), runs);
            }
            (Op::Copy, &[inner, at, source, from, count]) => {
                let (at, from, count) = (model.vector(at)?, model.vector(from)?, model.vector(count)?);
                self.array = inner;
                if !count.is_zero() {
                    return Some(Some(self.copied(&at, source, &from, &count)));
                }
            }
            (Op::Variable(_), _) => self.fill(&model.content(self.array), runs),
            _ => return None,
        }
        Some(None)
    }

    /// Takes a range out of what is open: the ranges that were.
    fn cut(&mut self, first: &Bits, last: &Bits) -> Vec<(Bits, Bits)> {
        let one = Bits::one(first.width());
        let mut taken = Vec::new();
        if let Some((start, end)) = self.open.range(..first).next_back().map(|(start, end)| (start.clone(), end.clone()))
            && first <= &end
        {
            self.open.insert(start, first.sub(&one));
            self.open.insert(first.clone(), end);
        }
        while let Some((start, end)) = self.open.range(first..=last).next().map(|(start, end)| (start.clone(), end.clone())) {
            self.open.remove(&start);
            if *last < end {
                self.open.insert(last.add(&one), end);
                taken.push((start, last.clone()));
            } else {
                taken.push((start, end));
            }
        }
        taken
    }

    /// The part of a copy that comes from its source; this keeps the rest.
    fn copied(&mut self, at: &Bits, source: Term, from: &Bits, count: &Bits) -> Part {
        let last = at.add(count).sub(&Bits::one(at.width()));
        let move_by = from.sub(at);
        let mut open = BTreeMap::new();
        for (first, last) in unwrapped(at, &last) {
            for (first, last) in self.cut(&first, &last) {
                open.extend(unwrapped(&first.add(&move_by), &last.add(&move_by)));
            }
        }
        Part { array: source, shift: self.shift.sub(&move_by), open }
    }

    fn tell(&self, first: &Bits, last: &Bits, value: Option<Bits>, runs: &mut Vec<Run>) {
        let ranges = unwrapped(&first.add(&self.shift), &last.add(&self.shift));
        runs.extend(ranges.map(|(first, last)| Run { first, last, value: value.clone(), source: self.array, shift: self.shift.clone() }));
    }

    /// All that is open has this content.
    fn fill(&mut self, content: &Content<'_>, runs: &mut Vec<Run>) {
        for (first, last) in std::mem::take(&mut self.open) {
            let one = Bits::one(first.width());
            let mut next = Some(first.clone());
            for (index, value) in content.entries.into_iter().flat_map(|entries| entries.range(&first..=&last)) {
                if let Some(start) = next.filter(|start| start < index) {
                    self.tell(&start, &index.sub(&one), content.default.clone(), runs);
                }
                self.tell(index, index, Some(value.clone()), runs);
                next = (*index < last).then(|| index.add(&one));
            }
            if let Some(start) = next {
                self.tell(&start, &last, content.default.clone(), runs);
            }
        }
    }
}

/// A range of indices that may go over the highest one, as ranges that do not.
fn unwrapped(first: &Bits, last: &Bits) -> impl Iterator<Item = (Bits, Bits)> + use<> {
    let (first, last) = (first.clone(), last.clone());
    let wraps = last < first;
    let end = if wraps { Bits::ones(first.width()) } else { last.clone() };
    let rest = wraps.then(|| (Bits::zero(first.width()), last));
    std::iter::once((first, end)).chain(rest)
}

/// The first index of a segment, in the order of the runs, whose element is known and not between the bounds.
pub(crate) fn outlier(runs: &[Run], segment: &Segment, low: &Bits, high: &Bits) -> Option<Bits> {
    let is_wrong = |run: &&Run| run.value.as_ref().is_some_and(|value| !between(value, low, high));
    runs.iter().filter(is_wrong).find_map(|run| segment.first_between(&run.first, &run.last))
}

/// The first index at which two arrays have different known elements; the second array's indices are moved by this distance first.
pub(crate) fn difference(a: &[Run], b: &[Run], move_by: &Bits, segment: Option<&Segment>) -> Option<Bits> {
    let mut b: Vec<Run> = b
        .iter()
        .flat_map(|run| {
            unwrapped(&run.first.add(move_by), &run.last.add(move_by))
                .map(|(first, last)| Run { first, last, ..run.clone() })
                .collect::<Vec<_>>()
        })
        .collect();
    b.sort_unstable_by(|x, y| x.first.cmp(&y.first));
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(x), Some(y)) = (left.peek(), right.peek()) {
        let (first, last) = ((&x.first).max(&y.first), (&x.last).min(&y.last));
        if x.value.is_some() && y.value.is_some() && x.value != y.value && first <= last {
            let index = segment.map_or_else(|| Some(first.clone()), |segment| segment.first_between(first, last));
            if index.is_some() {
                return index;
            }
        }
        if x.last <= y.last {
            left.next();
        } else {
            right.next();
        }
    }
    None
}

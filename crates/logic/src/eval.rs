//! The value of a term under an assignment of its variables, without a solver.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::float;
use crate::op::Op;
use crate::runs::{self, Content, Model, Run};
use crate::segment::{Fact, Segment};
use crate::sort::Sort;
use crate::term::{Term, Terms, VariableId};

/// The value of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector, or the bit pattern of a float.
    Bits(Bits),
    /// An array.
    Array(ArrayValue),
}

/// An array's content: entries, and one value everywhere else. No entry has the default value.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    default: Bits,
    entries: BTreeMap<Bits, Bits>,
}

/// Whether both have the same elements. With different defaults that is possible too: if every index is an entry of one or the other.
impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        let width = self.entries.keys().chain(other.entries.keys()).next().map(Bits::width);
        width.map_or(self.default == other.default, |width| self.difference(other, width).is_none())
    }
}

impl Eq for ArrayValue {}

impl ArrayValue {
    /// The same everywhere.
    pub fn constant(default: Bits) -> Self {
        ArrayValue { default, entries: BTreeMap::new() }
    }
    /// The element at an index.
    pub fn get(&self, index: &Bits) -> &Bits {
        self.entries.get(index).unwrap_or(&self.default)
    }
    /// Changes the element at an index.
    pub fn set(&mut self, index: Bits, value: Bits) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
    }
    /// The value at all indices that are no entries.
    pub fn default(&self) -> &Bits {
        &self.default
    }
    /// The indices with other values than the default, ascending.
    pub fn entries(&self) -> impl Iterator<Item = (&Bits, &Bits)> {
        self.entries.iter()
    }

    /// See [`Op::Copy`]. Works entry by entry of both arrays, so that the count may be as large as it likes.
    fn copied(&self, at: &Bits, source: &ArrayValue, from: &Bits, count: &Bits) -> Option<ArrayValue> {
        let inside = |index: &Bits, start: &Bits| index.sub(start).ult(count);
        let mut result = self.clone();
        if self.default == source.default {
            result.entries.retain(|index, _| !inside(index, at));
        } else {
            // The range takes another default: it must be written out.
            let count = count.to_u64().filter(|count| *count <= 1 << 20)?;
            for offset in 0..count {
                let offset = Bits::new(at.width(), u128::from(offset));
                result.set(at.add(&offset), source.default.clone());
            }
        }
        for (index, value) in &source.entries {
            if inside(index, from) {
                result.set(index.sub(from).add(at), value.clone());
            }
        }
        Some(result)
    }

    /// Those from an index to another.
    pub(crate) fn entries_between(&self, first: &Bits, last: &Bits) -> impl Iterator<Item = (&Bits, &Bits)> {
        self.entries.range(first..=last)
    }

    /// The first and the last index of a range around an index in which all elements are the same: all up to the next entries if it is no entry,
    /// otherwise a run of equal entries (not necessarily all of it if it is very long). Only indices count that end in so many zeros, as this one does.
    pub(crate) fn plateau(&self, at: &Bits, zeros: u32) -> (Bits, Bits) {
        const RUN: usize = 1 << 16;
        let (one, step) = (Bits::one(at.width()), Bits::new(at.width(), 1 << zeros.min(64)));
        let counts = |(index, _): &(&Bits, &Bits)| index.trailing_zeros() >= zeros && *index != at;
        let (mut below, mut above) = (self.entries.range(..at).rev().filter(counts), self.entries.range(at..).filter(counts));
        if let Some(value) = self.entries.get(at) {
            let extend = |end: Bits, (index, element): (&Bits, &Bits), neighbour: Bits| {
                (*index == neighbour && element == value).then(|| index.clone()).ok_or(end)
            };
            let first = below.take(RUN).try_fold(at.clone(), |end, entry| extend(end.clone(), entry, end.sub(&step)));
            let last = above.take(RUN).try_fold(at.clone(), |end, entry| extend(end.clone(), entry, end.add(&step)));
            return (first.unwrap_or_else(|end| end), last.unwrap_or_else(|end| end));
        }
        let first = below.next().map_or_else(|| Bits::zero(at.width()), |(index, _)| index.add(&one));
        let last = above.next().map_or_else(|| Bits::ones(at.width()), |(index, _)| index.sub(&one));
        (first, last)
    }

    /// An index of this width at which another array has another element.
    pub(crate) fn difference(&self, other: &ArrayValue, width: u32) -> Option<Bits> {
        let written = self.entries.keys().chain(other.entries.keys()).find(|index| self.get(index) != other.get(index));
        if written.is_some() || self.default == other.default {
            return written.cloned();
        }
        let unwritten = |index: &Bits| !self.entries.contains_key(index) && !other.entries.contains_key(index);
        indices(Bits::zero(width)).take(self.entries.len() + other.entries.len() + 1).find(unwritten)
    }

    pub(crate) fn content(&self) -> Content<'_> {
        Content { entries: Some(&self.entries), default: Some(self.default.clone()) }
    }
}

/// All indices from this one on, without end.
fn indices(start: Bits) -> impl Iterator<Item = Bits> {
    std::iter::successors(Some(start), |index| Some(index.add(&Bits::one(index.width()))))
}

/// Values of variables. Variables without one are 0, false, or 0 everywhere.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Assignment {
    values: FxHashMap<VariableId, Value>,
}

impl Assignment {
    /// No variable has a value.
    pub fn new() -> Self {
        Self::default()
    }
    /// Gives a variable a value, which must be of its sort.
    pub fn set(&mut self, variable: VariableId, value: Value) {
        self.values.insert(variable, value);
    }
    /// The value that a variable was given.
    pub fn get(&self, variable: VariableId) -> Option<&Value> {
        self.values.get(&variable)
    }
}

impl Value {
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }
    /// The bits of a bit-vector or float.
    pub fn as_bits(&self) -> Option<&Bits> {
        match self {
            Value::Bits(bits) => Some(bits),
            _ => None,
        }
    }
    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }
    /// What a variable of this sort is if nobody says otherwise.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bits(_) | Sort::Float(_) => Value::Bits(Bits::zero(sort.width())),
            Sort::Array { element, .. } => Value::Array(ArrayValue::constant(Bits::zero(element))),
        }
    }
}

/// Evaluates terms under one assignment and remembers what it found.
///
/// Arrays are not written down: a read is followed through the terms that its array is made of, so that ranges may be as long as they like.
/// Facts about many elements need them as runs of equal elements.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    assignment: &'a Assignment,
    known: FxHashMap<Term, Option<Value>>,
    /// Arrays whose indices, values and conditions are known.
    prepared: FxHashSet<Term>,
    /// Arrays about which there was a fact.
    runs: FxHashMap<Term, Option<Rc<[Run]>>>,
}

impl<'a> Evaluator<'a> {
    /// Evaluates under this assignment.
    pub fn new(terms: &'a Terms, assignment: &'a Assignment) -> Self {
        Evaluator { terms, assignment, known: FxHashMap::default(), prepared: FxHashSet::default(), runs: FxHashMap::default() }
    }
    /// The value of a term; `None` if it cannot be found (an array with a huge range of two defaults, one with too many runs).
    pub fn value(&mut self, term: Term) -> Option<&Value> {
        let mut open = vec![term];
        while let Some(&top) = open.last() {
            if self.known.contains_key(&top) {
                open.pop();
                continue;
            }
            let before = open.len();
            self.push_needed(top, &mut open);
            if open.len() == before {
                open.pop();
                let value = self.compute(top);
                self.known.insert(top, value);
            }
        }
        self.known.get(&term)?.as_ref()
    }
    /// The value of a truth value; `None` as for [`Evaluator::value`].
    pub fn holds(&mut self, term: Term) -> Option<bool> {
        self.value(term)?.as_bool()
    }

    /// What must be known before a term: its arguments, or what a read of an array may come by.
    fn push_needed(&mut self, term: Term, open: &mut Vec<Term>) {
        let is_array = |term: Term| matches!(self.terms.sort(term), Sort::Array { .. });
        let args = self.terms.args(term).iter().copied();
        let (mut arrays, others): (Vec<Term>, Vec<Term>) = args.partition(|&arg| is_array(arg) && !is_array(term));
        open.extend(others.into_iter().filter(|arg| !self.known.contains_key(arg)));
        let before = open.len();
        let mut passed = FxHashSet::default();
        while let Some(array) = arrays.pop() {
            if self.prepared.contains(&array) || !passed.insert(array) {
                continue;
            }
            for &arg in self.terms.args(array) {
                if matches!(self.terms.sort(arg), Sort::Array { .. }) {
                    arrays.push(arg);
                } else if !self.known.contains_key(&arg) {
                    open.push(arg);
                }
            }
        }
        if open.len() == before {
            self.prepared.extend(passed);
        }
    }

    fn compute(&mut self, term: Term) -> Option<Value> {
        if let Some(fact) = Fact::of(self.terms, term) {
            return self.failure(fact).map(|failure| Value::Bool(failure.is_none()));
        }
        let node = self.terms.node(term);
        match (node.op, node.args.as_slice()) {
            (Op::Bool(value), _) => Some(Value::Bool(value)),
            (Op::Constant(constant), _) => Some(Value::Bits(self.terms.constant_value(constant).clone())),
            (Op::Table(table), _) => Some(Value::Array(self.terms.table_value(table).clone())),
            (Op::Variable(variable), _) => Some(self.assignment.get(variable).cloned().unwrap_or_else(|| Value::zero(node.sort))),
            (Op::Select, &[array, index]) => self.element(array, self.bits(index)?.clone()).map(Value::Bits),
            // What decides needs no more: an unknown value elsewhere does no harm.
            (Op::And, args) if args.iter().any(|&arg| self.truth(arg) == Some(false)) => Some(Value::Bool(false)),
            (Op::Or, args) if args.iter().any(|&arg| self.truth(arg) == Some(true)) => Some(Value::Bool(true)),
            (Op::Ite, &[condition, yes, no]) => self.known.get(if self.truth(condition)? { &yes } else { &no })?.clone(),
            (op, args) => {
                let mut values = smallvec::SmallVec::<[&Value; 5]>::new();
                for arg in args {
                    values.push(self.known.get(arg)?.as_ref()?);
                }
                let sorts: smallvec::SmallVec<[Sort; 5]> = args.iter().map(|&arg| self.terms.sort(arg)).collect();
                apply(op, node.sort, &sorts, &values)
            }
        }
    }

    fn truth(&self, term: Term) -> Option<bool> {
        self.known.get(&term)?.as_ref()?.as_bool()
    }
    fn bits(&self, term: Term) -> Option<&Bits> {
        self.known.get(&term)?.as_ref()?.as_bits()
    }

    /// What an array holds at an index.
    fn element(&self, array: Term, index: Bits) -> Option<Bits> {
        let (mut array, mut index) = (array, index);
        loop {
            array = match (self.terms.op(array), self.terms.args(array)) {
                (Op::Store, &[inner, at, value]) => {
                    if *self.bits(at)? == index {
                        return self.bits(value).cloned();
                    }
                    inner
                }
                (Op::Ite, &[condition, yes, no]) => {
                    if self.known.get(&condition)?.as_ref()?.as_bool()? {
                        yes
                    } else {
                        no
                    }
                }
                (Op::ConstantArray, &[value]) => return self.bits(value).cloned(),
                (Op::Table(table), _) => return Some(self.terms.table_value(table).get(&index).clone()),
                (Op::Copy, &[inner, at, source, from, count]) => {
                    let distance = index.sub(self.bits(at)?);
                    if distance.ult(self.bits(count)?) {
                        index = self.bits(from)?.add(&distance);
                        source
                    } else {
                        inner
                    }
                }
                (Op::Variable(variable), _) => {
                    let zero = || Bits::zero(element_width(self.terms.sort(array)));
                    return Some(
                        self.assignment.get(variable).and_then(Value::as_array).map_or_else(zero, |array| array.get(&index).clone()),
                    );
                }
                _ => return None,
            };
        }
    }

    /// An index at which a fact about all elements fails.
    pub(crate) fn failure(&mut self, fact: Fact) -> Option<Option<Bits>> {
        Some(match fact {
            Fact::Equal { a, b } => {
                let Sort::Array { index, .. } = self.terms.sort(a) else { return None };
                let (a, b) = (self.runs(a)?, self.runs(b)?);
                runs::difference(&a, &b, &Bits::zero(index), None)
            }
            Fact::Within { array, from, end, step, low, high } => {
                let runs = self.runs(array)?;
                let segment = Segment::between(self.bits(from)?.clone(), self.bits(end)?, step);
                runs::outlier(&runs, &segment, self.bits(low)?, self.bits(high)?)
            }
            Fact::Agree { a, from_a, b, from_b, end, step } => {
                let (a, b) = (self.runs(a)?, self.runs(b)?);
                let segment = Segment::between(self.bits(from_a)?.clone(), self.bits(end)?, step);
                let (other, low) = (self.bits(from_b)?, self.terms.width(end));
                segment.differs(&a, &b, other, low)
            }
        })
    }

    fn runs(&mut self, array: Term) -> Option<Rc<[Run]>> {
        if let Some(known) = self.runs.get(&array) {
            return known.clone();
        }
        let runs: Option<Rc<[Run]>> = runs::runs(self, array).map(Into::into);
        self.runs.insert(array, runs.clone());
        runs
    }
}

impl Model for Evaluator<'_> {
    fn terms(&self) -> &Terms {
        self.terms
    }
    fn vector(&mut self, term: Term) -> Option<Bits> {
        self.bits(term).cloned()
    }
    fn condition(&mut self, term: Term) -> Option<bool> {
        self.truth(term)
    }
    fn content(&self, variable: Term) -> Content<'_> {
        let told = match self.terms.op(variable) {
            Op::Variable(variable) => self.assignment.get(variable).and_then(Value::as_array),
            _ => None,
        };
        told.map_or_else(
            || Content { entries: None, default: Some(Bits::zero(element_width(self.terms.sort(variable)))) },
            ArrayValue::content,
        )
    }
}

/// The width of an array's elements.
fn element_width(sort: Sort) -> u32 {
    match sort {
        Sort::Array { element, .. } => element,
        _ => 1,
    }
}

/// An operator on values. The sorts fit, as those of a term do.
pub(crate) fn apply(op: Op, sort: Sort, sorts: &[Sort], args: &[&Value]) -> Option<Value> {
    use Value::{Array, Bits as Vector, Bool};
    Some(match (op, args) {
        (Op::Not, [Bool(a)]) => Bool(!a),
        (Op::And, [Bool(a), Bool(b)]) => Bool(*a && *b),
        (Op::Or, [Bool(a), Bool(b)]) => Bool(*a || *b),
        (Op::Xor, [Bool(a), Bool(b)]) => Bool(a != b),
        (Op::Equal, [a, b]) => Bool(a == b),
        (Op::Ite, [Bool(condition), yes, no]) => (*if *condition { yes } else { no }).clone(),
        (Op::Concat, [Vector(a), Vector(b)]) => Vector(a.concat(b)),
        (Op::Extract(low), [Vector(a)]) => Vector(a.extract(low + sort.width() - 1, low)),
        (Op::ZeroExtend, [Vector(a)]) => Vector(a.zero_extend(sort.width())),
        (Op::SignExtend, [Vector(a)]) => Vector(a.sign_extend(sort.width())),
        (Op::Select, [Array(array), Vector(index)]) => Vector(array.get(index).clone()),
        (Op::Store, [Array(array), Vector(index), Vector(value)]) => {
            let mut array = array.clone();
            array.set(index.clone(), value.clone());
            Array(array)
        }
        (Op::ConstantArray, [Vector(value)]) => Array(ArrayValue::constant(value.clone())),
        (Op::Copy, [Array(array), Vector(at), Array(source), Vector(from), Vector(count)]) => Array(array.copied(at, source, from, count)?),
        (_, [Vector(a)]) if unary(op, a).is_some() => Vector(unary(op, a)?),
        (_, [Vector(a), Vector(b)]) if binary(op, a, b).is_some() => binary(op, a, b)?,
        _ => {
            let mut patterns = smallvec::SmallVec::<[(Sort, &Bits); 3]>::new();
            for (sort, arg) in sorts.iter().zip(args) {
                patterns.push((*sort, arg.as_bits()?));
            }
            let result = float::evaluate(op, sort, &patterns)?;
            if sort == Sort::Bool { Bool(!result.is_zero()) } else { Vector(result) }
        }
    })
}

fn unary(op: Op, a: &Bits) -> Option<Bits> {
    match op {
        Op::BitNot => Some(a.not()),
        Op::Neg => Some(a.neg()),
        _ => None,
    }
}

fn binary(op: Op, a: &Bits, b: &Bits) -> Option<Value> {
    Some(match op {
        Op::BitAnd => Value::Bits(a.and(b)),
        Op::BitOr => Value::Bits(a.or(b)),
        Op::BitXor => Value::Bits(a.xor(b)),
        Op::Add => Value::Bits(a.add(b)),
        Op::Sub => Value::Bits(a.sub(b)),
        Op::Mul => Value::Bits(a.mul(b)),
        Op::Udiv => Value::Bits(a.udiv(b)),
        Op::Urem => Value::Bits(a.urem(b)),
        Op::Sdiv => Value::Bits(a.sdiv(b)),
        Op::Srem => Value::Bits(a.srem(b)),
        Op::Shl => Value::Bits(a.shl(b)),
        Op::Lshr => Value::Bits(a.lshr(b)),
        Op::Ashr => Value::Bits(a.ashr(b)),
        Op::Ult => Value::Bool(a.ult(b)),
        Op::Slt => Value::Bool(a.slt(b)),
        Op::UmulOverflows => Value::Bool(a.umul_overflows(b)),
        Op::SmulOverflows => Value::Bool(a.smul_overflows(b)),
        _ => return None,
    })
}

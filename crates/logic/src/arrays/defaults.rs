//! What the elements of array variables should be that nobody reads.
//!
//! Seen from an index that nobody mentions, a write changes nothing, a choice is one of its arrays, and a copy (of a short range) is the array
//! that it was made from. So arrays fall into classes that agree there, and one constant array in a class tells the value for all.

use rustc_hash::{FxHashMap, FxHashSet};

use super::check::Check;
use crate::bits::Bits;
use crate::op::Op;
use crate::sat::SatSolver;
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

impl<S: SatSolver> Check<'_, S> {
    /// Values for the unread elements of the array variables. This is a good guess: the model is evaluated afterwards.
    pub(super) fn defaults(&mut self, arrays: &FxHashSet<Term>, equalities: &[Term], absences: &[Term]) -> FxHashMap<Term, Bits> {
        let mut arrays: Vec<Term> = arrays.iter().copied().collect();
        arrays.sort_unstable();
        let mut classes = Classes::default();
        for &array in &arrays {
            if let Some(base) = self.base(array) {
                classes.join(array, base);
            }
        }
        for &equality in equalities {
            if self.holds(equality) {
                classes.join(self.terms.args(equality)[0], self.terms.args(equality)[1]);
            }
        }
        let mut told: FxHashMap<Term, Bits> = FxHashMap::default();
        for &array in &arrays {
            let value = match (self.terms.op(array), self.terms.args(array)) {
                (Op::ConstantArray, &[value]) => self.value(value),
                (Op::Table(table), _) => self.terms.table_value(table).default().clone(),
                _ => continue,
            };
            told.entry(classes.of(array)).or_insert(value);
        }
        let mut avoided: FxHashMap<Term, Vec<Bits>> = FxHashMap::default();
        for &absence in absences {
            if self.holds(absence) {
                let (array, value) = (self.terms.args(absence)[0], self.terms.args(absence)[3]);
                let value = self.value(value);
                avoided.entry(classes.of(array)).or_default().push(value);
            }
        }
        let mut defaults = FxHashMap::default();
        for &array in &arrays {
            if let (Op::Variable(_), Sort::Array { element, .. }) = (self.terms.op(array), self.terms.sort(array)) {
                let class = classes.of(array);
                let value = told.get(&class).cloned().unwrap_or_else(|| other(element, avoided.get(&class).map_or(&[], Vec::as_slice)));
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

/// A value that is not among these, or 0 if all are: 0 if it can be had, then a letter, since bytes are mostly text.
fn other(width: u32, avoided: &[Bits]) -> Bits {
    let zero = Bits::zero(width);
    if !avoided.contains(&zero) {
        return zero;
    }
    let first = Bits::new(width, u128::from(b'A'));
    let mut candidate = first.clone();
    while avoided.contains(&candidate) {
        candidate = candidate.add(&Bits::one(width));
        if candidate == first {
            return zero;
        }
    }
    candidate
}

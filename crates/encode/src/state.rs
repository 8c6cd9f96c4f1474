//! What holds at a point of the program: the path that led there, the variables, the memory.

use std::collections::BTreeMap;
use std::rc::Rc;

use logic::{Op, Term, Terms};
use pointers::RegionId;

use crate::scalar::{self, Scalar};

/// Cells, and which of their bits hold a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Content {
    /// The cells: an array term.
    pub array: Term,
    /// The same, with ones for the bits that hold a value; for the check of uninitialised reads.
    pub shadow: Option<Term>,
}

/// Whether a scalar holds a value, where that is kept.
pub type Flag = Option<Term>;

/// The value of an object of any type.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A scalar.
    Scalar(Scalar),
    /// The parts of a record or array, as its shape lists them.
    Parts(Rc<Vec<Part>>),
    /// Bytes by their offset.
    Bytes(Content),
}

/// A part of an object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Part {
    /// A scalar.
    Scalar(Scalar, Flag),
    /// The scalars inside an array, by their offset in the object.
    Array(Content),
}

/// Where a variable of a function is.
#[derive(Clone, PartialEq, Debug)]
pub enum Slot {
    /// Nothing points to it: it is its value. A scalar may be without.
    Private(Value, Flag),
    /// It is an object in memory: its number.
    Memory(Term),
    /// Its life has not begun; the value that it would have is not known.
    Dead,
}

/// A `va_list`: how many of the arguments behind `...` were taken.
#[derive(Clone, PartialEq, Debug)]
pub struct ArgumentList {
    /// The object that the list is in.
    pub object: u32,
    /// Which call's arguments.
    pub call: u32,
    /// The position of the next one, 8 bits wide.
    pub next: Term,
}

/// What holds at a point of a function.
#[derive(Clone)]
pub struct State {
    /// The condition under which control comes here.
    pub guard: Term,
    /// That all accesses to memory on the way were valid: what happens after one that was not means nothing.
    pub valid: Term,
    /// The function's variables.
    pub slots: Rc<Vec<Slot>>,
    /// The content of each region.
    pub regions: Rc<Vec<Term>>,
    /// For each region, which bits of its cells hold a value; empty if that is not kept.
    pub written: Rc<Vec<Term>>,
    /// One bit per object: whether it exists.
    pub alive: Term,
    /// The argument lists in use.
    pub lists: Rc<Vec<ArgumentList>>,
}

impl State {
    /// What a region holds.
    pub fn content(&self, region: RegionId) -> Content {
        Content { array: self.regions[region.index()], shadow: self.written.get(region.index()).copied() }
    }
    /// Changes what a region holds.
    pub fn set_content(&mut self, region: RegionId, content: Content) {
        Rc::make_mut(&mut self.regions)[region.index()] = content.array;
        if let Some(shadow) = content.shadow {
            Rc::make_mut(&mut self.written)[region.index()] = shadow;
        }
    }
    /// The state where several paths meet: each value is the one of the path that was taken. Their guards exclude each other.
    pub fn merge(terms: &mut Terms, states: Vec<State>) -> Option<State> {
        let mut states: Vec<State> = states.into_iter().filter(|state| terms.as_bool(state.guard) != Some(false)).collect();
        // Of many states, pairs first: else every choice would be made in a chain of all others.
        while states.len() > MANY {
            let pairs = states.chunks(2).map(|pair| match pair {
                [one, other] => merge_two(terms, one.clone(), other),
                rest => rest[0].clone(),
            });
            states = pairs.collect();
        }
        let mut states = states.into_iter();
        let mut merged = states.next()?;
        for state in states {
            merged = merge_two(terms, merged, &state);
        }
        Some(merged)
    }
}

/// So many states are merged one after the other.
const MANY: usize = 16;

fn merge_two(terms: &mut Terms, mut merged: State, other: &State) -> State {
    let Meeting { common, one, other: taken } = Meeting::of(terms, merged.guard, other.guard);
    if !Rc::ptr_eq(&merged.slots, &other.slots) {
        for (slot, new) in Rc::make_mut(&mut merged.slots).iter_mut().zip(other.slots.iter()) {
            if slot != new {
                *slot = merge_slots(terms, taken, new, slot);
            }
        }
    }
    merge_terms(terms, taken, &mut merged.regions, &other.regions);
    merge_terms(terms, taken, &mut merged.written, &other.written);
    merged.alive = terms.ite(taken, other.alive, merged.alive);
    merged.valid = terms.ite(taken, other.valid, merged.valid);
    if !Rc::ptr_eq(&merged.lists, &other.lists) {
        merge_lists(terms, taken, &mut merged, other);
    }
    let either = terms.or(one, taken);
    merged.guard = terms.and(common, either);
    merged
}

/// The conditions of two paths that meet: what both of them have, and what each has beside that. Where one of the two was taken, the common part holds,
/// so the rest alone tells which: what is decided between two paths does not carry all with it that led to both.
struct Meeting {
    common: Term,
    one: Term,
    other: Term,
}

impl Meeting {
    /// Conjunctions are taken apart from the newest part on, until what is left belongs to both.
    fn of(terms: &mut Terms, one: Term, other: Term) -> Self {
        // Parts are older than what they are part of: a part that both have is met after all that it is in.
        let mut open: BTreeMap<Term, (bool, bool)> = BTreeMap::new();
        open.insert(one, (true, false));
        open.entry(other).or_default().1 = true;
        let (mut common, mut rests) = (Vec::new(), [Vec::new(), Vec::new()]);
        while let Some((term, (of_one, of_other))) = open.pop_last() {
            if of_one && of_other {
                common.push(term);
            } else if terms.op(term) == Op::And {
                for &part in terms.args(term) {
                    let whose = open.entry(part).or_default();
                    *whose = (whose.0 || of_one, whose.1 || of_other);
                }
            } else {
                rests[usize::from(of_other)].push(term);
            }
        }
        common.reverse();
        rests.iter_mut().for_each(|rest| rest.reverse());
        let [one, other] = rests.map(|rest| terms.all(rest));
        Meeting { common: terms.all(common), one, other }
    }
}

fn merge_terms(terms: &mut Terms, taken: Term, merged: &mut Rc<Vec<Term>>, other: &Rc<Vec<Term>>) {
    if Rc::ptr_eq(merged, other) {
        return;
    }
    for (term, &new) in Rc::make_mut(merged).iter_mut().zip(other.iter()) {
        *term = terms.ite(taken, new, *term);
    }
}

/// Lists that only one path has stay: the other path does not use them any more.
fn merge_lists(terms: &mut Terms, taken: Term, merged: &mut State, other: &State) {
    let lists = Rc::make_mut(&mut merged.lists);
    for new in other.lists.iter() {
        match lists.iter_mut().find(|list| list.object == new.object) {
            Some(list) if list.call == new.call => list.next = terms.ite(taken, new.next, list.next),
            Some(list) => *list = new.clone(),
            None => lists.push(new.clone()),
        }
    }
}

fn merge_slots(terms: &mut Terms, taken: Term, yes: &Slot, no: &Slot) -> Slot {
    match (yes, no) {
        (Slot::Private(yes, yes_flag), Slot::Private(no, no_flag)) => {
            Slot::Private(merge_values(terms, taken, yes, no), merge_flags(terms, taken, *yes_flag, *no_flag))
        }
        (Slot::Memory(yes), Slot::Memory(no)) => Slot::Memory(terms.ite(taken, *yes, *no)),
        // A variable whose life goes on on one path only is not used where both meet, or is used by mistake: any value will do.
        (Slot::Dead, slot) | (slot, _) => slot.clone(),
    }
}

/// One value or the other, of the same shape.
pub fn merge_values(terms: &mut Terms, taken: Term, yes: &Value, no: &Value) -> Value {
    match (yes, no) {
        _ if yes == no => yes.clone(),
        (Value::Scalar(yes), Value::Scalar(no)) => Value::Scalar(scalar::ite(terms, taken, *yes, *no)),
        (Value::Parts(yes), Value::Parts(no)) => {
            let parts = yes.iter().zip(no.iter()).map(|(yes, no)| match (*yes, *no) {
                (Part::Scalar(yes, yes_flag), Part::Scalar(no, no_flag)) => {
                    Part::Scalar(scalar::ite(terms, taken, yes, no), merge_flags(terms, taken, yes_flag, no_flag))
                }
                (Part::Array(yes), Part::Array(no)) => Part::Array(merge_contents(terms, taken, yes, no)),
                (yes, _) => yes,
            });
            Value::Parts(Rc::new(parts.collect()))
        }
        (Value::Bytes(yes), Value::Bytes(no)) => Value::Bytes(merge_contents(terms, taken, *yes, *no)),
        (yes, _) => yes.clone(),
    }
}

fn merge_contents(terms: &mut Terms, taken: Term, yes: Content, no: Content) -> Content {
    let shadow = yes.shadow.zip(no.shadow).map(|(yes, no)| terms.ite(taken, yes, no));
    Content { array: terms.ite(taken, yes.array, no.array), shadow }
}

fn merge_flags(terms: &mut Terms, taken: Term, yes: Flag, no: Flag) -> Flag {
    match (yes, no) {
        (None, None) => None,
        (Some(yes), Some(no)) => Some(terms.ite(taken, yes, no)),
        // A value that nothing is said of is one.
        (Some(yes), None) => Some(terms.implies(taken, yes)),
        (None, Some(no)) => Some(terms.or(taken, no)),
    }
}

#[cfg(test)]
mod tests {
    use logic::Sort;

    use super::*;

    #[test]
    fn paths_that_meet_differ_by_what_they_do_not_share() {
        let mut terms = Terms::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| terms.variable(name, Sort::Bool));
        let (shared, not) = (terms.and(a, b), terms.not(c));
        let (one, other) = (terms.and(shared, c), terms.and(shared, not));
        let meeting = Meeting::of(&mut terms, one, other);
        assert_eq!((meeting.common, meeting.one, meeting.other), (shared, c, not));
        // One path has a part of what the other has.
        let longer = terms.and(one, d);
        let meeting = Meeting::of(&mut terms, one, longer);
        assert_eq!((meeting.common, terms.as_bool(meeting.one), meeting.other), (one, Some(true), d));
        let meeting = Meeting::of(&mut terms, c, d);
        assert_eq!((terms.as_bool(meeting.common), meeting.one, meeting.other), (Some(true), c, d));
    }
}

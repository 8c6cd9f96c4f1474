//! What holds of each object that one place of the program allocates, whichever they are: they are zero-terminated, their
//! fields keep within bounds, their pointers lead to objects.
//!
//! Loops make such objects and keep pointers to them in memory. What is said of all of them is said of one that nothing is known of: for each place there is a
//! variable for the number of *any* object, and a formula says of that one what it means. Soundness: the test of a candidate shows, for whatever object the
//! variable stands for, that what holds of all objects at the head holds of that one there again. So what is kept holds for each object, under the condition under which
//! it is kept, with this object in the place of the variable: the facts about other objects are made by substitution. A test may use what the candidate says of
//! other objects at the head, for its induction hypothesis is about all of them; what is kept then has no premise about one of them.
//!
//! An object that the body of a loop makes is one of a crowd at the head of the next iteration; what is said of the crowd there was said of the object before,
//! since nothing is said of objects that do not exist.

use logic::Term;
use pointers::{Object as Abstract, Target};
use rustc_hash::FxHashMap;

use crate::access::{self, Cells};
use crate::encoder::Encoder;
use crate::formula::{Each, Field, Holding, Relation, Repeat};
use crate::scalar::{OBJECT, OFFSET, POINTER, Pointer};
use crate::slice::{self, Topic};
use crate::state::State;
use crate::summary::{Finding, Tested};
use crate::sums::{Sum, Summand};
use crate::trial::Trial;

/// Where more objects than this are told apart, nothing is said.
const OBJECTS: usize = 24;
/// Of so many pointers, the last ones, it is noted what holds of what they lead to.
const POINTERS: usize = 60;
/// Of so many pointers that an iteration reads, the test of a candidate knows it.
const INSTANCES: usize = 8;

/// What holds of each object of an origin at a point of the program.
#[derive(Clone, Copy)]
pub(crate) struct KnownOfEach {
    origin: Abstract,
    /// That control comes there, and the condition under which it holds: of the object of the variable.
    condition: Term,
    /// What holds of that object.
    holds: Term,
}

/// A pointer that was read, and may lead to objects on the heap.
#[derive(Clone)]
pub(crate) struct HeapPointer {
    object: Term,
    origins: Vec<Abstract>,
    /// How many terms there were.
    from: usize,
}

impl Encoder<'_> {
    /// That something holds of any object of an origin, if it exists; `None` where it cannot be said.
    pub(crate) fn each(&mut self, state: &State, each: &Each) -> Option<Term> {
        let (numbers, crowds) = (self.objects.of(each.object).to_vec(), self.objects.crowds_of(each.object).collect::<Vec<_>>());
        if numbers.len() + crowds.len() > OBJECTS {
            return None;
        }
        let object = self.any_object(each.object);
        let held = match &each.holds {
            Holding::Terminated => self.is_terminated(state, each.object, object)?,
            Holding::Sum(fields, constant, relation) => {
                self.fields_compare(state, (each.object, object), (fields, *constant), *relation)?
            }
            Holding::Leads(offset, None, null) => self.leads(state, (each.object, object), *offset, *null)?,
            Holding::Leads(offset, Some(repeat), null) => self.all_lead(state, (each.object, object), (*offset, *repeat), *null)?,
        };
        let mut own = self.terms.bool(false);
        for number in numbers {
            let number = self.terms.number(OBJECT, u128::from(number));
            let same = self.terms.equal(object, number);
            own = self.terms.or(own, same);
        }
        for crowd in crowds {
            let inside = crowd.has(&mut self.terms, object);
            own = self.terms.or(own, inside);
        }
        let exists = self.terms.select(state.alive, object);
        let exists = self.terms.test_bit(exists, 0);
        let there = self.terms.and(own, exists);
        Some(self.terms.implies(there, held))
    }

    /// That an object of bytes holds a 0 before its end.
    fn is_terminated(&mut self, state: &State, origin: Abstract, object: Term) -> Option<Term> {
        let cells = self.regions.cells_of(origin);
        let (_, region) = *cells.first()?;
        if cells.iter().any(|(_, other)| *other != region) || self.cells(region).width() != 8 {
            return None;
        }
        let from = Pointer { object, offset: self.terms.zero(OFFSET) }.packed(&mut self.terms);
        let end = self.objects.size(&mut self.terms, object);
        let (low, high) = (self.terms.one(8), self.terms.ones(8));
        let endless = self.terms.within(state.regions[region.index()], from, end, 1, low, high);
        Some(self.terms.not(endless))
    }

    /// How a sum of fields of an object compares with 0.
    fn fields_compare(
        &mut self,
        state: &State,
        (origin, object): (Abstract, Term),
        (fields, constant): (&[(i64, Field)], i128),
        relation: Relation,
    ) -> Option<Term> {
        let mut parts = Vec::new();
        for &(factor, field) in fields {
            let region = self.regions.of_cell(origin, i64::try_from(field.offset).ok()?, u64::from(field.bytes))?;
            let cells = self.cells(region);
            let bits = 8 * u32::from(field.bytes);
            if !matches!(cells, Cells::Bytes) && cells != (Cells::Whole { width: bits }) {
                return None;
            }
            let offset = self.terms.number(OFFSET, u128::from(field.offset));
            let at = Pointer { object, offset }.packed(&mut self.terms);
            let term = access::read_number(&mut self.terms, state.regions[region.index()], cells, at, u32::from(field.bytes));
            parts.push(Summand { factor, term, signed: field.signed });
        }
        Sum { parts, constant }.settled(&mut self.terms, relation)
    }

    /// That the pointer at some byte of an object leads to one that exists, or is null if it may be.
    fn leads(&mut self, state: &State, (origin, object): (Abstract, Term), offset: u64, null: bool) -> Option<Term> {
        let bytes = self.program.types.target().pointer_bytes();
        let region = self.regions.of_cell(origin, i64::try_from(offset).ok()?, bytes)?;
        let offset = self.terms.number(OFFSET, u128::from(offset));
        let at = Pointer { object, offset }.packed(&mut self.terms);
        let cell = self.terms.select(state.regions[region.index()], at);
        // What is not marked as a pointer is a number.
        let marked = match self.cells(region) {
            Cells::Whole { width: POINTER } => self.terms.bool(true),
            Cells::MixedWhole => self.terms.test_bit(cell, POINTER),
            _ => return None,
        };
        let packed = self.terms.extract(cell, POINTER - 1, 0);
        let pointer = Pointer::unpacked(&mut self.terms, packed);
        let exists = self.alive(state, pointer);
        let leads = self.terms.and(marked, exists);
        let zero = self.terms.zero(self.terms.width(cell));
        let is_null = self.terms.equal(cell, zero);
        Some(if null { self.terms.or(is_null, leads) } else { leads })
    }

    /// The same of a pointer and all others that repeat it.
    fn all_lead(&mut self, state: &State, (origin, object): (Abstract, Term), (offset, repeat): (u64, Repeat), null: bool) -> Option<Term> {
        let (region, low, high) = self.leading(origin, offset, null)?;
        let from = Pointer { object, offset: self.terms.number(OFFSET, u128::from(offset)) }.packed(&mut self.terms);
        let end = self.end_of_repetition(object, offset, repeat);
        Some(self.terms.within(state.regions[region.index()], from, end, repeat.step, low, high))
    }

    /// What a candidate says at the head of a loop, of the objects too that pointers lead to which were read since.
    pub(crate) fn with_instances(&mut self, each: &Each, head: Term, first: usize) -> Term {
        let Some(&any) = self.any_objects.get(&each.object) else { return head };
        // What ends one text does not depend on where others end.
        if matches!(each.holds, Holding::Terminated) {
            return head;
        }
        let read = self.heap_pointers.get(first..).unwrap_or_default().iter().filter(|pointer| pointer.origins.contains(&each.object));
        let objects: Vec<Term> = read.map(|pointer| pointer.object).take(INSTANCES).collect();
        let mut all = vec![head];
        for object in objects {
            all.push(self.terms.substitute_with(head, &mut FxHashMap::from_iter([(any, object)])));
        }
        self.terms.all(all)
    }

    /// Which candidates an iteration keeps, where some say at its head what holds of several objects: so none of these has a premise about *any* object, for
    /// that is about one, and the induction hypothesis is about all. Others may: what their proofs use of several objects holds of all then.
    pub(crate) fn findings_of_all(
        &mut self,
        trials: &[Trial],
        tested: &mut [Tested],
        find: impl Fn(&mut Self, &[Tested]) -> Vec<Finding<Term>>,
    ) -> Vec<Finding<Term>> {
        loop {
            let findings = find(self, tested);
            let any: Vec<Term> = self.any_objects.values().copied().collect();
            let any = self.terms.free_variables(&any);
            let mut again = false;
            for ((trial, tested), finding) in trials.iter().zip(&mut *tested).zip(&findings) {
                if trial.head != tested.head
                    && let Finding::Holds(premise) = finding
                    && self.terms.free_variables(&[*premise]).iter().any(|variable| any.contains(variable))
                {
                    tested.head = trial.head;
                    again = true;
                }
            }
            if !again {
                return findings;
            }
        }
    }

    /// The variable for any object of an origin.
    fn any_object(&mut self, origin: Abstract) -> Term {
        if let Some(&object) = self.any_objects.get(&origin) {
            return object;
        }
        let object = self.terms.fresh("any object", logic::Sort::Bits(OBJECT));
        self.any_objects.insert(origin, object);
        object
    }

    /// A pointer was read that may lead to objects on the heap: what is known of each of them holds of its own.
    pub(crate) fn note_heap_pointer(&mut self, object: Term, targets: &[Target]) {
        let mut origins: Vec<Abstract> =
            targets.iter().map(|target| target.object).filter(|origin| matches!(origin, Abstract::Heap(_))).collect();
        origins.sort_unstable();
        origins.dedup();
        if origins.is_empty() || self.heap_pointers.iter().any(|known| known.object == object) {
            return;
        }
        let pointer = HeapPointer { object, origins, from: self.terms.len() };
        for known in self.known_of_each.clone() {
            self.note_instance(known, &pointer);
        }
        self.heap_pointers.push(pointer);
    }

    /// Something holds of each object of an origin: so it does of those that pointers lead to which were read before.
    pub(crate) fn note_each(&mut self, origin: Abstract, condition: Term, holds: Term) {
        let known = KnownOfEach { origin, condition, holds };
        let first = self.heap_pointers.len().saturating_sub(POINTERS);
        let pointers = self.heap_pointers[first..].to_vec();
        pointers.iter().for_each(|pointer| self.note_instance(known, pointer));
        self.known_of_each.push(known);
    }

    fn note_instance(&mut self, known: KnownOfEach, pointer: &HeapPointer) {
        let Some(&any) = self.any_objects.get(&known.origin).filter(|_| pointer.origins.contains(&known.origin)) else { return };
        let mut replaced = FxHashMap::from_iter([(any, pointer.object)]);
        let condition = self.terms.substitute_with(known.condition, &mut replaced);
        let holds = self.terms.substitute_with(known.holds, &mut replaced);
        let fact = self.terms.implies(condition, holds);
        if self.terms.as_bool(fact) != Some(true) {
            let about = slice::sources(&self.terms, pointer.object);
            self.note_fact(fact, Topic { about, said: vec![holds, condition], from: pointer.from });
        }
    }

    /// What was said of each object inside of a loop holds for runs that enter it.
    pub(crate) fn guard_each(&mut self, first: usize, guard: Term) {
        for known in self.known_of_each.iter_mut().skip(first) {
            known.condition = self.terms.and(guard, known.condition);
        }
    }
}

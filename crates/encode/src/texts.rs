//! Strings in objects that have no names: all objects that one place of the program allocates are zero-terminated, whichever they are.
//!
//! Loops make such objects and keep pointers to them in memory. What is said of all of them is said of one that nothing is known of: for each place there is a
//! variable for the number of *any* object, and a formula says of that one what it means. Soundness: the test of a candidate shows, for whatever object the
//! variable stands for, that what holds of that object at the head holds of it there again. Nothing in the test knows what holds of other objects. So what is kept holds for each
//! object by itself, under the condition under which it is kept, with this object in the place of the variable: the facts about other objects are made by substitution.
//!
//! An object that the body of a loop makes is one of a crowd at the head of the next iteration; what is said of the crowd there was said of the object before,
//! since nothing is said of objects that do not exist.

use logic::Term;
use pointers::{Object as Abstract, Target};
use rustc_hash::FxHashMap;

use crate::encoder::Encoder;
use crate::formula::Texts;
use crate::scalar::{OBJECT, OFFSET, Pointer};
use crate::slice::{self, Topic};
use crate::state::State;

/// Where more objects than this are told apart, nothing is said.
const OBJECTS: usize = 24;
/// Of so many pointers, the last ones, it is noted that they lead to strings.
const POINTERS: usize = 60;

/// What holds of all texts of an origin at a point of the program.
#[derive(Clone, Copy)]
pub(crate) struct AllTexts {
    origin: Abstract,
    /// That control comes there, and the condition under which it holds: of the object of the variable.
    condition: Term,
    /// What holds of that object.
    holds: Term,
}

/// A pointer that was read, and may lead to texts.
#[derive(Clone)]
pub(crate) struct TextPointer {
    object: Term,
    origins: Vec<Abstract>,
    /// How many terms there were.
    from: usize,
}

impl Encoder<'_> {
    /// That any object of an origin, if it exists, is zero-terminated; `None` where it cannot be said.
    pub(crate) fn texts(&mut self, state: &State, texts: Texts) -> Option<Term> {
        let cells = self.regions.cells_of(texts.object);
        let (_, region) = *cells.first()?;
        if cells.iter().any(|(_, other)| *other != region) || self.cells(region).width() != 8 {
            return None;
        }
        let (numbers, crowds) = (self.objects.of(texts.object).to_vec(), self.objects.crowds_of(texts.object).collect::<Vec<_>>());
        if numbers.len() + crowds.len() > OBJECTS {
            return None;
        }
        let object = self.any_object(texts.object);
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
        let from = Pointer { object, offset: self.terms.zero(OFFSET) }.packed(&mut self.terms);
        let end = self.objects.size(&mut self.terms, object);
        let (low, high) = (self.terms.one(8), self.terms.ones(8));
        let endless = self.terms.within(state.regions[region.index()], from, end, 1, low, high);
        let (there, terminated) = (self.terms.and(own, exists), self.terms.not(endless));
        Some(self.terms.implies(there, terminated))
    }

    /// The variable for any object of an origin.
    fn any_object(&mut self, origin: Abstract) -> Term {
        if let Some(&object) = self.any_texts.get(&origin) {
            return object;
        }
        let object = self.terms.fresh("any text", logic::Sort::Bits(OBJECT));
        self.any_texts.insert(origin, object);
        object
    }

    /// A pointer was read that may lead to texts: it does, as far as that is known of all of them.
    pub(crate) fn note_text_pointer(&mut self, object: Term, targets: &[Target]) {
        let mut origins: Vec<Abstract> =
            targets.iter().map(|target| target.object).filter(|origin| matches!(origin, Abstract::Heap(_))).collect();
        origins.sort_unstable();
        origins.dedup();
        if origins.is_empty() || self.text_pointers.iter().any(|known| known.object == object) {
            return;
        }
        let pointer = TextPointer { object, origins, from: self.terms.len() };
        for all in self.all_texts.clone() {
            self.note_text(all, &pointer);
        }
        self.text_pointers.push(pointer);
    }

    /// Something holds of all texts of an origin: so it does of those that pointers lead to which were read before.
    pub(crate) fn note_texts(&mut self, texts: Texts, condition: Term, holds: Term) {
        let all = AllTexts { origin: texts.object, condition, holds };
        let first = self.text_pointers.len().saturating_sub(POINTERS);
        let pointers = self.text_pointers[first..].to_vec();
        pointers.iter().for_each(|pointer| self.note_text(all, pointer));
        self.all_texts.push(all);
    }

    fn note_text(&mut self, all: AllTexts, pointer: &TextPointer) {
        let Some(&any) = self.any_texts.get(&all.origin).filter(|_| pointer.origins.contains(&all.origin)) else { return };
        let mut replaced = FxHashMap::from_iter([(any, pointer.object)]);
        let condition = self.terms.substitute_with(all.condition, &mut replaced);
        let holds = self.terms.substitute_with(all.holds, &mut replaced);
        let fact = self.terms.implies(condition, holds);
        if self.terms.as_bool(fact) != Some(true) {
            let about = slice::sources(&self.terms, pointer.object);
            self.note_fact(fact, Topic { about, said: vec![holds, condition], from: pointer.from });
        }
    }

    /// What was said of all texts inside of a loop holds for runs that enter it.
    pub(crate) fn guard_texts(&mut self, first: usize, guard: Term) {
        for all in self.all_texts.iter_mut().skip(first) {
            all.condition = self.terms.and(guard, all.condition);
        }
    }
}

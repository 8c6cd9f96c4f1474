//! The objects that exist, each with a number of its own.

use logic::{ArrayValue, Bits, Term, Terms};
use model::FunctionId;
use pointers::Object as Abstract;
use rustc_hash::FxHashMap;

use crate::scalar::{OBJECT, OFFSET};

/// What is known of an object from its beginning to its end.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is for the pointer analysis.
    pub origin: Abstract,
    /// Its size in bytes, as wide as an offset.
    pub size: Term,
    /// Whether it came from `malloc` and the like.
    pub heap: bool,
    /// Whether the program may write to it.
    pub writable: bool,
    /// The function that it is.
    pub function: Option<FunctionId>,
}

/// All objects so far; number 0 is none. Numbers are given once: an allocation in a loop makes another object each time (design §6).
pub struct Objects {
    all: Vec<Object>,
    by_origin: FxHashMap<Abstract, Vec<u32>>,
    /// How many have static storage or are functions; they come first.
    statics: u32,
    /// Sizes by number, as an array term.
    sizes: Term,
    /// Bits of `heap`, `writable` and `function` by number.
    traits: [Term; 3],
}

/// A property of objects that does not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trait {
    /// From `malloc` and the like.
    Heap,
    /// Not constant.
    Writable,
    /// A function.
    Function,
}

impl Objects {
    /// No objects.
    pub fn new(terms: &mut Terms) -> Self {
        let none = Object { origin: Abstract::External, size: terms.zero(OFFSET), heap: false, writable: false, function: None };
        let sizes = terms.table(OBJECT, ArrayValue::constant(Bits::zero(OFFSET)));
        let bits = terms.table(OBJECT, ArrayValue::constant(Bits::zero(1)));
        Objects { all: vec![none], by_origin: FxHashMap::default(), statics: 1, sizes, traits: [bits; 3] }
    }
    /// A new object; `None` if there are too many.
    pub fn add(&mut self, terms: &mut Terms, object: Object) -> Option<u32> {
        let number = u32::try_from(self.all.len()).ok().filter(|number| *number < 1 << (OBJECT - 1))?;
        let at = terms.number(OBJECT, u128::from(number));
        self.sizes = terms.store(self.sizes, at, object.size);
        let one = terms.one(1);
        for (array, holds) in self.traits.iter_mut().zip([object.heap, object.writable, object.function.is_some()]) {
            if holds {
                *array = terms.store(*array, at, one);
            }
        }
        self.by_origin.entry(object.origin).or_default().push(number);
        self.all.push(object);
        Some(number)
    }
    /// The objects so far are those that exist at start.
    pub fn end_of_statics(&mut self) {
        self.statics = self.all.len() as u32;
    }
    /// How many objects exist at start, none included.
    pub fn statics(&self) -> u32 {
        self.statics
    }
    /// The object with a number.
    pub fn get(&self, number: u32) -> Option<&Object> {
        self.all.get(number as usize)
    }
    /// All numbers given so far.
    pub fn numbers(&self) -> std::ops::Range<u32> {
        1..self.all.len() as u32
    }
    /// The objects that an abstract one stands for, so far.
    pub fn of(&self, origin: Abstract) -> &[u32] {
        self.by_origin.get(&origin).map_or(&[], Vec::as_slice)
    }
    /// The number that a term is, if it is one.
    pub fn number(terms: &Terms, object: Term) -> Option<u32> {
        terms.as_bits(object).and_then(Bits::to_u64).map(|number| number as u32)
    }

    /// The size of an object.
    pub fn size(&self, terms: &mut Terms, object: Term) -> Term {
        match Self::number(terms, object).map(|number| self.get(number)) {
            Some(Some(object)) => object.size,
            Some(None) => terms.zero(OFFSET),
            None => cases(terms, object, &mut |terms, object| terms.select(self.sizes, object)),
        }
    }
    /// Whether an object has a property.
    pub fn has(&self, terms: &mut Terms, property: Trait, object: Term) -> Term {
        if let Some(number) = Self::number(terms, object) {
            let holds = self.get(number).is_some_and(|object| match property {
                Trait::Heap => object.heap,
                Trait::Writable => object.writable,
                Trait::Function => object.function.is_some(),
            });
            return terms.bool(holds);
        }
        let array = self.traits[property as usize];
        let bit = cases(terms, object, &mut |terms, object| terms.select(array, object));
        terms.test_bit(bit, 0)
    }
}

/// How deep a choice between objects is taken apart.
const CASES: u32 = 6;

/// A function of an object that is one of several: a choice between its values, which rewriting sees through.
pub fn cases(terms: &mut Terms, object: Term, of: &mut dyn FnMut(&mut Terms, Term) -> Term) -> Term {
    fn go(terms: &mut Terms, object: Term, depth: u32, of: &mut dyn FnMut(&mut Terms, Term) -> Term) -> Term {
        match (terms.op(object), terms.args(object)) {
            (logic::Op::Ite, &[condition, yes, no]) if depth > 0 => {
                let (yes, no) = (go(terms, yes, depth - 1, of), go(terms, no, depth - 1, of));
                terms.ite(condition, yes, no)
            }
            _ => of(terms, object),
        }
    }
    go(terms, object, CASES, of)
}

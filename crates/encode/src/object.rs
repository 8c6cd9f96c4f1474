//! The objects that exist, each with a number of its own.

use logic::{ArrayValue, Bits, Term, Terms};
use model::FunctionId;
use pointers::Object as Abstract;
use rustc_hash::FxHashMap;

use crate::scalar::{OBJECT, OFFSET, Pointer};

/// How many objects a crowd has, as a power of two. A path through the loop-free program looks at fewer than that, and objects that nobody looks
/// at need no number: which of them are numbered may be chosen for each run.
const CROWD: u32 = 14;
/// The first number of a crowd; below are the objects that have numbers of their own.
const CROWDS: u32 = 1 << (OBJECT - 1);

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

/// Objects that one place of the program has made before, in iterations that are not followed one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crowd {
    /// The number of the first.
    first: u32,
    /// Whether they came from `malloc` and the like.
    pub heap: bool,
    /// That there are any.
    pub present: Term,
}

impl Crowd {
    /// Whether an object is one of them.
    pub fn has(self, terms: &mut Terms, object: Term) -> Term {
        let high = terms.extract(object, OBJECT - 1, CROWD);
        let own = terms.number(OBJECT - CROWD, u128::from(self.first >> CROWD));
        let inside = terms.equal(high, own);
        terms.and(self.present, inside)
    }
    /// The first, and how many there are, as numbers of objects.
    pub fn numbers(self, terms: &mut Terms) -> (Term, Term) {
        (terms.number(OBJECT, u128::from(self.first)), terms.number(OBJECT, 1 << CROWD))
    }
    /// The number behind the last.
    pub fn end(self, terms: &mut Terms) -> Term {
        terms.number(OBJECT, u128::from(self.first) + (1 << CROWD))
    }
    /// Where their memory begins, and how much it is.
    pub fn memory(self, terms: &mut Terms) -> (Term, Term) {
        let from = Pointer::to(terms, self.first).packed(terms);
        (from, terms.number(OBJECT + OFFSET, 1 << (CROWD + OFFSET)))
    }
}

/// All objects so far; number 0 is none. Numbers are given once: an allocation in a loop makes another object each time (design §6).
pub struct Objects {
    all: Vec<Object>,
    by_origin: FxHashMap<Abstract, Vec<u32>>,
    crowds: Vec<(Vec<Abstract>, Crowd)>,
    /// The sizes of each crowd, by number.
    crowd_sizes: Vec<Term>,
    /// The size that all objects of a crowd have, where that is a constant.
    uniform: Vec<Option<Term>>,
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
        Objects {
            all: vec![none],
            by_origin: FxHashMap::default(),
            crowds: Vec::new(),
            crowd_sizes: Vec::new(),
            uniform: Vec::new(),
            statics: 1,
            sizes,
            traits: [bits; 3],
        }
    }
    /// A new object; `None` if there are too many.
    pub fn add(&mut self, terms: &mut Terms, object: Object) -> Option<u32> {
        let number = u32::try_from(self.all.len()).ok().filter(|number| *number < CROWDS)?;
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
    /// New objects of some origins, of which nothing is known but their sizes, an array term by number. `None` if there are too many.
    pub fn add_crowd(&mut self, terms: &mut Terms, origins: Vec<Abstract>, heap: bool, sizes: Term, present: Term) -> Option<Crowd> {
        // The last numbers are not used: what is behind a crowd is a number, too.
        let position = u32::try_from(self.crowds.len()).ok().filter(|position| position + 1 < 1 << (OBJECT - 1 - CROWD))?;
        let crowd = Crowd { first: CROWDS + (position << CROWD), heap, present };
        let (first, count) = crowd.numbers(terms);
        self.sizes = terms.copy(self.sizes, first, sizes, first, count);
        let one = terms.one(1);
        let all = terms.constant_array(OBJECT, one);
        for (array, holds) in self.traits.iter_mut().zip([heap, true, false]) {
            if holds {
                *array = terms.copy(*array, first, all, first, count);
            }
        }
        self.crowds.push((origins, crowd));
        self.crowd_sizes.push(sizes);
        self.uniform.push(None);
        Some(crowd)
    }
    /// The crowds of an origin.
    pub fn crowds_of(&self, origin: Abstract) -> impl Iterator<Item = Crowd> + '_ {
        self.crowds.iter().filter(move |(origins, _)| origins.contains(&origin)).map(|(_, crowd)| *crowd)
    }
    /// All crowds.
    pub fn crowds(&self) -> impl Iterator<Item = Crowd> + '_ {
        self.crowds.iter().map(|(_, crowd)| *crowd)
    }
    /// The crowds that the loop made whose mark this is, whose objects all have one size: that of all objects which have come into being at the same
    /// place since, one by one or as crowds. With each, its sizes and that size.
    pub fn uniform_crowds(&mut self, terms: &Terms, (all, crowds, ..): (usize, usize, Term, [Term; 3])) -> Vec<(Crowd, Term, Term)> {
        let mut found = Vec::new();
        for place in crowds..self.crowds.len() {
            let &[origin] = self.crowds[place].0.as_slice() else { continue };
            let later = (place + 1..self.crowds.len()).filter(|&other| self.crowds[other].0.contains(&origin));
            let mut sizes: Vec<Option<Term>> = later.map(|other| self.uniform[other]).collect();
            let new = self.of(origin).iter().filter(|number| **number as usize >= all);
            sizes.extend(new.map(|number| self.get(*number).map(|object| object.size).filter(|size| terms.as_bits(*size).is_some())));
            let Some(&Some(size)) = sizes.first() else { continue };
            if self.uniform[place].is_none() && sizes.iter().all(|other| *other == Some(size)) {
                self.uniform[place] = Some(size);
                found.push((self.crowds[place].1, self.crowd_sizes[place], size));
            }
        }
        found
    }
    /// Where to go back to.
    pub fn mark(&self) -> (usize, usize, Term, [Term; 3]) {
        (self.all.len(), self.crowds.len(), self.sizes, self.traits)
    }
    /// Forgets what was added since the mark.
    pub fn forget(&mut self, (all, crowds, sizes, traits): (usize, usize, Term, [Term; 3])) {
        self.all.truncate(all);
        self.crowds.truncate(crowds);
        self.crowd_sizes.truncate(crowds);
        self.uniform.truncate(crowds);
        for numbers in self.by_origin.values_mut() {
            numbers.retain(|number| (*number as usize) < all);
        }
        (self.sizes, self.traits) = (sizes, traits);
    }
    /// What is known of the objects so far becomes constant tables, as far as it is constant: a read costs nothing for each object that it is not of.
    pub fn settle(&mut self, terms: &mut Terms) {
        let mut sizes = ArrayValue::constant(Bits::zero(OFFSET));
        let mut traits = [(); 3].map(|()| ArrayValue::constant(Bits::zero(1)));
        let mut others = Vec::new();
        for (number, object) in self.all.iter().enumerate() {
            let at = Bits::new(OBJECT, number as u128);
            for (array, holds) in traits.iter_mut().zip([object.heap, object.writable, object.function.is_some()]) {
                array.set(at.clone(), Bits::new(1, u128::from(holds)));
            }
            match terms.as_bits(object.size) {
                Some(size) => sizes.set(at, size.clone()),
                None => others.push((at, object.size)),
            }
        }
        self.sizes = terms.table(OBJECT, sizes);
        for (at, size) in others {
            let at = terms.bits(at);
            self.sizes = terms.store(self.sizes, at, size);
        }
        self.traits = traits.map(|array| terms.table(OBJECT, array));
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

//! What can be said of the states at a loop's head: the language of candidates and invariants.
//!
//! A formula is a function of two states: the one *before* the loop and the one *now*. Domains make formulas, the kernel tests them, people read them.
//! Whatever a domain writes down, the meaning is fixed here, once: the same function is tested at the entry, tested after the body, and assumed
//! at the head, so a formula that makes little sense can be useless but not wrong.

use model::{ExprId, GlobalId, LocalId, PlaceId, RecordId, Span};
use pointers::Object;

/// A scalar that a state holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// A variable of the function.
    Local(LocalId),
    /// A variable with static storage.
    Global(GlobalId),
    /// A scalar expression of the function's body.
    Expr(ExprId),
}

/// Which number of a scalar is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Aspect {
    /// The value of an integer; of a float, its place in the order of all floats, counted from 0.
    Value,
    /// Of a pointer: how many bytes behind the beginning of its object it points.
    Offset,
    /// Of a pointer: how many bytes its object has.
    Size,
    /// Of an element of an array of numbers with a fixed, small length: the sum of all elements.
    Total,
    /// Of a pointer to characters: how many there are before the first 0, or before the end of the object. Only for measures of rounds.
    Length,
}

/// When.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Moment {
    /// At the head, whenever control comes there.
    Now,
    /// When the loop was entered.
    Entry,
}

/// A number of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quantity {
    /// Of a scalar.
    Of(Source, Aspect, Moment),
    /// How many iterations the loop has made, modulo 2^64.
    Iterations,
    /// What a function returns, for formulas about calls: there, `Now` is the return and `Entry` the call.
    Result,
}

impl Quantity {
    /// The value of an integer now.
    pub fn value(source: Source) -> Self {
        Quantity::Of(source, Aspect::Value, Moment::Now)
    }
    /// The same number when the loop was entered.
    pub fn before(self) -> Self {
        match self {
            Quantity::Of(source, aspect, _) => Quantity::Of(source, aspect, Moment::Entry),
            other => other,
        }
    }
}

/// A sum of multiples of quantities and a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Linear {
    /// Factors, none 0, and quantities, none twice, in order.
    pub parts: Vec<(i64, Quantity)>,
    /// What is added.
    pub constant: i128,
}

impl Linear {
    /// A constant.
    pub fn constant(constant: i128) -> Self {
        Linear { parts: Vec::new(), constant }
    }
    /// A quantity.
    pub fn of(quantity: Quantity) -> Self {
        Linear { parts: vec![(1, quantity)], constant: 0 }
    }
    /// The sum with a multiple of another.
    #[must_use]
    pub fn plus(mut self, factor: i64, other: &Linear) -> Self {
        for &(inner, quantity) in &other.parts {
            let change = factor.saturating_mul(inner);
            match self.parts.binary_search_by_key(&quantity, |(_, quantity)| *quantity) {
                Ok(place) => {
                    self.parts[place].0 = self.parts[place].0.saturating_add(change);
                    if self.parts[place].0 == 0 {
                        self.parts.remove(place);
                    }
                }
                Err(place) if change != 0 => self.parts.insert(place, (change, quantity)),
                Err(_) => {}
            }
        }
        self.constant = self.constant.saturating_add(i128::from(factor).saturating_mul(other.constant));
        self
    }
    /// The difference.
    #[must_use]
    pub fn minus(self, other: &Linear) -> Self {
        self.plus(-1, other)
    }
    /// The sum with a constant.
    #[must_use]
    pub fn shifted(mut self, by: i128) -> Self {
        self.constant = self.constant.saturating_add(by);
        self
    }
}

/// How a number compares with 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// It is 0.
    Equal,
    /// It is not 0.
    Different,
    /// It is 0 or less.
    AtMost,
}

/// The elements of an array or of what a pointer walks through, counted from a base.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Elements {
    /// A scalar place `base[..]`, `*(base + ..)` or `*base`: its base and its type count, its index does not. None for what `pointer` leads to.
    pub place: Option<PlaceId>,
    /// The pointer that elements are counted from, where it is not the place's own base; or an array with static storage. What an element is, and where
    /// memory holds it, the place tells all the same.
    pub pointer: Option<Source>,
    /// When the base is looked at: the array, or where the pointer points.
    pub base: Moment,
    /// When the content is looked at.
    pub content: Moment,
}

/// Pointers in memory: at one place in each existing object that an abstract one stands for, or at all places so far from each other. Of the array of the
/// program's arguments, all pointers but the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Links {
    /// The objects.
    pub object: Object,
    /// Where in each the pointer is, or the first one.
    pub offset: u64,
    /// Where the others are, if there are more in an object.
    pub repeat: Option<Repeat>,
    /// Whether it may be null.
    pub null: bool,
    /// Where the objects are made, for text.
    pub span: Span,
}

/// Places in an object that have the same distance from one to the next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Repeat {
    /// The distance, not 0.
    pub step: u64,
    /// How many places there are; nothing if they go on up to the end of the object.
    pub count: Option<u64>,
}

/// What holds of each existing object that an abstract one stands for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Each {
    /// The objects.
    pub object: Object,
    /// Where they are made, for text.
    pub span: Span,
    /// What holds of any one of them.
    pub holds: Holding,
}

impl Each {
    /// Pointers in memory, one object at a time.
    pub(crate) fn of_links(links: Links) -> Self {
        Each { object: links.object, span: links.span, holds: Holding::Leads(links.offset, links.repeat, links.null) }
    }
}

/// What can be said of an object by itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holding {
    /// It holds a 0 before its end.
    Terminated,
    /// How an exact sum of multiples of its fields and a constant compares with 0.
    Sum(Vec<(i64, Field)>, i128, Relation),
    /// The pointer at some byte leads to an object that exists, or is null if it may be. If there are others in the object: each of
    /// them leads somewhere, or is null; that what it leads to exists is not said then.
    Leads(u64, Option<Repeat>, bool),
}

/// An integer at a fixed place in an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Field {
    /// Its first byte.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u8,
    /// Whether it is signed.
    pub signed: bool,
    /// The record that names it and its position there, for text.
    pub name: (RecordId, u32),
}

/// Something that may hold at a loop's head.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Formula {
    /// How a sum compares with 0, computed exactly: nothing wraps.
    Compare(Linear, Relation),
    /// A sum is 0 modulo 2 to this power, at most 64.
    Modular(Linear, u32),
    /// An exact sum is a multiple of this number, which is not 0.
    Multiple(Linear, u64),
    /// A truth value (or scalar that is not 0) of the function's body.
    Holds(ExprId),
    /// A pointer is null.
    Null(Source),
    /// Two pointers belong to the same object (or to none).
    SameObject((Source, Moment), (Source, Moment)),
    /// Two pointers are equal.
    SamePointer((Source, Moment), (Source, Moment)),
    /// A pointer's object exists.
    Alive(Source),
    /// All elements from the first on, so many, are in a range. With `low` above `high`, it is the range that wraps around; bit patterns are compared.
    Range {
        /// Which elements.
        elements: Elements,
        /// The index of the first.
        first: Linear,
        /// How many; none if negative.
        count: Linear,
        /// The least pattern.
        low: u128,
        /// The greatest.
        high: u128,
    },
    /// All elements from the first on, so many, hold values; nothing is said where nobody keeps account of that.
    Initialised {
        /// Which elements.
        elements: Elements,
        /// The index of the first.
        first: Linear,
        /// How many; none if negative.
        count: Linear,
    },
    /// An element of an object, from the base to the object's end, is 0.
    Terminated(Elements),
    /// Pointers in memory lead to objects.
    Linked(Links),
    /// Something holds of each object of one allocation.
    Each(Each),
    /// Two segments have the same content.
    Agree {
        /// Which elements.
        elements: Elements,
        /// The index of the first.
        first: Linear,
        /// The other elements, of the same size.
        others: Elements,
        /// The index of the first of them.
        other_first: Linear,
        /// How many; none if negative.
        count: Linear,
    },
    /// Not.
    Not(Box<Formula>),
    /// All of them.
    All(Vec<Formula>),
    /// One of them.
    Any(Vec<Formula>),
}

impl Formula {
    /// `a <= b`.
    pub fn at_most(a: &Linear, b: &Linear) -> Self {
        Formula::Compare(a.clone().minus(b), Relation::AtMost)
    }
    /// `a < b`.
    pub fn below(a: &Linear, b: &Linear) -> Self {
        Formula::Compare(a.clone().minus(b).shifted(1), Relation::AtMost)
    }
    /// `a == b`.
    pub fn equal(a: &Linear, b: &Linear) -> Self {
        Formula::Compare(a.clone().minus(b), Relation::Equal)
    }
    /// The opposite.
    pub fn negation(self) -> Self {
        match self {
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }
    /// Whether it speaks of the elements of arrays.
    pub fn has_elements(&self) -> bool {
        match self {
            Formula::Range { .. } | Formula::Initialised { .. } | Formula::Terminated(_) | Formula::Agree { .. } => true,
            Formula::Each(each) => each.holds == Holding::Terminated,
            Formula::Not(inner) => inner.has_elements(),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().any(Formula::has_elements),
            _ => false,
        }
    }
    /// Whether it speaks of the state before, or of what happened since.
    pub fn looks_back(&self) -> bool {
        let earlier = |sum: &Linear| {
            let is_earlier = |quantity: &Quantity| !matches!(quantity, Quantity::Of(_, _, Moment::Now));
            sum.parts.iter().any(|(_, quantity)| is_earlier(quantity))
        };
        let entry = |elements: &Elements| elements.base == Moment::Entry || elements.content == Moment::Entry;
        match self {
            Formula::Compare(sum, _) | Formula::Modular(sum, _) | Formula::Multiple(sum, _) => earlier(sum),
            Formula::Holds(_) | Formula::Null(_) | Formula::Alive(_) | Formula::Linked(_) | Formula::Each(_) => false,
            Formula::SameObject((_, a), (_, b)) | Formula::SamePointer((_, a), (_, b)) => *a == Moment::Entry || *b == Moment::Entry,
            Formula::Range { elements, first, count, .. } | Formula::Initialised { elements, first, count } => {
                entry(elements) || earlier(first) || earlier(count)
            }
            Formula::Terminated(elements) => entry(elements),
            Formula::Agree { elements, first, others, other_first, count } => {
                entry(elements) || entry(others) || [first, other_first, count].into_iter().any(earlier)
            }
            Formula::Not(inner) => inner.looks_back(),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().any(Formula::looks_back),
        }
    }
    /// If the first, then the second.
    pub fn implies(premise: Formula, conclusion: Formula) -> Self {
        Formula::Any(vec![premise.negation(), conclusion])
    }
}

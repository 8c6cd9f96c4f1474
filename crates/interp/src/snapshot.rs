//! States that can be compared: two are equal if the program cannot tell them apart.
//!
//! Objects are compared by what they hold and how they are reached, not by their numbers: a list built anew is equal to the old one if its
//! nodes hold the same. Memory is compared as memory: two lists that were built separately are different objects.

use model::{BlockId, FunctionId};
use rustc_hash::FxHashMap;

use crate::code::{Home, Shape};
use crate::jump::JumpPoint;
use crate::library;
use crate::machine::{Argument, Frame, Location, Machine, Target, VaList};
use crate::memory::{Memory, Object, ObjectKind, Pointer, join, split};

/// Which parts of a state matter. Who says that a variable does not matter must know that nothing depends on it that matters: no branch, no
/// access, nothing that may be undefined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relevance {
    /// What matters of the variables of the innermost call, at some blocks.
    at: FxHashMap<(FunctionId, BlockId), Vec<Weight>>,
}

/// How much a variable matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    /// Its value does.
    Value,
    /// Only whether it has one: reading it is an input otherwise.
    Presence,
    /// It does not: nobody reads it before it is written.
    Nothing,
}

impl Relevance {
    /// Everything matters.
    pub fn all() -> Self {
        Relevance { at: FxHashMap::default() }
    }

    /// What matters of the variables of a function while control is at this block. Those that matter less than by their value must be
    /// scalars that nothing points to.
    pub fn set(&mut self, function: FunctionId, block: BlockId, weights: Vec<Weight>) {
        self.at.insert((function, block), weights);
    }

    /// What matters of the slots of the innermost call, at this block; of all other slots, the value does.
    pub(crate) fn weights(&self, frames: &[Frame], at: Option<BlockId>) -> Weights {
        let mut weights = Weights { from: usize::MAX, weights: Vec::new() };
        if let (Some(frame), Some(block)) = (frames.last(), at)
            && let Some(locals) = self.at.get(&(frame.code.function, block))
        {
            weights = Weights { from: frame.slots, weights: vec![Weight::Value; frame.code.slots] };
            for (home, weight) in frame.code.homes.iter().zip(locals) {
                if let Home::Slot(slot) = home
                    && let Some(known) = weights.weights.get_mut(*slot as usize)
                {
                    *known = *weight;
                }
            }
        }
        weights
    }
}

/// What matters of slots.
pub(crate) struct Weights {
    from: usize,
    weights: Vec<Weight>,
}

impl Weights {
    pub(crate) fn of(&self, slot: usize) -> Weight {
        slot.checked_sub(self.from).and_then(|slot| self.weights.get(slot)).copied().unwrap_or(Weight::Value)
    }
}

/// How much of a state is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// All of it.
    Whole,
    /// What the innermost call can see: what happens until it returns depends on nothing else.
    Call,
}

/// The state of a run at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    memory: Memory,
    frames: Vec<Frame>,
    slots: Vec<u128>,
    known: Vec<bool>,
    objects: Vec<Pointer>,
    globals: Vec<Pointer>,
    va_lists: Vec<VaList>,
    jumps: Vec<JumpPoint>,
    library: library::State,
    at: Option<(BlockId, usize)>,
}

impl Machine<'_, '_> {
    /// The state now. Inside an observer, the step that is about to be taken is the next one.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            memory: self.memory.clone(),
            frames: self.frames.clone(),
            slots: self.slots.clone(),
            known: self.known.clone(),
            objects: self.objects.clone(),
            globals: self.program.globals.ids().map(|global| self.global_pointer(global)).collect(),
            va_lists: self.va_lists.clone(),
            jumps: self.jumps.clone(),
            library: self.library.clone(),
            at: None,
        }
    }

    /// The state before the step at this position.
    pub fn snapshot_at(&self, position: crate::observe::Position) -> Snapshot {
        Snapshot { at: Some((position.block, position.command)), ..self.snapshot() }
    }
}

impl PartialEq for Snapshot {
    fn eq(&self, other: &Self) -> bool {
        Matching::new(self, other, None).states(Extent::Whole)
    }
}

impl Snapshot {
    /// Whether two states are equal as far as they matter.
    pub fn agrees(&self, other: &Snapshot, relevance: &Relevance, extent: Extent) -> bool {
        Matching::new(self, other, Some(relevance)).states(extent)
    }
}

/// The calls that wait for another one to return; where the innermost call stands is told by the position.
fn outer(state: &Snapshot) -> impl Iterator<Item = &Frame> {
    state.frames.iter().take(state.frames.len().saturating_sub(1))
}

/// A correspondence between the objects of two states, built while they are compared.
struct Matching<'s> {
    first: &'s Snapshot,
    second: &'s Snapshot,
    a: &'s Memory,
    b: &'s Memory,
    relevance: Option<&'s Relevance>,
    pairs: FxHashMap<u32, u32>,
    back: FxHashMap<u32, u32>,
    pending: Vec<(u32, u32)>,
}

impl<'s> Matching<'s> {
    fn new(first: &'s Snapshot, second: &'s Snapshot, relevance: Option<&'s Relevance>) -> Self {
        let (pairs, back) = (FxHashMap::default(), FxHashMap::default());
        Matching { first, second, a: &first.memory, b: &second.memory, relevance, pairs, back, pending: Vec::new() }
    }

    fn states(&mut self, extent: Extent) -> bool {
        let (a, b) = (self.first, self.second);
        // What the library remembers is compared as it is: states that differ there may be told apart.
        let same_library = a.library == b.library && a.va_lists == b.va_lists && a.jumps == b.jumps && a.at == b.at;
        same_library
            && match extent {
                Extent::Whole => self.all_calls(a, b),
                // A jump out of the call would see more than the call.
                Extent::Call => a.jumps.is_empty() && a.va_lists.is_empty() && self.innermost_call(a, b),
            }
            && self.environment(a, b)
            && a.globals.iter().zip(&b.globals).all(|(x, y)| self.pointers(*x, *y))
            && self.memory()
    }

    fn all_calls(&mut self, a: &Snapshot, b: &Snapshot) -> bool {
        a.frames.len() == b.frames.len()
            && a.frames.iter().zip(&b.frames).all(|(x, y)| self.frames(x, y))
            && outer(a).zip(outer(b)).all(|(x, y)| (x.block, x.next) == (y.block, y.next))
            && self.variables((a, 0, 0), (b, 0, 0))
    }

    fn innermost_call(&mut self, a: &Snapshot, b: &Snapshot) -> bool {
        let (Some(x), Some(y)) = (a.frames.last(), b.frames.last()) else { return false };
        // Calls that leave more and more objects behind cannot go on for ever: there are finitely many pointers.
        let heap = |memory: &Memory| memory.objects().filter(|(_, object)| object.kind == ObjectKind::Heap).count();
        heap(self.a) == heap(self.b)
            && x.code.function == y.code.function
            && self.rest(x, y)
            && self.variables((a, x.slots, x.objects), (b, y.slots, y.objects))
    }

    /// The variables of calls, from these slots and objects on.
    fn variables(
        &mut self,
        (a, slots_a, objects_a): (&Snapshot, usize, usize),
        (b, slots_b, objects_b): (&Snapshot, usize, usize),
    ) -> bool {
        // A jump back to a call of `setjmp` is no edge of the program graph, so nobody knows what is used there.
        let weights = self.relevance.filter(|_| a.jumps.is_empty());
        let weights = weights.map(|relevance| relevance.weights(&a.frames, a.at.map(|(block, _)| block)));
        let weight = |slot: usize| weights.as_ref().map_or(Weight::Value, |weights| weights.of(slot));
        let (Some(objects_a), Some(objects_b)) = (a.objects.get(objects_a..), b.objects.get(objects_b..)) else { return false };
        if a.slots.len() - slots_a != b.slots.len() - slots_b || objects_a.len() != objects_b.len() {
            return false;
        }
        let same_slot = |this: &mut Self, p: usize, q: usize| match weight(p) {
            Weight::Nothing => true,
            Weight::Presence => a.known[p] == b.known[q],
            Weight::Value => a.known[p] == b.known[q] && (!a.known[p] || this.words(a.slots[p], b.slots[q])),
        };
        objects_a.iter().zip(objects_b).all(|(x, y)| self.pointers(*x, *y))
            && (slots_a..a.slots.len()).zip(slots_b..).all(|(p, q)| same_slot(self, p, q))
    }

    /// The library leads to its objects (`errno`, tables, arguments) by their numbers, so each corresponds to itself.
    fn environment(&mut self, a: &Snapshot, b: &Snapshot) -> bool {
        let numbers = |memory: &Memory| -> Vec<u32> {
            memory.objects().filter(|(_, object)| object.kind == ObjectKind::Environment).map(|(number, _)| number).collect()
        };
        let (x, y) = (numbers(&a.memory), numbers(&b.memory));
        x == y && x.into_iter().all(|number| self.pointers(join(number, 0), join(number, 0)))
    }

    /// Where the results of two calls go.
    fn results(&mut self, x: Option<Target>, y: Option<Target>) -> bool {
        match (x, y) {
            (None, None) => true,
            (Some(x), Some(y)) if x.shape == y.shape && x.size == y.size => match (x.location, y.location) {
                (Location::Slot(p), Location::Slot(q)) => p == q,
                (Location::Memory(p), Location::Memory(q)) => self.pointers(p, q),
                (Location::Bits(p, i), Location::Bits(q, j)) => i == j && self.pointers(p, q),
                _ => false,
            },
            _ => false,
        }
    }

    fn frames(&mut self, x: &Frame, y: &Frame) -> bool {
        x.code.function == y.code.function && x.call == y.call && self.results(x.result, y.result) && self.rest(x, y)
    }

    /// Arguments beyond the parameters.
    fn rest(&mut self, x: &Frame, y: &Frame) -> bool {
        x.rest.len() == y.rest.len()
            && x.rest.iter().zip(y.rest.iter()).all(|(p, q)| match (p, q) {
                (Argument::Scalar(p, Shape::Pointer), Argument::Scalar(q, Shape::Pointer)) => self.pointers(*p as u64, *q as u64),
                (Argument::Scalar(p, _), Argument::Scalar(q, _)) => p == q,
                (Argument::Aggregate(p), Argument::Aggregate(q)) => p == q,
                _ => false,
            })
    }

    /// Equal numbers, or pointers to the same place of corresponding objects.
    fn words(&mut self, x: u128, y: u128) -> bool {
        match (u64::try_from(x), u64::try_from(y)) {
            (Ok(p), Ok(q)) if self.a.object(split(p).0).is_some() && self.b.object(split(q).0).is_some() => self.pointers(p, q),
            _ => x == y,
        }
    }

    fn pointers(&mut self, p: Pointer, q: Pointer) -> bool {
        let ((x, offset_x), (y, offset_y)) = (split(p), split(q));
        if offset_x != offset_y || (x == 0) != (y == 0) {
            return false;
        }
        if x == 0 {
            return p == q;
        }
        match (self.pairs.get(&x), self.back.get(&y)) {
            (Some(known), _) => *known == y,
            (None, Some(_)) => false,
            (None, None) => {
                self.pairs.insert(x, y);
                self.back.insert(y, x);
                self.pending.push((x, y));
                true
            }
        }
    }

    /// Compares the contents of corresponding objects, and of those that they lead to.
    fn memory(&mut self) -> bool {
        while let Some((x, y)) = self.pending.pop() {
            let same = match (self.a.object(x), self.b.object(y)) {
                (Some(p), Some(q)) => self.contents(p, q),
                // Pointers to objects that have ended are all of no use.
                (None, None) => true,
                _ => false,
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn contents(&mut self, p: &Object, q: &Object) -> bool {
        let same_kind = match (p.kind, q.kind) {
            (ObjectKind::Function(f), ObjectKind::Function(g)) => f == g,
            (ObjectKind::Labels(f), ObjectKind::Labels(g)) => f == g,
            (x, y) => std::mem::discriminant(&x) == std::mem::discriminant(&y),
        };
        if !same_kind || p.bytes.len() != q.bytes.len() || p.known != q.known {
            return false;
        }
        let known = |offset: usize, size: usize| p.known.is_empty() || p.known[offset..offset + size].iter().all(|mask| *mask == 0xff);
        let mut offset = 0;
        while offset < p.bytes.len() {
            // A pointer fills a word; anything else is compared byte by byte, as far as it has a value.
            if let Some((x, y)) = self.pointer_words(p, q, offset)
                && known(offset, x.1)
            {
                if !self.pointers(x.0, y) {
                    return false;
                }
                offset += x.1;
                continue;
            }
            let mask = p.known.get(offset).copied().unwrap_or(0xff);
            if (p.bytes[offset] ^ q.bytes[offset]) & mask != 0 {
                return false;
            }
            offset += 1;
        }
        true
    }

    /// The pointers that stand at this offset in both objects, and how many bytes they take.
    fn pointer_words(&self, p: &Object, q: &Object, offset: usize) -> Option<((Pointer, usize), Pointer)> {
        match self.a.target() {
            model::Target::Ilp32 => {
                let (x, y) = (*p.pointers.get(&(offset as u32))?, *q.pointers.get(&(offset as u32))?);
                let stored = |memory: &Memory, object: &Object, pointer| {
                    offset + 4 <= object.bytes.len() && object.read(offset, 4).0 == u128::from(memory.address(pointer))
                };
                (stored(self.a, p, x) && stored(self.b, q, y)).then_some(((x, 4), y))
            }
            model::Target::Lp64 => {
                if !offset.is_multiple_of(8) || offset + 8 > p.bytes.len() {
                    return None;
                }
                let (x, y) = (p.read(offset, 8).0 as u64, q.read(offset, 8).0 as u64);
                (self.a.object(split(x).0).is_some() && self.b.object(split(y).0).is_some()).then_some(((x, 8), y))
            }
        }
    }
}

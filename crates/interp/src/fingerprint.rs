//! Numbers that are equal for equal states: most states differ, and comparing numbers shows it at little cost.

use std::collections::VecDeque;
use std::hash::Hasher as _;

use model::Target;
use rustc_hash::{FxHashMap, FxHasher};

use crate::machine::Machine;
use crate::memory::{Object, ObjectKind, split};
use crate::observe::Position;
use crate::snapshot::{Extent, Relevance, Weight};

impl Machine<'_, '_> {
    /// A number for the state before the step at this position, as far as it matters: states that [`Snapshot::agrees`](crate::Snapshot::agrees)
    /// calls equal have the same one. Also how many bytes were looked at.
    pub fn fingerprint(&self, position: Position, relevance: &Relevance, extent: Extent) -> (u64, u64) {
        let mut walk =
            Walk { machine: self, hasher: FxHasher::default(), numbers: FxHashMap::default(), pending: VecDeque::new(), bytes: 0 };
        walk.control(position, extent);
        walk.roots(position, relevance, extent);
        walk.memory();
        (walk.hasher.finish(), walk.bytes)
    }
}

/// A walk over all that a state can reach; objects are numbered in the order in which they are met.
struct Walk<'m, 'p, 'a> {
    machine: &'m Machine<'p, 'a>,
    hasher: FxHasher,
    numbers: FxHashMap<u32, u32>,
    pending: VecDeque<u32>,
    bytes: u64,
}

impl Walk<'_, '_, '_> {
    fn control(&mut self, position: Position, extent: Extent) {
        self.hasher.write_u32(position.function.raw());
        self.hasher.write_u32(position.block.raw());
        if extent == Extent::Whole {
            self.hasher.write_usize(position.depth);
            let frames = &self.machine.frames;
            for frame in &frames[..frames.len().saturating_sub(1)] {
                self.hasher.write_u32(frame.code.function.raw());
                self.hasher.write_u32(frame.block.raw());
                self.hasher.write_usize(frame.next);
            }
        }
        self.hasher.write_u64(self.machine.library.progress());
    }

    fn roots(&mut self, position: Position, relevance: &Relevance, extent: Extent) {
        let machine = self.machine;
        // Variables of static storage are there from the beginning, in the same order.
        for global in machine.program.globals.ids() {
            self.pointer(machine.global_pointer(global));
        }
        let (slots, objects) = match machine.frames.last() {
            Some(frame) if extent == Extent::Call => (frame.slots, frame.objects),
            _ => (0, 0),
        };
        for &object in &machine.objects[objects..] {
            self.word(u128::from(object));
        }
        let weights = relevance.weights(&machine.frames, Some(position.block));
        for (slot, (&known, &value)) in machine.known.iter().zip(&machine.slots).enumerate().skip(slots) {
            let weight = weights.of(slot);
            if weight != Weight::Nothing {
                self.hasher.write_u8(u8::from(known));
            }
            if weight == Weight::Value && known {
                self.word(value);
            }
        }
        self.bytes += 16 * (machine.slots.len() - slots) as u64 + 64;
    }

    /// A number, or a pointer to an object that is alive.
    fn word(&mut self, value: u128) {
        match u64::try_from(value) {
            Ok(pointer) if self.machine.memory.object(split(pointer).0).is_some() => self.pointer(pointer),
            _ => self.hasher.write_u128(value),
        }
    }

    fn pointer(&mut self, pointer: u64) {
        let (object, offset) = split(pointer);
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(object).or_insert_with(|| {
            self.pending.push_back(object);
            next
        });
        self.hasher.write_u32(number);
        self.hasher.write_i64(offset);
    }

    fn memory(&mut self) {
        let machine = self.machine;
        while let Some(number) = self.pending.pop_front() {
            let Some(object) = machine.memory.object(number) else { continue };
            match object.kind {
                // What cannot change need not be looked at.
                ObjectKind::Global(_) if object.constant => {}
                _ => self.contents(object),
            }
        }
    }

    fn contents(&mut self, object: &Object) {
        self.hasher.write_usize(object.bytes.len());
        self.bytes += object.bytes.len() as u64 + 32;
        let word = if self.machine.program.types.target() == Target::Lp64 { 8 } else { 4 };
        let mut offset = 0;
        while offset < object.bytes.len() {
            let end = (offset + word).min(object.bytes.len());
            let known = |index: usize| object.known.get(index).copied().unwrap_or(0xff);
            let whole = end - offset == word && (object.known.is_empty() || object.known[offset..end].iter().all(|mask| *mask == 0xff));
            match self.stored_pointer(object, offset).filter(|_| whole) {
                Some(pointer) => self.pointer(pointer),
                None if whole => self.hasher.write_u64(object.read(offset, word).0 as u64),
                None => (offset..end)
                    .for_each(|index| self.hasher.write_u16(u16::from(known(index)) << 8 | u16::from(object.bytes[index] & known(index)))),
            }
            offset = end;
        }
    }

    fn stored_pointer(&self, object: &Object, offset: usize) -> Option<u64> {
        let memory = &self.machine.memory;
        match self.machine.program.types.target() {
            Target::Ilp32 => {
                let pointer = *object.pointers.get(&(offset as u32))?;
                let stored = offset + 4 <= object.bytes.len() && object.read(offset, 4).0 == u128::from(memory.address(pointer));
                (stored && memory.object(split(pointer).0).is_some()).then_some(pointer)
            }
            Target::Lp64 if offset + 8 <= object.bytes.len() => {
                let pointer = object.read(offset, 8).0 as u64;
                memory.object(split(pointer).0).is_some().then_some(pointer)
            }
            Target::Lp64 => None,
        }
    }
}

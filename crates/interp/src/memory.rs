//! Objects in memory.
//!
//! A pointer is an object and an offset. Both are packed into one 64-bit number: the object's number above, the offset below, moved by
//! [`BIAS`] so that offsets before the object stay with it. Object 0 does not exist, so numbers below 2^32 are what C calls integers
//! made pointers, and 0 is null. On LP64 this number is the address that the program sees. On ILP32 the program sees 32-bit addresses from a
//! table, and a pointer that goes through memory leaves a note of its object beside its four bytes.

use std::collections::BTreeMap;

use model::{BinaryOp, FunctionId, GlobalId, Query, Span, Target};
use rustc_hash::FxHashMap;

/// The offset 0 of every object, as the low half of a pointer.
const BIAS: u64 = 1 << 31;
/// Objects are kept in chunks of this many; a chunk whose objects all ended is given back.
const CHUNK: usize = 1024;
/// About what an object takes beside its bytes: without it, small objects would cost nothing.
const OVERHEAD: u64 = 256;

/// A packed pointer.
pub type Pointer = u64;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// An object with static storage.
    Global(GlobalId),
    /// A variable; the number of its function and its own.
    Local(FunctionId, model::LocalId),
    /// From `malloc` and the like.
    Heap,
    /// From `alloca`.
    Alloca,
    /// Made by the environment: arguments, library state.
    Environment,
    /// A function: it has an address and no bytes.
    Function(FunctionId),
    /// The labels of a function: the offset is the number of a block.
    Labels(FunctionId),
}

/// An object that is alive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its content.
    pub bytes: Vec<u8>,
    /// For each byte, the bits that have a value; empty if all have.
    pub known: Vec<u8>,
    /// Whether it may not be written.
    pub constant: bool,
    /// Where it was made.
    pub span: Span,
    /// Pointers that were stored here, by offset; kept only on ILP32, and where it matters that numbers are none.
    pub pointers: FxHashMap<u32, Pointer>,
    /// Its address for the program on ILP32.
    pub base: u32,
}

#[derive(Clone, PartialEq, Debug)]
enum Slot {
    Vacant,
    Live(Box<Object>),
    /// Ended; what it was, and its address on ILP32.
    Dead(ObjectKind, u32),
}

/// All objects of a run.
#[derive(Clone, Debug)]
pub struct Memory {
    target: Target,
    chunks: Vec<Option<Box<Chunk>>>,
    next: u32,
    /// Bytes that live objects take, with what is kept about each.
    pub live_bytes: u64,
    /// On ILP32: addresses of live objects.
    addresses: BTreeMap<u32, u32>,
    next_address: u32,
}

#[derive(Clone, Debug)]
struct Chunk {
    slots: Vec<Slot>,
    live: usize,
}

/// Why memory cannot be accessed as asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessError {
    /// Through the null pointer or one close to it.
    Null,
    /// Through a number that is no pointer.
    Wild,
    /// The object has ended.
    Dead(Option<ObjectKind>),
    /// Outside of the object: offset and size of the object.
    Outside(i64, u64),
    /// A write to a constant object.
    Constant,
    /// Functions and labels have no bytes.
    Code,
}

/// The object and offset of a pointer.
pub fn split(pointer: Pointer) -> (u32, i64) {
    ((pointer >> 32) as u32, (pointer & 0xffff_ffff) as i64 - BIAS as i64)
}

/// The pointer to an offset in an object.
pub fn join(object: u32, offset: u64) -> Pointer {
    (u64::from(object) << 32) + BIAS + offset
}

impl Memory {
    /// Empty memory.
    pub fn new(target: Target) -> Self {
        Memory { target, chunks: Vec::new(), next: 1, live_bytes: 0, addresses: BTreeMap::new(), next_address: 0x1000 }
    }

    /// A new object of this size; its bytes are zero, and known only if asked for. `None` if it is too large for any object.
    pub fn allocate(&mut self, kind: ObjectKind, size: u64, known: bool, span: Span) -> Option<Pointer> {
        if size >= BIAS || self.next == u32::MAX {
            return None;
        }
        let base = self.reserve_address(size)?;
        let number = self.next;
        self.next += 1;
        let bytes = vec![0; size as usize];
        let known = if known { Vec::new() } else { vec![0; size as usize] };
        let object = Object { kind, bytes, known, constant: false, span, pointers: FxHashMap::default(), base };
        self.live_bytes += size + OVERHEAD;
        let (chunk, slot) = (number as usize / CHUNK, number as usize % CHUNK);
        if self.chunks.len() <= chunk {
            self.chunks.resize_with(chunk + 1, || None);
        }
        let chunk = self.chunks[chunk].get_or_insert_with(|| Box::new(Chunk { slots: vec![Slot::Vacant; CHUNK], live: 0 }));
        chunk.slots[slot] = Slot::Live(Box::new(object));
        chunk.live += 1;
        if self.target == Target::Ilp32 {
            self.addresses.insert(base, number);
        }
        Some(join(number, 0))
    }

    fn reserve_address(&mut self, size: u64) -> Option<u32> {
        if self.target == Target::Lp64 {
            return Some(0);
        }
        // A gap behind each object keeps "one past the end" apart from the next one.
        let room = (size + 32).next_multiple_of(64);
        let mut start = u64::from(self.next_address);
        for _ in 0..2 {
            while start + room < 0xf000_0000 {
                match self.addresses.range(..(start + room) as u32).next_back() {
                    Some((&base, &number)) if u64::from(base) + self.size_of(number) + 16 > start => {
                        start = (u64::from(base) + self.size_of(number) + 32).next_multiple_of(64);
                    }
                    _ => {
                        self.next_address = (start + room) as u32;
                        return Some(start as u32);
                    }
                }
            }
            start = 0x1000;
        }
        None
    }

    fn size_of(&self, number: u32) -> u64 {
        self.object(number).map_or(0, |object| object.bytes.len() as u64)
    }

    /// Ends an object.
    pub fn end(&mut self, number: u32) {
        let (index, slot) = (number as usize / CHUNK, number as usize % CHUNK);
        let full = self.next as usize / CHUNK > index;
        let Some(chunk) = self.chunks.get_mut(index).and_then(Option::as_mut) else { return };
        if let Slot::Live(object) = &chunk.slots[slot] {
            self.live_bytes -= object.bytes.len() as u64 + OVERHEAD;
            self.addresses.remove(&object.base);
            chunk.slots[slot] = Slot::Dead(object.kind, object.base);
            chunk.live -= 1;
            if chunk.live == 0 && full {
                self.chunks[index] = None;
            }
        }
    }

    /// An object that is alive.
    pub fn object(&self, number: u32) -> Option<&Object> {
        match self.chunks.get(number as usize / CHUNK)?.as_ref()?.slots.get(number as usize % CHUNK)? {
            Slot::Live(object) => Some(object),
            _ => None,
        }
    }

    /// An object that is alive, to change it.
    pub fn object_mut(&mut self, number: u32) -> Option<&mut Object> {
        match self.chunks.get_mut(number as usize / CHUNK)?.as_mut()?.slots.get_mut(number as usize % CHUNK)? {
            Slot::Live(object) => Some(object),
            _ => None,
        }
    }

    /// All objects that are alive, by number.
    pub fn objects(&self) -> impl Iterator<Item = (u32, &Object)> {
        let chunks = self.chunks.iter().enumerate().filter_map(|(index, chunk)| Some((index, chunk.as_ref()?)));
        chunks.flat_map(|(index, chunk)| {
            chunk.slots.iter().enumerate().filter_map(move |(slot, content)| match content {
                Slot::Live(object) => Some(((index * CHUNK + slot) as u32, &**object)),
                _ => None,
            })
        })
    }

    fn why_missing(&self, number: u32) -> AccessError {
        match self.chunks.get(number as usize / CHUNK).and_then(Option::as_ref).map(|chunk| &chunk.slots[number as usize % CHUNK]) {
            Some(Slot::Dead(kind, _)) => AccessError::Dead(Some(*kind)),
            _ if number < self.next => AccessError::Dead(None),
            _ => AccessError::Wild,
        }
    }

    /// The object and the offset for an access of this many bytes.
    #[inline]
    pub fn locate(&self, pointer: Pointer, size: u64) -> Result<(&Object, usize), AccessError> {
        let (number, offset) = split(pointer);
        if number == 0 {
            return Err(if pointer < 0x1000 { AccessError::Null } else { AccessError::Wild });
        }
        let Some(object) = self.object(number) else { return Err(self.why_missing(number)) };
        if !object.holds(offset, size) {
            return Err(outside(object, offset));
        }
        Ok((object, offset as usize))
    }

    /// The same for a write.
    #[inline]
    pub fn locate_mut(&mut self, pointer: Pointer, size: u64) -> Result<(&mut Object, usize), AccessError> {
        let (number, offset) = split(pointer);
        if number == 0 {
            return Err(if pointer < 0x1000 { AccessError::Null } else { AccessError::Wild });
        }
        if self.object(number).is_none() {
            return Err(self.why_missing(number));
        }
        let Some(object) = self.object_mut(number) else { return Err(AccessError::Wild) };
        if !object.holds(offset, size) {
            return Err(outside(object, offset));
        }
        if object.constant {
            return Err(AccessError::Constant);
        }
        Ok((object, offset as usize))
    }

    /// The number that the program sees as the address.
    pub fn address(&self, pointer: Pointer) -> u64 {
        if self.target == Target::Lp64 {
            return pointer;
        }
        match split(pointer) {
            (0, _) => pointer & 0xffff_ffff,
            (number, offset) => {
                let slot =
                    self.chunks.get(number as usize / CHUNK).and_then(Option::as_ref).map(|chunk| &chunk.slots[number as usize % CHUNK]);
                let base = match slot {
                    Some(Slot::Live(object)) => object.base,
                    // Pointers to an object that has ended still compare equal to each other.
                    Some(Slot::Dead(_, base)) => *base,
                    // Nothing is known any more; the number gives an address that no live object has.
                    _ => 0xf000_0000u32.wrapping_add(number),
                };
                u64::from(base.wrapping_add(offset as u32))
            }
        }
    }

    /// The pointer for a number that the program uses as an address.
    pub fn pointer(&self, address: u64) -> Pointer {
        if self.target == Target::Lp64 {
            return address;
        }
        let address = address as u32;
        match self.addresses.range(..=address).next_back() {
            Some((&base, &number)) if u64::from(address - base) <= self.size_of(number) => join(number, u64::from(address - base)),
            _ => u64::from(address),
        }
    }

    /// The number of the object that a pointer belongs to, alive or not.
    pub fn owner(&self, pointer: Pointer) -> Option<u32> {
        Some(split(pointer).0).filter(|number| *number != 0 && *number < self.next)
    }

    /// Whether C says how two pointers compare, and how far they are apart if it says which comes first (C17 6.5.6p9, 6.5.8p5, 6.5.9p6). A pointer
    /// behind the end of an object may be one to another object; string literals may share their bytes.
    pub fn settles(&self, op: BinaryOp, a: Pointer, b: Pointer) -> bool {
        if a == 0 || b == 0 {
            let other = split(a | b);
            return matches!(op, BinaryOp::Eq | BinaryOp::Ne)
                && (a | b == 0 || self.object(other.0).is_some_and(|object| object.spans(other.1)));
        }
        let ((one, from), (other, to)) = (split(a), split(b));
        let (Some(left), Some(right)) = (self.object(one), self.object(other)) else { return false };
        if one == other {
            return left.spans(from) && left.spans(to) && !matches!(left.kind, ObjectKind::Labels(_));
        }
        let is_apart = |object: &Object, offset: i64| match object.kind {
            ObjectKind::Function(_) => offset == 0,
            _ => object.holds(offset, 1) && !object.constant,
        };
        matches!(op, BinaryOp::Eq | BinaryOp::Ne) && is_apart(left, from) && is_apart(right, to)
    }

    /// What there is to say about a pointer, as a bit pattern.
    pub fn answer(&self, query: Query, pointer: Pointer) -> u128 {
        let owner = self.owner(pointer);
        let object = owner.and_then(|number| self.object(number));
        match query {
            Query::ObjectSize => object.map_or(0, |object| object.bytes.len() as u128),
            Query::Offset => {
                let distance = if owner.is_some() { split(pointer).1 as u64 } else { self.address(pointer) };
                u128::from(distance & u64::MAX >> (64 - self.target.pointer_bits()))
            }
            Query::IsNull => u128::from(owner.is_none()),
            Query::Alive => u128::from(object.is_some()),
            Query::Heap => u128::from(owner.and_then(|number| self.kind(number)) == Some(ObjectKind::Heap)),
            Query::Writable => u128::from(object.is_some_and(|object| !object.constant)),
            Query::Function => {
                u128::from(split(pointer).1 == 0 && object.is_some_and(|object| matches!(object.kind, ObjectKind::Function(_))))
            }
        }
    }

    /// What an object is or was, as long as that is remembered.
    fn kind(&self, number: u32) -> Option<ObjectKind> {
        match self.chunks.get(number as usize / CHUNK)?.as_ref()?.slots.get(number as usize % CHUNK)? {
            Slot::Live(object) => Some(object.kind),
            Slot::Dead(kind, _) => Some(*kind),
            Slot::Vacant => None,
        }
    }

    /// Whether a move leads so far away from an object that the pointer no longer shows where it came from. Numbers that are no pointers
    /// may move freely.
    #[inline]
    pub fn strays(&self, pointer: Pointer, index: i128, size: u64) -> bool {
        let (number, offset) = split(pointer);
        let end = index.checked_mul(i128::from(size)).and_then(|bytes| bytes.checked_add(i128::from(offset)));
        number != 0 && number < self.next && end.is_none_or(|end| !(-(1 << 31)..1 << 31).contains(&end))
    }

    /// The data model.
    pub fn target(&self) -> Target {
        self.target
    }
}

fn outside(object: &Object, offset: i64) -> AccessError {
    match object.kind {
        ObjectKind::Function(_) | ObjectKind::Labels(_) => AccessError::Code,
        _ => AccessError::Outside(offset, object.bytes.len() as u64),
    }
}

impl Object {
    /// Whether this many bytes from an offset on are inside.
    #[inline]
    fn holds(&self, offset: i64, size: u64) -> bool {
        let end = u64::try_from(offset).ok().and_then(|offset| offset.checked_add(size));
        end.is_some_and(|end| end <= self.bytes.len() as u64)
    }

    /// Whether a pointer with this offset may be made: its end is an offset, too.
    fn spans(&self, offset: i64) -> bool {
        self.holds(offset, 0)
    }

    /// Whether a part of a pointer of so many bytes was stored here, as far as that is noted.
    pub fn has_pointer(&self, offset: usize, size: usize, word: usize) -> bool {
        !self.pointers.is_empty() && ((offset + 1).saturating_sub(word)..offset + size).any(|at| self.pointers.contains_key(&(at as u32)))
    }

    /// Whether these bytes begin or end within a pointer of so many bytes, as far as that is noted.
    pub fn cuts_pointer(&self, offset: usize, size: usize, word: usize) -> bool {
        let within = |end: usize| ((end + 1).saturating_sub(word)..end).any(|at| self.pointers.contains_key(&(at as u32)));
        !self.pointers.is_empty() && (within(offset) || within(offset + size))
    }

    /// A little-endian number of up to 16 bytes, and whether all its bits have a value.
    #[inline]
    pub fn read(&self, offset: usize, size: usize) -> (u128, bool) {
        let bytes = &self.bytes[offset..offset + size];
        let value = match size {
            1 => u128::from(bytes[0]),
            2 => u128::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            4 => u128::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            8 => {
                let mut word = [0; 8];
                word.copy_from_slice(bytes);
                u128::from(u64::from_le_bytes(word))
            }
            _ => {
                let mut word = [0; 16];
                word[..size].copy_from_slice(bytes);
                u128::from_le_bytes(word)
            }
        };
        let known = self.known.is_empty() || self.known[offset..offset + size].iter().all(|mask| *mask == 0xff);
        (value, known)
    }

    /// Which bits of up to 16 bytes have a value.
    pub fn known_mask(&self, offset: usize, size: usize) -> u128 {
        let byte = |index: usize| if self.known.is_empty() { 0xff } else { self.known[offset + index] };
        (0..size.min(16)).map(|index| u128::from(byte(index)) << (8 * index)).sum()
    }

    /// Writes the low bytes of a number.
    #[inline]
    pub fn write(&mut self, offset: usize, size: usize, value: u128) {
        self.bytes[offset..offset + size].copy_from_slice(&value.to_le_bytes()[..size]);
        self.mark_known(offset, size);
    }

    /// Says that these bytes have values.
    #[inline]
    pub fn mark_known(&mut self, offset: usize, size: usize) {
        if !self.known.is_empty() {
            self.known[offset..offset + size].fill(0xff);
        }
    }

    /// Reads bits from a byte and bit position on, and whether all have a value.
    pub fn read_bits(&self, offset: usize, bit: u8, width: u16) -> (u128, bool) {
        let mut value = 0;
        let mut known = true;
        for i in 0..usize::from(width) {
            let position = usize::from(bit) + i;
            let (byte, shift) = (offset + position / 8, position % 8);
            value |= u128::from(self.bytes[byte] >> shift & 1) << i;
            known &= self.known.is_empty() || self.known[byte] >> shift & 1 == 1;
        }
        (value, known)
    }

    /// Writes bits and leaves those around them alone.
    pub fn write_bits(&mut self, offset: usize, bit: u8, width: u16, value: u128) {
        for i in 0..usize::from(width) {
            let position = usize::from(bit) + i;
            let (byte, mask) = (offset + position / 8, 1u8 << (position % 8));
            if value >> i & 1 == 1 {
                self.bytes[byte] |= mask;
            } else {
                self.bytes[byte] &= !mask;
            }
            if !self.known.is_empty() {
                self.known[byte] |= mask;
            }
        }
    }
}

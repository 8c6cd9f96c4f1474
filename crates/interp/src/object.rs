//! Reading and writing objects: scalars, aggregates, strings, argument lists.

use model::{Body, CheckKind, ExprId, ExprKind, Span};

use crate::code::{Code, PlaceNode, Shape};
use crate::fault::{End, Step};
use crate::input::UNINITIALISED_VARIABLE;
use crate::machine::{Argument, Location, Machine, Target, VaList};
use crate::memory::{AccessError, ObjectKind, Pointer, split};

/// A copy of bytes with what is known about them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Blob {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The bits that have a value; empty if all have.
    pub known: Vec<u8>,
    /// Pointers among them, by offset (ILP32).
    pub pointers: Vec<(u32, Pointer)>,
}

impl Machine<'_, '_> {
    /// Finds a place. An access also checks that indices are within their arrays; an address may be one past the end.
    pub(crate) fn target(&mut self, code: &Code, place: model::PlaceId, access: bool) -> Step<Target> {
        let shape = code.place_shapes[place.index()];
        let location = self.locate(code, place, access)?;
        Ok(Target { location, shape: shape.shape, size: shape.size })
    }

    fn locate(&mut self, code: &Code, place: model::PlaceId, access: bool) -> Step<Location> {
        Ok(match code.places[place.index()] {
            PlaceNode::Slot(slot) => Location::Slot(self.base + slot as usize),
            PlaceNode::Local(object) => {
                let mut pointer = self.objects[self.object_base + object as usize];
                if pointer == 0 {
                    // A computed goto led into the variable's block past its beginning.
                    pointer = self.belated_life(code, object)?;
                }
                Location::Memory(pointer)
            }
            PlaceNode::Global(global) => Location::Memory(self.global_pointer(global)),
            PlaceNode::Deref(pointer) => Location::Memory(self.eval(code, pointer)? as u64),
            PlaceNode::Field(base, offset, bit) => match (self.locate(code, base, access)?, bit) {
                (Location::Memory(pointer), None) => Location::Memory(pointer.wrapping_add(offset)),
                (Location::Memory(pointer), Some(bit)) => Location::Bits(pointer.wrapping_add(offset), bit),
                (other, _) => other,
            },
            PlaceNode::Index(base, index, size, len) => {
                let Location::Memory(pointer) = self.locate(code, base, access)? else { return Ok(Location::Memory(0)) };
                let shape = code.shapes[index.index()];
                let value = shape.value(self.eval(code, index)?);
                if access && let Some(len) = len.filter(|len| value < 0 || value >= i128::from(*len)) {
                    let span = self.place_span(code, place);
                    self.fault(CheckKind::Bounds, span, format!("index {value}, but the array has {len} elements"))?;
                }
                if self.memory.strays(pointer, value, size) {
                    let span = self.place_span(code, place);
                    self.fault(CheckKind::Bounds, span, STRAYED)?;
                }
                Location::Memory(moved(pointer, value, size))
            }
        })
    }

    fn place_span(&self, code: &Code, place: model::PlaceId) -> Span {
        self.program.functions[code.function].body.as_ref().map_or(Span::NONE, |body| body.places[place].span)
    }

    /// Reads a scalar.
    pub(crate) fn load(&mut self, target: Target, span: Span) -> Step<u128> {
        let (value, known) = match target.location {
            Location::Slot(slot) => (self.slots[slot], self.known[slot]),
            Location::Memory(pointer) => {
                let size = target.size as usize;
                if self.policy.is_exact() {
                    self.settle_load(pointer, target)?;
                }
                let result = self.memory.locate(pointer, target.size).map(|(object, offset)| {
                    let (value, known) = object.read(offset, size);
                    let noted =
                        if size == 4 && target.shape == Shape::Pointer { object.pointers.get(&(offset as u32)).copied() } else { None };
                    (value, known, noted)
                });
                match result {
                    Ok((value, known, noted)) => (self.loaded(value, target.shape, noted), known),
                    Err(error) => return Err(self.access_fault(error, pointer, target.size, "read", span)),
                }
            }
            Location::Bits(pointer, bit) => {
                let width = target.shape.bits(0);
                let bytes = (u64::from(bit) + u64::from(width)).div_ceil(8);
                if self.policy.is_exact() {
                    self.settle_load(pointer, Target { size: bytes, ..target })?;
                }
                match self.memory.locate(pointer, bytes).map(|(object, offset)| object.read_bits(offset, bit, width)) {
                    Ok(result) => result,
                    Err(error) => return Err(self.access_fault(error, pointer, bytes, "read", span)),
                }
            }
        };
        if known {
            return Ok(value);
        }
        self.read_unknown(target, span, "this object is read before it has a value")
    }

    /// Numbers that are read must not be parts of pointers, and pointers must have been stored as such.
    fn settle_load(&self, pointer: Pointer, target: Target) -> Step<()> {
        let Ok((object, offset)) = self.memory.locate(pointer, target.size) else { return Ok(()) };
        let size = target.size as usize;
        let settled = if target.shape == Shape::Pointer {
            let (value, noted) = (object.read(offset, size).0, object.pointers.get(&(offset as u32)));
            value == 0 || noted.is_some_and(|pointer| u128::from(self.memory.address(*pointer)) == value)
        } else {
            !object.has_pointer(offset, size, self.memory.target().pointer_bytes() as usize)
        };
        if settled { Ok(()) } else { Err(self.left_open("where objects lie")) }
    }

    /// Reads a scalar without changing anything; none if that cannot be done or it has no value.
    pub(crate) fn peek(&self, target: Target) -> Option<u128> {
        let Location::Memory(pointer) = target.location else { return None };
        let (object, offset) = self.memory.locate(pointer, target.size).ok()?;
        let (value, known) = object.read(offset, target.size as usize);
        let noted = object.pointers.get(&(offset as u32)).copied();
        known.then(|| self.loaded(value, target.shape, noted))
    }

    /// Bytes of memory as a value: addresses become pointers, any byte but 0 is true.
    fn loaded(&self, value: u128, shape: Shape, noted: Option<Pointer>) -> u128 {
        match shape {
            Shape::Bool => u128::from(value & 0xff != 0),
            Shape::Pointer => match noted.filter(|pointer| u128::from(self.memory.address(*pointer)) == value) {
                Some(pointer) => u128::from(pointer),
                None => u128::from(self.memory.pointer(value as u64)),
            },
            _ => value,
        }
    }

    /// An object without a value is read: undefined; if the run goes on, the bits without value hold arbitrary ones from then on.
    #[cold]
    fn read_unknown(&mut self, target: Target, span: Span, message: &str) -> Step<u128> {
        self.fault(CheckKind::Uninitialised, span, message)?;
        let bits = target.shape.bits(self.program.types.target().pointer_bits());
        let what = if matches!(target.location, Location::Slot(_)) { UNINITIALISED_VARIABLE } else { "uninitialised value" };
        let arbitrary = self.input(what, bits, span)?;
        let (stored, known) = self.known_bits(target);
        let value = stored & known | arbitrary & !known;
        let value = match target.shape {
            Shape::Pointer => u128::from(self.memory.pointer(value as u64)),
            Shape::Bool => value & 1,
            _ => value,
        };
        self.store(target, value, span)?;
        Ok(value)
    }

    /// Whether all bits of a scalar have a value; false if there is no such object.
    pub(crate) fn is_initialised(&self, target: Target) -> bool {
        let width = match target.location {
            Location::Slot(slot) => return self.known[slot],
            Location::Memory(_) => 8 * target.size,
            Location::Bits(..) => u64::from(target.shape.bits(0)),
        };
        self.known_bits(target).1 == u128::MAX >> (128 - width.clamp(1, 128))
    }

    /// The bits that an object holds, and which of them have a value.
    fn known_bits(&self, target: Target) -> (u128, u128) {
        match target.location {
            Location::Slot(_) => (0, 0),
            Location::Memory(pointer) => match self.memory.locate(pointer, target.size) {
                Ok((object, offset)) => {
                    let size = target.size as usize;
                    (object.read(offset, size).0, object.known_mask(offset, size))
                }
                Err(_) => (0, 0),
            },
            Location::Bits(pointer, bit) => {
                let width = target.shape.bits(0);
                let bytes = (usize::from(bit) + usize::from(width)).div_ceil(8);
                match self.memory.locate(pointer, bytes as u64) {
                    Ok((object, offset)) => (
                        object.read_bits(offset, bit, width).0,
                        object.known_mask(offset, bytes.min(16)) >> bit & (u128::MAX >> (128 - width.clamp(1, 128))),
                    ),
                    Err(_) => (0, 0),
                }
            }
        }
    }

    /// Writes a scalar.
    pub(crate) fn store(&mut self, target: Target, value: u128, span: Span) -> Step<()> {
        match target.location {
            Location::Slot(slot) => {
                self.slots[slot] = value;
                self.known[slot] = true;
                Ok(())
            }
            Location::Memory(pointer) => {
                let size = target.size as usize;
                let is_pointer = target.shape == Shape::Pointer;
                let stored = if is_pointer { u128::from(self.memory.address(value as u64)) } else { value };
                let noted = is_pointer && (size == 4 || self.policy.is_exact());
                match self.memory.locate_mut(pointer, target.size) {
                    Ok((object, offset)) => {
                        object.write(offset, size, stored);
                        if noted {
                            object.pointers.insert(offset as u32, value as u64);
                        }
                        Ok(())
                    }
                    Err(error) => Err(self.access_fault(error, pointer, target.size, "write", span)),
                }
            }
            Location::Bits(pointer, bit) => {
                let width = target.shape.bits(0);
                let bytes = (u64::from(bit) + u64::from(width)).div_ceil(8);
                match self.memory.locate_mut(pointer, bytes) {
                    Ok((object, offset)) => {
                        object.write_bits(offset, bit, width, value);
                        Ok(())
                    }
                    Err(error) => Err(self.access_fault(error, pointer, bytes, "write", span)),
                }
            }
        }
    }

    /// A record or array as bytes.
    pub(crate) fn aggregate(&mut self, code: &Code, body: &Body, expr: ExprId) -> Step<Blob> {
        let mut expr = expr;
        loop {
            let span = body.exprs[expr].span;
            match body.exprs[expr].kind {
                ExprKind::Load(place) => {
                    let target = self.target(code, place, true)?;
                    let Location::Memory(pointer) = target.location else { return Ok(Blob::default()) };
                    return self.get(pointer, target.size, span);
                }
                ExprKind::Select(condition, a, b) => expr = if self.eval(code, condition)? != 0 { a } else { b },
                _ => {
                    let size = self.program.types.size_of(body.exprs[expr].ty).unwrap_or(0);
                    return Ok(Blob { bytes: vec![0; size as usize], ..Blob::default() });
                }
            }
        }
    }

    /// Copies bytes out of memory.
    pub(crate) fn get(&mut self, pointer: Pointer, size: u64, span: Span) -> Step<Blob> {
        if size == 0 {
            return Ok(Blob::default());
        }
        let word = self.memory.target().pointer_bytes() as usize;
        match self.memory.locate(pointer, size) {
            Ok((object, offset)) if self.policy.is_exact() && object.cuts_pointer(offset, size as usize, word) => {
                Err(self.left_open("where objects lie"))
            }
            Ok((object, offset)) => {
                let end = offset + size as usize;
                let known = if object.known.is_empty() { Vec::new() } else { object.known[offset..end].to_vec() };
                let mut pointers: Vec<(u32, Pointer)> = object
                    .pointers
                    .iter()
                    .filter(|(at, _)| (**at as usize) >= offset && (**at as usize) < end)
                    .map(|(at, pointer)| (at - offset as u32, *pointer))
                    .collect();
                pointers.sort_unstable();
                Ok(Blob { bytes: object.bytes[offset..end].to_vec(), known, pointers })
            }
            Err(error) => Err(self.access_fault(error, pointer, size, "read", span)),
        }
    }

    /// Copies bytes into memory, with what is known about them.
    pub(crate) fn put(&mut self, pointer: Pointer, blob: &Blob, span: Span) -> Step<()> {
        let size = blob.bytes.len();
        if size == 0 {
            return Ok(());
        }
        match self.memory.locate_mut(pointer, size as u64) {
            Ok((object, offset)) => {
                object.bytes[offset..offset + size].copy_from_slice(&blob.bytes);
                if !object.known.is_empty() && blob.known.is_empty() {
                    object.known[offset..offset + size].fill(0xff);
                } else if !blob.known.is_empty() {
                    if object.known.is_empty() {
                        object.known = vec![0xff; object.bytes.len()];
                    }
                    object.known[offset..offset + size].copy_from_slice(&blob.known);
                }
                for (at, noted) in &blob.pointers {
                    object.pointers.insert(offset as u32 + at, *noted);
                }
                Ok(())
            }
            Err(error) => Err(self.access_fault(error, pointer, size as u64, "write", span)),
        }
    }

    pub(crate) fn zero(&mut self, pointer: Pointer, size: u64, span: Span) -> Step<()> {
        self.fill(pointer, 0, size, span)
    }

    /// Sets bytes to one value.
    pub(crate) fn fill(&mut self, pointer: Pointer, byte: u8, size: u64, span: Span) -> Step<()> {
        if size == 0 {
            return Ok(());
        }
        match self.memory.locate_mut(pointer, size) {
            Ok((object, offset)) => {
                object.bytes[offset..offset + size as usize].fill(byte);
                object.mark_known(offset, size as usize);
                Ok(())
            }
            Err(error) => Err(self.access_fault(error, pointer, size, "write", span)),
        }
    }

    /// Writes bytes that have values.
    pub(crate) fn write_bytes(&mut self, pointer: Pointer, bytes: &[u8]) -> Step<()> {
        let span = self.span();
        self.put(pointer, &Blob { bytes: bytes.to_vec(), ..Blob::default() }, span)
    }

    /// Reads bytes that must all have values.
    pub(crate) fn read_bytes(&mut self, pointer: Pointer, size: u64) -> Step<Vec<u8>> {
        let span = self.span();
        let mut blob = self.get(pointer, size, span)?;
        self.expose(blob.pointers.len() as u128)?;
        for (index, mask) in std::mem::take(&mut blob.known).into_iter().enumerate() {
            if mask != 0xff {
                let target = Target { location: Location::Memory(pointer + index as u64), shape: Shape::Int(8, false), size: 1 };
                blob.bytes[index] = self.read_unknown(target, span, READ_BY_LIBRARY)? as u8;
            }
        }
        Ok(blob.bytes)
    }

    /// Reads one byte.
    pub(crate) fn read_byte(&mut self, pointer: Pointer) -> Step<u8> {
        let span = self.span();
        let target = Target { location: Location::Memory(pointer), shape: Shape::Int(8, false), size: 1 };
        let is_there = self.memory.locate(pointer, 1).is_ok();
        let byte = match is_there && self.peek(target).is_none() {
            true => self.read_unknown(target, span, READ_BY_LIBRARY)?,
            false => self.load(target, span)?,
        };
        Ok(byte as u8)
    }

    /// Says what is wrong with an access.
    #[cold]
    pub(crate) fn access_fault(&mut self, error: AccessError, pointer: Pointer, size: u64, access: &str, span: Span) -> Box<End> {
        let bytes = if size == 1 { "byte" } else { "bytes" };
        let (kind, message) = match error {
            AccessError::Null => (CheckKind::Null, format!("{access} through the null pointer")),
            AccessError::Wild => (CheckKind::Bounds, format!("{access} through a pointer that leads to no object")),
            AccessError::Dead(Some(ObjectKind::Heap)) => (CheckKind::Dangling, format!("{access} of memory that has been freed")),
            AccessError::Dead(_) => (CheckKind::Dangling, format!("{access} of an object whose lifetime has ended")),
            AccessError::Outside(offset, object) => {
                let name = self.object_name(pointer);
                if offset >= 0 && self.is_open_ended(pointer) {
                    return Box::new(End::Unsupported(
                        format!("how large {name} is or what it holds, which is only declared, is not known"),
                        span,
                    ));
                }
                (CheckKind::Bounds, format!("{access} of {size} {bytes} at offset {offset} of {name}, which has {object} bytes"))
            }
            AccessError::Constant => (CheckKind::Bounds, format!("{access} to {}, which is constant", self.object_name(pointer))),
            AccessError::Code => (CheckKind::Bounds, format!("{access} of a function as if it were an object")),
        };
        self.fatal(kind, span, message)
    }

    /// Whether a pointer leads to an object that the program only declares, without its size, or with a content that nobody may rely on.
    fn is_open_ended(&self, pointer: Pointer) -> bool {
        match self.memory.object(split(pointer).0).map(|object| object.kind) {
            Some(ObjectKind::Global(global)) => {
                let global = &self.program.globals[global];
                global.init.is_none() && (self.program.types.size_of(global.ty).unwrap_or(0) == 0 || !self.may_use(global))
            }
            _ => false,
        }
    }

    fn object_name(&self, pointer: Pointer) -> String {
        match self.memory.object(split(pointer).0).map(|object| object.kind) {
            Some(ObjectKind::Global(global)) => format!("`{}`", self.program.globals[global].name),
            Some(ObjectKind::Local(function, local)) => match &self.program.functions[function].body {
                Some(body) if !body.locals[local].name.is_empty() => format!("`{}`", body.locals[local].name),
                _ => "a temporary".into(),
            },
            Some(ObjectKind::Heap) => "an allocated object".into(),
            Some(ObjectKind::Alloca) => "memory from alloca".into(),
            _ => "an object".into(),
        }
    }

    // ---- argument lists ----------------------------------------------------------------------------------------------------------

    pub(crate) fn start_va_list(&mut self, list: Pointer, content: VaList, span: Span) -> Step<()> {
        self.va_lists.push(content);
        let index = self.va_lists.len() as u128;
        let size = self.program.types.target().pointer_bytes();
        self.store(Target { location: Location::Memory(list), shape: Shape::Int(8 * size as u8, false), size }, index, span)
    }

    /// Which list a `va_list` object stands for.
    pub(crate) fn va_list_index(&mut self, list: Pointer, span: Span) -> Step<usize> {
        let size = self.program.types.target().pointer_bytes();
        let index = self.load(Target { location: Location::Memory(list), shape: Shape::Int(8 * size as u8, false), size }, span)?;
        match usize::try_from(index).ok().and_then(|index| index.checked_sub(1)).filter(|index| *index < self.va_lists.len()) {
            Some(index) => Ok(index),
            None => Err(self.fatal(CheckKind::Uninitialised, span, "a `va_list` that was not started")),
        }
    }

    pub(crate) fn va_arg(&mut self, target: Target, list: Pointer, span: Span) -> Step<()> {
        let index = self.va_list_index(list, span)?;
        let taken = self.va_lists[index].taken;
        let Some(argument) = self.va_lists[index].arguments.get(taken).cloned() else {
            return Err(self.fatal(CheckKind::Bounds, span, "`va_arg`, but there are no more arguments"));
        };
        self.va_lists[index].taken += 1;
        match argument {
            Argument::Scalar(value, shape) if target.shape != Shape::Aggregate => {
                if (shape == Shape::Pointer) != (target.shape == Shape::Pointer) {
                    self.expose(value)?;
                }
                let value = match (shape, target.shape) {
                    (Shape::Pointer, Shape::Int(..)) => target.shape.cut(u128::from(self.memory.address(value as u64))),
                    (Shape::Int(..), Shape::Pointer) => u128::from(self.memory.pointer(value as u64)),
                    _ => target.shape.cut(value),
                };
                self.store(target, value, span)
            }
            Argument::Aggregate(blob) if target.shape == Shape::Aggregate && blob.bytes.len() as u64 == target.size => {
                let Location::Memory(pointer) = target.location else { return Ok(()) };
                self.put(pointer, &blob, span)
            }
            _ => Err(self.fatal(CheckKind::Bounds, span, "`va_arg` with another type than the argument has")),
        }
    }
}

/// What is wrong where a library function reads memory that has no value yet.
pub const READ_BY_LIBRARY: &str = "the library reads this object before it has a value";
/// What is wrong with a pointer that leaves its object by so much that it could get into another one.
pub const STRAYED: &str = "a pointer is moved more than 2 GiB away from its object";

/// A pointer moved by elements.
#[inline]
pub fn moved(pointer: Pointer, index: i128, size: u64) -> Pointer {
    pointer.wrapping_add((index as u64).wrapping_mul(size))
}

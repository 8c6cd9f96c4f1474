//! Places: where a value is, and reading and writing it there.

use std::rc::Rc;

use logic::{Sort, Term};
use model::{LocalId, PlaceId, PlaceKind, Span, Type, TypeId};
use pointers::RegionId;

use crate::access::{self, Access, Cells};
use crate::encoder::{Encoder, Info};
use crate::scalar::{self, OFFSET, POINTER, Pointer, Scalar, moved};
use crate::shape::Shape;
use crate::state::{Part, Slot, State, Value, Written};

/// Where something is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Location {
    pub(crate) base: Base,
    /// The type of what is there.
    pub(crate) ty: TypeId,
    /// For a bit-field, its lowest bit.
    pub(crate) bit: Option<u8>,
    /// The place in the model, to find its region.
    pub(crate) place: PlaceId,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Base {
    /// In a variable that nothing points to.
    Private {
        local: LocalId,
        /// Where, with all indices 0.
        path: u64,
        /// Where.
        offset: Term,
    },
    /// In memory.
    Memory(Pointer),
}

/// A pointer to more objects than this is not taken apart.
const CASES: usize = 32;

/// The sort of an array of cells.
pub(crate) fn cells_sort(width: u32) -> Sort {
    Sort::Array { index: POINTER, element: width }
}

impl<'p> Encoder<'p> {
    /// Where a place is, given where the place is that it is a part of, and the value of its pointer or index.
    pub(crate) fn location(&mut self, state: &State, info: &Info<'p>, place: PlaceId, base: Option<Location>, operand: Option<(Scalar, TypeId)>) -> Location {
        let data = &info.body.places[place];
        let types = &self.program.types;
        let at = |base: Base| Location { base, ty: data.ty, bit: None, place };
        match (&data.kind, base, operand) {
            (PlaceKind::Local(local), _, _) => match &state.slots[local.index()] {
                Slot::Memory(object) => at(Base::Memory(Pointer { object: *object, offset: self.terms.zero(OFFSET) })),
                _ => at(Base::Private { local: *local, path: 0, offset: self.terms.zero(OFFSET) }),
            },
            (PlaceKind::Global(global), _, _) => {
                let object = self.global_object(*global);
                at(Base::Memory(Pointer::to(&mut self.terms, object)))
            }
            (PlaceKind::Deref(_), _, Some((Scalar::Pointer(pointer), _))) => at(Base::Memory(pointer)),
            (PlaceKind::Field(..), Some(base), _) => {
                let field = info.body.field(types, place);
                let (offset, bit) = field.map_or((0, None), |field| (field.offset, field.bit));
                Location { bit, ..at(self.offset_base(base.base, offset, None)) }
            }
            (PlaceKind::Index(..), Some(base), Some((Scalar::Term(index), ty))) => {
                let size = types.size_of(data.ty).unwrap_or(0);
                at(self.offset_base(base.base, size, Some((index, types.is_signed(ty)))))
            }
            _ => {
                let zero = self.terms.zero(OFFSET);
                at(Base::Memory(Pointer::nowhere(&mut self.terms, zero)))
            }
        }
    }

    /// A base moved by some bytes, or by elements of that many.
    fn offset_base(&mut self, base: Base, bytes: u64, index: Option<(Term, bool)>) -> Base {
        let terms = &mut self.terms;
        let mut shift = |offset: Term| match index {
            Some((index, signed)) => moved(terms, offset, index, signed, bytes),
            None => {
                let bytes = terms.number(64, u128::from(bytes));
                moved(terms, offset, bytes, false, 1)
            }
        };
        match base {
            Base::Private { local, path, offset } => {
                let path = if index.is_some() { path } else { path + bytes };
                Base::Private { local, path, offset: shift(offset) }
            }
            Base::Memory(pointer) => Base::Memory(Pointer { object: pointer.object, offset: shift(pointer.offset) }),
        }
    }

    /// The pointer to a location. Nothing points to private variables, so nobody asks for theirs.
    pub(crate) fn pointer_to(&mut self, location: &Location) -> Pointer {
        match location.base {
            Base::Memory(pointer) => pointer,
            Base::Private { offset, .. } => Pointer::nowhere(&mut self.terms, offset),
        }
    }

    /// The scalar at a location.
    pub(crate) fn load(&mut self, state: &State, location: &Location) -> Scalar {
        let access = Access { ty: location.ty, bit: location.bit };
        let types = &self.program.types;
        match location.base {
            Base::Private { local, path, offset } => {
                let Slot::Private(value, _) = &state.slots[local.index()] else {
                    return scalar::arbitrary(&mut self.terms, types, location.ty, "dead");
                };
                let at = self.terms.zero_extend(offset, POINTER);
                match value {
                    Value::Scalar(scalar) => *scalar,
                    Value::Bytes(array) => access::read(&mut self.terms, types, *array, Cells::Bytes, at, access),
                    Value::Parts(parts) => match self.part(location, local, path).and_then(|part| parts.get(part)) {
                        Some(Part::Scalar(scalar)) => *scalar,
                        Some(Part::Array(array)) => {
                            let cells = Cells::Whole { width: scalar::cell_width(types, location.ty) };
                            access::read(&mut self.terms, types, *array, cells, at, access)
                        }
                        None => scalar::arbitrary(&mut self.terms, types, location.ty, "missing"),
                    },
                }
            }
            Base::Memory(pointer) => match self.region_of(self.current(), location.place) {
                Some(region) => self.load_from(state, region, pointer, access),
                // Nothing is there; the check of the access says so.
                None => scalar::arbitrary(&mut self.terms, types, location.ty, "nowhere"),
            },
        }
    }

    /// A scalar in a region.
    pub(crate) fn load_from(&mut self, state: &State, region: RegionId, pointer: Pointer, access: Access) -> Scalar {
        let (array, cells) = (state.regions[region.index()], self.cells(region));
        let types = &self.program.types;
        let mut result = None;
        // The last case needs no condition: the pointer is one of them.
        for (condition, pointer) in self.cases(pointer).into_iter().rev() {
            let at = pointer.packed(&mut self.terms);
            let value = access::read(&mut self.terms, types, array, cells, at, access);
            result = Some(result.map_or(value, |others| scalar::ite(&mut self.terms, condition, value, others)));
        }
        result.unwrap_or_else(|| scalar::arbitrary(&mut self.terms, types, access.ty, "nowhere"))
    }

    /// A pointer to one of several objects as these, each with the condition under which it is the one; itself if they are too many. At constant
    /// places, memory is as plain as variables are.
    fn cases(&mut self, pointer: Pointer) -> Vec<(Term, Pointer)> {
        let always = self.terms.bool(true);
        let mut open = vec![(always, pointer)];
        let mut cases: Vec<(Term, Pointer)> = Vec::new();
        while let Some((condition, pointer)) = open.pop() {
            let &[choice, yes, no] = self.terms.args(pointer.object) else {
                cases.push((condition, pointer));
                continue;
            };
            if self.terms.op(pointer.object) != logic::Op::Ite {
                cases.push((condition, pointer));
                continue;
            }
            if cases.len() + open.len() >= CASES {
                return vec![(always, pointer)];
            }
            let offsets = match (self.terms.op(pointer.offset), self.terms.args(pointer.offset)) {
                (logic::Op::Ite, &[same, a, b]) if same == choice => (a, b),
                _ => (pointer.offset, pointer.offset),
            };
            let not = self.terms.not(choice);
            let (taken, skipped) = (self.terms.and(condition, choice), self.terms.and(condition, not));
            open.push((skipped, Pointer { object: no, offset: offsets.1 }));
            open.push((taken, Pointer { object: yes, offset: offsets.0 }));
        }
        // Cases of one place are one case.
        let mut merged: Vec<(Term, Pointer)> = Vec::new();
        for (condition, pointer) in cases {
            match merged.iter_mut().find(|(_, known)| *known == pointer) {
                Some((known, _)) => *known = self.terms.or(*known, condition),
                None => merged.push((condition, pointer)),
            }
        }
        merged
    }

    /// Which part of a private variable a location is.
    fn part(&mut self, location: &Location, local: LocalId, path: u64) -> Option<usize> {
        let ty = self.frames.last()?.info.body.locals.get(local)?.ty;
        self.shapes.of(&self.program.types, ty).find(path, location.bit, location.ty)
    }

    /// Writes a scalar to a location.
    pub(crate) fn store(&mut self, state: &mut State, location: &Location, value: Scalar, span: Span) {
        let access = Access { ty: location.ty, bit: location.bit };
        match location.base {
            Base::Private { local, path, offset } => self.store_private(state, location, (local, path, offset), value),
            Base::Memory(pointer) => {
                if let Some(region) = self.region_of(self.current(), location.place) {
                    self.store_to(state, region, pointer, access, value, span);
                }
            }
        }
    }

    fn store_private(&mut self, state: &mut State, location: &Location, (local, path, offset): (LocalId, u64, Term), value: Scalar) {
        let types = &self.program.types;
        let access = Access { ty: location.ty, bit: location.bit };
        let part = self.part(location, local, path);
        let at = self.terms.zero_extend(offset, POINTER);
        let Slot::Private(old, written) = &mut Rc::make_mut(&mut state.slots)[local.index()] else { return };
        match old {
            Value::Scalar(scalar) => *scalar = value,
            Value::Bytes(array) => *array = access::write(&mut self.terms, types, *array, Cells::Bytes, at, access, value),
            Value::Parts(parts) => match part.and_then(|part| Rc::make_mut(parts).get_mut(part)) {
                Some(Part::Scalar(scalar)) => *scalar = value,
                Some(Part::Array(array)) => {
                    let cells = Cells::Whole { width: scalar::cell_width(types, location.ty) };
                    *array = access::write(&mut self.terms, types, *array, cells, at, access, value);
                }
                None => {}
            },
        }
        if let Written::Parts(flags) = written {
            let bytes = types.size_of(location.ty).unwrap_or(1) as u32;
            let whole = matches!(old, Value::Scalar(_));
            let is_bytes = matches!(old, Value::Bytes(_));
            let index = if whole || is_bytes { Some(0) } else { part };
            let Some(flag) = index.and_then(|index| Rc::make_mut(flags).get_mut(index)) else { return };
            if self.terms.sort(*flag) == Sort::Bool {
                *flag = self.terms.bool(true);
            } else {
                let ones = self.terms.ones(1);
                for byte in 0..if is_bytes { bytes } else { 1 } {
                    let byte = self.terms.number(POINTER, u128::from(byte));
                    let index = self.terms.add(at, byte);
                    *flag = self.terms.store(*flag, index, ones);
                }
            }
        }
    }

    /// Writes a scalar to a region.
    pub(crate) fn store_to(&mut self, state: &mut State, region: RegionId, pointer: Pointer, access: Access, value: Scalar, span: Span) {
        let (array, cells) = (state.regions[region.index()], self.cells(region));
        if cells == Cells::Bytes {
            let fits = access::short_pointer_fits(&mut self.terms, &self.program.types, value);
            let lost = self.terms.not(fits);
            self.gap_if(state, lost, "a pointer with a large object number or offset in bytes of a 32-bit program", span);
        }
        let cases = self.cases(pointer);
        let only = cases.len() == 1;
        let types = &self.program.types;
        let mut array = array;
        for (condition, pointer) in cases {
            let at = pointer.packed(&mut self.terms);
            let value = if only {
                value
            } else {
                let old = access::read(&mut self.terms, types, array, cells, at, access);
                scalar::ite(&mut self.terms, condition, value, old)
            };
            array = access::write(&mut self.terms, types, array, cells, at, access, value);
        }
        Rc::make_mut(&mut state.regions)[region.index()] = array;
        if !state.written.is_empty() {
            let bytes = self.program.types.size_of(access.ty).unwrap_or(1);
            self.mark_written(state, region, pointer, bytes as u32);
        }
    }

    /// Some bytes of a region hold a value from now on.
    fn mark_written(&mut self, state: &mut State, region: RegionId, pointer: Pointer, bytes: u32) {
        let count = if self.cells(region) == Cells::Bytes { bytes } else { 1 };
        let one = self.terms.one(1);
        let flags = &mut Rc::make_mut(&mut state.written)[region.index()];
        for byte in 0..count {
            let byte = self.terms.number(OFFSET, u128::from(byte));
            let offset = self.terms.add(pointer.offset, byte);
            let at = Pointer { object: pointer.object, offset }.packed(&mut self.terms);
            *flags = self.terms.store(*flags, at, one);
        }
    }

    /// Whether the scalar at a location holds a value.
    pub(crate) fn initialised(&mut self, state: &State, location: &Location) -> Term {
        let bytes = self.program.types.size_of(location.ty).unwrap_or(1) as u32;
        match location.base {
            Base::Private { local, path, offset } => {
                let part = self.part(location, local, path);
                let Slot::Private(value, Written::Parts(flags)) = &state.slots[local.index()] else { return self.terms.bool(true) };
                let is_bytes = matches!(value, Value::Bytes(_));
                let index = if matches!(value, Value::Parts(_)) { part } else { Some(0) };
                let Some(&flag) = index.and_then(|index| flags.get(index)) else { return self.terms.bool(true) };
                if self.terms.sort(flag) == Sort::Bool {
                    return flag;
                }
                let at = self.terms.zero_extend(offset, POINTER);
                self.all_set(flag, at, if is_bytes { bytes } else { 1 })
            }
            Base::Memory(pointer) => {
                let Some(region) = self.region_of(self.current(), location.place) else { return self.terms.bool(false) };
                let Some(&flags) = state.written.get(region.index()) else { return self.terms.bool(true) };
                let at = pointer.packed(&mut self.terms);
                let count = if self.cells(region) == Cells::Bytes { bytes } else { 1 };
                self.all_set(flags, at, count)
            }
        }
    }

    fn all_set(&mut self, flags: Term, at: Term, count: u32) -> Term {
        let mut all = self.terms.bool(true);
        for byte in 0..count {
            let byte = self.terms.number(POINTER, u128::from(byte));
            let index = self.terms.add(at, byte);
            let bit = self.terms.select(flags, index);
            let set = self.terms.test_bit(bit, 0);
            all = self.terms.and(all, set);
        }
        all
    }

    /// A value that a variable of this type has before anything is written to it: arbitrary.
    pub(crate) fn arbitrary_value(&mut self, ty: TypeId, name: &str) -> Value {
        let types = &self.program.types;
        if types.is_scalar(ty) {
            return Value::Scalar(scalar::arbitrary(&mut self.terms, types, ty, name));
        }
        match &*self.shapes.of(types, ty) {
            Shape::Bytes => Value::Bytes(self.terms.fresh(name, cells_sort(8))),
            Shape::Parts(parts) => {
                let parts = parts.iter().map(|part| match part.indexed {
                    true => Part::Array(self.terms.fresh(name, cells_sort(scalar::cell_width(types, part.ty)))),
                    false => Part::Scalar(scalar::arbitrary(&mut self.terms, types, part.ty, name)),
                });
                Value::Parts(Rc::new(parts.collect()))
            }
        }
    }

    /// That nothing, or everything, of a value of this type was written.
    pub(crate) fn written_value(&mut self, value: &Value, all: bool) -> Written {
        if !self.options.uninitialised {
            return Written::Untracked;
        }
        let flag = self.terms.bool(all);
        let bit = self.terms.bit(flag);
        let bits = self.terms.constant_array(POINTER, bit);
        Written::Parts(Rc::new(match value {
            Value::Scalar(_) => vec![flag],
            Value::Bytes(_) => vec![bits],
            Value::Parts(parts) => parts.iter().map(|part| if matches!(part, Part::Array(_)) { bits } else { flag }).collect(),
        }))
    }

    /// Whether a type is an array or a record.
    pub(crate) fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Array { .. } | Type::Record(_))
    }
}

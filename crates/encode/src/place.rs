//! Places: where a value is, and reading and writing it there.

use std::rc::Rc;

use logic::{Sort, Term};
use model::{LocalId, PlaceId, PlaceKind, Span, Type, TypeId};
use pointers::RegionId;

use crate::access::{self, Access, Cells};
use crate::encoder::{Encoder, Info};
use crate::scalar::{self, OFFSET, POINTER, Pointer, Scalar, moved};
use crate::shape::Shape;
use crate::state::{Content, Flag, Part, Slot, State, Value};

/// Where something is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Location {
    pub(crate) base: Base,
    /// The type of what is there.
    pub(crate) ty: TypeId,
    /// For a bit-field, its lowest bit.
    pub(crate) bit: Option<u8>,
    /// What tells its regions.
    pub(crate) place: Held,
}

/// What is known of a location before any run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Held {
    /// It is this place of the current function.
    Place(PlaceId),
    /// It is this whole variable, which no place need name.
    Variable(pointers::Object),
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
const CASES: usize = 128;

/// The sort of an array of cells.
pub(crate) fn cells_sort(width: u32) -> Sort {
    Sort::Array { index: POINTER, element: width }
}

impl<'p> Encoder<'p> {
    /// Where a place is, given where the place is that it is a part of, and the value of its pointer or index.
    pub(crate) fn location(
        &mut self,
        state: &State,
        info: &Info<'p>,
        place: PlaceId,
        base: Option<Location>,
        operand: Option<(Scalar, TypeId)>,
    ) -> Location {
        let data = &info.body.places[place];
        let types = &self.program.types;
        let at = |base: Base| Location { base, ty: data.ty, bit: None, place: Held::Place(place) };
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
        let (types, bytes) = (&self.program.types, self.byte_cells());
        match location.base {
            Base::Private { local, path, offset } => {
                let Slot::Private(value, _) = &state.slots[local.index()] else {
                    return scalar::arbitrary(&mut self.terms, types, location.ty, "dead");
                };
                let at = self.terms.zero_extend(offset, POINTER);
                match value {
                    Value::Scalar(scalar) => *scalar,
                    Value::Bytes(content) => access::read(&mut self.terms, types, content.array, bytes, at, access),
                    Value::Parts(parts) => match self.part(location, local, path).and_then(|part| parts.get(part)) {
                        Some(Part::Scalar(scalar, _)) => *scalar,
                        Some(Part::Array(content)) => {
                            let cells = Cells::Whole { width: scalar::cell_width(types, location.ty) };
                            access::read(&mut self.terms, types, content.array, cells, at, access)
                        }
                        None => scalar::arbitrary(&mut self.terms, types, location.ty, "missing"),
                    },
                }
            }
            Base::Memory(pointer) => match self.scalar_region(location) {
                Some(region) => self.load_from(state, region, pointer, access),
                // Nothing is there; the check of the access says so.
                None => scalar::arbitrary(&mut self.terms, types, location.ty, "nowhere"),
            },
        }
    }

    /// That there is a pointer at a location, or null, rather than a number that may be the address of anything.
    pub(crate) fn holds_pointer(&mut self, state: &State, location: &Location) -> Option<Term> {
        let Base::Memory(pointer) = location.base else { return Some(self.terms.bool(true)) };
        let region = self.scalar_region(location)?;
        let (array, cells, at) = (state.regions[region.index()], self.cells(region), pointer.packed(&mut self.terms));
        Some(access::holds_pointer(&mut self.terms, &self.program.types, array, cells, at))
    }

    /// The region of a scalar.
    fn scalar_region(&mut self, location: &Location) -> Option<RegionId> {
        match location.place {
            Held::Place(place) => self.region_of(self.current(), place),
            Held::Variable(object) => self.regions.of_cell(object, 0, 1),
        }
    }

    /// A scalar in a region.
    pub(crate) fn load_from(&mut self, state: &State, region: RegionId, pointer: Pointer, access: Access) -> Scalar {
        let (array, cells) = (state.regions[region.index()], self.cells(region));
        let types = &self.program.types;
        let mut result = None;
        // The last case needs no condition: the pointer is one of them.
        for (condition, pointer) in self.cases(state, pointer).into_iter().rev() {
            let at = pointer.packed(&mut self.terms);
            let value = access::read(&mut self.terms, types, array, cells, at, access);
            result = Some(result.map_or(value, |others| scalar::ite(&mut self.terms, condition, value, others)));
        }
        match result {
            Some(Scalar::Pointer(pointer)) => Scalar::Pointer(self.pointer_under(state, pointer)),
            Some(Scalar::Term(term)) => Scalar::Term(self.terms.under(state.guard, term)),
            None => scalar::arbitrary(&mut self.terms, types, access.ty, "nowhere"),
        }
    }

    /// A pointer to one of several objects as these, each with the condition under which it is the one; itself if they are too many. At constant
    /// places, memory is as plain as variables are.
    fn cases(&mut self, state: &State, pointer: Pointer) -> Vec<(Term, Pointer)> {
        let always = self.terms.bool(true);
        let whole = self.pointer_under(state, pointer);
        let mut open = vec![(always, whole)];
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
                return vec![(always, whole)];
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

    /// A pointer as it is on the paths that lead here.
    fn pointer_under(&self, state: &State, pointer: Pointer) -> Pointer {
        Pointer { object: self.terms.under(state.guard, pointer.object), offset: self.terms.under(state.guard, pointer.offset) }
    }

    /// Which part of a private variable a location is.
    fn part(&mut self, location: &Location, local: LocalId, path: u64) -> Option<usize> {
        let ty = self.frames.last()?.info.body.locals.get(local)?.ty;
        self.shapes.of(&self.program.types, ty).find(path, location.bit, location.ty)
    }

    /// Writes a scalar to a location.
    pub(crate) fn store(&mut self, state: &mut State, location: &Location, value: (Scalar, Flag), span: Span) {
        let access = Access { ty: location.ty, bit: location.bit };
        match location.base {
            Base::Private { local, path, offset } => self.store_private(state, location, (local, path, offset), value),
            Base::Memory(pointer) => {
                if let Some(region) = self.scalar_region(location) {
                    self.store_to(state, region, pointer, access, value, span);
                }
            }
        }
    }

    fn store_private(
        &mut self,
        state: &mut State,
        location: &Location,
        (local, path, offset): (LocalId, u64, Term),
        (value, flag): (Scalar, Flag),
    ) {
        let types = &self.program.types;
        let access = Access { ty: location.ty, bit: location.bit };
        let part = self.part(location, local, path);
        let at = self.terms.zero_extend(offset, POINTER);
        let bytes = self.byte_cells();
        let held = flag.or_else(|| self.flag(true));
        let Slot::Private(old, flag) = &mut Rc::make_mut(&mut state.slots)[local.index()] else { return };
        match old {
            Value::Scalar(scalar) => (*scalar, *flag) = (value, held),
            Value::Bytes(content) => *content = access::write_marked(&mut self.terms, types, *content, bytes, at, access, (value, held)),
            Value::Parts(parts) => match part.and_then(|part| Rc::make_mut(parts).get_mut(part)) {
                Some(part @ Part::Scalar(..)) => *part = Part::Scalar(value, held),
                Some(Part::Array(content)) => {
                    let cells = Cells::Whole { width: scalar::cell_width(types, location.ty) };
                    *content = access::write_marked(&mut self.terms, types, *content, cells, at, access, (value, held));
                }
                None => {}
            },
        }
    }

    /// Writes a scalar to a region.
    pub(crate) fn store_to(
        &mut self,
        state: &mut State,
        region: RegionId,
        pointer: Pointer,
        access: Access,
        value: (Scalar, Flag),
        span: Span,
    ) {
        let (value, flag) = value;
        let (array, cells) = (state.regions[region.index()], self.cells(region));
        if cells.is_bytes() {
            let fits = access::short_pointer_fits(&mut self.terms, &self.program.types, value);
            let lost = self.terms.not(fits);
            self.gap_if(state, lost, "a pointer with a large object number or offset in bytes of a 32-bit program", span);
        }
        // Reading marked cells as numbers would forget what they hold, so they are written at once.
        let cases = if cells == cells.plain() { self.cases(state, pointer) } else { vec![(self.terms.bool(true), pointer)] };
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
        if let Some(&shadow) = state.written.get(region.index()) {
            let (at, flag) = (pointer.packed(&mut self.terms), flag.unwrap_or_else(|| self.terms.bool(true)));
            let shadow = access::mark(&mut self.terms, types, shadow, cells, at, access, flag);
            Rc::make_mut(&mut state.written)[region.index()] = shadow;
        }
    }

    /// Whether the scalar at a location holds a value.
    pub(crate) fn initialised(&mut self, state: &State, location: &Location) -> Term {
        let access = Access { ty: location.ty, bit: location.bit };
        let types = &self.program.types;
        let found = match location.base {
            Base::Private { local, path, offset } => {
                let part = self.part(location, local, path);
                let at = self.terms.zero_extend(offset, POINTER);
                let Slot::Private(value, flag) = &state.slots[local.index()] else { return self.terms.bool(true) };
                match value {
                    Value::Scalar(_) => return flag.unwrap_or_else(|| self.terms.bool(true)),
                    Value::Bytes(content) => content.shadow.map(|shadow| (shadow, Cells::Bytes, at)),
                    Value::Parts(parts) => match part.and_then(|part| parts.get(part)) {
                        Some(Part::Scalar(_, flag)) => return flag.unwrap_or_else(|| self.terms.bool(true)),
                        Some(Part::Array(content)) => {
                            content.shadow.map(|shadow| (shadow, Cells::Whole { width: scalar::cell_width(types, location.ty) }, at))
                        }
                        None => return self.terms.bool(false),
                    },
                }
            }
            Base::Memory(pointer) => {
                let Some(region) = self.scalar_region(location) else { return self.terms.bool(false) };
                let at = pointer.packed(&mut self.terms);
                state.written.get(region.index()).map(|&shadow| (shadow, self.cells(region), at))
            }
        };
        match found {
            Some((shadow, cells, at)) => access::is_marked(&mut self.terms, types, shadow, cells, at, access),
            None => self.terms.bool(true),
        }
    }

    /// An arbitrary value. A variable to which nothing was written does not hold it, as far as that is kept.
    pub(crate) fn arbitrary_value(&mut self, ty: TypeId, name: &str, holds: bool) -> Value {
        let types = &self.program.types;
        if types.is_scalar(ty) {
            return Value::Scalar(scalar::arbitrary(&mut self.terms, types, ty, name));
        }
        let flag = self.flag(holds);
        match &*self.shapes.of(types, ty) {
            Shape::Bytes => Value::Bytes(self.arbitrary_content(self.byte_cells(), name, holds)),
            Shape::Parts(parts) => {
                let parts = parts.iter().map(|part| match part.indexed {
                    true => Part::Array(self.arbitrary_content(Cells::Whole { width: scalar::cell_width(types, part.ty) }, name, holds)),
                    false => Part::Scalar(scalar::arbitrary(&mut self.terms, types, part.ty, name), flag),
                });
                Value::Parts(Rc::new(parts.collect()))
            }
        }
    }

    /// Arbitrary cells.
    pub(crate) fn arbitrary_content(&mut self, cells: Cells, name: &str, holds: bool) -> Content {
        let array = self.terms.fresh(name, cells_sort(cells.width()));
        Content { array, shadow: self.shadow(cells, holds) }
    }
    /// That a scalar holds a value, or not.
    pub(crate) fn flag(&mut self, holds: bool) -> Flag {
        self.options.uninitialised.then(|| self.terms.bool(holds))
    }
    /// That all cells of an array hold values, or none.
    pub(crate) fn shadow(&mut self, cells: Cells, all: bool) -> Option<Term> {
        self.options.uninitialised.then(|| {
            let width = cells.plain().width();
            let bits = if all { self.terms.ones(width) } else { self.terms.zero(width) };
            self.terms.constant_array(POINTER, bits)
        })
    }

    /// Whether a type is an array or a record.
    pub(crate) fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Array { .. } | Type::Record(_))
    }
}

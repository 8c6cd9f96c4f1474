//! Records and arrays as values: copying them part by part.

use std::rc::Rc;

use logic::{Sort, Term};
use model::{PlaceId, Span, Type, TypeId, Types};
use pointers::RegionId;

use crate::access::{self, Access, Cells};
use crate::encoder::Encoder;
use crate::place::{Base, Location, cells_sort};
use crate::scalar::{self, POINTER, Pointer, moved};
use crate::shape::Shape;
use crate::state::{Part, Slot, State, Value, Written};

/// A copy goes scalar by scalar only up to this many.
const MOST_SCALARS: usize = 1024;

/// All scalars in a type with their offsets and bit positions, arrays written out; `None` if there are too many or the type is incomplete.
fn scalars(types: &Types, ty: TypeId) -> Option<Vec<(u64, Access)>> {
    let mut found = Vec::new();
    let mut open = vec![(ty, 0u64)];
    while let Some((ty, offset)) = open.pop() {
        match types.get(ty) {
            Type::Array { elem, len } => {
                let size = types.size_of(*elem)?;
                let len = len.filter(|len| *len <= MOST_SCALARS as u64)?;
                open.extend((0..len).map(|index| (*elem, offset + index * size)));
            }
            Type::Record(record) => {
                for field in &types.record(*record).layout.as_ref()?.fields {
                    match field.bit {
                        Some(_) => found.push((offset + field.offset, Access { ty: field.ty, bit: field.bit })),
                        None if types.size_of(field.ty).is_none() => {}
                        None => open.push((field.ty, offset + field.offset)),
                    }
                }
            }
            _ => found.push((offset, Access { ty, bit: None })),
        }
        if found.len() + open.len() > MOST_SCALARS {
            return None;
        }
    }
    found.sort_by_key(|(offset, access)| (*offset, access.bit));
    Some(found)
}

/// Where the cells of an aggregate are: an array of cells and the index of the aggregate's start.
#[derive(Clone, Copy)]
struct Place {
    array: Term,
    cells: Cells,
    start: Term,
}

impl<'p> Encoder<'p> {
    /// The aggregate whose bytes are all zero; the zero of a scalar type.
    pub(crate) fn zero_value(&mut self, ty: TypeId) -> Value {
        let types = &self.program.types;
        if types.is_scalar(ty) {
            return Value::Scalar(self.zero_scalar(ty));
        }
        let zeros = |encoder: &mut Self, width| {
            let zero = encoder.terms.zero(width);
            encoder.terms.constant_array(POINTER, zero)
        };
        match &*self.shapes.of(types, ty) {
            Shape::Bytes => Value::Bytes(zeros(self, 8)),
            Shape::Parts(parts) => {
                let mut values = Vec::with_capacity(parts.len());
                for part in parts {
                    values.push(match part.indexed {
                        true => Part::Array(zeros(self, scalar::cell_width(types, part.ty))),
                        false => Part::Scalar(scalar::zero(&mut self.terms, types, part.ty)),
                    });
                }
                Value::Parts(Rc::new(values))
            }
        }
    }

    /// The record or array at a location.
    pub(crate) fn load_aggregate(&mut self, state: &mut State, location: &Location, span: Span) -> Value {
        if let Base::Private { local, path: 0, .. } = location.base
            && let Slot::Private(value, _) = &state.slots[local.index()]
            && self.frames.last().is_some_and(|frame| frame.info.body.locals[local].ty == location.ty)
        {
            return value.clone();
        }
        let types = &self.program.types;
        let shape = self.shapes.of(types, location.ty);
        let zero = self.terms.zero(POINTER);
        match &*shape {
            Shape::Parts(parts) => {
                let mut values = Vec::with_capacity(parts.len());
                for part in parts {
                    let source = self.source(state, location, part.offset, Access { ty: part.ty, bit: part.bit });
                    values.push(match (source, part.indexed) {
                        (Some(Source::Scalar(scalar)), _) => Part::Scalar(scalar),
                        (Some(Source::Cells(place)), false) => {
                            let at = self.index_at(place.start, part.offset);
                            Part::Scalar(access::read(&mut self.terms, types, place.array, place.cells, at, Access { ty: part.ty, bit: part.bit }))
                        }
                        (Some(Source::Cells(place)), true) => {
                            let cells = Cells::Whole { width: scalar::cell_width(types, part.ty) };
                            let fresh = self.terms.fresh("part", cells_sort(cells.width()));
                            let to = Place { array: fresh, cells, start: zero };
                            Part::Array(self.copied(state, to, place, location.ty, span))
                        }
                        (None, true) => Part::Array(self.terms.fresh("part", cells_sort(scalar::cell_width(types, part.ty)))),
                        (None, false) => Part::Scalar(scalar::arbitrary(&mut self.terms, types, part.ty, "part")),
                    });
                }
                Value::Parts(Rc::new(values))
            }
            Shape::Bytes => {
                let mut array = self.terms.fresh("bytes", cells_sort(8));
                for place in self.all_cells(state, location) {
                    let to = Place { array, cells: Cells::Bytes, start: zero };
                    array = self.copied_into(state, to, place, location, span);
                }
                Value::Bytes(array)
            }
        }
    }

    /// Writes a record or array to a location.
    pub(crate) fn store_aggregate(&mut self, state: &mut State, location: &Location, value: &Value, span: Span) {
        let types = &self.program.types;
        if let Base::Private { local, path, offset } = location.base {
            let whole = path == 0 && self.frames.last().is_some_and(|frame| frame.info.body.locals[local].ty == location.ty);
            if whole {
                let written = self.written_value(value, true);
                if let Slot::Private(old, flags) = &mut Rc::make_mut(&mut state.slots)[local.index()] {
                    *old = value.clone();
                    *flags = written;
                }
                return;
            }
            let zero = self.terms.zero_extend(offset, POINTER);
            return self.store_private_part(state, location, (local, path, zero), value, span);
        }
        let Base::Memory(pointer) = location.base else { return };
        let shape = self.shapes.of(types, location.ty);
        let zero = self.terms.zero(POINTER);
        match (&*shape, value) {
            (Shape::Parts(parts), Value::Parts(values)) => {
                for (part, value) in parts.iter().zip(values.iter()) {
                    let access = Access { ty: part.ty, bit: part.bit };
                    let Some(region) = self.leaf_region(location.place, part.offset) else { continue };
                    match *value {
                        Part::Scalar(scalar) => {
                            let offset = self.terms.number(64, u128::from(part.offset));
                            let offset = moved(&mut self.terms, pointer.offset, offset, false, 1);
                            self.store_to(state, region, Pointer { object: pointer.object, offset }, access, scalar, span);
                        }
                        Part::Array(array) => {
                            let from = Place { array, cells: Cells::Whole { width: scalar::cell_width(types, part.ty) }, start: zero };
                            let to = self.region_place(state, region, pointer);
                            let result = self.copied(state, to, from, location.ty, span);
                            Rc::make_mut(&mut state.regions)[region.index()] = result;
                        }
                    }
                }
                self.mark_range(state, location, pointer);
            }
            (_, Value::Bytes(array)) => {
                let from = Place { array: *array, cells: Cells::Bytes, start: zero };
                for region in self.leaf_regions(location.place) {
                    let to = self.region_place(state, region, pointer);
                    let only = |encoder: &mut Self, offset: u64| encoder.leaf_region(location.place, offset) == Some(region);
                    let result = self.converted(state, to, from, location.ty, only, span);
                    Rc::make_mut(&mut state.regions)[region.index()] = result;
                }
                self.mark_range(state, location, pointer);
            }
            _ => self.gap(state, "an aggregate of another shape", span),
        }
    }

    /// All bytes of an aggregate in memory hold values.
    fn mark_range(&mut self, state: &mut State, location: &Location, pointer: Pointer) {
        if state.written.is_empty() {
            return;
        }
        let size = self.program.types.size_of(location.ty).unwrap_or(0);
        let count = self.terms.number(POINTER, u128::from(size));
        for region in self.leaf_regions(location.place) {
            self.mark_bytes(state, region, pointer, count);
        }
    }

    /// That many bytes of a region hold values from now on.
    pub(crate) fn mark_bytes(&mut self, state: &mut State, region: RegionId, pointer: Pointer, count: Term) {
        if state.written.is_empty() {
            return;
        }
        let at = pointer.packed(&mut self.terms);
        let one = self.terms.one(1);
        let ones = self.terms.constant_array(POINTER, one);
        let flags = state.written[region.index()];
        let marked = self.terms.copy(flags, at, ones, at, count);
        Rc::make_mut(&mut state.written)[region.index()] = marked;
    }

    fn store_private_part(&mut self, state: &mut State, location: &Location, (local, path, start): (model::LocalId, u64, Term), value: &Value, span: Span) {
        let types = &self.program.types;
        let Some(ty) = self.frames.last().map(|frame| frame.info.body.locals[local].ty) else { return };
        let (outer, inner) = (self.shapes.of(types, ty), self.shapes.of(types, location.ty));
        let Slot::Private(old, mut flags) = state.slots[local.index()].clone() else { return };
        let zero = self.terms.zero(POINTER);
        let new = match (old, value, &*inner) {
            (Value::Parts(parts), Value::Parts(values), Shape::Parts(layout)) => {
                let mut parts = parts.as_ref().clone();
                for (part, value) in layout.iter().zip(values.iter()) {
                    let Some(position) = outer.find(path + part.offset, part.bit, part.ty) else { continue };
                    let access = Access { ty: part.ty, bit: part.bit };
                    let cells = Cells::Whole { width: scalar::cell_width(types, part.ty) };
                    let at = self.index_at(start, part.offset);
                    match (&mut parts[position], *value) {
                        (Part::Scalar(scalar), Part::Scalar(new)) => *scalar = new,
                        (Part::Array(array), Part::Scalar(new)) => {
                            *array = access::write(&mut self.terms, types, *array, cells, at, access, new);
                        }
                        (Part::Array(array), Part::Array(new)) => {
                            let (to, from) = (Place { array: *array, cells, start }, Place { array: new, cells, start: zero });
                            *array = self.copied(state, to, from, location.ty, span);
                        }
                        _ => {}
                    }
                    if let Written::Parts(flags) = &mut flags {
                        let flag = &mut Rc::make_mut(flags)[position];
                        if self.terms.sort(*flag) == Sort::Bool {
                            *flag = self.terms.bool(true);
                        } else {
                            let one = self.terms.one(1);
                            let ones = self.terms.constant_array(POINTER, one);
                            let count = self.terms.number(POINTER, u128::from(types.size_of(location.ty).unwrap_or(1)));
                            *flag = self.terms.copy(*flag, start, ones, start, count);
                        }
                    }
                }
                Value::Parts(Rc::new(parts))
            }
            (Value::Bytes(array), value, _) => {
                let mut to = Place { array, cells: Cells::Bytes, start };
                match (value, &*inner) {
                    (Value::Bytes(new), _) => {
                        let from = Place { array: *new, cells: Cells::Bytes, start: zero };
                        to.array = self.copied(state, to, from, location.ty, span);
                    }
                    (Value::Parts(values), Shape::Parts(layout)) => {
                        for (part, value) in layout.iter().zip(values.iter()) {
                            let at = self.index_at(start, part.offset);
                            to.array = match *value {
                                Part::Scalar(new) => {
                                    access::write(&mut self.terms, types, to.array, Cells::Bytes, at, Access { ty: part.ty, bit: part.bit }, new)
                                }
                                Part::Array(new) => {
                                    let from = Place { array: new, cells: Cells::Whole { width: scalar::cell_width(types, part.ty) }, start: zero };
                                    self.copied(state, to, from, location.ty, span)
                                }
                            };
                        }
                    }
                    _ => {}
                }
                if let Written::Parts(flags) = &mut flags {
                    let one = self.terms.one(1);
                    let ones = self.terms.constant_array(POINTER, one);
                    let count = self.terms.number(POINTER, u128::from(types.size_of(location.ty).unwrap_or(1)));
                    let flag = &mut Rc::make_mut(flags)[0];
                    *flag = self.terms.copy(*flag, start, ones, start, count);
                }
                Value::Bytes(to.array)
            }
            (old, ..) => old,
        };
        Rc::make_mut(&mut state.slots)[local.index()] = Slot::Private(new, flags);
    }

    /// The index some bytes behind another.
    fn index_at(&mut self, start: Term, bytes: u64) -> Term {
        let bytes = self.terms.number(POINTER, u128::from(bytes));
        self.terms.add(start, bytes)
    }

    /// The region of the scalar at this offset in a place.
    fn leaf_region(&mut self, place: PlaceId, offset: u64) -> Option<RegionId> {
        let leaves = self.place_leaves(place);
        let offset = i64::try_from(offset).ok()?;
        leaves.iter().find(|(leaf, _)| leaf.offsets.has(offset)).and_then(|(_, region)| *region)
    }
    fn leaf_regions(&mut self, place: PlaceId) -> Vec<RegionId> {
        let mut regions: Vec<RegionId> = self.place_leaves(place).iter().filter_map(|(_, region)| *region).collect();
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    fn region_place(&mut self, state: &State, region: RegionId, pointer: Pointer) -> Place {
        Place { array: state.regions[region.index()], cells: self.cells(region), start: pointer.packed(&mut self.terms) }
    }

    /// Where a part of an aggregate comes from.
    fn source(&mut self, state: &State, location: &Location, offset: u64, access: Access) -> Option<Source> {
        let types = &self.program.types;
        match location.base {
            Base::Memory(pointer) => {
                let region = self.leaf_region(location.place, offset)?;
                Some(Source::Cells(self.region_place(state, region, pointer)))
            }
            Base::Private { local, path, offset: at } => {
                let ty = self.frames.last()?.info.body.locals[local].ty;
                let outer = self.shapes.of(types, ty);
                let start = self.terms.zero_extend(at, POINTER);
                let Slot::Private(value, _) = &state.slots[local.index()] else { return None };
                match value {
                    Value::Scalar(scalar) => Some(Source::Scalar(*scalar)),
                    Value::Bytes(array) => Some(Source::Cells(Place { array: *array, cells: Cells::Bytes, start })),
                    Value::Parts(parts) => match parts.get(outer.find(path + offset, access.bit, access.ty)?)? {
                        Part::Scalar(scalar) => Some(Source::Scalar(*scalar)),
                        Part::Array(array) => {
                            let cells = Cells::Whole { width: scalar::cell_width(types, access.ty) };
                            Some(Source::Cells(Place { array: *array, cells, start }))
                        }
                    },
                }
            }
        }
    }

    /// All arrays that hold parts of an aggregate of bytes.
    fn all_cells(&mut self, state: &State, location: &Location) -> Vec<(Option<RegionId>, Place)> {
        match location.base {
            Base::Memory(pointer) => {
                let regions = self.leaf_regions(location.place);
                regions.into_iter().map(|region| (Some(region), self.region_place(state, region, pointer))).collect()
            }
            Base::Private { local, offset, .. } => match &state.slots[local.index()] {
                Slot::Private(Value::Bytes(array), _) => {
                    let start = self.terms.zero_extend(offset, POINTER);
                    vec![(None, Place { array: *array, cells: Cells::Bytes, start })]
                }
                _ => Vec::new(),
            },
        }
    }

    fn copied_into(&mut self, state: &mut State, to: Place, (region, from): (Option<RegionId>, Place), location: &Location, span: Span) -> Term {
        let only = |encoder: &mut Self, offset: u64| region.is_none() || encoder.leaf_region(location.place, offset) == region;
        self.converted(state, to, from, location.ty, only, span)
    }

    /// The array `to` after the scalars of a type were copied to it.
    fn copied(&mut self, state: &mut State, to: Place, from: Place, ty: TypeId, span: Span) -> Term {
        self.converted(state, to, from, ty, |_, _| true, span)
    }

    /// The array `to` after those scalars of a type that `only` selects were copied. Equal cells are copied as a range, whatever its length; the
    /// range may take other cells along, but only such as belong to the same aggregate, which is copied as a whole.
    fn converted(&mut self, state: &mut State, to: Place, from: Place, ty: TypeId, only: impl Fn(&mut Self, u64) -> bool, span: Span) -> Term {
        let types = &self.program.types;
        if to.cells == from.cells {
            let size = types.size_of(ty).unwrap_or(0);
            let count = self.terms.number(POINTER, u128::from(size));
            return self.terms.copy(to.array, to.start, from.array, from.start, count);
        }
        let Some(scalars) = scalars(types, ty) else {
            self.gap(state, "a large aggregate copied between memory of different layout", span);
            return to.array;
        };
        let mut array = to.array;
        for (offset, access) in scalars {
            let width = scalar::cell_width(types, access.ty);
            let fits = |cells: Cells| cells == Cells::Bytes || access.bit.is_some() || cells.width() == width;
            if !fits(to.cells) || !fits(from.cells) || !only(self, offset) {
                continue;
            }
            let (source, target) = (self.index_at(from.start, offset), self.index_at(to.start, offset));
            let value = access::read(&mut self.terms, types, from.array, from.cells, source, access);
            array = access::write(&mut self.terms, types, array, to.cells, target, access, value);
        }
        array
    }

    /// The scalars of a place in memory and their regions, found once.
    fn place_leaves(&mut self, place: PlaceId) -> Rc<Vec<(pointers::Leaf, Option<RegionId>)>> {
        let function = self.current();
        if let Some(leaves) = self.leaves.get(&(function, place)) {
            return leaves.clone();
        }
        let leaves = Rc::new(self.regions.leaves_of(self.analysis, function, place));
        self.leaves.insert((function, place), leaves.clone());
        leaves
    }
}

/// Where a part of an aggregate is.
enum Source {
    Scalar(crate::scalar::Scalar),
    Cells(Place),
}

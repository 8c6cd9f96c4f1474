//! Records and arrays as values: copying them part by part.

use std::rc::Rc;

use logic::Term;
use model::{PlaceId, Span, Type, TypeId, Types};
use pointers::RegionId;

use crate::access::{self, Access, Cells};
use crate::encoder::{Encoder, Leaves};
use crate::place::{Base, Held, Location};
use crate::scalar::{self, POINTER, Pointer, moved};
use crate::shape::{self, Shape};
use crate::state::{Content, Part, Slot, State, Value};

/// A copy goes scalar by scalar only up to this many.
const MOST_SCALARS: usize = 1024;

/// A scalar in a type.
#[derive(Clone, Copy)]
struct Element {
    offset: u64,
    /// Its offset with all indices 0, as parts have it.
    first: u64,
    access: Access,
}

/// All scalars in a type, arrays written out; `None` if there are too many or the type is incomplete.
fn elements(types: &Types, ty: TypeId) -> Option<Vec<Element>> {
    let mut found = Vec::new();
    let mut open = vec![(ty, 0u64, 0u64)];
    while let Some((ty, offset, first)) = open.pop() {
        match types.get(ty) {
            Type::Array { elem, len } => {
                let size = types.size_of(*elem)?;
                let len = len.filter(|len| *len <= MOST_SCALARS as u64)?;
                open.extend((0..len).map(|index| (*elem, offset + index * size, first)));
            }
            Type::Record(record) => {
                for field in &types.record(*record).layout.as_ref()?.fields {
                    let (offset, first) = (offset + field.offset, first + field.offset);
                    match field.bit {
                        Some(_) => found.push(Element { offset, first, access: Access { ty: field.ty, bit: field.bit } }),
                        None if types.size_of(field.ty).is_none() => {}
                        None => open.push((field.ty, offset, first)),
                    }
                }
            }
            _ => found.push(Element { offset, first, access: Access { ty, bit: None } }),
        }
        if found.len() + open.len() > MOST_SCALARS {
            return None;
        }
    }
    found.sort_by_key(|element| (element.offset, element.access.bit));
    Some(found)
}

/// Where the cells of an aggregate are: an array of cells and the index of the aggregate's start.
#[derive(Clone, Copy)]
struct Place {
    content: Content,
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
        let zeros = |encoder: &mut Self, cells: Cells| {
            let zero = encoder.terms.zero(cells.width());
            Content { array: encoder.terms.constant_array(POINTER, zero), shadow: encoder.shadow(cells, true) }
        };
        match &*self.shapes.of(types, ty) {
            Shape::Bytes => Value::Bytes(zeros(self, self.byte_cells())),
            Shape::Parts(parts) => {
                let mut values = Vec::with_capacity(parts.len());
                for part in parts {
                    values.push(match part.indexed {
                        true => Part::Array(zeros(self, Cells::Whole { width: scalar::cell_width(types, part.ty) })),
                        false => Part::Scalar(scalar::zero(&mut self.terms, types, part.ty), self.flag(true)),
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
                    let access = Access { ty: part.ty, bit: part.bit };
                    let cells = Cells::Whole { width: scalar::cell_width(types, part.ty) };
                    values.push(match (source, part.indexed) {
                        (Some(Source::Part(part)), _) => part,
                        (Some(Source::Cells(place)), false) => {
                            let at = self.index_at(place.start, part.offset);
                            let (scalar, flag) = access::read_marked(&mut self.terms, types, place.content, place.cells, at, access);
                            Part::Scalar(scalar, flag)
                        }
                        (Some(Source::Cells(place)), true) => {
                            let to = Place { content: self.arbitrary_content(cells, "part", false), cells, start: zero };
                            Part::Array(self.copied_part(state, to, place, location.ty, part, span))
                        }
                        (None, true) => Part::Array(self.arbitrary_content(cells, "part", false)),
                        (None, false) => Part::Scalar(scalar::arbitrary(&mut self.terms, types, part.ty, "part"), self.flag(false)),
                    });
                }
                Value::Parts(Rc::new(values))
            }
            Shape::Bytes => {
                let mut content = self.arbitrary_content(self.byte_cells(), "bytes", false);
                let sources = self.all_cells(state, location);
                let alone = sources.len() == 1;
                for (region, from) in sources {
                    let to = Place { content, cells: self.byte_cells(), start: zero };
                    content = if alone {
                        self.copied(state, to, from, location.ty, span)
                    } else {
                        let only = |encoder: &mut Self, element: &Element| encoder.leaf_region(location, element.offset) == region;
                        self.converted(state, to, from, location.ty, only, span)
                    };
                }
                Value::Bytes(content)
            }
        }
    }

    /// Writes a record or array to a location.
    pub(crate) fn store_aggregate(&mut self, state: &mut State, location: &Location, value: &Value, span: Span) {
        let types = &self.program.types;
        if let Base::Private { local, path, offset } = location.base {
            let whole = path == 0 && self.frames.last().is_some_and(|frame| frame.info.body.locals[local].ty == location.ty);
            if whole {
                if let Slot::Private(old, _) = &mut Rc::make_mut(&mut state.slots)[local.index()] {
                    *old = value.clone();
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
                    let Some(region) = self.leaf_region(location, part.offset) else { continue };
                    match *value {
                        Part::Scalar(scalar, flag) => {
                            let offset = self.terms.number(64, u128::from(part.offset));
                            let offset = moved(&mut self.terms, pointer.offset, offset, false, 1);
                            self.store_to(state, region, Pointer { object: pointer.object, offset }, access, (scalar, flag), span);
                        }
                        Part::Array(content) => {
                            let from = Place { content, cells: Cells::Whole { width: scalar::cell_width(types, part.ty) }, start: zero };
                            let to = self.region_place(state, region, pointer);
                            let mixed = parts.iter().any(|other| {
                                other != part && other.interleaves(part) && self.leaf_region(location, other.offset) == Some(region)
                            });
                            let result = if mixed {
                                self.converted(state, to, from, location.ty, |_, element| is_of(element, part), span)
                            } else {
                                self.copied_part(state, to, from, location.ty, part, span)
                            };
                            state.set_content(region, result);
                        }
                    }
                }
            }
            (_, Value::Bytes(content)) => {
                let from = Place { content: *content, cells: self.byte_cells(), start: zero };
                for region in self.leaf_regions(location) {
                    let to = self.region_place(state, region, pointer);
                    let result = if to.cells == from.cells {
                        // Bytes that the region does not hold are of no account there.
                        self.copied(state, to, from, location.ty, span)
                    } else {
                        let only = |encoder: &mut Self, element: &Element| encoder.leaf_region(location, element.offset) == Some(region);
                        self.converted(state, to, from, location.ty, only, span)
                    };
                    state.set_content(region, result);
                }
            }
            _ => self.gap(state, "an aggregate of another shape", span),
        }
    }

    /// That many bytes of a region hold values from now on.
    pub(crate) fn mark_bytes(&mut self, state: &mut State, region: RegionId, pointer: Pointer, count: Term) {
        let cells = self.cells(region);
        if let (Some(&shadow), Some(ones)) = (state.written.get(region.index()), self.shadow(cells, true)) {
            let at = pointer.packed(&mut self.terms);
            let marked = self.terms.copy(shadow, at, ones, at, count);
            Rc::make_mut(&mut state.written)[region.index()] = marked;
        }
    }

    fn store_private_part(
        &mut self,
        state: &mut State,
        location: &Location,
        (local, path, start): (model::LocalId, u64, Term),
        value: &Value,
        span: Span,
    ) {
        let types = &self.program.types;
        let Some(ty) = self.frames.last().map(|frame| frame.info.body.locals[local].ty) else { return };
        let (outer, inner) = (self.shapes.of(types, ty), self.shapes.of(types, location.ty));
        let Slot::Private(old, flag) = state.slots[local.index()].clone() else { return };
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
                        (Part::Array(content), Part::Scalar(new, flag)) => {
                            *content = access::write_marked(&mut self.terms, types, *content, cells, at, access, (new, flag));
                        }
                        (Part::Array(content), Part::Array(new)) => {
                            let (to, from) = (Place { content: *content, cells, start }, Place { content: new, cells, start: zero });
                            *content = self.copied_part(state, to, from, location.ty, part, span);
                        }
                        (old, new) => *old = new,
                    }
                }
                Value::Parts(Rc::new(parts))
            }
            (Value::Bytes(content), value, _) => {
                let mut to = Place { content, cells: self.byte_cells(), start };
                match (value, &*inner) {
                    (Value::Bytes(new), _) => {
                        let from = Place { content: *new, cells: self.byte_cells(), start: zero };
                        to.content = self.copied(state, to, from, location.ty, span);
                    }
                    (Value::Parts(values), Shape::Parts(layout)) => {
                        for (part, value) in layout.iter().zip(values.iter()) {
                            let at = self.index_at(start, part.offset);
                            let access = Access { ty: part.ty, bit: part.bit };
                            to.content = match *value {
                                Part::Scalar(new, flag) => {
                                    access::write_marked(&mut self.terms, types, to.content, to.cells, at, access, (new, flag))
                                }
                                Part::Array(new) => {
                                    let from = Place {
                                        content: new,
                                        cells: Cells::Whole { width: scalar::cell_width(types, part.ty) },
                                        start: zero,
                                    };
                                    self.converted(state, to, from, location.ty, |_, element| is_of(element, part), span)
                                }
                            };
                        }
                    }
                    _ => {}
                }
                Value::Bytes(to.content)
            }
            (old, ..) => old,
        };
        Rc::make_mut(&mut state.slots)[local.index()] = Slot::Private(new, flag);
    }

    /// The index some bytes behind another.
    fn index_at(&mut self, start: Term, bytes: u64) -> Term {
        let bytes = self.terms.number(POINTER, u128::from(bytes));
        self.terms.add(start, bytes)
    }

    /// The region of the scalar at this offset in a location.
    fn leaf_region(&mut self, location: &Location, offset: u64) -> Option<RegionId> {
        let offset = i64::try_from(offset).ok()?;
        match location.place {
            Held::Place(place) => {
                let leaves = self.place_leaves(place);
                leaves.iter().find(|(leaf, _)| leaf.offsets.has(offset)).and_then(|(_, region)| *region)
            }
            Held::Variable(object) => self.regions.of_cell(object, offset, 1),
        }
    }
    fn leaf_regions(&mut self, location: &Location) -> Vec<RegionId> {
        let mut regions: Vec<RegionId> = match location.place {
            Held::Place(place) => self.place_leaves(place).iter().filter_map(|(_, region)| *region).collect(),
            Held::Variable(object) => self.regions.cells_of(object).iter().map(|(_, region)| *region).collect(),
        };
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    fn region_place(&mut self, state: &State, region: RegionId, pointer: Pointer) -> Place {
        Place { content: state.content(region), cells: self.cells(region), start: pointer.packed(&mut self.terms) }
    }

    /// Where a part of an aggregate comes from.
    fn source(&mut self, state: &State, location: &Location, offset: u64, access: Access) -> Option<Source> {
        let types = &self.program.types;
        match location.base {
            Base::Memory(pointer) => {
                let region = self.leaf_region(location, offset)?;
                Some(Source::Cells(self.region_place(state, region, pointer)))
            }
            Base::Private { local, path, offset: at } => {
                let ty = self.frames.last()?.info.body.locals[local].ty;
                let outer = self.shapes.of(types, ty);
                let start = self.terms.zero_extend(at, POINTER);
                let Slot::Private(value, flag) = &state.slots[local.index()] else { return None };
                match value {
                    Value::Scalar(scalar) => Some(Source::Part(Part::Scalar(*scalar, *flag))),
                    Value::Bytes(content) => Some(Source::Cells(Place { content: *content, cells: self.byte_cells(), start })),
                    Value::Parts(parts) => match parts.get(outer.find(path + offset, access.bit, access.ty)?)? {
                        part @ Part::Scalar(..) => Some(Source::Part(*part)),
                        Part::Array(content) => {
                            let cells = Cells::Whole { width: scalar::cell_width(types, access.ty) };
                            Some(Source::Cells(Place { content: *content, cells, start }))
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
                let regions = self.leaf_regions(location);
                regions.into_iter().map(|region| (Some(region), self.region_place(state, region, pointer))).collect()
            }
            Base::Private { local, offset, .. } => match &state.slots[local.index()] {
                Slot::Private(Value::Bytes(content), _) => {
                    let start = self.terms.zero_extend(offset, POINTER);
                    vec![(None, Place { content: *content, cells: self.byte_cells(), start })]
                }
                _ => Vec::new(),
            },
        }
    }

    /// What `to` holds after all of a type was copied to it. Equal cells are copied as a range, whatever its length.
    fn copied(&mut self, state: &mut State, to: Place, from: Place, ty: TypeId, span: Span) -> Content {
        if to.cells == from.cells {
            let size = self.program.types.size_of(ty).unwrap_or(0);
            return self.copied_range(to, from, 0, size);
        }
        self.converted(state, to, from, ty, |_, _| true, span)
    }

    /// What `to` holds after one part of a type was copied to it. The range takes along what lies between the elements: nothing that `to` holds.
    fn copied_part(&mut self, state: &mut State, to: Place, from: Place, ty: TypeId, part: &shape::Part, span: Span) -> Content {
        if to.cells == from.cells {
            return self.copied_range(to, from, part.offset, part.extent);
        }
        self.converted(state, to, from, ty, |_, element| is_of(element, part), span)
    }

    fn copied_range(&mut self, to: Place, from: Place, offset: u64, size: u64) -> Content {
        let (target, source) = (self.index_at(to.start, offset), self.index_at(from.start, offset));
        let count = self.terms.number(POINTER, u128::from(size));
        let array = self.terms.copy(to.content.array, target, from.content.array, source, count);
        let shadow = to.content.shadow.zip(from.content.shadow).map(|(to, from)| self.terms.copy(to, target, from, source, count));
        Content { array, shadow }
    }

    /// What `to` holds after those scalars of a type that `only` selects were copied one by one.
    fn converted(
        &mut self,
        state: &mut State,
        to: Place,
        from: Place,
        ty: TypeId,
        only: impl Fn(&mut Self, &Element) -> bool,
        span: Span,
    ) -> Content {
        let types = &self.program.types;
        let Some(elements) = elements(types, ty) else {
            self.gap(state, "a large aggregate copied between memory of different layout", span);
            return to.content;
        };
        let mut content = to.content;
        for element in elements {
            if only(self, &element) {
                let (source, target) = (self.index_at(from.start, element.offset), self.index_at(to.start, element.offset));
                let value = access::read_marked(&mut self.terms, types, from.content, from.cells, source, element.access);
                content = access::write_marked(&mut self.terms, types, content, to.cells, target, element.access, value);
            }
        }
        content
    }

    /// The scalars of a place in memory and their regions, found once.
    fn place_leaves(&mut self, place: PlaceId) -> Leaves {
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
    Part(Part),
    Cells(Place),
}

/// Whether a scalar belongs to a part.
fn is_of(element: &Element, part: &shape::Part) -> bool {
    element.first == part.offset && element.access == Access { ty: part.ty, bit: part.bit }
}

//! How a variable that nothing points to is kept: a term per scalar, an array term for the scalars in arrays.

use std::rc::Rc;

use model::{RecordKind, Type, TypeId, Types};
use rustc_hash::FxHashMap;

/// A scalar inside a type. The elements of an array are one part, told apart by their offsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Where it is, with all indices 0.
    pub offset: u64,
    /// For a bit-field, its lowest bit in that byte.
    pub bit: Option<u8>,
    /// Its type.
    pub ty: TypeId,
    /// Whether it is inside an array.
    pub indexed: bool,
    /// How many bytes lie between its start, with all indices 0, and its end, with all indices as large as they get.
    pub extent: u64,
}

impl Part {
    /// Whether bytes of another part lie between those of this one.
    pub fn interleaves(&self, other: &Part) -> bool {
        self.offset < other.offset + other.extent && other.offset < self.offset + self.extent
    }
}

/// The scalars of a type in order, or that they share bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Scalars that do not overlap.
    Parts(Vec<Part>),
    /// A type with a union inside, or without known size: bytes.
    Bytes,
}

impl Shape {
    /// The part at an offset (with all indices 0).
    pub fn find(&self, offset: u64, bit: Option<u8>, ty: TypeId) -> Option<usize> {
        match self {
            Shape::Parts(parts) => parts.iter().position(|part| part.offset == offset && part.bit == bit && part.ty == ty),
            Shape::Bytes => None,
        }
    }
}

/// The shapes of types, computed once.
#[derive(Default)]
pub struct Shapes {
    known: FxHashMap<TypeId, Rc<Shape>>,
}

/// A type with more scalars than this is kept as bytes.
const MOST_PARTS: usize = 4096;

impl Shapes {
    /// The shape of a type.
    pub fn of(&mut self, types: &Types, ty: TypeId) -> Rc<Shape> {
        if let Some(shape) = self.known.get(&ty) {
            return shape.clone();
        }
        let shape = Rc::new(shape(types, ty));
        self.known.insert(ty, shape.clone());
        shape
    }
}

fn shape(types: &Types, ty: TypeId) -> Shape {
    let mut parts = Vec::new();
    let mut open = vec![(ty, 0u64, None)];
    while let Some((ty, offset, reach)) = open.pop() {
        let indexed = reach.is_some();
        match types.get(ty) {
            Type::Array { elem, len: Some(len) } if types.size_of(ty).is_some() => {
                let size = types.size_of(*elem).unwrap_or(0);
                open.push((*elem, offset, Some(reach.unwrap_or(0) + len.saturating_sub(1) * size)));
            }
            Type::Record(record) => {
                let record = types.record(*record);
                let Some(layout) = record.layout.as_ref().filter(|_| record.kind == RecordKind::Struct) else { return Shape::Bytes };
                for field in &layout.fields {
                    match field.bit {
                        // In an array, a bit-field would need an offset of its own.
                        Some(_) if indexed => return Shape::Bytes,
                        Some(bit) => {
                            let extent = u64::from(bit_field_bytes(types, field.ty, bit));
                            parts.push(Part { offset: offset + field.offset, bit: Some(bit), ty: field.ty, indexed, extent });
                        }
                        None => open.push((field.ty, offset + field.offset, reach)),
                    }
                }
            }
            _ if types.is_scalar(ty) => {
                let extent = reach.unwrap_or(0) + types.size_of(ty).unwrap_or(1);
                parts.push(Part { offset, bit: None, ty, indexed, extent });
            }
            _ => return Shape::Bytes,
        }
        if parts.len() + open.len() > MOST_PARTS {
            return Shape::Bytes;
        }
    }
    parts.sort_by_key(|part| (part.offset, part.bit));
    Shape::Parts(parts)
}

/// How many bytes a bit-field has bits in.
pub fn bit_field_bytes(types: &Types, ty: TypeId, bit: u8) -> u32 {
    (u32::from(types.bits(ty).unwrap_or(1)) + u32::from(bit)).div_ceil(8)
}

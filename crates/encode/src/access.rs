//! Scalars in arrays of cells: a region of memory, or a private variable.

use logic::{Term, Terms};
use model::{Type, TypeId, Types};

use crate::state::{Content, Flag};
use crate::scalar::{POINTER, Scalar, cell_width, from_cell, pointer_bits, to_cell};

/// How an array of cells holds scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cells {
    /// Each cell holds a whole scalar, at the index of its first byte.
    Whole {
        /// The width of a cell.
        width: u32,
    },
    /// Each cell holds a byte.
    Bytes,
}

impl Cells {
    /// The width of a cell.
    pub fn width(self) -> u32 {
        match self {
            Cells::Whole { width } => width,
            Cells::Bytes => 8,
        }
    }
}

/// A scalar or bit-field in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The type of the value.
    pub ty: TypeId,
    /// For a bit-field, its lowest bit in the byte at the index.
    pub bit: Option<u8>,
}

/// How many bits a scalar takes in a byte array.
fn byte_width(types: &Types, ty: TypeId) -> u32 {
    match types.get(ty) {
        Type::Pointer(_) => pointer_bits(types.target()),
        _ => cell_width(types, ty),
    }
}

/// Reads a scalar.
pub fn read(terms: &mut Terms, types: &Types, array: Term, cells: Cells, at: Term, access: Access) -> Scalar {
    if let Some(bit) = access.bit {
        let value = read_bits(terms, types, array, cells, at, access.ty, bit);
        return match types.get(access.ty) {
            Type::Bool => Scalar::Term(terms.test_bit(value, 0)),
            _ => Scalar::Term(value),
        };
    }
    let content = match cells {
        Cells::Whole { .. } => terms.select(array, at),
        Cells::Bytes => read_bytes(terms, array, at, byte_width(types, access.ty).div_ceil(8)),
    };
    if matches!(types.get(access.ty), Type::Pointer(_)) {
        let content = widen_pointer(terms, content);
        return from_cell(terms, types, access.ty, content);
    }
    from_cell(terms, types, access.ty, content)
}

/// The array after a scalar was written.
pub fn write(terms: &mut Terms, types: &Types, array: Term, cells: Cells, at: Term, access: Access, value: Scalar) -> Term {
    if let Some(bit) = access.bit {
        let value = match (value.term(terms), types.get(access.ty)) {
            (value, Type::Bool) => terms.bit(value),
            (value, _) => value,
        };
        return write_bits(terms, types, array, cells, at, access.ty, bit, value);
    }
    match cells {
        Cells::Whole { width } => {
            let content = to_cell(terms, types, access.ty, value, width);
            terms.store(array, at, content)
        }
        Cells::Bytes => {
            let width = byte_width(types, access.ty);
            let content = match value {
                Scalar::Pointer(pointer) => {
                    let packed = pointer.packed(terms);
                    narrow_pointer(terms, packed, width)
                }
                Scalar::Term(_) => to_cell(terms, types, access.ty, value, width),
            };
            write_bytes(terms, array, at, content)
        }
    }
}

/// Whether all bits of a scalar are marked in the shadow of an array.
pub fn is_marked(terms: &mut Terms, types: &Types, shadow: Term, cells: Cells, at: Term, access: Access) -> Term {
    let bits = match (access.bit, cells) {
        (Some(bit), _) => read_bits(terms, types, shadow, cells, at, access.ty, bit),
        (None, Cells::Whole { .. }) => terms.select(shadow, at),
        (None, Cells::Bytes) => read_bytes(terms, shadow, at, byte_width(types, access.ty).div_ceil(8)),
    };
    let ones = terms.ones(terms.width(bits));
    terms.equal(bits, ones)
}

/// The shadow of an array after the bits of a scalar were marked, or their marks taken away.
pub fn mark(terms: &mut Terms, types: &Types, shadow: Term, cells: Cells, at: Term, access: Access, marked: Term) -> Term {
    let width = match (access.bit, cells) {
        (Some(_), _) => u32::from(types.bits(access.ty).unwrap_or(1)),
        (None, Cells::Whole { width }) => width,
        (None, Cells::Bytes) => byte_width(types, access.ty).next_multiple_of(8),
    };
    let (ones, zeros) = (terms.ones(width), terms.zero(width));
    let bits = terms.ite(marked, ones, zeros);
    match (access.bit, cells) {
        (Some(bit), _) => write_bits(terms, types, shadow, cells, at, access.ty, bit, bits),
        (None, Cells::Whole { .. }) => terms.store(shadow, at, bits),
        (None, Cells::Bytes) => write_bytes(terms, shadow, at, bits),
    }
}

/// Reads a scalar, and whether it holds a value.
pub fn read_marked(terms: &mut Terms, types: &Types, content: Content, cells: Cells, at: Term, access: Access) -> (Scalar, Flag) {
    let flag = content.shadow.map(|shadow| is_marked(terms, types, shadow, cells, at, access));
    (read(terms, types, content.array, cells, at, access), flag)
}

/// The content after a scalar was written that holds a value or not.
pub fn write_marked(terms: &mut Terms, types: &Types, content: Content, cells: Cells, at: Term, access: Access, (value, flag): (Scalar, Flag)) -> Content {
    let array = write(terms, types, content.array, cells, at, access, value);
    let shadow = content.shadow.map(|shadow| {
        let flag = flag.unwrap_or_else(|| terms.bool(true));
        mark(terms, types, shadow, cells, at, access, flag)
    });
    Content { array, shadow }
}

/// On a 32-bit target, bytes hold a short form of a pointer: 14 bits of its object and 18 of its offset. What does not fit is caught by whoever
/// writes (see [`short_pointer_fits`]).
const SHORT_OFFSET: u32 = 18;

fn narrow_pointer(terms: &mut Terms, packed: Term, width: u32) -> Term {
    if width >= POINTER {
        return packed;
    }
    let (object, offset) = (terms.extract(packed, 53, 40), terms.extract(packed, SHORT_OFFSET - 1, 0));
    terms.concat(object, offset)
}

fn widen_pointer(terms: &mut Terms, content: Term) -> Term {
    if terms.width(content) >= POINTER {
        return content;
    }
    let (object, offset) = (terms.extract(content, 31, SHORT_OFFSET), terms.extract(content, SHORT_OFFSET - 1, 0));
    let (object, offset) = (terms.zero_extend(object, 24), terms.sign_extend(offset, 40));
    terms.concat(object, offset)
}

/// Whether a pointer survives being written to bytes on this target.
pub fn short_pointer_fits(terms: &mut Terms, types: &Types, value: Scalar) -> Term {
    let width = pointer_bits(types.target());
    match value {
        Scalar::Pointer(pointer) if width < POINTER => {
            let packed = pointer.packed(terms);
            let short = narrow_pointer(terms, packed, width);
            let back = widen_pointer(terms, short);
            terms.equal(back, packed)
        }
        _ => terms.bool(true),
    }
}

/// Bytes as one number, the first lowest.
pub fn read_bytes(terms: &mut Terms, array: Term, at: Term, count: u32) -> Term {
    let mut content = None;
    for byte in 0..count {
        let index = step(terms, at, byte);
        let byte = terms.select(array, index);
        content = Some(content.map_or(byte, |low| terms.concat(byte, low)));
    }
    content.unwrap_or_else(|| terms.zero(8))
}

/// The array after the bytes of a number were written, the lowest first.
pub fn write_bytes(terms: &mut Terms, array: Term, at: Term, content: Term) -> Term {
    let mut array = array;
    for byte in 0..terms.width(content).div_ceil(8) {
        let index = step(terms, at, byte);
        let high = (byte * 8 + 7).min(terms.width(content) - 1);
        let part = terms.extract(content, high, byte * 8);
        let part = terms.resize(part, 8, false);
        array = terms.store(array, index, part);
    }
    array
}

/// The index some bytes further: the offset moves, the object stays. Accesses lie inside an object, so the sum does not reach the object's number;
/// where one does not, the check before it has failed.
fn step(terms: &mut Terms, at: Term, bytes: u32) -> Term {
    if bytes == 0 {
        return at;
    }
    let (object, offset) = (terms.extract(at, POINTER - 1, 40), terms.extract(at, 39, 0));
    let bytes = terms.number(40, u128::from(bytes));
    let offset = terms.add(offset, bytes);
    terms.concat(object, offset)
}

/// The bytes that a bit-field has bits in, as one number.
fn unit(terms: &mut Terms, types: &Types, array: Term, cells: Cells, at: Term, ty: TypeId, bit: u8) -> (Term, u32) {
    let width = u32::from(types.bits(ty).unwrap_or(1));
    let count = (width + u32::from(bit)).div_ceil(8);
    let content = match cells {
        Cells::Whole { .. } => terms.select(array, at),
        Cells::Bytes => read_bytes(terms, array, at, count),
    };
    (content, width)
}

fn read_bits(terms: &mut Terms, types: &Types, array: Term, cells: Cells, at: Term, ty: TypeId, bit: u8) -> Term {
    let (content, width) = unit(terms, types, array, cells, at, ty, bit);
    let low = u32::from(bit);
    let content = terms.resize(content, (low + width).max(terms.width(content)), false);
    terms.extract(content, low + width - 1, low)
}

#[allow(clippy::too_many_arguments, reason = "an access has these parts")]
fn write_bits(terms: &mut Terms, types: &Types, array: Term, cells: Cells, at: Term, ty: TypeId, bit: u8, value: Term) -> Term {
    let (content, width) = unit(terms, types, array, cells, at, ty, bit);
    let (low, whole) = (u32::from(bit), terms.width(content));
    let mut result = value;
    if low > 0 {
        let below = terms.extract(content, low - 1, 0);
        result = terms.concat(result, below);
    }
    if low + width < whole {
        let above = terms.extract(content, whole - 1, low + width);
        result = terms.concat(above, result);
    }
    match cells {
        Cells::Whole { .. } => terms.store(array, at, result),
        Cells::Bytes => write_bytes(terms, array, at, result),
    }
}

/// A pointer (as one term) as bytes hold it on this target.
pub fn stored_pointer(terms: &mut Terms, types: &Types, packed: Term) -> Term {
    narrow_pointer(terms, packed, pointer_bits(types.target()))
}

//! Scalars in arrays of cells: a region of memory, or a private variable.

use logic::{Sort, Term, Terms};
use model::{Type, TypeId, Types};

use crate::scalar::{OBJECT, OFFSET, POINTER, Pointer, Scalar, cell_width, from_cell, pointer_bits, to_cell};
use crate::state::{Content, Flag};

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
    /// As `Whole`, for pointers and numbers: the top bit says whether a cell holds a pointer.
    MixedWhole,
    /// As `Bytes`, for bytes of pointers and numbers: the top bit says whether a cell holds one of a pointer.
    MixedBytes,
}

impl Cells {
    /// The width of a cell.
    pub fn width(self) -> u32 {
        match self {
            Cells::Whole { width } => width,
            Cells::Bytes => 8,
            Cells::MixedWhole => POINTER + 1,
            Cells::MixedBytes => 9,
        }
    }
    /// The same without marks, as shadows have them.
    pub fn plain(self) -> Cells {
        match self {
            Cells::MixedWhole => Cells::Whole { width: POINTER },
            Cells::MixedBytes => Cells::Bytes,
            plain => plain,
        }
    }
    /// Whether each cell holds a byte.
    pub fn is_bytes(self) -> bool {
        self.plain() == Cells::Bytes
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
    if matches!(types.get(access.ty), Type::Pointer(_)) {
        return Scalar::Pointer(read_pointer(terms, types, array, cells, at));
    }
    let content = read_number(terms, array, cells, at, byte_width(types, access.ty).div_ceil(8));
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
    match value {
        Scalar::Pointer(pointer) => write_pointer(terms, types, array, cells, at, pointer),
        Scalar::Term(_) => {
            let width = match cells.plain() {
                Cells::Whole { width } => width,
                _ => byte_width(types, access.ty),
            };
            let content = to_cell(terms, types, access.ty, value, width);
            write_number(terms, array, cells, at, content)
        }
    }
}

/// A number of that many bytes. Bytes of a pointer are those of an address, of which nothing is known.
pub fn read_number(terms: &mut Terms, array: Term, cells: Cells, at: Term, bytes: u32) -> Term {
    let count = if cells.is_bytes() { bytes } else { 1 };
    let parts: Vec<Term> = read_cells(terms, array, at, count);
    let parts = parts.into_iter().map(|cell| match cells {
        Cells::Whole { .. } | Cells::Bytes => cell,
        Cells::MixedWhole | Cells::MixedBytes => {
            let (mark, value) = unmarked(terms, cell);
            if terms.as_bool(mark) == Some(false) {
                return value;
            }
            let anything = terms.fresh("address", Sort::Bits(terms.width(value)));
            terms.ite(mark, anything, value)
        }
    });
    let parts: Vec<Term> = parts.collect();
    joined(terms, &parts)
}

fn write_number(terms: &mut Terms, array: Term, cells: Cells, at: Term, content: Term) -> Term {
    let unmarked = terms.bool(false);
    write_cells(terms, array, cells, at, content, unmarked)
}

/// A pointer. Numbers up to [`NEAR`] lead nowhere; others may be the address of anything.
fn read_pointer(terms: &mut Terms, types: &Types, array: Term, cells: Cells, at: Term) -> Pointer {
    let width = pointer_bits(types.target());
    let count = if cells.is_bytes() { width / 8 } else { 1 };
    let parts = read_cells(terms, array, at, count);
    if cells == cells.plain() {
        let content = joined(terms, &parts);
        let content = widen_pointer(terms, content);
        return Pointer::unpacked(terms, content);
    }
    let (marked, content) = joined_marked(terms, parts);
    let packed = widen_pointer(terms, content);
    let pointer = Pointer::unpacked(terms, packed);
    if terms.as_bool(marked) == Some(true) {
        return pointer;
    }
    let (near, low) = nearness(terms, content, width);
    let offset = terms.sign_extend(low, OFFSET);
    let nowhere = Pointer::nowhere(terms, offset);
    if terms.as_bool(near) == Some(true) {
        return Pointer::ite(terms, marked, pointer, nowhere);
    }
    let anything = terms.fresh("pointer", Sort::Bits(POINTER));
    let anything = Pointer::unpacked(terms, anything);
    let other = Pointer::ite(terms, near, nowhere, anything);
    Pointer::ite(terms, marked, pointer, other)
}

/// That memory holds a pointer there, or a number that leads nowhere: then reading it twice gives the same.
pub fn holds_pointer(terms: &mut Terms, types: &Types, array: Term, cells: Cells, at: Term) -> Term {
    if cells == cells.plain() {
        return terms.bool(true);
    }
    let width = pointer_bits(types.target());
    let parts = read_cells(terms, array, at, if cells.is_bytes() { width / 8 } else { 1 });
    let (marked, content) = joined_marked(terms, parts);
    let (near, _) = nearness(terms, content, width);
    terms.or(marked, near)
}

/// Whether all cells are marked, and what they hold together.
fn joined_marked(terms: &mut Terms, cells: Vec<Term>) -> (Term, Term) {
    let (marks, values): (Vec<Term>, Vec<Term>) = cells.into_iter().map(|cell| unmarked(terms, cell)).unzip();
    (terms.all(marks), joined(terms, &values))
}

/// Whether a number is near to 0, and what is left of it then.
fn nearness(terms: &mut Terms, content: Term, width: u32) -> (Term, Term) {
    let number = terms.resize(content, width, false);
    let low = terms.extract(number, NEAR, 0);
    let back = terms.sign_extend(low, width);
    (terms.equal(back, number), low)
}

fn write_pointer(terms: &mut Terms, types: &Types, array: Term, cells: Cells, at: Term, pointer: Pointer) -> Term {
    let width = if cells.is_bytes() { pointer_bits(types.target()) } else { cells.plain().width() };
    let packed = pointer.packed(terms);
    let content = if cells.is_bytes() { narrow_pointer(terms, packed, width) } else { terms.resize(packed, width, false) };
    if cells == cells.plain() {
        return write_number(terms, array, cells, at, content);
    }
    // What leads nowhere is a number like others.
    let none = terms.zero(OBJECT);
    let somewhere = terms.differ(pointer.object, none);
    let number = terms.resize(pointer.offset, width, true);
    let content = terms.ite(somewhere, content, number);
    write_cells(terms, array, cells, at, content, somewhere)
}

/// The mark of a cell, and the rest of it.
fn unmarked(terms: &mut Terms, cell: Term) -> (Term, Term) {
    let top = terms.width(cell) - 1;
    (terms.test_bit(cell, top), terms.extract(cell, top - 1, 0))
}

fn write_cells(terms: &mut Terms, array: Term, cells: Cells, at: Term, content: Term, marked: Term) -> Term {
    let mark = terms.bit(marked);
    let step_width = if cells.is_bytes() { 8 } else { terms.width(content) };
    let mut array = array;
    for number in 0..terms.width(content).div_ceil(step_width) {
        let low = number * step_width;
        let high = (low + step_width - 1).min(terms.width(content) - 1);
        let part = terms.extract(content, high, low);
        let part = terms.resize(part, cells.plain().width(), false);
        let part = if cells == cells.plain() { part } else { terms.concat(mark, part) };
        let index = step(terms, at, number);
        array = terms.store(array, index, part);
    }
    array
}

/// Whether all bits of a scalar are marked in the shadow of an array.
pub fn is_marked(terms: &mut Terms, types: &Types, shadow: Term, cells: Cells, at: Term, access: Access) -> Term {
    let cells = cells.plain();
    let bits = match (access.bit, cells) {
        (Some(bit), _) => read_bits(terms, types, shadow, cells, at, access.ty, bit),
        (None, _) => read_number(terms, shadow, cells, at, byte_width(types, access.ty).div_ceil(8)),
    };
    let ones = terms.ones(terms.width(bits));
    terms.equal(bits, ones)
}

/// The shadow of an array after the bits of a scalar were marked, or their marks taken away.
pub fn mark(terms: &mut Terms, types: &Types, shadow: Term, cells: Cells, at: Term, access: Access, marked: Term) -> Term {
    let cells = cells.plain();
    let width = match (access.bit, cells) {
        (Some(_), _) => u32::from(types.bits(access.ty).unwrap_or(1)),
        (None, Cells::Whole { width }) => width,
        (None, _) => byte_width(types, access.ty).next_multiple_of(8),
    };
    let (ones, zeros) = (terms.ones(width), terms.zero(width));
    let bits = terms.ite(marked, ones, zeros);
    match (access.bit, cells) {
        (Some(bit), _) => write_bits(terms, types, shadow, cells, at, access.ty, bit, bits),
        (None, _) => write_number(terms, shadow, cells, at, bits),
    }
}

/// Reads a scalar, and whether it holds a value.
pub fn read_marked(terms: &mut Terms, types: &Types, content: Content, cells: Cells, at: Term, access: Access) -> (Scalar, Flag) {
    let flag = content.shadow.map(|shadow| is_marked(terms, types, shadow, cells, at, access));
    (read(terms, types, content.array, cells, at, access), flag)
}

/// The content after a scalar was written that holds a value or not.
pub fn write_marked(
    terms: &mut Terms,
    types: &Types,
    content: Content,
    cells: Cells,
    at: Term,
    access: Access,
    (value, flag): (Scalar, Flag),
) -> Content {
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

/// Numbers of so many bits, and their negatives, are no addresses of objects.
const NEAR: u32 = 24;

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

/// The contents of cells in a row.
fn read_cells(terms: &mut Terms, array: Term, at: Term, count: u32) -> Vec<Term> {
    (0..count)
        .map(|number| {
            let index = step(terms, at, number);
            terms.select(array, index)
        })
        .collect()
}

/// Parts as one number, the first lowest.
fn joined(terms: &mut Terms, parts: &[Term]) -> Term {
    let mut all = None;
    for &part in parts {
        all = Some(all.map_or(part, |low| terms.concat(part, low)));
    }
    all.unwrap_or_else(|| terms.zero(8))
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
    let content = read_number(terms, array, cells, at, count);
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
    write_number(terms, array, cells, at, result)
}

/// A pointer (as one term) as bytes hold it on this target.
pub fn stored_pointer(terms: &mut Terms, types: &Types, packed: Term) -> Term {
    narrow_pointer(terms, packed, pointer_bits(types.target()))
}

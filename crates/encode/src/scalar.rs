//! Scalar values as terms, and pointers as pairs.

use logic::{Bits, Op, Sort, Term, Terms};
use model::{OBJECT_BITS, Target, Type, TypeId, Types};

/// The width of an object's number.
pub const OBJECT: u32 = 24;
/// The width of an offset: a signed number of bytes. What would be further away than objects reach is at [`far`].
pub const OFFSET: u32 = OBJECT_BITS + 1;
/// The width of a pointer as one term: what a memory cell holds, and what indexes memory.
pub const POINTER: u32 = OBJECT + OFFSET;

/// A pointer: an object and an offset (design §6). Object 0 is none: null and integers that lead nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The object's number.
    pub object: Term,
    /// Where in it.
    pub offset: Term,
}

/// The value of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// A truth value, integer or float.
    Term(Term),
    /// A pointer.
    Pointer(Pointer),
}

impl Scalar {
    /// The term of something that is no pointer; a pointer as one term.
    pub fn term(self, terms: &mut Terms) -> Term {
        match self {
            Scalar::Term(term) => term,
            Scalar::Pointer(pointer) => pointer.packed(terms),
        }
    }
}

impl Pointer {
    /// The null pointer moved by some bytes.
    pub fn nowhere(terms: &mut Terms, offset: Term) -> Self {
        Pointer { object: terms.zero(OBJECT), offset }
    }
    /// The beginning of an object.
    pub fn to(terms: &mut Terms, object: u32) -> Self {
        Pointer { object: terms.number(OBJECT, u128::from(object)), offset: terms.zero(OFFSET) }
    }
    /// As one term.
    pub fn packed(self, terms: &mut Terms) -> Term {
        terms.concat(self.object, self.offset)
    }
    /// From one term.
    pub fn unpacked(terms: &mut Terms, term: Term) -> Self {
        Pointer { object: terms.extract(term, POINTER - 1, OFFSET), offset: terms.extract(term, OFFSET - 1, 0) }
    }
    /// One or the other.
    pub fn ite(terms: &mut Terms, condition: Term, yes: Pointer, no: Pointer) -> Self {
        Pointer { object: terms.ite(condition, yes.object, no.object), offset: terms.ite(condition, yes.offset, no.offset) }
    }
    /// Whether two are the same.
    pub fn equal(self, terms: &mut Terms, other: Pointer) -> Term {
        let (object, offset) = (terms.equal(self.object, other.object), terms.equal(self.offset, other.offset));
        terms.and(object, offset)
    }
    /// The offset in the width of the program's pointers.
    pub fn distance(self, terms: &mut Terms, width: u32) -> Term {
        terms.resize(self.offset, width, true)
    }
}

/// The address of a label: labels are in no object, and differ from null and small numbers. It is small enough for the short form of pointers.
pub fn label_address(block: model::BlockId) -> i64 {
    0x1_0000 + block.index() as i64
}

/// The offset of a pointer that was moved too far to say how far: outside of every object, and it stays there however it is moved.
pub fn far(terms: &mut Terms) -> Term {
    terms.bits(Bits::max_signed(OFFSET))
}

/// How many bytes a constant index stands for, if these are no more than an object may have.
fn constant_distance(terms: &Terms, index: Term, signed: bool, size: u64) -> Option<i128> {
    let index = terms.as_bits(index)?;
    let index = if signed { index.to_i128()? } else { i128::try_from(index.to_u128()?).ok()? };
    index.checked_mul(i128::from(size)).filter(|distance| distance.abs() < 1 << (OFFSET - 1))
}

/// The same for a number of bytes: a comparison tells whether that leaves the range.
fn moved_by(terms: &mut Terms, offset: Term, distance: i128) -> Term {
    let bytes = terms.bits(Bits::signed(OFFSET, distance));
    let result = terms.add(offset, bytes);
    let far = far(terms);
    let near = terms.differ(offset, far);
    let (least, most) = (-(1_i128 << (OFFSET - 1)), (1_i128 << (OFFSET - 1)) - 1);
    let inside = if distance > 0 {
        let last = terms.bits(Bits::signed(OFFSET, most - distance));
        terms.sle(offset, last)
    } else {
        let first = terms.bits(Bits::signed(OFFSET, least - distance));
        terms.sle(first, offset)
    };
    let exact = terms.and(near, inside);
    terms.ite(exact, result, far)
}

/// An offset moved by `index` elements of `size` bytes; [`far`] if that leaves the range of offsets. The index counts by its mathematical value.
pub fn moved(terms: &mut Terms, offset: Term, index: Term, signed: bool, size: u64) -> Term {
    if size == 0 || terms.as_bits(index).is_some_and(Bits::is_zero) {
        return offset;
    }
    let (index, signed) = narrowed(terms, index, signed);
    if let Some(start) = terms.as_bits(offset).and_then(Bits::to_i128)
        && stays_near(start, terms.width(index), signed, size)
    {
        let index = terms.resize(index, OFFSET, signed);
        let size = terms.number(OFFSET, u128::from(size));
        let distance = terms.mul(index, size);
        return terms.add(offset, distance);
    }
    if let Some(distance) = constant_distance(terms, index, signed, size) {
        return moved_by(terms, offset, distance);
    }
    // The index is exact in this width, its product with a size below 2^39 in one that is 40 bits wider.
    let width = terms.width(index) + 1;
    let index = terms.resize(index, width, signed);
    let size_bits = u64::BITS - size.leading_zeros() + 1;
    let wide = (width + size_bits).max(OFFSET) + 1;
    // Most indices are narrow; wide ones are first compared with what can be inside an object at all.
    let limit = OFFSET + 1;
    let (index, fits) = if width > limit {
        let low = terms.extract(index, limit - 1, 0);
        let back = terms.sign_extend(low, width);
        (low, terms.equal(back, index))
    } else {
        (index, terms.bool(true))
    };
    let wide = wide.min(limit + size_bits + 1);
    let index = terms.resize(index, wide, true);
    let size = terms.number(wide, u128::from(size));
    let distance = terms.mul(index, size);
    let from = terms.resize(offset, wide, true);
    let sum = terms.add(from, distance);
    let result = terms.extract(sum, OFFSET - 1, 0);
    let back = terms.sign_extend(result, wide);
    let inside = terms.equal(back, sum);
    let exact = terms.and(fits, inside);
    let far = far(terms);
    let near = terms.differ(offset, far);
    let exact = terms.and(exact, near);
    terms.ite(exact, result, far)
}

/// The same number in fewer bits, where it was widened.
fn narrowed(terms: &Terms, index: Term, signed: bool) -> (Term, bool) {
    match (terms.op(index), terms.args(index)) {
        (Op::ZeroExtend, &[inner]) => (inner, false),
        (Op::SignExtend, &[inner]) if signed => (inner, true),
        _ => (index, signed),
    }
}

/// Whether no index of so many bits leads from an offset out of the range of offsets.
fn stays_near(start: i128, width: u32, signed: bool, size: u64) -> bool {
    let bits = width - u32::from(signed);
    let end = 1_i128 << (OFFSET - 1);
    bits < OFFSET
        && start < end - 1
        && (1_i128 << bits).checked_mul(i128::from(size)).is_some_and(|reach| start - reach >= -end && start + reach < end - 1)
}

/// The sort of a scalar type's value; of a pointer, as one term.
pub fn sort(types: &Types, ty: TypeId) -> Sort {
    match types.get(ty) {
        Type::Bool => Sort::Bool,
        Type::Int { bits, .. } => Sort::Bits(u32::from(*bits)),
        Type::Float(format) => Sort::Float(*format),
        _ => Sort::Bits(POINTER),
    }
}

/// The width of a memory cell that holds a scalar of this type: its size in memory, but a pointer's cell holds object and offset.
pub fn cell_width(types: &Types, ty: TypeId) -> u32 {
    match types.get(ty) {
        Type::Pointer(_) => POINTER,
        Type::Bool => 8,
        _ => types.size_of(ty).map_or(8, |size| size as u32 * 8),
    }
}

/// The content of a cell of this width that holds a scalar.
pub fn to_cell(terms: &mut Terms, types: &Types, ty: TypeId, scalar: Scalar, width: u32) -> Term {
    let bits = match (scalar, types.get(ty)) {
        (Scalar::Pointer(pointer), _) => pointer.packed(terms),
        (Scalar::Term(term), Type::Bool) => {
            let bit = terms.bit(term);
            return terms.zero_extend(bit, width);
        }
        (Scalar::Term(term), Type::Float(_)) => terms.float_to_bits(term),
        (Scalar::Term(term), _) => term,
    };
    terms.resize(bits, width, types.is_signed(ty))
}

/// The scalar that a cell holds.
pub fn from_cell(terms: &mut Terms, types: &Types, ty: TypeId, cell: Term) -> Scalar {
    match types.get(ty) {
        Type::Bool => Scalar::Term(terms.test_bit(cell, 0)),
        Type::Float(format) => {
            let bits = terms.resize(cell, u32::from(format.bits()), false);
            Scalar::Term(terms.float_from_bits(*format, bits))
        }
        Type::Pointer(_) => {
            let cell = terms.resize(cell, POINTER, true);
            Scalar::Pointer(Pointer::unpacked(terms, cell))
        }
        Type::Int { bits, .. } => Scalar::Term(terms.resize(cell, u32::from(*bits), false)),
        _ => Scalar::Term(cell),
    }
}

/// A scalar whose bytes are all zero.
pub fn zero(terms: &mut Terms, types: &Types, ty: TypeId) -> Scalar {
    let cell = terms.zero(cell_width(types, ty));
    from_cell(terms, types, ty, cell)
}

/// An arbitrary scalar. A pointer may be anything: whoever makes one says where it may point.
pub fn arbitrary(terms: &mut Terms, types: &Types, ty: TypeId, name: &str) -> Scalar {
    match types.get(ty) {
        Type::Pointer(_) => {
            let cell = terms.fresh(name, Sort::Bits(POINTER));
            Scalar::Pointer(Pointer::unpacked(terms, cell))
        }
        _ => Scalar::Term(terms.fresh(name, sort(types, ty))),
    }
}

/// One or the other.
pub fn ite(terms: &mut Terms, condition: Term, yes: Scalar, no: Scalar) -> Scalar {
    match (yes, no) {
        _ if yes == no => yes,
        (Scalar::Pointer(yes), Scalar::Pointer(no)) => Scalar::Pointer(Pointer::ite(terms, condition, yes, no)),
        _ => {
            let (yes, no) = (yes.term(terms), no.term(terms));
            Scalar::Term(terms.ite(condition, yes, no))
        }
    }
}

/// How many bytes a pointer has in the program's memory, in bits.
pub fn pointer_bits(target: Target) -> u32 {
    u32::from(target.pointer_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_moved_exactly_or_are_far() {
        let cases = [
            (0, 32, -1, true, 8, Some(-8)),
            (8, 32, -2, true, 4, Some(0)),
            (0, 32, -1, false, 8, Some(((1_i128 << 32) - 1) * 8)),
            (1 << 38, 32, (1 << 31) - 1, true, 8, Some((1 << 38) + ((1 << 31) - 1) * 8)),
            (0, 32, (1 << 31) - 1, true, 1 << 10, None),
            (-(1 << 39), 8, -1, true, 1, None),
            ((1 << 39) - 1, 8, -1, true, 1, None),
            (0, 64, 1 << 39, false, 1, None),
            (0, 64, -5, true, 3, Some(-15)),
        ];
        for (start, width, index, signed, size, expected) in cases {
            let mut terms = Terms::new();
            let (offset, index) = (terms.bits(Bits::signed(OFFSET, start)), terms.bits(Bits::signed(width, index)));
            let expected = match expected {
                Some(offset) => terms.bits(Bits::signed(OFFSET, offset)),
                None => far(&mut terms),
            };
            assert_eq!(moved(&mut terms, offset, index, signed, size), expected, "{start} {width} {size}");
        }
    }

    #[test]
    fn narrow_indices_need_no_test() {
        let mut terms = Terms::new();
        let (zero, index) = (terms.zero(OFFSET), terms.variable("index", Sort::Bits(32)));
        let wide = terms.sign_extend(index, 64);
        let place = moved(&mut terms, zero, wide, true, 4);
        assert_ne!(terms.op(place), Op::Ite);
        assert_eq!(place, moved(&mut terms, zero, index, true, 4));
        // From a place that is not known it may go too far.
        let offset = terms.variable("offset", Sort::Bits(OFFSET));
        let place = moved(&mut terms, offset, index, true, 4);
        assert_eq!(terms.op(place), Op::Ite);
    }

    /// A constant index and a variable one of that value lead to the same place, wherever they start.
    #[test]
    fn constant_indices_are_compared_with_bounds() {
        let sizes =
            [(1_i128, 1), (-1, 1), (3, 8), (-5, 12), (1 << 20, 1 << 10), (-(1 << 38), 2), (1 << 40, 1), (i128::from(i32::MIN), 256)];
        for (number, size) in sizes {
            let mut terms = Terms::new();
            let (offset, index) = (terms.variable("offset", Sort::Bits(OFFSET)), terms.variable("index", Sort::Bits(64)));
            let constant = terms.bits(Bits::signed(64, number));
            let (plain, simple) = (moved(&mut terms, offset, index, true, size), moved(&mut terms, offset, constant, true, size));
            let (same, differ) = (terms.equal(index, constant), terms.differ(plain, simple));
            let mut context = logic::Context::new();
            context.assert(&mut terms, same);
            let answer = context.solve(&mut terms, &[differ], &logic::sat::Budget::unlimited());
            assert_eq!(answer, logic::Answer::Unsat, "{number} * {size}");
        }
    }
}

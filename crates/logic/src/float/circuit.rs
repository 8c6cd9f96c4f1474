//! What circuits are built with: the constructors of terms as a notation that nests, and the parts that every float circuit has.

use std::cell::RefCell;

use crate::bits::Bits;
use crate::term::{Term, Terms};

/// Builds terms. Unlike [`Terms`] it is shared, so that one call can stand in the arguments of another.
pub(super) struct Circuit<'a> {
    terms: RefCell<&'a mut Terms>,
}

/// The constructors of [`Terms`] by their own names.
macro_rules! shared {
    ($($name:ident($($arg:ident: $ty:ty),*);)*) => {
        impl Circuit<'_> {
            $(pub(super) fn $name(&self, $($arg: $ty),*) -> Term {
                self.terms.borrow_mut().$name($($arg),*)
            })*
        }
    };
}

shared! {
    not(a: Term);
    and(a: Term, b: Term);
    or(a: Term, b: Term);
    xor(a: Term, b: Term);
    equal(a: Term, b: Term);
    ite(condition: Term, yes: Term, no: Term);
    bit_not(a: Term);
    bit_and(a: Term, b: Term);
    bit_xor(a: Term, b: Term);
    neg(a: Term);
    add(a: Term, b: Term);
    sub(a: Term, b: Term);
    mul(a: Term, b: Term);
    lshr(a: Term, distance: Term);
    ult(a: Term, b: Term);
    slt(a: Term, b: Term);
    concat(high: Term, low: Term);
    nonzero(a: Term);
    bit(condition: Term);
    test_bit(a: Term, bit: u32);
    extract(a: Term, high: u32, low: u32);
    zero_extend(a: Term, width: u32);
    sign_extend(a: Term, width: u32);
    zero(width: u32);
    ones(width: u32);
    number(width: u32, value: u128);
    bool(value: bool);
    bits(value: Bits);
}

impl<'a> Circuit<'a> {
    pub(super) fn new(terms: &'a mut Terms) -> Self {
        Circuit { terms: RefCell::new(terms) }
    }
    pub(super) fn width(&self, a: Term) -> u32 {
        self.terms.borrow().width(a)
    }
    /// A constant that may be negative.
    pub(super) fn integer(&self, width: u32, value: i64) -> Term {
        self.bits(Bits::signed(width, value.into()))
    }
    pub(super) fn is_zero(&self, a: Term) -> Term {
        self.not(self.nonzero(a))
    }
    pub(super) fn is_ones(&self, a: Term) -> Term {
        self.equal(a, self.ones(self.width(a)))
    }
    /// The top bit as a truth value.
    pub(super) fn top(&self, a: Term) -> Term {
        self.test_bit(a, self.width(a) - 1)
    }
    /// The highest bits, this many.
    pub(super) fn head(&self, a: Term, count: u32) -> Term {
        let width = self.width(a);
        self.extract(a, width - 1, width - count)
    }
    /// The lowest bits, this many.
    pub(super) fn tail(&self, a: Term, count: u32) -> Term {
        self.extract(a, count - 1, 0)
    }
    /// Zeros at the bottom, this many.
    pub(super) fn pad(&self, a: Term, zeros: u32) -> Term {
        if zeros == 0 { a } else { self.concat(a, self.zero(zeros)) }
    }
    /// The vector if the condition holds, else 0.
    pub(super) fn masked(&self, condition: Term, a: Term) -> Term {
        self.ite(condition, a, self.zero(self.width(a)))
    }
    /// The sum, or the difference, with one adder: the complement of the second and a carry, which an additional lowest bit brings in.
    pub(super) fn add_or_subtract(&self, a: Term, b: Term, subtract: Term) -> Term {
        let width = self.width(a);
        let subtract = self.bit(subtract);
        let b = self.bit_xor(b, self.sign_extend(subtract, width));
        let sum = self.add(self.concat(a, self.ones(1)), self.concat(b, subtract));
        self.head(sum, width)
    }
    /// The negative if the condition holds.
    pub(super) fn negated_if(&self, condition: Term, a: Term) -> Term {
        self.ite(condition, self.neg(a), a)
    }
}

/// Sticky bits: a lowest bit that is set if anything below it was lost. A number with a sticky bit rounds as the exact one does, as long as
/// the sticky bit is below the bit that decides between up and down.
impl Circuit<'_> {
    /// The highest bits, this many, the last of them sticky.
    pub(super) fn jam(&self, a: Term, count: u32) -> Term {
        let width = self.width(a);
        if width <= count {
            return self.pad(a, count - width);
        }
        let lost = self.bit(self.nonzero(self.tail(a, width - count + 1)));
        if count == 1 { lost } else { self.concat(self.head(a, count - 1), lost) }
    }
    /// Shifted right by a distance of any width, the lowest bit sticky.
    pub(super) fn shift_right_jam(&self, a: Term, distance: Term) -> Term {
        let width = self.width(a);
        let mut shifted = a;
        for index in 0..self.width(distance) {
            let step = 1u32.checked_shl(index).filter(|step| *step < width);
            let Some(step) = step else {
                // All further bits of the distance are worth the width or more.
                let far = self.nonzero(self.extract(distance, self.width(distance) - 1, index));
                let rest = self.zero_extend(self.bit(self.nonzero(shifted)), width);
                return self.ite(far, rest, shifted);
            };
            let moved = self.zero_extend(self.jam(shifted, width - step), width);
            shifted = self.ite(self.test_bit(distance, index), moved, shifted);
        }
        shifted
    }
}

/// Normalisation: shifting left until the top bit is set, by powers of two.
impl Circuit<'_> {
    /// The number shifted left until its top bit is set, and the distance. Leading zeros are only sure to go if they are no more than
    /// `most`; the distance is right in any case.
    pub(super) fn normalise(&self, a: Term, most: u32) -> (Term, Term) {
        let mut shifted = a;
        let mut distance = None;
        for index in (0..u32::BITS - most.leading_zeros()).rev() {
            let step = 1 << index;
            let empty = self.is_zero(self.head(shifted, step.min(self.width(a))));
            shifted = self.ite(empty, self.shifted_left(shifted, step), shifted);
            let bit = self.bit(empty);
            distance = Some(distance.map_or(bit, |high| self.concat(high, bit)));
        }
        (shifted, distance.unwrap_or_else(|| self.zero(1)))
    }
    /// The number shifted left until its top bit is set or the exponent is 1, and the exponent, lowered by the distance. The exponent is at
    /// least 1 before.
    pub(super) fn normalise_within(&self, a: Term, exponent: Term) -> (Term, Term) {
        let width = self.width(exponent);
        let mut shifted = a;
        // How far the exponent can still be lowered.
        let mut room = self.sub(exponent, self.number(width, 1));
        for index in (0..u32::BITS - (self.width(a) - 1).leading_zeros()).rev().filter(|index| *index < width) {
            let step = 1 << index;
            let empty = self.is_zero(self.head(shifted, step.min(self.width(a))));
            // Only the bits from `index` on take part in the difference.
            let high = self.extract(room, width - 1, index);
            let moves = self.and(empty, self.nonzero(high));
            shifted = self.ite(moves, self.shifted_left(shifted, step), shifted);
            let lowered = self.ite(moves, self.sub(high, self.number(width - index, 1)), high);
            room = if index == 0 { lowered } else { self.concat(lowered, self.tail(room, index)) };
        }
        (shifted, self.add(room, self.number(width, 1)))
    }
    /// Shifted left by a constant.
    pub(super) fn shifted_left(&self, a: Term, step: u32) -> Term {
        let width = self.width(a);
        if step >= width { self.zero(width) } else { self.pad(self.tail(a, width - step), step) }
    }
}

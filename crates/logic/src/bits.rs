//! Constants of bit-vectors: fixed width, arithmetic modulo a power of two, SMT-LIB's meaning of every operation.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use smallvec::{SmallVec, smallvec};

/// The digits of a number to the base 2^64, the least significant first.
type Limbs = SmallVec<[u64; 2]>;

/// A constant bit-vector of any width from one bit on.
///
/// No operation panics. A width of 0 is taken as 1. A second operand of another width is first cut or zero-extended to the width of the
/// first. The order is by width, then by the unsigned value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    /// Exactly as many as the width needs; the unused high bits of the last are zero, so equal values are equal fields.
    limbs: Limbs,
}

/// Construction.
impl Bits {
    /// The vector of these limbs, cut to the width. Every other way to make one comes through here.
    fn build(width: u32, limb: impl FnMut(i64) -> u64) -> Bits {
        let width = width.max(1);
        let mut limbs: Limbs = (0..i64::from(width.div_ceil(64))).map(limb).collect();
        if let Some(top) = limbs.last_mut() {
            *top &= u64::MAX >> (width.wrapping_neg() % 64);
        }
        Bits { width, limbs }
    }
    /// The low bits of `value`, with zeros above.
    pub fn new(width: u32, value: u128) -> Bits {
        let limbs = [value as u64, (value >> 64) as u64];
        Bits::build(width, |index| limb_at(&limbs, index))
    }
    /// The low bits of `value`, with its sign above.
    pub fn signed(width: u32, value: i128) -> Bits {
        Bits::new(128, value as u128).sign_extend(width)
    }
    /// The vector whose bit number `i` is `bit(i)`; asked once for each bit, from 0 on.
    pub fn from_fn(width: u32, mut bit: impl FnMut(u32) -> bool) -> Bits {
        let width = width.max(1);
        Bits::build(width, |index| {
            let start = index * 64;
            let end = (start + 64).min(i64::from(width));
            (start..end).fold(0, |limb, i| limb | u64::from(bit(i as u32)) << (i - start))
        })
    }
    /// 0.
    pub fn zero(width: u32) -> Bits {
        Bits::new(width, 0)
    }
    /// 1.
    pub fn one(width: u32) -> Bits {
        Bits::new(width, 1)
    }
    /// All bits set: the greatest unsigned value, and -1.
    pub fn ones(width: u32) -> Bits {
        Bits::build(width, |_| u64::MAX)
    }
    /// The least signed value: only the top bit is set.
    pub fn min_signed(width: u32) -> Bits {
        Bits::max_signed(width).not()
    }
    /// The greatest signed value: all bits but the top bit are set.
    pub fn max_signed(width: u32) -> Bits {
        Bits::ones(width).window(width.max(1), 1)
    }
}

/// Questions about one vector.
impl Bits {
    /// The number of bits, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }
    /// The digit number `index`; zero outside the vector.
    fn limb(&self, index: i64) -> u64 {
        limb_at(&self.limbs, index)
    }
    /// The bit number `index`, counted from the least significant; false beyond the width.
    pub fn bit(&self, index: u32) -> bool {
        self.limb(i64::from(index / 64)) >> (index % 64) & 1 == 1
    }
    /// The top bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }
    /// Whether no bit is set.
    pub fn is_zero(&self) -> bool {
        self.limbs.iter().all(|&limb| limb == 0)
    }
    /// Whether this is 1.
    pub fn is_one(&self) -> bool {
        self.to_u128() == Some(1)
    }
    /// Whether all bits are set.
    pub fn is_ones(&self) -> bool {
        self.count_ones() == self.width
    }
    /// The unsigned value, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        self.limbs.iter().skip(2).all(|&limb| limb == 0).then(|| self.low_u128())
    }
    /// The unsigned value, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|value| u64::try_from(value).ok())
    }
    /// The signed value, if it fits.
    pub fn to_i128(&self) -> Option<i128> {
        let value = self.sign_extend(128).low_u128() as i128;
        (Bits::signed(self.width, value) == *self).then_some(value)
    }
    /// The low 128 bits of the unsigned value.
    pub fn low_u128(&self) -> u128 {
        u128::from(self.limb(1)) << 64 | u128::from(self.limb(0))
    }
    /// The number of zeros below the lowest set bit; the width if there is none.
    pub fn trailing_zeros(&self) -> u32 {
        let lowest = self.limbs.iter().zip((0..).step_by(64)).find(|(limb, _)| **limb != 0);
        lowest.map_or(self.width, |(limb, start): (_, u32)| start + limb.trailing_zeros())
    }
    /// The number of zeros above the highest set bit; the width if there is none.
    pub fn leading_zeros(&self) -> u32 {
        let highest = self.limbs.iter().zip((0..).step_by(64)).filter(|(limb, _)| **limb != 0).last();
        highest.map_or(self.width, |(limb, start): (_, u32)| self.width - start - (64 - limb.leading_zeros()))
    }
    /// The number of set bits.
    pub fn count_ones(&self) -> u32 {
        self.limbs.iter().map(|limb| limb.count_ones()).sum()
    }
    /// The exponent, if exactly one bit is set.
    pub fn power_of_two(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }
}

/// Parts of vectors, and changes of width.
impl Bits {
    /// `width` bits from the bit number `start` on; the bits outside the vector are zero.
    fn window(&self, width: u32, start: i64) -> Bits {
        Bits::build(width, |index| {
            let start = start + 64 * index;
            let (index, offset) = (start.div_euclid(64), start.rem_euclid(64));
            let low = self.limb(index) >> offset;
            if offset == 0 { low } else { low | self.limb(index + 1) << (64 - offset) }
        })
    }
    /// This vector above, `low` below.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width.saturating_add(low.width);
        self.window(width, -i64::from(low.width)).or(low)
    }
    /// The bits from `low` up to and including `high`; bits beyond the width are zero. One bit if `high` is below `low`.
    pub fn extract(&self, high: u32, low: u32) -> Bits {
        self.window(high.saturating_sub(low).saturating_add(1), i64::from(low))
    }
    /// The same unsigned value in `width` bits; cut if they are fewer.
    pub fn zero_extend(&self, width: u32) -> Bits {
        Bits::build(width, |index| self.limb(index))
    }
    /// The same signed value in `width` bits; cut if they are fewer.
    pub fn sign_extend(&self, width: u32) -> Bits {
        if self.sign() { self.not().zero_extend(width).not() } else { self.zero_extend(width) }
    }
    /// This vector in the width of a first operand.
    fn fitted(&self, width: u32) -> Cow<'_, Bits> {
        if self.width == width { Cow::Borrowed(self) } else { Cow::Owned(self.zero_extend(width)) }
    }
}

/// Bitwise operations and shifts.
impl Bits {
    /// Each bit inverted.
    pub fn not(&self) -> Bits {
        Bits::build(self.width, |index| !self.limb(index))
    }
    /// Bitwise and.
    pub fn and(&self, other: &Bits) -> Bits {
        Bits::build(self.width, |index| self.limb(index) & other.limb(index))
    }
    /// Bitwise inclusive or.
    pub fn or(&self, other: &Bits) -> Bits {
        Bits::build(self.width, |index| self.limb(index) | other.limb(index))
    }
    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Bits) -> Bits {
        Bits::build(self.width, |index| self.limb(index) ^ other.limb(index))
    }
    /// How far a shift by `distance` goes: no farther than the width, where nothing is left of the vector.
    fn distance(&self, distance: &Bits) -> i64 {
        let width = i64::from(self.width);
        distance.fitted(self.width).to_u64().map_or(width, |distance| i64::try_from(distance).unwrap_or(width).min(width))
    }
    /// Shifted to the left; 0 if `distance` is the width or more.
    pub fn shl(&self, distance: &Bits) -> Bits {
        self.window(self.width, -self.distance(distance))
    }
    /// Shifted to the right, zeros come in; 0 if `distance` is the width or more.
    pub fn lshr(&self, distance: &Bits) -> Bits {
        self.window(self.width, self.distance(distance))
    }
    /// Shifted to the right, copies of the sign come in; nothing but the sign if `distance` is the width or more.
    pub fn ashr(&self, distance: &Bits) -> Bits {
        if self.sign() { self.not().lshr(distance).not() } else { self.lshr(distance) }
    }
}

/// Arithmetic.
impl Bits {
    /// The value that gives 0 if this is added.
    pub fn neg(&self) -> Bits {
        Bits::zero(self.width).sub(self)
    }
    /// The signed value's distance from 0, as an unsigned value: it always fits.
    fn magnitude(&self) -> Bits {
        if self.sign() { self.neg() } else { self.clone() }
    }
    /// The negative of this if `negative`.
    fn negated_if(self, negative: bool) -> Bits {
        if negative { self.neg() } else { self }
    }
    /// The sum of this vector, the limbs that `other` gives, and `carry`.
    fn sum(&self, other: impl Fn(i64) -> u64, carry: bool) -> Bits {
        let mut carry = u128::from(carry);
        Bits::build(self.width, |index| {
            let sum = u128::from(self.limb(index)) + u128::from(other(index)) + carry;
            carry = sum >> 64;
            sum as u64
        })
    }
    /// The sum.
    pub fn add(&self, other: &Bits) -> Bits {
        self.sum(|index| other.limb(index), false)
    }
    /// The difference.
    pub fn sub(&self, other: &Bits) -> Bits {
        self.sum(|index| !other.limb(index), true)
    }
    /// The product.
    pub fn mul(&self, other: &Bits) -> Bits {
        if self.width <= 128 {
            return Bits::new(self.width, self.low_u128().wrapping_mul(other.low_u128()));
        }
        let mut product: Limbs = smallvec![0; self.limbs.len()];
        for (position, &digit) in self.limbs.iter().enumerate() {
            let mut carry = 0;
            for (index, limb) in (0..).zip(product.iter_mut().skip(position)) {
                let sum = u128::from(digit) * u128::from(other.limb(index)) + u128::from(*limb) + carry;
                *limb = sum as u64;
                carry = sum >> 64;
            }
        }
        Bits::build(self.width, |index| limb_at(&product, index))
    }
    /// Quotient and remainder of the unsigned values; by 0 they are all ones and the dividend.
    fn divide(&self, divisor: &Bits) -> (Bits, Bits) {
        let divisor = divisor.fitted(self.width);
        match (self.to_u128(), divisor.to_u128()) {
            (_, Some(0)) => (Bits::ones(self.width), self.clone()),
            (Some(n), Some(d)) => (Bits::new(self.width, n / d), Bits::new(self.width, n % d)),
            _ => self.divide_long(&divisor),
        }
    }
    /// Long division to the base 2, by a divisor of the same width that is not 0.
    fn divide_long(&self, divisor: &Bits) -> (Bits, Bits) {
        let mut quotient: Limbs = smallvec![0; self.limbs.len()];
        let mut remainder = quotient.clone();
        for index in (0..self.width - self.leading_zeros()).rev() {
            let overflow = shift_in(&mut remainder, self.bit(index));
            // With the overflow, the remainder is certainly greater than the divisor, and their difference fits again.
            let fits = overflow || remainder.iter().rev().ge(divisor.limbs.iter().rev());
            if fits {
                subtract(&mut remainder, &divisor.limbs);
            }
            if let Some(limb) = quotient.get_mut((index / 64) as usize) {
                *limb |= u64::from(fits) << (index % 64);
            }
        }
        (Bits { width: self.width, limbs: quotient }, Bits { width: self.width, limbs: remainder })
    }
    /// The quotient of the unsigned values; all ones if `divisor` is 0.
    pub fn udiv(&self, divisor: &Bits) -> Bits {
        self.divide(divisor).0
    }
    /// The remainder of the unsigned values; this vector if `divisor` is 0.
    pub fn urem(&self, divisor: &Bits) -> Bits {
        self.divide(divisor).1
    }
    /// The quotient of the signed values, rounded towards 0; 1 or -1 if `divisor` is 0, against the sign of this vector.
    pub fn sdiv(&self, divisor: &Bits) -> Bits {
        let divisor = divisor.fitted(self.width);
        self.magnitude().udiv(&divisor.magnitude()).negated_if(self.sign() != divisor.sign())
    }
    /// The remainder of the signed values, with the sign of this vector; this vector if `divisor` is 0.
    pub fn srem(&self, divisor: &Bits) -> Bits {
        let divisor = divisor.fitted(self.width);
        self.magnitude().urem(&divisor.magnitude()).negated_if(self.sign())
    }
}

/// Comparisons and overflow.
impl Bits {
    /// Whether the unsigned value is less than the other's.
    pub fn ult(&self, other: &Bits) -> bool {
        *self < *other.fitted(self.width)
    }
    /// Whether the unsigned value is less than the other's or equal.
    pub fn ule(&self, other: &Bits) -> bool {
        *self <= *other.fitted(self.width)
    }
    /// Whether the signed value is less than the other's.
    pub fn slt(&self, other: &Bits) -> bool {
        let other = other.fitted(self.width);
        if self.sign() == other.sign() { *self < *other } else { self.sign() }
    }
    /// Whether the signed value is less than the other's or equal.
    pub fn sle(&self, other: &Bits) -> bool {
        !other.fitted(self.width).slt(self)
    }
    /// Whether the product of the unsigned values does not fit the width.
    pub fn umul_overflows(&self, other: &Bits) -> bool {
        !self.is_zero() && Bits::ones(self.width).udiv(self).ult(other)
    }
    /// Whether the product of the signed values does not fit the width.
    pub fn smul_overflows(&self, other: &Bits) -> bool {
        let other = other.fitted(self.width);
        let (left, right) = (self.magnitude(), other.magnitude());
        // A negative product may be one farther from 0 than a positive one.
        let limit = if self.sign() == other.sign() { Bits::max_signed(self.width) } else { Bits::min_signed(self.width) };
        left.umul_overflows(&right) || limit.ult(&left.mul(&right))
    }
}

/// The digit number `index`; zero outside the number.
fn limb_at(limbs: &[u64], index: i64) -> u64 {
    usize::try_from(index).ok().and_then(|index| limbs.get(index)).copied().unwrap_or(0)
}

/// Shifts the number to the left by one, with `bit` as the lowest bit; returns the bit that falls out above.
fn shift_in(limbs: &mut [u64], bit: bool) -> bool {
    limbs.iter_mut().fold(bit, |carry, limb| {
        let out = *limb >> 63 == 1;
        *limb = *limb << 1 | u64::from(carry);
        out
    })
}

/// Subtracts a number of as many limbs; a borrow beyond them is lost.
fn subtract(limbs: &mut [u64], other: &[u64]) {
    let mut borrow = false;
    for (limb, &digit) in limbs.iter_mut().zip(other) {
        let (difference, first) = limb.overflowing_sub(digit);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        *limb = difference;
        borrow = first || second;
    }
}

impl Ord for Bits {
    fn cmp(&self, other: &Bits) -> Ordering {
        self.width.cmp(&other.width).then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

impl PartialOrd for Bits {
    fn partial_cmp(&self, other: &Bits) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The unsigned value: decimal if it fits 128 bits, else hexadecimal.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(value) = self.to_u128() {
            return write!(f, "{value}");
        }
        let mut limbs = self.limbs.iter().rev().skip_while(|limb| **limb == 0);
        write!(f, "0x{:x}", limbs.next().copied().unwrap_or(0))?;
        limbs.try_for_each(|limb| write!(f, "{limb:016x}"))
    }
}

/// The value and the width, as `5:8`.
impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}:{}", self.width)
    }
}

#[cfg(test)]
mod tests;

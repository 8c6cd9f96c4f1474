//! Circuits for vectors of literals, lowest bit first.

use super::gates::Gates;
use crate::sat::{Lit, SatSolver};

impl<S: SatSolver> Gates<S> {
    /// Sum with a carry in; the result is as wide as the operands, and the carry out comes with it.
    pub fn add(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            sum.push(self.xor3(a, b, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }
    /// Difference; the second result is true if there was no borrow, that is if `a >= b`.
    pub fn sub(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
        let complement = invert(b);
        self.add(a, &complement, self.constant(true))
    }
    /// Two's complement.
    pub fn neg(&mut self, a: &[Lit]) -> Vec<Lit> {
        let zeros = vec![self.constant(false); a.len()];
        self.sub(&zeros, a).0
    }
    /// The operand or its negation.
    pub fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Vec<Lit> {
        let flipped: Vec<Lit> = a.iter().map(|&bit| self.xor(bit, condition)).collect();
        let zeros = vec![self.constant(false); a.len()];
        self.add(&flipped, &zeros, condition).0
    }
    /// Unsigned less: the carry chain of a subtraction, without its sum.
    pub fn ult(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        for (&a, &b) in a.iter().zip(b) {
            less = self.majority(!a, b, less);
        }
        less
    }
    /// Signed less: the same with the signs swapped.
    pub fn slt(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        match (a.split_last(), b.split_last()) {
            (Some((&sign_a, a)), Some((&sign_b, b))) => {
                let less = self.ult(a, b);
                self.majority(sign_a, !sign_b, less)
            }
            _ => self.constant(false),
        }
    }
    /// Equality.
    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let bits: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| self.iff(a, b)).collect();
        self.all(&bits)
    }
    /// One vector or the other.
    pub fn choose(&mut self, condition: Lit, yes: &[Lit], no: &[Lit]) -> Vec<Lit> {
        yes.iter().zip(no).map(|(&yes, &no)| self.mux(condition, yes, no)).collect()
    }

    /// The low bits of the product, as many as the operands have. Rows are added one by one; a constant operand is recoded to signed digits, so
    /// that a run of ones costs two rows.
    pub fn mul(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let constants = |gates: &Self, lits: &[Lit]| lits.iter().filter(|&&lit| gates.as_constant(lit).is_some()).count();
        let (a, b) = if constants(self, a) > constants(self, b) { (b, a) } else { (a, b) };
        if let Some(bits) = b.iter().map(|&lit| self.as_constant(lit)).collect::<Option<Vec<bool>>>() {
            return self.mul_constant(a, &bits);
        }
        let width = a.len();
        let mut sum = vec![self.constant(false); width];
        for (row, &factor) in b.iter().enumerate() {
            if self.as_constant(factor) == Some(false) {
                continue;
            }
            let shifted: Vec<Lit> = a[..width - row].iter().map(|&bit| self.and(bit, factor)).collect();
            let (high, _) = self.add(&sum[row..], &shifted, self.constant(false));
            sum.truncate(row);
            sum.extend(high);
        }
        sum
    }

    fn mul_constant(&mut self, a: &[Lit], factor: &[bool]) -> Vec<Lit> {
        let width = a.len();
        let mut sum = vec![self.constant(false); width];
        for (row, digit) in signed_digits(factor).into_iter().enumerate() {
            let (high, rows) = (sum.split_off(row), &a[..width - row]);
            sum.extend(match digit {
                0 => high,
                1 => self.add(&high, rows, self.constant(false)).0,
                _ => self.sub(&high, rows).0,
            });
        }
        sum
    }

    /// Quotient and remainder of unsigned numbers, with SMT-LIB's results for a divisor 0, by restoring division: one subtraction per bit, each only
    /// as wide as the remainder can be.
    pub fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = a.len();
        let zero = self.constant(false);
        let mut remainder: Vec<Lit> = Vec::with_capacity(width);
        let mut quotient = vec![zero; width];
        // Whether the divisor has a one from a position on.
        let mut ones_from = vec![zero; width + 1];
        for position in (0..width).rev() {
            ones_from[position] = self.or(b[position], ones_from[position + 1]);
        }
        // A remainder is less than a divisor that is not 0 for sure, so it has no more bits.
        let nonzero = b.contains(&self.constant(true));
        let most = if nonzero { width - b.iter().rev().take_while(|&&bit| bit == zero).count() } else { width };
        for step in (0..width).rev() {
            remainder.truncate(most);
            remainder.insert(0, a[step]);
            // What is above the remainder's bits so far must be zero in the divisor for it to fit.
            let reach = remainder.len();
            let (difference, no_borrow) = self.sub(&remainder, &b[..reach]);
            let fits = self.and(no_borrow, !ones_from[reach]);
            quotient[step] = fits;
            remainder = self.choose(fits, &difference, &remainder);
        }
        remainder.truncate(most);
        remainder.resize(width, zero);
        // This follows, but only from all steps together, so the solver would search long for it: the remainder is less than a divisor that is not 0.
        let less = self.ult(&remainder, b);
        self.solver.add_clause(&[less, !ones_from[0]]);
        (quotient, remainder)
    }

    /// A shift by a variable distance: one layer of choices per bit of the distance; `fill` comes in where bits go away.
    pub fn shift(&mut self, a: &[Lit], distance: &[Lit], left: bool, fill: Lit) -> Vec<Lit> {
        let width = a.len();
        let mut current = a.to_vec();
        let mut layer = 0;
        while layer < distance.len() && (1usize << layer) < width {
            let step = 1usize << layer;
            let moved: Vec<Lit> = (0..width)
                .map(|bit| match left {
                    true => bit.checked_sub(step).map_or(fill, |from| current[from]),
                    false => current.get(bit + step).copied().unwrap_or(fill),
                })
                .collect();
            current = self.choose(distance[layer], &moved, &current);
            layer += 1;
        }
        let beyond = self.any(&distance[layer..]);
        current.iter().map(|&bit| self.mux(beyond, fill, bit)).collect()
    }

    /// Whether the exact unsigned product does not fit: if the operands' lengths add up to more than width + 1, it cannot fit; otherwise one more
    /// bit of the product decides.
    pub fn umul_overflows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let width = a.len();
        let zero = self.constant(false);
        // Some a[i] and b[j] with i + j >= width: seen from the top of b, "a has a one at width - j or above".
        let mut too_long = zero;
        let mut above = zero;
        for j in 1..width {
            above = self.or(above, a[width - j]);
            let both = self.and(b[j], above);
            too_long = self.or(too_long, both);
        }
        let widened = |lits: &[Lit]| lits.iter().copied().chain([zero]).collect::<Vec<_>>();
        let product = self.mul(&widened(a), &widened(b));
        self.or(too_long, product[width])
    }
    /// Whether the exact signed product does not fit: the magnitudes' product must be below 2^(width-1), or equal to it if the result is negative.
    pub fn smul_overflows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let width = a.len();
        let (sign_a, sign_b) = (a[width - 1], b[width - 1]);
        let (x, y) = (self.negate_if(sign_a, a), self.negate_if(sign_b, b));
        let negative = self.xor(sign_a, sign_b);
        let too_large = self.umul_overflows(&x, &y);
        let product = self.mul(&x, &y);
        let rest = self.any(&product[..width - 1]);
        let beyond = self.or(!negative, rest);
        let top = self.and(product[width - 1], beyond);
        self.or(too_large, top)
    }
}

/// All bits negated.
pub fn invert(a: &[Lit]) -> Vec<Lit> {
    a.iter().map(|&bit| !bit).collect()
}

/// The non-adjacent form of a number modulo 2^width: digits -1, 0, 1 of which no two neighbours are both nonzero.
fn signed_digits(bits: &[bool]) -> Vec<i8> {
    let mut carry = false;
    let mut digits = Vec::with_capacity(bits.len());
    for (position, &bit) in bits.iter().enumerate() {
        let next = bits.get(position + 1).copied().unwrap_or(false);
        let digit = match (bit, carry) {
            (false, false) | (true, true) => 0,
            _ if next => -1,
            _ => 1,
        };
        carry = match (bit, carry) {
            (true, true) => true,
            (false, false) => false,
            _ => digit == -1,
        };
        digits.push(digit);
    }
    digits
}

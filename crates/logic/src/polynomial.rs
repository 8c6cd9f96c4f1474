//! Sums and products modulo a power of two, in a normal form.
//!
//! That `(r - (n - 1)) - (m + 1)` and `r - n - m` are the same is hard to see bit by bit and easy to see symbol by symbol. Polynomials with the same
//! normal form are equal whatever their variables are, because machine integers are a ring.

use std::collections::BTreeMap;

use crate::op::Op;
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// So many operators of a term are taken apart.
const ROOM: usize = 64;
/// A polynomial has no more summands than this, …
const SUMMANDS: usize = 32;
/// … and each no more factors.
const DEGREE: usize = 4;
/// So many choices between values are looked into.
const CHOICES: u32 = 4;
/// Coefficients are numbers of this width.
const WIDEST: u32 = 64;

/// The coefficient of each product of terms; the empty product stands for the constant. None is 0.
#[derive(Clone, Default)]
struct Polynomial(BTreeMap<Vec<Term>, u128>);

/// Takes terms apart.
struct Reader {
    width: u32,
    room: usize,
}

impl Reader {
    fn mask(&self, value: u128) -> u128 {
        value & ((1 << self.width) - 1)
    }

    fn add(&self, to: &mut Polynomial, product: Vec<Term>, factor: u128) {
        let before = to.0.remove(&product).unwrap_or(0);
        let sum = self.mask(before.wrapping_add(factor));
        if sum != 0 {
            to.0.insert(product, sum);
        }
    }

    fn sum(&self, a: Polynomial, b: &Polynomial, factor: u128) -> Polynomial {
        let mut sum = a;
        for (product, coefficient) in &b.0 {
            self.add(&mut sum, product.clone(), coefficient.wrapping_mul(factor));
        }
        sum
    }

    fn product(&self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        let mut result = Polynomial::default();
        for (left, x) in &a.0 {
            for (right, y) in &b.0 {
                let mut factors = [left.as_slice(), right.as_slice()].concat();
                factors.sort_unstable();
                if factors.len() > DEGREE {
                    return None;
                }
                self.add(&mut result, factors, x.wrapping_mul(*y));
            }
        }
        (result.0.len() <= SUMMANDS).then_some(result)
    }

    /// The low bits of a term that has at least as many.
    fn polynomial(&mut self, terms: &mut Terms, term: Term) -> Polynomial {
        if let Some(bits) = terms.as_bits(term) {
            let mut constant = Polynomial::default();
            self.add(&mut constant, Vec::new(), bits.low_u128());
            return constant;
        }
        if self.room > 0 {
            self.room -= 1;
            if let Some(found) = self.apart(terms, term) {
                return found;
            }
        }
        let low = terms.extract(term, self.width - 1, 0);
        Polynomial(BTreeMap::from([(vec![low], 1)]))
    }

    fn apart(&mut self, terms: &mut Terms, term: Term) -> Option<Polynomial> {
        let minus_one = self.mask(u128::MAX);
        let node = terms.node(term).clone();
        Some(match (node.op, node.args.as_slice()) {
            (Op::Add | Op::Sub | Op::Mul, &[a, b]) => {
                let (a, b) = (self.polynomial(terms, a), self.polynomial(terms, b));
                match node.op {
                    Op::Add => self.sum(a, &b, 1),
                    Op::Sub => self.sum(a, &b, minus_one),
                    _ => self.product(&a, &b)?,
                }
            }
            (Op::Neg, &[a]) => {
                let a = self.polynomial(terms, a);
                self.sum(Polynomial::default(), &a, minus_one)
            }
            (Op::BitNot, &[a]) => {
                let a = self.polynomial(terms, a);
                let mut result = self.sum(Polynomial::default(), &a, minus_one);
                self.add(&mut result, Vec::new(), minus_one);
                result
            }
            // Low bits of sums and products come from low bits.
            (Op::Extract(0) | Op::ZeroExtend | Op::SignExtend, &[a]) if terms.width(a) >= self.width => self.polynomial(terms, a),
            _ => return None,
        })
    }

    /// Puts a value in the place of a term.
    fn with(&self, polynomial: &Polynomial, term: Term, value: &Polynomial) -> Option<Polynomial> {
        let mut result = Polynomial::default();
        for (product, factor) in &polynomial.0 {
            let rest: Vec<Term> = product.iter().copied().filter(|one| *one != term).collect();
            let mut part = Polynomial(BTreeMap::from([(rest.clone(), *factor)]));
            for _ in rest.len()..product.len() {
                part = self.product(&part, value)?;
            }
            result = self.sum(result, &part, 1);
        }
        (result.0.len() <= SUMMANDS).then_some(result)
    }
}

impl Terms {
    /// That a number is 0.
    pub fn vanishes(&mut self, number: Term) -> Term {
        let Sort::Bits(width @ 1..=WIDEST) = self.sort(number) else {
            let zero = self.zero(self.width(number));
            return self.equal(number, zero);
        };
        let mut reader = Reader { width, room: ROOM };
        let polynomial = reader.polynomial(self, number);
        self.polynomial_vanishes(&mut reader, &polynomial, CHOICES)
    }

    fn polynomial_vanishes(&mut self, reader: &mut Reader, polynomial: &Polynomial, choices: u32) -> Term {
        let chosen = |terms: &Self| polynomial.0.keys().flatten().copied().find(|factor| terms.op(*factor) == Op::Ite);
        if choices > 0
            && let Some(choice) = chosen(self)
            && let &[condition, a, b] = self.node(choice).args.clone().as_slice()
        {
            let values = [a, b].map(|value| reader.polynomial(self, value));
            let [Some(a), Some(b)] = values.map(|value| reader.with(polynomial, choice, &value)) else {
                return self.sides_equal(reader, polynomial);
            };
            let [a, b] = [a, b].map(|branch| self.polynomial_vanishes(reader, &branch, choices - 1));
            return self.ite(condition, a, b);
        }
        self.sides_equal(reader, polynomial)
    }

    /// The summands whose factors are small, against those that are small if negated: which side is which depends on the first.
    fn sides_equal(&mut self, reader: &Reader, polynomial: &Polynomial) -> Term {
        let half = 1 << (reader.width - 1);
        let first_is_large = polynomial.0.values().next_back().is_some_and(|factor| *factor > half);
        let mut sides = [self.zero(reader.width); 2];
        for (product, &factor) in polynomial.0.iter().rev() {
            let large = factor > half;
            let size = if large { reader.mask(factor.wrapping_neg()) } else { factor };
            let mut summand = self.number(reader.width, size);
            for &one in product {
                summand = self.mul(summand, one);
            }
            let side = usize::from(large != first_is_large);
            sides[side] = self.add(sides[side], summand);
        }
        let [left, right] = sides;
        self.equal(left, right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Assignment, Evaluator, Value};

    #[test]
    fn equal_sums_are_the_same_term() {
        let mut terms = Terms::new();
        let [r, n, m] = ["r", "n", "m"].map(|name| terms.variable(name, Sort::Bits(32)));
        let one = terms.one(32);
        let (less, more) = (terms.sub(n, one), terms.add(m, one));
        let rest = terms.sub(r, less);
        let called = terms.sub(rest, more);
        let rest = terms.sub(r, m);
        let own = terms.sub(rest, n);
        let (called, own) = (terms.vanishes(called), terms.vanishes(own));
        assert_eq!(called, own);
        let none = terms.sub(n, n);
        let none = terms.vanishes(none);
        assert_eq!(terms.as_bool(none), Some(true));
    }

    #[test]
    fn products_are_multiplied_out() {
        let mut terms = Terms::new();
        let x = terms.variable("x", Sort::Bits(32));
        let one = terms.one(32);
        // (x + 1) * (x - 1) - x * x + 1
        let (above, below) = (terms.add(x, one), terms.sub(x, one));
        let (product, square) = (terms.mul(above, below), terms.mul(x, x));
        let difference = terms.sub(product, square);
        let sum = terms.add(difference, one);
        let vanishes = terms.vanishes(sum);
        assert_eq!(terms.as_bool(vanishes), Some(true));
    }

    /// Whatever the values are, the normal form says what the term says.
    #[test]
    fn the_normal_form_has_the_same_meaning() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.variable(name, Sort::Bits(4)));
        let c = terms.variable("c", Sort::Bool);
        let wide = terms.sign_extend(x, 8);
        let three = terms.number(8, 3);
        let scaled = terms.mul(wide, three);
        let low = terms.extract(scaled, 3, 0);
        let choice = terms.ite(c, low, y);
        let inverted = terms.bit_not(y);
        let product = terms.mul(choice, inverted);
        let term = terms.sub(product, x);
        let (vanishes, zero) = (terms.vanishes(term), terms.zero(4));
        let plain = terms.equal(term, zero);
        let variables: Vec<_> = terms.variable_terms().collect();
        for values in 0..512u128 {
            let mut model = Assignment::new();
            for (variable, term) in &variables {
                model.set(
                    *variable,
                    match *term {
                        one if one == x => Value::Bits(crate::Bits::new(4, values & 15)),
                        one if one == y => Value::Bits(crate::Bits::new(4, values >> 4 & 15)),
                        _ => Value::Bool(values >> 8 == 1),
                    },
                );
            }
            let mut evaluator = Evaluator::new(&terms, &model);
            assert_eq!(evaluator.holds(vanishes), evaluator.holds(plain), "{values}");
        }
    }
}

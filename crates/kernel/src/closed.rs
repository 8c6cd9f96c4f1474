//! Closed recurrence sets: states from which a loop always comes back to its head, in a state of the set.
//!
//! A run that is in the set once never leaves the loop (*Non-Termination Proofs from Templates*, chapters 2 and 7). The round is that of the summary, so all
//! that a solver says of it holds of every state at the head that runs come to. A loop inside is replaced by its summary, which describes more runs
//! than there are. That does no harm: from each head on the way, control goes on to the same head again, or further on to that of the set. Whether the
//! loop inside ends does not matter then: if it does not, the run does not end either.

use encode::{Encoding, Input, Round};
use logic::sat::{Batsat, Budget};
use logic::{Answer, Bits, Context, Term, Terms};

use crate::ranking::{Measure, Shape};

/// What a set says about its states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// A number of a state; only its parts and its shape count.
    pub measure: Measure,
    /// How it compares.
    pub relation: Comparison,
    /// With what.
    pub value: i128,
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// They are equal.
    Equal,
    /// They differ.
    Differs,
    /// The first is not less.
    AtLeast,
    /// The first is not greater.
    AtMost,
}

impl Comparison {
    /// Whether it holds of two numbers.
    pub fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Comparison::Equal => a == b,
            Comparison::Differs => a != b,
            Comparison::AtLeast => a >= b,
            Comparison::AtMost => a <= b,
        }
    }
}

impl Atom {
    /// Whether it holds in a state of which the measured numbers are given; false if one is missing.
    pub fn holds(&self, values: &[Option<i128>]) -> bool {
        self.measured(values).is_some_and(|number| self.relation.holds(number, self.value))
    }

    /// The number that is compared, in such a state.
    pub fn measured(&self, values: &[Option<i128>]) -> Option<i128> {
        let mut sum = 0_i128;
        for &(factor, part) in &self.measure.parts {
            sum = sum.checked_add(values.get(part).copied()??.checked_mul(factor.into())?)?;
        }
        match self.measure.shape {
            Shape::Exact => Some(sum),
            Shape::Modulo(power @ 0..=100) => Some(sum.rem_euclid(1 << power)),
            _ => None,
        }
    }

    /// That it holds at the head of a round, and when control comes there again.
    pub fn terms(&self, terms: &mut Terms, round: &Round) -> Option<[Term; 2]> {
        let (head, again) = self.measure.terms(terms, round)?;
        Some([head, again].map(|term| {
            let width = terms.width(term).max(i128::BITS + 2 - self.value.unsigned_abs().leading_zeros());
            let (term, value) = (terms.sign_extend(term, width), terms.bits(Bits::signed(width, self.value)));
            match self.relation {
                Comparison::Equal => terms.equal(term, value),
                Comparison::Differs => terms.differ(term, value),
                Comparison::AtLeast => terms.sle(value, term),
                Comparison::AtMost => terms.sle(term, value),
            }
        }))
    }
}

/// A set of states at the head of a loop, and what is given as input in each round from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClosedSet {
    /// What holds of its states.
    pub atoms: Vec<Atom>,
    /// The inputs that are chosen: their positions in the encoding's list, and values. All others are arbitrary.
    pub inputs: Vec<(usize, u128)>,
}

impl ClosedSet {
    /// What is assumed of a round: it begins in the set, and the inputs are as chosen.
    pub fn premise(&self, terms: &mut Terms, inputs: &[Input], round: &Round) -> Option<Vec<Term>> {
        let mut premise = vec![round.entered, round.head_valid];
        for &(position, value) in self.inputs.iter().filter(|(position, _)| round.inputs.contains(position)) {
            premise.push(given(terms, inputs.get(position)?.value, value)?);
        }
        for atom in &self.atoms {
            premise.push(atom.terms(terms, round)?[0]);
        }
        Some(premise)
    }

    /// Whether every round from a state of the set is well-defined and leads into the set again, in all rounds of a loop. Calls that are assumed to
    /// return must not be there.
    pub fn is_closed(&self, encoding: &mut Encoding, rounds: &[Round], budget: &Budget) -> bool {
        let certain = encoding.unknown.is_empty() && !encoding.rounds.iter().any(|round| round.recursive);
        let mut context = Context::with_solver(Batsat::new());
        for &fact in &encoding.facts {
            context.assert(&mut encoding.terms, fact);
        }
        certain && !rounds.is_empty() && rounds.iter().all(|round| self.stays(encoding, round, &mut context, budget) == Some(true))
    }

    fn stays(&self, encoding: &mut Encoding, round: &Round, context: &mut Context<Batsat>, budget: &Budget) -> Option<bool> {
        let (valid_inside, stays_inside) = inside(encoding, round)?;
        let Encoding { terms, inputs, .. } = encoding;
        let mut arrives = vec![round.again, round.again_valid];
        for atom in &self.atoms {
            arrives.push(atom.terms(terms, round)?[1]);
        }
        let arrives = terms.all(arrives);
        let goes_on = terms.or(arrives, stays_inside);
        let ends = terms.not(goes_on);
        for failure in [vec![round.failure], vec![valid_inside, ends]] {
            let mut asked = self.premise(terms, inputs, round)?;
            asked.extend(failure);
            if context.solve(terms, &asked, budget) != Answer::Unsat {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// That everything was well-defined in the rounds of loops inside that went before; and that control stays in such a loop, in a well-defined way. The first
/// may be assumed if nothing ever fails on the way. None if not all that is summarised inside are loops.
pub fn inside(encoding: &mut Encoding, round: &Round) -> Option<(Term, Term)> {
    let inside = encoding.rounds.get(round.inside.clone())?;
    if round.recursive || inside.len() != round.leaps_inside || inside.iter().any(|round| round.recursive) {
        return None;
    }
    let terms = &mut encoding.terms;
    let valid: Vec<Term> = inside.iter().map(|round| terms.implies(round.entered, round.head_valid)).collect();
    let again: Vec<Term> = inside.iter().map(|round| terms.and(round.again, round.again_valid)).collect();
    Some((terms.all(valid), terms.any(again)))
}

/// That an input has a value; only truth values and integers can be chosen.
pub fn given(terms: &mut Terms, input: Term, value: u128) -> Option<Term> {
    match terms.sort(input) {
        logic::Sort::Bool => {
            let wanted = terms.bool(value & 1 == 1);
            Some(terms.equal(input, wanted))
        }
        logic::Sort::Bits(width) if width <= 128 => {
            let wanted = terms.number(width, if width == 128 { value } else { value & ((1 << width) - 1) });
            Some(terms.equal(input, wanted))
        }
        _ => None,
    }
}

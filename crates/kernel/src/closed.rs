//! Closed recurrence sets: states from which a loop always comes back to its head, in a state of the set; or from which a call always leads to a call inside.
//!
//! A run that is in the set once never leaves the loop (*Non-Termination Proofs from Templates*, chapters 2 and 7). The round is that of the summary, so all
//! that a solver says of it holds of every state at the head that runs come to. A loop inside is replaced by its summary, which describes more runs
//! than there are. That does no harm: from each head on the way, control goes on to the same head again, or further on to that of the set. Whether the
//! loop inside ends does not matter then: if it does not, the run does not end either.

use encode::{Encoding, Input, Round};
use logic::sat::{Batsat, Budget};
use logic::{Answer, Bits, Context, Sort, Term, Terms};
use model::{LocalId, Program};

use crate::completeness::follows_all;
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

/// The bits that a variable holds where an input is read, and whether they have a sign.
type Here<'a> = dyn Fn(LocalId) -> Option<(Term, bool)> + 'a;

/// A sum of multiples of what is measured at the head of a round, of variables where an input is read, and of a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// Factors, and positions of what the rounds measure.
    pub parts: Vec<(i64, usize)>,
    /// A variable of the function that reads the input, as it is there.
    pub here: Option<LocalId>,
    /// The number that is added.
    pub constant: i128,
}

impl Sum {
    /// Whether it is always the same number.
    fn is_constant(&self) -> bool {
        self.parts.is_empty() && self.here.is_none()
    }

    /// It as a term of a sort: modulo a power of 2. Truth values can only be numbers.
    fn term(&self, terms: &mut Terms, round: &Round, here: &Here<'_>, sort: &Sort) -> Option<Term> {
        let width = match *sort {
            Sort::Bits(width @ ..=128) => width,
            Sort::Bool if self.is_constant() => return Some(terms.bool(self.constant & 1 == 1)),
            _ => return None,
        };
        let mut sum = terms.bits(Bits::signed(width, self.constant));
        for &(factor, part) in &self.parts {
            let head = terms.resize(round.measured.get(part)?.head, width, true);
            let factor = terms.bits(Bits::signed(width, factor.into()));
            let product = terms.mul(head, factor);
            sum = terms.add(sum, product);
        }
        if let Some(local) = self.here {
            let (here, signed) = here(local)?;
            let here = terms.resize(here, width, signed);
            sum = terms.add(sum, here);
        }
        Some(sum)
    }

    /// The same number for those who cut it to its width, from what is measured and what variables are where the input is read.
    fn value(&self, values: &[Option<i128>], here: &dyn Fn(LocalId) -> Option<i128>) -> Option<i128> {
        let mut sum = self.constant.wrapping_add(self.here.map_or(Some(0), here)?);
        for &(factor, part) in &self.parts {
            sum = sum.wrapping_add(values.get(part).copied()??.wrapping_mul(factor.into()));
        }
        Some(sum)
    }
}

/// What is given as an input: a sum, cut to the width of the input, which may depend on what holds at the head.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// The sum where a condition holds that none of the others before it does.
    pub cases: Vec<(Atom, Sum)>,
    /// The sum where none of them holds.
    pub otherwise: Sum,
}

impl From<Sum> for Given {
    fn from(otherwise: Sum) -> Self {
        Given { cases: Vec::new(), otherwise }
    }
}

impl Given {
    /// Always the same number.
    pub fn constant(constant: i128) -> Self {
        Sum { constant, ..Sum::default() }.into()
    }

    /// Whether it is always the same number.
    pub fn is_constant(&self) -> bool {
        self.cases.is_empty() && self.otherwise.is_constant()
    }

    /// What it depends on, of what is measured.
    pub(crate) fn parts(&self) -> impl Iterator<Item = usize> + '_ {
        let cases = self.cases.iter().flat_map(|(condition, sum)| condition.measure.parts.iter().chain(&sum.parts));
        cases.chain(&self.otherwise.parts).map(|(_, part)| *part)
    }

    /// The input, from what is measured and what variables are where it is read; whoever asked for it cuts it to its width.
    pub fn value(&self, values: &[Option<i128>], here: &dyn Fn(LocalId) -> Option<i128>) -> Option<u128> {
        let case = self.cases.iter().find(|(condition, _)| condition.holds(values));
        Some(case.map_or(&self.otherwise, |(_, sum)| sum).value(values, here)? as u128)
    }

    /// That an input of a round is this. Only integers and truth values can be given.
    fn term(&self, terms: &mut Terms, round: &Round, here: &Here<'_>, input: Term) -> Option<Term> {
        let sort = terms.sort(input);
        let mut wanted = self.otherwise.term(terms, round, here, &sort)?;
        for (condition, sum) in self.cases.iter().rev() {
            let ([holds, _], sum) = (condition.terms(terms, round)?, sum.term(terms, round, here, &sort)?);
            wanted = terms.ite(holds, sum, wanted);
        }
        Some(terms.equal(input, wanted))
    }
}

/// A set of states at the head of a loop, or in which calls of a function begin, and what is given as input in each round from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClosedSet {
    /// What holds of its states.
    pub atoms: Vec<Atom>,
    /// The inputs that are chosen: their positions in the encoding's list, and what they are. All others are arbitrary.
    pub inputs: Vec<(usize, Given)>,
}

impl ClosedSet {
    /// What is assumed of a round: it begins in the set, and the inputs are as chosen. The inputs depend only on what was before they are read, so that somebody
    /// can give them: for all states of the set there are inputs with which the run stays, which is an open recurrence set.
    pub fn premise(&self, terms: &mut Terms, program: &Program, inputs: &[Input], round: &Round) -> Option<Vec<Term>> {
        let mut premise = vec![round.entered, round.head_valid, round.granted];
        for (position, given) in self.inputs.iter().filter(|(position, _)| round.inputs.contains(position)) {
            let input = inputs.get(*position)?;
            premise.push(given.term(terms, round, &|local| input.variable(program, local), input.value)?);
        }
        for atom in &self.atoms {
            premise.push(atom.terms(terms, round)?[0]);
        }
        Some(premise)
    }

    /// Whether every round from a state of the set is well-defined and leads into the set again, in all rounds of a loop or of calls. No calls may be on the
    /// way that are assumed to return. All runs must have been followed: the rounds say nothing of a run that comes to the loop another way.
    pub fn is_closed(&self, program: &Program, encoding: &mut Encoding, rounds: &[Round], budget: &Budget) -> bool {
        let mut context = facts(encoding);
        self.seems_closed(program, encoding, &mut context, rounds, budget) && follows_all(encoding, &mut context, budget)
    }

    /// The same for those who ask often, with a solver that knows the facts already and nothing else; that all runs were followed is not asked.
    pub fn seems_closed(
        &self,
        program: &Program,
        encoding: &mut Encoding,
        context: &mut Context<Batsat>,
        rounds: &[Round],
        budget: &Budget,
    ) -> bool {
        // A run may come into the set at its first visit of the head, which has to be among those that the rounds begin with.
        let known = |round: &Round| round.calls_inside == 0 && !round.peeled;
        let certain = !rounds.is_empty() && encoding.unknown.is_empty() && rounds.iter().all(known);
        let mut instances = rounds.chunk_by(|a, b| a.instance == b.instance);
        certain && instances.all(|rounds| self.stays(program, encoding, rounds, context, budget) == Some(true))
    }

    fn stays(
        &self,
        program: &Program,
        encoding: &mut Encoding,
        rounds: &[Round],
        context: &mut Context<Batsat>,
        budget: &Budget,
    ) -> Option<bool> {
        let onward = Onward::new(encoding, rounds)?;
        let first = rounds.first()?;
        let Encoding { terms, inputs, .. } = encoding;
        let mut goes_on = onward.stays_inside;
        for (round, &(comes, valid)) in rounds.iter().zip(&onward.comes) {
            let mut arrives = vec![comes, valid];
            for atom in &self.atoms {
                arrives.push(atom.terms(terms, round)?[1]);
            }
            let arrives = terms.all(arrives);
            goes_on = terms.or(goes_on, arrives);
        }
        let ends = terms.not(goes_on);
        for failure in [onward.failure, terms.and(onward.valid_inside, ends)] {
            let mut asked = self.premise(terms, program, inputs, first)?;
            asked.push(failure);
            if context.solve(terms, &asked, budget) != Answer::Unsat {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// A solver that knows the facts about a program.
pub fn facts(encoding: &mut Encoding) -> Context<Batsat> {
    let mut context = Context::with_solver(Batsat::new());
    for &fact in &encoding.facts {
        context.assert(&mut encoding.terms, fact);
    }
    context
}

/// Where control goes from the head of a loop, or from the beginning of a call.
///
/// From a call, there may be several calls inside, one after the other. What matters is the first: if it is in the set, it never returns, and what is said
/// of the time after it is of no importance. If it is not in the set, it may return, or end the program.
#[derive(Clone, Debug)]
pub struct Onward {
    /// That something undefined happens on the way.
    pub failure: Term,
    /// That everything was well-defined in the rounds of loops inside that went before. It may be assumed if nothing ever fails on the way.
    pub valid_inside: Term,
    /// That control stays in a loop inside, in a well-defined way.
    pub stays_inside: Term,
    /// For each round: that control comes by it to the head again, or to the first call inside; and that it does so in a well-defined way.
    pub comes: Vec<(Term, Term)>,
}

impl Onward {
    /// The ways from the head that these rounds share. None if not all that is summarised inside are loops.
    pub fn new(encoding: &mut Encoding, rounds: &[Round]) -> Option<Onward> {
        let first = rounds.first()?;
        let inside = encoding.rounds.get(first.inside.clone())?;
        if inside.len() != first.leaps_inside || inside.iter().any(|round| round.recursive) {
            return None;
        }
        let terms = &mut encoding.terms;
        // Calls are noted in the order in which control comes to them: none of the first so many has happened.
        let mut not_yet = vec![terms.bool(true)];
        let mut not_well = not_yet[0];
        let mut comes = Vec::new();
        for round in rounds {
            let before = not_yet[comes.len()];
            comes.push((terms.and(round.again, before), round.again_valid));
            let (called, well) = (terms.not(round.again), terms.and(round.again, round.again_valid));
            let well = terms.not(well);
            if first.recursive {
                not_well = terms.and(not_well, well);
                not_yet.push(terms.and(before, called));
            } else {
                not_yet.push(before);
            }
        }
        let never = not_yet[rounds.len()];
        let failure = terms.and(first.failure, not_well);
        let (mut valid, mut again) = (Vec::new(), Vec::new());
        for round in inside {
            // A loop may be around a call: its head is well-defined whether or not the call happens in this round of it. Behind a call nothing is known.
            let before = if first.recursive { *not_yet.get(round.calls_before)? } else { never };
            let entered = terms.and(round.entered, before);
            valid.push(terms.implies(entered, round.head_valid));
            again.push(terms.all([round.entered, never, round.again, round.again_valid]));
        }
        Some(Onward { failure, valid_inside: terms.all(valid), stays_inside: terms.any(again), comes })
    }
}

/// That an input has a value; only truth values and integers can be chosen.
pub fn given(terms: &mut Terms, input: Term, value: u128) -> Option<Term> {
    let wanted = match terms.sort(input) {
        Sort::Bool => terms.bool(value & 1 == 1),
        Sort::Bits(width @ ..=128) => terms.bits(Bits::signed(width, value as i128)),
        _ => return None,
    };
    Some(terms.equal(input, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    /// Where `x % 4 == 1`, `2 * x - y + 3`, else `z + 7`, with `z` where the input is read.
    fn chosen() -> Given {
        let measure = Measure { parts: vec![(1, 0)], shape: Shape::Modulo(2), bound: None, when: None };
        let condition = Atom { measure, relation: Comparison::Equal, value: 1 };
        let sum = Sum { parts: vec![(2, 0), (-1, 1)], here: None, constant: 3 };
        Given { cases: vec![(condition, sum)], otherwise: Sum { here: Some(LocalId::new(2)), constant: 7, ..Sum::default() } }
    }

    #[test]
    fn an_input_is_the_same_for_the_solver_and_for_a_run() {
        for (x, y) in [(0, 0), (1, 0), (5, -3), (-3, 100), (127, 127), (-128, -128), (77, 1)] {
            for width in [4, 8, 40] {
                let mut terms = Terms::new();
                let [head_x, head_y] = [x, y].map(|value| terms.bits(Bits::signed(16, value)));
                let yes = terms.bool(true);
                let measured = [head_x, head_y].map(|head| example::measured(head, head, true)).to_vec();
                let round = example::round(&mut terms, yes, measured);
                // The byte 200, without and with sign.
                for (signed, z) in [(false, 200), (true, -56)] {
                    let byte = terms.bits(Bits::signed(8, z));
                    let run = chosen().value(&[Some(x), Some(y)], &|_| Some(z)).unwrap();
                    let input = terms.bits(Bits::signed(width, run as i128));
                    let same = chosen().term(&mut terms, &round, &|_| Some((byte, signed)), input).unwrap();
                    assert_eq!(terms.as_bool(same), Some(true), "{x} {y} {z} {width}");
                }
            }
        }
        assert_eq!(chosen().value(&[Some(5), Some(-3)], &|_| None), Some(16));
        assert_eq!(chosen().value(&[Some(4), Some(-3)], &|_| Some(1)), Some(8));
        assert_eq!(chosen().value(&[Some(4), Some(-3)], &|_| None), None);
        assert_eq!(chosen().value(&[Some(5), None], &|_| Some(1)), None);
    }

    #[test]
    fn truth_values_are_given_as_numbers_only() {
        let mut terms = Terms::new();
        let yes = terms.bool(true);
        let round = example::round(&mut terms, yes, Vec::new());
        let same = Given::constant(1).term(&mut terms, &round, &|_| None, yes).unwrap();
        assert_eq!(terms.as_bool(same), Some(true));
        let sum = Given::from(Sum { parts: vec![(1, 0)], ..Sum::default() });
        assert_eq!(sum.term(&mut terms, &round, &|_| None, yes), None);
        assert!(Given::constant(1).is_constant() && !sum.is_constant() && !chosen().is_constant());
    }
}

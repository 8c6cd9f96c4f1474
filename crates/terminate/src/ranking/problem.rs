//! Rounds that share their head, a solver that knows them, and what it has shown of them so far.

use encode::Round;
use kernel::ranking::{Measure, Shape, happens, overflows_below, stays_in_range};
use logic::sat::{Batsat, Budget};
use logic::{Answer, Bits, Context, Term, Terms};

/// The rounds of a loop or of a function that calls itself.
pub(super) struct Problem<'t> {
    pub(super) terms: &'t mut Terms,
    context: Context<Batsat>,
    pub(super) rounds: Vec<Round>,
    /// What is known of all runs.
    facts: Vec<Term>,
    happens: Vec<Term>,
    /// For each round, what is measured, as variables.
    values: Vec<Vec<[Term; 2]>>,
    /// Rounds that were seen.
    pub(super) samples: Vec<Sample>,
    pub(super) budget: Budget,
    /// Whether no signed number leaves its range, once somebody has asked.
    in_range: Option<bool>,
    /// Whether much may be tried.
    pub(super) thorough: bool,
}

/// A round with values.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) round: usize,
    /// What is measured, at the head and when control comes there again.
    pub(super) values: Vec<(i128, i128)>,
}

/// What a question may cost as long as not much is to be tried: array axioms, and propagations.
const LEMMAS: usize = 2_000;
const PROPAGATIONS: u64 = 3_000_000;
/// What one of many examples may cost.
const EXAMPLE_CONFLICTS: u64 = 500;

impl<'t> Problem<'t> {
    /// Rounds that share their head, given facts. What not all of them measure is left out.
    pub(super) fn new(terms: &'t mut Terms, facts: &[Term], rounds: &[&Round], budget: Budget, thorough: bool) -> Self {
        let mut rounds: Vec<Round> = rounds.iter().map(|round| (*round).clone()).collect();
        let common: Vec<_> = rounds.first().map_or_else(Vec::new, |first| {
            let everywhere = |sum: &_| rounds.iter().all(|round| round.measured.iter().any(|other| other.sum == *sum));
            first.measured.iter().map(|measured| measured.sum.clone()).filter(everywhere).collect()
        });
        for round in &mut rounds {
            round.measured.retain(|measured| common.contains(&measured.sum));
        }
        let mut context = Context::with_solver(Batsat::new());
        context.be_hasty(true);
        if !thorough {
            context.limit_haste(LEMMAS, PROPAGATIONS);
        }
        for &fact in facts {
            context.assert(terms, fact);
        }
        let happens = rounds.iter().map(|round| happens(terms, round)).collect();
        // A variable that is defined by a term has its value in each model.
        let mut watched = |term: Term| {
            let variable = terms.fresh("measured", terms.sort(term));
            let defined = terms.equal(variable, term);
            context.assert(terms, defined);
            variable
        };
        let values = rounds
            .iter()
            .map(|round| round.measured.iter().map(|measured| [watched(measured.head), watched(measured.again)]).collect())
            .collect();
        let facts = facts.to_vec();
        Problem { terms, context, rounds, facts, happens, values, samples: Vec::new(), budget, in_range: None, thorough }
    }

    /// The same rounds as far as they happen under conditions, one for each round.
    pub(super) fn restricted(&mut self, conditions: &[Term]) -> Problem<'_> {
        let mut rounds = self.rounds.clone();
        for (round, &condition) in rounds.iter_mut().zip(conditions) {
            round.entered = self.terms.and(round.entered, condition);
        }
        let rounds: Vec<&Round> = rounds.iter().collect();
        Problem::new(self.terms, &self.facts, &rounds, self.budget.clone(), false)
    }

    pub(super) fn into_rounds(self) -> Vec<Round> {
        self.rounds
    }

    /// Whether it may go on.
    pub(super) fn has_time(&self) -> bool {
        self.budget.exhausted().is_none()
    }

    /// Whether no signed number leaves its range, so that the range is a bound.
    pub(super) fn stays_in_range(&mut self) -> bool {
        let Problem { terms, context, rounds, budget, .. } = self;
        *self.in_range.get_or_insert_with(|| rounds.iter().all(|round| stays_in_range(terms, context, round, budget)))
    }

    /// Whether signed numbers leave their range only where one of these measures is above its bound, if some have one.
    pub(super) fn stays_above(&mut self, measures: &[Measure]) -> bool {
        let Problem { terms, context, rounds, budget, .. } = self;
        let bounded = measures.iter().any(|measure| measure.bound.is_some());
        !bounded
            || rounds.iter().all(|round| {
                let asked = overflows_below(terms, round, measures);
                context.solve(terms, &asked, budget) == Answer::Unsat
            })
    }

    /// Whether no round happens at all.
    pub(super) fn is_impossible(&mut self) -> bool {
        (0..self.rounds.len()).all(|round| self.witness(round, &[]) == Answer::Unsat)
    }

    /// Looks for a round with these properties; one that is found is a sample afterwards.
    pub(super) fn witness(&mut self, round: usize, conditions: &[Term]) -> Answer {
        let mut asked = vec![self.happens[round]];
        asked.extend(conditions);
        let answer = self.context.solve(self.terms, &asked, &self.budget);
        if answer == Answer::Sat
            && let Some(sample) = self.sample(round)
            && !self.samples.iter().any(|known| known.round == round && known.values == sample.values)
        {
            self.samples.push(sample);
        }
        answer
    }

    /// A round with these properties, if there is one and that can be told.
    pub(super) fn example(&mut self, round: usize, conditions: &[Term]) -> Result<Option<Sample>, ()> {
        let mut asked = vec![self.happens[round]];
        asked.extend(conditions);
        let budget = self.budget.clone().with_conflicts(EXAMPLE_CONFLICTS);
        match self.context.solve(self.terms, &asked, &budget) {
            Answer::Unsat => Ok(None),
            Answer::Unknown(_) => Err(()),
            Answer::Sat => self.sample(round).map(Some).ok_or(()),
        }
    }

    /// That a measured number has a value.
    pub(super) fn is(&mut self, number: Term, value: i128) -> Term {
        let width = self.terms.width(number).max(i128::BITS + 1 - value.unsigned_abs().leading_zeros());
        let (number, value) = (self.terms.sign_extend(number, width), self.terms.bits(Bits::signed(width, value)));
        self.terms.equal(number, value)
    }

    /// A variable that has the value of a term in each model.
    pub(super) fn watch(&mut self, term: Term) -> Term {
        let variable = self.terms.fresh("watched", self.terms.sort(term));
        let defined = self.terms.equal(variable, term);
        self.context.assert(self.terms, defined);
        variable
    }

    /// Asks for two visits of the head under conditions; their numbers are given as watched variables.
    pub(super) fn visits(&mut self, conditions: &[Term], watched: &[[Term; 2]]) -> Result<Option<Sample>, ()> {
        match self.context.solve(self.terms, conditions, &self.budget) {
            Answer::Unsat => Ok(None),
            Answer::Unknown(_) => Err(()),
            Answer::Sat => {
                let mut value = |term| self.context.bits_of(self.terms, term).and_then(|bits| bits.to_i128());
                let values: Option<Vec<_>> = watched.iter().map(|&[from, to]| Some((value(from)?, value(to)?))).collect();
                values.map(|values| Some(Sample { round: 0, values })).ok_or(())
            }
        }
    }

    /// What is known of all runs.
    pub(super) fn facts(&self) -> &[Term] {
        &self.facts
    }

    /// That a round happens.
    pub(super) fn happens(&self, round: usize) -> Term {
        self.happens[round]
    }

    fn sample(&mut self, round: usize) -> Option<Sample> {
        let mut value = |term| self.context.bits_of(self.terms, term).and_then(|bits| bits.to_i128());
        let values: Option<Vec<_>> = self.values[round].iter().map(|&[head, again]| Some((value(head)?, value(again)?))).collect();
        Some(Sample { round, values: values? })
    }

    /// How a measure changes in a round: that it increases, that it does not decrease where that counts.
    pub(super) fn changes(&mut self, round: usize, measure: &Measure) -> Option<(Term, Term)> {
        let round = &self.rounds[round];
        let (increases, decreases) = (measure.increases(self.terms, round)?, measure.decreases(self.terms, round)?);
        Some((increases, self.terms.not(decreases)))
    }
}

impl Sample {
    /// Whether a measure decreases where that counts.
    pub(super) fn decreases(&self, measure: &Measure) -> bool {
        self.measure(measure).is_some_and(|(head, again)| again < head && measure.bound.is_none_or(|bound| bound <= head))
    }

    /// A measure before and after; nothing if it is too large to be computed here.
    pub(super) fn measure(&self, measure: &Measure) -> Option<(i128, i128)> {
        let mut ends = (0_i128, 0_i128);
        if let Shape::Rank(rows) = &measure.shape {
            let values: Option<Vec<(i128, i128)>> = measure.parts.iter().map(|&(_, part)| self.values.get(part).copied()).collect();
            let (head, again): (Vec<i128>, Vec<i128>) = values?.into_iter().unzip();
            let rank = |values: &[i128]| rows.iter().find(|row| row.matches(values)).map_or(0, |row| i128::from(row.rank));
            return Some((rank(&head), rank(&again)));
        }
        for (place, &(factor, part)) in measure.parts.iter().enumerate() {
            let (head, again) = *self.values.get(part)?;
            let join = |end: i128, value: i128| match (&measure.shape, place) {
                (_, 0) => Some(value),
                (Shape::Greatest, _) => Some(end.max(value)),
                (Shape::Least, _) => Some(end.min(value)),
                _ => end.checked_add(value),
            };
            ends.0 = join(ends.0, head.checked_mul(factor.into())?)?;
            ends.1 = join(ends.1, again.checked_mul(factor.into())?)?;
        }
        let (head, again) = (shaped(&measure.shape, ends.0)?, shaped(&measure.shape, ends.1)?);
        let Some(when) = measure.when else { return Some((head, again)) };
        let part = self.values.get(when.part)?;
        let counts = |value: i128| (value >= when.limit) == when.at_least;
        Some((if counts(part.0) { head } else { 0 }, if counts(part.1) { again } else { 0 }))
    }
}

fn shaped(shape: &Shape, sum: i128) -> Option<i128> {
    let low = |bits: u32| if bits >= 127 { None } else { Some(sum & ((1 << bits) - 1)) };
    let zeros = |bits: u32, count: fn(u128) -> u32| Some(i128::from(count(low(bits)?.cast_unsigned()).min(bits)));
    Some(match *shape {
        Shape::Exact | Shape::Greatest | Shape::Least | Shape::Rank(_) => sum,
        Shape::Modulo(power) => low(power)?,
        Shape::AtLeast(least) => sum.max(least),
        Shape::AtMost(most) => sum.min(most),
        Shape::Is(value) => i128::from(sum == value),
        Shape::IsNot(value) => i128::from(sum != value),
        Shape::Ones(bits) => low(bits)?.count_ones().into(),
        Shape::Zeros(bits) => i128::from(bits) - i128::from(low(bits)?.count_ones()),
        Shape::TrailingZeros(bits) => zeros(bits, u128::trailing_zeros)?,
        Shape::WithoutTrailing(bits) => i128::from(bits) - zeros(bits, u128::trailing_zeros)?,
        Shape::LeadingZeros(bits) => i128::from(low(bits)?.leading_zeros()) - i128::from(i128::BITS - bits),
        Shape::WithoutLeading(bits) => i128::from(i128::BITS - low(bits)?.leading_zeros()),
    })
}

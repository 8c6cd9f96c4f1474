//! Why a loop, or a function that calls itself, does not go on for ever.
//!
//! A *measure* is a number of a state, computed so wide that nothing wraps. One that decreases needs a bound below. Numbers that wrap have finitely many
//! values, which is a bound (as in chapter 3 of *Non-Termination Proofs from Templates*). The range of a signed type is a bound only if the loop cannot
//! leave it: one that counts down to the least `int` does not end there, it becomes undefined. Otherwise a measure of signed numbers decreases only
//! where it is above a constant.

use encode::Round;
use logic::sat::{Batsat, Budget};
use logic::{Answer, Bits, Context, Term, Terms};

pub use crate::measure::{LEAST, Measure, Row, Shape, When};

/// Why there are no infinitely many rounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RankingArgument {
    /// Each round decreases one of these and increases none of those before it.
    Lexicographic(Vec<Measure>),
    /// From each visit of the head to each later one, one of these alternatives holds: in each, some measures do not increase, and one of those
    /// decreases. Finitely many well-founded relations that cover the transitive closure (Podelski and Rybalchenko; *Loop Summarization* §5.2).
    Disjunctive {
        /// The measures.
        measures: Vec<Measure>,
        /// The alternatives: positions of measures, and whether they decrease strictly.
        alternatives: Vec<Vec<(usize, bool)>>,
    },
    /// Each round decreases the first of these, and each of the others by more than the one before it is above its bound; the last one is never below its
    /// bound ([`crate::nested`]).
    Nested(Vec<Measure>),
}

impl RankingArgument {
    /// The measures.
    pub fn measures(&self) -> &[Measure] {
        match self {
            RankingArgument::Lexicographic(measures)
            | RankingArgument::Disjunctive { measures, .. }
            | RankingArgument::Nested(measures) => measures,
        }
    }

    /// The measures whose bounds keep the argument from going on for ever.
    fn bounding(&self) -> &[Measure] {
        match self {
            RankingArgument::Nested(measures) => measures.last().map_or(&[], std::slice::from_ref),
            _ => self.measures(),
        }
    }
}

/// That a round happens and everything in it is well-defined.
pub fn happens(terms: &mut Terms, round: &Round) -> Term {
    terms.all([round.entered, round.head_valid, round.again, round.again_valid])
}

/// Whether an argument holds for rounds that share their head, given facts of which none excludes a run.
pub fn accepts(terms: &mut Terms, facts: &[Term], rounds: &[&Round], argument: &RankingArgument, budget: &Budget) -> bool {
    relied_on(terms, facts, &[], rounds, argument, budget).is_some()
}

/// Those of some assumptions, which hold in all runs, on which an argument for rounds that share their head relies, beside the facts. Nothing if it
/// does not hold.
pub fn relied_on(
    terms: &mut Terms,
    facts: &[Term],
    assumptions: &[Term],
    rounds: &[&Round],
    argument: &RankingArgument,
    budget: &Budget,
) -> Option<Vec<Term>> {
    let mut context = Context::with_solver(Batsat::new());
    // A model that is none costs an argument, not a wrong one.
    context.be_hasty(true);
    for &fact in facts {
        context.assert(terms, fact);
    }
    let mut examination = Examination { terms, context, assumptions, budget, used: Vec::new() };
    rounds.iter().all(|round| examination.passes(round, argument)).then_some(examination.used)
}

/// An argument is examined.
struct Examination<'a> {
    terms: &'a mut Terms,
    context: Context<Batsat>,
    assumptions: &'a [Term],
    budget: &'a Budget,
    /// The assumptions that were needed so far.
    used: Vec<Term>,
}

impl Examination<'_> {
    fn passes(&mut self, round: &Round, argument: &RankingArgument) -> bool {
        let measures = argument.bounding();
        // What becomes undefined before the first round is over does not end either.
        let relies = measures.is_empty() || measures.iter().any(|measure| measure.bound.is_none() && !measure.is_bounded(round));
        if relies && !self.is_impossible(overflows(round)) {
            return false;
        }
        if !self.stays_above_bounds(round, measures) {
            return false;
        }
        let happens = happens(self.terms, round);
        let Some(failures) = failures(self.terms, round, argument) else { return false };
        failures.into_iter().all(|mut failure| {
            failure.push(happens);
            self.is_impossible(failure)
        })
    }

    fn is_impossible(&mut self, mut conditions: Vec<Term>) -> bool {
        conditions.extend(self.assumptions);
        if self.context.solve(self.terms, &conditions, self.budget) != Answer::Unsat {
            return false;
        }
        if !self.assumptions.is_empty() {
            let core = self.context.core();
            self.used.extend(self.assumptions.iter().filter(|assumption| core.contains(assumption)));
            self.used.sort_unstable();
            self.used.dedup();
        }
        true
    }

    fn stays_above_bounds(&mut self, round: &Round, measures: &[Measure]) -> bool {
        let bounded = measures.iter().any(|measure| measure.bound.is_some());
        !bounded || {
            let asked = overflows_below(self.terms, round, measures);
            self.is_impossible(asked)
        }
    }
}

/// That a signed number leaves its range where no measure is above its bound, which must not be. A loop that doubles a number until that has no meaning
/// any more does not end for the reason that its measure has a bound: only the rounds with a meaning are above it. (What has a ceiling is above its
/// bound too easily to count, and so is what is 0 because it does not count in this case.)
pub fn overflows_below(terms: &mut Terms, round: &Round, measures: &[Measure]) -> Vec<Term> {
    let mut asked = overflows(round);
    for measure in measures.iter().filter(|measure| !matches!(measure.shape, Shape::AtMost(_))) {
        let (Some(bound), Some((head, _))) = (measure.bound, measure.terms(terms, round)) else { continue };
        let bound = terms.bits(Bits::signed(terms.width(head), bound));
        let below = terms.sle(head, bound);
        let counts = measure.when.and_then(|when| when.holds(terms, round));
        asked.push(counts.map_or(below, |counts| terms.implies(counts, below)));
    }
    asked
}

/// That a signed number leaves its range in a round.
fn overflows(round: &Round) -> Vec<Term> {
    vec![round.entered, round.head_valid, round.overflow]
}

/// Whether no signed number leaves its range in a round.
pub fn stays_in_range(terms: &mut Terms, context: &mut Context<Batsat>, round: &Round, budget: &Budget) -> bool {
    context.solve(terms, &overflows(round), budget) == Answer::Unsat
}

/// What no round may do: conjunctions.
fn failures(terms: &mut Terms, round: &Round, argument: &RankingArgument) -> Option<Vec<Vec<Term>>> {
    match argument {
        RankingArgument::Lexicographic(measures) => lexicographic(terms, round, measures),
        RankingArgument::Disjunctive { measures, alternatives } => {
            let covered = disjunctive(terms, round, measures, alternatives)?;
            Some(vec![vec![terms.not(covered)]])
        }
        RankingArgument::Nested(measures) => crate::nested::failures(terms, round, measures),
    }
}

/// A round in which none of the first measures counts must not increase the next one, and one must count. Those before the one that counts may decrease
/// too, bounded or not: what never increases decreases only finitely often where it is above its bound, so from some round on only the
/// measures behind it count (Bradley, Manna and Sipma).
fn lexicographic(terms: &mut Terms, round: &Round, measures: &[Measure]) -> Option<Vec<Vec<Term>>> {
    let mut left = Vec::new();
    let mut failures = Vec::new();
    for measure in measures {
        let mut increases = left.clone();
        increases.push(measure.increases(terms, round)?);
        failures.push(increases);
        let decreases = measure.decreases(terms, round)?;
        left.push(terms.not(decreases));
    }
    failures.push(left);
    Some(failures)
}

/// That a round is within the alternatives, and that a round behind a pair of visits within them leads to a pair within them: by induction, all
/// pairs of visits are. Of the earlier visit only the measures matter; they are arbitrary.
fn disjunctive(terms: &mut Terms, round: &Round, measures: &[Measure], alternatives: &[Vec<(usize, bool)>]) -> Option<Term> {
    // An alternative in which nothing decreases is no argument.
    if !alternatives.iter().all(|alternative| alternative.iter().any(|(_, strict)| *strict)) {
        return None;
    }
    let mut ends = Vec::new();
    for measure in measures {
        let (head, again) = measure.terms(terms, round)?;
        let sort = terms.sort(head);
        ends.push([terms.fresh("earlier measure", sort), head, again]);
    }
    let mut covered = |from: usize, to: usize| {
        let ends: Vec<(Term, Term)> = ends.iter().map(|ends| (ends[from], ends[to])).collect();
        related(terms, measures, alternatives, &ends)
    };
    let (first, earlier, later) = (covered(1, 2)?, covered(0, 1)?, covered(0, 2)?);
    let step = terms.implies(earlier, later);
    Some(terms.and(first, step))
}

/// That one of the alternatives holds between two visits, of which the ends of all measures are given.
pub fn related(terms: &mut Terms, measures: &[Measure], alternatives: &[Vec<(usize, bool)>], ends: &[(Term, Term)]) -> Option<Term> {
    let mut any = terms.bool(false);
    for alternative in alternatives {
        let mut all = terms.bool(true);
        for &(measure, strict) in alternative {
            let &(from, to) = ends.get(measure)?;
            let smaller = if strict { terms.slt(to, from) } else { terms.sle(to, from) };
            all = terms.and(all, smaller);
            if let Some(bound) = measures.get(measure)?.bound.filter(|_| strict) {
                if bound < LEAST {
                    return None;
                }
                let bound = terms.bits(Bits::signed(terms.width(from), bound));
                let above = terms.sle(bound, from);
                all = terms.and(all, above);
            }
        }
        any = terms.or(any, all);
    }
    Some(any)
}

#[cfg(test)]
mod tests {
    use logic::Sort;

    use super::*;
    use crate::example;

    /// A round that takes `x` to `next(x)` wherever `guard(x)` holds; of signed or of wrapping numbers.
    fn round(terms: &mut Terms, wraps: bool, guard: fn(&mut Terms, Term) -> Term, next: fn(&mut Terms, Term) -> Term) -> Round {
        let x = terms.variable("x", Sort::Bits(32));
        let (again, after) = (guard(terms, x), next(terms, x));
        let [head, later] = [x, after].map(|term| terms.resize(term, 34, !wraps));
        example::round(terms, again, vec![example::measured(head, later, wraps)])
    }

    fn x(shape: Shape, bound: Option<i128>) -> Measure {
        Measure { parts: vec![(1, 0)], shape, bound, when: None }
    }

    fn is_accepted(terms: &mut Terms, round: &Round, argument: &RankingArgument) -> bool {
        accepts(terms, &[], &[round], argument, &Budget::unlimited())
    }

    fn positive(terms: &mut Terms, x: Term) -> Term {
        let zero = terms.zero(32);
        terms.slt(zero, x)
    }
    fn nonzero(terms: &mut Terms, x: Term) -> Term {
        terms.nonzero(x)
    }
    fn minus_one(terms: &mut Terms, x: Term) -> Term {
        let one = terms.one(32);
        terms.sub(x, one)
    }
    fn same(_: &mut Terms, x: Term) -> Term {
        x
    }

    #[test]
    fn what_decreases_above_a_bound_ends() {
        let mut terms = Terms::new();
        let round = round(&mut terms, false, positive, minus_one);
        assert!(is_accepted(&mut terms, &round, &RankingArgument::Lexicographic(vec![x(Shape::Exact, Some(0))])));
        assert!(is_accepted(&mut terms, &round, &RankingArgument::Lexicographic(vec![x(Shape::AtLeast(0), None)])));
    }

    #[test]
    fn the_range_of_a_signed_type_is_no_bound() {
        let mut terms = Terms::new();
        let mut round = round(&mut terms, false, nonzero, minus_one);
        // Counting down from -1 leaves the range.
        round.overflow = terms.bool(true);
        for measure in [x(Shape::Exact, None), x(Shape::Exact, Some(LEAST)), x(Shape::Exact, Some(i32::MIN.into()))] {
            assert!(!is_accepted(&mut terms, &round, &RankingArgument::Lexicographic(vec![measure])));
        }
        assert!(!is_accepted(&mut terms, &round, &RankingArgument::Lexicographic(vec![x(Shape::Modulo(32), None)])));
    }

    #[test]
    fn a_bound_of_what_has_a_meaning_is_none() {
        let mut terms = Terms::new();
        let twice = |terms: &mut Terms, x: Term| terms.add(x, x);
        let mut round = round(&mut terms, false, positive, twice);
        // Above the bound the sum leaves the range, and the round does not happen.
        let (x_term, limit) = (terms.variable("x", Sort::Bits(32)), terms.number(32, 1 << 30));
        let stays = terms.slt(x_term, limit);
        round.overflow = terms.not(stays);
        round.again_valid = stays;
        let growing = Measure { parts: vec![(-1, 0)], ..x(Shape::Exact, Some(LEAST)) };
        assert!(!is_accepted(&mut terms, &round, &RankingArgument::Lexicographic(vec![growing])));
    }

    #[test]
    fn numbers_that_wrap_need_no_bound() {
        let mut terms = Terms::new();
        let round = round(&mut terms, true, nonzero, minus_one);
        assert!(is_accepted(&mut terms, &round, &RankingArgument::Lexicographic(vec![x(Shape::Exact, None)])));
    }

    #[test]
    fn what_stays_is_no_argument() {
        let mut terms = Terms::new();
        let round = round(&mut terms, true, nonzero, same);
        assert!(!is_accepted(&mut terms, &round, &RankingArgument::Lexicographic(vec![x(Shape::Exact, None)])));
        assert!(!is_accepted(&mut terms, &round, &RankingArgument::Lexicographic(Vec::new())));
    }

    #[test]
    fn an_alternative_must_decrease_something() {
        let mut terms = Terms::new();
        let round = round(&mut terms, true, nonzero, same);
        let idle = RankingArgument::Disjunctive { measures: vec![x(Shape::Exact, None)], alternatives: vec![vec![(0, false)]] };
        assert!(!is_accepted(&mut terms, &round, &idle));
    }

    #[test]
    fn alternatives_must_cover_longer_ways_too() {
        let mut terms = Terms::new();
        // x becomes -x: each round makes it smaller or larger, two of them do neither.
        let turn = |terms: &mut Terms, x: Term| terms.neg(x);
        let round = round(&mut terms, false, nonzero, turn);
        let measures = vec![x(Shape::Exact, None), Measure { parts: vec![(-1, 0)], ..x(Shape::Exact, None) }];
        let argument = RankingArgument::Disjunctive { measures, alternatives: vec![vec![(0, true)], vec![(1, true)]] };
        assert!(!is_accepted(&mut terms, &round, &argument));
    }
}

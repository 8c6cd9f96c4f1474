//! Why a loop, or a function that calls itself, does not go on for ever.
//!
//! A *measure* is a number of a state, computed so wide that nothing wraps. One that decreases needs a bound below. Numbers that wrap have finitely many
//! values, which is a bound (as in chapter 3 of *Non-Termination Proofs from Templates*). The range of a signed type is a bound only if the loop cannot
//! leave it: one that counts down to the least `int` does not end there, it becomes undefined. Otherwise a measure of signed numbers decreases only
//! where it is above a constant.

use std::rc::Rc;

use encode::Round;
use logic::sat::{Batsat, Budget};
use logic::{Answer, Bits, Context, Term, Terms};

/// A number of a state at the head of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// Factors, and positions of what the rounds measure.
    pub parts: Vec<(i64, usize)>,
    /// What is made of the sum.
    pub shape: Shape,
    /// A decrease counts only where the measure is at least this much before it.
    pub bound: Option<i128>,
    /// It is 0 where this does not hold.
    pub when: Option<When>,
}

/// What something that rounds measure is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct When {
    /// The position of what is measured.
    pub part: usize,
    /// With what.
    pub limit: i128,
    /// Whether it must be at least that much, or less.
    pub at_least: bool,
}

/// What is made of a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Itself.
    Exact,
    /// Its remainder modulo 2 to this power, not negative.
    Modulo(u32),
    /// The sum or this number, whichever is greater.
    AtLeast(i128),
    /// The sum or this number, whichever is less.
    AtMost(i128),
    /// 1 if it is this number, else 0.
    Is(i128),
    /// 1 if it is not this number, else 0.
    IsNot(i128),
    /// How many of so many low bits are 1.
    Ones(u32),
    /// How many of so many low bits are 0.
    Zeros(u32),
    /// How many of so many low bits are below the lowest 1; all, if there is none.
    TrailingZeros(u32),
    /// … and how many are not.
    WithoutTrailing(u32),
    /// How many of so many low bits are above the highest 1; all, if there is none.
    LeadingZeros(u32),
    /// … and how many are not.
    WithoutLeading(u32),
    /// No sum, but the greatest of its parts.
    Greatest,
    /// No sum, but the least of its parts.
    Least,
    /// No sum, but the rank of the first row that its parts match; 0 if there is none.
    Rank(Rc<[Row]>),
}

/// Values with a rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// A value for each part; none where any will do.
    pub values: Vec<Option<i128>>,
    /// The rank.
    pub rank: u32,
}

impl Row {
    /// Whether values are those of the row.
    pub fn matches(&self, values: &[i128]) -> bool {
        self.values.len() == values.len()
            && self.values.iter().zip(values).all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
    }

    fn term(&self, terms: &mut Terms, parts: &[Term]) -> Term {
        if parts.len() != self.values.len() {
            return terms.bool(false);
        }
        let mut same = Vec::new();
        for (&part, value) in parts.iter().zip(&self.values) {
            if let Some(value) = value {
                let width = terms.width(part).max(width_of(*value));
                let (part, value) = (terms.sign_extend(part, width), terms.bits(Bits::signed(width, *value)));
                same.push(terms.equal(part, value));
            }
        }
        terms.all(same)
    }
}

/// The rank of values, as a signed number.
fn rank(terms: &mut Terms, rows: &[Row], parts: &[Term]) -> Term {
    let mut rank = terms.zero(u32::BITS + 1);
    for row in rows.iter().rev() {
        let (matches, own) = (row.term(terms, parts), terms.number(u32::BITS + 1, row.rank.into()));
        rank = terms.ite(matches, own, rank);
    }
    rank
}

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
}

impl Measure {
    /// The measure at the head, and when control comes there again: signed numbers of one width.
    pub fn terms(&self, terms: &mut Terms, round: &Round) -> Option<(Term, Term)> {
        let (head, again) = match &self.shape {
            Shape::Rank(rows) => self.ranks(terms, round, rows)?,
            _ => self.sums(terms, round)?,
        };
        let Some(when) = self.when else { return Some((head, again)) };
        let measured = round.measured.get(when.part)?;
        let zero = terms.zero(terms.width(head));
        let [here, there] = [measured.head, measured.again].map(|term| when.term(terms, term));
        Some((terms.ite(here, head, zero), terms.ite(there, again, zero)))
    }

    fn ranks(&self, terms: &mut Terms, round: &Round, rows: &[Row]) -> Option<(Term, Term)> {
        let measured: Option<Vec<_>> = self.parts.iter().map(|&(_, part)| round.measured.get(part)).collect();
        let (head, again): (Vec<Term>, Vec<Term>) = measured?.iter().map(|measured| (measured.head, measured.again)).unzip();
        Some((rank(terms, rows, &head), rank(terms, rows, &again)))
    }

    fn sums(&self, terms: &mut Terms, round: &Round) -> Option<(Term, Term)> {
        let mut widest = self.shape.width().max(self.bound.map_or(1, width_of));
        let mut factors: u64 = 1;
        for &(factor, part) in &self.parts {
            let measured = round.measured.get(part)?;
            widest = widest.max(terms.width(measured.head)).max(terms.width(measured.again));
            factors = factors.checked_add(factor.unsigned_abs())?;
        }
        // So wide, no sum of multiples wraps.
        let width = widest + u64::BITS - factors.leading_zeros() + 1;
        let mut ends: [Option<Term>; 2] = [None; 2];
        for &(factor, part) in &self.parts {
            let measured = round.measured.get(part)?;
            for (end, term) in ends.iter_mut().zip([measured.head, measured.again]) {
                let wide = terms.sign_extend(term, width);
                let factor = terms.bits(Bits::signed(width, i128::from(factor)));
                let product = terms.mul(wide, factor);
                *end = Some(end.map_or(product, |end| self.shape.join(terms, end, product)));
            }
        }
        let [head, again] = ends.map(|end| {
            let end = end.unwrap_or_else(|| terms.zero(width));
            self.shape.term(terms, end)
        });
        Some((head, again))
    }
}

impl When {
    /// That it holds at the head of a round.
    pub fn holds(self, terms: &mut Terms, round: &Round) -> Option<Term> {
        Some(self.term(terms, round.measured.get(self.part)?.head))
    }

    fn term(self, terms: &mut Terms, part: Term) -> Term {
        let width = terms.width(part).max(width_of(self.limit)) + 1;
        let (part, limit) = (terms.sign_extend(part, width), terms.bits(Bits::signed(width, self.limit)));
        if self.at_least { terms.sle(limit, part) } else { terms.slt(part, limit) }
    }
}

impl Shape {
    /// How wide the numbers in it are.
    fn width(&self) -> u32 {
        match *self {
            Shape::AtLeast(number) | Shape::AtMost(number) | Shape::Is(number) | Shape::IsNot(number) => width_of(number),
            Shape::Modulo(bits)
            | Shape::Ones(bits)
            | Shape::Zeros(bits)
            | Shape::TrailingZeros(bits)
            | Shape::WithoutTrailing(bits)
            | Shape::LeadingZeros(bits)
            | Shape::WithoutLeading(bits) => bits,
            Shape::Exact | Shape::Greatest | Shape::Least | Shape::Rank(_) => 1,
        }
    }

    /// What two parts make.
    fn join(&self, terms: &mut Terms, a: Term, b: Term) -> Term {
        match self {
            Shape::Greatest | Shape::Least => {
                let less = terms.slt(a, b);
                let (low, high) = if *self == Shape::Greatest { (b, a) } else { (a, b) };
                terms.ite(less, low, high)
            }
            _ => terms.add(a, b),
        }
    }

    fn term(&self, terms: &mut Terms, sum: Term) -> Term {
        let width = terms.width(sum);
        let constant = |terms: &mut Terms, value: i128| terms.bits(Bits::signed(width, value));
        match *self {
            Shape::Exact | Shape::Greatest | Shape::Least | Shape::Rank(_) => sum,
            Shape::Modulo(power) => {
                let low = terms.extract(sum, power.clamp(1, width - 1) - 1, 0);
                terms.zero_extend(low, width)
            }
            Shape::AtLeast(least) => {
                let least = constant(terms, least);
                let below = terms.slt(sum, least);
                terms.ite(below, least, sum)
            }
            Shape::AtMost(most) => {
                let most = constant(terms, most);
                let above = terms.slt(most, sum);
                terms.ite(above, most, sum)
            }
            Shape::Is(value) | Shape::IsNot(value) => {
                let value = constant(terms, value);
                let is = terms.equal(sum, value);
                let is = if matches!(self, Shape::Is(_)) { is } else { terms.not(is) };
                let bit = terms.bit(is);
                terms.zero_extend(bit, 2)
            }
            Shape::Ones(bits) | Shape::Zeros(bits) => {
                let ones: Vec<Term> = (0..bits.min(width)).map(|bit| terms.extract(sum, bit, bit)).collect();
                count(terms, &ones, matches!(self, Shape::Ones(_)))
            }
            Shape::TrailingZeros(bits) | Shape::WithoutTrailing(bits) => {
                let seen = seen(terms, sum, 0..bits.min(width));
                count(terms, &seen, matches!(self, Shape::WithoutTrailing(_)))
            }
            Shape::LeadingZeros(bits) | Shape::WithoutLeading(bits) => {
                let seen = seen(terms, sum, (0..bits.min(width)).rev());
                count(terms, &seen, matches!(self, Shape::WithoutLeading(_)))
            }
        }
    }
}

/// For each bit in an order, whether there was a 1 up to it.
fn seen(terms: &mut Terms, number: Term, bits: impl Iterator<Item = u32>) -> Vec<Term> {
    let mut any = terms.zero(1);
    let mut seen = Vec::new();
    for bit in bits {
        let one = terms.extract(number, bit, bit);
        any = terms.bit_or(any, one);
        seen.push(any);
    }
    seen
}

/// How many bits are 1, or are not.
fn count(terms: &mut Terms, bits: &[Term], ones: bool) -> Term {
    let digits = usize::BITS - bits.len().leading_zeros() + 2;
    let mut count = terms.zero(digits);
    for &bit in bits {
        let counted = if ones { bit } else { terms.bit_not(bit) };
        let wide = terms.zero_extend(counted, digits);
        count = terms.add(count, wide);
    }
    count
}

/// A bound below this is one of a type's range rather than of a loop: nothing relies on it.
pub const LEAST: i128 = -(1 << 30);

/// How many bits a signed number needs.
fn width_of(number: i128) -> u32 {
    i128::BITS + 1 - number.unsigned_abs().leading_zeros()
}

impl Measure {
    /// Whether it cannot decrease for ever, even if signed numbers may leave their range.
    pub fn is_bounded(&self, round: &Round) -> bool {
        let wraps = || self.parts.iter().all(|&(_, part)| round.measured.get(part).is_some_and(|measured| measured.wraps));
        match self.shape {
            Shape::AtLeast(least) => least >= LEAST || wraps(),
            Shape::Is(_) | Shape::IsNot(_) | Shape::Rank(_) => true,
            Shape::Exact | Shape::Greatest | Shape::Least | Shape::AtMost(_) => wraps(),
            // Bits of what has no meaning count for nothing.
            Shape::Modulo(_)
            | Shape::Ones(_)
            | Shape::Zeros(_)
            | Shape::TrailingZeros(_)
            | Shape::WithoutTrailing(_)
            | Shape::LeadingZeros(_)
            | Shape::WithoutLeading(_) => wraps(),
        }
    }

    /// That a round decreases it, where that cannot happen for ever.
    pub fn decreases(&self, terms: &mut Terms, round: &Round) -> Option<Term> {
        let (head, again) = self.terms(terms, round)?;
        let less = terms.slt(again, head);
        match self.bound {
            Some(bound) if bound < LEAST => None,
            Some(bound) => {
                let bound = terms.bits(Bits::signed(terms.width(head), bound));
                let above = terms.sle(bound, head);
                Some(terms.and(less, above))
            }
            None => Some(less),
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
        let measures = match argument {
            RankingArgument::Lexicographic(measures) | RankingArgument::Disjunctive { measures, .. } => measures,
        };
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

    /// Whether signed numbers leave their range only where a measure is still above its bound, and not at it. A loop that doubles a number until that
    /// has no meaning any more does not end for the reason that its measure has a bound: only the rounds with a meaning are above it. (What has a
    /// ceiling is above its bound too easily to count.)
    fn stays_above_bounds(&mut self, round: &Round, measures: &[Measure]) -> bool {
        let mut asked = overflows(round);
        for measure in measures.iter().filter(|measure| !matches!(measure.shape, Shape::AtMost(_))) {
            if let (Some(bound), Some((head, _))) = (measure.bound, measure.terms(self.terms, round)) {
                let bound = self.terms.bits(Bits::signed(self.terms.width(head), bound));
                asked.push(self.terms.sle(head, bound));
            }
        }
        let bounded = measures.iter().any(|measure| measure.bound.is_some());
        !bounded || self.is_impossible(asked)
    }
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
    }
}

/// A round in which none of the first measures counts must not increase the next one, and one must count. Those before the one that counts may decrease
/// too, bounded or not: what never increases decreases only finitely often where it is above its bound, so from some round on only the
/// measures behind it count (Bradley, Manna and Sipma).
fn lexicographic(terms: &mut Terms, round: &Round, measures: &[Measure]) -> Option<Vec<Vec<Term>>> {
    let mut left = Vec::new();
    let mut failures = Vec::new();
    for measure in measures {
        let (head, again) = measure.terms(terms, round)?;
        let mut increases = left.clone();
        increases.push(terms.slt(head, again));
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
    use encode::{Linear, Measured};
    use logic::Sort;
    use model::{Body, FunctionId, Span};

    use super::*;

    /// A round that takes `x` to `next(x)` wherever `guard(x)` holds; of signed or of wrapping numbers.
    fn round(terms: &mut Terms, wraps: bool, guard: fn(&mut Terms, Term) -> Term, next: fn(&mut Terms, Term) -> Term) -> Round {
        let x = terms.variable("x", Sort::Bits(32));
        let (again, after, yes, no) = (guard(terms, x), next(terms, x), terms.bool(true), terms.bool(false));
        let [head, later] = [x, after].map(|term| terms.resize(term, 34, !wraps));
        let measured = Measured { sum: Linear::default(), constants: Vec::new(), head, again: later, wraps };
        Round {
            function: FunctionId::new(0),
            header: Body::ENTRY,
            span: Span::NONE,
            recursive: false,
            instance: 0,
            entered: yes,
            head_valid: yes,
            again,
            again_valid: yes,
            overflow: no,
            measured: vec![measured],
            inputs: 0..0,
            failure: no,
            leaps_inside: 0,
            inside: 0..0,
            since: 0,
            facts: 0..0,
        }
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

//! The predicates of a loop: which there are, and how combinations of them are written down.

use domains::view::{Condition, Origin, Variable, View};
use domains::{Domain, Templates};
use encode::{Formula, Linear, Moment, Quantity, Relation};

use crate::lattice::Cube;

/// The predicates that closures of loops are made of.
#[derive(Clone, Copy, Default)]
pub struct Sigma<'a> {
    /// The user's; if there are none, those of the program are taken.
    pub user: &'a [Templates],
}

/// No more predicates are looked for in a loop.
const PREDICATES: usize = 60;

impl Sigma<'_> {
    /// The predicates for a loop, those first that matter most; groups stand together.
    pub fn predicates(&self, view: &View<'_>) -> Vec<Formula> {
        let mut found = Vec::new();
        if self.user.is_empty() {
            of_program(view, &mut found);
        }
        for templates in self.user {
            templates.propose(view, &mut found);
        }
        let mut once: Vec<Formula> = Vec::new();
        for formula in found {
            if !once.contains(&formula) && at_entry(&formula).is_some() {
                once.push(formula);
            }
        }
        once.truncate(PREDICATES);
        once
    }
}

/// Conditions that decide whether the loop is left, assertions, other conditions, then how variables compare with each other and with 0: each as a
/// triple `<`, `=`, `>` (the Σ of the paper's examples).
fn of_program(view: &View<'_>, out: &mut Vec<Formula>) {
    let mut sums: Vec<Linear> = Vec::new();
    let mut triple = |sum: Linear, out: &mut Vec<Formula>| {
        let sum = upright(sum);
        if !view.varies(&sum) || sums.contains(&sum) {
            return;
        }
        let opposite = Linear::default().minus(&sum);
        out.push(Formula::Compare(sum.clone().shifted(1), Relation::AtMost));
        out.push(Formula::Compare(sum.clone(), Relation::Equal));
        out.push(Formula::Compare(opposite.shifted(1), Relation::AtMost));
        sums.push(sum);
    };
    for origin in [Origin::Exit, Origin::Assertion, Origin::Loop, Origin::Behind] {
        for condition in view.conditions.iter().filter(|condition| condition.origin == origin) {
            match condition {
                Condition { comparison: Some((sum, _)), .. } => triple(sum.clone(), out),
                Condition { askable: true, expr, .. } => {
                    out.extend([Formula::Holds(*expr), Formula::Holds(*expr).negation()]);
                }
                Condition { .. } => {}
            }
        }
    }
    for (first, second, _) in view.changed_pairs().filter(|(first, second, _)| first.is_integer() && second.is_integer()) {
        triple(first.now().minus(&second.now()), out);
    }
    let changed: Vec<&Variable> = view.changed_integers().collect();
    for variable in &changed {
        for &constant in variable.entry.iter().chain([&0]) {
            triple(variable.now().shifted(constant.saturating_neg()), out);
        }
    }
    // What changes together may stay together; what does not change may be a limit.
    let limits = || view.variables.iter().filter(|variable| !variable.changed);
    for (place, first) in changed.iter().enumerate() {
        for second in changed.iter().skip(place + 1).copied().chain(limits()).filter(|second| second.kind == first.kind) {
            triple(first.now().minus(&second.now()), out);
        }
    }
}

/// A sum or its opposite: the one whose first factor is positive.
fn upright(sum: Linear) -> Linear {
    match sum.parts.first() {
        Some((factor, _)) if *factor < 0 => Linear::default().minus(&sum),
        _ => sum,
    }
}

/// For each predicate the number of its group: neighbours that compare the same sum, up to its constant.
pub fn groups(predicates: &[Formula]) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for (place, predicate) in predicates.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| predicates.get(before));
        let same = before.is_some_and(|before| match (Span::of(before), Span::of(predicate)) {
            (Some(a), Some(b)) => a.sum == b.sum,
            _ => *before == predicate.clone().negation() || *predicate == before.clone().negation(),
        });
        let last = found.last().copied().unwrap_or(0);
        found.push(if same { last } else { last + 1 });
    }
    found
}

/// What a formula says of the state in which the loop was entered; `None` if that cannot be said.
pub fn at_entry(formula: &Formula) -> Option<Formula> {
    let moved = |sum: &Linear| {
        let parts = sum.parts.iter();
        parts.fold(Linear::constant(sum.constant), |total, (factor, quantity)| total.plus(*factor, &Linear::of(quantity.before())))
    };
    let plain = |sum: &Linear| sum.parts.iter().all(|(_, quantity)| matches!(quantity, Quantity::Of(..)));
    Some(match formula {
        Formula::Compare(sum, relation) if plain(sum) => Formula::Compare(moved(sum), *relation),
        Formula::Modular(sum, power) if plain(sum) => Formula::Modular(moved(sum), *power),
        Formula::Multiple(sum, of) if plain(sum) => Formula::Multiple(moved(sum), *of),
        Formula::Holds(expr) => {
            let value = Quantity::Of(encode::Source::Expr(*expr), encode::Aspect::Value, Moment::Entry);
            Formula::Compare(Linear::of(value), Relation::Different)
        }
        Formula::SameObject(a, b) => Formula::SameObject((a.0, Moment::Entry), (b.0, Moment::Entry)),
        Formula::SamePointer(a, b) => Formula::SamePointer((a.0, Moment::Entry), (b.0, Moment::Entry)),
        Formula::Not(inner) => match &**inner {
            // Formulas of formulas are not predicates, but what the user writes is.
            Formula::Not(_) | Formula::All(_) | Formula::Any(_) => return None,
            inner => at_entry(inner)?.negation(),
        },
        _ => return None,
    })
}

/// One of some predicates, as a formula: those that compare the same sum become one comparison where there is one.
pub fn disjunction(predicates: &[Formula], clause: Cube) -> Formula {
    let mut parts: Vec<Formula> = Vec::new();
    let mut spans: Vec<Span> = Vec::new();
    for predicate in clause.iter().filter_map(|number| predicates.get(number)) {
        match Span::of(predicate) {
            Some(span) => spans.push(span),
            None => parts.push(predicate.clone()),
        }
    }
    while let Some(mut span) = spans.pop() {
        // Each union may touch what did not touch before.
        while let Some(place) = spans.iter().position(|other| span.union(other).is_some()) {
            let other = spans.swap_remove(place);
            span = span.union(&other).unwrap_or(span);
        }
        parts.push(span.formula());
    }
    parts.sort();
    match parts.len() {
        1 => parts.swap_remove(0),
        _ => Formula::Any(parts),
    }
}

/// The same conjunction in fewer parts: bounds of the same sum become one comparison where they meet.
pub fn tidy(parts: Vec<Formula>) -> Vec<Formula> {
    let mut found: Vec<(Option<Span>, Formula)> = Vec::new();
    for part in parts {
        let span = Span::of(&part);
        let both = found.iter_mut().find_map(|(known, formula)| {
            let exact = known.as_ref()?.intersection(span.as_ref()?)?;
            Some((known, formula, exact))
        });
        match both {
            Some((known, formula, exact)) => {
                *formula = exact.formula();
                *known = Some(exact);
            }
            None => found.push((span, part)),
        }
    }
    found.into_iter().map(|(_, formula)| formula).collect()
}

/// What a comparison allows a sum to be: what lies between two bounds, or what does not.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Span {
    /// The sum, its first factor positive, without constant.
    sum: Linear,
    low: Option<i128>,
    high: Option<i128>,
    /// The only value that is not allowed, if there is no bound.
    hole: Option<i128>,
}

impl Span {
    fn of(formula: &Formula) -> Option<Span> {
        let Formula::Compare(linear, relation) = formula else { return None };
        let sum = upright(Linear { parts: linear.parts.clone(), constant: 0 });
        let flipped = sum.parts != linear.parts;
        // `parts + constant <= 0` is `parts <= -constant`, and `-parts >= constant`.
        let value = if flipped { linear.constant } else { linear.constant.checked_neg()? };
        let (low, high, hole) = match (relation, flipped) {
            (Relation::Equal, _) => (Some(value), Some(value), None),
            (Relation::Different, _) => (None, None, Some(value)),
            (Relation::AtMost, false) => (None, Some(value), None),
            (Relation::AtMost, true) => (Some(value), None, None),
        };
        Some(Span { sum, low, high, hole })
    }

    /// The union, if it is one of these again.
    fn union(&self, other: &Span) -> Option<Span> {
        let within = |span: &Span, value: i128| {
            span.hole
                .map_or_else(|| span.low.is_none_or(|low| low <= value) && span.high.is_none_or(|high| value <= high), |hole| hole != value)
        };
        if self.sum != other.sum {
            return None;
        }
        let whole = Span { sum: self.sum.clone(), low: None, high: None, hole: None };
        match (self.hole, other.hole) {
            (Some(hole), _) => return Some(Span { hole: (!within(other, hole)).then_some(hole), ..whole }),
            (_, Some(_)) => return other.union(self),
            (None, None) => {}
        }
        // The one that begins first.
        let (a, b) = if self.low.is_none_or(|low| other.low.is_some_and(|other| low <= other)) { (self, other) } else { (other, self) };
        let (Some(end), Some(start)) = (a.high, b.low) else {
            let high = a.high.zip(b.high).map(|(a, b)| a.max(b));
            return Some(Span { low: a.low.and(b.low.and(a.low)), high, ..whole });
        };
        if start <= end.saturating_add(1) {
            let high = b.high.map(|high| high.max(end));
            return Some(Span { low: a.low, high, ..whole });
        }
        let both_open = a.low.is_none() && b.high.is_none();
        (both_open && start == end.saturating_add(2)).then(|| Span { hole: Some(end.saturating_add(1)), ..whole })
    }

    /// What both allow, if it is a single value.
    fn intersection(&self, other: &Span) -> Option<Span> {
        let low = self.low.max(other.low)?;
        let high = self.high.or(other.high)?.min(other.high.or(self.high)?);
        let single = self.sum == other.sum && low == high && self.hole.is_none() && other.hole.is_none();
        single.then(|| Span { sum: self.sum.clone(), low: Some(low), high: Some(high), hole: None })
    }

    fn formula(&self) -> Formula {
        let at_most = |high: i128| Formula::Compare(self.sum.clone().shifted(high.saturating_neg()), Relation::AtMost);
        let at_least = |low: i128| Formula::Compare(Linear::constant(low).minus(&self.sum), Relation::AtMost);
        match (self.low, self.high, self.hole) {
            (_, _, Some(hole)) => Formula::Compare(self.sum.clone().shifted(hole.saturating_neg()), Relation::Different),
            (Some(low), Some(high), _) if low == high => Formula::Compare(self.sum.clone().shifted(low.saturating_neg()), Relation::Equal),
            (Some(low), Some(high), _) => Formula::All(vec![at_least(low), at_most(high)]),
            (Some(low), None, _) => at_least(low),
            (None, Some(high), _) => at_most(high),
            (None, None, _) => Formula::All(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encode::Source;
    use model::LocalId;

    fn x() -> Linear {
        Linear::of(Quantity::value(Source::Local(LocalId::new(0))))
    }
    fn at_most(limit: i128) -> Formula {
        Formula::at_most(&x(), &Linear::constant(limit))
    }
    fn at_least(limit: i128) -> Formula {
        Formula::at_most(&Linear::constant(limit), &x())
    }
    fn equal(value: i128) -> Formula {
        Formula::equal(&x(), &Linear::constant(value))
    }
    fn any(predicates: &[Formula]) -> Formula {
        disjunction(predicates, Cube::first(predicates.len()))
    }

    #[test]
    fn disjunctions_of_comparisons_are_comparisons() {
        assert_eq!(any(&[at_most(2), equal(3)]), at_most(3));
        assert_eq!(any(&[equal(3), at_least(4)]), at_least(3));
        assert_eq!(any(&[at_most(2), at_least(4)]), Formula::Compare(x().shifted(-3), Relation::Different));
        assert_eq!(any(&[at_most(2), at_least(4), equal(3)]), Formula::All(Vec::new()));
        assert_eq!(any(&[at_most(5), at_most(2)]), at_most(5));
        assert_eq!(any(&[at_least(5), at_least(2)]), at_least(2));
        assert_eq!(any(&[equal(1), equal(2), equal(3)]), Formula::All(vec![at_least(1), at_most(3)]));
        assert_eq!(any(&[]), Formula::Any(Vec::new()));
        let apart = any(&[at_most(1), at_least(4)]);
        assert!(matches!(&apart, Formula::Any(parts) if parts.len() == 2), "{apart:?}");
    }

    #[test]
    fn bounds_that_meet_are_equations() {
        assert_eq!(tidy(vec![at_most(3), at_least(3)]), [equal(3)]);
        assert_eq!(tidy(vec![at_least(3), at_most(9), at_most(3)]), [equal(3), at_most(9)]);
        assert_eq!(tidy(vec![at_least(2), at_most(3)]), [at_least(2), at_most(3)]);
    }

    #[test]
    fn groups_are_neighbours_about_the_same_sum() {
        let y = Linear::of(Quantity::value(Source::Local(LocalId::new(1))));
        let other = Formula::at_most(&y, &x());
        assert_eq!(groups(&[at_most(-1), equal(0), at_least(1), other]), [1, 1, 1, 2]);
    }

    #[test]
    fn what_held_when_the_loop_was_entered() {
        let before = Quantity::value(Source::Local(LocalId::new(0))).before();
        assert_eq!(at_entry(&at_most(3)), Some(Formula::at_most(&Linear::of(before), &Linear::constant(3))));
        let counted = Formula::at_most(&Linear::of(Quantity::Iterations), &x());
        assert_eq!(at_entry(&counted), None);
    }
}

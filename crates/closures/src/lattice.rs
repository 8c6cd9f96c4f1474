//! The lattice D: monotonic formulas over a finite set of predicates (*Loop Leaping with Closures* §3.2).
//!
//! The paper makes sets of cubes canonical by their down-sets: with a cube, all cubes are in that describe no more states. Of a down-set it is enough
//! to keep the *valuations*, the largest cubes that any state satisfies: the set of predicates that are true in it. There are few of them (of the
//! 27 combinations of three triples `<`, `=`, `>` about `x`, `n` and `x - n`, 13 are possible), they are found by the solver once for each loop, and
//! then join and meet are unions and intersections of bit sets, equal formulas are equal sets, and cubes that contradict themselves do not arise. An
//! antichain of cubes would need the solver, or a table of contradictions, in each meet; a decision diagram is a third structure for sets as small.

/// A set of predicates, by number: read as the conjunction of them, as a disjunction (see [`crate::clauses`]), or as a valuation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube(u64);

impl Cube {
    /// No more predicates than this.
    pub const PREDICATES: usize = 64;

    /// The set with one predicate.
    pub fn of(predicate: usize) -> Self {
        Cube(1u64.checked_shl(predicate as u32).unwrap_or(0))
    }
    /// All of the first so many predicates.
    pub fn first(count: usize) -> Self {
        Cube(1u64.checked_shl(count as u32).unwrap_or(0).wrapping_sub(1))
    }
    /// The union.
    #[must_use]
    pub fn union(self, other: Cube) -> Self {
        Cube(self.0 | other.0)
    }
    /// What is not in the other.
    #[must_use]
    pub fn minus(self, other: Cube) -> Self {
        Cube(self.0 & !other.0)
    }
    /// Whether a predicate is in it.
    pub fn contains(self, predicate: usize) -> bool {
        self.meets(Cube::of(predicate))
    }
    /// Whether all of it is in the other.
    pub fn is_subset(self, other: Cube) -> bool {
        self.0 & !other.0 == 0
    }
    /// Whether they have something in common.
    pub fn meets(self, other: Cube) -> bool {
        self.0 & other.0 != 0
    }
    /// The predicates, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..Self::PREDICATES).filter(move |&predicate| self.contains(predicate))
    }
}

impl FromIterator<usize> for Cube {
    fn from_iter<I: IntoIterator<Item = usize>>(predicates: I) -> Self {
        predicates.into_iter().fold(Cube::default(), |cube, predicate| cube.union(Cube::of(predicate)))
    }
}

/// An element of D: the valuations of a [`Universe`] in which a monotonic formula is true, as a bit set. With a valuation, all that make more
/// predicates true are in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Monotone(Vec<u64>);

impl Monotone {
    /// The join: one of them is true.
    #[must_use]
    pub fn join(&self, other: &Monotone) -> Monotone {
        Monotone(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }
    /// The meet: both are true.
    #[must_use]
    pub fn meet(&self, other: &Monotone) -> Monotone {
        Monotone(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }
    /// Whether it entails the other.
    pub fn entails(&self, other: &Monotone) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }
    /// Whether it is false.
    pub fn is_false(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
    /// The numbers of its valuations.
    fn numbers(&self) -> impl Iterator<Item = usize> {
        self.0
            .iter()
            .enumerate()
            .flat_map(|(place, &word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| place * 64 + bit))
    }
    fn insert(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }
}

/// The valuations that states have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Universe {
    predicates: usize,
    valuations: Vec<Cube>,
}

impl Universe {
    /// With so many predicates, and these valuations.
    pub fn new(predicates: usize, valuations: impl IntoIterator<Item = Cube>) -> Self {
        let mut valuations: Vec<Cube> = valuations.into_iter().collect();
        valuations.sort_unstable();
        valuations.dedup();
        Universe { predicates: predicates.min(Cube::PREDICATES), valuations }
    }
    /// How many predicates there are.
    pub fn predicates(&self) -> usize {
        self.predicates
    }
    /// How many valuations there are.
    pub fn len(&self) -> usize {
        self.valuations.len()
    }
    /// Whether there is no state at all.
    pub fn is_empty(&self) -> bool {
        self.valuations.is_empty()
    }
    /// The formula of the valuations that satisfy a condition; it has to be one that stays true when more predicates are.
    fn select(&self, condition: impl Fn(Cube) -> bool) -> Monotone {
        let mut set = Monotone(vec![0; self.valuations.len().div_ceil(64)]);
        for (number, &valuation) in self.valuations.iter().enumerate() {
            if condition(valuation) {
                set.insert(number);
            }
        }
        set
    }
    /// False.
    pub fn bottom(&self) -> Monotone {
        self.select(|_| false)
    }
    /// True.
    pub fn top(&self) -> Monotone {
        self.select(|_| true)
    }
    /// A conjunction of predicates; γ of a cube.
    pub fn conjunction(&self, cube: Cube) -> Monotone {
        self.select(|valuation| cube.is_subset(valuation))
    }
    /// A disjunction of predicates.
    pub fn disjunction(&self, clause: Cube) -> Monotone {
        self.select(|valuation| clause.meets(valuation))
    }
    /// The strongest formula that is true in states with these valuations: α (Proposition 3.1).
    pub fn abstraction(&self, states: &[Cube]) -> Monotone {
        self.select(|valuation| states.iter().any(|state| state.is_subset(valuation)))
    }
    /// The valuations of a formula.
    pub fn valuations(&self, formula: &Monotone) -> impl Iterator<Item = Cube> {
        formula.numbers().filter_map(|number| self.valuations.get(number).copied())
    }
    /// The valuations that are not of a formula.
    pub(crate) fn others(&self, formula: &Monotone) -> Vec<Cube> {
        let all = self.valuations.iter().enumerate();
        all.filter(|(number, _)| formula.0.get(number / 64).is_none_or(|word| word >> (number % 64) & 1 == 0))
            .map(|(_, &cube)| cube)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example 3.2 of the paper: σ1 = (0 <= i <= 1), σ2 = (1 <= i <= 2), states are the values of i.
    #[test]
    fn the_example_of_the_paper() {
        let value =
            |i: i32| Cube::from_iter([(0..=1).contains(&i), (1..=2).contains(&i)].iter().enumerate().filter(|(_, t)| **t).map(|(n, _)| n));
        let universe = Universe::new(2, (-1..=3).map(value));
        assert_eq!(universe.len(), 4);
        let (first, second) = (universe.conjunction(Cube::of(0)), universe.conjunction(Cube::of(1)));
        assert_eq!(first.meet(&second), universe.abstraction(&[value(1)]));
        assert_eq!(first.join(&second), universe.abstraction(&[value(0), value(1), value(2)]));
        assert_eq!(first.join(&second), universe.disjunction(Cube::first(2)));
        // Proposition 3.2: the abstraction of a predicate is the predicate.
        assert_eq!(first, universe.abstraction(&[value(0), value(1)]));
        // Example 3.3.
        assert!(universe.bottom().is_false());
        assert_eq!(universe.conjunction(Cube::default()), universe.top());
    }

    #[test]
    fn sets_of_predicates() {
        let cube = Cube::from_iter([0, 5, 63]);
        assert_eq!(cube.iter().collect::<Vec<_>>(), [0, 5, 63]);
        assert_eq!(Cube::first(64).minus(cube).iter().count(), 61);
        assert_eq!(Cube::of(64), Cube::default());
        assert!(Cube::of(5).is_subset(cube) && cube.meets(Cube::first(1)) && !cube.contains(1));
    }
}

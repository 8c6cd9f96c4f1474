//! Closure operators on D (*Loop Leaping with Closures* §3.3).

use crate::lattice::{Cube, Monotone, Universe};

/// A map f : Σ → D, which lifts to D → D: to a valuation by the meet over its predicates, to a formula by the join over its valuations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operator {
    images: Vec<Monotone>,
}

impl Operator {
    /// The map that gives each predicate its image and the predicate itself: extensive, as `f = λσ. ↓{{σ}} ∪ …` in Definition 3.5. A predicate
    /// without image may lead anywhere.
    pub fn extensive(universe: &Universe, images: &[Monotone]) -> Self {
        let image = |predicate: usize| match images.get(predicate) {
            Some(image) => image.join(&universe.conjunction(Cube::of(predicate))),
            None => universe.top(),
        };
        Operator { images: (0..universe.predicates()).map(image).collect() }
    }

    /// The image of a predicate.
    pub fn image(&self, predicate: usize) -> Option<&Monotone> {
        self.images.get(predicate)
    }

    /// The image of a conjunction: what all images have in common.
    pub fn of_cube(&self, universe: &Universe, cube: Cube) -> Monotone {
        let images = cube.iter().filter_map(|predicate| self.images.get(predicate));
        images.fold(universe.top(), |all, image| all.meet(image))
    }

    /// The image of a formula.
    pub fn apply(&self, universe: &Universe, formula: &Monotone) -> Monotone {
        universe.valuations(formula).fold(universe.bottom(), |all, valuation| all.join(&self.of_cube(universe, valuation)))
    }

    /// The idempotent relaxation ↑f by Proposition 3.4: `f := f ⊔ λσ. f(f(σ))` until nothing changes, which is soon, since the length of the
    /// paths that are covered doubles each time. If f is extensive, the result is a closure: monotone, extensive, idempotent.
    #[must_use]
    pub fn relaxed(mut self, universe: &Universe) -> Self {
        loop {
            let next = |image: &Monotone| image.join(&self.apply(universe, image));
            let images: Vec<Monotone> = self.images.iter().map(next).collect();
            if images == self.images {
                return self;
            }
            self.images = images;
        }
    }
}

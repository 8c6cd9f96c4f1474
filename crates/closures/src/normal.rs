//! Formulas of D in short: as a conjunction of clauses, or a disjunction of cubes, exact for the states that there are.

use crate::lattice::{Cube, Monotone, Universe};

/// Clauses (disjunctions) whose conjunction is the formula, short ones first. What all states satisfy does not appear.
pub fn clauses(universe: &Universe, formula: &Monotone) -> Vec<Cube> {
    let members: Vec<Cube> = universe.valuations(formula).collect();
    let holds = |clause: Cube| members.iter().all(|member| member.meets(clause));
    let all = Cube::first(universe.predicates());
    cover(&universe.others(formula), short(universe), holds, |clause, other| !clause.meets(other), |other| all.minus(other))
}

/// Cubes (conjunctions) whose disjunction is the formula, short ones first.
pub fn cubes(universe: &Universe, formula: &Monotone) -> Vec<Cube> {
    let others = universe.others(formula);
    let holds = |cube: Cube| !others.iter().any(|&other| cube.is_subset(other));
    let members: Vec<Cube> = universe.valuations(formula).collect();
    cover(&members, short(universe), holds, Cube::is_subset, |member| member)
}

/// Sets of no, one and two predicates; of pairs, those first that stand together, since they say something about the same.
fn short(universe: &Universe) -> Vec<Cube> {
    let count = universe.predicates();
    let pairs = (1..count).flat_map(|distance| (0..count - distance).map(move |first| Cube::from_iter([first, first + distance])));
    [Cube::default()].into_iter().chain((0..count).map(Cube::of)).chain(pairs).collect()
}

/// Sets that are right and that together deal with all of these valuations: from those that are tried first, and for what they leave the smallest parts of
/// what is right anyway. None of them could be left out.
fn cover(
    wanted: &[Cube],
    tried: Vec<Cube>,
    right: impl Fn(Cube) -> bool,
    deals_with: impl Fn(Cube, Cube) -> bool,
    anyway: impl Fn(Cube) -> Cube,
) -> Vec<Cube> {
    let mut open = wanted.to_vec();
    let mut chosen: Vec<Cube> = Vec::new();
    for set in tried {
        if open.iter().any(|&one| deals_with(set, one)) && right(set) {
            open.retain(|&one| !deals_with(set, one));
            chosen.push(set);
        }
    }
    while let Some(&one) = open.first() {
        let whole = anyway(one);
        let set = whole.iter().fold(whole, |set, predicate| {
            let smaller = set.minus(Cube::of(predicate));
            if right(smaller) { smaller } else { set }
        });
        open.retain(|&one| !deals_with(set, one));
        // A set that does not deal with what it was made for would be asked for again and again.
        open.retain(|&other| other != one);
        chosen.push(set);
    }
    for place in (0..chosen.len()).rev() {
        let others = |one: Cube| chosen.iter().enumerate().any(|(other, &set)| other != place && deals_with(set, one));
        if wanted.iter().all(|&one| others(one)) {
            chosen.remove(place);
        }
    }
    chosen
}

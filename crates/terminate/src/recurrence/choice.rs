//! Inputs that are chosen in each round, from what the variables are at the head: what the program compares them with, variables, differences; one or the other of
//! them as the program's conditions say. Runs with such inputs that do not end are tried as any others: is there a closed set around them?

use encode::{Linear, Round};
use interp::input::splitmix;
use kernel::ranking::{Measure, Shape};
use kernel::{Atom, Comparison, Given, Sum};
use model::BinaryOp;

use super::Divergence;
use super::closed::{Guard, Sets, Site};
use super::lasso::Lassos;
use super::template;
use super::track::Place;

/// So many sums are worth trying for an input, so many of them in two cases, which so many conditions tell apart.
const SUMS: usize = 120;
const CASES: usize = 12;
const CONDITIONS: usize = 8;
/// If there are several inputs, so many combinations are tried.
const COMBINATIONS: usize = 600;
/// More inputs of a round are not chosen.
const SITES: usize = 6;
/// So many runs of a loop that do not end are looked at.
const SURVIVORS: usize = 6;
/// Variables of which sums and differences are tried.
const VARIABLES: usize = 6;
/// Constants that are tried.
const CONSTANTS: usize = 8;

/// A run that never ends because its inputs are well chosen.
pub(super) fn search(sets: &mut Sets<'_>, lassos: &Lassos<'_, '_>) -> Option<Divergence> {
    lassos.places().into_iter().find_map(|place| at(sets, lassos, place))
}

fn at(sets: &mut Sets<'_>, lassos: &Lassos<'_, '_>, place: Place) -> Option<Divergence> {
    let rounds = sets.rounds(place, lassos)?;
    let first = rounds.first()?;
    let sites = sets.sites(&rounds);
    if sites.is_empty() || sites.len() > SITES {
        return None;
    }
    let stems = lassos.stems(place);
    let all = proposals(sets, first);
    let mut survivors = 0;
    for number in 0..if sites.len() == 1 { all.len() } else { COMBINATIONS } {
        let plan: Vec<(&Site, Given)> = sites.iter().zip(combination(&all, number, sites.len())).collect();
        let strategy = sets.strategy(first, &plan, place, lassos);
        for stem in &stems {
            if survivors == SURVIVORS || lassos.is_over() {
                return None;
            }
            let Some(track) = lassos.survives(stem, place, &strategy) else { continue };
            if let Some(found) = sets.chosen(&track, &rounds, &plan, lassos) {
                return Some(found);
            }
            survivors += 1;
        }
    }
    None
}

/// What each input is: each proposal in turn if there is one input; at random if there are several, those that come first more often.
fn combination(all: &[Given], number: usize, sites: usize) -> Vec<Given> {
    if sites == 1 {
        return all.get(number).cloned().into_iter().collect();
    }
    let mut state = number as u64;
    let mut draw = || {
        let random = splitmix(&mut state);
        let below = 1 + (random >> 32) as usize % all.len().max(1);
        all.get(random as u32 as usize % below).cloned().unwrap_or_default()
    };
    (0..sites).map(|_| draw()).collect()
}

/// What may keep a run in the loop: sums, then one of two sums.
fn proposals(sets: &Sets<'_>, round: &Round) -> Vec<Given> {
    let none = Guard::default();
    let guard = sets.guards.get(&(round.function, round.header)).unwrap_or(&none);
    let sums = sums(sets, round, guard);
    let mut found: Vec<Given> = sums.iter().cloned().map(Given::from).collect();
    for condition in conditions(round, guard) {
        for (first, then) in sums.iter().take(CASES).enumerate() {
            for (_, otherwise) in sums.iter().take(CASES).enumerate().filter(|(second, _)| *second != first) {
                found.push(Given { cases: vec![(condition.clone(), then.clone())], otherwise: otherwise.clone() });
            }
        }
    }
    found
}

/// Sums that may keep a run in the loop.
fn sums(sets: &Sets<'_>, round: &Round, guard: &Guard) -> Vec<Sum> {
    let mut found: Vec<Sum> = Vec::new();
    let mut propose = |sum: Sum| {
        if found.len() < SUMS && !found.contains(&sum) {
            found.push(sum);
        }
    };
    let sides: Vec<Sum> = guard.comparisons.iter().flat_map(|(sum, _)| other_sides(round, sum)).collect();
    for shift in [0, 1, -1] {
        for side in &sides {
            propose(Sum { constant: side.constant.saturating_add(shift), ..side.clone() });
        }
    }
    let parts = 0..round.measured.len().min(VARIABLES);
    for part in parts.clone() {
        for (factor, constant) in [(1, 0), (1, 1), (1, -1), (-1, 0)] {
            propose(Sum { parts: vec![(factor, part)], constant });
        }
    }
    for constant in template::constants(sets.program, round.function).into_iter().take(CONSTANTS) {
        propose(Sum { parts: Vec::new(), constant });
    }
    for first in parts.clone() {
        for second in parts.clone().filter(|second| *second != first) {
            for factor in [-1, 1] {
                propose(Sum { parts: vec![(1, first), (factor, second)], constant: 0 });
            }
        }
    }
    found
}

/// If a sum is to be 0, what each of its variables has to be that occurs once; as far as the others are measured.
fn other_sides(round: &Round, sum: &Linear) -> Vec<Sum> {
    let side = |own: usize| {
        let sign = -sum.parts.get(own).filter(|(factor, _)| factor.abs() == 1)?.0;
        let mut rest = Linear { parts: sum.parts.clone(), constant: sum.constant };
        rest.parts.remove(own);
        let Sum { parts, constant } = measured(round, &rest)?;
        let parts: Option<Vec<(i64, usize)>> = parts.into_iter().map(|(factor, part)| Some((factor.checked_mul(sign)?, part))).collect();
        Some(Sum { parts: parts?, constant: constant.checked_mul(sign.into())? })
    };
    (0..sum.parts.len()).filter_map(side).collect()
}

/// A sum of what is measured.
fn measured(round: &Round, sum: &Linear) -> Option<Sum> {
    let part = |&(factor, quantity): &(i64, encode::Quantity)| {
        Some((factor, round.measured.iter().position(|measured| measured.sum == Linear::of(quantity))?))
    };
    let parts: Option<Vec<(i64, usize)>> = sum.parts.iter().map(part).collect();
    Some(Sum { parts: parts?, constant: sum.constant })
}

/// The program's conditions, as far as they can be asked at the head.
fn conditions(round: &Round, guard: &Guard) -> Vec<Atom> {
    let atom = |sum: &Linear, shape: Shape, relation: Comparison, value: Option<i128>| {
        let Sum { parts, constant } = measured(round, sum)?;
        let value = value.map_or_else(|| constant.checked_neg(), Some)?;
        Some(Atom { measure: Measure { parts, shape, bound: None, when: None }, relation, value })
    };
    let comparison = |(sum, op): &(Linear, BinaryOp)| match op {
        BinaryOp::Eq | BinaryOp::Ne => atom(sum, Shape::Exact, Comparison::Equal, None),
        BinaryOp::Le | BinaryOp::Gt => atom(sum, Shape::Exact, Comparison::AtMost, None),
        BinaryOp::Ge | BinaryOp::Lt => atom(sum, Shape::Exact, Comparison::AtLeast, None),
        _ => None,
    };
    let remainder = |(sum, power): &(Linear, u32)| atom(sum, Shape::Modulo(*power), Comparison::Equal, Some(0));
    let mut found: Vec<Atom> = Vec::new();
    for atom in guard.remainders.iter().filter_map(remainder).chain(guard.comparisons.iter().filter_map(comparison)) {
        if found.len() < CONDITIONS && !found.contains(&atom) {
            found.push(atom);
        }
    }
    found
}

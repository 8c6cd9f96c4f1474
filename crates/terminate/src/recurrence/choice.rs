//! Inputs that are chosen in each round, as sums of what the variables are at the head: what the program compares them with, variables, differences. Runs with such inputs
//! that do not end are tried as any others: is there a closed set around them?

use encode::{Linear, Quantity, Round};
use interp::input::splitmix;
use kernel::{Choice, Given};

use super::Divergence;
use super::closed::{Sets, Site};
use super::lasso::{Lassos, Place, Strategy};
use super::template;

/// So many sums are worth trying for an input; if there are several inputs, so many combinations are tried.
const SUMS: usize = 120;
const COMBINATIONS: usize = 240;
/// More inputs of a round are not chosen.
const SITES: usize = 6;
/// So many runs of a loop that do not end are looked at.
const SURVIVORS: usize = 4;
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
    let sums = sums(sets, first);
    let mut survivors = 0;
    for number in 0..if sites.len() == 1 { sums.len() } else { COMBINATIONS } {
        let plan: Vec<(&Site, Given)> = sites.iter().zip(combination(&sums, number, sites.len())).collect();
        let choices: Option<Vec<Choice>> = plan.iter().map(|(site, given)| sets.choice(first, site, given, place, lassos)).collect();
        let Some(choices) = choices else { continue };
        let strategy = Strategy { place, choices };
        for stem in &stems {
            let Some(track) = lassos.survives(stem, &strategy) else { continue };
            if let Some(found) = sets.chosen(&track, &rounds, &plan, lassos) {
                return Some(found);
            }
            survivors += 1;
            if survivors == SURVIVORS || lassos.is_over() {
                return None;
            }
        }
    }
    None
}

/// One sum for each input: each of them in turn if there is one input; at random if there are several, those that come first more often.
fn combination(sums: &[Given], number: usize, sites: usize) -> Vec<Given> {
    if sites == 1 {
        return sums.get(number).cloned().into_iter().collect();
    }
    let mut state = number as u64;
    let mut draw = || {
        let random = splitmix(&mut state);
        let below = 1 + (random >> 32) as usize % sums.len().max(1);
        sums.get(random as u32 as usize % below).cloned().unwrap_or_default()
    };
    (0..sites).map(|_| draw()).collect()
}

/// Sums that may keep a run in the loop.
fn sums(sets: &Sets<'_>, round: &Round) -> Vec<Given> {
    let mut found: Vec<Given> = Vec::new();
    let mut propose = |given: Given| {
        if found.len() < SUMS && !found.contains(&given) {
            found.push(given);
        }
    };
    let guards = sets.guards.get(&(round.function, round.header)).map_or(&[][..], Vec::as_slice);
    for other in guards.iter().flat_map(|sum| other_sides(round, sum)) {
        for shift in [0, 1, -1] {
            propose(Given { constant: other.constant.saturating_add(shift), ..other.clone() });
        }
    }
    let parts = 0..round.measured.len().min(VARIABLES);
    for part in parts.clone() {
        for (factor, constant) in [(1, 0), (1, 1), (1, -1), (-1, 0)] {
            propose(Given { parts: vec![(factor, part)], constant });
        }
    }
    for constant in template::constants(sets.program, round.function).into_iter().take(CONSTANTS) {
        propose(Given::constant(constant));
    }
    for first in parts.clone() {
        for second in parts.clone().filter(|second| *second != first) {
            for factor in [-1, 1] {
                propose(Given { parts: vec![(1, first), (factor, second)], constant: 0 });
            }
        }
    }
    found
}

/// If a sum is to be 0, what each of its variables has to be that occurs once; as far as that is measured.
fn other_sides(round: &Round, sum: &Linear) -> Vec<Given> {
    let side = |own: usize| {
        let sign = -sum.parts.get(own).filter(|(factor, _)| factor.abs() == 1)?.0;
        let mut parts = Vec::new();
        for (_, &(factor, quantity)) in sum.parts.iter().enumerate().filter(|(position, _)| *position != own) {
            let part = round.measured.iter().position(|measured| measured.sum == Linear::of(quantity))?;
            parts.push((factor.checked_mul(sign)?, part));
        }
        Some(Given { parts, constant: sum.constant.checked_mul(sign.into())? })
    };
    let is_value = |quantity: &Quantity| matches!(quantity, Quantity::Of(..));
    (0..sum.parts.len()).filter(|own| is_value(&sum.parts[*own].1)).filter_map(side).collect()
}

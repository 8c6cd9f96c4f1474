//! Inputs that are chosen in each round, from what the variables are at the head: what the program compares them with, variables, differences; one or the other of
//! them as the program's conditions say; or what a variable is where the input is read. Runs with such inputs that do not end are tried as any others: is there a closed set around them?

use encode::{Linear, Round};
use interp::input::splitmix;
use kernel::ranking::{Measure, Shape};
use kernel::{Atom, Comparison, Given, Sum};
use model::BinaryOp;

use super::Divergence;
use super::closed::{Example, Guard, Sets, Site};
use super::lasso::Lassos;
use super::template;
use super::track::Place;

/// So many sums are worth trying for an input, so many of them in two cases, which so many conditions tell apart.
const SUMS: usize = 200;
const CASES: usize = 12;
const CONDITIONS: usize = 8;
/// If there are several inputs, so many combinations are tried.
const COMBINATIONS: usize = 600;
/// Of two or three inputs, all combinations of the first so many proposals are.
const FIRST: usize = 7;
/// More inputs of a round are not chosen.
const SITES: usize = 6;
/// So many runs of a loop that do not end are looked at.
const SURVIVORS: usize = 6;
/// Variables of which sums and differences are tried.
const VARIABLES: usize = 6;
/// So many examples tell what a sum is, with factors that are no larger than this.
const FITTING: usize = 3;
const FACTOR: i64 = 8;
/// Variables whose values are computed in the round that are tried.
const COMPUTED: usize = 6;
/// Constants that are tried.
const CONSTANTS: usize = 10;

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
    let examples = [true, false].map(|calm| sets.examples(first, &sites, calm));
    let fitted = |site| -> Vec<Sum> { examples.iter().flat_map(|examples| fitted(examples, site)).collect() };
    let mut all: Vec<Vec<Given>> = Vec::new();
    for (number, site) in sites.iter().enumerate() {
        let computed = sets.computed(first, site).into_iter().take(COMPUTED);
        let computed = computed.map(|local| Sum { here: Some(local), ..Sum::default() }).collect();
        all.push(proposals(sets, first, [fitted(number), computed].concat()));
    }
    let mut survivors = 0;
    let combinations = if let [only] = &all[..] { only.len() } else { COMBINATIONS };
    for number in 0..combinations {
        let plan: Vec<(&Site, Given)> = sites.iter().zip(combination(&all, number)).collect();
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

/// What each input is: each proposal in turn if there is one input; if there are two or three, all combinations of the first few come first; then they are
/// made at random, with those more often that come first.
fn combination(all: &[Vec<Given>], number: usize) -> Vec<Given> {
    if let [only] = all {
        return only.get(number).cloned().into_iter().collect();
    }
    let systematic = if all.len() <= 3 { FIRST.pow(all.len() as u32) } else { 0 };
    if number < systematic {
        let mut rest = number;
        let mut digit = |proposals: &Vec<Given>| {
            let given = proposals.get(rest % FIRST).cloned().unwrap_or_default();
            rest /= FIRST;
            given
        };
        return all.iter().map(&mut digit).collect();
    }
    let mut state = number as u64;
    let mut draw = |proposals: &Vec<Given>| {
        let random = splitmix(&mut state);
        let below = 1 + (random >> 32) as usize % proposals.len().max(1);
        proposals.get(random as u32 as usize % below).cloned().unwrap_or_default()
    };
    all.iter().map(&mut draw).collect()
}

/// What may keep a run in the loop: sums, some of which come first, then one of two sums.
fn proposals(sets: &Sets<'_>, round: &Round, first: Vec<Sum>) -> Vec<Given> {
    let none = Guard::default();
    let guard = sets.guards.get(&(round.function, round.header)).unwrap_or(&none);
    let sums = sums(sets, round, guard, first);
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
fn sums(sets: &Sets<'_>, round: &Round, guard: &Guard, first: Vec<Sum>) -> Vec<Sum> {
    let mut found: Vec<Sum> = first;
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
            propose(Sum { parts: vec![(factor, part)], constant, here: None });
        }
    }
    let constants: Vec<i128> = template::constants(sets.program, round.function).into_iter().take(CONSTANTS).collect();
    for &constant in &constants {
        propose(Sum { constant, ..Sum::default() });
    }
    for part in parts.clone() {
        for constant in constants.iter().flat_map(|constant| [*constant, constant.saturating_neg()]) {
            propose(Sum { parts: vec![(1, part)], constant, here: None });
        }
    }
    for first in parts.clone() {
        for second in parts.clone().filter(|second| *second != first) {
            for factor in [-1, 1] {
                propose(Sum { parts: vec![(1, first), (factor, second)], ..Sum::default() });
            }
        }
    }
    found
}

/// Sums with small factors that are the input in all examples: if the state tells what the input has to be, this is what it is.
fn fitted(examples: &[Example], site: usize) -> Vec<Sum> {
    let Some(first) = examples.first().filter(|_| examples.len() >= FITTING) else { return Vec::new() };
    let moves = |part: &usize| examples.iter().any(|example| example.head.get(*part) != first.head.get(*part));
    let parts: Vec<usize> = (0..first.head.len()).filter(moves).take(VARIABLES).collect();
    let fits = |parts: Vec<(i64, usize)>| {
        let constant = rest(first, site, &parts)?;
        let same = examples.iter().all(|example| rest(example, site, &parts) == Some(constant));
        same.then_some(Sum { parts, constant, here: None })
    };
    let mut found: Vec<Sum> = fits(Vec::new()).into_iter().collect();
    for &part in &parts {
        found.extend((1..=FACTOR).flat_map(|factor| [factor, -factor]).filter_map(|factor| fits(vec![(factor, part)])));
    }
    for (position, &part) in parts.iter().enumerate() {
        for &other in &parts[position + 1..] {
            for (a, b) in [(1, 1), (1, -1), (-1, 1), (-1, -1), (2, 1), (1, 2), (2, -1), (-1, 2)] {
                found.extend(fits(vec![(a, part), (b, other)]));
            }
        }
    }
    found
}

/// What has to be added to a sum to make it the input of an example, as a number with sign of its width.
fn rest(example: &Example, site: usize, parts: &[(i64, usize)]) -> Option<i128> {
    let (value, width) = example.given.get(site).copied()??;
    let mut rest = value as i128;
    for &(factor, part) in parts {
        rest = rest.wrapping_sub(example.head.get(part).copied()??.wrapping_mul(factor.into()));
    }
    let unused = 128_u32.checked_sub(width).filter(|unused| *unused < 128)?;
    Some(rest << unused >> unused)
}

/// If a sum is to be 0, what each of its variables has to be that occurs once; as far as the others are measured.
fn other_sides(round: &Round, sum: &Linear) -> Vec<Sum> {
    let side = |own: usize| {
        let sign = -sum.parts.get(own).filter(|(factor, _)| factor.abs() == 1)?.0;
        let mut rest = Linear { parts: sum.parts.clone(), constant: sum.constant };
        rest.parts.remove(own);
        let Sum { parts, constant, .. } = measured(round, &rest)?;
        let parts: Option<Vec<(i64, usize)>> = parts.into_iter().map(|(factor, part)| Some((factor.checked_mul(sign)?, part))).collect();
        Some(Sum { parts: parts?, constant: constant.checked_mul(sign.into())?, here: None })
    };
    (0..sum.parts.len()).filter_map(side).collect()
}

/// A sum of what is measured.
fn measured(round: &Round, sum: &Linear) -> Option<Sum> {
    let part = |&(factor, quantity): &(i64, encode::Quantity)| {
        Some((factor, round.measured.iter().position(|measured| measured.sum == Linear::of(quantity))?))
    };
    let parts: Option<Vec<(i64, usize)>> = sum.parts.iter().map(part).collect();
    Some(Sum { parts: parts?, constant: sum.constant, here: None })
}

/// The program's conditions, as far as they can be asked at the head.
fn conditions(round: &Round, guard: &Guard) -> Vec<Atom> {
    let atom = |sum: &Linear, shape: Shape, relation: Comparison, value: Option<i128>| {
        let Sum { parts, constant, .. } = measured(round, sum)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(inputs: impl Fn(i128, i128) -> i128) -> Vec<Example> {
        let example = |(x, y)| Example { head: vec![Some(x), Some(y), Some(9)], given: vec![Some((inputs(x, y) as u128 & 0xff, 8))] };
        [(0, 7), (200, 1), (13, -5), (-60, 77)].map(example).into()
    }

    #[test]
    fn sums_are_fitted_to_examples() {
        let only = |parts: &[(i64, usize)], constant| vec![Sum { parts: parts.to_vec(), constant, here: None }];
        assert_eq!(fitted(&examples(|_, _| 5), 0), only(&[], 5));
        assert_eq!(fitted(&examples(|x, _| 3 * x - 4), 0), only(&[(3, 0)], -4));
        assert_eq!(fitted(&examples(|x, y| 2 * x - y), 0), only(&[(2, 0), (-1, 1)], 0));
        assert_eq!(fitted(&examples(|x, y| x * y), 0), []);
        // Two rounds say little, and an input that was not read says nothing.
        assert_eq!(fitted(&examples(|x, _| x)[..2], 0), []);
        assert_eq!(fitted(&examples(|x, _| x), 1), []);
    }

    #[test]
    fn several_inputs_are_combined_at_random() {
        let all = [vec![Given::constant(1), Given::constant(2)], vec![Given::constant(3)]];
        let first = FIRST.pow(2);
        let drawn: Vec<Vec<Given>> = (first..first + 20).map(|number| combination(&all, number)).collect();
        assert!(drawn.iter().all(|one| all[0].contains(&one[0]) && one[1] == all[1][0]));
        assert_eq!(combination(&all, 1), [Given::constant(2), Given::constant(3)]);
        assert!(all[0].iter().all(|given| drawn.iter().any(|one| one[0] == *given)));
        assert_eq!(combination(&all[..1], 1), [Given::constant(2)]);
    }
}

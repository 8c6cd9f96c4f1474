//! The invariants that an argument needs.

use encode::{Encoding, Kept, Round, Style, formula_text};
use kernel::ranking::{RankingArgument, relied_on};
use logic::Term;
use logic::sat::Budget;
use model::Program;

/// So many invariants are tried to be left out.
const TRIED: usize = 8;

/// What is known of a loop when an argument for it is looked for.
pub(super) struct Known {
    /// Facts of all runs; the last of them are those of the loop, two for each invariant: whether it holds, and what it says then.
    pub(super) facts: Vec<Term>,
    /// What the loop keeps, and its place among the leaps.
    leap: Option<usize>,
}

impl Known {
    /// All facts up to those of the loop of a round, and those of loops behind it in front of them.
    pub(super) fn of(encoding: &Encoding, facts: &[Term], round: &Round) -> Self {
        let is_its = |leap: &encode::Leap| (leap.function, leap.header, leap.guard) == (round.function, round.header, round.entered);
        let (before, behind) = facts.split_at(round.facts.end.min(facts.len()));
        Known { facts: [behind, before].concat(), leap: encoding.leaps.iter().position(is_its) }
    }

    /// Facts of which nobody knows from which invariants they come.
    pub(super) fn only(facts: Vec<Term>) -> Self {
        Known { facts, leap: None }
    }

    /// The same loop with other facts, of which the last are those of the loop.
    pub(super) fn with(&self, facts: Vec<Term>) -> Self {
        Known { facts, leap: self.leap }
    }
}

/// Invariants of a loop on which an argument relies, in terms of the source. If that cannot be told, none.
pub(super) fn invariants(
    encoding: &mut Encoding,
    program: &Program,
    known: &Known,
    (rounds, argument): (&[Round], &RankingArgument),
    budget: &Budget,
) -> Vec<String> {
    let Some(leap) = known.leap.and_then(|leap| encoding.leaps.get(leap)) else { return Vec::new() };
    let (function, kept) = (leap.function, leap.kept.clone());
    let Some(own) = known.facts.len().checked_sub(2 * kept.len()) else { return Vec::new() };
    // That they hold is assumed instead, one by one.
    let assumed = |place: &usize| place.checked_sub(own).is_some_and(|place| place.is_multiple_of(2) && kept[place / 2].always);
    let facts: Vec<Term> = (0..known.facts.len()).filter(|place| !assumed(place)).map(|place| known.facts[place]).collect();
    let literals: Vec<Term> = kept.iter().filter(|kept| kept.always).map(|kept| kept.literal).collect();
    if literals.is_empty() {
        return Vec::new();
    }
    let rounds: Vec<&Round> = rounds.iter().collect();
    let mut ask = |assumptions: &[Term]| relied_on(&mut encoding.terms, &facts, assumptions, &rounds, argument, budget);
    let Some(mut needed) = ask(&literals) else { return Vec::new() };
    for literal in needed.clone().into_iter().take(TRIED) {
        let others: Vec<Term> = needed.iter().copied().filter(|other| *other != literal).collect();
        if others.len() < needed.len()
            && let Some(fewer) = ask(&others)
        {
            needed = fewer;
        }
    }
    let Some(body) = program.functions.get(function).and_then(|function| function.body.as_ref()) else { return Vec::new() };
    let text = |kept: &Kept| formula_text(program, body, &kept.candidate.formula, Style::Source);
    let mut texts: Vec<String> = Vec::new();
    for text in kept.iter().filter(|kept| needed.contains(&kept.literal)).filter_map(text) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

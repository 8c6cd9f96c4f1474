//! Runs with guessed inputs: what summaries leave open may fail in one of them at once.
//!
//! A counterexample that leaps over ten thousand rounds is never unwound, but a run takes them in a moment. Soundness: what a run seems to violate counts
//! only if the kernel confirms it by running it again.

use std::rc::Rc;

use interp::Fault;
use kernel::{Decision, Property, Replay, Run, Verdict};
use logic::sat::Budget;
use rustc_hash::FxHashSet;

use crate::guess::{Guess, Guesser, Pool};

/// How many steps all runs may take together, and each of them; without and with a time limit.
const STEPS: [(u64, u64); 2] = [(4_000_000, 1_000_000), (60_000_000, 10_000_000)];
/// How often inputs are drawn by chance.
const DRAWN: u64 = 12;
/// A run that asks for more than this is not shown to anybody.
const INPUTS: usize = 1 << 19;
/// So often is a run made again to see what it violates, and watched.
const CONFIRMATIONS: usize = 24;

/// The open properties that some run with guessed inputs violates.
pub(crate) fn violations(replay: &Replay<'_>, open: &[Property], patient: bool, budget: &Budget) -> Vec<Decision> {
    let (mut room, most) = STEPS[usize::from(patient)];
    let pool = Rc::new(Pool::of(replay.program));
    let mut found: Vec<Decision> = Vec::new();
    let mut confirmations = 0;
    for guess in guesses() {
        if budget.exhausted().is_some() || found.len() == open.len() || room == 0 {
            break;
        }
        let mut guesser = Guesser::new(guess, pool.clone(), None);
        let (words, mut asked) = (pool.words(guess), 0_usize);
        let arguments = std::iter::once(b"program".to_vec()).chain(words.iter().cloned()).collect();
        let Run { candidate, faults, steps } = replay.tried(arguments, words.join(&b'\n'), most.min(room), |request| {
            asked += 1;
            guesser.answer(request)
        });
        room = room.saturating_sub(steps.max(1));
        if asked > INPUTS {
            continue;
        }
        for property in violated(replay, open, &found, &faults) {
            if confirmations == CONFIRMATIONS {
                return found;
            }
            confirmations += 1;
            if let Some(violation) = candidate.confirm(replay, property) {
                found.push(Decision { property: property.clone(), verdict: Verdict::Violated(Box::new(violation)) });
            }
        }
    }
    found
}

/// The open properties, beside those that were found, that the faults of a run seem to violate.
fn violated<'p>(replay: &Replay<'_>, open: &'p [Property], found: &[Decision], faults: &[Fault]) -> Vec<&'p Property> {
    // After an invalid access a run means nothing any more. A loop may meet the same fault again and again.
    let end = faults.iter().position(|fault| fault.kind.guards_memory()).map_or(faults.len(), |position| position + 1);
    let mut seen = FxHashSet::default();
    let distinct: Vec<&Fault> = faults[..end].iter().filter(|fault| seen.insert((fault.kind, fault.span))).collect();
    let is_new = |property: &&Property| found.iter().all(|decision| decision.property.key() != property.key());
    open.iter().filter(is_new).filter(|property| distinct.iter().any(|fault| replay.violates(fault, property))).collect()
}

/// The same number again and again first, then by chance: at each place another one, or each time.
fn guesses() -> impl Iterator<Item = Guess> {
    let constants = [0, 1, -1].map(Guess::Constant);
    constants.into_iter().chain((0..DRAWN).map(|seed| if seed % 3 == 0 { Guess::Random(seed) } else { Guess::Sites(seed) }))
}

//! The largest set of candidates that no model refutes.

use encode::{Step, Tested};
use logic::{Answer, Term, Terms};

use super::{Induction, Proof};

/// So many questions about many candidates at once may stay without answer before they are asked about one by one.
const FAILURES: u32 = 4;

/// What came of a question about many candidates at once.
enum Together {
    /// A model refutes some: the solver has it.
    Refuted,
    /// None can be refuted with the help that there is.
    Holding,
    /// Nobody knows.
    Unknown,
}

impl Induction {
    /// Drops candidates whose conclusion a model refutes, many per model, until no model does; gives the proofs of the others. What needs none has none.
    pub(super) fn largest(
        &mut self,
        terms: &mut Terms,
        step: &Step<'_>,
        assumed: &[Term],
        pool: &mut Vec<usize>,
        conclusion: fn(&Tested) -> Term,
        help: bool,
    ) -> Vec<Proof> {
        let holds = |terms: &Terms, place: usize| terms.as_bool(conclusion(&step.candidates[place]));
        pool.retain(|&place| holds(terms, place) != Some(false));
        // What the body does not touch needs no proof: it is what is assumed.
        let untouched = |place: usize| help && step.candidates[place].again == step.candidates[place].head;
        let mut open: Vec<usize> = pool.iter().copied().filter(|&place| holds(terms, place).is_none() && !untouched(place)).collect();
        // What each proof used; if something of it is dropped, the proof is none any more.
        let mut proofs: Vec<Proof> = Vec::new();
        // Many at once as long as that refutes some; what is left is proved one by one, which is easier.
        let (mut together, mut width, mut failures) = (open.len() > 1, open.len(), 0);
        // What cannot be refuted with the help that there was.
        let mut holding: Vec<usize> = Vec::new();
        // What models refute although all others help fails; what they refute later falls with it.
        let (mut helpers, mut falling) = (if help { pool.clone() } else { Vec::new() }, false);
        while !open.is_empty() {
            let literals = helpers.iter().map(|&place| step.candidates[place].literal);
            // What is assumed comes last, because a core has less of what comes late.
            let help_there_is: Vec<Term> = literals.chain(assumed.iter().copied()).collect();
            let mut failure = |place: usize| terms.not(conclusion(&step.candidates[place]));
            let mut dropped = Vec::new();
            let is_refuted = if together {
                let asked = open.iter().filter(|place| !holding.contains(place)).take(width);
                let asked: Vec<(usize, Term)> = asked.map(|&place| (place, failure(place))).collect();
                match self.refute_many(terms, usize::from(help), &help_there_is, &asked, &mut holding) {
                    Together::Refuted => true,
                    Together::Holding if asked.is_empty() && helpers.len() > pool.len() => {
                        helpers.clone_from(pool);
                        holding.clear();
                        (falling, width) = (true, open.len());
                        false
                    }
                    Together::Holding => {
                        together = !asked.is_empty();
                        false
                    }
                    Together::Unknown => {
                        failures += 1;
                        width = asked.len().div_ceil(2);
                        together = failures < FAILURES && asked.len() > 1;
                        false
                    }
                }
            } else {
                let assumptions: Vec<Term> = [failure(open[0])].into_iter().chain(help_there_is).collect();
                match self.ask(terms, usize::from(help), &assumptions, false) {
                    Answer::Unsat | Answer::Unknown(_) if helpers.len() > pool.len() => {
                        helpers.clone_from(pool);
                        holding.clear();
                        (falling, together, width, failures) = (true, open.len() > 1, open.len(), 0);
                        false
                    }
                    Answer::Unsat => {
                        proofs.push((open.remove(0), self.contexts[usize::from(help)].core()));
                        false
                    }
                    Answer::Unknown(_) => {
                        dropped.push(open[0]);
                        false
                    }
                    Answer::Sat => {
                        // The solver has just said that it fails, whatever it remembers of the model.
                        dropped.push(open[0]);
                        true
                    }
                }
            };
            if is_refuted {
                let context = &mut self.contexts[usize::from(help)];
                let refuted = |place: &usize| match holds(terms, *place) {
                    Some(holds) => !holds,
                    None => context.bits_of(terms, conclusion(&step.candidates[*place])).is_none_or(|bits| bits.is_zero()),
                };
                dropped.extend(open.iter().copied().filter(refuted));
                // A model that refutes nothing is none; it must not come again.
                together &= !dropped.is_empty();
            }
            if dropped.is_empty() {
                continue;
            }
            pool.retain(|place| !dropped.contains(place));
            open.retain(|place| !dropped.contains(place));
            if falling {
                self.fallen.extend(&dropped);
            }
            if falling || !self.effort.fair {
                helpers.clone_from(pool);
                falling = help;
            }
            let lost: Vec<Term> = dropped.iter().map(|&place| step.candidates[place].literal).collect();
            proofs.retain(|(place, used)| {
                let stands = !used.iter().any(|term| lost.contains(term));
                if !stands && pool.contains(place) {
                    open.push(*place);
                }
                stands
            });
            proofs.retain(|(place, _)| pool.contains(place));
        }
        proofs
    }

    /// Looks for a model that refutes all of these, or as many as do not contradict each other: one after the other is left out that contradicts the help there is, or
    /// those before. (That a disjunction of all fails is answered by models that refute just one.) Adds those that hold by themselves.
    fn refute_many(
        &mut self,
        terms: &mut Terms,
        context: usize,
        help: &[Term],
        asked: &[(usize, Term)],
        holding: &mut Vec<usize>,
    ) -> Together {
        let mut wishes = asked.to_vec();
        while !wishes.is_empty() {
            let assumptions: Vec<Term> = help.iter().copied().chain(wishes.iter().map(|&(_, failure)| failure)).collect();
            match self.ask(terms, context, &assumptions, true) {
                Answer::Sat => return Together::Refuted,
                Answer::Unknown(_) => return Together::Unknown,
                Answer::Unsat => {
                    let core = self.contexts[context].core();
                    let failed: Vec<usize> = (0..wishes.len()).filter(|&index| core.contains(&wishes[index].1)).collect();
                    match failed.as_slice() {
                        [] => {
                            holding.extend(wishes.iter().map(|&(place, _)| place));
                            return Together::Holding;
                        }
                        &[only] => holding.push(wishes.remove(only).0),
                        &[.., last] => {
                            wishes.remove(last);
                        }
                    }
                }
            }
        }
        Together::Holding
    }
}

//! The largest set of candidates that no model refutes.

use encode::{Step, Tested};
use logic::{Answer, Term, Terms};

use super::{Induction, Proof};

/// So many questions about many candidates at once may stay without answer before they are asked about one by one.
const FAILURES: u32 = 4;

/// What came of a question.
enum Outcome {
    /// A model refutes some: the solver has it.
    Refuted,
    /// None of those that were asked about can be refuted with the help that there is.
    Holding,
    /// Nobody knows.
    Unknown,
}

/// How a search for what models refute stands.
struct Search {
    /// What is neither proved nor refuted.
    open: Vec<usize>,
    /// Whose literals are assumed.
    helpers: Vec<usize>,
    /// Whether some of what has helped was refuted: what is refuted from now on might fall with that only.
    falling: bool,
    /// Whether it is asked about many at once, and about how many at most.
    together: bool,
    width: usize,
    /// How often that gave no answer.
    failures: u32,
    /// What cannot be refuted with the help that there is, unless it is asked about by itself.
    holding: Vec<usize>,
}

impl Search {
    fn new(open: Vec<usize>, helpers: Vec<usize>) -> Self {
        Search { together: open.len() > 1, width: open.len(), open, helpers, falling: false, failures: 0, holding: Vec::new() }
    }

    /// Whether some of what helps was refuted. (At the entry, nothing helps.)
    fn has_lost_help(&self, left: &[usize]) -> bool {
        self.helpers.len() > left.len()
    }

    /// Goes on with the help of what is left only.
    fn drop_help(&mut self, left: &[usize]) {
        *self = Search { falling: true, ..Search::new(std::mem::take(&mut self.open), left.to_vec()) };
    }
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
        let open: Vec<usize> = pool.iter().copied().filter(|&place| holds(terms, place).is_none() && !untouched(place)).collect();
        let context = usize::from(help);
        // What each proof used; if something of it is dropped, the proof is none any more.
        let mut proofs: Vec<Proof> = Vec::new();
        let mut search = Search::new(open, if help { pool.clone() } else { Vec::new() });
        while !search.open.is_empty() {
            let literals = search.helpers.iter().map(|&place| step.candidates[place].literal);
            let known: Vec<Term> = literals.chain(assumed.iter().copied()).collect();
            let failure = |terms: &mut Terms, place: usize| terms.not(conclusion(&step.candidates[place]));
            let mut dropped = Vec::new();
            // Many at once as long as that refutes some; what is left is proved one by one, which is easier.
            let outcome = if search.together {
                let asked = search.open.iter().filter(|place| !search.holding.contains(place)).take(search.width);
                let asked: Vec<(usize, Term)> = asked.map(|&place| (place, failure(terms, place))).collect();
                let outcome = self.refute_many(terms, context, &known, &asked, &mut search.holding);
                match outcome {
                    Outcome::Holding if asked.is_empty() && search.has_lost_help(pool) => search.drop_help(pool),
                    Outcome::Holding if asked.is_empty() => search.together = false,
                    Outcome::Unknown => {
                        search.failures += 1;
                        search.width = asked.len().div_ceil(2);
                        search.together = search.failures < FAILURES && asked.len() > 1;
                    }
                    _ => {}
                }
                outcome
            } else {
                let next = search.open[0];
                // What is assumed comes last, because a core has less of what comes late.
                let assumptions: Vec<Term> = [failure(terms, next)].into_iter().chain(known).collect();
                match self.ask(terms, context, &assumptions, false) {
                    Answer::Sat => Outcome::Refuted,
                    // A proof should not need what does not hold.
                    _ if search.has_lost_help(pool) => {
                        search.drop_help(pool);
                        Outcome::Unknown
                    }
                    Answer::Unsat => {
                        proofs.push((search.open.remove(0), self.contexts[context].core()));
                        Outcome::Holding
                    }
                    Answer::Unknown(_) => {
                        dropped.push(next);
                        Outcome::Unknown
                    }
                }
            };
            if let Outcome::Refuted = outcome {
                let solver = &mut self.contexts[context];
                let refuted = |place: &usize| match holds(terms, *place) {
                    Some(holds) => !holds,
                    None => solver.bits_of(terms, conclusion(&step.candidates[*place])).is_none_or(|bits| bits.is_zero()),
                };
                dropped = search.open.iter().copied().filter(refuted).collect();
                // The solver has just said that one fails.
                if dropped.is_empty() && search.together {
                    search.together = false;
                } else if dropped.is_empty() {
                    dropped.push(search.open[0]);
                }
            }
            if dropped.is_empty() {
                continue;
            }
            pool.retain(|place| !dropped.contains(place));
            search.open.retain(|place| !dropped.contains(place));
            if search.falling {
                self.fallen.extend(&dropped);
            }
            if search.falling || !self.effort.fair {
                search.helpers.retain(|place| pool.contains(place));
                search.falling = help;
            }
            let lost: Vec<Term> = dropped.iter().map(|&place| step.candidates[place].literal).collect();
            let stands = |(_, used): &Proof| !used.iter().any(|term| lost.contains(term));
            search.open.extend(proofs.iter().filter(|proof| !stands(proof) && pool.contains(&proof.0)).map(|proof| proof.0));
            proofs.retain(|proof| stands(proof) && pool.contains(&proof.0));
        }
        proofs
    }

    /// Looks for a model that refutes all of these, or as many as do not contradict each other: one after the other is left out that contradicts what is known,
    /// or those before. (Where it is asked whether any of them fails, models refute just one.) Adds those that hold by themselves.
    fn refute_many(
        &mut self,
        terms: &mut Terms,
        context: usize,
        known: &[Term],
        asked: &[(usize, Term)],
        holding: &mut Vec<usize>,
    ) -> Outcome {
        let mut wishes = asked.to_vec();
        while !wishes.is_empty() {
            let assumptions: Vec<Term> = known.iter().copied().chain(wishes.iter().map(|&(_, failure)| failure)).collect();
            match self.ask(terms, context, &assumptions, true) {
                Answer::Sat => return Outcome::Refuted,
                Answer::Unknown(_) => return Outcome::Unknown,
                Answer::Unsat => {
                    let core = self.contexts[context].core();
                    let failed: Vec<usize> = (0..wishes.len()).filter(|&index| core.contains(&wishes[index].1)).collect();
                    match failed.as_slice() {
                        [] => {
                            holding.extend(wishes.iter().map(|&(place, _)| place));
                            return Outcome::Holding;
                        }
                        &[only] => holding.push(wishes.remove(only).0),
                        &[.., last] => {
                            wishes.remove(last);
                        }
                    }
                }
            }
        }
        Outcome::Holding
    }
}

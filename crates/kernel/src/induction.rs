//! Which candidates are invariants of a loop.
//!
//! A set of candidates that hold at the entry and that one iteration keeps, each with the help of all, holds at the head whenever control comes there
//! (*Loop Summarization using State and Transition Invariants* §3; the largest such subset is found as in Houdini). The last answer of the solver for
//! a set is the proof: "no iteration from a state with all of them leads to one without".
//!
//! A candidate is kept under a premise, a condition that does not change while the loop runs or that was true before if it is true now. Best is
//! 1. nothing: the candidate holds even after invalid accesses; then
//! 2. candidates of the loops around, tested later: those that the proof uses are the premise;
//! 3. that all accesses so far were valid;
//! 4. what is not known to hold at the entry: that it does is the premise, as in the paper's summaries `I(X before) ⇒ I(X)`.
//!
//! A candidate may have several premises: each is enough. Some of them may turn out not to hold, since candidates around are tested later.
//!
//! First 2 and 3 are assumed together: what fails then fails with less, so most candidates are dropped once. What a proof did not use is no premise of
//! it; the others are tried again with less.

use encode::{Alternatives, Finding, Step};
use logic::sat::{Batsat, Budget, Cadical, Reason, SatSolver};
use logic::{Answer, Context, Term, Terms};

use crate::parallel::answers;

/// What a question about many candidates at once may cost.
const TOGETHER: u64 = 200;
/// A step with more terms than this is large: the program has many, and what is hard to prove of one is hardly ever proved.
const LARGE: usize = 5_000;

/// A step with no more terms than this is small: nothing of it is much effort.
const SMALL: usize = 1_000;

/// For steps of these sizes CaDiCaL proves more with as many conflicts, and is often quicker. For smaller ones it takes too long to begin, for larger ones
/// what it does between questions takes too long; so it does for what is said of elements, where most questions are asked again with more axioms.
const MEDIUM: std::ops::Range<usize> = 3_000..10_000;

/// Another thread helps if there are so many loops for it.
const LEAST: usize = 2;

/// What tests of candidates found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tests {
    /// Of each candidate.
    pub findings: Vec<Finding>,
    /// How often a solver was asked.
    pub questions: u64,
    /// How much solvers propagated.
    pub propagations: u64,
}

/// How much candidates are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Care {
    /// The program has so many that each gets little.
    Little,
    /// The usual.
    Usual,
    /// There is room for more, since little was spent on others.
    Generous,
    /// They are tested again, because something could not be proved.
    More,
}

/// Tests the candidates of some loops that do not depend on each other, with so much effort for each question and so much care for all together.
pub fn test_candidates(terms: &mut Terms, steps: &[Step<'_>], budget: &Budget, care: Care) -> Vec<Tests> {
    let effort = match care {
        Care::Little => EFFORT_FOR_MANY,
        Care::Usual => EFFORT,
        Care::Generous => EFFORT_AT_FIRST,
        Care::More => EFFORT_AGAIN,
    };
    let test = |terms: &mut Terms, step: &Step<'_>| {
        let mut induction = Induction::new(budget.clone(), effort);
        let conditions = induction.test(terms, step);
        let fallen = |place: usize| if induction.fallen.contains(&place) { Finding::Falls } else { Finding::Fails };
        let finding =
            |(place, condition): (usize, Alternatives)| if condition.is_empty() { fallen(place) } else { Finding::Holds(condition) };
        let findings = conditions.into_iter().enumerate().map(finding).collect();
        Tests { findings, questions: induction.questions, propagations: induction.propagations }
    };
    let untested = |step: &Step<'_>| Tests { findings: vec![Finding::Fails; step.candidates.len()], questions: 0, propagations: 0 };
    let found = answers(terms, steps, LEAST, budget, test);
    found.into_iter().zip(steps).map(|(tests, step)| tests.unwrap_or_else(|| untested(step))).collect()
}

/// What a question costs that is easy.
#[derive(Clone, Copy)]
struct Ease {
    lemmas: usize,
    propagations: u64,
    conflicts: u64,
}

/// What the candidates of a loop may cost. What is not proved then is dropped.
#[derive(Clone, Copy)]
struct Effort {
    /// How much a solver may propagate before it is asked easy questions only, or none: to find out what holds at the entry, which is not important, and
    /// what an iteration keeps.
    propagations: [u64; 2],
    /// … not counting what models take in any case, up to so many times as much.
    models: u64,
    easy: Option<Ease>,
    /// A solver that has become as large as this is not asked any more, …
    variables: u64,
    /// … nor one that knows so many axioms of arrays; for one question, so many axioms and propagations.
    lemmas: u64,
    at_once: (usize, u64),
    /// The conflicts of each question about one candidate.
    conflicts: Option<u64>,
    /// Whether the solver may be one that does more between questions.
    thorough: bool,
    /// Whether it is worth the effort to tell what fails from what falls with it, and to know all that loops inside know because of what is proved.
    fair: bool,
}

const EFFORT: Effort = Effort {
    propagations: [800_000, 4_000_000],
    models: 3,
    easy: Some(Ease { lemmas: 40, propagations: 50_000, conflicts: 20 }),
    variables: 300_000,
    lemmas: u64::MAX,
    at_once: (1_500, 3_000_000),
    conflicts: None,
    thorough: false,
    fair: true,
};
const EFFORT_AT_FIRST: Effort = Effort { propagations: [3_200_000, 16_000_000], ..EFFORT };
const EFFORT_FOR_MANY: Effort = Effort { models: 0, easy: None, ..EFFORT };
const EFFORT_AGAIN: Effort = Effort { propagations: [4_000_000, 20_000_000], conflicts: Some(10_000), thorough: true, ..EFFORT };
const LARGE_EFFORT: Effort = Effort {
    propagations: [200_000, 800_000],
    models: 0,
    easy: None,
    variables: 150_000,
    lemmas: 1_500,
    at_once: (400, 300_000),
    conflicts: Some(150),
    thorough: false,
    fair: false,
};

impl Effort {
    /// For what is said of elements: models of arrays take many axioms, and of those that are refuted late few hold. In a nest of loops others pay for
    /// that, until it is known that something was missing.
    fn for_elements(self, nested: bool) -> Self {
        let easy = self.easy.filter(|_| self.thorough);
        let effort = Effort { models: 0, easy, ..self };
        if !nested || self.thorough {
            return effort;
        }
        Effort { lemmas: self.lemmas.min(1_500), at_once: (self.at_once.0.min(400), self.at_once.1), ..effort }
    }
}

/// Tests the candidates of a loop.
struct Induction {
    /// Solvers for what holds when the loop is entered, and for what an iteration keeps: small ones, since every model is one of all that they know.
    contexts: [Context<Box<dyn SatSolver>>; 2],
    budget: Budget,
    effort: Effort,
    /// How often a solver was asked.
    questions: u64,
    /// How much the solvers propagated.
    propagations: u64,
    /// Candidates that were dropped because others were.
    fallen: Vec<usize>,
}

/// A solver that knows nothing yet.
fn solver(light: bool) -> Context<Box<dyn SatSolver>> {
    Context::with_solver(if light { Box::new(Batsat::new()) } else { Box::new(Cadical::new()) })
}

/// A solver that knows some facts.
fn context(terms: &mut Terms, facts: &[Term], light: bool) -> Context<Box<dyn SatSolver>> {
    let mut context = solver(light);
    // A candidate that is dropped without need is no harm.
    context.be_hasty(true);
    for &fact in facts {
        context.assert(terms, fact);
    }
    context
}

impl Induction {
    /// Tests with so much effort for each question.
    fn new(budget: Budget, effort: Effort) -> Self {
        Induction { contexts: [solver(true), solver(true)], budget, effort, questions: 0, propagations: 0, fallen: Vec::new() }
    }

    /// For each candidate, when it holds at the head: never, if nothing is enough for it.
    fn test(&mut self, terms: &mut Terms, step: &Step<'_>) -> Vec<Alternatives> {
        let mut conditions: Vec<Alternatives> = vec![Vec::new(); step.candidates.len()];
        let mut facts = step.facts.to_vec();
        let parts = step.candidates.iter().flat_map(|candidate| [candidate.entry, candidate.head, candidate.again]);
        let all: Vec<Term> = parts.chain(facts.iter().copied()).chain([step.again, step.again_valid]).collect();
        if terms.are_more_than(&all, LARGE) {
            self.effort = Effort { thorough: self.effort.thorough, ..LARGE_EFFORT };
        }
        let nested = step.leant_on || !step.outer.is_empty();
        let light = !self.effort.thorough || !terms.are_more_than(&all, MEDIUM.start) || terms.are_more_than(&all, MEDIUM.end);
        self.effort.fair &= nested || !terms.are_more_than(&all, SMALL);
        // What is said of the elements of arrays costs most, and the rest does not need it.
        for elements in [false, true] {
            let class: Vec<usize> = (0..step.candidates.len()).filter(|&place| step.candidates[place].elements == elements).collect();
            if class.is_empty() {
                continue;
            }
            if elements {
                self.effort = self.effort.for_elements(nested);
            }
            let light = light || elements;
            self.contexts = [context(terms, &facts, light), context(terms, &facts, light)];
            self.contexts.iter_mut().for_each(|context| context.limit_haste(self.effort.at_once.0, self.effort.at_once.1));
            let lost = (0..step.candidates.len()).any(|place| step.candidates[place].elements != elements && conditions[place].is_empty());
            self.test_class(terms, step, &mut conditions, &class);
            self.propagations += self.contexts.iter().map(|context| context.statistics().solver.propagations).sum::<u64>();
            if elements && lost {
                // They had not the help of those.
                self.fallen.extend(&class);
            }
            for &place in &class {
                facts.extend(conditions[place].iter().flat_map(|premises| self.facts_of(terms, step, place, premises)).collect::<Vec<_>>());
            }
        }
        conditions
    }

    fn test_class(&mut self, terms: &mut Terms, step: &Step<'_>, conditions: &mut [Alternatives], class: &[usize]) {
        for &place in class {
            let candidate = &step.candidates[place];
            let there = terms.and(step.entered, candidate.literal);
            let known = terms.implies(there, candidate.head);
            let [at_entry, in_body] = &mut self.contexts;
            in_body.assert(terms, known);
            at_entry.prepare(terms, candidate.entry);
            in_body.prepare(terms, candidate.again);
        }
        let outer = self.compatible(terms, step);
        // What fails with all the help there is fails with less of it.
        let strongest = Help { outer: &outer, valid: true };
        let (held, uncertain) = self.stratum(terms, step, conditions, strongest, class.to_vec());
        // A proof may lean on more than it needs.
        let mut leaning: Vec<(usize, Leaning)> = held;
        let sure: Vec<Term> = outer.iter().filter(|literal| !step.bold.contains(literal)).copied().collect();
        let mut weaker = vec![Help { outer: &[], valid: false }];
        let has_bold = !sure.is_empty() && sure.len() < outer.len();
        if !outer.is_empty() {
            weaker.extend(has_bold.then_some(Help { outer: &sure, valid: false }));
            weaker.extend([Help { outer: &outer, valid: false }, Help { outer: &[], valid: true }]);
            weaker.extend(has_bold.then_some(Help { outer: &sure, valid: true }));
        }
        for weaker in weaker {
            let may_improve = |(place, leaning): &(usize, Leaning)| weaker.is_less_than(*leaning, step).then_some(*place);
            let pool: Vec<usize> = leaning.iter().filter_map(may_improve).collect();
            if pool.is_empty() {
                continue;
            }
            let (held, _) = self.stratum(terms, step, conditions, weaker, pool);
            leaning.retain(|(place, _)| held.iter().all(|(better, _)| better != place));
            leaning.extend(held);
        }
        self.conditional(terms, step, conditions, &outer, uncertain);
    }

    /// The candidates around that neither the entry nor an iteration contradicts. Others hardly hold, and everything would follow from them: it would be
    /// known under premises that are never true.
    fn compatible(&mut self, terms: &mut Terms, step: &Step<'_>) -> Vec<Term> {
        let mut outer = step.outer.to_vec();
        for (context, runs) in [(0, [step.entered, step.entered_valid]), (1, [step.again, step.again_valid])] {
            while !outer.is_empty() && !self.is_tired(context) && !self.is_full(context) {
                let assumptions: Vec<Term> = outer.iter().copied().chain(runs).collect();
                self.questions += 1;
                if self.contexts[context].solve(terms, &assumptions, &self.budget.clone().with_conflicts(TOGETHER)) != Answer::Unsat {
                    break;
                }
                let core = self.contexts[context].core();
                let before = outer.len();
                outer.retain(|literal| !core.contains(literal));
                // Control does not come there at all.
                if outer.len() == before {
                    break;
                }
            }
        }
        outer
    }

    /// Keeps the candidates of a pool that hold with some help: tells what of it each leans on, and which may not hold when the loop is entered.
    fn stratum(
        &mut self,
        terms: &mut Terms,
        step: &Step<'_>,
        conditions: &mut [Alternatives],
        help: Help<'_>,
        mut pool: Vec<usize>,
    ) -> (Vec<(usize, Leaning)>, Vec<usize>) {
        let all = pool.clone();
        let with = |valid: Term| help.outer.iter().copied().chain(help.valid.then_some(valid)).collect::<Vec<_>>();
        let mut proofs = self.true_at_entry(terms, step, &with(step.entered_valid), &mut pool);
        let uncertain = all.into_iter().filter(|place| !pool.contains(place)).collect();
        proofs.extend(self.kept(terms, step, &with(step.again_valid), &mut pool));
        let held = self.keep_proved(terms, step, conditions, &pool, &proofs, &[]);
        (held, uncertain)
    }

    /// Candidates that hold behind the loop if they hold before: each by itself, then what holds only together.
    fn conditional(&mut self, terms: &mut Terms, step: &Step<'_>, conditions: &mut [Alternatives], outer: &[Term], mut pool: Vec<usize>) {
        let mut assumed = outer.to_vec();
        assumed.push(step.again_valid);
        let base = assumed.len();
        let entries = |pool: &[usize]| pool.iter().map(|&place| step.candidates[place].entry).collect::<Vec<_>>();
        assumed.extend(entries(&pool));
        self.kept(terms, step, &assumed, &mut pool);
        let untouched: Vec<Term> =
            pool.iter().map(|&place| &step.candidates[place]).filter(|one| one.again == one.head).map(|one| one.entry).collect();
        for &place in &pool {
            assumed.truncate(base);
            assumed.push(step.candidates[place].entry);
            let mut alone = vec![place];
            let mut proofs = self.kept(terms, step, &assumed, &mut alone);
            let mut premises = vec![step.head_valid, step.candidates[place].entry];
            if alone.is_empty() && !untouched.is_empty() {
                alone.push(place);
                let help;
                (proofs, help) = self.kept_with(terms, step, &assumed, &untouched, &mut alone);
                premises.extend(help);
            }
            self.keep_proved(terms, step, conditions, &alone, &proofs, &premises);
        }
        pool.retain(|&place| conditions[place].is_empty());
        assumed.truncate(base);
        assumed.extend(entries(&pool));
        let mut premises = entries(&pool);
        let entry = terms.all(premises.iter().copied());
        if terms.as_bool(entry) == Some(false) {
            return;
        }
        let proofs = self.kept(terms, step, &assumed, &mut pool);
        premises.push(step.head_valid);
        self.keep_proved(terms, step, conditions, &pool, &proofs, &premises);
    }

    /// From now on they are known at the head, each under the premises that its own proofs need, and those of the candidates that these use: such a set
    /// is inductive by itself. Tells what each leans on.
    fn keep_proved(
        &mut self,
        terms: &mut Terms,
        step: &Step<'_>,
        conditions: &mut [Alternatives],
        pool: &[usize],
        proofs: &[Proof],
        premises: &[Term],
    ) -> Vec<(usize, Leaning)> {
        let mut held = Vec::with_capacity(pool.len());
        for &place in pool {
            let (mut needed, leaning) = needed(step, pool, proofs, place);
            needed.extend(premises);
            for fact in self.facts_of(terms, step, place, &needed) {
                self.contexts[1].assert(terms, fact);
            }
            // What another one implies says nothing.
            let fair = self.effort.fair;
            conditions[place].retain(|known| fair && !needed.iter().all(|term| known.contains(term)));
            conditions[place].push(needed);
            held.push((place, leaning));
        }
        held
    }

    /// That a candidate holds at the head under premises, in runs that come there: of others nothing was proved, and nothing may follow. And that its literal
    /// is true then, so that what loops inside know because of it is known.
    fn facts_of(&self, terms: &mut Terms, step: &Step<'_>, place: usize, premises: &[Term]) -> Vec<Term> {
        let premise = terms.all(premises.iter().copied());
        let there = terms.and(step.entered, premise);
        let candidate = &step.candidates[place];
        let known = terms.implies(there, candidate.head);
        let inside = self.effort.fair.then(|| terms.implies(premise, candidate.literal));
        [known].into_iter().chain(inside).collect()
    }

    /// Leaves those that hold whenever the loop is entered.
    fn true_at_entry(&mut self, terms: &mut Terms, step: &Step<'_>, assumed: &[Term], pool: &mut Vec<usize>) -> Vec<Proof> {
        let mut assumptions = assumed.to_vec();
        assumptions.push(step.entered);
        self.largest(terms, step, &assumptions, pool, |candidate| candidate.entry, false)
    }

    /// Leaves those that an iteration keeps, each with the help of all.
    fn kept(&mut self, terms: &mut Terms, step: &Step<'_>, assumed: &[Term], pool: &mut Vec<usize>) -> Vec<Proof> {
        let mut assumptions = assumed.to_vec();
        assumptions.push(step.again);
        self.largest(terms, step, &assumptions, pool, |candidate| candidate.again, true)
    }

    /// The same for one candidate with the help of what the loop does not touch; gives what of that the proof needs.
    fn kept_with(
        &mut self,
        terms: &mut Terms,
        step: &Step<'_>,
        assumed: &[Term],
        untouched: &[Term],
        alone: &mut Vec<usize>,
    ) -> (Vec<Proof>, Vec<Term>) {
        let with = |help: &[Term]| assumed.iter().chain(help).copied().collect::<Vec<_>>();
        let mut help = untouched.to_vec();
        let mut proofs = self.kept(terms, step, &with(&help), alone);
        let used = |proofs: &[Proof], term: &Term| proofs.iter().any(|(_, used)| used.contains(term));
        // What is said first says most: where a proof goes without it, the others are more likely to hold.
        let mut needed: Vec<Term> = Vec::new();
        while let Some(&doubt) = help.iter().find(|term| used(&proofs, term) && !needed.contains(term)) {
            let fewer: Vec<Term> = help.iter().copied().filter(|term| *term != doubt).collect();
            let mut still = alone.clone();
            let found = self.kept(terms, step, &with(&fewer), &mut still);
            if still.is_empty() {
                needed.push(doubt);
            } else {
                (proofs, help) = (found, fewer);
            }
        }
        (proofs, needed)
    }

    /// Whether a solver is not asked any more.
    fn is_full(&self, context: usize) -> bool {
        let statistics = self.contexts[context].statistics();
        statistics.solver.variables > self.effort.variables || statistics.lemmas > self.effort.lemmas
    }

    /// Whether a solver has worked enough: only easy questions are left for it.
    fn is_tired(&self, context: usize) -> bool {
        let solver = self.contexts[context].statistics().solver;
        let limit = self.effort.propagations[context];
        // A model gives a value to every variable, however easy it is to find.
        let models = solver.solves.saturating_mul(solver.variables).min(limit.saturating_mul(self.effort.models));
        solver.propagations > limit.saturating_add(models)
    }

    /// The answer to a question about many candidates at once, or about one.
    fn ask(&mut self, terms: &mut Terms, context: usize, assumptions: &[Term], together: bool) -> Answer {
        let mut conflicts = if together { Some(TOGETHER) } else { self.effort.conflicts };
        let tired = self.is_tired(context);
        match self.effort.easy {
            None if tired => return Answer::Unknown(logic::Unknown::Solver(Reason::Conflicts)),
            _ if self.is_full(context) => return Answer::Unknown(logic::Unknown::Solver(Reason::Conflicts)),
            // Else a few hard questions would cost what those after them find out with ease.
            Some(easy) if tired => {
                self.contexts[context].limit_haste(easy.lemmas, easy.propagations);
                conflicts = Some(easy.conflicts);
            }
            _ => {}
        }
        let budget = conflicts.map_or_else(|| self.budget.clone(), |conflicts| self.budget.clone().with_conflicts(conflicts));
        self.questions += 1;
        self.contexts[context].solve(terms, assumptions, &budget)
    }
}

/// A candidate, and what was assumed to prove that it holds at the entry, or that an iteration keeps it.
type Proof = (usize, Vec<Term>);

/// What the proofs of a stratum may use besides the candidates themselves.
#[derive(Clone, Copy)]
struct Help<'a> {
    /// Candidates around.
    outer: &'a [Term],
    /// That all accesses so far were valid.
    valid: bool,
}

/// Whether proofs used candidates around, and that accesses were valid.
#[derive(Clone, Copy)]
struct Leaning {
    outer: bool,
    /// … and such as say more than others.
    bold: bool,
    valid: bool,
}

impl Help<'_> {
    /// Whether a proof with this help would need less than one that leans on more. Candidates around may turn out to hold; that an access is valid is a
    /// premise for good.
    fn is_less_than(self, leaning: Leaning, step: &Step<'_>) -> bool {
        let level = |outer: bool, bold: bool| u8::from(outer) + u8::from(bold);
        let own = level(!self.outer.is_empty(), self.outer.iter().any(|literal| step.bold.contains(literal)));
        let known = level(leaning.outer, leaning.bold);
        if self.valid { leaning.valid && own < known } else { leaning.valid || own < known }
    }
}

/// What the proofs of a candidate lean on, and those of the candidates in the pool that these used, and so on: candidates around, and that accesses were
/// valid, which at the head means all so far.
fn needed(step: &Step<'_>, pool: &[usize], proofs: &[Proof], place: usize) -> (Vec<Term>, Leaning) {
    let mut found: Vec<Term> = Vec::new();
    let mut leaning = Leaning { outer: false, bold: false, valid: false };
    let mut reached = vec![place];
    let mut next = 0;
    while let Some(&at) = reached.get(next) {
        next += 1;
        for term in proofs.iter().filter(|(proved, _)| *proved == at).flat_map(|(_, used)| used) {
            if step.outer.contains(term) {
                leaning.outer = true;
                leaning.bold |= step.bold.contains(term);
                found.push(*term);
            } else if [step.entered, step.again].contains(term) {
                // That control comes there is what the proof is about, whatever it implies.
            } else if [step.entered_valid, step.again_valid].contains(term) {
                leaning.valid = true;
                found.push(step.head_valid);
            } else if let Some(&helper) = pool.iter().find(|&&other| step.candidates[other].literal == *term)
                && !reached.contains(&helper)
            {
                reached.push(helper);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    (found, leaning)
}

mod largest;
#[cfg(test)]
mod tests;

//! Proofs by slices: a large program is decided in small questions.
//!
//! All properties and all facts in one solver cost more than their number: each model is one of the whole program. So each obligation is asked about with
//! the facts around it only, from a small slice to a larger one. What is impossible in a slice is impossible ([`encode::Slice`]); what is not is open.

use std::ops::Range;

use encode::{Encoding, Extent, FactIndex, Leap, Obligation, Slice};
use logic::sat::{Batsat, Budget};
use logic::{Answer, Context, Op, Term, Terms};
use rustc_hash::FxHashSet;

use crate::leaping::Leapt;
use crate::parallel::answers;

/// A slice, and what a question about it may cost.
struct Level {
    extent: Extent,
    /// How often conditions lead to other variables.
    spread: u32,
    conflicts: u64,
    lemmas: usize,
    propagations: u64,
}

/// From small to large.
const LEVELS: [Level; 2] = [
    Level { extent: Extent { rounds: 2, facts: 40, condition: 100 }, spread: 0, conflicts: 200, lemmas: 150, propagations: 200_000 },
    Level { extent: Extent { rounds: 4, facts: 150, condition: 200 }, spread: 1, conflicts: 2_000, lemmas: 400, propagations: 600_000 },
];
/// For what these leave open, which others may hang on, if it is not too much.
const DEEP: Level = Level {
    extent: Extent { rounds: 8, facts: 600, condition: 800 },
    spread: 3,
    conflicts: 10_000,
    lemmas: 2_000,
    propagations: 5_000_000,
};
/// More accesses than this are not asked about once more.
const FEW: usize = 64;
/// For the few places where runs are given up, which matter for all that lies behind.
const GIVEN_UP: Level =
    Level { extent: Extent { rounds: 6, facts: 400, condition: 400 }, spread: 3, conflicts: 2_000, lemmas: 1_000, propagations: 5_000_000 };

/// Another thread helps if there are so many groups for it.
const LEAST: usize = 16;

/// What is known of an obligation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proof {
    /// It holds as long as accesses are valid.
    pub(crate) holds: bool,
    /// It holds after invalid accesses too.
    pub(crate) anyway: bool,
    /// If it fails in the slice: the loops that are leapt over on the way, as far as they have to do with it.
    pub(crate) leaps: Vec<Leapt>,
}

/// The checks of one access: they are about the same things.
struct Group<'a> {
    /// The positions of the obligations.
    positions: &'a [usize],
    /// Terms that were made before are long past; what comes behind does not matter.
    period: Range<usize>,
}

/// What questions are about.
struct Matter<'a> {
    obligations: &'a [Obligation],
    leaps: &'a [Leap],
    index: FactIndex<'a>,
}

/// Proves obligations, each in a slice of its own; those at these positions.
pub(crate) fn prove(encoding: &mut Encoding, wanted: &[usize], budget: &Budget) -> Vec<Proof> {
    let mut proofs = vec![Proof::default(); encoding.obligations.len()];
    let found = ask_groups(encoding, wanted, usize::MAX, budget, |terms, matter, group| prove_group(terms, matter, group, &LEVELS, budget));
    for (position, proof) in found {
        proofs[position] = proof;
    }
    proofs
}

/// The same with large slices for the first of those that are still open.
pub(crate) fn prove_deeply(encoding: &mut Encoding, wanted: &[usize], proofs: &mut [Proof], budget: &Budget) {
    let open: Vec<usize> = wanted.iter().copied().filter(|&position| !proofs[position].holds).collect();
    let found = ask_groups(encoding, &open, FEW, budget, |terms, matter, group| prove_group(terms, matter, group, &[DEEP], budget));
    for (position, proof) in found {
        // A question that was not decided tells less than the one before.
        if proof.holds || !proof.leaps.is_empty() {
            proofs[position] = proof;
        }
    }
}

/// Which obligations hold after invalid accesses too, among the first of those at these positions, which hold after valid ones.
pub(crate) fn hold_anyway(encoding: &mut Encoding, wanted: &[usize], budget: &Budget) -> FxHashSet<usize> {
    let ask = |terms: &mut Terms, matter: &Matter<'_>, group: &Group<'_>| {
        let all = group.positions.iter().map(|&position| &matter.obligations[position]);
        let (broken, conditions): (Vec<Term>, Vec<Term>) = all.map(|obligation| (obligation.broken, obligation.anyway)).unzip();
        let mut court = Court::new(terms, &matter.index, group.period.clone(), &LEVELS[1], (&broken, &conditions), budget);
        let asked = group.positions.iter().zip(&conditions);
        let held = asked.filter(|(_, condition)| court.ask(terms, **condition) == Answer::Unsat).map(|(position, _)| *position);
        let held: Vec<usize> = held.collect();
        if !held.is_empty() && court.is_contradictory(terms) { Vec::new() } else { held }
    };
    ask_groups(encoding, wanted, FEW, budget, ask).into_iter().collect()
}

/// What is found out about the first groups of obligations, in as many threads as help.
fn ask_groups<R: Send>(
    encoding: &mut Encoding,
    wanted: &[usize],
    most: usize,
    budget: &Budget,
    ask: impl Fn(&mut Terms, &Matter<'_>, &Group<'_>) -> Vec<R> + Sync,
) -> Vec<R> {
    let mut groups = groups(encoding, wanted);
    groups.truncate(most);
    let index = FactIndex::new(&encoding.facts, &encoding.topics);
    let matter = Matter { obligations: &encoding.obligations, leaps: &encoding.leaps, index };
    let ask = |terms: &mut Terms, group: &Group<'_>| ask(terms, &matter, group);
    answers(&mut encoding.terms, &groups, LEAST, budget, ask).into_iter().flatten().flatten().collect()
}

fn groups<'a>(encoding: &Encoding, wanted: &'a [usize]) -> Vec<Group<'a>> {
    let place = |position: usize| {
        let obligation = &encoding.obligations[position];
        (obligation.check.span, obligation.function, encoding.recent(obligation.made))
    };
    let end = |positions: &[usize]| positions.iter().map(|&position| encoding.obligations[position].made).max().unwrap_or(0);
    let group = |positions: &'a [usize]| {
        let since = positions.first().map_or(0, |&first| place(first).2);
        Group { positions, period: since..end(positions) }
    };
    wanted.chunk_by(|a, b| place(*a) == place(*b)).map(group).collect()
}

fn prove_group(terms: &mut Terms, matter: &Matter<'_>, group: &Group<'_>, levels: &[Level], budget: &Budget) -> Vec<(usize, Proof)> {
    let mut proofs: Vec<(usize, Proof)> = Vec::new();
    let mut open = group.positions.to_vec();
    for (number, level) in levels.iter().enumerate() {
        let asked = |part: fn(&Obligation) -> Term| open.iter().map(|&position| part(&matter.obligations[position])).collect::<Vec<_>>();
        let (broken, failures) = (asked(|obligation| obligation.broken), asked(|obligation| obligation.failure));
        let mut court = Court::new(terms, &matter.index, group.period.clone(), level, (&broken, &failures), budget);
        let mut found: Vec<(usize, Proof)> = Vec::new();
        for &position in &open {
            let Obligation { failure, anyway, .. } = matter.obligations[position];
            let answer = court.ask(terms, failure);
            let holds = answer == Answer::Unsat;
            let anyway = holds && court.ask(terms, anyway) == Answer::Unsat;
            // What is merely not decided is no counterexample.
            let last = answer == Answer::Sat && number + 1 == levels.len();
            let leaps = if last { leaps_about(matter.leaps, &court.slice) } else { Vec::new() };
            found.push((position, Proof { holds, anyway, leaps }));
        }
        if found.iter().any(|(_, proof)| proof.holds) && court.is_contradictory(terms) {
            return proofs;
        }
        open.retain(|position| found.iter().any(|(other, proof)| other == position && !proof.holds));
        proofs.retain(|(position, _)| !found.iter().any(|(other, _)| other == position));
        proofs.extend(found);
        if open.is_empty() {
            break;
        }
    }
    proofs
}

/// A slice, and a solver that knows its facts.
struct Court {
    slice: Slice,
    context: Context<Batsat>,
    budget: Budget,
}

impl Court {
    /// For questions about some terms, under some conditions.
    fn new(
        terms: &mut Terms,
        index: &FactIndex<'_>,
        period: Range<usize>,
        level: &Level,
        (about, conditions): (&[Term], &[Term]),
        budget: &Budget,
    ) -> Self {
        let mut slice = Slice::new(period, level.extent);
        slice.include(terms, about);
        let mut facts = slice.facts(terms, index);
        for _ in 0..level.spread {
            slice.spread(terms, conditions);
            facts.extend(slice.facts(terms, index));
        }
        for &term in about {
            slice.term(terms, term);
        }
        let mut context = Context::with_solver(Batsat::new());
        context.be_hasty(true);
        context.limit_haste(level.lemmas, level.propagations);
        for fact in facts {
            let fact = slice.condition(terms, fact);
            context.assert(terms, fact);
        }
        Court { slice, context, budget: budget.clone().with_conflicts(level.conflicts) }
    }

    fn ask(&mut self, terms: &mut Terms, condition: Term) -> Answer {
        let question = self.slice.condition(terms, condition);
        self.context.solve(terms, &[question], &self.budget)
    }

    /// Facts exclude no run. If they contradict each other, something is wrong with them, and nothing may be concluded.
    fn is_contradictory(&mut self, terms: &mut Terms) -> bool {
        self.context.solve(terms, &[], &self.budget) == Answer::Unsat
    }
}

/// Whether no run satisfies a condition, as far as a slice about its last parts tells.
pub fn is_impossible(encoding: &mut Encoding, condition: Term, budget: &Budget) -> bool {
    if let Some(known) = encoding.terms.as_bool(condition) {
        return !known;
    }
    let last = last_part(&encoding.terms, condition);
    let since = encoding.recent(last.index());
    let index = FactIndex::new(&encoding.facts, &encoding.topics);
    let mut court = Court::new(&mut encoding.terms, &index, since..usize::MAX, &GIVEN_UP, (&[last], &[condition]), budget);
    court.ask(&mut encoding.terms, condition) == Answer::Unsat && !court.is_contradictory(&mut encoding.terms)
}

/// The part of a conjunction that was made last.
fn last_part(terms: &Terms, condition: Term) -> Term {
    let mut open = vec![condition];
    let mut last: Option<Term> = None;
    while let Some(term) = open.pop() {
        match (terms.op(term), terms.args(term)) {
            (Op::And, args) => open.extend(args.iter().filter(|arg| last.is_none_or(|last| **arg > last))),
            _ => last = last.max(Some(term)),
        }
    }
    last.unwrap_or(condition)
}

/// The loops that a slice is about.
fn leaps_about(leaps: &[Leap], slice: &Slice) -> Vec<Leapt> {
    let mut found = Vec::new();
    for (leap, data) in leaps.iter().enumerate() {
        let known: Vec<usize> = (0..data.kept.len()).filter(|&place| slice.is_about(data.kept[place].literal)).collect();
        let touched = data.variables.iter().any(|(_, _, after)| slice.is_about(*after));
        if touched || !known.is_empty() {
            found.push(Leapt { leap, values: Vec::new(), rounds: None, known, left: true });
        }
    }
    found
}

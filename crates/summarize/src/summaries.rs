//! Summaries by themselves, for people and for other tools: only what is known for sure, and nothing that follows from the rest.

use closures::Limits;
use encode::{Encoding, Faults, Formula, Kept, Leap, Linear, Quantity};
use logic::sat::{Batsat, Budget};
use logic::{Answer, Context, Term, Terms};
use model::Span;

use crate::check::{Attempt, Encoded, Plan, Subject, encoded};
use crate::closing::Coarse;
use crate::loops::{Repeated, Statistics};

/// What is known of the loops of a program.
pub struct Summaries {
    /// The loops, at each point of the program at which they are summarised.
    pub leaps: Vec<Leap>,
    /// What it took.
    pub statistics: Statistics,
    /// Functions without body or model, how often they are called, where first.
    pub unknown: Vec<(String, u32, Span)>,
    /// For each loop, what holds where it is left, as far as predicates tell that closures are made of.
    pub exits: Vec<Option<Vec<Formula>>>,
    /// Closures that are coarser than they could be.
    pub coarse: Vec<Coarse>,
}

/// What a question about summaries may cost.
const CONFLICTS: u64 = 2_000;
/// … and one about orders.
const QUICK: u64 = 200;
/// With more facts than this, questions are not about the whole program.
const WHOLE: usize = 150;
/// More invariants than this are not compared with each other.
const COMPARED: usize = 80;

/// Summarises the loops of a program. Invariants that cannot be said are left out before others are dropped because of them. An invariant is marked
/// as one that holds always if it does in all runs whose accesses before were valid; if `defined` is true, in all in which nothing that is checked failed.
pub fn summaries(subject: &Subject<'_>, plan: &Plan<'_>, defined: bool, sayable: &dyn Fn(&Leap, &Kept) -> bool) -> Summaries {
    let faults = if defined { Faults::All } else { Faults::Memory };
    let Encoded { mut encoding, statistics, coarse, .. } =
        encoded(subject, plan, &Attempt { faults, repeated: Repeated::Always, ..Attempt::default() });
    let whole = encoding.facts.len() <= WHOLE;
    if whole {
        for &fact in &encoding.facts {
            encoding.context.assert(&mut encoding.terms, fact);
        }
    }
    let mut leaps = std::mem::take(&mut encoding.leaps);
    let budget = plan.budget.clone().with_conflicts(CONFLICTS);
    for leap in &mut leaps {
        let kept = std::mem::take(&mut leap.kept);
        leap.kept = kept.into_iter().filter(|kept| sayable(leap, kept)).collect();
        match whole {
            true => settle(&mut encoding, leap, &budget),
            false => settle_in_slices(&mut encoding, leap, &budget),
        }
        drop_implied(&mut encoding.terms, leap, &budget);
    }
    let limits = Limits { budget, ..Limits::default() };
    let facts = &encoding.facts;
    let mut exit = |leap: &Leap| closures::exit(&mut encoding.terms, facts, &[leap.left, leap.valid], &leap.predicates, &limits);
    let exits = leaps.iter().map(|leap| exit(leap).filter(|_| !leap.predicates.is_empty())).collect();
    let unknown = encoding.unknown.into_iter().map(|(name, (calls, span))| (name, calls, span)).collect();
    Summaries { leaps, statistics, unknown, exits, coarse }
}

/// Finds out which invariants hold always: the conditions of some were not decided when they were tested.
fn settle(encoding: &mut Encoding, leap: &mut Leap, budget: &Budget) {
    let mut open: Vec<usize> = (0..leap.kept.len()).filter(|&place| !leap.kept[place].always).collect();
    while !open.is_empty() {
        let terms = &mut encoding.terms;
        let failures: Vec<Term> = open.iter().map(|&place| terms.not(leap.kept[place].literal)).collect();
        let any = terms.any(failures);
        match encoding.context.solve(terms, &[leap.guard, leap.valid, any], budget) {
            Answer::Unsat => {
                for place in open.drain(..) {
                    leap.kept[place].always = true;
                }
            }
            Answer::Sat => {
                let before = open.len();
                let context = &mut encoding.context;
                open.retain(|&place| context.bits_of(terms, leap.kept[place].literal).is_some_and(|bits| !bits.is_zero()));
                // The solver has just said that one of them is false.
                if open.len() == before {
                    return;
                }
            }
            Answer::Unknown(_) => return,
        }
    }
}

/// The same for large programs, where a question about all of it takes long: what is not seen from nearby counts as open.
fn settle_in_slices(encoding: &mut Encoding, leap: &mut Leap, budget: &Budget) {
    for kept in leap.kept.iter_mut().filter(|kept| !kept.always) {
        let fails = encoding.terms.not(kept.literal);
        let condition = encoding.terms.all([leap.guard, leap.valid, fails]);
        kept.always = kernel::is_impossible(encoding, condition, budget);
    }
}

/// Drops invariants that follow from others that are no harder to read, the last ones first.
fn drop_implied(terms: &mut Terms, leap: &mut Leap, budget: &Budget) {
    if leap.kept.len() > COMPARED {
        return;
    }
    // Most questions are about orders, and easy for those who know about them; what they say of numbers otherwise is not.
    let (mut orders, mut context) = (Context::with_solver(Batsat::new()), Context::new());
    let heads: Vec<Term> = leap.kept.iter().map(|kept| kept.head).collect();
    for lemma in closures::lemmas(terms, &heads) {
        orders.assert(terms, lemma);
    }
    let quick = budget.clone().with_conflicts(QUICK);
    for place in (0..leap.kept.len()).rev() {
        // What is so by construction follows from nothing that others know.
        if terms.as_bool(leap.kept[place].head) == Some(true) {
            continue;
        }
        let Some(level) = level(&leap.kept[place].candidate.formula) else { continue };
        let is_simple = |kept: &Kept| self::level(&kept.candidate.formula).is_some_and(|other| other <= level);
        let usable = |(other, kept): (usize, &Kept)| (other != place && kept.always && is_simple(kept)).then_some(kept.head);
        let mut assumed: Vec<Term> = leap.kept.iter().enumerate().filter_map(usable).collect();
        assumed.push(terms.not(leap.kept[place].head));
        let answer = match orders.solve(terms, &assumed, &quick) {
            Answer::Unknown(_) => context.solve(terms, &assumed, budget),
            known => known,
        };
        if answer == Answer::Unsat {
            leap.kept.remove(place);
        }
    }
}

/// How hard a formula is for people and other tools: worse with the number of iterations; `None` if it speaks of the content of memory, which
/// implies much that nobody sees in it.
fn level(formula: &Formula) -> Option<u8> {
    let counts = |sum: &Linear| sum.parts.iter().any(|(_, quantity)| *quantity == Quantity::Iterations);
    let mut level = 0;
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match formula {
            Formula::Compare(sum, _) | Formula::Modular(sum, _) | Formula::Multiple(sum, _) => level |= u8::from(counts(sum)),
            Formula::Range { .. } | Formula::Initialised { .. } | Formula::Agree { .. } | Formula::Terminated(_) => return None,
            Formula::Linked(_) | Formula::Each(_) => return None,
            Formula::Not(inner) => open.push(inner),
            Formula::All(parts) | Formula::Any(parts) => open.extend(parts),
            Formula::Holds(_) | Formula::Null(_) | Formula::SameObject(..) | Formula::SamePointer(..) | Formula::Alive(_) => {}
        }
    }
    Some(level)
}

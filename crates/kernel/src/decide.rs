//! The verdict on each property from the obligations of an encoded program.

use encode::{CutKind, Encoding, Obligation};
use logic::sat::{Budget, Reason};
use logic::{Answer, Term};
use model::{FunctionId, Program, Span};
use pointers::Analysis;
use rustc_hash::FxHashMap;

use crate::aftermath::Aftermath;
use crate::behind::Behind;
use crate::completeness::CONTRADICTION;
use crate::leaping::{Leapt, leaps};
use crate::property::{Property, Verdict, find};
use crate::replay::Replay;
use crate::slices;

/// How much deciding may cost.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The budget of each question.
    pub budget: Budget,
    /// How many counterexamples are replayed for a property before it is given up.
    pub replays: u32,
    /// How much the solver may propagate for all properties together.
    pub effort: Option<u64>,
    /// Whether large slices are worth their time.
    pub deep: bool,
}

/// A property with its verdict.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The property.
    pub property: Property,
    /// What is said of it.
    pub verdict: Verdict,
}

/// What is known of a property on the way.
enum Status {
    /// No run within the bound violates it, so far.
    Open,
    /// No run within the bound violates it.
    Safe,
    Done(Verdict),
    /// It is known to be violated.
    Broken,
    /// The solver has counterexamples that the interpreter did not confirm; one leaps over these loops.
    Unconfirmed(Vec<Leapt>),
}

/// A property under examination: when it fails, at each point of the unwound program.
struct Case {
    property: Property,
    failures: Vec<Term>,
    /// The same, whether the accesses before were valid or not.
    anyway: Vec<Term>,
    /// The positions of the obligations that may fail, after invalid accesses at least.
    obligations: Vec<usize>,
    /// Whether it is known to hold after invalid accesses too.
    robust: bool,
    /// Whether larger slices were asked about that.
    examined: bool,
    /// Whether slices leave it open, and the loops that it has to do with then.
    sliced: bool,
    leaps: Vec<Leapt>,
    status: Status,
}

/// What to decide.
pub enum Wanted {
    /// All properties: these, and what else the encoding says must hold.
    All(Vec<Property>),
    /// These and no others. The others are known to hold, or known to be violated.
    Only {
        /// What to decide.
        open: Vec<Property>,
        /// What is violated: of what lies behind an invalid access, more must be proved.
        violated: Vec<Property>,
    },
}

/// Decides properties. They are asked for together: each answer either shows failing properties, or settles all that are left.
pub fn decide(
    program: &Program,
    analysis: &Analysis<'_>,
    mut encoding: Encoding,
    wanted: Wanted,
    replay: &Replay<'_>,
    limits: &Limits,
) -> Vec<Decision> {
    let mut cases = cases(&encoding, wanted);
    let behind = Behind::new(program, analysis);
    for case in cases.iter_mut().filter(|case| case.failures.is_empty() && matches!(case.status, Status::Open)) {
        case.status = Status::Safe;
    }
    let doubts = match decide_sliced(&behind, &mut encoding, &mut cases, limits) {
        Some(doubts) => doubts,
        None => match decide_whole(&behind, &mut encoding, &mut cases, replay, limits) {
            Some(doubts) => doubts,
            None => vec![Some(Doubt::Reason(CONTRADICTION.into(), Span::NONE)); cases.len()],
        },
    };
    let decided = |(case, doubt): (Case, _)| Some(Decision { verdict: verdict(case.status, doubt)?, property: case.property });
    cases.into_iter().zip(doubts).filter_map(decided).collect()
}

/// Why it is not certain that a property holds.
#[derive(Clone, Debug)]
enum Doubt {
    /// This, there.
    Reason(String, Span),
    /// It holds as long as accesses are valid, and that one before it is not proved to be.
    Reliance(Span),
}
type Doubts = Vec<Option<Doubt>>;
/// Whether no run satisfies a condition, as far as can be told.
type Impossible = fn(&mut Encoding, Term, &Budget) -> bool;

/// A program with more terms than this is decided by slices first …
const SLICED: usize = 3_000;
/// … and one with more terms than this only by slices, …
const WHOLE: usize = 6_000;
/// … unless so few properties are left, and there are no more terms than that.
const FEW: usize = 12;
const FEW_WHOLE: usize = 50_000;
/// If this many terms were made for it, a program is large.
const LARGE: usize = 60_000;

/// Decides what slices can prove of a program with summaries. Nothing if the whole of it has to be asked, and can be.
fn decide_sliced(behind: &Behind<'_>, encoding: &mut Encoding, cases: &mut [Case], limits: &Limits) -> Option<Doubts> {
    let roots: Vec<Term> = cases.iter().flat_map(|case| &case.failures).chain(&encoding.facts).copied().collect();
    if encoding.leaps.is_empty() || !encoding.terms.are_more_than(&roots, SLICED) {
        return None;
    }
    let asked = |case: &Case| matches!(case.status, Status::Open | Status::Safe);
    let mut wanted: Vec<usize> = cases.iter().filter(|case| asked(case)).flat_map(|case| case.obligations.iter().copied()).collect();
    wanted.sort_unstable();
    let mut proofs = slices::prove(encoding, &wanted, &limits.budget);
    if limits.deep && encoding.terms.are_more_than(&roots, WHOLE) {
        slices::prove_deeply(encoding, &wanted, &mut proofs, &limits.budget);
    }
    for case in cases.iter_mut().filter(|case| asked(case)) {
        case.robust = case.obligations.iter().all(|&position| proofs[position].anyway);
        if matches!(case.status, Status::Safe) || case.obligations.iter().all(|&position| proofs[position].holds) {
            case.status = Status::Safe;
            continue;
        }
        for leapt in case.obligations.iter().flat_map(|&position| &proofs[position].leaps) {
            if !case.leaps.iter().any(|known| known.leap == leapt.leap) {
                case.leaps.push(leapt.clone());
            }
        }
        let open = case.obligations.iter().filter(|position| !proofs[**position].holds);
        case.failures = open.map(|&position| encoding.obligations[position].failure).collect();
        case.sliced = true;
    }
    let open = cases.iter().filter(|case| matches!(case.status, Status::Open)).count();
    let huge = encoding.terms.are_more_than(&roots, if open > FEW { WHOLE } else { FEW_WHOLE });
    if !huge && open > 0 {
        return None;
    }
    for case in cases.iter_mut().filter(|case| limits.budget.exhausted().is_none() && matches!(case.status, Status::Open)) {
        case.status = Status::Unconfirmed(std::mem::take(&mut case.leaps));
    }
    let mut found = doubts(behind, encoding, cases, limits, slices::is_impossible);
    let open = reliant(behind, encoding, cases, &mut found, limits, slices::is_impossible);
    for (place, span) in fragile(encoding, cases, open, limits.deep, limits) {
        found[place] = Some(Doubt::Reliance(span));
    }
    (huge || found.iter().all(Option::is_none)).then_some(found)
}

/// Decides with all that is known in one solver; nothing if that contradicts itself.
fn decide_whole(behind: &Behind<'_>, encoding: &mut Encoding, cases: &mut [Case], replay: &Replay<'_>, limits: &Limits) -> Option<Doubts> {
    // Counterexamples that leap are attempts anyway.
    encoding.context.be_hasty(!encoding.leaps.is_empty());
    let facts = encoding.facts.clone();
    for &fact in &facts {
        encoding.context.assert(&mut encoding.terms, fact);
    }
    // Facts exclude no run. If they contradict each other, something is wrong with them, and nothing may be concluded.
    if !facts.is_empty() && encoding.context.solve(&mut encoding.terms, &[], &limits.budget) == Answer::Unsat {
        for case in cases.iter_mut().filter(|case| !matches!(case.status, Status::Broken)) {
            case.status = Status::Open;
        }
        return None;
    }
    // A disjunction may be simplified to something that says nothing about its parts.
    for &failure in cases.iter().flat_map(|case| &case.failures) {
        encoding.context.prepare(&mut encoding.terms, failure);
    }
    search(encoding, cases, replay, limits);
    retry(encoding, cases, replay, limits);
    encoding.context.be_hasty(!encoding.leaps.is_empty());
    let impossible: Impossible =
        |encoding, condition, budget| encoding.context.solve(&mut encoding.terms, &[condition], budget) == Answer::Unsat;
    let mut doubts = doubts(behind, encoding, cases, limits, impossible);
    let open = reliant(behind, encoding, cases, &mut doubts, limits, impossible);
    // A small program is asked about as a whole only.
    let ask = limits.deep && cases.iter().any(|case| case.sliced);
    let open = fragile(encoding, cases, open, ask, limits);
    invalidity(encoding, cases, open, &mut doubts, limits);
    Some(doubts)
}

/// What is said of a property; nothing if that was said before.
fn verdict(status: Status, doubt: Option<Doubt>) -> Option<Verdict> {
    Some(match (status, doubt) {
        (Status::Broken, _) => return None,
        (Status::Done(verdict @ Verdict::Violated(_)), _) => verdict,
        (Status::Unconfirmed(leaps), _) if !leaps.is_empty() => Verdict::Possible(leaps),
        (Status::Unconfirmed(_), _) => {
            Verdict::Unknown { reason: "there may be a violation, but the interpreter did not confirm it".into(), span: Span::NONE }
        }
        (Status::Done(verdict), _) => verdict,
        (Status::Safe | Status::Open, Some(Doubt::Reason(reason, span))) => Verdict::Unknown { reason, span },
        (Status::Safe, Some(Doubt::Reliance(on))) => Verdict::Conditional { on },
        (Status::Safe, None) => Verdict::Proved,
        (Status::Open, _) => Verdict::Unknown { reason: "not decided".into(), span: Span::NONE },
    })
}

fn cases(encoding: &Encoding, wanted: Wanted) -> Vec<Case> {
    let (mut properties, violated) = match wanted {
        Wanted::Only { open, violated } => (open, violated),
        Wanted::All(mut properties) => {
            for obligation in &encoding.obligations {
                let Obligation { check, function, block, .. } = *obligation;
                match find(&mut properties, (check.span, check.kind, function)) {
                    Some(known) => known.is_in(block),
                    None => properties.push(Property { check, function, blocks: vec![block], aftermath: Aftermath::Unclear }),
                }
            }
            (properties, Vec::new())
        }
    };
    properties.sort_by_key(|property| property.key());
    let case = |property, status| Case {
        property,
        failures: Vec::new(),
        anyway: Vec::new(),
        obligations: Vec::new(),
        robust: false,
        examined: false,
        sliced: false,
        leaps: Vec::new(),
        status,
    };
    let open = properties.into_iter().map(|property| case(property, Status::Open));
    let mut cases: Vec<Case> = open.chain(violated.into_iter().map(|property| case(property, Status::Broken))).collect();
    let places: FxHashMap<_, usize> = cases.iter().enumerate().map(|(position, case)| (case.property.key(), position)).collect();
    for (position, obligation) in encoding.obligations.iter().enumerate() {
        let key = (obligation.check.span, obligation.check.kind, obligation.function);
        let Some(&place) = places.get(&key) else { continue };
        if encoding.terms.as_bool(obligation.failure) != Some(false) {
            cases[place].failures.push(obligation.failure);
        }
        if encoding.terms.as_bool(obligation.anyway) != Some(false) {
            cases[place].anyway.push(obligation.anyway);
            cases[place].obligations.push(position);
        }
    }
    cases
}

/// What a question about all open properties at once may cost, when they can be asked about one by one afterwards.
const TOGETHER: u64 = 3000;

/// How many models of all elements of all arrays may turn out to be none where loops are leapt over: such a run is hardly ever real, and there are other ways.
const FAILURES: u32 = 6;

/// How much may be propagated for properties that slices leave open: few of them can be proved with more.
const EFFORT: u64 = 30_000_000;

/// The same, in programs that slices leave something open of, for properties that are known to hold as long as accesses before are valid.
const ANYWAY: u64 = 3_000_000;

/// Asks for a run that violates any open property until there is none; if that is too much at once, about one property after the other.
fn search(encoding: &mut Encoding, cases: &mut [Case], replay: &Replay<'_>, limits: &Limits) {
    let mut together = true;
    let large = cases.iter().any(|case| case.sliced) && encoding.terms.len() > LARGE;
    let much = large || cases.iter().filter(|case| case.sliced).count() > FEW;
    let most = limits.effort.into_iter().chain(much.then_some(EFFORT)).min().unwrap_or(u64::MAX);
    loop {
        let open: Vec<usize> = (0..cases.len()).filter(|&place| matches!(cases[place].status, Status::Open)).collect();
        let asked = if together { open.as_slice() } else { &open[..open.len().min(1)] };
        if asked.is_empty() {
            return;
        }
        if encoding.context.statistics().solver.propagations > most {
            for place in open {
                cases[place].status = Status::Unconfirmed(std::mem::take(&mut cases[place].leaps));
            }
            return;
        }
        let any = encoding.terms.any(asked.iter().flat_map(|&place| cases[place].failures.iter().copied()));
        let few = Limits { budget: limits.budget.clone().with_conflicts(TOGETHER), ..limits.clone() };
        match ask(encoding, any, if together && open.len() > 1 { &few } else { limits }) {
            Answer::Unsat => {
                for &place in asked {
                    cases[place].status = Status::Safe;
                }
            }
            Answer::Unknown(_) if together && open.len() > 1 && limits.budget.exhausted().is_none() => together = false,
            Answer::Unknown(reason) => {
                for &place in asked {
                    cases[place].status = Status::Done(Verdict::Unknown { reason: reason.to_string(), span: Span::NONE });
                }
            }
            Answer::Sat => {
                let failing: Vec<usize> = (0..cases.len())
                    .filter(|&place| {
                        matches!(cases[place].status, Status::Open) && cases[place].failures.iter().any(|&failure| holds(encoding, failure))
                    })
                    .collect();
                // The solver has just said that one of them holds.
                if failing.is_empty() {
                    for &place in asked {
                        cases[place].status = Status::Unconfirmed(Vec::new());
                    }
                    continue;
                }
                let candidate = replay.candidate(encoding);
                let leaps = leaps(encoding);
                for place in failing {
                    let case = &mut cases[place];
                    let confirmed = if limits.budget.exhausted().is_none() { candidate.confirm(replay, &case.property) } else { None };
                    case.status = match confirmed {
                        Some(violation) => Status::Done(Verdict::Violated(Box::new(violation))),
                        None => Status::Unconfirmed(leaps.clone()),
                    };
                }
            }
        }
    }
}

/// Asks for a run, and if there is one, for one with small inputs: people read it, and the interpreter runs it.
fn ask(encoding: &mut Encoding, failure: Term, limits: &Limits) -> Answer {
    let answer = encoding.context.solve(&mut encoding.terms, &[failure], &limits.budget);
    if answer != Answer::Sat || encoding.preferences.is_empty() {
        return answer;
    }
    let mut wishes = encoding.preferences.clone();
    wishes.push(failure);
    match encoding.context.solve(&mut encoding.terms, &wishes, &limits.budget) {
        Answer::Sat => Answer::Sat,
        // Back to the run that there is.
        _ => encoding.context.solve(&mut encoding.terms, &[failure], &limits.budget),
    }
}

fn holds(encoding: &mut Encoding, term: Term) -> bool {
    if let Some(known) = encoding.terms.as_bool(term) {
        return known;
    }
    encoding.context.bits_of(&encoding.terms, term).is_some_and(|bits| !bits.is_zero())
}

/// Gives properties whose counterexample was not confirmed further chances, each point of the unwound program by itself.
fn retry(encoding: &mut Encoding, cases: &mut [Case], replay: &Replay<'_>, limits: &Limits) {
    let leaps = !encoding.leaps.is_empty();
    // A model of all elements of all arrays is worth some effort, not more: what leaps may not be real.
    let budget = if leaps { limits.budget.clone().with_conflicts(TOGETHER) } else { limits.budget.clone() };
    let limits = &Limits { budget, replays: if leaps { 1 } else { limits.replays }, ..limits.clone() };
    encoding.context.be_hasty(false);
    if leaps {
        encoding.context.limit_failures(FAILURES);
    }
    for case in cases.iter_mut().filter(|case| matches!(case.status, Status::Unconfirmed(_))) {
        for &failure in case.failures.iter().take(limits.replays as usize) {
            let tired = limits.effort.is_some_and(|most| encoding.context.statistics().solver.propagations > most);
            if tired || limits.budget.exhausted().is_some() || ask(encoding, failure, limits) != Answer::Sat {
                continue;
            }
            let candidate = replay.candidate(encoding);
            if let Some(violation) = candidate.confirm(replay, &case.property) {
                case.status = Status::Done(Verdict::Violated(Box::new(violation)));
                break;
            }
        }
    }
}

/// For each property, why it may fail in runs that were not followed: a loop, recursion or gap that control can come to and behind which it lies.
fn doubts(behind: &Behind<'_>, encoding: &mut Encoding, cases: &[Case], limits: &Limits, impossible: Impossible) -> Doubts {
    let mut doubts = vec![None; cases.len()];
    let mut places: Vec<(Term, FunctionId, model::BlockId, String, Span)> = Vec::new();
    for cut in &encoding.cuts {
        let reason = match cut.kind {
            CutKind::Loop => "a loop before it needs more iterations than were unwound",
            CutKind::Recursion => "recursion before it goes deeper than was followed",
            CutKind::Size => "the formula would be too large",
            // This concerns only what is proved for invalid accesses too.
            CutKind::Invalid => continue,
            CutKind::Budget => "time or memory was used up before it was reached",
        };
        places.push((cut.guard, cut.function, cut.block, reason.to_owned(), cut.span));
    }
    for gap in &encoding.gaps {
        places.push((gap.guard, gap.function, gap.block, format!("not modelled: {}", gap.reason), gap.span));
    }
    for (guard, function, block, reason, span) in places {
        let after = behind.of(function, block, None);
        let lies_behind = |place: &usize| doubts[*place].is_none() && after.contains(&cases[*place].property);
        let affected: Vec<usize> = (0..cases.len()).filter(lies_behind).collect();
        if affected.is_empty() || impossible(encoding, guard, &limits.budget) {
            continue;
        }
        for place in affected {
            doubts[place] = Some(Doubt::Reason(reason.clone(), span));
        }
    }
    doubts
}

/// Properties were decided for runs whose accesses before are all valid. Where one of those accesses is not proved to be valid, a property that lies
/// behind it counts as proved only if it holds after invalid accesses too: the first access of a run that is not valid is one of those. Where that ends the
/// run, nothing lies behind it. These are the properties that are in question, each with such an access; where runs with invalid accesses were given up,
/// there is doubt already.
fn reliant(
    behind: &Behind<'_>,
    encoding: &mut Encoding,
    cases: &[Case],
    doubts: &mut [Option<Doubt>],
    limits: &Limits,
    impossible: Impossible,
) -> Vec<(usize, Span)> {
    let unproved = |case: &&Case| case.property.is_survived() && !matches!(case.status, Status::Safe);
    let mut open: Vec<(usize, Span)> = Vec::new();
    for broken in cases.iter().filter(unproved) {
        let Property { check: model::Check { span, .. }, function, ref blocks, .. } = broken.property;
        let after: Vec<_> = blocks.iter().map(|&block| behind.of(function, block, Some(span))).collect();
        for (place, case) in cases.iter().enumerate() {
            let lies_behind = || after.iter().any(|after| after.contains(&case.property));
            // The checks of one access rely on each other by design.
            let same = case.property.check.span == span;
            if !same
                && doubts[place].is_none()
                && matches!(case.status, Status::Safe)
                && !open.iter().any(|(known, _)| *known == place)
                && lies_behind()
            {
                open.push((place, span));
            }
        }
    }
    let cuts: Vec<_> = if open.is_empty() { Vec::new() } else { encoding.cuts.clone() };
    let mut given_up = Vec::new();
    for cut in cuts {
        if !impossible(encoding, cut.anyway, &limits.budget) {
            given_up.push(behind.of(cut.function, cut.block, None));
        }
    }
    open.retain(|&(place, span)| {
        let lost = given_up.iter().any(|after| after.contains(&cases[place].property));
        if lost {
            doubts[place] = Some(Doubt::Reliance(span));
        }
        !lost
    });
    open
}

/// Leaves the properties that larger slices do not show to hold after invalid accesses too; none is asked about twice.
fn fragile(encoding: &mut Encoding, cases: &mut [Case], mut open: Vec<(usize, Span)>, ask: bool, limits: &Limits) -> Vec<(usize, Span)> {
    open.retain(|(place, _)| !cases[*place].robust);
    let new: Vec<usize> = open.iter().map(|(place, _)| *place).filter(|place| ask && !cases[*place].examined).collect();
    let mut wanted: Vec<usize> = new.iter().flat_map(|place| cases[*place].obligations.iter().copied()).collect();
    wanted.sort_unstable();
    let held = if wanted.is_empty() { Default::default() } else { slices::hold_anyway(encoding, &wanted, &limits.budget) };
    for place in new {
        cases[place].examined = true;
        cases[place].robust = cases[place].obligations.iter().all(|position| held.contains(position));
    }
    open.retain(|(place, _)| !cases[*place].robust);
    open
}

/// Doubts properties that hold only as long as accesses before are valid.
fn invalidity(encoding: &mut Encoding, cases: &[Case], mut open: Vec<(usize, Span)>, doubts: &mut [Option<Doubt>], limits: &Limits) {
    for &failure in open.iter().flat_map(|(place, _)| &cases[*place].anyway) {
        encoding.context.prepare(&mut encoding.terms, failure);
    }
    // All at once as long as that refutes some; what is too much then is asked about one by one.
    let mut together = true;
    let few = limits.budget.clone().with_conflicts(TOGETHER);
    let spent = |encoding: &Encoding| encoding.context.statistics().solver.propagations;
    let large = cases.iter().any(|case| case.sliced);
    let most = if large { spent(encoding).saturating_add(ANYWAY) } else { u64::MAX };
    while !open.is_empty() {
        let tired = spent(encoding) > most;
        let asked = if together || tired { &open[..] } else { &open[..1] };
        let any = encoding.terms.any(asked.iter().flat_map(|(place, _)| cases[*place].anyway.iter().copied()));
        let answer = match tired {
            true => Answer::Unknown(logic::Unknown::Solver(Reason::Conflicts)),
            false => encoding.context.solve(&mut encoding.terms, &[any], if together && open.len() > 1 { &few } else { &limits.budget }),
        };
        let failing: Vec<(usize, Span)> = match answer {
            Answer::Unsat => {
                let held = asked.len();
                open.drain(..held);
                continue;
            }
            Answer::Unknown(_) if together && !tired && open.len() > 1 && few.exhausted().is_none() => {
                together = false;
                continue;
            }
            Answer::Unknown(_) => asked.to_vec(),
            Answer::Sat => {
                let mut fails = |place: usize| cases[place].anyway.iter().any(|&failure| holds(encoding, failure));
                let failing: Vec<_> = open.iter().copied().filter(|(place, _)| fails(*place)).collect();
                // What the solver does not show one by one is in doubt as a whole.
                if failing.is_empty() { asked.to_vec() } else { failing }
            }
        };
        for (place, span) in failing {
            doubts[place] = Some(Doubt::Reliance(span));
            open.retain(|(other, _)| *other != place);
        }
    }
}

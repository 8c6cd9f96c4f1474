//! Arguments that loops end.
//!
//! Every loop that is not unwound, and every function that calls itself, is a *problem*: one round from an arbitrary state at the head, as the summary
//! has it. A program ends if every problem has an argument: a run that never ends makes infinitely many rounds in one of them. Loops inside
//! are replaced by their summaries there, which is right because they have arguments of their own.

mod bound;
mod compositional;
mod conditional;
mod disjunctive;
mod effort;
mod lexicographic;
mod linear;
pub mod lists;
mod nested;
pub mod only_run;
mod pool;
mod problem;
mod relation;
mod states;
mod strict_orders;
mod support;
mod terminator;
mod text;
pub mod unwinding;

use encode::{CutKind, Encoding, FactIndex, Faults, Options, Round};
use kernel::Candidate;
use kernel::ranking::RankingArgument;
use logic::sat::Budget;
use logic::{Term, Terms};
use model::{BlockId, FunctionId, LoopForest, Program, Span};
use summarize::{Loops, Subject, When};

use crate::findings::{Argument, Findings, LoopFinding, LoopVerdict, Verdict};
use crate::program::Plan;
use conditional::Conditional;
use effort::{Effort, Level};
use problem::Problem;
use support::Known;

/// What a question about a candidate for an invariant, or about a ranking function, may cost.
const CANDIDATE_CONFLICTS: u64 = 1_000;
const RANKING_CONFLICTS: u64 = 5_000;
/// What a question of the kernel may cost: it does not know what the search has learnt.
const KERNEL_CONFLICTS: u64 = 40_000;

/// What a question about invariants that an argument may not need may cost: nothing but the text depends on it.
const SUPPORT_CONFLICTS: u64 = 300;

/// How many commands the copies of a function may have, one for each way that leads to it, before it is encoded once.
const COPIES: usize = 1_000;

/// Rounds with more terms are looked at in excerpts with all measures that there are.
const LARGE: usize = 8_000;
/// Rounds with more terms are looked at as a whole only when there are invariants.
const HUGE: usize = 30_000;

/// Who finds out that there is no second round.
const NO_ROUND: &str = "no round";

/// An engine that looks for arguments.
pub struct Engine {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// When it is used.
    pub turn: Turn,
    find: fn(&mut Problem<'_>) -> Option<RankingArgument>,
}

/// When an engine is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Even before there are invariants.
    First,
    /// As soon as there are invariants.
    Later,
    /// Only if it is named: those of the papers prove nothing that the others do not.
    Named,
}

const fn engine(name: &'static str, turn: Turn, find: fn(&mut Problem<'_>) -> Option<RankingArgument>, about: &'static str) -> Engine {
    Engine { name, about, turn, find }
}

/// All engines, the cheapest first.
pub const ENGINES: [Engine; 13] = [
    engine("orders", Turn::First, lexicographic::single, "a variable, a sum or what is left of an object decreases"),
    engine("lexicographic", Turn::First, lexicographic::several, "several measures decrease, one after the other"),
    engine("states", Turn::Later, lexicographic::states, "it goes through few states, and never back"),
    engine("nested", Turn::Later, nested::find, "each of several measures decreases as soon as the one before it is below its bound"),
    engine("cases", Turn::Later, lexicographic::cases, "what decreases depends on the case that a loop is in"),
    engine("disjunctive", Turn::Later, disjunctive::find, "between any two visits of the head, one of several measures has decreased"),
    engine(
        "order-numeric",
        Turn::Named,
        strict_orders::numeric,
        "a numeric variable decreases or increases (domain 1 of the paper, its LOOPFROG 2)",
    ),
    engine("order-any", Turn::Named, strict_orders::any, "any variable does, pointers too (domain 2)"),
    engine("order-sum", Turn::Named, strict_orders::sum, "the sum of all numeric variables does (domain 3, LOOPFROG 1)"),
    engine("order-extremes", Turn::Named, strict_orders::extremes, "the greatest or the least of all numeric variables does (domain 4)"),
    engine("order-combined", Turn::Named, strict_orders::combination, "one variable does while the others keep their values (domain 5)"),
    engine("compositional", Turn::Named, compositional::find, "rounds are unwound and ranked until the relation is transitive (CTA)"),
    engine(
        "terminator",
        Turn::Named,
        terminator::find,
        "what the relation does not cover is ranked and added, until it covers all rounds (TERMINATOR)",
    ),
];

/// Engines that do not look at rounds as problems.
pub const OTHERS: [(&str, &str); 3] = [(lists::NAME, lists::ABOUT), (unwinding::NAME, unwinding::ABOUT), (only_run::NAME, only_run::ABOUT)];

/// Looks for an argument for each loop: without invariants first, then with simple ones, then with all, then with more of them for the loops that need
/// them. Says when each loop was looked at for the first time.
pub fn rank(subject: &Subject<'_>, plan: &Plan<'_>, surveyed: impl FnOnce()) -> Findings {
    let mut attempt = attempt(subject, plan, &Effort::default(), &[]);
    surveyed();
    let mut run = if attempt.open().is_empty() { None } else { only_run::ends_soon(subject, plan) };
    let mut followed = run.is_none() && !attempt.open().is_empty() && unwinding::ends_soon(subject, plan, attempt.size);
    for level in [Level::Simple, Level::All, Level::Refined] {
        let open = attempt.open();
        if open.is_empty() || run.is_some() || followed || plan.means.budget.exhausted().is_some() {
            break;
        }
        if let Some(effort) = Effort::new(plan, level, open) {
            let known = attempt.arguments();
            attempt = self::attempt(subject, plan, &effort, &known);
        }
    }
    if !followed && run.is_none() && !attempt.open().is_empty() {
        run = only_run::ends(subject, plan);
        followed = run.is_none() && unwinding::ends(subject, plan, attempt.size);
    }
    if followed {
        attempt.close(|_| Argument::Unwound);
    }
    if let Some(run) = run {
        attempt.close(|finding| only_run::argument(&run, finding));
    }
    let verdict = verdict(&attempt.loops, attempt.doubt);
    Findings { verdict, loops: attempt.loops, outside: attempt.outside, undefined: None, unknown: attempt.unknown }
}

/// What came of an attempt.
struct Attempt {
    loops: Vec<LoopFinding>,
    /// Why not all runs were followed, if they were not.
    doubt: Option<(String, Span)>,
    /// Inputs that lead to states outside of preconditions.
    outside: Vec<Candidate>,
    /// Whether no other attempt follows runs that this one does not follow, and nothing is wrong.
    lasting: bool,
    /// How many terms the program has, with each loop once.
    size: usize,
    /// Functions without body.
    unknown: Vec<(String, u32, Span)>,
}

impl Attempt {
    /// The loops without argument.
    fn open(&self) -> Vec<(FunctionId, BlockId)> {
        let is_open = |finding: &&LoopFinding| matches!(finding.verdict, LoopVerdict::Unknown(_));
        self.loops.iter().filter(is_open).map(|finding| (finding.function, finding.header)).collect()
    }

    /// All runs end: gives the loops that are open an argument.
    fn close(&mut self, argument: impl Fn(&LoopFinding) -> Argument) {
        self.doubt = None;
        for finding in self.loops.iter_mut().filter(|finding| matches!(finding.verdict, LoopVerdict::Unknown(_))) {
            finding.verdict = LoopVerdict::Terminates(argument(finding));
        }
    }

    /// The loops with an argument for every way on which runs come to them, as far as they are followed. It stays right whatever else is found out.
    fn arguments(&self) -> Vec<LoopFinding> {
        let is_done = |finding: &&LoopFinding| self.lasting && matches!(finding.verdict, LoopVerdict::Terminates(_));
        self.loops.iter().filter(is_done).cloned().collect()
    }
}

fn attempt(subject: &Subject<'_>, plan: &Plan<'_>, effort: &Effort<'_>, known: &[LoopFinding]) -> Attempt {
    let mut encoding = encoding(subject, plan, effort);
    let size = encoding.terms.len();
    let facts = std::mem::take(&mut encoding.facts);
    let rounds = std::mem::take(&mut encoding.rounds);
    let mut findings: Vec<LoopFinding> = known.to_vec();
    let mut conditions = Vec::new();
    let is_open = |instance: &Vec<&Round>| !known.iter().any(|known| known.is_of(instance[0]));
    let instances: Vec<Vec<&Round>> = instances(&rounds).into_iter().filter(is_open).collect();
    // What is easy comes first: what is not may take all the time that there is.
    let topics = std::mem::take(&mut encoding.topics);
    let index = FactIndex::new(&facts, &topics);
    let mut easy: Vec<Option<Found>> = instances.iter().map(|_| None).collect();
    for (memory, several) in [(false, false), (false, true), (true, true)] {
        for (instance, easy) in instances.iter().zip(&mut easy).filter(|(_, easy)| easy.is_none()) {
            let case = Case::new(subject, &encoding, instance, plan, effort);
            *easy = in_excerpt(&mut encoding, &index, instance, (memory, several), &case);
        }
    }
    for (instance, easy) in instances.iter().zip(&mut easy).filter(|(_, easy)| easy.is_none()) {
        let case = Case::new(subject, &encoding, instance, plan, effort);
        *easy = if case.postpones(&encoding.terms, instance, &[]) { None } else { in_general(&mut encoding, &facts, instance, &case) };
    }
    for (instance, easy) in instances.iter().zip(easy) {
        let round = instance[0];
        (plan.means.progress)(&format!("ranking round {} of {}", round.instance + 1, rounds.len()));
        let case = Case::new(subject, &encoding, instance, plan, effort);
        // A loop without argument on one way needs none on others.
        if findings.iter().any(|known| known.is_of(round) && matches!(known.verdict, LoopVerdict::Unknown(_))) {
            continue;
        }
        let found = match easy {
            Some(found) => Ok(found),
            None if case.postpones(&encoding.terms, instance, &facts) => Err(None),
            None => argument(&mut encoding, &facts, instance, &case),
        };
        let verdict = match found.map_err(|condition| (condition, lists::argument(subject, plan, &mut encoding, &facts, instance))) {
            Ok(found) => LoopVerdict::Terminates(text::argument(subject.program, &found)),
            Err((_, Some(argument))) => LoopVerdict::Terminates(argument),
            Err((None, None)) => LoopVerdict::Unknown(text::nothing_found(subject.program, &encoding, instance)),
            Err((Some(conditional), None)) => {
                conditions.push((round, conditional.when));
                LoopVerdict::Unknown(text::condition(subject.program, &conditional))
            }
        };
        match findings.iter_mut().find(|known| known.is_of(round)) {
            Some(known) if matches!(known.verdict, LoopVerdict::Terminates(_)) => known.verdict = text::both(&known.verdict, verdict),
            Some(_) => {}
            None => findings.push(LoopFinding::new(round, verdict)),
        }
    }
    // When there is no time left, nobody will ask.
    let asked = if plan.means.budget.exhausted().is_none() { &facts[..] } else { &[] };
    for &fact in asked {
        encoding.context.assert(&mut encoding.terms, fact);
    }
    encoding.context.be_hasty(true);
    let doubt = kernel::unfollowed(&mut encoding, &plan.means.budget);
    // What is not modelled is the same in all attempts.
    let lasting = match &doubt {
        Some((reason, _)) => reason != kernel::CONTRADICTION && encoding.cuts.iter().all(|cut| cut.kind == CutKind::Invalid),
        None => true,
    };
    let outside = conditions.iter().filter_map(|(round, when)| conditional::outside(subject, plan, &mut encoding, round, *when)).collect();
    followed_loops(subject, &mut findings, doubt.as_ref());
    findings.sort_by_key(|finding| (finding.span, finding.function, finding.header));
    let unknown = std::mem::take(&mut encoding.unknown).into_iter().map(|(name, (calls, span))| (name, calls, span)).collect();
    Attempt { loops: findings, doubt, lasting, outside, unknown, size }
}

fn encoding(subject: &Subject<'_>, plan: &Plan<'_>, effort: &Effort<'_>) -> Encoding {
    let means = plan.means;
    let budget = means.budget.clone().with_conflicts(CANDIDATE_CONFLICTS);
    let mut loops = Loops::new(effort.domains.clone(), means.candidates, budget, &effort.refined);
    loops.measures = true;
    loops.room = COPIES;
    match means.closing.when {
        When::Always => loops.close(means.closing, None),
        // Disjunctions are for loops that nothing else helped.
        When::Refining if !effort.refined.is_empty() => loops.close(means.closing, Some(&effort.refined)),
        When::Refining | When::Never => {}
    }
    // Else those of the papers would have little to do.
    loops.follows = plan.engines.is_none() || ENGINES.iter().any(|engine| engine.turn != Turn::Named && plan.uses(engine.name));
    let options = Options {
        unwind: 2,
        uninitialised: false,
        terms: means.terms,
        budget: means.budget.clone(),
        effort: u64::MAX,
        faults: Faults::All,
    };
    subject.encode(options, Some(&mut loops))
}

/// Rounds that share their head.
fn instances(rounds: &[Round]) -> Vec<Vec<&Round>> {
    rounds.chunk_by(|a, b| a.instance == b.instance).map(|instance| instance.iter().collect()).collect()
}

/// An argument for rounds that share their head, where most of what happens does not matter: about memory or not, with several measures or one.
fn in_excerpt(
    encoding: &mut Encoding,
    index: &FactIndex<'_>,
    rounds: &[&Round],
    (memory, several): (bool, bool),
    case: &Case<'_>,
) -> Option<Found> {
    // Of those that are not so large, most of what matters is soon seen as a whole.
    if case.plan.means.budget.exhausted().is_some() || several && !are_more_than(&encoding.terms, rounds, &[], LARGE) {
        return None;
    }
    let (facts, excerpt) = kernel::excerpt(&mut encoding.terms, index, rounds, memory)?;
    case.first_argument(encoding, Known::only(facts), &excerpt, several)
}

/// An argument for rounds that share their head, where most of what happened before does not matter.
fn in_general(encoding: &mut Encoding, facts: &[Term], rounds: &[&Round], case: &Case<'_>) -> Option<Found> {
    if case.plan.means.budget.exhausted().is_some() {
        return None;
    }
    let (general, rounds_in_general) = kernel::generalised(&mut encoding.terms, facts, rounds)?;
    let known = Known::of(encoding, facts, rounds[0]).with(general);
    case.first_argument(encoding, known, &rounds_in_general, true)
}

/// An argument for rounds that share their head that the kernel accepts; if there is none, perhaps one that holds under a condition.
fn argument(encoding: &mut Encoding, facts: &[Term], rounds: &[&Round], case: &Case<'_>) -> Result<Found, Option<Conditional>> {
    if case.plan.means.budget.exhausted().is_some() {
        return Err(None);
    }
    let known = Known::of(encoding, facts, rounds[0]);
    let mut problem = case.problem(&mut encoding.terms, &known.facts, rounds);
    let found = if problem.is_impossible() {
        Some((RankingArgument::Lexicographic(Vec::new()), NO_ROUND))
    } else {
        case.search(&mut problem, |engine| match engine.turn {
            Turn::First => true,
            Turn::Later => case.thorough,
            Turn::Named => case.plan.engines.is_some(),
        })
    };
    match found {
        Some(found) => {
            let found = case.found(problem, found);
            // What becomes undefined in the first round is not among those of a peeled loop.
            let ends = !case.peeled || found.engine != NO_ROUND || kernel::stays_in_range(encoding, &case.budget(RANKING_CONFLICTS));
            if ends { case.accepted(encoding, &known, found).ok_or(None) } else { Err(None) }
        }
        // In the last attempt, when nothing else helps.
        None if case.peeled => {
            let found = conditional::find(&mut problem);
            Err(found.filter(|found| case.accepts(encoding, &known.facts, &found.rounds, &found.argument)))
        }
        None => Err(None),
    }
}

/// Whether rounds and facts have more terms than this.
fn are_more_than(terms: &Terms, rounds: &[&Round], facts: &[Term], limit: usize) -> bool {
    let ends = rounds.iter().flat_map(|round| [round.again, round.again_valid, round.overflow]);
    terms.are_more_than(&ends.chain(facts.iter().copied()).collect::<Vec<_>>(), limit)
}

/// How an argument for a loop is looked for.
struct Case<'a> {
    program: &'a Program,
    plan: &'a Plan<'a>,
    /// Whether the first round is not among those.
    peeled: bool,
    /// Whether the rounds are all that the loop makes.
    whole: bool,
    thorough: bool,
}

impl<'a> Case<'a> {
    fn new(subject: &'a Subject<'a>, encoding: &Encoding, rounds: &[&Round], plan: &'a Plan<'a>, effort: &Effort<'_>) -> Self {
        let of = rounds.first().map(|round| (round.function, round.header));
        let peeled = of.is_some_and(|head| effort.refined.contains(&head));
        let whole = !peeled && of.is_some_and(|head| !encoding.followed.contains(&head));
        Case { program: subject.program, plan, peeled, whole, thorough: effort.thorough }
    }

    /// Whether rounds with these facts are so large that it is better to have invariants first.
    fn postpones(&self, terms: &Terms, rounds: &[&Round], facts: &[Term]) -> bool {
        !self.thorough && self.plan.engines.is_none() && are_more_than(terms, rounds, facts, HUGE)
    }

    fn budget(&self, conflicts: u64) -> Budget {
        self.plan.means.budget.clone().with_conflicts(conflicts)
    }

    fn problem<'t>(&self, terms: &'t mut Terms, facts: &[Term], rounds: &[&Round]) -> Problem<'t> {
        Problem::new(terms, facts, rounds, self.budget(RANKING_CONFLICTS), self.thorough)
    }

    /// What the first engine finds, of those whose turn it is.
    fn search(&self, problem: &mut Problem<'_>, turn: impl Fn(&Engine) -> bool) -> Option<(RankingArgument, &'static str)> {
        let mut engines = ENGINES.iter().filter(|engine| self.plan.uses(engine.name) && turn(engine));
        engines.find_map(|engine| Some(((engine.find)(problem)?, engine.name)))
    }

    /// What the engines find that come first, or only the first of them, if the kernel accepts it.
    fn first_argument(&self, encoding: &mut Encoding, known: Known, rounds: &[Round], several: bool) -> Option<Found> {
        let rounds: Vec<&Round> = rounds.iter().collect();
        let mut problem = self.problem(&mut encoding.terms, &known.facts, &rounds);
        if problem.is_impossible() {
            return None;
        }
        let comes_first = |engine: &Engine| engine.turn == Turn::First || self.plan.engines.is_some();
        let found = self.search(&mut problem, |engine| comes_first(engine) && (several || engine.name == ENGINES[0].name))?;
        let found = self.found(problem, found);
        self.accepted(encoding, &known, found)
    }

    fn found(&self, mut problem: Problem<'_>, (argument, engine): (RankingArgument, &'static str)) -> Found {
        let bound = if self.plan.bounds && self.whole { bound::rounds(&mut problem, &argument) } else { None };
        Found { rounds: problem.into_rounds(), argument, engine, bound, invariants: Vec::new() }
    }

    /// What was found with the invariants that it needs, if the kernel accepts it.
    fn accepted(&self, encoding: &mut Encoding, known: &Known, mut found: Found) -> Option<Found> {
        if !self.accepts(encoding, &known.facts, &found.rounds, &found.argument) {
            return None;
        }
        if self.plan.bounds {
            let budget = self.budget(SUPPORT_CONFLICTS);
            found.invariants = support::invariants(encoding, self.program, known, (&found.rounds, &found.argument), &budget);
        }
        Some(found)
    }

    fn accepts(&self, encoding: &mut Encoding, facts: &[Term], rounds: &[Round], argument: &RankingArgument) -> bool {
        let rounds: Vec<&Round> = rounds.iter().collect();
        kernel::ranking::accepts(&mut encoding.terms, facts, &rounds, argument, &self.budget(KERNEL_CONFLICTS))
    }
}

/// An argument, and what its measures refer to.
struct Found {
    rounds: Vec<Round>,
    argument: RankingArgument,
    engine: &'static str,
    bound: Option<bound::Bound>,
    /// What it relies on.
    invariants: Vec<String>,
}

/// Loops without rounds: they were followed to their end, or no run comes to them, unless not all runs were followed.
fn followed_loops(subject: &Subject<'_>, findings: &mut Vec<LoopFinding>, doubt: Option<&(String, Span)>) {
    for function in kernel::reachable(subject.program, subject.analysis, subject.entry) {
        let Some(body) = &subject.program.functions[function].body else { continue };
        for region in LoopForest::new(body).loops {
            if findings.iter().any(|known| known.function == function && known.header == region.header && !known.recursion) {
                continue;
            }
            let span = region.source.map_or(body.blocks[region.header].span, |source| body.loops[source].span);
            let verdict = match doubt {
                Some((reason, _)) => LoopVerdict::Unknown(reason.clone()),
                None => LoopVerdict::Terminates(Argument::Unwound),
            };
            findings.push(LoopFinding { function, header: region.header, span, recursion: false, verdict });
        }
    }
}

fn verdict(loops: &[LoopFinding], doubt: Option<(String, Span)>) -> Verdict {
    let open = loops.iter().find_map(|finding| match &finding.verdict {
        LoopVerdict::Unknown(reason) => Some((reason.clone(), finding.span)),
        _ => None,
    });
    match doubt.or(open) {
        Some((reason, span)) => Verdict::Unknown { reason, span },
        None => Verdict::Terminates,
    }
}

//! How a program is checked: with summaries; what they leave open is unwound, and summarised again with richer domains.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use domains::Domain;
use encode::{CutKind, Encoding, Faults, Gap, Leap, Options, Summarizer};
use kernel::{Aftermath, Decision, Limits, Property, Replay, Verdict, Wanted};
use logic::Dump;
use logic::sat::{Budget, Interrupt};
use model::{BlockId, Body, FunctionId, Program, Span};
use pointers::{Analysis, Regions};
use rustc_hash::FxHashSet;

use crate::closing::{Closing, Coarse, When};
use crate::loops::{Dismissed, Loops, Repeated, Stage, Statistics};
use crate::runs::violations;

/// How to go about it.
pub struct Plan<'a> {
    /// The domains that propose invariants; none to unwind only.
    pub domains: Vec<&'a dyn Domain>,
    /// Closures over predicates, which are tried beside the domains.
    pub closing: Closing<'a>,
    /// Unwind loops exactly so often, without summaries.
    pub unwind: Option<u32>,
    /// How many candidates a loop may have.
    pub candidates: usize,
    /// Whether uninitialised reads are checked.
    pub uninitialised: bool,
    /// How many terms may be made.
    pub terms: usize,
    /// When to stop.
    pub budget: Budget,
    /// Whether there is a time limit, so that everything may be tried until it is over.
    pub patient: bool,
    /// Where to write the solver's questions.
    pub dump: Option<Box<dyn Fn() -> Dump + Sync + 'a>>,
    /// Told what is being done.
    pub progress: Box<dyn Fn(&str) + Sync + 'a>,
}

impl Plan<'_> {
    /// The same, until a switch is raised.
    fn until(&self, interrupt: &Interrupt) -> Plan<'_> {
        Plan {
            domains: self.domains.clone(),
            budget: self.budget.clone().with_interrupt(interrupt.clone()),
            dump: self.dump.as_ref().map(|dump| -> Box<dyn Fn() -> Dump + Sync + '_> { Box::new(dump) }),
            progress: Box::new(|text| (self.progress)(text)),
            ..*self
        }
    }
}

/// What came of it.
#[derive(Default)]
pub struct Findings {
    /// Every property with its verdict.
    pub decisions: Vec<Decision>,
    /// The loops that were leapt over, which counterexamples refer to.
    pub leaps: Vec<Leap>,
    /// What summarising took.
    pub statistics: Statistics,
    /// Functions without body or model, how often they are called, where first.
    pub unknown: Vec<(String, u32, Span)>,
    /// How many loops were not unwound to the end, if they were unwound.
    pub loops_cut: usize,
    /// How many terms there were in the end.
    pub terms: usize,
    /// The time for summarising, and for deciding.
    pub times: (Duration, Duration),
    /// What does not hold of all calls of functions that are encoded once.
    dismissed: Arc<Dismissed>,
}

/// A program with more terms than this is not summarised once more.
const REFINED: usize = 60_000;
/// A program that has so many terms when it is unwound is not unwound further, unless there is time.
const GROWN: usize = 4_000;
/// Without a time limit, more properties than this are unwound for only with so many terms.
const MANY: (usize, usize) = (40, 12_000);
/// Bounds for unwinding what summaries leave open.
const BOUNDS: [u32; 4] = [1, 4, 10, 24];
/// A counterexample that leaps over more iterations is not followed.
const GUIDED: u32 = 200;
/// What unwinding may cost: conflicts for each question, propagations to find out how far to unwind, terms. Once without a time limit, where it
/// should come to an end soon; once with one.
const CONFLICTS: [u64; 2] = [1_500, 50_000];
const EFFORT: [u64; 2] = [500_000, 50_000_000];
const TERMS: [usize; 2] = [60_000, 600_000];
/// … and how much the solver may propagate to decide all properties, if there is no time limit.
const DECIDED: u64 = 10_000_000;
/// The same for what is summarised once more.
const DECIDED_AGAIN: u64 = 40_000_000;
/// What a question about a property may cost behind summaries, when there is no time limit: the first time, and once more.
const PROPERTY_CONFLICTS: [u64; 2] = [20_000, 4_000];
/// How many counterexamples are replayed for a property.
const REPLAYS: u32 = 4;
/// How many commands the copies of a function may have, one for each way that leads to it, before it is encoded once: at first, and once more.
const COPIES: [usize; 2] = [1_000, 8_000];
/// What a question about a candidate may cost.
const CANDIDATE_CONFLICTS: u64 = 2_000;

/// Expressions and calls may be deep.
const STACK: usize = 1 << 30;

/// A program with what is known of it.
pub struct Subject<'a> {
    /// The program: instrumented, reducible.
    pub program: &'a Program,
    /// Where its pointers lead.
    pub analysis: &'a Analysis<'a>,
    /// Its memory.
    pub regions: &'a Regions,
    /// Where it starts.
    pub entry: FunctionId,
    /// How runs are replayed.
    pub replay: &'a Replay<'a>,
}

impl Subject<'_> {
    /// The program as terms; with a summarizer, its loops are replaced by summaries.
    pub fn encode<'s>(&'s self, options: Options, summarizer: Option<&'s mut (dyn Summarizer + 's)>) -> Encoding {
        let mut encoding = encode::encode(self.program, self.analysis, self.regions, self.entry, options, summarizer);
        // Assembly outside of functions may do anything: no verdict may rest on a program that has it.
        if let Some(&span) = self.replay.program.assembly.first() {
            let guard = encoding.terms.bool(true);
            let reason = "assembly outside of functions".into();
            encoding.gaps.push(Gap { guard, function: self.entry, block: Body::ENTRY, reason, span });
        }
        encoding
    }
}

/// Checks all properties of a program.
pub fn check(subject: &Subject<'_>, plan: &Plan<'_>) -> Findings {
    let properties = kernel::properties(subject.program, subject.analysis, subject.entry);
    if properties.is_empty() {
        return Findings::default();
    }
    if let Some(bound) = plan.unwind {
        return unwound(subject, plan, options(plan, bound), Wanted::All(properties), plan.budget.clone());
    }
    let mut findings = summarised(subject, plan, &Attempt::default(), Wanted::All(properties));
    if !findings.decisions.iter().any(is_open) {
        return findings;
    }
    (plan.progress)("runs with guessed inputs");
    let started = Instant::now();
    let todo = Todo::behind(&findings);
    let decisions = violations(subject.replay, &todo.open, plan.patient, &plan.budget);
    findings.take_over(Findings { decisions, times: (Duration::ZERO, started.elapsed()), ..Findings::default() });
    let todo = Todo::behind(&findings);
    let is_exact = findings.leaps.is_empty() && findings.loops_cut == 0;
    if todo.open.is_empty() || is_exact || plan.budget.exhausted().is_some() {
        return findings;
    }
    let blamed = if findings.terms > REFINED && !plan.patient { Vec::new() } else { loops_to_blame(&findings) };
    // Ways to go on, at the same time: what one of them decides is decided.
    let race = Race { todo: Mutex::new(todo.clone()), patient: plan.patient, over: Interrupt::new() };
    let plan = &plan.until(&race.over);
    let attempts = std::thread::scope(|scope| {
        let race = &race;
        let (blamed, left) = (&blamed, todo.clone());
        let stack = std::thread::Builder::new().stack_size(STACK);
        let refined = stack.spawn_scoped(scope, move || refined(subject, plan, blamed, (left, race)));
        let unwindings = unwindings(subject, plan, &bounds(&findings), (todo.clone(), race));
        // Without another thread there is no refinement.
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        refined.map(join).unwrap_or_default().into_iter().chain(unwindings).collect::<Vec<_>>()
    });
    for attempt in attempts {
        findings.take_over(attempt);
    }
    findings.settle();
    findings
}

/// Summarises once more, in one way after the other, for the properties that are still open.
fn refined(subject: &Subject<'_>, plan: &Plan<'_>, blamed: &[(FunctionId, BlockId)], (mut todo, race): (Todo, &Race)) -> Vec<Findings> {
    let mut found = Vec::new();
    let mut ways: Vec<Way<'_>> = refinements(plan, blamed, &todo).into_iter().map(Way::Refined).collect();
    // Where most of what is open relies on the rest, that is what to do something about. Else it is worth its time only where there is time.
    if todo.is_mostly_reliant() {
        ways.insert(0, Way::Tolerant);
    } else if plan.patient {
        ways.push(Way::Tolerant);
    }
    for way in ways {
        let next = match way {
            Way::Refined(attempt) => Some((attempt, todo.wanted())),
            Way::Tolerant => todo.tolerant(),
        };
        let Some((attempt, wanted)) = next.filter(|_| !todo.open.is_empty() && plan.budget.exhausted().is_none()) else { continue };
        let more = race.done(summarised(subject, plan, &attempt, wanted));
        todo.done(&more);
        found.push(more);
    }
    found
}

/// A way to summarise once more.
enum Way<'a> {
    /// With more effort for some loops.
    Refined(Attempt<'a>),
    /// For runs that go on after accesses that are not proved to be valid.
    Tolerant,
}

/// What is tried where summaries were too weak: functions where they are called rather than once for all calls, loops inside of others once more, richer domains, or closures, where disjunctions may be what is missing.
///
/// What was dismissed is tried again only where there is more effort: it may have failed because something was missing then.
fn refinements<'a>(plan: &Plan<'_>, blamed: &'a [(FunctionId, BlockId)], todo: &Todo) -> Vec<Attempt<'a>> {
    let Todo { dismissed, shared, .. } = todo;
    if blamed.is_empty() {
        return Vec::new();
    }
    let repeated = Attempt { repeated: Repeated::Only(blamed), dismissed: dismissed.clone(), ..Attempt::default() };
    let copied = shared.then(|| Attempt { copied: true, ..repeated.clone() });
    let richer = Attempt { refined: blamed, dismissed: Arc::default(), ..repeated.clone() };
    let closed = (plan.closing.when == When::Refining).then(|| Attempt { closed: Some(blamed), ..Attempt::default() });
    [repeated].into_iter().chain(copied).chain([richer]).chain(closed).collect()
}

/// How loops are summarised.
#[derive(Clone, Default)]
pub(crate) struct Attempt<'a> {
    /// The loops whose bodies are walked again.
    pub(crate) repeated: Repeated<'a>,
    /// The loops for which richer domains are tried.
    pub(crate) refined: &'a [(FunctionId, BlockId)],
    /// Whether larger functions are encoded where they are called: each call by itself may have invariants that not all calls have.
    pub(crate) copied: bool,
    /// The loops for whose functions closures over predicates are tried, where it is not for all.
    pub(crate) closed: Option<&'a [(FunctionId, BlockId)]>,
    /// Which runs count.
    pub(crate) faults: Faults,
    /// What is known not to hold of all calls of functions.
    pub(crate) dismissed: Arc<Dismissed>,
}

/// A program as terms, with loops replaced by summaries.
pub(crate) struct Encoded {
    pub(crate) encoding: Encoding,
    pub(crate) statistics: Statistics,
    /// Closures that are coarser than they could be.
    pub(crate) coarse: Vec<Coarse>,
    dismissed: Dismissed,
}

/// What an attempt leaves to the next one.
#[derive(Clone)]
struct Todo {
    open: Vec<Property>,
    /// What lies behind a violated access is not proved by assuming that it is none.
    violated: Vec<Property>,
    /// What would hold if accesses before were valid that are not proved to be so.
    reliant: Vec<Property>,
    dismissed: Arc<Dismissed>,
    /// Whether functions were encoded once for several calls.
    shared: bool,
}

impl Todo {
    fn behind(findings: &Findings) -> Todo {
        let properties = |kept: fn(&Decision) -> bool| {
            let decisions = findings.decisions.iter().filter(move |decision| kept(decision));
            decisions.map(|decision| decision.property.clone()).collect::<Vec<_>>()
        };
        let dismissed = findings.dismissed.clone();
        let shared = findings.leaps.iter().any(Leap::is_shared);
        let mut todo = Todo { open: properties(|_| true), violated: Vec::new(), reliant: properties(is_reliant), dismissed, shared };
        todo.done(findings);
        todo
    }
    /// Takes away what was decided.
    fn done(&mut self, findings: &Findings) {
        for decision in findings.decisions.iter().filter(|decision| !is_open(decision)) {
            self.open.retain(|property| property.key() != decision.property.key());
            if let Verdict::Violated(_) = decision.verdict {
                self.violated.push(decision.property.clone());
            }
        }
    }
    fn wanted(&self) -> Wanted {
        Wanted::Only { open: self.open.clone(), violated: self.violated.clone() }
    }
    fn is_reliant(&self, property: &Property) -> bool {
        self.reliant.iter().any(|other| other.key() == property.key())
    }
    fn is_mostly_reliant(&self) -> bool {
        2 * self.open.iter().filter(|property| self.is_reliant(property)).count() > self.open.len()
    }
    /// An attempt for what relies on accesses that may not be valid: with summaries of runs that go on after those. The first invalid access of a run is one
    /// that is not proved to be valid. What is proved here holds after those that are tolerated; of others, the kernel knows that they are not proved.
    fn tolerant(&self) -> Option<(Attempt<'static>, Wanted)> {
        let (open, failed): (Vec<Property>, Vec<Property>) = self.open.iter().cloned().partition(|property| self.is_reliant(property));
        let failed = failed.into_iter().chain(self.violated.iter().cloned()).filter(Property::is_survived);
        let (tolerated, violated): (Vec<Property>, Vec<Property>) = failed.partition(|property| property.aftermath == Aftermath::Contained);
        let tolerated: FxHashSet<_> = tolerated.iter().map(Property::key).collect();
        let faults = Faults::MemoryBut(Arc::new(tolerated));
        let attempt = Attempt { faults, dismissed: self.dismissed.clone(), ..Attempt::default() };
        (!open.is_empty()).then_some((attempt, Wanted::Only { open, violated }))
    }
}

/// What several attempts at the same time have left to do together. With a time limit they all stop when it is nothing; without one, what is said does
/// not depend on which of them is first, so none is stopped.
struct Race {
    todo: Mutex<Todo>,
    patient: bool,
    over: Interrupt,
}

impl Race {
    /// An attempt has ended.
    fn done(&self, findings: Findings) -> Findings {
        let mut todo = self.todo.lock().unwrap_or_else(PoisonError::into_inner);
        todo.done(&findings);
        if self.patient && todo.open.is_empty() {
            self.over.raise();
        }
        findings
    }
}

/// The loops that counterexamples leap over; all of them where it is not known over which.
fn loops_to_blame(findings: &Findings) -> Vec<(FunctionId, BlockId)> {
    let mut loops: Vec<(FunctionId, BlockId)> = Vec::new();
    for decision in findings.decisions.iter().filter(|decision| is_open(decision)) {
        let leapt: Vec<&Leap> = match &decision.verdict {
            Verdict::Possible(leaps) => leaps.iter().filter_map(|leapt| findings.leaps.get(leapt.leap)).collect(),
            _ => findings.leaps.iter().collect(),
        };
        loops.extend(leapt.into_iter().map(|leap| (leap.function, leap.header)));
    }
    loops.sort_unstable();
    loops.dedup();
    loops
}

/// How often to unwind: as often as may suffice for most, and as often as a leaping counterexample needs that should become a real one.
fn bounds(findings: &Findings) -> Vec<u32> {
    let leaps = findings.decisions.iter().filter_map(|decision| match &decision.verdict {
        Verdict::Possible(leaps) => Some(leaps),
        _ => None,
    });
    let rounds = leaps.filter_map(|leaps| leaps.iter().filter_map(|leapt| leapt.rounds).max());
    // The head is visited once more than there are iterations.
    let guided = rounds.filter_map(|rounds| u32::try_from(rounds).ok()?.checked_add(1)).filter(|bound| *bound <= GUIDED).max();
    let mut bounds: Vec<u32> = BOUNDS.into_iter().chain(guided).collect();
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}

/// Unwinds deeper and deeper, for the properties that are still open.
fn unwindings(subject: &Subject<'_>, plan: &Plan<'_>, bounds: &[u32], (mut todo, race): (Todo, &Race)) -> Vec<Findings> {
    let mut found = Vec::new();
    let patience = usize::from(plan.patient);
    for &bound in bounds {
        let open = todo.open.len();
        if open == 0 || plan.budget.exhausted().is_some() {
            break;
        }
        (plan.progress)(&format!("unwinding {bound} times for {open} properties"));
        let budget = plan.budget.clone().with_conflicts(CONFLICTS[patience]);
        let terms = if !plan.patient && open > MANY.0 { MANY.1 } else { TERMS[patience] };
        let limits = Options { terms: terms.min(plan.terms), effort: EFFORT[patience], ..options(plan, bound) };
        let deeper = race.done(unwound(subject, plan, limits, todo.wanted(), budget));
        // Questions grow with the square of the bound, or more.
        let complete = deeper.loops_cut == 0 || !plan.patient && deeper.terms > GROWN;
        todo.done(&deeper);
        found.push(deeper);
        if complete {
            break;
        }
    }
    found
}

fn is_reliant(decision: &Decision) -> bool {
    matches!(decision.verdict, Verdict::Conditional { .. })
}

fn is_open(decision: &Decision) -> bool {
    !matches!(decision.verdict, Verdict::Proved | Verdict::Violated(_))
}

impl Findings {
    /// Takes over what another attempt has decided, or at least reduced to accesses before.
    fn take_over(&mut self, other: Findings) {
        for decision in other.decisions.into_iter().filter(|decision| !is_open(decision) || is_reliant(decision)) {
            let key = decision.property.key();
            let known = self.decisions.iter_mut().find(|known| known.property.key() == key);
            if let Some(known) = known.filter(|known| is_open(known) && !(is_reliant(known) && is_reliant(&decision))) {
                known.verdict = decision.verdict;
            }
        }
        self.times.1 += other.times.0 + other.times.1;
    }

    /// What is conditional is not the first thing that goes wrong in a run. So if each access is proved or conditional, whichever attempt has found that
    /// out, nothing is the first, and all of them hold.
    fn settle(&mut self) {
        let fails = |decision: &Decision| is_open(decision) && !is_reliant(decision) || matches!(decision.verdict, Verdict::Violated(_));
        if self.decisions.iter().any(|decision| decision.property.is_survived() && fails(decision)) {
            return;
        }
        for decision in self.decisions.iter_mut().filter(|decision| is_reliant(decision)) {
            decision.verdict = Verdict::Proved;
        }
    }
}

fn options(plan: &Plan<'_>, unwind: u32) -> Options {
    Options {
        unwind,
        uninitialised: plan.uninitialised,
        terms: plan.terms,
        budget: plan.budget.clone(),
        effort: u64::MAX,
        faults: Faults::Memory,
    }
}

/// The program with loops replaced by summaries, and what that took.
pub(crate) fn encoded(subject: &Subject<'_>, plan: &Plan<'_>, attempt: &Attempt<'_>) -> Encoded {
    let started = Instant::now();
    let budget = plan.budget.clone().with_conflicts(CANDIDATE_CONFLICTS);
    let mut loops = Loops::new(plan.domains.clone(), plan.candidates, budget, attempt.refined);
    loops.room = COPIES[usize::from(attempt.copied)];
    loops.repeated = attempt.repeated;
    loops.dismissed = Dismissed::clone(&attempt.dismissed);
    if attempt.closed.is_some() || plan.closing.when == When::Always {
        loops.close(plan.closing, attempt.closed);
    }
    loops.progress = Some(Box::new(|stage, statistics| {
        let seconds = started.elapsed().as_secs();
        let line = match stage {
            Stage::Loop(head) => {
                let span = head.body.blocks[head.region.header].span;
                let file = head.program.files.get(span.file).map_or("", String::as_str);
                format!("loops {} · {file}:{} · {seconds} s", statistics.loops + 1, span.line)
            }
            Stage::Tests(loops) => format!("loops {} · candidates of {loops} · {seconds} s", statistics.loops),
        };
        (plan.progress)(&line);
    }));
    let encoding = subject.encode(Options { faults: attempt.faults.clone(), ..options(plan, 2) }, Some(&mut loops));
    let Loops { statistics, closer, dismissed, .. } = loops;
    Encoded { encoding, statistics, coarse: closer.map_or_else(Vec::new, |closer| closer.coarse), dismissed }
}

/// Checks with loops replaced by summaries.
fn summarised(subject: &Subject<'_>, plan: &Plan<'_>, attempt: &Attempt<'_>, wanted: Wanted) -> Findings {
    let started = Instant::now();
    let Encoded { encoding, statistics, dismissed, .. } = encoded(subject, plan, attempt);
    let spent = started.elapsed();
    let again = matches!(attempt.repeated, Repeated::Only(_)) || !attempt.refined.is_empty() || attempt.closed.is_some();
    let budget = match encoding.leaps.is_empty() || plan.patient {
        true => plan.budget.clone(),
        false => plan.budget.clone().with_conflicts(PROPERTY_CONFLICTS[usize::from(again)]),
    };
    let effort = (again && !plan.patient).then_some(DECIDED_AGAIN);
    let limits = Limits { budget, replays: REPLAYS, effort, deep: !again };
    let mut findings = decide(subject, plan, encoding, wanted, &limits);
    findings.statistics = statistics;
    findings.dismissed = Arc::new(dismissed);
    findings.times.0 = spent;
    findings
}

/// Checks with loops unwound.
fn unwound(subject: &Subject<'_>, plan: &Plan<'_>, options: Options, wanted: Wanted, budget: Budget) -> Findings {
    let started = Instant::now();
    let encoding = subject.encode(options, None);
    let spent = started.elapsed();
    let effort = (plan.unwind.is_none() && !plan.patient).then_some(DECIDED);
    let limits = Limits { budget, replays: REPLAYS, effort, deep: false };
    let mut findings = decide(subject, plan, encoding, wanted, &limits);
    findings.times.0 = spent;
    findings
}

fn decide(subject: &Subject<'_>, plan: &Plan<'_>, mut encoding: Encoding, wanted: Wanted, limits: &Limits) -> Findings {
    let started = Instant::now();
    if let Some(dump) = &plan.dump {
        encoding.context.dump_to(dump());
    }
    let loops_cut = encoding.cuts.iter().filter(|cut| cut.kind != CutKind::Invalid).count();
    let unknown = std::mem::take(&mut encoding.unknown).into_iter().map(|(name, (calls, span))| (name, calls, span)).collect();
    let (leaps, terms) = (encoding.leaps.clone(), encoding.terms.len());
    (plan.progress)("deciding");
    let decisions = kernel::decide(subject.program, subject.analysis, encoding, wanted, subject.replay, limits);
    let times = (Duration::ZERO, started.elapsed());
    Findings { decisions, leaps, unknown, loops_cut, terms, times, ..Findings::default() }
}

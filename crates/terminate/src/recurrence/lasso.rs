//! Concrete lassos: the program runs with inputs that are worth trying until a state comes back.
//!
//! Each visit of a loop head gets a fingerprint. One that was there before in the same run is a claim that the state came back, which the kernel
//! tests. States are compared up to the names of objects and dead variables, so a loop that builds and frees a list repeats itself.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use interp::{End, Extent, Inputs, Machine, Marks, Observer, Position, Request, Rest, UNINITIALISED_VARIABLE, Used, Values};
use kernel::{Candidate, Choice, EntrySet, Lasso, Repetition, Runs, Variables};
use logic::sat::Budget;
use model::{BlockId, Body, FunctionId, LoopForest, Span};
use rustc_hash::FxHashMap;

use super::Divergence;
use super::guess::{Guess, Guesser, Numbers};

/// The search for lassos in one program.
pub(super) struct Lassos<'r, 'p> {
    runs: &'r Runs<'p>,
    numbers: Rc<Numbers>,
    budget: Budget,
    /// The seed for the next guess.
    seed: u64,
    /// Whether no run so far used an input: then there is only one run.
    deterministic: bool,
    /// How many runs ended for want of time only.
    open: usize,
    /// Some of those runs, and how many of them were given more time.
    unfinished: Vec<Start>,
    extended: usize,
    /// Inputs that lead to loops, from the solver.
    beginnings: Vec<Candidate>,
    /// What variables are taken to hold that nobody gave a value; runs that read one are not looked at if there is nothing.
    unvalued: Option<u128>,
    /// Whether a run read such a variable.
    pub(super) read_unvalued: bool,
}

/// Where a run goes on and on: at the head of a loop, or in calls of a function inside each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) function: FunctionId,
    header: BlockId,
    pub(super) recursion: bool,
}

/// How the inputs of a run are chosen.
#[derive(Clone)]
pub(super) struct Start {
    guess: Guess,
    first: Option<Candidate>,
    /// Whether calls are so deep inside each other that it may be recursion.
    deep: bool,
}

/// Inputs that are chosen anew whenever a run is at the head of a loop.
pub(super) struct Strategy {
    pub(super) place: Place,
    pub(super) choices: Vec<Choice>,
}

/// The last visits of a loop head by a run that did not end.
pub(super) struct Track {
    pub(super) place: Place,
    lasso: Lasso,
    /// The variables at each visit.
    pub(super) states: Vec<Variables>,
    /// The inputs between the last two visits.
    pub(super) round: Vec<Used>,
}

/// A run that is tried.
#[derive(Clone)]
struct Attempt<'c> {
    guess: Guess,
    first: Option<&'c Candidate>,
    steps: u64,
    extent: Extent,
    /// Whether only what the innermost loop depends on must come back.
    in_loop: bool,
    /// States before so many steps are not looked at.
    blind: u64,
}

/// What a run shows.
enum Outcome {
    /// A state came back.
    Repeats(Box<Repetition>),
    /// It seemed so, after so many steps, but did not.
    Mistaken(u64),
    /// The calls go so deep that it may be recursion.
    Deep,
    /// The run ended, or did something that makes it no witness.
    Ends,
    /// It was not over after all steps.
    Open,
}

/// The numbers that are given as every input.
const CONSTANTS: [i128; 8] = [0, 1, -1, 2, 5, 10, 100, i32::MAX as i128];
/// Bytes may be looked at for fingerprints, for each step.
const BYTES_PER_STEP: u64 = 16;
/// A run whose states only look equal is given up after so many of them.
const MISTAKES: usize = 4;
/// Calls deeper than this are looked at as recursion.
const DEEP: usize = 50;
/// So many runs that do not end are looked at once more, for so many steps, with so many states each.
const UNFINISHED: usize = 4;
const TRACK_STEPS: u64 = 20_000;
const SAMPLES: usize = 40;
/// So many inputs of the solver are kept, and so many guesses are made to come to a loop in different states.
const BEGINNINGS: usize = 8;
const STEMS: u64 = 6;
/// Longer runs are not looked at again for what one loop depends on.
const IN_LOOP: u64 = 200_000;

impl<'r, 'p> Lassos<'r, 'p> {
    pub(super) fn new(runs: &'r Runs<'p>, budget: Budget, unvalued: Option<u128>) -> Self {
        let numbers = Rc::new(Numbers::of(runs.program));
        Lassos {
            runs,
            numbers,
            budget,
            seed: 1,
            deterministic: true,
            open: 0,
            unfinished: Vec::new(),
            extended: 0,
            beginnings: Vec::new(),
            unvalued,
            read_unvalued: false,
        }
    }

    /// Whether no run used an input.
    pub(super) fn is_deterministic(&self) -> bool {
        self.deterministic
    }

    /// Whether time is over.
    pub(super) fn is_over(&self) -> bool {
        self.budget.exhausted().is_some()
    }

    /// The program, and how it is run.
    pub(super) fn runs(&self) -> &'r Runs<'p> {
        self.runs
    }

    /// Whether there is nothing more to try: the program reads no input, and its only run ends.
    pub(super) fn exhausted(&self) -> bool {
        self.deterministic && self.open == 0 && !self.read_unvalued
    }

    /// What is assumed of the inputs that the solver chooses.
    pub(super) fn unvalued(&self) -> Option<u128> {
        self.unvalued
    }

    /// Goes on with the runs that were not over, each once.
    pub(super) fn longer(&mut self, steps: u64) -> Option<Box<Repetition>> {
        let unfinished = self.unfinished.get(self.extended..).unwrap_or_default().to_vec();
        self.extended = self.unfinished.len();
        unfinished.iter().find_map(|start| self.attempt(start.guess, start.first.as_ref(), steps))
    }

    /// Tries constants, then so many other guesses, each for so many steps.
    pub(super) fn round(&mut self, steps: u64, guesses: u64) -> Option<Box<Repetition>> {
        self.open = 0;
        for constant in CONSTANTS {
            if let Some(found) = self.attempt(Guess::Constant(constant), None, steps) {
                return Some(found);
            }
            if self.deterministic || self.budget.exhausted().is_some() {
                return None;
            }
        }
        self.guesses(None, steps, guesses)
    }

    /// Begins with inputs that the solver found, and goes on with guesses.
    pub(super) fn continued(&mut self, first: &Candidate, steps: u64, guesses: u64) -> Option<Box<Repetition>> {
        if self.beginnings.len() < BEGINNINGS && !self.beginnings.contains(first) {
            self.beginnings.push(first.clone());
        }
        for guess in [Guess::Last, Guess::Constant(0), Guess::Constant(1)] {
            if let Some(found) = self.attempt(guess, Some(first), steps) {
                return Some(found);
            }
        }
        self.guesses(Some(first), steps, guesses)
    }

    fn guesses(&mut self, first: Option<&Candidate>, steps: u64, guesses: u64) -> Option<Box<Repetition>> {
        for _ in 0..guesses {
            let seed = self.seed;
            self.seed += 1;
            let guess = match seed % 4 {
                0 | 1 => Guess::Sites(seed),
                2 => Guess::Prefix(seed, 1 + (seed / 4 % 16) as u32),
                _ => Guess::Random(seed),
            };
            if let Some(found) = self.attempt(guess, first, steps) {
                return Some(found);
            }
            if self.budget.exhausted().is_some() {
                return None;
            }
        }
        None
    }

    fn attempt(&mut self, guess: Guess, first: Option<&Candidate>, steps: u64) -> Option<Box<Repetition>> {
        let mut attempt = Attempt { guess, first, steps, extent: Extent::Whole, in_loop: false, blind: 0 };
        let mut mistakes = 0;
        loop {
            match self.run(&attempt) {
                Outcome::Repeats(found) => return Some(found),
                Outcome::Mistaken(steps) if mistakes < MISTAKES => {
                    mistakes += 1;
                    attempt.blind = steps;
                }
                Outcome::Deep if attempt.extent == Extent::Whole => attempt = Attempt { extent: Extent::Call, blind: 0, ..attempt },
                Outcome::Open | Outcome::Mistaken(_) if !attempt.in_loop && attempt.extent == Extent::Whole && steps <= IN_LOOP => {
                    attempt = Attempt { in_loop: true, blind: 0, ..attempt };
                    mistakes = 0;
                }
                Outcome::Ends => return None,
                outcome @ (Outcome::Open | Outcome::Deep | Outcome::Mistaken(_)) => {
                    self.open += 1;
                    let like_this = self.unfinished.iter().filter(|known| known.first.is_some() == first.is_some()).count();
                    if like_this < UNFINISHED && steps <= TRACK_STEPS {
                        let deep = attempt.extent == Extent::Call || matches!(outcome, Outcome::Deep);
                        self.unfinished.push(Start { guess, first: first.cloned(), deep });
                    }
                    return None;
                }
            }
        }
    }

    /// The loops and calls in which runs that did not end were last.
    pub(super) fn tracks(&self) -> Vec<Track> {
        self.unfinished.iter().flat_map(|start| if start.deep { self.calls(start, None) } else { self.track(start, None) }).collect()
    }

    /// The track of a run that comes to a loop or to calls and then has its inputs chosen, if that does not end.
    pub(super) fn survives(&self, start: &Start, strategy: &Strategy) -> Option<Track> {
        let recursion = strategy.place.recursion;
        let tracks = if recursion { self.calls(start, Some(strategy)) } else { self.track(start, Some(strategy)) };
        tracks.into_iter().find(|track| track.place == strategy.place)
    }

    /// The last visits of the loops in which a run was last; none if it ends.
    fn track(&self, start: &Start, strategy: Option<&Strategy>) -> Vec<Track> {
        let visits: RefCell<Visits> = RefCell::default();
        let seen = |machine: &Machine<'_, '_>, position: Position, state: &Variables| {
            let mut visits = visits.borrow_mut();
            let known = visits.entry((machine.call_at(position.depth), position.function, position.block)).or_default();
            known.push_back((machine.steps, machine.used.len(), state.clone()));
            if known.len() > SAMPLES {
                known.pop_front();
            }
            true
        };
        let Some(used) = self.follow(start, strategy, &self.runs.heads, &seen) else { return Vec::new() };
        let mut visits: Vec<_> = visits.into_inner().into_iter().filter(|(_, states)| states.len() >= 4).collect();
        // The innermost loop is where the run was last.
        visits.sort_by_key(|(_, states)| std::cmp::Reverse(states.back().map(|(steps, ..)| *steps)));
        let place = |function, header| Place { function, header, recursion: false };
        let last = visits.into_iter().take(2);
        last.filter_map(|((_, function, header), states)| self.made(start, &used, place(function, header), states.into())).collect()
    }

    /// The last calls of functions that a run made inside each other; none if it ends.
    fn calls(&self, start: &Start, strategy: Option<&Strategy>) -> Vec<Track> {
        let calls: RefCell<BTreeMap<FunctionId, Vec<(usize, LastVisit)>>> = RefCell::default();
        let seen = |machine: &Machine<'_, '_>, position: Position, state: &Variables| {
            if position.block == Body::ENTRY {
                let mut calls = calls.borrow_mut();
                let known = calls.entry(position.function).or_default();
                // Those have returned.
                while known.last().is_some_and(|(depth, _)| *depth >= position.depth) {
                    known.pop();
                }
                known.push((position.depth, (machine.steps, machine.used.len(), state.clone())));
            }
            true
        };
        let Some(used) = self.follow(start, strategy, &self.runs.entries, &seen) else { return Vec::new() };
        let last = |calls: Vec<(usize, LastVisit)>| {
            let skipped = calls.len().saturating_sub(SAMPLES);
            calls.into_iter().skip(skipped).map(|(_, visit)| visit).collect::<Vec<LastVisit>>()
        };
        let many = calls.into_inner().into_iter().filter(|(_, calls)| calls.len() >= SAMPLES);
        let place = |function| Place { function, header: Body::ENTRY, recursion: true };
        many.filter_map(|(function, calls)| self.made(start, &used, place(function), last(calls))).collect()
    }

    /// Runs the program and shows visits of blocks, with the variables there; the inputs of the run, if it does not end.
    fn follow(
        &self,
        start: &Start,
        strategy: Option<&Strategy>,
        marks: &Marks,
        seen: &dyn Fn(&Machine<'_, '_>, Position, &Variables) -> bool,
    ) -> Option<Vec<Used>> {
        let (arguments, stdin) = beginning(start.first.as_ref());
        let guesser = RefCell::new(Guesser::new(start.guess, self.numbers.clone(), start.first.clone()));
        let at_head: RefCell<Option<Variables>> = RefCell::default();
        let answer = |request: &Request| {
            let chosen = strategy
                .zip(at_head.borrow().as_ref())
                .and_then(|(strategy, state)| Choice::made(&strategy.choices, self.runs, strategy.place.function, state, request));
            chosen.unwrap_or_else(|| self.answer(&guesser, request))
        };
        let inputs = inputs(&arguments, &stdin, Values::Ask(Box::new(answer)));
        let observer: Observer<'_> = Box::new(|machine, position| {
            let state = self.runs.variables(machine);
            let go_on = seen(machine, position, &state);
            if strategy.is_some_and(|Strategy { place, .. }| (place.function, place.header) == (position.function, position.block)) {
                at_head.replace(Some(state));
            }
            go_on
        });
        let ended = self.runs.run(inputs, TRACK_STEPS, Some(marks), observer);
        matches!(ended.end, End::Budget(..) | End::Interrupted).then_some(ended.used)
    }

    /// A track of these visits.
    fn made(&self, start: &Start, used: &[Used], place: Place, states: Vec<LastVisit>) -> Option<Track> {
        let [.., (first, stem, _), (second, until, _)] = states[..] else { return None };
        let (arguments, stdin) = beginning(start.first.as_ref());
        let lasso = Lasso {
            arguments,
            stdin,
            values: used.iter().take(until).map(|used| used.value).collect(),
            stem,
            times: (first, second),
            extent: if place.recursion { Extent::Call } else { Extent::Whole },
            inside: None,
            unvalued: self.unvalued,
        };
        let round = used.get(stem..until).unwrap_or_default().to_vec();
        Some(Track { place, lasso, states: states.into_iter().map(|(.., state)| state).collect(), round })
    }

    /// All loops and functions of the program.
    pub(super) fn places(&self) -> Vec<Place> {
        let loops = self.runs.loop_heads().into_iter().map(|(function, header)| Place { function, header, recursion: false });
        let functions = self.runs.program.functions.enumerate().filter(|(_, function)| function.body.is_some());
        loops.chain(functions.map(|(function, _)| Place { function, header: Body::ENTRY, recursion: true })).collect()
    }

    fn marks(&self, recursion: bool) -> &Marks {
        if recursion { &self.runs.entries } else { &self.runs.heads }
    }

    /// Runs that come to a loop or to a function, in different states.
    pub(super) fn stems(&self, place: Place) -> Vec<Start> {
        let constants = CONSTANTS.into_iter().map(Guess::Constant);
        let guesses = constants.chain((1..=STEMS).map(Guess::Sites)).map(|guess| Start { guess, first: None, deep: false });
        let first = self.beginnings.iter().map(|first| Start { guess: Guess::Last, first: Some(first.clone()), deep: false });
        let (mut known, mut stems) = (Vec::new(), Vec::new());
        for start in guesses.chain(first) {
            let arrived: RefCell<Option<Variables>> = RefCell::default();
            let seen = |_: &Machine<'_, '_>, position: Position, state: &Variables| {
                let here = (position.function, position.block) == (place.function, place.header);
                if here {
                    arrived.replace(Some(state.clone()));
                }
                !here
            };
            self.follow(&start, None, self.marks(place.recursion), &seen);
            if let Some(state) = arrived.into_inner()
                && !known.contains(&state)
            {
                known.push(state);
                stems.push(start);
            }
        }
        stems
    }

    /// The name of the function, and where the source has the loop.
    pub(super) fn place(&self, place: Place) -> Option<(&'p str, Span)> {
        let function = self.runs.program.functions.get(place.function)?;
        let body = function.body.as_ref()?;
        if place.recursion {
            return Some((&function.name, function.span));
        }
        let forest = LoopForest::new(body);
        let region = forest.loops.iter().find(|region| region.header == place.header)?;
        let span = match region.source {
            Some(source) => body.loops.get(source)?.span,
            None => body.blocks.get(region.header)?.span,
        };
        Some((&function.name, span))
    }

    /// Comes into a set of states at the loop, for the kernel.
    pub(super) fn arrives(&self, track: &Track, contains: &dyn Fn(&Variables) -> bool, choices: &[Choice]) -> Option<Repetition> {
        self.runs.arrive(&track.lasso, &EntrySet { head: (track.place.function, track.place.header), contains }, choices)
    }

    pub(super) fn divergence(&self, found: Repetition, set: Vec<String>, engine: &'static str) -> Divergence {
        Divergence { set, ..Divergence::repeating(self.runs, found, engine) }
    }

    /// A run that reads what has no value ends there, if nothing is to be taken for it.
    fn answer(&self, guesser: &RefCell<Guesser>, request: &Request) -> Option<u128> {
        if request.what == UNINITIALISED_VARIABLE { self.unvalued } else { Some(guesser.borrow_mut().answer(request)) }
    }

    fn run(&mut self, attempt: &Attempt<'_>) -> Outcome {
        let (arguments, stdin) = beginning(attempt.first);
        let watch = RefCell::new(Watch::default());
        let guesser = RefCell::new(Guesser::new(attempt.guess, self.numbers.clone(), attempt.first.cloned()));
        let unvalued = Cell::new(false);
        let answer = |request: &Request| {
            unvalued.set(unvalued.get() || request.what == UNINITIALISED_VARIABLE);
            self.answer(&guesser, request)
        };
        let inputs = inputs(&arguments, &stdin, Values::Ask(Box::new(answer)));
        let observer: Observer<'_> = Box::new(|machine, position| {
            let mut watch = watch.borrow_mut();
            watch.visits += 1;
            if watch.visits.is_multiple_of(1024) && self.budget.exhausted().is_some() {
                return false;
            }
            watch.visit(self.runs, attempt, machine, position)
        });
        let ended = self.runs.run(inputs, attempt.steps, Some(self.marks(attempt.extent == Extent::Call)), observer);
        let watch = watch.into_inner();
        self.read_unvalued |= unvalued.get();
        self.deterministic &= ended.used.is_empty();
        if let Some(Hit { times, stem, inside }) = watch.hit {
            let values = ended.used.iter().map(|used| used.value).collect();
            let lasso = Lasso { arguments, stdin, values, stem, times, extent: attempt.extent, inside, unvalued: self.unvalued };
            let confirmed = if ended.unknown { None } else { self.runs.confirm(&lasso) };
            return confirmed.map_or(Outcome::Mistaken(times.1), |found| Outcome::Repeats(Box::new(found)));
        }
        match ended.end {
            End::Budget(interp::Budget::Depth | interp::Budget::Memory, _) => Outcome::Deep,
            End::Budget(..) if ended.depth > DEEP => Outcome::Deep,
            End::Budget(..) | End::Interrupted => Outcome::Open,
            _ => Outcome::Ends,
        }
    }
}

/// The arguments and the standard input that a run begins with.
fn beginning(first: Option<&Candidate>) -> (Vec<Vec<u8>>, Vec<u8>) {
    let arguments = first.map(|first| first.arguments.clone()).filter(|arguments| !arguments.is_empty());
    (arguments.unwrap_or_else(|| vec![b"program".to_vec()]), first.map(|first| first.stdin.clone()).unwrap_or_default())
}

fn inputs<'a>(arguments: &[Vec<u8>], stdin: &[u8], values: Values<'a>) -> Inputs<'a> {
    Inputs { arguments: arguments.to_vec(), drawn_arguments: None, stdin: stdin.to_vec(), rest: Rest::End, values }
}

/// A loop head of a call.
type Key = (Option<u64>, FunctionId, BlockId);

/// A visit of a loop head or a call: steps and values used until then, and the variables.
type LastVisit = (u64, usize, Variables);

/// The last visits of loop heads.
type Visits = BTreeMap<Key, VecDeque<LastVisit>>;

/// A fingerprint that came back.
struct Hit {
    times: (u64, u64),
    stem: usize,
    inside: Option<(FunctionId, BlockId)>,
}

/// A visit of a loop head.
#[derive(Clone, Copy)]
struct Visit {
    steps: u64,
    used: usize,
    depth: usize,
    call: Option<u64>,
    /// Its number among all visits.
    number: usize,
}

/// What a run has shown.
#[derive(Default)]
struct Watch {
    seen: FxHashMap<u64, Visit>,
    /// The calls and blocks of all visits.
    path: Vec<(Option<u64>, BlockId)>,
    bytes: u64,
    visits: u64,
    hit: Option<Hit>,
}

impl Watch {
    /// False when a fingerprint came back.
    fn visit(&mut self, runs: &Runs<'_>, attempt: &Attempt<'_>, machine: &Machine<'_, '_>, position: Position) -> bool {
        let call = machine.call_at(position.depth);
        if attempt.in_loop {
            self.path.push((call, position.block));
        }
        // Looking at states must not take longer than making them. The first visits are looked at in any case.
        if machine.steps <= attempt.blind && attempt.blind > 0 || self.bytes > 1_000_000 + BYTES_PER_STEP * machine.steps {
            return true;
        }
        let relevance = if attempt.in_loop { &runs.in_loops } else { &runs.ahead };
        let (print, bytes) = machine.fingerprint(position, relevance, attempt.extent);
        self.bytes += bytes;
        let now = Visit { steps: machine.steps, used: machine.used.len(), depth: position.depth, call, number: self.path.len() };
        let head = (position.function, position.block);
        match self.seen.insert(print, now) {
            // A call that has returned meanwhile says nothing.
            Some(first)
                if machine.call_at(first.depth) == first.call
                    && (attempt.extent == Extent::Whole || first.depth < position.depth)
                    && (!attempt.in_loop || self.stayed(runs, head, first)) =>
            {
                let inside = attempt.in_loop.then_some(head);
                self.hit = Some(Hit { times: (first.steps, machine.steps), stem: first.used, inside });
                false
            }
            _ => true,
        }
    }

    /// Whether the call has come by no loop head outside of this loop since then.
    fn stayed(&self, runs: &Runs<'_>, head: (FunctionId, BlockId), since: Visit) -> bool {
        let path = self.path.get(since.number..).unwrap_or_default();
        path.iter().all(|(call, block)| *call != since.call || runs.is_inside(head, *block))
    }
}

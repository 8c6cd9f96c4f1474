//! Concrete lassos: the program runs with inputs that are worth trying until a state comes back.
//!
//! Each visit of a loop head gets a fingerprint. One that was there before in the same run is a claim that the state came back, which the kernel
//! tests. States are compared up to the names of objects and dead variables, so a loop that builds and frees a list repeats itself.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use interp::{End, Extent, Inputs, Machine, Observer, Position, Request, Rest, UNINITIALISED_VARIABLE, Values};
use kernel::{Candidate, Lasso, Repetition, Runs};
use logic::sat::Budget;
use model::{BlockId, FunctionId};
use rustc_hash::FxHashMap;

use super::track::TRACK_STEPS;
use summarize::guess::{Guess, Guesser, Pool};

/// The search for lassos in one program.
pub(super) struct Lassos<'r, 'p> {
    pub(super) runs: &'r Runs<'p>,
    pub(super) pool: Rc<Pool>,
    budget: Budget,
    /// The seed for the next guess.
    seed: u64,
    /// Whether no run so far used an input: then there is only one run.
    deterministic: bool,
    /// Whether the program has arguments, and whether a run has read its standard input.
    has_arguments: bool,
    reads_standard: Cell<bool>,
    /// How many runs ended for want of time only.
    open: usize,
    /// Some of those runs, and how many of them were given more time.
    pub(super) unfinished: Vec<Start>,
    extended: usize,
    /// Inputs that lead to loops, from the solver.
    pub(super) beginnings: Vec<Candidate>,
    /// What variables are taken to hold that nobody gave a value; runs that read one are not looked at if there is nothing.
    pub(super) unvalued: Option<u128>,
    /// Whether a run read such a variable.
    pub(super) read_unvalued: bool,
}

/// How the inputs of a run are chosen.
#[derive(Clone)]
pub(super) struct Start {
    pub(super) guess: Guess,
    pub(super) first: Option<Candidate>,
    /// Whether calls are so deep inside each other that it may be recursion.
    pub(super) deep: bool,
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
pub(super) const CONSTANTS: [i128; 8] = [0, 1, -1, 2, 5, 10, 100, i32::MAX as i128];
/// Bytes may be looked at for fingerprints, for each step.
const BYTES_PER_STEP: u64 = 16;
/// A run whose states only look equal is given up after so many of them.
const MISTAKES: usize = 4;
/// Calls deeper than this are looked at as recursion.
const DEEP: usize = 50;
/// So many runs that do not end are looked at once more.
const UNFINISHED: usize = 4;
/// So many inputs of the solver are kept.
const BEGINNINGS: usize = 8;
/// Longer runs are not looked at again for what one loop depends on.
const IN_LOOP: u64 = 200_000;

impl<'r, 'p> Lassos<'r, 'p> {
    pub(super) fn new(runs: &'r Runs<'p>, budget: Budget, unvalued: Option<u128>) -> Self {
        let entry = runs.function.is_none().then(|| runs.program.functions.iter().find(|function| function.name == "main")).flatten();
        Lassos {
            runs,
            pool: Rc::new(Pool::of(runs.program)),
            budget,
            seed: 1,
            deterministic: true,
            has_arguments: entry.and_then(|main| main.body.as_ref()).is_some_and(|body| body.params > 0),
            reads_standard: Cell::new(false),
            open: 0,
            unfinished: Vec::new(),
            extended: 0,
            beginnings: Vec::new(),
            unvalued,
            read_unvalued: false,
        }
    }

    /// Whether no run used an input, not even arguments or the standard input.
    pub(super) fn is_deterministic(&self) -> bool {
        self.deterministic && !self.has_arguments && !self.reads_standard.get()
    }

    /// Whether time is over.
    pub(super) fn is_over(&self) -> bool {
        self.budget.exhausted().is_some()
    }

    /// Whether there is nothing more to try: the program reads no input, and its only run ends.
    pub(super) fn exhausted(&self) -> bool {
        self.is_deterministic() && self.open == 0 && !self.read_unvalued
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
            if self.is_deterministic() || self.is_over() {
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
            if self.is_over() {
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

    /// The arguments and the standard input of a run.
    pub(super) fn surroundings(&self, guess: Guess, first: Option<&Candidate>) -> (Vec<Vec<u8>>, Vec<u8>) {
        let (mut arguments, mut stdin) = (vec![b"program".to_vec()], Vec::new());
        match first {
            Some(first) => {
                stdin.clone_from(&first.stdin);
                if !first.arguments.is_empty() {
                    arguments.clone_from(&first.arguments);
                }
            }
            None => {
                if self.has_arguments {
                    arguments.extend(self.pool.words(guess));
                }
                if self.reads_standard.get() {
                    stdin = self.pool.words(guess).join(&b'\n');
                }
            }
        }
        (arguments, stdin)
    }

    pub(super) fn inputs<'a>(&'a self, arguments: &[Vec<u8>], stdin: &[u8], values: Values<'a>) -> Inputs<'a> {
        let more = || {
            self.reads_standard.set(true);
            Vec::new()
        };
        Inputs { arguments: arguments.to_vec(), drawn_arguments: None, stdin: stdin.to_vec(), rest: Rest::Reader(Box::new(more)), values }
    }

    /// A run that reads what has no value ends there, if nothing is to be taken for it.
    pub(super) fn answer(&self, guesser: &RefCell<Guesser>, request: &Request) -> Option<u128> {
        if request.what == UNINITIALISED_VARIABLE { self.unvalued } else { Some(guesser.borrow_mut().answer(request)) }
    }

    fn run(&mut self, attempt: &Attempt<'_>) -> Outcome {
        let (arguments, stdin) = self.surroundings(attempt.guess, attempt.first);
        let watch = RefCell::new(Watch::default());
        let guesser = RefCell::new(Guesser::new(attempt.guess, self.pool.clone(), attempt.first.cloned()));
        let unvalued = Cell::new(false);
        let answer = |request: &Request| {
            unvalued.set(unvalued.get() || request.what == UNINITIALISED_VARIABLE);
            self.answer(&guesser, request)
        };
        let inputs = self.inputs(&arguments, &stdin, Values::Ask(Box::new(answer)));
        let observer: Observer<'_> = Box::new(|machine, position| {
            let mut watch = watch.borrow_mut();
            watch.visits += 1;
            if watch.visits.is_multiple_of(1024) && self.is_over() {
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

//! Concrete lassos: the program runs with inputs that are worth trying until a state comes back.
//!
//! Each visit of a loop head gets a fingerprint. One that was there before in the same run is a claim that the state came back, which the kernel
//! tests. States are compared up to the names of objects and dead variables, so a loop that builds and frees a list repeats itself.

use std::cell::RefCell;
use std::rc::Rc;

use interp::{End, Extent, Inputs, Machine, Observer, Position, Rest, Values};
use kernel::{Lasso, Repetition, Runs};
use logic::sat::Budget;
use rustc_hash::FxHashMap;

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
}

/// What a run under a guess shows.
enum Outcome {
    /// A state came back.
    Repeats(Box<Repetition>),
    /// The run ended, or did something that makes it no witness.
    Ends,
    /// It was not over after all steps.
    Open,
}

/// The numbers that are given as every input.
const CONSTANTS: [i128; 8] = [0, 1, -1, 2, 5, 10, 100, i32::MAX as i128];
/// Bytes may be looked at for fingerprints, for each step.
const BYTES_PER_STEP: u64 = 16;
/// Calls deeper than this are looked at as recursion.
const DEEP: usize = 200;

impl<'r, 'p> Lassos<'r, 'p> {
    pub(super) fn new(runs: &'r Runs<'p>, budget: Budget) -> Self {
        let numbers = Rc::new(Numbers::of(runs.program));
        Lassos { runs, numbers, budget, seed: 1, deterministic: true, open: 0 }
    }

    /// Whether there is nothing more to try: the program reads no input, and its only run ends.
    pub(super) fn exhausted(&self) -> bool {
        self.deterministic && self.open == 0
    }

    /// Tries constants, then so many other guesses, each for so many steps.
    pub(super) fn round(&mut self, steps: u64, guesses: u64) -> Option<Box<Repetition>> {
        self.open = 0;
        for constant in CONSTANTS {
            if let Some(found) = self.attempt(Guess::Constant(constant), steps) {
                return Some(found);
            }
            if self.deterministic || self.budget.exhausted().is_some() {
                return None;
            }
        }
        for _ in 0..guesses {
            let seed = self.seed;
            self.seed += 1;
            let guess = match seed % 4 {
                0 | 1 => Guess::Sites(seed),
                2 => Guess::Prefix(seed, 1 + (seed / 4 % 16) as u32),
                _ => Guess::Random(seed),
            };
            if let Some(found) = self.attempt(guess, steps) {
                return Some(found);
            }
            if self.budget.exhausted().is_some() {
                return None;
            }
        }
        None
    }

    fn attempt(&mut self, guess: Guess, steps: u64) -> Option<Box<Repetition>> {
        match self.run(guess, steps, Extent::Whole) {
            Outcome::Repeats(found) => Some(found),
            Outcome::Ends => None,
            Outcome::Open => {
                self.open += 1;
                None
            }
        }
    }

    fn run(&mut self, guess: Guess, steps: u64, extent: Extent) -> Outcome {
        let watch = RefCell::new(Watch { seen: FxHashMap::default(), bytes: 0, visits: 0, hit: None, deepest: 0 });
        let guesser = RefCell::new(Guesser::new(guess, self.numbers.clone()));
        let inputs = Inputs {
            arguments: vec![b"program".to_vec()],
            drawn_arguments: None,
            stdin: Vec::new(),
            rest: Rest::End,
            values: Values::Ask(Box::new(|request| Some(guesser.borrow_mut().answer(request)))),
        };
        let observer: Observer<'_> = Box::new(|machine, position| {
            let mut watch = watch.borrow_mut();
            watch.visits += 1;
            if watch.visits.is_multiple_of(4096) && self.budget.exhausted().is_some() {
                return false;
            }
            watch.visit(self.runs, machine, position, extent)
        });
        let marks = if extent == Extent::Whole { &self.runs.heads } else { &self.runs.entries };
        let ended = self.runs.run(inputs, steps, Some(marks), observer);
        let watch = watch.into_inner();
        self.deterministic &= ended.used.is_empty();
        if let Some((times, stem)) = watch.hit {
            let values = ended.used.iter().map(|used| used.value).collect();
            let lasso = Lasso { arguments: vec![b"program".to_vec()], stdin: Vec::new(), values, stem, times, extent };
            if !ended.unknown
                && let Some(repetition) = self.runs.confirm(&lasso)
            {
                return Outcome::Repeats(Box::new(repetition));
            }
            return Outcome::Open;
        }
        match ended.end {
            End::Budget(interp::Budget::Depth | interp::Budget::Memory, _) if extent == Extent::Whole => {
                self.run(guess, steps, Extent::Call)
            }
            End::Budget(..) if watch.deepest > DEEP && extent == Extent::Whole => self.run(guess, steps, Extent::Call),
            End::Budget(..) | End::Interrupted => Outcome::Open,
            _ => Outcome::Ends,
        }
    }
}

/// What a run has shown.
struct Watch {
    /// Fingerprints, with the steps and values used until then, and the call.
    seen: FxHashMap<u64, (u64, usize, usize, Option<u64>)>,
    bytes: u64,
    visits: u64,
    hit: Option<((u64, u64), usize)>,
    deepest: usize,
}

impl Watch {
    /// False when a fingerprint came back.
    fn visit(&mut self, runs: &Runs<'_>, machine: &Machine<'_, '_>, position: Position, extent: Extent) -> bool {
        self.deepest = self.deepest.max(position.depth);
        // Looking at states must not take longer than making them. The first visits are looked at in any case.
        if self.bytes > 1_000_000 + BYTES_PER_STEP * machine.steps {
            return true;
        }
        let (print, bytes) = machine.fingerprint(position, &runs.relevance, extent);
        self.bytes += bytes;
        let now = (machine.steps, machine.used.len(), position.depth, machine.call_at(position.depth));
        match self.seen.insert(print, now) {
            // A call that has returned meanwhile says nothing.
            Some((first, used, depth, call)) if machine.call_at(depth) == call && (extent == Extent::Whole || depth < position.depth) => {
                self.hit = Some(((first, machine.steps), used));
                false
            }
            _ => true,
        }
    }
}

//! Tracks: the last visits of a loop head, or the last calls, of runs that did not end. There may be a closed set around them.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use interp::{End, Extent, Machine, Marks, Observer, Position, Request, Used, Values};
use kernel::{Atom, EntrySet, Lasso, Repetition, Strategy, Variables};
use model::{BlockId, Body, FunctionId, Loop, LoopForest, Span};

use super::Divergence;
use super::lasso::{CONSTANTS, Lassos, Start};
use summarize::guess::{Guess, Guesser};

/// Tracks are so many steps long, with so many states each.
pub(super) const TRACK_STEPS: u64 = 20_000;
const SAMPLES: usize = 40;
/// So many guesses are made to come to a loop in different states.
const STEMS: u64 = 6;

/// Inputs that are chosen anew whenever a run is at some place.
type Chosen<'a> = Option<(Place, &'a Strategy)>;

/// A loop head of a call.
type Key = (Option<u64>, FunctionId, BlockId);

/// A visit of a loop head or a call: steps and values used until then, and the variables.
type LastVisit = (u64, usize, Variables);

/// The last visits of loop heads.
type Visits = BTreeMap<Key, VecDeque<LastVisit>>;

/// Where a run goes on and on: at the head of a loop, or in calls of a function inside each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) function: FunctionId,
    pub(super) header: BlockId,
    pub(super) recursion: bool,
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

impl<'p> Lassos<'_, 'p> {
    /// The loops and calls in which runs that did not end were last.
    pub(super) fn tracks(&self) -> Vec<Track> {
        self.unfinished.iter().flat_map(|start| if start.deep { self.calls(start, None) } else { self.track(start, None) }).collect()
    }

    /// The track of a run that comes to a loop or to calls and then has its inputs chosen, if that does not end.
    pub(super) fn survives(&self, start: &Start, place: Place, strategy: &Strategy) -> Option<Track> {
        let chosen = Some((place, strategy));
        let tracks = if place.recursion { self.calls(start, chosen) } else { self.track(start, chosen) };
        tracks.into_iter().find(|track| track.place == place)
    }

    /// The last visits of the loops in which a run was last; none if it ends.
    fn track(&self, start: &Start, chosen: Chosen<'_>) -> Vec<Track> {
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
        let Some(used) = self.follow(start, chosen, &self.runs.heads, &seen) else { return Vec::new() };
        let mut visits: Vec<_> = visits.into_inner().into_iter().filter(|(_, states)| states.len() >= 4).collect();
        // The innermost loop is where the run was last.
        visits.sort_by_key(|(_, states)| std::cmp::Reverse(states.back().map(|(steps, ..)| *steps)));
        let place = |function, header| Place { function, header, recursion: false };
        let last = visits.into_iter().take(2);
        last.filter_map(|((_, function, header), states)| self.made(start, &used, place(function, header), states.into())).collect()
    }

    /// The last calls of functions that a run made inside each other; none if it ends.
    fn calls(&self, start: &Start, chosen: Chosen<'_>) -> Vec<Track> {
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
        let Some(used) = self.follow(start, chosen, &self.runs.entries, &seen) else { return Vec::new() };
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
        chosen: Chosen<'_>,
        marks: &Marks,
        seen: &dyn Fn(&Machine<'_, '_>, Position, &Variables) -> bool,
    ) -> Option<Vec<Used>> {
        let (arguments, stdin) = self.surroundings(start.guess, start.first.as_ref());
        let guesser = RefCell::new(Guesser::new(start.guess, self.pool.clone(), start.first.clone()));
        let at_head: RefCell<Option<Vec<Option<i128>>>> = RefCell::default();
        let answer = |machine: &Machine<'_, '_>, request: &Request| {
            let measured = at_head.borrow();
            let given = chosen.zip(measured.as_ref());
            let given = given.and_then(|((_, strategy), measured)| strategy.answer(self.runs, machine, measured, request));
            given.unwrap_or_else(|| self.answer(&guesser, request))
        };
        let inputs = self.inputs(&arguments, &stdin, Values::Look(Box::new(answer)));
        let observer: Observer<'_> = Box::new(|machine, position| {
            let here = |place: Place| (place.function, place.header) == (position.function, position.block);
            if let Some((place, strategy)) = chosen.filter(|(place, _)| here(*place)) {
                at_head.replace(Some(self.runs.measured(machine, place.function, &strategy.measured)));
            }
            seen(machine, position, &self.runs.variables(machine))
        });
        let ended = self.runs.run(inputs, TRACK_STEPS, Some(marks), observer);
        matches!(ended.end, End::Budget(..) | End::Interrupted).then_some(ended.used)
    }

    /// A track of these visits.
    fn made(&self, start: &Start, used: &[Used], place: Place, states: Vec<LastVisit>) -> Option<Track> {
        let [.., (first, stem, _), (second, until, _)] = states[..] else { return None };
        let (arguments, stdin) = self.surroundings(start.guess, start.first.as_ref());
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

    pub(super) fn marks(&self, recursion: bool) -> &Marks {
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

    /// The name of the function, and where the source has it or the loop; nothing if another loop of the function stands at the same place.
    pub(super) fn place(&self, place: Place) -> Option<(&'p str, Span)> {
        let function = self.runs.program.functions.get(place.function)?;
        let body = function.body.as_ref()?;
        if place.recursion {
            return Some((&function.name, function.span));
        }
        let forest = LoopForest::new(body);
        let span = |region: &Loop| match region.source {
            Some(source) => body.loops.get(source).map(|source| source.span),
            None => body.blocks.get(region.header).map(|block| block.span),
        };
        let own = span(forest.loops.iter().find(|region| region.header == place.header)?)?;
        let alone = forest.loops.iter().filter(|region| span(region) == Some(own)).count() == 1;
        alone.then_some((&function.name, own))
    }

    /// Comes into a set of states at the loop, for the kernel.
    pub(super) fn arrives(&self, track: &Track, atoms: &[Atom], strategy: &Strategy) -> Option<Repetition> {
        self.runs.arrive(&track.lasso, &EntrySet { head: (track.place.function, track.place.header), atoms }, strategy)
    }

    pub(super) fn divergence(&self, found: Repetition, set: Vec<String>, engine: &'static str) -> Divergence {
        Divergence { set, ..Divergence::repeating(self.runs, found, engine) }
    }
}

//! Runs that never end: what is claimed is run for real.
//!
//! A state that comes back comes back for ever, if the inputs of the time between are given again: *Non-Termination Proofs from Templates*, chapter 5.
//! States are compared as states of the interpreter, on the program as the user wrote it, so memory is compared as memory.

use std::cell::RefCell;
use std::rc::Rc;

use interp::{End, Extent, Inputs, Limits, Machine, Marks, Observer, Policy, Position, Relevance, Rest, Setup, Snapshot, Used, Values};
use logic::sat::Budget;
use model::{BlockId, CheckKind, FunctionId, GlobalId, LoopForest, Program, Span};
use rustc_hash::FxHashMap;

use crate::arrival::{self, Variables};
use crate::relevance;
use crate::replay::{Replay, Step, Trace};

/// A claim that a state comes back.
#[derive(Clone, Debug)]
pub struct Lasso {
    /// The arguments of `main`.
    pub arguments: Vec<Vec<u8>>,
    /// The standard input.
    pub stdin: Vec<u8>,
    /// The other values, in order, as far as the second time.
    pub values: Vec<u128>,
    /// How many of them are used before the first time.
    pub stem: usize,
    /// The number of steps after which the state is there for the first time, and for the second.
    pub times: (u64, u64),
    /// Whether all of the state comes back, or what a call sees comes back in a call inside it.
    pub extent: Extent,
    /// The head of the loop in which the run stays between the two times, if only what the loop depends on comes back.
    pub inside: Option<(FunctionId, BlockId)>,
    /// What variables hold that nobody gave a value, if the run may read some.
    pub unvalued: Option<u128>,
}

/// A run that was confirmed to repeat itself.
#[derive(Clone, Debug)]
pub struct Repetition {
    /// The function whose loop or whose calls go on for ever.
    pub function: FunctionId,
    /// The loop's head; the entry of the body for calls.
    pub header: BlockId,
    /// Where that is.
    pub span: Span,
    /// Whether calls go on for ever, not a loop.
    pub recursion: bool,
    /// The arguments of `main`.
    pub arguments: Vec<Vec<u8>>,
    /// The standard input.
    pub stdin: Vec<u8>,
    /// The values before the state is there for the first time.
    pub stem: Vec<Used>,
    /// The values between the two times, to be given again and again.
    pub round: Vec<Used>,
    /// If those are not to be given again, the values of as many rounds as a million steps make.
    pub more: Vec<u128>,
    /// The variables of the call there.
    pub state: Variables,
    /// What happens between the two times.
    pub steps: Vec<Step>,
    /// What variables are taken to hold that nobody gave a value, if the run reads some.
    pub unvalued: Option<u128>,
}

/// What variables may hold that nobody gave a value: numbers that have little in common.
pub const UNVALUED: [u128; 4] = [0, 1, u128::MAX, 0x6b8b_4567_327b_23c6_643c_9869_6633_4873];

impl Repetition {
    /// The run that shows that a program does not end, if there is one. To read a variable that has no value is undefined (C11 6.3.2.1p2), so a run
    /// that does so counts only with others that do not end though the variable holds something else.
    pub fn standing(mut found: Vec<Repetition>) -> Option<Repetition> {
        if let Some(place) = found.iter().position(|run| run.unvalued.is_none()) {
            return Some(found.swap_remove(place));
        }
        let shown = |pattern: &u128| found.iter().any(|run| run.unvalued == Some(*pattern));
        if UNVALUED.iter().all(shown) { found.into_iter().next() } else { None }
    }
}

/// How a program is run to see whether it ends.
pub struct Runs<'p> {
    /// The program as the user wrote it.
    pub program: &'p Program,
    /// The function to run; `main` with everything around it if none.
    pub function: Option<FunctionId>,
    /// What matters for what comes.
    pub ahead: Relevance,
    /// What matters for a run that stays in the loop in which it is.
    pub in_loops: Relevance,
    /// Loop heads.
    pub heads: Marks,
    /// Loop heads and entries of functions.
    pub entries: Marks,
    /// The blocks of each loop with one entry, ascending, by its head; of loops that share it, the outermost.
    loops: FxHashMap<(FunctionId, BlockId), Vec<BlockId>>,
    /// The numbers that belong to the program.
    pub(crate) globals: Vec<GlobalId>,
    /// When runs have to stop.
    budget: Budget,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How.
    pub end: End,
    /// The values that were used.
    pub used: Vec<Used>,
    /// How many calls had not returned.
    pub depth: usize,
    /// Whether something happened of which nothing is known: a function without body was called.
    pub unknown: bool,
}

impl Ended {
    /// What variables without value held, if the run read some; nothing at all if that was not this pattern.
    pub(crate) fn rests_on(&self, pattern: Option<u128>) -> Option<Option<u128>> {
        let mut read = self.used.iter().filter(|used| used.request.what == interp::UNINITIALISED_VARIABLE).peekable();
        if read.peek().is_none() {
            return Some(None);
        }
        let cut = |value: u128, bits: u16| if bits < 128 { value & ((1 << bits) - 1) } else { value };
        let pattern = pattern?;
        read.all(|used| used.value == cut(pattern, used.request.bits)).then_some(Some(pattern))
    }
}

/// Limits of a confirmed run beside its steps.
const LIMITS: Limits = Limits { steps: u64::MAX, memory: 32 << 20, depth: 20_000, output: u64::MAX };
/// Runs may write so many bytes, and more if they are long.
const OUTPUT: u64 = 64 << 10;
/// So often the round is repeated after the state came back: it never fails to, if the interpreter does its work.
const MORE_ROUNDS: u64 = 2;
/// A round with more steps is not shown in full.
const SHOWN: u64 = 20_000;

impl<'p> Runs<'p> {
    /// Makes a program ready.
    pub fn new(replay: &Replay<'p>, budget: Budget) -> Self {
        let program = replay.program;
        let (heads, entries) = (Marks::loop_heads(program), Marks::heads_and_entries(program));
        let (ahead, in_loops) = (relevance::ahead(program, &entries), relevance::in_loops(program, &heads));
        let mut loops = FxHashMap::default();
        for (id, body) in program.functions.enumerate().filter_map(|(id, function)| Some((id, function.body.as_ref()?))) {
            for region in LoopForest::new(body).loops.into_iter().filter(|region| !region.is_irreducible()) {
                loops.entry((id, region.header)).or_insert(region.blocks);
            }
        }
        let globals = arrival::numbers(program);
        Runs { program, function: replay.function, ahead, in_loops, heads, entries, loops, globals, budget }
    }

    /// Undefined behaviour ends a run: it is no witness. Signed left shifts are what compilers make of them. What memory holds that nobody wrote is
    /// an input; what objects hold that are only declared is nobody's.
    fn policy() -> Policy {
        let mut policy = Policy::default();
        policy.forbid_declared_objects();
        policy.set(CheckKind::Uninitialised, interp::Reaction::Ignore);
        policy
    }

    /// Runs the program for so many steps, and lets it write not much more than is usual in so many steps: that takes long. The observer sees the marked
    /// blocks.
    pub fn run<'a>(&'a self, inputs: Inputs<'a>, steps: u64, marks: Option<&Marks>, observer: Observer<'a>) -> Ended {
        self.limited(inputs, Limits { steps, output: OUTPUT.saturating_add(steps / 4), ..LIMITS }, marks, observer)
    }

    fn limited<'a>(&'a self, inputs: Inputs<'a>, limits: Limits, marks: Option<&Marks>, observer: Observer<'a>) -> Ended {
        let setup = Setup { policy: Self::policy(), limits, inputs, output: Box::new(|_, _| {}) };
        let mut machine = match Machine::new(self.program, setup) {
            Ok(machine) => machine,
            Err(end) => return Ended { end, used: Vec::new(), depth: 0, unknown: false },
        };
        machine.stop_when(Box::new(|| self.budget.exhausted().is_some()));
        match marks {
            Some(marks) => machine.observe_blocks(marks.clone(), observer),
            None => machine.observe(observer),
        }
        let end = match self.function {
            Some(function) => machine.run_function(function),
            None => machine.run_main(),
        };
        let used = std::mem::take(&mut machine.used);
        let unknown = !machine.unknown_functions.is_empty();
        Ended { end, used, depth: machine.calls().count(), unknown }
    }

    /// Looks whether a state really comes back, again and again.
    pub fn confirm(&self, lasso: &Lasso) -> Option<Repetition> {
        let (first, second) = lasso.times;
        let period = second.checked_sub(first).filter(|period| *period > 0)?;
        let last = second.checked_add(MORE_ROUNDS.checked_mul(period)?)?;
        let watch = RefCell::new(Watch::default());
        let observer: Observer<'_> = Box::new(|machine, position| watch.borrow_mut().visit(self, lasso, period, last, machine, position));
        let marks = self.marks(lasso)?;
        let ended = self.limited(lasso.inputs(), Limits { steps: last + 1, ..LIMITS }, Some(&marks), observer);
        let watch = watch.into_inner();
        // Ended by the observer, after all rounds were seen.
        if ended.unknown || ended.end != End::Interrupted || watch.repeated <= MORE_ROUNDS {
            return None;
        }
        let unvalued = ended.rests_on(lasso.unvalued)?;
        let (position, state) = watch.outermost?;
        let span = position.span;
        let mut used = ended.used;
        used.truncate(watch.used.1);
        let round = used.split_off(watch.used.0.min(used.len()));
        let steps = self.round(lasso);
        let (arguments, stdin) = (lasso.arguments.clone(), lasso.stdin.clone());
        Some(Repetition {
            function: position.function,
            header: position.block,
            span,
            recursion: lasso.extent == Extent::Call,
            arguments,
            stdin,
            stem: used,
            round,
            more: Vec::new(),
            state,
            steps,
            unvalued,
        })
    }

    /// The blocks that have to be seen to test a claim: for a run that is to stay in a loop, all that are not in the loop.
    pub(crate) fn marks(&self, lasso: &Lasso) -> Option<Marks> {
        let mut marks = if lasso.extent == Extent::Whole { self.heads.clone() } else { self.entries.clone() };
        if let Some((function, header)) = lasso.inside {
            let body = self.program.functions.get(function)?.body.as_ref()?;
            let blocks = self.loops.get(&(function, header))?;
            body.blocks.ids().filter(|block| blocks.binary_search(block).is_err()).for_each(|block| marks.mark(function, block));
        }
        Some(marks)
    }

    /// The heads of all loops with one entry, in order.
    pub fn loop_heads(&self) -> Vec<(FunctionId, BlockId)> {
        let mut heads: Vec<_> = self.loops.keys().copied().collect();
        heads.sort_unstable();
        heads
    }

    /// Whether a block belongs to the loop with this head.
    pub fn is_inside(&self, head: (FunctionId, BlockId), block: BlockId) -> bool {
        self.loops.get(&head).is_some_and(|blocks| blocks.binary_search(&block).is_ok())
    }

    /// What happens between the two times.
    pub(crate) fn round(&self, lasso: &Lasso) -> Vec<Step> {
        let (first, second) = (lasso.times.0, lasso.times.1.min(lasso.times.0 + SHOWN));
        let trace = Rc::new(RefCell::new(Trace::default()));
        let seen = trace.clone();
        let observer: Observer<'_> = Box::new(move |machine, position| {
            if machine.steps >= first {
                seen.borrow_mut().step(machine, position);
            }
            // What variables hold already is no news.
            if machine.steps == first {
                seen.borrow_mut().steps.clear();
            }
            machine.steps <= second
        });
        self.limited(lasso.inputs(), Limits { steps: second + 2, ..LIMITS }, None, observer);
        let steps = std::mem::take(&mut trace.borrow_mut().steps);
        steps.into()
    }
}

impl Lasso {
    /// The inputs of the run: what was used between the two times comes again and again.
    fn inputs(&self) -> Inputs<'static> {
        let mut stem = self.values.clone();
        let round = stem.split_off(self.stem.min(stem.len()));
        Inputs {
            arguments: self.arguments.clone(),
            drawn_arguments: None,
            stdin: self.stdin.clone(),
            rest: Rest::End,
            values: Values::Cycle(stem.into_iter(), round.into_iter().cycle()),
        }
    }
}

/// What is seen while a claim is tested.
#[derive(Default)]
struct Watch {
    snapshot: Option<Snapshot>,
    /// The number of the call in which it was taken, and how deep that is.
    call: (usize, Option<u64>),
    repeated: u64,
    used: (usize, usize),
    outermost: Option<(Position, Variables)>,
}

impl Watch {
    /// False as soon as everything was seen, or the claim is wrong.
    fn visit(&mut self, runs: &Runs<'_>, lasso: &Lasso, period: u64, last: u64, machine: &Machine<'_, '_>, position: Position) -> bool {
        let (first, second) = lasso.times;
        let now = machine.steps;
        if let Some(head) = lasso.inside
            && now >= first
            && self.is_out(runs, head, machine, position)
        {
            self.repeated = 0;
            return false;
        }
        if (first..second).contains(&now) {
            self.note(runs, machine, position);
        }
        if now < first || !(now - first).is_multiple_of(period) {
            return true;
        }
        let state = machine.snapshot_at(position);
        let Some(snapshot) = &self.snapshot else {
            self.snapshot = Some(state);
            self.call = (position.depth, machine.call_at(position.depth));
            self.used.0 = machine.used.len();
            return now == first;
        };
        if now == second {
            self.used.1 = machine.used.len();
        }
        // The call in which it began must not have returned.
        let inside = machine.call_at(self.call.0) == self.call.1 && (lasso.extent == Extent::Whole || position.depth > self.call.0);
        let relevance = if lasso.inside.is_some() { &runs.in_loops } else { &runs.ahead };
        if !inside || !snapshot.agrees(&state, relevance, lasso.extent) {
            self.repeated = 0;
            return false;
        }
        self.repeated += 1;
        now < last
    }

    /// Whether the run is outside of a loop in which it should stay: in another block of its call.
    fn is_out(&self, runs: &Runs<'_>, head: (FunctionId, BlockId), machine: &Machine<'_, '_>, position: Position) -> bool {
        match &self.snapshot {
            None => (position.function, position.block) != head,
            Some(_) => {
                position.depth < self.call.0
                    || position.depth == self.call.0
                        && (machine.call_at(self.call.0) != self.call.1 || !runs.is_inside(head, position.block))
            }
        }
    }

    /// The loop that goes on for ever is the outermost one of the outermost call that the round comes by.
    fn note(&mut self, runs: &Runs<'_>, machine: &Machine<'_, '_>, position: Position) {
        let order = |position: Position| {
            let body = runs.program.functions.get(position.function).and_then(|function| function.body.as_ref());
            body.and_then(|body| model::FlowGraph::new(body).position(position.block))
        };
        let better = match &self.outermost {
            None => true,
            Some((known, _)) if known.depth != position.depth => position.depth < known.depth,
            Some((known, _)) => known.block != position.block && order(position) < order(*known),
        };
        if better {
            self.outermost = Some((position, runs.variables(machine)));
        }
    }
}

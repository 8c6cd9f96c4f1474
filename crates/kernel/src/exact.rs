//! Programs with one run.
//!
//! A program that reads nothing from outside and never depends on what C leaves open does the same each time. If the interpreter runs it to its
//! end, that run is the proof that it ends, and what was counted on the way is exact.

use std::cell::RefCell;
use std::collections::BTreeMap;

use interp::{ArgumentLimits, End, Inputs, Limits, Machine, Marks, Policy, Position, Rest, Setup, Values};
use logic::sat::Budget;
use model::{BlockId, CheckKind, FunctionId, LoopForest, Program, Span};
use rustc_hash::FxHashMap;

use crate::replay::Replay;

/// The only run of a program, which ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OnlyRun {
    /// How many steps it has.
    pub steps: u64,
    /// How often control comes to the head of a loop again, at most, each time that the loop is entered; by the place of the loop. Loops that are not
    /// mentioned are never entered.
    pub rounds: BTreeMap<Span, u64>,
}

/// The most that a run may use beside its steps.
const LIMITS: Limits = Limits { steps: u64::MAX, memory: 256 << 20, depth: 100_000, output: u64::MAX };

/// Runs a program that reads nothing to its end. Nothing if it reads something, if something undefined or left open happens, or if it takes too long.
pub fn only_run(replay: &Replay<'_>, steps: u64, budget: &Budget) -> Option<OnlyRun> {
    let program = replay.program;
    // A single function may start in many states. Assembly may do anything.
    if replay.function.is_some() || replay.has_unknown_objects() || !program.assembly.is_empty() || has_volatile_accesses(program) {
        return None;
    }
    let inputs = Inputs {
        arguments: Vec::new(),
        drawn_arguments: Some(ArgumentLimits::default()),
        stdin: Vec::new(),
        rest: Rest::Drawn(1),
        values: Values::Ask(Box::new(|_| None)),
    };
    let counts = RefCell::new(Counts::new(program));
    let setup = Setup { policy: Policy::exact(), limits: Limits { steps, ..LIMITS }, inputs, output: Box::new(|_, _| {}) };
    let mut machine = Machine::new(program, setup).ok()?;
    machine.stop_when(Box::new(|| budget.exhausted().is_some()));
    machine.observe_blocks(
        Marks::loop_heads(program),
        Box::new(|machine, position| {
            counts.borrow_mut().visit(machine, position);
            true
        }),
    );
    let ended = match machine.run_main() {
        End::Exit(_) | End::Abort => true,
        End::Fault(fault) => fault.kind == CheckKind::Assertion,
        _ => false,
    };
    let exact = ended && machine.used.is_empty() && machine.faults.is_empty() && machine.unknown_functions.is_empty();
    let steps = machine.steps;
    drop(machine);
    exact.then(|| OnlyRun { steps, rounds: counts.into_inner().most })
}

/// Whether something may change without the program's doing.
fn has_volatile_accesses(program: &Program) -> bool {
    program.functions.iter().filter_map(|function| function.body.as_ref()).any(|body| body.places.iter().any(|place| place.volatile))
}

/// What is known of a loop: its place, and the heads of the loops inside.
struct Head {
    span: Span,
    inside: Vec<BlockId>,
}

/// Rounds are counted.
struct Counts {
    heads: FxHashMap<(FunctionId, BlockId), Head>,
    /// For each call that has not returned: its number, and how often control was at heads since their loops were entered.
    calls: Vec<(Option<u64>, FxHashMap<BlockId, u64>)>,
    most: BTreeMap<Span, u64>,
}

impl Counts {
    fn new(program: &Program) -> Self {
        let mut heads = FxHashMap::default();
        for (id, body) in program.functions.enumerate().filter_map(|(id, function)| Some((id, function.body.as_ref()?))) {
            let forest = LoopForest::new(body);
            for region in &forest.loops {
                let span = region.source.map_or(body.blocks[region.header].span, |source| body.loops[source].span);
                let inner = |other: &&model::Loop| other.header != region.header && region.contains(other.header);
                let inside = forest.loops.iter().filter(inner).map(|other| other.header).collect();
                heads.entry((id, region.header)).or_insert(Head { span, inside });
            }
        }
        Counts { heads, calls: Vec::new(), most: BTreeMap::new() }
    }

    /// Control is at the head of a loop. The loops inside will be entered anew: whoever comes to one of them a second time without having been here has
    /// not left it. (In loops with several entries that need not be so; then more rounds are counted than there are.)
    fn visit(&mut self, machine: &Machine<'_, '_>, position: Position) {
        let Some(head) = self.heads.get(&(position.function, position.block)) else { return };
        let call = machine.call_at(position.depth);
        self.calls.truncate(position.depth);
        self.calls.resize_with(position.depth, || (None, FxHashMap::default()));
        let Some(counts) = self.calls.last_mut() else { return };
        if counts.0 != call {
            *counts = (call, FxHashMap::default());
        }
        for inner in &head.inside {
            counts.1.remove(inner);
        }
        let visits = counts.1.entry(position.block).or_default();
        let most = self.most.entry(head.span).or_default();
        *most = (*most).max(*visits);
        *visits += 1;
    }
}

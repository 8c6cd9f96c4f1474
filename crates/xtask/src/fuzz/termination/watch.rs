//! Runs that are watched at the heads of loops: a state that comes again comes for ever, if the same inputs are given again.

use std::collections::BTreeMap;

use interp::{Budget, End, Inputs, Limits, Machine, Observer, Policy, Position, Reaction, Setup, Snapshot};
use model::{BlockId, FunctionId, LocalId, LoopForest, Program};

/// How long states are compared, and how long a run may be that is said to end.
const WATCHED: u64 = 60_000;
const LIMITS: Limits = Limits { steps: 1_000_000, memory: 64 << 20, depth: 5_000, output: 1 << 16 };

/// The place of a loop: line and column.
pub type Place = (u32, u32);

/// What a run shows.
#[derive(Default, Debug)]
pub struct Seen {
    /// The loop at whose head a state came again, and whether it was not left in between.
    pub repeats: Option<(Place, bool)>,
    /// How often control came to the head again, at most, each time that a loop was entered.
    pub rounds: BTreeMap<Place, u64>,
    /// What the run used up, if it did not end.
    pub exhausted: Option<Budget>,
}

/// The loops of a program.
pub struct Loops {
    /// Heads with the place and the blocks of their loops.
    heads: BTreeMap<(FunctionId, BlockId), (Place, Vec<BlockId>)>,
}

impl Loops {
    pub fn of(program: &Program) -> Self {
        let mut heads = BTreeMap::new();
        for (id, function) in program.functions.enumerate() {
            let Some(body) = &function.body else { continue };
            for region in LoopForest::new(body).loops {
                let span = region.source.map_or(body.blocks[region.header].span, |source| body.loops[source].span);
                heads.insert((id, region.header), ((span.line, span.column), region.blocks.to_vec()));
            }
        }
        Loops { heads }
    }
}

/// A state at the head of a loop, to be met again.
struct Mark {
    function: FunctionId,
    block: BlockId,
    depth: usize,
    activation: u64,
    variables: Vec<(LocalId, Option<u128>)>,
    state: Snapshot,
}

/// What is known of a call while it runs.
#[derive(Default)]
struct Call {
    /// The block that it was in last.
    block: Option<BlockId>,
    /// For each head: how often control came there again since the loop was entered, and which entry that was.
    loops: BTreeMap<BlockId, (u64, u64)>,
}

/// Watches a run.
struct Watch<'l> {
    loops: &'l Loops,
    calls: Vec<Call>,
    entries: u64,
    visits: u64,
    steps: u64,
    mark: Option<Mark>,
    seen: &'l mut Seen,
}

impl Watch<'_> {
    /// Looks at a step; whether the run may go on.
    fn step(&mut self, machine: &Machine<'_, '_>, position: Position) -> bool {
        self.steps += 1;
        if position.command != 0 {
            return true;
        }
        self.calls.truncate(position.depth);
        self.calls.resize_with(position.depth, Call::default);
        let Some(call) = self.calls.last_mut() else { return true };
        let before = call.block.replace(position.block);
        let Some((place, blocks)) = self.loops.heads.get(&(position.function, position.block)) else { return true };
        let again = before.is_some_and(|block| blocks.contains(&block));
        if !again {
            self.entries += 1;
        }
        let counted = call.loops.entry(position.block).or_default();
        *counted = if again { (counted.0 + 1, counted.1) } else { (0, self.entries) };
        let (rounds, activation) = *counted;
        let most = self.seen.rounds.entry(*place).or_default();
        *most = rounds.max(*most);
        self.visits += 1;
        self.steps > WATCHED || self.compare(machine, position, *place, activation)
    }

    /// Brent's algorithm: one state is kept, at visits whose numbers are powers of 2.
    fn compare(&mut self, machine: &Machine<'_, '_>, position: Position, place: Place, activation: u64) -> bool {
        if let Some(mark) = &self.mark
            && (mark.function, mark.block, mark.depth) == (position.function, position.block, position.depth)
            && mark.variables == machine.variables()
            && mark.state == machine.snapshot_at(position)
        {
            self.seen.repeats = Some((place, mark.activation == activation));
            return false;
        }
        if self.visits.is_power_of_two() {
            self.mark = Some(Mark {
                function: position.function,
                block: position.block,
                depth: position.depth,
                activation,
                variables: machine.variables(),
                state: machine.snapshot_at(position),
            });
        }
        true
    }
}

/// Runs a program; what is undefined ends the run.
pub fn run(program: &Program, loops: &Loops, inputs: Inputs<'_>) -> Seen {
    let mut policy = Policy::all(Reaction::Ignore);
    let kinds = loopfrog::checks::parse("default").unwrap_or_default();
    kinds.into_iter().for_each(|kind| policy.set(kind, Reaction::Stop));
    policy.permit_left_shifts();
    let mut seen = Seen::default();
    let mut watch = Watch { loops, calls: Vec::new(), entries: 0, visits: 0, steps: 0, mark: None, seen: &mut seen };
    let setup = Setup { policy, limits: LIMITS, inputs, output: Box::new(|_, _| {}) };
    let end = match Machine::new(program, setup) {
        Ok(mut machine) => {
            let observer: Observer<'_> = Box::new(|machine, position| watch.step(machine, position));
            machine.observe(observer);
            machine.run_main()
        }
        Err(end) => end,
    };
    if let End::Budget(budget, _) = end {
        seen.exhausted = Some(budget);
    }
    seen
}

#[cfg(test)]
mod tests {
    use interp::Values;

    use super::super::super::runs::translate;
    use super::*;

    fn seen(source: &str) -> Seen {
        let program = translate(source, false).unwrap();
        let inputs = Inputs { values: Values::Ask(Box::new(|_| Some(3))), ..Inputs::default() };
        run(&program, &Loops::of(&program), inputs)
    }

    #[test]
    fn states_that_come_again_are_noticed() {
        let seen = seen("int main(void) { unsigned char i = 5;\n while (i != 4) i += 2;\n return 0; }");
        assert_eq!(seen.repeats, Some(((2, 2), true)));
        let seen = super::tests::seen("int main(void) { unsigned char i = 5;\n for (;;) {\n while (i) i--;\n i = 5; } }");
        assert!(matches!(seen.repeats, Some(((2, 2), true) | ((3, 2), false))), "{seen:?}");
    }

    #[test]
    fn rounds_are_counted_for_each_entry() {
        let seen = seen("int main(void) { int i, j, s = 0;\n for (i = 0; i < 4; i++)\n for (j = 0; j < 3 + i; j++) s++;\n return s; }");
        assert_eq!(seen.repeats, None);
        assert_eq!(seen.rounds.into_iter().collect::<Vec<_>>(), [((2, 2), 4), ((3, 2), 6)]);
    }

    #[test]
    fn what_does_not_end_uses_up_a_budget() {
        let seen = seen("unsigned long n; int main(void) {\n while (1) n++;\n return 0; }");
        assert_eq!((seen.repeats, seen.exhausted), (None, Some(Budget::Steps)));
    }
}

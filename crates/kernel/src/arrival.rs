//! Runs that come into a closed set and stay there: the way into the set is always a real one.

use std::cell::RefCell;

use interp::{End, Extent, Inputs, Machine, Observer, Position, Request, Rest, UNINITIALISED_VARIABLE, Used, Values};
use model::{BlockId, FunctionId, GlobalId, LocalId, Program, Span, Type, TypeId};

use crate::closed::{Atom, Given};
use crate::divergence::{Lasso, Repetition, Runs};

/// A variable of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Variable {
    /// One of the innermost call.
    Local(LocalId),
    /// One of the program.
    Global(GlobalId),
}

/// Variables and what they hold, as bit patterns.
pub type Variables = Vec<(Variable, u128)>;

/// What is given as an input while a run stays in a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The function that asks for the input.
    pub what: String,
    /// Where it is called.
    pub span: Span,
    /// The function in which that is.
    pub function: FunctionId,
    /// The input.
    pub given: Given,
}

/// How inputs are chosen while a run stays in a loop: all others are arbitrary.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Strategy {
    /// The inputs.
    pub choices: Vec<Choice>,
    /// What is measured at the head: the variables of the program that is run, as far as they are there.
    pub measured: Vec<Option<Variable>>,
}

/// More variables of the program are not looked at.
const GLOBALS: usize = 64;

/// The numbers that belong to a program.
pub(crate) fn numbers(program: &Program) -> Vec<GlobalId> {
    let number = |global: &model::Global| !global.constant && global.init.is_some() && is_number(program, global.ty);
    program.globals.enumerate().filter(|(_, global)| number(global)).map(|(id, _)| id).take(GLOBALS).collect()
}

fn is_number(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.get(ty), Type::Bool | Type::Int { .. })
}

impl Strategy {
    /// The input that is given, from what was measured when the run was at the head last. Nothing if nobody chooses it, or if it cannot be told what it is.
    pub fn answer(&self, runs: &Runs<'_>, machine: &Machine<'_, '_>, measured: &[Option<i128>], request: &Request) -> Option<Option<u128>> {
        let choice = self.choices.iter().find(|choice| choice.what == request.what && choice.span == request.span)?;
        let here = |local: LocalId| {
            let pattern = machine.innermost().filter(|function| *function == choice.function).and_then(|_| machine.variable(local))?;
            runs.number(choice.function, Variable::Local(local), pattern)
        };
        Some(choice.given.value(measured, &here))
    }
}

impl Runs<'_> {
    /// The variables that have a value: scalars of the innermost call with a name, and numbers that belong to the program.
    pub fn variables(&self, machine: &Machine<'_, '_>) -> Variables {
        let locals = machine.variables().into_iter().map(|(local, value)| (Variable::Local(local), value));
        let globals = self.globals.iter().map(|&global| (Variable::Global(global), machine.global(global)));
        locals.chain(globals).filter_map(|(variable, value)| Some((variable, value?))).collect()
    }

    /// The number that a variable holds, in a call of this function; nothing if it is no number.
    pub fn number(&self, function: FunctionId, variable: Variable, pattern: u128) -> Option<i128> {
        let ty = match variable {
            Variable::Local(local) => self.program.functions.get(function)?.body.as_ref()?.locals.get(local)?.ty,
            Variable::Global(global) => self.program.globals.get(global)?.ty,
        };
        is_number(self.program, ty).then(|| self.program.types.value(ty, pattern))
    }

    /// The numbers that variables hold in a state, as far as they have any.
    pub fn numbers(&self, function: FunctionId, variables: &[Option<Variable>], state: &Variables) -> Vec<Option<i128>> {
        let number = |variable: &Option<Variable>| {
            let &(variable, pattern) = state.iter().find(|(known, _)| Some(*known) == *variable)?;
            self.number(function, variable, pattern)
        };
        variables.iter().map(number).collect()
    }

    /// The numbers that variables of the innermost call, which is one of this function, and of the program hold, as far as they have any.
    pub fn measured(&self, machine: &Machine<'_, '_>, function: FunctionId, variables: &[Option<Variable>]) -> Vec<Option<i128>> {
        let number = |&variable: &Option<Variable>| {
            let pattern = match variable? {
                Variable::Local(local) => machine.variable(local),
                Variable::Global(global) => self.globals.binary_search(&global).ok().and_then(|_| machine.global(global)),
            };
            self.number(function, variable?, pattern?)
        };
        variables.iter().map(number).collect()
    }

    /// Runs with the inputs of a claim until it is at the head of a loop, or at a call, in a state of a set; goes on from there for a million steps, with inputs that are
    /// chosen. Nothing if the run is not in the set before the second time of the claim, or if it does not stay there. Inputs that nobody chooses are those of the claim.
    pub fn arrive(&self, lasso: &Lasso, set: &EntrySet<'_>, strategy: &Strategy) -> Option<Repetition> {
        let stay =
            RefCell::new(Stay { runs: self, lasso, set, strategy, needed: set.needed(strategy), arrival: None, given: 0, left: false });
        let observer: Observer<'_> = Box::new(|machine, position| stay.borrow_mut().visit(machine, position));
        let values = Values::Look(Box::new(|machine, request| stay.borrow_mut().answer(machine, request)));
        let (arguments, stdin) = (lasso.arguments.clone(), lasso.stdin.clone());
        let inputs = Inputs { arguments: arguments.clone(), drawn_arguments: None, stdin: stdin.clone(), rest: Rest::End, values };
        let inside = (lasso.extent == Extent::Whole).then_some(set.head);
        let marks = self.marks(&Lasso { inside, ..lasso.clone() })?;
        let ended = self.run(inputs, lasso.times.1.saturating_add(STAY_STEPS), Some(&marks), observer);
        let Stay { arrival, left, .. } = stay.into_inner();
        let Arrival { position, state, visits, .. } = arrival?;
        // There is always enough memory, and room for calls; nobody minds what is written.
        let goes_on = matches!(ended.end, End::Budget(..));
        let [(first, arrived), (second, next), _, ..] = visits[..] else { return None };
        if ended.unknown || !goes_on || left {
            return None;
        }
        let unvalued = ended.rests_on(lasso.unvalued)?;
        let mut stem = ended.used;
        let rounds: Vec<&[Used]> = visits.windows(2).filter_map(|pair| stem.get(pair[0].1..pair[1].1)).collect();
        let same = |pair: &[&[Used]]| pair[0].iter().map(|used| used.value).eq(pair[1].iter().map(|used| used.value));
        let constant = strategy.choices.iter().all(|choice| choice.given.is_constant());
        let repeats = constant && rounds.windows(2).all(same);
        let values = stem.iter().take(next).map(|used| used.value).collect();
        let shown = Lasso { values, stem: arrived, times: (first, second), ..lasso.clone() };
        let mut round = stem.split_off(arrived.min(stem.len()));
        let more = round.split_off((next - arrived).min(round.len()));
        Some(Repetition {
            function: position.function,
            header: position.block,
            span: position.span,
            recursion: lasso.extent == Extent::Call,
            arguments,
            stdin,
            stem,
            round,
            more: if repeats { Vec::new() } else { more.iter().map(|used| used.value).collect() },
            state,
            steps: self.round(&shown),
            unvalued,
        })
    }
}

/// A set of states into which a run should come.
pub struct EntrySet<'a> {
    /// The head of the loop, or the function and its first block.
    pub head: (FunctionId, BlockId),
    /// What holds of its states, of what a strategy measures.
    pub atoms: &'a [Atom],
}

impl EntrySet<'_> {
    /// What is measured, as far as it is needed to know whether a state is in the set and which inputs are chosen there.
    fn needed(&self, strategy: &Strategy) -> Vec<Option<Variable>> {
        let given = strategy.choices.iter().map(|choice| &choice.given);
        let in_given: Vec<usize> = given.flat_map(Given::parts).collect();
        let in_set = |part: &usize| self.atoms.iter().any(|atom| atom.measure.parts.iter().any(|(_, own)| own == part));
        let needed = |(part, &variable): (usize, &Option<Variable>)| variable.filter(|_| in_set(&part) || in_given.contains(&part));
        strategy.measured.iter().enumerate().map(needed).collect()
    }
}

/// So many steps are made to see that a run stays in a loop.
const STAY_STEPS: u64 = 1_000_000;
/// Objects are counted at the first so many visits; then only now and then, because that takes long where there are many calls.
const COUNTED: usize = 200;

/// The state in which a run comes into the set, and what was seen since then.
struct Arrival {
    position: Position,
    call: Option<u64>,
    state: Variables,
    /// What was measured at the last visit of the head.
    now: Vec<Option<i128>>,
    /// How many objects there were.
    objects: usize,
    /// Each visit of the head: how many steps were made, and how many inputs used before it.
    visits: Vec<(u64, usize)>,
}

/// A run that should stay in a loop, or in calls.
struct Stay<'r, 'p> {
    runs: &'r Runs<'p>,
    lasso: &'r Lasso,
    set: &'r EntrySet<'r>,
    strategy: &'r Strategy,
    needed: Vec<Option<Variable>>,
    arrival: Option<Arrival>,
    /// How many values of the claim were given.
    given: usize,
    left: bool,
}

impl Stay<'_, '_> {
    /// What is measured at the head; nothing if the state is not in the set.
    fn inside(&self, machine: &Machine<'_, '_>) -> Option<Vec<Option<i128>>> {
        let values = self.runs.measured(machine, self.set.head.0, &self.needed);
        self.set.atoms.iter().all(|atom| atom.holds(&values)).then_some(values)
    }

    /// False as soon as the run is not where it should be.
    fn visit(&mut self, machine: &Machine<'_, '_>, position: Position) -> bool {
        let at_head = (position.function, position.block) == self.set.head;
        let visit = (machine.steps, machine.used.len());
        let Some(arrival) = &self.arrival else {
            if let Some(now) = at_head.then(|| self.inside(machine)).flatten() {
                let (call, objects) = (machine.call_at(position.depth), machine.heap_objects());
                self.arrival = Some(Arrival { position, call, state: self.runs.variables(machine), now, objects, visits: vec![visit] });
            }
            return machine.steps <= self.lasso.times.1;
        };
        let first = arrival.position.depth;
        let same_call = machine.call_at(first) == arrival.call;
        let (again, left) = match self.lasso.extent {
            Extent::Whole => {
                let here = same_call && position.depth == first;
                (here && at_head, !same_call || here && !self.runs.is_inside(self.set.head, position.block))
            }
            Extent::Call => (at_head && position.depth > first, !same_call),
        };
        self.left |= left;
        if again && !self.left {
            let now = self.inside(machine);
            self.stay(machine, visit, now);
        }
        !self.left
    }

    /// The run is at the head again, and should be in the set.
    fn stay(&mut self, machine: &Machine<'_, '_>, visit: (u64, usize), now: Option<Vec<Option<i128>>>) {
        let (Some(arrival), Some(now)) = (&mut self.arrival, now) else {
            self.left = true;
            return;
        };
        arrival.now = now;
        arrival.visits.push(visit);
        let count = arrival.visits.len();
        // Calls are inside each other: if they leave more and more objects behind, they cannot go on for ever.
        self.left =
            self.lasso.extent == Extent::Call && (count <= COUNTED || count.is_power_of_two()) && machine.heap_objects() > arrival.objects;
    }

    fn answer(&mut self, machine: &Machine<'_, '_>, request: &Request) -> Option<u128> {
        if let Some(arrival) = &self.arrival {
            if request.what == UNINITIALISED_VARIABLE {
                return self.lasso.unvalued;
            }
            if let Some(value) = self.strategy.answer(self.runs, machine, &arrival.now, request) {
                return value;
            }
        }
        let (stem, values) = (self.lasso.stem.min(self.lasso.values.len()), &self.lasso.values);
        let round = values.len() - stem;
        let position = if self.given < stem || round == 0 { self.given } else { stem + (self.given - stem) % round };
        self.given += 1;
        values.get(position).copied().or(self.arrival.is_some().then_some(0))
    }
}

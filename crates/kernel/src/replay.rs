//! Counterexamples run for real: the solver's inputs, the interpreter, the unmodified program.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use encode::{Encoding, InputKind};
use interp::{Fault, Inputs, Limits, Machine, Policy, Reaction, Request, Rest, Setup, Used, Values};
use logic::{Evaluator, Value};
use model::{CheckKind, FunctionId, Program, Span};

use crate::property::Property;

/// How runs are replayed.
pub struct Replay<'p> {
    /// The program as the user wrote it: not instrumented, without library models.
    pub program: &'p Program,
    /// The function to run; `main` with everything around it if none.
    pub function: Option<FunctionId>,
    /// What a run may use.
    pub limits: Limits,
    /// The program that was analysed, which the properties speak of.
    pub analysed: &'p Program,
}

/// A run that violates a property.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What the interpreter found.
    pub fault: Fault,
    /// Faults of other kinds that the run met before.
    pub before: Vec<Fault>,
    /// The arguments of `main`.
    pub arguments: Vec<Vec<u8>>,
    /// The standard input.
    pub stdin: Vec<u8>,
    /// The other inputs that were used, in order.
    pub inputs: Vec<Used>,
    /// The steps that matter.
    pub trace: Vec<Step>,
}

/// A variable takes a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// Which variable.
    pub variable: model::LocalId,
    /// Its value as a bit pattern.
    pub value: u128,
}

/// At most so many steps of a trace are kept: the last ones.
const TRACE: usize = 200;

/// The inputs of a possible run, from the solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// What functions give, by their names, in order.
    pub calls: VecDeque<(String, u128)>,
    /// What variables hold that nobody gave a value.
    pub variables: VecDeque<u128>,
    /// The standard input.
    pub stdin: Vec<u8>,
    /// The arguments of `main`.
    pub arguments: Vec<Vec<u8>>,
}

/// A run with inputs that somebody chose. What it is said to violate counts only if [`Candidate::confirm`] says so too.
pub struct Run {
    /// The inputs that were used.
    pub candidate: Candidate,
    /// The faults that were met.
    pub faults: Vec<Fault>,
    /// How many steps it took.
    pub steps: u64,
}

impl Replay<'_> {
    /// The inputs of the solver's model.
    pub fn candidate(&self, encoding: &mut Encoding) -> Candidate {
        let model = encoding.context.model(&encoding.terms);
        let mut evaluator = Evaluator::new(&encoding.terms, &model);
        let mut candidate = Candidate { calls: VecDeque::new(), variables: VecDeque::new(), stdin: Vec::new(), arguments: Vec::new() };
        let mut ended = false;
        let mut count = 1;
        for input in &encoding.inputs {
            if evaluator.holds(input.guard) != Some(true) {
                continue;
            }
            let value = match evaluator.value(input.value) {
                Some(Value::Bool(value)) => u128::from(*value),
                Some(Value::Bits(bits)) => bits.low_u128(),
                _ => 0,
            };
            match &input.kind {
                InputKind::Call(name) => candidate.calls.push_back((name.clone(), value)),
                InputKind::Variable(_) => candidate.variables.push_back(value),
                InputKind::Standard if value >> 8 & 1 == 1 => ended = true,
                InputKind::Standard if !ended => candidate.stdin.push(value as u8),
                InputKind::Standard => {}
                InputKind::ArgumentCount => count = value as usize,
                InputKind::Argument(number, byte) => {
                    let number = *number as usize;
                    if candidate.arguments.len() <= number {
                        candidate.arguments.resize(number + 1, Vec::new());
                    }
                    if candidate.arguments[number].len() == *byte as usize && value != 0 {
                        candidate.arguments[number].push(value as u8);
                    }
                }
            }
        }
        // Arguments that the formula did not look at are any strings.
        candidate.arguments.resize(count.min(64), b"x".to_vec());
        if let Some(name) = candidate.arguments.first_mut().filter(|name| name.is_empty()) {
            *name = b"program".to_vec();
        }
        candidate
    }
}

impl Replay<'_> {
    /// Whether the program uses objects that are defined nowhere in it.
    pub(crate) fn has_unknown_objects(&self) -> bool {
        !self.program.globals.iter().all(interp::defines)
    }

    /// Runs a machine to the end of the run, or of what it may use; it has noted all faults.
    fn run(&self, machine: &mut Machine<'_, '_>) {
        let end = match self.function {
            Some(function) => machine.run_function(function),
            None => machine.run_main(),
        };
        if let interp::End::Fault(fault) = end {
            machine.faults.push(*fault);
        }
    }

    /// Runs the program with inputs that somebody chooses, for so many steps at most.
    pub fn tried(&self, arguments: Vec<Vec<u8>>, stdin: Vec<u8>, steps: u64, mut choose: impl FnMut(&Request) -> u128) -> Run {
        let mut candidate = Candidate { calls: VecDeque::new(), variables: VecDeque::new(), stdin, arguments };
        let values = Values::Ask(Box::new(move |request: &Request| Some(choose(request))));
        let (arguments, stdin) = (candidate.arguments.clone(), candidate.stdin.clone());
        let inputs = Inputs { arguments, drawn_arguments: None, stdin, rest: Rest::End, values };
        let limits = Limits { steps: steps.min(self.limits.steps), ..self.limits };
        let setup = Setup { policy: policy(None), limits, inputs, output: Box::new(|_, _| {}) };
        let Ok(mut machine) = Machine::new(self.program, setup) else { return Run { candidate, faults: Vec::new(), steps: 0 } };
        self.run(&mut machine);
        for Used { request, value } in &machine.used {
            if request.what.starts_with("uninitialised") {
                candidate.variables.push_back(*value);
            } else {
                let name = request.what.strip_prefix("result of ").unwrap_or(&request.what);
                candidate.calls.push_back((name.to_owned(), *value));
            }
        }
        Run { candidate, faults: std::mem::take(&mut machine.faults), steps: machine.steps }
    }

    /// Whether a fault is the violation of a property.
    pub fn violates(&self, fault: &Fault, property: &Property) -> bool {
        fault.kind == property.check.kind && self.same_place(fault.span, property.check.span)
    }

    /// Whether a place of the program that was run is one of the program that was analysed. The interpreter points at the access or operator, the check
    /// at the construct that must be right: the same line, one inside the other.
    fn same_place(&self, ran: Span, analysed: Span) -> bool {
        let same_file = self.program.files.get(ran.file) == self.analysed.files.get(analysed.file);
        let overlap = ran.column < analysed.column + analysed.length.max(1) && analysed.column < ran.column + ran.length.max(1);
        same_file && ran.line == analysed.line && overlap
    }
}

/// Faults are noted, as far as they are properties of a run; for one kind, the reaction may be another one.
fn policy(special: Option<(CheckKind, Reaction)>) -> Policy {
    let mut policy = Policy::all(Reaction::Record);
    for kind in [CheckKind::Uninitialised, CheckKind::Leak, CheckKind::UnsignedOverflow, CheckKind::Float] {
        policy.set(kind, Reaction::Ignore);
    }
    if let Some((kind, reaction)) = special {
        policy.set(kind, reaction);
    }
    // C leaves a signed left shift that loses bits undefined, gcc defines it: it is not proved to be right, nor reported as wrong.
    policy.permit_left_shifts();
    policy
}

impl Candidate {
    /// The value for a request; it is used up.
    pub fn take(&mut self, request: &Request) -> Option<u128> {
        let name = request.what.strip_prefix("result of ").unwrap_or(&request.what);
        match self.calls.iter().position(|(called, _)| called == name) {
            Some(position) => self.calls.remove(position).map(|(_, value)| value),
            None if request.what.starts_with("uninitialised") => self.variables.pop_front(),
            None => None,
        }
    }

    /// Runs the program with these inputs and looks whether it violates the property.
    pub fn confirm(&self, replay: &Replay<'_>, property: &Property) -> Option<Violation> {
        // The first fault of its kind is usually the one; if not, the run goes on behind others.
        let reaction =
            [Reaction::Stop, Reaction::Record].into_iter().find(|&reaction| self.run(replay, property, reaction, false).is_some())?;
        // The same run once more, watched.
        self.run(replay, property, reaction, true)
    }

    fn run(&self, replay: &Replay<'_>, property: &Property, reaction: Reaction, watch: bool) -> Option<Violation> {
        let policy = policy(Some((property.check.kind, reaction)));
        let mut candidate = self.clone();
        let ask = move |request: &Request| Some(candidate.take(request).unwrap_or(0));
        let inputs = Inputs {
            arguments: if self.arguments.is_empty() { vec![b"program".to_vec()] } else { self.arguments.clone() },
            drawn_arguments: None,
            stdin: self.stdin.clone(),
            rest: Rest::End,
            values: Values::Ask(Box::new(ask)),
        };
        let setup = Setup { policy, limits: replay.limits, inputs, output: Box::new(|_, _| {}) };
        let mut machine = Machine::new(replay.program, setup).ok()?;
        let trace = Rc::new(RefCell::new(Trace::default()));
        if watch {
            let trace = trace.clone();
            machine.observe(Box::new(move |machine, position| {
                trace.borrow_mut().step(machine, position);
                true
            }));
        }
        replay.run(&mut machine);
        // What an unknown function does is a guess, so nothing behind it is certain; nor is what an object holds that is only declared here.
        if !machine.unknown_functions.is_empty() || replay.has_unknown_objects() {
            return None;
        }
        let position = machine.faults.iter().position(|fault| replay.violates(fault, property))?;
        // After an invalid access a run means nothing any more.
        if machine.faults[..position].iter().any(|fault| fault.kind.guards_memory()) {
            return None;
        }
        let before = machine.faults[..position].to_vec();
        let fault = machine.faults[position].clone();
        let (arguments, stdin, used) = (machine.inputs.arguments.clone(), machine.inputs.stdin.clone(), machine.used.clone());
        drop(machine);
        let trace = std::mem::take(&mut trace.borrow_mut().steps).into();
        Some(Violation { fault, before, arguments, stdin, inputs: used, trace })
    }
}

/// The scalar variables of a call.
type Variables = Vec<(model::LocalId, Option<u128>)>;

/// The values that variables take during a run.
#[derive(Default)]
pub(crate) struct Trace {
    pub(crate) steps: VecDeque<Step>,
    known: Vec<(FunctionId, Variables)>,
    last: Span,
}

impl Trace {
    pub(crate) fn step(&mut self, machine: &Machine<'_, '_>, position: interp::Position) {
        let variables = machine.variables();
        self.known.truncate(position.depth);
        while self.known.len() < position.depth {
            self.known.push((position.function, Vec::new()));
        }
        let Some(top) = self.known.last_mut() else { return };
        if top.0 != position.function {
            *top = (position.function, Vec::new());
        }
        for &(variable, value) in &variables {
            let old = top.1.iter().find(|(known, _)| *known == variable).and_then(|(_, value)| *value);
            if let Some(value) = value.filter(|value| old != Some(*value)) {
                self.steps.push_back(Step { span: self.last, function: position.function, variable, value });
                if self.steps.len() > TRACE {
                    self.steps.pop_front();
                }
            }
        }
        top.1 = variables;
        self.last = position.span;
    }
}

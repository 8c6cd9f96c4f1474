//! The state of a run.

use std::rc::Rc;

use model::{Address, BlockId, CheckKind, FunctionId, Global, GlobalId, Program, Span};
use rustc_hash::FxHashMap;

use crate::code::{Code, Shape};
use crate::fault::{Budget, Call, End, Fault, Policy, Reaction, Step, Stop};
use crate::input::{Inputs, Request, Used, Values};
use crate::jump::JumpPoint;
use crate::library;
use crate::memory::{Memory, ObjectKind, Pointer, split};
use crate::object::Blob;
use crate::observe::{Marks, Observer, Stopper};

/// What a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Commands and branches.
    pub steps: u64,
    /// Bytes of live objects.
    pub memory: u64,
    /// Calls that have not returned.
    pub depth: usize,
    /// Bytes written.
    pub output: u64,
}

/// Of more faults than this, only those are noted that the last ones do not tell already.
const MANY_FAULTS: usize = 4_096;
const LAST_FAULTS: usize = 64;

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: u64::MAX, memory: 2 << 30, depth: 100_000, output: 64 << 20 }
    }
}

/// Takes what the program writes: to standard output, or to standard error if the flag is set.
pub type Output<'a> = Box<dyn FnMut(&[u8], bool) + 'a>;

/// How a program is to be run.
pub struct Setup<'a> {
    /// What stops the run.
    pub policy: Policy,
    /// What it may use.
    pub limits: Limits,
    /// Its inputs.
    pub inputs: Inputs<'a>,
    /// Where its output goes.
    pub output: Output<'a>,
}

impl Default for Setup<'_> {
    fn default() -> Self {
        Setup { policy: Policy::default(), limits: Limits::default(), inputs: Inputs::default(), output: Box::new(|_, _| {}) }
    }
}

/// An argument on its way into a function.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A scalar.
    Scalar(u128, Shape),
    /// A record or array, copied.
    Aggregate(Blob),
}

/// Where a value goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// A variable outside of memory: a position in the stack of slots.
    Slot(usize),
    /// An address.
    Memory(Pointer),
    /// A bit-field: address of its first byte and position of its lowest bit.
    Bits(Pointer, u8),
}

/// A place with the type of what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    pub location: Location,
    pub shape: Shape,
    pub size: u64,
}

/// A call that has not returned.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Tells this call from all others of the run.
    pub number: u64,
    pub code: Rc<Code>,
    pub block: BlockId,
    /// The next command of that block.
    pub next: usize,
    pub slots: usize,
    pub objects: usize,
    pub result: Option<Target>,
    pub rest: Rc<Vec<Argument>>,
    pub allocas: Vec<u32>,
    pub call: Span,
}

/// A `va_list`: the arguments and how many were taken.
#[derive(Clone, PartialEq, Debug)]
pub struct VaList {
    pub arguments: Rc<Vec<Argument>>,
    pub taken: usize,
}

/// A run in progress.
pub struct Machine<'p, 'a> {
    /// The program.
    pub program: &'p Program,
    /// What stops the run.
    pub policy: Policy,
    /// What it may use.
    pub limits: Limits,
    /// Its inputs.
    pub inputs: Inputs<'a>,
    /// Where its output goes.
    pub output: Output<'a>,
    /// Values that were used, in order.
    pub used: Vec<Used>,
    /// Undefined behaviour that did not stop the run; of many faults at one place not all.
    pub faults: Vec<Fault>,
    /// Functions without body and without model that were called.
    pub unknown_functions: Vec<FunctionId>,
    /// Commands and branches so far.
    pub steps: u64,
    pub(crate) memory: Memory,
    pub(crate) frames: Vec<Frame>,
    pub(crate) slots: Vec<u128>,
    pub(crate) known: Vec<bool>,
    pub(crate) objects: Vec<Pointer>,
    pub(crate) va_lists: Vec<VaList>,
    pub(crate) library: library::State,
    pub(crate) written: u64,
    pub(crate) base: usize,
    pub(crate) object_base: usize,
    globals: Vec<Pointer>,
    functions: Vec<Pointer>,
    labels: FxHashMap<FunctionId, Pointer>,
    /// How many calls there were.
    pub(crate) calls: u64,
    /// Below this many frames a jump would leave the interpreter's own call, for which it has no way.
    pub(crate) floor: usize,
    pub(crate) jumps: Vec<JumpPoint>,
    pub(crate) observer: Option<Observer<'a>>,
    /// Asked now and then whether the run has to stop.
    pub(crate) stop: Option<Stopper<'a>>,
    /// Nothing has to be looked at before so many steps.
    pub(crate) checkpoint: u64,
    /// The blocks that the observer wants to see; all steps if there are none.
    pub(crate) marks: Option<Marks>,
    pub(crate) code: Vec<Option<Rc<Code>>>,
    pub(crate) natives: Vec<Option<Option<library::Native>>>,
    pub(crate) span: Span,
}

impl<'p, 'a> Machine<'p, 'a> {
    /// A machine with the program's objects in place, before its first step. The program must satisfy [`model::verify()`].
    pub fn new(program: &'p Program, setup: Setup<'a>) -> Result<Self, End> {
        let mut machine = Machine {
            program,
            policy: setup.policy,
            limits: setup.limits,
            inputs: setup.inputs,
            output: setup.output,
            used: Vec::new(),
            faults: Vec::new(),
            unknown_functions: Vec::new(),
            steps: 0,
            memory: Memory::new(program.types.target()),
            frames: Vec::new(),
            slots: Vec::new(),
            known: Vec::new(),
            objects: Vec::new(),
            va_lists: Vec::new(),
            library: library::State::default(),
            written: 0,
            base: 0,
            object_base: 0,
            globals: Vec::new(),
            functions: vec![0; program.functions.len()],
            labels: FxHashMap::default(),
            calls: 0,
            floor: 0,
            jumps: Vec::new(),
            observer: None,
            stop: None,
            checkpoint: 0,
            marks: None,
            code: vec![None; program.functions.len()],
            natives: vec![None; program.functions.len()],
            span: Span::NONE,
        };
        machine.place_globals().map_err(|stop| *stop)?;
        Ok(machine)
    }

    /// Runs the program as an operating system does: constructors, `main`, handlers of `atexit`, destructors.
    pub fn run_main(&mut self) -> End {
        let main = self.program.functions.enumerate().find(|(_, f)| f.name == "main" && f.body.is_some()).map(|(id, _)| id);
        let Some(main) = main else { return End::Unsupported("the program has no function `main`".into(), Span::NONE) };
        let mut ended = self.run_constructors().and_then(|()| {
            let arguments = self.main_arguments(main)?;
            let value = self.call_function(main, arguments, Span::NONE)?;
            Ok(End::Exit(value.unwrap_or(0) as i32))
        });
        // `exit` inside a handler of `atexit` goes on with the rest of them.
        loop {
            let status = match ended {
                Ok(End::Exit(status)) => status,
                Ok(end) => return end,
                Err(stop) => match *stop {
                    End::Exit(status) => status,
                    end => return end,
                },
            };
            self.unwind(0);
            match self.library.at_exit.pop() {
                Some(handler) => ended = self.call_pointer(handler, Vec::new(), Span::NONE).map(|_| End::Exit(status)),
                None => match self.run_destructors().and_then(|()| library::check_leaks(self)) {
                    Ok(()) => return End::Exit(status),
                    Err(stop) => return *stop,
                },
            }
        }
    }

    /// Runs one function with inputs for its parameters.
    pub fn run_function(&mut self, function: FunctionId) -> End {
        let result = self.arbitrary_arguments(function).and_then(|arguments| self.call_function(function, arguments, Span::NONE));
        match result {
            Ok(value) => End::Returned(value),
            Err(stop) => *stop,
        }
    }

    fn place_globals(&mut self) -> Step<()> {
        for (id, global) in self.program.globals.enumerate() {
            let declared = self.program.types.size_of(global.ty).unwrap_or(0);
            let size = global.init.as_ref().and_then(|init| init.size).unwrap_or(0).max(declared);
            // Nothing can be read from an object without bytes, nor written there.
            let size = if self.may_use(global) { size } else { 0 };
            let pointer = self.allocate(ObjectKind::Global(id), size, true, global.span)?;
            self.globals.push(pointer);
        }
        for (id, global) in self.program.globals.enumerate() {
            let Some(init) = &global.init else {
                if self.may_use(global) {
                    self.place_external(id)?;
                }
                continue;
            };
            let number = split(self.globals[id.index()]).0;
            for chunk in &init.chunks {
                if let Some(object) = self.memory.object_mut(number)
                    && let Some(bytes) = object.bytes.get_mut(chunk.offset as usize..).and_then(|b| b.get_mut(..chunk.bytes.len()))
                {
                    bytes.copy_from_slice(&chunk.bytes);
                }
            }
            for relocation in &init.relocations {
                if self.policy.is_exact() && matches!(relocation.target, Address::LabelDifference(..)) {
                    return Err(self.left_open("how far labels are apart"));
                }
                let value = match relocation.target {
                    Address::Global(global) => self.globals[global.index()],
                    Address::Function(function) => self.function_pointer(function),
                    Address::Label(function, block) => self.label_pointer(function, block),
                    Address::LabelDifference(function, a, b) => {
                        let (a, b) = (self.label_pointer(function, a), self.label_pointer(function, b));
                        self.memory.address(a).wrapping_sub(self.memory.address(b))
                    }
                };
                let value = value.wrapping_add(relocation.addend as u64);
                let is_difference = matches!(relocation.target, Address::LabelDifference(..));
                let stored = if is_difference { value } else { self.memory.address(value) };
                if let Some(object) = self.memory.object_mut(number)
                    && relocation.offset + u64::from(relocation.bytes) <= object.bytes.len() as u64
                {
                    object.write(relocation.offset as usize, usize::from(relocation.bytes), u128::from(stored));
                    if (relocation.bytes == 4 || self.policy.is_exact()) && !is_difference {
                        object.pointers.insert(relocation.offset as u32, value);
                    }
                }
            }
            if let Some(object) = self.memory.object_mut(number) {
                object.constant = global.constant;
            }
        }
        Ok(())
    }

    /// Whether a run may read and write an object.
    pub(crate) fn may_use(&self, global: &Global) -> bool {
        self.policy.permits_declared_objects() || library::defines(global)
    }

    /// Gives a variable that is only declared the value that the library has for it.
    fn place_external(&mut self, id: GlobalId) -> Step<()> {
        let global = &self.program.globals[id];
        let name = global.link_name.as_deref().unwrap_or(&global.name);
        if Shape::of(&self.program.types, global.ty) == Shape::Pointer
            && let Some(value) = library::external_global(self, name)?
        {
            let size = self.program.types.target().pointer_bytes();
            let target = Target { location: Location::Memory(self.globals[id.index()]), shape: Shape::Pointer, size };
            self.store(target, u128::from(value), global.span)?;
        }
        Ok(())
    }

    /// A new object within the budget.
    pub(crate) fn allocate(&mut self, kind: ObjectKind, size: u64, known: bool, span: Span) -> Step<Pointer> {
        if self.memory.live_bytes.saturating_add(size) > self.limits.memory {
            return Err(Box::new(End::Budget(Budget::Memory, span)));
        }
        self.memory.allocate(kind, size, known, span).ok_or_else(|| Box::new(End::Budget(Budget::Memory, span)))
    }

    pub(crate) fn function_pointer(&mut self, function: FunctionId) -> Pointer {
        if self.functions[function.index()] == 0 {
            let pointer = self.memory.allocate(ObjectKind::Function(function), 0, true, Span::NONE).unwrap_or(0);
            self.functions[function.index()] = pointer;
        }
        self.functions[function.index()]
    }

    /// The labels of a function are one object, so that their distances mean something.
    pub(crate) fn label_pointer(&mut self, function: FunctionId, block: BlockId) -> Pointer {
        let memory = &mut self.memory;
        let allocate = || memory.allocate(ObjectKind::Labels(function), 0, true, Span::NONE).unwrap_or(0);
        *self.labels.entry(function).or_insert_with(allocate) + u64::from(block.raw())
    }

    pub(crate) fn global_pointer(&self, global: GlobalId) -> Pointer {
        self.globals[global.index()]
    }

    /// Something undefined happened: stops the run or notes it.
    #[cold]
    pub(crate) fn fault(&mut self, kind: CheckKind, span: Span, message: impl Into<String>) -> Step<()> {
        self.react(self.policy.of(kind), kind, span, message)
    }

    /// Stops the run or notes why it could have been stopped.
    #[cold]
    pub(crate) fn react(&mut self, reaction: Reaction, kind: CheckKind, span: Span, message: impl Into<String>) -> Step<()> {
        if reaction == Reaction::Ignore {
            return Ok(());
        }
        let fault = self.new_fault(kind, span, message.into());
        self.raise(reaction, fault)
    }

    /// A fault that is charged to the program: what happens in a model of the library is the fault of who called it.
    fn new_fault(&self, kind: CheckKind, span: Span, message: String) -> Fault {
        let span = if span.is_none() { self.span } else { span };
        let (span, inside) = self.outside_library(span, 0);
        Fault { kind, message, span, stack: self.stack().into_iter().skip(inside).collect() }
    }

    /// The innermost place outside of the models of the library: this one, in the call that so many others are inside of, or where one
    /// of the calls around it is; and how many calls are inside of that.
    pub(crate) fn outside_library(&self, mut span: Span, mut inside: usize) -> (Span, usize) {
        for frame in self.frames.iter().rev().skip(inside) {
            if !self.program.is_library(span) || frame.call.is_none() {
                break;
            }
            span = frame.call;
            inside += 1;
        }
        (span, inside)
    }

    /// The same with a fault that is charged to somebody else than the innermost function.
    #[cold]
    pub(crate) fn raise(&mut self, reaction: Reaction, fault: Fault) -> Step<()> {
        match reaction {
            Reaction::Ignore => {}
            Reaction::Record if self.is_told(&fault) => {}
            Reaction::Record => self.faults.push(fault),
            Reaction::Stop => return Err(Box::new(End::Fault(Box::new(fault)))),
        }
        Ok(())
    }

    /// Whether a fault is one of many of which the last ones tell as much: a loop may meet it again and again.
    fn is_told(&self, fault: &Fault) -> bool {
        let same = |other: &Fault| other.kind == fault.kind && other.span == fault.span;
        self.faults.len() > MANY_FAULTS && self.faults.iter().rev().take(LAST_FAULTS).any(same)
    }

    /// The same, where the run cannot go on whatever the policy says.
    #[cold]
    pub(crate) fn fatal(&mut self, kind: CheckKind, span: Span, message: impl Into<String>) -> Stop {
        Box::new(End::Fault(Box::new(self.new_fault(kind, span, message.into()))))
    }

    /// The calls that have not returned, innermost first.
    pub fn stack(&self) -> Vec<Call> {
        let call = |frame: &Frame| Call { function: self.program.functions[frame.code.function].name.clone(), span: frame.call };
        self.frames.iter().rev().take(64).map(call).collect()
    }

    /// The end of a run that depends on something that C leaves open.
    #[cold]
    pub(crate) fn left_open(&self, what: &str) -> Stop {
        Box::new(End::Unsupported(format!("{what} is left open by C"), self.span))
    }

    /// Where an object lies becomes a number, or a number the place of an object: C leaves open which. Null is 0 everywhere.
    #[inline]
    pub(crate) fn expose(&self, pattern: u128) -> Step<()> {
        if self.policy.is_exact() && pattern != 0 { Err(self.left_open("where objects lie")) } else { Ok(()) }
    }

    /// A value that the program does not compute.
    pub(crate) fn input(&mut self, what: impl Into<String>, bits: u16, span: Span) -> Step<u128> {
        let request = Request { what: what.into(), bits, span };
        match self.next_value(&request) {
            Some(value) => {
                self.used.push(Used { request, value });
                Ok(value)
            }
            None => Err(Box::new(End::NoInput(request.what, span))),
        }
    }

    /// The next value. Whoever chooses it is out of the machine meanwhile, so that it can look at all of it.
    fn next_value(&mut self, request: &Request) -> Option<u128> {
        match std::mem::replace(&mut self.inputs.values, Values::Zero) {
            Values::Look(mut look) => {
                let value = look(self, request);
                self.inputs.values = Values::Look(look);
                value.map(|value| request.cut(value))
            }
            values => {
                self.inputs.values = values;
                self.inputs.values.next(request)
            }
        }
    }

    /// The arguments of `main`; those that are to be drawn are drawn when somebody first asks.
    pub(crate) fn arguments(&mut self) -> Step<&[Vec<u8>]> {
        self.inputs.draw_arguments().map_err(|what| Box::new(End::NoInput(what, Span::NONE)))?;
        Ok(&self.inputs.arguments)
    }

    /// Where the run is.
    pub fn span(&self) -> Span {
        self.span
    }
}

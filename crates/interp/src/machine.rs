//! The state of a run, and the steps that change it.

use std::rc::Rc;

use model::{
    Address, BlockId, Body, Callee, CheckKind, CommandKind, ExprId, ExprKind, FunctionId, GlobalId, LocalId, Program, Span, Terminator, Type,
};
use rustc_hash::FxHashMap;

use crate::code::{Code, Home, PlaceNode, Shape};
use crate::fault::{Budget, Call, End, Fault, Policy, Reaction, Step, Stop};
use crate::input::{Inputs, Request, Used};
use crate::library;
use crate::memory::{Memory, ObjectKind, Pointer, split};
use crate::object::Blob;
use crate::observe::Observer;

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

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: u64::MAX, memory: 2 << 30, depth: 100_000, output: 1 << 30 }
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
#[derive(Clone, Debug)]
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
    /// Undefined behaviour that did not stop the run.
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
    labels: FxHashMap<(FunctionId, BlockId), Pointer>,
    pub(crate) observer: Option<Observer<'a>>,
    code: Vec<Option<Rc<Code>>>,
    natives: Vec<Option<Option<library::Native>>>,
    span: Span,
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
            observer: None,
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
                Ok(end) => return self.finish(end),
                Err(stop) => match *stop {
                    End::Exit(status) => status,
                    end => return self.finish(end),
                },
            };
            self.unwind(0);
            match self.library.at_exit.pop() {
                Some(handler) => ended = self.call_pointer(handler, Vec::new(), Span::NONE).map(|_| End::Exit(status)),
                None => match self.run_destructors().and_then(|()| library::check_leaks(self)) {
                    Ok(()) => return self.finish(End::Exit(status)),
                    Err(stop) => return self.finish(*stop),
                },
            }
        }
    }

    /// Runs one function with inputs for its parameters.
    pub fn run_function(&mut self, function: FunctionId) -> End {
        let result = self.arbitrary_arguments(function).and_then(|arguments| self.call_function(function, arguments, Span::NONE));
        match result {
            Ok(value) => self.finish(End::Returned(value)),
            Err(stop) => self.finish(*stop),
        }
    }

    fn finish(&mut self, end: End) -> End {
        library::flush(self);
        end
    }

    // ---- objects -----------------------------------------------------------------------------------------------------------------

    fn place_globals(&mut self) -> Step<()> {
        for (id, global) in self.program.globals.enumerate() {
            let declared = self.program.types.size_of(global.ty).unwrap_or(0);
            let size = global.init.as_ref().and_then(|init| init.size).unwrap_or(0).max(declared);
            let pointer = self.allocate(ObjectKind::Global(id), size, true, global.span)?;
            self.globals.push(pointer);
        }
        for (id, global) in self.program.globals.enumerate() {
            let Some(init) = &global.init else { continue };
            let number = split(self.globals[id.index()]).0;
            for chunk in &init.chunks {
                if let Some(object) = self.memory.object_mut(number)
                    && let Some(bytes) = object.bytes.get_mut(chunk.offset as usize..).and_then(|b| b.get_mut(..chunk.bytes.len()))
                {
                    bytes.copy_from_slice(&chunk.bytes);
                }
            }
            for relocation in &init.relocations {
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
                    if relocation.bytes == 4 && !is_difference {
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

    pub(crate) fn label_pointer(&mut self, function: FunctionId, block: BlockId) -> Pointer {
        match self.labels.get(&(function, block)) {
            Some(&pointer) => pointer,
            None => {
                let pointer = self.memory.allocate(ObjectKind::Label(function, block), 0, true, Span::NONE).unwrap_or(0);
                self.labels.insert((function, block), pointer);
                pointer
            }
        }
    }

    pub(crate) fn global_pointer(&self, global: GlobalId) -> Pointer {
        self.globals[global.index()]
    }

    // ---- faults and inputs -------------------------------------------------------------------------------------------------------

    /// Something undefined happened: stops the run or notes it.
    #[cold]
    pub(crate) fn fault(&mut self, kind: CheckKind, span: Span, message: impl Into<String>) -> Step<()> {
        let reaction = self.policy.of(kind);
        if reaction == Reaction::Ignore {
            return Ok(());
        }
        let fault = Fault { kind, message: message.into(), span: if span.is_none() { self.span } else { span }, stack: self.stack() };
        if reaction == Reaction::Record {
            self.faults.push(fault);
            return Ok(());
        }
        Err(Box::new(End::Fault(Box::new(fault))))
    }

    /// The same, where the run cannot go on whatever the policy says.
    #[cold]
    pub(crate) fn fatal(&mut self, kind: CheckKind, span: Span, message: impl Into<String>) -> Stop {
        let span = if span.is_none() { self.span } else { span };
        Box::new(End::Fault(Box::new(Fault { kind, message: message.into(), span, stack: self.stack() })))
    }

    /// The calls that have not returned, innermost first.
    pub fn stack(&self) -> Vec<Call> {
        let call = |frame: &Frame| Call { function: self.program.functions[frame.code.function].name.clone(), span: frame.call };
        self.frames.iter().rev().take(64).map(call).collect()
    }

    /// A value that the program does not compute.
    pub(crate) fn input(&mut self, what: impl Into<String>, bits: u16, span: Span) -> Step<u128> {
        let request = Request { what: what.into(), bits, span };
        match self.inputs.values.next(&request) {
            Some(value) => {
                self.used.push(Used { request, value });
                Ok(value)
            }
            None => Err(Box::new(End::NoInput(request.what, span))),
        }
    }

    /// Where the run is.
    pub fn span(&self) -> Span {
        self.span
    }

    // ---- calls -------------------------------------------------------------------------------------------------------------------

    fn run_constructors(&mut self) -> Step<()> {
        let mut list: Vec<(u16, FunctionId)> =
            self.program.functions.enumerate().filter_map(|(id, f)| Some((f.attributes.constructor?, id))).collect();
        list.sort();
        list.into_iter().try_for_each(|(_, function)| self.call_function(function, Vec::new(), Span::NONE).map(drop))
    }

    fn run_destructors(&mut self) -> Step<()> {
        if self.library.destructors_ran {
            return Ok(());
        }
        self.library.destructors_ran = true;
        let mut list: Vec<(u16, FunctionId)> =
            self.program.functions.enumerate().filter_map(|(id, f)| Some((f.attributes.destructor?, id))).collect();
        list.sort();
        list.into_iter().rev().try_for_each(|(_, function)| self.call_function(function, Vec::new(), Span::NONE).map(drop))
    }

    fn main_arguments(&mut self, main: FunctionId) -> Step<Vec<Argument>> {
        let Type::Function { params, .. } = self.program.types.get(self.program.functions[main].ty) else { return Ok(Vec::new()) };
        let count = self.program.functions[main].body.as_ref().map_or(params.len(), |body| body.params as usize);
        let texts = self.inputs.arguments.clone();
        let word = self.program.types.target().pointer_bytes();
        let argv = self.allocate(ObjectKind::Environment, word * (texts.len() as u64 + 1), true, Span::NONE)?;
        for (index, text) in texts.iter().enumerate() {
            let string = self.allocate(ObjectKind::Environment, text.len() as u64 + 1, true, Span::NONE)?;
            self.write_bytes(string, text)?;
            self.store(Target { location: Location::Memory(argv + word * index as u64), shape: Shape::Pointer, size: word }, u128::from(string), Span::NONE)?;
        }
        let environment = self.allocate(ObjectKind::Environment, word, true, Span::NONE)?;
        let all = [
            Argument::Scalar(texts.len() as u128, Shape::Int(32, true)),
            Argument::Scalar(u128::from(argv), Shape::Pointer),
            Argument::Scalar(u128::from(environment), Shape::Pointer),
        ];
        Ok(all.into_iter().take(count).collect())
    }

    fn arbitrary_arguments(&mut self, function: FunctionId) -> Step<Vec<Argument>> {
        let function = &self.program.functions[function];
        let Some(body) = &function.body else { return Ok(Vec::new()) };
        let mut arguments = Vec::new();
        for local in body.locals.iter().take(body.params as usize) {
            let shape = Shape::of(&self.program.types, local.ty);
            let what = format!("parameter {}", local.name);
            if shape == Shape::Aggregate {
                return Err(Box::new(End::Unsupported(format!("an arbitrary structure as {what}"), local.span)));
            }
            let value = self.input(what, shape.bits(self.program.types.target().pointer_bits()), local.span)?;
            arguments.push(Argument::Scalar(value, shape));
        }
        Ok(arguments)
    }

    /// Calls a function from outside the program's own calls and runs until it returns.
    pub(crate) fn call_function(&mut self, function: FunctionId, arguments: Vec<Argument>, span: Span) -> Step<Option<u128>> {
        if self.library.nesting >= 64 {
            return Err(Box::new(End::Budget(Budget::Depth, span)));
        }
        let depth = self.frames.len();
        // The result goes to a slot of its own below the new frame.
        let slot = self.slots.len();
        self.slots.push(0);
        self.known.push(false);
        let shape = self.result_shape(function);
        let result = (shape != Shape::Aggregate).then_some(Target { location: Location::Slot(slot), shape, size: 16 });
        self.library.nesting += 1;
        let done = self.enter(function, arguments, result, span).and_then(|pushed| if pushed { self.run_until(depth) } else { Ok(()) });
        self.library.nesting -= 1;
        done?;
        let value = self.known[slot].then_some(self.slots[slot]);
        self.slots.truncate(slot);
        self.known.truncate(slot);
        Ok(value)
    }

    /// Calls what a function pointer leads to.
    pub(crate) fn call_pointer(&mut self, pointer: Pointer, arguments: Vec<Argument>, span: Span) -> Step<Option<u128>> {
        let function = self.called_function(pointer, span)?;
        self.call_function(function, arguments, span)
    }

    pub(crate) fn called_function(&mut self, pointer: Pointer, span: Span) -> Step<FunctionId> {
        let (number, offset) = split(pointer);
        match self.memory.object(number).map(|object| object.kind) {
            Some(ObjectKind::Function(function)) if offset == 0 => Ok(function),
            _ if pointer == 0 => Err(self.fatal(CheckKind::Null, span, "a call through the null pointer")),
            _ => Err(self.fatal(CheckKind::Bounds, span, "a call through a pointer that leads to no function")),
        }
    }

    fn result_shape(&self, function: FunctionId) -> Shape {
        match self.program.types.get(self.program.functions[function].ty) {
            Type::Function { ret, .. } => Shape::of(&self.program.types, *ret),
            _ => Shape::Aggregate,
        }
    }

    /// Begins a call; true if a frame was pushed, false if the call is already done.
    fn enter(&mut self, function: FunctionId, arguments: Vec<Argument>, result: Option<Target>, span: Span) -> Step<bool> {
        let Some(body) = &self.program.functions[function].body else {
            library::call(self, function, &arguments, result, span)?;
            return Ok(false);
        };
        if self.frames.len() >= self.limits.depth {
            return Err(Box::new(End::Budget(Budget::Depth, span)));
        }
        let code = self.code_of(function, body, span)?;
        let (slots, objects) = (self.slots.len(), self.objects.len());
        self.slots.resize(slots + code.slots, 0);
        self.known.resize(slots + code.slots, false);
        self.objects.resize(objects + code.objects, 0);
        let mut arguments = arguments;
        let rest = if arguments.len() > body.params as usize { arguments.split_off(body.params as usize) } else { Vec::new() };
        let missing = arguments.len() < body.params as usize;
        self.frames.push(Frame {
            code: code.clone(),
            block: Body::ENTRY,
            next: 0,
            slots,
            objects,
            result,
            rest: Rc::new(rest),
            allocas: Vec::new(),
            call: span,
        });
        (self.base, self.object_base) = (slots, objects);
        if missing {
            return Err(self.fatal(CheckKind::Uninitialised, span, "fewer arguments than the function has parameters"));
        }
        for local in &code.permanent {
            self.begin_life(&code, *local, None)?;
        }
        for (index, argument) in arguments.into_iter().enumerate() {
            self.set_parameter(&code, body, index, argument, span)?;
        }
        Ok(true)
    }

    fn set_parameter(&mut self, code: &Code, body: &Body, index: usize, argument: Argument, span: Span) -> Step<()> {
        let shape = Shape::of(&self.program.types, body.locals[LocalId::new(index as u32)].ty);
        match (code.homes[index], argument) {
            (Home::Slot(slot), Argument::Scalar(value, from)) => {
                let position = self.base + slot as usize;
                self.slots[position] = self.reinterpret(value, from, shape);
                self.known[position] = true;
            }
            (Home::Memory(object, size), Argument::Scalar(value, from)) => {
                let pointer = self.objects[self.object_base + object as usize];
                let value = self.reinterpret(value, from, shape);
                self.store(Target { location: Location::Memory(pointer), shape, size }, value, span)?;
            }
            (Home::Memory(object, size), Argument::Aggregate(blob)) => {
                let pointer = self.objects[self.object_base + object as usize];
                if blob.bytes.len() as u64 != size {
                    return Err(self.fatal(CheckKind::Bounds, span, "an argument of another type than the parameter"));
                }
                self.put(pointer, &blob, span)?;
            }
            (Home::Slot(_), Argument::Aggregate(_)) => {
                return Err(self.fatal(CheckKind::Bounds, span, "an argument of another type than the parameter"));
            }
        }
        Ok(())
    }

    /// An argument of another type than the parameter arrives as the same bits.
    fn reinterpret(&self, value: u128, from: Shape, to: Shape) -> u128 {
        match (from, to) {
            (Shape::Pointer, Shape::Int(..)) => to.cut(u128::from(self.memory.address(value as u64))),
            (Shape::Int(..), Shape::Pointer) => u128::from(self.memory.pointer(value as u64)),
            _ => to.cut(value),
        }
    }

    fn code_of(&mut self, function: FunctionId, body: &Body, span: Span) -> Step<Rc<Code>> {
        if let Some(code) = &self.code[function.index()] {
            return Ok(code.clone());
        }
        match Code::new(self.program, function, body) {
            Some(code) => {
                let code = Rc::new(code);
                self.code[function.index()] = Some(code.clone());
                Ok(code)
            }
            None => Err(Box::new(End::Unsupported("an expression nested this deep".into(), span))),
        }
    }

    /// The native implementation of a function without body, looked up once.
    pub(crate) fn native(&mut self, function: FunctionId) -> Option<library::Native> {
        *self.natives[function.index()].get_or_insert_with(|| {
            let function = &self.program.functions[function];
            library::find(function.link_name.as_deref().unwrap_or(&function.name)).or_else(|| library::find(&function.name))
        })
    }

    fn begin_life(&mut self, code: &Code, local: LocalId, size: Option<u64>) -> Step<()> {
        match code.homes[local.index()] {
            Home::Slot(slot) => self.known[self.base + slot as usize] = false,
            Home::Memory(object, declared) => {
                let position = self.object_base + object as usize;
                let before = self.objects[position];
                if before != 0 {
                    self.memory.end(split(before).0);
                }
                let span = self.program.functions[code.function].body.as_ref().map_or(Span::NONE, |body| body.locals[local].span);
                self.objects[position] = self.allocate(ObjectKind::Local(code.function, local), size.unwrap_or(declared), false, span)?;
            }
        }
        Ok(())
    }

    fn end_life(&mut self, code: &Code, local: LocalId) {
        match code.homes[local.index()] {
            Home::Slot(slot) => self.known[self.base + slot as usize] = false,
            Home::Memory(object, _) => {
                let position = self.object_base + object as usize;
                if self.objects[position] != 0 {
                    self.memory.end(split(self.objects[position]).0);
                    self.objects[position] = 0;
                }
            }
        }
    }

    /// Drops frames down to a depth.
    pub(crate) fn unwind(&mut self, depth: usize) {
        while self.frames.len() > depth {
            let Some(frame) = self.frames.pop() else { break };
            for position in frame.objects..self.objects.len() {
                if self.objects[position] != 0 {
                    self.memory.end(split(self.objects[position]).0);
                }
            }
            frame.allocas.iter().for_each(|number| self.memory.end(*number));
            self.objects.truncate(frame.objects);
            self.slots.truncate(frame.slots);
            self.known.truncate(frame.slots);
        }
        (self.base, self.object_base) = self.frames.last().map_or((0, 0), |frame| (frame.slots, frame.objects));
    }

    // ---- steps -------------------------------------------------------------------------------------------------------------------

    /// Runs until this many frames are left.
    fn run_until(&mut self, depth: usize) -> Step<()> {
        while self.frames.len() > depth {
            self.run_frame()?;
        }
        Ok(())
    }

    /// Runs the innermost frame until it calls or returns.
    fn run_frame(&mut self) -> Step<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let code = frame.code.clone();
        let (mut block, mut next) = (frame.block, frame.next);
        let program = self.program;
        let Some(body) = &program.functions[code.function].body else { return Ok(()) };
        loop {
            let current = &body.blocks[block];
            while let Some(command) = current.commands.get(next) {
                self.tick(command.span)?;
                if self.observer.is_some() {
                    self.show_step(code.function, block, next, command.span)?;
                }
                next += 1;
                match &command.kind {
                    CommandKind::Assign { dst, src } => {
                        if let PlaceNode::Slot(slot) = code.places[dst.index()] {
                            let value = self.eval(&code, *src)?;
                            let position = self.base + slot as usize;
                            self.slots[position] = value;
                            self.known[position] = true;
                        } else {
                            self.assign(&code, body, *dst, *src)?;
                        }
                    }
                    CommandKind::Call { dst, callee, args } => {
                        if let Some(frame) = self.frames.last_mut() {
                            (frame.block, frame.next) = (block, next);
                        }
                        if self.call(&code, body, *dst, *callee, args, command.span)? {
                            return Ok(());
                        }
                    }
                    other => self.command(&code, body, other, command.span)?,
                }
            }
            self.tick(current.span)?;
            if self.observer.is_some() {
                self.show_step(code.function, block, next, current.span)?;
            }
            next = 0;
            block = match &current.terminator {
                Terminator::Goto(to) => *to,
                Terminator::Branch(condition, yes, no) => {
                    if self.eval(&code, *condition)? != 0 {
                        *yes
                    } else {
                        *no
                    }
                }
                Terminator::Switch { value, cases, default } => self.switch(&code, *value, cases, *default)?,
                Terminator::Computed(target) => self.computed(&code, body, *target, current.span)?,
                Terminator::Return(value) => return self.leave(&code, *value, current.span),
                Terminator::Unreachable => {
                    return Err(self.fatal(CheckKind::Unreachable, current.span, "control came where the program says it never comes"));
                }
            };
        }
    }

    #[inline]
    fn tick(&mut self, span: Span) -> Step<()> {
        self.span = span;
        self.steps += 1;
        if self.steps > self.limits.steps {
            return Err(Box::new(End::Budget(Budget::Steps, span)));
        }
        Ok(())
    }

    fn switch(&mut self, code: &Code, value: ExprId, cases: &[model::Case], default: BlockId) -> Step<BlockId> {
        let shape = code.shapes[value.index()];
        let pattern = self.eval(code, value)?;
        let signed = matches!(shape, Shape::Int(_, true));
        let inside = |case: &&model::Case| {
            if signed {
                (shape.value(case.low)..=shape.value(case.high)).contains(&shape.value(pattern))
            } else {
                (case.low..=case.high).contains(&pattern)
            }
        };
        Ok(cases.iter().find(inside).map_or(default, |case| case.target))
    }

    fn computed(&mut self, code: &Code, body: &Body, target: ExprId, span: Span) -> Step<BlockId> {
        let pointer = self.eval(code, target)? as u64;
        match self.memory.object(split(pointer).0).map(|object| object.kind) {
            Some(ObjectKind::Label(function, block)) if function == code.function && body.address_taken.contains(&block) => Ok(block),
            _ => Err(self.fatal(CheckKind::Bounds, span, "a jump to something that is no label of this function")),
        }
    }

    fn command(&mut self, code: &Code, body: &Body, command: &CommandKind, span: Span) -> Step<()> {
        match command {
            CommandKind::Assign { dst, src } => self.assign(code, body, *dst, *src)?,
            CommandKind::Call { .. } => {}
            CommandKind::Live(local) => self.begin_life(code, *local, None)?,
            CommandKind::LiveArray(local, size) => {
                let size = self.eval(code, *size)? as u64;
                if size == 0 || size > i64::MAX as u64 {
                    self.fault(CheckKind::Bounds, span, "a variable-length array of no or negative length")?;
                }
                self.begin_life(code, *local, Some(size))?;
            }
            CommandKind::Dead(local) => self.end_life(code, *local),
            CommandKind::Assume(condition) => {
                if self.eval(code, *condition)? == 0 {
                    return Err(Box::new(End::Assumption(span)));
                }
            }
            CommandKind::Assert(condition, check) => {
                if self.eval(code, *condition)? == 0 {
                    self.fault(check.kind, check.span, "the assertion does not hold")?;
                }
            }
            CommandKind::Havoc(place) => {
                let target = self.target(code, *place, true)?;
                self.havoc(target, span)?;
            }
            CommandKind::VaStart(list) => {
                let list = self.eval(code, *list)? as u64;
                let arguments = self.frames.last().map(|frame| frame.rest.clone()).unwrap_or_default();
                self.start_va_list(list, VaList { arguments, taken: 0 }, span)?;
            }
            CommandKind::VaArg(place, list) => {
                let list = self.eval(code, *list)? as u64;
                let target = self.target(code, *place, true)?;
                self.va_arg(target, list, span)?;
            }
            CommandKind::VaEnd(list) => {
                self.eval(code, *list)?;
            }
            CommandKind::VaCopy(to, from) => {
                let (to, from) = (self.eval(code, *to)? as u64, self.eval(code, *from)? as u64);
                let index = self.va_list_index(from, span)?;
                let copy = self.va_lists[index].clone();
                self.start_va_list(to, copy, span)?;
            }
            CommandKind::Alloca(place, size) => {
                let size = self.eval(code, *size)? as u64;
                let pointer = self.allocate(ObjectKind::Alloca, size, false, span)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.allocas.push(split(pointer).0);
                }
                let target = self.target(code, *place, true)?;
                self.store(target, u128::from(pointer), span)?;
            }
            CommandKind::Unsupported(what) => return Err(Box::new(End::Unsupported(what.clone(), span))),
        }
        Ok(())
    }

    /// Gives a place an arbitrary value.
    pub(crate) fn havoc(&mut self, target: Target, span: Span) -> Step<()> {
        if target.shape == Shape::Aggregate {
            let Location::Memory(pointer) = target.location else { return Ok(()) };
            for offset in 0..target.size {
                let value = self.input("arbitrary value", 8, span)?;
                self.write_bytes(pointer + offset, &[value as u8])?;
            }
            return Ok(());
        }
        let value = self.input("arbitrary value", target.shape.bits(self.program.types.target().pointer_bits()), span)?;
        self.store(target, value, span)
    }

    fn call(&mut self, code: &Code, body: &Body, dst: Option<model::PlaceId>, callee: Callee, args: &[ExprId], span: Span) -> Step<bool> {
        let function = match callee {
            Callee::Direct(function) => function,
            Callee::Indirect(pointer) => {
                let pointer = self.eval(code, pointer)? as u64;
                self.called_function(pointer, span)?
            }
        };
        let mut arguments = Vec::with_capacity(args.len());
        for arg in args {
            arguments.push(match code.shapes[arg.index()] {
                Shape::Aggregate => Argument::Aggregate(self.aggregate(code, body, *arg)?),
                shape => Argument::Scalar(self.eval(code, *arg)?, shape),
            });
        }
        let result = match dst {
            Some(place) => Some(self.target(code, place, true)?),
            None => None,
        };
        self.enter(function, arguments, result, span)
    }

    fn leave(&mut self, code: &Code, value: Option<ExprId>, span: Span) -> Step<()> {
        let result = self.frames.last().and_then(|frame| frame.result);
        if let (Some(target), Some(value)) = (result, value) {
            let program = self.program;
            match (&program.functions[code.function].body, code.shapes[value.index()]) {
                (Some(body), Shape::Aggregate) => {
                    let blob = self.aggregate(code, body, value)?;
                    if let Location::Memory(pointer) = target.location {
                        self.put(pointer, &blob, span)?;
                    }
                }
                (_, shape) => {
                    let value = self.eval(code, value)?;
                    let value = self.reinterpret(value, shape, target.shape);
                    self.store(target, value, span)?;
                }
            }
        } else if let Some(Target { location: Location::Slot(slot), .. }) = result {
            // The result is missing; whoever uses it notices.
            self.known[slot] = false;
        } else if let Some(value) = value {
            // Nobody wants it, but computing it may be undefined.
            if code.shapes[value.index()] != Shape::Aggregate {
                self.eval(code, value)?;
            }
        }
        let depth = self.frames.len() - 1;
        self.unwind(depth);
        Ok(())
    }

    /// Writes a value of a non-slot place.
    fn assign(&mut self, code: &Code, body: &Body, dst: model::PlaceId, src: ExprId) -> Step<()> {
        let span = body.places[dst].span;
        if code.shapes[src.index()] == Shape::Aggregate {
            let target = self.target(code, dst, true)?;
            let Location::Memory(pointer) = target.location else { return Ok(()) };
            if let ExprKind::Zero = body.exprs[src].kind {
                return self.zero(pointer, target.size, span);
            }
            let blob = self.aggregate(code, body, src)?;
            return self.put(pointer, &blob, span);
        }
        // C evaluates the operands in any order; the place first is left to right.
        let target = self.target(code, dst, true)?;
        let value = self.eval(code, src)?;
        self.store(target, value, span)
    }
}

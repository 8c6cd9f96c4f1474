//! Calls: arguments, frames, lifetimes, results.

use std::rc::Rc;

use model::{Body, Callee, CheckKind, CommandKind, ExprId, FunctionId, Linkage, LocalId, Span, Type};

use crate::code::{Code, Home, Shape};
use crate::fault::{Budget, End, Step};
use crate::jump::Jump;
use crate::library;
use crate::machine::{Argument, Frame, Location, Machine, Target};
use crate::memory::{ObjectKind, Pointer, split};

impl Machine<'_, '_> {
    pub(crate) fn run_constructors(&mut self) -> Step<()> {
        let mut list: Vec<(u16, FunctionId)> =
            self.program.functions.enumerate().filter_map(|(id, f)| Some((f.attributes.constructor?, id))).collect();
        list.sort();
        list.into_iter().try_for_each(|(_, function)| self.call_function(function, Vec::new(), Span::NONE).map(drop))
    }

    pub(crate) fn run_destructors(&mut self) -> Step<()> {
        if self.library.destructors_ran {
            return Ok(());
        }
        self.library.destructors_ran = true;
        let mut list: Vec<(u16, FunctionId)> =
            self.program.functions.enumerate().filter_map(|(id, f)| Some((f.attributes.destructor?, id))).collect();
        list.sort();
        list.into_iter().rev().try_for_each(|(_, function)| self.call_function(function, Vec::new(), Span::NONE).map(drop))
    }

    pub(crate) fn main_arguments(&mut self, main: FunctionId) -> Step<Vec<Argument>> {
        let Type::Function { params, .. } = self.program.types.get(self.program.functions[main].ty) else { return Ok(Vec::new()) };
        let count = self.program.functions[main].body.as_ref().map_or(params.len(), |body| body.params as usize);
        if count == 0 {
            return Ok(Vec::new());
        }
        let texts = self.arguments()?.to_vec();
        let word = self.program.types.target().pointer_bytes();
        let argv = self.allocate(ObjectKind::Environment, word * (texts.len() as u64 + 1), true, Span::NONE)?;
        for (index, text) in texts.iter().enumerate() {
            let string = self.allocate(ObjectKind::Environment, text.len() as u64 + 1, true, Span::NONE)?;
            self.write_bytes(string, text)?;
            self.store(
                Target { location: Location::Memory(argv + word * index as u64), shape: Shape::Pointer, size: word },
                u128::from(string),
                Span::NONE,
            )?;
        }
        let environment = self.allocate(ObjectKind::Environment, word, true, Span::NONE)?;
        let all = [
            Argument::Scalar(texts.len() as u128, Shape::Int(32, true)),
            Argument::Scalar(u128::from(argv), Shape::Pointer),
            Argument::Scalar(u128::from(environment), Shape::Pointer),
        ];
        Ok(all.into_iter().take(count).collect())
    }

    pub(crate) fn arbitrary_arguments(&mut self, function: FunctionId) -> Step<Vec<Argument>> {
        let function = &self.program.functions[function];
        let Some(body) = &function.body else { return Ok(Vec::new()) };
        let mut arguments = Vec::new();
        for local in body.locals.iter().take(body.params as usize) {
            let shape = Shape::of(&self.program.types, local.ty);
            let what = format!("parameter {}", local.name);
            if shape == Shape::Aggregate {
                return Err(Box::new(End::Unsupported(format!("an arbitrary structure as {what} is not modelled"), local.span)));
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
        let outer = std::mem::replace(&mut self.floor, depth);
        self.library.nesting += 1;
        let done = self.enter(function, arguments, result, span).and_then(|pushed| if pushed { self.run_until(depth) } else { Ok(()) });
        self.library.nesting -= 1;
        self.floor = outer;
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
        let program = self.program;
        let Some(body) = program.functions[function].body.as_ref().filter(|body| !self.has_better(function, body)) else {
            if let Some(jump) = Jump::named(&self.program.functions[function].name) {
                if self.policy.is_exact() {
                    return Err(self.left_open("what variables hold behind a jump out of calls"));
                }
                return self.jump(jump, &arguments, result, span);
            }
            library::call(self, function, &arguments, result, span)?;
            return Ok(false);
        };
        if self.frames.len() >= self.limits.depth {
            return Err(Box::new(End::Budget(Budget::Depth, span)));
        }
        if program.functions[function].marks_error() {
            self.fault(CheckKind::Assertion, span, format!("`{}` is called", program.functions[function].name))?;
        }
        let code = self.code_of(function, body, span)?;
        let (slots, objects) = (self.slots.len(), self.objects.len());
        self.slots.resize(slots + code.slots, 0);
        self.known.resize(slots + code.slots, false);
        self.objects.resize(objects + code.objects, 0);
        let mut arguments = arguments;
        let rest = if arguments.len() > body.params as usize { arguments.split_off(body.params as usize) } else { Vec::new() };
        let missing = arguments.len() < body.params as usize;
        self.calls += 1;
        self.frames.push(Frame {
            number: self.calls,
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

    /// An inline definition that is not modelled gives way to the library's function, as it would to an external definition.
    fn has_better(&mut self, function: FunctionId, body: &Body) -> bool {
        self.program.functions[function].linkage == Linkage::Inline
            && body.blocks[Body::ENTRY].commands.first().is_some_and(|command| matches!(command.kind, CommandKind::Unsupported(_)))
            && self.native(function).is_some()
    }

    fn set_parameter(&mut self, code: &Code, body: &Body, index: usize, argument: Argument, span: Span) -> Step<()> {
        let shape = Shape::of(&self.program.types, body.locals[LocalId::new(index as u32)].ty);
        match (code.homes[index], argument) {
            (Home::Slot(slot), Argument::Scalar(value, from)) => {
                let position = self.base + slot as usize;
                self.slots[position] = self.reinterpret(value, from, shape)?;
                self.known[position] = true;
            }
            (Home::Memory(object, size), Argument::Scalar(value, from)) => {
                let pointer = self.objects[self.object_base + object as usize];
                let value = self.reinterpret(value, from, shape)?;
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
    fn reinterpret(&self, value: u128, from: Shape, to: Shape) -> Step<u128> {
        if (from == Shape::Pointer) != (to == Shape::Pointer) {
            self.expose(value)?;
        }
        Ok(match (from, to) {
            (Shape::Pointer, Shape::Int(..)) => to.cut(u128::from(self.memory.address(value as u64))),
            (Shape::Int(..), Shape::Pointer) => u128::from(self.memory.pointer(value as u64)),
            _ => to.cut(value),
        })
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
            None => Err(Box::new(End::Unsupported("an expression nested this deep is not modelled".into(), span))),
        }
    }

    /// The native implementation of a function without body, looked up once.
    pub(crate) fn native(&mut self, function: FunctionId) -> Option<library::Native> {
        *self.natives[function.index()].get_or_insert_with(|| {
            let function = &self.program.functions[function];
            library::find(function.link_name.as_deref().unwrap_or(&function.name)).or_else(|| library::find(&function.name))
        })
    }

    pub(crate) fn begin_life(&mut self, code: &Code, local: LocalId, size: Option<u64>) -> Step<()> {
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

    /// Begins the life of a variable by the number of its object in the frame.
    #[cold]
    pub(crate) fn belated_life(&mut self, code: &Code, object: u32) -> Step<Pointer> {
        let local = code.homes.iter().position(|home| matches!(home, Home::Memory(known, _) if *known == object)).unwrap_or(0);
        self.begin_life(code, LocalId::new(local as u32), None)?;
        Ok(self.objects[self.object_base + object as usize])
    }

    pub(crate) fn end_life(&mut self, code: &Code, local: LocalId) {
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

    pub(crate) fn call(
        &mut self,
        code: &Code,
        body: &Body,
        dst: Option<model::PlaceId>,
        callee: Callee,
        args: &[ExprId],
        span: Span,
    ) -> Step<bool> {
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

    pub(crate) fn leave(&mut self, code: &Code, value: Option<ExprId>, span: Span) -> Step<()> {
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
                    let value = self.reinterpret(value, shape, target.shape)?;
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
}

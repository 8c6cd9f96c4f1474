//! The steps of a run: commands and terminators.

use model::{BlockId, Body, CheckKind, CommandKind, ExprId, ExprKind, Span, Terminator};

use crate::code::{Code, PlaceNode, Shape};
use crate::fault::{Budget, End, Step};
use crate::machine::{Location, Machine, Target, VaList};
use crate::memory::{ObjectKind, split};

/// So many steps are taken before it is asked again whether to stop: less than a hundredth of a second.
const BETWEEN_LOOKS: u64 = 1 << 14;

impl Machine<'_, '_> {
    /// Runs until this many frames are left.
    pub(crate) fn run_until(&mut self, depth: usize) -> Step<()> {
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
            if next == 0 && self.is_marked(code.function, block) {
                self.show_step(code.function, block, 0, current.span)?;
            }
            while let Some(command) = current.commands.get(next) {
                self.tick(command.span)?;
                if self.shows_steps() {
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
            if self.shows_steps() {
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
        if self.steps > self.checkpoint { self.look_at_limits(span) } else { Ok(()) }
    }

    /// Whether the run may go on; it is asked again later.
    #[cold]
    fn look_at_limits(&mut self, span: Span) -> Step<()> {
        if self.steps > self.limits.steps {
            return Err(Box::new(End::Budget(Budget::Steps, span)));
        }
        if self.stop.as_ref().is_some_and(|stop| stop()) {
            return Err(Box::new(End::Interrupted));
        }
        self.checkpoint = self.limits.steps.min(self.steps.saturating_add(BETWEEN_LOOKS));
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
        let (number, offset) = split(pointer);
        let label = body.address_taken.iter().copied().find(|block| i64::from(block.raw()) == offset);
        match (self.memory.object(number).map(|object| object.kind), label) {
            (Some(ObjectKind::Labels(function)), Some(block)) if function == code.function => Ok(block),
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
                    self.react(self.policy.of_assertion(check.kind), check.kind, check.span, "the assertion does not hold")?;
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
                let list = self.eval(code, *list)? as u64;
                // Lists mostly end in the order in which they began; the others stay until the end.
                if self.va_list_index(list, span)? + 1 == self.va_lists.len() {
                    self.va_lists.pop();
                }
            }
            CommandKind::VaCopy(to, from) => {
                let (to, from) = (self.eval(code, *to)? as u64, self.eval(code, *from)? as u64);
                let index = self.va_list_index(from, span)?;
                let copy = self.va_lists[index].clone();
                self.start_va_list(to, copy, span)?;
            }
            CommandKind::Alloca(place, size) => {
                let size = self.eval(code, *size)? as u64;
                if size > i64::MAX as u64 {
                    self.fault(CheckKind::Bounds, span, "`alloca` of more than half of all addresses, or of a negative number of bytes")?;
                }
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

//! The walk through a function: blocks in topological order, loops unwound, paths merged where they meet.

use std::rc::Rc;

use model::{BlockId, CommandKind, FunctionId, Span, Terminator, Type, TypeId};
use rustc_hash::FxHashMap;

use crate::encoder::{CutKind, Encoder, Feasibility, Frame, Info};
use crate::object::Object;
use crate::place::{Base, Held, Location};
use crate::scalar::{OFFSET, Pointer, Scalar};
use crate::state::{Flag, Slot, State, Value};

/// States on their way to blocks.
pub(crate) type Pending = FxHashMap<BlockId, Vec<State>>;

impl<'p> Encoder<'p> {
    /// Runs a function with a body; the state after it with the caller's variables, and its result. `None` if it never returns.
    pub(crate) fn run(
        &mut self,
        state: State,
        function: FunctionId,
        args: Vec<Value>,
        variadic: Vec<(Value, TypeId)>,
        span: Span,
    ) -> Option<(State, Value, Flag)> {
        let info = self.info(function)?;
        if let Some(result) = self.shared_call(&state, &info, &args) {
            return result;
        }
        if let Some(result) = self.recursive_call(&state, &info, &args, span) {
            return result;
        }
        let deep = self.frames.iter().filter(|frame| frame.info.id == function).count() as u32;
        let recursion = (self.summarizer.is_none() && deep > self.options.unwind).then_some(CutKind::Recursion);
        if let Some(kind) = recursion.or_else(|| self.exhausted()) {
            // Without a caller, all of the function itself is what was not followed.
            let (function, block) = self.frames.last().map_or((function, model::Body::ENTRY), |frame| (frame.info.id, frame.block));
            self.cut(&state, function, block, kind, span);
            return None;
        }
        if deep > 0 && self.is_worth_asking(deep) {
            let feasibility = self.feasibility(&state);
            if feasibility == Feasibility::Invalid {
                let (function, block) = (self.current(), self.current_block());
                self.cut(&state, function, block, CutKind::Invalid, span);
            }
            if feasibility != Feasibility::Valid {
                return None;
            }
        }
        let callers = state.slots.clone();
        self.begin_call(&info, variadic, state.guard);
        let state = self.enter(state, &info, args);
        let mut returned = Vec::new();
        let mut pending = Pending::default();
        pending.insert(model::Body::ENTRY, vec![state]);
        let left = self.walk(&info, None, pending, &mut returned);
        debug_assert!(left.is_empty());
        self.frames.pop();
        let mut state = State::merge(&mut self.terms, returned)?;
        let (value, flag) = match state.slots.first() {
            Some(Slot::Private(value, flag)) => (value.clone(), *flag),
            _ => (self.no_value(), None),
        };
        state.slots = callers;
        Some((state, value, flag))
    }

    /// A call begins.
    pub(crate) fn begin_call(&mut self, info: &Rc<Info<'p>>, variadic: Vec<(Value, TypeId)>, guard: logic::Term) {
        self.calls += 1;
        self.frames.push(Frame {
            info: info.clone(),
            block: model::Body::ENTRY,
            variadic: Rc::new(variadic),
            number: self.calls,
            allocated: Vec::new(),
            crowds: Vec::new(),
            guard,
        });
    }

    /// The state in which a call begins: parameters have their values, variables of the outermost block live.
    pub(crate) fn enter(&mut self, mut state: State, info: &Info<'p>, args: Vec<Value>) -> State {
        let body = info.body;
        let mut later = vec![false; body.locals.len()];
        // A computed goto may lead past the beginning of a block, so there everything lives from the start.
        if body.address_taken.is_empty() {
            for command in body.blocks.iter().flat_map(|block| &block.commands) {
                if let CommandKind::Live(local) | CommandKind::LiveArray(local, _) = command.kind {
                    later[local.index()] = true;
                }
            }
        }
        state.slots = Rc::new(vec![Slot::Dead; body.locals.len()]);
        let mut args = args.into_iter();
        for (local, data) in body.locals.enumerate() {
            let is_param = local.index() < body.params as usize;
            if !is_param && later[local.index()] {
                continue;
            }
            self.begin_life(&mut state, info, local, None);
            if is_param && let Some(value) = args.next() {
                self.give(&mut state, local, data.ty, &value);
            }
        }
        state
    }

    /// Gives a parameter its value.
    fn give(&mut self, state: &mut State, local: model::LocalId, ty: TypeId, value: &Value) {
        let held = self.flag(true);
        match &mut Rc::make_mut(&mut state.slots)[local.index()] {
            Slot::Private(slot, flag) => (*slot, *flag) = (value.clone(), held),
            Slot::Memory(object) => {
                let pointer = Pointer { object: *object, offset: self.terms.zero(OFFSET) };
                let place = Held::Variable(pointers::Object::Local(self.current(), local));
                let location = Location { base: Base::Memory(pointer), ty, bit: None, place };
                self.store_value(state, &location, (value, None), Span::NONE);
            }
            Slot::Dead => {}
        }
    }

    /// A variable comes to life; with a size in bytes for a variable-length array.
    pub(crate) fn begin_life(&mut self, state: &mut State, info: &Info<'p>, local: model::LocalId, size: Option<logic::Term>) {
        let data = &info.body.locals[local];
        let name = if data.name.is_empty() { "temporary" } else { data.name.as_str() };
        if info.in_memory[local.index()] {
            let size = match (size, self.program.types.size_of(data.ty)) {
                (Some(size), _) => size,
                (None, bytes) => self.terms.number(OFFSET, u128::from(bytes.unwrap_or(0).min(1 << (OFFSET - 2)))),
            };
            let origin = pointers::Object::Local(info.id, local);
            let object = self.new_object(state, Object { origin, size, heap: false, writable: true, function: None });
            Rc::make_mut(&mut state.slots)[local.index()] = Slot::Memory(object.object);
            return;
        }
        let value = match self.program.types.get(data.ty) {
            Type::Array { len: None, .. } => Value::Bytes(self.arbitrary_content(self.byte_cells(), name, false)),
            _ => self.arbitrary_value(data.ty, name, false),
        };
        if let (Value::Scalar(Scalar::Term(term)), false) = (&value, data.temporary) {
            self.input(state, crate::encoder::InputKind::Variable(name.to_owned()), *term, data.span);
        }
        let flag = self.flag(false);
        Rc::make_mut(&mut state.slots)[local.index()] = Slot::Private(value, flag);
    }

    /// The life of a variable ends.
    pub(crate) fn end_life(&mut self, state: &mut State, local: model::LocalId) {
        if let Slot::Memory(object) = state.slots[local.index()] {
            self.end_object(state, object);
            Rc::make_mut(&mut state.slots)[local.index()] = Slot::Dead;
        }
    }

    /// Walks the blocks of a loop once, or those of a function outside of loops; gives the states that leave, with where they go.
    pub(crate) fn walk(
        &mut self,
        info: &Rc<Info<'p>>,
        inside: Option<usize>,
        mut pending: Pending,
        returned: &mut Vec<State>,
    ) -> Vec<(BlockId, State)> {
        let mut left = Vec::new();
        for &block in info.flow.reverse_postorder() {
            let innermost = info.loops.innermost(block);
            let header = innermost.filter(|&inner| info.loops.loops[inner].header == block && Some(inner) != inside);
            let entered = header.and_then(|inner| self.outermost_entered(info, inner, inside, block));
            if innermost != inside && entered.is_none() {
                continue;
            }
            let Some(state) = pending.remove(&block).and_then(|states| State::merge(&mut self.terms, states)) else { continue };
            if self.terms.as_bool(state.guard) == Some(false) {
                continue;
            }
            if self.options.budget.exhausted().is_some() {
                self.cut(&state, info.id, block, CutKind::Budget, info.body.blocks[block].span);
                continue;
            }
            let next = match entered {
                Some(inner) if self.summarizer.is_some() => self.leap(info, inner, state, returned),
                Some(inner) => self.unwind(info, inner, state, returned),
                None => self.block(info, block, state, returned),
            };
            for (target, state) in next {
                if self.terms.as_bool(state.guard) == Some(false) {
                    continue;
                }
                let stays = match inside {
                    Some(current) => info.loops.loops[current].contains(target) && target != info.loops.loops[current].header,
                    None => true,
                };
                if stays {
                    pending.entry(target).or_default().push(state);
                } else {
                    left.push((target, state));
                }
            }
        }
        left
    }

    /// The loop directly inside `inside` that this header belongs to: loops that share their header are walked from the outermost.
    fn outermost_entered(&self, info: &Info<'p>, inner: usize, inside: Option<usize>, block: BlockId) -> Option<usize> {
        let mut current = inner;
        loop {
            let region = &info.loops.loops[current];
            if region.header != block {
                return None;
            }
            if region.parent == inside {
                return Some(current);
            }
            current = region.parent?;
        }
    }

    /// Unwinds a loop. What goes on after the last iteration is cut.
    fn unwind(&mut self, info: &Rc<Info<'p>>, number: usize, state: State, returned: &mut Vec<State>) -> Vec<(BlockId, State)> {
        let region = &info.loops.loops[number];
        let (header, irreducible) = (region.header, region.is_irreducible());
        let span = region.source.map_or(info.body.blocks[header].span, |source| info.body.loops[source].span);
        let mut left = Vec::new();
        let mut state = state;
        if irreducible {
            self.gap(&mut state, "a loop with several entries", span);
            return left;
        }
        let mut doomed = false;
        let instance = self.visits.last().map_or(0, |visit| visit.instance + 1);
        for iteration in 0..=self.options.unwind {
            self.note_visit(info, header, instance, &state);
            if iteration > 1 && self.is_worth_asking(iteration) {
                match self.feasibility(&state) {
                    Feasibility::Valid => {}
                    Feasibility::None => return left,
                    // The loop may be about to end: one more iteration shows it.
                    Feasibility::Invalid if !doomed => doomed = true,
                    Feasibility::Invalid => {
                        self.cut(&state, info.id, header, CutKind::Invalid, span);
                        return left;
                    }
                }
            }
            let (again, exits) = self.iteration(info, number, state, returned);
            left.extend(exits);
            match again {
                Some(next) => state = next,
                None => return left,
            }
            if let Some(kind) = self.exhausted() {
                self.cut(&state, info.id, header, kind, span);
                return left;
            }
        }
        self.cut(&state, info.id, header, CutKind::Loop, span);
        left
    }

    /// Runs a block.
    fn block(&mut self, info: &Rc<Info<'p>>, block: BlockId, mut state: State, returned: &mut Vec<State>) -> Vec<(BlockId, State)> {
        let data = &info.body.blocks[block];
        for (position, command) in data.commands.iter().enumerate() {
            if let Some(frame) = self.frames.last_mut() {
                frame.block = block;
            }
            match self.command(state, info, block, position, command) {
                Some(next) => state = next,
                None => return Vec::new(),
            }
            if self.terms.as_bool(state.guard) == Some(false) {
                return Vec::new();
            }
        }
        match &data.terminator {
            Terminator::Goto(to) => vec![(*to, state)],
            Terminator::Branch(condition, yes, no) => {
                let condition = self.term(&mut state, info, *condition);
                let (mut taken, mut skipped) = (state.clone(), state);
                self.assume(&mut taken, condition);
                let not = self.terms.not(condition);
                self.assume(&mut skipped, not);
                vec![(*yes, taken), (*no, skipped)]
            }
            Terminator::Switch { value, cases, default } => {
                let ty = info.body.exprs[*value].ty;
                let signed = self.program.types.is_signed(ty);
                let value = self.term(&mut state, info, *value);
                let width = self.terms.width(value);
                let mut next: Vec<(BlockId, State)> = Vec::new();
                let mut none = self.terms.bool(true);
                for case in cases {
                    let low = self.terms.number(width, case.low);
                    let inside = if case.low == case.high {
                        self.terms.equal(value, low)
                    } else {
                        let high = self.terms.number(width, case.high);
                        let (above, below) = if signed {
                            (self.terms.sle(low, value), self.terms.sle(value, high))
                        } else {
                            (self.terms.ule(low, value), self.terms.ule(value, high))
                        };
                        self.terms.and(above, below)
                    };
                    let outside = self.terms.not(inside);
                    none = self.terms.and(none, outside);
                    let mut taken = state.clone();
                    self.assume(&mut taken, inside);
                    next.push((case.target, taken));
                }
                self.assume(&mut state, none);
                next.push((*default, state));
                next
            }
            Terminator::Computed(target) => {
                let pointer = self.pointer(&mut state, info, *target);
                let mut next = Vec::new();
                for &label in &info.body.address_taken {
                    let address = self.terms.number(OFFSET, crate::scalar::label_address(label) as u128);
                    let label_pointer = Pointer::nowhere(&mut self.terms, address);
                    let same = pointer.equal(&mut self.terms, label_pointer);
                    let mut taken = state.clone();
                    self.assume(&mut taken, same);
                    let not = self.terms.not(same);
                    self.assume(&mut state, not);
                    next.push((label, taken));
                }
                self.gap(&mut state, "a computed goto to an address that is no label", data.span);
                next
            }
            Terminator::Return(value) => {
                let flag = self.flag(value.is_some());
                let value = match value {
                    Some(value) => self.value(&mut state, info, *value),
                    None => self.missing_result(info),
                };
                self.leave(&mut state, info);
                state.slots = Rc::new(vec![Slot::Private(value, flag)]);
                returned.push(state);
                Vec::new()
            }
            // The check before says that control must not come here.
            Terminator::Unreachable => Vec::new(),
        }
    }

    /// The result of a function that returns none although it should: arbitrary.
    fn missing_result(&mut self, info: &Info<'p>) -> Value {
        match self.program.types.get(self.program.functions[info.id].ty) {
            Type::Function { ret, .. } if *self.program.types.get(*ret) != Type::Void => {
                self.arbitrary_value(*ret, "missing result", false)
            }
            _ => self.no_value(),
        }
    }

    /// The variables of a call, and what it allocated by `alloca`, cease to exist.
    fn leave(&mut self, state: &mut State, info: &Info<'p>) {
        for local in info.body.locals.ids() {
            self.end_life(state, local);
        }
        let allocated = self.frames.last().map(|frame| frame.allocated.clone()).unwrap_or_default();
        for number in allocated {
            let object = self.terms.number(crate::scalar::OBJECT, u128::from(number));
            self.end_object(state, object);
        }
        let crowds = self.frames.last().map(|frame| frame.crowds.clone()).unwrap_or_default();
        for crowd in crowds {
            let ((first, count), zero) = (crowd.numbers(&mut self.terms), self.terms.zero(1));
            let none = self.terms.constant_array(crate::scalar::OBJECT, zero);
            state.alive = self.terms.copy(state.alive, first, none, first, count);
        }
    }
}

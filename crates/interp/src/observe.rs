//! Watching a run: a hook before each step, and the values of variables.

use model::{BlockId, FunctionId, GlobalId, LocalId, Span};

use crate::code::{Home, Shape};
use crate::fault::{End, Step};
use crate::machine::{Location, Machine, Target};
use crate::memory::{ObjectKind, split};

/// Where a run is, before the step there is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The command in that block; the number of commands for its terminator.
    pub command: usize,
    /// Where that is in the source.
    pub span: Span,
    /// How many calls have not returned.
    pub depth: usize,
}

/// Sees each step before it is taken; false ends the run.
pub type Observer<'a> = Box<dyn FnMut(&Machine<'_, '_>, Position) -> bool + 'a>;

/// Whether a run has to stop.
pub type Stopper<'a> = Box<dyn Fn() -> bool + 'a>;

/// Blocks of a program: those before which a run is shown to an observer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marks(Vec<Vec<bool>>);

impl Marks {
    /// No blocks of this program.
    pub fn none(program: &model::Program) -> Self {
        Marks(program.functions.iter().map(|function| vec![false; function.body.as_ref().map_or(0, |body| body.blocks.len())]).collect())
    }

    /// The blocks to which control goes back. Every loop has one: a circle cannot go forward only.
    pub fn loop_heads(program: &model::Program) -> Self {
        let mut marks = Marks::none(program);
        for (id, function) in program.functions.enumerate() {
            let Some(body) = &function.body else { continue };
            let flow = model::FlowGraph::new(body);
            for &from in flow.reverse_postorder() {
                let back = |to: &&BlockId| flow.position(**to) <= flow.position(from);
                flow.successors(from).iter().filter(back).for_each(|to| marks.mark(id, *to));
            }
        }
        marks
    }

    /// The same, and the entries of all functions.
    pub fn heads_and_entries(program: &model::Program) -> Self {
        let mut marks = Marks::loop_heads(program);
        program.functions.ids().for_each(|function| marks.mark(function, model::Body::ENTRY));
        marks
    }

    /// Adds a block.
    pub fn mark(&mut self, function: FunctionId, block: BlockId) {
        if let Some(mark) = self.0.get_mut(function.index()).and_then(|blocks| blocks.get_mut(block.index())) {
            *mark = true;
        }
    }

    /// Whether a block is among them.
    #[inline]
    pub fn contains(&self, function: FunctionId, block: BlockId) -> bool {
        self.0.get(function.index()).and_then(|blocks| blocks.get(block.index())).copied().unwrap_or(false)
    }
}

/// Where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointee {
    /// What the object is.
    pub kind: ObjectKind,
    /// Where it was made.
    pub span: Span,
    /// The distance from its start.
    pub offset: i64,
}

impl<'a> Machine<'_, 'a> {
    /// Has every step from now on shown to an observer.
    pub fn observe(&mut self, observer: Observer<'a>) {
        self.observer = Some(observer);
        self.marks = None;
    }

    /// Has each visit of a marked block from now on shown to an observer, before its first step. This costs much less than all steps do.
    pub fn observe_blocks(&mut self, marks: Marks, observer: Observer<'a>) {
        self.observer = Some(observer);
        self.marks = Some(marks);
    }

    /// Has the run end when this says so, which is asked now and then.
    pub fn stop_when(&mut self, stop: Stopper<'a>) {
        self.stop = Some(stop);
    }

    /// Whether the beginning of a block is to be shown.
    #[inline]
    pub(crate) fn is_marked(&self, function: FunctionId, block: BlockId) -> bool {
        self.marks.as_ref().is_some_and(|marks| marks.contains(function, block))
    }

    /// Whether every step is to be shown.
    #[inline]
    pub(crate) fn shows_steps(&self) -> bool {
        self.observer.is_some() && self.marks.is_none()
    }

    /// The number of the call at a depth, which no other call of the run has.
    pub fn call_at(&self, depth: usize) -> Option<u64> {
        self.frames.get(depth.checked_sub(1)?).map(|frame| frame.number)
    }

    /// The loop heads or functions of the calls that have not returned, outermost first: function and block.
    pub fn calls(&self) -> impl Iterator<Item = (FunctionId, BlockId)> + '_ {
        self.frames.iter().map(|frame| (frame.code.function, frame.block))
    }

    /// The function of the innermost call.
    pub fn innermost(&self) -> Option<FunctionId> {
        self.frames.last().map(|frame| frame.code.function)
    }

    /// Shows a step. The observer is out of the machine meanwhile, so that it can look at all of it.
    #[cold]
    pub(crate) fn show_step(&mut self, function: FunctionId, block: BlockId, command: usize, span: Span) -> Step<()> {
        let Some(mut observer) = self.observer.take() else { return Ok(()) };
        let go_on = observer(self, Position { function, block, command, span, depth: self.frames.len() });
        self.observer = Some(observer);
        if go_on { Ok(()) } else { Err(Box::new(End::Interrupted)) }
    }

    /// The scalar variables of the innermost call that have a name: their values as bit patterns, none if they have no value.
    pub fn variables(&self) -> Vec<(LocalId, Option<u128>)> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let Some(body) = &self.program.functions[frame.code.function].body else { return Vec::new() };
        let named = body.locals.enumerate().filter(|(_, local)| !local.name.is_empty() && self.program.types.is_scalar(local.ty));
        named.map(|(id, _)| (id, self.variable(id))).collect()
    }

    /// The value of a scalar variable of the innermost call.
    pub fn variable(&self, local: LocalId) -> Option<u128> {
        let frame = self.frames.last()?;
        let body = self.program.functions[frame.code.function].body.as_ref()?;
        match frame.code.homes[local.index()] {
            Home::Slot(slot) => {
                let position = frame.slots + slot as usize;
                self.known[position].then(|| self.slots[position])
            }
            Home::Memory(object, size) => {
                let pointer = self.objects[frame.objects + object as usize];
                let shape = Shape::of(&self.program.types, body.locals[local].ty);
                self.peek(Target { location: Location::Memory(pointer), shape, size })
            }
        }
    }

    /// The value of a scalar variable of the program.
    pub fn global(&self, global: GlobalId) -> Option<u128> {
        let ty = self.program.globals.get(global)?.ty;
        let size = self.program.types.size_of(ty).filter(|_| self.program.types.is_scalar(ty))?;
        let location = Location::Memory(self.global_pointer(global));
        self.peek(Target { location, shape: Shape::of(&self.program.types, ty), size })
    }

    /// How many objects that were allocated are alive.
    pub fn heap_objects(&self) -> usize {
        self.memory.objects().filter(|(_, object)| object.kind == ObjectKind::Heap).count()
    }

    /// The object that the value of a pointer variable belongs to, if it is alive.
    pub fn pointee(&self, value: u128) -> Option<Pointee> {
        let (number, offset) = split(u64::try_from(value).ok()?);
        self.memory.object(number).map(|object| Pointee { kind: object.kind, span: object.span, offset })
    }
}

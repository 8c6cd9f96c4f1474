//! Watching a run: a hook before each step, and the values of variables.

use model::{BlockId, FunctionId, LocalId, Span};

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

    /// The object that the value of a pointer variable belongs to, if it is alive.
    pub fn pointee(&self, value: u128) -> Option<Pointee> {
        let (number, offset) = split(u64::try_from(value).ok()?);
        self.memory.object(number).map(|object| Pointee { kind: object.kind, span: object.span, offset })
    }
}

//! `setjmp` and `longjmp`: frames are data here, so a jump is a return to one of them.

use model::{BlockId, CheckKind, Span};

use crate::code::Shape;
use crate::fault::{End, Step};
use crate::machine::{Argument, Location, Machine, Target};
use crate::memory::Pointer;

/// The two functions, under all their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jump {
    /// Marks a place.
    Set,
    /// Goes there.
    Go,
}

impl Jump {
    /// The function of this name.
    pub fn named(name: &str) -> Option<Jump> {
        match name {
            "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" | "__builtin_setjmp" => Some(Jump::Set),
            "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" | "__builtin_longjmp" => Some(Jump::Go),
            _ => None,
        }
    }
}

/// A place that `setjmp` marked: behind its call in one frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JumpPoint {
    depth: usize,
    frame: u64,
    block: BlockId,
    next: usize,
    result: Option<Target>,
}

impl Machine<'_, '_> {
    /// Calls one of the two; true if another frame goes on.
    pub(crate) fn jump(&mut self, jump: Jump, arguments: &[Argument], result: Option<Target>, span: Span) -> Step<bool> {
        let scalar = |index: usize| match arguments.get(index) {
            Some(Argument::Scalar(value, _)) => *value,
            _ => 0,
        };
        let size = self.program.types.target().pointer_bytes();
        let buffer = |pointer: Pointer| Target { location: Location::Memory(pointer), shape: Shape::Int(8 * size as u8, false), size };
        let buffer = buffer(scalar(0) as u64);
        if jump == Jump::Set {
            let Some(frame) = self.frames.last() else { return Ok(false) };
            let point = JumpPoint { depth: self.frames.len(), frame: frame.number, block: frame.block, next: frame.next, result };
            self.jumps.push(point);
            self.store(buffer, self.jumps.len() as u128, span)?;
            if let Some(result) = result {
                self.store(result, 0, span)?;
            }
            return Ok(false);
        }
        let index = self.load(buffer, span)? as usize;
        let Some(point) = index.checked_sub(1).and_then(|index| self.jumps.get(index)).cloned() else {
            return Err(self.fatal(CheckKind::Uninitialised, span, "a jump to a place that was not marked by setjmp"));
        };
        if self.frames.get(point.depth.wrapping_sub(1)).is_none_or(|frame| frame.number != point.frame) {
            return Err(self.fatal(CheckKind::Dangling, span, "a jump into a call that has returned"));
        }
        if point.depth <= self.floor {
            return Err(Box::new(End::Unsupported("a jump out of a function that the library called is not modelled".into(), span)));
        }
        self.unwind(point.depth);
        if let Some(frame) = self.frames.last_mut() {
            (frame.block, frame.next) = (point.block, point.next);
        }
        if let Some(result) = point.result {
            let value = Shape::Int(32, true).cut(scalar(1));
            self.store(result, if value == 0 { 1 } else { value }, span)?;
        }
        Ok(true)
    }
}

//! What pointers point to.

use model::{BlockId, FunctionId, GlobalId, Id, LocalId, Program};

use crate::offsets::Offsets;

/// A command of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The position of the command in that block.
    pub command: usize,
}

/// Where objects are allocated: the command that does it, and the calls through which control came to it as far as they are told apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Allocation {
    /// The allocating command first, then the call of its function, and so on.
    pub sites: Vec<Site>,
}

/// The index of an [`Allocation`].
pub type AllocationId = Id<Allocation>;

/// An abstract object: it stands for one object of a run, or for many.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// An object with static storage.
    Global(GlobalId),
    /// A variable of a function, in all calls that there are.
    Local(FunctionId, LocalId),
    /// All objects that one allocation makes: `malloc` and the like, `alloca`.
    Heap(AllocationId),
    /// A function: it can be called, and has no bytes.
    Function(FunctionId),
    /// The arrays of pointers that `main` gets: arguments and environment.
    Arguments,
    /// The strings that those point to.
    ArgumentStrings,
    /// The arguments behind `...` in all calls of a function. Only a `va_list` points to it.
    Variadic(FunctionId),
    /// Whatever belongs to code that is not part of the program, and with it all objects that such code knows: a pointer to it may point to any
    /// of them, at any offset.
    External,
}

/// Where a pointer may point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    /// The object.
    pub object: Object,
    /// Where in it.
    pub offsets: Offsets,
}

/// Bytes that one access may touch: `size` of them at one of the offsets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// The object.
    pub object: Object,
    /// Where in it.
    pub offsets: Offsets,
    /// How many bytes; [`Cell::REST`] for all to the end of the object.
    pub size: u64,
}

impl Cell {
    /// The size of an access that may go as far as its object.
    pub const REST: u64 = u64::MAX;
}

/// The size of an object if it is the same for all that it stands for.
pub(crate) fn size_of(program: &Program, object: Object) -> Option<u64> {
    match object {
        Object::Global(id) => {
            let global = program.globals.get(id)?;
            // What is only declared here may be larger elsewhere.
            let init = global.init.as_ref()?;
            init.size.or_else(|| program.types.size_of(global.ty))
        }
        Object::Local(function, local) => {
            let body = program.functions.get(function)?.body.as_ref()?;
            program.types.size_of(body.locals.get(local)?.ty)
        }
        Object::Function(_) => Some(0),
        Object::Heap(_) | Object::Arguments | Object::ArgumentStrings | Object::Variadic(_) | Object::External => None,
    }
}

/// The offsets at which an access of `size` bytes can be inside an object of `room` bytes; `None` if there are none.
pub(crate) fn clip(offsets: Offsets, size: u64, room: Option<u64>) -> Option<Offsets> {
    let Some(room) = room.and_then(|room| i64::try_from(room).ok()) else { return Some(offsets) };
    let last = room.checked_sub(i64::try_from(size).ok()?)?;
    offsets.within(0, last.saturating_add(1))
}

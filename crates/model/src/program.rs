//! A program: its files, types, objects and functions.

use serde::{Deserialize, Serialize};

use crate::arena::{Arena, Id};
use crate::graph::{BlockId, Body};
use crate::span::Span;
use crate::types::{Target, TypeId, Types};

/// The index of a [`Function`] in its program.
pub type FunctionId = Id<Function>;
/// The index of a [`Global`] in its program.
pub type GlobalId = Id<Global>;

/// One translation unit, or several linked together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The names of the source files, as the compiler saw them.
    pub files: Arena<String>,
    /// All types and the data model.
    pub types: Types,
    /// Objects with static storage, string literals included.
    pub globals: Arena<Global>,
    /// Functions, defined or only declared.
    pub functions: Arena<Function>,
    /// Assembly outside functions: not modelled, so whoever uses the program must say so.
    pub assembly: Vec<Span>,
}

impl Program {
    /// An empty program.
    pub fn new(target: Target) -> Self {
        Program { files: Arena::new(), types: Types::new(target), globals: Arena::new(), functions: Arena::new(), assembly: Vec::new() }
    }

    /// What the names of files begin with that hold models of library functions: places in them are nothing that a user wrote.
    pub const LIBRARY: &str = "<library>/";

    /// Whether a place is in a model of a library function.
    pub fn is_library(&self, span: Span) -> bool {
        !span.is_none() && self.files.get(span.file).is_some_and(|file| file.starts_with(Program::LIBRARY))
    }
}

/// How a symbol is seen by the linker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Linkage {
    /// One definition in the whole program.
    External,
    /// Gives way to an external definition.
    Weak,
    /// A tentative definition under `-fcommon`: merges with its like, gives way to a real one.
    Common,
    /// A C99 inline definition (or GNU `extern inline`): a body to use where no external definition is found.
    Inline,
    /// Private to its translation unit.
    Internal,
}

impl Linkage {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Linkage::External => "external",
            Linkage::Weak => "weak",
            Linkage::Common => "common",
            Linkage::Inline => "inline",
            Linkage::Internal => "internal",
        }
    }
}

/// An object with static storage.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Global {
    /// Its name in the source; for a function's static variable `function.name`, for a string literal or compound literal a made-up one with a dot.
    pub name: String,
    /// Its name for the linker where `asm("name")` gives another one.
    pub link_name: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// How the linker sees it.
    pub linkage: Linkage,
    /// Its content at start; `None` if it is only declared here.
    pub init: Option<Init>,
    /// Whether the program may not write to it: `const` objects and string literals.
    pub constant: bool,
    /// Whether each thread has its own.
    pub thread_local: bool,
    /// The name of the symbol that it is another name for (`__attribute__((alias))`).
    pub alias: Option<String>,
    /// Where it is declared.
    pub span: Span,
}

/// The content of an object at start, as an object file holds it: bytes (little-endian), zero where nothing is said, and addresses that
/// are known only when the program is put together. A global that is an alias has an empty one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Init {
    /// Stretches that are not all zero, by ascending offset, disjoint.
    pub chunks: Vec<Chunk>,
    /// Addresses, by ascending offset, disjoint from the chunks.
    pub relocations: Vec<Relocation>,
    /// The object's size where its type does not tell: an initialised flexible array member, an array completed here.
    pub size: Option<u64>,
}

/// Bytes at an offset.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Chunk {
    /// Where they begin.
    pub offset: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// An address to be put into an object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Relocation {
    /// Where in the object.
    pub offset: u64,
    /// How many bytes: 4 or 8.
    pub bytes: u8,
    /// The address of what.
    pub target: Address,
    /// Plus this number of bytes.
    pub addend: i64,
}

/// Something with an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Address {
    /// An object.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// A label of a function.
    Label(FunctionId, BlockId),
    /// The distance from the second label to the first, both of one function (`&&a - &&b`).
    LabelDifference(FunctionId, BlockId, BlockId),
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// Its name in the source.
    pub name: String,
    /// Its name for the linker where `asm("name")` gives another one.
    pub link_name: Option<String>,
    /// Its type, always a `Type::Function`.
    pub ty: TypeId,
    /// How the linker sees it.
    pub linkage: Linkage,
    /// What its attributes say.
    pub attributes: Attributes,
    /// Its graph; `None` if it is only declared here.
    pub body: Option<Body>,
    /// Where it is declared.
    pub span: Span,
}

impl Function {
    /// Whether this is a function of the library that ends the program as `exit` does, however it is declared.
    pub fn exits(&self) -> bool {
        self.body.is_none() && matches!(self.name.as_str(), "exit" | "_exit" | "_Exit" | "quick_exit")
    }

    /// Whether a call of it says that something is wrong, by the convention of verification tasks, whatever its body does.
    pub fn marks_error(&self) -> bool {
        matches!(self.name.as_str(), "reach_error" | "__VERIFIER_error")
    }
}

/// What attributes say of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Attributes {
    /// It does not return to its caller.
    pub noreturn: bool,
    /// It runs before `main`, with this priority.
    pub constructor: Option<u16>,
    /// It runs after `main`, with this priority.
    pub destructor: Option<u16>,
    /// It is another name of this symbol.
    pub alias: Option<String>,
}

//! Which name means what, where.

use model::{FunctionId, GlobalId, LocalId};

use super::ctype::{EnumIdx, Qual, RecordIdx, Ty};
use crate::ast::Range;
use crate::intern::Symbol;

/// What an identifier in C's ordinary name space means.
#[derive(Clone, Copy, Debug)]
pub enum Entity {
    Typedef(Qual),
    /// A constant of an enumeration, or a C23 `constexpr` object's value: its bit pattern.
    Constant(u128, Ty),
    Local(Variable, Qual),
    Static(GlobalId, Qual),
    /// Something with linkage; an index into the table of linked declarations.
    Linked(u32),
    /// A function inside a function.
    Nested(FunctionId),
}

/// A parameter or automatic variable, of the current function or of one around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// How many functions its function stands in, itself included.
    pub level: u32,
    pub local: LocalId,
}

/// What tells an entity from others: its kind, its level and its number there.
pub type EntityKey = (u8, u32, u32);

impl Entity {
    /// What tells this entity from all others of its unit and function.
    pub fn key(self) -> EntityKey {
        match self {
            Entity::Typedef(_) | Entity::Constant(..) => (0, 0, 0),
            Entity::Local(Variable { level, local }, _) => (1, level, local.raw()),
            Entity::Static(global, _) => (2, 0, global.raw()),
            Entity::Linked(index) => (3, 0, index),
            Entity::Nested(function) => (4, 0, function.raw()),
        }
    }
}

/// What a tag means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    Record(RecordIdx),
    Enum(EnumIdx),
}

/// A declaration with linkage, collected over all its places.
#[derive(Debug)]
pub struct Linked {
    pub name: Symbol,
    pub ty: Qual,
    pub range: Range,
    pub internal: bool,
    pub state: Definition,
    /// The model's entry, made when the thing is defined or first used.
    pub entry: Option<Entry>,
    pub attributes: LinkedAttributes,
}

/// Whether a linked thing is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    Declared,
    Tentative,
    Defined,
}

/// What the attributes and specifiers of all declarations together say.
#[derive(Clone, Default, Debug)]
pub struct LinkedAttributes {
    pub weak: bool,
    pub noreturn: bool,
    pub alias: Option<String>,
    pub link_name: Option<String>,
    pub constructor: Option<u16>,
    pub destructor: Option<u16>,
    pub thread_local: bool,
    /// Declared at least once without `inline`, or with `extern`: by C99 the definition is then external.
    pub external_inline: bool,
    pub inline: bool,
    pub gnu_inline: bool,
    /// The last declaration was `extern inline`.
    pub extern_inline: bool,
}

/// An entry of the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    Function(FunctionId),
    Global(GlobalId),
}

/// One name space with nested scopes: a stack of bindings, each remembering what it hides.
#[derive(Debug)]
pub struct Bindings<T> {
    /// For each symbol, 1 + the index of its innermost binding.
    innermost: Vec<u32>,
    stack: Vec<Binding<T>>,
    marks: Vec<usize>,
}

#[derive(Debug)]
struct Binding<T> {
    symbol: Symbol,
    hidden: u32,
    value: T,
    range: Range,
}

impl<T: Copy> Bindings<T> {
    pub fn new() -> Self {
        Bindings { innermost: Vec::new(), stack: Vec::new(), marks: Vec::new() }
    }
    pub fn enter(&mut self) {
        self.marks.push(self.stack.len());
    }
    pub fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.stack.len() > mark {
            if let Some(binding) = self.stack.pop() {
                self.innermost[binding.symbol.0 as usize] = binding.hidden;
            }
        }
    }
    /// Whether the innermost scope is the file's.
    pub fn at_file_scope(&self) -> bool {
        self.marks.is_empty()
    }
    pub fn bind(&mut self, symbol: Symbol, value: T, range: Range) {
        let index = symbol.0 as usize;
        if self.innermost.len() <= index {
            self.innermost.resize(index + 1, 0);
        }
        let hidden = std::mem::replace(&mut self.innermost[index], self.stack.len() as u32 + 1);
        self.stack.push(Binding { symbol, hidden, value, range });
    }
    pub fn get(&self, symbol: Symbol) -> Option<T> {
        self.find(symbol).map(|index| self.stack[index].value)
    }
    /// The binding of this name in the innermost scope, and where it was made.
    pub fn get_here(&self, symbol: Symbol) -> Option<(T, Range)> {
        let index = self.find(symbol)?;
        (index >= self.marks.last().copied().unwrap_or(0)).then(|| (self.stack[index].value, self.stack[index].range))
    }
    /// Changes the innermost binding of a name.
    pub fn rebind(&mut self, symbol: Symbol, value: T) {
        if let Some(index) = self.find(symbol) {
            self.stack[index].value = value;
        }
    }
    fn find(&self, symbol: Symbol) -> Option<usize> {
        let slot = *self.innermost.get(symbol.0 as usize)?;
        (slot as usize).checked_sub(1)
    }
}

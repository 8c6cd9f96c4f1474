//! The program graph of a function.
//!
//! Straight-line commands are gathered in blocks; a block ends in one terminator that says where control goes.
//! Guards belong to terminators, so the cases of a branch are exclusive and complete by construction: no pass can
//! lose one. The graph of locations and guarded edges that the papers speak of is a view of this (`show cfg`).

use serde::{Deserialize, Serialize};

use crate::arena::{Arena, Id};
use crate::expr::{Expr, ExprId, Place, PlaceId, PlaceKind};
use crate::program::Function;
use crate::span::Span;
use crate::types::{Field, RecordKind, Type, TypeId, Types};

/// The index of a [`Block`] in its body.
pub type BlockId = Id<Block>;
/// The index of a [`Local`] in its body.
pub type LocalId = Id<Local>;

/// The definition of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Body {
    /// Parameters first, then variables and temporaries.
    pub locals: Arena<Local>,
    /// How many of the locals are parameters.
    pub params: u32,
    /// All expressions; each refers only to expressions and places that were made earlier.
    pub exprs: Arena<Expr>,
    /// All places; the same holds for them (see [`Body::creation_order`]).
    pub places: Arena<Place>,
    /// The blocks; control enters at block 0.
    pub blocks: Arena<Block>,
    /// The loops that the source spells as loops, in source order.
    pub loops: Vec<SourceLoop>,
    /// Labels whose address is taken: where a computed goto can go.
    pub address_taken: Vec<BlockId>,
    /// The closing brace.
    pub end: Span,
}

impl Body {
    /// Where control enters.
    pub const ENTRY: BlockId = Id::new(0);

    /// The field that a place is; none if it is none.
    pub fn field<'t>(&self, types: &'t Types, place: PlaceId) -> Option<&'t Field> {
        let PlaceKind::Field(base, index) = self.places[place].kind else { return None };
        let Type::Record(record) = types.get(self.places[base].ty) else { return None };
        types.record(*record).layout.as_ref()?.fields.get(index as usize)
    }

    /// How many elements of the array in a place may be accessed. None if its type does not tell, and if it is the last member of an object
    /// behind a pointer, where it often stands for a longer one: then only the object's end counts. A variable has no more than its type says.
    pub fn element_limit(&self, types: &Types, array: PlaceId) -> Option<u64> {
        let Type::Array { len, .. } = types.get(self.places[array].ty) else { return None };
        len.filter(|_| !self.is_trailing(types, array))
    }

    fn is_trailing(&self, types: &Types, array: PlaceId) -> bool {
        let mut place = array;
        while let PlaceKind::Field(base, index) = self.places[place].kind {
            let Type::Record(record) = types.get(self.places[base].ty) else { return false };
            let record = types.record(*record);
            let last = record.layout.as_ref().is_some_and(|layout| index as usize + 1 == layout.fields.len());
            if !last && record.kind == RecordKind::Struct {
                return false;
            }
            place = base;
        }
        place != array && matches!(self.places[place].kind, PlaceKind::Deref(_))
    }

    /// All expressions and places in an order in which each refers only to earlier ones.
    pub fn creation_order(&self) -> impl Iterator<Item = Created> + '_ {
        let mut exprs = self.exprs.ids().peekable();
        let mut places = self.places.enumerate().peekable();
        std::iter::from_fn(move || {
            // A place comes as soon as its expression is there.
            let next_expr = exprs.peek().copied();
            let ready = |place: &Place| next_expr.is_none_or(|next| place.kind.operand().is_none_or(|operand| operand < next));
            match places.next_if(|(_, place)| ready(place)) {
                Some((id, _)) => Some(Created::Place(id)),
                None => exprs.next().map(Created::Expr),
            }
        })
    }
}

/// An element of a body's arenas of expressions and places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Created {
    /// An expression.
    Expr(ExprId),
    /// A place.
    Place(PlaceId),
}

/// A variable of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Local {
    /// Its name in the source; empty for a temporary.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
    /// A temporary is written once before each use and its address is never taken.
    pub temporary: bool,
}

/// Commands in a row, then a choice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Block {
    /// What is done, in order.
    pub commands: Vec<Command>,
    /// Where control goes then.
    pub terminator: Terminator,
    /// Where the terminator stands in the source.
    pub span: Span,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Command {
    /// What it does.
    pub kind: CommandKind,
    /// Where it stands in the source.
    pub span: Span,
}

/// What a step does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CommandKind {
    /// Writes a value (scalar, record or array) of the same type into a place.
    Assign {
        /// Where to.
        dst: PlaceId,
        /// What.
        src: ExprId,
    },
    /// Calls a function; arguments have the parameters' types, further ones are for `...`.
    Call {
        /// Where the result goes, if anybody wants it; of the function's return type.
        dst: Option<PlaceId>,
        /// Who is called.
        callee: Callee,
        /// With what.
        args: Vec<ExprId>,
    },
    /// The lifetime of a block's variable begins; it holds nothing yet. Variables of a function's outermost block, parameters and
    /// temporaries live from call to return and have no such command.
    Live(LocalId),
    /// The same for a variable-length array, with its size in bytes.
    LiveArray(LocalId, ExprId),
    /// The lifetime of a variable ends.
    Dead(LocalId),
    /// Only runs in which this `Bool` holds go on.
    Assume(ExprId),
    /// This `Bool` must hold.
    Assert(ExprId, Check),
    /// A place takes an arbitrary value.
    Havoc(PlaceId),
    /// `va_start` on the object that this pointer leads to.
    VaStart(ExprId),
    /// `va_arg`: the next argument goes to the place.
    VaArg(PlaceId, ExprId),
    /// `va_end`.
    VaEnd(ExprId),
    /// `va_copy`, destination first.
    VaCopy(ExprId, ExprId),
    /// Memory of the given number of bytes that lives until the function returns; its address goes to the place.
    Alloca(PlaceId, ExprId),
    /// Something that is not modelled. No verdict may rest on a run that comes here.
    Unsupported(String),
}

impl CommandKind {
    /// The expressions that it evaluates, in order; those inside its place not included.
    pub fn exprs(&self) -> impl Iterator<Item = ExprId> + '_ {
        let (fixed, args): ([Option<ExprId>; 2], &[ExprId]) = match self {
            CommandKind::Call { callee: Callee::Indirect(callee), args, .. } => ([Some(*callee), None], args),
            CommandKind::Call { callee: Callee::Direct(_), args, .. } => ([None; 2], args),
            CommandKind::Assign { src: expr, .. }
            | CommandKind::LiveArray(_, expr)
            | CommandKind::Assume(expr)
            | CommandKind::Assert(expr, _)
            | CommandKind::VaStart(expr)
            | CommandKind::VaArg(_, expr)
            | CommandKind::VaEnd(expr)
            | CommandKind::Alloca(_, expr) => ([Some(*expr), None], &[]),
            CommandKind::VaCopy(to, from) => ([Some(*to), Some(*from)], &[]),
            CommandKind::Live(_) | CommandKind::Dead(_) | CommandKind::Havoc(_) | CommandKind::Unsupported(_) => ([None; 2], &[]),
        };
        fixed.into_iter().flatten().chain(args.iter().copied())
    }
    /// The place that it writes.
    pub fn place(&self) -> Option<PlaceId> {
        match self {
            CommandKind::Assign { dst: place, .. }
            | CommandKind::Havoc(place)
            | CommandKind::VaArg(place, _)
            | CommandKind::Alloca(place, _) => Some(*place),
            CommandKind::Call { dst, .. } => *dst,
            _ => None,
        }
    }
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// This function.
    Direct(Id<Function>),
    /// The function that this pointer leads to.
    Indirect(ExprId),
}

/// Where control goes at the end of a block.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Terminator {
    /// There.
    Goto(BlockId),
    /// To the first block if the `Bool` holds, else to the second.
    Branch(ExprId, BlockId, BlockId),
    /// By the value of an integer.
    Switch {
        /// The value.
        value: ExprId,
        /// Disjoint cases.
        cases: Vec<Case>,
        /// Where to go otherwise.
        default: BlockId,
    },
    /// To the label with this address; undefined if it is none of the body's `address_taken`.
    Computed(ExprId),
    /// Back to the caller. Without value in a function that has one: the result is missing and must not be used.
    Return(Option<ExprId>),
    /// Control never comes here; it would be undefined (`__builtin_unreachable`).
    Unreachable,
}

impl Terminator {
    /// The expression that decides, or the value that is returned.
    pub fn expr(&self) -> Option<ExprId> {
        match self {
            Terminator::Branch(expr, ..) | Terminator::Switch { value: expr, .. } | Terminator::Computed(expr) => Some(*expr),
            Terminator::Return(value) => *value,
            Terminator::Goto(_) | Terminator::Unreachable => None,
        }
    }
    /// The blocks that may come next, each perhaps more than once. A computed goto's are the body's `address_taken`.
    pub fn successors<'a>(&'a self, address_taken: &'a [BlockId]) -> impl Iterator<Item = BlockId> + 'a {
        let (fixed, cases, computed): ([Option<BlockId>; 2], &[Case], &[BlockId]) = match self {
            Terminator::Goto(to) => ([Some(*to), None], &[], &[]),
            Terminator::Branch(_, yes, no) => ([Some(*yes), Some(*no)], &[], &[]),
            Terminator::Switch { cases, default, .. } => ([Some(*default), None], cases, &[]),
            Terminator::Computed(_) => ([None, None], &[], address_taken),
            Terminator::Return(_) | Terminator::Unreachable => ([None, None], &[], &[]),
        };
        let cases = cases.iter().map(|case| case.target);
        fixed.into_iter().flatten().chain(cases).chain(computed.iter().copied())
    }
}

/// A range of values of a switch and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Case {
    /// The lowest value, as a bit pattern of the switch's type.
    pub low: u128,
    /// The highest value, not below the lowest in the order of the switch's type.
    pub high: u128,
    /// Where control goes.
    pub target: BlockId,
}

/// A loop statement of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceLoop {
    /// How it is written.
    pub kind: LoopKind,
    /// Its head: the block that every iteration passes first (for `do`, the start of its body).
    pub head: BlockId,
    /// The keyword and what follows it.
    pub span: Span,
}

/// How a loop is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum LoopKind {
    /// `while (…)`
    While,
    /// `do … while (…)`
    Do,
    /// `for (…)`
    For,
}

/// The identity of an assertion: what is checked, and for which source construct.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Check {
    /// What is checked.
    pub kind: CheckKind,
    /// The construct that must be right.
    pub span: Span,
    /// The number of the weakness in the Common Weakness Enumeration that a violation is: the best guess from the program's text.
    pub cwe: u16,
}

impl Check {
    /// A check with the weakness that is usual for its kind.
    pub fn new(kind: CheckKind, span: Span) -> Self {
        Check { kind, span, cwe: kind.cwe() }
    }
}

/// What a check is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "`name` says what each is")]
pub enum CheckKind {
    Assertion,
    Bounds,
    Null,
    Dangling,
    Free,
    Leak,
    SignedOverflow,
    UnsignedOverflow,
    Division,
    Shift,
    Conversion,
    Float,
    Uninitialised,
    Unreachable,
}

impl CheckKind {
    /// Whether a run means nothing any more after it has failed: invalid accesses, and control where it cannot be.
    pub fn guards_memory(self) -> bool {
        matches!(self, CheckKind::Bounds | CheckKind::Null | CheckKind::Dangling | CheckKind::Free | CheckKind::Unreachable)
    }

    /// All kinds, in the order in which they are listed.
    pub const ALL: [CheckKind; 14] = [
        CheckKind::Assertion,
        CheckKind::Bounds,
        CheckKind::Null,
        CheckKind::Dangling,
        CheckKind::Free,
        CheckKind::Leak,
        CheckKind::SignedOverflow,
        CheckKind::UnsignedOverflow,
        CheckKind::Division,
        CheckKind::Shift,
        CheckKind::Conversion,
        CheckKind::Float,
        CheckKind::Uninitialised,
        CheckKind::Unreachable,
    ];

    /// The name as it is printed and as flags take it.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::Assertion => "assert",
            CheckKind::Bounds => "bounds",
            CheckKind::Null => "null",
            CheckKind::Dangling => "dangling",
            CheckKind::Free => "free",
            CheckKind::Leak => "leak",
            CheckKind::SignedOverflow => "overflow",
            CheckKind::UnsignedOverflow => "unsigned-overflow",
            CheckKind::Division => "division",
            CheckKind::Shift => "shift",
            CheckKind::Conversion => "conversion",
            CheckKind::Float => "float",
            CheckKind::Uninitialised => "uninit",
            CheckKind::Unreachable => "unreachable",
        }
    }

    /// The weakness that a violation usually is, by its number in the Common Weakness Enumeration. [`Check::cwe`] may know better.
    pub fn cwe(self) -> u16 {
        match self {
            CheckKind::Assertion => 617,
            CheckKind::Bounds => 823,
            CheckKind::Null => 476,
            CheckKind::Dangling => 416,
            CheckKind::Free => 590,
            CheckKind::Leak => 401,
            CheckKind::SignedOverflow | CheckKind::UnsignedOverflow => 190,
            CheckKind::Division => 369,
            CheckKind::Shift => 1335,
            CheckKind::Conversion => 681,
            CheckKind::Float => 1339,
            CheckKind::Uninitialised => 457,
            CheckKind::Unreachable => 758,
        }
    }
}

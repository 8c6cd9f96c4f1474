//! Expressions and places. Expressions have no side effects; they read memory, and evaluating them can be
//! undefined in C's sense (a check then guards them), but never changes anything.
//!
//! Expressions and places live in the arenas of their function's [`Body`](crate::Body). An expression refers
//! only to expressions and places made before it, so every walk can be a loop instead of a recursion.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::arena::Id;
use crate::graph::{BlockId, Local};
use crate::program::{Function, Global};
use crate::span::Span;
use crate::types::{Target, Type, TypeId};

/// The index of an [`Expr`] in its body.
pub type ExprId = Id<Expr>;
/// The index of a [`Place`] in its body.
pub type PlaceId = Id<Place>;

/// An expression with its type and where it was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: TypeId,
    /// Where it stands in the source.
    pub span: Span,
}

/// What an expression computes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ExprKind {
    /// A constant of type `Bool`, `Int` or `Pointer` (0 is the null pointer): its bit pattern, no wider than the type.
    Int(u128),
    /// A constant of a `Float` type: its bit pattern in that format.
    Float(u128),
    /// The value of a scalar or aggregate whose bytes are all zero.
    Zero,
    /// The value in a place: a scalar, a whole record or a whole array.
    Load(PlaceId),
    /// A pointer to a place that is not a bit-field.
    AddressOf(PlaceId),
    /// A pointer to a function.
    Function(Id<Function>),
    /// The address of a label, for computed gotos.
    Label(BlockId),
    /// An operation on one value.
    Unary(UnaryOp, ExprId),
    /// An operation on two values.
    Binary(BinaryOp, ExprId, ExprId),
    /// A conversion; what it does follows from the types (see [`Cast semantics`](ExprKind#casts)).
    ///
    /// # Casts
    /// Between integers (and from `Bool`): the value modulo 2^bits. To `Bool` there is no cast, only `!=`. Integer to float and
    /// float to float: rounded to nearest even. Float to integer: truncated, undefined if out of range. Between pointers: the
    /// same address. Between pointers and integers: the address, cut or extended like an unsigned integer.
    Cast(ExprId),
    /// A pointer moved by a number of elements of its pointee type (of bytes for `void` and functions). The index counts by its
    /// mathematical value, whatever its type.
    PointerAdd(ExprId, ExprId),
    /// The distance between two pointers of the same type in elements, as a signed integer of pointer width.
    PointerDiff(ExprId, ExprId),
    /// The second value if the first (a `Bool`) is true, else the third. The front end uses it only where neither can be undefined.
    Select(ExprId, ExprId, ExprId),
    /// Whether the exact result of the operation on the exact values does not fit the type: a `Bool`.
    Overflows(OverflowOp, ExprId, ExprId, TypeId),
    /// A question about the object that a pointer belongs to. It can be asked of every pointer; it accesses nothing.
    Query(Query, ExprId),
    /// Whether two pointers belong to the same object, or both to none: a `Bool`.
    SameObject(ExprId, ExprId),
    /// Whether every bit of the scalar in a place holds a value: a `Bool`. False if there is no such object.
    Initialised(PlaceId),
    /// Whether no object from `malloc` and the like is alive: a `Bool`.
    HeapEmpty,
}

impl ExprKind {
    /// The expressions that it is made of, in order; those inside its place not included.
    pub fn operands(&self) -> impl Iterator<Item = ExprId> + use<> {
        let operands = match *self {
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Query(_, a) => [Some(a), None, None],
            ExprKind::Binary(_, a, b)
            | ExprKind::PointerAdd(a, b)
            | ExprKind::PointerDiff(a, b)
            | ExprKind::Overflows(_, a, b, _)
            | ExprKind::SameObject(a, b) => [Some(a), Some(b), None],
            ExprKind::Select(a, b, c) => [Some(a), Some(b), Some(c)],
            _ => [None; 3],
        };
        operands.into_iter().flatten()
    }
    /// The place that it reads, points to or asks about.
    pub fn place(&self) -> Option<PlaceId> {
        match *self {
            ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Initialised(place) => Some(place),
            _ => None,
        }
    }
}

/// An operation on one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnaryOp {
    /// Arithmetic negation of an integer or float.
    Neg,
    /// Bitwise complement of an integer.
    BitNot,
    /// Negation of a `Bool`.
    Not,
    /// The number of leading zero bits of an integer, as a 32-bit `int`; undefined for 0.
    LeadingZeros,
    /// The number of trailing zero bits; undefined for 0.
    TrailingZeros,
    /// The number of one bits.
    PopCount,
    /// The bytes in opposite order.
    ByteSwap,
    /// The absolute value of a float.
    FloatAbs,
    /// The sign bit of a float: a `Bool`.
    SignBit,
    /// Whether a float is not a number: a `Bool`.
    IsNan,
    /// Whether a float is infinite, with either sign: a `Bool`.
    IsInfinite,
}

/// A question about the object that a pointer belongs to. Null, null moved by some bytes, and integers made pointers that lead nowhere
/// belong to no object; what has no bytes (functions, labels) is an object of size 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Query {
    /// Its size in bytes, 0 if there is none: an unsigned integer of pointer width. Of an object that is not alive nothing is said.
    ObjectSize,
    /// The pointer's distance from the object's start in bytes: a signed integer of pointer width. If there is no object: the address.
    Offset,
    /// Whether there is no object.
    IsNull,
    /// Whether the object exists now: not freed, its block not left, its function not returned. False if there is none.
    Alive,
    /// Whether it came from `malloc` and the like, alive or not.
    Heap,
    /// Whether there is an object that is alive and not constant (string literals and `const` globals are).
    Writable,
    /// Whether the pointer leads to the beginning of a function, so that it can be called.
    Function,
}

impl Query {
    /// All of them.
    pub const ALL: [Query; 7] =
        [Query::ObjectSize, Query::Offset, Query::IsNull, Query::Alive, Query::Heap, Query::Writable, Query::Function];

    /// The name as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Query::ObjectSize => "object_size",
            Query::Offset => "pointer_offset",
            Query::IsNull => "is_null",
            Query::Alive => "is_alive",
            Query::Heap => "is_heap",
            Query::Writable => "is_writable",
            Query::Function => "is_function",
        }
    }
    /// The type of the answer.
    pub fn ty(self, target: Target) -> Type {
        match self {
            Query::ObjectSize => Type::Int { bits: target.pointer_bits(), signed: false },
            Query::Offset => Type::Int { bits: target.pointer_bits(), signed: true },
            Query::IsNull | Query::Alive | Query::Heap | Query::Writable | Query::Function => Type::Bool,
        }
    }
}

/// An operation on two values. Both operands have the same type, except that a shift's distance may have any integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinaryOp {
    /// Sum; integers wrap.
    Add,
    /// Difference; integers wrap.
    Sub,
    /// Product; integers wrap.
    Mul,
    /// Quotient, towards zero; undefined for a divisor 0.
    Div,
    /// Remainder with the sign of the dividend (integers only).
    Rem,
    /// Left shift; undefined for a distance outside 0 to bits − 1.
    Shl,
    /// Right shift, arithmetic for signed types.
    Shr,
    /// Bitwise and; conjunction of `Bool`s.
    And,
    /// Bitwise or; disjunction of `Bool`s.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Equality: a `Bool`.
    Eq,
    /// Inequality: a `Bool`.
    Ne,
    /// Less: a `Bool`.
    Lt,
    /// Less or equal: a `Bool`.
    Le,
    /// Greater: a `Bool`.
    Gt,
    /// Greater or equal: a `Bool`.
    Ge,
}

impl BinaryOp {
    /// Whether the result is a `Bool` about the operands.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
    /// Whether a comparison holds for values in this order; false for operators that compare nothing.
    pub fn holds(self, ordering: Ordering) -> bool {
        use BinaryOp::*;
        match self {
            Eq => ordering.is_eq(),
            Ne => ordering.is_ne(),
            Lt => ordering.is_lt(),
            Le => ordering.is_le(),
            Gt => ordering.is_gt(),
            Ge => ordering.is_ge(),
            _ => false,
        }
    }
    /// The operator as C writes it.
    pub fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            And => "&",
            Or => "|",
            Xor => "^",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
        }
    }
}

/// An exact integer operation that may not fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum OverflowOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
}

/// A place in memory: what C calls an lvalue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// How it is found.
    pub kind: PlaceKind,
    /// The type of what it holds.
    pub ty: TypeId,
    /// Whether the object is accessed as `volatile`.
    pub volatile: bool,
    /// Where it stands in the source.
    pub span: Span,
}

/// How a place is found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PlaceKind {
    /// A parameter, automatic variable or temporary.
    Local(Id<Local>),
    /// An object with static storage.
    Global(Id<Global>),
    /// What a pointer points to, seen as the type of the place.
    Deref(ExprId),
    /// A field (by position) of a record in a place.
    Field(PlaceId, u32),
    /// An element of an array in a place; the index counts by its mathematical value.
    Index(PlaceId, ExprId),
}

impl PlaceKind {
    /// The place that it is a part of.
    pub fn base(&self) -> Option<PlaceId> {
        match *self {
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => Some(base),
            _ => None,
        }
    }
    /// The pointer that leads to it, or its index.
    pub fn operand(&self) -> Option<ExprId> {
        match *self {
            PlaceKind::Deref(operand) | PlaceKind::Index(_, operand) => Some(operand),
            _ => None,
        }
    }
}

//! The types of the model. C's qualifiers, typedef names, enumerations and ranks are gone; what is left is
//! what a value *is*: its width, its sign, its layout.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::arena::{Arena, Id};
use crate::span::Span;

/// Objects have fewer than two to the power of this many bytes. No machine of today has room for larger ones.
pub const OBJECT_BITS: u32 = 39;

/// The index of an interned [`Type`]; equal ids are equal types.
pub type TypeId = Id<Type>;
/// The index of a [`Record`]; records are equal only if they are the same record.
pub type RecordId = Id<Record>;

/// The data model, which fixes the sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Target {
    /// `long` and pointers have 64 bits: x86-64 Linux.
    #[default]
    Lp64,
    /// `int`, `long` and pointers have 32 bits: i386 Linux.
    Ilp32,
}

impl Target {
    /// The size of a pointer in bytes.
    pub fn pointer_bytes(self) -> u64 {
        match self {
            Target::Lp64 => 8,
            Target::Ilp32 => 4,
        }
    }
    /// The width of a pointer in bits.
    pub fn pointer_bits(self) -> u16 {
        self.pointer_bytes() as u16 * 8
    }
    /// The name as it is printed: `lp64` or `ilp32`.
    pub fn name(self) -> &'static str {
        match self {
            Target::Lp64 => "lp64",
            Target::Ilp32 => "ilp32",
        }
    }
}

/// A binary floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FloatFormat {
    /// IEEE binary16, `_Float16`.
    F16,
    /// IEEE binary32, `float`.
    F32,
    /// IEEE binary64, `double`.
    F64,
    /// The 80-bit x87 format, `long double`.
    X87,
    /// IEEE binary128, `_Float128`.
    F128,
}

impl FloatFormat {
    /// How many bits of a value carry meaning.
    pub fn bits(self) -> u16 {
        match self {
            FloatFormat::F16 => 16,
            FloatFormat::F32 => 32,
            FloatFormat::F64 => 64,
            FloatFormat::X87 => 80,
            FloatFormat::F128 => 128,
        }
    }
    /// The name as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            FloatFormat::F16 => "f16",
            FloatFormat::F32 => "f32",
            FloatFormat::F64 => "f64",
            FloatFormat::X87 => "x87",
            FloatFormat::F128 => "f128",
        }
    }
}

/// A type of values or objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Type {
    /// No value.
    Void,
    /// A truth value: what comparisons give, what branches take, what `_Bool` objects hold in one byte.
    Bool,
    /// A two's complement integer of 1 to 128 bits. In memory it takes the next power of two of bytes, except in a bit-field.
    Int {
        /// The width.
        bits: u16,
        /// Whether the top bit is a sign.
        signed: bool,
    },
    /// A floating-point number.
    Float(FloatFormat),
    /// A pointer to an object or function of this type.
    Pointer(TypeId),
    /// Elements in a row.
    Array {
        /// The type of each element; never `Void`, a function, or an array of unknown length that is not at the end of a chain.
        elem: TypeId,
        /// How many; `None` for incomplete, flexible and variable-length arrays.
        len: Option<u64>,
    },
    /// A structure or union.
    Record(RecordId),
    /// A function.
    Function {
        /// What it returns; `Void` for nothing.
        ret: TypeId,
        /// What it takes.
        params: Vec<TypeId>,
        /// Whether more arguments may follow: `...`, or a declaration without prototype.
        variadic: bool,
    },
}

/// Whether the fields of a record follow each other or share their place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum RecordKind {
    /// Fields one after the other.
    Struct,
    /// Fields at the same place.
    Union,
}

/// A structure or union with its layout.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// Structure or union.
    pub kind: RecordKind,
    /// Its tag; empty for an anonymous one.
    pub name: String,
    /// Its fields and size; `None` while it is only declared.
    pub layout: Option<Layout>,
    /// Where it is defined.
    pub span: Span,
}

/// Fields, size and alignment of a complete record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Layout {
    /// The fields in order of declaration. Unnamed bit-fields are padding and not listed.
    pub fields: Vec<Field>,
    /// The size in bytes, tail padding included.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Its name; empty for an anonymous structure or union.
    pub name: String,
    /// Its type. A bit-field has an `Int` of exactly its width, or `Bool`.
    pub ty: TypeId,
    /// Where it begins, in bytes. For a bit-field: the byte that holds its lowest bit.
    pub offset: u64,
    /// For a bit-field, the position (0 to 7) of its lowest bit in the byte at `offset`.
    pub bit: Option<u8>,
}

/// All types of a program, interned, and its records.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "StoredTypes", into = "StoredTypes")]
pub struct Types {
    target: Target,
    types: Arena<Type>,
    records: Arena<Record>,
    interned: FxHashMap<Type, TypeId>,
}

impl PartialEq for Types {
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target && self.types == other.types && self.records == other.records
    }
}

impl Types {
    /// An empty table.
    pub fn new(target: Target) -> Self {
        Types { target, types: Arena::new(), records: Arena::new(), interned: FxHashMap::default() }
    }
    /// The data model that the sizes follow.
    pub fn target(&self) -> Target {
        self.target
    }
    /// The id of a type, the same for equal types.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.interned.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.interned.insert(ty, id);
        id
    }
    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }
    /// All types, each after those it was built from unless a record closes a circle.
    pub fn all(&self) -> &Arena<Type> {
        &self.types
    }
    /// All records.
    pub fn records(&self) -> &Arena<Record> {
        &self.records
    }
    /// The record behind an id.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id]
    }
    /// The record behind an id, to complete it.
    pub fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id]
    }
    /// A new record, different from all others.
    pub fn add_record(&mut self, record: Record) -> RecordId {
        self.records.push(record)
    }
    /// `Void`.
    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }
    /// `Bool`.
    pub fn bool(&mut self) -> TypeId {
        self.intern(Type::Bool)
    }
    /// An integer type.
    pub fn int(&mut self, bits: u16, signed: bool) -> TypeId {
        self.intern(Type::Int { bits, signed })
    }
    /// A pointer type.
    pub fn pointer(&mut self, to: TypeId) -> TypeId {
        self.intern(Type::Pointer(to))
    }
    /// An array type.
    pub fn array(&mut self, elem: TypeId, len: Option<u64>) -> TypeId {
        self.intern(Type::Array { elem, len })
    }

    /// The size of an object in bytes; `None` for what has no size (void, functions, incomplete types) or one beyond 2^64.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Void | Type::Function { .. } => None,
            Type::Bool => Some(1),
            Type::Int { bits, .. } => Some(u64::from(bits.div_ceil(8).next_power_of_two())),
            Type::Float(FloatFormat::X87) if self.target == Target::Ilp32 => Some(12),
            Type::Float(format) => Some(u64::from(format.bits().div_ceil(8).next_power_of_two())),
            Type::Pointer(_) => Some(self.target.pointer_bytes()),
            Type::Array { elem, len } => self.size_of(*elem)?.checked_mul((*len)?),
            Type::Record(record) => self.record(*record).layout.as_ref().map(|layout| layout.size),
        }
    }
    /// Whether this is an integer with a sign.
    pub fn is_signed(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int { signed: true, .. })
    }
    /// Whether this is `Bool`, an integer, a float or a pointer.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Pointer(_))
    }
    /// The width of a value in bits, for `Bool`, integers, floats and pointers.
    pub fn bits(&self, id: TypeId) -> Option<u16> {
        match self.get(id) {
            Type::Bool => Some(1),
            Type::Int { bits, .. } => Some(*bits),
            Type::Float(format) => Some(format.bits()),
            Type::Pointer(_) => Some(self.target.pointer_bits()),
            _ => None,
        }
    }
    /// The bit pattern of an integer constant cut down to the width of its type.
    pub fn truncate(&self, id: TypeId, value: u128) -> u128 {
        match self.bits(id) {
            Some(bits) if bits < 128 => value & ((1 << bits) - 1),
            _ => value,
        }
    }
    /// The value of a bit pattern of this type: sign-extended if the type has a sign. Unsigned patterns above `i128::MAX` come out negative.
    pub fn value(&self, id: TypeId, pattern: u128) -> i128 {
        match self.get(id) {
            Type::Int { bits, signed: true } if *bits > 0 && *bits < 128 => {
                let shift = 128 - u32::from(*bits);
                ((pattern << shift) as i128) >> shift
            }
            _ => pattern as i128,
        }
    }
}

/// What is stored of [`Types`]: everything but the hash table.
#[derive(Serialize, Deserialize)]
struct StoredTypes {
    target: Target,
    types: Arena<Type>,
    records: Arena<Record>,
}

impl From<StoredTypes> for Types {
    fn from(stored: StoredTypes) -> Self {
        let interned = stored.types.enumerate().map(|(id, ty)| (ty.clone(), id)).collect();
        Types { target: stored.target, types: stored.types, records: stored.records, interned }
    }
}
impl From<Types> for StoredTypes {
    fn from(types: Types) -> Self {
        StoredTypes { target: types.target, types: types.types, records: types.records }
    }
}

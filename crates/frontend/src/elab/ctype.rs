//! C's types as the standard knows them, before they become the model's.

mod lowering;

use model::{FloatFormat, RecordId, Target, TypeId};
use rustc_hash::FxHashMap;

use crate::ast::Qualifiers;
use crate::intern::Symbol;

/// Arrays and records may lie inside each other this deep.
pub const NESTING_LIMIT: u32 = 250;

/// An interned type; equal ids are equal types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Ty(u32);

/// A type with its qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Qual {
    pub ty: Ty,
    pub q: Qualifiers,
    /// An alignment that a typedef gives by attribute, as 1 + its binary logarithm; 0 for the type's own.
    pub align: u8,
}

impl From<Ty> for Qual {
    fn from(ty: Ty) -> Self {
        Qual { ty, q: Qualifiers::default(), align: 0 }
    }
}

impl Qual {
    /// The same type with these qualifiers too.
    pub fn with(self, q: Qualifiers) -> Qual {
        Qual { q: union(self.q, q), ..self }
    }
}

impl Qual {
    /// A type with qualifiers and its own alignment.
    pub fn new(ty: Ty, q: Qualifiers) -> Qual {
        Qual { ty, q, align: 0 }
    }
}

/// The qualifiers of both.
pub fn union(a: Qualifiers, b: Qualifiers) -> Qualifiers {
    Qualifiers {
        is_const: a.is_const || b.is_const,
        is_volatile: a.is_volatile || b.is_volatile,
        is_restrict: a.is_restrict || b.is_restrict,
        is_atomic: a.is_atomic || b.is_atomic,
    }
}

/// An integer type by its keyword, which decides its rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

/// The index of a structure or union in [`CTypes::records`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RecordIdx(pub u32);
/// The index of an enumeration in [`CTypes::enums`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EnumIdx(pub u32);

/// A type without its qualifiers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CType {
    Void,
    Bool,
    Int(IntKind),
    /// The value of a bit-field wider than `int`: GCC computes with exactly its width.
    Bits {
        bits: u16,
        signed: bool,
    },
    Float(FloatFormat),
    /// A complex number, with the type of its parts.
    Complex(Ty),
    Pointer(Qual),
    Array {
        elem: Qual,
        len: Len,
    },
    Function(Signature),
    Record(RecordIdx),
    Enum(EnumIdx),
    /// GNU's vectors: they have a size and can be declared, but no operation on them is modelled.
    Vector {
        elem: Ty,
        len: u64,
    },
}

/// The length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Len {
    /// `[]`
    Incomplete,
    Fixed(u64),
    /// `[n]` with `n` computed when the declaration was reached; an index into the function's table of such lengths.
    Variable(u32),
    /// `[*]` in a prototype.
    Star,
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub ret: Qual,
    pub params: Vec<Qual>,
    pub variadic: bool,
    /// False for `f()` in C before C23: nothing is known of the parameters.
    pub prototype: bool,
}

/// A structure or union as the source declares it.
#[derive(Debug)]
pub struct CRecord {
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// `None` while it is incomplete.
    pub fields: Option<Vec<CField>>,
    pub size: u64,
    /// The number of the length that holds the size in bytes, for a structure with variable-length members (GNU).
    pub variable_size: Option<u32>,
    pub align: u64,
    /// `__attribute__((transparent_union))`
    pub transparent: bool,
    /// How deep arrays and records lie in it, itself included.
    pub nesting: u32,
    pub model: RecordId,
}

/// A member.
#[derive(Clone, Debug)]
pub struct CField {
    /// `None` for an anonymous structure or union.
    pub name: Option<Symbol>,
    pub ty: Qual,
    pub offset: u64,
    /// The number of the length that holds the offset in bytes, behind a variable-length member.
    pub variable_offset: Option<u32>,
    /// For a bit-field: the position of its lowest bit in the byte at `offset`, and its width.
    pub bits: Option<(u8, u16)>,
}

/// An enumeration.
#[derive(Debug)]
pub struct CEnum {
    pub tag: Option<Symbol>,
    /// The integer type it is compatible with; `None` while it is incomplete.
    pub underlying: Option<Ty>,
}

/// All types of a translation unit.
pub struct CTypes {
    pub target: Target,
    unsigned_char: bool,
    types: Vec<CType>,
    interned: FxHashMap<CType, Ty>,
    pub records: Vec<CRecord>,
    pub enums: Vec<CEnum>,
    lowered: Vec<Option<TypeId>>,
    /// The records behind complex types and vectors, made when first needed.
    complex: FxHashMap<TypeId, RecordId>,
    vectors: FxHashMap<(Ty, u64), RecordId>,
}

macro_rules! basic_types {
    ($($name:ident = $index:literal: $ty:expr;)*) => {
        impl CTypes {
            const BASIC: &[CType] = &[$($ty),*];
        }
        impl Ty {
            $(pub const $name: Ty = Ty($index);)*
        }
    };
}

basic_types! {
    VOID = 0: CType::Void;
    BOOL = 1: CType::Bool;
    CHAR = 2: CType::Int(IntKind::Char);
    SCHAR = 3: CType::Int(IntKind::SChar);
    UCHAR = 4: CType::Int(IntKind::UChar);
    SHORT = 5: CType::Int(IntKind::Short);
    USHORT = 6: CType::Int(IntKind::UShort);
    INT = 7: CType::Int(IntKind::Int);
    UINT = 8: CType::Int(IntKind::UInt);
    LONG = 9: CType::Int(IntKind::Long);
    ULONG = 10: CType::Int(IntKind::ULong);
    LONGLONG = 11: CType::Int(IntKind::LongLong);
    ULONGLONG = 12: CType::Int(IntKind::ULongLong);
    INT128 = 13: CType::Int(IntKind::Int128);
    UINT128 = 14: CType::Int(IntKind::UInt128);
    FLOAT16 = 15: CType::Float(FloatFormat::F16);
    FLOAT = 16: CType::Float(FloatFormat::F32);
    DOUBLE = 17: CType::Float(FloatFormat::F64);
    LDOUBLE = 18: CType::Float(FloatFormat::X87);
    FLOAT128 = 19: CType::Float(FloatFormat::F128);
}

impl CTypes {
    pub fn new(target: Target, unsigned_char: bool) -> Self {
        let mut types = CTypes {
            target,
            unsigned_char,
            types: Vec::new(),
            interned: FxHashMap::default(),
            records: Vec::new(),
            enums: Vec::new(),
            lowered: Vec::new(),
            complex: FxHashMap::default(),
            vectors: FxHashMap::default(),
        };
        for ty in Self::BASIC {
            types.intern(ty.clone());
        }
        types
    }

    pub fn intern(&mut self, ty: CType) -> Ty {
        if let Some(&id) = self.interned.get(&ty) {
            return id;
        }
        let id = Ty(self.types.len() as u32);
        self.types.push(ty.clone());
        self.interned.insert(ty, id);
        self.lowered.push(None);
        id
    }

    pub fn get(&self, ty: Ty) -> &CType {
        &self.types[ty.0 as usize]
    }

    pub fn pointer(&mut self, to: impl Into<Qual>) -> Ty {
        self.intern(CType::Pointer(to.into()))
    }

    pub fn complex(&mut self, part: Ty) -> Ty {
        self.intern(CType::Complex(part))
    }

    pub fn array(&mut self, elem: impl Into<Qual>, len: Len) -> Ty {
        self.intern(CType::Array { elem: elem.into(), len })
    }

    pub fn record(&self, record: RecordIdx) -> &CRecord {
        &self.records[record.0 as usize]
    }

    /// `size_t`.
    pub fn size_type(&self) -> Ty {
        match self.target {
            Target::Lp64 => Ty::ULONG,
            Target::Ilp32 => Ty::UINT,
        }
    }

    /// `ptrdiff_t`.
    pub fn difference_type(&self) -> Ty {
        match self.target {
            Target::Lp64 => Ty::LONG,
            Target::Ilp32 => Ty::INT,
        }
    }

    /// `wchar_t`.
    pub fn wide_type(&self) -> Ty {
        match self.target {
            Target::Lp64 => Ty::INT,
            Target::Ilp32 => Ty::LONG,
        }
    }

    /// Width and sign of an integer type (enumerations and `_Bool` included).
    pub fn int_shape(&self, ty: Ty) -> Option<(u16, bool)> {
        Some(match self.get(ty) {
            CType::Bool => (1, false),
            CType::Int(kind) => (self.int_bits(*kind), self.int_signed(*kind)),
            CType::Bits { bits, signed } => (*bits, *signed),
            CType::Enum(e) => return self.int_shape(self.enums[e.0 as usize].underlying.unwrap_or(Ty::UINT)),
            _ => return None,
        })
    }

    fn int_bits(&self, kind: IntKind) -> u16 {
        use IntKind::*;
        match kind {
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong => self.target.pointer_bits(),
            LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
        }
    }

    fn int_signed(&self, kind: IntKind) -> bool {
        use IntKind::*;
        match kind {
            Char => !self.unsigned_char,
            SChar | Short | Int | Long | LongLong | Int128 => true,
            UChar | UShort | UInt | ULong | ULongLong | UInt128 => false,
        }
    }

    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self.get(ty), CType::Bool | CType::Int(_) | CType::Bits { .. } | CType::Enum(_))
    }
    pub fn is_float(&self, ty: Ty) -> bool {
        matches!(self.get(ty), CType::Float(_))
    }
    pub fn is_complex(&self, ty: Ty) -> bool {
        matches!(self.get(ty), CType::Complex(_))
    }
    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_float(ty) || self.is_complex(ty)
    }
    pub fn is_real(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }
    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self.get(ty), CType::Pointer(_))
    }
    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_real(ty) || self.is_pointer(ty)
    }
    pub fn is_vector(&self, ty: Ty) -> bool {
        matches!(self.get(ty), CType::Vector { .. })
    }
    pub fn is_function(&self, ty: Ty) -> bool {
        matches!(self.get(ty), CType::Function(_))
    }
    pub fn is_array(&self, ty: Ty) -> bool {
        matches!(self.get(ty), CType::Array { .. })
    }
    pub fn pointee(&self, ty: Ty) -> Option<Qual> {
        match self.get(ty) {
            CType::Pointer(to) => Some(*to),
            _ => None,
        }
    }
    pub fn element(&self, ty: Ty) -> Option<(Qual, Len)> {
        match self.get(ty) {
            CType::Array { elem, len } => Some((*elem, *len)),
            _ => None,
        }
    }
    pub fn signature(&self, ty: Ty) -> Option<&Signature> {
        match self.get(ty) {
            CType::Function(signature) => Some(signature),
            _ => None,
        }
    }
    pub fn as_record(&self, ty: Ty) -> Option<RecordIdx> {
        match self.get(ty) {
            CType::Record(record) => Some(*record),
            _ => None,
        }
    }

    /// Whether an object of this type may not be written: it is `const`, or its elements are.
    pub fn is_constant(&self, ty: Qual) -> bool {
        let mut ty = ty;
        while let (false, CType::Array { elem, .. }) = (ty.q.is_const, self.get(ty.ty)) {
            ty = *elem;
        }
        ty.q.is_const
    }

    /// How deep arrays and records lie inside each other in this type.
    pub fn nesting(&self, ty: Ty) -> u32 {
        let (mut ty, mut depth) = (ty, 0);
        loop {
            match self.get(ty) {
                CType::Array { elem, .. } => {
                    depth += 1;
                    ty = elem.ty;
                }
                CType::Record(record) => return depth + self.record(*record).nesting,
                CType::Complex(_) => return depth + 1,
                CType::Vector { .. } => return depth + 2,
                _ => return depth,
            }
        }
    }

    /// Whether the size depends on a value computed at run time.
    pub fn is_variable(&self, ty: Ty) -> bool {
        let mut ty = ty;
        while let CType::Array { elem, len } = self.get(ty) {
            if matches!(len, Len::Variable(_) | Len::Star) {
                return true;
            }
            ty = elem.ty;
        }
        self.variable_size(ty).is_some()
    }

    /// The number of the length that holds the size of a structure with variable-length members.
    pub fn variable_size(&self, ty: Ty) -> Option<u32> {
        self.as_record(ty).and_then(|record| self.record(record).variable_size)
    }

    /// Whether the type depends on a run-time length anywhere, also behind pointers and in signatures' results.
    pub fn is_variably_modified(&self, ty: Ty) -> bool {
        let mut ty = ty;
        loop {
            match self.get(ty) {
                CType::Array { len: Len::Variable(_) | Len::Star, .. } => return true,
                CType::Array { elem, .. } => ty = elem.ty,
                CType::Pointer(to) => ty = to.ty,
                CType::Function(signature) => ty = signature.ret.ty,
                _ => return self.variable_size(ty).is_some(),
            }
        }
    }

    /// The size in bytes, where it is a constant.
    pub fn size(&self, ty: Ty) -> Option<u64> {
        let mut ty = ty;
        let mut factor = 1u64;
        let size = loop {
            break match self.get(ty) {
                CType::Void | CType::Function(_) => return None,
                CType::Bool => 1,
                CType::Int(kind) => u64::from(self.int_bits(*kind) / 8),
                CType::Bits { bits, .. } => u64::from(bits.div_ceil(8).next_power_of_two()),
                CType::Float(format) => self.float_size(*format),
                CType::Complex(part) => {
                    factor = factor.checked_mul(2)?;
                    ty = *part;
                    continue;
                }
                CType::Pointer(_) => self.target.pointer_bytes(),
                CType::Array { elem, len } => {
                    let Len::Fixed(len) = *len else { return None };
                    factor = factor.checked_mul(len)?;
                    ty = elem.ty;
                    continue;
                }
                CType::Record(record) => {
                    let record = self.record(*record);
                    if record.fields.is_none() || record.variable_size.is_some() {
                        return None;
                    }
                    record.size
                }
                CType::Enum(e) => {
                    ty = self.enums[e.0 as usize].underlying?;
                    continue;
                }
                CType::Vector { elem, len } => self.size(*elem)?.checked_mul(*len)?,
            };
        };
        size.checked_mul(factor)
    }

    fn float_size(&self, format: FloatFormat) -> u64 {
        match (format, self.target) {
            (FloatFormat::X87, Target::Ilp32) => 12,
            _ => u64::from(format.bits().div_ceil(8).next_power_of_two()),
        }
    }

    /// The alignment in bytes, as C's `_Alignof` and structure layout have it.
    pub fn align(&self, ty: Ty) -> u64 {
        let mut ty = ty;
        loop {
            return match self.get(ty) {
                CType::Void | CType::Function(_) => 1,
                CType::Array { elem, .. } => {
                    ty = elem.ty;
                    continue;
                }
                CType::Record(record) => self.record(*record).align,
                CType::Enum(e) => {
                    ty = self.enums[e.0 as usize].underlying.unwrap_or(Ty::UINT);
                    continue;
                }
                CType::Vector { .. } => self.size(ty).unwrap_or(16),
                CType::Complex(part) => {
                    ty = *part;
                    continue;
                }
                CType::Float(FloatFormat::F128) => 16,
                CType::Float(FloatFormat::X87) => self.scalar_align(16),
                _ => self.scalar_align(self.size(ty).unwrap_or(1)),
            };
        }
    }

    /// The alignment of a type that a typedef may have changed. An atomic object that one instruction can access is aligned to its size.
    pub fn align_qualified(&self, ty: Qual) -> u64 {
        match (ty.align, self.get(ty.ty)) {
            (0, CType::Array { elem, .. }) => self.align_qualified(*elem),
            (0, _) => match self.size(ty.ty) {
                Some(size @ (1 | 2 | 4 | 8 | 16)) if ty.q.is_atomic => self.align(ty.ty).max(size),
                _ => self.align(ty.ty),
            },
            (align, _) => 1 << (align - 1),
        }
    }

    /// On i386, no scalar is aligned to more than 4 bytes inside a structure (System V ABI).
    pub fn scalar_align(&self, size: u64) -> u64 {
        match self.target {
            Target::Lp64 => size,
            Target::Ilp32 => size.min(4),
        }
    }

    /// GNU's `__alignof__`: what the compiler gives a free-standing object, which on i386 is 8 for 8-byte numbers.
    pub fn preferred_align(&self, ty: Qual) -> u64 {
        match self.get(ty.ty) {
            _ if ty.align != 0 => self.align_qualified(ty),
            CType::Array { elem, .. } => self.preferred_align(*elem),
            CType::Enum(e) => self.preferred_align(self.enums[e.0 as usize].underlying.unwrap_or(Ty::UINT).into()),
            CType::Int(_) | CType::Float(FloatFormat::F64) => self.size(ty.ty).unwrap_or(1),
            CType::Complex(part) => self.preferred_align((*part).into()),
            _ => self.align_qualified(ty),
        }
    }
}

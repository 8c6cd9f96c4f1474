//! The operators of terms and the sorts that they take and give.

use model::FloatFormat;

use crate::sort::Sort;
use crate::term::{ConstantId, TableId, VariableId};

/// What a term does with its arguments. Bit-vector operators mean what SMT-LIB's mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A truth value.
    Bool(bool),
    /// A constant bit-vector.
    Constant(ConstantId),
    /// A free variable of sort `Bool`, `Bits` or `Array`.
    Variable(VariableId),

    /// Negation.
    Not,
    /// Conjunction of two.
    And,
    /// Disjunction of two.
    Or,
    /// Exclusive or of two truth values.
    Xor,
    /// Equality of two terms of any one sort; of floats, that they are the same value (NaN equals NaN, zeros differ by sign).
    Equal,
    /// The second argument if the first is true, else the third; of any sort.
    Ite,

    /// Bitwise complement.
    BitNot,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Two's complement.
    Neg,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; all ones for a divisor 0.
    Udiv,
    /// Unsigned remainder; the dividend for a divisor 0.
    Urem,
    /// Signed quotient towards zero.
    Sdiv,
    /// Signed remainder with the dividend's sign.
    Srem,
    /// Left shift; 0 for too large a distance.
    Shl,
    /// Logical right shift.
    Lshr,
    /// Arithmetic right shift.
    Ashr,
    /// Unsigned less.
    Ult,
    /// Signed less.
    Slt,
    /// Whether the exact unsigned product does not fit.
    UmulOverflows,
    /// Whether the exact signed product does not fit.
    SmulOverflows,
    /// Both in a row, the first at the top.
    Concat,
    /// The bits from this one upwards, as many as the sort says.
    Extract(u32),
    /// Wider by zeros at the top.
    ZeroExtend,
    /// Wider by copies of the sign.
    SignExtend,

    /// The float that a bit pattern stands for.
    FloatFromBits(FloatFormat),
    /// The bit pattern of a float; that of NaN is the canonical one.
    FloatToBits,
    /// Sum, to nearest even; so are all float operations.
    FloatAdd,
    /// Difference.
    FloatSub,
    /// Product.
    FloatMul,
    /// Quotient.
    FloatDiv,
    /// Square root.
    FloatSqrt,
    /// Product of the first two plus the third, rounded once.
    FloatFma,
    /// C's `fmod`: the exact remainder of the quotient towards zero.
    FloatMod,
    /// C's `remainder`: the exact remainder of the quotient to nearest even.
    FloatRem,
    /// The integral value that this rounding gives, as a float.
    FloatRound(Rounding),
    /// The other sign (NaN stays).
    FloatNeg,
    /// Without sign.
    FloatAbs,
    /// IEEE equality: zeros are equal, NaN equals nothing.
    FloatEq,
    /// IEEE less.
    FloatLt,
    /// IEEE less or equal.
    FloatLe,
    /// Whether it is NaN.
    FloatIsNan,
    /// Whether it is an infinity.
    FloatIsInfinite,
    /// The same number in another format, rounded.
    FloatConvert(FloatFormat),
    /// An integer as a float, rounded.
    FloatFromInt {
        /// The result's format.
        format: FloatFormat,
        /// Whether the integer has a sign.
        signed: bool,
    },
    /// A float as an integer, towards zero; 0 for NaN and what does not fit (see `FloatFitsInt`).
    FloatToInt {
        /// Whether the integer has a sign.
        signed: bool,
        /// The integer's width.
        width: u32,
    },
    /// Whether a float, towards zero, fits an integer type.
    FloatFitsInt {
        /// Whether the integer has a sign.
        signed: bool,
        /// The integer's width.
        width: u32,
    },

    /// The element of an array at an index.
    Select,
    /// An array with another element at an index.
    Store,
    /// The array with the same element everywhere; the sort has the index width.
    ConstantArray,
    /// A constant array, written out.
    Table(TableId),
    /// `(a, at, b, from, count)`: array `a`, where the `count` elements from `at` on are those of `b` from `from` on. Indices wrap.
    Copy,
    /// `(a, from, end, low, high)`: whether all elements of a segment of `a` are between `low` and `high`.
    ///
    /// The end may be narrower than an index: it is compared with the low bits of indices. The segment has the indices with the same high bits as
    /// `from` whose low bits are not below those of `from`, below `end` (without sign), and as many multiples of `step` behind those of `from`. So it
    /// is empty where the end is not behind the beginning, and it never wraps around. `e` is between the bounds if
    /// `e - low <= high - low` without sign, so that the bounds may be those of signed values, and `v + 1` and `v - 1` exclude just `v`.
    Within {
        /// The distance from one index to the next, at least 1.
        step: u64,
    },
    /// `(a, from_a, b, from_b, end)`: whether the elements of a segment of `a`, as for [`Op::Within`], are those of `b` that are as far behind `from_b`
    /// as they are behind `from_a`, where the low bits may wrap around.
    Agree {
        /// The distance from one index to the next, at least 1.
        step: u64,
    },
}

/// How a float is rounded to an integral value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    /// To nearest, ties to even: `rint`.
    NearestEven,
    /// To nearest, ties away from zero: `round`.
    NearestAway,
    /// `trunc`.
    TowardZero,
    /// `ceil`.
    Up,
    /// `floor`.
    Down,
}

impl Op {
    /// The sort of the result for arguments of these sorts; `None` if they do not fit. Operators whose result sort the arguments do not
    /// tell (`Extract`, `ZeroExtend`, `SignExtend`, `ConstantArray`, leaves) are given it as `wanted`, and accept or refuse it.
    pub(crate) fn result(self, args: &[Sort], wanted: Option<Sort>) -> Option<Sort> {
        use Sort::{Array, Bits, Bool, Float};
        let sort = match (self, args) {
            (Op::Bool(_), []) => Bool,
            (Op::Constant(_), []) => wanted.filter(|sort| matches!(sort, Bits(_)))?,
            (Op::Table(_), []) => wanted.filter(|sort| matches!(sort, Array { .. }))?,
            (Op::Variable(_), []) => wanted.filter(|sort| !matches!(sort, Float(_)))?,
            (Op::Not, [Bool]) | (Op::And | Op::Or | Op::Xor, [Bool, Bool]) => Bool,
            (Op::Equal, [a, b]) if a == b => Bool,
            (Op::Ite, [Bool, a, b]) if a == b => *a,
            (Op::BitNot | Op::Neg, [Bits(width)]) => Bits(*width),
            (
                Op::BitAnd
                | Op::BitOr
                | Op::BitXor
                | Op::Add
                | Op::Sub
                | Op::Mul
                | Op::Udiv
                | Op::Urem
                | Op::Sdiv
                | Op::Srem
                | Op::Shl
                | Op::Lshr
                | Op::Ashr,
                [Bits(a), Bits(b)],
            ) if a == b => Bits(*a),
            (Op::Ult | Op::Slt | Op::UmulOverflows | Op::SmulOverflows, [Bits(a), Bits(b)]) if a == b => Bool,
            (Op::Concat, [Bits(a), Bits(b)]) => Bits(a.checked_add(*b)?),
            (Op::Extract(low), [Bits(from)]) => wanted
                .filter(|sort| matches!(sort, Bits(width) if *width >= 1 && low.checked_add(*width).is_some_and(|end| end <= *from)))?,
            (Op::ZeroExtend | Op::SignExtend, [Bits(from)]) => wanted.filter(|sort| matches!(sort, Bits(width) if width >= from))?,
            (Op::FloatFromBits(format), [Bits(width)]) if *width == u32::from(format.bits()) => Float(format),
            (Op::FloatToBits, [Float(format)]) => Bits(u32::from(format.bits())),
            (Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatDiv | Op::FloatMod | Op::FloatRem, [Float(a), Float(b)]) if a == b => {
                Float(*a)
            }
            (Op::FloatSqrt | Op::FloatRound(_) | Op::FloatNeg | Op::FloatAbs, [Float(a)]) => Float(*a),
            (Op::FloatFma, [Float(a), Float(b), Float(c)]) if a == b && b == c => Float(*a),
            (Op::FloatEq | Op::FloatLt | Op::FloatLe, [Float(a), Float(b)]) if a == b => Bool,
            (Op::FloatIsNan | Op::FloatIsInfinite, [Float(_)]) => Bool,
            (Op::FloatConvert(format), [Float(_)]) => Float(format),
            (Op::FloatFromInt { format, .. }, [Bits(_)]) => Float(format),
            (Op::FloatToInt { width, .. }, [Float(_)]) if width >= 1 => Bits(width),
            (Op::FloatFitsInt { .. }, [Float(_)]) => Bool,
            (Op::Select, [Array { index, element }, Bits(at)]) if index == at => Bits(*element),
            (Op::Store, [Array { index, element }, Bits(at), Bits(value)]) if index == at && element == value => args[0],
            (Op::ConstantArray, [Bits(value)]) => {
                wanted.filter(|sort| matches!(sort, Array { index, element } if element == value && *index >= 1))?
            }
            (Op::Copy, [Array { index, .. }, Bits(at), source, Bits(from), Bits(count)])
                if *source == args[0] && at == index && from == index && count == index =>
            {
                args[0]
            }
            (Op::Within { step: 1.. }, [Array { index, element }, Bits(from), Bits(end), Bits(low), Bits(high)])
                if from == index && end <= index && low == element && high == element =>
            {
                Bool
            }
            (Op::Agree { step: 1.. }, [Array { index, .. }, Bits(from_a), b, Bits(from_b), Bits(end)])
                if *b == args[0] && from_a == index && from_b == index && end <= index =>
            {
                Bool
            }
            _ => return None,
        };
        (wanted.is_none_or(|wanted| wanted == sort) && sort != Bits(0)).then_some(sort)
    }

    /// Whether swapping its two arguments changes nothing.
    pub(crate) fn commutes(self) -> bool {
        matches!(
            self,
            Op::And
                | Op::Or
                | Op::Xor
                | Op::Equal
                | Op::BitAnd
                | Op::BitOr
                | Op::BitXor
                | Op::Add
                | Op::Mul
                | Op::UmulOverflows
                | Op::SmulOverflows
                | Op::FloatAdd
                | Op::FloatMul
                | Op::FloatEq
        )
    }
}

//! The constructors of terms. Each states its meaning in [`Op`]; none panics (see [`Terms::apply`]).

use model::FloatFormat;

use crate::bits::Bits;
use crate::op::{Op, Rounding};
use crate::sort::Sort;
use crate::term::{Term, Terms};

/// One constructor per line: its name, its arguments, its operator.
macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) = $op:expr;)*) => {
        impl Terms {
            $($(#[$doc])* pub fn $name(&mut self, $($arg: Term),+) -> Term {
                self.apply($op, &[$($arg),+], None)
            })*
        }
    };
}

constructors! {
    /// Negation of a truth value.
    not(a) = Op::Not;
    /// Conjunction.
    and(a, b) = Op::And;
    /// Disjunction.
    or(a, b) = Op::Or;
    /// Exclusive or of truth values.
    xor(a, b) = Op::Xor;
    /// Equality of terms of one sort.
    equal(a, b) = Op::Equal;
    /// One or the other.
    ite(condition, yes, no) = Op::Ite;
    /// Bitwise complement.
    bit_not(a) = Op::BitNot;
    /// Bitwise and.
    bit_and(a, b) = Op::BitAnd;
    /// Bitwise or.
    bit_or(a, b) = Op::BitOr;
    /// Bitwise exclusive or.
    bit_xor(a, b) = Op::BitXor;
    /// Two's complement.
    neg(a) = Op::Neg;
    /// Sum.
    add(a, b) = Op::Add;
    /// Difference.
    sub(a, b) = Op::Sub;
    /// Product.
    mul(a, b) = Op::Mul;
    /// Unsigned quotient.
    udiv(a, b) = Op::Udiv;
    /// Unsigned remainder.
    urem(a, b) = Op::Urem;
    /// Signed quotient.
    sdiv(a, b) = Op::Sdiv;
    /// Signed remainder.
    srem(a, b) = Op::Srem;
    /// Left shift by a distance of the same width.
    shl(a, distance) = Op::Shl;
    /// Logical right shift.
    lshr(a, distance) = Op::Lshr;
    /// Arithmetic right shift.
    ashr(a, distance) = Op::Ashr;
    /// Unsigned less.
    ult(a, b) = Op::Ult;
    /// Signed less.
    slt(a, b) = Op::Slt;
    /// Whether the unsigned product does not fit.
    umul_overflows(a, b) = Op::UmulOverflows;
    /// Whether the signed product does not fit.
    smul_overflows(a, b) = Op::SmulOverflows;
    /// Both in a row, the first at the top.
    concat(high, low) = Op::Concat;
    /// The bit pattern of a float.
    float_to_bits(a) = Op::FloatToBits;
    /// Float sum.
    float_add(a, b) = Op::FloatAdd;
    /// Float difference.
    float_sub(a, b) = Op::FloatSub;
    /// Float product.
    float_mul(a, b) = Op::FloatMul;
    /// Float quotient.
    float_div(a, b) = Op::FloatDiv;
    /// Square root.
    float_sqrt(a) = Op::FloatSqrt;
    /// Fused multiply and add.
    float_fma(a, b, c) = Op::FloatFma;
    /// C's `fmod`.
    float_mod(a, b) = Op::FloatMod;
    /// C's `remainder`.
    float_rem(a, b) = Op::FloatRem;
    /// Float negation.
    float_neg(a) = Op::FloatNeg;
    /// Absolute value.
    float_abs(a) = Op::FloatAbs;
    /// IEEE equality.
    float_eq(a, b) = Op::FloatEq;
    /// IEEE less.
    float_lt(a, b) = Op::FloatLt;
    /// IEEE less or equal.
    float_le(a, b) = Op::FloatLe;
    /// Whether it is NaN.
    float_is_nan(a) = Op::FloatIsNan;
    /// Whether it is an infinity.
    float_is_infinite(a) = Op::FloatIsInfinite;
    /// An array's element.
    select(array, index) = Op::Select;
    /// An array with another element.
    store(array, index, value) = Op::Store;
    /// An array with elements of another.
    copy(array, at, source, from, count) = Op::Copy;
}

impl Terms {
    /// A constant of this width.
    pub fn number(&mut self, width: u32, value: u128) -> Term {
        self.bits(Bits::new(width, value))
    }
    /// The constant 0.
    pub fn zero(&mut self, width: u32) -> Term {
        self.bits(Bits::zero(width))
    }
    /// The constant 1.
    pub fn one(&mut self, width: u32) -> Term {
        self.bits(Bits::one(width))
    }
    /// The constant with all bits set.
    pub fn ones(&mut self, width: u32) -> Term {
        self.bits(Bits::ones(width))
    }
    /// A truth value as a bit.
    pub fn bit(&mut self, condition: Term) -> Term {
        let (one, zero) = (self.one(1), self.zero(1));
        self.ite(condition, one, zero)
    }
    /// Inequality.
    pub fn differ(&mut self, a: Term, b: Term) -> Term {
        let equal = self.equal(a, b);
        self.not(equal)
    }
    /// Unsigned less or equal. There is one way to compare: `a <= b` is `!(b < a)`.
    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }
    /// Signed less or equal.
    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }
    /// Implication.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(not, b)
    }
    /// The conjunction of all.
    pub fn all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut result = self.bool(true);
        for term in terms {
            result = self.and(result, term);
        }
        result
    }
    /// The disjunction of all.
    pub fn any(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut result = self.bool(false);
        for term in terms {
            result = self.or(result, term);
        }
        result
    }
    /// Whether a bit-vector is not 0.
    pub fn nonzero(&mut self, a: Term) -> Term {
        let zero = self.zero(self.width(a));
        self.differ(a, zero)
    }
    /// The bits `high` down to `low`.
    pub fn extract(&mut self, a: Term, high: u32, low: u32) -> Term {
        let width = high.saturating_add(1).saturating_sub(low);
        self.apply(Op::Extract(low), &[a], Some(Sort::Bits(width)))
    }
    /// One bit as a truth value.
    pub fn test_bit(&mut self, a: Term, bit: u32) -> Term {
        let bit = self.extract(a, bit, bit);
        let one = self.one(1);
        self.equal(bit, one)
    }
    /// Zeros at the top up to this width.
    pub fn zero_extend(&mut self, a: Term, width: u32) -> Term {
        self.apply(Op::ZeroExtend, &[a], Some(Sort::Bits(width)))
    }
    /// Copies of the sign up to this width.
    pub fn sign_extend(&mut self, a: Term, width: u32) -> Term {
        self.apply(Op::SignExtend, &[a], Some(Sort::Bits(width)))
    }
    /// The value in this width: cut, or extended by zeros or the sign.
    pub fn resize(&mut self, a: Term, width: u32, signed: bool) -> Term {
        match (self.width(a).cmp(&width), signed) {
            (std::cmp::Ordering::Equal, _) => a,
            (std::cmp::Ordering::Greater, _) => self.apply(Op::Extract(0), &[a], Some(Sort::Bits(width))),
            (_, true) => self.sign_extend(a, width),
            (_, false) => self.zero_extend(a, width),
        }
    }
    /// The float that a pattern stands for.
    pub fn float_from_bits(&mut self, format: FloatFormat, bits: Term) -> Term {
        self.apply(Op::FloatFromBits(format), &[bits], None)
    }
    /// A float constant by its bit pattern.
    pub fn float(&mut self, format: FloatFormat, pattern: u128) -> Term {
        let bits = self.number(u32::from(format.bits()), pattern);
        self.float_from_bits(format, bits)
    }
    /// A float rounded to an integral value.
    pub fn float_round(&mut self, a: Term, rounding: Rounding) -> Term {
        self.apply(Op::FloatRound(rounding), &[a], None)
    }
    /// A float in another format.
    pub fn float_convert(&mut self, a: Term, format: FloatFormat) -> Term {
        self.apply(Op::FloatConvert(format), &[a], None)
    }
    /// An integer as a float.
    pub fn float_from_int(&mut self, a: Term, signed: bool, format: FloatFormat) -> Term {
        self.apply(Op::FloatFromInt { format, signed }, &[a], None)
    }
    /// A float as an integer.
    pub fn float_to_int(&mut self, a: Term, signed: bool, width: u32) -> Term {
        self.apply(Op::FloatToInt { signed, width }, &[a], None)
    }
    /// Whether a float fits an integer type.
    pub fn float_fits_int(&mut self, a: Term, signed: bool, width: u32) -> Term {
        self.apply(Op::FloatFitsInt { signed, width }, &[a], None)
    }
    /// The array that holds one value everywhere.
    pub fn constant_array(&mut self, index: u32, value: Term) -> Term {
        let element = self.width(value);
        self.apply(Op::ConstantArray, &[value], Some(Sort::Array { index, element }))
    }
    /// Whether all elements of a segment of an array are between two bounds.
    pub fn within(&mut self, array: Term, from: Term, end: Term, step: u64, low: Term, high: Term) -> Term {
        self.apply(Op::Within { step }, &[array, from, end, low, high], None)
    }
    /// Whether a value is nowhere in a segment of an array.
    pub fn absent(&mut self, array: Term, from: Term, end: Term, value: Term) -> Term {
        let one = self.one(self.width(value).max(1));
        let (low, high) = (self.add(value, one), self.sub(value, one));
        self.within(array, from, end, 1, low, high)
    }
    /// Whether two arrays have the same elements in segments.
    pub fn agree(&mut self, a: Term, from_a: Term, b: Term, from_b: Term, end: Term, step: u64) -> Term {
        self.apply(Op::Agree { step }, &[a, from_a, b, from_b, end], None)
    }
    /// An uninterpreted function of bit-vectors applied to arguments: equal arguments give equal results. A function is an array whose index is
    /// all its arguments in a row.
    pub fn call(&mut self, name: &str, args: &[Term], width: u32) -> Term {
        let mut index = None;
        for &arg in args {
            index = Some(index.map_or(arg, |index| self.concat(index, arg)));
        }
        let Some(index) = index else { return self.variable(name, Sort::Bits(width)) };
        let function = self.variable(name, Sort::Array { index: self.width(index), element: width });
        self.select(function, index)
    }
}

//! The parts of a bit pattern, and patterns from parts.

use model::FloatFormat;

use super::circuit::Circuit;
use crate::term::Term;

/// Where the parts of a pattern are: from the top the sign, the exponent, the fraction.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// The bits of the exponent.
    pub(super) exponent: u32,
    /// The bits of the significand below its integer bit.
    pub(super) fraction: u32,
    /// Whether the integer bit of the significand stands in the pattern, between exponent and fraction.
    explicit: bool,
}

impl Layout {
    pub(super) fn of(format: FloatFormat) -> Self {
        let (exponent, fraction) = match format {
            FloatFormat::F16 => (5, 10),
            FloatFormat::F32 => (8, 23),
            FloatFormat::F64 => (11, 52),
            FloatFormat::X87 => (15, 63),
            FloatFormat::F128 => (15, 112),
        };
        Layout { exponent, fraction, explicit: format == FloatFormat::X87 }
    }
    /// The bits of a significand with its integer bit.
    pub(super) fn precision(self) -> u32 {
        self.fraction + 1
    }
    /// The exponent field of 1.
    pub(super) fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }
    /// The exponent field of infinities and NaN.
    pub(super) fn top_exponent(self) -> i64 {
        (1 << self.exponent) - 1
    }
    fn width(self) -> u32 {
        1 + self.exponent + self.fraction + u32::from(self.explicit)
    }
}

/// A canonical pattern in parts.
pub(super) struct Number {
    pub(super) sign: Term,
    pub(super) nan: Term,
    pub(super) infinite: Term,
    pub(super) zero: Term,
    /// The exponent field, but 1 for subnormals, as they have the same unit as the smallest normal numbers.
    pub(super) exponent: Term,
    /// With the integer bit at the top; that bit is zero for zeros and subnormals.
    pub(super) significand: Term,
}

impl Number {
    pub(super) fn unpack(c: &Circuit, layout: Layout, pattern: Term) -> Self {
        let exponent = exponent_field(c, layout, pattern);
        let special = c.is_ones(exponent);
        // Of the NaNs there is only the one with the first bit of the fraction set, and no infinity has it.
        let quiet = c.test_bit(pattern, layout.fraction - 1);
        let significand = if layout.explicit {
            c.tail(pattern, layout.precision())
        } else {
            c.concat(c.bit(c.nonzero(exponent)), c.tail(pattern, layout.fraction))
        };
        // 1 instead of 0: the lowest bit is set if all others are zero.
        let high = c.head(exponent, layout.exponent - 1);
        let low = c.or(c.test_bit(exponent, 0), c.is_zero(high));
        Number {
            sign: c.top(pattern),
            nan: c.and(special, quiet),
            infinite: c.and(special, c.not(quiet)),
            zero: c.is_zero(c.tail(pattern, layout.width() - 1)),
            exponent: c.concat(high, c.bit(low)),
            significand,
        }
    }
    /// The significand shifted so that its top bit is set (unless it is 0), and its exponent as a signed number of this width.
    pub(super) fn normalised(&self, c: &Circuit, width: u32) -> (Term, Term) {
        let (significand, distance) = c.normalise(self.significand, c.width(self.significand) - 1);
        let exponent = c.sub(c.zero_extend(self.exponent, width), c.zero_extend(distance, width));
        (significand, exponent)
    }
}

/// The exponent as it stands in the pattern.
pub(super) fn exponent_field(c: &Circuit, layout: Layout, pattern: Term) -> Term {
    let width = layout.width();
    c.extract(pattern, width - 2, width - 1 - layout.exponent)
}

/// The canonical pattern of what any pattern stands for.
pub(super) fn canonical(c: &Circuit, layout: Layout, pattern: Term) -> Term {
    let exponent = exponent_field(c, layout, pattern);
    let fraction = c.tail(pattern, layout.fraction);
    let special = c.is_ones(exponent);
    if !layout.explicit {
        return c.ite(c.and(special, c.nonzero(fraction)), nan(c, layout), pattern);
    }
    // No number but the subnormals lacks the integer bit; a subnormal that has it is the normal number with the same unit.
    let integer = c.test_bit(pattern, layout.fraction);
    let lacking = c.and(c.nonzero(exponent), c.not(integer));
    let nan_pattern = c.or(lacking, c.and(special, c.nonzero(fraction)));
    let low = c.or(c.test_bit(exponent, 0), c.and(c.is_zero(exponent), integer));
    let head = c.concat(c.head(pattern, layout.exponent), c.bit(low));
    c.ite(nan_pattern, nan(c, layout), c.concat(head, c.tail(pattern, layout.precision())))
}

/// The other sign, unless it is NaN.
pub(super) fn negated(c: &Circuit, layout: Layout, pattern: Term) -> Term {
    let nan = Number::unpack(c, layout, pattern).nan;
    let sign = c.xor(c.top(pattern), c.not(nan));
    c.concat(c.bit(sign), c.tail(pattern, layout.width() - 1))
}

/// Without sign.
pub(super) fn absolute(c: &Circuit, layout: Layout, pattern: Term) -> Term {
    c.concat(c.zero(1), c.tail(pattern, layout.width() - 1))
}

/// The pattern without an explicit integer bit: exponent and fraction in a row, in the order of the absolute values.
pub(super) fn magnitude(c: &Circuit, layout: Layout, pattern: Term) -> Term {
    if layout.explicit {
        c.concat(exponent_field(c, layout, pattern), c.tail(pattern, layout.fraction))
    } else {
        c.tail(pattern, layout.width() - 1)
    }
}

/// The pattern of a sign and a magnitude.
pub(super) fn pack(c: &Circuit, layout: Layout, sign: Term, magnitude: Term) -> Term {
    let sign = c.bit(sign);
    if !layout.explicit {
        return c.concat(sign, magnitude);
    }
    let exponent = c.head(magnitude, layout.exponent);
    let integer = c.bit(c.nonzero(exponent));
    c.concat(c.concat(c.concat(sign, exponent), integer), c.tail(magnitude, layout.fraction))
}

/// Infinity.
pub(super) fn infinity(c: &Circuit, layout: Layout, sign: Term) -> Term {
    pack(c, layout, sign, infinite_magnitude(c, layout))
}

/// The magnitude of infinity.
pub(super) fn infinite_magnitude(c: &Circuit, layout: Layout) -> Term {
    c.pad(c.ones(layout.exponent), layout.fraction)
}

/// Zero.
pub(super) fn zero(c: &Circuit, layout: Layout, sign: Term) -> Term {
    pack(c, layout, sign, c.zero(layout.exponent + layout.fraction))
}

/// The only NaN.
pub(super) fn nan(c: &Circuit, layout: Layout) -> Term {
    pack(c, layout, c.bool(false), c.pad(c.ones(layout.exponent + 1), layout.fraction - 1))
}

//! The sorts of terms.

use std::fmt;

use model::FloatFormat;

/// What values a term can take.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A bit-vector of this many bits, at least 1.
    Bits(u32),
    /// A floating-point number. All NaNs are one value; zeros have signs.
    Float(FloatFormat),
    /// A total map from bit-vectors to bit-vectors.
    Array {
        /// The width of an index.
        index: u32,
        /// The width of an element.
        element: u32,
    },
}

impl Sort {
    /// How many bits a value takes: its width, the bits of the format, 1 for `Bool`; 0 for arrays, which have no fixed number.
    pub fn width(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::Bits(width) => width,
            Sort::Float(format) => u32::from(format.bits()),
            Sort::Array { .. } => 0,
        }
    }

    /// Whether there is such a sort: nothing has no bits.
    pub(crate) fn is_possible(self) -> bool {
        match self {
            Sort::Bool | Sort::Float(_) => true,
            Sort::Bits(width) => width >= 1,
            Sort::Array { index, element } => index >= 1 && element >= 1,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Bits(width) => write!(f, "bits{width}"),
            Sort::Float(format) => f.write_str(format.name()),
            Sort::Array { index, element } => write!(f, "bits{element}[bits{index}]"),
        }
    }
}

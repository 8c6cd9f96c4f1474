//! SMT-LIB: questions as scripts that other solvers understand, and scripts as terms.

mod error;
mod expand;
mod lower;
mod operators;
mod parse;
mod print;
mod syntax;

#[cfg(test)]
mod tests;

pub use error::ParseError;
pub use parse::{Script, Status, parse};
pub use print::script;

use model::FloatFormat;

/// How many bits of a format are the exponent and the significand (with its hidden bit). The x87 format has no place in SMT-LIB.
fn shape(format: FloatFormat) -> Option<(u32, u32)> {
    match format {
        FloatFormat::F16 => Some((5, 11)),
        FloatFormat::F32 => Some((8, 24)),
        FloatFormat::F64 => Some((11, 53)),
        FloatFormat::F128 => Some((15, 113)),
        FloatFormat::X87 => None,
    }
}

/// The format of this many bits of exponent and significand.
fn format_of_shape(exponent: u32, significand: u32) -> Option<FloatFormat> {
    [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::F128]
        .into_iter()
        .find(|format| shape(*format) == Some((exponent, significand)))
}

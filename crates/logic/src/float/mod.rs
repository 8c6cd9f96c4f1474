//! Floats: the operators on constants, and as circuits of bit-vectors.

mod add;
mod circuit;
mod compare;
mod convert;
mod div;
mod integral;
mod lower;
mod mul;
mod rem;
mod round;
mod sqrt;
mod unpack;
mod value;

#[cfg(test)]
mod tests;

pub(crate) use lower::lower;
pub(crate) use value::evaluate;

//! Linking by example.

mod records;
mod symbols;

//! Tests of whole programs in all their forms.

mod common;
mod garbage;
mod text;
mod verify;

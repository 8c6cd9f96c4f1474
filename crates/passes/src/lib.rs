//! Model-to-model passes, each a function with a contract.

pub mod checks;
pub mod endless;
pub mod inline;
pub mod link;
pub mod reducible;

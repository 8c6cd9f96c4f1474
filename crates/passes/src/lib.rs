//! Model-to-model passes, each a function with a contract.

pub mod link;

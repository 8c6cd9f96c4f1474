//! What is said of a program against what its runs do.

mod differential;
mod divergence;
mod exhaustive;
mod faults;
mod generator;
mod limits;
mod many_objects;
mod pipeline;
mod programs;
mod random;
mod templates;

//! The built programs, driven as users drive them.

mod loopfrog;
mod robustness;
mod support;
mod wrapper;

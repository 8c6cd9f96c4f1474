//! The built programs, driven as users drive them.

mod loopfrog;
mod robustness;
mod run;
mod support;
mod wrapper;

//! The built programs, driven as users drive them.

mod loopfrog;
mod support;
mod wrapper;

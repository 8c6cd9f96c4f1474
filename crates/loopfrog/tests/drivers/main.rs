//! The built programs, driven as users drive them.

mod check;
mod closures;
mod endless;
mod loopfrog;
mod outside;
mod robustness;
mod run;
mod sharing;
mod summarize;
mod support;
mod terminate;
mod wrapper;

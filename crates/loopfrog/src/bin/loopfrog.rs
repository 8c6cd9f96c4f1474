//! `loopfrog`
fn main() {}

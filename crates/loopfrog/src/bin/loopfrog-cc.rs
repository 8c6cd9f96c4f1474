//! `loopfrog-cc`
fn main() {}

//! Debian source packages built with `loopfrog-cc`.

/// Not written yet.
pub fn run(_: &[String]) -> Result<(), String> {
    Err("not available".into())
}

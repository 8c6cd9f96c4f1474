//! The programs of Loopfrog that the commands use.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where cargo puts what it builds: this program is in a folder of it.
pub fn target_folder() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.ancestors().nth(2).unwrap_or(Path::new("target")).to_path_buf()
}

/// Builds the programs, optimised, and gives the path of one.
pub fn program(name: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let target = target_folder();
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--package", "loopfrog", "--target-dir"]).arg(&target);
    let status = command.status().map_err(|error| format!("cannot run cargo: {error}"))?;
    if status.success() { Ok(target.join("release").join(name)) } else { Err(format!("{name} cannot be built")) }
}

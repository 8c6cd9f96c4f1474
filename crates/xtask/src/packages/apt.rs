//! Source packages by the ordinary clients, with lists of our own: the system's configuration stays as it is.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The package lists of a folder.
pub struct Apt {
    folder: PathBuf,
}

impl Apt {
    /// Fetches the lists of source packages from where this machine gets its binary ones. `Err` says why there are none.
    pub fn new(folder: &Path) -> Result<Self, String> {
        let folder = fs::canonicalize(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let apt = Apt { folder };
        apt.write_sources().map_err(|error| error.to_string())?;
        run(apt.command().arg("update"))?;
        Ok(apt)
    }

    /// Fetches a source package, unpacks it into a folder of its name, and gives that.
    pub fn source(&self, package: &str) -> Result<PathBuf, String> {
        let tree = self.folder.join(package).join("source");
        if tree.is_dir() {
            return Ok(tree);
        }
        let folder = self.folder.join(package);
        fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        run(self.command().args(["source", "--download-only", "--only-source", package]).current_dir(&folder))?;
        let description = files(&folder).into_iter().find(|file| file.extension() == Some(OsStr::new("dsc")));
        let description = description.ok_or_else(|| format!("apt gave no source package {package}"))?;
        run(Command::new("dpkg-source").arg("-x").arg(description).arg(&tree).current_dir(&folder))?;
        Ok(tree)
    }

    fn command(&self) -> Command {
        let mut command = Command::new("apt-get");
        command.args(["--quiet", "--option", "Dir::Etc::SourceList=/dev/null"]);
        for (option, folder) in [("Dir::Etc::SourceParts", "sources"), ("Dir::State::Lists", "lists"), ("Dir::Cache", "cache")] {
            command.arg("--option").arg(format!("{option}={}", self.folder.join("apt").join(folder).display()));
        }
        command
    }

    /// Writes the system's sources with `deb-src` in place of `deb`.
    fn write_sources(&self) -> io::Result<()> {
        let folder = self.folder.join("apt");
        for part in ["sources", "lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(folder.join(part))?;
        }
        let asked =
            Command::new("apt-config").args(["shell", "LIST", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d"]).output()?;
        let asked = String::from_utf8_lossy(&asked.stdout).into_owned();
        let system = asked.lines().filter_map(|line| line.split('\'').nth(1)).map(PathBuf::from);
        for file in system.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }) {
            let deb_src: fn(&str) -> String = match file.extension().and_then(OsStr::to_str) {
                Some("list") => |line| line.strip_prefix("deb ").map_or(line.into(), |rest| format!("deb-src {rest}")),
                Some("sources") => |line| if line.starts_with("Types:") { "Types: deb-src".into() } else { line.into() },
                _ => continue,
            };
            let text = fs::read_to_string(&file).unwrap_or_default();
            let lines: Vec<String> = text.lines().map(deb_src).collect();
            fs::write(folder.join("sources").join(file.file_name().unwrap_or_default()), lines.join("\n") + "\n")?;
        }
        Ok(())
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Runs a command and gives what it prints on standard output; the error is what it printed on standard error.
pub fn run(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("cannot run {name}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().collect();
    let last = lines[lines.len().saturating_sub(15)..].join("\n");
    Err(format!("{name} failed ({}):\n{last}", output.status))
}

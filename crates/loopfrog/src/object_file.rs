//! Object files, archives and executables: finding the section with the models, and putting it there.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use model::Target;
use object::elf;
use object::read::archive::ArchiveFile;
use object::{Architecture, Object, ObjectSection, ReadCache};

use crate::embed::{Entry, SECTION};

/// Whether these are the first bytes of an ELF file or an archive.
pub fn is_object_or_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&elf::ELFMAG) || is_archive(bytes)
}

fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(&object::archive::MAGIC) || bytes.starts_with(&object::archive::THIN_MAGIC)
}

/// The models in an object, a program or an archive. `path` is where the file is: thin archives name files beside it.
pub fn entries(path: &Path, bytes: &[u8]) -> Result<Vec<Entry>, String> {
    if !is_archive(bytes) {
        return entries_of_object(bytes);
    }
    let archive = ArchiveFile::parse(bytes).map_err(|error| format!("this is a damaged archive: {error}"))?;
    let mut result = Vec::new();
    for member in archive.members() {
        let member = member.map_err(|error| format!("this is a damaged archive: {error}"))?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let in_member = |error: String| format!("in member {name}: {error}");
        if archive.is_thin() {
            let file = path.parent().unwrap_or(Path::new("")).join(&name);
            let bytes = fs::read(&file).map_err(|error| in_member(error.to_string()))?;
            result.extend(entries_of_object(&bytes).map_err(in_member)?);
        } else {
            let bytes = member.data(bytes).map_err(|error| in_member(error.to_string()))?;
            // Archives may hold other files than objects.
            if bytes.starts_with(&elf::ELFMAG) {
                result.extend(entries_of_object(bytes).map_err(in_member)?);
            }
        }
    }
    Ok(result)
}

fn entries_of_object(bytes: &[u8]) -> Result<Vec<Entry>, String> {
    let file = object::File::parse(bytes).map_err(|error| format!("this is a damaged object file: {error}"))?;
    let Some(section) = file.section_by_name(SECTION) else { return Ok(Vec::new()) };
    let content = section.data().map_err(|error| format!("this is a damaged object file: {error}"))?;
    Entry::read_all(content)
}

/// The data model of an object or executable; `Err` says why there is none.
pub fn target(bytes: &[u8]) -> Result<Target, String> {
    let file = object::File::parse(bytes).map_err(|_| "it is not an ELF file".to_string())?;
    match (file.architecture(), file.is_64()) {
        (Architecture::X86_64, true) => Ok(Target::Lp64),
        (Architecture::I386, false) => Ok(Target::Ilp32),
        (other, _) => Err(format!("Loopfrog has no model of the machine {other:?}")),
    }
}

/// Whether a file is an object that holds the compiler's intermediate code, to be compiled when the program is linked. The linker then
/// replaces the object, and drops its other sections.
pub fn is_link_time_optimised(path: &Path) -> bool {
    let Ok(file) = fs::File::open(path) else { return false };
    // Objects can be large and there can be many: read the table of sections only.
    let cache = ReadCache::new(file);
    let is_intermediate = |name: &str| name.starts_with(".gnu.lto_");
    object::File::parse(&cache).is_ok_and(|file| file.sections().any(|section| section.name().is_ok_and(is_intermediate)))
}

/// Makes these entries the models of an object or executable, in place of those it has. `compiler` belongs to the toolchain that made it.
pub fn set_entries(file: &Path, entries: &[Entry], compiler: &[OsString]) -> io::Result<()> {
    let mut section = Vec::new();
    for entry in entries {
        entry.write(&mut section);
    }
    let content = tempfile::NamedTempFile::new()?;
    fs::write(content.path(), section)?;
    let mut addition = OsString::from(format!("{SECTION}="));
    addition.push(content.path());
    let output = Command::new(objcopy(compiler))
        .args(["--remove-section", SECTION, "--add-section"])
        .arg(addition)
        .arg(Path::new(".").join(file))
        .stdin(Stdio::null())
        .output()?;
    if output.status.success() { Ok(()) } else { Err(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_string())) }
}

/// The `objcopy` of the compiler's toolchain.
fn objcopy(compiler: &[OsString]) -> OsString {
    let asked = compiler.split_first().and_then(|(program, first)| {
        let output = Command::new(program).args(first).arg("-print-prog-name=objcopy").stdin(Stdio::null()).output().ok()?;
        String::from_utf8(output.stdout).ok().filter(|_| output.status.success())
    });
    let name = asked.as_deref().map_or("", str::trim);
    if name.is_empty() { "objcopy".into() } else { name.into() }
}

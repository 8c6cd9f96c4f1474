//! GCC's object files.

use std::collections::{BTreeMap, HashMap};
use std::process::{Command, Stdio};

use model::Target;
use object::read::elf::ElfFile;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SymbolSection};

/// The bytes of an object, zero where an address stands, and the addresses by offset.
#[derive(PartialEq, Debug)]
pub struct Content {
    pub bytes: Vec<u8>,
    pub pointers: BTreeMap<u64, Pointer>,
}

/// An address in an object.
#[derive(PartialEq, Debug)]
pub enum Pointer {
    /// Of something with a name, plus an offset.
    Symbol(String, i64),
    /// Of a string literal, up to its end.
    Text(Vec<u8>),
}

/// The objects of a compiled program by name.
pub struct ObjectFile {
    contents: BTreeMap<String, Content>,
}

struct Section {
    bytes: Vec<u8>,
    /// Offset, symbol or section, addend.
    relocations: Vec<(u64, RelocationTarget, i64)>,
}

impl ObjectFile {
    /// Compiles a program; `None` if there is no GCC for this data model. A program that GCC refuses is a defect of its generator.
    pub fn compile(text: &str, target: Target) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (source, output) = (folder.path().join("test.c"), folder.path().join("test.o"));
        std::fs::write(&source, text).expect("a file");
        let bits = if target == Target::Lp64 { "-m64" } else { "-m32" };
        let mut command = Command::new("gcc");
        command.args(["-w", "-c", "-fno-common", "-fno-pic", "-ffreestanding", bits]).arg(&source).arg("-o").arg(&output);
        let status = command.stderr(Stdio::piped()).output().ok()?;
        let message = String::from_utf8_lossy(&status.stderr).into_owned();
        if !status.status.success() && std::fs::write(&source, "int x;").is_ok() && !command.status().ok()?.success() {
            return None;
        }
        assert!(status.status.success(), "{message}\n{text}");
        let bytes = std::fs::read(&output).ok()?;
        Some(ObjectFile {
            contents: match target {
                Target::Lp64 => contents::<object::elf::FileHeader64<object::Endianness>>(&bytes),
                Target::Ilp32 => contents::<object::elf::FileHeader32<object::Endianness>>(&bytes),
            },
        })
    }

    pub fn content(&self, name: &str) -> Content {
        match self.contents.get(name) {
            Some(content) => Content {
                bytes: content.bytes.clone(),
                pointers: content.pointers.iter().map(|(offset, pointer)| (*offset, pointer.copy())).collect(),
            },
            None => panic!("gcc has no `{name}`"),
        }
    }
}

impl Pointer {
    fn copy(&self) -> Pointer {
        match self {
            Pointer::Symbol(name, offset) => Pointer::Symbol(name.clone(), *offset),
            Pointer::Text(text) => Pointer::Text(text.clone()),
        }
    }
}

fn contents<H: object::read::elf::FileHeader<Endian = object::Endianness>>(bytes: &[u8]) -> BTreeMap<String, Content> {
    let file: ElfFile<'_, H> = ElfFile::parse(bytes).expect("an object file");
    let sections: HashMap<SectionIndex, Section> = file.sections().map(|section| (section.index(), read_section(&section))).collect();
    let mut contents = BTreeMap::new();
    for symbol in file.symbols() {
        let (SymbolSection::Section(index), Ok(name)) = (symbol.section(), symbol.name()) else { continue };
        let section = &sections[&index];
        let (start, end) = (symbol.address(), symbol.address() + symbol.size());
        let bytes = section.bytes[start as usize..end as usize].to_vec();
        let inside = section.relocations.iter().filter(|(offset, ..)| (start..end).contains(offset));
        let pointers = inside.map(|(offset, target, addend)| (offset - start, pointer(&file, &sections, *target, *addend)));
        contents.insert(name.to_string(), Content { bytes, pointers: pointers.collect() });
    }
    contents
}

fn read_section<'a>(section: &impl ObjectSection<'a>) -> Section {
    let mut bytes = section.uncompressed_data().expect("the bytes of a section").into_owned();
    bytes.resize(section.size() as usize, 0);
    let mut relocations = Vec::new();
    for (offset, relocation) in section.relocations() {
        // On i386 the addend stands in the place itself.
        let addend = if relocation.has_implicit_addend() {
            let place = &mut bytes[offset as usize..][..4];
            let addend = i32::from_le_bytes(place.try_into().expect("four bytes"));
            place.fill(0);
            i64::from(addend)
        } else {
            relocation.addend()
        };
        relocations.push((offset, relocation.target(), addend));
    }
    Section { bytes, relocations }
}

/// GCC names objects by their symbol, string literals by their section.
fn pointer<'a>(file: &impl Object<'a>, sections: &HashMap<SectionIndex, Section>, target: RelocationTarget, addend: i64) -> Pointer {
    let RelocationTarget::Symbol(index) = target else { panic!("a relocation without symbol") };
    let symbol = file.symbol_by_index(index).expect("a symbol");
    match (symbol.kind(), symbol.section()) {
        (object::SymbolKind::Section, SymbolSection::Section(section)) => {
            let text = &sections[&section].bytes[addend as usize..];
            Pointer::Text(text[..text.iter().position(|byte| *byte == 0).unwrap_or(text.len())].to_vec())
        }
        _ => Pointer::Symbol(symbol.name().expect("a name").to_string(), addend),
    }
}

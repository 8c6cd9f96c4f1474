//! Models inside object files.
//!
//! The wrapper puts a section `.loopfrog` into each object that it has compiled. It is not loaded at run time, so linkers leave it alone
//! and concatenate the sections of all objects that take part: the section of a program is a row of entries, one for each translation
//! unit. An entry for which there is no model says why, so that whoever analyses the program knows that a part is missing.
//!
//! ```text
//! "LOOPUNIT"   version: u8   kind: u8   length of name: u32   length of content: u64   name   content
//! ```
//! Numbers are little-endian. The name is that of the source; the content is a binary model (kind 0) or the reason (kind 1), as text.

/// The name of the section.
pub const SECTION: &str = ".loopfrog";

const MAGIC: &[u8; 8] = b"LOOPUNIT";
const VERSION: u8 = 1;

/// What is kept of one translation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name of its source, as the compiler was given it.
    pub source: String,
    /// Its model in binary form, or why there is none.
    pub model: Result<Vec<u8>, String>,
}

impl Entry {
    /// Appends the entry to the content of a section.
    pub fn write(&self, section: &mut Vec<u8>) {
        let (kind, content) = match &self.model {
            Ok(model) => (0, model.as_slice()),
            Err(reason) => (1, reason.as_bytes()),
        };
        // A name of 4 GB is no name.
        let name_length = u32::try_from(self.source.len()).unwrap_or(0);
        section.extend(MAGIC);
        section.extend([VERSION, kind]);
        section.extend(name_length.to_le_bytes());
        section.extend((content.len() as u64).to_le_bytes());
        section.extend(&self.source.as_bytes()[..name_length as usize]);
        section.extend(content);
    }

    /// The entries of a section, or what is wrong with it.
    pub fn read_all(mut section: &[u8]) -> Result<Vec<Entry>, String> {
        let mut entries = Vec::new();
        loop {
            // A linker may align the parts of a section.
            while let [0, rest @ ..] = section {
                section = rest;
            }
            if section.is_empty() {
                return Ok(entries);
            }
            entries.push(Entry::read(&mut section)?);
        }
    }

    fn read(section: &mut &[u8]) -> Result<Entry, String> {
        if take(section, MAGIC.len())? != MAGIC {
            return Err(format!("the section {SECTION} holds something that Loopfrog has not written"));
        }
        let version = number(section, 1)?;
        if version != u64::from(VERSION) {
            return Err(format!("the section {SECTION} has format {version}, this Loopfrog reads format {VERSION}"));
        }
        let kind = number(section, 1)?;
        let name_length = number(section, 4)?;
        let content_length = number(section, 8)?;
        let source = String::from_utf8_lossy(take(section, name_length as usize)?).into_owned();
        let content = take(section, usize::try_from(content_length).unwrap_or(usize::MAX))?;
        let model = match kind {
            0 => Ok(content.to_vec()),
            _ => Err(String::from_utf8_lossy(content).into_owned()),
        };
        Ok(Entry { source, model })
    }
}

/// The next bytes.
fn take<'a>(section: &mut &'a [u8], length: usize) -> Result<&'a [u8], String> {
    let (taken, rest) = section.split_at_checked(length).ok_or_else(|| format!("the section {SECTION} is cut off"))?;
    *section = rest;
    Ok(taken)
}

/// The next little-endian number of at most eight bytes.
fn number(section: &mut &[u8], bytes: usize) -> Result<u64, String> {
    Ok(take(section, bytes)?.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Vec<Entry>, Vec<u8>) {
        let first = Entry { source: "a.c".into(), model: Ok(vec![0, 1, 2]) };
        let second = Entry { source: "dir/b.c".into(), model: Err("line 3: no".into()) };
        let mut section = Vec::new();
        first.write(&mut section);
        section.extend([0; 5]);
        second.write(&mut section);
        (vec![first, second], section)
    }

    #[test]
    fn sections_concatenate() {
        let (entries, section) = example();
        assert_eq!(Entry::read_all(&section), Ok(entries));
        assert_eq!(Entry::read_all(&[]), Ok(Vec::new()));
    }

    #[test]
    fn damage_is_found() {
        let (_, section) = example();
        for length in 1..section.len() {
            let result = Entry::read_all(&section[..length]);
            assert!(result.is_err() || result.is_ok_and(|entries| entries.len() == 1), "{length}");
        }
        let mut other = section.clone();
        other[8] = 9;
        assert!(Entry::read_all(&other).unwrap_err().contains("format 9"));
        other[0] = b'X';
        assert!(Entry::read_all(&other).unwrap_err().contains("not written"));
        let mut huge = section;
        huge[14..22].fill(0xff);
        assert!(Entry::read_all(&huge).unwrap_err().contains("cut off"));
    }
}

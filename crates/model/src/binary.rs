//! The binary form of a program: compact, versioned, the same bytes for the same program.
//!
//! A model is `LOOPFROG`, the version, the length of the payload, the payload, and a checksum of it; numbers are little-endian. This
//! frame is the same in all versions, so that a tool can tell models apart that it cannot read. Object files carry a model in a section;
//! the linker puts sections of the same name one after the other, perhaps with zeros in between, and [`split`] takes them apart.

use std::fmt;

use crate::program::Program;
use crate::verify::verify;

const MAGIC: &[u8; 8] = b"LOOPFROG";
const HEADER: usize = MAGIC.len() + 2 + 8;
const CHECKSUM: usize = 8;

/// The version of the payload that this library writes and reads.
pub const VERSION: u16 = 2;

/// Why bytes are no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// They do not begin like one.
    NotAModel,
    /// They are a model of another version of Loopfrog.
    OtherVersion(u16),
    /// They end too early.
    Truncated,
    /// They were changed after they had been written, or a faulty tool wrote them.
    Corrupt(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotAModel => write!(f, "this is not a Loopfrog model"),
            ReadError::OtherVersion(version) => {
                write!(f, "this model has version {version}, but this Loopfrog reads version {VERSION}: build the model again")
            }
            ReadError::Truncated => write!(f, "the model is truncated"),
            ReadError::Corrupt(what) => write!(f, "the model is corrupt: {what}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// The bytes of a program.
pub fn to_bytes(program: &Program) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(1 << 16);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(0u64.to_le_bytes());
    let mut bytes = postcard::to_extend(program, bytes).expect("writing to memory cannot fail");
    let length = (bytes.len() - HEADER) as u64;
    bytes[HEADER - 8..HEADER].copy_from_slice(&length.to_le_bytes());
    let sum = checksum(&bytes[HEADER..]);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The program that [`to_bytes`] wrote. It passes [`verify`].
pub fn from_bytes(bytes: &[u8]) -> Result<Program, ReadError> {
    let frame = Frame::first(bytes)?;
    if frame.version != VERSION {
        return Err(ReadError::OtherVersion(frame.version));
    }
    if frame.len() != bytes.len() {
        return Err(ReadError::Corrupt("something follows it".to_string()));
    }
    if checksum(frame.payload) != frame.checksum {
        return Err(ReadError::Corrupt("its checksum is wrong".to_string()));
    }
    let (program, rest) =
        postcard::take_from_bytes::<Program>(frame.payload).map_err(|_| ReadError::Corrupt("it cannot be decoded".to_string()))?;
    if !rest.is_empty() {
        return Err(ReadError::Corrupt("it is longer than what it holds".to_string()));
    }
    match verify(&program) {
        Ok(()) => Ok(program),
        Err(flaws) => Err(ReadError::Corrupt(flaws.first().map(ToString::to_string).unwrap_or_default())),
    }
}

/// Cuts models that stand one after the other, with zeros before, between or after them, into one slice for each.
pub fn split(mut bytes: &[u8]) -> Result<Vec<&[u8]>, ReadError> {
    let mut models = Vec::new();
    loop {
        let padding = bytes.iter().take_while(|byte| **byte == 0).count();
        bytes = bytes.get(padding..).unwrap_or_default();
        if bytes.is_empty() {
            return Ok(models);
        }
        let (model, rest) = bytes.split_at(Frame::first(bytes)?.len());
        models.push(model);
        bytes = rest;
    }
}

/// What surrounds a payload.
struct Frame<'a> {
    version: u16,
    payload: &'a [u8],
    checksum: u64,
}

impl<'a> Frame<'a> {
    /// The frame at the beginning of these bytes.
    fn first(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let start = bytes.len().min(MAGIC.len());
        if bytes.is_empty() || bytes[..start] != MAGIC[..start] {
            return Err(ReadError::NotAModel);
        }
        let mut reader = Reader(bytes.get(MAGIC.len()..).ok_or(ReadError::Truncated)?);
        let version = u16::from_le_bytes(reader.array()?);
        let length = u64::from_le_bytes(reader.array()?);
        let payload = reader.take(usize::try_from(length).map_err(|_| ReadError::Truncated)?)?;
        let checksum = u64::from_le_bytes(reader.array()?);
        Ok(Frame { version, payload, checksum })
    }

    fn len(&self) -> usize {
        HEADER + self.payload.len() + CHECKSUM
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], ReadError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(ReadError::Truncated)?;
        self.0 = rest;
        Ok(taken)
    }
    fn array<const N: usize>(&mut self) -> Result<[u8; N], ReadError> {
        self.take(N)?.try_into().map_err(|_| ReadError::Truncated)
    }
}

/// A 64-bit checksum against accidents, not against malice: words are mixed by rotation and multiplication.
fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let mut words = bytes.chunks_exact(8);
    let mut sum = bytes.len() as u64;
    for word in &mut words {
        sum = mix(sum, word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
    }
    words.remainder().iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)))
}

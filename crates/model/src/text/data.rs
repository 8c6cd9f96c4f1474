//! Printing of the contents of objects.

use std::fmt::Write;

use super::print::Printer;
use super::words::write_bytes;
use crate::program::{Address, Chunk, FunctionId, Init, Relocation};
use crate::types::{FloatFormat, RecordKind, Type, TypeId};

/// Prints the content of an object of a type.
pub(super) struct DataPrinter<'a> {
    pub(super) printer: &'a Printer<'a>,
    pub(super) ty: TypeId,
}

/// How a few bytes are read as a number.
#[derive(Clone, Copy, PartialEq)]
enum Scalar {
    Int { bytes: usize, signed: bool },
    F32,
    F64,
}

impl Scalar {
    fn bytes(self) -> usize {
        match self {
            Scalar::Int { bytes, .. } => bytes,
            Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }
}

enum Part<'a> {
    Bytes(&'a Chunk),
    Address(&'a Relocation),
}

/// How many numbers, and how many bytes of a string, stand in one piece.
const PIECE_NUMBERS: usize = 16;
const PIECE_BYTES: usize = 100;

impl DataPrinter<'_> {
    pub(super) fn write_init(&self, out: &mut String, init: &Init) {
        let mut parts: Vec<(u64, Part)> = init.chunks.iter().map(|chunk| (chunk.offset, Part::Bytes(chunk))).collect();
        parts.extend(init.relocations.iter().map(|relocation| (relocation.offset, Part::Address(relocation))));
        parts.sort_by_key(|(offset, _)| *offset);
        match (init.size, &parts[..]) {
            (None, []) => out.push_str("zero"),
            (None, [(0, part)]) => self.write_part(out, part),
            _ => {
                out.push_str("{\n");
                if let Some(size) = init.size {
                    let _ = writeln!(out, "    size {size}");
                }
                for (offset, part) in &parts {
                    let _ = write!(out, "    {offset}: ");
                    self.write_part(out, part);
                    out.push('\n');
                }
                out.push('}');
            }
        }
    }

    fn write_part(&self, out: &mut String, part: &Part) {
        match part {
            Part::Bytes(chunk) => self.write_chunk(out, chunk),
            Part::Address(relocation) => self.write_relocation(out, relocation),
        }
    }

    fn write_relocation(&self, out: &mut String, relocation: &Relocation) {
        let of = |out: &mut String, function: FunctionId| {
            out.push_str(" of ");
            self.printer.write_function_name(out, function);
        };
        match relocation.target {
            Address::Global(global) => {
                out.push('&');
                self.printer.write_global_name(out, global);
            }
            Address::Function(function) => {
                out.push('&');
                self.printer.write_function_name(out, function);
            }
            Address::Label(function, label) => {
                let _ = write!(out, "&&b{}", label.raw());
                of(out, function);
            }
            Address::LabelDifference(function, first, second) => {
                let _ = write!(out, "&&b{} - &&b{}", first.raw(), second.raw());
                of(out, function);
            }
        }
        if relocation.addend != 0 {
            let sign = if relocation.addend < 0 { '-' } else { '+' };
            let _ = write!(out, " {sign} {}", relocation.addend.unsigned_abs());
        }
        if u64::from(relocation.bytes) != self.printer.program.types.target().pointer_bytes() {
            let _ = write!(out, " in {}", relocation.bytes);
        }
    }

    /// Writes a stretch of bytes in pieces: numbers where scalars lie, strings for characters, hexadecimal for the rest.
    fn write_chunk(&self, out: &mut String, chunk: &Chunk) {
        let mut start = 0;
        let mut separator = "";
        while start < chunk.bytes.len() {
            let (scalar, end) = self.run(chunk, start);
            let bytes = &chunk.bytes[start..end];
            let limit = match scalar {
                Some(Scalar::Int { bytes: 1, .. }) if is_text(bytes) => PIECE_BYTES,
                Some(scalar) => PIECE_NUMBERS * scalar.bytes(),
                None => PIECE_BYTES,
            };
            for piece in bytes.chunks(limit) {
                out.push_str(separator);
                write_piece(out, scalar, piece);
                // A line may be broken after a comma.
                separator = if piece.len() == limit { ",\n        " } else { ", " };
            }
            start = end;
        }
    }

    /// The scalars of one kind, or bytes of no kind, that begin here, and where they end.
    fn run(&self, chunk: &Chunk, start: usize) -> (Option<Scalar>, usize) {
        let scalar_at = |at: usize| {
            let scalar = self.scalar_at(chunk.offset.saturating_add(at as u64))?;
            (scalar.bytes() <= chunk.bytes.len() - at).then_some(scalar)
        };
        let kind = scalar_at(start);
        let mut end = start;
        while end < chunk.bytes.len() && scalar_at(end) == kind {
            end += kind.map_or(1, Scalar::bytes);
        }
        (kind, end)
    }

    /// The scalar of the object's type that begins at this offset.
    fn scalar_at(&self, mut offset: u64) -> Option<Scalar> {
        let types = &self.printer.program.types;
        let mut ty = self.ty;
        loop {
            match types.get(ty) {
                Type::Array { elem, .. } => {
                    offset %= types.size_of(*elem).filter(|size| *size > 0)?;
                    ty = *elem;
                }
                Type::Record(record) => {
                    let record = types.record(*record);
                    let fields = &record.layout.as_ref()?.fields;
                    let after = match record.kind {
                        RecordKind::Struct => fields.partition_point(|field| field.offset <= offset),
                        RecordKind::Union => 1,
                    };
                    let field = fields.get(after.checked_sub(1)?).filter(|field| field.bit.is_none())?;
                    offset = offset.checked_sub(field.offset)?;
                    ty = field.ty;
                }
                _ if offset > 0 => return None,
                Type::Bool => return Some(Scalar::Int { bytes: 1, signed: false }),
                Type::Int { bits: bits @ (8 | 16 | 32 | 64 | 128), signed } => {
                    return Some(Scalar::Int { bytes: usize::from(*bits / 8), signed: *signed });
                }
                Type::Pointer(_) => return Some(Scalar::Int { bytes: types.target().pointer_bytes() as usize, signed: false }),
                Type::Float(FloatFormat::F32) => return Some(Scalar::F32),
                Type::Float(FloatFormat::F64) => return Some(Scalar::F64),
                _ => return None,
            }
        }
    }
}

/// Whether bytes are rather characters than numbers.
fn is_text(bytes: &[u8]) -> bool {
    let characters = bytes.iter().filter(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t' | 0)).count();
    bytes.len() > 1 && characters >= bytes.len() - bytes.len() / 8
}

fn write_piece(out: &mut String, scalar: Option<Scalar>, bytes: &[u8]) {
    let pattern = |bytes: &[u8]| bytes.iter().rev().fold(0u128, |pattern, byte| pattern << 8 | u128::from(*byte));
    match scalar {
        None => {
            out.push_str("hex \"");
            for byte in bytes {
                let _ = write!(out, "{byte:02x}");
            }
            out.push('"');
        }
        Some(Scalar::Int { bytes: 1, .. }) if is_text(bytes) => write_bytes(out, bytes),
        Some(Scalar::Int { bytes: size, signed }) => {
            let _ = write!(out, "{}{}", if signed { 'i' } else { 'u' }, size * 8);
            for number in bytes.chunks(size) {
                let shift = 128 - 8 * size;
                let shifted = pattern(number) << shift;
                let _ = if signed { write!(out, " {}", shifted as i128 >> shift) } else { write!(out, " {}", shifted >> shift) };
            }
        }
        Some(Scalar::F32) => {
            out.push_str("f32");
            for number in bytes.chunks(4) {
                out.push(' ');
                write_float(out, FloatFormat::F32, pattern(number));
            }
        }
        Some(Scalar::F64) => {
            out.push_str("f64");
            for number in bytes.chunks(8) {
                out.push(' ');
                write_float(out, FloatFormat::F64, pattern(number));
            }
        }
    }
}

/// Writes a float in decimal where that says exactly which it is, else its bits.
pub(super) fn write_float(out: &mut String, format: FloatFormat, bits: u128) {
    let decimal = match format {
        FloatFormat::F32 => Some(f32::from_bits(bits as u32)).filter(|value| value.is_finite()).map(|value| format!("{value:?}")),
        FloatFormat::F64 => Some(f64::from_bits(bits as u64)).filter(|value| value.is_finite()).map(|value| format!("{value:?}")),
        _ => None,
    };
    match decimal {
        Some(decimal) => out.push_str(&decimal),
        None => {
            let _ = write!(out, "{bits:#x}");
        }
    }
}

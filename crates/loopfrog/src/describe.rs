//! Places, values and numbers as people read them.

use model::{FloatFormat, Program, Span, Type, TypeId, float};

/// A place as editors and terminals know it: `file:line:column`.
pub fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file) {
        Some(file) if !span.is_none() => format!("{file}:{}:{}", span.line, span.column),
        _ => "-".to_string(),
    }
}

/// A scalar by its bit pattern.
pub fn value(program: &Program, ty: TypeId, pattern: u128) -> String {
    match program.types.get(ty) {
        Type::Float(format) => f64::from_bits(float::convert(*format, FloatFormat::F64, pattern) as u64).to_string(),
        Type::Pointer(_) => format!("{pattern:#x}"),
        _ => program.types.value(ty, pattern).to_string(),
    }
}

/// A number with its noun.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

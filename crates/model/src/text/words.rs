//! How names and strings are spelled.

use std::borrow::Cow;
use std::fmt::Write;

/// Words that have a meaning in expressions or at the start of a command.
const RESERVED: &[&str] = &[
    "alloca",
    "as",
    "assert",
    "assume",
    "bool",
    "count_ones",
    "else",
    "f128",
    "f16",
    "f32",
    "f64",
    "false",
    "float_abs",
    "fn",
    "goto",
    "havoc",
    "heap_is_empty",
    "if",
    "is_alive",
    "is_function",
    "is_heap",
    "is_infinite",
    "is_initialised",
    "is_nan",
    "is_null",
    "is_writable",
    "leading_zeros",
    "nonvolatile",
    "null",
    "object_size",
    "overflows",
    "pointer_offset",
    "return",
    "same_object",
    "sign_bit",
    "struct",
    "swap_bytes",
    "switch",
    "trailing_zeros",
    "true",
    "union",
    "va_arg",
    "va_copy",
    "va_end",
    "va_start",
    "void",
    "volatile",
    "x87",
    "zero",
];

/// Whether the word means something else than a name.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok() || int_type(word).is_some()
}

/// The width and sign of an integer type like `i32`.
pub(super) fn int_type(word: &str) -> Option<(u16, bool)> {
    let (signed, digits) = match word.split_at_checked(1)? {
        ("i", digits) => (true, digits),
        ("u", digits) => (false, digits),
        _ => return None,
    };
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let bits: u16 = digits.parse().ok().filter(|_| plain)?;
    (1..=128).contains(&bits).then_some((bits, signed))
}

/// Whether a name can begin with this character.
pub(super) fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a name can go on with this character.
pub(super) fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Writes a name, in backquotes where it would be mistaken for something else, and its number unless that is 0.
pub(super) fn write_name(out: &mut String, name: &str, number: u32) {
    let plain = name.chars().next().is_none_or(starts_name) && name.chars().all(continues_name) && !is_reserved(name);
    if plain && (number > 0 || !name.is_empty()) {
        out.push_str(name);
    } else {
        out.push('`');
        for c in name.chars() {
            match c {
                '`' | '\\' => out.extend(['\\', c]),
                c if c.is_ascii_control() => write_escape(out, c as u8),
                c => out.push(c),
            }
        }
        out.push('`');
    }
    if number > 0 {
        let _ = write!(out, "#{number}");
    }
}

/// Writes text in quotes.
pub(super) fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_ascii_control() => write_escape(out, c as u8),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Writes bytes in quotes.
pub(super) fn write_bytes(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for byte in bytes {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(*byte)]),
            b' '..=b'~' => out.push(char::from(*byte)),
            _ => write_escape(out, *byte),
        }
    }
    out.push('"');
}

fn write_escape(out: &mut String, byte: u8) {
    match byte {
        b'\n' => out.push_str("\\n"),
        b'\t' => out.push_str("\\t"),
        b'\r' => out.push_str("\\r"),
        0 => out.push_str("\\0"),
        byte => {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
}

/// The bytes that the inside of a quoted word stands for; `None` for an escape that does not exist.
pub(super) fn unescape(raw: &str) -> Option<Cow<'_, [u8]>> {
    if !raw.contains('\\') {
        return Some(Cow::Borrowed(raw.as_bytes()));
    }
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'0' => 0,
            b'x' => hex_digit(rest.next()?)? << 4 | hex_digit(rest.next()?)?,
            quoted @ (b'"' | b'`' | b'\\') => quoted,
            _ => return None,
        });
    }
    Some(Cow::Owned(bytes))
}

/// The text that the inside of a quoted word stands for.
pub(super) fn unescape_text(raw: &str) -> Option<Cow<'_, str>> {
    if !raw.contains('\\') {
        return Some(Cow::Borrowed(raw));
    }
    String::from_utf8(unescape(raw)?.into_owned()).ok().map(Cow::Owned)
}

/// The bytes that pairs of hexadecimal digits stand for.
pub(super) fn from_hex(digits: &str) -> Option<Vec<u8>> {
    digits.as_bytes().chunks(2).map(|pair| Some(hex_digit(*pair.first()?)? << 4 | hex_digit(*pair.get(1)?)?)).collect()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn names_are_quoted_where_needed() {
        let name = |name, number| {
            let mut out = String::new();
            write_name(&mut out, name, number);
            out
        };
        assert_eq!(name("x", 0), "x");
        assert_eq!(name("x", 2), "x#2");
        assert_eq!(name("", 3), "#3");
        assert_eq!(name("", 0), "``");
        assert_eq!(name("größe", 0), "größe");
        assert_eq!(name("u8", 0), "`u8`");
        assert_eq!(name("u08", 0), "u08");
        assert_eq!(name("main.count", 1), "`main.count`#1");
        assert_eq!(name("a`b\n", 0), "`a\\`b\\n`");
    }

    #[test]
    fn strings_come_back() {
        let all: Vec<u8> = (0..=255).collect();
        let mut out = String::new();
        write_bytes(&mut out, &all);
        assert_eq!(unescape(&out[1..out.len() - 1]).as_deref(), Some(&all[..]));
        assert_eq!(unescape("\\q"), None);
        assert_eq!(unescape("\\x4"), None);
        assert_eq!(from_hex("00fF"), Some(vec![0, 255]));
        assert_eq!(from_hex("0"), None);
    }
}

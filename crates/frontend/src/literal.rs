//! The values of numbers, characters and strings.

use std::borrow::Cow;

use crate::ast::{BasicType, CharKind, IntLiteral};

/// A number as written.
#[derive(Debug, PartialEq, Eq)]
pub enum Number<'a> {
    /// An integer constant.
    Int(IntLiteral),
    /// A floating constant.
    Float {
        /// The digits without suffix and separators.
        digits: Cow<'a, str>,
        /// What the suffix says.
        ty: BasicType,
        /// Whether there is a GNU `i` or `j` suffix.
        imaginary: bool,
    },
}

/// What is wrong with a literal.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whether it is no more than odd.
    pub harmless: bool,
    /// What is wrong.
    pub message: String,
}

impl Fault {
    fn error(message: impl Into<String>) -> Self {
        Fault { harmless: false, message: message.into() }
    }
    fn warning(message: impl Into<String>) -> Self {
        Fault { harmless: true, message: message.into() }
    }
}

/// The value of a preprocessing number.
pub fn number(text: &[u8]) -> Result<Number<'_>, Fault> {
    let text = std::str::from_utf8(text).map_err(|_| Fault::error("this number contains a byte that is no character"))?;
    let text = if text.contains('\'') { Cow::Owned(text.replace('\'', "")) } else { Cow::Borrowed(text) };
    let (radix, start) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (16, 2),
        [b'0', b'b' | b'B', ..] => (2, 2),
        [b'0', b'0'..=b'9', ..] => (8, 1),
        _ => (10, 0),
    };
    let exponent = if radix == 16 { ['p', 'P'] } else { ['e', 'E'] };
    let is_digit = |c: char| if radix == 16 { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let body = &text[start..];
    let whole = body.find(|c| !is_digit(c)).unwrap_or(body.len());
    match body[whole..].chars().next() {
        Some(c) if radix != 2 && (c == '.' || exponent.contains(&c)) => {}
        _ => return integer(&body[..whole], radix, &body[whole..]).map(Number::Int),
    }
    let end = start + floating_length(body, is_digit, exponent, radix == 16)?;
    let (ty, imaginary) = floating_suffix(&text[end..])?;
    let digits = match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
        Cow::Owned(text) => Cow::Owned(text[..end].to_string()),
    };
    Ok(Number::Float { digits, ty, imaginary })
}

fn integer(digits: &str, radix: u32, suffix: &str) -> Result<IntLiteral, Fault> {
    let mut value = 0u128;
    for c in digits.chars() {
        let digit = c
            .to_digit(radix)
            .ok_or_else(|| Fault::error(format!("invalid digit `{c}` in {} constant", if radix == 2 { "a binary" } else { "an octal" })))?;
        value = value
            .checked_mul(radix.into())
            .and_then(|value| value.checked_add(digit.into()))
            .ok_or_else(|| Fault::error("this integer constant is too large for any type"))?;
    }
    if digits.is_empty() {
        return Err(Fault::error("this number has no digits"));
    }
    let mut literal = IntLiteral { value, decimal: radix == 10, unsigned: false, longs: 0, imaginary: false };
    let mut rest = suffix.as_bytes();
    loop {
        let length = match rest {
            [] => return Ok(literal),
            [b'u' | b'U', ..] if !literal.unsigned => {
                literal.unsigned = true;
                1
            }
            [b'l', b'l', ..] | [b'L', b'L', ..] if literal.longs == 0 => {
                literal.longs = 2;
                2
            }
            [b'l' | b'L', ..] if literal.longs == 0 => {
                literal.longs = 1;
                1
            }
            [b'i' | b'I' | b'j' | b'J', ..] if !literal.imaginary => {
                literal.imaginary = true;
                1
            }
            _ => return Err(Fault::error(format!("invalid suffix `{suffix}` on an integer constant"))),
        };
        rest = &rest[length..];
    }
}

/// The length of a floating constant without its suffix.
fn floating_length(body: &str, is_digit: impl Fn(char) -> bool, exponent: [char; 2], hexadecimal: bool) -> Result<usize, Fault> {
    let digits = |at: usize| body[at..].find(|c| !is_digit(c)).unwrap_or(body.len() - at);
    let mut count = digits(0);
    let mut end = count;
    if body[end..].starts_with('.') {
        let fraction = digits(end + 1);
        count += fraction;
        end += 1 + fraction;
    }
    if count == 0 {
        return Err(Fault::error("this number has no digits"));
    }
    if body[end..].starts_with(exponent) {
        end += 1;
        if body[end..].starts_with(['+', '-']) {
            end += 1;
        }
        let power = body[end..].find(|c: char| !c.is_ascii_digit()).unwrap_or(body.len() - end);
        if power == 0 {
            return Err(Fault::error("the exponent has no digits"));
        }
        end += power;
    } else if hexadecimal {
        return Err(Fault::error("a hexadecimal floating constant needs an exponent: `p` and a number"));
    }
    Ok(end)
}

fn floating_suffix(suffix: &str) -> Result<(BasicType, bool), Fault> {
    let lower = suffix.to_ascii_lowercase();
    let plain = lower.strip_prefix(['i', 'j']).or(lower.strip_suffix(['i', 'j']));
    let ty = match plain.unwrap_or(&lower) {
        "" | "d" | "f64" | "f32x" => BasicType::Double,
        "f" | "f32" => BasicType::Float,
        "l" | "f64x" | "w" => BasicType::LongDouble,
        "f16" => BasicType::Float16,
        "f128" | "q" => BasicType::Float128,
        "df" | "dd" | "dl" => BasicType::Decimal,
        _ => return Err(Fault::error(format!("invalid suffix `{suffix}` on a floating constant"))),
    };
    Ok((ty, plain.is_some()))
}

/// The prefix and the text between the quotes of a string or character constant. The closing quote may be missing.
fn parts(token: &[u8]) -> (CharKind, &[u8]) {
    let (kind, quoted) = match token {
        [b'L', rest @ ..] => (CharKind::Wide, rest),
        [b'U', rest @ ..] => (CharKind::Utf32, rest),
        [b'u', b'8', rest @ ..] => (CharKind::Utf8, rest),
        [b'u', rest @ ..] => (CharKind::Utf16, rest),
        rest => (CharKind::Plain, rest),
    };
    let (quote, body) = quoted.split_first().unwrap_or((&b'"', &[]));
    (kind, body.strip_suffix(&[*quote]).unwrap_or(body))
}

/// The kind that adjacent strings have together: that of those with a prefix.
pub fn joined_kind<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> Result<CharKind, Fault> {
    let mut joined = CharKind::Plain;
    for token in tokens {
        let (kind, _) = parts(token);
        if joined == CharKind::Plain {
            joined = kind;
        } else if kind != CharKind::Plain && kind != joined {
            return Err(Fault::error("these adjacent strings have different prefixes"));
        }
    }
    Ok(joined)
}

/// Adds the code units of a string to `out`, for the kind that it has together with its neighbours.
pub fn string(token: &[u8], kind: CharKind, out: &mut Vec<u8>, faults: &mut Vec<Fault>) {
    units(parts(token).1, kind, out, faults);
}

/// The value of a character constant, as its type has it.
pub fn character(token: &[u8], unsigned_char: bool, faults: &mut Vec<Fault>) -> (i64, CharKind) {
    let (kind, body) = parts(token);
    let mut bytes = Vec::new();
    units(body, kind, &mut bytes, faults);
    let width = kind.unit();
    let count = bytes.len() / width;
    if count == 0 {
        faults.push(Fault::error("this character constant is empty"));
        return (0, kind);
    }
    if kind == CharKind::Plain {
        if count > 4 {
            faults.push(Fault::warning("this character constant is longer than its type"));
        }
        let value = bytes.iter().fold(0u32, |value, &byte| value << 8 | u32::from(byte)) as i32;
        let value = if count == 1 && !unsigned_char { i32::from(value as i8) } else { value };
        return (value.into(), kind);
    }
    if count > 1 {
        let message = "this character constant has more than one character";
        faults.push(if kind == CharKind::Wide { Fault::warning(message) } else { Fault::error(message) });
    }
    let last = bytes[bytes.len() - width..].iter().rev().fold(0u32, |value, &byte| value << 8 | u32::from(byte));
    let value = if kind == CharKind::Wide { i64::from(last as i32) } else { i64::from(last) };
    (value, kind)
}

/// Decodes the text between quotes.
fn units(mut body: &[u8], kind: CharKind, out: &mut Vec<u8>, faults: &mut Vec<Fault>) {
    while let Some((&first, rest)) = body.split_first() {
        if kind.unit() == 1 && first != b'\\' {
            let plain = body.iter().position(|&byte| byte == b'\\').unwrap_or(body.len());
            out.extend_from_slice(&body[..plain]);
            body = &body[plain..];
        } else if first == b'\\' {
            body = &rest[escape(rest, kind, out, faults)..];
        } else if first < 0x80 {
            push_unit(first.into(), kind, out);
            body = rest;
        } else {
            let length = first.leading_ones() as usize;
            let character = body.get(..length).and_then(|bytes| std::str::from_utf8(bytes).ok()).and_then(|text| text.chars().next());
            match character {
                Some(character) => {
                    push_character(character, kind, out);
                    body = &body[length..];
                }
                None => {
                    faults.push(Fault::error("this wide literal is not UTF-8"));
                    return;
                }
            }
        }
    }
}

/// Decodes what follows a backslash and tells its length.
fn escape(text: &[u8], kind: CharKind, out: &mut Vec<u8>, faults: &mut Vec<Fault>) -> usize {
    let Some(&first) = text.first() else {
        return 0;
    };
    let (value, length) = match first {
        b'n' => (b'\n', 1),
        b't' => (b'\t', 1),
        b'r' => (b'\r', 1),
        b'a' => (7, 1),
        b'b' => (8, 1),
        b'f' => (12, 1),
        b'v' => (11, 1),
        b'e' | b'E' => (27, 1),
        b'\\' | b'\'' | b'"' | b'?' => (first, 1),
        b'\n' => return 1,
        b'\r' if text.get(1) == Some(&b'\n') => return 2,
        b'0'..=b'7' => return numeric_escape(&text[..text.len().min(3)], 8, kind, out, faults),
        b'x' => return 1 + numeric_escape(&text[1..], 16, kind, out, faults),
        b'u' | b'U' => {
            let (character, length) = universal_character(text);
            match character {
                Some(character) => push_character(character, kind, out),
                None => faults.push(Fault::error("this is not the name of a character")),
            }
            return length;
        }
        _ => {
            faults.push(Fault::warning(format!("unknown escape sequence `\\{}`", first.escape_ascii())));
            return 0;
        }
    };
    push_unit(value.into(), kind, out);
    length
}

/// Decodes octal or hexadecimal digits and tells how many there are.
fn numeric_escape(text: &[u8], radix: u32, kind: CharKind, out: &mut Vec<u8>, faults: &mut Vec<Fault>) -> usize {
    let digits = text.iter().map_while(|&byte| char::from(byte).to_digit(radix));
    let (length, value) =
        digits.fold((0, 0u64), |(length, value), digit| (length + 1, (value << radix.ilog2() | u64::from(digit)) & 0xf_ffff_ffff));
    if length == 0 {
        faults.push(Fault::error("`\\x` without hexadecimal digits"));
    } else if value >> (8 * kind.unit()) != 0 {
        faults.push(Fault::warning("this escape sequence is out of range"));
    }
    push_unit(value as u32, kind, out);
    length
}

/// The character that `u00e9` or `U000000e9` at the beginning of the text names, and how long that is.
pub fn universal_character(text: &[u8]) -> (Option<char>, usize) {
    let wanted = if text.first() == Some(&b'U') { 8 } else { 4 };
    let digits = text.iter().skip(1).take(wanted).map_while(|&byte| char::from(byte).to_digit(16));
    let (count, value) = digits.fold((0, 0u32), |(count, value), digit| (count + 1, value << 4 | digit));
    let character = if count == wanted { char::from_u32(value) } else { None };
    (character, 1 + count)
}

fn push_unit(value: u32, kind: CharKind, out: &mut Vec<u8>) {
    out.extend_from_slice(&value.to_le_bytes()[..kind.unit()]);
}

fn push_character(character: char, kind: CharKind, out: &mut Vec<u8>) {
    match kind {
        CharKind::Plain | CharKind::Utf8 => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        CharKind::Utf16 => {
            for unit in character.encode_utf16(&mut [0; 2]) {
                push_unit((*unit).into(), kind, out);
            }
        }
        CharKind::Utf32 | CharKind::Wide => push_unit(character.into(), kind, out),
    }
}

/// The file name of a line marker: up to the closing quote, without escapes.
pub fn file_name(text: &[u8]) -> String {
    let mut end = 0;
    while end < text.len() && text[end] != b'"' {
        end += if text[end] == b'\\' { 2 } else { 1 };
    }
    let mut name = Vec::new();
    units(&text[..end.min(text.len())], CharKind::Plain, &mut name, &mut Vec::new());
    String::from_utf8_lossy(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(token: &str) -> Vec<u8> {
        let mut out = Vec::new();
        let mut faults = Vec::new();
        let kind = joined_kind([token.as_bytes()].into_iter()).expect("one kind");
        string(token.as_bytes(), kind, &mut out, &mut faults);
        assert_eq!(faults, []);
        out
    }
    fn value(token: &str) -> i64 {
        let mut faults = Vec::new();
        let (value, _) = character(token.as_bytes(), false, &mut faults);
        assert_eq!(faults, []);
        value
    }
    fn message(text: &str) -> String {
        number(text.as_bytes()).expect_err("not a number").message
    }
    fn integer_of(text: &str) -> (u128, bool, bool, u8, bool) {
        match number(text.as_bytes()) {
            Ok(Number::Int(i)) => (i.value, i.decimal, i.unsigned, i.longs, i.imaginary),
            other => panic!("{other:?}"),
        }
    }
    fn float_of(text: &str) -> (String, BasicType, bool) {
        match number(text.as_bytes()) {
            Ok(Number::Float { digits, ty, imaginary }) => (digits.into_owned(), ty, imaginary),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn integers() {
        assert_eq!(integer_of("0"), (0, true, false, 0, false));
        assert_eq!(integer_of("017ul"), (15, false, true, 1, false));
        assert_eq!(integer_of("0xFFffLLU"), (65535, false, true, 2, false));
        assert_eq!(integer_of("0b101"), (5, false, false, 0, false));
        assert_eq!(integer_of("1'000'000"), (1_000_000, true, false, 0, false));
        assert_eq!(integer_of("3i"), (3, true, false, 0, true));
        assert_eq!(integer_of("340282366920938463463374607431768211455"), (u128::MAX, true, false, 0, false));
        assert_eq!(message("340282366920938463463374607431768211456"), "this integer constant is too large for any type");
        assert_eq!(message("089"), "invalid digit `8` in an octal constant");
        assert_eq!(message("0b12"), "invalid digit `2` in a binary constant");
        assert_eq!(message("0x"), "this number has no digits");
        assert_eq!(message("12abc"), "invalid suffix `abc` on an integer constant");
        assert_eq!(message("1lL"), "invalid suffix `lL` on an integer constant");
    }

    #[test]
    fn floats() {
        let of = |digits: &str, ty| (digits.to_string(), ty, false);
        assert_eq!(float_of("1.5"), of("1.5", BasicType::Double));
        assert_eq!(float_of("1."), of("1.", BasicType::Double));
        assert_eq!(float_of(".5f"), of(".5", BasicType::Float));
        assert_eq!(float_of("1e-3L"), of("1e-3", BasicType::LongDouble));
        assert_eq!(float_of("089.5"), of("089.5", BasicType::Double));
        assert_eq!(float_of("0x1.8p3f"), of("0x1.8p3", BasicType::Float));
        assert_eq!(float_of("0x.8p-1"), of("0x.8p-1", BasicType::Double));
        assert_eq!(float_of("1.0f128"), of("1.0", BasicType::Float128));
        assert_eq!(float_of("1.0F64x"), of("1.0", BasicType::LongDouble));
        assert_eq!(float_of("1.0dd"), of("1.0", BasicType::Decimal));
        assert_eq!(float_of("2.0if"), ("2.0".to_string(), BasicType::Float, true));
        assert_eq!(message("1e"), "the exponent has no digits");
        assert_eq!(message("0x1.8"), "a hexadecimal floating constant needs an exponent: `p` and a number");
        assert_eq!(message("1.0x"), "invalid suffix `x` on a floating constant");
        assert_eq!(message("1.2.3"), "invalid suffix `.3` on a floating constant");
    }

    #[test]
    fn characters() {
        assert_eq!(value("'a'"), 97);
        assert_eq!(value(r"'\0'"), 0);
        assert_eq!(value(r"'\xff'"), -1);
        assert_eq!(value(r"'\377'"), -1);
        assert_eq!(value("'ab'"), 0x6162);
        assert_eq!(value(r"'\e'"), 27);
        assert_eq!(value(r"u8'\xff'"), 255);
        assert_eq!(value("L'é'"), 0xe9);
        assert_eq!(value("'é'"), 0xc3a9);
        assert_eq!(value(r"L'\xffffffff'"), -1);
        assert_eq!(value(r"U'\xffffffff'"), 0xffff_ffff);
        assert_eq!(value(r"u'\u20ac'"), 0x20ac);
        assert_eq!(character(br"'\xff'", true, &mut Vec::new()).0, 255);
    }

    #[test]
    fn strings() {
        assert_eq!(bytes(r#""a\tb\\\"\101\x41""#), b"a\tb\\\"AA");
        assert_eq!(bytes(r#""\1234""#), b"S4");
        assert_eq!(bytes(r#""\u00e9""#), "é".as_bytes());
        assert_eq!(bytes(r#"L"é""#), [0xe9, 0, 0, 0]);
        assert_eq!(bytes(r#"u"😀""#), [0x3d, 0xd8, 0, 0xde]);
        assert_eq!(bytes("\"a\\\nb\""), b"ab");
    }

    #[test]
    fn faults_of_strings() {
        let faults = |token: &[u8], kind| {
            let mut faults = Vec::new();
            string(token, kind, &mut Vec::new(), &mut faults);
            faults.into_iter().map(|fault| (fault.harmless, fault.message)).collect::<Vec<_>>()
        };
        assert_eq!(faults(br#""\q""#, CharKind::Plain), [(true, "unknown escape sequence `\\q`".to_string())]);
        assert_eq!(faults(br#""\x""#, CharKind::Plain), [(false, "`\\x` without hexadecimal digits".to_string())]);
        assert_eq!(faults(br#""\x123""#, CharKind::Plain), [(true, "this escape sequence is out of range".to_string())]);
        assert_eq!(faults(br#""\ud800""#, CharKind::Plain), [(false, "this is not the name of a character".to_string())]);
        assert_eq!(faults(b"\"\xff\"", CharKind::Wide), [(false, "this wide literal is not UTF-8".to_string())]);
        let joined = joined_kind([&b"L\"a\""[..], b"u\"b\""].into_iter());
        assert_eq!(joined.map_err(|fault| fault.message), Err("these adjacent strings have different prefixes".to_string()));
    }

    #[test]
    fn file_names() {
        assert_eq!(file_name(br#"a\"b\\c\303\251.c" 1 3"#), "a\"b\\cé.c");
        assert_eq!(file_name(b"no end"), "no end");
    }
}

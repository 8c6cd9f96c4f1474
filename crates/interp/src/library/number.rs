//! Numbers as text: what `strtol`, `strtod` and `scanf` read.

use model::{FloatFormat, float};

/// An integer at the start of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    /// Whether there is a minus sign.
    pub negative: bool,
    /// Its absolute value; as large as can be if it is too large.
    pub magnitude: u128,
    /// Where it ends; 0 if there is none.
    pub end: usize,
}

/// Whether `isspace` holds in the C locale.
pub fn is_space(byte: u8) -> bool {
    byte == b' ' || (9..=13).contains(&byte)
}

/// Reads an integer as `strtol` does: space, sign, `0x` or `0` if the base allows them, digits.
pub fn integer(text: &[u8], base: u32) -> Integer {
    let mut at = text.iter().take_while(|byte| is_space(**byte)).count();
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let digit = |at: usize, base: u32| text.get(at).and_then(|byte| (*byte as char).to_digit(base));
    let hexadecimal = matches!(text.get(at..), Some([b'0', b'x' | b'X', ..])) && digit(at + 2, 16).is_some();
    let base = match base {
        0 | 16 if hexadecimal => {
            at += 2;
            16
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        _ => base.clamp(2, 36),
    };
    let start = at;
    let mut magnitude = 0u128;
    while let Some(value) = digit(at, base) {
        magnitude = magnitude.saturating_mul(u128::from(base)).saturating_add(u128::from(value));
        at += 1;
    }
    Integer { negative, magnitude, end: if at > start { at } else { 0 } }
}

impl Integer {
    /// The number as a signed or unsigned one of this width, and whether it was too large. An unsigned one may have a minus sign.
    pub fn fit(self, bits: u32, signed: bool) -> (i128, bool) {
        let largest = (1i128 << (bits - u32::from(signed))) - 1;
        let magnitude = i128::try_from(self.magnitude).unwrap_or(i128::MAX);
        match (signed, self.negative) {
            (true, true) if magnitude > largest + 1 => (-largest - 1, true),
            (_, false) if magnitude > largest => (largest, true),
            (false, true) if magnitude > largest => (largest, true),
            (_, true) => (-magnitude, false),
            (_, false) => (magnitude, false),
        }
    }
}

/// A floating-point number at the start of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Float {
    /// Its bits.
    pub pattern: u128,
    /// Where it ends; 0 if there is none.
    pub end: usize,
    /// Whether it is too large or too small for its format.
    pub out_of_range: bool,
}

/// Reads a floating-point number as `strtod` does, rounded to nearest.
pub fn float(text: &[u8], format: FloatFormat) -> Float {
    let start = text.iter().take_while(|byte| is_space(**byte)).count();
    let negative = text.get(start) == Some(&b'-');
    let start = start + usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let rest = text.get(start..).unwrap_or_default();
    let found = word(rest, format).or_else(|| written(rest, format));
    let Some((magnitude, length, out_of_range)) = found else { return Float { pattern: 0, end: 0, out_of_range: false } };
    let sign = u128::from(negative) << (format.bits() - 1);
    Float { pattern: magnitude | sign, end: start + length, out_of_range }
}

/// `inf`, `infinity`, `nan`, `nan(tag)`.
fn word(text: &[u8], format: FloatFormat) -> Option<(u128, usize, bool)> {
    let starts = |word: &[u8]| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    if starts(b"infinity") {
        return Some((float::infinity(format), 8, false));
    }
    if starts(b"inf") {
        return Some((float::infinity(format), 3, false));
    }
    if !starts(b"nan") {
        return None;
    }
    let tag = text.get(3..).and_then(|rest| rest.strip_prefix(b"(")).and_then(|rest| {
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        (rest.get(length) == Some(&b')')).then(|| &rest[..length])
    });
    let payload = tag.map(|tag| (integer(tag, 0), tag.len())).filter(|(number, length)| number.end == *length);
    let pattern = float::nan(format, payload.map_or(0, |(number, _)| number.magnitude), false);
    Some((pattern, tag.map_or(3, |tag| 5 + tag.len()), false))
}

/// A number in digits: decimal, or hexadecimal behind `0x`.
fn written(text: &[u8], format: FloatFormat) -> Option<(u128, usize, bool)> {
    if matches!(text, [b'0', b'x' | b'X', ..])
        && let Some((digits, exponent, length)) = digits(&text[2..], 16)
    {
        return Some(in_range(format, &format!("0x0.{digits}p{exponent}"), digits.is_empty(), length + 2));
    }
    let (digits, exponent, length) = digits(text, 10)?;
    Some(in_range(format, &format!("0.{digits}e{exponent}"), digits.is_empty(), length))
}

fn in_range(format: FloatFormat, number: &str, is_zero: bool, length: usize) -> (u128, usize, bool) {
    if is_zero {
        return (0, length, false);
    }
    let pattern = match format {
        FloatFormat::F64 => number.parse().ok().map(|number: f64| u128::from(number.to_bits())),
        FloatFormat::F32 => number.parse().ok().map(|number: f32| u128::from(number.to_bits())),
        _ => None,
    };
    let pattern = pattern.or_else(|| float::parse(format, number)).unwrap_or(0);
    (pattern, length, pattern >= float::infinity(format) || pattern < float::smallest_normal(format))
}

/// The digits of a number without zeros around them, its exponent if the point is before them, and its length.
fn digits(text: &[u8], base: u32) -> Option<(String, i64, usize)> {
    let is_digit = |at: usize| text.get(at).is_some_and(|byte| (*byte as char).is_digit(base));
    let mut all = String::new();
    let (mut at, mut whole, mut seen) = (0, None, false);
    loop {
        match text.get(at) {
            Some(byte) if is_digit(at) => {
                all.push(*byte as char);
                seen = true;
            }
            Some(b'.') if whole.is_none() => whole = Some(all.len()),
            _ => break,
        }
        at += 1;
    }
    if !seen {
        return None;
    }
    let whole = whole.unwrap_or(all.len()) as i64;
    let zeros = all.len() - all.trim_start_matches('0').len();
    let per_digit = if base == 16 { 4 } else { 1 };
    let mut exponent = (whole - zeros as i64) * per_digit;
    let mark = if base == 16 { b'p' } else { b'e' };
    if text.get(at).is_some_and(|byte| byte.eq_ignore_ascii_case(&mark)) {
        let signed = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        if text.get(at + 1 + signed).is_some_and(u8::is_ascii_digit) {
            let number = integer(&text[at + 1..], 10);
            exponent += number.fit(32, true).0 as i64;
            at += 1 + number.end;
        }
    }
    // No format reaches this far, and the digits cannot bring it back.
    let exponent = exponent.clamp(-50_000, 50_000);
    Some((all.trim_matches('0').to_string(), exponent, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> (f64, usize, bool) {
        let number = float(text.as_bytes(), FloatFormat::F64);
        (f64::from_bits(number.pattern as u64), number.end, number.out_of_range)
    }

    #[test]
    fn integers_end_where_their_digits_end() {
        assert_eq!(integer(b"  -42x", 10), Integer { negative: true, magnitude: 42, end: 5 });
        assert_eq!(integer(b"0x1fg", 0), Integer { negative: false, magnitude: 31, end: 4 });
        assert_eq!(integer(b"0xg", 16), Integer { negative: false, magnitude: 0, end: 1 });
        assert_eq!(integer(b"017", 0), Integer { negative: false, magnitude: 15, end: 3 });
        assert_eq!(integer(b"+", 10).end, 0);
        assert_eq!(integer(b"zz", 36).magnitude, 35 * 37);
    }

    #[test]
    fn large_integers_are_cut() {
        assert_eq!(integer(b"9223372036854775808", 10).fit(64, true), (i128::from(i64::MAX), true));
        assert_eq!(integer(b"-9223372036854775808", 10).fit(64, true), (i128::from(i64::MIN), false));
        assert_eq!(integer(b"-1", 10).fit(64, false), (-1, false));
        assert_eq!(integer(b"-99999999999999999999", 10).fit(64, false), (i128::from(u64::MAX), true));
    }

    #[test]
    fn floats_are_rounded_once() {
        assert_eq!(double("0.1"), (0.1, 3, false));
        assert_eq!(double(" -1.5e3x"), (-1500.0, 7, false));
        assert_eq!(double("1e"), (1.0, 1, false));
        assert_eq!(double(".5."), (0.5, 2, false));
        assert_eq!(double("."), (0.0, 0, false));
        assert_eq!(double("0x1.8p1"), (3.0, 7, false));
        assert_eq!(double("0x.8"), (0.5, 4, false));
        assert_eq!(double("0xg"), (0.0, 1, false));
        assert_eq!(double("1e400"), (f64::INFINITY, 5, true));
        assert_eq!(double("1e-400"), (0.0, 6, true));
        assert_eq!(double("1e99999999999999999999"), (f64::INFINITY, 22, true));
        assert_eq!(double("-inFinitY"), (f64::NEG_INFINITY, 9, false));
        assert_eq!(double("9007199254740993"), (9007199254740992.0, 16, false));
        assert!(double("nan(12)").0.is_nan());
        assert_eq!(double("nan(12)").1, 7);
    }

    #[test]
    fn long_doubles_keep_their_bits() {
        assert_eq!(float(b"1.5", FloatFormat::X87).pattern, 0x3fff_c000_0000_0000_0000);
        assert_eq!(float(b"-1e5000", FloatFormat::X87).pattern, 0xffff_8000_0000_0000_0000);
    }
}

//! What `printf` and its family make of a format and arguments: the same bytes as glibc's.

use model::{FloatFormat, Target};

use super::arguments::Arguments;
use super::decimal::{Class, Decimal, classify};
use super::{errors, store_int, string_up_to};
use crate::code::Shape;
use crate::fault::{Budget, End, Step};
use crate::machine::Machine;

/// The length modifier of a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Length {
    /// None.
    #[default]
    Int,
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `l`
    Long,
    /// `ll`, `q`, and `L` before an integer conversion.
    LongLong,
    /// `z`, `t`
    Size,
    /// `j`
    Max,
    /// `L`
    LongDouble,
}

impl Length {
    /// Reads a length modifier at a position and moves behind it.
    pub fn parse(format: &[u8], at: &mut usize) -> Self {
        let rest = format.get(*at..).unwrap_or_default();
        let (length, letters) = match rest {
            [b'h', b'h', ..] => (Length::Char, 2),
            [b'h', ..] => (Length::Short, 1),
            [b'l', b'l', ..] => (Length::LongLong, 2),
            [b'l', ..] => (Length::Long, 1),
            [b'q', ..] => (Length::LongLong, 1),
            [b'z' | b't' | b'Z', ..] => (Length::Size, 1),
            [b'j', ..] => (Length::Max, 1),
            [b'L', ..] => (Length::LongDouble, 1),
            _ => (Length::Int, 0),
        };
        *at += letters;
        length
    }

    /// How many bytes an integer of this length has.
    pub fn bytes(self, target: Target) -> u64 {
        match self {
            Length::Int => 4,
            Length::Char => 1,
            Length::Short => 2,
            Length::Long | Length::Size => target.pointer_bytes(),
            Length::LongLong | Length::Max | Length::LongDouble => 8,
        }
    }
}

/// A conversion: what is between `%` and its letter.
#[derive(Clone, Debug, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
    position: Option<usize>,
    letter: u8,
}

/// The text for a format and arguments; `None` if the format cannot be printed.
pub fn print(machine: &mut Machine<'_, '_>, format: &[u8], arguments: &mut Arguments) -> Step<Option<Vec<u8>>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let start = at;
        let Some(spec) = parse(machine, format, &mut at, arguments)? else { return Ok(None) };
        let longest = spec.width.max(spec.precision.unwrap_or(0)) as u64;
        if (out.len() as u64).saturating_add(longest) > machine.limits.output {
            return Err(Box::new(End::Budget(Budget::Output, machine.span())));
        }
        if !convert(machine, &spec, arguments, &mut out)? {
            out.push(b'%');
            out.extend_from_slice(format.get(start..at).unwrap_or_default());
        }
    }
    Ok(Some(out))
}

/// Reads flags, width, precision, length and letter; `None` if the format ends in between.
fn parse(machine: &mut Machine<'_, '_>, format: &[u8], at: &mut usize, arguments: &mut Arguments) -> Step<Option<Spec>> {
    let mut spec = Spec { position: position(format, at), ..Spec::default() };
    while let Some(&flag) = format.get(*at) {
        match flag {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            b'\'' | b'I' => {}
            _ => break,
        }
        *at += 1;
    }
    if let Some(width) = amount(machine, format, at, arguments)? {
        spec.left |= width < 0;
        spec.width = width.unsigned_abs() as usize;
    }
    if format.get(*at) == Some(&b'.') {
        *at += 1;
        let precision = amount(machine, format, at, arguments)?.unwrap_or(0);
        spec.precision = usize::try_from(precision).ok();
    }
    spec.length = Length::parse(format, at);
    let Some(&letter) = format.get(*at) else { return Ok(None) };
    *at += 1;
    spec.letter = letter;
    Ok(Some(spec))
}

/// The `n$` of an argument that is named by its position.
fn position(format: &[u8], at: &mut usize) -> Option<usize> {
    let mut end = *at;
    let number = digits(format, &mut end);
    if number > 0 && format.get(end) == Some(&b'$') {
        *at = end + 1;
        return Some(number as usize);
    }
    None
}

/// A decimal number of a format; too large ones are as large as can be.
pub fn digits(format: &[u8], at: &mut usize) -> i64 {
    let mut number = 0i64;
    while let Some(digit) = format.get(*at).filter(|byte| byte.is_ascii_digit()) {
        number = (number * 10 + i64::from(digit - b'0')).min(i64::from(i32::MAX));
        *at += 1;
    }
    number
}

/// A width or precision: written, or `*`, the next argument.
fn amount(machine: &mut Machine<'_, '_>, format: &[u8], at: &mut usize, arguments: &mut Arguments) -> Step<Option<i64>> {
    Ok(match format.get(*at) {
        Some(b'*') => {
            *at += 1;
            let position = position(format, at);
            Some(arguments.integer(machine, position, Shape::Int(32, true))? as i64)
        }
        Some(byte) if byte.is_ascii_digit() => Some(digits(format, at)),
        _ => None,
    })
}

/// Appends one conversion; false if there is none with this letter.
fn convert(machine: &mut Machine<'_, '_>, spec: &Spec, arguments: &mut Arguments, out: &mut Vec<u8>) -> Step<bool> {
    let target = machine.program.types.target();
    let bits = 8 * spec.length.bytes(target) as u8;
    let text = match spec.letter {
        b'd' | b'i' => {
            let value = arguments.integer(machine, spec.position, Shape::Int(bits, true))?;
            integer(spec, value < 0, value.unsigned_abs())
        }
        b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
            let value = arguments.integer(machine, spec.position, Shape::Int(bits, false))?;
            integer(spec, false, value as u128)
        }
        b'c' if spec.length != Length::Long => {
            let byte = arguments.integer(machine, spec.position, Shape::Int(8, false))?;
            pad(&Spec { zero: false, ..spec.clone() }, "", &[byte as u8])
        }
        b's' if spec.length != Length::Long => {
            let pointer = arguments.pointer(machine, spec.position)?;
            let limit = spec.precision.map_or(u64::MAX, |precision| precision as u64);
            let text = match pointer {
                0 if limit < 6 => Vec::new(),
                0 => b"(null)".to_vec(),
                _ => string_up_to(machine, pointer, limit)?,
            };
            pad(&Spec { zero: false, ..spec.clone() }, "", &text)
        }
        b'p' => match arguments.pointer(machine, spec.position)? {
            0 => pad(&Spec { zero: false, ..spec.clone() }, "", b"(nil)"),
            pointer => {
                machine.expose(pointer.into())?;
                let address = machine.memory.address(pointer);
                integer(&Spec { letter: b'x', alternate: true, ..spec.clone() }, false, u128::from(address))
            }
        },
        b'n' => {
            let pointer = arguments.pointer(machine, spec.position)?;
            store_int(machine, pointer, out.len() as i128, u64::from(bits) / 8)?;
            Vec::new()
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let format = if spec.length == Length::LongDouble { FloatFormat::X87 } else { FloatFormat::F64 };
            let pattern = arguments.float(machine, spec.position, format)?;
            float(spec, format, pattern)
        }
        b'c' | b's' | b'C' | b'S' => {
            return Err(Box::new(End::Unsupported("wide characters in `printf` are not modelled".into(), machine.span())));
        }
        b'm' => {
            let message = errors::message(errors::get(machine)?);
            pad(&Spec { zero: false, ..spec.clone() }, "", message.as_bytes())
        }
        b'%' => b"%".to_vec(),
        _ => return Ok(false),
    };
    out.extend_from_slice(&text);
    Ok(true)
}

/// Brings a text to its width. The prefix (sign, `0x`) stays before zeros and behind spaces.
fn pad(spec: &Spec, prefix: &str, body: &[u8]) -> Vec<u8> {
    let missing = spec.width.saturating_sub(prefix.len() + body.len());
    let prefix = prefix.as_bytes();
    if spec.left {
        [prefix, body, &vec![b' '; missing]].concat()
    } else if spec.zero {
        [prefix, &vec![b'0'; missing], body].concat()
    } else {
        [&vec![b' '; missing], prefix, body].concat()
    }
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, _, _) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn integer(spec: &Spec, negative: bool, magnitude: u128) -> Vec<u8> {
    let mut digits = match spec.letter {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        b'b' | b'B' => format!("{magnitude:b}"),
        _ => magnitude.to_string(),
    };
    if let Some(precision) = spec.precision {
        if precision == 0 && magnitude == 0 {
            digits.clear();
        }
        digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
    }
    if spec.letter == b'o' && spec.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix = match spec.letter {
        b'd' | b'i' => sign(spec, negative),
        b'x' if spec.alternate && magnitude != 0 => "0x",
        b'X' if spec.alternate && magnitude != 0 => "0X",
        b'b' if spec.alternate && magnitude != 0 => "0b",
        b'B' if spec.alternate && magnitude != 0 => "0B",
        _ => "",
    };
    let spec = Spec { zero: spec.zero && spec.precision.is_none(), ..spec.clone() };
    // A pointer takes a sign like a signed number does.
    let prefix = if spec.letter == b'x' && (spec.plus || spec.space) && prefix == "0x" {
        [sign(&spec, false), prefix].concat()
    } else {
        prefix.into()
    };
    pad(&spec, &prefix, digits.as_bytes())
}

fn float(spec: &Spec, format: FloatFormat, pattern: u128) -> Vec<u8> {
    let (negative, class) = classify(format, pattern);
    let mut prefix = sign(spec, negative).to_string();
    let upper = spec.letter.is_ascii_uppercase();
    let (mantissa, exponent) = match class {
        Class::Finite { mantissa, exponent } => (mantissa, exponent),
        Class::Nan | Class::Infinite => {
            let word = match (class, upper) {
                (Class::Nan, false) => "nan",
                (Class::Nan, true) => "NAN",
                (_, false) => "inf",
                (_, true) => "INF",
            };
            return pad(&Spec { zero: false, ..spec.clone() }, &prefix, word.as_bytes());
        }
    };
    let precision = spec.precision.unwrap_or(6);
    let decimal = || Decimal::new(mantissa, exponent);
    let body = match spec.letter.to_ascii_lowercase() {
        b'f' => fixed(decimal(), precision, spec.alternate),
        b'e' => scientific(decimal(), precision, spec.alternate),
        b'g' => general(decimal(), precision.max(1), spec.alternate),
        _ => {
            prefix.push_str("0x");
            hexadecimal(format, mantissa, exponent, spec)
        }
    };
    let (prefix, body) = if upper { (prefix.to_uppercase(), body.to_ascii_uppercase()) } else { (prefix, body) };
    pad(spec, &prefix, &body)
}

/// `%f`
fn fixed(decimal: Decimal, precision: usize, point: bool) -> Vec<u8> {
    let count = decimal.point.saturating_add(precision as i64);
    let decimal = decimal.round(count);
    let whole = decimal.point.max(1);
    let mut text: Vec<u8> = (-whole..0).map(|position| decimal.digit(position)).collect();
    if precision > 0 || point {
        text.push(b'.');
    }
    text.extend((0..precision as i64).map(|position| decimal.digit(position)));
    text
}

/// `%e`
fn scientific(decimal: Decimal, precision: usize, point: bool) -> Vec<u8> {
    let decimal = decimal.round((precision as i64).saturating_add(1));
    let first = -decimal.point;
    let exponent = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
    let mut text = vec![decimal.digit(first)];
    if precision > 0 || point {
        text.push(b'.');
    }
    text.extend((1..=precision as i64).map(|position| decimal.digit(first + position)));
    let sign = if exponent < 0 { '-' } else { '+' };
    text.extend_from_slice(format!("e{sign}{:02}", exponent.abs()).as_bytes());
    text
}

/// `%g`: the shorter of both, without zeros at the end.
fn general(decimal: Decimal, precision: usize, alternate: bool) -> Vec<u8> {
    let decimal = decimal.round(precision as i64);
    let exponent = if decimal.digits.is_empty() { 0 } else { decimal.point - 1 };
    let precision = precision as i64;
    let used = decimal.digits.len() as i64;
    if exponent < -4 || exponent >= precision {
        let places = if alternate { precision - 1 } else { (used - 1).max(0) };
        scientific(decimal, places as usize, alternate)
    } else {
        let places = if alternate { precision - 1 - exponent } else { (used - 1 - exponent).max(0) };
        fixed(decimal, places as usize, alternate)
    }
}

/// `%a`: one digit before the point, which is 1 for normal numbers; the 80-bit format has four bits there.
fn hexadecimal(format: FloatFormat, mantissa: u128, exponent: i32, spec: &Spec) -> Vec<u8> {
    let (stored, _) = super::decimal::layout(format);
    let bits = if format == FloatFormat::X87 { 60 } else { stored };
    let all = bits.div_ceil(4);
    let mut mantissa = mantissa << (4 * all - bits);
    let mut power = if mantissa == 0 { 0 } else { exponent + bits as i32 };
    let mut places = all as usize;
    match spec.precision {
        None => {
            while places > 0 && mantissa & 0xf == 0 {
                mantissa >>= 4;
                places -= 1;
            }
        }
        Some(precision) if precision < places => {
            let dropped = 4 * (places - precision) as u32;
            let (rest, half) = (mantissa & ((1 << dropped) - 1), 1 << (dropped - 1));
            mantissa >>= dropped;
            if rest > half || rest == half && mantissa & 1 == 1 {
                mantissa += 1;
            }
            places = precision;
            if mantissa >> (4 * places) > 0xf {
                mantissa >>= 4;
                power += 4;
            }
        }
        Some(_) => {}
    }
    let shown = spec.precision.unwrap_or(places);
    let mut text = format!("{:x}", mantissa >> (4 * places));
    if shown > 0 || spec.alternate {
        text.push('.');
    }
    for place in (0..places).rev() {
        text.push(char::from_digit((mantissa >> (4 * place)) as u32 & 0xf, 16).unwrap_or('0'));
    }
    text.push_str(&"0".repeat(shown - places.min(shown)));
    let sign = if power < 0 { '-' } else { '+' };
    text.push_str(&format!("p{sign}{}", power.abs()));
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float_text(letter: u8, precision: Option<usize>, value: f64) -> String {
        let spec = Spec { letter, precision, ..Spec::default() };
        String::from_utf8(float(&spec, FloatFormat::F64, u128::from(value.to_bits()))).unwrap()
    }

    #[test]
    fn floats_round_exactly() {
        assert_eq!(float_text(b'f', None, 0.1), "0.100000");
        assert_eq!(float_text(b'f', Some(0), 2.5), "2");
        assert_eq!(float_text(b'f', Some(1), 0.25), "0.2");
        assert_eq!(float_text(b'f', Some(2), 1e15), "1000000000000000.00");
        assert_eq!(float_text(b'e', Some(3), 12345.678), "1.235e+04");
        assert_eq!(float_text(b'e', Some(0), 5e-324), "5e-324");
        assert_eq!(float_text(b'g', None, 0.0001), "0.0001");
        assert_eq!(float_text(b'g', None, 1e-5), "1e-05");
        assert_eq!(float_text(b'g', Some(3), 999.9), "1e+03");
        assert_eq!(float_text(b'a', None, 1.0), "0x1p+0");
        assert_eq!(float_text(b'a', Some(1), 0.1), "0x1.ap-4");
        assert_eq!(float_text(b'F', None, f64::INFINITY), "INF");
        assert_eq!(float_text(b'f', None, -f64::NAN), "-nan");
        assert_eq!(float_text(b'f', None, -0.0), "-0.000000");
    }

    #[test]
    fn integers_keep_their_signs_and_prefixes() {
        let spec = Spec { letter: b'd', width: 6, zero: true, ..Spec::default() };
        assert_eq!(integer(&spec, true, 42), b"-00042");
        let spec = Spec { letter: b'x', alternate: true, width: 8, precision: Some(4), zero: true, ..Spec::default() };
        assert_eq!(integer(&spec, false, 255), b"  0x00ff");
        let spec = Spec { letter: b'o', alternate: true, precision: Some(0), ..Spec::default() };
        assert_eq!(integer(&spec, false, 0), b"0");
    }
}

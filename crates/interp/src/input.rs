//! Where the values come from that the program does not compute, and the record of those that were used.

use std::fmt::Write as _;

use model::Span;

/// Why a value is needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// What it is for: `__VERIFIER_nondet_int`, `uninitialised x`, `result of f`.
    pub what: String,
    /// How many bits it has.
    pub bits: u16,
    /// Where.
    pub span: Span,
}

/// Gives the next value, or none if there are no more.
pub type Ask<'a> = Box<dyn FnMut(&Request) -> Option<u128> + 'a>;

/// Gives more bytes; none at the end.
pub type Reader<'a> = Box<dyn FnMut() -> Vec<u8> + 'a>;

/// Where values come from.
pub enum Values<'a> {
    /// From a list; it must be long enough.
    List(std::vec::IntoIter<u128>),
    /// From a generator with this state: the same seed gives the same run.
    Seeded(u64),
    /// The caller chooses.
    Ask(Ask<'a>),
    /// All zero.
    Zero,
}

/// All inputs of a run.
pub struct Inputs<'a> {
    /// The arguments of `main`, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// The standard input, as far as it is known.
    pub stdin: Vec<u8>,
    /// Gives more of the standard input; nothing at its end.
    pub reader: Option<Reader<'a>>,
    /// Everything else.
    pub values: Values<'a>,
}

impl Default for Inputs<'_> {
    fn default() -> Self {
        Inputs { arguments: vec![b"program".to_vec()], stdin: Vec::new(), reader: None, values: Values::Zero }
    }
}

impl Inputs<'_> {
    /// Reads the standard input to its end; false if it is longer than allowed.
    pub(crate) fn read_stdin(&mut self, limit: u64) -> bool {
        if let Some(mut reader) = self.reader.take() {
            loop {
                let more = reader();
                if more.is_empty() {
                    break;
                }
                self.stdin.extend(more);
                if self.stdin.len() as u64 > limit {
                    return false;
                }
            }
        }
        true
    }
}

/// A value that was used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Used {
    /// What it was for.
    pub request: Request,
    /// The value.
    pub value: u128,
}

impl Values<'_> {
    /// The next value, cut to its width.
    pub fn next(&mut self, request: &Request) -> Option<u128> {
        let value = match self {
            Values::List(list) => list.next()?,
            Values::Seeded(state) => u128::from(xorshift(state)) << 64 | u128::from(xorshift(state)),
            Values::Ask(ask) => ask(request)?,
            Values::Zero => 0,
        };
        Some(if request.bits >= 128 { value } else { value & ((1 << request.bits) - 1) })
    }
}

/// Marsaglia's xorshift with a multiplier: small, good enough, the same everywhere.
fn xorshift(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The file form of the inputs of a run: `argument "…"`, `stdin "…"`, `value N  # what` lines.
pub fn write_file(arguments: &[Vec<u8>], stdin: &[u8], used: &[Used], place: impl Fn(Span) -> String) -> String {
    let mut text = String::from("# inputs of a run, in the order in which they were used\n");
    for argument in arguments {
        let _ = writeln!(text, "argument {}", quote(argument));
    }
    if !stdin.is_empty() {
        let _ = writeln!(text, "stdin {}", quote(stdin));
    }
    for Used { request, value } in used {
        let _ = writeln!(text, "value {value}  # {} bits, {}, {}", request.bits, request.what, place(request.span));
    }
    text
}

/// Reads what [`write_file`] wrote. The error says which line is wrong and why.
pub fn read_file(text: &str) -> Result<Inputs<'static>, String> {
    let mut arguments = Vec::new();
    let mut stdin = Vec::new();
    let mut values = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        let wrong = |why: &str| format!("line {}: {why}", number + 1);
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "argument" => arguments.push(unquote(rest).ok_or_else(|| wrong("expected a string in quotes"))?),
            "stdin" => stdin.extend(unquote(rest).ok_or_else(|| wrong("expected a string in quotes"))?),
            "value" => values.push(number_of(rest).ok_or_else(|| wrong("expected a number"))?),
            _ => return Err(wrong("expected `argument`, `stdin` or `value`")),
        }
    }
    if arguments.is_empty() {
        arguments.push(b"program".to_vec());
    }
    Ok(Inputs { arguments, stdin, reader: None, values: Values::List(values.into_iter()) })
}

fn number_of(text: &str) -> Option<u128> {
    let text = text.split('#').next()?.trim();
    match text.strip_prefix('-') {
        Some(digits) => digits.parse::<i128>().ok().map(|n| n.wrapping_neg() as u128),
        None => match text.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16).ok(),
            None => text.parse().ok(),
        },
    }
}

fn quote(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => {
                text.push('\\');
                text.push(byte as char);
            }
            b' '..=b'~' => text.push(byte as char),
            _ => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
    }
    text.push('"');
    text
}

fn unquote(text: &str) -> Option<Vec<u8>> {
    let mut rest = text.trim().as_bytes().strip_prefix(b"\"")?;
    let mut bytes = Vec::new();
    loop {
        match rest {
            [b'"', ..] => return Some(bytes),
            [b'\\', b'x', a, b, tail @ ..] => {
                let hex = [*a, *b];
                bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
                rest = tail;
            }
            [b'\\', byte, tail @ ..] => {
                bytes.push(*byte);
                rest = tail;
            }
            [byte, tail @ ..] => {
                bytes.push(*byte);
                rest = tail;
            }
            [] => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back() {
        let request = Request { what: "__VERIFIER_nondet_int".into(), bits: 32, span: Span::NONE };
        let used = vec![Used { request, value: 4_294_967_295 }];
        let text = write_file(&[b"a b".to_vec(), b"\"\\\n".to_vec()], b"x\0y", &used, |_| "a.c:1:2".into());
        let inputs = read_file(&text).unwrap();
        assert_eq!(inputs.arguments, [b"a b".to_vec(), b"\"\\\n".to_vec()]);
        assert_eq!(inputs.stdin, b"x\0y");
        let Values::List(list) = inputs.values else { panic!() };
        assert_eq!(list.collect::<Vec<_>>(), [4_294_967_295]);
    }

    #[test]
    fn wrong_lines_are_named() {
        assert_eq!(read_file("value 1\nvalue x").err().unwrap(), "line 2: expected a number");
        assert_eq!(read_file("argument x").err().unwrap(), "line 1: expected a string in quotes");
    }
}

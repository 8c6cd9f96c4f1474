//! Where the values come from that the program does not compute, and the record of those that were used.

use std::fmt::Write as _;

use model::Span;

use crate::machine::Machine;

/// Why a value is needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// What it is for: `__VERIFIER_nondet_int`, `uninitialised value`, `result of f`, `argc`, `stdin[3]`.
    pub what: String,
    /// How many bits it has.
    pub bits: u16,
    /// Where.
    pub span: Span,
}

impl Request {
    /// A value, cut to the width.
    pub(crate) fn cut(&self, value: u128) -> u128 {
        if self.bits >= 128 { value } else { value & ((1 << self.bits) - 1) }
    }
}

/// What a value is for that is read from a variable that nothing points to and that has none.
pub const UNINITIALISED_VARIABLE: &str = "uninitialised variable";

/// Gives the next value, or none if there are no more.
pub type Ask<'a> = Box<dyn FnMut(&Request) -> Option<u128> + 'a>;

/// The same, for those who look at the run that asks.
pub type Look<'a> = Box<dyn FnMut(&Machine<'_, '_>, &Request) -> Option<u128> + 'a>;

/// Gives more bytes; none at the end.
pub type Reader<'a> = Box<dyn FnMut() -> Vec<u8> + 'a>;

/// Where values come from.
pub enum Values<'a> {
    /// From a list; it must be long enough.
    List(std::vec::IntoIter<u128>),
    /// From a list, and then from another one again and again.
    Cycle(std::vec::IntoIter<u128>, std::iter::Cycle<std::vec::IntoIter<u128>>),
    /// From a generator with this state: the same seed gives the same run.
    Seeded(u64),
    /// The caller chooses.
    Ask(Ask<'a>),
    /// The caller chooses, and sees the state of the run. There is no state yet while arguments are drawn.
    Look(Look<'a>),
    /// All zero.
    Zero,
}

/// How much is drawn at most where arguments are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgumentLimits {
    /// How many arguments.
    pub count: u32,
    /// How many bytes each has.
    pub length: u32,
}

impl Default for ArgumentLimits {
    fn default() -> Self {
        ArgumentLimits { count: 4, length: 12 }
    }
}

/// What follows the standard input that is already known.
pub enum Rest<'a> {
    /// Nothing.
    End,
    /// What this gives, asked only when the program needs more.
    Reader(Reader<'a>),
    /// At most so many bytes drawn from the values.
    Drawn(u32),
}

/// All inputs of a run.
pub struct Inputs<'a> {
    /// The arguments of `main`, the program's name first. A run adds those that it draws.
    pub arguments: Vec<Vec<u8>>,
    /// Whether further arguments are drawn from the values, within these limits. At least one is drawn if none is given.
    pub drawn_arguments: Option<ArgumentLimits>,
    /// The standard input, as far as it is known. A run adds what it reads or draws.
    pub stdin: Vec<u8>,
    /// The rest of the standard input.
    pub rest: Rest<'a>,
    /// Everything else.
    pub values: Values<'a>,
}

impl Default for Inputs<'_> {
    fn default() -> Self {
        Inputs { arguments: vec![b"program".to_vec()], drawn_arguments: None, stdin: Vec::new(), rest: Rest::End, values: Values::Zero }
    }
}

impl Inputs<'_> {
    /// Draws the arguments that are to be drawn, once. What is drawn is in the arguments afterwards and nowhere else, so that a record of
    /// the run gives it. The error says for what there is no value.
    pub(crate) fn draw_arguments(&mut self) -> Result<(), String> {
        let Some(limits) = self.drawn_arguments.take() else { return Ok(()) };
        let given = self.arguments.len() as u128;
        let count = self.values.between(given.max(1), (given + u128::from(limits.count)).max(1), "argc".into())?;
        for index in given..count {
            let length = self.values.between(0, limits.length.into(), format!("strlen(argv[{index}])"))?;
            let mut text = self.values.text(length, &format!("argv[{index}]"))?;
            // A string ends at its first zero byte.
            text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
            self.arguments.push(text);
        }
        Ok(())
    }

    /// Makes more of the standard input known; false at its end. The error says for what there is no value.
    pub(crate) fn read_stdin(&mut self) -> Result<bool, String> {
        let more = match &mut self.rest {
            Rest::End => Vec::new(),
            Rest::Reader(reader) => reader(),
            Rest::Drawn(limit) => {
                let length = self.values.between(0, (*limit).into(), "length of stdin".into())?;
                let text = self.values.text(length, "stdin")?;
                self.stdin.extend(text);
                self.rest = Rest::End;
                return Ok(length > 0);
            }
        };
        if more.is_empty() {
            self.rest = Rest::End;
        }
        self.stdin.extend_from_slice(&more);
        Ok(!more.is_empty())
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
            Values::Cycle(stem, round) => stem.next().or_else(|| round.next())?,
            Values::Seeded(state) => u128::from(splitmix(state)) << 64 | u128::from(splitmix(state)),
            Values::Ask(ask) => ask(request)?,
            Values::Look(_) => return None,
            Values::Zero => 0,
        };
        Some(request.cut(value))
    }

    /// The next number within bounds; one outside of them, as a generator gives it, is folded into them.
    fn between(&mut self, low: u128, high: u128, what: String) -> Result<u128, String> {
        let request = Request { what, bits: 32, span: Span::NONE };
        let value = self.next(&request).ok_or(request.what)?;
        Ok(if (low..=high).contains(&value) { value } else { low + value % (high - low + 1) })
    }

    /// Bytes of a text. A generator prefers those that programs look for: most numbers and commands are never met by chance.
    fn text(&mut self, length: u128, name: &str) -> Result<Vec<u8>, String> {
        const USUAL: &[u8] = b"0123456789-+. \n\t,:=/%abcxyzABCXYZ_";
        let byte = |index| match self {
            Values::Seeded(state) => {
                let random = splitmix(state);
                let usual = USUAL.get((random >> 8) as usize % USUAL.len()).filter(|_| random >> 61 != 0);
                Ok(usual.copied().unwrap_or(random as u8))
            }
            _ => {
                let request = Request { what: format!("{name}[{index}]"), bits: 8, span: Span::NONE };
                self.next(&request).map(|value| value as u8).ok_or(request.what)
            }
        };
        (0..length).map(byte).collect()
    }
}

/// The next number of Steele's splitmix: small, good enough, the same everywhere.
pub fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The file form of the inputs of a run: `argument "…"`, `stdin "…"`, `value N  # what` lines.
pub fn write_file(arguments: &[Vec<u8>], stdin: &[u8], used: &[Used], place: impl Fn(Span) -> String) -> String {
    write_endless_file(arguments, stdin, used, &[], place)
}

/// The same, with values behind them of which nothing more is said: there may be very many.
pub fn write_long_file(arguments: &[Vec<u8>], stdin: &[u8], used: &[Used], further: &[u128], place: impl Fn(Span) -> String) -> String {
    let mut text = write_file(arguments, stdin, used, place);
    for value in further {
        let _ = writeln!(text, "value {value}");
    }
    text
}

/// The same for a run that does not end: behind the line `repeat` are the values that come again and again.
pub fn write_endless_file(arguments: &[Vec<u8>], stdin: &[u8], stem: &[Used], round: &[Used], place: impl Fn(Span) -> String) -> String {
    let mut text = String::from("# inputs of a run, in the order in which they were used\n");
    for argument in arguments {
        let _ = writeln!(text, "argument {}", quote(argument));
    }
    if !stdin.is_empty() {
        let _ = writeln!(text, "stdin {}", quote(stdin));
    }
    let list = |text: &mut String, used: &[Used]| {
        for Used { request, value } in used {
            let _ = writeln!(text, "value {value}  # {} bits, {}, {}", request.bits, request.what, place(request.span));
        }
    };
    list(&mut text, stem);
    if !round.is_empty() {
        text.push_str("repeat\n");
        list(&mut text, round);
    }
    text
}

/// Reads what [`write_file`] wrote. The error says which line is wrong and why.
pub fn read_file(text: &str) -> Result<Inputs<'static>, String> {
    let mut arguments = Vec::new();
    let mut stdin = Vec::new();
    let (mut values, mut repeated) = (Vec::new(), None);
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
            "value" => repeated.as_mut().unwrap_or(&mut values).push(number_of(rest).ok_or_else(|| wrong("expected a number"))?),
            "repeat" => repeated = Some(Vec::new()),
            _ => return Err(wrong("expected `argument`, `stdin`, `value` or `repeat`")),
        }
    }
    if arguments.is_empty() {
        arguments.push(b"program".to_vec());
    }
    let values = match repeated {
        Some(round) => Values::Cycle(values.into_iter(), round.into_iter().cycle()),
        None => Values::List(values.into_iter()),
    };
    Ok(Inputs { arguments, stdin, values, ..Inputs::default() })
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
    fn what_repeats_comes_back() {
        let request = Request { what: "__VERIFIER_nondet_int".into(), bits: 32, span: Span::NONE };
        let used = |value| vec![Used { request: request.clone(), value }];
        let text = write_endless_file(&[b"a".to_vec()], b"", &used(7), &used(9), |_| String::new());
        let mut values = read_file(&text).unwrap().values;
        assert_eq!([7, 9, 9, 9].map(Some), [(); 4].map(|()| values.next(&request)));
    }

    #[test]
    fn numbers_are_folded_into_their_bounds() {
        let list: Vec<u128> = vec![0, 2, 5, 6, 7, 4_294_967_295];
        let mut values = Values::List(list.clone().into_iter());
        let folded: Vec<u128> = list.iter().map(|_| values.between(2, 6, "n".into()).unwrap()).collect();
        assert_eq!(folded, [2, 2, 5, 6, 4, 2]);
        assert_eq!(values.between(2, 6, "n".into()), Err("n".into()));
    }

    #[test]
    fn there_is_always_a_first_argument() {
        let draw = |arguments: Vec<Vec<u8>>, count| {
            let drawn_arguments = Some(ArgumentLimits { count, length: 0 });
            let mut inputs = Inputs { arguments, drawn_arguments, ..Inputs::default() };
            inputs.draw_arguments().unwrap();
            inputs.draw_arguments().unwrap();
            inputs.arguments
        };
        assert_eq!(draw(Vec::new(), 0), [b""]);
        assert_eq!(draw(Vec::new(), 3), [b""]);
        assert_eq!(draw(vec![b"a".to_vec(), b"b".to_vec()], 3), [b"a", b"b"]);
    }

    #[test]
    fn wrong_lines_are_named() {
        assert_eq!(read_file("value 1\nvalue x").err().unwrap(), "line 2: expected a number");
        assert_eq!(read_file("argument x").err().unwrap(), "line 1: expected a string in quotes");
    }
}

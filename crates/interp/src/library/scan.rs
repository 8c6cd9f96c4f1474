//! What `scanf` and its family read.

use model::{FloatFormat, Span};

use super::arguments::Arguments;
use super::format::{Length, digits};
use super::number::{self, is_space};
use super::{duplicate, scalar_at, store_int, store_pointer, stream, write_string};
use crate::code::Shape;
use crate::fault::{End, Step};
use crate::machine::Machine;
use crate::memory::Pointer;

/// What is scanned. From a stream nothing is taken away, and no more is read than has to be seen.
#[derive(Clone, Copy)]
pub enum Text<'t> {
    /// A string.
    Bytes(&'t [u8]),
    /// What comes next in a stream.
    Stream(Pointer),
}

/// What became of the input.
pub struct Scanned {
    /// How many arguments got a value; -1 if the input ended before the first.
    pub result: i32,
    /// How many bytes were read.
    pub taken: usize,
    /// Whether the end of the input was met.
    pub ended: bool,
}

/// Why scanning does not go on.
enum Halt {
    /// The input ended.
    Input,
    /// The input is something else.
    Mismatch,
    /// The run ends.
    Stop(Box<End>),
}

impl From<Box<End>> for Halt {
    fn from(stop: Box<End>) -> Self {
        Halt::Stop(stop)
    }
}

/// Reads what a format says.
pub fn scan(machine: &mut Machine<'_, '_>, input: Text<'_>, format: &[u8], arguments: &mut Arguments, span: Span) -> Step<Scanned> {
    let mut scanner = Scanner { machine, input, at: 0, assigned: 0, ended: false, arguments, span };
    let result = match scanner.directives(format) {
        Ok(()) | Err(Halt::Mismatch) => scanner.assigned,
        Err(Halt::Input) if scanner.assigned == 0 => -1,
        Err(Halt::Input) => scanner.assigned,
        Err(Halt::Stop(stop)) => return Err(stop),
    };
    Ok(Scanned { result, taken: scanner.at, ended: scanner.ended })
}

struct Scanner<'s, 'p, 'a> {
    machine: &'s mut Machine<'p, 'a>,
    input: Text<'s>,
    at: usize,
    assigned: i32,
    ended: bool,
    arguments: &'s mut Arguments,
    span: Span,
}

/// A conversion: what is between `%` and its letter.
struct Spec {
    suppressed: bool,
    allocated: bool,
    width: Option<usize>,
    length: Length,
    position: Option<usize>,
}

impl Scanner<'_, '_, '_> {
    fn directives(&mut self, format: &[u8]) -> Result<(), Halt> {
        let mut at = 0;
        while let Some(&byte) = format.get(at) {
            at += 1;
            match byte {
                b'%' if format.get(at) == Some(&b'%') => {
                    at += 1;
                    self.skip_space()?;
                    self.literal(b'%')?;
                }
                b'%' => self.conversion(format, &mut at)?,
                _ if is_space(byte) => self.skip_space()?,
                _ => self.literal(byte)?,
            }
        }
        Ok(())
    }

    /// The byte at this place of the input.
    fn byte(&mut self, at: usize) -> Step<Option<u8>> {
        match self.input {
            Text::Bytes(bytes) => Ok(bytes.get(at).copied()),
            Text::Stream(pointer) => stream::peek(self.machine, pointer, at, self.span),
        }
    }

    fn peek(&mut self) -> Step<Option<u8>> {
        let byte = self.byte(self.at)?;
        self.ended |= byte.is_none();
        Ok(byte)
    }

    fn skip_space(&mut self) -> Step<()> {
        while self.peek()?.is_some_and(is_space) {
            self.at += 1;
        }
        Ok(())
    }

    fn literal(&mut self, byte: u8) -> Result<(), Halt> {
        match self.peek()? {
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Halt::Mismatch),
            None => Err(Halt::Input),
        }
    }

    fn conversion(&mut self, format: &[u8], at: &mut usize) -> Result<(), Halt> {
        let mut spec = Spec { suppressed: false, allocated: false, width: None, length: Length::Int, position: None };
        let mut number = *at;
        let position = digits(format, &mut number);
        if position > 0 && format.get(number) == Some(&b'$') {
            spec.position = Some(position as usize);
            *at = number + 1;
        }
        if format.get(*at) == Some(&b'*') {
            spec.suppressed = true;
            *at += 1;
        }
        spec.width = Some(digits(format, at) as usize).filter(|width| *width > 0);
        if format.get(*at) == Some(&b'm') {
            spec.allocated = true;
            *at += 1;
        }
        spec.length = Length::parse(format, at);
        let Some(&letter) = format.get(*at) else { return Err(Halt::Mismatch) };
        *at += 1;
        if !matches!(letter, b'c' | b'[' | b'n') {
            self.skip_space()?;
        }
        if letter != b'n' && self.peek()?.is_none() {
            return Err(Halt::Input);
        }
        if spec.length == Length::Long && matches!(letter, b's' | b'c' | b'[') {
            return Err(Halt::Stop(Box::new(End::Unsupported("wide characters in `scanf` are not modelled".into(), self.span))));
        }
        match letter {
            b'd' | b'u' => self.integer(&spec, 10, letter == b'd'),
            b'i' => self.integer(&spec, 0, true),
            b'o' => self.integer(&spec, 8, false),
            b'x' | b'X' => self.integer(&spec, 16, false),
            b'p' => self.pointer(&spec),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.float(&spec),
            b's' => self.characters(&spec, spec.width.unwrap_or(usize::MAX), |byte| !is_space(byte)),
            b'[' => {
                let set = set(format, at);
                self.characters(&spec, spec.width.unwrap_or(usize::MAX), |byte| set[usize::from(byte)])
            }
            b'c' => self.block(&spec),
            b'n' => self.count(&spec),
            _ => Err(Halt::Mismatch),
        }
    }

    /// The longest start of the rest that is accepted byte by byte, within the width. The test sees what was read and the next byte.
    fn collect(&mut self, width: Option<usize>, accepts: impl Fn(&[u8], u8) -> bool) -> Step<Vec<u8>> {
        let mut text = Vec::new();
        while text.len() < width.unwrap_or(usize::MAX)
            && let Some(byte) = self.peek()?
            && accepts(&text, byte)
        {
            text.push(byte);
            self.at += 1;
        }
        Ok(text)
    }

    /// Whether this word comes next.
    fn comes(&mut self, word: &[u8]) -> Step<bool> {
        for (index, expected) in word.iter().enumerate() {
            if self.byte(self.at + index)? != Some(*expected) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The text of an integer: sign, prefix, digits.
    fn integer_text(&mut self, width: Option<usize>, base: u32) -> Step<Vec<u8>> {
        let accepts = |text: &[u8], byte: u8| {
            let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
            let radix = match (base, digits) {
                (0 | 16, [b'0', b'x' | b'X', ..]) => 16,
                (0, [b'0', ..]) => 8,
                (0, _) => 10,
                (base, _) => base,
            };
            match byte {
                b'+' | b'-' => text.is_empty(),
                b'x' | b'X' => digits == b"0" && matches!(base, 0 | 16),
                _ => (byte as char).is_digit(radix),
            }
        };
        self.collect(width, accepts)
    }

    fn integer(&mut self, spec: &Spec, base: u32, signed: bool) -> Result<(), Halt> {
        let text = self.integer_text(spec.width, base)?;
        let number = number::integer(&text, base);
        if number.end == 0 {
            return Err(if self.ended && text.is_empty() { Halt::Input } else { Halt::Mismatch });
        }
        if spec.suppressed {
            return Ok(());
        }
        let bytes = spec.length.bytes(self.machine.program.types.target());
        // Numbers are read as `long`, or as `long long`, and cut when they are stored.
        let wide = bytes.max(self.machine.program.types.target().pointer_bytes());
        let (value, _) = number.fit(8 * wide as u32, signed);
        let pointer = self.arguments.pointer(self.machine, spec.position)?;
        store_int(self.machine, pointer, value, bytes)?;
        self.assigned += 1;
        Ok(())
    }

    fn pointer(&mut self, spec: &Spec) -> Result<(), Halt> {
        let value = if self.comes(b"(nil)")? {
            self.at += 5;
            0
        } else {
            let text = self.integer_text(spec.width, 16)?;
            let number = number::integer(&text, 16);
            if number.end == 0 {
                return Err(Halt::Mismatch);
            }
            self.machine.memory.pointer(number.fit(64, false).0 as u64)
        };
        if !spec.suppressed {
            let pointer = self.arguments.pointer(self.machine, spec.position)?;
            store_pointer(self.machine, pointer, value)?;
            self.assigned += 1;
        }
        Ok(())
    }

    fn float(&mut self, spec: &Spec) -> Result<(), Halt> {
        let text = self.collect(spec.width, float_continues)?;
        let (format, bytes) = match spec.length {
            Length::Long | Length::LongLong => (FloatFormat::F64, 8),
            Length::LongDouble => (FloatFormat::X87, if self.machine.program.types.target() == model::Target::Lp64 { 16 } else { 12 }),
            _ => (FloatFormat::F32, 4),
        };
        let number = number::float(&text, format);
        if number.end == 0 || text.eq_ignore_ascii_case(b"0x") {
            return Err(Halt::Mismatch);
        }
        if !spec.suppressed {
            let pointer = self.arguments.pointer(self.machine, spec.position)?;
            self.machine.store(scalar_at(pointer, Shape::Float(format), bytes), number.pattern, self.span)?;
            self.assigned += 1;
        }
        Ok(())
    }

    /// `%s` and `%[`: bytes that are accepted, as a string.
    fn characters(&mut self, spec: &Spec, width: usize, accepts: impl Fn(u8) -> bool) -> Result<(), Halt> {
        let text = self.collect(Some(width), |_, byte| accepts(byte))?;
        if text.is_empty() {
            return Err(if self.ended { Halt::Input } else { Halt::Mismatch });
        }
        if !spec.suppressed {
            let pointer = self.arguments.pointer(self.machine, spec.position)?;
            if spec.allocated {
                let copy = duplicate(self.machine, &text, self.span)?;
                store_pointer(self.machine, pointer, copy)?;
            } else {
                write_string(self.machine, pointer, &text)?;
            }
            self.assigned += 1;
        }
        Ok(())
    }

    /// `%c`: so many bytes, whatever they are.
    fn block(&mut self, spec: &Spec) -> Result<(), Halt> {
        let text = self.collect(Some(spec.width.unwrap_or(1)), |_, _| true)?;
        if !spec.suppressed {
            let pointer = self.arguments.pointer(self.machine, spec.position)?;
            self.machine.write_bytes(pointer, &text)?;
            self.assigned += 1;
        }
        Ok(())
    }

    fn count(&mut self, spec: &Spec) -> Result<(), Halt> {
        if !spec.suppressed {
            let bytes = spec.length.bytes(self.machine.program.types.target());
            let pointer = self.arguments.pointer(self.machine, spec.position)?;
            store_int(self.machine, pointer, self.at as i128, bytes)?;
        }
        Ok(())
    }
}

/// Whether a byte can follow in a floating-point number.
fn float_continues(text: &[u8], byte: u8) -> bool {
    let number = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let word = [number, &[byte]].concat().to_ascii_lowercase();
    if b"infinity".starts_with(word.as_slice()) || b"nan".starts_with(word.as_slice()) {
        return true;
    }
    if number.first().is_some_and(|first| first.is_ascii_alphabetic()) {
        return false;
    }
    let hexadecimal = matches!(number, [b'0', b'x' | b'X', ..]);
    let mark = if hexadecimal { b'p' } else { b'e' };
    let exponent = number.iter().position(|digit| digit.to_ascii_lowercase() == mark);
    let seen = number.iter().any(u8::is_ascii_hexdigit);
    match byte {
        b'+' | b'-' => text.is_empty() || exponent.is_some_and(|at| at + 1 == number.len()),
        b'.' => exponent.is_none() && !number.contains(&b'.'),
        b'x' | b'X' => number == b"0",
        _ if byte.is_ascii_digit() => true,
        _ if byte.to_ascii_lowercase() == mark => seen && exponent.is_none(),
        _ => hexadecimal && exponent.is_none() && byte.is_ascii_hexdigit(),
    }
}

/// The set of bytes that `[...]` names.
fn set(format: &[u8], at: &mut usize) -> [bool; 256] {
    let negated = format.get(*at) == Some(&b'^');
    *at += usize::from(negated);
    let mut set = [negated; 256];
    let mut first = true;
    while let Some(&byte) = format.get(*at) {
        *at += 1;
        if byte == b']' && !first {
            break;
        }
        first = false;
        let last = match format.get(*at..) {
            Some([b'-', last, ..]) if *last != b']' && *last >= byte => {
                *at += 2;
                *last
            }
            _ => byte,
        };
        (byte..=last).for_each(|byte| set[usize::from(byte)] = !negated);
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_ranges_and_complements() {
        let mut at = 0;
        let digits = set(b"0-9-]x", &mut at);
        assert!(digits[usize::from(b'5')] && digits[usize::from(b'-')] && !digits[usize::from(b'a')]);
        assert_eq!(at, 5);
        let others = set(b"^]a]", &mut 0);
        assert!(!others[usize::from(b']')] && !others[usize::from(b'a')] && others[usize::from(b'b')]);
    }

    #[test]
    fn floats_are_read_as_far_as_they_go() {
        let longest = |text: &[u8]| (0..text.len()).take_while(|at| float_continues(&text[..*at], text[*at])).count();
        assert_eq!(longest(b"1.5e+3x"), 6);
        assert_eq!(longest(b"-infx"), 4);
        assert_eq!(longest(b"0x1.8p-1g"), 8);
        assert_eq!(longest(b"1..2"), 2);
        assert_eq!(longest(b"e5"), 0);
    }
}

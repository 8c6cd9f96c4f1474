//! Words of the text form.

use std::fmt;

use super::words::{continues_name, starts_name};
use crate::verify::Flaw;

/// Why a text is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseError {
    /// It cannot be understood.
    Syntax {
        /// The line, from 1.
        line: u32,
        /// The column in bytes, from 1.
        column: u32,
        /// What is wrong there.
        message: String,
    },
    /// It can be understood, but is not [verified](crate::verify()).
    Flawed(Vec<Flaw>),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Syntax { line, column, message } => write!(f, "{line}:{column}: {message}"),
            ParseError::Flawed(flaws) => {
                let lines: Vec<String> = flaws.iter().map(ToString::to_string).collect();
                write!(f, "{}", lines.join("\n"))
            }
        }
    }
}

impl std::error::Error for ParseError {}

/// A word and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A word.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind<'a> {
    /// A name or a reserved word, perhaps with a number: `x`, `x#2`, `` `odd name` ``, `#3`.
    Name { text: &'a str, quoted: bool, number: u32 },
    /// A number with what directly follows it: `12`, `5u64`, `1.5e-3f32`.
    Number(&'a str),
    /// What stands between double quotes.
    Text(&'a str),
    /// A thing that has a definition: `$e3`, `$p4`, `$t5`.
    Defined(char, u32),
    /// An operator or separator.
    Mark(&'static str),
    /// The end of a line, except after a comma.
    Newline,
    /// The end of the text.
    End,
}

impl fmt::Display for Kind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Name { text, number: 0, .. } | Kind::Number(text) => write!(f, "`{text}`"),
            Kind::Name { text, number, .. } => write!(f, "`{text}#{number}`"),
            Kind::Text(_) => write!(f, "a string"),
            Kind::Defined(kind, number) => write!(f, "`${kind}{number}`"),
            Kind::Mark(mark) => write!(f, "`{mark}`"),
            Kind::Newline => write!(f, "the end of the line"),
            Kind::End => write!(f, "the end of the text"),
        }
    }
}

/// Operators and separators; longer ones before their beginnings.
const MARKS: [&str; 35] = [
    "...", "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "(", ")",
    "[", "]", "{", "}", ",", ":", "?", ".", "@", ";",
];

/// The words of a text, with [`Kind::End`] at the end.
pub(super) fn lex(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut lexer = Lexer { text, at: 0, line: 1, line_start: 0, tokens: Vec::with_capacity(text.len() / 4) };
    while lexer.next()? {}
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
    tokens: Vec<Token<'a>>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error<T>(&self, message: &str) -> Result<T, ParseError> {
        Err(ParseError::Syntax { line: self.line, column: self.column(), message: message.to_string() })
    }

    fn column(&self) -> u32 {
        u32::try_from(self.at - self.line_start).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Takes a word of this many bytes.
    fn push(&mut self, kind: Kind<'a>, length: usize) {
        self.tokens.push(Token { kind, line: self.line, column: self.column() });
        self.at += length;
    }

    /// Takes the next word. False at the end.
    fn next(&mut self) -> Result<bool, ParseError> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            self.push(Kind::End, 0);
            return Ok(false);
        };
        match first {
            '\n' => self.newline(),
            ' ' | '\t' | '\r' => self.at += 1,
            '/' if rest.starts_with("//") => self.at += rest.find('\n').unwrap_or(rest.len()),
            '"' => {
                let inside = self.quoted('"')?;
                self.push(Kind::Text(inside), inside.len() + 2);
            }
            '`' => {
                let inside = self.quoted('`')?;
                self.name(inside, true, inside.len() + 2)?;
            }
            '#' => self.name("", false, 0)?,
            '$' => self.defined()?,
            '0'..='9' => {
                let length = number_length(rest);
                self.push(Kind::Number(&rest[..length]), length);
            }
            c if starts_name(c) => {
                let length = rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
                self.name(&rest[..length], false, length)?;
            }
            _ => match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => self.push(Kind::Mark(mark), mark.len()),
                None => return self.error("this character means nothing here"),
            },
        }
        Ok(true)
    }

    fn newline(&mut self) {
        let goes_on = matches!(self.tokens.last().map(|token| token.kind), None | Some(Kind::Newline | Kind::Mark(",")));
        if goes_on {
            self.at += 1;
        } else {
            self.push(Kind::Newline, 1);
        }
        self.line = self.line.saturating_add(1);
        self.line_start = self.at;
    }

    /// What stands between two quotes on one line; a backslash takes the next character's meaning.
    fn quoted(&self, quote: char) -> Result<&'a str, ParseError> {
        let inside = self.rest().get(1..).unwrap_or_default();
        let mut escaped = false;
        for (i, c) in inside.char_indices() {
            match c {
                '\n' => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => return Ok(&inside[..i]),
                _ => {}
            }
        }
        self.error("this quote is not closed on its line")
    }

    /// A name that takes `length` bytes, and the number that may follow it.
    fn name(&mut self, text: &'a str, quoted: bool, length: usize) -> Result<(), ParseError> {
        let after = self.rest().get(length..).unwrap_or_default();
        let Some(digits) = after.strip_prefix('#') else {
            self.push(Kind::Name { text, quoted, number: 0 }, length);
            return Ok(());
        };
        let count = leading_digits(digits);
        match digits[..count].parse() {
            Ok(number) if number > 0 => self.push(Kind::Name { text, quoted, number }, length + 1 + count),
            _ => return self.error("expected a number above 0 after `#`"),
        }
        Ok(())
    }

    fn defined(&mut self) -> Result<(), ParseError> {
        let rest = self.rest();
        let kind = rest.chars().nth(1).filter(|kind| matches!(kind, 'e' | 'p' | 't'));
        let digits = rest.get(2..).unwrap_or_default();
        let count = leading_digits(digits);
        match (kind, digits.get(..count).and_then(|digits| digits.parse().ok())) {
            (Some(kind), Some(number)) => self.push(Kind::Defined(kind, number), 2 + count),
            _ => return self.error("expected `e`, `p` or `t` and a number after `$`"),
        }
        Ok(())
    }
}

fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// How long the number at the beginning is: digits and letters, a fraction, the sign of an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_hexadecimal = text.starts_with("0x");
    let mut length = 0;
    let mut fraction = false;
    while let Some(byte) = bytes.get(length) {
        let next_is_digit = bytes.get(length + 1).is_some_and(u8::is_ascii_digit);
        let goes_on = match byte {
            b'.' if !fraction && !is_hexadecimal && next_is_digit => {
                fraction = true;
                true
            }
            b'+' | b'-' => !is_hexadecimal && next_is_digit && matches!(bytes.get(length.wrapping_sub(1)), Some(b'e' | b'E')),
            byte => byte.is_ascii_alphanumeric(),
        };
        if !goes_on {
            break;
        }
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<String> {
        lex(text).unwrap().iter().map(|token| token.kind.to_string()).collect()
    }

    #[test]
    fn words() {
        assert_eq!(kinds("x#2 #3 `a b`"), ["`x#2`", "`#3`", "`a b`", "the end of the text"]);
        assert_eq!(kinds("1.5e-3f32+0x1e+5"), ["`1.5e-3f32`", "`+`", "`0x1e`", "`+`", "`5`", "the end of the text"]);
        assert_eq!(kinds("1...2 // c\n\n,\n$e7"), ["`1`", "`...`", "`2`", "the end of the line", "`,`", "`$e7`", "the end of the text"]);
    }

    #[test]
    fn errors() {
        let error = |text| lex(text).unwrap_err().to_string();
        assert_eq!(error("a\n \"b\n"), "2:2: this quote is not closed on its line");
        assert_eq!(error("€"), "1:1: this character means nothing here");
        assert_eq!(error("x#0"), "1:1: expected a number above 0 after `#`");
        assert_eq!(error("$€"), "1:1: expected `e`, `p` or `t` and a number after `$`");
    }
}

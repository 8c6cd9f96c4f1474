//! From bytes to tokens.
//!
//! The input is preprocessed text, so there is little to do beside telling tokens apart: line markers and line ends go to the source
//! map, `#pragma` (all but `pack`), `_Pragma` and comments are skipped. Literals are only delimited here, see [`literal`](crate::literal).

use model::FileId;

use crate::Session;
use crate::ast::Range;
use crate::diagnostic::Diagnostics;
use crate::intern::Symbol;
use crate::literal;
use crate::token::{Keywords, Token, TokenKind};

/// The largest text: offsets are 32 bits wide, and the one after the end is needed too.
const MAX_TEXT: usize = u32::MAX as usize - 1;

/// Reads one text from front to back.
#[derive(Debug)]
pub struct Lexer<'a> {
    text: &'a [u8],
    pos: usize,
    line: u32,
    file: FileId,
    keywords: Keywords,
    /// Whether `'` may separate digits.
    separators: bool,
    last_error: Option<u32>,
    pack: Packing,
    /// Whether `#pragma scalar_storage_order` asks for big-endian structures.
    reversed: bool,
}

/// What `#pragma pack` has said so far: the largest alignment of a member, 0 for no limit.
#[derive(Debug, Default)]
struct Packing {
    current: u32,
    saved: Vec<u32>,
}

impl Packing {
    /// `(push, 1)`, `(pop)`, `(4)`, `()`
    fn apply(&mut self, text: &[u8]) {
        let text = text.trim_ascii();
        let Some(inside) = text.strip_prefix(b"(").and_then(|text| text.split(|byte| *byte == b')').next()) else { return };
        for argument in inside.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
            match argument {
                b"push" => self.saved.push(self.current),
                b"pop" => self.current = self.saved.pop().unwrap_or(0),
                b"" => self.current = 0,
                _ => {
                    let number = std::str::from_utf8(argument).ok().and_then(|text| text.parse::<u32>().ok());
                    self.current = number.filter(|n| *n == 0 || n.is_power_of_two()).unwrap_or(self.current);
                }
            }
        }
    }
}

impl<'a> Lexer<'a> {
    /// A lexer at the beginning of a text.
    pub fn new(text: &'a [u8], session: &mut Session) -> Self {
        let keywords = Keywords::new(&mut session.names, &session.options);
        let (line, file) = session.map.last_line();
        let separators = session.options.standard >= 2023;
        let mut lexer =
            Lexer { text, pos: 0, line, file, keywords, separators, last_error: None, pack: Packing::default(), reversed: false };
        if text.len() > MAX_TEXT {
            session.diagnostics.error(Range::default(), "the text is larger than 4 GiB", "");
            lexer.text = &[];
        }
        if lexer.text.starts_with(b"\xef\xbb\xbf") {
            lexer.pos = 3;
        }
        lexer.line_start(session);
        lexer
    }

    /// The bytes of a range.
    pub fn slice(&self, range: Range) -> &'a [u8] {
        self.text.get(range.start as usize..range.end as usize).unwrap_or(&[])
    }
    /// The largest alignment of a member that `#pragma pack` allows here; 0 for no limit.
    pub fn pack(&self) -> u32 {
        self.pack.current
    }
    /// Whether structures that are defined here are big-endian.
    pub fn reversed(&self) -> bool {
        self.reversed
    }
    /// Where the last error is.
    pub fn last_error(&self) -> Option<u32> {
        self.last_error
    }
    /// Makes the end of the text the next token.
    pub fn give_up(&mut self) {
        self.pos = self.text.len();
    }

    /// The next token; `Eof` again and again at the end.
    pub fn next(&mut self, session: &mut Session) -> Token {
        loop {
            let token = self.raw(session);
            if token.kind != TokenKind::Pragma {
                return token;
            }
            self.pragma_operand(token.range, session);
        }
    }

    /// The next token, `_Pragma` included.
    fn raw(&mut self, session: &mut Session) -> Token {
        loop {
            let start = self.pos;
            let Some(&byte) = self.text.get(start) else {
                return self.token(TokenKind::Eof, start);
            };
            match byte {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'\n' => self.newline(session),
                b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => return self.word(session),
                b'0'..=b'9' => return self.number(),
                b'.' if self.peek(1).is_ascii_digit() => return self.number(),
                b'"' | b'\'' => return self.quoted(start, session),
                b'/' if self.peek(1) == b'/' => self.line_comment(session),
                b'/' if self.peek(1) == b'*' => self.block_comment(session),
                b'\\' if matches!(self.peek(1), b'u' | b'U') => return self.unusual_word(session),
                b'\\' if self.splice(1) > 0 => {
                    self.pos += self.splice(1);
                    self.newline_in_token(session);
                }
                _ => match self.punctuator(byte) {
                    Some((kind, length)) => {
                        self.pos += length;
                        return self.token(kind, start);
                    }
                    None => self.garbage(session),
                },
            }
        }
    }

    fn token(&self, kind: TokenKind, start: usize) -> Token {
        Token { kind, symbol: Symbol(0), range: self.range(start) }
    }
    fn range(&self, start: usize) -> Range {
        Range { start: start as u32, end: self.pos as u32 }
    }
    /// The byte at a distance, 0 beyond the end.
    fn peek(&self, distance: usize) -> u8 {
        self.text.get(self.pos + distance).copied().unwrap_or(0)
    }
    fn error(&mut self, session: &mut Session, range: Range, message: impl Into<String>, label: &str) {
        self.last_error = Some(range.start);
        session.diagnostics.error(range, message, label);
        if session.diagnostics.errors() > Diagnostics::LIMIT {
            self.give_up();
        }
    }

    /// At a line end: takes it and the directives behind it.
    fn newline(&mut self, session: &mut Session) {
        self.newline_in_token(session);
        self.line_start(session);
    }

    /// At a line end that does not end what is being read.
    fn newline_in_token(&mut self, session: &mut Session) {
        self.pos += 1;
        self.line = self.line.wrapping_add(1);
        session.map.add_line(self.pos as u32, self.line, self.file);
    }

    /// How many bytes from a distance on, after a backslash, come before a line end that it hides; 0 if it hides none.
    fn splice(&self, distance: usize) -> usize {
        match (self.peek(distance), self.peek(distance + 1)) {
            (b'\n', _) => distance,
            (b'\r', b'\n') => distance + 1,
            _ => 0,
        }
    }

    /// At the beginning of a line: takes a directive if there is one.
    fn line_start(&mut self, session: &mut Session) {
        while matches!(self.peek(0), b' ' | b'\t') {
            self.pos += 1;
        }
        let start = self.pos;
        match self.peek(0) {
            b'#' => self.pos += 1,
            b'%' if self.peek(1) == b':' => self.pos += 2,
            _ => return,
        }
        let rest = &self.text[self.pos..];
        let line = &rest[..line_length(rest)];
        self.pos += line.len();
        let directive = line.trim_ascii();
        let word = directive.split(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or(&[]);
        match word {
            b"" if directive.is_empty() => {}
            b"" if directive[0].is_ascii_digit() => self.marker(directive, session),
            b"line" => self.marker(directive[4..].trim_ascii_start(), session),
            b"pragma" | b"ident" | b"sccs" => {
                if let Some(text) = directive.strip_prefix(b"pragma") {
                    self.pragma(text.trim_ascii_start(), session);
                }
                while line_is_continued(&self.text[start..self.pos]) && self.pos < self.text.len() {
                    self.newline_in_token(session);
                    self.pos += line_length(&self.text[self.pos..]);
                }
            }
            _ => {
                let message = format!("preprocessing directive in preprocessed text: `#{}`", String::from_utf8_lossy(word));
                self.error(session, self.range(start), message, "run the preprocessor first");
            }
        }
    }

    /// The pragmas that change what the program means.
    fn pragma(&mut self, text: &[u8], session: &mut Session) {
        if let Some(operands) = text.strip_prefix(b"pack") {
            self.pack.apply(operands);
        } else if let Some(operands) = text.strip_prefix(b"weak ") {
            let names = operands.splitn(2, |byte| *byte == b'=');
            let mut names = names.map(|name| session.names.intern(&String::from_utf8_lossy(name.trim_ascii())));
            if let Some(name) = names.next() {
                let alias = names.next();
                session.weak.push((name, alias));
            }
        } else if let Some(order) = text.strip_prefix(b"scalar_storage_order ") {
            self.reversed = order.trim_ascii() == b"big-endian";
        }
    }

    /// `12 "file.c" 1 3`
    fn marker(&mut self, text: &[u8], session: &mut Session) {
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = text[..digits].iter().fold(0u32, |n, digit| n.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')));
        // The line end that follows counts one more.
        self.line = number.wrapping_sub(1);
        if let Some(name) = text[digits..].trim_ascii_start().strip_prefix(b"\"") {
            self.file = session.map.file(&literal::file_name(name));
        }
    }

    fn line_comment(&mut self, session: &mut Session) {
        loop {
            let start = self.pos;
            self.pos += line_length(&self.text[start..]);
            if !line_is_continued(&self.text[start..self.pos]) || self.pos >= self.text.len() {
                return;
            }
            self.newline_in_token(session);
        }
    }

    fn block_comment(&mut self, session: &mut Session) {
        let start = self.pos;
        self.pos += 2;
        loop {
            match self.peek(0) {
                b'*' if self.peek(1) == b'/' => {
                    self.pos += 2;
                    return;
                }
                b'\n' => self.newline_in_token(session),
                _ if self.pos >= self.text.len() => break,
                _ => self.pos += 1,
            }
        }
        let open = Range { start: start as u32, end: start as u32 + 2 };
        self.error(session, open, "this comment has no end", "expected `*/` after this");
    }

    /// An identifier, a keyword, or a literal with a prefix.
    fn word(&mut self, session: &mut Session) -> Token {
        let start = self.pos;
        let rest = &self.text[start..];
        let length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        let bytes = &rest[..length];
        match rest.get(length) {
            Some(b'"' | b'\'') if matches!(bytes, b"L" | b"u" | b"U" | b"u8") => {
                self.pos += length;
                return self.quoted(start, session);
            }
            Some(b'\\') => return self.unusual_word(session),
            _ => {}
        }
        match std::str::from_utf8(bytes) {
            Ok(name) => {
                self.pos += length;
                self.named(name, start, session)
            }
            Err(_) => self.unusual_word(session),
        }
    }

    fn named(&self, name: &str, start: usize, session: &mut Session) -> Token {
        let symbol = session.names.intern(name);
        Token { kind: self.keywords.kind(symbol), symbol, range: self.range(start) }
    }

    /// An identifier with universal character names, or with bytes that are not UTF-8.
    fn unusual_word(&mut self, session: &mut Session) -> Token {
        let start = self.pos;
        let mut name = Vec::new();
        loop {
            match self.peek(0) {
                byte if is_word(byte) => {
                    name.push(byte);
                    self.pos += 1;
                }
                b'\\' if matches!(self.peek(1), b'u' | b'U') => {
                    let (character, length) = literal::universal_character(&self.text[self.pos + 1..]);
                    let Some(character) = character else {
                        let escape = Range { start: self.pos as u32, end: (self.pos + 1 + length) as u32 };
                        self.pos += 1 + length;
                        self.error(session, escape, "this is not the name of a character", "");
                        continue;
                    };
                    name.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                    self.pos += 1 + length;
                }
                b'\\' if self.splice(1) > 0 => {
                    self.pos += self.splice(1);
                    self.newline_in_token(session);
                }
                _ => break,
            }
        }
        self.named(&String::from_utf8_lossy(&name), start, session)
    }

    /// A preprocessing number; what it means is found out when it is used.
    fn number(&mut self) -> Token {
        let start = self.pos;
        loop {
            self.pos += match self.peek(0) {
                b'e' | b'E' | b'p' | b'P' if matches!(self.peek(1), b'+' | b'-') => 2,
                b'.' => 1,
                b'\'' if self.separators && self.peek(1).is_ascii_alphanumeric() => 2,
                byte if is_word(byte) => 1,
                _ => return self.token(TokenKind::Number, start),
            };
        }
    }

    /// A string or character constant that began at `start`; its quote is the current byte.
    fn quoted(&mut self, start: usize, session: &mut Session) -> Token {
        let quote = self.peek(0);
        let kind = if quote == b'"' { TokenKind::String } else { TokenKind::Char };
        self.pos += 1;
        loop {
            let rest = &self.text[self.pos..];
            let plain = rest.iter().position(|&byte| byte == quote || byte == b'\\' || byte == b'\n').unwrap_or(rest.len());
            self.pos += plain;
            match rest.get(plain) {
                Some(b'\\') if self.splice(1) > 0 => {
                    self.pos += self.splice(1);
                    self.newline_in_token(session);
                }
                Some(b'\\') => self.pos = (self.pos + 2).min(self.text.len()),
                Some(&byte) if byte == quote => {
                    self.pos += 1;
                    return self.token(kind, start);
                }
                _ => break,
            }
        }
        let what = if quote == b'"' { "string" } else { "character constant" };
        let open = Range { start: start as u32, end: start as u32 + 1 };
        let label = format!("expected a closing `{}` on this line", char::from(quote));
        self.error(session, open, format!("this {what} has no end"), &label);
        self.token(kind, start)
    }

    /// After `_Pragma`: takes its operand.
    fn pragma_operand(&mut self, keyword: Range, session: &mut Session) {
        for expected in [TokenKind::LParen, TokenKind::String, TokenKind::RParen] {
            let token = self.raw(session);
            if token.kind != expected {
                self.error(session, keyword.to(token.range), "expected a string in parentheses after `_Pragma`", "");
                return;
            }
        }
    }

    /// Bytes that begin no token: one message for all of them.
    fn garbage(&mut self, session: &mut Session) {
        let start = self.pos;
        while self.pos < self.text.len() {
            let byte = self.peek(0);
            if byte.is_ascii_whitespace() || is_word(byte) || matches!(byte, b'"' | b'\'') || self.punctuator(byte).is_some() {
                break;
            }
            self.pos += 1;
        }
        let first = self.text[start];
        let message = match first {
            0 => "the text contains a zero byte".to_string(),
            0x21..=0x7e => format!("`{}` has no meaning here", char::from(first)),
            _ => format!("the text contains a byte with the value {first:#04x}"),
        };
        self.error(session, self.range(start), message, "");
    }

    /// The punctuator that begins with this byte, and its length.
    fn punctuator(&self, byte: u8) -> Option<(TokenKind, usize)> {
        use TokenKind::*;
        let next = self.peek(1);
        Some(match (byte, next) {
            (b'(', _) => (LParen, 1),
            (b')', _) => (RParen, 1),
            (b'[', _) => (LBracket, 1),
            (b']', _) => (RBracket, 1),
            (b'{', _) => (LBrace, 1),
            (b'}', _) => (RBrace, 1),
            (b';', _) => (Semi, 1),
            (b',', _) => (Comma, 1),
            (b'?', _) => (Question, 1),
            (b'~', _) => (Tilde, 1),
            (b':', b'>') => (RBracket, 2),
            (b':', _) => (Colon, 1),
            (b'.', b'.') if self.peek(2) == b'.' => (Ellipsis, 3),
            (b'.', _) => (Dot, 1),
            (b'-', b'>') => (Arrow, 2),
            (b'-', b'-') => (MinusMinus, 2),
            (b'-', b'=') => (MinusEqual, 2),
            (b'-', _) => (Minus, 1),
            (b'+', b'+') => (PlusPlus, 2),
            (b'+', b'=') => (PlusEqual, 2),
            (b'+', _) => (Plus, 1),
            (b'*', b'=') => (StarEqual, 2),
            (b'*', _) => (Star, 1),
            (b'/', b'=') => (SlashEqual, 2),
            (b'/', _) => (Slash, 1),
            (b'%', b'=') => (PercentEqual, 2),
            (b'%', b'>') => (RBrace, 2),
            (b'%', b':') => return None,
            (b'%', _) => (Percent, 1),
            (b'&', b'&') => (AmpAmp, 2),
            (b'&', b'=') => (AmpEqual, 2),
            (b'&', _) => (Amp, 1),
            (b'|', b'|') => (PipePipe, 2),
            (b'|', b'=') => (PipeEqual, 2),
            (b'|', _) => (Pipe, 1),
            (b'^', b'=') => (CaretEqual, 2),
            (b'^', _) => (Caret, 1),
            (b'!', b'=') => (BangEqual, 2),
            (b'!', _) => (Bang, 1),
            (b'=', b'=') => (EqualEqual, 2),
            (b'=', _) => (Equal, 1),
            (b'<', b'<') if self.peek(2) == b'=' => (ShlEqual, 3),
            (b'<', b'<') => (Shl, 2),
            (b'<', b'=') => (LessEqual, 2),
            (b'<', b':') => (LBracket, 2),
            (b'<', b'%') => (LBrace, 2),
            (b'<', _) => (Less, 1),
            (b'>', b'>') if self.peek(2) == b'=' => (ShrEqual, 3),
            (b'>', b'>') => (Shr, 2),
            (b'>', b'=') => (GreaterEqual, 2),
            (b'>', _) => (Greater, 1),
            _ => return None,
        })
    }
}

fn is_word(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = (byte as u8).is_ascii_alphanumeric() || byte == b'_' as usize || byte == b'$' as usize || byte >= 0x80;
            byte += 1;
        }
        table
    };
    WORD[byte as usize]
}

/// How many bytes come before the line end.
fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
}

/// Whether a backslash joins this line with the next.
fn line_is_continued(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
}

//! Calls of the scanf family, taken apart by their format.
//!
//! Each conversion becomes a call that may store something where its argument leads, or stop: what was read so far counts, and nothing behind is stored.

use model::{ExprId, PlaceId, Type};

use super::{Expansion, Member};

/// Where the text comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum From {
    /// Standard input.
    Input,
    /// The stream that is the first argument.
    Stream,
    /// The string that is the first argument.
    String,
}

/// What a conversion stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Store {
    /// A number of so many bytes.
    Number(u64),
    /// The number of bytes that were read so far, in so many bytes.
    Count(u64),
    /// A string of at most so many bytes, without its end.
    Text(Option<u64>),
    /// At most so many bytes.
    Block(u64),
}

/// Widths beyond this are not looked at.
const LARGEST: u64 = 1 << 20;

/// What a format stores, for a machine with words of so many bytes; `None` if there is something in it that is not known.
fn stores(format: &[u8], word: u64) -> Option<Vec<Store>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[start + 1..];
        if let [b'%', tail @ ..] = rest {
            rest = tail;
            continue;
        }
        let suppressed = rest.first() == Some(&b'*');
        rest = &rest[usize::from(suppressed)..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width = match &rest[..digits] {
            [] => None,
            digits => Some(std::str::from_utf8(digits).ok()?.parse().ok().filter(|width| (1..=LARGEST).contains(width))?),
        };
        let length = rest[digits..].iter().take_while(|byte| b"hlLqjzt".contains(byte)).count();
        let size = &rest[digits..digits + length];
        let (letter, tail) = rest[digits + length..].split_first()?;
        rest = tail;
        let store = match letter {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => Store::Number(super::parse::integer_size(size, word)?),
            b'n' => Store::Count(super::parse::integer_size(size, word)?),
            // An old way to say that memory is to be allocated.
            b'a' if matches!(tail, [b's' | b'S' | b'[', ..]) => return None,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => Store::Number(match size {
                b"" => 4,
                b"l" => 8,
                b"L" => {
                    if word == 8 {
                        16
                    } else {
                        12
                    }
                }
                _ => return None,
            }),
            b's' if size.is_empty() => Store::Text(width),
            b'[' if size.is_empty() => {
                rest = behind_set(rest)?;
                Store::Text(width)
            }
            b'c' if size.is_empty() => Store::Block(width.unwrap_or(1)),
            _ => return None,
        };
        if !suppressed {
            found.push(store);
        }
    }
    Some(found)
}

/// What follows a set of characters, behind its `[`.
fn behind_set(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b"^").unwrap_or(text);
    // A bracket that comes first belongs to the set.
    let first = usize::from(text.first() == Some(&b']'));
    let end = text[first..].iter().position(|byte| *byte == b']')?;
    Some(&text[first + end + 1..])
}

impl Expansion<'_> {
    /// Reads piece by piece what a format says, with values for the arguments. False if that is not possible.
    pub(super) fn scan_text(&mut self, dst: Option<PlaceId>, from: From, member: Member, text: &[u8], mut values: Vec<ExprId>) -> bool {
        let word = self.program.types.target().pointer_bytes();
        let Some(stores) = stores(text, word) else { return false };
        if member.list {
            let list = values[member.format + 1];
            values.truncate(member.format + 1);
            for _ in &stores {
                let pointer = self.pointer();
                values.push(self.next_argument(list, pointer));
            }
        }
        let targets = &values[member.format + 1..];
        let is_pointer = |value: &ExprId| matches!(self.program.types.get(self.body.exprs[*value].ty), Type::Pointer(_));
        if targets.len() < stores.len() || !targets[..stores.len()].iter().all(is_pointer) {
            return false;
        }
        let size = self.size();
        let (place, limit) = self.variable(size);
        match (from, values.first()) {
            (From::Input, _) => self.call("__loopfrog_scan_input", Some(place), Vec::new()),
            (From::Stream, Some(stream)) => self.call("__loopfrog_scan_stream", Some(place), vec![*stream]),
            (From::String, Some(string)) => self.call("__loopfrog_scan_string", Some(place), vec![*string]),
            _ => return false,
        }
        let mut state = self.int_constant(0);
        for (store, to) in stores.iter().zip(targets.to_vec()) {
            let (name, mut args) = match *store {
                Store::Number(bytes) => ("__loopfrog_scan_number", vec![self.size_constant(bytes)]),
                Store::Count(bytes) => ("__loopfrog_scan_count", vec![self.size_constant(bytes)]),
                Store::Text(Some(width)) => ("__loopfrog_scan_text", vec![limit, self.size_constant(width)]),
                Store::Text(None) => ("__loopfrog_scan_text", vec![limit, limit]),
                Store::Block(width) => ("__loopfrog_scan_block", vec![limit, self.size_constant(width)]),
            };
            args.splice(0..0, [state, to]);
            let int = self.int();
            let (next, after) = self.variable(int);
            self.call(name, Some(next), args);
            state = after;
        }
        self.finish("__loopfrog_scan_end", dst, vec![state])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_tell_what_is_stored() {
        let text = |width| Store::Text(width);
        assert_eq!(stores(b"%d%*c%ld : %%%5s", 8), Some(vec![Store::Number(4), Store::Number(8), text(Some(5))]));
        assert_eq!(stores(b"%[^]%d]%n%hhu", 4), Some(vec![text(None), Store::Count(4), Store::Number(1)]));
        assert_eq!(stores(b"%lf%Lf%3c", 8), Some(vec![Store::Number(8), Store::Number(16), Store::Block(3)]));
        assert_eq!(stores(b"%[^\n]", 8), Some(vec![text(None)]));
        for unknown in ["%p", "%ms", "%ls", "%as", "%1$d", "%[abc", "%", "%5", "%99999999999999999999d"] {
            assert_eq!(stores(unknown.as_bytes(), 8), None, "{unknown}");
        }
    }
}

//! Parsing of the contents of objects and of constants.

use super::lex::Kind;
use super::parse::{Parsed, Parser, Symbol};
use super::parse_types::float_format;
use super::words::{from_hex, int_type, unescape};
use crate::arena::Id;
use crate::graph::BlockId;
use crate::program::{Address, Chunk, FunctionId, GlobalId, Init, Relocation};
use crate::types::FloatFormat;

impl Parser<'_, '_> {
    /// What stands after the type of a global: its content and its span.
    pub(super) fn global_content(&mut self, id: GlobalId) -> Parsed {
        if self.take("=") {
            let init = self.init()?;
            self.program.globals[id].init = Some(init);
        }
        self.program.globals[id].span = self.span(None)?;
        self.end_of_line()
    }

    fn init(&mut self) -> Parsed<Init> {
        let mut init = Init::default();
        if self.take_word("zero") {
            return Ok(init);
        }
        if !self.take("{") {
            self.stretch(&mut init, 0)?;
            return Ok(init);
        }
        self.end_of_line()?;
        if self.take_word("size") {
            init.size = Some(self.number()?);
            self.end_of_line()?;
        }
        while !self.take("}") {
            let offset = self.number()?;
            self.expect(":")?;
            self.stretch(&mut init, offset)?;
            self.end_of_line()?;
        }
        Ok(init)
    }

    /// Bytes or an address.
    fn stretch(&mut self, init: &mut Init, offset: u64) -> Parsed {
        if matches!(self.peek(), Kind::Mark("&" | "&&")) {
            let relocation = self.relocation(offset)?;
            init.relocations.push(relocation);
            return Ok(());
        }
        let mut bytes = Vec::new();
        self.piece(&mut bytes)?;
        while self.take(",") {
            self.piece(&mut bytes)?;
        }
        init.chunks.push(Chunk { offset, bytes });
        Ok(())
    }

    fn relocation(&mut self, offset: u64) -> Parsed<Relocation> {
        let target = if self.take("&&") { self.label_address()? } else { self.symbol_address()? };
        let negative = self.peek() == Kind::Mark("-");
        let addend = if self.take("+") || self.take("-") {
            let Kind::Number(digits) = self.peek() else { return self.expected("a number") };
            let Ok(addend) = format!("{}{digits}", if negative { "-" } else { "" }).parse() else {
                return self.error("this distance is too large".to_string());
            };
            self.advance();
            addend
        } else {
            0
        };
        let bytes = if self.take_word("in") { self.number()? } else { self.program.types.target().pointer_bytes() as u8 };
        Ok(Relocation { offset, bytes, target, addend })
    }

    fn symbol_address(&mut self) -> Parsed<Address> {
        self.expect("&")?;
        let name = self.name()?;
        match self.symbols.get(&name).copied() {
            Some(Symbol::Global(global)) => Ok(Address::Global(global)),
            Some(Symbol::Function(function)) => Ok(Address::Function(function)),
            None => self.error_behind(format!("there is no such thing as {:?}", name.0)),
        }
    }

    fn label_address(&mut self) -> Parsed<Address> {
        let first = self.block_name()?;
        if self.take("-") {
            self.expect("&&")?;
            let second = self.block_name()?;
            return Ok(Address::LabelDifference(self.function_of_label()?, first, second));
        }
        Ok(Address::Label(self.function_of_label()?, first))
    }

    fn function_of_label(&mut self) -> Parsed<FunctionId> {
        self.expect_word("of")?;
        let name = self.name()?;
        match self.symbols.get(&name).copied() {
            Some(Symbol::Function(function)) => Ok(function),
            _ => self.error_behind(format!("there is no such function as {:?}", name.0)),
        }
    }

    /// The name of a block: `b` and its number.
    pub(super) fn block_name(&mut self) -> Parsed<BlockId> {
        match self.word().and_then(|word| word.strip_prefix('b')).and_then(|digits| digits.parse().ok()) {
            Some(number) => {
                self.advance();
                Ok(Id::new(number))
            }
            None => self.expected("a block like `b1`"),
        }
    }

    /// A string, numbers of one type, or hexadecimal digits.
    fn piece(&mut self, bytes: &mut Vec<u8>) -> Parsed {
        if let Kind::Text(raw) = self.peek() {
            let Some(text) = unescape(raw) else { return self.error("this string has an escape that does not exist".to_string()) };
            bytes.extend_from_slice(&text);
            self.advance();
            return Ok(());
        }
        let word = self.word().unwrap_or_default();
        if word == "hex" {
            self.advance();
            let digits = self.text()?;
            let Some(data) = from_hex(&digits) else { return self.error("expected pairs of hexadecimal digits".to_string()) };
            bytes.extend(data);
            return Ok(());
        }
        let int = int_type(word).filter(|(bits, _)| bits % 8 == 0);
        let float = float_format(word).filter(|format| matches!(format, FloatFormat::F32 | FloatFormat::F64));
        let size = match (int, float) {
            (Some((bits, _)), _) => bits / 8,
            (None, Some(format)) => format.bits() / 8,
            (None, None) => return self.expected("a string, numbers with their type, or `hex`"),
        };
        self.advance();
        while matches!(self.peek(), Kind::Number(_) | Kind::Mark("-")) {
            let pattern = match (int, float) {
                (Some((bits, signed)), _) => self.int_pattern(bits, signed)?,
                (_, format) => self.float_pattern(format.unwrap_or(FloatFormat::F64))?,
            };
            bytes.extend(pattern.to_le_bytes().into_iter().take(usize::from(size)));
        }
        Ok(())
    }

    /// An integer with a sign: its bit pattern.
    pub(super) fn int_pattern(&mut self, bits: u16, signed: bool) -> Parsed<u128> {
        let negative = self.take("-");
        let Kind::Number(digits) = self.peek() else { return self.expected("an integer") };
        let Some(pattern) = int_pattern(digits, negative, bits, signed) else {
            return self.error(format!("`{digits}` is not an integer of {bits} bits"));
        };
        self.advance();
        Ok(pattern)
    }

    /// A decimal float with a sign, or a bit pattern.
    pub(super) fn float_pattern(&mut self, format: FloatFormat) -> Parsed<u128> {
        let negative = self.take("-");
        let Kind::Number(digits) = self.peek() else { return self.expected("a number") };
        let Some(pattern) = float_pattern(digits, negative, format) else {
            return self.error(format!("`{digits}` is not a number of format {}", format.name()));
        };
        self.advance();
        Ok(pattern)
    }
}

/// The bit pattern of an integer, if it fits.
pub(super) fn int_pattern(digits: &str, negative: bool, bits: u16, signed: bool) -> Option<u128> {
    let magnitude = match digits.strip_prefix("0x") {
        Some(digits) => u128::from_str_radix(digits, 16).ok()?,
        None => digits.parse::<u128>().ok()?,
    };
    let mask = if bits < 128 { (1 << bits) - 1 } else { u128::MAX };
    let limit = match (signed, negative) {
        (true, true) => mask / 2 + 1,
        (true, false) => mask / 2,
        (false, true) => 0,
        (false, false) => mask,
    };
    let pattern = if negative { magnitude.wrapping_neg() } else { magnitude };
    (magnitude <= limit).then_some(pattern & mask)
}

/// The bit pattern of a float, which is written in decimal or as that pattern in hexadecimal.
pub(super) fn float_pattern(digits: &str, negative: bool, format: FloatFormat) -> Option<u128> {
    if let Some(digits) = digits.strip_prefix("0x") {
        let pattern = u128::from_str_radix(digits, 16).ok()?;
        let fits = format.bits() == 128 || pattern >> format.bits() == 0;
        return (fits && !negative).then_some(pattern);
    }
    match format {
        FloatFormat::F32 => {
            let value: f32 = digits.parse().ok().filter(|value: &f32| value.is_finite())?;
            Some(u128::from(if negative { -value } else { value }.to_bits()))
        }
        FloatFormat::F64 => {
            let value: f64 = digits.parse().ok().filter(|value: &f64| value.is_finite())?;
            Some(u128::from(if negative { -value } else { value }.to_bits()))
        }
        _ => None,
    }
}

//! Parsing of types and records.

use rustc_hash::FxHashMap;

use super::lex::Kind;
use super::parse::{Parsed, Parser, UniqueName};
use super::words::int_type;
use crate::span::Span;
use crate::types::{Field, FloatFormat, Layout, Record, RecordId, RecordKind, Type, TypeId};

impl<'a> Parser<'_, 'a> {
    /// Makes a record known by name; its fields are read later.
    pub(super) fn record_name(&mut self) -> Parsed {
        let (kind, name) = self.record_head()?;
        let record = Record { kind, name: name.0.to_string(), layout: None, span: Span::NONE };
        let id = self.program.types.add_record(record);
        self.fields.push(FxHashMap::default());
        match self.records.insert(name, id) {
            None => Ok(()),
            Some(_) => self.error_behind("this record is declared twice".to_string()),
        }
    }

    /// The fields of a record.
    pub(super) fn record(&mut self, id: RecordId) -> Parsed {
        self.record_head()?;
        if self.take_word("size") {
            let size = self.number()?;
            self.expect_word("align")?;
            let align = self.number()?;
            self.expect("{")?;
            self.end_of_line()?;
            let mut layout = Layout { fields: Vec::new(), size, align };
            while !self.take("}") {
                let (name, field) = self.field()?;
                let index = layout.fields.len() as u32;
                if self.fields.get_mut(id.index()).and_then(|fields| fields.insert(name, index)).is_some() {
                    return self.error("this field is declared twice".to_string());
                }
                layout.fields.push(field);
            }
            self.program.types.record_mut(id).layout = Some(layout);
        }
        self.program.types.record_mut(id).span = self.span(None)?;
        self.end_of_line()
    }

    fn field(&mut self) -> Parsed<(UniqueName<'a>, Field)> {
        let name = self.name()?;
        self.expect(":")?;
        let ty = self.ty()?;
        self.expect_word("at")?;
        let offset = self.number()?;
        let bit = if self.take_word("bit") { Some(self.number()?) } else { None };
        self.end_of_line()?;
        let field = Field { name: name.0.to_string(), ty, offset, bit };
        Ok((name, field))
    }

    /// A type that has a name or a place in the table of types.
    pub(super) fn type_item(&mut self) -> Parsed {
        self.advance();
        if let (Kind::Defined('t', number), Kind::Mark("=")) = (self.peek(), self.peek_at(1)) {
            self.advance();
            self.advance();
            let ty = self.ty()?;
            self.big_types.insert(number, ty);
        } else {
            self.ty()?;
        }
        self.end_of_line()
    }

    /// Whether a type begins here or after stars, which is what tells `(*u8)p` from `(*p)`.
    pub(super) fn type_is_ahead(&self, mut ahead: usize) -> bool {
        while self.peek_at(ahead) == Kind::Mark("*") {
            ahead += 1;
        }
        match self.peek_at(ahead) {
            Kind::Mark("[") | Kind::Defined('t', _) => true,
            _ => self.word_at(ahead).is_some_and(|word| matches!(word, "struct" | "union" | "fn") || simple_type(word).is_some()),
        }
    }

    /// A type.
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        self.descend(Self::type_here)
    }

    fn type_here(&mut self) -> Parsed<TypeId> {
        if self.take("*") {
            let to = self.ty()?;
            return Ok(self.program.types.pointer(to));
        }
        if self.take("[") {
            let len = if self.peek() == Kind::Mark("]") { None } else { Some(self.number()?) };
            self.expect("]")?;
            let elem = self.ty()?;
            return Ok(self.program.types.array(elem, len));
        }
        if let Kind::Defined('t', number) = self.peek() {
            let Some(ty) = self.big_types.get(&number).copied() else { return self.error(format!("$t{number} is not defined")) };
            self.advance();
            return Ok(ty);
        }
        match self.word() {
            Some("struct" | "union") => self.record_type(),
            Some("fn") => self.function_type(),
            Some(word) => match simple_type(word) {
                Some(ty) => {
                    self.advance();
                    Ok(self.program.types.intern(ty))
                }
                None => self.expected("a type"),
            },
            None => self.expected("a type"),
        }
    }

    fn record_type(&mut self) -> Parsed<TypeId> {
        let is_union = self.word() == Some("union");
        let (_, name) = self.record_head()?;
        let same_kind = |id: &RecordId| (self.program.types.record(*id).kind == RecordKind::Union) == is_union;
        let Some(id) = self.records.get(&name).copied().filter(same_kind) else {
            return self.error_behind(format!("there is no such record as {:?}", name.0));
        };
        Ok(self.program.types.intern(Type::Record(id)))
    }

    fn function_type(&mut self) -> Parsed<TypeId> {
        self.advance();
        self.expect("(")?;
        let mut params = Vec::new();
        let mut variadic = false;
        while !self.take(")") {
            if self.take("...") {
                variadic = true;
                self.expect(")")?;
                break;
            }
            params.push(self.ty()?);
            if self.peek() != Kind::Mark(")") {
                self.expect(",")?;
            }
        }
        let ret = if self.take("->") { self.ty()? } else { self.program.types.void() };
        Ok(self.program.types.intern(Type::Function { ret, params, variadic }))
    }
}

/// The type that one word stands for.
fn simple_type(word: &str) -> Option<Type> {
    match word {
        "void" => Some(Type::Void),
        "bool" => Some(Type::Bool),
        _ => match float_format(word) {
            Some(format) => Some(Type::Float(format)),
            None => int_type(word).map(|(bits, signed)| Type::Int { bits, signed }),
        },
    }
}

/// The format with this name.
pub(super) fn float_format(word: &str) -> Option<FloatFormat> {
    [FloatFormat::F16, FloatFormat::F32, FloatFormat::F64, FloatFormat::X87, FloatFormat::F128]
        .into_iter()
        .find(|format| format.name() == word)
}

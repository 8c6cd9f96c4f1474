//! Attributes, `asm` labels and static assertions.

use super::{Parse, Parser};
use crate::ast::{Attribute, ExprId, Range, StaticAssert};
use crate::token::TokenKind;

/// The attributes whose arguments are expressions that somebody may want. The arguments of all others are skipped.
const WITH_EXPRESSIONS: &[&str] = &[
    "access",
    "alias",
    "aligned",
    "alloc_align",
    "alloc_size",
    "assume",
    "assume_aligned",
    "cleanup",
    "constructor",
    "destructor",
    "format",
    "ifunc",
    "malloc",
    "mode",
    "nonnull",
    "scalar_storage_order",
    "section",
    "sentinel",
    "vector_size",
    "visibility",
    "weakref",
];

impl Parser<'_> {
    pub(super) fn at_attribute(&self) -> bool {
        self.at(TokenKind::Attribute) || self.at(TokenKind::LBracket) && self.next.kind == TokenKind::LBracket
    }

    /// Adds all attributes that stand here.
    pub(super) fn attributes(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        while self.at_attribute() {
            if self.at(TokenKind::Attribute) { self.gnu_attributes(out)? } else { self.bracketed_attributes(out)? }
        }
        Ok(())
    }

    /// `__attribute__((a, b(1)))`
    fn gnu_attributes(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        self.bump();
        let outer = self.expect(TokenKind::LParen, "`((` after `__attribute__`")?;
        let inner = self.expect(TokenKind::LParen, "`((` after `__attribute__`")?;
        self.attribute_list(TokenKind::RParen, out)?;
        self.close(TokenKind::RParen, "`)` after the attributes", inner)?;
        self.close(TokenKind::RParen, "`)` after the attributes", outer)?;
        Ok(())
    }

    /// `[[a, gnu::b(1)]]`
    fn bracketed_attributes(&mut self, out: &mut Vec<Attribute>) -> Parse<()> {
        let outer = self.bump();
        let inner = self.bump();
        self.attribute_list(TokenKind::RBracket, out)?;
        self.close(TokenKind::RBracket, "`]` after the attributes", inner)?;
        self.close(TokenKind::RBracket, "`]` after the attributes", outer)?;
        Ok(())
    }

    fn attribute_list(&mut self, end: TokenKind, out: &mut Vec<Attribute>) -> Parse<()> {
        while !self.at(end) {
            if !self.eat(TokenKind::Comma) {
                let attribute = self.attribute()?;
                out.push(attribute);
                if !self.at(end) && !self.at(TokenKind::Comma) {
                    return self.expected("`,` between attributes");
                }
            }
        }
        Ok(())
    }

    fn attribute(&mut self) -> Parse<Attribute> {
        let start = self.token.range;
        let mut name = self.attribute_name()?;
        if self.at(TokenKind::Colon) && self.next.kind == TokenKind::Colon {
            self.bump();
            self.bump();
            name = self.attribute_name()?;
        }
        let text = String::from_utf8_lossy(self.lexer.slice(name));
        let text = text.strip_prefix("__").and_then(|text| text.strip_suffix("__")).unwrap_or(&text);
        let expressions = WITH_EXPRESSIONS.contains(&text);
        let name = self.session.names.intern(text);
        let args = if self.at(TokenKind::LParen) { self.attribute_arguments(expressions)? } else { Vec::new() };
        Ok(Attribute { name, args, range: start.to(self.previous) })
    }

    /// A name or keyword, as in `__attribute__((const))`.
    fn attribute_name(&mut self) -> Parse<Range> {
        let text = self.lexer.slice(self.token.range);
        match text.first() {
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => Ok(self.bump()),
            _ => self.expected("the name of an attribute"),
        }
    }

    fn attribute_arguments(&mut self, expressions: bool) -> Parse<Vec<ExprId>> {
        let open = self.bump();
        let mut args = Vec::new();
        if !expressions || self.at_specifier() {
            self.skip_balanced(open)?;
            return Ok(args);
        }
        if !self.at(TokenKind::RParen) {
            args.push(self.assignment()?);
            while self.eat(TokenKind::Comma) {
                args.push(self.assignment()?);
            }
        }
        self.close(TokenKind::RParen, "`)` after the arguments of this attribute", open)?;
        Ok(args)
    }

    /// `asm("name")` behind a declarator.
    pub(super) fn asm_label(&mut self) -> Parse<Box<[u8]>> {
        self.bump();
        let open = self.expect(TokenKind::LParen, "`(` after `asm`")?;
        let label = self.plain_string("the assembler's name of this symbol")?;
        self.close(TokenKind::RParen, "`)`", open)?;
        Ok(label)
    }

    /// `asm("…");` at file scope.
    pub(super) fn file_asm(&mut self) -> Parse<Range> {
        let start = self.bump();
        while matches!(self.token.kind, TokenKind::Volatile | TokenKind::Inline | TokenKind::Goto) {
            self.bump();
        }
        let open = self.expect(TokenKind::LParen, "`(` after `asm`")?;
        let end = self.skip_balanced(open)?;
        self.semicolon("`;` after this `asm`")?;
        Ok(start.to(end))
    }

    /// `_Static_assert(condition, "message");`
    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert> {
        let start = self.bump();
        let open = self.expect(TokenKind::LParen, "`(` after `_Static_assert`")?;
        let condition = self.conditional()?;
        let message = if self.eat(TokenKind::Comma) { Some(self.plain_string("the message of this assertion")?) } else { None };
        let end = self.close(TokenKind::RParen, "`)` after this assertion", open)?;
        self.semicolon("`;` after this assertion")?;
        Ok(StaticAssert { condition, message, range: start.to(end) })
    }

    /// The bytes of a string that is no expression.
    pub(super) fn plain_string(&mut self, what: &str) -> Parse<Box<[u8]>> {
        if !self.at(TokenKind::String) {
            return self.expected(&format!("a string: {what}"));
        }
        Ok(self.strings().0)
    }
}

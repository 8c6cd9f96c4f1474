//! Structures, unions and enumerations.

use super::{Failed, Parse, Parser};
use crate::ast::{
    Attribute, Declaration, Declarator, EnumSpecifier, Enumerator, InitDeclarator, Member, Range, RecordSpecifier, TypeName, TypeNameId,
};
use crate::intern::Symbol;
use crate::token::TokenKind;

impl Parser<'_> {
    /// `struct tag { … }`
    pub(super) fn record(&mut self) -> Parse<RecordSpecifier> {
        let is_union = self.at(TokenKind::Union);
        let (mut range, mut attributes, tag) = self.keyword_and_tag()?;
        let mut members = None;
        let pack = self.lexer.pack();
        if self.at(TokenKind::LBrace) {
            if self.lexer.reversed() {
                attributes.push(Attribute { name: self.session.names.intern("scalar_storage_order"), args: Vec::new(), range });
            }
            members = Some(self.members()?);
            if tag.is_none() {
                range = range.to(self.previous);
            }
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.expected(if is_union { "a name or `{` after `union`" } else { "a name or `{` after `struct`" });
        }
        Ok(RecordSpecifier { is_union, tag, members, attributes, pack, range })
    }

    /// `struct __attribute__((…)) tag`: the place of keyword and tag, the attributes, the tag.
    fn keyword_and_tag(&mut self) -> Parse<(Range, Vec<Attribute>, Option<Symbol>)> {
        let keyword = self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        if !self.at(TokenKind::Ident) {
            return Ok((keyword, attributes, None));
        }
        let tag = self.token.symbol;
        Ok((keyword.to(self.bump()), attributes, Some(tag)))
    }

    fn members(&mut self) -> Parse<Vec<Member>> {
        let open = self.bump();
        let braces = self.braces;
        let mut members = Vec::new();
        loop {
            match self.token.kind {
                TokenKind::RBrace => {
                    self.bump();
                    return Ok(members);
                }
                TokenKind::Eof => {
                    self.close(TokenKind::RBrace, "`}` at the end of this structure", open)?;
                }
                TokenKind::Semi | TokenKind::Extension => {
                    self.bump();
                }
                _ => {
                    self.set_anchor();
                    match self.member() {
                        Ok(member) => members.push(member),
                        Err(Failed) => self.recover(braces)?,
                    }
                }
            }
        }
    }

    fn member(&mut self) -> Parse<Member> {
        if self.at(TokenKind::StaticAssert) {
            return Ok(Member::StaticAssert(self.static_assert()?));
        }
        let start = self.token.range;
        if !self.at_specifier() && !self.at_attribute() {
            self.unknown_type_or("a member or `}`")?;
        }
        let specifiers = self.specifiers(Vec::new())?;
        self.implicit_int(&specifiers);
        let mut declarators = Vec::new();
        if !self.at(TokenKind::Semi) {
            declarators.push(self.member_declarator()?);
            while self.eat(TokenKind::Comma) {
                declarators.push(self.member_declarator()?);
            }
        }
        let range = start.to(self.previous);
        if self.at(TokenKind::RBrace) {
            self.session.diagnostics.warning(self.token.range, "no `;` at the end of this structure", "");
        } else {
            self.semicolon("`;` after this member")?;
        }
        Ok(Member::Declaration(self.ast.decls.push(Declaration { specifiers, declarators, range })))
    }

    fn member_declarator(&mut self) -> Parse<InitDeclarator> {
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let mut declarator = if self.at(TokenKind::Colon) {
            Declarator { range: self.token.range, ..Declarator::default() }
        } else {
            self.declarator("the name of a member")?
        };
        declarator.attributes.append(&mut attributes);
        let bit_width = if self.eat(TokenKind::Colon) { Some(self.conditional()?) } else { None };
        self.attributes(&mut declarator.attributes)?;
        Ok(InitDeclarator { declarator, bit_width, init: None })
    }

    /// `enum tag : type { … }`
    pub(super) fn enumeration(&mut self) -> Parse<EnumSpecifier> {
        let (mut range, mut attributes, tag) = self.keyword_and_tag()?;
        // `enum e : 3` in a structure is a bit-field.
        let mut underlying = None;
        if self.at(TokenKind::Colon) && self.begins_specifiers(self.next) {
            self.bump();
            underlying = Some(self.underlying_type()?);
        }
        let mut enumerators = None;
        if self.at(TokenKind::LBrace) {
            enumerators = Some(self.enumerators()?);
            if tag.is_none() {
                range = range.to(self.previous);
            }
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return self.expected("a name or `{` after `enum`");
        }
        Ok(EnumSpecifier { tag, underlying, enumerators, attributes, range })
    }

    fn underlying_type(&mut self) -> Parse<TypeNameId> {
        let specifiers = self.specifiers(Vec::new())?;
        let range = specifiers.range;
        let declarator = Declarator { range: Range { start: range.end, end: range.end }, ..Declarator::default() };
        Ok(self.ast.type_names.push(TypeName { specifiers, declarator, range }))
    }

    fn enumerators(&mut self) -> Parse<Vec<Enumerator>> {
        let open = self.bump();
        let mut enumerators = Vec::new();
        while !self.at(TokenKind::RBrace) {
            let (name, range) = self.identifier("the name of a constant")?;
            self.attributes(&mut Vec::new())?;
            let value = if self.eat(TokenKind::Equal) { Some(self.conditional()?) } else { None };
            self.scopes.declare(name, false);
            enumerators.push(Enumerator { name, value, range });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RBrace, "`,` or `}` after this constant", open)?;
        Ok(enumerators)
    }
}

//! Declaration specifiers and type names.

use super::{Failed, Parse, Parser};
use crate::ast::{Alignas, Attribute, BasicType, Qualifiers, Range, Specifiers, Storage, TypeName, TypeNameId, TypeSpecifier};
use crate::token::{TokenKind, lone_type};

/// The type keywords of one declaration.
#[derive(Default)]
struct TypeKeywords {
    /// `int`, `char`, `double`, or a keyword that stands alone.
    base: Option<TokenKind>,
    signed: bool,
    unsigned: bool,
    short: bool,
    longs: u8,
    complex: bool,
}

impl TypeKeywords {
    fn is_empty(&self) -> bool {
        self.base.is_none() && !self.signed && !self.unsigned && !self.short && self.longs == 0 && !self.complex
    }

    /// Adds a keyword; `false` if it contradicts an earlier one.
    fn add(&mut self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Signed => !std::mem::replace(&mut self.signed, true) && !self.unsigned,
            TokenKind::Unsigned => !std::mem::replace(&mut self.unsigned, true) && !self.signed,
            TokenKind::Short => !std::mem::replace(&mut self.short, true) && self.longs == 0,
            TokenKind::Complex => !std::mem::replace(&mut self.complex, true),
            TokenKind::Long => {
                self.longs += 1;
                self.longs <= 2 && !self.short
            }
            _ => self.base.replace(kind).is_none(),
        }
    }

    /// The type that the keywords make together.
    fn resolve(&self) -> Option<TypeSpecifier> {
        let ty = self.real()?;
        if !self.complex {
            return Some(TypeSpecifier::Basic(ty));
        }
        Some(TypeSpecifier::Complex(match ty {
            // `_Complex` alone.
            BasicType::Int if self.base.is_none() && !self.signed => BasicType::Double,
            BasicType::Void | BasicType::VaList | BasicType::Bool | BasicType::Decimal => return None,
            part => part,
        }))
    }

    fn real(&self) -> Option<BasicType> {
        let pick = |signed, unsigned| Some(if self.unsigned { unsigned } else { signed });
        let sign = self.signed || self.unsigned;
        let size = self.short || self.longs > 0;
        match self.base {
            None | Some(TokenKind::Int) if self.short => pick(BasicType::Short, BasicType::UnsignedShort),
            None | Some(TokenKind::Int) => match self.longs {
                0 => pick(BasicType::Int, BasicType::UnsignedInt),
                1 => pick(BasicType::Long, BasicType::UnsignedLong),
                _ => pick(BasicType::LongLong, BasicType::UnsignedLongLong),
            },
            Some(TokenKind::BitInt) if !size => pick(BasicType::Int, BasicType::UnsignedInt),
            Some(TokenKind::Int128) if !size => pick(BasicType::Int128, BasicType::UnsignedInt128),
            Some(TokenKind::Char_) if size => None,
            Some(TokenKind::Char_) if !sign => Some(BasicType::Char),
            Some(TokenKind::Char_) => pick(BasicType::SignedChar, BasicType::UnsignedChar),
            Some(TokenKind::Double) if !sign && !self.short && self.longs <= 1 => {
                Some(if self.longs == 1 { BasicType::LongDouble } else { BasicType::Double })
            }
            Some(kind) if !sign && !size => lone_type(kind),
            Some(_) => None,
        }
    }
}

impl Parser<'_> {
    /// All specifiers that stand here; attributes that came before them are added to theirs.
    pub(super) fn specifiers(&mut self, attributes: Vec<Attribute>) -> Parse<Specifiers> {
        self.nested(|p| p.specifier_list(attributes))
    }

    fn specifier_list(&mut self, attributes: Vec<Attribute>) -> Parse<Specifiers> {
        let start = self.token.range;
        let mut out = Specifiers { attributes, ..Specifiers::default() };
        let mut keywords = TypeKeywords::default();
        loop {
            let has_type = !keywords.is_empty() || !matches!(out.ty, TypeSpecifier::Missing);
            match self.token.kind {
                TokenKind::Ident if !has_type && self.scopes.is_typedef(self.token.symbol) => {
                    out.ty = TypeSpecifier::Typedef(self.token.symbol);
                    self.bump();
                }
                // A name cannot be followed by these if it is what is declared.
                TokenKind::Ident if !has_type && matches!(self.next.kind, TokenKind::Ident | TokenKind::Star) => {
                    self.unknown_type_or("a type")?;
                }
                TokenKind::Ident if !has_type && self.next.kind > TokenKind::Typedef && self.next.kind < TokenKind::Attribute => {
                    self.unknown_type_or("a type")?;
                    return Err(Failed);
                }
                TokenKind::Attribute => self.attributes(&mut out.attributes)?,
                TokenKind::LBracket if self.at_attribute() => self.attributes(&mut out.attributes)?,
                TokenKind::Typedef | TokenKind::Extern | TokenKind::Static | TokenKind::Auto | TokenKind::Register => {
                    self.storage_class(&mut out)?;
                }
                TokenKind::ThreadLocal => out.thread_local = self.flag(),
                TokenKind::Inline => out.inline = self.flag(),
                TokenKind::Noreturn => out.noreturn = self.flag(),
                TokenKind::Constexpr => out.constexpr = self.flag(),
                TokenKind::Atomic if self.next.kind == TokenKind::LParen => {
                    self.one_type(has_type, &out)?;
                    self.bump();
                    out.ty = TypeSpecifier::Atomic(self.type_in_parentheses()?);
                }
                TokenKind::Const | TokenKind::Volatile | TokenKind::Restrict | TokenKind::Atomic => self.qualifiers(&mut out.qualifiers),
                TokenKind::Struct | TokenKind::Union => {
                    self.one_type(has_type, &out)?;
                    out.ty = TypeSpecifier::Record(self.record()?);
                }
                TokenKind::Enum => {
                    self.one_type(has_type, &out)?;
                    out.ty = TypeSpecifier::Enum(self.enumeration()?);
                }
                TokenKind::Typeof | TokenKind::TypeofUnqual => {
                    self.one_type(has_type, &out)?;
                    out.ty = self.type_of()?;
                }
                TokenKind::AutoType => {
                    self.one_type(has_type, &out)?;
                    self.bump();
                    out.ty = TypeSpecifier::Auto;
                }
                TokenKind::Alignas => out.align.push(self.alignas()?),
                kind if kind.is_specifier() => {
                    if !matches!(out.ty, TypeSpecifier::Missing) {
                        self.one_type(true, &out)?;
                    }
                    let range = self.bump();
                    if !keywords.add(kind) {
                        return self.fail(start.to(range), "these type specifiers cannot be combined", "");
                    }
                    if kind == TokenKind::BitInt {
                        self.bit_int(range)?;
                    }
                }
                _ => break,
            }
        }
        out.range =
            if self.previous.start >= start.start { start.to(self.previous) } else { Range { start: start.start, end: start.start } };
        if !keywords.is_empty() {
            let Some(ty) = keywords.resolve() else {
                return self.fail(out.range, "these type specifiers cannot be combined", "");
            };
            out.ty = ty;
        } else if matches!(out.ty, TypeSpecifier::Missing) && out.storage == Some(Storage::Auto) && self.session.options.standard >= 2023 {
            out.ty = TypeSpecifier::Auto;
        }
        Ok(out)
    }

    fn flag(&mut self) -> bool {
        self.bump();
        true
    }

    /// Refuses a second type.
    fn one_type(&mut self, has_type: bool, specifiers: &Specifiers) -> Parse<()> {
        if !has_type {
            return Ok(());
        }
        match &specifiers.ty {
            TypeSpecifier::Record(record) if record.members.is_some() => {
                self.report_expected("`;` after the definition of this structure");
            }
            TypeSpecifier::Enum(item) if item.enumerators.is_some() => {
                self.report_expected("`;` after the definition of this enumeration");
            }
            _ => {
                self.error(self.token.range, "two types in one declaration", "this is the second");
            }
        }
        Err(Failed)
    }

    fn storage_class(&mut self, out: &mut Specifiers) -> Parse<()> {
        let storage = match self.token.kind {
            TokenKind::Typedef => Storage::Typedef,
            TokenKind::Extern => Storage::Extern,
            TokenKind::Static => Storage::Static,
            TokenKind::Auto => Storage::Auto,
            _ => Storage::Register,
        };
        let range = self.bump();
        if out.storage.replace(storage).is_some() {
            return self.fail(range, "more than one storage class in one declaration", "this is the second");
        }
        Ok(())
    }

    /// Adds the qualifiers that stand here.
    pub(super) fn qualifiers(&mut self, out: &mut Qualifiers) {
        loop {
            match self.token.kind {
                TokenKind::Const => out.is_const = true,
                TokenKind::Volatile => out.is_volatile = true,
                TokenKind::Restrict => out.is_restrict = true,
                // `_Atomic(int)` is a type.
                TokenKind::Atomic if self.next.kind != TokenKind::LParen => out.is_atomic = true,
                _ => return,
            }
            self.bump();
        }
    }

    /// After `_BitInt`: its width. There is no model for these types; parsing goes on as if it were `int`.
    fn bit_int(&mut self, keyword: Range) -> Parse<()> {
        let open = self.expect(TokenKind::LParen, "`(` after `_BitInt`")?;
        self.conditional()?;
        let end = self.close(TokenKind::RParen, "`)`", open)?;
        self.session.diagnostics.unsupported(keyword.to(end), "`_BitInt` is not supported", "");
        Ok(())
    }

    fn type_of(&mut self) -> Parse<TypeSpecifier> {
        let unqualified = self.at(TokenKind::TypeofUnqual);
        self.bump();
        if self.at(TokenKind::LParen) && self.begins_specifiers(self.next) {
            return Ok(TypeSpecifier::TypeofType(self.type_in_parentheses()?, unqualified));
        }
        let open = self.expect(TokenKind::LParen, "`(` after `typeof`")?;
        let expr = self.expression()?;
        self.close(TokenKind::RParen, "`)`", open)?;
        Ok(TypeSpecifier::TypeofExpr(expr, unqualified))
    }

    fn alignas(&mut self) -> Parse<Alignas> {
        self.bump();
        if self.at(TokenKind::LParen) && self.begins_specifiers(self.next) {
            return Ok(Alignas::Type(self.type_in_parentheses()?));
        }
        let open = self.expect(TokenKind::LParen, "`(` after `_Alignas`")?;
        let expr = self.conditional()?;
        self.close(TokenKind::RParen, "`)`", open)?;
        Ok(Alignas::Expr(expr))
    }

    /// `(type)`
    pub(super) fn type_in_parentheses(&mut self) -> Parse<TypeNameId> {
        let open = self.expect(TokenKind::LParen, "`(` before a type")?;
        let ty = self.type_name()?;
        self.close(TokenKind::RParen, "`)` after this type", open)?;
        Ok(ty)
    }

    pub(super) fn type_name(&mut self) -> Parse<TypeNameId> {
        let start = self.token.range;
        if !self.at_specifier() {
            self.unknown_type_or("a type")?;
        }
        let specifiers = self.specifiers(Vec::new())?;
        self.implicit_int(&specifiers);
        let declarator = self.abstract_declarator()?;
        Ok(self.ast.type_names.push(TypeName { specifiers, declarator, range: start.to(self.previous) }))
    }

    /// Warns of a type that is not there.
    pub(super) fn implicit_int(&mut self, specifiers: &Specifiers) {
        if matches!(specifiers.ty, TypeSpecifier::Missing) && self.session.options.standard >= 1999 {
            let range = if specifiers.range.start < specifiers.range.end { specifiers.range } else { self.token.range };
            self.session.diagnostics.warning(range, "this declaration has no type", "`int` is assumed");
        }
    }

    /// At something that is not a type but should be: an unknown name is reported and taken for a type, anything else is an error.
    pub(super) fn unknown_type_or(&mut self, what: &str) -> Parse<()> {
        if !self.at(TokenKind::Ident) {
            return self.expected(what);
        }
        let name = self.session.names.name(self.token.symbol).to_string();
        self.error(self.token.range, format!("unknown type name `{name}`"), "");
        // Once is enough.
        self.scopes.declare(self.token.symbol, true);
        Ok(())
    }
}

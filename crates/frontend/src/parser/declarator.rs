//! Declarators: the part of a declaration that holds the name.

use super::{Parse, Parser};
use crate::ast::{
    ArrayPart, ArraySize, Attribute, BasicType, DeclId, Declaration, Declarator, DeclaratorPart, InitDeclarator, Parameters, Qualifiers,
    Range, TypeSpecifier,
};
use crate::token::TokenKind;

/// Whether a declarator has a name.
#[derive(Clone, Copy)]
enum Naming<'a> {
    /// It must have one: what to ask for.
    Required(&'a str),
    /// A parameter may have one.
    Optional,
    /// A type name has none.
    Forbidden,
}

impl Parser<'_> {
    /// A declarator with a name; `what` says what is declared.
    pub(super) fn declarator(&mut self, what: &str) -> Parse<Declarator> {
        self.whole_declarator(Naming::Required(what))
    }
    /// The declarator of a type name.
    pub(super) fn abstract_declarator(&mut self) -> Parse<Declarator> {
        self.whole_declarator(Naming::Forbidden)
    }

    /// A declarator with the `asm` label and the attributes behind it.
    fn whole_declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        let here = Range { start: self.token.range.start, end: self.token.range.start };
        let mut out = Declarator { range: here, ..Declarator::default() };
        self.declarator_parts(naming, &mut out)?;
        if self.at(TokenKind::Asm) {
            out.asm_label = Some(self.asm_label()?);
        }
        self.attributes(&mut out.attributes)?;
        Ok(out)
    }

    fn declarator_parts(&mut self, naming: Naming, out: &mut Declarator) -> Parse<()> {
        let mut pointers = Vec::new();
        while self.eat(TokenKind::Star) {
            let mut qualifiers = Qualifiers::default();
            loop {
                self.qualifiers(&mut qualifiers);
                if !self.at_attribute() {
                    break;
                }
                self.attributes(&mut out.attributes)?;
            }
            pointers.push(DeclaratorPart::Pointer(qualifiers));
        }
        match (self.token.kind, naming) {
            (TokenKind::Ident, Naming::Required(_) | Naming::Optional) => {
                out.name = Some(self.token.symbol);
                out.range = self.bump();
                self.attributes(&mut out.attributes)?;
            }
            (TokenKind::LParen, _) => self.parenthesised(naming, out)?,
            (_, Naming::Required(what)) => return self.expected(what),
            _ => {}
        }
        self.suffixes(out)?;
        out.parts.extend(pointers.into_iter().rev());
        Ok(())
    }

    /// `(` begins either a declarator in parentheses or, where there need not be a name, the parameters of a nameless function.
    fn parenthesised(&mut self, naming: Naming, out: &mut Declarator) -> Parse<()> {
        let open = self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let nameless = !matches!(naming, Naming::Required(_));
        if nameless && (self.at_specifier() || matches!(self.token.kind, TokenKind::RParen | TokenKind::Ellipsis)) {
            let parameters = self.parameters(open, attributes)?;
            out.parts.push(DeclaratorPart::Function(parameters));
            return Ok(());
        }
        out.attributes.append(&mut attributes);
        self.nested(|p| p.declarator_parts(naming, out))?;
        self.close(TokenKind::RParen, "`)` in this declarator", open)?;
        Ok(())
    }

    /// Arrays and functions.
    fn suffixes(&mut self, out: &mut Declarator) -> Parse<()> {
        loop {
            if self.at_attribute() && self.at(TokenKind::LBracket) {
                self.attributes(&mut out.attributes)?;
            } else if self.at(TokenKind::LBracket) {
                let array = self.array()?;
                out.parts.push(DeclaratorPart::Array(array));
            } else if self.at(TokenKind::LParen) {
                let open = self.bump();
                let parameters = self.parameters(open, Vec::new())?;
                out.parts.push(DeclaratorPart::Function(parameters));
            } else {
                return Ok(());
            }
        }
    }

    /// `[static const n]`
    fn array(&mut self) -> Parse<ArrayPart> {
        let open = self.bump();
        let mut qualifiers = Qualifiers::default();
        self.qualifiers(&mut qualifiers);
        if self.eat(TokenKind::Static) {
            self.qualifiers(&mut qualifiers);
        }
        let size = if self.at(TokenKind::RBracket) {
            ArraySize::Unspecified
        } else if self.at(TokenKind::Star) && self.next.kind == TokenKind::RBracket {
            self.bump();
            ArraySize::Star
        } else {
            ArraySize::Expr(self.expression()?)
        };
        let end = self.close(TokenKind::RBracket, "`]` after the size of this array", open)?;
        Ok(ArrayPart { size, qualifiers, range: open.to(end) })
    }

    /// What stands after the opening parenthesis of a function declarator. `attributes` have been read and belong to the first parameter.
    fn parameters(&mut self, open: Range, attributes: Vec<Attribute>) -> Parse<Parameters> {
        let names = attributes.is_empty() && self.at(TokenKind::Ident) && !self.at_specifier();
        if names && matches!(self.next.kind, TokenKind::Comma | TokenKind::RParen) {
            return self.identifier_list(open);
        }
        if attributes.is_empty() && self.eat(TokenKind::RParen) {
            // In C23 `()` is a prototype.
            return Ok(if self.session.options.standard >= 2023 {
                Parameters::Prototype { forward: Vec::new(), params: Vec::new(), variadic: false }
            } else {
                Parameters::Identifiers(Vec::new())
            });
        }
        self.nested(|p| p.scoped(|p| p.prototype(open, attributes)))
    }

    /// `a, b)` of an old-style definition.
    fn identifier_list(&mut self, open: Range) -> Parse<Parameters> {
        let mut names = Vec::new();
        loop {
            names.push(self.identifier("the name of a parameter")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RParen, "`,` or `)` after this parameter", open)?;
        Ok(Parameters::Identifiers(names))
    }

    fn prototype(&mut self, open: Range, mut attributes: Vec<Attribute>) -> Parse<Parameters> {
        let (mut forward, mut params) = (Vec::new(), Vec::new());
        let mut variadic = false;
        loop {
            if self.eat(TokenKind::Ellipsis) {
                variadic = true;
                break;
            }
            params.push(self.parameter(std::mem::take(&mut attributes))?);
            if self.eat(TokenKind::Semi) {
                forward.append(&mut params);
            } else if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.close(TokenKind::RParen, "`,` or `)` after this parameter", open)?;
        if let [only] = params[..]
            && self.is_void(only)
        {
            params.clear();
        }
        Ok(Parameters::Prototype { forward, params, variadic })
    }

    fn parameter(&mut self, attributes: Vec<Attribute>) -> Parse<DeclId> {
        let start = self.token.range;
        if attributes.is_empty() && !self.at_specifier() && !self.at_attribute() {
            self.unknown_type_or("a parameter")?;
        }
        let specifiers = self.specifiers(attributes)?;
        self.implicit_int(&specifiers);
        let declarator = self.whole_declarator(Naming::Optional)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name, false);
        }
        let mut declarators = Vec::new();
        if declarator.name.is_some() || !declarator.parts.is_empty() || !declarator.attributes.is_empty() {
            declarators.push(InitDeclarator { declarator, bit_width: None, init: None });
        }
        Ok(self.ast.decls.push(Declaration { specifiers, declarators, range: start.to(self.previous) }))
    }

    /// Whether a parameter is a mere `void`.
    fn is_void(&self, parameter: DeclId) -> bool {
        let Declaration { specifiers, declarators, .. } = &self.ast.decls[parameter];
        let plain = specifiers.qualifiers == Qualifiers::default() && specifiers.storage.is_none();
        matches!(specifiers.ty, TypeSpecifier::Basic(BasicType::Void)) && plain && declarators.is_empty()
    }
}

//! Declarations and function definitions.

use super::{Parse, Parser};
use crate::ast::{
    Attribute, Declaration, Declarator, DeclaratorPart, External, FunctionDefinition, InitDeclarator, Parameters, Specifiers, Storage,
    TypeSpecifier,
};
use crate::token::TokenKind;

/// What begins with specifiers.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(FunctionDefinition),
}

impl Parser<'_> {
    /// What stands at file scope; `None` for a lone semicolon.
    pub(super) fn external(&mut self) -> Parse<Option<External>> {
        match self.token.kind {
            TokenKind::Semi | TokenKind::Extension => {
                self.bump();
                Ok(None)
            }
            TokenKind::RBrace => self.fail(self.token.range, "this `}` closes nothing", ""),
            TokenKind::Asm => Ok(Some(External::Asm(self.file_asm()?))),
            TokenKind::StaticAssert => Ok(Some(External::StaticAssert(self.static_assert()?))),
            // Without specifiers there can be a declarator whose type is `int`.
            TokenKind::Ident | TokenKind::Star | TokenKind::LParen => self.external_declaration().map(Some),
            _ if self.at_specifier() || self.at_attribute() => self.external_declaration().map(Some),
            _ => self.expected("a declaration"),
        }
    }

    fn external_declaration(&mut self) -> Parse<External> {
        Ok(match self.declaration(Vec::new())? {
            Declared::Declaration(declaration) => External::Declaration(declaration),
            Declared::Function(function) => External::Function(function),
        })
    }

    /// A declaration with its semicolon, or a function with its body. The attributes have been read before.
    pub(super) fn declaration(&mut self, attributes: Vec<Attribute>) -> Parse<Declared> {
        let start = attributes.first().map_or(self.token.range, |attribute| attribute.range);
        let specifiers = self.specifiers(attributes)?;
        let mut declarators = Vec::new();
        if !self.at(TokenKind::Semi) {
            self.implicit_int(&specifiers);
            let declarator = self.declared(&specifiers)?;
            if self.at_function_body(&declarator) {
                return Ok(Declared::Function(self.function(specifiers, declarator)?));
            }
            declarators.push(self.initialised(declarator)?);
            while self.eat(TokenKind::Comma) {
                let mut attributes = Vec::new();
                self.attributes(&mut attributes)?;
                let mut declarator = self.declared(&specifiers)?;
                declarator.attributes.append(&mut attributes);
                declarators.push(self.initialised(declarator)?);
            }
        }
        let range = start.to(self.previous);
        self.semicolon(missing_semicolon(&specifiers, &declarators))?;
        Ok(Declared::Declaration(Declaration { specifiers, declarators, range }))
    }

    /// A declarator, whose name is known from here on.
    fn declared(&mut self, specifiers: &Specifiers) -> Parse<Declarator> {
        let declarator = self.declarator("a name in this declaration")?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name, specifiers.storage == Some(Storage::Typedef));
        }
        Ok(declarator)
    }

    fn initialised(&mut self, declarator: Declarator) -> Parse<InitDeclarator> {
        let init = if self.eat(TokenKind::Equal) { Some(self.initializer()?) } else { None };
        Ok(InitDeclarator { declarator, bit_width: None, init })
    }

    /// Whether a function's body follows, or the parameter declarations of an old-style definition.
    fn at_function_body(&self, declarator: &Declarator) -> bool {
        match declarator.parts.first() {
            Some(DeclaratorPart::Function(Parameters::Identifiers(names))) if !names.is_empty() => {
                self.at(TokenKind::LBrace) || self.at_specifier()
            }
            Some(DeclaratorPart::Function(_)) => self.at(TokenKind::LBrace),
            _ => false,
        }
    }

    fn function(&mut self, specifiers: Specifiers, declarator: Declarator) -> Parse<FunctionDefinition> {
        self.scoped(|p| {
            p.declare_parameters(&declarator);
            let mut old_style = Vec::new();
            while !p.at(TokenKind::LBrace) {
                if !p.at_specifier() {
                    return p.expected("`{` or the declaration of a parameter");
                }
                match p.declaration(Vec::new())? {
                    Declared::Declaration(declaration) => old_style.push(declaration),
                    Declared::Function(function) => {
                        return p.fail(function.declarator.range, "a function is defined among parameters", "");
                    }
                }
            }
            let body = p.nested(Parser::block)?;
            let range = specifiers.range.to(p.previous);
            Ok(FunctionDefinition { specifiers, declarator, old_style, body, range })
        })
    }

    /// The parameters of a function shadow typedef names in its body.
    fn declare_parameters(&mut self, declarator: &Declarator) {
        match declarator.parts.first() {
            Some(DeclaratorPart::Function(Parameters::Identifiers(names))) => {
                for (name, _) in names {
                    self.scopes.declare(*name, false);
                }
            }
            Some(DeclaratorPart::Function(Parameters::Prototype { params, .. })) => {
                let declarators = params.iter().filter_map(|&param| self.ast.decls[param].declarators.first());
                for name in declarators.filter_map(|param| param.declarator.name) {
                    self.scopes.declare(name, false);
                }
            }
            _ => {}
        }
    }
}

/// What is said of a missing semicolon.
fn missing_semicolon(specifiers: &Specifiers, declarators: &[InitDeclarator]) -> &'static str {
    match (&specifiers.ty, declarators) {
        (TypeSpecifier::Record(_), []) => "a name or `;` after this structure",
        (TypeSpecifier::Enum(_), []) => "a name or `;` after this enumeration",
        _ => "`;` after this declaration",
    }
}

//! Initialisers.

use super::{Parse, Parser};
use crate::ast::{Designator, InitId, InitItem, Initializer, InitializerKind};
use crate::token::TokenKind;

impl Parser<'_> {
    /// An expression or a list in braces.
    pub(super) fn initializer(&mut self) -> Parse<InitId> {
        if self.at(TokenKind::LBrace) {
            return self.initializer_list();
        }
        let expr = self.assignment()?;
        let range = self.range_of(expr);
        Ok(self.ast.inits.push(Initializer { kind: InitializerKind::Expr(expr), range }))
    }

    /// `{ … }`
    pub(super) fn initializer_list(&mut self) -> Parse<InitId> {
        self.nested(|p| {
            let open = p.bump();
            let mut items = Vec::new();
            while !p.at(TokenKind::RBrace) {
                let designators = p.designators()?;
                let init = p.initializer()?;
                items.push(InitItem { designators, init });
                if !p.eat(TokenKind::Comma) {
                    break;
                }
            }
            let end = p.close(TokenKind::RBrace, "`,` or `}` after this initialiser", open)?;
            Ok(p.ast.inits.push(Initializer { kind: InitializerKind::List(items), range: open.to(end) }))
        })
    }

    /// `.a[2] =`, or GNU's `a:` and `[2]` without `=`.
    fn designators(&mut self) -> Parse<Vec<Designator>> {
        let mut designators = Vec::new();
        if self.at(TokenKind::Ident) && self.next.kind == TokenKind::Colon {
            designators.push(Designator::Field(self.token.symbol, self.token.range));
            self.bump();
            self.bump();
            return Ok(designators);
        }
        loop {
            match self.token.kind {
                TokenKind::Dot => {
                    self.bump();
                    let (name, range) = self.identifier("the name of a member after `.`")?;
                    designators.push(Designator::Field(name, range));
                }
                TokenKind::LBracket => designators.push(self.index_designator()?),
                _ => break,
            }
        }
        let obsolete = matches!(designators[..], [Designator::Index(_) | Designator::Span(..)]);
        if !designators.is_empty() && !self.eat(TokenKind::Equal) && !obsolete {
            return self.expected("`=` after this designator");
        }
        Ok(designators)
    }

    fn index_designator(&mut self) -> Parse<Designator> {
        let open = self.bump();
        let low = self.conditional()?;
        let designator = if self.eat(TokenKind::Ellipsis) { Designator::Span(low, self.conditional()?) } else { Designator::Index(low) };
        self.close(TokenKind::RBracket, "`]` after this index", open)?;
        Ok(designator)
    }
}

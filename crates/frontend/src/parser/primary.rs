//! Operands: names, literals, parentheses, `_Generic` and builtins that take types.

use super::{Parse, Parser};
use crate::ast::{CharKind, Designator, ExprId, ExprKind, FloatLiteral, Range};
use crate::literal::{self, Fault, Number};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parse<ExprId> {
        let start = self.token.range;
        let kind = match self.token.kind {
            TokenKind::Ident => {
                let name = self.token.symbol;
                if self.scopes.is_typedef(name) {
                    let message = format!("expected an expression, not the type `{}`", self.session.names.name(name));
                    return self.fail(start, message, "this is a type");
                }
                self.bump();
                ExprKind::Ident(name)
            }
            TokenKind::Number => self.number()?,
            TokenKind::Char => self.character(),
            TokenKind::String => {
                let (bytes, kind) = self.strings();
                ExprKind::String(bytes, kind)
            }
            TokenKind::LParen => return self.parentheses(),
            TokenKind::Generic => self.generic()?,
            TokenKind::VaArg => self.va_arg()?,
            TokenKind::Offsetof => self.offsetof()?,
            TokenKind::TypesCompatible => self.types_compatible()?,
            TokenKind::ChooseExpr => self.choose()?,
            TokenKind::Refused => {
                let name = self.token.symbol;
                let open = self.builtin()?;
                self.skip_balanced(open)?;
                ExprKind::Refused(name)
            }
            TokenKind::FunctionName => self.word(ExprKind::FunctionName),
            TokenKind::True => self.word(ExprKind::Bool(true)),
            TokenKind::False => self.word(ExprKind::Bool(false)),
            TokenKind::Nullptr => self.word(ExprKind::Nullptr),
            _ => return self.expected("an expression"),
        };
        Ok(self.expr(kind, start.to(self.previous)))
    }

    fn word(&mut self, kind: ExprKind) -> ExprKind {
        self.bump();
        kind
    }

    fn number(&mut self) -> Parse<ExprKind> {
        let range = self.bump();
        match literal::number(self.lexer.slice(range)) {
            Ok(Number::Int(literal)) => Ok(ExprKind::Int(literal)),
            Ok(Number::Float { digits, ty, imaginary }) => {
                let digits = self.session.names.intern(&digits);
                Ok(ExprKind::Float(FloatLiteral { digits, ty, imaginary }))
            }
            Err(fault) => self.fail(range, fault.message, ""),
        }
    }

    fn character(&mut self) -> ExprKind {
        let range = self.bump();
        let mut faults = Vec::new();
        let (value, kind) = literal::character(self.lexer.slice(range), self.session.options.unsigned_char, &mut faults);
        self.report(faults, range);
        ExprKind::Char(value, kind)
    }

    /// The strings that stand here side by side, as one.
    pub(super) fn strings(&mut self) -> (Box<[u8]>, CharKind) {
        let mut ranges = Vec::new();
        while self.at(TokenKind::String) {
            ranges.push(self.bump());
        }
        let mut faults = Vec::new();
        let kind = literal::joined_kind(ranges.iter().map(|&range| self.lexer.slice(range))).unwrap_or_else(|fault| {
            faults.push(fault);
            CharKind::Plain
        });
        let mut bytes = Vec::new();
        for range in ranges {
            literal::string(self.lexer.slice(range), kind, &mut bytes, &mut faults);
            self.report(std::mem::take(&mut faults), range);
        }
        (bytes.into(), kind)
    }

    fn report(&mut self, faults: Vec<Fault>, range: Range) {
        for fault in faults {
            if fault.harmless {
                self.session.diagnostics.warning(range, fault.message, "");
            } else {
                self.error(range, fault.message, "");
            }
        }
    }

    /// `(e)` or `({ … })`. The range of what is inside grows by the parentheses.
    fn parentheses(&mut self) -> Parse<ExprId> {
        let open = self.bump();
        let inner = if self.at(TokenKind::LBrace) {
            let body = self.compound()?;
            self.expr(ExprKind::Statement(body), open)
        } else {
            self.expression()?
        };
        let end = self.close(TokenKind::RParen, "`)` after this expression", open)?;
        self.ast.exprs[inner].range = open.to(end);
        Ok(inner)
    }

    /// `_Generic(e, type: e, default: e)`
    fn generic(&mut self) -> Parse<ExprKind> {
        self.bump();
        let open = self.expect(TokenKind::LParen, "`(` after `_Generic`")?;
        let control = self.assignment()?;
        let mut choices = Vec::new();
        while self.eat(TokenKind::Comma) {
            let ty = if self.eat(TokenKind::Default) { None } else { Some(self.type_name()?) };
            self.expect(TokenKind::Colon, "`:` after this type")?;
            choices.push((ty, self.assignment()?));
        }
        self.close(TokenKind::RParen, "`,` or `)` after this choice", open)?;
        Ok(ExprKind::Generic(control, choices))
    }

    /// `__builtin_va_arg(ap, type)`
    fn va_arg(&mut self) -> Parse<ExprKind> {
        let open = self.builtin()?;
        let list = self.assignment()?;
        self.comma()?;
        let ty = self.type_name()?;
        self.close(TokenKind::RParen, "`)` after this type", open)?;
        Ok(ExprKind::VaArg(list, ty))
    }

    /// `__builtin_offsetof(type, member.designator[0])`
    fn offsetof(&mut self) -> Parse<ExprKind> {
        let open = self.builtin()?;
        let ty = self.type_name()?;
        self.comma()?;
        let (name, range) = self.identifier("the name of a member")?;
        let mut path = vec![Designator::Field(name, range)];
        loop {
            match self.token.kind {
                TokenKind::Dot => {
                    self.bump();
                    let (name, range) = self.identifier("the name of a member")?;
                    path.push(Designator::Field(name, range));
                }
                TokenKind::LBracket => {
                    let open = self.bump();
                    path.push(Designator::Index(self.expression()?));
                    self.close(TokenKind::RBracket, "`]` after this index", open)?;
                }
                _ => break,
            }
        }
        self.close(TokenKind::RParen, "`)` after this member", open)?;
        Ok(ExprKind::Offsetof(ty, path))
    }

    /// `__builtin_types_compatible_p(a, b)`
    fn types_compatible(&mut self) -> Parse<ExprKind> {
        let open = self.builtin()?;
        let left = self.type_name()?;
        self.comma()?;
        let right = self.type_name()?;
        self.close(TokenKind::RParen, "`)` after this type", open)?;
        Ok(ExprKind::TypesCompatible(left, right))
    }

    /// `__builtin_choose_expr(c, a, b)`
    fn choose(&mut self) -> Parse<ExprKind> {
        let open = self.builtin()?;
        let condition = self.assignment()?;
        self.comma()?;
        let left = self.assignment()?;
        self.comma()?;
        let right = self.assignment()?;
        self.close(TokenKind::RParen, "`)` after this expression", open)?;
        Ok(ExprKind::Choose(condition, left, right))
    }

    /// The name of a builtin and its opening parenthesis.
    fn builtin(&mut self) -> Parse<Range> {
        self.bump();
        self.expect(TokenKind::LParen, "`(` after the name of this builtin")
    }

    fn comma(&mut self) -> Parse<Range> {
        self.expect(TokenKind::Comma, "`,` before the next argument")
    }
}

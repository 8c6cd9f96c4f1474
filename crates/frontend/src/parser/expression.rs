//! Expressions with operators.

use super::{Parse, Parser};
use crate::ast::{BinaryOp, ExprId, ExprKind, Range, UnaryOp};
use crate::token::TokenKind;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    And,
    Or,
}

/// The operator that a token is, and how tightly it binds.
fn infix(kind: TokenKind) -> Option<(u8, Infix)> {
    use Infix::Binary;
    Some(match kind {
        TokenKind::Star => (10, Binary(BinaryOp::Mul)),
        TokenKind::Slash => (10, Binary(BinaryOp::Div)),
        TokenKind::Percent => (10, Binary(BinaryOp::Rem)),
        TokenKind::Plus => (9, Binary(BinaryOp::Add)),
        TokenKind::Minus => (9, Binary(BinaryOp::Sub)),
        TokenKind::Shl => (8, Binary(BinaryOp::Shl)),
        TokenKind::Shr => (8, Binary(BinaryOp::Shr)),
        TokenKind::Less => (7, Binary(BinaryOp::Lt)),
        TokenKind::Greater => (7, Binary(BinaryOp::Gt)),
        TokenKind::LessEqual => (7, Binary(BinaryOp::Le)),
        TokenKind::GreaterEqual => (7, Binary(BinaryOp::Ge)),
        TokenKind::EqualEqual => (6, Binary(BinaryOp::Eq)),
        TokenKind::BangEqual => (6, Binary(BinaryOp::Ne)),
        TokenKind::Amp => (5, Binary(BinaryOp::And)),
        TokenKind::Caret => (4, Binary(BinaryOp::Xor)),
        TokenKind::Pipe => (3, Binary(BinaryOp::Or)),
        TokenKind::AmpAmp => (2, Infix::And),
        TokenKind::PipePipe => (1, Infix::Or),
        _ => return None,
    })
}

/// The assignment that a token is; inside, the operator that goes with it.
fn assignment(kind: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        TokenKind::Equal => None,
        TokenKind::StarEqual => Some(BinaryOp::Mul),
        TokenKind::SlashEqual => Some(BinaryOp::Div),
        TokenKind::PercentEqual => Some(BinaryOp::Rem),
        TokenKind::PlusEqual => Some(BinaryOp::Add),
        TokenKind::MinusEqual => Some(BinaryOp::Sub),
        TokenKind::ShlEqual => Some(BinaryOp::Shl),
        TokenKind::ShrEqual => Some(BinaryOp::Shr),
        TokenKind::AmpEqual => Some(BinaryOp::And),
        TokenKind::CaretEqual => Some(BinaryOp::Xor),
        TokenKind::PipeEqual => Some(BinaryOp::Or),
        _ => return None,
    })
}

fn prefix(kind: TokenKind) -> Option<UnaryOp> {
    Some(match kind {
        TokenKind::Plus => UnaryOp::Plus,
        TokenKind::Minus => UnaryOp::Minus,
        TokenKind::Tilde => UnaryOp::BitNot,
        TokenKind::Bang => UnaryOp::Not,
        TokenKind::Star => UnaryOp::Deref,
        TokenKind::Amp => UnaryOp::AddressOf,
        TokenKind::PlusPlus => UnaryOp::PreIncrement,
        TokenKind::MinusMinus => UnaryOp::PreDecrement,
        TokenKind::Real => UnaryOp::Real,
        TokenKind::Imag => UnaryOp::Imag,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression with commas.
    pub(super) fn expression(&mut self) -> Parse<ExprId> {
        let mut left = self.assignment()?;
        while self.eat(TokenKind::Comma) {
            let right = self.assignment()?;
            left = self.combine(left, right, ExprKind::Comma(left, right));
        }
        Ok(left)
    }

    /// An expression without commas. `a = b = c` is read by a loop and joined from the right.
    pub(super) fn assignment(&mut self) -> Parse<ExprId> {
        let mut targets = Vec::new();
        let mut value = self.conditional()?;
        while let Some(operator) = assignment(self.token.kind) {
            self.bump();
            targets.push((value, operator));
            value = self.conditional()?;
        }
        for (target, operator) in targets.into_iter().rev() {
            value = self.combine(target, value, ExprKind::Assign(operator, target, value));
        }
        Ok(value)
    }

    /// An expression without assignment. `a ? b : c ? d : e` is read by a loop and joined from the right.
    pub(super) fn conditional(&mut self) -> Parse<ExprId> {
        let mut arms = Vec::new();
        let mut value = self.binary(1)?;
        while self.eat(TokenKind::Question) {
            let then = if self.at(TokenKind::Colon) { None } else { Some(self.nested(Parser::expression)?) };
            self.expect(TokenKind::Colon, "`:` after the second operand of `?`")?;
            arms.push((value, then));
            value = self.binary(1)?;
        }
        for (condition, then) in arms.into_iter().rev() {
            value = self.combine(condition, value, ExprKind::Conditional(condition, then, value));
        }
        Ok(value)
    }

    /// Operands joined by operators that bind at least so tightly.
    fn binary(&mut self, tightness: u8) -> Parse<ExprId> {
        let mut left = self.unary()?;
        while let Some((level, operator)) = infix(self.token.kind)
            && level >= tightness
        {
            self.bump();
            let right = self.binary(level + 1)?;
            let kind = match operator {
                Infix::Binary(operator) => ExprKind::Binary(operator, left, right),
                Infix::And => ExprKind::LogicalAnd(left, right),
                Infix::Or => ExprKind::LogicalOr(left, right),
            };
            left = self.combine(left, right, kind);
        }
        Ok(left)
    }

    fn combine(&mut self, left: ExprId, right: ExprId, kind: ExprKind) -> ExprId {
        let range = self.range_of(left).to(self.range_of(right));
        self.expr(kind, range)
    }

    /// An operand with what stands before it: operators, casts, `sizeof`.
    pub(super) fn unary(&mut self) -> Parse<ExprId> {
        self.nested(|p| {
            let start = p.token.range;
            if let Some(operator) = prefix(p.token.kind) {
                p.bump();
                let operand = p.unary()?;
                let range = start.to(p.range_of(operand));
                return Ok(p.expr(ExprKind::Unary(operator, operand), range));
            }
            match p.token.kind {
                TokenKind::LParen if p.begins_specifiers(p.next) => p.cast(),
                TokenKind::Sizeof | TokenKind::Alignof | TokenKind::GnuAlignof => p.size_or_alignment(),
                TokenKind::Extension => {
                    while p.eat(TokenKind::Extension) {}
                    p.unary()
                }
                TokenKind::AmpAmp => {
                    p.bump();
                    let (label, range) = p.identifier("a label after `&&`")?;
                    Ok(p.expr(ExprKind::LabelAddress(label), start.to(range)))
                }
                _ => {
                    let primary = p.primary()?;
                    p.postfix(primary, start)
                }
            }
        })
    }

    /// `(type) e`, or a compound literal.
    fn cast(&mut self) -> Parse<ExprId> {
        let start = self.token.range;
        let ty = self.type_in_parentheses()?;
        if self.at(TokenKind::LBrace) {
            let init = self.initializer_list()?;
            let literal = self.expr(ExprKind::CompoundLiteral(ty, init), start.to(self.previous));
            return self.postfix(literal, start);
        }
        let operand = self.unary()?;
        let range = start.to(self.range_of(operand));
        Ok(self.expr(ExprKind::Cast(ty, operand), range))
    }

    /// `sizeof e`, `sizeof(type)`, and the same for the alignment.
    fn size_or_alignment(&mut self) -> Parse<ExprId> {
        let keyword = self.token.kind;
        let start = self.bump();
        let operand = if self.at(TokenKind::LParen) && self.begins_specifiers(self.next) {
            let open = self.token.range;
            let ty = self.type_in_parentheses()?;
            if !self.at(TokenKind::LBrace) {
                let kind = match keyword {
                    TokenKind::Sizeof => ExprKind::SizeofType(ty),
                    _ => ExprKind::AlignofType(ty, keyword == TokenKind::GnuAlignof),
                };
                return Ok(self.expr(kind, start.to(self.previous)));
            }
            let init = self.initializer_list()?;
            let literal = self.expr(ExprKind::CompoundLiteral(ty, init), open.to(self.previous));
            self.postfix(literal, open)?
        } else {
            self.unary()?
        };
        let kind = if keyword == TokenKind::Sizeof { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr(operand) };
        Ok(self.expr(kind, start.to(self.previous)))
    }

    /// What stands behind an operand: calls, indices, members, `++`.
    fn postfix(&mut self, mut operand: ExprId, start: Range) -> Parse<ExprId> {
        loop {
            let kind = match self.token.kind {
                TokenKind::LParen => ExprKind::Call(operand, self.arguments()?),
                TokenKind::LBracket => {
                    let open = self.bump();
                    let index = self.expression()?;
                    self.close(TokenKind::RBracket, "`]` after this index", open)?;
                    ExprKind::Index(operand, index)
                }
                TokenKind::Dot | TokenKind::Arrow => {
                    let arrow = self.at(TokenKind::Arrow);
                    self.bump();
                    let (name, _) = self.identifier("the name of a member")?;
                    ExprKind::Member(operand, name, arrow)
                }
                TokenKind::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostIncrement, operand)
                }
                TokenKind::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDecrement, operand)
                }
                _ => return Ok(operand),
            };
            operand = self.expr(kind, start.to(self.previous));
        }
    }

    /// `(a, b)` of a call.
    fn arguments(&mut self) -> Parse<Vec<ExprId>> {
        let open = self.bump();
        let mut arguments = Vec::new();
        if !self.at(TokenKind::RParen) {
            arguments.push(self.assignment()?);
            while self.eat(TokenKind::Comma) {
                arguments.push(self.assignment()?);
            }
        }
        self.close(TokenKind::RParen, "`,` or `)` after this argument", open)?;
        Ok(arguments)
    }
}

//! Statements.

use super::declaration::Declared;
use super::{Failed, Parse, Parser};
use crate::ast::{AsmStatement, Attribute, ExprId, Range, StmtId, StmtKind};
use crate::intern::Symbol;
use crate::token::TokenKind;

/// A constraint and an operand.
type AsmOperand = (Box<[u8]>, ExprId);

/// What stands before a statement with a colon.
enum Label {
    Case(ExprId, Option<ExprId>),
    Default,
    Name(Symbol),
}

impl Parser<'_> {
    /// `{ … }` in the current scope.
    pub(super) fn block(&mut self) -> Parse<StmtId> {
        let open = self.expect(TokenKind::LBrace, "`{`")?;
        let braces = self.braces;
        let mut items = Vec::new();
        loop {
            match self.token.kind {
                TokenKind::RBrace => {
                    let end = self.bump();
                    return Ok(self.stmt(StmtKind::Compound(items, end), open.to(end)));
                }
                TokenKind::Eof => {
                    self.close(TokenKind::RBrace, "`}` at the end of this block", open)?;
                }
                _ => {
                    self.set_anchor();
                    match self.statement_or_declaration(true) {
                        Ok(item) => items.push(item),
                        Err(Failed) => self.recover(braces)?,
                    }
                }
            }
        }
    }

    /// `{ … }` with its own scope.
    pub(super) fn compound(&mut self) -> Parse<StmtId> {
        self.scoped(Parser::block)
    }

    fn statement(&mut self) -> Parse<StmtId> {
        self.statement_or_declaration(false)
    }

    fn statement_or_declaration(&mut self, declaration_allowed: bool) -> Parse<StmtId> {
        self.nested(|p| p.labelled(declaration_allowed))
    }

    /// Labels, in a loop, and the statement behind them.
    fn labelled(&mut self, declaration_allowed: bool) -> Parse<StmtId> {
        let mut labels = Vec::new();
        let mut attributes = Vec::new();
        loop {
            while self.eat(TokenKind::Extension) {}
            self.attributes(&mut attributes)?;
            let start = self.token.range;
            let Some(label) = self.label()? else {
                break;
            };
            attributes.clear();
            labels.push((label, start.to(self.previous)));
        }
        let mut statement = if !labels.is_empty() && self.at(TokenKind::RBrace) {
            let end = self.previous;
            self.stmt(StmtKind::Empty, end)
        } else {
            self.unlabelled(attributes, declaration_allowed || !labels.is_empty())?
        };
        for (label, range) in labels.into_iter().rev() {
            let kind = match label {
                Label::Case(low, high) => StmtKind::Case(low, high, statement),
                Label::Default => StmtKind::Default(statement),
                Label::Name(name) => StmtKind::Label(name, statement),
            };
            statement = self.stmt(kind, range);
        }
        Ok(statement)
    }

    /// `case 1:`, `default:`, `name:`
    fn label(&mut self) -> Parse<Option<Label>> {
        let label = match self.token.kind {
            TokenKind::Ident if self.next.kind == TokenKind::Colon => {
                let name = self.token.symbol;
                self.bump();
                Label::Name(name)
            }
            TokenKind::Default => {
                self.bump();
                Label::Default
            }
            TokenKind::Case => {
                self.bump();
                let low = self.conditional()?;
                let high = if self.eat(TokenKind::Ellipsis) { Some(self.conditional()?) } else { None };
                Label::Case(low, high)
            }
            _ => return Ok(None),
        };
        self.expect(TokenKind::Colon, "`:` after this label")?;
        Ok(Some(label))
    }

    fn unlabelled(&mut self, attributes: Vec<Attribute>, declaration_allowed: bool) -> Parse<StmtId> {
        let unknown_type = self.at(TokenKind::Ident) && self.next.kind == TokenKind::Ident;
        if self.at_specifier() || unknown_type {
            if !declaration_allowed {
                return self.fail(self.token.range, "a declaration cannot stand here", "expected a statement");
            }
            return self.block_declaration(attributes);
        }
        let start = self.token.range;
        match self.token.kind {
            TokenKind::Semi => {
                self.bump();
                Ok(self.stmt(StmtKind::Empty, start))
            }
            TokenKind::LBrace => self.compound(),
            TokenKind::If => self.if_chain(),
            TokenKind::While => {
                self.bump();
                let (condition, head) = self.condition(start, "`while`")?;
                let body = self.statement()?;
                Ok(self.stmt(StmtKind::While(condition, body), head))
            }
            TokenKind::Switch => {
                self.bump();
                let (value, head) = self.condition(start, "`switch`")?;
                let body = self.statement()?;
                Ok(self.stmt(StmtKind::Switch(value, body), head))
            }
            TokenKind::Do => self.do_loop(),
            TokenKind::For => self.scoped(Parser::for_loop),
            TokenKind::Goto => self.goto(),
            TokenKind::Break => self.jump(StmtKind::Break, "`;` after `break`"),
            TokenKind::Continue => self.jump(StmtKind::Continue, "`;` after `continue`"),
            TokenKind::Return => self.return_statement(),
            TokenKind::Asm => self.asm_statement(),
            TokenKind::LocalLabel => self.local_labels(),
            TokenKind::StaticAssert => {
                let assertion = self.static_assert()?;
                let range = assertion.range;
                Ok(self.stmt(StmtKind::StaticAssert(assertion), range))
            }
            TokenKind::Else => self.fail(start, "`else` without `if`", ""),
            TokenKind::RBrace => self.expected("a statement before `}`"),
            _ => {
                let expr = self.expression()?;
                let range = self.range_of(expr);
                self.semicolon("`;` after this expression")?;
                Ok(self.stmt(StmtKind::Expr(expr), range))
            }
        }
    }

    fn block_declaration(&mut self, attributes: Vec<Attribute>) -> Parse<StmtId> {
        match self.declaration(attributes)? {
            Declared::Declaration(declaration) => {
                let range = declaration.range;
                let id = self.ast.decls.push(declaration);
                Ok(self.stmt(StmtKind::Declaration(id), range))
            }
            Declared::Function(function) => {
                let range = function.declarator.range;
                Ok(self.stmt(StmtKind::NestedFunction(Box::new(function)), range))
            }
        }
    }

    /// `(condition)`, with the range of the head that it ends.
    fn condition(&mut self, start: Range, keyword: &str) -> Parse<(ExprId, Range)> {
        let open = self.expect(TokenKind::LParen, &format!("`(` after {keyword}"))?;
        let condition = self.expression()?;
        let end = self.close(TokenKind::RParen, "`)` after this condition", open)?;
        Ok((condition, start.to(end)))
    }

    /// `if … else if … else …`, in a loop.
    fn if_chain(&mut self) -> Parse<StmtId> {
        let mut arms = Vec::new();
        let mut otherwise = None;
        loop {
            let start = self.bump();
            let (condition, head) = self.condition(start, "`if`")?;
            let then = self.statement()?;
            arms.push((condition, then, head));
            if !self.eat(TokenKind::Else) {
                break;
            }
            if !self.at(TokenKind::If) {
                otherwise = Some(self.statement()?);
                break;
            }
        }
        for (condition, then, head) in arms.into_iter().rev() {
            otherwise = Some(self.stmt(StmtKind::If(condition, then, otherwise), head));
        }
        otherwise.ok_or(Failed)
    }

    fn do_loop(&mut self) -> Parse<StmtId> {
        let start = self.bump();
        let body = self.statement()?;
        let keyword = self.expect(TokenKind::While, "`while` after the body of `do`")?;
        let (condition, _) = self.condition(keyword, "`while`")?;
        self.semicolon("`;` after this loop")?;
        Ok(self.stmt(StmtKind::Do(body, condition), start))
    }

    fn for_loop(&mut self) -> Parse<StmtId> {
        let start = self.bump();
        let open = self.expect(TokenKind::LParen, "`(` after `for`")?;
        let init = self.for_init()?;
        let condition = if self.at(TokenKind::Semi) { None } else { Some(self.expression()?) };
        self.expect(TokenKind::Semi, "`;` after the condition of `for`")?;
        let step = if self.at(TokenKind::RParen) { None } else { Some(self.expression()?) };
        let end = self.close(TokenKind::RParen, "`)` after the head of `for`", open)?;
        let body = self.statement()?;
        Ok(self.stmt(StmtKind::For { init, condition, step, body }, start.to(end)))
    }

    /// The first part of the head of `for`, with its semicolon.
    fn for_init(&mut self) -> Parse<StmtId> {
        while self.eat(TokenKind::Extension) {}
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        if self.at_specifier() || self.at(TokenKind::Ident) && self.next.kind == TokenKind::Ident {
            return self.block_declaration(attributes);
        }
        if self.at(TokenKind::StaticAssert) {
            return self.unlabelled(attributes, true);
        }
        if self.at(TokenKind::Semi) {
            let range = self.bump();
            return Ok(self.stmt(StmtKind::Empty, range));
        }
        let expr = self.expression()?;
        let range = self.range_of(expr);
        self.expect(TokenKind::Semi, "`;` after the first part of `for`")?;
        Ok(self.stmt(StmtKind::Expr(expr), range))
    }

    fn goto(&mut self) -> Parse<StmtId> {
        let start = self.bump();
        let kind = if self.eat(TokenKind::Star) {
            StmtKind::ComputedGoto(self.expression()?)
        } else {
            StmtKind::Goto(self.identifier("a label after `goto`")?.0)
        };
        let range = start.to(self.previous);
        self.semicolon("`;` after `goto`")?;
        Ok(self.stmt(kind, range))
    }

    fn jump(&mut self, kind: StmtKind, what: &str) -> Parse<StmtId> {
        let range = self.bump();
        self.semicolon(what)?;
        Ok(self.stmt(kind, range))
    }

    fn return_statement(&mut self) -> Parse<StmtId> {
        let start = self.bump();
        let value = if self.at(TokenKind::Semi) { None } else { Some(self.expression()?) };
        let range = start.to(self.previous);
        self.semicolon("`;` after `return`")?;
        Ok(self.stmt(StmtKind::Return(value), range))
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> Parse<StmtId> {
        let start = self.bump();
        let mut labels = vec![self.identifier("the name of a label")?.0];
        while self.eat(TokenKind::Comma) {
            labels.push(self.identifier("the name of a label")?.0);
        }
        let range = start.to(self.previous);
        self.semicolon("`;` after these labels")?;
        Ok(self.stmt(StmtKind::LocalLabels(labels), range))
    }

    /// `asm volatile("template" : outputs : inputs : clobbers : labels);`
    fn asm_statement(&mut self) -> Parse<StmtId> {
        let start = self.bump();
        while matches!(self.token.kind, TokenKind::Volatile | TokenKind::Inline | TokenKind::Goto | TokenKind::Const) {
            self.bump();
        }
        let open = self.expect(TokenKind::LParen, "`(` after `asm`")?;
        let template = self.plain_string("the instructions")?;
        let mut asm = AsmStatement { template, outputs: Vec::new(), inputs: Vec::new(), labels: Vec::new() };
        if self.eat(TokenKind::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(TokenKind::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(TokenKind::Colon) {
            while self.at(TokenKind::String) {
                self.strings();
                self.eat(TokenKind::Comma);
            }
        }
        if self.eat(TokenKind::Colon) {
            while self.at(TokenKind::Ident) {
                asm.labels.push(self.token.symbol);
                self.bump();
                self.eat(TokenKind::Comma);
            }
        }
        let end = self.close(TokenKind::RParen, "`)` after these instructions", open)?;
        self.semicolon("`;` after `asm`")?;
        Ok(self.stmt(StmtKind::Asm(asm), start.to(end)))
    }

    /// `[name] "constraint"(operand), …`
    fn asm_operands(&mut self) -> Parse<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while matches!(self.token.kind, TokenKind::String | TokenKind::LBracket) {
            if self.at(TokenKind::LBracket) {
                let open = self.bump();
                self.identifier("the name of an operand")?;
                self.close(TokenKind::RBracket, "`]`", open)?;
            }
            let constraint = self.plain_string("the constraint of this operand")?;
            let open = self.expect(TokenKind::LParen, "`(` before this operand")?;
            let operand = self.expression()?;
            self.close(TokenKind::RParen, "`)` after this operand", open)?;
            operands.push((constraint, operand));
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        Ok(operands)
    }
}

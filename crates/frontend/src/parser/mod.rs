//! From tokens to syntax trees, one external declaration at a time.
//!
//! Recursive descent with one token of lookahead. All that the grammar leaves open is decided by knowing which names are typedef names
//! at that point ([`scope`]). Chains (operators, `else if`, labels) are read by loops; everything that nests passes through
//! [`Parser::nested`], which bounds the depth and with it the stack. A syntax error is reported where it is found and then travels up as
//! [`Failed`] to the next list of declarations or statements, which goes on behind the faulty one.

mod attribute;
mod declaration;
mod declarator;
mod expression;
mod initializer;
mod primary;
mod record;
mod scope;
mod specifier;
mod statement;
#[cfg(test)]
mod tests;

use crate::ast::{Ast, Expr, ExprId, ExprKind, External, Range, Stmt, StmtId, StmtKind};
use crate::diagnostic::Diagnostics;
use crate::intern::{Interner, Symbol};
use crate::lexer::Lexer;
use crate::source::SourceMap;
use crate::token::{Token, TokenKind};
use crate::{Options, Session};

use scope::Scopes;

/// How deep parentheses, blocks, declarators and so on may nest.
const MAX_DEPTH: u32 = 1000;

/// There was a syntax error, and it was reported.
#[derive(Clone, Copy, Debug)]
struct Failed;

type Parse<T> = Result<T, Failed>;

/// Parses one translation unit.
#[derive(Debug)]
pub struct Parser<'a> {
    /// The tree of the last external declaration.
    pub ast: Ast,
    /// What is shared with the elaborator.
    pub session: Session,
    lexer: Lexer<'a>,
    token: Token,
    next: Token,
    /// The token before the current one.
    previous: Range,
    scopes: Scopes,
    depth: u32,
    /// How many braces are open.
    braces: u32,
    /// Where the current declaration or statement begins.
    anchor: u32,
    /// Whether the current external declaration has a syntax error.
    broken: bool,
    /// Whether any external declaration had one.
    was_broken: bool,
}

impl<'a> Parser<'a> {
    /// A parser at the beginning of a preprocessed text.
    pub fn new(file_name: &str, text: &'a [u8], options: Options) -> Self {
        let (names, map, diagnostics) = (Interner::default(), SourceMap::new(file_name), Diagnostics::default());
        let mut session = Session { options, names, map, diagnostics, weak: Vec::new() };
        let mut lexer = Lexer::new(text, &mut session);
        let token = lexer.next(&mut session);
        let next = lexer.next(&mut session);
        let (ast, scopes, previous) = (Ast::default(), Scopes::default(), Range::default());
        Parser { ast, session, lexer, token, next, previous, scopes, depth: 0, braces: 0, anchor: 0, broken: false, was_broken: false }
    }

    /// Whether the text had a syntax error so far.
    pub fn had_syntax_error(&self) -> bool {
        self.was_broken
    }

    /// Empties the tree and parses the next external declaration; `None` at the end of the text. One with syntax errors is reported and
    /// skipped.
    pub fn next_external(&mut self) -> Option<External> {
        while !self.at(TokenKind::Eof) {
            self.ast.clear();
            self.broken = false;
            self.set_anchor();
            match self.external() {
                Ok(Some(external)) if !self.broken => return Some(external),
                Ok(_) => {}
                Err(Failed) => self.resynchronise(0),
            }
        }
        None
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    /// Takes the current token and gives its place.
    fn bump(&mut self) -> Range {
        match self.token.kind {
            TokenKind::LBrace => self.braces += 1,
            TokenKind::RBrace => self.braces = self.braces.saturating_sub(1),
            _ => {}
        }
        self.previous = self.token.range;
        self.token = self.next;
        self.next = self.lexer.next(&mut self.session);
        self.previous
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    /// Takes a token that must be there. `what` tells token and context, as in "`(` after `if`".
    fn expect(&mut self, kind: TokenKind, what: &str) -> Parse<Range> {
        if self.at(kind) { Ok(self.bump()) } else { self.expected(what) }
    }

    /// Takes a closing bracket that must be there, or tells where the open one is.
    fn close(&mut self, kind: TokenKind, what: &str, open: Range) -> Parse<Range> {
        if self.at(kind) {
            return Ok(self.bump());
        }
        if self.report_expected(what) {
            self.session.diagnostics.relate(open, "to close this");
        }
        Err(Failed)
    }

    /// Takes the semicolon at the end of `what`. A missing one at the end of a line is reported, and parsing goes on.
    fn semicolon(&mut self, what: &str) -> Parse<()> {
        if self.eat(TokenKind::Semi) {
            return Ok(());
        }
        self.report_expected(what);
        if self.at_new_line() { Ok(()) } else { Err(Failed) }
    }

    fn identifier(&mut self, what: &str) -> Parse<(Symbol, Range)> {
        let symbol = self.token.symbol;
        let range = self.expect(TokenKind::Ident, what)?;
        Ok((symbol, range))
    }

    /// Whether the current token is the first of its line.
    fn at_new_line(&self) -> bool {
        let gap = Range { start: self.previous.end, end: self.token.range.start };
        self.at(TokenKind::Eof) || self.lexer.slice(gap).contains(&b'\n')
    }

    /// Whether the current token begins declaration specifiers or a type name.
    fn at_specifier(&self) -> bool {
        self.begins_specifiers(self.token)
    }
    fn begins_specifiers(&self, token: Token) -> bool {
        token.kind.is_specifier() || self.is_typedef_name(token)
    }
    fn is_typedef_name(&self, token: Token) -> bool {
        token.kind == TokenKind::Ident && self.scopes.is_typedef(token.symbol)
    }

    /// Goes one level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_DEPTH {
            self.error(self.token.range, format!("nesting deeper than {MAX_DEPTH} levels"), "");
            self.give_up();
            return Err(Failed);
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Parses inside a new scope.
    fn scoped<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let mark = self.scopes.open();
        let result = parse(self);
        self.scopes.close(mark);
        result
    }

    /// Ends the text here: nothing sensible can be said about the rest.
    fn give_up(&mut self) {
        self.lexer.give_up();
        self.token = self.lexer.next(&mut self.session);
        self.next = self.token;
    }

    /// Says that a declaration or statement begins here.
    fn set_anchor(&mut self) {
        self.anchor = self.previous.end;
    }

    /// Reports an error, unless the lexer already complained about the same declaration or statement. Tells whether it did.
    fn error(&mut self, range: Range, message: impl Into<String>, label: impl Into<String>) -> bool {
        self.broken = true;
        self.was_broken = true;
        let news = self.lexer.last_error().is_none_or(|offset| offset < self.anchor);
        if news {
            self.session.diagnostics.error(range, message, label);
        }
        if self.session.diagnostics.errors() > Diagnostics::LIMIT {
            self.give_up();
        }
        news
    }

    fn fail<T>(&mut self, range: Range, message: impl Into<String>, label: impl Into<String>) -> Parse<T> {
        self.error(range, message, label);
        Err(Failed)
    }

    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        self.report_expected(what);
        Err(Failed)
    }

    /// Reports that something is missing at the current token, or behind the last one if that ended its line.
    fn report_expected(&mut self, what: &str) -> bool {
        let found = self.found();
        if self.at_new_line() && self.previous.end > 0 {
            let end = self.previous.end;
            self.error(Range { start: end, end: end + 1 }, format!("expected {what}"), format!("missing here, before {found}"))
        } else {
            self.error(self.token.range, format!("expected {what}"), format!("found {found}"))
        }
    }

    /// The current token for a message.
    fn found(&self) -> String {
        const LONGEST: usize = 40;
        let text = String::from_utf8_lossy(self.lexer.slice(self.token.range));
        match self.token.kind {
            TokenKind::Eof => "the end of the text".to_string(),
            TokenKind::String | TokenKind::Char | TokenKind::Number if text.len() > LONGEST => "a literal".to_string(),
            _ => format!("`{text}`"),
        }
    }

    /// After an error in a list that began with so many open braces: skips to the end of the faulty element.
    fn resynchronise(&mut self, braces: u32) {
        self.broken = true;
        self.was_broken = true;
        loop {
            match self.token.kind {
                TokenKind::Eof => break,
                TokenKind::Semi if self.braces <= braces => {
                    self.bump();
                    // At file scope a block belongs to what was wrong.
                    if !(braces == 0 && self.at(TokenKind::LBrace)) {
                        break;
                    }
                }
                TokenKind::RBrace if self.braces <= braces => {
                    // The list's own end, except at file scope, where there is no brace to end.
                    if braces == 0 {
                        self.bump();
                    }
                    break;
                }
                TokenKind::RBrace if self.braces == braces + 1 => {
                    self.bump();
                    if !matches!(self.token.kind, TokenKind::Comma | TokenKind::RParen | TokenKind::Else | TokenKind::Semi) {
                        break;
                    }
                }
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Like [`resynchronise`](Self::resynchronise) inside braces; fails at the end of the text, about which nothing more is to be said.
    fn recover(&mut self, braces: u32) -> Parse<()> {
        self.resynchronise(braces);
        if self.at(TokenKind::Eof) { Err(Failed) } else { Ok(()) }
    }

    /// Skips to the bracket that closes the open one before the current token, and takes it.
    fn skip_balanced(&mut self, open: Range) -> Parse<Range> {
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                TokenKind::LParen | TokenKind::LBracket | TokenKind::LBrace => depth += 1,
                TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace if depth == 0 => return Ok(self.bump()),
                TokenKind::RParen | TokenKind::RBracket | TokenKind::RBrace => depth -= 1,
                TokenKind::Eof => return self.close(TokenKind::RParen, "`)`", open),
                _ => {}
            }
            self.bump();
        }
    }

    fn expr(&mut self, kind: ExprKind, range: Range) -> ExprId {
        self.ast.exprs.push(Expr { kind, range })
    }
    fn stmt(&mut self, kind: StmtKind, range: Range) -> StmtId {
        self.ast.stmts.push(Stmt { kind, range })
    }
    fn range_of(&self, expr: ExprId) -> Range {
        self.ast.exprs[expr].range
    }
}

//! Parsing of programs and their declarations.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::lex::{Kind, ParseError, Token, lex};
use super::parse_body::BodyParser;
use super::words::{is_reserved, unescape_text};
use crate::arena::Id;
use crate::graph::Local;
use crate::program::{Attributes, Function, FunctionId, Global, GlobalId, Linkage, Program};
use crate::span::{FileId, Span};
use crate::types::{RecordId, RecordKind, Target, Type, TypeId, Types};
use crate::verify::verify;

/// The program that a text describes; it passes [`verify`](crate::verify()).
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let tokens = lex(text)?;
    let mut parser = Parser::new(&tokens);
    parser.program()?;
    match verify(&parser.program) {
        Ok(()) => Ok(parser.program),
        Err(flaws) => Err(ParseError::Flawed(flaws)),
    }
}

/// A name with the number that makes it unique.
pub(super) type UniqueName<'a> = (Cow<'a, str>, u32);

/// A local under the name that it has in the text.
pub(super) type Variable<'a> = (UniqueName<'a>, Local);

pub(super) type Parsed<T = ()> = Result<T, ParseError>;

/// What a name outside functions stands for.
#[derive(Clone, Copy)]
pub(super) enum Symbol {
    Global(GlobalId),
    Function(FunctionId),
}

/// A cursor over the words, and what is known of the program so far.
pub(super) struct Parser<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    depth: u32,
    pub(super) program: Program,
    files: FxHashMap<Cow<'a, str>, FileId>,
    pub(super) records: FxHashMap<UniqueName<'a>, RecordId>,
    /// The fields of each record by name.
    pub(super) fields: Vec<FxHashMap<UniqueName<'a>, u32>>,
    pub(super) big_types: FxHashMap<u32, TypeId>,
    pub(super) symbols: FxHashMap<UniqueName<'a>, Symbol>,
    /// Where the contents of globals begin.
    contents: Vec<(usize, GlobalId)>,
    bodies: Vec<PendingBody<'a>>,
}

/// A body that is to be read when all symbols are known.
struct PendingBody<'a> {
    start: usize,
    function: FunctionId,
    /// The parameters in the head.
    params: Vec<Variable<'a>>,
}

/// How deep types and expressions may be nested.
const MAX_DEPTH: u32 = 300;

impl<'t, 'a> Parser<'t, 'a> {
    fn new(tokens: &'t [Token<'a>]) -> Self {
        Parser {
            tokens,
            at: 0,
            depth: 0,
            program: Program::new(Target::Lp64),
            files: FxHashMap::default(),
            records: FxHashMap::default(),
            fields: Vec::new(),
            big_types: FxHashMap::default(),
            symbols: FxHashMap::default(),
            contents: Vec::new(),
            bodies: Vec::new(),
        }
    }

    // The cursor.

    pub(super) fn peek(&self) -> Kind<'a> {
        self.peek_at(0)
    }
    pub(super) fn peek_at(&self, ahead: usize) -> Kind<'a> {
        self.tokens.get(self.at + ahead).map_or(Kind::End, |token| token.kind)
    }
    pub(super) fn advance(&mut self) {
        self.at += 1;
    }
    /// The reserved word ahead.
    pub(super) fn word(&self) -> Option<&'a str> {
        self.word_at(0)
    }
    pub(super) fn word_at(&self, ahead: usize) -> Option<&'a str> {
        match self.peek_at(ahead) {
            Kind::Name { text, quoted: false, number: 0 } => Some(text),
            _ => None,
        }
    }
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let there = self.word() == Some(word);
        self.at += usize::from(there);
        there
    }
    pub(super) fn take(&mut self, mark: &'static str) -> bool {
        let there = self.peek() == Kind::Mark(mark);
        self.at += usize::from(there);
        there
    }
    pub(super) fn expect(&mut self, mark: &'static str) -> Parsed {
        if self.take(mark) { Ok(()) } else { self.expected(&format!("`{mark}`")) }
    }
    pub(super) fn expect_word(&mut self, word: &str) -> Parsed {
        if self.take_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }
    pub(super) fn end_of_line(&mut self) -> Parsed {
        match self.peek() {
            Kind::Newline => {
                self.advance();
                Ok(())
            }
            Kind::End => Ok(()),
            _ => self.expected("the end of the line"),
        }
    }
    /// An error at the word ahead.
    pub(super) fn error<T>(&self, message: String) -> Parsed<T> {
        self.error_at(self.at, message)
    }
    /// An error at the word that was just taken.
    pub(super) fn error_behind<T>(&self, message: String) -> Parsed<T> {
        self.error_at(self.at.saturating_sub(1), message)
    }
    fn error_at<T>(&self, at: usize, message: String) -> Parsed<T> {
        let (line, column) = self.tokens.get(at).or(self.tokens.last()).map_or((1, 1), |token| (token.line, token.column));
        Err(ParseError::Syntax { line, column, message })
    }
    pub(super) fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.error(format!("expected {what}, found {}", self.peek()))
    }
    /// Goes one level down, as far as that is allowed.
    pub(super) fn descend<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.enter()?;
        let parsed = parse(self);
        self.leave();
        parsed
    }
    pub(super) fn enter(&mut self) -> Parsed {
        if self.depth == MAX_DEPTH {
            return self.error("this is nested too deeply".to_string());
        }
        self.depth += 1;
        Ok(())
    }
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    // Small pieces.

    pub(super) fn name(&mut self) -> Parsed<UniqueName<'a>> {
        let Kind::Name { text, quoted, number } = self.peek() else { return self.expected("a name") };
        if !quoted && is_reserved(text) {
            return self.expected("a name");
        }
        let Some(text) = (if quoted { unescape_text(text) } else { Some(Cow::Borrowed(text)) }) else {
            return self.error("this name has an escape that does not exist".to_string());
        };
        self.advance();
        Ok((text, number))
    }

    pub(super) fn text(&mut self) -> Parsed<Cow<'a, str>> {
        let Kind::Text(raw) = self.peek() else { return self.expected("a string") };
        let Some(text) = unescape_text(raw) else { return self.error("this string has an escape that does not exist".to_string()) };
        self.advance();
        Ok(text)
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Parsed<N> {
        let Kind::Number(digits) = self.peek() else { return self.expected("a number") };
        let Ok(number) = digits.parse() else { return self.error(format!("`{digits}` is too large or not a number")) };
        self.advance();
        Ok(number)
    }

    /// A span if one is ahead, else none.
    pub(super) fn span(&mut self, home: Option<FileId>) -> Parsed<Span> {
        if !self.take("@") {
            return Ok(Span::NONE);
        }
        let file = match (self.peek(), home) {
            (Kind::Text(_), _) => {
                let name = self.text()?;
                let Some(file) = self.files.get(&name) else { return self.error_behind(format!("there is no file {name:?}")) };
                let file = *file;
                self.expect(":")?;
                file
            }
            (Kind::Name { text: "", number, .. }, _) => {
                self.advance();
                self.expect(":")?;
                Id::new(number)
            }
            (_, Some(home)) => home,
            (_, None) => return self.expected("the name of a file"),
        };
        let line = self.number()?;
        self.expect(":")?;
        let column = self.number()?;
        self.expect("+")?;
        Ok(Span { file, line, column, length: self.number()? })
    }

    // The program, in several passes, since declarations may stand in any order.

    fn program(&mut self) -> Parsed {
        self.expect_word("model")?;
        let target = match self.word() {
            Some("lp64") => Target::Lp64,
            Some("ilp32") => Target::Ilp32,
            _ => return self.expected("`lp64` or `ilp32`"),
        };
        self.advance();
        self.end_of_line()?;
        self.program.types = Types::new(target);
        let items = self.items();
        self.each(&items, &["file"], Self::file)?;
        self.each(&items, &["struct", "union"], Self::record_name)?;
        self.each(&items, &["type"], Self::type_item)?;
        let mut records = self.program.types.records().ids();
        self.each(&items, &["struct", "union"], |parser| match records.next() {
            Some(id) => parser.record(id),
            None => Ok(()),
        })?;
        self.each(&items, &["assembly"], Self::assembly)?;
        let is_declaration =
            |word: &str| matches!(word, "static" | "weak" | "common" | "inline" | "const" | "thread_local" | "global" | "function");
        for (start, word) in items {
            self.at = start;
            match word {
                Some("file" | "struct" | "union" | "type" | "assembly") => {}
                Some(word) if is_declaration(word) => self.declaration()?,
                _ => return self.expected("a declaration"),
            }
        }
        for (start, id) in std::mem::take(&mut self.contents) {
            self.at = start;
            self.global_content(id)?;
        }
        for pending in std::mem::take(&mut self.bodies) {
            self.at = pending.start;
            let body = BodyParser::new(self, pending.function, pending.params)?.body()?;
            self.program.functions[pending.function].body = Some(body);
        }
        Ok(())
    }

    /// Where declarations begin, each with its first word. A declaration ends with a line, but not inside braces.
    fn items(&self) -> Vec<(usize, Option<&'a str>)> {
        let mut items = Vec::new();
        let mut depth: u64 = 0;
        let mut at_start = true;
        for (i, token) in self.tokens.iter().enumerate().skip(self.at) {
            if at_start && token.kind != Kind::End {
                let word = match token.kind {
                    Kind::Name { text, quoted: false, number: 0 } => Some(text),
                    _ => None,
                };
                items.push((i, word));
            }
            match token.kind {
                Kind::Mark("{") => depth += 1,
                Kind::Mark("}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            at_start = token.kind == Kind::Newline && depth == 0;
        }
        items
    }

    fn each(&mut self, items: &[(usize, Option<&str>)], words: &[&str], mut parse: impl FnMut(&mut Self) -> Parsed) -> Parsed {
        for (start, word) in items {
            if word.is_some_and(|word| words.contains(&word)) {
                self.at = *start;
                parse(self)?;
            }
        }
        Ok(())
    }

    fn file(&mut self) -> Parsed {
        self.advance();
        let name = self.text()?;
        let id = self.program.files.push(name.clone().into_owned());
        self.files.entry(name).or_insert(id);
        self.end_of_line()
    }

    fn assembly(&mut self) -> Parsed {
        self.advance();
        let span = self.span(None)?;
        self.program.assembly.push(span);
        self.end_of_line()
    }

    fn declaration(&mut self) -> Parsed {
        let linkage = match self.word() {
            Some("static") => Linkage::Internal,
            Some("weak") => Linkage::Weak,
            Some("common") => Linkage::Common,
            Some("inline") => Linkage::Inline,
            _ => Linkage::External,
        };
        if linkage != Linkage::External {
            self.advance();
        }
        if self.take_word("function") {
            return self.function(linkage);
        }
        let constant = self.take_word("const");
        let thread_local = self.take_word("thread_local");
        self.expect_word("global")?;
        let name = self.new_name()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let link_name = self.property("asm")?;
        let alias = self.property("alias")?;
        let id = self.program.globals.push(Global {
            name: name.0.to_string(),
            link_name,
            ty,
            linkage,
            init: None,
            constant,
            thread_local,
            alias,
            span: Span::NONE,
        });
        self.symbols.insert(name, Symbol::Global(id));
        // What an object holds may be the address of one that is declared later.
        self.contents.push((self.at, id));
        Ok(())
    }

    /// The name of a global or function that is not declared yet.
    fn new_name(&mut self) -> Parsed<UniqueName<'a>> {
        let name = self.name()?;
        if self.symbols.contains_key(&name) { self.error_behind("this name is declared twice".to_string()) } else { Ok(name) }
    }

    fn property(&mut self, word: &str) -> Parsed<Option<String>> {
        if self.take_word(word) { Ok(Some(self.text()?.into_owned())) } else { Ok(None) }
    }

    fn function(&mut self, linkage: Linkage) -> Parsed {
        let name = self.new_name()?;
        let head = self.signature()?;
        let params = head.params.iter().map(|(_, local)| local.ty).collect();
        let ret = match head.ret {
            Some(ret) => ret,
            None => self.program.types.void(),
        };
        let ty = self.program.types.intern(Type::Function { ret, params, variadic: head.variadic });
        let link_name = self.property("asm")?;
        let attributes = self.attributes()?;
        let span = self.span(None)?;
        let function = Function { name: name.0.to_string(), link_name, ty, linkage, attributes, body: None, span };
        let id = self.program.functions.push(function);
        self.symbols.insert(name, Symbol::Function(id));
        if self.take("{") {
            if head.params.iter().any(|(name, _)| name.0.is_empty() && name.1 == 0) {
                return self.error("the parameters of a function with a body have names".to_string());
            }
            self.bodies.push(PendingBody { start: self.at, function: id, params: head.params });
            return Ok(());
        }
        self.end_of_line()
    }

    fn attributes(&mut self) -> Parsed<Attributes> {
        let noreturn = self.take_word("noreturn");
        let constructor = if self.take_word("constructor") { Some(self.number()?) } else { None };
        let destructor = if self.take_word("destructor") { Some(self.number()?) } else { None };
        Ok(Attributes { noreturn, constructor, destructor, alias: self.property("alias")? })
    }

    fn signature(&mut self) -> Parsed<Signature<'a>> {
        let mut signature = Signature { params: Vec::new(), variadic: false, ret: None };
        self.expect("(")?;
        while !self.take(")") {
            if self.take("...") {
                signature.variadic = true;
                self.expect(")")?;
                break;
            }
            let is_named = matches!(self.peek(), Kind::Name { .. }) && self.peek_at(1) == Kind::Mark(":");
            let param = if is_named { self.variable()? } else { ((Cow::Borrowed(""), 0), local(String::new(), self.ty()?)) };
            signature.params.push(param);
            if self.peek() != Kind::Mark(")") {
                self.expect(",")?;
            }
        }
        if self.take("->") {
            signature.ret = Some(self.ty()?);
        }
        Ok(signature)
    }

    /// `name: type`, perhaps with a span, whose file is filled in when the function's is known.
    pub(super) fn variable(&mut self) -> Parsed<Variable<'a>> {
        let name = self.name()?;
        self.expect(":")?;
        let mut variable = local(name.0.to_string(), self.ty()?);
        variable.temporary = self.take_word("temporary");
        variable.span = self.span(Some(HOME))?;
        Ok((name, variable))
    }

    /// `struct` or `union` and a name.
    pub(super) fn record_head(&mut self) -> Parsed<(RecordKind, UniqueName<'a>)> {
        let kind = if self.take_word("struct") {
            RecordKind::Struct
        } else {
            self.expect_word("union")?;
            RecordKind::Union
        };
        Ok((kind, self.name()?))
    }
}

/// Stands for the file of the function, which is not known yet where its parameters are read.
pub(super) const HOME: FileId = Id::new(u32::MAX);

fn local(name: String, ty: TypeId) -> Local {
    Local { name, ty, span: Span::NONE, temporary: false }
}

struct Signature<'a> {
    params: Vec<Variable<'a>>,
    variadic: bool,
    ret: Option<TypeId>,
}

//! Parsing of function bodies.

use rustc_hash::FxHashMap;

use super::lex::Kind;
use super::parse::{HOME, Parsed, Parser, UniqueName, Variable};
use super::parse_expr::Operand;
use super::print_expr::{pointee, strength};
use crate::expr::{ExprId, PlaceId};
use crate::graph::{Block, Body, Callee, Case, Check, CheckKind, Command, CommandKind, LocalId, LoopKind, SourceLoop, Terminator};
use crate::program::FunctionId;
use crate::span::{FileId, Span};
use crate::types::{Type, TypeId};

/// Reads one body.
pub(super) struct BodyParser<'p, 't, 'a> {
    pub(super) parser: &'p mut Parser<'t, 'a>,
    pub(super) body: Body,
    pub(super) locals: FxHashMap<UniqueName<'a>, LocalId>,
    /// What the definitions `$e1 = …` and `$p1 = …` stand for.
    pub(super) exprs: FxHashMap<u32, ExprId>,
    pub(super) places: FxHashMap<u32, PlaceId>,
    /// The file of spans that do not name theirs.
    home: Option<FileId>,
    ret: Option<TypeId>,
}

/// One line of a block.
enum Step {
    Command(CommandKind),
    Assert(ExprId, Check, Option<Span>),
    Terminator(Terminator),
}

impl<'p, 't, 'a> BodyParser<'p, 't, 'a> {
    /// A parser of the body of a function with these parameters in its head.
    pub(super) fn new(parser: &'p mut Parser<'t, 'a>, id: FunctionId, params: Vec<Variable<'a>>) -> Parsed<Self> {
        let function = &parser.program.functions[id];
        let home = (!function.span.is_none()).then_some(function.span.file);
        let ret = match parser.program.types.get(function.ty) {
            Type::Function { ret, .. } => Some(*ret),
            _ => None,
        };
        let mut body = BodyParser {
            parser,
            body: Body::default(),
            locals: FxHashMap::default(),
            exprs: FxHashMap::default(),
            places: FxHashMap::default(),
            home,
            ret,
        };
        for param in params {
            body.declare(param)?;
            body.body.params += 1;
        }
        Ok(body)
    }

    fn declare(&mut self, (name, mut local): Variable<'a>) -> Parsed {
        if local.span.file == HOME {
            match self.home {
                Some(home) => local.span.file = home,
                None => return self.parser.error("this span must name its file, since the function has no span".to_string()),
            }
        }
        let id = self.body.locals.push(local);
        match self.locals.insert(name, id) {
            None => Ok(()),
            Some(_) => self.parser.error("this local is declared twice".to_string()),
        }
    }

    fn span(&mut self) -> Parsed<Span> {
        self.parser.span(self.home)
    }

    pub(super) fn body(mut self) -> Parsed<Body> {
        self.parser.end_of_line()?;
        while !self.block_is_ahead() && self.parser.peek() != Kind::Mark("}") {
            self.declaration()?;
        }
        while !self.parser.take("}") {
            self.block()?;
        }
        self.body.end = self.span()?;
        self.parser.end_of_line()?;
        Ok(self.body)
    }

    fn block_is_ahead(&self) -> bool {
        matches!(self.parser.peek(), Kind::Name { .. }) && self.parser.peek_at(1) == Kind::Mark(":")
    }

    /// A line before the first block.
    fn declaration(&mut self) -> Parsed {
        if let Kind::Defined(kind @ ('e' | 'p'), number) = self.parser.peek() {
            return self.definition(kind, number);
        }
        let Some(word) = self.parser.word() else { return self.parser.expected("a declaration or a block") };
        self.parser.advance();
        match word {
            "param" | "local" | "temp" => {
                if word == "param" && self.body.params as usize != self.body.locals.len() {
                    return self.parser.error("parameters come before other locals".to_string());
                }
                let (name, mut local) = self.parser.variable()?;
                local.temporary |= word == "temp";
                self.declare((name, local))?;
                self.body.params += u32::from(word == "param");
            }
            "labels" => {
                self.body.address_taken.push(self.parser.block_name()?);
                while self.parser.take(",") {
                    self.body.address_taken.push(self.parser.block_name()?);
                }
            }
            "while" => self.source_loop(LoopKind::While)?,
            "do" => self.source_loop(LoopKind::Do)?,
            "for" => self.source_loop(LoopKind::For)?,
            _ => return self.parser.error_behind(format!("`{word}` begins neither a declaration nor a block")),
        }
        self.parser.end_of_line()
    }

    fn source_loop(&mut self, kind: LoopKind) -> Parsed {
        let head = self.parser.block_name()?;
        let span = self.span()?;
        self.body.loops.push(SourceLoop { kind, head, span });
        Ok(())
    }

    fn definition(&mut self, kind: char, number: u32) -> Parsed {
        let start = self.created();
        self.parser.advance();
        self.parser.expect("=")?;
        let operand = self.operand(strength::ANY, None)?;
        if kind == 'e' {
            let id = self.value(operand)?;
            self.exprs.insert(number, id);
        } else {
            let id = self.place(operand)?;
            self.places.insert(number, id);
        }
        let span = self.span()?;
        self.give_span(start, span);
        self.parser.end_of_line()
    }

    fn created(&self) -> (usize, usize) {
        (self.body.exprs.len(), self.body.places.len())
    }

    /// What was made since `start` stands where the whole line does.
    fn give_span(&mut self, (exprs, places): (usize, usize), span: Span) {
        self.body.exprs.iter_mut().skip(exprs).for_each(|expr| expr.span = span);
        self.body.places.iter_mut().skip(places).for_each(|place| place.span = span);
    }

    fn block(&mut self) -> Parsed {
        let number = self.body.blocks.len();
        let here = self.parser.word() == Some(&format!("b{number}"));
        if !here {
            return self.parser.expected(&format!("block `b{number}`"));
        }
        self.parser.advance();
        self.parser.expect(":")?;
        self.parser.end_of_line()?;
        let mut commands = Vec::new();
        loop {
            let start = self.created();
            let step = self.step()?;
            let span = self.span()?;
            self.give_span(start, span);
            self.parser.end_of_line()?;
            let kind = match step {
                Step::Command(kind) => kind,
                Step::Assert(condition, check, own) => CommandKind::Assert(condition, Check { span: own.unwrap_or(span), ..check }),
                Step::Terminator(terminator) => {
                    self.body.blocks.push(Block { commands, terminator, span });
                    return Ok(());
                }
            };
            commands.push(Command { kind, span });
        }
    }

    fn step(&mut self) -> Parsed<Step> {
        let ends = matches!(self.parser.peek_at(1), Kind::Newline | Kind::End | Kind::Mark("@"));
        let names = matches!(self.parser.peek_at(1), Kind::Name { .. });
        let states = matches!(self.parser.peek_at(1), Kind::Text(_));
        let terminator = match self.parser.word() {
            Some("goto") => self.goto(),
            Some("if") => self.branch(),
            Some("switch") => self.switch(),
            Some("return") => self.ret(),
            Some("unreachable") if ends => {
                self.parser.advance();
                Ok(Terminator::Unreachable)
            }
            Some("assert") => return self.assertion(),
            Some("live") if names => return self.live().map(Step::Command),
            Some("dead") if names => {
                self.parser.advance();
                return Ok(Step::Command(CommandKind::Dead(self.local()?)));
            }
            Some("unsupported") if states => {
                self.parser.advance();
                return Ok(Step::Command(CommandKind::Unsupported(self.parser.text()?.into_owned())));
            }
            Some("assume") => {
                self.parser.advance();
                return Ok(Step::Command(CommandKind::Assume(self.expr(None)?)));
            }
            Some("havoc") => {
                self.parser.advance();
                let operand = self.operand(strength::ANY, None)?;
                return Ok(Step::Command(CommandKind::Havoc(self.place(operand)?)));
            }
            Some("va_start" | "va_end" | "va_copy") => return self.variadic().map(Step::Command),
            _ => return self.assignment_or_call().map(Step::Command),
        };
        terminator.map(Step::Terminator)
    }

    fn local(&mut self) -> Parsed<LocalId> {
        let name = self.parser.name()?;
        match self.locals.get(&name) {
            Some(local) => Ok(*local),
            None => self.parser.error_behind(format!("there is no such local as {:?}", name.0)),
        }
    }

    fn live(&mut self) -> Parsed<CommandKind> {
        self.parser.advance();
        let local = self.local()?;
        if self.parser.take_word("size") { Ok(CommandKind::LiveArray(local, self.expr(None)?)) } else { Ok(CommandKind::Live(local)) }
    }

    fn assertion(&mut self) -> Parsed<Step> {
        self.parser.advance();
        let mut name = String::new();
        while let Some(word) = self.parser.word() {
            name.push_str(word);
            self.parser.advance();
            if self.parser.take("-") {
                name.push('-');
            }
        }
        let Some(kind) = CheckKind::ALL.into_iter().find(|kind| kind.name() == name) else {
            return self.parser.error_behind(format!("there is no check `{name}`"));
        };
        let mut check = Check::new(kind, Span::NONE);
        if self.parser.take("(") {
            check.cwe = self.parser.number()?;
            self.parser.expect(")")?;
        }
        let own = match (self.parser.peek(), self.parser.peek_at(1)) {
            (Kind::Mark("@"), Kind::Mark(":")) => {
                self.parser.advance();
                Some(Span::NONE)
            }
            (Kind::Mark("@"), _) => Some(self.span()?),
            _ => None,
        };
        self.parser.expect(":")?;
        Ok(Step::Assert(self.expr(None)?, check, own))
    }

    fn variadic(&mut self) -> Parsed<CommandKind> {
        let word = self.parser.word().unwrap_or_default();
        self.parser.advance();
        self.parser.expect("(")?;
        let first = self.expr(None)?;
        let kind = match word {
            "va_start" => CommandKind::VaStart(first),
            "va_end" => CommandKind::VaEnd(first),
            _ => {
                self.parser.expect(",")?;
                CommandKind::VaCopy(first, self.expr(None)?)
            }
        };
        self.parser.expect(")")?;
        Ok(kind)
    }

    fn assignment_or_call(&mut self) -> Parsed<CommandKind> {
        let operand = self.operand(strength::UNARY, None)?;
        if self.parser.peek() == Kind::Mark("(") {
            return self.call(None, operand);
        }
        let dst = self.place(operand)?;
        self.parser.expect("=")?;
        let word = self.parser.word();
        if let Some("alloca" | "va_arg") = word {
            self.parser.advance();
            self.parser.expect("(")?;
            let operand = self.expr(None)?;
            self.parser.expect(")")?;
            return Ok(if word == Some("alloca") { CommandKind::Alloca(dst, operand) } else { CommandKind::VaArg(dst, operand) });
        }
        let source = self.operand(strength::ANY, Some(self.body.places[dst].ty))?;
        if self.parser.peek() == Kind::Mark("(") {
            return self.call(Some(dst), source);
        }
        Ok(CommandKind::Assign { dst, src: self.value(source)? })
    }

    fn call(&mut self, dst: Option<PlaceId>, callee: Operand) -> Parsed<CommandKind> {
        let program = &self.parser.program;
        let (callee, ty) = match callee {
            Operand::Function(function) => (Callee::Direct(function), Some(program.functions[function].ty)),
            other => {
                let pointer = self.value(other)?;
                (Callee::Indirect(pointer), pointee(&self.parser.program.types, self.body.exprs[pointer].ty))
            }
        };
        let params = match ty.map(|ty| self.parser.program.types.get(ty)) {
            Some(Type::Function { params, .. }) => params.clone(),
            _ => Vec::new(),
        };
        self.parser.expect("(")?;
        let mut args = Vec::new();
        while !self.parser.take(")") {
            let expected = params.get(args.len()).copied();
            args.push(self.expr(expected)?);
            if self.parser.peek() != Kind::Mark(")") {
                self.parser.expect(",")?;
            }
        }
        Ok(CommandKind::Call { dst, callee, args })
    }

    fn goto(&mut self) -> Parsed<Terminator> {
        self.parser.advance();
        if self.parser.take("*") {
            let target = self.operand(strength::UNARY, None)?;
            return Ok(Terminator::Computed(self.value(target)?));
        }
        Ok(Terminator::Goto(self.parser.block_name()?))
    }

    fn branch(&mut self) -> Parsed<Terminator> {
        self.parser.advance();
        let condition = self.expr(None)?;
        self.parser.expect_word("goto")?;
        let yes = self.parser.block_name()?;
        self.parser.expect_word("else")?;
        Ok(Terminator::Branch(condition, yes, self.parser.block_name()?))
    }

    fn switch(&mut self) -> Parsed<Terminator> {
        self.parser.advance();
        let value = self.expr(None)?;
        let Type::Int { bits, signed } = *self.parser.program.types.get(self.body.exprs[value].ty) else {
            return self.parser.error("a switch takes an integer".to_string());
        };
        self.parser.expect("{")?;
        self.parser.end_of_line()?;
        let mut cases = Vec::new();
        while self.parser.take_word("case") {
            let low = self.parser.int_pattern(bits, signed)?;
            let high = if self.parser.take("...") { self.parser.int_pattern(bits, signed)? } else { low };
            self.parser.expect(":")?;
            cases.push(Case { low, high, target: self.parser.block_name()? });
            self.parser.end_of_line()?;
        }
        self.parser.expect_word("default")?;
        self.parser.expect(":")?;
        let default = self.parser.block_name()?;
        self.parser.end_of_line()?;
        self.parser.expect("}")?;
        Ok(Terminator::Switch { value, cases, default })
    }

    fn ret(&mut self) -> Parsed<Terminator> {
        self.parser.advance();
        if matches!(self.parser.peek(), Kind::Newline | Kind::End | Kind::Mark("@")) {
            return Ok(Terminator::Return(None));
        }
        let expected = self.ret;
        Ok(Terminator::Return(Some(self.expr(expected)?)))
    }
}

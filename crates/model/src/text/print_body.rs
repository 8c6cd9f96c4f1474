//! Printing of function bodies.

use std::fmt::Write;

use super::Spans;
use super::names::{Used, defined_exprs};
use super::print::Printer;
use super::print_expr::{pointee, strength, write_int};
use super::words::{write_name, write_text};
use crate::arena::Id;
use crate::expr::{ExprId, PlaceId};
use crate::flow::FlowGraph;
use crate::graph::{BlockId, Body, Callee, Command, CommandKind, Created, LocalId, LoopKind, Terminator};
use crate::span::{FileId, Span};
use crate::types::{Type, TypeId, Types};

/// Prints the parts of a body.
pub struct BodyPrinter<'a> {
    pub(super) printer: &'a Printer<'a>,
    pub(super) body: &'a Body,
    /// The file whose name spans leave out.
    home: Option<FileId>,
    locals: Vec<u32>,
    /// The numbers of expressions and places that are printed as definitions.
    pub(super) exprs: Vec<Option<u32>>,
    pub(super) places: Vec<Option<u32>>,
}

impl<'a> BodyPrinter<'a> {
    pub(super) fn new(printer: &'a Printer<'a>, body: &'a Body, home: Option<FileId>) -> Self {
        let full = printer.spans == Spans::Full;
        let used = if full { Used::all(body) } else { Used::of(body) };
        let mut count = 0..;
        let exprs = match full {
            true => body.exprs.ids().map(|id| Some(id.raw())).collect(),
            false => defined_exprs(body, &used).into_iter().map(|defined| if defined { count.next() } else { None }).collect(),
        };
        let places = body.places.ids().map(|id| full.then_some(id.raw())).collect();
        BodyPrinter { printer, body, home, locals: printer.symbols.locals(printer.program, body, &used), exprs, places }
    }

    pub(super) fn types(&self) -> &'a Types {
        &self.printer.program.types
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> String {
        let mut out = String::new();
        self.write_expr_parts(&mut out, id, strength::ANY, None);
        out
    }

    /// A place.
    pub fn place(&self, id: PlaceId) -> String {
        let mut out = String::new();
        self.write_place_parts(&mut out, id, strength::ANY);
        out
    }

    /// A command, without its span.
    pub fn command(&self, command: &Command) -> String {
        let mut out = String::new();
        self.write_command(&mut out, command);
        out
    }

    /// A terminator. A switch takes several lines.
    pub fn terminator(&self, terminator: &Terminator) -> String {
        let mut out = String::new();
        self.write_terminator(&mut out, terminator);
        out
    }

    /// A local variable.
    pub fn local(&self, id: LocalId) -> String {
        let mut out = String::new();
        self.write_local(&mut out, id);
        out
    }

    fn line(&self, out: &mut String, write: impl FnOnce(&mut String), span: Span) {
        out.push_str("    ");
        self.printer.line(out, write, span, self.home);
    }

    pub(super) fn write_body(&self, out: &mut String, params_in_head: usize) {
        for (id, local) in self.body.locals.enumerate().skip(params_in_head) {
            let word = match (id.raw() < self.body.params, local.temporary) {
                (true, _) => "param ",
                (false, true) => "temp ",
                (false, false) => "local ",
            };
            let declaration = |out: &mut String| {
                out.push_str(word);
                self.write_declaration(out, id);
            };
            self.line(out, declaration, local.span);
        }
        if !self.body.address_taken.is_empty() {
            let labels: Vec<String> = self.body.address_taken.iter().map(|label| format!("b{}", label.raw())).collect();
            let _ = writeln!(out, "    labels {}", labels.join(", "));
        }
        for source in &self.body.loops {
            let word = match source.kind {
                LoopKind::While => "while",
                LoopKind::Do => "do",
                LoopKind::For => "for",
            };
            self.line(out, |out| out.push_str(&format!("{word} b{}", source.head.raw())), source.span);
        }
        self.write_definitions(out);
        let flow = FlowGraph::new(self.body);
        for id in self.body.blocks.ids() {
            self.write_block(out, id, flow.predecessors(id));
        }
        self.printer.line(out, |out| out.push('}'), self.body.end, self.home);
    }

    pub(super) fn write_param(&self, out: &mut String, index: usize) {
        let id = Id::new(index as u32);
        self.write_declaration(out, id);
        let span = self.body.locals[id].span;
        if self.printer.spans != Spans::None && !span.is_none() {
            out.push(' ');
            self.printer.write_span(out, span, self.home);
        }
    }

    fn write_declaration(&self, out: &mut String, id: LocalId) {
        self.write_local(out, id);
        out.push_str(": ");
        self.printer.write_type(out, self.body.locals[id].ty);
        // The word before the declaration says it of other locals.
        if id.raw() < self.body.params && self.body.locals[id].temporary {
            out.push_str(" temporary");
        }
    }

    pub(super) fn write_local(&self, out: &mut String, id: LocalId) {
        write_name(out, &self.body.locals[id].name, self.locals[id.index()]);
    }

    fn write_definitions(&self, out: &mut String) {
        for created in self.body.creation_order() {
            match created {
                Created::Expr(id) => {
                    let Some(number) = self.exprs[id.index()] else { continue };
                    let definition = |out: &mut String| {
                        let _ = write!(out, "$e{number} = ");
                        self.write_expr_parts(out, id, strength::ANY, None);
                    };
                    let span = if self.printer.spans == Spans::Full { self.body.exprs[id].span } else { Span::NONE };
                    self.line(out, definition, span);
                }
                Created::Place(id) => {
                    let Some(number) = self.places[id.index()] else { continue };
                    let definition = |out: &mut String| {
                        let _ = write!(out, "$p{number} = ");
                        self.write_place_parts(out, id, strength::ANY);
                    };
                    self.line(out, definition, self.body.places[id].span);
                }
            }
        }
    }

    fn write_block(&self, out: &mut String, id: BlockId, predecessors: &[BlockId]) {
        let _ = write!(out, "b{}:", id.raw());
        for (i, from) in predecessors.iter().enumerate() {
            let _ = write!(out, "{} b{}", if i == 0 { "  // from" } else { "," }, from.raw());
        }
        out.push('\n');
        let block = &self.body.blocks[id];
        for command in &block.commands {
            self.line(out, |out| self.write_command(out, command), command.span);
        }
        self.line(out, |out| self.write_terminator(out, &block.terminator), block.span);
    }

    fn write_command(&self, out: &mut String, command: &Command) {
        match &command.kind {
            CommandKind::Assign { dst, src } => {
                self.write_destination(out, *dst);
                self.write_expr(out, *src, strength::ANY, Some(self.body.places[*dst].ty));
            }
            CommandKind::Call { dst, callee, args } => {
                if let Some(dst) = dst {
                    self.write_destination(out, *dst);
                }
                self.write_call(out, *callee, args);
            }
            CommandKind::Live(local) => {
                out.push_str("live ");
                self.write_local(out, *local);
            }
            CommandKind::LiveArray(local, size) => {
                out.push_str("live ");
                self.write_local(out, *local);
                out.push_str(" size ");
                self.write_expr(out, *size, strength::ANY, None);
            }
            CommandKind::Dead(local) => {
                out.push_str("dead ");
                self.write_local(out, *local);
            }
            CommandKind::Assume(condition) => {
                out.push_str("assume ");
                self.write_expr(out, *condition, strength::ANY, None);
            }
            CommandKind::Assert(condition, check) => {
                let _ = write!(out, "assert {}", check.kind.name());
                if check.cwe != check.kind.cwe() {
                    let _ = write!(out, "({})", check.cwe);
                }
                if self.printer.spans != Spans::None && check.span != command.span {
                    out.push(' ');
                    match check.span.is_none() {
                        true => out.push('@'),
                        false => self.printer.write_span(out, check.span, self.home),
                    }
                }
                out.push_str(": ");
                self.write_expr(out, *condition, strength::ANY, None);
            }
            CommandKind::Havoc(place) => {
                out.push_str("havoc ");
                self.write_place(out, *place, strength::ANY);
            }
            CommandKind::VaStart(list) => self.write_operation(out, "va_start", &[*list]),
            CommandKind::VaArg(place, list) => {
                self.write_destination(out, *place);
                self.write_operation(out, "va_arg", &[*list]);
            }
            CommandKind::VaEnd(list) => self.write_operation(out, "va_end", &[*list]),
            CommandKind::VaCopy(to, from) => self.write_operation(out, "va_copy", &[*to, *from]),
            CommandKind::Alloca(place, size) => {
                self.write_destination(out, *place);
                self.write_operation(out, "alloca", &[*size]);
            }
            CommandKind::Unsupported(what) => {
                out.push_str("unsupported ");
                write_text(out, what);
            }
        }
    }

    fn write_destination(&self, out: &mut String, place: PlaceId) {
        self.write_place(out, place, strength::ANY);
        out.push_str(" = ");
    }

    pub(super) fn write_operation(&self, out: &mut String, word: &str, args: &[ExprId]) {
        out.push_str(word);
        self.write_args(out, args, &[]);
    }

    fn write_call(&self, out: &mut String, callee: Callee, args: &[ExprId]) {
        let ty = match callee {
            Callee::Direct(function) => {
                self.printer.write_function_name(out, function);
                Some(self.printer.program.functions[function].ty)
            }
            Callee::Indirect(pointer) => {
                self.write_expr(out, pointer, strength::POSTFIX, None);
                pointee(self.types(), self.body.exprs[pointer].ty)
            }
        };
        let params = match ty.map(|ty| self.types().get(ty)) {
            Some(Type::Function { params, .. }) => &params[..],
            _ => &[],
        };
        self.write_args(out, args, params);
    }

    fn write_args(&self, out: &mut String, args: &[ExprId], params: &[TypeId]) {
        out.push('(');
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write_expr(out, *arg, strength::ANY, params.get(i).copied());
        }
        out.push(')');
    }

    fn write_terminator(&self, out: &mut String, terminator: &Terminator) {
        let _ = match terminator {
            Terminator::Goto(to) => write!(out, "goto b{}", to.raw()),
            Terminator::Branch(condition, yes, no) => {
                out.push_str("if ");
                self.write_expr(out, *condition, strength::ANY, None);
                write!(out, " goto b{} else b{}", yes.raw(), no.raw())
            }
            Terminator::Switch { value, cases, default } => {
                out.push_str("switch ");
                self.write_expr(out, *value, strength::ANY, None);
                out.push_str(" {\n");
                let ty = self.body.exprs[*value].ty;
                for case in cases {
                    out.push_str("        case ");
                    write_int(out, self.types(), ty, case.low);
                    if case.high != case.low {
                        out.push_str(" ... ");
                        write_int(out, self.types(), ty, case.high);
                    }
                    let _ = writeln!(out, ": b{}", case.target.raw());
                }
                write!(out, "        default: b{}\n    }}", default.raw())
            }
            Terminator::Computed(target) => {
                out.push_str("goto *");
                return self.write_expr(out, *target, strength::UNARY, None);
            }
            Terminator::Return(None) => write!(out, "return"),
            Terminator::Return(Some(value)) => {
                out.push_str("return ");
                // The value has the type that the function returns.
                return self.write_expr(out, *value, strength::ANY, Some(self.body.exprs[*value].ty));
            }
            Terminator::Unreachable => write!(out, "unreachable"),
        };
    }
}

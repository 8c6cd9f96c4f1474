//! Printing of programs, types and symbols.

use std::fmt::Write;

use super::Spans;
use super::data::DataPrinter;
use super::names::{SymbolNames, TypeNames};
use super::print_body::BodyPrinter;
use super::words::{write_name, write_text};
use crate::expr::{ExprId, PlaceId};
use crate::graph::Body;
use crate::program::{Function, FunctionId, GlobalId, Linkage, Program};
use crate::span::{FileId, Span};
use crate::types::{Record, RecordId, RecordKind, Type, TypeId, Types};

/// The text of a whole program.
pub fn program(program: &Program, spans: Spans) -> String {
    Printer::new(program, spans).program()
}

/// The text of one function.
pub fn function(program: &Program, id: FunctionId, spans: Spans) -> String {
    Printer::new(program, spans).function(id)
}

/// The text of a type. Who needs many should use a [`Printer`].
pub fn type_name(types: &Types, id: TypeId) -> String {
    let mut out = String::new();
    write_type(&mut out, types, &TypeNames::new(types), id);
    out
}

/// Prints a verified program or parts of it.
pub struct Printer<'a> {
    pub(super) program: &'a Program,
    pub(super) spans: Spans,
    pub(super) types: TypeNames,
    pub(super) symbols: SymbolNames,
    /// Whether the file's name alone tells which it is: whether it is the first of that name.
    first_of_name: Vec<bool>,
}

/// The column at which spans are put where there is room.
const SPAN_COLUMN: usize = 56;

impl<'a> Printer<'a> {
    /// A printer of a verified program.
    pub fn new(program: &'a Program, spans: Spans) -> Self {
        let mut seen = rustc_hash::FxHashSet::default();
        let first_of_name = program.files.iter().map(|file| seen.insert(file.as_str())).collect();
        Printer { program, spans, types: TypeNames::new(&program.types), symbols: SymbolNames::new(program), first_of_name }
    }

    /// The whole program.
    pub fn program(&self) -> String {
        let mut out = format!("model {}\n", self.program.types.target().name());
        for file in self.program.files.iter() {
            out.push_str("file ");
            write_text(&mut out, file);
            out.push('\n');
        }
        for span in &self.program.assembly {
            self.line(&mut out, |out| out.push_str("assembly"), *span, None);
        }
        self.write_types(&mut out);
        for (id, record) in self.program.types.records().enumerate() {
            self.write_record(&mut out, id, record);
        }
        if !self.program.globals.is_empty() {
            out.push('\n');
        }
        for id in self.program.globals.ids() {
            self.write_global(&mut out, id);
        }
        for id in self.program.functions.ids() {
            let function = &self.program.functions[id];
            let after_declaration = id.raw() > 0 && self.program.functions[FunctionId::new(id.raw() - 1)].body.is_none();
            if function.body.is_some() || !after_declaration {
                out.push('\n');
            }
            self.write_function(&mut out, id);
        }
        out
    }

    /// One function.
    pub fn function(&self, id: FunctionId) -> String {
        let mut out = String::new();
        self.write_function(&mut out, id);
        out
    }

    /// A type.
    pub fn type_name(&self, id: TypeId) -> String {
        let mut out = String::new();
        self.write_type(&mut out, id);
        out
    }

    /// A printer of the parts of a body of this program.
    pub fn body(&'a self, body: &'a Body) -> BodyPrinter<'a> {
        BodyPrinter::new(self, body, None)
    }

    /// An expression of a body of this program. Who needs many should use [`Printer::body`].
    pub fn expr(&self, body: &Body, id: ExprId) -> String {
        BodyPrinter::new(self, body, None).expr(id)
    }

    /// A place of a body of this program. Who needs many should use [`Printer::body`].
    pub fn place(&self, body: &Body, id: PlaceId) -> String {
        BodyPrinter::new(self, body, None).place(id)
    }

    pub(super) fn write_type(&self, out: &mut String, id: TypeId) {
        write_type(out, &self.program.types, &self.types, id);
    }

    /// Ends a line: what `write` puts there, then the span. Spans in the file `home` do not name it.
    pub(super) fn line(&self, out: &mut String, write: impl FnOnce(&mut String), span: Span, home: Option<FileId>) {
        write(out);
        if self.spans != Spans::None && !span.is_none() {
            let width = out.chars().rev().take_while(|c| *c != '\n').count();
            out.extend(std::iter::repeat_n(' ', SPAN_COLUMN.saturating_sub(width).max(2)));
            self.write_span(out, span, home);
        }
        out.push('\n');
    }

    pub(super) fn write_span(&self, out: &mut String, span: Span, home: Option<FileId>) {
        out.push('@');
        if home != Some(span.file) {
            if self.first_of_name[span.file.index()] {
                write_text(out, &self.program.files[span.file]);
            } else {
                let _ = write!(out, "#{}", span.file.raw());
            }
            out.push(':');
        }
        let _ = write!(out, "{}:{}+{}", span.line, span.column, span.length);
    }

    /// All types where ids matter, else those that are too big to be spelled out each time.
    fn write_types(&self, out: &mut String) {
        let mut separator = "\n";
        for (id, ty) in self.program.types.all().enumerate() {
            let number = self.types.big[id.index()];
            if number == 0 && self.spans != Spans::Full {
                continue;
            }
            out.push_str(separator);
            separator = "";
            out.push_str("type ");
            if number > 0 {
                let _ = write!(out, "$t{number} = ");
            }
            write_type_parts(out, &self.program.types, &self.types, ty);
            out.push('\n');
        }
    }

    fn write_record(&self, out: &mut String, id: RecordId, record: &Record) {
        out.push('\n');
        let head = |out: &mut String| write_record_name(out, &self.program.types, &self.types, id);
        let Some(layout) = &record.layout else { return self.line(out, head, record.span, None) };
        head(out);
        let _ = writeln!(out, " size {} align {} {{", layout.size, layout.align);
        for (i, field) in layout.fields.iter().enumerate() {
            out.push_str("    ");
            write_name(out, &field.name, self.types.fields[id.index()][i]);
            out.push_str(": ");
            self.write_type(out, field.ty);
            let _ = write!(out, " at {}", field.offset);
            if let Some(bit) = field.bit {
                let _ = write!(out, " bit {bit}");
            }
            out.push('\n');
        }
        self.line(out, |out| out.push('}'), record.span, None);
    }

    pub(super) fn write_global_name(&self, out: &mut String, id: GlobalId) {
        write_name(out, &self.program.globals[id].name, self.symbols.globals[id.index()]);
    }

    pub(super) fn write_function_name(&self, out: &mut String, id: FunctionId) {
        write_name(out, &self.program.functions[id].name, self.symbols.functions[id.index()]);
    }

    fn write_global(&self, out: &mut String, id: GlobalId) {
        let global = &self.program.globals[id];
        write_linkage(out, global.linkage);
        if global.constant {
            out.push_str("const ");
        }
        if global.thread_local {
            out.push_str("thread_local ");
        }
        out.push_str("global ");
        self.write_global_name(out, id);
        out.push_str(": ");
        self.write_type(out, global.ty);
        write_property(out, "asm", &global.link_name);
        write_property(out, "alias", &global.alias);
        let init = |out: &mut String| {
            if let Some(init) = &global.init {
                out.push_str(" = ");
                DataPrinter { printer: self, ty: global.ty }.write_init(out, init);
            }
        };
        self.line(out, init, global.span, None);
    }

    fn write_function(&self, out: &mut String, id: FunctionId) {
        let function = &self.program.functions[id];
        let home = (!function.span.is_none()).then_some(function.span.file);
        let printer = function.body.as_ref().map(|body| BodyPrinter::new(self, body, home));
        let head = |out: &mut String| self.write_function_head(out, id, printer.as_ref());
        match printer.as_ref() {
            None => self.line(out, head, function.span, None),
            Some(body) => {
                head(out);
                if self.spans != Spans::None && home.is_some() {
                    out.push_str("  ");
                    self.write_span(out, function.span, None);
                }
                out.push_str(" {\n");
                let in_head = match self.program.types.get(function.ty) {
                    Type::Function { params, .. } => params.len(),
                    _ => 0,
                };
                body.write_body(out, in_head);
            }
        }
    }

    fn write_function_head(&self, out: &mut String, id: FunctionId, body: Option<&BodyPrinter>) {
        let function = &self.program.functions[id];
        write_linkage(out, function.linkage);
        out.push_str("function ");
        self.write_function_name(out, id);
        if let Type::Function { ret, params, variadic } = self.program.types.get(function.ty) {
            self.write_signature(out, *ret, params, *variadic, body);
        }
        write_attributes(out, function);
    }

    fn write_signature(&self, out: &mut String, ret: TypeId, params: &[TypeId], variadic: bool, body: Option<&BodyPrinter>) {
        out.push('(');
        for (i, param) in params.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            match body {
                Some(body) => body.write_param(out, i),
                None => self.write_type(out, *param),
            }
        }
        if variadic {
            out.push_str(if params.is_empty() { "..." } else { ", ..." });
        }
        out.push(')');
        if *self.program.types.get(ret) != Type::Void {
            out.push_str(" -> ");
            self.write_type(out, ret);
        }
    }
}

fn write_linkage(out: &mut String, linkage: Linkage) {
    out.push_str(match linkage {
        Linkage::External => "",
        Linkage::Weak => "weak ",
        Linkage::Common => "common ",
        Linkage::Inline => "inline ",
        Linkage::Internal => "static ",
    });
}

fn write_attributes(out: &mut String, function: &Function) {
    write_property(out, "asm", &function.link_name);
    let attributes = &function.attributes;
    if attributes.noreturn {
        out.push_str(" noreturn");
    }
    for (word, priority) in [("constructor", attributes.constructor), ("destructor", attributes.destructor)] {
        if let Some(priority) = priority {
            let _ = write!(out, " {word} {priority}");
        }
    }
    write_property(out, "alias", &attributes.alias);
}

fn write_property(out: &mut String, word: &str, value: &Option<String>) {
    if let Some(value) = value {
        let _ = write!(out, " {word} ");
        write_text(out, value);
    }
}

fn write_record_name(out: &mut String, types: &Types, names: &TypeNames, id: RecordId) {
    let record = types.record(id);
    out.push_str(match record.kind {
        RecordKind::Struct => "struct ",
        RecordKind::Union => "union ",
    });
    write_name(out, &record.name, names.records[id.index()]);
}

fn write_type(out: &mut String, types: &Types, names: &TypeNames, id: TypeId) {
    match names.big[id.index()] {
        0 => write_type_parts(out, types, names, types.get(id)),
        number => {
            let _ = write!(out, "$t{number}");
        }
    }
}

/// Spells a type out. The recursion is bounded: types with many parts have names.
fn write_type_parts(out: &mut String, types: &Types, names: &TypeNames, ty: &Type) {
    let _ = match ty {
        Type::Void => write!(out, "void"),
        Type::Bool => write!(out, "bool"),
        Type::Int { bits, signed } => write!(out, "{}{bits}", if *signed { 'i' } else { 'u' }),
        Type::Float(format) => write!(out, "{}", format.name()),
        Type::Pointer(to) => {
            out.push('*');
            return write_type(out, types, names, *to);
        }
        Type::Array { elem, len } => {
            let _ = match len {
                Some(len) => write!(out, "[{len}]"),
                None => write!(out, "[]"),
            };
            return write_type(out, types, names, *elem);
        }
        Type::Record(record) => return write_record_name(out, types, names, *record),
        Type::Function { ret, params, variadic } => {
            out.push_str("fn(");
            for (i, param) in params.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_type(out, types, names, *param);
            }
            if *variadic {
                out.push_str(if params.is_empty() { "..." } else { ", ..." });
            }
            out.push(')');
            if *types.get(*ret) == Type::Void {
                return;
            }
            out.push_str(" -> ");
            return write_type(out, types, names, *ret);
        }
    };
}

//! The model and views of it as JSON. Keys are sorted, lists keep the model's order; types, commands and expressions are the text form's.
//! What does not apply is left out; functions, globals and blocks are referred to by their positions.

#[cfg(test)]
mod tests;

use model::text::{BodyPrinter, Printer, Spans};
use model::{
    Address, Block, BlockId, CommandKind, Function, FunctionId, Global, Loop, LoopForest, LoopKind, Program, Record, RecordKind, Span,
    Terminator, TypeId,
};
use serde_json::{Value, json};

use crate::graph::View;

/// A program: its files, records, globals and functions with their graphs.
pub fn program(program: &Program) -> Value {
    let views = Views::new(program);
    json!({
        "target": program.types.target().name(),
        "files": program.files.as_slice(),
        "records": program.types.records().iter().map(|record| views.record(record)).collect::<Value>(),
        "globals": program.globals.iter().map(|global| views.content(global)).collect::<Value>(),
        "functions": program.functions.ids().map(|id| views.definition(id)).collect::<Value>(),
        "assembly": program.assembly.iter().map(|span| views.place(*span)).collect::<Value>(),
    })
}

/// The graphs of functions: their blocks, and the edges between them with their guards.
pub fn cfg(program: &Program, functions: impl IntoIterator<Item = FunctionId>) -> Value {
    let views = Views::new(program);
    let graph = |id| {
        let view = View::new(program, &views.printer, id);
        let number = |position: usize| view.nodes[position].block.raw();
        let edges = view.edges.iter();
        let edges = edges.map(|edge| json!({"from": number(edge.from), "to": number(edge.to), "guard": edge.guard, "back": edge.is_back}));
        let mut value = views.definition(id);
        value["edges"] = edges.collect();
        value
    };
    functions.into_iter().filter(|id| program.functions.get(*id).is_some()).map(graph).collect()
}

/// The loop forest of each function that has one.
pub fn loops(program: &Program) -> Value {
    let views = Views::new(program);
    let forests = program.functions.iter().filter_map(|function| {
        let body = function.body.as_ref()?;
        let forest = LoopForest::new(body);
        let loops = forest.loops.iter().map(|region| views.region(function, region)).collect::<Value>();
        (!forest.loops.is_empty()).then(|| json!({"function": function.name, "place": views.place(function.span), "loops": loops}))
    });
    forests.collect()
}

/// The functions and globals as the linker sees them.
pub fn symbols(program: &Program) -> Value {
    let views = Views::new(program);
    let functions = program.functions.iter().map(|function| views.function(function));
    functions.chain(program.globals.iter().map(|global| views.global(global))).collect()
}

struct Views<'a> {
    program: &'a Program,
    printer: Printer<'a>,
}

impl<'a> Views<'a> {
    fn new(program: &'a Program) -> Self {
        Views { program, printer: Printer::new(program, Spans::None) }
    }

    fn place(&self, span: Span) -> Value {
        match self.program.files.get(span.file) {
            Some(file) if !span.is_none() => json!({"file": file, "line": span.line, "column": span.column, "length": span.length}),
            _ => Value::Null,
        }
    }

    fn ty(&self, ty: TypeId) -> Value {
        json!(self.printer.type_name(ty))
    }

    fn record(&self, record: &Record) -> Value {
        let kind = match record.kind {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        };
        let mut value = json!({"kind": kind, "name": record.name, "place": self.place(record.span)});
        if let Some(layout) = &record.layout {
            let fields = layout.fields.iter().map(|field| {
                let mut value = json!({"name": field.name, "type": self.ty(field.ty), "offset": field.offset});
                set(&mut value, "bit", field.bit);
                value
            });
            value["fields"] = fields.collect();
            value["size"] = json!(layout.size);
            value["align"] = json!(layout.align);
        }
        value
    }

    fn global(&self, global: &Global) -> Value {
        let mut value = json!({
            "kind": "object",
            "name": global.name,
            "type": self.ty(global.ty),
            "linkage": global.linkage.name(),
            "defined": global.init.is_some(),
            "constant": global.constant,
            "thread_local": global.thread_local,
            "place": self.place(global.span),
        });
        set(&mut value, "link_name", global.link_name.as_deref());
        set(&mut value, "alias", global.alias.as_deref());
        let size = global.init.as_ref().and_then(|init| init.size).or_else(|| self.program.types.size_of(global.ty));
        set(&mut value, "size", size);
        value
    }

    /// A global with its content: bytes in hexadecimal, and addresses.
    fn content(&self, global: &Global) -> Value {
        let mut value = self.global(global);
        let Some(init) = &global.init else { return value };
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let chunks = init.chunks.iter().map(|chunk| json!({"offset": chunk.offset, "bytes": hex(&chunk.bytes)}));
        let addresses = init.relocations.iter().map(|relocation| {
            let mut value = json!({"offset": relocation.offset, "size": relocation.bytes, "addend": relocation.addend});
            match relocation.target {
                Address::Global(id) => value["global"] = json!(id.raw()),
                Address::Function(id) => value["function"] = json!(id.raw()),
                Address::Label(id, block) => {
                    value["function"] = json!(id.raw());
                    value["block"] = json!(block.raw());
                }
                Address::LabelDifference(id, block, base) => {
                    value["function"] = json!(id.raw());
                    value["block"] = json!(block.raw());
                    value["minus"] = json!(base.raw());
                }
            }
            value
        });
        value["chunks"] = chunks.collect();
        value["addresses"] = addresses.collect();
        value
    }

    fn function(&self, function: &Function) -> Value {
        let mut value = json!({
            "kind": "function",
            "name": function.name,
            "type": self.ty(function.ty),
            "linkage": function.linkage.name(),
            "defined": function.body.is_some(),
            "noreturn": function.attributes.noreturn,
            "place": self.place(function.span),
        });
        set(&mut value, "link_name", function.link_name.as_deref());
        set(&mut value, "alias", function.attributes.alias.as_deref());
        set(&mut value, "constructor", function.attributes.constructor);
        set(&mut value, "destructor", function.attributes.destructor);
        value
    }

    /// A function with its graph.
    fn definition(&self, id: FunctionId) -> Value {
        let Some(function) = self.program.functions.get(id) else { return Value::Null };
        let mut value = self.function(function);
        if let Some(body) = &function.body {
            let texts = self.printer.body(body);
            let locals =
                body.locals.iter().map(|local| json!({"name": local.name, "type": self.ty(local.ty), "place": self.place(local.span)}));
            value["locals"] = locals.collect();
            value["params"] = json!(body.params);
            value["blocks"] = body.blocks.enumerate().map(|(id, block)| self.block(id, block, &texts, &body.address_taken)).collect();
        }
        value
    }

    fn block(&self, id: BlockId, block: &Block, texts: &BodyPrinter, address_taken: &[BlockId]) -> Value {
        let commands = block
            .commands
            .iter()
            .map(|command| json!({"kind": command_kind(&command.kind), "text": texts.command(command), "place": self.place(command.span)}));
        let targets = block.terminator.successors(address_taken).map(|target| json!(target.raw()));
        json!({
            "id": id.raw(),
            "commands": commands.collect::<Value>(),
            "terminator": {
                "kind": terminator_kind(&block.terminator),
                "text": texts.terminator(&block.terminator),
                "targets": targets.collect::<Value>(),
                "place": self.place(block.span),
            },
        })
    }

    fn region(&self, function: &Function, region: &Loop) -> Value {
        let source = region.source.and_then(|source| function.body.as_ref()?.loops.get(source));
        let kind = source.map_or("goto", |source| match source.kind {
            LoopKind::While => "while",
            LoopKind::Do => "do",
            LoopKind::For => "for",
        });
        let mut value = json!({
            "kind": kind,
            "header": region.header.raw(),
            "entries": numbers(&region.entries),
            "irreducible": region.is_irreducible(),
            "blocks": numbers(&region.blocks),
            "exits": region.exits.iter().map(|(from, to)| numbers(&[*from, *to])).collect::<Value>(),
            "depth": region.depth,
            "children": region.children,
            "place": source.map_or(Value::Null, |source| self.place(source.span)),
        });
        set(&mut value, "parent", region.parent);
        value
    }
}

/// Sets a key if there is a value for it.
fn set(object: &mut Value, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        object[key] = value.into();
    }
}

fn numbers(blocks: &[BlockId]) -> Value {
    blocks.iter().map(|block| json!(block.raw())).collect()
}

fn command_kind(command: &CommandKind) -> &'static str {
    match command {
        CommandKind::Assign { .. } => "assign",
        CommandKind::Call { .. } => "call",
        CommandKind::Live(_) | CommandKind::LiveArray(..) => "live",
        CommandKind::Dead(_) => "dead",
        CommandKind::Assume(_) => "assume",
        CommandKind::Assert(..) => "assert",
        CommandKind::Havoc(_) => "havoc",
        CommandKind::VaStart(_) => "va_start",
        CommandKind::VaArg(..) => "va_arg",
        CommandKind::VaEnd(_) => "va_end",
        CommandKind::VaCopy(..) => "va_copy",
        CommandKind::Alloca(..) => "alloca",
        CommandKind::Unsupported(_) => "unsupported",
    }
}

fn terminator_kind(terminator: &Terminator) -> &'static str {
    match terminator {
        Terminator::Goto(_) => "goto",
        Terminator::Branch(..) => "branch",
        Terminator::Switch { .. } => "switch",
        Terminator::Computed(_) => "computed",
        Terminator::Return(_) => "return",
        Terminator::Unreachable => "unreachable",
    }
}

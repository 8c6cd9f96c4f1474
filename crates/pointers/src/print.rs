//! The results as text.

use std::fmt::Write;

use model::{Callee, CommandKind, Function, FunctionId, LocalId, Program, Span};

use crate::analysis::Analysis;
use crate::object::{Cell, Object, Site, Target};
use crate::offsets::Offsets;
use crate::regions::{RegionKind, Regions};

/// What is known of one function: its variables, and where its calls through pointers lead.
pub fn function(analysis: &Analysis<'_>, id: FunctionId) -> String {
    let mut out = String::new();
    let Some(function) = analysis.program().functions.get(id) else { return out };
    let Some(body) = &function.body else { return out };
    let _ = writeln!(out, "{}", function.name);
    for (local, content) in body.locals.enumerate() {
        let targets = if analysis.program().types.is_scalar(content.ty) { analysis.variable(id, local) } else { Vec::new() };
        if !targets.is_empty() {
            let _ = writeln!(out, "    {} -> {}", local_name(function, local), list(analysis, &targets));
        }
    }
    for (block, content) in body.blocks.enumerate() {
        for (command, content) in content.commands.iter().enumerate() {
            if let CommandKind::Call { callee: Callee::Indirect(_), .. } = content.kind {
                let site = Site { function: id, block, command };
                let mut callees: Vec<String> = analysis.callees(site).iter().map(|id| function_name(analysis.program(), *id)).collect();
                if analysis.calls_unknown(site) {
                    callees.push("unknown code".to_string());
                }
                let callees = if callees.is_empty() { "nothing".to_string() } else { callees.join(", ") };
                let _ = writeln!(out, "    call at {} -> {callees}", place(analysis.program(), content.span));
            }
        }
    }
    out
}

/// What the objects of the program hold, where heap objects come from, and what code outside may know.
pub fn objects(analysis: &Analysis<'_>) -> String {
    let mut out = String::new();
    for object in analysis.objects() {
        let mut contents = analysis.contents(object);
        // What is known outside is listed below.
        contents.retain(|_| !analysis.escapes(object));
        if let Object::Heap(id) = object {
            let sites: Vec<String> = analysis.allocation(id).sites.iter().map(|site| site_name(analysis.program(), *site)).collect();
            let _ = writeln!(out, "{}: {}", name(analysis, object), sites.join(" from "));
        } else if !contents.is_empty() {
            let _ = writeln!(out, "{}", name(analysis, object));
        }
        for (cell, targets) in contents {
            let _ = writeln!(out, "    {} -> {}", bytes(cell), list(analysis, &targets));
        }
    }
    let escaped: Vec<String> =
        analysis.escaped().into_iter().filter(|object| *object != Object::External).map(|object| name(analysis, object)).collect();
    if !escaped.is_empty() {
        let _ = writeln!(out, "known outside: {}", escaped.join(", "));
    }
    out
}

/// The regions of memory.
pub fn regions(analysis: &Analysis<'_>, regions: &Regions) -> String {
    let mut out = String::new();
    for (id, region) in regions.all().enumerate() {
        let kind = match region.kind {
            RegionKind::Typed { bytes } => format!("cells of {bytes}"),
            RegionKind::Bytes => "bytes".to_string(),
        };
        let cells: Vec<String> = region.cells.iter().map(|one| cell(analysis, one)).collect();
        let _ = writeln!(out, "region {}, {kind}: {}", id.raw(), cells.join(", "));
    }
    out
}

/// The name of an object.
pub fn name(analysis: &Analysis<'_>, object: Object) -> String {
    let program = analysis.program();
    match object {
        Object::Global(id) => program.globals.get(id).map_or_else(String::new, |global| global.name.clone()),
        Object::Local(function, local) => match program.functions.get(function) {
            Some(owner) => format!("{}::{}", owner.name, local_name(owner, local)),
            None => String::new(),
        },
        Object::Heap(id) => format!("heap#{}", id.raw()),
        Object::Function(id) => function_name(program, id),
        Object::Arguments => "arguments".to_string(),
        Object::ArgumentStrings => "argument strings".to_string(),
        Object::Variadic(id) => format!("{}::...", function_name(program, id)),
        Object::External => "outside".to_string(),
    }
}

/// A target: `x`, `x+8`, `x+(0 mod 4)`.
pub fn target(analysis: &Analysis<'_>, target: &Target) -> String {
    let name = name(analysis, target.object);
    match (target.object, target.offsets.single()) {
        (Object::External, _) | (_, Some(0)) => name,
        (_, Some(offset)) => format!("{name}{offset:+}"),
        (_, None) if target.offsets == Offsets::ANY => format!("{name}+*"),
        (_, None) => format!("{name}+({})", target.offsets),
    }
}
fn list(analysis: &Analysis<'_>, targets: &[Target]) -> String {
    targets.iter().map(|one| target(analysis, one)).collect::<Vec<_>>().join(", ")
}

/// Bytes of an object: `x [0; 4]` has four bytes from 0 on.
pub fn cell(analysis: &Analysis<'_>, cell: &Cell) -> String {
    format!("{} {}", name(analysis, cell.object), bytes(*cell))
}

/// Offsets and size.
fn bytes(cell: Cell) -> String {
    match cell.size {
        Cell::REST => format!("[{} to the end]", cell.offsets),
        size => format!("[{}; {size}]", cell.offsets),
    }
}

fn function_name(program: &Program, id: FunctionId) -> String {
    program.functions.get(id).map_or_else(String::new, |function| function.name.clone())
}
fn local_name(function: &Function, local: LocalId) -> String {
    let content = function.body.as_ref().and_then(|body| body.locals.get(local));
    match content.map(|local| local.name.as_str()) {
        Some(name) if !name.is_empty() => name.to_string(),
        _ => format!("#{}", local.raw()),
    }
}
fn site_name(program: &Program, site: Site) -> String {
    let body = program.functions.get(site.function).and_then(|function| function.body.as_ref());
    let command = body.and_then(|body| body.blocks.get(site.block)).and_then(|block| block.commands.get(site.command));
    format!("{} {}", function_name(program, site.function), place(program, command.map_or(Span::NONE, |command| command.span)))
}
/// A place as editors and terminals know it.
fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file) {
        Some(file) if !span.is_none() => format!("{file}:{}:{}", span.line, span.column),
        _ => "-".to_string(),
    }
}

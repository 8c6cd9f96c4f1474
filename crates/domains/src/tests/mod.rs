//! What the domains see in loops and propose for them.

mod domains;
mod elements;
mod views;

use encode::{Head, Linear, Quantity, Source, Style, formula_text};
use model::{CommandKind, ExprKind, FunctionId, LocalId, LoopForest, PlaceKind, Program};
use pointers::{Analysis, Cell, Site, Writes};
use std::fmt::Write;

use crate::view::{Buffer, Update, View};

/// Shows something of the first loop of the function `f`.
fn with_head<R>(source: &str, round: u32, show: impl FnOnce(&Head<'_, '_>) -> R) -> R {
    let translation = frontend::translate("test.c", source.as_bytes(), &frontend::Options::default());
    let mut program = translation.program.unwrap_or_else(|| panic!("{:?}", translation.diagnostics.list()));
    passes::checks::instrument(&mut program, &passes::checks::DEFAULT);
    passes::reducible::make_reducible(&mut program);
    let function = program.functions.enumerate().find(|(_, function)| function.name == "f").map(|(id, _)| id).unwrap();
    let analysis = pointers::analyse_from(&program, &[function]);
    let body = program.functions[function].body.as_ref().unwrap();
    let forest = LoopForest::new(body);
    let region = &forest.loops[0];
    let (changed, written) = effects(&program, &analysis, function, region);
    let constants = constants(&program, function, region);
    show(&Head {
        program: &program,
        analysis: &analysis,
        function,
        body,
        region,
        changed: &changed,
        written: &written,
        constants: &constants,
        round,
    })
}

fn effects(program: &Program, analysis: &Analysis<'_>, function: FunctionId, region: &model::Loop) -> (Vec<LocalId>, Vec<Cell>) {
    let body = program.functions[function].body.as_ref().unwrap();
    let writes = Writes::new(analysis);
    let (mut changed, mut written) = (Vec::new(), Vec::new());
    for &block in &region.blocks {
        for (command, step) in body.blocks[block].commands.iter().enumerate() {
            if let Some(PlaceKind::Local(local)) = step.kind.place().map(|place| &body.places[place].kind)
                && !analysis.address_taken(function, *local)
            {
                changed.push(*local);
            }
            written.extend(writes.of_command(analysis, Site { function, block, command }));
        }
    }
    changed.sort();
    changed.dedup();
    written.sort();
    written.dedup();
    (changed, written)
}

/// Constants that locals are set to in the first block.
fn constants(program: &Program, function: FunctionId, region: &model::Loop) -> Vec<(Source, i128)> {
    let body = program.functions[function].body.as_ref().unwrap();
    let mut constants = Vec::new();
    let first = body.blocks.iter().next().filter(|_| region.header != model::Body::ENTRY).unwrap();
    for command in &first.commands {
        let CommandKind::Assign { dst, src } = command.kind else { continue };
        if let (PlaceKind::Local(local), ExprKind::Int(value)) = (&body.places[dst].kind, &body.exprs[src].kind)
            && matches!(program.types.get(body.exprs[src].ty), model::Type::Int { .. })
        {
            constants.push((Source::Local(*local), program.types.value(body.exprs[src].ty, *value)));
        }
    }
    constants
}

/// A sum as text.
fn sum(head: &Head<'_, '_>, sum: &Linear) -> String {
    let part = |(factor, quantity): &(i64, Quantity)| {
        let Quantity::Of(of, aspect, _) = quantity else { return format!("{factor}*iterations") };
        format!("{factor}*{}({})", format!("{aspect:?}").to_lowercase(), source(head, *of))
    };
    let parts = sum.parts.iter().map(part).chain([sum.constant.to_string()]);
    parts.collect::<Vec<_>>().join(" + ")
}

fn source(head: &Head<'_, '_>, source: Source) -> String {
    match source {
        Source::Local(local) => head.body.locals[local].name.clone(),
        Source::Global(global) => head.program.globals[global].name.clone(),
        Source::Expr(expr) => model::text::Printer::new(head.program, model::text::Spans::None).expr(head.body, expr),
    }
}

/// A view as text.
fn view_text(head: &Head<'_, '_>, view: &View<'_>) -> String {
    let mut out = String::new();
    let printer = model::text::Printer::new(head.program, model::text::Spans::None);
    for variable in &view.variables {
        let marks = [(variable.changed, "changed"), (variable.index, "index"), (variable.compared, "compared"), (variable.exit, "exit")];
        let marks: Vec<&str> = marks.iter().filter(|(mark, _)| *mark).map(|(_, name)| *name).collect();
        write!(out, "variable {}: {:?} {}", source(head, variable.source), variable.kind, marks.join(" ")).unwrap();
        variable.entry.iter().for_each(|entry| write!(out, "; entry {entry}").unwrap());
        if !variable.constants.is_empty() {
            write!(out, "; constants {:?}", variable.constants).unwrap();
        }
        for update in &variable.updates {
            match update {
                Update::Step(by) => write!(out, "; += {by}").unwrap(),
                Update::Set(value) => write!(out, "; = {value}").unwrap(),
                Update::Other => write!(out, "; = …").unwrap(),
            }
        }
        variable.step.iter().for_each(|step| write!(out, "; step {step}").unwrap());
        out.push('\n');
    }
    for access in &view.accesses {
        let buffer = match access.buffer {
            Buffer::Array(length) => format!("array of {length}"),
            Buffer::Pointer(pointer) => source(head, pointer),
        };
        writeln!(out, "access {buffer} by {} of {} bytes", sum(head, &access.index), access.element).unwrap();
    }
    for condition in &view.conditions {
        let askable = if condition.askable { "" } else { " (not at the head)" };
        write!(out, "{:?} {}{askable}", condition.origin, printer.expr(head.body, condition.expr)).unwrap();
        condition.comparison.iter().for_each(|(of, op)| write!(out, ": {} {} 0", sum(head, of), op.symbol()).unwrap());
        out.push('\n');
    }
    let name = |position: usize| source(head, view.variables[position].source);
    for pair in &view.pairs {
        writeln!(out, "pair {} {} {:?}", name(pair.first), name(pair.second), pair.constants).unwrap();
    }
    for balance in &view.balances {
        let parts: Vec<String> = balance.parts.iter().map(|(factor, position)| format!("{factor}*{}", name(*position))).collect();
        writeln!(out, "balance {} moves by {}", parts.join(" + "), balance.step).unwrap();
    }
    for drift in &view.drifts {
        let parts: Vec<String> = drift.parts.iter().map(|(factor, position)| format!("{factor}*{}", name(*position))).collect();
        writeln!(out, "drift {} does not rise", parts.join(" + ")).unwrap();
    }
    for claim in &view.claims {
        writeln!(out, "claim {}", formula_text(head.program, head.body, claim, Style::Source).unwrap()).unwrap();
    }
    for (position, modulus) in &view.moduli {
        writeln!(out, "remainder {} modulo {modulus}", name(*position)).unwrap();
    }
    out
}

/// The view of the first loop of `f`.
fn view(code: &str) -> String {
    with_head(code, 0, |head| view_text(head, &View::new(head)))
}

/// What a domain proposes for the first loop of `f`.
fn candidates(domain: &str, code: &str, round: u32) -> String {
    let domains: Vec<&dyn crate::Domain> = crate::ALL.iter().copied().filter(|known| known.name() == domain).collect();
    assert_eq!(domains.len(), 1, "{domain}");
    proposals(&domains, code, round)
}

/// The same for any domains.
pub(crate) fn proposals(domains: &[&dyn crate::Domain], code: &str, round: u32) -> String {
    with_head(code, round, |head| {
        let mut out = String::new();
        for candidate in crate::propose(domains, head, 1000) {
            let text = formula_text(head.program, head.body, &candidate.formula, Style::Source);
            writeln!(out, "{}", text.unwrap_or_else(|| format!("{:?}", candidate.formula))).unwrap();
        }
        out
    })
}

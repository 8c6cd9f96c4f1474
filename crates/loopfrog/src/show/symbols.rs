//! The functions and objects of a program, as a table.

use std::fmt::Write;

use model::Program;
use model::text::{Printer, Spans};

use crate::describe::place;

/// Wider cells push only their own line to the right, not the whole column.
const WIDEST: usize = 40;

/// The table of all symbols, or of those with this name; functions first.
pub fn text(program: &Program, name: Option<&str>) -> String {
    let printer = Printer::new(program, Spans::None);
    let kind = |defined: bool, kind: &str| if defined { kind.to_string() } else { format!("declared {kind}") };
    let header = ["name", "kind", "linkage", "type", "place"].map(str::to_string);
    let functions = program.functions.iter().map(|function| {
        [
            function.name.clone(),
            kind(function.body.is_some() || function.attributes.alias.is_some(), "function"),
            function.linkage.name().to_string(),
            printer.type_name(function.ty),
            place(program, function.span),
        ]
    });
    let objects = program.globals.iter().map(|global| {
        [
            global.name.clone(),
            kind(global.init.is_some() || global.alias.is_some(), "object"),
            global.linkage.name().to_string(),
            printer.type_name(global.ty),
            place(program, global.span),
        ]
    });
    let symbols = functions.chain(objects).filter(|row| name.is_none_or(|name| row[0] == name));
    let rows: Vec<[String; 5]> = [header].into_iter().chain(symbols).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).filter(|&width| width <= WIDEST).max().unwrap_or(0);
    let [a, b, c, d] = [width(0), width(1), width(2), width(3)];
    let mut out = String::new();
    for [name, kind, linkage, ty, place] in &rows {
        let _ = writeln!(out, "{name:a$}  {kind:b$}  {linkage:c$}  {ty:d$}  {place}");
    }
    out
}

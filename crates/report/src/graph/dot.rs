//! The graph as Graphviz text.

use std::fmt::Write;

use super::view::{MAX_COLUMNS, View, shortened};

/// The graph in the language of Graphviz.
pub(super) fn draw(view: &View) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "digraph {} {{", quoted(&view.name));
    let _ = writeln!(out, "  node [shape=box, fontname=\"monospace\", fontsize=10];");
    let _ = writeln!(out, "  edge [fontname=\"monospace\", fontsize=9];");
    for node in &view.nodes {
        let lines = node.drawn().iter().map(|line| escaped(line) + "\\l").collect::<String>();
        let style = match (node.is_header, node.is_reachable) {
            (true, _) => ", style=filled, fillcolor=\"#fff0d8\"",
            (false, false) => ", style=dashed",
            _ => "",
        };
        let _ = writeln!(out, "  b{} [label=\"{lines}\"{style}];", node.block.raw());
    }
    for edge in &view.edges {
        let (from, to) = (view.nodes[edge.from].block.raw(), view.nodes[edge.to].block.raw());
        let label = if edge.guard.is_empty() { String::new() } else { format!("label={}", quoted(&shortened(&edge.guard, MAX_COLUMNS))) };
        let back = if edge.is_back { "color=\"#b04000\", constraint=false" } else { "" };
        let separator = if label.is_empty() || back.is_empty() { "" } else { ", " };
        let _ = writeln!(out, "  b{from} -> b{to} [{label}{separator}{back}];");
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text inside quotes: Graphviz knows escapes for backslash and quote only.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            _ if c.is_control() => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

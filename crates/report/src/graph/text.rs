//! The graph as lines of text.

use std::fmt::Write;

use super::view::View;

/// Each block with what it does, then where control goes from it, and when.
pub(super) fn draw(view: &View) -> String {
    let mut out = format!("{}\n", view.name);
    let mut edges = view.edges.iter().peekable();
    for (position, node) in view.nodes.iter().enumerate() {
        let note = if node.is_reachable { "" } else { " · unreachable" };
        let _ = writeln!(out, "  {}{note}", node.title);
        for line in &node.lines {
            let _ = writeln!(out, "      {line}");
        }
        while let Some(edge) = edges.next_if(|edge| edge.from == position) {
            let guard = if edge.guard.is_empty() { String::new() } else { format!("  when {}", edge.guard) };
            let back = if edge.is_back { "  (back)" } else { "" };
            let _ = writeln!(out, "    → b{}{guard}{back}", view.nodes[edge.to].block.raw());
        }
    }
    out
}

//! The graph as a self-contained SVG.

use std::fmt::Write;

use super::layout::{CHARACTER, LINE, Layout, PADDING, Rect, Route, shown_guard};
use super::view::{Edge, Node, View};

const STYLE: &str = "text{font:12px monospace;white-space:pre}\
    .box{fill:#fff;stroke:#333}.header{fill:#fff0d8;stroke:#b04000}.unreachable{stroke-dasharray:4}\
    .title{font-weight:bold;fill:#555}.edge{fill:none;stroke:#333}.back{stroke:#b04000}.guard{font-size:10px;fill:#036}";

/// The graph as a drawing.
pub(super) fn draw(view: &View) -> String {
    let layout = Layout::new(view);
    let mut out = String::new();
    let (width, height) = (layout.width.ceil(), layout.height.ceil());
    let _ =
        writeln!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">");
    let _ = writeln!(out, "<title>{}</title>", escaped(&view.name));
    let _ = writeln!(out, "<style>{STYLE}</style>");
    let _ = writeln!(
        out,
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0 0L8 4L0 8z\" fill=\"#333\"/></marker></defs>"
    );
    for (node, rect) in view.nodes.iter().zip(&layout.boxes) {
        draw_node(&mut out, node, rect);
    }
    for (edge, route) in view.edges.iter().zip(&layout.routes) {
        draw_edge(&mut out, edge, route);
    }
    out.push_str("</svg>\n");
    out
}

fn draw_node(out: &mut String, node: &Node, rect: &Rect) {
    let header = if node.is_header { " header" } else { "" };
    let unreachable = if node.is_reachable { "" } else { " unreachable" };
    let Rect { x, y, width, height } = rect;
    let _ = writeln!(
        out,
        "<rect class=\"box{header}{unreachable}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\"/>"
    );
    for (number, line) in node.drawn().iter().enumerate() {
        let class = if number == 0 { " class=\"title\"" } else { "" };
        let (x, y) = (x + PADDING, y + PADDING + LINE * (number as f64 + 0.8));
        let _ = writeln!(out, "<text{class} x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(line));
    }
}

fn draw_edge(out: &mut String, edge: &Edge, route: &Route) {
    let mut path = String::new();
    let start = match route {
        Route::Direct([start, end]) => {
            let middle = (start.1 + end.1) / 2.0;
            let _ = write!(
                path,
                "M{:.1} {:.1}C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}",
                start.0, start.1, start.0, end.0, end.0, end.1
            );
            start
        }
        Route::Lane(points) => {
            for (number, (x, y)) in points.iter().enumerate() {
                let _ = write!(path, "{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' });
            }
            &points[0]
        }
    };
    let back = if edge.is_back { " back" } else { "" };
    let _ = writeln!(out, "<path class=\"edge{back}\" d=\"{path}\" marker-end=\"url(#tip)\"/>");
    if !edge.guard.is_empty() {
        let (x, y) = (start.0 + CHARACTER / 2.0, start.1 + LINE * 0.8);
        let (shown, full) = (escaped(&shown_guard(edge)), escaped(&edge.guard));
        let _ = writeln!(out, "<text class=\"guard\" x=\"{x:.1}\" y=\"{y:.1}\"><title>{full}</title>{shown}</text>");
    }
}

/// A text between tags; what XML does not allow is replaced.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

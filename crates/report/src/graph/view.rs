//! What there is to draw.

use model::text::{BodyPrinter, Printer};
use model::{Block, BlockId, Body, FlowGraph, FunctionId, LoopForest, Program, Terminator};

/// A box shows at most this many lines.
const MAX_LINES: usize = 24;
/// A line shows at most this many characters.
pub(super) const MAX_COLUMNS: usize = 100;
/// An edge that stands for several cases names at most this many.
const MAX_CASES: usize = 4;

/// The graph of a function with all texts made.
pub(crate) struct View {
    /// The name of the function.
    pub name: String,
    /// The blocks: reachable ones in reverse postorder, then the others.
    pub nodes: Vec<Node>,
    /// The edges, each once, by their source.
    pub edges: Vec<Edge>,
}

/// A block.
pub(crate) struct Node {
    pub block: BlockId,
    /// Its number, and what it is: `b3 · while`.
    pub title: String,
    /// Its commands, one line each, and how it ends where that is not said by edges.
    pub lines: Vec<String>,
    /// Whether a loop begins here.
    pub is_header: bool,
    /// Whether control can come here.
    pub is_reachable: bool,
}

/// A possible step between blocks.
pub(crate) struct Edge {
    /// Where from, as a position in the nodes.
    pub from: usize,
    /// Where to.
    pub to: usize,
    /// When; empty for always.
    pub guard: String,
    /// Whether it leads back to a node that is not later.
    pub is_back: bool,
}

impl View {
    /// The view of a function; without nodes if it is only declared.
    pub fn new(program: &Program, printer: &Printer, id: FunctionId) -> Self {
        let Some(function) = program.functions.get(id) else { return View { name: String::new(), nodes: Vec::new(), edges: Vec::new() } };
        let mut view = View { name: function.name.clone(), nodes: Vec::new(), edges: Vec::new() };
        let Some(body) = &function.body else { return view };
        let flow = FlowGraph::new(body);
        let forest = LoopForest::of(body, &flow);
        let unreachable = body.blocks.ids().filter(|block| !flow.is_reachable(*block));
        let order: Vec<BlockId> = flow.reverse_postorder().iter().copied().chain(unreachable).collect();
        let mut positions = vec![0; order.len()];
        for (position, block) in order.iter().enumerate() {
            positions[block.index()] = position;
        }
        let texts = printer.body(body);
        view.nodes = order.iter().map(|&block| node(&texts, body, block, &forest, &flow)).collect();
        for (from, &block) in order.iter().enumerate() {
            for &target in flow.successors(block) {
                let to = positions[target.index()];
                let guard = guard(program, &texts, body, &body.blocks[block], target);
                view.edges.push(Edge { from, to, guard, is_back: to <= from });
            }
        }
        view
    }
}

fn node(texts: &BodyPrinter, body: &Body, block: BlockId, forest: &LoopForest, flow: &FlowGraph) -> Node {
    let region = forest.innermost(block).map(|inner| &forest.loops[inner]).filter(|region| region.header == block);
    let role = match region {
        Some(region) if region.is_irreducible() => " · irreducible",
        Some(_) => " · loop",
        None if block == Body::ENTRY => " · entry",
        None => "",
    };
    let content = &body.blocks[block];
    let mut lines: Vec<String> = content.commands.iter().map(|command| texts.command(command)).collect();
    lines.extend(ending(texts, &content.terminator));
    Node { block, title: format!("b{}{role}", block.raw()), lines, is_header: region.is_some(), is_reachable: flow.is_reachable(block) }
}

/// What a terminator does beyond choosing an edge.
fn ending(texts: &BodyPrinter, terminator: &Terminator) -> Option<String> {
    match terminator {
        Terminator::Goto(_) | Terminator::Branch(..) => None,
        Terminator::Switch { value, .. } => Some(format!("switch {}", texts.expr(*value))),
        Terminator::Computed(address) => Some(format!("goto *{}", texts.expr(*address))),
        Terminator::Return(Some(value)) => Some(format!("return {}", texts.expr(*value))),
        Terminator::Return(None) => Some("return".to_string()),
        Terminator::Unreachable => Some("unreachable".to_string()),
    }
}

/// When control goes from a block to a target.
fn guard(program: &Program, texts: &BodyPrinter, body: &Body, block: &Block, target: BlockId) -> String {
    match &block.terminator {
        Terminator::Branch(_, yes, no) if yes == no => String::new(),
        Terminator::Branch(guard, yes, _) => {
            let text = texts.expr(*guard);
            if *yes == target { text } else { format!("!({text})") }
        }
        Terminator::Switch { value, cases, default } => {
            let ty = body.exprs[*value].ty;
            let number = |pattern| program.types.value(ty, pattern);
            let mut cases = cases.iter().filter(|case| case.target == target);
            let mut texts: Vec<String> = cases
                .by_ref()
                .take(MAX_CASES)
                .map(|case| match (number(case.low), number(case.high)) {
                    (low, high) if low == high => low.to_string(),
                    (low, high) => format!("{low} … {high}"),
                })
                .collect();
            if cases.next().is_some() {
                texts.push("…".to_string());
            }
            if *default == target {
                texts.push("default".to_string());
            }
            texts.join(", ")
        }
        Terminator::Goto(_) | Terminator::Computed(_) | Terminator::Return(_) | Terminator::Unreachable => String::new(),
    }
}

impl Node {
    /// The title and the lines as far as a box can hold them.
    pub fn drawn(&self) -> Vec<String> {
        let more = self.lines.len().saturating_sub(MAX_LINES);
        let mut drawn = vec![self.title.clone()];
        drawn.extend(self.lines.iter().take(MAX_LINES).map(|line| shortened(line, MAX_COLUMNS)));
        if more > 0 {
            drawn.push(format!("… {more} more"));
        }
        drawn
    }
}

/// The beginning of a text.
pub(super) fn shortened(text: &str, columns: usize) -> String {
    match text.char_indices().nth(columns) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

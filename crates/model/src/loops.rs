//! The loops of a body.
//!
//! A loop is a strongly connected part of the graph. What is left of it without its entries is taken apart again, which gives the
//! loops inside (Steensgaard, *Sequentializing program dependence graphs for irreducible programs*, 1993). A loop with one entry is
//! a natural loop; one with several is an irreducible region. Blocks that control cannot reach belong to no loop.

use crate::flow::FlowGraph;
use crate::graph::{BlockId, Body};

/// All loops of a body: outer ones before inner ones, siblings by the number of their header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopForest {
    /// The loops.
    pub loops: Vec<Loop>,
    innermost: Vec<Option<usize>>,
}

/// A loop, or an irreducible region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The only entry; of an irreducible region, the one that comes first in reverse postorder.
    pub header: BlockId,
    /// The blocks through which control comes in, ascending. More than one make the region irreducible.
    pub entries: Vec<BlockId>,
    /// All its blocks, ascending, those of inner loops included.
    pub blocks: Vec<BlockId>,
    /// The edges from inside to an entry, ascending.
    pub back_edges: Vec<(BlockId, BlockId)>,
    /// The edges that leave it, ascending.
    pub exits: Vec<(BlockId, BlockId)>,
    /// The loop around it, as a position in the forest.
    pub parent: Option<usize>,
    /// The loops directly inside it, as positions in the forest.
    pub children: Vec<usize>,
    /// How many loops are around it.
    pub depth: usize,
    /// The source loop that it comes from, as a position in the body's `loops`; `None` for a loop made of gotos. Source loops that share
    /// their head are one loop here, named by the first of them.
    pub source: Option<usize>,
}

impl Loop {
    /// Whether control can enter at more than one block.
    pub fn is_irreducible(&self) -> bool {
        self.entries.len() > 1
    }
    /// Whether the block belongs to this loop or to one inside it.
    pub fn contains(&self, block: BlockId) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }
}

impl LoopForest {
    /// The loops of a body of a verified program. The time is about the number of edges times the depth of nesting.
    pub fn new(body: &Body) -> Self {
        Self::of(body, &FlowGraph::new(body))
    }

    /// The loops of a body whose flow is known already.
    pub fn of(body: &Body, flow: &FlowGraph) -> Self {
        let mut components = Components::new(flow, body.blocks.len());
        let mut found: Vec<Loop> = Vec::new();
        let mut work: Vec<(Vec<BlockId>, Option<usize>)> = vec![(flow.reverse_postorder().to_vec(), None)];
        while let Some((blocks, parent)) = work.pop() {
            for component in components.cyclic(&blocks) {
                let region = components.loop_of(component, parent);
                let inside = region.blocks.iter().copied().filter(|block| region.entries.binary_search(block).is_err()).collect();
                work.push((inside, Some(found.len())));
                found.push(region);
            }
        }
        let mut forest = LoopForest { loops: ordered(found), innermost: vec![None; body.blocks.len()] };
        for (i, region) in forest.loops.iter().enumerate() {
            for block in &region.blocks {
                forest.innermost[block.index()] = Some(i);
            }
        }
        forest.find_sources(body);
        forest
    }

    /// The innermost loop around a block, as a position in the forest.
    pub fn innermost(&self, block: BlockId) -> Option<usize> {
        self.innermost.get(block.index()).copied().flatten()
    }

    /// A source loop belongs to the loop that its head enters. Where a goto leads past the head into the loop, the head may be no
    /// entry; then it belongs to the innermost loop around the head.
    fn find_sources(&mut self, body: &Body) {
        let mut exact = vec![false; self.loops.len()];
        for (i, source) in body.loops.iter().enumerate() {
            let Some(inner) = self.innermost(source.head) else { continue };
            let region = &mut self.loops[inner];
            let enters = region.entries.binary_search(&source.head).is_ok();
            if region.source.is_none() || enters && !exact[inner] {
                region.source = Some(i);
                exact[inner] = enters;
            }
        }
    }
}

/// Sorts siblings by header, puts parents before children, and fills in what depends on the positions.
fn ordered(found: Vec<Loop>) -> Vec<Loop> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    let mut roots = Vec::new();
    for (i, region) in found.iter().enumerate() {
        match region.parent {
            Some(parent) => children[parent].push(i),
            None => roots.push(i),
        }
    }
    for siblings in children.iter_mut().chain([&mut roots]) {
        siblings.sort_by_key(|i| std::cmp::Reverse(found[*i].header));
    }
    let mut slots: Vec<Option<Loop>> = found.into_iter().map(Some).collect();
    let mut loops: Vec<Loop> = Vec::with_capacity(slots.len());
    let mut stack: Vec<(usize, Option<usize>)> = roots.into_iter().map(|root| (root, None)).collect();
    while let Some((old, parent)) = stack.pop() {
        let Some(mut region) = slots[old].take() else { continue };
        let new = loops.len();
        region.parent = parent;
        if let Some(parent) = parent {
            region.depth = loops[parent].depth + 1;
            loops[parent].children.push(new);
        }
        loops.push(region);
        stack.extend(children[old].iter().map(|child| (*child, Some(new))));
    }
    loops
}

/// Tarjan's algorithm on parts of the graph, with tables that are reused from part to part.
struct Components<'a> {
    flow: &'a FlowGraph,
    /// The number of the part that a block was last seen in.
    part: Vec<u32>,
    parts: u32,
    /// When the walk met the block, and the earliest block on the stack that it leads to.
    met: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    /// Marks the blocks of the component at hand.
    inside: Vec<bool>,
}

const UNMET: usize = usize::MAX;

impl<'a> Components<'a> {
    fn new(flow: &'a FlowGraph, count: usize) -> Self {
        Components {
            flow,
            part: vec![0; count],
            parts: 0,
            met: vec![UNMET; count],
            low: vec![0; count],
            on_stack: vec![false; count],
            inside: vec![false; count],
        }
    }

    /// The strongly connected components of the graph restricted to these blocks that hold a cycle.
    fn cyclic(&mut self, blocks: &[BlockId]) -> Vec<Vec<BlockId>> {
        self.parts += 1;
        for block in blocks {
            self.part[block.index()] = self.parts;
            self.met[block.index()] = UNMET;
        }
        let mut components = Vec::new();
        let mut clock = 0;
        let mut stack = Vec::new();
        for &root in blocks {
            if self.met[root.index()] == UNMET {
                self.walk(root, &mut clock, &mut stack, &mut components);
            }
        }
        components
    }

    fn walk(&mut self, root: BlockId, clock: &mut usize, stack: &mut Vec<BlockId>, components: &mut Vec<Vec<BlockId>>) {
        let flow = self.flow;
        self.meet(root, clock, stack);
        let mut path = vec![(root, 0)];
        while let Some((block, next)) = path.last_mut() {
            let block = *block;
            if let Some(&to) = flow.successors(block).get(*next) {
                *next += 1;
                if self.part[to.index()] != self.parts {
                    continue;
                }
                if self.met[to.index()] == UNMET {
                    self.meet(to, clock, stack);
                    path.push((to, 0));
                } else if self.on_stack[to.index()] {
                    self.low[block.index()] = self.low[block.index()].min(self.met[to.index()]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[parent.index()] = self.low[parent.index()].min(self.low[block.index()]);
            }
            if self.low[block.index()] == self.met[block.index()] {
                let start = stack.iter().rposition(|other| *other == block).unwrap_or(0);
                let component = stack.split_off(start);
                for member in &component {
                    self.on_stack[member.index()] = false;
                }
                if component.len() > 1 || flow.successors(block).contains(&block) {
                    components.push(component);
                }
            }
        }
    }

    fn meet(&mut self, block: BlockId, clock: &mut usize, stack: &mut Vec<BlockId>) {
        self.met[block.index()] = *clock;
        self.low[block.index()] = *clock;
        *clock += 1;
        self.on_stack[block.index()] = true;
        stack.push(block);
    }

    /// The loop that these blocks form. Its position-dependent fields are still empty.
    fn loop_of(&mut self, mut blocks: Vec<BlockId>, parent: Option<usize>) -> Loop {
        blocks.sort();
        for block in &blocks {
            self.inside[block.index()] = true;
        }
        let outside = |block: &BlockId| !self.inside[block.index()] && self.flow.is_reachable(*block);
        let is_entry = |block: &BlockId| *block == Body::ENTRY || self.flow.predecessors(*block).iter().any(outside);
        let entries: Vec<BlockId> = blocks.iter().copied().filter(is_entry).collect();
        let mut back_edges = Vec::new();
        let mut exits = Vec::new();
        for &from in &blocks {
            for &to in self.flow.successors(from) {
                if !self.inside[to.index()] {
                    exits.push((from, to));
                } else if entries.binary_search(&to).is_ok() {
                    back_edges.push((from, to));
                }
            }
        }
        back_edges.sort();
        exits.sort();
        for block in &blocks {
            self.inside[block.index()] = false;
        }
        let header = entries.iter().copied().min_by_key(|block| self.flow.position(*block)).unwrap_or(Body::ENTRY);
        Loop { header, entries, blocks, back_edges, exits, parent, children: Vec::new(), depth: 0, source: None }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::arena::Id;
    use crate::graph::{Block, Case, LoopKind, SourceLoop, Terminator};
    use crate::span::Span;
    use expect_test::{Expect, expect};
    use std::fmt::Write;

    /// A body with these edges and nothing else.
    pub(crate) fn body(edges: &[&[u32]]) -> Body {
        let block = |targets: &&[u32]| {
            let case = |to: &u32| Case { low: 0, high: 0, target: Id::new(*to) };
            let terminator = match targets {
                [] => Terminator::Return(None),
                [to] => Terminator::Goto(Id::new(*to)),
                [yes, no] => Terminator::Branch(Id::new(0), Id::new(*yes), Id::new(*no)),
                [default, cases @ ..] => {
                    Terminator::Switch { value: Id::new(0), cases: cases.iter().map(case).collect(), default: Id::new(*default) }
                }
            };
            Block { commands: Vec::new(), terminator, span: Span::NONE }
        };
        Body { blocks: edges.iter().map(block).collect(), ..Body::default() }
    }

    fn text(body: &Body) -> String {
        let mut out = String::new();
        let list = |blocks: &[BlockId]| blocks.iter().map(|b| b.raw().to_string()).collect::<Vec<_>>().join(" ");
        let edges =
            |edges: &[(BlockId, BlockId)]| edges.iter().map(|(a, b)| format!("{}>{}", a.raw(), b.raw())).collect::<Vec<_>>().join(" ");
        for region in &LoopForest::new(body).loops {
            let pad = "  ".repeat(region.depth);
            let kind = if region.is_irreducible() { format!("irreducible [{}]", list(&region.entries)) } else { "loop".to_string() };
            let source = region.source.map(|s| format!(" source {s}")).unwrap_or_default();
            let (blocks, back, exits) = (list(&region.blocks), edges(&region.back_edges), edges(&region.exits));
            writeln!(out, "{pad}{kind} at {}: {blocks}; back {back}; exits {exits}{source}", region.header.raw()).unwrap();
        }
        out
    }

    fn check(edges: &[&[u32]], expected: Expect) {
        expected.assert_eq(&text(&body(edges)));
    }

    #[test]
    fn no_loop() {
        check(&[&[1, 2], &[3], &[3], &[]], expect![[""]]);
    }

    #[test]
    fn nested() {
        check(
            &[&[1], &[2, 6], &[3], &[4, 5], &[3], &[1], &[]],
            expect![[r#"
                loop at 1: 1 2 3 4 5; back 5>1; exits 1>6
                  loop at 3: 3 4; back 4>3; exits 3>5
            "#]],
        );
    }

    #[test]
    fn siblings_and_several_back_edges() {
        check(
            &[&[1], &[2, 3], &[1, 4], &[5, 6], &[1], &[3], &[]],
            expect![[r#"
                loop at 1: 1 2 4; back 2>1 4>1; exits 1>3
                loop at 3: 3 5; back 5>3; exits 3>6
            "#]],
        );
    }

    #[test]
    fn do_while_and_self_loop() {
        check(
            &[&[1], &[2], &[1, 3], &[3, 4], &[]],
            expect![[r#"
                loop at 1: 1 2; back 2>1; exits 2>3
                loop at 3: 3; back 3>3; exits 3>4
            "#]],
        );
    }

    #[test]
    fn entry_is_a_header() {
        check(
            &[&[0, 1], &[]],
            expect![[r#"
                loop at 0: 0; back 0>0; exits 0>1
            "#]],
        );
    }

    #[test]
    fn irreducible() {
        check(
            &[&[1, 2], &[2, 3], &[1], &[]],
            expect![[r#"
                irreducible [1 2] at 1: 1 2; back 1>2 2>1; exits 1>3
            "#]],
        );
    }

    #[test]
    fn irreducible_inside_a_loop_and_a_loop_inside_it() {
        check(
            &[&[1], &[2, 6], &[3, 4], &[4], &[5, 3], &[5, 1], &[]],
            expect![[r#"
                loop at 1: 1 2 3 4 5; back 5>1; exits 1>6
                  irreducible [3 4] at 3: 3 4; back 3>4 4>3; exits 4>5
                  loop at 5: 5; back 5>5; exits 5>1
            "#]],
        );
        check(
            &[&[1, 2], &[3], &[3], &[4, 3], &[1, 2, 5], &[]],
            expect![[r#"
                irreducible [1 2] at 1: 1 2 3 4; back 4>1 4>2; exits 4>5
                  loop at 3: 3; back 3>3; exits 3>4
            "#]],
        );
    }

    #[test]
    fn unreachable_blocks_are_in_no_loop() {
        // Block 3 loops unreachably and jumps into the loop 1-2, which stays reducible.
        check(
            &[&[1], &[2, 4], &[1], &[3, 2], &[]],
            expect![[r#"
                loop at 1: 1 2; back 2>1; exits 1>4
            "#]],
        );
        assert_eq!(LoopForest::new(&body(&[&[], &[1]])).innermost(Id::new(1)), None);
    }

    #[test]
    fn computed_goto() {
        let mut body = body(&[&[1], &[], &[1], &[]]);
        body.blocks[Id::new(1)].terminator = Terminator::Computed(Id::new(0));
        body.address_taken = vec![Id::new(2), Id::new(3)];
        expect![[r#"
            loop at 1: 1 2; back 2>1; exits 1>3
        "#]]
        .assert_eq(&text(&body));
    }

    #[test]
    fn sources() {
        let mut body = body(&[&[1], &[2, 4], &[3], &[2, 1], &[4, 5], &[]]);
        let source = |head| SourceLoop { kind: LoopKind::While, head: Id::new(head), span: Span::NONE };
        body.loops = vec![source(1), source(3)];
        // Loop 2-3 is entered at 2 although its head is 3; loop 4 is a goto.
        expect![[r#"
            loop at 1: 1 2 3; back 3>1; exits 1>4 source 0
              loop at 2: 2 3; back 3>2; exits 3>1 source 1
            loop at 4: 4; back 4>4; exits 4>5
        "#]]
        .assert_eq(&text(&body));
    }

    #[test]
    fn deep_chains_need_no_stack() {
        let edges: Vec<Vec<u32>> = (0..100_000).map(|i| if i == 99_999 { vec![1] } else { vec![i + 1] }).collect();
        let edges: Vec<&[u32]> = edges.iter().map(Vec::as_slice).collect();
        let forest = LoopForest::new(&body(&edges));
        assert_eq!(forest.loops.len(), 1);
        assert_eq!(forest.loops[0].blocks.len(), 99_999);
    }
}

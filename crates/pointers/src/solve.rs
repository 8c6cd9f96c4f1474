//! Solving the constraints: locations flow along edges until nothing is new.
//!
//! Only news are passed on (difference propagation). Nodes are worked on in the order in which edges lead from one to the next; nodes on a cycle
//! have the same set in the end, so they are merged whenever enough edges came together to make cycles likely.

use std::cmp::Reverse;

use model::Id;

use crate::graph::{Graph, NodeId};

impl Graph<'_> {
    /// Passes on all news, until there are none or a call has to be connected first.
    pub fn propagate(&mut self) {
        if self.nodes.iter().all(|node| node.rank == u32::MAX) {
            self.collapse_cycles();
        }
        while self.called.is_empty() && self.exposed.is_empty() {
            if self.new_edges > 2000 + self.nodes.len() / 8 {
                self.collapse_cycles();
            }
            let Some(Reverse((_, node))) = self.work.pop() else { return };
            // The node may have been merged, or worked on already.
            let node = self.find(node);
            let news = std::mem::take(&mut self.nodes[node].news);
            if news.is_empty() {
                continue;
            }
            for to in self.nodes[node].edges.clone() {
                let to = self.find(to);
                if to != node {
                    self.add_set(to, &news);
                }
            }
            for what in self.nodes[node].uses.clone() {
                for location in news.iter() {
                    self.apply(what, Id::new(location));
                }
            }
        }
    }

    /// Merges the nodes of each cycle, and puts all nodes in the order of the edges. This is Tarjan's algorithm with a stack of its own.
    fn collapse_cycles(&mut self) {
        self.new_edges = 0;
        self.tidy();
        let mut search = Search { order: vec![0; self.nodes.len()], low: vec![0; self.nodes.len()], ..Search::default() };
        for node in self.nodes.ids() {
            if self.find(node) == node && search.order[node.index()] == 0 {
                search.run(self, node);
            }
        }
        let last = search.components.len();
        for (position, component) in search.components.iter().enumerate() {
            let Some((&head, rest)) = component.split_first() else { continue };
            rest.iter().for_each(|&node| self.merge(node, head));
            // Components come out last first.
            self.nodes[head].rank = (last - position) as u32;
        }
        // What gets outside is no longer told apart, so the sooner that is known the less there is to do.
        let known = self.find(self.known);
        self.nodes[known].rank = 0;
        self.work.clear();
        for (id, node) in self.nodes.enumerate() {
            if !node.news.is_empty() {
                self.work.push(Reverse((node.rank, id)));
            }
        }
    }

    /// Lets edges lead to the nodes that others were merged into, each once, and drops what is implied.
    fn tidy(&mut self) {
        for node in self.nodes.ids() {
            let mut edges = std::mem::take(&mut self.nodes[node].edges);
            edges.iter_mut().for_each(|to| *to = self.find(*to));
            edges.sort_unstable();
            edges.dedup();
            edges.retain(|to| *to != node);
            self.nodes[node].edges = edges;
            self.prune(node);
        }
    }
}

/// The state of the search for cycles.
#[derive(Default)]
struct Search {
    /// When a node was found, from 1 on; 0 if it was not.
    order: Vec<u32>,
    /// The earliest node that is known to be on a cycle with it; `u32::MAX` when its component is complete.
    low: Vec<u32>,
    found: u32,
    open: Vec<NodeId>,
    components: Vec<Vec<NodeId>>,
}

impl Search {
    fn run(&mut self, graph: &Graph<'_>, start: NodeId) {
        let mut path = vec![(start, 0)];
        self.enter(start);
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if let Some(&to) = graph.nodes[node].edges.get(*next) {
                *next += 1;
                if self.order[to.index()] == 0 {
                    self.enter(to);
                    path.push((to, 0));
                } else if self.low[to.index()] != u32::MAX {
                    self.low[node.index()] = self.low[node.index()].min(self.order[to.index()]);
                }
                continue;
            }
            path.pop();
            let low = self.low[node.index()];
            if let Some((parent, _)) = path.last() {
                self.low[parent.index()] = self.low[parent.index()].min(low);
            }
            if low == self.order[node.index()] {
                self.close(node);
            }
        }
    }
    fn enter(&mut self, node: NodeId) {
        self.found += 1;
        self.order[node.index()] = self.found;
        self.low[node.index()] = self.found;
        self.open.push(node);
    }
    /// The nodes from this one on are a component.
    fn close(&mut self, node: NodeId) {
        let mut component = Vec::new();
        while let Some(member) = self.open.pop() {
            self.low[member.index()] = u32::MAX;
            component.push(member);
            if member == node {
                break;
            }
        }
        self.components.push(component);
    }
}

//! The flow of control through a body: who follows whom, in which order, and who dominates whom.

use crate::graph::{BlockId, Body};

/// The edges between the blocks of a body, each once, and the blocks that control can reach. A computed goto leads to every block
/// of `address_taken`.
pub struct FlowGraph {
    successors: Vec<Vec<BlockId>>,
    predecessors: Vec<Vec<BlockId>>,
    order: Vec<BlockId>,
    position: Vec<Option<usize>>,
}

impl FlowGraph {
    /// The flow of control through a body of a verified program.
    pub fn new(body: &Body) -> Self {
        let count = body.blocks.len();
        let mut successors: Vec<Vec<BlockId>> = Vec::with_capacity(count);
        let mut predecessors = vec![Vec::new(); count];
        let mut seen = vec![usize::MAX; count];
        for (from, block) in body.blocks.enumerate() {
            let mut next = Vec::new();
            for to in block.terminator.successors(&body.address_taken) {
                if seen[to.index()] != from.index() {
                    seen[to.index()] = from.index();
                    next.push(to);
                    predecessors[to.index()].push(from);
                }
            }
            successors.push(next);
        }
        let order = reverse_postorder(&successors);
        let mut position = vec![None; count];
        for (i, block) in order.iter().enumerate() {
            position[block.index()] = Some(i);
        }
        FlowGraph { successors, predecessors, order, position }
    }

    /// The blocks that may come next, each once, in the order in which the terminator names them.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block.index()]
    }

    /// The blocks that may come before, ascending, unreachable ones included.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    /// The reachable blocks, each after its predecessors except where control goes back.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.order
    }

    /// Whether control can come to the block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.index()].is_some()
    }

    /// The position of a reachable block in the reverse postorder.
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.position[block.index()]
    }

    /// The dominator tree of the reachable blocks, by the iteration of Cooper, Harvey and Kennedy.
    pub fn dominators(&self) -> Dominators {
        let mut parents: Vec<usize> = vec![usize::MAX; self.order.len()];
        if let Some(entry) = parents.first_mut() {
            *entry = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (i, &block) in self.order.iter().enumerate().skip(1) {
                let known = self.predecessors(block).iter().filter_map(|p| self.position(*p)).filter(|p| parents[*p] != usize::MAX);
                let parent = known.reduce(|a, b| common_ancestor(&parents, a, b)).unwrap_or(0);
                if parents[i] != parent {
                    parents[i] = parent;
                    changed = true;
                }
            }
        }
        let mut immediate = vec![None; self.position.len()];
        for (i, block) in self.order.iter().enumerate().skip(1) {
            immediate[block.index()] = Some(self.order[parents[i]]);
        }
        Dominators::new(immediate, &self.order)
    }
}

/// Where two walks up the half-made dominator tree meet; nodes are positions in reverse postorder, so parents are smaller.
fn common_ancestor(parents: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = parents[a];
        } else {
            b = parents[b];
        }
    }
    a
}

fn reverse_postorder(successors: &[Vec<BlockId>]) -> Vec<BlockId> {
    let mut order = Vec::new();
    if successors.is_empty() {
        return order;
    }
    let mut seen = vec![false; successors.len()];
    seen[Body::ENTRY.index()] = true;
    let mut stack = vec![(Body::ENTRY, 0)];
    while let Some((block, next)) = stack.last_mut() {
        match successors[block.index()].get(*next) {
            Some(&to) => {
                *next += 1;
                if !seen[to.index()] {
                    seen[to.index()] = true;
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The dominator tree of a body.
pub struct Dominators {
    immediate: Vec<Option<BlockId>>,
    /// Entry and exit times of a walk over the tree; `None` for unreachable blocks.
    times: Vec<Option<(usize, usize)>>,
}

impl Dominators {
    fn new(immediate: Vec<Option<BlockId>>, order: &[BlockId]) -> Self {
        // In reverse postorder a parent comes before its children: sizes add up backwards, times are handed out forwards.
        let mut sizes = vec![1; immediate.len()];
        for block in order.iter().rev() {
            if let Some(parent) = immediate[block.index()] {
                sizes[parent.index()] += sizes[block.index()];
            }
        }
        let mut times = vec![None; immediate.len()];
        let mut next = vec![0; immediate.len()];
        for block in order {
            let start = match immediate[block.index()] {
                Some(parent) => {
                    let start = next[parent.index()];
                    next[parent.index()] += sizes[block.index()];
                    start
                }
                None => 0,
            };
            next[block.index()] = start + 1;
            times[block.index()] = Some((start, start + sizes[block.index()]));
        }
        Dominators { immediate, times }
    }

    /// The closest block that every run passes before this one; `None` for the entry and for unreachable blocks.
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate[block.index()]
    }

    /// Whether every run to `block` passes `dominator` (each block dominates itself). False if either is unreachable.
    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        match (self.times[dominator.index()], self.times[block.index()]) {
            (Some((start, end)), Some((time, _))) => start <= time && time < end,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Id;
    use crate::loops::tests::body;

    #[test]
    fn diamond() {
        let flow = FlowGraph::new(&body(&[&[1, 2], &[3], &[3], &[], &[3]]));
        let order: Vec<u32> = flow.reverse_postorder().iter().map(|b| b.raw()).collect();
        assert_eq!(order, [0, 2, 1, 3]);
        assert!(!flow.is_reachable(Id::new(4)));
        assert_eq!(flow.predecessors(Id::new(3)), [Id::new(1), Id::new(2), Id::new(4)]);
        let dominators = flow.dominators();
        assert_eq!(dominators.immediate(Id::new(3)), Some(Id::new(0)));
        assert_eq!(dominators.immediate(Id::new(0)), None);
        assert!(dominators.dominates(Id::new(0), Id::new(3)));
        assert!(dominators.dominates(Id::new(3), Id::new(3)));
        assert!(!dominators.dominates(Id::new(1), Id::new(3)));
        assert!(!dominators.dominates(Id::new(0), Id::new(4)));
    }

    #[test]
    fn dominators_of_an_irreducible_graph() {
        let flow = FlowGraph::new(&body(&[&[1, 2], &[2], &[1, 3], &[0]]));
        let dominators = flow.dominators();
        let parents: Vec<Option<u32>> = (0..4).map(|b| dominators.immediate(Id::new(b)).map(|p| p.raw())).collect();
        assert_eq!(parents, [None, Some(0), Some(0), Some(2)]);
    }
}

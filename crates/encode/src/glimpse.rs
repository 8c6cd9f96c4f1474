//! A glimpse of a loop with others inside, before it is summarised.
//!
//! What loops inside know may rest on candidates of the loops around, which are tested later. Where those are wrong, it is known in vain. So the body is walked
//! once before, with the loops inside followed for an iteration at most, and candidates that such a walk does not keep are left out. Nothing is concluded from
//! what is seen: iterations of the loop with few rounds inside are iterations of it, so a candidate that they do not keep, whatever other candidates help, would
//! be dropped in the end; and dropping a candidate without need is no harm to soundness.

use std::rc::Rc;

use model::{BlockId, Callee, CommandKind, FunctionId, Loop};

use crate::encoder::{Encoder, Info};
use crate::evaluate::Moments;
use crate::leap::Next;
use crate::state::State;
use crate::trial::Trial;

/// Callees of callees that are looked at for loops.
const DEPTH: u32 = 3;

impl<'p> Encoder<'p> {
    /// Leaves out the candidates that a glimpse of the loop refutes.
    pub(crate) fn glimpse(
        &mut self,
        info: &Rc<Info<'p>>,
        number: usize,
        (start, head, after): (usize, &State, &Moments<'_>),
        tested: &mut Vec<Trial>,
        returned: &mut Vec<State>,
    ) {
        let region = &info.loops.loops[number];
        let wanted = self.summarizer.as_ref().is_some_and(|summarizer| summarizer.glimpses());
        if !wanted || tested.is_empty() || !self.has_loops_inside(info, region) {
            return;
        }
        let before = self.mark(returned);
        self.glimpse = Some(0);
        let (again, _) = self.try_iteration(info, number, (head, start), tested, returned);
        self.glimpse = None;
        if let Some(again) = again {
            let after = Moments { now: &again, ..*after };
            let terms = self.tests(info, &after, tested, before.heap_pointers);
            let mut refuted = self.refuted(&terms, start, [after.entry, head, &again]).into_iter();
            tested.retain(|_| refuted.next() != Some(true));
        }
        self.go_back(&before, returned);
    }

    /// A loop inside of one that is glimpsed at: the states that leave it at once, or after an iteration. Deeper inside, at once.
    pub(crate) fn glimpse_inside(
        &mut self,
        info: &Rc<Info<'p>>,
        number: usize,
        state: State,
        depth: u32,
        returned: &mut Vec<State>,
    ) -> Next {
        self.glimpse = Some(depth + 1);
        let (again, mut left) = self.iteration(info, number, state, returned);
        if let Some(again) = again.filter(|_| depth == 0) {
            left.extend(self.iteration(info, number, again, returned).1);
        }
        self.glimpse = Some(depth);
        left
    }

    /// Whether a loop has others inside, in the functions of the program that it calls too.
    fn has_loops_inside(&mut self, info: &Rc<Info<'p>>, region: &Loop) -> bool {
        if !region.children.is_empty() {
            return true;
        }
        let mut open: Vec<(FunctionId, u32)> = self.called_in(info, &region.blocks).into_iter().map(|callee| (callee, 1)).collect();
        let mut seen: Vec<FunctionId> = Vec::new();
        while let Some((function, depth)) = open.pop() {
            if depth > DEPTH || seen.contains(&function) || self.program.is_library(self.program.functions[function].span) {
                continue;
            }
            seen.push(function);
            let Some(callee) = self.info(function) else { continue };
            if !callee.loops.loops.is_empty() {
                return true;
            }
            let blocks: Vec<BlockId> = callee.body.blocks.ids().collect();
            open.extend(self.called_in(&callee, &blocks).into_iter().map(|callee| (callee, depth + 1)));
        }
        false
    }

    /// The functions that some blocks call by name.
    fn called_in(&self, info: &Info<'p>, blocks: &[BlockId]) -> Vec<FunctionId> {
        let commands = blocks.iter().flat_map(|&block| &info.body.blocks[block].commands);
        let callee = |command: &model::Command| match command.kind {
            CommandKind::Call { callee: Callee::Direct(callee), .. } => Some(callee),
            _ => None,
        };
        commands.filter_map(callee).collect()
    }
}

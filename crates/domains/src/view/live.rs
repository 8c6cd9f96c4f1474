//! Which variables matter at a loop's head: those whose value there may be read before it is written again.

use encode::Head;
use model::{BlockId, Body, Command, CommandKind, ExprId, FunctionId, LocalId, PlaceId, PlaceKind};
use pointers::Analysis;
use rustc_hash::{FxHashMap, FxHashSet};

use super::walk::Walk;

/// So many blocks behind a loop are looked at, so that functions with many loops do not cost the square of their size.
const BEHIND: usize = 200;

/// The part of a function that is looked at.
pub struct Scope {
    /// The loop's blocks.
    pub inside: Vec<BlockId>,
    /// The nearest blocks that control comes to behind it.
    pub behind: Vec<BlockId>,
}

impl Scope {
    /// The surroundings of a loop.
    pub fn of(head: &Head<'_, '_>) -> Self {
        let mut seen: FxHashSet<BlockId> = head.region.blocks.iter().copied().collect();
        let mut behind: Vec<BlockId> = head.region.exits.iter().map(|(_, to)| *to).filter(|to| seen.insert(*to)).collect();
        let mut next = 0;
        while let Some(&block) = behind.get(next) {
            next += 1;
            for to in head.body.blocks[block].terminator.successors(&head.body.address_taken) {
                if behind.len() < BEHIND && seen.insert(to) {
                    behind.push(to);
                }
            }
        }
        Scope { inside: head.region.blocks.clone(), behind }
    }
    /// All its blocks.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockId> + '_ {
        self.inside.iter().chain(&self.behind).copied()
    }
    /// The locals whose values at the head may be read later.
    pub fn live(&self, head: &Head<'_, '_>) -> FxHashSet<LocalId> {
        let blocks: Vec<BlockId> = self.blocks().collect();
        live_at(head.analysis, head.function, head.body, &blocks, head.region.header)
    }
}

/// A set of locals, 64 of them in a word.
#[derive(Clone, PartialEq, Eq)]
struct Locals(Vec<u64>);

impl Locals {
    fn none(body: &Body) -> Self {
        Locals(vec![0; body.locals.len() / 64 + 1])
    }
    fn set(&mut self, local: LocalId, value: bool) {
        let (word, bit) = (local.index() / 64, 1 << (local.index() % 64));
        if value {
            self.0[word] |= bit;
        } else {
            self.0[word] &= !bit;
        }
    }
    fn has(&self, local: LocalId) -> bool {
        self.0[local.index() / 64] >> (local.index() % 64) & 1 == 1
    }
    fn add(&mut self, others: &Locals) {
        self.0.iter_mut().zip(&others.0).for_each(|(word, other)| *word |= other);
    }
}

/// The locals whose values at the beginning of a block may be read later, as far as these blocks tell.
fn live_at(analysis: &Analysis<'_>, function: FunctionId, body: &Body, blocks: &[BlockId], start: BlockId) -> FxHashSet<LocalId> {
    let mut walk = Walk::new(body);
    let effects: Vec<(BlockId, Effects)> =
        blocks.iter().map(|block| (*block, Effects::of(analysis, function, body, *block, &mut walk))).collect();
    let mut beyond = Locals::none(body);
    let named = effects.iter().flat_map(|(_, effects)| &effects.0).filter(|(local, _)| !body.locals[*local].temporary);
    named.for_each(|(local, _)| beyond.set(*local, true));
    let mut live_in: FxHashMap<BlockId, Locals> = blocks.iter().map(|block| (*block, Locals::none(body))).collect();
    let mut changed = true;
    while changed {
        changed = false;
        // Successors tend to come later.
        for (block, effects) in effects.iter().rev() {
            let mut live = Locals::none(body);
            for next in body.blocks[*block].terminator.successors(&body.address_taken) {
                // What is read beyond the part that is looked at is not known; hardly a temporary, which is read soon after it is written.
                live.add(live_in.get(&next).unwrap_or(&beyond));
            }
            effects.apply(&mut live);
            if live_in.get(block) != Some(&live) {
                live_in.insert(*block, live);
                changed = true;
            }
        }
    }
    let live = live_in.remove(&start);
    body.locals.ids().filter(|local| live.as_ref().is_some_and(|live| live.has(*local))).collect()
}

/// What a block does to the locals, last things first: it reads them, or their old value is lost.
struct Effects(Vec<(LocalId, bool)>);

impl Effects {
    fn of(analysis: &Analysis<'_>, function: FunctionId, body: &Body, block: BlockId, walk: &mut Walk<'_>) -> Self {
        let mut effects = Effects(Vec::new());
        let block = &body.blocks[block];
        effects.reads(body, walk, block.terminator.expr(), None);
        for Command { kind, .. } in block.commands.iter().rev() {
            let whole = kind.place().and_then(|place| match body.places[place].kind {
                PlaceKind::Local(local) => Some(local),
                _ => None,
            });
            if let Some(local) = whole.filter(|local| !analysis.address_taken(function, *local)) {
                effects.0.push((local, false));
            }
            if let CommandKind::Live(local) | CommandKind::LiveArray(local, _) | CommandKind::Dead(local) = kind {
                effects.0.push((*local, false));
            }
            // Checks look at what the program is about to look at itself.
            if !super::mine::is_check(kind) {
                effects.reads(body, walk, kind.exprs(), kind.place());
            }
        }
        effects
    }
    fn reads(&mut self, body: &Body, walk: &mut Walk<'_>, exprs: impl IntoIterator<Item = ExprId>, dst: Option<PlaceId>) {
        exprs.into_iter().for_each(|expr| walk.expr(expr));
        // The variable that is written as a whole is not read.
        if let Some(dst) = dst.filter(|dst| !matches!(body.places[*dst].kind, PlaceKind::Local(_))) {
            walk.place(dst);
        }
        for place in walk.take().places {
            if let PlaceKind::Local(local) = body.places[place].kind {
                self.0.push((local, true));
            }
        }
    }
    fn apply(&self, live: &mut Locals) {
        for (local, read) in &self.0 {
            live.set(*local, *read);
        }
    }
}

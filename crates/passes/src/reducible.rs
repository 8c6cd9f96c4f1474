//! Irreducible graphs made reducible, by the translation of Ashcroft and Manna (*The translation of 'go to' programs to 'while' programs*,
//! 1971): a variable says where to enter a region, and one block in front of the region looks at it.
//!
//! Contract. Given a program that satisfies the model's invariants:
//! - the result satisfies them too, and no loop of its functions has more than one entry;
//! - a run of the result does what a run of the program did, with the same faults at the same places. One exception: the computed gotos of
//!   an irreducible function become one, so where one of them leads to no label, the first of them is blamed; the check for it
//!   (`checks`) is to be added before;
//! - a function that is reducible stays as it is. Elsewhere only edges to the entries of irreducible regions change, and computed gotos
//!   if one of them leads to such an entry; blocks and labels keep their numbers, new blocks come behind them;
//! - a source loop whose head was an entry of an irreducible region has the region's new head.

use model::{
    Block, BlockId, Body, Case, Command, CommandKind, Expr, ExprId, ExprKind, Local, LocalId, Loop, LoopForest, Place, PlaceId, PlaceKind,
    Program, Span, Terminator, TypeId, Types, rename,
};
use rustc_hash::{FxHashMap, FxHashSet};

#[cfg(test)]
mod tests;

/// Makes all functions reducible; see the module for what that means.
pub fn make_reducible(program: &mut Program) {
    for function in program.functions.iter_mut() {
        if let Some(body) = &mut function.body {
            reduce(&mut program.types, body);
        }
    }
}

/// Every block is the entry of at most one loop, because what is inside a loop is found without its entries. So the regions do not disturb
/// each other: once all edges to the entries of one lead to its dispatch block, the entries have no other predecessor, and what is left of
/// the region without that block are the regions inside as they were. One round is enough.
fn reduce(types: &mut Types, body: &mut Body) {
    let mut regions = irreducible(body);
    let labels: FxHashSet<BlockId> = body.address_taken.iter().copied().collect();
    if regions.iter().flat_map(|region| &region.entries).any(|entry| labels.contains(entry)) && merge_computed(body) {
        regions = irreducible(body);
    }
    if regions.is_empty() {
        return;
    }
    let selector_type = types.int(32, false);
    let old = body.blocks.len();
    let doors: Vec<Door> = regions.into_iter().map(|region| Door::new(body, region, selector_type)).collect();
    let entries: FxHashMap<BlockId, (usize, usize)> = doors
        .iter()
        .enumerate()
        .flat_map(|(door, Door { region, .. })| region.entries.iter().enumerate().map(move |(entry, block)| (*block, (door, entry))))
        .collect();
    redirect(body, old, &doors, &entries);
    if body.blocks.iter().any(|block| matches!(block.terminator, Terminator::Computed(_))) {
        doors.iter().for_each(|door| door.move_labels(body, &labels));
    }
    for source in &mut body.loops {
        if let Some(&(door, _)) = entries.get(&source.head) {
            source.head = doors[door].dispatch;
        }
    }
}

fn irreducible(body: &Body) -> Vec<Loop> {
    LoopForest::new(body).loops.into_iter().filter(Loop::is_irreducible).collect()
}

/// Lets all computed gotos go through one block, since some may be inside of a region that others enter; false if there is at most one.
fn merge_computed(body: &mut Body) -> bool {
    let computed: Vec<(BlockId, ExprId, Span)> = body
        .blocks
        .enumerate()
        .filter_map(|(id, block)| match block.terminator {
            Terminator::Computed(target) => Some((id, target, block.span)),
            _ => None,
        })
        .collect();
    let [(_, first, span), _, ..] = computed[..] else { return false };
    let common = variable(body, body.exprs[first].ty, span);
    let value = body.exprs.push(Expr { kind: ExprKind::Load(common.place), ty: common.ty, span });
    let hub = body.blocks.push(Block { commands: Vec::new(), terminator: Terminator::Computed(value), span });
    for (id, target, span) in computed {
        let src = if body.exprs[target].ty == common.ty {
            target
        } else {
            body.exprs.push(Expr { kind: ExprKind::Cast(target), ty: common.ty, span })
        };
        let block = &mut body.blocks[id];
        block.commands.push(Command { kind: CommandKind::Assign { dst: common.place, src }, span });
        block.terminator = Terminator::Goto(hub);
    }
    true
}

/// A new variable that is written before each use.
#[derive(Clone, Copy)]
struct Variable {
    place: PlaceId,
    ty: TypeId,
}

fn variable(body: &mut Body, ty: TypeId, span: Span) -> Variable {
    let local: LocalId = body.locals.push(Local { name: String::new(), ty, span, temporary: true });
    let place = body.places.push(Place { kind: PlaceKind::Local(local), ty, volatile: false, span });
    Variable { place, ty }
}

/// The one way into a region.
struct Door {
    region: Loop,
    selector: Variable,
    /// The block that looks at the selector and goes to the entry that is meant.
    dispatch: BlockId,
}

impl Door {
    fn new(body: &mut Body, region: Loop, ty: TypeId) -> Self {
        let span = start(body, region.header);
        let selector = variable(body, ty, span);
        let value = body.exprs.push(Expr { kind: ExprKind::Load(selector.place), ty, span });
        let case = |(number, target): (usize, &BlockId)| Case { low: number as u128, high: number as u128, target: *target };
        // The header stands for all the numbers that the selector never has.
        let cases = region.entries.iter().enumerate().filter(|(_, entry)| **entry != region.header).map(case).collect();
        let terminator = Terminator::Switch { value, cases, default: region.header };
        let dispatch = body.blocks.push(Block { commands: Vec::new(), terminator, span });
        Door { region, selector, dispatch }
    }

    /// A block that chooses an entry and goes to the door.
    fn approach(&self, body: &mut Body, entry: usize) -> Block {
        let span = start(body, self.region.entries[entry]);
        let src = body.exprs.push(Expr { kind: ExprKind::Int(entry as u128), ty: self.selector.ty, span });
        let choice = Command { kind: CommandKind::Assign { dst: self.selector.place, src }, span };
        Block { commands: vec![choice], terminator: Terminator::Goto(self.dispatch), span }
    }

    /// The address of a label is data, so edges of computed gotos cannot be led elsewhere. Instead the label's block becomes a way to the
    /// door, and what it did moves behind. All other edges are redirected already, and there is only one computed goto: so all
    /// ways through this block come from inside the region, or all come from outside.
    fn move_labels(&self, body: &mut Body, labels: &FxHashSet<BlockId>) {
        let mut moved: FxHashMap<BlockId, BlockId> = FxHashMap::default();
        for (number, entry) in self.region.entries.iter().enumerate().filter(|(_, entry)| labels.contains(entry)) {
            let approach = self.approach(body, number);
            let content = std::mem::replace(&mut body.blocks[*entry], approach);
            moved.insert(*entry, body.blocks.push(content));
        }
        let place = |to: BlockId| moved.get(&to).copied().unwrap_or(to);
        rename::terminator(&mut body.blocks[self.dispatch].terminator, &|e| e, &place);
    }
}

/// Where the first thing that a block does stands in the source.
fn start(body: &Body, block: BlockId) -> Span {
    let block = &body.blocks[block];
    block.commands.first().map_or(block.span, |command| command.span)
}

/// Leads the edges of the old blocks to entries through blocks that choose the entry. Edges from inside and from outside have blocks of
/// their own: a shared one would be an entry again.
fn redirect(body: &mut Body, old: usize, doors: &[Door], entries: &FxHashMap<BlockId, (usize, usize)>) {
    let mut approaches: FxHashMap<(BlockId, bool), BlockId> = FxHashMap::default();
    for from in body.blocks.ids().take(old) {
        // A computed goto has no targets of its own here: the labels' blocks take care of it.
        let targets: Vec<BlockId> = body.blocks[from].terminator.successors(&[]).collect();
        for target in targets {
            let Some(&(door, entry)) = entries.get(&target) else { continue };
            let inside = doors[door].region.contains(from);
            approaches.entry((target, inside)).or_insert_with(|| {
                let approach = doors[door].approach(body, entry);
                body.blocks.push(approach)
            });
        }
        let choose = |target: BlockId| {
            let inside = entries.get(&target).is_some_and(|(door, _)| doors[*door].region.contains(from));
            approaches.get(&(target, inside)).copied().unwrap_or(target)
        };
        rename::terminator(&mut body.blocks[from].terminator, &|e| e, &choose);
    }
}

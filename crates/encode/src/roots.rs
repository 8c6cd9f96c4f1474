//! Writes of a loop through pointers that stay in their objects.
//!
//! The pointer analysis tells what a pointer of a function may lead to in any call. The state in which a loop is entered tells more: if the loop only moves
//! a pointer inside of its object (or not at all), the pointer leads to the object that it had when the loop was entered, and what is written through it is
//! in that object and in no other. Soundness: by induction over the assignments that a run of the loop makes, each of which leaves the object of such a variable what it
//! was; nothing else changes a variable that nothing points to.

use model::{BlockId, Body, CommandKind, ExprId, ExprKind, LocalId, PlaceId, PlaceKind, Type, Types};
use rustc_hash::FxHashMap;

/// No longer chains of assignments and expressions than this are followed.
const STEPS: usize = 64;

/// The blocks of a loop.
pub(crate) struct Roots<'a> {
    types: &'a Types,
    body: &'a Body,
    /// The variables that something may point to: commands change them without naming them.
    in_memory: &'a [bool],
    /// For each variable that commands of the loop change: which commands.
    changes: FxHashMap<LocalId, Vec<(BlockId, usize)>>,
}

impl<'a> Roots<'a> {
    pub(crate) fn new(types: &'a Types, body: &'a Body, in_memory: &'a [bool], blocks: &[BlockId]) -> Self {
        let mut changes: FxHashMap<LocalId, Vec<(BlockId, usize)>> = FxHashMap::default();
        for &block in blocks {
            for (position, command) in body.blocks[block].commands.iter().enumerate() {
                if let Some(local) = changed(body, &command.kind) {
                    changes.entry(local).or_default().push((block, position));
                }
            }
        }
        Roots { types, body, in_memory, changes }
    }

    /// The variable through which a command writes memory, if all it writes is in the object that this variable pointed to when the loop was entered.
    pub(crate) fn of_command(&self, block: BlockId, position: usize) -> Option<LocalId> {
        let (CommandKind::Assign { dst: place, .. } | CommandKind::Havoc(place)) = self.body.blocks[block].commands.get(position)?.kind
        else {
            return None;
        };
        let PlaceKind::Deref(pointer) = self.body.places[outermost(self.body, place)].kind else { return None };
        let local = self.root(pointer, block, position)?;
        self.stays(local).then_some(local)
    }

    /// Variables to whose objects a pointer variable always points, as they were when the loop was entered: itself, those that the loop gives it, those that it
    /// gives them, and so on. None if it may get something else.
    pub(crate) fn sources(&self, local: LocalId) -> Option<Vec<LocalId>> {
        let mut sources = vec![local];
        let mut next = 0;
        while let Some(&local) = sources.get(next) {
            next += 1;
            for &(block, position) in self.changes.get(&local).into_iter().flatten() {
                let CommandKind::Assign { src, .. } = self.body.blocks[block].commands[position].kind else { return None };
                let root = self.root(src, block, position)?;
                if !sources.contains(&root) {
                    sources.push(root);
                }
            }
        }
        Some(sources)
    }

    /// Where the blocks are those of a whole function: the parameters through which a command writes memory, if all it writes is in the objects that they
    /// pointed to when the call began.
    pub(crate) fn parameters_of_command(&self, block: BlockId, position: usize) -> Option<Vec<LocalId>> {
        let (CommandKind::Assign { dst: place, .. } | CommandKind::Havoc(place)) = self.body.blocks[block].commands.get(position)?.kind
        else {
            return None;
        };
        let PlaceKind::Deref(pointer) = self.body.places[outermost(self.body, place)].kind else { return None };
        self.parameters(pointer, block, position)
    }

    /// The same for the object that a pointer leads to. A variable has no value before it gets one, so that only what it gets counts.
    pub(crate) fn parameters(&self, pointer: ExprId, block: BlockId, position: usize) -> Option<Vec<LocalId>> {
        let mut reached = vec![self.root(pointer, block, position)?];
        let mut next = 0;
        while let Some(&local) = reached.get(next) {
            next += 1;
            for &(block, position) in self.changes.get(&local).into_iter().flatten() {
                match self.body.blocks[block].commands[position].kind {
                    CommandKind::Assign { src, .. } => {
                        let root = self.root(src, block, position)?;
                        if !reached.contains(&root) {
                            reached.push(root);
                        }
                    }
                    CommandKind::Live(_) | CommandKind::Dead(_) => {}
                    _ => return None,
                }
            }
        }
        reached.retain(|local| local.index() < self.body.params as usize);
        (!reached.is_empty()).then_some(reached)
    }

    /// Whether the variable always points to the object that it pointed to when the loop was entered.
    fn stays(&self, local: LocalId) -> bool {
        let changes = self.changes.get(&local).map_or(&[][..], Vec::as_slice);
        changes.iter().all(|&(block, position)| match self.body.blocks[block].commands[position].kind {
            CommandKind::Assign { src, .. } => self.root(src, block, position) == Some(local),
            _ => false,
        })
    }

    /// The variable to whose object a pointer leads, as both are at this command or at the beginning of its block.
    fn root(&self, pointer: ExprId, block: BlockId, position: usize) -> Option<LocalId> {
        let (mut expr, mut before) = (pointer, position);
        for _ in 0..STEPS {
            let node = &self.body.exprs[expr];
            expr = match node.kind {
                ExprKind::PointerAdd(base, _) => base,
                ExprKind::Cast(inner) if self.is_pointer(expr) && self.is_pointer(inner) => inner,
                ExprKind::AddressOf(place) => match self.body.places[outermost(self.body, place)].kind {
                    PlaceKind::Deref(inner) => inner,
                    _ => return None,
                },
                ExprKind::Load(place) => {
                    let PlaceKind::Local(local) = self.body.places[place].kind else { return None };
                    if self.in_memory.get(local.index()) != Some(&false) {
                        return None;
                    }
                    let commands = self.body.blocks[block].commands.get(..before)?;
                    let last = commands.iter().rposition(|command| changed(self.body, &command.kind) == Some(local));
                    let Some(last) = last else { return Some(local) };
                    let CommandKind::Assign { src, .. } = commands[last].kind else { return None };
                    before = last;
                    src
                }
                _ => return None,
            };
        }
        None
    }

    fn is_pointer(&self, expr: ExprId) -> bool {
        matches!(self.types.get(self.body.exprs[expr].ty), Type::Pointer(_))
    }
}

/// The variable that a command changes.
fn changed(body: &Body, command: &CommandKind) -> Option<LocalId> {
    if let CommandKind::Live(local) | CommandKind::LiveArray(local, _) | CommandKind::Dead(local) = command {
        return Some(*local);
    }
    match body.places[outermost(body, command.place()?)].kind {
        PlaceKind::Local(local) => Some(local),
        _ => None,
    }
}

/// The whole that a place is a part of.
fn outermost(body: &Body, mut place: PlaceId) -> PlaceId {
    while let Some(base) = body.places[place].kind.base() {
        place = base;
    }
    place
}

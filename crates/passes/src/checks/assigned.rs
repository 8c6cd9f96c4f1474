//! Definite assignment: which variables hold a value on every way to a place. Only variables that nothing points to are looked at, so
//! only commands that name them matter.

use model::{BlockId, Body, Command, CommandKind, ExprKind, FlowGraph, LocalId, PlaceKind, Types};

use super::role::{self, Roles};

/// What holds values at the current place, and at the start of each block.
pub(super) struct Assigned {
    current: Bits,
    starts: Vec<Bits>,
    tracked: Bits,
}

#[derive(Clone, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, index: usize, value: bool) {
        if let Some(word) = self.0.get_mut(index / 64) {
            let bit = 1 << (index % 64);
            *word = if value { *word | bit } else { *word & !bit };
        }
    }
    fn get(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }
    /// Keeps what both have; true if something went.
    fn intersect(&mut self, other: &Bits) -> bool {
        let mut changed = false;
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            changed |= *word & !other != 0;
            *word &= other;
        }
        changed
    }
}

impl Assigned {
    /// Nothing is known: for those who do not ask.
    pub fn nothing() -> Self {
        Assigned { current: Bits(Vec::new()), starts: Vec::new(), tracked: Bits(Vec::new()) }
    }

    pub fn of(types: &Types, roles: &Roles, body: &Body) -> Self {
        let words = body.locals.len().div_ceil(64);
        let tracked = tracked(types, body);
        let mut entry = Bits(vec![0; words]);
        (0..body.params as usize).for_each(|local| entry.set(local, tracked.get(local)));
        // Greatest solution: what no way from the entry contradicts.
        let mut starts = vec![tracked.clone(); body.blocks.len()];
        starts[Body::ENTRY.index()] = entry;
        let flow = FlowGraph::new(body);
        let mut assigned = Assigned { current: Bits(Vec::new()), starts, tracked };
        let mut changed = true;
        while changed {
            changed = false;
            for &block in flow.reverse_postorder() {
                assigned.enter(block);
                body.blocks[block].commands.iter().for_each(|command| assigned.step(roles, body, command));
                for next in flow.successors(block) {
                    changed |= assigned.starts[next.index()].intersect(&assigned.current);
                }
            }
        }
        assigned
    }

    /// Whether a variable holds a value here for sure.
    pub fn holds(&self, local: LocalId) -> bool {
        self.current.get(local.index())
    }

    /// Goes to the start of a block.
    pub fn enter(&mut self, block: BlockId) {
        if let Some(start) = self.starts.get(block.index()) {
            self.current = start.clone();
        }
    }

    /// Goes over a command.
    pub fn step(&mut self, roles: &Roles, body: &Body, command: &Command) {
        match &command.kind {
            CommandKind::Live(local) | CommandKind::LiveArray(local, _) | CommandKind::Dead(local) => {
                self.current.set(local.index(), false)
            }
            kind => {
                if let Some(place) = kind.place()
                    && let PlaceKind::Local(local) = body.places[place].kind
                {
                    let missing = match kind {
                        CommandKind::Call { callee, .. } => role::named(body, *callee).is_none_or(|function| roles.is_valueless(function)),
                        _ => false,
                    };
                    self.current.set(local.index(), !missing && self.tracked.get(local.index()));
                }
            }
        }
    }
}

/// Scalars that nothing points to.
fn tracked(types: &Types, body: &Body) -> Bits {
    let mut tracked = Bits(vec![0; body.locals.len().div_ceil(64)]);
    for (id, local) in body.locals.enumerate() {
        tracked.set(id.index(), types.is_scalar(local.ty));
    }
    for expr in body.exprs.iter() {
        if let ExprKind::AddressOf(place) = expr.kind
            && let PlaceKind::Local(local) = body.places[place].kind
        {
            tracked.set(local.index(), false);
        }
    }
    tracked
}

//! The lives of a function's variables, for copies of the function.

use model::{Body, CommandKind, ExprKind, FlowGraph, LocalId, PlaceKind, Terminator};

/// What calls and returns do to variables without a command for it.
pub(super) struct Lives {
    /// Those that come to life with the call.
    pub begin: Vec<LocalId>,
    /// Those that die with the return, if they are still alive.
    pub end: Vec<LocalId>,
}

impl Lives {
    /// Temporaries are left out, and parameters that nothing points to: they are written before they are read, so it makes no difference
    /// whether they are new.
    pub fn of(body: &Body) -> Lives {
        let pointed = pointed(body);
        let by_command = by_command(body);
        let at_return = alive_at_return(body);
        let (mut begin, mut end) = (Vec::new(), Vec::new());
        for (id, local) in body.locals.enumerate() {
            let is_free = local.temporary || id.raw() < body.params && !pointed[id.index()];
            let with_call = !is_free && !by_command[id.index()];
            if with_call {
                begin.push(id);
            }
            if with_call || at_return[id.index()] {
                end.push(id);
            }
        }
        Lives { begin, end }
    }
}

/// The variables that the body takes an address in.
fn pointed(body: &Body) -> Vec<bool> {
    let mut pointed = vec![false; body.locals.len()];
    for expr in body.exprs.iter() {
        let ExprKind::AddressOf(mut place) = expr.kind else { continue };
        while let Some(base) = body.places[place].kind.base() {
            place = base;
        }
        if let PlaceKind::Local(local) = body.places[place].kind {
            pointed[local.index()] = true;
        }
    }
    pointed
}

/// The variables of inner blocks.
fn by_command(body: &Body) -> Vec<bool> {
    let mut found = vec![false; body.locals.len()];
    for command in body.blocks.iter().flat_map(|block| &block.commands) {
        if let CommandKind::Live(local) = command.kind {
            found[local.index()] = true;
        }
    }
    found
}

/// The variables of inner blocks that may be alive at a return: it leaves the blocks without a command.
fn alive_at_return(body: &Body) -> Vec<bool> {
    let flow = FlowGraph::new(body);
    let mut at_return = vec![false; body.locals.len()];
    let mut at_start = vec![at_return.clone(); body.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &id in flow.reverse_postorder() {
            let mut alive = at_start[id.index()].clone();
            for command in &body.blocks[id].commands {
                match command.kind {
                    CommandKind::Live(local) => alive[local.index()] = true,
                    CommandKind::Dead(local) => alive[local.index()] = false,
                    _ => {}
                }
            }
            if let Terminator::Return(_) = body.blocks[id].terminator {
                add(&mut at_return, &alive);
            }
            for next in flow.successors(id) {
                changed |= add(&mut at_start[next.index()], &alive);
            }
        }
    }
    at_return
}

/// Adds a set to another; true if that changes it.
fn add(set: &mut [bool], more: &[bool]) -> bool {
    let mut changed = false;
    for (one, other) in set.iter_mut().zip(more) {
        changed |= *other && !*one;
        *one |= other;
    }
    changed
}

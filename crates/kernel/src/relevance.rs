//! Which variables matter for what a run does from a point on.

use interp::{Marks, Relevance};
use model::{BlockId, Body, Command, CommandKind, ExprId, ExprKind, FlowGraph, LocalId, PlaceId, PlaceKind, Program, Terminator};

/// What matters at the marked blocks of a program: variables that nothing points to and whose value is not used again do not. This
/// is the usual analysis of live variables; a path that the program graph has and no run takes only makes more of them live.
pub(crate) fn relevance(program: &Program, marks: &Marks) -> Relevance {
    let mut relevance = Relevance::all(program);
    for (id, function) in program.functions.enumerate() {
        let Some(body) = &function.body else { continue };
        let liveness = Liveness::new(program, body);
        for block in body.blocks.ids().filter(|block| marks.contains(id, *block)) {
            let dead = body.locals.ids().map(|local| liveness.dead(block, local)).collect();
            relevance.ignore_at(id, block, dead);
        }
    }
    relevance
}

/// Variables that are used before they are written, from each block on.
struct Liveness {
    /// Scalars without an address; the others always count as live.
    tracked: Vec<bool>,
    live: Vec<Vec<bool>>,
}

impl Liveness {
    fn new(program: &Program, body: &Body) -> Self {
        let mut tracked: Vec<bool> = body.locals.iter().map(|local| program.types.is_scalar(local.ty)).collect();
        for expr in body.exprs.iter() {
            if let ExprKind::AddressOf(place) = expr.kind {
                let mut place = place;
                while let Some(base) = body.places[place].kind.base() {
                    place = base;
                }
                if let PlaceKind::Local(local) = body.places[place].kind {
                    tracked[local.index()] = false;
                }
            }
        }
        let mut this = Liveness { tracked, live: vec![vec![false; body.locals.len()]; body.blocks.len()] };
        let flow = FlowGraph::new(body);
        let mut reader = Reader { body, seen: vec![0; body.exprs.len()], stamp: 0 };
        let mut changed = true;
        while changed {
            changed = false;
            for &block in flow.reverse_postorder().iter().rev() {
                let live = this.before(body, &flow, &mut reader, block);
                if live != this.live[block.index()] {
                    this.live[block.index()] = live;
                    changed = true;
                }
            }
        }
        this
    }

    fn before(&self, body: &Body, flow: &FlowGraph, reader: &mut Reader<'_>, block: BlockId) -> Vec<bool> {
        let mut live = vec![false; body.locals.len()];
        for next in flow.successors(block) {
            live.iter_mut().zip(&self.live[next.index()]).for_each(|(live, after)| *live |= after);
        }
        let Some(found) = body.blocks.get(block) else { return live };
        reader.terminator(&found.terminator, &mut live);
        for command in found.commands.iter().rev() {
            reader.command(command, &mut live);
        }
        live
    }

    fn dead(&self, block: BlockId, local: LocalId) -> bool {
        self.tracked[local.index()] && !self.live[block.index()][local.index()]
    }
}

/// Finds the variables that expressions read.
struct Reader<'b> {
    body: &'b Body,
    seen: Vec<u32>,
    stamp: u32,
}

impl Reader<'_> {
    fn terminator(&mut self, terminator: &Terminator, live: &mut [bool]) {
        self.stamp += 1;
        if let Some(expr) = terminator.expr() {
            self.exprs(vec![expr], live);
        }
    }

    fn command(&mut self, command: &Command, live: &mut [bool]) {
        self.stamp += 1;
        if let CommandKind::Live(local) | CommandKind::LiveArray(local, _) | CommandKind::Dead(local) = command.kind {
            live[local.index()] = false;
        }
        let mut pending: Vec<ExprId> = command.kind.exprs().collect();
        if let Some(place) = command.kind.place() {
            match self.body.places[place].kind {
                PlaceKind::Local(local) => live[local.index()] = false,
                _ => self.place(place, &mut pending, live),
            }
        }
        self.exprs(pending, live);
    }

    fn exprs(&mut self, mut pending: Vec<ExprId>, live: &mut [bool]) {
        while let Some(expr) = pending.pop() {
            if std::mem::replace(&mut self.seen[expr.index()], self.stamp) == self.stamp {
                continue;
            }
            let kind = &self.body.exprs[expr].kind;
            pending.extend(kind.operands());
            if let Some(place) = kind.place() {
                self.place(place, &mut pending, live);
            }
        }
    }

    fn place(&self, mut place: PlaceId, pending: &mut Vec<ExprId>, live: &mut [bool]) {
        loop {
            let kind = &self.body.places[place].kind;
            pending.extend(kind.operand());
            match kind {
                PlaceKind::Local(local) => live[local.index()] = true,
                PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => {
                    place = *base;
                    continue;
                }
                PlaceKind::Global(_) | PlaceKind::Deref(_) => {}
            }
            return;
        }
    }
}

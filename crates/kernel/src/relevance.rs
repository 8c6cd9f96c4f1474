//! Which variables matter for what a run does from a point on.

use interp::{Marks, Relevance, Weight};
use model::{
    BinaryOp, BlockId, Body, Callee, Command, CommandKind, Expr, ExprId, ExprKind, FlowGraph, FunctionId, LocalId, Loop, LoopForest,
    PlaceId, PlaceKind, Program, Terminator, Type, TypeId, UnaryOp,
};

/// What matters at the marked blocks of a program, for what comes then: variables that nothing points to and whose value is not used again do
/// not. This is the usual analysis of live variables; a path that the program graph has and no run takes only makes more of them live.
pub(crate) fn ahead(program: &Program, marks: &Marks) -> Relevance {
    relevance(program, marks, |_, _, _| false)
}

/// The same, for a run that stays in the loop whose head the block is: there, variables that no decision of the loop depends on need only have a
/// value. Every branch inside, every access, and everything that may be undefined counts as a decision.
pub(crate) fn in_loops(program: &Program, marks: &Marks) -> Relevance {
    relevance(program, marks, |slices, block, local| {
        slices.iter().find(|slice| slice.header == block).is_some_and(|slice| !slice.needed[local.index()])
    })
}

/// For each variable of a function, whether nothing points to it and nobody reads it before it is written, from this block on.
pub fn dead_variables(program: &Program, function: FunctionId, block: BlockId) -> Vec<bool> {
    let Some(body) = program.functions.get(function).and_then(|function| function.body.as_ref()) else { return Vec::new() };
    let liveness = Liveness::new(program, body, &FlowGraph::new(body));
    let live = liveness.live.get(block.index());
    body.locals.ids().map(|local| liveness.tracked[local.index()] && live.is_some_and(|live| !live[local.index()])).collect()
}

/// In functions with so many pairs of a block and a variable, everything counts: to find out more would take too long.
const LARGE: usize = 30_000_000;

fn relevance(program: &Program, marks: &Marks, idle: impl Fn(&[Slice], BlockId, LocalId) -> bool) -> Relevance {
    let mut relevance = Relevance::all();
    for (id, function) in program.functions.enumerate() {
        let Some(body) = &function.body else { continue };
        let marked: Vec<BlockId> = body.blocks.ids().filter(|block| marks.contains(id, *block)).collect();
        if marked.is_empty() || body.blocks.len().saturating_mul(body.locals.len()) > LARGE {
            continue;
        }
        let flow = FlowGraph::new(body);
        let liveness = Liveness::new(program, body, &flow);
        let slices: Vec<Slice> = LoopForest::of(body, &flow).loops.iter().filter_map(|region| Slice::new(program, body, region)).collect();
        for block in marked {
            let weight = |local: LocalId| match () {
                () if !liveness.tracked[local.index()] => Weight::Value,
                () if !liveness.live[block.index()][local.index()] => Weight::Nothing,
                () if idle(&slices, block, local) => Weight::Presence,
                () => Weight::Value,
            };
            relevance.set(id, block, body.locals.ids().map(weight).collect());
        }
    }
    relevance
}

/// The variables that decide what a loop does.
struct Slice {
    header: BlockId,
    needed: Vec<bool>,
}

impl Slice {
    fn new(program: &Program, body: &Body, region: &Loop) -> Option<Slice> {
        if region.is_irreducible() {
            return None;
        }
        let mut needed = vec![false; body.locals.len()];
        let mut reader = Reader::new(body);
        // Which variables each assigned variable is computed from.
        let mut sources: Vec<(LocalId, Vec<LocalId>)> = Vec::new();
        let mut used = vec![false; body.locals.len()];
        for block in region.blocks.iter().filter_map(|block| body.blocks.get(*block)) {
            for command in &block.commands {
                match &command.kind {
                    CommandKind::Assign { dst, src } => match body.places[*dst].kind {
                        PlaceKind::Local(local) if !may_fail(program, body, *src) => {
                            used.fill(false);
                            reader.read(vec![*src], &mut used);
                            sources.push((local, body.locals.ids().filter(|local| used[local.index()]).collect()));
                        }
                        _ => reader.whole_command(command, &mut needed),
                    },
                    CommandKind::Call { dst: None, callee: Callee::Direct(callee), args } if prints(program, *callee) => {
                        let shown = |arg: &ExprId| is_integer(program, body.exprs[*arg].ty) && !may_fail(program, body, *arg);
                        reader.read(args.iter().copied().filter(|arg| !shown(arg)).collect(), &mut needed);
                    }
                    _ => reader.whole_command(command, &mut needed),
                }
            }
            reader.terminator(&block.terminator, &mut needed);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (local, used) in &sources {
                if needed[local.index()] {
                    for used in used {
                        changed |= !std::mem::replace(&mut needed[used.index()], true);
                    }
                }
            }
        }
        Some(Slice { header: region.header, needed })
    }
}

fn is_integer(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.get(ty), Type::Bool | Type::Int { .. })
}

/// Whether a function only prints the numbers that it is given; nothing in the program depends on what was printed.
fn prints(program: &Program, function: FunctionId) -> bool {
    program.functions.get(function).is_some_and(|function| function.body.is_none() && function.name == "printf")
}

/// Whether computing an expression may be undefined, or depends on memory.
fn may_fail(program: &Program, body: &Body, expr: ExprId) -> bool {
    let mut pending = vec![expr];
    // An expression may have many paths to its parts; beyond so many, it may fail.
    for _ in 0..1000 {
        let Some(expr) = pending.pop() else { return false };
        let Expr { kind, ty, .. } = &body.exprs[expr];
        let integer = is_integer(program, *ty);
        let wraps = integer && !program.types.is_signed(*ty);
        let fine = match kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero => true,
            ExprKind::Load(place) => matches!(body.places[*place].kind, PlaceKind::Local(_)),
            ExprKind::Unary(UnaryOp::Neg, _) => wraps || !integer,
            ExprKind::Unary(UnaryOp::BitNot | UnaryOp::Not | UnaryOp::PopCount, _) => true,
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..) => wraps || !integer,
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, ..) => true,
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::Cast(from) => integer == is_integer(program, body.exprs[*from].ty),
            ExprKind::Select(..) => true,
            _ => false,
        };
        if !fine {
            return true;
        }
        pending.extend(kind.operands());
    }
    true
}

/// Variables that are used before they are written, from each block on.
struct Liveness {
    /// Scalars without an address; the others always count as live.
    tracked: Vec<bool>,
    live: Vec<Vec<bool>>,
}

impl Liveness {
    fn new(program: &Program, body: &Body, flow: &FlowGraph) -> Self {
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
        let mut reader = Reader::new(body);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in flow.reverse_postorder().iter().rev() {
                let live = this.before(body, flow, &mut reader, block);
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
}

/// Finds the variables that expressions read.
struct Reader<'b> {
    body: &'b Body,
    seen: Vec<u32>,
    stamp: u32,
}

impl<'b> Reader<'b> {
    fn new(body: &'b Body) -> Self {
        Reader { body, seen: vec![0; body.exprs.len()], stamp: 0 }
    }

    /// What expressions read.
    fn read(&mut self, exprs: Vec<ExprId>, live: &mut [bool]) {
        self.stamp += 1;
        self.exprs(exprs, live);
    }

    /// All that a command reads, whatever it writes.
    fn whole_command(&mut self, command: &Command, live: &mut [bool]) {
        self.stamp += 1;
        let mut pending: Vec<ExprId> = command.kind.exprs().collect();
        if let Some(place) = command.kind.place()
            && !matches!(self.body.places[place].kind, PlaceKind::Local(_))
        {
            self.place(place, &mut pending, live);
        }
        self.exprs(pending, live);
    }

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

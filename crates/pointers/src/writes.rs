//! What functions and commands may write, through all that they call.

use std::collections::VecDeque;

use model::{Body, Callee, CommandKind, ExprId, Function, FunctionId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Analysis;
use crate::library::{self, Effect};
use crate::object::{Cell, Object, Site};
use crate::offsets::Offsets;
use crate::set::Set;

/// The memory that each function may write while it runs. Variables that are not in memory are not listed, nor are string literals. [`Object::External`] stands for
/// all objects that are known outside.
pub struct Writes {
    cells: Vec<Cell>,
    ids: FxHashMap<Cell, u32>,
    functions: Vec<Set>,
    /// What code outside of the program may write, by itself and by what it calls.
    outside: Set,
}

impl Writes {
    /// Finds out for all functions.
    pub fn new(analysis: &Analysis<'_>) -> Self {
        let program = analysis.program();
        let mut writes = Writes { cells: Vec::new(), ids: FxHashMap::default(), functions: Vec::new(), outside: Set::default() };
        writes.functions = vec![Set::default(); program.functions.len()];
        writes.outside = writes.intern([Cell { object: Object::External, offsets: Offsets::ANY, size: Cell::REST }]);
        let mut callers: Vec<Vec<Caller>> = vec![Vec::new(); program.functions.len()];
        let exposed = analysis.escaped().into_iter().filter_map(|object| match object {
            Object::Function(function) => Some(function),
            _ => None,
        });
        exposed.for_each(|function| callers[function.index()].push(Caller::Outside));
        let mut outside_callers = Vec::new();
        for (id, function) in program.functions.enumerate() {
            let Some(body) = &function.body else { continue };
            for (site, kind) in commands(id, body) {
                let own = writes.own(analysis, site, kind);
                writes.functions[id.index()].extend(&own);
                analysis.callees(site).iter().for_each(|callee| callers[callee.index()].push(Caller::Function(id)));
                if calls_outside(analysis, site, kind) {
                    outside_callers.push(Caller::Function(id));
                }
            }
        }
        callers.iter_mut().for_each(tidy);
        tidy(&mut outside_callers);
        writes.propagate(&callers, &outside_callers);
        writes
    }

    /// What a call of a function may write, in order.
    pub fn of_function(&self, function: FunctionId) -> Vec<Cell> {
        self.functions.get(function.index()).map_or_else(Vec::new, |set| self.list(set))
    }
    /// What a command may write, in order; calls with all that happens in them.
    pub fn of_command(&self, analysis: &Analysis<'_>, site: Site) -> Vec<Cell> {
        let body = analysis.program().functions.get(site.function).and_then(|function| function.body.as_ref());
        let command = body.and_then(|body| body.blocks.get(site.block)).and_then(|block| block.commands.get(site.command));
        let Some(command) = command else { return Vec::new() };
        let mut cells = own_cells(analysis, site, &command.kind);
        for callee in analysis.callees(site) {
            cells.extend(self.of_function(*callee));
        }
        if calls_outside(analysis, site, &command.kind) {
            cells.extend(self.list(&self.outside));
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    fn list(&self, set: &Set) -> Vec<Cell> {
        let mut cells: Vec<Cell> = set.iter().filter_map(|id| self.cells.get(id as usize)).copied().collect();
        cells.sort_unstable();
        cells
    }
    fn intern(&mut self, cells: impl IntoIterator<Item = Cell>) -> Set {
        let id = |cell| {
            *self.ids.entry(cell).or_insert_with(|| {
                self.cells.push(cell);
                self.cells.len() as u32 - 1
            })
        };
        cells.into_iter().map(id).collect()
    }
    fn own(&mut self, analysis: &Analysis<'_>, site: Site, kind: &CommandKind) -> Set {
        let cells = own_cells(analysis, site, kind);
        self.intern(cells)
    }

    /// Callers write what their callees write.
    fn propagate(&mut self, callers: &[Vec<Caller>], outside_callers: &[Caller]) {
        let functions = (0..callers.len() as u32).map(|id| Caller::Function(FunctionId::new(id)));
        let mut work: VecDeque<Caller> = functions.chain([Caller::Outside]).collect();
        let mut waiting: FxHashSet<Caller> = work.iter().copied().collect();
        while let Some(callee) = work.pop_front() {
            waiting.remove(&callee);
            let (set, callers) = match callee {
                Caller::Function(id) => (self.functions[id.index()].clone(), callers[id.index()].as_slice()),
                Caller::Outside => (self.outside.clone(), outside_callers),
            };
            for caller in callers {
                let target = match caller {
                    Caller::Function(id) => &mut self.functions[id.index()],
                    Caller::Outside => &mut self.outside,
                };
                if target.add_new(&set, &mut Set::default()) && waiting.insert(*caller) {
                    work.push_back(*caller);
                }
            }
        }
    }
}

/// Who calls a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Caller {
    Function(FunctionId),
    Outside,
}

/// Each caller once.
fn tidy(callers: &mut Vec<Caller>) {
    callers.sort_unstable();
    callers.dedup();
}

fn commands(function: FunctionId, body: &Body) -> impl Iterator<Item = (Site, &CommandKind)> {
    body.blocks.enumerate().flat_map(move |(block, content)| {
        let commands = content.commands.iter().enumerate();
        commands.map(move |(command, content)| (Site { function, block, command }, &content.kind))
    })
}

/// Whether a call may lead to code of which nothing is known.
fn calls_outside(analysis: &Analysis<'_>, site: Site, kind: &CommandKind) -> bool {
    let unknown = |function: &Function| function.body.is_none() && library::effects(function).is_none();
    let callees = analysis.callees(site).iter().filter_map(|id| analysis.program().functions.get(*id));
    matches!(kind, CommandKind::Call { .. }) && (callees.into_iter().any(unknown) || analysis.calls_unknown(site))
}

/// What a command itself writes, and known functions without body that it calls.
fn own_cells(analysis: &Analysis<'_>, site: Site, kind: &CommandKind) -> Vec<Cell> {
    let mut cells: Vec<Cell> = kind.place().map_or_else(Vec::new, |place| analysis.accessed(site.function, place));
    let mut behind = |pointer: ExprId| {
        cells.extend(analysis.targets(site.function, pointer).into_iter().filter_map(|target| analysis.cell(target, Cell::REST)));
    };
    match kind {
        CommandKind::VaStart(list) | CommandKind::VaArg(_, list) | CommandKind::VaEnd(list) => behind(*list),
        CommandKind::VaCopy(to, _) => behind(*to),
        CommandKind::Call { callee, args, .. } => {
            let direct = match callee {
                Callee::Direct(callee) => vec![*callee],
                Callee::Indirect(pointer) => analysis.functions(site.function, *pointer),
            };
            let functions = direct.into_iter().filter_map(|id| analysis.program().functions.get(id));
            for effect in functions.filter(|function| function.body.is_none()).filter_map(library::effects).flatten() {
                written_arguments(*effect, args).for_each(&mut behind);
            }
        }
        _ => {}
    }
    cells.retain(|cell| analysis.in_memory(cell.object) && !analysis.is_literal(cell.object));
    cells
}

/// The arguments of a library function that it writes behind.
fn written_arguments(effect: Effect, args: &[ExprId]) -> impl Iterator<Item = ExprId> + '_ {
    let (first, count) = match effect {
        Effect::Copies { to: position, .. }
        | Effect::Appends { to: position, .. }
        | Effect::Mixes(position, _)
        | Effect::StoresInto { at: position, .. }
        | Effect::StoresExternal(position)
        | Effect::Fills(position, _)
        | Effect::Clears(position)
        | Effect::Writes(position) => (position, 1),
        Effect::WritesRest(position) => (position, usize::MAX),
        _ => (0, 0),
    };
    args.iter().copied().skip(first).take(count)
}

//! Functions that return new objects: wrappers of `malloc`.
//!
//! Were all objects that come out of `malloc`'s body or a program's `xmalloc` one object, nothing would be known of the heap. So each call of
//! such a function is an allocation of its own. This is sound if what is returned was made during that very call: its address goes from the
//! allocating command to the `return` through variables of this call that never hold anything else. Inside the function, those variables
//! point to the objects of all its calls.

use model::{
    BlockId, Body, Callee, CommandKind, ExprId, ExprKind, Function, FunctionId, Local, LocalId, PlaceKind, Program, Terminator, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::{address_taken, constant};
use crate::library::{self, Effect};
use crate::object::{Allocation, Site};

/// Wrappers around wrappers are seen up to this depth.
const DEPTH: usize = 4;
/// A function that allocates at more commands than this is left alone.
const MANY_ALLOCATIONS: usize = 16;

/// Which calls and functions make new objects.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    /// The allocations of each wrapper, by the commands in its body.
    wrappers: FxHashMap<FunctionId, Vec<Allocation>>,
    /// The `return`s of wrappers that return a new object.
    returns: FxHashSet<(FunctionId, BlockId)>,
    /// For each allocating call: the objects that its result may be, told apart by the callers as far as possible.
    calls: FxHashMap<Site, Vec<Allocation>>,
}

impl Fresh {
    pub fn new(program: &Program) -> Self {
        let mut fresh = Fresh::default();
        for _ in 0..DEPTH {
            let found: Vec<_> = program
                .functions
                .enumerate()
                .filter(|(id, _)| !fresh.wrappers.contains_key(id))
                .filter_map(|(id, function)| Some((id, Wrapper::new(program, &fresh, id, function)?)))
                .collect();
            if found.is_empty() {
                break;
            }
            for (id, wrapper) in found {
                fresh.returns.extend(wrapper.returns.iter().map(|block| (id, *block)));
                fresh.wrappers.insert(id, wrapper.allocations);
            }
        }
        fresh.find_calls(program);
        fresh
    }

    /// Whether the `return` at the end of a block returns a new object, which callers get by other means.
    pub fn returns(&self, function: FunctionId, block: BlockId) -> bool {
        self.returns.contains(&(function, block))
    }
    /// The new objects that a direct call returns.
    pub fn of_call(&self, site: Site, callee: FunctionId) -> &[Allocation] {
        self.calls.get(&site).map_or_else(|| self.of_function(callee), Vec::as_slice)
    }
    /// The new objects that a function returns to callers that are not known.
    pub fn of_function(&self, function: FunctionId) -> &[Allocation] {
        self.wrappers.get(&function).map_or(&[], Vec::as_slice)
    }

    /// What a call inside a wrapper makes is told apart by who calls the wrapper.
    fn find_calls(&mut self, program: &Program) {
        let mut direct = Vec::new();
        let mut callers: FxHashMap<FunctionId, Vec<Site>> = FxHashMap::default();
        for (site, callee) in direct_calls(program) {
            if is_allocator(program, callee) || self.wrappers.contains_key(&callee) {
                direct.push((site, callee));
                callers.entry(callee).or_default().push(site);
            }
        }
        for (site, callee) in direct {
            let inner = self.wrappers.get(&callee).cloned().unwrap_or_else(|| vec![Allocation { sites: Vec::new() }]);
            let inner = inner.into_iter().map(|allocation| extended(&allocation, site));
            let all = inner.flat_map(|allocation| self.in_contexts(allocation, &callers)).collect();
            self.calls.insert(site, all);
        }
    }
    /// The allocation as the callers of its outermost function see it, and as it is if nobody is known to call it.
    fn in_contexts(&self, allocation: Allocation, callers: &FxHashMap<FunctionId, Vec<Site>>) -> Vec<Allocation> {
        let mut all = vec![allocation];
        let mut next = 0;
        while let Some(allocation) = all.get(next).cloned() {
            next += 1;
            let Some(outermost) = allocation.sites.last().map(|site| site.function) else { continue };
            let own = self.wrappers.get(&outermost).is_some_and(|own| own.contains(&allocation));
            if own {
                let callers = callers.get(&outermost).map_or(&[][..], Vec::as_slice);
                all.extend(callers.iter().map(|site| extended(&allocation, *site)));
            }
        }
        all
    }
}

/// The same allocation, called from a site.
fn extended(allocation: &Allocation, site: Site) -> Allocation {
    Allocation { sites: allocation.sites.iter().copied().chain([site]).collect() }
}

/// Whether a function without body returns a new object.
pub(crate) fn is_allocator(program: &Program, function: FunctionId) -> bool {
    let function = program.functions.get(function).filter(|function| function.body.is_none());
    function.and_then(library::effects).is_some_and(|effects| effects.contains(&Effect::Allocates))
}

fn direct_calls(program: &Program) -> impl Iterator<Item = (Site, FunctionId)> + '_ {
    let bodies = program.functions.enumerate().filter_map(|(id, function)| Some((id, function.body.as_ref()?)));
    bodies.flat_map(|(function, body)| calls_of(body).map(move |(block, command, callee)| (Site { function, block, command }, callee)))
}
fn calls_of(body: &Body) -> impl Iterator<Item = (BlockId, usize, FunctionId)> + '_ {
    body.blocks.enumerate().flat_map(|(block, content)| {
        content.commands.iter().enumerate().filter_map(move |(position, command)| match command.kind {
            CommandKind::Call { callee: Callee::Direct(callee), .. } => Some((block, position, callee)),
            _ => None,
        })
    })
}

/// A function that returns new objects.
struct Wrapper {
    allocations: Vec<Allocation>,
    returns: Vec<BlockId>,
}

impl Wrapper {
    fn new(program: &Program, fresh: &Fresh, id: FunctionId, function: &Function) -> Option<Self> {
        let body = function.body.as_ref()?;
        let allocates = |callee: FunctionId| callee != id && (is_allocator(program, callee) || fresh.wrappers.contains_key(&callee));
        if !calls_of(body).any(|(_, _, callee)| allocates(callee)) {
            return None;
        }
        let flow = Flow { program, body, allocates: &allocates };
        let pure = flow.pure_locals();
        // All that it returns is new, or null.
        let mut returns = Vec::new();
        let mut returned = Vec::new();
        for (block, content) in body.blocks.enumerate() {
            if let Terminator::Return(Some(value)) = content.terminator {
                let new = flow.variable(value).filter(|local| pure[local.index()]);
                if new.is_none() && constant(&program.types, body, value) != Some(0) {
                    return None;
                }
                returned.extend(new);
                returns.push(block);
            }
        }
        let returned = flow.sources(returned);
        let mut allocations = Vec::new();
        for (block, content) in body.blocks.enumerate() {
            for (command, kind) in content.commands.iter().map(|command| &command.kind).enumerate() {
                if let CommandKind::Call { dst: Some(dst), callee: Callee::Direct(callee), .. } = kind
                    && allocates(*callee)
                    && let PlaceKind::Local(local) = body.places[*dst].kind
                    && returned.contains(&local)
                {
                    let site = Site { function: id, block, command };
                    let inner = fresh.wrappers.get(callee).cloned().unwrap_or_else(|| vec![Allocation { sites: Vec::new() }]);
                    allocations.extend(inner.iter().map(|allocation| extended(allocation, site)));
                }
            }
        }
        let few = (1..=MANY_ALLOCATIONS).contains(&allocations.len());
        (few && !returns.is_empty()).then_some(Wrapper { allocations, returns })
    }
}

/// What becomes of new objects in a body.
struct Flow<'a> {
    program: &'a Program,
    body: &'a Body,
    allocates: &'a dyn Fn(FunctionId) -> bool,
}

impl Flow<'_> {
    /// The variable whose value an expression is, if it is one, also behind casts.
    fn variable(&self, mut expr: ExprId) -> Option<LocalId> {
        loop {
            match self.body.exprs[expr].kind {
                ExprKind::Cast(inner) => expr = inner,
                ExprKind::Load(place) => match self.body.places[place].kind {
                    PlaceKind::Local(local) => return Some(local),
                    _ => return None,
                },
                _ => return None,
            }
        }
    }

    /// The variables that these may get their values from, themselves included.
    fn sources(&self, of: Vec<LocalId>) -> FxHashSet<LocalId> {
        let (mut open, mut found) = (of, FxHashSet::default());
        while let Some(local) = open.pop() {
            if !found.insert(local) {
                continue;
            }
            for command in self.body.blocks.iter().flat_map(|block| &block.commands) {
                if let CommandKind::Assign { dst, src } = command.kind
                    && self.body.places[dst].kind == PlaceKind::Local(local)
                {
                    open.extend(self.variable(src));
                }
            }
        }
        found
    }

    /// The variables that hold only null and objects that this call made.
    fn pure_locals(&self) -> Vec<bool> {
        let body = self.body;
        let taken = address_taken(body);
        let is_pointer = |local: &Local| matches!(self.program.types.get(local.ty), Type::Pointer(_));
        let own = |id: LocalId, local: &Local| id.raw() >= body.params && !taken[id.index()] && is_pointer(local);
        let mut pure: Vec<bool> = body.locals.enumerate().map(|(id, local)| own(id, local)).collect();
        // What gets something else is not pure.
        loop {
            let mut changed = false;
            for command in body.blocks.iter().flat_map(|block| &block.commands) {
                let Some(place) = command.kind.place() else { continue };
                let PlaceKind::Local(local) = body.places[place].kind else { continue };
                if pure[local.index()] && !self.gives_pure(&command.kind, &pure) {
                    pure[local.index()] = false;
                    changed = true;
                }
            }
            if !changed {
                return pure;
            }
        }
    }
    fn gives_pure(&self, command: &CommandKind, pure: &[bool]) -> bool {
        match command {
            CommandKind::Assign { src, .. } => {
                self.variable(*src).is_some_and(|from| pure[from.index()]) || constant(&self.program.types, self.body, *src) == Some(0)
            }
            CommandKind::Call { callee: Callee::Direct(callee), .. } => (self.allocates)(*callee),
            _ => false,
        }
    }
}

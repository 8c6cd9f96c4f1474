//! The results of the analysis.

use model::{Callee, CommandKind, ExprId, FunctionId, Id, LocalId, PlaceId, Program};
use rustc_hash::FxHashMap;

use crate::analyser::Analyser;
use crate::body::{Base, BodyValues, access_size};
use crate::calls::entries;
use crate::graph::{Graph, Holder, NodeId};
use crate::library::{self, Effect};
use crate::object::{Allocation, AllocationId, Cell, Object, Site, Target, clip, size_of};
use crate::offsets::Offsets;

/// What each pointer of a program may point to.
pub struct Analysis<'p> {
    program: &'p Program,
    pub(crate) graph: Graph<'p>,
    bodies: Vec<BodyValues>,
    variables: FxHashMap<(FunctionId, LocalId), NodeId>,
    callees: FxHashMap<Site, Vec<FunctionId>>,
}

/// Analyses a program that starts with `main`; if there is none, any function that other files can see may be called.
pub fn analyse(program: &Program) -> Analysis<'_> {
    analyse_from(program, &entries(program))
}

/// Analyses a program in which the environment calls these functions: `main` gets the program's arguments, others anything.
pub fn analyse_from<'p>(program: &'p Program, entries: &[FunctionId]) -> Analysis<'p> {
    let mut analyser = Analyser::new(program);
    analyser.run(entries);
    let mut callees = analyser.callees;
    for functions in callees.values_mut() {
        functions.sort_unstable();
        functions.dedup();
    }
    Analysis { program, graph: analyser.graph, bodies: analyser.bodies, variables: analyser.variables, callees }
}

impl<'p> Analysis<'p> {
    /// The program that was analysed.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Where the value of a scalar expression may point, also that of an integer: sorted, nothing twice. Null and constants are not listed.
    pub fn targets(&self, function: FunctionId, expr: ExprId) -> Vec<Target> {
        let node = self.bodies.get(function.index()).and_then(|body| body.exprs.get(expr.index()).copied().flatten());
        node.map_or_else(Vec::new, |node| self.node_targets(node, Offsets::ZERO))
    }
    /// Where a place may be when it is accessed. A scalar variable whose address is not taken is only itself.
    pub fn place(&self, function: FunctionId, place: PlaceId) -> Vec<Target> {
        self.operand_targets(function, place).unwrap_or_default()
    }
    fn operand_targets(&self, function: FunctionId, place: PlaceId) -> Option<Vec<Target>> {
        let value = self.bodies.get(function.index())?.places.get(place.index())?;
        Some(match value.base {
            Base::Variable(_) => {
                let body = self.program.functions.get(function)?.body.as_ref()?;
                let model::PlaceKind::Local(local) = body.places.get(place)?.kind else { return None };
                vec![Target { object: Object::Local(function, local), offsets: Offsets::ZERO }]
            }
            Base::Store(store) => match self.graph.stores[store].holder {
                Holder::Object(object) => vec![Target { object, offsets: value.access }],
                Holder::Result(_) | Holder::Buffer(_) => Vec::new(),
            },
            Base::Pointer(node) => self.node_targets(node, value.access),
            Base::Nowhere => Vec::new(),
        })
    }
    /// The bytes that an access of a place may touch. A place without size reaches as far as its object.
    pub fn accessed(&self, function: FunctionId, place: PlaceId) -> Vec<Cell> {
        let body = self.program.functions.get(function).and_then(|function| function.body.as_ref());
        let size = body.and_then(|body| access_size(&self.program.types, body, place)).unwrap_or(Cell::REST);
        let targets = self.place(function, place);
        targets.into_iter().filter_map(|target| self.cell(target, size)).collect()
    }
    /// The bytes of an access at a target, if there are any.
    pub(crate) fn cell(&self, target: Target, size: u64) -> Option<Cell> {
        let Target { object, offsets } = target;
        if matches!(object, Object::Function(_)) {
            return None;
        }
        let least = if size == Cell::REST { 0 } else { size };
        let offsets = clip(offsets, least, size_of(self.program, object))?;
        Some(Cell { object, offsets, size })
    }

    /// The functions that a call command may lead to, those included that the library calls back.
    pub fn callees(&self, site: Site) -> &[FunctionId] {
        self.callees.get(&site).map_or(&[], Vec::as_slice)
    }
    /// The functions of the program that a function without body, called by this command, may call: those that it is known to, or, if nothing is
    /// known of it, all that code outside of the program knows.
    pub fn called_back(&self, site: Site, callee: FunctionId) -> Vec<FunctionId> {
        let Some(function) = self.program.functions.get(callee).filter(|function| function.body.is_none()) else { return Vec::new() };
        let candidates = match library::effects(function) {
            None => &self.graph.known_functions,
            Some(effects) if effects.iter().any(|effect| matches!(effect, Effect::Calls(..))) => self.callees(site),
            Some(_) => return Vec::new(),
        };
        let has_body = |id: &FunctionId| self.program.functions.get(*id).is_some_and(|function| function.body.is_some());
        let mut functions: Vec<FunctionId> = candidates.iter().copied().filter(has_body).collect();
        functions.sort_unstable();
        functions.dedup();
        functions
    }
    /// The functions that a pointer may lead to, those included that a pointer from outside may lead to.
    pub fn functions(&self, function: FunctionId, pointer: ExprId) -> Vec<FunctionId> {
        let mut functions = Vec::new();
        for target in self.targets(function, pointer) {
            match target.object {
                Object::Function(function) => functions.push(function),
                Object::External => functions.extend(&self.graph.known_functions),
                _ => {}
            }
        }
        functions.sort_unstable();
        functions.dedup();
        functions
    }
    /// Whether a call goes through a pointer that may come from outside, and so may lead to code that is not known.
    pub fn calls_unknown(&self, site: Site) -> bool {
        let body = self.program.functions.get(site.function).and_then(|function| function.body.as_ref());
        let command = body.and_then(|body| body.blocks.get(site.block)).and_then(|block| block.commands.get(site.command));
        match command.map(|command| &command.kind) {
            Some(CommandKind::Call { callee: Callee::Indirect(pointer), .. }) => {
                self.targets(site.function, *pointer).iter().any(|target| target.object == Object::External)
            }
            _ => false,
        }
    }

    /// Whether something in the program may point to a local.
    pub fn address_taken(&self, function: FunctionId, local: LocalId) -> bool {
        self.bodies.get(function.index()).and_then(|body| body.taken.get(local.index())).copied().unwrap_or(false)
    }
    /// Whether code outside of the program may know an object.
    pub fn escapes(&self, object: Object) -> bool {
        object == Object::External || self.graph.find_object(object).is_some_and(|store| self.graph.stores[store].escaped)
    }
    /// All objects that code outside of the program may know, in order.
    pub fn escaped(&self) -> Vec<Object> {
        let mut escaped: Vec<Object> = self.objects().into_iter().filter(|object| self.escapes(*object)).collect();
        escaped.sort_unstable();
        escaped
    }
    /// All objects that the analysis came across, in order.
    pub fn objects(&self) -> Vec<Object> {
        let objects = self.graph.stores.iter().filter_map(|store| match store.holder {
            Holder::Object(object) => Some(object),
            Holder::Result(_) | Holder::Buffer(_) => None,
        });
        let mut objects: Vec<Object> = objects.collect();
        objects.sort_unstable();
        objects
    }
    /// The commands at which a heap object is made.
    pub fn allocation(&self, id: AllocationId) -> &Allocation {
        &self.graph.allocations[id]
    }

    /// What the bytes of an object hold: for each part that was written, where it may point.
    pub fn contents(&self, object: Object) -> Vec<(Cell, Vec<Target>)> {
        let Some(store) = self.graph.find_object(object) else { return Vec::new() };
        if self.graph.is_outside(store) {
            let outside = Target { object: Object::External, offsets: Offsets::ANY };
            return vec![(Cell { object, offsets: Offsets::ANY, size: 1 }, vec![outside])];
        }
        let written = self.graph.written(store).into_iter().map(|(offsets, size, node)| {
            let targets = self.node_targets(node, Offsets::ZERO);
            (Cell { object, offsets, size }, targets)
        });
        let mut contents: Vec<_> = written.filter(|(_, targets)| !targets.is_empty()).collect();
        contents.sort_unstable_by_key(|(cell, _)| *cell);
        contents
    }
    /// Where the value of a scalar variable may point.
    pub fn variable(&self, function: FunctionId, local: LocalId) -> Vec<Target> {
        if let Some(node) = self.variables.get(&(function, local)) {
            return self.node_targets(*node, Offsets::ZERO);
        }
        let contents = self.contents(Object::Local(function, local));
        normal(contents.into_iter().flat_map(|(_, targets)| targets).collect())
    }
    fn node_targets(&self, node: NodeId, moved: Offsets) -> Vec<Target> {
        let set = &self.graph.nodes[self.graph.find(node)].set;
        let targets = set.iter().filter_map(|location| {
            let location = self.graph.locations[Id::new(location)];
            match self.graph.stores[location.store].holder {
                Holder::Object(Object::External) => Some(Target { object: Object::External, offsets: Offsets::ANY }),
                Holder::Object(object) => Some(Target { object, offsets: location.offsets.plus(moved) }),
                Holder::Result(_) | Holder::Buffer(_) => None,
            }
        });
        normal(targets.collect())
    }
}

/// Targets in order, without those that others contain.
fn normal(mut targets: Vec<Target>) -> Vec<Target> {
    targets.sort_unstable();
    targets.dedup();
    let mut kept = Vec::with_capacity(targets.len());
    for group in targets.chunk_by(|a, b| a.object == b.object) {
        let covers = |other: &Target, target: &Target| {
            other.offsets.contains(target.offsets) && (!target.offsets.contains(other.offsets) || other < target)
        };
        let needed = |target: &&Target| !group.iter().any(|other| covers(other, target));
        kept.extend(group.iter().filter(needed));
    }
    kept
}

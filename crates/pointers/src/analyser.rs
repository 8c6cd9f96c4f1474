//! The analysis as it goes on: the graph, and what is known of functions and calls.

use model::{Address, FunctionId, GlobalId, LocalId, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::body::{Base, BodyValues, address_taken};
use crate::fresh::Fresh;
use crate::graph::{Graph, Link, NodeId, Use};
use crate::object::{Object, Site};
use crate::offsets::Offsets;

/// Where something is read or written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub base: Base,
    pub offsets: Offsets,
}

/// A value on its way.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// One without pointers.
    Nothing,
    /// A scalar.
    Scalar(NodeId),
    /// A record or array, from one of these places, and its size.
    Aggregate(Vec<Operand>, Option<u64>),
}

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Where it is; `None` for calls by the library or the environment.
    pub site: Option<Site>,
    pub args: Vec<Value>,
    /// The arguments that are constants.
    pub numbers: Vec<Option<u64>>,
    /// Where the result goes, and its size.
    pub result: Option<(Operand, Option<u64>)>,
}

/// The analysis as it goes on.
pub(crate) struct Analyser<'p> {
    pub program: &'p Program,
    pub graph: Graph<'p>,
    /// The values of each function's body.
    pub bodies: Vec<BodyValues>,
    /// What each function returns, if it is a scalar.
    results: FxHashMap<FunctionId, NodeId>,
    /// The values of scalar variables that nothing points to.
    pub variables: FxHashMap<(FunctionId, LocalId), NodeId>,
    pub calls: Vec<Call>,
    pub connected: FxHashSet<(u32, FunctionId)>,
    /// The functions that each call command leads to.
    pub callees: FxHashMap<Site, Vec<FunctionId>>,
    pub fresh: Fresh,
    /// Whether a function is called of which nothing is known.
    pub has_unknown_calls: bool,
    /// Symbols by name, for aliases.
    functions: FxHashMap<&'p str, FunctionId>,
    globals: FxHashMap<&'p str, GlobalId>,
}

impl<'p> Analyser<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut functions = FxHashMap::default();
        for (id, function) in program.functions.enumerate().filter(|(_, function)| function.attributes.alias.is_none()) {
            functions.entry(function.link_name.as_deref().unwrap_or(&function.name)).or_insert(id);
        }
        let mut globals = FxHashMap::default();
        for (id, global) in program.globals.enumerate().filter(|(_, global)| global.alias.is_none()) {
            globals.entry(global.link_name.as_deref().unwrap_or(&global.name)).or_insert(id);
        }
        let taken = |body| BodyValues { taken: address_taken(body), ..BodyValues::default() };
        Analyser {
            program,
            graph: Graph::new(program),
            bodies: program.functions.iter().map(|function| function.body.as_ref().map(taken).unwrap_or_default()).collect(),
            results: FxHashMap::default(),
            variables: FxHashMap::default(),
            calls: Vec::new(),
            connected: FxHashSet::default(),
            callees: FxHashMap::default(),
            fresh: Fresh::new(program),
            has_unknown_calls: false,
            functions,
            globals,
        }
    }

    /// Adds all constraints and solves them.
    pub fn run(&mut self, entries: &[FunctionId]) {
        self.initial_contents();
        for (id, function) in self.program.functions.enumerate() {
            if let Some(body) = &function.body {
                self.body(id, body);
            }
        }
        entries.iter().for_each(|entry| self.enter(*entry));
        loop {
            self.graph.propagate();
            let (called, exposed) = (std::mem::take(&mut self.graph.called), std::mem::take(&mut self.graph.exposed));
            if called.is_empty() && exposed.is_empty() {
                return;
            }
            for (call, function) in called {
                match function {
                    Some(function) => self.resolve_call(call, function),
                    None => self.resolve_unknown_call(call),
                }
            }
            exposed.into_iter().for_each(|function| self.external_call(function));
        }
    }

    /// Addresses in static objects, and what outside code put into its own.
    fn initial_contents(&mut self) {
        for (id, global) in self.program.globals.enumerate() {
            let Some(init) = global.init.as_ref().filter(|_| global.alias.is_none()) else { continue };
            let store = self.graph.object(Object::Global(id));
            for relocation in &init.relocations {
                let target = match relocation.target {
                    Address::Global(target) => Object::Global(self.resolve_global(target)),
                    Address::Function(target) => Object::Function(self.resolve_function(target)),
                    Address::Label(..) | Address::LabelDifference(..) => continue,
                };
                let target = self.graph.object(target);
                let address = self.graph.address(target, Offsets::exact(relocation.addend));
                let at = i64::try_from(relocation.offset).map_or(Offsets::ANY, Offsets::exact);
                if let Some(written) = self.graph.writing(store, at, relocation.bytes.into()) {
                    self.graph.edge(address, written);
                }
            }
        }
        // What is declared and not defined belongs to code outside.
        let declared = self.program.globals.enumerate().filter(|(_, global)| global.init.is_none() && global.alias.is_none());
        for id in declared.map(|(id, _)| id).collect::<Vec<_>>() {
            let store = self.graph.object(Object::Global(id));
            self.graph.point(self.graph.known, store, Offsets::ANY);
        }
    }

    /// The global that an alias stands for.
    pub fn resolve_global(&self, id: GlobalId) -> GlobalId {
        let alias = self.program.globals.get(id).and_then(|global| global.alias.as_deref());
        alias.and_then(|name| self.globals.get(name)).copied().unwrap_or(id)
    }
    /// The function that an alias stands for.
    pub fn resolve_function(&self, id: FunctionId) -> FunctionId {
        let alias = self.program.functions.get(id).and_then(|function| function.attributes.alias.as_deref());
        alias.and_then(|name| self.functions.get(name)).copied().unwrap_or(id)
    }
    pub fn pointer_bytes(&self) -> u64 {
        self.program.types.target().pointer_bytes()
    }

    /// Where a local is kept: only the value, if nothing can point to it.
    pub fn variable(&mut self, function: FunctionId, local: LocalId) -> Base {
        let body = self.program.functions.get(function).and_then(|function| function.body.as_ref());
        let scalar = body.and_then(|body| body.locals.get(local)).is_some_and(|local| self.program.types.is_scalar(local.ty));
        let taken = self.bodies.get(function.index()).and_then(|body| body.taken.get(local.index())).copied();
        if scalar && taken == Some(false) {
            let graph = &mut self.graph;
            return Base::Variable(*self.variables.entry((function, local)).or_insert_with(|| graph.node()));
        }
        Base::Store(self.graph.object(Object::Local(function, local)))
    }
    /// What a function returns, if it is a scalar.
    pub fn result(&mut self, function: FunctionId) -> NodeId {
        let graph = &mut self.graph;
        *self.results.entry(function).or_insert_with(|| graph.node())
    }

    /// The value that is read from somewhere.
    pub fn load(&mut self, from: Operand, size: u64) -> Option<NodeId> {
        match from.base {
            Base::Variable(node) => Some(node),
            Base::Store(store) => self.graph.reading(store, from.offsets, size),
            Base::Pointer(pointer) => {
                let value = self.graph.node();
                self.graph.add_use(pointer, Use::Load(from.offsets, size, value));
                Some(value)
            }
            Base::Nowhere => None,
        }
    }
    /// Writes a value somewhere.
    pub fn store(&mut self, to: Operand, size: u64, value: NodeId) {
        match to.base {
            Base::Variable(node) => self.graph.edge(value, node),
            Base::Store(store) => {
                if let Some(written) = self.graph.writing(store, to.offsets, size) {
                    self.graph.edge(value, written);
                }
            }
            Base::Pointer(pointer) => self.graph.add_use(pointer, Use::Store(to.offsets, size, value)),
            Base::Nowhere => {}
        }
    }
    /// Writes a value to any of the bytes from somewhere on.
    pub fn scatter(&mut self, to: Operand, size: Option<u64>, value: NodeId) {
        let bytes = size.map_or(Offsets::ANY, |size| Offsets::run(0, 1, size));
        self.store(Operand { base: to.base, offsets: to.offsets.plus(bytes) }, 1, value);
    }
    /// Copies bytes.
    pub fn copy(&mut self, from: Operand, to: Operand, len: Option<u64>) {
        match (from.base, to.base) {
            (Base::Variable(value), _) => self.store(to, len.unwrap_or(1), value),
            (_, Base::Variable(_)) => {
                if let Some(value) = self.load(from, len.unwrap_or(1)) {
                    self.store(to, len.unwrap_or(1), value);
                }
            }
            (Base::Store(source), Base::Store(destination)) => {
                self.graph.link(source, Link { from: from.offsets, to: destination, at: to.offsets, len });
            }
            (Base::Store(source), Base::Pointer(to_pointer)) => {
                // What is copied is seen from its own beginning, so that one rule does for all destinations.
                let buffer = self.graph.buffer();
                self.graph.link(source, Link { from: from.offsets, to: buffer, at: Offsets::ZERO, len });
                self.graph.add_use(to_pointer, Use::CopyTo(to.offsets, buffer, len));
            }
            (Base::Pointer(pointer), Base::Store(destination)) => {
                let buffer = self.graph.buffer();
                self.graph.add_use(pointer, Use::CopyFrom(from.offsets, buffer, len));
                self.graph.link(buffer, Link { from: Offsets::ZERO, to: destination, at: to.offsets, len });
            }
            (Base::Pointer(pointer), Base::Pointer(to_pointer)) => {
                let buffer = self.graph.buffer();
                self.graph.add_use(pointer, Use::CopyFrom(from.offsets, buffer, len));
                self.graph.add_use(to_pointer, Use::CopyTo(to.offsets, buffer, len));
            }
            (Base::Nowhere, _) | (_, Base::Nowhere) => {}
        }
    }
}

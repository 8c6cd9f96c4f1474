//! The constraint graph: nodes with sets of locations, and memory as cells.
//!
//! A node stands for a value somewhere in the program; its set has the locations that the value may be the address of. Edges say that one
//! set is part of another. Memory is not one node for each variable but cells: the bytes that an access touches. What is written to a cell
//! is kept apart from what is read from it; reading takes from all cells that overlap. So bytes can be written and read in pieces of any size, and
//! two cells have nothing to do with each other because a third one overlaps both.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use model::{Arena, FunctionId, Id, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::object::{Allocation, AllocationId, Object, clip, size_of};
use crate::offsets::Offsets;
use crate::set::Set;

/// More offsets of one object in one set than this are merged.
const MANY_OFFSETS: usize = 16;
/// More cells of one object than this, and copies no longer tell apart where they write.
const MANY_CELLS: usize = 64;

pub(crate) type NodeId = Id<Node>;
pub(crate) type StoreId = Id<Store>;
pub(crate) type LocationId = Id<Location>;
pub(crate) type CellId = Id<CellNodes>;

/// Something that holds values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Holder {
    /// An object.
    Object(Object),
    /// The record or array that a function returns.
    Result(FunctionId),
    /// What a copy has read and not yet written.
    Buffer(u32),
}

/// A holder with what is known of it.
#[derive(Debug)]
pub(crate) struct Store {
    pub holder: Holder,
    size: Option<u64>,
    /// Whether code outside of the program can reach it.
    pub escaped: bool,
    /// Whether it is never written.
    constant: bool,
    cells: Vec<CellId>,
    links: Vec<Link>,
    locations: Vec<LocationId>,
}

/// Whatever is written from `from` on also goes to `at` in another store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Link {
    pub from: Offsets,
    pub to: StoreId,
    pub at: Offsets,
    /// How many bytes; `None` if that is unknown.
    pub len: Option<u64>,
}

/// A place in a store.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Location {
    pub store: StoreId,
    pub offsets: Offsets,
}

/// Bytes of a store, with what was written to them and what is read from them.
#[derive(Debug)]
pub(crate) struct CellNodes {
    offsets: Offsets,
    size: u64,
    read: Option<NodeId>,
    written: Option<NodeId>,
}

/// What depends on the locations of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Use {
    /// They flow to a node, moved by these offsets.
    Shift(Offsets, NodeId),
    /// What is there (of that size) flows to a node.
    Load(Offsets, u64, NodeId),
    /// What a node has is stored there.
    Store(Offsets, u64, NodeId),
    /// The bytes there go to the beginning of a buffer.
    CopyFrom(Offsets, StoreId, Option<u64>),
    /// The bytes of a buffer go there.
    CopyTo(Offsets, StoreId, Option<u64>),
    /// They are called: a position in a table of calls.
    Call(u32),
    /// Code outside of the program gets them.
    Escape,
}

/// A value.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub set: Set,
    /// Those of the set that have not been passed on.
    pub news: Set,
    pub edges: Vec<NodeId>,
    pub uses: Vec<Use>,
    /// The position in the order in which nodes are worked on.
    pub rank: u32,
}

/// Nodes, cells and all that connects them.
pub(crate) struct Graph<'p> {
    pub program: &'p Program,
    pub stores: Arena<Store>,
    store_ids: FxHashMap<Holder, StoreId>,
    pub allocations: Arena<Allocation>,
    allocation_ids: FxHashMap<Allocation, AllocationId>,
    pub locations: Arena<Location>,
    location_ids: FxHashMap<Location, LocationId>,
    cells: Arena<CellNodes>,
    cell_ids: FxHashMap<(StoreId, Offsets, u64), CellId>,
    pub nodes: Arena<Node>,
    /// For each node the one that it was merged into, or itself.
    parents: Vec<NodeId>,
    edges: FxHashSet<(NodeId, NodeId)>,
    uses: FxHashSet<(NodeId, Use)>,
    links: FxHashSet<(StoreId, Link)>,
    addresses: FxHashMap<LocationId, NodeId>,
    shifted: FxHashMap<(NodeId, Offsets), NodeId>,
    buffers: u32,
    /// Nodes that have news.
    pub work: BinaryHeap<Reverse<(u32, NodeId)>>,
    /// Edges that were added since cycles were last looked for.
    pub new_edges: usize,
    /// Calls whose callee became known and that are not yet connected; `None` for code outside.
    pub called: Vec<(u32, Option<FunctionId>)>,
    /// Functions that became known to code outside of the program.
    pub exposed: Vec<FunctionId>,
    /// Functions that code outside of the program knows, and calls through pointers that come from there.
    pub known_functions: Vec<FunctionId>,
    open_calls: Vec<u32>,
    /// What comes from outside: a pointer to [`Object::External`], which stands for all that is known there.
    pub outside: NodeId,
    /// What gets outside.
    pub known: NodeId,
    /// The location of [`Object::External`], and all locations that it stands for.
    external: LocationId,
    implied: Set,
}

impl<'p> Graph<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut graph = Graph {
            program,
            stores: Arena::new(),
            store_ids: FxHashMap::default(),
            allocations: Arena::new(),
            allocation_ids: FxHashMap::default(),
            locations: Arena::new(),
            location_ids: FxHashMap::default(),
            cells: Arena::new(),
            cell_ids: FxHashMap::default(),
            nodes: Arena::new(),
            parents: Vec::new(),
            edges: FxHashSet::default(),
            uses: FxHashSet::default(),
            links: FxHashSet::default(),
            addresses: FxHashMap::default(),
            shifted: FxHashMap::default(),
            buffers: 0,
            work: BinaryHeap::new(),
            new_edges: 0,
            called: Vec::new(),
            exposed: Vec::new(),
            known_functions: Vec::new(),
            open_calls: Vec::new(),
            outside: Id::new(0),
            known: Id::new(0),
            external: Id::new(0),
            implied: Set::default(),
        };
        let external = graph.object(Object::External);
        graph.external = graph.location(external, Offsets::ANY);
        graph.outside = graph.address(external, Offsets::ANY);
        graph.known = graph.node();
        graph.add_use(graph.known, Use::Escape);
        graph
    }

    /// The store of a holder.
    pub fn store(&mut self, holder: Holder) -> StoreId {
        if let Some(&id) = self.store_ids.get(&holder) {
            return id;
        }
        let (size, constant) = match holder {
            Holder::Object(Object::Global(id)) => {
                (size_of(self.program, Object::Global(id)), self.program.globals.get(id).is_some_and(|global| global.constant))
            }
            Holder::Object(object) => (size_of(self.program, object), false),
            Holder::Result(_) | Holder::Buffer(_) => (None, false),
        };
        let store = Store { holder, size, escaped: false, constant, cells: Vec::new(), links: Vec::new(), locations: Vec::new() };
        let id = self.stores.push(store);
        self.store_ids.insert(holder, id);
        id
    }
    /// The store of an object.
    pub fn object(&mut self, object: Object) -> StoreId {
        self.store(Holder::Object(object))
    }
    /// The store of an object that was asked for before.
    pub fn find_object(&self, object: Object) -> Option<StoreId> {
        self.store_ids.get(&Holder::Object(object)).copied()
    }
    /// A store of its own for a copy.
    pub fn buffer(&mut self) -> StoreId {
        self.buffers += 1;
        self.store(Holder::Buffer(self.buffers))
    }
    /// The id of an allocation.
    pub fn allocation(&mut self, allocation: Allocation) -> AllocationId {
        if let Some(&id) = self.allocation_ids.get(&allocation) {
            return id;
        }
        let id = self.allocations.push(allocation.clone());
        self.allocation_ids.insert(allocation, id);
        id
    }

    /// A new node.
    pub fn node(&mut self) -> NodeId {
        let id = self.nodes.push(Node { rank: u32::MAX, ..Node::default() });
        self.parents.push(id);
        id
    }
    /// The node that a node was merged into.
    pub fn find(&self, mut node: NodeId) -> NodeId {
        while self.parents[node.index()] != node {
            node = self.parents[node.index()];
        }
        node
    }

    /// The id of a location.
    pub fn location(&mut self, store: StoreId, offsets: Offsets) -> LocationId {
        // Outside code goes where it likes: there is only one place in what it owns.
        let offsets = if self.stores[store].holder == Holder::Object(Object::External) { Offsets::ANY } else { offsets };
        let location = Location { store, offsets };
        if let Some(&id) = self.location_ids.get(&location) {
            return id;
        }
        let id = self.locations.push(location);
        self.location_ids.insert(location, id);
        self.stores[store].locations.push(id);
        if self.stores[store].escaped {
            self.implied.insert(id.raw());
        }
        id
    }
    /// Adds a location to a node.
    pub fn point(&mut self, node: NodeId, store: StoreId, offsets: Offsets) {
        let location = self.location(store, offsets);
        self.add_location(node, location);
    }
    fn add_location(&mut self, node: NodeId, location: LocationId) {
        let node = self.find(node);
        let content = &mut self.nodes[node];
        if self.implied.has(location.raw()) && content.set.has(self.external.raw()) {
            return;
        }
        if content.set.insert(location.raw()) {
            content.news.insert(location.raw());
            self.work.push(Reverse((content.rank, node)));
        }
    }
    /// Adds locations to a node.
    pub fn add_set(&mut self, node: NodeId, set: &Set) {
        let content = &mut self.nodes[node];
        let grown = if content.set.has(self.external.raw()) {
            content.set.add_new(&set.without(&self.implied), &mut content.news)
        } else {
            content.set.add_new(set, &mut content.news)
        };
        if grown {
            self.work.push(Reverse((content.rank, node)));
        }
    }
    /// Drops locations from a set that are implied by another one.
    pub fn prune(&mut self, node: NodeId) {
        let content = &mut self.nodes[node];
        // The set of what gets outside is what all this is about.
        if node != self.parents[self.known.index()] && content.set.has(self.external.raw()) {
            content.set = content.set.without(&self.implied);
            content.news = content.news.without(&self.implied);
        }
    }
    /// A node that has just this location.
    pub fn address(&mut self, store: StoreId, offsets: Offsets) -> NodeId {
        let location = self.location(store, offsets);
        if let Some(&node) = self.addresses.get(&location) {
            return node;
        }
        let node = self.node();
        self.add_location(node, location);
        self.addresses.insert(location, node);
        node
    }
    /// A node that has the locations of another one, moved.
    pub fn shifted(&mut self, node: NodeId, offsets: Offsets) -> NodeId {
        if offsets == Offsets::ZERO {
            return node;
        }
        if let Some(&moved) = self.shifted.get(&(node, offsets)) {
            return moved;
        }
        let moved = self.node();
        self.shifted.insert((node, offsets), moved);
        self.add_use(node, Use::Shift(offsets, moved));
        moved
    }

    /// All that `from` has goes to `to`.
    pub fn edge(&mut self, from: NodeId, to: NodeId) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.new_edges += 1;
        self.nodes[from].edges.push(to);
        let set = std::mem::take(&mut self.nodes[from].set);
        self.add_set(to, &set);
        self.nodes[from].set = set;
    }
    /// Adds something that depends on a node's locations.
    pub fn add_use(&mut self, node: NodeId, what: Use) {
        let node = self.find(node);
        if !self.uses.insert((node, what)) {
            return;
        }
        self.nodes[node].uses.push(what);
        for location in self.nodes[node].set.clone().iter() {
            self.apply(what, Id::new(location));
        }
    }
    /// Makes a node part of another one.
    pub fn merge(&mut self, node: NodeId, into: NodeId) {
        let (node, into) = (self.find(node), self.find(into));
        if node == into {
            return;
        }
        self.parents[node.index()] = into;
        let old = std::mem::take(&mut self.nodes[node]);
        let new = &mut self.nodes[into];
        // What only one of the two has passed on has to be passed on again.
        let mut pending = old.set.without(&new.set);
        pending.extend(&new.set.without(&old.set));
        pending.extend(&old.news);
        new.news.extend(&pending);
        new.set.extend(&old.set);
        new.edges.extend(old.edges);
        new.uses.extend(old.uses);
        if !new.news.is_empty() {
            self.work.push(Reverse((new.rank, into)));
        }
    }

    /// What a use does with one location.
    pub fn apply(&mut self, what: Use, location: LocationId) {
        let Location { store, offsets } = self.locations[location];
        match what {
            Use::Shift(by, to) => self.shift(store, offsets.plus(by), to),
            Use::Load(at, size, to) => {
                if let Some(read) = self.reading(store, offsets.plus(at), size) {
                    self.edge(read, to);
                }
            }
            Use::Store(at, size, from) => {
                if let Some(written) = self.writing(store, offsets.plus(at), size) {
                    self.edge(from, written);
                }
            }
            Use::CopyFrom(at, to, len) => self.link(store, Link { from: offsets.plus(at), to, at: Offsets::ZERO, len }),
            Use::CopyTo(at, from, len) => self.link(from, Link { from: Offsets::ZERO, to: store, at: offsets.plus(at), len }),
            Use::Call(call) => match self.stores[store].holder {
                Holder::Object(Object::Function(function)) => self.called.push((call, Some(function))),
                Holder::Object(Object::External) => self.open_call(call),
                _ => {}
            },
            Use::Escape => self.escape(store),
        }
    }

    /// Adds a moved location to a set, and keeps the set finite: many offsets in one object become a class.
    fn shift(&mut self, store: StoreId, offsets: Offsets, to: NodeId) {
        let node = self.find(to);
        let mut offsets = offsets;
        if self.stores[store].locations.len() > MANY_OFFSETS {
            let set = &self.nodes[node].set;
            let here = self.stores[store].locations.iter().filter(|location| set.has(location.raw()));
            let here: Vec<Offsets> = here.map(|location| self.locations[*location].offsets).collect();
            if here.iter().any(|other| other.contains(offsets)) {
                return;
            }
            if here.len() >= MANY_OFFSETS {
                offsets = here.into_iter().fold(offsets, Offsets::join);
            }
        }
        self.point(node, store, offsets);
    }

    /// Whether what a store holds is not told apart from what is outside.
    pub fn is_outside(&self, store: StoreId) -> bool {
        let store = &self.stores[store];
        store.holder == Holder::Object(Object::External) || store.escaped && !store.constant
    }
    fn is_function(&self, store: StoreId) -> bool {
        matches!(self.stores[store].holder, Holder::Object(Object::Function(_)))
    }
    fn cell(&mut self, store: StoreId, offsets: Offsets, size: u64) -> Option<CellId> {
        let offsets = clip(offsets, size, self.stores[store].size)?;
        if let Some(&cell) = self.cell_ids.get(&(store, offsets, size)) {
            return Some(cell);
        }
        let cell = self.cells.push(CellNodes { offsets, size, read: None, written: None });
        self.cell_ids.insert((store, offsets, size), cell);
        self.stores[store].cells.push(cell);
        Some(cell)
    }
    /// The node of what is read from some bytes; `None` if there can be no such bytes.
    pub fn reading(&mut self, store: StoreId, offsets: Offsets, size: u64) -> Option<NodeId> {
        if self.is_function(store) {
            return None;
        }
        if self.is_outside(store) {
            return Some(self.outside);
        }
        let cell = self.cell(store, offsets, size)?;
        if let Some(read) = self.cells[cell].read {
            return Some(read);
        }
        let read = self.node();
        self.cells[cell].read = Some(read);
        for other in self.stores[store].cells.clone() {
            if let Some(written) = self.cells[other].written {
                self.connect(written, other, read, cell);
            }
        }
        Some(read)
    }
    /// The node of what is written to some bytes; `None` if there can be no such bytes.
    pub fn writing(&mut self, store: StoreId, offsets: Offsets, size: u64) -> Option<NodeId> {
        if self.is_function(store) {
            return None;
        }
        if self.is_outside(store) {
            return Some(self.known);
        }
        let cell = self.cell(store, offsets, size)?;
        if let Some(written) = self.cells[cell].written {
            return Some(written);
        }
        let written = self.node();
        self.cells[cell].written = Some(written);
        for other in self.stores[store].cells.clone() {
            if let Some(read) = self.cells[other].read {
                self.connect(written, cell, read, other);
            }
        }
        for link in self.stores[store].links.clone() {
            self.follow(link, cell, written);
        }
        Some(written)
    }
    /// Reading takes what was written: the whole, or pieces, which put together can be any address in the same objects.
    fn connect(&mut self, written: NodeId, to: CellId, read: NodeId, from: CellId) {
        let (to, from) = (&self.cells[to], &self.cells[from]);
        let overlap = to.offsets.overlap(to.size, from.offsets, from.size);
        if overlap.same {
            self.edge(written, read);
        }
        if overlap.partial {
            let pieces = self.shifted(written, Offsets::ANY);
            self.edge(pieces, read);
        }
    }

    /// The parts of a store that were written, and with what.
    pub fn written(&self, store: StoreId) -> Vec<(Offsets, u64, NodeId)> {
        let cells = self.stores[store].cells.iter().map(|cell| &self.cells[*cell]);
        cells.filter_map(|cell| Some((cell.offsets, cell.size, cell.written?))).collect()
    }

    /// Copies what is and what will be written to a part of a store.
    pub fn link(&mut self, store: StoreId, link: Link) {
        if !self.links.insert((store, link)) {
            return;
        }
        if self.is_outside(store) {
            self.copy_outside(link);
            return;
        }
        self.stores[store].links.push(link);
        for cell in self.stores[store].cells.clone() {
            if let Some(written) = self.cells[cell].written {
                self.follow(link, cell, written);
            }
        }
    }
    /// Copies something from outside to all that a link leads to.
    fn copy_outside(&mut self, link: Link) {
        let bytes = link.len.map_or(Offsets::ANY, |len| Offsets::run(0, 1, len));
        if let Some(written) = self.writing(link.to, link.at.plus(bytes), 1) {
            self.edge(self.outside, written);
        }
    }
    fn follow(&mut self, link: Link, cell: CellId, written: NodeId) {
        let CellNodes { offsets, size, .. } = self.cells[cell];
        // Where the cell is, seen from the beginning of what is copied.
        let (first, end) =
            (1 - i64::try_from(size).unwrap_or(i64::MAX), link.len.and_then(|len| i64::try_from(len).ok()).unwrap_or(i64::MAX));
        let Some(inside) = offsets.minus(link.from).within(first, end) else { return };
        let mut at = inside.plus(link.at);
        if self.stores[link.to].cells.len() > MANY_CELLS {
            at = Offsets::class(at.start(), crate::offsets::gcd(at.granularity(), self.program.types.target().pointer_bytes()));
        }
        if let Some(copied) = self.writing(link.to, at, size) {
            self.edge(written, copied);
        }
    }

    /// A call through a pointer from outside: to code there, or to a function that is known there.
    fn open_call(&mut self, call: u32) {
        if !self.open_calls.contains(&call) {
            self.open_calls.push(call);
            self.called.push((call, None));
            self.called.extend(self.known_functions.iter().map(|function| (call, Some(*function))));
        }
    }
    /// Code outside of the program gets a pointer: it may read and write all of the object, and call functions. From now on a pointer from
    /// outside may point to it, so what the object holds is what all objects outside hold.
    fn escape(&mut self, store: StoreId) {
        if std::mem::replace(&mut self.stores[store].escaped, true) || store == self.locations[self.external].store {
            return;
        }
        for location in &self.stores[store].locations {
            self.implied.insert(location.raw());
        }
        if let Holder::Object(Object::Function(function)) = self.stores[store].holder {
            self.exposed.push(function);
            self.known_functions.push(function);
            self.called.extend(self.open_calls.iter().map(|call| (*call, Some(function))));
        } else if self.stores[store].constant {
            if let Some(read) = self.reading(store, Offsets::ANY, 1) {
                self.edge(read, self.known);
            }
        } else {
            self.dissolve(store);
        }
    }
    /// Connects the cells that a store had before it got outside.
    fn dissolve(&mut self, store: StoreId) {
        for cell in self.stores[store].cells.clone() {
            let CellNodes { read, written, .. } = self.cells[cell];
            if let Some(written) = written {
                self.edge(written, self.known);
            }
            if let Some(read) = read {
                self.edge(self.outside, read);
            }
        }
        for link in std::mem::take(&mut self.stores[store].links) {
            self.copy_outside(link);
        }
    }
}

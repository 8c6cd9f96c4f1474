//! The partition of memory: each access touches bytes of exactly one region.

use model::{Arena, Body, Callee, CommandKind, ExprKind, FunctionId, Id, PlaceId, PlaceKind, Program, Type, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Analysis;
use crate::body::{access_size, constant};
use crate::library::{self, Effect};
use crate::object::{Cell, Object, Site, Target, size_of};
use crate::offsets::Offsets;

/// The index of a [`Region`].
pub type RegionId = Id<Region>;

/// How the bytes of a region are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionKind {
    /// All accesses have this many bytes and overlap wholly or not at all, so that a cell holds a scalar.
    Typed {
        /// The size of a cell.
        bytes: u64,
    },
    /// Bytes that are accessed in pieces of several sizes or at odd distances.
    Bytes,
}

/// A part of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// How it is accessed.
    pub kind: RegionKind,
    /// What belongs to it, in order.
    pub cells: Vec<Cell>,
}

/// A scalar inside a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Leaf {
    /// Where it is; the elements of an array are one leaf.
    pub offsets: Offsets,
    /// How many bytes it has; for a bit-field those that it has bits in.
    pub size: u64,
}

/// All memory that is accessed, in regions. Variables that nothing points to are not in memory.
pub struct Regions {
    regions: Arena<Region>,
    cells: FxHashMap<Cell, RegionId>,
    objects: FxHashMap<Object, Vec<(Cell, RegionId)>>,
    /// The regions that code outside of the program may know.
    known_outside: Vec<RegionId>,
}

impl Regions {
    /// Divides the memory of an analysed program.
    pub fn new(analysis: &Analysis<'_>) -> Self {
        let mut partition = Partition::default();
        let program = analysis.program();
        for (function, body) in program.functions.enumerate().filter_map(|(id, function)| Some((id, function.body.as_ref()?))) {
            partition.body(analysis, function, body);
        }
        partition.unite_overlaps();
        partition.unite_fills(program);
        partition.unite_arguments();
        partition.unite_outside(analysis);
        let mut regions = partition.regions();
        regions.known_outside = regions.touched_by_outside(analysis);
        regions
    }

    /// All regions.
    pub fn all(&self) -> &Arena<Region> {
        &self.regions
    }
    /// How a region is accessed.
    pub fn kind(&self, region: RegionId) -> RegionKind {
        self.regions[region].kind
    }
    /// The region that the access of a scalar place touches; `None` if the place is not in memory, or leads nowhere.
    pub fn of(&self, analysis: &Analysis<'_>, function: FunctionId, place: PlaceId) -> Option<RegionId> {
        analysis.accessed(function, place).iter().find_map(|cell| self.cells.get(cell)).copied()
    }
    /// The scalars of a record or array in a place, and the region that each is in.
    pub fn leaves_of(&self, analysis: &Analysis<'_>, function: FunctionId, place: PlaceId) -> Vec<(Leaf, Option<RegionId>)> {
        let program = analysis.program();
        let Some(body) = program.functions.get(function).and_then(|function| function.body.as_ref()) else { return Vec::new() };
        let targets = analysis.place(function, place);
        let leaves = place_leaves(&program.types, body, place);
        let region = |leaf: &Leaf| leaf_cells(analysis, &targets, *leaf).find_map(|cell| self.cells.get(&cell).copied());
        leaves.into_iter().map(|leaf| (leaf, region(&leaf))).collect()
    }
    /// The region of some bytes of an object; `None` if nothing accesses them.
    pub fn of_cell(&self, object: Object, offset: i64, size: u64) -> Option<RegionId> {
        let at = Offsets::exact(offset);
        self.cells_of(object).iter().find(|(cell, _)| cell.offsets.overlap(cell.size, at, size).any()).map(|(_, region)| *region)
    }
    /// All parts of an object that are accessed, with their regions, in order.
    pub fn cells_of(&self, object: Object) -> &[(Cell, RegionId)] {
        self.objects.get(&object).map_or(&[], Vec::as_slice)
    }
    /// The regions that some cells have a part in, in order.
    pub fn touched(&self, cells: &[Cell]) -> Vec<RegionId> {
        let mut touched: Vec<RegionId> = Vec::new();
        for cell in cells {
            let overlaps = |other: &&(Cell, RegionId)| other.0.offsets.overlap(other.0.size, cell.offsets, cell.size).any();
            touched.extend(self.cells_of(cell.object).iter().filter(overlaps).map(|(_, region)| *region));
            if cell.object == Object::External {
                touched.extend(&self.known_outside);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        touched
    }
    fn touched_by_outside(&self, analysis: &Analysis<'_>) -> Vec<RegionId> {
        let known = |region: &Region| region.cells.iter().any(|cell| analysis.escapes(cell.object));
        self.regions.enumerate().filter(|(_, region)| known(region)).map(|(id, _)| id).collect()
    }
}

/// The scalars in a place: itself, or those of its type.
fn place_leaves(types: &Types, body: &Body, place: PlaceId) -> Vec<Leaf> {
    let ty = body.places[place].ty;
    if types.is_scalar(ty) {
        return access_size(types, body, place).map(|size| Leaf { offsets: Offsets::ZERO, size }).into_iter().collect();
    }
    leaves(types, ty)
}

/// The scalars that a type is made of, in order.
pub(crate) fn leaves(types: &Types, ty: TypeId) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut open = vec![(ty, Offsets::ZERO)];
    while let Some((ty, offsets)) = open.pop() {
        match types.get(ty) {
            Type::Array { elem, len } => {
                let size = types.size_of(*elem).unwrap_or(1);
                let elements = len.map_or(Offsets::class(0, size), |len| Offsets::run(0, size, len));
                open.push((*elem, offsets.plus(elements)));
            }
            Type::Record(record) => {
                for field in types.record(*record).layout.iter().flat_map(|layout| &layout.fields) {
                    let offsets = offsets.plus(i64::try_from(field.offset).map_or(Offsets::ANY, Offsets::exact));
                    match field.bit {
                        Some(bit) => {
                            let size = types.bits(field.ty).map_or(1, |bits| (bits + u16::from(bit)).div_ceil(8));
                            found.push(Leaf { offsets, size: size.into() });
                        }
                        None => open.push((field.ty, offsets)),
                    }
                }
            }
            _ => found.extend(types.size_of(ty).map(|size| Leaf { offsets, size })),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The bytes that one leaf of a place at these targets may be.
fn leaf_cells<'a>(analysis: &'a Analysis<'_>, targets: &'a [Target], leaf: Leaf) -> impl Iterator<Item = Cell> + 'a {
    let moved = move |target: &Target| Target { object: target.object, offsets: target.offsets.plus(leaf.offsets) };
    targets.iter().filter_map(move |target| analysis.cell(moved(target), leaf.size)).filter(|cell| analysis.in_memory(cell.object))
}

impl Analysis<'_> {
    /// Whether an object has to be in memory: variables need not be if nothing can point to them.
    pub fn in_memory(&self, object: Object) -> bool {
        match object {
            Object::Local(function, local) => self.address_taken(function, local),
            Object::Function(_) | Object::Variadic(_) => false,
            _ => true,
        }
    }

    /// Whether an object is a string literal: its content is what it was at the start as long as the program runs. It lies in memory that cannot be written,
    /// so a run that tries ends there, as the interpreter has it too: there is no state behind such a write that anybody could ask about. Of other constants
    /// this cannot be said: those that are `volatile`, thread-local or hold addresses lie in memory that can be written.
    pub fn is_literal(&self, object: Object) -> bool {
        let Object::Global(id) = object else { return false };
        self.program().globals.get(id).is_some_and(|global| global.constant && global.init.is_some() && global.name.starts_with(".string"))
    }
}

/// Cells on their way to regions: a union-find structure.
#[derive(Default)]
struct Partition {
    ids: FxHashMap<Cell, usize>,
    cells: Vec<Cell>,
    parents: Vec<usize>,
    /// Cells that make their region one of bytes.
    bytewise: FxHashSet<usize>,
    /// What functions fill with zeros.
    cleared: Vec<Vec<Cell>>,
}

impl Partition {
    fn cell(&mut self, cell: Cell) -> usize {
        if let Some(&id) = self.ids.get(&cell) {
            return id;
        }
        let id = self.cells.len();
        self.ids.insert(cell, id);
        self.cells.push(cell);
        self.parents.push(id);
        let overlap = cell.offsets.overlap(cell.size, cell.offsets, cell.size);
        // A scalar in memory has 1, 2, 4, 8 or 16 bytes; anything else is no scalar.
        if overlap.partial || cell.object == Object::External || !cell.size.is_power_of_two() || cell.size > 16 {
            self.bytewise.insert(id);
        }
        id
    }
    fn find(&mut self, mut cell: usize) -> usize {
        while self.parents[cell] != cell {
            self.parents[cell] = self.parents[self.parents[cell]];
            cell = self.parents[cell];
        }
        cell
    }
    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }
    /// One access may touch any of these.
    fn access(&mut self, cells: impl Iterator<Item = Cell>) {
        let mut first = None;
        for cell in cells {
            let cell = self.cell(cell);
            match first {
                Some(first) => self.unite(first, cell),
                None => first = Some(cell),
            }
        }
    }

    fn body(&mut self, analysis: &Analysis<'_>, function: FunctionId, body: &Body) {
        let read = body.exprs.iter().filter(|expr| !matches!(expr.kind, ExprKind::AddressOf(_))).filter_map(|expr| expr.kind.place());
        let commands = body.blocks.iter().flat_map(|block| &block.commands);
        let mut accessed: Vec<PlaceId> = read.chain(commands.filter_map(|command| command.kind.place())).collect();
        accessed.sort_unstable();
        accessed.dedup();
        for place in accessed {
            if !is_variable(analysis, function, body, place) {
                let targets = analysis.place(function, place);
                for leaf in place_leaves(&analysis.program().types, body, place) {
                    self.access(leaf_cells(analysis, &targets, leaf));
                }
            }
        }
        for (block, content) in body.blocks.enumerate() {
            for (command, kind) in content.commands.iter().map(|command| &command.kind).enumerate() {
                if let CommandKind::Call { .. } = kind {
                    self.call(analysis, body, Site { function, block, command }, kind);
                }
            }
        }
    }
    /// Functions that move bytes without regard to what they mean.
    fn call(&mut self, analysis: &Analysis<'_>, body: &Body, site: Site, kind: &CommandKind) {
        let CommandKind::Call { callee, args, .. } = kind else { return };
        let direct = match callee {
            Callee::Direct(callee) => vec![*callee],
            Callee::Indirect(pointer) => analysis.functions(site.function, *pointer),
        };
        let program = analysis.program();
        let functions = direct.into_iter().filter_map(|id| program.functions.get(id)).filter(|function| function.body.is_none());
        let clears = functions.clone().all(|function| function.name == "__loopfrog_fill");
        for effect in functions.filter_map(library::effects).flatten() {
            let is_zero = matches!(effect, Effect::Fills(..))
                && clears
                && args.get(1).and_then(|byte| constant(&program.types, body, *byte)) == Some(0);
            let (positions, len) = match *effect {
                Effect::Copies { to, from, len } => (vec![to, from], len),
                Effect::Fills(position, len) => (vec![position], Some(len)),
                Effect::Finds(position) | Effect::Mixes(position, _) | Effect::Duplicates(position) => (vec![position], None),
                Effect::Appends { to, from } => (vec![to, from], None),
                _ => continue,
            };
            let len = len.and_then(|len| constant(&program.types, body, *args.get(len)?)).and_then(|len| u64::try_from(len).ok());
            for argument in positions.into_iter().filter_map(|position| args.get(position)) {
                let targets = analysis.targets(site.function, *argument);
                let cells = targets.iter().filter_map(|target| analysis.cell(*target, len.unwrap_or(Cell::REST)));
                let cells: Vec<Cell> = cells.filter(|cell| analysis.in_memory(cell.object) && cell.size > 0).collect();
                if is_zero {
                    self.cleared.push(cells);
                } else {
                    self.bytes(cells);
                }
            }
        }
    }

    /// These are accessed byte by byte.
    fn bytes(&mut self, cells: Vec<Cell>) {
        for cell in &cells {
            let id = self.cell(*cell);
            self.bytewise.insert(id);
        }
        self.access(cells.into_iter());
    }

    /// Memory that is filled with zeros is accessed byte by byte, unless each scalar there is filled as a whole or not at all: then it becomes 0.
    fn unite_fills(&mut self, program: &Program) {
        let cleared = std::mem::take(&mut self.cleared);
        let is_partly = |cells: &Vec<Cell>| !cells.iter().all(|filled| self.is_filled_with_whole_cells(program, filled));
        let partly: Vec<Vec<Cell>> = cleared.into_iter().filter(is_partly).collect();
        if !partly.is_empty() {
            partly.into_iter().for_each(|cells| self.bytes(cells));
            self.unite_overlaps();
        }
    }
    fn is_filled_with_whole_cells(&self, program: &Program, filled: &Cell) -> bool {
        let (Some(start), true) = (filled.offsets.single(), filled.size != Cell::REST && filled.object != Object::External) else {
            return false;
        };
        if start == 0 && size_of(program, filled.object) == Some(filled.size) {
            return true;
        }
        let end = start.saturating_add_unsigned(filled.size);
        let is_whole = |cell: &Cell| {
            let inside = cell
                .offsets
                .bounds()
                .is_some_and(|(first, last)| first >= start && cell.size != Cell::REST && last.saturating_add_unsigned(cell.size) <= end);
            inside || !cell.offsets.overlap(cell.size, filled.offsets, filled.size).any()
        };
        self.cells.iter().filter(|cell| cell.object == filled.object).all(is_whole)
    }

    /// Cells of one object that share bytes belong together; they are scalars only if they share all.
    fn unite_overlaps(&mut self) {
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_unstable_by_key(|&id| self.cells[id]);
        let cells = std::mem::take(&mut self.cells);
        for group in order.chunk_by(|&a, &b| cells[a].object == cells[b].object) {
            // Those with an end are in order of their beginning, so that each meets only those that begin before its end.
            let (mut finite, endless): (Vec<usize>, Vec<usize>) = group.iter().partition(|&&id| cells[id].offsets.bounds().is_some());
            finite.sort_by_key(|&id| cells[id].offsets.start());
            for (position, &a) in finite.iter().enumerate() {
                let end = cells[a].offsets.bounds().map_or(i64::MAX, |(_, last)| last.saturating_add_unsigned(cells[a].size));
                for &b in finite[position + 1..].iter().take_while(|&&b| cells[b].offsets.start() < end) {
                    self.unite_if_overlapping(&cells, a, b);
                }
            }
            for (position, &a) in endless.iter().enumerate() {
                for &b in endless[position + 1..].iter().chain(&finite) {
                    self.unite_if_overlapping(&cells, a, b);
                }
            }
        }
        self.cells = cells;
    }
    /// What the environment hands over, it has written as a whole, wherever the program looks at it.
    fn unite_arguments(&mut self) {
        for object in [Object::Arguments, Object::ArgumentStrings] {
            let mut cells = (0..self.cells.len()).filter(|&id| self.cells[id].object == object).collect::<Vec<_>>().into_iter();
            let Some(first) = cells.next() else { continue };
            for id in cells {
                self.unite(first, id);
                if self.cells[id].size != self.cells[first].size {
                    self.bytewise.insert(id);
                }
            }
        }
    }
    /// An access through a pointer from outside may touch all that is known there.
    fn unite_outside(&mut self, analysis: &Analysis<'_>) {
        let Some(outside) = (0..self.cells.len()).find(|&id| self.cells[id].object == Object::External) else { return };
        for id in 0..self.cells.len() {
            if analysis.escapes(self.cells[id].object) {
                self.unite(outside, id);
            }
        }
    }
    fn unite_if_overlapping(&mut self, cells: &[Cell], a: usize, b: usize) {
        let overlap = cells[a].offsets.overlap(cells[a].size, cells[b].offsets, cells[b].size);
        if overlap.any() {
            self.unite(a, b);
        }
        if overlap.partial {
            self.bytewise.insert(a);
        }
    }

    fn regions(mut self) -> Regions {
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_unstable_by_key(|&id| self.cells[id]);
        let mut regions: Arena<Region> = Arena::new();
        let mut by_root: FxHashMap<usize, RegionId> = FxHashMap::default();
        let mut result =
            Regions { regions: Arena::new(), cells: FxHashMap::default(), objects: FxHashMap::default(), known_outside: Vec::new() };
        for id in order {
            let root = self.find(id);
            let cell = self.cells[id];
            let new = || regions.push(Region { kind: RegionKind::Typed { bytes: cell.size }, cells: Vec::new() });
            let region = *by_root.entry(root).or_insert_with(new);
            if self.bytewise.contains(&id) {
                regions[region].kind = RegionKind::Bytes;
            }
            regions[region].cells.push(cell);
            result.cells.insert(cell, region);
            result.objects.entry(cell.object).or_default().push((cell, region));
        }
        result.regions = regions;
        result
    }
}

/// Whether a place is, or is part of, a variable that is not in memory.
fn is_variable(analysis: &Analysis<'_>, function: FunctionId, body: &Body, place: PlaceId) -> bool {
    let mut root = place;
    while let Some(base) = body.places[root].kind.base() {
        root = base;
    }
    matches!(body.places[root].kind, PlaceKind::Local(local) if !analysis.address_taken(function, local))
}

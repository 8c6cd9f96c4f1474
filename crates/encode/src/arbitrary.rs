//! The arbitrary state at the head of a loop, or in which a call of a recursive function begins: all that may have changed is arbitrary, the rest is as it was.

use std::collections::BTreeMap;
use std::rc::Rc;

use logic::{Op, Sort, Term};
use model::{CommandKind, FunctionId, LocalId, Span};
use pointers::{Cell, Object as Abstract, RegionId, Target};

use crate::effects::Effects;
use crate::encoder::{Encoder, Info};
use crate::leap::Mark;
use crate::object::Crowd;
use crate::place::cells_sort;
use crate::scalar::{OBJECT, OFFSET, POINTER, Pointer, Scalar};
use crate::slice::Topic;
use crate::state::{Content, Part, Slot, State, Value};

/// Conditions of the path to a loop are kept for testing candidates if they are no larger than this, and together no larger than that.
const CONDITION: usize = 120;
const CONDITIONS: usize = 1200;
/// More written objects than this in one region are not told apart.
const WRITTEN_OBJECTS: usize = 24;
/// So many string literals that a pointer may lead to are told apart from what is written through it.
const LITERALS: usize = 8;

/// Whether a variable always points to the object that it points to when a loop is entered (module [`roots`](crate::roots)): so do all that it may get its
/// pointers from.
fn stays(entry: &State, effects: &Effects, local: LocalId) -> bool {
    let object = |local: &LocalId| match entry.slots.get(local.index()) {
        Some(Slot::Private(Value::Scalar(Scalar::Pointer(pointer)), _)) => Some(pointer.object),
        _ => None,
    };
    let here = object(&local);
    here.is_some() && effects.staying.get(&local).is_some_and(|sources| sources.iter().all(|source| object(source) == here))
}

impl<'p> Encoder<'p> {
    /// The arbitrary state at the head.
    pub(crate) fn head_state(&mut self, info: &Info<'p>, entry: &State, effects: &Effects) -> State {
        let mut head = entry.clone();
        head.guard = self.small_conditions(entry.guard);
        // Whether the accesses of the iterations before were valid; if not, nothing is assumed of what they did.
        let valid = self.terms.fresh("valid before", Sort::Bool);
        head.valid = self.terms.and(entry.valid, valid);
        self.make_crowds(&mut head, effects, Some(info.id));
        self.havoc_through(info, entry, &mut head, effects);
        self.havoc_lists(&mut head, effects);
        for &local in &effects.changed {
            match entry.slots.get(local.index()) {
                Some(Slot::Private(Value::Scalar(Scalar::Pointer(pointer)), flag)) if stays(entry, effects, local) => {
                    let moved = Slot::Private(self.moved(info, &head, local, *pointer), self.later_flag(*flag));
                    Rc::make_mut(&mut head.slots)[local.index()] = moved;
                }
                _ => self.havoc_slot(info, entry, &mut head, local, effects.begun.binary_search(&local).is_ok()),
            }
        }
        head
    }

    /// Memory becomes arbitrary as far as the effects of calls reach.
    pub(crate) fn havoc_effects(&mut self, state: &mut State, effects: &Effects) {
        self.make_crowds(state, effects, None);
        self.havoc_cells(state, &effects.written);
        self.havoc_lists(state, effects);
    }

    /// The same for one call, from the state in which it begins: what is written through its parameters is in their objects.
    pub(crate) fn havoc_framed(&mut self, info: &Info<'p>, begun: &State, state: &mut State, effects: &Effects) {
        self.make_crowds(state, effects, None);
        self.havoc_through(info, begun, state, effects);
        self.havoc_lists(state, effects);
    }

    fn havoc_lists(&mut self, state: &mut State, effects: &Effects) {
        if effects.lists {
            for list in Rc::make_mut(&mut state.lists) {
                list.next = self.terms.fresh("argument", Sort::Bits(8));
            }
        }
    }

    /// The conditions of a path that are small enough to be asked again and again.
    pub(crate) fn small_conditions(&mut self, guard: Term) -> Term {
        let mut open = vec![guard];
        let mut kept = Vec::new();
        let mut room = CONDITIONS;
        while let Some(term) = open.pop() {
            if let (Op::And, args) = (self.terms.op(term), self.terms.args(term)) {
                open.extend(args.iter().rev());
                continue;
            }
            if let Some(size) = self.terms.size_within(term, CONDITION.min(room)) {
                room -= size;
                kept.push(term);
            }
        }
        self.terms.all(kept)
    }

    /// The objects that earlier iterations made. What `alloca` made in the running call of this function, if one is named, lives on; what it made in
    /// other calls may be gone.
    fn make_crowds(&mut self, head: &mut State, effects: &Effects, running: Option<FunctionId>) {
        // Variables of iterations and calls that are over: it does not matter which is which.
        let (made, mut gone): (Vec<Abstract>, Vec<Abstract>) = effects.born.iter().partition(|origin| matches!(origin, Abstract::Heap(_)));
        let (stack, heap): (Vec<Abstract>, Vec<Abstract>) = made.into_iter().partition(|origin| self.alloca_in(*origin).is_some());
        // What `alloca` makes lives as long as its function runs.
        let (own, others): (Vec<Abstract>, Vec<Abstract>) =
            stack.into_iter().partition(|origin| running.is_some() && self.alloca_in(*origin) == running);
        gone.extend(others);
        if !gone.is_empty() {
            // What is assumed of a crowd must hold of every object when it joins it, so nothing is.
            let (sizes, alive) = (self.terms.fresh("sizes", sizes_sort()), self.terms.fresh("alive", alive_sort()));
            let present = self.terms.bool(true);
            self.make_crowd(head, gone, sizes, present, alive);
        }
        for origin in own {
            let (sizes, present) = (self.terms.fresh("sizes", sizes_sort()), self.terms.fresh("made before", Sort::Bool));
            let bit = self.terms.bit(present);
            let alive = self.terms.constant_array(OBJECT, bit);
            let crowd = self.make_crowd(head, vec![origin], sizes, present, alive);
            if let (Some(crowd), Some(frame)) = (crowd, self.frames.last_mut()) {
                frame.crowds.push(crowd);
            }
        }
        for origin in heap {
            let sizes = self.terms.fresh("sizes", sizes_sort());
            let present = self.terms.fresh("made before", Sort::Bool);
            let alive = if effects.freed.contains(&origin) || effects.freed.contains(&Abstract::External) {
                self.terms.fresh("alive", alive_sort())
            } else {
                let bit = self.terms.bit(present);
                self.terms.constant_array(OBJECT, bit)
            };
            self.make_crowd(head, vec![origin], sizes, present, alive);
        }
        let older: Vec<Abstract> = if effects.freed.contains(&Abstract::External) {
            self.analysis.objects().into_iter().filter(|object| matches!(object, Abstract::Heap(_) | Abstract::External)).collect()
        } else {
            effects.freed.clone()
        };
        for origin in older {
            let numbers = self.objects.of(origin).to_vec();
            for number in numbers {
                let at = self.terms.number(OBJECT, u128::from(number));
                let (old, still) = (self.terms.select(head.alive, at), self.terms.fresh("still alive", Sort::Bits(1)));
                let now = self.terms.bit_and(old, still);
                head.alive = self.terms.store(head.alive, at, now);
            }
            let crowds: Vec<_> = self.objects.crowds_of(origin).collect();
            for crowd in crowds {
                let (first, count) = crowd.numbers(&mut self.terms);
                let alive = self.terms.fresh("alive", alive_sort());
                head.alive = self.terms.copy(head.alive, first, alive, first, count);
            }
        }
    }

    /// The function whose `alloca` makes these objects, if it is that.
    fn alloca_in(&self, origin: Abstract) -> Option<FunctionId> {
        let Abstract::Heap(id) = origin else { return None };
        let site = self.analysis.allocation(id).sites.first()?;
        let body = self.program.functions.get(site.function)?.body.as_ref()?;
        let command = body.blocks.get(site.block)?.commands.get(site.command)?;
        matches!(command.kind, CommandKind::Alloca(..)).then_some(site.function)
    }

    pub(crate) fn make_crowd(
        &mut self,
        head: &mut State,
        origins: Vec<Abstract>,
        sizes: Term,
        present: Term,
        alive: Term,
    ) -> Option<Crowd> {
        let heap = origins.iter().any(|origin| matches!(origin, Abstract::Heap(_)) && self.alloca_in(*origin).is_none());
        let Some(crowd) = self.objects.add_crowd(&mut self.terms, origins, heap, sizes, present) else {
            self.gap(head, "more objects than can be told apart", Span::NONE);
            return None;
        };
        let (first, count) = crowd.numbers(&mut self.terms);
        head.alive = self.terms.copy(head.alive, first, alive, first, count);
        Some(crowd)
    }

    /// Objects of a crowd have the size that all objects have which the body makes at the same place, if that is a constant: they were made there too.
    pub(crate) fn note_sizes(&mut self, mark: &Mark) {
        for (crowd, sizes, size) in self.objects.uniform_crowds(&self.terms, mark.objects) {
            let (first, end) = (crowd.numbers(&mut self.terms).0, crowd.end(&mut self.terms));
            let fact = self.terms.within(sizes, first, end, 1, size, size);
            self.note_fact(fact, Topic::new(vec![sizes], Vec::new()));
        }
    }

    /// A pointer that a loop moves inside of its object.
    fn moved(&mut self, info: &Info<'p>, head: &State, local: LocalId, pointer: Pointer) -> Value {
        let offset = self.terms.fresh(&info.body.locals[local].name, Sort::Bits(OFFSET));
        let pointer = Pointer { offset, ..pointer };
        let targets = self.analysis.variable(info.id, local);
        self.note_placed(head, pointer, &targets, offset);
        Value::Scalar(Scalar::Pointer(pointer))
    }

    /// In runs whose accesses are valid, a pointer is where the analysis says. It is known by this variable.
    fn note_placed(&mut self, head: &State, pointer: Pointer, targets: &[Target], variable: Term) {
        let placed = self.is_placed(head, pointer, targets);
        let runs = self.terms.and(head.guard, head.valid);
        let fact = self.terms.implies(runs, placed);
        self.note_fact(fact, Topic::new(vec![variable], vec![placed]));
    }

    /// A variable outside of memory becomes arbitrary.
    pub(crate) fn havoc_slot(&mut self, info: &Info<'p>, entry: &State, head: &mut State, local: LocalId, begun: bool) {
        let data = &info.body.locals[local];
        let (old, flag) = match entry.slots.get(local.index()) {
            Some(Slot::Private(old, flag)) => (old, flag),
            Some(Slot::Memory(object)) if begun => return self.havoc_object(info, head, local, *object),
            _ => return,
        };
        let name = if data.name.is_empty() { "temporary" } else { data.name.as_str() };
        let value = match old {
            Value::Scalar(Scalar::Pointer(_)) => {
                let packed = self.terms.fresh(name, Sort::Bits(POINTER));
                let pointer = Pointer::unpacked(&mut self.terms, packed);
                let targets = self.analysis.variable(info.id, local);
                let among = self.is_among(head, pointer, &targets);
                let fact = self.terms.implies(head.guard, among);
                self.note_fact(fact, Topic::new(vec![packed], vec![among]));
                self.note_placed(head, pointer, &targets, packed);
                self.note_heap_pointer(pointer.object, &targets);
                Value::Scalar(Scalar::Pointer(pointer))
            }
            Value::Scalar(Scalar::Term(old)) => Value::Scalar(Scalar::Term(self.terms.fresh(name, self.terms.sort(*old)))),
            Value::Bytes(content) => Value::Bytes(self.arbitrary_like(*content, name)),
            Value::Parts(parts) => {
                let parts = parts.iter().map(|part| match part {
                    Part::Scalar(Scalar::Pointer(_), flag) => {
                        let packed = self.terms.fresh(name, Sort::Bits(POINTER));
                        Part::Scalar(Scalar::Pointer(Pointer::unpacked(&mut self.terms, packed)), self.later_flag(*flag))
                    }
                    Part::Scalar(Scalar::Term(old), flag) => {
                        let fresh = self.terms.fresh(name, self.terms.sort(*old));
                        Part::Scalar(Scalar::Term(fresh), self.later_flag(*flag))
                    }
                    Part::Array(content) => Part::Array(self.arbitrary_like(*content, name)),
                });
                Value::Parts(Rc::new(parts.collect()))
            }
        };
        // What begins its life again is without value again.
        let flag = if begun { flag.map(|_| self.terms.fresh("written", Sort::Bool)) } else { self.later_flag(*flag) };
        Rc::make_mut(&mut head.slots)[local.index()] = Slot::Private(value, flag);
    }

    /// A variable in memory that lives where a loop is entered, by a jump into its block, and that the loop brings to life again: at the head it is the object
    /// from before, or one that earlier iterations made; the one from before may be gone.
    fn havoc_object(&mut self, info: &Info<'p>, head: &mut State, local: LocalId, before: Term) {
        let (old, still) = (self.terms.select(head.alive, before), self.terms.fresh("still alive", Sort::Bits(1)));
        let now = self.terms.bit_and(old, still);
        head.alive = self.terms.store(head.alive, before, now);
        let object = self.terms.fresh(&info.body.locals[local].name, Sort::Bits(OBJECT));
        let mut among = self.terms.equal(object, before);
        let crowds: Vec<_> = self.objects.crowds_of(Abstract::Local(info.id, local)).collect();
        for crowd in crowds {
            let inside = crowd.has(&mut self.terms, object);
            among = self.terms.or(among, inside);
        }
        let fact = self.terms.implies(head.guard, among);
        self.note_fact(fact, Topic::new(vec![object], vec![among]));
        Rc::make_mut(&mut head.slots)[local.index()] = Slot::Memory(object);
    }

    /// What held a value holds one later.
    fn later_flag(&mut self, flag: Option<Term>) -> Option<Term> {
        flag.map(|old| {
            let written = self.terms.fresh("written", Sort::Bool);
            self.terms.or(old, written)
        })
    }

    /// Arbitrary cells instead of these.
    fn arbitrary_like(&mut self, content: Content, name: &str) -> Content {
        let array = self.terms.fresh(name, self.terms.sort(content.array));
        let shadow = content.shadow.map(|shadow| self.terms.fresh("written", self.terms.sort(shadow)));
        Content { array, shadow }
    }

    /// Memory becomes arbitrary where it may be written: in these cells of these objects, and nowhere else.
    pub(crate) fn havoc_cells(&mut self, state: &mut State, written: &[Cell]) {
        for (region, cells) in self.by_region(written.iter().map(|cell| (*cell, *cell))) {
            let parts = self.written_parts(&cells);
            self.havoc_region(state, region, parts.as_deref());
        }
    }

    /// The same for what a loop writes: where it does so through a pointer that stays in its object, only that object counts.
    fn havoc_through(&mut self, info: &Info<'p>, entry: &State, head: &mut State, effects: &Effects) {
        let mut elsewhere = effects.elsewhere.clone();
        let mut through: Vec<(Cell, (Term, Term))> = Vec::new();
        for &(local, cell) in &effects.through {
            match entry.slots.get(local.index()) {
                Some(Slot::Private(Value::Scalar(Scalar::Pointer(pointer)), _)) => {
                    let literal = self.is_literal(info, local, pointer.object);
                    through.push((cell, (pointer.object, literal)));
                }
                _ => elsewhere.push(cell),
            }
        }
        let mut through = self.by_region(through.into_iter());
        let mut elsewhere = self.by_region(elsewhere.into_iter().map(|cell| (cell, cell)));
        let mut regions: Vec<RegionId> = through.keys().chain(elsewhere.keys()).copied().collect();
        regions.sort_unstable();
        regions.dedup();
        for region in regions {
            let mut parts = self.written_parts(&elsewhere.remove(&region).unwrap_or_default());
            let mut objects = through.remove(&region).unwrap_or_default();
            objects.sort_unstable();
            objects.dedup();
            if let Some(parts) = &mut parts {
                for (object, literal) in objects {
                    let from = Pointer { object, offset: self.terms.zero(OFFSET) }.packed(&mut self.terms);
                    let (none, all) = (self.terms.zero(POINTER), self.terms.number(POINTER, 1 << OFFSET));
                    parts.push((from, self.terms.ite(literal, none, all)));
                }
            }
            self.havoc_region(head, region, parts.as_deref());
        }
    }

    /// That the object of a variable is one of the string literals that the variable may point to, which nothing changes.
    fn is_literal(&mut self, info: &Info<'p>, local: LocalId, object: Term) -> Term {
        let targets = self.analysis.variable(info.id, local);
        let literals: Vec<Abstract> =
            targets.iter().map(|target| target.object).filter(|object| self.analysis.is_literal(*object)).collect();
        let mut found = self.terms.bool(false);
        // One that is not told apart is taken for one that may be written.
        for number in literals.into_iter().flat_map(|object| self.objects.of(object).to_vec()).take(LITERALS) {
            let number = self.terms.number(OBJECT, u128::from(number));
            let same = self.terms.equal(object, number);
            found = self.terms.or(found, same);
        }
        found
    }

    /// What belongs to cells, by the regions that these are in.
    fn by_region<T: Copy>(&self, cells: impl Iterator<Item = (Cell, T)>) -> BTreeMap<RegionId, Vec<T>> {
        let mut found: BTreeMap<RegionId, Vec<T>> = BTreeMap::new();
        for (cell, what) in cells {
            for region in self.regions.touched(std::slice::from_ref(&cell)) {
                found.entry(region).or_default().push(what);
            }
        }
        found
    }

    /// Where cells are: indices and numbers of bytes; `None` if that may be anywhere.
    fn written_parts(&mut self, cells: &[Cell]) -> Option<Vec<(Term, Term)>> {
        let mut parts = Vec::new();
        for cell in cells {
            let everywhere = match cell.object {
                Abstract::External => true,
                Abstract::Arguments | Abstract::ArgumentStrings => self.argument_end.is_none(),
                _ => false,
            };
            if everywhere {
                return None;
            }
            let crowds: Vec<_> = self.objects.crowds_of(cell.object).collect();
            for crowd in crowds {
                parts.push(crowd.memory(&mut self.terms));
            }
            let numbers = self.objects.of(cell.object).to_vec();
            for number in numbers {
                // An index may leave the bounds that the analysis takes for granted: what runs after that does still counts for what is proved of it.
                let (offset, bytes) = match cell.offsets.single() {
                    Some(offset) if offset >= 0 && cell.size != Cell::REST => (offset as u128, u128::from(cell.size)),
                    _ => (0, 1 << OFFSET),
                };
                let object = Pointer::to(&mut self.terms, number);
                let offset = self.terms.number(OFFSET, offset);
                let from = Pointer { object: object.object, offset }.packed(&mut self.terms);
                parts.push((from, self.terms.number(POINTER, bytes)));
            }
            if parts.len() > WRITTEN_OBJECTS {
                return None;
            }
        }
        parts.sort_unstable();
        parts.dedup();
        Some(parts)
    }

    fn havoc_region(&mut self, state: &mut State, region: RegionId, parts: Option<&[(Term, Term)]>) {
        let width = self.cells(region).width();
        let fresh = self.terms.fresh("changed memory", cells_sort(width));
        let shadow = state.written.get(region.index()).map(|shadow| self.terms.fresh("written", self.terms.sort(*shadow)));
        let (mut array, mut flags) = (state.regions[region.index()], state.written.get(region.index()).copied());
        match parts {
            None => (array, flags) = (fresh, shadow),
            Some(parts) => {
                for &(from, count) in parts {
                    array = self.terms.copy(array, from, fresh, from, count);
                    flags = flags.zip(shadow).map(|(old, new)| self.terms.copy(old, from, new, from, count));
                }
            }
        }
        Rc::make_mut(&mut state.regions)[region.index()] = array;
        if let Some(flags) = flags {
            Rc::make_mut(&mut state.written)[region.index()] = flags;
        }
    }
}

/// Sizes by the number of the object.
fn sizes_sort() -> Sort {
    Sort::Array { index: OBJECT, element: OFFSET }
}

/// A bit by the number of the object.
fn alive_sort() -> Sort {
    Sort::Array { index: OBJECT, element: 1 }
}

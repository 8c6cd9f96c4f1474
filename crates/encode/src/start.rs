//! The beginning of a run: objects with static storage, the arguments of `main`, constructors.

use std::rc::Rc;

use logic::{ArrayValue, Bits, Sort, Term};
use model::{Address, FunctionId, GlobalId, Id, Init, Span, Type};
use pointers::{Object as Abstract, RegionId, RegionKind};
use rustc_hash::FxHashMap;

use crate::access::{self, Access, Cells};
use crate::encoder::{Encoder, InputKind};
use crate::formula::Links;
use crate::object::{Crowd, Object};
use crate::place::cells_sort;
use crate::scalar::{OBJECT, OFFSET, POINTER, Pointer, Scalar, label_address};
use crate::slice::{self, Topic};
use crate::state::{State, Value};

/// So many arguments have objects of their own.
const ARGUMENTS: u32 = 4;
/// Arguments are not longer than this, as Linux has it; nor are there more of them.
const LONGEST: u128 = 128 << 10;
/// So many bytes of each argument are listed among the inputs.
const LISTED: u32 = 200;

/// The arguments that have no objects of their own.
#[derive(Clone, Copy)]
pub(crate) struct MoreArguments {
    crowd: Crowd,
    /// Their sizes, by number.
    sizes: Term,
    /// What they hold when the program starts.
    text: Term,
}

impl Encoder<'_> {
    /// Encodes a program from a function on.
    pub(crate) fn program_from(&mut self, entry: FunctionId) {
        self.run_from(entry);
        self.settle_deferred();
        self.settle_shared();
    }

    /// Encodes a run: constructors, the function, destructors.
    fn run_from(&mut self, entry: FunctionId) {
        let mut state = self.first_state();
        let (constructors, destructors) = self.hooks();
        for function in constructors {
            let Some((next, ..)) = self.run(state, function, Vec::new(), Vec::new(), Span::NONE) else { return };
            state = next;
        }
        let args = self.entry_arguments(&mut state, entry);
        // What is known of constructors is known to all that follows.
        self.settle_deferred();
        self.standing_facts = self.facts.len();
        self.share_functions(&state, entry);
        let mut ends: Vec<State> = self.run(state, entry, args, Vec::new(), Span::NONE).map(|(state, ..)| state).into_iter().collect();
        ends.append(&mut self.exits);
        for state in &mut ends {
            state.slots = Rc::default();
        }
        let Some(mut state) = State::merge(&mut self.terms, ends) else { return };
        // Handlers that others register while they run are not run any more.
        while let Some((registered, function)) = self.handlers.pop() {
            let count = self.handlers.len();
            let mut skipped = state.clone();
            let not = self.terms.not(registered);
            self.assume(&mut skipped, not);
            self.assume(&mut state, registered);
            let ran = self.run(state, function, Vec::new(), Vec::new(), Span::NONE).map(|(state, ..)| state);
            if self.handlers.len() > count {
                self.gap(&mut skipped, "atexit in a function that runs at exit", Span::NONE);
                return;
            }
            let Some(next) = State::merge(&mut self.terms, ran.into_iter().chain([skipped]).collect()) else { return };
            state = next;
        }
        for function in destructors {
            let Some((next, ..)) = self.run(state, function, Vec::new(), Vec::new(), Span::NONE) else { return };
            state = next;
        }
    }

    fn hooks(&self) -> (Vec<FunctionId>, Vec<FunctionId>) {
        let functions = &self.program.functions;
        let mut before: Vec<_> = functions.enumerate().filter_map(|(id, f)| Some((f.attributes.constructor?, id))).collect();
        let mut after: Vec<_> = functions.enumerate().filter_map(|(id, f)| Some((f.attributes.destructor?, id))).collect();
        before.sort_unstable();
        after.sort_unstable();
        (before.into_iter().map(|(_, id)| id).collect(), after.into_iter().rev().map(|(_, id)| id).collect())
    }

    fn first_state(&mut self) -> State {
        let program = self.program;
        for id in program.functions.ids() {
            let size = self.terms.zero(OFFSET);
            self.objects
                .add(&mut self.terms, Object { origin: Abstract::Function(id), size, heap: false, writable: false, function: Some(id) });
        }
        // Objects that are only declared here hold anything, so they do not count as initialised.
        for defined in [true, false] {
            for (id, global) in program.globals.enumerate().filter(|(_, global)| global.init.is_some() == defined && global.alias.is_none())
            {
                let size = global.init.as_ref().and_then(|init| init.size).or_else(|| program.types.size_of(global.ty));
                let size = match size {
                    Some(size) => self.terms.number(OFFSET, u128::from(size.min(1 << (OFFSET - 2)))),
                    None => {
                        let size = self.terms.fresh("size", Sort::Bits(OFFSET - 1));
                        self.terms.zero_extend(size, OFFSET)
                    }
                };
                let object = Object { origin: Abstract::Global(id), size, heap: false, writable: !global.constant, function: None };
                self.objects.add(&mut self.terms, object);
            }
            if defined {
                self.objects.end_of_statics();
            }
        }
        self.objects.settle(&mut self.terms);
        let tables = self.tables();
        let all = u128::from(self.objects.statics()) << OFFSET;
        let (zero, count) = (self.terms.zero(POINTER), self.terms.number(POINTER, all));
        let mut regions = Vec::with_capacity(tables.len());
        for (number, table) in tables.into_iter().enumerate() {
            let width = self.cells(Id::new(number as u32)).width();
            let unknown = self.terms.fresh(&format!("region {number}"), cells_sort(width));
            let table = self.terms.table(POINTER, table);
            regions.push(self.terms.copy(unknown, zero, table, zero, count));
        }
        let mut written = Vec::new();
        for region in self.regions.all().ids() {
            let cells = self.cells(region);
            if let (Some(nothing), Some(everything)) = (self.shadow(cells, false), self.shadow(cells, true)) {
                written.push(self.terms.copy(nothing, zero, everything, zero, count));
            }
        }
        let mut alive = ArrayValue::constant(Bits::zero(1));
        for number in self.objects.numbers() {
            alive.set(Bits::new(OBJECT, u128::from(number)), Bits::one(1));
        }
        State {
            guard: self.terms.bool(true),
            valid: self.terms.bool(true),
            slots: Rc::new(Vec::new()),
            regions: Rc::new(regions),
            written: Rc::new(written),
            alive: self.terms.table(OBJECT, alive),
            lists: Rc::new(Vec::new()),
        }
    }

    /// The object of a global; that of the one that it is another name for.
    pub(crate) fn global_object(&mut self, global: GlobalId) -> u32 {
        let data = &self.program.globals[global];
        let target = data.alias.as_ref().and_then(|alias| {
            self.program.globals.enumerate().find(|(_, other)| other.alias.is_none() && other.name == *alias).map(|(id, _)| id)
        });
        self.objects.of(Abstract::Global(target.unwrap_or(global))).first().copied().unwrap_or(0)
    }
    /// The object of a function.
    pub(crate) fn function_object(&mut self, function: FunctionId) -> u32 {
        self.objects.of(Abstract::Function(function)).first().copied().unwrap_or(0)
    }

    /// What each region holds at start in the objects that are initialised.
    fn tables(&mut self) -> Vec<ArrayValue> {
        let ids: Vec<RegionId> = self.regions.all().ids().collect();
        let mut contents: Vec<FxHashMap<u64, Bits>> = vec![FxHashMap::default(); ids.len()];
        let program = self.program;
        for (id, global) in program.globals.enumerate() {
            if let Some(init) = global.init.as_ref().filter(|_| global.alias.is_none()) {
                self.initialise(id, init, &mut contents);
            }
        }
        ids.into_iter()
            .zip(contents)
            .map(|(region, content)| {
                let mut table = ArrayValue::constant(Bits::zero(self.cells(region).width()));
                for (index, value) in content {
                    table.set(Bits::new(POINTER, u128::from(index)), value);
                }
                table
            })
            .collect()
    }

    fn initialise(&mut self, global: GlobalId, init: &Init, contents: &mut [FxHashMap<u64, Bits>]) {
        let number = self.global_object(global);
        let cells: Vec<_> = self.regions.cells_of(Abstract::Global(global)).to_vec();
        let bytes = init.chunks.iter().flat_map(|chunk| chunk.bytes.iter().enumerate().map(|(i, byte)| (chunk.offset + i as u64, *byte)));
        for (offset, byte) in bytes.filter(|(_, byte)| *byte != 0) {
            for (cell, region) in &cells {
                let size = if self.regions.kind(*region) == RegionKind::Bytes { 1 } else { cell.size };
                for back in 0..size.min(offset + 1) {
                    let start = offset - back;
                    // In a region of bytes, every byte that some access covers is a cell of its own.
                    let covered = match self.regions.kind(*region) {
                        RegionKind::Bytes => true,
                        RegionKind::Typed { .. } => i64::try_from(start).is_ok_and(|start| cell.offsets.has(start)),
                    };
                    if covered {
                        let width = self.cells(*region).width();
                        let entry = contents[region.index()].entry(index(number, start)).or_insert_with(|| Bits::zero(width));
                        let shifted = Bits::new(width, u128::from(byte)).shl(&Bits::new(width, u128::from(back * 8)));
                        *entry = entry.or(&shifted);
                    }
                }
            }
        }
        for relocation in &init.relocations {
            let (target, offset) = match relocation.target {
                Address::Global(global) => (self.global_object(global), 0),
                Address::Function(function) => (self.function_object(function), 0),
                Address::Label(_, block) => (0, label_address(block)),
                Address::LabelDifference(_, a, b) => (0, label_address(a) - label_address(b)),
            };
            let object = Bits::new(OBJECT, u128::from(target));
            let packed = match relocation.target {
                Address::LabelDifference(..) => Bits::signed(POINTER, i128::from(offset + relocation.addend)),
                _ => object.concat(&Bits::signed(OFFSET, i128::from(offset + relocation.addend))),
            };
            for (cell, region) in &cells {
                let at = index(number, relocation.offset);
                match self.cells(*region) {
                    cells if cells.is_bytes() => {
                        let term = self.terms.bits(packed.clone());
                        let short = match relocation.target {
                            Address::LabelDifference(..) => term,
                            _ => access::stored_pointer(&mut self.terms, &self.program.types, term),
                        };
                        let Some(content) = self.terms.as_bits(short).cloned() else { continue };
                        for byte in 0..u64::from(relocation.bytes) {
                            let part = content.extract(byte as u32 * 8 + 7, byte as u32 * 8);
                            contents[region.index()].insert(at + byte, marked(&part, cells, target));
                        }
                    }
                    cells if i64::try_from(relocation.offset).is_ok_and(|offset| cell.offsets.has(offset)) => {
                        let width = cells.plain().width();
                        let part = packed.extract(width.min(POINTER) - 1, 0).zero_extend(width);
                        contents[region.index()].insert(at, marked(&part, cells, target));
                    }
                    _ => {}
                }
            }
        }
    }

    /// The arguments of the first function: those of `main` are well formed; those of others are arbitrary.
    fn entry_arguments(&mut self, state: &mut State, entry: FunctionId) -> Vec<Value> {
        let function = &self.program.functions[entry];
        let Type::Function { params, .. } = self.program.types.get(function.ty).clone() else { return Vec::new() };
        let is_main = function.name == "main";
        let has_environment = params.len() > 2;
        let mut values = Vec::new();
        let mut count = None;
        for (position, ty) in params.into_iter().enumerate() {
            let value = match (is_main, position, self.program.types.get(ty)) {
                (true, 0, Type::Int { bits, .. }) => {
                    let argc = self.terms.fresh("argc", Sort::Bits(u32::from(*bits)));
                    let (least, most) = (self.terms.one(u32::from(*bits)), self.terms.number(u32::from(*bits), LONGEST));
                    let (some, few) = (self.terms.sle(least, argc), self.terms.slt(argc, most));
                    self.assume(state, some);
                    self.assume(state, few);
                    self.input(state, InputKind::ArgumentCount, argc, Span::NONE);
                    let usual = self.terms.number(u32::from(*bits), 4);
                    let wish = self.terms.slt(argc, usual);
                    self.preferences.push(wish);
                    count = Some(argc);
                    Value::Scalar(Scalar::Term(argc))
                }
                (true, 1, Type::Pointer(_)) if count.is_some() => Value::Scalar(Scalar::Pointer(self.argument_vector(state, count))),
                _ => {
                    let name = format!("argument {}", position + 1);
                    self.havoc_value(state, ty, &name)
                }
            };
            values.push(value);
        }
        // The environment has no objects of its own: what is written there is written to nothing that has a number.
        self.argument_end = self.argument_end.filter(|_| !has_environment);
        values
    }

    /// The array of pointers to the arguments. The first few have objects of their own, so that runs can be replayed; the others are a crowd.
    fn argument_vector(&mut self, state: &mut State, count: Option<Term>) -> Pointer {
        let pointer_size = self.program.types.target().pointer_bytes();
        let count = count.unwrap_or_else(|| self.terms.one(32));
        let wide = self.terms.resize(count, OFFSET, false);
        let one = self.terms.one(OFFSET);
        let elements = self.terms.add(wide, one);
        let size = self.terms.number(OFFSET, u128::from(pointer_size));
        let size = self.terms.mul(elements, size);
        let vector = self.argument_object(state, Abstract::Arguments, size);
        let Some(region) = self.regions.cells_of(Abstract::Arguments).first().map(|(_, region)| *region) else { return vector };
        let text = self.regions.cells_of(Abstract::ArgumentStrings).first().map(|(_, region)| *region);
        // A program that looks at its arguments only as characters has a cell for each, which are the same bytes.
        let text = text.filter(|region| self.cells(*region).is_bytes() || self.cells(*region).width() == 8);
        let Some(ty) = self.pointer_type() else { return vector };
        let null = Pointer::to(&mut self.terms, 0);
        let end = crate::scalar::moved(&mut self.terms, vector.offset, count, true, pointer_size);
        self.argument_end = Some(end);
        self.store_to(
            state,
            region,
            Pointer { object: vector.object, offset: end },
            Access { ty, bit: None },
            (Scalar::Pointer(null), None),
            Span::NONE,
        );
        for number in 0..ARGUMENTS {
            let size = self.terms.fresh("argument size", Sort::Bits(OFFSET));
            let (zero, most) = (self.terms.zero(OFFSET), self.terms.number(OFFSET, LONGEST));
            let (some, few) = (self.terms.slt(zero, size), self.terms.slt(size, most));
            self.assume(state, some);
            self.assume(state, few);
            let usual = self.terms.number(OFFSET, 32);
            let wish = self.terms.slt(size, usual);
            self.preferences.push(wish);
            let string = self.argument_object(state, Abstract::ArgumentStrings, size);
            if let Some(text) = text {
                // The last byte is zero; there may be others before.
                let (last, nul) = (self.terms.sub(size, one), self.terms.zero(self.cells(text).width()));
                let at = Pointer { object: string.object, offset: last }.packed(&mut self.terms);
                let array = self.terms.store(state.regions[text.index()], at, nul);
                Rc::make_mut(&mut state.regions)[text.index()] = array;
                self.list_argument(state, text, string, number);
            }
            let index = self.terms.number(32, u128::from(number));
            let at = crate::scalar::moved(&mut self.terms, vector.offset, index, false, pointer_size);
            let at = Pointer { object: vector.object, offset: at };
            let index = self.terms.resize(index, self.terms.width(count), false);
            let given = self.terms.slt(index, count);
            let old = self.load_from(state, region, at, Access { ty, bit: None });
            let new = crate::scalar::ite(&mut self.terms, given, Scalar::Pointer(string), old);
            self.store_to(state, region, at, Access { ty, bit: None }, (new, None), Span::NONE);
        }
        self.more_arguments(state, count, text);
        self.mark_arguments(state);
        let links = Links { object: Abstract::Arguments, offset: 0, repeat: None, null: false, span: Span::NONE };
        if let Some(linked) = self.linked(state, links) {
            let about = slice::variables_since(&self.terms, linked, 0);
            self.note_fact(linked, Topic::new(about, Vec::new()));
        }
        vector
    }

    /// The strings that have no objects of their own.
    fn more_arguments(&mut self, state: &mut State, count: Term, text: Option<RegionId>) {
        let own = self.terms.number(self.terms.width(count), u128::from(ARGUMENTS));
        let present = self.terms.slt(own, count);
        let sizes = self.terms.fresh("argument sizes", Sort::Array { index: OBJECT, element: OFFSET });
        let bit = self.terms.bit(present);
        let alive = self.terms.constant_array(OBJECT, bit);
        let Some(crowd) = self.make_crowd(state, vec![Abstract::ArgumentStrings], sizes, present, alive) else { return };
        let (first, end) = (crowd.numbers(&mut self.terms).0, crowd.end(&mut self.terms));
        let (least, most) = (self.terms.one(OFFSET), self.terms.number(OFFSET, LONGEST - 1));
        let sized = self.terms.within(sizes, first, end, 1, least, most);
        self.note_fact(sized, Topic::new(vec![sizes], Vec::new()));
        self.more_arguments = text.map(|text| MoreArguments { crowd, sizes, text: state.regions[text.index()] });
    }

    /// The arguments hold values.
    fn mark_arguments(&mut self, state: &mut State) {
        for origin in [Abstract::Arguments, Abstract::ArgumentStrings] {
            let mut parts: Vec<(Term, Term)> = Vec::new();
            for number in self.objects.of(origin).to_vec() {
                parts.push((Pointer::to(&mut self.terms, number).packed(&mut self.terms), self.terms.number(POINTER, 1 << OFFSET)));
            }
            for crowd in self.objects.crowds_of(origin).collect::<Vec<_>>() {
                parts.push(crowd.memory(&mut self.terms));
            }
            for (_, region) in self.regions.cells_of(origin) {
                let (Some(&old), Some(ones)) = (state.written.get(region.index()), self.shadow(self.cells(*region), true)) else {
                    continue;
                };
                let written = parts.iter().fold(old, |written, &(from, count)| self.terms.copy(written, from, ones, from, count));
                Rc::make_mut(&mut state.written)[region.index()] = written;
            }
        }
    }

    /// A string that a pointer leads to, if it is an argument without an object of its own, ends with a zero, as far as it has not been changed.
    pub(crate) fn note_argument(&mut self, state: &State, pointer: Pointer) {
        let Some(MoreArguments { crowd, sizes, text }) = self.more_arguments else { return };
        let is_argument = crowd.has(&mut self.terms, pointer.object);
        let (size, one) = (self.terms.select(sizes, pointer.object), self.terms.one(OFFSET));
        let at = Pointer { object: pointer.object, offset: self.terms.sub(size, one) }.packed(&mut self.terms);
        let last = self.terms.select(text, at);
        let zero = self.terms.zero(self.terms.width(last));
        let (ends, runs) = (self.terms.equal(last, zero), self.terms.and(state.guard, is_argument));
        let fact = self.terms.implies(runs, ends);
        let about = slice::sources(&self.terms, pointer.object);
        self.note_fact(fact, Topic { about, said: vec![ends], from: self.terms.len() });
    }

    fn list_argument(&mut self, state: &State, region: RegionId, string: Pointer, number: u32) {
        for byte in 0..LISTED {
            let offset = self.terms.number(OFFSET, u128::from(byte));
            let at = Pointer { object: string.object, offset }.packed(&mut self.terms);
            let value = self.terms.select(state.regions[region.index()], at);
            let value = self.terms.resize(value, 8, false);
            self.input(state, InputKind::Argument(number, byte), value, Span::NONE);
        }
    }

    fn argument_object(&mut self, state: &mut State, origin: Abstract, size: Term) -> Pointer {
        let object = Object { origin, size, heap: false, writable: true, function: None };
        self.new_object(state, object)
    }

    /// Some pointer type, for accesses whose type nobody says.
    fn pointer_type(&self) -> Option<model::TypeId> {
        self.program.types.all().enumerate().find(|(_, ty)| matches!(ty, Type::Pointer(_))).map(|(id, _)| id)
    }

    /// Brings an object to life.
    pub(crate) fn new_object(&mut self, state: &mut State, object: Object) -> Pointer {
        let Some(number) = self.objects.add(&mut self.terms, object) else {
            self.gap(state, "more objects than can be told apart", Span::NONE);
            return Pointer::to(&mut self.terms, 0);
        };
        let pointer = Pointer::to(&mut self.terms, number);
        let one = self.terms.one(1);
        state.alive = self.terms.store(state.alive, pointer.object, one);
        pointer
    }
    /// Ends the life of an object.
    pub(crate) fn end_object(&mut self, state: &mut State, object: Term) {
        let zero = self.terms.zero(1);
        state.alive = self.terms.store(state.alive, object, zero);
    }
}

/// The index of a byte of an object.
fn index(object: u32, offset: u64) -> u64 {
    u64::from(object) << OFFSET | offset
}

/// The content of a cell that holds a pointer to this object, or a part of one.
fn marked(content: &Bits, cells: Cells, object: u32) -> Bits {
    if cells == cells.plain() { content.clone() } else { Bits::new(1, u128::from(object != 0)).concat(content) }
}

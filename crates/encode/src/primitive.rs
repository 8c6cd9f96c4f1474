//! Functions that are known by name: the primitives that library models are made of, and the functions of verification tasks.

use std::rc::Rc;

use logic::{Bits, Sort, Term};
use model::{FunctionId, Span, Type, TypeId};
use pointers::{Cell, Object as Abstract, RegionId, Site, Target};

use crate::encoder::{Encoder, InputKind};
use crate::object::{Object, Trait};
use crate::place::cells_sort;
use crate::scalar::{OBJECT, OFFSET, POINTER, Pointer, Scalar, pointer_bits};
use crate::state::{State, Value};

/// So many bytes are looked at one by one.
const KNOWN: u64 = 2048;

impl<'p> Encoder<'p> {
    /// The result of a function that is known by name: `None` if it is not, `Some(None)` if it does not return.
    #[allow(clippy::option_option, reason = "not known, known without return, known with a value")]
    pub(crate) fn primitive(
        &mut self,
        state: &mut State,
        site: Site,
        function: FunctionId,
        args: &[(Value, TypeId)],
        span: Span,
    ) -> Option<Option<Value>> {
        let callee = &self.program.functions[function];
        let name = callee.name.as_str();
        let result = match self.program.types.get(callee.ty) {
            Type::Function { ret, .. } => *ret,
            _ => return None,
        };
        let pointer = |position: usize| match args.get(position) {
            Some((Value::Scalar(Scalar::Pointer(pointer)), _)) => Some(*pointer),
            _ => None,
        };
        let number = |position: usize| match args.get(position) {
            Some((Value::Scalar(Scalar::Term(term)), _)) => Some(*term),
            _ => None,
        };
        let word = |encoder: &mut Self, term: Term| {
            let width = encoder.program.types.bits(result).map_or(1, u32::from);
            Value::Scalar(Scalar::Term(encoder.terms.resize(term, width, true)))
        };
        let truth = |encoder: &mut Self, term: Term| match encoder.program.types.get(result) {
            Type::Bool => Value::Scalar(Scalar::Term(term)),
            _ => {
                let bit = encoder.terms.bit(term);
                let width = encoder.program.types.bits(result).map_or(1, u32::from);
                Value::Scalar(Scalar::Term(encoder.terms.resize(bit, width, false)))
            }
        };
        Some(Some(match name {
            "__VERIFIER_assume" | "__CPROVER_assume" | "__loopfrog_assume" => {
                let condition = self.is_true(number(0)?);
                if self.program.is_library(span) {
                    self.grant(state, condition)
                } else {
                    self.assume(state, condition)
                }
                self.no_value()
            }
            // Instrumentation has made assertions of these.
            "assert"
            | "__VERIFIER_assert"
            | "__CPROVER_assert"
            | "__CPROVER_precondition"
            | "__CPROVER_postcondition"
            | "__loopfrog_assert" => self.no_value(),
            "__VERIFIER_error" | "reach_error" | "__assert_fail" | "__assert" | "abort" | "_exit" | "_Exit" | "quick_exit" => {
                return Some(None);
            }
            "exit" => {
                if self.has_end {
                    self.exits.push(state.clone());
                }
                return Some(None);
            }
            "atexit" => {
                self.register(state, site, pointer(0)?, span);
                let width = self.program.types.bits(result).map_or(32, u32::from);
                Value::Scalar(Scalar::Term(self.terms.zero(width)))
            }
            "__VERIFIER_atomic_begin"
            | "__VERIFIER_atomic_end"
            | "__CPROVER_atomic_begin"
            | "__CPROVER_atomic_end"
            | "__CPROVER_input"
            | "__CPROVER_output"
            | "__CPROVER_cover" => self.no_value(),
            "__VERIFIER_nondet_memory" | "__loopfrog_havoc" => {
                self.havoc_bytes(state, site, pointer(0)?, number(1)?);
                self.no_value()
            }
            "__loopfrog_stdin" => {
                let byte = self.terms.fresh("stdin", Sort::Bits(9));
                let end = self.terms.test_bit(byte, 8);
                self.input(state, InputKind::Standard, byte, span);
                let width = self.program.types.bits(result).map_or(32, u32::from);
                let low = self.terms.extract(byte, 7, 0);
                let (low, eof) = (self.terms.zero_extend(low, width), self.terms.ones(width));
                Value::Scalar(Scalar::Term(self.terms.ite(end, eof, low)))
            }
            "__loopfrog_allocate" => {
                // Library models find no memory for more, or do not need it.
                let fits = self.is_object_size(number(0)?);
                self.assume(state, fits);
                let size = self.terms.resize(number(0)?, OFFSET, false);
                let origin = self.allocation_origin(state, site, span);
                let object = Object { origin, size, heap: true, writable: true, function: None };
                Value::Scalar(Scalar::Pointer(self.new_object(state, object)))
            }
            "__loopfrog_free" => {
                let object = pointer(0)?.object;
                self.end_object(state, object);
                self.no_value()
            }
            "__loopfrog_copy" => {
                self.copy_bytes(state, site, (pointer(0)?, pointer(1)?), number(2)?, span);
                self.no_value()
            }
            "__loopfrog_fill" => {
                self.fill_bytes(state, site, pointer(0)?, number(1)?, number(2)?, span);
                self.no_value()
            }
            "__loopfrog_clear" => {
                self.clear(state, site, pointer(0)?);
                self.no_value()
            }
            "__loopfrog_find" => {
                let found = self.find_byte(state, site, pointer(0)?, number(1)?, number(2)?);
                word(self, found)
            }
            "__loopfrog_size" => {
                let size = self.objects.size(&mut self.terms, pointer(0)?.object);
                let width = pointer_bits(self.program.types.target());
                let size = self.terms.resize(size, width, false);
                word(self, size)
            }
            "__loopfrog_offset" => {
                let width = pointer_bits(self.program.types.target());
                let offset = pointer(0)?.distance(&mut self.terms, width);
                word(self, offset)
            }
            "__loopfrog_alive" => {
                let alive = self.alive(state, pointer(0)?);
                truth(self, alive)
            }
            "__loopfrog_heap" => {
                let heap = self.objects.has(&mut self.terms, Trait::Heap, pointer(0)?.object);
                truth(self, heap)
            }
            "__loopfrog_writable" => {
                let writable = self.objects.has(&mut self.terms, Trait::Writable, pointer(0)?.object);
                truth(self, writable)
            }
            "__loopfrog_is_null" => {
                let none = self.terms.zero(OBJECT);
                let null = self.terms.equal(pointer(0)?.object, none);
                truth(self, null)
            }
            "__loopfrog_same_object" => {
                let same = self.terms.equal(pointer(0)?.object, pointer(1)?.object);
                truth(self, same)
            }
            _ if name.starts_with("__loopfrog_nondet_") => self.havoc_value(state, result, name),
            _ if name.starts_with("__VERIFIER_nondet_") || name.starts_with("nondet_") => {
                Value::Scalar(self.input_scalar(state, result, name, span))
            }
            _ => return None,
        }))
    }

    /// Takes note of a function that is to run when the program ends.
    fn register(&mut self, state: &mut State, site: Site, pointer: Pointer, span: Span) {
        let mut unknown = self.terms.bool(true);
        for function in self.analysis.callees(site).to_vec() {
            let object = self.function_object(function);
            let target = Pointer::to(&mut self.terms, object);
            let same = pointer.equal(&mut self.terms, target);
            if self.program.functions[function].body.is_none() {
                continue;
            }
            let other = self.terms.not(same);
            unknown = self.terms.and(unknown, other);
            let condition = self.terms.and(state.guard, same);
            if self.terms.as_bool(condition) != Some(false) {
                self.handlers.push((condition, function));
            }
        }
        self.gap_if(state, unknown, "a function that is not known runs at the end", span);
    }

    /// Whether an integer or truth value is not zero.
    fn is_true(&mut self, term: Term) -> Term {
        if self.terms.sort(term) == Sort::Bool { term } else { self.terms.nonzero(term) }
    }

    /// The region that the bytes at a pointer argument are in: what is moved byte by byte is in one, wherever the pointer leads.
    fn argument_region(&self, site: Site, position: usize) -> Option<RegionId> {
        self.argument_regions(site, position, 1).first().copied()
    }

    /// The regions that some bytes at a pointer argument may be in.
    fn argument_regions(&self, site: Site, position: usize, size: u64) -> Vec<RegionId> {
        let Some(body) = self.program.functions[site.function].body.as_ref() else { return Vec::new() };
        let Some(command) = body.blocks.get(site.block).and_then(|block| block.commands.get(site.command)) else { return Vec::new() };
        let model::CommandKind::Call { args, .. } = &command.kind else { return Vec::new() };
        let Some(&arg) = args.get(position) else { return Vec::new() };
        let cells: Vec<Cell> = self
            .analysis
            .targets(site.function, arg)
            .into_iter()
            .filter(|target: &Target| !matches!(target.object, Abstract::Function(_)))
            .map(|target| Cell { object: target.object, offsets: target.offsets, size })
            .collect();
        self.regions.touched(&cells)
    }

    /// A byte count as an index distance.
    fn count(&mut self, count: Term) -> Term {
        self.terms.resize(count, POINTER, false)
    }

    fn copy_bytes(&mut self, state: &mut State, site: Site, (to, from): (Pointer, Pointer), count: Term, span: Span) {
        let (Some(region), Some(source)) = (self.argument_region(site, 0), self.argument_region(site, 1)) else { return };
        let count = self.count(count);
        let (at, source_at) = (to.packed(&mut self.terms), from.packed(&mut self.terms));
        if self.cells(region) != self.cells(source) {
            let some = self.terms.nonzero(count);
            return self.gap_if(state, some, "a copy between memory of different layout", span);
        }
        let (array, other) = (state.regions[region.index()], state.regions[source.index()]);
        let array = self.terms.copy(array, at, other, source_at, count);
        Rc::make_mut(&mut state.regions)[region.index()] = array;
        if !state.written.is_empty() {
            let (flags, other) = (state.written[region.index()], state.written[source.index()]);
            let flags = self.terms.copy(flags, at, other, source_at, count);
            Rc::make_mut(&mut state.written)[region.index()] = flags;
        }
    }

    fn fill_bytes(&mut self, state: &mut State, site: Site, to: Pointer, byte: Term, count: Term, span: Span) {
        let count = self.count(count);
        let byte = self.terms.resize(byte, 8, false);
        let known = self.terms.as_bits(count).and_then(Bits::to_u64);
        for region in self.argument_regions(site, 0, known.unwrap_or(1)) {
            // Cells that are no bytes are filled as wholes, with zeros (`pointers::Regions`).
            if !self.cells(region).is_bytes() && (known.is_none() || self.terms.as_bits(byte).is_none_or(|byte| !byte.is_zero())) {
                let some = self.terms.nonzero(count);
                self.gap_if(state, some, "memory that is filled, but not kept as bytes", span);
                continue;
            }
            let byte = self.terms.zero_extend(byte, self.cells(region).width());
            self.fill_region(state, region, (to, count), byte);
        }
    }

    /// The cells of a region that begin in a part of memory get a value.
    fn fill_region(&mut self, state: &mut State, region: RegionId, (to, count): (Pointer, Term), value: Term) {
        let at = to.packed(&mut self.terms);
        let content = self.terms.constant_array(POINTER, value);
        let array = self.terms.copy(state.regions[region.index()], at, content, at, count);
        Rc::make_mut(&mut state.regions)[region.index()] = array;
        self.mark_bytes(state, region, to, count);
    }

    /// All of an object becomes 0: whole cells, since none is partly outside; that bits which are all 0 are the value 0 is so for numbers, floats and pointers.
    fn clear(&mut self, state: &mut State, site: Site, object: Pointer) {
        let object = Pointer { offset: self.terms.zero(OFFSET), ..object };
        let count = self.terms.number(POINTER, 1 << OFFSET);
        for region in self.argument_regions(site, 0, Cell::REST) {
            let zero = self.terms.zero(self.cells(region).width());
            self.fill_region(state, region, (object, count), zero);
        }
    }

    fn havoc_bytes(&mut self, state: &mut State, site: Site, to: Pointer, count: Term) {
        let count = self.count(count);
        let at = to.packed(&mut self.terms);
        for region in self.argument_regions(site, 0, Cell::REST) {
            let content = self.terms.fresh("havoc", cells_sort(self.cells(region).width()));
            let array = state.regions[region.index()];
            // A cell that begins before the first byte may have bytes behind it.
            let before = match self.regions.kind(region) {
                pointers::RegionKind::Typed { bytes } => bytes.saturating_sub(1),
                pointers::RegionKind::Bytes => 0,
            };
            let before = self.terms.number(POINTER, u128::from(before));
            let (start, length) = (self.terms.sub(at, before), self.terms.add(count, before));
            let some = self.terms.nonzero(count);
            let length = self.terms.ite(some, length, count);
            let array = self.terms.copy(array, start, content, start, length);
            Rc::make_mut(&mut state.regions)[region.index()] = array;
            self.mark_bytes(state, region, to, count);
        }
    }

    /// The distance to the first such byte, or the limit. The bytes before it are different: instantiated where somebody looks.
    fn find_byte(&mut self, state: &mut State, site: Site, from: Pointer, byte: Term, limit: Term) -> Term {
        let width = self.terms.width(limit);
        if let Some(distance) = self.known_distance(state, site, from, byte, limit) {
            return self.terms.number(width, u128::from(distance));
        }
        let found = self.terms.fresh("found", Sort::Bits(width));
        let within = self.terms.ule(found, limit);
        self.grant(state, within);
        let byte = self.terms.resize(byte, 8, false);
        let Some(region) = self.argument_region(site, 0) else { return found };
        let array = state.regions[region.index()];
        if !self.cells(region).is_bytes() {
            return found;
        }
        // What is searched holds no bytes of pointers: those equal no byte here.
        let byte = self.terms.zero_extend(byte, self.cells(region).width());
        let start = from.packed(&mut self.terms);
        let distance = self.terms.resize(found, OFFSET, false);
        let offset = self.terms.add(from.offset, distance);
        let absent = self.terms.absent(array, start, offset, byte);
        self.grant(state, absent);
        let at = Pointer { object: from.object, offset }.packed(&mut self.terms);
        let element = self.terms.select(array, at);
        let here = self.terms.equal(element, byte);
        let nowhere = self.terms.equal(found, limit);
        let stops = self.terms.or(nowhere, here);
        self.grant(state, stops);
        found
    }

    /// The distance to the first such byte, where memory is known byte by byte until there, as that of string literals is.
    fn known_distance(&mut self, state: &State, site: Site, from: Pointer, byte: Term, limit: Term) -> Option<u64> {
        let byte = self.terms.as_bits(byte)?.to_u64()? & 0xff;
        let (limit, start) = (self.terms.as_bits(limit)?.to_u64()?, self.terms.as_bits(from.offset)?.to_u64()?);
        self.terms.as_bits(from.object)?;
        let region = self.argument_region(site, 0).filter(|region| self.cells(*region).is_bytes())?;
        let array = state.regions[region.index()];
        for distance in 0..limit.min(KNOWN) {
            let offset = self.terms.number(OFFSET, u128::from(start.checked_add(distance)?));
            let at = Pointer { object: from.object, offset }.packed(&mut self.terms);
            let element = self.terms.select(array, at);
            if self.terms.as_bits(element)?.to_u64()? == byte {
                return Some(distance);
            }
        }
        (limit <= KNOWN).then_some(limit)
    }
}

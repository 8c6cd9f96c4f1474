//! Arbitrary values, and what code does that is not known.

use std::rc::Rc;

use logic::{Bits, Term};
use model::{FunctionId, Span, Type, TypeId};
use pointers::{Object as Abstract, Offsets, Site, Target, Writes};

use crate::encoder::{Encoder, Input, InputKind};
use crate::object::Object;
use crate::place::cells_sort;
use crate::scalar::{self, OBJECT, OFFSET, POINTER, Pointer, Scalar};
use crate::state::{State, Value};

/// With more candidates than this, a pointer may lead to any object.
const CANDIDATES: usize = 64;
/// With more targets than this, nothing is said of where in its object a pointer points.
const PLACES: usize = 8;

/// Functions that send signals, and those that say what runs when one comes.
const SEND: [&str; 5] = ["raise", "kill", "killpg", "pthread_kill", "sigqueue"];
const HANDLE: [&str; 6] = ["signal", "bsd_signal", "sysv_signal", "__sysv_signal", "ssignal", "sigaction"];

impl Encoder<'_> {
    /// An arbitrary pointer to one of these targets, or to nowhere. Points-to sets are facts (design §6): they hold on every path.
    pub(crate) fn havoc_pointer(&mut self, state: &mut State, targets: &[Target], name: &str) -> Scalar {
        let packed = self.terms.fresh(name, logic::Sort::Bits(POINTER));
        let pointer = Pointer::unpacked(&mut self.terms, packed);
        let among = self.is_among(state, pointer, targets);
        self.grant(state, among);
        Scalar::Pointer(pointer)
    }

    /// That a pointer leads to one of these targets, or to nowhere. Nothing leads to objects that no path to this state has made.
    pub(crate) fn is_among(&mut self, state: &State, pointer: Pointer, targets: &[Target]) -> Term {
        let mut origins: Vec<Abstract> = targets.iter().map(|target| target.object).collect();
        let mut numbers: Vec<u32> = vec![0];
        if origins.contains(&Abstract::External) {
            // Code outside of the program may hand out everything that it knows.
            numbers.push(self.external_object());
            origins.extend(self.analysis.escaped());
        }
        origins.sort_unstable();
        origins.dedup();
        let crowds: Vec<_> = origins.iter().flat_map(|origin| self.objects.crowds_of(*origin)).collect();
        for origin in origins {
            numbers.extend_from_slice(self.objects.of(origin));
        }
        numbers.sort_unstable();
        numbers.dedup();
        self.keep_born(state, &mut numbers);
        if numbers.len() + crowds.len() > CANDIDATES {
            return self.is_known(pointer);
        }
        let mut among = self.terms.bool(false);
        for number in numbers {
            let number = self.terms.number(OBJECT, u128::from(number));
            let same = self.terms.equal(pointer.object, number);
            among = self.terms.or(among, same);
        }
        for crowd in crowds {
            let inside = crowd.has(&mut self.terms, pointer.object);
            among = self.terms.or(among, inside);
        }
        among
    }

    /// That a pointer that leads to an object does so at the offset that the analysis tells, where it tells one for each object. It tells what valid
    /// accesses do: that they were valid has to be assumed beside this.
    pub(crate) fn is_placed(&mut self, state: &State, pointer: Pointer, targets: &[Target]) -> Term {
        let always = self.terms.bool(true);
        let places: Option<Vec<(Abstract, i64)>> =
            targets.iter().map(|target| target.offsets.single().map(|offset| (target.object, offset))).collect();
        let Some(places) = places.filter(|places| places.len() <= PLACES && places.iter().all(|(object, _)| *object != Abstract::External))
        else {
            return always;
        };
        let none = self.terms.zero(OBJECT);
        let nowhere = self.terms.equal(pointer.object, none);
        let uniform = places.iter().all(|(_, offset)| *offset == places[0].1);
        let mut ways = vec![nowhere];
        let same: &[(Abstract, i64)] = if uniform { places.get(..1).unwrap_or_default() } else { &places };
        for &(origin, offset) in same {
            let offset = self.terms.bits(Bits::new(OFFSET, offset as u128));
            let mut there = self.terms.equal(pointer.offset, offset);
            if !uniform {
                let target = [Target { object: origin, offsets: Offsets::ZERO }];
                let among = self.is_among(state, pointer, &target);
                there = self.terms.and(among, there);
            }
            ways.push(there);
        }
        self.terms.any(ways)
    }

    /// That a pointer's object exists or has existed.
    fn is_known(&mut self, pointer: Pointer) -> Term {
        let end = self.terms.number(OBJECT, u128::from(self.objects.numbers().end));
        let mut known = self.terms.ult(pointer.object, end);
        let crowds: Vec<_> = self.objects.crowds().collect();
        for crowd in crowds {
            let inside = crowd.has(&mut self.terms, pointer.object);
            known = self.terms.or(known, inside);
        }
        known
    }

    /// A pointer of which only is known that its object exists or has existed.
    fn any_pointer(&mut self, state: &mut State, pointer: Pointer) -> Scalar {
        let known = self.is_known(pointer);
        self.grant(state, known);
        Scalar::Pointer(pointer)
    }

    /// The object that stands for all memory of code outside the program.
    pub(crate) fn external_object(&mut self) -> u32 {
        if let Some(&number) = self.objects.of(Abstract::External).first() {
            return number;
        }
        let size = self.terms.fresh("external size", logic::Sort::Bits(OFFSET - 1));
        let size = self.terms.zero_extend(size, OFFSET);
        let object = Object { origin: Abstract::External, size, heap: false, writable: true, function: None };
        self.objects.add(&mut self.terms, object).unwrap_or(0)
    }

    /// An arbitrary value of a type, with pointers that may lead to any object.
    pub(crate) fn havoc_value(&mut self, state: &mut State, ty: TypeId, name: &str) -> Value {
        let value = self.arbitrary_value(ty, name, true);
        match value {
            Value::Scalar(Scalar::Pointer(pointer)) => Value::Scalar(self.any_pointer(state, pointer)),
            value => value,
        }
    }

    /// Takes note of a value from outside.
    pub(crate) fn input(&mut self, state: &State, kind: InputKind, value: Term, span: Span) {
        let told = self.nest > 0 && matches!(kind, InputKind::Call(_));
        let asking = told.then(|| (self.current(), state.slots.clone()));
        self.inputs.push(Input { guard: state.guard, kind, value, span, asking });
    }

    /// A call of a function with neither body nor model: its result is arbitrary, and it may write to everything that it can reach. Said in the output.
    pub(crate) fn unknown_call(&mut self, state: &mut State, site: Site, function: FunctionId, span: Span) -> Value {
        let callee = &self.program.functions[function];
        let name = callee.name.clone();
        let Type::Function { ret, .. } = self.program.types.get(callee.ty) else { return self.no_value() };
        let ret = *ret;
        self.unknown.entry(name.clone()).or_insert((0, span)).0 += 1;
        self.havoc_written(state, site);
        if *self.program.types.get(ret) == Type::Void {
            return self.no_value();
        }
        let value = self.havoc_value(state, ret, &name);
        if let Value::Scalar(Scalar::Term(term)) = value {
            self.input(state, InputKind::Call(name), term, span);
        }
        value
    }

    /// What a call of a function without body may do besides writing: call functions of the program, or return a second time. Where that may be, what is
    /// said of the rest of the run is not certain.
    pub(crate) fn doubt_call(&mut self, state: &State, site: Site, function: FunctionId, span: Span) {
        let name = &self.program.functions[function].name;
        let reason = if self.returns_twice(function) {
            format!("a second return of `{name}`")
        } else if SEND.contains(&name.as_str()) && self.program.functions.iter().any(|other| HANDLE.contains(&other.name.as_str())) {
            format!("the handler of a signal that `{name}` sends")
        } else if self.analysis.called_back(site, function).is_empty() {
            return;
        } else {
            format!("what `{name}` does with functions of the program that it knows")
        };
        self.gap(&mut state.clone(), reason, span);
    }

    /// What a call of a function without body may write becomes arbitrary: all that code outside the program may know, and what is known to be written.
    fn havoc_written(&mut self, state: &mut State, site: Site) {
        let (analysis, all) = (self.analysis, self.regions);
        let cells = self.writes.get_or_init(|| Writes::new(analysis)).of_command(analysis, site);
        let escaped = analysis.escaped().into_iter().flat_map(|object| all.cells_of(object)).map(|(_, region)| *region);
        let mut regions: Vec<_> = escaped.chain(all.touched(&cells)).collect();
        regions.sort_unstable();
        regions.dedup();
        for region in regions {
            let width = self.cells(region).width();
            let fresh = self.terms.fresh("unknown memory", cells_sort(width));
            Rc::make_mut(&mut state.regions)[region.index()] = fresh;
        }
    }

    /// The value of what has none.
    pub(crate) fn no_value(&mut self) -> Value {
        Value::Scalar(Scalar::Term(self.terms.bool(false)))
    }

    /// A new scalar input of a type.
    pub(crate) fn input_scalar(&mut self, state: &mut State, ty: TypeId, name: &str, span: Span) -> Scalar {
        let scalar = scalar::arbitrary(&mut self.terms, &self.program.types, ty, name);
        match scalar {
            Scalar::Pointer(pointer) => self.any_pointer(state, pointer),
            Scalar::Term(term) => {
                self.input(state, InputKind::Call(name.to_owned()), term, span);
                scalar
            }
        }
    }
}

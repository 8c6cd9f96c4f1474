//! Arbitrary values, and what code does that is not known.

use std::rc::Rc;

use logic::Term;
use model::{FunctionId, Span, Type, TypeId};
use pointers::{Object as Abstract, Target};

use crate::encoder::{Encoder, Input, InputKind};
use crate::object::Object;
use crate::place::cells_sort;
use crate::scalar::{self, OBJECT, OFFSET, POINTER, Pointer, Scalar};
use crate::state::{State, Value};

/// With more candidates than this, a pointer may lead to any object.
const CANDIDATES: usize = 64;

impl Encoder<'_> {
    /// An arbitrary pointer to one of these targets, or to nowhere. Points-to sets are facts (design §6): they hold on every path.
    pub(crate) fn havoc_pointer(&mut self, state: &mut State, targets: &[Target], name: &str) -> Scalar {
        let packed = self.terms.fresh(name, logic::Sort::Bits(POINTER));
        let pointer = Pointer::unpacked(&mut self.terms, packed);
        let mut numbers: Vec<u32> = vec![0];
        for target in targets {
            if target.object == Abstract::External {
                // Code outside of the program may hand out everything that it knows.
                numbers.push(self.external_object());
                for object in self.analysis.escaped() {
                    numbers.extend_from_slice(self.objects.of(object));
                }
            }
            numbers.extend_from_slice(self.objects.of(target.object));
        }
        numbers.sort_unstable();
        numbers.dedup();
        if numbers.len() > CANDIDATES {
            return self.any_pointer(state, pointer);
        }
        let mut among = self.terms.bool(false);
        for number in numbers {
            let number = self.terms.number(OBJECT, u128::from(number));
            let same = self.terms.equal(pointer.object, number);
            among = self.terms.or(among, same);
        }
        self.assume(state, among);
        Scalar::Pointer(pointer)
    }

    /// A pointer of which only is known that its object exists or has existed.
    fn any_pointer(&mut self, state: &mut State, pointer: Pointer) -> Scalar {
        let end = self.terms.number(OBJECT, u128::from(self.objects.numbers().end));
        let known = self.terms.ult(pointer.object, end);
        self.assume(state, known);
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
        let value = self.arbitrary_value(ty, name);
        match value {
            Value::Scalar(Scalar::Pointer(pointer)) => Value::Scalar(self.any_pointer(state, pointer)),
            value => value,
        }
    }

    /// Takes note of a value from outside.
    pub(crate) fn input(&mut self, state: &State, kind: InputKind, value: Term, span: Span) {
        self.inputs.push(Input { guard: state.guard, kind, value, span });
    }

    /// A call of a function with neither body nor model: its result is arbitrary, and it may write to everything that it can reach. Said in the output.
    pub(crate) fn unknown_call(&mut self, state: &mut State, function: FunctionId, span: Span) -> Value {
        let callee = &self.program.functions[function];
        let name = callee.name.clone();
        let Type::Function { ret, .. } = self.program.types.get(callee.ty) else { return self.no_value() };
        let ret = *ret;
        self.unknown.entry(name.clone()).or_insert((0, span)).0 += 1;
        self.havoc_escaped(state);
        if *self.program.types.get(ret) == Type::Void {
            return self.no_value();
        }
        let value = self.havoc_value(state, ret, &name);
        if let Value::Scalar(Scalar::Term(term)) = value {
            self.input(state, InputKind::Call(name), term, span);
        }
        value
    }

    /// Everything that code outside the program may know becomes arbitrary.
    pub(crate) fn havoc_escaped(&mut self, state: &mut State) {
        let mut regions: Vec<_> = self.analysis.escaped().into_iter().flat_map(|object| self.regions.cells_of(object)).map(|(_, region)| *region).collect();
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

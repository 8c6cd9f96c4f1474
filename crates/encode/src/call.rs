//! Calls: bodies are walked in place, functions known by name are primitives, pointers to functions are case distinctions.

use std::rc::Rc;

use logic::Sort;
use model::{BlockId, Callee, ExprId, FunctionId, PlaceId, Span, Type, TypeId};
use pointers::Site;

use crate::encoder::{Encoder, Info};
use crate::object::Objects;
use crate::scalar::{Pointer, Scalar};
use crate::state::{Flag, Slot, State, Value};

/// More functions than this behind one pointer are not told apart.
const CALLEES: usize = 64;

impl<'p> Encoder<'p> {
    /// The state after a call; `None` if it does not return.
    pub(crate) fn call(
        &mut self,
        mut state: State,
        info: &Rc<Info<'p>>,
        (block, position): (BlockId, usize),
        (dst, callee, args): (Option<PlaceId>, Callee, &[ExprId]),
        span: Span,
    ) -> Option<State> {
        let site = Site { function: info.id, block, command: position };
        let values: Vec<(Value, TypeId)> = args.iter().map(|arg| (self.value(&mut state, info, *arg), info.body.exprs[*arg].ty)).collect();
        let (state, value, flag) = match callee {
            Callee::Direct(function) => self.call_function(state, site, function, values, span)?,
            Callee::Indirect(pointer) => {
                let pointer_ty = info.body.exprs[pointer].ty;
                let pointer = self.pointer(&mut state, info, pointer);
                self.call_pointer(state, site, pointer, pointer_ty, values, span)?
            }
        };
        let mut state = state;
        if let Some(dst) = dst {
            let location = self.locate(&mut state, info, dst);
            self.store_value(&mut state, &location, (&value, flag), span);
        }
        Some(state)
    }

    fn call_function(
        &mut self,
        mut state: State,
        site: Site,
        function: FunctionId,
        args: Vec<(Value, TypeId)>,
        span: Span,
    ) -> Option<(State, Value, Flag)> {
        let callee = &self.program.functions[function];
        if callee.body.is_some() {
            let Type::Function { params, ret, .. } = self.program.types.get(callee.ty) else { return None };
            let fixed = params.len().min(args.len());
            let exact = self.program.is_library(callee.span).then(|| self.exact_result(&callee.name, *ret, &args)).flatten();
            let mut args = args;
            let variadic = args.split_off(fixed);
            self.call_sites.push(site);
            self.call_spans.push(span);
            let result = self.run(state, function, args.into_iter().map(|(value, _)| value).collect(), variadic, span);
            self.call_sites.pop();
            self.call_spans.pop();
            return result.map(|(state, value, flag)| (state, exact.unwrap_or(value), flag));
        }
        if let Some(result) = self.primitive(&mut state, site, function, &args, span) {
            return result.map(|value| (state, value, None));
        }
        if let Some(result) = self.both_returns(&state, site, function) {
            return Some(result);
        }
        self.doubt_call(&state, site, function, span);
        if callee.attributes.noreturn {
            return None;
        }
        let value = self.unknown_call(&mut state, site, function, span);
        Some((state, value, None))
    }

    fn call_pointer(
        &mut self,
        mut state: State,
        site: Site,
        pointer: Pointer,
        ty: TypeId,
        args: Vec<(Value, TypeId)>,
        span: Span,
    ) -> Option<(State, Value, Flag)> {
        let functions: Vec<FunctionId> = match Objects::number(&self.terms, pointer.object) {
            Some(number) => self.objects.get(number).and_then(|object| object.function).into_iter().collect(),
            None => self.analysis.callees(site).to_vec(),
        };
        if functions.len() > CALLEES {
            self.gap(&mut state, "a call of one of very many functions", span);
            return None;
        }
        let mut returned = Vec::new();
        let mut rest = state.clone();
        let mut unfit = false;
        for function in functions {
            let Some(args) = self.fitting(function, ty, &args) else {
                unfit = true;
                continue;
            };
            let object = self.function_object(function);
            let target = Pointer::to(&mut self.terms, object);
            let same = pointer.equal(&mut self.terms, target);
            let mut taken = state.clone();
            self.assume(&mut taken, same);
            let other = self.terms.not(same);
            self.assume(&mut rest, other);
            if self.terms.as_bool(taken.guard) == Some(false) {
                continue;
            }
            let slots = taken.slots.clone();
            if let Some((mut after, value, flag)) = self.call_function(taken, site, function, args, span) {
                // The result travels with the state to where the cases meet.
                let mut with_result = slots.as_ref().clone();
                with_result.push(Slot::Private(value, flag));
                after.slots = Rc::new(with_result);
                returned.push(after);
            }
        }
        // A pointer to something else is undefined, and the check before says so.
        let what = match unfit {
            true => "a call of a function with other types than it has",
            false => "a call through a pointer that leads to no known function",
        };
        self.gap(&mut rest, what, span);
        let mut state = State::merge(&mut self.terms, returned)?;
        let (value, flag) = match Rc::make_mut(&mut state.slots).pop() {
            Some(Slot::Private(value, flag)) => (value, flag),
            _ => (self.no_value(), None),
        };
        Some((state, value, flag))
    }

    /// The arguments as a function gets them that is called through a pointer of this type; none if they are not what it takes.
    ///
    /// Declared without prototype or seen as another type, a function gets what the machine passes: pointers of all types alike, whatever an integer's
    /// sign is, and what a register holds of an integer of another width. C allows less (C17 6.5.2.2), compilers for our data models do no more with it.
    fn fitting(&mut self, function: FunctionId, pointer: TypeId, args: &[(Value, TypeId)]) -> Option<Vec<(Value, TypeId)>> {
        let program = self.program;
        let types = &program.types;
        let callee = &program.functions[function];
        let Type::Pointer(to) = types.get(pointer) else { return None };
        if *to == callee.ty {
            return Some(args.to_vec());
        }
        let (Type::Function { ret, variadic, .. }, Type::Function { ret: result, params, variadic: also }) =
            (types.get(*to), types.get(callee.ty))
        else {
            return None;
        };
        let same_result = self.is_passed_alike(*result, *ret) || *types.get(*ret) == Type::Void;
        let enough = args.len() == params.len() || args.len() > params.len() && *variadic && *also;
        if !same_result || !enough {
            return None;
        }
        let mut fitting = args.to_vec();
        for ((value, ty), &param) in fitting.iter_mut().zip(params) {
            if !self.is_passed_alike(*ty, param) {
                *value = self.in_register(value, *ty, param)?;
            }
            *ty = param;
        }
        Some(fitting)
    }

    /// Whether values of two types are the same to who passes them.
    fn is_passed_alike(&self, one: TypeId, other: TypeId) -> bool {
        let types = &self.program.types;
        match (types.get(one), types.get(other)) {
            (Type::Int { bits: a, .. }, Type::Int { bits: b, .. }) => a == b,
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (a, b) => a == b,
        }
    }

    /// What arrives of an integer that is passed in a register for one of another width: of a wider one the low bits. With an `int`, the upper half holds
    /// zeros, as the instructions of 32 bits leave them, or copies of the sign, or whatever: it does not matter unless the number is negative.
    fn in_register(&mut self, value: &Value, from: TypeId, to: TypeId) -> Option<Value> {
        let types = &self.program.types;
        let (Type::Int { bits, .. }, Type::Int { bits: wanted, .. }) = (types.get(from), types.get(to)) else { return None };
        let register = u32::from(types.target().pointer_bits());
        let Value::Scalar(Scalar::Term(term)) = value else { return None };
        let passed = match (u32::from(*bits), u32::from(*wanted)) {
            (wide, narrow) if narrow < wide && wide <= register => self.terms.extract(*term, narrow - 1, 0),
            (32, 64) if register == 64 => {
                let (zero, any) = (self.terms.zero(32), self.terms.fresh("upper half", Sort::Bits(32)));
                let negative = self.terms.slt(*term, zero);
                let upper = self.terms.ite(negative, any, zero);
                self.terms.concat(upper, *term)
            }
            _ => return None,
        };
        Some(Value::Scalar(Scalar::Term(passed)))
    }
}

//! Commands.

use std::rc::Rc;

use model::{BlockId, CheckKind, Command, CommandKind, ExprId, PlaceId, Span};
use pointers::Site;

use crate::encoder::{Encoder, Info, Obligation};
use crate::object::{Object, Objects};
use crate::place::Location;
use crate::scalar::{OFFSET, Scalar};
use crate::state::{ArgumentList, Flag, State, Value, merge_values};

impl<'p> Encoder<'p> {
    /// The state after a command; `None` if control does not come out of it.
    pub(crate) fn command(
        &mut self,
        mut state: State,
        info: &Rc<Info<'p>>,
        block: BlockId,
        position: usize,
        command: &Command,
    ) -> Option<State> {
        let span = command.span;
        if !matches!(command.kind, CommandKind::Assert(..)) && !self.program.is_library(info.body.end) {
            self.survived = None;
        }
        match &command.kind {
            CommandKind::Assign { dst, src } => {
                let value = self.value(&mut state, info, *src);
                self.assign(&mut state, info, *dst, &value, span);
            }
            CommandKind::Call { dst, callee, args } => return self.call(state, info, (block, position), (*dst, *callee, args), span),
            CommandKind::Live(local) => {
                if !info.body.address_taken.is_empty() {
                    self.end_life(&mut state, *local);
                }
                self.begin_life(&mut state, info, *local, None);
            }
            CommandKind::LiveArray(local, size) => {
                let size = self.term(&mut state, info, *size);
                let size = self.object_size(&mut state, size, span);
                self.begin_life(&mut state, info, *local, Some(size));
            }
            CommandKind::Dead(local) => self.end_life(&mut state, *local),
            CommandKind::Assume(condition) => {
                let condition = self.term(&mut state, info, *condition);
                self.assume(&mut state, condition);
            }
            CommandKind::Assert(condition, check) => {
                let holds = self.term(&mut state, info, *condition);
                self.check(&mut state, holds, *check);
            }
            CommandKind::Havoc(place) => {
                let ty = info.body.places[*place].ty;
                let value = self.havoc_value(&mut state, ty, "havoc");
                self.assign(&mut state, info, *place, &value, span);
            }
            CommandKind::VaStart(list) => self.start_list(&mut state, info, *list, span),
            CommandKind::VaArg(place, list) => self.next_argument(&mut state, info, *place, *list, span),
            CommandKind::VaEnd(_) => {}
            CommandKind::VaCopy(to, from) => self.copy_list(&mut state, info, *to, *from, span),
            CommandKind::Alloca(place, size) => {
                let size = self.term(&mut state, info, *size);
                let size = self.object_size(&mut state, size, span);
                let origin = self.allocation_origin(&mut state, Site { function: info.id, block, command: position }, span);
                let object = self.new_object(&mut state, Object { origin, size, heap: false, writable: true, function: None });
                if let (Some(number), Some(frame)) = (Objects::number(&self.terms, object.object), self.frames.last_mut()) {
                    frame.allocated.push(number);
                }
                self.assign(&mut state, info, *place, &Value::Scalar(Scalar::Pointer(object)), span);
            }
            CommandKind::Unsupported(reason) => self.gap(&mut state, reason.clone(), span),
        }
        Some(state)
    }

    /// Writes a value to a place.
    pub(crate) fn assign(&mut self, state: &mut State, info: &Info<'p>, place: PlaceId, value: &Value, span: Span) {
        let location = self.locate(state, info, place);
        self.store_value(state, &location, (value, None), span);
    }

    /// Writes a value to a location. A scalar may be without value, and the location is so afterwards.
    pub(crate) fn store_value(&mut self, state: &mut State, location: &Location, (value, flag): (&Value, Flag), span: Span) {
        match value {
            Value::Scalar(scalar) if !self.is_aggregate(location.ty) => self.store(state, location, (*scalar, flag), span),
            Value::Scalar(_) => {}
            aggregate => self.store_aggregate(state, location, aggregate, span),
        }
    }

    /// Takes note of a check. Behind one that ends what is followed, only runs count that passed it.
    pub(crate) fn check(&mut self, state: &mut State, holds: logic::Term, check: model::Check) {
        let fails = self.terms.not(holds);
        let anyway = self.terms.and(state.guard, fails);
        let (function, block, span) = self.charged(check.span);
        // Of an access that a run survives, only the first thing that is wrong counts.
        let survived = self.survived.filter(|(at, _)| *at == span).map_or_else(|| self.terms.bool(false), |(_, survived)| survived);
        let first = self.terms.not(survived);
        let failure = self.terms.all([state.valid, anyway, first]);
        let made = self.terms.len();
        let charged = model::Check { span, ..check };
        self.obligations.push(Obligation { check: charged, function, block, failure, anyway, broken: fails, made });
        if self.options.faults.include(charged, function) {
            let passed = self.terms.or(holds, survived);
            state.valid = self.terms.and(state.valid, passed);
        } else if check.kind.guards_memory() {
            self.survived = Some((span, self.terms.or(survived, anyway)));
        } else if self.terms.as_bool(holds) == Some(false) && check.kind == CheckKind::Assertion {
            self.assume(state, holds);
        }
    }

    /// A size in bytes as wide as offsets. Larger objects than offsets reach do not exist: paths that would make one are a gap, unless that it fits was
    /// checked before; then they are not valid any more, and some object is as good as another.
    fn object_size(&mut self, state: &mut State, size: logic::Term, span: Span) -> logic::Term {
        let fits = self.is_object_size(size);
        let large = self.terms.not(fits);
        let large = self.terms.and(state.valid, large);
        self.gap_if(state, large, "an object of more than 512 GiB", span);
        self.terms.resize(size, OFFSET, false)
    }
    /// That a number of bytes is no larger than offsets reach.
    pub(crate) fn is_object_size(&mut self, size: logic::Term) -> logic::Term {
        let width = self.terms.width(size).max(OFFSET) + 1;
        let wide = self.terms.resize(size, width, false);
        let limit = self.terms.number(width, 1 << (OFFSET - 1));
        self.terms.ult(wide, limit)
    }

    /// The object that holds a `va_list`.
    fn list_object(&mut self, state: &mut State, info: &Info<'p>, list: ExprId) -> Option<u32> {
        let pointer = self.pointer(state, info, list);
        Objects::number(&self.terms, pointer.object).filter(|number| *number != 0)
    }

    fn start_list(&mut self, state: &mut State, info: &Info<'p>, list: ExprId, span: Span) {
        let call = self.frames.last().map_or(0, |frame| frame.number);
        let next = self.terms.zero(8);
        match self.list_object(state, info, list) {
            Some(object) => set_list(state, ArgumentList { object, call, next }),
            None => self.gap(state, "a va_list that may be one of several", span),
        }
    }

    fn copy_list(&mut self, state: &mut State, info: &Info<'p>, to: ExprId, from: ExprId, span: Span) {
        let (to, from) = (self.list_object(state, info, to), self.list_object(state, info, from));
        let source = from.and_then(|from| state.lists.iter().find(|list| list.object == from).cloned());
        match (to, source) {
            (Some(object), Some(source)) => set_list(state, ArgumentList { object, ..source }),
            _ => self.gap(state, "a va_list that may be one of several", span),
        }
    }

    fn next_argument(&mut self, state: &mut State, info: &Info<'p>, place: PlaceId, list: ExprId, span: Span) {
        let found = self.list_object(state, info, list).and_then(|object| state.lists.iter().find(|list| list.object == object).cloned());
        let Some(list) = found else { return self.gap(state, "a va_list that may be one of several", span) };
        let Some(arguments) = self.frames.iter().find(|frame| frame.number == list.call).map(|frame| frame.variadic.clone()) else {
            return self.gap(state, "a va_list of a function that has returned", span);
        };
        let ty = info.body.places[place].ty;
        let mut taken: Option<Value> = None;
        let mut none = self.terms.bool(true);
        for (position, (value, given)) in arguments.iter().enumerate() {
            let number = self.terms.number(8, position as u128);
            let here = self.terms.equal(list.next, number);
            let types = &self.program.types;
            let is_pointer = |ty| matches!(types.get(ty), model::Type::Pointer(_));
            let fits = *given == ty
                || types.size_of(*given) == types.size_of(ty)
                    && types.is_scalar(ty)
                    && types.is_scalar(*given)
                    && is_pointer(*given) == is_pointer(ty);
            if self.terms.as_bool(here) != Some(false) && fits {
                let value = self.reinterpreted(value, *given, ty);
                taken = Some(taken.map_or(value.clone(), |others| merge_values(&mut self.terms, here, &value, &others)));
                let elsewhere = self.terms.not(here);
                none = self.terms.and(none, elsewhere);
            }
        }
        self.gap_if(state, none, "va_arg beyond the arguments, or of another type", span);
        if let Some(value) = taken {
            self.assign(state, info, place, &value, span);
        }
        let one = self.terms.one(8);
        let next = self.terms.add(list.next, one);
        set_list(state, ArgumentList { next, ..list });
    }

    /// An argument taken as another type of the same size (`int` as `unsigned`, `void *` as `char *`).
    fn reinterpreted(&mut self, value: &Value, from: model::TypeId, to: model::TypeId) -> Value {
        match value {
            Value::Scalar(scalar) if from != to => {
                let width = crate::scalar::cell_width(&self.program.types, from);
                let cell = crate::scalar::to_cell(&mut self.terms, &self.program.types, from, *scalar, width);
                Value::Scalar(crate::scalar::from_cell(&mut self.terms, &self.program.types, to, cell))
            }
            value => value.clone(),
        }
    }
}

fn set_list(state: &mut State, list: ArgumentList) {
    let lists = Rc::make_mut(&mut state.lists);
    lists.retain(|other| other.object != list.object);
    lists.push(list);
}

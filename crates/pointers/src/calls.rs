//! The constraints of calls.

use model::{Function, FunctionId, Linkage, LocalId, Program, Type, TypeId};

use crate::analyser::{Analyser, Call, Operand, Value};
use crate::body::Base;
use crate::fresh::is_allocator;
use crate::graph::{Holder, NodeId, Use};
use crate::library::{self, Argument, Effect};
use crate::object::{Allocation, Object};
use crate::offsets::Offsets;

impl<'p> Analyser<'p> {
    /// A call of a function by its name.
    pub fn direct_call(&mut self, call: Call, callee: FunctionId) {
        let callee = self.resolve_function(callee);
        if let Some(site) = call.site {
            let allocations = self.fresh.of_call(site, callee).to_vec();
            self.allocate(&call, callee, &allocations);
        }
        self.connect_call(&call, callee);
    }
    /// A call through a pointer.
    pub fn indirect_call(&mut self, call: Call, callee: Option<NodeId>) {
        if let Some(callee) = callee {
            let position = self.calls.len() as u32;
            self.calls.push(call);
            self.graph.add_use(callee, Use::Call(position));
        }
    }
    /// A function turned out to be what a pointer calls.
    pub fn resolve_call(&mut self, call: u32, callee: FunctionId) {
        if !self.connected.insert((call, callee)) {
            return;
        }
        let Some(call) = self.calls.get(call as usize).cloned() else { return };
        // Who calls through a pointer is not told apart.
        let mut allocations = self.fresh.of_function(callee).to_vec();
        if is_allocator(self.program, callee) {
            allocations.extend(call.site.map(|site| Allocation { sites: vec![site] }));
        }
        self.allocate(&call, callee, &allocations);
        self.connect_call(&call, callee);
    }
    /// A call leads out of the program.
    pub fn resolve_unknown_call(&mut self, call: u32) {
        if let Some(call) = self.calls.get(call as usize).cloned() {
            self.unknown_call(&call, None);
        }
    }
    /// The environment starts a function: `main` with the program's arguments, others with anything.
    pub fn enter(&mut self, entry: FunctionId) {
        let Some(function) = self.program.functions.get(entry) else { return };
        let value = if function.name == "main" { self.program_arguments() } else { self.graph.outside };
        let call = Call { site: None, args: self.arguments_from_outside(entry, value), numbers: Vec::new(), result: None };
        self.connect_call(&call, entry);
    }
    /// A pointer to the program's arguments.
    fn program_arguments(&mut self) -> NodeId {
        let (array, strings) = (self.graph.object(Object::Arguments), self.graph.object(Object::ArgumentStrings));
        let string = self.graph.address(strings, Offsets::ZERO);
        if let Some(written) = self.graph.writing(array, Offsets::class(0, self.pointer_bytes()), self.pointer_bytes()) {
            self.graph.edge(string, written);
        }
        self.graph.address(array, Offsets::ZERO)
    }
    /// Code outside of the program calls a function.
    pub fn external_call(&mut self, callee: FunctionId) {
        let args = self.arguments_from_outside(callee, self.graph.outside);
        let result = Some((Operand { base: Base::Variable(self.graph.known), offsets: Offsets::ZERO }, None));
        let call = Call { site: None, args, numbers: Vec::new(), result };
        let allocations = self.fresh.of_function(callee).to_vec();
        self.allocate(&call, callee, &allocations);
        self.connect_call(&call, callee);
    }

    /// What a function of the program may get from outside.
    fn arguments_from_outside(&self, callee: FunctionId, value: NodeId) -> Vec<Value> {
        let Some(function) = self.program.functions.get(callee) else { return Vec::new() };
        let locals = function.body.iter().flat_map(|body| body.locals.iter().take(body.params as usize));
        let argument = |ty| if self.may_come_from_outside(ty) { Value::Scalar(value) } else { Value::Nothing };
        let rest = matches!(self.program.types.get(function.ty), Type::Function { variadic: true, .. }).then_some(Value::Scalar(value));
        locals.map(|local| argument(local.ty)).chain(rest).collect()
    }
    /// Code outside hands out whole addresses: as pointers, in integers that have room for them, in records and arrays.
    fn may_come_from_outside(&self, ty: TypeId) -> bool {
        match self.program.types.get(ty) {
            Type::Bool | Type::Float(_) => false,
            Type::Int { bits, .. } => *bits >= self.program.types.target().pointer_bits(),
            _ => true,
        }
    }

    /// The result of a call is one of these new objects.
    fn allocate(&mut self, call: &Call, callee: FunctionId, allocations: &[Allocation]) {
        let function = self.program.functions.get(callee).filter(|function| function.body.is_none());
        let effects = function.and_then(library::effects).unwrap_or(&[]);
        for allocation in allocations {
            let id = self.graph.allocation(allocation.clone());
            let store = self.graph.object(Object::Heap(id));
            let address = self.graph.address(store, Offsets::ZERO);
            self.write_result(call, &Value::Scalar(address));
            for effect in effects {
                if let Effect::Duplicates(position) = effect
                    && let Some(Value::Scalar(original)) = call.args.get(*position)
                {
                    let from = Operand { base: Base::Pointer(*original), offsets: Offsets::ZERO };
                    self.copy(from, Operand { base: Base::Store(store), offsets: Offsets::ZERO }, None);
                }
            }
        }
    }
    fn write_result(&mut self, call: &Call, value: &Value) {
        if let Some((to, size)) = call.result {
            self.write(to, size, value);
        }
    }

    fn connect_call(&mut self, call: &Call, callee: FunctionId) {
        if let Some(site) = call.site {
            self.callees.entry(site).or_default().push(callee);
        }
        let Some(function) = self.program.functions.get(callee) else { return };
        match (&function.body, library::effects(function)) {
            (Some(_), _) => self.pass_values(call, callee, function),
            (None, Some(effects)) => effects.iter().for_each(|effect| self.library_effect(call, *effect)),
            (None, None) => self.unknown_call(call, Some(function)),
        }
    }
    fn pass_values(&mut self, call: &Call, callee: FunctionId, function: &'p Function) {
        let Some(body) = &function.body else { return };
        let params = body.params as usize;
        for (position, (value, local)) in call.args.iter().zip(body.locals.iter().take(params)).enumerate() {
            let base = self.variable(callee, LocalId::new(position as u32));
            let size = self.program.types.size_of(local.ty);
            let to = Operand { base, offsets: Offsets::ZERO };
            match value {
                // The environment fills records with anything.
                Value::Scalar(node) if !self.program.types.is_scalar(local.ty) => self.scatter(to, size, *node),
                value => self.write(to, size, value),
            }
        }
        for value in call.args.iter().skip(params) {
            let store = self.graph.object(Object::Variadic(callee));
            let offsets = if matches!(value, Value::Aggregate(..)) { Offsets::ANY } else { Offsets::ZERO };
            self.write(Operand { base: Base::Store(store), offsets }, Some(self.pointer_bytes()), value);
        }
        let Some((to, size)) = call.result else { return };
        let store = self.graph.store(Holder::Result(callee));
        let result = self.result(callee);
        self.write(to, size, &Value::Scalar(result));
        match to.base {
            // Outside code gets all that is in a record.
            Base::Variable(node) => {
                if let Some(content) = self.graph.reading(store, Offsets::ANY, 1) {
                    self.graph.edge(content, node);
                }
            }
            _ => self.copy(Operand { base: Base::Store(store), offsets: Offsets::ZERO }, to, size),
        }
    }

    /// A function without body of which nothing is known: it gets its arguments and all objects that the linker lets it see, keeps and
    /// writes what it likes, and returns any of it.
    fn unknown_call(&mut self, call: &Call, function: Option<&Function>) {
        let returns = function.and_then(|function| match self.program.types.get(function.ty) {
            Type::Function { ret, .. } => Some(*ret),
            _ => None,
        });
        if !std::mem::replace(&mut self.has_unknown_calls, true) {
            for (id, global) in self.program.globals.enumerate() {
                if global.linkage != Linkage::Internal && global.alias.is_none() {
                    let store = self.graph.object(Object::Global(id));
                    self.graph.point(self.graph.known, store, Offsets::ANY);
                }
            }
        }
        for value in &call.args {
            self.give_away(value);
        }
        if returns.is_none_or(|ty| self.may_come_from_outside(ty)) {
            self.return_external(call);
        }
    }
    fn give_away(&mut self, value: &Value) {
        let known = self.graph.known;
        match value {
            Value::Nothing => {}
            Value::Scalar(node) => self.graph.edge(*node, known),
            Value::Aggregate(from, size) => {
                for from in from {
                    let bytes = size.map_or(Offsets::ANY, |size| Offsets::run(0, 1, size));
                    if let Some(content) = self.load(Operand { base: from.base, offsets: from.offsets.plus(bytes) }, 1) {
                        self.graph.edge(content, known);
                    }
                }
            }
        }
    }
    fn return_external(&mut self, call: &Call) {
        if let Some((to, size)) = call.result {
            let outside = self.graph.outside;
            match to.base {
                Base::Variable(_) => self.store(to, 1, outside),
                _ => self.scatter(to, size, outside),
            }
        }
    }

    fn return_moved(&mut self, call: &Call, value: Option<NodeId>, by: Offsets) {
        if let Some(value) = value {
            let value = self.graph.shifted(value, by);
            self.write_result(call, &Value::Scalar(value));
        }
    }
    fn library_effect(&mut self, call: &Call, effect: Effect) {
        let argument = |position: usize| match call.args.get(position) {
            Some(Value::Scalar(node)) => Some(*node),
            _ => None,
        };
        let elements = |size: usize| Offsets::class(0, call.numbers.get(size).copied().flatten().unwrap_or(1));
        let behind = |node: Option<NodeId>, offsets| Operand { base: node.map_or(Base::Nowhere, Base::Pointer), offsets };
        match effect {
            Effect::Returns(position) => self.return_moved(call, argument(position), Offsets::ZERO),
            Effect::ReturnsInto(position) => self.return_moved(call, argument(position), Offsets::ANY),
            Effect::ReturnsElement(position, size) => self.return_moved(call, argument(position), elements(size)),
            Effect::ReturnsExternal => self.return_external(call),
            Effect::Copies { to, from, len } => {
                let len = len.and_then(|len| call.numbers.get(len).copied().flatten());
                self.copy(behind(argument(from), Offsets::ZERO), behind(argument(to), Offsets::ZERO), len);
            }
            Effect::Appends { to, from } => self.copy(behind(argument(from), Offsets::ZERO), behind(argument(to), Offsets::ANY), None),
            Effect::Mixes(position, size) => {
                let array = behind(argument(position), elements(size));
                self.copy(array, array, call.numbers.get(size).copied().flatten());
            }
            Effect::StoresInto { at, from } => {
                if let Some(value) = argument(from) {
                    let value = self.graph.shifted(value, Offsets::ANY);
                    self.store(behind(argument(at), Offsets::ZERO), self.pointer_bytes(), value);
                }
            }
            Effect::StoresExternal(at) => {
                let outside = self.graph.outside;
                self.store(behind(argument(at), Offsets::ZERO), self.pointer_bytes(), outside);
            }
            Effect::Escapes(position) => {
                if let Some(value) = call.args.get(position) {
                    self.give_away(value);
                }
            }
            Effect::Calls(position, params) => {
                let args = params.iter().map(|param| match *param {
                    Argument::Same(position) => argument(position).map_or(Value::Nothing, Value::Scalar),
                    Argument::Element(position, size) => match argument(position) {
                        Some(value) => Value::Scalar(self.graph.shifted(value, elements(size))),
                        None => Value::Nothing,
                    },
                    Argument::External => Value::Scalar(self.graph.outside),
                });
                let args = args.collect();
                // The callback is called from where the library function is; what it returns stays in the library.
                let result = Some((Operand { base: Base::Variable(self.graph.known), offsets: Offsets::ZERO }, None));
                let call = Call { site: call.site, args, numbers: Vec::new(), result };
                self.indirect_call(call, argument(position));
            }
            // Allocations are known from the call; what has no pointers in it does not matter here.
            Effect::Allocates
            | Effect::Duplicates(_)
            | Effect::Fills(..)
            | Effect::Clears(_)
            | Effect::Finds(_)
            | Effect::Writes(_)
            | Effect::WritesRest(_) => {}
        }
    }
}

/// The functions that the environment calls: `main`, or all that others can see if there is none; constructors and destructors.
pub(crate) fn entries(program: &Program) -> Vec<FunctionId> {
    let has_main = program.functions.iter().any(|function| function.name == "main" && function.body.is_some());
    let is_entry = |function: &Function| {
        let starts = if has_main { function.name == "main" } else { function.linkage != Linkage::Internal };
        function.body.is_some() && (starts || function.attributes.constructor.is_some() || function.attributes.destructor.is_some())
    };
    program.functions.enumerate().filter(|(_, function)| is_entry(function)).map(|(id, _)| id).collect()
}

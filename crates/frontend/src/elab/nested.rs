//! Functions inside functions (GNU).
//!
//! Each becomes a function of its own, `outer.inner`, with a hidden first parameter: the address of the enclosing function's frame.
//!
//! A pointer to an inner function has to know the frame. It is a pointer to a small function, the *closure*, that finds the frame in a
//! static object, set where the pointer is made. That is right for one activation at a time: a second one that makes such a pointer while
//! the first has not returned is a gap, and so is a call after the first has returned.

use model::{
    Attributes, BinaryOp, Callee, Command, CommandKind, ExprId, ExprKind, Function, FunctionId, Global, GlobalId, Init, Linkage, PlaceKind,
    Span, Terminator, Type,
};

use super::builder::Builder;
use super::ctype::{Qual, Signature, Ty};
use super::outward::Outward;
use super::scope::Entity;
use super::value::Rvalue;
use super::{Elaborated, Elaborator};
use crate::ast::{FunctionDefinition, Range};
use crate::intern::Symbol;

/// What is known of a function inside a function.
#[derive(Debug)]
pub struct Nested {
    ty: Qual,
    /// The level of the function whose frame it takes.
    owner: u32,
    range: Range,
    state: State,
    /// Whether it uses the frame; known when it is complete.
    uses_frame: bool,
    /// The labels of enclosing functions that it can name.
    visible: Vec<Outward>,
    /// Those that it may jump to, by itself or by calling others; known when it is complete.
    jumps: Vec<Outward>,
    closure: Option<Closure>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Declared,
    /// Its body is being elaborated.
    Open,
    Complete,
}

/// What pointers to an inner function lead to.
#[derive(Clone, Copy, Debug)]
struct Closure {
    function: FunctionId,
    /// The static object that holds the frame; none if the function needs no frame.
    holder: Option<GlobalId>,
}

impl Nested {
    /// The labels of enclosing functions where a call of it may lead.
    pub fn exits(&self) -> &[Outward] {
        if self.state == State::Complete { &self.jumps } else { &self.visible }
    }

    /// It may jump there.
    pub fn add_jump(&mut self, to: Outward) {
        if !self.jumps.contains(&to) {
            self.jumps.push(to);
        }
    }

    /// Whether it can name a label.
    pub fn sees(&self, label: Outward) -> bool {
        self.visible.contains(&label)
    }
}

impl<'a> Elaborator<'a> {
    /// `auto int f(int);` in a block: a function that is defined further down in it.
    pub fn declare_nested(&mut self, name: Symbol, ty: Qual, range: Range) -> Elaborated<FunctionId> {
        match self.unit.names.get_here(name) {
            Some((Entity::Nested(function), _)) if self.unit.types.compatible(self.nested_type(function).ty, ty.ty) => return Ok(function),
            Some((_, first)) => return self.declared_twice(name, range, first),
            None => {}
        }
        let full_name = format!("{}.{}", self.current_function_name(), self.name(name));
        let owner = self.level();
        let function = self.add_internal_function(full_name, ty.ty, range);
        let (visible, state) = (self.visible_labels(), State::Declared);
        let nested = Nested { ty, owner, range, state, uses_frame: true, visible, jumps: Vec::new(), closure: None };
        self.unit.nested.insert(function, nested);
        self.add_hidden_type(function, ty.ty);
        self.unit.builder.inner.push(function);
        self.unit.names.bind(name, Entity::Nested(function), range);
        Ok(function)
    }

    /// A function definition inside a function.
    pub fn nested_definition(&mut self, definition: &'a FunctionDefinition) -> Elaborated<()> {
        // Behind something that is not modelled names may be missing; nobody will call this function.
        if self.unit.builder.unsupported.is_some() {
            return Ok(());
        }
        let range = definition.declarator.range;
        let Some(name) = definition.declarator.name else { return self.error(range, "this function has no name", "") };
        let base = self.specified_type(&definition.specifiers, false)?;
        let ty = self.defined_type(base, definition)?;
        let function = self.declare_nested(name, ty, range)?;
        let Some(nested) = self.unit.nested.get_mut(&function) else { return Ok(()) };
        let first = nested.range;
        if nested.state != State::Declared {
            let text = self.name(name).to_string();
            let result = self.error(range, format!("`{text}` is defined twice"), "second definition");
            self.relate(first, "first definition");
            return result;
        }
        (nested.ty, nested.state) = (ty, State::Open);
        self.add_hidden_type(function, ty.ty);
        self.unit.program.functions[function].span = self.session.map.span(range);
        self.define(function, name, ty, definition)?;
        let frame = PlaceKind::Local(model::LocalId::new(0));
        let body = self.unit.program.functions[function].body.as_ref();
        let uses_frame = body.is_none_or(|body| body.places.iter().any(|place| place.kind == frame));
        if let Some(nested) = self.unit.nested.get_mut(&function) {
            (nested.uses_frame, nested.state) = (uses_frame, State::Complete);
        }
        Ok(())
    }

    /// The name of the function that we are in, as the model has it.
    pub fn current_function_name(&self) -> &str {
        self.unit.builder.function.map_or("", |function| &self.unit.program.functions[function].name)
    }

    /// The type of an inner function as the source has it.
    pub fn nested_type(&self, function: FunctionId) -> Qual {
        self.unit.nested.get(&function).map_or(Ty::VOID.into(), |nested| nested.ty)
    }

    fn add_internal_function(&mut self, name: String, ty: Ty, range: Range) -> FunctionId {
        let (ty, span) = (self.lower(ty), self.span(range));
        let (linkage, attributes) = (Linkage::Internal, Attributes::default());
        self.unit.program.functions.push(Function { name, link_name: None, ty, linkage, attributes, body: None, span })
    }

    /// The model's type of an inner function begins with the frame.
    fn add_hidden_type(&mut self, function: FunctionId, ty: Ty) {
        let frame = self.frame_pointer_type(self.level());
        let lowered = self.lower(ty);
        if let Type::Function { ret, params, variadic } = self.unit.program.types.get(lowered).clone() {
            let params = [frame].into_iter().chain(params).collect();
            self.unit.program.functions[function].ty = self.unit.program.types.intern(Type::Function { ret, params, variadic });
        }
    }

    /// The parameter for the frame of the enclosing function, if there is one.
    pub fn add_hidden_parameter(&mut self, range: Range) {
        if let Some(owner) = self.level().checked_sub(1).filter(|owner| *owner > 0) {
            let (ty, span) = (self.frame_pointer_type(owner), self.span(range));
            self.unit.builder.outer_frame = self.unit.builder.local(String::new(), ty, false, span);
        }
    }

    /// What a direct call of an inner function passes before all arguments.
    pub fn hidden_argument(&mut self, function: FunctionId, span: Span) -> Option<ExprId> {
        let owner = self.unit.nested.get(&function)?.owner;
        Some(self.frame_pointer(owner, span))
    }

    /// A pointer to a function.
    pub fn function_pointer(&mut self, function: FunctionId, ty: Qual, range: Range) -> Elaborated<Rvalue> {
        let span = self.span(range);
        let target = match self.unit.nested.contains_key(&function) {
            true => self.closure(function, range)?,
            false => function,
        };
        let ty = self.unit.types.pointer(ty);
        let lowered = self.lower(ty);
        Ok(Rvalue { expr: self.make(ExprKind::Function(target), lowered, span), ty, range })
    }

    /// What a pointer to an inner function leads to; from now on it finds the frame of this activation.
    fn closure(&mut self, function: FunctionId, range: Range) -> Elaborated<FunctionId> {
        if self.unit.builder.in_static_initializer {
            return self.error(range, "the address of a nested function is not a constant", "");
        }
        let Some(Nested { owner, closure, uses_frame, ty, .. }) = self.unit.nested.get(&function) else { return Ok(function) };
        let (owner, closure, uses_frame, ty) = (*owner, *closure, *uses_frame, *ty);
        let closure = match closure {
            Some(closure) => closure,
            None => {
                let name = self.unit.program.functions[function].name.clone();
                let holder = uses_frame.then(|| self.add_holder(format!("{name}.frame"), owner, range));
                let closure = Closure { function: self.add_internal_function(format!("{name}.closure"), ty.ty, range), holder };
                if let Some(nested) = self.unit.nested.get_mut(&function) {
                    nested.closure = Some(closure);
                }
                closure
            }
        };
        if let Some(holder) = closure.holder {
            self.hold_frame(function, holder, owner, range);
        }
        Ok(closure.function)
    }

    fn add_holder(&mut self, name: String, owner: u32, range: Range) -> GlobalId {
        let (ty, span) = (self.frame_pointer_type(owner), self.span(range));
        self.unit.program.globals.push(Global {
            name,
            link_name: None,
            ty,
            linkage: Linkage::Internal,
            init: Some(Init::default()),
            constant: false,
            thread_local: false,
            alias: None,
            span,
        })
    }

    /// Leaves the frame where the closure finds it, unless that of another activation is there.
    fn hold_frame(&mut self, function: FunctionId, holder: GlobalId, owner: u32, range: Range) {
        let span = self.span(range);
        let ty = self.frame_pointer_type(owner);
        let bool_ty = self.unit.program.types.bool();
        let frame = self.frame_pointer(owner, span);
        let held = self.load_holder(holder, span);
        let null = self.make(ExprKind::Int(0), ty, span);
        let is_free = self.make(ExprKind::Binary(BinaryOp::Eq, held, null), bool_ty, span);
        let is_own = self.make(ExprKind::Binary(BinaryOp::Eq, held, frame), bool_ty, span);
        let is_right = self.make(ExprKind::Binary(BinaryOp::Or, is_free, is_own), bool_ty, span);
        let name = &self.unit.program.functions[function].name;
        self.refuse_unless(is_right, format!("a pointer to `{name}` while one of another activation is in use is not supported"), span);
        let dst = self.unit.builder.place(PlaceKind::Global(holder), ty, false, span);
        self.emit(CommandKind::Assign { dst, src: frame }, span);
    }

    fn load_holder(&mut self, holder: GlobalId, span: Span) -> ExprId {
        let ty = self.unit.program.globals[holder].ty;
        let place = self.unit.builder.place(PlaceKind::Global(holder), ty, false, span);
        self.make(ExprKind::Load(place), ty, span)
    }

    /// Runs in which a `Bool` does not hold come to a gap.
    pub fn refuse_unless(&mut self, condition: ExprId, what: String, span: Span) {
        let (gap, next) = (self.block(), self.block());
        self.unit.builder.terminate(Terminator::Branch(condition, next, gap), span, gap);
        self.emit(CommandKind::Unsupported(what), span);
        self.unit.builder.goto(next, span, next);
    }

    /// The end of a function that may have inner ones: these are complete now, and so is what they use of it.
    pub fn close_frame(&mut self) {
        let mut holders = Vec::new();
        for function in std::mem::take(&mut self.unit.builder.inner) {
            let Some(nested) = self.unit.nested.get(&function) else { continue };
            let (state, range, closure) = (nested.state, nested.range, nested.closure);
            if state == State::Declared {
                let _ = self.error::<()>(range, "this function is declared `auto`, but not defined", "");
            }
            if let Some(closure) = closure {
                self.define_closure(function, closure, range);
                holders.extend(closure.holder);
            }
        }
        self.release_frame(&holders);
        self.fill_frame();
    }

    /// With the activation, its pointers to inner functions end.
    fn release_frame(&mut self, holders: &[GlobalId]) {
        let returns = |(id, block): (_, &model::Block)| matches!(block.terminator, Terminator::Return(_)).then_some((id, block.span));
        let returns: Vec<_> = self.unit.builder.body.blocks.enumerate().filter_map(returns).collect();
        for &holder in holders {
            let ty = self.unit.program.globals[holder].ty;
            let bool_ty = self.unit.program.types.bool();
            for &(block, span) in &returns {
                let frame = self.frame_pointer(self.level(), span);
                let held = self.load_holder(holder, span);
                let null = self.make(ExprKind::Int(0), ty, span);
                let is_own = self.make(ExprKind::Binary(BinaryOp::Eq, held, frame), bool_ty, span);
                let src = self.make(ExprKind::Select(is_own, null, held), ty, span);
                let dst = self.unit.builder.place(PlaceKind::Global(holder), ty, false, span);
                self.unit.builder.body.blocks[block].commands.push(Command { kind: CommandKind::Assign { dst, src }, span });
            }
        }
    }

    /// The body of a closure: calls the inner function with the frame.
    fn define_closure(&mut self, function: FunctionId, closure: Closure, range: Range) {
        let ty = self.nested_type(function);
        let Some(signature) = self.unit.types.signature(ty.ty).cloned() else { return };
        self.unit.program.functions[closure.function].ty = self.lower(ty.ty);
        let name = self.unit.program.functions[closure.function].name.clone();
        self.suspend(Builder::new(Some(closure.function), name, signature.ret));
        self.closure_body(function, closure, &signature, range);
        let builder = self.resume();
        self.finish_function(closure.function, builder);
    }

    fn closure_body(&mut self, function: FunctionId, closure: Closure, signature: &Signature, range: Range) {
        let span = self.span(range);
        self.unit.builder.body.end = span;
        let mut params = Vec::new();
        for param in &signature.params {
            let lowered = self.lower(param.ty);
            params.push(self.unit.builder.local(String::new(), lowered, false, span));
        }
        self.unit.builder.body.params = params.len() as u32;
        let frame_ty = self.frame_pointer_type(self.level() - 1);
        let null = self.make(ExprKind::Int(0), frame_ty, span);
        let frame = match closure.holder {
            Some(holder) => self.load_holder(holder, span),
            None => null,
        };
        let outer_frame = self.temporary(frame_ty, span);
        self.unit.builder.outer_frame = outer_frame;
        let dst = self.local_place(outer_frame, span);
        self.emit(CommandKind::Assign { dst, src: frame }, span);
        let frame = self.load_local(outer_frame, span);
        let name = self.unit.program.functions[function].name.clone();
        if closure.holder.is_some() {
            let bool_ty = self.unit.program.types.bool();
            let is_held = self.make(ExprKind::Binary(BinaryOp::Ne, frame, null), bool_ty, span);
            self.refuse_unless(is_held, format!("a call of `{name}` after its function has returned is not supported"), span);
        }
        if signature.variadic {
            self.emit(
                CommandKind::Unsupported(format!("a pointer to `{name}`, which takes any number of arguments, is not supported")),
                span,
            );
        }
        let mut args = vec![frame];
        args.extend(params.into_iter().map(|param| self.load_local(param, span)).collect::<Vec<_>>());
        let ret = self.lower(signature.ret.ty);
        let result = (signature.ret.ty != Ty::VOID).then(|| self.unit.builder.local(String::new(), ret, false, span));
        let dst = result.map(|result| self.local_place(result, span));
        self.emit(CommandKind::Call { dst, callee: Callee::Direct(function), args }, span);
        self.refuse_jumps(function, span);
        let value = result.map(|result| self.load_local(result, span));
        let next = self.block();
        self.unit.builder.terminate(Terminator::Return(value), span, next);
    }
}

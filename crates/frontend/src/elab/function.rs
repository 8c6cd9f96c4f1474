//! Function definitions.

use model::{Body, CommandKind, ExprKind as Model, Terminator};

use super::builder::{Builder, tidy};
use super::ctype::{CType, Qual, Signature, Ty};
use super::scope::{Definition, Entry};
use super::{Elaborated, Elaborator};
use crate::ast::{DeclId, DeclaratorPart, FunctionDefinition, Parameters, Range, StmtKind, TypeSpecifier};
use crate::intern::Symbol;

/// A parameter of a definition: its name, its declared type, and the type in which it is passed.
struct Parameter {
    name: Option<Symbol>,
    ty: Qual,
    passed: Ty,
    range: Range,
}

impl<'a> Elaborator<'a> {
    pub fn function_definition(&mut self, definition: &'a FunctionDefinition) -> Elaborated<()> {
        let declarator = &definition.declarator;
        let range = declarator.range;
        let (Some(name), Some(DeclaratorPart::Function(parameters))) = (declarator.name, declarator.parts.first()) else {
            return self.error(range, "this is no definition of a function", "");
        };
        let mut base = self.specified_type(&definition.specifiers, false)?;
        if matches!(definition.specifiers.ty, TypeSpecifier::Missing) && self.was_declared_void(name) {
            base = Ty::VOID.into();
        }
        let mut ty = self.defined_type(base, definition)?;
        let old_style = matches!(parameters, Parameters::Identifiers(_));
        let index = self.declare_linked(name, ty, &definition.specifiers, declarator)?;
        if self.unit.linked[index as usize].state == Definition::Defined {
            // A GNU `extern inline` definition may be followed by the real one.
            let first = self.unit.linked[index as usize].range;
            if !self.unit.linked[index as usize].attributes.gnu_inline && !self.session.options.gnu_inline {
                let text = self.name(name).to_string();
                let result = self.error(range, format!("`{text}` is defined twice"), "second definition");
                self.relate(first, "first definition");
                return result;
            }
        }
        self.unit.linked[index as usize].state = Definition::Defined;
        // The definition's own parameters are what its body has, even where an earlier prototype says it in other words.
        if old_style && let Some(known) = self.unit.types.signature(self.unit.linked[index as usize].ty.ty).filter(|s| s.prototype).cloned()
        {
            if let Parameters::Identifiers(names) = parameters
                && known.params.len() != names.len()
            {
                return self.error(range, "this definition has another number of parameters than the prototype", "");
            }
            // Called through the prototype; the K&R list only names the parameters.
            ty = self.unit.types.intern(CType::Function(known)).into();
        }
        self.unit.linked[index as usize].ty = ty;
        self.retype_entry(index);
        let Entry::Function(function) = self.linked_entry(index) else {
            return self.error(range, "this was declared as an object", "");
        };
        self.refresh_entry(index);
        self.unit.program.functions[function].span = self.session.map.span(range);
        self.define(function, name, ty, definition)
    }

    /// The type of the function that a definition defines.
    pub fn defined_type(&mut self, base: Qual, definition: &FunctionDefinition) -> Elaborated<Qual> {
        let ty = self.declared_type(base, &definition.declarator, false)?;
        match definition.declarator.parts.first() {
            Some(DeclaratorPart::Function(Parameters::Identifiers(names))) => self.old_style_type(ty, names, definition),
            _ => Ok(ty),
        }
    }

    /// Elaborates the body of a function whose type is known.
    pub fn define(&mut self, function: model::FunctionId, name: Symbol, ty: Qual, definition: &'a FunctionDefinition) -> Elaborated<()> {
        let range = definition.declarator.range;
        let Some(DeclaratorPart::Function(parameters)) = definition.declarator.parts.first() else {
            return self.error(range, "this is no definition of a function", "");
        };
        let signature = match self.unit.types.signature(ty.ty) {
            Some(signature) => signature.clone(),
            None => return self.error(range, "this is no definition of a function", ""),
        };
        if signature.ret.ty != Ty::VOID && self.unit.types.size(signature.ret.ty).is_none() {
            return self.incomplete(range, signature.ret.ty);
        }
        let text = self.name(name).to_string();
        let mut builder = Builder::new(Some(function), text, signature.ret);
        builder.variadic = signature.variadic;
        self.suspend(builder);
        // Numbers of local variables begin anew.
        let level = self.level();
        self.unit.aligned.retain(|(kind, known, _), _| *kind != 1 || *known < level);
        self.unit.names.enter();
        self.unit.tags.enter();
        let result = self.function_body(definition, parameters, &signature);
        self.unit.tags.leave();
        self.unit.names.leave();
        let builder = self.resume();
        if builder.unsupported.is_none() {
            result?;
        }
        self.finish_function(function, builder);
        Ok(())
    }

    /// Whether an earlier declaration says that this function returns nothing: a definition without type does not make it `int`.
    fn was_declared_void(&self, name: Symbol) -> bool {
        let known = self.unit.linked_by_name.get(&name).map(|index| self.unit.linked[*index as usize].ty.ty);
        known.and_then(|ty| self.unit.types.signature(ty)).is_some_and(|signature| signature.ret.ty == Ty::VOID)
    }

    /// The type of a K&R definition: parameters are passed as promoted by default (C17 6.9.1p10).
    fn old_style_type(&mut self, ty: Qual, names: &[(Symbol, Range)], definition: &FunctionDefinition) -> Elaborated<Qual> {
        let Some(signature) = self.unit.types.signature(ty.ty).cloned() else { return Ok(ty) };
        let parameters = self.old_style_parameters(names, definition)?;
        let params = parameters.iter().map(|parameter| parameter.passed.into()).collect();
        // `f() {}` takes no arguments, whatever earlier calls passed.
        let signature = Signature { params, ..signature };
        Ok(self.unit.types.intern(CType::Function(signature)).into())
    }

    fn old_style_parameters(&mut self, names: &[(Symbol, Range)], definition: &FunctionDefinition) -> Elaborated<Vec<Parameter>> {
        let mut types: Vec<(Symbol, Qual)> = Vec::new();
        for declaration in &definition.old_style {
            let base = self.specified_type(&declaration.specifiers, false)?;
            for item in &declaration.declarators {
                let Some(name) = item.declarator.name else { continue };
                if !names.iter().any(|(known, _)| *known == name) {
                    let text = self.name(name).to_string();
                    return self.error(item.declarator.range, format!("`{text}` is not among the parameters"), "");
                }
                let ty = self.declared_type(base, &item.declarator, true)?;
                types.push((name, self.decayed(ty)));
            }
        }
        Ok(names
            .iter()
            .map(|(name, range)| {
                let ty = types.iter().find(|(known, _)| known == name).map_or(Ty::INT.into(), |(_, ty)| *ty);
                Parameter { name: Some(*name), ty, passed: self.promoted_argument(ty.ty), range: *range }
            })
            .collect())
    }

    fn decayed(&mut self, ty: Qual) -> Qual {
        if let Some((elem, _)) = self.unit.types.element(ty.ty) {
            return self.unit.types.pointer(elem.with(ty.q)).into();
        }
        if self.unit.types.is_function(ty.ty) {
            return self.unit.types.pointer(ty).into();
        }
        ty
    }

    fn promoted_argument(&self, ty: Ty) -> Ty {
        if ty == Ty::FLOAT { Ty::DOUBLE } else { self.promoted_type(ty) }
    }

    fn function_body(&mut self, definition: &'a FunctionDefinition, parameters: &Parameters, signature: &Signature) -> Elaborated<()> {
        self.add_hidden_parameter(definition.declarator.range);
        let hidden = self.unit.builder.body.locals.len();
        let number = |position: usize| model::LocalId::new((hidden + position) as u32);
        match parameters {
            Parameters::Prototype { forward, params, .. } => {
                // All parameters come first among the locals; lengths of later ones may use earlier ones.
                for (position, param) in params.iter().enumerate() {
                    let passed = signature.params.get(position).map_or(Ty::INT, |ty| ty.ty);
                    let declaration = &self.ast.decls[*param];
                    let declarator = declaration.declarators.first().map(|item| &item.declarator);
                    let name = declarator.and_then(|declarator| declarator.name);
                    let range = declarator.map_or(declaration.range, |declarator| declarator.range);
                    self.add_parameter(name, passed, range)?;
                }
                let names: Vec<Option<Symbol>> = params.iter().map(|param| self.parameter_name(*param)).collect();
                for param in forward {
                    let ty = self.parameter_type(*param, false)?;
                    if let Some(name) = self.parameter_name(*param)
                        && let Some(position) = names.iter().position(|known| *known == Some(name))
                    {
                        let range = self.ast.decls[*param].range;
                        self.bind_local(name, number(position), ty, range);
                    }
                }
                for (position, param) in params.iter().enumerate() {
                    let ty = self.parameter_type(*param, false)?;
                    let (local, range) = (number(position), self.ast.decls[*param].range);
                    match names[position] {
                        Some(name) if forward.iter().any(|forward| self.parameter_name(*forward) == Some(name)) => {
                            self.rebind_local(name, local, ty);
                        }
                        Some(name) => self.bind_parameter(name, local, ty, range)?,
                        None => {}
                    }
                }
            }
            Parameters::Identifiers(names) => {
                let mut list = self.old_style_parameters(names, definition)?;
                for (parameter, passed) in list.iter_mut().zip(&signature.params) {
                    parameter.passed = passed.ty;
                }
                for parameter in &list {
                    self.add_parameter(parameter.name, parameter.passed, parameter.range)?;
                }
                for (position, parameter) in list.iter().enumerate() {
                    self.bind_old_style(number(position), parameter)?;
                }
            }
        }
        self.unit.builder.body.params = (hidden + signature.params.len()) as u32;
        let StmtKind::Compound(items, close) = &self.ast.stmts[definition.body].kind else { return Ok(()) };
        for item in items {
            self.statement(*item);
        }
        let end = self.span(*close);
        self.unit.builder.body.end = end;
        self.run_cleanups_to(None);
        self.implicit_return(end);
        let resolved = self.resolve_jumps();
        self.close_frame();
        resolved
    }

    fn parameter_name(&self, param: DeclId) -> Option<Symbol> {
        self.ast.decls[param].declarators.first().and_then(|item| item.declarator.name)
    }

    fn add_parameter(&mut self, name: Option<Symbol>, passed: Ty, range: Range) -> Elaborated<()> {
        if self.unit.types.size(passed).is_none() {
            return self.incomplete(range, passed);
        }
        let span = self.span(range);
        let text = name.map(|name| self.name(name).to_string()).unwrap_or_default();
        let lowered = self.lower(passed);
        self.unit.builder.local(text, lowered, false, span);
        Ok(())
    }

    fn bind_parameter(&mut self, name: Symbol, local: model::LocalId, ty: Qual, range: Range) -> Elaborated<()> {
        if let Some((_, first)) = self.unit.names.get_here(name) {
            return self.declared_twice(name, range, first);
        }
        self.bind_local(name, local, ty, range);
        Ok(())
    }

    /// A K&R parameter of a narrow type arrives promoted and is converted on entry.
    fn bind_old_style(&mut self, local: model::LocalId, parameter: &Parameter) -> Elaborated<()> {
        let Some(name) = parameter.name else { return Ok(()) };
        if parameter.ty.ty == parameter.passed {
            return self.bind_parameter(name, local, parameter.ty, parameter.range);
        }
        let span = self.span(parameter.range);
        let lowered = self.lower(parameter.ty.ty);
        let text = self.name(name).to_string();
        let narrow = self.unit.builder.local(text, lowered, false, span);
        let passed = self.load_local(local, span);
        let value = super::value::Rvalue { expr: passed, ty: parameter.passed, range: parameter.range };
        let value = self.convert(value, parameter.ty.ty);
        let dst = self.local_place(narrow, span);
        self.emit(CommandKind::Assign { dst, src: value.expr }, span);
        self.bind_parameter(name, narrow, parameter.ty, parameter.range)
    }

    /// The end of the body: `main` returns 0 (C17 5.1.2.2.3), others return without a value.
    fn implicit_return(&mut self, end: model::Span) {
        let is_main = self.level() == 1 && self.unit.builder.name == "main" && self.unit.types.is_integer(self.unit.builder.ret.ty);
        let value = is_main.then(|| {
            let ret = self.unit.builder.ret.ty;
            let lowered = self.lower(ret);
            self.make(Model::Int(0), lowered, end)
        });
        let next = self.block();
        self.unit.builder.terminate(Terminator::Return(value), end, next);
    }

    fn holds_labels_of(&self, holder: model::GlobalId, function: model::FunctionId) -> bool {
        let Some(init) = &self.unit.program.globals[holder].init else { return false };
        init.relocations.iter().any(|relocation| {
            matches!(relocation.target, model::Address::Label(of, _) | model::Address::LabelDifference(of, ..) if of == function)
        })
    }

    pub fn finish_function(&mut self, function: model::FunctionId, builder: Builder) {
        // A function inside the one whose labels they hold is finished before it.
        let (holders, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.unit.label_holders).into_iter().partition(|holder| self.holds_labels_of(*holder, function));
        self.unit.label_holders = others;
        if let Some((range, what)) = builder.unsupported {
            let name = self.unit.program.functions[function].name.clone();
            let is_inline = self.unit.program.functions[function].linkage == model::Linkage::Inline;
            // An inline definition promises another one elsewhere. If it is the library's, calls simply go there.
            if is_inline && super::library::is_known(&name) {
                return;
            }
            // Headers are full of inline definitions that nobody calls; the gap is noticed where it matters.
            if !is_inline {
                self.warning(range, format!("{what} not supported: the body of `{name}` is not modelled"));
            }
            let span = self.span(range);
            self.unit.program.functions[function].body = Some(gap(builder.body, span, what));
            for holder in holders {
                if let Some(init) = &mut self.unit.program.globals[holder].init {
                    init.relocations.clear();
                }
            }
            return;
        }
        let (body, numbers) = tidy(builder.body);
        for holder in holders {
            let Some(init) = &mut self.unit.program.globals[holder].init else { continue };
            for relocation in &mut init.relocations {
                match &mut relocation.target {
                    model::Address::Label(f, block) if *f == function => *block = numbers[block.index()],
                    model::Address::LabelDifference(f, a, b) if *f == function => {
                        *a = numbers[a.index()];
                        *b = numbers[b.index()];
                    }
                    _ => {}
                }
            }
        }
        self.unit.program.functions[function].body = Some(body);
    }
}

/// A body that says only why there is none. Nothing may be concluded from a run that comes here.
fn gap(original: Body, span: model::Span, what: String) -> Body {
    let mut body = Body { params: original.params, end: original.end, ..Body::default() };
    body.locals = original.locals.iter().take(original.params as usize).cloned().collect();
    let commands = vec![model::Command { kind: CommandKind::Unsupported(format!("{what} not supported")), span }];
    body.blocks.push(model::Block { commands, terminator: Terminator::Unreachable, span });
    body
}

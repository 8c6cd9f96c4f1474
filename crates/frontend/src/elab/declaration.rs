//! Declarations: what names are introduced and what storage they get.

use model::{Body, CommandKind, ExprKind, Init, LocalId, PlaceKind};

use super::builder::Cleanup;
use super::constant::Constant;
use super::ctype::{Qual, Ty};
use super::scope::{Definition, Entity, Entry};
use super::specifier::with_align;
use super::value::{Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::{
    Declaration, Declarator, InitDeclarator, InitId, InitializerKind, Range, Specifiers, StaticAssert, Storage, TypeSpecifier,
};
use crate::intern::Symbol;

impl Elaborator<'_> {
    /// A declaration at file scope or in a block.
    pub fn declaration(&mut self, declaration: &Declaration) -> Elaborated<()> {
        if matches!(declaration.specifiers.ty, TypeSpecifier::Auto) {
            return self.deduced_declaration(declaration);
        }
        let base = self.specified_type(&declaration.specifiers, declaration.declarators.is_empty())?;
        let mut result = Ok(());
        for item in &declaration.declarators {
            // A failure in one declarator has been reported; the others are independent of it.
            if self.declarator_item(&declaration.specifiers, base, item).is_err() {
                result = Err(super::Failed);
            }
        }
        result
    }

    fn declarator_item(&mut self, specifiers: &Specifiers, base: Qual, item: &InitDeclarator) -> Elaborated<()> {
        let declarator = &item.declarator;
        let Some(name) = declarator.name else {
            return self.error(declarator.range, "a name is missing in this declaration", "expected a name");
        };
        let is_typedef = specifiers.storage == Some(Storage::Typedef);
        let ty = self.declared_type(base, declarator, false)?;
        let ty = self.apply_type_attributes(ty, &declarator.attributes)?;
        if is_typedef {
            return self.typedef(name, ty, specifiers, declarator);
        }
        self.declare(name, ty, specifiers, declarator, item.init)
    }

    fn typedef(&mut self, name: Symbol, ty: Qual, specifiers: &Specifiers, declarator: &Declarator) -> Elaborated<()> {
        let mut align = self.requested_align(&declarator.attributes, &specifiers.align)?;
        if !matches!(specifiers.ty, TypeSpecifier::Record(_)) {
            align = align.max(self.requested_align(&specifiers.attributes, &[])?);
        }
        let ty = with_align(ty, align);
        self.make_transparent(ty, specifiers, declarator);
        if let Some((known, first)) = self.unit.names.get_here(name) {
            // C11 lets a typedef be repeated.
            return match known {
                Entity::Typedef(known) if self.unit.types.compatible(known.ty, ty.ty) => Ok(()),
                _ => self.declared_twice(name, declarator.range, first),
            };
        }
        self.unit.names.bind(name, Entity::Typedef(ty), declarator.range);
        Ok(())
    }

    /// `transparent_union` may stand on the typedef instead of the union.
    fn make_transparent(&mut self, ty: Qual, specifiers: &Specifiers, declarator: &Declarator) {
        let asked = self.has_attribute(&declarator.attributes, "transparent_union")
            || self.has_attribute(&specifiers.attributes, "transparent_union");
        if let Some(record) = self.unit.types.as_record(ty.ty).filter(|_| asked) {
            self.unit.types.records[record.0 as usize].transparent = true;
        }
    }

    fn declare(
        &mut self,
        name: Symbol,
        ty: Qual,
        specifiers: &Specifiers,
        declarator: &Declarator,
        init: Option<InitId>,
    ) -> Elaborated<()> {
        let at_file_scope = self.unit.names.at_file_scope();
        let is_function = self.unit.types.is_function(ty.ty);
        if let (Some(init), true) = (init, is_function) {
            let range = self.ast.inits[init].range;
            return self.error(range, "a function cannot have an initialiser", "");
        }
        if ty.ty == Ty::VOID && specifiers.storage != Some(Storage::Extern) {
            let name = self.name(name).to_string();
            return self.error(declarator.range, format!("`{name}` cannot have type `void`"), "");
        }
        if specifiers.constexpr && self.constexpr_value(name, ty, init, declarator.range)? {
            return Ok(());
        }
        if is_function && !at_file_scope && specifiers.storage == Some(Storage::Auto) {
            self.declare_nested(name, ty, declarator.range)?;
        } else if at_file_scope || is_function || specifiers.storage == Some(Storage::Extern) {
            let index = self.declare_linked(name, ty, specifiers, declarator)?;
            if !is_function {
                self.declare_object(index, ty, specifiers, init, at_file_scope)?;
            }
        } else if specifiers.storage == Some(Storage::Static) {
            self.static_local(name, ty, specifiers, init, declarator.range)?;
        } else {
            self.automatic(name, ty, specifiers, declarator, init)?;
        }
        let asked = self.requested_align(&declarator.attributes, &specifiers.align)?;
        let asked = asked.max(self.requested_align(&specifiers.attributes, &[])?);
        if let (1.., Some(entity)) = (asked, self.unit.names.get(name)) {
            self.unit.aligned.insert(entity.key(), asked);
        }
        Ok(())
    }

    /// C23's `constexpr` scalars are named constants.
    fn constexpr_value(&mut self, name: Symbol, ty: Qual, init: Option<InitId>, range: Range) -> Elaborated<bool> {
        let Some(InitializerKind::Expr(expr)) = init.map(|init| &self.ast.inits[init].kind) else { return Ok(false) };
        if !self.unit.types.is_integer(ty.ty) {
            return Ok(false);
        }
        let value = self.constant_rvalue(*expr)?;
        let value = self.convert(value, ty.ty);
        match self.constant(value.expr) {
            Some(Constant::Int(pattern)) => {
                self.unit.names.bind(name, Entity::Constant(pattern, ty.ty), range);
                Ok(true)
            }
            _ => self.error(range, "the value of a `constexpr` object must be a constant", ""),
        }
    }

    /// An object with linkage: `extern int x;`, `int x;`, `int x = 1;`.
    fn declare_object(
        &mut self,
        index: u32,
        ty: Qual,
        specifiers: &Specifiers,
        init: Option<InitId>,
        at_file_scope: bool,
    ) -> Elaborated<()> {
        let is_extern = specifiers.storage == Some(Storage::Extern);
        let state = self.unit.linked[index as usize].state;
        let range = self.unit.linked[index as usize].range;
        let Some(init) = init else {
            if at_file_scope && !is_extern && state == Definition::Declared {
                self.unit.linked[index as usize].state = Definition::Tentative;
                self.refresh_entry(index);
            }
            return Ok(());
        };
        if state == Definition::Defined {
            let here = self.ast.inits[init].range;
            let result = self.error(here, "this object is defined twice", "second definition");
            self.relate(range, "first definition");
            return result;
        }
        self.unit.linked[index as usize].state = Definition::Defined;
        let (complete, leaves) = self.collect_initializer(self.unit.linked[index as usize].ty, init, true)?;
        let content = self.static_content(complete, &leaves)?;
        if self.unit.types.size(complete.ty).is_none() {
            return self.incomplete(range, complete.ty);
        }
        self.unit.linked[index as usize].ty = Qual { q: ty.q, ..complete };
        if let Entry::Global(global) = self.linked_entry(index) {
            self.unit.program.globals[global].init = Some(content);
            self.unit.program.globals[global].span = self.session.map.span(range);
        }
        self.retype_entry(index);
        self.refresh_entry(index);
        Ok(())
    }

    fn static_local(&mut self, name: Symbol, ty: Qual, specifiers: &Specifiers, init: Option<InitId>, range: Range) -> Elaborated<()> {
        if self.unit.types.is_variable(ty.ty) {
            return self.error(range, "a static array needs a constant length", "");
        }
        self.check_new(name, range)?;
        // The name is known inside its own initialiser: the object is made first and gets its content afterwards.
        let full_name = format!("{}.{}", self.current_function_name(), self.name(name));
        let (global, _) = self.static_object(&full_name, ty, None, range)?;
        let object = &mut self.unit.program.globals[global];
        object.name = full_name;
        object.thread_local = specifiers.thread_local;
        object.constant = false;
        self.unit.names.bind(name, Entity::Static(global, ty), range);
        let complete = match init {
            Some(init) => {
                let (complete, leaves) = self.collect_initializer(ty, init, true)?;
                let content = self.static_content(complete, &leaves)?;
                self.set_content(global, content);
                complete
            }
            None => ty,
        };
        let lowered = self.lower(complete.ty);
        let is_constant = self.unit.types.is_constant(complete);
        let object = &mut self.unit.program.globals[global];
        object.ty = lowered;
        object.constant = is_constant;
        self.unit.names.rebind(name, Entity::Static(global, complete));
        Ok(())
    }

    fn set_content(&mut self, global: model::GlobalId, content: Init) {
        let holds_labels =
            content.relocations.iter().any(|r| matches!(r.target, model::Address::Label(..) | model::Address::LabelDifference(..)));
        if holds_labels && !self.unit.label_holders.contains(&global) {
            self.unit.label_holders.push(global);
        }
        self.unit.program.globals[global].init = Some(content);
    }

    fn check_new(&mut self, name: Symbol, range: Range) -> Elaborated<()> {
        match self.unit.names.get_here(name) {
            Some((_, first)) => {
                let text = self.name(name).to_string();
                let result = self.error(range, format!("`{text}` is declared twice in this block"), "second declaration");
                self.relate(first, "first declaration");
                result
            }
            None => Ok(()),
        }
    }

    /// A variable of a block.
    fn automatic(
        &mut self,
        name: Symbol,
        ty: Qual,
        specifiers: &Specifiers,
        declarator: &Declarator,
        init: Option<InitId>,
    ) -> Elaborated<()> {
        let range = declarator.range;
        self.check_new(name, range)?;
        let span = self.span(range);
        if self.unit.types.is_variable(ty.ty) {
            let local = self.variable_array(name, ty, init, range)?;
            return self.register_cleanup(local, specifiers, declarator);
        }
        let text = self.name(name).to_string();
        let lowered = self.lower(ty.ty);
        let local = self.unit.builder.local(text, lowered, false, span);
        self.add_to_scope(local);
        self.bind_local(name, local, ty, range);
        let mut complete = ty;
        if let Some(init) = init {
            let (completed, leaves) = self.collect_initializer(ty, init, false)?;
            complete = completed;
            if complete != ty {
                self.retype_local(local, complete.ty);
                self.rebind_local(name, local, complete);
            }
            let lowered = self.lower(complete.ty);
            let place = self.unit.builder.place(PlaceKind::Local(local), lowered, complete.q.is_volatile, span);
            let object = Value { kind: ValueKind::Place(place), ty: complete, range };
            self.store_leaves(object, leaves, range)?;
        }
        if self.unit.types.size(complete.ty).is_none() {
            return self.incomplete(range, complete.ty);
        }
        self.register_cleanup(local, specifiers, declarator)
    }

    /// An array that its initialiser completed; places made inside that initialiser follow.
    fn retype_local(&mut self, local: LocalId, ty: Ty) {
        let lowered = self.lower(ty);
        let body = &mut self.unit.builder.body;
        body.locals[local].ty = lowered;
        for place in body.places.iter_mut().filter(|place| place.kind == PlaceKind::Local(local)) {
            place.ty = lowered;
        }
        let pointer = self.unit.program.types.pointer(lowered);
        let Body { exprs, places, .. } = body;
        for expr in exprs.iter_mut() {
            if let ExprKind::AddressOf(place) = expr.kind
                && places[place].kind == PlaceKind::Local(local)
            {
                expr.ty = pointer;
            }
        }
    }

    fn variable_array(&mut self, name: Symbol, ty: Qual, init: Option<InitId>, range: Range) -> Elaborated<LocalId> {
        if let Some(init) = init {
            let range = self.ast.inits[init].range;
            if !matches!(&self.ast.inits[init].kind, InitializerKind::List(items) if items.is_empty()) {
                return self.error(range, "a variable-length array cannot be initialised", "");
            }
        }
        let span = self.span(range);
        let text = self.name(name).to_string();
        let size = self.size_value(ty.ty, range)?;
        let lowered = self.variable_storage(ty.ty);
        let local = self.unit.builder.local(text, lowered, false, span);
        let scope = self.unit.builder.scope.0 as usize;
        self.unit.builder.scopes[scope].arrays.push(local);
        self.emit(CommandKind::LiveArray(local, size.expr), span);
        self.bind_local(name, local, ty, range);
        Ok(local)
    }

    /// The variable's lifetime is that of the current block. Those of the outermost block live as long as the call.
    pub fn add_to_scope(&mut self, local: LocalId) {
        let scope = self.unit.builder.scope.0 as usize;
        if scope > 0 {
            self.unit.builder.scopes[scope].locals.push(local);
        }
    }

    fn register_cleanup(&mut self, local: LocalId, specifiers: &Specifiers, declarator: &Declarator) -> Elaborated<()> {
        let mut attributes = specifiers.attributes.iter().chain(&declarator.attributes);
        let Some(attribute) = attributes.find(|attribute| self.name(attribute.name) == "cleanup") else { return Ok(()) };
        let Some(&function) = attribute.args.first() else { return Ok(()) };
        let ValueKind::Function(function) = self.expr(function)?.kind else {
            return self.error(attribute.range, "`cleanup` needs the name of a function", "");
        };
        let scope = self.unit.builder.scope;
        self.unit.builder.cleanups.push(Cleanup { scope, variable: local, function, range: declarator.range });
        Ok(())
    }

    /// `__auto_type x = e;` and C23's `auto x = e;`.
    fn deduced_declaration(&mut self, declaration: &Declaration) -> Elaborated<()> {
        let specifiers = &declaration.specifiers;
        for item in &declaration.declarators {
            let (Some(name), Some(init)) = (item.declarator.name, item.init) else {
                return self.error(item.declarator.range, "a type can be deduced only from an initialiser", "");
            };
            let InitializerKind::Expr(expr) = self.ast.inits[init].kind else {
                return self.error(item.declarator.range, "a type can be deduced only from an expression", "");
            };
            if self.unit.names.at_file_scope() || specifiers.storage == Some(Storage::Static) {
                let ty = self.constant_rvalue(expr)?.ty;
                let ty = Qual::new(ty, specifiers.qualifiers);
                self.declare(name, ty, specifiers, &item.declarator, item.init)?;
                continue;
            }
            self.check_new(name, item.declarator.range)?;
            let value = self.expr_value(expr)?;
            let ty = Qual::new(value.ty, specifiers.qualifiers);
            let span = self.span(item.declarator.range);
            let lowered = self.lower(ty.ty);
            let text = self.name(name).to_string();
            let local = self.unit.builder.local(text, lowered, false, span);
            self.add_to_scope(local);
            let dst = self.local_place(local, span);
            self.emit(CommandKind::Assign { dst, src: value.expr }, span);
            self.bind_local(name, local, ty, item.declarator.range);
            self.register_cleanup(local, specifiers, &item.declarator)?;
        }
        Ok(())
    }

    pub fn static_assert(&mut self, assert: &StaticAssert) -> Elaborated<()> {
        let (value, _) = self.integer_constant(assert.condition, "the condition of a static assertion")?;
        if value == 0 {
            let message = assert.message.as_ref().map(|m| String::from_utf8_lossy(m).into_owned());
            let text = message.map_or("static assertion failed".to_string(), |m| format!("static assertion failed: {m}"));
            let range = self.ast.exprs[assert.condition].range;
            return self.error(range, text, "is false");
        }
        Ok(())
    }
}

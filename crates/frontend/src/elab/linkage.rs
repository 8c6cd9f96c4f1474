//! Names with linkage: what all declarations of a function or object together say.

use model::{Attributes, Function, Global, Init, Linkage};

use super::ctype::{Len, Qual, Ty};
use super::scope::{Definition, Entity, Entry, Linked, LinkedAttributes};
use super::{Elaborated, Elaborator};
use crate::ast::{Attribute, Declarator, ExprKind, Range, Specifiers, Storage};
use crate::intern::Symbol;

impl Elaborator<'_> {
    /// Declares something with linkage and binds its name in the current scope; gives its index in the table.
    pub fn declare_linked(&mut self, name: Symbol, ty: Qual, specifiers: &Specifiers, declarator: &Declarator) -> Elaborated<u32> {
        let range = declarator.range;
        let index = match self.visible_linked(name) {
            Some(index) => {
                self.merge_linked(index, ty, specifiers, range)?;
                index
            }
            None => {
                let internal = specifiers.storage == Some(Storage::Static);
                let index = self.add_linked(name, ty, internal, range);
                self.unit.linked_by_name.insert(name, index);
                index
            }
        };
        self.collect_attributes(index, specifiers, declarator)?;
        if !matches!(self.unit.names.get_here(name), Some((Entity::Linked(_), _))) {
            if let Some((_, first)) = self.unit.names.get_here(name) {
                return self.declared_twice(name, range, first);
            }
            self.unit.names.bind(name, Entity::Linked(index), range);
        }
        Ok(index)
    }

    pub fn add_linked(&mut self, name: Symbol, ty: Qual, internal: bool, range: Range) -> u32 {
        let attributes = LinkedAttributes::default();
        self.unit.linked.push(Linked { name, ty, range, internal, state: Definition::Declared, entry: None, attributes });
        self.unit.linked.len() as u32 - 1
    }

    pub fn declared_twice<T>(&mut self, name: Symbol, range: Range, first: Range) -> Elaborated<T> {
        let name = self.name(name).to_string();
        let result = self.error(range, format!("`{name}` is declared twice, as different things"), "second declaration");
        self.relate(first, "first declaration");
        result
    }

    /// A linked declaration that this name refers to: a visible one, or one that an inner scope made.
    fn visible_linked(&self, name: Symbol) -> Option<u32> {
        match self.unit.names.get(name) {
            Some(Entity::Linked(index)) => Some(index),
            _ => self.unit.linked_by_name.get(&name).copied(),
        }
    }

    fn merge_linked(&mut self, index: u32, ty: Qual, specifiers: &Specifiers, range: Range) -> Elaborated<()> {
        let known = &self.unit.linked[index as usize];
        let (first, old, name, state) = (known.range, known.ty, known.name, known.state);
        let implicit = self.is_implicit(index);
        if !self.unit.types.compatible(old.ty, ty.ty) {
            // The real declaration of a function that was called before it was declared replaces the guess; compilers only warn.
            if implicit {
                self.unit.linked[index as usize].ty = ty;
                self.retype_entry(index);
                return Ok(());
            }
            let (name, old, new) = (self.name(name).to_string(), self.type_name(old.ty), self.type_name(ty.ty));
            let result = self.error(range, format!("`{name}` has type `{new}` here, but `{old}` elsewhere"), "");
            self.relate(first, format!("declared as `{old}`"));
            return result;
        }
        if specifiers.storage == Some(Storage::Static) && !known.internal {
            if implicit {
                self.unit.linked[index as usize].internal = true;
            } else {
                let name = self.name(name).to_string();
                let result = self.error(range, format!("`{name}` is `static` here, but was not before"), "");
                self.relate(first, "declared here");
                return result;
            }
        }
        // A definition has the parameters that it has; what is said of it later changes nothing.
        if state == Definition::Defined && self.unit.types.is_function(old.ty) {
            return Ok(());
        }
        let composite = Qual { ty: self.unit.types.composite(old.ty, ty.ty), ..ty };
        self.unit.linked[index as usize].ty = composite;
        self.retype_entry(index);
        Ok(())
    }

    /// Whether the only declaration so far is a call.
    fn is_implicit(&self, index: u32) -> bool {
        let linked = &self.unit.linked[index as usize];
        let unprototyped =
            self.unit.types.signature(linked.ty.ty).is_some_and(|s| !s.prototype && s.params.is_empty() && s.ret.ty == Ty::INT);
        linked.state == Definition::Declared && unprototyped
    }

    /// The model's entry follows the type.
    pub fn retype_entry(&mut self, index: u32) {
        let linked = &self.unit.linked[index as usize];
        let (ty, entry) = (linked.ty, linked.entry);
        let lowered = self.lower(ty.ty);
        match entry {
            Some(Entry::Function(function)) => self.unit.program.functions[function].ty = lowered,
            Some(Entry::Global(global)) => self.unit.program.globals[global].ty = lowered,
            None => {}
        }
    }

    fn collect_attributes(&mut self, index: u32, specifiers: &Specifiers, declarator: &Declarator) -> Elaborated<()> {
        let is_function = self.unit.types.is_function(self.unit.linked[index as usize].ty.ty);
        let mut attributes = self.unit.linked[index as usize].attributes.clone();
        attributes.noreturn |= specifiers.noreturn;
        attributes.thread_local |= specifiers.thread_local;
        attributes.inline |= specifiers.inline;
        if is_function {
            let is_extern = specifiers.storage == Some(Storage::Extern);
            attributes.external_inline |= !specifiers.inline || is_extern;
            attributes.extern_inline = specifiers.inline && is_extern;
        }
        if let Some(label) = &declarator.asm_label {
            attributes.link_name = Some(String::from_utf8_lossy(label).into_owned());
        }
        for attribute in specifiers.attributes.iter().chain(&declarator.attributes) {
            self.collect_attribute(&mut attributes, attribute)?;
        }
        let linked = &mut self.unit.linked[index as usize];
        linked.attributes = attributes;
        if linked.attributes.alias.is_some() {
            linked.state = Definition::Defined;
            self.linked_entry(index);
        }
        self.refresh_entry(index);
        Ok(())
    }

    fn collect_attribute(&mut self, attributes: &mut LinkedAttributes, attribute: &Attribute) -> Elaborated<()> {
        match self.session.names.name(attribute.name) {
            "noreturn" => attributes.noreturn = true,
            "weak" => attributes.weak = true,
            "gnu_inline" => attributes.gnu_inline = true,
            "constructor" => attributes.constructor = Some(self.priority(attribute)?),
            "destructor" => attributes.destructor = Some(self.priority(attribute)?),
            kind @ ("alias" | "weakref") => {
                let weak = kind == "weakref";
                if let Some(ExprKind::String(bytes, _)) = attribute.args.first().map(|arg| &self.ast.exprs[*arg].kind) {
                    attributes.alias = Some(String::from_utf8_lossy(bytes).into_owned());
                    attributes.weak |= weak;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn priority(&mut self, attribute: &Attribute) -> Elaborated<u16> {
        match attribute.args.first() {
            None => Ok(u16::MAX),
            Some(&arg) => Ok(u16::try_from(self.integer_constant(arg, "a priority")?.0).unwrap_or(u16::MAX)),
        }
    }

    /// The model's entry of a linked declaration, made on first use: declarations that nobody uses leave no trace.
    pub fn linked_entry(&mut self, index: u32) -> Entry {
        if let Some(entry) = self.unit.linked[index as usize].entry {
            return entry;
        }
        let linked = &self.unit.linked[index as usize];
        let (ty, range) = (linked.ty, linked.range);
        let name = self.name(linked.name).to_string();
        let span = self.span(range);
        let lowered = self.lower(ty.ty);
        let entry = if self.unit.types.is_function(ty.ty) {
            Entry::Function(self.unit.program.functions.push(Function {
                name,
                link_name: None,
                ty: lowered,
                linkage: Linkage::External,
                attributes: Attributes::default(),
                body: None,
                span,
            }))
        } else {
            Entry::Global(self.unit.program.globals.push(Global {
                name,
                link_name: None,
                ty: lowered,
                linkage: Linkage::External,
                init: None,
                constant: self.unit.types.is_constant(ty),
                thread_local: false,
                alias: None,
                span,
            }))
        };
        self.unit.linked[index as usize].entry = Some(entry);
        self.refresh_entry(index);
        entry
    }

    /// Copies what the declarations say into the model's entry.
    pub fn refresh_entry(&mut self, index: u32) {
        let linked = &self.unit.linked[index as usize];
        let Some(entry) = linked.entry else { return };
        let attributes = linked.attributes.clone();
        let linkage = self.linkage_of(linked);
        match entry {
            Entry::Function(function) => {
                let linkage = if linkage == Linkage::External && self.is_inline_definition(index) { Linkage::Inline } else { linkage };
                let function = &mut self.unit.program.functions[function];
                function.linkage = linkage;
                function.link_name = attributes.link_name;
                function.attributes = Attributes {
                    noreturn: attributes.noreturn,
                    constructor: attributes.constructor,
                    destructor: attributes.destructor,
                    alias: attributes.alias,
                };
            }
            Entry::Global(global) => {
                let tentative = linked.state == Definition::Tentative;
                let common = tentative && self.session.options.common && linkage == Linkage::External;
                let global = &mut self.unit.program.globals[global];
                global.linkage = if common { Linkage::Common } else { linkage };
                global.link_name = attributes.link_name;
                global.thread_local = attributes.thread_local;
                if attributes.alias.is_some() {
                    global.init.get_or_insert_default();
                }
                global.alias = attributes.alias;
            }
        }
    }

    /// C17 6.7.4p7: all declarations say `inline` and none `extern`. GNU's older rule: the definition says `extern inline`.
    fn is_inline_definition(&self, index: u32) -> bool {
        let linked = &self.unit.linked[index as usize];
        let attributes = &linked.attributes;
        if linked.state != Definition::Defined || !attributes.inline {
            return false;
        }
        let gnu = attributes.gnu_inline || self.session.options.gnu_inline;
        if gnu { attributes.extern_inline } else { !attributes.external_inline }
    }

    /// `#pragma weak` speaks of declarations before and after it.
    pub fn apply_weak_pragmas(&mut self) {
        for (name, alias) in std::mem::take(&mut self.session.weak) {
            let Some(&index) = self.unit.linked_by_name.get(&name) else { continue };
            let alias = alias.map(|alias| self.name(alias).to_string());
            let linked = &mut self.unit.linked[index as usize];
            linked.attributes.weak = true;
            if alias.is_some() {
                linked.attributes.alias = alias;
                linked.state = Definition::Defined;
                self.linked_entry(index);
            }
            self.refresh_entry(index);
        }
    }

    /// Tentative definitions that no other replaced define their object as zero (C17 6.9.2p2).
    pub fn define_tentative(&mut self) {
        for index in 0..self.unit.linked.len() as u32 {
            if self.unit.linked[index as usize].state != Definition::Tentative {
                continue;
            }
            let (ty, range) = (self.unit.linked[index as usize].ty, self.unit.linked[index as usize].range);
            let complete = match self.unit.types.element(ty.ty) {
                Some((elem, Len::Incomplete)) => Qual { ty: self.unit.types.array(elem, Len::Fixed(1)), ..ty },
                _ => ty,
            };
            if self.unit.types.size(complete.ty).is_none() {
                let _ = self.incomplete::<()>(range, complete.ty);
                continue;
            }
            self.unit.linked[index as usize].ty = complete;
            if let Entry::Global(global) = self.linked_entry(index) {
                self.unit.program.globals[global].init = Some(Init::default());
            }
            self.retype_entry(index);
            self.refresh_entry(index);
        }
    }

    /// A call of a function before its real type was known passes what was written there, as machine code does: it goes through a
    /// pointer of the type that the call saw. The same for results of another type than expected.
    pub fn repair_calls(&mut self) {
        let types: Vec<model::TypeId> = self.unit.program.functions.iter().map(|function| function.ty).collect();
        let program = &mut self.unit.program;
        for function in program.functions.iter_mut() {
            let Some(body) = &mut function.body else { continue };
            super::call::repair_body(body, &types, &mut program.types);
        }
    }
}

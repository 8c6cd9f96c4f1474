//! From declarators to types: "array of pointers to functions".

use super::constant::Constant;
use super::ctype::{CType, Len, Qual, Signature, Ty};
use super::{Elaborated, Elaborator};
use crate::ast::{ArrayPart, ArraySize, DeclId, Declarator, DeclaratorPart, ExprId, Parameters, Qualifiers, Range};

impl Elaborator<'_> {
    /// The type of what a declarator declares. In a prototype, array lengths that are no constants stay open.
    pub fn declared_type(&mut self, base: Qual, declarator: &Declarator, prototype: bool) -> Elaborated<Qual> {
        let mut ty = base;
        for (index, part) in declarator.parts.iter().enumerate().rev() {
            ty = match part {
                DeclaratorPart::Pointer(qualifiers) => Qual::new(self.unit.types.pointer(ty), *qualifiers),
                DeclaratorPart::Array(part) => {
                    // The outermost length of a parameter does not matter: it is a pointer.
                    let open = prototype;
                    self.array_of(ty, part, open, index)?
                }
                DeclaratorPart::Function(parameters) => self.function_returning(ty, parameters, declarator.range)?,
            };
        }
        Ok(ty)
    }

    fn array_of(&mut self, elem: Qual, part: &ArrayPart, open: bool, index: usize) -> Elaborated<Qual> {
        let types = &self.unit.types;
        if types.is_function(elem.ty) || elem.ty == Ty::VOID {
            return self.error(part.range, "an array cannot hold functions or `void`", "");
        }
        let complete = types.size(elem.ty).is_some() || types.is_variable(elem.ty);
        let len = match part.size {
            ArraySize::Unspecified => Len::Incomplete,
            ArraySize::Star => Len::Star,
            ArraySize::Expr(size) => self.array_length(size, open)?,
        };
        self.check_nesting(1 + self.unit.types.nesting(elem.ty), part.range)?;
        let may_be_incomplete = open && index == 0;
        if !complete && !may_be_incomplete {
            return self.incomplete(part.range, elem.ty);
        }
        if let (Len::Fixed(count), Some(size)) = (len, self.unit.types.size(elem.ty))
            && count.checked_mul(size).is_none_or(|bytes| bytes > i64::MAX as u64)
        {
            return self.error(part.range, "this array is larger than the address space", "");
        }
        Ok(self.unit.types.array(elem, len).into())
    }

    fn array_length(&mut self, size: ExprId, open: bool) -> Elaborated<Len> {
        let range = self.ast.exprs[size].range;
        let start = self.block();
        let current = std::mem::replace(&mut self.unit.builder.current, start);
        let value = self.expr_value(size);
        let end = std::mem::replace(&mut self.unit.builder.current, current);
        let value = value?;
        if !self.unit.types.is_integer(value.ty) {
            let name = self.type_name(value.ty);
            return self.error(range, "the length of an array must be an integer", format!("has type `{name}`"));
        }
        if !self.has_effects(size)
            && let Some(Constant::Int(pattern)) = self.constant(value.expr)
        {
            let lowered = self.lower(value.ty);
            let count = self.unit.program.types.value(lowered, pattern);
            return match u64::try_from(count) {
                Ok(count) => Ok(Len::Fixed(count)),
                Err(_) => self.error(range, "the length of an array cannot be negative", format!("is {count}")),
            };
        }
        if open {
            return Ok(Len::Star);
        }
        if self.unit.builder.function.is_none() {
            return self.error(range, "the length of an array at file scope must be a constant", "not a constant");
        }
        // The computation counts: control passes through it.
        self.unit.builder.goto(start, model::Span::NONE, end);
        let size_type = self.unit.types.size_type();
        let value = self.convert(value, size_type);
        let value = self.fix(value);
        Ok(Len::Variable(self.unit.builder.add_length(value.expr)))
    }

    fn function_returning(&mut self, ret: Qual, parameters: &Parameters, range: Range) -> Elaborated<Qual> {
        if self.unit.types.is_function(ret.ty) || self.unit.types.is_array(ret.ty) {
            return self.error(range, "a function cannot return an array or a function", "");
        }
        let signature = match parameters {
            Parameters::Prototype { forward, params, variadic } => {
                self.unit.names.enter();
                self.unit.tags.enter();
                let types = forward.iter().chain(params).map(|param| self.prototype_parameter(*param));
                let types = types.collect::<Elaborated<Vec<Qual>>>().map(|mut types| types.split_off(forward.len()));
                self.unit.names.leave();
                self.unit.tags.leave();
                Signature { ret: ret.ty.into(), params: types?, variadic: *variadic, prototype: true }
            }
            Parameters::Identifiers(names) => {
                let prototype = self.session.options.standard >= 2023 && names.is_empty();
                Signature { ret: ret.ty.into(), params: Vec::new(), variadic: false, prototype }
            }
        };
        Ok(self.unit.types.intern(CType::Function(signature)).into())
    }

    fn prototype_parameter(&mut self, param: DeclId) -> Elaborated<Qual> {
        let declaration = &self.ast.decls[param];
        let ty = self.parameter_type(param, true)?;
        if let Some(name) = declaration.declarators.first().and_then(|d| d.declarator.name) {
            // Later parameters may mention it in `sizeof` or array lengths.
            let span = self.span(declaration.range);
            let lowered = self.lower(ty.ty);
            let local = self.temporary(lowered, span);
            self.bind_local(name, local, ty, declaration.range);
        }
        Ok(Qual { q: Qualifiers::default(), ..ty })
    }

    /// The type of a parameter: arrays and functions have become pointers (C17 6.7.6.3p7).
    pub fn parameter_type(&mut self, param: DeclId, prototype: bool) -> Elaborated<Qual> {
        let declaration = &self.ast.decls[param];
        let base = self.specified_type(&declaration.specifiers, false)?;
        let Some(item) = declaration.declarators.first() else { return Ok(self.adjust_parameter(base, None)) };
        let qualifiers = match item.declarator.parts.first() {
            Some(DeclaratorPart::Array(part)) => Some(part.qualifiers),
            _ => None,
        };
        let ty = self.declared_type(base, &item.declarator, prototype)?;
        let ty = self.apply_type_attributes(ty, &item.declarator.attributes)?;
        if ty.ty == Ty::VOID {
            return self.error(item.declarator.range, "a parameter cannot have type `void`", "");
        }
        Ok(self.adjust_parameter(ty, qualifiers))
    }

    fn adjust_parameter(&mut self, ty: Qual, qualifiers: Option<Qualifiers>) -> Qual {
        if let Some((elem, _)) = self.unit.types.element(ty.ty) {
            let pointer = self.unit.types.pointer(elem.with(ty.q));
            return Qual::new(pointer, qualifiers.unwrap_or_default());
        }
        if self.unit.types.is_function(ty.ty) {
            return self.unit.types.pointer(ty).into();
        }
        ty
    }
}

//! Function calls.

use model::{Body, Callee, CommandKind, ExprKind as Model, Type, TypeId, Types};

use super::ctype::{CType, Qual, Signature, Ty};
use super::library::library_takes;
use super::scope::Entry;
use super::value::{Rvalue, Value, ValueKind};
use super::{Elaborated, Elaborator};
use crate::ast::{ExprId, ExprKind, Range};
use crate::intern::Symbol;

impl Elaborator<'_> {
    /// `f(args)`; `wanted` tells whether anybody takes the result.
    pub fn call(&mut self, callee: ExprId, args: &[ExprId], range: Range, wanted: bool) -> Elaborated<Value> {
        let target = match &self.ast.exprs[callee].kind {
            ExprKind::Ident(name) => {
                let callee_range = self.ast.exprs[callee].range;
                if let Some(result) = self.builtin_call(*name, args, range)? {
                    return Ok(result);
                }
                match self.unit.names.get(*name) {
                    Some(_) => self.expr(callee)?,
                    None => self.implicit_function(*name, args.len(), callee_range),
                }
            }
            _ => self.expr(callee)?,
        };
        self.call_value(target, args, range, wanted)
    }

    /// Calls what a value designates.
    pub fn call_value(&mut self, target: Value, args: &[ExprId], range: Range, wanted: bool) -> Elaborated<Value> {
        let (callee, ty) = match target.kind {
            ValueKind::Function(function) => (Callee::Direct(function), target.ty.ty),
            _ => {
                let pointer = self.rvalue(target)?;
                let to = self.unit.types.pointee(pointer.ty).filter(|to| self.unit.types.is_function(to.ty));
                let Some(to) = to else {
                    let name = self.type_name(pointer.ty);
                    return self.error(range, "only functions can be called", format!("has type `{name}`"));
                };
                let pointer = if args.iter().any(|arg| self.has_effects(*arg)) { self.fix(pointer) } else { pointer };
                (Callee::Indirect(pointer.expr), to.ty)
            }
        };
        let Some(signature) = self.unit.types.signature(ty).cloned() else { return self.error(range, "only functions can be called", "") };
        let mut args = self.arguments(args, &signature, range)?;
        let Callee::Direct(function) = callee else { return self.emit_call(callee, signature.ret, args, range, wanted) };
        let span = self.span(range);
        args.splice(0..0, self.hidden_argument(function, span));
        let result = self.emit_call(callee, signature.ret, args, range, wanted)?;
        self.follow_jumps(function, range);
        Ok(result)
    }

    /// Arguments from left to right, converted to the parameters' types or promoted by default.
    fn arguments(&mut self, args: &[ExprId], signature: &Signature, range: Range) -> Elaborated<Vec<model::ExprId>> {
        let expected = signature.params.len();
        if signature.prototype && (args.len() < expected || (args.len() > expected && !signature.variadic)) {
            let at_least = if signature.variadic { "at least " } else { "" };
            let plural = if expected == 1 { "" } else { "s" };
            return self.error(
                range,
                format!("this function takes {at_least}{expected} argument{plural}, but {} given", given(args.len())),
                "",
            );
        }
        // Whether an argument further right can change what this one reads.
        let mut later: Vec<bool> = Vec::with_capacity(args.len());
        let mut any = false;
        for arg in args.iter().rev() {
            later.push(any);
            any |= self.has_effects(*arg);
        }
        later.reverse();
        let mut result = Vec::with_capacity(args.len());
        for (position, arg) in args.iter().enumerate() {
            let value = self.expr(*arg)?;
            let value = match signature.params.get(position).filter(|_| signature.prototype) {
                Some(param) => self.convert_for_assignment(value, param.ty)?,
                None => self.default_promotion(value)?,
            };
            let value = if later[position] { self.fix(value) } else { value };
            result.push(value.expr);
        }
        Ok(result)
    }

    /// Emits the call and gives its result. A function that does not return is followed by nothing.
    pub fn emit_call(&mut self, callee: Callee, ret: Qual, args: Vec<model::ExprId>, range: Range, wanted: bool) -> Elaborated<Value> {
        let span = self.span(range);
        let noreturn = matches!(callee, Callee::Direct(function) if self.unit.program.functions[function].attributes.noreturn);
        let is_void = ret.ty == Ty::VOID;
        if !is_void && self.unit.types.size(ret.ty).is_none() {
            return self.incomplete(range, ret.ty);
        }
        let result = if is_void || !wanted {
            self.emit(CommandKind::Call { dst: None, callee, args }, span);
            Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range }
        } else {
            let lowered = self.lower(ret.ty);
            let is_scalar = self.unit.types.is_scalar(ret.ty);
            let local = self.unit.builder.local(String::new(), lowered, is_scalar, span);
            let dst = self.local_place(local, span);
            self.emit(CommandKind::Call { dst: Some(dst), callee, args }, span);
            let place = self.local_place(local, span);
            if is_scalar {
                Rvalue { expr: self.make(Model::Load(place), lowered, span), ty: ret.ty, range }.into()
            } else {
                Value { kind: ValueKind::Place(place), ty: ret.ty.into(), range }
            }
        };
        if noreturn {
            let next = self.block();
            self.unit.builder.terminate(model::Terminator::Unreachable, span, next);
        }
        Ok(result)
    }

    /// A function that is called without declaration: one that the compiler knows, or `int f()` (C89).
    fn implicit_function(&mut self, name: Symbol, args: usize, range: Range) -> Value {
        let text = self.name(name).to_string();
        self.warning(range, format!("`{text}` is called without being declared"));
        if library_takes(&text, args)
            && let Some(known) = self.library_function(&text, range)
        {
            return known;
        }
        let ty = self.unit.types.intern(CType::Function(Signature {
            ret: Ty::INT.into(),
            params: Vec::new(),
            variadic: false,
            prototype: false,
        }));
        self.file_scope_function(name, ty.into(), range)
    }

    /// Declares a function at file scope, whatever scope we are in, and designates it.
    pub fn file_scope_function(&mut self, name: Symbol, ty: Qual, range: Range) -> Value {
        let index = match self.unit.linked_by_name.get(&name) {
            Some(&index) => index,
            None => {
                let index = self.add_linked(name, ty, false, range);
                self.unit.linked_by_name.insert(name, index);
                index
            }
        };
        let ty = self.unit.linked[index as usize].ty;
        match self.linked_entry(index) {
            Entry::Function(function) => Value { kind: ValueKind::Function(function), ty, range },
            Entry::Global(_) => Value { kind: ValueKind::Void, ty: Ty::VOID.into(), range },
        }
    }
}

fn given(count: usize) -> String {
    match count {
        0 => "none is".into(),
        1 => "1 is".into(),
        n => format!("{n} are"),
    }
}

/// Makes every direct call agree with its function's type, by calling through a pointer of the type that the call assumed where it does not.
/// That is what machine code does: it passes what the call wrote, and takes the result as the call expects it.
pub fn repair_body(body: &mut Body, functions: &[TypeId], types: &mut Types) {
    for block in body.blocks.iter_mut() {
        for command in &mut block.commands {
            let CommandKind::Call { dst, callee, args } = &mut command.kind else { continue };
            let Callee::Direct(function) = *callee else { continue };
            let ty = functions[function.index()];
            let Type::Function { ret, params, variadic } = types.get(ty).clone() else { continue };
            let arg_types: Vec<TypeId> = args.iter().map(|arg| body.exprs[*arg].ty).collect();
            let fits_params = arg_types.len() >= params.len()
                && (variadic || arg_types.len() == params.len())
                && arg_types.iter().zip(&params).all(|(a, p)| a == p);
            let result = dst.map(|dst| body.places[dst].ty);
            if fits_params && result.is_none_or(|result| result == ret) {
                continue;
            }
            let seen = types.intern(Type::Function { ret: result.unwrap_or(ret), params: arg_types, variadic: false });
            let (exact, seen) = (types.pointer(ty), types.pointer(seen));
            let span = command.span;
            let address = body.exprs.push(model::Expr { kind: Model::Function(function), ty: exact, span });
            let cast = body.exprs.push(model::Expr { kind: Model::Cast(address), ty: seen, span });
            *callee = Callee::Indirect(cast);
        }
    }
}

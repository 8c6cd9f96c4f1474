//! The elaborator: gives the syntax tree its meaning. Names are resolved, types computed, conversions made explicit, side effects put in
//! order, and the model built, all in one walk over each external declaration.
//!
//! Evaluation goes from left to right; where C leaves the order open, this is a choice (stated among the assumptions of every verdict).

mod assignment;
mod atomic;
mod builder;
mod builtin;
mod call;
mod compat;
mod complex;
mod condition;
mod conditional;
mod constant;
mod convert;
mod ctype;
mod declaration;
mod declarator;
mod expression;
mod frame;

mod function;
mod image;
mod initializer;
mod jump;
mod library;
mod linkage;
mod nested;
mod operator;
mod outward;
mod overflow;
mod record;
mod scope;
mod special;
mod specifier;
mod statement;
#[cfg(test)]
mod tests;
mod value;
mod variable_record;
mod vector;

use model::float;
use model::{BlockId, CommandKind, ExprId, ExprKind, FunctionId, GlobalId, Linkage, Program, Span, TypeId};
use rustc_hash::FxHashMap;

use crate::ast::{self, Ast, External, Range};
use crate::intern::Symbol;
use crate::{Options, Session};
use builder::Builder;
use ctype::{CTypes, Qual, Ty};
use nested::Nested;
use scope::{Bindings, Entity, EntityKey, Linked, Tag};

/// Something was wrong and has been reported.
#[derive(Debug)]
pub struct Failed;

/// The result of elaborating something; a failure has been reported already.
pub type Elaborated<T> = Result<T, Failed>;

/// What is known of a translation unit so far.
pub struct Unit {
    pub program: Program,
    types: CTypes,
    names: Bindings<Entity>,
    tags: Bindings<Tag>,
    linked: Vec<Linked>,
    linked_by_name: FxHashMap<Symbol, u32>,
    strings: FxHashMap<(Box<[u8]>, TypeId), GlobalId>,
    /// Static objects that hold label addresses of the current function, whose blocks are still to be renumbered.
    label_holders: Vec<GlobalId>,
    /// Alignments that declarations ask for, beside those of types; by [`Entity::key`].
    aligned: FxHashMap<EntityKey, u64>,
    va_list: Option<Ty>,
    builder: Builder,
    /// The builders around the current one: that of the file scope, then those of the functions that the current one is nested in.
    suspended: Vec<Builder>,
    /// Functions inside functions.
    nested: FxHashMap<FunctionId, Nested>,
    made_up: u32,
    /// How deep the expression that is being elaborated is nested.
    depth: u32,
    effects: Vec<bool>,
    known_truths: FxHashMap<ast::ExprId, Option<bool>>,
    known_type_names: FxHashMap<ast::TypeNameId, Qual>,
}

impl Unit {
    /// Before the first declaration.
    pub fn new(options: &Options) -> Self {
        let types = CTypes::new(options.target, options.unsigned_char);
        Unit {
            program: Program::new(options.target),
            types,
            names: Bindings::new(),
            tags: Bindings::new(),
            linked: Vec::new(),
            linked_by_name: FxHashMap::default(),
            strings: FxHashMap::default(),
            label_holders: Vec::new(),
            aligned: FxHashMap::default(),
            va_list: None,
            builder: Builder::new(None, String::new(), Ty::VOID.into()),
            suspended: Vec::new(),
            nested: FxHashMap::default(),
            made_up: 0,
            depth: 0,
            effects: Vec::new(),
            known_truths: FxHashMap::default(),
            known_type_names: FxHashMap::default(),
        }
    }
}

/// Elaborates one external declaration.
pub struct Elaborator<'a> {
    ast: &'a Ast,
    session: &'a mut Session,
    unit: &'a mut Unit,
}

impl<'a> Elaborator<'a> {
    /// An elaborator for the declaration in this tree.
    pub fn new(ast: &'a Ast, session: &'a mut Session, unit: &'a mut Unit) -> Self {
        Elaborator { ast, session, unit }
    }

    /// Adds an external declaration to the unit.
    pub fn external(&mut self, external: &'a External) {
        self.mark_effects();
        // A failure has been reported; the next declaration is looked at all the same.
        let _ = match external {
            External::Declaration(declaration) => self.declaration(declaration),
            External::Function(definition) => self.function_definition(definition),
            External::StaticAssert(assert) => self.static_assert(assert),
            External::Asm(range) => {
                let span = self.span(*range);
                self.unit.program.assembly.push(span);
                Ok(())
            }
        };
        if self.unit.names.at_file_scope() {
            self.unit.builder = Builder::new(None, String::new(), Ty::VOID.into());
        }
    }

    /// For each expression, whether evaluating it can change memory. Operands stand before their operators in the arena.
    fn mark_effects(&mut self) {
        use ast::ExprKind::*;
        let names = &self.session.names;
        self.unit.known_truths.clear();
        self.unit.known_type_names.clear();
        let effects = &mut self.unit.effects;
        effects.clear();
        effects.reserve(self.ast.exprs.len());
        for expr in self.ast.exprs.iter() {
            let of = |id: &ast::ExprId| effects.get(id.index()).copied().unwrap_or(true);
            let effect = match &expr.kind {
                Ident(_) | Int(_) | Float(_) | Char(..) | String(..) | FunctionName | LabelAddress(_) | Bool(_) | Nullptr | Refused(_) => {
                    false
                }
                SizeofExpr(_) | SizeofType(_) | AlignofExpr(_) | AlignofType(..) | Offsetof(..) | TypesCompatible(..) => false,
                Call(callee, args) => match &self.ast.exprs[*callee].kind {
                    Ident(name) if names.name(*name) == "__builtin_constant_p" => false,
                    Ident(name) if builtin::only_computes(names.name(*name)) => args.iter().any(of),
                    _ => true,
                },
                Assign(..) | Statement(_) | VaArg(..) | CompoundLiteral(..) => true,
                Unary(
                    ast::UnaryOp::PreIncrement | ast::UnaryOp::PreDecrement | ast::UnaryOp::PostIncrement | ast::UnaryOp::PostDecrement,
                    _,
                ) => true,
                Unary(_, a) | Member(a, ..) | Cast(_, a) => of(a),
                Binary(_, a, b) | LogicalAnd(a, b) | LogicalOr(a, b) | Comma(a, b) | Index(a, b) => of(a) || of(b),
                Conditional(a, b, c) => of(a) || b.as_ref().is_some_and(of) || of(c),
                Choose(_, b, c) => of(b) || of(c),
                Generic(_, arms) => arms.iter().any(|(_, e)| of(e)),
            };
            effects.push(effect);
        }
    }

    fn has_effects(&self, id: ast::ExprId) -> bool {
        self.unit.effects.get(id.index()).copied().unwrap_or(true)
    }

    fn span(&self, range: Range) -> Span {
        self.session.map.span(range)
    }
    fn name(&self, symbol: Symbol) -> &str {
        self.session.names.name(symbol)
    }

    fn error<T>(&mut self, range: Range, message: impl Into<String>, label: impl Into<String>) -> Elaborated<T> {
        // Behind something that is not modelled, names and types may be missing: the body is lost already.
        if self.unit.builder.unsupported.is_none() {
            self.session.diagnostics.error(range, message, label);
        }
        Err(Failed)
    }
    /// Adds to the error just reported where the other half of the trouble is.
    fn relate(&mut self, range: Range, label: impl Into<String>) {
        if self.unit.builder.unsupported.is_none() {
            self.session.diagnostics.relate(range, label);
        }
    }
    fn warning(&mut self, range: Range, message: impl Into<String>) {
        self.session.diagnostics.warning(range, message, "");
    }
    /// C that is not modelled. Inside a function only that function is lost: its body becomes a visible gap.
    fn unsupported<T>(&mut self, range: Range, what: impl Into<String>) -> Elaborated<T> {
        let what = what.into();
        if self.unit.builder.function.is_some() {
            self.unit.builder.unsupported.get_or_insert((range, what));
        } else {
            self.session.diagnostics.unsupported(range, format!("{what} not supported"), "");
        }
        Err(Failed)
    }

    fn lower(&mut self, ty: Ty) -> TypeId {
        self.unit.types.lower(ty, &mut self.unit.program.types)
    }
    fn emit(&mut self, kind: CommandKind, span: Span) {
        self.unit.builder.emit(kind, span);
    }
    fn make(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.unit.builder.expr(kind, ty, span)
    }
    fn block(&mut self) -> BlockId {
        self.unit.builder.block()
    }

    /// Runs something whose commands are not executed: operands of `sizeof`, arms that a constant rules out. They end in a block that
    /// control never reaches and are dropped with it.
    fn unevaluated<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let aside = self.block();
        let current = std::mem::replace(&mut self.unit.builder.current, aside);
        let result = run(self);
        self.unit.builder.current = current;
        result
    }

    /// Ends the unit: tentative definitions become definitions.
    pub fn finish(&mut self) {
        self.apply_weak_pragmas();
        self.define_tentative();
        self.repair_calls();
    }

    fn linkage_of(&self, linked: &Linked) -> Linkage {
        if linked.internal {
            Linkage::Internal
        } else if linked.attributes.weak {
            Linkage::Weak
        } else {
            Linkage::External
        }
    }
}

//! Which models a program needs.

use std::collections::{BTreeMap, BTreeSet};

use model::{Address, Body, Callee, CommandKind, ExprKind, Function, FunctionId, GlobalId, Init, Linkage, PlaceKind, Program, Target};
use passes::link::Unit;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::fit::{function_fits, value_fits};
use crate::{callback, edition};

/// A function or variable of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Symbol {
    Function(FunctionId),
    Global(GlobalId),
}

fn body_symbols(body: &Body) -> impl Iterator<Item = Symbol> + '_ {
    let exprs = body.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Function(function) => Some(Symbol::Function(function)),
        _ => None,
    });
    let places = body.places.iter().filter_map(|place| match place.kind {
        PlaceKind::Global(global) => Some(Symbol::Global(global)),
        _ => None,
    });
    let calls = body.blocks.iter().flat_map(|block| &block.commands).filter_map(|command| match command.kind {
        CommandKind::Call { callee: Callee::Direct(function), .. } => Some(Symbol::Function(function)),
        _ => None,
    });
    exprs.chain(places).chain(calls)
}

fn init_symbols(init: &Init) -> impl Iterator<Item = Symbol> + '_ {
    init.relocations.iter().map(|relocation| match relocation.target {
        Address::Global(global) => Symbol::Global(global),
        Address::Function(function) | Address::Label(function, _) | Address::LabelDifference(function, ..) => Symbol::Function(function),
    })
}

/// What a definition refers to.
fn symbols_of(program: &Program, symbol: Symbol) -> Vec<Symbol> {
    match symbol {
        Symbol::Function(id) => program.functions[id].body.iter().flat_map(body_symbols).collect(),
        Symbol::Global(id) => program.globals[id].init.iter().flat_map(init_symbols).collect(),
    }
}

/// Takes away inline definitions that begin with something that is not modelled, where the library has a model: headers define functions by
/// means of the compiler's own.
pub(crate) fn forget_stubs(program: &mut Program) {
    for function in program.functions.iter_mut().filter(|function| function.linkage == Linkage::Inline) {
        let starts = |body: &Body| body.blocks.get(Body::ENTRY)?.commands.first().map(|command| command.kind.clone());
        let unmodelled = matches!(function.body.as_ref().and_then(starts), Some(CommandKind::Unsupported(_)));
        if unmodelled && edition::model_name(&function.name).is_some() {
            function.body = None;
            function.linkage = Linkage::External;
        }
    }
}

/// A translated edition, and what of it is needed.
struct Draft {
    program: Program,
    /// Its definitions by name.
    names: FxHashMap<String, Symbol>,
    needed: FxHashSet<Symbol>,
}

impl Draft {
    fn new(number: usize, target: Target) -> Result<Self, String> {
        let program = edition::translate(number, target)?;
        let functions = program.functions.enumerate().filter(|(_, function)| function.linkage == Linkage::Inline);
        let globals = program.globals.enumerate().filter(|(_, global)| global.linkage == Linkage::Weak);
        let functions = functions.map(|(id, function)| (function.name.clone(), Symbol::Function(id)));
        let names = functions.chain(globals.map(|(id, global)| (global.name.clone(), Symbol::Global(id)))).collect();
        Ok(Draft { program, names, needed: FxHashSet::default() })
    }

    /// The program without definitions that are not needed: the linker drops declarations that nobody refers to.
    fn unit(self, number: usize) -> Unit {
        let Draft { mut program, needed, .. } = self;
        for id in program.functions.ids().filter(|id| !needed.contains(&Symbol::Function(*id))).collect::<Vec<_>>() {
            program.functions[id].body = None;
        }
        for id in program.globals.ids().filter(|id| !needed.contains(&Symbol::Global(*id))).collect::<Vec<_>>() {
            program.globals[id].init = None;
        }
        Unit { name: format!("{}{number}", Program::LIBRARY), program }
    }
}

/// The models that a program needs, and the names of its functions and variables that get one.
pub(crate) fn select(program: &Program) -> Result<(Vec<Unit>, BTreeSet<String>), String> {
    let mut selection = Selection::new(program);
    let functions = program.functions.ids().map(Symbol::Function);
    let all: Vec<Symbol> = functions.chain(program.globals.ids().map(Symbol::Global)).collect();
    let used: FxHashSet<Symbol> = all.iter().flat_map(|symbol| symbols_of(program, *symbol)).collect();
    for symbol in all.iter().filter(|symbol| used.contains(symbol)) {
        selection.provide(*symbol)?;
    }
    selection.complete()?;
    let units = selection.drafts.into_iter().map(|(number, draft)| draft.unit(number)).collect();
    Ok((units, selection.modelled))
}

struct Selection<'p> {
    program: &'p Program,
    /// What the program defines for all to see, by the linker's names.
    defined: FxHashSet<&'p str>,
    drafts: BTreeMap<usize, Draft>,
    /// Needed symbols whose own needs were not looked at yet.
    pending: Vec<(usize, Symbol)>,
    modelled: BTreeSet<String>,
}

impl<'p> Selection<'p> {
    fn new(program: &'p Program) -> Self {
        // An inline definition belongs to its own name in the source only.
        let functions = program.functions.iter().filter(|f| is_defined(f) && !matches!(f.linkage, Linkage::Internal | Linkage::Inline));
        let globals = program.globals.iter().filter(|g| g.init.is_some() && g.linkage != Linkage::Internal);
        let functions = functions.map(|function| function.link_name.as_deref().unwrap_or(&function.name));
        let defined = functions.chain(globals.map(|global| global.link_name.as_deref().unwrap_or(&global.name))).collect();
        Selection { program, defined, drafts: BTreeMap::new(), pending: Vec::new(), modelled: BTreeSet::new() }
    }

    /// The model of a name, with its edition translated.
    fn model(&mut self, name: &str) -> Result<Option<(usize, Symbol)>, String> {
        let Some(number) = edition::defining(name) else { return Ok(None) };
        if !self.drafts.contains_key(&number) {
            self.drafts.insert(number, Draft::new(number, self.program.types.target())?);
        }
        Ok(self.drafts[&number].names.get(name).map(|symbol| (number, *symbol)))
    }

    /// Finds a model for what the program uses and does not define.
    fn provide(&mut self, symbol: Symbol) -> Result<(), String> {
        let program = self.program;
        let (name, link_name, defined) = match symbol {
            Symbol::Function(id) => {
                let function = &program.functions[id];
                (&function.name, &function.link_name, is_defined(function) || function.linkage == Linkage::Internal)
            }
            Symbol::Global(id) => {
                let global = &program.globals[id];
                (&global.name, &global.link_name, global.init.is_some() || global.linkage == Linkage::Internal)
            }
        };
        let linked = link_name.as_deref().unwrap_or(name);
        let Some(model_name) = edition::model_name(linked).filter(|_| !defined && !self.defined.contains(linked)) else { return Ok(()) };
        let model_name = callback::model_for(program, model_name);
        let Some((number, model)) = self.model(model_name)? else { return Ok(()) };
        let Some(draft) = self.drafts.get_mut(&number) else { return Ok(()) };
        let model = match (symbol, model) {
            (Symbol::Function(declared), Symbol::Function(defined)) => {
                let declared = (&program.types, program.functions[declared].ty);
                let defined_type = (&draft.program.types, draft.program.functions[defined].ty);
                if !function_fits(declared, defined_type) {
                    return Ok(());
                }
                let entry = &draft.program.functions[defined];
                if entry.name == *name && *link_name == entry.link_name {
                    model
                } else {
                    // The linker matches by name: the model gets this one as well.
                    let named = Function { name: name.clone(), link_name: link_name.clone(), ..entry.clone() };
                    Symbol::Function(draft.program.functions.push(named))
                }
            }
            (Symbol::Global(declared), Symbol::Global(defined)) => {
                let declared = (&program.types, program.globals[declared].ty);
                if linked != model_name || !value_fits(declared, (&draft.program.types, draft.program.globals[defined].ty)) {
                    return Ok(());
                }
                model
            }
            _ => return Ok(()),
        };
        self.modelled.insert(name.clone());
        self.pending.push((number, model));
        Ok(())
    }

    /// Adds what the needed models need.
    fn complete(&mut self) -> Result<(), String> {
        while let Some((number, symbol)) = self.pending.pop() {
            let Some(draft) = self.drafts.get_mut(&number) else { continue };
            if !draft.needed.insert(symbol) {
                continue;
            }
            for other in symbols_of(&draft.program, symbol) {
                self.pending.push((number, other));
            }
            let undefined = match symbol {
                Symbol::Function(id) => Some(&draft.program.functions[id]).filter(|function| !is_defined(function)),
                Symbol::Global(_) => None,
            };
            let Some(name) = undefined.map(|function| function.name.clone()).filter(|name| !self.defined.contains(name.as_str())) else {
                continue;
            };
            if let Some(model) = self.model(&name)? {
                self.pending.push(model);
            }
        }
        self.drafts.retain(|_, draft| !draft.needed.is_empty());
        Ok(())
    }
}

fn is_defined(function: &Function) -> bool {
    function.body.is_some() || function.attributes.alias.is_some()
}

//! The linker: puts the models of translation units together as the system's linker puts their objects together.
//!
//! Contract. Given units that satisfy the model's invariants:
//! - the result satisfies them too, means what the linked executable means, and depends only on the units and their order;
//! - an external symbol has one definition: two are an error; a weak one gives way to an external or common one, the first of several
//!   weak ones wins; of common ones the largest wins; an inline definition is used where there is no other. Symbols match by their
//!   `link_name`, or else by their `name`;
//! - internal symbols stay apart, also those with equal names;
//! - records with equal kind, tag and layout become one; an incomplete record becomes the complete one of its kind and tag if there is
//!   only one. Two records of one unit never become one;
//! - the definition's type is the symbol's type. Where a unit has seen another type, its uses go through a cast of the address (module
//!   `bind` says why);
//! - uses of an alias mean its target; an alias whose target is not known becomes a declaration, of which nothing is known;
//! - declarations that nobody refers to are dropped, definitions never; undefined symbols are left to the library;
//! - linking a single unit gives that unit, up to the order of types and the dropped declarations.

mod bind;
mod symbols;
mod types;

#[cfg(test)]
mod tests;

use std::fmt;

use model::{Address, Arena, Body, Callee, CommandKind, ExprKind, FileId, Id, Init, Linkage, PlaceKind, Program, Span, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use bind::Binding;
use model::relocate::{self, Relocation};
use symbols::Resolution;

/// One of the programs to be linked.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What messages call it: the name of a source or object file.
    pub name: String,
    /// Its model.
    pub program: Program,
}

/// A linked program.
#[derive(Debug)]
pub struct Linked {
    /// The program.
    pub program: Program,
    /// What is odd about it.
    pub warnings: Vec<LinkWarning>,
}

/// A place for messages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The source file, or the unit if the place is not known.
    pub file: String,
    /// Line and column, if the place is known.
    pub position: Option<(u32, u32)>,
}

impl Location {
    fn new(unit: &Unit, span: Span) -> Self {
        match unit.program.files.get(span.file) {
            Some(file) if !span.is_none() => Location { file: file.clone(), position: Some((span.line, span.column)) },
            _ => Location { file: unit.name.clone(), position: None },
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some((line, column)) => write!(f, "{}:{line}:{column}", self.file),
            None => f.write_str(&self.file),
        }
    }
}

/// Why units cannot be linked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkError {
    /// The units are for different data models.
    Targets {
        /// A unit and its data model.
        first: (String, &'static str),
        /// Another one.
        second: (String, &'static str),
    },
    /// Two units define the same symbol.
    MultipleDefinition {
        /// Its name for the linker.
        symbol: String,
        /// A definition.
        first: Location,
        /// Another one.
        second: Location,
    },
    /// A symbol is a function in one unit and an object in another.
    FunctionAndObject {
        /// Its name for the linker.
        symbol: String,
        /// Where it is a function.
        function: Location,
        /// Where it is an object.
        object: Location,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::Targets { first, second } => {
                write!(f, "{} is for {}, but {} is for {}", first.0, first.1, second.0, second.1)
            }
            LinkError::MultipleDefinition { symbol, first, second } => write!(f, "multiple definition of `{symbol}`: {first} and {second}"),
            LinkError::FunctionAndObject { symbol, function, object } => {
                write!(f, "`{symbol}` is a function at {function}, but an object at {object}")
            }
        }
    }
}

impl std::error::Error for LinkError {}

/// A declaration that does not fit what it declares.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinkWarning {
    /// The name of the symbol in the source.
    pub symbol: String,
    /// The declaration.
    pub declared: Location,
    /// The definition, or the declaration that was preferred.
    pub preferred: Location,
}

impl fmt::Display for LinkWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the type of `{}` at {} does not fit the one at {}", self.symbol, self.declared, self.preferred)
    }
}

/// Links units to one program; see the module for what that means.
pub fn link(units: Vec<Unit>) -> Result<Linked, Vec<LinkError>> {
    check_targets(&units)?;
    let resolution = symbols::resolve(&units)?;
    let (files, file_maps) = merge_files(&units);
    let merged = types::merge(&units, &file_maps);
    let facts = Facts::new(&units, &resolution, &merged.maps);
    let warnings = mismatches(&units, &resolution, &facts, &merged.types);

    let target = merged.types.target();
    let mut program = Program { files, types: merged.types, ..Program::new(target) };
    for (number, unit) in units.into_iter().enumerate() {
        let relocation = Relocation { files: &file_maps[number], types: &merged.maps[number] };
        let binding = Binding { unit: number, resolution: &resolution, ids: &facts.ids, types: &facts.types };
        add_unit(&mut program, unit.program, &relocation, &binding, &facts);
    }
    Ok(Linked { program, warnings })
}

fn check_targets(units: &[Unit]) -> Result<(), Vec<LinkError>> {
    let Some(first) = units.first() else { return Ok(()) };
    let model = |unit: &Unit| (unit.name.clone(), unit.program.types.target().name());
    let others = units.iter().filter(|unit| unit.program.types.target() != first.program.types.target());
    let errors: Vec<LinkError> = others.map(|other| LinkError::Targets { first: model(first), second: model(other) }).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// One table of file names, and for each unit where its files went.
fn merge_files(units: &[Unit]) -> (Arena<String>, Vec<Vec<FileId>>) {
    let mut files: Arena<String> = Arena::new();
    let mut known: FxHashMap<&str, FileId> = FxHashMap::default();
    let mut merge = |name| *known.entry(name).or_insert_with_key(|name: &&str| files.push(name.to_string()));
    let maps = units.iter().map(|unit| unit.program.files.iter().map(|name| merge(name.as_str())).collect()).collect();
    (files, maps)
}

/// What is known of each symbol before the program is put together.
struct Facts {
    /// Its type as its unit declares it.
    types: Vec<TypeId>,
    /// Whether a definition of its unit refers to it.
    used: Vec<bool>,
    /// Whether its entry goes into the program.
    kept: Vec<bool>,
    /// The number that its entry gets there.
    ids: Vec<u32>,
    /// Whether some declaration of it is not weak.
    external: Vec<bool>,
    /// Whether some declaration of it says that it does not return.
    noreturn: Vec<bool>,
}

impl Facts {
    fn new(units: &[Unit], resolution: &Resolution, type_maps: &[Vec<TypeId>]) -> Self {
        let count = resolution.meaning.len();
        let used = uses(units, resolution);
        let mut kept = resolution.defines.clone();
        for (symbol, _) in used.iter().enumerate().filter(|(_, used)| **used) {
            kept[resolution.meaning[symbol]] = true;
        }
        let mut facts = Facts {
            types: Vec::with_capacity(count),
            used,
            kept,
            ids: Vec::with_capacity(count),
            external: vec![false; count],
            noreturn: vec![false; count],
        };
        let (mut functions, mut globals) = (0, 0);
        for (Unit { program, .. }, map) in units.iter().zip(type_maps) {
            for function in program.functions.iter() {
                let meaning = resolution.meaning[facts.types.len()];
                facts.noreturn[meaning] |= function.attributes.noreturn;
                facts.add(map[function.ty.index()], function.linkage, meaning, &mut functions);
            }
            for global in program.globals.iter() {
                let meaning = resolution.meaning[facts.types.len()];
                facts.add(map[global.ty.index()], global.linkage, meaning, &mut globals);
            }
        }
        facts
    }

    /// The linkage of a symbol that is only declared: it is weak only if all say so.
    fn declared_linkage(&self, symbol: usize, linkage: Linkage) -> Linkage {
        if linkage == Linkage::Weak && self.external[symbol] { Linkage::External } else { linkage }
    }

    /// Adds the facts about the next symbol of the row.
    fn add(&mut self, ty: TypeId, linkage: Linkage, meaning: usize, next_id: &mut u32) {
        self.external[meaning] |= linkage == Linkage::External;
        self.ids.push(*next_id);
        *next_id += u32::from(self.kept[self.types.len()]);
        self.types.push(ty);
    }
}

/// For each symbol, whether a definition of its unit that goes into the program refers to it.
fn uses(units: &[Unit], resolution: &Resolution) -> Vec<bool> {
    let mut used = vec![false; resolution.meaning.len()];
    for (unit, Unit { program, .. }) in units.iter().enumerate() {
        for (id, function) in program.functions.enumerate() {
            if let Some(body) = &function.body
                && resolution.defines[resolution.function(unit, id)]
            {
                body_symbols(body, resolution, unit, &mut used);
            }
        }
        for (id, global) in program.globals.enumerate() {
            if let Some(init) = &global.init
                && resolution.defines[resolution.global(unit, id)]
            {
                init_symbols(init, resolution, unit, &mut used);
            }
        }
    }
    used
}

fn body_symbols(body: &Body, resolution: &Resolution, unit: usize, used: &mut [bool]) {
    for expr in body.exprs.iter() {
        if let ExprKind::Function(function) = expr.kind {
            used[resolution.function(unit, function)] = true;
        }
    }
    for place in body.places.iter() {
        if let PlaceKind::Global(global) = place.kind {
            used[resolution.global(unit, global)] = true;
        }
    }
    for command in body.blocks.iter().flat_map(|block| &block.commands) {
        if let CommandKind::Call { callee: Callee::Direct(function), .. } = command.kind {
            used[resolution.function(unit, function)] = true;
        }
    }
}

fn init_symbols(init: &Init, resolution: &Resolution, unit: usize, used: &mut [bool]) {
    for relocation in &init.relocations {
        let symbol = match relocation.target {
            Address::Global(global) => resolution.global(unit, global),
            Address::Function(function) | Address::Label(function, _) | Address::LabelDifference(function, _, _) => {
                resolution.function(unit, function)
            }
        };
        used[symbol] = true;
    }
}

/// The used declarations whose types are not compatible with what they mean. A header's is told once.
fn mismatches(units: &[Unit], resolution: &Resolution, facts: &Facts, types: &model::Types) -> Vec<LinkWarning> {
    let entries: Vec<(usize, &str, Span)> = units
        .iter()
        .enumerate()
        .flat_map(|(unit, Unit { program, .. })| {
            let functions = program.functions.iter().map(move |function| (unit, function.name.as_str(), function.span));
            functions.chain(program.globals.iter().map(move |global| (unit, global.name.as_str(), global.span)))
        })
        .collect();
    let place = |symbol: usize| Location::new(&units[entries[symbol].0], entries[symbol].2);
    let mut told = FxHashSet::default();
    let mut warnings = Vec::new();
    for (symbol, &meaning) in resolution.meaning.iter().enumerate() {
        if facts.used[symbol] && !types::compatible(types, facts.types[symbol], facts.types[meaning]) {
            let symbol_name = entries[symbol].1.to_string();
            let warning = LinkWarning { symbol: symbol_name, declared: place(symbol), preferred: place(meaning) };
            if told.insert(warning.clone()) {
                warnings.push(warning);
            }
        }
    }
    warnings
}

/// Adds what is kept of a unit.
fn add_unit(program: &mut Program, unit: Program, relocation: &Relocation, binding: &Binding, facts: &Facts) {
    for (id, mut function) in unit.functions.into_iter().enumerate() {
        let symbol = binding.resolution.function(binding.unit, Id::new(id as u32));
        if !facts.kept[symbol] {
            continue;
        }
        relocation.ty(&mut function.ty);
        relocation.span(&mut function.span);
        if binding.resolution.meaning[symbol] == symbol {
            function.attributes.alias = None;
        }
        if let Some(body) = &mut function.body {
            relocation.body(body);
            binding.body(body, &mut program.types);
        }
        if !binding.resolution.defines[symbol] {
            function.attributes.noreturn |= facts.noreturn[symbol];
            function.linkage = facts.declared_linkage(symbol, function.linkage);
        }
        program.functions.push(function);
    }
    for (id, mut global) in unit.globals.into_iter().enumerate() {
        let symbol = binding.resolution.global(binding.unit, Id::new(id as u32));
        if !facts.kept[symbol] {
            continue;
        }
        relocation.ty(&mut global.ty);
        relocation.span(&mut global.span);
        if binding.resolution.meaning[symbol] == symbol && global.alias.take().is_some() {
            global.init = None;
        }
        if let Some(init) = &mut global.init {
            binding.init(init);
        }
        if !binding.resolution.defines[symbol] {
            global.linkage = facts.declared_linkage(symbol, global.linkage);
        }
        program.globals.push(global);
    }
    program.assembly.extend(unit.assembly.into_iter().map(|span| relocate::relocate_span(span, relocation.files)));
}

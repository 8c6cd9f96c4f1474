//! Which definition a symbol stands for: the linker's rules.

use model::{Function, FunctionId, Global, GlobalId, Linkage, Program, Span};
use rustc_hash::FxHashMap;

use super::{LinkError, Location, Unit};

/// Longer chains of aliases of aliases are left alone.
const ALIAS_CHAIN: usize = 64;

/// A function or global of a unit as the linker sees it.
struct Symbol<'a> {
    unit: usize,
    /// A function, not an object.
    is_function: bool,
    /// Its name in the source.
    name: &'a str,
    /// The name that the linker matches by.
    link_name: &'a str,
    strength: Strength,
    internal: bool,
    span: Span,
    alias: Option<&'a str>,
    /// Its type says little: no prototype, no array length.
    vague: bool,
}

/// How much a symbol's entry has to say; a greater one wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Only declared.
    Declared,
    /// A body to use where the linker finds none.
    Inline,
    /// Gives way.
    Weak,
    /// A tentative definition with its size: the largest wins.
    Common(u64),
    /// The definition.
    Strong,
}

/// What the symbols of all units stand for. Symbols are numbered in a row: of each unit the functions, then the globals.
pub(super) struct Resolution {
    /// Where the functions and the globals of each unit begin in the row.
    starts: Vec<(usize, usize)>,
    /// For each symbol, the one that its uses mean.
    pub meaning: Vec<usize>,
    /// Whether this entry defines what its symbol stands for.
    pub defines: Vec<bool>,
}

impl Resolution {
    /// The symbol of a unit's function.
    pub fn function(&self, unit: usize, id: FunctionId) -> usize {
        self.starts[unit].0 + id.index()
    }
    /// The symbol of a unit's global.
    pub fn global(&self, unit: usize, id: GlobalId) -> usize {
        self.starts[unit].1 + id.index()
    }
}

/// Matches the symbols of the units.
pub(super) fn resolve(units: &[Unit]) -> Result<Resolution, Vec<LinkError>> {
    let (mut symbols, mut starts) = (Vec::new(), Vec::new());
    for (unit, Unit { program, .. }) in units.iter().enumerate() {
        let functions = symbols.len();
        symbols.extend(program.functions.iter().map(|function| Symbol::function(unit, function, program)));
        starts.push((functions, symbols.len()));
        symbols.extend(program.globals.iter().map(|global| Symbol::object(unit, global, program)));
    }
    let groups = groups(0..symbols.len(), |index| (!symbols[index].internal).then_some(symbols[index].link_name));
    let errors: Vec<LinkError> = groups.iter().flat_map(|group| conflicts(units, &symbols, group)).collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut chosen: Vec<usize> = (0..symbols.len()).collect();
    for group in &groups {
        choose(&symbols, group, &mut chosen);
    }
    let table = Table { symbols, starts, chosen };
    let aliases = table.aliases(&groups);
    let meaning = table.chosen.iter().map(|chosen| aliases.get(chosen).copied().unwrap_or(*chosen)).collect();
    let defines =
        table.symbols.iter().enumerate().map(|(index, symbol)| table.chosen[index] == index && symbol.strength != Strength::Declared);
    Ok(Resolution { meaning, defines: defines.collect(), starts: table.starts })
}

/// The symbols after matching, before aliases.
struct Table<'a> {
    symbols: Vec<Symbol<'a>>,
    starts: Vec<(usize, usize)>,
    /// For each symbol, the one whose entry stands for it.
    chosen: Vec<usize>,
}

type UnitNames<'a> = FxHashMap<usize, FxHashMap<&'a str, Option<usize>>>;

impl<'a> Table<'a> {
    /// For aliases that stand for themselves, the symbol that each is another name of.
    fn aliases(&self, groups: &[Vec<usize>]) -> FxHashMap<usize, usize> {
        let mut aliases = FxHashMap::default();
        let exported: FxHashMap<&str, usize> =
            groups.iter().filter_map(|group| group.first()).map(|&first| (self.symbols[first].link_name, self.chosen[first])).collect();
        let mut names = FxHashMap::default();
        for (index, symbol) in self.symbols.iter().enumerate() {
            if symbol.alias.is_some()
                && self.chosen[index] == index
                && let Some(target) = self.alias_target(index, &exported, &mut names)
            {
                aliases.insert(index, target);
            }
        }
        aliases
    }

    /// What an alias is another name of, as the assembler sees it: a symbol of the same unit if there is one. If another unit's
    /// definition has displaced that one, the alias still means the displaced one, which is gone; then nothing is known.
    fn alias_target(&self, alias: usize, exported: &FxHashMap<&'a str, usize>, names: &mut UnitNames<'a>) -> Option<usize> {
        let mut current = alias;
        for _ in 0..ALIAS_CHAIN {
            let symbol = &self.symbols[current];
            let mut own = |name| names.entry(symbol.unit).or_insert_with(|| self.unit_names(symbol.unit)).get(name).copied();
            current = match symbol.alias.map(|name| (name, own(name))) {
                Some((_, Some(unique))) => unique?,
                Some((name, None)) => *exported.get(name)?,
                None if self.chosen[current] == current => return Some(current),
                None if symbol.strength == Strength::Declared => self.chosen[current],
                None => return None,
            };
            if self.symbols[current].is_function != self.symbols[alias].is_function {
                return None;
            }
        }
        None
    }

    /// The symbols of a unit by the name the assembler knows; `None` for a name that several have.
    fn unit_names(&self, unit: usize) -> FxHashMap<&'a str, Option<usize>> {
        let start = self.starts[unit].0;
        let end = self.starts.get(unit + 1).map_or(self.symbols.len(), |next| next.0);
        let mut names = FxHashMap::default();
        for index in start..end {
            names.entry(self.symbols[index].link_name).and_modify(|known| *known = None).or_insert(Some(index));
        }
        names
    }
}

impl<'a> Symbol<'a> {
    fn function(unit: usize, function: &'a Function, program: &'a Program) -> Self {
        let alias = function.attributes.alias.as_deref();
        Symbol {
            unit,
            is_function: true,
            name: &function.name,
            link_name: function.link_name.as_deref().unwrap_or(&function.name),
            strength: strength(function.linkage, function.body.is_some() || alias.is_some(), 0),
            internal: function.linkage == Linkage::Internal,
            alias,
            span: function.span,
            vague: super::types::is_unprototyped(program.types.get(function.ty)),
        }
    }

    fn object(unit: usize, global: &'a Global, program: &'a Program) -> Self {
        let alias = global.alias.as_deref();
        let size = global.init.as_ref().and_then(|init| init.size).or_else(|| program.types.size_of(global.ty));
        Symbol {
            unit,
            is_function: false,
            name: &global.name,
            link_name: global.link_name.as_deref().unwrap_or(&global.name),
            strength: strength(global.linkage, global.init.is_some() || alias.is_some(), size.unwrap_or(0)),
            internal: global.linkage == Linkage::Internal,
            alias,
            span: global.span,
            vague: program.types.size_of(global.ty).is_none(),
        }
    }
}

fn strength(linkage: Linkage, defined: bool, size: u64) -> Strength {
    match linkage {
        _ if !defined => Strength::Declared,
        Linkage::External | Linkage::Internal => Strength::Strong,
        Linkage::Weak => Strength::Weak,
        Linkage::Common => Strength::Common(size),
        Linkage::Inline => Strength::Inline,
    }
}

/// The members by name, names in order of appearance; without those that have none.
fn groups<'a>(members: impl IntoIterator<Item = usize>, name: impl Fn(usize) -> Option<&'a str>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    for member in members {
        let Some(name) = name(member) else { continue };
        let number = *numbers.entry(name).or_insert(groups.len());
        match groups.get_mut(number) {
            Some(group) => group.push(member),
            None => groups.push(vec![member]),
        }
    }
    groups
}

/// What the linker would refuse about the symbols of one link name.
fn conflicts(units: &[Unit], symbols: &[Symbol], group: &[usize]) -> Vec<LinkError> {
    let place = |index: usize| Location::new(&units[symbols[index].unit], symbols[index].span);
    let symbol = symbols[group[0]].link_name;
    let first = |is_function| group.iter().copied().find(|&index| symbols[index].is_function == is_function);
    if let (Some(function), Some(object)) = (first(true), first(false)) {
        return vec![LinkError::FunctionAndObject { symbol: symbol.to_string(), function: place(function), object: place(object) }];
    }
    let mut definitions = group.iter().copied().filter(|&index| symbols[index].strength == Strength::Strong);
    let Some(definition) = definitions.next() else { return Vec::new() };
    definitions
        .map(|other| LinkError::MultipleDefinition { symbol: symbol.to_string(), first: place(definition), second: place(other) })
        .collect()
}

/// Chooses among the symbols of one link name.
fn choose(symbols: &[Symbol], group: &[usize], chosen: &mut [usize]) {
    let winner = strongest(symbols, group);
    if symbols[winner].strength >= Strength::Weak {
        group.iter().for_each(|&index| chosen[index] = winner);
        return;
    }
    // The linker sees no definition. An inline body belongs to its name in the source only: glibc's inline `read` calls
    // `__read_alias asm("read")`, which is the library's function and not itself.
    for namesakes in groups(group.iter().copied(), |index| Some(symbols[index].name)) {
        let winner = strongest(symbols, &namesakes);
        namesakes.iter().for_each(|&index| chosen[index] = winner);
    }
}

/// The first of the strongest; among declarations the first that says more than the name.
fn strongest(symbols: &[Symbol], group: &[usize]) -> usize {
    let rank = |index: usize| (symbols[index].strength, symbols[index].strength != Strength::Declared || !symbols[index].vague);
    let mut best = group[0];
    for &index in group {
        if rank(index) > rank(best) {
            best = index;
        }
    }
    best
}

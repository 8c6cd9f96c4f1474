//! Unique names for things whose own names are not.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{ExprId, ExprKind, PlaceKind};
use crate::graph::{Body, Callee, CommandKind, Created};
use crate::program::Program;
use crate::types::{Type, TypeId, Types};

/// Hands out numbers that make names unique: 0, which is not shown, for the first of its name.
#[derive(Default)]
struct Numbers<'a> {
    next: FxHashMap<&'a str, u32>,
    taken: FxHashSet<(&'a str, u32)>,
}

impl<'a> Numbers<'a> {
    fn number(&mut self, name: &'a str) -> u32 {
        // What has no name at all needs a number to be seen.
        let next = self.next.entry(name).or_insert(u32::from(name.is_empty()));
        while self.taken.contains(&(name, *next)) {
            *next += 1;
        }
        let number = *next;
        *next += 1;
        number
    }

    fn all(names: impl Iterator<Item = &'a str>) -> Vec<u32> {
        let mut numbers = Numbers::default();
        names.map(|name| numbers.number(name)).collect()
    }
}

/// The numbers of records, fields and types.
pub(super) struct TypeNames {
    pub(super) records: Vec<u32>,
    pub(super) fields: Vec<Vec<u32>>,
    /// Types that are too big to be spelled out have a number above 0.
    pub(super) big: Vec<u32>,
}

/// How many parts a type may have to be spelled out each time.
const MAX_PARTS: u32 = 24;

impl TypeNames {
    pub(super) fn new(types: &Types) -> Self {
        let fields = |record: &crate::types::Record| {
            let fields = record.layout.as_ref().map_or(&[][..], |layout| &layout.fields);
            Numbers::all(fields.iter().map(|field| field.name.as_str()))
        };
        TypeNames {
            records: Numbers::all(types.records().iter().map(|record| record.name.as_str())),
            fields: types.records().iter().map(fields).collect(),
            big: big_types(types),
        }
    }
}

fn big_types(types: &Types) -> Vec<u32> {
    let mut parts: Vec<u32> = Vec::with_capacity(types.all().len());
    let mut big = Vec::with_capacity(types.all().len());
    let mut count = 0;
    for ty in types.all().iter() {
        let of = |id: &TypeId| parts[id.index()];
        let sum = 1 + match ty {
            Type::Void | Type::Bool | Type::Int { .. } | Type::Float(_) | Type::Record(_) => 0,
            Type::Pointer(to) => of(to),
            Type::Array { elem, .. } => of(elem),
            Type::Function { ret, params, .. } => params.iter().map(of).fold(of(ret), u32::saturating_add),
        };
        if sum > MAX_PARTS {
            count += 1;
            big.push(count);
            parts.push(1);
        } else {
            big.push(0);
            parts.push(sum);
        }
    }
    big
}

/// The numbers of globals and functions, which share their names.
pub(super) struct SymbolNames {
    pub(super) globals: Vec<u32>,
    pub(super) functions: Vec<u32>,
}

impl SymbolNames {
    pub(super) fn new(program: &Program) -> Self {
        let globals = program.globals.iter().map(|global| global.name.as_str());
        let functions = program.functions.iter().map(|function| function.name.as_str());
        let mut globals = Numbers::all(globals.chain(functions));
        let functions = globals.split_off(program.globals.len());
        SymbolNames { globals, functions }
    }

    /// The numbers of a body's locals. A local may hide a global of its name, as in C, unless the body uses that global.
    pub(super) fn locals<'a>(&self, program: &'a Program, body: &'a Body, used: &Used) -> Vec<u32> {
        let mut numbers = Numbers::default();
        for place in body.places.ids().filter(|id| used.places[id.index()]) {
            if let PlaceKind::Global(id) = body.places[place].kind {
                numbers.taken.insert((program.globals[id].name.as_str(), self.globals[id.index()]));
            }
        }
        let by_address = body.exprs.ids().filter(|id| used.exprs[id.index()]).filter_map(|id| match body.exprs[id].kind {
            ExprKind::Function(id) => Some(id),
            _ => None,
        });
        let commands = body.blocks.iter().flat_map(|block| &block.commands);
        let called = commands.filter_map(|command| match command.kind {
            CommandKind::Call { callee: Callee::Direct(id), .. } => Some(id),
            _ => None,
        });
        for id in by_address.chain(called) {
            numbers.taken.insert((program.functions[id].name.as_str(), self.functions[id.index()]));
        }
        body.locals.iter().map(|local| numbers.number(&local.name)).collect()
    }
}

/// Which expressions and places a body's commands use.
pub(super) struct Used {
    pub(super) exprs: Vec<bool>,
    pub(super) places: Vec<bool>,
}

impl Used {
    /// All of them.
    pub(super) fn all(body: &Body) -> Self {
        Used { exprs: vec![true; body.exprs.len()], places: vec![true; body.places.len()] }
    }

    /// Those that some command or terminator leads to.
    pub(super) fn of(body: &Body) -> Self {
        let mut used = Used { exprs: vec![false; body.exprs.len()], places: vec![false; body.places.len()] };
        for block in body.blocks.iter() {
            let kinds = || block.commands.iter().map(|command| &command.kind);
            for expr in kinds().flat_map(CommandKind::exprs).chain(block.terminator.expr()) {
                used.exprs[expr.index()] = true;
            }
            for place in kinds().filter_map(CommandKind::place) {
                used.places[place.index()] = true;
            }
        }
        let order: Vec<Created> = body.creation_order().collect();
        for created in order.iter().rev() {
            match *created {
                Created::Expr(id) if used.exprs[id.index()] => {
                    let kind = &body.exprs[id].kind;
                    kind.operands().for_each(|operand| used.exprs[operand.index()] = true);
                    kind.place().into_iter().for_each(|place| used.places[place.index()] = true);
                }
                Created::Place(id) if used.places[id.index()] => {
                    let kind = &body.places[id].kind;
                    kind.operand().into_iter().for_each(|operand| used.exprs[operand.index()] = true);
                    kind.base().into_iter().for_each(|base| used.places[base.index()] = true);
                }
                _ => {}
            }
        }
        used
    }
}

/// The expressions of a body that are printed once, as a definition, and then by name: those that would be printed often because they
/// are large and shared, and those so deep that printing or reading them would need much stack. What counts is only the text, so that
/// the printed program, read again, has the same ones.
pub(super) fn defined_exprs(body: &Body, used: &Used) -> Vec<bool> {
    let mut uses = vec![0u32; body.exprs.len()];
    let mut use_expr = |id: ExprId| uses[id.index()] = uses[id.index()].saturating_add(1);
    for (_, expr) in body.exprs.enumerate().filter(|(id, _)| used.exprs[id.index()]) {
        expr.kind.operands().for_each(&mut use_expr);
    }
    for (_, place) in body.places.enumerate().filter(|(id, _)| used.places[id.index()]) {
        place.kind.operand().into_iter().for_each(&mut use_expr);
    }
    for block in body.blocks.iter() {
        block.commands.iter().flat_map(|command| command.kind.exprs()).chain(block.terminator.expr()).for_each(&mut use_expr);
    }
    let mut defined = vec![false; body.exprs.len()];
    let mut exprs = vec![Shape::ATOM; body.exprs.len()];
    let mut places = vec![Shape::ATOM; body.places.len()];
    for created in body.creation_order() {
        match created {
            Created::Place(id) => {
                let kind = &body.places[id].kind;
                let parts = kind.base().map(|base| places[base.index()]).into_iter().chain(kind.operand().map(|e| exprs[e.index()]));
                places[id.index()] = Shape::around(parts);
            }
            Created::Expr(id) => {
                let kind = &body.exprs[id].kind;
                let parts = kind.operands().map(|e| exprs[e.index()]).chain(kind.place().map(|place| places[place.index()]));
                let shape = Shape::around(parts);
                let large = shape.weight > MAX_WEIGHT && uses[id.index()] > 1;
                if used.exprs[id.index()] && (large || shape.height > MAX_HEIGHT) {
                    defined[id.index()] = true;
                } else {
                    exprs[id.index()] = shape;
                }
            }
        }
    }
    defined
}

/// How deep an expression may be, and how many parts it may have if it is shared.
const MAX_HEIGHT: u32 = 48;
const MAX_WEIGHT: u32 = 16;

/// What the text of an expression or place looks like.
#[derive(Clone, Copy)]
struct Shape {
    height: u32,
    weight: u32,
}

impl Shape {
    const ATOM: Shape = Shape { height: 1, weight: 1 };

    fn around(parts: impl Iterator<Item = Shape>) -> Shape {
        parts.fold(Shape::ATOM, |whole, part| Shape {
            height: whole.height.max(part.height.saturating_add(1)),
            weight: whole.weight.saturating_add(part.weight),
        })
    }
}

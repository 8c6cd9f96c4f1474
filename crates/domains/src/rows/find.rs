//! Finds the rows of a loop.

use encode::{Linear, Source};
use model::{
    BinaryOp, Block, BlockId, Body, CheckKind, CommandKind, ExprId, ExprKind, LocalId, PlaceId, PlaceKind, Terminator, Type, TypeId,
};
use rustc_hash::FxHashMap;

use super::{Row, Rows, Values, note};
use crate::view::View;
use crate::view::live::Scope;
use crate::view::reader::Reader;
use crate::view::walk::{Text, Walk};

/// No more rows than these, and nothing about a row more often than this.
const ROWS: usize = 12;
const NOTES: usize = 8;
/// How many definitions are followed.
const DEPTH: u32 = 12;

/// What tells rows apart.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    base: Base,
    fields: Vec<u32>,
    ty: TypeId,
}

/// What elements are counted from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Base {
    Array(PlaceId),
    Pointer(Source),
}

impl<'v> Rows<'v> {
    /// The rows of a loop.
    pub(crate) fn new(view: &'v View<'v>) -> Self {
        let head = view.head;
        let scope = Scope::of(head);
        let blocks: Vec<BlockId> = scope.blocks().collect();
        let reader = Reader::of_blocks(head.program, head.body, &blocks, Some(scope.live(head)));
        let mut rows = Rows {
            view,
            reader,
            text: text(head.body, &blocks),
            scope,
            rows: Vec::new(),
            strings: Vec::new(),
            positions: FxHashMap::default(),
            bases: FxHashMap::default(),
            once: FxHashMap::default(),
        };
        rows.find_bases();
        rows.find_definitions();
        rows.accesses();
        rows.arguments();
        rows.comparisons();
        rows
    }

    fn find_bases(&mut self) {
        let body = self.reader.body;
        let mut bases = FxHashMap::default();
        let mut walk = Walk::new(body);
        for &place in &self.text.places {
            let Some((key, _)) = self.key(place).filter(|(key, _)| matches!(key.base, Base::Array(_))) else { continue };
            self.walk_base(place, &mut walk);
            let hidden = |part: &PlaceId| matches!(body.places[*part].kind, PlaceKind::Local(local) if !self.reader.is_visible(local));
            if !walk.take().places.iter().any(hidden) {
                bases.entry(key).or_insert(place);
            }
        }
        self.bases = bases;
    }

    /// Meets everything that the base of an element is made of.
    fn walk_base(&self, place: PlaceId, walk: &mut Walk<'_>) {
        let body = self.reader.body;
        match body.places[self.root(place)].kind {
            PlaceKind::Index(array, _) => walk.place(array),
            PlaceKind::Deref(mut pointer) => {
                while let ExprKind::PointerAdd(base, _) = body.exprs[pointer].kind {
                    pointer = base;
                }
                walk.expr(pointer);
            }
            _ => {}
        }
    }

    fn find_definitions(&mut self) {
        let body = self.reader.body;
        let mut once: FxHashMap<LocalId, Option<ExprId>> = FxHashMap::default();
        for kind in self.commands(true) {
            let Some(place) = kind.place() else { continue };
            let PlaceKind::Local(local) = body.places[place].kind else { continue };
            let value = match kind {
                CommandKind::Assign { src, .. } => Some(*src),
                _ => None,
            };
            once.entry(local).and_modify(|known| *known = None).or_insert(value);
        }
        self.once = once.into_iter().filter_map(|(local, value)| Some((local, value?))).collect();
    }

    /// The blocks of the loop, or those behind it.
    pub(crate) fn blocks(&self, inside: bool) -> impl Iterator<Item = &Block> {
        let blocks = if inside { &self.scope.inside } else { &self.scope.behind };
        blocks.iter().map(|block| &self.view.head.body.blocks[*block])
    }
    /// Their commands without checks.
    fn commands(&self, inside: bool) -> impl Iterator<Item = &CommandKind> {
        let is_check = |kind: &&CommandKind| matches!(kind, CommandKind::Assert(_, check) if check.kind != CheckKind::Assertion);
        self.blocks(inside).flat_map(|block| &block.commands).map(|command| &command.kind).filter(move |kind| !is_check(kind))
    }
    fn decisions(&self, inside: bool) -> impl Iterator<Item = &Terminator> {
        self.blocks(inside).map(|block| &block.terminator)
    }

    /// The outermost element that a scalar is in.
    fn root(&self, place: PlaceId) -> PlaceId {
        let mut root = place;
        while let PlaceKind::Field(base, _) = self.reader.body.places[root].kind {
            root = base;
        }
        root
    }

    /// The row that a place is an element of, and its index.
    fn key(&self, place: PlaceId) -> Option<(Key, Option<Linear>)> {
        let body = self.reader.body;
        let ty = body.places[place].ty;
        if !matches!(self.reader.program.types.get(ty), Type::Bool | Type::Int { .. }) {
            return None;
        }
        let mut fields = Vec::new();
        let mut at = place;
        while let PlaceKind::Field(base, field) = body.places[at].kind {
            fields.push(field);
            at = base;
        }
        let (base, index) = match body.places[at].kind {
            PlaceKind::Index(array, index) => (Base::Array(self.reader.twins.place(array)), self.reader.linear(index)),
            PlaceKind::Deref(pointer) => self.pointed(pointer)?,
            _ => return None,
        };
        // A structure behind a pointer is no row, unless it is one of several.
        let alone = !fields.is_empty() && index.as_ref().is_some_and(|index| *index == Linear::default());
        (!alone).then_some((Key { base, fields, ty }, index))
    }

    fn pointed(&self, pointer: ExprId) -> Option<(Base, Option<Linear>)> {
        let body = self.reader.body;
        let mut pointer = self.reader.resolve(pointer);
        let mut index = Some(Linear::default());
        for _ in 0..DEPTH {
            match body.exprs[pointer].kind {
                ExprKind::PointerAdd(base, by) => {
                    let by = self.reader.linear(by);
                    index = index.zip(by).map(|(index, by)| index.plus(1, &by));
                    pointer = self.reader.resolve(base);
                }
                ExprKind::Load(place) => return Some((Base::Pointer(self.reader.source(place)?), index)),
                ExprKind::AddressOf(place) => {
                    let PlaceKind::Index(array, by) = body.places[place].kind else { return None };
                    let by = self.reader.linear(by);
                    let index = index.zip(by).map(|(index, by)| index.plus(1, &by));
                    return Some((Base::Array(self.reader.twins.place(array)), index));
                }
                _ => return None,
            }
        }
        None
    }

    /// The row that a place is an element of.
    fn row(&mut self, place: PlaceId) -> Option<(usize, Option<Linear>)> {
        let (key, index) = self.key(place)?;
        if let Some(position) = self.positions.get(&key) {
            return Some((*position, index));
        }
        let place = match key.base {
            // The pointer itself is the base, whatever copy of it the loop goes through.
            Base::Pointer(_) => place,
            Base::Array(_) => *self.bases.get(&key)?,
        };
        if self.rows.len() >= ROWS {
            return None;
        }
        let (types, body) = (&self.reader.program.types, self.reader.body);
        let pointer = match key.base {
            Base::Pointer(source) => Some(source),
            Base::Array(_) => None,
        };
        let length = match key.base {
            Base::Array(array) => self.reader.length(array),
            Base::Pointer(_) => None,
        };
        let moves = pointer.is_some_and(|source| self.moves(source));
        let row = Row {
            place,
            ty: key.ty,
            bits: types.bits(key.ty)?,
            step: types.size_of(body.places[self.root(place)].ty)?,
            pointer,
            moves,
            length,
            written: false,
            indices: Vec::new(),
            stores: Vec::new(),
            guards: Vec::new(),
            claims: Vec::new(),
        };
        self.rows.push(row);
        self.positions.insert(key, self.rows.len() - 1);
        Some((self.rows.len() - 1, index))
    }

    fn accesses(&mut self) {
        let body = self.reader.body;
        let mut walk = Walk::new(body);
        self.commands(true).flat_map(CommandKind::exprs).for_each(|expr| walk.expr(expr));
        self.commands(true).filter_map(CommandKind::place).for_each(|place| walk.place(place));
        self.decisions(true).filter_map(Terminator::expr).for_each(|expr| walk.expr(expr));
        for place in walk.take().places {
            if let Some((row, Some(index))) = self.row(place) {
                note(&mut self.rows[row].indices, index, NOTES);
            }
        }
        let stores: Vec<(PlaceId, Option<ExprId>)> = self.commands(true).filter_map(store).collect();
        for (place, value) in stores {
            let Some((row, index)) = self.row(place) else { continue };
            self.rows[row].written = true;
            if let Some((index, value)) = index.zip(value) {
                note(&mut self.rows[row].stores, (index, value), NOTES);
            }
        }
    }

    fn arguments(&mut self) {
        let body = self.reader.body;
        let args = |kind: &CommandKind| match kind {
            CommandKind::Call { args, .. } => args.clone(),
            _ => Vec::new(),
        };
        let args: Vec<ExprId> = self.commands(true).flat_map(args).collect();
        for arg in args.into_iter().filter(|arg| matches!(self.reader.program.types.get(body.exprs[*arg].ty), Type::Pointer(_))) {
            let Some(pointer) = self.handed(arg) else { continue };
            let is_row = self.rows.iter().any(|row| row.is_text() && row.pointer == Some(pointer));
            if !is_row && self.leads_to_text(pointer) {
                let moves = self.moves(pointer);
                note(&mut self.strings, (pointer, moves), NOTES);
            }
        }
    }

    /// The pointer that an argument is, or leads to: a call may look behind it and move it.
    fn handed(&self, arg: ExprId) -> Option<Source> {
        if let ExprKind::AddressOf(place) = self.reader.body.exprs[self.reader.resolve(arg)].kind
            && let Some(source) = self.reader.source(place)
        {
            return Some(source);
        }
        match self.pointed(arg)? {
            (Base::Pointer(pointer), _) => Some(pointer),
            _ => None,
        }
    }

    fn leads_to_text(&self, pointer: Source) -> bool {
        let (program, body) = (self.reader.program, self.reader.body);
        let ty = match pointer {
            Source::Local(local) => body.locals[local].ty,
            Source::Global(global) => program.globals[global].ty,
            Source::Expr(expr) => body.exprs[expr].ty,
        };
        matches!(program.types.get(ty), Type::Pointer(to) if matches!(program.types.get(*to), Type::Int { bits: 8, .. }))
    }

    fn moves(&self, pointer: Source) -> bool {
        self.view.variable(pointer).is_some_and(|variable| variable.changed)
    }

    /// What elements are compared with, in the loop and elsewhere.
    fn comparisons(&mut self) {
        for inside in [true, false] {
            let mut walk = Walk::new(self.reader.body);
            self.commands(inside).flat_map(CommandKind::exprs).for_each(|expr| walk.expr(expr));
            self.decisions(inside).filter_map(Terminator::expr).for_each(|expr| walk.expr(expr));
            for expr in walk.take().exprs {
                if let ExprKind::Binary(op, a, b) = self.reader.body.exprs[expr].kind
                    && op.is_comparison()
                {
                    self.comparison(op, a, b, inside);
                    self.comparison(mirrored(op), b, a, inside);
                }
            }
            let switches: Vec<(ExprId, Vec<u128>)> = self.decisions(inside).filter_map(switch).collect();
            for (value, cases) in switches {
                let ty = self.reader.body.exprs[value].ty;
                for case in cases.into_iter().take(NOTES) {
                    self.compared(BinaryOp::Eq, value, self.reader.program.types.value(ty, case), inside);
                }
            }
        }
    }

    fn comparison(&mut self, op: BinaryOp, element: ExprId, constant: ExprId, inside: bool) {
        let constant = self.reader.constant(constant).or_else(|| match self.reader.body.exprs[constant].kind {
            ExprKind::Zero => Some(0),
            _ => None,
        });
        if let Some(number) = constant {
            self.compared(op, element, number, inside);
        }
    }

    fn compared(&mut self, op: BinaryOp, element: ExprId, number: i128, inside: bool) {
        let Some(place) = self.loaded_element(element) else { return };
        let Some((row, _)) = self.position(place) else { return };
        let row = &mut self.rows[row];
        let Some(values) = Values::compared(&self.reader, row.ty, op, number) else { return };
        note(if inside { &mut row.guards } else { &mut row.claims }, values, NOTES);
    }

    fn position(&self, place: PlaceId) -> Option<(usize, Option<Linear>)> {
        let (key, index) = self.key(place)?;
        Some((*self.positions.get(&key)?, index))
    }

    /// The row that a place is an element of, if the loop accesses it, and its index.
    pub(crate) fn find(&self, place: PlaceId) -> Option<(&Row, Option<Linear>)> {
        let (position, index) = self.position(place)?;
        Some((self.rows.get(position)?, index))
    }

    /// The element that an expression is the value of.
    pub(crate) fn loaded_element(&self, expr: ExprId) -> Option<PlaceId> {
        let mut expr = expr;
        for _ in 0..DEPTH {
            expr = self.reader.resolve(expr);
            let ExprKind::Load(place) = self.reader.body.exprs[expr].kind else { return None };
            match self.reader.body.places[place].kind {
                PlaceKind::Local(local) => expr = *self.once.get(&local)?,
                _ => return Some(place),
            }
        }
        None
    }
}

/// Everything that occurs in some blocks.
fn text(body: &Body, blocks: &[BlockId]) -> Text {
    let mut walk = Walk::new(body);
    for block in blocks.iter().map(|block| &body.blocks[*block]) {
        let kinds = || block.commands.iter().map(|command| &command.kind);
        kinds().flat_map(CommandKind::exprs).chain(block.terminator.expr()).for_each(|expr| walk.expr(expr));
        kinds().filter_map(CommandKind::place).for_each(|place| walk.place(place));
    }
    walk.take()
}

fn store(kind: &CommandKind) -> Option<(PlaceId, Option<ExprId>)> {
    let value = match kind {
        CommandKind::Assign { src, .. } => Some(*src),
        _ => None,
    };
    Some((kind.place()?, value))
}

fn switch(terminator: &Terminator) -> Option<(ExprId, Vec<u128>)> {
    match terminator {
        Terminator::Switch { value, cases, .. } => Some((*value, cases.iter().map(|case| case.low).collect())),
        _ => None,
    }
}

/// The comparison with its sides exchanged.
pub(crate) fn mirrored(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        other => other,
    }
}

//! Looks for variables, conditions, accesses and constants in the text of a loop.

use std::cell::RefCell;
use std::collections::BTreeMap;

use encode::{Aspect, Formula, Head, Linear, Moment, Quantity, Source};
use model::{BinaryOp, BlockId, Body, CheckKind, CommandKind, ExprId, ExprKind, PlaceId, PlaceKind, Terminator, Type};
use pointers::{Cell, Object};
use rustc_hash::{FxHashMap, FxHashSet};

use super::amounts::{self, Amount};
use super::comparison::{compare, comparison};
use super::live::Scope;
use super::reader::{Buffer, Reader};
use super::steps::Decision;
use super::walk::{Text, Walk};
use super::{Access, Condition, Kind, Origin, Pair, Update, Variable, View, callees, claims, steps};

/// No more variables than these, and conditions of one origin.
const VARIABLES: usize = 32;
const CONDITIONS: usize = 24;

impl<'a> View<'a> {
    /// Looks at a loop.
    pub fn new(head: &'a Head<'a, 'a>) -> Self {
        let scope = Scope::of(head);
        let blocks: Vec<BlockId> = scope.blocks().collect();
        let mut reader = Reader::of_blocks(head.program, head.body, &blocks, Some(scope.live(head)));
        let texts = Texts::of(head, &scope);
        let mut miner = Miner::new(head, &mut reader, &texts);
        miner.conditions(&texts);
        miner.accesses(&texts);
        miner.updates(&head.region.blocks);
        miner.switches(&head.region.blocks);
        miner.remainders(&texts);
        callees::mine(&mut miner);
        let claims = claims::find(head, &scope, |condition| miner.literal(condition));
        miner.finish(claims)
    }
}

/// The parts of the function that are told apart.
struct Texts {
    /// What decides whether the loop is left.
    exit: Text,
    /// What the loop asserts and assumes.
    asserted: Text,
    /// The loop, without checks.
    inside: Text,
    /// What is asserted behind the loop.
    asserted_behind: Text,
    /// Behind the loop, without checks.
    behind: Text,
    /// The loop's checks.
    checks: Text,
}

impl Texts {
    fn of(head: &Head<'_, '_>, scope: &Scope) -> Self {
        let body = head.body;
        let mut exit = Walk::new(body);
        let leaving = head.region.exits.iter().filter_map(|(from, _)| body.blocks[*from].terminator.expr());
        leaving.for_each(|expr| exit.expr(expr));
        Texts {
            exit: exit.take(),
            asserted: commands(body, &scope.inside, is_asserted, false),
            inside: commands(body, &scope.inside, is_plain, true),
            asserted_behind: commands(body, &scope.behind, is_asserted, false),
            behind: commands(body, &scope.behind, is_plain, true),
            checks: commands(body, &scope.inside, is_range_check, false),
        }
    }
}

/// Whether a command is a check that was added to the program.
pub(super) fn is_check(kind: &CommandKind) -> bool {
    matches!(kind, CommandKind::Assert(_, check) if check.kind != CheckKind::Assertion)
}
/// Whether it is one that says between which numbers a value must be.
fn is_range_check(kind: &CommandKind) -> bool {
    let is_range = |kind| matches!(kind, CheckKind::Bounds | CheckKind::Division | CheckKind::Shift | CheckKind::Conversion);
    matches!(kind, CommandKind::Assert(_, check) if is_range(check.kind))
}
fn is_asserted(kind: &CommandKind) -> bool {
    matches!(kind, CommandKind::Assert(..) | CommandKind::Assume(_)) && !is_check(kind)
}
fn is_plain(kind: &CommandKind) -> bool {
    !is_check(kind)
}

/// What some commands of blocks are made of, and, if wanted, what decides where control goes.
pub(crate) fn commands(body: &Body, blocks: &[BlockId], wanted: impl Fn(&CommandKind) -> bool, terminators: bool) -> Text {
    let mut walk = Walk::new(body);
    for block in blocks.iter().map(|block| &body.blocks[*block]) {
        for kind in block.commands.iter().map(|command| &command.kind).filter(|kind| wanted(kind)) {
            kind.exprs().for_each(|expr| walk.expr(expr));
            kind.place().into_iter().for_each(|place| walk.place(place));
        }
        block.terminator.expr().into_iter().filter(|_| terminators).for_each(|expr| walk.expr(expr));
    }
    walk.take()
}

/// A view that grows.
pub(super) struct Miner<'a, 'r> {
    pub(super) head: &'a Head<'a, 'a>,
    reader: &'r mut Reader<'a>,
    variables: Vec<Variable>,
    positions: FxHashMap<Source, usize>,
    accesses: Vec<Access>,
    conditions: Vec<Condition>,
    pairs: BTreeMap<(usize, usize), (usize, Vec<i128>)>,
    /// What the loop's own blocks do to variables, in order.
    moves: Vec<(BlockId, usize, Update)>,
    /// What is added to variables where that is no constant.
    sums: Vec<(usize, Amount)>,
    moduli: Vec<(usize, u64)>,
    /// Which places the loop may change, as far as it was asked.
    changes: RefCell<FxHashMap<PlaceId, bool>>,
}

impl<'a, 'r> Miner<'a, 'r> {
    fn new(head: &'a Head<'a, 'a>, reader: &'r mut Reader<'a>, texts: &Texts) -> Self {
        let mut miner = Miner {
            head,
            reader,
            variables: Vec::new(),
            positions: FxHashMap::default(),
            accesses: Vec::new(),
            conditions: Vec::new(),
            pairs: BTreeMap::new(),
            moves: Vec::new(),
            sums: Vec::new(),
            moduli: Vec::new(),
            changes: RefCell::default(),
        };
        let inside = texts.inside.places.iter();
        let places: Vec<PlaceId> = inside.chain(&texts.asserted_behind.places).chain(&texts.behind.places).copied().collect();
        for place in places {
            miner.add_place(place);
        }
        for cell in head.written {
            if let Object::Global(global) = cell.object
                && let Some(source) = miner.reader.global(global)
            {
                miner.add(source, true);
            }
        }
        miner.know_constants();
        miner
    }

    fn add_place(&mut self, place: PlaceId) {
        if let Some(source) = self.reader.source(place)
            && !self.positions.contains_key(&source)
        {
            let changed = self.is_changed(place);
            // Where the way to it changes, it is another one each time.
            if !matches!(source, Source::Expr(_)) || !self.moves_about(place) {
                self.add(source, changed);
            }
        }
    }
    /// Adds a variable, or finds it.
    pub(super) fn add(&mut self, source: Source, changed: bool) -> Option<usize> {
        if let Some(position) = self.positions.get(&source) {
            return Some(*position);
        }
        let kind = self.kind(source)?;
        let entry = self.head.constants.iter().find(|(known, _)| *known == source).map(|(_, value)| *value);
        self.positions.insert(source, self.variables.len());
        self.variables.push(Variable {
            source,
            kind,
            changed,
            index: false,
            compared: false,
            exit: false,
            entry,
            constants: Vec::new(),
            updates: Vec::new(),
            step: None,
        });
        Some(self.variables.len() - 1)
    }
    fn kind(&self, source: Source) -> Option<Kind> {
        let ty = match source {
            Source::Local(local) => self.head.body.locals.get(local)?.ty,
            Source::Global(global) => self.head.program.globals.get(global)?.ty,
            Source::Expr(expr) => self.head.body.exprs.get(expr)?.ty,
        };
        match *self.head.program.types.get(ty) {
            Type::Bool => Some(Kind::Bool),
            Type::Int { bits, signed } => Some(Kind::Integer { bits, signed }),
            Type::Pointer(_) => Some(Kind::Pointer { element: self.reader.element_size(ty)? }),
            _ => None,
        }
    }
    /// Whether the loop may write what a place holds.
    fn is_changed(&self, place: PlaceId) -> bool {
        let head = self.head;
        if let PlaceKind::Local(local) = head.body.places[place].kind
            && head.changed.contains(&local)
        {
            return true;
        }
        let place = self.reader.twins.place(place);
        if let Some(known) = self.changes.borrow().get(&place) {
            return *known;
        }
        let changed = self.is_written(place);
        self.changes.borrow_mut().insert(place, changed);
        changed
    }
    fn is_written(&self, place: PlaceId) -> bool {
        let head = self.head;
        let cells = head.analysis.accessed(head.function, place);
        cells.iter().any(|cell| head.written.iter().any(|written| self.overlap(cell, written)))
    }
    fn overlap(&self, cell: &Cell, written: &Cell) -> bool {
        let outside = |a: &Cell, b: &Cell| a.object == Object::External && self.head.analysis.escapes(b.object);
        let meet = || cell.offsets.overlap(cell.size, written.offsets, written.size).any();
        cell.object == written.object && meet() || outside(cell, written) || outside(written, cell)
    }
    /// Whether the loop may change what leads to a place.
    fn moves_about(&self, place: PlaceId) -> bool {
        let mut walk = Walk::new(self.head.body);
        walk.place(place);
        walk.take().places.iter().any(|part| *part != place && self.is_scalar(*part) && self.is_changed(*part))
    }
    fn is_scalar(&self, place: PlaceId) -> bool {
        self.head.program.types.is_scalar(self.head.body.places[place].ty)
    }
    /// What is constant and stays so is a number, not a variable.
    fn know_constants(&mut self) {
        let known = |variable: &Variable| Some((variable.source, variable.entry.filter(|_| !variable.changed)?));
        let known: Vec<(Source, i128)> = self.variables.iter().filter_map(known).collect();
        let sources: FxHashSet<Source> = known.iter().map(|(source, _)| *source).collect();
        self.variables.retain(|variable| !sources.contains(&variable.source));
        self.positions = self.variables.iter().enumerate().map(|(position, variable)| (variable.source, position)).collect();
        self.reader.know(known);
    }

    fn conditions(&mut self, texts: &Texts) {
        let mut seen = FxHashSet::default();
        let parts = [
            (Origin::Exit, &texts.exit),
            (Origin::Assertion, &texts.asserted),
            (Origin::Assertion, &texts.asserted_behind),
            (Origin::Loop, &texts.inside),
            (Origin::Behind, &texts.behind),
            (Origin::Check, &texts.checks),
        ];
        let mut walk = Walk::new(self.head.body);
        for (origin, text) in parts {
            let mut room = CONDITIONS;
            for &expr in &text.exprs {
                if room == 0 {
                    break;
                }
                if self.is_atom(expr) && seen.insert(self.reader.twins.expr(expr)) {
                    room -= usize::from(self.condition(expr, origin, &mut walk));
                }
            }
        }
    }
    /// Whether an expression is a truth value that is not made of others.
    fn is_atom(&self, expr: ExprId) -> bool {
        match self.head.body.exprs[expr].kind {
            ExprKind::Binary(op, a, _) => op.is_comparison() && !self.is_truth(a),
            ExprKind::SameObject(..) => true,
            _ => false,
        }
    }
    /// Whether an integer is a converted truth value.
    fn is_truth(&self, expr: ExprId) -> bool {
        let ExprKind::Cast(inner) = self.head.body.exprs[expr].kind else { return false };
        matches!(self.head.program.types.get(self.head.body.exprs[inner].ty), Type::Bool)
            && !matches!(self.head.body.exprs[inner].kind, ExprKind::Load(_))
    }
    fn condition(&mut self, expr: ExprId, origin: Origin, walk: &mut Walk<'_>) -> bool {
        let comparison = compare(self.reader, expr);
        let askable = self.is_askable(expr, walk);
        let varies = |(sum, _): &(Linear, BinaryOp)| {
            sum.parts.iter().any(|(_, quantity)| self.position(*quantity).is_some_and(|position| self.variables[position].changed))
        };
        let comparison = comparison.filter(varies);
        if let Some((sum, _)) = &comparison {
            self.compared(sum, origin);
        }
        let useful = askable || comparison.is_some();
        if useful {
            let exact = comparison.is_some() && self.is_plain_comparison(expr);
            self.conditions.push(Condition { expr: self.reader.twins.expr(expr), origin, askable, comparison, exact });
        }
        useful
    }
    /// Whether an expression compares variables and constants as they are: nothing is converted, nothing can wrap.
    fn is_plain_comparison(&self, expr: ExprId) -> bool {
        let body = self.head.body;
        let is_plain = |operand: ExprId| {
            let integer = matches!(self.head.program.types.get(body.exprs[operand].ty), Type::Int { .. });
            integer && matches!(body.exprs[operand].kind, ExprKind::Load(_) | ExprKind::Int(_))
        };
        body.exprs[expr].kind.operands().all(is_plain)
    }
    /// A condition as a formula, if it can be said at the head.
    fn literal(&self, expr: ExprId) -> Option<Formula> {
        let mut walk = Walk::new(self.head.body);
        walk.expr(expr);
        if !walk.take().places.iter().any(|place| self.is_hidden(*place)) {
            return Some(Formula::Holds(self.reader.twins.expr(expr)));
        }
        let (sum, op) = compare(self.reader, expr)?;
        Some(comparison(&sum, op)?.0)
    }
    fn is_hidden(&self, place: PlaceId) -> bool {
        matches!(self.head.body.places[place].kind, PlaceKind::Local(local) if !self.reader.is_visible(local))
    }
    /// Whether an expression can be asked at the head, and its value may change in the loop.
    fn is_askable(&self, expr: ExprId, walk: &mut Walk<'_>) -> bool {
        walk.expr(expr);
        let places = walk.take().places;
        let varies = |place: &PlaceId| self.is_scalar(*place) && self.is_changed(*place);
        !places.iter().any(|place| self.is_hidden(*place)) && places.iter().any(varies)
    }
    fn position(&self, quantity: Quantity) -> Option<usize> {
        match quantity {
            Quantity::Of(source, _, _) => self.positions.get(&source).copied(),
            Quantity::Iterations | Quantity::Result => None,
        }
    }
    /// Notes what is compared with what.
    pub(super) fn compared(&mut self, sum: &Linear, origin: Origin) {
        for (_, quantity) in &sum.parts {
            if let Some(position) = self.position(*quantity) {
                self.variables[position].compared = true;
                self.variables[position].exit |= origin == Origin::Exit;
            }
        }
        match sum.parts[..] {
            [(factor @ (1 | -1), quantity)] => {
                let limit = sum.constant.saturating_mul(-i128::from(factor));
                if let Some(position) = self.position(quantity) {
                    self.constant(position, &[limit.saturating_sub(1), limit, limit.saturating_add(1)]);
                }
            }
            [(1, a), (-1, b)] => self.pair(a, b, Some(sum.constant.saturating_neg())),
            [(-1, a), (1, b)] => self.pair(a, b, Some(sum.constant)),
            _ => self.pair_all(sum),
        }
    }
    pub(super) fn constant(&mut self, position: usize, values: &[i128]) {
        self.variables[position].constants.extend(values);
    }
    fn pair_all(&mut self, sum: &Linear) {
        for (i, (_, a)) in sum.parts.iter().enumerate().take(4) {
            for (_, b) in sum.parts.iter().skip(i + 1).take(4) {
                self.pair(*a, *b, None);
            }
        }
    }
    /// Notes that two quantities occur together, and what their difference is compared with.
    fn pair(&mut self, a: Quantity, b: Quantity, difference: Option<i128>) {
        let (Some(a), Some(b)) = (self.position(a), self.position(b)) else { return };
        let (key, difference) = if a < b { ((a, b), difference) } else { ((b, a), difference.map(i128::saturating_neg)) };
        if a != b {
            let number = self.pairs.len();
            self.pairs.entry(key).or_insert((number, Vec::new())).1.extend(difference);
        }
    }

    fn accesses(&mut self, texts: &Texts) {
        let mut found: Vec<Access> = Vec::new();
        for &place in &texts.inside.places {
            found.extend(self.element(place));
        }
        for &expr in &texts.inside.exprs {
            found.extend(self.moved(expr));
        }
        for access in found {
            let known = |other: &Access| (other.buffer, other.element, &other.index) == (access.buffer, access.element, &access.index);
            if self.accesses.iter().any(known) {
                continue;
            }
            self.accessed(&access);
            self.accesses.push(access);
        }
    }
    /// The access that a place is.
    fn element(&self, place: PlaceId) -> Option<Access> {
        let body = self.head.body;
        let (buffer, index) = match body.places[place].kind {
            PlaceKind::Index(array, index) => (Buffer::Array(self.reader.length(array)?), self.reader.linear(index)?),
            PlaceKind::Deref(pointer) => self.reader.buffer(pointer)?,
            _ => return None,
        };
        let element = self.head.program.types.size_of(body.places[place].ty)?;
        Some(Access { buffer, element, index, place: Some(self.reader.twins.place(place)) })
    }
    /// A pointer that is moved by a variable: it may be accessed elsewhere.
    fn moved(&self, expr: ExprId) -> Option<Access> {
        let body = self.head.body;
        if !matches!(body.exprs[expr].kind, ExprKind::PointerAdd(..)) {
            return None;
        }
        let (buffer, index) = self.reader.buffer(expr)?;
        let element = self.reader.element_size(body.exprs[expr].ty)?;
        (!index.parts.is_empty()).then_some(Access { buffer, element, index, place: None })
    }
    fn accessed(&mut self, access: &Access) {
        for (_, quantity) in &access.index.parts {
            let Some(position) = self.position(*quantity) else { continue };
            self.variables[position].index = true;
            match access.buffer {
                Buffer::Array(length) => self.constant(position, &[i128::from(length), i128::from(length) - 1]),
                Buffer::Pointer(source) => self.pair(*quantity, Quantity::Of(source, Aspect::Offset, Moment::Now), None),
            }
        }
        self.pair_all(&access.index);
    }

    fn updates(&mut self, blocks: &[BlockId]) {
        for &block in blocks {
            for command in &self.head.body.blocks[block].commands {
                let Some(place) = command.kind.place() else { continue };
                let Some(source) = self.reader.source(place) else { continue };
                let Some(position) = self.positions.get(&source).copied() else { continue };
                let value = match command.kind {
                    CommandKind::Assign { src, .. } => self.reader.linear(src),
                    _ => None,
                };
                let update = self.update(position, value.as_ref());
                if let (Update::Other, CommandKind::Assign { src, .. }) = (update, &command.kind) {
                    self.sums.extend(amounts::added(self.reader, source, *src).map(|amount| (position, amount)));
                }
                self.variables[position].changed = true;
                self.moves.push((block, position, update));
                if let Some(value) = value {
                    self.pair_all(&value.plus(1, &self.variables[position].now()));
                }
            }
        }
    }
    /// What setting a variable to a sum does to it.
    pub(super) fn update(&mut self, position: usize, value: Option<&Linear>) -> Update {
        let variable = &mut self.variables[position];
        let update = match value {
            Some(value) if value.parts.is_empty() => Update::Set(value.constant),
            Some(value) => {
                let change = value.clone().minus(&variable.now());
                if change.parts.is_empty() { Update::Step(change.constant) } else { Update::Other }
            }
            None => Update::Other,
        };
        if let Update::Set(value) = update {
            variable.constants.push(value);
        }
        variable.updates.push(update);
        update
    }
    /// Divisors of remainders, and what low bits are cut off with.
    fn remainders(&mut self, texts: &Texts) {
        for &expr in texts.inside.exprs.iter().chain(&texts.behind.exprs) {
            let ExprKind::Binary(op, a, b) = self.head.body.exprs[expr].kind else { continue };
            let modulus = match op {
                BinaryOp::Rem => self.reader.constant(b),
                BinaryOp::And => {
                    self.reader.constant(b).and_then(|mask| mask.checked_add(1)).filter(|modulus| modulus & (modulus - 1) == 0)
                }
                _ => continue,
            };
            let Some(modulus) = modulus.and_then(|modulus| u64::try_from(modulus).ok()).filter(|modulus| *modulus > 1) else { continue };
            let Some(sum) = self.reader.linear(a) else { continue };
            let [(_, quantity)] = sum.parts[..] else { continue };
            if let Some(position) = self.position(quantity)
                && !self.moduli.contains(&(position, modulus))
            {
                self.moduli.push((position, modulus));
            }
        }
    }
    /// Notes that a called function changes a variable: when and how often is not known.
    pub(super) fn note_called(&mut self, position: usize) {
        self.moves.push((self.head.region.header, position, Update::Other));
    }
    /// The cases of a switch are numbers that its value is compared with.
    fn switches(&mut self, blocks: &[BlockId]) {
        for &block in blocks {
            let Terminator::Switch { value, cases, .. } = &self.head.body.blocks[block].terminator else { continue };
            let Some(source) = self.reader.loaded(*value) else { continue };
            let Some(position) = self.positions.get(&source).copied() else { continue };
            let ty = self.head.body.exprs[*value].ty;
            self.variables[position].compared = true;
            for case in cases.iter().take(CONDITIONS) {
                self.constant(position, &[self.head.program.types.value(ty, case.low)]);
            }
        }
    }

    fn finish(mut self, claims: Vec<Formula>) -> View<'a> {
        for variable in &mut self.variables {
            variable.constants.sort_unstable();
            variable.constants.dedup();
            variable.updates.sort_unstable();
            variable.updates.dedup();
        }
        let mut order: Vec<usize> = (0..self.variables.len()).filter(|position| self.is_interesting(*position)).collect();
        order.sort_by_key(|position| std::cmp::Reverse(self.variables[*position].interest()));
        order.truncate(VARIABLES);
        let mut places = vec![None; self.variables.len()];
        order.iter().enumerate().for_each(|(new, old)| places[*old] = Some(new));
        let moves: Vec<(BlockId, usize, Update)> =
            self.moves.iter().filter_map(|(block, old, update)| Some((*block, places[*old]?, *update))).collect();
        let decisions = self.decisions(&places);
        let mut pairs: Vec<(usize, Pair)> = Vec::new();
        for ((a, b), (number, mut constants)) in std::mem::take(&mut self.pairs) {
            let (Some(a), Some(b)) = (places[a], places[b]) else { continue };
            if a > b {
                constants.iter_mut().for_each(|constant| *constant = constant.saturating_neg());
            }
            constants.sort_unstable();
            constants.dedup();
            pairs.push((number, Pair { first: a.min(b), second: a.max(b), constants }));
        }
        pairs.sort_by_key(|(number, _)| *number);
        let mut view = View {
            head: self.head,
            variables: order.iter().map(|position| self.variables[*position].clone()).collect(),
            accesses: self.accesses,
            conditions: self.conditions,
            pairs: pairs.into_iter().map(|(_, pair)| pair).collect(),
            balances: Vec::new(),
            drifts: Vec::new(),
            moves: self.sums.into_iter().filter_map(|(old, by)| Some((places[old]?, by))).collect(),
            claims,
            moduli: self.moduli.iter().filter_map(|(old, modulus)| Some((places[*old]?, *modulus))).collect(),
        };
        steps::find(&mut view, &moves, &decisions);
        view
    }
    /// The branches of the loop that compare one variable with a number; `places` are the positions that variables get.
    fn decisions(&self, places: &[Option<usize>]) -> Vec<Decision> {
        let decision = |block: &BlockId| {
            let Terminator::Branch(condition, ..) = self.head.body.blocks[*block].terminator else { return None };
            let (sum, op) = compare(self.reader, condition)?;
            let [(factor, quantity)] = sum.parts[..] else { return None };
            let position = places[self.position(quantity)?]?;
            Some(Decision { block: *block, position, factor: i128::from(factor), constant: sum.constant, op })
        };
        self.head.region.blocks.iter().filter_map(decision).collect()
    }
    /// Whether a variable says something about the loop: it changes, or it occurs with one that does.
    fn is_interesting(&self, position: usize) -> bool {
        let variable = &self.variables[position];
        let partner =
            |(a, b): &(usize, usize)| *a == position && self.variables[*b].changed || *b == position && self.variables[*a].changed;
        variable.changed || variable.is_pointer() || self.pairs.keys().any(partner)
    }
}

impl Variable {
    /// How much the loop seems to be about it.
    fn interest(&self) -> u32 {
        let marks = [(self.changed, 8), (self.exit, 4), (self.index, 4), (self.compared, 2), (!matches!(self.source, Source::Expr(_)), 1)];
        marks.iter().filter(|(mark, _)| *mark).map(|(_, weight)| weight).sum()
    }
}

//! How a function treats the objects that it makes, and their field.

use std::cell::Cell as Slot;
use std::collections::{BTreeMap, BTreeSet};

use model::{
    BinaryOp, BlockId, Body, Callee, CommandKind, ExprId, ExprKind, FlowGraph, FunctionId, LocalId, PlaceId, PlaceKind, Terminator, Type,
};
use pointers::Site;

use super::state::{Held, Origin, State, Value};
use super::{Links, Order};

/// Something is not as it should be, or is not understood.
pub(super) struct Refused;

/// What a function is known to return: null, or the address of an object that it has made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Maker {
    /// Whether memory may hold the object, or a younger one.
    memory: bool,
    /// Whether its field may not be written yet.
    pub(super) blank: bool,
}

/// What a way back to the caller returns.
#[derive(Clone, Copy)]
enum Returned {
    Null,
    Made(Maker),
    Other,
}

/// The analysis of one function.
pub(super) struct Flow<'a> {
    links: &'a Links<'a>,
    function: FunctionId,
    body: &'a Body,
    /// The order that stores must keep, if any.
    order: Option<Order>,
    refused: Slot<bool>,
}

impl<'a> Flow<'a> {
    pub(super) fn new(links: &'a Links<'a>, function: FunctionId, body: &'a Body, order: Option<Order>) -> Self {
        Flow { links, function, body, order, refused: Slot::new(false) }
    }

    /// Whether every store to the field keeps the order, no object is seen before its field is written, and none is waiting for that at a head.
    pub(super) fn is_right(&self, head: Option<BlockId>) -> bool {
        let states = self.states();
        !self.refused.get() && head.and_then(|head| states.get(&head)).is_none_or(|state| !state.is_waiting())
    }

    /// What the function returns, if that is always an object that it has made. In which order it stores them does not matter.
    pub(super) fn maker(&self) -> Option<Maker> {
        let mut maker: Option<Maker> = None;
        for (block, mut state) in self.states() {
            let is_right = self.block(&mut state, block).is_ok() && !self.refused.get();
            let Terminator::Return(value) = self.body.blocks[block].terminator else { continue };
            match self.returned(&state, value) {
                Returned::Null => {}
                Returned::Made(one) if is_right => {
                    let known = maker.get_or_insert(one);
                    known.memory |= one.memory;
                    known.blank |= one.blank;
                }
                Returned::Made(_) | Returned::Other => return None,
            }
        }
        maker
    }

    /// What is known at the beginning of each block.
    fn states(&self) -> BTreeMap<BlockId, State> {
        let flow = FlowGraph::new(self.body);
        let mut states: BTreeMap<BlockId, State> = BTreeMap::from([(Body::ENTRY, State::default())]);
        let mut open = BTreeSet::from([Body::ENTRY]);
        while let Some(block) = open.pop_first() {
            let Some(mut state) = states.get(&block).cloned() else { continue };
            if self.block(&mut state, block).is_err() {
                self.refused.set(true);
            }
            for &next in flow.successors(block) {
                let mut state = state.clone();
                self.decided(&mut state, block, next);
                let joined = states.get(&next).map_or_else(|| state.clone(), |known| known.joined(&state));
                if states.get(&next) != Some(&joined) {
                    states.insert(next, joined);
                    open.insert(next);
                }
            }
        }
        states
    }

    /// What a branch tells of a variable that it compares with null.
    fn decided(&self, state: &mut State, block: BlockId, next: BlockId) {
        let Terminator::Branch(condition, yes, no) = self.body.blocks[block].terminator else { return };
        let ExprKind::Binary(op, a, b) = self.body.exprs[condition].kind else { return };
        let null_at = match op {
            BinaryOp::Eq => yes,
            BinaryOp::Ne => no,
            _ => return,
        };
        let is_null = |expr: ExprId| self.value(state, expr).held == Some(Held::Null) && self.value(state, expr).copy.is_none();
        let local = match (is_null(a), is_null(b)) {
            (true, false) => self.value(state, b).copy,
            (false, true) => self.value(state, a).copy,
            _ => None,
        };
        if let Some(local) = local.filter(|_| yes != no && next == null_at) {
            state.is_null(local);
        }
    }

    fn block(&self, state: &mut State, block: BlockId) -> Result<(), Refused> {
        let data = &self.body.blocks[block];
        let mut result = Ok(());
        for (command, data) in data.commands.iter().enumerate() {
            let places = data.kind.place();
            let looks = self.looks(state, data.kind.exprs().collect(), places.into_iter().collect());
            let does = self.command(state, Site { function: self.function, block, command }, &data.kind);
            result = result.and(looks).and(does);
        }
        let looks = self.looks(state, data.terminator.expr().into_iter().collect(), Vec::new());
        let leaves = match data.terminator {
            Terminator::Return(value) if state.is_waiting() && self.order.is_some() => self.leaves(state, value),
            _ => Ok(()),
        };
        result.and(looks).and(leaves)
    }

    /// A function that returns an object whose field is not written yet must be known for that.
    fn leaves(&self, state: &State, value: Option<ExprId>) -> Result<(), Refused> {
        let known = self.links.makers.get(&self.function).is_some_and(|maker| maker.blank);
        let returned = value.and_then(|value| self.value(state, value).copy);
        if known && returned.is_some_and(|local| state.waits_only_for(local)) { Ok(()) } else { Err(Refused) }
    }

    fn returned(&self, state: &State, value: Option<ExprId>) -> Returned {
        let value = value.map_or_else(Value::unknown, |value| self.value(state, value));
        match (value.held, value.copy) {
            (Some(Held::Null), _) => Returned::Null,
            (Some(Held::Newest(site)), Some(local)) if state.waits_only_for(local) => {
                Returned::Made(Maker { memory: state.is_in_memory(site), blank: state.is_waiting() })
            }
            _ => Returned::Other,
        }
    }

    /// What is read meanwhile: not the field, as long as it may not be written. Of a place that is written, only what leads there is read.
    fn looks(&self, state: &State, mut exprs: Vec<ExprId>, mut places: Vec<PlaceId>) -> Result<(), Refused> {
        if !state.is_waiting() {
            return Ok(());
        }
        let (mut seen, mut seen_places) = (BTreeSet::new(), BTreeSet::new());
        while !exprs.is_empty() || !places.is_empty() {
            if let Some(place) = places.pop()
                && seen_places.insert(place)
            {
                places.extend(self.body.places[place].kind.base());
                exprs.extend(self.body.places[place].kind.operand());
            }
            let Some(expr) = exprs.pop() else { continue };
            if !seen.insert(expr) {
                continue;
            }
            let kind = &self.body.exprs[expr].kind;
            exprs.extend(kind.operands());
            match *kind {
                ExprKind::Load(place) if self.links.is_touched(self.function, place) && self.linked(state, place).is_none() => {
                    return Err(Refused);
                }
                ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Initialised(place) => places.push(place),
                _ => {}
            }
        }
        Ok(())
    }

    fn command(&self, state: &mut State, site: Site, kind: &CommandKind) -> Result<(), Refused> {
        match kind {
            CommandKind::Unsupported(_) => return Err(Refused),
            CommandKind::Assume(_) | CommandKind::Assert(..) => {}
            CommandKind::Live(local) | CommandKind::LiveArray(local, _) | CommandKind::Dead(local) => {
                state.assign(*local, &Value::unknown())?;
            }
            CommandKind::Assign { dst, src } => {
                let value = self.value(state, *src);
                self.write(state, *dst, &value)?;
            }
            CommandKind::Call { .. } | CommandKind::Alloca(..) if self.links.births.contains(&site) => {
                let made = kind.place().and_then(|place| self.variable(place)).ok_or(Refused)?;
                state.bear(site, false);
                state.hold(made, site, !self.links.zeroed.contains(&site))?;
            }
            CommandKind::Call { dst, callee, args } => self.call(state, site, *dst, (*callee, args))?,
            CommandKind::Alloca(place, _) | CommandKind::Havoc(place) | CommandKind::VaArg(place, _) => {
                self.own_writes(site)?;
                self.write(state, *place, &Value::unknown())?;
            }
            CommandKind::VaStart(_) | CommandKind::VaEnd(_) | CommandKind::VaCopy(..) => self.own_writes(site)?,
        }
        Ok(())
    }

    /// A place takes a value.
    fn write(&self, state: &mut State, dst: PlaceId, value: &Value) -> Result<(), Refused> {
        match self.variable(dst) {
            Some(local) => state.assign(local, value),
            None if self.links.is_touched(self.function, dst) => self.store(state, dst, value),
            None => {
                state.remember(&value.origin);
                Ok(())
            }
        }
    }

    /// A store to the field: of null; or of something that was there before into the object that a command made last; or, in the other order, of the
    /// object that a command made last into one that was there before.
    fn store(&self, state: &mut State, dst: PlaceId, value: &Value) -> Result<(), Refused> {
        if !self.links.analysis.accessed(self.function, dst).iter().all(|cell| self.links.is_exactly(cell)) {
            return Err(Refused);
        }
        let pointer = self.pointer(dst).ok_or(Refused)?;
        let through = self.value(state, pointer);
        let keeps = match (value.held, through.held, self.order) {
            (Some(Held::Null), ..) => true,
            (.., None) => true,
            (_, Some(Held::Newest(site)), Some(Order::Older)) => !state.may_be_young(site, &value.origin),
            (Some(Held::Newest(site)), _, Some(Order::Newer)) => !state.may_be_young(site, &through.origin),
            _ => false,
        };
        state.remember(&value.origin);
        state.link(through.copy.zip(value.copy));
        if let Some(local) = through.copy {
            state.fill(local);
        }
        if keeps { Ok(()) } else { Err(Refused) }
    }

    fn call(&self, state: &mut State, site: Site, dst: Option<PlaceId>, (callee, args): (Callee, &[ExprId])) -> Result<(), Refused> {
        let program = self.links.program;
        let mut called = self.links.analysis.callees(site).to_vec();
        if let Callee::Direct(function) = callee {
            called.push(function);
        }
        let known = |function: &FunctionId| program.functions[*function].body.is_some();
        let outside = !called.iter().all(known) || called.is_empty();
        if outside && !self.links.is_filled_with_zeros(self.body, callee, args) {
            self.own_writes(site)?;
        }
        // Who does not read the field does not mind that it may not be written.
        let leads_to =
            |set: &BTreeSet<FunctionId>| called.iter().any(|id| set.contains(id)) || outside && self.links.are_known_outside(set);
        if state.is_waiting() && leads_to(&self.links.readers) {
            return Err(Refused);
        }
        state.link(None);
        let makers: Vec<Maker> = called.iter().filter_map(|function| self.links.makers.get(function).copied()).collect();
        if let (Some(maker), Some(dst)) = (makers.first(), dst)
            && makers.len() == called.len()
            && makers.iter().all(|other| other == maker)
        {
            state.remember(&Origin::unknown());
            state.bear(site, maker.memory);
            return match self.variable(dst) {
                Some(local) => state.hold(local, site, maker.blank),
                None if maker.blank => Err(Refused),
                None => {
                    let made = Value { held: Some(Held::Newest(site)), copy: None, origin: Origin::unknown() };
                    self.write(state, dst, &made)
                }
            };
        }
        if makers.iter().any(|maker| maker.blank) {
            return Err(Refused);
        }
        let mut origin = Origin { memory: true, ..Origin::default() };
        for &arg in args {
            self.sources(arg, &mut origin);
        }
        origin.other = leads_to(&self.links.makes);
        state.remember(&origin);
        let result = Value { held: None, copy: None, origin };
        dst.map_or(Ok(()), |dst| self.write(state, dst, &result))
    }

    /// A command whose effect is not looked at closely must not touch the field.
    fn own_writes(&self, site: Site) -> Result<(), Refused> {
        let cells = self.links.writes.of_command(self.links.analysis, site);
        if cells.iter().any(|cell| self.links.touches(cell)) { Err(Refused) } else { Ok(()) }
    }

    /// The variable that a place is, if nothing points to it.
    fn variable(&self, place: PlaceId) -> Option<LocalId> {
        match self.body.places[place].kind {
            PlaceKind::Local(local) if !self.links.analysis.address_taken(self.function, local) => Some(local),
            _ => None,
        }
    }

    /// The variable that holds what a place does, if that is the field of an object that was given its value.
    fn linked(&self, state: &State, place: PlaceId) -> Option<LocalId> {
        let cells = self.links.analysis.accessed(self.function, place);
        let is_field = cells.iter().all(|cell| self.links.offsets.contains_key(&cell.object) && self.links.is_exactly(cell));
        let pointer = self.pointer(place).filter(|_| is_field)?;
        let ExprKind::Load(pointer) = self.body.exprs[pointer].kind else { return None };
        state.field(self.variable(pointer)?)
    }

    /// The pointer through which a place is accessed, if it is a field of what that leads to.
    fn pointer(&self, mut place: PlaceId) -> Option<ExprId> {
        while let PlaceKind::Field(base, _) = self.body.places[place].kind {
            place = base;
        }
        match self.body.places[place].kind {
            PlaceKind::Deref(pointer) => Some(pointer),
            _ => None,
        }
    }

    /// What is known of a value; another type of a pointer does not matter.
    fn value(&self, state: &State, mut expr: ExprId) -> Value {
        let mut origin = Origin::default();
        self.sources(expr, &mut origin);
        let is_pointer = |expr: ExprId| matches!(self.links.program.types.get(self.body.exprs[expr].ty), Type::Pointer(_));
        while let ExprKind::Cast(inner) = self.body.exprs[expr].kind
            && is_pointer(expr)
            && is_pointer(inner)
        {
            expr = inner;
        }
        let (held, copy) = match self.body.exprs[expr].kind {
            ExprKind::Int(0) | ExprKind::Zero => (Some(Held::Null), None),
            ExprKind::Load(place) => {
                let copy = self.variable(place).or_else(|| self.linked(state, place));
                (copy.and_then(|local| state.held(local)), copy)
            }
            _ => (None, None),
        };
        if let Some(copy) = copy {
            origin = Origin { locals: BTreeSet::from([copy]), ..Origin::default() };
        }
        Value { held, copy, origin }
    }

    /// Adds what a value is computed from: a pointer to an object comes from pointers to it.
    fn sources(&self, expr: ExprId, origin: &mut Origin) {
        let (mut exprs, mut seen) = (vec![expr], BTreeSet::new());
        while let Some(expr) = exprs.pop() {
            if !seen.insert(expr) {
                continue;
            }
            let kind = &self.body.exprs[expr].kind;
            exprs.extend(kind.operands());
            match *kind {
                ExprKind::Load(place) => match self.variable(place) {
                    Some(local) => {
                        origin.locals.insert(local);
                    }
                    None => origin.memory = true,
                },
                ExprKind::AddressOf(place) => {
                    let places = std::iter::successors(Some(place), |place| self.body.places[*place].kind.base());
                    exprs.extend(places.filter_map(|place| self.body.places[place].kind.operand()));
                }
                _ => {}
            }
        }
    }
}

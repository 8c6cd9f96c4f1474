//! What the variables of a function hold since an object was made.

use std::collections::{BTreeMap, BTreeSet};

use model::{BlockId, Body, Callee, CommandKind, ExprId, ExprKind, FlowGraph, FunctionId, LocalId, PlaceId, PlaceKind, Terminator, Type};
use pointers::Site;

use super::Links;
use crate::property::callees;

/// What a variable certainly holds. Where ways meet, null does not count: nothing is stored through it without being undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    Null,
    /// The address of the object that a command made last.
    Newest(Site),
}

/// What is known since a command made its last object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Birth {
    /// Variables that may hold something that was not there before.
    young: BTreeSet<LocalId>,
    /// Whether memory may.
    memory: bool,
    /// Whether the field of the object may not be written yet.
    blank: bool,
}

/// What is known at a point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct State {
    held: BTreeMap<LocalId, Held>,
    births: BTreeMap<Site, Birth>,
}

/// Where a value comes from.
#[derive(Clone, Copy)]
enum Origin {
    Null,
    Local(LocalId),
    Global,
    Other,
}

/// Something is not as it should be, or is not understood.
struct Refused;

/// The analysis of one function.
pub(super) struct Flow<'a> {
    links: &'a Links<'a>,
    function: FunctionId,
    body: &'a Body,
}

impl<'a> Flow<'a> {
    pub(super) fn new(links: &'a Links<'a>, function: FunctionId, body: &'a Body) -> Self {
        Flow { links, function, body }
    }

    /// Whether every store to the field is one of something older into the object that was made last, no object is seen before its field is written,
    /// and none is waiting for that at a head.
    pub(super) fn is_right(&self, head: Option<BlockId>) -> bool {
        let flow = FlowGraph::new(self.body);
        let mut states: BTreeMap<BlockId, State> = BTreeMap::from([(Body::ENTRY, State::default())]);
        let mut open = BTreeSet::from([Body::ENTRY]);
        while let Some(block) = open.pop_first() {
            let Some(mut state) = states.get(&block).cloned() else { continue };
            if head == Some(block) && state.is_waiting() || self.block(&mut state, block).is_err() {
                return false;
            }
            for &next in flow.successors(block) {
                let joined = states.get(&next).map_or_else(|| state.clone(), |known| known.joined(&state));
                if states.get(&next) != Some(&joined) {
                    states.insert(next, joined);
                    open.insert(next);
                }
            }
        }
        true
    }

    fn block(&self, state: &mut State, block: BlockId) -> Result<(), Refused> {
        let data = &self.body.blocks[block];
        for (command, data) in data.commands.iter().enumerate() {
            let places = data.kind.place();
            self.looks(state, data.kind.exprs().collect(), places.into_iter().collect())?;
            self.command(state, Site { function: self.function, block, command }, &data.kind)?;
        }
        let looked = match &data.terminator {
            Terminator::Branch(expr, ..) | Terminator::Switch { value: expr, .. } | Terminator::Computed(expr) => Some(*expr),
            Terminator::Return(value) => *value,
            Terminator::Goto(_) | Terminator::Unreachable => None,
        };
        self.looks(state, looked.into_iter().collect(), Vec::new())?;
        let leaves = matches!(data.terminator, Terminator::Return(_));
        if leaves && state.is_waiting() { Err(Refused) } else { Ok(()) }
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
                ExprKind::Load(place) if self.links.is_touched(self.function, place) => return Err(Refused),
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
            CommandKind::Live(local) | CommandKind::LiveArray(local, _) | CommandKind::Dead(local) => state.assign(*local, Origin::Other),
            CommandKind::Assign { dst, src } => self.assign(state, *dst, *src)?,
            CommandKind::Call { .. } | CommandKind::Alloca(..) if self.links.births.contains(&site) => {
                let made = kind.place().and_then(|place| self.variable(place)).ok_or(Refused)?;
                state.bear(site, made)?;
            }
            CommandKind::Call { dst, callee, .. } => self.call(state, site, *dst, *callee)?,
            CommandKind::Alloca(place, _) | CommandKind::Havoc(place) | CommandKind::VaArg(place, _) => {
                self.own_writes(site)?;
                self.write(state, *place, Origin::Other)?;
            }
            CommandKind::VaStart(_) | CommandKind::VaEnd(_) | CommandKind::VaCopy(..) => self.own_writes(site)?,
        }
        Ok(())
    }

    fn assign(&self, state: &mut State, dst: PlaceId, src: ExprId) -> Result<(), Refused> {
        let origin = self.origin(src);
        if self.variable(dst).is_none() && self.links.is_touched(self.function, dst) {
            return self.store(state, dst, origin);
        }
        self.write(state, dst, origin)
    }

    /// A store to the field: through the address of the object that a command made last, of something that was there before.
    fn store(&self, state: &mut State, dst: PlaceId, origin: Origin) -> Result<(), Refused> {
        if !self.links.analysis.accessed(self.function, dst).iter().all(|cell| self.links.is_exactly(cell)) {
            return Err(Refused);
        }
        let mut place = dst;
        while let PlaceKind::Field(base, _) = self.body.places[place].kind {
            place = base;
        }
        let PlaceKind::Deref(pointer) = self.body.places[place].kind else { return Err(Refused) };
        let Origin::Local(through) = self.origin(pointer) else { return Err(Refused) };
        let Some(&Held::Newest(site)) = state.held.get(&through) else { return Err(Refused) };
        let birth = state.births.get_mut(&site).ok_or(Refused)?;
        let is_older = match origin {
            Origin::Null => true,
            Origin::Local(local) => !birth.young.contains(&local),
            Origin::Global => !birth.memory,
            Origin::Other => false,
        };
        birth.blank = false;
        if is_older { Ok(()) } else { Err(Refused) }
    }

    /// Another write, of which the origin of the value is known.
    fn write(&self, state: &mut State, dst: PlaceId, origin: Origin) -> Result<(), Refused> {
        match self.variable(dst) {
            Some(local) => state.assign(local, origin),
            None if self.links.is_touched(self.function, dst) => return Err(Refused),
            None => state.remember(origin),
        }
        Ok(())
    }

    fn call(&self, state: &mut State, site: Site, dst: Option<PlaceId>, callee: Callee) -> Result<(), Refused> {
        let program = self.links.program;
        let mut called = self.links.analysis.callees(site).to_vec();
        if let Callee::Direct(function) = callee {
            called.push(function);
        }
        let known = |function: &FunctionId| program.functions[*function].body.is_some();
        if !called.iter().all(known) || called.is_empty() {
            self.own_writes(site)?;
        }
        if state.is_waiting() && !called.iter().all(|function| self.stays_in_library(*function)) {
            return Err(Refused);
        }
        state.remember(Origin::Other);
        dst.map_or(Ok(()), |dst| self.write(state, dst, Origin::Other))
    }

    /// Whether a function and all that it calls belong to the library, or have no body and know nothing of the objects.
    fn stays_in_library(&self, function: FunctionId) -> bool {
        let program = self.links.program;
        let (mut open, mut seen) = (vec![function], BTreeSet::new());
        while let Some(next) = open.pop() {
            if !seen.insert(next) {
                continue;
            }
            let data = &program.functions[next];
            if data.body.is_some() && !program.is_library(data.span) {
                return false;
            }
            open.extend(callees(program, self.links.analysis, next).map(|(_, callee)| callee));
        }
        true
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

    /// Where a value comes from; another type of the pointer does not matter.
    fn origin(&self, mut expr: ExprId) -> Origin {
        let is_pointer = |expr: ExprId| matches!(self.links.program.types.get(self.body.exprs[expr].ty), Type::Pointer(_));
        while let ExprKind::Cast(inner) = self.body.exprs[expr].kind
            && is_pointer(expr)
            && is_pointer(inner)
        {
            expr = inner;
        }
        match self.body.exprs[expr].kind {
            ExprKind::Int(0) => Origin::Null,
            ExprKind::Load(place) => match (self.variable(place), &self.body.places[place].kind) {
                (Some(local), _) => Origin::Local(local),
                (None, PlaceKind::Global(_)) => Origin::Global,
                _ => Origin::Other,
            },
            _ => Origin::Other,
        }
    }
}

impl State {
    /// Whether there may be an object whose field is not written yet.
    fn is_waiting(&self) -> bool {
        self.births.values().any(|birth| birth.blank)
    }

    /// A command makes an object; its address goes to a variable.
    fn bear(&mut self, site: Site, local: LocalId) -> Result<(), Refused> {
        if self.births.get(&site).is_some_and(|birth| birth.blank) {
            return Err(Refused);
        }
        self.assign(local, Origin::Other);
        self.held.retain(|_, held| *held != Held::Newest(site));
        self.held.insert(local, Held::Newest(site));
        for birth in self.births.values_mut() {
            birth.memory = true;
        }
        self.births.insert(site, Birth { young: BTreeSet::from([local]), memory: false, blank: true });
        Ok(())
    }

    /// A variable takes a value.
    fn assign(&mut self, local: LocalId, origin: Origin) {
        for birth in self.births.values_mut() {
            if birth.may_be_young(origin) {
                birth.young.insert(local);
            } else {
                birth.young.remove(&local);
            }
        }
        let held = match origin {
            Origin::Null => Some(Held::Null),
            Origin::Local(from) => self.held.get(&from).copied(),
            Origin::Global | Origin::Other => None,
        };
        match held {
            Some(held) => self.held.insert(local, held),
            None => self.held.remove(&local),
        };
    }

    /// Memory takes a value.
    fn remember(&mut self, origin: Origin) {
        for birth in self.births.values_mut() {
            birth.memory = birth.may_be_young(origin) || birth.memory;
        }
    }

    /// What is known where two ways meet.
    fn joined(&self, other: &State) -> State {
        let mut births = self.births.clone();
        for (site, birth) in &other.births {
            let known = births.entry(*site).or_default();
            known.young.extend(&birth.young);
            known.memory |= birth.memory;
            known.blank |= birth.blank;
        }
        let meet = |(local, &one): (&LocalId, &Held)| {
            let held = match (one, *other.held.get(local)?) {
                (Held::Null, held) | (held, Held::Null) => held,
                (one, other) if one == other => one,
                _ => return None,
            };
            Some((*local, held))
        };
        State { held: self.held.iter().filter_map(meet).collect(), births }
    }
}

impl Birth {
    fn may_be_young(&self, origin: Origin) -> bool {
        match origin {
            Origin::Null => false,
            Origin::Local(local) => self.young.contains(&local),
            Origin::Global => self.memory,
            Origin::Other => true,
        }
    }
}

//! What is known at a point of a function about the objects that it made.

use std::collections::{BTreeMap, BTreeSet};

use model::LocalId;
use pointers::Site;

use super::flow::Refused;

/// What a variable certainly holds. Where ways meet, null does not count: nothing is stored through it without being undefined, and it may be stored
/// anywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// Null.
    Null,
    /// The address of the object that a command of this call made last, or null.
    Newest(Site),
}

/// What a value is computed from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Origin {
    /// These variables.
    pub(super) locals: BTreeSet<LocalId>,
    /// Something in memory.
    pub(super) memory: bool,
    /// Something that nobody knows.
    pub(super) other: bool,
}

impl Origin {
    /// Anything.
    pub(super) fn unknown() -> Self {
        Origin { other: true, ..Origin::default() }
    }
}

/// A value that is assigned or stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Value {
    /// What it certainly is.
    pub(super) held: Option<Held>,
    /// The variable that it is the value of.
    pub(super) copy: Option<LocalId>,
    /// What it is computed from.
    pub(super) origin: Origin,
}

impl Value {
    /// Anything.
    pub(super) fn unknown() -> Self {
        Value { held: None, copy: None, origin: Origin::unknown() }
    }
}

/// What is known since a command made its last object.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Birth {
    /// Variables that may hold something that was not there before.
    young: BTreeSet<LocalId>,
    /// Whether memory may.
    memory: bool,
}

impl Birth {
    fn may_be_young(&self, origin: &Origin) -> bool {
        origin.other || origin.memory && self.memory || !self.young.is_disjoint(&origin.locals)
    }
}

/// What is known at a point.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct State {
    held: BTreeMap<LocalId, Held>,
    births: BTreeMap<Site, Birth>,
    /// Objects whose field may not be written yet: each is one that all variables of one of these sets point to.
    blanks: BTreeSet<BTreeSet<LocalId>>,
    /// Pairs of variables with the same value, each both ways.
    same: BTreeSet<(LocalId, LocalId)>,
    /// Variables that point to objects whose field holds the value of another variable.
    fields: BTreeMap<LocalId, LocalId>,
}

/// More sets of variables are not looked at.
const BLANKS: usize = 16;

impl State {
    /// Whether there may be an object whose field is not written yet.
    pub(super) fn is_waiting(&self) -> bool {
        !self.blanks.is_empty()
    }

    /// Whether each object whose field is not written yet is the one that a variable points to.
    pub(super) fn waits_only_for(&self, local: LocalId) -> bool {
        self.blanks.iter().all(|holders| holders.contains(&local))
    }

    /// What a variable certainly holds.
    pub(super) fn held(&self, local: LocalId) -> Option<Held> {
        self.held.get(&local).copied()
    }

    /// Whether a value may be one that was not there before a command made its last object.
    pub(super) fn may_be_young(&self, site: Site, origin: &Origin) -> bool {
        self.births.get(&site).is_none_or(|birth| birth.may_be_young(origin))
    }

    /// Whether memory may hold the object that a command made last, or something younger.
    pub(super) fn is_in_memory(&self, site: Site) -> bool {
        self.births.get(&site).is_none_or(|birth| birth.memory)
    }

    /// A command makes an object and does nothing else to memory, or whatever it does makes younger objects known there.
    pub(super) fn bear(&mut self, site: Site, known: bool) {
        self.held.retain(|_, held| *held != Held::Newest(site));
        self.births.insert(site, Birth { young: BTreeSet::new(), memory: known });
    }

    /// A variable takes the address of the object that a command has just made; its field is written, or not yet.
    pub(super) fn hold(&mut self, local: LocalId, site: Site, blank: bool) -> Result<(), Refused> {
        self.assign(local, &Value { held: Some(Held::Newest(site)), ..Value::unknown() })?;
        if blank {
            self.blanks.insert(BTreeSet::from([local]));
        }
        if self.blanks.len() > BLANKS { Err(Refused) } else { Ok(()) }
    }

    /// The variable that the field of the object holds which a variable points to.
    pub(super) fn field(&self, local: LocalId) -> Option<LocalId> {
        self.fields.get(&local).copied()
    }

    /// The field of some object is written: of the one that a variable points to, with the value of a variable, if that is known.
    pub(super) fn link(&mut self, link: Option<(LocalId, LocalId)>) {
        self.fields.clear();
        if let Some((pointer, held)) = link {
            let others = self.same.iter().filter(|(one, _)| *one == pointer).map(|(_, other)| *other);
            self.fields = others.chain([pointer]).map(|pointer| (pointer, held)).collect();
        }
    }

    /// A variable takes a value.
    pub(super) fn assign(&mut self, local: LocalId, value: &Value) -> Result<(), Refused> {
        for birth in self.births.values_mut() {
            if birth.may_be_young(&value.origin) {
                birth.young.insert(local);
            } else {
                birth.young.remove(&local);
            }
        }
        match value.held {
            Some(held) => self.held.insert(local, held),
            None => self.held.remove(&local),
        };
        if value.copy == Some(local) {
            return Ok(());
        }
        self.fields.retain(|pointer, held| *pointer != local && *held != local);
        self.same.retain(|(one, other)| *one != local && *other != local);
        if let Some(from) = value.copy {
            let others: Vec<LocalId> = self.same.iter().filter(|(one, _)| *one == from).map(|(_, other)| *other).collect();
            self.same.extend(others.into_iter().chain([from]).flat_map(|other| [(local, other), (other, local)]));
        }
        let moved = |mut holders: BTreeSet<LocalId>| {
            if value.copy.is_some_and(|from| holders.contains(&from)) {
                holders.insert(local);
            } else {
                holders.remove(&local);
            }
            holders
        };
        self.blanks = std::mem::take(&mut self.blanks).into_iter().map(moved).collect();
        // What nobody knows any more could be read without being noticed.
        if self.blanks.contains(&BTreeSet::new()) { Err(Refused) } else { Ok(()) }
    }

    /// Memory takes a value.
    pub(super) fn remember(&mut self, origin: &Origin) {
        for birth in self.births.values_mut() {
            birth.memory = birth.memory || birth.may_be_young(origin);
        }
    }

    /// The field of the object that a variable points to is written.
    pub(super) fn fill(&mut self, local: LocalId) {
        self.blanks.retain(|holders| !holders.contains(&local));
    }

    /// A variable turns out to be null: then there is no object that it points to.
    pub(super) fn is_null(&mut self, local: LocalId) {
        self.fill(local);
        self.held.insert(local, Held::Null);
    }

    /// What is known where two ways meet.
    pub(super) fn joined(&self, other: &State) -> State {
        let mut births = self.births.clone();
        for (site, birth) in &other.births {
            let known = births.entry(*site).or_default();
            known.young.extend(&birth.young);
            known.memory |= birth.memory;
        }
        let meet = |(local, &one): (&LocalId, &Held)| {
            let held = match (one, *other.held.get(local)?) {
                (Held::Null, held) | (held, Held::Null) => held,
                (one, other) if one == other => one,
                _ => return None,
            };
            Some((*local, held))
        };
        let blanks = self.blanks.union(&other.blanks).cloned().collect();
        let fields = self.fields.iter().filter(|(local, held)| other.fields.get(local) == Some(held)).map(|(local, held)| (*local, *held));
        let same = self.same.intersection(&other.same).copied().collect();
        State { held: self.held.iter().filter_map(meet).collect(), births, blanks, same, fields: fields.collect() }
    }
}

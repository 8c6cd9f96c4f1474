//! What a loop does to variables and memory, as text.

use std::collections::BTreeSet;

use encode::Source;
use model::{Body, Callee, CommandKind, ExprId, ExprKind, LocalId, Loop, PlaceId, PlaceKind, Program};

/// How many steps from a pointer to the variable that it is computed from are followed.
const STEPS: u32 = 12;

/// What the commands of a loop change, by themselves: without what the functions do that it calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Effects {
    /// The places, in the order in which they are written; indices are `..`.
    pub(crate) places: Vec<String>,
    /// The functions that it calls.
    pub(crate) calls: Vec<String>,
    /// Whether the list of places is complete, and means the same in all iterations.
    pub(crate) exact: bool,
}

/// What a loop changes.
pub(crate) fn effects(program: &Program, body: &Body, region: &Loop) -> Effects {
    let commands = || region.blocks.iter().filter_map(|&block| body.blocks.get(block)).flat_map(|block| &block.commands);
    let inside: BTreeSet<LocalId> = commands()
        .filter_map(|command| match command.kind {
            CommandKind::Live(local) | CommandKind::LiveArray(local, _) => Some(local),
            _ => None,
        })
        .collect();
    let mut found = Effects { exact: true, ..Effects::default() };
    let mut written: Vec<PlaceId> = Vec::new();
    for command in commands() {
        match &command.kind {
            CommandKind::Assign { dst, .. } | CommandKind::Havoc(dst) | CommandKind::Alloca(dst, _) => written.push(*dst),
            CommandKind::VaArg(dst, _) => {
                written.push(*dst);
                found.exact = false;
            }
            CommandKind::Call { dst, callee, .. } => {
                written.extend(dst);
                found.exact = false;
                let name = match callee {
                    Callee::Direct(function) => program.functions.get(*function).map_or("", |function| &function.name),
                    Callee::Indirect(_) => "a function through a pointer",
                };
                add(&mut found.calls, name);
            }
            CommandKind::VaStart(_) | CommandKind::VaEnd(_) | CommandKind::VaCopy(..) | CommandKind::Unsupported(_) => found.exact = false,
            _ => {}
        }
    }
    let changed: BTreeSet<LocalId> = written.iter().filter_map(|&place| variable(body, place)).collect();
    for place in written {
        match variable(body, place) {
            Some(local) if inside.contains(&local) || body.locals[local].temporary => continue,
            _ => {}
        }
        let text = Writer { program, body }.place(place, STEPS);
        match text {
            Some(text) => add(&mut found.places, &text),
            None => found.exact = false,
        }
        if pointers(body, place).iter().any(|local| changed.contains(local)) {
            found.exact = false;
        }
    }
    found
}

fn add(list: &mut Vec<String>, text: &str) {
    if !text.is_empty() && !list.iter().any(|known| known == text) {
        list.push(text.to_owned());
    }
}

/// The local variable that a place is a part of.
fn variable(body: &Body, place: PlaceId) -> Option<LocalId> {
    let mut at = place;
    while let Some(base) = body.places.get(at)?.kind.base() {
        at = base;
    }
    match body.places.get(at)?.kind {
        PlaceKind::Local(local) => Some(local),
        _ => None,
    }
}

/// The local variables on the way to what a place's pointers lead to.
fn pointers(body: &Body, place: PlaceId) -> BTreeSet<LocalId> {
    let mut at = place;
    while let Some(base) = body.places.get(at).and_then(|place| place.kind.base()) {
        at = base;
    }
    match body.places.get(at).map(|place| &place.kind) {
        Some(PlaceKind::Deref(pointer)) => locals(body, *pointer),
        _ => BTreeSet::new(),
    }
}

/// All local variables that an expression reads or takes the address of.
pub(crate) fn locals(body: &Body, expr: ExprId) -> BTreeSet<LocalId> {
    let local = |source| match source {
        Source::Local(local) => Some(local),
        _ => None,
    };
    variables(body, expr).into_iter().filter_map(local).collect()
}

/// The same for all variables.
pub(crate) fn variables(body: &Body, expr: ExprId) -> BTreeSet<Source> {
    walk(body, vec![expr], None)
}

/// All variables that are part of a place or of what leads to it.
pub(crate) fn variables_of_place(body: &Body, place: PlaceId) -> BTreeSet<Source> {
    walk(body, Vec::new(), Some(place))
}

fn walk(body: &Body, mut open: Vec<ExprId>, mut place: Option<PlaceId>) -> BTreeSet<Source> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    loop {
        while let Some(kind) = place.and_then(|place| body.places.get(place)).map(|place| &place.kind) {
            match kind {
                PlaceKind::Local(local) => found.extend([Source::Local(*local)]),
                PlaceKind::Global(global) => found.extend([Source::Global(*global)]),
                _ => {}
            }
            open.extend(kind.operand());
            place = kind.base();
        }
        let Some(id) = open.pop() else { return found };
        if let Some(expr) = body.exprs.get(id).filter(|_| seen.insert(id)) {
            open.extend(expr.kind.operands());
            place = expr.kind.place();
        }
    }
}

/// Writes places with `..` for indices.
struct Writer<'a> {
    program: &'a Program,
    body: &'a Body,
}

impl Writer<'_> {
    fn place(&self, place: PlaceId, steps: u32) -> Option<String> {
        let steps = steps.checked_sub(1)?;
        match self.body.places.get(place)?.kind {
            PlaceKind::Local(local) => {
                let name = &self.body.locals.get(local)?.name;
                (!name.is_empty()).then(|| name.clone())
            }
            PlaceKind::Global(global) => {
                let name = &self.program.globals.get(global)?.name;
                let own = name.rsplit_once('.').map_or(name.as_str(), |(_, own)| own);
                (!name.starts_with('.')).then(|| own.to_owned())
            }
            PlaceKind::Index(array, _) => Some(format!("{}[..]", self.place(array, steps)?)),
            PlaceKind::Field(base, _) => {
                let name = &self.body.field(&self.program.types, place)?.name;
                match self.body.places.get(base)?.kind {
                    _ if name.is_empty() => self.place(base, steps),
                    PlaceKind::Deref(pointer) => {
                        let pointer = self.pointer(pointer, steps)?;
                        Some(match pointer.strip_suffix("[..]") {
                            Some(_) => format!("{pointer}.{name}"),
                            None => format!("{pointer}->{name}"),
                        })
                    }
                    _ => Some(format!("{}.{name}", self.place(base, steps)?)),
                }
            }
            PlaceKind::Deref(pointer) => {
                let pointer = self.pointer(pointer, steps)?;
                Some(if pointer.ends_with("[..]") { pointer } else { format!("*{pointer}") })
            }
        }
    }

    /// A pointer; `p[..]` if it is moved from `p`, so that the name of what it leads to can be told.
    fn pointer(&self, pointer: ExprId, steps: u32) -> Option<String> {
        let steps = steps.checked_sub(1)?;
        match self.body.exprs.get(pointer)?.kind {
            ExprKind::Cast(inner) => self.pointer(inner, steps),
            ExprKind::PointerAdd(base, _) => {
                let base = self.pointer(base, steps)?;
                Some(if base.ends_with("[..]") { base } else { format!("{base}[..]") })
            }
            ExprKind::AddressOf(place) => match self.body.places.get(place)?.kind {
                PlaceKind::Index(array, _) => Some(format!("{}[..]", self.place(array, steps)?)),
                _ => Some(format!("(&{})", self.place(place, steps)?)),
            },
            ExprKind::Load(place) => match self.body.places.get(place)?.kind {
                PlaceKind::Local(local) if self.body.locals.get(local)?.temporary => self.pointer(self.source(local)?, steps),
                _ => self.place(place, steps),
            },
            _ => None,
        }
    }

    /// What a temporary holds: it is written at one place.
    fn source(&self, temporary: LocalId) -> Option<ExprId> {
        let mut sources = self.body.blocks.iter().flat_map(|block| &block.commands).filter_map(|command| match command.kind {
            CommandKind::Assign { dst, src } if self.body.places.get(dst)?.kind == PlaceKind::Local(temporary) => Some(src),
            _ => None,
        });
        sources.next().filter(|_| sources.next().is_none())
    }
}

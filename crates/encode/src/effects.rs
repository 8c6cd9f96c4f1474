//! What a loop may do, in all its iterations: an over-approximation from the pointer analysis, before any state is known.

use model::{BlockId, Callee, CommandKind, FunctionId, LocalId};
use pointers::{Cell, Object, Site, Writes};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::encoder::{Encoder, Info};
use crate::roots::Roots;

/// What blocks of a function may do, called functions included.
#[derive(Default)]
pub(crate) struct Effects {
    /// Variables that are assigned, or begin or end their lives, in order.
    pub(crate) changed: Vec<LocalId>,
    /// Those that begin or end their lives.
    pub(crate) begun: Vec<LocalId>,
    /// Those that only get pointers to objects that some variables pointed to before, with these variables.
    pub(crate) staying: FxHashMap<LocalId, Vec<LocalId>>,
    /// Memory that is written.
    pub(crate) written: Vec<Cell>,
    /// The part of it that is written through variables whose objects stay what they are, with these variables.
    pub(crate) through: Vec<(LocalId, Cell)>,
    /// The other part.
    pub(crate) elsewhere: Vec<Cell>,
    /// Objects that come into existence.
    pub(crate) born: Vec<Object>,
    /// Heap objects that may be freed.
    pub(crate) freed: Vec<Object>,
    /// Whether argument lists are used.
    pub(crate) lists: bool,
}

impl<'p> Encoder<'p> {
    /// What some blocks of a function may do.
    pub(crate) fn effects(&mut self, info: &Info<'p>, blocks: &[BlockId]) -> Effects {
        let mut effects = Effects::default();
        let analysis = self.analysis;
        let mut called: Vec<FunctionId> = Vec::new();
        let roots = Roots::new(&self.program.types, info.body, &info.in_memory, blocks);
        for &block in blocks {
            for (command, data) in info.body.blocks[block].commands.iter().enumerate() {
                let site = Site { function: info.id, block, command };
                match &data.kind {
                    CommandKind::Live(local) | CommandKind::LiveArray(local, _) | CommandKind::Dead(local) => {
                        effects.changed.push(*local);
                        effects.begun.push(*local);
                    }
                    CommandKind::VaStart(_) | CommandKind::VaArg(..) | CommandKind::VaCopy(..) => effects.lists = true,
                    _ => {}
                }
                if let Some(mut place) = data.kind.place() {
                    while let Some(base) = info.body.places[place].kind.base() {
                        place = base;
                    }
                    if let model::PlaceKind::Local(local) = info.body.places[place].kind {
                        effects.changed.push(local);
                    }
                }
                let written = self.writes.get_or_init(|| Writes::new(analysis)).of_command(analysis, site);
                match roots.of_command(block, command) {
                    Some(local) => effects.through.extend(written.iter().map(|cell| (local, *cell))),
                    None => effects.elsewhere.extend(&written),
                }
                effects.written.extend(written);
                self.note_frees(site, &data.kind, &mut effects.freed);
                called.extend(self.called(site, &data.kind));
            }
        }
        let called = self.all_called(called, &mut effects);
        for object in analysis.objects() {
            let born = match object {
                Object::Local(function, local) => {
                    analysis.address_taken(function, local)
                        && (called.contains(&function) || function == info.id && effects.begun.contains(&local))
                }
                Object::Heap(id) => {
                    let is_inside = |site: &Site| {
                        called.contains(&site.function) || site.function == info.id && blocks.binary_search(&site.block).is_ok()
                    };
                    self.origins.are_made(object) && analysis.allocation(id).sites.iter().any(is_inside)
                }
                _ => false,
            };
            if born {
                effects.born.push(object);
            }
        }
        effects.changed.sort_unstable();
        effects.changed.dedup();
        effects.begun.sort_unstable();
        effects.begun.dedup();
        effects.staying = effects.changed.iter().filter_map(|&local| Some((local, roots.sources(local)?))).collect();
        for cells in [&mut effects.written, &mut effects.elsewhere] {
            cells.sort_unstable();
            cells.dedup();
        }
        effects.through.sort_unstable();
        effects.through.dedup();
        effects.freed.sort_unstable();
        effects.freed.dedup();
        effects
    }

    /// What a run may do.
    pub(crate) fn effects_of_all(&mut self, entry: FunctionId) -> Effects {
        let mut effects = Effects::default();
        let analysis = self.analysis;
        let mut called: Vec<FunctionId> = self.all_called(vec![entry], &mut effects).into_iter().collect();
        called.sort_unstable();
        for function in called {
            let Some(body) = self.program.functions[function].body.as_ref() else { continue };
            for (block, data) in body.blocks.enumerate() {
                for command in 0..data.commands.len() {
                    let site = Site { function, block, command };
                    effects.written.extend(self.writes.get_or_init(|| Writes::new(analysis)).of_command(analysis, site));
                }
            }
        }
        let comes_and_goes = |object: &Object| match object {
            Object::Local(function, local) => analysis.address_taken(*function, *local),
            object => matches!(object, Object::Heap(_)) && self.origins.are_made(*object),
        };
        effects.born = analysis.objects().into_iter().filter(comes_and_goes).collect();
        effects.written.sort_unstable();
        effects.written.dedup();
        effects.freed.sort_unstable();
        effects.freed.dedup();
        effects
    }

    /// The functions that a command may enter.
    pub(crate) fn called(&self, site: Site, kind: &CommandKind) -> Vec<FunctionId> {
        let CommandKind::Call { callee, .. } = kind else { return Vec::new() };
        let mut functions = self.analysis.callees(site).to_vec();
        if let Callee::Direct(function) = callee {
            functions.push(*function);
        }
        let back: Vec<FunctionId> = functions.iter().flat_map(|function| self.analysis.called_back(site, *function)).collect();
        functions.extend(back);
        functions
    }

    /// All functions that these may enter, themselves included; what they free is noted.
    fn all_called(&self, first: Vec<FunctionId>, effects: &mut Effects) -> FxHashSet<FunctionId> {
        let mut seen = FxHashSet::default();
        let mut open = first;
        while let Some(function) = open.pop() {
            let Some(body) = self.program.functions.get(function).and_then(|function| function.body.as_ref()) else { continue };
            if !seen.insert(function) {
                continue;
            }
            for (block, data) in body.blocks.enumerate() {
                for (command, data) in data.commands.iter().enumerate() {
                    let site = Site { function, block, command };
                    effects.lists |= matches!(data.kind, CommandKind::VaStart(_) | CommandKind::VaArg(..) | CommandKind::VaCopy(..));
                    self.note_frees(site, &data.kind, &mut effects.freed);
                    open.extend(self.called(site, &data.kind));
                }
            }
        }
        seen
    }

    /// The objects that a command may free.
    fn note_frees(&self, site: Site, kind: &CommandKind, freed: &mut Vec<Object>) {
        let CommandKind::Call { callee: Callee::Direct(function), args, .. } = kind else { return };
        if self.program.functions[*function].name != "__loopfrog_free" {
            return;
        }
        let targets = args.iter().flat_map(|arg| self.analysis.targets(site.function, *arg));
        freed.extend(targets.map(|target| target.object));
    }
}

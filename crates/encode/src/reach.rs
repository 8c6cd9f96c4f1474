//! What a call leaves alone: objects that none of the pointers leads to through which the function writes.
//!
//! The pointer analysis tells what a function may write in any call. A call tells more: what is written through a pointer that the function got as an argument,
//! and at most moved inside of its object, is in the object of that argument and in no other. The argument for it is that of [`roots`](crate::roots), with the
//! call in the place of the loop. What cannot be traced to arguments is written *elsewhere*, where the analysis says.

use std::rc::Rc;

use model::{BlockId, Callee, CommandKind, FunctionId, LocalId, PlaceKind};
use pointers::{Cell, Site, Writes};

use crate::encoder::{Encoder, Info};
use crate::roots::Roots;

/// Primitives that write through their first argument and nowhere else.
const WRITERS: [&str; 4] = ["__loopfrog_copy", "__loopfrog_fill", "__loopfrog_clear", "__loopfrog_havoc"];

/// What a call writes.
#[derive(Default)]
pub(crate) struct Reach {
    /// In the objects that parameters point to when the call begins.
    pub(crate) through: Vec<(LocalId, Cell)>,
    /// Anywhere.
    pub(crate) elsewhere: Vec<Cell>,
}

impl<'p> Encoder<'p> {
    /// What calls of a function write.
    pub(crate) fn reach(&mut self, function: FunctionId) -> Rc<Reach> {
        if let Some(reach) = self.reaches.get(&function) {
            return reach.clone();
        }
        let analysis = self.analysis;
        // In a call inside of itself, nothing is traced.
        let elsewhere = self.writes.get_or_init(|| Writes::new(analysis)).of_function(function);
        self.reaches.insert(function, Rc::new(Reach { through: Vec::new(), elsewhere }));
        if let Some(info) = self.info(function) {
            let reach = Rc::new(self.traced_reach(&info));
            self.reaches.insert(function, reach);
        }
        self.reaches[&function].clone()
    }

    fn traced_reach(&mut self, info: &Info<'p>) -> Reach {
        let analysis = self.analysis;
        let blocks: Vec<BlockId> = info.body.blocks.ids().collect();
        let roots = Roots::new(&self.program.types, info.body, &info.in_memory, &blocks);
        let mut reach = Reach::default();
        for &block in &blocks {
            for (position, command) in info.body.blocks[block].commands.iter().enumerate() {
                let site = Site { function: info.id, block, command: position };
                let written = self.writes.get_or_init(|| Writes::new(analysis)).of_command(analysis, site);
                if written.is_empty() {
                    continue;
                }
                let callee = self.traceable(info, site, &command.kind);
                match (&command.kind, callee) {
                    (CommandKind::Call { args, .. }, Some(callee)) => {
                        let inner = self.reach_of_callee(callee, &written);
                        let is_known = |cell: &Cell| inner.elsewhere.contains(cell) || inner.through.iter().any(|(_, known)| known == cell);
                        reach.elsewhere.extend(written.iter().filter(|cell| !is_known(cell)));
                        reach.elsewhere.extend(&inner.elsewhere);
                        for &(parameter, cell) in &inner.through {
                            let arg = args.get(parameter.index());
                            reach.add(arg.and_then(|arg| roots.parameters(*arg, block, position)), &[cell]);
                        }
                    }
                    _ => reach.add(roots.parameters_of_command(block, position), &written),
                }
            }
        }
        reach.through.sort_unstable();
        reach.through.dedup();
        reach.elsewhere.sort_unstable();
        reach.elsewhere.dedup();
        reach
    }

    /// The one function that a command calls, if all that it writes is written inside of that.
    fn traceable(&self, info: &Info<'p>, site: Site, command: &CommandKind) -> Option<FunctionId> {
        let CommandKind::Call { dst, callee: Callee::Direct(callee), .. } = command else { return None };
        let is_local = |place| matches!(info.body.places[place].kind, PlaceKind::Local(_));
        let data = &self.program.functions[*callee];
        let writes = data.body.is_some() || WRITERS.contains(&data.name.as_str());
        (writes && dst.is_none_or(is_local) && self.called(site, command).iter().all(|called| called == callee)).then_some(*callee)
    }

    fn reach_of_callee(&mut self, callee: FunctionId, written: &[Cell]) -> Rc<Reach> {
        if self.program.functions[callee].body.is_some() {
            return self.reach(callee);
        }
        let first = LocalId::new(0);
        Rc::new(Reach { through: written.iter().map(|cell| (first, *cell)).collect(), elsewhere: Vec::new() })
    }
}

impl Reach {
    /// Cells are written through some parameters; anywhere, if it is not known through which.
    fn add(&mut self, parameters: Option<Vec<LocalId>>, cells: &[Cell]) {
        match parameters {
            Some(parameters) => {
                self.through.extend(parameters.iter().flat_map(|parameter| cells.iter().map(|cell| (*parameter, *cell))));
            }
            None => self.elsewhere.extend(cells),
        }
    }
}

//! Who calls whom directly.

use model::{Body, Callee, CommandKind, FunctionId, Program};

/// The functions that a body calls by name, each as often as it does.
pub(super) fn direct(body: &Body) -> impl Iterator<Item = FunctionId> + '_ {
    body.blocks.iter().flat_map(|block| &block.commands).filter_map(|command| match command.kind {
        CommandKind::Call { callee: Callee::Direct(function), .. } => Some(function),
        _ => None,
    })
}

/// Functions that call each other, perhaps on a long way.
pub(super) struct Component {
    pub members: Vec<FunctionId>,
    /// Whether one of them calls itself, on whatever way.
    pub recursive: bool,
}

/// The strongly connected components of the graph of calls by Tarjan's algorithm: each comes after those that it calls.
pub(super) fn components(program: &Program) -> Vec<Component> {
    let callees = |function: &model::Function| function.body.as_ref().map_or(Vec::new(), |body| direct(body).collect());
    let count = program.functions.len();
    let mut walk = Walk {
        callees: program.functions.iter().map(callees).collect(),
        met: vec![None; count],
        low: vec![0; count],
        open: vec![false; count],
        clock: 0,
        stack: Vec::new(),
        found: Vec::new(),
    };
    for id in program.functions.ids() {
        if walk.met[id.index()].is_none() {
            walk.from(id);
        }
    }
    walk.found
}

struct Walk {
    callees: Vec<Vec<FunctionId>>,
    /// When the walk met a function.
    met: Vec<Option<usize>>,
    /// The earliest function of an open component that it leads to.
    low: Vec<usize>,
    /// Whether its component is not yet known.
    open: Vec<bool>,
    clock: usize,
    stack: Vec<FunctionId>,
    found: Vec<Component>,
}

impl Walk {
    fn from(&mut self, root: FunctionId) {
        self.meet(root);
        let mut path = vec![(root, 0)];
        while let Some((function, next)) = path.last_mut() {
            let function = *function;
            if let Some(&callee) = self.callees[function.index()].get(*next) {
                *next += 1;
                match self.met[callee.index()] {
                    None => {
                        self.meet(callee);
                        path.push((callee, 0));
                    }
                    Some(time) if self.open[callee.index()] => self.lower(function, time),
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            if let Some(&(caller, _)) = path.last() {
                self.lower(caller, self.low[function.index()]);
            }
            if self.met[function.index()] == Some(self.low[function.index()]) {
                self.close(function);
            }
        }
    }

    fn meet(&mut self, function: FunctionId) {
        self.met[function.index()] = Some(self.clock);
        self.low[function.index()] = self.clock;
        self.clock += 1;
        self.open[function.index()] = true;
        self.stack.push(function);
    }

    fn lower(&mut self, function: FunctionId, time: usize) {
        let low = &mut self.low[function.index()];
        *low = time.min(*low);
    }

    /// Takes the component off the stack whose first function this is.
    fn close(&mut self, first: FunctionId) {
        let start = self.stack.iter().rposition(|function| *function == first).unwrap_or(0);
        let members = self.stack.split_off(start);
        members.iter().for_each(|member| self.open[member.index()] = false);
        let recursive = members.len() > 1 || self.callees[first.index()].contains(&first);
        self.found.push(Component { members, recursive });
    }
}

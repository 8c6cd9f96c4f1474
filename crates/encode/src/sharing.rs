//! Which functions are encoded once, for all their calls: those whose copies would be too many and too large.

use model::FunctionId;
use pointers::{Object, Site};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::encoder::Encoder;

/// The functions that a run may enter, with their calls.
struct Calls {
    /// Each after those that it calls, but for recursion.
    order: Vec<FunctionId>,
    /// The functions that each calls, as often as it does.
    edges: FxHashMap<FunctionId, Vec<FunctionId>>,
}

impl Calls {
    /// Whether a function may be called inside of one of its calls.
    fn lead_back_to(&self, function: FunctionId) -> bool {
        let (mut open, mut seen) = (vec![function], FxHashSet::default());
        while let Some(next) = open.pop() {
            for &callee in self.edges.get(&next).into_iter().flatten() {
                if callee == function {
                    return true;
                }
                if seen.insert(callee) {
                    open.push(callee);
                }
            }
        }
        false
    }
}

impl Encoder<'_> {
    /// The functions for which copies, one for each way that leads there, have more commands than there is room for; those that others call come first.
    pub(crate) fn large_functions(&self, entry: FunctionId, room: usize) -> Vec<FunctionId> {
        let calls = self.calls_from(entry);
        let shares_recursion = self.summarizer.as_ref().is_none_or(|summarizer| summarizer.shares_recursion());
        let place: FxHashMap<FunctionId, usize> = calls.order.iter().enumerate().map(|(place, function)| (*function, place)).collect();
        let mut sizes: FxHashMap<FunctionId, usize> = FxHashMap::default();
        for &function in &calls.order {
            let called = calls.edges[&function].iter().filter_map(|callee| sizes.get(callee));
            let size = called.fold(self.own_size(function), |sum, size| sum.saturating_add(*size));
            sizes.insert(function, size);
        }
        // How often each is encoded; recursion makes one more.
        let mut copies: FxHashMap<FunctionId, usize> = FxHashMap::from_iter([(entry, 1)]);
        for (function, callee) in calls.order.iter().flat_map(|function| calls.edges[function].iter().map(move |callee| (function, callee)))
        {
            *copies.entry(*callee).or_default() += usize::from(place[callee] >= place[function]);
        }
        let mut large = Vec::new();
        for &function in calls.order.iter().rev() {
            let mut count = copies.get(&function).copied().unwrap_or(0);
            let is_large = sizes[&function].saturating_mul(count.saturating_sub(1)) > room;
            if is_large && function != entry && self.may_be_shared(function) && (shares_recursion || !calls.lead_back_to(function)) {
                large.push(function);
                count = 1;
            }
            for callee in calls.edges[&function].iter().filter(|callee| place[*callee] < place[&function]) {
                let known = copies.entry(*callee).or_default();
                *known = known.saturating_add(count);
            }
        }
        large.reverse();
        large
    }

    fn own_size(&self, function: FunctionId) -> usize {
        let body = self.program.functions[function].body.as_ref();
        body.map_or(0, |body| body.blocks.iter().map(|block| block.commands.len() + 1).sum())
    }

    /// Whether one body serves all calls: what library models check is charged to their callers, arguments behind `...` are the caller's, and so are
    /// allocations that the analysis of pointers tells apart by callers.
    fn may_be_shared(&self, function: FunctionId) -> bool {
        let data = &self.program.functions[function];
        let variadic = matches!(self.program.types.get(data.ty), model::Type::Function { variadic: true, .. });
        let beyond = |sites: &[Site]| sites.split_last().is_some_and(|(_, inner)| inner.iter().any(|site| site.function == function));
        let told_apart = |object: &Object| matches!(object, Object::Heap(id) if beyond(&self.analysis.allocation(*id).sites));
        !variadic && !self.program.is_library(data.span) && !self.analysis.objects().iter().any(told_apart)
    }

    fn calls_from(&self, entry: FunctionId) -> Calls {
        let mut calls = Calls { order: Vec::new(), edges: FxHashMap::default() };
        let mut open = vec![(entry, false)];
        while let Some((function, done)) = open.pop() {
            if done {
                calls.order.push(function);
                continue;
            }
            if calls.edges.contains_key(&function) {
                continue;
            }
            let callees = self.callees_of(function);
            open.push((function, true));
            open.extend(callees.iter().rev().map(|callee| (*callee, false)));
            calls.edges.insert(function, callees);
        }
        calls
    }

    /// The functions with a body that a function calls, as often as it does.
    fn callees_of(&self, function: FunctionId) -> Vec<FunctionId> {
        let Some(body) = self.program.functions[function].body.as_ref() else { return Vec::new() };
        let mut found = Vec::new();
        for (block, data) in body.blocks.enumerate() {
            for (command, data) in data.commands.iter().enumerate() {
                let mut called = self.called(Site { function, block, command }, &data.kind);
                called.sort_unstable();
                called.dedup();
                found.extend(called);
            }
        }
        found.retain(|callee| self.program.functions[*callee].body.is_some());
        found
    }
}

//! What the analysis of pointers calls the objects that a command allocates: it tells them apart by the calls that led to the command, where the functions
//! around it do nothing but allocate.

use model::{FunctionId, Span};
use pointers::{Analysis, Object as Abstract, Site};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::encoder::Encoder;
use crate::state::State;

/// The allocations of a program by the commands that make them.
pub(crate) struct Origins {
    /// Each with the calls by which it is told apart.
    by_command: FxHashMap<Site, Vec<(Abstract, Vec<Site>)>>,
    /// Those that stand for no object.
    unmade: FxHashSet<Abstract>,
}

impl Origins {
    pub(crate) fn new(analysis: &Analysis<'_>, entry: FunctionId) -> Self {
        let objects = analysis.objects();
        let mut by_command: FxHashMap<Site, Vec<(Abstract, Vec<Site>)>> = FxHashMap::default();
        for &object in &objects {
            if let Abstract::Heap(id) = object {
                let sites = analysis.allocation(id).sites.clone();
                if let Some(&first) = sites.first() {
                    by_command.entry(first).or_default().push((object, sites));
                }
            }
        }
        // Those that are told apart by callers are not made by the allocating function alone, unless that is where the program starts or somebody calls it
        // who is not known.
        let objects: FxHashSet<Abstract> = objects.into_iter().collect();
        let alone = |sites: &[Site], alike: &[(Abstract, Vec<Site>)]| {
            let told_apart = alike.iter().any(|(_, others)| others.len() > sites.len() && others.starts_with(sites));
            let outermost = sites.last().map(|site| site.function);
            told_apart && outermost.is_some_and(|function| function != entry && !objects.contains(&Abstract::Function(function)))
        };
        let all = by_command.values().flat_map(|alike| alike.iter().filter(|(_, sites)| alone(sites, alike)));
        let unmade = all.map(|(object, _)| *object).collect();
        Origins { by_command, unmade }
    }

    /// Whether an abstract object stands for any.
    pub(crate) fn are_made(&self, object: Abstract) -> bool {
        !self.unmade.contains(&object)
    }
}

impl Encoder<'_> {
    /// What the analysis calls the objects that a command allocates: by the commands that led to it, as far as it tells them apart.
    pub(crate) fn allocation_origin(&mut self, state: &mut State, site: Site, span: Span) -> Abstract {
        let candidates = self.origins.by_command.get(&site).map_or(&[][..], Vec::as_slice);
        let matches = |sites: &[Site]| {
            sites.len() <= self.call_sites.len() + 1 && sites.iter().skip(1).eq(self.call_sites.iter().rev().take(sites.len() - 1))
        };
        // The one that says most: pointers in callers lead there, and not to what is called the same without its callers.
        let known = candidates.iter().filter(|(_, sites)| matches(sites)).max_by_key(|(_, sites)| sites.len()).map(|(object, _)| *object);
        let is_known = known.is_some_and(|object| self.origins.are_made(object));
        if !is_known && self.nest > 0 {
            // Earlier iterations made such objects too, and there is no crowd for them.
            self.gap(state, "an allocation that the analysis of pointers does not know", span);
        }
        known.unwrap_or(Abstract::External)
    }
}

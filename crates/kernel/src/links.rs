//! Lists that end: fields that always lead to objects which were made earlier, or always to such that were made later.
//!
//! Each object has a time at which it was made. If whatever is stored in a field of an object is null or was there before the object was, then the field
//! leads to an older object, in every state of every run; who follows it comes to an end. A pointer that was there before an object cannot
//! be a pointer to it: pointers come from objects (C17 6.5.3.2, 7.22.3), and what only looks like one leads nowhere without being undefined.
//! If, on the other hand, only objects are stored in the field that were not there when the object was made, it leads to newer objects. Who follows
//! it comes to an end if no objects are made meanwhile.
//!
//! That stores are of that kind is shown by a flow analysis of each function ([`flow`]), with the results of the pointer analysis. What it does not
//! understand is refused.

mod flow;
mod state;

use std::collections::{BTreeMap, BTreeSet};

use encode::Round;
use logic::sat::{Batsat, Budget};
use logic::{Answer, Context, Term, Terms};
use model::{BlockId, Body, Callee, CommandKind, ExprId, ExprKind, FunctionId, LoopForest, PlaceId, Program};
use pointers::{Analysis, Cell, Object, Site, Writes};

use crate::property::{callees, reachable};
use crate::ranking::happens;
use flow::{Flow, Maker};

/// Where a field leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// To objects that were made earlier.
    Older,
    /// To objects that were made later.
    Newer,
}

/// Where rounds that share their head take a pointer, the one of the walk at this position, if they end for this reason: to an older object, or to a
/// newer one while none are made.
pub fn accepts_walk(
    (program, analysis, entry): (&Program, &Analysis<'_>, FunctionId),
    terms: &mut Terms,
    facts: &[Term],
    (rounds, walk): (&[&Round], usize),
    budget: &Budget,
) -> Option<Order> {
    let first = rounds.first()?;
    let known = first.walks.get(walk)?;
    let same = |round: &&Round| round.walks.get(walk).is_some_and(|other| (other.pointer, other.link) == (known.pointer, known.link));
    let mut context = Context::with_solver(Batsat::new());
    context.be_hasty(true);
    for &fact in facts {
        context.assert(terms, fact);
    }
    let mut moves = |round: &&Round| {
        let Some(walk) = round.walks.get(walk) else { return false };
        let happens = happens(terms, round);
        let stays = terms.not(walk.moved);
        // Whatever is stored in the field is a pointer or null, as is shown below; and it is not read before that.
        let stays = terms.and(walk.held, stays);
        let astray = terms.or(walk.null, stays);
        context.solve(terms, &[happens, astray], budget) == Answer::Unsat
    };
    if !rounds.iter().all(same) || !rounds.iter().all(&mut moves) {
        return None;
    }
    let functions = reachable(program, analysis, entry);
    // Who jumps out of calls leaves the ways that are looked at.
    if functions.iter().any(|id| program.functions[*id].name.contains("setjmp")) {
        return None;
    }
    let links = Links::new(program, analysis, &functions, (first.function, known.link))?;
    [Order::Older, Order::Newer]
        .into_iter()
        .find(|order| (*order == Order::Older || !links.makes_in(first)) && links.lead(&functions, *order, (first.function, first.header)))
}

/// A field of heap objects.
struct Links<'a> {
    program: &'a Program,
    analysis: &'a Analysis<'a>,
    writes: Writes,
    /// Where it is in each object.
    offsets: BTreeMap<Object, i64>,
    /// How many bytes it has.
    size: u64,
    /// The commands that make the objects, each in a function of the program itself.
    births: Vec<Site>,
    /// Those that leave the field null.
    zeroed: BTreeSet<Site>,
    /// Functions that make objects, by themselves or in what they call.
    makes: BTreeSet<FunctionId>,
    /// Functions of the program itself that read the field, by themselves or in what they call.
    readers: BTreeSet<FunctionId>,
    /// Functions that return what they have made.
    makers: BTreeMap<FunctionId, Maker>,
}

/// So many functions may return the object that another one has made, one around the other.
const WRAPPERS: usize = 3;

impl<'a> Links<'a> {
    fn new(
        program: &'a Program,
        analysis: &'a Analysis<'a>,
        functions: &[FunctionId],
        (function, link): (FunctionId, ExprId),
    ) -> Option<Self> {
        let body = program.functions.get(function)?.body.as_ref()?;
        let ExprKind::Load(place) = body.exprs.get(link)?.kind else { return None };
        let size = program.types.target().pointer_bytes();
        let (mut offsets, mut births) = (BTreeMap::new(), Vec::new());
        for cell in analysis.accessed(function, place) {
            let Object::Heap(id) = cell.object else { return None };
            // From the inside to the outside: the library's part, the command of the program, the calls around it.
            let is_own = |site: &&Site| !program.is_library(program.functions[site.function].span);
            births.push(*analysis.allocation(id).sites.iter().find(is_own)?);
            let is_clear = cell.size == size && !analysis.escapes(cell.object);
            if !is_clear || offsets.insert(cell.object, cell.offsets.single()?).is_some() {
                return None;
            }
        }
        if offsets.is_empty() {
            return None;
        }
        let zeroed = births.iter().filter(|site| makes_zeros(program, site)).copied().collect();
        let (makes, readers, makers) = Default::default();
        let mut links = Links { program, analysis, writes: Writes::new(analysis), offsets, size, births, zeroed, makes, readers, makers };
        links.makes = links.with_callers(functions, |links, id, _| links.births.iter().any(|site| site.function == id));
        links.readers = links.with_callers(functions, Links::reads);
        for _ in 0..WRAPPERS {
            let own = functions.iter().filter(|id| links.makes.contains(id) && !program.is_library(program.functions[**id].span));
            let maker = |id: &FunctionId| Some((*id, Flow::new(&links, *id, program.functions[*id].body.as_ref()?, None).maker()?));
            links.makers = own.filter_map(maker).collect();
        }
        Some(links)
    }

    /// The functions with a property, and those that call them.
    fn with_callers(&self, functions: &[FunctionId], has: impl Fn(&Self, FunctionId, &Body) -> bool) -> BTreeSet<FunctionId> {
        let own = |id: &&FunctionId| self.program.functions[**id].body.as_ref().is_some_and(|body| has(self, **id, body));
        let mut found: BTreeSet<FunctionId> = functions.iter().filter(own).copied().collect();
        loop {
            let calls = |id: &&FunctionId| callees(self.program, self.analysis, **id).any(|(_, callee)| found.contains(&callee));
            let more: Vec<FunctionId> = functions.iter().filter(|id| !found.contains(id)).filter(calls).copied().collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// Whether a function of the program itself reads the field. The library reads nothing but bytes, which are no pointers.
    fn reads(&self, function: FunctionId, body: &Body) -> bool {
        let is_read = |kind: &ExprKind| matches!(*kind, ExprKind::Load(place) if self.is_touched(function, place));
        !self.program.is_library(self.program.functions[function].span) && body.exprs.iter().any(|expr| is_read(&expr.kind))
    }

    /// Whether the field always leads to null or to an object of that order, and is never read before it is written, in any run; not at this head either.
    fn lead(&self, functions: &[FunctionId], order: Order, (function, header): (FunctionId, BlockId)) -> bool {
        functions.iter().all(|&id| {
            let Some(body) = &self.program.functions[id].body else { return true };
            let head = if id == function { Some(header) } else { None };
            Flow::new(self, id, body, Some(order)).is_right(head)
        })
    }

    /// Whether objects may be made in a round.
    fn makes_in(&self, round: &Round) -> bool {
        let Some(body) = self.program.functions.get(round.function).and_then(|function| function.body.as_ref()) else { return true };
        if self.are_known_outside(&self.makes) || round.recursive && self.makes.contains(&round.function) {
            return true;
        }
        if round.recursive {
            return false;
        }
        let forest = LoopForest::new(body);
        let Some(region) = forest.loops.iter().find(|region| region.header == round.header) else { return true };
        let makes = |(block, callee): (BlockId, FunctionId)| region.blocks.contains(&block) && self.makes.contains(&callee);
        let births = self.births.iter().any(|site| site.function == round.function && region.blocks.contains(&site.block));
        births || callees(self.program, self.analysis, round.function).any(makes)
    }

    /// Whether code outside of the program may call one of these functions.
    fn are_known_outside(&self, functions: &BTreeSet<FunctionId>) -> bool {
        functions.iter().any(|function| self.analysis.escapes(Object::Function(*function)))
    }

    /// Whether a call does nothing but make bytes 0, as far as the program knows: then a field there is null.
    fn is_filled_with_zeros(&self, body: &Body, callee: Callee, args: &[ExprId]) -> bool {
        let Callee::Direct(function) = callee else { return false };
        let is_zero = |value: &ExprId| matches!(body.exprs[*value].kind, ExprKind::Int(0));
        match self.program.functions[function].name.as_str() {
            "__loopfrog_fill" => args.get(1).is_some_and(is_zero),
            name => name == "__loopfrog_clear",
        }
    }

    /// Whether bytes may be some of the field's.
    fn touches(&self, cell: &Cell) -> bool {
        let before = i64::try_from(cell.size).unwrap_or(i64::MAX);
        self.offsets.get(&cell.object).is_some_and(|&offset| {
            let (low, high) = (offset.saturating_sub(before).saturating_add(1), offset.saturating_add(self.size as i64));
            cell.offsets.meets(low, high)
        })
    }

    /// Whether an access is one to the field, if it is to one of the objects at all.
    fn is_exactly(&self, cell: &Cell) -> bool {
        self.offsets.get(&cell.object).is_none_or(|&offset| cell.size == self.size && cell.offsets.single() == Some(offset))
    }

    /// Whether an access of a place may touch the field.
    fn is_touched(&self, function: FunctionId, place: PlaceId) -> bool {
        self.analysis.accessed(function, place).iter().any(|cell| self.touches(cell))
    }
}

/// Whether a command makes an object whose bytes are all 0.
fn makes_zeros(program: &Program, site: &Site) -> bool {
    let body = program.functions.get(site.function).and_then(|function| function.body.as_ref());
    let command = body.and_then(|body| body.blocks.get(site.block)).and_then(|block| block.commands.get(site.command));
    let Some(CommandKind::Call { callee: Callee::Direct(callee), .. }) = command.map(|command| &command.kind) else { return false };
    let function = &program.functions[*callee];
    function.name == "calloc" && program.is_library(function.span)
}

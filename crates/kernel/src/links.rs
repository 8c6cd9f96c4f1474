//! Lists that end: fields that always lead to objects which were made earlier.
//!
//! Each object has a time at which it was made. If whatever is stored in a field of an object is null or was there before the object was, then the field
//! leads to an older object, in every state of every run; who follows it comes to an end. A pointer that was there before an object cannot
//! be a pointer to it: pointers come from objects (C17 6.5.3.2, 7.22.3), and what only looks like one leads nowhere without being undefined.
//!
//! That stores are of that kind is shown by a flow analysis of each function ([`flow`]), with the results of the pointer analysis. What it does not
//! understand is refused.

mod flow;

use std::collections::BTreeMap;

use encode::Round;
use logic::sat::{Batsat, Budget};
use logic::{Answer, Context, Term, Terms};
use model::{BlockId, ExprId, ExprKind, FunctionId, PlaceId, Program};
use pointers::{Analysis, Cell, Object, Site, Writes};

use crate::property::reachable;
use crate::ranking::happens;
use flow::Flow;

/// Whether rounds that share their head end because each takes a pointer, the one of the walk at this position, to an older object.
pub fn accepts_walk(
    (program, analysis, entry): (&Program, &Analysis<'_>, FunctionId),
    terms: &mut Terms,
    facts: &[Term],
    (rounds, walk): (&[&Round], usize),
    budget: &Budget,
) -> bool {
    let Some(first) = rounds.first().and_then(|round| round.walks.get(walk)) else { return false };
    let same = |round: &&Round| round.walks.get(walk).is_some_and(|other| (other.pointer, other.link) == (first.pointer, first.link));
    let mut context = Context::with_solver(Batsat::new());
    context.be_hasty(true);
    for &fact in facts {
        context.assert(terms, fact);
    }
    let mut moves = |round: &&Round| {
        let Some(walk) = round.walks.get(walk) else { return false };
        let happens = happens(terms, round);
        let stays = terms.not(walk.moved);
        let astray = terms.or(walk.null, stays);
        context.solve(terms, &[happens, astray], budget) == Answer::Unsat
    };
    let head = (rounds[0].function, rounds[0].header);
    rounds.iter().all(same) && rounds.iter().all(&mut moves) && lead_back(program, analysis, entry, head, first.link)
}

/// Whether a field always leads to null or to an older object, and is never read before it is written, in any run; not at this head either.
fn lead_back(
    program: &Program,
    analysis: &Analysis<'_>,
    entry: FunctionId,
    (function, header): (FunctionId, BlockId),
    link: ExprId,
) -> bool {
    let Some(links) = Links::new(program, analysis, function, link) else { return false };
    let functions = reachable(program, analysis, entry);
    // Who jumps out of calls leaves the ways that are looked at.
    let jumps = |id: &FunctionId| program.functions[*id].name.contains("setjmp");
    !functions.iter().any(jumps)
        && functions.iter().all(|&id| {
            let Some(body) = &program.functions[id].body else { return true };
            let head = if id == function { Some(header) } else { None };
            Flow::new(&links, id, body).is_right(head)
        })
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
}

impl<'a> Links<'a> {
    fn new(program: &'a Program, analysis: &'a Analysis<'a>, function: FunctionId, link: ExprId) -> Option<Self> {
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
        if offsets.is_empty() { None } else { Some(Links { program, analysis, writes: Writes::new(analysis), offsets, size, births }) }
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

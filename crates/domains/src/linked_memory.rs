//! Pointers in memory lead to objects: the fields of list nodes, heads of lists that pointers point to, all elements of tables, the program's arguments.

use encode::{Formula, Links, Repeat};
use model::{CommandKind, ExprKind, PlaceKind, Span, Type};
use pointers::{Object, Offsets};

use crate::Domain;
use crate::rows::Rows;
use crate::view::View;

/// `each node->next == NULL || *node->next exists`
pub struct LinkedMemory;

/// So many places in objects are looked at for one loop.
const PLACES: usize = 24;

impl Domain for LinkedMemory {
    fn name(&self) -> &'static str {
        "linked-memory"
    }
    fn about(&self) -> &'static str {
        "pointers in all objects of one allocation, and in tables, lead to objects, or are null"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        for (object, offset, repeat) in places(view) {
            let span = made_at(view, object);
            // The arguments are never null.
            let nulls: &[bool] = if object == Object::Arguments { &[false] } else { &[false, true] };
            out.extend(nulls.iter().map(|&null| Formula::Linked(Links { object, offset, repeat, null, span })));
        }
    }
}

/// Where pointers are, one by one: first those that the loop may write, then those that it may read.
fn places(view: &View<'_>) -> Vec<(Object, u64, Option<Repeat>)> {
    let (analysis, written) = (view.head.analysis, view.head.written);
    let size = view.head.program.types.target().pointer_bytes();
    let mut changed: Vec<Object> = written.iter().map(|cell| cell.object).collect();
    changed.sort_unstable();
    changed.dedup();
    let known = changed.clone();
    let others = if reads_pointers(view) { analysis.objects() } else { Vec::new() };
    let others = others.into_iter().filter(|object| known.binary_search(object).is_err());
    let mut places = Vec::new();
    for object in changed.into_iter().chain(others) {
        match object {
            Object::Arguments => places.push((object, 0, None)),
            Object::External | Object::Function(_) | Object::Variadic(_) => {}
            _ => {
                let contents = analysis.contents(object).into_iter().map(|(cell, _)| cell).filter(|cell| cell.size == size);
                places.extend(contents.filter_map(|cell| place(cell.offsets).map(|(offset, repeat)| (object, offset, repeat))));
            }
        }
    }
    places.truncate(PLACES);
    places
}

/// The first pointer in an object, and where others are. (Arrays in the elements of arrays are left out.)
fn place(offsets: Offsets) -> Option<(u64, Option<Repeat>)> {
    let first = u64::try_from(offsets.start()).ok()?;
    let step = offsets.granularity();
    let repeat = match offsets.bounds() {
        Some((start, last)) if start == last => None,
        Some((start, last)) => Some(Repeat { step, count: Some(last.abs_diff(start) / step + 1) }),
        None if step == offsets.stride() => Some(Repeat { step, count: None }),
        None => return None,
    };
    Some((first, repeat))
}

/// Whether a loop may read pointers that are in memory: it does so itself, or calls somebody.
fn reads_pointers(view: &View<'_>) -> bool {
    let (body, types) = (view.head.body, &view.head.program.types);
    let commands = view.head.region.blocks.iter().filter_map(|block| body.blocks.get(*block)).flat_map(|block| &block.commands);
    let mut commands = commands.map(|command| &command.kind);
    let is_load = |expr: &model::Expr| match expr.kind {
        ExprKind::Load(place) => matches!(types.get(expr.ty), Type::Pointer(_)) && !matches!(body.places[place].kind, PlaceKind::Local(_)),
        _ => false,
    };
    let loads = || Rows::new(view).text.exprs.iter().any(|expr| is_load(&body.exprs[*expr]));
    commands.any(|kind| matches!(kind, CommandKind::Call { .. })) || loads()
}

/// Where objects come from.
pub(crate) fn made_at(view: &View<'_>, object: Object) -> Span {
    let Object::Heap(id) = object else { return Span::NONE };
    let mut spans = view.head.analysis.allocation(id).sites.iter().filter_map(|site| {
        let body = view.head.program.functions.get(site.function)?.body.as_ref()?;
        Some(body.blocks.get(site.block)?.commands.get(site.command)?.span)
    });
    // The allocating command may be in a library model: the user knows who called it.
    spans.find(|span| !view.head.program.is_library(*span)).unwrap_or(Span::NONE)
}

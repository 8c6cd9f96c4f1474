//! Strings stay strings (Table 1, domain 1).

use encode::{Elements, Formula, Moment, Source};
use model::{GlobalId, PlaceKind, Type};
use pointers::Object;

use crate::Domain;
use crate::rows::{Rows, elements};
use crate::view::{Kind, Update, Variable, View};

/// `zero_terminated(s)`
pub struct ZeroTerminated;

impl Domain for ZeroTerminated {
    fn name(&self) -> &'static str {
        "zero-terminated"
    }
    fn about(&self) -> &'static str {
        "buffers of characters hold a 0 before their end, and pointers lead to strings or are null"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let rows = Rows::new(view);
        let accessed = rows.rows.iter().filter(|row| row.is_text()).map(|row| (elements(row, Moment::Now, Moment::Now), row.moves));
        let now = |pointer| Elements { place: None, pointer: Some(pointer), base: Moment::Now, content: Moment::Now };
        let passed = rows.strings.iter().map(|&(pointer, moves)| (now(pointer), moves));
        for (elements, moves) in accessed.chain(passed) {
            out.push(Formula::Terminated(elements));
            if moves {
                out.push(Formula::Terminated(Elements { base: Moment::Entry, ..elements }));
            }
        }
        out.extend(texts_of_callees(view, &rows).into_iter().map(|text| Formula::Terminated(now(text))));
        // Where a string is walked through up to its end, that end is one.
        let is_known =
            |source| rows.rows.iter().any(|row| row.pointer == Some(source)) || rows.strings.iter().any(|(text, _)| *text == source);
        let is_end = |pointer: &&Variable| !pointer.changed && pointer.compared && !is_known(pointer.source);
        let texts = || view.pointers().filter(|pointer| pointer.kind == Kind::Pointer { element: 1 });
        let ends = texts().filter(is_end).map(|pointer| Formula::Terminated(now(pointer.source)));
        out.extend(ends);
        // A string that is looked for, or asked for, may be missing.
        let is_set = |pointer: &&Variable| pointer.changed && (pointer.updates.is_empty() || pointer.updates.contains(&Update::Other));
        for pointer in texts().filter(is_set) {
            out.push(Formula::Any(vec![Formula::Null(pointer.source), Formula::Terminated(now(pointer.source))]));
        }
    }
}

/// Arrays of characters with static storage that the loop changes and does not name: functions do that it calls.
fn texts_of_callees(view: &View<'_>, rows: &Rows<'_>) -> Vec<Source> {
    let (program, body) = (view.head.program, view.head.body);
    let is_named = |global: GlobalId| {
        let array = |place| if let PlaceKind::Index(array, _) = body.places[place].kind { Some(array) } else { None };
        rows.rows.iter().filter_map(|row| array(row.place)).any(|array| body.places[array].kind == PlaceKind::Global(global))
    };
    let is_text = |global: GlobalId| match program.globals.get(global).map(|global| program.types.get(global.ty)) {
        Some(Type::Array { elem, .. }) => program.types.size_of(*elem) == Some(1) && program.types.is_scalar(*elem),
        _ => false,
    };
    let mut found = Vec::new();
    for cell in view.head.written {
        if let Object::Global(global) = cell.object
            && !found.contains(&Source::Global(global))
            && is_text(global)
            && !is_named(global)
        {
            found.push(Source::Global(global));
        }
    }
    found
}

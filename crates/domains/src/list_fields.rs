//! What is known of the node that a pointer leads to: it exists, or there is none, and its fields hold what the program stores or asks for.

use encode::{Formula, Linear, Quantity, Source};
use model::{BinaryOp, CommandKind, ExprId, ExprKind, PlaceId, PlaceKind, RecordId, Type};

use crate::Domain;
use crate::rows::Rows;
use crate::view::{Variable, View};

/// `p == NULL || p->field == c`
pub struct ListFields;

/// So many numbers for each field.
const NUMBERS: usize = 6;

impl Domain for ListFields {
    fn name(&self) -> &'static str {
        "list-fields"
    }
    fn about(&self) -> &'static str {
        "nodes exist, and their fields hold what is stored or asked for: p == NULL || p->field == c"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let pointers: Vec<&Variable> = view.pointers().filter(|pointer| record(view, pointer.source).is_some()).collect();
        if pointers.is_empty() {
            return;
        }
        let rows = Rows::new(view);
        for pointer in pointers {
            let or_null = |formula| Formula::Any(vec![Formula::Null(pointer.source), formula]);
            out.push(or_null(Formula::Alive(pointer.source)));
            for (load, field) in fields(&rows, pointer.source) {
                let value = Linear::of(Quantity::value(Source::Expr(load)));
                let numbers = numbers(&rows, field);
                for number in &numbers {
                    out.push(or_null(Formula::equal(&value, &Linear::constant(*number))));
                }
                if let [least, .., greatest] = numbers[..] {
                    out.push(or_null(Formula::at_most(&Linear::constant(least), &value)));
                    out.push(or_null(Formula::at_most(&value, &Linear::constant(greatest))));
                }
            }
        }
    }
}

/// The record that a pointer leads to.
fn record(view: &View<'_>, source: Source) -> Option<RecordId> {
    let head = view.head;
    let ty = match source {
        Source::Local(local) => head.body.locals.get(local)?.ty,
        Source::Global(global) => head.program.globals.get(global)?.ty,
        Source::Expr(expr) => head.body.exprs.get(expr)?.ty,
    };
    let Type::Pointer(to) = head.program.types.get(ty) else { return None };
    match head.program.types.get(*to) {
        Type::Record(record) => Some(*record),
        _ => None,
    }
}

/// The record and the position of a field that a place is.
fn field(rows: &Rows<'_>, place: PlaceId) -> Option<(RecordId, u32)> {
    let body = rows.reader.body;
    let PlaceKind::Field(base, field) = body.places[place].kind else { return None };
    match rows.reader.program.types.get(body.places[base].ty) {
        Type::Record(record) => Some((*record, field)),
        _ => None,
    }
}

/// Expressions that read integer fields of the node that a pointer leads to, one for each field.
fn fields(rows: &Rows<'_>, pointer: Source) -> Vec<(ExprId, (RecordId, u32))> {
    let body = rows.reader.body;
    let mut found: Vec<(ExprId, (RecordId, u32))> = Vec::new();
    for &expr in &rows.text.exprs {
        let node = &body.exprs[expr];
        let ExprKind::Load(place) = node.kind else { continue };
        let Some(key) = field(rows, place) else { continue };
        let is_integer = matches!(rows.reader.program.types.get(node.ty), Type::Bool | Type::Int { .. });
        let Some(base) = body.places[place].kind.base() else { continue };
        let PlaceKind::Deref(from) = body.places[base].kind else { continue };
        let ExprKind::Load(from) = body.exprs[from].kind else { continue };
        if is_integer && rows.reader.source(from) == Some(pointer) && !found.iter().any(|(_, known)| *known == key) {
            found.push((expr, key));
        }
    }
    found
}

/// Numbers that are stored in a field or compared with it, in the loop and behind it, in order.
fn numbers(rows: &Rows<'_>, wanted: (RecordId, u32)) -> Vec<i128> {
    let body = rows.reader.body;
    let is_field = |expr: ExprId| {
        let ExprKind::Load(place) = body.exprs[rows.reader.resolve(expr)].kind else { return false };
        field(rows, place) == Some(wanted)
    };
    let mut numbers = Vec::new();
    for command in [true, false].into_iter().flat_map(|inside| rows.blocks(inside)).flat_map(|block| &block.commands) {
        if let CommandKind::Assign { dst, src } = command.kind
            && field(rows, dst) == Some(wanted)
        {
            numbers.extend(rows.reader.constant(src));
        }
    }
    for &expr in &rows.text.exprs {
        let ExprKind::Binary(op, a, b) = body.exprs[expr].kind else { continue };
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            numbers.extend(is_field(a).then(|| rows.reader.constant(b)).flatten());
            numbers.extend(is_field(b).then(|| rows.reader.constant(a)).flatten());
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    numbers.truncate(NUMBERS);
    numbers
}

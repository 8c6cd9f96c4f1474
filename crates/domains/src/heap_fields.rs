//! What the fields of nodes hold, whichever nodes they are: numbers that the program stores, bounds that it looks at, and how two fields relate.
//!
//! Lists and tables keep records on the heap; what reads them knows a node only as one of those that some place allocates. So each candidate is about all
//! of these (`encode::Each`): a bound of a field, or of the sum or difference of two.

use std::collections::{BTreeMap, BTreeSet};

use encode::{Each, Field, Formula, Holding, Relation};
use model::{Body, CommandKind, ExprId, ExprKind, FunctionId, LocalId, PlaceId, PlaceKind, Type, UnaryOp};
use pointers::{Cell, Object, Offsets};
use rustc_hash::FxHashMap;

use crate::Domain;
use crate::linked_memory::made_at;
use crate::view::View;

/// `node->start + node->size <= 2352 in all of what line 7 allocates`
pub struct HeapFields;

/// So many fields of an allocation are looked at,
const FIELDS: usize = 8;
/// … so many of them in pairs,
const PAIRED: usize = 5;
/// … and so many numbers for each, from either end.
const NUMBERS: usize = 2;

impl Domain for HeapFields {
    fn name(&self) -> &'static str {
        "heap-fields"
    }
    fn about(&self) -> &'static str {
        "bounds of fields in all objects of one allocation, and of sums and differences of two of them"
    }
    fn propose(&self, view: &View<'_>, out: &mut Vec<Formula>) {
        let mut facts = Facts::of_written(view);
        if facts.fields.is_empty() {
            return;
        }
        for (id, function) in view.head.program.functions.enumerate() {
            if let Some(body) = function.body.as_ref().filter(|_| !view.head.program.is_library(function.span)) {
                facts.read(view, id, body);
            }
        }
        for (object, fields) in facts.fields {
            let span = made_at(view, object);
            let each = |parts, constant, relation| Formula::Each(Each { object, span, holds: Holding::Sum(parts, constant, relation) });
            let mut at_most = |parts: &[(i64, Field)], bound: i128| out.push(each(parts.to_vec(), -bound, Relation::AtMost));
            let fields: Vec<(Field, BTreeSet<i128>)> =
                fields.into_values().filter_map(|field| Some((field.field?, field.numbers))).take(FIELDS).collect();
            for (field, numbers) in &fields {
                let least = numbers.iter().take(NUMBERS).copied().chain([0]).collect::<BTreeSet<i128>>();
                least.into_iter().filter(|bound| field.signed || *bound > 0).for_each(|bound| at_most(&[(-1, *field)], -bound));
                numbers.iter().rev().take(NUMBERS).for_each(|bound| at_most(&[(1, *field)], *bound));
            }
            for (place, (one, _)) in fields.iter().enumerate().take(PAIRED) {
                for (other, _) in fields.iter().take(PAIRED).skip(place + 1).filter(|(other, _)| other.bytes == one.bytes) {
                    let together = facts.together.get(&(object, one.offset, other.offset)).map_or(&[][..], Vec::as_slice);
                    for signs in [(1, 1), (1, -1), (-1, 1)] {
                        let value = |(a, b): &(i128, i128)| i128::from(signs.0) * a + i128::from(signs.1) * b;
                        let mut bounds: BTreeSet<i128> = together.iter().map(value).max().into_iter().collect();
                        bounds.extend((signs.0 != signs.1).then_some(0));
                        bounds.into_iter().for_each(|bound| at_most(&[(signs.0, *one), (signs.1, *other)], bound));
                    }
                }
            }
        }
    }
}

/// What the program does with a field.
#[derive(Default)]
struct Seen {
    /// How it is read, if it is ever named.
    field: Option<Field>,
    /// Numbers that are stored in it or compared with it.
    numbers: BTreeSet<i128>,
}

/// What the program does with the integers in objects on the heap.
#[derive(Default)]
struct Facts {
    /// For each allocation, its integers by their offset.
    fields: BTreeMap<Object, BTreeMap<u64, Seen>>,
    /// Numbers that are stored in two of them by one block.
    together: BTreeMap<(Object, u64, u64), Vec<(i128, i128)>>,
}

impl Facts {
    /// Nothing yet, of the integers at fixed places that a loop may write.
    fn of_written(view: &View<'_>) -> Self {
        let mut facts = Facts::default();
        for Cell { object, offsets, size } in view.head.written {
            if let (Object::Heap(_), Some(offset), 1..=8) = (object, offsets.single(), *size)
                && let Ok(offset) = u64::try_from(offset)
            {
                facts.fields.entry(*object).or_default().entry(offset).or_default();
            }
        }
        facts
    }

    /// Reads the assignments and comparisons of a function.
    fn read(&mut self, view: &View<'_>, function: FunctionId, body: &Body) {
        for block in body.blocks.iter() {
            let mut variables: FxHashMap<LocalId, i128> = FxHashMap::default();
            let mut stored: BTreeMap<(Object, u64), i128> = BTreeMap::new();
            for command in &block.commands {
                let CommandKind::Assign { dst, src } = command.kind else { continue };
                let number = constant(view, body, &variables, src);
                if let PlaceKind::Local(local) = body.places[dst].kind {
                    variables.remove(&local);
                    variables.extend(number.map(|number| (local, number)));
                }
                for (object, field) in self.places(view, (function, body), dst) {
                    self.note(object, field, number);
                    stored.extend(number.map(|number| ((object, field.offset), number)));
                }
            }
            for (&(object, one), &first) in &stored {
                for (&(_, other), &second) in stored.range((object, one + 1)..=(object, u64::MAX)) {
                    self.together.entry((object, one, other)).or_default().push((first, second));
                }
            }
        }
        for expr in body.exprs.iter() {
            let ExprKind::Binary(op, a, b) = expr.kind else { continue };
            for (read, with) in [(a, b), (b, a)].into_iter().filter(|_| op.is_comparison()) {
                let ExprKind::Load(place) = body.exprs[without_casts(body, read)].kind else { continue };
                let number = constant(view, body, &FxHashMap::default(), with);
                for (object, field) in self.places(view, (function, body), place) {
                    self.note(object, field, number);
                }
            }
        }
    }

    fn note(&mut self, object: Object, field: Field, number: Option<i128>) {
        if let Some(seen) = self.fields.get_mut(&object).and_then(|fields| fields.get_mut(&field.offset)) {
            seen.field.get_or_insert(field);
            seen.numbers.extend(number);
        }
    }

    /// The integers on the heap that `p->field` may be, if they are asked for.
    fn places(&self, view: &View<'_>, (function, body): (FunctionId, &Body), place: PlaceId) -> Vec<(Object, Field)> {
        let types = &view.head.program.types;
        let PlaceKind::Field(base, position) = body.places[place].kind else { return Vec::new() };
        let (PlaceKind::Deref(pointer), Type::Record(record)) = (&body.places[base].kind, types.get(body.places[base].ty)) else {
            return Vec::new();
        };
        let Type::Int { bits: bits @ (8 | 16 | 32 | 64), signed } = *types.get(body.places[place].ty) else { return Vec::new() };
        let Some(layout) = body.field(types, place).filter(|field| field.bit.is_none()) else { return Vec::new() };
        let bytes = u8::try_from(bits / 8).unwrap_or(8);
        let field = Field { offset: layout.offset, bytes, signed, name: (*record, position) };
        let is_asked = |object: &Object| self.fields.get(object).is_some_and(|fields| fields.contains_key(&field.offset));
        let targets = view.head.analysis.targets(function, *pointer).into_iter().filter(|target| target.offsets == Offsets::ZERO);
        targets.map(|target| target.object).filter(is_asked).map(|object| (object, field)).collect()
    }
}

fn without_casts(body: &Body, mut expr: ExprId) -> ExprId {
    while let ExprKind::Cast(inner) = body.exprs[expr].kind {
        expr = inner;
    }
    expr
}

/// The value of an expression that is a constant, or a variable with a known one.
fn constant(view: &View<'_>, body: &Body, variables: &FxHashMap<LocalId, i128>, expr: ExprId) -> Option<i128> {
    let expr = without_casts(body, expr);
    match body.exprs[expr].kind {
        ExprKind::Int(pattern) => Some(view.head.program.types.value(body.exprs[expr].ty, pattern)),
        ExprKind::Unary(UnaryOp::Neg, inner) => constant(view, body, variables, inner).map(|number| -number),
        ExprKind::Load(place) => match body.places[place].kind {
            PlaceKind::Local(local) => variables.get(&local).copied(),
            _ => None,
        },
        _ => None,
    }
}

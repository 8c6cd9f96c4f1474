//! Rules of types and records.

use rustc_hash::FxHashSet;

use super::{Check, Flaw, MAX_FLAWS, MAX_NESTING, check_span, check_type, ensure};
use crate::arena::Id;
use crate::program::Program;
use crate::types::{Field, Layout, Record, RecordId, Type, TypeId, Types};

/// The first flaw of each type and record.
pub(super) fn flaws(program: &Program) -> Vec<Flaw> {
    let types = &program.types;
    let mut flaws = Vec::new();
    let mut distinct = FxHashSet::default();
    for (id, ty) in types.all().enumerate() {
        let checked = check_parts(types, id, ty).and_then(|()| ensure(distinct.insert(ty), "it is there twice"));
        if let Err(what) = checked {
            flaws.push(Flaw { subject: format!("type {}", id.raw()), what: what.to_string() });
        }
    }
    if !flaws.is_empty() {
        // Records are made of types.
        flaws.truncate(MAX_FLAWS);
        return flaws;
    }
    let mut nesting = Nesting::new(types);
    for (id, record) in types.records().enumerate() {
        let checked = check_record(program, record).and_then(|()| nesting.check(id));
        if let Err(what) = checked {
            flaws.push(Flaw { subject: format!("record {} `{}`", id.raw(), record.name), what: what.to_string() });
        }
    }
    if flaws.is_empty() {
        for (id, _) in types.all().enumerate() {
            if nesting.of_type(id) > MAX_NESTING {
                flaws.push(Flaw { subject: format!("type {}", id.raw()), what: TOO_DEEP.to_string() });
            }
        }
    }
    flaws.truncate(MAX_FLAWS);
    flaws
}

const TOO_DEEP: &str = "arrays and records lie inside each other too deeply";

/// A type is made of earlier types, except that records, which have their own table, may be made of any.
fn check_parts(types: &Types, id: TypeId, ty: &Type) -> Check {
    let earlier = |part: TypeId| ensure(part < id, "it is made of a type that does not come before it");
    match ty {
        Type::Void | Type::Bool | Type::Float(_) => Ok(()),
        Type::Int { bits, .. } => ensure((1..=128).contains(bits), "an integer has 1 to 128 bits"),
        Type::Pointer(to) => earlier(*to),
        Type::Array { elem, .. } => {
            earlier(*elem)?;
            ensure(is_object(types, *elem), "an array has elements without size")
        }
        Type::Record(record) => ensure(types.records().get(*record).is_some(), "there is no such record"),
        Type::Function { ret, params, .. } => {
            earlier(*ret)?;
            params.iter().try_for_each(|param| earlier(*param))?;
            ensure(params.iter().all(|param| is_object(types, *param)), "a parameter is void or a function")?;
            ensure(!matches!(types.get(*ret), Type::Function { .. } | Type::Array { .. }), "a function returns a function or an array")
        }
    }
}

/// Whether objects can have this type.
pub(super) fn is_object(types: &Types, id: TypeId) -> bool {
    !matches!(types.all().get(id), None | Some(Type::Void | Type::Function { .. }))
}

fn check_record(program: &Program, record: &Record) -> Check {
    check_span(program, record.span)?;
    let Some(layout) = &record.layout else { return Ok(()) };
    ensure(layout.align.is_power_of_two(), "the alignment is not a power of two")?;
    layout.fields.iter().try_for_each(|field| check_field(&program.types, layout, field))
}

fn check_field(types: &Types, layout: &Layout, field: &Field) -> Check {
    let ty = check_type(types, field.ty)?;
    ensure(is_object(types, field.ty), "a field is void or a function")?;
    let inside = match field.bit {
        Some(bit) => {
            ensure(bit < 8, "a bit-field begins outside its byte")?;
            ensure(matches!(ty, Type::Int { .. } | Type::Bool), "a bit-field is no integer")?;
            let bits = u64::from(bit) + u64::from(types.bits(field.ty).unwrap_or(0));
            field.offset.checked_add(bits.div_ceil(8)).is_some_and(|end| end <= layout.size)
        }
        None => match shallow_size(types, field.ty) {
            Some(size) => field.offset.checked_add(size).is_some_and(|end| end <= layout.size),
            None => field.offset <= layout.size,
        },
    };
    ensure(inside, "a field reaches beyond the end")
}

/// The size of a type whose nesting is not known to be bounded yet. Arrays of arrays are only multiplied out as far as is allowed.
fn shallow_size(types: &Types, mut id: TypeId) -> Option<u64> {
    let mut count: u64 = 1;
    for _ in 0..MAX_NESTING {
        match types.get(id) {
            Type::Array { elem, len } => {
                count = count.checked_mul((*len)?)?;
                id = *elem;
            }
            _ => return types.size_of(id)?.checked_mul(count),
        }
    }
    None
}

/// How deep arrays and records lie inside each other, and whether a record contains itself.
struct Nesting<'a> {
    types: &'a Types,
    /// For each type: how many arrays are around what, if that is a record.
    arrays: Vec<(u32, Option<RecordId>)>,
    records: Vec<Depth>,
}

#[derive(Clone, Copy, PartialEq)]
enum Depth {
    Unknown,
    /// Its fields are being looked at: meeting it again means that it contains itself.
    Open,
    Known(u32),
}

impl<'a> Nesting<'a> {
    fn new(types: &'a Types) -> Self {
        let mut arrays: Vec<(u32, Option<RecordId>)> = Vec::with_capacity(types.all().len());
        for ty in types.all().iter() {
            arrays.push(match ty {
                Type::Array { elem, .. } => {
                    let (depth, record) = arrays[elem.index()];
                    (depth + 1, record)
                }
                Type::Record(record) => (0, Some(*record)),
                _ => (0, None),
            });
        }
        Nesting { types, arrays, records: vec![Depth::Unknown; types.records().len()] }
    }

    fn fields(&self, record: RecordId) -> &'a [Field] {
        self.types.record(record).layout.as_ref().map_or(&[], |layout| &layout.fields)
    }

    /// Walks over everything inside a record whose depth is unknown, deepest first.
    fn check(&mut self, root: RecordId) -> Check {
        if self.records[root.index()] != Depth::Unknown {
            return Ok(());
        }
        self.records[root.index()] = Depth::Open;
        let mut path: Vec<(RecordId, usize, u32)> = vec![(root, 0, 0)];
        while let Some((record, next, depth)) = path.last_mut() {
            let Some(field) = self.fields(*record).get(*next) else {
                ensure(*depth < MAX_NESTING, TOO_DEEP)?;
                self.records[record.index()] = Depth::Known(*depth + 1);
                path.pop();
                continue;
            };
            // A table of types that holds a field's type out of range was refused above, but only for this record.
            let (arrays, inner) = self.arrays.get(field.ty.index()).copied().unwrap_or((0, None));
            let inner_depth = match inner {
                None => Depth::Known(0),
                Some(inner) => self.records.get(inner.index()).copied().unwrap_or(Depth::Known(0)),
            };
            match inner_depth {
                Depth::Known(inner_depth) => {
                    *depth = (*depth).max(arrays.saturating_add(inner_depth));
                    *next += 1;
                }
                Depth::Open => return Err("it contains itself"),
                Depth::Unknown => {
                    let inner = inner.unwrap_or(Id::new(0));
                    self.records[inner.index()] = Depth::Open;
                    path.push((inner, 0, 0));
                }
            }
        }
        Ok(())
    }

    fn of_type(&self, id: TypeId) -> u32 {
        let (arrays, record) = self.arrays[id.index()];
        match record.map(|record| self.records[record.index()]) {
            Some(Depth::Known(depth)) => arrays.saturating_add(depth),
            _ => arrays,
        }
    }
}

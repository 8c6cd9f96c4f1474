//! Which records become one.

use model::{Arena, Field, Id, Layout, Program, Record, RecordId, RecordKind, Span, Target, Type, TypeId};

use crate::link::{Unit, link};

/// A unit that is made by hand, with one file.
struct Draft {
    program: Program,
}

impl Draft {
    fn new() -> Self {
        let mut program = Program::new(Target::Lp64);
        program.files.push("common.h".to_string());
        Draft { program }
    }

    /// An incomplete structure, defined at that line of the common header.
    fn declare(&mut self, name: &str, line: u32) -> RecordId {
        let span = Span { file: Id::new(0), line, column: 1, length: 6 };
        self.program.types.add_record(Record { kind: RecordKind::Struct, name: name.to_string(), layout: None, span })
    }

    fn complete(&mut self, record: RecordId, fields: &[(&str, TypeId)]) {
        let fields: Vec<Field> =
            (0..).zip(fields).map(|(index, (name, ty))| Field { name: name.to_string(), ty: *ty, offset: index * 8, bit: None }).collect();
        let size = 8 * fields.len() as u64;
        self.program.types.record_mut(record).layout = Some(Layout { fields, size, align: 8 });
    }

    fn define(&mut self, name: &str, line: u32, fields: &[(&str, TypeId)]) -> RecordId {
        let record = self.declare(name, line);
        self.complete(record, fields);
        record
    }

    fn int(&mut self) -> TypeId {
        self.program.types.int(64, true)
    }

    fn pointer(&mut self, record: RecordId) -> TypeId {
        let record = self.program.types.intern(Type::Record(record));
        self.program.types.pointer(record)
    }
}

/// The records of the linked program as `tag` or `tag(field: type, …)`, where a pointer to a record is `*number`.
fn linked(drafts: Vec<Draft>) -> Vec<String> {
    let units = drafts.into_iter().map(|draft| Unit { name: "unit".to_string(), program: draft.program }).collect();
    let program = link(units).unwrap().program;
    let name = |ty: TypeId| match program.types.get(ty) {
        Type::Pointer(to) => match program.types.get(*to) {
            Type::Record(record) => format!("*{}", record.raw()),
            _ => "*".to_string(),
        },
        Type::Int { bits, .. } => format!("i{bits}"),
        other => format!("{other:?}"),
    };
    let records: &Arena<Record> = program.types.records();
    let shown = records.iter().map(|record| match &record.layout {
        Some(layout) => {
            let fields: Vec<String> = layout.fields.iter().map(|field| format!("{}: {}", field.name, name(field.ty))).collect();
            format!("{}({})", record.name, fields.join(", "))
        }
        None => record.name.clone(),
    });
    shown.collect()
}

/// A list of nodes that own a payload of one field.
fn list(field: &str) -> Draft {
    let mut draft = Draft::new();
    let node = draft.declare("node", 1);
    let int = draft.int();
    let payload = draft.define("payload", 2, &[(field, int)]);
    let (next, payload) = (draft.pointer(node), draft.pointer(payload));
    draft.complete(node, &[("next", next), ("payload", payload)]);
    draft
}

#[test]
fn recursive_records_become_one() {
    assert_eq!(linked(vec![list("x"), list("x")]), ["node(next: *0, payload: *1)", "payload(x: i64)"]);
}

#[test]
fn a_difference_far_away_keeps_records_apart() {
    let expected = ["node(next: *0, payload: *1)", "payload(x: i64)", "node(next: *2, payload: *3)", "payload(y: i64)"];
    assert_eq!(linked(vec![list("x"), list("y"), list("x")]), expected);
}

#[test]
fn an_incomplete_record_becomes_the_only_complete_one() {
    let opaque = || {
        let mut draft = Draft::new();
        let inner = draft.declare("inner", 1);
        let inner = draft.pointer(inner);
        draft.define("outer", 2, &[("inner", inner)]);
        draft
    };
    let mut full = opaque();
    let int = full.int();
    full.complete(Id::new(0), &[("x", int)]);
    assert_eq!(linked(vec![opaque(), full, opaque()]), ["inner(x: i64)", "outer(inner: *0)"]);
}

#[test]
fn an_incomplete_record_with_two_candidates_stays() {
    let mut opaque = Draft::new();
    opaque.declare("payload", 1);
    assert_eq!(linked(vec![opaque, list("x"), list("y")]).iter().filter(|record| *record == "payload").count(), 1);
}

#[test]
fn records_of_one_unit_stay_apart() {
    let twins = || {
        let mut draft = Draft::new();
        let int = draft.int();
        let first = draft.define("", 1, &[("x", int)]);
        let second = draft.define("", 2, &[("x", int)]);
        let (first, second) = (draft.pointer(first), draft.pointer(second));
        draft.define("both", 3, &[("first", first), ("second", second)]);
        draft
    };
    assert_eq!(linked(vec![twins(), twins()]), ["(x: i64)", "(x: i64)", "both(first: *0, second: *1)"]);
}

#[test]
fn even_twins_at_one_place_stay_apart() {
    let mut draft = Draft::new();
    let int = draft.int();
    draft.define("s", 1, &[("x", int)]);
    draft.define("s", 1, &[("x", int)]);
    let mut other = Draft::new();
    let int = other.int();
    other.define("s", 1, &[("x", int)]);
    assert_eq!(linked(vec![draft, other]).len(), 3);
}

#[test]
fn a_long_chain_ends() {
    let chain = || {
        let mut draft = Draft::new();
        let records: Vec<RecordId> = (0..1000).map(|_| draft.declare("", 1)).collect();
        for (record, next) in records.iter().zip(&records[1..]) {
            let next = draft.pointer(*next);
            draft.complete(*record, &[("next", next)]);
        }
        draft
    };
    assert_eq!(linked(vec![chain(), chain()]).len(), 2000);
}

//! One table of types for all units.
//!
//! Two records are one if they have the same kind, tag and layout, where the types of their fields are compared in the same way: the
//! coarsest partition of all records that is consistent with itself. It is found by refinement: first all records of one kind and tag
//! are thought equal, then classes are split by what their fields refer to, until nothing changes. A round is linear in the size of
//! all types, and real programs need two or three.

use std::hash::Hash;

use model::relocate::relocate_span;
use model::{Field, FileId, Id, Layout, Record, RecordId, RecordKind, Span, Type, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Unit;

/// A difference travels one step along pointers in each round; programs have no chains of different records this long.
const MAX_ROUNDS: usize = 200;

/// The merged table, and for each unit where its types went.
pub(super) struct MergedTypes {
    pub types: Types,
    pub maps: Vec<Vec<TypeId>>,
}

/// Merges the types of all units; `files` says for each unit where its files went.
pub(super) fn merge(units: &[Unit], files: &[Vec<FileId>]) -> MergedTypes {
    let mut records = Records::new(units, files);
    let classes = records.partition();
    records.build(&classes)
}

/// All records of all units in one row.
struct Records<'a> {
    units: &'a [Unit],
    files: &'a [Vec<FileId>],
    /// Where the records of each unit begin in the row.
    starts: Vec<usize>,
    entries: Vec<Entry>,
}

/// What is known of a record before its fields' types are looked at.
struct Entry {
    unit: usize,
    id: RecordId,
    /// Number of its kind and tag.
    tag: u32,
    /// Number of everything in it but the types of the fields; `None` if it is incomplete.
    shape: Option<u32>,
    /// Records with different marks are never one; see [`Records::partition`].
    mark: u32,
}

/// The class of each record in the row, and how many classes there are.
struct Classes {
    of: Vec<u32>,
    count: usize,
}

/// What makes two records different in a round of refinement.
#[derive(PartialEq, Eq, Hash)]
enum Signature {
    Complete { shape: u32, mark: u32, fields: Vec<TypeId> },
    Incomplete { tag: u32, mark: u32 },
}

/// The classes of the complete records with some tag.
#[derive(Clone, Copy)]
enum Candidates {
    None,
    One(u32),
    Several,
}

/// Everything in a field but its type.
type FieldShape<'a> = (&'a str, u64, Option<u8>);

/// Numbers for values, in order of appearance.
struct Numbers<T>(FxHashMap<T, u32>);

impl<T: Hash + Eq> Numbers<T> {
    fn new() -> Self {
        Numbers(FxHashMap::default())
    }
    fn number(&mut self, value: T) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(value).or_insert(next)
    }
}

impl<'a> Records<'a> {
    fn new(units: &'a [Unit], files: &'a [Vec<FileId>]) -> Self {
        let mut tags: Numbers<(RecordKind, &str)> = Numbers::new();
        let mut shapes: Numbers<(u32, u64, u64, Vec<FieldShape>)> = Numbers::new();
        let (mut starts, mut entries) = (Vec::new(), Vec::new());
        for (unit, Unit { program, .. }) in units.iter().enumerate() {
            starts.push(entries.len());
            for (id, record) in program.types.records().enumerate() {
                let tag = tags.number((record.kind, &record.name));
                let shape = record.layout.as_ref().map(|layout| {
                    let fields = layout.fields.iter().map(|field| (field.name.as_str(), field.offset, field.bit)).collect();
                    shapes.number((tag, layout.size, layout.align, fields))
                });
                entries.push(Entry { unit, id, tag, shape, mark: 0 });
            }
        }
        Records { units, files, starts, entries }
    }

    fn record(&self, entry: &Entry) -> &'a Record {
        self.units[entry.unit].program.types.record(entry.id)
    }

    /// The partition. Records of one unit are different by C's rules even if they look alike (two anonymous structures with the same
    /// members), so no class may hold two of them: where one does, its members are told apart by where they are defined, and where
    /// even that does not help they stay single.
    fn partition(&mut self) -> Classes {
        self.uncrowded().unwrap_or_else(|| Classes { of: (0..self.entries.len() as u32).collect(), count: self.entries.len() })
    }

    /// The partition, or `None` if it takes too many rounds; then all records stay single.
    fn uncrowded(&mut self) -> Option<Classes> {
        let classes = self.refine()?;
        let crowded = self.crowded(&classes);
        if crowded.is_empty() {
            return Some(classes);
        }
        let mut places: Numbers<Span> = Numbers::new();
        for index in crowded {
            let entry = &self.entries[index];
            let span = relocate_span(self.record(entry).span, &self.files[entry.unit]);
            self.entries[index].mark = 1 + places.number(span);
        }
        let classes = self.refine()?;
        let crowded = self.crowded(&classes);
        if crowded.is_empty() {
            return Some(classes);
        }
        for (mark, index) in (1 + places.0.len() as u32..).zip(crowded) {
            self.entries[index].mark = mark;
        }
        self.refine()
    }

    /// The members of classes that hold several records of one unit.
    fn crowded(&self, classes: &Classes) -> Vec<usize> {
        let mut seen = FxHashSet::default();
        let twice: FxHashSet<u32> = self
            .entries
            .iter()
            .zip(&classes.of)
            .filter(|(entry, class)| !seen.insert((entry.unit, **class)))
            .map(|(_, class)| *class)
            .collect();
        (0..self.entries.len()).filter(|&index| twice.contains(&classes.of[index])).collect()
    }

    /// The coarsest partition that is consistent and respects the marks.
    fn refine(&self) -> Option<Classes> {
        let mut classes = Classes { of: self.entries.iter().map(|entry| entry.tag).collect(), count: 0 };
        for _ in 0..MAX_ROUNDS {
            let finer = self.split(&classes);
            // Each partition refines the one before, so as many classes are the same classes.
            if finer.count == classes.count {
                return Some(finer);
            }
            classes = finer;
        }
        None
    }

    /// One round: classes by shape and by the classes of the fields' types.
    fn split(&self, classes: &Classes) -> Classes {
        let types = self.intern(Types::new(Default::default()), |index| Id::new(classes.of[index]));
        let mut numbers: Numbers<Signature> = Numbers::new();
        let mut candidates = vec![Candidates::None; self.entries.len() + 1];
        let mut of = vec![0; self.entries.len()];
        for (index, entry) in self.entries.iter().enumerate() {
            let (Some(shape), Some(layout)) = (entry.shape, &self.record(entry).layout) else { continue };
            let fields = layout.fields.iter().map(|field| types.maps[entry.unit][field.ty.index()]).collect();
            let class = numbers.number(Signature::Complete { shape, mark: entry.mark, fields });
            of[index] = class;
            let known = &mut candidates[entry.tag as usize];
            *known = match *known {
                Candidates::None => Candidates::One(class),
                Candidates::One(other) if other == class => Candidates::One(class),
                _ => Candidates::Several,
            };
        }
        for (index, entry) in self.entries.iter().enumerate().filter(|(_, entry)| entry.shape.is_none()) {
            of[index] = match candidates[entry.tag as usize] {
                Candidates::One(class) if entry.mark == 0 => class,
                _ => numbers.number(Signature::Incomplete { tag: entry.tag, mark: entry.mark }),
            };
        }
        Classes { of, count: numbers.0.len() }
    }

    /// Adds the types of all units to a table in which `target` says what a record of the row is.
    fn intern(&self, mut types: Types, target: impl Fn(usize) -> RecordId) -> MergedTypes {
        let mut maps = Vec::with_capacity(self.units.len());
        for (Unit { program, .. }, start) in self.units.iter().zip(&self.starts) {
            let mut map: Vec<TypeId> = Vec::with_capacity(program.types.all().len());
            for ty in program.types.all().iter() {
                let ty = match ty {
                    Type::Pointer(to) => Type::Pointer(map[to.index()]),
                    Type::Array { elem, len } => Type::Array { elem: map[elem.index()], len: *len },
                    Type::Record(record) => Type::Record(target(start + record.index())),
                    Type::Function { ret, params, variadic } => {
                        let params = params.iter().map(|param| map[param.index()]).collect();
                        Type::Function { ret: map[ret.index()], params, variadic: *variadic }
                    }
                    Type::Void | Type::Bool | Type::Int { .. } | Type::Float(_) => ty.clone(),
                };
                map.push(types.intern(ty));
            }
            maps.push(map);
        }
        MergedTypes { types, maps }
    }

    /// The merged table: a record for each class, in order of appearance, as its first complete member describes it.
    fn build(&self, classes: &Classes) -> MergedTypes {
        let target = self.units.first().map(|unit| unit.program.types.target()).unwrap_or_default();
        let mut types = Types::new(target);
        let mut merged: Vec<Option<RecordId>> = vec![None; classes.count];
        let mut describers = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let slot = &mut merged[classes.of[index] as usize];
            let id = *slot.get_or_insert_with(|| {
                let record = self.record(entry);
                let span = relocate_span(record.span, &self.files[entry.unit]);
                describers.push(None);
                types.add_record(Record { kind: record.kind, name: record.name.clone(), layout: None, span })
            });
            if entry.shape.is_some() && describers[id.index()].is_none() {
                describers[id.index()] = Some(entry);
            }
        }
        let target = |index: usize| merged[classes.of[index] as usize].unwrap_or(Id::new(0));
        let mut result = self.intern(types, target);
        for (number, describer) in describers.into_iter().enumerate() {
            let Some(entry) = describer else { continue };
            let Record { layout: Some(layout), span, .. } = self.record(entry) else { continue };
            let map = &result.maps[entry.unit];
            let fields = layout.fields.iter().map(|field| Field { ty: map[field.ty.index()], ..field.clone() }).collect();
            let record = result.types.record_mut(Id::new(number as u32));
            record.layout = Some(Layout { fields, size: layout.size, align: layout.align });
            record.span = relocate_span(*span, &self.files[entry.unit]);
        }
        result
    }
}

/// Whether C calls two types compatible: equal, or one says less than the other (no prototype, no array length, no members).
pub(super) fn compatible(types: &Types, left: TypeId, right: TypeId) -> bool {
    let mut seen = FxHashSet::default();
    let mut pairs = vec![(left, right)];
    while let Some((left, right)) = pairs.pop() {
        if left == right || !seen.insert((left, right)) {
            continue;
        }
        match (types.get(left), types.get(right)) {
            (Type::Pointer(left), Type::Pointer(right)) => pairs.push((*left, *right)),
            (Type::Array { elem: left, len: a }, Type::Array { elem: right, len: b }) if a.is_none() || b.is_none() || a == b => {
                pairs.push((*left, *right));
            }
            (Type::Record(left), Type::Record(right)) => {
                let (left, right) = (types.record(*left), types.record(*right));
                if left.kind != right.kind || left.name != right.name || left.layout.is_some() && right.layout.is_some() {
                    return false;
                }
            }
            (Type::Function { ret: a, params: left_params, variadic: v }, Type::Function { ret: b, params: right_params, variadic: w }) => {
                pairs.push((*a, *b));
                if is_unprototyped(types.get(left)) || is_unprototyped(types.get(right)) {
                    continue;
                }
                if v != w || left_params.len() != right_params.len() {
                    return false;
                }
                pairs.extend(left_params.iter().copied().zip(right_params.iter().copied()));
            }
            _ => return false,
        }
    }
    true
}

/// Whether this is the type of a function declared without prototype: `int f()`.
pub(super) fn is_unprototyped(ty: &Type) -> bool {
    matches!(ty, Type::Function { params, variadic: true, .. } if params.is_empty())
}

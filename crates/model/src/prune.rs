//! Drops what no definition refers to: types, records and file names that headers brought along.

use crate::relocate::{Relocation, relocate_span};
use crate::{Arena, ExprKind, FileId, Id, Layout, Program, RecordId, Span, Type, TypeId, Types};

/// Leaves in the tables only the types, records and files that globals and functions mention, directly or through other types. The first
/// file stays: it is the one that was compiled. What the program means does not change.
pub fn prune(program: &mut Program) {
    let mut used = Used::new(&program.types);
    used.program(program);
    let (types, type_map) = used.kept_types(&program.types);
    let files = used_files(program, &types);
    let mut kept = Arena::new();
    let file_map: Vec<FileId> = program
        .files
        .enumerate()
        .map(|(id, name)| if id.index() == 0 || files[id.index()] { kept.push(name.clone()) } else { Id::new(u32::MAX) })
        .collect();
    program.files = kept;
    program.types = types;
    let relocation = Relocation { files: &file_map, types: &type_map };
    for id in program.types.records().ids() {
        let record = program.types.record_mut(id);
        record.span = relocate_span(record.span, &file_map);
    }
    for global in program.globals.iter_mut() {
        relocation.ty(&mut global.ty);
        relocation.span(&mut global.span);
    }
    for function in program.functions.iter_mut() {
        relocation.ty(&mut function.ty);
        relocation.span(&mut function.span);
        if let Some(body) = &mut function.body {
            relocation.body(body);
        }
    }
    program.assembly.iter_mut().for_each(|span| relocation.span(span));
}

/// Which types and records are mentioned.
struct Used<'a> {
    old: &'a Types,
    types: Vec<bool>,
    records: Vec<bool>,
    pending: Vec<TypeId>,
}

impl<'a> Used<'a> {
    fn new(old: &'a Types) -> Self {
        Used { old, types: vec![false; old.all().len()], records: vec![false; old.records().len()], pending: Vec::new() }
    }

    fn program(&mut self, program: &Program) {
        program.globals.iter().for_each(|global| self.add(global.ty));
        for function in program.functions.iter() {
            self.add(function.ty);
            let Some(body) = &function.body else { continue };
            body.locals.iter().for_each(|local| self.add(local.ty));
            body.places.iter().for_each(|place| self.add(place.ty));
            for expr in body.exprs.iter() {
                self.add(expr.ty);
                if let ExprKind::Overflows(_, _, _, ty) = expr.kind {
                    self.add(ty);
                }
            }
        }
        while let Some(ty) = self.pending.pop() {
            self.components(ty);
        }
    }

    fn add(&mut self, ty: TypeId) {
        if !std::mem::replace(&mut self.types[ty.index()], true) {
            self.pending.push(ty);
        }
    }

    fn components(&mut self, ty: TypeId) {
        let old = self.old;
        match old.get(ty) {
            Type::Void | Type::Bool | Type::Int { .. } | Type::Float(_) => {}
            Type::Pointer(to) => self.add(*to),
            Type::Array { elem, .. } => self.add(*elem),
            Type::Function { ret, params, .. } => {
                self.add(*ret);
                params.iter().for_each(|param| self.add(*param));
            }
            Type::Record(record) => {
                if !std::mem::replace(&mut self.records[record.index()], true) {
                    let fields = old.record(*record).layout.iter().flat_map(|layout| &layout.fields);
                    fields.for_each(|field| self.add(field.ty));
                }
            }
        }
    }

    /// The table of what is used, in the old order, and for each old type the new one.
    fn kept_types(&self, old: &Types) -> (Types, Vec<TypeId>) {
        let mut types = Types::new(old.target());
        let mut records: Vec<RecordId> = vec![Id::new(u32::MAX); old.records().len()];
        for (id, record) in old.records().enumerate().filter(|(id, _)| self.records[id.index()]) {
            records[id.index()] = types.add_record(record.clone());
        }
        let mut map: Vec<TypeId> = vec![Id::new(u32::MAX); old.all().len()];
        for (id, ty) in old.all().enumerate().filter(|(id, _)| self.types[id.index()]) {
            let mut ty = ty.clone();
            match &mut ty {
                Type::Void | Type::Bool | Type::Int { .. } | Type::Float(_) => {}
                Type::Pointer(to) | Type::Array { elem: to, .. } => *to = map[to.index()],
                Type::Record(record) => *record = records[record.index()],
                Type::Function { ret, params, .. } => {
                    *ret = map[ret.index()];
                    params.iter_mut().for_each(|param| *param = map[param.index()]);
                }
            }
            map[id.index()] = types.intern(ty);
        }
        for id in records.into_iter().filter(|id| id.raw() != u32::MAX) {
            if let Some(Layout { fields, .. }) = &mut types.record_mut(id).layout {
                fields.iter_mut().for_each(|field| field.ty = map[field.ty.index()]);
            }
        }
        (types, map)
    }
}

/// Which files a program with these types points to.
fn used_files(program: &Program, types: &Types) -> Vec<bool> {
    let mut used = vec![false; program.files.len()];
    let mut add = |span: &Span| {
        if let Some(slot) = used.get_mut(span.file.index()).filter(|_| !span.is_none()) {
            *slot = true;
        }
    };
    types.records().iter().for_each(|record| add(&record.span));
    program.globals.iter().for_each(|global| add(&global.span));
    program.assembly.iter().for_each(&mut add);
    for function in program.functions.iter() {
        add(&function.span);
        let Some(body) = &function.body else { continue };
        body.locals.iter().for_each(|local| add(&local.span));
        body.exprs.iter().for_each(|expr| add(&expr.span));
        body.places.iter().for_each(|place| add(&place.span));
        body.loops.iter().for_each(|source_loop| add(&source_loop.span));
        add(&body.end);
        for block in body.blocks.iter() {
            add(&block.span);
            for command in &block.commands {
                add(&command.span);
                if let crate::CommandKind::Assert(_, check) = &command.kind {
                    add(&check.span);
                }
            }
        }
    }
    used
}

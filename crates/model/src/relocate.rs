//! Moves a definition from one table of files and types to another.

use crate::{Body, Command, CommandKind, ExprKind, FileId, Span, TypeId};

/// Where files and types went.
#[derive(Clone, Copy, Debug)]
pub struct Relocation<'a> {
    /// For each old file, the new one.
    pub files: &'a [FileId],
    /// For each old type, the new one.
    pub types: &'a [TypeId],
}

/// A span in the new table of files; none if its file is unknown there.
pub fn relocate_span(span: Span, files: &[FileId]) -> Span {
    match files.get(span.file.index()) {
        Some(&file) if !span.is_none() => Span { file, ..span },
        _ => Span::NONE,
    }
}

impl Relocation<'_> {
    /// Moves a span.
    pub fn span(&self, span: &mut Span) {
        *span = relocate_span(*span, self.files);
    }
    /// Moves a type.
    pub fn ty(&self, ty: &mut TypeId) {
        *ty = self.types[ty.index()];
    }

    /// Moves the graph of a function; what it says of functions and globals is left as it is.
    pub fn body(&self, body: &mut Body) {
        for local in body.locals.iter_mut() {
            self.ty(&mut local.ty);
            self.span(&mut local.span);
        }
        for expr in body.exprs.iter_mut() {
            self.ty(&mut expr.ty);
            self.span(&mut expr.span);
            if let ExprKind::Overflows(_, _, _, ty) = &mut expr.kind {
                self.ty(ty);
            }
        }
        for place in body.places.iter_mut() {
            self.ty(&mut place.ty);
            self.span(&mut place.span);
        }
        for block in body.blocks.iter_mut() {
            block.commands.iter_mut().for_each(|command| self.command(command));
            self.span(&mut block.span);
        }
        for source_loop in &mut body.loops {
            self.span(&mut source_loop.span);
        }
        self.span(&mut body.end);
    }

    fn command(&self, command: &mut Command) {
        self.span(&mut command.span);
        if let CommandKind::Assert(_, check) = &mut command.kind {
            self.span(&mut check.span);
        }
    }
}

//! Moves a definition from the tables of its unit to the merged ones: the files of its spans and its types.

use model::{Body, Command, CommandKind, ExprKind, FileId, Span, TypeId};

/// Where the files and types of a unit went.
pub(super) struct Relocation<'a> {
    pub files: &'a [FileId],
    pub types: &'a [TypeId],
}

/// A span in the merged table of files.
pub(super) fn relocate_span(span: Span, files: &[FileId]) -> Span {
    match files.get(span.file.index()) {
        Some(&file) if !span.is_none() => Span { file, ..span },
        _ => Span::NONE,
    }
}

impl Relocation<'_> {
    pub fn span(&self, span: &mut Span) {
        *span = relocate_span(*span, self.files);
    }
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

//! Inlining: calls of small functions are replaced by what the functions do.
//!
//! Contract. Given a linked program that satisfies the model's invariants:
//! - the result satisfies them too. A run of it does what a run of the program did, with the same faults, each of the same kind and at the
//!   same place; only the stack of calls is flatter, and objects may have other addresses;
//! - a direct call is replaced if its function has fewer commands and branches than the limit (after inlining in that function itself),
//!   does not call itself on any way of direct calls, and has nothing that only works in a call of its own (`can_be_copied`, `fits`);
//! - functions stay: somebody may point to them. Functions without a call to replace stay as they are;
//! - variables of the function live from the start of its copy to the end, so each time there are new ones. Copies keep their spans, so
//!   traces show the function's lines; what stands for the call itself has the call's span. Source loops are copied too;
//! - names count: a function that marks an error is not inlined, but checks that know more names (`checks`) come before this pass.

mod calls;
mod lives;
#[cfg(test)]
mod tests;

use lives::Lives;
use model::{
    Block, BlockId, Body, Callee, Command, CommandKind, Expr, ExprId, Function, FunctionId, Id, Local, LocalId, Place, PlaceId, PlaceKind,
    Program, SourceLoop, Span, Terminator, Type, Types, rename,
};

/// Replaces calls of functions with less than this many commands and branches; see the module for what that means.
pub fn inline(program: &mut Program, limit: usize) {
    let components = calls::components(program);
    let mut small: Vec<Option<Lives>> = program.functions.iter().map(|_| None).collect();
    for component in components {
        for &id in &component.members {
            if program.functions[id].body.as_ref().is_some_and(|body| !calls_any(program, body, marks_its_frame)) {
                replace_calls(program, id, &small);
            }
        }
        if let [id] = component.members[..]
            && !component.recursive
            && can_be_copied(program, id)
        {
            small[id.index()] = program.functions[id].body.as_ref().filter(|body| size(body) < limit).map(Lives::of);
        }
    }
}

fn size(body: &Body) -> usize {
    body.blocks.iter().map(|block| block.commands.len() + 1).sum()
}

/// Whether a copy of the function inside of another does the same as a call of it.
fn can_be_copied(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id];
    let Some(body) = &function.body else { return false };
    let variadic = !matches!(program.types.get(function.ty), Type::Function { variadic: false, .. });
    !variadic
        && !function.marks_error()
        && body.address_taken.is_empty()
        && !body.blocks.iter().any(|block| matches!(block.terminator, Terminator::Computed(_)))
        && !body.blocks.iter().flat_map(|block| &block.commands).any(|command| needs_a_call(&command.kind))
        && !calls_any(program, body, |name| marks_its_frame(name) || charges_its_caller(name))
}

/// Commands about the frame that they run in; and gaps, which are reported by function.
fn needs_a_call(command: &CommandKind) -> bool {
    matches!(command, CommandKind::Alloca(..) | CommandKind::LiveArray(..) | CommandKind::VaStart(_) | CommandKind::Unsupported(_))
}

fn calls_any(program: &Program, body: &Body, is_one: impl Fn(&str) -> bool) -> bool {
    calls::direct(body).any(|callee| program.functions[callee].body.is_none() && is_one(&program.functions[callee].name))
}

/// A jump back to a function that called `setjmp` ends all calls above, and their variables. With these in the function itself they would
/// stay alive. (C does not allow to call it in other ways than directly.)
fn marks_its_frame(name: &str) -> bool {
    matches!(name, "setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp" | "__builtin_setjmp")
}

/// Primitives of the library that speak of the place where the function around them was called.
fn charges_its_caller(name: &str) -> bool {
    matches!(name, "__loopfrog_assert" | "__loopfrog_allocate")
}

/// Whether a copy can stand for this call. The place of the result is found before a call and written after it, so it has to be the same
/// both times; and a result that is missing on some way cannot be assigned.
fn fits(caller: &Body, dst: Option<PlaceId>, callee: &Body) -> bool {
    let Some(mut place) = dst else { return true };
    while let PlaceKind::Field(base, _) = caller.places[place].kind {
        place = base;
    }
    matches!(caller.places[place].kind, PlaceKind::Local(_))
        && !callee.blocks.iter().any(|block| matches!(block.terminator, Terminator::Return(None)))
}

fn replace_calls(program: &mut Program, id: FunctionId, small: &[Option<Lives>]) {
    let Some(mut body) = program.functions[id].body.take() else { return };
    let copier = Copier { types: &program.types, functions: program.functions.as_slice(), small };
    for block in body.blocks.ids() {
        copier.block(&mut body, block);
    }
    program.functions[id].body = Some(body);
}

struct Copier<'a> {
    types: &'a Types,
    functions: &'a [Function],
    small: &'a [Option<Lives>],
}

/// A call that is replaced.
struct Site<'a> {
    callee: &'a Body,
    lives: &'a Lives,
    dst: Option<PlaceId>,
    args: &'a [ExprId],
    span: Span,
}

impl Copier<'_> {
    /// The call that a command is, if it is to be replaced.
    fn site<'s>(&'s self, caller: &Body, command: &'s Command) -> Option<Site<'s>> {
        let CommandKind::Call { dst, callee: Callee::Direct(callee), args } = &command.kind else { return None };
        let lives = self.small[callee.index()].as_ref()?;
        let callee = self.functions[callee.index()].body.as_ref()?;
        fits(caller, *dst, callee).then_some(Site { callee, lives, dst: *dst, args, span: command.span })
    }

    /// Replaces the calls in a block. What comes before the first one stays there, so that jumps to the block are still right; what comes
    /// behind a call goes to a new block.
    fn block(&self, body: &mut Body, id: BlockId) {
        if !body.blocks[id].commands.iter().any(|command| self.site(body, command).is_some()) {
            return;
        }
        let Block { commands, terminator, span } =
            std::mem::replace(&mut body.blocks[id], Block { commands: Vec::new(), terminator: Terminator::Unreachable, span: Span::NONE });
        let mut current = id;
        for command in commands {
            let Some(site) = self.site(body, &command) else {
                body.blocks[current].commands.push(command);
                continue;
            };
            let after = body.blocks.push(Block { commands: Vec::new(), terminator: Terminator::Unreachable, span: Span::NONE });
            let seam = Seam::new(self.types, body, &site, after);
            let block = &mut body.blocks[current];
            block.commands.extend(seam.start);
            (block.terminator, block.span) = (Terminator::Goto(seam.entry), site.span);
            body.blocks[after].commands = seam.end;
            current = after;
        }
        (body.blocks[current].terminator, body.blocks[current].span) = (terminator, span);
    }
}

/// What connects a copy with the function around it.
struct Seam {
    /// What is done before its first block.
    start: Vec<Command>,
    entry: BlockId,
    /// What is done when it is left.
    end: Vec<Command>,
}

impl Seam {
    /// Adds a copy of the callee to the caller's body; it goes on with `after`.
    fn new(types: &Types, caller: &mut Body, site: &Site, after: BlockId) -> Seam {
        let callee = site.callee;
        let (first_local, first_expr) = (caller.locals.len(), caller.exprs.len());
        let (first_place, first_block) = (caller.places.len(), caller.blocks.len());
        let l = |id: LocalId| shifted(id, first_local);
        let e = |id: ExprId| shifted(id, first_expr);
        let p = |id: PlaceId| shifted(id, first_place);
        let b = |id: BlockId| shifted(id, first_block);
        for local in callee.locals.iter() {
            caller.locals.push(local.clone());
        }
        for place in callee.places.iter() {
            let mut place = place.clone();
            rename::place(&mut place.kind, &e, &p, &l);
            caller.places.push(place);
        }
        for expr in callee.exprs.iter() {
            let mut expr: Expr = expr.clone();
            rename::expr(&mut expr.kind, &e, &p);
            caller.exprs.push(expr);
        }
        for block in callee.blocks.iter() {
            let mut block = block.clone();
            block.commands.iter_mut().for_each(|command| rename::command(&mut command.kind, &e, &p, &l));
            rename::terminator(&mut block.terminator, &e, &b);
            caller.blocks.push(block);
        }
        let mut result = site.dst;
        for block in caller.blocks.ids().skip(first_block) {
            if let Terminator::Return(value) = caller.blocks[block].terminator {
                if let Some(value) = value {
                    assign_result(types, caller, block, value, &mut result);
                }
                caller.blocks[block].terminator = Terminator::Goto(after);
            }
        }
        caller.loops.extend(callee.loops.iter().map(|source| SourceLoop { head: b(source.head), ..*source }));
        Seam { start: start(caller, site, l), entry: b(Body::ENTRY), end: end(site, l) }
    }
}

fn shifted<T>(id: Id<T>, by: usize) -> Id<T> {
    Id::new(id.raw() + by as u32)
}

/// Assigns a returned value at the end of a block. If nobody wants it, a temporary takes it, because to compute it may be undefined; a
/// record or array that nobody wants is not read at all.
fn assign_result(types: &Types, body: &mut Body, block: BlockId, value: ExprId, result: &mut Option<PlaceId>) {
    let span = body.blocks[block].span;
    let ty = body.exprs[value].ty;
    if result.is_none() && types.is_scalar(ty) {
        let unused = body.locals.push(Local { name: String::new(), ty, span, temporary: true });
        *result = Some(body.places.push(Place { kind: PlaceKind::Local(unused), ty, volatile: false, span }));
    }
    if let Some(dst) = *result {
        body.blocks[block].commands.push(Command { kind: CommandKind::Assign { dst, src: value }, span });
    }
}

/// What a call does first: variables come to life, parameters take the arguments. An argument cannot see the new variables.
fn start(caller: &mut Body, site: &Site, l: impl Fn(LocalId) -> LocalId) -> Vec<Command> {
    let live = site.lives.begin.iter().map(|local| Command { kind: CommandKind::Live(l(*local)), span: site.span });
    let mut commands: Vec<Command> = live.collect();
    for ((id, local), &src) in site.callee.locals.enumerate().zip(site.args) {
        let dst = caller.places.push(Place { kind: PlaceKind::Local(l(id)), ty: local.ty, volatile: false, span: local.span });
        commands.push(Command { kind: CommandKind::Assign { dst, src }, span: site.span });
    }
    commands
}

/// What a return does last: variables die.
fn end(site: &Site, l: impl Fn(LocalId) -> LocalId) -> Vec<Command> {
    site.lives.end.iter().map(|local| Command { kind: CommandKind::Dead(l(*local)), span: site.callee.end }).collect()
}

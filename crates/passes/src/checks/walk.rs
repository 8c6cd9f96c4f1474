//! The walk over a function in the order of evaluation, which is that of the interpreter: it says which check looks at what.

use model::{Block, BlockId, Callee, CheckKind, Command, CommandKind, ExprId, ExprKind, FunctionId, PlaceId, PlaceKind, Span, Terminator};

use super::access::{Access, Use};
use super::assigned::Assigned;
use super::role::{self, Called, Role};
use super::site::Site;
use super::{
    assertion, bounds, conversion, dangling, division, float, free, leak, null, overflow, shift, uninitialised, unreachable,
    unsigned_overflow,
};

/// Looks at an operation.
type Operation = fn(&mut Site<'_>, ExprId);
/// Looks at an access.
type AccessCheck = fn(&mut Site<'_>, &Access);

/// What looks at an operation, after its operands were looked at. A division by zero and the distance of a shift come before their overflow.
const OPERATIONS: [(CheckKind, Operation); 7] = [
    (CheckKind::Division, division::operation),
    (CheckKind::Shift, shift::operation),
    (CheckKind::SignedOverflow, overflow::operation),
    (CheckKind::UnsignedOverflow, unsigned_overflow::operation),
    (CheckKind::Conversion, conversion::operation),
    (CheckKind::Float, float::operation),
    (CheckKind::Bounds, bounds::operation),
];

/// What looks at an access to memory.
const ACCESSES: [(CheckKind, AccessCheck); 3] =
    [(CheckKind::Null, null::access), (CheckKind::Dangling, dangling::access), (CheckKind::Bounds, bounds::access)];

/// Instruments a body.
pub(super) fn body(site: &mut Site<'_>, function: FunctionId) {
    let assigned = if site.wants(CheckKind::Uninitialised) { Assigned::of(site.types, site.roles, site.body) } else { Assigned::nothing() };
    let (exprs, places) = (site.body.exprs.len(), site.body.places.len());
    let mut walk =
        Walk { site, function, assigned, time: 0, seen: Seen { exprs: vec![0; exprs], places: vec![[0; 3]; places] }, tasks: Vec::new() };
    let blocks: Vec<BlockId> = walk.site.body.blocks.ids().collect();
    blocks.into_iter().for_each(|block| walk.block(block));
}

struct Walk<'s, 'a> {
    site: &'s mut Site<'a>,
    function: FunctionId,
    assigned: Assigned,
    /// The number of the command at hand: what a command evaluates twice is checked once.
    time: u32,
    seen: Seen,
    tasks: Vec<Task>,
}

/// When each thing was looked at last; a place for an address, for reading and for writing.
struct Seen {
    exprs: Vec<u32>,
    places: Vec<[u32; 3]>,
}

/// What is still to be looked at.
enum Task {
    /// An expression and all in it.
    Expr(ExprId),
    /// The operation itself.
    Operation(ExprId),
    /// A place and all in it.
    Place(PlaceId, Option<Use>),
    /// The step from an array to its element.
    Element(PlaceId, Option<Use>),
}

impl Walk<'_, '_> {
    fn block(&mut self, id: BlockId) {
        self.assigned.enter(id);
        let commands = std::mem::take(&mut self.site.body.blocks[id].commands);
        self.site.commands = Vec::with_capacity(commands.len());
        for command in commands {
            self.time += 1;
            self.command(&command);
            self.assigned.step(self.site.roles, self.site.body, &command);
            if !self.replaced(&command) {
                self.site.commands.push(command);
            }
        }
        self.time += 1;
        let Block { terminator, span, .. } = self.site.body.blocks[id].clone();
        self.terminator(&terminator, span);
        self.site.body.blocks[id].commands = std::mem::take(&mut self.site.commands);
    }

    fn command(&mut self, command: &Command) {
        let span = command.span;
        match &command.kind {
            CommandKind::Assign { dst, src } => {
                self.place(*dst, Some(Use::Write));
                self.expr(*src);
                self.write(*dst, self.site.body.places[*dst].span);
            }
            CommandKind::Call { dst, callee, args } => self.call(*dst, *callee, args, span),
            CommandKind::LiveArray(_, size) => {
                self.expr(*size);
                if self.site.wants(CheckKind::Bounds) {
                    bounds::array(self.site.at(span), *size);
                }
            }
            CommandKind::Assume(condition) | CommandKind::Assert(condition, _) => self.expr(*condition),
            CommandKind::Havoc(place) => {
                self.place(*place, Some(Use::Write));
                self.write(*place, span);
            }
            CommandKind::VaStart(list) => {
                self.expr(*list);
                self.argument_list(*list, Use::Write, span);
            }
            CommandKind::VaArg(place, list) => {
                self.expr(*list);
                self.place(*place, Some(Use::Write));
                self.argument_list(*list, Use::Read, span);
                self.write(*place, span);
            }
            CommandKind::VaEnd(list) => {
                self.expr(*list);
                self.argument_list(*list, Use::Read, span);
            }
            CommandKind::VaCopy(to, from) => {
                self.expr(*to);
                self.expr(*from);
                self.argument_list(*from, Use::Read, span);
                self.argument_list(*to, Use::Write, span);
            }
            CommandKind::Alloca(place, size) => {
                self.expr(*size);
                if self.site.wants(CheckKind::Bounds) {
                    bounds::stack(self.site.at(span), *size);
                }
                self.place(*place, Some(Use::Write));
                self.write(*place, span);
            }
            CommandKind::Live(_) | CommandKind::Dead(_) | CommandKind::Unsupported(_) => {}
        }
    }

    fn terminator(&mut self, terminator: &Terminator, span: Span) {
        if let Some(value) = terminator.expr() {
            self.expr(value);
        }
        let site = self.site.at(span);
        match terminator {
            Terminator::Computed(target) if site.wants(CheckKind::Bounds) => bounds::jump(site, *target),
            Terminator::Return(_) if site.wants(CheckKind::Leak) => leak::end(site, self.function),
            Terminator::Unreachable if site.wants(CheckKind::Unreachable) => unreachable::end(site),
            _ => {}
        }
    }

    // ---- calls -----------------------------------------------------------------------------------------------------------------------

    fn call(&mut self, dst: Option<PlaceId>, callee: Callee, args: &[ExprId], span: Span) {
        let named = role::named(self.site.body, callee);
        if let (Callee::Indirect(pointer), None) = (callee, named) {
            self.expr(pointer);
            let site = self.site.at(span);
            if site.wants(CheckKind::Null) {
                null::call(site, pointer);
            }
            if site.wants(CheckKind::Bounds) {
                bounds::call(site, pointer);
            }
        }
        args.iter().for_each(|arg| self.expr(*arg));
        if let Some(dst) = dst {
            self.place(dst, Some(Use::Write));
            self.write(dst, span);
        }
        self.site.at(span);
        match (named, callee) {
            (Some(function), _) => {
                if self.site.wants(CheckKind::Uninitialised) {
                    uninitialised::call(self.site, function, args);
                }
                if let Some(role) = self.site.roles.role(function) {
                    self.known_call(role, Called::Directly, args);
                }
            }
            (None, Callee::Indirect(pointer)) => {
                for &(function, role) in self.site.roles.pointed() {
                    self.known_call(role, Called::Through(pointer, function), args);
                }
            }
            (None, Callee::Direct(_)) => {}
        }
    }

    fn known_call(&mut self, role: Role, called: Called, args: &[ExprId]) {
        let site = &mut *self.site;
        match role {
            Role::Free if site.wants(CheckKind::Free) => free::call(site, called, args),
            Role::Assert if site.wants(CheckKind::Assertion) => assertion::condition(site, called, args),
            Role::Error | Role::Marker if site.wants(CheckKind::Assertion) => assertion::error(site, called),
            Role::Error | Role::Exit if site.wants(CheckKind::Leak) => leak::call(site, called),
            _ => {}
        }
    }

    /// Whether the assertions of a call say all that it does, so that it need not stay.
    fn replaced(&mut self, command: &Command) -> bool {
        let CommandKind::Call { dst: None, callee, args } = &command.kind else { return false };
        match role::named(self.site.body, *callee).and_then(|function| self.site.roles.role(function)) {
            Some(Role::Assert) => self.site.wants(CheckKind::Assertion),
            Some(Role::Error) if self.site.wants(CheckKind::Assertion) => {
                assertion::end(self.site, command.span);
                true
            }
            Some(Role::Precondition) => assertion::precondition(self.site.at(command.span), args),
            _ => false,
        }
    }

    // ---- accesses --------------------------------------------------------------------------------------------------------------------

    fn write(&mut self, place: PlaceId, span: Span) {
        if let Some(access) = Access::to(self.site.at(span), place, Use::Write) {
            self.access(&access);
        }
    }

    fn argument_list(&mut self, list: ExprId, usage: Use, span: Span) {
        if let Some(access) = Access::of_list(self.site.at(span), list, usage) {
            self.access(&access);
        }
    }

    fn access(&mut self, access: &Access) {
        for (kind, check) in ACCESSES {
            if self.site.wants(kind) {
                check(self.site, access);
            }
        }
    }

    // ---- expressions and places ------------------------------------------------------------------------------------------------------

    fn expr(&mut self, id: ExprId) {
        self.tasks.push(Task::Expr(id));
        self.run();
    }

    fn place(&mut self, id: PlaceId, usage: Option<Use>) {
        self.tasks.push(Task::Place(id, usage));
        self.run();
    }

    /// Looks at all tasks, the last one first: operands are pushed after what uses them, and from right to left.
    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Expr(id) => {
                    if std::mem::replace(&mut self.seen.exprs[id.index()], self.time) != self.time {
                        self.push_expr(id);
                    }
                }
                Task::Place(id, usage) => {
                    let last = &mut self.seen.places[id.index()][usage.map_or(0, |usage| usage as usize + 1)];
                    if std::mem::replace(last, self.time) != self.time {
                        let kind = &self.site.body.places[id].kind;
                        self.tasks.push(Task::Element(id, usage));
                        self.tasks.extend(kind.operand().map(Task::Expr));
                        self.tasks.extend(kind.base().map(|base| Task::Place(base, usage)));
                    }
                }
                Task::Operation(id) => self.operation(id),
                Task::Element(id, usage) => {
                    if self.site.wants(CheckKind::Bounds) && matches!(self.site.body.places[id].kind, PlaceKind::Index(..)) {
                        let span = self.site.body.places[id].span;
                        bounds::element(self.site.at(span), id, usage);
                    }
                }
            }
        }
    }

    fn push_expr(&mut self, id: ExprId) {
        let kind = &self.site.body.exprs[id].kind;
        self.tasks.push(Task::Operation(id));
        let usage = matches!(kind, ExprKind::Load(_)).then_some(Use::Read);
        self.tasks.extend(kind.place().map(|place| Task::Place(place, usage)));
        let first = self.tasks.len();
        self.tasks.extend(kind.operands().map(Task::Expr));
        self.tasks[first..].reverse();
    }

    fn operation(&mut self, id: ExprId) {
        let span = self.site.body.exprs[id].span;
        let kind = self.site.body.exprs[id].kind.clone();
        self.site.at(span);
        if let ExprKind::Load(place) = kind {
            if let Some(access) = Access::to(self.site, place, Use::Read) {
                self.access(&access);
            }
            if self.site.wants(CheckKind::Uninitialised) {
                uninitialised::read(self.site, place, &self.assigned);
            }
            return;
        }
        for (kind, check) in OPERATIONS {
            if self.site.wants(kind) {
                check(self.site, id);
            }
        }
    }
}

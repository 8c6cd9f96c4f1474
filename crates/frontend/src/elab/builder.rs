//! The graph of the function that is being elaborated.

use model::{
    Arena, Block, BlockId, Body, Command, CommandKind, Expr, ExprId, ExprKind, FunctionId, GlobalId, Local, LocalId, Place, PlaceId,
    PlaceKind, SourceLoop, Span, Terminator, TypeId,
};
use rustc_hash::FxHashMap;

use super::ctype::{Qual, Ty};
use super::frame::Frame;
use crate::ast::Range;
use crate::intern::Symbol;

/// The index of a block scope in [`Builder::scopes`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScopeIdx(pub u32);

/// A block scope of the source: which variables live in it, and where control falls into it.
#[derive(Debug)]
pub struct ScopeNode {
    pub parent: Option<ScopeIdx>,
    pub depth: u32,
    /// Variables with a constant size; their lifetime begins whenever control enters the scope, by whatever way (C17 6.2.4p6).
    pub locals: Vec<LocalId>,
    /// Variable-length arrays; their lifetime begins at the declaration.
    pub arrays: Vec<LocalId>,
    entry: (BlockId, usize),
}

/// A function to be called when a variable goes out of scope (GNU's `cleanup`).
#[derive(Clone, Copy, Debug)]
pub struct Cleanup {
    pub scope: ScopeIdx,
    pub variable: LocalId,
    pub function: FunctionId,
    pub range: Range,
}

/// A jump whose way through the scopes is known only when the function is complete.
#[derive(Debug)]
pub struct PendingJump {
    /// The block that does nothing but end and begin lifetimes on the way.
    pub block: BlockId,
    pub from: ScopeIdx,
    pub to: JumpTarget,
    pub cleanups: Vec<Cleanup>,
    pub span: Span,
    pub range: Range,
}

/// Where a pending jump goes.
#[derive(Clone, Copy, Debug)]
pub enum JumpTarget {
    Block(BlockId, ScopeIdx),
    Label(u32),
}

/// A label of the function.
#[derive(Debug)]
pub struct Label {
    pub name: Symbol,
    pub block: BlockId,
    pub scope: Option<ScopeIdx>,
    pub first_use: Range,
    pub address_taken: bool,
}

/// The innermost statement that `break` or `continue` refers to.
#[derive(Clone, Copy, Debug)]
pub struct Enclosing {
    pub break_to: BlockId,
    pub continue_to: Option<BlockId>,
    pub scope: ScopeIdx,
}

/// A `switch` whose cases are being collected.
#[derive(Debug)]
pub struct Switch {
    pub ty: Ty,
    pub model_ty: TypeId,
    /// Low and high value in the order of the type (shifted so that unsigned order is right), pattern, target, place.
    pub cases: Vec<(model::Case, Range)>,
    pub default: Option<(BlockId, Range)>,
    pub scope: ScopeIdx,
}

/// The function under construction, or the scratch space of file-scope expressions.
#[derive(Debug)]
pub struct Builder {
    pub body: Body,
    pub function: Option<FunctionId>,
    pub name: String,
    pub ret: Qual,
    pub current: BlockId,
    pub scopes: Vec<ScopeNode>,
    pub scope: ScopeIdx,
    pub cleanups: Vec<Cleanup>,
    pub jumps: Vec<PendingJump>,
    pub labels: Vec<Label>,
    /// Label names visible now, innermost `__label__` block last.
    pub label_scopes: Vec<FxHashMap<Symbol, u32>>,
    pub enclosing: Vec<Enclosing>,
    pub switches: Vec<Switch>,
    /// The lengths of variable arrays: temporaries that hold the number of elements as a `size_t`.
    pub lengths: Vec<ExprId>,
    /// How many lengths of enclosing functions come before them.
    pub outer_lengths: u32,
    /// What functions inside this one need of it, if there are any.
    pub frame: Option<Frame>,
    /// The variable that holds the address of the enclosing function's frame.
    pub outer_frame: LocalId,
    /// The functions that are declared inside this one.
    pub inner: Vec<FunctionId>,
    /// What in this function is not modelled, if anything: then its body is replaced by that reason.
    pub unsupported: Option<(Range, String)>,
    pub variadic: bool,
    /// What `__func__` names, once it is used.
    pub function_name: Option<GlobalId>,
    /// Whether the initialiser of a static object is being read: objects made in it are static too.
    pub in_static_initializer: bool,
    /// Complex temporaries whose parts are constants.
    pub complex_constants: FxHashMap<LocalId, (ExprId, ExprId)>,
}

impl Builder {
    pub fn new(function: Option<FunctionId>, name: String, ret: Qual) -> Self {
        let mut body = Body::default();
        let entry = body.blocks.push(empty_block());
        let root = ScopeNode { parent: None, depth: 0, locals: Vec::new(), arrays: Vec::new(), entry: (entry, 0) };
        Builder {
            body,
            function,
            name,
            ret,
            current: entry,
            scopes: vec![root],
            scope: ScopeIdx(0),
            cleanups: Vec::new(),
            jumps: Vec::new(),
            labels: Vec::new(),
            label_scopes: vec![FxHashMap::default()],
            enclosing: Vec::new(),
            switches: Vec::new(),
            lengths: Vec::new(),
            outer_lengths: 0,
            frame: None,
            outer_frame: LocalId::new(0),
            inner: Vec::new(),
            unsupported: None,
            variadic: false,
            function_name: None,
            in_static_initializer: false,
            complex_constants: FxHashMap::default(),
        }
    }

    /// Adds a length; gives its number.
    pub fn add_length(&mut self, length: ExprId) -> u32 {
        self.lengths.push(length);
        self.outer_lengths + self.lengths.len() as u32 - 1
    }

    pub fn expr(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.body.exprs.push(Expr { kind, ty, span })
    }
    pub fn place(&mut self, kind: PlaceKind, ty: TypeId, volatile: bool, span: Span) -> PlaceId {
        self.body.places.push(Place { kind, ty, volatile, span })
    }
    pub fn local(&mut self, name: String, ty: TypeId, temporary: bool, span: Span) -> LocalId {
        self.body.locals.push(Local { name, ty, span, temporary })
    }
    pub fn emit(&mut self, kind: CommandKind, span: Span) {
        self.body.blocks[self.current].commands.push(Command { kind, span });
    }
    pub fn block(&mut self) -> BlockId {
        self.body.blocks.push(empty_block())
    }
    /// Ends the current block; what follows goes to `next`.
    pub fn terminate(&mut self, terminator: Terminator, span: Span, next: BlockId) {
        let block = &mut self.body.blocks[self.current];
        block.terminator = terminator;
        block.span = span;
        self.current = next;
    }
    pub fn goto(&mut self, to: BlockId, span: Span, next: BlockId) {
        self.terminate(Terminator::Goto(to), span, next);
    }
    pub fn add_loop(&mut self, kind: model::LoopKind, head: BlockId, span: Span) {
        self.body.loops.push(SourceLoop { kind, head, span });
    }

    pub fn enter_scope(&mut self) {
        let entry = (self.current, self.body.blocks[self.current].commands.len());
        let depth = self.scopes[self.scope.0 as usize].depth + 1;
        self.scopes.push(ScopeNode { parent: Some(self.scope), depth, locals: Vec::new(), arrays: Vec::new(), entry });
        self.scope = ScopeIdx(self.scopes.len() as u32 - 1);
    }

    /// Ends the innermost scope: its variables come to life where control fell into it and die here.
    pub fn leave_scope(&mut self, span: Span) {
        let index = self.scope.0 as usize;
        let Some(parent) = self.scopes[index].parent else { return };
        let (block, position) = self.scopes[index].entry;
        let births =
            self.scopes[index].locals.iter().map(|&local| Command { kind: CommandKind::Live(local), span: self.body.locals[local].span });
        let births: Vec<Command> = births.collect();
        let dead: Vec<LocalId> = self.scopes[index].arrays.iter().rev().chain(self.scopes[index].locals.iter().rev()).copied().collect();
        self.body.blocks[block].commands.splice(position..position, births);
        for local in dead {
            self.emit(CommandKind::Dead(local), span);
        }
        self.scope = parent;
    }

    /// The scopes left and entered on the way between two scopes, innermost first and outermost first.
    pub fn way(&self, from: ScopeIdx, to: ScopeIdx) -> (Vec<ScopeIdx>, Vec<ScopeIdx>) {
        let (mut a, mut b) = (from, to);
        let (mut left, mut entered) = (Vec::new(), Vec::new());
        while a != b {
            let (node_a, node_b) = (&self.scopes[a.0 as usize], &self.scopes[b.0 as usize]);
            if node_a.depth >= node_b.depth {
                left.push(a);
                let Some(parent) = node_a.parent else { break };
                a = parent;
            } else {
                entered.push(b);
                let Some(parent) = node_b.parent else { break };
                b = parent;
            }
        }
        entered.reverse();
        (left, entered)
    }
}

fn empty_block() -> Block {
    Block { commands: Vec::new(), terminator: Terminator::Unreachable, span: Span::NONE }
}

/// Drops what nothing refers to (blocks that control cannot reach, expressions of unevaluated operands, unused temporaries), joins
/// blocks that always follow each other, and numbers what is left in the order in which control first meets it. Also gives the new number of
/// each old block.
pub fn tidy(body: Body) -> (Body, Vec<BlockId>) {
    let (body, numbers) = join_blocks(body);
    let mut keep_expr = vec![false; body.exprs.len()];
    let mut keep_place = vec![false; body.places.len()];
    mark_used(&body, &mut keep_expr, &mut keep_place);
    let mut keep_local: Vec<bool> = body.locals.enumerate().map(|(id, local)| id.raw() < body.params || !local.temporary).collect();
    for (id, place) in body.places.enumerate() {
        if let PlaceKind::Local(local) = place.kind
            && keep_place[id.index()]
        {
            keep_local[local.index()] = true;
        }
    }
    let (expr_map, place_map, local_map) = (renumber(&keep_expr), renumber(&keep_place), renumber(&keep_local));
    let expr = |id: ExprId| ExprId::new(expr_map[id.index()]);
    let place = |id: PlaceId| PlaceId::new(place_map[id.index()]);
    let local = |id: LocalId| LocalId::new(local_map[id.index()]);
    let mut body = body;
    for item in body.exprs.iter_mut() {
        model::rename::expr(&mut item.kind, &expr, &place);
    }
    for item in body.places.iter_mut() {
        model::rename::place(&mut item.kind, &expr, &place, &local);
    }
    for block in body.blocks.iter_mut() {
        for command in &mut block.commands {
            model::rename::command(&mut command.kind, &expr, &place, &local);
        }
        model::rename::terminator(&mut block.terminator, &expr, &|block| block);
    }
    body.exprs = retain(body.exprs, &keep_expr);
    body.places = retain(body.places, &keep_place);
    body.locals = retain(body.locals, &keep_local);
    (body, numbers)
}

fn retain<T: Clone>(arena: Arena<T>, keep: &[bool]) -> Arena<T> {
    let mut kept = Vec::with_capacity(keep.iter().filter(|&&k| k).count());
    for (item, &keep) in arena.into_iter().zip(keep) {
        if keep {
            kept.push(item);
        }
    }
    kept.into_iter().collect()
}

fn renumber(keep: &[bool]) -> Vec<u32> {
    let mut next = 0;
    keep.iter()
        .map(|&keep| {
            let number = if keep { next } else { u32::MAX };
            next += u32::from(keep);
            number
        })
        .collect()
}

fn mark_used(body: &Body, keep_expr: &mut [bool], keep_place: &mut [bool]) {
    let mut exprs: Vec<ExprId> = Vec::new();
    let mut places: Vec<PlaceId> = Vec::new();
    for block in body.blocks.iter() {
        for command in &block.commands {
            exprs.extend(command.kind.exprs());
            places.extend(command.kind.place());
        }
        exprs.extend(block.terminator.expr());
    }
    while !exprs.is_empty() || !places.is_empty() {
        while let Some(id) = exprs.pop() {
            if !std::mem::replace(&mut keep_expr[id.index()], true) {
                exprs.extend(body.exprs[id].kind.operands());
                places.extend(body.exprs[id].kind.place());
            }
        }
        while let Some(id) = places.pop() {
            if !std::mem::replace(&mut keep_place[id.index()], true) {
                exprs.extend(body.places[id].kind.operand());
                places.extend(body.places[id].kind.base());
            }
        }
    }
}

/// Blocks in reverse postorder, each joined with the next where control has no other way.
fn join_blocks(mut body: Body) -> (Body, Vec<BlockId>) {
    let order = postorder(&body);
    let mut predecessors = vec![0u32; body.blocks.len()];
    for &id in &order {
        for to in body.blocks[id].terminator.successors(&body.address_taken) {
            predecessors[to.index()] += 1;
        }
    }
    predecessors[Body::ENTRY.index()] += 1;
    for pinned in body.loops.iter().map(|l| l.head).chain(body.address_taken.iter().copied()) {
        predecessors[pinned.index()] += 2;
    }
    let mut number = vec![u32::MAX; body.blocks.len()];
    let mut joined: Vec<Block> = Vec::new();
    let mut done = vec![false; body.blocks.len()];
    for &first in order.iter().rev() {
        if done[first.index()] {
            continue;
        }
        let mut block = take(&mut body, first, &mut done);
        number[first.index()] = joined.len() as u32;
        while let Terminator::Goto(next) = block.terminator
            && predecessors[next.index()] == 1
            && !done[next.index()]
        {
            let rest = take(&mut body, next, &mut done);
            block.commands.extend(rest.commands);
            block.terminator = rest.terminator;
            block.span = rest.span;
        }
        joined.push(block);
    }
    let renamed = |id: BlockId| BlockId::new(number[id.index()]);
    for block in &mut joined {
        model::rename::terminator(&mut block.terminator, &|e| e, &renamed);
    }
    for expr in body.exprs.iter_mut() {
        if let ExprKind::Label(block) = &mut expr.kind {
            *block = renamed(*block);
        }
    }
    body.loops.retain(|l| number[l.head.index()] != u32::MAX);
    body.loops.iter_mut().for_each(|l| l.head = renamed(l.head));
    body.address_taken.iter_mut().for_each(|b| *b = renamed(*b));
    body.blocks = joined.into_iter().collect();
    (body, number.into_iter().map(BlockId::new).collect())
}

fn take(body: &mut Body, id: BlockId, done: &mut [bool]) -> Block {
    done[id.index()] = true;
    std::mem::replace(&mut body.blocks[id], empty_block())
}

/// The blocks that control can reach, in postorder. A label whose address is taken counts as reached: static data may lead there.
fn postorder(body: &Body) -> Vec<BlockId> {
    let mut seen = vec![false; body.blocks.len()];
    let mut order = Vec::new();
    let mut stack: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
    for root in body.address_taken.iter().copied().rev().chain([Body::ENTRY]) {
        if std::mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        stack.push((root, successors(body, root)));
        while let Some((block, rest)) = stack.last_mut() {
            if let Some(next) = rest.pop() {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push((next, successors(body, next)));
                }
            } else {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order
}

/// The successors, so ordered that popping from the end gives the loop exit or `else` side first: it is numbered last.
fn successors(body: &Body, block: BlockId) -> Vec<BlockId> {
    body.blocks[block].terminator.successors(&body.address_taken).collect()
}

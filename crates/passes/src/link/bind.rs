//! Puts the linked functions and globals into the bodies of a unit.
//!
//! A unit may have declared a symbol with another type than the definition has. The machine code does not mind: a call passes what the
//! *caller* knows to the address of the function, an access reads the *accessor's* type at the address of the object. The model says
//! the same by a cast of the address: an indirect call through a pointer to the type that the unit has seen, an access through a pointer
//! of the type that it has seen. Whether that is defined in C is for later checks to say.

use model::{
    Address, Arena, Block, Body, Callee, CommandKind, Expr, ExprId, ExprKind, Function, FunctionId, Global, GlobalId, Id, Init, Place,
    PlaceId, PlaceKind, Span, Terminator, Type, TypeId, Types,
};
use rustc_hash::FxHashMap;

use super::symbols::Resolution;

/// What a symbol of a unit is in the linked program.
struct Bound<T> {
    /// Its number there.
    id: Id<T>,
    /// Its type there.
    ty: TypeId,
    /// Its type as the unit has declared it.
    seen: TypeId,
}

impl<T> Bound<T> {
    fn differs(&self) -> bool {
        self.ty != self.seen
    }
}

/// What the symbols of a unit are in the linked program.
pub(super) struct Binding<'a> {
    pub unit: usize,
    pub resolution: &'a Resolution,
    /// The number in the linked program of each symbol that is in it.
    pub ids: &'a [u32],
    /// The type of each symbol as its unit declares it.
    pub types: &'a [TypeId],
}

impl Binding<'_> {
    fn bound<T>(&self, symbol: usize) -> Bound<T> {
        let meaning = self.resolution.meaning[symbol];
        Bound { id: Id::new(self.ids[meaning]), ty: self.types[meaning], seen: self.types[symbol] }
    }
    fn function(&self, id: FunctionId) -> Bound<Function> {
        self.bound(self.resolution.function(self.unit, id))
    }
    fn global(&self, id: GlobalId) -> Bound<Global> {
        self.bound(self.resolution.global(self.unit, id))
    }

    /// Binds the addresses in a global's content. Labels of a body that gave way to another unit's are gone, and with them all uses
    /// of the table that holds them, for a label is known only inside its function.
    pub fn init(&self, init: &mut Init) {
        init.relocations.retain(|relocation| match relocation.target {
            Address::Label(function, _) | Address::LabelDifference(function, _, _) => {
                self.resolution.defines[self.resolution.function(self.unit, function)]
            }
            Address::Global(_) | Address::Function(_) => true,
        });
        for relocation in &mut init.relocations {
            match &mut relocation.target {
                Address::Global(global) => *global = self.global(*global).id,
                Address::Function(function) | Address::Label(function, _) | Address::LabelDifference(function, _, _) => {
                    *function = self.function(*function).id;
                }
            }
        }
    }

    /// Binds the functions and globals in a body whose types are the linked program's already.
    pub fn body(&self, body: &mut Body, types: &mut Types) {
        let (exprs, places) = (body.exprs.len(), body.places.len());
        let mut casts = Casts { body, types, known: FxHashMap::default() };
        let completed = self.places(&mut casts, places);
        self.exprs(&mut casts, exprs, &completed);
        self.calls(&mut casts);
        operands_first(body, exprs, places);
    }

    /// Binds places; gives those whose array now has a length, with the array's address.
    fn places(&self, casts: &mut Casts, count: usize) -> FxHashMap<PlaceId, ExprId> {
        let mut completed = FxHashMap::default();
        for id in (0..count as u32).map(Id::new) {
            let PlaceKind::Global(global) = casts.body.places[id].kind else { continue };
            let bound = self.global(global);
            let mut kind = PlaceKind::Global(bound.id);
            if completes(casts.types, &bound) {
                completed.insert(id, casts.object(&bound));
                casts.body.places[id].ty = bound.ty;
            } else if bound.differs() {
                let address = casts.object(&bound);
                kind = PlaceKind::Deref(casts.seen_as(address, bound.seen));
            }
            casts.body.places[id].kind = kind;
        }
        completed
    }

    fn exprs(&self, casts: &mut Casts, count: usize, completed: &FxHashMap<PlaceId, ExprId>) {
        for id in (0..count as u32).map(Id::new) {
            let kind = match casts.body.exprs[id].kind {
                ExprKind::Function(function) => {
                    let bound = self.function(function);
                    if bound.differs() { ExprKind::Cast(casts.function(&bound)) } else { ExprKind::Function(bound.id) }
                }
                ExprKind::AddressOf(place) => match completed.get(&place) {
                    Some(&address) => ExprKind::Cast(address),
                    None => continue,
                },
                _ => continue,
            };
            casts.body.exprs[id].kind = kind;
        }
    }

    fn calls(&self, casts: &mut Casts) {
        let mut blocks = std::mem::take(&mut casts.body.blocks);
        for command in blocks.iter_mut().flat_map(|block| &mut block.commands) {
            let CommandKind::Call { dst, callee, args } = &mut command.kind else { continue };
            let Callee::Direct(function) = *callee else { continue };
            let bound = self.function(function);
            *callee = if !bound.differs() || casts.accepts(bound.ty, *dst, args) {
                Callee::Direct(bound.id)
            } else {
                let address = casts.function(&bound);
                Callee::Indirect(casts.seen_as(address, bound.seen))
            };
        }
        casts.body.blocks = blocks;
    }
}

/// Whether the unit has seen an array of unknown length that the definition completes.
fn completes(types: &Types, bound: &Bound<Global>) -> bool {
    match (types.get(bound.seen), types.get(bound.ty)) {
        (Type::Array { elem: seen, len: None }, Type::Array { elem, len: Some(_) }) => seen == elem,
        _ => false,
    }
}

/// Addresses with the types of the definitions and casts of them, each made once, at the end of a body's arenas.
struct Casts<'a> {
    body: &'a mut Body,
    types: &'a mut Types,
    known: FxHashMap<Maker, ExprId>,
}

/// What an added expression was made for.
#[derive(PartialEq, Eq, Hash)]
enum Maker {
    Function(FunctionId),
    Object(GlobalId),
    Cast(ExprId, TypeId),
}

impl Casts<'_> {
    fn function(&mut self, bound: &Bound<Function>) -> ExprId {
        let ty = self.types.pointer(bound.ty);
        self.add(Maker::Function(bound.id), ty, |_| ExprKind::Function(bound.id))
    }

    fn object(&mut self, bound: &Bound<Global>) -> ExprId {
        let ty = self.types.pointer(bound.ty);
        let place = Place { kind: PlaceKind::Global(bound.id), ty: bound.ty, volatile: false, span: Span::NONE };
        self.add(Maker::Object(bound.id), ty, |body| ExprKind::AddressOf(body.places.push(place)))
    }

    /// An address as a pointer to another type.
    fn seen_as(&mut self, address: ExprId, pointee: TypeId) -> ExprId {
        let ty = self.types.pointer(pointee);
        self.add(Maker::Cast(address, ty), ty, |_| ExprKind::Cast(address))
    }

    fn add(&mut self, maker: Maker, ty: TypeId, kind: impl FnOnce(&mut Body) -> ExprKind) -> ExprId {
        let body = &mut *self.body;
        *self.known.entry(maker).or_insert_with(|| {
            let kind = kind(body);
            body.exprs.push(Expr { kind, ty, span: Span::NONE })
        })
    }

    /// Whether a call with these arguments and this destination fits a function of this type.
    fn accepts(&self, function: TypeId, dst: Option<PlaceId>, args: &[ExprId]) -> bool {
        let Type::Function { ret, params, variadic } = self.types.get(function) else { return false };
        let arity = if *variadic { args.len() >= params.len() } else { args.len() == params.len() };
        arity
            && dst.is_none_or(|dst| self.body.places[dst].ty == *ret)
            && params.iter().zip(args).all(|(param, arg)| self.body.exprs[*arg].ty == *param)
    }
}

/// Moves the expressions and places from these numbers on to the front: an expression may refer only to earlier ones, and the added
/// ones refer to none of the old.
fn operands_first(body: &mut Body, exprs: usize, places: usize) {
    let (more_exprs, more_places) = (body.exprs.len() - exprs, body.places.len() - places);
    if more_exprs == 0 {
        return;
    }
    let turn = Turn { exprs, places, more_exprs, more_places };
    body.exprs.iter_mut().for_each(|expr| turn.expr_kind(&mut expr.kind));
    body.places.iter_mut().for_each(|place| turn.place_kind(&mut place.kind));
    body.blocks.iter_mut().for_each(|block| turn.block(block));
    body.exprs = rotated(&body.exprs, exprs);
    body.places = rotated(&body.places, places);
}

fn rotated<T: Clone>(arena: &Arena<T>, front: usize) -> Arena<T> {
    let (old, new) = arena.as_slice().split_at(front);
    new.iter().chain(old).cloned().collect()
}

/// How the numbers of expressions and places change when the last ones move to the front.
struct Turn {
    exprs: usize,
    places: usize,
    more_exprs: usize,
    more_places: usize,
}

impl Turn {
    fn expr(&self, id: &mut ExprId) {
        *id = turned(*id, self.exprs, self.more_exprs);
    }
    fn place(&self, id: &mut PlaceId) {
        *id = turned(*id, self.places, self.more_places);
    }

    fn expr_kind(&self, kind: &mut ExprKind) {
        match kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero | ExprKind::Function(_) | ExprKind::Label(_) | ExprKind::HeapEmpty => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Initialised(place) => self.place(place),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) | ExprKind::Query(_, operand) => self.expr(operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::PointerAdd(left, right)
            | ExprKind::PointerDiff(left, right)
            | ExprKind::Overflows(_, left, right, _)
            | ExprKind::SameObject(left, right) => [left, right].into_iter().for_each(|operand| self.expr(operand)),
            ExprKind::Select(guard, yes, no) => [guard, yes, no].into_iter().for_each(|operand| self.expr(operand)),
        }
    }

    fn place_kind(&self, kind: &mut PlaceKind) {
        match kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(base, _) => self.place(base),
            PlaceKind::Index(base, index) => {
                self.place(base);
                self.expr(index);
            }
        }
    }

    fn block(&self, block: &mut Block) {
        block.commands.iter_mut().for_each(|command| self.command(&mut command.kind));
        match &mut block.terminator {
            Terminator::Branch(value, _, _)
            | Terminator::Switch { value, .. }
            | Terminator::Computed(value)
            | Terminator::Return(Some(value)) => self.expr(value),
            Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
        }
    }

    fn command(&self, command: &mut CommandKind) {
        match command {
            CommandKind::Assign { dst, src } => {
                self.place(dst);
                self.expr(src);
            }
            CommandKind::Call { dst, callee, args } => {
                dst.iter_mut().for_each(|dst| self.place(dst));
                if let Callee::Indirect(pointer) = callee {
                    self.expr(pointer);
                }
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
            CommandKind::Live(_) | CommandKind::Dead(_) | CommandKind::Unsupported(_) => {}
            CommandKind::LiveArray(_, value)
            | CommandKind::Assume(value)
            | CommandKind::Assert(value, _)
            | CommandKind::VaStart(value)
            | CommandKind::VaEnd(value) => self.expr(value),
            CommandKind::Havoc(place) => self.place(place),
            CommandKind::VaArg(place, value) | CommandKind::Alloca(place, value) => {
                self.place(place);
                self.expr(value);
            }
            CommandKind::VaCopy(to, from) => [to, from].into_iter().for_each(|value| self.expr(value)),
        }
    }
}

fn turned<T>(id: Id<T>, old: usize, more: usize) -> Id<T> {
    let index = if id.index() < old { id.index() + more } else { id.index() - old };
    Id::new(index as u32)
}

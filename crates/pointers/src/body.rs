//! The constraints of function bodies.

use model::{
    BinaryOp, BlockId, Body, Callee, Command, CommandKind, Created, ExprId, ExprKind, FunctionId, LocalId, PlaceId, PlaceKind, RecordKind,
    Terminator, Type, TypeId, Types, UnaryOp,
};

use crate::analyser::{Analyser, Call, Operand, Value};
use crate::graph::{Holder, NodeId, StoreId};
use crate::object::{Allocation, Object, Site};
use crate::offsets::Offsets;

/// Where a place is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Base {
    /// A scalar variable whose address is never taken: just its value.
    Variable(NodeId),
    /// In a store.
    Store(StoreId),
    /// Where a pointer points.
    Pointer(NodeId),
    /// Through a pointer that points to nothing.
    Nowhere,
}

/// What is known of a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceValue {
    pub base: Base,
    /// Its offsets when it is accessed: then indices are inside their arrays.
    pub access: Offsets,
    /// Its offsets when only its address is taken.
    pub address: Offsets,
}

/// The values of a body's expressions and places.
#[derive(Debug, Default)]
pub(crate) struct BodyValues {
    /// The node of each expression; `None` if it has no pointers, or is a record or array.
    pub exprs: Vec<Option<NodeId>>,
    pub places: Vec<PlaceValue>,
    /// Whether the address of each local is taken.
    pub taken: Vec<bool>,
}

/// Which locals something may point to.
pub(crate) fn address_taken(body: &Body) -> Vec<bool> {
    let mut roots: Vec<Option<LocalId>> = Vec::with_capacity(body.places.len());
    for place in body.places.iter() {
        roots.push(match place.kind {
            PlaceKind::Local(local) => Some(local),
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => roots[base.index()],
            PlaceKind::Global(_) | PlaceKind::Deref(_) => None,
        });
    }
    let mut taken = vec![false; body.locals.len()];
    for expr in body.exprs.iter() {
        if let ExprKind::AddressOf(place) = expr.kind
            && let Some(local) = roots[place.index()]
        {
            taken[local.index()] = true;
        }
    }
    taken
}

/// Whether the array in a place may be longer than its type says: the last member of what a pointer leads to.
fn is_open(types: &Types, body: &Body, array: PlaceId) -> bool {
    let mut place = array;
    while let PlaceKind::Field(base, index) = body.places[place].kind {
        let Type::Record(record) = types.get(body.places[base].ty) else { return false };
        let record = types.record(*record);
        let last = record.layout.as_ref().is_some_and(|layout| index as usize + 1 == layout.fields.len());
        if !last && record.kind == RecordKind::Struct {
            return false;
        }
        place = base;
    }
    matches!(body.places[place].kind, PlaceKind::Deref(_))
}

/// The value of an integer constant, also behind casts.
pub(crate) fn constant(types: &Types, body: &Body, expr: ExprId) -> Option<i128> {
    let mut casts = Vec::new();
    let mut id = expr;
    let mut pattern = loop {
        let expr = &body.exprs[id];
        match expr.kind {
            ExprKind::Int(pattern) => break types.value(expr.ty, pattern),
            ExprKind::Zero if types.is_scalar(expr.ty) => break 0,
            ExprKind::Cast(inner) if !matches!(types.get(expr.ty), Type::Float(_)) => {
                casts.push(expr.ty);
                id = inner;
            }
            _ => return None,
        }
    };
    for ty in casts.into_iter().rev() {
        pattern = types.value(ty, types.truncate(ty, pattern as u128));
    }
    Some(pattern)
}

impl<'p> Analyser<'p> {
    /// Adds the constraints of a body.
    pub fn body(&mut self, function: FunctionId, body: &'p Body) {
        for created in body.creation_order() {
            match created {
                Created::Place(place) => {
                    let value = self.place(function, body, place);
                    self.bodies[function.index()].places.push(value);
                }
                Created::Expr(expr) => {
                    let value = if self.program.types.is_scalar(body.exprs[expr].ty) { self.expr(function, body, expr) } else { None };
                    self.bodies[function.index()].exprs.push(value);
                }
            }
        }
        for (block, content) in body.blocks.enumerate() {
            for (position, command) in content.commands.iter().enumerate() {
                self.command(Site { function, block, command: position }, body, command);
            }
            self.terminator(function, body, block);
        }
    }

    fn value_of(&self, function: FunctionId, expr: ExprId) -> Option<NodeId> {
        self.bodies[function.index()].exprs[expr.index()]
    }
    fn place_value(&self, function: FunctionId, place: PlaceId) -> PlaceValue {
        self.bodies[function.index()].places[place.index()]
    }
    /// A place that is accessed.
    pub fn operand(&self, function: FunctionId, place: PlaceId) -> Operand {
        let value = self.place_value(function, place);
        Operand { base: value.base, offsets: value.access }
    }

    fn place(&mut self, function: FunctionId, body: &Body, place: PlaceId) -> PlaceValue {
        let at_start = |base| PlaceValue { base, access: Offsets::ZERO, address: Offsets::ZERO };
        match body.places[place].kind {
            PlaceKind::Local(local) => at_start(self.variable(function, local)),
            PlaceKind::Global(global) => {
                let global = self.resolve_global(global);
                at_start(Base::Store(self.graph.object(Object::Global(global))))
            }
            PlaceKind::Deref(pointer) => at_start(self.value_of(function, pointer).map_or(Base::Nowhere, Base::Pointer)),
            PlaceKind::Field(base, index) => {
                let field = Offsets::exact(self.field_offset(body.places[base].ty, index));
                let outer = self.place_value(function, base);
                PlaceValue { base: outer.base, access: outer.access.plus(field), address: outer.address.plus(field) }
            }
            PlaceKind::Index(base, index) => {
                let outer = self.place_value(function, base);
                let (inside, anywhere) = self.index_offsets(body, base, index);
                PlaceValue { base: outer.base, access: outer.access.plus(inside), address: outer.address.plus(anywhere) }
            }
        }
    }
    fn field_offset(&self, record: TypeId, index: u32) -> i64 {
        let Type::Record(record) = self.program.types.get(record) else { return 0 };
        let layout = self.program.types.record(*record).layout.as_ref();
        layout.and_then(|layout| layout.fields.get(index as usize)).and_then(|field| i64::try_from(field.offset).ok()).unwrap_or(0)
    }
    /// How far an element is from the array's start: if the array is accessed there, and if it need not be.
    fn index_offsets(&self, body: &Body, array: PlaceId, index: ExprId) -> (Offsets, Offsets) {
        let types = &self.program.types;
        let Type::Array { elem, len } = types.get(body.places[array].ty) else { return (Offsets::ANY, Offsets::ANY) };
        let anywhere = self.moved_by(body, *elem, index);
        let len = len.filter(|_| anywhere.single().is_none() && !is_open(types, body, array));
        match (len, types.size_of(*elem)) {
            (Some(len), Some(size)) => (Offsets::run(0, size, len), anywhere),
            _ => (anywhere, anywhere),
        }
    }
    /// How far a pointer to elements of a type goes when an index is added.
    fn moved_by(&self, body: &Body, elem: TypeId, index: ExprId) -> Offsets {
        // Without a size (void, functions) a pointer moves by bytes. So it does in arrays of unknown size, for all that we know.
        let size = self.program.types.size_of(elem).unwrap_or(1);
        match constant(&self.program.types, body, index) {
            Some(index) => match index.checked_mul(size.into()).and_then(|distance| i64::try_from(distance).ok()) {
                Some(distance) => Offsets::exact(distance),
                None => Offsets::ANY,
            },
            None => Offsets::class(0, size),
        }
    }

    fn expr(&mut self, function: FunctionId, body: &Body, id: ExprId) -> Option<NodeId> {
        let types = &self.program.types;
        let expr = &body.exprs[id];
        let value = |expr| self.value_of(function, expr);
        match expr.kind {
            ExprKind::Load(place) => {
                let size = self.access_size(body, place)?;
                let from = self.operand(function, place);
                self.load(from, size)
            }
            ExprKind::AddressOf(place) => {
                let place = self.place_value(function, place);
                match place.base {
                    Base::Store(store) => Some(self.graph.address(store, place.address)),
                    Base::Pointer(pointer) => Some(self.graph.shifted(pointer, place.address)),
                    Base::Variable(_) | Base::Nowhere => None,
                }
            }
            ExprKind::Function(callee) => {
                let callee = self.resolve_function(callee);
                let store = self.graph.object(Object::Function(callee));
                Some(self.graph.address(store, Offsets::ZERO))
            }
            ExprKind::Cast(inner) => value(inner),
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot | UnaryOp::ByteSwap | UnaryOp::FloatAbs, inner) => {
                let inner = value(inner)?;
                Some(self.graph.shifted(inner, Offsets::ANY))
            }
            ExprKind::Binary(op, left, right) if !op.is_comparison() && *types.get(expr.ty) != Type::Bool => {
                let (left_value, right_value) = (value(left), value(right));
                let (left_moves, right_moves) = (self.arithmetic(body, op, expr.ty, right), self.arithmetic(body, op, expr.ty, left));
                // Only a sum can be taken from either side.
                let right_moves = if op == BinaryOp::Add { right_moves } else { Offsets::ANY };
                let left_value = left_value.map(|node| self.graph.shifted(node, left_moves));
                let right_value = right_value.map(|node| self.graph.shifted(node, right_moves));
                self.union(left_value, right_value)
            }
            ExprKind::PointerAdd(pointer, index) => {
                let Type::Pointer(elem) = types.get(expr.ty) else { return None };
                let moves = self.moved_by(body, *elem, index);
                // What is added to a constant address may be an address itself; otherwise a pointer stays in its object.
                if constant(types, body, pointer).is_some() {
                    let index = value(index)?;
                    return Some(self.graph.shifted(index, Offsets::ANY));
                }
                let pointer = value(pointer)?;
                Some(self.graph.shifted(pointer, moves))
            }
            // The distance from a constant address is an address; between two objects' places it is only a number.
            ExprKind::PointerDiff(left, right) => {
                let constant = |expr| constant(types, body, expr).is_some();
                let address = if constant(right) {
                    value(left)
                } else if constant(left) {
                    value(right)
                } else {
                    None
                }?;
                Some(self.graph.shifted(address, Offsets::ANY))
            }
            ExprKind::Select(_, yes, no) => {
                let (yes, no) = (value(yes), value(no));
                self.union(yes, no)
            }
            // Constants, truth values and counts.
            _ => None,
        }
    }
    /// How far integer arithmetic with the other operand moves an address.
    fn arithmetic(&self, body: &Body, op: BinaryOp, ty: TypeId, other: ExprId) -> Offsets {
        let types = &self.program.types;
        let full = types.bits(ty) == Some(types.target().pointer_bits()) && matches!(types.get(ty), Type::Int { .. });
        let distance = constant(types, body, other).and_then(|value| i64::try_from(value).ok());
        match (op, distance.filter(|_| full)) {
            (BinaryOp::Add, Some(distance)) => Offsets::exact(distance),
            (BinaryOp::Sub, Some(distance)) => Offsets::exact(distance.saturating_neg()),
            _ => Offsets::ANY,
        }
    }
    /// A node with the locations of both.
    fn union(&mut self, left: Option<NodeId>, right: Option<NodeId>) -> Option<NodeId> {
        match (left, right) {
            (Some(left), Some(right)) if left != right => {
                let both = self.graph.node();
                self.graph.edge(left, both);
                self.graph.edge(right, both);
                Some(both)
            }
            _ => left.or(right),
        }
    }

    /// The bytes that an access of a scalar place touches.
    pub fn access_size(&self, body: &Body, place: PlaceId) -> Option<u64> {
        access_size(&self.program.types, body, place)
    }

    /// What is written to a place.
    pub fn value(&self, function: FunctionId, body: &Body, expr: ExprId) -> Value {
        if self.program.types.is_scalar(body.exprs[expr].ty) {
            return self.value_of(function, expr).map_or(Value::Nothing, Value::Scalar);
        }
        let size = self.program.types.size_of(body.exprs[expr].ty);
        let mut operands = Vec::new();
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match body.exprs[expr].kind {
                ExprKind::Load(place) => operands.push(self.operand(function, place)),
                ExprKind::Select(_, yes, no) => open.extend([yes, no]),
                _ => {}
            }
        }
        if operands.is_empty() { Value::Nothing } else { Value::Aggregate(operands, size) }
    }
    /// Writes a value to a place of this type.
    pub fn write(&mut self, to: Operand, size: Option<u64>, value: &Value) {
        match value {
            Value::Nothing => {}
            Value::Scalar(node) => self.store(to, size.unwrap_or(1), *node),
            Value::Aggregate(from, len) => from.iter().for_each(|from| self.copy(*from, to, *len)),
        }
    }

    fn command(&mut self, site: Site, body: &'p Body, command: &'p Command) {
        let function = site.function;
        match &command.kind {
            CommandKind::Assign { dst, src } => {
                let value = self.value(function, body, *src);
                let to = self.operand(function, *dst);
                let size = self.access_size(body, *dst);
                self.write(to, size, &value);
            }
            CommandKind::Call { dst, callee, args } => {
                let result = dst.map(|dst| (self.operand(function, dst), self.access_size(body, dst)));
                let numbers =
                    args.iter().map(|arg| constant(&self.program.types, body, *arg).and_then(|n| u64::try_from(n).ok())).collect();
                let args = args.iter().map(|arg| self.value(function, body, *arg)).collect();
                let call = Call { site: Some(site), args, numbers, result };
                match *callee {
                    Callee::Direct(callee) => self.direct_call(call, callee),
                    Callee::Indirect(pointer) => self.indirect_call(call, self.value_of(function, pointer)),
                }
            }
            // The list holds a pointer to the arguments; so copies of it need no rule of their own.
            CommandKind::VaStart(list) => {
                let arguments = self.graph.object(Object::Variadic(function));
                let address = self.graph.address(arguments, Offsets::ZERO);
                self.store(self.pointer(function, *list), self.pointer_bytes(), address);
            }
            CommandKind::VaCopy(to, from) => {
                if let Some(list) = self.load(self.pointer(function, *from), self.pointer_bytes()) {
                    self.store(self.pointer(function, *to), self.pointer_bytes(), list);
                }
            }
            CommandKind::VaArg(place, list) => {
                if let Some(list) = self.load(self.pointer(function, *list), self.pointer_bytes()) {
                    self.next_argument(Operand { base: Base::Pointer(list), offsets: Offsets::ZERO }, function, body, *place);
                }
            }
            CommandKind::Alloca(place, _) => {
                let allocation = self.graph.allocation(Allocation { sites: vec![site] });
                let store = self.graph.object(Object::Heap(allocation));
                let address = self.graph.address(store, Offsets::ZERO);
                let to = self.operand(function, *place);
                self.store(to, self.pointer_bytes(), address);
            }
            // An arbitrary pointer comes from outside.
            CommandKind::Havoc(place) => {
                if matches!(self.program.types.get(body.places[*place].ty), Type::Pointer(_)) {
                    let to = self.operand(function, *place);
                    self.store(to, self.pointer_bytes(), self.graph.outside);
                }
            }
            CommandKind::Live(_)
            | CommandKind::LiveArray(..)
            | CommandKind::Dead(_)
            | CommandKind::Assume(_)
            | CommandKind::Assert(..)
            | CommandKind::VaEnd(_)
            | CommandKind::Unsupported(_) => {}
        }
    }
    /// Any of the arguments behind `...` goes to a place: scalars are all kept at the beginning, all else anywhere.
    fn next_argument(&mut self, arguments: Operand, function: FunctionId, body: &Body, place: PlaceId) {
        let to = self.operand(function, place);
        let ty = body.places[place].ty;
        let (at, size) = if self.program.types.is_scalar(ty) { (Offsets::ZERO, self.pointer_bytes()) } else { (Offsets::ANY, 1) };
        let Some(argument) = self.load(Operand { offsets: at, ..arguments }, size) else { return };
        match self.access_size(body, place) {
            Some(size) if self.program.types.is_scalar(ty) => self.store(to, size, argument),
            size => self.scatter(to, size, argument),
        }
    }
    /// What a pointer points to.
    fn pointer(&self, function: FunctionId, expr: ExprId) -> Operand {
        Operand { base: self.value_of(function, expr).map_or(Base::Nowhere, Base::Pointer), offsets: Offsets::ZERO }
    }

    fn terminator(&mut self, function: FunctionId, body: &Body, block: BlockId) {
        let Terminator::Return(Some(expr)) = body.blocks[block].terminator else { return };
        if self.fresh.returns(function, block) {
            return;
        }
        match self.value(function, body, expr) {
            Value::Nothing => {}
            Value::Scalar(node) => {
                let result = self.result(function);
                self.graph.edge(node, result);
            }
            aggregate => {
                let store = self.graph.store(Holder::Result(function));
                self.write(Operand { base: Base::Store(store), offsets: Offsets::ZERO }, None, &aggregate);
            }
        }
    }
}

/// The bytes that an access of a scalar place touches: for a bit-field those that it has bits in.
pub(crate) fn access_size(types: &Types, body: &Body, place: PlaceId) -> Option<u64> {
    let ty = body.places[place].ty;
    if let PlaceKind::Field(base, index) = body.places[place].kind
        && let Type::Record(record) = types.get(body.places[base].ty)
        && let Some(layout) = &types.record(*record).layout
        && let Some(bit) = layout.fields.get(index as usize).and_then(|field| field.bit)
    {
        return types.bits(ty).map(|bits| u64::from((u16::from(bit) + bits).div_ceil(8)));
    }
    types.size_of(ty)
}

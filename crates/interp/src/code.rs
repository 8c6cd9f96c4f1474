//! Functions made ready to run: types are resolved to shapes, places to slots and offsets, once per function and only when it is called.

use model::{
    BinaryOp, BlockId, Body, CommandKind, ExprId, ExprKind, FloatFormat, FunctionId, GlobalId, LocalId, OverflowOp, PlaceId, PlaceKind,
    Program, Query, Type, TypeId, Types, UnaryOp,
};

/// What a scalar is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A truth value.
    Bool,
    /// An integer of this width and sign.
    Int(u8, bool),
    /// A float.
    Float(FloatFormat),
    /// A pointer.
    Pointer,
    /// No scalar.
    Aggregate,
}

impl Shape {
    /// The shape of a type.
    pub fn of(types: &Types, ty: TypeId) -> Shape {
        match types.get(ty) {
            Type::Bool => Shape::Bool,
            Type::Int { bits, signed } => Shape::Int(*bits as u8, *signed),
            Type::Float(format) => Shape::Float(*format),
            Type::Pointer(_) => Shape::Pointer,
            _ => Shape::Aggregate,
        }
    }
    /// Cuts a bit pattern to the width.
    #[inline]
    pub fn cut(self, value: u128) -> u128 {
        match self {
            Shape::Bool => value & 1,
            Shape::Int(bits, _) if bits < 128 => value & ((1 << bits) - 1),
            _ => value,
        }
    }
    /// The mathematical value of a bit pattern; unsigned 128-bit numbers from 2^127 on come out negative.
    #[inline]
    pub fn value(self, pattern: u128) -> i128 {
        match self {
            Shape::Int(bits, true) if bits < 128 => {
                let shift = 128 - u32::from(bits);
                ((pattern << shift) as i128) >> shift
            }
            _ => pattern as i128,
        }
    }
    /// The width in bits.
    pub fn bits(self, pointer_bits: u16) -> u16 {
        match self {
            Shape::Bool => 1,
            Shape::Int(bits, _) => u16::from(bits),
            Shape::Float(format) => format.bits(),
            Shape::Pointer => pointer_bits,
            Shape::Aggregate => 0,
        }
    }
}

/// An expression ready to be computed.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// A number.
    Small(u64),
    /// A number that needs more than 64 bits: an index into the table of such.
    Wide(u32),
    /// A scalar variable that is not in memory.
    Slot(u32),
    /// A scalar in memory.
    Load(PlaceId, Shape, u8),
    /// A pointer.
    AddressOf(PlaceId),
    /// The address of a function.
    Function(FunctionId),
    /// The address of a label.
    Label(BlockId),
    /// One operand.
    Unary(UnaryOp, ExprId, Shape),
    /// Two operands; the shape is theirs, for a shift the first one's.
    Binary(BinaryOp, ExprId, ExprId, Shape),
    /// From one shape to another.
    Cast(ExprId, Shape, Shape),
    /// Pointer, index, size of an element.
    PointerAdd(ExprId, ExprId, u32),
    /// Pointers and the size of an element.
    PointerDiff(ExprId, ExprId, u32),
    /// Condition and alternatives.
    Select(ExprId, ExprId, ExprId),
    /// Exact operation and the type that should hold it.
    Overflows(OverflowOp, ExprId, ExprId, Shape),
    /// A question about a pointer.
    Query(Query, ExprId),
    /// A question about two pointers.
    SameObject(ExprId, ExprId),
    /// A question about a scalar.
    Initialised(PlaceId),
    /// A question about all objects.
    HeapEmpty,
    /// A record or array: only copied, never computed.
    Aggregate,
}

/// A place ready to be found.
#[derive(Clone, Copy, Debug)]
pub enum PlaceNode {
    /// A scalar variable that is not in memory.
    Slot(u32),
    /// A variable in memory: an index into the frame's objects.
    Local(u32),
    /// A global.
    Global(GlobalId),
    /// What a pointer leads to.
    Deref(ExprId),
    /// A part at a fixed distance; for a bit-field, the position of its lowest bit.
    Field(PlaceId, u64, Option<u8>),
    /// An element: array, index, size of an element, number of elements if it is to be checked.
    Index(PlaceId, ExprId, u64, Option<u64>),
}

/// The type of a place.
#[derive(Clone, Copy, Debug)]
pub struct PlaceShape {
    /// What it holds.
    pub shape: Shape,
    /// How many bytes it takes.
    pub size: u64,
}

/// A variable of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// It lives in this slot of the frame.
    Slot(u32),
    /// It is an object of this size: an index into the frame's objects.
    Memory(u32, u64),
}

/// A function ready to run.
#[derive(Debug)]
pub struct Code {
    /// Which function it is.
    pub function: FunctionId,
    /// Its expressions.
    pub nodes: Vec<Node>,
    /// Shapes of the expressions.
    pub shapes: Vec<Shape>,
    /// Numbers wider than 64 bits.
    pub wide: Vec<u128>,
    /// Its places.
    pub places: Vec<PlaceNode>,
    /// Their types.
    pub place_shapes: Vec<PlaceShape>,
    /// Its variables.
    pub homes: Vec<Home>,
    /// Variables that live in memory from the call on.
    pub permanent: Vec<LocalId>,
    /// How many slots a frame has.
    pub slots: usize,
    /// How many objects a frame has.
    pub objects: usize,
}

/// Expressions nested deeper than this are not run: computing them takes the interpreter's own stack.
const MAX_DEPTH: u32 = 100_000;

impl Code {
    /// Prepares a function; `None` if an expression is nested too deep.
    pub fn new(program: &Program, function: FunctionId, body: &Body) -> Option<Code> {
        if depth(body) > MAX_DEPTH {
            return None;
        }
        let types = &program.types;
        let in_memory = memory_locals(types, body);
        let mut code = Code {
            function,
            nodes: Vec::with_capacity(body.exprs.len()),
            shapes: Vec::with_capacity(body.exprs.len()),
            wide: Vec::new(),
            places: Vec::with_capacity(body.places.len()),
            place_shapes: Vec::with_capacity(body.places.len()),
            homes: Vec::with_capacity(body.locals.len()),
            permanent: Vec::new(),
            slots: 0,
            objects: 0,
        };
        for (id, local) in body.locals.enumerate() {
            code.homes.push(if in_memory[id.index()] {
                code.objects += 1;
                Home::Memory(code.objects as u32 - 1, types.size_of(local.ty).unwrap_or(0))
            } else {
                code.slots += 1;
                Home::Slot(code.slots as u32 - 1)
            });
        }
        code.find_permanent(body);
        for (id, place) in body.places.enumerate() {
            let node = code.place(types, body, id);
            let shape = Shape::of(types, place.ty);
            let size = match shape {
                Shape::Float(FloatFormat::X87) => 10,
                _ => types.size_of(place.ty).unwrap_or(0),
            };
            code.places.push(node);
            code.place_shapes.push(PlaceShape { shape, size });
        }
        for expr in body.exprs.iter() {
            let node = code.node(types, body, &expr.kind, expr.ty);
            code.nodes.push(node);
            code.shapes.push(Shape::of(types, expr.ty));
        }
        Some(code)
    }

    /// Variables of inner blocks come to life by commands; the others live from the call on.
    fn find_permanent(&mut self, body: &Body) {
        let mut by_command = vec![false; body.locals.len()];
        for command in body.blocks.iter().flat_map(|block| &block.commands) {
            if let CommandKind::Live(local) | CommandKind::LiveArray(local, _) = command.kind {
                by_command[local.index()] = true;
            }
        }
        for local in body.locals.ids() {
            if matches!(self.homes[local.index()], Home::Memory(..)) && !by_command[local.index()] {
                self.permanent.push(local);
            }
        }
    }

    fn place(&self, types: &Types, body: &Body, id: PlaceId) -> PlaceNode {
        match body.places[id].kind {
            PlaceKind::Local(local) => match self.homes[local.index()] {
                Home::Slot(slot) => PlaceNode::Slot(slot),
                Home::Memory(object, _) => PlaceNode::Local(object),
            },
            PlaceKind::Global(global) => PlaceNode::Global(global),
            PlaceKind::Deref(pointer) => PlaceNode::Deref(pointer),
            PlaceKind::Field(base, _) => {
                let (offset, bit) = body.field(types, id).map_or((0, None), |field| (field.offset, field.bit));
                PlaceNode::Field(base, offset, bit)
            }
            PlaceKind::Index(base, index) => {
                let size = types.size_of(body.places[id].ty).unwrap_or(0);
                PlaceNode::Index(base, index, size, body.element_limit(types, base))
            }
        }
    }

    fn node(&mut self, types: &Types, body: &Body, kind: &ExprKind, ty: TypeId) -> Node {
        let shape = |id: ExprId| Shape::of(types, body.exprs[id].ty);
        let stride = |pointer: ExprId| match types.get(body.exprs[pointer].ty) {
            Type::Pointer(to) => types.size_of(*to).map_or(1, |size| u32::try_from(size).unwrap_or(u32::MAX)),
            _ => 1,
        };
        let own = Shape::of(types, ty);
        match *kind {
            _ if own == Shape::Aggregate => Node::Aggregate,
            ExprKind::Int(value) | ExprKind::Float(value) => match u64::try_from(value) {
                Ok(value) => Node::Small(value),
                Err(_) => {
                    self.wide.push(value);
                    Node::Wide(self.wide.len() as u32 - 1)
                }
            },
            ExprKind::Zero => Node::Small(0),
            ExprKind::Load(place) => match self.places[place.index()] {
                PlaceNode::Slot(slot) => Node::Slot(slot),
                _ => Node::Load(place, own, self.place_shapes[place.index()].size as u8),
            },
            ExprKind::AddressOf(place) => Node::AddressOf(place),
            ExprKind::Function(function) => Node::Function(function),
            ExprKind::Label(block) => Node::Label(block),
            ExprKind::Unary(op, a) => Node::Unary(op, a, shape(a)),
            ExprKind::Binary(op, a, b) => Node::Binary(op, a, b, shape(a)),
            ExprKind::Cast(a) => Node::Cast(a, shape(a), own),
            ExprKind::PointerAdd(pointer, index) => Node::PointerAdd(pointer, index, stride(pointer)),
            ExprKind::PointerDiff(a, b) => Node::PointerDiff(a, b, stride(a)),
            ExprKind::Select(c, a, b) => Node::Select(c, a, b),
            ExprKind::Overflows(op, a, b, ty) => Node::Overflows(op, a, b, Shape::of(types, ty)),
            ExprKind::Query(query, pointer) => Node::Query(query, pointer),
            ExprKind::SameObject(a, b) => Node::SameObject(a, b),
            ExprKind::Initialised(place) => Node::Initialised(place),
            ExprKind::HeapEmpty => Node::HeapEmpty,
        }
    }
}

/// Which variables need an address: aggregates, and scalars that something points to.
fn memory_locals(types: &Types, body: &Body) -> Vec<bool> {
    let mut in_memory: Vec<bool> = body.locals.iter().map(|local| !types.is_scalar(local.ty)).collect();
    for expr in body.exprs.iter() {
        if let ExprKind::AddressOf(place) = expr.kind
            && let PlaceKind::Local(local) = body.places[place].kind
        {
            in_memory[local.index()] = true;
        }
    }
    in_memory
}

/// How deep the deepest expression is.
fn depth(body: &Body) -> u32 {
    let mut exprs = vec![0u32; body.exprs.len()];
    let mut places = vec![0u32; body.places.len()];
    let mut deepest = 0;
    for created in body.creation_order() {
        match created {
            model::Created::Place(id) => {
                let kind = &body.places[id].kind;
                let operand = kind.operand().map_or(0, |e| exprs[e.index()]);
                places[id.index()] = 1 + operand.max(kind.base().map_or(0, |p| places[p.index()]));
            }
            model::Created::Expr(id) => {
                let kind = &body.exprs[id].kind;
                let operands = kind.operands().map(|e| exprs[e.index()]).max().unwrap_or(0);
                exprs[id.index()] = 1 + operands.max(kind.place().map_or(0, |p| places[p.index()]));
                deepest = deepest.max(exprs[id.index()]);
            }
        }
    }
    deepest
}

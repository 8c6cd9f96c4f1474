//! Expressions as terms.

use logic::{Bits, Sort, Term};
use model::{BinaryOp, ExprId, ExprKind, OverflowOp, PlaceId, Query, Type, TypeId, UnaryOp};
use rustc_hash::FxHashMap;

use crate::encoder::{Encoder, Info};
use crate::object::{Objects, Trait};
use crate::place::Location;
use crate::scalar::{self, OFFSET, Pointer, Scalar, moved};
use crate::slice::{self, Topic};
use crate::state::{State, Value};

/// The values found while a command is evaluated.
#[derive(Default)]
pub(crate) struct Found {
    exprs: FxHashMap<ExprId, Value>,
    places: FxHashMap<PlaceId, Location>,
}

/// Something to evaluate.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Node {
    Expr(ExprId),
    Place(PlaceId),
}

impl<'p> Encoder<'p> {
    /// The value of an expression.
    pub(crate) fn value(&mut self, state: &mut State, info: &Info<'p>, expr: ExprId) -> Value {
        let mut found = Found::default();
        self.evaluate(state, info, Node::Expr(expr), &mut found);
        found.exprs.remove(&expr).unwrap_or_else(|| Value::Scalar(Scalar::Term(self.terms.bool(false))))
    }
    /// The value of a scalar expression.
    pub(crate) fn scalar(&mut self, state: &mut State, info: &Info<'p>, expr: ExprId) -> Scalar {
        match self.value(state, info, expr) {
            Value::Scalar(scalar) => scalar,
            _ => scalar::zero(&mut self.terms, &self.program.types, info.body.exprs[expr].ty),
        }
    }
    /// The value of a scalar expression that is no pointer.
    pub(crate) fn term(&mut self, state: &mut State, info: &Info<'p>, expr: ExprId) -> Term {
        let scalar = self.scalar(state, info, expr);
        scalar.term(&mut self.terms)
    }
    /// The value of a pointer expression.
    pub(crate) fn pointer(&mut self, state: &mut State, info: &Info<'p>, expr: ExprId) -> Pointer {
        match self.scalar(state, info, expr) {
            Scalar::Pointer(pointer) => pointer,
            Scalar::Term(_) => {
                let zero = self.terms.zero(OFFSET);
                Pointer::nowhere(&mut self.terms, zero)
            }
        }
    }
    /// Where a place is.
    pub(crate) fn locate(&mut self, state: &mut State, info: &Info<'p>, place: PlaceId) -> Location {
        let mut found = Found::default();
        self.evaluate(state, info, Node::Place(place), &mut found);
        match found.places.remove(&place) {
            Some(location) => location,
            None => self.location(state, info, place, None, None),
        }
    }

    /// Evaluates everything that a node is made of, in the order in which it was made: no recursion however deep expressions are.
    fn evaluate(&mut self, state: &mut State, info: &Info<'p>, root: Node, found: &mut Found) {
        let body = info.body;
        let mut open = vec![root];
        let mut needed: Vec<(u32, Node)> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(node) = open.pop() {
            let rank = match node {
                Node::Expr(expr) => info.expr_rank[expr.index()],
                Node::Place(place) => info.place_rank[place.index()],
            };
            if !seen.insert(rank) {
                continue;
            }
            needed.push((rank, node));
            match node {
                Node::Expr(expr) => {
                    let kind = &body.exprs[expr].kind;
                    open.extend(kind.operands().map(Node::Expr));
                    open.extend(kind.place().map(Node::Place));
                }
                Node::Place(place) => {
                    let kind = &body.places[place].kind;
                    open.extend(kind.base().map(Node::Place));
                    open.extend(kind.operand().map(Node::Expr));
                }
            }
        }
        needed.sort_unstable_by_key(|(rank, _)| *rank);
        for (_, node) in needed {
            match node {
                Node::Place(place) => {
                    let kind = &body.places[place].kind;
                    let base = kind.base().and_then(|base| found.places.get(&base).copied());
                    let operand = kind.operand().and_then(|operand| match found.exprs.get(&operand) {
                        Some(Value::Scalar(scalar)) => Some((*scalar, body.exprs[operand].ty)),
                        _ => None,
                    });
                    let location = self.location(state, info, place, base, operand);
                    found.places.insert(place, location);
                }
                Node::Expr(expr) => {
                    let value = self.compute(state, info, expr, found);
                    found.exprs.insert(expr, value);
                }
            }
        }
    }

    fn compute(&mut self, state: &mut State, info: &Info<'p>, expr: ExprId, found: &Found) -> Value {
        let data = &info.body.exprs[expr];
        let (types, ty, span) = (&self.program.types, data.ty, data.span);
        let missing = Scalar::Term(self.terms.bool(false));
        let operand = |id: ExprId| match found.exprs.get(&id) {
            Some(Value::Scalar(scalar)) => *scalar,
            _ => missing,
        };
        let type_of = |id: ExprId| info.body.exprs[id].ty;
        let scalar = match data.kind {
            ExprKind::Int(bits) => self.integer(ty, bits),
            ExprKind::Float(bits) => match types.get(ty) {
                Type::Float(format) => Scalar::Term(self.terms.float(*format, bits)),
                _ => Scalar::Term(self.terms.number(1, bits)),
            },
            ExprKind::Zero => return self.zero_value(ty),
            ExprKind::Load(place) => match found.places.get(&place) {
                Some(location) if self.is_aggregate(ty) => return self.load_aggregate(state, location, span),
                Some(location) => {
                    let scalar = self.load(state, location);
                    self.note_targets(state, info, expr, scalar);
                    scalar
                }
                None => scalar::arbitrary(&mut self.terms, types, ty, "load"),
            },
            ExprKind::AddressOf(place) => {
                let location = found.places.get(&place).copied();
                Scalar::Pointer(match location {
                    Some(location) => self.pointer_to(&location),
                    None => {
                        let zero = self.terms.zero(OFFSET);
                        Pointer::nowhere(&mut self.terms, zero)
                    }
                })
            }
            ExprKind::Function(function) => {
                let object = self.function_object(function);
                Scalar::Pointer(Pointer::to(&mut self.terms, object))
            }
            ExprKind::Label(block) => {
                // An address that no object has; computed gotos compare it.
                let label = self.terms.number(OFFSET, scalar::label_address(block) as u128);
                Scalar::Pointer(Pointer::nowhere(&mut self.terms, label))
            }
            ExprKind::Unary(op, a) => Scalar::Term(self.unary(op, operand(a), type_of(a), ty)),
            ExprKind::Binary(op, a, b) => self.binary(op, (operand(a), type_of(a)), (operand(b), type_of(b))),
            ExprKind::Cast(a) => self.cast(state, operand(a), type_of(a), ty, (info.id, a)),
            ExprKind::PointerAdd(a, index) => match operand(a) {
                Scalar::Pointer(pointer) => {
                    let size = match types.get(ty) {
                        Type::Pointer(to) => types.size_of(*to).unwrap_or(1),
                        _ => 1,
                    };
                    let index_ty = type_of(index);
                    let index = operand(index).term(&mut self.terms);
                    let offset = moved(&mut self.terms, pointer.offset, index, types.is_signed(index_ty), size);
                    Scalar::Pointer(Pointer { object: pointer.object, offset })
                }
                other => other,
            },
            ExprKind::PointerDiff(a, b) => self.pointer_difference(operand(a), operand(b), type_of(a)),
            ExprKind::Select(condition, yes, no) => {
                let condition = operand(condition).term(&mut self.terms);
                match (found.exprs.get(&yes), found.exprs.get(&no)) {
                    (Some(yes), Some(no)) => return crate::state::merge_values(&mut self.terms, condition, yes, no),
                    _ => Scalar::Term(self.terms.bool(false)),
                }
            }
            ExprKind::Overflows(op, a, b, ty) => Scalar::Term(self.overflows(op, (operand(a), type_of(a)), (operand(b), type_of(b)), ty)),
            ExprKind::Query(query, a) => Scalar::Term(self.query(state, query, operand(a))),
            ExprKind::SameObject(a, b) => match (operand(a), operand(b)) {
                (Scalar::Pointer(a), Scalar::Pointer(b)) => Scalar::Term(self.terms.equal(a.object, b.object)),
                _ => Scalar::Term(self.terms.bool(false)),
            },
            ExprKind::Initialised(place) => match found.places.get(&place).copied() {
                Some(location) => Scalar::Term(self.initialised(state, &location)),
                None => Scalar::Term(self.terms.bool(false)),
            },
            ExprKind::HeapEmpty => Scalar::Term(self.heap_empty(state)),
        };
        Value::Scalar(scalar)
    }

    /// Memory that a loop has changed holds anything; what is known of pointers in it is where they may lead (design §6).
    fn note_targets(&mut self, state: &State, info: &Info<'p>, expr: ExprId, loaded: Scalar) {
        let Scalar::Pointer(pointer) = loaded else { return };
        if self.summarizer.is_none() || self.is_choice_of_objects(pointer.object) || !self.noted.insert((state.guard, pointer.object)) {
            return;
        }
        let targets = self.analysis.targets(info.id, expr);
        let among = self.is_among(state, pointer, &targets);
        let fact = self.terms.implies(state.guard, among);
        let about = slice::sources(&self.terms, pointer.object);
        let from = self.terms.len();
        self.note_fact(fact, Topic { about: about.clone(), said: vec![among], from });
        let placed = self.is_placed(state, pointer, &targets);
        let runs = self.terms.and(state.guard, state.valid);
        let fact = self.terms.implies(runs, placed);
        self.note_fact(fact, Topic { about, said: vec![placed], from });
        if targets.iter().any(|target| target.object == pointers::Object::ArgumentStrings) {
            self.note_argument(state, pointer);
        }
        self.note_heap_pointer(pointer.object, &targets);
    }

    /// Whether an object is one of several known ones, by rewriting alone.
    fn is_choice_of_objects(&self, object: Term) -> bool {
        let mut open = vec![object];
        let mut seen = 0;
        while let Some(term) = open.pop() {
            seen += 1;
            match (self.terms.op(term), self.terms.args(term)) {
                _ if seen > 64 => return false,
                (logic::Op::Ite, &[_, yes, no]) => open.extend([yes, no]),
                _ if self.terms.as_bits(term).is_some() => {}
                _ => return false,
            }
        }
        true
    }

    fn integer(&mut self, ty: TypeId, bits: u128) -> Scalar {
        match self.program.types.get(ty) {
            Type::Bool => Scalar::Term(self.terms.bool(bits & 1 == 1)),
            Type::Pointer(_) => {
                let value = self.program.types.value(ty, bits);
                let width = scalar::pointer_bits(self.program.types.target());
                let offset = Bits::new(width, value as u128).sign_extend(OFFSET.max(width)).extract(OFFSET - 1, 0);
                let offset = self.terms.bits(offset);
                Scalar::Pointer(Pointer::nowhere(&mut self.terms, offset))
            }
            _ => {
                let width = u32::from(self.program.types.bits(ty).unwrap_or(1));
                Scalar::Term(self.terms.number(width, bits))
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: Scalar, from: TypeId, to: TypeId) -> Term {
        let a = a.term(&mut self.terms);
        let float = matches!(self.program.types.get(from), Type::Float(_));
        let result_width = u32::from(self.program.types.bits(to).unwrap_or(32));
        let terms = &mut self.terms;
        match op {
            UnaryOp::Neg if float => terms.float_neg(a),
            UnaryOp::Neg => terms.neg(a),
            UnaryOp::BitNot => terms.bit_not(a),
            UnaryOp::Not => terms.not(a),
            UnaryOp::FloatAbs => terms.float_abs(a),
            UnaryOp::SignBit => {
                let bits = terms.float_to_bits(a);
                let top = terms.width(bits) - 1;
                terms.test_bit(bits, top)
            }
            UnaryOp::IsNan => terms.float_is_nan(a),
            UnaryOp::IsInfinite => terms.float_is_infinite(a),
            UnaryOp::PopCount => {
                let mut count = terms.zero(result_width);
                for bit in 0..terms.width(a) {
                    let bit = terms.extract(a, bit, bit);
                    let bit = terms.zero_extend(bit, result_width);
                    count = terms.add(count, bit);
                }
                count
            }
            // Undefined for 0, as the check before says.
            UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                let width = terms.width(a);
                let mut result = terms.number(result_width, u128::from(width));
                for distance in (0..width).rev() {
                    let bit = if op == UnaryOp::LeadingZeros { width - 1 - distance } else { distance };
                    let (set, distance) = (terms.test_bit(a, bit), terms.number(result_width, u128::from(distance)));
                    result = terms.ite(set, distance, result);
                }
                result
            }
            UnaryOp::ByteSwap => {
                let mut result = terms.extract(a, 7, 0);
                for byte in 1..terms.width(a) / 8 {
                    let next = terms.extract(a, byte * 8 + 7, byte * 8);
                    result = terms.concat(result, next);
                }
                result
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, (a, ty): (Scalar, TypeId), (b, b_ty): (Scalar, TypeId)) -> Scalar {
        use BinaryOp as B;
        let types = &self.program.types;
        if let (Scalar::Pointer(a), Scalar::Pointer(b)) = (a, b) {
            return Scalar::Term(self.compare_pointers(op, a, b));
        }
        let (a, b) = (a.term(&mut self.terms), b.term(&mut self.terms));
        let terms = &mut self.terms;
        let signed = types.is_signed(ty);
        Scalar::Term(match types.get(ty) {
            Type::Bool => match op {
                B::And | B::Mul => terms.and(a, b),
                B::Or => terms.or(a, b),
                B::Xor | B::Ne | B::Add | B::Sub => terms.xor(a, b),
                B::Eq => terms.equal(a, b),
                B::Lt => {
                    let not = terms.not(a);
                    terms.and(not, b)
                }
                B::Gt => {
                    let not = terms.not(b);
                    terms.and(a, not)
                }
                B::Le => terms.implies(a, b),
                B::Ge => terms.implies(b, a),
                B::Div | B::Rem | B::Shl | B::Shr => a,
            },
            Type::Float(_) => match op {
                B::Add => terms.float_add(a, b),
                B::Sub => terms.float_sub(a, b),
                B::Mul => terms.float_mul(a, b),
                B::Div => terms.float_div(a, b),
                B::Eq => terms.float_eq(a, b),
                B::Ne => {
                    let equal = terms.float_eq(a, b);
                    terms.not(equal)
                }
                B::Lt => terms.float_lt(a, b),
                B::Le => terms.float_le(a, b),
                B::Gt => terms.float_lt(b, a),
                B::Ge => terms.float_le(b, a),
                _ => a,
            },
            _ => match op {
                B::Add => terms.add(a, b),
                B::Sub => terms.sub(a, b),
                B::Mul => terms.mul(a, b),
                B::Div if signed => terms.sdiv(a, b),
                B::Div => terms.udiv(a, b),
                B::Rem if signed => terms.srem(a, b),
                B::Rem => terms.urem(a, b),
                B::Shl | B::Shr => self.shift(op, a, signed, b, b_ty),
                B::And => terms.bit_and(a, b),
                B::Or => terms.bit_or(a, b),
                B::Xor => terms.bit_xor(a, b),
                B::Eq => terms.equal(a, b),
                B::Ne => terms.differ(a, b),
                B::Lt if signed => terms.slt(a, b),
                B::Lt => terms.ult(a, b),
                B::Le if signed => terms.sle(a, b),
                B::Le => terms.ule(a, b),
                B::Gt if signed => terms.slt(b, a),
                B::Gt => terms.ult(b, a),
                B::Ge if signed => terms.sle(b, a),
                B::Ge => terms.ule(b, a),
            },
        })
    }

    /// The distance may have another type. A distance outside the width is undefined, and the check before says so; what comes of it is anything, because
    /// machines differ.
    fn shift(&mut self, op: BinaryOp, a: Term, signed: bool, distance: Term, distance_ty: TypeId) -> Term {
        let terms = &mut self.terms;
        let distance = match self.program.types.get(distance_ty) {
            Type::Bool => terms.bit(distance),
            _ => distance,
        };
        let width = terms.width(a);
        let wide = terms.width(distance).max(width).max(8);
        let distance = terms.resize(distance, wide, false);
        let limit = terms.number(wide, width.into());
        let defined = terms.ult(distance, limit);
        let distance = terms.resize(distance, width, false);
        let shifted = match op {
            BinaryOp::Shl => terms.shl(a, distance),
            _ if signed => terms.ashr(a, distance),
            _ => terms.lshr(a, distance),
        };
        if terms.as_bool(defined) == Some(true) {
            return shifted;
        }
        let anything = terms.fresh("shifted", Sort::Bits(width));
        terms.ite(defined, shifted, anything)
    }

    fn compare_pointers(&mut self, op: BinaryOp, a: Pointer, b: Pointer) -> Term {
        let terms = &mut self.terms;
        match op {
            BinaryOp::Eq => return a.equal(terms, b),
            BinaryOp::Ne => {
                let equal = a.equal(terms, b);
                return terms.not(equal);
            }
            _ => {}
        }
        let (less, greater) = (terms.slt(a.offset, b.offset), terms.slt(b.offset, a.offset));
        let inside = match op {
            BinaryOp::Lt => less,
            BinaryOp::Gt => greater,
            BinaryOp::Le => terms.not(greater),
            _ => terms.not(less),
        };
        // How objects lie to each other is not known: either order, but always the same.
        let same = terms.equal(a.object, b.object);
        let order = terms.call("object order", &[a.object, b.object], 1);
        let order = terms.test_bit(order, 0);
        let order = if matches!(op, BinaryOp::Lt | BinaryOp::Le) { order } else { terms.not(order) };
        terms.ite(same, inside, order)
    }

    fn pointer_difference(&mut self, a: Scalar, b: Scalar, ty: TypeId) -> Scalar {
        let types = &self.program.types;
        let width = scalar::pointer_bits(types.target());
        let size = match types.get(ty) {
            Type::Pointer(to) => types.size_of(*to).unwrap_or(1).max(1),
            _ => 1,
        };
        let (Scalar::Pointer(a), Scalar::Pointer(b)) = (a, b) else { return Scalar::Term(self.terms.zero(width)) };
        let same = self.terms.equal(a.object, b.object);
        let (x, y) = (a.distance(&mut self.terms, width), b.distance(&mut self.terms, width));
        let difference = self.terms.sub(x, y);
        let size = self.terms.number(width, u128::from(size));
        let inside = self.terms.sdiv(difference, size);
        // Between different objects the distance is undefined: anything.
        if self.terms.as_bool(same) == Some(true) {
            return Scalar::Term(inside);
        }
        let anything = self.terms.fresh("distance", logic::Sort::Bits(width));
        Scalar::Term(self.terms.ite(same, inside, anything))
    }

    /// Exact arithmetic in a width that holds every result, then whether it fits.
    fn overflows(&mut self, op: OverflowOp, (a, a_ty): (Scalar, TypeId), (b, b_ty): (Scalar, TypeId), ty: TypeId) -> Term {
        let types = &self.program.types;
        let (a, b) = (a.term(&mut self.terms), b.term(&mut self.terms));
        let terms = &mut self.terms;
        let bit = |terms: &mut logic::Terms, term, ty| if *types.get(ty) == Type::Bool { terms.bit(term) } else { term };
        let (a, b) = (bit(terms, a, a_ty), bit(terms, b, b_ty));
        let (width, signed) = (u32::from(types.bits(ty).unwrap_or(1)), types.is_signed(ty));
        let (a_signed, b_signed) = (types.is_signed(a_ty), types.is_signed(b_ty));
        if op == OverflowOp::Mul && terms.width(a) == width && terms.width(b) == width && a_signed == signed && b_signed == signed {
            return if signed { terms.smul_overflows(a, b) } else { terms.umul_overflows(a, b) };
        }
        let operand = terms.width(a).max(terms.width(b)) + 1;
        let exact = match op {
            OverflowOp::Mul => terms.width(a) + terms.width(b) + 2,
            _ => operand + 1,
        }
        .max(width + 1);
        let (a, b) = (terms.resize(a, exact, a_signed), terms.resize(b, exact, b_signed));
        let result = match op {
            OverflowOp::Add => terms.add(a, b),
            OverflowOp::Sub => terms.sub(a, b),
            OverflowOp::Mul => terms.mul(a, b),
        };
        let cut = terms.extract(result, width - 1, 0);
        let back = terms.resize(cut, exact, signed);
        terms.differ(back, result)
    }

    /// A question about the object that a pointer belongs to.
    fn query(&mut self, state: &State, query: Query, pointer: Scalar) -> Term {
        let width = scalar::pointer_bits(self.program.types.target());
        let Scalar::Pointer(pointer) = pointer else { return self.terms.bool(false) };
        match query {
            Query::ObjectSize => {
                let size = self.objects.size(&mut self.terms, pointer.object);
                self.terms.resize(size, width, false)
            }
            Query::Offset => pointer.distance(&mut self.terms, width),
            Query::IsNull => {
                let none = self.terms.zero(scalar::OBJECT);
                self.terms.equal(pointer.object, none)
            }
            Query::Alive => self.alive(state, pointer),
            Query::Heap => self.objects.has(&mut self.terms, Trait::Heap, pointer.object),
            Query::Writable => {
                let (alive, writable) = (self.alive(state, pointer), self.objects.has(&mut self.terms, Trait::Writable, pointer.object));
                self.terms.and(alive, writable)
            }
            Query::Function => {
                let (function, zero) = (self.objects.has(&mut self.terms, Trait::Function, pointer.object), self.terms.zero(OFFSET));
                let start = self.terms.equal(pointer.offset, zero);
                self.terms.and(function, start)
            }
        }
    }

    /// Whether the object of a pointer exists. What has static storage does, whatever happened: questions need not look at the past for that.
    pub(crate) fn alive(&mut self, state: &State, pointer: Pointer) -> Term {
        let (alive, statics) = (state.alive, self.objects.statics());
        let bit = crate::object::cases(&mut self.terms, pointer.object, &mut |terms, object| match Objects::number(terms, object) {
            Some(number) if (1..statics).contains(&number) => terms.one(1),
            _ => terms.select(alive, object),
        });
        self.terms.test_bit(bit, 0)
    }

    /// Whether no heap object is alive.
    fn heap_empty(&mut self, state: &State) -> Term {
        let mut empty = self.terms.bool(true);
        for number in self.objects.numbers() {
            if self.objects.get(number).is_some_and(|object| object.heap) {
                let pointer = Pointer::to(&mut self.terms, number);
                let alive = self.alive(state, pointer);
                let dead = self.terms.not(alive);
                empty = self.terms.and(empty, dead);
            }
        }
        let crowds: Vec<_> = self.objects.crowds().filter(|crowd| crowd.heap).collect();
        for crowd in crowds {
            let (first, end, none) = (crowd.numbers(&mut self.terms).0, crowd.end(&mut self.terms), self.terms.zero(1));
            let dead = self.terms.within(state.alive, first, end, 1, none, none);
            empty = self.terms.and(empty, dead);
        }
        empty
    }
}

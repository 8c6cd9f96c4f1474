//! Where checks are added: the function at hand, and what conditions are made of.

use model::{
    Arena, BinaryOp, BlockId, Body, Check, CheckKind, Command, CommandKind, Expr, ExprId, ExprKind, Function, Global, OverflowOp, PlaceId,
    Query, Span, Type, TypeId, Types, UnaryOp,
};

use super::role::Roles;

/// A function that is being instrumented. Expressions are made with the span of the construct that is being checked.
pub(super) struct Site<'a> {
    pub types: &'a mut Types,
    pub globals: &'a Arena<Global>,
    /// All functions; the one at hand has its body elsewhere.
    pub functions: &'a Arena<Function>,
    pub roles: &'a Roles,
    pub body: &'a mut Body,
    kinds: [bool; CheckKind::ALL.len()],
    /// Whether a signed left shift that loses bits is an overflow.
    pub left_shifts: bool,
    /// The commands of the block so far.
    pub commands: Vec<Command>,
    span: Span,
}

impl<'a> Site<'a> {
    pub fn new(
        types: &'a mut Types,
        globals: &'a Arena<Global>,
        functions: &'a Arena<Function>,
        roles: &'a Roles,
        kinds: &[CheckKind],
        body: &'a mut Body,
    ) -> Self {
        let kinds = CheckKind::ALL.map(|kind| kinds.contains(&kind));
        Site { types, globals, functions, roles, body, kinds, left_shifts: true, commands: Vec::new(), span: Span::NONE }
    }

    /// Whether a kind is wanted.
    pub fn wants(&self, kind: CheckKind) -> bool {
        self.kinds[kind as usize]
    }

    /// The construct that is being checked from now on.
    pub fn at(&mut self, span: Span) -> &mut Self {
        self.span = span;
        self
    }

    /// The construct that is being checked.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Adds the assertion that a condition holds.
    pub fn require(&mut self, kind: CheckKind, condition: ExprId) {
        self.require_or(kind, kind.cwe(), condition);
    }

    /// Adds the assertion that a condition holds, whose violation is this weakness.
    pub fn require_or(&mut self, kind: CheckKind, cwe: u16, condition: ExprId) {
        let check = Check { kind, span: self.span, cwe };
        self.commands.push(Command { kind: CommandKind::Assert(condition, check), span: self.span });
    }

    // ---- what the program says -------------------------------------------------------------------------------------------------------

    /// The type of an expression.
    pub fn type_of(&self, id: ExprId) -> &Type {
        self.types.get(self.body.exprs[id].ty)
    }

    /// Width and sign of an integer expression.
    pub fn int_type(&self, id: ExprId) -> Option<(u16, bool)> {
        match self.type_of(id) {
            Type::Int { bits, signed } => Some((*bits, *signed)),
            _ => None,
        }
    }

    /// The bit pattern of an integer or null constant.
    pub fn pattern(&self, id: ExprId) -> Option<u128> {
        match self.body.exprs[id].kind {
            ExprKind::Int(pattern) => Some(pattern),
            ExprKind::Zero if self.types.is_scalar(self.body.exprs[id].ty) => Some(0),
            _ => None,
        }
    }

    /// The mathematical value of an integer constant.
    pub fn constant(&self, id: ExprId) -> Option<i128> {
        self.pattern(id).map(|pattern| self.types.value(self.body.exprs[id].ty, pattern))
    }

    /// A number that an integer expression is not above, if it is never negative.
    pub fn upper_bound(&self, mut id: ExprId) -> Option<u128> {
        let (mut best, mut room) = (None, u128::MAX);
        loop {
            let (bits, signed) = self.int_type(id)?;
            // The casts around it have room for all its numbers, so they do not change them.
            let bound = self.own_bound(id).filter(|bound| *bound <= room);
            best = match (best, bound) {
                (Some(best), Some(bound)) => Some(bound.min(best)),
                (best, bound) => best.or(bound),
            };
            match self.body.exprs[id].kind {
                ExprKind::Cast(value) if self.int_type(value).is_some() => {
                    room = room.min(largest(bits, signed));
                    id = value;
                }
                _ => return best,
            }
        }
    }

    /// The same by type and operator alone.
    fn own_bound(&self, id: ExprId) -> Option<u128> {
        let (bits, signed) = self.int_type(id)?;
        let nonnegative = |id: ExprId| self.constant(id).and_then(|value| u128::try_from(value).ok());
        let bound = match self.body.exprs[id].kind {
            ExprKind::Binary(BinaryOp::And, a, b) => nonnegative(b).or(nonnegative(a)),
            ExprKind::Binary(BinaryOp::Rem, _, b) if !signed => nonnegative(b).and_then(|divisor| divisor.checked_sub(1)),
            _ => nonnegative(id),
        };
        bound.or((!signed).then(|| largest(bits, signed)))
    }

    /// How many bits a signed integer needs that holds all values of this expression.
    pub fn signed_width(&self, id: ExprId) -> u16 {
        if let Some(value) = self.constant(id) {
            return 129 - (if value < 0 { !value } else { value }).leading_zeros() as u16;
        }
        if let Some(bound) = self.upper_bound(id) {
            return 129 - bound.leading_zeros() as u16;
        }
        let mut id = id;
        while let (ExprKind::Cast(value), Some((bits, signed))) = (&self.body.exprs[id].kind, self.int_type(id))
            && let Some((from, from_signed)) = self.int_type(*value)
            && signed
            && from + u16::from(!from_signed) <= bits
        {
            id = *value;
        }
        self.int_type(id).map_or(128, |(bits, signed)| bits + u16::from(!signed))
    }

    // ---- what conditions are made of --------------------------------------------------------------------------------------------------

    pub fn expr(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        self.body.exprs.push(Expr { kind, ty, span: self.span })
    }

    fn truth(&mut self, kind: ExprKind) -> ExprId {
        let ty = self.types.bool();
        self.expr(kind, ty)
    }

    pub fn boolean(&mut self, value: bool) -> ExprId {
        self.truth(ExprKind::Int(u128::from(value)))
    }

    /// A constant of the type of another expression.
    pub fn like(&mut self, other: ExprId, value: i128) -> ExprId {
        let ty = self.body.exprs[other].ty;
        let pattern = self.types.truncate(ty, value as u128);
        self.expr(ExprKind::Int(pattern), ty)
    }

    pub fn not(&mut self, value: ExprId) -> ExprId {
        self.truth(ExprKind::Unary(UnaryOp::Not, value))
    }

    pub fn and(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.truth(ExprKind::Binary(BinaryOp::And, left, right))
    }

    pub fn or(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.truth(ExprKind::Binary(BinaryOp::Or, left, right))
    }

    pub fn compare(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.truth(ExprKind::Binary(op, left, right))
    }

    /// A comparison with a constant of the same type.
    pub fn compare_to(&mut self, op: BinaryOp, left: ExprId, value: i128) -> ExprId {
        let right = self.like(left, value);
        self.compare(op, left, right)
    }

    /// Sum or the like of two numbers of one type.
    pub fn arithmetic(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.expr(ExprKind::Binary(op, left, right), self.body.exprs[left].ty)
    }

    /// A property of a float.
    pub fn float_is(&mut self, op: UnaryOp, value: ExprId) -> ExprId {
        self.truth(ExprKind::Unary(op, value))
    }

    pub fn overflows(&mut self, op: OverflowOp, left: ExprId, right: ExprId, ty: TypeId) -> ExprId {
        self.truth(ExprKind::Overflows(op, left, right, ty))
    }

    pub fn same_object(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.truth(ExprKind::SameObject(left, right))
    }

    pub fn initialised(&mut self, place: PlaceId) -> ExprId {
        self.truth(ExprKind::Initialised(place))
    }

    pub fn heap_empty(&mut self) -> ExprId {
        self.truth(ExprKind::HeapEmpty)
    }

    pub fn query(&mut self, query: Query, pointer: ExprId) -> ExprId {
        let answer = query.ty(self.types.target());
        let ty = self.types.intern(answer);
        self.expr(ExprKind::Query(query, pointer), ty)
    }

    /// The number of this width and sign that has the same value, where it fits.
    pub fn cast(&mut self, value: ExprId, bits: u16, signed: bool) -> ExprId {
        if self.int_type(value) == Some((bits, signed)) {
            return value;
        }
        let ty = self.types.int(bits, signed);
        self.expr(ExprKind::Cast(value), ty)
    }

    /// The width of a pointer.
    pub fn pointer_bits(&self) -> u16 {
        self.types.target().pointer_bits()
    }

    /// The address of a label.
    pub fn label(&mut self, block: BlockId) -> ExprId {
        let void = self.types.void();
        let ty = self.types.pointer(void);
        self.expr(ExprKind::Label(block), ty)
    }

    /// A pointer to a place.
    pub fn address(&mut self, place: PlaceId) -> ExprId {
        let ty = self.types.pointer(self.body.places[place].ty);
        self.expr(ExprKind::AddressOf(place), ty)
    }

    /// A pointer without the casts that do not change it.
    pub fn uncast(&self, mut pointer: ExprId) -> ExprId {
        while let ExprKind::Cast(value) = self.body.exprs[pointer].kind
            && matches!(self.type_of(value), Type::Pointer(_))
        {
            pointer = value;
        }
        pointer
    }

    /// Whether a scalar is not zero.
    pub fn nonzero(&mut self, value: ExprId) -> ExprId {
        let ty = self.body.exprs[value].ty;
        let zero = match self.types.get(ty) {
            Type::Bool => return value,
            Type::Float(_) => ExprKind::Float(0),
            _ => ExprKind::Int(0),
        };
        let zero = self.expr(zero, ty);
        self.compare(BinaryOp::Ne, value, zero)
    }
}

/// The largest number of an integer type.
fn largest(bits: u16, signed: bool) -> u128 {
    u128::MAX.checked_shr(128 - u32::from(bits) + u32::from(signed)).unwrap_or(0)
}

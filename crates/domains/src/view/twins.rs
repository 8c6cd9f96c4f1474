//! Expressions that are written several times: the first of each kind stands for all.

use model::{Body, Created, Expr, ExprId, ExprKind, Place, PlaceId, PlaceKind, TypeId};
use rustc_hash::FxHashMap;

use super::walk::Text;

/// For the expressions and places of a part of a body, the first one with the same structure.
pub struct Twins {
    exprs: FxHashMap<ExprId, ExprId>,
    places: FxHashMap<PlaceId, PlaceId>,
    loads: FxHashMap<PlaceId, ExprId>,
}

/// The structure of an expression or place over representatives.
type Key = (u8, u8, [u32; 3], u128, TypeId);

impl Twins {
    /// Compares the expressions and places of a part of a body.
    pub fn new(body: &Body, text: &Text) -> Self {
        let mut twins = Twins { exprs: FxHashMap::default(), places: FxHashMap::default(), loads: FxHashMap::default() };
        let mut seen_exprs: FxHashMap<Key, ExprId> = FxHashMap::default();
        let mut seen_places: FxHashMap<Key, PlaceId> = FxHashMap::default();
        for created in text.creation_order(body) {
            match created {
                Created::Expr(id) => {
                    let first = *seen_exprs.entry(twins.expr_key(&body.exprs[id])).or_insert(id);
                    twins.exprs.insert(id, first);
                    if let ExprKind::Load(place) = body.exprs[id].kind {
                        twins.loads.entry(twins.place(place)).or_insert(first);
                    }
                }
                Created::Place(id) => {
                    let first = *seen_places.entry(twins.place_key(&body.places[id])).or_insert(id);
                    twins.places.insert(id, first);
                }
            }
        }
        twins
    }

    /// The first expression like this one.
    pub fn expr(&self, id: ExprId) -> ExprId {
        self.exprs.get(&id).copied().unwrap_or(id)
    }
    /// The first place like this one.
    pub fn place(&self, id: PlaceId) -> PlaceId {
        self.places.get(&id).copied().unwrap_or(id)
    }
    /// The first expression that reads a place like this one.
    pub fn load(&self, place: PlaceId) -> Option<ExprId> {
        self.loads.get(&self.place(place)).copied()
    }

    fn expr_key(&self, expr: &Expr) -> Key {
        let mut operands = [u32::MAX; 3];
        for (slot, operand) in operands.iter_mut().zip(expr.kind.operands()) {
            *slot = self.expr(operand).raw();
        }
        if let Some(place) = expr.kind.place() {
            operands[0] = self.place(place).raw();
        }
        let (tag, op, number) = match &expr.kind {
            ExprKind::Int(pattern) => (0, 0, *pattern),
            ExprKind::Float(pattern) => (1, 0, *pattern),
            ExprKind::Zero => (2, 0, 0),
            ExprKind::Load(_) => (3, 0, 0),
            ExprKind::AddressOf(_) => (4, 0, 0),
            ExprKind::Function(function) => (5, 0, u128::from(function.raw())),
            ExprKind::Label(block) => (6, 0, u128::from(block.raw())),
            ExprKind::Unary(op, _) => (7, *op as u8, 0),
            ExprKind::Binary(op, ..) => (8, *op as u8, 0),
            ExprKind::Cast(_) => (9, 0, 0),
            ExprKind::PointerAdd(..) => (10, 0, 0),
            ExprKind::PointerDiff(..) => (11, 0, 0),
            ExprKind::Select(..) => (12, 0, 0),
            ExprKind::Overflows(op, _, _, ty) => (13, *op as u8, u128::from(ty.raw())),
            ExprKind::Query(query, _) => (14, *query as u8, 0),
            ExprKind::SameObject(..) => (15, 0, 0),
            ExprKind::Initialised(_) => (16, 0, 0),
            ExprKind::HeapEmpty => (17, 0, 0),
        };
        (tag, op, operands, number, expr.ty)
    }

    fn place_key(&self, place: &Place) -> Key {
        let (tag, operands) = match place.kind {
            PlaceKind::Local(local) => (0, [local.raw(), 0, 0]),
            PlaceKind::Global(global) => (1, [global.raw(), 0, 0]),
            PlaceKind::Deref(pointer) => (2, [self.expr(pointer).raw(), 0, 0]),
            PlaceKind::Field(base, field) => (3, [self.place(base).raw(), field, 0]),
            PlaceKind::Index(base, index) => (4, [self.place(base).raw(), self.expr(index).raw(), 0]),
        };
        (tag, u8::from(place.volatile), operands, 0, place.ty)
    }
}

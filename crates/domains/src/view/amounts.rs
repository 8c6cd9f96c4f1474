//! What assignments add to variables where that is no constant: `p += n`, `room -= n`.

use encode::Source;
use model::{BinaryOp, ExprId, ExprKind, LocalId, PlaceKind};

use super::reader::Reader;

/// A multiple of something; pointers count in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Amount {
    /// The factor.
    pub factor: i64,
    /// The variable, if it is one.
    pub of: Option<LocalId>,
}

/// What is added to a variable that becomes the value of an expression.
pub(super) fn added(reader: &Reader<'_>, variable: Source, value: ExprId) -> Option<Amount> {
    let is_variable = |expr: ExprId| reader.loaded(expr) == Some(variable);
    let value = reader.resolve(value);
    let (factor, amount) = match reader.body.exprs[value].kind {
        ExprKind::Binary(BinaryOp::Add, a, b) if is_variable(a) => (1, b),
        ExprKind::Binary(BinaryOp::Add, a, b) if is_variable(b) => (1, a),
        ExprKind::Binary(BinaryOp::Sub, a, b) if is_variable(a) => (-1, b),
        ExprKind::PointerAdd(a, b) if is_variable(a) => (i64::try_from(reader.element_size(reader.body.exprs[value].ty)?).ok()?, b),
        _ => return None,
    };
    // Not through the definitions of variables: where they are the same, so are they.
    let mut amount = amount;
    while let ExprKind::Cast(inner) = reader.body.exprs[amount].kind {
        amount = inner;
    }
    let of = match reader.body.exprs[amount].kind {
        ExprKind::Load(place) => match reader.body.places[place].kind {
            PlaceKind::Local(local) => Some(local),
            _ => None,
        },
        _ => None,
    };
    Some(Amount { factor, of })
}

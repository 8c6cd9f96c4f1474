//! Whether a model can stand for what a program declares.

use model::{Type, TypeId, Types};

/// Whether a call through one type of function passes what the other expects. What pointers point to does not matter: programs declare
/// `void *` where the library has a structure of its own.
pub(crate) fn function_fits(declared: (&Types, TypeId), defined: (&Types, TypeId)) -> bool {
    let types = (declared.0.get(declared.1), defined.0.get(defined.1));
    let (Type::Function { ret: a, params: left, variadic: v }, Type::Function { ret: b, params: right, variadic: w }) = types else {
        return false;
    };
    // `int f()` says nothing of the parameters.
    let unprototyped = left.is_empty() && *v;
    let same = v == w && left.len() == right.len() && left.iter().zip(right).all(|(a, b)| argument_fits((declared.0, *a), (defined.0, *b)));
    value_fits((declared.0, *a), (defined.0, *b)) && (unprototyped || same)
}

/// Whether an argument of one type arrives where the other is expected. Before there was `size_t` the library took `int`, and old programs declare it like that.
fn argument_fits((left_types, left): (&Types, TypeId), (right_types, right): (&Types, TypeId)) -> bool {
    let is_half_register = right_types.target().pointer_bits() == 64
        && matches!((left_types.get(left), right_types.get(right)), (Type::Int { bits: 32, .. }, Type::Int { bits: 64, .. }));
    is_half_register || value_fits((left_types, left), (right_types, right))
}

/// Whether values of two types are passed in the same way.
pub(crate) fn value_fits((left_types, left): (&Types, TypeId), (right_types, right): (&Types, TypeId)) -> bool {
    match (left_types.get(left), right_types.get(right)) {
        (Type::Int { bits: a, .. }, Type::Int { bits: b, .. }) => a == b,
        (Type::Float(a), Type::Float(b)) => a == b,
        (Type::Pointer(_), Type::Pointer(_)) | (Type::Void, Type::Void) | (Type::Bool, Type::Bool) => true,
        (Type::Record(_), Type::Record(_)) => left_types.size_of(left) == right_types.size_of(right),
        _ => false,
    }
}

//! Functions of <math.h> whose results the logic knows exactly.

use logic::{Op, Rounding, Term};
use model::{Type, TypeId};

use crate::encoder::Encoder;
use crate::scalar::Scalar;
use crate::state::Value;

impl Encoder<'_> {
    /// The exact result of a function of the library model, which itself says only what is easy to say. Its effects (`errno`) stay the model's.
    pub(crate) fn exact_result(&mut self, name: &str, result: TypeId, args: &[(Value, TypeId)]) -> Option<Value> {
        let Type::Float(_) = self.program.types.get(result) else { return None };
        if args.iter().any(|(_, ty)| *ty != result) {
            return None;
        }
        let op = operator(name)?;
        let terms: Vec<Term> = args
            .iter()
            .map(|(value, _)| match value {
                Value::Scalar(Scalar::Term(term)) => Some(*term),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let arity = match op {
            Op::FloatFma => 3,
            Op::FloatMod | Op::FloatRem => 2,
            _ => 1,
        };
        (terms.len() == arity).then(|| Value::Scalar(Scalar::Term(self.terms.apply(op, &terms, None))))
    }
}

/// The operator that computes a function; those for `float` and `long double` have a letter behind their name.
fn operator(name: &str) -> Option<Op> {
    let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
    [name, base].into_iter().find_map(|name| {
        Some(match name {
            "sqrt" => Op::FloatSqrt,
            "fma" => Op::FloatFma,
            "fmod" => Op::FloatMod,
            "remainder" | "drem" => Op::FloatRem,
            "floor" => Op::FloatRound(Rounding::Down),
            "ceil" => Op::FloatRound(Rounding::Up),
            "trunc" => Op::FloatRound(Rounding::TowardZero),
            "round" => Op::FloatRound(Rounding::NearestAway),
            "rint" | "nearbyint" | "roundeven" => Op::FloatRound(Rounding::NearestEven),
            _ => return None,
        })
    })
}

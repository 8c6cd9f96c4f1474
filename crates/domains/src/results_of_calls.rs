//! What a function that is not followed call by call may return, in terms of its arguments, and which strings it may leave behind.

use encode::{Candidate, Elements, Formula, Head, Linear, Moment, Quantity, Source};
use model::{BinaryOp, ExprKind, FunctionId, LocalId, Terminator, Type};

/// The name of these candidates.
const NAME: &str = "results";
/// At most so many constants of the function, and as many of others, are tried.
const CONSTANTS: usize = 7;
/// At most so many candidates are made.
const LIMIT: usize = 500;

/// Candidates about calls of a function: `Entry` is the call, `Now` the return.
pub fn results(head: &Head<'_, '_>) -> Vec<Candidate> {
    let types = &head.program.types;
    let number = |ty| matches!(types.get(ty), Type::Int { .. });
    let Type::Function { ret, .. } = types.get(head.program.functions[head.function].ty) else { return Vec::new() };
    let candidate = |formula| Candidate { formula, domain: NAME };
    let texts = texts(head, number(*ret)).into_iter().map(candidate);
    if !number(*ret) {
        return texts.collect();
    }
    let result = Linear::of(Quantity::Result);
    let params: Vec<Linear> = (0..head.body.params)
        .map(LocalId::new)
        .filter(|param| number(head.body.locals[*param].ty))
        .map(|param| Linear::of(Quantity::Of(Source::Local(param), encode::Aspect::Value, Moment::Entry)))
        .collect();
    let own = constants(head, |function| function == head.function);
    let mut all = own.clone();
    all.extend(constants(head, |function| function != head.function).into_iter().filter(|constant| !own.contains(constant)));
    let width = types.bits(*ret).map_or(32, u32::from);
    let mut values: Vec<Linear> = all.iter().map(|constant| Linear::constant(*constant)).collect();
    for param in &params {
        values.push(param.clone());
        for &constant in own.iter().filter(|constant| **constant != 0) {
            values.extend([param.clone().shifted(constant), param.clone().shifted(-constant)]);
        }
    }
    let simple = values.clone();
    for (place, a) in params.iter().enumerate() {
        values.extend([Linear::default().minus(a), a.clone().plus(1, a)]);
        for b in params.iter().skip(place + 1) {
            values.extend([a.clone().plus(1, b), a.clone().minus(b), b.clone().minus(a)]);
        }
    }
    let mut formulas = Vec::new();
    for value in &values {
        // Sums may wrap on the way to a result that does not.
        formulas.push(Formula::Modular(result.clone().minus(value), width));
        formulas.extend([Formula::at_most(value, &result), Formula::at_most(&result, value)]);
    }
    // For calls on one side of a number that the function compares an argument with.
    for param in &params {
        for &constant in &own {
            let bound = Linear::constant(constant);
            for side in [Formula::at_most(param, &bound), Formula::below(&bound, param)] {
                let sided = |value: &Linear| Formula::implies(side.clone(), Formula::equal(&result, value));
                formulas.extend(simple.iter().map(sided));
            }
        }
    }
    formulas.truncate(LIMIT);
    texts.chain(formulas.into_iter().map(candidate)).collect()
}

/// Parameters lead to strings behind the call: always, or where the result, if it is a number, says that all went well.
fn texts(head: &Head<'_, '_>, number: bool) -> Vec<Formula> {
    let types = &head.program.types;
    let is_text = |param: &LocalId| match types.get(head.body.locals[*param].ty) {
        Type::Pointer(element) => types.is_scalar(*element) && types.size_of(*element) == Some(1),
        _ => false,
    };
    let (result, zero) = (Linear::of(Quantity::Result), Linear::constant(0));
    let mut found = Vec::new();
    for param in (0..head.body.params).map(LocalId::new).filter(is_text) {
        let elements = Elements { place: None, pointer: Some(Source::Local(param)), base: Moment::Entry, content: Moment::Now };
        let text = Formula::Terminated(elements);
        found.push(text.clone());
        if number {
            let well =
                [Formula::at_most(&zero, &result), Formula::equal(&result, &zero), Formula::Not(Box::new(Formula::equal(&result, &zero)))];
            found.extend(well.map(|well| Formula::implies(well, text.clone())));
        }
    }
    found
}

/// Numbers that some functions compare with or return, in order.
fn constants(head: &Head<'_, '_>, wanted: impl Fn(FunctionId) -> bool) -> Vec<i128> {
    let types = &head.program.types;
    let mut found = Vec::new();
    for (id, function) in head.program.functions.enumerate() {
        let Some(body) = function.body.as_ref().filter(|_| wanted(id) && !head.program.is_library(function.span)) else { continue };
        let constant = |expr| match &body.exprs[expr].kind {
            ExprKind::Int(bits) if matches!(types.get(body.exprs[expr].ty), Type::Int { .. }) => {
                Some(types.value(body.exprs[expr].ty, *bits))
            }
            _ => None,
        };
        for expr in body.exprs.iter() {
            if let ExprKind::Binary(operation, a, b) = expr.kind
                && matches!(
                    operation,
                    BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Add | BinaryOp::Sub
                )
            {
                found.extend([a, b].into_iter().filter_map(constant));
            }
        }
        for block in body.blocks.iter() {
            if let Terminator::Return(Some(value)) = block.terminator {
                found.extend(constant(value));
            }
        }
    }
    found.retain(|constant| constant.unsigned_abs() < 1 << 40);
    found.sort_unstable_by_key(|constant| (constant.unsigned_abs(), *constant));
    found.dedup();
    found.truncate(CONSTANTS);
    found
}
